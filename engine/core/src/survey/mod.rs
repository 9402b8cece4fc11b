//! Surveys: what a recording tells of one fragment, asked of all fragments of a draw.
//!
//! A survey draws again. What registers hold, how often blocks ran and where a NaN came from is asked by instructions that
//! are added to the program (`rewrite`, `added`), so it costs about as much as the picture; they give results of their own, which
//! go to colour buffers of their own, so the tests decide as ever whose a pixel is. What only the traced executor knows (what
//! is undefined, levels of detail, conditions of breakpoints) is asked of that (`traced`), which takes some hundred times as
//! long. [`shadestep_gl::DrawCall::survey`] is the way in.

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

/// A survey under way.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Gives it up when it becomes true.
    pub cancel: &'a AtomicBool,
    /// Counts the fragments that have been looked at: as many as the draw shades, for each register that is asked for.
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

/// When a register is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Behind the instruction with this index, whenever it has been executed; the last time counts. Before it, if it is one that
    /// computes nothing.
    Behind(usize),
    /// When the program ends.
    End,
}

impl Moment {
    /// Whether registers can be looked at at this instruction: it is no ELSE and no ENDIF, to which runs come in two ways.
    pub fn can_be_behind(instruction: &Instruction) -> bool {
        !matches!(instruction.control(), Some(Control::Else { .. } | Control::EndIf))
    }
}

/// What is asked of all fragments.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// What registers hold.
    Registers(Moment, Vec<Place>),
    /// How often the instruction with this index wrote a component of its destination: its condition has to let it. An
    /// instruction without a destination never does.
    Wrote(usize),
    /// Whether an instruction wrote NaN or an infinity, and which was the first.
    NotFinite,
    /// How often each instruction was executed, of all fragments of the layer together.
    Lines,
    /// How many invocations there were at each pixel, and how many instructions they executed.
    Invocations,
    /// Whether an instruction gave what the specification leaves undefined, and which was the first.
    Undefined,
    /// The level of detail of the lookup with this index, when it was made last.
    Level(usize),
    /// How often breakpoints were come to whose conditions held: before the instruction with this index.
    Hits(Vec<(usize, Option<Arc<Expression>>)>),
}

impl Question {
    /// The attributes that conditions of breakpoints read, each once.
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

/// What a draw that is surveyed is rendered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The format of colour buffer 0, which the alpha test depends on.
    pub format: ColorFormat,
    /// Samples of a pixel. Registers are told of the fragment that was written to sample 0.
    pub samples: Samples,
    /// How many layers there are.
    pub layers: usize,
    /// The layer that is told of.
    pub layer: usize,
}

/// How many invocations there were at a pixel of the layer, whatever became of their fragments. Fragments that a test refuses before they are
/// shaded have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Invocations of fragments.
    pub shaded: u32,
    /// Those of them that the program discarded.
    pub killed: u32,
    /// Invocations that ran as helpers beside a fragment.
    pub helpers: u32,
    /// Instructions that fragments' invocations executed.
    pub instructions: u64,
}

/// What a survey found. Planes have row 0 at the bottom; pixel (x, y) is at `y * width + x`. What is told of a pixel is of the
/// fragment that was written last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// What became of each pixel.
    pub status: Vec<PixelStatus>,
    /// Depth of each pixel.
    pub depth: Vec<f32>,
    /// How often what was asked for happened: the instruction was executed, a breakpoint was hit; 1 if a number was not finite, or
    /// something undefined. Empty where nothing of the kind was asked.
    pub times: Vec<u32>,
    /// The first instruction that it happened at.
    pub first: Vec<Option<u32>>,
    /// The bits of the registers that were asked for, in their order; of a condition code its flags. 0 where `times` is.
    pub registers: Vec<Vec<Components>>,
    /// The level of detail, NaN where there was none.
    pub levels: Vec<f32>,
    /// Of each pixel.
    pub tallies: Vec<Tally>,
    /// How often each instruction was executed, of the fragments of the layer.
    pub executed: Vec<u64>,
    /// In how many fragments each instruction was executed at all.
    pub reached: Vec<u64>,
    /// How many fragments of the layer were shaded.
    pub fragments: u64,
}

/// Why there is no survey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SurveyError {
    /// There is no fragment program.
    NoProgram,
    /// The index of a loop at the end: loops write it without an instruction of their own.
    LoopIndexAtEnd,
    /// The program has too many blocks to be counted.
    TooManyBlocks,
    /// The planes could not be had.
    Framebuffer(FramebufferError),
    /// It was cancelled.
    Cancelled,
}

impl std::fmt::Display for SurveyError {
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

impl std::error::Error for SurveyError {}

impl From<Cancelled> for SurveyError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<FramebufferError> for SurveyError {
    fn from(error: FramebufferError) -> Self {
        Self::Framebuffer(error)
    }
}

/// What the components of a register are written as, as far as the text says: where instructions differ in that, as the last of
/// them before the moment does.
pub fn types(program: &Program, moment: Moment, place: Place) -> [Type; 4] {
    let (element, register) = match place {
        Place::Temp(id) => (Element::Temp(id), program.temporaries[usize::from(id.0)].ty),
        Place::Output(id) => (Element::Output(id), program.outputs[usize::from(id.0)].ty),
        Place::Attribute(attribute) => return [attribute.ty(); 4],
        Place::Param(id) => return [program.parameters[usize::from(id.0)].ty; 4],
        Place::Flags(_) => return [Type::U32; 4],
    };
    let end = match moment {
        Moment::Behind(pc) => pc + 1,
        Moment::End => program.instructions.len(),
    };
    let mut types = [register; 4];
    // Those behind the moment come first: a loop may lead back to it.
    let (before, behind): (Vec<_>, Vec<_>) =
        rewrite::writes(program, element).into_iter().partition(|(pc, _)| *pc < end);
    for (pc, mask) in behind.into_iter().rev().chain(before) {
        let ty = ResultTypes::of(program, &program.instructions[pc]).in_register();
        types.iter_mut().enumerate().filter(|(c, _)| mask >> c & 1 != 0).for_each(|(_, own)| *own = ty);
    }
    types
}

/// How a question is answered: by which program, and what its added results are.
pub struct Plan {
    /// The program with what is added.
    pub shader: Shader,
    /// Counters of blocks, four to a result, with the blocks.
    counters: Vec<OutputId>,
    blocks: Vec<Block>,
    /// Index in the shader's program of each instruction.
    places: Vec<usize>,
    /// Whether the program has an invocation for each sample. Reading an attribute for a survey does not change that.
    pub shades_samples: bool,
}

impl Plan {
    /// How `question` is answered of `program`, which `own` runs as it is; of registers the first of those asked for.
    ///
    /// # Errors
    /// See [`SurveyError`].
    pub fn new(
        (program, bindings): (&Program, &Bindings),
        own: &Shader,
        question: &Question,
    ) -> Result<Self, SurveyError> {
        let (mut counters, mut blocks) = (Vec::new(), Vec::new());
        let rewrite = match question {
            Question::Registers(moment, places) => {
                Some(added::capture(program, *moment, places.first().copied())?)
            }
            Question::Wrote(pc) => Some(added::wrote(program, *pc)),
            Question::NotFinite => Some(added::not_finite(program)),
            Question::Lines => {
                blocks = added::blocks(program);
                if blocks.len() > MOST_BLOCKS {
                    return Err(SurveyError::TooManyBlocks);
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

    /// How many instructions the text of the program has.
    pub fn instructions(&self) -> usize {
        self.places.len()
    }

    /// The blocks that are counted, each as the instructions that it has.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        self.blocks.iter().map(|block| block.start..block.end)
    }

    /// How often each lane came to the first instruction of block `number` in the last run of `worker`.
    pub fn executed(&self, worker: &Worker, number: usize) -> impl Fn(usize) -> u32 {
        let counter = |number: usize| &self.shader.result(worker, self.counters[number / 4])[number % 4].0;
        let (own, joined) = (counter(number), self.blocks[number].joined.map(counter));
        move |lane| own[lane].to_bits() + joined.map_or(0, |other| other[lane].to_bits())
    }

    /// The lanes that came to the limit in the last run of `worker`, each with a block that it did not execute to the end and the
    /// instructions that are left of it.
    pub fn cut_short(&self, worker: &Worker) -> impl Iterator<Item = (u64, usize, Range<usize>)> {
        worker.limited().iter().flat_map(|&(at, lanes)| {
            // What was added after an instruction runs with it.
            let next = self.places.partition_point(|&place| place <= at);
            let own = self.blocks.iter().position(|block| (block.start + 1..block.end).contains(&next));
            let own = own.map(|number| (lanes, number, next..self.blocks[number].end));
            // After an ELSE the ENDIF is left.
            let before = self.blocks.iter().position(|block| block.end == next);
            let joins = |block: &Block| before.is_some() && block.joined == before;
            let joined = self.blocks.iter().position(joins);
            let joined =
                joined.map(|number| (lanes, number, self.blocks[number].start..self.blocks[number].end));
            own.into_iter().chain(joined)
        })
    }
}
