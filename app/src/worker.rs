//! Threads that render and record, so that the UI thread never waits.
//!
//! Each worker has one mailbox that holds one request: a newer one replaces the one waiting. Requests
//! carry generation numbers, so a reply can be matched with what was asked. A render in progress is
//! cut short only where the newer request says so (another text or size): cutting it for every new
//! parameter value would leave a heavy scene without a picture while a slider moves.

use crate::debugger::{
    self, CompareReply, CompareRequest, DebugSession, HistoryReply, HistoryRequest, InquiryReply,
    InquiryRequest, StepPosition,
};
use crate::drafts::RunGuard;
use crate::lesson::{self, Answer, Lesson, Reference, Report};
use crate::maps::{self, Asked, Field, LineCounts, MapAnswer};
use crate::model::{DocumentId, Draft, Overlays};
use crate::scene::{Programs, Slot};
use crate::session::{
    self, Agreement, Fragments, Frame, FrameInputs, Job, Keeper, Loaded, PrimitiveRecording, RenderError,
    SetUp, Threads, VertexList, VertexRecording, VertexValues,
};
use crate::viewport::{self, Overlay};
use shadestep_engine::debug::Recording;
use shadestep_engine::debug::Subject;
use shadestep_engine::gl::DrawCall;
use shadestep_engine::survey;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Asks the UI for another frame; called from worker threads.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// What happens to a render in progress when a newer request comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// It may end first.
    Next,
    /// It is of no use any more.
    Now,
}

/// How long the end of a worker waits for what it is at.
const FAREWELL: Duration = Duration::from_secs(1);

/// A picture wanted.
#[derive(Clone, Debug)]
pub struct RenderRequest {
    /// Number of the request; grows.
    pub generation: u64,
    /// Whose programs.
    pub document: DocumentId,
    /// Revision of the document's texts.
    pub revision: u64,
    /// The texts.
    pub texts: Programs<Arc<[u8]>>,
    /// The same, as the next process is to know them if this one dies of them.
    pub kept: Arc<Draft>,
    /// Scene, time and so on.
    pub job: Job,
    /// What to show over the picture.
    pub overlays: Overlays,
    /// About the one in progress.
    pub urgency: Urgency,
}

/// A picture, or why there is none.
pub struct RenderReply {
    /// Number of the request.
    pub generation: u64,
    /// Whose programs.
    pub document: DocumentId,
    /// Revision of the texts that `programs` are of.
    pub revision: u64,
    /// The programs as loaded.
    pub programs: Loaded,
    /// What was rendered.
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
    /// What its vertex programs found.
    pub inputs: FrameInputs,
    /// Lines over it.
    pub overlay: Overlay,
}

/// Something to record.
#[derive(Clone, Debug)]
pub struct RecordRequest {
    /// Number of the request; grows.
    pub generation: u64,
    /// Whose programs.
    pub document: DocumentId,
    /// The programs.
    pub programs: Loaded,
    /// The frame's inputs.
    pub job: Job,
    /// The picture to compare with.
    pub frame: Arc<Frame>,
    /// What to record of it.
    pub subject: Subject,
    /// Where to be in it.
    pub place: StepPosition,
    /// The programs, as the next process is to know them if this one dies of them.
    pub kept: Arc<Draft>,
}

/// What a subject did.
#[derive(Clone, Debug)]
pub enum Recorded {
    /// The fragments of a pixel in drawing order.
    Pixel {
        /// The fragments.
        fragments: Fragments,
        /// How they compare with the picture.
        agreement: Agreement,
    },
    /// A vertex.
    Vertex(Box<VertexRecording>),
    /// An invocation of a program that reads primitives.
    Primitive(Box<PrimitiveRecording>),
    /// A state program.
    StateProgram(Arc<Recording>),
}

/// The answer to a [`RecordRequest`].
pub struct RecordReply {
    /// Number of the request.
    pub generation: u64,
    /// What came of it.
    pub outcome: Result<Box<DebugSession>, RenderError>,
}

/// The vertices of a picture wanted.
#[derive(Clone, Debug)]
pub struct VerticesRequest {
    /// Number of the picture.
    pub picture: u64,
    /// Whose programs.
    pub document: DocumentId,
    /// The programs.
    pub programs: Loaded,
    /// The frame's inputs.
    pub job: Job,
    /// Elements whose values are wanted too.
    pub elements: Vec<u32>,
    /// The programs, as the next process is to know them if this one dies of them.
    pub kept: Arc<Draft>,
}

/// The vertices of a picture.
pub struct VerticesReply {
    /// Number of the picture.
    pub picture: u64,
    /// Whose programs.
    pub document: DocumentId,
    /// All of them.
    pub list: Result<Arc<VertexList>, RenderError>,
    /// Values of those asked for.
    pub values: Vec<(u32, VertexValues)>,
}

/// An answer to a lesson to be checked.
#[derive(Clone, Debug)]
pub struct LessonRequest {
    /// Whose texts.
    pub document: DocumentId,
    /// Their revision.
    pub revision: u64,
    /// What they are an answer to.
    pub lesson: Arc<Lesson>,
    /// The texts, with the scene that they make.
    pub answer: Answer,
    /// The programs, as the next process is to know them if this one dies of them.
    pub kept: Arc<Draft>,
}

/// What the checks say.
pub struct LessonReply {
    /// Whose texts.
    pub document: DocumentId,
    /// Their revision.
    pub revision: u64,
    /// What they say; an error where the lesson itself is at fault, or they were called off.
    pub outcome: Result<Report, RenderError>,
}

struct Mailbox<Request> {
    waiting: Option<Request>,
    busy: Busy,
    stopped: Stopped,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Busy {
    Idle,
    Working { since: Instant },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stopped {
    No,
    Yes,
}

struct Shared<Request> {
    mailbox: Mutex<Mailbox<Request>>,
    changed: Condvar,
    cancel: AtomicBool,
}

impl<Request> Shared<Request> {
    fn mailbox(&self) -> MutexGuard<'_, Mailbox<Request>> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next request; `None` when the owner is gone.
    fn next(&self) -> Option<Request> {
        let mut mailbox = self.mailbox();
        mailbox.busy = Busy::Idle;
        while mailbox.stopped == Stopped::No {
            if let Some(request) = self.take(&mut mailbox) {
                return Some(request);
            }
            mailbox = self.changed.wait(mailbox).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// The next request, if one waits.
    fn next_waiting(&self) -> Option<Request> {
        let mut mailbox = self.mailbox();
        mailbox.busy = Busy::Idle;
        if mailbox.stopped == Stopped::Yes { None } else { self.take(&mut mailbox) }
    }

    fn take(&self, mailbox: &mut Mailbox<Request>) -> Option<Request> {
        let request = mailbox.waiting.take()?;
        mailbox.busy = Busy::Working { since: Instant::now() };
        self.cancel.store(false, Ordering::SeqCst);
        Some(request)
    }
}

/// A thread that answers the newest request.
pub struct Worker<Request, Reply> {
    shared: Arc<Shared<Request>>,
    replies: Receiver<Reply>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl<Request: Send + 'static, Reply: Send + 'static> Worker<Request, Reply> {
    /// Starts a thread that runs `answer` on each request. Where no thread can be started, requests
    /// stay unanswered.
    fn start<Answer>(name: &str, wake: Wake, mut answer: Answer) -> Self
    where
        Answer: FnMut(Request, &AtomicBool) -> Reply + Send + 'static,
    {
        let mailbox = Mailbox { waiting: None, busy: Busy::Idle, stopped: Stopped::No };
        let shared = Arc::new(Shared {
            mailbox: Mutex::new(mailbox),
            changed: Condvar::new(),
            cancel: AtomicBool::new(false),
        });
        let (sender, replies): (Sender<Reply>, _) = channel();
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut next = None;
            while let Some(request) = next.or_else(|| theirs.next()) {
                let reply = answer(request, &theirs.cancel);
                if sender.send(reply).is_err() {
                    return;
                }
                // Whoever is woken finds the mailbox empty, and can post what is wanted after this one.
                next = theirs.next_waiting();
                wake();
            }
        });
        Self { shared, replies, thread: thread.ok() }
    }

    /// Whether a request waits or is being answered. The replies of those that are not have come in.
    pub fn is_busy(&self) -> bool {
        let mailbox = self.shared.mailbox();
        let lives = self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        lives && (mailbox.waiting.is_some() || mailbox.busy != Busy::Idle)
    }

    /// How long the request that is being answered has been so.
    pub fn busy_for(&self) -> Option<Duration> {
        match self.shared.mailbox().busy {
            Busy::Idle => None,
            Busy::Working { since } => Some(since.elapsed()),
        }
    }

    /// Takes back every request.
    pub fn cancel(&self) {
        let mut mailbox = self.shared.mailbox();
        mailbox.waiting = None;
        if mailbox.busy != Busy::Idle {
            self.shared.cancel.store(true, Ordering::SeqCst);
        }
    }

    /// Whether a request waits.
    pub fn has_waiting(&self) -> bool {
        self.shared.mailbox().waiting.is_some()
    }

    /// Posts `request` in place of any that waits.
    pub fn request(&self, request: Request, urgency: Urgency) {
        let mut mailbox = self.shared.mailbox();
        mailbox.waiting = Some(request);
        if urgency == Urgency::Now && mailbox.busy != Busy::Idle {
            self.shared.cancel.store(true, Ordering::SeqCst);
        }
        self.shared.changed.notify_one();
    }

    /// The next reply, if it comes in within `at_most`.
    pub fn wait(&self, at_most: Duration) -> Option<Reply> {
        self.replies.recv_timeout(at_most).ok()
    }

    /// A reply that has come in.
    pub fn poll(&self) -> Option<Reply> {
        self.replies.try_recv().ok()
    }
}

impl<Request, Reply> Drop for Worker<Request, Reply> {
    fn drop(&mut self) {
        let mut mailbox = self.shared.mailbox();
        mailbox.stopped = Stopped::Yes;
        self.shared.cancel.store(true, Ordering::SeqCst);
        self.shared.changed.notify_one();
        drop(mailbox);
        let Some(thread) = self.thread.take() else { return };
        let start = Instant::now();
        // A program that hangs is no reason for the window to do so: its thread ends with the process.
        while !thread.is_finished() && start.elapsed() < FAREWELL {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            // A thread that panicked has said so on its own; there is nothing to add.
            let _panicked = thread.join();
        }
    }
}

/// The thread that renders.
pub type Renderer = Worker<RenderRequest, RenderReply>;

/// The thread that lists vertices.
pub type VertexLister = Worker<VerticesRequest, VerticesReply>;

/// The thread that records what is stepped through.
pub type Recorder = Worker<RecordRequest, RecordReply>;

/// The thread that works maps out.
pub type Surveyor = Worker<MapRequest, MapAnswer>;

/// A map wanted, or how often lines were executed.
#[derive(Clone, Debug)]
pub struct MapRequest {
    /// What.
    pub asked: Asked,
    /// The programs.
    pub programs: Loaded,
    /// The frame's inputs.
    pub job: Job,
    /// The picture.
    pub frame: Arc<Frame>,
    /// Counts the fragments that have been looked at.
    pub shaded: Arc<AtomicU64>,
    /// The programs, as the next process is to know them if this one dies of them.
    pub kept: Arc<Draft>,
}

/// Starts the thread that works maps out. `guard` notes what it runs.
pub fn start_surveyor(wake: Wake, mut guard: RunGuard) -> Surveyor {
    let mut threads: Option<Result<Threads, RenderError>> = None;
    let mut counted = None;
    Worker::start("survey", wake, move |request: MapRequest, cancel| {
        let start = Instant::now();
        let threads = threads.get_or_insert_with(Threads::all_cores);
        let (mut field, mut counts) = (None, None);
        let outcome = guard.run(&request.kept, || {
            guarded(|| {
                let threads = threads.as_ref().map_err(Clone::clone)?;
                (field, counts) = survey(&request, threads, cancel, &mut counted)?;
                Ok(())
            })
        });
        if let Err(error) = outcome {
            field = request.asked.query.as_ref().map(|_| Err(error.clone()));
            counts = request.asked.line_counts.then_some(Err(error));
        }
        MapAnswer { asked: request.asked, field, counts, time: start.elapsed() }
    })
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
        let counts = Arc::new(maps::line_counts(&set_up, (program, &compiled.text), threads, run)?);
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
/// The thread that goes through runs for watches and breakpoints.
pub type Historian = Worker<HistoryRequest, HistoryReply>;

/// The thread that puts runs side by side.
pub type Comparer = Worker<CompareRequest, CompareReply>;

/// Starts the thread that goes through runs.
pub fn start_historian(wake: Wake) -> Historian {
    Worker::start("histories", wake, |request: HistoryRequest, cancel| {
        let found = guarded(|| Ok(debugger::histories(&request, cancel)));
        HistoryReply { generation: request.generation, histories: found.ok().flatten() }
    })
}

/// Starts the thread that puts runs side by side.
pub fn start_comparer(wake: Wake) -> Comparer {
    Worker::start("compare", wake, |request: CompareRequest, cancel| {
        let found = guarded(|| Ok(debugger::compare(&request.runs, cancel)));
        CompareReply { generation: request.generation, alignment: found.ok().flatten() }
    })
}

/// Starts the rendering thread. `guard` notes what it runs.
pub fn start_renderer(wake: Wake, mut guard: RunGuard) -> Renderer {
    let mut threads: Option<Result<Threads, RenderError>> = None;
    let mut loaded = Loaded::default();
    let mut frames = Frames::default();
    let mut keepers: Option<(DocumentId, Keeper)> = None;
    Worker::start("render", wake, move |mut request: RenderRequest, cancel| {
        if keepers.as_ref().is_none_or(|(document, _)| *document != request.document) {
            keepers = None;
        }
        let (_, keeper) = keepers.get_or_insert_with(|| (request.document, Keeper::default()));
        keeper.begin(&mut request.job);
        let outcome = guard.run(&request.kept, || {
            load(&mut loaded, |before| session::compile_all(&request.texts, before))?;
            match threads.get_or_insert_with(Threads::all_cores) {
                Ok(threads) => guarded(|| draw(&loaded, &request, threads, cancel, &mut frames)),
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
            programs: loaded.clone(),
            job: request.job,
            kept: request.kept,
            outcome,
        }
    })
}

/// Puts what `compile` makes of `loaded` in its place; no program, where that fails by a fault of our own.
fn load(loaded: &mut Loaded, compile: impl FnOnce(&Loaded) -> Loaded) -> Result<(), RenderError> {
    let outcome = guarded(|| Ok(compile(loaded)));
    match outcome {
        Ok(now) => *loaded = now,
        Err(error) => {
            *loaded = Loaded::default();
            return Err(error);
        }
    }
    Ok(())
}

/// What `work` gives. A fault of our own in it costs that answer, not the thread and the session with it.
fn guarded<T>(work: impl FnOnce() -> Result<T, RenderError>) -> Result<T, RenderError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(RenderError::Failed("Shadestep itself failed at this; please report the program".to_owned()))
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
    let overlay = viewport::overlay(set_up.call(), &frame, request.overlays, job.instance);
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
        let outcome = guard.run(&kept, || guarded(|| Ok(Box::new(record(request, cancel)?))));
        RecordReply { generation, outcome }
    })
}

/// The thread that answers questions about runs.
pub type Inquirer = Worker<InquiryRequest, InquiryReply>;

/// Starts the thread that answers questions about runs. `guard` notes what it runs.
pub fn start_inquirer(wake: Wake, mut guard: RunGuard) -> Inquirer {
    Worker::start("inquire", wake, move |request: InquiryRequest, cancel| {
        let outcome = guard.run(&request.record.kept, || guarded(|| debugger::answer(&request, cancel)));
        let InquiryRequest { generation, run, question, .. } = request;
        InquiryReply { generation, run: run.run, question, outcome }
    })
}

/// Records what `request` asks for and goes to its place in that.
///
/// # Errors
/// See [`RenderError`].
pub fn record(request: RecordRequest, cancel: &AtomicBool) -> Result<DebugSession, RenderError> {
    let (programs, job) = (&request.programs, &request.job);
    let recorded = match request.subject {
        Subject::Pixel(pixel) => {
            let picture = (job, Some(&*request.frame));
            let fragments = session::record(programs, picture, pixel, request.place.fragment, cancel)?;
            let agreement = session::verify_pixel(&request.frame, job, pixel, fragments.end());
            Recorded::Pixel { fragments, agreement }
        }
        Subject::Vertex(element) => {
            Recorded::Vertex(Box::new(session::record_vertex(programs, job, element, cancel)?))
        }
        Subject::Patch { .. } | Subject::PatchVertex { .. } | Subject::Primitive { .. } => {
            let primitive = session::record_primitive(programs, job, request.subject, cancel)?;
            Recorded::Primitive(Box::new(primitive))
        }
        Subject::StateProgram(n) => {
            Recorded::StateProgram(session::record_state_program(programs, job, n, cancel)?)
        }
    };
    DebugSession::new(request, recorded, cancel)
}

/// Starts the thread that lists vertices. It keeps the vertices of one picture, so that values of more of
/// them come at once. `guard` notes what it runs.
pub fn start_vertex_lister(wake: Wake, mut guard: RunGuard) -> VertexLister {
    let mut kept: Option<(u64, DocumentId, Arc<VertexList>, DrawCall)> = None;
    Worker::start("vertices", wake, move |request: VerticesRequest, cancel| {
        let VerticesRequest { picture, document, programs, job, elements, kept: draft } = request;
        let is_kept = kept.as_ref().is_some_and(|k| (k.0, k.1) == (picture, document));
        if !is_kept {
            kept = None;
            match guard.run(&draft, || guarded(|| VertexList::new(&programs, &job))) {
                Ok((list, call)) => kept = Some((picture, document, Arc::new(list), call)),
                Err(error) => {
                    return VerticesReply { picture, document, list: Err(error), values: Vec::new() };
                }
            }
        }
        let list = kept.as_ref().map(|k| Arc::clone(&k.2)).ok_or(RenderError::Cancelled);
        let values = guarded(|| {
            let call = kept.as_ref().map(|k| &k.3);
            let wanted = elements.iter().take_while(|_| !cancel.load(Ordering::Relaxed));
            Ok(wanted.filter_map(|&e| Some((e, session::vertex_values(call?, e, job.instance)?))).collect())
        });
        VerticesReply { picture, document, list, values: values.unwrap_or_default() }
    })
}

/// Starts the thread that checks lessons. It draws on itself alone, so that the picture does not wait for it, and keeps what
/// the solution draws. `guard` notes what it runs.
pub fn start_lesson_checker(wake: Wake, mut guard: RunGuard) -> LessonChecker {
    let mut threads: Option<Result<Threads, RenderError>> = None;
    let mut reference: Option<(Arc<Lesson>, Reference)> = None;
    Worker::start("lesson", wake, move |request: LessonRequest, cancel| {
        let LessonRequest { document, revision, lesson, answer, kept } = request;
        let outcome = guard.run(&kept, || {
            guarded(|| {
                let threads =
                    threads.get_or_insert_with(|| Threads::new(1)).as_ref().map_err(Clone::clone)?;
                let known = reference.take().filter(|(known, _)| Arc::ptr_eq(known, &lesson));
                let (_, known) = match known {
                    Some(known) => reference.insert(known),
                    None => reference.insert((Arc::clone(&lesson), Reference::of(&lesson, threads, cancel)?)),
                };
                lesson::check(&lesson, (known, &answer), threads, cancel)
            })
        });
        LessonReply { document, revision, outcome }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_in_loading_costs_that_program() {
        let text: Arc<[u8]> = Arc::from(*b"!!FP1.0\nMOV o[COLR], 1;\nEND\n");
        let texts: Programs<Arc<[u8]>> = [(Slot::Fragment, text)].into_iter().collect();
        let mut loaded = Loaded::default();
        assert_eq!(load(&mut loaded, |before| session::compile_all(&texts, before)), Ok(()));
        assert_eq!(loaded.slots().count(), 1);
        let outcome = load(&mut loaded, |_| panic!("a fault"));
        assert!(matches!(outcome, Err(RenderError::Failed(_))), "{outcome:?}");
        assert_eq!(loaded.slots().count(), 0, "what was loaded before says nothing about this text");
        assert_eq!(load(&mut loaded, |before| session::compile_all(&texts, before)), Ok(()));
    }

    /// Waits until `worker` is at its first request.
    fn begun<Request: Send + 'static, Reply: Send + 'static>(worker: &Worker<Request, Reply>) {
        while worker.has_waiting() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn requests_can_be_taken_back_and_say_how_long_they_take() {
        let worker: Worker<u32, u32> = Worker::start("test", Arc::new(|| {}), move |request, cancel| {
            while !cancel.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            request
        });
        assert_eq!(worker.busy_for(), None);
        worker.request(1, Urgency::Next);
        begun(&worker);
        worker.request(2, Urgency::Next);
        let first = worker.busy_for().unwrap();
        std::thread::sleep(Duration::from_millis(2));
        assert!(worker.busy_for().unwrap() > first);
        worker.cancel();
        assert_eq!(worker.replies.recv(), Ok(1), "cut short");
        while worker.is_busy() {
            std::thread::yield_now();
        }
        assert_eq!(worker.poll(), None, "the one that waited is gone");
        assert!(worker.busy_for().is_none());
    }

    #[test]
    fn a_fault_of_ours_costs_one_answer() {
        let failed = guarded::<()>(|| panic!("a fault"));
        assert!(matches!(failed, Err(RenderError::Failed(_))));
        assert_eq!(guarded(|| Ok(1)), Ok(1));
    }

    #[test]
    fn the_newest_request_wins() {
        let (gate, opened) = channel::<()>();
        let worker: Worker<u32, u32> = Worker::start("test", Arc::new(|| {}), move |request, _| {
            opened.recv().unwrap();
            request
        });
        worker.request(1, Urgency::Next);
        begun(&worker);
        for request in 2..=9 {
            worker.request(request, Urgency::Next);
        }
        gate.send(()).unwrap();
        gate.send(()).unwrap();
        assert_eq!([worker.replies.recv(), worker.replies.recv()], [Ok(1), Ok(9)]);
        assert!(!worker.shared.cancel.load(Ordering::SeqCst));
        drop(gate);
    }

    #[test]
    fn urgent_requests_cut_the_one_in_progress() {
        let worker: Worker<u32, bool> = Worker::start("test", Arc::new(|| {}), |request, cancel| {
            while request == 1 && !cancel.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            cancel.load(Ordering::SeqCst)
        });
        worker.request(1, Urgency::Now);
        begun(&worker);
        worker.request(2, Urgency::Now);
        assert_eq!([worker.replies.recv(), worker.replies.recv()], [Ok(true), Ok(false)]);
    }

    /// However requests come, at the pace of the worker or faster, the last of them is answered, and what is answered
    /// comes in the order asked.
    #[test]
    fn no_last_request_is_lost() {
        let woken = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = Arc::clone(&woken);
        let wake: Wake = Arc::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let worker: Worker<u32, u32> = Worker::start("test", wake, |request, _| {
            for _ in 0..request % 7 {
                std::thread::yield_now();
            }
            request
        });
        let (mut last, mut answers) = (0, 0);
        for round in 1..=3000_u32 {
            let asked = last + 1 + round % 5;
            for request in last + 1..=asked {
                let urgency = if request % 3 == 0 { Urgency::Now } else { Urgency::Next };
                worker.request(request, urgency);
                if request % 4 == 0 {
                    std::thread::yield_now();
                }
            }
            let mut newest = last;
            while newest != asked {
                // Asked before the look at the replies: what is idle by then has answered by then.
                let busy = worker.is_busy();
                while let Some(reply) = worker.poll() {
                    assert!(newest < reply && reply <= asked, "{reply} after {newest}");
                    (newest, answers) = (reply, answers + 1);
                }
                assert!(busy || newest == asked, "{asked} is lost; the last answer was {newest}");
            }
            last = asked;
        }
        while woken.load(Ordering::SeqCst) < answers {
            std::thread::yield_now();
        }
        assert_eq!(
            woken.load(Ordering::SeqCst),
            answers,
            "whoever waits for a frame is woken for every reply"
        );
    }
}
