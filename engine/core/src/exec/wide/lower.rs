//! Lowers the IR to the low-level IR: reads operands (`operands`), calls the component functions with them, and
//! stores the results (`stores`). The output is segments, which end at effects.

mod memory;
mod operands;
mod rounds;
mod stores;
mod texture;

use std::collections::BTreeMap;
use std::ops::BitOr;

use super::effect::{self, Effect, VoteComponent};
use super::flow::{BlockStep, Guard};
use super::layout::{Layout, Outcome};
use super::segment::{Segment, Then};
use crate::exec::condition;
use crate::exec::lir::{Lanes, Node, NodeId, Recorder, Symbol, Target};
use crate::exec::scalar::derivative_lanes;
use shadestep_language::ir::{
    CcTest, Condition, Control, Instruction, Kill, Kind, Program, Source, Type, Write,
};
use shadestep_language::isa::Stage;
use shadestep_language::num::{Number, Word};
use shadestep_language::semantics::ops::{
    Vote, Words, convert, difference, evaluate, is_negative, loop_count, vote,
};
use shadestep_language::semantics::plan::{Component, Plan};

/// Which lanes an instruction changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// All.
    Plain,
    /// Those in the mask lane register.
    Masked,
}

/// What is known of lane registers before any instruction.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// Where registers live.
    pub layout: &'a Layout,
    /// Values of uniforms that are known already, by lane register.
    pub literals: &'a BTreeMap<u16, u32>,
    /// Lane registers of inputs by the lane registers that they would be copied to.
    pub inputs: &'a BTreeMap<u16, u16>,
}

/// A value of the segment in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Known(u32),
    Node(NodeId),
}

impl From<Symbol<'_>> for Value {
    fn from(symbol: Symbol<'_>) -> Self {
        match symbol {
            Symbol::Known(bits) => Self::Known(bits),
            Symbol::Node(_, node) => Self::Node(node),
        }
    }
}

/// The result that set the flags of a condition code component, in the lanes that the instruction changes. Tests are of that
/// where it is known, not of flags.
#[derive(Clone, Copy, Debug)]
enum Tested {
    /// Of fp32.
    Single(Value),
    /// Of fp64.
    Double(Words<Value>),
}

/// Components of a result, each in its two words.
type Values = [Option<Words<Value>>; 4];

/// Lowers instructions, one after the other, to segments.
pub struct Lowering<'a> {
    program: &'a Program,
    contents: Contents<'a>,
    stores: Stores,
    /// Of the segment in hand.
    recorder: Recorder,
    /// What registers hold that were written in it.
    registers: BTreeMap<u16, Value>,
    /// The results that condition code lane registers were made of in it.
    tested: BTreeMap<u16, Tested>,
    /// Lane registers of its own that the instruction in hand has used.
    next_scratch: u16,
    /// Index of the instruction in hand.
    pc: usize,
    /// Which of two banks they are of. Values of the instruction before may be in lane registers of the other.
    bank: u16,
    /// The converted IF blocks around the instruction in hand.
    guards: Vec<Guarded>,
    /// How many have been begun.
    converted: usize,
    /// Lanes whose results count, where not all do.
    enabled: Option<NodeId>,
    /// In a round of a loop that runs as a whole.
    round: Option<Round>,
    /// Masks to store with the segment in hand.
    bits: Vec<(Target, NodeId)>,
    /// Lane registers of the components that its relative references lead to.
    gathered: Vec<(Source, [u16; 8])>,
    done: Lowered,
}

/// What a round of a loop that runs as a whole needs besides.
#[derive(Debug, Default)]
struct Round {
    /// What lane registers hold for lanes that have not left: as it was computed, without what others keep.
    fresh: BTreeMap<u16, Value>,
    /// The lanes that pass the tests of the block's converted IFs.
    conditions: Vec<NodeId>,
}

/// A converted IF block.
#[derive(Clone, Copy, Debug)]
struct Guarded {
    /// Lanes whose results count around it, where not all do.
    outer: Option<NodeId>,
    /// Lanes that pass its test.
    passed: NodeId,
}

/// What instructions became.
#[derive(Debug, Default)]
pub struct Lowered {
    /// The segments, in their order.
    pub segments: Vec<Segment>,
    /// Lane registers that they need in all, beside those of the layout.
    pub scratch: u16,
}

/// The derivative of what every lane of a quad holds.
pub fn derivative(value: Symbol<'_>, ty: Type, vertical: bool) -> Symbol<'_> {
    // Two bits for each lane of a quad.
    let pairs = [0, 1, 2, 3].map(|lane| derivative_lanes(lane, vertical));
    let lanes = |of: fn(&(usize, usize)) -> usize| {
        pairs.iter().enumerate().fold(0, |all, (lane, pair)| all | (of(pair) as u8) << (2 * lane))
    };
    let from = value.neighbour(lanes(|&(from, _)| from));
    let to = value.neighbour(lanes(|&(_, to)| to));
    difference(ty, from, to)
}

impl<'a> Lowering<'a> {
    /// Ready to lower instructions of `program`.
    pub fn new(program: &'a Program, contents: Contents<'a>, stores: Stores) -> Self {
        Self {
            program,
            contents,
            stores,
            recorder: Recorder::default(),
            registers: BTreeMap::new(),
            tested: BTreeMap::new(),
            next_scratch: 0,
            pc: program.entry,
            bank: 0,
            guards: Vec::new(),
            converted: 0,
            enabled: None,
            round: None,
            bits: Vec::new(),
            gathered: Vec::new(),
            done: Lowered::default(),
        }
    }

    /// The segments.
    pub fn finish(mut self) -> Lowered {
        self.end_segment(Then::Nothing);
        self.done
    }

    /// Brings results where they go.
    pub fn outcomes(&mut self, outcomes: &[Outcome]) {
        let target =
            |outcome: &Outcome| outcome.output.map_or(Target::Register(outcome.register), Target::Output);
        let stores = outcomes.iter().map(|outcome| {
            let value = self.lane_register(outcome.register).node(&self.recorder);
            (target(outcome), value)
        });
        let stores: Vec<_> = stores.filter(|&store| !self.is_there(store)).collect();
        self.registers.clear();
        self.push_segment(stores, Then::Nothing);
    }

    /// Ends the segment in hand with the stores of everything that was written.
    fn end_segment(&mut self, then: Then) {
        let stores = std::mem::take(&mut self.registers).into_iter().map(|(register, value)| {
            let node = self.symbol(value).node(&self.recorder);
            (Target::Register(register), node)
        });
        let stores = stores.filter(|&store| !self.is_there(store)).collect();
        self.push_segment(stores, then);
    }

    fn push_segment(&mut self, mut stores: Vec<(Target, NodeId)>, then: Then) {
        stores.append(&mut self.bits);
        self.tested.clear();
        let nodes = std::mem::take(&mut self.recorder).into_nodes();
        if !stores.is_empty() || !matches!(then, Then::Nothing) {
            self.done.segments.push(Segment { nodes, stores, then });
        }
    }

    /// Whether a lane register holds the value that it is to receive.
    fn is_there(&self, (target, value): (Target, NodeId)) -> bool {
        matches!((target, self.recorder.at(value)), (Target::Register(register), Node::Register(old)) if register == old)
    }

    fn symbol(&self, value: Value) -> Symbol<'_> {
        match value {
            Value::Known(bits) => Symbol::Known(bits),
            Value::Node(node) => Symbol::Node(&self.recorder, node),
        }
    }

    /// Lanes in which the condition code component of a lane register passes.
    fn passing(&self, condition: Condition, register: u16) -> Lanes<'_> {
        match self.tested.get(&register) {
            Some(&Tested::Single(result)) => condition::result_passes(condition, self.symbol(result)),
            Some(&Tested::Double(result)) => {
                let result = Symbol::double(result.map(|word| self.symbol(word)));
                condition::wide_result_passes(condition, result)
            }
            None => condition::passes(condition, self.lane_register(register)),
        }
    }

    /// Lanes that were recorded.
    const fn lanes_at(&self, node: NodeId) -> Lanes<'_> {
        Lanes::Node(&self.recorder, node)
    }

    fn lanes_node(&self, lanes: Lanes<'_>) -> NodeId {
        lanes.node(&self.recorder)
    }

    /// What a lane register holds for those who read it.
    fn lane_register(&self, register: u16) -> Symbol<'_> {
        match self.round.as_ref().and_then(|round| round.fresh.get(&register)) {
            Some(&value) => self.symbol(value),
            None => self.kept(register),
        }
    }

    /// What a lane register holds in every lane.
    fn kept(&self, register: u16) -> Symbol<'_> {
        if let Some(&value) = self.registers.get(&register) {
            return self.symbol(value);
        }
        let node = match self.contents.inputs.get(&register) {
            Some(&input) => Node::Input(input),
            None => Node::Register(register),
        };
        self.recorder.symbol(node)
    }

    /// A lane register of the instruction's own.
    fn scratch(&mut self) -> u16 {
        self.next_scratch += 1;
        self.done.scratch = self.done.scratch.max(2 * self.next_scratch);
        self.contents.layout.first_scratch() + 2 * self.next_scratch - 1 - self.bank
    }

    /// A lane register that holds a value once the segment in hand has ended.
    fn register_of(&mut self, value: Value) -> u16 {
        let layout = self.contents.layout;
        let there = match value {
            Value::Known(0) => Some(layout.zero),
            Value::Known(_) => None,
            Value::Node(node) => match self.recorder.at(node) {
                Node::Register(register) if self.registers.get(&register).is_none_or(|&now| now == value) => {
                    Some(register)
                }
                Node::Uniform(register) => Some(register),
                Node::Input(input) => {
                    let inputs = self.contents.inputs.iter();
                    inputs.filter(|&(_, &other)| other == input).map(|(&register, _)| register).next()
                }
                _ => None,
            },
        };
        there.unwrap_or_else(|| {
            let register = self.scratch();
            self.registers.insert(register, value);
            register
        })
    }

    /// Lowers the instruction at `pc`. What steers is an exit's affair, see [`Layout::exit_registers`].
    pub fn instruction(&mut self, pc: usize) {
        let instruction = &self.program.instructions[pc];
        self.pc = pc;
        if self.next_scratch > 0 {
            (self.next_scratch, self.bank) = (0, 1 - self.bank);
        }
        self.gather_operands(instruction);
        match &instruction.kind {
            Kind::Alu(write) | Kind::Convert(write, _) => {
                let values = match (Plan::of(instruction), self.program.stage()) {
                    (Plan::Group(question), Stage::TessControl) => {
                        self.vote_of_patch(instruction, question, write)
                    }
                    _ => self.compute(instruction, write),
                };
                self.store(instruction, write, &values);
            }
            Kind::Texture(write, texture) => {
                let values = self.look_up(instruction, texture, &write.dest);
                self.store(instruction, write, &values);
            }
            Kind::Kill(Kill::Test(test)) => {
                self.note(self.contents.layout.kill_bits(), test);
                self.end_segment(Then::Kill);
            }
            Kind::Kill(Kill::Negative) => {
                let ty = instruction.ty;
                let negative = (0..4).map(|c| is_negative(ty, self.operand(instruction, 0, c)));
                let bits = self.lanes_node(negative.fold(Lanes::Known(false), Lanes::bitor));
                self.bits.push((Target::Bits(self.contents.layout.kill_bits()), bits));
                self.end_segment(Then::Kill);
            }
            Kind::Flow(Control::Loop { .. }) if !instruction.operands.is_empty() => {
                let count = loop_count(instruction.ty, self.operand(instruction, 0, 0)).into();
                self.registers.insert(self.contents.layout.loop_count, count);
            }
            Kind::Flow(Control::CallIndirect { .. }) if !instruction.operands.is_empty() => {
                let [index, _] = self.operand(instruction, 0, 0);
                self.registers.insert(self.contents.layout.loop_count, index.bits().into());
            }
            Kind::Memory(memory) => {
                let values = self.access(instruction, memory);
                if let Some(write) = instruction.write() {
                    self.store(instruction, write, &values);
                }
            }
            Kind::Emit(emit) => self.emit(instruction, *emit),
            // Accesses are carried out in the program's order in any case. Races depend on it.
            Kind::Barrier if self.program.writes_memory() => {
                self.end_segment(Then::Effect(Effect::Synchronise));
            }
            Kind::Flow(_) | Kind::Barrier => {}
        }
    }

    /// Has the bits of the lanes that pass `test` stored in a row.
    fn note(&mut self, register: u16, test: &CcTest) -> NodeId {
        let bits = self.lanes_node(self.passing_any(test));
        self.bits.push((Target::Bits(register), bits));
        bits
    }

    /// The lanes that pass `test`.
    fn passing_any(&self, test: &CcTest) -> Lanes<'_> {
        let registers = self.contents.layout.cc_registers(test).into_iter();
        let passing = registers.map(|register| self.passing(test.condition, register));
        passing.fold(Lanes::Known(false), Lanes::bitor)
    }

    /// Lowers a step of a block.
    pub fn step(&mut self, step: BlockStep) {
        match step.guard {
            None => self.instruction(step.pc),
            Some(guard) => self.guard(guard),
        }
    }

    /// Lowers the test of a block's exit.
    pub fn exit(&mut self, test: &CcTest) {
        self.note(self.contents.layout.exit_bits(), test);
    }

    /// Enters, changes sides in or leaves a converted IF block.
    fn guard(&mut self, guard: Guard) {
        match guard {
            Guard::If(test) => {
                let passed = if self.round.is_some() {
                    self.lanes_node(self.passing_any(&test))
                } else {
                    self.note(self.contents.layout.condition_bits(self.converted), &test)
                };
                self.converted += 1;
                self.round.iter_mut().for_each(|round| round.conditions.push(passed));
                let outer = self.enabled;
                let inner = outer.map(|outer| self.lanes_node(self.lanes_at(outer) & self.lanes_at(passed)));
                self.guards.push(Guarded { outer, passed });
                self.enabled = Some(inner.unwrap_or(passed));
            }
            Guard::Else => {
                // A verified program is within an IF here, as below.
                let Some(&Guarded { outer, passed }) = self.guards.last() else { return };
                let failed = !self.lanes_at(passed);
                let failed = outer.map_or(failed, |outer| self.lanes_at(outer) & failed);
                self.enabled = Some(self.lanes_node(failed));
            }
            Guard::EndIf => self.enabled = self.guards.pop().and_then(|guarded| guarded.outer),
        }
    }

    /// The value of each component that the destination's mask names.
    fn compute(&mut self, instruction: &Instruction, write: &Write) -> Values {
        let ty = instruction.ty;
        let has = |c: usize| write.dest.mask.has(c);
        let plan = Plan::of(instruction);
        match plan {
            Plan::Vector(components) => std::array::from_fn(|c| {
                has(c).then(|| self.component(instruction, &components[c]).map(Value::from))
            }),
            Plan::Interpolate(_) => std::array::from_fn(|c| {
                let component = plan.component(c).filter(|_| has(c));
                component.map(|component| self.component(instruction, component).map(Value::from))
            }),
            Plan::Replicated(component) => {
                let value = self.component(instruction, &component).map(Value::from);
                std::array::from_fn(|c| has(c).then_some(value))
            }
            Plan::DerivativeX | Plan::DerivativeY => std::array::from_fn(|c| {
                let vertical = plan == Plan::DerivativeY;
                has(c).then(|| {
                    let [value, _] = self.operand(instruction, 0, c);
                    [derivative(value, ty, vertical).into(), Value::Known(0)]
                })
            }),
            Plan::Convert(conversion) => std::array::from_fn(|c| {
                has(c).then(|| {
                    let value = self.operand(instruction, 0, c);
                    convert(conversion, write.saturate, value).map(Value::from)
                })
            }),
            Plan::Group(question) => std::array::from_fn(|c| {
                has(c).then(|| {
                    let own = self.operand(instruction, 0, c);
                    vote(question, ty, own, self.group(own)).map(Value::from)
                })
            }),
            Plan::Texture(_) | Plan::Texel(_) | Plan::Memory(..) | Plan::Control => [None; 4],
        }
    }

    /// A vote of all invocations of a patch, which may be any number of lanes: an effect.
    fn vote_of_patch(&mut self, instruction: &Instruction, question: Vote, write: &Write) -> Values {
        let mut components = Vec::new();
        let mut values = [None; 4];
        for c in (0..4).filter(|&c| write.dest.mask.has(c)) {
            let [operand, _] = self.operand(instruction, 0, c).map(Value::from);
            let operand = self.register_of(operand);
            let result = self.scratch();
            components.push(VoteComponent { operand, result });
            values[c] = Some(result);
        }
        let group = self.program.patch_vertices.unwrap_or(1);
        let vote = effect::Vote { question, ty: instruction.ty, group, components };
        self.end_segment(Then::Effect(Effect::Vote(vote)));
        values.map(|result| result.map(|result| [self.lane_register(result).into(), Value::Known(0)]))
    }

    /// What the others of the quad have, of which `own` is a lane's, and whether they execute the instruction.
    fn group<'r>(
        &'r self,
        own: Words<Symbol<'r>>,
    ) -> impl Iterator<Item = (Words<Symbol<'r>>, Lanes<'r>)> + use<'r, 'a> {
        // The other lanes of a quad. An invocation of another stage is a group by itself.
        const OTHERS: [u8; 3] = [0b10_11_00_01, 0b01_00_11_10, 0b00_01_10_11];
        let count = if self.program.stage() == Stage::Fragment { OTHERS.len() } else { 0 };
        OTHERS.into_iter().take(count).map(move |lanes| {
            let executes = match self.stores {
                Stores::Plain => Lanes::Known(true),
                Stores::Masked => {
                    self.lane_register(self.contents.layout.mask).neighbour(lanes).ne(Symbol::Known(0))
                }
            };
            (own.map(|word| word.neighbour(lanes)), executes)
        })
    }

    fn component(&self, instruction: &Instruction, component: &Component) -> Words<Symbol<'_>> {
        let (kernel, inputs) = self.inputs(instruction, component);
        evaluate(kernel, instruction.ty, &inputs)
    }

    /// Lanes in which a run-time mask lets component `c` through.
    fn tested(&self, test: &CcTest, c: usize) -> Lanes<'_> {
        let register = self.contents.layout.cc(test.register) + u16::from(test.swizzle.0[c]);
        self.passing(test.condition, register)
    }

    /// What a source that is no relative reference holds; its components are of type `ty`.
    fn register(&self, source: Source, component: u8, ty: Type) -> Words<Symbol<'_>> {
        let layout = self.contents.layout;
        let base = match source {
            Source::Temp(id) => layout.temporary(id),
            Source::Attribute(attribute) => layout.attribute(attribute),
            // Read by effects, and uniforms.
            Source::Param(_) | Source::Indirect(_) | Source::Buffer(_) => layout.zero,
        };
        let low = base + u16::from(component);
        [self.lane_register(low), if ty.is_wide() { self.lane_register(low + 4) } else { Symbol::Known(0) }]
    }
}
