//! What a word of a program means, for a pointer that rests on it.
//!
//! Everything said is right in the language of the text; a text that names none gets nothing but help
//! with its header.

use std::fmt::Write as _;

use super::arb;
use super::highlight::{Token, TokenKind, highlight_line};
use super::lexicon::Lexicon;
use super::outline::{OutlineItem, OutlineKind, outline};
use super::reference::{readings, rule_text, usage};
use super::registers;
use super::words::{self, Array, Word, classify};
use crate::front::arb::survey::{Meaning, Survey, survey};
use crate::front::{language_of, lossy};
use crate::ir::{Condition, ParameterSource, Program, Source, Target, TextureTarget};
use crate::isa::{self, Cc, Info, Language, Lookup, Precision, Saturation, Stage, Suffixes};
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
    let survey = header.is_arb().then(|| survey(text, header));
    let lexicon = survey.as_ref().map_or_else(|| Lexicon::of_language(header), Lexicon::of_survey);
    let language = lexicon.language()?;
    let index = LineIndex::new(text);
    let line_number = index.line_of(offset.min(text.len()));
    let line = index.line_span(line_number);
    let tokens = highlight_line(line.slice(text), line_number, &lexicon);
    let within = offset.wrapping_sub(line.start);
    let at = tokens.iter().position(|t| t.span.contains(within))?;
    let hovered =
        Hovered { language, line: line.slice(text), tokens: &tokens, at, text, index: &index, program };
    let found = match &survey {
        Some(survey) => {
            let pointed = arb::hover::Pointed { survey, index: &index, program };
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
            | TokenKind::Name => match pointed.name(&word).or_else(|| self.array_element(pointed.survey)) {
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
    fn array_element(&self, survey: &Survey) -> Option<(String, String)> {
        let significant = |i: &usize| self.tokens[*i].kind != TokenKind::Whitespace;
        let mut before = (0..self.at).rev().filter(significant);
        let bracket = before.next()?;
        let name = self.word(before.next()?);
        let number = self.word(self.at);
        let Meaning::Parameters(elements) = &survey.names.get(&name)?.meaning else { return None };
        let element = elements.get(number.parse::<usize>().ok()?).filter(|_| self.word(bracket) == "[")?;
        let (what, body) = arb::meaning::describe(self.language, &Meaning::Parameter(element.clone()));
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
                .filter(|_| self.language.is_arb())
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
                Source::Indexed(indexed) => named(program, indexed.address.0),
                Source::IndexedAttribute(indexed) => named(program, indexed.address.0),
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
            (number < words::parameter_count(language)).then(|| registers::parameter(language, content))?
        }
        Array::Parameters => {
            let (register, rest) = content.split_once('.')?;
            let (known, components) = words::addresses(language);
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
    let writing = instructions.iter().filter(|i| i.dest.as_ref().is_some_and(|d| written(d.target))).count();
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
    match suffixes.precision {
        Some(Precision::R) => body.push_str("\n\nR: computed in fp32."),
        Some(Precision::H) if language.is_arb() => body.push_str("\n\nH: computed in fp16."),
        Some(Precision::X) if language.is_arb() => body.push_str(
            "\n\nX: operands are converted to fx12, [-2, 2) in steps of 1/1024; the result is exact, then rounded to fx12 once.",
        ),
        Some(Precision::H) => body.push_str(
            "\n\nH: computed in fp16, unless an operand is f[FOGC] or f[TEXn]: those instructions run in fp32.",
        ),
        Some(Precision::X) => body.push_str(
            "\n\nX: operands are converted to fx12, [-2, 2) in steps of 1/1024; the result is exact, then rounded to fx12 once. With f[FOGC] or f[TEXn] as an operand the instruction runs in fp32.",
        ),
        None if !forms.precisions.is_empty() => {
            body.push_str("\n\nWithout a precision suffix it runs at the destination's precision.");
        }
        None => {}
    }
    if let Some(cc) = suffixes.cc {
        let code = match cc {
            Cc::C if language == Language::ArbVp1Nv3 => "the first condition code, like C0,",
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
        let (addresses, components) = words::addresses(language);
        let address = if components == "x" { "A0.x".to_owned() } else { addresses.join(" and ") };
        let _ = write!(
            body,
            "\n\n{} instructions, R0 to R{}, {} parameters, {address}.",
            isa::instructions(language).count(),
            words::temporary_count(language) - 1,
            words::parameter_count(language),
        );
    }
    (format!("{}: {kind}", language.header()), body)
}

fn option(language: Language, word: &str) -> (String, String) {
    let mut body = "The position is left to the conventional transformation, so that it comes out exactly as without a program. The program must not write o[HPOS] and may have four instructions fewer.".to_owned();
    if language == Language::Vp1_1 {
        body.push_str(" It must not read c[A0.x+n].");
    }
    body.push_str("\n\nNV_vertex_program2 2.14.6.1");
    (format!("{word}: program option"), body)
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
    let target = arb::highlight::target(word)?;
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
            "OPTION name; The one option is NV_position_invariant. Options stand before the first instruction.",
        ),
        "END" => ("end of the program", "Only whitespace and comments may follow."),
        _ => return None,
    };
    Some((format!("{word}: {what}"), body.to_owned()))
}

fn number(word: &str) -> Option<(String, String)> {
    let value = fp32::flush(word.parse().ok()?);
    Some((format!("{word} = {value}"), format!("fp32 bits {:#010x}.", value.to_bits())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::load;
    use proptest::prelude::*;

    const TEXT: &str = "!!FP1.0\nDEFINE pi = 3.14;\nDECLARE tint = 2;\nMADHC_SAT R0.xyz (GT.x), f [ TEX0 ], p[3], H1;\nRFL HC.x, R0, tint;\nTEX R1, R0, TEX2, CUBE;\nMUL o[COLR], R1, pi;\nEND";

    fn at(needle: &str, inside: usize) -> Option<Hover> {
        let program = load(TEXT.as_bytes()).program;
        assert!(program.is_some());
        hover(TEXT.as_bytes(), TEXT.find(needle).unwrap() + inside, program.as_ref())
    }

    #[track_caller]
    fn title(needle: &str, inside: usize) -> String {
        at(needle, inside).unwrap().title
    }

    #[test]
    fn words_are_explained() {
        let mad = at("MADHC", 4).unwrap();
        assert_eq!(mad.title, "MADHC_SAT: Multiply and add");
        assert_eq!(mad.span.len(), 9);
        assert_eq!(mad.code, ["MAD[R|H|X][C][_SAT] dst, a, b, c", "result = a*b + c"]);
        for part in ["H: ", "C: ", "_SAT: ", "NV_fragment_program 3.11.5.15"] {
            assert!(mad.body.contains(part), "{part}");
        }
        assert_eq!(title("R0", 0), "R0: fp32 temporary register");
        assert_eq!(title("H1", 1), "H1: fp16 temporary register");
        assert_eq!(title("HC.x", 0), "HC: condition code only");
        assert_eq!(title("GT", 0), "GT: greater than zero");
        assert_eq!(title("tint;", 0), "tint: local parameter");
        assert!(at("tint;", 0).unwrap().body.contains("(2, 2, 2, 2)"));
        assert_eq!(title("pi;", 1), "pi = 3.14");
        assert_eq!(title("TEX2", 0), "TEX2: texture image unit");
        assert_eq!(title("CUBE", 3), "CUBE: texture target");
        assert_eq!(title("3.14", 0), "3.14 = 3.14");
        assert_eq!(title("DECLARE", 0), "DECLARE: make a local parameter");
        assert_eq!(title("!!FP", 0), "!!FP1.0: fragment program");
        assert_eq!(title(".xyz", 1), ".xyz");
    }

    #[test]
    fn array_elements_are_one_thing() {
        for inside in [0, 4] {
            let hover = at("f [ TEX0 ]", inside).unwrap();
            assert_eq!(hover.title, "f[TEX0]: texture coordinates");
            assert_eq!(hover.span.len(), "f [ TEX0 ]".len());
        }
        assert_eq!(title("p[3]", 2), "p[3]: numbered local parameter");
        assert_eq!(title("o[COLR]", 0), "o[COLR]: colour");
        assert!(at("f [", 1).is_none());
        assert!(hover(b"", 0, None).is_none());
        assert!(hover(b"!!FP1.0 f", 8, None).is_some());
        assert!(hover(b"!!FP1.0 MOV", 99, None).is_none());
        // A text in no language has no help, for no page would be the right one.
        assert!(hover(b"f", 0, None).is_none());
        assert!(hover(b"!!VP9.0 MOV", 9, None).is_none());
    }

    /// Title and body at the first `needle` in a text of `language`.
    #[track_caller]
    fn help(language: Language, line: &str, needle: &str) -> (String, String) {
        let text = format!("{}\n{line}", language.header());
        let start = language.header().len();
        let found = hover(text.as_bytes(), start + text[start..].find(needle).unwrap(), None).unwrap();
        (found.title, found.body)
    }

    #[test]
    fn instructions_follow_the_language() {
        let at = |language: Language, word: &str| {
            let text = format!("{} {word}", language.header());
            hover(text.as_bytes(), text.len() - 1, None).unwrap()
        };
        let at = |language: Language, word: &str| match language.option() {
            Some(option) => {
                let text = format!("{} OPTION {option}; {word}", language.header());
                hover(text.as_bytes(), text.len() - 1, None).unwrap()
            }
            None => at(language, word),
        };
        for language in Language::ALL {
            for info in isa::instructions(language) {
                let found = at(language, info.mnemonic);
                assert_eq!(found.title, format!("{}: {}", info.mnemonic, info.title));
                assert_eq!(found.code[0], usage(info, language).unwrap());
                assert!(found.body.ends_with(&info.clause(language).unwrap()), "{}", found.body);
                for reading in readings(info.opcode, language) {
                    assert!(found.body.contains(reading), "{}: {reading}", info.mnemonic);
                }
            }
        }
        assert_eq!(at(Language::Vp1, "ARL").code, ["ARL A0.x, a.x", "result.x = floor(a)"]);
        assert!(at(Language::Vp2, "ARL").code[1].contains("-512"));
        assert!(at(Language::Vp2, "SGEC").body.contains("NaN. The pseudo-code holds.\n\nC: "));
        assert!(!at(Language::Fp1, "SGE").body.contains("pseudo-code"));
        for (word, part) in [
            ("CAL", "four return addresses"),
            ("RET", "ends the program"),
            ("BRA", "65536th"),
            ("RCC", "-2^64"),
            ("ARR", "+INF gives 511"),
            ("ARA", "condition code is set from the clamped"),
            ("ARL", "(0,0,0,0)"),
            ("EXP", "x and y are exact"),
            ("LIT", "below 128"),
            ("MIN", "NaN in either operand"),
        ] {
            assert!(at(Language::Vp2, word).body.contains(part), "{word}: {part}");
        }
    }

    #[test]
    fn what_only_another_language_has_is_said_to_be_there() {
        let (title, body) = help(Language::Vp1_1, "SEQ R0, R1, R2;", "SEQ");
        assert_eq!(title, "SEQ: not in !!VP1.1");
        // Of the ARB languages those with the NV options have it; the first of each family is named.
        let arb = "!!ARBfp1.0 + NV_fragment_program and !!ARBvp1.0 + NV_vertex_program2";
        assert_eq!(body, format!("!!FP1.0, !!VP2.0, {arb} have `SEQ`, !!VP1.1 does not."));
        let (title, body) = help(Language::Vp1, "MOVC R0, R1;", "OVC");
        assert_eq!(title, "MOV: Move");
        assert!(
            body.starts_with(&format!("!!FP1.0, !!VP2.0, {arb} have `MOVC`, !!VP1.0 does not.\n\n")),
            "{body}"
        );
        let (_, body) = help(Language::Vp2, "MOVH R0, R1;", "H");
        assert!(body.starts_with("!!FP1.0 and !!ARBfp1.0 + NV_fragment_program have `MOVH`"), "{body}");
        assert!(help(Language::Vp2, "BRAC x;", "C").1.starts_with("There is no BRAC."));
        assert_eq!(help(Language::Vp1, "MOV o[CLP0], R0;", "CLP").0, "o[CLP0]: not in !!VP1.0");
        assert_eq!(help(Language::Vp1, "MOV R12, c[96];", "96").0, "c[96]: not in !!VP1.0");
        assert_eq!(
            help(Language::Vp1, "MOV R12, c[96];", "R12").1,
            "!!FP1.0 and !!VP2.0 have `R12`, !!VP1.0 does not."
        );
        assert_eq!(help(Language::Vp1, "MOV R0, c[A1.x];", "c[").0, "c[A1.x]: not in !!VP1.0");
        assert_eq!(help(Language::Vsp1, "MOV c[0], v[OPOS];", "OPOS").0, "v[OPOS]: not in !!VSP1.0");
        assert_eq!(help(Language::Vsp1, "MOV o[HPOS], v[0];", "o").0, "o: not in !!VSP1.0");
        assert_eq!(help(Language::Fp1, "ABS R0, R1;", "ABS").0, "ABS: not in !!FP1.0");
        // A fragment program may call something ABS.
        assert_eq!(help(Language::Fp1, "DEFINE ABS = 2; MOV R0, -ABS;", "ABS;").0, "ABS = 2");
    }

    #[test]
    fn registers_of_the_vertex_languages() {
        let (title, body) = help(Language::Vp1, "MOV R0, v[ NRML ];", "NRML");
        assert_eq!(title, "v[NRML]: normal");
        assert!(body.contains("(x, y, z, 1)"), "{body}");
        assert!(
            help(Language::Vp2, "MOV R0, v[1];", "1")
                .1
                .contains("v[WGHT]. The conventional one arrives as (w, 0, 0, 1)")
        );
        assert!(help(Language::Vp2, "MOV R0, v[13];", "v").1.contains("of set 5 arrive as (s, t, r, q)"));
        assert_eq!(help(Language::Vsp1, "MOV R0, v[0];", "0]").0, "v[0]: the state program's input");
        assert_eq!(help(Language::Vp2, "MOV o[CLP3].x, R0;", "CLP3").0, "o[CLP3]: clip distance");
        assert!(help(Language::Vp1, "MOV o[FOGC], R0;", "FOGC").1.contains("the fog factor is 1"));
        assert!(help(Language::Vp1, "MOV o[HPOS], R0;", "HPOS").1.contains("(0,0,0,1) until written"));
        assert!(help(Language::Vp1, "MOV R0, c[4];", "4").1.contains("c[0] to c[95]"));
        assert!(help(Language::Vp2, "MOV R0, c[4];", "4").1.contains("c[0] to c[255]"));
        let (title, body) = help(Language::Vp2, "MOV R0, c[ A1.w - 256 ];", "256");
        assert_eq!(title, "c[A1.w-256]: relative program parameter");
        assert!(body.contains("from -256 to +255") && body.contains("(0,0,0,0)"), "{body}");
        assert!(help(Language::Vp1, "MOV R0, c[A0.x];", "c").1.contains("from -64 to +63"));
        assert!(help(Language::Vp2, "MOV R0, c[A0.x];", "A0").1.contains("-512 to 511"));
        assert!(help(Language::Vp1_1, "MOV R0, c[A0.x];", "A0").1.contains("unclamped"));
        assert_eq!(help(Language::Vp2, "MOVC CC, R0;", "CC,").0, "CC: condition code only");
        assert!(help(Language::Vp1_1, "MOV R11, R0;", "R11").1.contains("R0 to R11"));
        assert!(help(Language::Vp2, "MOV R11, R0;", "R11").1.contains("R0 to R15"));
    }

    #[test]
    fn labels_options_and_headers() {
        let (title, body) = help(Language::Vp2, "BRA on (GT);\nmain:\non: CAL on;", "on");
        assert_eq!(title, "on: label");
        assert!(body.contains("Defined in line 4; used 2 times."), "{body}");
        assert!(help(Language::Vp2, "main: RET;", "main").1.contains("Execution begins"));
        assert!(help(Language::Vp2, "BRA off;", "off").1.contains("Defined nowhere"));
        let option = "OPTION NV_position_invariant;";
        assert!(help(Language::Vp1_1, option, "NV_").1.contains("must not read c[A0.x+n]"));
        assert!(!help(Language::Vp2, option, "NV_").1.contains("must not read"));
        assert_eq!(help(Language::Vp2, option, "OPTION").0, "OPTION: change the program's surroundings");
        let title = |language: Language| hover(language.header().as_bytes(), 3, None).unwrap().title;
        assert_eq!(title(Language::Vp2), "!!VP2.0: vertex program");
        assert_eq!(title(Language::Vsp1), "!!VSP1.0: vertex state program");
        // Table X.4: twenty-one instructions less the four of !!VP1.1; Table X.5: thirty-nine.
        for (language, count) in [(Language::Vp1, 17), (Language::Vp1_1, 21), (Language::Vp2, 39)] {
            let found = hover(language.header().as_bytes(), 3, None).unwrap();
            assert!(found.body.contains(&format!("{count} instructions")), "{}", found.body);
        }
    }

    #[test]
    fn uses_are_counted_in_the_loaded_program() {
        let body = |needle, inside| at(needle, inside).unwrap().body;
        assert!(body("R0.xyz", 0).ends_with("Here read by 2 instructions, written by 1 instruction."));
        assert!(body("tint;", 0).ends_with("Here read by 1 instruction."));
        assert!(body("o[COLR]", 2).ends_with("Here written by 1 instruction."));
        assert!(body("p[3]", 0).contains("Here read by 1 instruction."));
    }

    #[test]
    fn uses_are_counted_in_a_vertex_program() {
        let text = "!!VP2.0\nARL A1.x, v[6];\nADD R15, c[A1.x + 2], v[6];\nMOVC CC, R15;\nDP4 o[HPOS].x, c[9], v[OPOS];\nMOV o[HPOS].y, c[9];\nEND";
        let program = load(text.as_bytes()).program;
        assert!(program.is_some());
        let body = |needle: &str, inside: usize| {
            hover(text.as_bytes(), text.find(needle).unwrap() + inside, program.as_ref()).unwrap().body
        };
        assert!(body("A1.x", 0).ends_with("Here read by 1 instruction, written by 1 instruction."));
        assert!(body("v[6]", 0).ends_with("Here read by 2 instructions."));
        assert!(body("R15", 0).ends_with("Here read by 1 instruction, written by 1 instruction."));
        assert!(body("c[9]", 2).contains("Here read by 2 instructions."));
        assert!(body("HPOS", 0).ends_with("Here written by 2 instructions."));
    }

    proptest! {
        #[test]
        fn whatever_is_pointed_at_is_answered_within_the_text(
            text in "[RAMOVBCxyzwvocfp0-9\\[\\]+\\-|(){}.,;:#$ \n\u{e9}]{0,80}",
            bytes in proptest::collection::vec(any::<u8>(), 0..80),
        ) {
            for language in Language::ALL {
                let option = language.option().map_or_else(String::new, |name| format!("OPTION {name};TEMP R;"));
                for rest in [text.as_bytes(), &bytes] {
                    let text = [language.header().as_bytes(), option.as_bytes(), rest].concat();
                    for offset in 0..=text.len() + 1 {
                        if let Some(found) = hover(&text, offset, None) {
                            prop_assert!(found.span.contains(offset) && found.span.end <= text.len());
                            prop_assert!(!found.title.is_empty() && !found.body.is_empty());
                        }
                        for completion in super::super::completions(&text, offset) {
                            prop_assert!(completion.replace.end <= text.len());
                        }
                    }
                }
            }
        }
    }
}
