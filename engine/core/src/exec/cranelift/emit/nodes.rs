//! Instructions of each kind of node.

use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, F64X2, I32, I32X4, I64X2};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::{Emitter, LANES};
use crate::exec::back_end::Constant;
use crate::exec::lir::{Binary, Comparison, Half, Node, NodeId, Op64, QuadLanes, Shift, Wanted};
use shadestep_language::num::{Rounding, fp32, fp64};

const SIGN: u32 = 0x8000_0000;
const EXPONENT: u32 = 0x7F80_0000;
/// 2^31, the first number that is too large for a signed integer.
const INTEGER_END: u32 = 0x4F00_0000;

impl Emitter<'_> {
    /// The value of a node whose operands are known.
    pub(super) fn compute(&mut self, node: Node) -> Value {
        match node {
            Node::Register(_) | Node::Input(_) => self.loaded(node, I32X4),
            Node::Uniform(register) => self.constant(Constant::Uniform(register), I32X4),
            Node::Constant(bits) => self.bits(bits),
            // Functions have none.
            Node::Result(_) => self.bits(0),
            Node::Binary(binary, a, b) => self.binary(binary, a, b),
            Node::Sqrt(a) => {
                let a = self.value(a, F32X4);
                self.cursor.ins().sqrt(a)
            }
            Node::Zip(half, low, high) => {
                let [low, high] = [low, high].map(|id| self.value(id, I32X4));
                let words = match half {
                    Half::Low => [0, 4, 1, 5],
                    Half::High => [2, 6, 3, 7],
                };
                self.shuffled(low, high, words)
            }
            Node::Unzip(half, first, second) => {
                let [first, second] = [first, second].map(|id| self.value(id, I32X4));
                let words = match half {
                    Half::Low => [0, 2, 4, 6],
                    Half::High => [1, 3, 5, 7],
                };
                self.shuffled(first, second, words)
            }
            Node::Op64(operation, a, b) => self.op64(operation, a, b),
            Node::WideSqrt(a) => {
                let a = self.value(a, F64X2);
                self.cursor.ins().sqrt(a)
            }
            Node::WideCanonical(a) => self.wide_canonical(a),
            Node::Flush(a) => self.flush(a),
            Node::Canonical(a) => {
                let (bits, number) = (self.value(a, I32X4), self.value(a, F32X4));
                let is_nan = self.cursor.ins().fcmp(FloatCC::Unordered, number, number);
                let nan = self.bits(fp32::NAN_BITS);
                self.cursor.ins().bitselect(is_nan, nan, bits)
            }
            Node::Round(rounding, a) => {
                let a = self.value(a, F32X4);
                let ins = self.cursor.ins();
                match rounding {
                    Rounding::Round => ins.nearest(a),
                    Rounding::Ceil => ins.ceil(a),
                    Rounding::Floor => ins.floor(a),
                    Rounding::Trunc => ins.trunc(a),
                }
            }
            Node::ToFloat(a) => {
                let a = self.value(a, I32X4);
                self.cursor.ins().fcvt_from_sint(F32X4, a)
            }
            Node::ToFloatUnsigned(a) => {
                let a = self.value(a, I32X4);
                self.cursor.ins().fcvt_from_uint(F32X4, a)
            }
            Node::ToInteger(a) => {
                // The conversion gives the nearest integer for numbers out of range, and 0 for NaNs.
                let a = self.value(a, F32X4);
                let end = self.constant(Constant::Bits(INTEGER_END), F32X4);
                let is_below = self.cursor.ins().fcmp(FloatCC::LessThan, a, end);
                let integer = self.cursor.ins().fcvt_to_sint_sat(I32X4, a);
                let other = self.bits(SIGN);
                self.cursor.ins().bitselect(is_below, integer, other)
            }
            Node::Shift(shift, count, a) => {
                let a = self.value(a, I32X4);
                let count = self.cursor.ins().iconst(I32, i64::from(count));
                self.shifted(shift, a, count)
            }
            Node::Quad(QuadLanes(lanes), a) => {
                let a = self.value(a, I32X4);
                self.shuffled(a, a, [0, 1, 2, 3].map(|lane| lanes >> (2 * lane) & 3))
            }
            Node::Select(mask, yes, no) => {
                let [mask, yes, no] = [mask, yes, no].map(|id| self.value(id, I32X4));
                self.cursor.ins().bitselect(mask, yes, no)
            }
            Node::Compare(comparison, wanted, a, b) => self.compare(comparison, wanted, a, b),
            Node::Both(a, b) => self.binary(Binary::And, a, b),
            Node::Either(a, b) => self.binary(Binary::Or, a, b),
            Node::Others(a) => {
                let a = self.value(a, I32X4);
                self.cursor.ins().bnot(a)
            }
        }
    }

    /// A constant as integers.
    fn bits(&mut self, bits: u32) -> Value {
        self.constant(Constant::Bits(bits), I32X4)
    }

    fn binary(&mut self, binary: Binary, a: NodeId, b: NodeId) -> Value {
        let ty = match binary {
            Binary::Add
            | Binary::Sub
            | Binary::Mul
            | Binary::Div
            | Binary::Min
            | Binary::Max
            | Binary::MinOrNan
            | Binary::MaxOrNan => F32X4,
            _ => I32X4,
        };
        let [a, b] = [a, b].map(|id| self.value(id, ty));
        let ins = self.cursor.ins();
        match binary {
            Binary::Add => ins.fadd(a, b),
            Binary::Sub => ins.fsub(a, b),
            Binary::Mul => ins.fmul(a, b),
            Binary::Div => ins.fdiv(a, b),
            Binary::Min => self.first_if(FloatCC::LessThan, a, b),
            Binary::Max => self.first_if(FloatCC::GreaterThan, a, b),
            Binary::MinOrNan => ins.fmin(a, b),
            Binary::MaxOrNan => ins.fmax(a, b),
            Binary::And => ins.band(a, b),
            Binary::Or => ins.bor(a, b),
            Binary::Xor => ins.bxor(a, b),
            Binary::IntAdd => ins.iadd(a, b),
            Binary::IntSub => ins.isub(a, b),
            Binary::AndNot => ins.band_not(b, a),
            Binary::MinUnsigned => ins.umin(a, b),
            Binary::MaxUnsigned => ins.umax(a, b),
            Binary::MinSigned => ins.smin(a, b),
            Binary::MaxSigned => ins.smax(a, b),
            Binary::IntMul => ins.imul(a, b),
            Binary::ShiftLeft => self.shifted_by_lanes(Shift::Left, a, b),
            Binary::ShiftRight => self.shifted_by_lanes(Shift::Right, a, b),
            Binary::ShiftRightSigned => self.shifted_by_lanes(Shift::RightSigned, a, b),
        }
    }

    /// The first number in lanes where the test holds, else the second.
    fn first_if(&mut self, test: FloatCC, a: Value, b: Value) -> Value {
        let holds = self.cursor.ins().fcmp(test, a, b);
        let holds = self.cast(holds, F32X4);
        self.cursor.ins().bitselect(holds, a, b)
    }

    /// Shifts a lane or all lanes by a count below 32.
    fn shifted(&mut self, shift: Shift, a: Value, count: Value) -> Value {
        let ins = self.cursor.ins();
        match shift {
            Shift::Left => ins.ishl(a, count),
            Shift::Right => ins.ushr(a, count),
            Shift::RightSigned => ins.sshr(a, count),
        }
    }

    /// Shifts each lane by its own count, for which Cranelift has no vector instruction.
    fn shifted_by_lanes(&mut self, shift: Shift, a: Value, counts: Value) -> Value {
        let limited = match shift {
            Shift::RightSigned => {
                let last = self.bits(31);
                self.cursor.ins().umin(counts, last)
            }
            // Cranelift reduces scalar counts modulo 32.
            Shift::Left | Shift::Right => counts,
        };
        let mut result = a;
        for lane in 0..LANES as u8 {
            let [value, count] = [a, limited].map(|vector| self.cursor.ins().extractlane(vector, lane));
            let value = self.shifted(shift, value, count);
            result = self.cursor.ins().insertlane(result, value, lane);
        }
        if shift == Shift::RightSigned {
            return result;
        }
        let end = self.bits(32);
        let is_inside = self.cursor.ins().icmp(IntCC::UnsignedLessThan, counts, end);
        self.cursor.ins().band(result, is_inside)
    }

    fn op64(&mut self, operation: Op64, a: NodeId, b: NodeId) -> Value {
        let [a, b] = [a, b].map(|id| self.value(id, F64X2));
        let ins = self.cursor.ins();
        let test = match operation {
            Op64::Add => return ins.fadd(a, b),
            Op64::Sub => return ins.fsub(a, b),
            Op64::Mul => return ins.fmul(a, b),
            Op64::Div => return ins.fdiv(a, b),
            Op64::Lt => FloatCC::LessThan,
            Op64::Le => FloatCC::LessThanOrEqual,
            Op64::Eq => FloatCC::Equal,
        };
        let holds = ins.fcmp(test, a, b);
        self.cast(holds, I32X4)
    }

    fn wide_canonical(&mut self, a: NodeId) -> Value {
        let number = self.value(a, F64X2);
        let is_nan = self.cursor.ins().fcmp(FloatCC::Unordered, number, number);
        let bytes = [fp64::NAN_BITS.to_le_bytes(); 2].concat();
        let nan = self.cursor.func.dfg.constants.insert(bytes.into());
        let nan = self.cursor.ins().vconst(I64X2, nan);
        let number = self.cast(number, I64X2);
        let canonical = self.cursor.ins().bitselect(is_nan, nan, number);
        self.cast(canonical, F64X2)
    }

    /// Clears all bits but the sign where the exponent is 0.
    fn flush(&mut self, a: NodeId) -> Value {
        let a = self.value(a, I32X4);
        let exponent = self.bits(EXPONENT);
        let exponent = self.cursor.ins().band(a, exponent);
        let zero = self.bits(0);
        let is_tiny = self.cursor.ins().icmp(IntCC::Equal, exponent, zero);
        let magnitude = self.bits(!SIGN);
        let cleared = self.cursor.ins().band(is_tiny, magnitude);
        self.cursor.ins().band_not(a, cleared)
    }

    fn compare(&mut self, comparison: Comparison, wanted: Wanted, a: NodeId, b: NodeId) -> Value {
        let numbers = match comparison {
            Comparison::Lt => Some(FloatCC::LessThan),
            Comparison::Le => Some(FloatCC::LessThanOrEqual),
            Comparison::Eq => Some(FloatCC::Equal),
            Comparison::Unordered => Some(FloatCC::Unordered),
            _ => None,
        };
        if let Some(test) = numbers {
            let [a, b] = [a, b].map(|id| self.value(id, F32X4));
            let holds = self.cursor.ins().fcmp(test, a, b);
            // Cranelift's compiler for AArch64 has no comparison that holds for unordered values.
            return if wanted == Wanted::Holds { holds } else { self.cursor.ins().bnot(holds) };
        }
        let [a, b] = [a, b].map(|id| self.value(id, I32X4));
        let (test, a, b) = match comparison {
            Comparison::LtUnsigned => (IntCC::UnsignedLessThan, a, b),
            Comparison::GtSigned => (IntCC::SignedGreaterThan, a, b),
            Comparison::Disjoint => (IntCC::Equal, self.cursor.ins().band(a, b), self.bits(0)),
            _ => (IntCC::Equal, a, b),
        };
        let test = if wanted == Wanted::Holds { test } else { test.complement() };
        self.cursor.ins().icmp(test, a, b)
    }
}
