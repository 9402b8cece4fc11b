//! The interface between the pipeline and the wide executor: the inputs and outputs of a block of [`LANES`]
//! fragments or vertices, one lane register a component, and the traits that a shader implements.
//!
//! Lanes 4q to 4q+3 are the fragments (x,y), (x+1,y), (x,y+1), (x+1,y+1) of one 2x2 quad; x and y are even, y grows
//! upwards. Quads of one block may belong to different primitives. A lane that no primitive covers has extrapolated
//! attributes, so that it can run as a helper invocation for derivatives.

use super::emissions::Emissions;
use super::inputs::{PrimitiveInputs, VertexInputs};
use super::interpolants::Interpolants;
use crate::memory::{Before, Origin, Use};
use crate::movemask::ones;
use crate::subject::Subject;
use shadestep_language::ir::{
    Attribute, GeometryLayout, Interpolation, Interpolations, OutputRole, TessellationLayout, VertexResult,
    limits,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Fragments in a block.
pub const LANES: usize = 64;

/// A lane register: one component of one register, or of an input or output, in every lane of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct LaneRegister(pub [f32; LANES]);

impl LaneRegister {
    /// All lanes zero.
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// The attributes of a block. Only lane registers that [`FragmentFacts::attributes_used`] names are
/// valid; the others hold what they held before.
#[derive(Clone, Debug)]
pub struct AttributeLanes {
    /// Of fragments and vertices by [`Attribute::index`], of primitives in the order of [`GeometryShader::inputs`].
    registers: Box<[[LaneRegister; 4]]>,
    /// The invocation that each lane runs, if it is recorded.
    invocations: Vec<(Subject, Origin)>,
    /// Clocks of earlier stages for the lanes, and the end of each lane's part.
    before: (Vec<Before>, Vec<usize>),
    /// Whether they are of a layer that nobody looks at.
    aside: bool,
    interpolants: Option<Arc<dyn Interpolants>>,
}

impl Default for AttributeLanes {
    fn default() -> Self {
        Self::with_room(Attribute::SLOTS)
    }
}

impl AttributeLanes {
    /// For so many attributes.
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

    /// Records the clocks of earlier stages that each lane begins with. Lanes behind the last have none.
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

    /// Says whether what is drawn goes to a layer that nobody looks at ([`crate::pipeline::Layers::seen`]).
    pub const fn set_aside(&mut self, aside: bool) {
        self.aside = aside;
    }

    /// Whether what is drawn goes to a layer that nobody looks at.
    pub const fn is_aside(&self) -> bool {
        self.aside
    }

    /// What those lanes are of that can be looked at, of these.
    pub fn seen(&self, lanes: u64) -> impl Iterator<Item = Subject> {
        ones(if self.aside { 0 } else { lanes }).filter_map(|lane| self.subject(lane))
    }

    /// Says how attributes vary about the pixels, for shaders that evaluate them ([`FragmentFacts::evaluates`]).
    pub fn set_interpolants(&mut self, interpolants: Arc<dyn Interpolants>) {
        self.interpolants = Some(interpolants);
    }

    /// How attributes vary about the pixels, if that was said.
    pub const fn interpolants(&self) -> Option<&Arc<dyn Interpolants>> {
        self.interpolants.as_ref()
    }

    /// All lane registers, at [`Self::index`].
    pub fn all(&self) -> &[LaneRegister] {
        self.registers.as_flattened()
    }

    /// Where the lane register of `component` of `attribute` is among all.
    pub const fn index(attribute: Attribute, component: usize) -> usize {
        4 * attribute.index() + component
    }

    /// The same for the high words of a vertex attribute with 64 bits. They stand behind all low words.
    pub const fn high_index(attribute: Attribute, component: usize) -> usize {
        4 * (Attribute::VERTEX.len() + attribute.index()) + component
    }

    /// The lane register of `component` (0 = x) of `attribute`.
    pub fn register(&self, attribute: Attribute, component: usize) -> &LaneRegister {
        &self.registers[attribute.index()][component]
    }

    /// The same, to fill in.
    pub fn register_mut(&mut self, attribute: Attribute, component: usize) -> &mut LaneRegister {
        &mut self.registers[attribute.index()][component]
    }

    /// The vertex attribute registers of one lane, with the high words of those that have 64 bits.
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

    /// All lane registers, to fill in.
    pub fn all_mut(&mut self) -> &mut [LaneRegister] {
        self.registers.as_flattened_mut()
    }
}

/// What a block of fragments computed.
#[derive(Clone, Debug)]
pub struct BlockOutput {
    /// Colour of draw buffer 0, x, y, z, w as they stand at the end: unclamped.
    pub color: [LaneRegister; 4],
    /// The same for draw buffers 1 on; only those that [`FragmentFacts::colors_written`] names are valid.
    pub other_colors: Box<[[LaneRegister; 4]; limits::DRAW_BUFFERS as usize - 1]>,
    /// The second colour for draw buffer 0; meaningful only if the shader writes it.
    pub secondary: Box<[LaneRegister; 4]>,
    /// z of the depth output; meaningful only if the shader replaces depth.
    pub depth: LaneRegister,
    /// The samples that the program writes, bits of an integer in each lane; meaningful only if the shader says so
    /// ([`FragmentFacts::writes_sample_mask`]).
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
    /// The lane registers of output colour `number`, which is below [`limits::DRAW_BUFFERS`].
    #[inline]
    pub fn color_lanes(&self, number: u8) -> &[LaneRegister; 4] {
        match number.checked_sub(1) {
            None => &self.color,
            Some(other) => &self.other_colors[usize::from(other)],
        }
    }
}

/// When stencil and depth tests are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FragmentTests {
    /// After the program (glspec15 4.1.5, 4.1.6), or before it where nobody can tell.
    #[default]
    Late,
    /// Before it: fragments that fail are not shaded, and the others' depth is the rasterised one
    /// (EXT_shader_image_load_store 3.X).
    Early,
}

/// What is known of a fragment program before it runs.
#[derive(Clone, Copy, Debug)]
pub struct FragmentFacts {
    /// For each attribute of [`Attribute::FRAGMENT`], the components read (bit 0 = x).
    pub attributes_used: [u8; Attribute::SLOTS],
    /// How each attribute is interpolated.
    pub interpolation: Interpolations,
    /// Whether it evaluates attributes away from the centres of pixels, for which it needs
    /// [`AttributeLanes::interpolants`].
    pub evaluates: bool,
    /// A bit for each output colour that is written, bit 0 for `BlockOutput::color` (ARB_draw_buffers).
    pub colors_written: u8,
    /// Whether `BlockOutput::secondary` is written (ARB_blend_func_extended).
    pub writes_secondary: bool,
    /// Whether `BlockOutput::depth` replaces the fragment's depth.
    pub writes_depth: bool,
    /// Whether `BlockOutput::sample_mask` says which samples are written.
    pub writes_sample_mask: bool,
    /// Whether it has an invocation for each sample, wherever pixels have several: because it reads which one it is of, or
    /// an attribute at the place of the sample.
    pub shades_samples: bool,
    /// Whether the program can discard a fragment, so that `BlockOutput::killed` can be other than 0. Where it
    /// cannot, a viewport quad without a depth test writes every pixel. `true` is always correct.
    pub can_kill: bool,
    /// What it does with memory: one that writes runs once for each invocation, in an order that the draw says.
    pub memory_use: Use,
    /// Whether nobody could tell in which order it writes memory.
    pub is_concurrent: bool,
    /// Whether it needs [`AttributeLanes::subject`] of every lane.
    pub needs_pixels: bool,
    /// When its fragments are tested.
    pub tests: FragmentTests,
}

impl FragmentFacts {
    /// Whether its invocations come one after the other, in the draw's order: somebody could tell.
    pub fn takes_turns(&self) -> bool {
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

    /// A fresh worker.
    fn worker(&self) -> Self::Worker;

    /// What the pipeline knows of it before it runs; the same whenever it is asked.
    fn facts(&self) -> FragmentFacts;

    /// Runs every lane. `active` has a bit for each lane whose result is wanted; the others run as
    /// helpers of their quads or may be skipped when their whole quad is inactive.
    fn run(&self, worker: &mut Self::Worker, inputs: &AttributeLanes, active: u64, output: &mut BlockOutput);
}

/// The vertex results of a block. Only lane registers of results that [`VertexShader::results_written`] names are
/// valid; the others hold what they held before.
#[derive(Clone, Debug)]
pub struct ResultLanes {
    registers: Box<[[LaneRegister; 4]; VertexResult::COUNT]>,
    /// The clock that each lane hands on to later stages; empty unless races are looked for.
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

    /// The same, to fill in.
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

    /// What makes patches of those of its vertices, if anything does.
    fn control(&self) -> Option<&dyn ControlShader> {
        None
    }

    /// What gives the vertices that patches are divided at, if patches are divided.
    fn evaluation(&self) -> Option<&dyn EvaluationShader> {
        None
    }

    /// What makes other primitives of those of its vertices, if anything does.
    fn geometry(&self) -> Option<&dyn GeometryShader> {
        None
    }

    /// A fresh worker.
    fn worker(&self) -> Self::Worker;

    /// For each attribute of [`Attribute::VERTEX`], the components read (bit 0 = x), and behind them for each of the first
    /// 16 those of which the high 32 bits are read.
    fn attributes_used(&self) -> [u8; Attribute::SLOTS];

    /// A bit for each result of [`VertexResult::ALL`] that the program writes, in whole or in part.
    /// Components it does not write are (0,0,0,1)'s.
    fn results_written(&self) -> u64;

    /// What it does with memory: one that writes runs once for each invocation, in an order that the draw says.
    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether its invocations come one after the other, in the draw's order: somebody could tell.
    fn takes_turns(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// Whether races are looked for and a program before fragments accesses memory.
    fn tracks(&self) -> bool {
        false
    }

    /// Runs the lanes with a bit in `active`; what the others give does not matter.
    fn run(&self, worker: &mut Self::Worker, inputs: &AttributeLanes, active: u64, output: &mut ResultLanes);
}

/// A tessellation control program with its parameters bound, ready to run on blocks of [`LANES`] invocations
/// (NV_tessellation_program5, Tessellation Control Programs). The invocations of a patch are lanes side by side, from a lane on that
/// their number divides; none of them is missing.
pub trait ControlShader: Sync {
    /// How many vertices it gives a patch: how many invocations a patch has.
    fn patch_vertices(&self) -> usize;

    /// The attributes that it reads, as of a [`GeometryShader`].
    fn inputs(&self) -> &[(Attribute, u8)];

    /// Its results: of vertices, and of patches, which all lanes of one have.
    fn results(&self) -> &[OutputRole];

    /// What it does with memory.
    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether patches come one after the other, in the draw's order: somebody could tell.
    fn takes_turns(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// Whether invocations may come to a [`Hazard`] that [`ControlWorker::run`] does not find.
    fn may_meet(&self) -> bool {
        false
    }

    /// Those that the invocations of a patch come to, lanes being invocations, found by running it by itself. Where `cancel` becomes true,
    /// the rest is left out.
    fn conflicts(&self, _inputs: &PrimitiveInputs, _cancel: &AtomicBool) -> Vec<Conflict> {
        Vec::new()
    }

    /// What runs it on one thread.
    fn worker(&self) -> Box<dyn ControlWorker + '_>;
}

/// Registers and scratch memory of one thread for a tessellation control program.
pub trait ControlWorker: Send {
    /// Runs the lanes with a bit in `active`. `inputs` has the attributes in the order of [`ControlShader::inputs`].
    /// `finds_conflicts`: whether writes of different values in one instruction are noted, which takes longer.
    fn run(&mut self, inputs: &AttributeLanes, active: u64, finds_conflicts: bool);

    /// The four lane registers of result `number` of [`ControlShader::results`] after the last run.
    fn result(&self, number: usize) -> &[LaneRegister];

    /// Takes what conflicts there were in runs since the last call, one of each instruction.
    fn take_conflicts(&mut self) -> Vec<Conflict>;

    /// The clock that each lane hands on after the last run; empty unless races are looked for.
    fn before(&self) -> &[Before] {
        &[]
    }
}

/// What two invocations of a patch do without an order (NV_tessellation_program5 2.X.5, issue 4): in one instruction, or on the two
/// sides of an IF with an ELSE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// Both give something that the patch has different values.
    Writes,
    /// The first gives something a value, the second reads it.
    ReadAndWrite,
}

/// What gives two accesses no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// They are of one instruction.
    Instruction,
    /// They are on the two sides of an IF with an ELSE.
    Sides,
}

/// That two invocations of a patch came to a [`Hazard`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What it is.
    pub hazard: Hazard,
    /// Why they have no order.
    pub apart: Apart,
    /// Indices of the instructions of the two.
    pub at: [usize; 2],
    /// The lanes of the two, of the conflict of the lowest.
    pub lanes: [u8; 2],
    /// How often two invocations came to one.
    pub count: u64,
}

impl Conflict {
    /// Adds it to `all`, which have one of each cause.
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

/// A tessellation evaluation program with its parameters bound, ready to run on blocks of [`LANES`] vertices, of whichever
/// patches (NV_tessellation_program5, Tessellation Evaluation Programs).
pub trait EvaluationShader: Sync {
    /// What it declares of the primitive generator.
    fn layout(&self) -> Option<TessellationLayout>;

    /// The attributes that it reads, as of a [`GeometryShader`], [`Attribute::OfPatch`] and [`Attribute::TessCoord`] among them.
    fn inputs(&self) -> &[(Attribute, u8)];

    /// A bit for each result that it writes, as of a [`VertexShader`].
    fn results_written(&self) -> u64;

    /// What it does with memory.
    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether vertices come one after the other, in the draw's order: somebody could tell.
    fn takes_turns(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// What runs it on one thread.
    fn worker(&self) -> Box<dyn EvaluationWorker + '_>;
}

/// Registers and scratch memory of one thread for a tessellation evaluation program.
pub trait EvaluationWorker: Send {
    /// Runs the lanes with a bit in `active`. `inputs` has the attributes in the order of [`EvaluationShader::inputs`].
    fn run(&mut self, inputs: &AttributeLanes, active: u64, output: &mut ResultLanes);
}

/// A geometry program with its parameters bound, ready to run on blocks of [`LANES`] invocations
/// (NV_geometry_program4 2.14.6).
pub trait GeometryShader: Sync {
    /// What it declares, with the limit of vertices that holds for it.
    fn layout(&self) -> GeometryLayout;

    /// The attributes that it reads, each with the components read (bit 0 = x): [`Attribute::OfVertex`],
    /// [`Attribute::PrimitiveId`], [`Attribute::Invocation`] and [`Attribute::VertexCount`].
    fn inputs(&self) -> &[(Attribute, u8)];

    /// What the results of an emitted vertex are ([`super::Stream::results`]).
    fn results(&self) -> &[VertexResult];

    /// What it does with memory.
    fn memory_use(&self) -> Use {
        Use::None
    }

    /// Whether its invocations come one after the other, in the draw's order: somebody could tell.
    fn takes_turns(&self) -> bool {
        self.memory_use() == Use::Writes
    }

    /// What runs it on one thread.
    fn worker(&self) -> Box<dyn GeometryWorker + '_>;
}

/// Registers and scratch memory of one thread for a geometry program.
pub trait GeometryWorker {
    /// Runs the lanes with a bit in `active`. `inputs` has the attributes in the order of [`GeometryShader::inputs`].
    fn run(&mut self, inputs: &AttributeLanes, active: u64);

    /// What the lanes have emitted in the last run.
    fn take_emissions(&mut self) -> Emissions;
}
