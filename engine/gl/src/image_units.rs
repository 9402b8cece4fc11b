//! Texture image units: the textures that programs look up. Textures are values of
//! [`shadestep_core::texture`] without names. TexBufferEXT creates the textures whose texels are in a buffer
//! object (EXT_texture_buffer_object).

use super::enums::EnumArgument;
use std::sync::Arc;

use super::Context;
use super::buffers::BufferId;
use super::enums::{BufferTarget, Cap, Named};
use super::error::{Error, Result, named};
use shadestep_core::texture::{CubeEdges, Format, Texture};
use shadestep_language::ir::TextureTarget;

const TEX_BUFFER: &str = "EXT_texture_buffer_object 3.8.4";

/// The textures of an image unit.
#[derive(Clone, Debug, Default)]
pub(super) struct ImageUnit {
    /// The texture of all targets but BUFFER.
    texture: Option<Arc<Texture>>,
    buffer: BufferTexture,
}

/// The buffer texture of a unit. Each unit acts as if it had its own texture bound to TEXTURE_BUFFER_EXT.
#[derive(Clone, Debug)]
enum BufferTexture {
    /// A texture with its own texels.
    Made(Arc<Texture>),
    /// The attached buffer object as texels of a format.
    Attached(Format, Option<BufferId>),
}

impl Default for BufferTexture {
    fn default() -> Self {
        Self::Attached(Format::Luminance8, None)
    }
}

impl ImageUnit {
    /// The attached buffer object.
    pub const fn attached(&self) -> Option<BufferId> {
        match self.buffer {
            BufferTexture::Attached(_, buffer) => buffer,
            BufferTexture::Made(_) => None,
        }
    }
}

/// Textures of image units.
impl Context {
    /// `BindTexture` together with the creation of the texture: image unit `unit` looks up `texture`. All
    /// targets of a unit share one texture, except BUFFER, which has its own. `None` unbinds: lookups then
    /// use an incomplete texture.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the unit is 16 or more (NV_fragment_program F.2.6).
    pub fn bind_texture(&mut self, unit: u32, texture: Option<Arc<Texture>>) -> Result<()> {
        self.command("BindTexture", |context| {
            let place = usize::try_from(unit).ok().and_then(|place| context.image_units.get_mut(place));
            let place = place.ok_or_else(|| {
                Error::invalid_operation(
                    "NV_fragment_program F.2.6",
                    format!("there is no image unit {unit}"),
                )
            })?;
            match texture {
                Some(texture) if texture.target() == TextureTarget::Buffer => {
                    place.buffer = BufferTexture::Made(texture);
                }
                Some(texture) => place.texture = Some(texture),
                None => *place = ImageUnit::default(),
            }
            context.forget_buffers();
            Ok(())
        })
    }

    /// The texture of image unit `unit` for lookups with this target.
    pub fn texture(&self, unit: u32, target: TextureTarget) -> Option<Arc<Texture>> {
        let unit = self.image_units.get(usize::try_from(unit).ok()?)?;
        match &unit.buffer {
            _ if target != TextureTarget::Buffer => unit.texture.clone(),
            BufferTexture::Made(texture) => Some(texture.clone()),
            BufferTexture::Attached(format, buffer) => self.buffers.texture((*buffer)?, *format),
        }
    }

    /// `TexBufferEXT`: attaches the buffer object `buffer` to the buffer texture of the active unit; 0
    /// detaches. Draws see later writes to the buffer object.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is TEXTURE_BUFFER_EXT and the format is in table X.1 or in glspec40's
    /// table 3.21; `INVALID_OPERATION` if `buffer` is neither 0 nor the name of a buffer object.
    pub fn tex_buffer(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        format: impl EnumArgument<Format>,
        buffer: u32,
    ) -> Result<()> {
        self.command("TexBufferEXT", |context| {
            let BufferTarget::Texture = named(target, TEX_BUFFER, "target")? else {
                return Err(Error::invalid_enum(TEX_BUFFER, "the target is not TEXTURE_BUFFER_EXT"));
            };
            let format = named(format, TEX_BUFFER, "format")?;
            if !format.is_of_buffers() {
                let reason = format!("no buffer texture has the format {}", format.name());
                return Err(Error::invalid_enum(TEX_BUFFER, reason));
            }
            let attached = context.buffers.named(buffer);
            if buffer != 0 && attached.is_none() {
                let reason = format!("there is no buffer object {buffer}");
                return Err(Error::invalid_operation(TEX_BUFFER, reason));
            }
            context.active_unit_mut().buffer = BufferTexture::Attached(format, attached);
            context.forget_buffers();
            Ok(())
        })
    }

    /// `GetIntegerv` of `TEXTURE_BUFFER_DATA_STORE_BINDING_EXT` and `TEXTURE_BUFFER_FORMAT_EXT`: the name of
    /// the buffer object that is attached to the active unit's buffer texture, and the format; initially 0
    /// and LUMINANCE8.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_texture_buffer(&self) -> Result<(u32, Format)> {
        self.query("GetIntegerv", || {
            let unit = &self.image_units[usize::from(self.matrices.active_texture)];
            Ok(match &unit.buffer {
                BufferTexture::Made(texture) => (0, texture.format()),
                BufferTexture::Attached(format, buffer) => {
                    (buffer.map_or(0, |buffer| self.buffers.name(buffer)), *format)
                }
            })
        })
    }

    fn active_unit_mut(&mut self) -> &mut ImageUnit {
        &mut self.image_units[usize::from(self.matrices.active_texture)]
    }

    /// Drops deleted buffer objects that no buffer texture uses.
    pub(super) fn forget_buffers(&mut self) {
        let kept = self.attrib_stack.iter().flat_map(|saved| saved.image_units());
        let attached = kept.chain(&self.image_units).filter_map(ImageUnit::attached);
        let attached: Vec<BufferId> =
            attached.chain(self.images.buffers()).chain(self.feedback.buffers()).collect();
        self.buffers.retain(&attached);
    }

    /// The texture of an image unit for lookups with this target. Includes the unit's bias, and seamless
    /// filtering if it is enabled for all cube maps.
    pub(super) fn texture_on_unit(&self, unit: usize, target: TextureTarget) -> Option<Arc<Texture>> {
        let texture = self.texture(u32::try_from(unit).ok()?, target)?;
        let bias = self.fixed_function.lod_bias(unit);
        let edges = match texture.target() {
            TextureTarget::Cube if self.state.is(Cap::TextureCubeMapSeamless) => CubeEdges::Seamless,
            _ => texture.sampler().cube_edges,
        };
        let is_so = bias == 0.0 && edges == texture.sampler().cube_edges;
        Some(if is_so { texture } else { Arc::new(texture.on_unit(bias, edges)) })
    }
}

/// The formats of buffer textures: table X.1 of EXT_texture_buffer_object, and glspec40's table 3.21.
impl Named for Format {
    fn of_constant(value: u32) -> Option<Self> {
        let mut formats = Self::ALL.iter().copied().filter(|format| format.is_of_buffers());
        formats.find(|format| format.constant() == Some(value))
    }
}
