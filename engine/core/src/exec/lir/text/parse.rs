//! Parses functions and blocks.

use std::collections::HashMap;
use std::fmt;

use super::fields::Field;
use crate::exec::lir::node::{Kind, Node, NodeId, names};
use crate::exec::lir::{Action, Block, Effect, Exit, Function, Instruction, Target, result_kind};
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

/// A function or a block of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    /// The name, without `%`.
    pub name: String,
    pub code: T,
    /// The line of the closing brace.
    pub end: usize,
}

/// The functions of `text`. They are in SSA form, and their results have the letters of their kinds.
/// [`crate::exec::lir::verify`] checks everything else.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<Vec<Parsed<Function>>, ParseError> {
    let bodies = bodies(text, "function")?;
    Ok(bodies.into_iter().map(|(body, end)| body.function(end)).collect())
}

/// The blocks of `text`, as [`parse`] reads functions.
///
/// # Errors
/// The first error in the text.
pub fn parse_blocks(text: &str) -> Result<Vec<Parsed<Block>>, ParseError> {
    let block = |(body, end): (Body<'_>, usize)| Parsed { name: body.name.to_owned(), code: body.block, end };
    Ok(bodies(text, "block")?.into_iter().map(block).collect())
}

/// The bodies after `keyword`, each with the line of its closing brace.
fn bodies<'t>(text: &'t str, keyword: &'static str) -> Result<Vec<(Body<'t>, usize)>, ParseError> {
    let mut bodies = Vec::new();
    let mut open: Option<Body<'_>> = None;
    let mut last = 1;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let tokens = tokens(line, last)?;
        let Some(first) = tokens.first() else { continue };
        let mut place = Cursor { tokens: &tokens, at: 0, line: last, end: line.len() + 1 };
        match &mut open {
            None => open = Some(Body::begin(&mut place, keyword)?),
            Some(_) if first.text == "}" => {
                place.at = 1;
                place.end()?;
                bodies.extend(open.take().map(|body| (body, last)));
            }
            Some(body) => body.instruction(place)?,
        }
    }
    match open {
        None => Ok(bodies),
        Some(body) => {
            let message = format!("the {keyword} %{} has no closing brace", body.name);
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
            '=' | ',' | '{' | '}' | '[' | ']' => 1,
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

/// A function or a block that is being parsed.
#[derive(Debug)]
struct Body<'t> {
    name: &'t str,
    /// Whether the text may have effects.
    is_block: bool,
    block: Block,
    kinds: Vec<Kind>,
    values: HashMap<ValueName, NodeId>,
    /// The line of each node.
    lines: Vec<usize>,
}

impl<'t> Body<'t> {
    fn begin(place: &mut Cursor<'_, 't>, keyword: &str) -> Result<Self, ParseError> {
        if !place.skip(keyword) {
            return Err(place.wanted(keyword));
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
            is_block: keyword == "block",
            block: Block::default(),
            kinds: Vec::new(),
            values: HashMap::new(),
            lines: Vec::new(),
        })
    }

    /// The function that ends at line `end`.
    fn function(self, end: usize) -> Parsed<Function> {
        let Self { name, block, .. } = self;
        let stores = block.instructions.into_iter().filter_map(|instruction| match instruction {
            Instruction::Store(target, value) => Some((target, value)),
            Instruction::Compute(_) | Instruction::Kill(_) | Instruction::Effect(_) => None,
        });
        let function = Function { nodes: block.nodes, stores: stores.collect() };
        Parsed { name: name.to_owned(), code: function, end }
    }

    const fn reader<'p>(&'p self, place: Cursor<'p, 't>) -> Reader<'p, 't> {
        Reader { values: &self.values, place, arguments: 0 }
    }

    fn instruction(&mut self, mut place: Cursor<'_, 't>) -> Result<(), ParseError> {
        if self.block.exit != Exit::Next {
            return Err(place.wanted("} after the exit"));
        }
        if place.skip("store") {
            let mut reader = self.reader(place);
            let target = Target::read(&mut reader)?;
            let value = reader.value()?;
            reader.end()?;
            self.block.instructions.push(Instruction::Store(target, value));
            return Ok(());
        }
        if self.is_block && place.skip("kill") {
            let mut reader = self.reader(place);
            let mask = reader.value()?;
            reader.end()?;
            self.block.instructions.push(Instruction::Kill(mask));
            return Ok(());
        }
        if self.is_block && place.peek().is_some_and(|word| Exit::NAMES.contains(&word)) {
            let mut reader = self.reader(place);
            let exit = Exit::read(&mut reader)?;
            let test = if reader.end().is_err() { Some(reader.value()?) } else { None };
            reader.end()?;
            (self.block.exit, self.block.test) = (exit, test);
            return Ok(());
        }
        let is_effect = |place: Cursor<'_, '_>| {
            self.is_block && place.peek().is_some_and(|word| Action::NAMES.contains(&word))
        };
        if is_effect(place) {
            return self.effect(place, &[]);
        }
        let mut results = Vec::new();
        loop {
            let name = place.peek().and_then(value_name);
            let is_none = self.is_block && place.peek() == Some("_");
            if name.is_none() && !is_none {
                return Err(place.wanted("a value such as v0, a store or }"));
            }
            if let Some(&first) = name.and_then(|name| self.values.get(&name)) {
                let line = self.lines[first as usize];
                return Err(place.error(format!("line {line} already defines this value")));
            }
            results.push((place, name));
            place.at += 1;
            if !self.is_block || !place.skip(",") {
                break;
            }
        }
        if !place.skip("=") {
            return Err(place.wanted("="));
        }
        if is_effect(place) {
            return self.effect(place, &results);
        }
        let [(result, Some(name))] = *results else {
            return Err(place.wanted("an effect such as texture"));
        };
        let operation = place;
        let mut reader = self.reader(place);
        let node = Node::read(&mut reader)?.ok_or_else(|| unknown(operation))?;
        let kind = result_kind(&node, |id| self.kinds[id as usize]);
        if kind != name.0 {
            let word = operation.peek().unwrap_or_default();
            let (noun, letter) = (kind.noun(), kind.name());
            return Err(result.error(format!("the result of {word} is {noun}: write {letter}{}", name.1)));
        }
        let id = self.define(name, node, place.line);
        self.block.instructions.push(Instruction::Compute(id));
        Ok(())
    }

    /// Reads an effect with results of these names.
    fn effect(
        &mut self,
        place: Cursor<'_, 't>,
        names: &[(Cursor<'_, 't>, Option<ValueName>)],
    ) -> Result<(), ParseError> {
        let mut reader = self.reader(place);
        let action = Action::read(&mut reader)?;
        let count = action.operands();
        let operands = (0..count).map(|_| reader.value()).collect::<Result<_, _>>()?;
        reader.end()?;
        let mut results = Vec::new();
        for (number, &(at, name)) in (0..).zip(names) {
            let Some(name) = name else { continue };
            if name.0 != Kind::Value {
                return Err(at.error(format!("a result of an effect is a value: write v{}", name.1)));
            }
            if self.values.contains_key(&name) {
                return Err(at.error("this line already defines this value".to_owned()));
            }
            let result = Node::Result(self.block.results());
            results.push((number, self.define(name, result, place.line)));
        }
        self.block.instructions.push(Instruction::Effect(Effect { action, operands, results }));
        Ok(())
    }

    fn define(&mut self, name: ValueName, node: Node, line: usize) -> NodeId {
        let id = self.block.nodes.len() as NodeId;
        self.values.insert(name, id);
        self.kinds.push(name.0);
        self.block.nodes.push(node);
        self.lines.push(line);
        id
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

    /// Skips `word`.
    ///
    /// # Errors
    /// The next word is another one.
    pub fn want(&mut self, word: &str) -> Result<(), ParseError> {
        if self.skip(word) { Ok(()) } else { Err(self.expected(&[word])) }
    }

    /// Skips the next word if `read` returns a value for it. Returns this value.
    pub fn take<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let value = read(self.place.peek()?)?;
        self.place.at += 1;
        Some(value)
    }

    /// The error at a word that is none of `words`.
    pub fn expected(&self, words: &[&str]) -> ParseError {
        self.place.wanted(&words.join(" or "))
    }

    /// Skips the comma before an argument.
    ///
    /// # Errors
    /// The text has no further argument.
    pub fn comma(&mut self) -> Result<(), ParseError> {
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
        self.comma()?;
        let name = self.place.peek().and_then(value_name);
        let name = name.ok_or_else(|| self.place.wanted("a value such as v0"))?;
        self.place.at += 1;
        let undefined = || {
            let (kind, number) = name;
            self.place.error_before(format!("{}{number} is not defined before this line", kind.name()))
        };
        self.values.get(&name).copied().ok_or_else(undefined)
    }

    /// # Errors
    /// The instruction has more arguments.
    pub fn end(&self) -> Result<(), ParseError> {
        self.place.end()
    }
}
