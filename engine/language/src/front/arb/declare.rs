//! Declarations: `TEMP`, `ADDRESS`, `PARAM`, `ATTRIB`, `OUTPUT`, `ALIAS`, and their modifiers. `bindings` and
//! `parameters` read the bindings.

use super::arrays::{is_in_array, is_last};
use super::bindings::{AttributeBinding, BindingContext, Naming, ResultBinding};
use super::elsewhere::is_interpolation;
use super::interpolation::{Modifiers, is_of_fragment, takes_modifiers};
use super::names::{Declared, Elements, Variable};
use super::parser::{Arb, Parser};
use super::units::UnitKind;
use super::words::{self, Data, Interpolated, Keyword, Size, VarModifier, begins_attribute};
use crate::diag::{Diagnostic, codes};
use crate::front::dialect::Grammar;
use crate::front::parser::Parse;
use crate::front::word_roles::Role;
use crate::ir::Attribute;
use crate::source::Span;
use crate::syntax::TokenKind;

/// A name that a statement declares.
pub(super) struct NewName<'t> {
    pub name: &'t str,
    pub span: Span,
    /// Whether the name can be declared. If not, an error has been reported.
    pub fresh: bool,
}

impl Arb<'_> {
    /// Whether `word` can be a name.
    pub(super) fn is_free(&self, word: &str) -> bool {
        !words::is_reserved(self.language, word)
    }

    /// The clause about sizes of variables.
    fn sizes_clause(&self) -> &'static str {
        if self.language.profile().long_variables {
            "NV_gpu_program5 2.X.3.1"
        } else {
            "NV_gpu_program4 2.X.3.1"
        }
    }
}

impl<'t> Parser<'t> {
    /// Reads a statement after its keyword, which is at `at`, with the `;`.
    pub(super) fn keyword_statement(&mut self, keyword: Keyword, at: Span) -> Parse<()> {
        if keyword == Keyword::Option {
            return self.option(at);
        }
        if let Keyword::Primitive(statement) = keyword {
            return self.primitive_declaration(statement, at);
        }
        self.begin_statement(at);
        match keyword {
            Keyword::Option | Keyword::Primitive(_) => Ok(()),
            Keyword::Address => self.name_list("ADDRESS", |parser, new| {
                let own = &mut parser.own;
                Ok(if new.fresh {
                    own.new_address(new.name, new.span, &mut parser.sink)
                } else {
                    Variable::Broken
                })
            }),
            Keyword::Alias => self.alias(at),
            Keyword::Units(kind) => self.unit_statement(kind),
            Keyword::Buffer(unit) => self.buffer(unit, Declared::default(), at),
            Keyword::SubroutineType => self.subroutine_type(),
            Keyword::Subroutine => self.subroutine_variable(),
            Keyword::Modifier(modifier) => self.modified(modifier, at),
            Keyword::Temp => self.temp(Declared::default()),
            Keyword::Param => self.param(Declared::default()),
            Keyword::Attrib => self.attrib(Declared::default()),
            Keyword::Output => self.output(Declared::default()),
        }?;
        self.semicolon()
    }

    /// Reads the rest of a declaration after its first modifier, which is at `at`.
    fn modified(&mut self, first: VarModifier, at: Span) -> Parse<()> {
        if self.own.is_typed() {
            return self.typed_declaration(first, at);
        }
        let VarModifier::Size(size) = first else { return Err(self.unexpected("a declaration")) };
        let declared = Declared { size: Some(size), ..Declared::default() };
        let word = self.word();
        if !self.own.language.profile().half_variables {
            if !matches!(word, "TEMP" | "OUTPUT") {
                let shown = self.excerpt(at);
                let fault = Diagnostic::new(
                    codes::ARB.unknown_instruction.of(self.own.language),
                    at,
                    format!("`{shown}` is not an instruction of `{}`", self.own.language.name()),
                );
                return self.fail(fault);
            }
            let fault = self.own.later("a variable size", "NV_fragment_program", at);
            self.sink.push(fault);
        }
        match word {
            "TEMP" => {
                self.advance();
                self.temp(declared)
            }
            "OUTPUT" => {
                self.advance();
                self.output(declared)
            }
            _ => Err(self.unexpected("`TEMP` or `OUTPUT` after a size")),
        }
    }

    /// Reads the other modifiers of `<varMods>` after `first`, which is at `at`, and the declaration
    /// (NV_gpu_program4 2.X.3.1).
    fn typed_declaration(&mut self, first: VarModifier, at: Span) -> Parse<()> {
        let mut declared = Declared::default();
        let mut interpolated = None;
        let mut sized = at;
        let mut integer = None;
        let (mut next, mut span) = (first, at);
        loop {
            self.add_modifier(&mut declared, next, span);
            match next {
                VarModifier::Interpolated(_) => interpolated = interpolated.or(Some(span)),
                VarModifier::Size(_) => sized = span,
                VarModifier::Data(data) => integer = Some(span).filter(|_| data != Data::Float),
            }
            let Role::Keyword(Keyword::Modifier(modifier)) = words::role(self.own.language, self.word())
            else {
                break;
            };
            (next, span) = (modifier, self.advance().span);
        }
        let statement = self.word();
        let buffer = match words::role(self.own.language, statement) {
            Role::Keyword(Keyword::Buffer(unit)) => Some(unit),
            _ => None,
        };
        if buffer.is_none() && !matches!(statement, "TEMP" | "PARAM" | "ATTRIB" | "OUTPUT") {
            let wanted = "`TEMP`, `PARAM`, `ATTRIB`, `OUTPUT` or `BUFFER` after a modifier";
            if self.own.is_fragment() || !is_interpolation(statement) {
                return Err(self.unexpected(wanted));
            }
            let message = format!("expected {wanted}, found {}", self.found());
            let fault = Diagnostic::new(codes::GPU.unexpected, self.token.span, message);
            return self
                .fail(fault.with_note(format!("{statement} is available only in fragment programs.")));
        }
        let keyword = self.advance().span;
        if let Some(span) = interpolated.filter(|_| statement != "ATTRIB") {
            self.sink.push(
                Diagnostic::new(
                    codes::GPU_INTERPOLATION_VARIABLE,
                    span,
                    format!("`{}` is for attributes, not for {statement}", self.excerpt(span)),
                )
                .at_position(keyword.start),
            );
            declared.interpolation = Modifiers::default();
        }
        let long_attributes = self.own.is_vertex() && self.own.language.profile().long_variables;
        let fits = match declared.size {
            Some(Size::Long) => statement == "TEMP" || statement == "ATTRIB" && long_attributes,
            Some(Size::Short) => matches!(statement, "TEMP" | "OUTPUT"),
            None => true,
        };
        if !fits {
            let shown = self.excerpt(sized);
            self.sink.push(
                Diagnostic::new(
                    codes::GPU_BAD_SIZE.citing(self.own.sizes_clause()),
                    sized,
                    format!("{statement} cannot be `{shown}`"),
                )
                .with_note("SHORT is for TEMP and OUTPUT. LONG is for TEMP and, in `!!NVvp5.0`, for ATTRIB.")
                .at_position(keyword.start),
            );
        }
        let flat = declared.interpolation.has(Interpolated::Flat);
        self.own.needs_flat = integer.filter(|_| statement == "ATTRIB" && self.own.is_fragment() && !flat);
        match statement {
            "TEMP" => self.temp(declared),
            "PARAM" => self.param(declared),
            "ATTRIB" => self.attrib(declared),
            _ => match buffer {
                Some(unit) => self.buffer(unit, declared, keyword),
                None => self.output(declared),
            },
        }
    }

    /// Adds a modifier to the earlier ones.
    fn add_modifier(&mut self, declared: &mut Declared, modifier: VarModifier, span: Span) {
        let shown = self.excerpt(span);
        let fault = |code, message: &str| Diagnostic::new(code, span, message);
        match modifier {
            VarModifier::Size(size) => {
                if declared.size.is_some() {
                    self.sink.push(fault(codes::GPU_TWO_SIZES, "a variable has at most one size"));
                }
                declared.size.get_or_insert(size);
            }
            VarModifier::Data(data) => {
                if declared.data.is_some() {
                    self.sink.push(fault(codes::GPU_TWO_TYPES, "a variable has at most one data type"));
                }
                declared.data.get_or_insert(data);
            }
            VarModifier::Interpolated(how) => {
                if declared.interpolation.has(how) {
                    let message = format!("`{shown}` is given twice");
                    self.sink.push(fault(codes::GPU_INTERPOLATION_TWICE, &message));
                    return;
                }
                declared.interpolation = declared.interpolation.with(how);
                if declared.interpolation.conflict() {
                    let message = "FLAT cannot be combined with another interpolation modifier";
                    self.sink.push(fault(codes::GPU_FLAT_CONFLICT, message));
                }
            }
        }
    }

    /// Reads the name that a statement declares.
    pub(super) fn new_name(&mut self, statement: &str) -> Parse<NewName<'t>> {
        let token = self.token;
        let name = self.word();
        if token.kind != TokenKind::Word {
            if token.kind.is_numeric() {
                let fault = Diagnostic::new(
                    self.own.dialect().codes.unexpected,
                    token.span,
                    format!("{} cannot be a name: names cannot start with a digit", self.found()),
                );
                return self.fail(fault);
            }
            return Err(self.unexpected(&format!("a name after `{statement}`")));
        }
        self.advance();
        let span = token.span;
        if !self.own.is_free(name) {
            let shown = self.excerpt(span);
            let what = words::role(self.own.language, name).describe();
            let mut fault = Diagnostic::new(
                codes::ARB_RESERVED_NAME.of(self.own.language),
                span,
                format!("`{shown}` cannot be a name: it is {what}"),
            );
            if let Some(listed) = self.own.reserved_words() {
                fault = fault.with_note(listed);
            }
            self.sink.push(fault);
            return Ok(NewName { name, span, fresh: false });
        }
        if let Some(first) = self.own.names.place_of(name) {
            let shown = self.excerpt(span);
            let mut fault = Diagnostic::new(
                codes::ARB_REDEFINED_NAME.of(self.own.language),
                span,
                format!("`{shown}` is already declared"),
            );
            fault = match first {
                Some(first) => fault.with_label(first, "first declared here"),
                None => fault.with_note("OPTION NV_fragment_program2 adds the address register A0."),
            };
            self.sink.push(fault);
            return Ok(NewName { name, span, fresh: false });
        }
        Ok(NewName { name, span, fresh: true })
    }

    /// Reads a `TEMP` statement after its keyword.
    fn temp(&mut self, declared: Declared) -> Parse<()> {
        self.name_list("TEMP", |parser, new| {
            if !parser.own.is_typed() || parser.token.kind != TokenKind::LeftBracket {
                let own = &mut parser.own;
                return Ok(if new.fresh {
                    own.new_temporary(new.name, declared, new.span, &mut parser.sink)
                } else {
                    Variable::Broken
                });
            }
            let size = parser.array_size()?;
            let Some(size) = size.filter(|_| new.fresh) else { return Ok(Variable::Broken) };
            Ok(parser.own.new_temporaries(new.name, size, declared, new.span, &mut parser.sink))
        })
    }

    /// Reads a list of names separated by commas and makes each a variable with `make`. `make` must not count
    /// a name that is not fresh.
    fn name_list(
        &mut self,
        statement: &str,
        make: impl Fn(&mut Self, &NewName<'t>) -> Parse<Variable>,
    ) -> Parse<()> {
        loop {
            let new = self.new_name(statement)?;
            let variable = make(self, &new)?;
            if new.fresh {
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

    /// Reads a `PARAM` statement after its keyword.
    fn param(&mut self, declared: Declared) -> Parse<()> {
        let new = self.new_name("PARAM")?;
        if self.token.kind == TokenKind::LeftBracket {
            let read = self.array(declared);
            if new.fresh {
                match &read {
                    Ok(Some(list)) => {
                        self.own.names.insert_array(new.name, new.span, list.clone(), declared);
                    }
                    _ => self.own.names.insert(new.name, Some(new.span), Variable::Broken),
                }
            }
            return read.map(|_| ());
        }
        let read = self
            .expect(TokenKind::Equals, "`=` or `[`")
            .and_then(|_| self.parameter_value(BindingContext::Declaration, declared.data));
        if new.fresh {
            match &read {
                Ok(Some(bound)) => self.own.names.insert_single(new.name, new.span, bound.first, declared),
                _ => self.own.names.insert(new.name, Some(new.span), Variable::Broken),
            }
        }
        read.map(|_| ())
    }

    /// Reads `[ size ] = { ... }`.
    fn array(&mut self, declared: Declared) -> Parse<Option<(Vec<super::names::ElementRun>, u16)>> {
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
                self.sink.push(
                    Diagnostic::new(
                        codes::ARB_ARRAY_SIZE.citing(self.own.dialect().codes.grammar()),
                        token.span,
                        format!("`{shown}` is not a valid array size"),
                    )
                    .with_note(format!("An array size is a whole number from 1 to {most}."))
                    .with_fix("remove the size", token.span, ""),
                );
            }
        }
        self.close_bracket()?;
        self.expect(TokenKind::Equals, "`=`")?;
        let list = self.element_list(size, declared.data)?;
        Ok(list.filter(|_| legal))
    }

    /// Reads an `ATTRIB` statement after its keyword.
    fn attrib(&mut self, declared: Declared) -> Parse<()> {
        let new = self.new_name("ATTRIB")?;
        let read = self.attrib_binding(new.span, declared);
        if new.fresh {
            let variable = read.as_ref().map_or(Variable::Broken, |variable| *variable);
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read.map(|_| ())
    }

    fn attrib_binding(&mut self, name: Span, declared: Declared) -> Parse<Variable> {
        const ARRAYS: &str = "NV_gpu_program4 2.X.3.2";
        let at = self.token.span.start;
        let sized = self.declared_size()?;
        self.expect(TokenKind::Equals, "`=`")?;
        let sized = self.bracketed(name, sized);
        let first = self.following().filter(|_| sized.is_some());
        let begin = first.map_or(self.token.span, |token| token.span);
        let found = if let Some(size) = sized {
            self.list(
                (size, ARRAYS),
                |parser| {
                    let begin = parser.token.span;
                    let binding = parser.attribute_item(BindingContext::Element)?;
                    if let Some((AttributeBinding::One(attribute), naming)) = binding
                        && !is_in_array(attribute, naming)
                    {
                        parser.stands_alone(begin, ARRAYS);
                        return Ok(None);
                    }
                    Ok(match binding {
                        Some((AttributeBinding::One(attribute), naming)) => Some(((attribute, naming), 1)),
                        Some((AttributeBinding::Range { first, count }, naming)) => {
                            Some(((first, naming), count.into()))
                        }
                        Some((AttributeBinding::Indexed { .. } | AttributeBinding::OfVertices { .. }, _))
                        | None => None,
                    })
                },
                |(attribute, naming), steps| Some((attribute.after(u8::try_from(steps).ok()?)?, naming)),
            )?
        } else {
            let binding = self.attribute_item(BindingContext::Declaration)?;
            let Some((binding, naming)) = binding else { return Ok(Variable::Broken) };
            match binding {
                AttributeBinding::Range { first, count } => Some(((first, naming), count.into())),
                one => {
                    let AttributeBinding::One(attribute) = one else {
                        return Ok(Variable::Attribute(one, declared));
                    };
                    if naming == Naming::OfVertices {
                        let one = Elements { first: attribute, count: 1, declared, at };
                        return Ok(Variable::OfVertices(one, false));
                    }
                    self.declare_attributes(attribute, 1, declared, begin);
                    let one = AttributeBinding::One(sized_as(declared, attribute));
                    return Ok(Variable::Attribute(one, declared));
                }
            }
        };
        let Some(((first, naming), count)) = found else { return Ok(Variable::Broken) };
        // The list contains only elements that exist, so the count is small.
        let count = u8::try_from(count).unwrap_or(u8::MAX);
        if naming == Naming::OfVertices {
            let array = Elements { first, count: count.into(), declared, at };
            return Ok(Variable::OfVertices(array, true));
        }
        self.declare_attributes(first, count, declared, begin);
        let first = sized_as(declared, first);
        Ok(Variable::Attributes(Elements { first, count: count.into(), declared, at }))
    }

    /// Notes the interpolation of the `count` attributes from `first` on.
    fn declare_attributes(&mut self, first: Attribute, count: u8, declared: Declared, begin: Span) {
        let span = begin.to(self.previous);
        if let Some(integer) = self.own.needs_flat.take().filter(|_| !is_of_fragment(first)) {
            let shown = self.excerpt(integer);
            let mut fault = Diagnostic::new(
                codes::GPU_NEEDS_FLAT,
                integer,
                format!("{shown} attributes of fragment programs must be FLAT"),
            )
            .with_note("Integers are not interpolated.")
            .at_position(begin.start);
            // An attribute that cannot be FLAT cannot be an integer either, so FLAT would not help.
            if takes_modifiers(first) {
                fault = fault.with_fix("insert FLAT", Span::at(integer.start), "FLAT ");
            }
            self.sink.push(fault);
        }
        for attribute in (0..count).filter_map(|steps| first.after(steps)) {
            self.own.declare_interpolation(attribute, declared.interpolation, span, &mut self.sink);
        }
    }

    /// Reads an attribute binding or a range of attributes. The next token is its first word.
    fn attribute_item(&mut self, place: BindingContext) -> Parse<Option<(AttributeBinding, Naming)>> {
        if !begins_attribute(self.own.language, self.word()) {
            let prefix = if self.own.is_fragment() { "fragment" } else { "vertex" };
            return Err(self.unexpected(&format!("`{prefix}`")));
        }
        self.named_attribute(place)
    }

    /// Reads an `OUTPUT` statement after its modifiers and keyword.
    fn output(&mut self, declared: Declared) -> Parse<()> {
        let new = self.new_name("OUTPUT")?;
        let read = self.output_binding(new.span, declared);
        if new.fresh {
            let variable = read.as_ref().map_or(Variable::Broken, |variable| *variable);
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read.map(|_| ())
    }

    fn output_binding(&mut self, name: Span, declared: Declared) -> Parse<Variable> {
        const ARRAYS: &str = "NV_gpu_program4 2.X.3.5";
        let begin = self.token.span;
        let sized = self.declared_size()?;
        self.expect(TokenKind::Equals, "`=`")?;
        let listed = self.own.is_typed() && self.token.kind == TokenKind::LeftBrace;
        if (listed || sized.is_some()) && self.own.is_fragment() {
            let fault = Diagnostic::new(
                codes::GPU_RESULT_ARRAY,
                if sized.is_some() { begin } else { self.token.span },
                "the results of a fragment program cannot be arrays",
            );
            return self.fail(fault);
        }
        let sized = self.bracketed(name, sized);
        let one = |parser: &mut Self, place| {
            if parser.word() != "result" {
                return Err(parser.unexpected("`result`"));
            }
            parser.result_binding(place)
        };
        let found = if let Some(size) = sized {
            self.list(
                (size, ARRAYS),
                |parser| {
                    let begin = parser.token.span;
                    Ok(match one(parser, BindingContext::Element)? {
                        Some(ResultBinding::One(role)) if role.after(1).is_none() && !is_last(role) => {
                            parser.stands_alone(begin, ARRAYS);
                            None
                        }
                        Some(ResultBinding::One(role)) => Some((role, 1)),
                        Some(ResultBinding::Range { first, count }) => Some((first, count.into())),
                        Some(ResultBinding::TexCoord(_)) | None => None,
                    })
                },
                |role, steps| role.after(u8::try_from(steps).ok()?),
            )?
        } else {
            match one(self, BindingContext::Declaration)? {
                None => return Ok(Variable::Broken),
                Some(ResultBinding::Range { first, count }) => Some((first, count.into())),
                Some(binding) => return Ok(Variable::Result(binding, declared)),
            }
        };
        let Some((first, count)) = found else { return Ok(Variable::Broken) };
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        Ok(Variable::Results(Elements { first, count, declared, at: begin.start }))
    }

    /// The keyword of a declaration for the binding that starts at the next token.
    fn binding_keyword(&self) -> Option<&'static str> {
        let language = self.own.language;
        let keyword = match self.word() {
            "result" => "OUTPUT",
            "program" if self.lookahead().nth(1).is_some_and(|token| self.word_at(token) == "buffer") => {
                "BUFFER"
            }
            "program" | "state" => "PARAM",
            word if begins_attribute(language, word) => "ATTRIB",
            word => UnitKind::from_name(word)?.keyword(),
        };
        let is_declared = language.profile().keywords.contains(&keyword);
        (is_declared && !self.own.is_free(self.word())).then_some(keyword)
    }

    /// Reads an `ALIAS` statement after its keyword, which is at `keyword`.
    fn alias(&mut self, keyword: Span) -> Parse<()> {
        let new = self.new_name("ALIAS")?;
        let read = self.expect(TokenKind::Equals, "`=`").and_then(|_| {
            let word = self.word();
            if let Some(meant) = self.binding_keyword() {
                let code = self.own.dialect().codes.unexpected;
                let message = format!("ALIAS needs a variable, but `{word}` starts a binding");
                let fault = Diagnostic::new(code, self.token.span, message)
                    .with_note(format!("Use {meant} to declare a variable for a binding."))
                    .with_fix(format!("replace with {meant}"), keyword, meant);
                return self.fail(fault);
            }
            if self.token.kind != TokenKind::Word || !self.own.is_free(word) {
                return Err(self.unexpected("a variable name"));
            }
            let span = self.advance().span;
            Ok(match self.own.names.get(word) {
                Some(Variable::SubroutineType(_)) => {
                    let shown = self.excerpt(span);
                    let message = format!("ALIAS needs a variable, but `{shown}` is a subroutine type");
                    self.sink.push(Diagnostic::new(codes::GPU_NOT_VARIABLE, span, message));
                    Variable::Broken
                }
                Some(variable) => variable,
                None => {
                    self.undefined(word, span);
                    Variable::Broken
                }
            })
        });
        if new.fresh {
            let variable = read.as_ref().map_or(Variable::Broken, |variable| *variable);
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read.map(|_| ())
    }

    /// Reports that `name`, which is at `span`, is not declared. Each name is reported once.
    pub(super) fn undefined(&mut self, name: &'t str, span: Span) {
        if !self.own.names.note_undefined(name, span) {
            return;
        }
        let shown = self.excerpt(span);
        let mut fault = Diagnostic::new(
            codes::ARB_UNDEFINED_NAME.of(self.own.language),
            span,
            format!("`{shown}` is not declared"),
        );
        let tests = self.own.option_for(|profile| profile.condition_codes > 0);
        if let Some(meant) = self.own.names.nearest(name) {
            fault = fault.with_fix(format!("replace with {meant}"), span, meant);
        } else if let Some(option) = tests
            && matches!(words::role(self.own.language, name), Role::Condition(..))
        {
            fault = fault.with_note(format!("Condition codes need `OPTION {option};`."));
        } else if name == "A0" && self.own.is_fragment() {
            fault =
                fault.with_note("A0 needs `OPTION NV_fragment_program2;` and exists only in LOOP blocks.");
        } else if name == "CC" && tests.is_none() {
            fault = fault.with_note("This language has no register for discarding results. Use a temporary.");
        }
        self.sink.push(fault);
    }
}

/// The attribute as a variable with these modifiers reads it.
fn sized_as(declared: Declared, attribute: Attribute) -> Attribute {
    match declared.size {
        Some(Size::Long) => attribute.long(),
        Some(Size::Short) | None => attribute,
    }
}
