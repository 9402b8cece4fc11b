//! Records the reads and writes of one instruction, component by component.

use super::AncestryError;
use super::build::{Builder, Definition};
use super::graph::{Info, NONE, Node, Tag};
use crate::debug::expression::Place;
use crate::debug::{OperandStep, Register};
use crate::exec::{Evaluation, LaneEvaluation, QUAD, derivative_lanes};
use crate::memory::Transfer;
use crate::simd::ones;
use shadestep_language::ir::{
    Access, Attribute, Element, Emit, Index, Kill, Kind, Memory, OutputId, ParamId, Source, Swizzle, Target,
    TempId, Write,
};
use shadestep_language::semantics::plan::{Plan, inputs_used};
use std::ops::Range;

impl Builder<'_> {
    /// Records the reads and results of the instruction at `pc` in `lanes`. Flow instructions are handled in
    /// `build`.
    pub(super) fn instruction(
        &mut self,
        (pc, lanes): (usize, u32),
        done: &Evaluation,
        steps: &[u32],
    ) -> Result<(), AncestryError> {
        let instruction = &self.program.instructions[pc];
        match &instruction.kind {
            Kind::Alu(write) | Kind::Convert(write, _) | Kind::Texture(write, _) => {
                for lane in ones(lanes.into()) {
                    let info = Info { tag: Tag::Texels, lane: lane as u8, what: 0, step: steps[lane] };
                    let texels =
                        if instruction.texture().is_some() { self.graph.add(info, &[])? } else { NONE };
                    self.results(lane, write, (done, steps[lane]), |builder, c, into| {
                        into.push(texels);
                        builder.computed((pc, lane, lanes), c, done, into)
                    })?;
                }
            }
            Kind::Memory(memory) => self.access((pc, lanes), memory, done, steps)?,
            Kind::Kill(kill) => {
                for lane in ones(lanes.into()) {
                    let mut from = self.control(lane).to_vec();
                    match kill {
                        Kill::Test(test) => self.read_test(lane, test, 0xF, &mut from),
                        Kill::Negative => self.operands(lane, pc, &done.lanes[lane], 0xF, &mut from)?,
                    }
                    self.choose(lane, self.layout.killed, steps[lane], &from);
                }
            }
            Kind::Emit(emit) => {
                for lane in ones(lanes.into()) {
                    self.emit((pc, lane), *emit, &done.lanes[lane], steps[lane])?;
                }
            }
            Kind::Flow(_) | Kind::Barrier => {}
        }
        Ok(())
    }

    /// Records a decision about a location. The location keeps its earlier dependences.
    fn choose(&mut self, lane: usize, location: u32, step: u32, from: &[Node]) {
        let start = self.pool.len();
        self.pool.extend_from_slice(from);
        let info = Info { tag: Tag::Decided, lane: lane as u8, what: location, step };
        self.define(Definition { lane, location, info, keeps: true, from: start });
    }

    /// Records the results of an instruction in a lane. `sources` adds the dependences of result component
    /// `c`.
    fn results(
        &mut self,
        lane: usize,
        write: &Write,
        (done, step): (&Evaluation, u32),
        mut sources: impl FnMut(&mut Self, usize, &mut Vec<Node>) -> Result<(), AncestryError>,
    ) -> Result<(), AncestryError> {
        let (dest, evaluation) = (&write.dest, &done.lanes[lane]);
        let mut led = self.control(lane).to_vec();
        if let Target::Indirect(indirect) = dest.target {
            indirect.registers().for_each(|(id, c)| self.read_temporary(lane, (id.0, c), &mut led));
            if let Some(array) = self.layout.array(&indirect) {
                let mut from = led.clone();
                dest.test.iter().for_each(|test| self.read_test(lane, test, dest.mask.0, &mut from));
                self.choose(lane, array, step, &from);
            }
        }
        let register = Register::of_target(dest.target, evaluation.relative_target);
        let shared = self.program.writes_patch(dest.target);
        if shared {
            led.push(self.turns);
        }
        for c in (0..4).filter(|c| dest.mask.0 >> c & 1 != 0) {
            let is_written = evaluation.enabled >> c & 1 != 0;
            let mut from = led.clone();
            dest.test.iter().for_each(|test| self.read_test(lane, test, 1 << c, &mut from));
            if is_written {
                sources(self, c, &mut from)?;
            }
            let tag = if is_written { Tag::Written } else { Tag::Kept };
            let flags = write.update_cc.map(|cc| (self.layout.flags(cc, c), lane..lane + 1));
            let all = if shared { 0..self.lanes.len() } else { lane..lane + 1 };
            let register = register.map(|register| (self.layout.register(register, c), all));
            for (location, targets) in register.into_iter().chain(flags) {
                self.note(location, targets, Info { tag, lane: lane as u8, what: location, step }, &from);
            }
        }
        Ok(())
    }

    fn note(&mut self, location: u32, targets: Range<usize>, info: Info, from: &[Node]) {
        for lane in targets {
            let start = self.pool.len();
            self.pool.extend_from_slice(from);
            let keeps = info.tag == Tag::Kept;
            self.define(Definition { lane, location, info, keeps, from: start });
        }
    }

    /// Adds the dependences of component `c` of a computed result, such as a component function's or a
    /// lookup's.
    fn computed(
        &mut self,
        (pc, lane, together): (usize, usize, u32),
        c: usize,
        done: &Evaluation,
        into: &mut Vec<Node>,
    ) -> Result<(), AncestryError> {
        let instruction = &self.program.instructions[pc];
        let plan = Plan::of(instruction);
        let stage = self.program.stage();
        if let Some(access) = instruction.texture() {
            self.read_index(lane, access.index, into);
        }
        let quad = lane / QUAD * QUAD;
        let others = match plan {
            Plan::DerivativeX | Plan::DerivativeY => {
                let (a, b) = derivative_lanes(lane, plan == Plan::DerivativeY);
                1 << a | 1 << b
            }
            Plan::Texture(_) if plan.reads_neighbours(stage) => 0b1111 << quad,
            Plan::Group(_) if stage.has_thread_groups() => {
                into.push(self.turns);
                together
            }
            Plan::Vector(_)
            | Plan::Replicated(_)
            | Plan::Interpolate(_)
            | Plan::Texture(_)
            | Plan::Texel(_)
            | Plan::Convert(_)
            | Plan::Group(_)
            | Plan::Memory(..)
            | Plan::Control => 1 << lane,
        };
        let count = self.lanes.len();
        for other in ones(others.into()).filter(|&other| other < count) {
            if other != lane {
                into.extend(self.turns_of(other));
            }
            for index in 0..instruction.operands.len() {
                let used = inputs_used(instruction, &plan, index, 1 << c);
                self.operand(other, (pc, index), &done.lanes[other].operands, used, into)?;
            }
        }
        Ok(())
    }

    /// Reads the components in `used`, counted after the swizzle, of all operands of an instruction.
    pub(super) fn operands(
        &mut self,
        lane: usize,
        pc: usize,
        done: &LaneEvaluation,
        used: u8,
        into: &mut Vec<Node>,
    ) -> Result<(), AncestryError> {
        for index in 0..self.program.instructions[pc].operands.len() {
            self.operand(lane, (pc, index), &done.operands, used, into)?;
        }
        Ok(())
    }

    /// Reads components of one operand.
    fn operand(
        &mut self,
        lane: usize,
        (pc, index): (usize, usize),
        loaded: &[OperandStep],
        used: u8,
        into: &mut Vec<Node>,
    ) -> Result<(), AncestryError> {
        let operand = &self.program.instructions[pc].operands[index];
        let Some(loaded) = loaded.get(index) else { return Ok(()) };
        for place in (0..4).filter(|place| used >> place & 1 != 0) {
            let selector = operand.swizzle.0[place];
            if Swizzle::constant(selector).is_some() {
                continue;
            }
            let c = usize::from(selector);
            match operand.source {
                Source::Temp(id) => {
                    self.read(lane, self.layout.register(Register::Temp(id), c), into);
                }
                Source::Attribute(attribute) => self.read_attribute(lane, attribute, c, into)?,
                Source::Param(id) => self.read_parameter(lane, usize::from(id.0), c, into)?,
                Source::Indirect(indirect) => {
                    indirect.registers().for_each(|(id, c)| self.read_temporary(lane, (id.0, c), into));
                    match loaded.relative.and_then(|led| led.element) {
                        Some(Element::Param(id)) => self.read_parameter(lane, usize::from(id.0), c, into)?,
                        Some(Element::Attribute(attribute)) => {
                            self.read_attribute(lane, attribute, c, into)?;
                        }
                        Some(element) => {
                            let register = Register::of_element(element);
                            register.into_iter().for_each(|register| {
                                self.read(lane, self.layout.register(register, c), into);
                            });
                        }
                        None => {}
                    }
                }
                Source::Buffer(buffer) => {
                    buffer.registers().for_each(|(id, c)| self.read_temporary(lane, (id.0, c), into));
                    into.extend(self.stores());
                    if let Some(transfer) = &loaded.memory {
                        self.read_bytes(transfer, component_bytes(transfer, c), into)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn read_temporary(&self, lane: usize, (id, c): (u16, u8), into: &mut Vec<Node>) {
        self.read(lane, self.layout.register(Register::Temp(TempId(id)), c.into()), into);
    }

    fn read_index(&self, lane: usize, index: Index, into: &mut Vec<Node>) {
        index.register.into_iter().for_each(|(id, c)| self.read_temporary(lane, (id.0, c), into));
    }

    /// Reads an attribute. An attribute that is an output of a control program's invocation is read as that
    /// output.
    fn read_attribute(
        &mut self,
        lane: usize,
        attribute: Attribute,
        c: usize,
        into: &mut Vec<Node>,
    ) -> Result<(), AncestryError> {
        let of = match attribute {
            Attribute::OutVertex { vertex, .. } => usize::from(vertex),
            Attribute::OutPatch(_) => lane,
            _ => {
                into.push(self.attribute(lane, attribute, c)?);
                return Ok(());
            }
        };
        into.extend(self.turns_of(of.min(self.lanes.len() - 1)));
        if let Some(id) = attribute.output().and_then(|role| self.program.output(role))
            && of < self.lanes.len()
        {
            self.read(of, self.layout.register(Register::Output(id), c), into);
        }
        Ok(())
    }

    fn read_parameter(
        &mut self,
        lane: usize,
        index: usize,
        c: usize,
        into: &mut Vec<Node>,
    ) -> Result<(), AncestryError> {
        let id = ParamId(index as u16);
        match self.layout.of_place(Place::Param(id), c) {
            // A parameter has its bound value until a step writes it.
            Some(location) if self.lanes[lane].nodes[location as usize] != NONE => {
                self.read(lane, location, into);
            }
            _ => into.push(self.parameter(index, c)?),
        }
        Ok(())
    }

    fn read_bytes(
        &mut self,
        transfer: &Transfer,
        bytes: Range<usize>,
        into: &mut Vec<Node>,
    ) -> Result<(), AncestryError> {
        let Some((buffer, first)) = transfer.at else { return Ok(()) };
        for byte in bytes {
            into.push(self.byte((buffer, first + byte as u64))?);
        }
        Ok(())
    }

    /// Records LOAD, STORE, ATOM and the image accesses, lane by lane.
    fn access(
        &mut self,
        (pc, lanes): (usize, u32),
        memory: &Memory,
        done: &Evaluation,
        steps: &[u32],
    ) -> Result<(), AncestryError> {
        let place = usize::from(memory.writes());
        let mut read = Vec::new();
        for lane in ones(lanes.into()) {
            // All lanes read their operands before any lane stores.
            let operands = &done.lanes[lane].operands;
            let mut address = Vec::new();
            self.operand(lane, (pc, place), operands, memory.operand_used(place), &mut address)?;
            memory.image.iter().for_each(|image| self.read_index(lane, image.index, &mut address));
            let mut data: [Vec<Node>; 4] = Default::default();
            if memory.writes() {
                for (c, data) in data.iter_mut().enumerate() {
                    self.operand(lane, (pc, 0), operands, memory.operand_used(0) & 1 << c, data)?;
                }
                address.push(self.lanes[lane].nodes[self.layout.killed as usize]);
            }
            address.extend(self.control(lane));
            read.push((lane, address, data));
        }
        for (lane, address, data) in read {
            self.access_of(lane, memory, done, (steps[lane], &address, &data))?;
        }
        Ok(())
    }

    fn access_of(
        &mut self,
        lane: usize,
        memory: &Memory,
        done: &Evaluation,
        (step, address, data): (u32, &[Node], &[Vec<Node>; 4]),
    ) -> Result<(), AncestryError> {
        let transfer = done.lanes[lane].memory;
        if let Some(write) = memory.access.write() {
            let stores = self.stores();
            let is_load = !memory.writes();
            self.results(lane, write, (done, step), |builder, c, into| {
                if !is_load && c > 0 {
                    return Ok(());
                }
                into.extend_from_slice(address);
                into.extend(stores);
                match &transfer {
                    Some(transfer) if is_load => {
                        builder.read_bytes(transfer, component_bytes(transfer, c), into)
                    }
                    Some(transfer) => builder.read_bytes(transfer, 0..transfer.size(), into),
                    None => Ok(()),
                }
            })?;
        }
        if !memory.writes() {
            return Ok(());
        }
        let info = Info { tag: Tag::Stored, lane: lane as u8, what: 0, step };
        let is_atomic = matches!(memory.access, Access::Atomic(..));
        if let Some(transfer) = transfer.filter(|transfer| is_atomic || transfer.after.is_some())
            && let Some((buffer, first)) = transfer.at
        {
            let mut from = address.to_vec();
            if is_atomic {
                from.extend(self.stores());
                self.read_bytes(&transfer, 0..transfer.size(), &mut from)?;
            }
            // If the access converts the data, each byte can depend on every component.
            let is_whole = is_atomic || transfer.texel.is_some();
            let size = transfer.storage.component_bytes();
            for byte in 0..transfer.size() {
                let mut from = from.clone();
                let own = |c: &usize| is_whole || byte / size == *c;
                (0..4).filter(own).for_each(|c| from.extend_from_slice(&data[c]));
                let node = self.graph.add(info, &from)?;
                self.set_byte((buffer, first + byte as u64), node);
            }
        }
        self.set_stores(Info { tag: Tag::Decided, ..info }, &mut address.to_vec())
    }

    /// Records EMIT, EMITS and ENDPRIM. All emitted vertices are one value.
    fn emit(
        &mut self,
        (pc, lane): (usize, usize),
        emit: Emit,
        done: &LaneEvaluation,
        step: u32,
    ) -> Result<(), AncestryError> {
        let control = self.control(lane);
        let mut from = control.to_vec();
        self.operands(lane, pc, done, 0b0001, &mut from)?;
        from.push(self.lanes[lane].nodes[self.layout.killed as usize]);
        let resets = emit != Emit::EndPrimitive;
        let outputs = (0..self.program.outputs.len() as u16).filter(|_| resets);
        let outputs: Vec<u32> = outputs
            .flat_map(|id| (0..4).map(move |c| (Register::Output(OutputId(id)), c)))
            .map(|(register, c)| self.layout.register(register, c))
            .collect();
        outputs.iter().for_each(|&location| self.read(lane, location, &mut from));
        self.choose(lane, self.layout.emitted, step, &from);
        for location in outputs {
            let info = Info { tag: Tag::Written, lane: lane as u8, what: location, step };
            self.note(location, lane..lane + 1, info, &control);
        }
        Ok(())
    }
}

/// The bytes of an access that hold component `c`.
fn component_bytes(transfer: &Transfer, c: usize) -> Range<usize> {
    let (size, count) = (transfer.storage.component_bytes(), transfer.storage.count());
    if c < count { c * size..(c + 1) * size } else { 0..0 }
}
