//! Program parameter buffers: the statements `BUFFER`, `BUFFER4` and `CBUFFER`, and the use of their
//! variables in instructions (NV_gpu_program4 2.X.3.6, NV_parameter_buffer_object2 2.X.3.6, NV_gpu_program5
//! 2.X.3.6).

use super::arrays::Size;
use super::bindings::{BindingContext, Subject};
use super::check::Base;
use super::indices::Relative;
use super::names::{Declared, Variable};
use super::operand::ArrayIndex;
use super::parameters::type_of;
use super::parser::{Arb, Parser};
use super::symbols::Meaning;
use crate::diag::{Diagnostic, codes};
use crate::front::Sink;
use crate::front::parser::Parse;
use crate::ir::{BufferRef, BufferUnit, BufferVariable, Index, Storage, Swizzle, limits};
use crate::isa::MemoryOption;
use crate::source::Span;
use crate::syntax::TokenKind;

const CLAUSE: &str = "NV_gpu_program4 2.X.3.6";
const POINTS: Subject = Subject { code: codes::GPU_BAD_BUFFER, what: "parameter buffer" };
const ELEMENTS: Subject = Subject { code: codes::GPU_BAD_BUFFER, what: "element" };
/// Upper bound for element numbers. Elements after the end of the largest buffer cannot be read, so no
/// program needs a larger number.
const MOST_ELEMENTS: usize = 1 << 30;

/// A parameter buffer variable as it is declared.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub variable: BufferVariable,
    pub declared: Declared,
    /// Source range of the binding.
    span: Span,
}

/// A single element of one buffer, or the same element of several buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    first: u8,
    count: u8,
    /// Whether the program writes a range of binding points.
    spans: bool,
    element: u32,
}

/// The right-hand side of a buffer declaration.
struct Binding {
    bound: Bound,
    /// Number of elements.
    elements: u32,
    is_array: bool,
    /// Where the binding begins.
    begin: Span,
}

/// A reference to a parameter buffer variable in an operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferUse {
    /// Index in `Arb::buffers`.
    pub variable: usize,
    point: ArrayIndex,
    element: ArrayIndex,
}

impl Parser<'_> {
    /// Reads a `BUFFER`, `BUFFER4` or `CBUFFER` statement after its keyword, which is at `at`.
    pub(super) fn buffer(&mut self, unit: BufferUnit, declared: Declared, at: Span) -> Parse<()> {
        let option = MemoryOption::ConstantBuffers;
        if unit == BufferUnit::Byte && !self.own.options.has(option) && !self.own.has_gpu5() {
            let fault = self.own.later(unit.name(), option.name(), at);
            self.sink.push(fault);
        }
        let new = self.new_name(unit.name())?;
        let read = self.buffer_binding(unit, new.span);
        if !new.fresh {
            return read.map(|_| ());
        }
        let variable = match &read {
            Ok(Some(Binding { bound, elements, is_array, begin })) => {
                let &Bound { first, count, spans, element } = bound;
                let (name, ty) = (new.name.to_owned(), type_of(declared.data));
                let (elements, is_array) = (*elements, *is_array);
                let variable =
                    BufferVariable { name, unit, ty, first, count, spans, element, elements, is_array };
                let span = begin.to(self.previous);
                self.own.add_buffer(Buffer { variable, declared, span }, &mut self.sink)
            }
            _ => Variable::Broken,
        };
        self.own.names.insert(new.name, Some(new.span), variable);
        read.map(|_| ())
    }

    /// Reads the sizes, `=` and the binding of the variable whose name is at `name`.
    fn buffer_binding(&mut self, unit: BufferUnit, name: Span) -> Parse<Option<Binding>> {
        let outer = self.declared_size()?;
        let place = self.token.span;
        let inner = if outer.is_some() { self.declared_size()? } else { None };
        if inner.is_some()
            && let Some(newer) = self.own.newer_language(|profile| profile.texture_variables)
        {
            let fault =
                self.own.newer(codes::GPU_LATER_FEATURE, "an array of parameter buffers", newer, place);
            self.sink.push(fault);
        }
        self.expect(TokenKind::Equals, "`=`")?;
        let begin = self.token.span;
        let Some(elements) = self.bracketed(name, inner.or(outer)) else {
            let bound = self.bound_buffer(unit, BindingContext::Declaration, None)?;
            return Ok(bound.map(|(bound, _)| Binding { bound, elements: 1, is_array: false, begin }));
        };
        let begin = self.following().map_or(begin, |token| token.span);
        let found = self.list(
            (elements, CLAUSE),
            |parser| parser.bound_buffer(unit, BindingContext::Element, Some(elements)),
            |bound: Bound, steps| Some(Bound { element: bound.element.checked_add(steps)?, ..bound }),
        )?;
        let Some((mut bound, count)) = found else { return Ok(None) };
        bound.spans |= inner.is_some();
        if let Some((wanted, place)) = outer.flatten().filter(|_| inner.is_some())
            && wanted != u32::from(bound.count)
        {
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_ARRAY_SIZE.citing("NV_gpu_program4 2.X.3.1"),
                    place,
                    format!("the binding has {} buffers, but the size is {wanted}", bound.count),
                )
                .with_fix("remove the size", place, ""),
            );
            return Ok(None);
        }
        Ok(Some(Binding { bound, elements: count, is_array: true, begin }))
    }

    /// Reads `program.buffer[a]` or `program.buffer[a..b]`, then `[c]` or `[c..d]`. Lists may omit the second
    /// index: this selects all elements, or the first `size` if the array has a size.
    /// Returns the first element and the number of elements.
    fn bound_buffer(
        &mut self,
        unit: BufferUnit,
        place: BindingContext,
        size: Option<Size>,
    ) -> Parse<Option<(Bound, u32)>> {
        if self.word() != "program" {
            return Err(self.unexpected("`program.buffer`"));
        }
        self.advance();
        let kinds = Subject { what: "kind of parameter buffer", ..POINTS };
        self.dotted(&["buffer"], kinds)?;
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let dots = self.following().filter(|token| token.kind == TokenKind::DotDot);
        let spans = dots.is_some();
        let (points, _) = self.range(limits::PARAMETER_BUFFERS, BindingContext::Element, POINTS)?;
        if let Some(dots) = dots
            && let Some(newer) = self.own.newer_language(|profile| profile.texture_variables)
        {
            let what = "an array of parameter buffers";
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, what, newer, dots.span);
            self.sink.push(fault);
        }
        let whole = (0, size.flatten().map_or_else(|| unit.most_elements(), |(size, _)| size));
        let elements = if self.eat(TokenKind::LeftBracket).is_some() {
            let (range, _) = self.range(MOST_ELEMENTS, place, ELEMENTS)?;
            range.map(|(first, last)| (first, last - first + 1))
        } else if place == BindingContext::Element {
            Some(whole)
        } else {
            let behind = Span::at(self.previous.end);
            self.sink.push(
                Diagnostic::new(codes::GPU_NEEDS_ELEMENT, self.token.span, "select an element of the buffer")
                    .with_note("To bind all of them, declare an array: `BUFFER b[] = { program.buffer[0] };`")
                    .with_fix("use the first element", behind, "[0]"),
            );
            None
        };
        let (Some((first, last)), Some((element, count))) = (points, elements) else { return Ok(None) };
        // Binding points are few, so their numbers fit a byte.
        let byte = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
        let bound = Bound { first: byte(first), count: byte(last - first + 1), spans, element };
        Ok(Some((bound, count)))
    }

    /// Reads a binding and returns its meaning. The next token is the first of the binding.
    pub(super) fn buffer_meaning(&mut self, place: BindingContext) -> Option<Meaning> {
        // A declaration may bind one element or all of them. Reading it as a list element accepts both.
        let place = if place == BindingContext::Operand { place } else { BindingContext::Element };
        let (bound, _) = self.bound_buffer(BufferUnit::Word, place, None).ok()??;
        Some(Meaning::BufferBinding(bound.first))
    }

    /// Reads the indices after the name at `span` of buffer variable `number`. Returns `None` after a
    /// reported error.
    pub(super) fn buffer_use(&mut self, number: usize, span: Span) -> Parse<Option<Base>> {
        let Some(Buffer { variable, .. }) = self.own.buffers.get(number) else { return Ok(None) };
        let &BufferVariable { spans, count, elements, is_array, .. } = variable;
        let one = Some(ArrayIndex::Number(0));
        let point = if spans { self.array_index(count.into(), span)? } else { one };
        if spans && point.is_none() {
            self.skip_reference();
            return Ok(None);
        }
        let element = if is_array { self.array_index(elements, span.to(self.previous))? } else { one };
        if !is_array {
            self.no_index(span)?;
        }
        let used = |(point, element)| Base::Buffer(BufferUse { variable: number, point, element });
        Ok(Some(point.zip(element).map_or(Base::Broken, used)))
    }
}

impl Arb<'_> {
    /// Whether the language has the features of NV_gpu_program5.
    pub(super) const fn has_gpu5(&self) -> bool {
        self.language.profile().texture_variables
    }

    /// Adds a variable. BUFFER and BUFFER4 variables cannot share a binding point.
    fn add_buffer(&mut self, buffer: Buffer, sink: &mut Sink) -> Variable {
        let BufferVariable { unit, first, count, .. } = buffer.variable;
        let conflict = |other: &&Buffer| {
            let BufferVariable { unit: theirs, first: from, count: many, .. } = other.variable;
            let meets = first < from + many && from < first + count;
            let units = [unit, theirs];
            meets && units.contains(&BufferUnit::Word) && units.contains(&BufferUnit::Vector)
        };
        if let Some(other) = self.buffers.iter().find(conflict) {
            let (keyword, theirs) = (unit.name(), other.variable.unit.name());
            sink.push(
                Diagnostic::new(
                    codes::GPU_BUFFER_UNITS,
                    buffer.span,
                    format!("a buffer is declared as {keyword} here but as {theirs} earlier"),
                )
                .with_label(other.span, format!("declared as {theirs} here"))
                .with_note("A binding point takes BUFFER variables or BUFFER4 variables, not both."),
            );
        }
        self.buffers.push(buffer);
        Variable::Buffer(self.buffers.len() - 1)
    }

    /// Builds the IR reference. Memory is read as `storage` if given (LDC), otherwise as the elements of the
    /// variable.
    pub(super) fn buffer_ref(&mut self, used: BufferUse, storage: Option<Storage>) -> Option<BufferRef> {
        let unit = self.buffers.get(used.variable)?.variable.unit;
        let mut index = |index| {
            Some(match index {
                ArrayIndex::Number(number) => Index::constant(number.into()),
                ArrayIndex::Relative(Relative { register, component, offset }) => {
                    Index { register: Some((self.address(register)?, component)), offset }
                }
            })
        };
        let (point, element) = (index(used.point)?, index(used.element)?);
        let variable = u16::try_from(used.variable).ok()?;
        Some(BufferRef { variable, point, element, storage: storage.unwrap_or_else(|| unit.storage()) })
    }

    /// The swizzle of an operand that reads a buffer. A buffer of words has the same word in every component.
    pub(super) fn buffer_swizzle(&self, used: BufferUse, swizzle: Swizzle) -> Swizzle {
        let is_word = self.buffers.get(used.variable).is_some_and(|b| b.variable.unit == BufferUnit::Word);
        if !is_word {
            return swizzle;
        }
        Swizzle(swizzle.0.map(|selector| if selector < 4 { 0 } else { selector }))
    }
}
