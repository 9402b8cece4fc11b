//! Buffer objects (glspec15 2.9 and 6.1.13): names, data stores and targets. `image_units` reads them as
//! texels; `residency`, `parameter_buffers` and `draw_memory` give programs access to them as memory.

use super::enums::EnumArgument;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Context;
use super::counted::Counted;
use super::enums::{BufferTarget, BufferUsage};
use super::error::{Error, ErrorCode, Result, named};
use super::names::Names;
use super::parameter_buffers::Points;
use shadestep_core::memory::{Addresses, Mode, Store};
use shadestep_core::texture::{Format, Texture};

const BUFFERS: &str = "glspec15 2.9";
const QUERY: &str = "glspec15 6.1.13";

/// Most bytes of a data store. The limit lets the texels fit a texture in every format.
pub const MOST_BUFFER_BYTES: usize = 1 << 27;

/// Checks the size of a data store.
fn check_size(bytes: u64) -> Result<()> {
    if bytes <= MOST_BUFFER_BYTES as u64 {
        return Ok(());
    }
    let reason = format!("{bytes} bytes are more than a buffer object can hold");
    Err(Error { code: ErrorCode::OutOfMemory, reason, clause: BUFFERS })
}

/// Identifies a buffer object, even after its name was given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BufferId(u64);

/// A buffer object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    name: u32,
    usage: BufferUsage,
    store: Arc<Store>,
    /// The GPU address, while the object has a data store.
    pub(super) address: Option<u64>,
    /// The access that programs have at that address, while the object is resident.
    pub(super) resident: Option<Mode>,
    /// The store as a texture, in each format that draws have used. All clones of the context share these,
    /// because a context is cloned for each frame.
    textures: Arc<Mutex<Made>>,
}

/// Textures by their formats.
type Made = Vec<(Format, Arc<Texture>)>;

impl Object {
    fn new(name: u32) -> Self {
        let (store, textures) = (Arc::default(), Arc::default());
        Self { name, usage: BufferUsage::StaticDraw, store, address: None, resident: None, textures }
    }

    pub(super) const fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Replaces the bytes.
    pub(super) fn set_store(&mut self, store: Arc<Store>) {
        self.textures = Arc::default();
        self.store = store;
    }

    /// The store, for changes.
    pub(super) fn store_mut(&mut self) -> &mut Store {
        self.textures = Arc::default();
        Arc::make_mut(&mut self.store)
    }
}

/// All buffer objects of a context, and their bindings.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    /// Names from GenBuffers that were never bound have no object.
    names: Names<Option<BufferId>>,
    objects: BTreeMap<BufferId, Object>,
    created: u64,
    /// The object bound to each target.
    bound: [Option<BufferId>; BufferTarget::ALL.len()],
    pub(super) addresses: Addresses,
    pub(super) points: Points,
}

impl Buffers {
    /// The object with this name.
    pub fn named(&self, name: u32) -> Option<BufferId> {
        self.names.get(name).copied().flatten()
    }

    /// The name of an object. After deletion, another object may have that name.
    pub fn name(&self, id: BufferId) -> u32 {
        self.objects.get(&id).map_or(0, |object| object.name)
    }

    /// Whether an object still has its name. A deleted object lives on while it is attached.
    pub fn is_named(&self, id: BufferId) -> bool {
        self.named(self.name(id)) == Some(id)
    }

    /// The object bound to a target.
    pub const fn bound(&self, target: BufferTarget) -> Option<BufferId> {
        self.bound[target as usize]
    }

    /// Restores a binding; unbinds if the object was deleted since.
    pub fn rebind(&mut self, target: BufferTarget, bound: Option<BufferId>) {
        self.bound[target as usize] = bound.filter(|&id| self.named(self.name(id)) == Some(id));
    }

    pub fn object(&self, id: BufferId) -> Option<&Object> {
        self.objects.get(&id)
    }

    pub fn object_mut(&mut self, id: BufferId) -> Option<&mut Object> {
        self.objects.get_mut(&id)
    }

    /// All objects, in the order of their creation.
    pub fn objects(&self) -> impl Iterator<Item = (BufferId, &Object)> {
        self.objects.iter().map(|(id, object)| (*id, object))
    }

    /// The object with this name, created if it does not exist.
    pub fn make(&mut self, name: u32) -> BufferId {
        self.named(name).unwrap_or_else(|| {
            self.created += 1;
            let id = BufferId(self.created);
            self.names.insert(name, Some(id));
            self.objects.insert(id, Object::new(name));
            id
        })
    }

    /// Binds the object with this name, created if it does not exist. 0 unbinds.
    pub fn bind(&mut self, target: BufferTarget, name: u32) -> Option<BufferId> {
        let bound = (name != 0).then(|| self.make(name));
        self.bound[target as usize] = bound;
        bound
    }

    /// Drops the deleted objects that are not in `are_attached`.
    pub fn retain(&mut self, are_attached: &[BufferId]) {
        let names = &self.names;
        let is_named = |id: BufferId, object: &Object| names.get(object.name) == Some(&Some(id));
        self.objects.retain(|id, object| is_named(*id, object) || are_attached.contains(id));
    }

    /// The texels of an object's store, in a format that buffer textures support.
    pub fn texture(&self, id: BufferId, format: Format) -> Option<Arc<Texture>> {
        let object = self.objects.get(&id)?;
        let mut made = object.textures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, texture)) = made.iter().find(|(made, _)| *made == format) {
            return Some(texture.clone());
        }
        let texture = Arc::new(Texture::of_buffer(format, &object.store.bytes()).ok()?);
        made.push((format, texture.clone()));
        Some(texture)
    }

    /// The object bound to a target.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_OPERATION` if nothing is bound.
    pub fn current(&self, target: impl EnumArgument<BufferTarget>, clause: &'static str) -> Result<&Object> {
        let target = named(target, clause, "target")?;
        self.bound(target).and_then(|id| self.objects.get(&id)).ok_or_else(|| nothing_bound(target, clause))
    }

    /// The object bound to a target, for changes.
    ///
    /// # Errors
    /// As [`Self::current`].
    pub fn current_mut(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        clause: &'static str,
    ) -> Result<&mut Object> {
        let target = named(target, clause, "target")?;
        let object = self.bound(target).and_then(|id| self.objects.get_mut(&id));
        object.ok_or_else(|| nothing_bound(target, clause))
    }
}

/// The error for a target without an object.
fn nothing_bound(target: BufferTarget, clause: &'static str) -> Error {
    Error::invalid_operation(clause, format!("no buffer object is bound to {}", target.name()))
}

/// The range of a store from `offset` on with `size` bytes.
pub(super) fn part(
    store: &Store,
    offset: i64,
    size: i64,
    clause: &'static str,
) -> Result<std::ops::Range<u64>> {
    let whole = |number: i64| u64::try_from(number).ok();
    let range =
        whole(offset).zip(whole(size)).and_then(|(offset, size)| Some(offset..offset.checked_add(size)?));
    range.filter(|range| range.end <= store.len()).ok_or_else(|| {
        let reason = format!(
            "{size} bytes at offset {offset} do not fit in the {} bytes of the buffer object",
            store.len()
        );
        Error::invalid_value(clause, reason)
    })
}

/// The error when all GPU addresses are in use.
fn no_address() -> Error {
    let reason = "no GPU addresses are left".to_owned();
    Error { code: ErrorCode::OutOfMemory, reason, clause: "NV_shader_buffer_load 2.9" }
}

/// Buffer objects.
impl Context {
    /// `GenBuffers`: returns `n` unused names and reserves them.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million names.
    pub fn gen_buffers(&mut self, n: i32) -> Result<Vec<u32>> {
        self.command("GenBuffers", |context| context.buffers.names.generate(n, BUFFERS, || None))
    }

    /// `BindBuffer`: binds the buffer object `buffer` to the target. A name without an object creates one; 0
    /// unbinds.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target.
    pub fn bind_buffer(&mut self, target: impl EnumArgument<BufferTarget>, buffer: u32) -> Result<()> {
        self.command("BindBuffer", |context| {
            let target = named(target, BUFFERS, "target")?;
            context.buffers.bind(target, buffer);
            Ok(())
        })
    }

    /// `DeleteBuffers`: frees the names and removes the objects from all targets, parameter buffer binding
    /// points and residency. A buffer texture keeps its attached object (EXT_texture_buffer_object's issue
    /// 5). Unused names are ignored.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative count.
    pub fn delete_buffers<'a>(&mut self, buffers: impl Into<Counted<'a, u32>>) -> Result<()> {
        self.command("DeleteBuffers", |context| {
            for &name in buffers.into().values(BUFFERS)? {
                let buffers = &mut context.buffers;
                if let Some(id) = buffers.named(name)
                    && let Some(object) = buffers.object_mut(id)
                {
                    object.resident = None;
                }
                buffers.names.remove(name);
            }
            let buffers = &mut context.buffers;
            for target in BufferTarget::ALL {
                buffers.rebind(target, buffers.bound(target));
            }
            buffers.forget_points();
            context.forget_feedback_buffers();
            context.forget_buffers();
            Ok(())
        })
    }

    /// `IsBuffer`: whether a buffer object with this name exists. Between begin and end, returns false and
    /// stores an error.
    pub fn is_buffer(&self, name: u32) -> bool {
        self.query("IsBuffer", || Ok(self.buffers.named(name).is_some())).unwrap_or(false)
    }

    /// `BufferData`: creates a data store with these bytes. (C's null pointer, which leaves the bytes
    /// undefined, has no counterpart.)
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target or usage, `INVALID_OPERATION` if no buffer object is bound,
    /// `INVALID_VALUE` for a negative size, `OUT_OF_MEMORY` for more than [`MOST_BUFFER_BYTES`], and when all
    /// GPU addresses are in use.
    pub fn buffer_data<'a>(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        data: impl Into<Counted<'a, u8>>,
        usage: impl EnumArgument<BufferUsage>,
    ) -> Result<()> {
        self.command("BufferData", |context| {
            context.specify(target, usage, || {
                let bytes = data.into().values(BUFFERS)?;
                check_size(bytes.len() as u64)?;
                Ok(Arc::new(Store::new(bytes)))
            })
        })
    }

    /// Sets the data store of the object bound to the target to the result of `store`.
    fn specify(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        usage: impl EnumArgument<BufferUsage>,
        store: impl FnOnce() -> Result<Arc<Store>>,
    ) -> Result<()> {
        let target = named(target, BUFFERS, "target")?;
        self.buffers.current(target, BUFFERS)?;
        let usage = named(usage, BUFFERS, "usage")?;
        let store = store()?;
        check_size(store.len())?;
        let address = match store.len() {
            0 => None,
            length => Some(self.buffers.addresses.assign(length).ok_or_else(no_address)?),
        };
        let object = self.buffers.current_mut(target, BUFFERS)?;
        // A new data store ends residency and gets a new address (NV_shader_buffer_load 2.9).
        (object.usage, object.address, object.resident) = (usage, address, None);
        object.set_store(store);
        Ok(())
    }

    /// [`Self::buffer_data`] with bytes that are shared until they are written.
    ///
    /// # Errors
    /// As [`Self::buffer_data`].
    pub fn share_buffer_data(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        store: Arc<Store>,
        usage: impl EnumArgument<BufferUsage>,
    ) -> Result<()> {
        self.command("BufferData", |context| context.specify(target, usage, || Ok(store)))
    }

    /// `BufferSubData`: replaces bytes of the data store, starting at `offset`.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_OPERATION` if no buffer object is bound,
    /// `INVALID_VALUE` for a negative offset or size and for bytes beyond the store.
    pub fn buffer_sub_data<'a>(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        offset: i64,
        data: impl Into<Counted<'a, u8>>,
    ) -> Result<()> {
        self.command("BufferSubData", |context| {
            let object = context.buffers.current_mut(target, BUFFERS)?;
            let data = data.into().values(BUFFERS)?;
            let range = part(&object.store, offset, data.len() as i64, BUFFERS)?;
            object.store_mut().write(range.start, data);
            Ok(())
        })
    }

    /// `GetBufferSubData`: bytes of the data store.
    ///
    /// # Errors
    /// As [`Self::buffer_sub_data`].
    pub fn get_buffer_sub_data(
        &self,
        target: impl EnumArgument<BufferTarget>,
        offset: i64,
        size: i64,
    ) -> Result<Vec<u8>> {
        self.query("GetBufferSubData", || {
            let store = &self.buffers.current(target, QUERY)?.store;
            let range = part(store, offset, size, QUERY)?;
            let mut bytes = vec![0; (range.end - range.start) as usize];
            store.read(range.start, &mut bytes);
            Ok(bytes)
        })
    }

    /// `GetBufferParameteriv` of `BUFFER_SIZE` and `BUFFER_USAGE`. (No store can be mapped.)
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_OPERATION` if no buffer object is bound.
    pub fn get_buffer_parameters(
        &self,
        target: impl EnumArgument<BufferTarget>,
    ) -> Result<(usize, BufferUsage)> {
        self.query("GetBufferParameteriv", || {
            let object = self.buffers.current(target, QUERY)?;
            Ok((object.store.len() as usize, object.usage))
        })
    }

    /// `GetIntegerv` of a target: the name of the buffer object bound to it.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target.
    pub fn get_buffer_binding(&self, target: impl EnumArgument<BufferTarget>) -> Result<u32> {
        self.query("GetIntegerv", || {
            let target = named(target, QUERY, "value")?;
            Ok(self.buffers.bound(target).map_or(0, |id| self.buffers.name(id)))
        })
    }
}
