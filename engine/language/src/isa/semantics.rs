//! Flags for operations that the specifications of the languages define differently. A language's
//! [`super::Profile`] holds its flags, and each instruction carries them. So the executors need not know the
//! language.

/// The behaviour of operations whose specifications differ. Each field applies to the operations that its
/// comment names; other operations ignore the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semantics {
    /// SEQ to SNE: the result for a NaN operand.
    pub set_on_nan: SetOnNan,
    /// ARL, ARR, ARA: the range of the result.
    pub address_range: AddressRange,
    /// LIT: the exponents that are allowed.
    pub lit_exponent: LitExponent,
    /// RSQ: whether the operand's sign counts.
    pub rsq_operand: RsqOperand,
    /// All operations: the operands for which the result is defined.
    pub domain: Domain,
    /// MOV, SWZ, and the choice of CMP: the treatment of denorms.
    pub moves: Moves,
    /// Lookups: the result if no complete texture is bound.
    pub incomplete_texture: IncompleteTexture,
    /// TXP: the coordinates that are divided by the fourth component.
    pub projection: Projection,
}

/// The result of set-on instructions for a NaN operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOnNan {
    /// The result of the IEEE comparison: 0.0 or 1.0.
    Compares,
    /// NaN (ruling 1 of the vertex languages).
    Propagates,
}

/// The range of integers that address registers can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressRange {
    /// Every integer: nothing is clamped (ruling 6 of the vertex languages).
    Unclamped,
    /// -512 to 511 (NV_vertex_program2 2.14.1.3).
    Bits10,
    /// The range of 32-bit integers.
    Bits32,
}

/// The exponents that LIT allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LitExponent {
    /// Every exponent (NV_fragment_program 3.11.5.15).
    Unclamped,
    /// Exponents between -128 and 128 (NV_vertex_program2 2.14.3.18).
    Clamped,
}

/// The operands for which operations have a defined result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// All operands. The specification lists special cases for each operation.
    Whole,
    /// All except LG2 of zero and below, and SCS of angles beyond PI (ARB_fragment_program 3.11.5.12 and
    /// 3.11.5.23, ARB_vertex_program 2.14.5.12).
    Functions,
    /// All except the operands in [`Self::Functions`], RSQ of zero and below, division by zero, and shifts
    /// and bit fields out of range.
    Partial,
}

/// The treatment of denorms by operations that only move a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Denorms become zeros, as in every operand load (ruling 6).
    Flush,
    /// All bits are kept, so a float move can copy an integer (ruling 14 of NV_gpu_program4).
    KeepBits,
}

/// The value whose root RSQ takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RsqOperand {
    /// The operand.
    Signed,
    /// The operand's absolute value (ARB_fragment_program 3.11.5.22, ARB_vertex_program 2.14.5.22).
    Magnitude,
}

crate::named_enum! {
    /// The result of a lookup if no complete texture is bound.
    pub enum IncompleteTexture {
        /// (0,0,0,0)
        Zero = "zero",
        /// (0,0,0,1) (ARB_fragment_program 3.11.6).
        OpaqueBlack = "opaque_black",
        /// Undefined, like the results of lookups that do not fit the texture (NV_gpu_program4 2.X.4.4).
        Undefined = "undefined",
    }

    /// The components that TXP divides by the fourth component of its operand.
    pub enum Projection {
        /// Coordinates within an image. The direction of a cube map lookup is not divided.
        Positions = "positions",
        /// The first three components for every target (NV_gpu_program4 2.X.8, TXP).
        Everything = "everything",
    }
}

impl IncompleteTexture {
    /// The texel that Shadestep returns.
    pub const fn texel(self) -> [f32; 4] {
        match self {
            Self::Zero | Self::Undefined => [0.0; 4],
            Self::OpaqueBlack => [0.0, 0.0, 0.0, 1.0],
        }
    }
}

impl Semantics {
    /// NV_fragment_program.
    pub const NV_FRAGMENT: Self = Self {
        set_on_nan: SetOnNan::Compares,
        address_range: AddressRange::Bits10,
        lit_exponent: LitExponent::Unclamped,
        rsq_operand: RsqOperand::Signed,
        domain: Domain::Whole,
        moves: Moves::Flush,
        incomplete_texture: IncompleteTexture::Zero,
        projection: Projection::Positions,
    };

    /// NV_vertex_program2 for `!!VP2.0`.
    pub const NV_VERTEX_2: Self =
        Self { set_on_nan: SetOnNan::Propagates, lit_exponent: LitExponent::Clamped, ..Self::NV_FRAGMENT };

    /// NV_vertex_program2 for `!!VP1.0`, `!!VP1.1` and `!!VSP1.0`.
    pub const NV_VERTEX_1: Self = Self { address_range: AddressRange::Unclamped, ..Self::NV_VERTEX_2 };

    /// The ARB languages, with and without NVIDIA's options.
    pub const ARB: Self = Self {
        set_on_nan: SetOnNan::Compares,
        address_range: AddressRange::Bits32,
        lit_exponent: LitExponent::Clamped,
        rsq_operand: RsqOperand::Magnitude,
        domain: Domain::Functions,
        moves: Moves::Flush,
        incomplete_texture: IncompleteTexture::OpaqueBlack,
        projection: Projection::Positions,
    };

    /// NV_gpu_program4, NV_gpu_program5 and the stage specifications that build on them. RSQ "does not
    /// implicitly take the absolute value of its operand". LIT clamps its exponent. Comparisons follow the
    /// pseudo-code in 2.X.8. If no complete texture is bound, a lookup is undefined (2.X.4.4).
    pub const NV_GPU4: Self = Self {
        address_range: AddressRange::Bits32,
        lit_exponent: LitExponent::Clamped,
        domain: Domain::Partial,
        moves: Moves::KeepBits,
        incomplete_texture: IncompleteTexture::Undefined,
        projection: Projection::Everything,
        ..Self::NV_FRAGMENT
    };
}
