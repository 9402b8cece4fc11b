//! Completions: the words that are valid at a place in a text. They come from the parser's state there and
//! from the declared names.

use std::collections::{BTreeMap, BTreeSet};

use super::meaning::{describe, patch_result};
use super::outline::{OutlineKind, outline};
use super::words::{self, Array, Word, classify};
use shadestep_language::front::arb::BindingContext;
use shadestep_language::front::arb::symbols::{Meaning, Symbols, read_binding, symbols_of};
use shadestep_language::front::vp::words::results;
use shadestep_language::front::{LANGUAGES, lossy};
use shadestep_language::ir::{
    Attribute, Condition, IMAGE_UNITS, ImageAccess, OutputRole, ParameterSource, PatchResult, VertexResult,
    limits,
};
use shadestep_language::isa::{
    self, Addresses, Info, Language, Modifier, ModifierOrder, OperandKind, Precision, Profile, ResultKind,
    Stage, Suffixes, instructions,
};
use shadestep_language::source::Span;
use shadestep_language::syntax::{Lexer, Token, TokenKind};

/// A completion at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The inserted text.
    pub label: String,
    /// A description of a few words.
    pub detail: String,
    /// The bytes that the completion replaces.
    pub replace: Span,
}

/// The completions at byte `offset` that fit the typed text. A text without a known header gets the headers
/// of all languages, and nothing else.
pub fn completions(text: &[u8], offset: usize) -> Vec<Completion> {
    completions_in(Language::of_header(text), text, offset)
}

/// The completions for a text in `language`.
fn completions_in(language: Option<Language>, text: &[u8], offset: usize) -> Vec<Completion> {
    let offset = offset.min(text.len());
    let order = language.map(|language| language.profile().modifier_order);
    let Some(context) = Context::at(text, offset, order) else { return Vec::new() };
    let prefix = lossy(Span::new(context.replace.start, offset).slice(text)).to_ascii_lowercase();
    let mut found = Vec::new();
    let mut add = |label: String, detail: &str| {
        if label.to_ascii_lowercase().starts_with(&prefix) {
            found.push(Completion { label, detail: detail.to_owned(), replace: context.replace });
        }
    };
    match language {
        _ if context.in_header => headers(&mut add),
        Some(language) => {
            Offered { text, symbols: &symbols_of(text, language), context: &context }.offer(&mut add);
        }
        None => {}
    }
    found
}

/// The statement before a place, and the word under the cursor.
struct Context {
    /// Significant tokens of the statement before the word. An instruction name and its dotted modifiers are
    /// one token.
    statement: Vec<Token>,
    /// The bytes of the word.
    replace: Span,
    /// Whether the word is a header, or could become one.
    in_header: bool,
}

impl Context {
    /// The context at `offset`; `None` within comments and numbers, which have no completions.
    fn at(text: &[u8], offset: usize, order: Option<ModifierOrder>) -> Option<Self> {
        let mut statement: Vec<Token> = Vec::new();
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
                TokenKind::Word
                    if order == Some(ModifierOrder::Dotted) && ends_with_point(&statement, token) =>
                {
                    statement.truncate(1);
                    statement[0].span = statement[0].span.to(token.span);
                }
                // The limit keeps a text without semicolons from using much memory.
                _ if statement.len() < 1024 => statement.push(token),
                _ => {}
            }
        }
        Some(Self { statement, replace, in_header })
    }

    /// Whether the word directly follows an instruction name and a dot.
    fn is_modifier(&self) -> bool {
        matches!(self.statement.as_slice(), [_, point] if point.kind == TokenKind::Dot)
    }

    fn has(&self, kind: TokenKind) -> bool {
        self.statement.iter().any(|token| token.kind == kind)
    }

    /// Number of commas outside braces, and number of open braces.
    fn commas_and_braces(&self) -> (usize, usize) {
        let (mut commas, mut depth) = (0, 0_usize);
        for token in &self.statement {
            match token.kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth = depth.saturating_sub(1),
                TokenKind::Comma if depth == 0 => commas += 1,
                _ => {}
            }
        }
        (commas, depth)
    }

    /// The kind of operand that `info` needs at the cursor. The commas outside braces give its place.
    fn wanted(&self, language: Language, info: &Info) -> Option<Wanted> {
        // After a complete operand, only punctuation can follow.
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
        let (place, _) = self.commas_and_braces();
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
}

/// Whether `statement` is a name and a dot, and `word` directly follows.
fn ends_with_point(statement: &[Token], word: Token) -> bool {
    let &[name, point] = statement else { return false };
    let is_one = name.span.end == point.span.start && point.span.end == word.span.start;
    name.kind == TokenKind::Word && point.kind == TokenKind::Dot && is_one
}

/// The kind of operand that an instruction needs at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// The destination of the result.
    Destination(ResultKind),
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

/// Offers plain mnemonics and keywords first. Then every suffixed name, if modifiers are not offered one by
/// one.
fn statements(language: Language, add: &mut impl FnMut(String, &str)) {
    for info in instructions(language) {
        add(info.mnemonic.to_owned(), info.title);
    }
    for keyword in language.profile().keywords {
        add((*keyword).to_owned(), "statement");
    }
    if language.profile().modifier_order == ModifierOrder::Dotted {
        return;
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

/// The kinds of names that are valid at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Readable,
    Writable,
    Addresses,
    Images,
    Subroutines,
    SubroutineTypes,
    All,
}

/// A place in a text with a known language.
struct Offered<'t> {
    text: &'t [u8],
    symbols: &'t Symbols,
    context: &'t Context,
}

impl Offered<'_> {
    const fn language(&self) -> Language {
        self.symbols.setting.language
    }

    const fn profile(&self) -> &'static Profile {
        self.symbols.setting.language.profile()
    }

    fn word(&self, token: Token) -> String {
        lossy(token.span.slice(self.text))
    }

    /// The kind of the n-th token before the word under the cursor.
    fn kind_back(&self, n: usize) -> Option<TokenKind> {
        self.context.statement.iter().rev().nth(n).map(|token| token.kind)
    }

    fn word_back(&self, n: usize) -> String {
        let token = self.context.statement.iter().rev().nth(n);
        token.map_or_else(String::new, |token| self.word(*token))
    }

    /// The first word of the statement.
    fn head(&self) -> Option<Word> {
        let first = self.context.statement.first()?;
        Some(classify(self.language(), &self.word(*first)))
    }

    fn offer(&self, add: &mut impl FnMut(String, &str)) {
        let Some(head) = self.head() else {
            statements(self.language(), add);
            return;
        };
        if self.parts(add) {
            return;
        }
        match (self.kind_back(0), head) {
            (Some(TokenKind::Dot), _)
                if self.context.is_modifier() && self.profile().modifier_order == ModifierOrder::Dotted =>
            {
                self.modifiers(add);
            }
            (Some(TokenKind::Dot), _) => self.components(add),
            (Some(TokenKind::LeftBracket), _) => self.elements(add),
            (Some(TokenKind::LeftParen), _) => self.conditions(add),
            (_, Word::Instruction(info)) => self.operand(info, add),
            (_, Word::Keyword(keyword)) => self.declaration(keyword, add),
            _ => {}
        }
    }

    /// Offers the modifiers that can follow the instruction name and its present modifiers.
    fn modifiers(&self, add: &mut impl FnMut(String, &str)) {
        let (name, language) = (self.word_back(1), self.language());
        for modifier in Modifier::ALL {
            let Some(word) = modifier.dotted() else { continue };
            let found = isa::find(language, &format!("{name}.{word}"));
            let takes = |(info, suffixes): (&Info, Suffixes)| {
                info.forms(language).is_some_and(|forms| forms.clamps_what_it_may(suffixes))
            };
            if found.is_some_and(takes) {
                add(word.to_owned(), modifier.title());
            }
        }
    }

    /// Offers the next part of the binding before the word. Returns whether there is such a binding.
    fn parts(&self, add: &mut impl FnMut(String, &str)) -> bool {
        let Some(text) = self.binding_before() else { return false };
        let setting = self.symbols.setting;
        let read = |text: &str, place| read_binding(setting, |word| self.is_address(word), text, place);
        let (_, braces) = self.context.commas_and_braces();
        let place = if braces > 0 { BindingContext::Element } else { BindingContext::Declaration };
        let offered = read(&text, place).offered;
        for word in &offered.words {
            let whole = format!("{text}{word}");
            let reading = read(&whole, place);
            // A word with an error of its own is not available in this program.
            if reading.faults.iter().any(|fault| fault.start >= text.len()) {
                continue;
            }
            let detail = reading.meaning.map(|meaning| describe(setting.language, &meaning).0);
            add((*word).to_owned(), detail.as_deref().unwrap_or(kind_of(&text)));
        }
        for number in 0..offered.numbers {
            add(number.to_string(), "number");
        }
        if offered.numbers > 0 {
            self.indices(&text, add);
        }
        let whole = text.strip_suffix('.').map(|text| read(text, BindingContext::Operand));
        if whole.is_some_and(|whole| whole.meaning.is_some() && whole.faults.is_empty())
            && matches!(self.head(), Some(Word::Instruction(_)))
        {
            self.components(add);
            return true;
        }
        !offered.words.is_empty() || offered.numbers > 0
    }

    /// Offers address registers for the brackets at the end of `text`, if relative addressing is possible
    /// there.
    fn indices(&self, text: &str, add: &mut impl FnMut(String, &str)) {
        let chooses = self.profile().addresses.chooses;
        let choosable = match text {
            "vertex.attrib[" | "vertex.texcoord[" | "fragment.texcoord[" | "fragment.attrib["
            | "fragment.clip[" => chooses.attributes,
            "result.texcoord[" | "result.attrib[" | "result.clip[" => chooses.results,
            _ => false,
        };
        if choosable {
            self.address_components(add);
        }
    }

    /// Offers components of the address registers that the language has or the program declares.
    fn address_components(&self, add: &mut impl FnMut(String, &str)) {
        let Addresses { registers, components, chooses, .. } = &self.profile().addresses;
        let what = if chooses.parameters { "relative" } else { "index of the LOOP block" };
        for name in registers.iter().copied().chain(self.declared_addresses()) {
            for component in components.chars() {
                add(format!("{name}.{component}"), what);
            }
        }
    }

    fn declared_addresses(&self) -> impl Iterator<Item = &str> {
        self.symbols.names.keys().map(String::as_str).filter(|name| self.is_address(name))
    }

    /// Whether `word` is a declared variable that can address elements.
    fn is_address(&self, word: &str) -> bool {
        match self.symbols.names.get(word).map(|declared| &declared.meaning) {
            Some(Meaning::Address) => true,
            Some(Meaning::Temporary(_)) => self.profile().typed,
            _ => false,
        }
    }

    /// The words, dots and brackets directly before the word, starting at the first word of a binding.
    fn binding_before(&self) -> Option<String> {
        if !self.profile().declares_variables() {
            return None;
        }
        let statement = &self.context.statement;
        let is_part = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Word
                    | TokenKind::Dot
                    | TokenKind::LeftBracket
                    | TokenKind::RightBracket
                    | TokenKind::Number
                    | TokenKind::DotDot
            )
        };
        if !matches!(statement.last()?.kind, TokenKind::Dot | TokenKind::LeftBracket | TokenKind::DotDot) {
            return None;
        }
        let count = statement.iter().rev().take_while(|token| is_part(token)).count();
        let chain = &statement[statement.len() - count..];
        let begins = |token: &Token| {
            let word = self.word(*token);
            token.kind == TokenKind::Word
                && !self.symbols.names.contains_key(&word)
                && (matches!(classify(self.language(), &word), Word::Binding)
                    || words::is_texture_unit(self.language(), &word))
        };
        let is_start = |place: usize| {
            let before = place.checked_sub(1).and_then(|before| chain.get(before));
            before.is_none_or(|before| before.kind == TokenKind::Word) && begins(&chain[place])
        };
        let start = (0..chain.len()).rev().find(|&place| is_start(place))?;
        Some(chain[start..].iter().map(|token| self.word(*token)).collect())
    }

    /// Offers component letters. An address register in brackets takes one letter.
    fn components(&self, add: &mut impl FnMut(String, &str)) {
        let name = self.word_back(1);
        let meaning = self.symbols.names.get(&name).map(|declared| &declared.meaning);
        let is_address = matches!(meaning, Some(Meaning::Address | Meaning::LoopIndex))
            || matches!(classify(self.language(), &name), Word::Address);
        let known = if is_address { self.profile().addresses.components } else { "xyzw" };
        for letter in known.chars() {
            add(letter.to_string(), "components");
        }
        if known.len() == 1 || self.kind_back(2) == Some(TokenKind::LeftBracket) {
            return;
        }
        let colours = ["r", "g", "b", "a", "rgb", "rgba"];
        let colours = colours.into_iter().filter(|_| self.profile().colour_letters);
        for several in ["xyz", "xyzw"].into_iter().chain(colours) {
            add(several.to_owned(), "components");
        }
    }

    /// Offers the contents of the brackets after an array, either an array of registers or a declared one.
    fn elements(&self, add: &mut impl FnMut(String, &str)) {
        let name = self.word_back(1);
        match classify(self.language(), &name) {
            Word::Array(Array::Attributes) => {
                for name in words::attribute_names(self.language()) {
                    add(name.to_owned(), "attribute");
                }
            }
            Word::Array(Array::Outputs) => {
                for name in words::output_names(self.language()) {
                    add(name.to_owned(), "output");
                }
            }
            Word::Array(Array::Parameters) => self.address_components(add),
            _ => {
                let declared = self.symbols.names.get(&name).map(|declared| &declared.meaning);
                let Some(Meaning::Parameters(elements)) = declared else { return };
                for (number, element) in elements.iter().enumerate() {
                    let binding = element.name_in(self.language());
                    add(number.to_string(), binding.as_deref().unwrap_or("constant"));
                }
                if self.profile().addresses.chooses.parameters {
                    self.address_components(add);
                }
            }
        }
    }

    fn conditions(&self, add: &mut impl FnMut(String, &str)) {
        let numbers: &[&str] = match self.profile().condition_codes {
            0 => return,
            1 => &[""],
            _ => &["", "0", "1"],
        };
        for number in numbers {
            for condition in Condition::OF_NUMBERS {
                add(format!("{}{number}", condition.name()), "condition rule");
            }
        }
    }

    /// Offers the words that can follow `keyword`.
    fn declaration(&self, keyword: &str, add: &mut impl FnMut(String, &str)) {
        let is_second = self.context.statement.len() == 1;
        let begins_value = self.context.has(TokenKind::Equals)
            && matches!(self.kind_back(0), Some(TokenKind::Equals | TokenKind::LeftBrace | TokenKind::Comma));
        match keyword {
            "OPTION" if is_second => {
                for name in self.profile().options {
                    add((*name).to_owned(), "option");
                }
            }
            "PRIMITIVE_IN" | "PRIMITIVE_OUT" | "TESS_MODE" | "TESS_SPACING" | "TESS_VERTEX_ORDER"
                if is_second =>
            {
                let (names, what) = words::of_primitives(self.language(), keyword);
                names.into_iter().for_each(|name| add(name.to_owned(), what));
            }
            "SHORT" | "LONG" if is_second => {
                for name in ["TEMP", "OUTPUT"] {
                    add(name.to_owned(), "declaration");
                }
            }
            "DEFINE" | "DECLARE" if self.context.has(TokenKind::Equals) => self.constants(add),
            "ATTRIB" if begins_value => self.attributes(add),
            "OUTPUT" | "SHORT" | "LONG" if begins_value => self.results(add),
            "PARAM" if begins_value => self.parameters(add),
            "ALIAS" if begins_value => self.names(Names::All, add),
            "SUBROUTINE" | "SUBROUTINETYPE" if is_second => self.names(Names::SubroutineTypes, add),
            "BUFFER" | "BUFFER4" | "CBUFFER" if begins_value => {
                add("program.buffer[0]".to_owned(), "parameter buffer");
            }
            "SUBROUTINE" if begins_value => add("program.subroutine[0]".to_owned(), "subroutine parameter"),
            "SUBROUTINETYPE"
                if matches!(self.kind_back(0), Some(TokenKind::LeftBrace | TokenKind::Comma)) =>
            {
                self.labels(add);
            }
            _ => {}
        }
    }

    /// Offers words for the operand under the cursor.
    fn operand(&self, info: &Info, add: &mut impl FnMut(String, &str)) {
        match self.context.wanted(self.language(), info) {
            Some(Wanted::Destination(ResultKind::Address) | Wanted::Operand(OperandKind::Address)) => {
                self.addresses(add);
            }
            Some(Wanted::Destination(_)) => self.destinations(add),
            Some(Wanted::Operand(
                OperandKind::Vector
                | OperandKind::OptionalVector
                | OperandKind::Scalar
                | OperandKind::ExtendedSwizzle,
            )) => self.sources(add),
            Some(Wanted::Operand(OperandKind::VectorOrCondition)) => {
                self.sources(add);
                self.conditions(add);
            }
            Some(Wanted::Operand(OperandKind::Condition)) => self.conditions(add),
            Some(Wanted::Operand(OperandKind::Label)) => self.labels(add),
            Some(Wanted::Operand(OperandKind::SubroutineVariable)) => self.names(Names::Subroutines, add),
            Some(Wanted::Operand(OperandKind::TextureImage)) => {
                for unit in 0..IMAGE_UNITS as u8 {
                    add(self.profile().texture_unit(unit), "texture image unit");
                }
            }
            Some(Wanted::Operand(OperandKind::ImageUnit)) => {
                for unit in 0..limits::IMAGE_UNITS {
                    add(format!("image[{unit}]"), "image unit");
                }
                self.names(Names::Images, add);
            }
            Some(Wanted::Operand(OperandKind::ImageTarget)) => {
                for target in ImageAccess::TARGETS {
                    add(target.name().to_owned(), "image target");
                }
            }
            Some(Wanted::Target) => {
                for target in self.symbols.setting.targets() {
                    add(target.name().to_owned(), "texture target");
                }
            }
            Some(Wanted::Selector) => {
                for letter in "xyzw".chars() {
                    add(letter.to_string(), "component");
                }
            }
            // A branch condition begins with a parenthesis.
            Some(Wanted::Operand(OperandKind::BranchCondition)) | None => {}
        }
    }

    fn destinations(&self, add: &mut impl FnMut(String, &str)) {
        self.names(Names::Writable, add);
        self.results(add);
        if self.profile().declares_variables() {
            return;
        }
        if let Some(letter) = Array::Parameters.name(self.language())
            && self.profile().stage == Stage::VertexState
        {
            add(format!("{letter}[0]"), "program parameter");
        }
        self.temporaries(add);
        let registers = self.profile().condition_registers;
        for (name, precision) in registers {
            let what = match precision {
                _ if registers.len() == 1 => "condition code only",
                Precision::H => "condition code only, fp16",
                Precision::R | Precision::X => "condition code only, fp32",
            };
            add((*name).to_owned(), what);
        }
    }

    fn sources(&self, add: &mut impl FnMut(String, &str)) {
        if self.profile().declares_variables() {
            self.names(Names::Readable, add);
        } else {
            self.constants(add);
            self.temporaries(add);
        }
        self.attributes(add);
        self.parameters(add);
    }

    /// Offers address registers as operands of load and add instructions: whole, except registers with one
    /// component.
    fn addresses(&self, add: &mut impl FnMut(String, &str)) {
        let Addresses { registers, components, .. } = &self.profile().addresses;
        for register in *registers {
            let whole = if *components == "x" { format!("{register}.x") } else { (*register).to_owned() };
            add(whole, "address register");
        }
        self.names(Names::Addresses, add);
    }

    /// Offers the labels of the whole text.
    fn labels(&self, add: &mut impl FnMut(String, &str)) {
        let mut seen = BTreeSet::new();
        for item in outline(self.text).into_iter().filter(|item| item.kind == OutlineKind::Label) {
            if seen.insert(item.title.clone()) {
                add(item.title, "label");
            }
        }
    }

    /// Offers temporaries that the text already uses, so that completion follows the program's naming.
    fn temporaries(&self, add: &mut impl FnMut(String, &str)) {
        let mut seen = BTreeSet::new();
        for token in Lexer::new(self.text).filter(|t| t.kind == TokenKind::Word) {
            let word = self.word(token);
            if matches!(classify(self.language(), &word), Word::Temporary(_)) && seen.insert(word.clone()) {
                add(word, "temporary");
            }
        }
    }

    /// Offers constants from earlier DEFINE and DECLARE statements.
    fn constants(&self, add: &mut impl FnMut(String, &str)) {
        for item in outline(self.text).into_iter().filter(|i| i.span.end <= self.context.replace.start) {
            match item.kind {
                OutlineKind::Constant => add(item.title, &format!("= {}", item.detail)),
                OutlineKind::Parameter => add(item.title, "local parameter"),
                _ => {}
            }
        }
    }

    fn attributes(&self, add: &mut impl FnMut(String, &str)) {
        let language = self.language();
        let declares = self.profile().declares_variables();
        for attribute in Attribute::of_language(language) {
            let described = declares.then(|| describe(language, &Meaning::Attribute(attribute)).0);
            add(attribute.register_in(language), described.as_deref().unwrap_or("attribute"));
        }
        if declares && self.profile().stage == Stage::Vertex {
            add("vertex.attrib".to_owned(), "generic vertex attribute");
        }
    }

    fn results(&self, add: &mut impl FnMut(String, &str)) {
        let language = self.language();
        if !self.profile().declares_variables() {
            for name in words::output_names(language) {
                add(format!("o[{name}]"), "output");
            }
            return;
        }
        let setting = self.symbols.setting;
        if self.profile().stage == Stage::Fragment {
            add("result.color".to_owned(), "colour");
            if setting.options.dual_source {
                add(OutputRole::SecondaryColor(0).binding(), "second colour");
            }
            let buffers = if setting.options.draw_buffers { limits::DRAW_BUFFERS } else { 0 };
            for number in 0..buffers {
                add(format!("result.color[{number}]"), "colour");
            }
            add("result.depth".to_owned(), "depth");
            if Attribute::SampleMask.is_in(language) {
                add(OutputRole::SampleMask.binding(), "sample mask");
            }
        }
        if language.stage() == Stage::TessControl {
            for result in PatchResult::ALL {
                let (role, (what, _)) = (OutputRole::Patch(result), patch_result(result));
                add(role.binding(), what);
            }
        }
        for result in results(language) {
            if !(setting.options.position_invariant && result == VertexResult::Hpos) {
                let (what, _) = describe(language, &Meaning::Result(OutputRole::Vertex(result), None));
                add(result.register_in(language), &what);
            }
        }
    }

    fn parameters(&self, add: &mut impl FnMut(String, &str)) {
        if let Some(letter) = Array::Parameters.name(self.language()) {
            add(format!("{letter}[0]"), "numbered parameter");
            for register in self.profile().addresses.registers {
                add(format!("{letter}[{register}.x]"), "relative parameter");
            }
            return;
        }
        for source in [ParameterSource::Local(0), ParameterSource::Env(0)] {
            let (what, _) = describe(self.language(), &Meaning::Parameter(source.clone()));
            if let Some(name) = source.name_in(self.language()) {
                add(name, &what);
            }
        }
        add("state".to_owned(), "GL state");
    }

    /// Offers declared names with their meaning.
    fn names(&self, kinds: Names, add: &mut impl FnMut(String, &str)) {
        let declared = self.symbols.names.iter();
        let earlier =
            declared.filter(|(_, d)| d.place.is_none_or(|place| place.end <= self.context.replace.start));
        for (name, declared) in earlier {
            let fits = match &declared.meaning {
                Meaning::Temporary(_) => matches!(kinds, Names::Readable | Names::Writable | Names::All),
                Meaning::Address => matches!(kinds, Names::Addresses | Names::All),
                Meaning::Result(..) | Meaning::IndexedResult => matches!(kinds, Names::Writable | Names::All),
                Meaning::Attribute(_)
                | Meaning::IndexedAttribute(_)
                | Meaning::Parameter(_)
                | Meaning::Buffer(_)
                | Meaning::Parameters(_) => matches!(kinds, Names::Readable | Names::All),
                Meaning::Subroutine { .. } => matches!(kinds, Names::Subroutines | Names::All),
                Meaning::SubroutineType(_) => kinds == Names::SubroutineTypes,
                Meaning::ImageUnit(_) => kinds == Names::Images,
                Meaning::LoopIndex
                | Meaning::TextureUnit(_)
                | Meaning::BufferBinding(_)
                | Meaning::SubroutineParameter(_)
                | Meaning::Unknown => false,
            };
            if !fits {
                continue;
            }
            let (what, _) = describe(self.language(), &declared.meaning);
            let one = kinds == Names::Addresses && self.profile().addresses.components.len() == 1;
            let is_array = match declared.meaning {
                Meaning::Parameters(_) => true,
                Meaning::Subroutine { is_array, .. } => is_array,
                _ => false,
            };
            let suffix = match &declared.meaning {
                _ if one => ".x",
                _ if kinds == Names::All => "",
                Meaning::Buffer(buffer) if buffer.spans && buffer.is_array => "[0][0]",
                Meaning::Buffer(buffer) if buffer.spans || buffer.is_array => "[0]",
                _ if is_array => "[0]",
                _ => "",
            };
            add(format!("{name}{suffix}"), &what);
        }
    }
}

/// The kind of words in a binding that begins with `text`.
fn kind_of(text: &str) -> &'static str {
    match text.split(['.', '[']).next() {
        Some("state") => "state",
        Some("program") => "program parameter",
        Some("result") => "result",
        _ => "attribute",
    }
}

#[cfg(test)]
mod tests;
