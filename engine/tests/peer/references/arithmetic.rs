//! Instructions on registers alone, with GLSL references. Rows leave out operands for which the text or GLSL
//! leaves the result open.

use super::operands::{self, D, F, FINITE, I, L, NUMBER, Operand, TAME, U, UL};
use super::{Kind, Row, Stage, row, seeded};
use crate::peer::compare::Nearness::{Approximate, Sums};
use crate::peer::question::Question;
use Kind::{Double, Float, Int, Long, Uint, Ulong};

/// Runs of each row. A run has four results, or two of 64 bits.
const RUNS: usize = 24;

const COUNT: Operand = (Int, operands::counts);
const COUNT_U: Operand = (Uint, operands::counts);
const COUNT_L: Operand = (Long, operands::long_counts);
const COUNT_UL: Operand = (Ulong, operands::long_counts);
const DIVISOR: Operand = (Int, operands::divisors);
const DIVISOR_U: Operand = (Uint, operands::divisors);
const DIVISOR_L: Operand = (Long, operands::long_divisors);
const DIVISOR_UL: Operand = (Ulong, operands::long_divisors);
const POSITIVE: Operand = (Int, operands::positive);
const POSITIVE_DIVISOR: Operand = (Int, operands::positive_divisors);
const FIELD: Operand = (Int, operands::fields);
const FIELD_U: Operand = (Uint, operands::fields);
const WHOLE: Operand = (Float, operands::near_whole);
const WHOLE_U: Operand = (Float, operands::near_whole_positive);
const ABOVE: Operand = (Float, operands::above_zero);
const SHARES: Operand = (Float, operands::shares);
const HALVES: Operand = (Uint, operands::halves);
const TAME_D: Operand = (Double, operands::tame_doubles);
const ABOVE_D: Operand = (Double, operands::tame_doubles_above_zero);

const INTEGERS: &[Row] = &[
    row("MOV.S r, -a;", &[I], Int, "-a"),
    row("MOV.S r, |a|;", &[I], Int, "abs(a)"),
    row("ADD.S r, a, b;", &[I, I], Int, "a + b"),
    row("ADD.U r, a, b;", &[U, U], Uint, "a + b"),
    row("SUB.S r, a, b;", &[I, I], Int, "a - b"),
    row("SUB.U r, a, b;", &[U, U], Uint, "a - b"),
    row("MUL.S r, a, b;", &[I, I], Int, "a * b"),
    row("MUL.U r, a, b;", &[U, U], Uint, "a * b"),
    row("MUL.S.HI r, a, b;", &[I, I], Int, "ivec4 low; imulExtended(a, b, r, low);"),
    row("MUL.U.HI r, a, b;", &[U, U], Uint, "uvec4 low; umulExtended(a, b, r, low);"),
    row("MAD.S r, a, b, c;", &[I, I, I], Int, "a * b + c"),
    row("MAD.U r, a, b, c;", &[U, U, U], Uint, "a * b + c"),
    row("DIV.S r, a, b.x;", &[I, DIVISOR], Int, "a / b.x"),
    row("DIV.U r, a, b.x;", &[U, DIVISOR_U], Uint, "a / b.x"),
    row("MOD.S r, a, b.x;", &[POSITIVE, POSITIVE_DIVISOR], Int, "a % b.x"),
    row("MOD.U r, a, b.x;", &[U, DIVISOR_U], Uint, "a % b.x"),
    row("SHL.S r, a, b.x;", &[I, COUNT], Int, "a << b.x"),
    row("SHL.U r, a, b.x;", &[U, COUNT_U], Uint, "a << b.x"),
    row("SHR.S r, a, b.x;", &[I, COUNT], Int, "a >> b.x"),
    row("SHR.U r, a, b.x;", &[U, COUNT_U], Uint, "a >> b.x"),
    row("AND.S r, a, b;", &[I, I], Int, "a & b"),
    row("OR.U r, a, b;", &[U, U], Uint, "a | b"),
    row("XOR.S r, a, b;", &[I, I], Int, "a ^ b"),
    row("NOT.U r, a;", &[U], Uint, "~a"),
    row("SAD.S r, a, b, c;", &[I, I, U], Uint, "uvec4(max(a, b)) - uvec4(min(a, b)) + c"),
    row("SAD.U r, a, b, c;", &[U, U, U], Uint, "max(a, b) - min(a, b) + c"),
    row("CMP.S r, a, b, c;", &[I, I, I], Int, "mix(c, b, lessThan(a, ivec4(0)))"),
    row("MIN.S r, a, b;", &[I, I], Int, "min(a, b)"),
    row("MIN.U r, a, b;", &[U, U], Uint, "min(a, b)"),
    row("MAX.S r, a, b;", &[I, I], Int, "max(a, b)"),
    row("MAX.U r, a, b;", &[U, U], Uint, "max(a, b)"),
    row("ABS.S r, a;", &[I], Int, "abs(a)"),
    row("SEQ.S r, a, b;", &[I, I], Int, "-ivec4(equal(a, b))"),
    row("SNE.U r, a, b;", &[U, U], Uint, "uvec4(-ivec4(notEqual(a, b)))"),
    row("SLT.S r, a, b;", &[I, I], Int, "-ivec4(lessThan(a, b))"),
    row("SLT.U r, a, b;", &[U, U], Uint, "uvec4(-ivec4(lessThan(a, b)))"),
    row("SLE.S r, a, b;", &[I, I], Int, "-ivec4(lessThanEqual(a, b))"),
    row("SLE.U r, a, b;", &[U, U], Uint, "uvec4(-ivec4(lessThanEqual(a, b)))"),
    row("SGT.S r, a, b;", &[I, I], Int, "-ivec4(greaterThan(a, b))"),
    row("SGT.U r, a, b;", &[U, U], Uint, "uvec4(-ivec4(greaterThan(a, b)))"),
    row("SGE.S r, a, b;", &[I, I], Int, "-ivec4(greaterThanEqual(a, b))"),
    row("SGE.U r, a, b;", &[U, U], Uint, "uvec4(-ivec4(greaterThanEqual(a, b)))"),
    row("BFE.S r, a, b;", &[FIELD, I], Int, "bitfieldExtract(b, a.y, a.x)"),
    row("BFE.U r, a, b;", &[FIELD_U, U], Uint, "bitfieldExtract(b, int(a.y), int(a.x))"),
    row("BFI.S r, a, b, c;", &[FIELD, I, I], Int, "bitfieldInsert(c, b, a.y, a.x)"),
    row("BFI.U r, a, b, c;", &[FIELD_U, U, U], Uint, "bitfieldInsert(c, b, int(a.y), int(a.x))"),
    row("BFR.U r, a;", &[U], Uint, "bitfieldReverse(a)"),
    row("BTC.S r, a;", &[I], Int, "bitCount(a)"),
    row("BTC.U r, a;", &[U], Uint, "uvec4(bitCount(a))"),
    row("BTFL.S r, a;", &[I], Int, "findLSB(a)"),
    row("BTFL.U r, a;", &[U], Uint, "uvec4(findLSB(a))"),
    row("BTFM.S r, a;", &[I], Int, "findMSB(a)"),
    row("BTFM.U r, a;", &[U], Uint, "uvec4(findMSB(a))"),
];

const FLOATS: &[Row] = &[
    row("ADD.F r, a, b;", &[F, F], Float, "a + b"),
    row("ADD.F r, a, -b;", &[F, F], Float, "a - b"),
    row("ADD.F.SAT r, a, b;", &[NUMBER, TAME], Float, "clamp(a + b, 0.0, 1.0)"),
    row("ADD.F.SSAT r, a, b;", &[NUMBER, TAME], Float, "clamp(a + b, -1.0, 1.0)"),
    row("SUB.F r, a, b;", &[F, F], Float, "a - b"),
    row("MUL.F r, a, |b|;", &[F, F], Float, "a * abs(b)"),
    row("MAD.F r, a, b, c;", &[F, F, F], Float, "precise vec4 t = a * b; r = t + c;"),
    row("MIN.F r, a, b;", &[NUMBER, NUMBER], Float, "min(a, b)"),
    row("MAX.F r, a, b;", &[NUMBER, NUMBER], Float, "max(a, b)"),
    row("ABS.F r, a;", &[F], Float, "abs(a)"),
    row("FLR.F r, a;", &[F], Float, "floor(a)"),
    row("CEIL.F r, a;", &[F], Float, "ceil(a)"),
    row("TRUNC.F r, a;", &[F], Float, "trunc(a)"),
    row("ROUND.F r, a;", &[F], Float, "roundEven(a)"),
    row("FRC.F r, a;", &[TAME], Float, "fract(a)"),
    row("SSG.F r, a;", &[NUMBER], Float, "sign(a)"),
    row("CMP.F r, a, b, c;", &[F, F, F], Float, "mix(c, b, lessThan(a, vec4(0.0)))"),
    row("SEQ.F r, a, b;", &[F, F], Float, "vec4(equal(a, b))"),
    row("SNE.F r, a, b;", &[F, F], Float, "vec4(notEqual(a, b))"),
    row("SLT.F r, a, b;", &[F, F], Float, "vec4(lessThan(a, b))"),
    row("SLE.F r, a, b;", &[F, F], Float, "vec4(lessThanEqual(a, b))"),
    row("SGT.F r, a, b;", &[F, F], Float, "vec4(greaterThan(a, b))"),
    row("SGE.F r, a, b;", &[F, F], Float, "vec4(greaterThanEqual(a, b))"),
    row("DIV.F r, a, b.x;", &[TAME, ABOVE], Float, "a / b.x").near(Approximate),
    row("RCP.F r, a.x;", &[ABOVE], Float, "vec4(1.0 / a.x)").near(Approximate),
    row("RSQ.F r, a.x;", &[ABOVE], Float, "vec4(inversesqrt(a.x))").near(Approximate),
    row("EX2.F r, a.x;", &[TAME], Float, "vec4(exp2(a.x))").near(Approximate),
    row("LG2.F r, a.x;", &[ABOVE], Float, "vec4(log2(a.x))").near(Approximate),
    row("POW.F r, a.x, b.x;", &[ABOVE, TAME], Float, "vec4(pow(a.x, b.x))").near(Approximate),
    row("SIN.F r, a.x;", &[TAME], Float, "vec4(sin(a.x))").near(Approximate),
    row("COS.F r, a.x;", &[TAME], Float, "vec4(cos(a.x))").near(Approximate),
    row("SCS.F r, a.x; MOV.F r.zw, 0;", &[TAME], Float, "vec4(cos(a.x), sin(a.x), 0.0, 0.0)").near(Approximate),
    row("DP2.F r, a, b;", &[TAME, TAME], Float, "vec4(dot(a.xy, b.xy))").near(Sums),
    row("DP2A.F r, a, b, c;", &[TAME, TAME, TAME], Float, "vec4(dot(a.xy, b.xy) + c.x)").near(Sums),
    row("DP3.F r, a, b;", &[TAME, TAME], Float, "vec4(dot(a.xyz, b.xyz))").near(Sums),
    row("DP4.F r, a, b;", &[TAME, TAME], Float, "vec4(dot(a, b))").near(Sums),
    row("DPH.F r, a, b;", &[TAME, TAME], Float, "vec4(dot(vec4(a.xyz, 1.0), b))").near(Sums),
    row("NRM.F r, a; MOV.F r.w, 0;", &[TAME], Float, "vec4(normalize(a.xyz), 0.0)").near(Approximate),
    row("XPD.F r, a, b; MOV.F r.w, 0;", &[TAME, TAME], Float, "vec4(cross(a.xyz, b.xyz), 0.0)").near(Sums),
    row("LRP.F r, a, b, c;", &[TAME, TAME, TAME], Float, "a * b + (1.0 - a) * c").near(Approximate),
    row("RFL.F r, a, b; MOV.F r.w, 0;", &[ABOVE, TAME], Float, "vec4(2.0 * dot(a.xyz, b.xyz) / dot(a.xyz, a.xyz) * a.xyz - b.xyz, 0.0)")
        .near(Approximate),
    row("LIT.F r, a;", &[TAME], Float, "vec4(1.0, max(a.x, 0.0), a.x > 0.0 ? pow(max(a.y, 0.0), a.w) : 0.0, 1.0)")
        .near(Approximate),
    row("DST.F r, a, b;", &[NUMBER, NUMBER], Float, "vec4(1.0, a.y * b.y, a.z, b.w)"),
    row("X2D.F r, a, b, c;", &[TAME, TAME, TAME], Float,
        "(a.xyxy + vec4(b.x * c.x + b.y * c.y, b.x * c.z + b.y * c.w, b.x * c.x + b.y * c.y, b.x * c.z + b.y * c.w))")
        .near(Approximate),
];

const CONVERSIONS: &[Row] = &[
    row("I2F.S r, a;", &[I], Float, "vec4(a)"),
    row("I2F.U r, a;", &[U], Float, "vec4(a)"),
    row("TRUNC.S r, a;", &[WHOLE], Int, "ivec4(a)"),
    row("TRUNC.U r, a;", &[WHOLE_U], Uint, "uvec4(a)"),
    row("FLR.S r, a;", &[WHOLE], Int, "ivec4(floor(a))"),
    row("FLR.U r, a;", &[WHOLE_U], Uint, "uvec4(floor(a))"),
    row("CEIL.S r, a;", &[WHOLE], Int, "ivec4(ceil(a))"),
    row("CEIL.U r, a;", &[WHOLE_U], Uint, "uvec4(ceil(a))"),
    row("ROUND.S r, a;", &[WHOLE], Int, "ivec4(roundEven(a))"),
    row("ROUND.U r, a;", &[WHOLE_U], Uint, "uvec4(roundEven(a))"),
    row("CVT.F32.S32 r, a;", &[I], Float, "vec4(a)"),
    row("CVT.F32.U32 r, a;", &[U], Float, "vec4(a)"),
    row("CVT.S32.F32 r, a;", &[WHOLE], Int, "ivec4(roundEven(a))"),
    row("CVT.S32.F32.FLR r, a;", &[WHOLE], Int, "ivec4(floor(a))"),
    row("CVT.U32.F32.TRUNC r, a;", &[WHOLE_U], Uint, "uvec4(a)"),
    row("CVT.S8.S32 r, a;", &[I], Int, "bitfieldExtract(a, 0, 8)"),
    row("CVT.U16.U32 r, a;", &[U], Uint, "bitfieldExtract(a, 0, 16)"),
    row("CVT.S16.S32.SAT r, a;", &[I], Int, "clamp(a, -32768, 32767)"),
    row("CVT.U8.S32.SAT r, a;", &[I], Uint, "uvec4(clamp(a, 0, 255))"),
    row("CVT.U8.U32.SAT r, a;", &[U], Uint, "min(a, 255u)"),
    row("CVT.S32.U8 r, a;", &[U], Int, "ivec4(a & 255u)"),
    row("CVT.S32.S16 r, a;", &[I], Int, "bitfieldExtract(a, 0, 16)"),
    row(
        "CVT.F32.F16 r, a;",
        &[HALVES],
        Float,
        "vec4(unpackHalf2x16(a.x).x, unpackHalf2x16(a.y).x, unpackHalf2x16(a.z).x, unpackHalf2x16(a.w).x)",
    ),
    row("PK2H r, a;", &[TAME], Uint, "uvec4(packHalf2x16(a.xy))"),
    row("PK2US r, a;", &[SHARES], Uint, "uvec4(packUnorm2x16(a.xy))"),
    row("PK4UB r, a;", &[SHARES], Uint, "uvec4(packUnorm4x8(a))"),
    row("UP2H r, a.x;", &[HALVES], Float, "unpackHalf2x16(a.x).xyxy"),
    row("UP2US r, a.x;", &[U], Float, "unpackUnorm2x16(a.x).xyxy"),
    row("UP4UB r, a.x;", &[U], Float, "unpackUnorm4x8(a.x)"),
    row("CVT.F64.F32 r, a;", &[TAME], Double, "dvec2(a.xy)"),
    row("CVT.F64.S32 r, a;", &[I], Double, "dvec2(a.xy)"),
    row("CVT.F64.U32 r, a;", &[U], Double, "dvec2(a.xy)"),
    row("CVT.F32.F64 r, a;", &[TAME_D], Float, "vec4(a.xyxy)"),
    row("CVT.S32.F64.TRUNC r, a;", &[TAME_D], Int, "ivec4(a.xyxy)"),
    row("CVT.S64.S32 r, a;", &[I], Long, "i64vec2(a.xy)"),
    row("CVT.U64.U32 r, a;", &[U], Ulong, "u64vec2(a.xy)"),
    row("CVT.S32.S64 r, a;", &[L], Int, "ivec4(a.xyxy)"),
    row("CVT.F64.S64 r, a;", &[L], Double, "dvec2(a)"),
    row("CVT.F64.U64 r, a;", &[UL], Double, "dvec2(a)"),
    row("CVT.S64.F64.TRUNC r, a;", &[TAME_D], Long, "i64vec2(a)"),
];

const DOUBLES: &[Row] = &[
    row("MOV.F64 r, -a;", &[D], Double, "-a"),
    row("ADD.F64 r, a, b;", &[D, D], Double, "a + b"),
    row("SUB.F64 r, a, b;", &[D, D], Double, "a - b"),
    row("MUL.F64 r, a, b;", &[TAME_D, TAME_D], Double, "a * b"),
    row("MAD.F64 r, a, b, c;", &[TAME_D, TAME_D, TAME_D], Double, "precise dvec2 t = a * b; r = t + c;"),
    row("DIV.F64 r, a, b.x;", &[TAME_D, ABOVE_D], Double, "a / b.x").near(Approximate),
    row("RCP.F64 r, a.x;", &[ABOVE_D], Double, "dvec2(1.0LF / a.x)").near(Approximate),
    row("RSQ.F64 r, a.x;", &[ABOVE_D], Double, "dvec2(inversesqrt(a.x))").near(Approximate),
    row("MIN.F64 r, a, b;", &[FINITE, FINITE], Double, "min(a, b)"),
    row("MAX.F64 r, a, b;", &[FINITE, FINITE], Double, "max(a, b)"),
    row("ABS.F64 r, a;", &[D], Double, "abs(a)"),
    row("FLR.F64 r, a;", &[D], Double, "floor(a)"),
    row("CEIL.F64 r, a;", &[D], Double, "ceil(a)"),
    row("TRUNC.F64 r, a;", &[D], Double, "trunc(a)"),
    row("ROUND.F64 r, a;", &[D], Double, "roundEven(a)"),
    row("FRC.F64 r, a;", &[TAME_D], Double, "fract(a)"),
    row("SSG.F64 r, a;", &[FINITE], Double, "sign(a)"),
    row("CMP.F64 r, a, b, c;", &[D, D, D], Double, "mix(c, b, lessThan(a, dvec2(0.0)))"),
    row("SEQ.F64 r, a, b;", &[D, D], Double, "dvec2(equal(a, b))"),
    row("SNE.F64 r, a, b;", &[D, D], Double, "dvec2(notEqual(a, b))"),
    row("SLT.F64 r, a, b;", &[D, D], Double, "dvec2(lessThan(a, b))"),
    row("SLE.F64 r, a, b;", &[D, D], Double, "dvec2(lessThanEqual(a, b))"),
    row("SGT.F64 r, a, b;", &[D, D], Double, "dvec2(greaterThan(a, b))"),
    row("SGE.F64 r, a, b;", &[D, D], Double, "dvec2(greaterThanEqual(a, b))"),
];

const LONGS: &[Row] = &[
    row("MOV.S64 r, -a;", &[L], Long, "-a"),
    row("ADD.S64 r, a, b;", &[L, L], Long, "a + b"),
    row("SUB.U64 r, a, b;", &[UL, UL], Ulong, "a - b"),
    row("MUL.S64 r, a, b;", &[L, L], Long, "a * b"),
    row("MAD.U64 r, a, b, c;", &[UL, UL, UL], Ulong, "a * b + c"),
    row("DIV.S64 r, a, b.x;", &[L, DIVISOR_L], Long, "a / b.x"),
    row("DIV.U64 r, a, b.x;", &[UL, DIVISOR_UL], Ulong, "a / b.x"),
    row("MOD.U64 r, a, b.x;", &[UL, DIVISOR_UL], Ulong, "a % b.x"),
    row("SHL.S64 r, a, b.x;", &[L, COUNT_L], Long, "a << int(b.x)"),
    row("SHR.S64 r, a, b.x;", &[L, COUNT_L], Long, "a >> int(b.x)"),
    row("SHR.U64 r, a, b.x;", &[UL, COUNT_UL], Ulong, "a >> int(b.x)"),
    row("AND.S64 r, a, b;", &[L, L], Long, "a & b"),
    row("OR.S64 r, a, b;", &[L, L], Long, "a | b"),
    row("XOR.U64 r, a, b;", &[UL, UL], Ulong, "a ^ b"),
    row("NOT.U64 r, a;", &[UL], Ulong, "~a"),
    row("MIN.S64 r, a, b;", &[L, L], Long, "min(a, b)"),
    row("MAX.U64 r, a, b;", &[UL, UL], Ulong, "max(a, b)"),
    row("ABS.S64 r, a;", &[L], Long, "abs(a)"),
    row("CMP.S64 r, a, b, c;", &[L, L, L], Long, "mix(c, b, lessThan(a, i64vec2(0)))"),
    row("SEQ.S64 r, a, b;", &[L, L], Long, "-i64vec2(ivec2(equal(a, b)))"),
    row("SLT.S64 r, a, b;", &[L, L], Long, "-i64vec2(ivec2(lessThan(a, b)))"),
    row("SGE.U64 r, a, b;", &[UL, UL], Ulong, "u64vec2(-i64vec2(ivec2(greaterThanEqual(a, b))))"),
];

/// Each row in both stages.
pub fn all() -> Vec<Question> {
    let rows = [INTEGERS, FLOATS, CONVERSIONS, DOUBLES, LONGS].into_iter().flatten();
    let questions = rows.flat_map(|row| {
        let mut random = seeded(row.ours);
        let runs: Vec<_> = (0..RUNS).map(|_| row.operands(&mut random)).collect();
        // Both stages execute the instruction alike. A few vertex runs show that the result arrives.
        let few = runs[..RUNS / 4].to_vec();
        [row.question(Stage::Fragment, [""; 2], runs), row.question(Stage::Vertex, [""; 2], few)]
    });
    questions.collect()
}
