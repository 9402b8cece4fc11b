use super::*;
use crate::debug::{Cursor, Recording};
use crate::exec::{Bindings, QuadInputs};
use shadestep_language::ir::Attribute;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const PROGRAM: &[u8] = b"!!FP1.0
DECLARE scale={2,4,8,16};
MOV R0,{0.5,-0.25,3,0};
MULC R1,R0,scale;
ADD H2.x,f[TEX0].x,R1.y;
RCP R3.x,R0.w;
MOV o[COLR],R1;
END
";

/// The end of a run of `PROGRAM` with texture coordinates (1.5, 0, 0, 1).
fn recorded() -> Recording {
    let program = Arc::new(shadestep_language::front::load(PROGRAM).program.expect("the program is right"));
    let mut inputs = QuadInputs { covered: 1, ..QuadInputs::default() };
    for lane in &mut inputs.attributes[Attribute::Tex(0).index()] {
        *lane = [1.5, 0.0, 0.0, 1.0];
    }
    let bindings = Arc::new(Bindings::initial(&program));
    let never = AtomicBool::new(false);
    Recording::of_fragment(&program, &bindings, inputs, (0, [0, 0]), &never).expect("nobody cancels it")
}

fn value(text: &str) -> Value {
    let recording = recorded();
    let mut cursor = Cursor::new(&recording);
    cursor.seek(&recording, recording.len());
    let expression = Expression::parse(text, recording.program()).unwrap_or_else(|e| panic!("{text}: {e}"));
    expression.evaluate(&cursor.here(&recording)).value
}

fn floats(text: &str) -> Vec<f64> {
    value(text).numbers().iter().map(|number| number.as_float()).collect()
}

#[test]
fn registers_are_read_by_their_names() {
    assert_eq!(floats("R0"), [0.5, -0.25, 3.0, 0.0]);
    assert_eq!(floats("R1.yx"), [-1.0, 1.0]);
    assert_eq!(floats("R1.gr"), [-1.0, 1.0]);
    assert_eq!(floats("scale.w"), [16.0]);
    assert_eq!(floats("f[TEX0].xw"), [1.5, 1.0]);
    assert_eq!(floats("o[COLR].z"), [24.0]);
    assert_eq!(floats("H2.x"), [0.5]);
    assert_eq!(floats("step"), [5.0]);
}

#[test]
fn arithmetic_goes_by_components() {
    assert_eq!(floats("R0.xy * 2 + {1, 2}"), [2.0, 1.5]);
    assert_eq!(floats("-|R0.y| - -1"), [0.75]);
    assert_eq!(floats("dot(R0.xyz, scale.xyz)"), [1.0 - 1.0 + 24.0]);
    assert_eq!(floats("length({3, 4})"), [5.0]);
    assert_eq!(floats("max(R0.xy, 0)"), [0.5, 0.0]);
    assert_eq!(floats("(R0 + 1).z"), [4.0]);
    assert_eq!(floats("7 % 4 + 1 / 2"), [3.5]);
    assert_eq!(floats("int(R0.x)"), [f64::from(0x3F00_0000)]);
    assert_eq!(floats("0x10 - 1e1"), [6.0]);
}

#[test]
fn conditions_hold_where_every_component_does() {
    for text in [
        "R0.x > 0.25",
        "R0.xz >= {0.5, 3}",
        "not R0.xy > 0",
        "any(R0.xy > 0)",
        "CC.y is LT",
        "CC.xz is GT",
        "CC.y is not GE",
        "R3.x is inf and R3.x is not NaN",
        "R0.y is LT || R0.y == 5",
        "R0.w = 0",
        "!(R0.w != 0) && step == 5",
    ] {
        assert_eq!(value(text), Value::Truth(true), "{text}");
    }
    for text in ["CC is LT", "R0.xy > 0", "R3.x is finite", "R0.x < 0.5 or R0.x > 0.5"] {
        assert_eq!(value(text), Value::Truth(false), "{text}");
    }
}

#[test]
fn faults_are_told_at_their_place() {
    let program = recorded().program().clone();
    for (text, place, words) in [
        ("R0.x >", 6..6, "Expected a register, a number or a function, found the end"),
        ("R9.x", 0..2, "\"R9\" is not a register of this program"),
        ("r0.x", 0..2, "\"r0\" is not a register of this program; use R0"),
        ("R0.q", 2..4, "Expected one to four of x, y, z, w after the dot"),
        ("R0.xy + R1.xyz", 0..14, "The left side has 2 components, the right side 3"),
        ("CC.x", 0..4, "Compare a condition code with a rule, as in CC.x is LT"),
        ("CC.x > 0", 0..8, "Compare a condition code with a rule, as in CC.x is LT"),
        ("CC.x is inf", 8..11, "Expected a rule of condition codes, such as LT, found \"inf\""),
        ("R0.x and 1", 0..8, "Expected a condition, such as R0.x > 0"),
        ("(R0.x", 5..5, "Expected \")\", found the end"),
        ("R0.x R0.y", 5..7, "Expected the end, found \"R0\""),
        ("R0.xy.z", 5..6, "Expected the end, found \".\""),
        ("(R0.xy).z", 0..9, "There are only 2 components"),
        ("1x", 0..2, "This is not a number"),
        ("int(R0 + 1)", 0..11, "int, uint and float take a register"),
        ("é", 0..2, "Expected a register, a number or a function, found \"é\""),
    ] {
        let fault = Expression::parse(text, &program).expect_err(text);
        assert_eq!((fault.span.start..fault.span.end, &*fault.message), (place, words), "{text}");
    }
    let deep = "(".repeat(300);
    assert!(Expression::parse(&deep, &program).is_err());
    assert!(Expression::parse(&"1+".repeat(300), &program).is_err());
}

#[test]
fn what_is_read_is_known() {
    let program = recorded().program().clone();
    let expression = Expression::parse("R0.x + R0.zz * dot(R1, R1)", &program).expect("it is right");
    let masks: Vec<u8> = expression.reads().iter().map(|(_, mask)| *mask).collect();
    assert_eq!(masks, [0b0101, 0b1111]);
    assert!(!expression.is_condition());
    assert_eq!(expression.register(), None);
    let register = Expression::parse("R1.yx", &program).expect("it is right");
    assert_eq!(register.register().map(|(_, components)| components), Some(&[1, 0][..]));
    let names = register_names(&program);
    for name in ["R0", "H2", "o[COLR]", "f[TEX0]", "scale", "CC"] {
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
    }
    assert!(Expression::parse("R0.x > 1", &program).expect("it is right").is_condition());
}
