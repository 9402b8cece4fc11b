//! Machine code for a schedule: which register holds what, and the instructions.
//!
//! Rows are taken a vector register at a time, two such chunks side by side where that fits, so that the processor
//! finds work while it waits for results. A value stays in its register until it is read for the last time, or
//! until another one needs the register more: the one that is read last of all gives way. What rows and constants
//! hold is read again from there, other values go to rows of their own. [`evex`] and [`vex`] are the instructions
//! of each encoding.

mod evex;
mod vex;

use super::graph::{Binary, Comparison, Node, NodeId, Shift, Wanted};
use super::schedule::{Step, Target};
use super::x86::evex::{Mask, Writes};
use super::x86::{self, Base, Code, Extent, Operation, Place, Source, Vector};
use crate::exec::block::{LANES, Row};

/// The instructions that code is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// AVX-512 F, BW, DQ and VL: 16 lanes, 32 registers, and mask registers.
    Evex512,
    /// AVX2: eight lanes and 16 registers, masks among them.
    Vex256,
}

impl Encoding {
    /// Lanes of a vector register.
    pub const fn lanes(self) -> usize {
        match self {
            Self::Evex512 => 16,
            Self::Vex256 => 8,
        }
    }

    /// Bytes of one.
    const fn bytes(self) -> usize {
        4 * self.lanes()
    }

    const fn registers(self) -> usize {
        match self {
            Self::Evex512 => 32,
            Self::Vex256 => 16,
        }
    }

    /// Mask registers, k0 among them.
    const fn mask_registers(self) -> usize {
        match self {
            Self::Evex512 => 8,
            Self::Vex256 => 0,
        }
    }

    /// How often each constant stands in memory: EVEX instructions spread one over all lanes, VEX ones do not.
    pub const fn constant_copies(self) -> usize {
        match self {
            Self::Evex512 => 1,
            Self::Vex256 => 8,
        }
    }

    /// The code counts constants from so many bytes behind the first, so that twice as many have a short address.
    pub const fn constants_bias(self) -> usize {
        match self {
            Self::Evex512 => 128 * 4,
            Self::Vex256 => 128,
        }
    }

    /// Free registers above which a value that is read again gets one.
    const fn plenty(self) -> usize {
        match self {
            Self::Evex512 => 6,
            Self::Vex256 => 4,
        }
    }
}

/// A number that is the same for all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// These bits.
    Bits(u32),
    /// What every lane of a row holds that nothing writes.
    Uniform(u16),
}

/// Constants that the code reads, each once.
#[derive(Debug)]
pub struct Constants {
    all: Vec<Constant>,
    encoding: Encoding,
}

impl Constants {
    /// None yet, for code of an encoding.
    pub const fn new(encoding: Encoding) -> Self {
        Self { all: Vec::new(), encoding }
    }

    fn place(&mut self, constant: Constant) -> Place {
        let index = self.all.iter().position(|&other| other == constant).unwrap_or_else(|| {
            self.all.push(constant);
            self.all.len() - 1
        });
        let (copies, bias) = (self.encoding.constant_copies(), self.encoding.constants_bias());
        let extent = if copies == 1 { Extent::One } else { Extent::Full };
        Place { base: Base::Constants, offset: (4 * copies * index) as i32 - bias as i32, extent }
    }

    /// All of them in their order, each as often as the code wants it.
    pub fn into_all(self) -> Vec<Constant> {
        let copies = self.encoding.constant_copies();
        self.all.into_iter().flat_map(|constant| std::iter::repeat_n(constant, copies)).collect()
    }
}

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
    /// The register that holds it, of the file that it belongs to.
    register: Option<u8>,
    /// The row that it was put aside in.
    slot: Option<u16>,
    /// How many of its reads are over.
    read: usize,
    /// A row's value whose row may have been overwritten.
    moved: bool,
}

/// Registers of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Vectors,
    Masks,
}

struct Emitter<'a> {
    nodes: &'a [Node],
    constants: &'a mut Constants,
    encoding: Encoding,
    code: Code,
    chunks: usize,
    /// For each node, the steps that read it.
    reads: Vec<Vec<usize>>,
    values: Vec<Whereabouts>,
    /// What each register of a [`File`] holds.
    files: [Vec<Option<Value>>; 2],
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
        let encoding = constants.encoding;
        Self {
            nodes,
            constants,
            encoding,
            code: Code::default(),
            chunks,
            reads,
            values: vec![Whereabouts::default(); nodes.len() * chunks],
            files: [encoding.registers(), encoding.mask_registers()].map(|count| vec![None; count]),
            first_spill,
            free_slots: Vec::new(),
            released: Vec::new(),
            slots: 0,
        }
    }

    fn function(&mut self, steps: &[Step]) {
        let lanes = self.chunks * self.encoding.lanes();
        let start = self.code.begin_loop((LANES / lanes) as u32);
        for &step in steps {
            for chunk in 0..self.chunks {
                match step {
                    Step::Compute(node) => self.compute(Value { node, chunk }),
                    Step::Store(target, node) => self.finish(Value { node, chunk }, target),
                }
                self.free_slots.append(&mut self.released);
            }
        }
        self.code.end_loop(start, 4 * lanes as u32);
    }

    /// Writes a value where it belongs.
    fn finish(&mut self, value: Value, target: Target) {
        let from = self.register(value, &[]);
        match target {
            Target::Row(row) => self.store(from, self.row_place(row, value.chunk)),
            Target::Output(row) => {
                self.store(from, Place { base: Base::Outputs, ..self.row_place(row, value.chunk) });
            }
            Target::Bits(row) => self.store_bits(from, self.row_place(row, value.chunk)),
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

    /// The registers that a value can be in.
    fn file(&self, value: Value) -> File {
        if self.encoding.mask_registers() > 0 && self.node(value).is_mask() {
            File::Masks
        } else {
            File::Vectors
        }
    }

    /// The step that reads it next.
    fn next_read(&self, value: Value) -> Option<usize> {
        self.reads[value.node as usize].get(self.known(value).read).copied()
    }

    /// A row's part for a chunk, as far from the beginning of the chunks in hand.
    fn row_place(&self, row: u16, chunk: usize) -> Place {
        let offset = usize::from(row) * size_of::<Row>() + chunk * self.encoding.bytes();
        Place { base: Base::Rows, offset: offset as i32, extent: Extent::Full }
    }

    /// Where it can be read without a register.
    fn place(&mut self, value: Value) -> Option<Place> {
        let known = self.known(value);
        if let Some(slot) = known.slot {
            return Some(self.row_place(slot, value.chunk));
        }
        match self.node(value) {
            Node::Row(row) if !known.moved => Some(self.row_place(row, value.chunk)),
            Node::Input(row) => Some(Place { base: Base::Inputs, ..self.row_place(row, value.chunk) }),
            Node::Uniform(row) => Some(self.constants.place(Constant::Uniform(row))),
            Node::Constant(bits) => Some(self.constants.place(Constant::Bits(bits))),
            _ => None,
        }
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
        let file = self.file(value);
        let state = self.state(value);
        let (register, slot) = (state.register.take(), state.slot.take());
        if let Some(register) = register {
            self.files[file as usize][usize::from(register)] = None;
        }
        self.released.extend(slot);
    }

    /// A register for `value`, none of `pinned`.
    fn take(&mut self, value: Value, pinned: &[u8]) -> u8 {
        let file = self.file(value);
        // k0 is not used.
        let first = usize::from(file == File::Masks);
        let all = first..self.files[file as usize].len();
        let held = |register: usize| self.files[file as usize][register];
        let free = all.clone().find(|&register| held(register).is_none());
        let register = free.unwrap_or_else(|| {
            let candidates = all.filter(|&register| !pinned.contains(&(register as u8)));
            let latest = candidates.max_by_key(|&register| held(register).map(|v| self.next_read(v)));
            latest.unwrap_or(first)
        });
        self.evict(file, register);
        self.files[file as usize][register] = Some(value);
        self.state(value).register = Some(register as u8);
        register as u8
    }

    fn evict(&mut self, file: File, register: usize) {
        let Some(value) = self.files[file as usize][register].take() else { return };
        self.state(value).register = None;
        if self.place(value).is_none() {
            let slot = self.take_slot();
            let place = self.row_place(slot, value.chunk);
            match file {
                File::Vectors => self.store(register as u8, place),
                File::Masks => self.store_bits(register as u8, place),
            }
            self.state(value).slot = Some(slot);
        }
    }

    fn take_slot(&mut self) -> u16 {
        self.free_slots.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.first_spill + self.slots - 1
        })
    }

    /// The register with the value.
    fn register(&mut self, value: Value, pinned: &[u8]) -> u8 {
        if let Some(register) = self.known(value).register {
            return register;
        }
        let place = self.place(value);
        let register = self.take(value, pinned);
        if let Some(place) = place {
            match self.file(value) {
                File::Vectors => self.load(register, place),
                File::Masks => self.code.mask_load(Mask(register), place),
            }
        }
        register
    }

    /// The value as a last operand: from memory, if it is there and will hardly be missed in a register.
    fn source(&mut self, value: Value, pinned: &[u8]) -> Source {
        if let Some(register) = self.known(value).register {
            return Source::Register(Vector(register));
        }
        let free = self.files[File::Vectors as usize].iter().filter(|held| held.is_none()).count();
        let read = self.known(value).read;
        let read_again = self.reads[value.node as usize].len() > read + 1;
        match self.place(value) {
            Some(place) if !read_again || free < self.encoding.plenty() => Source::Memory(place),
            _ => Source::Register(Vector(self.register(value, pinned))),
        }
    }

    fn compute(&mut self, value: Value) {
        let at = |node: NodeId| Value { node, chunk: value.chunk };
        match self.node(value) {
            Node::Row(_) => {
                self.register(value, &[]);
                self.state(value).moved = true;
            }
            Node::Input(_) | Node::Uniform(_) | Node::Constant(_) => {}
            Node::Binary(binary, a, b) => {
                let (operation, immediate) = instruction(binary);
                let swap = is_commutative(binary) && self.known(at(a)).register.is_none();
                let (a, b) = if swap { (at(b), at(a)) } else { (at(a), at(b)) };
                self.binary(value, operation, (a, b), immediate);
            }
            Node::Root(a) => self.unary(value, x86::SQRT, at(a), None),
            Node::Integer(a) => self.unary(value, x86::INTEGER_TO_FLOAT, at(a), None),
            Node::Quad(lanes, a) => self.unary(value, x86::PERMUTE, at(a), Some(lanes)),
            Node::Shift(shift, count, a) => {
                let last = self.shifted(at(a));
                self.done_with(&[at(a)]);
                let to = self.take(value, &[]);
                let way = match shift {
                    Shift::Down => 2,
                    Shift::DownSigned => 4,
                    Shift::Up => 6,
                };
                self.write(x86::SHIFT, way, Vector(to), last, Some(count));
            }
            Node::Select(mask, yes, no) => match self.encoding {
                Encoding::Evex512 => self.evex_select(value, at(mask), at(yes), at(no)),
                Encoding::Vex256 => self.vex_select(value, at(mask), at(yes), at(no)),
            },
            Node::Compare(comparison, wanted, a, b) => {
                // Which of two integers is above is asked in one direction only.
                let swapped = comparison != Comparison::AboveSigned
                    && self.known(at(a)).register.is_none()
                    && self.known(at(b)).register.is_some();
                let (operation, predicate) = self.test(comparison, wanted, swapped);
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                self.binary(value, operation, (at(a), at(b)), predicate);
            }
            Node::Both(..) | Node::Either(..) | Node::Others(_) | Node::Suspects(_) => self.evex_mask(value),
        }
    }

    /// The instruction and predicate of a test, with its operands the other way round if `swapped`.
    fn test(&self, comparison: Comparison, wanted: Wanted, swapped: bool) -> (Operation, Option<u8>) {
        let holds = wanted == Wanted::Holds;
        // Ordered and quiet predicates where a test is to hold, unordered ones where it is to fail.
        let (yes, no) = match (comparison, swapped) {
            (Comparison::Below, false) => (0x11, 0x15),
            (Comparison::Below, true) => (0x1E, 0x1A),
            (Comparison::AtMost, false) => (0x12, 0x16),
            (Comparison::AtMost, true) => (0x1D, 0x19),
            (Comparison::Equals, _) => (0x00, 0x04),
            (Comparison::Unordered, _) => (0x03, 0x07),
            (Comparison::Under | Comparison::AboveSigned | Comparison::Same | Comparison::Disjoint, _) => {
                return match self.encoding {
                    Encoding::Evex512 => evex::integer_test(comparison, holds, swapped),
                    Encoding::Vex256 => (vex::integer_test(comparison), None),
                };
            }
        };
        (x86::COMPARE, Some(if holds { yes } else { no }))
    }

    /// An instruction of two operands whose result is `value`, which may be in the register of one of them.
    fn binary(&mut self, value: Value, operation: Operation, (a, b): (Value, Value), immediate: Option<u8>) {
        let first = self.register(a, &[]);
        let last = self.source(b, &[first]);
        self.done_with(&[a, b]);
        let to = self.take(value, &[]);
        self.write(operation, to, Vector(first), last, immediate);
    }

    fn unary(&mut self, value: Value, operation: Operation, a: Value, immediate: Option<u8>) {
        let last = self.source(a, &[]);
        self.done_with(&[a]);
        let to = self.take(value, &[]);
        self.write(operation, to, Vector(0), last, immediate);
    }

    /// A value whose bits an instruction shifts: VEX ones shift registers only.
    fn shifted(&mut self, value: Value) -> Source {
        match self.encoding {
            Encoding::Evex512 => self.source(value, &[]),
            Encoding::Vex256 => Source::Register(Vector(self.register(value, &[]))),
        }
    }

    fn write(&mut self, operation: Operation, to: u8, first: Vector, last: Source, immediate: Option<u8>) {
        match self.encoding {
            Encoding::Evex512 => self.code.evex(operation, (to, Writes::All), first, last, immediate),
            Encoding::Vex256 => self.code.vex(operation, to, first, last, immediate),
        }
    }

    fn load(&mut self, to: u8, from: Place) {
        match self.encoding {
            Encoding::Evex512 => self.evex_load(to, Writes::All, from),
            Encoding::Vex256 => self.code.vex(x86::LOAD, to, Vector(0), Source::Memory(from), None),
        }
    }

    fn store(&mut self, from: u8, to: Place) {
        self.write(x86::STORE, from, Vector(0), Source::Memory(to), None);
    }

    /// Writes a bit for each lane of a mask.
    fn store_bits(&mut self, from: u8, to: Place) {
        match self.encoding {
            Encoding::Evex512 => self.code.mask_store(Mask(from), to),
            Encoding::Vex256 => self.code.vex_store_signs(Vector(from), to),
        }
    }
}

const fn instruction(binary: Binary) -> (Operation, Option<u8>) {
    match binary {
        Binary::Add => (x86::ADD, None),
        Binary::Sub => (x86::SUB, None),
        Binary::Mul => (x86::MUL, None),
        Binary::Div => (x86::DIV, None),
        Binary::Min => (x86::MIN, None),
        Binary::Max => (x86::MAX, None),
        Binary::Smaller => (x86::evex::RANGE, Some(0b0100)),
        Binary::Larger => (x86::evex::RANGE, Some(0b0101)),
        Binary::And => (x86::AND, None),
        Binary::Or => (x86::OR, None),
        Binary::Xor => (x86::XOR, None),
        Binary::Plus => (x86::PLUS, None),
        Binary::Minus => (x86::MINUS, None),
        Binary::AndNot => (x86::AND_NOT, None),
        Binary::MinUnsigned => (x86::MIN_UNSIGNED, None),
        Binary::MaxUnsigned => (x86::MAX_UNSIGNED, None),
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
        | Binary::Plus
        | Binary::MinUnsigned
        | Binary::MaxUnsigned => true,
        Binary::Sub | Binary::Div | Binary::Min | Binary::Max | Binary::Minus | Binary::AndNot => false,
    }
}
