//! Formats a program text: one statement per line, indented blocks and subroutine bodies, aligned operands
//! and aligned end-of-line comments.
//!
//! Only whitespace between tokens changes, so the program stays the same, including its errors. If the tokens
//! would change, or the text names no language, nothing is changed.

use super::words::MAIN;
use shadestep_language::front::language_with_options;
use shadestep_language::isa::{self, BlockEdge, Language, Lookup, OperandKind};
use shadestep_language::source::Span;
use shadestep_language::syntax::{Lexer, Token, TokenKind};
use std::collections::HashSet;

/// A replacement of bytes in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced bytes.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Spaces per level of indentation.
const LEVEL: usize = 4;
/// The longest instruction name whose operands are aligned with others.
const LONGEST_NAME: usize = 12;
/// The longest line whose comment is aligned with others.
const LONGEST_LINE: usize = 100;
/// Spaces between the longest line and its comment.
const BEFORE_COMMENT: usize = 2;

/// The edits that format `text`, in order; empty if the text is formatted already.
pub fn format(text: &[u8]) -> Vec<Edit> {
    let Some(language) = language_with_options(text) else { return Vec::new() };
    let tokens: Vec<Token> = Lexer::new(text).filter(|token| token.kind != TokenKind::Whitespace).collect();
    let mut layout = Layout::new(text, language, &tokens);
    layout.place();
    layout.align_operands();
    layout.align_comments();
    let edits = layout.edits();
    if is_same_program(text, &tokens, &edits) { edits } else { Vec::new() }
}

/// `text` with `edits` applied. The edits must be in text order.
pub(super) fn edited(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut now = Vec::with_capacity(text.len() + edits.len());
    let mut at = 0;
    for edit in edits {
        now.extend_from_slice(&text[at..edit.span.start]);
        now.extend_from_slice(edit.text.as_bytes());
        at = edit.span.end;
    }
    now.extend_from_slice(&text[at..]);
    now
}

/// Whether the tokens of `text` stay the same after `edits`. `tokens` are the current ones.
fn is_same_program(text: &[u8], tokens: &[Token], edits: &[Edit]) -> bool {
    let now = edited(text, edits);
    let mut others = Lexer::new(&now).filter(|token| token.kind != TokenKind::Whitespace);
    let same = tokens.iter().all(|token| {
        let other = others.next();
        other.is_some_and(|o| o.kind == token.kind && o.span.slice(&now) == token.span.slice(text))
    });
    same && others.next().is_none()
}

/// The whitespace before a token.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    /// Number of line breaks.
    lines: usize,
    /// Spaces after the line breaks.
    spaces: usize,
}

/// A line of the formatted text.
#[derive(Clone, Debug)]
struct Line {
    /// Its tokens, including a comment at its end.
    first: usize,
    end: usize,
    /// The first token of the operands, or of the declared names; `None` if there is none.
    operands: Option<usize>,
    /// Whether the line begins a statement.
    begins: bool,
}

struct Layout<'t> {
    text: &'t [u8],
    language: Language,
    tokens: &'t [Token],
    gaps: Vec<Gap>,
    lines: Vec<Line>,
    /// Labels that are the target of a call.
    called: HashSet<&'t [u8]>,
}

impl<'t> Layout<'t> {
    fn new(text: &'t [u8], language: Language, tokens: &'t [Token]) -> Self {
        let mut layout = Self {
            text,
            language,
            tokens,
            gaps: Vec::with_capacity(tokens.len()),
            lines: Vec::new(),
            called: HashSet::new(),
        };
        layout.called = layout.called_labels();
        layout
    }

    fn bytes(&self, at: usize) -> &'t [u8] {
        self.tokens.get(at).map_or(&[], |token| token.span.slice(self.text))
    }

    fn word(&self, at: usize) -> &'t str {
        let is_word = self.kind(at) == Some(TokenKind::Word);
        let word = std::str::from_utf8(self.bytes(at)).unwrap_or_default();
        if is_word { word } else { "" }
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The instruction named by the token at `at`, with the index of the token after its name.
    fn instruction(&self, at: usize) -> Option<(&'static isa::Info, usize)> {
        let word = self.word(at);
        let info = match isa::lookup(self.language, word) {
            Lookup::Instruction(info, _) | Lookup::BadSuffix(info, ..) => info,
            Lookup::Unknown => return None,
        };
        let mut end = at + 1;
        // Dotted modifiers belong to the name.
        let touches = |place: usize| {
            self.tokens.get(place).is_some_and(|token| token.span.start == self.tokens[place - 1].span.end)
        };
        while self.kind(end) == Some(TokenKind::Dot)
            && self.kind(end + 1) == Some(TokenKind::Word)
            && touches(end)
        {
            end += 2;
        }
        Some((info, end))
    }

    fn is_keyword(&self, at: usize) -> bool {
        self.language.profile().keywords.contains(&self.word(at)) || self.word(at) == "END"
    }

    /// The targets of CAL, and numbered labels, which are targets of CALI.
    fn called_labels(&self) -> HashSet<&'t [u8]> {
        let mut called = HashSet::new();
        for at in 0..self.tokens.len() {
            if self.word(at + 1) == "SUBROUTINENUM" {
                called.insert(self.bytes(at));
            }
            if self.word(at) == "CAL"
                && let Some((info, end)) = self.instruction(at)
                && info.operands.first() == Some(&OperandKind::Label)
            {
                called.insert(self.bytes(end));
            }
        }
        called
    }

    /// The line breaks and spaces before the token at `at`, as written.
    fn written(&self, at: usize) -> Gap {
        let start = at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end);
        let end = self.tokens.get(at).map_or(self.text.len(), |token| token.span.start);
        let bytes = &self.text[start..end];
        let is_ending = |index: &usize| match bytes[*index] {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        let lines = (0..bytes.len()).filter(is_ending).count();
        Gap { lines, spaces: bytes.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count() }
    }

    /// Index of the token after a label and its colon, if the token at `at` begins a label.
    fn label_end(&self, at: usize) -> Option<usize> {
        if !self.language.profile().labels || self.kind(at) != Some(TokenKind::Word) {
            return None;
        }
        let colon = if self.word(at + 1) == "SUBROUTINENUM" { at + 5 } else { at + 1 };
        (self.kind(colon) == Some(TokenKind::Colon)).then_some(colon + 1)
    }

    /// Decides line breaks, indentation and the spaces within lines.
    fn place(&mut self) {
        let mut depth = 0_usize;
        // 1 inside the body of a called subroutine, else 0.
        let mut body = 0;
        let mut bars = false;
        let mut brackets = 0_usize;
        // The first token of the current statement, and the first token after its label.
        let mut statement: Option<usize> = None;
        let mut label_until = 0;
        let mut comments: Vec<usize> = Vec::new();
        for at in 0..self.tokens.len() {
            let before = at.checked_sub(1).and_then(|before| self.kind(before));
            let written = self.written(at);
            let kind = self.tokens[at].kind;
            let mut gap = Gap { lines: written.lines.min(2), spaces: 0 };
            if kind == TokenKind::Comment {
                if gap.lines > 0 || at == 0 {
                    comments.push(self.gaps.len());
                    self.begin_line(at, false);
                    // Comments inside a statement that continues.
                    gap.spaces = if statement.is_some() { LEVEL * (depth + body + 1) } else { 0 };
                } else if let Some(line) = self.lines.last_mut() {
                    line.end = at + 1;
                    gap.spaces = 1;
                }
                self.gaps.push(gap);
                continue;
            }
            // A line that begins like a statement means that the previous statement lacks its semicolon.
            let restarts =
                gap.lines > 0 && (self.instruction(at).is_some() || self.is_keyword(at)) && brackets == 0;
            if restarts && at >= label_until {
                statement = None;
            }
            match statement {
                None => {
                    (bars, brackets) = (false, 0);
                    gap.lines = if at == 0 { 0 } else { gap.lines.max(1) };
                    let edge = self.instruction(at).and_then(|(info, _)| info.action.edge());
                    let ends_block = edge.is_some_and(BlockEdge::ends);
                    let label = self.label_end(at);
                    if let Some(end) = label {
                        label_until = end;
                        let is_called = self.called.contains(self.bytes(at));
                        if is_called || self.word(at) == MAIN {
                            body = usize::from(is_called && self.word(at) != MAIN);
                        }
                    }
                    if ends_block {
                        depth = depth.saturating_sub(1);
                    }
                    let is_outside = label.is_some() || self.word(at) == "END" || kind == TokenKind::Header;
                    gap.spaces = if is_outside { 0 } else { LEVEL * (depth + body) };
                    // A comment before the end of a block belongs to the block.
                    let inner = if ends_block { LEVEL } else { 0 };
                    for index in comments.drain(..) {
                        self.gaps[index].spaces = gap.spaces + inner;
                    }
                    if edge.is_some_and(BlockEdge::begins) {
                        depth += 1;
                    }
                    self.begin_line(at, true);
                    statement = Some(at);
                }
                Some(_) if gap.lines > 0 => {
                    gap.spaces = LEVEL * (depth + body + 1);
                    comments.clear();
                    self.begin_line(at, false);
                }
                Some(_) => {
                    gap.spaces = self.between(at, before, written, bars, brackets);
                    if let Some(line) = self.lines.last_mut() {
                        line.end = at + 1;
                    }
                }
            }
            match kind {
                TokenKind::Bar => bars = !bars,
                TokenKind::LeftBracket => brackets += 1,
                TokenKind::RightBracket => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            if kind == TokenKind::Comma {
                bars = false;
            }
            let ends_label = at + 1 == label_until;
            if matches!(kind, TokenKind::Semicolon | TokenKind::Header) || ends_label {
                let begin = statement.take().unwrap_or(at);
                // An unconditional RET ends the body.
                if self.word(begin) == "RET" && begin + 1 == at && depth == 0 {
                    body = 0;
                }
            }
            self.gaps.push(gap);
        }
    }

    fn begin_line(&mut self, first: usize, begins: bool) {
        let operands = match self.instruction(first) {
            Some((_, end)) => Some(end),
            None if self.is_keyword(first) => Some(first + 1),
            None => None,
        };
        let is_operand = |at: &usize| {
            !matches!(
                self.kind(*at),
                None | Some(TokenKind::Semicolon | TokenKind::Comment | TokenKind::Colon)
            )
        };
        let operands = operands.filter(|_| begins).filter(is_operand);
        self.lines.push(Line { first, end: first + 1, operands, begins });
    }

    /// Number of spaces before the token at `at`, which is on the same line as the previous token.
    fn between(
        &self,
        at: usize,
        before: Option<TokenKind>,
        written: Gap,
        bars: bool,
        brackets: usize,
    ) -> usize {
        use TokenKind::{
            Bar, Colon, Comma, Dimension, Dot, DotDot, Equals, LeftBrace, LeftBracket, LeftParen, Minus,
            Number, Plus, RightBrace, RightBracket, RightParen, Semicolon, Word,
        };
        let as_written = written.spaces.min(1);
        let Some(before) = before else { return 0 };
        // Inside brackets, a sign with an operand on its left is binary.
        let binary = |sign: usize| {
            let left = sign.checked_sub(1).and_then(|left| self.kind(left));
            brackets > 0 && matches!(left, Some(Word | Number | RightBracket))
        };
        match (before, self.tokens[at].kind) {
            (_, Comma | Semicolon | RightBracket | RightParen | Colon) => 0,
            (Comma, _) => 1,
            (Equals, _) | (_, Equals) => 1,
            (Dot | DotDot, Word | Number) | (Word | Number | RightBracket | Bar, Dot | DotDot) => 0,
            (LeftBracket | LeftParen, _) => 0,
            (Word, LeftBracket) => 0,
            (LeftBrace, _) | (_, RightBrace) => as_written,
            (_, LeftBrace) => 1,
            (_, LeftParen) if self.word(at - 1) == "SUBROUTINENUM" => 0,
            // The `offset` of a lookup. A variable with this name precedes a parenthesis only as a
            // destination with a test.
            (_, LeftParen) if at > 1 && self.word(at - 1) == "offset" && self.kind(at - 2) == Some(Comma) => {
                0
            }
            (_, LeftParen) => 1,
            (Plus | Minus, _) if binary(at - 1) => 1,
            (Plus | Minus, Word | Number | Bar) => 0,
            (_, Plus | Minus) if binary(at) => 1,
            // The second of two bars closes the absolute value.
            (Bar, _) if bars => 0,
            (_, Bar) if bars => 0,
            (Word, Plus | Minus | Bar) => 1,
            (Word | Number | Dimension | RightParen, Word | Number | Dimension) => {
                if written.spaces == 0 {
                    0
                } else {
                    1
                }
            }
            _ => as_written,
        }
    }

    /// Width of a line's code in columns, indentation included.
    fn width(&self, line: &Line) -> usize {
        let end = self.code_end(line);
        (line.first..end).map(|at| self.gaps[at].spaces + self.bytes(at).len()).sum()
    }

    /// Index of the token after the last token that is not a comment.
    fn code_end(&self, line: &Line) -> usize {
        let has_comment = line.end - line.first > 1 && self.kind(line.end - 1) == Some(TokenKind::Comment);
        if has_comment { line.end - 1 } else { line.end }
    }

    /// Runs of lines for which `belongs` holds. A blank line ends a run, and so does a pair of lines for
    /// which `parts` holds.
    fn runs(&self, belongs: impl Fn(&Line) -> bool, parts: impl Fn(&Line, &Line) -> bool) -> Vec<Vec<usize>> {
        let mut runs: Vec<Vec<usize>> = Vec::new();
        let mut open = false;
        for (number, line) in self.lines.iter().enumerate() {
            let parted = number > 0 && parts(&self.lines[number - 1], line);
            open &= self.gaps[line.first].lines < 2 && !parted;
            if !belongs(line) {
                continue;
            }
            match runs.last_mut() {
                Some(run) if open => run.push(number),
                _ => runs.push(vec![number]),
            }
            open = true;
        }
        runs
    }

    /// Aligns the operands of consecutive instructions.
    fn align_operands(&mut self) {
        let indentation = |line: &Line| self.gaps[line.first].spaces;
        let parts =
            |one: &Line, other: &Line| !one.begins || !other.begins || indentation(one) != indentation(other);
        let runs = self.runs(|line| line.operands.is_some(), parts);
        for run in runs {
            let name = |layout: &Self, number: usize| {
                let line = &layout.lines[number];
                let operands = line.operands.unwrap_or(line.first);
                (line.first..operands).map(|at| layout.bytes(at).len()).sum::<usize>()
            };
            let widths: Vec<usize> = run.iter().map(|&number| name(self, number)).collect();
            let column = widths.iter().copied().filter(|width| *width <= LONGEST_NAME).max().unwrap_or(0);
            for (&number, width) in run.iter().zip(widths) {
                if let Some(operands) = self.lines[number].operands.filter(|at| self.gaps[*at].lines == 0) {
                    self.gaps[operands].spaces = column.saturating_sub(width) + 1;
                }
            }
        }
    }

    /// Aligns the comments of consecutive lines.
    fn align_comments(&mut self) {
        let has_comment = |line: &Line| self.code_end(line) < line.end;
        let is_comment = |line: &Line| self.kind(line.first) == Some(TokenKind::Comment);
        let runs = self.runs(has_comment, |one, other| is_comment(one) || is_comment(other));
        for run in runs {
            let widths: Vec<usize> = run.iter().map(|&number| self.width(&self.lines[number])).collect();
            let column = widths.iter().copied().filter(|width| *width <= LONGEST_LINE).max().unwrap_or(0);
            for (&number, width) in run.iter().zip(widths) {
                let comment = self.lines[number].end - 1;
                self.gaps[comment].spaces = column.saturating_sub(width) + BEFORE_COMMENT;
            }
        }
    }

    /// The edits between tokens.
    fn edits(&self) -> Vec<Edit> {
        let index = self.text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let ending = match index.map(|at| (self.text[at], self.text.get(at + 1))) {
            Some((b'\r', Some(b'\n'))) => "\r\n",
            Some((b'\r', _)) => "\r",
            _ => "\n",
        };
        let mut edits = Vec::new();
        let mut start = 0;
        let last = Gap { lines: self.written(self.tokens.len()).lines.min(1), spaces: 0 };
        for (at, gap) in self.gaps.iter().chain([&last]).enumerate() {
            let end = self.tokens.get(at).map_or(self.text.len(), |token| token.span.start);
            let text = format!("{}{}", ending.repeat(gap.lines), " ".repeat(gap.spaces));
            let span = Span::new(start, end);
            if span.slice(self.text) != text.as_bytes() {
                edits.push(Edit { span, text });
            }
            start = self.tokens.get(at).map_or(end, |token| token.span.end);
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, Sample};
    use proptest::prelude::*;

    fn formatted(text: &[u8]) -> Vec<u8> {
        edited(text, &format(text))
    }

    /// Formatting keeps the tokens. Formatting twice equals formatting once.
    #[track_caller]
    fn check(text: &[u8]) -> Vec<u8> {
        let shown = || String::from_utf8_lossy(text).into_owned();
        let now = formatted(text);
        let tokens = |text: &[u8]| -> Vec<(TokenKind, Vec<u8>)> {
            let all = Lexer::new(text).filter(|token| token.kind != TokenKind::Whitespace);
            all.map(|token| (token.kind, token.span.slice(text).to_vec())).collect()
        };
        assert_eq!(tokens(text), tokens(&now), "{}", shown());
        let again = formatted(&now);
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&now), "{}", shown());
        now
    }

    #[track_caller]
    fn expect(text: &str, expected: &str) {
        assert_eq!(String::from_utf8(check(text.as_bytes())).unwrap(), expected);
    }

    #[test]
    fn operands_and_comments_stand_in_columns() {
        expect(
            "!!FP1.0\nMOV R0.x,f[ COL0 ].x ; # one\nMAD_SAT R1 , -R0,|R0.y|,{1,2};  # two\n\nMOV o[COLR],R1;\nEND",
            "!!FP1.0\nMOV     R0.x, f[COL0].x;          # one\nMAD_SAT R1, -R0, |R0.y|, {1, 2};  # two\n\nMOV o[COLR], R1;\nEND",
        );
        expect(
            "!!FP1.0 DEFINE a=2;DECLARE bc= { 1 , 2 };MOV o[COLR],a;END\n\n\n",
            "!!FP1.0\nDEFINE  a = 2;\nDECLARE bc = { 1, 2 };\nMOV     o[COLR], a;\nEND\n",
        );
    }

    #[test]
    fn blocks_are_indented() {
        expect(
            "!!NVfp4.0\nTEMP a;\nREP ;\nMOV.CC a.x,fragment.color;\n# leave\nBRK (GT.x);\nIF EQ.x;\nMOV a,1;\nELSE;\n\
             MOV a,2;\n# here\nENDIF;\nENDREP;\nMOV result.color,a;\nEND\n",
            "!!NVfp4.0\nTEMP a;\nREP;\n    MOV.CC a.x, fragment.color;\n    # leave\n    BRK (GT.x);\n    IF  EQ.x;\n        MOV a, 1;\n    \
             ELSE;\n        MOV a, 2;\n        # here\n    ENDIF;\nENDREP;\nMOV result.color, a;\nEND\n",
        );
    }

    #[test]
    fn bodies_of_subroutines_are_indented_and_branches_are_not() {
        expect(
            "!!VP2.0\nmain: CAL sub ;\nagain:\nBRA again(GT.x);\nRET;\n\n# adds\nsub: ADD R0,R0,R0;\nRET (LT.x);\nRET;\n\nEND",
            "!!VP2.0\nmain:\nCAL sub;\nagain:\nBRA again (GT.x);\nRET;\n\n# adds\nsub:\n    ADD R0, R0, R0;\n    RET (LT.x);\n    RET;\n\nEND",
        );
    }

    #[test]
    fn lines_within_statements_stay_and_blank_ones_are_one_at_most() {
        expect(
            "!!ARBfp1.0\n\n\n\nPARAM k[2]={{1,2,3,4},\n{5,6,7,8}};\n\n\nMOV result.color,k[ 0 ] ;\nEND",
            "!!ARBfp1.0\n\nPARAM k[2] = {{1, 2, 3, 4},\n    {5, 6, 7, 8}};\n\nMOV result.color, k[0];\nEND",
        );
        expect("!!VP1.0\r\nMOV R0,c[A0.x+4];\r\nEND", "!!VP1.0\r\nMOV R0, c[A0.x + 4];\r\nEND");
    }

    #[test]
    fn what_belongs_to_a_word_stays_with_it() {
        expect(
            "!!NVfp5.0\nTXL color, p, texture[0], 2D, offset (bend);\nMOV offset(GT.x), 1;\nEND",
            "!!NVfp5.0\nTXL color, p, texture[0], 2D, offset(bend);\nMOV offset (GT.x), 1;\nEND",
        );
        expect("!!NVfp5.0\nb SUBROUTINENUM (1):\nEND", "!!NVfp5.0\nb SUBROUTINENUM(1):\nEND");
    }

    #[test]
    fn texts_with_faults_keep_their_tokens() {
        for text in [
            "!!FP1.0 MOV R0 R1\nADD ,,;;} ] 1.5.5 2.0e é MOV",
            "!!VP2.0 a::b: ; ENDIF; ENDIF; # x",
            "!!ARBfp1.0 MOV a.\u{2212}b, |||c|, ..5 . . x; # \u{e9}\n\u{feff}",
            "!!NVfp4.0\tMOV.S\t.x, [[[- - 1]] SUBROUTINENUM((",
            "!!FP1.0#c\nMOV#d\n R0#e\n,R1;#f\n#g",
            "!!FP1.0",
            "!!FP1.0\n# only a comment",
        ] {
            check(text.as_bytes());
        }
        assert_eq!(format(b"MOV   a"), []);
        // A statement without a semicolon does not affect the next ones.
        expect("!!FP1.0\nMOV R0, R1\nMOV R2,R3;\nEND", "!!FP1.0\nMOV R0, R1\nMOV R2, R3;\nEND");
    }

    #[test]
    fn edits_are_between_tokens_alone() {
        let text = b"!!FP1.0\nMOV R0, R1;\nADD R0,R1,R2;\nEND\n";
        let found = format(text);
        let spans: Vec<_> =
            found.iter().map(|edit| (edit.span.start, edit.span.end, edit.text.as_str())).collect();
        assert_eq!(spans, [(27, 27, " "), (30, 30, " ")]);
    }

    #[test]
    fn samples_are_the_same_programs() {
        let samples = samples::programs();
        for Sample { path, text, .. } in &samples {
            let now = check(text);
            assert!(shadestep_language::front::load(&now).program.is_some(), "{}", path.display());
        }
        let count = samples.len();
        assert!(count > 100, "{count}");
    }

    proptest! {
        #[test]
        fn any_text_is_the_same_program(
            header in prop::sample::select(vec!["!!FP1.0", "!!VP2.0", "!!ARBvp1.0", "!!NVgp5.0", "!!VSP1.0"]),
            parts in prop::collection::vec(prop::sample::select(vec![
                "MOV", "R0", "a", ".x", ".", "..", ",", ";", ";\n", ":", "[", "]", "{", "}", "(", ")", "|", "-", "+",
                "1", "1.5", "2D", "1D.", ".5", "=", " ", "  ", "\n", "\n\n\n", "\t", "\r\n", "\r", "# c\n", "#", "IF",
                "ENDIF", "REP", "ELSE", "ENDREP", "CAL", "RET", "main", "END", "SUBROUTINENUM", "é", "!!", "TEMP",
            ]), 0..60),
        ) {
            check(format!("{header}{}", parts.concat()).as_bytes());
        }
    }
}
