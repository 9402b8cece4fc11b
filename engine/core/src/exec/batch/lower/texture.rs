//! Lowers texture instructions to effects, with coordinates, level of detail and offsets as operands.
//! `batch::texture` executes the effects.

use super::{Lowering, Value, Values};
use crate::exec::lir::effect::{Detail, Sample, Texels};
use crate::exec::lir::{Action, Symbol};
use crate::exec::lookup::Question;
use shadestep_language::ir::{Destination, Index, Instruction, TexelOffset, TextureAccess, Type};
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
        let mut operands = Vec::new();
        let own = TextureAccess { index: Index::constant(0), ..*access };
        let action = match Plan::of(instruction) {
            Plan::Texture(lookup) => {
                let question = Question::of(instruction, lookup);
                let detail =
                    self.lookup_operands(instruction, (&question, access), dest.mask.0, &mut operands);
                let unit = self.number(access.index, &mut operands);
                Action::Texture(Sample { access: own, unit, question, detail })
            }
            Plan::Texel(asked) => {
                operands.extend(self.integers(instruction, 0, dest.mask.0));
                self.offset(instruction, access, dest.mask.0, &mut operands);
                let unit = self.number(access.index, &mut operands);
                Action::Texels(Texels { access: own, unit, asked, ty: instruction.ty })
            }
            _ => return [None; 4],
        };
        let wanted: Vec<u8> = (0..4).filter(|&c| dest.mask.has(c.into())).collect();
        let results = self.effect(action, operands, &wanted);
        std::array::from_fn(|c| dest.mask.has(c).then_some([results[c], Value::Known(0)]))
    }

    /// Adds the operands of a lookup except the unit. Returns the source of the level of detail.
    fn lookup_operands(
        &self,
        instruction: &Instruction,
        (question, access): (&Question, &TextureAccess),
        mask: u8,
        operands: &mut Vec<Value>,
    ) -> Detail {
        let (lookup, target) = (question.lookup, access.target);
        let divided = match lookup {
            Lookup::Projective if question.divides(target) => target.coordinates() & 0b0111,
            _ => 0,
        };
        let coordinates = self.coordinates(instruction, 0, mask, divided);
        operands.extend(coordinates);
        let detail = match lookup {
            Lookup::Gradient => {
                for operand in [1, 2] {
                    operands.extend(&self.coordinates(instruction, operand, mask, 0)[..3]);
                }
                Detail::Sides
            }
            _ if lookup != Lookup::Level && self.program.stage() == Stage::Fragment => Detail::Quad,
            _ => {
                // Vertices have no neighbours (NV_vertex_program3 2.14.5.45).
                operands.push(if lookup == Lookup::Level { coordinates[3] } else { Value::Known(0) });
                Detail::Level
            }
        };
        if lookup == Lookup::GatherApart {
            for operand in [1, 2] {
                operands.extend(self.integers(instruction, operand, mask));
            }
        } else {
            self.offset(instruction, access, mask, operands);
        }
        detail
    }

    /// Adds the texel offset, if it is an operand.
    fn offset(&self, instruction: &Instruction, access: &TextureAccess, mask: u8, operands: &mut Vec<Value>) {
        if access.offset == TexelOffset::Operand {
            operands.extend(&self.integers(instruction, 1, mask)[..3]);
        }
    }

    /// The integer components that the instruction reads. Other components are 0.
    fn integers(&self, instruction: &Instruction, operand: usize, mask: u8) -> [Value; 4] {
        let used = inputs_used(instruction, &Plan::of(instruction), operand, mask);
        std::array::from_fn(|c| {
            if used >> c & 1 == 0 {
                return Value::Known(0);
            }
            let [number, _] = self.operand(instruction, operand, c);
            number.into()
        })
    }

    /// The fp32 components that the instruction reads. The fourth component divides those in `divided`. Other
    /// components are 0.
    fn coordinates(&self, instruction: &Instruction, operand: usize, mask: u8, divided: u8) -> [Value; 4] {
        let used = inputs_used(instruction, &Plan::of(instruction), operand, mask);
        std::array::from_fn(|c| {
            if used >> c & 1 == 0 {
                return Value::Known(0);
            }
            if divided >> c & 1 == 0 {
                let [value, _] = self.operand(instruction, operand, c);
                return value.flush().into();
            }
            let mut inputs = [[Symbol::Known(0); 2]; MAX_INPUTS];
            [inputs[0], inputs[1]] = [c, 3].map(|c| self.operand(instruction, operand, c));
            evaluate(Kernel::Div, Type::F32, &inputs)[0].into()
        })
    }
}
