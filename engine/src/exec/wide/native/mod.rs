//! Machine code for runs of operations, so that values stay in registers between them.
//!
//! A run is recorded as a graph ([`graph`]) by carrying out the component functions of [`crate::exec::ops`] on
//! symbols, put in order ([`schedule`]) and written as one function over rows ([`emit`], [`x86`]). It replaces
//! guarded runs only, see [`crate::exec::guard`]: NaNs need not have their bits there, and whoever runs a program
//! in full uses [`super::kernels`], as every processor without AVX-512 does.

mod emit;
mod graph;
mod memory;
mod schedule;
mod x86;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::kernels::{Group, RowKernel};
use super::micro::Micro;
use crate::exec::ops::{self, Fixed, Guarded32, Half, MAX_INPUTS};
use crate::exec::scalar::derivative_lanes;
use crate::ir::Type;
pub use emit::Constant;
use emit::{Constants, emit};
use graph::{Node, Recorder, Symbol};
pub use memory::Function;
use memory::Machine;
use schedule::schedule;
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
    /// What functions want to be called with.
    pub constants: Vec<Constant>,
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
    code: Code,
    constants: Constants,
    lists: Vec<Vec<Piece>>,
    rows: u16,
    spill_rows: u16,
}

impl<'a> Compiler<'a> {
    /// A compiler for operations over the first `rows` rows.
    pub fn new(contents: &'a Contents, rows: u16) -> Self {
        let (code, constants) = (Code::default(), Constants::default());
        Self { contents, code, constants, lists: Vec::new(), rows, spill_rows: 0 }
    }

    /// Compiles what can be compiled of `micros`, of whose rows those in `live` matter afterwards.
    pub fn list(&mut self, micros: &[Micro], mut live: BTreeSet<u16>) {
        // Backwards, since that is how it is found what matters.
        let mut pieces = Vec::new();
        let mut end = micros.len();
        while let Some(last) = micros[..end].last() {
            let is_recordable =
                |micro: &Micro| matches!(micro, Micro::Rows { kernel, .. } if is_recordable(*kernel));
            let start = micros[..end].iter().rposition(|micro| !is_recordable(micro)).map_or(0, |at| at + 1);
            if start == end {
                last.read_backwards(&mut live);
                pieces.push(Piece::Operation(last.clone()));
                end -= 1;
            } else {
                let run = &micros[start..end];
                match self.function(run, &live) {
                    Run::Function(entry) => pieces.push(Piece::Function(entry)),
                    Run::Needless => {}
                    Run::Foreign => pieces.extend(run.iter().rev().cloned().map(Piece::Operation)),
                }
                run.iter().rev().for_each(|micro| micro.read_backwards(&mut live));
                end = start;
            }
        }
        pieces.reverse();
        self.lists.push(pieces);
    }

    /// A function that does what `micros` do, as far as `live` rows show it.
    fn function(&mut self, micros: &[Micro], live: &BTreeSet<u16>) -> Run {
        let recorder = Recorder::default();
        let mut rows = BTreeMap::new();
        for micro in micros {
            let Micro::Rows { kernel, groups, .. } = micro else { continue };
            for group in groups {
                let value = self.record(&recorder, &rows, *kernel, group);
                rows.insert(group.dst, value);
            }
        }
        rows.retain(|row, _| live.contains(row));
        let stores = rows.into_iter().map(|(row, value)| Some((row, value.place(&recorder)?)));
        let Some(mut stores) = stores.collect::<Option<Vec<_>>>() else { return Run::Foreign };
        let nodes = recorder.into_nodes();
        stores.retain(|&(row, value)| nodes[value as usize] != Node::Row(row));
        if stores.is_empty() {
            return Run::Needless;
        }
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
        let inputs = group.src.map(|row| {
            if let Some(&value) = rows.get(&row) {
                value
            } else if let Some(&bits) = self.contents.constants.get(&row) {
                Symbol::Known(bits)
            } else if self.contents.uniforms.contains(&row) {
                recorder.symbol(Node::Uniform(row))
            } else {
                recorder.symbol(Node::Row(row))
            }
        });
        evaluate(kernel, &inputs)
    }

    /// What became of the lists; none if the system lets nobody make memory executable.
    pub fn finish(self) -> Option<Compiled> {
        let rows = self.rows + self.spill_rows;
        let constants = self.constants.into_all();
        // SAFETY: entries are those of functions that `emit` wrote for AVX-512, which the caller found here;
        // they reach rows of the layout and their own spill rows.
        #[expect(unsafe_code, reason = "promises what the machine code does")]
        let machine = unsafe { Machine::new(self.code.bytes(), constants.len(), usize::from(rows)) };
        let machine = machine.ok()?;
        let micro = |piece| match piece {
            Piece::Operation(micro) => micro,
            Piece::Function(entry) => Micro::Native(machine.function(entry)),
        };
        let lists = self.lists.into_iter().map(|list| list.into_iter().map(micro).collect());
        Some(Compiled { lists: lists.collect(), rows, constants })
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
