//! [`Readouts`]: times and frame rate for the status bar.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Interval over which the frame rate is averaged.
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// Times and frame rate for the status bar.
#[derive(Clone, Debug, Default)]
pub struct Readouts {
    /// Time that loading the program took.
    pub load: Option<Duration>,
    /// Time that the last picture took.
    pub render: Option<Duration>,
    /// Pictures per second while time runs.
    pub rate: Option<f32>,
    arrivals: VecDeque<Instant>,
    frozen: Frozen,
}

/// Whether the read-outs are updated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Frozen {
    #[default]
    No,
    Yes,
}

impl Readouts {
    /// Returns read-outs that never change, for screenshots that must be reproducible.
    pub fn frozen(load: Duration, render: Duration, rate: Option<f32>) -> Self {
        Self { load: Some(load), render: Some(render), rate, arrivals: VecDeque::new(), frozen: Frozen::Yes }
    }

    pub fn arrived(&mut self, load: Duration, render: Option<Duration>) {
        if self.frozen == Frozen::Yes {
            return;
        }
        self.load = Some(load);
        let Some(render) = render else { return };
        self.render = Some(render);
        let now = Instant::now();
        self.arrivals.push_back(now);
        while self.arrivals.front().is_some_and(|&first| now - first > RATE_WINDOW) {
            self.arrivals.pop_front();
        }
        self.rate = self
            .arrivals
            .front()
            .map(|&first| (now - first).as_secs_f32())
            .filter(|&span| span > 0.2)
            .map(|span| (self.arrivals.len() - 1) as f32 / span);
    }

    pub fn stopped(&mut self) {
        if self.frozen == Frozen::No {
            self.arrivals.clear();
            self.rate = None;
        }
    }
}
