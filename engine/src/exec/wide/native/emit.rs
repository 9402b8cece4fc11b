//! Machine code for a schedule: which register holds what, and the instructions.
//!
//! Rows are taken 16 lanes at a time, one vector register each, two such chunks side by side where that fits, so that the
//! processor finds work while it waits for results. A value stays in its register until it is read for the last
//! time, or until another one needs the register more: the one that is read last of all gives way. What rows and
//! constants hold is read again from there, other values go to rows of their own.

use super::graph::{Binary, Comparison, Node, NodeId, Shift, Wanted};
use super::schedule::{Step, Target};
use super::x86::{self, Base, Code, Extent, Mask, Operation, Place, Source, Vector, Writes};
use crate::exec::block::{LANES, Row};

/// Lanes of a vector register.
const CHUNK: usize = 16;
/// Bytes of one.
const CHUNK_BYTES: usize = CHUNK * 4;

/// A number that is the same for all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// These bits.
    Bits(u32),
    /// What every lane of a row holds that nothing writes.
    Uniform(u16),
}

/// Constants that the code reads, each once.
#[derive(Debug, Default)]
pub struct Constants(Vec<Constant>);

impl Constants {
    fn place(&mut self, constant: Constant) -> Place {
        let index = self.0.iter().position(|&other| other == constant).unwrap_or_else(|| {
            self.0.push(constant);
            self.0.len() - 1
        });
        Place { base: Base::Constants, offset: 4 * index as i32 - CONSTANTS_BIAS, extent: Extent::One }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them, in their order.
    pub fn into_all(self) -> Vec<Constant> {
        self.0
    }
}

/// The code counts constants from so many bytes behind the first, so that twice as many have a short address.
pub const CONSTANTS_BIAS: i32 = 128 * 4;

/// What the first cache holds of code, with something to spare. Code that is larger comes from the second, no
/// faster than a dozen bytes a cycle.
const CACHED_CODE: usize = 28 << 10;

/// What a function takes besides its code.
#[derive(Clone, Copy, Debug)]
pub struct Emitted {
    /// Where it begins.
    pub entry: usize,
    /// Rows for values that found no register.
    pub spill_rows: u16,
}

/// Writes a function over rows that carries out `steps`, with rows from `first_spill` on for its own use.
pub fn emit(
    code: &mut Code,
    constants: &mut Constants,
    nodes: &[Node],
    steps: &[Step],
    first_spill: u16,
) -> Emitted {
    let mut attempt = |chunks: usize| {
        let mut emitter = Emitter::new(nodes, steps, constants, chunks, first_spill);
        emitter.function(steps);
        (emitter.code, emitter.slots)
    };
    // Two chunks side by side, where all their values have registers and the code does not become too large by it.
    let (mut written, mut slots) = attempt(2);
    if slots > 0 || written.bytes().len() > CACHED_CODE {
        let (single, single_slots) = attempt(1);
        if slots > 0 || single.bytes().len() <= CACHED_CODE {
            (written, slots) = (single, single_slots);
        }
    }
    let entry = code.append(&written);
    Emitted { entry, spill_rows: slots }
}

/// A node's value in one of the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    node: NodeId,
    chunk: usize,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Whereabouts {
    /// The register that holds it, of vectors or of masks.
    register: Option<u8>,
    /// The row that it was put aside in.
    slot: Option<u16>,
    /// How many of its reads are over.
    read: usize,
    /// A row's value whose row may have been overwritten.
    moved: bool,
}

struct Emitter<'a> {
    nodes: &'a [Node],
    constants: &'a mut Constants,
    code: Code,
    chunks: usize,
    /// For each node, the steps that read it.
    reads: Vec<Vec<usize>>,
    values: Vec<Whereabouts>,
    vectors: [Option<Value>; 32],
    /// k0 is not used.
    masks: [Option<Value>; 8],
    first_spill: u16,
    free_slots: Vec<u16>,
    /// Slots that become free once the step in hand is written: its instruction may read them.
    released: Vec<u16>,
    slots: u16,
}

impl<'a> Emitter<'a> {
    fn new(
        nodes: &'a [Node],
        steps: &[Step],
        constants: &'a mut Constants,
        chunks: usize,
        first_spill: u16,
    ) -> Self {
        let mut reads = vec![Vec::new(); nodes.len()];
        for (at, step) in steps.iter().enumerate() {
            match *step {
                Step::Compute(node) => {
                    for operand in nodes[node as usize].operands() {
                        reads[operand as usize].push(at);
                    }
                }
                Step::Store(_, node) => reads[node as usize].push(at),
            }
        }
        // A node that reads another one twice reads it once.
        reads.iter_mut().for_each(Vec::dedup);
        Self {
            nodes,
            constants,
            code: Code::default(),
            chunks,
            reads,
            values: vec![Whereabouts::default(); nodes.len() * chunks],
            vectors: [None; 32],
            masks: [None; 8],
            first_spill,
            free_slots: Vec::new(),
            released: Vec::new(),
            slots: 0,
        }
    }

    fn function(&mut self, steps: &[Step]) {
        let start = self.code.begin_loop((LANES / CHUNK / self.chunks) as u32);
        for &step in steps {
            for chunk in 0..self.chunks {
                match step {
                    Step::Compute(node) => self.compute(Value { node, chunk }),
                    Step::Store(target, node) => self.finish(Value { node, chunk }, target),
                }
                self.free_slots.append(&mut self.released);
            }
        }
        self.code.end_loop(start, (self.chunks * CHUNK_BYTES) as u32);
    }

    /// Writes a value where it belongs.
    fn finish(&mut self, value: Value, target: Target) {
        match target {
            Target::Row(row) => {
                let from = self.vector(value, &[]);
                self.store(from, row_place(row, value.chunk));
            }
            Target::Output(row) => {
                let from = self.vector(value, &[]);
                self.store(from, Place { base: Base::Outputs, ..row_place(row, value.chunk) });
            }
            Target::Bits(row) => {
                let from = self.mask(value);
                self.code.mask_store(from, row_place(row, value.chunk));
            }
        }
        self.done_with(&[value]);
    }

    fn state(&mut self, value: Value) -> &mut Whereabouts {
        &mut self.values[value.node as usize * self.chunks + value.chunk]
    }

    fn known(&self, value: Value) -> Whereabouts {
        self.values[value.node as usize * self.chunks + value.chunk]
    }

    fn node(&self, value: Value) -> Node {
        self.nodes[value.node as usize]
    }

    /// The step that reads it next.
    fn next_read(&self, value: Value) -> Option<usize> {
        self.reads[value.node as usize].get(self.known(value).read).copied()
    }

    /// Where it can be read without a register.
    fn place(&mut self, value: Value) -> Option<Place> {
        let known = self.known(value);
        if let Some(slot) = known.slot {
            return Some(row_place(slot, value.chunk));
        }
        match self.node(value) {
            Node::Row(row) if !known.moved => Some(row_place(row, value.chunk)),
            Node::Input(row) => Some(Place { base: Base::Inputs, ..row_place(row, value.chunk) }),
            Node::Uniform(row) => Some(self.constants.place(Constant::Uniform(row))),
            Node::Constant(bits) => Some(self.constants.place(Constant::Bits(bits))),
            _ => None,
        }
    }

    fn store(&mut self, from: Vector, to: Place) {
        self.code.vector(x86::STORE, (from.0, Writes::All), Vector(0), Source::Memory(to), None);
    }

    /// Counts a read of each, and forgets those that were the last.
    fn done_with(&mut self, values: &[Value]) {
        for (index, &value) in values.iter().enumerate() {
            if values[..index].contains(&value) {
                continue;
            }
            self.state(value).read += 1;
            if self.next_read(value).is_none() {
                self.forget(value);
            }
        }
    }

    fn forget(&mut self, value: Value) {
        let is_mask = self.node(value).is_mask();
        let state = self.state(value);
        let (register, slot) = (state.register.take(), state.slot.take());
        if let Some(register) = register {
            let file: &mut [Option<Value>] = if is_mask { &mut self.masks } else { &mut self.vectors };
            file[usize::from(register)] = None;
        }
        self.released.extend(slot);
    }

    /// A vector register for `value`, none of `pinned`.
    fn take_vector(&mut self, value: Value, pinned: &[Vector]) -> Vector {
        let free = self.vectors.iter().position(Option::is_none);
        let register = free.unwrap_or_else(|| {
            let candidates = (0..self.vectors.len()).filter(|&register| {
                !pinned.contains(&Vector(register as u8)) && self.vectors[register].is_some()
            });
            let latest = candidates.max_by_key(|&register| self.vectors[register].map(|v| self.next_read(v)));
            let register = latest.unwrap_or(0);
            self.evict_vector(register);
            register
        });
        self.vectors[register] = Some(value);
        self.state(value).register = Some(register as u8);
        Vector(register as u8)
    }

    fn evict_vector(&mut self, register: usize) {
        let Some(value) = self.vectors[register].take() else { return };
        self.state(value).register = None;
        if self.place(value).is_none() {
            let slot = self.take_slot();
            self.store(Vector(register as u8), row_place(slot, value.chunk));
            self.state(value).slot = Some(slot);
        }
    }

    fn take_slot(&mut self) -> u16 {
        self.free_slots.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.first_spill + self.slots - 1
        })
    }

    /// The value in a vector register.
    fn vector(&mut self, value: Value, pinned: &[Vector]) -> Vector {
        if let Some(register) = self.known(value).register {
            return Vector(register);
        }
        let place = self.place(value);
        let register = self.take_vector(value, pinned);
        if let Some(place) = place {
            self.load(register, Writes::All, place);
        }
        register
    }

    fn load(&mut self, to: Vector, writes: Writes, from: Place) {
        let operation = match from.extent {
            Extent::Full => x86::LOAD,
            Extent::One => x86::BROADCAST,
        };
        self.code.vector(operation, (to.0, writes), Vector(0), Source::Memory(from), None);
    }

    /// The value as a last operand: from memory, if it is there and will hardly be missed in a register.
    fn source(&mut self, value: Value, pinned: &[Vector]) -> Source {
        if let Some(register) = self.known(value).register {
            return Source::Register(Vector(register));
        }
        let free = self.vectors.iter().filter(|held| held.is_none()).count();
        let read = self.known(value).read;
        let read_again = self.reads[value.node as usize].len() > read + 1;
        match self.place(value) {
            Some(place) if !read_again || free < PLENTY => Source::Memory(place),
            _ => Source::Register(self.vector(value, pinned)),
        }
    }

    fn take_mask(&mut self, value: Value) -> Mask {
        let free = (1..self.masks.len()).find(|&register| self.masks[register].is_none());
        let register = free.unwrap_or_else(|| {
            let latest =
                (1..self.masks.len()).max_by_key(|&register| self.masks[register].map(|v| self.next_read(v)));
            let register = latest.unwrap_or(1);
            self.evict_mask(register);
            register
        });
        self.masks[register] = Some(value);
        self.state(value).register = Some(register as u8);
        Mask(register as u8)
    }

    fn evict_mask(&mut self, register: usize) {
        let Some(value) = self.masks[register].take() else { return };
        self.state(value).register = None;
        if self.known(value).slot.is_none() {
            let slot = self.take_slot();
            self.code.mask_store(Mask(register as u8), row_place(slot, value.chunk));
            self.state(value).slot = Some(slot);
        }
    }

    fn mask(&mut self, value: Value) -> Mask {
        if let Some(register) = self.known(value).register {
            return Mask(register);
        }
        let place = self.place(value);
        let register = self.take_mask(value);
        if let Some(place) = place {
            self.code.mask_load(register, place);
        }
        register
    }

    fn compute(&mut self, value: Value) {
        let at = |node: NodeId| Value { node, chunk: value.chunk };
        match self.node(value) {
            Node::Row(_) => {
                self.vector(value, &[]);
                self.state(value).moved = true;
            }
            Node::Input(_) | Node::Uniform(_) | Node::Constant(_) => {}
            Node::Binary(binary, a, b) => {
                let (operation, immediate) = instruction(binary);
                let swap = is_commutative(binary) && self.known(at(a)).register.is_none();
                let (a, b) = if swap { (at(b), at(a)) } else { (at(a), at(b)) };
                let first = self.vector(a, &[]);
                let last = self.source(b, &[first]);
                self.done_with(&[a, b]);
                self.write(value, operation, Writes::All, first, last, immediate);
            }
            Node::Root(a) => self.unary(value, x86::SQRT, at(a), None),
            Node::Integer(a) => self.unary(value, x86::INTEGER_TO_FLOAT, at(a), None),
            Node::Quad(lanes, a) => self.unary(value, x86::PERMUTE, at(a), Some(lanes)),
            Node::Shift(shift, count, a) => {
                let last = self.source(at(a), &[]);
                self.done_with(&[at(a)]);
                let to = self.take_vector(value, &[]);
                let way = match shift {
                    Shift::Down => 2,
                    Shift::DownSigned => 4,
                    Shift::Up => 6,
                };
                self.code.vector(x86::SHIFT, (way, Writes::All), to, last, Some(count));
            }
            Node::Select(mask, yes, no) => self.select(value, at(mask), at(yes), at(no)),
            Node::Compare(comparison, wanted, a, b) => self.compare(value, comparison, wanted, at(a), at(b)),
            Node::Both(a, b) | Node::Either(a, b) => {
                let masks = [at(a), at(b)].map(|mask| self.mask(mask));
                self.done_with(&[at(a), at(b)]);
                let to = self.take_mask(value);
                match self.node(value) {
                    Node::Both(..) => self.code.mask_and(to, masks[0], masks[1]),
                    _ => self.code.mask_or(to, masks[0], masks[1]),
                }
            }
            Node::Suspects(a) => {
                let last = self.source(at(a), &[]);
                self.done_with(&[at(a)]);
                let to = self.take_mask(value);
                // QNaN, denorm, SNaN.
                self.code.vector(x86::CLASS, (to.0, Writes::All), Vector(0), last, Some(0xA1));
            }
            Node::Others(a) => {
                let from = self.mask(at(a));
                self.done_with(&[at(a)]);
                let to = self.take_mask(value);
                self.code.mask_not(to, from);
            }
        }
    }

    /// An instruction whose result is `value`. Its operands have been read for this time: the destination may
    /// be the register of one of them.
    fn write(
        &mut self,
        value: Value,
        operation: Operation,
        writes: Writes,
        first: Vector,
        last: Source,
        immediate: Option<u8>,
    ) {
        let to = self.take_vector(value, &[]);
        self.code.vector(operation, (to.0, writes), first, last, immediate);
    }

    fn unary(&mut self, value: Value, operation: Operation, a: Value, immediate: Option<u8>) {
        let last = self.source(a, &[]);
        self.done_with(&[a]);
        self.write(value, operation, Writes::All, Vector(0), last, immediate);
    }

    fn select(&mut self, value: Value, mask: Value, yes: Value, no: Value) {
        let lanes = self.mask(mask);
        if self.node(no) == Node::Constant(0) {
            let last = self.source(yes, &[]);
            self.done_with(&[mask, yes, no]);
            let to = self.take_vector(value, &[]);
            match last {
                Source::Memory(place) => self.load(to, Writes::OrZero(lanes), place),
                Source::Register(_) => {
                    self.code.vector(x86::LOAD, (to.0, Writes::OrZero(lanes)), Vector(0), last, None);
                }
            }
            return;
        }
        let first = self.vector(no, &[]);
        let last = self.source(yes, &[first]);
        self.done_with(&[mask, yes, no]);
        self.write(value, x86::BLEND, Writes::Blend(lanes), first, last, None);
    }

    fn compare(&mut self, value: Value, comparison: Comparison, wanted: Wanted, a: Value, b: Value) {
        let swapped = self.known(a).register.is_none() && self.known(b).register.is_some();
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let first = self.vector(a, &[]);
        let last = self.source(b, &[first]);
        self.done_with(&[a, b]);
        let to = self.take_mask(value);
        let (operation, predicate) = test(comparison, wanted, swapped);
        self.code.vector(operation, (to.0, Writes::All), first, last, predicate);
    }
}

/// Free registers above which a value that is read again gets one.
const PLENTY: usize = 6;

/// A row's part for a chunk, as far from the beginning of the chunks in hand.
fn row_place(row: u16, chunk: usize) -> Place {
    let offset = usize::from(row) * size_of::<Row>() + chunk * CHUNK_BYTES;
    Place { base: Base::Rows, offset: offset as i32, extent: Extent::Full }
}

const fn instruction(binary: Binary) -> (Operation, Option<u8>) {
    match binary {
        Binary::Add => (x86::ADD, None),
        Binary::Sub => (x86::SUB, None),
        Binary::Mul => (x86::MUL, None),
        Binary::Div => (x86::DIV, None),
        Binary::Min => (x86::MIN, None),
        Binary::Max => (x86::MAX, None),
        Binary::Smaller => (x86::RANGE, Some(0b0100)),
        Binary::Larger => (x86::RANGE, Some(0b0101)),
        Binary::And => (x86::AND, None),
        Binary::Or => (x86::OR, None),
        Binary::Xor => (x86::XOR, None),
        Binary::Plus => (x86::PLUS, None),
        Binary::Minus => (x86::MINUS, None),
    }
}

const fn is_commutative(binary: Binary) -> bool {
    match binary {
        Binary::Add
        | Binary::Mul
        | Binary::Smaller
        | Binary::Larger
        | Binary::And
        | Binary::Or
        | Binary::Xor
        | Binary::Plus => true,
        Binary::Sub | Binary::Div | Binary::Min | Binary::Max | Binary::Minus => false,
    }
}

/// The instruction and predicate of a test, with its operands the other way round if `swapped`.
fn test(comparison: Comparison, wanted: Wanted, swapped: bool) -> (Operation, Option<u8>) {
    let holds = matches!(wanted, Wanted::Holds);
    // Ordered and quiet predicates where a test is to hold, unordered ones where it is to fail.
    let pick = |yes: u8, no: u8| if holds { Some(yes) } else { Some(no) };
    match (comparison, swapped) {
        (Comparison::Below, false) => (x86::COMPARE, pick(0x11, 0x15)),
        (Comparison::Below, true) => (x86::COMPARE, pick(0x1E, 0x1A)),
        (Comparison::AtMost, false) => (x86::COMPARE, pick(0x12, 0x16)),
        (Comparison::AtMost, true) => (x86::COMPARE, pick(0x1D, 0x19)),
        (Comparison::Equals, _) => (x86::COMPARE, pick(0x00, 0x04)),
        (Comparison::Unordered, _) => (x86::COMPARE, pick(0x03, 0x07)),
        (Comparison::Under, false) => (x86::COMPARE_UNSIGNED, pick(1, 5)),
        (Comparison::Under, true) => (x86::COMPARE_UNSIGNED, pick(6, 2)),
        (Comparison::Same, _) => (x86::COMPARE_UNSIGNED, pick(0, 4)),
        (Comparison::Disjoint, _) if holds => (x86::TEST_ZERO, None),
        (Comparison::Disjoint, _) => (x86::TEST_SET, None),
    }
}
