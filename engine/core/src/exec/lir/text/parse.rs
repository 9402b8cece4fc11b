//! Parses functions.

use std::collections::HashMap;
use std::fmt;

use super::notation::{Number, Words};
use crate::exec::lir::node::{Kind, Node, NodeId, names};
use crate::exec::lir::{Function, Target, result_kind};
use shadestep_language::front::nearest;

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// A function of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The name, without `%`.
    pub name: String,
    pub function: Function,
    /// The line of each node.
    pub node_lines: Vec<usize>,
    /// The line of each store.
    pub store_lines: Vec<usize>,
    /// The line of the closing brace.
    pub end: usize,
}

/// The functions of `text`. They are in SSA form, and their results have the letters of their kinds.
/// [`crate::exec::lir::verify`] checks everything else.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<Vec<Parsed>, ParseError> {
    let mut functions = Vec::new();
    let mut open: Option<Body<'_>> = None;
    let mut last = 1;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let tokens = tokens(line, last)?;
        let Some(first) = tokens.first() else { continue };
        let mut place = Cursor { tokens: &tokens, at: 0, line: last, end: line.len() + 1 };
        match &mut open {
            None => open = Some(Body::begin(&mut place)?),
            Some(_) if first.text == "}" => {
                place.at = 1;
                place.end()?;
                functions.extend(open.take().map(|body| body.finish(last)));
            }
            Some(body) => body.instruction(place)?,
        }
    }
    match open {
        None => Ok(functions),
        Some(body) => {
            let message = format!("the function %{} has no closing brace", body.name);
            Err(ParseError { line: last, column: 1, message })
        }
    }
}

/// A token: a word, a number, a function's name or a sign.
#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    text: &'t str,
    /// From 1.
    column: usize,
}

/// The tokens of a line, without the comment.
fn tokens(line: &str, number: usize) -> Result<Vec<Token<'_>>, ParseError> {
    let text = line.split(';').next().unwrap_or_default();
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '+' | '-' | '%');
        let length = match first {
            '=' | ',' | '{' | '}' => 1,
            _ => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
        };
        let column = text.len() - rest.len() + 1;
        if length == 0 {
            let message = format!("unexpected character {first:?}");
            return Err(ParseError { line: number, column, message });
        }
        tokens.push(Token { text: &rest[..length], column });
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// The name of a value in a text.
type ValueName = (Kind, NodeId);

/// The value that `text` names.
fn value_name(text: &str) -> Option<ValueName> {
    let kind = Kind::ALL.into_iter().find(|kind| text.starts_with(kind.name()))?;
    let number = &text[kind.name().len()..];
    // Only one name for each number.
    let is_plain =
        number.bytes().all(|digit| digit.is_ascii_digit()) && (number == "0" || !number.starts_with('0'));
    Some((kind, number.parse().ok().filter(|_| is_plain)?))
}

/// A place in the tokens of a line.
#[derive(Clone, Copy, Debug)]
struct Cursor<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    line: usize,
    /// The column after the line.
    end: usize,
}

impl<'t> Cursor<'_, 't> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).map(|token| token.text)
    }

    /// Goes to the next token if this one is `text`.
    fn skip(&mut self, text: &str) -> bool {
        let is_here = self.peek() == Some(text);
        self.at += usize::from(is_here);
        is_here
    }

    fn error(&self, message: String) -> ParseError {
        let column = self.tokens.get(self.at).map_or(self.end, |token| token.column);
        ParseError { line: self.line, column, message }
    }

    /// An error at the token before.
    fn error_before(mut self, message: String) -> ParseError {
        self.at = self.at.saturating_sub(1);
        self.error(message)
    }

    fn wanted(&self, wanted: &str) -> ParseError {
        let found = self.peek().map_or_else(|| "the end of the line".to_owned(), str::to_owned);
        self.error(format!("expected {wanted}, found {found}"))
    }

    /// # Errors
    /// The line continues.
    fn end(&self) -> Result<(), ParseError> {
        self.peek().map_or(Ok(()), |_| Err(self.wanted("the end of the line")))
    }
}

/// A function that is being parsed.
#[derive(Debug)]
struct Body<'t> {
    name: &'t str,
    function: Function,
    kinds: Vec<Kind>,
    values: HashMap<ValueName, NodeId>,
    node_lines: Vec<usize>,
    store_lines: Vec<usize>,
}

impl<'t> Body<'t> {
    fn begin(place: &mut Cursor<'_, 't>) -> Result<Self, ParseError> {
        if !place.skip("function") {
            return Err(place.wanted("function"));
        }
        let name = place.peek().and_then(|token| token.strip_prefix('%')).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| place.wanted("a name such as %sum"))?;
        place.at += 1;
        if !place.skip("{") {
            return Err(place.wanted("{"));
        }
        place.end()?;
        Ok(Self {
            name,
            function: Function::default(),
            kinds: Vec::new(),
            values: HashMap::new(),
            node_lines: Vec::new(),
            store_lines: Vec::new(),
        })
    }

    fn finish(self, end: usize) -> Parsed {
        let Self { name, function, node_lines, store_lines, .. } = self;
        Parsed { name: name.to_owned(), function, node_lines, store_lines, end }
    }

    fn instruction(&mut self, mut place: Cursor<'_, 't>) -> Result<(), ParseError> {
        if place.skip("store") {
            let mut reader = Reader { values: &self.values, place, arguments: 0 };
            let target = Target::read(&mut reader)?;
            let value = reader.value()?;
            reader.end()?;
            self.function.stores.push((target, value));
            self.store_lines.push(place.line);
            return Ok(());
        }
        let result = place;
        let name = place.peek().and_then(value_name);
        let name = name.ok_or_else(|| place.wanted("a value such as v0, a store or }"))?;
        if let Some(&first) = self.values.get(&name) {
            let line = self.node_lines[first as usize];
            return Err(result.error(format!("line {line} already defines this value")));
        }
        place.at += 1;
        if !place.skip("=") {
            return Err(place.wanted("="));
        }
        let operation = place;
        let mut reader = Reader { values: &self.values, place, arguments: 0 };
        let node = Node::read(&mut reader)?.ok_or_else(|| unknown(operation))?;
        let kind = result_kind(&node, |id| self.kinds[id as usize]);
        if kind != name.0 {
            let word = operation.peek().unwrap_or_default();
            let (noun, letter) = (kind.noun(), kind.name());
            return Err(result.error(format!("the result of {word} is {noun}: write {letter}{}", name.1)));
        }
        let id = self.function.nodes.len() as NodeId;
        self.values.insert(name, id);
        self.kinds.push(kind);
        self.function.nodes.push(node);
        self.node_lines.push(place.line);
        Ok(())
    }
}

/// The error at a word that is not an operation.
fn unknown(place: Cursor<'_, '_>) -> ParseError {
    let Some(word) = place.peek() else { return place.wanted("an operation") };
    let near = nearest(word, names()).map(|near| format!("; did you mean {near}?"));
    place.error(format!("{word} is not an operation{}", near.unwrap_or_default()))
}

/// Reads the words and arguments of an instruction.
#[derive(Debug)]
pub struct Reader<'p, 't> {
    values: &'p HashMap<ValueName, NodeId>,
    place: Cursor<'p, 't>,
    /// Number of arguments so far.
    arguments: usize,
}

impl Reader<'_, '_> {
    /// Whether the next word is `word`.
    pub fn is_at(&self, word: &str) -> bool {
        self.place.peek() == Some(word)
    }

    /// Skips `word` if it is next. Returns whether it is.
    pub fn skip(&mut self, word: &str) -> bool {
        self.place.skip(word)
    }

    /// The error at a word that is none of `words`.
    pub fn expected(&self, words: &[&str]) -> ParseError {
        self.place.wanted(&words.join(" or "))
    }

    /// Reads words in the notation `N`.
    ///
    /// # Errors
    /// The text has other words.
    pub fn word<T, N: Words<T>>(&mut self) -> Result<T, ParseError> {
        let (value, count) =
            N::read(self.place.peek().unwrap_or_default()).map_err(|words| self.expected(&words))?;
        self.place.at += count;
        Ok(value)
    }

    /// Skips the comma before an argument.
    fn argument(&mut self) -> Result<(), ParseError> {
        self.arguments += 1;
        if self.arguments > 1 && !self.place.skip(",") {
            return Err(self.place.wanted("a comma and another argument"));
        }
        Ok(())
    }

    /// Reads a value.
    ///
    /// # Errors
    /// The text has no value here, or one that is not defined before.
    pub fn value(&mut self) -> Result<NodeId, ParseError> {
        self.argument()?;
        let name = self.place.peek().and_then(value_name);
        let name = name.ok_or_else(|| self.place.wanted("a value such as v0"))?;
        self.place.at += 1;
        let undefined = || {
            let (kind, number) = name;
            self.place.error_before(format!("{}{number} is not defined before this line", kind.name()))
        };
        self.values.get(&name).copied().ok_or_else(undefined)
    }

    /// Reads a number in the notation `N`.
    ///
    /// # Errors
    /// The text has no such number here.
    pub fn number<T, N: Number<T>>(&mut self) -> Result<T, ParseError> {
        self.argument()?;
        let number = self.place.peek().and_then(N::read).ok_or_else(|| self.place.wanted(N::EXPECTED))?;
        self.place.at += 1;
        Ok(number)
    }

    /// # Errors
    /// The instruction has more arguments.
    pub fn end(&self) -> Result<(), ParseError> {
        self.place.end()
    }
}
