//! What programs declare of their primitives and patches, and the vertices that they name (NV_geometry_program4 2.X.7.Y,
//! NV_gpu_program5 2.X.7.Y, NV_tessellation_program5 2.X.7.Y).

use super::bindings::{AttributeBinding, Patch, Subject};
use super::indices::Relative;
use super::names::{Declared, Elements};
use super::operand::ArrayIndex;
use super::parser::{Arb, Parser};
use crate::diag::Diagnostic;
use crate::front::Sink;
use crate::front::parser::Parse;
use crate::ir::{
    Attribute, GeometryLayout, InputPrimitive, OutputPrimitive, TessellationLayout, TessellationMode,
    TessellationOrder, TessellationPoints, TessellationSpacing, limits,
};
use crate::isa::{Opcode, Stage};
use crate::source::Span;
use crate::syntax::TokenKind;

/// A statement about primitives or patches.
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
    /// `TESS_MODE`
    Mode,
    /// `TESS_SPACING`
    Spacing,
    /// `TESS_VERTEX_ORDER`
    Order,
    /// `TESS_POINT_MODE`
    PointMode,
}

impl PrimitiveStatement {
    /// The keyword.
    const fn name(self) -> &'static str {
        match self {
            Self::Input => "PRIMITIVE_IN",
            Self::Output => "PRIMITIVE_OUT",
            Self::Vertices => "VERTICES_OUT",
            Self::Invocations => "INVOCATIONS",
            Self::Mode => "TESS_MODE",
            Self::Spacing => "TESS_SPACING",
            Self::Order => "TESS_VERTEX_ORDER",
            Self::PointMode => "TESS_POINT_MODE",
        }
    }

    /// Those that programs of `stage` must have.
    const fn of(stage: Stage) -> &'static [Self] {
        match stage {
            Stage::Geometry => &[Self::Input, Self::Output, Self::Vertices],
            Stage::TessControl => &[Self::Vertices],
            Stage::TessEvaluation => &[Self::Mode],
            Stage::Vertex | Stage::VertexState | Stage::Fragment => &[],
        }
    }
}

/// What has been declared and named so far.
#[derive(Debug)]
pub(super) struct Primitives {
    stage: Stage,
    input: Option<InputPrimitive>,
    output: Option<OutputPrimitive>,
    vertices: Option<u32>,
    invocations: Option<u32>,
    mode: Option<TessellationMode>,
    spacing: Option<TessellationSpacing>,
    order: Option<TessellationOrder>,
    points: TessellationPoints,
    /// Where each statement stands first.
    places: Vec<(PrimitiveStatement, Span)>,
    /// The highest vertex of what is read that is named by number, and where.
    highest: Option<(u8, Span)>,
    /// The same of the patch that a control program makes.
    highest_out: Option<(u8, Span)>,
    /// Where EMITS stands first.
    to_stream: Option<Span>,
    /// Where an attribute of a patch is named first.
    of_patch: Option<Span>,
}

impl Primitives {
    pub const fn new(stage: Stage) -> Self {
        Self {
            stage,
            input: None,
            output: None,
            vertices: None,
            invocations: None,
            mode: None,
            spacing: None,
            order: None,
            points: TessellationPoints::Off,
            places: Vec::new(),
            highest: None,
            highest_out: None,
            to_stream: None,
            of_patch: None,
        }
    }

    /// What a geometry program declares in all, if that is complete.
    pub fn layout(&self) -> Option<GeometryLayout> {
        Some(GeometryLayout {
            input: self.input?,
            output: self.output?,
            vertices_out: self.vertices?,
            invocations: self.invocations.unwrap_or(1),
        })
    }

    /// How many vertices a control program gives a patch.
    pub fn patch_vertices(&self) -> Option<u8> {
        self.vertices.filter(|_| self.stage == Stage::TessControl).and_then(|count| u8::try_from(count).ok())
    }

    /// What an evaluation program declares of the primitive generator.
    pub fn tessellation(&self) -> Option<TessellationLayout> {
        let (spacing, order) = (self.spacing.unwrap_or_default(), self.order.unwrap_or_default());
        self.mode.map(|mode| TessellationLayout { mode, spacing, order, points: self.points })
    }

    /// How many vertices there are to be named, as far as that is known.
    fn named(&self, patch: Patch) -> u8 {
        match patch {
            Patch::In => self.input.map_or(InputPrimitive::MOST_VERTICES, InputPrimitive::vertices),
            Patch::Out => self.patch_vertices().unwrap_or(limits::PATCH_VERTICES),
        }
    }

    /// The same of what `attribute` is of.
    pub fn vertices_of(&self, attribute: Attribute) -> u8 {
        self.named(patch_of(attribute))
    }

    fn place(&self, statement: PrimitiveStatement) -> Option<Span> {
        self.places.iter().find(|(other, _)| *other == statement).map(|(_, span)| *span)
    }
}

const fn patch_of(attribute: Attribute) -> Patch {
    match attribute {
        Attribute::OutVertex { .. } => Patch::Out,
        _ => Patch::In,
    }
}

impl<'t> Parser<'t> {
    /// A statement about primitives, whose keyword stands at `keyword`, without `;`.
    pub(super) fn primitive_statement(&mut self, statement: PrimitiveStatement, keyword: Span) -> Parse<()> {
        let begin = self.token.span;
        match statement {
            PrimitiveStatement::Input => {
                let found = self.input_primitive()?;
                self.own.primitives.input = self.own.primitives.input.or(found);
            }
            PrimitiveStatement::Output => {
                let found =
                    self.one_named(&OutputPrimitive::ALL, OutputPrimitive::name, "output primitive")?;
                self.own.primitives.output = self.own.primitives.output.or(found);
            }
            PrimitiveStatement::Vertices => {
                let (most, clause) = match self.own.primitives.stage {
                    Stage::TessControl => (limits::PATCH_VERTICES.into(), self.own.primitives_clause()),
                    _ => (limits::OUTPUT_VERTICES as u32, "NV_geometry_program4 2.14.6.4"),
                };
                let number = self.number_up_to(most, clause)?;
                self.own.primitives.vertices = self.own.primitives.vertices.or(number);
            }
            PrimitiveStatement::Invocations => {
                let number = self.number_up_to(limits::GEOMETRY_INVOCATIONS, "NV_gpu_program5 2.X.7.Y")?;
                self.own.primitives.invocations = self.own.primitives.invocations.or(number);
            }
            PrimitiveStatement::Mode => {
                let found = self.one_named(&TessellationMode::ALL, TessellationMode::name, "mode")?;
                self.own.primitives.mode = self.own.primitives.mode.or(found);
            }
            PrimitiveStatement::Spacing => {
                let found =
                    self.one_named(&TessellationSpacing::ALL, TessellationSpacing::name, "spacing")?;
                self.own.primitives.spacing = self.own.primitives.spacing.or(found);
            }
            PrimitiveStatement::Order => {
                let found =
                    self.one_named(&TessellationOrder::ALL, TessellationOrder::name, "vertex order")?;
                self.own.primitives.order = self.own.primitives.order.or(found);
            }
            PrimitiveStatement::PointMode => self.own.primitives.points = TessellationPoints::On,
        }
        let span = keyword.to(self.previous);
        if let Some(first) = self.own.primitives.place(statement) {
            let message = format!("{} is declared already", statement.name());
            self.sink.push(
                Diagnostic::error("gpu-primitive-twice", self.own.primitives_clause(), span, message)
                    .with_label(first, "first declared here")
                    .at_position(begin.start),
            );
        } else {
            self.own.primitives.places.push((statement, span));
        }
        Ok(())
    }

    /// One of `all` by its name.
    fn one_named<T: Copy>(
        &mut self,
        all: &[T],
        name: fn(T) -> &'static str,
        what: &'static str,
    ) -> Parse<Option<T>> {
        let names: Vec<&'static str> = all.iter().map(|one| name(*one)).collect();
        let clause = self.own.primitives_clause();
        let found = self.one_of(&names, Subject { code: "gpu-bad-primitive", clause, what })?;
        Ok(all.iter().copied().find(|one| name(*one) == found))
    }

    /// What a geometry program reads.
    fn input_primitive(&mut self) -> Parse<Option<InputPrimitive>> {
        let is_in = |primitive: &InputPrimitive, language| primitive.is_in(language);
        let word = self.word();
        if let Some(named) = InputPrimitive::ALL.into_iter().find(|primitive| primitive.name() == word)
            && let Some(newer) = self.own.newer_language(|profile| is_in(&named, profile.language))
        {
            let fault = self.own.newer("gpu-later-feature", named.name(), newer, self.token.span);
            return self.fail(fault);
        }
        let mut all = InputPrimitive::ALL.to_vec();
        all.retain(|primitive| is_in(primitive, self.own.language));
        self.one_named(&all, InputPrimitive::name, "input primitive")
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
    pub(super) fn vertex_number(&mut self, patch: Patch) -> Parse<Option<u8>> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let (token, clause) = (self.token, self.own.vertex_clause());
        if token.kind == TokenKind::Word {
            let message = "the number of a vertex is a constant here";
            let fault = Diagnostic::error("gpu-vertex-number", clause, token.span, message).with_note(
                "A variable declared without it takes any: `ATTRIB p = vertex.position;`, `p[i.x]`.",
            );
            return self.fail(fault);
        }
        let subject = Subject { code: "gpu-vertex-number", clause, what: "vertex" };
        let number = self.number_below(usize::from(self.own.primitives.named(patch)), subject)?;
        self.close_bracket()?;
        Ok(number.and_then(|number| u8::try_from(number).ok()).inspect(|&number| {
            self.own.name_vertex((patch, number), token.span);
        }))
    }

    /// `[ m ]`, and `[ n ]` of an array, behind the name at `name` of a variable that each vertex has; nothing where one is
    /// at fault.
    pub(super) fn vertex_element(
        &mut self,
        array: Elements<Attribute>,
        is_array: bool,
        name: Span,
    ) -> Parse<Option<(AttributeBinding, Declared)>> {
        let (place, patch) = (self.token.span, patch_of(array.first));
        let vertex = self.array_index(self.own.primitives.named(patch).into(), name)?;
        if let Some(ArrayIndex::Number(number)) = vertex {
            let number = u8::try_from(number).unwrap_or(u8::MAX);
            self.own.name_vertex((patch, number), place.to(self.previous));
        }
        let element = if is_array {
            self.array_index(array.count.into(), name)?
        } else {
            self.no_index(name)?;
            Some(ArrayIndex::Number(0))
        };
        let (Some(vertex), Some(element)) = (vertex, element) else { return Ok(None) };
        if let ArrayIndex::Relative(_) = element {
            self.own.counts.index_attributes(array, name);
        }
        Ok(binding(array, vertex, element).map(|binding| (binding, array.declared)))
    }
}

/// What the variable gives with these indices.
fn binding(array: Elements<Attribute>, vertex: ArrayIndex, element: ArrayIndex) -> Option<AttributeBinding> {
    let byte = |number: u32| u8::try_from(number).ok();
    let (first, count, element): (Attribute, u8, Option<Relative>) = match element {
        ArrayIndex::Number(number) => (array.first.after(byte(number)?)?, 1, None),
        ArrayIndex::Relative(relative) => (array.first, byte(array.count.into())?, Some(relative)),
    };
    Some(match (vertex, element) {
        (ArrayIndex::Number(vertex), None) => AttributeBinding::One(first.at_vertex(byte(vertex)?)),
        (ArrayIndex::Number(vertex), Some(relative)) => {
            AttributeBinding::Indexed { first: first.at_vertex(byte(vertex)?), count, relative }
        }
        (ArrayIndex::Relative(vertex), element) => {
            AttributeBinding::OfVertices { first, count, vertex, element }
        }
    })
}

impl Arb<'_> {
    /// Whether attributes are those of several vertices.
    pub(super) fn names_vertices(&self) -> bool {
        self.language.stage().reads_primitives()
    }

    /// Whether it is a language of NV_tessellation_program5.
    fn tessellates(&self) -> bool {
        matches!(self.language.stage(), Stage::TessControl | Stage::TessEvaluation)
    }

    /// The clause about what is declared of primitives.
    fn primitives_clause(&self) -> &'static str {
        if self.tessellates() { "NV_tessellation_program5 2.X.7.Y" } else { "NV_geometry_program4 2.X.7.Y" }
    }

    /// The clause about the attributes of vertices.
    pub(super) fn vertex_clause(&self) -> &'static str {
        if self.tessellates() { "NV_tessellation_program5 2.X.3.2" } else { "NV_geometry_program4 2.X.3.2" }
    }

    /// Notes that the vertex `number` is named at `span`.
    fn name_vertex(&mut self, (patch, number): (Patch, u8), span: Span) {
        let highest = match patch {
            Patch::In => &mut self.primitives.highest,
            Patch::Out => &mut self.primitives.highest_out,
        };
        if highest.is_none_or(|(before, _)| before < number) {
            *highest = Some((number, span));
        }
    }

    /// Notes that an attribute of a patch is named at `span`.
    pub(super) fn note_patch_attribute(&mut self, span: Span) {
        self.primitives.of_patch.get_or_insert(span);
    }

    /// Notes what EMITS asks of the primitives.
    pub(super) fn note_emit(&mut self, opcode: Opcode, span: Span) {
        if opcode == Opcode::Emits {
            self.primitives.to_stream.get_or_insert(span);
        }
    }

    /// Reports at the program's `length` what its declarations lack or do not allow.
    pub(super) fn report_primitives(&self, length: usize, end: Span, sink: &mut Sink) {
        let (stage, primitives) = (self.language.stage(), &self.primitives);
        for statement in PrimitiveStatement::of(stage) {
            if primitives.place(*statement).is_none() {
                let (kind, name) = (stage.name(), statement.name());
                let message = format!("a {kind} program declares {name}, and this does not");
                let clause = self.primitives_clause();
                sink.push(
                    Diagnostic::error("gpu-primitive-missing", clause, end, message).at_position(length),
                );
            }
        }
        self.report_vertices(length, sink);
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
        if let (Some(span), Some(input)) = (primitives.of_patch, primitives.input)
            && input != InputPrimitive::Patches
        {
            let message = format!("{} have no attributes of patches", input.name());
            let clause = "NV_gpu_program5 2.X.3.2";
            let fault = Diagnostic::error("gpu-patch-attribute", clause, span, message).at_position(length);
            sink.push(self.declared_here(fault));
        }
        let (components, most) = (self.counts.result_components(), limits::OUTPUT_COMPONENTS);
        if let (Stage::Geometry, Some(vertices), Some(place)) =
            (stage, primitives.vertices, primitives.place(PrimitiveStatement::Vertices))
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

    /// Points to where it is declared what is read.
    fn declared_here(&self, fault: Diagnostic) -> Diagnostic {
        match self.primitives.place(PrimitiveStatement::Input) {
            Some(place) => fault.with_label(place, "declared here"),
            None => fault,
        }
    }

    /// Reports vertices that are named and that there are not.
    fn report_vertices(&self, length: usize, sink: &mut Sink) {
        let primitives = &self.primitives;
        let note = |count: u8, whose: &str| match count {
            1 => "There is vertex 0 alone.".to_owned(),
            count => format!("{whose} vertices are 0 to {}.", count - 1),
        };
        if let (Some((number, span)), Some(input)) = (primitives.highest, primitives.input)
            && number >= input.vertices()
        {
            let message = format!("{} have no vertex {number}", input.name());
            let fault = Diagnostic::error("gpu-vertex-number", self.vertex_clause(), span, message)
                .with_note(note(input.vertices(), "Their"))
                .at_position(length);
            sink.push(self.declared_here(fault));
        }
        if let (Some((number, span)), Some(count)) = (primitives.highest_out, primitives.patch_vertices())
            && number >= count
        {
            let message = format!("the output patch has no vertex {number}");
            let mut fault = Diagnostic::error("gpu-vertex-number", self.vertex_clause(), span, message)
                .with_note(note(count, "Its"))
                .at_position(length);
            if let Some(place) = primitives.place(PrimitiveStatement::Vertices) {
                fault = fault.with_label(place, "declared here");
            }
            sink.push(fault);
        }
    }
}
