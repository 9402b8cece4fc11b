//! The place of a caret in the text of `scene.toml`. The text is incomplete while you type, so this scans
//! tokens and needs no valid TOML. The editor colours the same tokens.

use shadestep_engine::source::Span;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// A place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The names of the tables around the place, outermost first. For a value, its key comes last.
    pub path: Vec<String>,
    /// The part of the text.
    pub role: Role,
    /// The word at the place, with its quotes; empty between words.
    pub word: Span,
}

/// A part of a TOML text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A name in `[table]`.
    Table,
    /// A name in `[[table]]`.
    Tables,
    /// A key.
    Key,
    /// A value, or an element of an array.
    Value,
}

/// A line of keys, or an open bracket.
struct Frame {
    /// The table of the keys, or the array.
    path: Vec<String>,
    kind: FrameKind,
    /// The parts of a dotted key so far.
    words: Vec<String>,
    /// Whether the key's `=` is past.
    part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Table,
    Inline,
    Array,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Value,
}

impl Frame {
    fn new(path: Vec<String>, kind: FrameKind) -> Self {
        let part = if kind == FrameKind::Array { Part::Value } else { Part::Key };
        Self { path, kind, words: Vec::new(), part }
    }

    /// The path of a value here.
    fn value_path(&self) -> Vec<String> {
        [self.path.as_slice(), &self.words].concat()
    }

    /// Ends an entry.
    fn end(&mut self) {
        if self.kind != FrameKind::Array {
            (self.words, self.part) = (Vec::new(), Part::Key);
        }
    }
}

/// The most open brackets around a place. No scene needs as many.
const DEEPEST: usize = 32;

/// Returns the place of byte `caret`; nothing in a comment or in too many brackets.
pub(super) fn place(text: &str, caret: usize) -> Option<Place> {
    let mut frames = vec![Frame::new(Vec::new(), FrameKind::Table)];
    let (mut line_end, mut begins_line) = (0, true);
    for (kind, span) in tokens(text) {
        if span.start > caret {
            break;
        }
        if span.start < line_end || kind == TokenKind::Whitespace {
            continue;
        }
        let is_first = std::mem::replace(&mut begins_line, kind == TokenKind::Newline);
        if is_first && is_header(text, &frames, span.start) {
            line_end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end);
            let (words, found) = header(&text[span.start..line_end], span.start, caret);
            if caret <= line_end {
                return found;
            }
            frames = vec![Frame::new(words, FrameKind::Table)];
            continue;
        }
        let holds_caret = caret <= span.end;
        let frame = frames.last_mut()?;
        match kind {
            TokenKind::Comment if holds_caret && caret > span.start => return None,
            TokenKind::Comment => {}
            kind if !is_word(kind) => {
                if caret == span.start {
                    break;
                }
                take(&mut frames, kind);
                if frames.len() > DEEPEST {
                    return None;
                }
            }
            _ if frame.part == Part::Value && holds_caret => return Some(of_word(frame, span)),
            _ if frame.part == Part::Value => {}
            kind => {
                for word in names(kind, &text[span.start..span.end], span.start) {
                    if holds_caret && caret <= word.end {
                        return Some(of_word(frame, word));
                    }
                    if !word.is_empty() {
                        frame.words.push(name(&text[word.start..word.end]).to_owned());
                    }
                }
            }
        }
    }
    frames.last().map(|frame| of_word(frame, Span::at(caret)))
}

/// Changes the frames by one character.
fn take(frames: &mut Vec<Frame>, character: TokenKind) {
    let Some(frame) = frames.last_mut() else { return };
    match (character, frame.kind) {
        (TokenKind::Equals, _) => frame.part = Part::Value,
        (TokenKind::Comma, FrameKind::Inline) | (TokenKind::Newline, FrameKind::Table) => frame.end(),
        (TokenKind::LeftSquareBracket, _) if frame.part == Part::Value => {
            let path = frame.value_path();
            frames.push(Frame::new(path, FrameKind::Array));
        }
        (TokenKind::LeftCurlyBracket, _) => {
            let path = frame.value_path();
            frames.push(Frame::new(path, FrameKind::Inline));
        }
        (TokenKind::RightSquareBracket, FrameKind::Array)
        | (TokenKind::RightCurlyBracket, FrameKind::Inline) => {
            frames.pop();
        }
        _ => {}
    }
}

fn of_word(frame: &Frame, word: Span) -> Place {
    let role = if frame.part == Part::Key { Role::Key } else { Role::Value };
    Place { path: frame.value_path(), role, word }
}

/// Whether a header such as `[state]` begins at `start`, the first token of a line. One without spaces before
/// it also ends an array or an inline table that is not closed.
fn is_header(text: &str, frames: &[Frame], start: usize) -> bool {
    let rest = &text[start..];
    if !rest.starts_with('[') {
        return false;
    }
    match frames {
        [frame] => frame.part == Part::Key,
        _ => {
            let name = rest.trim_start_matches('[');
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
            is_name && text[..start].ends_with('\n') && rest.lines().next().is_some_and(|l| l.ends_with(']'))
        }
    }
}

/// Reads a header that begins at byte `start`: its names, and the place of the caret if that is in a name.
fn header(line: &str, start: usize, caret: usize) -> (Vec<String>, Option<Place>) {
    let role = if line.starts_with("[[") { Role::Tables } else { Role::Table };
    let brackets = line.len() - line.trim_start_matches('[').len();
    let names_end = line.find(']').unwrap_or(line.len()).max(brackets);
    let (mut path, mut found) = (Vec::new(), None);
    for word in names(TokenKind::Atom, &line[brackets..names_end], start + brackets) {
        if (word.start..=word.end).contains(&caret) {
            found = Some(Place { path: path.clone(), role, word });
        }
        path.push(name(&line[word.start - start..word.end - start]).to_owned());
    }
    (path, found)
}

/// Returns the tokens of a TOML text, without gaps. Dots and the bare words around them are one token.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = (TokenKind, Span)> {
    let is_bare = |kind| matches!(kind, TokenKind::Atom | TokenKind::Dot);
    let mut tokens = Source::new(text).lex().filter(|token| token.kind() != TokenKind::Eof).peekable();
    // The lexer skips a byte order mark.
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = tokens.next()?;
        let (mut kind, mut end) = (first.kind(), first.span().end());
        while is_bare(kind)
            && let Some(next) = tokens.next_if(|next| is_bare(next.kind()))
        {
            (kind, end) = (TokenKind::Atom, next.span().end());
        }
        Some((kind, Span::new(std::mem::replace(&mut at, end), end)))
    })
}

/// Whether a token is a word or text in quotes.
const fn is_word(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Atom | TokenKind::Dot) || is_text(kind)
}

/// Whether a token is text in quotes.
pub(crate) const fn is_text(kind: TokenKind) -> bool {
    use TokenKind::{BasicString, LiteralString, MlBasicString, MlLiteralString};
    matches!(kind, BasicString | LiteralString | MlBasicString | MlLiteralString)
}

/// Returns the names of a key that begins at byte `start`. Dots separate names outside quotes.
fn names(kind: TokenKind, key: &str, start: usize) -> Vec<Span> {
    if is_text(kind) {
        return vec![Span::new(start, start + key.len())];
    }
    let mut at = start;
    let span = |name: &str| {
        let start = at;
        at += name.len() + 1;
        Span::new(start, start + name.len())
    };
    key.split('.').map(span).collect()
}

/// Returns the name in a word of a key or a header.
pub(super) fn name(word: &str) -> &str {
    word.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of `|` in a text without it.
    fn at(text: &str) -> Option<(String, Role, String)> {
        let caret = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let place = place(&text, caret)?;
        let word = text[place.word.start..place.word.end].to_owned();
        Some((place.path.join("."), place.role, word))
    }

    fn is(path: &str, role: Role, word: &str) -> Option<(String, Role, String)> {
        Some((path.to_owned(), role, word.to_owned()))
    }

    #[test]
    fn places_are_found_in_incomplete_texts() {
        use Role::{Key, Table, Tables, Value};
        for (text, expected) in [
            ("|", is("", Key, "")),
            ("ti|", is("", Key, "ti")),
            ("title = |", is("title", Value, "")),
            ("size = [1, 2]\n[sta|", is("", Table, "sta")),
            ("[[tex|ture]]\n", is("", Tables, "texture")),
            ("[material.fr|]\n", is("material", Table, "fr")),
            ("[state]\ncu|", is("state", Key, "cu")),
            ("[state]\ncull = \"BA|", is("state.cull", Value, "\"BA")),
            ("[state]\nblend = { sr|", is("state.blend", Key, "sr")),
            ("[state]\nblend = { src = \"ONE\", |", is("state.blend", Key, "")),
            ("[state]\nblend = { src = \"O|\" }", is("state.blend.src", Value, "\"O\"")),
            ("[state]\nblend.ds|", is("state.blend", Key, "ds")),
            ("[state]\nble|nd.dst = 1", is("state", Key, "blend")),
            ("[state]\nblend.|", is("state.blend", Key, "")),
            ("[camera]\nmodel = [\n  { ro|", is("camera.model", Key, "ro")),
            ("[camera]\nmodel = [\n{ rotate = 1 },\n[state]\ncu|", is("state", Key, "cu")),
            ("[parameters]\n\"p[0]\" = [\"ti|", is("parameters.p[0]", Value, "\"ti")),
            ("# no|\n", None),
            ("x = \"a # b\" # no|", None),
        ] {
            assert_eq!(at(text), expected, "{text}");
        }
    }

    #[test]
    fn no_text_panics() {
        let text = "[a.\"b]\n[[é]] = {[,'x\n\"\"\"{}]]=.é\"'''[";
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            for caret in (0..=end).filter(|caret| text.is_char_boundary(*caret)) {
                let _ = place(&text[..end], caret);
            }
        }
        let deep = "a = { ".repeat(1 << 16);
        assert_eq!(place(&deep, deep.len()), None);
    }
}
