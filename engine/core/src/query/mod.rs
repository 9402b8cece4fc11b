//! Frame queries: the data that a recording gives for one fragment, for all fragments of a draw.
//!
//! A query draws again. Register values, block counts and the origins of NaNs come from instructions added to
//! the program (`rewrite`, `added`), at about the cost of the picture. Their results go to additional colour
//! buffers, so fragment tests decide as usual which fragment a pixel shows.
//!
//! Only the reference interpreter knows undefined values, levels of detail and breakpoint conditions. These
//! queries use it (`traced`) and take some hundred times as long. `shadestep_gl::DrawCall::query_frame` is
//! the entry point.

mod added;
mod counted;
mod rewrite;
mod traced;

pub use added::MOST_BLOCKS;
pub use added::{NOTES, VALUES};
pub use counted::Counted;
pub use traced::Traced;

use crate::debug::expression::{Expression, Place};
use crate::exec::{Bindings, Cancelled, Executable, Shader, Worker};
use crate::pipeline::{ColorFormat, FramebufferError, PixelStatus, Samples};
use added::Block;
use rewrite::Rewritten;
use shadestep_language::ir::{Attribute, Components, Control, Element, Instruction, OutputId, Program, Type};
use shadestep_language::semantics::plan::ResultTypes;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Control of a running query.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Cancels the query when it becomes true.
    pub cancel: &'a AtomicBool,
    /// Counts finished fragments. Each queried register adds as many as the draw shades.
    pub shaded: Option<&'a AtomicU64>,
}

impl Run<'_> {
    fn note(&self, fragments: u32) {
        if let Some(shaded) = self.shaded {
            shaded.fetch_add(fragments.into(), Ordering::Relaxed);
        }
    }
}

impl<'a> From<&'a AtomicBool> for Run<'a> {
    fn from(cancel: &'a AtomicBool) -> Self {
        Self { cancel, shaded: None }
    }
}

/// The point of a run at which a register is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramPoint {
    /// After each execution of the instruction with this index; the last one counts. Before the instruction
    /// if it computes nothing.
    After(usize),
    /// When the program ends.
    End,
}

impl ProgramPoint {
    /// Whether registers can be read at this instruction. ELSE and ENDIF cannot be used, because two paths
    /// reach them.
    pub fn can_be_after(instruction: &Instruction) -> bool {
        !matches!(instruction.control(), Some(Control::Else { .. } | Control::EndIf))
    }
}

/// A query about all fragments.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The values of registers.
    Registers(ProgramPoint, Vec<Place>),
    /// How often the instruction with this index wrote a component of its destination, so its condition
    /// passed. An instruction without a destination never writes.
    Wrote(usize),
    /// Whether an instruction wrote a NaN or an infinity, and the first one that did.
    NotFinite,
    /// Executions of each instruction, summed over all fragments of the layer.
    Lines,
    /// Number of invocations at each pixel, and of the instructions that they executed.
    Invocations,
    /// Whether an instruction wrote a value that the specification leaves undefined, and the first one that
    /// did.
    Undefined,
    /// The level of detail of the lookup with this index, at its last execution.
    Level(usize),
    /// Hits of breakpoints: how often a run reached one of these instructions while its condition held.
    Hits(Vec<(usize, Option<Arc<Expression>>)>),
}

impl Question {
    /// The attributes that breakpoint conditions read, each once.
    fn attributes(&self) -> Vec<Attribute> {
        let Self::Hits(points) = self else { return Vec::new() };
        let conditions = points.iter().filter_map(|(_, condition)| condition.as_deref());
        let read = conditions.flat_map(Expression::reads);
        let attributes = read.filter_map(|(place, _)| match place {
            Place::Attribute(attribute) => Some(*attribute),
            _ => None,
        });
        attributes.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The target that the queried draw renders to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The format of colour buffer 0. The alpha test depends on it.
    pub format: ColorFormat,
    /// Samples per pixel. Register values are from the fragment that was written to sample 0.
    pub samples: Samples,
    /// Number of layers.
    pub layers: usize,
    /// The queried layer.
    pub layer: usize,
}

/// Invocations at one pixel of the layer, whether or not their fragments were written. A fragment that fails
/// a test before shading has no invocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Fragment invocations.
    pub shaded: u32,
    /// Fragment invocations that the program discarded.
    pub killed: u32,
    /// Helper invocations next to a fragment.
    pub helpers: u32,
    /// Instructions that the fragment invocations executed.
    pub instructions: u64,
}

/// The answer to a frame query. Planes have row 0 at the bottom; pixel (x, y) is at `y * width + x`. The
/// values of a pixel are from the fragment that was written last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameAnswer {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The outcome of each pixel.
    pub status: Vec<PixelStatus>,
    /// Depth of each pixel.
    pub depth: Vec<f32>,
    /// Number of occurrences: executions of the instruction, or hits of a breakpoint. Queries for non-finite
    /// and undefined values give 1 or 0. Empty for other queries.
    pub times: Vec<u32>,
    /// The first instruction with an occurrence.
    pub first: Vec<Option<u32>>,
    /// The bits of the queried registers, in their order; flags for a condition code. 0 where `times` is 0.
    pub registers: Vec<Vec<Components>>,
    /// The level of detail, NaN where no lookup was made.
    pub levels: Vec<f32>,
    /// The invocations of each pixel.
    pub tallies: Vec<Tally>,
    /// Executions of each instruction, by the fragments of the layer.
    pub executed: Vec<u64>,
    /// For each instruction, the fragments that executed it at least once.
    pub reached: Vec<u64>,
    /// Number of shaded fragments of the layer.
    pub fragments: u64,
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameQueryError {
    /// The draw has no fragment program.
    NoProgram,
    /// The query asks for the final value of a loop index, which loops write without an instruction.
    LoopIndexAtEnd,
    /// The program has too many blocks to be counted.
    TooManyBlocks,
    /// The colour buffers of the query could not be created.
    Framebuffer(FramebufferError),
    /// The caller cancelled the query.
    Cancelled,
}

impl std::fmt::Display for FrameQueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoProgram => f.write_str("there is no fragment program"),
            Self::LoopIndexAtEnd => {
                f.write_str("the index of a loop can be read only after a line, not at the end")
            }
            Self::TooManyBlocks => write!(f, "the program has more than {MOST_BLOCKS} blocks"),
            Self::Framebuffer(error) => error.fmt(f),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for FrameQueryError {}

impl From<Cancelled> for FrameQueryError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<FramebufferError> for FrameQueryError {
    fn from(error: FramebufferError) -> Self {
        Self::Framebuffer(error)
    }
}

/// The type of the value in each component of a register, as far as the text determines it. If instructions
/// write with different types, the last one before the point wins.
pub fn types(program: &Program, point: ProgramPoint, place: Place) -> [Type; 4] {
    let (element, register) = match place {
        Place::Temp(id) => (Element::Temp(id), program.temporaries[usize::from(id.0)].ty),
        Place::Output(id) => (Element::Output(id), program.outputs[usize::from(id.0)].ty),
        Place::Attribute(attribute) => return [attribute.ty(); 4],
        Place::Param(id) => return [program.parameters[usize::from(id.0)].ty; 4],
        Place::Flags(_) => return [Type::U32; 4],
    };
    let end = match point {
        ProgramPoint::After(pc) => pc + 1,
        ProgramPoint::End => program.instructions.len(),
    };
    let mut types = [register; 4];
    // Writes after the point apply first, because a loop may lead back to the point.
    let (before, after): (Vec<_>, Vec<_>) =
        rewrite::writes(program, element).into_iter().partition(|(pc, _)| *pc < end);
    for (pc, mask) in after.into_iter().rev().chain(before) {
        let ty = ResultTypes::of(program, &program.instructions[pc]).in_register();
        types.iter_mut().enumerate().filter(|(c, _)| mask >> c & 1 != 0).for_each(|(_, own)| *own = ty);
    }
    types
}

/// The program that answers a query, and the places of its added results.
pub struct Plan {
    /// The program with the added instructions.
    pub shader: Shader,
    /// Block counters, four per result, with their blocks.
    counters: Vec<OutputId>,
    blocks: Vec<Block>,
    /// Index in the shader's program of each original instruction.
    places: Vec<usize>,
    /// Whether the program runs once per sample. Attributes that only the query reads do not change that.
    pub shades_samples: bool,
}

impl Plan {
    /// Plans the answer to `question` for `program`, which `own` runs unchanged. Of several registers, the
    /// plan reads the first.
    ///
    /// # Errors
    /// See [`FrameQueryError`].
    pub fn new(
        (program, bindings): (&Program, &Bindings),
        own: &Shader,
        question: &Question,
    ) -> Result<Self, FrameQueryError> {
        let (mut counters, mut blocks) = (Vec::new(), Vec::new());
        let rewrite = match question {
            Question::Registers(point, places) => {
                Some(added::capture(program, *point, places.first().copied())?)
            }
            Question::Wrote(pc) => Some(added::wrote(program, *pc)),
            Question::NotFinite => Some(added::not_finite(program)),
            Question::Lines => {
                blocks = added::blocks(program);
                if blocks.len() > MOST_BLOCKS {
                    return Err(FrameQueryError::TooManyBlocks);
                }
                let (rewrite, outputs) = added::counters(program, &blocks);
                counters = outputs;
                Some(rewrite)
            }
            Question::Invocations | Question::Undefined | Question::Level(_) | Question::Hits(_) => None,
        };
        let shades_samples = program.shades_samples();
        let Some(rewrite) = rewrite else {
            let places = (0..program.instructions.len()).collect();
            return Ok(Self { shader: own.clone(), counters, blocks, places, shades_samples });
        };
        let Rewritten { program: longer, parameters, places } = rewrite.finish(&bindings.parameters);
        let bindings = Bindings { parameters, ..bindings.clone() };
        let shader = Shader::new(Arc::new(Executable::new(Arc::new(longer))), bindings);
        let shader = shader.with_limit(own.limit());
        Ok(Self { shader, counters, blocks, places, shades_samples })
    }

    /// Number of instructions of the original program.
    pub fn instructions(&self) -> usize {
        self.places.len()
    }

    /// The counted blocks, each as a range of instructions.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        self.blocks.iter().map(|block| block.start..block.end)
    }

    /// How often each lane reached the first instruction of block `number` in the last run of `worker`.
    pub fn executed(&self, worker: &Worker, number: usize) -> impl Fn(usize) -> u32 {
        let counter = |number: usize| &self.shader.result(worker, self.counters[number / 4])[number % 4].0;
        let (own, joined) = (counter(number), self.blocks[number].joined.map(counter));
        move |lane| own[lane].to_bits() + joined.map_or(0, |other| other[lane].to_bits())
    }

    /// The lanes that reached the instruction limit in the last run of `worker`. Each entry is a set of
    /// lanes, a block that they did not finish, and the rest of its instructions.
    pub fn cut_short(&self, worker: &Worker) -> impl Iterator<Item = (u64, usize, Range<usize>)> {
        worker.limited().iter().flat_map(|&(at, lanes)| {
            // Instructions added after an original instruction run together with it.
            let next = self.places.partition_point(|&place| place <= at);
            let own = self.blocks.iter().position(|block| (block.start + 1..block.end).contains(&next));
            let own = own.map(|number| (lanes, number, next..self.blocks[number].end));
            // A lane that stops after an ELSE misses the block of the ENDIF.
            let before = self.blocks.iter().position(|block| block.end == next);
            let joins = |block: &Block| before.is_some() && block.joined == before;
            let joined = self.blocks.iter().position(joins);
            let joined =
                joined.map(|number| (lanes, number, self.blocks[number].start..self.blocks[number].end));
            own.into_iter().chain(joined)
        })
    }
}
