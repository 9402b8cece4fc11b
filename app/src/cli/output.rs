//! Files that commands write: `-o FILE`, or `-o -` for standard output.

use super::{CliError, write_file};
use crate::files;
use crate::printable::Printable;
use crate::suggest;
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

/// The destination of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// `-`
    Standard,
    /// A path: a file, a device, a pipe or an open descriptor.
    File(PathBuf),
}

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A picture: `.png`.
    Png,
    /// A picture or a sequence of them: `.png`, `.apng` or `.gif`.
    Frames,
    /// Comma-separated values: `.csv`.
    Csv,
}

impl Content {
    /// The extension that files must have.
    const fn extension(self) -> &'static str {
        match self {
            Self::Png | Self::Frames => "png",
            Self::Csv => "csv",
        }
    }

    /// Alternative extensions.
    const fn other_extensions(self) -> &'static [&'static str] {
        match self {
            Self::Frames => &["apng", "gif"],
            Self::Png | Self::Csv => &[],
        }
    }

    /// Parses an argument. A file must have the extension of its content. Devices, pipes and descriptors need
    /// none.
    pub fn argument(self) -> impl TypedValueParser<Value = Output> {
        OsStringValueParser::new().try_map(move |name| self.output(name))
    }

    fn output(self, name: OsString) -> Result<Output, String> {
        if name == "-" {
            return Ok(Output::Standard);
        }
        let (path, wanted) = (PathBuf::from(name), self.extension());
        let extensions = [wanted].into_iter().chain(self.other_extensions().iter().copied());
        let fits = extensions.clone().any(|wanted| has_extension(&path, wanted));
        if fits || !files::is_replaced(&path) {
            return Ok(Output::File(path));
        }
        let extensions: Vec<String> = extensions.map(|extension| format!(".{extension}")).collect();
        let listed = suggest::joined(&extensions, "or");
        Err(format!("use the extension {listed}, or - for standard output"))
    }
}

/// Whether the name of `path` ends in `.extension`, ignoring case.
pub(super) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Returns standard output for a picture. Refuses a terminal, which cannot show a picture.
pub(super) fn picture_output() -> Result<io::StdoutLock<'static>, CliError> {
    let out = io::stdout().lock();
    if out.is_terminal() {
        let words = "pictures cannot be written to a terminal; redirect standard output to a file or a pipe";
        return Err(CliError::Usage(words.to_owned()));
    }
    Ok(out)
}

impl Output {
    /// Writes the whole file.
    pub fn write(&self, content: Content, bytes: &[u8]) -> Result<(), CliError> {
        match self {
            Self::File(path) => write_file(path, bytes),
            Self::Standard => {
                let mut out = match content {
                    Content::Png | Content::Frames => picture_output()?,
                    Content::Csv => io::stdout().lock(),
                };
                out.write_all(bytes)?;
                Ok(out.flush()?)
            }
        }
    }
}

/// Calls `work` with the writer for text: standard output, or standard error if one of `outputs` uses
/// standard output.
pub(super) fn with_text<const N: usize>(
    outputs: [Option<&Output>; N],
    out: &mut dyn Write,
    work: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let standard = outputs.into_iter().flatten().filter(|output| **output == Output::Standard).count();
    match standard {
        0 => work(out),
        1 => {
            let mut text = Printable(BufWriter::new(io::stderr().lock()));
            let outcome = work(&mut text);
            outcome.and(text.flush().map_err(CliError::Io))
        }
        _ => Err(CliError::Usage("only one output can go to standard output".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_extension_of_their_content() {
        for name in ["x.png", "x.PNG", "folder.d/x.y.png"] {
            assert_eq!(Content::Png.output(name.into()), Ok(Output::File(name.into())));
        }
        for name in ["x.jpg", "x", "png", ".png", "x.png.jpg", "x.csv"] {
            assert!(Content::Png.output(name.into()).is_err_and(|words| words.contains(".png")), "{name}");
        }
        for name in ["x.png", "x.apng", "frame-%04d.PNG", "x.GIF"] {
            assert_eq!(Content::Frames.output(name.into()), Ok(Output::File(name.into())));
        }
        assert!(Content::Frames.output("x.webp".into()).is_err());
        assert_eq!(Content::Csv.output("-".into()), Ok(Output::Standard));
        assert_eq!(Content::Csv.output("./-.csv".into()), Ok(Output::File("./-.csv".into())));
        assert!(Content::Csv.output("x.png".into()).is_err_and(|words| words.contains(".csv")));
    }
}
