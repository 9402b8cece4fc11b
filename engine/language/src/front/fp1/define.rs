//! `DEFINE`, `DECLARE` and constants, and the table of the names that these statements make
//! (NV_fragment_program 3.11.2).

use std::collections::HashMap;

use super::parser::Parser;
use super::words::{Word, classify};
use crate::diag::{Diagnostic, Label, codes};
use crate::front::parser::{Parse, Reported};
use crate::front::{Sink, nearest};
use crate::ir::ParamId;
use crate::ir::constants::Constant;
use crate::source::Span;
use crate::syntax::TokenKind;

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A constant from `DEFINE`.
    Constant(Constant),
    /// A local parameter from `DECLARE`.
    Local(ParamId),
    /// A name whose statement has a fault.
    Broken,
}

#[derive(Debug)]
struct Entry<'t> {
    name: &'t str,
    span: Span,
    meaning: Meaning,
}

/// The names defined or declared so far.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    entries: Vec<Entry<'t>>,
    index: HashMap<&'t str, usize>,
    /// Uses of a name before its definition, each with the index of the finding.
    undefined: Vec<(&'t str, usize)>,
}

impl<'t> Names<'t> {
    /// The meaning of `name`, if it is defined.
    pub(super) fn get(&self, name: &str) -> Option<Meaning> {
        self.index.get(name).map(|&index| self.entries[index].meaning)
    }

    /// Every name, with the place of its definition.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'t str, Span)> {
        self.entries.iter().map(|entry| (entry.name, entry.span))
    }

    /// The name most similar to `name`.
    pub(super) fn nearest(&self, name: &str) -> Option<&'t str> {
        nearest(name, self.entries.iter().take(1000).map(|e| e.name))
    }

    fn place_of(&self, name: &str) -> Option<Span> {
        self.index.get(name).map(|&i| self.entries[i].span)
    }

    fn insert(&mut self, name: &'t str, span: Span, meaning: Meaning) {
        self.index.insert(name, self.entries.len());
        self.entries.push(Entry { name, span, meaning });
    }

    /// Adds the place of a late definition to the finding about each earlier use.
    pub(super) fn mark_late_definitions(&self, sink: &mut Sink) {
        for (name, finding) in &self.undefined {
            if let (Some(place), Some(finding)) = (self.place_of(name), sink.findings_mut().get_mut(*finding))
            {
                let label = Label { span: place, text: "defined here, after it is used".to_owned() };
                finding.labels.push(label);
                finding.fix = None;
            }
        }
    }
}

/// `name` in upper case, if that is a register. Users often type registers in lower case.
pub(super) fn upper_case_register(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    matches!(classify(&upper), Word::Temporary(_) | Word::ConditionRegister(_)).then_some(upper)
}

impl<'t> Parser<'t> {
    /// Reads `DEFINE name = constant`, after the keyword.
    pub(super) fn define(&mut self) -> Parse<()> {
        let (name, span, fresh) = self.new_name("DEFINE")?;
        let value = self.expect(TokenKind::Equals, "`=`").and_then(|_| self.constant());
        let meaning = value.as_ref().map_or(Meaning::Broken, |&constant| match constant {
            Some(constant) => Meaning::Constant(constant),
            None => Meaning::Broken,
        });
        if fresh {
            self.own.names.insert(name, span, meaning);
        }
        value.map(|_| ())
    }

    /// Reads `DECLARE name [= constant]`, after the keyword.
    pub(super) fn declare(&mut self) -> Parse<()> {
        let (name, span, fresh) = self.new_name("DECLARE")?;
        let value = match self.eat(TokenKind::Equals) {
            Some(_) => self.constant(),
            None => Ok(Some(Constant::Vector([0.0; 4]))),
        };
        if fresh {
            let meaning = match &value {
                Ok(Some(constant)) => {
                    let initial = match *constant {
                        Constant::Scalar(scalar) => [scalar; 4],
                        Constant::Vector(values) => values,
                    };
                    self.own.check.declare(name, initial, span, &mut self.sink)
                }
                Ok(None) | Err(_) => Meaning::Broken,
            };
            self.own.names.insert(name, span, meaning);
        }
        value.map(|_| ())
    }

    /// Reads the name that a statement makes. The flag is false if the name is reserved or taken.
    fn new_name(&mut self, statement: &str) -> Parse<(&'t str, Span, bool)> {
        let token = self.token;
        let name = self.word();
        if token.kind != TokenKind::Word {
            if token.kind.is_numeric() {
                let fault = Diagnostic::new(
                    codes::FP1_RESERVED_NAME,
                    token.span,
                    format!("{} cannot be a name: names cannot start with a digit", self.found()),
                );
                return self.fail(fault);
            }
            return Err(self.unexpected(&format!("a name after `{statement}`")));
        }
        self.advance();
        let word = classify(name);
        if !matches!(word, Word::Name) {
            let shown = self.excerpt(token.span);
            self.sink.push(
                Diagnostic::new(
                    codes::FP1_RESERVED_NAME,
                    token.span,
                    format!("`{shown}` cannot be a name: it is {}", word.describe()),
                )
                .with_note("Grammar words, instruction names and register names are reserved."),
            );
            return Ok((name, token.span, false));
        }
        if let Some(first) = self.own.names.place_of(name) {
            let shown = self.excerpt(token.span);
            self.sink.push(
                Diagnostic::new(
                    codes::FP1_REDEFINED_NAME,
                    token.span,
                    format!("`{shown}` is already defined"),
                )
                .with_label(first, "first defined here")
                .with_note(
                    "DEFINE and DECLARE share one set of names, so each name can be defined only once.",
                ),
            );
            return Ok((name, token.span, false));
        }
        Ok((name, token.span, true))
    }

    /// Reads `<vectorConstant>` or `<scalarConstant>`. `None` if a name in it is at fault.
    fn constant(&mut self) -> Parse<Option<Constant>> {
        match self.token.kind {
            TokenKind::LeftBrace => Ok(self.vector_constant()?.map(Constant::Vector)),
            TokenKind::Word => self.constant_name(),
            TokenKind::Minus | TokenKind::Plus | TokenKind::Number | TokenKind::BadNumber => {
                Ok(Some(Constant::Scalar(self.signed_scalar()?)))
            }
            _ => Err(self.unexpected("a constant")),
        }
    }

    /// Reads a name where only constants are legal, and returns its constant.
    fn constant_name(&mut self) -> Parse<Option<Constant>> {
        let span = self.token.span;
        let name = self.word();
        let shown = self.excerpt(span);
        match self.own.names.get(name) {
            Some(Meaning::Constant(constant)) => {
                self.advance();
                Ok(Some(constant))
            }
            Some(Meaning::Broken) => {
                self.advance();
                Ok(None)
            }
            Some(Meaning::Local(_)) => {
                self.advance();
                self.sink.push(
                    Diagnostic::new(codes::FP1_BAD_CONSTANT,
                        span,
                        format!("`{shown}` is a local parameter, not a constant"),
                    )
                    .with_note("Its value can change after the program is loaded. Only names from DEFINE are constants."),
                );
                Ok(None)
            }
            None if matches!(classify(name), Word::Name) => {
                self.advance();
                self.undefined_name(name, span);
                Ok(None)
            }
            None => Err(self.unexpected("a constant")),
        }
    }

    /// Reports an undefined name.
    pub(super) fn undefined_name(&mut self, name: &'t str, span: Span) {
        let shown = self.excerpt(span);
        let mut fault = Diagnostic::new(codes::FP1_UNDEFINED_NAME, span, format!("`{shown}` is not defined"))
            .with_note("Define the name with DEFINE or DECLARE before you use it.");
        let meant = upper_case_register(name).or_else(|| self.own.names.nearest(name).map(str::to_owned));
        if let Some(meant) = meant {
            fault = fault.with_fix(format!("replace with {meant}"), span, meant);
        }
        if !self.sink.is_full() {
            self.own.names.undefined.push((name, self.sink.findings_mut().len()));
        }
        self.sink.push(fault);
    }

    /// Reads `<signedScalarConstant>`: an optional sign and a number.
    fn signed_scalar(&mut self) -> Parse<f32> {
        let minus = self.eat(TokenKind::Minus).is_some();
        if !minus {
            self.eat(TokenKind::Plus);
        }
        if self.token.kind == TokenKind::Word && matches!(classify(self.word()), Word::Name) {
            let shown = self.excerpt(self.token.span);
            let fault = Diagnostic::new(codes::FP1_BAD_CONSTANT.citing(super::parser::GRAMMAR),
                self.token.span,
                format!("`{shown}` cannot take a sign here"),
            )
            .with_note("In DEFINE, DECLARE and `{...}`, only numbers take a sign. Negate a name where an instruction uses it.");
            return self.fail(fault);
        }
        let value = self.number("a number")?;
        Ok(if minus { -value } else { value })
    }

    /// Reads `<floatConstant>`. The value is correctly rounded, and overflow gives infinity. Denorms stay, as
    /// in parameters. Instructions flush denormal operands (ruling 6), unless they read raw bits.
    pub(super) fn number(&mut self, wanted: &str) -> Parse<f32> {
        match self.token.kind {
            TokenKind::Number => {
                let span = self.advance().span;
                let value = std::str::from_utf8(span.slice(self.text)).ok().and_then(|s| s.parse().ok());
                value.ok_or_else(|| {
                    self.bad_number(span);
                    Reported
                })
            }
            TokenKind::BadNumber | TokenKind::Dimension => {
                let span = self.token.span;
                self.bad_number(span);
                Err(Reported)
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    fn bad_number(&mut self, span: Span) {
        let shown = self.excerpt(span);
        let mut fault = Diagnostic::new(codes::FP1_BAD_NUMBER,
            span,
            format!("`{shown}` is not a number"),
        )
        .with_note(
            "A number is digits with an optional decimal point and an optional exponent, as in 1, 0.5 and 2e-3.",
        );
        if let Some(plain) = shown.strip_suffix(['f', 'F']).filter(|s| s.parse::<f32>().is_ok()) {
            fault = fault.with_fix("remove the f", span, plain);
        }
        self.sink.push(fault);
    }

    /// Reads `{a, ...}` with one to four scalars. Missing y and z are 0, and a missing w is 1.
    pub(super) fn vector_constant(&mut self) -> Parse<Option<[f32; 4]>> {
        let open = self.expect(TokenKind::LeftBrace, "`{`")?;
        let mut values = [0.0, 0.0, 0.0, 1.0];
        let mut whole = true;
        let mut comma = open;
        for place in &mut values {
            match self.component()? {
                Some(value) => *place = value,
                None => whole = false,
            }
            if self.eat(TokenKind::RightBrace).is_some() {
                return Ok(whole.then_some(values));
            }
            if self.token.kind != TokenKind::Comma {
                return Err(self.unexpected("`,` or `}`"));
            }
            comma = self.token.span;
            self.advance();
        }
        let fault = Diagnostic::new(
            codes::FP1_BAD_CONSTANT.citing(super::parser::GRAMMAR),
            comma,
            "a vector constant has at most four components",
        )
        .with_label(open, "the vector starts here");
        self.fail(fault)
    }

    /// Reads `<scalarConstant>` within braces.
    fn component(&mut self) -> Parse<Option<f32>> {
        if self.token.kind != TokenKind::Word {
            return self.signed_scalar().map(Some);
        }
        let span = self.token.span;
        match self.constant_name()? {
            Some(Constant::Scalar(value)) => Ok(Some(value)),
            Some(Constant::Vector(_)) => {
                let shown = self.excerpt(span);
                self.sink.push(Diagnostic::new(
                    codes::FP1_BAD_CONSTANT.citing(super::parser::GRAMMAR),
                    span,
                    format!("`{shown}` is a vector, but the components of a vector constant must be scalars"),
                ));
                Ok(None)
            }
            None => Ok(None),
        }
    }
}
