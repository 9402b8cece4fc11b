//! [`Playback`]: the speed of time and the loop range of a document, kept for the session.

/// A range of time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRange {
    pub start: f32,
    pub end: f32,
}

/// Whether time repeats the range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loops {
    /// Time continues past the range.
    #[default]
    No,
    /// At the end of the range, time returns to its start.
    Yes,
}

impl Loops {
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Yes => Self::No,
        }
    }
}

/// How time runs for a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Scene seconds per real second.
    pub speed: f32,
    pub range: TimeRange,
    pub loops: Loops,
}

impl Default for Playback {
    fn default() -> Self {
        Self { speed: 1.0, range: TimeRange { start: 0.0, end: 4.0 }, loops: Loops::No }
    }
}

/// One advance of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaybackStep {
    /// Forward to this time, in seconds.
    On(f32),
    /// Back to this time, in the looping range.
    Back(f32),
}

impl Playback {
    /// Speeds that the user can set.
    pub const SPEEDS: std::ops::RangeInclusive<f32> = 0.1..=4.0;
    /// Shortest range, in seconds.
    pub const SHORTEST: f32 = 0.05;
    /// Latest time that the user can set, in seconds.
    pub const LATEST: f32 = 36_000.0;

    /// Returns the nearest valid value: the end after the start, the speed within [`Self::SPEEDS`].
    #[must_use]
    pub(crate) fn sound(self) -> Self {
        let start = self.range.start.clamp(0.0, Self::LATEST - Self::SHORTEST);
        let end = self.range.end.clamp(start + Self::SHORTEST, Self::LATEST);
        let speed = self.speed.clamp(*Self::SPEEDS.start(), *Self::SPEEDS.end());
        Self { speed, range: TimeRange { start, end }, ..self }
    }

    /// Returns the time `elapsed` seconds after `time`.
    pub(crate) fn step(&self, time: f32, elapsed: f32) -> PlaybackStep {
        let next = time + elapsed * self.speed;
        let TimeRange { start, end } = self.range;
        match self.loops {
            Loops::Yes if next >= end => PlaybackStep::Back(start + (next - end) % (end - start)),
            Loops::Yes | Loops::No => PlaybackStep::On(next),
        }
    }

    /// Returns the end of the slider: a round time after `time` and the range.
    pub(crate) fn span(&self, time: f32) -> f32 {
        const ROUND: [f32; 12] =
            [5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 3600.0, 10_800.0, 36_000.0];
        let shown = match self.loops {
            Loops::Yes => time.max(self.range.end),
            Loops::No => time,
        };
        ROUND.into_iter().find(|&end| end >= shown.max(10.0)).unwrap_or(Self::LATEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: Playback =
        Playback { speed: 2.0, range: TimeRange { start: 1.0, end: 3.0 }, loops: Loops::Yes };

    #[test]
    fn time_runs_at_its_speed_and_goes_back_at_the_end_of_the_loop() {
        assert_eq!(LOOP.step(1.0, 0.25), PlaybackStep::On(1.5));
        assert_eq!(LOOP.step(0.0, 0.25), PlaybackStep::On(0.5), "before the loop");
        assert_eq!(LOOP.step(2.75, 0.25), PlaybackStep::Back(1.25));
        assert_eq!(LOOP.step(9.0, 0.25), PlaybackStep::Back(1.5), "after it");
        let on = Playback { loops: Loops::No, ..LOOP };
        assert_eq!(on.step(2.75, 0.25), PlaybackStep::On(3.25));
    }

    #[test]
    fn what_is_typed_becomes_a_range() {
        let typed = |start, end, speed| Playback { speed, range: TimeRange { start, end }, ..LOOP }.sound();
        let range = |start, end| typed(start, end, 1.0).range;
        assert_eq!(range(2.0, 1.0), TimeRange { start: 2.0, end: 2.0 + Playback::SHORTEST });
        assert_eq!(range(-1.0, 1.0), TimeRange { start: 0.0, end: 1.0 });
        assert!(range(1e9, 1e9).end <= Playback::LATEST && range(1e9, 1e9).start < Playback::LATEST);
        assert_eq!((typed(0.0, 1.0, 9.0).speed, typed(0.0, 1.0, 0.0).speed), (4.0, 0.1));
    }

    #[test]
    fn the_slider_shows_all_of_the_loop_and_the_time() {
        let far = Playback { range: TimeRange { start: 1.0, end: 45.0 }, ..LOOP };
        assert_eq!((LOOP.span(0.0), LOOP.span(10.5), far.span(0.0)), (10.0, 20.0, 60.0));
        assert_eq!(Playback { loops: Loops::No, ..far }.span(0.0), 10.0);
        assert_eq!(LOOP.span(1e9), Playback::LATEST);
    }
}
