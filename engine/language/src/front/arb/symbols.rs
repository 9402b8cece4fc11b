//! Answers questions of editors about a program, even one with errors: its language and options, the meaning
//! of its names and bindings, and the possible continuations of an incomplete binding.
//!
//! The answers come from the parser itself, so an editor reads a text exactly as the loader does.

use std::collections::{BTreeMap, BTreeSet};

use super::bindings::{AttributeBinding, BindingContext, ResultBinding};
use super::names::Variable;
use super::options::TargetOptions;
use super::parameters::Bound;
use super::parser::{Arb, Parser};
use super::units::UnitKind;
use super::words::{Size, begins_attribute};
use crate::diag::codes;
use crate::front::unused::unused_names;
use crate::front::{Sink, fp1};
use crate::ir::{
    Attribute, BufferVariable, OutputRole, ParameterSource, ProgramOptions, TextureTarget, Type,
};
use crate::isa::Language;
use crate::source::Span;
use crate::syntax::{Lexer, TokenKind};

/// The possible continuations of an incomplete binding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offered {
    /// The words that may follow.
    pub words: Vec<&'static str>,
    /// Whole numbers below this limit may follow.
    pub numbers: usize,
}

/// The properties of a program that the meaning of its words and bindings depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The language, extended by the options.
    pub language: Language,
    /// The options that add texture targets.
    pub target_options: TargetOptions,
    /// The options that the IR program keeps.
    pub options: ProgramOptions,
}

impl Setting {
    /// `language` without further options.
    pub fn of(language: Language) -> Self {
        Self { language, target_options: TargetOptions::default(), options: ProgramOptions::default() }
    }

    /// The targets that lookups may use.
    pub fn targets(self) -> impl Iterator<Item = TextureTarget> {
        self.target_options.targets(self.language.profile())
    }
}

/// The meaning of a name or a binding.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A temporary with components of this type.
    Temporary(Type),
    /// A declared address register.
    Address,
    /// A0 of LOOP blocks.
    LoopIndex,
    Attribute(Attribute),
    /// One of the attributes from this one on, chosen by an address register.
    IndexedAttribute(Attribute),
    Parameter(ParameterSource),
    /// An array of parameters, or a range in the list of an array.
    Parameters(Vec<ParameterSource>),
    /// A result, with its declared size.
    Result(OutputRole, Option<Size>),
    /// A texture coordinate set that an address register chooses.
    IndexedResult,
    /// A texture image unit.
    TextureUnit(u8),
    /// An image unit.
    ImageUnit(u8),
    /// A parameter buffer variable.
    Buffer(BufferVariable),
    /// The binding point of a parameter buffer.
    BufferBinding(u8),
    /// A subroutine type, with the names of its labels.
    SubroutineType(Vec<String>),
    /// A subroutine variable: its type, its program subroutine parameters, and whether it is an array.
    Subroutine {
        ty: String,
        parameters: Vec<u16>,
        is_array: bool,
    },
    /// A program subroutine parameter.
    SubroutineParameter(u16),
    /// The declaration is faulty.
    Unknown,
}

/// A name of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub meaning: Meaning,
    /// The place of the declaration; `None` for predefined names.
    pub place: Option<Span>,
}

/// The names of a program, and the properties that their meaning depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbols {
    pub setting: Setting,
    pub names: BTreeMap<String, Declared>,
    /// Declared names that the text does not use. Filled for every language, including those without
    /// variables.
    pub unused: BTreeSet<String>,
}

/// The symbols of `text`, which begins with the header of `language`. In languages without variable
/// declarations, `names` is empty and `unused` has only the names of constants.
pub fn symbols_of(text: &[u8], language: Language) -> Symbols {
    let unused = |declared: &[(&str, Span)]| {
        unused_names(text, declared).into_iter().map(|(name, _)| name.to_owned()).collect()
    };
    if !language.profile().declares_variables() {
        let made = if language == Language::Fp1 { fp1::names(text) } else { Vec::new() };
        return Symbols { setting: Setting::of(language), names: BTreeMap::new(), unused: unused(&made) };
    }
    let own = Parser::new(text, Arb::new(language)).read();
    let declared = |(name, variable, place): (&str, Variable, Option<Span>)| {
        (name.to_owned(), Declared { meaning: own.meaning(variable), place })
    };
    Symbols {
        setting: Setting {
            language: own.language,
            target_options: own.options.targets,
            options: own.options.program,
        },
        names: own.names.all().map(declared).collect(),
        unused: unused(&own.names.declared()),
    }
}

/// The result of reading a text that begins like a binding.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Length of the binding in bytes. A suffix or other text may follow.
    pub length: usize,
    /// The meaning of the binding, if it has no errors.
    pub meaning: Option<Meaning>,
    /// The faulty ranges of the text.
    pub faults: Vec<Span>,
    /// The possible continuations of an incomplete binding.
    pub offered: Offered,
}

/// Reads the binding or texture image unit at the start of `text`. `is_address` returns whether a word is a
/// declared variable that can index arrays: an address register or, in languages with types, a temporary. The
/// result does not depend on whether A0 is inside a LOOP block.
pub fn read_binding(
    setting: Setting,
    is_address: impl Fn(&str) -> bool,
    text: &str,
    place: BindingContext,
) -> Reading {
    let header = setting.language.header();
    let program = format!("{header} {text}");
    let start = header.len() + 1;
    let words = Lexer::continuation(text.as_bytes()).filter(|token| token.kind == TokenKind::Word);
    let words = words.filter_map(|token| text.get(token.span.start..token.span.end));
    let addresses: BTreeSet<&str> = words.filter(|word| is_address(word)).collect();
    let mut own = Arb::new(setting.language.base());
    own.extend_to(setting.language);
    own.options.targets = setting.target_options;
    own.options.program = setting.options;
    for (number, name) in (0..).zip(addresses) {
        let register = if own.is_typed() {
            own.new_temporary(name, Default::default(), Span::at(0), &mut Sink::default())
        } else {
            Variable::Address(number)
        };
        own.names.insert(name, None, register);
    }
    let mut parser = Parser::new(program.as_bytes(), own);
    let meaning = parser.binding(place);
    let length = parser.previous.end.saturating_sub(start).min(text.len());
    let findings = parser.sink.findings_mut().iter();
    let faults = findings.filter(|finding| finding.code != codes::ARB_ADDRESS_OUTSIDE_LOOP);
    let within = faults.map(|finding| finding.span()).filter(|span| span.start >= start && !span.is_empty());
    let faults = within.map(|span| Span::new(span.start - start, span.end - start)).collect();
    Reading { length, meaning, faults, offered: parser.own.offered }
}

impl Parser<'_> {
    /// Reads a binding or texture image unit. The next token is its first word.
    fn binding(&mut self, place: BindingContext) -> Option<Meaning> {
        let word = self.word();
        match word {
            "result" => self.result_binding(place).ok()?.map(|binding| result(binding, None)),
            "program" if self.subroutine_follows() => {
                let (first, _) = self.subroutine_binding(place).ok()??;
                Some(Meaning::SubroutineParameter(first))
            }
            "program" if self.buffer_follows() => self.buffer_meaning(place),
            "state" | "program" => {
                let bound = self.parameter_binding(place).ok()??;
                Some(parameters(bound))
            }
            "texture" | "image" => {
                let kind = UnitKind::from_name(word)?;
                let units = self.unit(kind).ok()??;
                Some(unit_meaning(kind, units.first))
            }
            _ if begins_attribute(self.own.language, word) => {
                self.attribute_binding(place).ok()?.map(attribute)
            }
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// Whether `.subroutine` follows the next token, in languages with subroutine variables.
    fn subroutine_follows(&self) -> bool {
        self.follows("SUBROUTINE", "subroutine")
    }

    /// Whether `.buffer` follows the next token, in languages with parameter buffers.
    fn buffer_follows(&self) -> bool {
        self.follows("BUFFER", "buffer")
    }

    fn follows(&self, keyword: &str, word: &str) -> bool {
        let behind = self.lookahead().nth(1);
        self.own.language.profile().keywords.contains(&keyword)
            && behind.is_some_and(|token| self.word_at(token) == word)
    }
}

impl Arb<'_> {
    fn meaning(&self, variable: Variable) -> Meaning {
        let source = |value: super::parameters::Value| value.source();
        match variable {
            Variable::Temporary(number) => Meaning::Temporary(self.temporary_type(number)),
            Variable::Address(_) => Meaning::Address,
            Variable::LoopIndex => Meaning::LoopIndex,
            Variable::Temporaries(array) => Meaning::Temporary(self.temporary_type(array.first)),
            Variable::Attribute(binding, _) => attribute(binding),
            Variable::Attributes(array) => Meaning::IndexedAttribute(array.first),
            Variable::OfVertices(array, _) => Meaning::IndexedAttribute(array.first),
            Variable::Results(_) => Meaning::IndexedResult,
            Variable::Units(kind, unit, _) => unit_meaning(kind, unit),
            Variable::Buffer(number) => {
                let buffer = self.buffers.get(number);
                buffer.map_or(Meaning::Unknown, |buffer| Meaning::Buffer(buffer.variable.clone()))
            }
            Variable::SubroutineType(number) => {
                Meaning::SubroutineType(self.subroutines.members(number).map(str::to_owned).collect())
            }
            Variable::Subroutine(number) => match self.subroutines.variable(number) {
                Some((ty, parameters, is_array)) => {
                    Meaning::Subroutine { ty: ty.to_owned(), parameters: parameters.to_vec(), is_array }
                }
                None => Meaning::Unknown,
            },
            Variable::Parameter(number) => {
                let single = usize::try_from(number).ok().and_then(|number| self.names.singles.get(number));
                single.map_or(Meaning::Unknown, |single| Meaning::Parameter(single.value.source()))
            }
            Variable::Array(number) => self.names.array(number).map_or(Meaning::Unknown, |array| {
                Meaning::Parameters(array.elements().map(source).collect())
            }),
            Variable::Result(binding, declared) => result(binding, declared.size),
            Variable::Broken => Meaning::Unknown,
        }
    }
}

const fn unit_meaning(kind: UnitKind, unit: u8) -> Meaning {
    match kind {
        UnitKind::Texture => Meaning::TextureUnit(unit),
        UnitKind::Image => Meaning::ImageUnit(unit),
    }
}

const fn attribute(binding: AttributeBinding) -> Meaning {
    match binding {
        AttributeBinding::One(attribute) => Meaning::Attribute(attribute),
        AttributeBinding::Indexed { first, .. } | AttributeBinding::Range { first, .. } => {
            Meaning::IndexedAttribute(first)
        }
        AttributeBinding::OfVertices { first, .. } => Meaning::IndexedAttribute(first),
    }
}

const fn result(binding: ResultBinding, size: Option<Size>) -> Meaning {
    match binding {
        ResultBinding::One(role) => Meaning::Result(role, size),
        ResultBinding::TexCoord(_) | ResultBinding::Range { .. } => Meaning::IndexedResult,
    }
}

fn parameters(bound: Bound) -> Meaning {
    if bound.count == 1 {
        return Meaning::Parameter(bound.first.source());
    }
    let values = (0..bound.count).filter_map(|steps| bound.first.after(steps));
    Meaning::Parameters(values.map(|value| value.source()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::language_with_options;
    use crate::ir::{ConstantVector, StateVector};

    fn read(language: Language, text: &str, place: BindingContext) -> Reading {
        read_binding(Setting::of(language), |word| word == "A", text, place)
    }

    #[test]
    fn a_binding_is_read_by_its_own_words_alone() {
        let asked = std::cell::RefCell::new(Vec::new());
        let is_address = |word: &str| {
            asked.borrow_mut().push(word.to_owned());
            word == "a"
        };
        let setting = Setting::of(Language::ArbVp1Nv3);
        let reading = read_binding(setting, is_address, "vertex.attrib[a.x + 1]", BindingContext::Operand);
        assert!(reading.faults.is_empty() && reading.meaning.is_some(), "{reading:?}");
        assert_eq!(asked.into_inner(), ["vertex", "attrib", "a", "x"]);
    }

    #[test]
    fn names_stand_for_what_declares_them() {
        let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nSHORT TEMP h;\nTEMP r, g;\n\
            ATTRIB c = fragment.color.secondary;\nPARAM k = 2;\nPARAM m[] = { state.matrix.mvp, program.env[1..2] };\n\
            OUTPUT o = result.color;\nALIAS q = k;\nPARAM bad = fragment.color;\nTEMP ADD, after;\nMOV o, c";
        let found = symbols_of(text.as_bytes(), Language::ArbFp1);
        assert_eq!(found.setting.language, Language::ArbFp1Nv2);
        let meaning = |name: &str| found.names.get(name).map(|declared| declared.meaning.clone());
        assert_eq!(meaning("h"), Some(Meaning::Temporary(Type::F16)));
        assert_eq!(meaning("g"), Some(Meaning::Temporary(Type::F32)));
        assert_eq!(meaning("c"), Some(Meaning::Attribute(Attribute::Col1)));
        assert_eq!(
            meaning("q"),
            Some(Meaning::Parameter(ParameterSource::Constant(ConstantVector::floats([2.0; 4]))))
        );
        assert_eq!(meaning("o"), Some(Meaning::Result(OutputRole::Color(0), None)));
        assert_eq!(meaning("bad"), Some(Meaning::Unknown));
        assert_eq!(meaning("after"), Some(Meaning::Temporary(Type::F32)));
        assert_eq!(meaning("A0"), Some(Meaning::LoopIndex));
        assert_eq!(meaning("ADD"), None);
        let Some(Meaning::Parameters(elements)) = meaning("m") else { panic!("{:?}", meaning("m")) };
        assert_eq!(elements.len(), 6);
        assert_eq!(elements[5], ParameterSource::Env(2));
        assert_eq!(elements[3].name_in(Language::ArbFp1).as_deref(), Some("state.matrix.mvp.row[3]"));
    }

    #[test]
    fn options_are_read_where_they_stand() {
        let language = |text: &str| language_with_options(text.as_bytes()).unwrap();
        let both = "!!ARBvp1.0 OPTION NV_vertex_program3; # a\nOPTION NV_vertex_program2;";
        assert_eq!(language(both), Language::ArbVp1Nv3);
        assert_eq!(language("!!ARBvp1.0\nOPTION ARB_position_invariant;TEMP a;"), Language::ArbVp1);
        // An option of the other stage, and an option after a declaration, are ignored.
        assert_eq!(language("!!ARBvp1.0\nOPTION NV_fragment_program;"), Language::ArbVp1);
        assert_eq!(language("!!ARBvp1.0\nTEMP a; OPTION NV_vertex_program2;"), Language::ArbVp1);
        for text in [both, "!!ARBvp1.0\nTEMP a; OPTION NV_vertex_program2; END"] {
            assert_eq!(symbols_of(text.as_bytes(), Language::ArbVp1).setting.language, language(text));
        }
    }

    /// Every binding is read back from its canonical spelling.
    #[test]
    fn bindings_are_read_as_what_they_name() {
        for language in Language::ALL.into_iter().filter(|language| language.profile().declares_variables()) {
            for vector in StateVector::all().into_iter().filter(|vector| vector.is_in(language)) {
                let text = format!("{vector}.w");
                let found = read(language, &text, BindingContext::Operand);
                let expected = Meaning::Parameter(ParameterSource::State(vector));
                assert_eq!((found.meaning, found.length), (Some(expected), text.len() - 2), "{text}");
            }
            for attribute in Attribute::of_language(language) {
                let found = read(language, &attribute.register_in(language), BindingContext::Declaration);
                assert_eq!(found.meaning, Some(Meaning::Attribute(attribute)), "{attribute:?}");
            }
        }
        let fragment = |text| read(Language::ArbFp1, text, BindingContext::Operand);
        assert_eq!(fragment("result.color.x, a").meaning, Some(Meaning::Result(OutputRole::Color(0), None)));
        assert_eq!(fragment("texture[3], 2D").meaning, Some(Meaning::TextureUnit(3)));
        assert_eq!(fragment("texture, 2D").length, "texture".len());
        let vertex = read(Language::ArbVp1Nv3, "vertex.attrib[A.x + 2]", BindingContext::Operand);
        assert_eq!(vertex.meaning, Some(Meaning::IndexedAttribute(Attribute::Vertex(0))));
    }

    #[test]
    fn what_is_at_fault_is_marked() {
        let faults = |text: &'static str| -> Vec<&'static str> {
            let found = read(Language::ArbFp1, text, BindingContext::Operand);
            found.faults.into_iter().map(|span| &text[span.start..span.end]).collect()
        };
        assert_eq!(faults("state.fog.colour"), ["colour"]);
        assert_eq!(faults("state.light[8].half"), ["8"]);
        assert_eq!(faults("fragment.facing"), ["facing"]);
        assert_eq!(faults("result.color[1]"), ["["]);
        assert_eq!(faults("fragment.color.xyz"), Vec::<&str>::new());
        assert_eq!(faults("state.light"), Vec::<&str>::new());
    }

    #[test]
    fn what_could_follow_is_offered() {
        let words = |language, text| read(language, text, BindingContext::Declaration).offered.words;
        assert_eq!(words(Language::ArbFp1, "fragment."), ["color", "texcoord", "fogcoord", "position"]);
        assert!(words(Language::ArbFp1Nv2, "fragment.").contains(&"facing"));
        assert_eq!(words(Language::ArbFp1, "fragment.color."), ["primary", "secondary"]);
        assert_eq!(words(Language::ArbVp1, "result.color.back."), ["primary", "secondary"]);
        assert_eq!(words(Language::ArbVp1, "state.texgen[1]."), ["eye", "object"]);
        assert_eq!(words(Language::ArbFp1, "state.matrix.mvp."), ["inverse", "transpose", "invtrans", "row"]);
        assert_eq!(words(Language::ArbFp1, "fragment.position."), Vec::<&str>::new());
        let numbers = |text| read(Language::ArbFp1, text, BindingContext::Declaration).offered.numbers;
        assert_eq!((numbers("state.light["), numbers("texture["), numbers("program.env[")), (8, 16, 256));
        assert_eq!(numbers("state.matrix.mvp.row["), 4);
    }
}
