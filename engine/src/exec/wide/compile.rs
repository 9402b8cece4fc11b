//! Functions for runs of lowered operations, so that values stay in registers between them.
//!
//! A run is recorded by carrying out the component functions of [`crate::exec::ops`] on symbols, which gives
//! low-level IR ([`lir`]), put in order, and made a function over rows by a back end. In [`Mode::Guarded`] nothing is
//! flushed, see [`crate::exec::guard`], and NaNs need not have their bits.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::BitOr;
use std::sync::Arc;

use super::micro::{Effect, Micro, RowKernel};
use crate::exec::interpreter;
use crate::exec::lir::{self, Lanes, Node, Recorder, Symbol, Target, has_tiny_constant, legalize, schedule};
use crate::exec::machine::{BitRow, Constant, Function};
use crate::exec::ops::{self, Exact32, Fixed, Guarded32, Half, MAX_INPUTS};
use crate::exec::scalar::derivative_lanes;
use crate::exec::x86::{self, Encoding, Machine, Reach};
use crate::ir::{Condition, Type};
use crate::num::Number;
use crate::processor::Cpu;

#[cfg(test)]
mod tests;

/// Which arithmetic fp32 operations use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Without flushes; see [`crate::exec::guard`].
    Guarded,
    /// In full.
    Exact,
}

/// Who carries functions out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackEnd {
    /// [`interpreter`]
    Interpreter,
    /// [`x86`]
    Compiler(Encoding),
}

impl BackEnd {
    /// Those that this processor has, the fastest last.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Interpreter];
        if Cpu::in_use() >= Cpu::Avx2 {
            all.push(Self::Compiler(Encoding::Vex256));
        }
        if Cpu::in_use() >= Cpu::Avx512 {
            all.push(Self::Compiler(Encoding::Evex512));
        }
        all
    }

    /// The fastest of them.
    pub fn best() -> Self {
        Self::all().pop().unwrap_or(Self::Interpreter)
    }

    /// Name, for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interpreter => "interpreter",
            Self::Compiler(Encoding::Vex256) => "compiled for AVX2",
            Self::Compiler(Encoding::Evex512) => "compiled for AVX-512",
        }
    }

    /// How often each constant is wanted.
    const fn constant_copies(self) -> usize {
        match self {
            Self::Interpreter => interpreter::CONSTANT_COPIES,
            Self::Compiler(encoding) => encoding.constant_copies(),
        }
    }

    /// Where the bits are that [`Target::Bits`] leaves in a row.
    const fn bits(self, row: u16) -> BitRow {
        match self {
            Self::Interpreter => interpreter::Code::bits(row),
            Self::Compiler(encoding) => BitRow { row, lanes: encoding.lanes() as u8 },
        }
    }
}

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

/// One thing to do.
#[derive(Clone, Debug)]
pub enum Action {
    /// Component arithmetic.
    Function(Function),
    /// Discards the lanes with a bit.
    Kill(BitRow),
    /// What is done by hand.
    Effect(Effect),
}

/// An [`Action`] whose function may still be among others' code.
#[derive(Debug)]
enum Piece {
    Action(Action),
    /// Where it begins.
    Machine(usize),
}

/// Lists of actions.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The lists, in their order.
    pub lists: Vec<Vec<Action>>,
    /// Rows that are needed for it in all.
    pub rows: u16,
    /// The bits that an ending sets in [`Mode::Guarded`].
    pub suspects: BitRow,
    /// Rows of inputs that have to be where [`Contents::inputs`] says.
    pub inputs_read: BTreeSet<u16>,
    /// What functions want to be called with.
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
    Kill {
        condition: Condition,
        rows: &'a [u16],
        /// Whether they hold an operand, not a condition code.
        operand: bool,
    },
}

/// Makes functions of lists of operations.
#[derive(Debug)]
pub struct Compiler<'a> {
    contents: &'a Contents,
    back_end: BackEnd,
    mode: Mode,
    code: x86::Code,
    constants: Vec<Constant>,
    lists: Vec<Vec<Piece>>,
    rows: u16,
    own_rows: u16,
    /// Rows of inputs that effects read.
    inputs_read: BTreeSet<u16>,
    /// Rows of outputs that are written.
    outputs: u16,
    /// Whether a constant is a denorm, which a guarded run would not notice.
    tiny: bool,
}

impl<'a> Compiler<'a> {
    /// A compiler for operations over the first `rows` rows.
    pub fn new(contents: &'a Contents, back_end: BackEnd, mode: Mode, rows: u16) -> Self {
        Self {
            contents,
            back_end,
            mode,
            code: x86::Code::default(),
            constants: Vec::new(),
            lists: Vec::new(),
            // One more for the bits.
            rows: rows + 1,
            own_rows: 0,
            inputs_read: BTreeSet::new(),
            outputs: 0,
            tiny: false,
        }
    }

    /// Adds the list of `micros`, of whose rows those in `live` matter afterwards.
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
        let start = run_before(micros);
        let run = &micros[start..];
        pieces.extend(self.function(run, &BTreeSet::new(), Ending::Outcomes(outcomes)));
        run.iter().rev().for_each(|micro| micro.read_backwards(&mut live));
        self.backwards(&micros[..start], live, &mut pieces);
        pieces.reverse();
        self.lists.push(pieces);
    }

    /// The pieces of `micros`, last first, since that is how it is found what matters.
    fn backwards(&mut self, micros: &[Micro], mut live: BTreeSet<u16>, pieces: &mut Vec<Piece>) {
        let mut end = micros.len();
        while let Some(last) = micros[..end].last() {
            let before = match last {
                Micro::Rows { .. } => end,
                Micro::Kill { .. } | Micro::KillNegative(_) | Micro::Effect(_) => end - 1,
            };
            let start = run_before(&micros[..before]);
            let run = &micros[start..before];
            match last {
                Micro::Rows { .. } => pieces.extend(self.function(run, &live, Ending::Open)),
                Micro::Kill { condition, rows } => self.kill(run, &live, (*condition, rows), false, pieces),
                Micro::KillNegative(rows) => self.kill(run, &live, (Condition::Lt, rows), true, pieces),
                Micro::Effect(effect) => {
                    let mut read = BTreeSet::new();
                    last.read_backwards(&mut read);
                    let inputs = &self.contents.inputs;
                    self.inputs_read.extend(read.iter().filter(|row| inputs.contains_key(row)));
                    pieces.push(Piece::Action(Action::Effect(effect.clone())));
                    last.read_backwards(&mut live);
                    end -= 1;
                    continue;
                }
            }
            micros[start..end].iter().rev().for_each(|micro| micro.read_backwards(&mut live));
            end = start;
        }
    }

    /// What comes to a discard.
    fn kill(
        &mut self,
        run: &[Micro],
        live: &BTreeSet<u16>,
        tested: (Condition, &[u16]),
        operand: bool,
        pieces: &mut Vec<Piece>,
    ) {
        pieces.push(Piece::Action(Action::Kill(self.bits())));
        let (condition, rows) = tested;
        pieces.extend(self.function(run, live, Ending::Kill { condition, rows, operand }));
    }

    /// Where bits go.
    const fn bits(&self) -> BitRow {
        self.back_end.bits(self.rows - 1)
    }

    /// A function that does what `micros` do, as far as `live` rows and the ending show it; none if they show nothing.
    fn function(&mut self, micros: &[Micro], live: &BTreeSet<u16>, ending: Ending<'_>) -> Option<Piece> {
        let (nodes, stores) = self.record(micros, live, ending);
        if stores.is_empty() {
            return None;
        }
        let first_own = self.rows;
        let (piece, own) = match self.back_end {
            BackEnd::Compiler(encoding) => {
                let (nodes, stores) = legalize(encoding.features(), &nodes, &stores);
                let steps = schedule(&nodes, &stores);
                let (code, constants) = (&mut self.code, &mut self.constants);
                let emitted = x86::emit(code, encoding, constants, &nodes, &steps, first_own);
                (Piece::Machine(emitted.entry), emitted.spill_rows)
            }
            BackEnd::Interpreter => {
                let steps = schedule(&nodes, &stores);
                let (code, next) = interpreter::Code::new(&nodes, &steps, &mut self.constants, first_own);
                let function = Function::Interpreted(Arc::new(code));
                (Piece::Action(Action::Function(function)), next - first_own)
            }
        };
        self.own_rows = self.own_rows.max(own);
        Some(piece)
    }

    /// The low-level IR of a run, and what is stored of it.
    fn record(
        &mut self,
        micros: &[Micro],
        live: &BTreeSet<u16>,
        ending: Ending<'_>,
    ) -> (Vec<Node>, Vec<(Target, lir::NodeId)>) {
        let (recorder, contents, mode) = (Recorder::default(), self.contents, self.mode);
        has_tiny_constant();
        let mut rows = BTreeMap::new();
        for micro in micros {
            let Micro::Rows { kernel, groups } = micro else { continue };
            for group in groups {
                let value = |row| rows.get(&row).copied().unwrap_or_else(|| contents.before(&recorder, row));
                let value = evaluate(*kernel, mode, &group.src.map(value));
                rows.insert(group.dst, value);
            }
        }
        let value = |row: u16| rows.get(&row).copied().unwrap_or_else(|| contents.before(&recorder, row));
        let (mut results, mut bits) = (Vec::new(), None);
        match ending {
            Ending::Open => {}
            Ending::Outcomes(outcomes) => {
                for Outcome { row, output } in outcomes.iter().copied() {
                    results.push((output.map_or(Target::Row(row), Target::Output), value(row)));
                    self.outputs = self.outputs.max(output.map_or(0, |row| row + 1));
                }
                if mode == Mode::Guarded {
                    let suspects = results.iter().map(|(_, value)| value.suspects());
                    bits = Some(suspects.fold(Lanes::Known(false), Lanes::bitor));
                }
            }
            Ending::Kill { condition, rows, operand } => {
                // An operand is loaded as any other.
                let tested =
                    |row| if operand && mode == Mode::Exact { value(row).flush() } else { value(row) };
                let passing = rows.iter().map(|&row| passing(condition, tested(row)));
                bits = Some(passing.fold(Lanes::Known(false), Lanes::bitor));
            }
        }
        self.tiny |= has_tiny_constant();
        rows.retain(|row, _| live.contains(row));
        let stores = rows.into_iter().map(|(row, value)| (Target::Row(row), value)).chain(results);
        let mut stores: Vec<_> = stores.map(|(target, value)| (target, value.place(&recorder))).collect();
        stores.extend(bits.map(|bits| (Target::Bits(self.bits().row), bits.place(&recorder))));
        let nodes = recorder.into_nodes();
        stores.retain(|&(target, value)| match (target, nodes[value as usize]) {
            (Target::Row(row), Node::Row(old)) => row != old,
            _ => true,
        });
        (nodes, stores)
    }

    /// What became of the lists.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn finish(self) -> Result<Compiled, Refusal> {
        if self.tiny && self.mode == Mode::Guarded {
            return Err(Refusal::TinyConstant);
        }
        let (rows, suspects) = (self.rows + self.own_rows, self.bits());
        let copies = self.back_end.constant_copies();
        let constants = self.constants.into_iter().flat_map(|constant| std::iter::repeat_n(constant, copies));
        let constants: Vec<Constant> = constants.collect();
        let machine = match self.back_end {
            BackEnd::Interpreter => None,
            BackEnd::Compiler(encoding) => {
                let reach = Reach {
                    rows: usize::from(rows),
                    constants: constants.len(),
                    inputs: self.contents.inputs.values().max().map_or(0, |&row| usize::from(row) + 1),
                    outputs: usize::from(self.outputs),
                };
                // SAFETY: entries are those of functions that `emit` wrote in an encoding which the caller found
                // this processor to have; they reach rows of the layout and their own spill rows.
                #[expect(unsafe_code, reason = "promises what the machine code does")]
                let machine = unsafe { Machine::new(self.code.bytes(), reach, encoding.constants_bias()) };
                Some(machine.map_err(|_| Refusal::NotExecutable)?)
            }
        };
        let action = |piece| match (piece, &machine) {
            (Piece::Action(action), _) => Some(action),
            (Piece::Machine(entry), machine) => {
                Some(Action::Function(Function::Compiled(machine.as_ref()?.function(entry))))
            }
        };
        let lists = self.lists.into_iter().map(|list| list.into_iter().filter_map(action).collect());
        Ok(Compiled { lists: lists.collect(), rows, suspects, constants, inputs_read: self.inputs_read })
    }
}

/// Why there are no functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A constant comes to a denorm, which a guarded run would not notice.
    TinyConstant,
    /// The system lets nobody make memory executable.
    NotExecutable,
}

/// Where the run of component arithmetic at the end of `micros` begins.
fn run_before(micros: &[Micro]) -> usize {
    micros.iter().rposition(|micro| !matches!(micro, Micro::Rows { .. })).map_or(0, |at| at + 1)
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

/// What a kernel computes of symbols.
fn evaluate<'r>(kernel: RowKernel, mode: Mode, inputs: &[Symbol<'r>; MAX_INPUTS]) -> Symbol<'r> {
    match kernel {
        RowKernel::Component(kernel, Type::F32 | Type::Address) => match mode {
            Mode::Guarded => kernel.eval::<Guarded32, _>(inputs),
            Mode::Exact => kernel.eval::<Exact32, _>(inputs),
        },
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
                Type::F32 | Type::Address => match mode {
                    Mode::Guarded => ops::difference::<Guarded32, _>(from, to),
                    Mode::Exact => ops::difference::<Exact32, _>(from, to),
                },
                Type::F16 => ops::difference::<Half, _>(from, to),
                Type::Fx12 => ops::difference::<Fixed, _>(from, to),
            }
        }
    }
}
