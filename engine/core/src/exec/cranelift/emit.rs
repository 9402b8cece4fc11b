//! Writes a function in Cranelift's IR for each function of the low-level IR.
//!
//! The function is a loop over chunks of one vector. It may process two chunks side by side, which hides the
//! latency of instructions. [`nodes`] has the instructions of each kind of node.

mod nodes;

use std::ops::Range;

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::immediates::Offset32;
use cranelift_codegen::ir::types::{F32X4, F64X2, I8X16, I32, I32X4, I64};
use cranelift_codegen::ir::{
    self, AbiParam, BlockArg, Endianness, InstBuilder, MemFlagsData, Signature, Type, UserFuncName, Value,
    condcodes::IntCC,
};
use cranelift_codegen::isa::CallConv;

use crate::exec::back_end::{Constant, Constants};
use crate::exec::block::LaneRegister;
use crate::exec::lir::{Node, NodeId, Scheduled, Step, Target};

/// Lanes of a vector.
pub const LANES: usize = 4;
/// Bytes of a vector.
const BYTES: usize = 4 * LANES;

/// Numbers of nodes of functions that process two chunks side by side. Processors overlap the chunks of
/// smaller ones by themselves. Code for two chunks of larger ones would not fit into the first cache of most
/// processors.
const PAIRED_NODES: Range<usize> = 150..1500;

/// Constants that stay in processor registers for all chunks. The others are loaded by each chunk.
const HOISTED_CONSTANTS: usize = 8;

/// Memory accesses: lane registers and constants are aligned and exist.
const MEMORY: MemFlagsData = MemFlagsData::trusted();

/// The bits of a vector in another type. Lane 0 has the low words of 64-bit lanes on any processor.
const BITS: MemFlagsData = MemFlagsData::new().with_endianness(Endianness::Little);

/// The function that executes `scheduled`. Its arguments are pointers to the first lane register, to the
/// constants, to the first lane register of the inputs, and to the first one of the outputs.
pub fn function(call_conv: CallConv, constants: &mut Constants, scheduled: &Scheduled) -> ir::Function {
    let mut signature = Signature::new(call_conv);
    signature.params = vec![AbiParam::new(I64); 4];
    let mut function = ir::Function::with_name_signature(UserFuncName::default(), signature);
    let mut emitter = Emitter::new(&mut function, constants, &scheduled.nodes);
    emitter.steps(&scheduled.steps);
    function
}

struct Emitter<'a> {
    cursor: FuncCursor<'a>,
    nodes: &'a [Node],
    /// The value of each computed or loaded node in each of the current chunks: as integers, as numbers, and
    /// as 64-bit numbers.
    values: Vec<[[Option<Value>; 3]; 2]>,
    /// Number of chunks that are processed side by side.
    chunks: usize,
    /// The one of them that instructions are written for.
    chunk: usize,
    constants: &'a mut Constants,
    /// Constants that the entry block loads, by their index.
    hoisted: Vec<(usize, Value)>,
    /// The jump at the end of the entry block.
    entry_end: ir::Inst,
    /// The block that processes chunks. Its parameter is the offset of the first one in bytes.
    body: ir::Block,
    offset: Value,
    /// The address of the first constant.
    constants_address: Value,
    /// Addresses of the first current chunk of the first lane register of each kind.
    registers: Value,
    inputs: Value,
    outputs: Value,
}

/// The index of a type in [`Emitter::values`].
const fn form(ty: Type) -> usize {
    match ty {
        F32X4 => 1,
        F64X2 => 2,
        _ => 0,
    }
}

impl<'a> Emitter<'a> {
    fn new(function: &'a mut ir::Function, constants: &'a mut Constants, nodes: &'a [Node]) -> Self {
        let mut cursor = FuncCursor::new(function);
        let [entry, body] = [(); 2].map(|()| cursor.func.dfg.make_block());
        let [registers, constants_address, inputs, outputs] =
            [(); 4].map(|()| cursor.func.dfg.append_block_param(entry, I64));
        let offset = cursor.func.dfg.append_block_param(body, I64);
        cursor.insert_block(entry);
        let start = cursor.ins().iconst(I64, 0);
        let entry_end = cursor.ins().jump(body, &[BlockArg::Value(start)]);
        cursor.insert_block(body);
        let [registers, inputs, outputs] =
            [registers, inputs, outputs].map(|base| cursor.ins().iadd(base, offset));
        Self {
            cursor,
            nodes,
            values: vec![[[None; 3]; 2]; nodes.len()],
            chunks: if PAIRED_NODES.contains(&nodes.len()) { 2 } else { 1 },
            chunk: 0,
            constants,
            hoisted: Vec::new(),
            entry_end,
            body,
            offset,
            constants_address,
            registers,
            inputs,
            outputs,
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for &step in steps {
            for chunk in 0..self.chunks {
                self.chunk = chunk;
                match step {
                    Step::Compute(id) => {
                        let value = self.compute(self.nodes[id as usize]);
                        self.define(id, value);
                    }
                    Step::Store(target, id) => self.store(target, id),
                }
            }
        }
        self.next_chunks();
    }

    /// Jumps back while `mask` has a lane in any current chunk.
    fn again(&mut self, mask: NodeId) {
        let masks = [0, self.chunks - 1].map(|chunk| {
            self.chunk = chunk;
            self.value(mask, I32X4)
        });
        let either = self.cursor.ins().bor(masks[0], masks[1]);
        let any = self.cursor.ins().vany_true(either);
        let done = self.cursor.func.dfg.make_block();
        self.cursor.ins().brif(any, self.body, &[BlockArg::Value(self.offset)], done, &[]);
        self.cursor.insert_block(done);
    }

    /// The offset of the current chunk of a lane register from the address of the first current chunk of the
    /// first one.
    fn place(&self, register: u16) -> Offset32 {
        let chunk = self.chunk * BYTES;
        Offset32::new(i32::from(register) * size_of::<LaneRegister>() as i32 + chunk as i32)
    }

    /// Ends the block: continues with the next chunks, or returns.
    fn next_chunks(&mut self) {
        let end = self.cursor.func.dfg.make_block();
        let next = self.cursor.ins().iadd_imm_s(self.offset, (self.chunks * BYTES) as i64);
        let end_offset = size_of::<LaneRegister>() as i64;
        let is_inside = self.cursor.ins().icmp_imm_u(IntCC::UnsignedLessThan, next, end_offset);
        self.cursor.ins().brif(is_inside, self.body, &[BlockArg::Value(next)], end, &[]);
        self.cursor.insert_block(end);
        self.cursor.ins().return_(&[]);
    }

    fn store(&mut self, target: Target, id: NodeId) {
        let (base, register) = match target {
            Target::Register(register) | Target::Bits(register) => (self.registers, register),
            Target::Output(register) => (self.outputs, register),
            Target::Again if self.chunk + 1 == self.chunks => return self.again(id),
            Target::Again => return,
        };
        let value = match target {
            Target::Bits(_) => {
                let mask = self.value(id, I32X4);
                self.cursor.ins().vhigh_bits(I32, mask)
            }
            _ => self.any_form(id),
        };
        let place = self.place(register);
        self.cursor.ins().store(MEMORY, value, base, place);
    }

    fn define(&mut self, id: NodeId, value: Value) {
        let ty = self.cursor.func.dfg.value_type(value);
        self.values[id as usize][self.chunk][form(ty)] = Some(value);
    }

    /// The value of a node in whatever type it has.
    fn any_form(&mut self, id: NodeId) -> Value {
        let known = self.values[id as usize][self.chunk].iter().flatten().next().copied();
        known.unwrap_or_else(|| self.value(id, I32X4))
    }

    /// The value of a node as a vector of type `ty`.
    fn value(&mut self, id: NodeId, ty: Type) -> Value {
        let known = self.values[id as usize][self.chunk];
        if let Some(value) = known[form(ty)] {
            return value;
        }
        let value = match known.into_iter().flatten().next() {
            Some(value) => self.cursor.ins().bitcast(ty, BITS, value),
            None => match self.nodes[id as usize] {
                Node::Uniform(register) => return self.constant(Constant::Uniform(register), ty),
                Node::Constant(bits) => return self.constant(Constant::Bits(bits), ty),
                node => self.loaded(node, ty),
            },
        };
        self.values[id as usize][self.chunk][form(ty)] = Some(value);
        value
    }

    /// Loads the current chunk of a lane register.
    fn loaded(&mut self, node: Node, ty: Type) -> Value {
        let (base, register) = match node {
            Node::Register(register) => (self.registers, register),
            Node::Input(register) => (self.inputs, register),
            // `schedule` computes nodes before their users.
            _ => return self.compute(node),
        };
        let place = self.place(register);
        self.cursor.ins().load(ty, MEMORY, base, place)
    }

    /// A constant in all lanes.
    fn constant(&mut self, constant: Constant, ty: Type) -> Value {
        let index = self.constants.index_of(constant);
        let offset = Offset32::new((BYTES * index) as i32);
        let hoisted = self.hoisted.iter().find(|&&(other, _)| other == index);
        let value = match hoisted {
            Some(&(_, value)) => value,
            None if self.hoisted.len() < HOISTED_CONSTANTS => {
                let position = self.cursor.position();
                self.cursor.goto_inst(self.entry_end);
                let value = self.cursor.ins().load(I32X4, MEMORY, self.constants_address, offset);
                self.cursor.set_position(position);
                self.hoisted.push((index, value));
                value
            }
            None => return self.cursor.ins().load(ty, MEMORY, self.constants_address, offset),
        };
        self.cast(value, ty)
    }

    /// The same bits as another type.
    fn cast(&mut self, value: Value, ty: Type) -> Value {
        if self.cursor.func.dfg.value_type(value) == ty {
            return value;
        }
        self.cursor.ins().bitcast(ty, BITS, value)
    }

    /// Words of two vectors: words 0 to 3 are those of the first, words 4 to 7 those of the second.
    fn shuffled(&mut self, a: Value, b: Value, words: [u8; LANES]) -> Value {
        let bytes: Vec<u8> = words.iter().flat_map(|word| (4 * word)..(4 * word + 4)).collect();
        let mask = self.cursor.func.dfg.immediates.push(bytes.into());
        let [a, b] = [a, b].map(|value| self.cast(value, I8X16));
        let shuffled = self.cursor.ins().shuffle(a, b, mask);
        self.cast(shuffled, I32X4)
    }
}
