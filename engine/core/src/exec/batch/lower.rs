//! Lowers the IR to blocks of the low-level IR: reads operands (`operands`), calls the component functions with
//! them, and stores the results (`stores`).

mod iterations;
mod memory;
mod operands;
mod stores;
mod texture;

use std::collections::BTreeMap;
use std::ops::BitOr;

use super::flow::{BlockStep, Exit, Guard};
use super::layout::{Layout, Outcome};
use crate::exec::condition;
use crate::exec::lir;
use crate::exec::lir::effect::PatchVote;
use crate::exec::lir::{
    Action, Block, Effect, Lanes, Node, NodeId, Recorder, Symbol, Target, assert_correct_block,
};
use crate::exec::reference::derivative_lanes;
use shadestep_language::ir::{
    CcTest, Condition, Control, Instruction, Kill, Kind, Program, Source, Type, Write,
};
use shadestep_language::isa::Stage;
use shadestep_language::num::{Number, Word};
use shadestep_language::semantics::ops::{
    Vote, Words, convert, difference, evaluate, is_negative, loop_count, vote,
};
use shadestep_language::semantics::plan::{Component, Plan};

/// The lanes that an instruction changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// All lanes.
    Plain,
    /// Lanes in the mask lane register.
    Masked,
}

/// Facts about lane registers before the first instruction.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    pub layout: &'a Layout,
    /// Known values of uniforms, by lane register.
    pub literals: &'a BTreeMap<u16, u32>,
    /// Lane registers of inputs, by the lane registers that would hold a copy.
    pub inputs: &'a BTreeMap<u16, u16>,
}

/// A value of the block.
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

/// The result that set a condition code component, in the lanes that the instruction changes. If the result
/// is known, tests read it instead of the flags.
#[derive(Clone, Copy, Debug)]
enum Tested {
    Single(Value),
    Double(Words<Value>),
}

/// The low and high words of each component of a result.
type Values = [Option<Words<Value>>; 4];

/// Lowers instructions to a block, one after the other.
pub struct Lowering<'a> {
    program: &'a Program,
    contents: Contents<'a>,
    stores: Stores,
    /// Nodes of the block.
    recorder: Recorder,
    /// The instructions up to the last effect.
    instructions: Vec<lir::Instruction>,
    /// Number of nodes up to the last effect.
    computed: NodeId,
    /// Number of results of effects.
    results: u16,
    /// Values of registers written since the last effect.
    registers: BTreeMap<u16, Value>,
    /// Results that set the condition codes since the last effect.
    tested: BTreeMap<u16, Tested>,
    /// Index of the current instruction.
    pc: usize,
    /// Converted IF blocks around the current instruction.
    guards: Vec<Guarded>,
    /// Number of converted IF blocks so far.
    converted: usize,
    /// Lanes that keep results; `None` for all lanes.
    enabled: Option<NodeId>,
    /// Present while iterations of a loop kernel are lowered.
    round: Option<Round>,
    /// Stores before the next effect or at the end, in addition to those of `registers`.
    bits: Vec<(Target, NodeId)>,
    /// The values that the instruction's relative references read: low words, then high words.
    gathered: Vec<(Source, [Value; 8])>,
    exit: Exit,
    /// The mask of lanes that pass the test of the exit.
    test: Option<NodeId>,
}

/// Additional state for iterations of a loop kernel.
#[derive(Debug, Default)]
struct Round {
    /// Values of lane registers in lanes that are still in the loop, not merged with the values of lanes that
    /// have left.
    fresh: BTreeMap<u16, Value>,
    /// Lanes that pass the tests of the block's converted IFs.
    conditions: Vec<NodeId>,
}

/// A converted IF block around the current instruction.
#[derive(Clone, Copy, Debug)]
struct Guarded {
    /// Lanes that keep results around the block; `None` for all lanes.
    outer: Option<NodeId>,
    /// Lanes that pass the block's test.
    passed: NodeId,
}

/// The derivative of a value that every lane of a quad has.
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
    /// Prepares to lower instructions of `program`.
    pub fn new(program: &'a Program, contents: Contents<'a>, stores: Stores) -> Self {
        Self {
            program,
            contents,
            stores,
            recorder: Recorder::default(),
            instructions: Vec::new(),
            computed: 0,
            results: 0,
            registers: BTreeMap::new(),
            tested: BTreeMap::new(),
            pc: program.entry,
            guards: Vec::new(),
            converted: 0,
            enabled: None,
            round: None,
            bits: Vec::new(),
            gathered: Vec::new(),
            exit: Exit::Next,
            test: None,
        }
    }

    /// The block of all instructions.
    pub fn finish(mut self) -> Block {
        self.store_all();
        let (nodes, instructions) = (self.recorder.into_nodes(), self.instructions);
        let block = Block { nodes, instructions, exit: self.exit, test: self.test };
        assert_correct_block("lowering", &block);
        block
    }

    /// Moves results to the outputs.
    pub fn outcomes(&mut self, outcomes: &[Outcome]) {
        let target =
            |outcome: &Outcome| outcome.output.map_or(Target::Register(outcome.register), Target::Output);
        let stores = outcomes.iter().map(|outcome| {
            let value = self.lane_register(outcome.register).node(&self.recorder);
            (target(outcome), value)
        });
        let stores: Vec<_> = stores.filter(|&store| !self.is_there(store)).collect();
        self.registers.clear();
        self.bits.extend(stores);
    }

    /// Stores everything that was written.
    fn store_all(&mut self) {
        let stores = std::mem::take(&mut self.registers).into_iter().map(|(register, value)| {
            let node = self.symbol(value).node(&self.recorder);
            (Target::Register(register), node)
        });
        let mut stores: Vec<_> = stores.filter(|&store| !self.is_there(store)).collect();
        stores.append(&mut self.bits);
        let nodes = self.computed..self.recorder.count();
        self.instructions.extend(nodes.map(lir::Instruction::Compute));
        self.instructions
            .extend(stores.into_iter().map(|(target, value)| lir::Instruction::Store(target, value)));
        self.tested.clear();
        // Functions between effects compute equal values again, as this is cheaper than to keep them.
        self.recorder.forget();
        self.computed = self.recorder.count();
    }

    /// Whether the target already has the value.
    fn is_there(&self, (target, value): (Target, NodeId)) -> bool {
        let old = self.recorder.at(value).register().filter(|_| value >= self.computed);
        matches!(target, Target::Register(register) if old == Some(register))
    }

    /// Adds an effect. Returns its results by number; those not in `wanted` are 0.
    fn effect(&mut self, action: Action, operands: Vec<Value>, wanted: &[u8]) -> [Value; 8] {
        let operands =
            operands.into_iter().map(|operand| self.symbol(operand).node(&self.recorder)).collect();
        self.store_all();
        let mut values = [Value::Known(0); 8];
        let mut results = Vec::new();
        for &number in wanted {
            let result = self.recorder.node(Node::Result(self.results));
            self.results += 1;
            results.push((number, result));
            values[usize::from(number)] = Value::Node(result);
        }
        self.computed = self.recorder.count();
        self.instructions.push(lir::Instruction::Effect(Effect { action, operands, results }));
        values
    }

    /// Discards lanes.
    fn kill(&mut self, lanes: NodeId) {
        self.store_all();
        self.instructions.push(lir::Instruction::Kill(lanes));
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

    /// The lanes of a recorded mask.
    const fn lanes_at(&self, node: NodeId) -> Lanes<'_> {
        Lanes::Node(&self.recorder, node)
    }

    fn lanes_node(&self, lanes: Lanes<'_>) -> NodeId {
        lanes.node(&self.recorder)
    }

    /// The value of a lane register for instructions that read it.
    fn lane_register(&self, register: u16) -> Symbol<'_> {
        match self.round.as_ref().and_then(|round| round.fresh.get(&register)) {
            Some(&value) => self.symbol(value),
            None => self.kept(register),
        }
    }

    /// The value of a lane register in every lane, including lanes that have left a loop kernel.
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

    /// Lowers the instruction at `pc`. Flow control is in the block's exit, see [`Self::exit`].
    pub fn instruction(&mut self, pc: usize) {
        let instruction = &self.program.instructions[pc];
        self.pc = pc;
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
                self.kill(self.lanes_node(self.passing_any(test)));
            }
            Kind::Kill(Kill::Negative) => {
                let ty = instruction.ty;
                let negative = (0..4).map(|c| is_negative(ty, self.operand(instruction, 0, c)));
                self.kill(self.lanes_node(negative.fold(Lanes::Known(false), Lanes::bitor)));
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
            // Accesses take effect in the program's order without barriers. Only race detection needs them.
            Kind::Barrier if self.program.writes_memory() => {
                self.effect(Action::Synchronise, Vec::new(), &[]);
            }
            Kind::Flow(_) | Kind::Barrier => {}
        }
    }

    /// Lanes that pass `test` in any component.
    fn passing_any(&self, test: &CcTest) -> Lanes<'_> {
        let registers = self.contents.layout.cc_registers(test).into_iter();
        let passing = registers.map(|register| self.passing(test.condition, register));
        passing.fold(Lanes::Known(false), Lanes::bitor)
    }

    pub fn step(&mut self, step: BlockStep) {
        match step.guard {
            None => self.instruction(step.pc),
            Some(guard) => self.guard(guard),
        }
    }

    /// Ends the block with an exit.
    pub fn exit(&mut self, exit: &Exit, test: Option<&CcTest>) {
        self.exit = exit.clone();
        self.test = test.map(|test| self.lanes_node(self.passing_any(test)));
    }

    /// Enters, switches sides in or leaves a converted IF block.
    fn guard(&mut self, guard: Guard) {
        match guard {
            Guard::If(test) => {
                let passed = self.lanes_node(self.passing_any(&test));
                if self.round.is_none() {
                    let bits = self.contents.layout.condition_bits(self.converted);
                    self.bits.push((Target::Bits(bits), passed));
                }
                self.converted += 1;
                self.round.iter_mut().for_each(|round| round.conditions.push(passed));
                let outer = self.enabled;
                let inner = outer.map(|outer| self.lanes_node(self.lanes_at(outer) & self.lanes_at(passed)));
                self.guards.push(Guarded { outer, passed });
                self.enabled = Some(inner.unwrap_or(passed));
            }
            Guard::Else => {
                // In a verified program this is within an IF, as is the ENDIF below.
                let Some(&Guarded { outer, passed }) = self.guards.last() else { return };
                let failed = !self.lanes_at(passed);
                let failed = outer.map_or(failed, |outer| self.lanes_at(outer) & failed);
                self.enabled = Some(self.lanes_node(failed));
            }
            Guard::EndIf => self.enabled = self.guards.pop().and_then(|guarded| guarded.outer),
        }
    }

    /// The value of each component in the write mask.
    fn compute(&mut self, instruction: &Instruction, write: &Write) -> Values {
        let ty = instruction.ty;
        let has = |c: usize| write.dest.mask.has(c);
        let plan = Plan::of(instruction);
        match plan {
            Plan::Vector(_) | Plan::Replicated(_) | Plan::Interpolate(_) => std::array::from_fn(|c| {
                let component = plan.component(c).filter(|_| has(c));
                component.map(|component| self.component(instruction, component).map(Value::from))
            }),
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

    /// A vote of all invocations of a patch. This is an effect, because a patch can have any number of lanes.
    fn vote_of_patch(&mut self, instruction: &Instruction, question: Vote, write: &Write) -> Values {
        let operands: Values = std::array::from_fn(|c| {
            write.dest.mask.has(c).then(|| self.operand(instruction, 0, c).map(Value::from))
        });
        let group = self.program.patch_vertices.unwrap_or(1);
        let vote = PatchVote { question, ty: instruction.ty, group };
        operands.map(|operand| {
            let [operand, _] = operand?;
            let [result, ..] = self.effect(Action::Vote(vote.clone()), vec![operand], &[0]);
            Some([result, Value::Known(0)])
        })
    }

    /// The values of the other lanes of the quad, and whether they execute the instruction. `own` is the
    /// value of each lane.
    fn group<'r>(
        &'r self,
        own: Words<Symbol<'r>>,
    ) -> impl Iterator<Item = (Words<Symbol<'r>>, Lanes<'r>)> + use<'r, 'a> {
        // The source lanes for the three others of a quad. In other stages an invocation is a group by
        // itself.
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

    /// Lanes in which component `c` passes the condition code test.
    fn tested(&self, test: &CcTest, c: usize) -> Lanes<'_> {
        let register = self.contents.layout.cc(test.register) + u16::from(test.swizzle.0[c]);
        self.passing(test.condition, register)
    }

    /// The value of a source that is not a relative reference; its components have type `ty`.
    fn register(&self, source: Source, component: u8, ty: Type) -> Words<Symbol<'_>> {
        let layout = self.contents.layout;
        let base = match source {
            Source::Temp(id) => layout.temporary(id),
            Source::Attribute(attribute) => layout.attribute(attribute),
            // Effects read relative references and buffers; uniforms hold parameters.
            Source::Param(_) | Source::Indirect(_) | Source::Buffer(_) => layout.zero,
        };
        let low = base + u16::from(component);
        [self.lane_register(low), if ty.is_wide() { self.lane_register(low + 4) } else { Symbol::Known(0) }]
    }
}
