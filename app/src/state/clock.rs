//! [`Clock`]: the time that programs see, and whether it runs.

use super::State;
use crate::mailbox::Urgency;

/// The time that programs see.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// Seconds since the start.
    pub time_secs: f32,
    /// Number of the frame, from 0.
    pub frame: u32,
    pub running: Running,
}

impl Clock {
    /// Goes to a time. The frame number follows at 60 per second, so the same time gives the same picture.
    pub fn go_to(&mut self, time_secs: f32) {
        self.time_secs = time_secs;
        self.frame = (time_secs.max(0.0) * 60.0).round() as u32;
    }
}

/// Whether time runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Running {
    #[default]
    Yes,
    /// Time is paused.
    No,
    /// Time is paused for the debugger, and resumes when the user leaves the run.
    Held,
}

impl State {
    /// Pauses time at the picture shown.
    pub fn stop_time(&mut self) {
        self.freeze_time();
        self.clock.running = Running::No;
    }

    /// Pauses time until the user leaves the run that is stepped.
    pub fn hold_time(&mut self) {
        if self.clock.running == Running::Yes {
            self.freeze_time();
            self.clock.running = Running::Held;
        }
    }

    /// Resumes time that was paused for the debugger.
    pub fn resume_time(&mut self) {
        if self.clock.running == Running::Held {
            self.clock.running = Running::Yes;
        }
    }

    /// Sets the clock back to the picture shown. Pictures of later times that are still being drawn are then
    /// useless.
    fn freeze_time(&mut self) {
        if self.clock.running != Running::Yes {
            return;
        }
        let shown = self.document().and_then(|document| document.shown.as_ref());
        if let Some((time_secs, frame)) = shown.map(|shown| (shown.job.time_secs, shown.job.frame)) {
            self.clock.time_secs = time_secs;
            self.clock.frame = frame;
            if self.is_animated() {
                self.want_picture(Urgency::Now);
            }
        }
    }
}
