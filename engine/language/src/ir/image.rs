//! Image accesses of LOADIM, STOREIM and ATOMIM (EXT_shader_image_load_store, "Dependencies on
//! NV_gpu_program5"). Texture lookups are in `texture`.

use super::{Index, TextureTarget, limits};

/// The image that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageAccess {
    /// The first image unit of the variable.
    pub first: u8,
    /// The number of units in the variable.
    pub count: u8,
    /// The unit within the variable.
    pub index: Index,
    pub target: TextureTarget,
    /// Whether STOREIM converts its data to the format of the image unit. If not, the storage modifier
    /// defines the bits.
    pub formatted: bool,
}

impl ImageAccess {
    /// The targets that images can have.
    pub const TARGETS: [TextureTarget; 11] = [
        TextureTarget::D1,
        TextureTarget::D2,
        TextureTarget::D3,
        TextureTarget::Rect,
        TextureTarget::Cube,
        TextureTarget::Buffer,
        TextureTarget::Array1D,
        TextureTarget::Array2D,
        TextureTarget::ArrayCube,
        TextureTarget::Multisample2D,
        TextureTarget::MultisampleArray2D,
    ];

    /// The unit at this index of the variable, if the index is in range.
    #[inline]
    pub fn unit(&self, index: i64) -> Option<u8> {
        let steps = u8::try_from(index).ok().filter(|&steps| steps < self.count)?;
        self.first.checked_add(steps).filter(|&unit| usize::from(unit) < limits::IMAGE_UNITS)
    }

    /// The components of the coordinates that an access reads, bit 0 = x. The other components count as 0.
    #[inline]
    pub const fn coordinates(&self) -> u8 {
        Self::coordinates_of(self.target)
    }

    /// The components that accesses to images with this target read, bit 0 = x.
    pub const fn coordinates_of(target: TextureTarget) -> u8 {
        match target {
            TextureTarget::D1 | TextureTarget::Buffer => 0b0001,
            TextureTarget::D2 | TextureTarget::Rect => 0b0011,
            TextureTarget::Multisample2D => 0b1011,
            TextureTarget::MultisampleArray2D => 0b1111,
            _ => 0b0111,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_those_that_the_pseudocode_keeps() {
        let used = |target: TextureTarget| {
            ImageAccess { first: 0, count: 1, index: Index::constant(0), target, formatted: false }
                .coordinates()
        };
        let expected = [
            ("1D", 0b0001),
            ("2D", 0b0011),
            ("3D", 0b0111),
            ("RECT", 0b0011),
            ("CUBE", 0b0111),
            ("BUFFER", 0b0001),
            ("ARRAY1D", 0b0111),
            ("ARRAY2D", 0b0111),
            ("ARRAYCUBE", 0b0111),
            ("2DMS", 0b1011),
            ("ARRAY2DMS", 0b1111),
        ];
        assert_eq!(ImageAccess::TARGETS.map(|target| (target.name(), used(target))), expected);
    }

    #[test]
    fn an_index_leads_to_a_unit_of_the_variable() {
        let access = ImageAccess {
            first: 2,
            count: 3,
            index: Index::constant(0),
            target: TextureTarget::D2,
            formatted: true,
        };
        assert_eq!([-1, 0, 2, 3].map(|index| access.unit(index)), [None, Some(2), Some(4), None]);
    }
}
