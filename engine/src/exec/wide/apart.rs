//! Borrows the lane registers that a texture lookup writes, and lends the others to be read meanwhile.
#![expect(unsafe_code, reason = "some rows are borrowed to be written, the others to be read")]

use std::marker::PhantomData;

use crate::exec::block::Row;

/// The rows that are left to read.
pub struct Rest<'a> {
    first: *const Row,
    count: usize,
    written: [Option<u16>; 4],
    borrowed: PhantomData<&'a Row>,
}

/// The rows `written`, and the rest. `None` for one that there is not, or that stands there twice.
pub fn apart(rows: &mut [Row], written: [Option<u16>; 4]) -> ([Option<&mut Row>; 4], Rest<'_>) {
    let (first, count) = (rows.as_mut_ptr(), rows.len());
    let results = std::array::from_fn(|c| {
        let row = written[c].filter(|row| usize::from(*row) < count)?;
        if written[..c].contains(&Some(row)) {
            return None;
        }
        // SAFETY: there is such a row, none of the others is the same, and `Rest` gives out none of them.
        Some(unsafe { &mut *first.add(usize::from(row)) })
    });
    (results, Rest { first, count, written, borrowed: PhantomData })
}

impl<'a> Rest<'a> {
    /// A row, unless it is written.
    pub fn get(&self, row: u16) -> Option<&'a Row> {
        if self.written.contains(&Some(row)) || usize::from(row) >= self.count {
            return None;
        }
        // SAFETY: there is such a row, and nobody may write to it as long as `'a`.
        Some(unsafe { &*self.first.add(usize::from(row)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_not_read() {
        let mut rows: Vec<Row> = (0..6).map(|n| Row([n as f32; 64])).collect();
        let ([x, y, z, w], rest) = apart(&mut rows, [Some(3), None, Some(3), Some(6)]);
        assert!(y.is_none() && z.is_none() && w.is_none());
        let x = x.unwrap();
        *x = *rest.get(5).unwrap();
        assert!(rest.get(3).is_none() && rest.get(6).is_none());
        assert_eq!(rest.get(0).unwrap().0, [0.0; 64]);
        assert_eq!(rows[3].0, [5.0; 64]);
    }
}
