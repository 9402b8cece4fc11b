//! [`Traced`]: a fragment program in the reference interpreter, for queries that the batch executor cannot
//! answer.

use super::added::NOTES;
use super::{Question, Run};
use crate::debug::expression::Expression;
use crate::debug::{Here, Step};
use crate::exec::{
    AttributeLanes, AttributesRead, Bindings, BlockOutput, BlockShader, ExecState, FragmentFacts,
    Interpolants, LANES, Machine, QUAD, QuadInputs, QuadValues, Registers,
};
use crate::simd::ones;
use shadestep_language::ir::{Attribute, OutputRole, Program};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Runs the fragments of `stage`'s program one quad at a time.
pub struct Traced<'a, S> {
    /// The program's own stage.
    pub stage: &'a S,
    pub program: &'a Program,
    pub bindings: &'a Bindings,
    pub question: &'a Question,
    pub run: Run<'a>,
    /// Finishes output colour 0, for example with fog.
    pub finish: &'a (dyn Fn(&AttributeLanes, &mut BlockOutput) + Sync),
}

/// Notes about a fragment: a count, the first instruction + 1, a floating-point number.
type Notes = [u32; 4];

impl<S> Traced<'_, S> {
    fn quad(&self, inputs: &AttributeLanes, quad: usize, covered: u32, output: &mut BlockOutput) {
        let mut given = QuadInputs { covered: covered as u8, ..QuadInputs::default() };
        let asked = self.question.attributes();
        for attribute in self.program.attributes().into_iter().chain(asked.iter().copied()) {
            for c in 0..4 {
                let register = inputs.register(attribute, c);
                for lane in 0..QUAD {
                    given.attributes[attribute.index()][lane][c] = register.0[4 * quad + lane];
                }
            }
        }
        let shifted = |inner: &Arc<dyn Interpolants>| -> Arc<dyn Interpolants> {
            Arc::new(Shifted { inner: Arc::clone(inner), by: quad })
        };
        given.interpolants = inputs.interpolants().map(shifted);
        let read = AttributesRead::of_quad(self.program, &given).with(&asked, &given);
        let mut at = ExecState::of_lanes(self.program, self.bindings, (QUAD, covered));
        let mut notes = [[0, 0, f32::NAN.to_bits(), 0]; QUAD];
        while let Some((pc, lanes)) = at.next() {
            if self.run.cancel.load(Ordering::Relaxed) {
                return;
            }
            let told = lanes & covered;
            self.hits(pc, told, (&at, &read), &mut notes);
            let mut machine = Machine::new(self.program, self.bindings, &read, &mut at);
            let looks = match self.question {
                Question::Undefined => true,
                Question::Level(at) => *at == pc,
                _ => false,
            };
            if !looks || told == 0 {
                machine.execute(pc, lanes);
            } else {
                let steps = machine.trace_all(pc, lanes, told);
                ones(told.into()).zip(&steps).for_each(|(lane, step)| self.look_at(step, &mut notes[lane]));
            }
        }
        self.run.note(covered.count_ones());
        // The next quad must see the memory that this quad has written.
        at.keep_memory(self.program, self.bindings);
        for lane in ones(covered.into()) {
            self.give((&at.lanes[lane], notes[lane]), 4 * quad + lane, output);
        }
    }

    fn hits(
        &self,
        pc: usize,
        lanes: u32,
        (at, read): (&ExecState, &AttributesRead),
        notes: &mut [Notes; QUAD],
    ) {
        let Question::Hits(points) = self.question else { return };
        for (_, condition) in points.iter().filter(|(at, _)| *at == pc) {
            for lane in ones(lanes.into()) {
                let here = Here::new(self.program, self.bindings, read, (at, lane));
                if condition.as_deref().is_none_or(|condition: &Expression| condition.holds(&here)) {
                    note(&mut notes[lane], pc);
                }
            }
        }
    }

    fn look_at(&self, step: &Step, notes: &mut Notes) {
        match self.question {
            Question::Undefined if step.changes.iter().any(|change| change.is_undefined) => {
                note(notes, step.pc);
            }
            Question::Level(pc) if *pc == step.pc => {
                note(notes, step.pc);
                let level = step.texture.as_ref().and_then(|texture| texture.level());
                notes[2] = level.unwrap_or(f32::NAN).to_bits();
            }
            _ => {}
        }
    }

    /// Passes the results of a lane to the pipeline.
    fn give(&self, (registers, notes): (&Registers, Notes), lane: usize, output: &mut BlockOutput) {
        for (given, value) in self.program.outputs.iter().zip(&registers.outputs) {
            let value = value.map(|bits| f32::from_bits(bits as u32));
            let put = |lanes: &mut [crate::exec::LaneRegister; 4]| {
                lanes.iter_mut().zip(value).for_each(|(register, value)| register.0[lane] = value);
            };
            match given.role {
                OutputRole::Color(0) => put(&mut output.color),
                OutputRole::SecondaryColor(0) => put(&mut output.secondary),
                OutputRole::Depth => output.depth.0[lane] = value[2],
                OutputRole::SampleMask => output.sample_mask.0[lane] = value[0],
                OutputRole::Color(_)
                | OutputRole::SecondaryColor(_)
                | OutputRole::Vertex(_)
                | OutputRole::Patch(_) => {}
            }
        }
        let place = usize::from(NOTES) - 1;
        for (register, bits) in output.other_colors[place].iter_mut().zip(notes) {
            register.0[lane] = f32::from_bits(bits);
        }
        output.killed |= u64::from(registers.killed) << lane;
    }
}

fn note(notes: &mut Notes, pc: usize) {
    if notes[0] == 0 {
        notes[1] = pc as u32 + 1;
    }
    notes[0] = notes[0].saturating_add(1);
}

impl<S: BlockShader> BlockShader for Traced<'_, S> {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        let mut facts = self.stage.facts();
        for attribute in self.program.attributes().into_iter().chain(self.question.attributes()) {
            facts.attributes_used[attribute.index()] = 0xF;
        }
        // Memory is written back quad by quad. With two threads, each would lose the other's writes.
        FragmentFacts { colors_written: facts.colors_written | 1 << NOTES, is_concurrent: false, ..facts }
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        output.killed = 0;
        for quad in 0..LANES / QUAD {
            let covered = (active >> (QUAD * quad)) as u32 & 0xF;
            if covered != 0 {
                self.quad(inputs, quad, covered, output);
            }
        }
        (self.finish)(inputs, output);
    }
}

/// The interpolants of a block, starting at a later quad.
#[derive(Debug)]
struct Shifted {
    inner: Arc<dyn Interpolants>,
    by: usize,
}

impl Interpolants for Shifted {
    fn at(&self, attribute: Attribute, quad: usize, offset: [f64; 2], values: &mut QuadValues) {
        self.inner.at(attribute, quad + self.by, offset, values);
    }

    fn centroid(&self, quad: usize, lane: usize) -> [f64; 2] {
        self.inner.centroid(quad + self.by, lane)
    }

    fn sample(&self, number: u32) -> Option<[f64; 2]> {
        self.inner.sample(number)
    }
}
