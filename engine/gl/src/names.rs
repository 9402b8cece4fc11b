//! Names of objects, which commands give out or a caller makes up (glspec15 2.9; programs' in NV_fragment_program 5.7).

use std::collections::BTreeMap;

use super::error::{Error, ErrorCode, Result};

/// Names that one command gives out at most.
const MOST_NAMES: usize = 1 << 20;

/// What names stand for.
#[derive(Clone, Debug)]
pub(super) struct Names<T>(BTreeMap<u32, T>);

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

/// How many names a command may give out that is asked for `n`.
///
/// # Errors
/// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million.
fn count(n: i32, clause: &'static str) -> Result<usize> {
    let count =
        usize::try_from(n).map_err(|_| Error::invalid_value(clause, format!("the count {n} is negative")))?;
    if count > MOST_NAMES {
        let reason = format!("{n} names are too many");
        return Err(Error { code: ErrorCode::OutOfMemory, reason, clause });
    }
    Ok(count)
}

impl<T> Names<T> {
    /// What a name stands for, if it is in use.
    pub fn get(&self, name: u32) -> Option<&T> {
        self.0.get(&name)
    }

    /// The same, to change.
    pub fn get_mut(&mut self, name: u32) -> Option<&mut T> {
        self.0.get_mut(&name)
    }

    /// Makes a name stand for `object`.
    pub fn insert(&mut self, name: u32, object: T) {
        self.0.insert(name, object);
    }

    /// Makes a name unused, and says whether it was in use.
    pub fn remove(&mut self, name: u32) -> bool {
        self.0.remove(&name).is_some()
    }

    /// What all names stand for.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.values()
    }

    /// The first name that stands for what `is_it` says.
    pub fn find(&self, is_it: impl Fn(&T) -> bool) -> Option<u32> {
        self.0.iter().find(|(_, object)| is_it(object)).map(|(name, _)| *name)
    }

    /// The lowest `n` unused names, which stand for `reserved` from now on.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million.
    pub fn generate(&mut self, n: i32, clause: &'static str, reserved: impl Fn() -> T) -> Result<Vec<u32>> {
        count(n, clause).map(|count| self.reserve(count, reserved))
    }

    fn reserve(&mut self, count: usize, reserved: impl Fn() -> T) -> Vec<u32> {
        let mut used = self.0.keys().copied().peekable();
        let mut unused = Vec::with_capacity(count);
        let mut next = 1u32;
        while unused.len() < count {
            match used.peek() {
                Some(&name) if name == next => {
                    used.next();
                }
                _ => unused.push(next),
            }
            // Names run out only after 2^32 of them.
            next = next.wrapping_add(1).max(1);
        }
        self.0.extend(unused.iter().map(|&name| (name, reserved())));
        unused
    }
}

impl<T> Names<Option<T>> {
    /// Whether a name stands for an object, not only given out.
    pub fn has_object(&self, name: u32) -> bool {
        self.get(name).is_some_and(Option::is_some)
    }
}
