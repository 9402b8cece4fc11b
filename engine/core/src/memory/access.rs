//! One memory access. Executors pass a [`Request`]: the invocation, the place and the action.
//! [`super::Memory`] returns a [`Transfer`]: the bytes before and after the access, or the fault. [`decode`]
//! and [`encode`] convert between bytes and register components.

use super::{Bound, BufferId, Mode, Origin, Reason};
use crate::subject::Subject;
use crate::texture::ImageFormat;
use shadestep_language::ir::{Atomic, Components, MAX_ACCESS, Storage, Type};
use shadestep_language::isa::{Format, Stage};
use shadestep_language::num::fp16;

/// The bytes of an access, in address order. An access may use fewer bytes than the array has.
pub type Bytes = [u8; MAX_ACCESS];

/// The invocation that makes an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// The stage of the program.
    pub stage: Stage,
    /// Index of the instruction.
    pub pc: usize,
    /// The subject of the invocation, if known.
    pub subject: Option<Subject>,
    pub origin: Origin,
    /// The number of the invocation in its session, from 1 ([`super::Session::enter`]); 0 if it has none.
    pub invocation: u32,
    /// Whether the invocation is a helper, or a fragment that was discarded. Such an invocation only reads,
    /// and its faults are not reported.
    pub helper: bool,
}

/// The place of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A global address.
    Address(u64),
    /// An offset in a parameter buffer.
    Buffer {
        /// The buffer range at the binding point, or the reason why there is none.
        bound: Result<Bound, Reason>,
        /// Offset in bytes from the start of the range.
        offset: i64,
    },
    /// A texel of an image.
    Image {
        /// The image unit, or the reason why there is none.
        unit: Result<u8, Reason>,
        /// The texel's coordinates.
        coordinates: [i32; 4],
        /// Whether stored data are converted to the unit's format. If not, the storage modifier determines
        /// the data.
        formatted: bool,
    },
}

/// The action of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Load,
    /// Writes the components of the storage modifier.
    Store(Components),
    /// Combines x with the memory's value. CSWAP stores y if memory holds x.
    Atomic(Atomic, Components),
}

impl Action {
    pub(super) const fn reads(&self) -> bool {
        matches!(self, Self::Load | Self::Atomic(..))
    }

    pub(super) const fn writes(&self) -> bool {
        matches!(self, Self::Store(_) | Self::Atomic(..))
    }

    /// Whether the access mode allows the action.
    pub(super) const fn check(&self, mode: Mode) -> Result<(), Reason> {
        if self.reads() && !mode.reads() {
            return Err(Reason::NotReadable);
        }
        if self.writes() && !mode.writes() {
            return Err(Reason::NotWritable);
        }
        Ok(())
    }

    /// The bytes to store over `before`, converted to the format `texel` if there is one. `None` if memory
    /// stays unchanged.
    ///
    /// # Errors
    /// [`Reason::OtherNumbers`] if the format needs the other kind of numbers.
    pub(super) fn result(
        &self,
        storage: Storage,
        texel: Option<ImageFormat>,
        before: &Bytes,
    ) -> Result<Option<Bytes>, Reason> {
        Ok(match (self, texel) {
            (Self::Load, _) => None,
            (Self::Store(values), None) => Some(encode(storage, values)),
            (Self::Store(values), Some(format)) => {
                Some(format.encode(storage.ty(), values).ok_or(Reason::OtherNumbers)?)
            }
            (Self::Atomic(atomic, [x, y, ..]), _) => {
                let [old, ..] = decode(storage, before);
                let value = combine(*atomic, storage.ty(), [*x, *y], old);
                value.map(|value| encode(storage, &[value, 0, 0, 0]))
            }
        })
    }
}

/// A request for an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub who: Who,
    pub place: Place,
    /// The storage modifier: type and number of components.
    pub storage: Storage,
    pub action: Action,
}

/// The outcome of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The place of the access.
    pub place: Place,
    /// The storage modifier. For a formatted store, the type of the data before conversion.
    pub storage: Storage,
    /// The texel format that a formatted store converts the data to.
    pub texel: Option<ImageFormat>,
    /// The bytes in memory before the access. Bytes that could not be reached are 0.
    pub before: Bytes,
    /// The bytes in memory after the access, if they were written.
    pub after: Option<Bytes>,
    /// The buffer and the offset of the access, if it is in a buffer.
    pub at: Option<(BufferId, u64)>,
    /// Whether bytes were read that were never written.
    pub is_unwritten: bool,
    /// The fault of the access, if any.
    pub fault: Option<Reason>,
}

impl Transfer {
    pub(super) const fn new(request: &Request) -> Self {
        let (before, after, texel, at) = ([0; MAX_ACCESS], None, None, None);
        let (place, storage, is_unwritten) = (request.place, request.storage, false);
        Self { place, storage, texel, before, after, at, is_unwritten, fault: None }
    }

    /// Size of the accessed memory in bytes.
    pub fn size(&self) -> usize {
        self.texel.map_or(self.storage.size(), ImageFormat::bytes)
    }

    /// The components that were read. Missing components of an image load are 0, 0 and 1.
    pub fn value(&self) -> Components {
        let mut value = decode(self.storage, &self.before);
        let is_image = matches!(self.place, Place::Image { .. });
        if is_image && self.fault.is_none() && self.storage.count() < 4 {
            value[3] = if self.storage.ty() == Type::F32 { 1.0f32.to_bits().into() } else { 1 };
        }
        value
    }

    /// Decodes bytes of the access: components, their number and their type.
    pub fn components(&self, bytes: &Bytes) -> (Components, usize, Type) {
        match self.texel {
            Some(format) => (format.decode(&bytes[..format.bytes()]), format.count(), format.ty()),
            None => (decode(self.storage, bytes), self.storage.count(), self.storage.ty()),
        }
    }

    /// The name of the texel format, or of the storage modifier.
    pub fn form(&self) -> &'static str {
        self.texel.map_or(self.storage.name(), ImageFormat::name)
    }

    /// The components in memory after the access, if they were written.
    pub fn stored(&self) -> Option<Components> {
        self.after.as_ref().map(|bytes| self.components(bytes).0)
    }
}

/// BufferMemoryLoad of 2.X.4.5. Memory is little-endian.
pub fn decode(storage: Storage, bytes: &Bytes) -> Components {
    let size = storage.component_bytes();
    let component = |c: usize| -> u64 {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&bytes[c * size..(c + 1) * size]);
        let bits = u64::from_le_bytes(word);
        match storage.format() {
            Format::S8 => u64::from((bits as u8).cast_signed() as i32 as u32),
            Format::S16 => u64::from((bits as u16).cast_signed() as i32 as u32),
            Format::F16 => u64::from(fp16::from_bits(bits as u32).to_bits()),
            _ => bits,
        }
    };
    std::array::from_fn(|c| if c < storage.count() { component(c) } else { 0 })
}

/// BufferMemoryStore of 2.X.4.5. Stores the low bits of integers, and the nearest fp16 values.
pub fn encode(storage: Storage, values: &Components) -> Bytes {
    let size = storage.component_bytes();
    let mut bytes = [0; MAX_ACCESS];
    for (&value, component) in values.iter().zip(bytes[..storage.size()].chunks_mut(size)) {
        let bits = match storage.format() {
            Format::F16 => u64::from(fp16::to_bits(fp16::round(f32::from_bits(value as u32)))),
            _ => value,
        };
        component.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
    bytes
}

/// The value that ATOM stores over `old` (NV_gpu_program5 2.X.8.Z). `None` if CSWAP's comparison fails.
fn combine(atomic: Atomic, ty: Type, [x, y]: [u64; 2], old: u64) -> Option<u64> {
    let signed = |bits: u64| (bits as u32).cast_signed();
    let lesser = if ty == Type::S32 { signed(x) < signed(old) } else { x < old };
    let value = match atomic {
        Atomic::Add => old.wrapping_add(x),
        Atomic::Min => {
            if lesser {
                x
            } else {
                old
            }
        }
        Atomic::Max => {
            if lesser {
                old
            } else {
                x
            }
        }
        Atomic::IncrementWrap => {
            if old >= x {
                0
            } else {
                old + 1
            }
        }
        Atomic::DecrementWrap => {
            if old == 0 || old > x {
                x
            } else {
                old - 1
            }
        }
        Atomic::And => old & x,
        Atomic::Or => old | x,
        Atomic::Xor => old ^ x,
        Atomic::Exchange => x,
        Atomic::CompareSwap => return (old == x).then_some(y),
    };
    Some(value)
}
