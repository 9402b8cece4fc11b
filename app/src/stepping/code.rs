//! [`Code`]: the program of a run, and where its instructions are in the text that the editor shows.

use super::record::{RecordRequest, Recorded};
use crate::model::{Document, Placed};
use crate::scene::Slot;
use crate::session::BUILT_IN_VERTEX_PROGRAM;
use shadestep_engine::debug::Subject;
use shadestep_engine::ir::{Instruction, Program};
use shadestep_engine::source::LineIndex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The program of a run.
#[derive(Clone, Debug)]
pub struct Code {
    /// The scene's slot of the program. `None` for the built-in vertex program.
    pub(super) slot: Option<Slot>,
    /// The program's text.
    pub text: Arc<[u8]>,
    pub program: Arc<Program>,
    /// Line, from 0, of every instruction.
    pub lines: Vec<usize>,
    /// The recorded program, if this one is a changed version. Instructions of both are on the same lines.
    pub(super) recorded: Option<Arc<Self>>,
}

impl Code {
    /// The recorded program; `None` if no program ran.
    pub(super) fn of(request: &RecordRequest, recorded: &Recorded) -> Option<Self> {
        let slot = match request.subject {
            Subject::StateProgram(n) => Slot::State(n),
            other => Slot::first(other.stage()),
        };
        let compiled = request.programs.get(slot);
        let (slot, text, program) = match (recorded, compiled) {
            (_, Some(compiled)) => (Some(slot), Arc::clone(&compiled.text), compiled.program.clone()?),
            (Recorded::Vertex(vertex), None) => {
                (None, BUILT_IN_VERTEX_PROGRAM.as_bytes().into(), Arc::clone(&vertex.program))
            }
            (Recorded::Pixel { .. } | Recorded::Primitive(_) | Recorded::StateProgram(_), None) => {
                return None;
            }
        };
        let index = LineIndex::new(&text);
        let lines = program.instructions.iter().map(|i| index.line_of(i.span.start)).collect();
        Some(Self { slot, text, program, lines, recorded: None })
    }

    /// The text of instruction `pc` on one line, without a semicolon.
    pub fn instruction(&self, pc: usize) -> Option<String> {
        let span = self.program.instructions.get(pc)?.span;
        let text = String::from_utf8_lossy(span.slice(&self.text));
        let words: Vec<&str> = text.trim_end_matches(';').split_whitespace().collect();
        Some(words.join(" "))
    }

    /// The text with `instruction` in place of instruction `pc`, or without the instruction if `instruction`
    /// is empty. All other lines keep their numbers.
    pub(super) fn with_instruction(&self, pc: usize, instruction: &str) -> Option<Vec<u8>> {
        let mut span = self.program.instructions.get(pc)?.span;
        let words = instruction.trim().trim_end_matches(';').replace('\n', " ");
        let rest = &self.text[span.end..];
        let gap = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if rest.get(gap) == Some(&b';') {
            span.end += gap + 1;
        }
        let newlines = span.slice(&self.text).iter().filter(|byte| **byte == b'\n').count();
        let mut text = self.text[..span.start].to_vec();
        if !words.trim().is_empty() {
            text.extend([words.as_bytes(), b";"].concat());
        }
        text.extend(std::iter::repeat_n(b'\n', newlines));
        text.extend(&self.text[span.end..]);
        Some(text)
    }

    /// The places of the instructions in the program's own text.
    pub(super) fn own_places(&self) -> Places {
        let place =
            |(instruction, &line): (&Instruction, &usize)| Some(Placed { span: instruction.span, line });
        let at = self.program.instructions.iter().zip(&self.lines).map(place).collect();
        Places { at, age: TextAge::Current }
    }

    /// The places of the instructions in the text of `document`, which may have been edited since the program
    /// was loaded.
    pub(super) fn places_in(&self, document: &Document) -> Places {
        // A program without a tab is never edited.
        let Some(slot) = self.slot else { return self.own_places() };
        let loaded = self.recorded.as_deref().unwrap_or(self);
        let text = document.program_text(slot);
        let age = match text.and_then(|text| text.versions().edits_since(&loaded.text)) {
            Some(edits) if edits.is_empty() => TextAge::Current,
            Some(_) => TextAge::Edited,
            None => TextAge::Gone,
        };
        let Some(text) = text else { return Places { at: vec![None; self.lines.len()], age } };
        let spans = loaded.program.instructions.iter().map(|instruction| instruction.span);
        let placed = text.placed(&loaded.text, spans);
        if self.recorded.is_none() {
            return Places { at: placed, age };
        }
        let by_line: BTreeMap<usize, Option<Placed>> = loaded.lines.iter().copied().zip(placed).collect();
        Places { at: self.lines.iter().map(|line| by_line.get(line).copied().flatten()).collect(), age }
    }
}

/// The places of a program's instructions in the text that the editor shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// The place of each instruction; `None` for a deleted one.
    at: Vec<Option<Placed>>,
    /// How the text compares with the loaded text.
    pub age: TextAge,
}

impl Places {
    /// The place of instruction `pc`; `None` if it was deleted.
    pub fn get(&self, pc: usize) -> Option<Placed> {
        self.at.get(pc).copied().flatten()
    }

    /// The line, from 0, of the start of instruction `pc`.
    pub fn line(&self, pc: usize) -> Option<usize> {
        self.get(pc).map(|placed| placed.line)
    }

    /// The lines of all instructions; `None` for a deleted one.
    pub fn lines(&self) -> Vec<Option<usize>> {
        self.at.iter().map(|placed| Some((*placed)?.line)).collect()
    }

    /// The first instruction that begins on `line`.
    pub fn on_line(&self, line: usize) -> Option<usize> {
        self.at.iter().position(|placed| placed.is_some_and(|placed| placed.line == line))
    }
}

/// How a text compares with the loaded version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAge {
    /// The text is the loaded version.
    Current,
    /// The text was edited after loading.
    Edited,
    /// The scene has another program in this slot, or none.
    Gone,
}
