//! The formats that a texture can have, grouped for lists.

use super::texture::{TextureSpec, has_integers, sampler};
use super::{ImageSource, Mipmaps, SceneTexture};
use shadestep_engine::texture::{Component, Format, Sampler, Texture};

shadestep_engine::named_enum! {
    /// A group of formats in a list. The name is its heading.
    pub enum FormatGroup {
        Unsigned = "Numbers from 0 to 1",
        /// Includes the offsets of NV_texture_shader.
        Signed = "Signed numbers and offsets",
        Float = "Floating point",
        Depth = "Depths",
        UnsignedIntegers = "Unsigned integers",
        SignedIntegers = "Signed integers",
    }
}

impl FormatGroup {
    const fn of(format: Format) -> Self {
        match format.components()[0] {
            Component::Uint(_) => Self::UnsignedIntegers,
            Component::Int(_) => Self::SignedIntegers,
            _ if format.base().is_depth() => Self::Depth,
            Component::Float(_) | Component::Shared => Self::Float,
            Component::Biased(_) | Component::Snorm(_) => Self::Signed,
            Component::Unorm(_) | Component::Depth => Self::Unsigned,
        }
    }
}

impl TextureSpec {
    /// The formats that this texture can have with its images and target, in order of their groups. `bound`
    /// is the loaded texture, if there is one.
    pub fn formats(&self, bound: Option<&SceneTexture>) -> Vec<(FormatGroup, Format)> {
        let able = Format::ALL.iter().copied().filter(|format| self.takes(*format, bound));
        let mut formats: Vec<_> = able.map(|format| (FormatGroup::of(format), format)).collect();
        formats.sort_by_key(|(group, _)| *group);
        formats
    }

    /// Returns the texture in another format. Between integer and other formats, filters and levels become
    /// the new format's defaults, as lookups of integers cannot blend texels.
    #[must_use]
    pub fn changed_to(&self, format: Format) -> Self {
        if has_integers(format) == has_integers(self.format) {
            return Self { format, ..self.clone() };
        }
        let initial = Self::new(self.unit, self.target, ImageSource::Builtin("xor".to_owned()));
        let initial = initial.in_format(format);
        let mipmaps = match &self.mipmaps {
            Mipmaps::Given(levels) => Mipmaps::Given(levels.clone()),
            Mipmaps::Generate | Mipmaps::None => initial.mipmaps,
        };
        let Sampler { min_filter, mag_filter, .. } = initial.sampler;
        let sampler = Sampler { min_filter, mag_filter, ..self.sampler };
        Self { format, sampler, mipmaps, ..self.clone() }
    }

    fn takes(&self, format: Format, bound: Option<&SceneTexture>) -> bool {
        let changed = self.changed_to(format);
        let Ok(sampler) = sampler(&changed) else { return false };
        // The formats that a target allows do not depend on the size, so one texel is enough.
        let faces = vec![[1, 1, 1]; self.target.faces()];
        if Texture::check(self.target, format, &[faces], &sampler).is_err() {
            return false;
        }
        let now = self.format;
        match self.sources() {
            // The values fit if both formats have the same type of numbers and the same number of components.
            [ImageSource::Values(_)] => {
                now.numbers() == format.numbers() && now.pixel_places().len() == format.pixel_places().len()
            }
            [ImageSource::Store(_)] => {
                let bytes = bound.zip(now.bytes_in_buffer());
                let bytes = bytes.map(|(texture, each)| texture.texels() * each);
                let each = format.bytes_in_buffer();
                bytes.zip(each).is_some_and(|(bytes, each)| bytes.is_multiple_of(each))
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Folder;
    use shadestep_engine::ir::TextureTarget;
    use shadestep_engine::texture::MagFilter;

    /// Every listed format loads, and every other format is refused.
    #[test]
    fn the_formats_on_offer_are_those_that_load() {
        use TextureTarget::{Buffer, Cube, D2, D3, Multisample2D, Rect};
        for target in [D2, D3, Rect, Cube, Buffer, Multisample2D] {
            let spec = TextureSpec::new(0, target, ImageSource::Builtin("white".to_owned()));
            let offered: Vec<Format> = spec.formats(None).into_iter().map(|(_, format)| format).collect();
            assert!(offered.contains(&spec.format), "{target:?}");
            for format in Format::ALL.iter().copied() {
                let loaded = SceneTexture::load(&Folder::Bundled(""), spec.changed_to(format));
                let loads = loaded.is_ok_and(|texture| texture.is_complete());
                assert_eq!(loads, offered.contains(&format), "{target:?} {}", format.name());
            }
        }
    }

    #[test]
    fn integers_come_and_go_with_their_filters() {
        let spec = TextureSpec::new(0, TextureTarget::D2, ImageSource::Builtin("xor".to_owned()));
        let integers = spec.changed_to(Format::Rgba8Ui);
        assert_eq!((integers.sampler.mag_filter, &integers.mipmaps), (MagFilter::Nearest, &Mipmaps::None));
        assert_eq!(integers.changed_to(Format::Rgba8), spec);
        let mut near = spec.clone();
        near.sampler.mag_filter = MagFilter::Nearest;
        assert_eq!(
            near.changed_to(Format::R8).sampler.mag_filter,
            MagFilter::Nearest,
            "no reason to change it"
        );
    }

    #[test]
    fn groups_are_told_apart() {
        for (name, group) in [
            ("RGBA8", FormatGroup::Unsigned),
            ("SIGNED_RGBA8", FormatGroup::Signed),
            ("DSDT8_MAG8", FormatGroup::Signed),
            ("FLOAT_RGBA32", FormatGroup::Float),
            ("R11F_G11F_B10F", FormatGroup::Float),
            ("RGBA16F", FormatGroup::Float),
            ("DEPTH_COMPONENT32F", FormatGroup::Depth),
            ("DEPTH24_STENCIL8", FormatGroup::Depth),
            ("RGBA32UI", FormatGroup::UnsignedIntegers),
            ("R8I", FormatGroup::SignedIntegers),
        ] {
            assert_eq!(FormatGroup::of(Format::from_name(name).unwrap()), group, "{name}");
        }
    }
}
