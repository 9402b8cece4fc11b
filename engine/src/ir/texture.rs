//! Texture image units and targets.

/// Texture targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureTarget {
    /// `1D`
    D1,
    /// `2D`
    D2,
    /// `3D`
    D3,
    /// `CUBE`
    Cube,
    /// `RECT`
    Rect,
    /// `SHADOW1D`: a 1D texture compared with the third coordinate (ARB_fragment_program_shadow).
    Shadow1D,
    /// `SHADOW2D`: a 2D texture compared with the third coordinate.
    Shadow2D,
    /// `SHADOWRECT`: a RECT texture compared with the third coordinate.
    ShadowRect,
}

impl TextureTarget {
    /// The targets that textures have.
    pub const ALL: [Self; 5] = [Self::D1, Self::D2, Self::D3, Self::Cube, Self::Rect];

    /// The targets that look up a depth comparison.
    pub const SHADOW: [Self; 3] = [Self::Shadow1D, Self::Shadow2D, Self::ShadowRect];

    /// The target as written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::D1 => "1D",
            Self::D2 => "2D",
            Self::D3 => "3D",
            Self::Cube => "CUBE",
            Self::Rect => "RECT",
            Self::Shadow1D => "SHADOW1D",
            Self::Shadow2D => "SHADOW2D",
            Self::ShadowRect => "SHADOWRECT",
        }
    }

    /// The target of the texture that is looked up.
    pub const fn image(self) -> Self {
        match self {
            Self::Shadow1D => Self::D1,
            Self::Shadow2D => Self::D2,
            Self::ShadowRect => Self::Rect,
            Self::D1 | Self::D2 | Self::D3 | Self::Cube | Self::Rect => self,
        }
    }

    /// Whether it looks up a depth comparison.
    pub const fn is_shadow(self) -> bool {
        matches!(self, Self::Shadow1D | Self::Shadow2D | Self::ShadowRect)
    }

    /// The coordinates a lookup reads, bit 0 = s; the third is the reference value of a comparison.
    pub const fn coordinates(self) -> u8 {
        match self {
            Self::D1 => 0b001,
            Self::D2 | Self::Rect => 0b011,
            Self::Shadow1D => 0b101,
            Self::D3 | Self::Cube | Self::Shadow2D | Self::ShadowRect => 0b111,
        }
    }
}

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
