//! Memory loads, stores and atomics with GLSL references, on 64 bytes of a buffer. Programs get the buffer's
//! address in `program.local[7]`, and GLSL reads storage block 0. Each row loads the words that it has
//! stored.

use super::operands::{F, I, U, word};
use super::{Kind, Row, Stage, row, seeded};
use crate::peer::question::{Inputs, Question};

/// Declarations of a row: `m` is the address; the GLSL blocks are views of the same words.
const OURS: &str = "LONG TEMP m, n; TEMP t;\nPK64.U m, program.local[7];\n";
const THEIRS: &str = "\
layout(std430, binding = 0) coherent buffer Words { uint words[]; };
layout(std430, binding = 0) coherent buffer Ints { int ints[]; };
layout(std430, binding = 0) coherent buffer Doubles { double doubles[]; };
uvec4 four(int at) { return uvec4(words[at], words[at + 1], words[at + 2], words[at + 3]); }
void put(int at, int first, int bits, uint value) { words[at] = bitfieldInsert(words[at], value, first, bits); }
";

/// An atomic operation. x is the word before the operation, y the word after.
macro_rules! atomic {
    ($ours:literal, $data:literal, $operand:expr, $theirs:literal) => {
        row(
            concat!("ATOM.", $ours, " r, ", $data, ", m.x; LOAD.U32 t, m.x; MOV.U r.y, t.x;"),
            &[$operand],
            Kind::Uint,
            concat!("r = uvec4(uint(", $theirs, "), 0, 0, 0); r.y = words[0];"),
        )
    };
}

const ROWS: &[Row] = &[
    row("LOAD.U32 r, m.x;", &[], Kind::Uint, "uvec4(words[0], 0, 0, 0)"),
    row("LOAD.U32X2 r, m.x;", &[], Kind::Uint, "uvec4(words[0], words[1], 0, 0)"),
    row("LOAD.U32X4 r, m.x;", &[], Kind::Uint, "four(0)"),
    row("LOAD.F32X4 r, m.x;", &[], Kind::Uint, "four(0)"),
    row(
        "ADD.U64 m.x, m.x, 5; LOAD.U8 r, m.x;",
        &[],
        Kind::Uint,
        "uvec4(bitfieldExtract(words[1], 8, 8), 0, 0, 0)",
    ),
    row(
        "ADD.U64 m.x, m.x, 7; LOAD.S8 r, m.x;",
        &[],
        Kind::Int,
        "ivec4(bitfieldExtract(ints[1], 24, 8), 0, 0, 0)",
    ),
    row(
        "ADD.U64 m.x, m.x, 2; LOAD.U16 r, m.x;",
        &[],
        Kind::Uint,
        "uvec4(bitfieldExtract(words[0], 16, 16), 0, 0, 0)",
    ),
    row(
        "ADD.U64 m.x, m.x, 4; LOAD.S16 r, m.x;",
        &[],
        Kind::Int,
        "ivec4(bitfieldExtract(ints[1], 0, 16), 0, 0, 0)",
    ),
    row("STORE.U32 a, m.x; LOAD.U32X4 r, m.x;", &[U], Kind::Uint, "words[0] = a.x; r = four(0);"),
    row(
        "STORE.U32X2 a.wzyx, m.x; LOAD.U32X4 r, m.x;",
        &[U],
        Kind::Uint,
        "words[0] = a.w; words[1] = a.z; r = four(0);",
    ),
    row(
        "STORE.F32X4 -a, m.x; LOAD.U32X4 r, m.x;",
        &[F],
        Kind::Uint,
        "uvec4 b = floatBitsToUint(a) ^ 0x80000000u; words[0] = b.x; words[1] = b.y; words[2] = b.z; \
         words[3] = b.w; r = four(0);",
    ),
    row(
        "ADD.U64 n.x, m.x, 6; STORE.U8 a, n.x; LOAD.U32X4 r, m.x;",
        &[U],
        Kind::Uint,
        "put(1, 16, 8, a.x); r = four(0);",
    ),
    row(
        "ADD.U64 n.x, m.x, 2; STORE.S16 a, n.x; LOAD.U32X4 r, m.x;",
        &[I],
        Kind::Uint,
        "put(0, 16, 16, uint(a.x)); r = four(0);",
    ),
    row(
        "ADD.U64 n.x, m.x, 32; STORE.U32X4 a, m.x; STORE.U32 a.y, n.x; MEMBAR; LOAD.U32X4 r, n.x;",
        &[U],
        Kind::Uint,
        "words[8] = a.y; r = four(8);",
    ),
    atomic!("ADD.U32", "a.x", U, "atomicAdd(words[0], a.x)"),
    atomic!("ADD.S32", "a.x", I, "atomicAdd(ints[0], a.x)"),
    atomic!("MIN.U32", "a.x", U, "atomicMin(words[0], a.x)"),
    atomic!("MIN.S32", "a.x", I, "atomicMin(ints[0], a.x)"),
    atomic!("MAX.U32", "a.x", U, "atomicMax(words[0], a.x)"),
    atomic!("MAX.S32", "a.x", I, "atomicMax(ints[0], a.x)"),
    atomic!("AND.U32", "a.x", U, "atomicAnd(words[0], a.x)"),
    atomic!("OR.U32", "a.x", U, "atomicOr(words[0], a.x)"),
    atomic!("XOR.U32", "a.x", U, "atomicXor(words[0], a.x)"),
    atomic!("EXCH.U32", "a.x", U, "atomicExchange(words[0], a.x)"),
    atomic!("EXCH.S32", "a.x", I, "atomicExchange(ints[0], a.x)"),
    atomic!("CSWAP.U32", "a", U, "atomicCompSwap(words[0], a.x, a.y)"),
    // The comparison succeeds, so the word is swapped.
    row(
        "LOAD.U32 t, m.x; MOV.U a.x, t.x; ATOM.CSWAP.U32 r, a, m.x; LOAD.U32 t, m.x; MOV.U r.y, t.x;",
        &[U],
        Kind::Uint,
        "uint was = words[0]; r = uvec4(atomicCompSwap(words[0], was, a.y), 0, 0, 0); r.y = words[0];",
    ),
];

/// Each row in both stages.
pub fn all() -> Vec<Question> {
    let stages = [Stage::Fragment, Stage::Vertex];
    stages.into_iter().flat_map(|stage| ROWS.iter().map(move |row| question(row, stage))).collect()
}

fn question(row: &Row, stage: Stage) -> Question {
    let mut random = seeded(row.ours);
    let mut runs: Vec<Inputs> = (0..24).map(|_| row.operands(&mut random)).collect();
    for run in &mut runs {
        run.memory = [(); 16].map(|()| word(&mut random)).to_vec();
    }
    row.question(stage, [OURS, THEIRS], runs)
}
