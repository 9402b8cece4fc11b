//! Side effects in the reference interpreter: memory accesses, and the vertices that geometry programs emit.

use super::reference::{Denorms, Evaluation, Loading, Machine, lanes_of, masked, number};
use super::{AddressForm, Written, image_place};
use crate::memory::{Action, Fault, Kind, Origin, Place, Request, Who};
use shadestep_language::ir::{Access, BufferRef, Emit, Index, Memory, TempId, single_bits};
use shadestep_language::semantics::plan::Plan;

impl Machine<'_> {
    /// The invocation and instruction of an access, for fault reports.
    pub(super) fn who(&self, pc: usize, lane: usize) -> Who {
        let (stage, helper) = (self.program.stage(), !self.at.has_effects(lane));
        Who { stage, pc, subject: self.subject, origin: Origin::default(), invocation: 0, helper }
    }

    /// Executes LOAD, STORE or ATOM for `lanes`, one after the other.
    pub(super) fn access(&mut self, pc: usize, memory: &Memory, lanes: u32) -> Evaluation {
        let instruction = &self.program.instructions[pc];
        let plan = Plan::of(instruction);
        let mut evaluation = Evaluation::of(self.at.lanes.len());
        for (index, operand) in instruction.operands.iter().enumerate() {
            let to = plan.operand_type(instruction.ty, index);
            let loading =
                Loading { to, denorms: Denorms::Kept, used: memory.operand_used(index), pc, spot: None };
            for lane in lanes_of(lanes) {
                evaluation.lanes[lane].operands.push(self.load(operand, loading, lane));
            }
        }
        for lane in lanes_of(lanes) {
            if memory.writes() && !self.at.has_effects(lane) {
                continue;
            }
            let operand =
                |index: usize| evaluation.lanes[lane].operands.get(index).map_or([0; 4], |o| o.converted);
            let (action, at) = match memory.access {
                Access::Load(_) => (Action::Load, operand(0)),
                Access::Store => (Action::Store(operand(0)), operand(1)),
                Access::Atomic(_, atomic) => (Action::Atomic(atomic, operand(0)), operand(1)),
            };
            let place = match &memory.image {
                None => Place::Address(at[0]),
                Some(image) => image_place(image, self.index(image.index, lane), at),
            };
            let who = self.who(pc, lane);
            let transfer = self.at.memory.access(&Request { who, place, storage: memory.storage, action });
            evaluation.lanes[lane].memory = Some(transfer);
        }
        let Some(write) = instruction.write() else { return evaluation };
        evaluation.computed = write.dest.mask.0;
        // ATOM and ATOMIM return a scalar in x.
        for lane in lanes_of(lanes) {
            evaluation.lanes[lane].undefined = if memory.writes() { 0b1110 } else { 0 };
            let value = evaluation.lanes[lane].memory.map_or([0; 4], |transfer| transfer.value());
            let given = if memory.writes() { 0b0001 } else { 0b1111 };
            evaluation.lanes[lane].result = masked(value, write.dest.mask.0 & given);
        }
        self.finish(instruction, write, lanes, &mut evaluation);
        evaluation
    }

    /// Reports the faults of memory accesses.
    pub(super) fn report(&self, pc: usize, lanes: u32, done: &Evaluation) {
        let Some(reports) = self.reports else { return };
        let own = match self.program.instructions[pc].memory().map(|memory| memory.access) {
            Some(Access::Store) => Kind::Store,
            Some(Access::Atomic(..)) => Kind::Atomic,
            Some(Access::Load(_)) | None => Kind::Load,
        };
        for lane in lanes_of(lanes) {
            let of_operands = done.lanes[lane].operands.iter().filter_map(|operand| operand.memory);
            let of_operands = of_operands.map(|transfer| (Kind::Load, transfer));
            for (kind, transfer) in of_operands.chain(done.lanes[lane].memory.map(|transfer| (own, transfer)))
            {
                let fault = Fault::of(self.who(pc, lane), kind, &transfer);
                fault.into_iter().for_each(|fault| reports.report(fault));
            }
        }
    }

    /// Emits the results of `lanes` as a vertex, after which the results are undefined, or ends the lanes'
    /// primitives.
    pub(super) fn emit(&mut self, pc: usize, emit: Emit, lanes: u32, done: &mut Evaluation) {
        self.load_for_control(pc, 0b0001, lanes, done);
        let outputs = &self.program.outputs;
        for lane in lanes_of(lanes) {
            let has_effects = self.at.has_effects(lane);
            let (registers, stream) = (&mut self.at.lanes[lane], &mut self.at.emitted[lane]);
            if emit == Emit::EndPrimitive {
                done.lanes[lane].emitted = has_effects.then(|| stream.end_primitive()).flatten();
                continue;
            }
            let number =
                done.lanes[lane].operands.first().map_or(0, |o| (o.converted[0] as u32).cast_signed());
            let limit = self.bindings.vertex_limit;
            let results = registers.outputs.iter().copied();
            done.lanes[lane].emitted = has_effects.then(|| stream.vertex(results, number, limit)).flatten();
            if done.lanes[lane].emitted.is_some() {
                let written = registers.outputs_types.iter().zip(&registers.outputs_defined);
                let written = written.map(|(&types, &defined)| Written { types, defined });
                self.at.emitted_as[lane].push(written.collect());
            }
            registers.outputs = outputs.iter().map(|output| single_bits(output.role.initial())).collect();
            registers.outputs_defined.fill(0);
            registers.outputs_types = outputs.iter().map(|output| [output.ty; 4]).collect();
        }
    }

    /// Address of an element of a parameter buffer.
    pub(super) fn buffer_place(&self, buffer: &BufferRef, lane: usize) -> Place {
        let [point, element] = [buffer.point, buffer.element].map(|index| self.index(index, lane));
        self.bindings.buffer_place(self.program.buffer(buffer), point, element)
    }

    /// The value of an index: address component plus offset.
    pub(super) fn index(&self, index: Index, lane: usize) -> i64 {
        match index.register {
            None => index.offset,
            Some((TempId(id), c)) => {
                let form = AddressForm::of(self.program.temporaries[usize::from(id)].ty);
                let register = self.at.lanes[lane].temporaries[usize::from(id)];
                form.index(number(register[usize::from(c)]), index.offset)
            }
        }
    }
}
