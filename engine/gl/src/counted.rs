//! Arrays as commands take them: C's `sizei n, const T *values` in one argument.

use super::error::{Error, Result};

/// The values of a command that takes several: a slice, or a count with a slice, as C has it. With a
/// count, that many values from the front are meant; a negative one is the GL's INVALID_VALUE, and so
/// is, where C would read past the end, one that is larger than the slice.
#[derive(Debug)]
pub struct Counted<'a, T> {
    count: Option<i32>,
    values: &'a [T],
}

impl<'a, T> Counted<'a, T> {
    /// The values that are meant.
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
