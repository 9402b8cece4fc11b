//! Reports of the reference interpreter: one step in full ([`Step`]) and all registers between two steps
//! ([`State`]). `reference` executes the instructions.

use super::exec_state::Registers;
use super::reference::{Evaluation, LaneEvaluation, Machine, lanes_of};
use crate::exec::report::{Change, Register, State, Step};
use shadestep_language::ir::{Emit, Kind, OutputId, Target, Type};

/// A lane before an instruction.
struct Before {
    lane: usize,
    registers: Registers,
    nesting: u16,
}

impl Before {
    fn of(machine: &Machine<'_>, lane: usize) -> Self {
        let nesting = machine.at.invocations[lane].nesting();
        Self { lane, registers: machine.at.lanes[lane].clone(), nesting }
    }
}

impl Machine<'_> {
    /// Executes the instruction at `pc` on `lanes`, whose pc it is, without a report.
    pub fn execute(&mut self, pc: usize, lanes: u32) {
        self.step(pc, lanes);
    }

    /// Executes the instruction and returns the operands and results of every lane.
    pub fn evaluate_turn(&mut self, pc: usize, lanes: u32) -> Evaluation {
        self.step(pc, lanes)
    }

    /// Executes the instruction and returns the step of `lane`, which is one of `lanes`.
    pub fn trace(&mut self, pc: usize, lanes: u32, lane: usize) -> Step {
        let before = Before::of(self, lane);
        let mut done = self.step(pc, lanes);
        self.told(pc, lanes, before, &mut done.lanes[lane], done.computed)
    }

    /// Executes the instruction and returns the steps of the lanes in the last parameter, a subset of
    /// `lanes`.
    pub fn trace_all(&mut self, pc: usize, lanes: u32, told: u32) -> Vec<Step> {
        let before: Vec<Before> = lanes_of(told).map(|lane| Before::of(self, lane)).collect();
        let mut done = self.step(pc, lanes);
        let computed = done.computed;
        let told = before.into_iter();
        told.map(|before| {
            let lane = before.lane;
            self.told(pc, lanes, before, &mut done.lanes[lane], computed)
        })
        .collect()
    }

    /// Builds the step of one lane from the state before and after.
    fn told(&self, pc: usize, lanes: u32, before: Before, done: &mut LaneEvaluation, computed: u8) -> Step {
        let Before { lane, registers: before, nesting: nesting_before } = before;
        let (after, invocation) = (&self.at.lanes[lane], &self.at.invocations[lane]);
        let effects = std::mem::take(&mut done.effects);
        let enabled = if effects.popped.is_some() { 0xF } else { done.enabled };
        let mut changes = Vec::new();
        if let Some(place) = self.place_written(pc, done) {
            changes.extend(lanes_of(enabled).map(|c| change(place, c, &before, after)));
        }
        for &(temp, _) in &effects.indices {
            let change = change(Register::Temp(temp), 0, &before, after);
            if !changes.contains(&change) {
                changes.push(change);
            }
        }
        if matches!(self.program.instructions[pc].kind, Kind::Emit(Emit::Vertex | Emit::ToStream)) {
            let places = (0..self.program.outputs.len() as u16).map(|id| Register::Output(OutputId(id)));
            changes.extend(
                places
                    .flat_map(|place| (0..4).map(move |c| (place, c)))
                    .map(|(place, c)| change(place, c, &before, after)),
            );
        }
        Step {
            pc,
            lanes,
            taken: effects.taken,
            stack: effects.stack,
            loops: effects.loops,
            if_depth: invocation.if_depth(),
            nesting_before,
            nesting_after: invocation.nesting(),
            operands: done.operands.to_vec(),
            texture: done.texture,
            memory: done.memory,
            emitted: done.emitted,
            result: done.result,
            computed,
            undefined: done.undefined & computed,
            saturated: done.saturated,
            converted: done.converted,
            relative_target: done.relative_target,
            enabled,
            changes,
            cc_before: before.cc,
            cc_after: after.cc,
            kills: after.killed && !before.killed,
        }
    }

    /// The register that the instruction at `pc` writes.
    fn place_written(&self, pc: usize, done: &LaneEvaluation) -> Option<Register> {
        match self.program.instructions[pc].target()? {
            Target::Temp(id) => Some(Register::Temp(id)),
            Target::Output(id) => Some(Register::Output(id)),
            Target::Indirect(_) => done.relative_target?.place(),
            Target::Param(id) => Some(Register::Param(id)),
            Target::ConditionOnly(_) => None,
        }
    }

    /// All registers of `lane`.
    pub fn state(&self, lane: usize) -> State {
        let read = self.program.attributes().into_iter();
        let attributes = read.map(|attribute| (attribute, self.attribute(attribute, None, lane)));
        let parameters = 0..self.program.parameters.len();
        let mut state = State {
            attributes: attributes.collect(),
            parameters: parameters.map(|index| self.parameter(index, lane)).collect(),
            ..State::default()
        };
        self.update_state(lane, &mut state);
        state
    }

    /// Updates `state`, taken earlier or later in the same run, to the present state.
    pub fn update_state(&self, lane: usize, state: &mut State) {
        let (registers, invocation) = (&self.at.lanes[lane], &self.at.invocations[lane]);
        for (attribute, value) in &mut state.attributes {
            if attribute.output().is_some() {
                *value = self.attribute(*attribute, None, lane);
            }
        }
        state.temporaries.clone_from(&registers.temporaries);
        state.outputs.clone_from(&registers.outputs);
        if !registers.parameters.is_empty() {
            state.parameters.clone_from(&registers.parameters);
        }
        state.temporaries_defined.clone_from(&registers.temporaries_defined);
        state.outputs_defined.clone_from(&registers.outputs_defined);
        state.temporaries_types.clone_from(&registers.temporaries_types);
        state.outputs_types.clone_from(&registers.outputs_types);
        state.cc = registers.cc;
        state.killed = registers.killed;
        state.call_stack = invocation.stack_shown().collect();
        state.loops = invocation.loops_shown().collect();
        state.if_depth = invocation.if_depth();
        state.memory.clone_from(&self.at.memory);
    }
}

/// The change of component `c` at `place` from `before` to `after`.
fn change(place: Register, c: usize, before: &Registers, after: &Registers) -> Change {
    let value = |registers: &Registers| match place {
        Register::Temp(id) => registers.temporaries[usize::from(id.0)][c],
        Register::Output(id) => registers.outputs[usize::from(id.0)][c],
        Register::Param(id) => registers.parameters[usize::from(id.0)][c],
    };
    let is_undefined = |registers: &Registers| match place {
        Register::Temp(id) => registers.temporaries_defined[usize::from(id.0)] >> c & 1 == 0,
        Register::Output(id) => registers.outputs_defined[usize::from(id.0)] >> c & 1 == 0,
        Register::Param(_) => false,
    };
    let ty = |registers: &Registers| match place {
        Register::Temp(id) => registers.temporaries_types[usize::from(id.0)][c],
        Register::Output(id) => registers.outputs_types[usize::from(id.0)][c],
        Register::Param(_) => Type::F32,
    };
    Change {
        place,
        component: c as u8,
        before: value(before),
        after: value(after),
        type_before: ty(before),
        type_after: ty(after),
        was_undefined: is_undefined(before),
        is_undefined: is_undefined(after),
    }
}
