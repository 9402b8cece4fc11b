//! Sequences of frames for `shadestep render`: as an animation, as numbered files, or as raw pixels.

use super::output::{Output, has_extension, picture_output};
use super::render::notes;
use super::{CliError, Frames, Picture, complain, file_written, parse_seconds};
use crate::export::{self, Animation, AnimationKind, ExportError, Rate, Sequence, write_png};
use crate::files::Durability;
use crate::session::{Frame, Threads};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The default frame rate, in frames per second.
const USUAL_RATE: f32 = 30.0;

#[derive(Debug, clap::Args)]
pub(super) struct SequenceArguments {
    /// Draw a sequence that starts at this time, in seconds. Frame numbers and kept buffers start there too
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_negative_numbers = true,
        conflicts_with_all = ["time", "probe", "buffer"])]
    from: Option<f32>,
    /// Draw a sequence that ends before this time, in seconds: 4 s at 30 frames per second are 120 frames.
    /// Without --to, --frames gives the number of frames
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_negative_numbers = true,
        conflicts_with_all = ["time", "probe", "buffer", "frames"])]
    to: Option<f32>,
    /// Draw a sequence at this frame rate, in frames per second: 0.1 to 240 [default: 30]
    #[arg(long, value_name = "N", value_parser = parse_rate, conflicts_with_all = ["time", "probe", "buffer"])]
    fps: Option<Rate>,
}

impl SequenceArguments {
    /// Whether an option asks for a sequence.
    pub fn is_asked_for(&self) -> bool {
        self.from.is_some() || self.to.is_some() || self.fps.is_some()
    }

    /// The sequence that the options describe.
    pub fn sequence(&self, frames: &Frames) -> Result<Sequence, CliError> {
        let rate = self.fps.or_else(|| Rate::new(USUAL_RATE));
        let rate = rate.ok_or_else(|| CliError::Usage("invalid frame rate".to_owned()))?;
        let from = self.from.unwrap_or(0.0);
        let sequence = match self.to {
            Some(to) => Sequence::between(from, to, rate),
            None => Sequence::new(from, rate, frames.frames),
        };
        sequence.map_err(CliError::Usage)
    }
}

/// Parses a frame rate.
fn parse_rate(text: &str) -> Result<Rate, String> {
    let rate = text.parse().ok().and_then(Rate::new);
    rate.ok_or_else(|| {
        format!("a frame rate is from {} to {} frames per second, such as 30", Rate::MIN, Rate::MAX)
    })
}

/// The destination of the frames.
pub(super) enum Destination {
    /// Raw pixels to standard output.
    Raw,
    /// An animated PNG to standard output.
    Standard,
    /// An animation to a file.
    Animation(AnimationKind, PathBuf),
    /// A PNG file for each frame.
    Files(Pattern),
}

impl Destination {
    /// The destination for `output`.
    pub fn new(output: Option<&Output>, raw: bool, sequence: &Sequence) -> Result<Self, CliError> {
        let path = match output {
            _ if raw => return Ok(Self::Raw),
            Some(Output::File(path)) => path,
            Some(Output::Standard) => return Ok(Self::Standard),
            None => return Err(CliError::Usage("a sequence needs an output: add -o or --raw".to_owned())),
        };
        if let Some(pattern) = Pattern::of(path) {
            return match has_extension(path, "png") {
                true => Ok(Self::Files(pattern)),
                false => {
                    let words = "one file per frame works only with .png";
                    Err(CliError::Usage(format!("{}: {words}", path.display())))
                }
            };
        }
        let kind = if has_extension(path, "gif") { AnimationKind::Gif } else { AnimationKind::Apng };
        kind.check(sequence.rate).map_err(CliError::Usage)?;
        Ok(Self::Animation(kind, path.clone()))
    }
}

/// A path with the number of the frame in its name: `frame-%04d.png`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    folder: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl Pattern {
    /// Parses the pattern in the name of `path`: `%d`, or `%04d` for four digits. Returns `None` if there is
    /// none.
    fn of(path: &Path) -> Option<Self> {
        let (before, rest) = path.file_name()?.to_str()?.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        let digits = match digits {
            "" => 1,
            digits => digits.strip_prefix('0')?.parse().ok().filter(|digits| (1..=9).contains(digits))?,
        };
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Some(Self { folder, before: before.to_owned(), digits, after: after.to_owned() })
    }

    /// The file of frame `number`.
    fn path(&self, number: u32) -> PathBuf {
        let Self { folder, before, digits, after } = self;
        folder.join(format!("{before}{number:0digits$}{after}"))
    }
}

/// Draws the frames of a sequence and writes each.
pub(super) fn write(
    picture: &Picture,
    sequence: Sequence,
    threads: &Threads,
    destination: &Destination,
) -> Result<(), CliError> {
    let size = picture.job.size;
    let frames = export::Frames::new(&picture.programs, picture.job.clone(), sequence, threads);
    let mut frames = Told { frames, count: sequence.count(), said: BTreeSet::new() };
    let outcome = match destination {
        Destination::Raw => {
            let mut out = picture_output()?;
            let written = frames.each(|_, rgba| Ok(out.write_all(&rgba)?));
            written.and_then(|()| Ok(out.flush()?)).map_err(CliError::from)
        }
        Destination::Standard => {
            let mut out = io::BufWriter::new(picture_output()?);
            frames.animate(AnimationKind::Apng, &mut out, (size, &sequence)).map_err(CliError::from)
        }
        Destination::Animation(kind, path) => {
            let written = export::replace(path, |out| frames.animate(*kind, out, (size, &sequence)));
            file_written(path, written)
        }
        Destination::Files(pattern) => {
            let mut outcome = Ok(());
            let drawn = frames.each(|number, rgba| {
                let path = pattern.path(number);
                let written = write_png(&path, Durability::Unsynced, size, &rgba).map_err(ExportError::Io);
                outcome = file_written(&path, written);
                // Any error ends the sequence. The actual error is in `outcome`.
                if outcome.is_err() { Err(io::Error::other("not written").into()) } else { Ok(()) }
            });
            outcome.and(drawn.map_err(CliError::from))
        }
    };
    frames.finish();
    outcome
}

/// Frames that print progress and notes on standard error. Each distinct note is printed once.
struct Told<'a> {
    frames: export::Frames<'a>,
    count: u32,
    said: BTreeSet<String>,
}

impl Told<'_> {
    /// Draws each frame and passes its number and pixels to `take`.
    fn each(
        &mut self,
        mut take: impl FnMut(u32, Vec<u8>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let never = AtomicBool::new(false);
        loop {
            let number = self.frames.number();
            let Some(frame) = self.frames.draw(&never)? else { return Ok(()) };
            tell(frame, number, &mut self.said);
            take(number, frame.to_rgba8())?;
            show_progress(&format!("frame {} of {}", number + 1, self.count));
        }
    }

    /// Writes the frames as an animation.
    fn animate(
        &mut self,
        kind: AnimationKind,
        out: &mut dyn Write,
        (size, sequence): ([u32; 2], &Sequence),
    ) -> Result<(), ExportError> {
        let mut animation = Animation::begin(kind, out, size, sequence)?;
        self.each(|_, rgba| Ok(animation.put(rgba)?))?;
        Ok(animation.finish()?)
    }

    fn finish(&self) {
        show_progress("");
    }
}

/// Prints the notes of a frame that no earlier frame had.
fn tell(frame: &Frame, number: u32, said: &mut BTreeSet<String>) {
    for note in notes(frame) {
        if !said.contains(&note) {
            show_progress("");
            complain(&format!("note: frame {number}: {note}"));
            said.insert(note);
        }
    }
}

/// Replaces the last line of the terminal by `words`.
fn show_progress(words: &str) {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        // If standard error fails, there is nowhere to report the failure.
        let _ = write!(err, "\r\x1b[K{words}");
        let _ = err.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_number_are_patterns() {
        let path = |name: &str, number| Some(Pattern::of(Path::new(name))?.path(number));
        assert_eq!(path("frame-%04d.png", 7), Some("frame-0007.png".into()));
        assert_eq!(path("a%b/%d.png", 12), Some("a%b/12.png".into()));
        assert_eq!(path("x%02dy.png", 123), Some("x123y.png".into()));
        for name in ["frame.png", "100%.png", "a%5d.png", "a%0d.png", "a%xd.png", "a%d/frame.png"] {
            assert_eq!(Pattern::of(Path::new(name)), None, "{name}");
        }
    }

    #[test]
    fn rates_are_read_strictly() {
        assert_eq!(parse_rate("29.97").map(Rate::per_second), Ok(29.97));
        for text in ["", "0", "-1", "nan", "inf", "1e9", "30fps"] {
            assert!(parse_rate(text).is_err(), "{text}");
        }
    }
}
