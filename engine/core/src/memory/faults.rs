//! Accesses that were wrong, for whoever reads of them: each cause once, with how often it was.

use super::{Action, Party, Place, Transfer, Who};
use shadestep_language::ir::Storage;

/// What was wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Nothing is bound to the binding point.
    NotBound,
    /// An index leads out of the array.
    OutsideArray,
    /// No resident buffer is there.
    NotResident,
    /// Some or all of it is behind the end of the buffer, or before its beginning.
    OutOfBounds,
    /// The address or offset is no multiple of the access's size.
    Misaligned,
    /// The buffer is resident, or the image bound, for writing only.
    NotReadable,
    /// The buffer is resident, or the image bound, for reading only.
    NotWritable,
    /// No image is bound to the unit.
    NoImage,
    /// The texture bound to the unit has no such level or layer.
    NoLevel,
    /// The format of the unit has texels of another size than those of the texture.
    OtherFormat,
    /// There is no such texel.
    OutsideImage,
    /// The storage modifier has another size than texels of the unit's format.
    OtherSize,
    /// The format of the unit holds other numbers than those that are to be stored.
    OtherNumbers,
    /// Nothing has written some of the bytes that were read.
    Unwritten,
    /// Another invocation touched the same bytes, and nothing says which of them comes first. See `races`.
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
    /// Who made it.
    pub who: Who,
    /// Where.
    pub place: Place,
    /// What was to be read or written.
    pub storage: Storage,
    /// Whether it was a load, a store or an atomic.
    pub kind: Kind,
    /// What was wrong.
    pub reason: Reason,
    /// Of a race the other party.
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
    /// What was wrong with an access, if anything was and it was no helper's.
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

    /// Whether both have the same cause: the same instruction went wrong in the same way.
    fn is_like(&self, other: &Self) -> bool {
        let key = |fault: &Self| (fault.who.stage, fault.who.pc, fault.kind, fault.reason);
        key(self) == key(other)
    }
}

/// Wrong accesses with one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The first of them.
    pub first: Fault,
    /// How many there were.
    pub count: u64,
}

/// How many causes are told of.
pub const MAX_REPORTS: usize = 64;

/// What was wrong so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Vec<Report>);

impl Faults {
    /// Adds one. Causes beyond the [`MAX_REPORTS`]th are left out.
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
