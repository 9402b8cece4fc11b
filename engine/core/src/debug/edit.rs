//! [`Edit`]: a new value for one component of a register at one position of a run.

use super::expression::Place;
use crate::exec::{AttributesRead, ExecState, Registers};
use shadestep_language::ir::{Components, Flags, Program, Type};
use shadestep_language::num::fp16;

/// A component whose value is changed at a position of the recorded lane's run. Every later read of the lane
/// sees the new value, reads by neighbours in the quad included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The edit takes effect right after step `position - 1`, so step `position` is the first that can read
    /// the new value. 0 is the start. The position is ignored for attributes, and for parameters where the
    /// program writes none: these have one value for the whole run.
    pub position: usize,
    pub place: Place,
    /// 0 = x.
    pub component: u8,
    /// The component's new bits. Bits beyond the register's width are ignored. The value of an fp16 register
    /// is rounded to fp16. A condition code takes the bits of [`Flags`].
    pub bits: u64,
}

impl Edit {
    /// Whether the edit changes an input of the run rather than a register during the run. `registers` are
    /// any state of the run's registers.
    pub(super) fn is_of_input(&self, registers: &Registers) -> bool {
        match self.place {
            Place::Attribute(_) => true,
            Place::Param(_) => registers.parameters.is_empty(),
            Place::Temp(_) | Place::Output(_) | Place::Flags(_) => false,
        }
    }

    /// The edit's bits in the format of a register of type `ty`.
    fn bits_in(&self, ty: Type) -> u64 {
        match ty {
            _ if ty.is_wide() => self.bits,
            Type::F16 => fp16::round(f32::from_bits(self.bits as u32)).to_bits().into(),
            _ => self.bits & u64::from(u32::MAX),
        }
    }

    fn component(&self) -> usize {
        usize::from(self.component & 3)
    }

    /// Writes the bits to an input of the run: an attribute of `lane`, or a parameter, which all lanes share.
    pub(super) fn put_into_inputs(
        &self,
        program: &Program,
        lane: usize,
        inputs: &mut AttributesRead,
        parameters: &mut [Components],
    ) {
        let value = match self.place {
            Place::Attribute(attribute) => {
                inputs.get_mut(attribute, lane).map(|value| (value, attribute.storage()))
            }
            Place::Param(id) => {
                let ty = program.parameters.get(usize::from(id.0)).map(|parameter| parameter.ty);
                parameters.get_mut(usize::from(id.0)).zip(ty)
            }
            Place::Temp(_) | Place::Output(_) | Place::Flags(_) => None,
        };
        if let Some((value, ty)) = value {
            value[self.component()] = self.bits_in(ty);
        }
    }

    /// Writes the bits to a register of `lane`. A register that all invocations of a patch share changes for
    /// all of them.
    pub(super) fn put(&self, program: &Program, lane: usize, at: &mut ExecState) {
        let c = self.component();
        match self.place {
            Place::Temp(id) => {
                let (registers, id) = (&mut at.lanes[lane], usize::from(id.0));
                let Some(temporary) = program.temporaries.get(id) else { return };
                registers.temporaries[id][c] = self.bits_in(temporary.ty);
                registers.temporaries_defined[id] |= 1 << c;
            }
            Place::Output(id) => {
                let shared = program.writes_patch(shadestep_language::ir::Target::Output(id));
                let lanes = if shared { 0..at.lanes.len() } else { lane..lane + 1 };
                let id = usize::from(id.0);
                let Some(output) = program.outputs.get(id) else { return };
                for registers in &mut at.lanes[lanes] {
                    registers.outputs[id][c] = self.bits_in(output.ty);
                    registers.outputs_defined[id] |= 1 << c;
                }
            }
            Place::Flags(register) => at.lanes[lane].cc[register.index()][c] = Flags(self.bits as u8),
            Place::Param(id) => {
                if let Some(value) = at.lanes[lane].parameters.get_mut(usize::from(id.0)) {
                    value[c] = self.bits_in(Type::F32);
                }
            }
            Place::Attribute(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{Cursor, Recording, trial};
    use shadestep_language::ir::{Attribute, CcRegister, ParamId, TempId, singles};
    use std::sync::atomic::AtomicBool;

    const PROGRAM: &str = "!!FP1.0
DECLARE k={2,4,8,16};
MOV R0,f[TEX0];
MULR R1,R0,k;
DDXR R2.x,R1.x;
ADDRC H0.x,R1.y,-1;
MOVR o[COLR],R1;
MOVR o[COLR].w(LT.x),R2.x;
END
";

    fn with(recording: &Recording, edits: &[Edit]) -> Recording {
        recording.with_edits(edits, &AtomicBool::new(false)).expect("nobody cancels it")
    }

    fn edit(position: usize, place: Place, component: u8, value: f32) -> Edit {
        Edit { position, place, component, bits: value.to_bits().into() }
    }

    const R0: Place = Place::Temp(TempId(0));

    #[test]
    fn what_is_read_behind_an_edit_is_the_changed_value() {
        let recording = trial::fragment(PROGRAM);
        assert_eq!(singles(recording.color), [0.0, 1.0, 4.0, 12.0]);
        // R0.y is 3 before the second step: R1.y is 3 * 4.
        let changed = with(&recording, &[edit(1, R0, 1, 3.0)]);
        assert_eq!(singles(changed.color), [0.0, 12.0, 4.0, 12.0]);
        // No later step reads R0.y, but the register holds the new value.
        let changed = with(&recording, &[edit(2, R0, 1, 3.0)]);
        assert_eq!(singles(changed.color), singles(recording.color));
        assert_eq!(singles(changed.state_at(2).temporaries[0])[1], 3.0);
        assert_eq!(singles(changed.state_at(1).temporaries[0])[1], 0.25);
        // An edit after the last step changes the result.
        let color =
            recording.program().output(shadestep_language::ir::OutputRole::Color(0)).expect("it is written");
        let changed = with(&recording, &[edit(recording.len(), Place::Output(color), 2, 9.0)]);
        assert_eq!(singles(changed.color), [0.0, 1.0, 9.0, 12.0]);
        let beyond = with(&recording, &[edit(recording.len() + 1, Place::Output(color), 2, 9.0)]);
        assert_eq!(beyond.color, recording.color);
    }

    #[test]
    fn neighbours_see_the_changed_value_through_derivatives() {
        let recording = trial::fragment(PROGRAM);
        // R1.x is 0 here and 0.25 in the neighbour on the right.
        assert_eq!(singles(recording.state_at(3).temporaries[2])[0], 0.25);
        let changed = with(&recording, &[edit(2, Place::Temp(TempId(1)), 0, 1.25)]);
        assert_eq!(singles(changed.state_at(3).temporaries[2])[0], -1.0);
    }

    #[test]
    fn condition_codes_attributes_and_parameters_are_changed() {
        let recording = trial::fragment(PROGRAM);
        // The code is EQ; with LT the last step writes the derivative.
        let codes = Place::Flags(CcRegister::Cc0);
        let less = Edit { position: 4, place: codes, component: 0, bits: Flags::LT.0.into() };
        assert_eq!(singles(with(&recording, &[less]).color), [0.0, 1.0, 4.0, 0.25]);
        let attribute = edit(0, Place::Attribute(Attribute::Tex(0)), 2, 7.0);
        assert_eq!(singles(with(&recording, &[attribute]).color), [0.0, 1.0, 56.0, 12.0]);
        // The edit changes this fragment's attribute only; the neighbour's keeps its value.
        let attribute = edit(0, Place::Attribute(Attribute::Tex(0)), 0, 1.0);
        assert_eq!(singles(with(&recording, &[attribute]).state_at(3).temporaries[2])[0], -1.75);
        let program = recording.program();
        let named = |name: &str| {
            let mut names = program.parameters.iter().map(|parameter| parameter.name_in(program.language));
            names.position(|other| other.as_deref() == Some(name))
        };
        let k = named("k");
        let k = Place::Param(ParamId(k.expect("it is declared") as u16));
        assert_eq!(singles(with(&recording, &[edit(0, k, 3, 1.0)]).color), [0.0, 1.0, 4.0, 0.75]);
    }

    #[test]
    fn an_fp16_register_holds_what_it_has_room_for() {
        let recording = trial::fragment(PROGRAM);
        let h0 = recording.program().temporaries.iter().position(|t| t.name == "H0").expect("it is used");
        let h0 = Place::Temp(TempId(h0 as u16));
        let changed = with(&recording, &[edit(4, h0, 0, 1.0 + 1.0 / 4096.0)]);
        let Place::Temp(TempId(id)) = h0 else { panic!("it is a temporary") };
        assert_eq!(singles(changed.state_at(4).temporaries[usize::from(id)])[0], 1.0);
    }

    #[test]
    fn edits_of_a_changed_run_come_on_top() {
        let recording = trial::fragment(PROGRAM);
        let once = with(&recording, &[edit(1, R0, 1, 3.0)]);
        let twice = with(&once, &[edit(1, R0, 2, 1.0)]);
        assert_eq!(singles(twice.color), [0.0, 12.0, 8.0, 12.0]);
        let again = with(&twice, &[edit(1, R0, 1, 5.0)]);
        assert_eq!(singles(again.color), [0.0, 20.0, 8.0, 12.0]);
        assert_eq!(again.edits().len(), 3);
    }

    #[test]
    fn stepping_goes_both_ways_through_a_changed_run() {
        // 600 iterations of two instructions are enough to create checkpoints.
        let text = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP a, b;
MOV a, 0;
REP 200;
ADD a.x, a.x, 1;
ADD a.y, a.x, a.y;
MUL b, a, 0.5;
ENDREP;
MOV result.color, a;
END
";
        let recording = trial::fragment(text);
        let at = 401;
        let changed = with(&recording, &[edit(at, R0, 0, -1000.0), edit(0, R0, 2, 5.0)]);
        let steps: Vec<_> = changed.all_steps().collect();
        assert_eq!(steps.len(), changed.len());
        let mut cursor = Cursor::new(&changed);
        for position in [0, 801, at, at - 1, at + 1, 30, 801, at, 0, at + 200, at - 200] {
            cursor.seek(&changed, position);
            assert_eq!(cursor.state(), &changed.state_at(position), "position {position}");
            assert_eq!(cursor.current(), steps.get(position), "position {position}");
            let same = cursor.state() == &recording.state_at(position);
            assert_eq!(same, (1..at).contains(&position), "position {position}");
        }
    }
}
