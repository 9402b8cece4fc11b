//! Drawing: from a context's state to a [`DrawCall`], which owns all it needs and can be rendered, on
//! whatever thread, as often as one likes. The commands that draw are in `draw_commands`.

use shadestep_core::debug::Subject;
use shadestep_language::isa::Stage;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Context;
use super::arrays::VertexMode;
use super::checkpoints::Checkpoints;
use super::draw_memory::DrawMemory;
use super::enums::{Cap, FogEquation};
use super::error::{Error, Result};
use super::programs::{Loaded, ProgramObject};
use super::transform::VertexStage;
use super::transform_feedback::DrawFeedback;
use shadestep_core::exec::{
    AttributeLanes, Bindings, BlockOutput, BlockShader, FragmentFacts, LANES, LaneRegister, PrimitiveInputs,
    Shader, VertexInputs, Worker,
};
use shadestep_core::pipeline::{
    self, AttributeSource, Cancelled, Captured, Clear, ColorSum, Draw, Elements, FixedFragment,
    FogCoordinate, FogStage, FragmentReads, Framebuffer, Geometry, Layers, Merging, Outputs, PatchConflict,
    PatchDivision, PixelCenters, PixelFragment, Primitive, RasterState, ShadedVertex, Stats, Threads,
    VertexInput, WindowOrigin,
};
use shadestep_language::ir::{
    Attribute, FogMode, IMAGE_UNITS, InputPrimitive, OutputPrimitive, Program, TessellationLayout,
    TessellationMode, TessellationPoints, TextureTarget, VertexResult, limits,
};

const BEGIN: &str = "NV_fragment_program 5.7";

/// What stands for the target of the fixed fragment stage, which is any but BUFFER: those have one texture a unit in common.
const FIXED: TextureTarget = TextureTarget::D2;

/// What colours fragments.
#[derive(Clone, Debug)]
pub enum FragmentStage {
    /// The fragment program bound.
    Program(Box<FragmentProgram>),
    /// No program: primary colour times texture 0, and fog.
    Fixed(FixedFragment),
}

impl FragmentStage {
    fn facts(&self) -> FragmentFacts {
        match self {
            Self::Program(program) => program.facts(),
            Self::Fixed(fixed) => fixed.facts(),
        }
    }
}

/// A fragment program with its parameters and textures, ready to run.
#[derive(Clone, Debug)]
pub struct FragmentProgram {
    shader: Shader,
    program: Arc<Program>,
    bindings: Bindings,
    /// What `OPTION ARB_fog_*` applies to output colour 0, the program's result.color.
    fog: Option<FogStage>,
}

impl FragmentProgram {
    /// The program.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Parameters and textures as the draw uses them.
    pub const fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The program without the fog behind it.
    pub(super) const fn unfogged(&self) -> &Shader {
        &self.shader
    }

    /// The same with another shader, of this program and what is added to it.
    pub(super) fn with_shader(&self, shader: Shader) -> Self {
        Self { shader, ..self.clone() }
    }

    /// Fogs what the program gave, if it asks for that.
    pub(super) fn fog(&self, inputs: &AttributeLanes, output: &mut BlockOutput) {
        if let Some(fog) = &self.fog {
            fog.apply(inputs.register(Attribute::FogCoord, 0), &mut output.color);
        }
    }

    /// What is merged of colour 0 after the program has given `fragment` the colour `color`: it is fogged, if
    /// the program asks for that.
    pub fn final_color(&self, fragment: &PixelFragment, color: [f32; 4]) -> [f32; 4] {
        let Some(fog) = &self.fog else { return color };
        let coordinate = fragment.quad[Attribute::FogCoord.index()][fragment.lane][0];
        let mut registers = color.map(|value| LaneRegister([value; LANES]));
        fog.apply(&LaneRegister([coordinate; LANES]), &mut registers);
        registers.map(|register| register.0[0])
    }
}

/// The program, and fog behind it.
impl BlockShader for FragmentProgram {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        BlockShader::worker(&self.shader)
    }

    fn facts(&self) -> FragmentFacts {
        let mut facts = self.shader.facts();
        facts.attributes_used[Attribute::FogCoord.index()] |= u8::from(self.fog.is_some());
        facts
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        BlockShader::run(&self.shader, worker, inputs, active, output);
        self.fog(inputs, output);
    }
}

/// One draw with everything it reads.
#[derive(Clone, Debug)]
pub struct DrawCall {
    /// What transforms vertices; for the rectangle that covers the window, nothing is given to it.
    vertex: VertexStage,
    fragment: FragmentStage,
    draw: Draw,
    memory: DrawMemory,
    /// What transform feedback records of it.
    feedback: Option<DrawFeedback>,
    /// What came of it when it was rendered last.
    outcome: Arc<Mutex<Outcome>>,
}

/// What came of a draw beside its picture and what programs wrote to memory.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub captured: Captured,
    pub stats: Stats,
    pub conflicts: Vec<PatchConflict>,
    pub checkpoints: Arc<Checkpoints>,
}

impl DrawCall {
    pub(super) const fn memory(&self) -> &DrawMemory {
        &self.memory
    }

    pub(super) const fn feedback(&self) -> Option<&DrawFeedback> {
        self.feedback.as_ref()
    }

    pub(super) fn set_feedback(&mut self, feedback: Option<DrawFeedback>) {
        self.feedback = feedback;
    }

    pub(super) fn outcome(&self) -> MutexGuard<'_, Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What invocations of a patch did without an order when it was rendered last: one conflict of each
    /// cause. Only where races are looked for.
    pub fn patch_conflicts(&self) -> Vec<PatchConflict> {
        self.outcome().conflicts.clone()
    }

    pub(super) const fn memory_mut(&mut self) -> &mut DrawMemory {
        &mut self.memory
    }

    /// What transforms vertices; `None` for the rectangle that covers the window.
    pub fn vertex_stage(&self) -> Option<&VertexStage> {
        self.vertex_input().map(|_| &self.vertex)
    }

    /// The vertices that are drawn; `None` for the rectangle that covers the window.
    pub const fn vertex_input(&self) -> Option<&VertexInput> {
        match &self.draw.geometry {
            Geometry::Vertices(input) => Some(input),
            Geometry::ViewportQuad => None,
        }
    }

    /// What colours fragments.
    pub const fn fragment_stage(&self) -> &FragmentStage {
        &self.fragment
    }

    /// The program that colours fragments, if one does.
    pub(super) fn fragment_program(&self) -> Option<&FragmentProgram> {
        match &self.fragment {
            FragmentStage::Program(program) => Some(program),
            FragmentStage::Fixed(_) => None,
        }
    }

    /// Geometry and state, as the pipeline takes them.
    pub const fn draw(&self) -> &Draw {
        &self.draw
    }

    /// The same, `instances` times.
    #[must_use]
    pub(super) fn with_instances(mut self, instances: u32) -> Self {
        if let Geometry::Vertices(input) = &mut self.draw.geometry {
            input.instances = instances;
        }
        self
    }

    /// The same, clearing the whole framebuffer first.
    #[must_use]
    pub fn after_clear(mut self, clear: Clear) -> Self {
        self.draw.clear = Some(clear);
        self
    }

    /// The same for looking at a layer of a layered framebuffer: fragments at a pixel and primitives that are made are those of it.
    #[must_use]
    pub fn seen_in(mut self, layers: Option<Layers>) -> Self {
        self.draw.state.layers = layers;
        self
    }

    /// Refuses a framebuffer that the draw may not be drawn to: one with another number of samples than the context was told of
    /// ([`Context::choose_samples`]), as fragments that are looked for would be others than those drawn; and one where the fixed fragment stage would write to a colour
    /// buffer of integers (EXT_texture_integer, Errors). Of a program nothing is asked: what it writes to a buffer of
    /// another type is undefined, and no error.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    pub fn refuse_target(&self, target: &Framebuffer) -> Result<()> {
        let chosen = self.draw.state.multisample.samples;
        if target.samples() != chosen {
            let (has, chosen) = (target.samples().count(), chosen.count());
            let reason = format!(
                "the framebuffer has {has} samples per pixel, but the multisample state has {chosen}"
            );
            return Err(Error::invalid_operation("glspec40 3.3.1", reason));
        }
        let FragmentStage::Fixed(_) = &self.fragment else { return Ok(()) };
        let drawn = self.draw.state.draw_buffers.iter().enumerate().filter(|(_, source)| source.is_some());
        let mut buffers =
            drawn.filter_map(|(number, _)| Some((number, target.color_buffer(number)?.format())));
        let Some((number, format)) = buffers.find(|(_, format)| format.is_integer()) else { return Ok(()) };
        let reason = format!(
            "colour buffer {number} holds integers ({}), which only a fragment program can write",
            format.name()
        );
        Err(Error::invalid_operation("EXT_texture_integer Errors", reason))
    }

    /// Draws, also where [`Self::refuse_target`] refuses. Memory is each time what it was when the draw was prepared.
    ///
    /// # Errors
    /// If `cancel` became true before the end; the framebuffer is then a mixture.
    pub fn render(
        &self,
        target: &mut Framebuffer,
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> std::result::Result<Stats, Cancelled> {
        let mut outcome = self.outcome();
        let Outcome { captured, stats, conflicts, checkpoints } = &mut *outcome;
        conflicts.clear();
        *checkpoints = Arc::default();
        // Looking for them takes longer, as looking for races does.
        let conflicts = self.memory.shared().finds_races().then_some(conflicts);
        let feedback = self.feedback.as_ref().map(|own| (&own.feedback, captured));
        let outputs = Outputs { feedback, conflicts };
        let drawn = match (&self.fragment, self.keeps_checkpoints()) {
            (_, Some(keeping)) => {
                let outputs = (outputs, checkpoints);
                self.render_keeping(keeping, outputs, target, threads, cancel)
            }
            (FragmentStage::Program(program), None) => {
                self.render_as(&self.draw, program.as_ref(), outputs, target, threads, cancel)
            }
            (FragmentStage::Fixed(fixed), None) => {
                self.render_as(&self.draw, fixed, outputs, target, threads, cancel)
            }
        };
        *stats = drawn.unwrap_or_default();
        drawn
    }

    /// Draws `draw`, which is this call's but for its state, with `fragment` in the place of what colours fragments.
    pub(super) fn render_as(
        &self,
        draw: &Draw,
        fragment: &impl BlockShader,
        outputs: Outputs<'_>,
        target: &mut Framebuffer,
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> std::result::Result<Stats, Cancelled> {
        self.memory.begin();
        if self.writes_memory() {
            self.memory.shared().spread();
        }
        let programs = (&self.vertex, fragment);
        let drawn = pipeline::render_recording(draw, programs, outputs, target, threads, cancel);
        self.memory.shared().end();
        drawn
    }

    /// What the fragment stage writes.
    pub fn merging(&self) -> Merging {
        Merging::of(&self.fragment.facts())
    }

    /// Every fragment that covers `pixel` of a window of `size` pixels (see [`Self::each_fragment_at`]).
    pub fn fragments_at(&self, size: [u32; 2], pixel: [u32; 2]) -> Vec<PixelFragment> {
        let mut found = Vec::new();
        let visited = self.each_fragment_at((size, pixel), &AtomicBool::new(false), |fragment| {
            found.push(fragment);
            Ok(())
        });
        debug_assert!(visited.is_ok(), "the flag that cancels is never set");
        found
    }

    /// Calls `visit` with every fragment that covers `pixel` of a window of `size` pixels, in drawing order, with the
    /// attributes that [`Self::render`] gives it (see [`pipeline::each_fragment_at`]): of each attribute that a
    /// program's instructions name all components, also those that no result depends on.
    ///
    /// # Errors
    /// If `cancel` became true before the end, and when `visit` says so.
    pub fn each_fragment_at(
        &self,
        (size, pixel): ([u32; 2], [u32; 2]),
        cancel: &AtomicBool,
        visit: impl FnMut(PixelFragment) -> std::result::Result<(), Cancelled>,
    ) -> std::result::Result<(), Cancelled> {
        let mut reads = FragmentReads::of(&self.fragment.facts());
        if let FragmentStage::Program(program) = &self.fragment {
            let named = attributes_named(&program.program);
            reads.attributes.iter_mut().zip(named).for_each(|(used, named)| *used |= named);
        }
        self.memory.begin();
        pipeline::each_fragment_at(&self.draw, &self.vertex, &reads, (size, pixel), cancel, visit)
    }

    /// The vertices of an instance in a window of `size` pixels, each element once (see
    /// [`pipeline::shaded_vertices`]).
    pub fn shaded_vertices(&self, size: [u32; 2], instance: u32) -> Vec<ShadedVertex> {
        let shaded = |instance| pipeline::shaded_vertices(&self.draw, &self.vertex, size, instance);
        self.memory.begin();
        if self.vertex.program().writes_memory() {
            // What those of earlier instances write, later ones may read.
            (0..instance).for_each(|earlier| drop(shaded(earlier)));
        }
        shaded(instance)
    }

    /// One of [`Self::shaded_vertices`]; `None` for an element that is not drawn.
    pub fn shaded_vertex(&self, size: [u32; 2], element: u32, instance: u32) -> Option<ShadedVertex> {
        if self.vertex.program().writes_memory() {
            let mut all = self.shaded_vertices(size, instance).into_iter();
            return all.find(|vertex| vertex.element == element);
        }
        pipeline::shaded_vertex(&self.draw, &self.vertex, size, (element, instance))
    }

    /// What the vertex program reads of an element of an instance; `None` for the rectangle that covers the window.
    pub fn vertex_attributes(&self, element: u32, instance: u32) -> Option<VertexInputs> {
        self.vertex_input().map(|input| pipeline::vertex_attributes(input, element, instance))
    }

    /// What the geometry program reads in invocation `invocation` for the simple primitive `number` of instance `instance` (see
    /// [`pipeline::primitive_inputs`]).
    pub fn primitive_inputs(
        &self,
        size: [u32; 2],
        (number, invocation, instance): (u32, u8, u32),
    ) -> Option<(PrimitiveInputs, Vec<u32>)> {
        self.after_earlier_instances(instance, |instance| {
            pipeline::primitive_inputs(&self.draw, &self.vertex, size, (number, invocation, instance))
        })
    }

    /// What the control program reads of the patch `number` of instance `instance` (see [`pipeline::patch_inputs`]).
    pub fn patch_inputs(
        &self,
        size: [u32; 2],
        (number, instance): (u32, u32),
    ) -> Option<(PrimitiveInputs, Vec<u32>)> {
        self.after_earlier_instances(instance, |instance| {
            pipeline::patch_inputs(&self.draw, &self.vertex, size, (number, instance))
        })
    }

    /// How the patch `number` of instance `instance` is divided, and what the evaluation program reads at its vertex `place` (see
    /// [`pipeline::patch_division`]).
    pub fn patch_division(
        &self,
        size: [u32; 2],
        (number, place, instance): (u32, u32, u32),
    ) -> Option<(PatchDivision, Option<PrimitiveInputs>)> {
        self.after_earlier_instances(instance, |instance| {
            pipeline::patch_division(&self.draw, &self.vertex, size, (number, place, instance))
        })
    }

    /// What `look` gives of an instance, with memory as programs before fragments leave it in the instances before.
    fn after_earlier_instances<T>(&self, instance: u32, look: impl Fn(u32) -> T) -> T {
        self.memory.begin();
        if self.writes_memory_early() {
            // What those of earlier instances write, later ones may read.
            (0..instance).for_each(|earlier| drop(look(earlier)));
        }
        look(instance)
    }

    /// Whether programs behind the vertex program make the primitives that are drawn.
    pub fn makes_primitives(&self) -> bool {
        self.vertex_stage().is_some_and(VertexStage::makes_primitives)
    }

    /// Calls `visit` with every primitive that the last program that makes any made for an instance (see
    /// [`pipeline::each_made_primitive`]).
    pub fn each_made_primitive(
        &self,
        (size, instance): ([u32; 2], u32),
        mut visit: impl FnMut(Subject, &[[f32; 4]]),
    ) {
        let each = |instance, visit: &mut dyn FnMut(Subject, &[[f32; 4]])| {
            pipeline::each_made_primitive(&self.draw, &self.vertex, (size, instance), visit);
        };
        self.memory.begin();
        if self.writes_memory_early() {
            // What those of earlier instances write, later ones may read.
            (0..instance).for_each(|earlier| each(earlier, &mut |_, _| ()));
        }
        each(instance, &mut visit);
    }

    /// Parameters and textures of the fragment program, for recording it; `None` without one.
    pub fn fragment_bindings(&self) -> Option<&Bindings> {
        match &self.fragment {
            FragmentStage::Program(program) => Some(&program.bindings),
            FragmentStage::Fixed(_) => None,
        }
    }
}

/// All components of the attributes that instructions name; of arrays read by address, of every element.
fn attributes_named(program: &Program) -> [u8; Attribute::SLOTS] {
    let mut named = [0; Attribute::SLOTS];
    for attribute in program.attributes_recorded() {
        named[attribute.index()] = 0xF;
    }
    named
}

/// The program of a stage whose mode is enabled.
#[derive(Clone, Copy)]
struct Active<'a> {
    object: &'a ProgramObject,
    loaded: &'a Loaded,
}

/// The programs that are active, where programs are.
#[derive(Clone, Copy)]
pub(super) struct Drawable<'a> {
    vertex: Option<Active<'a>>,
    control: Option<Active<'a>>,
    evaluation: Option<Active<'a>>,
    geometry: Option<Active<'a>>,
    fragment: Option<Active<'a>>,
}

impl Drawable<'_> {
    /// The same without programs that make primitives.
    pub(super) const fn of_vertices(self) -> Self {
        Self { control: None, evaluation: None, geometry: None, ..self }
    }

    /// The kind of primitives that go to the geometry program where `mode` is drawn: of divided patches what they are divided into.
    fn kind(&self, mode: Primitive) -> InputPrimitive {
        let tessellation = self.evaluation.and_then(|evaluation| evaluation.loaded.program().tessellation);
        if let Some(TessellationLayout { mode, points, .. }) = tessellation {
            return match (points, mode) {
                (TessellationPoints::On, _) => InputPrimitive::Points,
                (TessellationPoints::Off, TessellationMode::Isolines) => InputPrimitive::Lines,
                (TessellationPoints::Off, _) => InputPrimitive::Triangles,
            };
        }
        match mode {
            Primitive::Patches => InputPrimitive::Patches,
            Primitive::Points => InputPrimitive::Points,
            Primitive::Lines | Primitive::LineStrip | Primitive::LineLoop => InputPrimitive::Lines,
            Primitive::LinesAdjacency | Primitive::LineStripAdjacency => InputPrimitive::LinesAdjacency,
            Primitive::TrianglesAdjacency | Primitive::TriangleStripAdjacency => {
                InputPrimitive::TrianglesAdjacency
            }
            Primitive::Triangles
            | Primitive::TriangleStrip
            | Primitive::TriangleFan
            | Primitive::Quads
            | Primitive::QuadStrip
            | Primitive::Polygon => InputPrimitive::Triangles,
        }
    }

    /// The kind of primitives that the programs give where `mode` is drawn.
    pub(super) fn made_kind(&self, mode: Primitive) -> InputPrimitive {
        match self.geometry.and_then(|geometry| geometry.loaded.program().geometry) {
            Some(layout) => match layout.output {
                OutputPrimitive::Points => InputPrimitive::Points,
                OutputPrimitive::LineStrip => InputPrimitive::Lines,
                OutputPrimitive::TriangleStrip => InputPrimitive::Triangles,
            },
            None => self.kind(mode),
        }
    }

    /// Refuses a mode whose primitives the programs do not take.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    fn refuse_mode(&self, mode: Primitive) -> Result<()> {
        let tessellates = self.control.is_some() || self.evaluation.is_some();
        if tessellates && mode != Primitive::Patches {
            let reason = format!("tessellation programs need PATCHES, but the draw uses {}", mode.name());
            return Err(Error::invalid_operation("NV_tessellation_program5 Errors", reason));
        }
        let layout = self.geometry.and_then(|geometry| geometry.loaded.program().geometry);
        let (kind, input) = (self.kind(mode), layout.map(|layout| layout.input));
        match input {
            Some(input) if input != kind => {
                let reason = format!(
                    "the geometry program needs {}, but the draw gives it {}",
                    input.name(),
                    kind.name()
                );
                Err(Error::invalid_operation("NV_geometry_program4 2.14.6.1", reason))
            }
            None if kind == InputPrimitive::Patches => {
                let reason = "PATCHES need a tessellation evaluation program or a geometry program";
                Err(Error::invalid_operation("ARB_tessellation_shader Errors", reason))
            }
            _ => Ok(()),
        }
    }
}

/// The image units that a kind of processing looks up, and what it is of.
type Units = ([Option<TextureTarget>; IMAGE_UNITS], &'static str);

/// All processing must agree about the target of each image unit that is looked up twice. SHADOW2D is another target than
/// 2D, as it is within one program (ARB_fragment_program_shadow).
///
/// # Errors
/// `INVALID_OPERATION`
fn refuse_other_targets((first, of_first): Units, (second, of_second): Units) -> Result<()> {
    for (unit, targets) in first.into_iter().zip(second).enumerate() {
        if let (Some(first), Some(second)) = targets
            && first != second
        {
            let (first, second) = (first.name(), second.name());
            let reason =
                format!("texture[{unit}] is used as {first} for {of_first} but as {second} for {of_second}");
            return Err(Error::invalid_operation("NV_vertex_program3 2.14.4", reason));
        }
    }
    Ok(())
}

impl Context {
    /// A draw of elements of the enabled arrays.
    pub(super) fn draw_elements_of(&self, primitive: Primitive, elements: Elements) -> Result<DrawCall> {
        self.refuse_undrawable(primitive)?;
        let attributes = self.arrays.sources(self.vertex_mode(), &self.attributes, &self.buffers)?;
        let edge_flags = self.arrays.edge_flags(self.edge_flag, &self.buffers)?;
        // What gives no attribute 0 gives no vertices.
        let provoked = matches!(attributes[0], AttributeSource::Array(_));
        let elements = if provoked { elements } else { Elements::Range { first: 0, count: 0 } };
        let patches = self.patches;
        self.draw_call(Some(VertexInput {
            attributes,
            edge_flags,
            primitive,
            patches,
            elements,
            instances: 1,
        }))
    }

    /// What transforms vertices now.
    pub(super) fn vertex_mode(&self) -> VertexMode {
        if self.state.is(Cap::VertexProgram) { VertexMode::Program } else { VertexMode::Conventional }
    }

    /// The program bound, if its mode is enabled.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the mode is enabled and what is bound is not valid.
    fn current_program(&self, target: Stage) -> Result<Option<Active<'_>>> {
        if !Cap::of_programs(target).is_some_and(|cap| self.state.is(cap)) {
            return Ok(None);
        }
        let object = self.programs.current(target);
        let active = object.and_then(|object| Some(Active { object, loaded: object.loaded()? }));
        active.map(Some).ok_or_else(|| {
            let (mode, id) = (target.target_name(), self.programs.bound(target));
            let lacks = if object.is_some() { "is not valid" } else { "does not exist" };
            let reason = format!("{mode} is enabled, but the bound program {id} {lacks}");
            Error::invalid_operation(BEGIN, reason)
        })
    }

    /// Refuses to begin `mode` where a program is missing or does not fit, or the framebuffer does not fit blending.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    pub(super) fn refuse_undrawable(&self, mode: Primitive) -> Result<()> {
        self.refuse_second_colors_of_others()?;
        let drawable = self.drawable()?;
        drawable.refuse_mode(mode)?;
        self.feedback.refuse_kind(drawable.made_kind(mode))
    }

    /// Refuses to begin where a blend function takes second colours and there are more draw buffers than may have
    /// them.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    pub(super) fn refuse_second_colors_of_others(&self) -> Result<()> {
        let others = self.draw_buffers.first_from(limits::DUAL_SOURCE_DRAW_BUFFERS);
        let Some((number, buffer)) = others.filter(|_| self.state.is_dual_source()) else { return Ok(()) };
        let reason = format!(
            "a blend function uses the second colour, so only output colour 0 may go to a buffer, but {number} goes \
             to {buffer:?}"
        );
        Err(Error::invalid_operation("ARB_blend_func_extended 4.1.8", reason))
    }

    /// The programs that transform vertices, make primitives and colour fragments now, where programs do.
    pub(super) fn drawable(&self) -> Result<Drawable<'_>> {
        let vertex = self.current_program(Stage::Vertex)?;
        if let Some(vertex) = &vertex {
            self.refuse_tracked_writes(vertex.loaded.program())?;
        }
        let fragment = self.current_program(Stage::Fragment)?;
        let control = self.current_program(Stage::TessControl)?;
        let evaluation = self.current_program(Stage::TessEvaluation)?;
        let geometry = self.current_program(Stage::Geometry)?;
        let textures = |active: &Active<'_>| active.loaded.program().textures();
        let before = [
            (&vertex, "vertices"),
            (&control, "patches"),
            (&evaluation, "patch vertices"),
            (&geometry, "primitives"),
        ];
        if before.iter().any(|(program, _)| program.is_some()) {
            let [vertices, patches, divided, primitives] =
                before.map(|(program, of)| program.as_ref().map(|active| (textures(active), of)));
            let fragments = fragment.as_ref().map_or_else(|| self.fixed_textures(), textures);
            let all = [vertices, patches, divided, primitives, Some((fragments, "fragments"))];
            for (place, first) in all.iter().enumerate() {
                for second in all[place + 1..].iter().flatten() {
                    first.map_or(Ok(()), |first| refuse_other_targets(first, *second))?;
                }
            }
        }
        Ok(Drawable { vertex, control, evaluation, geometry, fragment })
    }

    /// The targets that the fixed fragment stage looks up.
    fn fixed_textures(&self) -> [Option<TextureTarget>; IMAGE_UNITS] {
        let mut units = [None; IMAGE_UNITS];
        units[0] = self.texture(0, FIXED).map(|texture| texture.target());
        units
    }

    /// A draw of `input`, or of the rectangle that covers the window.
    pub(super) fn draw_call(&self, input: Option<VertexInput>) -> Result<DrawCall> {
        let mut state = self.state.raster();
        let Some(input) = input else {
            let object = self.current_program(Stage::Fragment)?;
            self.decide(&mut state, object);
            let draw = Draw { geometry: Geometry::ViewportQuad, state, clear: None };
            let memory = self.draw_memory(object.iter().map(|active| active.loaded.program().as_ref()));
            let coordinate = FogCoordinate::Interpolated;
            let fragment = self.fragment_stage(object, (ColorSum::Disabled, coordinate), &memory);
            let (vertex, outcome) = (self.conventional_stage()?, Arc::default());
            return Ok(DrawCall { vertex, fragment, draw, memory, feedback: None, outcome });
        };
        self.draw_call_with(input, self.drawable()?)
    }

    /// A draw of `input` with these programs.
    pub(super) fn draw_call_with(&self, input: VertexInput, drawable: Drawable<'_>) -> Result<DrawCall> {
        let Drawable { vertex, control, evaluation, geometry, fragment } = drawable;
        let mut state = self.state.raster();
        let all = [vertex, control, evaluation, geometry, fragment];
        let programs = all.iter().flatten().map(|active| active.loaded.program().as_ref());
        let memory = self.draw_memory(programs);
        let stage = match vertex {
            Some(Active { object, loaded }) => self.program_stage(object, loaded.executable(), &memory),
            None => self.conventional_stage()?,
        };
        let further = |active: Option<Active<'_>>| {
            active.map(|Active { object, loaded }| self.further_stage(object, loaded.executable(), &memory))
        };
        let stage = stage.with(further(control), further(evaluation), further(geometry));
        // What is drawn are the vertices of the last of them.
        let later = geometry.or(evaluation);
        let last = later.or(vertex);
        let profile = stage.program().language.profile();
        let own = later.is_some() || vertex.is_some() && profile.clip_distances;
        let invariant = stage.program().options.position_invariant && profile.clips_when_invariant;
        let distances = own && (later.is_some() || !invariant);
        state.clip_distances = if distances { state.clip_distances } else { stage.clip_planes() };
        state.two_side &= last.is_some();
        state.point.from_program =
            if last.is_some() { state.point.from_program } else { stage.derives_point_size() };
        self.decide(&mut state, fragment);
        let has_coordinate = stage.writes(VertexResult::Fogc);
        let coordinate = if has_coordinate { FogCoordinate::Interpolated } else { FogCoordinate::Unwritten };
        let sum = self.color_sum(last, &stage, &state);
        let fragment = self.fragment_stage(fragment, (sum, coordinate), &memory);
        let draw = Draw { geometry: Geometry::Vertices(input), state, clear: None };
        let (feedback, outcome) = (self.draw_feedback(), Arc::default());
        Ok(DrawCall { vertex: stage, fragment, draw, memory, feedback, outcome })
    }

    /// What the fragment program decides of the state.
    fn decide(&self, state: &mut RasterState, fragment: Option<Active<'_>>) {
        let program = fragment.map(|fragment| fragment.loaded.program().as_ref());
        state.draw_buffers = self.draw_buffers.sources(program);
        let Some(program) = program else { return };
        if program.options.origin_upper_left {
            state.coordinates.origin = WindowOrigin::UpperLeft;
        }
        if program.options.pixel_center_integer {
            state.coordinates.centers = PixelCenters::Whole;
        }
    }

    /// Whether secondary colours are added where no fragment program takes their place (glspec15 3.9). The enable
    /// plays no part while a program of NV_vertex_program's own languages is executed: the sum is always in
    /// operation (NV_vertex_program 3.9; ARB_vertex_program's interactions with NV_vertex_program).
    fn color_sum(&self, last: Option<Active<'_>>, stage: &VertexStage, state: &RasterState) -> ColorSum {
        let sums = |program: Active<'_>| program.loaded.program().language.profile().always_sums_colors;
        let always = last.is_some_and(sums);
        let enabled = always || self.state.is(Cap::ColorSum);
        // What is not written is (0,0,0,1).
        let written = stage.writes(VertexResult::Col1) || state.two_side && stage.writes(VertexResult::Bfc1);
        if enabled && written { ColorSum::Enabled } else { ColorSum::Disabled }
    }

    fn fragment_stage(
        &self,
        active: Option<Active<'_>>,
        (sum, coordinate): (ColorSum, FogCoordinate),
        memory: &DrawMemory,
    ) -> FragmentStage {
        let Some(Active { object, loaded }) = active else {
            let texture = self.texture_on_unit(0, FIXED);
            return FragmentStage::Fixed(FixedFragment::new(texture, sum, self.state.fog(), coordinate));
        };
        let bindings = self.bindings(object, memory);
        let program = loaded.program().clone();
        let shader = Shader::new(loaded.executable(), bindings.clone());
        // Whether fog is enabled plays no part, as fragment programs take the place of that stage (3.11).
        let fog = program.options.fog.map(|mode| {
            let equation = match mode {
                FogMode::Linear => FogEquation::Linear,
                FogMode::Exp => FogEquation::Exp,
                FogMode::Exp2 => FogEquation::Exp2,
            };
            FogStage::new(self.state.fog_of(equation), coordinate)
        });
        FragmentStage::Program(Box::new(FragmentProgram { shader, program, bindings, fog }))
    }
}
