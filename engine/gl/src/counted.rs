//! Array arguments of commands: C's `sizei n, const T *values` as one argument.

use super::error::{Error, Result};

/// The values of a command that takes several: a slice, or as in C a count with a slice. Only the first
/// `count` values are used. A negative count is the GL's INVALID_VALUE. So is a count beyond the slice, where
/// C would read out of bounds.
#[derive(Debug)]
pub struct Counted<'a, T> {
    count: Option<i32>,
    values: &'a [T],
}

impl<'a, T> Counted<'a, T> {
    /// The first `count` values.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a count that is negative or larger than the slice.
    pub(super) fn values(self, clause: &'static str) -> Result<&'a [T]> {
        let Some(count) = self.count else { return Ok(self.values) };
        let count = usize::try_from(count)
            .map_err(|_| Error::invalid_value(clause, format!("the count {count} is negative")))?;
        self.values.get(..count).ok_or_else(|| {
            let reason =
                format!("the count {count} is larger than the number of values, {}", self.values.len());
            Error::invalid_value(clause, reason)
        })
    }
}

impl<'a, T> From<&'a [T]> for Counted<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Self { count: None, values }
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for Counted<'a, T> {
    fn from(values: &'a [T; N]) -> Self {
        Self { count: None, values }
    }
}

impl<'a, T> From<&'a Vec<T>> for Counted<'a, T> {
    fn from(values: &'a Vec<T>) -> Self {
        Self { count: None, values }
    }
}

impl<'a, T> From<(i32, &'a [T])> for Counted<'a, T> {
    fn from((count, values): (i32, &'a [T])) -> Self {
        Self { count: Some(count), values }
    }
}
