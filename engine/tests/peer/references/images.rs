//! Image loads, stores and atomics with GLSL references: every target, and every conversion by a formatted
//! store. Images have 4 texels along each axis, and 4 layers, 6 faces or 2 cubes.

use std::sync::Arc;

use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{ImageFormat, ImageShape, ImageSpec};

use super::operands::{I, NUMBER, Operand, U, word};
use super::{Kind, Row, Stage, row, seeded};
use crate::peer::question::{GivenImage, Inputs, Question};
use crate::support::random::Random;
use TextureTarget::{Array1D, Array2D, ArrayCube, Cube, D1, D2, D3, Rect};

const RUNS: usize = 16;
const SIDE: u32 = 4;

/// The coordinates of an existing texel: x, y and z; z may be a layer.
const AT: Operand = (Kind::Int, place);

fn place(random: &mut Random) -> [u32; 4] {
    [(); 4].map(|()| random.below(SIDE as usize) as u32)
}

/// An image target and its coordinates, which come from the operand `b`.
struct Target {
    target: TextureTarget,
    images: &'static str,
    at: &'static str,
    /// Instructions that clear the components of `b` that the program's target does not use.
    ours: &'static str,
}

const TARGETS: &[Target] = &[
    Target { target: D1, images: "image1D", at: "b.x", ours: "MOV.S b.yzw, 0;" },
    Target { target: D2, images: "image2D", at: "b.xy", ours: "MOV.S b.zw, 0;" },
    Target { target: D3, images: "image3D", at: "b.xyz", ours: "MOV.S b.w, 0;" },
    Target { target: Rect, images: "image2DRect", at: "b.xy", ours: "MOV.S b.zw, 0;" },
    Target { target: Cube, images: "imageCube", at: "b.xyz", ours: "MOV.S b.w, 0;" },
    Target { target: Array1D, images: "image1DArray", at: "b.xz", ours: "MOV.S b.yw, 0;" },
    Target { target: Array2D, images: "image2DArray", at: "b.xyz", ours: "MOV.S b.w, 0;" },
    Target { target: ArrayCube, images: "imageCubeArray", at: "b.xyz", ours: "MOV.S b.w, 0;" },
];

/// Operations on an R32UI image, for the program and for GLSL. TARGET is the image's target, `@` its
/// coordinates.
const OPERATIONS: &[[&str; 2]] = &[
    ["LOADIM.U32 r, b, image[0], TARGET;", "r = imageLoad(image, @); r.yzw = uvec3(0, 0, 1);"],
    [
        "STOREIM.U32 image[0], a, b, TARGET; LOADIM.U32 r, b, image[0], TARGET;",
        "imageStore(image, @, a); r = imageLoad(image, @); r.yzw = uvec3(0, 0, 1);",
    ],
    [
        "ATOMIM.ADD.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicAdd(image, @, a.x), 0, 0, 0); AFTER",
    ],
    [
        "ATOMIM.MIN.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicMin(image, @, a.x), 0, 0, 0); AFTER",
    ],
    [
        "ATOMIM.MAX.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicMax(image, @, a.x), 0, 0, 0); AFTER",
    ],
    [
        "ATOMIM.AND.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicAnd(image, @, a.x), 0, 0, 0); AFTER",
    ],
    [
        "ATOMIM.OR.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicOr(image, @, a.x), 0, 0, 0); AFTER",
    ],
    [
        "ATOMIM.XOR.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicXor(image, @, a.x), 0, 0, 0); AFTER",
    ],
    [
        "ATOMIM.EXCH.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicExchange(image, @, a.x), 0, 0, 0); AFTER",
    ],
    [
        "ATOMIM.CSWAP.U32 r, a, b, image[0], TARGET; AFTER",
        "r = uvec4(imageAtomicCompSwap(image, @, a.x, a.y), 0, 0, 0); AFTER",
    ],
];

/// Loads the texel that an atomic has written, into y.
const AFTER: [&str; 2] =
    ["LOADIM.U32 t, b, image[0], TARGET; MOV.U r.y, t.x;", "r.y = imageLoad(image, @).x;"];

/// Formats, each with the modifier of its stores and with the integer format of the view that shows its bits.
const FORMATS: &[(ImageFormat, &str, ImageFormat)] = {
    use ImageFormat as F;
    &[
        (F::Rgba32F, "F", F::Rgba32Ui),
        (F::Rgba16F, "F", F::Rg32Ui),
        (F::Rg32F, "F", F::Rg32Ui),
        (F::Rg16F, "F", F::R32Ui),
        (F::R32F, "F", F::R32Ui),
        (F::R16F, "F", F::R16Ui),
        (F::Rgba16, "F", F::Rg32Ui),
        (F::Rgb10A2, "F", F::R32Ui),
        (F::Rgba8, "F", F::R32Ui),
        (F::Rg16, "F", F::R32Ui),
        (F::Rg8, "F", F::R16Ui),
        (F::R16, "F", F::R16Ui),
        (F::R8, "F", F::R8Ui),
        (F::Rgba8Snorm, "F", F::R32Ui),
        (F::Rg8Snorm, "F", F::R16Ui),
        (F::R8Snorm, "F", F::R8Ui),
        (F::Rgba32I, "S", F::Rgba32Ui),
        (F::Rgba16I, "S", F::Rg32Ui),
        (F::Rgba8I, "S", F::R32Ui),
        (F::Rgba16Ui, "U", F::Rg32Ui),
        (F::Rgba8Ui, "U", F::R32Ui),
    ]
};

pub fn all() -> Vec<Question> {
    let operations =
        TARGETS.iter().flat_map(|target| OPERATIONS.iter().map(move |texts| operation(target, texts)));
    operations.chain(FORMATS.iter().map(stored)).collect()
}

/// Leaks a string, because rows hold `&'static str`.
fn kept(text: String) -> &'static str {
    text.leak()
}

fn operation(target: &Target, [ours, theirs]: &[&str; 2]) -> Question {
    let filled = |text: &str, after: &str| {
        kept(text.replace("AFTER", after).replace("TARGET", target.target.name()).replace('@', target.at))
    };
    let ours = kept(format!("{} {}", target.ours, filled(ours, AFTER[0])));
    let row = row(ours, &[U, AT], Kind::Uint, filled(theirs, AFTER[1]));
    let declared = format!("layout(r32ui, binding = 0) coherent uniform u{} image;", target.images);
    let layers = match target.target {
        ArrayCube => 2,
        target if target.layer().is_some() => SIDE,
        _ => 1,
    };
    let side = |axis: usize| if axis < target.target.axes() { SIDE } else { 1 };
    let (size, format) = ([0, 1, 2].map(side), ImageFormat::R32Ui);
    asked(
        &row,
        &declared,
        ImageSpec { target: target.target, format, size, layers, samples: 1, levels: 1 },
        None,
    )
}

fn stored(&(format, data, view): &(ImageFormat, &str, ImageFormat)) -> Question {
    let load = match view {
        ImageFormat::Rgba32Ui => "U32X4",
        ImageFormat::Rg32Ui => "U32X2",
        ImageFormat::R16Ui => "U16",
        ImageFormat::R8Ui => "U8",
        _ => "U32",
    };
    let ours = format!(
        "MOV.S b.zw, 0; STOREIM.{data} image[0], a, b, 2D; MEMBAR; LOADIM.{load} r, b, image[1], 2D;"
    );
    let theirs = "imageStore(image, b.xy, a); memoryBarrier(); r = imageLoad(view, b.xy);";
    let (operand, prefix): (&'static [Operand], &str) = match data {
        "F" => (&[NUMBER, AT], ""),
        "S" => (&[I, AT], "i"),
        _ => (&[U, AT], "u"),
    };
    let row = row(kept(ours), operand, Kind::Uint, theirs);
    let declared = format!(
        "layout({}, binding = 0) coherent uniform {prefix}image2D image;\n\
         layout({}, binding = 1) coherent uniform uimage2D view;",
        layout(format),
        layout(view)
    );
    let (target, size) = (D2, [SIDE, SIDE, 1]);
    let spec = ImageSpec { target, format, size, layers: 1, samples: 1, levels: 1 };
    let question = asked(&row, &declared, spec, Some(view));
    Question { name: format!("{} ({})", question.name, format.name()), ..question }
}

/// A format's layout qualifier in GLSL.
fn layout(format: ImageFormat) -> String {
    match format {
        ImageFormat::R11FG11FB10F => "r11f_g11f_b10f".to_owned(),
        other => other.name().to_lowercase(),
    }
}

fn asked(row: &Row, declared: &str, spec: ImageSpec, view: Option<ImageFormat>) -> Question {
    let mut random = seeded(row.ours);
    let mut runs: Vec<Inputs> = (0..RUNS).map(|_| row.operands(&mut random)).collect();
    let Ok(shape) = ImageShape::new(spec) else { panic!("{}: no such image", row.ours) };
    for run in &mut runs {
        let texels = if view.is_some() { 0 } else { shape.bytes() / 4 };
        let words = (0..texels).map(|_| word(&mut random)).collect();
        run.image = Some(Arc::new(GivenImage { shape: shape.clone(), words, view }));
    }
    row.question(Stage::Fragment, ["TEMP t;\n", declared], runs)
}
