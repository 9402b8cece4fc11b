//! Side effects over lane registers: memory accesses, emitted vertices, and the order of these effects among
//! the invocations of a block.

use super::effect::{ActionRegisters, EmitRegisters, MemoryRegisters, Number, PlaceRegisters};
use super::flow::change;
use super::layout::registers_of;
use super::{Call, VariantInUse, Worker};
use crate::exec::block::{LANES, LaneRegister};
use crate::exec::image_place;
use crate::exec::reference::QUAD;
use crate::memory::{Action, Before, Place, Request, Use, Who};
use crate::simd::ones;
use shadestep_language::ir::{Components, Control, Emit, Program, limits};
use shadestep_language::isa::Stage;

/// Ordering of the invocations of a block. Memory accesses take effect as if quads ran one after the other in
/// the order of their lanes; in other stages, as if vertices, patches or invocations did. So the result does
/// not depend on the number of invocations in a block. It is the same in the reference interpreter, which
/// runs one quad at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvocationOrder {
    /// All lanes together: the order is unobservable.
    Together,
    /// This number of lanes at a time.
    Apart(usize),
}

impl InvocationOrder {
    /// The ordering of `program`. A program that writes no memory needs none. A single access that no lane
    /// executes twice needs none either: it executes lane by lane, and all lanes reach it together, because
    /// the lowest block runs first.
    pub fn of(program: &Program) -> Self {
        let accesses =
            |i: &shadestep_language::ir::Instruction| usize::from(i.memory().is_some()) + i.buffers().count();
        let once = || {
            program.instructions.iter().map(accesses).sum::<usize>() == 1
                && program.instructions.iter().enumerate().all(|(pc, instruction)| {
                    match instruction.control() {
                        None | Some(Control::If { .. } | Control::Else { .. } | Control::EndIf) => true,
                        Some(Control::Branch { to, .. }) => to > pc,
                        Some(_) => false,
                    }
                })
        };
        if !program.writes_memory() || once() {
            return Self::Together;
        }
        Self::apart(program)
    }

    /// One quad, patch or invocation after the other, depending on the stage.
    pub fn apart(program: &Program) -> Self {
        Self::Apart(match program.stage() {
            Stage::Fragment => QUAD,
            Stage::TessControl => usize::from(program.patch_vertices.unwrap_or(1)),
            _ => 1,
        })
    }
}

impl Call<'_> {
    /// Informs memory that the invocations of `lanes` begin.
    pub(super) fn begin(&self, lanes: u64) {
        if self.memory.is_watched() {
            self.memory.begin(self.inputs.seen(lanes));
        }
    }

    /// Whether memory waits for one of `lanes` to begin.
    pub(super) fn awaits(&self, lanes: u64) -> bool {
        self.memory.is_watched() && self.memory.awaits(self.inputs.seen(lanes))
    }
}

/// How `program` uses memory.
pub fn usage(program: &Program) -> Use {
    match (program.writes_memory(), program.accesses_memory()) {
        (true, _) => Use::Writes,
        (false, true) => Use::Reads,
        (false, false) => Use::None,
    }
}

impl Worker {
    /// Runs the program for `lanes`, `group` lanes at a time.
    pub(super) fn execute_apart(
        &mut self,
        call: &mut Call<'_>,
        variant: VariantInUse<'_>,
        (lanes, group): (u64, usize),
    ) {
        let shader = call.shader;
        let outcomes = shader.executable.code.outcomes();
        let mut kept = vec![LaneRegister::ZERO; outcomes.len()];
        let (active, counted, mut killed) = (call.active, self.counted, 0);
        let mut executed = [0; LANES];
        for first in (0..=LANES - group).step_by(group) {
            let turn = ((1 << group) - 1) << first;
            if active & turn == 0 {
                continue;
            }
            call.active = active & turn;
            self.counted = counted & turn;
            call.begin(call.active);
            self.execute(call, variant, lanes & turn);
            killed |= self.killed & turn;
            for (lane, executed) in executed.iter_mut().enumerate().skip(first).take(group) {
                *executed = self.lanes.executed(lane);
            }
            for (kept, outcome) in kept.iter_mut().zip(outcomes) {
                let register = match outcome.output {
                    Some(output) => call.outputs.get(usize::from(output)),
                    None => self.registers.get(usize::from(outcome.register)),
                };
                if let Some(register) = register {
                    kept.0[first..first + group].copy_from_slice(&register.0[first..first + group]);
                }
            }
        }
        (call.active, self.counted, self.killed) = (active, counted, killed);
        self.lanes.have_executed(executed);
        for (kept, outcome) in kept.into_iter().zip(outcomes) {
            let register = match outcome.output {
                Some(output) => call.outputs.get_mut(usize::from(output)),
                None => self.registers.get_mut(usize::from(outcome.register)),
            };
            if let Some(register) = register {
                *register = kept;
            }
        }
    }

    /// Both words of a value in `lane`.
    fn value(&self, registers: [u16; 2], lane: usize) -> u64 {
        let [low, high] =
            registers.map(|register| u64::from(self.registers[usize::from(register)].0[lane].to_bits()));
        high << 32 | low
    }

    /// Executes an access, one lane of `lanes` after the other. Helpers and discarded fragments only read.
    pub(super) fn access(&mut self, memory: &MemoryRegisters, call: &mut Call<'_>, lanes: u64) {
        let effective = lanes & call.active & !self.killed;
        let mut read = [[0.0; LANES]; 8];
        let shader = call.shader;
        let stage = shader.executable.program.stage();
        for lane in ones(if memory.writes() { effective } else { lanes }) {
            let values = |registers: &[[u16; 2]; 4]| -> Components {
                registers.map(|registers| self.value(registers, lane))
            };
            let action = match &memory.action {
                ActionRegisters::Load => Action::Load,
                ActionRegisters::Store(registers) => Action::Store(values(registers)),
                ActionRegisters::Atomic(atomic, registers) => Action::Atomic(*atomic, values(registers)),
            };
            let number =
                |number: &Number| number.value(|register| self.registers[usize::from(register)].0[lane]);
            let place = match &memory.place {
                PlaceRegisters::Address(registers) => Place::Address(self.value(*registers, lane)),
                PlaceRegisters::Image { image, unit, coordinates } => {
                    let coordinates = coordinates.map(|register| self.value([register; 2], lane));
                    image_place(image, number(unit), coordinates)
                }
                PlaceRegisters::Buffer { buffer, point, element } => {
                    let [point, element] = [point, element].map(number);
                    shader.bindings.buffer_place(shader.executable.program.buffer(buffer), point, element)
                }
            };
            let helper = effective >> lane & 1 == 0;
            let subject = call.inputs.subject(lane);
            let (origin, invocation) = (call.inputs.origin(lane), lane as u32 + 1);
            let who = Who { stage, pc: memory.pc, subject, origin, invocation, helper };
            let request = Request { who, place, storage: memory.storage, action };
            let value = call.memory.access(&request).value();
            for result in &memory.results {
                let word = value[usize::from(result.component)] >> (32 * result.word);
                read[usize::from(result.component + 4 * result.word)][lane] = f32::from_bits(word as u32);
            }
        }
        for result in &memory.results {
            self.registers[usize::from(result.register)].0 =
                read[usize::from(result.component + 4 * result.word)];
        }
    }

    /// Executes MEMBAR in `lanes`.
    pub(super) fn synchronise(&self, call: &mut Call<'_>, lanes: u64) {
        if call.memory.tracks() {
            ones(lanes & call.active & !self.killed).for_each(|lane| call.memory.synchronise(lane));
        }
    }

    /// Stores the clock that each lane of `active` passes to later stages, if races are detected.
    pub(super) fn hand_on(&mut self, call: &mut Call<'_>, active: u64) {
        self.before.clear();
        if call.memory.tracks() {
            self.before.resize(LANES, Before::NOTHING);
            ones(active).for_each(|lane| self.before[lane] = call.memory.hand_on(lane));
        }
    }

    /// Emits a vertex for each of `lanes`, after which its results are undefined, or ends its primitive.
    pub(super) fn emit(&mut self, emit: &EmitRegisters, call: &mut Call<'_>, lanes: u64) {
        let effective = lanes & call.active & !self.killed;
        if emit.emit == Emit::EndPrimitive {
            return self.emissions.end_primitive(effective);
        }
        let limit = call.shader.bindings.vertex_limit;
        self.hand_on(call, effective);
        self.emissions.hand_on(&self.before);
        let registers = &self.registers;
        let results = emit.results.iter().map(|&(first, ty, _)| {
            let first = usize::from(first);
            &registers[first..first + usize::from(registers_of(ty))]
        });
        match emit.stream.map(|register| &registers[usize::from(register)].0) {
            None => self.emissions.vertex(results, (effective, 0), limit),
            Some(numbers) => {
                for stream in 0..limits::VERTEX_STREAMS {
                    let of_stream = |lane: &usize| numbers[*lane].to_bits() == stream.into();
                    let lanes = ones(effective).filter(of_stream).fold(0, |all, lane| all | 1 << lane);
                    self.emissions.vertex(results.clone(), (lanes, stream), limit);
                }
            }
        }
        for &(first, ty, initial) in &emit.results {
            for c in 0..4 {
                let words = [
                    Some((first + c, initial[usize::from(c)])),
                    ty.is_wide().then_some((first + c + 4, 0.0)),
                ];
                for (register, value) in words.into_iter().flatten() {
                    change(&mut self.registers[usize::from(register)].0, lanes, |old, here| {
                        if here { value } else { old }
                    });
                }
            }
        }
    }
}
