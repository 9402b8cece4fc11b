//! Drawing: turns the state of a context into a [`DrawCall`]. A call owns all its inputs and can be rendered
//! any number of times, on any thread. The commands that draw are in `draw_commands`.

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

/// The lookup target of the fixed-function fragment stage. Any target but BUFFER works: all others share one
/// texture per unit.
const FIXED: TextureTarget = TextureTarget::D2;

/// The stage that colours fragments.
#[derive(Clone, Debug)]
pub enum FragmentStage {
    /// The bound fragment program.
    Program(Box<FragmentProgram>),
    /// No program: primary colour times texture 0, then fog.
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
    /// Fog that `OPTION ARB_fog_*` applies to output colour 0, the program's result.color.
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

    /// The program without fog.
    pub(super) const fn unfogged(&self) -> &Shader {
        &self.shader
    }

    /// The same stage with another shader, made from the same program with added instructions.
    pub(super) fn with_shader(&self, shader: Shader) -> Self {
        Self { shader, ..self.clone() }
    }

    /// Applies fog to the program's output, if the program requests it.
    pub(super) fn fog(&self, inputs: &AttributeLanes, output: &mut BlockOutput) {
        if let Some(fog) = &self.fog {
            fog.apply(inputs.register(Attribute::FogCoord, 0), &mut output.color);
        }
    }

    /// The colour 0 that is merged after the program has returned `color` for `fragment`: with fog, if the
    /// program requests it.
    pub fn final_color(&self, fragment: &PixelFragment, color: [f32; 4]) -> [f32; 4] {
        let Some(fog) = &self.fog else { return color };
        let coordinate = fragment.quad[Attribute::FogCoord.index()][fragment.lane][0];
        let mut registers = color.map(|value| LaneRegister([value; LANES]));
        fog.apply(&LaneRegister([coordinate; LANES]), &mut registers);
        registers.map(|register| register.0[0])
    }
}

/// Runs the program, then applies fog.
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

/// One draw with all data that it reads.
#[derive(Clone, Debug)]
pub struct DrawCall {
    /// The vertex stage; unused for the rectangle that covers the window.
    vertex: VertexStage,
    fragment: FragmentStage,
    draw: Draw,
    memory: DrawMemory,
    /// Transform feedback of the draw.
    feedback: Option<DrawFeedback>,
    /// Side results of the last rendering.
    outcome: Arc<Mutex<Outcome>>,
}

/// Results of a draw other than its picture and its memory writes.
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

    /// Accesses by invocations of one patch that the last rendering found unordered: one conflict of each
    /// cause. Empty unless the call looks for races.
    pub fn patch_conflicts(&self) -> Vec<PatchConflict> {
        self.outcome().conflicts.clone()
    }

    pub(super) const fn memory_mut(&mut self) -> &mut DrawMemory {
        &mut self.memory
    }

    /// The vertex stage; `None` for the rectangle that covers the window.
    pub fn vertex_stage(&self) -> Option<&VertexStage> {
        self.vertex_input().map(|_| &self.vertex)
    }

    /// The vertices to draw; `None` for the rectangle that covers the window.
    pub const fn vertex_input(&self) -> Option<&VertexInput> {
        match &self.draw.geometry {
            Geometry::Vertices(input) => Some(input),
            Geometry::ViewportQuad => None,
        }
    }

    pub const fn fragment_stage(&self) -> &FragmentStage {
        &self.fragment
    }

    /// The fragment program, if the draw has one.
    pub(super) fn fragment_program(&self) -> Option<&FragmentProgram> {
        match &self.fragment {
            FragmentStage::Program(program) => Some(program),
            FragmentStage::Fixed(_) => None,
        }
    }

    /// Geometry and state in the pipeline's form.
    pub const fn draw(&self) -> &Draw {
        &self.draw
    }

    /// The same draw with this many instances.
    #[must_use]
    pub(super) fn with_instances(mut self, instances: u32) -> Self {
        if let Geometry::Vertices(input) = &mut self.draw.geometry {
            input.instances = instances;
        }
        self
    }

    /// The same draw, preceded by a clear of the whole framebuffer.
    #[must_use]
    pub fn after_clear(mut self, clear: Clear) -> Self {
        self.draw.clear = Some(clear);
        self
    }

    /// The same draw for queries about one layer of a layered framebuffer: fragments and generated primitives
    /// of that layer.
    #[must_use]
    pub fn seen_in(mut self, layers: Option<Layers>) -> Self {
        self.draw.state.layers = layers;
        self
    }

    /// Checks that the draw may use a framebuffer. Two kinds are refused:
    ///
    /// * A framebuffer whose sample count differs from the context's ([`Context::choose_samples`]). Queries
    ///   would find other fragments than the draw.
    /// * A framebuffer with an integer colour buffer that the fixed-function fragment stage would write
    ///   (EXT_texture_integer, Errors). A program may write any buffer: values of another type are undefined,
    ///   not an error.
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

    /// Draws, even if [`Self::refuse_target`] refuses the target. Every rendering starts from the memory at
    /// the time when the draw was prepared.
    ///
    /// # Errors
    /// If `cancel` became true before the end. The framebuffer is then partly drawn.
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
        // Only with race detection, because the search takes time.
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

    /// Draws `draw`, which is this call's draw with other state, with `fragment` as the fragment stage.
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

    /// The outputs of the fragment stage that are merged.
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

    /// Calls `visit` with every fragment that covers `pixel` of a window of `size` pixels, in drawing order.
    /// Fragments have the attributes of [`Self::render`] (see [`pipeline::each_fragment_at`]), with all
    /// components of every attribute that instructions name, even if no result depends on them.
    ///
    /// # Errors
    /// If `cancel` became true before the end, or if `visit` returns an error.
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
            // Later instances may read memory that earlier instances write.
            (0..instance).for_each(|earlier| drop(shaded(earlier)));
        }
        shaded(instance)
    }

    /// One of [`Self::shaded_vertices`]; `None` if the element is not drawn.
    pub fn shaded_vertex(&self, size: [u32; 2], element: u32, instance: u32) -> Option<ShadedVertex> {
        if self.vertex.program().writes_memory() {
            let mut all = self.shaded_vertices(size, instance).into_iter();
            return all.find(|vertex| vertex.element == element);
        }
        pipeline::shaded_vertex(&self.draw, &self.vertex, size, (element, instance))
    }

    /// The inputs of the vertex program for an element of an instance; `None` for the rectangle that covers
    /// the window.
    pub fn vertex_attributes(&self, element: u32, instance: u32) -> Option<VertexInputs> {
        self.vertex_input().map(|input| pipeline::vertex_attributes(input, element, instance))
    }

    /// The inputs of the geometry program in invocation `invocation` for the simple primitive `number` of
    /// instance `instance` (see [`pipeline::primitive_inputs`]).
    pub fn primitive_inputs(
        &self,
        size: [u32; 2],
        (number, invocation, instance): (u32, u8, u32),
    ) -> Option<(PrimitiveInputs, Vec<u32>)> {
        self.after_earlier_instances(instance, |instance| {
            pipeline::primitive_inputs(&self.draw, &self.vertex, size, (number, invocation, instance))
        })
    }

    /// The inputs of the control program for the patch `number` of instance `instance` (see
    /// [`pipeline::patch_inputs`]).
    pub fn patch_inputs(
        &self,
        size: [u32; 2],
        (number, instance): (u32, u32),
    ) -> Option<(PrimitiveInputs, Vec<u32>)> {
        self.after_earlier_instances(instance, |instance| {
            pipeline::patch_inputs(&self.draw, &self.vertex, size, (number, instance))
        })
    }

    /// The tessellation of the patch `number` of instance `instance`, and the inputs of the evaluation
    /// program at its vertex `place` (see [`pipeline::patch_division`]).
    pub fn patch_division(
        &self,
        size: [u32; 2],
        (number, place, instance): (u32, u32, u32),
    ) -> Option<(PatchDivision, Option<PrimitiveInputs>)> {
        self.after_earlier_instances(instance, |instance| {
            pipeline::patch_division(&self.draw, &self.vertex, size, (number, place, instance))
        })
    }

    /// The result of `look` for an instance, with memory as the programs before the fragment stage leave it
    /// in earlier instances.
    fn after_earlier_instances<T>(&self, instance: u32, look: impl Fn(u32) -> T) -> T {
        self.memory.begin();
        if self.writes_memory_early() {
            // Later instances may read memory that earlier instances write.
            (0..instance).for_each(|earlier| drop(look(earlier)));
        }
        look(instance)
    }

    /// Whether programs after the vertex program generate the drawn primitives.
    pub fn makes_primitives(&self) -> bool {
        self.vertex_stage().is_some_and(VertexStage::makes_primitives)
    }

    /// Calls `visit` with every primitive of an instance that the last primitive-generating program emits
    /// (see [`pipeline::each_made_primitive`]).
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
            // Later instances may read memory that earlier instances write.
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

/// All components of the attributes that instructions name. Arrays with relative addressing count with every
/// element.
fn attributes_named(program: &Program) -> [u8; Attribute::SLOTS] {
    let mut named = [0; Attribute::SLOTS];
    for attribute in program.attributes_recorded() {
        named[attribute.index()] = 0xF;
    }
    named
}

/// The program of an enabled stage.
#[derive(Clone, Copy)]
struct Active<'a> {
    object: &'a ProgramObject,
    loaded: &'a Loaded,
}

/// The active programs of all stages.
#[derive(Clone, Copy)]
pub(super) struct Drawable<'a> {
    vertex: Option<Active<'a>>,
    control: Option<Active<'a>>,
    evaluation: Option<Active<'a>>,
    geometry: Option<Active<'a>>,
    fragment: Option<Active<'a>>,
}

impl Drawable<'_> {
    /// The same without the programs that generate primitives.
    pub(super) const fn of_vertices(self) -> Self {
        Self { control: None, evaluation: None, geometry: None, ..self }
    }

    /// The kind of primitives that reach the geometry program when `mode` is drawn. Tessellated patches count
    /// as the primitives that they are divided into.
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

    /// The kind of primitives that the last program outputs when `mode` is drawn.
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

    /// Checks that the programs accept the primitives of a mode.
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

/// The target that a stage looks up on each image unit, and the name of the stage.
type Units = ([Option<TextureTarget>; IMAGE_UNITS], &'static str);

/// Checks that two stages that use the same image unit look up the same target. SHADOW2D differs from 2D, as
/// it does within one program (ARB_fragment_program_shadow).
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
        // Without an array for attribute 0, no element makes a vertex.
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

    /// The kind of vertex processing in use.
    pub(super) fn vertex_mode(&self) -> VertexMode {
        if self.state.is(Cap::VertexProgram) { VertexMode::Program } else { VertexMode::FixedFunction }
    }

    /// The bound program, if its mode is enabled.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the mode is enabled and the bound program is not valid.
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

    /// Checks that `mode` can be drawn: the enabled programs exist and fit, and the draw buffers fit
    /// blending.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    pub(super) fn refuse_undrawable(&self, mode: Primitive) -> Result<()> {
        self.refuse_second_colors_of_others()?;
        let drawable = self.drawable()?;
        drawable.refuse_mode(mode)?;
        self.feedback.refuse_kind(drawable.made_kind(mode))
    }

    /// Checks that a blend function with second colours has no more draw buffers than allowed.
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

    /// The programs of all stages that have one.
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

    /// The targets that the fixed-function fragment stage looks up.
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
            let (vertex, outcome) = (self.fixed_function_stage()?, Arc::default());
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
            None => self.fixed_function_stage()?,
        };
        let further = |active: Option<Active<'_>>| {
            active.map(|Active { object, loaded }| self.further_stage(object, loaded.executable(), &memory))
        };
        let stage = stage.with(further(control), further(evaluation), further(geometry));
        // The last of the programs produces the drawn vertices.
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

    /// Sets the state that the fragment program determines.
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

    /// Whether the fixed-function fragment stage adds secondary colours (glspec15 3.9). The enable is ignored
    /// while a program of NV_vertex_program's own languages runs: the sum is then always on
    /// (NV_vertex_program 3.9; ARB_vertex_program's interactions with NV_vertex_program).
    fn color_sum(&self, last: Option<Active<'_>>, stage: &VertexStage, state: &RasterState) -> ColorSum {
        let sums = |program: Active<'_>| program.loaded.program().language.profile().always_sums_colors;
        let always = last.is_some_and(sums);
        let enabled = always || self.state.is(Cap::ColorSum);
        // An unwritten colour is (0,0,0,1), so adding it changes nothing.
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
        // The enable of fog is ignored, because fragment programs replace the fog stage (3.11).
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
