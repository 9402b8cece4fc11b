//! Declarations: `TEMP`, `ADDRESS`, `PARAM`, `ATTRIB`, `OUTPUT`, `ALIAS`.

use super::bindings::Place;
use super::names::Variable;
use super::parser::{Arb, Parser};
use super::words::{self, Keyword, Size};
use crate::diag::Diagnostic;
use crate::front::Sink;
use crate::front::parser::Parse;
use crate::front::words::Role;
use crate::source::Span;
use crate::syntax::TokenKind;

/// A name that a statement declares.
struct NewName<'t> {
    name: &'t str,
    span: Span,
    /// Whether it may be declared; if not, that has been reported.
    fresh: bool,
}

impl Arb<'_> {
    /// Whether `word` may be the name of something.
    pub(super) fn is_free(&self, word: &str) -> bool {
        !words::is_reserved(self.language, word)
    }

    /// The clause with the grammar.
    pub(super) fn dialect_clause(&self) -> &'static str {
        super::parser::dialect(self.language).grammar
    }

    fn variables(&self) -> &'static str {
        self.clause("ARB_fragment_program 3.11.3", "ARB_vertex_program 2.14.3")
    }
}

impl<'t> Parser<'t> {
    /// A statement behind its keyword, which stands at `at`, `;` included.
    pub(super) fn keyword_statement(&mut self, keyword: Keyword, at: Span) -> Parse<()> {
        if keyword == Keyword::Option {
            return self.option(at);
        }
        self.body_begun = true;
        match keyword {
            Keyword::Option => Ok(()),
            Keyword::Temp => {
                self.name_list("TEMP", |own, name, span, sink| own.new_temporary(name, None, span, sink))
            }
            Keyword::Address => self.name_list("ADDRESS", Arb::new_address),
            Keyword::Param => self.param(),
            Keyword::Attrib => self.attrib(),
            Keyword::Output => self.output(None),
            Keyword::Alias => self.alias(),
            Keyword::Size(size) => self.sized(size, at),
        }?;
        self.semicolon()
    }

    /// What follows `SHORT` or `LONG`, which stands at `at`.
    fn sized(&mut self, size: Size, at: Span) -> Parse<()> {
        let word = self.word();
        if !self.own.language.profile().half_variables {
            if !matches!(word, "TEMP" | "OUTPUT") {
                let shown = self.excerpt(at);
                let fault = Diagnostic::error(
                    "arb-unknown-instruction",
                    self.own.dialect_clause(),
                    at,
                    format!("`{shown}` is not an instruction of `{}`", self.own.language.name()),
                );
                return self.fail(fault);
            }
            let fault = self.own.later("a variable's size", "NV_fragment_program", at);
            self.sink.push(fault);
        }
        match word {
            "TEMP" => {
                self.advance();
                self.name_list("TEMP", |own, name, span, sink| {
                    own.new_temporary(name, Some(size), span, sink)
                })
            }
            "OUTPUT" => {
                self.advance();
                self.output(Some(size))
            }
            _ => Err(self.unexpected("`TEMP` or `OUTPUT` behind a size")),
        }
    }

    /// The name that a statement declares.
    fn new_name(&mut self, statement: &str) -> Parse<NewName<'t>> {
        let token = self.token;
        let name = self.word();
        if token.kind != TokenKind::Word {
            return Err(self.unexpected(&format!("a name behind `{statement}`")));
        }
        self.advance();
        let span = token.span;
        if !self.own.is_free(name) {
            let shown = self.excerpt(span);
            let what = words::role(self.own.language, name).describe();
            self.sink.push(Diagnostic::error(
                "arb-reserved-name",
                self.own.dialect_clause(),
                span,
                format!("`{shown}` cannot be a name: it is {what}"),
            ));
            return Ok(NewName { name, span, fresh: false });
        }
        if let Some(first) = self.own.names.place_of(name) {
            let shown = self.excerpt(span);
            let mut fault = Diagnostic::error(
                "arb-redefined-name",
                self.own.variables(),
                span,
                format!("`{shown}` is already the name of something"),
            );
            fault = match first {
                Some(first) => fault.with_label(first, "first declared here"),
                None => fault.with_note("OPTION NV_fragment_program2 brings the address register A0."),
            };
            self.sink.push(fault);
            return Ok(NewName { name, span, fresh: false });
        }
        Ok(NewName { name, span, fresh: true })
    }

    /// Names with commas between them, each made a variable by `make`.
    fn name_list(
        &mut self,
        statement: &str,
        make: impl Fn(&mut Arb<'t>, &'t str, Span, &mut Sink) -> Variable,
    ) -> Parse<()> {
        loop {
            let new = self.new_name(statement)?;
            if new.fresh {
                let variable = make(&mut self.own, new.name, new.span, &mut self.sink);
                self.own.names.insert(new.name, Some(new.span), variable);
            }
            if self.eat(TokenKind::Comma).is_some() {
                continue;
            }
            if self.token.kind != TokenKind::Word || self.begins_statement() {
                return Ok(());
            }
            self.comma_in_list("`,` or `;`")?;
        }
    }

    /// `PARAM`, behind the keyword.
    fn param(&mut self) -> Parse<()> {
        let new = self.new_name("PARAM")?;
        if self.token.kind == TokenKind::LeftBracket {
            let read = self.array();
            if new.fresh {
                match &read {
                    Ok(Some((runs, count))) => {
                        self.own.names.insert_array(new.name, new.span, runs.clone(), *count);
                    }
                    _ => self.own.names.insert(new.name, Some(new.span), Variable::Broken),
                }
            }
            return read.map(|_| ());
        }
        let read = self
            .expect(TokenKind::Equals, "`=` or `[`")
            .and_then(|_| self.parameter_value(Place::Declaration));
        if new.fresh {
            match &read {
                Ok(Some(bound)) => self.own.names.insert_single(new.name, new.span, bound.first),
                _ => self.own.names.insert(new.name, Some(new.span), Variable::Broken),
            }
        }
        read.map(|_| ())
    }

    /// `[ size ] = { ... }`.
    fn array(&mut self) -> Parse<Option<(Vec<super::names::Run>, u16)>> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let mut size = None;
        let mut legal = true;
        if self.token.kind != TokenKind::RightBracket {
            let token = self.token;
            if !token.kind.is_numeric() {
                return Err(self.unexpected("a size or `]`"));
            }
            self.advance();
            let most = self.own.counts.most_parameters();
            let value = self.whole_number(token).and_then(|n| u16::try_from(n).ok());
            let value = value.filter(|&n| (1..=most).contains(&usize::from(n)));
            size = value.map(|value| (value, token.span));
            if value.is_none() {
                legal = false;
                let shown = self.excerpt(token.span);
                let clause = self.own.dialect_clause();
                self.sink.push(
                    Diagnostic::error(
                        "arb-array-size",
                        clause,
                        token.span,
                        format!("`{shown}` is no size that an array can have"),
                    )
                    .with_note(format!("Sizes are whole numbers from 1 to {most}."))
                    .with_fix("leave the size out", token.span, ""),
                );
            }
        }
        self.close_bracket()?;
        self.expect(TokenKind::Equals, "`=`")?;
        let list = self.element_list(size)?;
        Ok(list.filter(|_| legal))
    }

    /// `ATTRIB`, behind the keyword.
    fn attrib(&mut self) -> Parse<()> {
        let new = self.new_name("ATTRIB")?;
        let prefix = if self.own.is_vertex() { "vertex" } else { "fragment" };
        let read = self.expect(TokenKind::Equals, "`=`").and_then(|_| {
            if self.word() != prefix {
                return Err(self.unexpected(&format!("`{prefix}`")));
            }
            self.attribute_binding(Place::Declaration)
        });
        if new.fresh {
            let variable = match &read {
                Ok(Some(binding)) => Variable::Attribute(*binding),
                _ => Variable::Broken,
            };
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read.map(|_| ())
    }

    /// `OUTPUT`, behind the keyword and the size.
    fn output(&mut self, size: Option<Size>) -> Parse<()> {
        let new = self.new_name("OUTPUT")?;
        let read = self.expect(TokenKind::Equals, "`=`").and_then(|_| {
            if self.word() != "result" {
                return Err(self.unexpected("`result`"));
            }
            self.result_binding(Place::Declaration)
        });
        if new.fresh {
            let variable = match &read {
                Ok(Some(binding)) => Variable::Result(*binding, size),
                _ => Variable::Broken,
            };
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read.map(|_| ())
    }

    /// `ALIAS`, behind the keyword.
    fn alias(&mut self) -> Parse<()> {
        let new = self.new_name("ALIAS")?;
        let read = self.expect(TokenKind::Equals, "`=`").and_then(|_| {
            let word = self.word();
            if self.token.kind != TokenKind::Word || !self.own.is_free(word) {
                return Err(self.unexpected("the name of a variable"));
            }
            let span = self.advance().span;
            let variable = self.own.names.get(word);
            if variable.is_none() {
                self.undefined(word, span);
            }
            Ok(variable.unwrap_or(Variable::Broken))
        });
        if new.fresh {
            let variable = read.as_ref().map_or(Variable::Broken, |variable| *variable);
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read.map(|_| ())
    }

    /// Says that nothing has declared `name`, which stands at `span`; once a name.
    pub(super) fn undefined(&mut self, name: &'t str, span: Span) {
        if !self.own.names.note_undefined(name, span) {
            return;
        }
        let shown = self.excerpt(span);
        let mut fault = Diagnostic::error(
            "arb-undefined-name",
            self.own.variables(),
            span,
            format!("nothing has declared `{shown}`"),
        );
        let tests = self.own.option_for(|profile| profile.condition_codes > 0);
        if let Some(meant) = self.own.names.nearest(name) {
            fault = fault.with_fix(format!("write `{meant}`"), span, meant);
        } else if let Some(option) = tests
            && matches!(words::role(self.own.language, name), Role::Condition(..))
        {
            fault = fault.with_note(format!("Condition codes come with `OPTION {option};`."));
        } else if name == "A0" && !self.own.is_vertex() {
            fault = fault.with_note("A0 comes with `OPTION NV_fragment_program2;`, in LOOP blocks.");
        } else if name == "CC" && tests.is_none() {
            fault = fault.with_note("There is no register to throw results away in: use a temporary.");
        }
        self.sink.push(fault);
    }
}
