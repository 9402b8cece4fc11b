//! What geometry programs declare of their primitives, and the vertices that they name (NV_geometry_program4 2.X.7.Y,
//! NV_gpu_program5 2.X.7.Y).

use super::bindings::{AttributeBinding, Subject};
use super::indices::Relative;
use super::names::{Declared, Elements};
use super::operand::ArrayIndex;
use super::parser::{Arb, Parser};
use crate::diag::Diagnostic;
use crate::front::Sink;
use crate::front::parser::Parse;
use crate::ir::{Attribute, GeometryLayout, InputPrimitive, OutputPrimitive, VertexResult, limits};
use crate::isa::{Opcode, Stage};
use crate::source::Span;
use crate::syntax::TokenKind;

const CLAUSE: &str = "NV_geometry_program4 2.X.7.Y";

/// A statement about the primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrimitiveStatement {
    /// `PRIMITIVE_IN`
    Input,
    /// `PRIMITIVE_OUT`
    Output,
    /// `VERTICES_OUT`
    Vertices,
    /// `INVOCATIONS`
    Invocations,
}

impl PrimitiveStatement {
    /// The keyword.
    const fn name(self) -> &'static str {
        match self {
            Self::Input => "PRIMITIVE_IN",
            Self::Output => "PRIMITIVE_OUT",
            Self::Vertices => "VERTICES_OUT",
            Self::Invocations => "INVOCATIONS",
        }
    }
}

/// What has been declared and named so far.
#[derive(Debug, Default)]
pub(super) struct Primitives {
    input: Option<InputPrimitive>,
    output: Option<OutputPrimitive>,
    vertices: Option<u32>,
    invocations: Option<u32>,
    /// Where each statement stands first.
    places: Vec<(PrimitiveStatement, Span)>,
    /// The highest vertex named by number, and where.
    highest: Option<(u8, Span)>,
    /// Where EMITS stands first.
    to_stream: Option<Span>,
}

impl Primitives {
    /// What it declares in all, if that is complete.
    pub fn layout(&self) -> Option<GeometryLayout> {
        Some(GeometryLayout {
            input: self.input?,
            output: self.output?,
            vertices_out: self.vertices?,
            invocations: self.invocations.unwrap_or(1),
        })
    }

    /// How many vertices there are to be named, as far as that is known.
    fn named(&self) -> u8 {
        self.input.map_or(InputPrimitive::MOST_VERTICES, InputPrimitive::vertices)
    }

    fn place(&self, statement: PrimitiveStatement) -> Option<Span> {
        self.places.iter().find(|(other, _)| *other == statement).map(|(_, span)| *span)
    }
}

impl<'t> Parser<'t> {
    /// A statement about the primitives, whose keyword stands at `keyword`, without `;`.
    pub(super) fn primitive_statement(&mut self, statement: PrimitiveStatement, keyword: Span) -> Parse<()> {
        let subject = |what| Subject { code: "gpu-bad-primitive", clause: CLAUSE, what };
        let begin = self.token.span;
        match statement {
            PrimitiveStatement::Input => {
                let names = InputPrimitive::ALL.map(InputPrimitive::name);
                let name = self.one_of(&names, subject("input primitive"))?;
                let found = InputPrimitive::ALL.into_iter().find(|primitive| primitive.name() == name);
                self.own.primitives.input = self.own.primitives.input.or(found);
            }
            PrimitiveStatement::Output => {
                let names = OutputPrimitive::ALL.map(OutputPrimitive::name);
                let name = self.one_of(&names, subject("output primitive"))?;
                let found = OutputPrimitive::ALL.into_iter().find(|primitive| primitive.name() == name);
                self.own.primitives.output = self.own.primitives.output.or(found);
            }
            PrimitiveStatement::Vertices => {
                let number =
                    self.number_up_to(limits::OUTPUT_VERTICES as u32, "NV_geometry_program4 2.14.6.4")?;
                self.own.primitives.vertices = self.own.primitives.vertices.or(number);
            }
            PrimitiveStatement::Invocations => {
                let number = self.number_up_to(limits::GEOMETRY_INVOCATIONS, "NV_gpu_program5 2.X.7.Y")?;
                self.own.primitives.invocations = self.own.primitives.invocations.or(number);
            }
        }
        let span = keyword.to(self.previous);
        if let Some(first) = self.own.primitives.place(statement) {
            let message = format!("{} is declared already", statement.name());
            self.sink.push(
                Diagnostic::error("gpu-primitive-twice", CLAUSE, span, message)
                    .with_label(first, "first declared here")
                    .at_position(begin.start),
            );
        } else {
            self.own.primitives.places.push((statement, span));
        }
        Ok(())
    }

    /// A number from 1 to `most`; nothing where it is none.
    fn number_up_to(&mut self, most: u32, clause: &'static str) -> Parse<Option<u32>> {
        let token = self.token;
        if !token.kind.is_numeric() {
            return Err(self.unexpected("a number"));
        }
        self.advance();
        let number = self.whole_number(token).filter(|number| (1..=most).contains(number));
        if number.is_none() {
            let shown = self.excerpt(token.span);
            let message = format!("`{shown}` is not a whole number from 1 to {most}");
            self.sink.push(Diagnostic::error("gpu-bad-primitive-number", clause, token.span, message));
        }
        Ok(number)
    }

    /// `[ m ]` behind `vertex`: the number of a vertex; nothing where it is at fault.
    pub(super) fn vertex_number(&mut self) -> Parse<Option<u8>> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let token = self.token;
        if token.kind == TokenKind::Word {
            let clause = "NV_geometry_program4 2.X.3.2";
            let message = "the number of a vertex is a constant here";
            let fault = Diagnostic::error("gpu-vertex-number", clause, token.span, message).with_note(
                "A variable declared without it takes any: `ATTRIB p = vertex.position;`, `p[i.x]`.",
            );
            return self.fail(fault);
        }
        let subject =
            Subject { code: "gpu-vertex-number", clause: "NV_geometry_program4 2.X.3.2", what: "vertex" };
        let number = self.number_below(usize::from(self.own.primitives.named()), subject)?;
        self.close_bracket()?;
        Ok(number.and_then(|number| u8::try_from(number).ok()).inspect(|&number| {
            self.own.name_vertex(number, token.span);
        }))
    }

    /// `[ m ]`, and `[ n ]` of an array, behind the name at `name` of a variable that each vertex has; nothing where one is
    /// at fault.
    pub(super) fn vertex_element(
        &mut self,
        array: Elements<VertexResult>,
        is_array: bool,
        name: Span,
    ) -> Parse<Option<(AttributeBinding, Declared)>> {
        let place = self.token.span;
        let vertex = self.array_index(self.own.primitives.named().into(), name)?;
        if let Some(ArrayIndex::Number(number)) = vertex {
            self.own.name_vertex(u8::try_from(number).unwrap_or(u8::MAX), place.to(self.previous));
        }
        let element = if is_array {
            self.array_index(array.count.into(), name)?
        } else {
            self.no_index(name)?;
            Some(ArrayIndex::Number(0))
        };
        let (Some(vertex), Some(element)) = (vertex, element) else { return Ok(None) };
        if let ArrayIndex::Relative(_) = element {
            let first = Attribute::OfVertex { vertex: 0, result: array.first };
            let Elements { count, declared, at, .. } = array;
            self.own.counts.index_attributes(Elements { first, count, declared, at }, name);
        }
        Ok(binding(array, vertex, element).map(|binding| (binding, array.declared)))
    }
}

/// What the variable gives with these indices.
fn binding(
    array: Elements<VertexResult>,
    vertex: ArrayIndex,
    element: ArrayIndex,
) -> Option<AttributeBinding> {
    let byte = |number: u32| u8::try_from(number).ok();
    let of = |vertex: u8, result| Attribute::OfVertex { vertex, result };
    let (first, count, element): (VertexResult, u8, Option<Relative>) = match element {
        ArrayIndex::Number(number) => (array.first.after(byte(number)?)?, 1, None),
        ArrayIndex::Relative(relative) => (array.first, byte(array.count.into())?, Some(relative)),
    };
    Some(match (vertex, element) {
        (ArrayIndex::Number(vertex), None) => AttributeBinding::One(of(byte(vertex)?, first)),
        (ArrayIndex::Number(vertex), Some(relative)) => {
            AttributeBinding::Indexed { first: of(byte(vertex)?, first), count, relative }
        }
        (ArrayIndex::Relative(vertex), element) => {
            AttributeBinding::OfVertices { first, count, vertex, element }
        }
    })
}

impl Arb<'_> {
    /// Notes that the vertex `number` is named at `span`.
    fn name_vertex(&mut self, number: u8, span: Span) {
        let highest = &mut self.primitives.highest;
        if highest.is_none_or(|(before, _)| before < number) {
            *highest = Some((number, span));
        }
    }

    /// Notes what EMITS asks of the primitives.
    pub(super) fn note_emit(&mut self, opcode: Opcode, span: Span) {
        if opcode == Opcode::Emits {
            self.primitives.to_stream.get_or_insert(span);
        }
    }

    /// Reports at the program's `length` what its declarations lack or do not allow.
    pub(super) fn report_primitives(&self, length: usize, end: Span, sink: &mut Sink) {
        if self.language.stage() != Stage::Geometry {
            return;
        }
        let primitives = &self.primitives;
        for statement in [PrimitiveStatement::Input, PrimitiveStatement::Output, PrimitiveStatement::Vertices]
        {
            if primitives.place(statement).is_none() {
                let message = format!("a geometry program declares {}, and this does not", statement.name());
                sink.push(
                    Diagnostic::error("gpu-primitive-missing", CLAUSE, end, message).at_position(length),
                );
            }
        }
        if let (Some((number, span)), Some(input)) = (primitives.highest, primitives.input)
            && number >= input.vertices()
        {
            let message = format!("{} have no vertex {number}", input.name());
            let note = match input.vertices() {
                1 => "There is vertex 0 alone.".to_owned(),
                count => format!("Their vertices are 0 to {}.", count - 1),
            };
            let clause = "NV_geometry_program4 2.X.3.2";
            let mut fault = Diagnostic::error("gpu-vertex-number", clause, span, message)
                .with_note(note)
                .at_position(length);
            if let Some(place) = primitives.place(PrimitiveStatement::Input) {
                fault = fault.with_label(place, "declared here");
            }
            sink.push(fault);
        }
        if let (Some(span), Some(output)) = (primitives.to_stream, primitives.output)
            && output != OutputPrimitive::Points
        {
            let message = format!("EMITS is for POINTS, and this gives {}", output.name());
            let clause = "NV_gpu_program5 2.14.6.2";
            sink.push(
                Diagnostic::error("gpu-stream-primitive", clause, span, message)
                    .with_note("EMIT emits to stream 0.")
                    .at_position(length),
            );
        }
        let (components, most) = (self.counts.result_components(), limits::OUTPUT_COMPONENTS);
        if let (Some(vertices), Some(place)) =
            (primitives.vertices, primitives.place(PrimitiveStatement::Vertices))
            && vertices as usize * components > most
        {
            let message = format!("{vertices} vertices with {components} components are more than {most}");
            sink.push(
                Diagnostic::error(
                    "gpu-too-many-output-components",
                    "NV_geometry_program4 2.14.6.4",
                    place,
                    message,
                )
                .with_note(format!("With as many, at most {} can be emitted.", most / components.max(1)))
                .at_position(length),
            );
        }
    }
}
