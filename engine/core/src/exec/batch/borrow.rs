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
    written: FewRegisters,
    borrowed: PhantomData<&'a LaneRegister>,
}

/// Splits lane registers into those of `written`, pairs of a component and a lane register, and the rest. A
/// result is `None` if its register does not exist or is listed before.
pub fn apart<'a>(
    registers: &'a mut [LaneRegister],
    written: &[(u8, u16)],
    results: &mut Results<'a>,
) -> Rest<'a> {
    let (first, count) = (registers.as_mut_ptr(), registers.len().min(usize::from(u16::MAX)));
    let mut distinct = FewRegisters::NONE;
    for &(component, register) in written.iter().take(results.len()) {
        if usize::from(register) < count && !distinct.has(register) {
            distinct = distinct.with(register);
            // SAFETY: the lane register exists, all written ones are distinct, and `Rest` does not return any
            // of them.
            let register = unsafe { &mut (*first.add(usize::from(register))).0 };
            results[usize::from(component)] = Some(register);
        }
    }
    Rest { first, count, written: distinct, borrowed: PhantomData }
}

impl<'a> Rest<'a> {
    /// A lane register, unless it is written.
    pub fn get(&self, register: u16) -> Option<&'a [f32; LANES]> {
        if self.written.has(register) || usize::from(register) >= self.count {
            return None;
        }
        // SAFETY: the lane register exists, and nothing can write to it during `'a`.
        Some(unsafe { &(*self.first.add(usize::from(register))).0 })
    }
}

/// Up to four lane registers, 16 bits each. A loop over a list takes longer than the rest of a lookup's
/// preparation. `u16::MAX`, which no register has, stands for none.
#[derive(Clone, Copy)]
struct FewRegisters(u64);

impl FewRegisters {
    const NONE: Self = Self(u64::MAX);
    /// The number 1 in each part of 16 bits.
    const ONES: u64 = 0x0001_0001_0001_0001;

    fn with(self, register: u16) -> Self {
        Self(self.0 << 16 | u64::from(register))
    }

    fn has(self, register: u16) -> bool {
        let differences = self.0 ^ (Self::ONES * u64::from(register));
        // The sign of a part turns on when 1 is taken from a zero. A borrow reaches only parts above a zero.
        differences.wrapping_sub(Self::ONES) & !differences & (Self::ONES << 15) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_not_read() {
        let mut registers: Vec<LaneRegister> = (0..6).map(|n| LaneRegister([n as f32; 64])).collect();
        let mut results = [const { None }; 4];
        let rest = apart(&mut registers, &[(0, 3), (2, 3), (3, 6)], &mut results);
        let [x, y, z, w] = results;
        assert!(y.is_none() && z.is_none() && w.is_none());
        let x = x.unwrap();
        *x = *rest.get(5).unwrap();
        assert!(rest.get(3).is_none() && rest.get(6).is_none());
        assert_eq!(*rest.get(0).unwrap(), [0.0; 64]);
        assert_eq!(registers[3].0, [5.0; 64]);
    }

    #[test]
    fn few_registers_have_those_that_were_added() {
        let edges = [0, 1, 2, 0x7FFF, 0x8000, 0x8001, 0xFFFE];
        for count in 0..=4 {
            for first in 0..edges.len() {
                let added: Vec<u16> = edges.iter().cycle().skip(first).take(count).copied().collect();
                let few = added.iter().fold(FewRegisters::NONE, |few, &register| few.with(register));
                let found: Vec<u16> = (0..u16::MAX).filter(|&register| few.has(register)).collect();
                let mut expected = added;
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }
}
