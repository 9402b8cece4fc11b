//! Memory of a frame: what a scene's buffers hold before and after it, and what was wrong with accesses.

use super::{Job, Loaded, context};
use crate::format;
use crate::scene::{EachFrame, Scene, SceneBuffer, Slot};
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::gl::{Context, DrawCall};
use shadestep_engine::ir::Components;
use shadestep_engine::isa::Stage;
use shadestep_engine::memory::{Addresses, Place, Reason, Report, Store, Transfer};
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
        let faults = faults.iter().filter_map(|report| fault(report, job, programs)).collect();
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
fn fault(report: &Report, job: &Job, programs: &Loaded) -> Option<MemoryFault> {
    let first = &report.first;
    let slot = match first.who.stage {
        Stage::Fragment => Slot::Fragment,
        Stage::Vertex => Slot::Vertex,
        Stage::VertexState => return None,
    };
    let compiled = programs.get(slot)?;
    let instruction = compiled.program.as_ref()?.instructions.get(first.who.pc)?;
    let line = LineIndex::new(&compiled.text).line_column(instruction.span.start).line;
    let (bytes, place) = (first.storage.size(), MemoryMap::of(&job.scene).name(first.place));
    let mut message = format!(
        "{} of {bytes} {} at {}: {}",
        instruction.op.info().mnemonic,
        if bytes == 1 { "byte" } else { "bytes" },
        place,
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

/// Where the buffers of a scene are: accesses in words.
#[derive(Clone, Debug)]
pub struct MemoryMap<'a> {
    buffers: &'a [SceneBuffer],
    /// Their addresses, in their order.
    starts: Vec<u64>,
}

impl<'a> MemoryMap<'a> {
    /// That of `scene`.
    pub fn of(scene: &'a Scene) -> Self {
        let mut addresses = Addresses::default();
        let buffers = scene.buffers.as_slice();
        let starts = buffers.iter().map_while(|buffer| addresses.assign(buffer.store.len())).collect();
        Self { buffers, starts }
    }

    /// The address of buffer `number`.
    pub fn address(&self, number: usize) -> Option<u64> {
        self.starts.get(number).copied()
    }

    /// The buffer that a place lies in or just behind, and how far from its beginning.
    pub fn find(&self, place: Place) -> Option<(&'a SceneBuffer, i64)> {
        match place {
            Place::Address(address) => {
                let nearest = self.starts.partition_point(|&start| start <= address).checked_sub(1)?;
                let (buffer, offset) = (self.buffers.get(nearest)?, address - self.starts[nearest]);
                // The room behind a buffer belongs to nobody else.
                let room = buffer.store.len().next_multiple_of(Addresses::ALIGNMENT) + Addresses::ALIGNMENT;
                (offset < room).then_some((buffer, offset.cast_signed()))
            }
            Place::Buffer { bound, offset } => {
                let bound = bound.ok()?;
                let buffer = self.buffers.get(bound.buffer.0 as usize)?;
                Some((buffer, bound.offset.cast_signed().wrapping_add(offset)))
            }
        }
    }

    /// A place as `name+offset`, or as its address.
    pub fn name(&self, place: Place) -> String {
        match (self.find(place), place) {
            (Some((buffer, offset)), _) => format!("{}{offset:+}", buffer.name),
            (None, Place::Address(address)) => format!("{address:#x}"),
            (None, Place::Buffer { .. }) => "a parameter buffer".to_owned(),
        }
    }

    /// What a step did to memory, in words: `U32 at bins+8: 3 -> 4`.
    pub fn describe(&self, transfer: &Transfer) -> String {
        let storage = transfer.storage;
        let shown = |bits: Components| {
            let values: Vec<String> =
                bits[..storage.count()].iter().map(|&bits| format::decimal(bits, storage.ty())).collect();
            values.join(" ")
        };
        let mut words = format!("{} at {}: ", storage.name(), self.name(transfer.place));
        words.push_str(&match (transfer.fault, transfer.stored()) {
            (Some(reason), _) => reason.to_string(),
            (None, None) => shown(transfer.value()),
            (None, Some(stored)) => format!("{} -> {}", shown(transfer.value()), shown(stored)),
        });
        words
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
        // A frame that was given up has left nothing: the next one begins as it did.
        if job.frame > self.frame && !self.after.is_empty() {
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
