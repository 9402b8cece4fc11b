//! Memory that programs read and write: buffers and their addresses, image units, and the effect of each
//! access (NV_gpu_program5 2.X.4.5, NV_shader_buffer_load, NV_shader_buffer_store,
//! NV_parameter_buffer_object2, EXT_shader_image_load_store).
//!
//! Copying a [`Memory`] costs only its list of buffers, because pages are shared until they are written. So
//! the reference interpreter works on a copy, and its writes never reach the original. The invocations of a
//! draw work on a [`Shared`] memory.
//!
//! Executors pass every access as a [`Request`], which names the invocation, and get a [`Transfer`]. Races
//! (see `races`) and never-written bytes (see [`Store`]) are tracked here, so executors do not need to know
//! about them.
//!
//! A wrong access is a [`Fault`] (ruling 12 of NV_gpu_program5). Components outside of a buffer read 0. All
//! components read 0 at an address that is misaligned, not resident, or resident with the wrong access mode.
//! A store or atomic with any wrong byte changes nothing.

mod access;
mod addresses;
mod concurrent;
mod faults;
mod images;
mod races;
mod shared;
mod store;
#[cfg(test)]
mod tests;

use crate::texture::ImageFormat;
use std::sync::Arc;

pub use access::{Action, Bytes, Place, Request, Transfer, Who, decode, encode};
pub use addresses::{AddressBits, Addresses};
pub use faults::{Fault, Kind, MAX_REPORTS, Reason, Report};
pub use images::{BoundImage, ImageUnits};
pub use races::{Before, Origin, Party, Writers};
pub use shared::{Session, Shared, Use};
pub use store::Store;

/// The index of a buffer of a [`Memory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(pub u32);

shadestep_language::named_enum! {
    /// The accesses that programs may make to a resident buffer (`<access>` of MakeBufferResidentNV).
    pub enum Mode {
        ReadOnly = "READ_ONLY",
        WriteOnly = "WRITE_ONLY",
        ReadWrite = "READ_WRITE",
    }
}

impl Mode {
    const fn reads(self) -> bool {
        matches!(self, Self::ReadOnly | Self::ReadWrite)
    }

    const fn writes(self) -> bool {
        matches!(self, Self::WriteOnly | Self::ReadWrite)
    }
}

/// The part of a buffer that is bound to a parameter buffer binding point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub buffer: BufferId,
    /// Offset of the first byte in the buffer.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
}

/// A resident buffer: programs can access it by addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Resident {
    address: u64,
    buffer: BufferId,
    mode: Mode,
}

/// Buffers, their addresses and the image units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    buffers: Vec<Arc<Store>>,
    /// The resident buffers, sorted by address.
    resident: Vec<Resident>,
    /// The bindings of the image units. Units beyond the end have no image.
    images: Arc<ImageUnits>,
}

/// The resolved place of an access.
struct Located {
    buffer: BufferId,
    /// Offset in the buffer.
    offset: u64,
    /// Number of accessible bytes from `offset` on.
    reachable: u64,
    /// The texel's format, if the place is in an image.
    texel: Option<ImageFormat>,
}

impl Located {
    /// Number of accessible bytes of `transfer`, rounded down to complete components or to a complete texel.
    fn whole(&self, transfer: &Transfer) -> usize {
        let size = transfer.size();
        let component = self.texel.map_or(transfer.storage.component_bytes(), ImageFormat::bytes);
        usize::try_from(self.reachable).unwrap_or(size).min(size) / component * component
    }
}

/// The reason why a buffer cannot be made resident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResidencyError {
    /// The buffer does not exist or is empty.
    NoBuffer,
    /// The address is 0 or not a multiple of [`Addresses::ALIGNMENT`], or the buffer's end exceeds 64 bits.
    BadAddress,
    /// Another buffer is resident there.
    Occupied,
}

impl Memory {
    /// Adds a buffer with these bytes.
    pub fn add(&mut self, bytes: &[u8]) -> BufferId {
        self.share(Arc::new(Store::new(bytes)))
    }

    /// Adds a buffer that shares its bytes with other owners of `store`, until one of them writes.
    pub fn share(&mut self, store: Arc<Store>) -> BufferId {
        self.buffers.push(store);
        BufferId(self.buffers.len() as u32 - 1)
    }

    /// Replaces the bytes of a buffer. Does nothing if the length differs.
    pub fn replace(&mut self, buffer: BufferId, store: Arc<Store>) {
        if let Some(held) = self.buffers.get_mut(buffer.0 as usize).filter(|held| held.len() == store.len()) {
            *held = store;
        }
    }

    /// The bytes of a buffer, for sharing.
    pub fn store(&self, buffer: BufferId) -> Option<&Arc<Store>> {
        self.buffers.get(buffer.0 as usize)
    }

    /// Makes a buffer accessible to programs, starting at `address`.
    ///
    /// # Errors
    /// See [`ResidencyError`].
    pub fn make_resident(
        &mut self,
        buffer: BufferId,
        address: u64,
        mode: Mode,
    ) -> Result<(), ResidencyError> {
        let length = self.length(buffer).filter(|&length| length > 0).ok_or(ResidencyError::NoBuffer)?;
        let end = address.checked_add(length).ok_or(ResidencyError::BadAddress)?;
        if address == 0 || !address.is_multiple_of(Addresses::ALIGNMENT) {
            return Err(ResidencyError::BadAddress);
        }
        let after = self.resident.partition_point(|other| other.address <= address);
        let reaches = |other: &Resident| other.address + self.length(other.buffer).unwrap_or(0) > address;
        let before = after.checked_sub(1).map(|before| &self.resident[before]);
        if before.is_some_and(reaches) || self.resident.get(after).is_some_and(|next| next.address < end) {
            return Err(ResidencyError::Occupied);
        }
        self.resident.insert(after, Resident { address, buffer, mode });
        Ok(())
    }

    /// Sets the bindings of the image units. Units beyond the end have no image.
    pub fn bind_images(&mut self, units: Vec<Result<BoundImage, Reason>>) {
        self.images = units.into();
    }

    /// The binding of an image unit.
    ///
    /// # Errors
    /// The reason why accesses to the unit fail.
    pub fn image(&self, unit: u8) -> Result<&BoundImage, Reason> {
        let unit = self.images.get(usize::from(unit)).ok_or(Reason::NoImage)?;
        unit.as_ref().map_err(|reason| *reason)
    }

    /// Size of a buffer in bytes; `None` if it does not exist.
    pub fn length(&self, buffer: BufferId) -> Option<u64> {
        self.store(buffer).map(|store| store.len())
    }

    /// The bytes of a buffer; empty if it does not exist.
    pub fn bytes(&self, buffer: BufferId) -> Vec<u8> {
        self.store(buffer).map(|store| store.bytes()).unwrap_or_default()
    }

    /// A copy that counts the bytes written from now on, for [`Self::bytes_changed`].
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let mut copy = self.clone();
        for store in copy.buffers.iter_mut().filter(|store| store.bytes_changed() > 0) {
            Arc::make_mut(store).count_anew();
        }
        copy
    }

    /// Approximate memory in bytes that this copy takes in addition to the memory that it is a
    /// [`Self::snapshot`] of.
    pub fn bytes_changed(&self) -> usize {
        let changed: usize = self.buffers.iter().map(|store| store.bytes_changed()).sum();
        changed + self.buffers.len() * size_of::<Arc<Store>>() + self.resident.len() * size_of::<Resident>()
    }

    /// Number of buffer bytes that are not shared with another copy.
    pub fn bytes_apart(&self, other: &Self) -> usize {
        let pairs = self.buffers.iter().zip(&other.buffers);
        pairs.map(|(a, b)| if Arc::ptr_eq(a, b) { 0 } else { a.bytes_apart(b) }).sum()
    }

    /// The resident buffer that contains the byte at `address`, and the byte's offset.
    fn resident(&self, address: u64) -> Option<(&Resident, u64)> {
        let after = self.resident.partition_point(|resident| resident.address <= address);
        let resident = self.resident.get(after.checked_sub(1)?)?;
        let offset = address - resident.address;
        (offset < self.length(resident.buffer)?).then_some((resident, offset))
    }

    /// Resolves the place of an access.
    fn locate(&self, request: &Request) -> Result<Located, Reason> {
        let size = request.storage.size() as u64;
        match request.place {
            Place::Address(address) => {
                if !address.is_multiple_of(size) {
                    return Err(Reason::Misaligned);
                }
                let (resident, offset) = self.resident(address).ok_or(Reason::NotResident)?;
                request.action.check(resident.mode)?;
                let reachable = self.length(resident.buffer).unwrap_or(0) - offset;
                Ok(Located { buffer: resident.buffer, offset, reachable, texel: None })
            }
            Place::Buffer { bound: Err(reason), .. } => Err(reason),
            Place::Buffer { bound: Ok(bound), offset } => {
                let offset = u64::try_from(offset).map_err(|_| Reason::OutOfBounds)?;
                if !offset.is_multiple_of(size) {
                    return Err(Reason::Misaligned);
                }
                let length = self.length(bound.buffer).ok_or(Reason::NotBound)?;
                let end = bound.offset.saturating_add(bound.size).min(length);
                let at =
                    bound.offset.checked_add(offset).filter(|&at| at < end).ok_or(Reason::OutOfBounds)?;
                Ok(Located { buffer: bound.buffer, offset: at, reachable: end - at, texel: None })
            }
            Place::Image { unit, coordinates, formatted } => {
                let image = self.image(unit?)?;
                let &BoundImage { buffer, format, access, .. } = image;
                request.action.check(access)?;
                if !formatted && size as usize != format.bytes() {
                    return Err(Reason::OtherSize);
                }
                let offset = image.texel(coordinates)?;
                let reachable = self.length(buffer).unwrap_or(0).saturating_sub(offset);
                Ok(Located { buffer, offset, reachable, texel: formatted.then_some(format) })
            }
        }
    }

    /// Performs a load.
    pub fn load(&self, request: &Request) -> Transfer {
        self.fetch(request).0
    }

    /// Reads the accessible bytes at the place of an access. Also returns the buffer and offset, if all bytes
    /// are accessible.
    fn fetch(&self, request: &Request) -> (Transfer, Option<(BufferId, u64)>) {
        let mut transfer = Transfer::new(request);
        match self.locate(request) {
            Err(reason) => {
                transfer.fault = Some(reason);
                (transfer, None)
            }
            Ok(located) => {
                let Located { buffer, offset, texel, .. } = located;
                transfer.texel = texel;
                let whole = located.whole(&transfer);
                if let Some(store) = self.store(buffer) {
                    store.read(offset, &mut transfer.before[..whole]);
                    transfer.is_unwritten =
                        request.action.reads() && store.is_unwritten(offset, whole as u64);
                }
                transfer.at = Some((buffer, offset));
                let fits = whole == transfer.size();
                transfer.fault = if fits { None } else { Some(Reason::OutOfBounds) };
                (transfer, fits.then_some((buffer, offset)))
            }
        }
    }

    /// Performs any access.
    pub fn access(&mut self, request: &Request) -> Transfer {
        let (mut transfer, mut there) = self.fetch(request);
        let result = request.action.result(request.storage, transfer.texel, &transfer.before);
        let result = result.unwrap_or_else(|reason| {
            // A fault of the place has precedence.
            if there.take().is_some() {
                transfer.fault = Some(reason);
            }
            None
        });
        if let Some((buffer, offset)) = there
            && let Some(after) = result
            && let Some(store) = self.buffers.get_mut(buffer.0 as usize)
        {
            Arc::make_mut(store).write(offset, &after[..transfer.size()]);
            transfer.after = Some(after);
        }
        if there.is_none() && request.action.writes() {
            (transfer.before, transfer.at) = (Bytes::default(), None);
        }
        transfer
    }
}
