//! Memory of a frame: the contents of the scene's buffers before and after it, the faulty accesses in words,
//! and the buffers that persist between frames.

use super::{Compiled, Job, Loaded, context};
use crate::codes;
use crate::format;
use crate::scene::{EachFrame, ImageUnit, Programs, Scene, SceneBuffer, SceneImage, Slot};
use shadestep_engine::debug::Subject;
use shadestep_engine::diag::Diagnostic;
use shadestep_engine::gl::{Checkpoints, Context, DrawCall, Recorders};
use shadestep_engine::ir::ImageAccess;
use shadestep_engine::memory::{
    AddressBits, Addresses, BufferId, Bytes, Origin, Place, Reason, Report, Store, Transfer, Writers,
};
use shadestep_engine::pipeline::{Apart, Hazard, PatchConflict};
use shadestep_engine::source::LineIndex;
use shadestep_engine::texture::Texture;
use std::fmt::Write;
use std::sync::Arc;

/// The effects of a frame on memory.
#[derive(Clone, Debug, Default)]
pub struct FrameMemory {
    /// The contents of the scene's buffers before the frame, in scene order.
    pub before: Vec<Arc<Store>>,
    /// The contents after the frame.
    pub after: Vec<Arc<Store>>,
    /// Faulty accesses, each cause once.
    pub faults: Vec<MemoryFault>,
    /// The last writer of each byte, if races were detected.
    writers: Option<Arc<Writers>>,
    /// The invocation behind each recorded vertex of transform feedback, if races were detected.
    recorders: Option<Arc<Recorders>>,
    /// The number of vertices that each feedback of the scene recorded.
    pub captured: Vec<u64>,
    /// The picture for each of the scene's frame textures.
    drawn: Vec<Arc<Texture>>,
    /// The contents during the frame.
    checkpoints: Arc<Checkpoints>,
    /// The programs that drew the frame.
    programs: Programs<Arc<Compiled>>,
}

/// Faulty accesses to memory with one cause.
#[derive(Clone, Debug)]
pub struct MemoryFault {
    /// The program that made them.
    pub slot: Slot,
    /// The line of its instruction, from 1.
    pub line: usize,
    /// The fault in words, at the instruction.
    pub diagnostic: Diagnostic,
    /// The first invocation that made one.
    pub subject: Option<Subject>,
}

impl FrameMemory {
    /// Returns the memory of a frame that `call`, made in `context`, has drawn.
    pub(super) fn of(
        call: &DrawCall,
        context: &Context,
        (job, drawn): (&Job, Vec<Arc<Texture>>),
        programs: &Loaded,
    ) -> Self {
        let before: Vec<Arc<Store>> = before(job);
        let after = |(number, held): (u8, &Arc<Store>)| {
            call.buffer_after(context, context::buffer_id(number)).unwrap_or_else(|| Arc::clone(held))
        };
        let after = (0..).zip(&before).map(after).collect();
        let faults = call.memory_reports();
        let faults = faults.iter().filter_map(|report| fault(report, job, programs));
        let conflicts = call.patch_conflicts();
        let conflicts = conflicts.iter().filter_map(|conflict| conflict_fault(conflict, programs));
        let faults = faults.chain(conflicts).collect();
        let streams = call.captured().unwrap_or_default();
        let captured =
            job.scene.feedback.iter().map(|feedback| streams[usize::from(feedback.stream)]).collect();
        let (writers, recorders) = (call.writers().map(Arc::new), call.recorders(context).map(Arc::new));
        let (checkpoints, programs) = (call.checkpoints(), programs.programs.clone());
        Self { before, after, faults, writers, recorders, captured, drawn, checkpoints, programs }
    }

    /// Returns the contents during the frame, if `programs` drew it.
    pub(super) fn checkpoints(&self, programs: &Loaded) -> Option<Arc<Checkpoints>> {
        let same = self.programs.slots().eq(programs.slots())
            && programs.iter().zip(self.programs.iter()).all(|((_, a), (_, b))| Arc::ptr_eq(a, b));
        same.then(|| Arc::clone(&self.checkpoints))
    }

    /// Returns the invocation that last wrote the byte at `offset` of the scene's buffer number `buffer`.
    pub fn writer(&self, buffer: usize, offset: u64) -> Option<Subject> {
        let number = u8::try_from(buffer).ok()?;
        let recorder = || self.recorders.as_ref()?.of(context::buffer_id(number), offset);
        let writer = || self.writers.as_ref()?.of(BufferId(number.into()), offset);
        recorder().or_else(|| writer().map(|party| party.subject))
    }
}

/// Returns the contents of the scene's buffers at the start of the frame of `job`.
fn before(job: &Job) -> Vec<Arc<Store>> {
    let held =
        |(number, buffer): (usize, &SceneBuffer)| Arc::clone(job.kept.get(number).unwrap_or(&buffer.store));
    job.scene.buffers.iter().enumerate().map(held).collect()
}

/// Describes `report`.
fn fault(report: &Report, job: &Job, programs: &Loaded) -> Option<MemoryFault> {
    let first = &report.first;
    let slot = Slot::first(first.who.stage);
    let compiled = programs.get(slot)?;
    let instruction = compiled.program.as_ref()?.instructions.get(first.who.pc)?;
    let line = LineIndex::new(&compiled.text).line_column(instruction.span.start).line;
    let (bytes, place) = (first.storage.size(), MemoryMap::of(&job.scene).at(first.place));
    let mnemonic = instruction.op.info().mnemonic;
    let mut message = match first.place {
        Place::Image { .. } => format!("{mnemonic} {place}: {}", first.reason),
        Place::Address(_) | Place::Buffer { .. } => {
            format!("{mnemonic} of {} {place}: {}", format::counted(bytes, "byte"), first.reason)
        }
    };
    if first.reason == Reason::Misaligned {
        let _ = write!(message, " ({bytes})");
    }
    if let Some(subject) = first.who.subject {
        let other = first.other.map(|party| (party.subject, party.origin));
        let _ = write!(message, ". First at {}", invocation((subject, first.who.origin), other));
    }
    let mut note = "A faulty read returns 0, a faulty write stores nothing, and the program continues.";
    let mut other = None;
    if let Some(party) = first.other {
        let own = first.who.subject.map(|subject| (subject, first.who.origin));
        let (did, name) = (if party.wrote { "wrote" } else { "read" }, (party.subject, party.origin));
        let name = match own {
            Some(own) if own == name && matches!(name.0, Subject::Pixel(_)) => {
                format!("another fragment of {} in the same primitive", invocation(name, None))
            }
            own => invocation(name, own),
        };
        let other_slot = Slot::first(party.subject.stage());
        let theirs = programs.get(other_slot)?;
        let span = theirs.program.as_ref()?.instructions.get(party.pc)?.span;
        let there = LineIndex::new(&theirs.text).line_column(span.start).line;
        let _ = write!(message, ", after {name} {did} them on line {there}");
        if other_slot == slot {
            other = Some((span, format!("{name} {did} the bytes here")));
        } else {
            let _ = write!(message, " of the {}", other_slot.kind().trim_start_matches("a "));
        }
        note = "Shadestep runs invocations one after another, in drawing order. Elsewhere they may run in any order. \
                Use atomics to order them, with MEMBAR between an atomic and the memory it guards.";
    }
    if first.reason == Reason::Unwritten {
        note = "Shadestep reads them as 0. Set `fill = 0` in the scene to define them.";
    }
    let program = compiled.program.as_ref()?;
    let is_short =
        !program.language.profile().long_variables && job.scene.address_bits == AddressBits::Bits64;
    if first.reason == Reason::NotResident && is_short {
        note = "This language has 32-bit addresses, which do not reach the buffers. Put `addresses = \"32-bit\"` at the \
                top of the scene.";
    }
    if report.count > 1 {
        let before = if first.who.subject.is_some() { ';' } else { '.' };
        let _ = write!(message, "{before} {} times in total", report.count);
    }
    let clause = match first.place {
        Place::Image { .. } => "EXT_shader_image_load_store 3.9.X",
        Place::Address(_) | Place::Buffer { .. } => "NV_gpu_program5 2.X.4.5",
    };
    let mut diagnostic =
        Diagnostic::new(codes::MEMORY.citing(clause), instruction.span, message).with_note(note);
    if let Some((span, text)) = other {
        diagnostic = diagnostic.with_label(span, text);
    }
    Some(MemoryFault { slot, line, diagnostic, subject: first.who.subject })
}

/// Describes an invocation, with the details that distinguish it from `other`.
fn invocation((subject, origin): (Subject, Origin), other: Option<(Subject, Origin)>) -> String {
    let mut words = subject.to_string().to_lowercase();
    let Some((other_subject, other)) = other else { return words };
    if origin.instance != other.instance {
        let _ = write!(words, " of instance {}", origin.instance);
    }
    if subject != other_subject {
        return words;
    }
    if let Some(primitive) = origin.primitive.filter(|_| origin.primitive != other.primitive) {
        let _ = write!(words, " in primitive {primitive}");
    }
    if let Some(sample) = origin.sample.filter(|_| origin.sample != other.sample) {
        let _ = write!(words, " at sample {sample}");
    }
    words
}

/// Describes `conflict`.
fn conflict_fault(conflict: &PatchConflict, programs: &Loaded) -> Option<MemoryFault> {
    let slot = Slot::TessControl;
    let PatchConflict { hazard, apart, at, patch, invocations: [one, other], count } = *conflict;
    let compiled = programs.get(slot)?;
    let instructions = &compiled.program.as_ref()?.instructions;
    let [first, second] = [instructions.get(at[0])?, instructions.get(at[1])?];
    let line = LineIndex::new(&compiled.text).line_column(first.span.start).line;
    let mnemonic = first.op.info().mnemonic;
    let place = match apart {
        Apart::Instruction => "in the same instruction",
        Apart::Sides => "on the two sides of an IF",
    };
    let mut message = match hazard {
        Hazard::Writes => format!(
            "{mnemonic}: invocations {one} and {other} of patch {patch} write different values to the same result {place}"
        ),
        Hazard::ReadAndWrite => {
            format!(
                "{mnemonic}: invocation {one} of patch {patch} writes a value that invocation {other} reads {place}"
            )
        }
    };
    if count > 1 {
        let _ = write!(message, ", {count} times in total");
    }
    let note = match (hazard, apart) {
        (Hazard::Writes, Apart::Instruction) => {
            "In Shadestep the last invocation wins. Elsewhere any of them may win."
        }
        (Hazard::ReadAndWrite, Apart::Instruction) => {
            "In Shadestep all invocations read before any of them writes. Elsewhere this may differ."
        }
        (_, Apart::Sides) => {
            "In Shadestep the side before the ELSE runs first. Elsewhere they may run in any order."
        }
    };
    let code = codes::MEMORY.citing("NV_tessellation_program5 2.X.5");
    let mut diagnostic = Diagnostic::new(code, first.span, message).with_note(note);
    if at[0] != at[1] {
        let does = if hazard == Hazard::Writes { "writes" } else { "reads" };
        diagnostic = diagnostic.with_label(second.span, format!("invocation {other} {does} it here"));
    }
    let subject = Some(Subject::Patch { number: patch, invocation: one });
    Some(MemoryFault { slot, line, diagnostic, subject })
}

/// The addresses of a scene's buffers, to describe accesses.
#[derive(Clone, Debug)]
pub struct MemoryMap<'a> {
    buffers: &'a [SceneBuffer],
    images: &'a [SceneImage],
    /// The buffers' addresses, in scene order.
    starts: Vec<u64>,
}

impl<'a> MemoryMap<'a> {
    pub fn of(scene: &'a Scene) -> Self {
        let mut addresses = Addresses::new(scene.address_bits);
        let buffers = scene.buffers.as_slice();
        let starts = buffers.iter().map_while(|buffer| addresses.assign(buffer.store.len())).collect();
        Self { buffers, images: &scene.images, starts }
    }

    /// Returns the address of buffer `number`.
    pub fn address(&self, number: usize) -> Option<u64> {
        self.starts.get(number).copied()
    }

    /// Returns the buffer that contains a place, or ends shortly before it, and the offset from the buffer's
    /// start.
    pub fn find(&self, place: Place) -> Option<(&'a SceneBuffer, i64)> {
        match place {
            Place::Address(address) => {
                let nearest = self.starts.partition_point(|&start| start <= address).checked_sub(1)?;
                let (buffer, offset) = (self.buffers.get(nearest)?, address - self.starts[nearest]);
                // No other buffer uses the room after a buffer.
                let room = buffer.store.len().next_multiple_of(Addresses::ALIGNMENT) + Addresses::ALIGNMENT;
                (offset < room).then_some((buffer, offset.cast_signed()))
            }
            Place::Buffer { bound, offset } => {
                let bound = bound.ok()?;
                let buffer = self.buffers.get(bound.buffer.0 as usize)?;
                Some((buffer, bound.offset.cast_signed().wrapping_add(offset)))
            }
            Place::Image { unit, coordinates, .. } => {
                let (image, unit) = self.image(unit)?;
                let (buffer, id) = (self.buffers.get(image.buffer)?, BufferId(image.buffer as u32));
                let own = (unit.format, unit.access);
                let bound = image.shape.bind(id, (unit.level, unit.layer), own).ok()?;
                Some((buffer, bound.texel(coordinates).ok()?.cast_signed()))
            }
        }
    }

    /// Returns the image on the unit of a place.
    fn image(&self, unit: Result<u8, Reason>) -> Option<(&'a SceneImage, ImageUnit)> {
        let number = unit.ok()?;
        self.images.iter().find_map(|image| Some((image, image.unit.filter(|unit| unit.unit == number)?)))
    }

    /// Names a place as `name+offset` or `name(x, y)`, or by its address.
    pub fn name(&self, place: Place) -> String {
        if let Place::Image { unit, coordinates, .. } = place {
            let Some((image, bound)) = self.image(unit) else {
                return unit.map_or("an image".to_owned(), |unit| format!("image unit {unit}"));
            };
            let target =
                image.shape.bind(BufferId(0), (bound.level, bound.layer), (bound.format, bound.access));
            let target = target.map_or(image.shape.target(), |bound| bound.target);
            let used = ImageAccess::coordinates_of(target);
            let places = (0..4).filter(|c| used >> c & 1 != 0).map(|c| coordinates[c].to_string());
            let at = places.collect::<Vec<_>>().join(", ");
            let level = if bound.level == 0 { String::new() } else { format!(" of level {}", bound.level) };
            return format!("{}({at}){level}", self.buffers[image.buffer].name);
        }
        match (self.find(place), place) {
            (Some((buffer, offset)), _) => format!("{}{offset:+}", buffer.name),
            (None, Place::Address(address)) => format!("{address:#x}"),
            (None, Place::Buffer { .. } | Place::Image { .. }) => "a parameter buffer".to_owned(),
        }
    }

    /// Names a place with its preposition: `at name+offset`.
    fn at(&self, place: Place) -> String {
        let is_known = match place {
            Place::Address(_) => true,
            Place::Buffer { .. } => self.find(place).is_some(),
            Place::Image { unit, .. } => unit.is_ok(),
        };
        format!("{} {}", if is_known { "at" } else { "in" }, self.name(place))
    }

    /// Describes a step's access to memory: `U32 at bins+8: 3 -> 4`.
    pub fn describe(&self, transfer: &Transfer) -> String {
        let shown = |bytes: &Bytes| {
            let (bits, count, ty) = transfer.components(bytes);
            let values: Vec<String> = bits[..count].iter().map(|&bits| format::decimal(bits, ty)).collect();
            values.join(" ")
        };
        let mut words = format!("{} {}: ", transfer.form(), self.at(transfer.place));
        words.push_str(&match (transfer.fault, &transfer.after) {
            (Some(reason), _) => reason.to_string(),
            (None, after) => {
                let unwritten = if transfer.is_unwritten { " (never written)" } else { "" };
                let after = after.as_ref().map_or_else(String::new, |after| format!(" -> {}", shown(after)));
                format!("{}{unwritten}{after}", shown(&transfer.before))
            }
        });
        words
    }
}

/// Carries the contents of persistent buffers from frame to frame.
#[derive(Debug, Default)]
pub struct PersistentBuffers {
    /// The buffers, as the scene defines them.
    scene: Vec<SceneBuffer>,
    /// Number of the frame drawn last.
    frame: u32,
    /// The contents at its start, and after it. `after` is `None` while it is drawn and if it was cancelled.
    before: Left,
    after: Option<Left>,
}

/// The results of a frame that the next one reads.
#[derive(Debug, Default)]
struct Left {
    buffers: Vec<Arc<Store>>,
    /// The number of vertices that each feedback has recorded.
    captured: Vec<u64>,
    /// The picture, for each frame texture.
    drawn: Vec<Arc<Texture>>,
}

impl PersistentBuffers {
    /// Gives the frame of `job` the contents that the previous frame left. The frame drawn last starts with
    /// the same contents as before. An earlier frame starts with the scene's initial contents.
    pub fn begin(&mut self, job: &mut Job) {
        let buffers = &job.scene.buffers;
        let is_reset = buffers.iter().all(|buffer| buffer.each_frame == EachFrame::Reset);
        if is_reset && job.scene.frame_textures.is_empty() {
            *self = Self::default();
            return;
        }
        if !is_same(buffers, &self.scene) || job.frame < self.frame {
            self.scene.clone_from(buffers);
            (self.before, self.after) = (Left::default(), None);
        }
        // After a cancelled frame, the next one starts with the same contents.
        if job.frame > self.frame
            && let Some(left) = self.after.take()
        {
            self.before = left;
        }
        self.frame = job.frame;
        let held = |(buffer, kept): (&SceneBuffer, Option<&Arc<Store>>)| match (buffer.each_frame, kept) {
            (EachFrame::Keep, Some(kept)) => Arc::clone(kept),
            (EachFrame::Keep | EachFrame::Reset, _) => Arc::clone(&buffer.store),
        };
        let kept = self.before.buffers.iter().map(Some).chain(std::iter::repeat(None));
        job.kept = buffers.iter().zip(kept).map(held).collect();
        if self.before.drawn.len() == job.scene.frame_textures.len() {
            job.drawn.clone_from(&self.before.drawn);
        }
        let captured = job.scene.drawn_again.and_then(|feedback| self.before.captured.get(feedback));
        job.captured = captured.map(|count| u32::try_from(*count).unwrap_or(u32::MAX));
    }

    /// Stores the results of the frame.
    pub fn end(&mut self, memory: &FrameMemory) {
        self.before.buffers.clone_from(&memory.before);
        let FrameMemory { after, captured, drawn, .. } = memory;
        self.after = Some(Left { buffers: after.clone(), captured: captured.clone(), drawn: drawn.clone() });
    }
}

/// Returns true if both are the same buffers with the same contents.
fn is_same(one: &[SceneBuffer], other: &[SceneBuffer]) -> bool {
    let same = |(a, b): (&SceneBuffer, &SceneBuffer)| {
        (&a.name, a.each_frame) == (&b.name, b.each_frame)
            && (Arc::ptr_eq(&a.store, &b.store) || a.store == b.store)
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}
