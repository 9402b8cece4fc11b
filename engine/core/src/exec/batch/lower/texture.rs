//! Lowers texture instructions to effects: puts coordinates, level of detail and offsets into lane registers.
//! `batch::texture` executes the effects.

use super::{Lowering, Then, Value, Values};
use crate::exec::batch::effect::{Detail, Effect, OffsetRegisters, Sample, Texels};
use crate::exec::lir::Symbol;
use crate::exec::lookup::Question;
use shadestep_language::ir::{Destination, Instruction, TexelOffset, TextureAccess, Type};
use shadestep_language::isa::Stage;
use shadestep_language::num::Number;
use shadestep_language::semantics::ops::{Kernel, MAX_INPUTS, evaluate};
use shadestep_language::semantics::plan::{Lookup, Plan, inputs_used};

impl Lowering<'_> {
    pub(super) fn look_up(
        &mut self,
        instruction: &Instruction,
        access: &TextureAccess,
        dest: &Destination,
    ) -> Values {
        let plan = Plan::of(instruction);
        let results = std::array::from_fn(|c| dest.mask.has(c).then(|| self.scratch()));
        let effect = match plan {
            Plan::Texture(lookup) => {
                Effect::Texture(self.sample(instruction, access, (lookup, dest.mask.0), results))
            }
            Plan::Texel(asked) => {
                let operand = self.integers(instruction, 0, dest.mask.0);
                let offset = self.offset(instruction, access, dest.mask.0);
                let unit = self.number(access.index);
                let (access, ty) = (*access, instruction.ty);
                Effect::Texels(Texels { access, unit, asked, ty, operand, offset, results })
            }
            _ => return [None; 4],
        };
        self.end_segment(Then::Effect(effect));
        results
            .map(|register| register.map(|register| [self.lane_register(register).into(), Value::Known(0)]))
    }

    fn sample(
        &mut self,
        instruction: &Instruction,
        access: &TextureAccess,
        (lookup, mask): (Lookup, u8),
        results: [Option<u16>; 4],
    ) -> Sample {
        let question = Question { lookup, ty: instruction.ty, semantics: instruction.semantics };
        let target = access.target;
        let divided = match lookup {
            Lookup::Projective if question.divides(target) => target.coordinates() & 0b0111,
            _ => 0,
        };
        let coordinates = self.coordinates(instruction, 0, mask, divided);
        let detail = match lookup {
            Lookup::Gradient => Detail::Sides([1, 2].map(|operand| {
                let [x, y, z, _] = self.coordinates(instruction, operand, mask, 0);
                [x, y, z]
            })),
            Lookup::Level => Detail::Level(coordinates[3]),
            _ if self.program.stage() == Stage::Fragment => Detail::Quad,
            // Vertices have no neighbours (NV_vertex_program3 2.14.5.45).
            _ => Detail::Level(self.contents.layout.zero),
        };
        let bias = (lookup == Lookup::Bias).then_some(coordinates[3]);
        let offset = match lookup {
            Lookup::GatherApart => {
                OffsetRegisters::Apart([1, 2].map(|operand| self.integers(instruction, operand, mask)))
            }
            _ => self.offset(instruction, access, mask),
        };
        let unit = self.number(access.index);
        Sample { access: *access, unit, question, coordinates, detail, bias, offset, results }
    }

    fn offset(&mut self, instruction: &Instruction, access: &TextureAccess, mask: u8) -> OffsetRegisters {
        match access.offset {
            TexelOffset::Constant(offsets) => OffsetRegisters::Same(offsets),
            TexelOffset::Operand => {
                let [x, y, z, _] = self.integers(instruction, 1, mask);
                OffsetRegisters::Lanes([x, y, z])
            }
        }
    }

    /// Lane registers of the integer components that the instruction reads. Other components use a lane
    /// register of zeros.
    fn integers(&mut self, instruction: &Instruction, operand: usize, mask: u8) -> [u16; 4] {
        let used = inputs_used(instruction, &Plan::of(instruction), operand, mask);
        std::array::from_fn(|c| {
            if used >> c & 1 == 0 {
                return self.contents.layout.zero;
            }
            let [number, _] = self.operand(instruction, operand, c);
            self.register_of(number.into())
        })
    }

    /// Lane registers of the fp32 components that the instruction reads. The fourth component divides those
    /// in `divided`.
    fn coordinates(&mut self, instruction: &Instruction, operand: usize, mask: u8, divided: u8) -> [u16; 4] {
        let used = inputs_used(instruction, &Plan::of(instruction), operand, mask);
        std::array::from_fn(|c| {
            if used >> c & 1 == 0 {
                return self.contents.layout.zero;
            }
            if divided >> c & 1 == 0 {
                let [value, _] = self.operand(instruction, operand, c);
                return self.register_of(value.flush().into());
            }
            let mut inputs = [[Symbol::Known(0); 2]; MAX_INPUTS];
            [inputs[0], inputs[1]] = [c, 3].map(|c| self.operand(instruction, operand, c));
            let quotient = evaluate(Kernel::Div, Type::F32, &inputs)[0].into();
            self.register_of(quotient)
        })
    }
}
