//! [`TextFile`]: one text of a document, a program or `scene.toml`, with its file, findings, breakpoints and
//! caret.

use super::breakpoint::{Breakpoint, Breakpoints};
use super::change::Change;
use super::edits::TextVersions;
use crate::scene::{ProgramFile, Slot};
use crate::session::Compiled;
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::ide;
use shadestep_engine::ir::Program;
use shadestep_engine::lint::Interface;
use shadestep_engine::source::{LineIndex, Span};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A request of a panel to move the caret and scroll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reveal {
    /// The start of the selection and the caret, as byte offsets.
    pub ends: [usize; 2],
    pub focus: Focus,
    /// The line at the top of the view, with a fraction. `None` scrolls just enough to show the place.
    pub top: Option<f32>,
}

impl Reveal {
    /// Selects `span`, with the caret at its end.
    pub const fn of(span: Span, focus: Focus) -> Self {
        Self { ends: [span.start, span.end], focus, top: None }
    }
}

/// Whether the editor takes the keyboard focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// The focus does not change.
    Keep,
    Take,
}

/// A text that is opened with more bytes is read only, because each change would take longer than a frame.
const MAX_EDITED: usize = 600_000;

/// One text with its file, the results of loading it, and the user's place in it.
pub struct TextFile {
    /// Number within its document.
    pub(super) number: u32,
    pub(super) text: String,
    versions: TextVersions,
    saved: String,
    /// Size in bytes when opened.
    opened_with: usize,
    /// Its name in `scene.toml`.
    name: String,
    path: Option<PathBuf>,
    pub breakpoints: Breakpoints,
    /// The lines on which instructions begin. `None` unless the current text is loaded.
    instruction_lines: Option<Vec<usize>>,
    /// Findings at their places in the current text. Findings about this text alone come first.
    marks: Vec<Diagnostic>,
    /// How many of [`Self::marks`] are about this text alone.
    own_marks: usize,
    /// The program's interface with other stages, as last loaded.
    interface: Option<Arc<Interface>>,
    /// The last program that loaded without errors.
    good: Option<Arc<Program>>,
    /// Where to move in the next frame.
    pub reveal: Option<Reveal>,
    /// Byte offset of the caret.
    pub caret: usize,
    /// The line at the top of the editor, with a fraction.
    pub top: f32,
    /// The file's new text, if another program changed it while there were unsaved changes here.
    pub changed_on_disk: Option<String>,
}

impl TextFile {
    /// Opens the saved text of `file`.
    pub fn new(file: &ProgramFile) -> Self {
        Self::saved_as(file.name.clone(), file.path.clone(), String::from_utf8_lossy(&file.text).into_owned())
    }

    /// Creates a text that equals its file at `path`, or the initial text of a document without a file.
    pub fn saved_as(name: String, path: Option<PathBuf>, text: String) -> Self {
        Self {
            number: 0,
            opened_with: text.len(),
            saved: text.clone(),
            text,
            versions: TextVersions::default(),
            name,
            path,
            breakpoints: Breakpoints::new(),
            instruction_lines: None,
            marks: Vec::new(),
            own_marks: 0,
            interface: None,
            good: None,
            reveal: None,
            caret: 0,
            top: 0.0,
            changed_on_disk: None,
        }
    }

    /// Creates a text that no file holds yet.
    pub fn unsaved(name: String, text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::saved_as(name, None, String::new()) }
    }

    /// Returns the current text. [`Document::edit`](super::Document::edit) changes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the current text for loading: the same `Arc` until the text is edited.
    pub fn version(&self) -> Arc<[u8]> {
        self.versions.current(&self.text)
    }

    /// Returns the earlier versions, with the edits made since.
    pub fn versions(&self) -> &TextVersions {
        &self.versions
    }

    /// Returns the places of pieces of `version` in the current text, without blanks at their ends. `None`
    /// for a deleted piece, and for all pieces if `version` is not a version of this text.
    pub fn placed(&self, version: &Arc<[u8]>, pieces: impl Iterator<Item = Span>) -> Vec<Option<Placed>> {
        let Some(edits) = self.versions.edits_since(version) else { return pieces.map(|_| None).collect() };
        let lines = self.lines();
        let place = |piece: Span| {
            let now = edits.carried(piece)?;
            let text = self.text.get(now.start..now.end)?;
            let start = now.start + (text.len() - text.trim_start().len());
            let span = Span::new(start, start + text.trim().len());
            (!span.is_empty()).then(|| Placed { span, line: lines.line_of(start) })
        };
        pieces.map(place).collect()
    }

    /// Returns the file's text as far as known. Empty without a file.
    pub fn saved(&self) -> &str {
        &self.saved
    }

    /// Returns true if the text was too large to edit when opened. Growing later does not make a text large.
    pub fn is_large(&self) -> bool {
        self.opened_with > MAX_EDITED
    }

    /// Returns its name in `scene.toml`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its path on disk, if it has one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the name of its file, or a suggested name for a file of `slot`.
    pub fn file_name(&self, slot: Slot) -> String {
        match self.path().and_then(Path::file_name) {
            Some(name) => name.to_string_lossy().into_owned(),
            None if self.name.contains('.') => self.name.clone(),
            None => format!("{}.{}", self.name, slot.extension()),
        }
    }

    /// Returns true if closing the window would lose changes.
    pub fn is_modified(&self) -> bool {
        self.text != self.saved
    }

    /// Records that `path` holds `text`.
    pub(super) fn mark_saved(&mut self, text: String, path: PathBuf) {
        self.saved = text;
        self.changed_on_disk = None;
        self.path = Some(path);
    }

    /// Makes `text` the saved text, without a file.
    pub(super) fn begun_with(&mut self, text: String) {
        self.saved = text;
    }

    pub(super) fn rename(&mut self, name: String) {
        self.name = name;
    }

    /// Replaces the findings with `findings` about the current text.
    pub(super) fn mark(&mut self, findings: Vec<Diagnostic>) {
        self.own_marks = findings.len();
        self.marks = findings;
    }

    /// Returns the interface with other stages of the program as last loaded.
    pub(super) fn interface(&self) -> Option<&Interface> {
        self.interface.as_deref()
    }

    /// Replaces the findings that involve other texts too.
    pub(super) fn mark_links(&mut self, findings: impl Iterator<Item = Diagnostic>) {
        self.marks.truncate(self.own_marks);
        self.marks.extend(findings);
    }

    /// Records the file's new text after another program wrote it. Returns true if the document should take
    /// that text, because no changes would be lost.
    pub(super) fn disk_changed(&mut self, text: &str) -> bool {
        let is_new = text != self.saved && text != self.text;
        if is_new && self.is_modified() {
            self.changed_on_disk = Some(text.to_owned());
            return false;
        }
        text.clone_into(&mut self.saved);
        self.changed_on_disk = None;
        is_new
    }

    /// Moves findings, breakpoints and versions along with `change`, which has been made in the text.
    pub(super) fn edited(&mut self, change: &Change) {
        self.versions.edited(change);
        self.shift_breakpoints(change);
        self.instruction_lines = None;
        move_marks(&mut self.marks, change);
    }

    /// Stores the results of loading a version of the text. Findings about an earlier version move to their
    /// places in the current text.
    pub(super) fn loaded(&mut self, compiled: &Compiled) {
        let Some(edits) = self.versions.edits_since(&compiled.text) else { return };
        let mut marks = compiled.diagnostics.clone();
        for change in edits.iter() {
            move_marks(&mut marks, change);
        }
        let is_current = edits.is_empty();
        self.interface.clone_from(&compiled.interface);
        self.mark(marks);
        if let Some(program) = &compiled.program {
            self.good = Some(Arc::clone(program));
            if is_current && self.instruction_lines.is_none() {
                self.settle_breakpoints(program);
            }
        }
    }

    /// Records the instruction lines of `program`, which was loaded from the current text, and moves
    /// breakpoints onto them.
    fn settle_breakpoints(&mut self, program: &Program) {
        let lines = self.lines();
        let starts = program.instructions.iter().map(|instruction| lines.line_of(instruction.span.start));
        let starts: BTreeSet<usize> = starts.collect();
        let breakpoints = std::mem::take(&mut self.breakpoints).into_iter();
        // If several breakpoints move to one line, the nearest one stays.
        self.breakpoints = breakpoints
            .filter_map(|(line, breakpoint)| Some((*starts.range(line..).next()?, breakpoint)))
            .collect();
        self.instruction_lines = Some(starts.into_iter().collect());
    }

    /// Returns the line, from 0, of the next instruction at or below `line`, where a breakpoint set on `line`
    /// goes.
    pub fn breakpoint_line(&self, line: usize) -> Option<usize> {
        if let Some(lines) = &self.instruction_lines {
            return lines.get(lines.partition_point(|&at| at < line)).copied();
        }
        // Without a loaded program, find instructions by their mnemonics. The first lines alone determine the
        // language, and so the mnemonics.
        let first = |line: &&str| {
            let line = line.trim_start();
            line.is_empty() || ["#", "!!", "OPTION"].iter().any(|start| line.starts_with(start))
        };
        let head: usize = self.text.split_inclusive('\n').take_while(first).map(str::len).sum();
        let lexicon = ide::Lexicon::of(&self.text.as_bytes()[..head]);
        let names_one = |&(number, text): &(usize, &str)| {
            let tokens = ide::highlight_line(text.as_bytes(), number, &lexicon);
            tokens.iter().any(|token| token.kind == ide::TokenKind::Mnemonic)
        };
        self.text.split('\n').enumerate().skip(line).find(names_one).map(|(number, _)| number)
    }

    /// Sets a breakpoint on the next instruction at or below `line`, or removes the one there.
    pub fn toggle_breakpoint(&mut self, line: usize) {
        if self.breakpoints.remove(&line).is_some() {
            return;
        }
        if let Some(line) = self.breakpoint_line(line)
            && self.breakpoints.remove(&line).is_none()
        {
            self.breakpoints.insert(line, Breakpoint::default());
        }
    }

    /// Keeps breakpoints at their instructions when lines above them are added or removed.
    fn shift_breakpoints(&mut self, change: &Change) {
        if self.breakpoints.is_empty() {
            return;
        }
        let lines = |text: &str| text.bytes().filter(|&b| b == b'\n').count();
        let (gone, come) = (lines(&change.removed), lines(&change.inserted));
        if gone == come {
            return;
        }
        let same = &self.text[..change.start];
        // A line break inserted at the very start of a line moves that line down.
        let first = lines(same);
        let at_line_start = same.is_empty() || same.ends_with('\n');
        let first_moved = if at_line_start { first } else { first + 1 };
        let moved = |line: usize| {
            if line < first_moved {
                Some(line)
            } else if come > gone {
                Some(line + (come - gone))
            } else {
                line.checked_sub(gone - come).filter(|&line| line >= first)
            }
        };
        let breakpoints = std::mem::take(&mut self.breakpoints).into_iter();
        self.breakpoints =
            breakpoints.filter_map(|(line, breakpoint)| Some((moved(line)?, breakpoint))).collect();
    }

    /// Returns the findings of the last load at their places in the current text, so marks neither vanish nor
    /// jump while the user types.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.marks
    }

    /// Returns the number of errors among the findings.
    pub fn error_count(&self) -> usize {
        self.diagnostics().iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Returns the program as last loaded without errors.
    pub fn program(&self) -> Option<&Arc<Program>> {
        self.good.as_ref()
    }

    pub fn lines(&self) -> LineIndex {
        LineIndex::new(self.text.as_bytes())
    }

    /// Returns the caret's line, from 0.
    pub fn caret_line(&self) -> usize {
        self.lines().line_of(self.caret)
    }
}

/// The current place of a piece of an earlier version of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    pub span: Span,
    /// The first line, from 0.
    pub line: usize,
}

/// Moves findings along with `change`. A finding whose text was deleted is removed.
fn move_marks(marks: &mut Vec<Diagnostic>, change: &Change) {
    let change = change.trimmed();
    marks.retain_mut(|diagnostic| {
        let is_there = change.mark(diagnostic.span()).is_some();
        for label in &mut diagnostic.labels {
            label.span = change.mark(label.span).unwrap_or(Span::at(change.start));
        }
        diagnostic.fix = diagnostic.fix.take().and_then(|mut fix| {
            fix.span = change.mark(fix.span)?;
            Some(fix)
        });
        is_there
    });
}

/// Decodes a file's text as UTF-8, or else as Latin-1, which comments of older programs use. `None` if the
/// bytes are not text.
pub(crate) fn text_of(bytes: &[u8]) -> Option<String> {
    if bytes.contains(&0) {
        return None;
    }
    let text = std::str::from_utf8(bytes).map(str::to_owned);
    Some(text.unwrap_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> TextFile {
        TextFile::new(&ProgramFile { name: "test.fp".to_owned(), path: None, text: text.as_bytes().into() })
    }

    fn edit(program: &mut TextFile, text: &str) {
        let change = Change::between(&program.text, text);
        assert!(change.make(&mut program.text));
        program.edited(&change);
    }

    #[test]
    fn breakpoints_stay_with_their_lines() {
        let conditional = Breakpoint { condition: "R0.x > 1".to_owned(), ..Breakpoint::default() };
        let at = |lines: [usize; 2]| {
            Breakpoints::from([lines[0], lines[1]].map(|line| (line, conditional.clone())))
        };
        let mut d = program("a\nb\nc\nd\n");
        d.breakpoints = at([1, 3]);
        edit(&mut d, "new\na\nb\nc\nd\n");
        assert_eq!(d.breakpoints, at([2, 4]));
        edit(&mut d, "new\na\nb\nextra\nc\nd\n");
        assert_eq!(d.breakpoints, at([2, 5]));
        edit(&mut d, "new\na\nb changed\nextra\nc\nd\n");
        assert_eq!(d.breakpoints, at([2, 5]));
        edit(&mut d, "a\nb changed\nextra\nc\nd\n");
        assert_eq!(d.breakpoints, at([1, 4]));
        // é and è begin with the same byte but are different letters. The whole line moves down.
        let mut d = program("é\nb\n");
        d.breakpoints.insert(0, conditional.clone());
        edit(&mut d, "è\né\nb\n");
        assert_eq!(d.breakpoints, [(1, conditional)].into());
    }

    #[test]
    fn disk_changes_never_overwrite_unsaved_ones() {
        let mut d = program("a\n");
        assert!(d.disk_changed("b\n"));
        edit(&mut d, "b\n");
        assert!(!d.is_modified());
        edit(&mut d, "mine\n");
        assert!(!d.disk_changed("theirs\n"));
        assert_eq!(d.text, "mine\n");
        assert_eq!(d.changed_on_disk.as_deref(), Some("theirs\n"));
        assert!(!d.disk_changed("b\n"), "the file is as it was");
        assert_eq!((d.text.as_str(), d.changed_on_disk.as_deref()), ("mine\n", None));
        assert!(!d.disk_changed("mine\n") && !d.is_modified());
    }

    #[test]
    fn files_are_named_for_their_place() {
        let named = |name: &str, slot| TextFile::unsaved(name.to_owned(), "").file_name(slot);
        assert_eq!(named("untitled", Slot::Fragment), "untitled.fp");
        assert_eq!(named("untitled", Slot::State(1)), "untitled.vsp");
        assert_eq!(named("main.vp", Slot::Vertex), "main.vp");
        assert!(TextFile::unsaved("a".to_owned(), "!!VP1.1").is_modified());
    }

    #[test]
    fn texts_are_read_whole_and_other_data_is_refused() {
        assert_eq!(text_of("# ä\n".as_bytes()).as_deref(), Some("# ä\n"));
        assert_eq!(text_of(b"# \xA9 2002, \xE4\n").as_deref(), Some("# © 2002, ä\n"));
        assert_eq!(text_of(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"), None);
    }
}
