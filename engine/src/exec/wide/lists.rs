//! The lists of actions that a lowered program is run by, each made when it is first wanted.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::compile::{Action, BackEnd, Compiled, Compiler, Contents, Mode, Refusal};
use super::flow::BlockIndex;
use super::lower::{Code, Stores};
use super::micro::Micro;
use crate::exec::block::AttributeRows;
use crate::exec::machine::{BitRow, Constant};

/// Which lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub mode: Mode,
    pub unit: Unit,
    pub literals: Literals,
}

/// What has a list of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A program without flow, or a block of one with it, twice: see [`Stores`].
    Block,
    /// An instruction. Registers are in their rows after each.
    Instruction,
}

/// Whether constants are computed with beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literals {
    /// They have their own values.
    Known,
    /// Whoever binds them gives others.
    Bound,
}

impl Variant {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// Which of them it is.
    pub const fn index(self) -> usize {
        self.mode as usize + 2 * self.unit as usize + 4 * self.literals as usize
    }
}

/// Lists of actions.
#[derive(Clone, Debug)]
pub struct Lists {
    /// By the [`Unit`]; the last one brings results where they go.
    lists: Vec<Vec<Action>>,
    /// Attribute rows that have to be loaded, with their rows of the inputs.
    pub loads: Vec<(u16, u16)>,
    /// Which lanes have a denorm or NaN for a result, after a guarded run.
    pub suspects: BitRow,
    /// What functions are called with.
    pub constants: Vec<Constant>,
    /// Rows that they need.
    pub rows: u16,
}

impl Lists {
    /// All of a program without flow.
    pub fn all(&self) -> &[Action] {
        &self.lists[0]
    }

    /// A block's actions.
    pub fn block(&self, index: BlockIndex, stores: Stores) -> &[Action] {
        &self.lists[2 * index + stores as usize]
    }

    /// An instruction's actions.
    pub fn instruction(&self, pc: usize) -> &[Action] {
        &self.lists[pc]
    }

    /// What a program with flow ends with.
    pub fn end(&self) -> &[Action] {
        self.lists.last().map_or(&[], Vec::as_slice)
    }
}

/// The lists of a program that have been wanted.
#[derive(Clone, Debug)]
pub struct AllLists {
    back_end: BackEnd,
    made: [OnceLock<Option<Lists>>; Variant::COUNT],
}

impl AllLists {
    /// None yet.
    pub fn new(back_end: BackEnd) -> Self {
        Self { back_end, made: Default::default() }
    }

    /// Those of a variant; none where a guarded run would not notice denorms.
    pub fn get(&self, code: &Code, variant: Variant) -> Option<&Lists> {
        self.made[variant.index()].get_or_init(|| make(code, self.back_end, variant)).as_ref()
    }
}

fn make(code: &Code, back_end: BackEnd, variant: Variant) -> Option<Lists> {
    let inputs = code.layout.attributes.iter().flat_map(|&(attribute, base)| {
        (0..4).map(move |c| (base + c as u16, AttributeRows::index(attribute, c) as u16))
    });
    let inputs: BTreeMap<u16, u16> = inputs.collect();
    let literals = match variant.literals {
        Literals::Known => code.literals.as_slice(),
        Literals::Bound => &[],
    };
    let constants = code.constants.iter().map(|&(row, value)| (row, value.to_bits()));
    let contents = Contents {
        constants: constants.chain(literals.iter().copied()).collect(),
        uniforms: code.layout.uniforms.iter().map(|&(row, _)| row).collect(),
        inputs,
    };
    let compiled = match compile(code, &contents, back_end, variant) {
        Ok(compiled) => compiled,
        Err(Refusal::TinyConstant) => return None,
        Err(Refusal::NotExecutable) => compile(code, &contents, BackEnd::Interpreter, variant).ok()?,
    };
    let Compiled { lists, rows, suspects, constants, inputs_read } = compiled;
    let used = |row: &u16| {
        let index = usize::from(contents.inputs[row]);
        code.attributes_used[index / 4] >> (index % 4) & 1 != 0
    };
    let loads = inputs_read.into_iter().filter(used).map(|row| (row, contents.inputs[&row])).collect();
    Some(Lists { lists, loads, suspects, constants, rows })
}

fn compile(
    code: &Code,
    contents: &Contents,
    back_end: BackEnd,
    variant: Variant,
) -> Result<Compiled, Refusal> {
    let mut compiler = Compiler::new(contents, back_end, variant.mode, code.layout.rows);
    // What comes back from between blocks and instructions is all registers.
    let registers = || (0..code.first_scratch).collect();
    match (&code.flow, variant.unit) {
        (None, Unit::Block) => compiler.ending(code.plain.all(), &code.outcomes),
        (Some(flow), Unit::Block) => {
            for block in &flow.graph.blocks {
                for micros in [&code.plain, &flow.masked] {
                    let parts = block.parts.iter().flat_map(|part| micros.of(part.start, part.end));
                    compiler.list(&parts.cloned().collect::<Vec<Micro>>(), registers());
                }
            }
            compiler.ending(&[], &code.outcomes);
        }
        (flow, Unit::Instruction) => {
            let micros = flow.as_ref().map_or(&code.plain, |flow| &flow.masked);
            for pc in 0..micros.instructions() {
                compiler.list(micros.of(pc, pc + 1), registers());
            }
            compiler.ending(&[], &code.outcomes);
        }
    }
    compiler.finish()
}
