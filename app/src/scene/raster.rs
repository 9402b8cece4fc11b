//! `[state]` and `[depth]` of `scene.toml`: the fixed-function state of a draw, by the GL's names. `lighting`
//! reads `fog`.

use super::SceneError;
use super::lighting::{FOG, Lighting};
use super::read::Entry;
use super::schema::{Bits, Flag, Floats, Kind, Number, OneOf, Schema, Shape, Sub, Whole, schema};
use super::write::values::{list, whole};
use shadestep_engine::pipeline::{
    Blend, BlendEquation, BlendFactor, CompareFunc, CullFace, FrontFace, LogicOp, PolygonMode, PolygonOffset,
    RasterState, Rect, SampleCoverage, Samples, ShadeModel, Stencil, StencilFace, StencilOp,
};
use toml_edit::Value;

/// Limit on the coordinates and sides of `viewport` and `scissor`.
const MAX_COORDINATE: i32 = 1 << 20;

/// The values of an enum with their names, preceded by the name for no value.
macro_rules! optional {
    ($values:ident, $none:expr) => {{
        let mut choices = [(None, $none); $values::ALL.len() + 1];
        let mut i = 0;
        while i < $values::ALL.len() {
            choices[i + 1] = (Some($values::ALL[i]), $values::ALL[i].name());
            i += 1;
        }
        choices
    }};
}

/// The functions of the alpha and stencil tests.
const COMPARISONS: OneOf<CompareFunc> = OneOf(&CompareFunc::NAMED);

const STENCIL_OP: OneOf<StencilOp> = OneOf(&StencilOp::NAMED);

/// The factors of sources and destinations.
const FACTOR: OneOf<BlendFactor> = OneOf(&BlendFactor::NAMED);

const MODE: OneOf<PolygonMode> = OneOf(&PolygonMode::NAMED);

pub(crate) const DEPTH_TESTS: [(Option<CompareFunc>, &str); 9] = comparisons("OFF");

/// The comparison functions, preceded by the name for no comparison.
pub(super) const fn comparisons(none: &'static str) -> [(Option<CompareFunc>, &'static str); 9] {
    optional!(CompareFunc, none)
}

pub(crate) const LOGIC_OPS: [(Option<LogicOp>, &str); 17] = optional!(LogicOp, "OFF");

pub(crate) const CULL_FACES: [(Option<CullFace>, &str); 4] = optional!(CullFace, "OFF");

/// `[depth]`.
pub(super) static DEPTH: Schema<RasterState> = schema! { RasterState, "in [depth]";
    "func": OneOf(&DEPTH_TESTS), [depth.test], "`\"LESS\"` for meshes, `\"OFF\"` for the viewport quad",
        "The depth test.";
    "write": Flag, [depth.write], "`true`", "Writes depths that pass.";
    "clamp": Flag, [depth.clamp], "`false`", "Clamps depths to the range instead of clipping and discarding.";
    "range": Floats::<2>(Number::Unit), [depth.range], "`[0, 1]`", "Depth range.";
};

/// `[state]`.
pub(super) static STATE: Schema<RasterState> = schema! { RasterState, "in [state]";
    "viewport": Rectangle, [some viewport], "the whole picture", "x, y, width, height.";
    "scissor": Rectangle, [some scissor], "off", "x, y, width, height of the scissor test.";
    "clip_distances": Bits("numbers of clip distances"), [clip_distances], "`[]`",
        "Clip distances (`CLIP_PLANE0` to `7`) that are enabled.";
    "two_side": Flag, [two_side], "`false`", "`VERTEX_PROGRAM_TWO_SIDE`: back faces have their own colours.";
    "rasterizer_discard": Flag, [discard], "`false`", "Draws nothing. Use it with `[[feedback]]`.";
    "front_face": OneOf(&FrontFace::NAMED), [front_face], "`\"CCW\"`", "Winding of front faces.";
    "cull": OneOf(&CULL_FACES), [cull], "`\"OFF\"`", "Faces that are not drawn.";
    "polygon_mode": PolygonModes, [polygon_mode], "`\"FILL\"`",
        "How polygons are drawn: one mode, or those of front and back.";
    "polygon_offset": Sub(&POLYGON_OFFSET, || PolygonOffset { fill: true, ..PolygonOffset::default() }), [offset],
        "off", "Moves the depths of polygons.";
    "shade_model": OneOf(&ShadeModel::NAMED), [shade_model], "`\"SMOOTH\"`", "How colours vary over a primitive.";
    "line_width": Number::Positive, [line_width], "`1`", "Width of lines, in pixels.";
    "point_size": Number::Positive, [point.size], "`1`", "Size of points, in pixels.";
    "program_point_size": Flag, [point.from_program], "`false`",
        "`VERTEX_PROGRAM_POINT_SIZE`: the program sets the size.";
    "point_smooth": Flag, [point.smooth], "`false`", "Round points.";
    "point_sprite": Flag, [point.sprite], "`false`", "Point sprites.";
    "coord_replace": Bits("numbers of texture coordinate sets"), [point.replace], "`[]`",
        "Texture coordinate sets that run across point sprites.";
    "alpha_test": Sub(&ALPHA_TEST, || (CompareFunc::Always, 0.0)), [some alpha_test], "off",
        "Discards fragments by their alpha.";
    "stencil": StencilFaces, [some stencil], "off", "The stencil test.";
    "blend": Sub(&BLEND, || Blend {
        equation: BlendEquation::Add,
        rgb: [BlendFactor::One, BlendFactor::Zero],
        alpha: [BlendFactor::One, BlendFactor::Zero],
        color: [0.0; 4],
    }), [some blend], "off", "Blends colours with the stored ones.";
    "logic_op": OneOf(&LOGIC_OPS), [logic_op], "`\"OFF\"`",
        "Combines the bits of colours with the stored ones.";
    "color_mask": ColorMask, [color_mask], "all `true`", "Components that are written.";
    "samples": SampleCount, [multisample.samples], "`1`",
        "Samples of a pixel. `multisample`, `alpha_to_*` and `sample_*` need more than one.";
    "multisample": Flag, [multisample.enabled], "`true`", "`false` lets primitives cover whole pixels.";
    "alpha_to_coverage": Flag, [multisample.alpha_to_coverage], "`false`", "Turns alpha into coverage.";
    "alpha_to_one": Flag, [multisample.alpha_to_one], "`false`", "Sets alpha to 1.";
    "sample_coverage": Sub(&SAMPLE_COVERAGE, || SampleCoverage { value: 1.0, invert: false }),
        [some multisample.coverage], "off", "Limits coverage to a part of the samples.";
    "sample_mask": Whole::<u32>::new(0, 0xFFFF), [some multisample.mask], "off", "Bit n enables sample n.";
    "sample_shading": Number::Unit, [some multisample.shading], "off",
        "`MIN_SAMPLE_SHADING_VALUE`. Above 1 / samples the program runs once for each sample.";
    "fog": Sub(&FOG, || Lighting::of_number(0)), [-], "off",
        "Fog for draws without a fragment program, and `state.fog`.";
};

static POLYGON_OFFSET: Schema<PolygonOffset> = schema! { PolygonOffset, "in polygon_offset";
    "factor": Number::Any, [factor], "`0`", "Scales the slope of the polygon.";
    "units": Number::Any, [units], "`0`", "Scales the smallest step of depth.";
    "fill": Flag, [fill], "`true`", "For filled polygons.";
    "line": Flag, [line], "`false`", "For polygons drawn as lines.";
    "point": Flag, [point], "`false`", "For polygons drawn as points.";
};

static ALPHA_TEST: Schema<(CompareFunc, f32)> = schema! { (CompareFunc, f32), "in alpha_test";
    "func": COMPARISONS, [|t| Some(t.0), |t, func| t.0 = func], "`\"ALWAYS\"`", "When fragments pass.";
    "ref": Number::Unit, [|t| Some(t.1), |t, reference| t.1 = reference], "`0`",
        "Value that alpha is compared with.";
};

static SAMPLE_COVERAGE: Schema<SampleCoverage> = schema! { SampleCoverage, "in sample_coverage";
    "value": Number::Unit, [value], "`1`", "Fraction of the samples that are covered.";
    "invert": Flag, [invert], "`false`", "Covers the other samples instead.";
};

static BLEND: Schema<Blend> = schema! { Blend, "in blend";
    "src": FACTOR, [|t| Some(t.rgb[0]), |t, factor| (t.rgb[0], t.alpha[0]) = (factor, factor)],
        "`\"ONE\"`", "Factor of the fragment's colour.";
    "dst": FACTOR, [|t| Some(t.rgb[1]), |t, factor| (t.rgb[1], t.alpha[1]) = (factor, factor)],
        "`\"ZERO\"`", "Factor of the stored colour.";
    "src_alpha": FACTOR, [|t| (t.alpha != t.rgb).then_some(t.alpha[0]), |t, factor| t.alpha[0] = factor],
        "`src`", "Factor of the fragment's alpha.";
    "dst_alpha": FACTOR, [|t| (t.alpha != t.rgb).then_some(t.alpha[1]), |t, factor| t.alpha[1] = factor],
        "`dst`", "Factor of the stored alpha.";
    "equation": OneOf(&BlendEquation::NAMED), [equation], "`\"FUNC_ADD\"`", "How the two products are combined.";
    "color": Floats::<4>(Number::Any), [|t| (t.color != [0.0; 4]).then_some(t.color), |t, color| t.color = color],
        "`[0, 0, 0, 0]`", "The constant colour.";
};

macro_rules! stencil_face {
    ($place:literal) => {
        schema! { StencilFace, $place;
            "func": COMPARISONS, [func], "`\"ALWAYS\"`", "When fragments pass.";
            "ref": Whole::<u8>::new(0, 255), [reference], "`0`", "Reference value.";
            "read_mask": Whole::<u8>::new(0, 255), [read_mask], "`255`", "Bits that are compared.";
            "write_mask": Whole::<u8>::new(0, 255), [write_mask], "`255`", "Bits that are written.";
            "fail": STENCIL_OP, [fail], "`\"KEEP\"`", "Operation if the stencil test fails.";
            "depth_fail": STENCIL_OP, [depth_fail], "`\"KEEP\"`",
                "Operation if the depth test fails.";
            "pass": STENCIL_OP, [pass], "`\"KEEP\"`", "Operation if both pass.";
        }
    };
}

static BOTH_FACES: Schema<StencilFace> = stencil_face!("in stencil");
static FRONT_FACE: Schema<StencilFace> = stencil_face!("in stencil.front");
static BACK_FACE: Schema<StencilFace> = stencil_face!("in stencil.back");

static EACH_FACE: Schema<Stencil> = schema! { Stencil, "in stencil";
    "front": Sub(&FRONT_FACE, || StencilFace::DEFAULT), [front], "the defaults",
        "The keys of `stencil`, for front faces.";
    "back": Sub(&BACK_FACE, || StencilFace::DEFAULT), [back], "the defaults",
        "The keys of `stencil`, for back faces.";
};

/// The numbers of samples per pixel, with their names in lists.
pub(crate) const SAMPLES: [(Samples, &str); 5] = [
    (Samples::One, "1"),
    (Samples::Two, "2"),
    (Samples::Four, "4"),
    (Samples::Eight, "8"),
    (Samples::Sixteen, "16"),
];

/// The stencil test: one table for both faces, or `front` and `back`.
struct StencilFaces;

impl Kind for StencilFaces {
    type Value = Stencil;

    fn read(&self, entry: &Entry<'_>) -> Result<Stencil, SceneError> {
        let (mut both, table) = (StencilFace::DEFAULT, entry.table("in stencil")?);
        if table.get("front").is_none() && table.get("back").is_none() {
            BOTH_FACES.read(&table, &mut both)?;
        }
        let mut test = Stencil { front: both, back: both };
        if table.get("front").is_some() || table.get("back").is_some() {
            EACH_FACE.read(&table, &mut test)?;
        }
        Ok(test)
    }

    fn write(&self, test: &Stencil) -> Option<Value> {
        Some(if test.front == test.back { BOTH_FACES.inline(&test.front) } else { EACH_FACE.inline(test) })
    }

    fn shape(&self) -> Shape {
        let mut shape = BOTH_FACES.shape();
        shape.keys.extend(EACH_FACE.shape().keys);
        Shape::Table(shape)
    }
}

/// x, y, width, height; the sides are not negative.
struct Rectangle;

impl Kind for Rectangle {
    type Value = Rect;

    fn read(&self, entry: &Entry<'_>) -> Result<Rect, SceneError> {
        let values = entry.array(4..=4, "4 whole numbers in brackets: x, y, width, height")?;
        let mut rect = [0; 4];
        for (index, (out, value)) in rect.iter_mut().zip(values).enumerate() {
            let least = if index < 2 { -MAX_COORDINATE } else { 0 };
            *out = entry.integer_of(value, &(least..=MAX_COORDINATE))?;
        }
        Ok(rect)
    }

    fn write(&self, rect: &Rect) -> Option<Value> {
        Some(list(rect.map(|side| i64::from(side).into())))
    }

    fn shape(&self) -> Shape {
        let (least, most) = (-MAX_COORDINATE, MAX_COORDINATE);
        Shape::Whole(least.into(), most.into()).array(4, 4)
    }
}

/// One mode for both faces, or front and back.
struct PolygonModes;

impl Kind for PolygonModes {
    type Value = [PolygonMode; 2];

    fn read(&self, entry: &Entry<'_>) -> Result<[PolygonMode; 2], SceneError> {
        if let Some(both) = entry.value.as_str() {
            return Ok([entry.choice_of(both, &PolygonMode::NAMED)?; 2]);
        }
        let words = entry.strings(2..=2, "a mode, or the modes of front and back in brackets")?;
        Ok([entry.choice_of(words[0], &PolygonMode::NAMED)?, entry.choice_of(words[1], &PolygonMode::NAMED)?])
    }

    fn write(&self, modes: &[PolygonMode; 2]) -> Option<Value> {
        let [front, back] = modes.map(|mode| MODE.write(&mode));
        if modes[0] == modes[1] { front } else { Some(list([front?, back?])) }
    }

    fn shape(&self) -> Shape {
        MODE.shape().or_array(2, 2)
    }
}

struct ColorMask;

impl Kind for ColorMask {
    type Value = [bool; 4];

    fn read(&self, entry: &Entry<'_>) -> Result<[bool; 4], SceneError> {
        const WANTED: &str = "4 values true or false in brackets: red, green, blue, alpha";
        let mut mask = [true; 4];
        for (out, value) in mask.iter_mut().zip(entry.array(4..=4, WANTED)?) {
            *out = value.as_bool().ok_or_else(|| entry.wrong(WANTED, value))?;
        }
        Ok(mask)
    }

    fn write(&self, mask: &[bool; 4]) -> Option<Value> {
        Some(list(mask.map(Value::from)))
    }

    fn shape(&self) -> Shape {
        Shape::Flag.array(4, 4)
    }
}

struct SampleCount;

impl Kind for SampleCount {
    type Value = Samples;

    fn read(&self, entry: &Entry<'_>) -> Result<Samples, SceneError> {
        let samples = Samples::from_count(entry.integer(1..=Samples::MAX as u32)?);
        samples.ok_or_else(|| entry.error("\"samples\" must be 1, 2, 4, 8 or 16"))
    }

    fn write(&self, samples: &Samples) -> Option<Value> {
        Some(whole(samples.count() as u32))
    }

    fn shape(&self) -> Shape {
        Shape::Whole(1, Samples::MAX as i64).called("1, 2, 4, 8 or 16")
    }
}
