//! The operations of the low-level IR: one table, with a row for each operation.
//!
//! The table declares [`Node`] and drives everything that treats all operations alike: operands, the kinds of
//! operands and results that [`super::verify`] checks, and the text that [`super::text`] prints and parses. A
//! new operation on two values, comparison or shift is a row of its own enum. Any other operation is a row of
//! `nodes!`.

use super::text::fields::Field;
use super::text::{Line, ParseError, Reader};
use shadestep_language::named_enum;
use shadestep_language::num::Rounding;

/// Index of a node. Operands have smaller indices.
pub type NodeId = u32;

/// The kind of an operand or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// This kind.
    One(Kind),
    /// [`Kind::Value`] or [`Kind::Wide`]. All operands and the result have the same kind.
    Same,
}

const VALUE: Rule = Rule::One(Kind::Value);
const MASK: Rule = Rule::One(Kind::Mask);
const WIDE: Rule = Rule::One(Kind::Wide);
const SAME: Rule = Rule::Same;

named_enum! {
    /// The kind of a node, by the letter that begins its name in a text.
    pub enum Kind(
        /// A description for messages.
        pub noun: &'static str,
    ) {
        /// A 32-bit value in each lane.
        Value = "v" => ("a value"),
        /// A set of lanes.
        Mask = "m" => ("a mask"),
        /// 64-bit values of half of the lanes, see [`Node::Zip`].
        Wide = "w" => ("a 64-bit value"),
    }

    /// Operations on two values.
    pub enum Binary(
        /// The kind of both operands and of the result.
        pub kind: Rule,
        /// Whether the operands can be exchanged. The sign and the payload of a NaN may change.
        pub is_commutative: bool,
    ) {
        /// fp32 sum.
        Add = "add" => (VALUE, true),
        /// fp32 difference.
        Sub = "sub" => (VALUE, false),
        /// fp32 product.
        Mul = "mul" => (VALUE, true),
        /// fp32 quotient.
        Div = "div" => (VALUE, false),
        /// The first if below the second, else the second.
        Min = "min" => (VALUE, false),
        /// The first if above the second, else the second.
        Max = "max" => (VALUE, false),
        /// The smaller, with -0.0 below +0.0. Any value if either is a NaN.
        MinOrNan = "min_or_nan" => (VALUE, true),
        /// The larger, with +0.0 above -0.0. Any value if either is a NaN.
        MaxOrNan = "max_or_nan" => (VALUE, true),
        /// Bitwise and.
        And = "and" => (SAME, true),
        /// Bitwise or.
        Or = "or" => (SAME, true),
        /// Bitwise exclusive or.
        Xor = "xor" => (SAME, true),
        /// Integer sum.
        IntAdd = "int_add" => (VALUE, true),
        /// Integer difference.
        IntSub = "int_sub" => (VALUE, false),
        /// Bits of the second operand that the first does not have: `!a & b`.
        AndNot = "and_not" => (SAME, false),
        /// The smaller unsigned integer.
        MinUnsigned = "min_unsigned" => (VALUE, true),
        /// The larger unsigned integer.
        MaxUnsigned = "max_unsigned" => (VALUE, true),
        /// The smaller signed integer.
        MinSigned = "min_signed" => (VALUE, true),
        /// The larger signed integer.
        MaxSigned = "max_signed" => (VALUE, true),
        /// Low 32 bits of an integer product.
        IntMul = "int_mul" => (VALUE, true),
        /// Left shift; 0 for counts of 32 and more.
        ShiftLeft = "shl_by" => (VALUE, false),
        /// Logical right shift; 0 for counts of 32 and more.
        ShiftRight = "shr_by" => (VALUE, false),
        /// Arithmetic right shift; all sign bits for counts of 32 and more.
        ShiftRightSigned = "sar_by" => (VALUE, false),
    }

    /// 64-bit operations on two values (see [`Node::Zip`]).
    pub enum Op64 {
        /// fp64 sum.
        Add = "add64",
        /// fp64 difference.
        Sub = "sub64",
        /// fp64 product.
        Mul = "mul64",
        /// fp64 quotient.
        Div = "div64",
        /// All bits set if the first is less than the second, else 0.
        Lt = "lt64",
        /// All bits set if the first is less than or equal to the second, else 0. A NaN gives 0.
        Le = "le64",
        /// All bits set if both are equal numbers, else 0.
        Eq = "eq64",
    }

    /// Selects half of the lanes for a 64-bit operation, or one of the words of 64-bit values.
    pub enum Half {
        /// The first two lanes of each group of four; the low words.
        Low = "low",
        /// The last two lanes of each group of four; the high words.
        High = "high",
    }

    /// A test of two values.
    pub enum Comparison {
        /// fp32 <
        Lt = "lt",
        /// fp32 <=
        Le = "le",
        /// fp32 ==
        Eq = "eq",
        /// At least one is a NaN.
        Unordered = "unordered",
        /// Unsigned <
        LtUnsigned = "lt_unsigned",
        /// Signed >
        GtSigned = "gt_signed",
        /// Equal bits.
        BitsEq = "bits_eq",
        /// No bit is set in both.
        Disjoint = "disjoint",
    }

    /// Shifts of bits by a fixed count.
    pub enum Shift {
        /// Left shift.
        Left = "shl",
        /// Logical right shift.
        Right = "shr",
        /// Arithmetic right shift.
        RightSigned = "sar",
    }
}

/// The outcome of a test that is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    Holds,
    Fails,
}

impl Wanted {
    /// The opposite.
    pub const fn other(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
        }
    }
}

/// For each lane of a quad, the lane that it reads: two bits, lane 0 in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuadLanes(pub u8);

/// The largest number of operands.
pub const MAX_OPERANDS: usize = 3;

/// Declares [`Node`]. A row has these parts:
///
/// * the variant,
/// * the name in the text; without one, the first of the words is the name,
/// * words after the name: `[field: type]`,
/// * operands with their kinds: `(operand: rule)`,
/// * numbers after the operands: `[field: type]`,
/// * the kind of the result.
///
/// The variant's fields are the words, the numbers and the operands.
macro_rules! nodes {
    ($(
        $(#[$doc:meta])*
        $variant:ident = $($name:literal)?
            [$($word:ident: $word_type:ident),*]
            ($($operand:ident: $rule:expr),*)
            [$($number:ident: $number_type:ident),*]
            => $result:expr;
    )*) => {
        /// A value, or a mask of lanes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Node {
            $($(#[$doc])* $variant($($word_type,)* $($number_type,)* $(nodes!(@id $operand)),*),)*
        }

        impl Node {
            /// Replaces each operand `id` by `of(id)`.
            #[must_use]
            pub fn with_operands(self, of: impl Fn(NodeId) -> NodeId) -> Self {
                match self {
                    $(Self::$variant($($word,)* $($number,)* $($operand),*) => {
                        Self::$variant($($word,)* $($number,)* $(of($operand)),*)
                    })*
                }
            }

            pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
                let operands: [Option<NodeId>; MAX_OPERANDS] = match *self {
                    $(Self::$variant($($word,)* $($number,)* $($operand),*) => {
                        $(let _ = $word;)*
                        $(let _ = $number;)*
                        padded([$($operand),*])
                    })*
                };
                operands.into_iter().flatten()
            }

            /// The kinds of the operands.
            pub fn rules(&self) -> impl Iterator<Item = Rule> + use<> {
                let rules: [Option<Rule>; MAX_OPERANDS] = match *self {
                    $(Self::$variant($($word,)* ..) => {
                        $(let _ = $word;)*
                        padded([$($rule),*])
                    })*
                };
                rules.into_iter().flatten()
            }

            /// The kind of the result.
            pub const fn result(&self) -> Rule {
                match *self {
                    $(Self::$variant($($word,)* ..) => {
                        $(let _ = $word;)*
                        $result
                    })*
                }
            }

            pub(super) fn print(&self, line: &mut Line<'_>) {
                match *self {
                    $(Self::$variant($($word,)* $($number,)* $($operand),*) => {
                        $(line.word($name);)?
                        $($word.print(line);)*
                        $(line.value($operand);)*
                        $(line.comma(); $number.print(line);)*
                    })*
                }
            }

            /// Reads an operation; `None` if no operation begins with this word.
            ///
            /// # Errors
            /// The operation has other words or arguments.
            pub(super) fn read(reader: &mut Reader<'_, '_>) -> Result<Option<Self>, ParseError> {
                $(if nodes!(@begins reader $($name)? [$($word_type)*]) {
                    $(reader.skip($name);)?
                    $(let $word = $word_type::read(reader)?;)*
                    $(let $operand = reader.value()?;)*
                    $(reader.comma()?; let $number = $number_type::read(reader)?;)*
                    reader.end()?;
                    return Ok(Some(Self::$variant($($word,)* $($number,)* $($operand),*)));
                })*
                Ok(None)
            }
        }

        /// The first words of all operations.
        pub fn names() -> Vec<&'static str> {
            let mut names: Vec<&'static str> = Vec::new();
            $(names.extend(nodes!(@names $($name)? [$($word_type)*]));)*
            names
        }
    };
    (@id $operand:ident) => { NodeId };
    (@begins $reader:ident $name:literal [$($type:ident)*]) => { $reader.is_at($name) };
    (@begins $reader:ident [$first:ident $($rest:ident)*]) => {
        $first::ALL.iter().any(|first| $reader.is_at(first.name()))
    };
    (@names $name:literal [$($type:ident)*]) => { [$name] };
    (@names [$first:ident $($rest:ident)*]) => { $first::ALL.map($first::name) };
}

/// `items`, then nothing.
fn padded<T: Copy, const COUNT: usize>(items: [T; COUNT]) -> [Option<T>; MAX_OPERANDS] {
    const { assert!(COUNT <= MAX_OPERANDS) };
    std::array::from_fn(|at| items.get(at).copied())
}

nodes! {
    /// The value of a lane register before the function.
    Register = "register" [] () [register: u16] => VALUE;
    /// A lane register of the inputs, which functions never write.
    Input = "input" [] () [register: u16] => VALUE;
    /// A lane register whose lanes are all equal and that functions never write.
    Uniform = "uniform" [] () [register: u16] => VALUE;
    /// A result of an effect. In blocks only; the number is different for each result of a block.
    Result = "result" [] () [number: u16] => VALUE;
    /// A constant, as bits.
    Constant = "constant" [] () [bits: u32] => VALUE;
    Binary = [binary: Binary] (a: binary.kind(), b: binary.kind()) [] => binary.kind();
    /// Square root.
    Sqrt = "sqrt" [] (a: VALUE) [] => VALUE;
    /// Interleaves two words of half of the lanes to 64-bit values, low word first. A 64-bit value of all
    /// lanes takes two nodes.
    Zip = "zip" [half: Half] (low: VALUE, high: VALUE) [] => WIDE;
    /// The low or the high words of all lanes, from the two nodes of 64-bit values.
    Unzip = "unzip" [half: Half] (first: WIDE, second: WIDE) [] => VALUE;
    /// A 64-bit operation.
    Op64 = [operation: Op64] (a: WIDE, b: WIDE) [] => WIDE;
    /// fp64 square root.
    WideSqrt = "sqrt64" [] (a: WIDE) [] => WIDE;
    /// Replaces any fp64 NaN by the canonical one.
    WideCanonical = "canonical64" [] (a: WIDE) [] => WIDE;
    /// Replaces a denorm by the zero of its sign.
    Flush = "flush" [] (a: VALUE) [] => VALUE;
    /// Replaces any NaN by the canonical one.
    Canonical = "canonical" [] (a: VALUE) [] => VALUE;
    /// Rounds to an integral number; zeros keep the sign.
    Round = "round" [rounding: Rounding] (a: VALUE) [] => VALUE;
    /// Signed integer to fp32.
    ToFloat = "to_float" [] (a: VALUE) [] => VALUE;
    /// Unsigned integer to fp32.
    ToFloatUnsigned = "to_float_unsigned" [] (a: VALUE) [] => VALUE;
    /// fp32 to a signed integer, rounded towards zero; `0x8000_0000` for values out of range.
    ToInteger = "to_integer" [] (a: VALUE) [] => VALUE;
    /// Shifts bits by a fixed count.
    Shift = [shift: Shift] (a: VALUE) [count: u8] => VALUE;
    /// The value of another lane of the quad.
    Quad = "quad" [] (a: VALUE) [lanes: QuadLanes] => VALUE;
    /// The second operand in lanes of the first, a mask; the third in other lanes.
    Select = "select" [] (mask: MASK, yes: VALUE, no: VALUE) [] => VALUE;
    /// A mask: lanes with the wanted outcome of a test.
    Compare = [comparison: Comparison, wanted: Wanted] (a: VALUE, b: VALUE) [] => MASK;
    /// A mask: intersection.
    Both = "both" [] (a: MASK, b: MASK) [] => MASK;
    /// A mask: union.
    Either = "either" [] (a: MASK, b: MASK) [] => MASK;
    /// A mask: complement.
    Others = "others" [] (a: MASK) [] => MASK;
}

impl Node {
    pub const fn is_mask(&self) -> bool {
        matches!(self.result(), MASK)
    }

    /// Whether the node is 64-bit arithmetic, which keeps denorms.
    pub fn is_wide(&self) -> bool {
        self.result() == WIDE && self.rules().all(|rule| rule == WIDE)
    }

    /// The lane register whose value the node reads.
    pub const fn register(&self) -> Option<u16> {
        match *self {
            Self::Register(register) => Some(register),
            _ => None,
        }
    }

    /// Whether the value is in memory or constant, so that no instruction computes it.
    pub const fn is_kept(&self) -> bool {
        matches!(self, Self::Register(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_))
    }
}
