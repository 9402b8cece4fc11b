//! Operands and destinations, as far as all languages spell them alike: signs, bars, brackets, swizzles,
//! masks and condition tests.
//!
//! A fault is at the first token that the grammar does not allow there (ruling 13). A token is text without a
//! space in it:
//!
//! * Letters written together are one token. A fault of any letter is at the first byte (`R0.yx`,
//!   `f[COL0].xy`).
//! * Letters written apart are several tokens. The fault is at the token that makes the letters illegal (the
//!   second `x` of `R0.x x`).
//! * Too few letters: the fault is at the last letters.
//! * A missing component, index or number: the fault is at the token in its place.

use super::dialect::{Dialect, Grammar, ParsedDestination, ParsedOperand, Sign};
use super::nearest;
use super::parser::{Parse, Parser};
use super::word_roles::Role;
use crate::diag::{Code, Diagnostic};
use crate::ir::{CcTest, Condition, Swizzle, WriteMask};
use crate::isa::{Info, Language, OperandKind};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

/// The letters that name the four components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterSet {
    /// x, y, z, w
    Vector,
    /// r, g, b, a
    Colour,
}

impl LetterSet {
    /// The four letters, in order.
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Vector => "xyzw",
            Self::Colour => "rgba",
        }
    }
}

/// How the letters after a point divide into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterTokens {
    /// Each letter is a token, so spaces may separate the letters.
    Each,
    /// All letters are one token.
    One,
}

/// The place of a component letter in its set, 0 to 3, and the set. Without `colour_letters`, only xyzw
/// exists.
pub fn component(letter: u8, colour_letters: bool) -> Option<(u8, LetterSet)> {
    let place = |set: &[u8; 4]| set.iter().position(|&l| l == letter).and_then(|i| u8::try_from(i).ok());
    let vector = place(b"xyzw").map(|place| (place, LetterSet::Vector));
    vector.or_else(|| place(b"rgba").filter(|_| colour_letters).map(|place| (place, LetterSet::Colour)))
}

/// `word` with r, g, b, a replaced by x, y, z, w. `None` if it has other letters.
fn from_rgba(word: &str) -> Option<String> {
    let translate = |letter: char| match letter.to_ascii_lowercase() {
        'r' | 'x' => Some('x'),
        'g' | 'y' => Some('y'),
        'b' | 'z' => Some('z'),
        'a' | 'w' => Some('w'),
        _ => None,
    };
    word.chars().map(translate).collect()
}

/// The letters of a swizzle, a mask or a component selection.
pub struct Letters {
    /// Places in xyzw, in the order written.
    pub components: Vec<u8>,
    /// The set of the first letter.
    pub set: LetterSet,
    pub span: Span,
    /// The tokens, each with the number of letters up to its end.
    tokens: Vec<(Span, usize)>,
}

impl Letters {
    /// The token at fault, by the rule at the top of this module. `begins` says whether letters can begin a
    /// legal suffix.
    pub fn fault(&self, begins: impl Fn(&[u8]) -> bool) -> Span {
        let wrong = self.tokens.iter().find(|(_, end)| !begins(&self.components[..*end]));
        wrong.or(self.tokens.last()).map_or(self.span, |(token, _)| *token)
    }

    /// For each component, the token with its letter. A component without a letter gets the first token.
    fn tokens_of_mask(&self) -> [Span; 4] {
        let first = self.tokens.first().map_or(self.span, |(token, _)| *token);
        let mut found = [first; 4];
        let mut start = 0;
        // Legal masks have at most four tokens. A longer one has been reported.
        for &(token, end) in self.tokens.iter().take(4) {
            for &component in &self.components[start..end] {
                found[usize::from(component)] = token;
            }
            start = end;
        }
        found
    }

    /// The token at fault where only one component is allowed.
    pub fn fault_beyond_one(&self) -> Span {
        self.fault(|letters| letters.len() <= 1)
    }
}

/// The value of `bytes` as `0x` and hexadecimal digits, if `language` has data types (NV_gpu_program4 2.X.2,
/// `<int>`). Values too large for u128 become `u128::MAX`.
pub fn hexadecimal(language: Language, bytes: &[u8]) -> Option<u128> {
    let digits = bytes.strip_prefix(b"0x").filter(|_| language.profile().typed)?;
    let digits = std::str::from_utf8(digits).ok()?;
    let legal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    legal.then(|| u128::from_str_radix(digits, 16).unwrap_or(u128::MAX))
}

impl<'t, G: Grammar<'t>> Parser<'t, G> {
    fn sign(&mut self) -> Sign {
        match self.token.kind {
            TokenKind::Minus => {
                self.advance();
                Sign::Minus
            }
            TokenKind::Plus => {
                self.advance();
                Sign::Plus
            }
            _ => Sign::None,
        }
    }

    /// `<vectorSrc>` or `<scalarSrc>`.
    pub fn operand(&mut self, kind: OperandKind) -> Parse<ParsedOperand<G::Base>> {
        let start = self.token.span.start;
        G::look_at_sign(self);
        let sign = self.sign();
        if sign != Sign::None {
            G::look_at_sign(self);
        }
        let mut operand = if self.token.kind == TokenKind::Bar {
            let bar = self.advance().span;
            let inner = self.sign();
            let mut operand = self.signed_base(kind, inner)?;
            if self.eat(TokenKind::Bar).is_none() {
                let fault = Diagnostic::new(
                    self.own.dialect().codes.unclosed_bars,
                    self.token.span,
                    format!("expected the closing `|`, found {}", self.found()),
                )
                .with_label(bar, "opened here");
                return self.fail(fault);
            }
            operand.absolute = true;
            operand.negate_absolute = sign == Sign::Minus;
            operand
        } else {
            self.signed_base(kind, sign)?
        };
        operand.span = Span::new(start, self.previous.end);
        if self.token.kind == TokenKind::Dot {
            let codes = self.own.dialect().codes;
            let fault = if operand.absolute {
                Diagnostic::new(
                    codes.bad_swizzle.citing(codes.grammar()),
                    self.token.span,
                    "a suffix cannot follow the bars",
                )
                .with_note("Write the suffix inside the bars: `|R0.x|`.")
            } else {
                Diagnostic::new(
                    codes.bad_swizzle.citing(codes.grammar()),
                    self.token.span,
                    "an operand takes only one suffix",
                )
            };
            return self.fail(fault);
        }
        Ok(operand)
    }

    fn signed_base(&mut self, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand<G::Base>> {
        if matches!(self.token.kind, TokenKind::Minus | TokenKind::Plus) {
            let fault = Diagnostic::new(
                self.own.dialect().codes.unexpected,
                self.token.span,
                "an operand takes at most one sign",
            );
            return self.fail(fault);
        }
        G::base(self, kind, sign)
    }

    /// The value of a whole number. `None` if `token` is not one. Values too large for u32 become `u32::MAX`,
    /// which is outside every range of the languages.
    pub fn whole_number(&self, token: Token) -> Option<u32> {
        let bytes = token.span.slice(self.text);
        if let Some(value) = hexadecimal(self.own.language(), bytes) {
            return Some(u32::try_from(value).unwrap_or(u32::MAX));
        }
        let text = std::str::from_utf8(bytes).ok().filter(|t| t.bytes().all(|b| b.is_ascii_digit()))?;
        (!text.is_empty()).then(|| text.parse().unwrap_or(u32::MAX))
    }

    /// Reads a sign and a whole number. Returns the number's token, and its value if the token is a whole
    /// number. Returns `None` if no sign follows, or a minus that is not allowed.
    pub fn signed_offset(&mut self, minus: bool) -> Parse<Option<(Token, Option<i64>)>> {
        let negative = match self.token.kind {
            TokenKind::Plus => false,
            TokenKind::Minus if minus => true,
            _ => return Ok(None),
        };
        self.advance();
        let token = self.token;
        if !token.kind.is_numeric() {
            return Err(self.unexpected("a whole number"));
        }
        self.advance();
        let size = self.whole_number(token).map(i64::from);
        Ok(Some((token, size.map(|size| if negative { -size } else { size }))))
    }

    /// Reads `array [ token` and returns the token. Report a fault of the token before
    /// [`Self::close_bracket`] is called: where `]` is missing too, the token is the first offending one.
    pub fn open_bracket(&mut self, array: &str, wanted: &str) -> Parse<Token> {
        self.advance();
        self.expect(TokenKind::LeftBracket, &format!("`[` after `{array}`"))?;
        if !matches!(self.token.kind, TokenKind::Word | TokenKind::Number | TokenKind::BadNumber) {
            return Err(self.unexpected(wanted));
        }
        Ok(self.advance())
    }

    pub fn close_bracket(&mut self) -> Parse<()> {
        self.expect(TokenKind::RightBracket, "`]`").map(|_| ())
    }

    /// Reads the letters after a point. Letters from both sets are an error with the code `mixed`.
    pub fn letters(&mut self, tokens: LetterTokens, mixed: Code) -> Parse<Letters> {
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("component letters after `.`"));
        }
        let first = self.token.span;
        let dialect = self.own.dialect();
        let mut letters = Letters {
            components: Vec::with_capacity(4),
            set: LetterSet::Vector,
            span: first,
            tokens: Vec::with_capacity(1),
        };
        let mut stray = None;
        while self.token.kind == TokenKind::Word {
            let word = self.word();
            let components: Option<Vec<_>> =
                word.bytes().map(|letter| component(letter, dialect.colour_letters)).collect();
            match components {
                Some(components) => {
                    for (place, set) in components {
                        if letters.components.is_empty() {
                            letters.set = set;
                        }
                        if set != letters.set {
                            stray = stray.or(Some(self.token.span));
                        }
                        letters.components.push(place);
                    }
                    let token = self.advance().span;
                    letters.span = letters.span.to(token);
                    letters.tokens.push((token, letters.components.len()));
                    if tokens == LetterTokens::One {
                        break;
                    }
                }
                None if letters.components.is_empty() => {
                    let fault = bad_letters(dialect, word, first);
                    self.advance();
                    return self.fail(fault);
                }
                None => break,
            }
        }
        if let Some(token) = stray {
            return self.fail(mixed_letters(mixed, token));
        }
        Ok(letters)
    }

    /// Reads the `<swizzleSuffix>` or `<scalarSuffix>` of the operand at `base`.
    pub fn suffix(&mut self, kind: OperandKind, base: Span) -> Parse<Swizzle> {
        if self.eat(TokenKind::Dot).is_none() {
            if kind == OperandKind::Scalar {
                let shown = self.excerpt(base);
                self.sink.push(
                    Diagnostic::new(
                        self.own.dialect().codes.needs_component,
                        base,
                        format!("expected a scalar: select a component of `{shown}`"),
                    )
                    .with_fix("add .x", Span::at(base.end), ".x")
                    // The operand so far is a legal beginning. The offending token is the one in place of the
                    // point (ruling 13).
                    .at_position(self.token.span.start),
                );
            }
            return Ok(Swizzle::IDENTITY);
        }
        let letters = self.letters(LetterTokens::Each, self.own.dialect().codes.mixed_components)?;
        match (letters.components.as_slice(), kind) {
            ([one], _) => Ok(Swizzle::replicate(*one)),
            (&[_, _, _, _], OperandKind::Scalar) => {
                self.sink.push(Diagnostic::new(
                    self.own.dialect().codes.needs_component,
                    letters.fault_beyond_one(),
                    "expected a scalar: the suffix must be x, y, z or w",
                ));
                Ok(Swizzle::IDENTITY)
            }
            (&[x, y, z, w], _) => Ok(Swizzle([x, y, z, w])),
            (other, _) => {
                let count = other.len();
                let (legal, most) = match kind {
                    OperandKind::Scalar => ("one component", 1),
                    _ => ("one or four components", 4),
                };
                self.sink.push(Diagnostic::new(
                    self.own.dialect().codes.bad_swizzle,
                    letters.fault(|letters| letters.len() <= most),
                    format!("a swizzle needs {legal}, not {count}"),
                ));
                Ok(Swizzle::IDENTITY)
            }
        }
    }

    /// Reads `<maskedDstReg>`.
    pub fn destination(&mut self, info: &Info) -> Parse<ParsedDestination<G::Target>> {
        let start = self.token.span;
        let target = G::target(self, info)?;
        let register_span = start.to(self.previous);
        let mut destination = ParsedDestination {
            target,
            register_span,
            mask: WriteMask::ALL,
            mask_span: register_span,
            mask_tokens: [register_span; 4],
            test: None,
            test_span: register_span,
            span: register_span,
        };
        if self.eat(TokenKind::Dot).is_some() {
            let dialect = self.own.dialect();
            let codes = dialect.codes;
            let letters =
                self.letters(dialect.mask_tokens, codes.mixed_components.citing(codes.bad_mask.clause()))?;
            destination.mask = self.mask(&letters);
            destination.mask_span = letters.span;
            destination.mask_tokens = letters.tokens_of_mask();
        }
        let test = self.token.span;
        destination.test = self.parenthesised_test("a destination", "MOV R0.xyz (GT.x), R1;")?;
        destination.test_span = test.to(self.previous);
        destination.span = start.to(self.previous);
        Ok(destination)
    }

    /// Reads `<optionalCCMask>` of `what`. A fault shows `example`.
    pub fn parenthesised_test(&mut self, what: &str, example: &str) -> Parse<Option<CcTest>> {
        G::look_at_test(self);
        if self.eat(TokenKind::LeftParen).is_some() {
            let test = self.cc_test()?;
            self.expect(TokenKind::RightParen, "`)`")?;
            return Ok(Some(test));
        }
        if matches!(self.own.role(self.word()), Role::Condition(..)) {
            let fault = Diagnostic::new(
                self.own.dialect().codes.unexpected,
                self.token.span,
                format!("the condition of {what} must be in parentheses"),
            )
            .with_note(format!("For example: `{example}`"));
            return self.fail(fault);
        }
        Ok(None)
    }

    fn mask(&mut self, letters: &Letters) -> WriteMask {
        let mask = letters.components.iter().fold(0, |mask, c| mask | 1 << c);
        let in_order = |letters: &[u8]| letters.is_sorted_by(|a, b| a < b);
        if !in_order(&letters.components) {
            let ordered: String = letters
                .set
                .letters()
                .chars()
                .enumerate()
                .filter(|(i, _)| mask >> i & 1 != 0)
                .map(|(_, l)| l)
                .collect();
            self.sink.push(
                Diagnostic::new(
                    self.own.dialect().codes.bad_mask,
                    letters.fault(in_order),
                    format!(
                        "a write mask lists each component at most once, in the order {}",
                        letters.set.letters()
                    ),
                )
                .with_fix(format!("replace with {ordered}"), letters.span, ordered),
            );
        }
        WriteMask(mask)
    }

    /// Reads `<ccMask>`.
    pub fn cc_test(&mut self) -> Parse<CcTest> {
        let token = self.token;
        let Role::Condition(condition, register) = self.own.role(self.word()) else {
            if let Some(fault) = self.own.later_condition(self.word(), token.span) {
                return self.fail(fault);
            }
            let rules = Condition::of_language(self.own.language());
            let names: Vec<_> = rules.iter().map(|condition| condition.name()).collect();
            let mut fault = Diagnostic::new(
                self.own.dialect().codes.bad_condition,
                token.span,
                format!("expected a condition, found {}", self.found()),
            )
            .with_note(format!("The conditions are {}.", names.join(", ")));
            if let Some(meant) = nearest(self.word(), names) {
                fault = fault.with_fix(format!("replace with {meant}"), token.span, meant);
            }
            return self.fail(fault);
        };
        self.advance();
        let swizzle = self.suffix(OperandKind::Vector, token.span)?;
        Ok(CcTest { condition, swizzle, register })
    }
}

/// The finding that the letters up to the one at `span` come from both sets.
pub fn mixed_letters(code: Code, span: Span) -> Diagnostic {
    Diagnostic::new(code, span, "the letters xyzw and rgba cannot be mixed")
        .with_note("Both sets name the same four components. Use one of them throughout.")
}

fn bad_letters(dialect: &'static Dialect, word: &str, span: Span) -> Diagnostic {
    let shown: String = word.chars().take(16).collect();
    let fault = Diagnostic::new(
        dialect.codes.bad_component,
        span,
        if dialect.colour_letters {
            format!("`{shown}` does not name components: use x, y, z, w or r, g, b, a")
        } else {
            format!("`{shown}` does not name components: use x, y, z and w")
        },
    );
    match from_rgba(word) {
        Some(meant) if meant.len() <= 4 && !dialect.colour_letters => {
            fault.with_fix(format!("replace with {meant}"), span, meant)
        }
        _ => fault,
    }
}
