//! Finds the places where a symbol is declared, written and read. Symbols are declared names, labels,
//! registers and bindings.
//!
//! Every word is classified by the highlighter with its complete statement, so places agree with colours. The
//! scope of every name is the whole program: no language has local names.

use super::highlight::{Asked, Coloured, Token, TokenKind};
use super::lexicon::Lexicon;
use super::meaning::describe;
use super::words::{self, Array, Word, classify};
use shadestep_language::front::arb::symbols::{Meaning, Symbols, symbols_of};
use shadestep_language::front::lossy;
use shadestep_language::isa::{self, Language, Lookup, ResultKind};
use shadestep_language::source::Span;
use std::collections::BTreeMap;

/// The kind of access at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The place declares the symbol, binds a name to it, or defines the label.
    Declaration,
    /// The place writes the symbol.
    Write,
    /// The place reads the symbol or branches to the label.
    Read,
}

/// A place that uses a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The bytes of the name, or of the register with its brackets.
    pub span: Span,
    pub access: Access,
    /// Another spelling that refers to the symbol: an ALIAS, or for a register a relative reference such as
    /// `c[A0.x+4]` that may address it.
    pub through: Option<String>,
}

/// A symbol with all its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name as written, without spaces.
    pub name: String,
    /// A description of a few words.
    pub what: String,
    /// The queried place.
    pub span: Span,
    /// All places in text order, including the queried one.
    pub uses: Vec<Use>,
    pub(super) key: Key,
}

impl Symbol {
    /// The declaration, or the first write of an undeclared symbol; `None` for symbols from outside the
    /// program.
    pub fn definition(&self) -> Option<Span> {
        let first = |access| self.uses.iter().find(|use_| use_.access == access && use_.through.is_none());
        first(Access::Declaration).or_else(|| first(Access::Write)).map(|use_| use_.span)
    }
}

/// Identifies a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A name that is declared or should be.
    Name(String),
    Label(String),
    /// A register with a number or in an array, by its name in one canonical spelling.
    Register(String),
    /// The meaning of a binding.
    Binding,
}

/// A place of a symbol.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub key: Key,
    pub span: Span,
    pub access: Access,
    /// The letter of the array, if an address register selects one of its registers.
    relative: Option<String>,
}

/// The symbol at byte `offset` of `text`, or directly before it. `None` if there is no symbol, and for a text
/// without a language.
pub fn symbol(text: &[u8], offset: usize) -> Option<Symbol> {
    let language = Language::of_header(text)?;
    let reading = Reading::of(text, language);
    let places = reading.places(Asked::At(offset), None);
    let at = |offset: usize| {
        let around = places.found.iter().filter(|place| place.span.contains(offset));
        around.min_by_key(|place| place.span.len()).cloned()
    };
    let place = at(offset).or_else(|| at(offset.checked_sub(1)?));
    if let Some(Place { key, span, .. }) = place {
        return Some(reading.symbol(key, span, &places.found));
    }
    let binding = |offset: usize| reading.places(Asked::At(offset), None).binding;
    let (span, meaning) = places.binding.or_else(|| binding(offset.checked_sub(1)?))?;
    let meaning = meaning?;
    let found = reading.places(Asked::For(&meaning), None).found;
    let uses = found.into_iter().filter(|place| place.key == Key::Binding).map(Place::into_use).collect();
    let name = lossy(span.slice(text)).split_whitespace().collect();
    let (what, _) = describe(reading.symbols.setting.language, &meaning);
    Some(Symbol { name, what, span, uses, key: Key::Binding })
}

impl Place {
    fn into_use(self) -> Use {
        Use { span: self.span, access: self.access, through: None }
    }
}

pub(super) struct Places {
    /// The places in text order.
    pub found: Vec<Place>,
    /// The queried binding.
    binding: Option<(Span, Option<Meaning>)>,
}

/// A text with its symbols and lexicon.
pub(super) struct Reading<'t> {
    pub text: &'t [u8],
    pub symbols: Symbols,
    pub lexicon: Lexicon,
}

impl<'t> Reading<'t> {
    pub fn of(text: &'t [u8], language: Language) -> Self {
        let symbols = symbols_of(text, language);
        let lexicon = Lexicon::of_symbols(&symbols);
        Self { text, symbols, lexicon }
    }

    /// The language with its options.
    pub const fn language(&self) -> Language {
        self.symbols.setting.language
    }

    /// Every place, or only places whose name is `word`.
    pub fn places(&self, asked: Asked<'_>, word: Option<&str>) -> Places {
        let coloured = Coloured::of(self.text, 0, &self.lexicon, asked);
        let mut walk = Walk {
            reading: self,
            coloured: &coloured,
            same: &coloured.same,
            found: Vec::new(),
            statement: Statement::default(),
        };
        let mut at = 0;
        while at < coloured.tokens.len() {
            at = walk.step(at);
        }
        let mut found = walk.found;
        if let Some(word) = word {
            found.retain(|place| place.key.text() == Some(word));
        }
        Places { found, binding: coloured.binding }
    }

    fn symbol(&self, key: Key, span: Span, places: &[Place]) -> Symbol {
        let aliases = match &key {
            Key::Name(name) => self.aliases_of(name),
            _ => Vec::new(),
        };
        let use_of = |place: &Place| {
            let through = match (&key, &place.key) {
                (own, other) if own == other => None,
                (Key::Name(_), Key::Name(other)) if aliases.contains(other) => Some(other.clone()),
                (Key::Register(own), Key::Register(other)) => {
                    let letter = place.relative.as_deref()?;
                    own.strip_prefix(letter).filter(|rest| rest.starts_with('['))?;
                    Some(other.clone())
                }
                _ => return None,
            };
            // An ALIAS statement reads the name that it refers to.
            let access = match place.access {
                Access::Declaration if through.is_some() => return None,
                access => access,
            };
            Some(Use { span: place.span, access, through })
        };
        let uses = places.iter().filter_map(use_of).collect();
        let (name, what) = self.described(&key);
        Symbol { name, what, span, uses, key }
    }

    /// The name and description of `key`.
    fn described(&self, key: &Key) -> (String, String) {
        let language = self.language();
        let of_meaning = |meaning: &Meaning| describe(language, meaning).0;
        match key {
            Key::Label(name) => (name.clone(), "label".to_owned()),
            Key::Name(name) => {
                let declared = self.symbols.names.get(name).map(|declared| of_meaning(&declared.meaning));
                let other = if language.profile().declares_variables() { "name" } else { "constant" };
                (name.clone(), declared.unwrap_or_else(|| other.to_owned()))
            }
            Key::Register(name) => {
                let what = match classify(language, name) {
                    Word::Temporary(ty) => of_meaning(&Meaning::Temporary(ty)),
                    Word::Address => of_meaning(&Meaning::Address),
                    Word::TextureUnit => of_meaning(&Meaning::TextureUnit(0)),
                    Word::ConditionRegister(_) => "condition code register".to_owned(),
                    _ => "register".to_owned(),
                };
                (name.clone(), what)
            }
            Key::Binding => (String::new(), String::new()),
        }
    }

    /// The names that ALIAS statements define for `name`, directly or through other aliases.
    fn aliases_of(&self, name: &str) -> Vec<String> {
        let coloured = Coloured::of(self.text, 0, &self.lexicon, Asked::Nothing);
        let mut words = coloured
            .tokens
            .iter()
            .filter(|token| !matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment));
        let word = |token: Option<&Token>| token.map(|token| lossy(token.span.slice(self.text)));
        let mut made: BTreeMap<String, Vec<String>> = BTreeMap::new();
        while let Some(token) = words.next() {
            if token.kind == TokenKind::Keyword && token.span.slice(self.text) == b"ALIAS" {
                let (new, _, old) = (word(words.next()), words.next(), word(words.next()));
                made.entry(old.unwrap_or_default()).or_default().extend(new);
            }
        }
        let mut found: Vec<String> = Vec::new();
        let mut waiting = vec![name.to_owned()];
        while let Some(next) = waiting.pop() {
            for alias in made.remove(&next).unwrap_or_default() {
                found.push(alias.clone());
                waiting.push(alias);
            }
        }
        found
    }
}

impl Key {
    /// The word that the symbol is written as; `None` for bindings.
    fn text(&self) -> Option<&str> {
        match self {
            Self::Name(text) | Self::Label(text) | Self::Register(text) => Some(text),
            Self::Binding => None,
        }
    }
}

/// Knowledge about the current statement.
#[derive(Default)]
struct Statement {
    /// The declaration keyword; empty for an instruction.
    keyword: String,
    is_instruction: bool,
    /// Whether the statement has had a name. Only the first name of DEFINE and DECLARE is a declaration.
    has_name: bool,
    /// Whether the destination of an instruction is still to come.
    writes: bool,
    /// Number of open brackets.
    brackets: usize,
}

/// Iterates over the coloured tokens of a whole text.
struct Walk<'w, 't> {
    reading: &'w Reading<'t>,
    coloured: &'w Coloured,
    /// The queried bindings that are still to come.
    same: &'w [Span],
    found: Vec<Place>,
    statement: Statement,
}

impl Walk<'_, '_> {
    fn word(&self, token: Token) -> String {
        lossy(token.span.slice(self.reading.text))
    }

    /// The next significant token from `at` on.
    fn next(&self, at: usize) -> Option<(usize, Token)> {
        let rest = self.coloured.tokens.iter().enumerate().skip(at);
        let mut rest = rest.filter(|(_, t)| !matches!(t.kind, TokenKind::Whitespace | TokenKind::Comment));
        rest.next().map(|(at, token)| (at, *token))
    }

    fn push(&mut self, key: Key, span: Span, access: Access) {
        self.found.push(Place { key, span, access, relative: None });
    }

    /// The access at a place that is not a declaration.
    const fn access(&self) -> Access {
        if self.statement.writes && self.statement.brackets == 0 { Access::Write } else { Access::Read }
    }

    /// Handles the token at `at`. Returns the index of the next one.
    fn step(&mut self, at: usize) -> usize {
        let token = self.coloured.tokens[at];
        let text = self.reading.text;
        let declares = self.reading.language().profile().declares_variables();
        // The bindings are in text order.
        if let Some((&span, rest)) = self.same.split_first()
            && span.start == token.span.start
        {
            self.same = rest;
            let declaration = !self.statement.keyword.is_empty();
            let access = if declaration { Access::Declaration } else { self.access() };
            self.push(Key::Binding, span, access);
        }
        match token.kind {
            TokenKind::Mnemonic => {
                let word = self.word(token);
                let info = match isa::lookup(self.reading.language(), &word) {
                    Lookup::Instruction(info, _) | Lookup::BadSuffix(info, ..) => Some(info),
                    Lookup::Unknown => None,
                };
                let writes = info.is_some_and(|info| info.result != ResultKind::None);
                self.statement = Statement { writes, is_instruction: true, ..Statement::default() };
            }
            // `offset` within an instruction belongs to an operand.
            TokenKind::Keyword if self.statement.is_instruction => {}
            TokenKind::Keyword => self.statement.keyword = self.word(token),
            TokenKind::Punctuation => match token.span.slice(text) {
                b";" | b":" => self.statement = Statement::default(),
                b"," if self.statement.brackets == 0 => self.statement.writes = false,
                b"[" => self.statement.brackets += 1,
                b"]" => self.statement.brackets = self.statement.brackets.saturating_sub(1),
                _ => {}
            },
            TokenKind::Label => {
                let behind = self.next(at + 1).map(|(_, token)| self.word(token));
                let made = matches!(behind.as_deref(), Some(":" | "SUBROUTINENUM"));
                let access = if made { Access::Declaration } else { Access::Read };
                self.push(Key::Label(self.word(token)), token.span, access);
            }
            kind if declares && kind.can_be_declared() => self.name(token),
            TokenKind::Name => self.constant(token),
            TokenKind::Register | TokenKind::TextureUnit if !declares => {
                let access = self.access();
                self.push(Key::Register(self.word(token)), token.span, access);
            }
            TokenKind::Attribute | TokenKind::Output | TokenKind::Parameter if !declares => {
                self.element(at, token);
            }
            _ => {}
        }
        at + 1
    }

    /// Handles a name in a language that declares variables.
    fn name(&mut self, token: Token) {
        let word = self.word(token);
        let declared = self.reading.symbols.names.get(&word);
        let is_word = word.bytes().all(shadestep_language::syntax::is_word_byte) && !word.is_empty();
        // A word after a dot, or at the beginning of a binding, is not a name.
        if !is_word || self.coloured.is_part(token.span) {
            return;
        }
        let undeclared = declared.is_none() && token.kind == TokenKind::Name;
        let (of_primitives, _) = words::of_primitives(self.reading.language(), &self.statement.keyword);
        if declared.is_none() && !undeclared || of_primitives.contains(&word.as_str()) {
            return;
        }
        let is_declaration = declared.is_some_and(|declared| declared.place == Some(token.span));
        let access = if is_declaration { Access::Declaration } else { self.access() };
        self.push(Key::Name(word), token.span, access);
    }

    /// Handles a name from DEFINE or DECLARE.
    fn constant(&mut self, token: Token) {
        let makes = matches!(self.statement.keyword.as_str(), "DEFINE" | "DECLARE");
        let first = !std::mem::replace(&mut self.statement.has_name, true);
        let access = if makes && first { Access::Declaration } else { self.access() };
        self.push(Key::Name(self.word(token)), token.span, access);
    }

    /// Handles an element of an array of registers, whose letter is at `at`. The contents of the brackets are
    /// handled separately.
    fn element(&mut self, at: usize, letter: Token) {
        let language = self.reading.language();
        let Word::Array(array) = classify(language, &self.word(letter)) else { return };
        let Some((open, _)) = self.next(at + 1).filter(|(_, token)| self.word(*token) == "[") else { return };
        let rest = self.coloured.tokens.iter().skip(open + 1).take(16);
        let mut content = String::new();
        for token in rest {
            let word = self.word(*token);
            match word.as_str() {
                "]" => {
                    let span = letter.span.to(token.span);
                    let letter = self.word(letter);
                    let is_relative = content.contains('.');
                    let name = match words::attribute(language, &content) {
                        Some(attribute) if array == Array::Attributes => attribute.register_in(language),
                        _ => format!("{letter}[{content}]"),
                    };
                    let place = Place {
                        key: Key::Register(name),
                        span,
                        access: self.access(),
                        relative: is_relative.then_some(letter),
                    };
                    self.found.push(place);
                    return;
                }
                ";" | "," => return,
                _ if matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment) => {}
                _ => content.push_str(&word),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of the symbol at the first `@`, which is removed: offset, access and other spelling.
    fn places(marked: &str) -> Vec<(usize, char, Option<String>)> {
        let at = marked.find('@').unwrap();
        let text = marked.replacen('@', "", 1);
        let Some(found) = symbol(text.as_bytes(), at) else { return Vec::new() };
        let letter = |access| match access {
            Access::Declaration => 'd',
            Access::Write => 'w',
            Access::Read => 'r',
        };
        assert!(found.uses.iter().any(|use_| use_.span == found.span), "{found:?}");
        found.uses.into_iter().map(|use_| (use_.span.start, letter(use_.access), use_.through)).collect()
    }

    fn plain(marked: &str) -> Vec<(usize, char)> {
        places(marked)
            .into_iter()
            .filter(|(.., through)| through.is_none())
            .map(|(at, how, _)| (at, how))
            .collect()
    }

    #[test]
    fn variables_are_declared_written_and_read() {
        let text =
            "!!ARBfp1.0\nTEMP a, b;\nMOV a, fragment.color;\nADD b.x, @a.y, a;\nMOV result.color, b;\nEND";
        assert_eq!(plain(text), [(16, 'd'), (26, 'w'), (54, 'r'), (59, 'r')]);
        let text = "!!ARBvp1.0\nADDRESS i;\nPARAM m[4] = { state.matrix.mvp };\nARL @i.x, vertex.position;\n\
            MOV result.position, m[i.x];\nEND";
        assert_eq!(plain(text), [(19, 'd'), (61, 'w'), (106, 'r')]);
        // A component, or a part of a binding, can have the same spelling as a variable.
        let text = "!!NVfp4.0 TEMP @x, color; MOV x.x, fragment.color.x; MOV result.color, x.x; END";
        assert_eq!(plain(text), [(15, 'd'), (29, 'w'), (70, 'r')]);
        let text = "!!NVfp4.0 TEMP x, @color; MOV color, fragment.color; MOV result.color, color; END";
        assert_eq!(plain(text), [(18, 'd'), (29, 'w'), (70, 'r')]);
    }

    #[test]
    fn a_statement_that_goes_on_in_the_next_line_is_one() {
        let text = "!!NVfp4.0 TEMP a; MOV\n a,\n@a; MOV result.color, a; END";
        assert_eq!(plain(text), [(15, 'd'), (23, 'w'), (26, 'r'), (47, 'r')]);
    }

    #[test]
    fn aliases_are_other_names() {
        let text =
            "!!ARBfp1.0\nTEMP @a; ALIAS q = a; ALIAS z = q;\nMOV q, fragment.color; MOV result.color, z; END";
        let found = places(text);
        assert_eq!(found[0], (16, 'd', None));
        assert_eq!(found[1], (29, 'r', None));
        let through = |name: &str| Some(name.to_owned());
        // `q` is read in the other ALIAS and written later; `z` is read.
        assert_eq!(found[2..], [(42, 'r', through("q")), (49, 'w', through("q")), (86, 'r', through("z"))]);
        assert_eq!(
            plain("!!ARBfp1.0\nTEMP a; ALIAS @q = a; MOV result.color, q; END"),
            [(25, 'd'), (50, 'r')]
        );
    }

    #[test]
    fn registers_are_defined_by_their_first_write() {
        let text = "!!FP1.0 MOV R0, f[COL0]; ADD R1.x, @R0.y, R0; MOV R0.x, R1; MOV o[COLR], R0; END";
        assert_eq!(plain(text), [(12, 'w'), (35, 'r'), (41, 'r'), (49, 'w'), (72, 'r')]);
        let of = |marked: &str| {
            let text = marked.replacen('@', "", 1);
            let found = symbol(text.as_bytes(), marked.find('@').unwrap()).unwrap();
            found
                .definition()
                .map(|span| text[span.start..].split_terminator([',', '.']).next().unwrap().to_owned())
        };
        assert_eq!(of("!!FP1.0 ADD R1, R0, R0; MOV R0, R@0; END").as_deref(), Some("R0"));
        assert_eq!(of("!!FP1.0 MOV o[COLR], f[@COL0]; END"), None);
        assert_eq!(plain("!!FP1.0 MOV @o[ COLR ], f[COL0]; MOV o[COLR].x, 1; END"), [(12, 'w'), (36, 'w')]);
        assert_eq!(plain("!!FP1.0 MOVC @RC, f[COL0]; MOVC RC.x, f[COL0]; END"), [(13, 'w'), (31, 'w')]);
        // The number and the name of one attribute.
        assert_eq!(plain("!!VP1.0 MOV R0, @v[NRML]; MOV R1, v[2]; END"), [(16, 'r'), (33, 'r')]);
    }

    #[test]
    fn relative_reads_may_be_of_any_parameter() {
        let text = "!!VP1.0 ARL A0.x, v[0].x; MOV R0, @c[5]; ADD R0, R0, c[A0.x + 4]; MOV o[HPOS], R0; END";
        assert_eq!(places(text), [(34, 'r', None), (52, 'r', Some("c[A0.x+4]".to_owned()))]);
        assert_eq!(plain("!!VP1.0 ARL A0.x, v[0].x; MOV R0, c[@A0.x + 4]; END"), [(12, 'w'), (36, 'r')]);
    }

    #[test]
    fn labels_and_constants() {
        let text = "!!VP2.0 BRA @done (GT.x); CAL done; done: RET; END";
        assert_eq!(plain(text), [(12, 'r'), (29, 'r'), (35, 'd')]);
        let text = "!!FP1.0 DEFINE @k = 2; DECLARE l = k; MOV o[COLR], k; END";
        assert_eq!(plain(text), [(15, 'd'), (34, 'r'), (50, 'r')]);
        let text = "!!NVfp5.0 SUBROUTINETYPE T { @a }; SUBROUTINE T v = program.subroutine[0]; CALI v; RET; \
            a SUBROUTINENUM(0): MOV result.color, 1; RET; END";
        assert_eq!(plain(text), [(29, 'r'), (87, 'd')]);
    }

    #[test]
    fn bindings_are_found_however_they_are_written() {
        let text = "!!ARBfp1.0 ATTRIB c = fragment.color; MOV result.color, @fragment.color.primary; END";
        assert_eq!(plain(text), [(22, 'd'), (56, 'r')]);
        let text = "!!ARBfp1.0 MOV @result.color.x, 1; MOV result.color.y, 2; END";
        assert_eq!(plain(text), [(15, 'w'), (38, 'w')]);
    }

    #[test]
    fn where_nothing_is_named_there_is_no_symbol() {
        for text in [
            "@MOV a, b;",
            "!!FP1.0 M@OV R0, 1;",
            "!!FP1.0 # R@0",
            "!!FP1.0 MOV R0, 1.@5;",
            "@",
            "!!FP1.0 ; @ ;",
        ] {
            assert_eq!(places(text), [], "{text}");
        }
    }
}
