//! Image units: the texel that an access refers to, and the binding of textures (EXT_shader_image_load_store
//! 3.9.X).

use super::{BufferId, Mode, Reason};
use crate::texture::{ImageFormat, ImageShape};
use shadestep_language::ir::TextureTarget;

/// The binding of an image unit: a level of a texture, or one layer of it, with its texels in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundImage {
    /// The buffer.
    pub buffer: BufferId,
    /// Offset of the first texel in the buffer, in bytes.
    pub offset: u64,
    /// The target of the bound level. For one layer of a texture, the target of a single image.
    pub target: TextureTarget,
    /// Texels along each axis. Axes that the target does not have are 1.
    pub size: [u32; 3],
    /// Number of layers, or of the faces of all cube maps, stored consecutively.
    pub layers: u32,
    /// Samples per texel, stored consecutively.
    pub samples: u32,
    /// The format of the unit.
    pub format: ImageFormat,
    /// The accesses that programs may make.
    pub access: Mode,
}

/// The image units in order: each binding, or the reason why accesses fail.
pub type ImageUnits = [Result<BoundImage, Reason>];

impl BoundImage {
    /// Offset of the texel at `coordinates` in the buffer, in bytes (Table X.5).
    ///
    /// # Errors
    /// [`Reason::OutsideImage`] if there is no such texel, or if a coordinate that the target does not have
    /// is not 0.
    pub fn texel(&self, coordinates: [i32; 4]) -> Result<u64, Reason> {
        let [x, y, z, w] = coordinates;
        let place = |coordinate: i32, count: u32| {
            u32::try_from(coordinate).ok().filter(|&at| at < count).map(u64::from)
        };
        let [width, height, depth] = self.size;
        let (layers, axes) = (self.layers, self.target.axes());
        // For arrays and cube maps, z is the layer or face.
        let has_layers = self.target.layer().is_some() || self.target.is_cube();
        let found = || {
            let i = place(x, width)?;
            let j = place(y, if axes > 1 { height } else { 1 })?;
            let k = place(if axes > 2 { z } else { 0 }, depth)?;
            let layer = place(if axes > 2 { 0 } else { z }, if has_layers { layers } else { 1 })?;
            let sample = place(w, self.samples)?;
            let [width, height, depth, samples] = [width, height, depth, self.samples].map(u64::from);
            let texel = ((layer * depth + k) * height + j) * width + i;
            Some(self.offset + (texel * samples + sample) * self.format.bytes() as u64)
        };
        found().ok_or(Reason::OutsideImage)
    }
}

impl ImageShape {
    /// BindImageTextureEXT: the binding of a level, or of one layer of it, for a texture in `buffer`.
    ///
    /// # Errors
    /// [`Reason::NoLevel`] if the texture does not have the level or layer, [`Reason::OtherFormat`] if texels
    /// of `format` have another size.
    pub fn bind(
        &self,
        buffer: BufferId,
        (level, layer): (u32, Option<u32>),
        (format, access): (ImageFormat, Mode),
    ) -> Result<BoundImage, Reason> {
        let level = usize::try_from(level).map_err(|_| Reason::NoLevel)?;
        let mut size = *self.levels().get(level).ok_or(Reason::NoLevel)?;
        if format.bytes() != self.format().bytes() {
            return Err(Reason::OtherFormat);
        }
        let (mut offset, mut layers, mut target) = (self.level_at(level), self.layers(), self.target());
        let single = match self.target() {
            TextureTarget::Array1D => Some(TextureTarget::D1),
            TextureTarget::D3 | TextureTarget::Array2D | TextureTarget::Cube | TextureTarget::ArrayCube => {
                Some(TextureTarget::D2)
            }
            TextureTarget::MultisampleArray2D => Some(TextureTarget::Multisample2D),
            // `<layered>` and `<layer>` are ignored for textures without layers.
            _ => None,
        };
        if let (Some(layer), Some(single)) = (layer, single) {
            let count = if self.target() == TextureTarget::D3 { size[2] } else { layers };
            if layer >= count {
                return Err(Reason::NoLevel);
            }
            size[2] = 1;
            offset += u64::from(layer) * self.layer_bytes(size);
            (layers, target) = (1, single);
        }
        Ok(BoundImage { buffer, offset, target, size, layers, samples: self.samples(), format, access })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::ImageSpec;
    use TextureTarget::{Array1D, Array2D, ArrayCube, Cube, D1, D2, D3, Multisample2D};

    fn image(target: TextureTarget, size: [u32; 3], layers: u32, samples: u32) -> BoundImage {
        let (format, access) = (ImageFormat::Rg16Ui, Mode::ReadWrite);
        BoundImage { buffer: BufferId(0), offset: 100, target, size, layers, samples, format, access }
    }

    #[test]
    fn coordinates_mean_what_the_table_says() {
        use TextureTarget::{Buffer, MultisampleArray2D, Rect};
        // The row of Table X.5 for each target, and the expected texel number: i fastest, then j, then k or
        // the layer.
        let cases = [
            (image(D1, [5, 1, 1], 1, 1), [4, 0, 0, 0], 4),
            (image(Buffer, [5, 1, 1], 1, 1), [3, 0, 0, 0], 3),
            (image(D2, [5, 4, 1], 1, 1), [1, 2, 0, 0], 11),
            (image(Rect, [5, 4, 1], 1, 1), [4, 3, 0, 0], 19),
            (image(D3, [5, 4, 3], 1, 1), [1, 2, 2, 0], 51),
            (image(Cube, [4, 4, 1], 6, 1), [1, 2, 5, 0], 89),
            (image(Array1D, [5, 1, 1], 3, 1), [1, 0, 2, 0], 11),
            (image(Array2D, [5, 4, 1], 3, 1), [1, 2, 2, 0], 51),
            (image(ArrayCube, [2, 2, 1], 12, 1), [1, 1, 11, 0], 47),
            (image(Multisample2D, [5, 4, 1], 1, 4), [1, 2, 0, 3], 47),
            (image(MultisampleArray2D, [5, 4, 1], 3, 2), [1, 2, 2, 1], 103),
        ];
        for (image, coordinates, texel) in cases {
            assert_eq!(image.texel(coordinates), Ok(100 + 4 * texel), "{}", image.target.name());
        }
    }

    #[test]
    fn there_is_no_texel_elsewhere() {
        let flat = image(D2, [5, 4, 1], 1, 1);
        for coordinates in [[-1, 0, 0, 0], [5, 0, 0, 0], [0, 4, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] {
            assert_eq!(flat.texel(coordinates), Err(Reason::OutsideImage), "{coordinates:?}");
        }
        // A one-dimensional array does not use y as a coordinate.
        let array = image(Array1D, [5, 1, 1], 3, 1);
        assert_eq!(array.texel([0, 1, 0, 0]), Err(Reason::OutsideImage));
        assert_eq!(array.texel([0, 0, 3, 0]), Err(Reason::OutsideImage));
        let samples = image(Multisample2D, [5, 4, 1], 1, 4);
        assert_eq!(samples.texel([0, 0, 0, 4]), Err(Reason::OutsideImage));
        assert_eq!(samples.texel([0, 0, 0, -1]), Err(Reason::OutsideImage));
    }

    fn spec(target: TextureTarget, size: [u32; 3]) -> ImageSpec {
        ImageSpec { target, format: ImageFormat::Rg8, size, layers: 1, samples: 1, levels: 1 }
    }

    fn shape(spec: ImageSpec) -> ImageShape {
        ImageShape::new(spec).unwrap()
    }

    #[test]
    fn one_layer_is_bound_as_an_image_of_its_own() {
        let own = (ImageFormat::Rg8, Mode::ReadWrite);
        let bound = |spec: ImageSpec, level, layer| {
            let image = shape(spec).bind(BufferId(7), (level, layer), own)?;
            Ok((image.target, image.size, image.layers, image.offset))
        };
        let array = ImageSpec { layers: 3, levels: 2, ..spec(Array2D, [4, 2, 1]) };
        assert_eq!(bound(array, 0, None), Ok((Array2D, [4, 2, 1], 3, 0)));
        assert_eq!(bound(array, 1, Some(2)), Ok((D2, [2, 1, 1], 1, 48 + 8)));
        assert_eq!(bound(array, 2, None), Err(Reason::NoLevel));
        assert_eq!(bound(array, 0, Some(3)), Err(Reason::NoLevel));
        // glspec40 table 4.13: layer 5 is the last face. For arrays, the layer is 6 times the cube map plus
        // the face.
        assert_eq!(bound(spec(Cube, [2, 2, 1]), 0, Some(5)), Ok((D2, [2, 2, 1], 1, 40)));
        let cubes = ImageSpec { layers: 2, ..spec(ArrayCube, [2, 2, 1]) };
        assert_eq!(bound(cubes, 0, Some(11)), Ok((D2, [2, 2, 1], 1, 88)));
        assert_eq!(bound(spec(D3, [2, 2, 3]), 0, Some(2)), Ok((D2, [2, 2, 1], 1, 16)));
        // `<layer>` is ignored without layers.
        assert_eq!(bound(spec(D2, [2, 2, 1]), 0, Some(9)), Ok((D2, [2, 2, 1], 1, 0)));
        let other = (ImageFormat::R32F, Mode::ReadOnly);
        let wide = shape(spec(D2, [2, 2, 1])).bind(BufferId(0), (0, None), other);
        assert_eq!(wide, Err(Reason::OtherFormat));
    }

    #[test]
    fn bytes_lead_back_to_texels() {
        for spec in [
            ImageSpec { layers: 3, levels: 2, ..spec(Array2D, [4, 2, 1]) },
            spec(D3, [3, 2, 4]),
            ImageSpec { samples: 4, ..spec(Multisample2D, [3, 2, 1]) },
            spec(Cube, [2, 2, 1]),
        ] {
            let shape = shape(spec);
            for offset in 0..shape.bytes() {
                let (level, at) = shape.texel_at(offset).unwrap();
                let own = (spec.format, Mode::ReadOnly);
                let image = shape.bind(BufferId(0), (level as u32, None), own).unwrap();
                assert_eq!(image.texel(at.map(|c| c as i32)), Ok(offset / 2 * 2), "{spec:?} {offset}");
            }
            assert_eq!(shape.texel_at(shape.bytes()), None);
        }
    }
}
