//! Warnings about the programs of a draw together:
//!
//! * results that a stage reads and no earlier stage writes
//! * numbers that are read as another type than they are written
//! * vertices that are emitted without a result that a later stage reads
//! * lookups of images to which the draw stores
//!
//! Stages without a program have known results, too. Fixed-function vertex processing does not write generic
//! interpolants, the point size or the vertex's number. The rectangle that covers the window has every
//! attribute. There are no warnings about point sizes and clip distances that are enabled and not written.

use super::interface::{EmittedVertex, Given, Interface, Lookup, Numbers, Read};
use shadestep_language::diag::{Diagnostic, codes};
use shadestep_language::ir::{
    Attribute, OutputRole, PatchResult, TextureTarget, Variation, VertexResult, WriteMask, mask_text,
};
use shadestep_language::isa::{Family, Language, Stage};
use shadestep_language::source::Span;
use std::collections::BTreeMap;

/// The state of a draw that decides which results are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawState {
    /// Primitives are discarded before they are clipped (`RASTERIZER_DISCARD`).
    pub discards_primitives: bool,
    /// Back faces take the back colours (`VERTEX_PROGRAM_TWO_SIDE`).
    pub two_side: bool,
    /// Colours are flat (`ShadeModel`).
    pub flat_colors: bool,
    /// Some component of some colour is written (`ColorMask`).
    pub writes_color: bool,
    /// Texture coordinate sets that point sprites replace, bit n for set n.
    pub replaced_coordinates: u32,
}

/// A result that transform feedback records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedResult {
    /// The vertex stream.
    pub stream: u8,
    /// The result.
    pub result: VertexResult,
    /// How many components, from x on: 1 to 4.
    pub components: u8,
}

impl RecordedResult {
    /// The components as a mask, bit 0 = x.
    const fn mask(self) -> u8 {
        (1 << self.components) - 1
    }
}

/// The stages of a draw.
#[derive(Clone, Copy, Debug)]
pub struct Stages<'a> {
    /// The vertex program. Without one, vertices are fixed-function.
    pub vertex: Option<&'a Interface>,
    /// The tessellation control program.
    pub control: Option<&'a Interface>,
    /// The tessellation evaluation program.
    pub evaluation: Option<&'a Interface>,
    /// The geometry program.
    pub geometry: Option<&'a Interface>,
    /// The fragment program.
    pub fragment: Option<&'a Interface>,
    /// Whether the fragments belong to the rectangle that covers the window, which has no vertices.
    pub covers_window: bool,
    /// State of the draw.
    pub state: DrawState,
    /// The texture of the fixed-function fragment stage, which colours fragments if there is no fragment
    /// program.
    pub fixed_texture: Option<TextureTarget>,
    /// The results that transform feedback records.
    pub recorded: &'a [RecordedResult],
    /// Textures that programs look up and store to.
    pub shared: &'a [SharedImage],
}

/// A texture on a texture image unit that is also bound to an image unit, with the same level and all its
/// layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedImage {
    /// The texture image unit.
    pub texture_unit: u8,
    /// The texture's target.
    pub target: TextureTarget,
    /// The image unit.
    pub image_unit: u8,
}

/// The warnings about the programs of `stages` together, each with the stage of its program. Warnings about
/// earlier stages come first.
///
/// ```
/// use shadestep_ide::lint::{DrawState, Interface, Stages, linked, load};
/// use shadestep_language::isa::Stage;
///
/// let interface = |text: &[u8]| Interface::of(&load(text).program.unwrap());
/// let vertex = interface(b"!!VP1.1 MOV o[HPOS], v[OPOS]; END");
/// let fragment = interface(b"!!FP1.0 MOV o[COLR], f[TEX3]; END");
/// let found = linked(&Stages {
///     vertex: Some(&vertex),
///     control: None,
///     evaluation: None,
///     geometry: None,
///     fragment: Some(&fragment),
///     covers_window: false,
///     state: DrawState::default(),
///     fixed_texture: None,
///     recorded: &[],
///     shared: &[],
/// });
/// let (stage, warning) = &found[0];
/// assert_eq!(*stage, Stage::Fragment);
/// assert_eq!(warning.message, "f[TEX3] is read, but the vertex program does not write o[TEX3]");
/// ```
pub fn linked(stages: &Stages<'_>) -> Vec<(Stage, Diagnostic)> {
    let mut found = Vec::new();
    for (stage, reader) in stages.programs() {
        if stage == Stage::Fragment && stages.state.discards_primitives {
            continue;
        }
        found.extend(reads(stages, (stage, reader)).into_iter().map(|warning| (stage, warning)));
    }
    found.extend(stages.levels().map(|warning| (Stage::TessControl, warning)));
    if let Maker::Program(stage, last) = stages.last() {
        let fixed = fixed_reads(stages, (stage, last)).into_iter().map(|warning| (stage, warning));
        found.extend(fixed);
        if stage == Stage::Geometry {
            found.extend(emitted(stages, last).into_iter().map(|warning| (stage, warning)));
        }
    }
    found.extend(shared_images(stages));
    found.sort_by_key(|(stage, warning)| (*stage as usize, warning.position));
    found
}

/// The stage that writes the attributes of another.
#[derive(Clone, Copy)]
enum Maker<'a> {
    Program(Stage, &'a Interface),
    /// Fixed-function vertex processing.
    Conventional,
    /// The rectangle that covers the window.
    Rectangle,
}

impl<'a> Stages<'a> {
    /// The programs in the order in which they run.
    fn programs(&self) -> impl Iterator<Item = (Stage, &'a Interface)> {
        let all = [
            (Stage::Vertex, self.vertex),
            (Stage::TessControl, self.control),
            (Stage::TessEvaluation, self.evaluation),
            (Stage::Geometry, self.geometry),
            (Stage::Fragment, self.fragment),
        ];
        all.into_iter().filter_map(|(stage, program)| Some((stage, program?)))
    }

    /// The stage that produces the vertices that `stage` reads.
    fn before(&self, stage: Stage) -> Maker<'a> {
        let earlier: &[(Stage, Option<&'a Interface>)] = match stage {
            // Only the evaluation program subdivides patches.
            Stage::Fragment => &[(Stage::Geometry, self.geometry), (Stage::TessEvaluation, self.evaluation)],
            Stage::Geometry => {
                &[(Stage::TessEvaluation, self.evaluation), (Stage::TessControl, self.control)]
            }
            Stage::TessEvaluation => &[(Stage::TessControl, self.control)],
            Stage::TessControl | Stage::Vertex | Stage::VertexState => &[],
        };
        let made = earlier.iter().find_map(|(stage, program)| Some(Maker::Program(*stage, (*program)?)));
        made.unwrap_or(match self.vertex {
            Some(vertex) => Maker::Program(Stage::Vertex, vertex),
            None if self.covers_window => Maker::Rectangle,
            None => Maker::Conventional,
        })
    }

    /// The stage that produces the vertices that are drawn.
    fn last(&self) -> Maker<'a> {
        self.before(Stage::Fragment)
    }

    /// The stage that produces `attribute` for `stage`, and the results that may become the attribute.
    fn origin(&self, stage: Stage, attribute: Attribute) -> Option<(Maker<'a>, Vec<OutputRole>)> {
        let vertex = |results: &[VertexResult]| results.iter().copied().map(OutputRole::Vertex).collect();
        let state = self.state;
        let colors = |front, back| if state.two_side { vec![front, back] } else { vec![front] };
        let results = match attribute {
            Attribute::OfVertex { result, .. } => vertex(&[result]),
            Attribute::OfPatch(result) => {
                let control = self.control.map(|control| Maker::Program(Stage::TessControl, control));
                return Some((control.unwrap_or(Maker::Conventional), vec![OutputRole::Patch(result)]));
            }
            Attribute::Col0 => vertex(&colors(VertexResult::Col0, VertexResult::Bfc0)),
            Attribute::Col1 => vertex(&colors(VertexResult::Col1, VertexResult::Bfc1)),
            Attribute::Fogc | Attribute::FogCoord => vertex(&[VertexResult::Fogc]),
            Attribute::Tex(set) if state.replaced_coordinates >> set & 1 != 0 => return None,
            Attribute::Tex(set) => vertex(&[VertexResult::Tex(set)]),
            Attribute::ClipDistance(number) => vertex(&[VertexResult::Clp(number)]),
            Attribute::Generic(number) => vertex(&[VertexResult::Generic(number)]),
            Attribute::PrimitiveId if stage == Stage::Fragment && self.geometry.is_some() => {
                vertex(&[VertexResult::PrimitiveId])
            }
            _ => return None,
        };
        Some((self.before(stage), results))
    }

    /// The components of a result of `stage` that later stages use, apart from copying them to their own
    /// results. Bit 0 = x.
    fn needed(&self, stage: Stage, role: OutputRole) -> u8 {
        let is_fixed = self.fragment.is_none() && self.fixed_texture.is_some();
        match role {
            OutputRole::Vertex(VertexResult::Tex(0)) if is_fixed => return role.components(),
            OutputRole::Vertex(VertexResult::Generic(_) | VertexResult::Tex(_))
            | OutputRole::Patch(PatchResult::Generic(_)) => {}
            _ => return role.components(),
        }
        let is_it = |(maker, roles): &(Maker<'_>, Vec<OutputRole>)| {
            matches!(maker, Maker::Program(made_by, _) if *made_by == stage) && roles.contains(&role)
        };
        let mut needed = self.recorded_of(role);
        for (later, program) in self.programs().filter(|(later, _)| *later as usize > stage as usize) {
            for read in &program.reads {
                if read.attributes.iter().filter_map(|read| self.origin(later, *read)).any(|of| is_it(&of)) {
                    needed |= read.components & self.needed_of(later, read);
                }
            }
        }
        needed
    }

    /// The components of a read of `stage` that the stage or a later one uses, apart from copying them to
    /// results.
    fn needed_of(&self, stage: Stage, read: &Read) -> u8 {
        match &read.passed_on[..] {
            [] => 0xF,
            results => results.iter().fold(0, |needed, result| needed | self.needed(stage, *result)),
        }
    }

    /// The components of a result that transform feedback records, bit 0 = x.
    fn recorded_of(&self, role: OutputRole) -> u8 {
        let of_role = self.recorded.iter().filter(|recorded| OutputRole::Vertex(recorded.result) == role);
        of_role.fold(0, |all, recorded| all | recorded.mask())
    }

    /// The warning that a control program writes only some of the levels that its patches need.
    fn levels(&self) -> Option<Diagnostic> {
        let (control, evaluation) = self.control.zip(self.evaluation)?;
        let mode = evaluation.tessellation?.mode;
        let outer = (0..mode.outer_levels()).map(|number| PatchResult::Outer(number as u8));
        let inner = (0..mode.inner_levels()).map(|number| PatchResult::Inner(number as u8));
        let roles: Vec<OutputRole> = outer.chain(inner).map(OutputRole::Patch).collect();
        let is_given = |role: &&OutputRole| control.given.contains_key(role);
        let missing: Vec<String> =
            roles.iter().filter(|role| !is_given(role)).map(|role| role.binding()).collect();
        if missing.is_empty() || missing.len() == roles.len() {
            return None;
        }
        let (names, them) = (missing.join(", "), if missing.len() == 1 { "it" } else { "them" });
        let message =
            format!("{} patches need {names}, but this control program does not write {them}", mode.name());
        let note = "Levels that are not written are undefined. In Shadestep they are 0, and a patch with an outer level of 0 is not drawn.";
        Some(Diagnostic::new(codes::LINK_UNWRITTEN_LEVEL, header(control), message).with_note(note))
    }
}

/// The place of the header of a program.
fn header(program: &Interface) -> Span {
    Span::new(0, program.language.header().len())
}

/// Whether results of programs in `language` have values before they are written.
fn begins_defined(language: Language) -> bool {
    language.family() == Family::Vp
}

impl Maker<'_> {
    /// The components of `role` that have a value, bit 0 = x.
    fn gives(self, role: OutputRole) -> u8 {
        match (self, role) {
            (Self::Program(_, program), _) => program.gives(role),
            (Self::Rectangle, _) => 0xF,
            (Self::Conventional, OutputRole::Vertex(result)) => match result {
                VertexResult::Psiz
                | VertexResult::Generic(_)
                | VertexResult::Id
                | VertexResult::PrimitiveId
                | VertexResult::Layer => 0,
                _ => 0xF,
            },
            // Without a control program, the evaluation program reads the default levels.
            (Self::Conventional, OutputRole::Patch(result)) => match result {
                PatchResult::Generic(_) => 0,
                PatchResult::Outer(_) | PatchResult::Inner(_) => 0xF,
            },
            (Self::Conventional, _) => 0xF,
        }
    }

    /// The name of the stage, for the middle of a sentence.
    fn name(self) -> String {
        match self {
            Self::Program(stage, _) => format!("the {} program", stage.name()),
            Self::Conventional => "fixed-function vertex processing".to_owned(),
            Self::Rectangle => "the rectangle".to_owned(),
        }
    }

    /// The name of a result in the stage's language.
    fn result(self, role: OutputRole) -> String {
        match (self, role) {
            (Self::Program(_, program), _) => program.result(role),
            (_, role) => role.binding(),
        }
    }

    /// The clause about results that are not written, for a reader in `stage`.
    fn clause(self, stage: Stage) -> &'static str {
        match (self, stage) {
            (Self::Program(_, program), _) => program.results_clause(),
            (_, Stage::TessControl | Stage::TessEvaluation) => "NV_tessellation_program5 2.X.3.2",
            (_, Stage::Geometry) => "NV_geometry_program4 2.X.3.2",
            _ => "NV_fragment_program4 2.X.3.2",
        }
    }

    /// A sentence about the value of results that are not written.
    fn value(self) -> &'static str {
        match self {
            Self::Program(_, program) if begins_defined(program.language) => {
                "The result is (0,0,0,1) for every vertex."
            }
            _ => "A result that is not written is undefined. In Shadestep it is (0,0,0,1).",
        }
    }
}

impl Interface {
    /// The components of `role` that have a value, bit 0 = x.
    fn gives(&self, role: OutputRole) -> u8 {
        let invariant = self.options.position_invariant
            && matches!(role, OutputRole::Vertex(VertexResult::Hpos | VertexResult::Clp(_)));
        match self.given.get(&role) {
            _ if invariant => 0xF,
            Some(given) if begins_defined(self.language) && given.components != 0 => 0xF,
            Some(given) => given.components,
            // Clip distances of the older languages start as 0 (NV_vertex_program2_option 2.14.3.4).
            None if matches!(role, OutputRole::Vertex(VertexResult::Clp(_))) => {
                if self.language.profile().typed { 0 } else { 0xF }
            }
            None => 0,
        }
    }

    fn result(&self, role: OutputRole) -> String {
        let own = || match role {
            OutputRole::Vertex(result) => result.register_in(self.language),
            role => role.binding(),
        };
        self.given.get(&role).map_or_else(own, |given| given.name.clone())
    }

    fn results_clause(&self) -> &'static str {
        match self.language.family() {
            Family::Vp => "NV_vertex_program 2.14.1.5",
            Family::ArbVp => "ARB_vertex_program 2.14.3.4",
            _ => "NV_gpu_program4 2.X.3.5",
        }
    }

    /// The name of a read attribute.
    fn attribute(&self, attribute: Attribute, components: u8) -> String {
        format!("{}{}", attribute.register_in(self.language), mask_text(WriteMask(components)))
    }
}

/// The warnings about reads by the program of `stage` that no earlier stage writes, or writes as another
/// type. Each attribute gets one warning.
fn reads(stages: &Stages<'_>, (stage, reader): (Stage, &Interface)) -> Vec<Diagnostic> {
    let (mut found, mut told): (Vec<Diagnostic>, Vec<Attribute>) = (Vec::new(), Vec::new());
    for read in &reader.reads {
        let Some(first) = read.attributes.first().filter(|first| !told.contains(first)) else { continue };
        let warning =
            unwritten(stages, (stage, reader), read).or_else(|| other_numbers(stages, (stage, reader), read));
        if let Some(warning) = warning {
            told.push(*first);
            found.push(warning);
        }
    }
    found
}

/// The warning that nothing has written any of the attributes that may be read.
fn unwritten(stages: &Stages<'_>, (stage, reader): (Stage, &Interface), read: &Read) -> Option<Diagnostic> {
    let mut missing = 0xF;
    for attribute in &read.attributes {
        let (maker, roles) = stages.origin(stage, *attribute)?;
        let given = roles.iter().fold(0, |given, role| given | maker.gives(*role));
        missing &= read.components & roles.first()?.components() & !given;
    }
    missing &= stages.needed_of(stage, read);
    let first = *read.attributes.first().filter(|_| missing != 0)?;
    let (maker, roles) = stages.origin(stage, first)?;
    let mask = mask_text(WriteMask(missing));
    let result = format!("{}{mask}", maker.result(*roles.first()?));
    let message =
        format!("{} is read, but {} does not write {result}", reader.attribute(first, missing), maker.name());
    let what_to_do = match maker {
        Maker::Program(..) => format!("Write {result} there, or do not read it."),
        Maker::Conventional | Maker::Rectangle => {
            "A vertex program can write it. Fixed-function vertices have colours, texture coordinates and a fog coordinate."
                .to_owned()
        }
    };
    let warning =
        Diagnostic::new(codes::LINK_UNWRITTEN_RESULT.citing(maker.clause(stage)), read.span, message);
    Some(warning.with_note(maker.value()).with_note(what_to_do))
}

/// The warning that integers are read as floats, or floats as integers.
fn other_numbers(
    stages: &Stages<'_>,
    (stage, reader): (Stage, &Interface),
    read: &Read,
) -> Option<Diagnostic> {
    let [attribute] = read.attributes[..] else { return None };
    let (maker, roles) = stages.origin(stage, attribute)?;
    let [role] = roles[..] else { return None };
    let components = read.components & role.components();
    let only = |given: &Given, own: u8, others: u8| components & given.components & own & !others;
    let (wrong, written, is_read) = match (maker, read.numbers) {
        (_, Numbers::Any) | (Maker::Rectangle, _) => return None,
        (Maker::Conventional, Numbers::Integers) => (components, "floats", "integers"),
        (Maker::Conventional, Numbers::Floats) => return None,
        (Maker::Program(_, program), numbers) => {
            let given = program.given.get(&role)?;
            match numbers {
                Numbers::Floats => {
                    (only(given, given.integers, given.floats | given.copies), "integers", "floats")
                }
                _ => (only(given, given.floats, given.integers | given.copies), "floats", "integers"),
            }
        }
    };
    if wrong == 0 {
        return None;
    }
    let result = format!("{}{}", maker.result(role), mask_text(WriteMask(wrong)));
    let message = format!(
        "{} is read as {is_read}, but {} writes {written} to {result}",
        reader.attribute(attribute, wrong),
        maker.name()
    );
    let note = match read.numbers {
        Numbers::Floats => "The bits are used unchanged. Read it with .S or .U and convert it with I2F.",
        _ => "The bits are used unchanged. Read it without .S or .U and convert it with TRUNC.S or similar.",
    };
    let clause = match stage {
        Stage::TessControl | Stage::TessEvaluation => "NV_tessellation_program5 2.X.3.2",
        Stage::Geometry => "NV_geometry_program4 2.X.3.2",
        _ => "NV_fragment_program4 2.X.3.2",
    };
    Some(Diagnostic::new(codes::LINK_OTHER_NUMBERS.citing(clause), read.span, message).with_note(note))
}

/// The warnings about results that stages without a program read, and the last program before them does not
/// write.
fn fixed_reads(stages: &Stages<'_>, (stage, last): (Stage, &Interface)) -> Vec<Diagnostic> {
    let state = stages.state;
    let mut found = Vec::new();
    let mut look = |reader: &str, result: VertexResult, missing: u8| {
        if missing != 0 {
            let role = OutputRole::Vertex(result);
            let name = format!("{}{}", last.result(role), mask_text(WriteMask(missing)));
            let message = format!("{reader} {name}, but this program does not write it");
            let value = Maker::Program(stage, last).value();
            found.push(
                Diagnostic::new(
                    codes::LINK_UNWRITTEN_RESULT.citing(last.results_clause()),
                    header(last),
                    message,
                )
                .with_note(value)
                .with_note(format!("Write {name}.")),
            );
        }
    };
    let lacks = |result: VertexResult, components: u8| components & !last.gives(OutputRole::Vertex(result));
    if !state.discards_primitives {
        look("clipping reads", VertexResult::Hpos, lacks(VertexResult::Hpos, 0xF));
    }
    let is_seen = state.writes_color && !state.discards_primitives && stages.fragment.is_none();
    if is_seen {
        // Back faces may be the only ones.
        let back = if state.two_side { last.gives(OutputRole::Vertex(VertexResult::Bfc0)) } else { 0 };
        let color = last.gives(OutputRole::Vertex(VertexResult::Col0)) | back;
        let reader = "without a fragment program, fragments take their colour from";
        look(reader, VertexResult::Col0, if color == 0 { 0xF } else { 0 });
        let is_sprite = state.replaced_coordinates & 1 != 0;
        if let Some(target) = stages.fixed_texture.filter(|_| !is_sprite) {
            // Coordinates are divided by q, except for cube maps.
            let q = if target == TextureTarget::Cube { 0 } else { 0b1000 };
            let missing = lacks(VertexResult::Tex(0), target.coordinates() | q);
            look("without a fragment program, texture 0 is sampled at", VertexResult::Tex(0), missing);
        }
    }
    let mut recorded: BTreeMap<VertexResult, u8> = BTreeMap::new();
    for one in stages.recorded {
        *recorded.entry(one.result).or_default() |= one.mask() & one.result.components();
    }
    for (result, components) in recorded {
        // The number of a primitive is known without a geometry program (NV_transform_feedback 2.Y).
        let is_known = result == VertexResult::PrimitiveId && stage != Stage::Geometry;
        let missing = if is_known { 0 } else { lacks(result, components) };
        if result != VertexResult::Hpos || state.discards_primitives {
            look("transform feedback records", result, missing);
        }
    }
    found
}

/// The warnings about vertices that are emitted without results that are read and that other vertices have.
fn emitted(stages: &Stages<'_>, geometry: &Interface) -> Vec<Diagnostic> {
    let drawn = drawn_reads(stages);
    let mut found = Vec::new();
    for vertex in &geometry.emitted {
        let mut missing: BTreeMap<OutputRole, u8> = BTreeMap::new();
        let mut look = |role: OutputRole, read: u8| {
            let given = geometry.given.get(&role).map_or(0, |given| given.components);
            let lacks = read & given & !vertex.written.get(&role).copied().unwrap_or(0);
            if lacks != 0 {
                *missing.entry(role).or_default() |= lacks;
            }
        };
        if vertex.stream == Some(0) {
            drawn.iter().for_each(|(role, read)| look(*role, *read));
        }
        for recorded in stages.recorded {
            if vertex.stream == Some(i64::from(recorded.stream)) {
                look(OutputRole::Vertex(recorded.result), recorded.mask() & recorded.result.components());
            }
        }
        found.extend(emitted_without(geometry, vertex, &missing));
    }
    found
}

/// The components of each result of the last program that are read of every vertex that is drawn.
fn drawn_reads(stages: &Stages<'_>) -> Vec<(OutputRole, u8)> {
    let mut all = Vec::new();
    let Some(fragment) = stages.fragment.filter(|_| !stages.state.discards_primitives) else { return all };
    for read in &fragment.reads {
        let [attribute] = read.attributes[..] else { continue };
        let is_flat = fragment.interpolations[attribute.index()].variation == Variation::Flat
            || attribute == Attribute::PrimitiveId
            || matches!(attribute, Attribute::Col0 | Attribute::Col1) && stages.state.flat_colors;
        // Flat attributes are read only from the provoking vertex.
        if let Some((_, roles)) = stages.origin(Stage::Fragment, attribute).filter(|_| !is_flat)
            && let [role] = roles[..]
        {
            all.push((role, read.components & role.components()));
        }
    }
    all
}

fn emitted_without(
    geometry: &Interface,
    vertex: &EmittedVertex,
    missing: &BTreeMap<OutputRole, u8>,
) -> Option<Diagnostic> {
    // `analysis` warns about positions.
    let others = missing.iter().filter(|(role, _)| **role != OutputRole::Vertex(VertexResult::Hpos));
    let name = |(role, components): (&OutputRole, &u8)| {
        format!("{}{}", geometry.result(*role), mask_text(WriteMask(*components)))
    };
    let names: Vec<String> = others.map(name).collect();
    if names.is_empty() {
        return None;
    }
    let names = names.join(", ");
    let message = format!("this vertex is emitted without {names}, which a later stage reads");
    let note = format!("All results are undefined after an EMIT. Write {names} again before this one.");
    Some(Diagnostic::new(codes::LINK_UNWRITTEN_AT_EMIT, vertex.span, message).with_note(note))
}

/// The warnings about lookups of images to which the draw stores. Each texture image unit of a program gets
/// one warning.
fn shared_images(stages: &Stages<'_>) -> Vec<(Stage, Diagnostic)> {
    let mut found = Vec::new();
    for (stage, program) in stages.programs() {
        let mut told: Vec<(u8, TextureTarget)> = Vec::new();
        for Lookup { unit, target, span } in &program.lookups {
            let is_same = |image: &&SharedImage| image.texture_unit == *unit && image.target == *target;
            let shared = stages.shared.iter().filter(is_same);
            let stored = shared.clone().find_map(|image| {
                let of = |(stage, program): (Stage, &Interface)| {
                    let mut stores = program.stores.iter().filter(|store| store.unit == image.image_unit);
                    stores.next().map(|store| (stage, store.span, image.image_unit))
                };
                stages.programs().find_map(of)
            });
            if let Some((storing, store, image_unit)) = stored
                && !told.contains(&(*unit, *target))
            {
                told.push((*unit, *target));
                let message = format!(
                    "this looks up texture[{unit}], but the draw stores to the same texels through image unit {image_unit}"
                );
                let warning = Diagnostic::new(codes::LINK_IMAGE_LOOP, *span, message)
                    .with_note(
                        "Lookups need not see the stores of the same draw. In Shadestep they see the texels from before the draw. \
                         Read with LOADIM, or store to another image.",
                    );
                let warning = match storing == stage {
                    true => warning.with_label(store, "stored to here"),
                    false => warning.with_note(format!("The {} program stores to it.", storing.name())),
                };
                found.push((stage, warning));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
