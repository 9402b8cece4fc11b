//! Side effects over lane registers: memory accesses, emitted vertices, and the order of these effects among
//! the invocations of a block.

use super::operands::{LaneIndex, Operands};
use super::{Call, VariantInUse, Worker};
use crate::exec::block::{LANES, LaneRegister};
use crate::exec::image_place;
use crate::exec::lir::effect;
use crate::exec::reference::QUAD;
use crate::memory::{Action, Before, Place, Request, Use, Who};
use crate::simd::ones;
use shadestep_language::ir::{BufferVariable, Components, Control, Emit, ImageAccess, Program, limits};
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

/// [`effect::Place`] with its operands.
enum PlaceAt<'a> {
    Address([u16; 2]),
    Image(&'a ImageAccess, [u16; 4], LaneIndex),
    Buffer(&'a BufferVariable, [LaneIndex; 2]),
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
    pub(super) fn access(
        &mut self,
        (memory, mut operands, results): (&effect::Memory, Operands<'_>, &[(u8, u16)]),
        call: &mut Call<'_>,
        lanes: u64,
    ) {
        let effective = lanes & call.active & !self.killed;
        let mut read = [[0.0; LANES]; 8];
        let shader = call.shader;
        let stage = shader.executable.program.stage();
        let writes = memory.access != effect::Access::Load;
        let vector: [[u16; 2]; 4] =
            if writes { std::array::from_fn(|_| operands.take()) } else { [[0; 2]; 4] };
        let at: PlaceAt<'_> = match &memory.place {
            effect::Place::Address => PlaceAt::Address(operands.take()),
            effect::Place::Image(place) => {
                PlaceAt::Image(&place.image, operands.take(), operands.index(&place.unit))
            }
            effect::Place::Buffer(place) => {
                let variable = &shader.executable.program.buffers[usize::from(place.variable)];
                PlaceAt::Buffer(variable, [&place.point, &place.element].map(|number| operands.index(number)))
            }
        };
        for lane in ones(if writes { effective } else { lanes }) {
            let values = || -> Components { vector.map(|registers| self.value(registers, lane)) };
            let action = match memory.access {
                effect::Access::Load => Action::Load,
                effect::Access::Store => Action::Store(values()),
                effect::Access::Atomic(atomic) => Action::Atomic(atomic, values()),
            };
            let number =
                |index: &LaneIndex| index.value(|register| self.registers[usize::from(register)].0[lane]);
            let place = match &at {
                PlaceAt::Address(registers) => Place::Address(self.value(*registers, lane)),
                PlaceAt::Image(image, coordinates, unit) => {
                    let coordinates = coordinates.map(|register| self.value([register; 2], lane));
                    image_place(image, number(unit), coordinates)
                }
                PlaceAt::Buffer(variable, [point, element]) => {
                    shader.bindings.buffer_place(variable, number(point), number(element))
                }
            };
            let helper = effective >> lane & 1 == 0;
            let subject = call.inputs.subject(lane);
            let (origin, invocation) = (call.inputs.origin(lane), lane as u32 + 1);
            let who = Who { stage, pc: memory.pc, subject, origin, invocation, helper };
            let request = Request { who, place, storage: memory.storage, action };
            let value = call.memory.access(&request).value();
            for &(number, _) in results {
                let word = value[usize::from(number % 4)] >> (32 * (number / 4));
                read[usize::from(number)][lane] = f32::from_bits(word as u32);
            }
        }
        for &(number, register) in results {
            self.registers[usize::from(register)].0 = read[usize::from(number)];
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

    /// Emits a vertex for each of `lanes`, or ends its primitive.
    pub(super) fn emit(
        &mut self,
        emitted: &effect::Emitted,
        mut operands: Operands<'_>,
        call: &mut Call<'_>,
        lanes: u64,
    ) {
        let effective = lanes & call.active & !self.killed;
        if emitted.emit == Emit::EndPrimitive {
            return self.emissions.end_primitive(effective);
        }
        let limit = call.shader.bindings.vertex_limit;
        self.hand_on(call, effective);
        self.emissions.hand_on(&self.before);
        let registers = &self.registers;
        let results =
            (emitted.outputs.iter()).map(|output| &registers[output.start.into()..output.end.into()]);
        if emitted.emit == Emit::Vertex {
            return self.emissions.vertex(results, (effective, 0), limit);
        }
        let [numbers] = operands.take().map(|register| &registers[usize::from(register)].0);
        for stream in 0..limits::VERTEX_STREAMS {
            let of_stream = |lane: &usize| numbers[*lane].to_bits() == stream.into();
            let lanes = ones(effective).filter(of_stream).fold(0, |all, lane| all | 1 << lane);
            self.emissions.vertex(results.clone(), (lanes, stream), limit);
        }
    }
}
