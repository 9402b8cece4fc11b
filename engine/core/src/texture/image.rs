//! Pixels passed to a texture, before conversion to its format.

use super::{MAX_BUFFER_TEXELS, MAX_SIZE, TextureError};

/// Pixel data with four components per pixel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pixels {
    /// n / 255.
    Unsigned(Vec<u8>),
    /// (n - 128) / 128.
    Biased(Vec<u8>),
    /// fp32 values.
    Float(Vec<f32>),
    /// Signed integers.
    SignedIntegers(Vec<i32>),
    /// Unsigned integers.
    UnsignedIntegers(Vec<u32>),
}

impl Pixels {
    /// Whether the components are integers.
    pub const fn are_integers(&self) -> bool {
        matches!(self, Self::SignedIntegers(_) | Self::UnsignedIntegers(_))
    }
}

/// An image of RGBA pixels: x varies fastest, then rows from t = 0 upwards, then slices from r = 0. The GL's
/// first row is the bottom row; see [`Image::flip_rows`].
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    size: [usize; 3],
    pixels: Pixels,
}

impl Image {
    /// The null image: a level that has not been specified.
    pub const fn empty() -> Self {
        Self { size: [0; 3], pixels: Pixels::Unsigned(Vec::new()) }
    }

    /// From R, G, B, A bytes, each representing n/255. `size` is width, height, depth.
    ///
    /// # Errors
    /// A side above [`MAX_SIZE`], a row above [`MAX_BUFFER_TEXELS`], or a length of data other than 4 times
    /// the number of pixels.
    pub fn from_rgba8(size: [usize; 3], data: Vec<u8>) -> Result<Self, TextureError> {
        check(size, data.len())?;
        Ok(Self { size, pixels: Pixels::Unsigned(data) })
    }

    /// From R, G, B, A bytes, each representing (n - 128)/128: 128 is 0, and 0 is -1. Normal maps and offset
    /// maps are stored so. Meant for the signed formats.
    ///
    /// # Errors
    /// As [`Self::from_rgba8`].
    pub fn from_rgba8_biased(size: [usize; 3], data: Vec<u8>) -> Result<Self, TextureError> {
        check(size, data.len())?;
        Ok(Self { size, pixels: Pixels::Biased(data) })
    }

    /// From R, G, B, A floats. Formats other than float formats clamp the values. HI, LO; DS, DT, MAG, VIB;
    /// and depth are in R and the following components.
    ///
    /// # Errors
    /// As [`Self::from_rgba8`].
    pub fn from_f32(size: [usize; 3], data: Vec<f32>) -> Result<Self, TextureError> {
        check(size, data.len())?;
        Ok(Self { size, pixels: Pixels::Float(data) })
    }

    /// From R, G, B, A signed integers, for integer formats. The formats clamp the values
    /// (EXT_texture_integer 3.8.1).
    ///
    /// # Errors
    /// As [`Self::from_rgba8`].
    pub fn from_i32(size: [usize; 3], data: Vec<i32>) -> Result<Self, TextureError> {
        check(size, data.len())?;
        Ok(Self { size, pixels: Pixels::SignedIntegers(data) })
    }

    /// From R, G, B, A unsigned integers, for integer formats. The formats clamp the values.
    ///
    /// # Errors
    /// As [`Self::from_rgba8`].
    pub fn from_u32(size: [usize; 3], data: Vec<u32>) -> Result<Self, TextureError> {
        check(size, data.len())?;
        Ok(Self { size, pixels: Pixels::UnsignedIntegers(data) })
    }

    /// Flips the rows of each slice, for images whose first row is the top row.
    #[must_use]
    pub fn flip_rows(mut self) -> Self {
        fn flip<T>(data: &mut [T], [width, height, _]: [usize; 3]) {
            let row = width * 4;
            if row == 0 || height == 0 {
                return;
            }
            for slice in data.chunks_exact_mut(row * height) {
                let (lower, upper) = slice.split_at_mut(row * (height / 2));
                let rows = upper.chunks_exact_mut(row).rev();
                lower.chunks_exact_mut(row).zip(rows).for_each(|(a, b)| a.swap_with_slice(b));
            }
        }
        match &mut self.pixels {
            Pixels::Unsigned(data) | Pixels::Biased(data) => flip(data, self.size),
            Pixels::Float(data) => flip(data, self.size),
            Pixels::SignedIntegers(data) => flip(data, self.size),
            Pixels::UnsignedIntegers(data) => flip(data, self.size),
        }
        self
    }

    /// Width, height, depth. Zeros for the null image.
    pub const fn size(&self) -> [usize; 3] {
        self.size
    }

    pub(super) const fn pixels(&self) -> &Pixels {
        &self.pixels
    }
}

fn check(size: [usize; 3], actual: usize) -> Result<(), TextureError> {
    let [width, height, depth] = size;
    // The texels of a buffer texture are one long row.
    let is_row = height == 1 && depth == 1 && width <= MAX_BUFFER_TEXELS;
    if size.iter().any(|&n| n > MAX_SIZE) && !is_row {
        return Err(TextureError::TooLarge { size });
    }
    let expected = size.iter().product::<usize>() * 4;
    if actual == expected { Ok(()) } else { Err(TextureError::DataLength { expected, actual }) }
}

/// One level: an image, or the six faces +x, -x, +y, -y, +z, -z of a cube map. For arrays, the images of all
/// layers, one layer after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The images, by layer and face.
    pub faces: Vec<Image>,
}

impl From<Image> for Level {
    fn from(image: Image) -> Self {
        Self { faces: vec![image] }
    }
}

impl From<[Image; 6]> for Level {
    fn from(faces: [Image; 6]) -> Self {
        Self { faces: faces.into() }
    }
}
