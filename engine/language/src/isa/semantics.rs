//! Flags for what an operation does where the texts of the languages differ. A language's [`super::Profile`] has
//! them, each instruction carries them, and so the executors need not know the language.

/// What an operation does where the texts differ. Each field is read by the operations that it names and means nothing to
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semantics {
    /// SEQ to SNE: what comes of a NaN operand.
    pub set_on_nan: SetOnNan,
    /// ARL, ARR, ARA: which whole numbers the result can be.
    pub address_range: AddressRange,
    /// LIT: which exponents it takes.
    pub lit_exponent: LitExponent,
    /// RSQ: what it takes the root of.
    pub rsq_operand: RsqOperand,
    /// All operations: whether every operand has a result.
    pub domain: Domain,
    /// MOV, SWZ, and what CMP chooses: what becomes of a denorm.
    pub moves: Moves,
    /// Lookups: the result where no complete texture is bound.
    pub incomplete_texture: IncompleteTexture,
    /// TXP: what is divided by the fourth component.
    pub projection: Projection,
}

/// What set-on instructions make of a NaN operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOnNan {
    /// The comparison is true or false as IEEE has it: 0.0 or 1.0.
    Compares,
    /// NaN (ruling 1 of the vertex languages).
    Propagates,
}

/// Which whole numbers address registers can be loaded with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressRange {
    /// Any: nothing is clamped (ruling 6 of the vertex languages).
    Unclamped,
    /// -512 to 511 (NV_vertex_program2 2.14.1.3).
    Bits10,
    /// Those of 32 bits.
    Bits32,
}

/// Which exponents LIT takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LitExponent {
    /// Any (NV_fragment_program 3.11.5.15).
    Unclamped,
    /// Those between -128 and 128 (NV_vertex_program2 2.14.3.18).
    Clamped,
}

/// Whether every operand has a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// The texts have special cases for all operands.
    Whole,
    /// The text leaves LG2 of zero and below undefined, and SCS beyond PI (ARB_fragment_program 3.11.5.12 and 3.11.5.23,
    /// ARB_vertex_program 2.14.5.12).
    Functions,
    /// The text leaves more undefined: RSQ of zero and below, division by zero, shifts and fields out of range.
    Partial,
}

/// What becomes of the denorms of what is only moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// They are zeros, as wherever operands are loaded (ruling 6).
    Flush,
    /// They stay as all bits do, so that an integer can be moved as a number (ruling 14 of NV_gpu_program4).
    KeepBits,
}

/// What RSQ takes the root of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RsqOperand {
    /// Its operand.
    Signed,
    /// Its operand's absolute value (ARB_fragment_program 3.11.5.22, ARB_vertex_program 2.14.5.22).
    Magnitude,
}

/// What a lookup gives where no complete texture is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IncompleteTexture {
    /// (0,0,0,0)
    Zero,
    /// (0,0,0,1) (ARB_fragment_program 3.11.6).
    OpaqueBlack,
    /// Undefined, as are the results of lookups that do not fit the texture (NV_gpu_program4 2.X.4.4).
    Undefined,
}

/// What TXP divides by the fourth component of its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Projection {
    /// Coordinates of an image; the direction that cube maps are looked up with stays as it is.
    Positions,
    /// The first three components, whatever they are (NV_gpu_program4 2.X.8, TXP).
    Everything,
}

impl IncompleteTexture {
    /// The texel.
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

    /// The ARB languages, with NVIDIA's options or without.
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

    /// NV_gpu_program4, NV_gpu_program5 and what they are for each stage. RSQ "does not implicitly take the absolute value
    /// of its operand"; LIT clamps its exponent; comparisons are their pseudo-code's (2.X.8). Where no complete texture is
    /// bound a lookup is undefined (2.X.4.4).
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
