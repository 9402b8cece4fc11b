//! Multisample pictures with GLSL references: 16x16 pixels with four samples each, all compared. The pictures
//! show coverage, sample numbers and masks, and attributes at samples. The corners of triangles are at
//! sixteenths of pixels, where both sides place them exactly.

use super::{Reads, Reference, seeded};
use crate::peer::compare::Nearness::Approximate;
use crate::peer::question::{Inputs, Question, SAMPLES, SIDE};
use crate::support::random::Random;

/// Instructions of a program, and the declarations and statements of its GLSL reference. Both output a
/// colour.
struct Picture {
    ours: &'static str,
    declared: &'static str,
    theirs: &'static str,
}

const PICTURES: &[Picture] = &[
    Picture {
        ours: "MOV result.color, {1, 2, 3, 4};",
        declared: "",
        theirs: "result = vec4(1.0, 2.0, 3.0, 4.0);",
    },
    Picture {
        ours: "TEMP c; I2F.U c, fragment.samplemask.x; MOV result.color, c;",
        declared: "",
        theirs: "result = vec4(gl_SampleMaskIn[0]);",
    },
    Picture {
        ours: "MOV.U result.samplemask.x, {5}.x; MOV result.color, 1;",
        declared: "",
        theirs: "gl_SampleMask[0] = 5; result = vec4(1.0);",
    },
    Picture {
        ours: "TEMP m; MOV.U m, fragment.samplemask; SHL.U m, m, {1}.x; MOV.U result.samplemask.x, m.x; MOV result.color, 1;",
        declared: "",
        theirs: "gl_SampleMask[0] = gl_SampleMaskIn[0] << 1; result = vec4(1.0);",
    },
    Picture {
        ours: "TEMP c; I2F.S c, fragment.sampleid.x; MOV result.color, c;",
        declared: "",
        theirs: "result = vec4(gl_SampleID);",
    },
    Picture {
        ours: "TEMP c, d; I2F.S c, fragment.sampleid.x; SUB d, {1.5}, c; KIL d.x; MOV result.color, c;",
        declared: "",
        theirs: "if (gl_SampleID > 1) discard; result = vec4(gl_SampleID);",
    },
    Picture {
        ours: "ATTRIB set = fragment.texcoord[0]; IPAS.F result.color, set, 0;",
        declared: "in vec4 coordinates;",
        theirs: "result = interpolateAtSample(coordinates, 0);",
    },
    Picture {
        ours: "ATTRIB set = fragment.texcoord[0]; IPAS.F result.color, set, 1;",
        declared: "in vec4 coordinates;",
        theirs: "result = interpolateAtSample(coordinates, 1);",
    },
    Picture {
        ours: "ATTRIB set = fragment.texcoord[0]; IPAS.F result.color, set, 3;",
        declared: "in vec4 coordinates;",
        theirs: "result = interpolateAtSample(coordinates, 3);",
    },
    Picture {
        ours: "SAMPLE ATTRIB set = fragment.texcoord[0]; MOV result.color, set;",
        declared: "sample in vec4 coordinates;",
        theirs: "result = coordinates;",
    },
];

/// Each picture, with one triangle and with nine that hide each other.
pub fn all() -> Vec<Question> {
    let counts = [1, 9];
    PICTURES.iter().flat_map(|picture| counts.map(|count| question(picture, count))).collect()
}

fn question(picture: &Picture, count: usize) -> Question {
    let name = format!("twins/samples/{count} triangles: {}", picture.ours);
    let mut random = seeded(&name);
    let triangles = (0..count).flat_map(|_| triangle(&mut random)).collect();
    let head = "#version 450 compatibility\n";
    let qualifier = if picture.declared.starts_with("sample") { "sample " } else { "" };
    let shaders = [
        format!(
            "{head}layout(location = 0) in vec4 place;\nlayout(location = 8) in vec4 set0;\n{qualifier}out vec4 coordinates;\n\
             void main() {{ gl_Position = place; coordinates = set0; }}\n"
        ),
        format!("{head}{}\nout vec4 result;\nvoid main() {{ {} }}\n", picture.declared, picture.theirs),
    ];
    let needs = &["GL_ARB_gpu_shader5", "GL_ARB_texture_multisample", "GL_ARB_sample_shading"];
    let text = format!("!!NVfp5.0\n{}\nEND\n", picture.ours);
    Question {
        runs: vec![Inputs::default()],
        triangles,
        reference: Some(Reference { shaders, between: Vec::new(), needs, reads: Reads::Floats(Approximate) }),
        samples: SAMPLES,
        ..Question::loading(name, text.as_bytes())
    }
}

/// A triangle as from [`vertices`].
fn triangle(random: &mut Random) -> [([f32; 4], [f32; 4]); 3] {
    vertices(random)
}

/// `N` vertices at sixteenths of pixels, each with a depth and texture coordinates.
pub fn vertices<const N: usize>(random: &mut Random) -> [([f32; 4], [f32; 4]); N] {
    [(); N].map(|()| {
        let [x, y] = [(); 2].map(|()| random.below(16 * SIDE + 65) as f32 - 32.0);
        let clip = |at: f32| at / (8.0 * SIDE as f32) - 1.0;
        let [z, s, t] = [(); 3].map(|()| random.below(17) as f32 / 16.0);
        ([clip(x), clip(y), 2.0 * z - 1.0, 1.0], [s, t, s + t, 1.0])
    })
}
