//! Threads that render and record, so that the UI thread never waits.
//!
//! Each [`Worker`] has one mailbox that holds one request: a newer one replaces the one waiting. Requests
//! carry generation numbers, so a reply can be matched with what was asked. A render in progress is
//! cut short only where the newer request says so (another text or size): cutting it for every new
//! parameter value would leave a heavy scene without a picture while a slider moves.

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
    self, Compiled, Frame, FrameInputs, Job, Keeper, Loaded, RenderError, SetUp, Threads, VertexList,
    VertexValues,
};
use crate::stepping::{
    self, CompareReply, CompareRequest, Comparer, Historian, HistoryReply, HistoryRequest, InquiryReply,
    InquiryRequest, RecordReply, RecordRequest,
};
use shadestep_engine::gl::DrawCall;
use shadestep_engine::survey;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A picture wanted.
#[derive(Clone, Debug)]
pub struct RenderRequest {
    /// Number of the request; grows.
    pub generation: u64,
    /// Document of the programs.
    pub document: DocumentId,
    /// Revision of the document's texts.
    pub revision: u64,
    /// The texts.
    pub texts: Programs<Arc<[u8]>>,
    /// The texts for the crash note that the next process reads.
    pub kept: Arc<Draft>,
    /// Scene, time and so on.
    pub job: Job,
    /// Lines to show over the picture.
    pub overlays: Overlays,
    /// About the one in progress.
    pub urgency: Urgency,
}

/// A picture, or why there is none.
pub struct RenderReply {
    /// Number of the request.
    pub generation: u64,
    /// Document of the programs.
    pub document: DocumentId,
    /// Revision of the texts that `programs` are of.
    pub revision: u64,
    /// The programs as loaded.
    pub programs: Loaded,
    /// Inputs of the picture.
    pub job: Job,
    /// As in the request.
    pub kept: Arc<Draft>,
    /// The picture.
    pub outcome: Result<Picture, RenderError>,
}

/// A rendered frame with its form for the screen.
pub struct Picture {
    /// Exact values.
    pub frame: Arc<Frame>,
    /// 8 bits a channel, top row first.
    pub image: egui::ColorImage,
    /// Inputs of its vertex programs.
    pub inputs: FrameInputs,
    /// Lines over it.
    pub overlay: Overlay,
}

/// The vertices of a picture wanted.
#[derive(Clone, Debug)]
pub struct VerticesRequest {
    /// Number of the picture.
    pub picture: u64,
    /// Document of the programs.
    pub document: DocumentId,
    /// The programs.
    pub programs: Loaded,
    /// The frame's inputs.
    pub job: Job,
    /// Elements whose values are wanted too.
    pub elements: Vec<u32>,
    /// The programs for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// The vertices of a picture.
pub struct VerticesReply {
    /// Number of the picture.
    pub picture: u64,
    /// Document of the programs.
    pub document: DocumentId,
    /// All of them.
    pub list: Result<Arc<VertexList>, RenderError>,
    /// Values of those asked for.
    pub values: Vec<(u32, VertexValues)>,
}

/// An answer to a lesson to be checked.
#[derive(Clone, Debug)]
pub struct LessonRequest {
    /// Document of the texts.
    pub document: DocumentId,
    /// Their revision.
    pub revision: u64,
    /// Lesson that the texts answer.
    pub lesson: Arc<Lesson>,
    /// The texts, with the scene that they make.
    pub answer: Answer,
    /// The programs for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// Result of the checks.
pub struct LessonReply {
    /// Document of the texts.
    pub document: DocumentId,
    /// Their revision.
    pub revision: u64,
    /// The report, or an error if the lesson itself is faulty or the checks were cancelled.
    pub outcome: Result<Report, RenderError>,
}

/// The thread that renders.
pub type Renderer = Worker<RenderRequest, RenderReply>;

/// The thread that lists vertices.
pub type VertexLister = Worker<VerticesRequest, VerticesReply>;

/// The thread that records what is stepped through.
pub type Recorder = Worker<RecordRequest, RecordReply>;

/// The thread that works maps out.
pub type Surveyor = Worker<MapRequest, MapAnswer>;

/// A map request: the picture and the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Document of the picture.
    pub document: DocumentId,
    /// Number of the picture.
    pub picture: u64,
    /// The map.
    pub query: Option<MapQuery>,
    /// Whether executions of lines are counted.
    pub line_counts: bool,
}

/// The answer.
pub struct MapAnswer {
    /// The request.
    pub asked: Asked,
    /// The fragment program of the picture.
    pub compiled: Option<Arc<Compiled>>,
    /// The map, if one was asked for.
    pub field: Option<Result<Arc<Field>, RenderError>>,
    /// The counts, if they were asked for.
    pub counts: Option<Result<Arc<LineCounts>, RenderError>>,
    /// How long it took.
    pub time: Duration,
}

/// A map wanted, or how often lines were executed.
#[derive(Clone, Debug)]
pub struct MapRequest {
    /// Picture and query.
    pub asked: Asked,
    /// The programs.
    pub programs: Loaded,
    /// The frame's inputs.
    pub job: Job,
    /// The picture.
    pub frame: Arc<Frame>,
    /// Counts the fragments that have been looked at.
    pub shaded: Arc<AtomicU64>,
    /// The programs for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// Starts the thread that works maps out. `guard` notes what it runs.
pub fn start_surveyor(wake: Wake, guard: RunGuard) -> Surveyor {
    Worker::start_keeping("survey", wake, Surveying { guard, threads: None, counted: None })
}

/// State of the thread that computes maps.
struct Surveying {
    guard: RunGuard,
    threads: Option<Result<Threads, RenderError>>,
    counted: Counted,
}

impl Work<MapRequest, MapAnswer> for Surveying {
    fn answer(&mut self, request: MapRequest, cancel: &AtomicBool) -> MapAnswer {
        let Self { guard, threads, counted } = self;
        let start = Instant::now();
        let threads = threads.get_or_insert_with(Threads::all_cores);
        let (mut field, mut counts) = (None, None);
        let outcome = guard.run(&request.kept, || {
            guarded(|| {
                let threads = threads.as_ref().map_err(Clone::clone)?;
                (field, counts) = survey(&request, threads, cancel, counted)?;
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

/// The map and the counts that were asked for.
type Surveyed = (Option<Result<Arc<Field>, RenderError>>, Option<Result<Arc<LineCounts>, RenderError>>);

/// The counts that were worked out last, and of which picture.
type Counted = Option<((DocumentId, u64), Arc<LineCounts>)>;

fn survey(
    request: &MapRequest,
    threads: &Threads,
    cancel: &AtomicBool,
    counted: &mut Counted,
) -> Result<Surveyed, RenderError> {
    let set_up = SetUp::new(&request.programs, &request.job)?;
    let compiled = request.programs.get(Slot::Fragment).ok_or(RenderError::NoProgram)?;
    let program = compiled.program.as_ref().ok_or(RenderError::NoProgram)?;
    let run = survey::Run { cancel, shaded: Some(&request.shaded) };
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
/// Starts the thread that goes through runs.
pub fn start_historian(wake: Wake) -> Historian {
    Worker::start("histories", wake, |request: HistoryRequest, cancel| {
        let found = guarded(|| Ok(stepping::histories(&request, cancel)));
        HistoryReply { generation: request.generation, histories: found.ok().flatten() }
    })
}

/// Starts the thread that puts runs side by side.
pub fn start_comparer(wake: Wake) -> Comparer {
    Worker::start("compare", wake, |request: CompareRequest, cancel| {
        let found = guarded(|| Ok(stepping::compare(&request.runs, cancel)));
        CompareReply { generation: request.generation, alignment: found.ok().flatten() }
    })
}

/// Starts the rendering thread. `guard` notes what it runs; `last` has what the loading thread has loaded.
pub fn start_renderer(wake: Wake, guard: RunGuard, last: LoadedLast) -> Renderer {
    Worker::start_keeping(
        "render",
        wake,
        Rendering { guard, last, threads: None, frames: Frames::default(), keeper: None },
    )
}

/// State of the rendering thread between pictures.
struct Rendering {
    guard: RunGuard,
    last: LoadedLast,
    threads: Option<Result<Threads, RenderError>>,
    frames: Frames,
    keeper: Option<(DocumentId, Keeper)>,
}

impl Work<RenderRequest, RenderReply> for Rendering {
    fn answer(&mut self, mut request: RenderRequest, cancel: &AtomicBool) -> RenderReply {
        let Self { guard, last, threads, frames, keeper } = self;
        keeper.take_if(|(document, _)| *document != request.document);
        let (_, keeper) = keeper.get_or_insert_with(|| (request.document, Keeper::default()));
        keeper.begin(&mut request.job);
        let mut programs = Loaded::default();
        let outcome = guard.run(&request.kept, || {
            programs = last.load(request.document, &request.texts)?;
            match threads.get_or_insert_with(Threads::all_cores) {
                Ok(threads) => guarded(|| draw(&programs, &request, threads, cancel, frames)),
                Err(error) => Err(error.clone()),
            }
        });
        if let Ok(picture) = &outcome {
            keeper.end(&picture.frame.memory);
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
        self.keeper.take_if(|(document, _)| *document == closed);
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

/// Frames given out lately. One that nobody looks at any more lends its memory to the next picture:
/// fresh memory for every frame costs milliseconds.
#[derive(Default)]
struct Frames(Vec<Arc<Frame>>);

impl Frames {
    /// How many to remember: one on the screen, one on its way there, one to draw into.
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

/// Starts the recording thread. `guard` notes what it runs.
pub fn start_recorder(wake: Wake, mut guard: RunGuard) -> Recorder {
    Worker::start("record", wake, move |request: RecordRequest, cancel| {
        let (generation, kept) = (request.generation, Arc::clone(&request.kept));
        let outcome = guard.run(&kept, || guarded(|| Ok(Box::new(stepping::record(request, cancel)?))));
        RecordReply { generation, outcome }
    })
}

/// The thread that answers questions about runs.
pub type Inquirer = Worker<InquiryRequest, InquiryReply>;

/// Starts the thread that answers questions about runs. `guard` notes what it runs.
pub fn start_inquirer(wake: Wake, mut guard: RunGuard) -> Inquirer {
    Worker::start("inquire", wake, move |request: InquiryRequest, cancel| {
        let outcome = guard.run(&request.record.kept, || guarded(|| stepping::answer(&request, cancel)));
        let InquiryRequest { generation, run, question, .. } = request;
        InquiryReply { generation, run: run.run, question, outcome }
    })
}

/// Starts the thread that lists vertices. `guard` notes what it runs.
pub fn start_vertex_lister(wake: Wake, guard: RunGuard) -> VertexLister {
    Worker::start_keeping("vertices", wake, Listing { guard, list: None })
}

/// The vertices of one picture, which are kept so that values of more of them come at once.
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

/// Starts the thread that checks lessons. It draws on one thread, so that the picture does not wait for it.
/// `guard` notes what it runs.
pub fn start_lesson_checker(wake: Wake, guard: RunGuard) -> LessonChecker {
    Worker::start_keeping("lesson", wake, Checking { guard, threads: None, reference: None })
}

/// What the thread that checks lessons keeps: what the solution of a lesson draws, and the document that was
/// checked.
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
