//! The place of a caret in the text of `scene.toml`. The text is incomplete while you type, so this scans
//! tokens and needs no valid TOML.

use shadestep_engine::source::Span;

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

/// A token: a word or text in quotes, or one character.
struct Token<'t> {
    span: Span,
    text: &'t str,
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
    let (mut at, mut begins_line) = (0, true);
    while let Some(token) = token(text, at) {
        if token.span.start > caret {
            break;
        }
        at = token.span.end;
        let is_first = std::mem::replace(&mut begins_line, token.text == "\n");
        if is_first && is_header(text, &frames, token.span.start) {
            let line = token.span.start..text[at..].find('\n').map_or(text.len(), |end| at + end);
            let (words, found) = header(&text[line.clone()], line.start, caret);
            if caret <= line.end {
                return found;
            }
            frames = vec![Frame::new(words, FrameKind::Table)];
            at = line.end;
            continue;
        }
        let holds_caret = caret <= token.span.end;
        if token.text.starts_with('#') {
            if holds_caret && caret > token.span.start {
                return None;
            }
            continue;
        }
        let frame = frames.last_mut()?;
        if is_word(token.text) {
            if frame.part == Part::Value {
                if holds_caret {
                    return Some(of_word(frame, token.span));
                }
                continue;
            }
            for word in names(&token) {
                if holds_caret && caret <= word.end {
                    return Some(of_word(frame, word));
                }
                if !word.is_empty() {
                    frame.words.push(name(&text[word.start..word.end]).to_owned());
                }
            }
            continue;
        }
        if caret == token.span.start {
            break;
        }
        take(&mut frames, token.text);
        if frames.len() > DEEPEST {
            return None;
        }
    }
    frames.last().map(|frame| of_word(frame, Span::at(caret)))
}

/// Changes the frames by one character.
fn take(frames: &mut Vec<Frame>, character: &str) {
    let Some(frame) = frames.last_mut() else { return };
    match (character, frame.kind) {
        ("=", _) => frame.part = Part::Value,
        (",", FrameKind::Inline) | ("\n", FrameKind::Table) => frame.end(),
        ("[", _) if frame.part == Part::Value => {
            let path = frame.value_path();
            frames.push(Frame::new(path, FrameKind::Array));
        }
        ("{", _) => {
            let path = frame.value_path();
            frames.push(Frame::new(path, FrameKind::Inline));
        }
        ("]", FrameKind::Array) | ("}", FrameKind::Inline) => {
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
    let mut at = start + brackets;
    for part in line[brackets..names_end].split('.') {
        let word = Span::new(at, at + part.len());
        if (word.start..=word.end).contains(&caret) {
            found = Some(Place { path: path.clone(), role, word });
        }
        path.push(name(part).to_owned());
        at = word.end + 1;
    }
    (path, found)
}

/// Whether a token is a word or text in quotes.
fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| is_bare(c) || matches!(c, '"' | '\''))
}

fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | ':')
}

/// Returns the names of a key, which dots separate outside quotes.
fn names(token: &Token<'_>) -> Vec<Span> {
    if token.text.starts_with(['"', '\'']) {
        return vec![token.span];
    }
    let mut at = token.span.start;
    let span = |name: &str| {
        let start = at;
        at += name.len() + 1;
        Span::new(start, start + name.len())
    };
    token.text.split('.').map(span).collect()
}

/// Returns the name in a word of a key or a header.
pub(super) fn name(word: &str) -> &str {
    word.trim().trim_matches(['"', '\''])
}

/// The next token at or after byte `at`, without spaces.
fn token(text: &str, at: usize) -> Option<Token<'_>> {
    let rest = text.get(at..)?;
    let start = at + rest.find(|c: char| !matches!(c, ' ' | '\t' | '\r'))?;
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let length = match first {
        '#' => rest.find('\n').unwrap_or(rest.len()),
        '"' | '\'' => quoted_length(rest, first),
        c if is_bare(c) => rest.find(|c| !is_bare(c)).unwrap_or(rest.len()),
        c => c.len_utf8(),
    };
    Some(Token { span: Span::new(start, start + length), text: &rest[..length] })
}

/// The length of a text in quotes. One in single quotes ends at the line at the latest.
fn quoted_length(rest: &str, quote: char) -> usize {
    let triple = if quote == '"' { "\"\"\"" } else { "'''" };
    if let Some(inner) = rest.strip_prefix(triple) {
        return inner.find(triple).map_or(rest.len(), |end| end + 2 * triple.len());
    }
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' if quote == '"' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
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
