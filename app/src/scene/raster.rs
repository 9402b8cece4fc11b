//! `[state]` of `scene.toml`: what a draw fixes beside depth and fog, by the GL's names.

use super::SceneError;
use super::read::{Entry, Table};
use shadestep_engine::pipeline::{
    Blend, BlendEquation, BlendFactor, CompareFunc, CullFace, FrontFace, LogicOp, MultisampleState,
    PointState, PolygonMode, PolygonOffset, RasterState, Rect, SampleCoverage, Samples, ShadeModel, Stencil,
    StencilFace, StencilOp,
};

/// Greatest coordinate or side of `viewport` and `scissor`.
const MAX_COORDINATE: i32 = 1 << 20;

pub(crate) const COMPARISONS: [(CompareFunc, &str); 8] = {
    let mut choices = [(CompareFunc::Never, ""); 8];
    let mut i = 0;
    while i < choices.len() {
        choices[i] = (CompareFunc::ALL[i], CompareFunc::ALL[i].name());
        i += 1;
    }
    choices
};

pub(crate) const DEPTH_TESTS: [(Option<CompareFunc>, &str); 9] = {
    let mut choices = [(None, "OFF"); 9];
    let mut i = 0;
    while i < COMPARISONS.len() {
        choices[i + 1] = (Some(COMPARISONS[i].0), COMPARISONS[i].1);
        i += 1;
    }
    choices
};

pub(crate) const STENCIL_OPS: [(StencilOp, &str); 8] = [
    (StencilOp::Keep, "KEEP"),
    (StencilOp::Zero, "ZERO"),
    (StencilOp::Replace, "REPLACE"),
    (StencilOp::Incr, "INCR"),
    (StencilOp::Decr, "DECR"),
    (StencilOp::Invert, "INVERT"),
    (StencilOp::IncrWrap, "INCR_WRAP"),
    (StencilOp::DecrWrap, "DECR_WRAP"),
];

/// Each for sources and destinations.
pub(crate) const FACTORS: [(BlendFactor, &str); 19] = [
    (BlendFactor::Zero, "ZERO"),
    (BlendFactor::One, "ONE"),
    (BlendFactor::SrcColor, "SRC_COLOR"),
    (BlendFactor::OneMinusSrcColor, "ONE_MINUS_SRC_COLOR"),
    (BlendFactor::DstColor, "DST_COLOR"),
    (BlendFactor::OneMinusDstColor, "ONE_MINUS_DST_COLOR"),
    (BlendFactor::SrcAlpha, "SRC_ALPHA"),
    (BlendFactor::OneMinusSrcAlpha, "ONE_MINUS_SRC_ALPHA"),
    (BlendFactor::DstAlpha, "DST_ALPHA"),
    (BlendFactor::OneMinusDstAlpha, "ONE_MINUS_DST_ALPHA"),
    (BlendFactor::ConstantColor, "CONSTANT_COLOR"),
    (BlendFactor::OneMinusConstantColor, "ONE_MINUS_CONSTANT_COLOR"),
    (BlendFactor::ConstantAlpha, "CONSTANT_ALPHA"),
    (BlendFactor::OneMinusConstantAlpha, "ONE_MINUS_CONSTANT_ALPHA"),
    (BlendFactor::SrcAlphaSaturate, "SRC_ALPHA_SATURATE"),
    (BlendFactor::Src1Color, "SRC1_COLOR"),
    (BlendFactor::OneMinusSrc1Color, "ONE_MINUS_SRC1_COLOR"),
    (BlendFactor::Src1Alpha, "SRC1_ALPHA"),
    (BlendFactor::OneMinusSrc1Alpha, "ONE_MINUS_SRC1_ALPHA"),
];

pub(crate) const EQUATIONS: [(BlendEquation, &str); 5] = [
    (BlendEquation::Add, "FUNC_ADD"),
    (BlendEquation::Subtract, "FUNC_SUBTRACT"),
    (BlendEquation::ReverseSubtract, "FUNC_REVERSE_SUBTRACT"),
    (BlendEquation::Min, "MIN"),
    (BlendEquation::Max, "MAX"),
];

pub(crate) const LOGIC_OPS: [(Option<LogicOp>, &str); 17] = [
    (None, "OFF"),
    (Some(LogicOp::Clear), "CLEAR"),
    (Some(LogicOp::And), "AND"),
    (Some(LogicOp::AndReverse), "AND_REVERSE"),
    (Some(LogicOp::Copy), "COPY"),
    (Some(LogicOp::AndInverted), "AND_INVERTED"),
    (Some(LogicOp::Noop), "NOOP"),
    (Some(LogicOp::Xor), "XOR"),
    (Some(LogicOp::Or), "OR"),
    (Some(LogicOp::Nor), "NOR"),
    (Some(LogicOp::Equiv), "EQUIV"),
    (Some(LogicOp::Invert), "INVERT"),
    (Some(LogicOp::OrReverse), "OR_REVERSE"),
    (Some(LogicOp::CopyInverted), "COPY_INVERTED"),
    (Some(LogicOp::OrInverted), "OR_INVERTED"),
    (Some(LogicOp::Nand), "NAND"),
    (Some(LogicOp::Set), "SET"),
];

pub(crate) const POLYGON_MODES: [(PolygonMode, &str); 3] =
    [(PolygonMode::Point, "POINT"), (PolygonMode::Line, "LINE"), (PolygonMode::Fill, "FILL")];

pub(crate) const CULL_FACES: [(Option<CullFace>, &str); 4] = [
    (None, "OFF"),
    (Some(CullFace::Front), "FRONT"),
    (Some(CullFace::Back), "BACK"),
    (Some(CullFace::FrontAndBack), "FRONT_AND_BACK"),
];

pub(crate) const FRONT_FACES: [(FrontFace, &str); 2] = [(FrontFace::Cw, "CW"), (FrontFace::Ccw, "CCW")];

pub(crate) const SHADE_MODELS: [(ShadeModel, &str); 2] =
    [(ShadeModel::Flat, "FLAT"), (ShadeModel::Smooth, "SMOOTH")];

/// The name of `value` among `choices`.
pub(super) fn name<T: Copy + PartialEq>(choices: &[(T, &'static str)], value: T) -> Option<&'static str> {
    choices.iter().find(|(choice, _)| *choice == value).map(|(_, name)| *name)
}

/// All keys of `[state]`.
const KEYS: [&str; 29] = [
    "viewport",
    "scissor",
    "clip_distances",
    "two_side",
    "front_face",
    "cull",
    "polygon_mode",
    "polygon_offset",
    "shade_model",
    "line_width",
    "point_size",
    "program_point_size",
    "point_smooth",
    "point_sprite",
    "coord_replace",
    "alpha_test",
    "stencil",
    "blend",
    "logic_op",
    "color_mask",
    "fog",
    "samples",
    "multisample",
    "alpha_to_coverage",
    "alpha_to_one",
    "sample_coverage",
    "sample_mask",
    "sample_shading",
    "rasterizer_discard",
];

/// Reads `[state]` over `state`, whose depth is not touched; [`super::lighting`] reads its `fog`.
pub(super) fn read(table: &Table<'_>, mut state: RasterState) -> Result<RasterState, SceneError> {
    table.only(&KEYS)?;
    for (key, rect) in [("viewport", &mut state.viewport), ("scissor", &mut state.scissor)] {
        if let Some(entry) = table.get(key) {
            *rect = Some(rectangle(&entry)?);
        }
    }
    if let Some(entry) = table.get("clip_distances") {
        state.clip_distances = bits(&entry, 7, "numbers of clip distances, 0 to 7, in brackets")?;
    }
    if let Some(entry) = table.get("two_side") {
        state.two_side = entry.boolean()?;
    }
    if let Some(entry) = table.get("rasterizer_discard") {
        state.discard = entry.boolean()?;
    }
    if let Some(entry) = table.get("front_face") {
        state.front_face = entry.choice(&FRONT_FACES)?;
    }
    if let Some(entry) = table.get("cull") {
        state.cull = entry.choice(&CULL_FACES)?;
    }
    if let Some(entry) = table.get("polygon_mode") {
        state.polygon_mode = polygon_mode(&entry)?;
    }
    if let Some(entry) = table.get("polygon_offset") {
        state.offset = polygon_offset(&entry.table("in polygon_offset")?)?;
    }
    if let Some(entry) = table.get("shade_model") {
        state.shade_model = entry.choice(&SHADE_MODELS)?;
    }
    if let Some(entry) = table.get("line_width") {
        state.line_width = positive(&entry)?;
    }
    point(table, &mut state.point)?;
    if let Some(entry) = table.get("alpha_test") {
        state.alpha_test = Some(alpha_test(&entry.table("in alpha_test")?)?);
    }
    if let Some(entry) = table.get("stencil") {
        state.stencil = Some(stencil(&entry)?);
    }
    if let Some(entry) = table.get("blend") {
        state.blend = Some(blend(&entry.table("in blend")?)?);
    }
    if let Some(entry) = table.get("logic_op") {
        state.logic_op = entry.choice(&LOGIC_OPS)?;
    }
    if let Some(entry) = table.get("color_mask") {
        state.color_mask = color_mask(&entry)?;
    }
    multisample(table, &mut state.multisample)?;
    Ok(state)
}

/// How many samples a pixel has, by their names in lists.
pub const SAMPLES: [(Samples, &str); 5] = [
    (Samples::One, "1"),
    (Samples::Two, "2"),
    (Samples::Four, "4"),
    (Samples::Eight, "8"),
    (Samples::Sixteen, "16"),
];

/// Samples of a pixel, and what is done with them.
fn multisample(table: &Table<'_>, state: &mut MultisampleState) -> Result<(), SceneError> {
    if let Some(entry) = table.get("samples") {
        let count = entry.integer(1..=Samples::MAX as u32)?;
        let samples = Samples::from_count(count);
        state.samples = samples.ok_or_else(|| entry.error("\"samples\" must be 1, 2, 4, 8 or 16"))?;
    }
    for (key, enabled) in [
        ("multisample", &mut state.enabled),
        ("alpha_to_coverage", &mut state.alpha_to_coverage),
        ("alpha_to_one", &mut state.alpha_to_one),
    ] {
        if let Some(entry) = table.get(key) {
            *enabled = entry.boolean()?;
        }
    }
    if let Some(entry) = table.get("sample_coverage") {
        let table = entry.table("in sample_coverage")?;
        table.only(&["value", "invert"])?;
        let value = table.get("value").map_or(Ok(1.0), |entry| entry.unit_interval())?;
        let invert = table.get("invert").map_or(Ok(false), |entry| entry.boolean())?;
        state.coverage = Some(SampleCoverage { value, invert });
    }
    if let Some(entry) = table.get("sample_mask") {
        state.mask = Some(entry.integer(0..=u32::from(u16::MAX))?);
    }
    if let Some(entry) = table.get("sample_shading") {
        state.shading = Some(entry.unit_interval()?);
    }
    Ok(())
}

/// x, y, width, height; the sides are not negative.
fn rectangle(entry: &Entry<'_>) -> Result<Rect, SceneError> {
    let values = entry.array(4..=4, "4 whole numbers in brackets: x, y, width, height")?;
    let mut rect = [0; 4];
    for (index, (out, value)) in rect.iter_mut().zip(values).enumerate() {
        let least = if index < 2 { -MAX_COORDINATE } else { 0 };
        *out = entry.signed_of(value, &(least..=MAX_COORDINATE))?;
    }
    Ok(rect)
}

/// A set of whole numbers from 0 to `last` as bits.
fn bits(entry: &Entry<'_>, last: u32, wanted: &str) -> Result<u8, SceneError> {
    let mut set = 0_u8;
    for value in entry.array(0..=8, wanted)? {
        set |= 1 << entry.integer_of(value, &(0..=last))?;
    }
    Ok(set)
}

fn positive(entry: &Entry<'_>) -> Result<f32, SceneError> {
    let value = entry.finite()?;
    if value > 0.0 {
        Ok(value)
    } else {
        Err(entry.error(format!("\"{}\" must be greater than 0", entry.name)))
    }
}

/// One mode for both faces, or front and back.
fn polygon_mode(entry: &Entry<'_>) -> Result<[PolygonMode; 2], SceneError> {
    if let Some(both) = entry.value.as_str() {
        return Ok([entry.choice_of(both, &POLYGON_MODES)?; 2]);
    }
    let words = entry.strings(2..=2, "a mode, or the modes of front and back in brackets")?;
    Ok([entry.choice_of(words[0], &POLYGON_MODES)?, entry.choice_of(words[1], &POLYGON_MODES)?])
}

fn polygon_offset(table: &Table<'_>) -> Result<PolygonOffset, SceneError> {
    table.only(&["factor", "units", "fill", "line", "point"])?;
    let mut offset = PolygonOffset { fill: true, ..PolygonOffset::default() };
    for (key, number) in [("factor", &mut offset.factor), ("units", &mut offset.units)] {
        if let Some(entry) = table.get(key) {
            *number = entry.finite()?;
        }
    }
    for (key, enabled) in
        [("fill", &mut offset.fill), ("line", &mut offset.line), ("point", &mut offset.point)]
    {
        if let Some(entry) = table.get(key) {
            *enabled = entry.boolean()?;
        }
    }
    Ok(offset)
}

fn point(table: &Table<'_>, point: &mut PointState) -> Result<(), SceneError> {
    if let Some(entry) = table.get("point_size") {
        point.size = positive(&entry)?;
    }
    for (key, enabled) in [
        ("program_point_size", &mut point.from_program),
        ("point_smooth", &mut point.smooth),
        ("point_sprite", &mut point.sprite),
    ] {
        if let Some(entry) = table.get(key) {
            *enabled = entry.boolean()?;
        }
    }
    if let Some(entry) = table.get("coord_replace") {
        point.replace = bits(&entry, 7, "numbers of texture coordinate sets, 0 to 7, in brackets")?;
    }
    Ok(())
}

fn alpha_test(table: &Table<'_>) -> Result<(CompareFunc, f32), SceneError> {
    table.only(&["func", "ref"])?;
    let func = match table.get("func") {
        Some(entry) => entry.choice(&COMPARISONS)?,
        None => CompareFunc::Always,
    };
    let reference = match table.get("ref") {
        Some(entry) => entry.unit_interval()?,
        None => 0.0,
    };
    Ok((func, reference))
}

/// One table for both faces, or `front` and `back`.
fn stencil(entry: &Entry<'_>) -> Result<Stencil, SceneError> {
    let table = entry.table("in stencil")?;
    if table.get("front").is_none() && table.get("back").is_none() {
        let both = stencil_face(&table)?;
        return Ok(Stencil { front: both, back: both });
    }
    table.only(&["front", "back"])?;
    let face = |key: &str, place| match table.get(key) {
        Some(entry) => stencil_face(&entry.table(place)?),
        None => Ok(StencilFace::DEFAULT),
    };
    Ok(Stencil { front: face("front", "in stencil.front")?, back: face("back", "in stencil.back")? })
}

fn stencil_face(table: &Table<'_>) -> Result<StencilFace, SceneError> {
    table.only(&["func", "ref", "read_mask", "write_mask", "fail", "depth_fail", "pass"])?;
    let mut face = StencilFace::DEFAULT;
    if let Some(entry) = table.get("func") {
        face.func = entry.choice(&COMPARISONS)?;
    }
    for (key, byte) in [
        ("ref", &mut face.reference),
        ("read_mask", &mut face.read_mask),
        ("write_mask", &mut face.write_mask),
    ] {
        if let Some(entry) = table.get(key) {
            *byte = entry.byte()?;
        }
    }
    for (key, operation) in
        [("fail", &mut face.fail), ("depth_fail", &mut face.depth_fail), ("pass", &mut face.pass)]
    {
        if let Some(entry) = table.get(key) {
            *operation = entry.choice(&STENCIL_OPS)?;
        }
    }
    Ok(face)
}

fn blend(table: &Table<'_>) -> Result<Blend, SceneError> {
    table.only(&["equation", "src", "dst", "src_alpha", "dst_alpha", "color"])?;
    let factor = |key: &str, default| match table.get(key) {
        Some(entry) => entry.choice(&FACTORS),
        None => Ok(default),
    };
    let rgb = [factor("src", BlendFactor::One)?, factor("dst", BlendFactor::Zero)?];
    let alpha = [factor("src_alpha", rgb[0])?, factor("dst_alpha", rgb[1])?];
    let equation = match table.get("equation") {
        Some(entry) => entry.choice(&EQUATIONS)?,
        None => BlendEquation::Add,
    };
    let color = match table.get("color") {
        Some(entry) => entry.vector()?,
        None => [0.0; 4],
    };
    Ok(Blend { equation, rgb, alpha, color })
}

fn color_mask(entry: &Entry<'_>) -> Result<[bool; 4], SceneError> {
    const WANTED: &str = "4 values true or false in brackets: red, green, blue, alpha";
    let values = entry.array(4..=4, WANTED)?;
    let mut mask = [true; 4];
    for (out, value) in mask.iter_mut().zip(values) {
        *out = value.as_bool().ok_or_else(|| entry.wrong(WANTED, value))?;
    }
    Ok(mask)
}
