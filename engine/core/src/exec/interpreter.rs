//! The portable back end: executes the low-level IR node by node on any processor.
//!
//! Each node is one plain loop over all 64 lanes, which the Rust compiler vectorises. A mask is a lane
//! register whose lanes are all ones or all zeros.
#![expect(unsafe_code, reason = "registers are read and written in place")]

use std::io;
use std::sync::Arc;

use super::back_end::{Arguments, BackEnd, Callable, Compiled, Constant, Constants, Function};
use super::block::LANES;
use super::lir::{
    Binary, Comparison, Half, Module, Needs, Node, NodeId, Op64, Scheduled, Shift, Step, Target, Wanted,
    prepared,
};
use shadestep_language::num::{Double, Number, Rounding, Word};

/// Executes functions in the form that `needs` describes. Every form is possible, except that denorms cannot
/// be read as zeros.
#[derive(Debug)]
pub struct Interpreter {
    needs: Needs,
}

impl Interpreter {
    pub const fn new(needs: Needs) -> Self {
        Self { needs }
    }
}

/// The instance for programs. It executes functions as they were lowered, so that tests which compare another
/// back end with it check that back end's passes too.
pub fn portable() -> &'static dyn BackEnd {
    static PORTABLE: Interpreter = Interpreter::new(Needs::NOTHING);
    &PORTABLE
}

impl BackEnd for Interpreter {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn mask_lanes(&self) -> u8 {
        LANES as u8
    }

    fn compile(&self, module: &Module) -> io::Result<Compiled> {
        let (mut constants, mut own_registers) = (Constants::default(), 0);
        let functions = prepared(module, &self.needs).into_iter().map(|scheduled| {
            let (code, next) = Code::new(&scheduled, &mut constants, module.first_own);
            own_registers = own_registers.max(next - module.first_own);
            Function::Other(Arc::new(code))
        });
        let functions = functions.collect();
        Ok(Compiled { functions, own_registers, constants: constants.repeated(CONSTANT_COPIES) })
    }
}

/// Copies of each constant: a whole lane register.
const CONSTANT_COPIES: usize = LANES;

/// Lanes computed at a time: two 128-bit registers, whose computations overlap.
const CHUNK: usize = 8;

/// Address of a lane register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Location {
    /// Among the registers.
    Register(u16),
    /// Among the inputs.
    Input(u16),
    /// The copies of a constant.
    Constant(u16),
    /// Among the outputs.
    Output(u16),
}

/// Computation of one lane register.
#[derive(Clone, Copy, Debug)]
struct Operation {
    kind: Kind,
    to: Location,
    from: [Location; 3],
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Copy,
    /// A node's operation on the registers of `from`, whatever its operands.
    Node(Node),
    /// A bit for each lane, in the first words of the lane register.
    Bits,
}

/// A schedule as a list of operations.
#[derive(Debug)]
struct Code {
    operations: Vec<Operation>,
    /// Repeats all operations while this mask has a lane, see [`Target::Again`].
    again: Option<Location>,
    /// Required numbers of registers, constants, inputs and outputs.
    reach: [usize; 4],
}

/// Assigns lane registers, from the first free one, to values.
struct Allocation<'a> {
    nodes: &'a [Node],
    constants: &'a mut Constants,
    places: Vec<Option<Location>>,
    /// The last step that reads each node.
    last_read: Vec<usize>,
    free: Vec<u16>,
    next: u16,
}

impl Allocation<'_> {
    fn constant(&mut self, constant: Constant) -> Location {
        Location::Constant(self.constants.index_of(constant) as u16)
    }

    fn place(&mut self, node: NodeId) -> Location {
        if let Some(place) = self.places[node as usize] {
            return place;
        }
        match self.nodes[node as usize] {
            Node::Register(register) => Location::Register(register),
            Node::Input(register) => Location::Input(register),
            Node::Uniform(register) => self.constant(Constant::Uniform(register)),
            Node::Constant(bits) => self.constant(Constant::Bits(bits)),
            // Already computed, because operands come before their users.
            _ => self.take(node),
        }
    }

    fn take(&mut self, node: NodeId) -> Location {
        let register = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.places[node as usize] = Some(Location::Register(register));
        Location::Register(register)
    }

    /// Frees the lane registers of values whose last read is step `at`.
    fn release(&mut self, at: usize, read: impl Iterator<Item = NodeId>, first: u16) {
        for node in read {
            if self.last_read[node as usize] == at
                && let Some(Location::Register(register)) = self.places[node as usize].take()
                && register >= first
            {
                self.free.push(register);
            }
        }
    }
}

impl Code {
    /// Converts steps to operations. Temporary values use registers from `first_free`. New constants go to
    /// `constants`. Also returns the first register that is free afterwards.
    fn new(
        Scheduled { nodes, steps, .. }: &Scheduled,
        constants: &mut Constants,
        first_free: u16,
    ) -> (Self, u16) {
        let reads = |step: &Step| {
            let (stored, computed) = match *step {
                Step::Compute(node) => (None, Some(nodes[node as usize].operands())),
                Step::Store(_, node) => (Some(node), None),
            };
            stored.into_iter().chain(computed.into_iter().flatten())
        };
        let mut last_read = vec![0; nodes.len()];
        for (at, step) in steps.iter().enumerate() {
            reads(step).for_each(|node| last_read[node as usize] = at);
        }
        let mut allocation = Allocation {
            nodes,
            constants,
            places: vec![None; nodes.len()],
            last_read,
            free: Vec::new(),
            next: first_free,
        };
        let mut operations = Vec::with_capacity(steps.len());
        let mut again = None;
        for (at, step) in steps.iter().enumerate() {
            let operation = match *step {
                Step::Compute(node) => {
                    let mut from = [Location::Register(0); 3];
                    // Copies a lane register that is about to be overwritten.
                    let copied = matches!(nodes[node as usize], Node::Register(_)).then_some(node);
                    let operands = copied.into_iter().chain(nodes[node as usize].operands());
                    for (from, operand) in from.iter_mut().zip(operands) {
                        *from = allocation.place(operand);
                    }
                    let to = allocation.take(node);
                    Operation { kind: Kind::of(nodes[node as usize]), to, from }
                }
                Step::Store(target, node) => {
                    let from = [allocation.place(node); 3];
                    let (kind, to) = match target {
                        Target::Register(register) => (Kind::Copy, Location::Register(register)),
                        Target::Output(register) => (Kind::Copy, Location::Output(register)),
                        Target::Bits(register) => (Kind::Bits, Location::Register(register)),
                        // This store is last and is not an operation.
                        Target::Again => {
                            again = Some(from[0]);
                            continue;
                        }
                    };
                    Operation { kind, to, from }
                }
            };
            operations.push(operation);
            allocation.release(at, reads(step), first_free);
        }
        let mut reach = [0; 4];
        for operation in &operations {
            for place in operation.from.into_iter().chain([operation.to]).chain(again) {
                let (of, index) = match place {
                    Location::Register(register) => (0, register),
                    Location::Constant(index) => (1, index),
                    Location::Input(register) => (2, register),
                    Location::Output(register) => (3, register),
                };
                reach[of] = reach[of].max(usize::from(index) + 1);
            }
        }
        let next = allocation.next;
        (Self { operations, again, reach }, next)
    }
}

impl Callable for Code {
    fn call(&self, arguments: Arguments<'_>) {
        let [registers, constants, inputs, outputs] = self.reach;
        assert!(arguments.registers.len() >= registers, "all registers that the code has");
        assert!(
            arguments.constants.len() >= CONSTANT_COPIES * constants,
            "all constants that the code reads"
        );
        assert!(
            arguments.inputs.len() >= inputs && arguments.outputs.len() >= outputs,
            "all inputs and outputs"
        );
        let places = Locations {
            registers: arguments.registers.as_mut_ptr().cast(),
            constants: arguments.constants.as_ptr().cast(),
            inputs: arguments.inputs.as_ptr().cast(),
            outputs: arguments.outputs.as_mut_ptr().cast(),
        };
        loop {
            // SAFETY: the assertions above checked the range of every location.
            unsafe { run(&self.operations, &places) };
            // SAFETY: as above.
            let goes_on = self
                .again
                .is_some_and(|mask| unsafe { (*places.at(mask)).iter().any(|lane| lane.to_bits() != 0) });
            if !goes_on {
                return;
            }
        }
    }
}

impl Kind {
    const fn of(node: Node) -> Self {
        if node.is_kept() { Self::Copy } else { Self::Node(node) }
    }
}

/// Addresses of the first lane register of each kind.
struct Locations {
    registers: *mut [f32; LANES],
    constants: *const [f32; LANES],
    inputs: *const [f32; LANES],
    outputs: *mut [f32; LANES],
}

impl Locations {
    /// A lane register to read.
    ///
    /// # Safety
    /// `place` is in range.
    #[inline(always)]
    unsafe fn at(&self, place: Location) -> *const [f32; LANES] {
        // SAFETY: the caller guarantees this.
        unsafe {
            match place {
                Location::Register(register) => self.registers.add(register.into()).cast_const(),
                Location::Input(register) => self.inputs.add(register.into()),
                Location::Constant(index) => self.constants.add(index.into()),
                Location::Output(register) => self.outputs.add(register.into()).cast_const(),
            }
        }
    }

    /// A lane register to write.
    ///
    /// # Safety
    /// `place` is in range.
    #[inline(always)]
    unsafe fn to(&self, place: Location) -> *mut [f32; LANES] {
        // SAFETY: the caller guarantees this.
        unsafe {
            match place {
                Location::Output(register) => self.outputs.add(register.into()),
                // Inputs and constants are never written.
                Location::Register(register) | Location::Input(register) | Location::Constant(register) => {
                    self.registers.add(register.into())
                }
            }
        }
    }
}

/// A mask's lane: all ones or all zeros.
#[inline(always)]
fn mask(holds: bool) -> f32 {
    f32::from_bits(if holds { u32::MAX } else { 0 })
}

/// Executes operations. Compiled for the portable instruction set only, because this is much code, and other
/// back ends run on nearly all processors that have more.
///
/// # Safety
/// Every location of every operation is in range.
unsafe fn run(operations: &[Operation], places: &Locations) {
    for operation in operations {
        // SAFETY: the caller guarantees this.
        let registers = unsafe {
            Registers { to: places.to(operation.to), from: operation.from.map(|place| places.at(place)) }
        };
        // SAFETY: these lane registers exist.
        unsafe { registers.compute(operation.kind) }
    }
}

/// The results of `f` for each lane of a chunk. A loop, because it is compiled for every operation, and
/// `std::array::from_fn` is several times as much code.
#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> [f32; CHUNK] {
    let mut result = [0.0; CHUNK];
    for (lane, result) in result.iter_mut().enumerate() {
        *result = f(lane);
    }
    result
}

/// Lane registers of one operation.
struct Registers {
    to: *mut [f32; LANES],
    from: [*const [f32; LANES]; 3],
}

impl Registers {
    /// # Safety
    /// All lane registers exist, and nothing else refers to them.
    #[inline(always)]
    unsafe fn compute(&self, kind: Kind) {
        // SAFETY: the caller guarantees this for all calls here.
        unsafe {
            match kind {
                Kind::Copy => self.unary(|a| a),
                Kind::Node(node) => self.node(node),
                Kind::Bits => self.bits(),
            }
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn node(&self, node: Node) {
        // SAFETY: the caller guarantees this for all calls here.
        unsafe {
            match node {
                // `Kind::of` turns them into copies.
                Node::Register(_)
                | Node::Input(_)
                | Node::Uniform(_)
                | Node::Constant(_)
                | Node::Result(_) => {}
                Node::Binary(binary, ..) => self.binary(binary),
                Node::Both(..) => self.binary(Binary::And),
                Node::Either(..) => self.binary(Binary::Or),
                Node::Sqrt(_) => self.unary(f32::sqrt),
                Node::Flush(_) => self.unary(Number::flush),
                Node::Canonical(_) => self.unary(Number::canonical),
                Node::Round(Rounding::Round, _) => self.unary(|a| a.rounded(Rounding::Round)),
                Node::Round(Rounding::Ceil, _) => self.unary(|a| a.rounded(Rounding::Ceil)),
                Node::Round(Rounding::Floor, _) => self.unary(|a| a.rounded(Rounding::Floor)),
                Node::Round(Rounding::Trunc, _) => self.unary(|a| a.rounded(Rounding::Trunc)),
                Node::ToFloat(_) => self.unary(|a| a.to_bits().to_float()),
                Node::ToFloatUnsigned(_) => self.unary(|a| a.to_bits().to_float_unsigned()),
                Node::ToInteger(_) => self.unary(|a| f32::from_bits(a.truncated())),
                Node::Zip(half, ..) => self.zip(half),
                Node::Unzip(half, ..) => self.unzip(half),
                Node::Op64(wide, ..) => self.wide(wide),
                Node::WideSqrt(_) => self.pairs(|a, _| a.sqrt()),
                Node::WideCanonical(_) => self.pairs(|a, _| a.canonical()),
                Node::Shift(shift, count, _) => self.shift(shift, count.into()),
                Node::Quad(lanes, _) => self.quad(lanes.0),
                Node::Select(..) => {
                    self.drive(|[mask, yes, no]: [f32; 3]| if mask.to_bits() == 0 { no } else { yes });
                }
                Node::Compare(comparison, Wanted::Holds, ..) => self.compare(comparison, |holds| holds),
                Node::Compare(comparison, Wanted::Fails, ..) => self.compare(comparison, |holds| !holds),
                Node::Others(_) => self.unary(|a| f32::from_bits(!a.to_bits())),
            }
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn binary(&self, binary: Binary) {
        let bits = |f: fn(u32, u32) -> u32| move |a: f32, b: f32| f32::from_bits(f(a.to_bits(), b.to_bits()));
        // SAFETY: the caller guarantees this for all calls here.
        unsafe {
            match binary {
                Binary::Add => self.two(|a, b| a + b),
                Binary::Sub => self.two(|a, b| a - b),
                Binary::Mul => self.two(|a, b| a * b),
                Binary::Div => self.two(|a, b| a / b),
                Binary::Min => self.two(|a, b| if a < b { a } else { b }),
                Binary::Max => self.two(|a, b| if a > b { a } else { b }),
                Binary::MinOrNan => self.two(Number::min_or_nan),
                Binary::MaxOrNan => self.two(Number::max_or_nan),
                Binary::And => self.two(bits(|a, b| a & b)),
                Binary::Or => self.two(bits(|a, b| a | b)),
                Binary::Xor => self.two(bits(|a, b| a ^ b)),
                Binary::IntAdd => self.two(bits(u32::wrapping_add)),
                Binary::IntSub => self.two(bits(u32::wrapping_sub)),
                Binary::AndNot => self.two(bits(|a, b| !a & b)),
                Binary::MinUnsigned => self.two(bits(|a, b| a.min(b))),
                Binary::MaxUnsigned => self.two(bits(|a, b| a.max(b))),
                Binary::MinSigned => self.two(bits(Word::min_signed)),
                Binary::MaxSigned => self.two(bits(Word::max_signed)),
                Binary::IntMul => self.two(bits(u32::wrapping_mul)),
                Binary::ShiftLeft => self.two(bits(Word::shl_by)),
                Binary::ShiftRight => self.two(bits(Word::shr_by)),
                Binary::ShiftRightSigned => self.two(bits(Word::sar_by)),
            }
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn compare(&self, comparison: Comparison, wanted: impl Fn(bool) -> bool + Copy) {
        // SAFETY: the caller guarantees this for all calls here.
        unsafe {
            match comparison {
                Comparison::Lt => self.two(|a, b| mask(wanted(a < b))),
                Comparison::Le => self.two(|a, b| mask(wanted(a <= b))),
                Comparison::Eq => self.two(|a, b| mask(wanted(a == b))),
                Comparison::Unordered => self.two(|a, b| mask(wanted(a.is_nan() | b.is_nan()))),
                Comparison::LtUnsigned => self.two(|a, b| mask(wanted(a.to_bits() < b.to_bits()))),
                Comparison::GtSigned => {
                    self.two(|a, b| mask(wanted(a.to_bits().cast_signed() > b.to_bits().cast_signed())));
                }
                Comparison::BitsEq => self.two(|a, b| mask(wanted(a.to_bits() == b.to_bits()))),
                Comparison::Disjoint => self.two(|a, b| mask(wanted(a.to_bits() & b.to_bits() == 0))),
            }
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn shift(&self, shift: Shift, count: u32) {
        let bits = |f: fn(u32, u32) -> u32| move |a: f32| f32::from_bits(f(a.to_bits(), count));
        // SAFETY: the caller guarantees this for all calls here.
        unsafe {
            match shift {
                Shift::Left => self.unary(bits(|a, count| a << count)),
                Shift::Right => self.unary(bits(|a, count| a >> count)),
                Shift::RightSigned => self.unary(bits(|a, count| (a.cast_signed() >> count).cast_unsigned())),
            }
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn unary(&self, f: impl Fn(f32) -> f32) {
        // SAFETY: the caller guarantees this.
        unsafe { self.drive(|[a]| f(a)) }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn two(&self, f: impl Fn(f32, f32) -> f32) {
        // SAFETY: the caller guarantees this.
        unsafe { self.drive(|[a, b]| f(a, b)) }
    }

    /// Applies `f` lane by lane. Reads a chunk of all operands before it writes the chunk, so operands and
    /// result may share a lane register.
    ///
    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn drive<const INPUTS: usize>(&self, f: impl Fn([f32; INPUTS]) -> f32) {
        // SAFETY: the caller guarantees this.
        unsafe {
            self.chunks(|inputs: [[f32; CHUNK]; INPUTS]| {
                each(|lane| {
                    let mut operands = [0.0; INPUTS];
                    for (operand, input) in operands.iter_mut().zip(&inputs) {
                        *operand = input[lane];
                    }
                    f(operands)
                })
            });
        }
    }

    /// Permutes lanes within their quad; two bits of `lanes` select the source of each lane.
    ///
    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn quad(&self, lanes: u8) {
        // SAFETY: the caller guarantees this.
        unsafe {
            self.chunks(|[input]: [[f32; CHUNK]; 1]| {
                each(|lane| input[lane & !3 | usize::from(lanes >> (2 * (lane & 3)) & 3)])
            });
        }
    }

    /// See [`Node::Zip`].
    ///
    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn zip(&self, half: Half) {
        let first = 2 * half as usize;
        // SAFETY: the caller guarantees this.
        unsafe {
            self.chunks(|[low, high]: [[f32; CHUNK]; 2]| {
                each(|at| {
                    let lane = (at & !3) + first + (at >> 1 & 1);
                    if at & 1 == 0 { low[lane] } else { high[lane] }
                })
            });
        }
    }

    /// See [`Node::Unzip`].
    ///
    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn unzip(&self, half: Half) {
        let word = half as usize;
        // SAFETY: the caller guarantees this.
        unsafe {
            self.chunks(|halves: [[f32; CHUNK]; 2]| {
                each(|lane| halves[lane >> 1 & 1][lane & !3 | (lane & 1) << 1 | word])
            });
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn wide(&self, wide: Op64) {
        let mask = |holds: bool| f64::from_bits(if holds { u64::MAX } else { 0 });
        // SAFETY: the caller guarantees this for all calls here.
        unsafe {
            match wide {
                Op64::Add => self.pairs(|a, b| a + b),
                Op64::Sub => self.pairs(|a, b| a - b),
                Op64::Mul => self.pairs(|a, b| a * b),
                Op64::Div => self.pairs(|a, b| a / b),
                Op64::Lt => self.pairs(|a, b| mask(a < b)),
                Op64::Le => self.pairs(|a, b| mask(a <= b)),
                Op64::Eq => self.pairs(|a, b| mask(a == b)),
            }
        }
    }

    /// Applies a function to pairs of words: 64-bit values of one or two operands.
    ///
    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn pairs(&self, f: impl Fn(f64, f64) -> f64) {
        // SAFETY: the caller guarantees this.
        unsafe {
            self.chunks(|[a, b]: [[f32; CHUNK]; 2]| {
                let double = |words: &[f32; CHUNK], at: usize| {
                    Word::double([words[at & !1].to_bits(), words[at | 1].to_bits()])
                };
                each(|at| f32::from_bits(f(double(&a, at), double(&b, at)).words()[at & 1]))
            });
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn chunks<const INPUTS: usize>(&self, f: impl Fn([[f32; CHUNK]; INPUTS]) -> [f32; CHUNK]) {
        const { assert!(LANES.is_multiple_of(CHUNK) && INPUTS <= 3) };
        for chunk in 0..LANES / CHUNK {
            let mut inputs = [[0.0; CHUNK]; INPUTS];
            for (input, register) in inputs.iter_mut().zip(self.from) {
                // SAFETY: chunks divide a lane register, and the caller guarantees that the register exists.
                *input = unsafe { register.cast::<[f32; CHUNK]>().add(chunk).read() };
            }
            // SAFETY: as above.
            unsafe { self.to.cast::<[f32; CHUNK]>().add(chunk).write(f(inputs)) }
        }
    }

    /// # Safety
    /// As [`Self::compute`].
    #[inline(always)]
    unsafe fn bits(&self) {
        // SAFETY: the caller guarantees this.
        let lanes = unsafe { self.from[0].read() };
        let bits = lanes.iter().rev().fold(0, |bits: u64, lane| bits << 1 | u64::from(lane.to_bits() & 1));
        // SAFETY: as above; the access is within the lane register.
        unsafe { self.to.cast::<u64>().write(bits) }
    }
}
