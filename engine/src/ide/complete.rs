//! What could be written at a place.

use std::collections::{BTreeMap, BTreeSet};

use super::arb;
use super::outline::{OutlineKind, outline};
use super::words::{self, Array, Word, classify};
use crate::front::{LANGUAGES, language_of, lossy};
use crate::ir::{Condition, IMAGE_UNITS, TextureTarget};
use crate::isa::{
    Addresses, Info, Language, OperandKind, Precision, ResultKind, Stage, Suffixes, instructions,
};
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};

/// One thing that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What would be written.
    pub label: String,
    /// What it is, in a few words.
    pub detail: String,
    /// The bytes it would replace.
    pub replace: Span,
}

/// What could be written at byte `offset`, fitting what is already typed there. A text that names no
/// language is offered the headers of those there are, and nothing else.
pub fn completions(text: &[u8], offset: usize) -> Vec<Completion> {
    let offset = offset.min(text.len());
    let Some(context) = Context::at(text, offset) else { return Vec::new() };
    let language = language_of(text);
    if let Some(language) =
        language.filter(|language| language.profile().declares_variables() && !context.in_header)
    {
        return arb::complete::completions(text, offset, language, &context);
    }
    let prefix = lossy(Span::new(context.replace.start, offset).slice(text)).to_ascii_lowercase();
    let mut found = Vec::new();
    let mut add = |label: String, detail: &str| {
        if label.to_ascii_lowercase().starts_with(&prefix) {
            found.push(Completion { label, detail: detail.to_owned(), replace: context.replace });
        }
    };
    match language {
        _ if context.in_header => headers(&mut add),
        Some(language) => context.offer(language, text, &mut add),
        None => {}
    }
    found
}

/// The statement before a place, and the word that is being typed.
pub(super) struct Context {
    /// Significant tokens of the statement before the word.
    pub statement: Vec<Token>,
    /// The word.
    pub replace: Span,
    /// Whether a header is being typed, or could be.
    in_header: bool,
}

impl Context {
    /// Nothing where nothing can be completed: within comments and numbers.
    fn at(text: &[u8], offset: usize) -> Option<Self> {
        let mut statement = Vec::new();
        let mut replace = Span::at(offset);
        let mut in_header = offset == 0;
        for token in Lexer::new(text).take_while(|t| t.span.start < offset) {
            let touches = token.span.end >= offset;
            match token.kind {
                TokenKind::Whitespace => {}
                TokenKind::Comment | TokenKind::Number | TokenKind::BadNumber if touches => return None,
                TokenKind::Comment => {}
                TokenKind::Header if touches => (replace, in_header) = (token.span, true),
                TokenKind::Header | TokenKind::Semicolon | TokenKind::Colon => statement.clear(),
                TokenKind::Word | TokenKind::Dimension if touches => replace = token.span,
                // A text without semicolons shall not pile up.
                _ if statement.len() < 1024 => statement.push(token),
                _ => {}
            }
        }
        Some(Self { statement, replace, in_header })
    }

    fn offer(&self, language: Language, text: &[u8], add: &mut impl FnMut(String, &str)) {
        let kind_back = |n: usize| self.statement.iter().rev().nth(n).map(|t| t.kind);
        let word_back = |n: usize| {
            self.statement.iter().rev().nth(n).map_or_else(String::new, |t| lossy(t.span.slice(text)))
        };
        let Some(first) = self.statement.first() else {
            statements(language, add);
            return;
        };
        match kind_back(0) {
            Some(TokenKind::Dot) => {
                components(language, &word_back(1), kind_back(2) == Some(TokenKind::LeftBracket), add);
                return;
            }
            Some(TokenKind::LeftBracket) => {
                elements(language, &word_back(1), add);
                return;
            }
            Some(TokenKind::LeftParen) => {
                conditions(language, add);
                return;
            }
            _ => {}
        }
        let word = lossy(first.span.slice(text));
        match classify(language, &word) {
            Word::Instruction(info) => self.operands(language, info, text, add),
            Word::Keyword("DEFINE" | "DECLARE")
                if self.statement.iter().any(|t| t.kind == TokenKind::Equals) =>
            {
                names(text, self.replace.start, add);
            }
            Word::Keyword("OPTION") if self.statement.len() == 1 => {
                for name in language.profile().options {
                    add((*name).to_owned(), "program option");
                }
            }
            _ => {}
        }
    }

    /// What `info` wants where an operand is being typed: commas outside braces tell which.
    pub fn wanted(&self, language: Language, info: &Info) -> Option<Wanted> {
        let mut depth = 0_usize;
        let mut place = 0;
        for token in &self.statement {
            match token.kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth = depth.saturating_sub(1),
                TokenKind::Comma if depth == 0 => place += 1,
                _ => {}
            }
        }
        // Behind a complete operand only punctuation can follow.
        let complete = self.statement.last().is_some_and(|t| {
            self.statement.len() > 1
                && !matches!(
                    t.kind,
                    TokenKind::Comma
                        | TokenKind::Plus
                        | TokenKind::Minus
                        | TokenKind::Bar
                        | TokenKind::LeftBrace
                )
        });
        if complete {
            return None;
        }
        let has_destination = info.result != ResultKind::None;
        if has_destination && place == 0 {
            return Some(Wanted::Destination(info.result));
        }
        let index = place - usize::from(has_destination);
        let operands = info.operands_in(language);
        match operands.get(index) {
            Some(kind) => Some(Wanted::Operand(*kind)),
            None if operands.last() == Some(&OperandKind::TextureImage) && index == operands.len() => {
                Some(Wanted::Target)
            }
            None if operands.last() == Some(&OperandKind::ExtendedSwizzle) => {
                (index < operands.len() + 4).then_some(Wanted::Selector)
            }
            None => None,
        }
    }

    /// Offers for the operand that is being typed.
    fn operands(&self, language: Language, info: &Info, text: &[u8], add: &mut impl FnMut(String, &str)) {
        match self.wanted(language, info) {
            Some(Wanted::Destination(ResultKind::Address)) => addresses(language, add),
            Some(Wanted::Destination(_)) => destinations(language, text, add),
            Some(Wanted::Operand(
                OperandKind::Vector
                | OperandKind::Scalar
                | OperandKind::VectorOrCondition
                | OperandKind::ExtendedSwizzle,
            )) => sources(language, text, self.replace.start, add),
            Some(Wanted::Operand(OperandKind::Condition)) => conditions(language, add),
            Some(Wanted::Operand(OperandKind::Address)) => addresses(language, add),
            Some(Wanted::Operand(OperandKind::Label)) => labels(text, add),
            Some(Wanted::Operand(OperandKind::TextureImage)) => {
                for unit in 0..IMAGE_UNITS as u8 {
                    add(language.profile().texture_unit(unit), "texture image unit");
                }
            }
            Some(Wanted::Target) => {
                for target in TextureTarget::ALL {
                    add(target.name().to_owned(), "texture target");
                }
            }
            // A branch condition begins with a parenthesis; selectors are the ARB languages'.
            Some(Wanted::Operand(OperandKind::BranchCondition) | Wanted::Selector) | None => {}
        }
    }
}

/// What an instruction wants at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Where its result goes.
    Destination(ResultKind),
    /// An operand.
    Operand(OperandKind),
    /// The target of a texture lookup.
    Target,
    /// A component, 0 or 1, of SWZ.
    Selector,
}

fn headers(add: &mut impl FnMut(String, &str)) {
    for language in LANGUAGES {
        add(language.header().to_owned(), language.extension());
    }
}

/// Plain mnemonics and keywords first, then every suffixed name.
pub(super) fn statements(language: Language, add: &mut impl FnMut(String, &str)) {
    for info in instructions(language) {
        add(info.mnemonic.to_owned(), info.title);
    }
    for keyword in language.profile().keywords {
        add((*keyword).to_owned(), "statement");
    }
    let mut suffixed = BTreeMap::new();
    for info in instructions(language) {
        let forms = info.forms(language).map(|forms| forms.combinations()).unwrap_or_default();
        for suffixes in forms.into_iter().filter(|suffixes| *suffixes != Suffixes::default()) {
            suffixed.insert(format!("{}{}", info.mnemonic, suffixes.text()), info.title);
        }
    }
    for (name, title) in suffixed {
        add(name, title);
    }
}

/// Component letters behind `word` and a point; an index in brackets is one component.
fn components(language: Language, word: &str, index: bool, add: &mut impl FnMut(String, &str)) {
    let is_address = matches!(classify(language, word), Word::Address);
    let known = if is_address { language.profile().addresses.components } else { "xyzw" };
    for (place, _) in known.char_indices() {
        add(known[place..=place].to_owned(), "components");
    }
    if known.len() > 1 && !index {
        add("xyz".to_owned(), "components");
        add("xyzw".to_owned(), "components");
    }
}

/// What can stand in the brackets behind `array`.
fn elements(language: Language, array: &str, add: &mut impl FnMut(String, &str)) {
    let Word::Array(array) = classify(language, array) else { return };
    match array {
        Array::Attributes => {
            for name in words::attribute_names(language) {
                add(name.to_owned(), "attribute");
            }
        }
        Array::Outputs => {
            for name in words::output_names(language) {
                add(name.to_owned(), "output");
            }
        }
        Array::Parameters => {
            let Addresses { registers, components, .. } = language.profile().addresses;
            for register in registers {
                for component in components.chars() {
                    add(format!("{register}.{component}"), "relative");
                }
            }
        }
    }
}

pub(super) fn conditions(language: Language, add: &mut impl FnMut(String, &str)) {
    for condition in Condition::ALL {
        if matches!(classify(language, condition.name()), Word::Condition) {
            add(condition.name().to_owned(), "condition rule");
        }
    }
}

/// Address registers as they are loaded and added: whole, but for those that have one component.
fn addresses(language: Language, add: &mut impl FnMut(String, &str)) {
    let Addresses { registers, components, .. } = language.profile().addresses;
    for register in registers {
        let whole = if components == "x" { format!("{register}.x") } else { (*register).to_owned() };
        add(whole, "address register");
    }
}

/// Labels, wherever in the text they are defined.
pub(super) fn labels(text: &[u8], add: &mut impl FnMut(String, &str)) {
    let mut seen = BTreeSet::new();
    for item in outline(text).into_iter().filter(|item| item.kind == OutlineKind::Label) {
        if seen.insert(item.title.clone()) {
            add(item.title, "label");
        }
    }
}

/// Temporaries that the text already names, so that completion follows the program's habits.
fn temporaries(language: Language, text: &[u8], add: &mut impl FnMut(String, &str)) {
    let mut seen = BTreeSet::new();
    for token in Lexer::new(text).filter(|t| t.kind == TokenKind::Word) {
        let word = lossy(token.span.slice(text));
        if matches!(classify(language, &word), Word::Temporary(_)) && seen.insert(word.clone()) {
            add(word, "temporary");
        }
    }
}

fn destinations(language: Language, text: &[u8], add: &mut impl FnMut(String, &str)) {
    for name in words::output_names(language) {
        add(format!("o[{name}]"), "output");
    }
    if let Some(letter) = Array::Parameters.name(language).filter(|_| language.stage() == Stage::VertexState)
    {
        add(format!("{letter}[0]"), "program parameter");
    }
    temporaries(language, text, add);
    let registers = language.profile().condition_registers;
    for (name, precision) in registers {
        let what = match precision {
            _ if registers.len() == 1 => "condition code only",
            Precision::H => "condition code only, fp16",
            Precision::R | Precision::X => "condition code only, fp32",
        };
        add((*name).to_owned(), what);
    }
}

/// Names made before `offset`.
fn names(text: &[u8], offset: usize, add: &mut impl FnMut(String, &str)) {
    for item in outline(text).into_iter().filter(|i| i.span.end <= offset) {
        match item.kind {
            OutlineKind::Constant => add(item.title, &format!("= {}", item.detail)),
            OutlineKind::Parameter => add(item.title, "local parameter"),
            OutlineKind::Section
            | OutlineKind::Texture
            | OutlineKind::Output
            | OutlineKind::Label
            | OutlineKind::Option
            | OutlineKind::Temporary
            | OutlineKind::Attribute
            | OutlineKind::Address
            | OutlineKind::Block => {}
        }
    }
}

fn sources(language: Language, text: &[u8], offset: usize, add: &mut impl FnMut(String, &str)) {
    names(text, offset, add);
    temporaries(language, text, add);
    if let Some(letter) = Array::Attributes.name(language) {
        for name in words::attribute_names(language) {
            add(format!("{letter}[{name}]"), "attribute");
        }
    }
    if let Some(letter) = Array::Parameters.name(language) {
        add(format!("{letter}[0]"), "numbered parameter");
        for register in language.profile().addresses.registers {
            add(format!("{letter}[{register}.x]"), "relative parameter");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels offered at `@`.
    fn at(marked: &str) -> Vec<String> {
        let offset = marked.find('@').unwrap();
        let text = marked.replacen('@', "", 1);
        completions(text.as_bytes(), offset).into_iter().map(|c| c.label).collect()
    }

    #[test]
    fn offers_fit_the_place() {
        assert_eq!(
            at("!!FP1.0\nSU@"),
            [
                "SUB",
                "SUBC",
                "SUBC_SAT",
                "SUBH",
                "SUBHC",
                "SUBHC_SAT",
                "SUBH_SAT",
                "SUBR",
                "SUBRC",
                "SUBRC_SAT",
                "SUBR_SAT",
                "SUBX",
                "SUBXC",
                "SUBXC_SAT",
                "SUBX_SAT",
                "SUB_SAT"
            ]
        );
        assert_eq!(at("!!FP1.0\nde@"), ["DEFINE", "DECLARE"]);
        assert_eq!(at("!!FP1.0\nOPTION ARB_fragment_coord_p@"), ["ARB_fragment_coord_pixel_center_integer"]);
        assert_eq!(at("!!FP1.0\nMOV o[@"), ["COLR", "COLH", "DEPR"]);
        assert_eq!(at("!!FP1.0\nMOV R0, f[F@"), ["FOGC"]);
        assert_eq!(at("!!FP1.0\nTEX R0, f[TEX0], TEX1, @"), ["1D", "2D", "3D", "CUBE", "RECT"]);
        assert_eq!(at("!!FP1.0\nTEX R0, f[TEX0], TEX1@")[..2], ["TEX1", "TEX10"]);
        assert_eq!(at("!!FP1.0\nKIL N@"), ["NE"]);
        assert_eq!(at("!!FP1.0\nMOV R0 (G@"), ["GE", "GT"]);
        assert_eq!(at("!!FP1.0\nDEFINE pi = 3;\nDECLARE px;\nMOV R7, -|p@"), ["pi", "px", "p[0]"]);
        assert_eq!(at("!!FP1.0\nMOV R5, H3;\nMOV R@"), ["R5", "RC"]);
    }

    #[test]
    fn nothing_is_offered_where_nothing_fits() {
        for text in [
            "!!FP1.0 # MO@",
            "!!FP1.0\nMOV R0, 2@",
            "!!FP1.0\nMOV R0 @",
            "!!FP1.0\nMOV R0, R1, @",
            "!!FP1.0\nDEFINE @",
        ] {
            assert_eq!(at(text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(at("MOV R0, R@"), Vec::<String>::new());
    }

    #[test]
    fn headers_are_offered_where_one_stands() {
        assert_eq!(at("@"), LANGUAGES.map(Language::header));
        assert_eq!(at("!!VP@"), ["!!VP1.0", "!!VP1.1", "!!VP2.0"]);
        assert_eq!(at("!!ARB@"), ["!!ARBfp1.0", "!!ARBvp1.0"]);
        assert_eq!(at("!!F@P9\nMOV R0, R1;"), ["!!FP1.0"]);
        assert_eq!(completions(b"", 5), completions(b"", 0));
    }

    #[test]
    fn offers_follow_the_language() {
        assert_eq!(at("!!VP1.0\nS@"), ["SGE", "SLT"]);
        assert_eq!(at("!!VP1.1\nS@"), ["SGE", "SLT", "SUB"]);
        assert_eq!(at("!!VP2.0\nSU@"), ["SUB", "SUBC"]);
        assert_eq!(at("!!VP2.0\nhere: BR@"), ["BRA"]);
        assert_eq!(at("!!VP1.0\nO@"), Vec::<String>::new());
        assert_eq!(at("!!VP1.1\nO@"), ["OPTION"]);
        assert_eq!(at("!!VP2.0\nOPTION @"), ["NV_position_invariant"]);
        assert_eq!(at("!!VP1.0\nMOV o[P@"), ["PSIZ"]);
        assert_eq!(at("!!VP1.0\nMOV o[CL@"), Vec::<String>::new());
        assert_eq!(at("!!VP2.0\nMOV o[CLP@").len(), 6);
        assert_eq!(at("!!VP2.0\nMOV R0, v[T@").len(), 8);
        assert_eq!(at("!!VSP1.0\nMOV R0, v[@"), ["0"]);
        assert_eq!(at("!!VSP1.0\nMOV c@"), ["c[0]"]);
        assert_eq!(at("!!VP2.0\nMOV C@"), ["CC"]);
        assert_eq!(at("!!VP1.1\nMOV C@"), Vec::<String>::new());
        assert_eq!(at("!!VP2.0\nMOV R0(L@"), ["LE", "LT"]);
        assert_eq!(at("!!VP1.0\nMOV R0(L@"), Vec::<String>::new());
    }

    #[test]
    fn address_registers_are_offered_where_they_can_stand() {
        assert_eq!(at("!!VP1.0\nARL @"), ["A0.x"]);
        assert_eq!(at("!!VP2.0\nARL @"), ["A0", "A1"]);
        assert_eq!(at("!!VP2.0\nARA A0, @"), ["A0", "A1"]);
        assert_eq!(at("!!VP1.0\nMOV R0, c[@"), ["A0.x"]);
        assert_eq!(at("!!VP2.0\nMOV R0, c[A1@"), ["A1.x", "A1.y", "A1.z", "A1.w"]);
        assert_eq!(at("!!VP1.0\nMOV R0, c[A0.@"), ["x"]);
        assert_eq!(at("!!VP2.0\nMOV R0, c[A0.@"), ["x", "y", "z", "w"]);
        assert_eq!(at("!!VP2.0\nARL A0.@"), ["x", "y", "z", "w", "xyz", "xyzw"]);
        assert_eq!(at("!!VP2.0\nMOV R0, A@"), Vec::<String>::new());
    }

    #[test]
    fn branches_are_offered_the_labels_of_the_text() {
        let text = "!!VP2.0\nagain: MOV R0, R1;\nBRA a@ (GT.x);\nafter: RET;\nagain: END";
        assert_eq!(at(text), ["again", "after"]);
        assert_eq!(at("!!VP2.0\nx: CAL @"), ["x"]);
        assert_eq!(at("!!VP2.0\nx: BRA x (N@"), ["NE"]);
        assert_eq!(at("!!VP2.0\nx: RET (N@"), ["NE"]);
        assert_eq!(at("!!VP2.0\nx: RET @"), Vec::<String>::new());
        assert_eq!(at("!!VP2.0\nx: BRA x @"), Vec::<String>::new());
    }
}
