//! Splits a text into coloured tokens, using the parsers' lexer and the words of each language.
//!
//! The colours of a line depend only on its bytes and the text's [`Lexicon`], so an editor can update only
//! changed lines. The cost: if a line continues an earlier statement, its words are coloured without that
//! statement.

use super::lexicon::{Lexicon, NameKind};
use super::words::{self, Array, Word, classify, elsewhere};
use shadestep_language::front::arb::BindingContext;
use shadestep_language::front::arb::symbols::{Meaning, Reading, Setting, read_binding};
use shadestep_language::front::arb::words::is_reserved;
use shadestep_language::front::word_roles::{numbered, with_points};
use shadestep_language::ir::{ImageAccess, TextureTarget};
use shadestep_language::isa::{
    self, Info, Language, Lookup, ModifierOrder, OperandKind, Profile, ResultKind,
};
use shadestep_language::source::{LineIndex, Span};
use shadestep_language::syntax::{self, Lexer, TokenKind as Lexed};

/// The kind of a token, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The header that names the language.
    Header,
    /// An instruction name without its suffixes.
    Mnemonic,
    /// The suffixes of an instruction name.
    Suffix,
    /// `DEFINE`, `DECLARE`, `END`, `OPTION`, and the declaration keywords of the ARB languages.
    Keyword,
    /// The name of a program option.
    Option,
    /// A label at its definition or in a branch.
    Label,
    /// A temporary or address register, `RC`, `HC` or `CC`.
    Register,
    /// `f` or `v`, and the contents of its brackets; an ARB binding of an attribute, or a name bound to one.
    Attribute,
    /// `o`, and the name in its brackets; an ARB binding of a result, or a name bound to one.
    Output,
    /// `p` or `c`, and the numbers in its brackets; an ARB binding of a parameter, or a name bound to one.
    Parameter,
    /// The name of a constant or local parameter, defined or not. In ARB programs, also a name with an
    /// erroneous declaration, or a word that may be incomplete.
    Name,
    /// A number.
    Number,
    /// Component letters after a dot: swizzle, scalar suffix or write mask.
    Swizzle,
    /// A condition rule.
    Condition,
    /// `TEX0` and so on, outside `f[...]`; `texture[n]`.
    TextureUnit,
    /// `1D`, `2D`, `3D`, `CUBE`, `RECT` and the targets with depth comparison.
    TextureTarget,
    /// Separators, signs and brackets.
    Punctuation,
    /// A comment.
    Comment,
    /// Spaces and line endings.
    Whitespace,
    /// Text that the language does not allow here.
    Error,
}

impl TokenKind {
    /// Whether declared names can have this colour.
    pub(super) const fn can_be_declared(self) -> bool {
        matches!(self, Self::Register | Self::Attribute | Self::Output | Self::Parameter | Self::Name)
    }
}

/// A coloured piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub kind: TokenKind,
    /// Whether the token is a name that is declared and never used.
    pub is_unused: bool,
}

/// The tokens of a whole text. Their spans cover every byte, in order.
pub fn highlight(text: &[u8]) -> Vec<Token> {
    let lexicon = Lexicon::of(text);
    let index = LineIndex::new(text);
    let mut tokens = Vec::new();
    for line in 0..index.line_count() {
        let span = index.line_span(line);
        tokens.extend(highlight_line(span.slice(text), line, &lexicon).into_iter().map(|token| Token {
            span: Span::new(token.span.start + span.start, token.span.end + span.start),
            ..token
        }));
    }
    tokens
}

/// The tokens of one line of a text with this lexicon. The line ending is optional; spans count from the
/// start of the line. Only line 0 can hold a header. In a text without a language, a word has the colour that
/// it has in the first NV language that knows it.
pub fn highlight_line(line: &[u8], line_number: usize, lexicon: &Lexicon) -> Vec<Token> {
    Coloured::of(line, line_number, lexicon, Asked::Nothing).tokens
}

/// A coloured line.
pub(super) struct Coloured {
    pub tokens: Vec<Token>,
    /// The binding or texture image unit at the queried offset; without a meaning if it has an error. Only
    /// this one is collected, because a binding can stand for hundreds of parameters.
    pub binding: Option<(Span, Option<Meaning>)>,
    /// The bindings with the queried meaning.
    pub same: Vec<Span>,
    /// Start offsets of the words after a dot, in order.
    parts: Vec<usize>,
}

/// A query for bindings.
#[derive(Clone, Copy)]
pub(super) enum Asked<'m> {
    Nothing,
    /// The binding at this offset.
    At(usize),
    /// All bindings with this meaning.
    For(&'m Meaning),
}

impl Coloured {
    /// Colours a line, or a whole text passed as line 0. In a whole text, every word is coloured with its
    /// complete statement.
    pub fn of(line: &[u8], line_number: usize, lexicon: &Lexicon, asked: Asked<'_>) -> Self {
        let lexer = if line_number == 0 { Lexer::new(line) } else { Lexer::continuation(line) };
        let lexed: Vec<syntax::Token> = lexer.collect();
        let known = Language::ALL.into_iter().filter(|language| !language.profile().declares_variables());
        let languages = lexicon.language().map_or_else(|| known.collect(), |language| vec![language]);
        let tokens = Vec::with_capacity(lexed.len());
        let is_part =
            |(token, behind_point): &(syntax::Token, bool)| *behind_point && token.kind == Lexed::Word;
        let parts = with_points(lexed.iter().copied()).filter(is_part).map(|(token, _)| token.span.start);
        let coloured = Self { tokens, binding: None, same: Vec::new(), parts: parts.collect() };
        let mut painter = Painter {
            line,
            lexed: &lexed,
            lexicon,
            languages: &languages,
            asked,
            statement: Statement::Beginning,
            before: None,
            has_point: false,
            name: None,
            words: 0,
            commas: 0,
            braces: 0,
            inside: Inside::Nothing,
            is_offset: false,
            coloured,
        };
        let mut at = 0;
        while let Some(token) = lexed.get(at) {
            at = painter.token(at, *token);
        }
        painter.coloured
    }

    /// Whether the word at `span` follows a dot, so cannot be a name.
    pub fn is_part(&self, span: Span) -> bool {
        self.parts.binary_search(&span.start).is_ok()
    }
}

/// Knowledge about the statement around a token.
#[derive(Clone, Copy)]
enum Statement {
    /// Unknown: the statement begins here, or continues from an earlier line.
    Beginning,
    /// The statement began on an earlier line.
    Earlier,
    Instruction(&'static Info),
    Declaration(&'static str),
}

/// The open brackets or parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    /// The brackets of an array with unknown elements.
    Brackets,
    /// The brackets of an array of registers.
    Registers(Array),
    /// The brackets of a declared array with this many elements.
    Declared(usize),
    Parentheses,
    /// The parentheses after `offset`, with the operand for the offset of a lookup.
    Offset,
}

struct Painter<'l> {
    line: &'l [u8],
    lexed: &'l [syntax::Token],
    lexicon: &'l Lexicon,
    /// The language of the text, or all possible languages.
    languages: &'l [Language],
    asked: Asked<'l>,
    statement: Statement,
    /// The last significant token.
    before: Option<Lexed>,
    /// Whether the last token is a dot, or component letters after a dot.
    has_point: bool,
    /// The instruction name so far, while dotted modifiers can follow.
    name: Option<String>,
    /// Number of words in the statement.
    words: usize,
    /// Number of commas in the statement, outside braces.
    commas: usize,
    braces: usize,
    inside: Inside,
    /// Whether the previous word is the `offset` of a lookup.
    is_offset: bool,
    coloured: Coloured,
}

impl<'l> Painter<'l> {
    fn push(&mut self, span: Span, kind: TokenKind) {
        if !span.is_empty() {
            let is_unused = !self.lexicon.unused.is_empty()
                && kind.can_be_declared()
                && !self.coloured.is_part(span)
                && self.lexicon.unused.contains(self.text(span));
            self.coloured.tokens.push(Token { span, kind, is_unused });
        }
    }

    fn any(&self, holds: impl Fn(Language) -> bool) -> bool {
        self.languages.iter().any(|&language| holds(language))
    }

    fn has(&self, holds: impl Fn(&Profile) -> bool) -> bool {
        self.any(|language| holds(language.profile()))
    }

    /// The class of `word` in the first language that knows it.
    fn classify(&self, word: &str) -> Word {
        let mut known = self.languages.iter().map(|&language| classify(language, word));
        known.find(|word| !matches!(word, Word::Name)).unwrap_or(Word::Name)
    }

    fn text(&self, span: Span) -> &'l str {
        std::str::from_utf8(span.slice(self.line)).unwrap_or_default()
    }

    /// The kind of the first significant token from `at` on.
    fn next_kind(&self, at: usize) -> Option<Lexed> {
        let mut rest = self.lexed.get(at..).unwrap_or_default().iter().map(|token| token.kind);
        rest.find(|kind| is_significant(*kind))
    }

    /// Whether the first significant token from `at` on is the keyword SUBROUTINENUM. Some languages lack it,
    /// and a variable can have this name.
    fn is_subroutine_number(&self, at: usize) -> bool {
        let mut rest = self.lexed.get(at..).unwrap_or_default().iter();
        let next = rest.find(|token| is_significant(token.kind));
        next.is_some_and(|token| token.kind == Lexed::Word && self.text(token.span) == SUBROUTINE_NUMBER)
            && self.has(|profile| profile.keywords.contains(&"SUBROUTINE"))
            && !self.lexicon.names.contains_key(SUBROUTINE_NUMBER)
    }

    fn begin_statement(&mut self) {
        self.statement = Statement::Beginning;
        (self.words, self.commas, self.braces, self.inside) = (0, 0, 0, Inside::Nothing);
    }

    fn continue_statement(&mut self) {
        if matches!(self.statement, Statement::Beginning) {
            self.statement = Statement::Earlier;
        }
    }

    /// Colours the token at `at`, or the whole binding that begins with it. Returns the index of the next
    /// token.
    fn token(&mut self, at: usize, token: syntax::Token) -> usize {
        let kind = match token.kind {
            Lexed::Word => return self.word(at, token.span),
            Lexed::Whitespace => TokenKind::Whitespace,
            Lexed::Comment => TokenKind::Comment,
            Lexed::Header if Language::of_header(token.span.slice(self.line)).is_some() => TokenKind::Header,
            Lexed::Number => self.number(token.span),
            Lexed::Dimension if self.can_look_up() => TokenKind::TextureTarget,
            Lexed::Header | Lexed::Dimension | Lexed::BadNumber | Lexed::Unknown | Lexed::EndOfText => {
                TokenKind::Error
            }
            Lexed::Colon if !self.has(|profile| profile.labels) => TokenKind::Error,
            Lexed::Bar if !self.has(|profile| profile.absolute_values) => TokenKind::Error,
            Lexed::LeftParen | Lexed::RightParen if !self.has(|profile| profile.condition_codes > 0) => {
                TokenKind::Error
            }
            Lexed::Dot if self.name.is_some() => TokenKind::Suffix,
            _ => TokenKind::Punctuation,
        };
        if !matches!(token.kind, Lexed::Dot | Lexed::Whitespace) {
            self.name = None;
        }
        match token.kind {
            Lexed::Semicolon | Lexed::Colon => self.begin_statement(),
            Lexed::Comma if self.braces == 0 => self.commas += 1,
            Lexed::LeftBrace => self.braces += 1,
            Lexed::RightBrace => self.braces = self.braces.saturating_sub(1),
            Lexed::LeftParen => {
                self.inside = if self.is_offset { Inside::Offset } else { Inside::Parentheses };
            }
            Lexed::LeftBracket if !matches!(self.inside, Inside::Registers(_) | Inside::Declared(_)) => {
                self.inside = Inside::Brackets;
            }
            Lexed::RightParen | Lexed::RightBracket => self.inside = Inside::Nothing,
            _ => {}
        }
        if !matches!(token.kind, Lexed::Whitespace | Lexed::Comment | Lexed::Header) {
            self.is_offset = false;
            self.before = Some(token.kind);
            self.has_point = token.kind == Lexed::Dot;
            if kind != TokenKind::Error && !matches!(token.kind, Lexed::Semicolon | Lexed::Colon) {
                self.continue_statement();
            }
        }
        self.push(token.span, kind);
        at + 1
    }

    /// Whether a texture target is valid here.
    fn can_look_up(&self) -> bool {
        self.has(|profile| profile.has_textures())
            && match self.statement {
                Statement::Instruction(info) => {
                    let has_target = |kind: &OperandKind| {
                        matches!(kind, OperandKind::TextureImage | OperandKind::ImageTarget)
                    };
                    info.operands.iter().any(has_target)
                }
                Statement::Beginning | Statement::Earlier => true,
                Statement::Declaration(_) => false,
            }
    }

    fn number(&self, span: Span) -> TokenKind {
        let text = self.text(span);
        let signed = matches!(self.before, Some(Lexed::Plus | Lexed::Minus));
        let (kind, fits) = match self.inside {
            Inside::Registers(array) => return self.element(array, text),
            Inside::Declared(count) if !signed => {
                (TokenKind::Parameter, text.parse().is_ok_and(|number: usize| number < count))
            }
            _ => (TokenKind::Number, self.has(|profile| profile.literals)),
        };
        if fits { kind } else { TokenKind::Error }
    }

    fn word(&mut self, at: usize, span: Span) -> usize {
        let before = self.before.replace(Lexed::Word);
        self.is_offset = false;
        let word = self.text(span);
        if let Some(name) = self.name.take_if(|_| self.has_point) {
            self.has_point = false;
            let name = format!("{name}.{word}");
            let known = self.any(|language| isa::find(language, &name).is_some());
            self.push(span, if known { TokenKind::Suffix } else { TokenKind::Error });
            self.name = Some(name);
            return at + 1;
        }
        self.name = None;
        if self.has_point {
            self.has_point = self.are_letters(word);
            self.push(span, if self.has_point { TokenKind::Swizzle } else { TokenKind::Error });
            return at + 1;
        }
        if let Inside::Registers(array) = self.inside {
            self.push(span, self.element(array, word));
            return at + 1;
        }
        self.words += 1;
        let begins = matches!(self.statement, Statement::Beginning);
        if begins && self.head(at, span, word) {
            return at + 1;
        }
        self.continue_statement();
        if let Some(next) = self.binding(at, span, word) {
            return next;
        }
        let kind = match self.operand(at, word, before) {
            Some(kind) => kind,
            None if self.can_be_name(at, word, begins) => TokenKind::Name,
            None => match self.classify(word) {
                Word::Instruction(info) if !self.declares() => {
                    self.instruction(span, info, TokenKind::Suffix);
                    return at + 1;
                }
                _ => TokenKind::Error,
            },
        };
        self.push(span, kind);
        at + 1
    }

    /// Whether the letters of `word` are component letters from one set.
    fn are_letters(&self, word: &str) -> bool {
        let from = |set: &str| word.chars().all(|letter| set.contains(letter));
        word.len() <= 4 && (from("xyzw") || self.has(|profile| profile.colour_letters) && from("rgba"))
    }

    /// The kind of a word or number in the brackets of `array`.
    fn element(&self, array: Array, text: &str) -> TokenKind {
        let fits = |language: Language, number: usize| {
            let (back, on) = words::offset_limits(language).unwrap_or((0, 0));
            match self.before {
                Some(Lexed::Minus) => number <= back,
                Some(Lexed::Plus) => number <= on,
                _ => number < language.profile().limits.parameters,
            }
        };
        let (kind, known) = match (array, text.parse()) {
            (Array::Attributes, _) => {
                (TokenKind::Attribute, self.any(|language| words::attribute(language, text).is_some()))
            }
            (Array::Outputs, _) => {
                (TokenKind::Output, self.any(|language| words::output_names(language).contains(&text)))
            }
            (Array::Parameters, Ok(number)) => {
                (TokenKind::Parameter, self.any(|language| fits(language, number)))
            }
            (Array::Parameters, Err(_)) => {
                (TokenKind::Register, matches!(self.classify(text), Word::Address))
            }
        };
        if known { kind } else { TokenKind::Error }
    }

    /// Colours a word that can only begin a statement. Returns false for other words.
    fn head(&mut self, at: usize, span: Span, word: &str) -> bool {
        if self.next_kind(at + 1) == Some(Lexed::Colon) && self.has(|profile| profile.labels) {
            self.push(span, self.label(word));
            return true;
        }
        // `SUBROUTINENUM` with its number comes between a label and its colon.
        if self.is_subroutine_number(at + 1) {
            self.push(span, self.label(word));
            return true;
        }
        if self.is_subroutine_number(at) {
            self.push(span, TokenKind::Keyword);
            return true;
        }
        match self.classify(word) {
            Word::Keyword(keyword) => {
                self.statement = Statement::Declaration(keyword);
                self.push(span, TokenKind::Keyword);
            }
            Word::Instruction(info) => self.instruction(span, info, TokenKind::Suffix),
            Word::Binding | Word::Condition | Word::Name => {
                let [language] = *self.languages else { return false };
                let Lookup::BadSuffix(info, ..) = isa::lookup(language, word) else { return false };
                if self.lexicon.names.contains_key(word) {
                    return false;
                }
                self.instruction(span, info, TokenKind::Error);
            }
            _ => return false,
        }
        true
    }

    /// The kind of a label: an error if its name is illegal.
    fn label(&self, word: &str) -> TokenKind {
        let legal = self.any(|language| {
            if language.profile().declares_variables() {
                !is_reserved(language, word)
            } else {
                !word.contains('$')
            }
        });
        if legal { TokenKind::Label } else { TokenKind::Error }
    }

    fn instruction(&mut self, span: Span, info: &'static Info, suffix: TokenKind) {
        (self.statement, self.words) = (Statement::Instruction(info), 1);
        let middle = span.start + info.mnemonic.len();
        self.push(Span::new(span.start, middle), TokenKind::Mnemonic);
        self.push(Span::new(middle, span.end), suffix);
        let dotted = self.has(|profile| profile.modifier_order == ModifierOrder::Dotted);
        self.name = dotted.then(|| self.text(span).to_owned());
    }

    /// Whether the statement's instruction takes an operand of this kind.
    fn takes(&self, kind: OperandKind) -> bool {
        let Statement::Instruction(info) = self.statement else { return false };
        self.any(|language| info.operands_in(language).contains(&kind))
    }

    /// The kind of a word that begins neither a statement nor a binding; `None` if the language does not
    /// allow the word here.
    fn operand(&mut self, at: usize, word: &str, before: Option<Lexed>) -> Option<TokenKind> {
        if let Statement::Declaration(keyword) = self.statement
            && let Some(kind) = self.declared(keyword, at, word, before)
        {
            return Some(kind);
        }
        let known = self.classify(word);
        let in_parentheses = self.inside == Inside::Parentheses;
        if in_parentheses && self.declares() {
            // A test. On a continuation line, the parentheses can also belong to an offset.
            let offset = || self.lexicon.names.get(word).map(|kind| name_kind(*kind));
            return matches!(known, Word::Condition).then_some(TokenKind::Condition).or_else(offset);
        }
        if let Some(kind) = self.of_grammar(at, word, known) {
            return Some(kind);
        }
        if self.words == 2 && !in_parentheses && self.takes(OperandKind::Label) {
            return Some(self.label(word));
        }
        let has_brackets = self.next_kind(at + 1) == Some(Lexed::LeftBracket);
        if let Some(&kind) = self.lexicon.names.get(word) {
            if let (NameKind::Array(count), true) = (kind, has_brackets) {
                self.inside = Inside::Declared(count);
            }
            return Some(name_kind(kind));
        }
        let is_test = self.takes(OperandKind::VectorOrCondition);
        Some(match known {
            Word::TextureTarget if self.can_look_up() && self.has_target(word) => TokenKind::TextureTarget,
            Word::Condition if is_test => TokenKind::Condition,
            // In languages with numbered registers, a word of the grammar has the same meaning everywhere.
            _ if self.declares() => return None,
            Word::Condition => TokenKind::Condition,
            Word::Keyword(_) => TokenKind::Keyword,
            Word::OptionName => TokenKind::Option,
            Word::Temporary(_) | Word::Address | Word::ConditionRegister(_) => TokenKind::Register,
            Word::TextureUnit => TokenKind::TextureUnit,
            Word::Array(array) => {
                if has_brackets {
                    self.inside = Inside::Registers(array);
                }
                match array {
                    Array::Attributes => TokenKind::Attribute,
                    Array::Outputs => TokenKind::Output,
                    Array::Parameters => TokenKind::Parameter,
                }
            }
            _ => return None,
        })
    }

    /// The kind of a word at a place where the grammar has words of its own. These win over variables with
    /// the same name.
    fn of_grammar(&mut self, at: usize, word: &str, known: Word) -> Option<TokenKind> {
        let is_selector = self.takes(OperandKind::ExtendedSwizzle) && self.commas >= 2 && word.len() == 1;
        if is_selector && self.are_letters(word) {
            return Some(TokenKind::Swizzle);
        }
        if matches!(known, Word::Condition) && self.words == 2 && self.takes(OperandKind::Condition) {
            return Some(TokenKind::Condition);
        }
        if !self.declares() {
            return None;
        }
        let is_target = self.is_at(OperandKind::TextureImage, 1) || self.is_at(OperandKind::ImageTarget, 0);
        if is_target && matches!(known, Word::TextureTarget) && self.has_target(word) {
            return Some(TokenKind::TextureTarget);
        }
        let is_offset = word == OFFSET && self.next_kind(at + 1) == Some(Lexed::LeftParen);
        self.is_offset = is_offset && self.is_at(OperandKind::TextureImage, 2);
        self.is_offset.then_some(TokenKind::Keyword)
    }

    /// Whether the current operand is of this kind, or is `part` commas after an operand of this kind.
    fn is_at(&self, kind: OperandKind, part: usize) -> bool {
        let Statement::Instruction(info) = self.statement else { return false };
        let of_result = usize::from(info.result != ResultKind::None);
        self.any(|language| {
            let place = info.operands_in(language).iter().position(|other| *other == kind);
            place.is_some_and(|place| place + part + of_result == self.commas)
        })
    }

    /// Whether the language declares variables. A text without a language is treated as one that does not.
    fn declares(&self) -> bool {
        self.has(Profile::declares_variables)
    }

    /// Whether `word` is a target that the program, with its options, can use.
    fn has_target(&self, word: &str) -> bool {
        let Some(target) = words::target(word) else { return false };
        // The targets of images do not depend on options.
        if self.takes(OperandKind::ImageTarget) {
            return ImageAccess::TARGETS.contains(&target);
        }
        let of_program = |setting: Setting| setting.targets().any(|known| known == target);
        // Without a language, the targets that all languages have.
        self.lexicon.setting.map_or(TextureTarget::BASIC.contains(&target), of_program)
    }

    /// Whether an undeclared word may be a name, or an incomplete word.
    fn can_be_name(&self, at: usize, word: &str, begins: bool) -> bool {
        // A texture unit beyond the last is an error rather than a name.
        if !matches!(self.classify(word), Word::Name) || numbered(word, "TEX").is_some() {
            return false;
        }
        if self.has(|profile| profile.names && !profile.declares_variables()) {
            return true;
        }
        let is_foreign = self.any(|language| !elsewhere(language, word).is_empty());
        begins && !is_foreign && (!self.declares() || self.next_kind(at + 1).is_none())
    }

    /// The kind of a word after a declaration keyword, if the keyword determines it.
    fn declared(&mut self, keyword: &str, at: usize, word: &str, before: Option<Lexed>) -> Option<TokenKind> {
        // A modifier of a variable or a second keyword, after a first one.
        if let Word::Keyword(second) = self.classify(word)
            && keyword != "OPTION"
            && before == Some(Lexed::Word)
            && self.next_kind(at + 1) == Some(Lexed::Word)
        {
            self.statement = Statement::Declaration(second);
            return Some(TokenKind::Keyword);
        }
        match keyword {
            "OPTION" => {
                return matches!(self.classify(word), Word::OptionName).then_some(TokenKind::Option);
            }
            "SHORT" | "LONG" => {
                let second = self.classify(word);
                let fits = matches!(second, Word::Keyword("TEMP" | "OUTPUT"));
                return Some(if fits { TokenKind::Keyword } else { TokenKind::Error });
            }
            // Names of these statements are not in the lexicon.
            "DEFINE" | "DECLARE" | "END" => return None,
            _ => {}
        }
        if self.any(|language| words::of_primitives(language, keyword).0.contains(&word)) {
            return Some(TokenKind::Name);
        }
        if keyword == "SUBROUTINETYPE" && matches!(before, Some(Lexed::LeftBrace | Lexed::Comma)) {
            return Some(self.label(word));
        }
        let lists = matches!(keyword, "TEMP" | "ADDRESS");
        if before != Some(Lexed::Word) && !(lists && before == Some(Lexed::Comma)) {
            return None;
        }
        if self.any(|language| is_reserved(language, word)) {
            return Some(TokenKind::Error);
        }
        Some(self.lexicon.names.get(word).map_or(TokenKind::Name, |kind| name_kind(*kind)))
    }

    /// Colours the binding or texture image unit that begins at `at`. Returns the index of the next token, or
    /// `None` if there is no binding.
    fn binding(&mut self, at: usize, span: Span, word: &str) -> Option<usize> {
        let unit = word == "texture" && self.can_look_up();
        let known = unit || word != "texture" && matches!(self.classify(word), Word::Binding);
        // A variable called `texture` is not a unit.
        let is_unit = unit && self.is_at(OperandKind::TextureImage, 0);
        let is_name = !is_unit && self.lexicon.names.contains_key(word) || self.inside == Inside::Parentheses;
        if !self.declares() || !known || is_name {
            return None;
        }
        let end = self.chain_end(at);
        let chain = Span::new(span.start, self.lexed[end - 1].span.end);
        let reading = self.read(chain, unit)?;
        let whole = !reading.faults.is_empty();
        let length = if whole { chain.len() } else { reading.length };
        let kind = match word {
            "result" => TokenKind::Output,
            "texture" => TokenKind::TextureUnit,
            "state" | "program" => TokenKind::Parameter,
            _ => TokenKind::Attribute,
        };
        let mut next = at;
        while let Some(token) = self.lexed.get(next).filter(|t| t.span.end <= span.start + length) {
            let place = Span::new(token.span.start - span.start, token.span.end - span.start);
            let faulty = reading.faults.iter().any(|f| f.start < place.end && place.start < f.end);
            let shown = self.part(next, *token, kind);
            self.push(token.span, if faulty { TokenKind::Error } else { shown });
            next += 1;
        }
        let bound = Span::new(span.start, span.start + length);
        let meaning = reading.meaning.filter(|_| !whole);
        match self.asked {
            Asked::At(offset) if bound.contains(offset) => self.coloured.binding = Some((bound, meaning)),
            Asked::For(asked) if meaning.as_ref() == Some(asked) => self.coloured.same.push(bound),
            Asked::Nothing | Asked::At(_) | Asked::For(_) => {}
        }
        Some(next.max(at + 1))
    }

    /// The kind of a token within a binding of `kind`.
    fn part(&self, at: usize, token: syntax::Token, kind: TokenKind) -> TokenKind {
        match token.kind {
            Lexed::Whitespace => TokenKind::Whitespace,
            Lexed::Number => kind,
            Lexed::Word => {
                let address = |token: syntax::Token| {
                    !self.coloured.is_part(token.span) && self.lexicon.is_address(self.text(token.span))
                };
                let mut back = self.lexed[..at].iter().rev().filter(|token| is_significant(token.kind));
                if address(token) {
                    TokenKind::Register
                } else if self.coloured.is_part(token.span)
                    && back.nth(1).is_some_and(|token| address(*token))
                {
                    TokenKind::Swizzle
                } else {
                    kind
                }
            }
            Lexed::Comment => TokenKind::Comment,
            _ => TokenKind::Punctuation,
        }
    }

    /// Index of the token after the words, dots and brackets that begin at `at`.
    fn chain_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        let mut place = at + 1;
        let mut previous = Lexed::Word;
        let mut open = false;
        while let Some(token) = self.lexed.get(place) {
            match token.kind {
                kind if !is_significant(kind) => {
                    place += 1;
                    continue;
                }
                Lexed::Word | Lexed::BadNumber if previous == Lexed::Dot || open => {}
                Lexed::Dot if previous != Lexed::Dot => {}
                Lexed::LeftBracket if !open => open = true,
                Lexed::RightBracket if open => open = false,
                Lexed::Number | Lexed::DotDot | Lexed::Plus | Lexed::Minus if open => {}
                _ => break,
            }
            previous = token.kind;
            place += 1;
            end = place;
        }
        end
    }

    /// Parses the binding in `chain` in its context.
    fn read(&self, chain: Span, unit: bool) -> Option<Reading> {
        let setting = self.lexicon.setting?;
        let text = self.text(chain);
        let read = |place| read_binding(setting, |word| self.lexicon.is_address(word), text, place);
        Some(match self.statement {
            Statement::Declaration(_) if self.braces > 0 => read(BindingContext::Element),
            Statement::Declaration(_) => read(BindingContext::Declaration),
            Statement::Instruction(_) => read(BindingContext::Operand),
            // The context can be an operand or an element of an array.
            Statement::Beginning | Statement::Earlier => {
                let operand = read(BindingContext::Operand);
                if unit || operand.meaning.is_some() && operand.faults.is_empty() {
                    return Some(operand);
                }
                let element = read(BindingContext::Element);
                if element.faults.is_empty() { element } else { operand }
            }
        })
    }
}

const fn is_significant(kind: Lexed) -> bool {
    !matches!(kind, Lexed::Whitespace | Lexed::Comment)
}

const fn name_kind(kind: NameKind) -> TokenKind {
    match kind {
        NameKind::Temporary | NameKind::Address => TokenKind::Register,
        NameKind::Attribute => TokenKind::Attribute,
        NameKind::Parameter | NameKind::Array(_) => TokenKind::Parameter,
        NameKind::Output => TokenKind::Output,
        NameKind::Subroutine | NameKind::Unknown => TokenKind::Name,
    }
}

/// The word after the name of a label that CALI calls.
const SUBROUTINE_NUMBER: &str = "SUBROUTINENUM";
/// The word before the computed offset of a lookup.
const OFFSET: &str = "offset";

#[cfg(test)]
mod tests;
