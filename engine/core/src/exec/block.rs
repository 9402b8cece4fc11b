//! The interface between the pipeline and the batch executor: the inputs and outputs of a block of [`LANES`]
//! fragments or vertices, and the traits that shaders implement. Each component has one lane register.
//!
//! Lanes 4q to 4q+3 are the fragments (x,y), (x+1,y), (x,y+1), (x+1,y+1) of one 2x2 quad; x and y are even, y
//! grows upwards. Quads of one block may belong to different primitives. A lane that no primitive covers has
//! extrapolated attributes, so that it can run as a helper invocation for derivatives.

use super::emissions::Emissions;
use super::inputs::{PrimitiveInputs, VertexInputs};
use super::interpolants::Interpolants;
use crate::memory::{Before, Origin, Use};
use crate::simd::ones;
use crate::subject::Subject;
use shadestep_language::ir::{
    Attribute, GeometryLayout, Interpolation, Interpolations, OutputRole, TessellationLayout, VertexResult,
    limits,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lanes in a block: fragments, vertices or other invocations.
pub const LANES: usize = 64;

/// A lane register: one component of one register, or of an input or output, in every lane of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct LaneRegister(pub [f32; LANES]);

impl LaneRegister {
    /// All lanes zero.
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// The attributes of a block. Only lane registers that [`FragmentFacts::attributes_used`] names are valid.
/// The others hold stale values.
#[derive(Clone, Debug)]
pub struct AttributeLanes {
    /// Indexed by [`Attribute::index`] for fragments and vertices, in the order of [`GeometryShader::inputs`]
    /// for primitives.
    registers: Box<[[LaneRegister; 4]]>,
    /// The invocation that each lane runs, if it is recorded.
    invocations: Vec<(Subject, Origin)>,
    /// Clocks of earlier stages, concatenated for all lanes, and the index after each lane's last clock.
    before: (Vec<Before>, Vec<usize>),
    /// The block draws to a layer that is not displayed.
    aside: bool,
    interpolants: Option<Arc<dyn Interpolants>>,
}

impl Default for AttributeLanes {
    fn default() -> Self {
        Self::with_room(Attribute::SLOTS)
    }
}

impl AttributeLanes {
    /// Creates lane registers for this number of attributes.
    pub fn with_room(attributes: usize) -> Self {
        let registers = vec![[LaneRegister::ZERO; 4]; attributes].into();
        let (invocations, before) = (Vec::new(), Default::default());
        Self { registers, invocations, before, aside: false, interpolants: None }
    }

    /// Records which invocation each lane runs, for diagnostics.
    pub fn set_invocations(&mut self, invocations: impl Iterator<Item = (Subject, Origin)>) {
        self.invocations.clear();
        self.invocations.extend(invocations);
    }

    /// Records the clocks of earlier stages that each lane begins with. Lanes after the last have none.
    pub fn set_before<B: IntoIterator<Item = Before>>(&mut self, before: impl Iterator<Item = B>) {
        let (all, ends) = &mut self.before;
        all.clear();
        ends.clear();
        for of_lane in before {
            all.extend(of_lane);
            ends.push(all.len());
        }
    }

    /// Clocks of earlier stages that a lane begins with.
    pub fn before(&self, lane: usize) -> &[Before] {
        let (all, ends) = &self.before;
        let first = lane.checked_sub(1).map_or(Some(&0), |before| ends.get(before));
        let range = first.zip(ends.get(lane)).map(|(first, end)| *first..*end);
        range.and_then(|range| all.get(range)).unwrap_or_default()
    }

    /// The subject of a lane's invocation, if it was recorded.
    pub fn subject(&self, lane: usize) -> Option<Subject> {
        self.invocations.get(lane).map(|(subject, _)| *subject)
    }

    /// The origin of a lane's invocation.
    pub fn origin(&self, lane: usize) -> Origin {
        self.invocations.get(lane).map(|(_, origin)| *origin).unwrap_or_default()
    }

    /// Records whether the block draws to a layer that is not displayed ([`crate::pipeline::Layers::seen`]).
    pub const fn set_aside(&mut self, aside: bool) {
        self.aside = aside;
    }

    /// Whether the block draws to a layer that is not displayed.
    pub const fn is_aside(&self) -> bool {
        self.aside
    }

    /// Subjects of the displayed invocations among `lanes`.
    pub fn seen(&self, lanes: u64) -> impl Iterator<Item = Subject> {
        ones(if self.aside { 0 } else { lanes }).filter_map(|lane| self.subject(lane))
    }

    /// Sets how attributes vary over the pixels, for shaders that evaluate them
    /// ([`FragmentFacts::evaluates`]).
    pub fn set_interpolants(&mut self, interpolants: Arc<dyn Interpolants>) {
        self.interpolants = Some(interpolants);
    }

    /// How attributes vary over the pixels, if this was set.
    pub const fn interpolants(&self) -> Option<&Arc<dyn Interpolants>> {
        self.interpolants.as_ref()
    }

    /// All lane registers, at [`Self::index`].
    pub fn all(&self) -> &[LaneRegister] {
        self.registers.as_flattened()
    }

    /// Index of the lane register of `component` of `attribute` in [`Self::all`].
    pub const fn index(attribute: Attribute, component: usize) -> usize {
        4 * attribute.index() + component
    }

    /// Index of the high words of a 64-bit vertex attribute. They follow all low words.
    pub const fn high_index(attribute: Attribute, component: usize) -> usize {
        4 * (Attribute::VERTEX.len() + attribute.index()) + component
    }

    /// The lane register of `component` (0 = x) of `attribute`.
    pub fn register(&self, attribute: Attribute, component: usize) -> &LaneRegister {
        &self.registers[attribute.index()][component]
    }

    /// The lane register of `component` (0 = x) of `attribute`, mutable.
    pub fn register_mut(&mut self, attribute: Attribute, component: usize) -> &mut LaneRegister {
        &mut self.registers[attribute.index()][component]
    }

    /// The vertex attribute registers of one lane, with the high words of 64-bit attributes.
    pub fn vertex(&self, lane: usize) -> VertexInputs {
        let word = |index: usize| u64::from(self.all()[index].0[lane].to_bits());
        Attribute::VERTEX.map(|attribute| {
            [0, 1, 2, 3].map(|c| {
                let high = match attribute {
                    Attribute::Vertex(_) => word(Self::high_index(attribute, c)),
                    _ => 0,
                };
                high << 32 | word(Self::index(attribute, c))
            })
        })
    }

    /// All lane registers, mutable.
    pub fn all_mut(&mut self) -> &mut [LaneRegister] {
        self.registers.as_flattened_mut()
    }
}

/// Results of a block of fragments.
#[derive(Clone, Debug)]
pub struct BlockOutput {
    /// Colour of draw buffer 0: x, y, z, w, not clamped.
    pub color: [LaneRegister; 4],
    /// Colours of draw buffers 1 and up. Only the colours in [`FragmentFacts::colors_written`] are valid.
    pub other_colors: Box<[[LaneRegister; 4]; limits::DRAW_BUFFERS as usize - 1]>,
    /// Second colour of draw buffer 0; valid only if the shader writes it.
    pub secondary: Box<[LaneRegister; 4]>,
    /// z of the depth output; valid only if the shader replaces depth.
    pub depth: LaneRegister,
    /// Sample mask that the program writes, as integer bits in each lane; valid only with
    /// [`FragmentFacts::writes_sample_mask`].
    pub sample_mask: LaneRegister,
    /// Bit i set: lane i was discarded by the program.
    pub killed: u64,
}

impl Default for BlockOutput {
    fn default() -> Self {
        let other_colors = Box::new([[LaneRegister::ZERO; 4]; limits::DRAW_BUFFERS as usize - 1]);
        let secondary = Box::new([LaneRegister::ZERO; 4]);
        Self {
            color: [LaneRegister::ZERO; 4],
            other_colors,
            secondary,
            depth: LaneRegister::ZERO,
            sample_mask: LaneRegister::ZERO,
            killed: 0,
        }
    }
}

impl BlockOutput {
    /// The lane registers of output colour `number`, which is less than [`limits::DRAW_BUFFERS`].
    #[inline]
    pub fn color_lanes(&self, number: u8) -> &[LaneRegister; 4] {
        match number.checked_sub(1) {
            None => &self.color,
            Some(other) => &self.other_colors[usize::from(other)],
        }
    }
}

/// When stencil and depth tests run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FragmentTests {
    /// After the program (glspec15 4.1.5, 4.1.6). The pipeline may test earlier where the result is the same.
    #[default]
    Late,
    /// Before the program: fragments that fail are not shaded. The others keep the rasterised depth
    /// (EXT_shader_image_load_store 3.X).
    Early,
}

/// Properties of a fragment program that the pipeline knows before it runs.
#[derive(Clone, Copy, Debug)]
pub struct FragmentFacts {
    /// For each attribute of [`Attribute::FRAGMENT`], the components read (bit 0 = x).
    pub attributes_used: [u8; Attribute::SLOTS],
    /// How each attribute is interpolated.
    pub interpolation: Interpolations,
    /// Whether the program evaluates attributes away from pixel centres, for which it needs
    /// [`AttributeLanes::interpolants`].
    pub evaluates: bool,
    /// A bit for each output colour that is written, bit 0 for `BlockOutput::color` (ARB_draw_buffers).
    pub colors_written: u8,
    /// Whether `BlockOutput::secondary` is written (ARB_blend_func_extended).
    pub writes_secondary: bool,
    /// Whether `BlockOutput::depth` replaces the fragment's depth.
    pub writes_depth: bool,
    /// Whether `BlockOutput::sample_mask` selects the samples that are written.
    pub writes_sample_mask: bool,
    /// Whether the program runs once for each sample of multisampled pixels: it reads the sample number, or
    /// an attribute at the sample's position.
    pub shades_samples: bool,
    /// Whether the program can discard a fragment, so that `BlockOutput::killed` can be other than 0. If
    /// false, a viewport quad without a depth test writes every pixel. `true` is always correct.
    pub can_kill: bool,
    /// How the program uses memory. A program that writes memory runs exactly once for each invocation, in
    /// the order of the draw.
    pub memory_use: Use,
    /// Whether the order of memory writes is unobservable, so invocations may run in parallel.
    pub is_concurrent: bool,
    /// Whether the program needs [`AttributeLanes::subject`] of every lane.
    pub needs_pixels: bool,
    pub tests: FragmentTests,
}

impl FragmentFacts {
    /// Whether invocations run one after the other, in the order of the draw, because the order is
    /// observable.
    pub fn is_serialised(&self) -> bool {
        self.memory_use == Use::Writes && !self.is_concurrent
    }
}

/// A program that reads nothing and writes output colour 0 alone.
impl Default for FragmentFacts {
    fn default() -> Self {
        Self {
            attributes_used: [0; Attribute::SLOTS],
            interpolation: [Interpolation::DEFAULT; Attribute::SLOTS],
            evaluates: false,
            colors_written: 1,
            writes_secondary: false,
            writes_depth: false,
            writes_sample_mask: false,
            shades_samples: false,
            can_kill: true,
            memory_use: Use::None,
            is_concurrent: false,
            needs_pixels: false,
            tests: FragmentTests::Late,
        }
    }
}

/// A fragment program with its parameters and textures bound, ready to run on blocks.
pub trait BlockShader: Sync {
    /// Registers and scratch memory of one thread.
    type Worker: Send;

    fn worker(&self) -> Self::Worker;

    /// Properties that the pipeline knows before the program runs. They never change.
    fn facts(&self) -> FragmentFacts;

    /// Runs every lane. `active` has a bit for each lane whose result is wanted; the others run as
    /// helpers of their quads or may be skipped when their whole quad is inactive.
    fn run(&self, worker: &mut Self::Worker, inputs: &AttributeLanes, active: u64, output: &mut BlockOutput);
}

/// The vertex results of a block. Only lane registers of results that [`VertexShader::results_written`] names
/// are valid. The others hold stale values.
#[derive(Clone, Debug)]
pub struct ResultLanes {
    registers: Box<[[LaneRegister; 4]; VertexResult::COUNT]>,
    /// The clock that each lane passes to later stages; empty unless races are detected.
    pub before: Vec<Before>,
}

impl Default for ResultLanes {
    fn default() -> Self {
        let registers = Box::new([[LaneRegister::ZERO; 4]; VertexResult::COUNT]);
        Self { registers, before: Vec::new() }
    }
}

impl ResultLanes {
    /// The lane register of `component` (0 = x) of `result`.
    pub fn register(&self, result: VertexResult, component: usize) -> &LaneRegister {
        &self.registers[result.index()][component]
    }

    /// The lane register of `component` (0 = x) of `result`, mutable.
    pub fn register_mut(&mut self, result: VertexResult, component: usize) -> &mut LaneRegister {
        &mut self.registers[result.index()][component]
    }

    /// All lane registers: the four of each result, by [`VertexResult::index`].
    pub fn all_mut(&mut self) -> &mut [LaneRegister] {
        self.registers.as_flattened_mut()
    }
}

/// A vertex program with its parameters bound, ready to run on blocks of [`LANES`] vertices.
pub trait VertexShader: Sync {
    /// Registers and scratch memory of one thread.
    type Worker: Send;

    /// The tessellation control program that makes patches of the vertices, if there is one.
    fn control(&self) -> Option<&dyn ControlShader> {
        None
    }

    /// The tessellation evaluation program, if patches are tessellated.
    fn evaluation(&self) -> Option<&dyn EvaluationShader> {
        None
    }

    /// The geometry program that makes other primitives of the vertices, if there is one.
    fn geometry(&self) -> Option<&dyn GeometryShader> {
        None
    }

    fn worker(&self) -> Self::Worker;

    /// For each attribute of [`Attribute::VERTEX`], the components read (bit 0 = x). The next 16 entries are
    /// the components of the first 16 attributes whose high 32 bits are read.
    fn attributes_used(&self) -> [u8; Attribute::SLOTS];

    /// A bit for each result of [`VertexResult::ALL`] that the program writes, in whole or in part.
    /// Components that it does not write come from (0,0,0,1).
    fn results_written(&self) -> u64;

    /// How the program uses memory. A program that writes memory runs exactly once for each invocation, in
    /// the order of the draw.
    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether invocations run one after the other, in the order of the draw, because the order is
    /// observable.
    fn is_serialised(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// Whether races are detected and a program before the fragment stage accesses memory.
    fn tracks(&self) -> bool {
        false
    }

    /// Runs the lanes with a bit in `active`. Results of other lanes are unspecified.
    fn run(&self, worker: &mut Self::Worker, inputs: &AttributeLanes, active: u64, output: &mut ResultLanes);
}

/// A tessellation control program with its parameters bound, ready to run on blocks of [`LANES`] invocations
/// (NV_tessellation_program5, Tessellation Control Programs). The invocations of a patch are adjacent lanes.
/// The first lane is a multiple of their number, and no invocation is missing.
pub trait ControlShader: Sync {
    /// Output vertices of a patch, which is also the number of its invocations.
    fn patch_vertices(&self) -> usize;

    /// The attributes that the program reads, as in [`GeometryShader::inputs`].
    fn inputs(&self) -> &[(Attribute, u8)];

    /// Results of vertices, and results of the patch, which are the same in all its lanes.
    fn results(&self) -> &[OutputRole];

    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether patches run one after the other, in the order of the draw, because the order is observable.
    fn is_serialised(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// Whether invocations may have a [`Hazard`] that [`ControlWorker::run`] does not detect.
    fn may_meet(&self) -> bool {
        false
    }

    /// Runs one patch with one lane for each invocation, and returns the conflicts among the lanes. Returns
    /// early when `cancel` becomes true.
    fn conflicts(&self, _inputs: &PrimitiveInputs, _cancel: &AtomicBool) -> Vec<Conflict> {
        Vec::new()
    }

    /// Registers and scratch memory for one thread.
    fn worker(&self) -> Box<dyn ControlWorker + '_>;
}

/// Registers and scratch memory of one thread for a tessellation control program.
pub trait ControlWorker: Send {
    /// Runs the lanes with a bit in `active`. `inputs` has the attributes in the order of
    /// [`ControlShader::inputs`]. If `finds_conflicts` is true, also records writes of different values in
    /// one instruction, which is slower.
    fn run(&mut self, inputs: &AttributeLanes, active: u64, finds_conflicts: bool);

    /// The four lane registers of result `number` of [`ControlShader::results`] after the last run.
    fn result(&self, number: usize) -> &[LaneRegister];

    /// Takes the conflicts of runs since the last call, one for each instruction.
    fn take_conflicts(&mut self) -> Vec<Conflict>;

    /// The clock that each lane passes on after the last run; empty unless races are detected.
    fn before(&self) -> &[Before] {
        &[]
    }
}

/// Two unordered accesses by invocations of a patch (NV_tessellation_program5 2.X.5, issue 4): in one
/// instruction, or on the two sides of an IF with an ELSE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// Both write different values to the same patch result.
    Writes,
    /// The first writes a value, the second reads it.
    ReadAndWrite,
}

/// Why two accesses are unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Both are in one instruction.
    Instruction,
    /// Both are on opposite sides of an IF with an ELSE.
    Sides,
}

/// A [`Hazard`] between two invocations of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub hazard: Hazard,
    /// Why the accesses are unordered.
    pub apart: Apart,
    /// Indices of the two instructions.
    pub at: [usize; 2],
    /// Lanes of the two accesses, for the occurrence with the lowest lanes.
    pub lanes: [u8; 2],
    /// How many pairs of accesses have this hazard for this cause.
    pub count: u64,
}

impl Conflict {
    /// Adds the conflict to `all`, which has one conflict for each cause.
    pub(super) fn add_to(self, all: &mut Vec<Self>) {
        let cause = |conflict: &Self| (conflict.hazard, conflict.apart, conflict.at);
        match all.iter_mut().find(|other| cause(other) == cause(&self)) {
            Some(other) => {
                other.lanes = other.lanes.min(self.lanes);
                other.count += self.count;
            }
            None => all.push(self),
        }
    }
}

/// A tessellation evaluation program with its parameters bound, ready to run on blocks of [`LANES`] vertices
/// of any patches (NV_tessellation_program5, Tessellation Evaluation Programs).
pub trait EvaluationShader: Sync {
    /// The program's declarations for the primitive generator.
    fn layout(&self) -> Option<TessellationLayout>;

    /// The attributes that the program reads, as in [`GeometryShader::inputs`]; includes
    /// [`Attribute::OfPatch`] and [`Attribute::TessCoord`].
    fn inputs(&self) -> &[(Attribute, u8)];

    /// A bit for each result that the program writes, as in [`VertexShader::results_written`].
    fn results_written(&self) -> u64;

    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether vertices run one after the other, in the order of the draw, because the order is observable.
    fn is_serialised(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// Registers and scratch memory for one thread.
    fn worker(&self) -> Box<dyn EvaluationWorker + '_>;
}

/// Registers and scratch memory of one thread for a tessellation evaluation program.
pub trait EvaluationWorker: Send {
    /// Runs the lanes with a bit in `active`. `inputs` has the attributes in the order of
    /// [`EvaluationShader::inputs`].
    fn run(&mut self, inputs: &AttributeLanes, active: u64, output: &mut ResultLanes);
}

/// A geometry program with its parameters bound, ready to run on blocks of [`LANES`] invocations
/// (NV_geometry_program4 2.14.6).
pub trait GeometryShader: Sync {
    /// The program's declarations, with the vertex limit that applies.
    fn layout(&self) -> GeometryLayout;

    /// The attributes that the program reads, each with the components read (bit 0 = x):
    /// [`Attribute::OfVertex`], [`Attribute::PrimitiveId`], [`Attribute::Invocation`] and
    /// [`Attribute::VertexCount`].
    fn inputs(&self) -> &[(Attribute, u8)];

    /// The results of an emitted vertex, in the order of [`super::Stream::results`].
    fn results(&self) -> &[VertexResult];

    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether invocations run one after the other, in the order of the draw, because the order is
    /// observable.
    fn is_serialised(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// Registers and scratch memory for one thread.
    fn worker(&self) -> Box<dyn GeometryWorker + '_>;
}

/// Registers and scratch memory of one thread for a geometry program.
pub trait GeometryWorker {
    /// Runs the lanes with a bit in `active`. `inputs` has the attributes in the order of
    /// [`GeometryShader::inputs`].
    fn run(&mut self, inputs: &AttributeLanes, active: u64);

    /// Takes the vertices that the lanes emitted in the last run.
    fn take_emissions(&mut self) -> Emissions;
}
