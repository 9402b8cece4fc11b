//! Buffer objects (glspec15 2.9 and 6.1.13), which hold the texels of buffer textures: TEXTURE_BUFFER_EXT is the one target that
//! they are bound to. What reads them as texels is in `image_units`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Context;
use super::counted::Counted;
use super::enums::{BufferTarget, BufferUsage};
use super::error::{Error, ErrorCode, Result, named};
use super::names::{self, Names};
use crate::texture::{Format, Texture};

const BUFFERS: &str = "glspec15 2.9";
const QUERY: &str = "glspec15 6.1.13";

/// Most bytes of a data store: whatever format they are read in, the texels fit into a texture.
pub const MOST_BUFFER_BYTES: usize = 1 << 27;

/// A buffer object, also after its name has gone to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BufferId(u64);

/// A buffer object.
#[derive(Clone, Debug)]
struct Object {
    name: u32,
    usage: BufferUsage,
    store: Arc<Vec<u8>>,
    /// What the store is in the formats that draws have read it in. Copies of the context, of which there is one a
    /// frame, share what any of them has made.
    textures: Arc<Mutex<Made>>,
}

/// Textures by their formats.
type Made = Vec<(Format, Arc<Texture>)>;

impl Object {
    fn new(name: u32) -> Self {
        Self { name, usage: BufferUsage::StaticDraw, store: Arc::default(), textures: Arc::default() }
    }

    /// The store, to change.
    fn store_mut(&mut self) -> &mut Vec<u8> {
        self.textures = Arc::default();
        Arc::make_mut(&mut self.store)
    }
}

/// All buffer objects of a context, and what is bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    /// Those that were given out by GenBuffers and not bound yet have no object.
    names: Names<Option<BufferId>>,
    objects: BTreeMap<BufferId, Object>,
    created: u64,
    /// What TEXTURE_BUFFER_EXT is bound to.
    bound: Option<BufferId>,
}

impl Buffers {
    /// The object that is named.
    pub fn named(&self, name: u32) -> Option<BufferId> {
        self.names.get(name).copied().flatten()
    }

    /// The name of an object, also if it is no longer its.
    pub fn name(&self, id: BufferId) -> u32 {
        self.objects.get(&id).map_or(0, |object| object.name)
    }

    /// What is bound to TEXTURE_BUFFER_EXT.
    pub const fn bound(&self) -> Option<BufferId> {
        self.bound
    }

    /// Binds what was bound before; nothing if that has been deleted since.
    pub fn rebind(&mut self, bound: Option<BufferId>) {
        self.bound = bound.filter(|&id| self.named(self.name(id)) == Some(id));
    }

    /// Forgets the objects that have lost their names but for those that `are_attached`.
    pub fn retain(&mut self, are_attached: &[BufferId]) {
        let names = &self.names;
        let is_named = |id: BufferId, object: &Object| names.get(object.name) == Some(&Some(id));
        self.objects.retain(|id, object| is_named(*id, object) || are_attached.contains(id));
    }

    /// The texels that the store of an object holds, in a format that buffer textures can have.
    pub fn texture(&self, id: BufferId, format: Format) -> Option<Arc<Texture>> {
        let object = self.objects.get(&id)?;
        let mut made = object.textures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, texture)) = made.iter().find(|(made, _)| *made == format) {
            return Some(texture.clone());
        }
        let texture = Arc::new(Texture::of_buffer(format, &object.store).ok()?);
        made.push((format, texture.clone()));
        Some(texture)
    }

    fn current(&self, target: impl TryInto<BufferTarget>, clause: &'static str) -> Result<&Object> {
        let BufferTarget::Texture = named(target, clause, "target")?;
        self.bound.and_then(|id| self.objects.get(&id)).ok_or_else(|| nothing_bound(clause))
    }

    fn current_mut(&mut self, target: impl TryInto<BufferTarget>) -> Result<&mut Object> {
        let BufferTarget::Texture = named(target, BUFFERS, "target")?;
        let object = self.bound.and_then(|id| self.objects.get_mut(&id));
        object.ok_or_else(|| nothing_bound(BUFFERS))
    }
}

/// There is no object that 0 stands for.
fn nothing_bound(clause: &'static str) -> Error {
    Error::invalid_operation(clause, "no buffer object is bound to TEXTURE_BUFFER_EXT")
}

/// The part of a store that begins at `offset` and has `size` bytes.
fn part(store: &[u8], offset: i64, size: i64, clause: &'static str) -> Result<std::ops::Range<usize>> {
    let whole = |number: i64| usize::try_from(number).ok();
    let range =
        whole(offset).zip(whole(size)).and_then(|(offset, size)| Some(offset..offset.checked_add(size)?));
    range.filter(|range| range.end <= store.len()).ok_or_else(|| {
        let reason =
            format!("{size} bytes from {offset} on are not in the {} of the buffer object", store.len());
        Error::invalid_value(clause, reason)
    })
}

/// Buffer objects.
impl Context {
    /// `GenBuffers`: `n` names that no buffer object has, in use from now on for this command only.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million names.
    pub fn gen_buffers(&mut self, n: i32) -> Result<Vec<u32>> {
        self.command("GenBuffers", |context| {
            let count = names::count(n, BUFFERS)?;
            Ok(context.buffers.names.reserve(count, || None))
        })
    }

    /// `BindBuffer`: what is done to the target is done to the buffer object `buffer` from now on, which a name that
    /// none has makes one of; to none if it is 0.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is TEXTURE_BUFFER_EXT.
    pub fn bind_buffer(&mut self, target: impl TryInto<BufferTarget>, buffer: u32) -> Result<()> {
        self.command("BindBuffer", |context| {
            let BufferTarget::Texture = named(target, BUFFERS, "target")?;
            let buffers = &mut context.buffers;
            if buffer != 0 && buffers.named(buffer).is_none() {
                buffers.created += 1;
                let id = BufferId(buffers.created);
                buffers.names.insert(buffer, Some(id));
                buffers.objects.insert(id, Object::new(buffer));
            }
            buffers.bound = buffers.named(buffer);
            Ok(())
        })
    }

    /// `DeleteBuffers`: the names are unused again, and what is bound to TEXTURE_BUFFER_EXT is bound no longer. A buffer
    /// texture keeps what is attached to it (EXT_texture_buffer_object's issue 5). Names that are not in use are passed over.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative count.
    pub fn delete_buffers<'a>(&mut self, buffers: impl Into<Counted<'a, u32>>) -> Result<()> {
        self.command("DeleteBuffers", |context| {
            for &name in buffers.into().values(BUFFERS)? {
                context.buffers.names.remove(name);
            }
            let bound = context.buffers.bound;
            context.buffers.rebind(bound);
            context.forget_buffers();
            Ok(())
        })
    }

    /// `IsBuffer`: whether a buffer object of this name exists. Between begin and end: false, and an error.
    pub fn is_buffer(&self, name: u32) -> bool {
        self.query("IsBuffer", || Ok(self.buffers.named(name).is_some())).unwrap_or(false)
    }

    /// `BufferData`: a new data store with these bytes. (C's null pointer, which leaves the bytes undefined, has no
    /// counterpart.)
    ///
    /// # Errors
    /// `INVALID_ENUM` for another target or usage than those that there are, `INVALID_OPERATION` if no buffer object is
    /// bound, `INVALID_VALUE` for a negative size, `OUT_OF_MEMORY` for more than [`MOST_BUFFER_BYTES`].
    pub fn buffer_data<'a>(
        &mut self,
        target: impl TryInto<BufferTarget>,
        data: impl Into<Counted<'a, u8>>,
        usage: impl TryInto<BufferUsage>,
    ) -> Result<()> {
        self.command("BufferData", |context| {
            let object = context.buffers.current_mut(target)?;
            let usage = named(usage, BUFFERS, "usage")?;
            let data = data.into().values(BUFFERS)?;
            if data.len() > MOST_BUFFER_BYTES {
                let reason = format!("{} bytes are more than a buffer object can hold", data.len());
                return Err(Error { code: ErrorCode::OutOfMemory, reason, clause: BUFFERS });
            }
            object.usage = usage;
            *object.store_mut() = data.to_vec();
            Ok(())
        })
    }

    /// `BufferSubData`: replaces bytes of the data store from `offset` on.
    ///
    /// # Errors
    /// `INVALID_ENUM` for another target than TEXTURE_BUFFER_EXT, `INVALID_OPERATION` if no buffer object is bound,
    /// `INVALID_VALUE` for a negative offset or size and for bytes beyond the store.
    pub fn buffer_sub_data<'a>(
        &mut self,
        target: impl TryInto<BufferTarget>,
        offset: i64,
        data: impl Into<Counted<'a, u8>>,
    ) -> Result<()> {
        self.command("BufferSubData", |context| {
            let object = context.buffers.current_mut(target)?;
            let data = data.into().values(BUFFERS)?;
            let range = part(&object.store, offset, data.len() as i64, BUFFERS)?;
            object.store_mut()[range].copy_from_slice(data);
            Ok(())
        })
    }

    /// `GetBufferSubData`: bytes of the data store.
    ///
    /// # Errors
    /// As [`Self::buffer_sub_data`].
    pub fn get_buffer_sub_data(
        &self,
        target: impl TryInto<BufferTarget>,
        offset: i64,
        size: i64,
    ) -> Result<&[u8]> {
        self.query("GetBufferSubData", || {
            let store = &self.buffers.current(target, QUERY)?.store;
            Ok(&store[part(store, offset, size, QUERY)?])
        })
    }

    /// `GetBufferParameteriv` of `BUFFER_SIZE` and `BUFFER_USAGE`. (No store can be mapped.)
    ///
    /// # Errors
    /// `INVALID_ENUM` for another target than TEXTURE_BUFFER_EXT, `INVALID_OPERATION` if no buffer object is bound.
    pub fn get_buffer_parameters(&self, target: impl TryInto<BufferTarget>) -> Result<(usize, BufferUsage)> {
        self.query("GetBufferParameteriv", || {
            let object = self.buffers.current(target, QUERY)?;
            Ok((object.store.len(), object.usage))
        })
    }

    /// `GetIntegerv` of `TEXTURE_BUFFER_EXT`: the name of the buffer object bound to it.
    ///
    /// # Errors
    /// `INVALID_ENUM` for another target.
    pub fn get_buffer_binding(&self, target: impl TryInto<BufferTarget>) -> Result<u32> {
        self.query("GetIntegerv", || {
            let BufferTarget::Texture = named(target, QUERY, "value")?;
            Ok(self.buffers.bound.map_or(0, |id| self.buffers.name(id)))
        })
    }
}
