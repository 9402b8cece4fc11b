//! Blending with a second colour (ARB_blend_func_extended), with a GLSL reference. The program outputs two
//! colours, and each question has another pair of factors. Colours are below 1/2, so that no sum is clamped.

use shadestep_engine::pipeline::BlendFactor::{
    self, DstColor, One, OneMinusSrc1Alpha, OneMinusSrc1Color, OneMinusSrcAlpha, Src1Alpha, Src1Color,
    SrcAlpha, Zero,
};

use super::{Reads, Reference, seeded};
use crate::peer::compare::Nearness::Approximate;
use crate::peer::question::{Blend, Inputs, Question, Slot};

const RUNS: usize = 16;

const OURS: &str = "!!NVfp5.0
OPTION ARB_blend_func_extended;
MOV.F result.color.primary, program.local[0];
MOV.F result.color.secondary, program.local[1];
END
";

const THEIRS: [&str; 2] = [
    "#version 450 compatibility
layout(location = 0) in vec4 place;
void main() { gl_Position = place; }
",
    "#version 450 compatibility
uniform uvec4 locals[2];
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;
void main() { first = uintBitsToFloat(locals[0]); second = uintBitsToFloat(locals[1]); }
",
];

/// The factors of source and destination.
const FACTORS: [[BlendFactor; 2]; 10] = [
    [Src1Color, OneMinusSrc1Color],
    [OneMinusSrc1Color, Src1Color],
    [Src1Alpha, OneMinusSrc1Alpha],
    [OneMinusSrc1Alpha, Src1Alpha],
    [One, Src1Color],
    [Src1Color, Zero],
    [Zero, OneMinusSrc1Alpha],
    [SrcAlpha, Src1Alpha],
    [OneMinusSrc1Color, OneMinusSrcAlpha],
    [DstColor, OneMinusSrc1Color],
];

/// One question for each pair of factors.
pub fn all() -> Vec<Question> {
    let question = |factors: [BlendFactor; 2]| {
        let name = format!("twins/blending/{factors:?}");
        let mut random = seeded(&name);
        let mut color = || std::array::from_fn(|_| random.below(128) as f32 / 256.0);
        let destination = color();
        let runs = (0..RUNS).map(|_| {
            let parameters = (0..2).map(|n| (Slot::Local(n), color())).collect();
            Inputs { parameters, ..Inputs::default() }
        });
        let runs = runs.collect();
        let shaders = THEIRS.map(str::to_owned);
        let needs = &["GL_ARB_blend_func_extended"];
        Question {
            runs,
            reference: Some(Reference {
                shaders,
                between: Vec::new(),
                needs,
                reads: Reads::Floats(Approximate),
            }),
            blend: Some(Blend { factors, destination }),
            ..Question::loading(name, OURS.as_bytes())
        }
    };
    FACTORS.into_iter().map(question).collect()
}
