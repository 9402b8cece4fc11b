//! [`Worker`]: a thread with a mailbox that holds one request.

use crate::model::DocumentId;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Asks the UI for another frame. Called from worker threads.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Whether a new request cancels the request in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// The request in progress ends first.
    Next,
    /// The request in progress is cancelled.
    Now,
}

/// Longest wait for the request in progress when a worker is dropped.
const FAREWELL: Duration = Duration::from_secs(1);

/// The work that a worker does for its requests.
pub(crate) trait Work<Request, Reply> {
    /// Answers `request`. May stop early once `cancel` is true.
    fn answer(&mut self, request: Request, cancel: &AtomicBool) -> Reply;

    /// Drops the data of a closed document.
    fn forget(&mut self, _closed: DocumentId) {}
}

impl<Request, Reply, F: FnMut(Request, &AtomicBool) -> Reply> Work<Request, Reply> for F {
    fn answer(&mut self, request: Request, cancel: &AtomicBool) -> Reply {
        self(request, cancel)
    }
}

/// The next task of a worker.
enum Next<Request> {
    Answer(Request),
    Forget(Vec<DocumentId>),
    /// The owner is gone.
    Stop,
}

struct Mailbox<Request> {
    waiting: Option<Request>,
    /// Documents that were closed since the worker last looked.
    closed: Vec<DocumentId>,
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

    /// Waits for the next task.
    fn next(&self) -> Next<Request> {
        let mut mailbox = self.mailbox();
        mailbox.busy = Busy::Idle;
        loop {
            if let Some(next) = self.take(&mut mailbox) {
                return next;
            }
            mailbox = self.changed.wait(mailbox).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns the next task without waiting.
    fn next_waiting(&self) -> Option<Next<Request>> {
        let mut mailbox = self.mailbox();
        mailbox.busy = Busy::Idle;
        self.take(&mut mailbox)
    }

    fn take(&self, mailbox: &mut Mailbox<Request>) -> Option<Next<Request>> {
        if mailbox.stopped == Stopped::Yes {
            return Some(Next::Stop);
        }
        if !mailbox.closed.is_empty() {
            mailbox.busy = Busy::Working { since: Instant::now() };
            return Some(Next::Forget(std::mem::take(&mut mailbox.closed)));
        }
        let request = mailbox.waiting.take()?;
        mailbox.busy = Busy::Working { since: Instant::now() };
        self.cancel.store(false, Ordering::SeqCst);
        Some(Next::Answer(request))
    }
}

/// A thread that answers the newest request.
pub struct Worker<Request, Reply> {
    shared: Arc<Shared<Request>>,
    replies: Receiver<Reply>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl<Request: Send + 'static, Reply: Send + 'static> Worker<Request, Reply> {
    /// Starts a thread that runs `answer` on each request. If no thread can be started, requests stay
    /// unanswered.
    pub(super) fn start<Answer>(name: &str, wake: Wake, answer: Answer) -> Self
    where
        Answer: FnMut(Request, &AtomicBool) -> Reply + Send + 'static,
    {
        Self::start_keeping(name, wake, answer)
    }

    /// As [`Self::start`], for work that keeps data between requests.
    pub(super) fn start_keeping(
        name: &str,
        wake: Wake,
        mut work: impl Work<Request, Reply> + Send + 'static,
    ) -> Self {
        let mailbox = Mailbox { waiting: None, closed: Vec::new(), busy: Busy::Idle, stopped: Stopped::No };
        let shared = Arc::new(Shared {
            mailbox: Mutex::new(mailbox),
            changed: Condvar::new(),
            cancel: AtomicBool::new(false),
        });
        let (sender, replies): (Sender<Reply>, _) = channel();
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut next = theirs.next();
            loop {
                match next {
                    Next::Stop => return,
                    Next::Forget(closed) => {
                        closed.into_iter().for_each(|document| work.forget(document));
                        next = theirs.next();
                    }
                    Next::Answer(request) => {
                        let reply = work.answer(request, &theirs.cancel);
                        if sender.send(reply).is_err() {
                            return;
                        }
                        // The mailbox is free before the UI wakes, so the UI can post a further request at
                        // once.
                        let waiting = theirs.next_waiting();
                        wake();
                        next = waiting.unwrap_or_else(|| theirs.next());
                    }
                }
            }
        });
        Self { shared, replies, thread: thread.ok() }
    }

    /// Returns true if a request waits or is in progress. When it returns false, all replies are available.
    pub fn is_busy(&self) -> bool {
        let mailbox = self.shared.mailbox();
        let lives = self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        lives && (mailbox.waiting.is_some() || !mailbox.closed.is_empty() || mailbox.busy != Busy::Idle)
    }

    /// Returns how long the request in progress has been running.
    pub fn busy_for(&self) -> Option<Duration> {
        match self.shared.mailbox().busy {
            Busy::Idle => None,
            Busy::Working { since } => Some(since.elapsed()),
        }
    }

    /// Cancels the request in progress and removes a waiting one.
    pub fn cancel(&self) {
        let mut mailbox = self.shared.mailbox();
        mailbox.waiting = None;
        if mailbox.busy != Busy::Idle {
            self.shared.cancel.store(true, Ordering::SeqCst);
        }
    }

    /// Lets the thread drop the data of `document`, which was closed. Removes a waiting request if `is_its`
    /// says that the request is about that document.
    pub fn forget(&self, document: DocumentId, is_its: impl FnOnce(&Request) -> bool) {
        let mut mailbox = self.shared.mailbox();
        mailbox.waiting.take_if(|request| is_its(request));
        mailbox.closed.push(document);
        self.shared.changed.notify_one();
    }

    /// Returns true if a request waits.
    pub fn has_waiting(&self) -> bool {
        self.shared.mailbox().waiting.is_some()
    }

    /// Posts `request`, which replaces a waiting one.
    pub fn request(&self, request: Request, urgency: Urgency) {
        let mut mailbox = self.shared.mailbox();
        mailbox.waiting = Some(request);
        if urgency == Urgency::Now && mailbox.busy != Busy::Idle {
            self.shared.cancel.store(true, Ordering::SeqCst);
        }
        self.shared.changed.notify_one();
    }

    /// Returns the next reply if it arrives within `at_most`.
    pub fn wait(&self, at_most: Duration) -> Option<Reply> {
        self.replies.recv_timeout(at_most).ok()
    }

    /// Returns the next reply, if there is one.
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
        // A program that never ends must not block the window. Its thread ends with the process.
        while !thread.is_finished() && start.elapsed() < FAREWELL {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            // A panic in the thread has already been reported.
            let _panicked = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits until `worker` has started its first request.
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

    /// Requests may come slower or faster than the worker. The last one is always answered, and replies keep
    /// the order of requests.
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
                // Read before the replies: a worker that is idle by then has sent its reply.
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
