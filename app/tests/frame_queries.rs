//! Frame queries report the same values as recordings of single pixels: registers after lines and at the end,
//! execution counts, non-finite numbers, undefined values, levels of detail, and invocations. The tests
//! compare five pixels of 32x24 in every sample with a fragment program.

use shadestep::scene;
use shadestep::session::{self, Fragments, Job, PixelRecording, PixelStatus, SetUp, Threads};
use shadestep_engine::debug::expression::{Place, Values};
use shadestep_engine::debug::{Cursor, Recording};
use shadestep_engine::ir::{CcRegister, OutputId, Program, TempId};
use shadestep_engine::query::{FrameAnswer, FrameQueryError, ProgramPoint, Question};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SIZE: [u32; 2] = [32, 24];
/// The pixels that are recorded and compared.
const PIXELS: [[u32; 2]; 5] = [[0, 0], [16, 12], [9, 16], [20, 7], [27, 19]];

struct Sample {
    name: &'static str,
    set_up: SetUp,
    program: Arc<Program>,
    threads: Threads,
    /// The fragments of [`PIXELS`].
    fragments: [Fragments; PIXELS.len()],
}

impl Sample {
    /// Each of [`PIXELS`] with its fragments.
    fn recorded(&self) -> impl Iterator<Item = ([u32; 2], &Fragments)> {
        PIXELS.into_iter().zip(&self.fragments)
    }

    fn query_frame(&self, question: &Question) -> Result<FrameAnswer, FrameQueryError> {
        self.set_up.query_frame(question, &self.threads, &AtomicBool::new(false))
    }

    /// Returns the run from which a frame query takes the registers of a pixel: the run of the last written
    /// fragment, or of the last one written to sample 0 in a multisampled picture. Returns `None` if the
    /// value of sample 0 did not change, because the value then does not show the write.
    fn seen<'a>(&self, fragments: &'a Fragments) -> Option<&'a Recording> {
        let of_sample = |fragment: &&PixelRecording| {
            let samples = fragment.samples.as_ref();
            samples.is_none_or(|samples| samples.covers(0) && samples.own.is_none_or(|own| own == 0))
        };
        let all = (0..fragments.len()).rev().filter_map(|index| fragments.get(index));
        let last = all.filter(|fragment| fragment.outcome == PixelStatus::Written).find(of_sample)?;
        let is_written =
            last.samples.as_ref().is_none_or(|samples| samples.before.first() != samples.after.first());
        last.recording.as_deref().filter(|_| is_written)
    }
}

/// Every sample with a fragment program.
fn samples() -> impl Iterator<Item = Sample> {
    scene::bundled().iter().filter_map(|bundled| {
        let scene = bundled.load().unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
        let programs = session::compile_scene(&scene);
        let program = programs.get(scene::Slot::Fragment)?.program.clone()?;
        let job = Job { size: SIZE, time_secs: 0.7, ..Job::new(Arc::new(scene)) };
        let set_up = SetUp::new(&programs, &job).unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
        let threads = Threads::new(2).unwrap_or_else(|error| panic!("no threads: {error}"));
        let fragments = PIXELS.map(|pixel| {
            session::record(&programs, (&job, None), pixel, None, &AtomicBool::new(false))
                .unwrap_or_else(|error| panic!("{}: {error}", bundled.name))
        });
        Some(Sample { name: bundled.name, set_up, program, threads, fragments })
    })
}

fn place([x, y]: [u32; 2]) -> usize {
    (y * SIZE[0] + x) as usize
}

/// Returns how often the instruction at `pc` ran, and the value of `read` after the last execution. The value
/// is zeros if the instruction never ran.
fn behind(recording: &Recording, pc: usize, read: Place) -> (u32, [u64; 4]) {
    let (mut times, mut last) = (0, None);
    for (position, step) in recording.all_steps().enumerate() {
        if step.pc == pc {
            (times, last) = (times + 1, Some(position));
        }
    }
    let computes = recording.program().instructions[pc].write().is_some();
    let position = last.map_or(0, |last| if computes { last + 1 } else { last });
    (times, if times == 0 { [0; 4] } else { registers(recording, position, read) })
}

fn registers(recording: &Recording, position: usize, read: Place) -> [u64; 4] {
    let mut cursor = Cursor::new(recording);
    cursor.seek(recording, position);
    let here = cursor.here(recording);
    std::array::from_fn(|c| match read {
        Place::Flags(register) => here.flags(register, c).0.into(),
        _ => here.component(read, c).bits,
    })
}

#[test]
fn registers_behind_lines_are_those_of_recordings() {
    for sample in samples() {
        let program = &sample.program;
        let count = program.instructions.len();
        // Five instructions of each program at most, each with one register that the instruction uses.
        let step = count.div_ceil(5).max(1);
        for pc in (0..count).step_by(step) {
            if !ProgramPoint::can_be_after(&program.instructions[pc]) {
                continue;
            }
            let target = program.instructions[pc].target();
            let read = match target {
                Some(shadestep_engine::ir::Target::Temp(id)) => Place::Temp(id),
                Some(shadestep_engine::ir::Target::Output(id)) => Place::Output(id),
                _ => Place::Temp(TempId(0)),
            };
            let reads = if program.temporaries.is_empty() && read == Place::Temp(TempId(0)) {
                vec![Place::Flags(CcRegister::Cc0)]
            } else {
                vec![read, Place::Flags(CcRegister::Cc0)]
            };
            let answer = sample
                .query_frame(&Question::Registers(ProgramPoint::After(pc), reads.clone()))
                .unwrap_or_else(|error| panic!("{}: {error}", sample.name));
            let wrote =
                sample.query_frame(&Question::Wrote(pc)).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
            for (pixel, fragments) in sample.recorded() {
                let Some(recording) = sample.seen(fragments) else {
                    continue;
                };
                let writes = recording.all_steps().filter(|step| step.pc == pc && step.enabled != 0).count();
                let context = format!("{} instruction {pc} pixel {pixel:?}", sample.name);
                assert_eq!(wrote.times[place(pixel)] as usize, writes, "{context} writes");
                for (read, told) in reads.iter().zip(&answer.registers) {
                    let (times, values) = behind(recording, pc, *read);
                    let context = format!("{} instruction {pc} pixel {pixel:?} {read:?}", sample.name);
                    assert_eq!(answer.times[place(pixel)], times, "{context}");
                    assert_eq!(told[place(pixel)], values, "{context}");
                }
            }
        }
    }
}

#[test]
fn registers_at_the_end_are_those_of_recordings() {
    for sample in samples() {
        let program = &sample.program;
        let temporaries = (0..program.temporaries.len()).step_by(3).map(|n| Place::Temp(TempId(n as u16)));
        let outputs = (0..program.outputs.len()).map(|n| Place::Output(OutputId(n as u16)));
        let codes = CcRegister::of_language(program.language).iter().map(|code| Place::Flags(*code));
        for read in temporaries.chain(outputs).chain(codes) {
            let answer = match sample.query_frame(&Question::Registers(ProgramPoint::End, vec![read])) {
                Ok(answer) => answer,
                Err(FrameQueryError::LoopIndexAtEnd) => continue,
                Err(error) => panic!("{}: {error}", sample.name),
            };
            for (pixel, fragments) in sample.recorded() {
                let Some(recording) = sample.seen(fragments) else {
                    continue;
                };
                let values = registers(recording, recording.len(), read);
                let context = format!("{} pixel {pixel:?} {read:?}", sample.name);
                assert_eq!(answer.registers[0][place(pixel)], values, "{context}");
            }
        }
    }
}

#[test]
fn what_happened_is_told_as_recordings_tell_it() {
    for sample in samples() {
        let not_finite =
            sample.query_frame(&Question::NotFinite).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        let undefined =
            sample.query_frame(&Question::Undefined).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        let invocations =
            sample.query_frame(&Question::Invocations).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        let lines = sample.query_frame(&Question::Lines).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        let total: u64 = invocations.tallies.iter().map(|tally| tally.instructions).sum();
        assert_eq!(lines.executed.iter().sum::<u64>(), total, "{}", sample.name);
        for (pixel, fragments) in sample.recorded() {
            let tally = invocations.tallies[place(pixel)];
            let context = format!("{} pixel {pixel:?}", sample.name);
            let of = |fragment: &PixelRecording| fragment.recording.as_ref().map_or(0, |r| r.len() as u64);
            let all: Vec<&PixelRecording> = (0..fragments.len()).filter_map(|n| fragments.get(n)).collect();
            let most: u64 = all.iter().map(|fragment| of(fragment)).sum();
            assert!(tally.instructions <= most, "{context}");
            // Without a depth test, no fragment is rejected before the program runs.
            let tests = sample.set_up.call().draw().state.depth.test.is_some();
            assert!(tests || tally.instructions == most, "{context}: {tally:?}, {most}");
            let Some(recording) = sample.seen(fragments) else {
                continue;
            };
            let wrong = |wanted: fn(&shadestep_engine::debug::Change) -> bool| {
                recording.all_steps().find(|step| step.changes.iter().any(wanted)).map(|step| step.pc as u32)
            };
            let first = wrong(|change| !change.is_finite());
            assert_eq!(not_finite.first[place(pixel)], first, "{context}");
            assert_eq!(not_finite.times[place(pixel)], u32::from(first.is_some()), "{context}");
            let first = wrong(|change| change.is_undefined);
            assert_eq!(undefined.first[place(pixel)], first, "{context}");
        }
    }
}

#[test]
fn levels_are_those_of_recordings() {
    for sample in samples() {
        let lookup = sample.program.instructions.iter().position(|i| i.texture().is_some());
        let Some(pc) = lookup else { continue };
        let answer =
            sample.query_frame(&Question::Level(pc)).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        for (pixel, fragments) in sample.recorded() {
            let Some(recording) = sample.seen(fragments) else {
                continue;
            };
            let steps = recording.all_steps().filter(|step| step.pc == pc);
            let level = steps.last().and_then(|step| step.texture?.level());
            let told = answer.levels[place(pixel)];
            let context = format!("{} pixel {pixel:?}", sample.name);
            assert_eq!(Some(told).filter(|level| !level.is_nan()), level, "{context}");
        }
    }
}
