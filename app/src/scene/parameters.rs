//! Values that a scene gives to program parameters.

use super::Slot;
use shadestep_engine::ir::{ParameterSource, limits};
use shadestep_engine::isa::Stage;
use std::fmt;

/// Which parameter: one of the arrays that programs of a stage read, or a `DECLARE`d name. Numbered ones order
/// before named ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParameterKey {
    /// `p[n]`, which ARB fragment programs call `program.local[n]`.
    Numbered(u16),
    /// `program.env[n]` of fragment programs.
    FragmentEnv(u16),
    /// `c[n]`, which ARB vertex programs call `program.env[n]`.
    Register(u16),
    /// `program.local[n]` of the vertex program.
    VertexLocal(u16),
    /// `program.env[n]` of programs of a stage that reads primitives.
    Env(Stage, u16),
    /// `program.local[n]` of one.
    Local(Stage, u16),
    /// A declared name.
    Named(String),
}

impl ParameterKey {
    /// Reads `p[n]`, `c[n]`, `fragment.env[n]` and the like, or a name; `None` for brackets with anything but a
    /// number that the languages have.
    pub fn parse(text: &str) -> Option<Self> {
        let Some((array, index)) = text.split_once('[') else {
            let mut letters = text.bytes();
            let first = letters.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'$');
            let rest = letters.all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
            return (first && rest).then(|| Self::Named(text.to_owned()));
        };
        let digits = index.strip_suffix(']')?;
        let number = digits.parse::<u16>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))?;
        let below = |count: usize| usize::from(number) < count;
        match array {
            "p" if below(limits::NUMBERED_PARAMETERS) => Some(Self::Numbered(number)),
            "fragment.local" if below(limits::LOCAL_PARAMETERS) => Some(Self::Numbered(number)),
            "fragment.env" if below(limits::ENV_PARAMETERS) => Some(Self::FragmentEnv(number)),
            "c" if below(limits::VP2_PARAMETERS) => Some(Self::Register(number)),
            "vertex.env" if below(limits::ENV_PARAMETERS) => Some(Self::Register(number)),
            "vertex.local" if below(limits::LOCAL_PARAMETERS) => Some(Self::VertexLocal(number)),
            _ => {
                let (key, kind) = array.split_once('.')?;
                let stage = Slot::SINGLE.into_iter().find(|slot| slot.key() == key)?.stage();
                match kind {
                    _ if !stage.reads_primitives() => None,
                    "env" if below(limits::ENV_PARAMETERS) => Some(Self::Env(stage, number)),
                    "local" if below(limits::LOCAL_PARAMETERS) => Some(Self::Local(stage, number)),
                    _ => None,
                }
            }
        }
    }
}

impl fmt::Display for ParameterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(n) if usize::from(*n) < limits::NUMBERED_PARAMETERS => write!(f, "p[{n}]"),
            Self::Numbered(n) => write!(f, "fragment.local[{n}]"),
            Self::FragmentEnv(n) => write!(f, "fragment.env[{n}]"),
            Self::Register(n) => write!(f, "c[{n}]"),
            Self::Env(stage, n) => write!(f, "{}.env[{n}]", Slot::first(*stage).key()),
            Self::Local(stage, n) => write!(f, "{}.local[{n}]", Slot::first(*stage).key()),
            Self::VertexLocal(n) => write!(f, "vertex.local[{n}]"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// The key of a parameter that can be set, with its value until then; `None` for constants.
pub fn parameter_key(source: &ParameterSource, stage: Stage) -> Option<(ParameterKey, [f32; 4])> {
    let local = |n: u16| match stage {
        Stage::Fragment => ParameterKey::Numbered(n),
        Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => ParameterKey::Local(stage, n),
        Stage::Vertex | Stage::VertexState => ParameterKey::VertexLocal(n),
    };
    let env = |n: u16| match stage {
        Stage::Fragment => ParameterKey::FragmentEnv(n),
        Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => ParameterKey::Env(stage, n),
        Stage::Vertex | Stage::VertexState => ParameterKey::Register(n),
    };
    match source {
        ParameterSource::Constant(_) | ParameterSource::State(_) => None,
        ParameterSource::Named { name, initial } => Some((ParameterKey::Named(name.clone()), *initial)),
        ParameterSource::Local(n) => Some((local(*n), [0.0; 4])),
        ParameterSource::Env(n) => Some((env(*n), [0.0; 4])),
    }
}

/// A value that the session fills in for every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoSource {
    /// Seconds since the start.
    Time,
    /// Number of the frame, from 0.
    Frame,
    /// Width in pixels.
    Width,
    /// Height in pixels.
    Height,
    /// Width over height.
    Aspect,
    /// Mouse position, 0 at the left edge to 1 at the right.
    MouseX,
    /// Mouse position, 0 at the bottom edge to 1 at the top.
    MouseY,
    /// 1 while the button is down, else 0.
    MouseDown,
    /// Camera position, world x.
    EyeX,
    /// Camera position, world y.
    EyeY,
    /// Camera position, world z.
    EyeZ,
}

impl AutoSource {
    /// All sources with the names `scene.toml` has for them.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Time, "time"),
        (Self::Frame, "frame"),
        (Self::Width, "width"),
        (Self::Height, "height"),
        (Self::Aspect, "aspect"),
        (Self::MouseX, "mouse_x"),
        (Self::MouseY, "mouse_y"),
        (Self::MouseDown, "mouse_down"),
        (Self::EyeX, "eye_x"),
        (Self::EyeY, "eye_y"),
        (Self::EyeZ, "eye_z"),
    ];

    /// Name in `scene.toml`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(source, _)| *source == self).map_or("", |(_, name)| name)
    }
}

/// What the components of a parameter are: programs of typed languages read their bits as they like (NV_gpu_program4 2.14.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// Numbers of fp32.
    Float,
    /// Signed integers of 32 bits.
    Int,
    /// Unsigned integers of 32 bits.
    Uint,
}

impl NumberType {
    /// All types with the names `scene.toml` has for them.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Float, "float"), (Self::Int, "int"), (Self::Uint, "uint")];

    /// Name in `scene.toml`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(ty, _)| *ty == self).map_or("", |(_, name)| name)
    }
}

/// One component of a parameter's value. Those of one parameter are of one type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    /// A number.
    Constant(f32),
    /// Filled in for every frame, a number.
    Auto(AutoSource),
    /// A signed integer.
    Int(i32),
    /// An unsigned integer.
    Uint(u32),
    /// A word of the GPU address of the scene's buffer with this number.
    Address(u8, Half),
}

/// Which word of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The low one.
    Low,
    /// The high one.
    High,
}

impl Component {
    /// What it is.
    pub const fn number_type(self) -> NumberType {
        match self {
            Self::Constant(_) | Self::Auto(_) => NumberType::Float,
            Self::Int(_) => NumberType::Int,
            Self::Uint(_) | Self::Address(..) => NumberType::Uint,
        }
    }

    /// The whole number `value` as `ty`; beyond its range the nearest that it has.
    pub fn whole(value: i64, ty: NumberType) -> Self {
        match ty {
            NumberType::Float => Self::Constant(value as f32),
            NumberType::Int => Self::Int(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
            NumberType::Uint => Self::Uint(value.clamp(0, u32::MAX.into()) as u32),
        }
    }

    /// The same as `ty`: numbers by their value, the nearest that there is, integers that stay integers by their bits.
    #[must_use]
    pub fn of_type(self, ty: NumberType) -> Self {
        match (self, ty) {
            (Self::Constant(_) | Self::Auto(_), NumberType::Float)
            | (Self::Int(_), NumberType::Int)
            | (Self::Uint(_) | Self::Address(..), NumberType::Uint) => self,
            (Self::Constant(value), NumberType::Int | NumberType::Uint) => {
                Self::whole(value.round() as i64, ty)
            }
            (Self::Auto(_), NumberType::Int | NumberType::Uint)
            | (Self::Address(..), NumberType::Float | NumberType::Int) => Self::whole(0, ty),
            (Self::Int(value), NumberType::Uint) => Self::Uint(value.cast_unsigned()),
            (Self::Uint(value), NumberType::Int) => Self::Int(value.cast_signed()),
            (Self::Int(value), NumberType::Float) => Self::Constant(value as f32),
            (Self::Uint(value), NumberType::Float) => Self::Constant(value as f32),
        }
    }

    /// What is filled in behind the components that a parameter is given: 0, 0, 0, 1.
    pub fn fill(ty: NumberType) -> [Self; 4] {
        [0, 0, 0, 1].map(|value| Self::whole(value, ty))
    }
}

/// How a person sets the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Widget {
    /// A slider a component.
    Slider,
    /// A colour picker.
    Color,
    /// A number field a component.
    Number,
}

/// A parameter with its value and how to edit it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterSetting {
    /// Which one.
    pub key: ParameterKey,
    /// Its value, filled to four components with 0, 0, 0, 1.
    pub value: [Component; 4],
    /// How many components the scene wrote, 1 to 4: those a person edits.
    pub components: usize,
    /// How to edit it, where the scene says.
    pub widget: Option<Widget>,
    /// Least value of a slider.
    pub min: f32,
    /// Greatest value of a slider.
    pub max: f32,
}

/// What `p[0]` holds where nothing sets it: time, width, height, 1.
pub const DEFAULT_P0: [Component; 4] = [
    Component::Auto(AutoSource::Time),
    Component::Auto(AutoSource::Width),
    Component::Auto(AutoSource::Height),
    Component::Constant(1.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_change_their_type() {
        use Component::{Auto, Constant, Int, Uint};
        use NumberType::{Float, Int as Signed, Uint as Unsigned};
        for (before, ty, after) in [
            (Constant(2.5), Signed, Int(3)),
            (Constant(-2.5), Unsigned, Uint(0)),
            (Constant(3e10), Signed, Int(i32::MAX)),
            (Constant(3e10), Unsigned, Uint(u32::MAX)),
            (Constant(f32::NAN), Signed, Int(0)),
            (Auto(AutoSource::Time), Signed, Int(0)),
            (Auto(AutoSource::Time), Float, Auto(AutoSource::Time)),
            // Integers keep their bits.
            (Int(-1), Unsigned, Uint(u32::MAX)),
            (Uint(0x8000_0000), Signed, Int(i32::MIN)),
            (Int(-7), Float, Constant(-7.0)),
            (Uint(7), Float, Constant(7.0)),
        ] {
            assert_eq!(before.of_type(ty), after, "{before:?} as {ty:?}");
        }
    }

    #[test]
    fn keys_read_as_they_print() {
        for text in [
            "p[0]",
            "p[63]",
            "fragment.local[64]",
            "fragment.local[255]",
            "fragment.env[0]",
            "c[0]",
            "c[255]",
            "vertex.local[255]",
            "light",
            "_a1",
            "$x",
        ] {
            assert_eq!(ParameterKey::parse(text).unwrap().to_string(), text);
        }
        // One parameter, as two languages call it.
        assert_eq!(ParameterKey::parse("fragment.local[3]"), ParameterKey::parse("p[3]"));
        assert_eq!(ParameterKey::parse("vertex.env[3]"), ParameterKey::parse("c[3]"));
        for text in [
            "p[64]",
            "c[256]",
            "c[]",
            "c[A0.x]",
            "d[0]",
            "p[-1]",
            "p[+1]",
            "p[]",
            "p[1",
            "p[1]x",
            "",
            "1a",
            "a b",
            "a.x",
            "fragment.local[256]",
            "vertex.local[256]",
            "fragment.env[256]",
            "program.env[0]",
        ] {
            assert_eq!(ParameterKey::parse(text), None, "{text}");
        }
    }
}
