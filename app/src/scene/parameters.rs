//! The values that a scene gives to program parameters. `parameter_table` reads them from `scene.toml`.

use super::Slot;
use shadestep_engine::ir::{ParameterSource, limits};
use shadestep_engine::isa::Stage;
use std::fmt;

/// A parameter: an element of an array that the programs of a stage read, or a `DECLARE`d name. Numbered keys
/// order before named keys.
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
    /// `program.env[n]` of geometry and tessellation programs.
    Env(Stage, u16),
    /// `program.local[n]` of geometry and tessellation programs.
    Local(Stage, u16),
    /// A declared name.
    Named(String),
}

impl ParameterKey {
    /// Parses `p[n]`, `c[n]`, `fragment.env[n]` and the like, or a name. Returns `None` for brackets around
    /// anything but a number in the languages' range.
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

/// The key and the initial value of a parameter that can be set; `None` for constants.
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

shadestep_engine::named_enum! {
    /// A source whose value the session computes for every frame, by its name in `scene.toml`.
    pub enum AutoSource {
        /// Seconds since the start.
        Time = "time",
        /// Number of the frame, from 0.
        Frame = "frame",
        /// Width in pixels.
        Width = "width",
        /// Height in pixels.
        Height = "height",
        /// Width over height.
        Aspect = "aspect",
        /// Mouse position, 0 at the left edge to 1 at the right.
        MouseX = "mouse_x",
        /// Mouse position, 0 at the bottom edge to 1 at the top.
        MouseY = "mouse_y",
        /// 1 while the button is down, else 0.
        MouseDown = "mouse_down",
        /// Camera position, world x.
        EyeX = "eye_x",
        /// Camera position, world y.
        EyeY = "eye_y",
        /// Camera position, world z.
        EyeZ = "eye_z",
    }

    /// The type of a parameter's components, by its name in `scene.toml`. Programs of typed languages
    /// interpret the bits as they need (NV_gpu_program4 2.14.1).
    pub enum NumberType {
        /// fp32.
        Float = "float",
        /// Signed integers of 32 bits.
        Int = "int",
        /// Unsigned integers of 32 bits.
        Uint = "uint",
    }
}

/// One component of a parameter's value. All components of a parameter have one type.
#[derive(Clone, Copy, Debug)]
pub enum Component {
    /// A constant of type [`NumberType::Float`].
    Constant(f32),
    /// An fp32 number that is computed for every frame.
    Auto(AutoSource),
    /// A signed integer.
    Int(i32),
    /// An unsigned integer.
    Uint(u32),
    /// Half of the GPU address of the scene's buffer with this number.
    Address(u8, Half),
}

/// A 32-bit half of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The low word.
    Low,
    /// The high word.
    High,
}

impl PartialEq for Component {
    /// Compares numbers by their bits, so that a NaN equals itself and 0 differs from -0.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => a.to_bits() == b.to_bits(),
            (Self::Auto(a), Self::Auto(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Uint(a), Self::Uint(b)) => a == b,
            (Self::Address(a, a_half), Self::Address(b, b_half)) => (a, a_half) == (b, b_half),
            (Self::Constant(_) | Self::Auto(_) | Self::Int(_) | Self::Uint(_) | Self::Address(..), _) => {
                false
            }
        }
    }
}

impl Component {
    pub const fn number_type(self) -> NumberType {
        match self {
            Self::Constant(_) | Self::Auto(_) => NumberType::Float,
            Self::Int(_) => NumberType::Int,
            Self::Uint(_) | Self::Address(..) => NumberType::Uint,
        }
    }

    /// `value` in type `ty`, clamped to the type's range.
    pub fn whole(value: i64, ty: NumberType) -> Self {
        match ty {
            NumberType::Float => Self::Constant(value as f32),
            NumberType::Int => Self::Int(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
            NumberType::Uint => Self::Uint(value.clamp(0, u32::MAX.into()) as u32),
        }
    }

    /// Converts to `ty`. Numbers are rounded to the nearest integer in range. Integers keep their bits if
    /// both types are integers, and otherwise their value. Automatic sources, and addresses in types other
    /// than `Uint`, become 0.
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

    /// The values of missing components: 0, 0, 0, 1.
    pub fn fill(ty: NumberType) -> [Self; 4] {
        [0, 0, 0, 1].map(|value| Self::whole(value, ty))
    }
}

/// The control for editing a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Widget {
    /// A slider for each component.
    Slider,
    /// A colour picker.
    Color,
    /// A number field for each component.
    Number,
}

/// A parameter with its value and its control.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterSetting {
    pub key: ParameterKey,
    /// The value. Missing components are 0, 0, 0, 1.
    pub value: [Component; 4],
    /// The number of components in the text, 1 to 4. Controls edit these.
    pub components: usize,
    /// The control, if the text names one.
    pub widget: Option<Widget>,
    /// Lower end of a slider.
    pub min: f32,
    /// Upper end of a slider.
    pub max: f32,
}

/// The default of `p[0]`: time, width, height, 1.
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
        // Two languages' names of one parameter.
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
