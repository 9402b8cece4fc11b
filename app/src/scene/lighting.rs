//! State that ARB programs bind as `state.material`, `state.light[n]` and so on (ARB_vertex_program tables
//! X.2.2 to X.2.7): `[lighting]`, `[material]`, `[[light]]`, `[[texgen]]`, `[[texenv]]`, `[[clip_plane]]`,
//! `[point]` and `fog` of `[state]`. Each setting becomes a command to the GL. Positions, directions and
//! planes are in world space.

use super::read::Table;
use super::schema::{Kind, OneOf, Schema, Shape, Source, Sources, Sub, Whole, schema};
use super::{Component, SceneError};
use shadestep_engine::gl::{Coordinate, FogEquation, LightColor, LightNumber, MaterialColor};
use shadestep_engine::ir::{
    Face, LightProperty, MaterialProperty, ProductProperty, StateVector, TexGenSpace,
};
use shadestep_engine::pipeline::CullFace;

/// Four components, each a number or an automatic source.
pub type Vector = [Component; 4];

/// A variable of the GL's lighting, fog and texture state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightingState {
    /// Ambient light of the scene.
    ModelAmbient,
    /// A colour of a material.
    Material(CullFace, MaterialColor),
    /// The specular exponent of a material.
    Shininess(CullFace),
    /// A colour of a light.
    Light(u8, LightColor),
    /// The position of a light, or its direction if w = 0.
    LightPosition(u8),
    /// The direction of a spotlight; w is unused.
    SpotDirection(u8),
    /// A scalar property of a light.
    LightNumber(u8, LightNumber),
    /// A plane of a unit's texture coordinate.
    TexGen(u8, Coordinate, TexGenSpace),
    /// The colour of a unit's texture environment.
    TexEnvColor(u8),
    /// A clip plane.
    ClipPlane(u8),
    /// Attenuation of point sizes: a, b, c; w is unused.
    PointAttenuation,
    /// Colour of fog.
    FogColor,
    /// Density of fog in modes EXP and EXP2.
    FogDensity,
    /// Start and end of LINEAR fog; z and w are unused.
    FogRange,
}

use LightingState as State;

/// A variable of lighting with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightingSetting {
    /// The variable.
    pub state: LightingState,
    /// The value. Components beyond [`LightingState::count`] are ignored.
    pub value: Vector,
}

/// The names, the size and the initial value of a variable.
struct Facts {
    /// The object that the variable belongs to, and its number if there are several.
    group: &'static str,
    number: Option<u8>,
    property: &'static str,
    /// Number of components.
    count: usize,
    /// The GL's initial value (glspec15 table 6.8 ff.).
    initial: [f32; 4],
}

impl LightingState {
    /// Returns the variable with a value.
    pub const fn with(self, value: Vector) -> LightingSetting {
        LightingSetting { state: self, value }
    }

    /// Number of components.
    pub fn count(self) -> usize {
        self.facts().count
    }

    /// Returns the object that the variable belongs to, and the property.
    pub fn title(self) -> (String, &'static str) {
        let Facts { group, number, property, .. } = self.facts();
        (number.map_or_else(|| group.to_owned(), |number| format!("{group} {number}")), property)
    }

    pub fn name(self) -> String {
        let (group, property) = self.title();
        format!("{group} {property}")
    }

    /// Whether the components are a colour.
    pub const fn is_color(self) -> bool {
        matches!(
            self,
            Self::ModelAmbient | Self::Material(..) | Self::Light(..) | Self::TexEnvColor(_) | Self::FogColor
        )
    }

    /// Returns the variable with the GL's initial value.
    fn initial(self) -> LightingSetting {
        self.with(self.facts().initial.map(Component::Constant))
    }

    fn facts(self) -> Facts {
        const ORIGIN: [f32; 4] = [0.0; 4];
        const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
        const ONE: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
        let material = |face: CullFace| match face {
            CullFace::Front => "front material",
            CullFace::Back => "back material",
            CullFace::FrontAndBack => "material",
        };
        let ((group, number), property, count, initial) = match self {
            Self::ModelAmbient => (("light model", None), "ambient", 4, [0.2, 0.2, 0.2, 1.0]),
            Self::Material(face, color) => {
                let (property, initial) = match color {
                    MaterialColor::Ambient => ("ambient", [0.2, 0.2, 0.2, 1.0]),
                    MaterialColor::Diffuse => ("diffuse", [0.8, 0.8, 0.8, 1.0]),
                    MaterialColor::AmbientAndDiffuse => ("ambient, diffuse", [0.8, 0.8, 0.8, 1.0]),
                    MaterialColor::Specular => ("specular", BLACK),
                    MaterialColor::Emission => ("emission", BLACK),
                };
                ((material(face), None), property, 4, initial)
            }
            Self::Shininess(face) => ((material(face), None), "shininess", 1, ORIGIN),
            Self::FogColor => (("fog", None), "colour", 4, ORIGIN),
            Self::FogDensity => (("fog", None), "density", 1, ONE),
            Self::FogRange => (("fog", None), "start, end", 2, FOG_RANGE),
            Self::PointAttenuation => (("point", None), "attenuation", 3, ONE),
            Self::TexEnvColor(n) => (("texture environment", Some(n)), "colour", 4, ORIGIN),
            Self::ClipPlane(n) => (("clip plane", Some(n)), "plane", 4, ORIGIN),
            Self::TexGen(n, coordinate, space) => {
                let group =
                    if space == TexGenSpace::Eye { "eye planes of unit" } else { "object planes of unit" };
                let (property, initial) = match coordinate {
                    Coordinate::S => ("s", ONE),
                    Coordinate::T => ("t", [0.0, 1.0, 0.0, 0.0]),
                    Coordinate::R => ("r", ORIGIN),
                    Coordinate::Q => ("q", ORIGIN),
                };
                ((group, Some(n)), property, 4, initial)
            }
            Self::Light(n, color) => {
                let bright = if n == 0 { [1.0; 4] } else { BLACK };
                let (property, initial) = match color {
                    LightColor::Ambient => ("ambient", BLACK),
                    LightColor::Diffuse => ("diffuse", bright),
                    LightColor::Specular => ("specular", bright),
                };
                (("light", Some(n)), property, 4, initial)
            }
            Self::LightPosition(n) => (("light", Some(n)), "position", 4, [0.0, 0.0, 1.0, 0.0]),
            Self::SpotDirection(n) => (("light", Some(n)), "spot direction", 3, [0.0, 0.0, -1.0, 0.0]),
            Self::LightNumber(n, number) => {
                let (property, initial) = match number {
                    LightNumber::SpotExponent => ("spot exponent", 0.0),
                    LightNumber::SpotCutoff => ("spot cutoff", 180.0),
                    LightNumber::ConstantAttenuation => ("constant", 1.0),
                    LightNumber::LinearAttenuation => ("linear", 0.0),
                    LightNumber::QuadraticAttenuation => ("quadratic", 0.0),
                };
                (("light", Some(n)), property, 1, [initial, 0.0, 0.0, 0.0])
            }
        };
        Facts { group, number, property, count, initial }
    }

    /// Whether setting this variable also sets `other`. A material of both faces sets both the front and the
    /// back.
    pub fn covers(self, other: Self) -> bool {
        let of_both = match other {
            Self::Material(_, color) => Self::Material(CullFace::FrontAndBack, color),
            Self::Shininess(_) => Self::Shininess(CullFace::FrontAndBack),
            other => other,
        };
        self == other || self == of_both
    }
}

impl LightingSetting {
    /// The components that the variable has.
    pub fn components(&self) -> &[Component] {
        &self.value[..self.state.count()]
    }

    /// Returns the settings that a program reads by binding `state`, with the GL's initial values.
    pub fn bound_by(state: StateVector) -> Vec<Self> {
        let face = |face: Face| if face == Face::Back { CullFace::Back } else { CullFace::Front };
        let material = |side: Face, color: MaterialColor| State::Material(face(side), color);
        let variables = match state {
            StateVector::Material { face: side, property } => vec![match property {
                MaterialProperty::Ambient => material(side, MaterialColor::Ambient),
                MaterialProperty::Diffuse => material(side, MaterialColor::Diffuse),
                MaterialProperty::Specular => material(side, MaterialColor::Specular),
                MaterialProperty::Emission => material(side, MaterialColor::Emission),
                MaterialProperty::Shininess => State::Shininess(face(side)),
            }],
            StateVector::Light { light, property } => match property {
                LightProperty::Ambient => vec![State::Light(light, LightColor::Ambient)],
                LightProperty::Diffuse => vec![State::Light(light, LightColor::Diffuse)],
                LightProperty::Specular => vec![State::Light(light, LightColor::Specular)],
                LightProperty::Position | LightProperty::Half => vec![State::LightPosition(light)],
                LightProperty::Attenuation => vec![
                    State::LightNumber(light, LightNumber::ConstantAttenuation),
                    State::LightNumber(light, LightNumber::LinearAttenuation),
                    State::LightNumber(light, LightNumber::QuadraticAttenuation),
                    State::LightNumber(light, LightNumber::SpotExponent),
                ],
                LightProperty::SpotDirection => {
                    vec![State::SpotDirection(light), State::LightNumber(light, LightNumber::SpotCutoff)]
                }
            },
            StateVector::LightModelAmbient => vec![State::ModelAmbient],
            StateVector::SceneColor { face } => vec![
                State::ModelAmbient,
                material(face, MaterialColor::Ambient),
                material(face, MaterialColor::Diffuse),
                material(face, MaterialColor::Emission),
            ],
            StateVector::LightProduct { light, face, property } => {
                let (color, of_material) = match property {
                    ProductProperty::Ambient => (LightColor::Ambient, MaterialColor::Ambient),
                    ProductProperty::Diffuse => (LightColor::Diffuse, MaterialColor::Diffuse),
                    ProductProperty::Specular => (LightColor::Specular, MaterialColor::Specular),
                };
                vec![State::Light(light, color), material(face, of_material)]
            }
            StateVector::TexGen { unit, plane } => {
                let coordinates = [Coordinate::S, Coordinate::T, Coordinate::R, Coordinate::Q];
                vec![State::TexGen(unit, coordinates[usize::from(plane.coordinate & 3)], plane.space)]
            }
            StateVector::TexEnvColor { unit } => vec![State::TexEnvColor(unit)],
            StateVector::ClipPlane(plane) => vec![State::ClipPlane(plane)],
            StateVector::PointAttenuation => vec![State::PointAttenuation],
            StateVector::FogColor => vec![State::FogColor],
            StateVector::FogParams => vec![State::FogDensity, State::FogRange],
            // Other settings hold point size, depth range and matrices.
            StateVector::PointSize | StateVector::DepthRange | StateVector::Matrix { .. } => Vec::new(),
        };
        variables.into_iter().map(State::initial).collect()
    }
}

/// One of the tables: its settings, and the light, unit, plane or face that they belong to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lighting {
    pub number: u8,
    pub face: CullFace,
    pub mode: Option<FogEquation>,
    pub settings: Vec<LightingSetting>,
}

impl Lighting {
    /// An empty table for a light, unit or plane.
    pub const fn of_number(number: u8) -> Self {
        let mode = Some(FogEquation::Exp);
        Self { number, face: CullFace::FrontAndBack, mode, settings: Vec::new() }
    }

    /// An empty table for a face.
    pub fn of_face(face: CullFace) -> Self {
        Self { face, ..Self::of_number(0) }
    }

    fn get(&self, state: LightingState) -> Option<Vector> {
        self.settings.iter().rev().find(|setting| setting.state == state).map(|setting| setting.value)
    }

    fn insert(&mut self, state: LightingState, value: Vector) {
        self.settings.retain(|setting| setting.state != state);
        self.settings.push(state.with(value));
    }

    /// Sets one component of a variable. If the variable is not set yet, its other components get `initial`.
    fn insert_at(&mut self, state: LightingState, place: usize, value: Vector, initial: [f32; 4]) {
        let mut all = self.get(state).unwrap_or(initial.map(Component::Constant));
        all[place] = value[0];
        self.insert(state, all);
    }
}

const NUMBER: Sources = Sources { least: 1, most: 1, last: 0.0, wanted: Source::PLAIN.0 };
const FOUR: Sources =
    Sources { least: 4, most: 4, last: 0.0, wanted: "4 numbers or sources such as \"time\" in brackets" };
/// A missing alpha is 1.
const COLOR: Color = Color(Sources {
    least: 3,
    most: 4,
    last: 1.0,
    wanted: "3 or 4 numbers or sources such as \"time\" in brackets",
});

/// A colour of three or four components.
struct Color(Sources);

impl Kind for Color {
    type Value = Vector;

    fn read(&self, entry: &super::read::Entry<'_>) -> Result<Vector, SceneError> {
        self.0.read(entry)
    }

    fn write(&self, value: &Vector) -> Option<toml_edit::Value> {
        self.0.write(value)
    }

    fn shape(&self) -> Shape {
        self.0.shape().called("colour")
    }
}

impl Schema<Lighting> {
    /// Returns the number of the table at this place if it has no such key: the place for lights and planes,
    /// 0 for units.
    pub fn number_at(&self, place: usize) -> usize {
        if self.rows[0].name == "number" { place } else { 0 }
    }
}

/// The last light, unit and plane.
const LAST_NUMBER: u32 = 7;
const LAST: Whole<u8> = Whole::new(0, LAST_NUMBER);

pub(super) static MODEL: Schema<Lighting> = schema! { Lighting, "in [lighting]";
    "ambient": COLOR, [at t => State::ModelAmbient], "`[0.2, 0.2, 0.2, 1]`", "`LIGHT_MODEL_AMBIENT`.";
};

macro_rules! material {
    ($place:literal; $($more:tt)*) => {
        schema! { Lighting, $place;
            "ambient": COLOR, [at t => State::Material(t.face, MaterialColor::Ambient)], "`[0.2, 0.2, 0.2, 1]`",
                "Ambient colour.";
            "diffuse": COLOR, [at t => State::Material(t.face, MaterialColor::Diffuse)], "`[0.8, 0.8, 0.8, 1]`",
                "Diffuse colour.";
            "specular": COLOR, [at t => State::Material(t.face, MaterialColor::Specular)], "`[0, 0, 0, 1]`",
                "Specular colour.";
            "emission": COLOR, [at t => State::Material(t.face, MaterialColor::Emission)], "`[0, 0, 0, 1]`",
                "Emitted colour.";
            "shininess": NUMBER, [at t => State::Shininess(t.face)], "`0`", "Specular exponent.";
            $($more)*
        }
    };
}

static FRONT: Schema<Lighting> = material!("in [material.front]";);
static BACK: Schema<Lighting> = material!("in [material.back]";);
pub(super) static MATERIAL: Schema<Lighting> = material! { "in [material]";
    "front": Sub(&FRONT, || Lighting::of_face(CullFace::Front)),
        [|_| None, |t, front| t.settings.extend(front.settings)],
        "none", "The keys of `[material]`, for front faces.";
    "back": Sub(&BACK, || Lighting::of_face(CullFace::Back)),
        [|_| None, |t, back| t.settings.extend(back.settings)],
        "none", "The keys of `[material]`, for back faces.";
};

pub(super) static LIGHT: Schema<Lighting> = schema! { Lighting, "in [[light]]";
    "number": LAST, [number], "position in the file", "The light.";
    "ambient": COLOR, [at t => State::Light(t.number, LightColor::Ambient)], "`[0, 0, 0, 1]`",
        "Ambient colour.";
    "diffuse": COLOR, [at t => State::Light(t.number, LightColor::Diffuse)], "white for light 0, else black",
        "Diffuse colour.";
    "specular": COLOR, [at t => State::Light(t.number, LightColor::Specular)], "white for light 0, else black",
        "Specular colour.";
    "position": FOUR, [at t => State::LightPosition(t.number)], "`[0, 0, 1, 0]`",
        "Position in the world. With w = 0 it is a direction.";
    "spot_direction": Sources::THREE, [at t => State::SpotDirection(t.number)], "`[0, 0, -1]`",
        "Direction of the spotlight.";
    "spot_exponent": NUMBER, [at t => State::LightNumber(t.number, LightNumber::SpotExponent)], "`0`",
        "How fast the spotlight fades from its centre.";
    "spot_cutoff": NUMBER, [at t => State::LightNumber(t.number, LightNumber::SpotCutoff)], "`180`",
        "Half angle of the cone, in degrees. 180 shines in all directions.";
    "attenuation": Sources::THREE, [Lighting::attenuation, Lighting::set_attenuation], "`[1, 0, 0]`",
        "Constant, linear and quadratic attenuation.";
};

/// The factors of `attenuation` with their initial values.
const ATTENUATION: [(LightNumber, f32); 3] = [
    (LightNumber::ConstantAttenuation, 1.0),
    (LightNumber::LinearAttenuation, 0.0),
    (LightNumber::QuadraticAttenuation, 0.0),
];

impl Lighting {
    fn attenuation(&self) -> Option<Vector> {
        let set = ATTENUATION.map(|(factor, _)| self.get(State::LightNumber(self.number, factor)));
        set.iter().any(Option::is_some).then(|| {
            let [constant, linear, quadratic] = [0, 1, 2].map(|place: usize| {
                set[place].map_or(Component::Constant(ATTENUATION[place].1), |value| value[0])
            });
            [constant, linear, quadratic, Component::Constant(0.0)]
        })
    }

    fn set_attenuation(&mut self, value: Vector) {
        for ((factor, _), component) in ATTENUATION.into_iter().zip(value) {
            let nothing = Component::Constant(0.0);
            self.insert(State::LightNumber(self.number, factor), [component, nothing, nothing, nothing]);
        }
    }
}

pub(super) static TEXGEN: Schema<Lighting> = schema! { Lighting, "in [[texgen]]";
    "unit": LAST, [number], "`0`", "Texture unit.";
    "eye_s": FOUR, [at t => State::TexGen(t.number, Coordinate::S, TexGenSpace::Eye)], "as in the GL",
        "Eye planes.";
    "eye_t": FOUR, [at t => State::TexGen(t.number, Coordinate::T, TexGenSpace::Eye)], "as in the GL",
        "Eye planes.";
    "eye_r": FOUR, [at t => State::TexGen(t.number, Coordinate::R, TexGenSpace::Eye)], "as in the GL",
        "Eye planes.";
    "eye_q": FOUR, [at t => State::TexGen(t.number, Coordinate::Q, TexGenSpace::Eye)], "as in the GL",
        "Eye planes.";
    "object_s": FOUR, [at t => State::TexGen(t.number, Coordinate::S, TexGenSpace::Object)], "as in the GL",
        "Object planes.";
    "object_t": FOUR, [at t => State::TexGen(t.number, Coordinate::T, TexGenSpace::Object)], "as in the GL",
        "Object planes.";
    "object_r": FOUR, [at t => State::TexGen(t.number, Coordinate::R, TexGenSpace::Object)], "as in the GL",
        "Object planes.";
    "object_q": FOUR, [at t => State::TexGen(t.number, Coordinate::Q, TexGenSpace::Object)], "as in the GL",
        "Object planes.";
};

pub(super) static TEXENV: Schema<Lighting> = schema! { Lighting, "in [[texenv]]";
    "unit": LAST, [number], "`0`", "Texture unit.";
    "color": COLOR, [at t => State::TexEnvColor(t.number)], "`[0, 0, 0, 0]`", "`TEXTURE_ENV_COLOR`.";
};

pub(super) static CLIP_PLANE: Schema<Lighting> = schema! { Lighting, "in [[clip_plane]]";
    "number": LAST, [number], "position in the file", "The plane.";
    "plane": FOUR, [at t => State::ClipPlane(t.number)], "`[0, 0, 0, 0]`", "Coefficients, in the world.";
};

pub(super) static POINT: Schema<Lighting> = schema! { Lighting, "in [point]";
    "attenuation": Sources::THREE, [at t => State::PointAttenuation], "`[1, 0, 0]`", "`POINT_DISTANCE_ATTENUATION`.";
};

pub(super) static FOG: Schema<Lighting> = schema! { Lighting, "in fog";
    "mode": OneOf(&FOG_MODES), [mode], "`\"EXP\"`", "How fog grows with the distance.";
    "color": COLOR, [at t => State::FogColor], "`[0, 0, 0, 0]`", "Colour of the fog.";
    "density": NUMBER, [at t => State::FogDensity], "`1`", "Density of `EXP` and `EXP2`.";
    "start": NUMBER, [
        |t| t.get(State::FogRange),
        |t, start| t.insert_at(State::FogRange, 0, start, FOG_RANGE)
    ], "`0`",
        "Distance where `LINEAR` fog starts.";
    "end": NUMBER, [
        |t| t.get(State::FogRange).map(|[_, end, ..]| [end; 4]),
        |t, end| t.insert_at(State::FogRange, 1, end, FOG_RANGE)
    ], "`1`", "Distance where `LINEAR` fog is full.";
};

const FOG_RANGE: [f32; 4] = [0.0, 1.0, 0.0, 0.0];

const FOG_MODES: [(Option<FogEquation>, &str); 4] = [
    (Some(FogEquation::Linear), "LINEAR"),
    (Some(FogEquation::Exp), "EXP"),
    (Some(FogEquation::Exp2), "EXP2"),
    (None, "OFF"),
];

/// Reads these tables in the order of the book. The second result is the mode of fog, if there is fog.
pub(super) fn read(root: &Table<'_>) -> Result<(Vec<LightingSetting>, Option<FogEquation>), SceneError> {
    let mut settings = MODEL.read_in(root, "lighting", Lighting::of_number(0))?.settings;
    settings.extend(MATERIAL.read_in(root, "material", Lighting::of_number(0))?.settings);
    for (key, schema) in
        [("light", &LIGHT), ("texgen", &TEXGEN), ("texenv", &TEXENV), ("clip_plane", &CLIP_PLANE)]
    {
        for (place, table) in schema.tables(root, key)?.iter().enumerate() {
            let place = schema.number_at(place);
            if table.get("number").is_none() && place > LAST_NUMBER as usize {
                return Err(table.error(format!("choose 0 to {LAST_NUMBER}")));
            }
            let mut read = Lighting::of_number(place.min(LAST_NUMBER as usize) as u8);
            schema.read(table, &mut read)?;
            settings.extend(read.settings);
        }
    }
    settings.extend(POINT.read_in(root, "point", Lighting::of_number(0))?.settings);
    let state = root.read("state", |entry| entry.table("in [state]"))?;
    let Some(fog) = state.as_ref().and_then(|state| state.get("fog")) else { return Ok((settings, None)) };
    let (table, mut read) = (fog.table(FOG.place)?, Lighting::of_number(0));
    FOG.read(&table, &mut read)?;
    if let Some([Component::Constant(density), ..]) = read.get(State::FogDensity)
        && density < 0.0
    {
        return Err(table.error_at("density", "\"density\" must not be negative"));
    }
    settings.extend(read.settings);
    Ok((settings, read.mode))
}
