//! Threads that render, record and check, so that the UI thread never waits.
//!
//! Each [`Worker`] has a mailbox for one request: a newer request replaces the waiting one. Requests carry
//! generation numbers, which match replies to requests. A render in progress is cancelled only if the newer
//! request asks for that (a new text or size). If every new parameter value cancelled the render, a heavy
//! scene would show no picture while a slider moves.

mod loading;

pub use loading::{LoadReply, LoadRequest, LoadedLast, Loader, start_loader};

use crate::drafts::RunGuard;
use crate::lesson::{self, Answer, Lesson, Reference, Report};
use crate::mailbox::{Urgency, Wake, Work, Worker};
use crate::maps::{self, Field, LineCounts, MapQuery};
use crate::model::{DocumentId, Draft, Overlays};
use crate::overlay::{self, Overlay};
use crate::scene::{Programs, Slot};
use crate::session::{
    self, Compiled, Frame, FrameInputs, Job, Loaded, PersistentBuffers, RenderError, SetUp, Threads,
    VertexList, VertexValues,
};
use crate::stepping::{
    self, BackgroundQueryReply, BackgroundQueryRequest, CompareReply, CompareRequest, HistoryReply,
    HistoryRequest, HistoryWorker, RecordReply, RecordRequest, RunDiffWorker,
};
use shadestep_engine::gl::DrawCall;
use shadestep_engine::query;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A request for a picture.
#[derive(Clone, Debug)]
pub struct RenderRequest {
    /// Number of the request. Later requests have larger numbers.
    pub generation: u64,
    /// Document of the programs.
    pub document: DocumentId,
    /// Revision of the document's texts.
    pub revision: u64,
    pub texts: Programs<Arc<[u8]>>,
    /// The texts for the crash note that the next process reads.
    pub kept: Arc<Draft>,
    /// The scene and the frame's time, size and mouse.
    pub job: Job,
    /// Lines to show over the picture.
    pub overlays: Overlays,
    /// Whether the request cancels the render in progress.
    pub urgency: Urgency,
}

/// A picture, or the reason why there is none.
pub struct RenderReply {
    /// Number of the request.
    pub generation: u64,
    /// Document of the programs.
    pub document: DocumentId,
    /// Revision of the texts of `programs`.
    pub revision: u64,
    pub programs: Loaded,
    /// Inputs of the picture.
    pub job: Job,
    /// As in the request.
    pub kept: Arc<Draft>,
    pub outcome: Result<Picture, RenderError>,
}

/// A rendered frame with its form for the screen.
pub struct Picture {
    /// Exact values.
    pub frame: Arc<Frame>,
    /// 8 bits per channel, top row first.
    pub image: egui::ColorImage,
    /// Inputs of its vertex programs.
    pub inputs: FrameInputs,
    /// Lines over the picture.
    pub overlay: Overlay,
}

/// A request for the vertices of a picture.
#[derive(Clone, Debug)]
pub struct VerticesRequest {
    /// Number of the picture.
    pub picture: u64,
    /// Document of the programs.
    pub document: DocumentId,
    pub programs: Loaded,
    pub job: Job,
    /// Elements whose values are also requested.
    pub elements: Vec<u32>,
    /// The texts for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// The vertices of a picture.
pub struct VerticesReply {
    /// Number of the picture.
    pub picture: u64,
    /// Document of the programs.
    pub document: DocumentId,
    /// All vertices.
    pub list: Result<Arc<VertexList>, RenderError>,
    /// Values of the requested elements.
    pub values: Vec<(u32, VertexValues)>,
}

/// A request to check an answer to a lesson.
#[derive(Clone, Debug)]
pub struct LessonRequest {
    /// Document of the texts.
    pub document: DocumentId,
    /// Revision of the texts.
    pub revision: u64,
    /// The lesson that the texts answer.
    pub lesson: Arc<Lesson>,
    /// The texts with their scene.
    pub answer: Answer,
    /// The texts for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// Result of the checks.
pub struct LessonReply {
    /// Document of the texts.
    pub document: DocumentId,
    /// Revision of the texts.
    pub revision: u64,
    /// The report, or an error if the lesson itself is faulty or the checks were cancelled.
    pub outcome: Result<Report, RenderError>,
}

/// The thread that renders.
pub type Renderer = Worker<RenderRequest, RenderReply>;

/// The thread that lists vertices.
pub type VertexLister = Worker<VerticesRequest, VerticesReply>;

/// The thread that records runs for stepping.
pub type Recorder = Worker<RecordRequest, RecordReply>;

/// The thread that computes value maps with frame queries.
pub type FrameQuery = Worker<MapRequest, MapAnswer>;

/// A map request: the picture and the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Document of the picture.
    pub document: DocumentId,
    /// Number of the picture.
    pub picture: u64,
    /// The map, if one is requested.
    pub query: Option<MapQuery>,
    /// True to count how often each line runs.
    pub line_counts: bool,
}

/// The answer to a map request.
pub struct MapAnswer {
    /// The request.
    pub asked: Asked,
    /// The fragment program of the picture.
    pub compiled: Option<Arc<Compiled>>,
    /// The map, if requested.
    pub field: Option<Result<Arc<Field>, RenderError>>,
    /// The counts, if requested.
    pub counts: Option<Result<Arc<LineCounts>, RenderError>>,
    /// Time that the answer took.
    pub time: Duration,
}

/// A request for a map, or for the counts of lines.
#[derive(Clone, Debug)]
pub struct MapRequest {
    /// Picture and query.
    pub asked: Asked,
    pub programs: Loaded,
    pub job: Job,
    /// The picture.
    pub frame: Arc<Frame>,
    /// Number of fragments processed so far, for the progress bar.
    pub shaded: Arc<AtomicU64>,
    /// The texts for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// Starts the thread that computes maps. `guard` notes the programs that run.
pub fn start_frame_queries(wake: Wake, guard: RunGuard) -> FrameQuery {
    Worker::start_keeping("frame-query", wake, FrameQueries { guard, threads: None, counted: None })
}

/// State of the thread that computes maps.
struct FrameQueries {
    guard: RunGuard,
    threads: Option<Result<Threads, RenderError>>,
    counted: Counted,
}

impl Work<MapRequest, MapAnswer> for FrameQueries {
    fn answer(&mut self, request: MapRequest, cancel: &AtomicBool) -> MapAnswer {
        let Self { guard, threads, counted } = self;
        let start = Instant::now();
        let threads = threads.get_or_insert_with(Threads::all_cores);
        let (mut field, mut counts) = (None, None);
        let outcome = guard.run(&request.kept, || {
            guarded(|| {
                let threads = threads.as_ref().map_err(Clone::clone)?;
                (field, counts) = query_frame(&request, threads, cancel, counted)?;
                Ok(())
            })
        });
        if let Err(error) = outcome {
            field = request.asked.query.as_ref().map(|_| Err(error.clone()));
            counts = request.asked.line_counts.then_some(Err(error));
        }
        let compiled = request.programs.get(Slot::Fragment).cloned();
        MapAnswer { asked: request.asked, compiled, field, counts, time: start.elapsed() }
    }

    fn forget(&mut self, closed: DocumentId) {
        self.counted.take_if(|((document, _), _)| *document == closed);
    }
}

/// The requested map and counts.
type Surveyed = (Option<Result<Arc<Field>, RenderError>>, Option<Result<Arc<LineCounts>, RenderError>>);

/// The last counts with their document and picture.
type Counted = Option<((DocumentId, u64), Arc<LineCounts>)>;

fn query_frame(
    request: &MapRequest,
    threads: &Threads,
    cancel: &AtomicBool,
    counted: &mut Counted,
) -> Result<Surveyed, RenderError> {
    let set_up = SetUp::new(&request.programs, &request.job)?;
    let compiled = request.programs.get(Slot::Fragment).ok_or(RenderError::NoProgram)?;
    let program = compiled.program.as_ref().ok_or(RenderError::NoProgram)?;
    let run = query::Run { cancel, shaded: Some(&request.shaded) };
    let counts = request.asked.line_counts.then(|| {
        let picture = (request.asked.document, request.asked.picture);
        if let Some((_, counts)) = counted.as_ref().filter(|(of, _)| *of == picture) {
            return Ok(Arc::clone(counts));
        }
        let counts = Arc::new(maps::line_counts(&set_up, &compiled.lines, threads, run)?);
        *counted = Some((picture, Arc::clone(&counts)));
        Ok(counts)
    });
    let field = request.asked.query.as_ref().map(|query| {
        let pixels = (request.frame.size(), |at| request.frame.pixel(at));
        maps::work_out(&set_up, program, query, pixels, threads, run).map(Arc::new)
    });
    Ok((field, counts))
}
/// The thread that checks lessons.
pub type LessonChecker = Worker<LessonRequest, LessonReply>;
/// Starts the thread that computes value histories of runs.
pub fn start_history_worker(wake: Wake) -> HistoryWorker {
    Worker::start("histories", wake, |request: HistoryRequest, cancel| {
        let found = guarded(|| Ok(stepping::histories(&request, cancel)));
        HistoryReply { generation: request.generation, histories: found.ok().flatten() }
    })
}

/// Starts the thread that compares runs.
pub fn start_run_diff_worker(wake: Wake) -> RunDiffWorker {
    Worker::start("compare", wake, |request: CompareRequest, cancel| {
        let found = guarded(|| Ok(stepping::compare(&request.runs, cancel)));
        CompareReply { generation: request.generation, alignment: found.ok().flatten() }
    })
}

/// Starts the rendering thread. `guard` notes the programs that run. `last` has the programs of the loading
/// thread.
pub fn start_renderer(wake: Wake, guard: RunGuard, last: LoadedLast) -> Renderer {
    Worker::start_keeping(
        "render",
        wake,
        Rendering { guard, last, threads: None, frames: Frames::default(), persistent: None },
    )
}

/// State of the rendering thread between pictures.
struct Rendering {
    guard: RunGuard,
    last: LoadedLast,
    threads: Option<Result<Threads, RenderError>>,
    frames: Frames,
    persistent: Option<(DocumentId, PersistentBuffers)>,
}

impl Work<RenderRequest, RenderReply> for Rendering {
    fn answer(&mut self, mut request: RenderRequest, cancel: &AtomicBool) -> RenderReply {
        let Self { guard, last, threads, frames, persistent } = self;
        persistent.take_if(|(document, _)| *document != request.document);
        let (_, persistent) =
            persistent.get_or_insert_with(|| (request.document, PersistentBuffers::default()));
        persistent.begin(&mut request.job);
        let mut programs = Loaded::default();
        let outcome = guard.run(&request.kept, || {
            programs = last.load(request.document, &request.texts)?;
            match threads.get_or_insert_with(Threads::all_cores) {
                Ok(threads) => guarded(|| draw(&programs, &request, threads, cancel, frames)),
                Err(error) => Err(error.clone()),
            }
        });
        if let Ok(picture) = &outcome {
            persistent.end(&picture.frame.memory);
        }
        RenderReply {
            generation: request.generation,
            document: request.document,
            revision: request.revision,
            programs,
            job: request.job,
            kept: request.kept,
            outcome,
        }
    }

    fn forget(&mut self, closed: DocumentId) {
        self.persistent.take_if(|(document, _)| *document == closed);
        self.frames = Frames::default();
        self.last.forget(closed);
    }
}

/// Runs `work`. A panic in it costs one reply, not the thread or the process.
fn guarded<T>(work: impl FnOnce() -> Result<T, RenderError>) -> Result<T, RenderError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(RenderError::Failed("internal error in Shadestep; please report it with the program".to_owned()))
    })
}

fn draw(
    programs: &Loaded,
    request: &RenderRequest,
    threads: &Threads,
    cancel: &AtomicBool,
    frames: &mut Frames,
) -> Result<Picture, RenderError> {
    let job = &request.job;
    let set_up = SetUp::new(programs, job)?;
    let frame = set_up.render(threads, cancel, frames.take_unused())?;
    let [width, height] = frame.size();
    let mut image = egui::ColorImage::filled([width as usize, height as usize], egui::Color32::BLACK);
    frame.write_opaque_rgba8(image.as_raw_mut(), threads);
    let overlay = overlay::compute(set_up.call(), &frame, request.overlays, job.instance);
    let inputs = set_up.inputs();
    Ok(Picture { frame: frames.share(frame), image, inputs, overlay })
}

/// The frames of recent replies. A frame without other users lends its memory to the next picture, because
/// fresh memory for every frame costs milliseconds.
#[derive(Default)]
struct Frames(Vec<Arc<Frame>>);

impl Frames {
    /// Number of remembered frames: one on the screen, one on its way there, one to draw into.
    const REMEMBERED: usize = 3;

    fn take_unused(&mut self) -> Option<Frame> {
        let unused = self.0.iter().position(|frame| Arc::strong_count(frame) == 1)?;
        Arc::into_inner(self.0.swap_remove(unused))
    }

    fn share(&mut self, frame: Frame) -> Arc<Frame> {
        let frame = Arc::new(frame);
        if self.0.len() >= Self::REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(Arc::clone(&frame));
        frame
    }
}

/// Starts the recording thread. `guard` notes the programs that run.
pub fn start_recorder(wake: Wake, mut guard: RunGuard) -> Recorder {
    Worker::start("record", wake, move |request: RecordRequest, cancel| {
        let (generation, kept) = (request.generation, Arc::clone(&request.kept));
        let outcome = guard.run(&kept, || guarded(|| Ok(Box::new(stepping::record(request, cancel)?))));
        RecordReply { generation, outcome }
    })
}

/// The thread that answers background queries about runs.
pub type BackgroundQueries = Worker<BackgroundQueryRequest, BackgroundQueryReply>;

/// Starts the thread that answers background queries. `guard` notes the programs that run.
pub fn start_background_queries(wake: Wake, mut guard: RunGuard) -> BackgroundQueries {
    Worker::start("background", wake, move |request: BackgroundQueryRequest, cancel| {
        let outcome = guard.run(&request.record.kept, || guarded(|| stepping::answer(&request, cancel)));
        let BackgroundQueryRequest { generation, run, question, .. } = request;
        BackgroundQueryReply { generation, run: run.run, question, outcome }
    })
}

/// Starts the thread that lists vertices. `guard` notes the programs that run.
pub fn start_vertex_lister(wake: Wake, guard: RunGuard) -> VertexLister {
    Worker::start_keeping("vertices", wake, Listing { guard, list: None })
}

/// The vertices of the last picture, kept so that later requests for values are answered at once.
struct Listing {
    guard: RunGuard,
    list: Option<(u64, DocumentId, Arc<VertexList>, DrawCall)>,
}

impl Work<VerticesRequest, VerticesReply> for Listing {
    fn answer(&mut self, request: VerticesRequest, cancel: &AtomicBool) -> VerticesReply {
        let VerticesRequest { picture, document, programs, job, elements, kept: draft } = request;
        let is_kept = self.list.as_ref().is_some_and(|k| (k.0, k.1) == (picture, document));
        if !is_kept {
            self.list = None;
            match self.guard.run(&draft, || guarded(|| VertexList::new(&programs, &job))) {
                Ok((list, call)) => self.list = Some((picture, document, Arc::new(list), call)),
                Err(error) => {
                    return VerticesReply { picture, document, list: Err(error), values: Vec::new() };
                }
            }
        }
        let list = self.list.as_ref().map(|k| Arc::clone(&k.2)).ok_or(RenderError::Cancelled);
        let values = guarded(|| {
            let call = self.list.as_ref().map(|k| &k.3);
            let wanted = elements.iter().take_while(|_| !cancel.load(Ordering::Relaxed));
            Ok(wanted.filter_map(|&e| Some((e, session::vertex_values(call?, e, job.instance)?))).collect())
        });
        VerticesReply { picture, document, list, values: values.unwrap_or_default() }
    }

    fn forget(&mut self, closed: DocumentId) {
        self.list.take_if(|kept| kept.1 == closed);
    }
}

/// Starts the thread that checks lessons. It draws with one thread, so that it does not slow down the
/// picture. `guard` notes the programs that run.
pub fn start_lesson_checker(wake: Wake, guard: RunGuard) -> LessonChecker {
    Worker::start_keeping("lesson", wake, Checking { guard, threads: None, reference: None })
}

/// State of the thread that checks lessons: the picture of the lesson's solution, and the last document.
struct Checking {
    guard: RunGuard,
    threads: Option<Result<Threads, RenderError>>,
    reference: Option<(DocumentId, Arc<Lesson>, Reference)>,
}

impl Work<LessonRequest, LessonReply> for Checking {
    fn answer(&mut self, request: LessonRequest, cancel: &AtomicBool) -> LessonReply {
        let LessonRequest { document, revision, lesson, answer, kept } = request;
        let Self { guard, threads, reference } = self;
        let outcome = guard.run(&kept, || {
            guarded(|| {
                let threads =
                    threads.get_or_insert_with(|| Threads::new(1)).as_ref().map_err(Clone::clone)?;
                let known = reference.take().filter(|(_, known, _)| Arc::ptr_eq(known, &lesson));
                let known = match known {
                    Some((_, _, known)) => known,
                    None => Reference::of(&lesson, threads, cancel)?,
                };
                let (_, _, known) = reference.insert((document, Arc::clone(&lesson), known));
                lesson::check(&lesson, (known, &answer), threads, cancel)
            })
        });
        LessonReply { document, revision, outcome }
    }

    fn forget(&mut self, closed: DocumentId) {
        self.reference.take_if(|(document, ..)| *document == closed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_ours_costs_one_answer() {
        let failed = guarded::<()>(|| panic!("a fault"));
        assert!(matches!(failed, Err(RenderError::Failed(_))));
        assert_eq!(guarded(|| Ok(1)), Ok(1));
    }
}
