//! Subroutine variables and CALI: the statements SUBROUTINETYPE and SUBROUTINE, `SUBROUTINENUM(n)` after a
//! label, and the rules that need the whole program (ARB_shader_subroutine, "Dependencies on
//! NV_gpu_program5", which modifies NV_gpu_program4 2.X.2 and 2.X.5).

use std::collections::{HashMap, HashSet};

use super::bindings::{BindingContext, Subject};
use super::check::{Base, ParsedInstruction, ParsedOperand};
use super::indices::AddressRegister;
use super::names::Variable;
use super::operand::ArrayIndex;
use super::parser::{Arb, Parser};
use super::words;
use crate::diag::{Diagnostic, codes};
use crate::front::dialect::Sign;
use crate::front::label::Labels;
use crate::front::parser::Parse;
use crate::front::{MAX_DIAGNOSTICS, Sink, excerpt};
use crate::ir::limits::{SUBROUTINE_NUMBERS, SUBROUTINE_PARAMETERS};
use crate::ir::{Control, Subroutine, SubroutineType, SubroutineVariable, Subroutines as Built, Swizzle};
use crate::source::Span;
use crate::syntax::TokenKind;

/// The clause about program subroutine parameters.
const PARAMETERS: &str = "ARB_shader_subroutine 2.14.1";

/// A subroutine type: the union of all SUBROUTINETYPE statements with this name.
#[derive(Debug)]
struct Type<'t> {
    name: &'t str,
    members: Vec<(&'t str, Span)>,
    listed: HashSet<&'t str>,
}

/// A variable that SUBROUTINE declares.
#[derive(Debug)]
struct Declared<'t> {
    name: &'t str,
    span: Span,
    ty: usize,
    parameters: Vec<u16>,
    is_array: bool,
}

/// The subroutine declarations and calls of a program.
#[derive(Debug, Default)]
pub(super) struct Subroutines<'t> {
    types: Vec<Type<'t>>,
    variables: Vec<Declared<'t>>,
    /// Labels with a number: name, number and place.
    numbers: Vec<(&'t str, u16, Span)>,
    /// The first label with each number.
    numbered: HashMap<u16, Span>,
    /// For each parameter, the type of the variables bound to it and the place of the first binding.
    parameters: HashMap<u16, (usize, Span)>,
    /// Each CALI: instruction index, variable, and place of the variable's name.
    calls: Vec<(usize, usize, Span)>,
    /// CALs that name a variable: the place of the name and of the CAL.
    misnamed: Vec<(Span, Span)>,
}

/// The variable that CALI names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called {
    pub variable: usize,
    /// Constant part of the array index. At run time a temporary may be added.
    pub offset: u16,
    pub span: Span,
}

impl<'t> Subroutines<'t> {
    /// The names of the labels in type `number`.
    pub fn members(&self, number: usize) -> impl Iterator<Item = &'t str> {
        self.types.get(number).into_iter().flat_map(|ty| ty.members.iter().map(|(name, _)| *name))
    }

    /// The type name of variable `number`, its parameters, and whether it is an array.
    pub fn variable(&self, number: usize) -> Option<(&'t str, &[u16], bool)> {
        let variable = self.variables.get(number)?;
        Some((self.types.get(variable.ty)?.name, &variable.parameters, variable.is_array))
    }

    /// Notes that instruction `at` is a CALI.
    pub fn note_call(&mut self, at: usize, called: Called) {
        self.calls.push((at, called.variable, called.span));
    }

    /// Amends errors about unknown labels: if CAL names a variable, the error suggests CALI.
    pub fn mark_misnamed(&self, sink: &mut Sink) {
        for finding in
            sink.findings_mut().iter_mut().filter(|finding| finding.code == codes::GPU.unknown_label)
        {
            let place = finding.span();
            if let Some((_, mnemonic)) = self.misnamed.iter().find(|(name, _)| *name == place) {
                let amended =
                    finding.clone().with_note("The name is a subroutine variable. Use CALI to call it.");
                *finding = amended.with_fix("replace with CALI", *mnemonic, "CALI");
            }
        }
    }

    /// The labels that CALI may call, as indices into the list of labels.
    pub fn called(&self, labels: &Labels<'t>) -> Vec<usize> {
        let types: HashSet<usize> = self.variables.iter().map(|variable| variable.ty).collect();
        types.into_iter().flat_map(|ty| self.members(ty)).filter_map(|name| labels.find(name)).collect()
    }

    /// Converts to the IR.
    pub fn build(self, labels: &Labels<'t>) -> Built {
        let list: Vec<Subroutine> = (self.numbers.iter())
            .filter_map(|&(name, number, _)| Some(Subroutine { label: labels.find(name)?, number }))
            .collect();
        let places: HashMap<usize, usize> =
            list.iter().enumerate().map(|(place, subroutine)| (subroutine.label, place)).collect();
        let types = self.types.into_iter().map(|ty| SubroutineType {
            name: ty.name.to_owned(),
            members: (ty.members.iter())
                .filter_map(|(name, _)| places.get(&labels.find(name)?).copied())
                .collect(),
        });
        let variables = self.variables.into_iter().map(|variable| SubroutineVariable {
            name: variable.name.to_owned(),
            ty: variable.ty,
            parameters: variable.parameters,
            is_array: variable.is_array,
        });
        Built { types: types.collect(), variables: variables.collect(), list }
    }

    /// Reports the errors that are known only at the end of the program, at position `length`.
    pub fn report(&self, labels: &Labels<'t>, length: usize, sink: &mut Sink) {
        if !labels.are_known() {
            return;
        }
        self.report_numbers(labels, length, sink);
        for variable in self.variables.iter().filter(|v| self.members(v.ty).next().is_none()) {
            let name = self.types.get(variable.ty).map_or("", |ty| ty.name);
            sink.push(
                Diagnostic::new(
                    codes::GPU_SUBROUTINE_WITHOUT_CHOICE,
                    variable.span,
                    format!("the type of `{}` has no subroutines", excerpt(variable.name.as_bytes())),
                )
                .with_note(format!(
                    "Add some with `SUBROUTINETYPE {} {{ label }};`.",
                    excerpt(name.as_bytes())
                ))
                .at_position(length),
            );
        }
        self.report_recursion(labels, length, sink);
    }

    /// Reports labels that are in a type but have no number.
    fn report_numbers(&self, labels: &Labels<'t>, length: usize, sink: &mut Sink) {
        let with_number: HashSet<&str> = self.numbers.iter().map(|(name, ..)| *name).collect();
        let mut said = HashSet::new();
        let members = self.types.iter().flat_map(|ty| &ty.members);
        let lacking = members.filter(|(name, _)| !with_number.contains(name));
        for (name, span) in lacking.take(MAX_DIAGNOSTICS) {
            let Some(label) = labels.find(name).and_then(|label| labels.list().get(label)) else { continue };
            if !said.insert(*name) {
                continue;
            }
            let free = (0..u16::MAX).find(|number| !self.numbered.contains_key(number)).unwrap_or(0);
            sink.push(
                Diagnostic::new(
                    codes::GPU_SUBROUTINE_WITHOUT_NUMBER,
                    *span,
                    format!("the label `{}` has no SUBROUTINENUM", excerpt(name.as_bytes())),
                )
                .with_label(label.span, "the label")
                .with_fix(
                    format!("insert SUBROUTINENUM({free})"),
                    Span::at(label.span.end),
                    format!(" SUBROUTINENUM({free})"),
                )
                .at_position(length),
            );
        }
    }

    /// Reports each CALI that may call the subroutine it is in, directly or through other calls. In the call
    /// graph, such a CALI and its type lie on a cycle.
    fn report_recursion(&self, labels: &Labels<'t>, length: usize, sink: &mut Sink) {
        if self.calls.is_empty() {
            return;
        }
        // Instructions before the first label are in no subroutine.
        let within = |at: usize| labels.list().partition_point(|label| label.at <= at).checked_sub(1);
        // Nodes of the call graph: the labels, then the types.
        let first_type = labels.list().len();
        let type_of = |variable: usize| self.variables.get(variable).map_or(0, |variable| variable.ty);
        let mut leads: Vec<Vec<usize>> = vec![Vec::new(); first_type + self.types.len()];
        for (at, label) in labels.branches() {
            if let Some(within) = within(at) {
                leads[within].push(label);
            }
        }
        for &(at, variable, _) in &self.calls {
            if let Some(label) = within(at) {
                leads[label].push(first_type + type_of(variable));
            }
        }
        for ty in 0..self.types.len() {
            leads[first_type + ty].extend(self.members(ty).filter_map(|name| labels.find(name)));
        }
        let rings = rings(&leads);
        let mut told = HashSet::new();
        for &(at, variable, span) in &self.calls {
            let Some(label) = within(at) else { continue };
            let ty = first_type + type_of(variable);
            // Of several CALIs in one subroutine with the same type, only the first is reported.
            if rings[label] != rings[ty] || told.len() == MAX_RECURSIONS || !told.insert((label, ty)) {
                continue;
            }
            let shown = excerpt(labels.list()[label].name.as_bytes());
            sink.push(
                Diagnostic::new(
                    codes::GPU_INDIRECT_RECURSION,
                    span,
                    format!("this call can recurse: it may lead back to `{shown}`, which contains it"),
                )
                .with_note("CALI may call any subroutine of the variable's type. Only CAL may recurse.")
                .at_position(length),
            );
        }
    }
}

/// Numbers the strongly connected components of a graph, by Kosaraju's algorithm. Nodes have the same number
/// if each can reach the other. `leads` lists the successors of each node.
fn rings(leads: &[Vec<usize>]) -> Vec<usize> {
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); leads.len()];
    for (from, all) in leads.iter().enumerate() {
        all.iter().for_each(|&to| back[to].push(from));
    }
    // Nodes in the order in which the search leaves them.
    let mut done = Vec::with_capacity(leads.len());
    let mut seen = vec![false; leads.len()];
    for start in 0..leads.len() {
        let mut way = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            way.push((start, 0));
        }
        while let Some((place, next)) = way.last_mut() {
            match leads[*place].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        way.push((to, 0));
                    }
                }
                None => {
                    done.push(*place);
                    way.pop();
                }
            }
        }
    }
    let mut rings = vec![usize::MAX; leads.len()];
    for &start in done.iter().rev() {
        let mut left = vec![start];
        while let Some(place) = left.pop() {
            if rings[place] == usize::MAX {
                rings[place] = start;
                left.extend(&back[place]);
            }
        }
    }
    rings
}

/// Upper limit of errors about recursion in one program.
const MAX_RECURSIONS: usize = 8;

impl<'t> Parser<'t> {
    /// Reads a SUBROUTINETYPE statement after its keyword: `name { label, ... }`. Several statements may add
    /// to one type.
    pub(super) fn subroutine_type(&mut self) -> Parse<()> {
        let ty = match self.own.names.get(self.word()) {
            Some(Variable::SubroutineType(number)) => {
                self.advance();
                Some(number)
            }
            _ => {
                let new = self.new_name("SUBROUTINETYPE")?;
                let types = &mut self.own.subroutines.types;
                new.fresh.then(|| {
                    types.push(Type { name: new.name, members: Vec::new(), listed: HashSet::new() });
                    let number = types.len() - 1;
                    self.own.names.insert(new.name, Some(new.span), Variable::SubroutineType(number));
                    number
                })
            }
        };
        self.expect(TokenKind::LeftBrace, "`{`")?;
        while self.token.kind != TokenKind::RightBrace {
            let (name, span) = self.branch_label()?;
            self.own.check.labels.use_name(name, span);
            if let Some(ty) = ty.and_then(|number| self.own.subroutines.types.get_mut(number))
                && !name.is_empty()
                && ty.listed.insert(name)
            {
                ty.members.push((name, span));
            }
            if self.token.kind == TokenKind::RightBrace {
                break;
            }
            self.expect(TokenKind::Comma, "`,` or `}`")?;
            if self.token.kind == TokenKind::RightBrace {
                return Err(self.unexpected("a label"));
            }
        }
        self.expect(TokenKind::RightBrace, "`}`").map(|_| ())
    }

    /// Reads a SUBROUTINE statement after its keyword: `type name = program.subroutine[n]`, or an array.
    pub(super) fn subroutine_variable(&mut self) -> Parse<()> {
        let (word, span) = (self.word(), self.token.span);
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("a subroutine type"));
        }
        let ty = match self.own.names.get(word) {
            Some(Variable::SubroutineType(number)) => Some(number),
            Some(Variable::Broken) => None,
            Some(_) => {
                let shown = self.excerpt(span);
                let message = format!("`{shown}` is not a subroutine type");
                self.sink.push(
                    Diagnostic::new(codes::GPU_NOT_SUBROUTINE_TYPE, span, message)
                        .with_note("Declare one with SUBROUTINETYPE."),
                );
                None
            }
            None if !self.own.is_free(word) => return Err(self.unexpected("a subroutine type")),
            None => {
                self.undefined(word, span);
                None
            }
        };
        self.advance();
        let new = self.new_name("SUBROUTINE")?;
        let (read, bound) = match self.subroutine_parameters_of(new.span, ty) {
            Ok(bound) => (Ok(()), bound),
            Err(reported) => (Err(reported), None),
        };
        if new.fresh {
            let variables = &mut self.own.subroutines.variables;
            let variable = match (bound, ty) {
                (Some((parameters, is_array)), Some(ty)) => {
                    variables.push(Declared { name: new.name, span: new.span, ty, parameters, is_array });
                    Variable::Subroutine(variables.len() - 1)
                }
                _ => Variable::Broken,
            };
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read
    }

    /// Reads the size, `=` and the parameters of the variable of type `ty` whose name is at `name`. Returns
    /// `None` after a reported error.
    fn subroutine_parameters_of(&mut self, name: Span, ty: Option<usize>) -> Parse<Option<(Vec<u16>, bool)>> {
        let sized = self.declared_size()?;
        self.expect(TokenKind::Equals, "`=`")?;
        let Some(size) = self.bracketed(name, sized) else {
            let bound = self.bound_subroutine(BindingContext::Declaration, ty)?;
            return Ok(bound.map(|(first, _)| (vec![first], false)));
        };
        self.expect(TokenKind::LeftBrace, "`{`")?;
        let mut all = Vec::new();
        let mut whole = true;
        loop {
            match self.bound_subroutine(BindingContext::Element, ty)? {
                // Parameters may repeat. A list longer than the number of parameters is an error and stops
                // growing.
                Some((first, last)) if all.len() <= SUBROUTINE_PARAMETERS => all.extend(first..=last),
                Some(_) => {}
                None => whole = false,
            }
            if self.token.kind == TokenKind::RightBrace {
                break;
            }
            self.comma_in_list("`,` or `}`")?;
        }
        let end = self.advance().span;
        let fault = |span, message| {
            Diagnostic::new(codes::ARB_ARRAY_SIZE.citing("NV_gpu_program4 2.X.3.1"), span, message)
        };
        if let Some((wanted, place)) = size.filter(|(wanted, _)| whole && *wanted as usize != all.len()) {
            let how = if all.len() > wanted as usize { "more" } else { "fewer" };
            self.sink.push(
                fault(end, format!("the array size is {wanted}, but the list has {how} elements"))
                    .with_label(place, "the array size")
                    .with_fix("remove the size", place, ""),
            );
            whole = false;
        } else if all.len() > SUBROUTINE_PARAMETERS {
            let message = format!("an array has at most {SUBROUTINE_PARAMETERS} elements");
            self.sink.push(fault(end, message));
            whole = false;
        }
        Ok(whole.then_some((all, true)))
    }

    /// Reads `program.subroutine[n]`, or `[a..b]` in a list, for a variable of type `ty`. Returns the first
    /// and the last number.
    fn bound_subroutine(&mut self, place: BindingContext, ty: Option<usize>) -> Parse<Option<(u16, u16)>> {
        let start = self.token.span;
        if self.word() != "program" {
            return Err(self.unexpected("`program.subroutine`"));
        }
        let numbers = self.subroutine_binding(place)?;
        let span = start.to(self.previous);
        let (Some((first, last)), Some(ty)) = (numbers, ty) else { return Ok(None) };
        let mut fits = true;
        for number in first..=last {
            let &mut (other, place) = self.own.subroutines.parameters.entry(number).or_insert((ty, span));
            if other != ty && fits {
                fits = false;
                let name = self.own.subroutines.types.get(other).map_or("", |ty| ty.name);
                let shown = excerpt(name.as_bytes());
                self.sink.push(
                    Diagnostic::new(
                        codes::GPU_SUBROUTINE_PARAMETER_TYPES,
                        span,
                        format!(
                            "subroutine parameter {number} is already bound to a variable of another type"
                        ),
                    )
                    .with_label(place, format!("bound here, with type `{shown}`")),
                );
            }
        }
        Ok(fits.then_some((first, last)))
    }

    /// Reads `program.subroutine[n]` or `program.subroutine[a..b]`.
    pub(super) fn subroutine_binding(&mut self, place: BindingContext) -> Parse<Option<(u16, u16)>> {
        self.advance();
        let kinds = Subject {
            code: codes::ARB_BAD_PARAMETER.citing(PARAMETERS),
            what: "kind of subroutine parameter",
        };
        self.dotted(&["subroutine"], kinds)?;
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let subject = Subject { code: codes::GPU_BAD_SUBROUTINE_PARAMETER, what: "subroutine parameter" };
        let (range, _) = self.range(SUBROUTINE_PARAMETERS, place, subject)?;
        Ok(range.and_then(|(a, b)| Some((u16::try_from(a).ok()?, u16::try_from(b).ok()?))))
    }

    /// Reads `SUBROUTINENUM(n)` after the name of a label. Returns false if there is none.
    pub(super) fn subroutine_number(&mut self, name: &'t str, label: Span) -> Parse<bool> {
        // A variable may be called SUBROUTINENUM. `name` is then the mnemonic of an instruction.
        if self.word() != NUMBER || self.own.names.get(NUMBER).is_some() || !self.own.is_typed() {
            return Ok(false);
        }
        let opens = self.following().is_some_and(|token| token.kind == TokenKind::LeftParen);
        if !opens && words::role(self.own.language, name).begins_statement() {
            return Ok(false);
        }
        let keyword = self.advance().span;
        if let Some(newer) = self.own.newer_language(|profile| profile.keywords.contains(&"SUBROUTINE")) {
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, NUMBER, newer, keyword);
            self.sink.push(fault);
        }
        self.expect(TokenKind::LeftParen, "`(`")?;
        let token = self.token;
        let subject = Subject { code: codes::GPU_BAD_SUBROUTINE_NUMBER, what: "subroutine with the number" };
        let number = self.number_below(SUBROUTINE_NUMBERS, subject)?;
        self.expect(TokenKind::RightParen, "`)`")?;
        let Some(number) = number.and_then(|number| u16::try_from(number).ok()) else { return Ok(true) };
        let first = *self.own.subroutines.numbered.entry(number).or_insert(label);
        if first != label {
            let code = codes::GPU_SUBROUTINE_NUMBER_TWICE;
            let message = format!("another label already has the number {number}");
            let mut fault = Diagnostic::new(code, token.span, message).with_label(first, "this one");
            let numbered = &self.own.subroutines.numbered;
            let free = (0..SUBROUTINE_NUMBERS as u16).find(|number| !numbered.contains_key(number));
            if let Some(free) = free {
                fault = fault.with_fix(format!("replace with {free}"), token.span, free.to_string());
            }
            self.sink.push(fault);
        }
        self.own.subroutines.numbers.push((name, number, label));
        Ok(true)
    }

    /// Reports a subroutine type or variable at `span` in the place of a value.
    pub(super) fn no_value(&mut self, span: Span) {
        self.sink.push(
            Diagnostic::new(
                codes::GPU_SUBROUTINE_OPERAND,
                span,
                "subroutine types and variables cannot be read as values",
            )
            .with_note("Use subroutine variables only in CALI."),
        );
    }

    /// Reads the label of CAL.
    pub(super) fn called_label(&mut self, mnemonic: Span) -> Parse<(&'t str, Span)> {
        let variable = matches!(self.own.names.get(self.word()), Some(Variable::Subroutine(_)));
        let label = self.branch_label()?;
        if variable && self.own.subroutines.misnamed.len() < MAX_DIAGNOSTICS {
            self.own.subroutines.misnamed.push((label.1, mnemonic));
        }
        Ok(label)
    }

    /// Reads the variable of CALI with its index.
    pub(super) fn called_variable(&mut self, parsed: &mut ParsedInstruction<'t>) -> Parse<()> {
        let (word, span) = (self.word(), self.token.span);
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("a subroutine variable"));
        }
        let number = match self.own.names.get(word) {
            Some(Variable::Subroutine(number)) => number,
            Some(Variable::Broken) => {
                self.advance();
                self.skip_reference();
                return Ok(());
            }
            None if !self.own.is_free(word) => return Err(self.unexpected("a subroutine variable")),
            None => {
                self.advance();
                self.undefined(word, span);
                self.skip_reference();
                return Ok(());
            }
            Some(_) => {
                let shown = self.excerpt(span);
                self.sink.push(
                    Diagnostic::new(codes::GPU_NOT_SUBROUTINE_VARIABLE,
                        span,
                        format!("`{shown}` is not a subroutine variable"),
                    )
                    .with_note(
                        "Declare one with `SUBROUTINE type name = program.subroutine[0];`. Use CAL to call a label.",
                    ),
                );
                self.advance();
                self.skip_reference();
                return Ok(());
            }
        };
        self.advance();
        let Some((_, parameters, is_array)) = self.own.subroutines.variable(number) else { return Ok(()) };
        let count = u32::try_from(parameters.len()).unwrap_or(u32::MAX);
        let mut called = Called { variable: number, offset: 0, span };
        if !is_array {
            self.no_index(span)?;
            parsed.extra.called = Some(called);
            return Ok(());
        }
        match self.array_index(count, span)? {
            Some(ArrayIndex::Number(element)) => called.offset = u16::try_from(element).unwrap_or(0),
            Some(ArrayIndex::Relative(relative)) => {
                let AddressRegister::Temporary(temporary) = relative.register else { return Ok(()) };
                // `array_index` has checked the offset against the array's size.
                called.offset = u16::try_from(relative.offset).unwrap_or(0);
                let mut operand =
                    ParsedOperand::new(Base::Temp(temporary), span.to(self.previous), Sign::None);
                operand.swizzle = Swizzle::replicate(relative.component);
                parsed.operands.push(operand);
            }
            None => return Ok(()),
        }
        parsed.extra.called = Some(called);
        Ok(())
    }
}

/// The keyword that gives a label its number.
const NUMBER: &str = "SUBROUTINENUM";

impl<'t> Arb<'t> {
    /// The control of CALI. A faulty variable counts as variable 0.
    pub(super) fn indirect_call(&self, parsed: &ParsedInstruction<'t>) -> Control {
        let called = parsed.extra.called;
        let (variable, offset) = called.map_or((0, 0), |called| (called.variable, called.offset));
        Control::CallIndirect { variable, offset, test: parsed.extra.test }
    }
}
