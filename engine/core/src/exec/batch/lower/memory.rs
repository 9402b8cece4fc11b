//! Lowers memory accesses and emitted vertices to effects. `batch::memory` executes the effects.

use super::{Lowering, Value, Values};
use crate::exec::batch::effect::{
    ActionRegisters, Effect, EmitRegisters, MemoryRegisters, Number, PlaceRegisters, ResultRegister,
};
use crate::exec::batch::segment::Then;
use shadestep_language::ir::{Access, BufferRef, Emit, Index, Instruction, Memory, Storage};

impl Lowering<'_> {
    /// LOAD, STORE and ATOM, also of images. Returns the result, if there is one.
    pub(super) fn access(&mut self, instruction: &Instruction, memory: &Memory) -> Values {
        let words = |lowering: &mut Self, operand: usize, c: usize| {
            let value = lowering.operand(instruction, operand, c).map(Value::from);
            value.map(|word| lowering.register_of(word))
        };
        let zero = self.contents.layout.zero;
        let values = |lowering: &mut Self| {
            let used = memory.operand_used(0);
            std::array::from_fn(|c| if used >> c & 1 != 0 { words(lowering, 0, c) } else { [zero; 2] })
        };
        let (action, address) = match memory.access {
            Access::Load(_) => (ActionRegisters::Load, 0),
            Access::Store => (ActionRegisters::Store(values(self)), 1),
            Access::Atomic(_, atomic) => (ActionRegisters::Atomic(atomic, values(self)), 1),
        };
        let place =
            match &memory.image {
                None => PlaceRegisters::Address(words(self, address, 0)),
                Some(image) => {
                    let used = image.coordinates();
                    let coordinates = std::array::from_fn(|c| {
                        if used >> c & 1 != 0 { words(self, address, c)[0] } else { zero }
                    });
                    PlaceRegisters::Image { image: *image, unit: self.number(image.index), coordinates }
                }
            };
        let mut result = [None; 4];
        let mut results = Vec::new();
        if let Some(write) = instruction.write() {
            // ATOM and ATOMIM return a scalar in x. The other components are undefined; they are 0.
            let given = |c: usize| c == 0 || !memory.writes();
            for c in (0..4).filter(|&c| write.dest.mask.has(c)) {
                let registers =
                    if given(c) { self.result(memory.storage, c as u8, &mut results) } else { [zero; 2] };
                result[c] = Some(registers);
            }
        }
        let pc = self.pc;
        let registers = MemoryRegisters { pc, storage: memory.storage, action, place, results };
        self.end_segment(Then::Effect(Effect::Memory(registers)));
        result.map(|registers| {
            registers.map(|registers| registers.map(|register| self.lane_register(register).into()))
        })
    }

    /// Lane registers for both words of component `c`. The high word of a 32-bit component uses the lane
    /// register of zeros.
    fn result(&mut self, storage: Storage, c: u8, results: &mut Vec<ResultRegister>) -> [u16; 2] {
        let words = if storage.ty().is_wide() { 2 } else { 1 };
        let mut registers = [self.contents.layout.zero; 2];
        for (word, register) in registers.iter_mut().enumerate().take(words) {
            *register = self.scratch();
            results.push(ResultRegister { component: c, word: word as u8, register: *register });
        }
        registers
    }

    /// Reads `components` of an element of a parameter buffer. Returns the lane registers of the low words,
    /// then of the high words.
    pub(super) fn read_buffer(&mut self, buffer: &BufferRef, components: &[u8]) -> [u16; 8] {
        let [point, element] = [buffer.point, buffer.element].map(|index| self.number(index));
        let mut registers = [self.contents.layout.zero; 8];
        let mut results = Vec::new();
        for &c in components {
            [registers[usize::from(c)], registers[usize::from(c) + 4]] =
                self.result(buffer.storage, c, &mut results);
        }
        let place = PlaceRegisters::Buffer { buffer: *buffer, point, element };
        let (pc, storage) = (self.pc, buffer.storage);
        let registers_read = MemoryRegisters { pc, storage, action: ActionRegisters::Load, place, results };
        self.end_segment(Then::Effect(Effect::Memory(registers_read)));
        registers
    }

    pub(super) fn number(&mut self, index: Index) -> Number {
        match index.register {
            None => Number::Fixed(index.offset),
            Some((id, component)) => Number::Register(self.component_address(id, component, index.offset)),
        }
    }

    /// Lowers EMIT, EMITS and ENDPRIM.
    pub(super) fn emit(&mut self, instruction: &Instruction, emit: Emit) {
        let stream = (emit == Emit::ToStream).then(|| {
            let [value, _] = self.operand(instruction, 0, 0).map(Value::from);
            self.register_of(value)
        });
        let outputs = self.program.outputs.iter().zip(&self.contents.layout.outputs);
        let results = outputs.map(|(output, &first)| (first, output.ty, output.role.initial())).collect();
        self.end_segment(Then::Effect(Effect::Emit(EmitRegisters { emit, stream, results })));
    }
}
