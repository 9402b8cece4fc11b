//! Draws and writes exports of pictures and sequences of frames.
//!
//! The command line and the app share this module, so both write the same sequence. Frame number n of a
//! sequence shows the time `from + n / rate`. Frame numbers, persistent buffers and frame textures restart
//! with the first frame.

mod encode;
mod form;
mod job;
#[cfg(test)]
mod tests;

pub use encode::{Animation, replace, write_png};

pub use job::{Content, Exporting, Progress, Snapshot, Spec, run};

use crate::session::{Frame, Job, Loaded, PersistentBuffers, RenderError, SetUp, Threads};
use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;

/// Largest number of frames in a sequence.
pub const MAX_FRAMES: u32 = 100_000;

/// The reason why an export failed.
#[derive(Debug)]
pub enum ExportError {
    /// A frame cannot be drawn, or the export was cancelled.
    Render(RenderError),
    /// A file cannot be written.
    Io(io::Error),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Render(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<RenderError> for ExportError {
    fn from(error: RenderError) -> Self {
        Self::Render(error)
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Frames per second, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate {
    hundredths: u32,
}

impl Rate {
    /// Smallest number of frames per second.
    pub const MIN: f32 = 0.1;
    /// Largest number of frames per second.
    pub const MAX: f32 = 240.0;

    /// Returns the rate nearest to `frames` per second. `None` outside [`Self::MIN`] to [`Self::MAX`].
    pub fn new(frames: f32) -> Option<Self> {
        let hundredths = (frames * 100.0).round() as u32;
        (Self::MIN..=Self::MAX).contains(&frames).then_some(Self { hundredths })
    }

    pub fn per_second(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Returns the duration of a frame in seconds, as numerator and denominator.
    fn delay(self) -> [u16; 2] {
        let divisor = [100, 50, 20, 10, 5, 4, 2, 1]
            .into_iter()
            .find(|divisor| self.hundredths.is_multiple_of(*divisor) && 100_u32.is_multiple_of(*divisor));
        let divisor = divisor.unwrap_or(1);
        // At most 24000.
        [(100 / divisor) as u16, (self.hundredths / divisor) as u16]
    }
}

/// Frames at equal intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequence {
    /// Time of the first frame, in seconds.
    pub from: f32,
    pub rate: Rate,
    /// Number of frames, 1 to [`MAX_FRAMES`].
    count: u32,
}

impl Sequence {
    /// Creates a sequence of `count` frames from `from` on.
    ///
    /// # Errors
    /// A message if the count is 0 or too large.
    pub fn new(from: f32, rate: Rate, count: u32) -> Result<Self, String> {
        match count {
            0 => Err("choose at least one frame".to_owned()),
            1..=MAX_FRAMES => Ok(Self { from, rate, count }),
            _ => Err(format!("{count} frames are too many: choose at most {MAX_FRAMES}")),
        }
    }

    /// Creates the sequence from `from` to `to`. The frame at `to` is left out, so a sequence whose end looks
    /// like its start repeats smoothly.
    ///
    /// # Errors
    /// A message if the end is not after the start, or the sequence has too many frames.
    pub fn between(from: f32, to: f32, rate: Rate) -> Result<Self, String> {
        /// Fraction of a frame that rounding can add.
        const ROUNDING: f64 = 1e-3;
        if to <= from {
            return Err(format!("the end must be after the start: {to} s is not after {from} s"));
        }
        let frames = (f64::from(to) - f64::from(from)) * rate.per_second();
        Self::new(from, rate, ((frames - ROUNDING).ceil() as u32).max(1))
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the time of frame `number`, in seconds.
    pub fn time(&self, number: u32) -> f32 {
        (f64::from(self.from) + f64::from(number) / self.rate.per_second()) as f32
    }
}

/// The kinds of files that hold a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationKind {
    /// An animated PNG: exact 8-bit pixels, including alpha.
    Apng,
    /// A GIF: 256 colours per frame, opaque.
    Gif,
}

impl AnimationKind {
    /// Checks that the file format supports `rate`.
    ///
    /// # Errors
    /// A message if it does not.
    pub fn check(self, rate: Rate) -> Result<(), String> {
        match self {
            Self::Gif if rate.per_second() > 50.0 => {
                Err("a GIF has at most 50 frames per second: choose a lower rate or an animated PNG"
                    .to_owned())
            }
            Self::Gif | Self::Apng => Ok(()),
        }
    }
}

/// Draws the frames of a sequence in order.
pub struct Frames<'a> {
    programs: &'a Loaded,
    job: Job,
    sequence: Sequence,
    threads: &'a Threads,
    persistent: PersistentBuffers,
    drawn: Option<Frame>,
    next: u32,
}

impl<'a> Frames<'a> {
    /// Creates the frames of `sequence`: `job` at the times of the sequence.
    pub fn new(programs: &'a Loaded, job: Job, sequence: Sequence, threads: &'a Threads) -> Self {
        // A frame before the sequence must not affect it.
        let job = Job { kept: Vec::new(), captured: None, drawn: Vec::new(), ..job };
        Self {
            programs,
            job,
            sequence,
            threads,
            persistent: PersistentBuffers::default(),
            drawn: None,
            next: 0,
        }
    }

    /// Returns the number of the next frame, from 0.
    pub fn number(&self) -> u32 {
        self.next
    }

    /// Draws the next frame. Returns `None` after the last one.
    ///
    /// # Errors
    /// See [`RenderError`].
    pub fn draw(&mut self, cancel: &AtomicBool) -> Result<Option<&Frame>, RenderError> {
        if self.next >= self.sequence.count {
            return Ok(None);
        }
        self.job.time_secs = self.sequence.time(self.next);
        self.job.frame = self.next;
        self.persistent.begin(&mut self.job);
        let frame = SetUp::new(self.programs, &self.job)?.render(self.threads, cancel, self.drawn.take())?;
        self.persistent.end(&frame.memory);
        self.next += 1;
        Ok(Some(self.drawn.insert(frame)))
    }
}
