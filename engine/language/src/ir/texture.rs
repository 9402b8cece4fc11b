//! Texture image units and the texture access of a lookup instruction. Image accesses are in `image`.

use super::Index;
use crate::isa::TextureTarget;

/// Number of texture image units.
pub const IMAGE_UNITS: usize = 16;

/// A texture image unit and the target of the lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureRef {
    /// Image unit, 0 to 15.
    pub unit: u8,
    pub target: TextureTarget,
}

/// The offset that a lookup adds to its texel coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexelOffset {
    /// Constants for s, t and r (NV_gpu_program4 2.X.4.4).
    Constant([i8; 3]),
    /// The last operand, with signed integers (NV_gpu_program5 2.X.4.4).
    Operand,
}

impl TexelOffset {
    /// No offset.
    pub const NONE: Self = Self::Constant([0; 3]);

    /// The least and the greatest offset in texels, `MIN_PROGRAM_TEXEL_OFFSET_EXT` and
    /// `MAX_PROGRAM_TEXEL_OFFSET_EXT` (NV_gpu_program5, issue 2).
    pub const RANGE: (i32, i32) = (-8, 7);

    /// The least and the greatest offset of TXGO, `MIN_PROGRAM_TEXTURE_GATHER_OFFSET_NV` and
    /// `MAX_PROGRAM_TEXTURE_GATHER_OFFSET_NV`.
    pub const GATHER_RANGE: (i32, i32) = (-32, 31);
}

/// The texture access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureAccess {
    /// The first image unit of the variable.
    pub first: u8,
    /// The number of units in the variable.
    pub count: u8,
    /// The unit within the variable.
    pub index: Index,
    pub target: TextureTarget,
    /// The component that TXG and TXGO gather, 0 = x.
    pub component: u8,
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

    /// The unit at `index` of the variable, if the index is in range.
    #[inline]
    pub fn element(&self, index: i64) -> Option<TextureRef> {
        let steps = u8::try_from(index).ok().filter(|&steps| steps < self.count)?;
        Some(TextureRef { unit: self.first.checked_add(steps)?, target: self.target })
    }

    /// The unit, if the index is constant.
    #[inline]
    pub fn known(&self) -> Option<TextureRef> {
        self.index.register.is_none().then(|| self.element(self.index.offset)).flatten()
    }

    /// The units that the instruction may access.
    pub fn units(&self) -> impl Iterator<Item = TextureRef> + use<> {
        let access = *self;
        let known = access.known();
        let chosen = (0..access.count).filter(move |_| known.is_none());
        known.into_iter().chain(chosen.filter_map(move |index| access.element(index.into())))
    }
}
