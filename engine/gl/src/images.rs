//! Image units: textures that programs read and write (EXT_shader_image_load_store 3.9.X). Their texels are
//! in buffer objects, whatever their target.

use super::enums::EnumArgument;
use std::collections::BTreeMap;

use super::Context;
use super::buffers::BufferId;
use super::enums::Named;
use super::error::{Error, Result, named};
use shadestep_core::memory::{BoundImage, BufferId as MemoryId, Mode, Reason};
use shadestep_core::texture::{ImageFormat, ImageShape, Sampler, Texture, TextureError};
use shadestep_language::ir::limits;

const CLAUSE: &str = "EXT_shader_image_load_store 3.9.X";

/// A texture that programs can write.
#[derive(Clone, Debug)]
struct ImageTexture {
    shape: ImageShape,
    buffer: BufferId,
}

/// The binding of an image unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageBinding {
    /// `IMAGE_BINDING_NAME_EXT`: the texture's name.
    pub texture: u32,
    /// `IMAGE_BINDING_LEVEL_EXT`
    pub level: u32,
    /// `IMAGE_BINDING_LAYERED_EXT`: whether all layers are bound.
    pub layered: bool,
    /// `IMAGE_BINDING_LAYER_EXT`: the bound layer, unless all are bound.
    pub layer: u32,
    /// `IMAGE_BINDING_ACCESS_EXT`
    pub access: Mode,
    /// `IMAGE_BINDING_FORMAT_EXT`
    pub format: ImageFormat,
}

/// The writable textures of a context, and the bindings of its image units.
#[derive(Clone, Debug, Default)]
pub(super) struct Images {
    textures: BTreeMap<u32, ImageTexture>,
    units: [Option<ImageBinding>; limits::IMAGE_UNITS],
}

impl Images {
    /// The buffer objects that hold texels.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> {
        self.textures.values().map(|texture| texture.buffer)
    }

    /// The state of each unit in a memory. `buffer` maps buffer objects to that memory's buffers.
    pub fn units(
        &self,
        buffer: impl Fn(BufferId) -> Option<MemoryId>,
    ) -> Vec<std::result::Result<BoundImage, Reason>> {
        let unit = |unit: &Option<ImageBinding>| {
            let ImageBinding { texture, level, layered, layer, access, format } =
                unit.ok_or(Reason::NoImage)?;
            let texture = self.textures.get(&texture).ok_or(Reason::NoImage)?;
            let held = buffer(texture.buffer).ok_or(Reason::NoImage)?;
            texture.shape.bind(held, (level, (!layered).then_some(layer)), (format, access))
        };
        self.units.iter().map(unit).collect()
    }
}

/// Image units.
impl Context {
    /// TexImage and TexBufferEXT in one command, for writable textures. The texture object `texture` gets
    /// this shape, and its texels are in the data store of the buffer object `buffer`, level after level.
    /// Draws see other writes to the buffer object.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `texture` is 0 or the data store is smaller than the image; `INVALID_OPERATION` if
    /// `buffer` is not the name of a buffer object.
    pub fn tex_image_in_buffer(&mut self, texture: u32, shape: ImageShape, buffer: u32) -> Result<()> {
        self.command("TexImage", |context| {
            if texture == 0 {
                return Err(Error::invalid_value(CLAUSE, "0 is not the name of a texture"));
            }
            let held = context.buffers.named(buffer).and_then(|id| Some((id, context.buffers.object(id)?)));
            let Some((id, object)) = held else {
                let reason = format!("there is no buffer object {buffer}");
                return Err(Error::invalid_operation(CLAUSE, reason));
            };
            let (has, wants) = (object.store().len(), shape.bytes());
            if has < wants {
                let reason = format!("the image needs {wants} bytes, but buffer object {buffer} has {has}");
                return Err(Error::invalid_value(CLAUSE, reason));
            }
            context.images.textures.insert(texture, ImageTexture { shape, buffer: id });
            context.forget_buffers();
            Ok(())
        })
    }

    /// `BindImageTextureEXT`: binds a level of the texture object `texture`, or one of its layers, to image
    /// unit `index`. Programs access it as texels of `format`. 0 unbinds.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the unit or texture object does not exist; `INVALID_ENUM` for an access or format
    /// that the extension does not list. Other invalid bindings are reported when a program accesses the
    /// unit.
    pub fn bind_image_texture(
        &mut self,
        index: u32,
        texture: u32,
        (level, layered, layer): (u32, bool, u32),
        access: impl EnumArgument<Mode>,
        format: impl EnumArgument<ImageFormat>,
    ) -> Result<()> {
        self.command("BindImageTextureEXT", |context| {
            let (access, format) = (named(access, CLAUSE, "access")?, named(format, CLAUSE, "format")?);
            let is_there = texture == 0 || context.images.textures.contains_key(&texture);
            let place = usize::try_from(index).ok();
            let unit = place.and_then(|place| context.images.units.get_mut(place));
            let unit =
                unit.ok_or_else(|| Error::invalid_value(CLAUSE, format!("there is no image unit {index}")))?;
            if !is_there {
                return Err(Error::invalid_value(CLAUSE, format!("there is no texture object {texture}")));
            }
            let bound = ImageBinding { texture, level, layered, layer, access, format };
            *unit = (texture != 0).then_some(bound);
            Ok(())
        })
    }

    /// `GetIntegeri_v` and `GetBooleani_v` of `IMAGE_BINDING_*_EXT`: the binding of an image unit.
    pub fn image_binding(&self, index: u32) -> Option<ImageBinding> {
        *self.images.units.get(usize::try_from(index).ok()?)?
    }

    /// The texels of texture object `texture` as a texture for lookups, without conversion.
    ///
    /// # Errors
    /// As [`Texture::of_image`]. Returns `None` if the texture object does not exist.
    pub fn image_texture(
        &self,
        texture: u32,
        sampler: Sampler,
    ) -> Option<std::result::Result<Texture, TextureError>> {
        let texture = self.images.textures.get(&texture)?;
        let bytes = self.buffers.object(texture.buffer)?.store().bytes();
        Some(Texture::of_image(&texture.shape, &bytes, sampler))
    }
}

impl Named for ImageFormat {
    fn of_constant(value: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.format().constant() == Some(value))
    }
}
