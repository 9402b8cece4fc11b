//! Computes the values of a map with a frame query on the picture's draw. The engine's `frame query` module
//! runs the query.

use super::{Map, MapChoice, When};
use crate::session::{Frame, Pixel, PixelStatus, RenderError, SetUp, Threads};
use shadestep_engine::debug::expression::{Component, Expression, Place, Value, Values};
use shadestep_engine::ir::{
    Attribute, CcRegister, Components, Flags, Instruction, OutputRole, Program, Type,
};
use shadestep_engine::query::{self, FrameAnswer, FrameQueryError, ProgramPoint, Question, Run, Tally};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The instruction of each breakpoint, with its condition.
pub type Stops = Vec<(usize, Option<Arc<Expression>>)>;

/// A map whose instruction and expression are resolved for a program.
#[derive(Clone, Debug, PartialEq)]
pub struct MapQuery {
    pub map: Map,
    /// The expression of [`Map::Value`].
    pub expression: Option<Arc<Expression>>,
    /// When the registers are read, for maps that read registers.
    pub moment: ProgramPoint,
    /// Breakpoints of [`Map::Hits`].
    pub breakpoints: Stops,
    /// The picture that [`Map::Difference`] compares with.
    pub pinned: Option<Reference>,
}

/// A picture to compare with. Two references are equal only if they are the same allocation.
#[derive(Clone, Debug)]
pub struct Reference(pub Arc<Frame>);

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Why a map cannot be computed, as a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError(pub String);

impl MapQuery {
    /// The query for `choice` and `program`, with the caret on `line`. `lines` are the lines of the program's
    /// instructions; `None` for a deleted instruction.
    ///
    /// # Errors
    /// If the expression does not fit the program, or if the map has no suitable instruction at or above the
    /// caret.
    pub fn new(
        choice: &MapChoice,
        program: &Program,
        (lines, line): (&[Option<usize>], usize),
        (breakpoints, pinned): (Stops, Option<Arc<Frame>>),
    ) -> Result<Option<Self>, QueryError> {
        let Some(map) = choice.map else { return Ok(None) };
        let at_line = || {
            instruction_at(program, lines, line)
                .ok_or_else(|| QueryError("there is no instruction on this line or above it".to_owned()))
        };
        let mut query =
            Self { map, expression: None, moment: ProgramPoint::End, breakpoints: Vec::new(), pinned: None };
        match map {
            Map::Value => {
                let named = choice.expression.trim();
                let default = default_expression(program);
                let words = if named.is_empty() { &default } else { named };
                let expression =
                    Expression::parse(words, program).map_err(|error| QueryError(error.message))?;
                query.expression = Some(Arc::new(expression));
                if choice.when == When::Line {
                    query.moment = ProgramPoint::After(at_line()?);
                }
            }
            Map::Ran => query.moment = ProgramPoint::After(at_line()?),
            Map::Wrote | Map::Level => {
                let (wanted, what): (fn(&Instruction) -> bool, _) = match map {
                    Map::Wrote => (|instruction| instruction.dest().is_some(), "instruction with a result"),
                    _ => (|instruction| instruction.texture().is_some(), "texture lookup"),
                };
                let pc = last_above(program, lines, line, |pc| wanted(&program.instructions[pc]));
                let pc =
                    pc.ok_or_else(|| QueryError(format!("there is no {what} on this line or above it")))?;
                query.moment = ProgramPoint::After(pc);
            }
            Map::Hits => {
                if breakpoints.is_empty() {
                    return Err(QueryError("the program has no enabled breakpoint: set one".to_owned()));
                }
                query.breakpoints = breakpoints;
            }
            Map::Difference => {
                let pinned =
                    pinned.ok_or_else(|| QueryError("pin a version to compare with first".to_owned()))?;
                query.pinned = Some(Reference(pinned));
            }
            Map::Instructions
            | Map::Shaded
            | Map::Helpers
            | Map::Killed
            | Map::NotFinite
            | Map::Undefined
            | Map::Depth
            | Map::Fate
            | Map::Primitive
            | Map::Facing => {}
        }
        Ok(Some(query))
    }

    fn question(&self) -> Option<Question> {
        match self.map {
            Map::Value => {
                let reads = self.expression.iter().flat_map(|expression| expression.reads());
                Some(Question::Registers(self.moment, reads.map(|(place, _)| *place).collect()))
            }
            Map::Ran => Some(Question::Registers(self.moment, Vec::new())),
            Map::Instructions | Map::Shaded | Map::Helpers | Map::Killed => Some(Question::Invocations),
            Map::NotFinite => Some(Question::NotFinite),
            Map::Undefined => Some(Question::Undefined),
            Map::Hits => Some(Question::Hits(self.breakpoints.clone())),
            Map::Wrote => self.instruction().map(Question::Wrote),
            Map::Level => self.instruction().map(Question::Level),
            Map::Primitive => {
                Some(Question::Registers(ProgramPoint::End, vec![Place::Attribute(Attribute::PrimitiveId)]))
            }
            Map::Facing => {
                Some(Question::Registers(ProgramPoint::End, vec![Place::Attribute(Attribute::Facing)]))
            }
            Map::Depth | Map::Fate | Map::Difference => None,
        }
    }

    /// Number of reads per fragment that the frame query makes.
    pub fn passes(&self) -> u64 {
        match self.question() {
            Some(Question::Registers(_, places)) => places.len().max(1) as u64,
            Some(_) => 1,
            None => 0,
        }
    }

    /// Index of the instruction that the map is about, if there is one.
    pub const fn instruction(&self) -> Option<usize> {
        match self.moment {
            ProgramPoint::After(pc) => Some(pc),
            ProgramPoint::End => None,
        }
    }
}

/// The expression for an empty text: colour output 0, else the first output, else `step`.
fn default_expression(program: &Program) -> String {
    let color = program.output(OutputRole::Color(0)).and_then(|id| program.outputs.get(usize::from(id.0)));
    color.or(program.outputs.first()).map_or_else(|| "step".to_owned(), |output| output.name.clone())
}

/// The instruction on `line`, or the last one above it, after which registers can be read.
fn instruction_at(program: &Program, lines: &[Option<usize>], line: usize) -> Option<usize> {
    last_above(program, lines, line, |pc| ProgramPoint::can_be_after(&program.instructions[pc]))
}

fn last_above(
    program: &Program,
    lines: &[Option<usize>],
    line: usize,
    wanted: impl Fn(usize) -> bool,
) -> Option<usize> {
    let is_above = |pc: &usize| lines.get(*pc).copied().flatten().is_some_and(|of| of <= line);
    (0..program.instructions.len()).filter(is_above).filter(|pc| wanted(*pc)).max_by_key(|pc| {
        // The last one in the text. Labels can make the order of instructions differ from the text.
        program.instructions[*pc].span.start
    })
}

/// The values of all pixels, with one to four components each. Row 0 is at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Components of a value, 1 to 4.
    pub components: usize,
    /// Whether values are 0 or 1, for false and true.
    pub is_condition: bool,
    /// The values, pixel by pixel.
    pub values: Vec<f64>,
    /// Whether each pixel has a value.
    pub present: Vec<bool>,
    /// For each pixel, the first instruction that caused its value, for maps that report one. Empty for other
    /// maps.
    pub first: Vec<Option<u32>>,
}

/// A summary of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Pixels that have a value.
    pub pixels: usize,
    /// Components that are NaN or infinite.
    pub not_finite: usize,
    /// Smallest and largest finite component; `None` if there is none.
    pub range: Option<[f64; 2]>,
    /// Sum of the finite components.
    pub sum: f64,
    /// Pixels with a component other than 0.
    pub other_than_zero: usize,
    /// The pixel with the largest component, from the lower left.
    pub greatest_at: Option<[u32; 2]>,
}

impl Field {
    fn new(size: [u32; 2], components: usize) -> Self {
        let count = size[0] as usize * size[1] as usize;
        Self {
            size,
            components,
            is_condition: false,
            values: vec![0.0; count * components],
            present: vec![false; count],
            first: Vec::new(),
        }
    }

    /// A field with one component per pixel.
    fn of(size: [u32; 2], values: impl Iterator<Item = Option<f64>>) -> Self {
        let mut field = Self::new(size, 1);
        for (place, value) in values.enumerate().take(field.present.len()) {
            field.put(place, value.as_slice());
        }
        field
    }

    fn put(&mut self, place: usize, values: &[f64]) {
        if values.len() == self.components {
            self.present[place] = true;
            self.values[place * self.components..][..self.components].copy_from_slice(values);
        }
    }

    /// The value of a pixel, counted from the lower left; `None` if it has none.
    pub fn at(&self, [x, y]: [u32; 2]) -> Option<&[f64]> {
        let place = (x < self.size[0] && y < self.size[1]).then(|| (y * self.size[0] + x) as usize)?;
        self.value(place)
    }

    /// The value of the pixel with index `place`.
    pub fn value(&self, place: usize) -> Option<&[f64]> {
        self.present.get(place)?.then(|| &self.values[place * self.components..][..self.components])
    }

    /// The first instruction that caused the value of a pixel, counted from the lower left.
    pub fn first_at(&self, [x, y]: [u32; 2]) -> Option<usize> {
        let first = self.first.get((y * self.size[0] + x) as usize).copied().flatten();
        first.map(|pc| pc as usize)
    }

    pub fn statistics(&self) -> Statistics {
        let mut found = Statistics::default();
        for place in 0..self.present.len() {
            let Some(value) = self.value(place) else { continue };
            found.pixels += 1;
            found.other_than_zero += usize::from(value.iter().any(|component| *component != 0.0));
            for &component in value {
                if component.is_finite() {
                    let [least, most] = found.range.unwrap_or([component; 2]);
                    if found.greatest_at.is_none() || component > most {
                        let width = self.size[0] as usize;
                        found.greatest_at = Some([(place % width) as u32, (place / width) as u32]);
                    }
                    found.range = Some([least.min(component), most.max(component)]);
                    found.sum += component;
                } else {
                    found.not_finite += 1;
                }
            }
        }
        found
    }
}

/// How often the instructions of the fragment program were executed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineCounts {
    /// For each instruction, its executions and the fragments that executed it.
    instructions: Vec<[u64; 2]>,
    /// For each line with instructions, from 0, its executions and the fragments that executed it.
    pub lines: BTreeMap<usize, [u64; 2]>,
    /// Largest number of executions of a line.
    pub most: u64,
    /// Executions of all instructions.
    pub total: u64,
    /// Number of shaded fragments.
    pub fragments: u64,
}

impl LineCounts {
    /// Adds up the counts of the instructions on each of `lines`. Instructions without a line were deleted.
    pub fn place(&mut self, lines: &[Option<usize>]) {
        self.lines.clear();
        for (line, [executed, reached]) in lines.iter().zip(&self.instructions) {
            let Some(line) = line else { continue };
            let counts = self.lines.entry(*line).or_default();
            counts[0] += executed;
            counts[1] = counts[1].max(*reached);
        }
        self.most = self.lines.values().map(|[executed, _]| *executed).max().unwrap_or(0);
    }

    /// The fraction of all executions, 0 to 1.
    pub fn share(&self, executed: u64) -> f64 {
        executed as f64 / self.total.max(1) as f64
    }
}

/// Counts how often each line was executed. `lines` are the lines of the program's instructions.
///
/// # Errors
/// See [`FrameQueryError`].
pub fn line_counts<'a>(
    set_up: &SetUp,
    lines: &[usize],
    threads: &Threads,
    run: impl Into<Run<'a>>,
) -> Result<LineCounts, FrameQueryError> {
    let FrameAnswer { executed, reached, fragments, .. } =
        set_up.query_frame(&Question::Lines, threads, run)?;
    let total = executed.iter().sum();
    let instructions = executed.into_iter().zip(reached).map(|(executed, reached)| [executed, reached]);
    let instructions = instructions.collect();
    let mut counts = LineCounts { instructions, fragments, total, ..LineCounts::default() };
    counts.place(&lines.iter().copied().map(Some).collect::<Vec<_>>());
    Ok(counts)
}

/// Computes the values of a map. `pixel` returns the picture's pixel.
///
/// # Errors
/// If the frame query fails; see [`FrameQueryError`].
pub fn work_out<'a>(
    set_up: &SetUp,
    program: &Program,
    query: &MapQuery,
    (size, pixel): ([u32; 2], impl Fn([u32; 2]) -> Option<Pixel>),
    threads: &Threads,
    run: impl Into<Run<'a>>,
) -> Result<Field, RenderError> {
    let run = run.into();
    let places = || (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| [x, y]));
    let Some(question) = query.question() else {
        let value = |at: [u32; 2]| {
            let pixel = pixel(at)?;
            Some(match query.map {
                Map::Depth => f64::from(pixel.depth),
                Map::Difference => difference(query, at, &pixel)?,
                _ => fate(pixel.status),
            })
        };
        return Ok(Field::of(size, places().map(value)));
    };
    let answer = set_up.query_frame(&question, threads, run)?;
    let drawn = |place: usize| answer.status[place] == PixelStatus::Written;
    let times = |place: usize| answer.times.get(place).copied().unwrap_or(0);
    let tally = |of: fn(&Tally) -> u64| {
        let values = answer.tallies.iter().map(move |tally| Some(of(tally) as f64));
        Field::of(size, values)
    };
    let happened = |condition: bool| {
        let value = |place: usize| drawn(place).then(|| f64::from(times(place)));
        let field = Field::of(size, (0..answer.status.len()).map(value));
        Field { first: answer.first.clone(), is_condition: condition, ..field }
    };
    let field = match query.map {
        Map::Value => return expression_field(program, query, &answer, run.cancel),
        Map::Instructions => tally(|tally| tally.instructions),
        Map::Shaded => tally(|tally| tally.shaded.into()),
        Map::Helpers => tally(|tally| tally.helpers.into()),
        Map::Killed => tally(|tally| tally.killed.into()),
        Map::NotFinite | Map::Undefined => happened(true),
        Map::Ran | Map::Wrote | Map::Hits => Field { first: Vec::new(), ..happened(false) },
        Map::Level => {
            let levels = answer.levels.iter().map(|level| (!level.is_nan()).then(|| f64::from(*level)));
            Field::of(size, levels)
        }
        Map::Primitive | Map::Facing => {
            let read = |place: usize| {
                let bits = answer.registers.first().map_or(0, |register| register[place][0]) as u32;
                let facing = query.map == Map::Facing;
                drawn(place).then(|| {
                    if facing { f64::from(f32::from_bits(bits)) } else { f64::from(bits.cast_signed()) }
                })
            };
            Field::of(size, (0..answer.status.len()).map(read))
        }
        Map::Depth | Map::Fate | Map::Difference => happened(false),
    };
    Ok(field)
}

/// The largest difference of a component between a pixel's colour and the pinned one. `None` if there is no
/// pixel. NaN if only one of the two components is NaN.
fn difference(query: &MapQuery, at: [u32; 2], pixel: &Pixel) -> Option<f64> {
    let before = query.pinned.as_ref()?.0.pixel(at)?;
    let integers = pixel.format.is_integer();
    let apart = |(now, before): (f32, f32)| {
        if now.to_bits() == before.to_bits() {
            0.0
        } else if integers {
            (f64::from(now.to_bits().cast_signed()) - f64::from(before.to_bits().cast_signed())).abs()
        } else {
            (f64::from(now) - f64::from(before)).abs()
        }
    };
    let components = pixel.color.into_iter().zip(before.color).map(apart);
    Some(components.fold(0.0, |most: f64, apart| if apart > most || apart.is_nan() { apart } else { most }))
}

/// The outcome of a pixel as a number.
fn fate(status: PixelStatus) -> f64 {
    f64::from(status as u8)
}

/// The registers of one pixel's fragment.
struct AtPixel<'a> {
    answer: &'a FrameAnswer,
    /// Registers in the order of the frame query's results, with their types.
    reads: &'a [(Place, [Type; 4])],
    place: usize,
}

impl AtPixel<'_> {
    fn register(&self, place: Place) -> (Components, [Type; 4]) {
        let known = self.reads.iter().zip(&self.answer.registers).find(|((read, _), _)| *read == place);
        known.map_or(([0; 4], [Type::F32; 4]), |((_, types), values)| (values[self.place], *types))
    }
}

impl Values for AtPixel<'_> {
    fn component(&self, place: Place, component: usize) -> Component {
        let (bits, types) = self.register(place);
        Component { bits: bits[component], ty: types[component], defined: true }
    }

    fn flags(&self, register: CcRegister, component: usize) -> Flags {
        let (bits, _) = self.register(Place::Flags(register));
        Flags(bits[component] as u8)
    }

    fn position(&self) -> usize {
        self.answer.times.get(self.place).copied().unwrap_or(0) as usize
    }
}

fn expression_field(
    program: &Program,
    query: &MapQuery,
    answer: &FrameAnswer,
    cancel: &AtomicBool,
) -> Result<Field, RenderError> {
    let Some(expression) = &query.expression else { return Ok(Field::new(answer.size, 1)) };
    let reads: Vec<(Place, [Type; 4])> = expression
        .reads()
        .iter()
        .map(|(place, _)| (*place, query::types(program, query.moment, *place)))
        .collect();
    let value = |place: usize| {
        let is_there = answer.status[place] == PixelStatus::Written
            && answer.times.get(place).is_none_or(|times| *times > 0);
        is_there.then(|| expression.evaluate(&AtPixel { answer, reads: &reads, place }).value)
    };
    let Some(any) = (0..answer.status.len()).find_map(value) else { return Ok(Field::new(answer.size, 1)) };
    let is_condition = matches!(any, Value::Truth(_));
    let components = any.numbers().len();
    let mut field = Field { is_condition, ..Field::new(answer.size, components) };
    let part =
        field.present.len().div_ceil(std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    std::thread::scope(|scope| {
        let parts = field.present.chunks_mut(part).zip(field.values.chunks_mut(part * components));
        for (number, (present, values)) in parts.enumerate() {
            let value = &value;
            scope.spawn(move || {
                for (place, (present, own)) in
                    present.iter_mut().zip(values.chunks_mut(components)).enumerate()
                {
                    if place % 4096 == 0 && cancel.load(Ordering::Relaxed) {
                        return;
                    }
                    let Some(found) = value(number * part + place) else { continue };
                    *present = true;
                    own.iter_mut().zip(&*found.numbers()).for_each(|(own, number)| *own = number.as_float());
                }
            });
        }
    });
    if cancel.load(Ordering::Relaxed) { Err(RenderError::Cancelled) } else { Ok(field) }
}
