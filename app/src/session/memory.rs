//! Memory of a frame: what a scene's buffers hold before and after it, and what was wrong with accesses.

use super::{Job, Loaded, context};
use crate::scene::{EachFrame, Scene, SceneBuffer, Slot};
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::gl::{Context, DrawCall};
use shadestep_engine::isa::Stage;
use shadestep_engine::memory::{Place, Reason, Report, Store};
use shadestep_engine::source::LineIndex;
use std::fmt::Write;
use std::sync::Arc;

/// What a frame did to memory.
#[derive(Clone, Debug, Default)]
pub struct FrameMemory {
    /// What the scene's buffers held when it began, in their order.
    pub before: Vec<Arc<Store>>,
    /// What they hold after it.
    pub after: Vec<Arc<Store>>,
    /// What was wrong with accesses, each cause once.
    pub faults: Vec<MemoryFault>,
}

/// Accesses to memory that were wrong for one cause.
#[derive(Clone, Debug)]
pub struct MemoryFault {
    /// The program that made them.
    pub slot: Slot,
    /// The line of its instruction, from 1.
    pub line: usize,
    /// What was wrong, in words, at the instruction.
    pub diagnostic: Diagnostic,
}

impl FrameMemory {
    /// That of a frame that `call`, made in `context`, has drawn.
    pub(super) fn of(call: &DrawCall, context: &Context, job: &Job, programs: &Loaded) -> Self {
        let before: Vec<Arc<Store>> = before(job);
        let after = |(number, held): (u8, &Arc<Store>)| {
            call.buffer_after(context, context::buffer_id(number)).unwrap_or_else(|| Arc::clone(held))
        };
        let after = (0..).zip(&before).map(after).collect();
        let faults = call.memory_reports();
        let faults = faults.iter().filter_map(|report| fault(report, context, job, programs)).collect();
        Self { before, after, faults }
    }
}

/// What the scene's buffers hold when the frame of `job` begins.
fn before(job: &Job) -> Vec<Arc<Store>> {
    let held =
        |(number, buffer): (usize, &SceneBuffer)| Arc::clone(job.kept.get(number).unwrap_or(&buffer.store));
    job.scene.buffers.iter().enumerate().map(held).collect()
}

/// `report` in words.
fn fault(report: &Report, context: &Context, job: &Job, programs: &Loaded) -> Option<MemoryFault> {
    let first = &report.first;
    let slot = match first.who.stage {
        Stage::Fragment => Slot::Fragment,
        Stage::Vertex => Slot::Vertex,
        Stage::VertexState => return None,
    };
    let compiled = programs.get(slot)?;
    let instruction = compiled.program.as_ref()?.instructions.get(first.who.pc)?;
    let line = LineIndex::new(&compiled.text).line_column(instruction.span.start).line;
    let bytes = first.storage.size();
    let mut message = format!(
        "{} of {bytes} {}{}: {}",
        instruction.op.info().mnemonic,
        if bytes == 1 { "byte" } else { "bytes" },
        place(first.place, context, &job.scene),
        first.reason
    );
    if first.reason == Reason::Misaligned {
        let _ = write!(message, " ({bytes})");
    }
    if let Some(subject) = first.who.subject {
        let _ = write!(message, ", first by {}", subject.to_string().to_lowercase());
    }
    if report.count > 1 {
        let _ = write!(message, ", {} times in all", report.count);
    }
    let clause = "NV_gpu_program5 2.X.4.5";
    let mut diagnostic = Diagnostic::error("memory", clause, instruction.span, message)
        .with_note("What is wrong reads 0 and stores nothing, and the program goes on.");
    diagnostic.severity = Severity::Warning;
    Some(MemoryFault { slot, line, diagnostic })
}

/// ` at name+offset`
fn place(place: Place, context: &Context, scene: &Scene) -> String {
    match place {
        Place::Address(address) => {
            let mut context = context.clone();
            let mut at = |number: u8| context.get_named_buffer_gpu_address(context::buffer_id(number)).ok();
            let nearest = (0..).zip(&scene.buffers).filter_map(|(number, buffer)| {
                // The room behind a buffer belongs to nobody else.
                let offset = address.checked_sub(at(number)?)?;
                (offset < buffer.store.len().next_multiple_of(4096) + 4096).then_some((buffer, offset))
            });
            match nearest.last() {
                Some((buffer, offset)) => format!(" at {}+{offset}", buffer.name),
                None => format!(" at {address:#x}"),
            }
        }
        Place::Buffer { bound: Ok(_), offset } => format!(" at byte {offset} of a parameter buffer"),
        Place::Buffer { bound: Err(_), .. } => " of a parameter buffer".to_owned(),
    }
}

/// What buffers hold from frame to frame, where the scene says that they keep it.
#[derive(Debug, Default)]
pub struct Keeper {
    /// The buffers that it is about, as the scene has them.
    scene: Vec<SceneBuffer>,
    /// Number of the frame drawn last.
    frame: u32,
    /// What they held before and after it.
    before: Vec<Arc<Store>>,
    after: Vec<Arc<Store>>,
}

impl Keeper {
    /// Has the frame of `job` begin with what the frame before it left. The frame drawn last begins as it began then, and one that
    /// comes before it with what the scene says.
    pub fn begin(&mut self, job: &mut Job) {
        let buffers = &job.scene.buffers;
        if buffers.iter().all(|buffer| buffer.each_frame == EachFrame::Reset) {
            *self = Self::default();
            return;
        }
        if !is_same(buffers, &self.scene) || job.frame < self.frame {
            self.scene.clone_from(buffers);
            (self.before, self.after) = (Vec::new(), Vec::new());
        }
        if job.frame > self.frame {
            self.before = std::mem::take(&mut self.after);
        }
        self.frame = job.frame;
        let held = |(buffer, kept): (&SceneBuffer, Option<&Arc<Store>>)| match (buffer.each_frame, kept) {
            (EachFrame::Keep, Some(kept)) => Arc::clone(kept),
            (EachFrame::Keep | EachFrame::Reset, _) => Arc::clone(&buffer.store),
        };
        let kept = self.before.iter().map(Some).chain(std::iter::repeat(None));
        job.kept = buffers.iter().zip(kept).map(held).collect();
    }

    /// Takes in what the frame left.
    pub fn end(&mut self, memory: &FrameMemory) {
        if !self.scene.is_empty() {
            self.before.clone_from(&memory.before);
            self.after.clone_from(&memory.after);
        }
    }
}

/// Whether both are the same buffers with the same contents.
fn is_same(one: &[SceneBuffer], other: &[SceneBuffer]) -> bool {
    let same = |(a, b): (&SceneBuffer, &SceneBuffer)| {
        (&a.name, a.each_frame) == (&b.name, b.each_frame)
            && (Arc::ptr_eq(&a.store, &b.store) || a.store == b.store)
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}
