//! Colours of program text, one line at a time: a line's colours depend on nothing but the line and the
//! program's lexicon, so they are kept by its text for as long as the lexicon stays.

use super::toml;
use crate::theme::{self, Syntax};
use egui::text::{LayoutJob, TextFormat};
use shadestep_engine::ide;
use std::collections::HashMap;
use std::ops::Range;

/// Lines kept before the store is emptied.
const MAX_LINES: usize = 20_000;

/// By what a text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coloring {
    /// A program.
    Program,
    /// `scene.toml`.
    Toml,
}

/// Coloured lines.
#[derive(Default)]
pub struct Highlighter {
    lines: HashMap<String, Vec<(Range<usize>, ide::TokenKind)>>,
    first: HashMap<String, Vec<(Range<usize>, ide::TokenKind)>>,
    /// The text drawn last.
    text: String,
    /// Its lexicon, by which the lines are coloured.
    lexicon: ide::Lexicon,
}

impl Highlighter {
    /// Forgets every line.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.first.clear();
    }

    /// `text` in colours, unwrapped.
    pub fn job(&mut self, text: &str, coloring: Coloring, syntax: &Syntax) -> LayoutJob {
        if self.text != text {
            text.clone_into(&mut self.text);
            let lexicon = ide::Lexicon::of(text.as_bytes());
            if self.lexicon != lexicon {
                self.clear();
                self.lexicon = lexicon;
            }
        }
        if self.lines.len() + self.first.len() > MAX_LINES {
            self.clear();
        }
        let mut job =
            LayoutJob { text: text.to_owned(), keep_trailing_whitespace: true, ..LayoutJob::default() };
        job.wrap.max_width = f32::INFINITY;
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            // The header counts only on the first line.
            let store = if offset == 0 { &mut self.first } else { &mut self.lines };
            if !store.contains_key(line) {
                let number = if offset == 0 { 0 } else { 1 };
                let tokens = match coloring {
                    Coloring::Program => tokens(line, number, &self.lexicon),
                    Coloring::Toml => toml::tokens(line),
                };
                store.insert(line.to_owned(), tokens);
            }
            for (range, kind) in &store[line] {
                let format = TextFormat {
                    font_id: theme::code_font(),
                    color: color(*kind, syntax),
                    line_height: Some(theme::CODE_LINE_HEIGHT),
                    ..TextFormat::default()
                };
                push(&mut job, offset + range.start..offset + range.end, format);
            }
            offset += line.len();
        }
        if job.sections.is_empty() {
            let format = TextFormat {
                font_id: theme::code_font(),
                line_height: Some(theme::CODE_LINE_HEIGHT),
                ..TextFormat::default()
            };
            push(&mut job, 0..0, format);
        }
        job
    }
}

fn push(job: &mut LayoutJob, range: Range<usize>, format: TextFormat) {
    use egui::text::{ByteIndex, LayoutSection};
    if let Some(last) = job.sections.last_mut()
        && last.format == format
    {
        last.byte_range.end = ByteIndex(range.end);
        return;
    }
    let byte_range = ByteIndex(range.start)..ByteIndex(range.end);
    job.sections.push(LayoutSection { leading_space: 0.0, byte_range, format });
}

/// The tokens of `line`, widened to whole characters.
fn tokens(line: &str, line_number: usize, lexicon: &ide::Lexicon) -> Vec<(Range<usize>, ide::TokenKind)> {
    let mut result: Vec<(Range<usize>, ide::TokenKind)> = Vec::new();
    for token in ide::highlight_line(line.as_bytes(), line_number, lexicon) {
        let start = result.last().map_or(0, |(range, _)| range.end);
        let mut end = token.span.end.min(line.len());
        while !line.is_char_boundary(end) {
            end += 1;
        }
        if end > start {
            result.push((start..end, token.kind));
        }
    }
    let end = result.last().map_or(0, |(range, _)| range.end);
    if end < line.len() {
        result.push((end..line.len(), ide::TokenKind::Whitespace));
    }
    result
}

fn color(kind: ide::TokenKind, syntax: &Syntax) -> egui::Color32 {
    use ide::TokenKind;
    match kind {
        TokenKind::Header | TokenKind::Keyword | TokenKind::Option => syntax.keyword,
        TokenKind::Mnemonic => syntax.mnemonic,
        TokenKind::Suffix => syntax.suffix,
        TokenKind::Register => syntax.register,
        TokenKind::Attribute | TokenKind::Output => syntax.interface,
        TokenKind::Parameter | TokenKind::Name | TokenKind::Label => syntax.name,
        TokenKind::Number => syntax.number,
        TokenKind::Swizzle | TokenKind::Condition => syntax.selector,
        TokenKind::TextureUnit | TokenKind::TextureTarget => syntax.texture,
        TokenKind::Punctuation | TokenKind::Whitespace => syntax.punctuation,
        TokenKind::Comment => syntax.comment,
        TokenKind::Error => syntax.error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_header_recolours_lines_that_stay_the_same() {
        let syntax = &theme::Palette::for_choice(theme::ThemeChoice::Dark).syntax;
        let mut highlighter = Highlighter::default();
        let mut register = |text: &str| {
            let job = highlighter.job(text, Coloring::Program, syntax);
            let at = text.find("R15").unwrap();
            let holds = |range: &Range<egui::text::ByteIndex>| range.start.0 <= at && at < range.end.0;
            job.sections.iter().find(|s| holds(&s.byte_range)).unwrap().format.color
        };
        assert_eq!(register("!!VP2.0\nMOV R15, R0;"), syntax.register);
        assert_eq!(register("!!VP1.0\nMOV R15, R0;"), syntax.error);
        assert_eq!(register("!!VP2.0\nMOV R15, R0;"), syntax.register);
        // So does a declaration in another line.
        assert_eq!(register("!!ARBvp1.0\nTEMP R15;\n"), syntax.register);
        assert_eq!(register("!!ARBvp1.0\nMOV R15, R0;"), syntax.error);
        assert_eq!(register("!!ARBvp1.0\nMOV R15, R0;\nATTRIB R15 = vertex.color;"), syntax.interface);
    }
}
