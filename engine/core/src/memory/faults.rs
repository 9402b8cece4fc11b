//! Faults: wrong accesses, reported once for each cause, with a count.

use super::{Action, Party, Place, Transfer, Who};
use shadestep_language::ir::Storage;

/// The reason why an access is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Nothing is bound to the binding point.
    NotBound,
    /// An index is outside of the array.
    OutsideArray,
    /// No resident buffer is at the address.
    NotResident,
    /// Some or all bytes are outside of the buffer.
    OutOfBounds,
    /// The address or offset is not a multiple of the access's size.
    Misaligned,
    /// The buffer is resident, or the image bound, as write-only.
    NotReadable,
    /// The buffer is resident, or the image bound, as read-only.
    NotWritable,
    /// No image is bound to the unit.
    NoImage,
    /// The texture bound to the unit does not have the level or layer.
    NoLevel,
    /// The unit's format has another texel size than the texture's format.
    OtherFormat,
    /// The texel does not exist.
    OutsideImage,
    /// The storage modifier has another size than the texels of the unit's format.
    OtherSize,
    /// The data to store are of another kind (floats or integers) than the unit's format.
    OtherNumbers,
    /// Some of the bytes that were read were never written.
    Unwritten,
    /// Another invocation accessed the same bytes, and the accesses have no defined order. See `races`.
    Race,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotBound => "no buffer is bound there",
            Self::OutsideArray => "an index is outside the array",
            Self::NotResident => "no resident buffer is at this address",
            Self::OutOfBounds => "outside the buffer",
            Self::Misaligned => "not aligned to the size of the access",
            Self::NotReadable => "the buffer or image is write-only",
            Self::NotWritable => "the buffer or image is read-only",
            Self::NoImage => "no image is bound there",
            Self::NoLevel => "the texture has no such level or layer",
            Self::OtherFormat => "the formats of the unit and of the texture differ in size",
            Self::OutsideImage => "outside the image",
            Self::OtherSize => "the storage modifier and the unit's format differ in size",
            Self::OtherNumbers => "the unit's format has a different number type (float, signed or unsigned)",
            Self::Unwritten => "these bytes have not been written",
            Self::Race => "another invocation accesses the same bytes in no defined order",
        })
    }
}

/// A wrong access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The invocation.
    pub who: Who,
    /// The place of the access.
    pub place: Place,
    /// The storage modifier of the access.
    pub storage: Storage,
    pub kind: Kind,
    /// The reason.
    pub reason: Reason,
    /// For a race, the other invocation.
    pub other: Option<Party>,
}

/// Kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic.
    Atomic,
}

impl From<Action> for Kind {
    fn from(action: Action) -> Self {
        match action {
            Action::Load => Self::Load,
            Action::Store(_) => Self::Store,
            Action::Atomic(..) => Self::Atomic,
        }
    }
}

impl Fault {
    /// The fault of an access; `None` if the access is correct or made by a helper.
    pub fn of(who: Who, kind: Kind, transfer: &Transfer) -> Option<Self> {
        let Transfer { place, storage, fault, is_unwritten, .. } = *transfer;
        if who.helper {
            return None;
        }
        let reason = fault.or(is_unwritten.then_some(Reason::Unwritten))?;
        Some(Self { who, place, storage, kind, reason, other: None })
    }

    /// A race of this access with `other`.
    pub(super) const fn race(who: Who, kind: Kind, transfer: &Transfer, other: Party) -> Self {
        let Transfer { place, storage, .. } = *transfer;
        Self { who, place, storage, kind, reason: Reason::Race, other: Some(other) }
    }

    /// Whether both faults have the same cause: stage, instruction, kind and reason are equal.
    fn is_like(&self, other: &Self) -> bool {
        let key = |fault: &Self| (fault.who.stage, fault.who.pc, fault.kind, fault.reason);
        key(self) == key(other)
    }
}

/// Faults with one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The first fault.
    pub first: Fault,
    /// Number of faults.
    pub count: u64,
}

/// Maximum number of causes that are reported.
pub const MAX_REPORTS: usize = 64;

/// The faults so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Vec<Report>);

impl Faults {
    /// Adds a fault. Causes beyond [`MAX_REPORTS`] are dropped.
    pub fn add(&mut self, fault: Fault) {
        if let Some(report) = self.0.iter_mut().find(|report| report.first.is_like(&fault)) {
            report.count += 1;
        } else if self.0.len() < MAX_REPORTS {
            self.0.push(Report { first: fault, count: 1 });
        }
    }

    pub fn reports(&self) -> Vec<Report> {
        self.0.clone()
    }
}
