//! Texture image units, and how an instruction names the texture that it looks up.

use super::Index;
use crate::isa::TextureTarget;

/// Number of texture image units.
pub const IMAGE_UNITS: usize = 16;

/// A texture image unit and the target looked up on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureRef {
    /// Image unit, 0 to 15.
    pub unit: u8,
    /// Target.
    pub target: TextureTarget,
}

/// What an instruction adds to the texel coordinates of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexelOffset {
    /// Constants along s, t and r (NV_gpu_program4 2.X.4.4).
    Constant([i8; 3]),
    /// Signed integers: the last operand (NV_gpu_program5 2.X.4.4).
    Operand,
}

impl TexelOffset {
    /// No offset.
    pub const NONE: Self = Self::Constant([0; 3]);

    /// The least and the greatest offset in texels, `MIN_PROGRAM_TEXEL_OFFSET_EXT` and `MAX_...` (NV_gpu_program5,
    /// issue 2).
    pub const RANGE: (i32, i32) = (-8, 7);

    /// The same of TXGO, `MIN_PROGRAM_TEXTURE_GATHER_OFFSET_NV` and `MAX_...`.
    pub const GATHER_RANGE: (i32, i32) = (-32, 31);
}

/// The texture that an instruction looks up, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureAccess {
    /// The first image unit of the variable.
    pub first: u8,
    /// How many units the variable has.
    pub count: u8,
    /// Which of them.
    pub index: Index,
    /// Target.
    pub target: TextureTarget,
    /// The component that TXG and TXGO gather, 0 = x.
    pub component: u8,
    /// Offset in texels.
    pub offset: TexelOffset,
}

impl TextureAccess {
    /// A lookup of one unit without an offset.
    pub const fn new(unit: u8, target: TextureTarget) -> Self {
        Self {
            first: unit,
            count: 1,
            index: Index::constant(0),
            target,
            component: 0,
            offset: TexelOffset::NONE,
        }
    }

    /// Element `index` of the variable, if there is one.
    pub fn element(&self, index: i64) -> Option<TextureRef> {
        let steps = u8::try_from(index).ok().filter(|&steps| steps < self.count)?;
        Some(TextureRef { unit: self.first.checked_add(steps)?, target: self.target })
    }

    /// The unit, where the program does not choose among several.
    pub fn known(&self) -> Option<TextureRef> {
        self.index.register.is_none().then(|| self.element(self.index.offset)).flatten()
    }

    /// The units that may be looked up.
    pub fn units(&self) -> impl Iterator<Item = TextureRef> + use<> {
        let access = *self;
        let known = access.known();
        let chosen = (0..access.count).filter(move |_| known.is_none());
        known.into_iter().chain(chosen.filter_map(move |index| access.element(index.into())))
    }
}
