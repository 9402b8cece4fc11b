//! Declarations of primitives and patches, and the numbers of the vertices that programs name
//! (NV_geometry_program4 2.X.7.Y, NV_gpu_program5 2.X.7.Y, NV_tessellation_program5 2.X.7.Y).

use super::bindings::{AttributeBinding, Patch, Subject};
use super::check::ParsedInstruction;
use super::indices::Relative;
use super::names::{Declared, Elements};
use super::operand::ArrayIndex;
use super::parser::{Arb, Parser};
use crate::diag::{Diagnostic, codes};
use crate::front::parser::{Parse, Section};
use crate::front::{Sink, lossy};
use crate::ir::{
    Attribute, GeometryLayout, InputPrimitive, OutputPrimitive, TessellationLayout, TessellationMode,
    TessellationOrder, TessellationPoints, TessellationSpacing, limits,
};
use crate::isa::{Action, Emit, Stage};
use crate::source::Span;
use crate::syntax::TokenKind;

named_enum! {
    /// A statement about primitives or patches.
    pub enum PrimitiveStatement {
        Input = "PRIMITIVE_IN",
        Output = "PRIMITIVE_OUT",
        Vertices = "VERTICES_OUT",
        Invocations = "INVOCATIONS",
        Mode = "TESS_MODE",
        Spacing = "TESS_SPACING",
        Order = "TESS_VERTEX_ORDER",
        PointMode = "TESS_POINT_MODE",
    }
}

impl PrimitiveStatement {
    /// The statements that every program of `stage` must have.
    const fn of(stage: Stage) -> &'static [Self] {
        match stage {
            Stage::Geometry => &[Self::Input, Self::Output, Self::Vertices],
            Stage::TessControl => &[Self::Vertices],
            Stage::TessEvaluation => &[Self::Mode],
            Stage::Vertex | Stage::VertexState | Stage::Fragment => &[],
        }
    }
}

/// The declarations read so far.
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
    /// The first place of each statement.
    places: Vec<(PrimitiveStatement, Span)>,
    /// Whether an error already has a fix that moves a late declaration.
    is_move_offered: bool,
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
            is_move_offered: false,
        }
    }

    /// The declarations of a geometry program. `None` if one is missing.
    pub fn layout(&self) -> Option<GeometryLayout> {
        Some(GeometryLayout {
            input: self.input?,
            output: self.output?,
            vertices_out: self.vertices?,
            invocations: self.invocations.unwrap_or(1),
        })
    }

    /// Number of vertices in the output patch of a control program.
    pub fn patch_vertices(&self) -> Option<u8> {
        self.vertices.filter(|_| self.stage == Stage::TessControl).and_then(|count| u8::try_from(count).ok())
    }

    /// The primitive generator settings that an evaluation program declares.
    pub fn tessellation(&self) -> Option<TessellationLayout> {
        let (spacing, order) = (self.spacing.unwrap_or_default(), self.order.unwrap_or_default());
        self.mode.map(|mode| TessellationLayout { mode, spacing, order, points: self.points })
    }

    /// Number of vertices that bindings can name. While it is undeclared, the maximum.
    fn named(&self, patch: Patch) -> u8 {
        match patch {
            Patch::In => self.input.map_or(InputPrimitive::MOST_VERTICES, InputPrimitive::vertices),
            Patch::Out => self.patch_vertices().unwrap_or(limits::PATCH_VERTICES),
        }
    }

    /// Number of vertices in the primitive or patch that `attribute` belongs to.
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
    /// Reads a declaration of primitives or patches after its keyword at `keyword`, with the `;`.
    pub(super) fn primitive_declaration(
        &mut self,
        statement: PrimitiveStatement,
        keyword: Span,
    ) -> Parse<()> {
        let read = self.primitive_statement(statement, keyword).and_then(|()| self.semicolon());
        self.end_options();
        if let Section::Statements(first) = self.section {
            self.late_declaration(statement, keyword, first);
        }
        read
    }

    /// Reports a declaration that follows the statement at `first` (NV_gpu_program4 2.X.2). The last token of
    /// the declaration has been read.
    fn late_declaration(&mut self, statement: PrimitiveStatement, keyword: Span, first: Span) {
        let name = statement.name();
        let message = format!("{name} must come before the first statement");
        let mut fault = Diagnostic::new(codes::GPU_LATE_DECLARATION, keyword, message)
            .with_label(first, "the first statement")
            .with_note("Labels, instructions and variable declarations are statements.");
        let whole = keyword.to(self.previous);
        let moved = whole.slice(self.text);
        // Each fix repeats the text before the declaration, so one for each would take quadratic memory.
        if moved.ends_with(b";") && !std::mem::replace(&mut self.own.primitives.is_move_offered, true) {
            let before = Span::new(first.start, keyword.start);
            let replacement = format!("{}\n{}", lossy(moved), lossy(before.slice(self.text)));
            fault = fault.with_fix("move it to the start", first.to(whole), replacement);
        }
        self.sink.push(fault);
    }

    /// Reads a declaration after its keyword at `keyword`, without the `;`.
    fn primitive_statement(&mut self, statement: PrimitiveStatement, keyword: Span) -> Parse<()> {
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
            let message = format!("{} is already declared", statement.name());
            self.sink.push(
                Diagnostic::new(
                    codes::GPU_PRIMITIVE_TWICE.citing(self.own.primitives_clause()),
                    span,
                    message,
                )
                .with_label(first, "first declared here")
                .at_position(begin.start),
            );
        } else {
            self.own.primitives.places.push((statement, span));
        }
        Ok(())
    }

    /// Reads the name of one of `all`.
    fn one_named<T: Copy>(
        &mut self,
        all: &[T],
        name: fn(T) -> &'static str,
        what: &'static str,
    ) -> Parse<Option<T>> {
        let names: Vec<&'static str> = all.iter().map(|one| name(*one)).collect();
        let code = codes::GPU_BAD_PRIMITIVE.citing(self.own.primitives_clause());
        let found = self.one_of(&names, Subject { code, what })?;
        Ok(all.iter().copied().find(|one| name(*one) == found))
    }

    /// Reads the input primitive of a geometry program.
    fn input_primitive(&mut self) -> Parse<Option<InputPrimitive>> {
        let is_in = |primitive: &InputPrimitive, language| primitive.is_in(language);
        let word = self.word();
        if let Some(named) = InputPrimitive::from_name(word)
            && let Some(newer) = self.own.newer_language(|profile| is_in(&named, profile.language))
        {
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, named.name(), newer, self.token.span);
            return self.fail(fault);
        }
        let mut all = InputPrimitive::ALL.to_vec();
        all.retain(|primitive| is_in(primitive, self.own.language));
        self.one_named(&all, InputPrimitive::name, "input primitive")
    }

    /// Reads a number from 1 to `most`. Returns `None` after a reported error.
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
            self.sink.push(Diagnostic::new(
                codes::GPU_BAD_PRIMITIVE_NUMBER.citing(clause),
                token.span,
                message,
            ));
        }
        Ok(number)
    }

    /// Reads `[ m ]` after `vertex`. Returns the vertex number, or `None` after a reported error.
    pub(super) fn vertex_number(&mut self, patch: Patch) -> Parse<Option<u8>> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let (token, code) = (self.token, codes::GPU_VERTEX_NUMBER.citing(self.own.vertex_clause()));
        if token.kind == TokenKind::Word {
            let message = "the vertex number must be a constant here";
            let fault = Diagnostic::new(code, token.span, message).with_note(
                "For a computed number, declare a variable without one: `ATTRIB p = vertex.position;`, then `p[i.x]`.",
            );
            return self.fail(fault);
        }
        let subject = Subject { code, what: "vertex" };
        let number = self.number_below(usize::from(self.own.primitives.named(patch)), subject)?;
        self.close_bracket()?;
        Ok(number.and_then(|number| u8::try_from(number).ok()))
    }

    /// Reads `[ m ]`, and `[ n ]` for an array, after the name at `name` of a variable that each vertex has.
    /// Returns `None` after a reported error.
    pub(super) fn vertex_element(
        &mut self,
        array: Elements<Attribute>,
        is_array: bool,
        name: Span,
    ) -> Parse<Option<(AttributeBinding, Declared)>> {
        let vertex = self.array_index(self.own.primitives.vertices_of(array.first).into(), name)?;
        let index = self.index_token();
        let element = if is_array {
            self.array_index(array.count.into(), name)?
        } else {
            self.no_index(name)?;
            Some(ArrayIndex::Number(0))
        };
        let (Some(vertex), Some(element)) = (vertex, element) else { return Ok(None) };
        if let ArrayIndex::Relative(_) = element {
            self.own.counts.index_attributes(array, index, &mut self.sink);
        }
        Ok(binding(array, vertex, element).map(|binding| (binding, array.declared)))
    }
}

/// The attribute binding of a variable with these indices.
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
    /// Whether attributes belong to the vertices of a primitive or patch.
    pub(super) fn names_vertices(&self) -> bool {
        self.language.stage().reads_primitives()
    }

    /// Whether the language is one of NV_tessellation_program5.
    fn tessellates(&self) -> bool {
        matches!(self.language.stage(), Stage::TessControl | Stage::TessEvaluation)
    }

    /// The clause about declarations of primitives.
    fn primitives_clause(&self) -> &'static str {
        if self.tessellates() { "NV_tessellation_program5 2.X.7.Y" } else { "NV_geometry_program4 2.X.7.Y" }
    }

    /// The clause about attributes of vertices.
    pub(super) fn vertex_clause(&self) -> &'static str {
        if self.tessellates() { "NV_tessellation_program5 2.X.3.2" } else { "NV_geometry_program4 2.X.3.2" }
    }

    /// Reports a patch attribute, whose name is at `span`, if the input primitive is not a patch.
    pub(super) fn check_patch_attribute(&self, span: Span, sink: &mut Sink) {
        let Some(input) = self.primitives.input.filter(|input| *input != InputPrimitive::Patches) else {
            return;
        };
        let message = format!("{} have no patch attributes", input.name());
        let fault = Diagnostic::new(codes::GPU_PATCH_ATTRIBUTE, span, message);
        sink.push(self.declared_here(PrimitiveStatement::Input, fault));
    }

    /// Reports EMITS if the output primitive is not POINTS.
    pub(super) fn check_emit(&self, parsed: &ParsedInstruction<'_>, sink: &mut Sink) {
        let Some(output) = self.primitives.output.filter(|output| *output != OutputPrimitive::Points) else {
            return;
        };
        if parsed.info.action == Action::Emits(Emit::ToStream) {
            let message = format!("EMITS needs POINTS, but this program outputs {}", output.name());
            let fault = Diagnostic::new(codes::GPU_STREAM_PRIMITIVE, parsed.mnemonic_span, message)
                .with_note("Use EMIT, which emits to stream 0.");
            sink.push(self.declared_here(PrimitiveStatement::Output, fault));
        }
    }

    /// Reports the result at `span` if this result brings the components of all vertices over the limit.
    /// `before` is the number of components per vertex without this result.
    pub(super) fn check_output_components(&self, before: usize, span: Span, sink: &mut Sink) {
        let (components, most) = (self.counts.result_components(), limits::OUTPUT_COMPONENTS);
        let vertices = self.primitives.vertices.filter(|_| self.language.stage() == Stage::Geometry);
        let Some(vertices) = vertices.filter(|&vertices| {
            let vertices = vertices as usize;
            vertices * before <= most && vertices * components > most
        }) else {
            return;
        };
        let message =
            format!("{vertices} vertices of {components} components exceed the limit of {most} components");
        let fault = Diagnostic::new(codes::GPU_TOO_MANY_OUTPUT_COMPONENTS, span, message).with_note(format!(
            "With {components} components, at most {} vertices can be emitted.",
            most / components.max(1)
        ));
        sink.push(self.declared_here(PrimitiveStatement::Vertices, fault));
    }

    /// Reports each missing declaration, at position `length`, the end of the program.
    pub(super) fn report_primitives(&self, length: usize, end: Span, sink: &mut Sink) {
        let stage = self.language.stage();
        for statement in PrimitiveStatement::of(stage) {
            if self.primitives.place(*statement).is_none() {
                let (kind, name) = (stage.name(), statement.name());
                let message = format!("a {kind} program must declare {name}");
                let code = codes::GPU_PRIMITIVE_MISSING.citing(self.primitives_clause());
                sink.push(Diagnostic::new(code, end, message).at_position(length));
            }
        }
    }

    /// Adds to an error the place of the declaration that causes the error.
    fn declared_here(&self, statement: PrimitiveStatement, fault: Diagnostic) -> Diagnostic {
        match self.primitives.place(statement) {
            Some(place) => fault.with_label(place, "declared here"),
            None => fault,
        }
    }
}
