//! Machine code for runs of operations, so that values stay in registers between them.
//!
//! A run is recorded as a graph ([`graph`]) by carrying out the component functions of [`crate::exec::ops`] on
//! symbols, put in terms of what the processor's instructions can do ([`legalize`]), put in order ([`schedule`]) and
//! written as one function over rows ([`emit`], [`x86`]). It replaces guarded runs only, see [`crate::exec::guard`]:
//! NaNs need not have their bits there, and whoever runs a program in full uses [`super::kernels`], as every processor
//! without AVX2 does.

mod emit;
mod graph;
mod legalize;
mod memory;
mod schedule;
mod x86;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::BitOr;

use super::kernels::{Group, RowKernel};
use super::micro::{BitRow, Micro};
use crate::exec::ops::{self, Fixed, Guarded32, Half, MAX_INPUTS};
use crate::exec::scalar::derivative_lanes;
use crate::ir::{Condition, Type};
use crate::num::Number;
pub use emit::{Constant, Encoding};
use emit::{Constants, emit};
use graph::{Lanes, Node, Recorder, Symbol};
use legalize::legalize;
pub use memory::{Arguments, Function};
use memory::{Machine, Reach};
use schedule::{Target, schedule};
use x86::Code;

#[cfg(test)]
mod tests;

/// What is known of rows before any operation.
#[derive(Debug, Default)]
pub struct Contents {
    /// Rows that hold a constant, with its bits. Nothing writes them.
    pub constants: HashMap<u16, u32>,
    /// Rows that hold the same value in every lane. Nothing writes them.
    pub uniforms: BTreeSet<u16>,
    /// Rows that hold the same as a row of the inputs. Nothing writes them.
    pub inputs: BTreeMap<u16, u16>,
}

impl Contents {
    /// What a row holds before a run.
    fn before<'r>(&self, recorder: &'r Recorder, row: u16) -> Symbol<'r> {
        if let Some(&bits) = self.constants.get(&row) {
            Symbol::Known(bits)
        } else if self.uniforms.contains(&row) {
            recorder.symbol(Node::Uniform(row))
        } else if let Some(&input) = self.inputs.get(&row) {
            recorder.symbol(Node::Input(input))
        } else {
            recorder.symbol(Node::Row(row))
        }
    }
}

/// A row that is somebody's result, and the row of the outputs that it goes to, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The row.
    pub row: u16,
    /// Where it goes. Without, it stays in its row.
    pub output: Option<u16>,
}

/// Operations some of which are compiled.
#[derive(Debug)]
enum Piece {
    Operation(Micro),
    Function(usize),
}

/// Lists of operations with functions in them.
#[derive(Debug)]
pub struct Compiled {
    /// The lists, in their order.
    pub lists: Vec<Vec<Micro>>,
    /// Rows that are needed for it in all.
    pub rows: u16,
    /// The bits that an ending sets.
    pub suspects: BitRow,
    /// Rows of inputs that have to be where [`Contents::inputs`] says.
    pub inputs_read: BTreeSet<u16>,
    /// What functions want to be called with, each as often as [`Encoding::constant_copies`] says.
    pub constants: Vec<Constant>,
}

/// What a run of operations ends with.
#[derive(Clone, Copy, Debug)]
enum Ending<'a> {
    /// Another operation.
    Open,
    /// The end of the program, and its results.
    Outcomes(&'a [Outcome]),
    /// A discard, where one of the rows passes.
    Kill(Condition, &'a [u16]),
}

/// What becomes of a run of operations.
enum Run {
    /// The function that begins there.
    Function(usize),
    /// Nobody reads what they write.
    Needless,
    /// They stay as they are.
    Foreign,
}

/// Compiles lists of operations into one piece of machine code.
#[derive(Debug)]
pub struct Compiler<'a> {
    contents: &'a Contents,
    encoding: Encoding,
    code: Code,
    constants: Constants,
    lists: Vec<Vec<Piece>>,
    rows: u16,
    spill_rows: u16,
    /// Rows of inputs that other operations than functions read.
    inputs_read: BTreeSet<u16>,
    /// Rows of outputs that are written.
    outputs: u16,
}

impl<'a> Compiler<'a> {
    /// A compiler for operations over the first `rows` rows.
    pub fn new(contents: &'a Contents, encoding: Encoding, rows: u16) -> Self {
        Self {
            contents,
            encoding,
            code: Code::default(),
            constants: Constants::new(encoding),
            lists: Vec::new(),
            // One more for the suspects.
            rows: rows + 1,
            spill_rows: 0,
            inputs_read: BTreeSet::new(),
            outputs: 0,
        }
    }

    /// Compiles what can be compiled of `micros`, of whose rows those in `live` matter afterwards.
    pub fn list(&mut self, micros: &[Micro], live: BTreeSet<u16>) {
        let mut pieces = Vec::new();
        self.backwards(micros, live, &mut pieces);
        pieces.reverse();
        self.lists.push(pieces);
    }

    /// The same for what ends a program: afterwards `outcomes` are where they go, and [`Compiled::suspects`] has
    /// the lanes in which any of them is a denorm or a NaN.
    pub fn ending(&mut self, micros: &[Micro], outcomes: &[Outcome]) {
        let mut pieces = Vec::new();
        let mut live = outcomes.iter().map(|outcome| outcome.row).collect();
        let run = &micros[run_before(micros)..];
        let rest = match self.function(run, &BTreeSet::new(), Ending::Outcomes(outcomes)) {
            Run::Function(entry) => {
                pieces.push(Piece::Function(entry));
                run.iter().rev().for_each(|micro| micro.read_backwards(&mut live));
                &micros[..micros.len() - run.len()]
            }
            Run::Needless | Run::Foreign => {
                if let Run::Function(entry) = self.function(&[], &BTreeSet::new(), Ending::Outcomes(outcomes))
                {
                    pieces.push(Piece::Function(entry));
                }
                micros
            }
        };
        self.backwards(rest, live, &mut pieces);
        pieces.reverse();
        self.lists.push(pieces);
    }

    /// The pieces of `micros`, last first, since that is how it is found what matters.
    fn backwards(&mut self, micros: &[Micro], mut live: BTreeSet<u16>, pieces: &mut Vec<Piece>) {
        let mut end = micros.len();
        while let Some(last) = micros[..end].last() {
            let start = run_before(&micros[..end]);
            if let Some((condition, rows)) = last.kills() {
                let run = &micros[run_before(&micros[..end - 1])..end - 1];
                if let Run::Function(entry) = self.function(run, &live, Ending::Kill(condition, rows)) {
                    pieces.extend([Piece::Operation(Micro::KillBits(self.bits())), Piece::Function(entry)]);
                    micros[..end].iter().rev().take(run.len() + 1).for_each(|m| m.read_backwards(&mut live));
                    end -= run.len() + 1;
                    continue;
                }
            }
            if start == end {
                self.operation(last, pieces);
                last.read_backwards(&mut live);
                end -= 1;
                continue;
            }
            let run = &micros[start..end];
            match self.function(run, &live, Ending::Open) {
                Run::Function(entry) => pieces.push(Piece::Function(entry)),
                Run::Needless => {}
                Run::Foreign => run.iter().rev().for_each(|micro| self.operation(micro, pieces)),
            }
            run.iter().rev().for_each(|micro| micro.read_backwards(&mut live));
            end = start;
        }
    }

    /// What is not compiled.
    fn operation(&mut self, micro: &Micro, pieces: &mut Vec<Piece>) {
        let mut read = BTreeSet::new();
        micro.read_backwards(&mut read);
        self.inputs_read.extend(read.iter().filter(|row| self.contents.inputs.contains_key(row)));
        pieces.push(Piece::Operation(micro.clone()));
    }

    /// Where bits go.
    fn bits(&self) -> BitRow {
        BitRow { row: self.rows - 1, lanes: self.encoding.lanes() as u8 }
    }

    /// A function that does what `micros` do, as far as `live` rows and the ending show it.
    fn function(&mut self, micros: &[Micro], live: &BTreeSet<u16>, ending: Ending) -> Run {
        let recorder = Recorder::default();
        let mut rows = BTreeMap::new();
        for micro in micros {
            let Micro::Rows { kernel, groups, .. } = micro else { continue };
            for group in groups {
                let value = self.record(&recorder, &rows, *kernel, group);
                rows.insert(group.dst, value);
            }
        }
        let contents = self.contents;
        let value = |row: u16| rows.get(&row).copied().unwrap_or_else(|| contents.before(&recorder, row));
        let (mut results, mut bits) = (Vec::new(), None);
        match ending {
            Ending::Open => {}
            Ending::Outcomes(outcomes) => {
                for Outcome { row, output } in outcomes.iter().copied() {
                    results.push((output.map_or(Target::Row(row), Target::Output), value(row)));
                    self.outputs = self.outputs.max(output.map_or(0, |row| row + 1));
                }
                let suspects = results.iter().map(|(_, value)| value.suspects());
                bits = Some(suspects.fold(Lanes::Known(false), Lanes::bitor));
            }
            Ending::Kill(condition, tested) => {
                let passing = tested.iter().map(|&row| passing(condition, value(row)));
                bits = Some(passing.fold(Lanes::Known(false), Lanes::bitor));
            }
        }
        rows.retain(|row, _| live.contains(row));
        let stores = rows.into_iter().map(|(row, value)| (Target::Row(row), value)).chain(results);
        let stores = stores.map(|(target, value)| Some((target, value.place(&recorder)?)));
        let Some(mut stores) = stores.collect::<Option<Vec<_>>>() else { return Run::Foreign };
        if let Some(bits) = bits {
            let Some(bits) = bits.place(&recorder) else { return Run::Foreign };
            stores.push((Target::Bits(self.bits().row), bits));
        }
        let nodes = recorder.into_nodes();
        stores.retain(|&(target, value)| match (target, nodes[value as usize]) {
            (Target::Row(row), Node::Row(old)) => row != old,
            _ => true,
        });
        if stores.is_empty() {
            return Run::Needless;
        }
        let (nodes, stores) = match self.encoding {
            Encoding::Evex512 => (nodes, stores),
            Encoding::Vex256 => legalize(&nodes, &stores),
        };
        let steps = schedule(&nodes, &stores);
        let emitted = emit(&mut self.code, &mut self.constants, &nodes, &steps, self.rows);
        self.spill_rows = self.spill_rows.max(emitted.spill_rows);
        Run::Function(emitted.entry)
    }

    fn record<'r>(
        &self,
        recorder: &'r Recorder,
        rows: &BTreeMap<u16, Symbol<'r>>,
        kernel: RowKernel,
        group: &Group,
    ) -> Symbol<'r> {
        let value = |row| rows.get(&row).copied().unwrap_or_else(|| self.contents.before(recorder, row));
        evaluate(kernel, &group.src.map(value))
    }

    /// What became of the lists; none if the system lets nobody make memory executable.
    pub fn finish(self) -> Option<Compiled> {
        let (rows, suspects) = (self.rows + self.spill_rows, self.bits());
        let constants = self.constants.into_all();
        let reach = Reach {
            rows: usize::from(rows),
            constants: constants.len(),
            inputs: self.contents.inputs.values().max().map_or(0, |&row| usize::from(row) + 1),
            outputs: usize::from(self.outputs),
        };
        // SAFETY: entries are those of functions that `emit` wrote in an encoding which the caller found this
        // processor to have; they reach rows of the layout and their own spill rows.
        #[expect(unsafe_code, reason = "promises what the machine code does")]
        let machine = unsafe { Machine::new(self.code.bytes(), reach, self.encoding.constants_bias()) };
        let machine = machine.ok()?;
        let micro = |piece| match piece {
            Piece::Operation(micro) => micro,
            Piece::Function(entry) => Micro::Native(machine.function(entry)),
        };
        let lists = self.lists.into_iter().map(|list| list.into_iter().map(micro).collect());
        let inputs_read = self.inputs_read;
        Some(Compiled { lists: lists.collect(), rows, suspects, constants, inputs_read })
    }
}

/// Where the run at the end of `micros` begins that can be compiled.
fn run_before(micros: &[Micro]) -> usize {
    let is_recordable = |micro: &Micro| matches!(micro, Micro::Rows { kernel, .. } if is_recordable(*kernel));
    micros.iter().rposition(|micro| !is_recordable(micro)).map_or(0, |at| at + 1)
}

/// Lanes in which a condition code made from a value passes a test.
fn passing<'r>(condition: Condition, value: Symbol<'r>) -> Lanes<'r> {
    let zero = Symbol::Known(0);
    match condition {
        Condition::Eq => value.equals(zero),
        Condition::Ge => value.at_least(zero),
        Condition::Gt => value.above(zero),
        Condition::Le => value.at_most(zero),
        Condition::Lt => value.below(zero),
        Condition::Ne => value.differs(zero),
        Condition::Tr => Lanes::Known(true),
        Condition::Fl => Lanes::Known(false),
    }
}

/// Whether all that it computes can be recorded.
fn is_recordable(kernel: RowKernel) -> bool {
    let recorder = Recorder::default();
    let inputs = [recorder.symbol(Node::Row(0)); MAX_INPUTS];
    !matches!(evaluate(kernel, &inputs), Symbol::Foreign)
}

/// What a kernel computes of symbols.
fn evaluate<'r>(kernel: RowKernel, inputs: &[Symbol<'r>; MAX_INPUTS]) -> Symbol<'r> {
    match kernel {
        RowKernel::Component(kernel, Type::F32 | Type::Address) => kernel.eval::<Guarded32, _>(inputs),
        RowKernel::Component(kernel, Type::F16) => kernel.eval::<Half, _>(inputs),
        RowKernel::Component(kernel, Type::Fx12) => kernel.eval::<Fixed, _>(inputs),
        RowKernel::Derivative { ty, vertical } => {
            // Two bits for each lane of a quad, which is all that the lanes' numbers differ in.
            let pairs = [0, 1, 2, 3].map(|lane| derivative_lanes(lane, vertical));
            let lanes = |of: fn(&(usize, usize)) -> usize| {
                let lanes = pairs.iter().enumerate();
                lanes.fold(0, |all, (lane, pair)| all | (of(pair) as u8) << (2 * lane))
            };
            let from = inputs[0].neighbour(lanes(|&(from, _)| from));
            let to = inputs[0].neighbour(lanes(|&(_, to)| to));
            match ty {
                Type::F32 | Type::Address => ops::difference::<Guarded32, _>(from, to),
                Type::F16 => ops::difference::<Half, _>(from, to),
                Type::Fx12 => ops::difference::<Fixed, _>(from, to),
            }
        }
    }
}
