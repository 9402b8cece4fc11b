//! Tokens for colouring, from the parsers' own lexer and the words of each language.
//!
//! A line is coloured from its own bytes and the [`Lexicon`] of its text alone, so an editor may redo only
//! the lines that changed. The price: on a line that goes on with an earlier statement, a word is judged
//! without that statement. Lines of ARB programs are [`super::arb::highlight`]'s.

use super::arb;
use super::lexicon::Lexicon;
use super::words::{self, Array, Word, classify};
use crate::front::language_of;
use crate::isa::{self, Info, Language, Lookup, OperandKind};
use crate::source::{LineIndex, Span};
use crate::syntax::{self, Lexer};

/// What a token is, for colouring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The header that names the language.
    Header,
    /// An instruction name without its suffixes.
    Mnemonic,
    /// The suffixes of an instruction name.
    Suffix,
    /// `DEFINE`, `DECLARE`, `END`, `OPTION`, and the declarations of the ARB languages.
    Keyword,
    /// The name of a program option.
    Option,
    /// A label, where it is defined or branched to.
    Label,
    /// A temporary or address register, `RC`, `HC` or `CC`.
    Register,
    /// `f` or `v`, and what stands in its brackets; an ARB binding of an attribute, or a name for one.
    Attribute,
    /// `o`, and the name in its brackets; an ARB binding of a result, or a name for one.
    Output,
    /// `p` or `c`, and the numbers in its brackets; an ARB binding of a parameter, or a name for one.
    Parameter,
    /// The name of a constant or local parameter, defined or not; in ARB programs a name whose declaration is at
    /// fault, or what may be half a word.
    Name,
    /// A number.
    Number,
    /// Component letters behind a point: swizzle, scalar suffix or write mask.
    Swizzle,
    /// A condition rule.
    Condition,
    /// `TEX0` and so on, outside `f[...]`; `texture[n]`.
    TextureUnit,
    /// `1D`, `2D`, `3D`, `CUBE`, `RECT` and those that compare depths.
    TextureTarget,
    /// Separators, signs and brackets.
    Punctuation,
    /// A comment.
    Comment,
    /// Spaces and line endings.
    Whitespace,
    /// What no rule of the language takes here.
    Error,
}

/// A coloured piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// The tokens of a whole text; their spans cover every byte, in order.
pub fn highlight(text: &[u8]) -> Vec<Token> {
    let lexicon = Lexicon::of(text);
    let index = LineIndex::new(text);
    let mut tokens = Vec::new();
    for line in 0..index.line_count() {
        let span = index.line_span(line);
        tokens.extend(highlight_line(span.slice(text), line, &lexicon).into_iter().map(|token| Token {
            span: Span::new(token.span.start + span.start, token.span.end + span.start),
            kind: token.kind,
        }));
    }
    tokens
}

/// The tokens of one line of a text with this lexicon, its line ending included or not; spans count from the
/// line's start. Only line 0 can hold a header. In a text that names no language, a word is coloured as
/// what the first NV language that knows it takes it for.
pub fn highlight_line(line: &[u8], line_number: usize, lexicon: &Lexicon) -> Vec<Token> {
    let lexed = lex_line(line, line_number);
    if let Some(coloured) = arb::highlight::line(line, &lexed, lexicon, None) {
        return coloured.tokens;
    }
    let language = lexicon.language();
    let known = Language::ALL.into_iter().filter(|language| !language.profile().declares_variables());
    let languages = language.map_or_else(|| known.collect(), |language| vec![language]);
    let mut highlighter = Highlighter {
        line,
        languages: &languages,
        before: Before::Statement,
        inside: None,
        tokens: Vec::new(),
    };
    for (index, token) in lexed.iter().enumerate() {
        highlighter.token(*token, &lexed[index + 1..]);
    }
    highlighter.tokens
}

/// The tokens of line `line_number` as the lexer sees them.
pub(super) fn lex_line(line: &[u8], line_number: usize) -> Vec<syntax::Token> {
    let lexer = if line_number == 0 { Lexer::new(line) } else { Lexer::continuation(line) };
    lexer.collect()
}

/// What stands before a token on its line, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, a `;` or a `:`.
    Statement,
    /// An array name.
    Array(Array),
    /// The name of an instruction that goes to a label.
    Branch,
    /// `+` or `-`.
    Sign(Sign),
    /// A `.`, or component letters.
    Components,
    /// Anything else.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

struct Highlighter<'l> {
    line: &'l [u8],
    /// The language of the text, or all of them where it is not known.
    languages: &'l [Language],
    before: Before,
    /// The array whose brackets are open.
    inside: Option<Array>,
    tokens: Vec<Token>,
}

impl Highlighter<'_> {
    fn push(&mut self, span: Span, kind: TokenKind) {
        if !span.is_empty() {
            self.tokens.push(Token { span, kind });
        }
    }

    fn any(&self, holds: impl Fn(Language) -> bool) -> bool {
        self.languages.iter().any(|&language| holds(language))
    }

    /// Colours `token`; `rest` is what follows it on the line.
    fn token(&mut self, token: syntax::Token, rest: &[syntax::Token]) {
        use syntax::TokenKind as Lexed;
        let before = self.before;
        let (kind, after) = match token.kind {
            Lexed::Whitespace => (TokenKind::Whitespace, before),
            Lexed::Comment => (TokenKind::Comment, before),
            Lexed::Header => {
                let known = language_of(token.span.slice(self.line)).is_some();
                (if known { TokenKind::Header } else { TokenKind::Error }, Before::Statement)
            }
            Lexed::Word => {
                self.word(token.span, rest);
                return;
            }
            Lexed::Number => (self.number(token.span), Before::Other),
            Lexed::Dimension if self.any(|language| language.profile().textures) => {
                (TokenKind::TextureTarget, Before::Other)
            }
            Lexed::Dimension | Lexed::BadNumber | Lexed::Unknown | Lexed::EndOfText => {
                (TokenKind::Error, before)
            }
            Lexed::Semicolon => {
                self.inside = None;
                (TokenKind::Punctuation, Before::Statement)
            }
            Lexed::Colon if self.any(|language| language.profile().labels) => {
                (TokenKind::Punctuation, Before::Statement)
            }
            Lexed::Colon => (TokenKind::Error, Before::Statement),
            Lexed::Dot => (TokenKind::Punctuation, Before::Components),
            Lexed::DotDot => (TokenKind::Punctuation, Before::Other),
            Lexed::Plus => (TokenKind::Punctuation, Before::Sign(Sign::Plus)),
            Lexed::Minus => (TokenKind::Punctuation, Before::Sign(Sign::Minus)),
            Lexed::LeftBracket => {
                self.inside = if let Before::Array(array) = before { Some(array) } else { None };
                (TokenKind::Punctuation, Before::Other)
            }
            Lexed::RightBracket => {
                self.inside = None;
                (TokenKind::Punctuation, Before::Other)
            }
            Lexed::Comma
            | Lexed::Equals
            | Lexed::Bar
            | Lexed::LeftBrace
            | Lexed::RightBrace
            | Lexed::LeftParen
            | Lexed::RightParen => (TokenKind::Punctuation, Before::Other),
        };
        self.push(token.span, kind);
        self.before = after;
    }

    fn number(&self, span: Span) -> TokenKind {
        let text = std::str::from_utf8(span.slice(self.line)).unwrap_or_default();
        let (kind, fits) = match self.inside {
            None => (TokenKind::Number, self.any(|language| language.profile().literals)),
            Some(Array::Outputs) => (TokenKind::Error, false),
            Some(Array::Attributes) => {
                (TokenKind::Attribute, self.any(|language| words::attribute(language, text).is_some()))
            }
            Some(Array::Parameters) => {
                let number = text.parse().unwrap_or(usize::MAX);
                let fits = |language| {
                    let (back, on) = words::offset_limits(language).unwrap_or((0, 0));
                    number
                        <= match self.before {
                            Before::Sign(Sign::Minus) => back,
                            Before::Sign(Sign::Plus) => on,
                            _ => language.profile().limits.parameters - 1,
                        }
                };
                (TokenKind::Parameter, self.any(fits))
            }
        };
        if fits { kind } else { TokenKind::Error }
    }

    fn word(&mut self, span: Span, rest: &[syntax::Token]) {
        let word = std::str::from_utf8(span.slice(self.line)).unwrap_or_default();
        let before = std::mem::replace(&mut self.before, Before::Other);
        let components = word.bytes().all(|b| matches!(b, b'x' | b'y' | b'z' | b'w'));
        let kind = match (before, self.inside) {
            (Before::Components, _) if components => {
                self.before = Before::Components;
                TokenKind::Swizzle
            }
            (Before::Components, _) => TokenKind::Error,
            (_, Some(array)) => self.element(array, word),
            _ => {
                self.free_word(word, span, before, rest);
                return;
            }
        };
        self.push(span, kind);
    }

    /// A word in the brackets of `array`.
    fn element(&self, array: Array, word: &str) -> TokenKind {
        let (kind, known) = match array {
            Array::Attributes => {
                (TokenKind::Attribute, self.any(|language| words::attribute(language, word).is_some()))
            }
            Array::Outputs => {
                (TokenKind::Output, self.any(|language| words::output_names(language).contains(&word)))
            }
            Array::Parameters => {
                (TokenKind::Register, self.any(|language| matches!(classify(language, word), Word::Address)))
            }
        };
        if known { kind } else { TokenKind::Error }
    }

    fn free_word(&mut self, word: &str, span: Span, before: Before, rest: &[syntax::Token]) {
        let begins = before == Before::Statement;
        let label = before == Before::Branch || begins && precedes_colon(rest);
        let mut known = self.languages.iter().map(|&language| classify(language, word));
        let known = known.find(|word| !matches!(word, Word::Name)).unwrap_or(Word::Name);
        let reserved = matches!(known, Word::Instruction(_) | Word::Keyword(_))
            && !self.any(|language| !language.profile().reserves_words);
        if label && !reserved && self.any(|language| language.profile().labels) {
            self.push(span, if word.contains('$') { TokenKind::Error } else { TokenKind::Label });
            return;
        }
        let kind = match known {
            Word::Instruction(info) => {
                if info.operands.first() == Some(&OperandKind::Label) {
                    self.before = Before::Branch;
                }
                self.instruction(span, info, TokenKind::Suffix);
                return;
            }
            Word::Keyword(_) => TokenKind::Keyword,
            Word::OptionName => TokenKind::Option,
            Word::Temporary(_) | Word::Address | Word::ConditionRegister(_) => TokenKind::Register,
            Word::Array(array) => {
                self.before = Before::Array(array);
                match array {
                    Array::Attributes => TokenKind::Attribute,
                    Array::Outputs => TokenKind::Output,
                    Array::Parameters => TokenKind::Parameter,
                }
            }
            Word::ElementName | Word::Binding => TokenKind::Error,
            Word::TextureUnit => TokenKind::TextureUnit,
            Word::TextureTarget => TokenKind::TextureTarget,
            Word::Condition => TokenKind::Condition,
            Word::Name => {
                self.name(word, span, begins);
                return;
            }
        };
        self.push(span, kind);
    }

    /// A word that the language does not know.
    fn name(&mut self, word: &str, span: Span, begins: bool) {
        if let [language] = *self.languages
            && begins
        {
            if let Lookup::BadSuffix(info) = isa::lookup(language, word) {
                self.instruction(span, info, TokenKind::Error);
                return;
            }
            // Another language's word; where there are no names of one's own it can be nothing else.
            if !language.profile().names && !words::elsewhere(language, word).is_empty() {
                self.push(span, TokenKind::Error);
                return;
            }
        }
        // What begins a line may be the rest of a statement, or half an instruction's name. Texture units
        // past the last are no names anyone would choose.
        let free =
            (begins || self.any(|language| language.profile().names)) && !words::is_numbered(word, "TEX");
        self.push(span, if free { TokenKind::Name } else { TokenKind::Error });
    }

    fn instruction(&mut self, span: Span, info: &Info, suffix: TokenKind) {
        let middle = span.start + info.mnemonic.len();
        self.push(Span::new(span.start, middle), TokenKind::Mnemonic);
        self.push(Span::new(middle, span.end), suffix);
    }
}

/// Whether a colon comes next.
fn precedes_colon(rest: &[syntax::Token]) -> bool {
    let next = rest.iter().find(|token| token.kind != syntax::TokenKind::Whitespace);
    next.is_some_and(|token| token.kind == syntax::TokenKind::Colon)
}

#[cfg(test)]
mod tests {
    use super::TokenKind::*;
    use super::*;
    use crate::front::LANGUAGES;
    use proptest::prelude::*;

    fn coloured(line: &str) -> Vec<(&str, TokenKind)> {
        coloured_in(Language::Fp1, line)
    }

    fn coloured_in(language: Language, line: &str) -> Vec<(&str, TokenKind)> {
        highlight_line(line.as_bytes(), 1, &Lexicon::of_language(language))
            .into_iter()
            .filter(|t| !matches!(t.kind, Whitespace | Punctuation))
            .map(|t| (&line[t.span.start..t.span.end], t.kind))
            .collect()
    }

    #[test]
    fn an_instruction_in_all_its_parts() {
        assert_eq!(
            coloured("MADRC_SAT R0.xyz (GT.x), f[TEX0].yzzx, p[3], -|tint|; # why"),
            [
                ("MAD", Mnemonic),
                ("RC_SAT", Suffix),
                ("R0", Register),
                ("xyz", Swizzle),
                ("GT", Condition),
                ("x", Swizzle),
                ("f", Attribute),
                ("TEX0", Attribute),
                ("yzzx", Swizzle),
                ("p", Parameter),
                ("3", Parameter),
                ("tint", Name),
                ("# why", Comment),
            ]
        );
        assert_eq!(
            coloured("TXP o[COLH], f[FOGC], TEX15, CUBE;TEX R0,x,TEX1,2D;"),
            [
                ("TXP", Mnemonic),
                ("o", Output),
                ("COLH", Output),
                ("f", Attribute),
                ("FOGC", Attribute),
                ("TEX15", TextureUnit),
                ("CUBE", TextureTarget),
                ("TEX", Mnemonic),
                ("R0", Register),
                ("x", Name),
                ("TEX1", TextureUnit),
                ("2D", TextureTarget),
            ]
        );
        assert_eq!(
            coloured("DEFINE pi = 3.14; KIL EQ; END"),
            [
                ("DEFINE", Keyword),
                ("pi", Name),
                ("3.14", Number),
                ("KIL", Mnemonic),
                ("EQ", Condition),
                ("END", Keyword),
            ]
        );
    }

    #[test]
    fn faults_stand_out() {
        assert_eq!(
            coloured("COSX HC.rgb, f[TEX9], 2.0e;"),
            [
                ("COS", Mnemonic),
                ("X", Error),
                ("HC", Register),
                ("rgb", Error),
                ("f", Attribute),
                ("TEX9", Error),
                ("2.0e", Error),
            ]
        );
        assert_eq!(highlight(b"!!FP1.0\n!!FP1.0")[0].kind, Header);
        assert_eq!(highlight(b"!!FP1.0\n!!FP1.0")[2].kind, Error);
        assert_eq!(highlight(b"!!ARBfp1.0")[0].kind, Header);
        assert_eq!(highlight(b"!!ARBfp1.1")[0].kind, Error);
    }

    #[test]
    fn vertex_programs_in_all_their_parts() {
        let loop_line = "again : MADC R15.xyz(GT.wzyx), v[NRML], -|c[A1.w - 256]|, R1; BRA again (NE); END";
        assert_eq!(
            coloured_in(Language::Vp2, loop_line),
            [
                ("again", Label),
                ("MAD", Mnemonic),
                ("C", Suffix),
                ("R15", Register),
                ("xyz", Swizzle),
                ("GT", Condition),
                ("wzyx", Swizzle),
                ("v", Attribute),
                ("NRML", Attribute),
                ("c", Parameter),
                ("A1", Register),
                ("w", Swizzle),
                ("256", Parameter),
                ("R1", Register),
                ("BRA", Mnemonic),
                ("again", Label),
                ("NE", Condition),
                ("END", Keyword),
            ]
        );
        assert_eq!(
            coloured_in(
                Language::Vp1_1,
                "OPTION NV_position_invariant; MOV o[TEX7].x, v[15]; MOV R0, c[95];"
            ),
            [
                ("OPTION", Keyword),
                ("NV_position_invariant", Option),
                ("MOV", Mnemonic),
                ("o", Output),
                ("TEX7", Output),
                ("x", Swizzle),
                ("v", Attribute),
                ("15", Attribute),
                ("MOV", Mnemonic),
                ("R0", Register),
                ("c", Parameter),
                ("95", Parameter),
            ]
        );
        assert_eq!(
            coloured_in(Language::Vsp1, "MOV c[3], v[0];")[1..],
            [("c", Parameter), ("3", Parameter), ("v", Attribute), ("0", Attribute)]
        );
    }

    #[test]
    fn what_only_another_language_has_stands_out() {
        let errors = |language, line: &'static str| -> Vec<&str> {
            coloured_in(language, line).into_iter().filter(|(_, k)| *k == Error).map(|(w, _)| w).collect()
        };
        assert_eq!(errors(Language::Vp1, "SUB R12, c[96], c[A0.x+64];"), ["SUB", "R12", "96", "64"]);
        assert_eq!(errors(Language::Vp1_1, "SUB R11, c[95], c[A0.x+63]; SEQ R0, R1, R2;"), ["SEQ"]);
        assert_eq!(errors(Language::Vp1, "MOVC CC, R0 (GT);"), ["C", "CC", "GT"]);
        assert_eq!(
            errors(Language::Vp1, "OPTION NV_position_invariant;"),
            ["OPTION", "NV_position_invariant"]
        );
        assert_eq!(errors(Language::Vp2, "MOV R16, c[256]; MOV o[CLP5], c[A1.y-256];"), ["R16", "256"]);
        assert_eq!(errors(Language::Vp1, "MOV o[CLP0], c[A1.x];"), ["CLP0", "A1"]);
        assert_eq!(errors(Language::Vsp1, "MOV o[HPOS], v[OPOS];"), ["o", "HPOS", "OPOS"]);
        assert_eq!(errors(Language::Vp2, "LRP R0, 1.0, f[TEX0], H0;"), ["LRP", "1.0", "f", "TEX0", "H0"]);
        assert_eq!(errors(Language::Vp1, "here: MOV R0, R1;"), [":"]);
        assert_eq!(coloured_in(Language::Vp2, "MOV: BRA END;")[0], ("MOV", Label));
        assert_eq!(coloured_in(Language::Vp2, "MOV: BRA END;")[2], ("END", Label));
        assert_eq!(coloured_in(Language::Vp2, "MOV R0, R1; END")[0], ("MOV", Mnemonic));
        assert_eq!(errors(Language::Vp2, "he$re: BRA $x;"), ["he$re", "$x"]);
        // A fragment program may call a constant ABS, but has no labels.
        assert_eq!(errors(Language::Fp1, "ABS R0, p[64]; A:"), ["64", ":"]);
    }

    #[test]
    fn a_text_follows_its_header() {
        let kinds = |header: &str| -> Vec<TokenKind> {
            let text = format!("{header}\nMOV R12, H0;");
            highlight(text.as_bytes())
                .into_iter()
                .map(|t| t.kind)
                .filter(|k| !matches!(k, Whitespace | Punctuation))
                .collect()
        };
        assert_eq!(kinds("!!FP1.0"), [Header, Mnemonic, Register, Register]);
        assert_eq!(kinds("!!VP1.0"), [Header, Mnemonic, Error, Error]);
        assert_eq!(kinds("!!VP2.0"), [Header, Mnemonic, Register, Error]);
        // Without a language nothing but the header is held against the text.
        assert_eq!(kinds("!!VP9.0"), [Error, Mnemonic, Register, Register]);
    }

    fn assert_covered(text: &[u8]) -> Result<(), TestCaseError> {
        let mut end = 0;
        for token in highlight(text) {
            prop_assert_eq!(token.span.start, end);
            prop_assert!(!token.span.is_empty());
            end = token.span.end;
        }
        prop_assert_eq!(end, text.len());
        Ok(())
    }

    proptest! {
        #[test]
        fn tokens_cover_every_byte_in_order(text in proptest::collection::vec(any::<u8>(), 0..300)) {
            assert_covered(&text)?;
            for language in LANGUAGES {
                assert_covered(&[language.header().as_bytes(), &text].concat())?;
            }
        }

        #[test]
        fn tokens_cover_program_like_text(text in "[RAMOVBCxyzwvoc0-9\\[\\]+\\-|(){}.,;:#$ \n]{0,200}") {
            for language in LANGUAGES {
                assert_covered(format!("{}{text}", language.header()).as_bytes())?;
            }
        }
    }
}
