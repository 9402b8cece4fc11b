//! Random `!!ARBvp1.0` programs, without option and with either NV option.

use shadestep_engine::front::load;
use shadestep_engine::ir::disassemble;
use shadestep_language::isa::{Info, Language, OperandKind, ResultKind, instructions};

use super::checks::assert_prints_and_reloads;
use super::choices::{COMPONENTS, Choices, mask, swizzle, test};

const LABELS: [&str; 5] = ["main", "l0", "t0", "_x", "a$label"];

/// Declarations of every kind. Programs read `rel` and `more` through address registers too, `some` only by
/// numbers.
const DECLARED: &str = "TEMP t0, t1;
ADDRESS a0;
TEMP t2;
ADDRESS a1;
ATTRIB normal = vertex.normal;
PARAM scalar = -2.5;
PARAM vector = { 1, -0, 3e10 };
PARAM row = state.matrix.modelview.invtrans.row[1];
PARAM env = program.env[7];
PARAM rel[] = { program.env[0..3], { 1, 2 }, 5, state.matrix.mvp, state.light[1].spot.direction };
PARAM more[2] = { { 1, 2 }, program.local[255] };
PARAM some[] = { state.matrix.program[3].transpose, state.lightprod[0].back.specular, 5, program.env[0..3], -1e-3 };
OUTPUT color = result.color.back;
ALIAS t3 = t1;
";

/// The context of a random statement.
struct Frame {
    language: Language,
    options: bool,
    newest: bool,
    invariant: bool,
    shadow: bool,
}

fn relative(choices: &mut Choices, frame: &Frame) -> String {
    let component = if frame.options { choices.of(&COMPONENTS) } else { "x" };
    let offset = choices.below(128) as i64 - 64;
    let offset = if offset == 0 && choices.below(2) == 0 { String::new() } else { format!("{offset:+}") };
    format!("{}.{component}{offset}", choices.of(&["a0", "a1"]))
}

/// Returns an operand without suffix, and whether a suffix may follow.
fn source(choices: &mut Choices, frame: &Frame) -> (String, bool) {
    let text = match choices.below(14) {
        0 => choices.of(&["scalar", "vector", "row", "env", "normal"]).to_owned(),
        1 => format!("rel[{}]", choices.below(11)),
        2 => format!("more[{}]", choices.below(2)),
        3 => format!("some[{}]", choices.below(11)),
        4 => format!("{}[{}]", choices.of(&["rel", "more"]), relative(choices, frame)),
        5 => format!("vertex.{}", choices.of(&["position", "color.secondary", "texcoord[7]", "attrib[6]"])),
        6 => format!("program.{}[{}]", choices.of(&["env", "local"]), choices.below(256)),
        7 => format!(
            "state.{}",
            choices.of(&["fog.params", "material.shininess", "texgen[2].eye.q", "clip[5].plane"])
        ),
        8 => format!("state.matrix.{}.row[{}]", choices.of(&["texture[3]", "mvp.inverse"]), choices.below(4)),
        9 => format!("{{{}, {}}}", choices.number(), choices.number()),
        10 if frame.options => return (choices.number().trim_start_matches('-').to_owned(), false),
        // These numbers have a point or an exponent. The point of a suffix after digits alone would be part
        // of the number.
        10 => choices.of(&["0.5", "2.0", "1e3", ".25e-2"]).to_owned(),
        11 if frame.newest => {
            format!("vertex.{}[{}]", choices.of(&["attrib", "texcoord"]), relative(choices, frame))
        }
        _ => choices.of(&["t0", "t1", "t2", "t3"]).to_owned(),
    };
    (text, true)
}

fn operand(choices: &mut Choices, kind: OperandKind, frame: &Frame) -> String {
    let (base, has_suffix) = source(choices, frame);
    let suffix = match kind {
        _ if !has_suffix => String::new(),
        OperandKind::Scalar => format!(".{}", choices.of(&COMPONENTS)),
        _ => swizzle(choices),
    };
    let inner = choices.of(&["", "-", "+"]);
    if frame.options && choices.below(3) == 0 {
        return format!("{}|{inner}{base}{suffix}|", choices.of(&["", "-", "+"]));
    }
    format!("{inner}{base}{suffix}")
}

fn selectors(choices: &mut Choices) -> String {
    let mut text = String::new();
    for _ in 0..4 {
        let sign = choices.of(&["", "-", "+"]);
        text += &format!(", {sign}{}", choices.of(&["x", "y", "z", "w", "0", "1"]));
    }
    text
}

fn condition(choices: &mut Choices, frame: &Frame) -> String {
    let text = test(choices);
    let (rule, rest) = text.split_at(2);
    let register = if frame.newest { choices.of(&["", "0", "1"]) } else { "" };
    format!(" ({rule}{register}{rest})")
}

fn destination(choices: &mut Choices, info: &Info, frame: &Frame) -> String {
    const RESULTS: [&str; 6] =
        ["color.front.secondary", "color.back", "fogcoord", "pointsize", "texcoord[1]", "position"];
    let bits = 1 + choices.below(15);
    let address = choices.of(&["a0", "a1"]);
    match info.result {
        ResultKind::Address if info.mnemonic == "POPA" => return address.to_owned(),
        ResultKind::Address if !frame.options => return format!("{address}.x"),
        _ => {}
    }
    let register = match choices.below(6) {
        _ if info.result == ResultKind::Address => address.to_owned(),
        0 => "color".to_owned(),
        1 => format!("result.{}", choices.of(&RESULTS[..RESULTS.len() - usize::from(frame.invariant)])),
        2 if frame.options => format!("result.clip[{}]", choices.below(6)),
        3 if frame.newest => format!("result.texcoord[{}]", relative(choices, frame)),
        _ => choices.of(&["t0", "t1", "t2", "t3"]).to_owned(),
    };
    let mask = mask(choices, bits);
    let test = if frame.options && choices.below(3) == 0 { condition(choices, frame) } else { String::new() };
    format!("{register}{mask}{test}")
}

fn statement(choices: &mut Choices, info: &Info, frame: &Frame) -> String {
    // A unit may have one target only.
    const TARGETS: [&str; 4] = ["texture, 2D", "texture[3], CUBE", "texture[15], RECT", "texture[9], 3D"];
    let forms = info.forms(frame.language).expect("an instruction of the language").combinations();
    let suffixes = forms[choices.below(forms.len())].text();
    let mut parts = Vec::new();
    let mut end = String::new();
    if info.result != ResultKind::None {
        parts.push(destination(choices, info, frame));
    }
    for kind in info.operands_in(frame.language) {
        match kind {
            OperandKind::Vector | OperandKind::Scalar => parts.push(operand(choices, *kind, frame)),
            OperandKind::ExtendedSwizzle => {
                let (base, _) = source(choices, frame);
                parts.push(base + &selectors(choices));
            }
            OperandKind::Address => parts.push(choices.of(&["a0", "a1"]).to_owned()),
            OperandKind::Label => parts.push(choices.of(&LABELS).to_owned()),
            OperandKind::BranchCondition if choices.below(2) == 0 => end = condition(choices, frame),
            OperandKind::BranchCondition => {}
            OperandKind::TextureImage if frame.shadow && choices.below(3) == 0 => {
                // The fourth of the four units that a program may use.
                parts.push("texture[1], SHADOW2D".to_owned());
            }
            OperandKind::TextureImage => parts.push(choices.of(&TARGETS[..3]).to_owned()),
            OperandKind::OptionalVector
            | OperandKind::Condition
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::SubroutineVariable
            | OperandKind::VectorOrCondition => {
                unreachable!("not in these languages")
            }
        }
    }
    format!("{}{suffixes} {}{end};\n", info.mnemonic, parts.join(", "))
}

/// Returns a program that loads.
pub fn random_program(list: Vec<u32>) -> String {
    let mut choices = Choices::new(list);
    let language = choices.of(&[Language::ArbVp1, Language::ArbVp1Nv2, Language::ArbVp1Nv3]);
    let frame = Frame {
        language,
        options: language != Language::ArbVp1,
        newest: language == Language::ArbVp1Nv3,
        invariant: choices.below(3) == 0,
        shadow: choices.below(2) == 0,
    };
    let mut text = "!!ARBvp1.0\n".to_owned();
    let wanted = [
        language.option(),
        frame.invariant.then_some("ARB_position_invariant"),
        frame.shadow.then_some("ARB_fragment_program_shadow"),
    ];
    text.extend(wanted.into_iter().flatten().map(|option| format!("OPTION {option};\n")));
    text.push_str(DECLARED);
    let rows: Vec<&Info> = instructions(language).collect();
    let mut labels = LABELS.iter();
    let mut count = 0;
    while !choices.are_spent() && count < 60 {
        if frame.options && choices.below(4) == 0 {
            text.extend(labels.next().map(|label| format!("{label}:\n")));
        }
        let info = rows[choices.below(rows.len())];
        text.push_str(&statement(&mut choices, info, &frame));
        count += 1;
    }
    if frame.options {
        text.extend(labels.map(|label| format!("{label}:\n")));
    }
    text + "END\n"
}

/// Tokens for random texts that need not load.
pub const PIECES: &[&str] = &[
    "MOV",
    "R0",
    "A0",
    "A0.x",
    "TEMP",
    "ADDRESS",
    "PARAM",
    "ATTRIB",
    "OUTPUT",
    "ALIAS",
    "OPTION",
    "END",
    "ARB_position_invariant",
    "NV_vertex_program2",
    "NV_vertex_program3",
    "vertex",
    "vertex.position",
    "vertex.attrib[0]",
    "vertex.weight",
    "result",
    "result.position",
    "result.texcoord",
    "result.clip[0]",
    "state",
    "state.matrix.mvp",
    "row[0..3]",
    "program.env[0]",
    "program.local",
    "texture[0]",
    "2D",
    "=",
    ",",
    ";",
    ".",
    "..",
    "x",
    "xyzw",
    "|",
    "-",
    "+",
    ":",
    "(",
    ")",
    "EQ",
    "LT1",
    "1",
    "0.5",
    "{1,2}",
    "{",
    "}",
    "[",
    "]",
    "BRA",
    "CAL",
    "RET",
    "ARL",
    "ARA",
    "PUSHA",
    "POPA",
    "TXL",
    "SWZ",
    "MADC1_SAT",
    "\n",
    "#",
    "$",
    "\0",
    "\u{e9}",
    " ",
];

#[test]
fn canonical_text_is_what_one_would_write() {
    let source = "!!ARBvp1.0 OPTION ARB_position_invariant; OPTION NV_vertex_program3; ADDRESS a; TEMP t , u;\
        PARAM k[] = {1, -2.5, {3,4}, program.env[2..3]}; PARAM n[4] = { state.matrix.mvp }; ALIAS v = u;\
        ATTRIB p = vertex.attrib[2]; OUTPUT o = result.color.front.secondary; PARAM z = state.matrix.texture.row[0];\
        again: ARLC1 a . xy (GT0.x), +p; MADC0_SAT t.xyz(LT1.wwww), -|k[a.y - 0]|, k[2].x, -n[3].xyzw;\
        MUL o, v, 2.0; SWZ v, z, 0, -x, +1, y; PUSHA a; POPA a.xyzw (TR); TXL u, {1}, texture, CUBE;\
        MOV result.texcoord[a.w+07], vertex.texcoord[a.x-1]; BRA again (NE1.xyzw); RET; END";
    let expected = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nOPTION ARB_position_invariant;\nADDRESS a;\nTEMP t, u;\n\
        PARAM k[5] = { {1, 1, 1, 1}, {-2.5, -2.5, -2.5, -2.5}, {3, 4, 0, 1}, program.env[2], program.env[3] };\n\
        PARAM n[4] = { state.matrix.mvp.row[3], state.matrix.mvp.row[3], state.matrix.mvp.row[3], state.matrix.mvp.row[3] };\n\
        PARAM z = state.matrix.texture[0].row[0];\n\
        again:\nARLC1 a.xy (GT.x), vertex.normal;\nMADC_SAT t.xyz (LT1.w), -|k[a.y]|, k[2].x, -n[3];\n\
        MUL result.color.secondary, u, {2, 2, 2, 2}.x;\nSWZ u, z, 0, -x, 1, y;\nPUSHA a;\nPOPA a (TR);\n\
        TXL u, {1, 0, 0, 1}, texture[0], CUBE;\nMOV result.texcoord[a.w+7], vertex.texcoord[a.x-1];\n\
        BRA again (NE1);\nRET;\nEND\n";
    let program = load(source.as_bytes()).program.unwrap();
    assert_eq!(disassemble(&program), expected);
    assert_prints_and_reloads(program);
}
