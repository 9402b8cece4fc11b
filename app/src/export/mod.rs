//! Exports of pictures and sequences of frames: drawing and writing them.
//!
//! The command line and the app's exports share this module, so a sequence is the same whichever of them writes it. Frame
//! number n of a sequence shows the time `from + n / rate`. Frame numbers, kept buffers and frame textures begin anew with
//! the first frame.

mod encode;
mod form;
mod job;
#[cfg(test)]
mod tests;

pub use encode::{Animation, replace, write_png};

pub use job::{Content, Exporting, Progress, Snapshot, Spec, run};

use crate::session::{Frame, Job, Keeper, Loaded, RenderError, SetUp, Threads};
use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;

/// Most frames of a sequence.
pub const MAX_FRAMES: u32 = 100_000;

/// The reason that an export failed.
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

/// Frames a second, to a hundredth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate {
    hundredths: u32,
}

impl Rate {
    /// Least number of frames a second.
    pub const MIN: f32 = 0.1;
    /// Greatest number of frames a second.
    pub const MAX: f32 = 240.0;

    /// The rate nearest to `frames` a second. `None` outside [`Self::MIN`] to [`Self::MAX`].
    pub fn new(frames: f32) -> Option<Self> {
        let hundredths = (frames * 100.0).round() as u32;
        (Self::MIN..=Self::MAX).contains(&frames).then_some(Self { hundredths })
    }

    /// Frames a second.
    pub fn per_second(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// The time of a frame as a fraction of seconds: numerator and denominator.
    fn delay(self) -> [u16; 2] {
        let divisor = [100, 50, 20, 10, 5, 4, 2, 1]
            .into_iter()
            .find(|divisor| self.hundredths.is_multiple_of(*divisor) && 100_u32.is_multiple_of(*divisor));
        let divisor = divisor.unwrap_or(1);
        // At most 24000.
        [(100 / divisor) as u16, (self.hundredths / divisor) as u16]
    }
}

/// Frames at equal distances in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequence {
    /// Time of the first frame, in seconds.
    pub from: f32,
    /// Frames a second.
    pub rate: Rate,
    /// Number of frames, 1 to [`MAX_FRAMES`].
    count: u32,
}

impl Sequence {
    /// `count` frames from `from` on.
    ///
    /// # Errors
    /// A count that is 0 or too great, in words.
    pub fn new(from: f32, rate: Rate, count: u32) -> Result<Self, String> {
        match count {
            0 => Err("choose at least one frame".to_owned()),
            1..=MAX_FRAMES => Ok(Self { from, rate, count }),
            _ => Err(format!("{count} frames are too many: choose at most {MAX_FRAMES}")),
        }
    }

    /// The frames from `from` to `to`. The frame at `to` is not one of them, so that a sequence whose end looks like its
    /// start repeats smoothly.
    ///
    /// # Errors
    /// An end that is not after the start, or too many frames, in words.
    pub fn between(from: f32, to: f32, rate: Rate) -> Result<Self, String> {
        /// Share of a frame that rounding can add.
        const ROUNDING: f64 = 1e-3;
        if to <= from {
            return Err(format!("the end must be after the start: {to} s is not after {from} s"));
        }
        let frames = (f64::from(to) - f64::from(from)) * rate.per_second();
        Self::new(from, rate, ((frames - ROUNDING).ceil() as u32).max(1))
    }

    /// Number of frames.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Time of frame `number`, in seconds.
    pub fn time(&self, number: u32) -> f32 {
        (f64::from(self.from) + f64::from(number) / self.rate.per_second()) as f32
    }
}

/// The kinds of files that hold a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationKind {
    /// An animated PNG: every pixel as it is, alpha too.
    Apng,
    /// A GIF: 256 colours a frame, opaque.
    Gif,
}

impl AnimationKind {
    /// Refuses a rate that the files cannot have.
    ///
    /// # Errors
    /// Why, in words.
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

/// Draws the frames of a sequence one after the other.
pub struct Frames<'a> {
    programs: &'a Loaded,
    job: Job,
    sequence: Sequence,
    threads: &'a Threads,
    keeper: Keeper,
    drawn: Option<Frame>,
    next: u32,
}

impl<'a> Frames<'a> {
    /// The frames of `sequence`, as `job` has them but for their times.
    pub fn new(programs: &'a Loaded, job: Job, sequence: Sequence, threads: &'a Threads) -> Self {
        // What an earlier frame left is not of this sequence.
        let job = Job { kept: Vec::new(), captured: None, drawn: Vec::new(), ..job };
        Self { programs, job, sequence, threads, keeper: Keeper::default(), drawn: None, next: 0 }
    }

    /// Number of the frame that is drawn next, from 0.
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
        self.keeper.begin(&mut self.job);
        let frame = SetUp::new(self.programs, &self.job)?.render(self.threads, cancel, self.drawn.take())?;
        self.keeper.end(&frame.memory);
        self.next += 1;
        Ok(Some(self.drawn.insert(frame)))
    }
}
