use super::*;
use crate::debug::trial::{fragment, vertex};
use shadestep_language::ir::CcRegister;

fn letters(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(c, _)| mask >> c & 1 != 0).map(|(_, letter)| letter).collect()
}

/// A slice as text: the numbers of its steps with the registers that they wrote, `?` after deciding steps,
/// then attributes, and constants by their first number.
fn told(recording: &Recording, ancestry: &Ancestry) -> String {
    let program = recording.program();
    let name = |place: Place| match place {
        Place::Temp(id) => program.temporaries[usize::from(id.0)].name.clone(),
        Place::Output(id) => program.outputs[usize::from(id.0)].name.clone(),
        Place::Flags(register) => register.name_in(program.language).to_owned(),
        Place::Param(_) | Place::Attribute(_) => panic!("no step writes it"),
    };
    let steps = ancestry.parts.iter().map(|part| {
        let written =
            part.written.iter().map(|(place, mask)| format!(" {}.{}", name(*place), letters(*mask)));
        let written: String = written.collect();
        let marks = [(part.decides, "?"), (part.looks_up, "t"), (part.stores, "m")];
        let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
        format!("{}{written}{marks}", part.position)
    });
    let attributes = ancestry
        .attributes
        .iter()
        .map(|(attribute, mask)| format!("{}.{}", attribute.register_in(program.language), letters(*mask)));
    steps.chain(attributes).collect::<Vec<_>>().join(", ")
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

fn place(recording: &Recording, name: &str) -> Place {
    let program = recording.program();
    let temporary = program.temporaries.iter().position(|temporary| temporary.name == name);
    let output = program.outputs.iter().position(|output| output.name == name);
    match (temporary, output) {
        (Some(id), _) => Place::Temp(shadestep_language::ir::TempId(id as u16)),
        (None, Some(id)) => Place::Output(OutputId(id as u16)),
        (None, None) => panic!("no register {name}"),
    }
}

/// The backward slice of `name.component` at the end.
fn from(recording: &Recording, name: &str, component: u8) -> String {
    let place = place(recording, name);
    let goal = Goal::Value(ValueAt { position: usize::MAX, place, component });
    told(recording, &Ancestry::backward(recording, goal, &never()).expect("it is short"))
}

/// The forward slice of `name.component` before step `position`.
fn reached(recording: &Recording, position: usize, name: &str, component: u8) -> Ancestry {
    let value = ValueAt { position, place: place(recording, name), component };
    Ancestry::forward(recording, value, &never()).expect("it is short")
}

#[test]
fn components_are_told_apart_through_swizzles_and_masks() {
    let recording = fragment(
        "!!FP1.0
MOVR R0,f[TEX0];
MULR R1.xy,R0.wzyx,f[TEX1];
MOVR R1.z,R0.x;
DP3R R2.w,R1,f[TEX2].x;
MOVR R0.x,f[TEX3].y;
MOVR o[COLR],R1;
MOVR o[COLR].w,R2.w;
END
",
    );
    assert_eq!(from(&recording, "o[COLR]", 0), "0 R0.w, 1 R1.x, 5 o[COLR].x, f[TEX0].w, f[TEX1].x");
    assert_eq!(from(&recording, "o[COLR]", 1), "0 R0.z, 1 R1.y, 5 o[COLR].y, f[TEX0].z, f[TEX1].y");
    assert_eq!(from(&recording, "o[COLR]", 2), "0 R0.x, 2 R1.z, 5 o[COLR].z, f[TEX0].x");
    let all = "0 R0.xzw, 1 R1.xy, 2 R1.z, 3 R2.w, 6 o[COLR].w, f[TEX0].xzw, f[TEX1].xy, f[TEX2].x";
    assert_eq!(from(&recording, "o[COLR]", 3), all);
    // The fifth step wrote the final R0.x. The colour does not depend on that value.
    assert_eq!(from(&recording, "R0", 0), "4 R0.x, f[TEX3].y");
}

#[test]
fn what_a_test_lets_through_comes_from_the_test() {
    let recording = fragment(
        "!!FP1.0
SUBRC R0.x,f[TEX0].x,f[TEX0].y;
MOVR R1,f[TEX1];
MOVR R1.x(LT.x),f[TEX2].x;
MOVR R1.y(GT.x),f[TEX2].y;
MOVR o[COLR],R1;
END
",
    );
    // 0 - 0.25 is below zero: x is written, y is kept. Both depend on the test.
    assert_eq!(from(&recording, "o[COLR]", 0), "0 CC.x, 2 R1.x, 4 o[COLR].x, f[TEX0].xy, f[TEX2].x");
    assert_eq!(from(&recording, "o[COLR]", 1), "0 CC.x, 1 R1.y, 3?, 4 o[COLR].y, f[TEX0].xy, f[TEX1].y");
    assert_eq!(from(&recording, "o[COLR]", 2), "1 R1.z, 4 o[COLR].z, f[TEX1].z");
}

const BRANCHES: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP a, b, c;
SUBC a.x, fragment.texcoord[0].x, 0.125;
MOV b, fragment.texcoord[1];
MOV c, fragment.texcoord[2];
IF LT.x;
MOV b.x, fragment.texcoord[3].x;
ELSE;
MOV b.y, fragment.texcoord[3].y;
ENDIF;
MOV result.color, b;
MOV result.color.w, c.w;
END
";

#[test]
fn what_was_written_or_not_behind_an_if_comes_from_its_test() {
    let recording = fragment(BRANCHES);
    // Steps: SUBC, MOV, MOV, IF, MOV, ELSE, ENDIF, MOV, MOV.
    assert_eq!(recording.len(), 9);
    let tests = "fragment.texcoord[0].x";
    let x = format!("0 CC.x, 3?, 4 b.x, 7 result.color.x, {tests}, fragment.texcoord[3].x");
    assert_eq!(from(&recording, "result.color", 0), x);
    // The other path would have written y.
    let y = format!("0 CC.x, 1 b.y, 3?, 7 result.color.y, {tests}, fragment.texcoord[1].y");
    assert_eq!(from(&recording, "result.color", 1), y);
    assert_eq!(from(&recording, "result.color", 2), "1 b.z, 7 result.color.z, fragment.texcoord[1].z");
    assert_eq!(from(&recording, "result.color", 3), "2 c.w, 8 result.color.w, fragment.texcoord[2].w");
}

#[test]
fn a_value_reaches_what_is_computed_from_it_and_what_it_decides() {
    let recording = fragment(BRANCHES);
    let b = reached(&recording, 2, "b", 0);
    // The IF branch overwrites the value before any read.
    assert_eq!((told(&recording, &b).as_str(), b.reaches_result), ("", false));
    let b = reached(&recording, 2, "b", 2);
    assert_eq!(told(&recording, &b), "7 result.color.z");
    let OutputId(color) = b.outputs[0].0;
    assert_eq!((b.outputs.clone(), b.reaches_result), (vec![(OutputId(color), 0b0100)], true));
    let value = ValueAt { position: 1, place: Place::Flags(CcRegister::Cc0), component: 0 };
    let code = Ancestry::forward(&recording, value, &never()).expect("it is short");
    assert_eq!(code.outputs, [(OutputId(color), 0b0011)]);
    assert!(code.part(3).is_some_and(|part| part.decides), "{code:?}");
    let value = ValueAt { position: 0, place: Place::Attribute(Attribute::Tex(2)), component: 3 };
    let attribute = Ancestry::forward(&recording, value, &never()).expect("it is short");
    assert_eq!(told(&recording, &attribute), "2 c.w, 8 result.color.w, fragment.texcoord[2].w");
}

#[test]
fn what_a_component_holds_is_known_at_every_position() {
    let recording = fragment(BRANCHES);
    let place = place(&recording, "b");
    let goal = Goal::Value(ValueAt { position: usize::MAX, place, component: 0 });
    let ancestry = Ancestry::backward(&recording, goal, &never()).expect("it is short");
    // The first value of b.x (step 1) is not in the slice; the second (step 4) is.
    let held: Vec<bool> = (0..=9).map(|position| ancestry.holds(position, place, 0)).collect();
    assert_eq!(held, [false, false, false, false, false, true, true, true, true, true]);
    assert!(ancestry.holds(0, Place::Attribute(Attribute::Tex(3)), 0));
    assert!(!ancestry.holds(0, Place::Attribute(Attribute::Tex(1)), 0));
}

/// Positions of the run at which a component holds a value of the slice.
fn held(recording: &Recording, ancestry: &Ancestry, name: &str, component: u8) -> Vec<usize> {
    let place = place(recording, name);
    (0..=recording.len()).filter(|&position| ancestry.holds(position, place, component)).collect()
}

fn reached_by_code(recording: &Recording, position: usize) -> Ancestry {
    let value = ValueAt { position, place: Place::Flags(CcRegister::Cc0), component: 0 };
    Ancestry::forward(recording, value, &never()).expect("it is short")
}

#[test]
fn what_a_decision_leaves_alone_is_reached_where_its_ways_meet() {
    let recording = fragment(BRANCHES);
    let code = reached_by_code(&recording, 1);
    assert_eq!(held(&recording, &code, "b", 0), [5, 6, 7, 8, 9]);
    // On the other path the ELSE branch would have written the component.
    assert_eq!(held(&recording, &code, "b", 1), [6, 7, 8, 9]);
    assert_eq!(held(&recording, &code, "b", 2), []);
    assert_eq!(held(&recording, &code, "result.color", 1), [8, 9]);
    assert_eq!(told(&recording, &code), "3?, 4 b.x, 7 result.color.xy");
}

#[test]
fn what_a_call_leaves_alone_is_reached_behind_it() {
    let recording = vertex(
        "!!VP2.0
MOVC CC.x,v[1].x;
MOV R0,v[2];
CAL sub;
MOV o[HPOS],R0;
BRA done;
sub:
RET (GT.x);
MOV R0.x,v[4].y;
RET;
done:
END
",
    );
    // Steps: MOVC, MOV, CAL, RET, MOV, BRA.
    let code = reached_by_code(&recording, 1);
    assert_eq!(held(&recording, &code, "R0", 0), [4, 5, 6]);
    assert_eq!(held(&recording, &code, "R0", 1), []);
}

#[test]
fn what_a_test_keeps_is_reached_by_it() {
    let recording = fragment(
        "!!FP1.0
SUBRC R0.x,f[TEX0].x,f[TEX0].y;
MOVR R1,f[TEX1];
MOVR R1.xy(GT.x),f[TEX2];
MOVR R1.y,f[TEX3].y;
MOVR o[COLR],R1;
END
",
    );
    let code = reached_by_code(&recording, 1);
    assert_eq!(held(&recording, &code, "R1", 0), [3, 4, 5]);
    assert_eq!(held(&recording, &code, "R1", 1), [3]);
    assert_eq!(held(&recording, &code, "R1", 2), []);
    assert_eq!(told(&recording, &code), "2?, 4 o[COLR].x");
}

#[test]
fn an_address_reaches_every_element_of_an_array_that_it_writes_to() {
    let recording = vertex(
        "!!ARBvp1.0
OPTION NV_vertex_program3;
ADDRESS A;
ARL A.x, vertex.attrib[1].x;
MOV result.texcoord[1], vertex.attrib[2];
MOV result.texcoord[A.x+1].y, vertex.attrib[3];
MOV result.position, vertex.attrib[0];
END
",
    );
    let address = reached(&recording, 1, "A", 0);
    assert_eq!(held(&recording, &address, "result.texcoord[1]", 1), [3, 4]);
    assert_eq!(held(&recording, &address, "result.texcoord[2]", 1), [3, 4]);
    assert_eq!(held(&recording, &address, "result.position", 1), []);
}

#[test]
fn a_loop_decides_how_often_it_goes_round() {
    let recording = fragment(
        "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP a, b;
PARAM n = 2;
MOV a, 0;
MOV b, 0;
REP n.x;
ADD a.x, a.x, fragment.texcoord[1].x;
ENDREP;
MOV result.color, a;
END
",
    );
    // Steps: MOV, MOV, REP, ADD, ENDREP, ADD, ENDREP, MOV.
    let x = "0 a.x, 2?, 3 a.x, 4?, 5 a.x, 6?, 7 result.color.x, fragment.texcoord[1].x";
    assert_eq!(from(&recording, "result.color", 0), x);
    assert_eq!(from(&recording, "result.color", 1), "0 a.y, 7 result.color.y");
    assert_eq!(from(&recording, "b", 0), "1 b.x");
}

#[test]
fn subroutines_are_gone_through() {
    let recording = vertex(
        "!!VP2.0
MOVC CC.x,v[1].x;
MOV R0,v[2];
MOV R1,v[3];
CAL sub(GT.x);
MOV o[HPOS],R0;
MOV o[COL0],R1;
BRA done;
sub:
MUL R0.x,R0.x,v[4].y;
RET;
done:
END
",
    );
    // Steps: MOVC, MOV, MOV, CAL, MUL, RET, MOV, MOV, BRA.
    let x = "0 CC.x, 1 R0.x, 3?, 4 R0.x, 6 o[HPOS].x, v[1].x, v[2].x, v[4].y";
    assert_eq!(
        from(&recording, "o[HPOS]", 0)
            .replace("v[WGHT]", "v[1]")
            .replace("v[NRML]", "v[2]")
            .replace("v[COL1]", "v[4]"),
        x
    );
    let y = from(&recording, "o[HPOS]", 1).replace("v[NRML]", "v[2]");
    assert_eq!(y, "1 R0.y, 6 o[HPOS].y, v[2].y");
    let color = from(&recording, "o[COL0]", 2).replace("v[COL0]", "v[3]");
    assert_eq!(color, "2 R1.z, 7 o[COL0].z, v[3].z");
}

#[test]
fn address_registers_choose() {
    let recording = vertex(
        "!!VP2.0
ARL A0.x,v[1].x;
MOV R0,c[A0.x+2];
MOV R1,c[5];
MOV o[HPOS],R0;
MOV o[COL0],R1;
END
",
    );
    assert_eq!(
        from(&recording, "o[HPOS]", 1).replace("v[WGHT]", "v[1]"),
        "0 A0.x, 1 R0.y, 3 o[HPOS].y, v[1].x"
    );
    assert_eq!(from(&recording, "o[COL0]", 1), "2 R1.y, 4 o[COL0].y");
    let goal =
        Goal::Value(ValueAt { position: usize::MAX, place: place(&recording, "o[HPOS]"), component: 1 });
    let ancestry = Ancestry::backward(&recording, goal, &never()).expect("it is short");
    let chosen: Vec<_> = ancestry.parameters.iter().map(|(id, mask)| (usize::from(id.0), *mask)).collect();
    let source = |id: usize| recording.program().parameters[id].source.name_in(recording.program().language);
    assert_eq!(
        chosen.iter().map(|&(id, mask)| (source(id), mask)).collect::<Vec<_>>(),
        [(Some("c[3]".to_owned()), 0b0010)]
    );
}

/// The attributes of other lanes that a final value depends on: lane, attribute, components.
fn neighbour_attributes(recording: &Recording, value: ValueAt) -> Vec<(usize, Attribute, u8)> {
    let mut builder = Builder::new(recording);
    builder.run(usize::MAX, None, &never()).expect("it is short");
    let ends = value_of(&mut builder, value).expect("it is short");
    let marked = builder.graph.behind(&ends);
    let mut found: BTreeMap<(usize, Attribute), u8> = BTreeMap::new();
    for (info, _) in builder.graph.infos().iter().zip(marked).filter(|(_, is_marked)| *is_marked) {
        let lane = usize::from(info.lane);
        if info.tag == Tag::Attribute && lane != recording.lane() {
            let attribute = builder.attributes[info.what as usize / 4];
            *found.entry((lane, attribute)).or_default() |= 1 << (info.what % 4);
        }
    }
    found.into_iter().map(|((lane, attribute), mask)| (lane, attribute, mask)).collect()
}

#[test]
fn derivatives_and_lookups_read_the_neighbours() {
    let recording = fragment(
        "!!FP1.0
MOVR R0,f[TEX0];
DDXR R1.x,R0.y;
DDYR R1.y,R0.x;
TEX R2,f[TEX1],TEX0,2D;
MOVR o[COLR],R1;
MOVR o[COLR].z,R2.z;
END
",
    );
    assert_eq!(from(&recording, "o[COLR]", 0), "0 R0.y, 1 R1.x, 4 o[COLR].x, f[TEX0].y");
    let goal = |component| {
        Goal::Value(ValueAt { position: usize::MAX, place: place(&recording, "o[COLR]"), component })
    };
    let neighbours = |component| {
        let ancestry = Ancestry::backward(&recording, goal(component), &never()).expect("it is short");
        let own = told(&recording, &ancestry);
        let Goal::Value(value) = goal(component) else { panic!("it is a value") };
        (own, ancestry.neighbour_pcs, neighbour_attributes(&recording, value))
    };
    let (_, pcs, attributes) = neighbours(0);
    assert_eq!((pcs, attributes), (vec![0], vec![(1, Attribute::Tex(0), 0b0010)]));
    let (_, _, attributes) = neighbours(1);
    assert_eq!(attributes, [(2, Attribute::Tex(0), 0b0001)]);
    let (own, _, attributes) = neighbours(2);
    assert_eq!(own, "3 R2.zt, 5 o[COLR].z, f[TEX1].xy");
    assert_eq!(attributes, [1, 2, 3].map(|lane| (lane, Attribute::Tex(1), 0b0011)));
}

#[test]
fn a_discard_is_a_part_of_the_result() {
    let recording = fragment(
        "!!FP1.0
SUBRC R0.x,f[TEX0].x,f[TEX0].y;
KIL GT.x;
MOVR R1,f[TEX2];
MOVR o[COLR],f[TEX3].x;
END
",
    );
    let ancestry = Ancestry::backward(&recording, Goal::Result, &never()).expect("it is short");
    assert_eq!(told(&recording, &ancestry), "0 CC.x, 1?, 3 o[COLR].xyzw, f[TEX0].xy, f[TEX3].x");
    assert_eq!(from(&recording, "o[COLR]", 0), "3 o[COLR].x, f[TEX3].x");
    let value = ValueAt { position: 1, place: Place::Flags(CcRegister::Cc0), component: 0 };
    let code = Ancestry::forward(&recording, value, &never()).expect("it is short");
    assert_eq!((code.outputs.as_slice(), code.reaches_result), (&[][..], true));
}

#[test]
fn what_is_too_long_or_cancelled_is_said() {
    let recording = fragment(BRANCHES);
    let cancelled = Ancestry::backward(&recording, Goal::Result, &AtomicBool::new(true));
    assert_eq!(cancelled.err(), Some(AncestryError::Cancelled));
    // 65536 instructions in each of four lanes, with four components each, and their joins.
    let long = fragment(
        "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP a;
REP 255;
REP 200;
ADD a, a, 1;
IF GT.x;
MOV a.x, a.y;
ENDIF;
MUL a, a, a;
MAD a, a, a, a;
ADD a, a, a;
ADD a, a, a;
ADD a, a, a;
ADD a, a, a;
ENDREP;
ENDREP;
MOV result.color, a;
END
",
    );
    let ancestry = Ancestry::backward(&long, Goal::Result, &never());
    assert!(ancestry.is_ok(), "a run to the limit of the older languages is kept trace of");
    let (mut graph, mut full) = (graph::Graph::default(), None);
    for _ in 0..=graph::MAX_NODES {
        full = graph.add(graph::Info::JOINED, &[]).err();
    }
    assert_eq!(full, Some(AncestryError::TooLong));
}
