//! One access: who makes it, where, what it does, and what came of it.

use super::{Bound, BufferId, Mode, Origin, Reason};
use crate::subject::Subject;
use crate::texture::ImageFormat;
use shadestep_language::ir::{Atomic, Components, MAX_ACCESS, Storage, Type};
use shadestep_language::isa::{Format, Stage};
use shadestep_language::num::fp16;

/// Bytes of an access, those that it has first, in the order of their addresses.
pub type Bytes = [u8; MAX_ACCESS];

/// Who makes an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// The stage of the program.
    pub stage: Stage,
    /// Index of the instruction.
    pub pc: usize,
    /// The invocation, if it is known.
    pub subject: Option<Subject>,
    /// The instance, primitive and sample of the invocation.
    pub origin: Origin,
    /// The number of the invocation in its session, from 1 ([`super::Session::enter`]); 0 if it has none.
    pub invocation: u32,
    /// Whether it is a helper, or a fragment that was discarded: then it only reads, and nobody wants to know what was wrong.
    pub helper: bool,
}

/// Where an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At an address.
    Address(u64),
    /// In a parameter buffer.
    Buffer {
        /// What is bound to the binding point, or why that is nothing.
        bound: Result<Bound, Reason>,
        /// Bytes from its beginning.
        offset: i64,
    },
    /// A texel of an image.
    Image {
        /// The image unit, or why that is none.
        unit: Result<u8, Reason>,
        /// Where in the image.
        coordinates: [i32; 4],
        /// Whether what is stored is converted to the format of the unit; if not, the storage modifier says what is there.
        formatted: bool,
    },
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads.
    Load,
    /// Writes the components that the storage modifier has.
    Store(Components),
    /// Combines x of a vector with what is there (CSWAP: stores y where x is there).
    Atomic(Atomic, Components),
}

impl Action {
    pub(super) const fn reads(&self) -> bool {
        matches!(self, Self::Load | Self::Atomic(..))
    }

    pub(super) const fn writes(&self) -> bool {
        matches!(self, Self::Store(_) | Self::Atomic(..))
    }

    /// Whether it may be done where programs may do this.
    pub(super) const fn check(&self, mode: Mode) -> Result<(), Reason> {
        if self.reads() && !mode.reads() {
            return Err(Reason::NotReadable);
        }
        if self.writes() && !mode.writes() {
            return Err(Reason::NotWritable);
        }
        Ok(())
    }

    /// What is stored where `before` is, converted to `texel` if that is said; nothing if memory stays as it is.
    ///
    /// # Errors
    /// [`Reason::OtherNumbers`] if the format does not take such numbers.
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

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who makes it.
    pub who: Who,
    /// Where.
    pub place: Place,
    /// What is there.
    pub storage: Storage,
    /// What it does.
    pub action: Action,
}

/// What came of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Where it was.
    pub place: Place,
    /// What is there; of a formatted store what its data were.
    pub storage: Storage,
    /// What a formatted store makes of them.
    pub texel: Option<ImageFormat>,
    /// What memory held; bytes that could not be reached are 0.
    pub before: Bytes,
    /// What it holds then, if it was written.
    pub after: Option<Bytes>,
    /// The buffer and the byte where it is, where it leads to any.
    pub at: Option<(BufferId, u64)>,
    /// Whether bytes were read that nothing has written.
    pub is_unwritten: bool,
    /// What was wrong.
    pub fault: Option<Reason>,
}

impl Transfer {
    pub(super) const fn new(request: &Request) -> Self {
        let (before, after, texel, at) = ([0; MAX_ACCESS], None, None, None);
        let (place, storage, is_unwritten) = (request.place, request.storage, false);
        Self { place, storage, texel, before, after, at, is_unwritten, fault: None }
    }

    /// How many bytes of memory it is about.
    pub fn size(&self) -> usize {
        self.texel.map_or(self.storage.size(), ImageFormat::bytes)
    }

    /// The components that were read. Those that an image load has not are 0, 0 and 1.
    pub fn value(&self) -> Components {
        let mut value = decode(self.storage, &self.before);
        let is_image = matches!(self.place, Place::Image { .. });
        if is_image && self.fault.is_none() && self.storage.count() < 4 {
            value[3] = if self.storage.ty() == Type::F32 { 1.0f32.to_bits().into() } else { 1 };
        }
        value
    }

    /// What bytes of it stand for: components, how many there are, and their type.
    pub fn components(&self, bytes: &Bytes) -> (Components, usize, Type) {
        match self.texel {
            Some(format) => (format.decode(&bytes[..format.bytes()]), format.count(), format.ty()),
            None => (decode(self.storage, bytes), self.storage.count(), self.storage.ty()),
        }
    }

    /// The name of what is there: of a format, or of a storage modifier.
    pub fn form(&self) -> &'static str {
        self.texel.map_or(self.storage.name(), ImageFormat::name)
    }

    /// The components that are there then, if they were written.
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

/// BufferMemoryStore of 2.X.4.5: of integers the low bits, of fp16 values the nearest.
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

/// What ATOM stores where memory holds `old` (NV_gpu_program5 2.X.8.Z): nothing where CSWAP does not find its x.
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
