//! Random `!!ARBvp1.0` programs, without option and with both NV options.

use std::fmt::Write as _;

use shadestep_engine::isa::{Info, Language, Opcode, OperandKind, ResultKind, instructions};

use crate::choices::{COMPONENTS, Choices, mask, swizzle};

/// What every random program declares.
const DECLARATIONS: &str = "TEMP a, b;\nADDRESS A0, index;\nTEMP c;\nPARAM one = {1, 2, 3, 4};\n\
    PARAM many[] = { program.env[2..4], -1, state.matrix.mvp };\nPARAM rows[4] = { state.matrix.modelview.inverse };\n\
    ATTRIB place = vertex.attrib[7];\nOUTPUT shade = result.color.back;\nALIAS other = b;\n";

/// A condition test, which may name a register with the newest option.
fn test(choices: &mut Choices, language: Language) -> String {
    let register = if language == Language::ArbVp1Nv3 { choices.of(&["", "0", "1"]) } else { "" };
    format!("{}{register}{}", choices.of(&["EQ", "GE", "GT", "LE", "LT", "NE", "TR", "FL"]), swizzle(choices))
}

/// `A0.x+3`, as far as the language goes.
fn index(choices: &mut Choices, language: Language) -> String {
    let register = choices.of(&["A0", "index"]);
    let component = if language == Language::ArbVp1 { "x" } else { choices.of(&COMPONENTS) };
    format!("{register}.{component}{}", choices.of(&["", "+0", "-64", "+63", "-1"]))
}

fn operand(choices: &mut Choices, kind: OperandKind, language: Language) -> String {
    let has_nv = language != Language::ArbVp1;
    let bases = [
        "a",
        "other",
        "c",
        "one",
        "many[5]",
        "place",
        "vertex.position",
        "vertex.color.secondary",
        "vertex.texcoord[2]",
        "program.env[9]",
        "program.local[255]",
        "state.light[2].spot.direction",
        "state.texgen[1].object.q",
        "state.clip[3].plane",
        "state.matrix.program[2].transpose.row[1]",
        "{1, -2}",
    ];
    let base = match choices.below(5) {
        0 => format!("many[{}]", index(choices, language)),
        1 => format!("rows[{}]", index(choices, language)),
        2 if language == Language::ArbVp1Nv3 => format!("vertex.texcoord[{}]", index(choices, language)),
        _ => choices.of(&bases).to_owned(),
    };
    let suffix = match kind {
        OperandKind::Scalar => format!(".{}", choices.of(&COMPONENTS)),
        _ => swizzle(choices),
    };
    let inner = choices.of(&["", "-", "+"]);
    if has_nv && choices.below(3) == 0 {
        return format!("{}|{inner}{base}{suffix}|", choices.of(&["", "-", "+"]));
    }
    format!("{inner}{base}{suffix}")
}

fn destination(choices: &mut Choices, info: &Info, language: Language) -> String {
    if info.loads_one_address(language) {
        return format!("{}.x", choices.of(&["A0", "index"]));
    }
    let whole = info.opcode == Opcode::Popa;
    let register = match choices.below(4) {
        _ if info.result == ResultKind::Address => choices.of(&["A0", "index"]).to_owned(),
        0 if language == Language::ArbVp1Nv3 => format!("result.texcoord[{}]", index(choices, language)),
        0 | 1 => {
            choices.of(&["result.position", "shade", "result.pointsize", "result.texcoord[3]"]).to_owned()
        }
        _ => choices.of(&["a", "other", "c"]).to_owned(),
    };
    let bits = 1 + choices.below(15);
    let mask = if whole { String::new() } else { mask(choices, bits) };
    let masked = language != Language::ArbVp1 && !whole && choices.below(3) == 0;
    let condition = if masked { format!(" ({})", test(choices, language)) } else { String::new() };
    format!("{register}{mask}{condition}")
}

fn statement(choices: &mut Choices, info: &Info, language: Language) -> String {
    let forms = info.forms(language).expect("an instruction of the language").combinations();
    let suffixes = forms[choices.below(forms.len())].text();
    let mut parts = Vec::new();
    let mut condition = String::new();
    if info.result != ResultKind::None {
        parts.push(destination(choices, info, language));
    }
    for kind in info.operands_in(language) {
        match kind {
            OperandKind::Vector | OperandKind::Scalar => parts.push(operand(choices, *kind, language)),
            OperandKind::Address => parts.push(choices.of(&["A0", "index"]).to_owned()),
            OperandKind::Label => parts.push(choices.of(&["first", "last"]).to_owned()),
            OperandKind::BranchCondition if choices.below(2) == 0 => {
                condition = format!(" ({})", test(choices, language));
            }
            OperandKind::BranchCondition => {}
            OperandKind::ExtendedSwizzle => {
                let mut text = choices.of(&["a", "place", "many[2]", "{1, 2}"]).to_owned();
                for _ in 0..4 {
                    let _ = write!(
                        text,
                        ", {}{}",
                        choices.of(&["", "-", "+"]),
                        choices.of(&["0", "1", "x", "w"])
                    );
                }
                parts.push(text);
            }
            OperandKind::TextureImage => {
                // One target a unit, and four units.
                let unit = choices.below(4);
                parts.push(format!("texture[{}], {}", 4 * unit, ["1D", "2D", "CUBE", "RECT"][unit]));
            }
            OperandKind::Condition | OperandKind::VectorOrCondition => unreachable!("of fragment programs"),
        }
    }
    format!("{}{suffixes} {}{condition};\n", info.mnemonic, parts.join(", "))
}

/// A program that loads.
pub fn random_program(list: Vec<u32>) -> String {
    let mut choices = Choices::new(list);
    let language = choices.of(&[Language::ArbVp1, Language::ArbVp1Nv2, Language::ArbVp1Nv3]);
    let mut text = "!!ARBvp1.0\n".to_owned();
    text.extend(language.option().map(|option| format!("OPTION {option};\n")));
    text.push_str(DECLARATIONS);
    let labels = language != Language::ArbVp1;
    text.push_str(if labels { "first:\n" } else { "" });
    let rows: Vec<&Info> = instructions(language).collect();
    // Within the limits of instructions and parameters.
    for _ in 0..60 {
        if choices.are_spent() {
            break;
        }
        let info = rows[choices.below(rows.len())];
        text.push_str(&statement(&mut choices, info, language));
    }
    text.push_str(if labels { "last:\n" } else { "" });
    text + "END\n"
}

/// Tokens of the languages, for salad.
pub const PIECES: &[&str] = &[
    "MOV",
    "MADC1_SAT",
    "ARL",
    "SWZ",
    "PUSHA",
    "POPA",
    "a",
    "A0",
    "A0.x+3",
    "vertex.attrib[0]",
    "vertex.texcoord[A0.x]",
    "program.env[0]",
    "state.matrix.mvp",
    "result.position",
    "result.clip[1]",
    "texture[0]",
    "2D",
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
    "=",
    "(",
    ")",
    "EQ",
    "EQ1",
    "1",
    "BRA",
    "CAL",
    "RET",
    "first",
    "TEMP",
    "ADDRESS",
    "PARAM",
    "ATTRIB",
    "OUTPUT",
    "ALIAS",
    "END",
    "\n",
    "#",
    "OPTION",
    "NV_vertex_program3",
    "ARB_position_invariant",
    "[",
    "]",
    "{",
    "}",
    "\0",
    "\u{e9}",
    " ",
];
