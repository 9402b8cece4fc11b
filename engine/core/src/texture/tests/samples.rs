//! Multisample textures: supported formats and sizes, and the sample that a fetch reads.

use super::*;
use crate::texture::{ImageFormat, ImageShape, ImageSpec};
use shadestep_language::ir::TextureTarget::{Multisample2D, MultisampleArray2D, Renderbuffer};

/// A texture of one level with images of these sizes; all components are 0.
fn of_size(target: TextureTarget, format: Format, sizes: &[[usize; 3]]) -> Result<Texture, TextureError> {
    let image = |&size: &[usize; 3]| Image::from_f32(size, vec![0.0; 4 * size.iter().product::<usize>()]);
    let faces = sizes.iter().map(image).collect::<Result<_, _>>()?;
    Texture::new(target, format, vec![Level { faces }], Sampler::for_target(target))
}

#[test]
fn samples_are_powers_of_two_up_to_sixteen() {
    for target in [Multisample2D, MultisampleArray2D, Renderbuffer] {
        for samples in [1, 2, 4, 8, 16] {
            let texture = of_size(target, Format::Rgba8, &[[3, 2, samples]]).unwrap();
            assert_eq!(texture.level_size(0), Some([3, 2, samples]));
        }
        for samples in [3, 5, 32] {
            let refused = of_size(target, Format::Rgba8, &[[3, 2, samples]]).unwrap_err();
            assert_eq!(refused, TextureError::Shape { target, size: [3, 2, samples] });
            assert!(refused.to_string().contains(&format!("not {samples}")), "{refused}");
        }
    }
    // One image, or one image for each layer.
    let (twice, one_layer) =
        ([[2, 2, 4]; 2], TextureError::Faces { target: Multisample2D, level: 0, faces: 2 });
    assert_eq!(of_size(Multisample2D, Format::Rgba8, &twice).unwrap_err(), one_layer);
    assert!(of_size(MultisampleArray2D, Format::Rgba8, &twice).is_ok());
}

#[test]
fn formats_are_those_that_can_be_drawn_to() {
    let takes = |format| of_size(Multisample2D, format, &[[1, 1, 2]]).is_ok();
    use Format::{
        Alpha8, Depth24Stencil8, DepthComponent32F, FloatR32, Intensity8, Luminance8, R11FG11FB10F, Rgb9E5,
        Rgba32F, SignedRgba8,
    };
    for format in [Alpha8, Rgba32F, R11FG11FB10F, DepthComponent32F, Depth24Stencil8] {
        assert!(takes(format), "{}", format.name());
    }
    for format in [Luminance8, Intensity8, Rgb9E5, SignedRgba8, FloatR32] {
        assert!(!takes(format), "{}", format.name());
        let refused = of_size(Renderbuffer, format, &[[1, 1, 2]]).unwrap_err();
        assert_eq!(refused, TextureError::FormatTarget { format, target: Renderbuffer });
    }
}

#[test]
fn a_multisample_texture_with_texels_is_complete() {
    let image = Image::from_u32([1, 1, 2], vec![1, 0, 0, 0, 2, 0, 0, 0]).unwrap();
    // No other integer texture is complete with these filters.
    let sampler = Sampler { min_filter: MinFilter::LinearMipmapLinear, ..Sampler::default() };
    let mut texture = Texture::new(Multisample2D, Format::R32Ui, vec![image.into()], sampler).unwrap();
    assert_eq!(texture.why(), None);
    assert_eq!(texture.fetch([0, 0, 0, 1], [0; 3]), Some([2, 0, 0, 1]));
    assert_eq!(texture.generate_mipmaps(), Err(TextureError::NoMipmaps { target: Multisample2D }));
    let none = Texture::new(Multisample2D, Format::R32Ui, vec![Image::empty().into()], sampler).unwrap();
    assert_eq!(none.why(), Some(Incomplete::NoBaseLevel { base_level: 0 }));
}

#[test]
fn images_with_samples_are_looked_up() {
    let size = [2, 3, 1];
    let (target, format, layers, samples, levels) = (MultisampleArray2D, ImageFormat::R32Ui, 2, 4, 1);
    let shape = ImageShape::new(ImageSpec { target, format, size, layers, samples, levels }).unwrap();
    // An image stores the samples of a texel together.
    let bytes: Vec<u8> = (0..48_u32).flat_map(u32::to_le_bytes).collect();
    let texture = Texture::of_image(&shape, &bytes, Sampler::for_target(target)).unwrap();
    for number in 0..48 {
        let (sample, x, y, layer) = (number % 4, number / 4 % 2, number / 8 % 3, number / 24);
        assert_eq!(texture.fetch([x, y, layer, sample], [0; 3]), Some([number as u32, 0, 0, 1]));
    }
    assert_eq!(texture.size_above_base(0), Some(([2, 3, 2], 3)));
}
