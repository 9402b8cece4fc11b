//! Lowers memory accesses and emitted vertices to effects. `batch::memory` executes the effects.

use super::{Lowering, Value, Values};
use crate::exec::AddressForm;
use crate::exec::batch::layout::registers_of;
use crate::exec::lir::effect::{self, BufferPlace, Emitted, ImagePlace, Number, Place};
use crate::exec::lir::{Action, Symbol};
use shadestep_language::ir::{self, BufferRef, Emit, ImageAccess, Index, Instruction, Memory, Storage};

impl Lowering<'_> {
    /// LOAD, STORE and ATOM, also of images. Returns the result, if there is one.
    pub(super) fn access(&mut self, instruction: &Instruction, memory: &Memory) -> Values {
        let mut operands = Vec::new();
        let words = |lowering: &Self, operand: usize, c: usize, used: u8| match used >> c & 1 {
            0 => [Value::Known(0); 2],
            _ => lowering.operand(instruction, operand, c).map(Value::from),
        };
        let values = |lowering: &Self| {
            (0..4).flat_map(|c| words(lowering, 0, c, memory.operand_used(0))).collect::<Vec<_>>()
        };
        let (access, address) = match memory.access {
            ir::Access::Load(_) => (effect::Access::Load, 0),
            ir::Access::Store => (effect::Access::Store, 1),
            ir::Access::Atomic(_, atomic) => (effect::Access::Atomic(atomic), 1),
        };
        if access != effect::Access::Load {
            operands.extend(values(self));
        }
        let place = match memory.image {
            None => {
                operands.extend(words(self, address, 0, 1));
                Place::Address
            }
            Some(image) => {
                let used = image.coordinates();
                operands.extend((0..4).map(|c| words(self, address, c, used)[0]));
                let unit = self.number(image.index, &mut operands);
                Place::Image(ImagePlace { image: ImageAccess { index: Index::constant(0), ..image }, unit })
            }
        };
        // ATOM and ATOMIM return a scalar in x. The other components are undefined; they are 0.
        let mask = instruction.write().map_or(0, |write| write.dest.mask.0);
        let given = if memory.writes() { 0b0001 } else { 0b1111 };
        let wanted: Vec<u8> = (0..4).filter(|c| mask & given & 1 << c != 0).collect();
        let result = self.transfer(memory.storage, (access, place), operands, &wanted);
        std::array::from_fn(|c| (mask >> c & 1 != 0).then_some([result[c], result[c + 4]]))
    }

    /// Accesses memory. Returns the low words of the components in `wanted`, then the high words.
    fn transfer(
        &mut self,
        storage: Storage,
        (access, place): (effect::Access, Place),
        operands: Vec<Value>,
        wanted: &[u8],
    ) -> [Value; 8] {
        let mut words = wanted.to_vec();
        if storage.ty().is_wide() {
            words.extend(wanted.iter().map(|c| c + 4));
        }
        self.effect(Action::Memory(effect::Memory { pc: self.pc, storage, access, place }), operands, &words)
    }

    /// Reads `components` of an element of a parameter buffer. Returns the low words, then the high words.
    pub(super) fn read_buffer(&mut self, buffer: &BufferRef, components: &[u8]) -> [Value; 8] {
        let mut operands = Vec::new();
        let [point, element] = [buffer.point, buffer.element].map(|index| self.number(index, &mut operands));
        let place = Place::Buffer(BufferPlace { variable: buffer.variable, point, element });
        self.transfer(buffer.storage, (effect::Access::Load, place), operands, components)
    }

    /// An index, whose operand is added to `operands` if it is computed.
    pub(super) fn number(&self, index: Index, operands: &mut Vec<Value>) -> Number {
        let Some((id, component)) = index.register else {
            return Number { form: None, offset: index.offset };
        };
        let register = self.contents.layout.temporary(id) + u16::from(component);
        operands.push(self.lane_register(register).into());
        let form = AddressForm::of(self.program.temporaries[usize::from(id.0)].ty);
        Number { form: Some(form), offset: index.offset }
    }

    /// Lowers EMIT, EMITS and ENDPRIM. After a vertex, its results are undefined.
    pub(super) fn emit(&mut self, instruction: &Instruction, emit: Emit) {
        let stream = (emit == Emit::ToStream).then(|| self.operand(instruction, 0, 0)[0].into());
        let outputs = match emit {
            Emit::EndPrimitive => &[][..],
            Emit::Vertex | Emit::ToStream => &self.program.outputs,
        };
        let first = &self.contents.layout.outputs;
        let registers =
            outputs.iter().zip(first).map(|(output, &first)| first..first + registers_of(output.ty));
        let emitted = Emitted { emit, outputs: registers.clone().collect() };
        self.effect(Action::Emit(emitted), stream.into_iter().collect(), &[]);
        for (output, registers) in outputs.iter().zip(registers) {
            let initial = output.role.initial().into_iter().chain([0.0; 4]);
            for (register, value) in registers.zip(initial) {
                let value = self.in_mask(Symbol::Known(value.to_bits()), self.kept(register)).into();
                self.registers.insert(register, value);
            }
        }
    }
}
