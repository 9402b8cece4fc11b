//! Vertex attributes that are integers or fp64 numbers, with GLSL references. `given` is vertex attribute 1.

use super::operands::{D, FINITE, I, Operand, U};
use super::{Kind, Row, Stage, row, seeded};
use crate::peer::question::{Given, Inputs, Question};
use crate::support::random::Random;
use Kind::{Double, Int, Uint};

const RUNS: usize = 16;

/// A row, the attribute's declarations in both languages, and the generator of its value.
type Read = (Row, [&'static str; 2], fn(&mut Random) -> Given);

const SIGNED: [&str; 2] = ["INT ATTRIB given = vertex.attrib[1];\n", "layout(location = 1) in ivec4 given;"];
const UNSIGNED: [&str; 2] =
    ["UINT ATTRIB given = vertex.attrib[1];\n", "layout(location = 1) in uvec4 given;"];
const LONG: [&str; 2] = ["LONG ATTRIB given = vertex.attrib[1];\n", "layout(location = 1) in dvec4 given;"];

fn of(operand: Operand, random: &mut Random) -> [u32; 4] {
    (operand.1)(random)
}

fn signed(random: &mut Random) -> Given {
    Given::Signed(of(I, random).map(u32::cast_signed))
}

fn unsigned(random: &mut Random) -> Given {
    Given::Unsigned(of(U, random))
}

fn doubles(random: &mut Random) -> Given {
    let mut pair = || {
        let [a, b, c, d] = of(FINITE, random).map(u64::from);
        [a | b << 32, c | d << 32].map(f64::from_bits)
    };
    let ([x, y], [z, w]) = (pair(), pair());
    Given::Doubles([x, y, z, w])
}

const ROWS: &[Read] = &[
    (row("MOV.S r, given;", &[], Int, "given"), SIGNED, signed),
    (row("MOV.S r, given.wzyx;", &[], Int, "given.wzyx"), SIGNED, signed),
    (row("ADD.S r, given, a;", &[I], Int, "given + a"), SIGNED, signed),
    (row("MAX.S r, -given, a;", &[I], Int, "max(-given, a)"), SIGNED, signed),
    (row("MOV.U r, given;", &[], Uint, "given"), UNSIGNED, unsigned),
    (row("MUL.U r, given, a;", &[U], Uint, "given * a"), UNSIGNED, unsigned),
    (row("XOR.U r, given, a;", &[U], Uint, "given ^ a"), UNSIGNED, unsigned),
    (row("MOV.F64 r, given;", &[], Double, "given.xy"), LONG, doubles),
    (row("MOV.F64 r, given.zwzw;", &[], Double, "given.zw"), LONG, doubles),
    (row("ADD.F64 r, given, a;", &[D], Double, "given.xy + a"), LONG, doubles),
    (row("MUL.F64 r, given, -given.wzwz;", &[], Double, "given.xy * -given.wz"), LONG, doubles),
];

/// One question for each row.
pub fn all() -> Vec<Question> {
    let question = |(row, declarations, given): &Read| {
        let mut random = seeded(row.ours);
        let runs = (0..RUNS).map(|_| {
            let attributes = vec![(1, given(&mut random))];
            Inputs { attributes, ..row.operands(&mut random) }
        });
        let runs = runs.collect();
        row.question(Stage::Vertex, *declarations, runs)
    };
    ROWS.iter().map(question).collect()
}
