//! Register allocation: assigns a processor register to each value at each step, and chooses the values to
//! spill.
//!
//! A value keeps its register until its last use. If no register is free, the allocator spills the value with
//! the farthest next use. A value that is still in a lane register or constant is loaded again from there.
//! Other values are stored to the function's own spill registers.

use crate::exec::lir::{Node, NodeId, Step};

/// A node's value in one of the chunks that are processed side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub node: NodeId,
    pub chunk: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    Vectors,
    Masks,
}

/// The place in memory that a value can be loaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rematerialization {
    /// A lane register: the value's own or a spill register.
    Register(u16),
    /// A lane register of the inputs.
    Input(u16),
    /// The uniform of this lane register.
    Uniform(u16),
    /// A constant.
    Constant(u32),
}

/// A spill: a value to store before its register is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spill {
    pub file: File,
    pub register: u8,
    pub lane_register: u16,
    pub chunk: usize,
}

/// The state of a value.
#[derive(Clone, Copy, Debug, Default)]
struct ValueLocation {
    register: Option<u8>,
    /// The spill register with the value.
    slot: Option<u16>,
    /// Number of reads that are done.
    read: usize,
    /// The value's lane register may have been overwritten.
    moved: bool,
}

/// Allocates registers step by step along a schedule.
#[derive(Debug)]
pub struct Allocator<'a> {
    nodes: &'a [Node],
    chunks: usize,
    /// For each node, the steps that read it.
    reads: Vec<Vec<usize>>,
    values: Vec<ValueLocation>,
    /// The value in each register of a [`File`].
    files: [Vec<Option<Value>>; 2],
    first_slot: u16,
    free_slots: Vec<u16>,
    /// Spill registers that become free after the current step: its instruction may still read them.
    released: Vec<u16>,
    slots: u16,
}

impl<'a> Allocator<'a> {
    /// Creates an allocator for `steps` over `nodes`. `registers` has the number of vector and mask
    /// registers. The first mask register is not used; without mask registers, masks are vectors. Spill
    /// registers start at `first_slot`.
    pub fn new(
        nodes: &'a [Node],
        steps: &[Step],
        chunks: usize,
        registers: [usize; 2],
        first_slot: u16,
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
        // A node that reads an operand twice counts as one read.
        reads.iter_mut().for_each(Vec::dedup);
        Self {
            nodes,
            chunks,
            reads,
            values: vec![ValueLocation::default(); nodes.len() * chunks],
            files: registers.map(|count| vec![None; count]),
            first_slot,
            free_slots: Vec::new(),
            released: Vec::new(),
            slots: 0,
        }
    }

    /// Number of spill registers used.
    pub const fn slots(&self) -> u16 {
        self.slots
    }

    pub fn register(&self, value: Value) -> Option<u8> {
        self.known(value).register
    }

    /// The place in memory that a value can be loaded from.
    pub fn home(&self, value: Value) -> Option<Rematerialization> {
        let known = self.known(value);
        if let Some(slot) = known.slot {
            return Some(Rematerialization::Register(slot));
        }
        match self.nodes[value.node as usize] {
            Node::Register(lane_register) if !known.moved => Some(Rematerialization::Register(lane_register)),
            Node::Input(lane_register) => Some(Rematerialization::Input(lane_register)),
            Node::Uniform(lane_register) => Some(Rematerialization::Uniform(lane_register)),
            Node::Constant(bits) => Some(Rematerialization::Constant(bits)),
            _ => None,
        }
    }

    /// The kind of registers for a value.
    pub fn file(&self, value: Value) -> File {
        if !self.files[File::Masks as usize].is_empty() && self.nodes[value.node as usize].is_mask() {
            File::Masks
        } else {
            File::Vectors
        }
    }

    /// Whether a value has another read after the current one.
    pub fn is_read_again(&self, value: Value) -> bool {
        self.reads[value.node as usize].len() > self.known(value).read + 1
    }

    /// Number of free vector registers.
    pub fn free_vectors(&self) -> usize {
        self.files[File::Vectors as usize].iter().filter(|held| held.is_none()).count()
    }

    /// A register for `value`, other than `pinned`, and the spill to do first.
    pub fn take(&mut self, value: Value, pinned: &[u8]) -> (u8, Option<Spill>) {
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
        let aside = self.evict(file, register);
        self.files[file as usize][register] = Some(value);
        self.state(value).register = Some(register as u8);
        (register as u8, aside)
    }

    /// Counts a read of each value, and frees the values whose last read this was.
    pub fn done_with(&mut self, values: &[Value]) {
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

    /// Marks the lane register of this value as possibly overwritten from now on.
    pub fn leave_lane_register(&mut self, value: Value) {
        self.state(value).moved = true;
    }

    pub fn end_step(&mut self) {
        self.free_slots.append(&mut self.released);
    }

    fn state(&mut self, value: Value) -> &mut ValueLocation {
        &mut self.values[value.node as usize * self.chunks + value.chunk]
    }

    fn known(&self, value: Value) -> ValueLocation {
        self.values[value.node as usize * self.chunks + value.chunk]
    }

    /// The next step that reads the value.
    fn next_read(&self, value: Value) -> Option<usize> {
        self.reads[value.node as usize].get(self.known(value).read).copied()
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

    fn evict(&mut self, file: File, register: usize) -> Option<Spill> {
        let value = self.files[file as usize][register].take()?;
        self.state(value).register = None;
        if self.home(value).is_some() {
            return None;
        }
        let lane_register = self.free_slots.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.first_slot + self.slots - 1
        });
        self.state(value).slot = Some(lane_register);
        Some(Spill { file, register: register as u8, lane_register, chunk: value.chunk })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::lir::{Binary, Comparison, Target, Wanted};

    /// Lane registers 0 to 3, their sums with lane register 0, and the sum of these sums.
    const NODES: [Node; 8] = [
        Node::Register(0),
        Node::Register(1),
        Node::Register(2),
        Node::Register(3),
        Node::Binary(Binary::Add, 0, 1),
        Node::Binary(Binary::Add, 0, 2),
        Node::Binary(Binary::Add, 4, 5),
        Node::Compare(Comparison::Lt, Wanted::Holds, 6, 3),
    ];

    fn steps() -> Vec<Step> {
        let mut steps: Vec<Step> = (0..NODES.len() as NodeId).map(Step::Compute).collect();
        steps.push(Step::Store(Target::Register(9), 6));
        steps.push(Step::Store(Target::Bits(10), 7));
        steps
    }

    fn at(node: NodeId) -> Value {
        Value { node, chunk: 0 }
    }

    #[test]
    fn a_value_keeps_its_register_until_it_is_read_for_the_last_time() {
        let mut allocator = Allocator::new(&NODES, &steps(), 1, [4, 0], 20);
        let first = allocator.take(at(0), &[]);
        let second = allocator.take(at(1), &[]);
        assert_eq!((first, second), ((0, None), (1, None)));
        // Lane register 0 is read again, lane register 1 is not.
        allocator.done_with(&[at(0), at(1)]);
        assert_eq!((allocator.register(at(0)), allocator.register(at(1))), (Some(0), None));
        assert_eq!(allocator.take(at(4), &[]), (1, None));
        // Two reads of one value by the same instruction count once.
        allocator.done_with(&[at(4), at(4)]);
        assert_eq!(allocator.register(at(4)), None);
    }

    #[test]
    fn what_is_read_last_of_all_gives_way_and_what_is_pinned_does_not() {
        let mut allocator = Allocator::new(&NODES, &steps(), 1, [2, 0], 20);
        allocator.take(at(3), &[]);
        allocator.take(at(4), &[]);
        // Step 7 reads lane register 3, step 6 the sum. The value of lane register 3 can be loaded again from
        // its own place.
        assert_eq!(allocator.take(at(0), &[]), (0, None));
        assert_eq!(
            (allocator.register(at(3)), allocator.home(at(3))),
            (None, Some(Rematerialization::Register(3)))
        );
        let aside = Spill { file: File::Vectors, register: 1, lane_register: 20, chunk: 0 };
        assert_eq!(allocator.take(at(5), &[0]), (1, Some(aside)));
        assert_eq!((allocator.home(at(4)), allocator.slots()), (Some(Rematerialization::Register(20)), 1));
    }

    #[test]
    fn a_slot_is_used_again_but_not_within_the_step_that_reads_it() {
        let mut allocator = Allocator::new(&NODES, &steps(), 1, [1, 0], 20);
        allocator.take(at(4), &[]);
        let (_, aside) = allocator.take(at(5), &[]);
        assert_eq!(aside.map(|aside| aside.lane_register), Some(20));
        allocator.done_with(&[at(4), at(5)]);
        let again = |allocator: &mut Allocator<'_>| {
            allocator.take(at(6), &[]);
            let (_, aside) = allocator.take(at(0), &[]);
            aside.map(|aside| aside.lane_register)
        };
        // The current instruction may still read the slot of node 4.
        assert_eq!(again(&mut allocator), Some(21));
        allocator.end_step();
        assert_eq!(allocator.slots(), 2);
    }

    #[test]
    fn a_register_that_is_overwritten_is_no_home() {
        let mut allocator = Allocator::new(&NODES, &steps(), 1, [1, 0], 20);
        allocator.take(at(3), &[]);
        allocator.leave_lane_register(at(3));
        let (_, aside) = allocator.take(at(0), &[]);
        assert_eq!(aside.map(|aside| aside.lane_register), Some(20));
    }

    #[test]
    fn masks_have_registers_of_their_own_where_there_are_such() {
        let mut allocator = Allocator::new(&NODES, &steps(), 1, [1, 2], 20);
        assert_eq!(allocator.take(at(6), &[]), (0, None));
        assert_eq!((allocator.file(at(7)), allocator.take(at(7), &[])), (File::Masks, (1, None)));
        let without = Allocator::new(&NODES, &steps(), 1, [1, 0], 20);
        assert_eq!(without.file(at(7)), File::Vectors);
    }

    #[test]
    fn chunks_have_values_of_their_own() {
        let mut allocator = Allocator::new(&NODES, &steps(), 2, [4, 0], 20);
        allocator.take(at(1), &[]);
        allocator.take(Value { node: 1, chunk: 1 }, &[]);
        allocator.done_with(&[at(1)]);
        assert_eq!(allocator.register(at(1)), None);
        assert_eq!(allocator.register(Value { node: 1, chunk: 1 }), Some(1));
        assert_eq!(allocator.free_vectors(), 3);
    }
}
