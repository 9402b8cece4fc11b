//! State that ARB programs bind as `state.material`, `state.light[n]` and so on (ARB_vertex_program tables
//! X.2.2 to X.2.7): `[lighting]`, `[material]`, `[[light]]`, `[[texgen]]`, `[[texenv]]`, `[[clip_plane]]`,
//! `[point]` and `fog` of `[state]`. Each becomes one command to the GL; positions, directions and planes are the world's.

use super::parse::component;
use super::read::{Entry, Table};
use super::{Component, SceneError};
use shadestep_engine::gl::{Coordinate, FogEquation, LightColor, LightNumber, MaterialColor};
use shadestep_engine::ir::limits;
use shadestep_engine::ir::{
    Face, LightProperty, MaterialProperty, ProductProperty, StateVector, TexGenSpace,
};
use shadestep_engine::pipeline::CullFace;

/// Four components, each of which a frame may fill in.
pub type Vector = [Component; 4];

/// One command about lighting and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightingSetting {
    /// Light that comes from nowhere.
    ModelAmbient(Vector),
    /// A colour of a material.
    Material(CullFace, MaterialColor, Vector),
    /// Its specular exponent.
    Shininess(CullFace, Component),
    /// A colour of a light.
    Light(u8, LightColor, Vector),
    /// Where it is, or, with w = 0, in which direction.
    LightPosition(u8, Vector),
    /// Where a spotlight points; w plays no part.
    SpotDirection(u8, Vector),
    /// Another of its numbers.
    LightNumber(u8, LightNumber, Component),
    /// A plane that a texture coordinate is the distance from: of a unit, a coordinate.
    TexGen(u8, Coordinate, TexGenSpace, Vector),
    /// The colour of a unit's texture environment.
    TexEnvColor(u8, Vector),
    /// A clip plane.
    ClipPlane(u8, Vector),
    /// How points shrink with the distance: a, b, c; w plays no part.
    PointAttenuation(Vector),
    /// What fog fades into.
    FogColor(Vector),
    /// How fast, in modes EXP and EXP2.
    FogDensity(Component),
    /// Where linear fog begins and where it hides all; z and w play no part.
    FogRange(Vector),
}

impl LightingSetting {
    /// The components that a frame may fill in.
    pub fn components(&self) -> Vec<Component> {
        let count = self.count();
        let mut setting = *self;
        let value = setting.value_mut();
        match value {
            Value::Vector(vector) => vector[..count].to_vec(),
            Value::Number(number) => vec![*number],
        }
    }

    /// How many of them it has.
    pub const fn count(&self) -> usize {
        match self {
            Self::SpotDirection(..) | Self::PointAttenuation(_) => 3,
            Self::FogRange(_) => 2,
            Self::Shininess(..) | Self::LightNumber(..) | Self::FogDensity(_) => 1,
            Self::ModelAmbient(_)
            | Self::Material(..)
            | Self::Light(..)
            | Self::LightPosition(..)
            | Self::TexGen(..)
            | Self::TexEnvColor(..)
            | Self::ClipPlane(..)
            | Self::FogColor(_) => 4,
        }
    }

    fn value_mut(&mut self) -> Value<'_> {
        match self {
            Self::ModelAmbient(vector)
            | Self::Material(_, _, vector)
            | Self::Light(_, _, vector)
            | Self::LightPosition(_, vector)
            | Self::SpotDirection(_, vector)
            | Self::TexGen(_, _, _, vector)
            | Self::TexEnvColor(_, vector)
            | Self::ClipPlane(_, vector)
            | Self::FogColor(vector)
            | Self::FogRange(vector)
            | Self::PointAttenuation(vector) => Value::Vector(vector),
            Self::Shininess(_, number) | Self::LightNumber(_, _, number) | Self::FogDensity(number) => {
                Value::Number(number)
            }
        }
    }

    /// The same with other components, as [`Self::components`] has them.
    #[must_use]
    pub fn with(&self, components: &[Component]) -> Self {
        let mut setting = *self;
        match setting.value_mut() {
            Value::Vector(vector) => {
                for (out, component) in vector.iter_mut().zip(components) {
                    *out = *component;
                }
            }
            Value::Number(number) => *number = components.first().copied().unwrap_or(*number),
        }
        setting
    }

    /// Whether both are about the same thing.
    pub fn is_about(&self, other: &Self) -> bool {
        let nothing = [Component::Constant(0.0); 4];
        self.with(&nothing) == other.with(&nothing)
    }

    /// Whether this also sets what `other` is about: a material of both faces is that of the front as well.
    pub fn covers(&self, other: &Self) -> bool {
        let of_both = match *other {
            Self::Material(_, color, value) => Self::Material(CullFace::FrontAndBack, color, value),
            Self::Shininess(_, value) => Self::Shininess(CullFace::FrontAndBack, value),
            other => other,
        };
        self.is_about(other) || self.is_about(&of_both)
    }

    /// What it is about, in words.
    pub fn name(&self) -> String {
        let (group, property) = self.title();
        format!("{group} {property}")
    }

    /// The thing that it is a property of, and which.
    pub fn title(&self) -> (String, &'static str) {
        let material = |face: CullFace| match face {
            CullFace::Front => "front material",
            CullFace::Back => "back material",
            CullFace::FrontAndBack => "material",
        };
        let (group, property) = match *self {
            Self::ModelAmbient(_) => ("light model", "ambient"),
            Self::Material(face, color, _) => (
                material(face),
                match color {
                    MaterialColor::Ambient => "ambient",
                    MaterialColor::Diffuse => "diffuse",
                    MaterialColor::AmbientAndDiffuse => "ambient, diffuse",
                    MaterialColor::Specular => "specular",
                    MaterialColor::Emission => "emission",
                },
            ),
            Self::Shininess(face, _) => (material(face), "shininess"),
            Self::FogColor(_) => ("fog", "colour"),
            Self::FogDensity(_) => ("fog", "density"),
            Self::FogRange(_) => ("fog", "start, end"),
            Self::PointAttenuation(_) => ("point", "attenuation"),
            Self::TexEnvColor(unit, _) => return (format!("texture environment {unit}"), "colour"),
            Self::ClipPlane(plane, _) => return (format!("clip plane {plane}"), "plane"),
            Self::TexGen(unit, coordinate, space, _) => {
                let space = if space == TexGenSpace::Eye { "eye" } else { "object" };
                let coordinate = ["s", "t", "r", "q"][coordinate as usize];
                return (format!("{space} planes of unit {unit}"), coordinate);
            }
            Self::Light(light, ..)
            | Self::LightPosition(light, _)
            | Self::SpotDirection(light, _)
            | Self::LightNumber(light, ..) => return (format!("light {light}"), self.light_property()),
        };
        (group.to_owned(), property)
    }

    const fn light_property(&self) -> &'static str {
        match self {
            Self::Light(_, LightColor::Ambient, _) => "ambient",
            Self::Light(_, LightColor::Diffuse, _) => "diffuse",
            Self::Light(_, LightColor::Specular, _) => "specular",
            Self::SpotDirection(..) => "spot direction",
            Self::LightNumber(_, LightNumber::SpotExponent, _) => "spot exponent",
            Self::LightNumber(_, LightNumber::SpotCutoff, _) => "spot cutoff",
            Self::LightNumber(_, LightNumber::ConstantAttenuation, _) => "constant",
            Self::LightNumber(_, LightNumber::LinearAttenuation, _) => "linear",
            Self::LightNumber(_, LightNumber::QuadraticAttenuation, _) => "quadratic",
            Self::LightPosition(..)
            | Self::ModelAmbient(_)
            | Self::Material(..)
            | Self::Shininess(..)
            | Self::TexGen(..)
            | Self::TexEnvColor(..)
            | Self::ClipPlane(..)
            | Self::PointAttenuation(_)
            | Self::FogColor(_)
            | Self::FogDensity(_)
            | Self::FogRange(_) => "position",
        }
    }

    /// Whether its components are a colour.
    pub const fn is_color(&self) -> bool {
        matches!(
            self,
            Self::ModelAmbient(_)
                | Self::Material(..)
                | Self::Light(..)
                | Self::TexEnvColor(..)
                | Self::FogColor(_)
        )
    }

    /// What a program that binds `state` depends on, as the GL has it at first (glspec15 table 6.8 ff.).
    pub fn bound_by(state: StateVector) -> Vec<Self> {
        let vector = |v: [f32; 4]| v.map(Component::Constant);
        let number = Component::Constant;
        let face = |face: Face| if face == Face::Back { CullFace::Back } else { CullFace::Front };
        let (black, white) = ([0.0, 0.0, 0.0, 1.0], [1.0; 4]);
        let material = |side: Face, color: MaterialColor| {
            let initial = match color {
                MaterialColor::Ambient => [0.2, 0.2, 0.2, 1.0],
                MaterialColor::Diffuse | MaterialColor::AmbientAndDiffuse => [0.8, 0.8, 0.8, 1.0],
                MaterialColor::Specular | MaterialColor::Emission => black,
            };
            Self::Material(face(side), color, vector(initial))
        };
        let color = |light: u8, color: LightColor| {
            let bright = light == 0 && color != LightColor::Ambient;
            Self::Light(light, color, vector(if bright { white } else { black }))
        };
        let position = |light: u8| Self::LightPosition(light, vector([0.0, 0.0, 1.0, 0.0]));
        let ambient = Self::ModelAmbient(vector([0.2, 0.2, 0.2, 1.0]));
        match state {
            StateVector::Material { face: side, property } => vec![match property {
                MaterialProperty::Ambient => material(side, MaterialColor::Ambient),
                MaterialProperty::Diffuse => material(side, MaterialColor::Diffuse),
                MaterialProperty::Specular => material(side, MaterialColor::Specular),
                MaterialProperty::Emission => material(side, MaterialColor::Emission),
                MaterialProperty::Shininess => Self::Shininess(face(side), number(0.0)),
            }],
            StateVector::Light { light, property } => match property {
                LightProperty::Ambient => vec![color(light, LightColor::Ambient)],
                LightProperty::Diffuse => vec![color(light, LightColor::Diffuse)],
                LightProperty::Specular => vec![color(light, LightColor::Specular)],
                LightProperty::Position | LightProperty::Half => vec![position(light)],
                LightProperty::Attenuation => vec![
                    Self::LightNumber(light, LightNumber::ConstantAttenuation, number(1.0)),
                    Self::LightNumber(light, LightNumber::LinearAttenuation, number(0.0)),
                    Self::LightNumber(light, LightNumber::QuadraticAttenuation, number(0.0)),
                    Self::LightNumber(light, LightNumber::SpotExponent, number(0.0)),
                ],
                LightProperty::SpotDirection => vec![
                    Self::SpotDirection(light, vector([0.0, 0.0, -1.0, 0.0])),
                    Self::LightNumber(light, LightNumber::SpotCutoff, number(180.0)),
                ],
            },
            StateVector::LightModelAmbient => vec![ambient],
            StateVector::SceneColor { face } => vec![
                ambient,
                material(face, MaterialColor::Ambient),
                material(face, MaterialColor::Diffuse),
                material(face, MaterialColor::Emission),
            ],
            StateVector::LightProduct { light, face, property } => match property {
                ProductProperty::Ambient => {
                    vec![color(light, LightColor::Ambient), material(face, MaterialColor::Ambient)]
                }
                ProductProperty::Diffuse => {
                    vec![color(light, LightColor::Diffuse), material(face, MaterialColor::Diffuse)]
                }
                ProductProperty::Specular => {
                    vec![color(light, LightColor::Specular), material(face, MaterialColor::Specular)]
                }
            },
            StateVector::TexGen { unit, plane } => {
                let coordinates = [Coordinate::S, Coordinate::T, Coordinate::R, Coordinate::Q];
                let coordinate = coordinates[usize::from(plane.coordinate & 3)];
                let initial = match coordinate {
                    Coordinate::S => [1.0, 0.0, 0.0, 0.0],
                    Coordinate::T => [0.0, 1.0, 0.0, 0.0],
                    Coordinate::R | Coordinate::Q => [0.0; 4],
                };
                vec![Self::TexGen(unit, coordinate, plane.space, vector(initial))]
            }
            StateVector::TexEnvColor { unit } => vec![Self::TexEnvColor(unit, vector([0.0; 4]))],
            StateVector::ClipPlane(plane) => vec![Self::ClipPlane(plane, vector([0.0; 4]))],
            StateVector::PointAttenuation => vec![Self::PointAttenuation(vector([1.0, 0.0, 0.0, 0.0]))],
            StateVector::FogColor => vec![Self::FogColor(vector([0.0; 4]))],
            StateVector::FogParams => {
                vec![Self::FogDensity(number(1.0)), Self::FogRange(vector([0.0, 1.0, 0.0, 0.0]))]
            }
            // Point size, depth range and matrices are set elsewhere.
            StateVector::PointSize | StateVector::DepthRange | StateVector::Matrix { .. } => Vec::new(),
        }
    }
}

/// What a setting has.
enum Value<'a> {
    Vector(&'a mut Vector),
    Number(&'a mut Component),
}

/// Lights that there are (`MAX_LIGHTS`).
const LIGHTS: u32 = 8;
/// Units with texture coordinates and environments.
const UNITS: u32 = 8;

const VECTOR: &str = "4 numbers or sources such as \"time\" in brackets";

/// Reads `fog` of `[state]`: colour, density and range go to `settings`, the mode comes back.
fn fog(table: &Table<'_>, settings: &mut Vec<LightingSetting>) -> Result<Option<FogEquation>, SceneError> {
    table.only(&["mode", "start", "end", "density", "color"])?;
    let mode = match table.get("mode") {
        Some(entry) => entry.choice(&[
            (Some(FogEquation::Linear), "LINEAR"),
            (Some(FogEquation::Exp), "EXP"),
            (Some(FogEquation::Exp2), "EXP2"),
            (None, "OFF"),
        ])?,
        None => Some(FogEquation::Exp),
    };
    settings.extend(optional(table, "color", color)?.map(LightingSetting::FogColor));
    let density = optional(table, "density", scalar)?;
    if matches!(density, Some(Component::Constant(density)) if density < 0.0) {
        return Err(table.error_at("density", "\"density\" must not be negative"));
    }
    settings.extend(density.map(LightingSetting::FogDensity));
    let [start, end] = ["start", "end"].map(|key| optional(table, key, scalar));
    if let (start, end) = (start?, end?)
        && (start.is_some() || end.is_some())
    {
        let (nothing, one) = (Component::Constant(0.0), Component::Constant(1.0));
        let range = [start.unwrap_or(nothing), end.unwrap_or(one), nothing, nothing];
        settings.push(LightingSetting::FogRange(range));
    }
    Ok(mode)
}

/// Reads all of the sections, in that order, and the mode of fog where there is any.
pub(super) fn read(root: &Table<'_>) -> Result<(Vec<LightingSetting>, Option<FogEquation>), SceneError> {
    let mut settings = Vec::new();
    if let Some(entry) = root.get("lighting") {
        let table = entry.table("in [lighting]")?;
        table.only(&["ambient"])?;
        settings.extend(optional(&table, "ambient", color)?.map(LightingSetting::ModelAmbient));
    }
    if let Some(entry) = root.get("material") {
        materials(&entry.table("in [material]")?, &mut settings)?;
    }
    if let Some(entry) = root.get("light") {
        let tables = entry.tables("in [[light]]")?;
        for (table, default) in tables.iter().zip(0..) {
            light(table, default, &mut settings)?;
        }
    }
    if let Some(entry) = root.get("texgen") {
        for table in entry.tables("in [[texgen]]")? {
            texgen(&table, &mut settings)?;
        }
    }
    if let Some(entry) = root.get("texenv") {
        for table in entry.tables("in [[texenv]]")? {
            table.only(&["unit", "color"])?;
            let unit = number(&table, "unit", UNITS, 0)?;
            settings.extend(optional(&table, "color", color)?.map(|c| LightingSetting::TexEnvColor(unit, c)));
        }
    }
    if let Some(entry) = root.get("clip_plane") {
        let tables = entry.tables("in [[clip_plane]]")?;
        for (table, default) in tables.iter().zip(0..) {
            table.only(&["number", "plane"])?;
            let plane = number(table, "number", limits::CLIP_PLANES.into(), default)?;
            settings.extend(optional(table, "plane", vector)?.map(|v| LightingSetting::ClipPlane(plane, v)));
        }
    }
    if let Some(entry) = root.get("point") {
        let table = entry.table("in [point]")?;
        table.only(&["attenuation"])?;
        let attenuation = optional(&table, "attenuation", |entry| three(entry, 0.0))?;
        settings.extend(attenuation.map(LightingSetting::PointAttenuation));
    }
    let state = root.get("state").map(|entry| entry.table("in [state]")).transpose()?;
    let mode = match state.as_ref().and_then(|state| state.get("fog")) {
        Some(entry) => fog(&entry.table("in fog")?, &mut settings)?,
        None => None,
    };
    Ok((settings, mode))
}

/// `[material]` for both faces, `[material.front]` and `[material.back]` for one.
fn materials(table: &Table<'_>, settings: &mut Vec<LightingSetting>) -> Result<(), SceneError> {
    table.only(&["ambient", "diffuse", "specular", "emission", "shininess", "front", "back"])?;
    material(table, CullFace::FrontAndBack, settings)?;
    for (key, what, face) in
        [("front", "in [material.front]", CullFace::Front), ("back", "in [material.back]", CullFace::Back)]
    {
        if let Some(entry) = table.get(key) {
            let table = entry.table(what)?;
            table.only(&["ambient", "diffuse", "specular", "emission", "shininess"])?;
            material(&table, face, settings)?;
        }
    }
    Ok(())
}

fn material(
    table: &Table<'_>,
    face: CullFace,
    settings: &mut Vec<LightingSetting>,
) -> Result<(), SceneError> {
    for (key, name) in [
        ("ambient", MaterialColor::Ambient),
        ("diffuse", MaterialColor::Diffuse),
        ("specular", MaterialColor::Specular),
        ("emission", MaterialColor::Emission),
    ] {
        settings.extend(optional(table, key, color)?.map(|c| LightingSetting::Material(face, name, c)));
    }
    settings.extend(optional(table, "shininess", scalar)?.map(|s| LightingSetting::Shininess(face, s)));
    Ok(())
}

/// `[[light]]`, light `default` if it has no number.
fn light(table: &Table<'_>, default: u32, settings: &mut Vec<LightingSetting>) -> Result<(), SceneError> {
    table.only(&[
        "number",
        "ambient",
        "diffuse",
        "specular",
        "position",
        "attenuation",
        "spot_direction",
        "spot_exponent",
        "spot_cutoff",
    ])?;
    let light = number(table, "number", LIGHTS, default)?;
    for (key, name) in [
        ("ambient", LightColor::Ambient),
        ("diffuse", LightColor::Diffuse),
        ("specular", LightColor::Specular),
    ] {
        settings.extend(optional(table, key, color)?.map(|c| LightingSetting::Light(light, name, c)));
    }
    settings.extend(optional(table, "position", vector)?.map(|v| LightingSetting::LightPosition(light, v)));
    let direction = optional(table, "spot_direction", |entry| three(entry, 0.0))?;
    settings.extend(direction.map(|v| LightingSetting::SpotDirection(light, v)));
    for (key, name) in
        [("spot_exponent", LightNumber::SpotExponent), ("spot_cutoff", LightNumber::SpotCutoff)]
    {
        settings.extend(optional(table, key, scalar)?.map(|s| LightingSetting::LightNumber(light, name, s)));
    }
    if let Some([constant, linear, quadratic, _]) = optional(table, "attenuation", |entry| three(entry, 0.0))?
    {
        for (name, value) in [
            (LightNumber::ConstantAttenuation, constant),
            (LightNumber::LinearAttenuation, linear),
            (LightNumber::QuadraticAttenuation, quadratic),
        ] {
            settings.push(LightingSetting::LightNumber(light, name, value));
        }
    }
    Ok(())
}

/// `[[texgen]]` of one unit.
fn texgen(table: &Table<'_>, settings: &mut Vec<LightingSetting>) -> Result<(), SceneError> {
    const KEYS: [(&str, Coordinate, TexGenSpace); 8] = [
        ("eye_s", Coordinate::S, TexGenSpace::Eye),
        ("eye_t", Coordinate::T, TexGenSpace::Eye),
        ("eye_r", Coordinate::R, TexGenSpace::Eye),
        ("eye_q", Coordinate::Q, TexGenSpace::Eye),
        ("object_s", Coordinate::S, TexGenSpace::Object),
        ("object_t", Coordinate::T, TexGenSpace::Object),
        ("object_r", Coordinate::R, TexGenSpace::Object),
        ("object_q", Coordinate::Q, TexGenSpace::Object),
    ];
    let mut known = vec!["unit"];
    known.extend(KEYS.map(|(key, ..)| key));
    table.only(&known)?;
    let unit = number(table, "unit", UNITS, 0)?;
    for (key, coordinate, space) in KEYS {
        let plane = optional(table, key, vector)?;
        settings.extend(plane.map(|v| LightingSetting::TexGen(unit, coordinate, space, v)));
    }
    Ok(())
}

fn optional<T>(
    table: &Table<'_>,
    key: &str,
    read: impl Fn(&Entry<'_>) -> Result<T, SceneError>,
) -> Result<Option<T>, SceneError> {
    table.get(key).map(|entry| read(&entry)).transpose()
}

/// A number below `limit`.
fn number(table: &Table<'_>, key: &str, limit: u32, default: u32) -> Result<u8, SceneError> {
    let found = match table.get(key) {
        Some(entry) => entry.integer(0..=limit - 1)?,
        None if default < limit => default,
        None => return Err(table.error(format!("choose 0 to {}", limit - 1))),
    };
    Ok(u8::try_from(found).unwrap_or(u8::MAX))
}

fn scalar(entry: &Entry<'_>) -> Result<Component, SceneError> {
    component(entry, entry.value, "a number or a source such as \"time\"")
}

fn vector(entry: &Entry<'_>) -> Result<Vector, SceneError> {
    some(entry, 4..=4, VECTOR, 0.0)
}

/// Three or four components; alpha is 1 where it is not written.
fn color(entry: &Entry<'_>) -> Result<Vector, SceneError> {
    some(entry, 3..=4, "3 or 4 numbers or sources such as \"time\" in brackets", 1.0)
}

/// Three components, with `last` behind them.
fn three(entry: &Entry<'_>, last: f32) -> Result<Vector, SceneError> {
    some(entry, 3..=3, "3 numbers or sources such as \"time\" in brackets", last)
}

fn some(
    entry: &Entry<'_>,
    count: std::ops::RangeInclusive<usize>,
    wanted: &str,
    last: f32,
) -> Result<Vector, SceneError> {
    let values = entry.array(count, wanted)?;
    let mut vector = [Component::Constant(last); 4];
    for (out, value) in vector.iter_mut().zip(values) {
        *out = component(entry, value, wanted)?;
    }
    Ok(vector)
}
