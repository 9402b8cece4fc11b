//! Operands and condition codes: sources, relative references, swizzles, signs and condition code tests.
//! `instruction` combines them.

use super::{Attribute, BufferRef, Components, Index, OutputId, ParamId, TempId};
use crate::isa::{Cc, ConditionNames, Language};
use crate::source::Span;

/// The register that an operand reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A temporary.
    Temp(TempId),
    /// An attribute of the fragment, vertex or primitive.
    Attribute(Attribute),
    /// A parameter or constant.
    Param(ParamId),
    /// A parameter, attribute or temporary selected at run time, `c[A0.x+n]`, `fragment.texcoord[A0.x+n]`.
    Indirect(Indirect),
    /// An element of a parameter buffer. LDC reads `CBUFFER` variables; all other instructions read `BUFFER`
    /// and `BUFFER4`.
    Buffer(BufferRef),
}

impl Source {
    pub fn attributes(self) -> impl Iterator<Item = Attribute> {
        let one = match self {
            Self::Attribute(attribute) => Some(attribute),
            Self::Temp(_) | Self::Param(_) | Self::Indirect(_) | Self::Buffer(_) => None,
        };
        let elements = self.indirect().into_iter().flat_map(Indirect::elements);
        one.into_iter().chain(elements.filter_map(|element| match element {
            Element::Attribute(attribute) => Some(attribute),
            Element::Temp(_) | Element::Param(_) | Element::Output(_) => None,
        }))
    }

    /// Whether the source is an attribute that IPAC, IPAO and IPAS accept.
    pub fn is_evaluable(self) -> bool {
        let is_attribute = match self {
            Self::Attribute(_) => true,
            Self::Indirect(indirect) => matches!(indirect.first, Element::Attribute(_)),
            Self::Temp(_) | Self::Param(_) | Self::Buffer(_) => false,
        };
        is_attribute && self.attributes().all(Attribute::is_evaluable)
    }

    pub const fn indirect(self) -> Option<Indirect> {
        match self {
            Self::Indirect(indirect) => Some(indirect),
            Self::Temp(_) | Self::Attribute(_) | Self::Param(_) | Self::Buffer(_) => None,
        }
    }

    pub const fn buffer(self) -> Option<BufferRef> {
        match self {
            Self::Buffer(buffer) => Some(buffer),
            Self::Temp(_) | Self::Attribute(_) | Self::Param(_) | Self::Indirect(_) => None,
        }
    }
}

/// The first element of an array that a relative reference can index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A temporary. The array is consecutive in [`super::Program::temporaries`].
    Temp(TempId),
    /// A parameter. The array is consecutive in [`super::Program::parameters`].
    Param(ParamId),
    /// An attribute. [`Attribute::after`] returns the others.
    Attribute(Attribute),
    /// An output. The array is consecutive in [`super::Program::outputs`].
    Output(OutputId),
}

impl Element {
    /// The element `steps` places later, if it can exist.
    pub fn after(self, steps: u16) -> Option<Self> {
        match self {
            Self::Temp(id) => id.0.checked_add(steps).map(|id| Self::Temp(TempId(id))),
            Self::Param(id) => id.0.checked_add(steps).map(|id| Self::Param(ParamId(id))),
            Self::Attribute(attribute) => attribute.after(u8::try_from(steps).ok()?).map(Self::Attribute),
            Self::Output(id) => id.0.checked_add(steps).map(|id| Self::Output(OutputId(id))),
        }
    }

    /// The element for vertex `number`. Only attributes of a vertex exist for other vertices than 0.
    fn of_vertex(self, number: u8) -> Option<Self> {
        match self {
            Self::Attribute(attribute) if attribute.of_vertex().is_some() => {
                let (vertex, _) = attribute.of_vertex()?;
                Some(Self::Attribute(attribute.at_vertex(vertex.checked_add(number)?)))
            }
            _ if number == 0 => Some(self),
            _ => None,
        }
    }

    /// The source that reads the element. `None` for outputs.
    pub const fn source(self) -> Option<Source> {
        match self {
            Self::Temp(id) => Some(Source::Temp(id)),
            Self::Param(id) => Some(Source::Param(id)),
            Self::Attribute(attribute) => Some(Source::Attribute(attribute)),
            Self::Output(_) => None,
        }
    }
}

/// A relative reference: an element of a register array, selected by an index. A reference outside the array
/// reads (0,0,0,0) (ruling 4 of the vertex languages, ruling 2 of NV_fragment_program2) and writes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Indirect {
    /// The first element of the array; for an array of each vertex, the element of vertex 0.
    pub first: Element,
    pub count: u16,
    /// The index of the element. The register is an address register (a temporary of type
    /// [`super::Type::Address`]) or a temporary with signed integers. The index can be constant if the vertex
    /// is not.
    pub index: Index,
    /// The vertex, if each vertex of a primitive has the array (NV_geometry_program4 2.X.3.2).
    pub vertex: Option<VertexIndex>,
}

/// The vertex of a primitive that a reference selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexIndex {
    /// The number of vertices to select from.
    pub count: u8,
    /// The number of the vertex.
    pub index: Index,
}

impl Indirect {
    /// A reference to an array that is not per vertex.
    pub const fn new(first: Element, count: u16, index: Index) -> Self {
        Self { first, count, index, vertex: None }
    }

    /// Element `index` of vertex `vertex`, if both are in range. Arrays that are not per vertex have only
    /// vertex 0.
    pub fn element(&self, vertex: i64, index: i64) -> Option<Element> {
        let count = self.vertex.map_or(1, |vertex| vertex.count);
        let vertex = u8::try_from(vertex).ok().filter(|vertex| *vertex < count)?;
        let index = u16::try_from(index).ok().filter(|index| *index < self.count)?;
        self.first.after(index)?.of_vertex(vertex)
    }

    /// All elements, vertex by vertex.
    pub fn elements(self) -> impl Iterator<Item = Element> {
        let vertices = self.vertex.map_or(1, |vertex| vertex.count);
        let numbers = (0..vertices).flat_map(move |vertex| (0..self.count).map(move |steps| (vertex, steps)));
        numbers.filter_map(move |(vertex, steps)| self.element(vertex.into(), steps.into()))
    }

    /// The registers of both indices, with their components.
    pub fn registers(self) -> impl Iterator<Item = (TempId, u8)> {
        let vertex = self.vertex.and_then(|vertex| vertex.index.register);
        vertex.into_iter().chain(self.index.register)
    }
}

/// Component selection: the source component or constant that each of x, y, z, w reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle(pub [u8; 4]);

impl Swizzle {
    /// `.xyzw`.
    pub const IDENTITY: Self = Self([0, 1, 2, 3]);

    /// The selector of the constant 0 (SWZ and textures).
    pub const ZERO: u8 = 4;

    /// The selector of the constant 1 (SWZ and textures).
    pub const ONE: u8 = 5;

    /// One component in all four places.
    pub const fn replicate(component: u8) -> Self {
        Self([component; 4])
    }

    /// The value of `selector`, if it selects a constant.
    pub const fn constant(selector: u8) -> Option<f32> {
        match selector {
            Self::ZERO => Some(0.0),
            Self::ONE => Some(1.0),
            _ => None,
        }
    }

    /// The value of component `c` (0 = x) when `register` is read.
    #[inline]
    pub fn select(self, c: usize, register: &Components) -> u64 {
        let selector = self.0[c];
        Self::constant(selector)
            .map_or_else(|| register[usize::from(selector)], |value| value.to_bits().into())
    }
}

/// The components that are negated, bit 0 = x. Only SWZ negates some components and not others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Negation(pub u8);

impl Negation {
    pub const NONE: Self = Self(0);

    pub const ALL: Self = Self(0xF);

    /// Whether `component` (0 = x) is negated.
    pub const fn has(self, component: usize) -> bool {
        self.0 >> component & 1 != 0
    }

    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// An operand. Loading applies swizzle, inner negation, absolute value and outer negation, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    pub source: Source,
    /// Component selection.
    pub swizzle: Swizzle,
    /// `-` before the register (`-R0`, `|-R0|`) or before the components of SWZ.
    pub negate: Negation,
    /// `|...|`.
    pub absolute: bool,
    /// `-` before the bars (`-|R0|`).
    pub negate_absolute: bool,
    /// The span of the operand.
    pub span: Span,
}

named_enum! {
    /// A condition code test (`<ccMaskRule>`).
    pub enum Condition {
        /// Equal.
        Eq = "EQ",
        /// Greater or equal; false for UN.
        Ge = "GE",
        /// Greater.
        Gt = "GT",
        /// Less or equal; false for UN.
        Le = "LE",
        /// Less.
        Lt = "LT",
        /// Not equal; true for UN.
        Ne = "NE",
        /// Always.
        Tr = "TR",
        /// Never.
        Fl = "FL",
        /// Not a number (NV_gpu_program4 2.X.4.3, as the following).
        Nan = "NAN",
        /// Less, equal or greater: anything but a NaN.
        Leg = "LEG",
        /// Carry flag.
        Cf = "CF",
        /// No carry flag.
        Ncf = "NCF",
        /// Overflow flag.
        Of = "OF",
        /// No overflow flag.
        Nof = "NOF",
        /// Above, for unsigned integers.
        Ab = "AB",
        /// Below or equal, for unsigned integers.
        Ble = "BLE",
        /// Sign flag.
        Sf = "SF",
        /// No sign flag.
        Nsf = "NSF",
    }
}

impl Condition {
    /// The rules of the languages before NV_gpu_program4, which depend only on a number's sign and NaN.
    pub const OF_NUMBERS: &[Self] = {
        let (first, _) = Self::ALL.split_at(8);
        first
    };

    /// The rules of `language`.
    pub const fn of_language(language: Language) -> &'static [Self] {
        if language.profile().typed { &Self::ALL } else { Self::OF_NUMBERS }
    }
}

/// The flags of a condition code component (NV_gpu_program4 2.X.3.7, 2.X.4.3). Sign and zero together mean
/// that the result was a NaN, the code UN of NV_fragment_program 3.11.1.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// The result was below zero, or a NaN.
    pub const SIGN: u8 = 1;
    /// The result was zero, or a NaN.
    pub const ZERO: u8 = 2;
    /// A signed sum or difference was out of range.
    pub const OVERFLOW: u8 = 4;
    /// An unsigned sum was out of range, or an unsigned difference was not below zero.
    pub const CARRY: u8 = 8;
    /// The code LT of NV_fragment_program 3.11.1.4.
    pub const LT: Self = Self(Self::SIGN);
    /// EQ.
    pub const EQ: Self = Self(Self::ZERO);
    /// GT.
    pub const GT: Self = Self(0);
    /// UN.
    pub const UN: Self = Self(Self::SIGN | Self::ZERO);
    /// The value before the first update (NV_fragment_program 3.11.1.4).
    pub const INITIAL: Self = Self::EQ;

    /// The code of the older languages: `LT`, `EQ`, `GT`, or `UN` for unordered.
    pub const fn code(self) -> &'static str {
        match (self.0 & Self::SIGN != 0, self.0 & Self::ZERO != 0) {
            (true, true) => "UN",
            (true, false) => "LT",
            (false, true) => "EQ",
            (false, false) => "GT",
        }
    }

    /// The letters `S`, `Z`, `C` and `O` of the flags that are set, each in its place.
    pub fn letters(self) -> [Option<char>; 4] {
        [(Self::SIGN, 'S'), (Self::ZERO, 'Z'), (Self::CARRY, 'C'), (Self::OVERFLOW, 'O')]
            .map(|(flag, letter)| (self.0 & flag != 0).then_some(letter))
    }

    /// The name in `language`: the code, or in languages with carry and overflow the letters of the set
    /// flags. `-` means that no flag is set.
    pub fn name_in(self, language: Language) -> String {
        match language.profile().condition_names {
            ConditionNames::Codes => self.code().to_owned(),
            ConditionNames::Flags if self.0 == 0 => "-".to_owned(),
            ConditionNames::Flags => self.letters().into_iter().flatten().collect(),
        }
    }
}

/// A condition code register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CcRegister {
    /// The only register, or the first.
    #[default]
    Cc0,
    /// The second register (NV_vertex_program3).
    Cc1,
}

impl CcRegister {
    pub const ALL: [Self; 2] = [Self::Cc0, Self::Cc1];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// The registers of `language`.
    pub fn of_language(language: Language) -> &'static [Self] {
        &Self::ALL[..usize::from(language.profile().condition_codes)]
    }

    /// The name in `language`: `CC` if it is the only register.
    pub fn name_in(self, language: Language) -> &'static str {
        match (self, Self::of_language(language).len()) {
            (Self::Cc0, 2) => "CC0",
            (Self::Cc0, _) => "CC",
            (Self::Cc1, _) => "CC1",
        }
    }
}

impl From<Cc> for CcRegister {
    fn from(suffix: Cc) -> Self {
        match suffix {
            Cc::C | Cc::C0 => Self::Cc0,
            Cc::C1 => Self::Cc1,
        }
    }
}

/// A condition code test with its swizzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CcTest {
    /// The rule.
    pub condition: Condition,
    /// The condition code component that each result component tests.
    pub swizzle: Swizzle,
    pub register: CcRegister,
}
