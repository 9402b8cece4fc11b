//! Speed, as the status bar shows it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Over how long the frame rate is averaged.
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// Speed, as the status bar shows it.
#[derive(Clone, Debug, Default)]
pub struct Readouts {
    /// Time that loading the program took.
    pub load: Option<Duration>,
    /// Time that the last picture took.
    pub render: Option<Duration>,
    /// Pictures a second while time runs.
    pub rate: Option<f32>,
    arrivals: VecDeque<Instant>,
    frozen: Frozen,
}

/// Whether read-outs follow the clock on the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Frozen {
    #[default]
    No,
    Yes,
}

impl Readouts {
    /// Read-outs that stay as they are, for pictures that must not differ from run to run.
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
