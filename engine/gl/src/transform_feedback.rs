//! Transform feedback objects: the results that are recorded, and their buffer objects (NV_transform_feedback
//! 2.Y, ARB_transform_feedback3, glspec40 2.20). `pipeline::feedback` does the recording.

use super::enums::EnumArgument;
use std::collections::{BTreeMap, BTreeSet};

use super::buffers::BufferId;
use super::counted::Counted;
use super::draw::DrawCall;
use super::error::{Error, Result, named};
use super::feedback_attribs::{ATTRIBS, BUFFERS, FeedbackMode, queried, record};
use super::names::Names;
use super::queries::stream;
use super::{BufferTarget, Context, enums};
use shadestep_core::debug::Subject;
use shadestep_core::memory::Store;
use shadestep_core::pipeline::{Captured, Feedback, FeedbackBuffer, Primitive, Recorded, STREAMS};
use shadestep_language::ir::InputPrimitive;
use shadestep_language::isa::Language;

const CLAUSE: &str = "NV_transform_feedback 2.Y";
const OBJECTS: &str = "glspec40 2.20.1";
const AGAIN: &str = "glspec40 2.20.3";
const QUERY: &str = "NV_transform_feedback 6.1.13";

enums::gl_enums! {
    /// The target of `BindTransformFeedback`.
    pub enum FeedbackTarget {
        TransformFeedback = TRANSFORM_FEEDBACK,
    }

    /// The kind of primitives that is recorded.
    pub enum FeedbackPrimitive {
        Points = POINTS,
        Lines = LINES,
        Triangles = TRIANGLES,
    }
}

/// The range of a buffer object at a binding point.
#[derive(Clone, Copy, Debug)]
struct Point {
    buffer: BufferId,
    offset: u64,
    /// Size in bytes; `None` for the rest of the data store.
    size: Option<u64>,
}

/// The state of an active transform feedback object.
#[derive(Clone, Copy, Debug)]
struct Active {
    primitive: FeedbackPrimitive,
    is_paused: bool,
    /// Words written so far to each binding point.
    written: [u64; BUFFERS],
    /// Vertices recorded so far for each stream.
    vertices: [u64; STREAMS],
}

/// A transform feedback object.
#[derive(Clone, Debug, Default)]
struct Object {
    /// The attribute list as given.
    attribs: Vec<[i32; 3]>,
    mode: FeedbackMode,
    /// For each used binding point, the stream and the recorded results.
    record: Vec<(u8, Vec<Recorded>)>,
    points: [Option<Point>; BUFFERS],
    active: Option<Active>,
    /// Vertices recorded for each stream during the last activity.
    captured: Option<[u64; STREAMS]>,
}

/// Identifies a transform feedback object, even after its name was given to another one. 0 is the default
/// object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ObjectId(u64);

/// All transform feedback objects of a context, and the bound one.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    /// Names from GenTransformFeedbacks that were never bound have no object.
    names: Names<Option<ObjectId>>,
    objects: BTreeMap<ObjectId, Object>,
    created: u64,
    bound: ObjectId,
}

impl Default for Objects {
    fn default() -> Self {
        let bound = ObjectId::default();
        let objects = BTreeMap::from([(bound, Object::default())]);
        Self { names: Names::default(), objects, created: 0, bound }
    }
}

impl Objects {
    fn bound(&self) -> Option<&Object> {
        self.objects.get(&self.bound)
    }

    fn bound_mut(&mut self) -> &mut Object {
        self.objects.entry(self.bound).or_default()
    }

    /// The bound object, if it is active and not paused.
    fn recording(&self) -> Option<(&Object, &Active)> {
        let object = self.bound()?;
        object.active.as_ref().filter(|active| !active.is_paused).map(|active| (object, active))
    }

    /// The object with a name.
    ///
    /// # Errors
    /// `INVALID_VALUE` if it does not exist.
    fn named(&self, name: u32, clause: &'static str) -> Result<&Object> {
        let id = if name == 0 { Some(ObjectId::default()) } else { self.names.get(name).copied().flatten() };
        let none = || Error::invalid_value(clause, format!("there is no transform feedback object {name}"));
        id.and_then(|id| self.objects.get(&id)).ok_or_else(none)
    }

    /// The buffer objects attached to any transform feedback object. Deleted ones live on while attached
    /// (glspec40 D.1.2).
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> {
        self.objects.values().flat_map(|object| object.points.iter().flatten().map(|point| point.buffer))
    }

    /// Detaches deleted buffer objects (see `is_deleted`) from the bound object, unless it is active.
    pub fn forget(&mut self, is_deleted: impl Fn(BufferId) -> bool) {
        let Some(object) = self.objects.get_mut(&self.bound).filter(|object| object.active.is_none()) else {
            return;
        };
        for point in &mut object.points {
            *point = point.filter(|point| !is_deleted(point.buffer));
        }
    }

    /// Refuses a command that is not allowed while the bound object is active.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    fn refuse_active(&self, clause: &'static str) -> Result<()> {
        match self.bound().and_then(|object| object.active.as_ref()) {
            Some(_) => Err(Error::invalid_operation(clause, "transform feedback is active")),
            None => Ok(()),
        }
    }

    /// Checks that drawn primitives are of the recorded kind (table X.1).
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    pub fn refuse_kind(&self, kind: InputPrimitive) -> Result<()> {
        let Some((_, active)) = self.recording() else { return Ok(()) };
        let (wanted, name) = match active.primitive {
            FeedbackPrimitive::Points => (InputPrimitive::Points, "POINTS"),
            FeedbackPrimitive::Lines => (InputPrimitive::Lines, "LINES"),
            FeedbackPrimitive::Triangles => (InputPrimitive::Triangles, "TRIANGLES"),
        };
        if kind == wanted {
            return Ok(());
        }
        let reason = format!("transform feedback records {name}, but the draw gives it {}", kind.name());
        Err(Error::invalid_operation(CLAUSE, reason))
    }
}

/// The recorded results of a draw, with their destinations.
#[derive(Clone, Debug)]
pub(super) struct DrawFeedback {
    pub feedback: Feedback,
    /// For each binding point, the buffer object and the byte offset of the first word.
    targets: Vec<(BufferId, u64)>,
}

impl DrawFeedback {
    /// Writes recorded data to the store of a buffer object. If the store has become smaller since the draw
    /// was prepared, data beyond its end is dropped.
    pub fn write(&self, buffer: BufferId, captured: &Captured, store: &mut Store) {
        let mut write = |offset: u64, bytes: &[u8]| {
            let room = store.len().saturating_sub(offset).min(bytes.len() as u64);
            store.write(offset, &bytes[..room as usize]);
        };
        let points = self.feedback.0.iter().zip(&self.targets).zip(&captured.words);
        for ((point, (target, offset)), words) in points {
            let stride = point.stride();
            if *target != buffer || stride == 0 {
                continue;
            }
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let runs = point.runs();
            if runs.first().is_some_and(|run| run.len() == stride) {
                write(*offset, &bytes);
                continue;
            }
            for (vertex, bytes) in bytes.chunks_exact(4 * stride).enumerate() {
                for run in &runs {
                    write(
                        offset + 4 * (vertex * stride + run.start) as u64,
                        &bytes[4 * run.start..4 * run.end],
                    );
                }
            }
        }
    }

    /// The destination buffer objects.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> {
        self.targets.iter().map(|(buffer, _)| *buffer)
    }
}

impl Context {
    /// The recording of a draw now; `None` unless transform feedback is active and not paused.
    pub(super) fn draw_feedback(&self) -> Option<DrawFeedback> {
        let (object, active) = self.feedback.recording()?;
        let (mut buffers, mut targets) = (Vec::new(), Vec::new());
        for (place, (stream, record)) in object.record.iter().enumerate() {
            let Point { buffer, offset, size } = object.points[place]?;
            let length = self.buffers.object(buffer).map_or(0, |object| object.store().len());
            let end = size.map_or(length, |size| length.min(offset.saturating_add(size)));
            let all = end.saturating_sub(offset) / 4;
            let room = all.saturating_sub(active.written[place]);
            buffers.push(FeedbackBuffer { stream: *stream, record: record.clone(), room });
            targets.push((buffer, offset + 4 * active.written[place]));
        }
        Some(DrawFeedback { feedback: Feedback(buffers), targets })
    }

    /// Takes over the recorded data of a draw.
    pub(super) fn keep_feedback(&mut self, call: &DrawCall) {
        let Some(feedback) = call.feedback() else { return };
        let outcome = call.outcome();
        let captured = &outcome.captured;
        for buffer in feedback.buffers().collect::<BTreeSet<_>>() {
            if let Some(object) = self.buffers.object_mut(buffer) {
                feedback.write(buffer, captured, object.store_mut());
            }
        }
        if let Some(active) = &mut self.feedback.bound_mut().active {
            for (all, words) in active.written.iter_mut().zip(&captured.words) {
                *all += words.len() as u64;
            }
            for (all, vertices) in active.vertices.iter_mut().zip(captured.vertices) {
                *all += vertices;
            }
        }
    }

    /// Binds a range of a buffer object to a binding point of the bound transform feedback object.
    pub(super) fn bind_feedback_point(
        &mut self,
        index: u32,
        buffer: u32,
        (offset, size): (u64, Option<u64>),
    ) -> Result<()> {
        self.feedback.refuse_active(CLAUSE)?;
        let place = place(index)?;
        let bound = self.buffers.bind(BufferTarget::TransformFeedback, buffer);
        self.feedback.bound_mut().points[place] = bound.map(|buffer| Point { buffer, offset, size });
        self.forget_buffers();
        Ok(())
    }
}

/// The invocations that produced the recorded data of a draw.
#[derive(Debug)]
pub struct Recorders {
    /// For each binding point, the name of the buffer object and the byte offset of the first word.
    targets: Vec<(u32, u64)>,
    points: Feedback,
    by: [Vec<Subject>; STREAMS],
}

impl Recorders {
    /// The invocation that produced the byte at `offset` of the buffer object named `buffer`.
    pub fn of(&self, buffer: u32, offset: u64) -> Option<Subject> {
        let points = self.points.0.iter().zip(&self.targets).filter(|(_, (target, _))| *target == buffer);
        points.into_iter().find_map(|(point, (_, first))| {
            let word = usize::try_from(offset.checked_sub(*first)? / 4).ok()?;
            let (vertex, place) = (word.checked_div(point.stride())?, word % point.stride());
            let is_recorded = point.runs().iter().any(|run| run.contains(&place));
            self.by[usize::from(point.stream)].get(vertex).copied().filter(|_| is_recorded)
        })
    }
}

/// Recorded data.
impl DrawCall {
    /// Number of vertices of each stream that the last rendering recorded; `None` if transform feedback is
    /// not active.
    pub fn captured(&self) -> Option<[u64; STREAMS]> {
        self.feedback().map(|_| self.outcome().captured.vertices)
    }

    /// The invocations that produced the recorded data of the last rendering, if it collected them
    /// ([`Self::find_races`]). A second call returns `None`.
    pub fn recorders(&self, context: &Context) -> Option<Recorders> {
        let feedback = self.feedback()?;
        let by = std::mem::take(self.outcome().captured.by.as_mut()?);
        let target = |(buffer, offset): &(BufferId, u64)| (context.buffers.name(*buffer), *offset);
        let targets = feedback.targets.iter().map(target).collect();
        Some(Recorders { targets, points: feedback.feedback.clone(), by })
    }
}

/// Index of a binding point, if it exists.
fn place(index: u32) -> Result<usize> {
    let place = usize::try_from(index).ok().filter(|&place| place < BUFFERS);
    place.ok_or_else(|| Error::invalid_value(ATTRIBS, format!("there is no binding point {index}")))
}

/// Transform feedback.
impl Context {
    /// `TransformFeedbackAttribsNV`: sets the recorded results of stream 0. An entry has the kind of
    /// attribute, the number of components, and the attribute's index if there are several. Special entries
    /// are [`super::NEXT_BUFFER_NV`] and related constants.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown kind or mode. `INVALID_VALUE` for components or an index that the
    /// attribute does not have. `INVALID_OPERATION` while transform feedback is active, for an attribute that
    /// is listed twice, for special entries in SEPARATE_ATTRIBS, and for too many attributes, components or
    /// binding points.
    pub fn transform_feedback_attribs<'a>(
        &mut self,
        attribs: impl Into<Counted<'a, [i32; 3]>>,
        mode: impl EnumArgument<FeedbackMode>,
    ) -> Result<()> {
        self.command("TransformFeedbackAttribsNV", |context| {
            let (attribs, mode) = (attribs.into().values(ATTRIBS)?, named(mode, ATTRIBS, "buffer mode")?);
            let points = record(attribs, mode)?;
            let mut results = points.iter().flatten().filter_map(|part| match part {
                Recorded::Result(result, _) => Some(*result),
                Recorded::Skipped(_) => None,
            });
            let mut seen = 0u64;
            let twice = results.find(|result| {
                let bit = 1 << result.index();
                let before = seen & bit != 0;
                seen |= bit;
                before
            });
            if let Some(result) = twice {
                let reason =
                    format!("{} is selected for recording twice", result.register_in(Language::NvGp4));
                return Err(Error::invalid_operation("NV_transform_feedback Errors", reason));
            }
            context.record_attribs(attribs, mode, points.into_iter().map(|point| (0, point)).collect())
        })
    }

    /// `TransformFeedbackStreamAttribsNV`: as [`Self::transform_feedback_attribs`], with a vertex stream for
    /// each binding point.
    ///
    /// # Errors
    /// As [`Self::transform_feedback_attribs`], but attributes may be listed twice. `INVALID_VALUE` for a
    /// stream that does not exist, `INVALID_OPERATION` if the number of streams differs from the number of
    /// binding points.
    pub fn transform_feedback_stream_attribs<'a>(
        &mut self,
        attribs: impl Into<Counted<'a, [i32; 3]>>,
        streams: impl Into<Counted<'a, i32>>,
        mode: impl EnumArgument<FeedbackMode>,
    ) -> Result<()> {
        self.command("TransformFeedbackStreamAttribsNV", |context| {
            let (attribs, mode) = (attribs.into().values(ATTRIBS)?, named(mode, ATTRIBS, "buffer mode")?);
            let streams = streams.into().values(ATTRIBS)?;
            let numbers = streams.iter().map(|number| stream(*number, ATTRIBS).map(|number| number as u8));
            let numbers = numbers.collect::<Result<Vec<u8>>>()?;
            let points = record(attribs, mode)?;
            if points.len() != numbers.len() {
                let (wanted, given) = (points.len(), numbers.len());
                let reason =
                    format!("{wanted} binding points are used for recording, but {given} streams are given");
                return Err(Error::invalid_operation(ATTRIBS, reason));
            }
            context.record_attribs(attribs, mode, numbers.into_iter().zip(points).collect())
        })
    }

    fn record_attribs(
        &mut self,
        attribs: &[[i32; 3]],
        mode: FeedbackMode,
        record: Vec<(u8, Vec<Recorded>)>,
    ) -> Result<()> {
        self.feedback.refuse_active("NV_transform_feedback Errors")?;
        let object = self.feedback.bound_mut();
        (object.attribs, object.mode, object.record) =
            (attribs.iter().map(|attrib| queried(*attrib)).collect(), mode, record);
        Ok(())
    }

    /// The kind of primitives that the programs output when `mode` is drawn, for
    /// [`Self::begin_transform_feedback`].
    ///
    /// # Errors
    /// As [`Self::begin`]; `INVALID_OPERATION` also for primitives that cannot be recorded.
    pub fn feedback_primitive(&self, mode: impl EnumArgument<Primitive>) -> Result<FeedbackPrimitive> {
        self.query("Begin", || match self.drawable()?.made_kind(named(mode, CLAUSE, "mode")?) {
            InputPrimitive::Points => Ok(FeedbackPrimitive::Points),
            InputPrimitive::Lines => Ok(FeedbackPrimitive::Lines),
            InputPrimitive::Triangles => Ok(FeedbackPrimitive::Triangles),
            kind => {
                let reason = format!("transform feedback cannot record {}", kind.name());
                Err(Error::invalid_operation(CLAUSE, reason))
            }
        })
    }

    /// `BeginTransformFeedback`: starts recording primitives, from the beginning of the bound ranges.
    ///
    /// # Errors
    /// `INVALID_ENUM` for primitives other than POINTS, LINES and TRIANGLES; `INVALID_OPERATION` while the
    /// object is active, if the attribute list is empty, and if a recorded binding point has no buffer
    /// object.
    pub fn begin_transform_feedback(
        &mut self,
        primitive: impl EnumArgument<FeedbackPrimitive>,
    ) -> Result<()> {
        self.command("BeginTransformFeedback", |context| {
            let primitive = named(primitive, CLAUSE, "primitive mode")?;
            context.feedback.refuse_active(CLAUSE)?;
            let object = context.feedback.bound_mut();
            if object.record.iter().all(|(_, parts)| parts.is_empty()) {
                return Err(Error::invalid_operation(CLAUSE, "no attributes are selected for recording"));
            }
            let points = object.points.iter().take(object.record.len());
            if let Some(place) = points.clone().position(Option::is_none) {
                let reason = format!(
                    "no buffer object is bound to binding point {place}, which is used for recording"
                );
                return Err(Error::invalid_operation(CLAUSE, reason));
            }
            object.active =
                Some(Active { primitive, is_paused: false, written: [0; BUFFERS], vertices: [0; STREAMS] });
            Ok(())
        })
    }

    /// `EndTransformFeedback`
    ///
    /// # Errors
    /// `INVALID_OPERATION` while it is not active.
    pub fn end_transform_feedback(&mut self) -> Result<()> {
        self.command("EndTransformFeedback", |context| {
            let object = context.feedback.bound_mut();
            let Some(active) = object.active.take() else { return Err(inactive()) };
            object.captured = Some(active.vertices);
            let id = context.feedback.bound;
            let is_named = |name: &Option<ObjectId>| *name == Some(id);
            if id != ObjectId::default() && !context.feedback.names.values().any(is_named) {
                // The object was deleted while it was active.
                context.feedback.objects.remove(&id);
                context.feedback.bound = ObjectId::default();
            }
            context.forget_feedback_buffers();
            context.forget_buffers();
            Ok(())
        })
    }

    /// Detaches deleted buffer objects from the bound transform feedback object.
    pub(super) fn forget_feedback_buffers(&mut self) {
        let buffers = &self.buffers;
        self.feedback.forget(|id| !buffers.is_named(id));
    }

    /// `PauseTransformFeedback`: stops recording until it is resumed.
    ///
    /// # Errors
    /// `INVALID_OPERATION` while it is not active, and while it is paused.
    pub fn pause_transform_feedback(&mut self) -> Result<()> {
        self.command("PauseTransformFeedback", |context| match &mut context.feedback.bound_mut().active {
            Some(active) if !active.is_paused => {
                active.is_paused = true;
                Ok(())
            }
            Some(_) => Err(Error::invalid_operation("glspec40 2.20.2", "transform feedback is paused")),
            None => Err(inactive()),
        })
    }

    /// `ResumeTransformFeedback`: continues recording after the data recorded so far.
    ///
    /// # Errors
    /// `INVALID_OPERATION` while it is not active, and while it is not paused.
    pub fn resume_transform_feedback(&mut self) -> Result<()> {
        self.command("ResumeTransformFeedback", |context| match &mut context.feedback.bound_mut().active {
            Some(active) if active.is_paused => {
                active.is_paused = false;
                Ok(())
            }
            Some(_) => Err(Error::invalid_operation("glspec40 2.20.2", "transform feedback is not paused")),
            None => Err(inactive()),
        })
    }

    /// `GenTransformFeedbacks`: `n` unused names.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million names.
    pub fn gen_transform_feedbacks(&mut self, n: i32) -> Result<Vec<u32>> {
        self.command("GenTransformFeedbacks", |context| context.feedback.names.generate(n, OBJECTS, || None))
    }

    /// `DeleteTransformFeedbacks`: frees the names. Unused names are ignored. An active object lives on until
    /// it ends.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative count.
    pub fn delete_transform_feedbacks<'a>(&mut self, ids: impl Into<Counted<'a, u32>>) -> Result<()> {
        self.command("DeleteTransformFeedbacks", |context| {
            for &name in ids.into().values(OBJECTS)? {
                let feedback = &mut context.feedback;
                let Some(id) = feedback.names.get(name).copied() else { continue };
                feedback.names.remove(name);
                let Some(id) = id else { continue };
                let is_active = feedback.objects.get(&id).is_some_and(|object| object.active.is_some());
                if id == feedback.bound && is_active {
                    continue;
                }
                feedback.objects.remove(&id);
                if id == feedback.bound {
                    feedback.bound = ObjectId::default();
                }
            }
            context.forget_buffers();
            Ok(())
        })
    }

    /// `BindTransformFeedback`: binds the object `id`. A generated name without an object creates one; 0 is
    /// the default object.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_OPERATION` for a name that was not generated, and while
    /// the bound object is active and not paused.
    pub fn bind_transform_feedback(
        &mut self,
        target: impl EnumArgument<FeedbackTarget>,
        id: u32,
    ) -> Result<()> {
        self.command("BindTransformFeedback", |context| {
            let FeedbackTarget::TransformFeedback = named(target, OBJECTS, "target")?;
            let feedback = &mut context.feedback;
            if feedback.recording().is_some() {
                return Err(Error::invalid_operation(OBJECTS, "transform feedback is active and not paused"));
            }
            if id == 0 {
                feedback.bound = ObjectId::default();
                return Ok(());
            }
            let Some(name) = feedback.names.get_mut(id) else {
                let reason = format!("{id} is not a name from GenTransformFeedbacks");
                return Err(Error::invalid_operation(OBJECTS, reason));
            };
            let created = &mut feedback.created;
            feedback.bound = *name.get_or_insert_with(|| {
                *created += 1;
                ObjectId(*created)
            });
            feedback.bound_mut();
            Ok(())
        })
    }

    /// `IsTransformFeedback`: whether a transform feedback object with this name exists. Between begin and
    /// end, returns false and stores an error.
    pub fn is_transform_feedback(&self, id: u32) -> bool {
        self.query("IsTransformFeedback", || Ok(self.feedback.names.has_object(id))).unwrap_or(false)
    }

    /// `DrawTransformFeedback`: [`Self::prepare_arrays`] with the number of vertices that object `id`
    /// recorded for stream 0 during its last activity.
    ///
    /// # Errors
    /// As [`Self::prepare_transform_feedback_stream`].
    pub fn prepare_transform_feedback(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        id: u32,
    ) -> Result<DrawCall> {
        self.prepare_transform_feedback_stream(mode, id, 0)
    }

    /// `DrawTransformFeedbackStream`: [`Self::prepare_transform_feedback`] for a stream.
    ///
    /// # Errors
    /// As [`Self::prepare_arrays`]; `INVALID_VALUE` also if the object or stream does not exist,
    /// `INVALID_OPERATION` if transform feedback of the object has never ended.
    pub fn prepare_transform_feedback_stream(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        id: u32,
        number: u32,
    ) -> Result<DrawCall> {
        self.command("DrawTransformFeedbackStream", |context| {
            let mode = named(mode, AGAIN, "mode")?;
            let place = stream(number, AGAIN)?;
            let never = || {
                Error::invalid_operation(
                    AGAIN,
                    format!("transform feedback with object {id} has never ended"),
                )
            };
            let count = context.feedback.named(id, AGAIN)?.captured.ok_or_else(never)?[place];
            context.range_of(mode, [0, i32::try_from(count).unwrap_or(i32::MAX)])
        })
    }

    /// `GetIntegerv` of `TRANSFORM_FEEDBACK_BUFFER_MODE_NV` and `TRANSFORM_FEEDBACK_ATTRIBS_NV`: the mode,
    /// and the number of entries.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_transform_feedback_attribs(&self) -> Result<(FeedbackMode, usize)> {
        self.query("GetIntegerv", || {
            Ok(self
                .feedback
                .bound()
                .map_or_else(Default::default, |object| (object.mode, object.attribs.len())))
        })
    }

    /// `GetIntegerIndexedvEXT` of `TRANSFORM_FEEDBACK_RECORD_NV`: an entry as it was given, with index 0 for
    /// an attribute that exists once (6.1.14).
    ///
    /// # Errors
    /// `INVALID_VALUE` if there is no entry `index`.
    pub fn get_transform_feedback_record(&self, index: u32) -> Result<[i32; 3]> {
        self.query("GetIntegerIndexedvEXT", || {
            let attribs = self.feedback.bound().map_or(&[][..], |object| &object.attribs);
            let found = usize::try_from(index).ok().and_then(|index| attribs.get(index)).copied();
            found.ok_or_else(|| Error::invalid_value(QUERY, format!("there is no entry {index}")))
        })
    }

    /// `GetIntegerIndexedvEXT` of `TRANSFORM_FEEDBACK_BUFFER_BINDING_NV`, `_START_NV` and `_SIZE_NV`: the
    /// name of the buffer object at a binding point, its first byte, and its size if one was given; 0 for an
    /// empty binding point.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the binding point does not exist.
    pub fn get_transform_feedback_buffer(&self, index: u32) -> Result<(u32, u64, u64)> {
        self.query("GetIntegerIndexedvEXT", || {
            let place = place(index)?;
            let point = self.feedback.bound().and_then(|object| object.points[place]);
            Ok(point.map_or((0, 0, 0), |point| {
                (self.buffers.name(point.buffer), point.offset, point.size.unwrap_or(0))
            }))
        })
    }

    /// `GetBooleanv` of `TRANSFORM_FEEDBACK_BUFFER_ACTIVE` and `TRANSFORM_FEEDBACK_BUFFER_PAUSED`.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_transform_feedback_active(&self) -> Result<[bool; 2]> {
        self.query("GetBooleanv", || {
            let active = self.feedback.bound().and_then(|object| object.active);
            Ok([active.is_some(), active.is_some_and(|active| active.is_paused)])
        })
    }

    /// `GetIntegerv` of `TRANSFORM_FEEDBACK_BINDING`: the name of the bound object; 0 for the default object.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_transform_feedback_binding(&self) -> Result<u32> {
        self.query("GetIntegerv", || {
            let bound = |id: &Option<ObjectId>| *id == Some(self.feedback.bound);
            Ok(self.feedback.names.find(bound).unwrap_or(0))
        })
    }
}

fn inactive() -> Error {
    Error::invalid_operation(CLAUSE, "transform feedback is not active")
}
