//! Borrows the lane registers that a texture lookup writes, and lends the others for reading at the same
//! time.
#![expect(unsafe_code, reason = "some registers are borrowed to be written, the others to be read")]

use std::marker::PhantomData;

use crate::exec::block::{LANES, LaneRegister};

/// Registers to write: x, y, z and w.
pub type Results<'a> = [Option<&'a mut [f32; LANES]>; 4];

/// The lane registers that remain for reading.
pub struct Rest<'a> {
    first: *const LaneRegister,
    count: usize,
    /// `u16::MAX`, which no register has, stands for none.
    written: [u16; 4],
    borrowed: PhantomData<&'a LaneRegister>,
}

/// Splits lane registers into `written` and the rest. A result is `None` if its register does not exist or is
/// listed twice.
pub fn apart(registers: &mut [LaneRegister], written: [Option<u16>; 4]) -> (Results<'_>, Rest<'_>) {
    let (first, count) = (registers.as_mut_ptr(), registers.len().min(usize::from(u16::MAX)));
    let results = std::array::from_fn(|c| {
        let register = written[c].filter(|register| usize::from(*register) < count)?;
        if written[..c].contains(&Some(register)) {
            return None;
        }
        // SAFETY: the lane register exists, all written ones are distinct, and `Rest` does not return any of
        // them.
        Some(unsafe { &mut (*first.add(usize::from(register))).0 })
    });
    let written = written.map(|register| register.unwrap_or(u16::MAX));
    (results, Rest { first, count, written, borrowed: PhantomData })
}

impl<'a> Rest<'a> {
    /// A lane register, unless it is written.
    pub fn get(&self, register: u16) -> Option<&'a [f32; LANES]> {
        if self.written.contains(&register) || usize::from(register) >= self.count {
            return None;
        }
        // SAFETY: the lane register exists, and nothing can write to it during `'a`.
        Some(unsafe { &(*self.first.add(usize::from(register))).0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_not_read() {
        let mut registers: Vec<LaneRegister> = (0..6).map(|n| LaneRegister([n as f32; 64])).collect();
        let ([x, y, z, w], rest) = apart(&mut registers, [Some(3), None, Some(3), Some(6)]);
        assert!(y.is_none() && z.is_none() && w.is_none());
        let x = x.unwrap();
        *x = *rest.get(5).unwrap();
        assert!(rest.get(3).is_none() && rest.get(6).is_none());
        assert_eq!(*rest.get(0).unwrap(), [0.0; 64]);
        assert_eq!(registers[3].0, [5.0; 64]);
    }
}
