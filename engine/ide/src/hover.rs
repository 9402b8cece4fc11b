//! The meaning of a word of a program, as hover text.
//!
//! Every statement must be true in the language of the text. A text without a language gets help with its
//! header only.

use std::cell::OnceCell;
use std::fmt::Write as _;

use super::help;
use super::highlight::{Asked, Coloured, Token, TokenKind};
use super::lexicon::Lexicon;
use super::meaning::{self, Text, describe};
use super::outline::{OutlineItem, OutlineKind, outline};
use super::uses::Reading;
use super::words::{self, Array, Word, classify};
use shadestep_language::front::arb::symbols::{Declared, Meaning};
use shadestep_language::front::lossy;
use shadestep_language::ir::{self, ParameterSource, Program, Source, Target};
use shadestep_language::isa::{self, Addresses, Language, Lookup, Suffixes};
use shadestep_language::source::{LineIndex, Span};

/// The hover text for a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that the text describes.
    pub span: Span,
    /// The title, one line.
    pub title: String,
    /// The syntax and formulas of an instruction, one line each; empty for other words.
    pub code: Vec<String>,
    /// Plain text. Blank lines separate paragraphs.
    pub body: String,
}

/// The hover text at byte `offset` of `text`. `program` is the loaded program, if it loads; it adds values.
pub fn hover(text: &[u8], offset: usize, program: Option<&Program>) -> Option<Hover> {
    Hoverable::of(text, Language::of_header(text)?).hover(offset, program)
}

/// A text that is parsed once for the hover texts of all its words.
pub struct Hoverable<'t> {
    reading: Reading<'t>,
    index: LineIndex,
    outline: OnceCell<Vec<OutlineItem>>,
}

impl<'t> Hoverable<'t> {
    /// Parses a text in `language`.
    pub fn of(text: &'t [u8], language: Language) -> Self {
        let reading = Reading::of(text, language);
        Self { reading, index: LineIndex::new(text), outline: OnceCell::new() }
    }

    pub const fn lexicon(&self) -> &Lexicon {
        &self.reading.lexicon
    }

    fn outline(&self) -> &[OutlineItem] {
        self.outline.get_or_init(|| outline(self.reading.text))
    }

    /// The hover text at byte `offset`.
    pub fn hover(&self, offset: usize, program: Option<&Program>) -> Option<Hover> {
        let text = self.reading.text;
        let line_number = self.index.line_of(offset.min(text.len()));
        let line = self.index.line_span(line_number);
        let within = offset.wrapping_sub(line.start);
        let Coloured { tokens, binding, .. } =
            Coloured::of(line.slice(text), line_number, self.lexicon(), Asked::At(within));
        let hovered = Hovered {
            of: self,
            line: line.slice(text),
            tokens: &tokens,
            at: tokens.iter().position(|t| t.span.contains(within))?,
            program,
        };
        let bound = binding.and_then(|(span, meaning)| Some(hovered.binding(span, &meaning?)));
        let found = bound.or_else(|| hovered.describe())?;
        Some(Hover { span: Span::new(found.span.start + line.start, found.span.end + line.start), ..found })
    }
}

/// A token with its context.
struct Hovered<'h> {
    of: &'h Hoverable<'h>,
    line: &'h [u8],
    tokens: &'h [Token],
    at: usize,
    program: Option<&'h Program>,
}

/// A register in brackets, as written on the line.
struct Element {
    span: Span,
    array: Array,
    /// The contents of the brackets, without spaces.
    content: String,
}

impl Hovered<'_> {
    const fn language(&self) -> Language {
        self.of.reading.language()
    }

    fn word(&self, index: usize) -> String {
        self.tokens.get(index).map_or_else(String::new, |t| lossy(t.span.slice(self.line)))
    }

    /// The hover text of the token. Spans count from the start of the line.
    fn describe(&self) -> Option<Hover> {
        let token = self.tokens[self.at];
        let word = self.word(self.at);
        let language = self.language();
        let text = match token.kind {
            TokenKind::Mnemonic | TokenKind::Suffix => return self.instruction(),
            TokenKind::Attribute | TokenKind::Output | TokenKind::Parameter | TokenKind::Error => {
                let element = self.element().map(|element| self.element_text(&element));
                if let Some(whole) = element.or_else(|| self.instruction()) {
                    return Some(whole);
                }
                self.declared(&word).or_else(|| self.array_element()).or_else(|| self.foreign(&word))
            }
            TokenKind::Register | TokenKind::TextureUnit | TokenKind::Name => self
                .declared(&word)
                .or_else(|| self.register(&word))
                .or_else(|| self.constant(&word))
                .or_else(|| self.foreign(&word)),
            TokenKind::Condition => help::condition(language, &word),
            TokenKind::TextureTarget => help::target(&word),
            TokenKind::Swizzle => Some(help::components(&word)),
            TokenKind::Keyword => help::keyword(language, &word),
            TokenKind::Option => help::option(language, &word),
            TokenKind::Label => Some(self.label(&word)),
            TokenKind::Header => Some(help::header(language)),
            TokenKind::Number => help::number(&word),
            TokenKind::Punctuation | TokenKind::Comment | TokenKind::Whitespace => None,
        };
        text.map(|(title, body)| Hover { span: token.span, title, code: Vec::new(), body })
    }

    /// Describes a binding or texture image unit.
    fn binding(&self, span: Span, meaning: &Meaning) -> Hover {
        let written: String = lossy(span.slice(self.line)).split_whitespace().collect();
        let (what, mut body) = self.described(meaning, None);
        let _ = write!(body, "\n\n{}", help::binding_clause(self.language(), meaning));
        Hover { span, title: format!("{written}: {what}"), code: Vec::new(), body }
    }

    /// Describes a meaning and its uses in the program. `name` is the name of the variable, if there is one.
    fn described(&self, meaning: &Meaning, name: Option<&str>) -> Text {
        let (what, mut body) = describe(self.language(), meaning);
        if let Some(uses) = self.uses(meaning, name) {
            let _ = write!(body, "\n\n{uses}");
        }
        (what, body)
    }

    /// Describes a declared variable.
    fn declared(&self, word: &str) -> Option<Text> {
        let Declared { meaning, place } = self.of.reading.symbols.names.get(word)?;
        let (what, mut body) = describe(self.language(), meaning);
        if let Some(binding) = self.spelling(meaning) {
            body = format!("Bound to {binding}. {body}");
        }
        let place =
            place.map(|place| format!("Declared on line {}.", self.of.index.line_of(place.start) + 1));
        let notes: Vec<String> = place.into_iter().chain(self.uses(meaning, Some(word))).collect();
        if !notes.is_empty() {
            let _ = write!(body, "\n\n{}", notes.join(" "));
        }
        Some((format!("{word}: {what}"), body))
    }

    /// Describes the element of a declared array, for a token that is the index.
    fn array_element(&self) -> Option<Text> {
        let significant = |i: &usize| self.tokens[*i].kind != TokenKind::Whitespace;
        let mut before = (0..self.at).rev().filter(significant);
        let bracket = before.next()?;
        let name = self.word(before.next()?);
        let number = self.word(self.at);
        let Meaning::Parameters(elements) = &self.of.reading.symbols.names.get(&name)?.meaning else {
            return None;
        };
        let element = elements.get(number.parse::<usize>().ok()?).filter(|_| self.word(bracket) == "[")?;
        let (what, body) = describe(self.language(), &Meaning::Parameter(element.clone()));
        let binding =
            element.name_in(self.language()).map_or_else(String::new, |b| format!("Bound to {b}. "));
        Some((format!("{name}[{number}]: {what}"), format!("{binding}{body}")))
    }

    /// Describes a name from DEFINE or DECLARE.
    fn constant(&self, word: &str) -> Option<Text> {
        if self.language().profile().declares_variables() {
            return None;
        }
        let mut parameters = self.program.iter().flat_map(|program| &program.parameters);
        let set = parameters.find_map(|parameter| match &parameter.source {
            source @ ParameterSource::Named { name, initial } if name == word => Some((source, initial)),
            _ => None,
        });
        if let Some((source, [x, y, z, w])) = set {
            let mut body =
                format!("Set from outside the program between draws; ({x}, {y}, {z}, {w}) until then.");
            if let Some(uses) = self.uses(&Meaning::Parameter(source.clone()), None) {
                let _ = write!(body, "\n\n{uses}");
            }
            return Some((format!("{word}: local parameter"), body));
        }
        let is_meant = |item: &&OutlineItem| {
            item.title == word && matches!(item.kind, OutlineKind::Constant | OutlineKind::Parameter)
        };
        let OutlineItem { kind, detail, .. } = self.of.outline().iter().find(is_meant)?;
        if *kind == OutlineKind::Constant {
            let body = "A constant made by DEFINE. Using its name is the same as writing its value.";
            return Some((format!("{word} = {detail}"), body.to_owned()));
        }
        let initial = if detail.is_empty() { "(0,0,0,0)" } else { detail };
        Some((
            format!("{word}: local parameter"),
            format!("Declared with DECLARE. Set from outside the program; {initial} until then."),
        ))
    }

    /// Describes a predefined register.
    fn register(&self, word: &str) -> Option<Text> {
        let language = self.language();
        let meaning = match classify(language, word) {
            Word::Temporary(ty) => Meaning::Temporary(ty),
            Word::Address => Meaning::Address,
            Word::TextureUnit => Meaning::TextureUnit(0),
            Word::ConditionRegister(ty) => return Some(meaning::condition_only(language, word, ty)),
            _ => return None,
        };
        let (what, body) = self.described(&meaning, Some(word));
        Some((format!("{word}: {what}"), body))
    }

    /// Describes a word that the language lacks: the option that adds it, or the languages that have it.
    fn foreign(&self, word: &str) -> Option<Text> {
        let language = self.language();
        let elsewhere = || {
            let others = words::elsewhere(language, word);
            (!others.is_empty()).then(|| help::elsewhere(language, word, &others))
        };
        help::missing(language, word).or_else(elsewhere)
    }

    /// Describes an instruction name. The token can be any part of the name.
    fn instruction(&self) -> Option<Hover> {
        let is_suffix = |t: &&Token| matches!(t.kind, TokenKind::Suffix | TokenKind::Error);
        let first = self.tokens[..=self.at].iter().rposition(|t| !is_suffix(&t))?;
        let mnemonic = self.tokens.get(first).filter(|t| t.kind == TokenKind::Mnemonic)?;
        let suffixes = self.tokens[first + 1..].iter().take_while(is_suffix);
        let span = suffixes.fold(mnemonic.span, |span, suffix| span.to(suffix.span));
        let word = lossy(span.slice(self.line));
        let (info, suffixes) = match isa::lookup(self.language(), &word) {
            Lookup::Instruction(info, suffixes) => (info, suffixes),
            Lookup::BadSuffix(info, ..) => (info, Suffixes::default()),
            Lookup::Unknown => return None,
        };
        let mut hover = help::instruction(info, suffixes, self.language(), span)?;
        if isa::find(self.language(), &word).is_none() {
            let note = self.foreign(&word).map_or_else(|| format!("There is no {word}."), |(_, body)| body);
            hover.body = format!("{note}\n\n{}", hover.body);
        }
        Some(hover)
    }

    /// The array element around the token, such as `f[TEX0]` or `c[A0.x + 4]`.
    fn element(&self) -> Option<Element> {
        let significant: Vec<usize> =
            (0..self.tokens.len()).filter(|&i| self.tokens[i].kind != TokenKind::Whitespace).collect();
        let word = |place: usize| significant.get(place).map_or_else(String::new, |&i| self.word(i));
        let array_at = |place: usize| match classify(self.language(), &word(place)) {
            Word::Array(array) => Some(array),
            _ => None,
        };
        let place = significant.iter().position(|&i| i == self.at)?;
        let inside =
            significant[..place].iter().rev().take_while(|&&i| !matches!(self.word(i).as_str(), "]" | ";"));
        let open = inside.clone().position(|&i| self.word(i) == "[").map(|back| place - 1 - back);
        let array_place = match open {
            Some(open) => open.checked_sub(1)?,
            None => place,
        };
        let array = array_at(array_place)?;
        let start = self.tokens[significant[array_place]].span;
        if word(array_place + 1) != "[" {
            return Some(Element { span: start, array, content: String::new() });
        }
        // An unclosed bracket contains at most one word.
        let rest = significant.get(array_place + 2..).unwrap_or_default();
        let close = rest
            .iter()
            .take_while(|&&i| !matches!(self.word(i).as_str(), "," | ";"))
            .position(|&i| self.word(i) == "]");
        let is_content = |&&i: &&usize| self.tokens[i].kind != TokenKind::Punctuation;
        let length = close.unwrap_or_else(|| rest.iter().take(1).take_while(is_content).count());
        let content = rest[..length].iter().map(|&i| self.word(i)).collect();
        let last = if close.is_some() { Some(length) } else { length.checked_sub(1) };
        let end = last.and_then(|last| rest.get(last)).map_or(start, |&i| self.tokens[i].span);
        let span = start.to(end);
        // Words after an unclosed bracket do not belong to the element.
        span.contains(self.tokens[self.at].span.start).then_some(Element { span, array, content })
    }

    fn element_text(&self, element: &Element) -> Hover {
        let Element { array, ref content, span } = *element;
        let language = self.language();
        let (title, mut body) = element_in(language, array, content).unwrap_or_else(|| {
            let has = |other: &Language| {
                array.name(*other) == array.name(language) && element_in(*other, array, content).is_some()
            };
            let others: Vec<Language> = Language::ALL.into_iter().filter(has).collect();
            match array.name(language) {
                Some(letter) if !others.is_empty() => {
                    help::elsewhere(language, &format!("{letter}[{content}]"), &others)
                }
                _ => meaning::array(language, array),
            }
        });
        let meaning = meaning::element(language, array, content);
        if let Some(uses) = meaning.and_then(|meaning| self.uses(&meaning, None)) {
            let panel = match array {
                Array::Parameters => " The Inputs panel shows the current values.",
                Array::Attributes | Array::Outputs => "",
            };
            let _ = write!(body, "\n\n{uses}{panel}");
        }
        Hover { span, title, code: Vec::new(), body }
    }

    fn label(&self, word: &str) -> Text {
        let is_meant = |item: &&OutlineItem| item.kind == OutlineKind::Label && item.title == word;
        let mut body = match self.of.outline().iter().find(is_meant) {
            Some(item) => {
                let line = self.of.index.line_of(item.span.start) + 1;
                format!("Marks the instruction after it. Defined on line {line}; {}.", item.detail)
            }
            None => "This label is not defined.".to_owned(),
        };
        if word == words::MAIN {
            body.push_str(" Execution starts at this label, even if it is not the first.");
        }
        (format!("{word}: label"), body)
    }

    /// The spelling of a binding; `None` for other meanings.
    fn spelling(&self, meaning: &Meaning) -> Option<String> {
        let language = self.language();
        match meaning {
            Meaning::Attribute(attribute) => Some(attribute.register_in(language)),
            Meaning::Parameter(source) => source.name_in(language),
            Meaning::Result(role, _) => Some(role.binding()),
            _ => None,
        }
    }

    /// The number of uses of `meaning`, or of the variable called `name`, in the loaded program.
    fn uses(&self, meaning: &Meaning, name: Option<&str>) -> Option<String> {
        let program = self.program?;
        let temporary =
            |id: u16| program.temporaries.get(usize::from(id)).is_some_and(|t| Some(t.name.as_str()) == name);
        let element = |called: &str| {
            name.is_some_and(|name| called.strip_prefix(name).is_some_and(|rest| rest.starts_with('[')))
        };
        let parameter = |id: u16| {
            program.parameters.get(usize::from(id)).is_some_and(|parameter| {
                match (&parameter.name, meaning, name) {
                    (Some(called), Meaning::Parameters(_), Some(_)) => element(called),
                    (_, Meaning::Parameter(source), _) => parameter.source == *source,
                    _ => false,
                }
            })
        };
        let declares = self.language().profile().declares_variables();
        let read = |source: Source| match source {
            Source::Temp(id) => temporary(id.0),
            Source::Param(id) => parameter(id.0),
            Source::Attribute(attribute) => *meaning == Meaning::Attribute(attribute),
            Source::Indirect(indirect) => {
                let array = match indirect.first {
                    ir::Element::Temp(first) => temporary(first.0),
                    // Relative addressing may read any parameter of a register file, so the first one is not
                    // counted specially.
                    ir::Element::Param(first) => declares && parameter(first.0),
                    ir::Element::Attribute(first) => *meaning == Meaning::IndexedAttribute(first),
                    ir::Element::Output(_) => *meaning == Meaning::IndexedResult,
                };
                array || indirect.registers().any(|(id, _)| temporary(id.0))
            }
            Source::Buffer(buffer) => buffer.registers().any(|(id, _)| temporary(id.0)),
        };
        let written = |target: Target| match target {
            Target::Temp(id) => temporary(id.0),
            Target::Output(id) => program
                .outputs
                .get(usize::from(id.0))
                .is_some_and(|output| matches!(meaning, Meaning::Result(role, _) if *role == output.role)),
            Target::Indirect(indirect) => match indirect.first {
                ir::Element::Temp(first) => temporary(first.0),
                _ => *meaning == Meaning::IndexedResult,
            },
            Target::Param(id) => parameter(id.0),
            Target::ConditionOnly(_) => false,
        };
        counted(program, read, written)
    }
}

/// Describes the element of `array` with `content` in its brackets; `None` if `language` has no such element.
fn element_in(language: Language, array: Array, content: &str) -> Option<Text> {
    let written = format!("{}[{content}]", array.name(language)?);
    if let Some(meaning) = meaning::element(language, array, content) {
        let (what, body) = describe(language, &meaning);
        return Some((format!("{written}: {what}"), body));
    }
    if array != Array::Parameters {
        return None;
    }
    let (register, rest) = content.split_once('.')?;
    let Addresses { registers: known, components, .. } = language.profile().addresses;
    let component = rest.get(..1)?;
    let has = known.contains(&register) && components.contains(component);
    let (back, on) = words::offset_limits(language)?;
    let offset = rest.get(1..)?;
    let number = |digits: &str| digits.parse().unwrap_or(usize::MAX);
    let fits = match (offset.strip_prefix('-'), offset.strip_prefix('+')) {
        (Some(digits), _) => number(digits) <= back,
        (None, Some(digits)) => number(digits) <= on,
        (None, None) => offset.is_empty(),
    };
    (has && fits).then(|| meaning::relative(language, &written))?
}

/// The number of instructions of `program` that read and write something, in words.
fn counted(
    program: &Program,
    read: impl Fn(Source) -> bool,
    written: impl Fn(Target) -> bool,
) -> Option<String> {
    let instructions = &program.instructions;
    let reading = instructions.iter().filter(|i| i.operands.iter().any(|o| read(o.source))).count();
    let writing = instructions.iter().filter(|i| i.target().is_some_and(&written)).count();
    let times = |verb: &str, count: usize| match count {
        1 => format!("{verb} by 1 instruction"),
        _ => format!("{verb} by {count} instructions"),
    };
    match (reading, writing) {
        (0, 0) => None,
        (_, 0) => Some(format!("{}.", times("Read", reading))),
        (0, _) => Some(format!("{}.", times("Written", writing))),
        _ => Some(format!("{} and {}.", times("Read", reading), times("written", writing))),
    }
}

#[cfg(test)]
mod tests;
