//! Operands, destinations, swizzles, masks, condition tests and texture references.

use super::check::{Base, DraftDestination, DraftOperand, DraftTarget, DraftTexture};
use super::define::{Meaning, upper_case_register};
use super::parser::{GRAMMAR, Parse, Parser};
use super::words::{OutputName, Register, Word, classify, numbered};
use crate::diag::Diagnostic;
use crate::front::nearest;
use crate::ir::constants::Constant;
use crate::ir::{Attribute, CcTest, Condition, IMAGE_UNITS, Swizzle, TextureTarget, WriteMask, limits};
use crate::isa::OperandKind;
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

const REGISTERS: &str = "NV_fragment_program 3.11.1";
const OPERANDS: &str = "NV_fragment_program 3.11.4.3";

/// Place of a component letter in xyzw.
fn component(letter: u8) -> Option<u8> {
    b"xyzw".iter().position(|&l| l == letter).and_then(|i| u8::try_from(i).ok())
}

/// `word` with r, g, b, a for x, y, z, w; nothing if other letters occur.
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

/// A minus or plus before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    None,
    Plus,
    Minus,
}

/// What follows the name of something with components.
struct Letters {
    components: Vec<u8>,
    span: Span,
}

impl<'t> Parser<'t> {
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
    pub(super) fn operand(&mut self, kind: OperandKind) -> Parse<DraftOperand> {
        let start = self.token.span.start;
        let sign = self.sign();
        let mut operand = if self.token.kind == TokenKind::Bar {
            let bar = self.advance().span;
            let inner = self.sign();
            let mut operand = self.base(kind, inner)?;
            if self.eat(TokenKind::Bar).is_none() {
                let fault = Diagnostic::error(
                    "fp1-unclosed-bars",
                    GRAMMAR,
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
            self.base(kind, sign)?
        };
        operand.span = Span::new(start, self.previous.end);
        if self.token.kind == TokenKind::Dot {
            let fault = if operand.absolute {
                Diagnostic::error(
                    "fp1-bad-swizzle",
                    GRAMMAR,
                    self.token.span,
                    "no suffix may follow the bars",
                )
                .with_note("The suffix stands inside: `|R0.x|`.")
            } else {
                Diagnostic::error("fp1-bad-swizzle", GRAMMAR, self.token.span, "one suffix is enough")
            };
            return self.fail(fault);
        }
        Ok(operand)
    }

    /// `<baseVectorSrc>` or `<baseScalarSrc>` behind its sign.
    fn base(&mut self, kind: OperandKind, sign: Sign) -> Parse<DraftOperand> {
        let start = self.token.span;
        let mut operand = DraftOperand {
            base: Base::Broken,
            base_span: start,
            swizzle: Swizzle::IDENTITY,
            negate: sign == Sign::Minus,
            absolute: false,
            negate_absolute: false,
            span: start,
        };
        match self.token.kind {
            TokenKind::Number | TokenKind::BadNumber | TokenKind::Dimension => {
                let sign_start = if sign == Sign::None { start.start } else { self.previous.start };
                let value = self.number("an operand")?;
                operand.base_span = Span::new(sign_start, start.end);
                // The sign belongs to an embedded scalar: 4 and -4 are different constants (3.11.2).
                let value = if sign == Sign::Minus { -value } else { value };
                operand.base = Base::Constant(Constant::Scalar(value));
                operand.negate = false;
                self.scalar_has_no_suffix("a number")?;
            }
            TokenKind::LeftBrace => {
                let value = self.vector_constant()?;
                operand.base = value.map_or(Base::Broken, |v| Base::Constant(Constant::Vector(v)));
                operand.base_span = start.to(self.previous);
                operand.swizzle = self.suffix(kind, operand.base_span)?;
            }
            TokenKind::Word => self.word_operand(kind, &mut operand)?,
            TokenKind::Minus | TokenKind::Plus => {
                let fault =
                    Diagnostic::error("fp1-unexpected", GRAMMAR, start, "an operand takes one sign at most");
                return self.fail(fault);
            }
            _ => return Err(self.unexpected("an operand")),
        }
        Ok(operand)
    }

    fn word_operand(&mut self, kind: OperandKind, operand: &mut DraftOperand) -> Parse<()> {
        let token = self.token;
        let word = self.word();
        match classify(word) {
            Word::Temporary(register) => {
                self.advance();
                operand.base = Base::Temp(register);
            }
            Word::AttributeArray => operand.base = self.attribute()?.map_or(Base::Broken, Base::Attribute),
            Word::ParameterArray => {
                operand.base = self.numbered_parameter()?.map_or(Base::Broken, Base::Numbered);
            }
            Word::OutputArray => {
                let read = self.output();
                let span = token.span.to(self.previous);
                // The first offending token is the `o`, whatever becomes of the brackets (ruling 13).
                self.sink.push(
                    Diagnostic::error("fp1-read-output", REGISTERS, span, "output registers cannot be read")
                        .with_note("Compute in a temporary register and MOV the result to the output."),
                );
                read?;
            }
            Word::ConditionRegister(_) => {
                self.advance();
                self.sink.push(
                    Diagnostic::error(
                        "fp1-read-condition-register",
                        REGISTERS,
                        token.span,
                        format!("{word} is write-only"),
                    )
                    .with_note(
                        "RC and HC only let an instruction set the condition code; they hold nothing.",
                    ),
                );
            }
            Word::Name => {
                self.advance();
                if self.named_operand(word, token, operand)? {
                    return Ok(());
                }
            }
            other => return self.not_an_operand(other, token),
        }
        operand.base_span = token.span.to(self.previous);
        operand.swizzle = self.suffix(kind, operand.base_span)?;
        Ok(())
    }

    /// An operand that is a name. Gives whether it was a scalar, which takes no suffix.
    fn named_operand(&mut self, word: &'t str, token: Token, operand: &mut DraftOperand) -> Parse<bool> {
        match self.names.use_name(word) {
            Some(Meaning::Constant(constant)) => {
                operand.base = Base::Constant(constant);
                if matches!(constant, Constant::Scalar(_)) {
                    self.scalar_has_no_suffix("a scalar constant")?;
                    return Ok(true);
                }
            }
            Some(Meaning::Local(id)) => operand.base = Base::Local(id),
            Some(Meaning::Broken) => {
                self.skip_suffix();
                return Ok(true);
            }
            None => {
                match range_fault(word, token.span) {
                    Some(fault) => self.sink.push(fault),
                    None => self.undefined_name(word, token.span),
                }
                // Whether a suffix is due is unknown.
                self.skip_suffix();
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn skip_suffix(&mut self) {
        if self.eat(TokenKind::Dot).is_some() && self.token.kind == TokenKind::Word {
            self.advance();
        }
    }

    fn not_an_operand<T>(&mut self, word: Word, token: Token) -> Parse<T> {
        let shown = self.excerpt(token.span);
        let mut fault = Diagnostic::error(
            "fp1-unexpected",
            GRAMMAR,
            token.span,
            format!("expected an operand, found `{shown}`, which is {}", word.describe()),
        );
        match word {
            Word::TextureUnit(set) if set < 8 => {
                let meant = format!("f[{shown}]");
                fault = fault.with_fix(format!("write `{meant}` for the coordinates"), token.span, meant);
            }
            Word::AttributeName => {
                let meant = format!("f[{shown}]");
                fault = fault.with_fix(format!("write `{meant}`"), token.span, meant);
            }
            _ => {}
        }
        self.fail(fault)
    }

    fn scalar_has_no_suffix(&mut self, what: &str) -> Parse<()> {
        if self.token.kind != TokenKind::Dot {
            return Ok(());
        }
        let fault = Diagnostic::error(
            "fp1-scalar-suffix",
            GRAMMAR,
            self.token.span,
            format!("{what} has no components and takes no suffix"),
        );
        self.fail(fault)
    }

    /// `f[...]`; nothing where the name is at fault.
    fn attribute(&mut self) -> Parse<Option<Attribute>> {
        let token = self.open_bracket("f", "an attribute name")?;
        let word = self.word_at(token);
        let found = Attribute::FRAGMENT.iter().copied().find(|a| a.name() == word);
        if found.is_none() {
            let shown = self.excerpt(token.span);
            let mut fault = Diagnostic::error(
                "fp1-bad-attribute",
                "NV_fragment_program 3.11.1.1",
                token.span,
                format!("there is no attribute `f[{shown}]`"),
            )
            .with_note("Attributes are f[WPOS], f[COL0], f[COL1], f[FOGC] and f[TEX0] to f[TEX7].");
            if let Some(meant) = nearest(word, Attribute::FRAGMENT.iter().map(|a| a.name()))
                && numbered(word, "TEX").is_none()
            {
                fault = fault.with_fix(format!("write `{meant}`"), token.span, meant);
            }
            self.sink.push(fault);
        }
        self.close_bracket()?;
        Ok(found)
    }

    /// `o[...]`; nothing where the name is at fault.
    fn output(&mut self) -> Parse<Option<OutputName>> {
        let token = self.open_bracket("o", "an output name")?;
        let word = self.word_at(token);
        let found = OutputName::ALL.iter().copied().find(|o| o.name() == word);
        if found.is_none() {
            let shown = self.excerpt(token.span);
            let mut fault = Diagnostic::error(
                "fp1-bad-output",
                "NV_fragment_program 3.11.1.3",
                token.span,
                format!("there is no output `o[{shown}]`"),
            )
            .with_note("Outputs are o[COLR] (fp32 colour), o[COLH] (fp16 colour) and o[DEPR] (depth).");
            if let Some(meant) = nearest(word, OutputName::ALL.iter().map(|o| o.name())) {
                fault = fault.with_fix(format!("write `{meant}`"), token.span, meant);
            }
            self.sink.push(fault);
        }
        self.close_bracket()?;
        Ok(found)
    }

    /// `p[n]`; nothing where the number is at fault.
    fn numbered_parameter(&mut self) -> Parse<Option<u16>> {
        let token = self.open_bracket("p", "a parameter number")?;
        let bytes = token.span.slice(self.text);
        if !bytes.iter().all(u8::is_ascii_digit) {
            let shown = self.excerpt(token.span);
            let fault = Diagnostic::error(
                "fp1-bad-parameter-number",
                GRAMMAR,
                token.span,
                format!("`{shown}` is not a whole number"),
            )
            .with_note("Numbered parameters are p[0] to p[63].");
            self.sink.push(fault);
            self.close_bracket()?;
            return Ok(None);
        }
        let number = std::str::from_utf8(bytes).ok().and_then(|s| s.parse::<u16>().ok());
        let legal = number.filter(|&n| usize::from(n) < limits::NUMBERED_PARAMETERS);
        if legal.is_none() {
            let shown = self.excerpt(token.span);
            self.sink.push(
                Diagnostic::error(
                    "fp1-bad-parameter-number",
                    GRAMMAR,
                    token.span,
                    format!("there is no parameter `p[{shown}]`"),
                )
                .with_note("Numbered parameters are p[0] to p[63]."),
            );
        }
        self.close_bracket()?;
        Ok(legal)
    }

    /// `array [ token`: the token within. What is wrong with it is to be said before
    /// [`Self::close_bracket`] is called, as it is the first offending token also where `]` is missing.
    fn open_bracket(&mut self, array: &str, wanted: &str) -> Parse<Token> {
        self.advance();
        self.expect(TokenKind::LeftBracket, &format!("`[` behind `{array}`"))?;
        if !matches!(self.token.kind, TokenKind::Word | TokenKind::Number | TokenKind::BadNumber) {
            return Err(self.unexpected(wanted));
        }
        Ok(self.advance())
    }

    fn close_bracket(&mut self) -> Parse<()> {
        self.expect(TokenKind::RightBracket, "`]`").map(|_| ())
    }

    /// The letters behind a point that has just been read: tokens of their own, so space may part them.
    fn letters(&mut self) -> Parse<Letters> {
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("component letters behind `.`"));
        }
        let first = self.token.span;
        let mut letters = Letters { components: Vec::with_capacity(4), span: first };
        while self.token.kind == TokenKind::Word {
            let word = self.word();
            let components: Option<Vec<u8>> = word.bytes().map(component).collect();
            match components {
                Some(components) => {
                    letters.components.extend(components);
                    letters.span = letters.span.to(self.advance().span);
                }
                None if letters.components.is_empty() => {
                    let fault = bad_letters(word, first);
                    self.advance();
                    return self.fail(fault);
                }
                None => break,
            }
        }
        Ok(letters)
    }

    /// `<swizzleSuffix>` or `<scalarSuffix>` of the operand that stands at `base`.
    fn suffix(&mut self, kind: OperandKind, base: Span) -> Parse<Swizzle> {
        if self.eat(TokenKind::Dot).is_none() {
            if kind == OperandKind::Scalar {
                let shown = self.excerpt(base);
                self.sink.push(
                    Diagnostic::error(
                        "fp1-needs-component",
                        OPERANDS,
                        base,
                        format!("a scalar is wanted: say which component of `{shown}`"),
                    )
                    .with_fix("take x", Span::at(base.end), ".x")
                    // The operand so far is a legal beginning: what offends is the token where the
                    // point should stand (ruling 13).
                    .at_position(self.token.span.start),
                );
            }
            return Ok(Swizzle::IDENTITY);
        }
        let letters = self.letters()?;
        match (letters.components.as_slice(), kind) {
            ([one], _) => Ok(Swizzle::replicate(*one)),
            (&[_, _, _, _], OperandKind::Scalar) => {
                self.sink.push(Diagnostic::error(
                    "fp1-needs-component",
                    OPERANDS,
                    letters.span,
                    "a scalar is wanted: the suffix must be one of x, y, z, w",
                ));
                Ok(Swizzle::IDENTITY)
            }
            (&[x, y, z, w], _) => Ok(Swizzle([x, y, z, w])),
            (other, _) => {
                let count = other.len();
                let legal =
                    if kind == OperandKind::Scalar { "one component" } else { "one component or four" };
                self.sink.push(Diagnostic::error(
                    "fp1-bad-swizzle",
                    OPERANDS,
                    letters.span,
                    format!("a swizzle names {legal}, not {count}"),
                ));
                Ok(Swizzle::IDENTITY)
            }
        }
    }

    /// `<maskedDstReg>`.
    pub(super) fn destination(&mut self) -> Parse<DraftDestination> {
        let start = self.token.span;
        let target = self.target()?;
        let register_span = start.to(self.previous);
        let mut destination = DraftDestination {
            target,
            register_span,
            mask: WriteMask::ALL,
            mask_span: register_span,
            test: None,
            span: register_span,
        };
        if self.eat(TokenKind::Dot).is_some() {
            let letters = self.letters()?;
            destination.mask = self.mask(&letters);
            destination.mask_span = letters.span;
        }
        if self.eat(TokenKind::LeftParen).is_some() {
            destination.test = Some(self.cc_test()?);
            self.expect(TokenKind::RightParen, "`)`")?;
        } else if matches!(classify(self.word()), Word::Condition(_)) {
            let fault = Diagnostic::error(
                "fp1-unexpected",
                GRAMMAR,
                self.token.span,
                "a destination's condition stands in parentheses",
            )
            .with_note("For example `MOV R0.xyz (GT.x), R1;`");
            return self.fail(fault);
        }
        destination.span = start.to(self.previous);
        Ok(destination)
    }

    fn mask(&mut self, letters: &Letters) -> WriteMask {
        let mask = letters.components.iter().fold(0, |mask, c| mask | 1 << c);
        if !letters.components.is_sorted_by(|a, b| a < b) {
            let ordered: String =
                "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|(_, l)| l).collect();
            self.sink.push(
                Diagnostic::error(
                    "fp1-bad-mask",
                    "NV_fragment_program 3.11.4.4",
                    letters.span,
                    "a write mask names each component once, in the order xyzw",
                )
                .with_fix(format!("write `{ordered}`"), letters.span, ordered),
            );
        }
        WriteMask(mask)
    }

    /// `<dstRegister>`.
    fn target(&mut self) -> Parse<DraftTarget> {
        let token = self.token;
        let word = self.word();
        match classify(word) {
            Word::Temporary(register) => {
                self.advance();
                Ok(DraftTarget::Temp(register))
            }
            Word::ConditionRegister(ty) => {
                self.advance();
                Ok(DraftTarget::ConditionOnly(ty))
            }
            Word::OutputArray => Ok(self.output()?.map_or(DraftTarget::Broken, DraftTarget::Output)),
            Word::AttributeArray => {
                let read = self.attribute();
                self.read_only("fp1-write-attribute", "attribute registers", token.span.to(self.previous));
                read.map(|_| DraftTarget::Broken)
            }
            Word::ParameterArray => {
                let read = self.numbered_parameter();
                self.read_only("fp1-write-parameter", "program parameters", token.span.to(self.previous));
                read.map(|_| DraftTarget::Broken)
            }
            Word::OutputName => {
                let meant = format!("o[{word}]");
                let fault = Diagnostic::error(
                    "fp1-unexpected",
                    GRAMMAR,
                    token.span,
                    format!("expected a destination, found `{word}`"),
                )
                .with_fix(format!("write `{meant}`"), token.span, meant);
                self.fail(fault)
            }
            Word::Name if token.kind == TokenKind::Word => {
                self.advance();
                if self.names.use_name(word).is_some() {
                    self.read_only("fp1-write-parameter", "constants and program parameters", token.span);
                } else {
                    let shown = self.excerpt(token.span);
                    self.sink.push(
                        range_fault(word, token.span)
                            .unwrap_or_else(|| not_a_destination(word, &shown, token.span)),
                    );
                }
                Ok(DraftTarget::Broken)
            }
            _ => Err(self.unexpected("a destination register")),
        }
    }

    fn read_only(&mut self, code: &'static str, what: &str, span: Span) {
        self.sink.push(
            Diagnostic::error(code, REGISTERS, span, format!("{what} cannot be written"))
                .with_note("Destinations are R0 to R31, H0 to H63, RC, HC, o[COLR], o[COLH] and o[DEPR]."),
        );
    }

    /// KIL's test, which takes no parentheses.
    pub(super) fn kill_test(&mut self) -> Parse<CcTest> {
        if self.token.kind == TokenKind::LeftParen {
            let open = self.token.span;
            let fault =
                Diagnostic::error("fp1-unexpected", GRAMMAR, open, "KIL's condition takes no parentheses")
                    .with_note("Write it bare: `KIL LT.x;`");
            return self.fail(fault);
        }
        self.cc_test()
    }

    /// `<ccMask>`.
    fn cc_test(&mut self) -> Parse<CcTest> {
        let token = self.token;
        let Word::Condition(condition) = classify(self.word()) else {
            let names = Condition::ALL.map(Condition::name);
            let mut fault = Diagnostic::error(
                "fp1-bad-condition",
                GRAMMAR,
                token.span,
                format!("expected a condition rule, found {}", self.found()),
            )
            .with_note(format!("The rules are {}.", names.join(", ")));
            if let Some(meant) = nearest(self.word(), names.into_iter()) {
                fault = fault.with_fix(format!("write `{meant}`"), token.span, meant);
            }
            return self.fail(fault);
        };
        self.advance();
        let swizzle = self.suffix(OperandKind::Vector, token.span)?;
        Ok(CcTest { condition, swizzle })
    }

    /// `<texImageId>`.
    pub(super) fn texture_image(&mut self) -> Parse<DraftTexture> {
        let token = self.token;
        let word = self.word();
        let Word::TextureUnit(unit) = classify(word) else {
            let fault = self.bad_unit(word, token);
            return self.fail(fault);
        };
        self.advance();
        self.expect(TokenKind::Comma, "`,` and a texture target")?;
        let target_token = self.token;
        let spelling = target_token.span.slice(self.text);
        let Some(target) = TextureTarget::ALL.into_iter().find(|t| t.name().as_bytes() == spelling) else {
            let mut fault = Diagnostic::error(
                "fp1-bad-texture-target",
                GRAMMAR,
                target_token.span,
                format!("expected a texture target, found {}", self.found()),
            )
            .with_note("The targets are 1D, 2D, 3D, CUBE and RECT.");
            let spelling = self.excerpt(target_token.span);
            if let Some(meant) =
                TextureTarget::ALL.into_iter().find(|t| t.name().eq_ignore_ascii_case(&spelling))
            {
                fault = fault.with_fix(format!("write `{}`", meant.name()), target_token.span, meant.name());
            }
            return self.fail(fault);
        };
        self.advance();
        Ok(DraftTexture {
            unit,
            target,
            span: token.span.to(target_token.span),
            target_span: target_token.span,
        })
    }

    fn bad_unit(&self, word: &str, token: Token) -> Diagnostic {
        let found = self.found();
        let message = match numbered(word, "TEX") {
            Some(_) => format!("there is no texture image unit {found}"),
            None => format!("expected a texture image unit, found {found}"),
        };
        Diagnostic::error("fp1-bad-texture-unit", GRAMMAR, token.span, message)
            .with_note(format!("The units are TEX0 to TEX{}.", IMAGE_UNITS - 1))
    }
}

fn not_a_destination(word: &str, shown: &str, span: Span) -> Diagnostic {
    let fault = Diagnostic::error(
        "fp1-bad-register",
        REGISTERS,
        span,
        format!("`{shown}` is no register that can be written"),
    )
    .with_note("Destinations are R0 to R31, H0 to H63, RC, HC, o[COLR], o[COLH] and o[DEPR].");
    match upper_case_register(word) {
        Some(meant) => fault.with_fix(format!("write `{meant}`"), span, meant),
        None => fault,
    }
}

/// `R32`, `H64` and the like: a register number out of range.
fn range_fault(word: &str, span: Span) -> Option<Diagnostic> {
    let ranges = [("R", Register::WIDE), ("H", Register::NARROW)];
    let (prefix, count) = ranges.into_iter().find(|(prefix, _)| numbered(word, prefix).is_some())?;
    let shown: String = word.chars().take(16).collect();
    Some(
        Diagnostic::error(
            "fp1-bad-register",
            "NV_fragment_program 3.11.1.2",
            span,
            format!("there is no register `{shown}`"),
        )
        .with_note(format!("{prefix} registers are {prefix}0 to {prefix}{}.", count - 1)),
    )
}

fn bad_letters(word: &str, span: Span) -> Diagnostic {
    let shown: String = word.chars().take(16).collect();
    let fault = Diagnostic::error(
        "fp1-bad-component",
        GRAMMAR,
        span,
        format!("`{shown}` names no components: they are x, y, z and w"),
    );
    match from_rgba(word) {
        Some(meant) if meant.len() <= 4 => fault.with_fix(format!("write `{meant}`"), span, meant),
        _ => fault,
    }
}
