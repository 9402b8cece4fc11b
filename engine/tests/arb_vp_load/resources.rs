//! Resource limits (ARB_vertex_program 2.14.3.7, 2.14.4.5.1; NV_vertex_program3 2.14.3.7).
//!
//! The first declaration or instruction over a limit is at fault. The number of parameter bindings depends on
//! the arrays read through address registers, so the loader knows that number only at the end.

use super::corpus::limits::{
    ADDRESSES, ATTRIBUTES, ENV, IMAGE_UNITS, INSTRUCTIONS, INVARIANT, LOCAL, PARAMETERS, TEMPORARIES,
    VERTEX_IMAGE_UNITS,
};
use super::corpus::{fails, loads};

const OPTIONS: [&str; 3] = ["", "OPTION NV_vertex_program2;", "OPTION NV_vertex_program3;"];

fn program(options: &str, body: &str) -> String {
    format!("!!ARBvp1.0 {options}\n{body}\nEND")
}

/// 2.14.3.7: every instruction counts, executed or not. Declarations, labels and options do not count.
#[test]
fn instructions_are_counted() {
    const INVARIANCE: &str = "OPTION ARB_position_invariant;";
    for options in OPTIONS {
        for (more, limit) in [("", INSTRUCTIONS), (INVARIANCE, INSTRUCTIONS - INVARIANT)] {
            let options = format!("{options} {more}");
            let declared = "TEMP a, b; PARAM p[] = { 1, 2 }; ATTRIB c = vertex.color;";
            let body = "MOV a, b;\n".repeat(limit - 1);
            loads(&program(&options, &format!("{declared}\n{body}MOV result.color, a;")));
            let over = format!("{declared}\n{body}MOV result.color, a;\n@MOV result.color, a;");
            fails("arb-too-many-instructions", &program(&options, &over));
        }
    }
    let flow = "l: BRA l;\n".to_owned() + &"BRA l;\n".repeat(INSTRUCTIONS - 1);
    loads(&program(OPTIONS[1], &flow));
    fails("arb-too-many-instructions", &program(OPTIONS[1], &format!("{flow}@RET;")));
}

/// Returns `name0, name1, ...` with `count` names.
fn names(name: &str, count: usize) -> String {
    (0..count).map(|n| format!("{name}{n}")).collect::<Vec<_>>().join(", ")
}

/// 2.14.3.7: each declared temporary counts, used or not. Aliases do not count.
#[test]
fn temporaries_are_counted() {
    let full = format!("TEMP {};", names("t", TEMPORARIES));
    let aliases: String = (0..TEMPORARIES).map(|n| format!("ALIAS a{n} = t{n}; MOV a{n}, t0;\n")).collect();
    for options in OPTIONS {
        loads(&program(options, &full));
        loads(&program(options, &format!("{full}\n{aliases}")));
        fails("arb-too-many-temporaries", &program(options, &format!("{full} TEMP @more;")));
    }
    let list = format!("TEMP {}, @more;", names("t", TEMPORARIES));
    fails("arb-too-many-temporaries", &program("", &list));
}

/// 2.14.3.7: each declared address register counts. Aliases do not count.
#[test]
fn address_registers_are_counted() {
    let full = format!("ADDRESS {};", names("a", ADDRESSES));
    for options in OPTIONS {
        loads(&program(options, &format!("{full} ALIAS b = a0;")));
        fails("arb-too-many-addresses", &program(options, &format!("{full} ADDRESS @more;")));
    }
}

/// 2.14.3.7: each distinct attribute counts once, declared or in place. No program can go over the limit,
/// because a conventional attribute excludes the generic attribute of its place.
#[test]
fn attributes_are_counted() {
    let mut full: Vec<String> =
        ["position", "attrib[1]", "normal", "color", "color.secondary", "fogcoord", "attrib[6]", "attrib[7]"]
            .map(|name| format!("vertex.{name}"))
            .to_vec();
    full.extend((0..8).map(|unit| format!("vertex.texcoord[{unit}]")));
    assert_eq!(full.len(), ATTRIBUTES);
    let read: String = full.iter().map(|name| format!("MOV t, {name};\n")).collect();
    let declared: String =
        full.iter().enumerate().map(|(n, name)| format!("ATTRIB a{n} = {name};\n")).collect();
    loads(&program("", &format!("TEMP t;\n{read}{declared}{read}")));
    let generic: String = (0..ATTRIBUTES).map(|n| format!("MOV t, vertex.attrib[{n}];\n")).collect();
    loads(&program("", &format!("TEMP t;\n{generic}")));
}

/// Declares `count` parameters, each with a vector of its own.
fn distinct(count: usize) -> String {
    let env = (0..count.min(ENV)).map(|n| format!("program.env[{n}]"));
    let local = (0..count.saturating_sub(ENV).min(LOCAL)).map(|n| format!("program.local[{n}]"));
    let vectors: Vec<String> = env.chain(local).collect();
    assert_eq!(vectors.len(), count);
    // Declarations, because instructions would reach their limit first.
    vectors.iter().enumerate().map(|(n, vector)| format!("PARAM q{n} = {vector};\n")).collect()
}

/// Checks that `body` binds exactly `count` parameters. The program loads when other parameters fill the
/// limit, and is refused with one more.
fn holds_just(count: usize, body: &str) {
    for options in OPTIONS {
        let head = "TEMP t, u; ADDRESS i;\n";
        loads(&program(options, &format!("{head}{body}\n{}", distinct(PARAMETERS - count))));
        let mut rest = distinct(PARAMETERS - count + 1);
        rest.insert(rest.rfind("program").expect("a binding"), '@');
        let over = program(options, &format!("{head}{body}\n{rest}"));
        fails("arb-too-many-parameters", &over);
    }
}

/// 2.14.3.7: each distinct state vector counts once, used or not, in any form of binding.
#[test]
fn state_vectors_are_counted_once() {
    holds_just(0, "");
    holds_just(1, "PARAM s = state.fog.color;");
    holds_just(1, "PARAM s = state.fog.color; PARAM r = state.fog.color; MOV t, state.fog.color;");
    holds_just(1, "MOV t, state.material.ambient; MOV t, state.material.front.ambient;");
    holds_just(1, "MOV t, state.texgen.eye.s; MOV t, state.texgen[0].eye.s;");
    holds_just(4, "PARAM m[] = { state.matrix.mvp }; MOV t, state.matrix.mvp.row[2];");
    holds_just(8, "PARAM m[] = { state.matrix.mvp, state.matrix.mvp.transpose };");
    holds_just(4, "PARAM m[] = { state.matrix.modelview[0] }; PARAM n[] = { state.matrix.modelview };");
    holds_just(4, "PARAM m[] = { state.matrix.mvp }; MOV t, m[i.x]; MOV t, state.matrix.mvp.row[0];");
    // These environment parameters are among those that fill the limit.
    holds_just(0, "PARAM e[] = { program.env[0..9] }; MOV t, e[i.x]; MOV t, program.env[3];");
}

/// 2.14.3.7: equal constants count once, but in arrays read through an address register each constant counts.
#[test]
fn constants_are_counted_by_value() {
    holds_just(1, "PARAM c = 4; MOV t, {4,4,4,4}; MOV t, 4; MOV t, 4.0; MOV t, 4e0;");
    holds_just(1, "PARAM c = {1,2}; MOV t, {1,2,0,1}; MOV t, -{1,2,0}; MOV t, +{1,2,0,1}.wzyx;");
    holds_just(2, "MOV t, {1,2}; MOV t, {2,1};");
    // In place a minus negates the operand. In a declaration a minus is part of the constant.
    holds_just(1, "MOV t, 2; MOV t, -2;");
    holds_just(2, "PARAM c = 2; PARAM d = -2;");
    holds_just(1, "PARAM c[] = { 3, 3, {3,3,3,3} }; MOV t, c[2]; MOV t, 3;");
    holds_just(3, "PARAM c[] = { 3, 3, {3,3,3,3} }; MOV t, c[i.x];");
    holds_just(3, "PARAM c[] = { 3, 3, {3,3,3,3} }; MOV t, c[i.x]; MOV u, 3;");
    holds_just(4, "PARAM c[] = { 3, 3 }; PARAM d[] = { 3, 3 }; ADD t, c[i.x], d[i.x];");
    holds_just(2, "PARAM c[] = { 3, 3 }; PARAM d[] = { 3, 3 }; ADD t, c[i.x], d[1];");
    // The 0 and 1 of SWZ are not constants.
    holds_just(0, "SWZ t, u, 0, 1, -1, -0;");
}

/// The example of 2.14.3.7 binds six constants.
#[test]
fn the_text_s_example_has_six_constants() {
    const EXAMPLE: &str = "PARAM arr1[4] = { {1,2,3,4}, {1,2,3,4}, {4,4,4,4}, {5,6,7,8} };
        PARAM arr2[3] = { {1,2,3,4}, {5,6,7,8}, {0,1,2,3} };
        PARAM x = {4,3,2,1}; PARAM y = {1,2,3,4}; PARAM z = 4; PARAM r = {4,3,2,1};";
    holds_just(6, &format!("{EXAMPLE} MOV t, arr1[i.x]; MOV t, arr2[2];"));
    // Without the relative reference {1,2,3,4} counts once.
    holds_just(5, &format!("{EXAMPLE} MOV t, arr1[0]; MOV t, arr2[2];"));
    // With a relative read of arr2 as well, its three constants count.
    holds_just(8, &format!("{EXAMPLE} ADD t, arr1[i.x], arr2[i.x];"));
}

/// NV_vertex_program3 2.14.3.7: distinct units count, not lookups. A program may use any units.
#[test]
fn image_units_are_counted() {
    let lookup = |unit: usize| format!("TEX t, t, texture[{unit}], 2D; TXL t, t, texture[{unit}], 2D;\n");
    let last: String = (IMAGE_UNITS - VERTEX_IMAGE_UNITS..IMAGE_UNITS).map(lookup).collect();
    loads(&program(OPTIONS[2], &format!("TEMP t;\n{last}")));
    if VERTEX_IMAGE_UNITS < IMAGE_UNITS {
        let over = format!("TEMP t;\n{last}TEX t, t, @texture, 2D;");
        fails("arb-too-many-textures", &program(OPTIONS[2], &over));
        let over = format!("TEMP t;\n{last}TEX t, t, @texture[1], 2D;");
        fails("arb-too-many-textures", &program(OPTIONS[2], &over));
    }
}

/// 2.14.2 <optArraySize>: an array may have as many elements as there are parameter bindings.
#[test]
fn sizes_of_arrays_have_a_limit() {
    let ones = vec!["1"; PARAMETERS].join(", ");
    loads(&program("", &format!("PARAM p[{PARAMETERS}] = {{ {ones} }};")));
    let over = format!("PARAM p[@{}] = {{ {ones}, 1 }};", PARAMETERS + 1);
    fails("arb-array-size", &program("", &over));
}
