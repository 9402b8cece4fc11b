//! Image units: which texel an access means, and what it does with it (EXT_shader_image_load_store 3.9.X).

use super::{BufferId, ImageFormat, Mode, Reason};
use crate::ir::TextureTarget;

/// What is bound to an image unit: a level of a texture, or one layer of it, whose texels are in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundImage {
    /// The buffer.
    pub buffer: BufferId,
    /// The byte in it where the first texel begins.
    pub offset: u64,
    /// The target of what is bound: of one layer of a texture that of a single image.
    pub target: TextureTarget,
    /// Texels along each axis, 1 where there is none.
    pub size: [u32; 3],
    /// Layers, or faces of all cube maps, one behind the other.
    pub layers: u32,
    /// Samples of a texel, one behind the other.
    pub samples: u32,
    /// What the unit says texels are.
    pub format: ImageFormat,
    /// What programs may do.
    pub access: Mode,
}

/// Image units in their order: what is bound, or why nothing can be accessed.
pub type ImageUnits = [Result<BoundImage, Reason>];

impl BoundImage {
    /// Where the texel at `coordinates` begins, in the buffer (Table X.5).
    ///
    /// # Errors
    /// [`Reason::OutsideImage`] if there is no such texel, or if a coordinate that the target has not is not 0.
    pub fn texel(&self, coordinates: [i32; 4]) -> Result<u64, Reason> {
        let [x, y, z, w] = coordinates;
        let place = |coordinate: i32, count: u32| {
            u32::try_from(coordinate).ok().filter(|&at| at < count).map(u64::from)
        };
        let [width, height, depth] = self.size;
        let (layers, axes) = (self.layers, self.target.axes());
        // Of arrays and cube maps z chooses the layer or face.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn image(target: TextureTarget, size: [u32; 3], layers: u32, samples: u32) -> BoundImage {
        let (format, access) = (ImageFormat::Rg16Ui, Mode::ReadWrite);
        BoundImage { buffer: BufferId(0), offset: 100, target, size, layers, samples, format, access }
    }

    #[test]
    fn coordinates_mean_what_the_table_says() {
        use TextureTarget::{
            Array1D, Array2D, ArrayCube, Buffer, Cube, D1, D2, D3, MultisampleArray2D, Rect,
        };
        // The row of Table X.5 of each target, and which texel that is: i fastest, then j, then k or the layer.
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
            (image(TextureTarget::Multisample2D, [5, 4, 1], 1, 4), [1, 2, 0, 3], 47),
            (image(MultisampleArray2D, [5, 4, 1], 3, 2), [1, 2, 2, 1], 103),
        ];
        for (image, coordinates, texel) in cases {
            assert_eq!(image.texel(coordinates), Ok(100 + 4 * texel), "{}", image.target.name());
        }
    }

    #[test]
    fn there_is_no_texel_elsewhere() {
        let flat = image(TextureTarget::D2, [5, 4, 1], 1, 1);
        for coordinates in [[-1, 0, 0, 0], [5, 0, 0, 0], [0, 4, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] {
            assert_eq!(flat.texel(coordinates), Err(Reason::OutsideImage), "{coordinates:?}");
        }
        // Of a one-dimensional array y is no coordinate.
        let array = image(TextureTarget::Array1D, [5, 1, 1], 3, 1);
        assert_eq!(array.texel([0, 1, 0, 0]), Err(Reason::OutsideImage));
        assert_eq!(array.texel([0, 0, 3, 0]), Err(Reason::OutsideImage));
        let samples = image(TextureTarget::Multisample2D, [5, 4, 1], 1, 4);
        assert_eq!(samples.texel([0, 0, 0, 4]), Err(Reason::OutsideImage));
        assert_eq!(samples.texel([0, 0, 0, -1]), Err(Reason::OutsideImage));
    }
}
