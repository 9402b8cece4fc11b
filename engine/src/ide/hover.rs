//! What a word of a program means, for a pointer that rests on it.
//!
//! Everything said is right in the language of the text; a text that names none gets nothing but help
//! with its header.

use std::fmt::Write as _;

use super::arb;
use super::highlight::{Token, TokenKind, highlight_line};
use super::lexicon::Lexicon;
use super::meaning;
use super::outline::{OutlineItem, OutlineKind, outline};
use super::reference::{readings, rule_text, usage};
use super::registers;
use super::words::{self, Array, Word, classify};
use crate::front::arb::symbols::{Meaning, Symbols, symbols_of};
use crate::front::{language_of, lossy};
use crate::ir::{Condition, ParameterSource, Program, Source, Target, TextureTarget};
use crate::isa::{self, Addresses, Cc, Info, Language, Lookup, Precision, Saturation, Stage, Suffixes};
use crate::num::fp32;
use crate::source::{LineIndex, Span};

/// What there is to say about a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes it is about.
    pub span: Span,
    /// One line.
    pub title: String,
    /// How an instruction is written and what it computes, a line each; empty for anything else.
    pub code: Vec<String>,
    /// Plain text, paragraphs apart by blank lines.
    pub body: String,
}

/// What stands at byte `offset` of `text`; `program` (the loaded program, if it loads) adds values.
pub fn hover(text: &[u8], offset: usize, program: Option<&Program>) -> Option<Hover> {
    let header = language_of(text)?;
    let symbols = header.profile().declares_variables().then(|| symbols_of(text, header));
    let lexicon = symbols.as_ref().map_or_else(|| Lexicon::of_language(header), Lexicon::of_symbols);
    let language = lexicon.language()?;
    let index = LineIndex::new(text);
    let line_number = index.line_of(offset.min(text.len()));
    let line = index.line_span(line_number);
    let tokens = highlight_line(line.slice(text), line_number, &lexicon);
    let within = offset.wrapping_sub(line.start);
    let at = tokens.iter().position(|t| t.span.contains(within))?;
    let hovered =
        Hovered { language, line: line.slice(text), tokens: &tokens, at, text, index: &index, program };
    let found = match &symbols {
        Some(symbols) => {
            let pointed = arb::hover::Pointed { symbols, index: &index, program };
            let binding = pointed.binding(line.slice(text), line_number, within);
            binding.or_else(|| hovered.describe_arb(&pointed))
        }
        None => hovered.describe(),
    }?;
    Some(Hover { span: Span::new(found.span.start + line.start, found.span.end + line.start), ..found })
}

/// A token with its surroundings.
struct Hovered<'h> {
    language: Language,
    line: &'h [u8],
    tokens: &'h [Token],
    at: usize,
    text: &'h [u8],
    index: &'h LineIndex,
    program: Option<&'h Program>,
}

/// A register in brackets, as it stands on the line.
struct Element {
    span: Span,
    array: Array,
    /// What is in the brackets, without spaces.
    content: String,
}

impl Hovered<'_> {
    fn word(&self, index: usize) -> String {
        self.tokens.get(index).map_or_else(String::new, |t| lossy(t.span.slice(self.line)))
    }

    /// Spans of the answer count from the line's start.
    fn describe(&self) -> Option<Hover> {
        let token = self.tokens[self.at];
        let word = self.word(self.at);
        let (title, body) = match token.kind {
            TokenKind::Mnemonic | TokenKind::Suffix => return self.instruction(),
            TokenKind::Attribute | TokenKind::Output | TokenKind::Parameter => {
                return self.element().map(|element| self.element_text(&element));
            }
            TokenKind::Error => return self.fault(&word),
            TokenKind::Register => self.register(&word)?,
            TokenKind::Condition => condition(&word)?,
            TokenKind::TextureTarget => target(&word)?,
            TokenKind::TextureUnit => {
                (format!("{word}: texture image unit"), "The unit whose texture is looked up. It has nothing to do with the coordinate set of the same name, which is written f[TEXn]. A program can use one target on each unit.".to_owned())
            }
            TokenKind::Swizzle => components(&word),
            TokenKind::Keyword => keyword(&word)?,
            TokenKind::Option => option(self.language, &word),
            TokenKind::Label => self.label(&word),
            TokenKind::Header => header(self.language),
            TokenKind::Number => number(&word)?,
            TokenKind::Name => match self.name(&word) {
                Some(text) => text,
                None => return self.foreign(&word, token.span),
            },
            TokenKind::Punctuation | TokenKind::Comment | TokenKind::Whitespace => return None,
        };
        Some(Hover { span: token.span, title, code: Vec::new(), body })
    }

    /// The same in an ARB program, but for bindings.
    fn describe_arb(&self, pointed: &arb::hover::Pointed<'_>) -> Option<Hover> {
        let token = self.tokens[self.at];
        let word = self.word(self.at);
        let (title, body) = match token.kind {
            TokenKind::Mnemonic | TokenKind::Suffix => return self.instruction(),
            TokenKind::Attribute
            | TokenKind::Output
            | TokenKind::Parameter
            | TokenKind::Register
            | TokenKind::Name => match pointed.name(&word).or_else(|| self.array_element(pointed.symbols)) {
                Some(text) => text,
                None => return self.missing(&word, token.span),
            },
            TokenKind::Error => {
                let name = pointed.name(&word).map(|(title, body)| {
                    let span = token.span;
                    Hover { span, title, code: Vec::new(), body }
                });
                return self.instruction().or(name).or_else(|| self.missing(&word, token.span));
            }
            TokenKind::Condition => {
                let (rule, register) = arb::hover::condition(&word)?;
                let (title, body) = condition(rule.name())?;
                (
                    title.replacen(rule.name(), &word, 1),
                    body.replacen("condition code", &format!("condition code{register}"), 1),
                )
            }
            TokenKind::TextureTarget => target(&word)?,
            TokenKind::Swizzle => components(&word),
            TokenKind::Keyword => arb::hover::keyword(self.language, &word)?,
            TokenKind::Option => arb::hover::option(self.language, &word)?,
            TokenKind::Label => self.label(&word),
            TokenKind::Header => arb::hover::header(self.language),
            TokenKind::Number => number(&word)?,
            // Units are bindings.
            TokenKind::TextureUnit | TokenKind::Punctuation | TokenKind::Comment | TokenKind::Whitespace => {
                return None;
            }
        };
        Some(Hover { span: token.span, title, code: Vec::new(), body })
    }

    /// The element of a declared array whose number is pointed at.
    fn array_element(&self, symbols: &Symbols) -> Option<(String, String)> {
        let significant = |i: &usize| self.tokens[*i].kind != TokenKind::Whitespace;
        let mut before = (0..self.at).rev().filter(significant);
        let bracket = before.next()?;
        let name = self.word(before.next()?);
        let number = self.word(self.at);
        let Meaning::Parameters(elements) = &symbols.names.get(&name)?.meaning else { return None };
        let element = elements.get(number.parse::<usize>().ok()?).filter(|_| self.word(bracket) == "[")?;
        let (what, body) = meaning::describe(self.language, &Meaning::Parameter(element.clone()));
        let binding =
            element.name_in(self.language).map_or_else(String::new, |b| format!("Stands for {b}. "));
        Some((format!("{name}[{number}]: {what}"), format!("{binding}{body}")))
    }

    /// A word that an ARB program lacks: the option that brings it, or the languages that have it.
    fn missing(&self, word: &str, span: Span) -> Option<Hover> {
        if let Some((title, body)) = arb::hover::missing(self.language, word) {
            return Some(Hover { span, title, code: Vec::new(), body });
        }
        self.foreign(word, span)
    }

    /// An instruction name, whichever of its parts is pointed at.
    fn instruction(&self) -> Option<Hover> {
        let is_mnemonic = |t: &Token| t.kind == TokenKind::Mnemonic;
        let first = if is_mnemonic(&self.tokens[self.at]) { self.at } else { self.at.checked_sub(1)? };
        let mut span = self.tokens.get(first).filter(|t| is_mnemonic(t))?.span;
        let suffix = self.tokens.get(first + 1);
        if let Some(suffix) = suffix.filter(|t| matches!(t.kind, TokenKind::Suffix | TokenKind::Error)) {
            span = span.to(suffix.span);
        }
        let word = lossy(span.slice(self.line));
        let (info, suffixes) = match isa::lookup(self.language, &word) {
            Lookup::Instruction(info, suffixes) => (info, suffixes),
            Lookup::BadSuffix(info) => (info, Suffixes::default()),
            Lookup::Unknown => return None,
        };
        let mut hover = instruction_text(info, suffixes, self.language, span)?;
        if info.mnemonic.len() + suffixes.text().len() != word.len() {
            let others = words::elsewhere(self.language, &word);
            let (_, body) = arb::hover::missing(self.language, &word)
                .filter(|_| self.language.profile().declares_variables())
                .unwrap_or_else(|| registers::elsewhere(self.language, &word, &others));
            let note = if others.is_empty() { format!("There is no {word}.") } else { body };
            hover.body = format!("{note}\n\n{}", hover.body);
        }
        Some(hover)
    }

    /// Something that is wrong here: what it would be elsewhere.
    fn fault(&self, word: &str) -> Option<Hover> {
        if let Some(element) = self.element() {
            return Some(self.element_text(&element));
        }
        self.instruction().or_else(|| self.foreign(word, self.tokens[self.at].span))
    }

    /// A word of other languages.
    fn foreign(&self, word: &str, span: Span) -> Option<Hover> {
        let others = words::elsewhere(self.language, word);
        if others.is_empty() {
            return None;
        }
        let (title, body) = registers::elsewhere(self.language, word, &others);
        Some(Hover { span, title, code: Vec::new(), body })
    }

    /// The array element such as `f[TEX0]` or `c[A0.x + 4]` that is pointed at, whichever its part.
    fn element(&self) -> Option<Element> {
        let significant: Vec<usize> =
            (0..self.tokens.len()).filter(|&i| self.tokens[i].kind != TokenKind::Whitespace).collect();
        let word = |place: usize| significant.get(place).map_or_else(String::new, |&i| self.word(i));
        let array_at = |place: usize| match classify(self.language, &word(place)) {
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
        // An unclosed bracket holds one word at most.
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
        // What comes behind an unclosed bracket is no part of it.
        span.contains(self.tokens[self.at].span.start).then_some(Element { span, array, content })
    }

    fn element_text(&self, element: &Element) -> Hover {
        let Element { array, ref content, span } = *element;
        let (title, mut body) = element_in(self.language, array, content).unwrap_or_else(|| {
            let has = |other: &Language| {
                array.name(*other) == array.name(self.language)
                    && element_in(*other, array, content).is_some()
            };
            let others: Vec<Language> = Language::ALL.into_iter().filter(has).collect();
            match array.name(self.language) {
                Some(letter) if !others.is_empty() => {
                    registers::elsewhere(self.language, &format!("{letter}[{content}]"), &others)
                }
                _ => registers::array(self.language, array),
            }
        });
        if let Some(uses) = self.element_uses(array, content) {
            let _ = write!(body, "\n\n{uses}");
        }
        Hover { span, title, code: Vec::new(), body }
    }

    /// How often the loaded program uses an element.
    fn element_uses(&self, array: Array, content: &str) -> Option<String> {
        let program = self.program?;
        match array {
            Array::Attributes => {
                let wanted = Source::Attribute(words::attribute(self.language, content)?);
                uses(program, |source| source == wanted, |_| false)
            }
            Array::Outputs => {
                let name = format!("o[{content}]");
                let written = |target| matches!(target, Target::Output(id) if program.outputs.get(usize::from(id.0)).is_some_and(|o| o.name == name));
                uses(program, |_| false, written)
            }
            Array::Parameters => {
                let wanted: u16 = content.parse().ok()?;
                let mut text = self.parameter_uses(|source| {
                    matches!(*source, ParameterSource::Local(n) | ParameterSource::Env(n) if n == wanted)
                })?;
                text.push_str(" The values in use are shown in the inputs panel.");
                Some(text)
            }
        }
    }

    fn parameter_uses(&self, wanted: impl Fn(&ParameterSource) -> bool) -> Option<String> {
        let program = self.program?;
        let is_wanted = |id: u16| {
            program.parameters.get(usize::from(id)).is_some_and(|parameter| wanted(&parameter.source))
        };
        uses(
            program,
            |source| matches!(source, Source::Param(id) if is_wanted(id.0)),
            |target| matches!(target, Target::Param(id) if is_wanted(id.0)),
        )
    }

    fn register(&self, word: &str) -> Option<(String, String)> {
        let language = self.language;
        let (title, mut body) = match classify(language, word) {
            Word::Temporary(ty) => registers::temporary(language, word, ty),
            Word::Address => registers::address(language, word),
            Word::ConditionRegister(ty) => registers::condition_only(language, word, ty),
            _ => return None,
        };
        let named = |program: &Program, id: u16| {
            program.temporaries.get(usize::from(id)).is_some_and(|t| t.name == word)
        };
        let count = self.program.and_then(|program| {
            let read = |source| match source {
                Source::Temp(id) => named(program, id.0),
                Source::Indirect(indirect) => named(program, indirect.address.0),
                Source::Attribute(_) | Source::Param(_) => false,
            };
            uses(program, read, |target| matches!(target, Target::Temp(id) if named(program, id.0)))
        });
        if let Some(count) = count {
            let _ = write!(body, "\n\n{count}");
        }
        Some((title, body))
    }

    fn label(&self, word: &str) -> (String, String) {
        let defined: Vec<OutlineItem> = outline(self.text)
            .into_iter()
            .filter(|item| item.kind == OutlineKind::Label && item.title == word)
            .collect();
        let mut body = match defined.first() {
            Some(item) => {
                let line = self.index.line_of(item.span.start) + 1;
                format!("Stands for the instruction behind it. Defined in line {line}; {}.", item.detail)
            }
            None => "Defined nowhere in this text.".to_owned(),
        };
        if word == words::MAIN {
            body.push_str(" Execution begins at this label, wherever it stands.");
        }
        (format!("{word}: label"), body)
    }

    fn name(&self, word: &str) -> Option<(String, String)> {
        let wanted =
            |source: &ParameterSource| matches!(source, ParameterSource::Named { name, .. } if name == word);
        let (title, mut body) = self.declared(word)?;
        if let Some(count) = self.parameter_uses(wanted) {
            let _ = write!(body, "\n\n{count}");
        }
        Some((title, body))
    }

    fn declared(&self, word: &str) -> Option<(String, String)> {
        if let Some(initial) = self.program.and_then(|p| {
            p.parameters.iter().find_map(|p| match &p.source {
                ParameterSource::Named { name, initial } if name == word => Some(*initial),
                _ => None,
            })
        }) {
            let [x, y, z, w] = initial;
            return Some((
                format!("{word}: local parameter"),
                format!("Set from outside the program between draws; ({x}, {y}, {z}, {w}) until then."),
            ));
        }
        let item = outline(self.text).into_iter().find(|item| {
            item.title == word && matches!(item.kind, OutlineKind::Constant | OutlineKind::Parameter)
        })?;
        Some(match item.kind {
            OutlineKind::Constant => (
                format!("{word} = {}", item.detail),
                "A constant made by DEFINE. Using its name is the same as writing its value.".to_owned(),
            ),
            _ => (
                format!("{word}: local parameter"),
                if item.detail.is_empty() {
                    "Made by DECLARE; set from outside the program, (0,0,0,0) until then.".to_owned()
                } else {
                    format!("Made by DECLARE; set from outside the program, {} until then.", item.detail)
                },
            ),
        })
    }
}

/// What `language` says of the element of `array` with `content` in its brackets, if it has that.
fn element_in(language: Language, array: Array, content: &str) -> Option<(String, String)> {
    match array {
        Array::Attributes => registers::attribute(language, content),
        Array::Outputs => registers::output(language, content),
        Array::Parameters if content.bytes().all(|b| b.is_ascii_digit()) => {
            let number: usize = content.parse().ok()?;
            (number < language.profile().limits.parameters)
                .then(|| registers::parameter(language, content))?
        }
        Array::Parameters => {
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
            let written = format!("{}[{content}]", array.name(language)?);
            (has && fits).then(|| registers::relative(language, &written))?
        }
    }
}

/// How many instructions of `program` read and write something, in words.
pub(super) fn uses(
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
        (_, 0) => Some(format!("Here {}.", times("read", reading))),
        (0, _) => Some(format!("Here {}.", times("written", writing))),
        _ => Some(format!("Here {}, {}.", times("read", reading), times("written", writing))),
    }
}

fn instruction_text(info: &Info, suffixes: Suffixes, language: Language, span: Span) -> Option<Hover> {
    let forms = info.forms(language)?;
    let title = format!("{}{}: {}", info.mnemonic, suffixes.text(), info.title);
    let code = vec![usage(info, language)?, info.formula_in(language).to_owned()];
    let mut body = info.prose_in(language).to_owned();
    for rule in rule_text(info.rule).into_iter().chain(readings(info.opcode, language)) {
        let _ = write!(body, "\n\n{rule}");
    }
    let profile = language.profile();
    match suffixes.precision {
        Some(Precision::R) => body.push_str("\n\nR: computed in fp32."),
        Some(Precision::H) if !profile.wide_coordinates => body.push_str("\n\nH: computed in fp16."),
        Some(Precision::X) if !profile.wide_coordinates => body.push_str(
            "\n\nX: operands are converted to fx12, [-2, 2) in steps of 1/1024; the result is exact, then rounded to fx12 once.",
        ),
        Some(Precision::H) => body.push_str(
            "\n\nH: computed in fp16, unless an operand is f[FOGC] or f[TEXn]: those instructions run in fp32.",
        ),
        Some(Precision::X) => body.push_str(
            "\n\nX: operands are converted to fx12, [-2, 2) in steps of 1/1024; the result is exact, then rounded to fx12 once. With f[FOGC] or f[TEXn] as an operand the instruction runs in fp32.",
        ),
        None if forms.has_precisions() => {
            body.push_str("\n\nWithout a precision suffix it runs at the destination's precision.");
        }
        None => {}
    }
    if let Some(cc) = suffixes.cc {
        let code = match cc {
            Cc::C if profile.condition_codes > 1 => "the first condition code, like C0,",
            Cc::C => "the condition code",
            Cc::C0 => "the first condition code",
            Cc::C1 => "the second condition code",
        };
        let converted = match language.stage() {
            Stage::Fragment => ", after conversion to the destination's precision",
            Stage::Vertex | Stage::VertexState => "",
        };
        let _ = write!(body, "\n\n{}: sets {code} from the components written{converted}.", cc.suffix());
    }
    let range = match suffixes.saturate {
        Saturation::None => None,
        Saturation::Unsigned => Some("[0,1]"),
        Saturation::Signed => Some("[-1,1]"),
    };
    if let Some(range) = range {
        let converted = match language.stage() {
            Stage::Fragment => " before it is converted to the destination's precision",
            Stage::Vertex | Stage::VertexState => "",
        };
        let _ = write!(body, "\n\n{}: clamps the result to {range}{converted}.", suffixes.saturate.suffix());
    }
    let _ = write!(body, "\n\n{}", info.clause(language)?);
    Some(Hover { span, title, code, body })
}

fn header(language: Language) -> (String, String) {
    let kind = match language.stage() {
        Stage::Fragment => "fragment program",
        Stage::Vertex => "vertex program",
        Stage::VertexState => "vertex state program",
    };
    let mut body = format!(
        "The program is written in the language of {}. The header must be the first bytes of the text.",
        language.extension()
    );
    if language.stage() != Stage::Fragment {
        let Addresses { registers: addresses, components, .. } = language.profile().addresses;
        let address = if components == "x" { "A0.x".to_owned() } else { addresses.join(" and ") };
        let _ = write!(
            body,
            "\n\n{} instructions, R0 to R{}, {} parameters, {address}.",
            isa::instructions(language).count(),
            language.profile().limits.temporaries - 1,
            language.profile().limits.parameters,
        );
    }
    (format!("{}: {kind}", language.header()), body)
}

fn option(language: Language, word: &str) -> (String, String) {
    let coordinates = "ARB_fragment_coord_conventions 3.11.1.1";
    let (body, clause) = match word {
        "ARB_fragment_coord_origin_upper_left" => {
            ("f[WPOS].y counts from the upper edge of the window downwards.", coordinates)
        }
        "ARB_fragment_coord_pixel_center_integer" => {
            ("f[WPOS].x and y are whole numbers at the centres of pixels, rather than halves.", coordinates)
        }
        _ => (
            "The position is left to the conventional transformation, so that it comes out exactly as without a program. The program must not write o[HPOS] and may have four instructions fewer.",
            "NV_vertex_program2 2.14.6.1",
        ),
    };
    let profile = language.profile();
    let restricted = profile.addresses.chooses.parameters && !profile.relative_when_invariant;
    let restriction = if restricted { " It must not read c[A0.x+n]." } else { "" };
    (format!("{word}: program option"), format!("{body}{restriction}\n\n{clause}"))
}

fn condition(word: &str) -> Option<(String, String)> {
    let condition = Condition::ALL.iter().find(|c| c.name() == word)?;
    let what = match condition {
        Condition::Eq => "equal to zero",
        Condition::Ge => "greater than or equal to zero; false for NaN",
        Condition::Gt => "greater than zero",
        Condition::Le => "less than or equal to zero; false for NaN",
        Condition::Lt => "less than zero",
        Condition::Ne => "not equal to zero; true for NaN",
        Condition::Tr => "always true",
        Condition::Fl => "never true",
    };
    Some((
        format!("{word}: {what}"),
        "Tests each component of the condition code, which instructions with the C suffix set; the code starts as EQ. A suffix such as .x or .wzyx picks the components to test.".to_owned(),
    ))
}

fn target(word: &str) -> Option<(String, String)> {
    let target = words::target(word)?;
    let body = match target {
        TextureTarget::D1 => "Looked up with s = x.",
        TextureTarget::D2 => "Looked up with (s, t) = (x, y), in [0,1] across the image.",
        TextureTarget::D3 => "Looked up with (s, t, r) = (x, y, z).",
        TextureTarget::Cube => {
            "Looked up with the direction (x, y, z); its largest component picks the face."
        }
        TextureTarget::Rect => "Looked up with (s, t) = (x, y) in texels; no mipmaps.",
        TextureTarget::Shadow1D => "A 1D texture looked up with s = x and compared with z.",
        TextureTarget::Shadow2D => "A 2D texture looked up with (s, t) = (x, y) and compared with z.",
        TextureTarget::ShadowRect => {
            "A RECT texture looked up with (s, t) = (x, y) in texels and compared with z."
        }
    };
    Some((format!("{word}: texture target"), body.to_owned()))
}

fn components(word: &str) -> (String, String) {
    let body = match word.len() {
        1 => format!("One component: {word} alone. As a vector operand it fills all four places."),
        4 => {
            let parts: Vec<String> =
                "xyzw".chars().zip(word.chars()).map(|(to, from)| format!("{to} from {from}")).collect();
            format!("On an operand: {}. On a destination: all four components are written.", parts.join(", "))
        }
        _ => format!(
            "Write mask: only {} change.",
            word.chars().map(String::from).collect::<Vec<_>>().join(", ")
        ),
    };
    (format!(".{word}"), body)
}

fn keyword(word: &str) -> Option<(String, String)> {
    let (what, body) = match word {
        "DEFINE" => (
            "name a constant",
            "DEFINE name = constant; The constant is a number, another constant's name, or {one to four of them}; missing y and z are 0, a missing w is 1.",
        ),
        "DECLARE" => (
            "make a local parameter",
            "DECLARE name; or DECLARE name = constant; Makes a vector that can be set from outside the program. It is (0,0,0,0) until then if no constant is given; a scalar fills all four components.",
        ),
        "OPTION" => (
            "change the program's surroundings",
            "OPTION name; Options stand before all other statements. Vertex programs have one, NV_position_invariant; fragment programs have ARB_fragment_coord_origin_upper_left and ARB_fragment_coord_pixel_center_integer, which say how f[WPOS] counts.",
        ),
        "END" => ("end of the program", "Only whitespace and comments may follow."),
        _ => return None,
    };
    Some((format!("{word}: {what}"), body.to_owned()))
}

fn number(word: &str) -> Option<(String, String)> {
    let value = fp32::flush::<f32>(word.parse().ok()?);
    Some((format!("{word} = {value}"), format!("fp32 bits {:#010x}.", value.to_bits())))
}

#[cfg(test)]
mod tests;
