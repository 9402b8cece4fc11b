//! Operands of effects: lane registers in the order that [`lir::Action`](crate::exec::lir::Action) states.

use crate::exec::AddressForm;
use crate::exec::lir::effect::{Choice, Number};

/// Takes the operands of an effect, one after the other.
#[derive(Clone, Debug)]
pub struct Operands<'e>(&'e [u16]);

impl<'e> Operands<'e> {
    pub fn new(operands: &'e [u16]) -> Self {
        Self(operands)
    }

    /// The lane registers of the next operands. The effect has them, see `lir::verify_block`.
    pub fn take<const COUNT: usize>(&mut self) -> [u16; COUNT] {
        let Some((taken, rest)) = self.0.split_first_chunk() else { return [0; COUNT] };
        self.0 = rest;
        *taken
    }

    /// The lane registers of the next `count` operands.
    pub fn take_slice(&mut self, count: usize) -> &'e [u16] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// An index, with its operand.
    pub fn index(&mut self, number: &Number) -> LaneIndex {
        let address = number.form.map(|form| {
            let [register] = self.take();
            (register, form)
        });
        LaneIndex { address, offset: number.offset }
    }

    /// The element that a relative reference selects, with its operands.
    pub fn choice(&mut self, choice: &Choice) -> LaneChoice {
        let [vertex, element] = &choice.numbers;
        LaneChoice { indices: [self.index(vertex), self.index(element)], counts: choice.counts }
    }
}

/// An index: a constant, or computed for each lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneIndex {
    /// The lane register of a computed index.
    address: Option<(u16, AddressForm)>,
    offset: i64,
}

impl LaneIndex {
    /// The lane register of a computed index.
    pub fn register(&self) -> Option<u16> {
        self.address.map(|(register, _)| register)
    }

    /// The index of one lane. `value` returns the lane's value of a lane register.
    pub fn value(&self, value: impl Fn(u16) -> f32) -> i64 {
        self.address.map_or(self.offset, |(register, form)| form.index(value(register), self.offset))
    }
}

/// The array element that a relative reference selects.
#[derive(Clone, Copy, Debug)]
pub struct LaneChoice {
    indices: [LaneIndex; 2],
    counts: [u16; 2],
}

impl LaneChoice {
    /// The lane registers that the indices depend on.
    pub fn registers(self) -> impl Iterator<Item = u16> {
        self.indices.into_iter().filter_map(|index| index.register())
    }

    /// Position of the element in the array for one lane; `None` outside the array. `value` returns the
    /// lane's value of a lane register.
    pub fn place(&self, value: impl Fn(u16) -> f32) -> Option<usize> {
        let within = |which: usize| {
            let index = usize::try_from(self.indices[which].value(&value)).ok()?;
            Some(index).filter(|index| *index < usize::from(self.counts[which]))
        };
        Some(within(0)? * usize::from(self.counts[1]) + within(1)?)
    }
}
