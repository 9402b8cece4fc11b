//! What a draw fixes, lights, materials and fog, in the text of `scene.toml`.

use super::values::{
    component, components, drop_empty, find_or_add, inline, inline_table, integer, list, number, numbers,
    set, set_or_remove, table, tables, whole,
};
use crate::scene::{Component, LightingSetting, Scene, raster};
use shadestep_engine::gl::{Coordinate, LightColor, LightNumber, MaterialColor};
use shadestep_engine::ir::TexGenSpace;
use shadestep_engine::pipeline::{
    Blend, CompareFunc, CullFace, FrontFace, LogicOp, PolygonMode, RasterState, Samples, ShadeModel, Stencil,
    StencilFace,
};
use std::mem::discriminant;
use toml_edit::{DocumentMut, TableLike, Value};

/// One thing that a draw fixes, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StateSetting {
    /// Clip distances that are enabled, bit 0 for the first.
    ClipDistances(u8),
    /// Culling.
    Cull(Option<CullFace>),
    /// Which way round is the front.
    FrontFace(FrontFace),
    /// Polygon modes of front and back.
    PolygonMode([PolygonMode; 2]),
    /// Flat or smooth colours.
    ShadeModel(ShadeModel),
    /// Back colours for back faces.
    TwoSide(bool),
    /// Point size in pixels.
    PointSize(f32),
    /// Point sizes come from the program.
    ProgramPointSize(bool),
    /// Points are sprites.
    PointSprite(bool),
    /// Line width in pixels.
    LineWidth(f32),
    /// The depth test.
    DepthTest(Option<CompareFunc>),
    /// Whether depths are written.
    DepthWrite(bool),
    /// The alpha test: function and reference.
    AlphaTest(Option<(CompareFunc, f32)>),
    /// The stencil test.
    Stencil(Option<Stencil>),
    /// Blending.
    Blend(Option<Blend>),
    /// The logical operation on colours.
    LogicOp(Option<LogicOp>),
    /// Samples of a pixel.
    Samples(Samples),
    /// Alpha decides how many samples are covered.
    AlphaToCoverage(bool),
    /// Primitives are given up before they are rasterised.
    Discard(bool),
}

impl StateSetting {
    /// The same thing as it is in `state`.
    #[must_use]
    pub fn of(&self, state: &RasterState) -> Self {
        match self {
            Self::ClipDistances(_) => Self::ClipDistances(state.clip_distances),
            Self::Cull(_) => Self::Cull(state.cull),
            Self::FrontFace(_) => Self::FrontFace(state.front_face),
            Self::PolygonMode(_) => Self::PolygonMode(state.polygon_mode),
            Self::ShadeModel(_) => Self::ShadeModel(state.shade_model),
            Self::TwoSide(_) => Self::TwoSide(state.two_side),
            Self::PointSize(_) => Self::PointSize(state.point.size),
            Self::ProgramPointSize(_) => Self::ProgramPointSize(state.point.from_program),
            Self::PointSprite(_) => Self::PointSprite(state.point.sprite),
            Self::LineWidth(_) => Self::LineWidth(state.line_width),
            Self::DepthTest(_) => Self::DepthTest(state.depth.test),
            Self::DepthWrite(_) => Self::DepthWrite(state.depth.write),
            Self::AlphaTest(_) => Self::AlphaTest(state.alpha_test),
            Self::Stencil(_) => Self::Stencil(state.stencil),
            Self::Blend(_) => Self::Blend(state.blend),
            Self::LogicOp(_) => Self::LogicOp(state.logic_op),
            Self::Samples(_) => Self::Samples(state.multisample.samples),
            Self::AlphaToCoverage(_) => Self::AlphaToCoverage(state.multisample.alpha_to_coverage),
            Self::Discard(_) => Self::Discard(state.discard),
        }
    }

    /// Whether both are about the same thing.
    pub fn is_about(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other)
    }
}

pub(super) fn set_state(document: &mut DocumentMut, setting: &StateSetting) -> Option<()> {
    let (section, key, value) = written(setting)?;
    set_or_remove(table(document.as_table_mut(), section)?, key, value);
    drop_empty(document.as_table_mut(), section);
    Some(())
}

/// The table and key of a setting with its value; without one where the key says nothing then.
fn written(setting: &StateSetting) -> Option<(&'static str, &'static str, Option<Value>)> {
    let state = |key, value: Value| Some(("state", key, Some(value)));
    match *setting {
        StateSetting::ClipDistances(bits) => {
            let on = (0..6).filter(|plane| bits >> plane & 1 != 0);
            state("clip_distances", list(on.map(whole)))
        }
        StateSetting::Cull(face) => state("cull", raster::name(&raster::CULL_FACES, face)?.into()),
        StateSetting::FrontFace(face) => {
            state("front_face", raster::name(&raster::FRONT_FACES, face)?.into())
        }
        StateSetting::PolygonMode(modes) => {
            let [front, back] = modes.map(|mode| raster::name(&raster::POLYGON_MODES, mode));
            let (front, back) = (front?, back?);
            let both = front == back;
            state("polygon_mode", if both { front.into() } else { list([front.into(), back.into()]) })
        }
        StateSetting::ShadeModel(model) => {
            state("shade_model", raster::name(&raster::SHADE_MODELS, model)?.into())
        }
        StateSetting::TwoSide(on) => state("two_side", on.into()),
        StateSetting::Discard(on) => state("rasterizer_discard", on.into()),
        StateSetting::PointSize(size) => state("point_size", number(size)),
        StateSetting::ProgramPointSize(on) => state("program_point_size", on.into()),
        StateSetting::PointSprite(on) => state("point_sprite", on.into()),
        StateSetting::LineWidth(width) => state("line_width", number(width)),
        StateSetting::DepthTest(test) => {
            Some(("depth", "func", Some(raster::name(&raster::DEPTH_TESTS, test)?.into())))
        }
        StateSetting::DepthWrite(on) => Some(("depth", "write", Some(on.into()))),
        StateSetting::AlphaTest(test) => {
            let test = test
                .map(|(func, reference)| inline([("func", func.name().into()), ("ref", number(reference))]));
            Some(("state", "alpha_test", test))
        }
        StateSetting::Stencil(test) => Some(("state", "stencil", test.map(stencil))),
        StateSetting::Blend(blended) => Some(("state", "blend", blended.map(blend))),
        StateSetting::LogicOp(operation) => {
            state("logic_op", raster::name(&raster::LOGIC_OPS, operation)?.into())
        }
        StateSetting::Samples(samples) => state("samples", whole(samples.count() as u32)),
        StateSetting::AlphaToCoverage(on) => state("alpha_to_coverage", on.into()),
    }
}

fn stencil(test: Stencil) -> Value {
    if test.front == test.back {
        stencil_face(&test.front)
    } else {
        inline([("front", stencil_face(&test.front)), ("back", stencil_face(&test.back))])
    }
}

fn stencil_face(face: &StencilFace) -> Value {
    let operation = |operation| raster::name(&raster::STENCIL_OPS, operation).unwrap_or("KEEP").into();
    inline([
        ("func", face.func.name().into()),
        ("ref", whole(face.reference.into())),
        ("read_mask", whole(face.read_mask.into())),
        ("write_mask", whole(face.write_mask.into())),
        ("fail", operation(face.fail)),
        ("depth_fail", operation(face.depth_fail)),
        ("pass", operation(face.pass)),
    ])
}

fn blend(blend: Blend) -> Value {
    let factor = |factor| Value::from(raster::name(&raster::FACTORS, factor).unwrap_or("ONE"));
    let equation = raster::name(&raster::EQUATIONS, blend.equation).unwrap_or("FUNC_ADD");
    let mut entries = vec![("src", factor(blend.rgb[0])), ("dst", factor(blend.rgb[1]))];
    if blend.alpha != blend.rgb {
        entries.extend([("src_alpha", factor(blend.alpha[0])), ("dst_alpha", factor(blend.alpha[1]))]);
    }
    entries.push(("equation", equation.into()));
    if blend.color != [0.0; 4] {
        entries.push(("color", numbers(&blend.color)));
    }
    inline(entries)
}

const COORDINATES: [(Coordinate, &str); 4] =
    [(Coordinate::S, "s"), (Coordinate::T, "t"), (Coordinate::R, "r"), (Coordinate::Q, "q")];

/// The key of a plane of `[[texgen]]`.
fn plane_key(coordinate: Coordinate, space: TexGenSpace) -> String {
    let space = if space == TexGenSpace::Eye { "eye" } else { "object" };
    format!("{space}_{}", raster::name(&COORDINATES, coordinate).unwrap_or("s"))
}

const fn material_key(color: MaterialColor) -> Option<&'static str> {
    match color {
        MaterialColor::Ambient => Some("ambient"),
        MaterialColor::Diffuse => Some("diffuse"),
        MaterialColor::Specular => Some("specular"),
        MaterialColor::Emission => Some("emission"),
        MaterialColor::AmbientAndDiffuse => None,
    }
}

const fn light_color_key(color: LightColor) -> &'static str {
    match color {
        LightColor::Ambient => "ambient",
        LightColor::Diffuse => "diffuse",
        LightColor::Specular => "specular",
    }
}

/// Where in the TOML text a setting stands: a table of the root or one of an array of tables, perhaps a table in it, and
/// keys with their values.
struct TomlPath {
    section: Section,
    inner: Option<&'static str>,
    entries: Vec<(String, Value)>,
}

enum Section {
    Table(&'static str),
    /// The table `[[name]]` whose `key` is `number`; where it does not say, its place among them is, or 0.
    Numbered {
        name: &'static str,
        key: &'static str,
        number: u8,
        by_place: ByPlace,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByPlace {
    Yes,
    No,
}

impl Section {
    fn light(number: u8) -> Self {
        Self::Numbered { name: "light", key: "number", number, by_place: ByPlace::Yes }
    }

    fn of_unit(name: &'static str, number: u8) -> Self {
        Self::Numbered { name, key: "unit", number, by_place: ByPlace::No }
    }
}

fn place(scene: &Scene, setting: &LightingSetting) -> Option<TomlPath> {
    let at = |section, key: &str, value| {
        Some(TomlPath { section, inner: None, entries: vec![(key.to_owned(), value)] })
    };
    let in_face = |face: CullFace, key: &str, value| {
        let inner = match face {
            CullFace::Front => Some("front"),
            CullFace::Back => Some("back"),
            CullFace::FrontAndBack => None,
        };
        Some(TomlPath { section: Section::Table("material"), inner, entries: vec![(key.to_owned(), value)] })
    };
    let fog = |entries: Vec<(String, Value)>| {
        Some(TomlPath { section: Section::Table("state"), inner: Some("fog"), entries })
    };
    match *setting {
        LightingSetting::ModelAmbient(v) => at(Section::Table("lighting"), "ambient", components(&v)),
        LightingSetting::Material(face, color, v) => in_face(face, material_key(color)?, components(&v)),
        LightingSetting::Shininess(face, v) => in_face(face, "shininess", component(v)),
        LightingSetting::Light(n, color, v) => at(Section::light(n), light_color_key(color), components(&v)),
        LightingSetting::LightPosition(n, v) => at(Section::light(n), "position", components(&v)),
        LightingSetting::SpotDirection(n, v) => at(Section::light(n), "spot_direction", components(&v[..3])),
        LightingSetting::LightNumber(n, LightNumber::SpotExponent, v) => {
            at(Section::light(n), "spot_exponent", component(v))
        }
        LightingSetting::LightNumber(n, LightNumber::SpotCutoff, v) => {
            at(Section::light(n), "spot_cutoff", component(v))
        }
        LightingSetting::LightNumber(n, factor, v) => {
            at(Section::light(n), "attenuation", components(&attenuation(scene, n, factor, v)))
        }
        LightingSetting::TexGen(unit, coordinate, space, v) => {
            at(Section::of_unit("texgen", unit), &plane_key(coordinate, space), components(&v))
        }
        LightingSetting::TexEnvColor(unit, v) => {
            at(Section::of_unit("texenv", unit), "color", components(&v))
        }
        LightingSetting::ClipPlane(number, v) => {
            let section =
                Section::Numbered { name: "clip_plane", key: "number", number, by_place: ByPlace::Yes };
            at(section, "plane", components(&v))
        }
        LightingSetting::PointAttenuation(v) => {
            at(Section::Table("point"), "attenuation", components(&v[..3]))
        }
        LightingSetting::FogColor(v) => fog(vec![("color".to_owned(), components(&v))]),
        LightingSetting::FogDensity(v) => fog(vec![("density".to_owned(), component(v))]),
        LightingSetting::FogRange(v) => {
            fog(vec![("start".to_owned(), component(v[0])), ("end".to_owned(), component(v[1]))])
        }
    }
}

/// The three factors of a light with one of them set.
fn attenuation(scene: &Scene, light: u8, factor: LightNumber, value: Component) -> [Component; 3] {
    let [zero, one] = [0.0, 1.0].map(Component::Constant);
    let factors = [
        (LightNumber::ConstantAttenuation, one),
        (LightNumber::LinearAttenuation, zero),
        (LightNumber::QuadraticAttenuation, zero),
    ];
    factors.map(|(which, initial)| {
        if which == factor {
            return value;
        }
        let about = LightingSetting::LightNumber(light, which, initial);
        let set = scene.lighting.iter().rev().find(|setting| setting.is_about(&about));
        set.map_or(initial, |setting| setting.components()[0])
    })
}

/// The table of `section`, made where there is none.
fn find<'d>(document: &'d mut DocumentMut, section: &Section) -> Option<&'d mut dyn TableLike> {
    match *section {
        Section::Table(name) => table(document.as_table_mut(), name),
        Section::Numbered { name, key, number, by_place } => {
            let is_it = |index: usize, table: &toml_edit::Table| {
                let by_place = if by_place == ByPlace::Yes { index as i64 } else { 0 };
                integer(table, key).unwrap_or(by_place) == i64::from(number)
            };
            let new = |table: &mut toml_edit::Table| set(table, key, whole(number.into()));
            Some(find_or_add(tables(document, name)?, is_it, new)?)
        }
    }
}

pub(super) fn set_lighting(
    document: &mut DocumentMut,
    scene: &Scene,
    setting: &LightingSetting,
) -> Option<()> {
    let TomlPath { section, inner, entries } = place(scene, setting)?;
    let mut table_found = find(document, &section)?;
    if let Some(key) = inner {
        let new = table_found.get(key).is_none();
        table_found = match key {
            "fog" => inline_table(table_found, key)?,
            _ => table(table_found, key)?,
        };
        // The colour of fog alone does not turn fog on.
        if key == "fog" && new {
            set(table_found, "mode", "OFF".into());
        }
    }
    for (key, value) in entries {
        set(table_found, &key, value);
    }
    Some(())
}

pub(super) fn remove_lighting(
    document: &mut DocumentMut,
    scene: &Scene,
    setting: &LightingSetting,
) -> Option<()> {
    let TomlPath { section, inner, entries } = place(scene, setting)?;
    let found = find(document, &section)?;
    let keys = || entries.iter().map(|(key, _)| key);
    match inner {
        Some(key) => {
            if let Some(inner) = found.get_mut(key).and_then(toml_edit::Item::as_table_like_mut) {
                for key in keys() {
                    inner.remove(key);
                }
                if inner.len() == 1 && inner.get("mode").and_then(|mode| mode.as_str()) == Some("OFF") {
                    inner.remove("mode");
                }
            }
            drop_empty(found, key);
        }
        None => {
            for key in keys() {
                found.remove(key);
            }
        }
    }
    match section {
        Section::Table(name) => drop_empty(document.as_table_mut(), name),
        Section::Numbered { name, key, .. } => {
            // Tables without a number count by their place: only the last can go without moving others.
            let written = tables(document, name)?;
            while written.iter().last().is_some_and(|table| table.iter().all(|(other, _)| other == key)) {
                written.remove(written.len() - 1);
            }
            drop_empty(document.as_table_mut(), name);
        }
    }
    Some(())
}
