//! Random `!!ARBfp1.0` programs, without option and with both NV options.

use std::fmt::Write as _;

use shadestep_engine::front::load;
use shadestep_engine::ir::disassemble;
use shadestep_language::isa::{Info, Language, Opcode, OperandKind, ResultKind, Rule, instructions};

use super::checks::assert_prints_and_reloads;
use super::choices::{COMPONENTS, Choices, mask, swizzle, test};

/// The declarations of every random program.
const DECLARATIONS: &str = "TEMP a, b;\nPARAM one = {1, 2, 3, 4};\nPARAM many[] = { program.env[2..4], -1, state.matrix.mvp };\n\
    PARAM light = state.light[3].half;\nATTRIB place = fragment.position;\nOUTPUT shade = result.color;\nALIAS other = b;\n";
/// More declarations with an NV option. `SHORT` and `LONG` are variables here.
const SIZED: &str = "SHORT TEMP SHORT, c;\nLONG TEMP LONG;\nSHORT OUTPUT deep = result.depth;\n";

/// The context of a random statement.
struct Frame {
    language: Language,
    /// The open blocks, outermost first: `Loop`, `Rep` or `If`.
    open: Vec<Opcode>,
    labels: usize,
}

impl Frame {
    fn has_nv(&self) -> bool {
        self.language != Language::ArbFp1
    }

    fn depth(&self, loops: bool) -> usize {
        self.open.iter().filter(|op| (**op != Opcode::If) == loops).count()
    }
}

/// Returns a register, parameter or constant without suffix, and whether a suffix may follow.
fn source(choices: &mut Choices, frame: &Frame, rule: Rule) -> (String, bool) {
    let bases = [
        "a",
        "b",
        "other",
        "one",
        "light",
        "place",
        "many[0]",
        "many[7]",
        "many[03]",
        "fragment.color",
        "fragment.color.secondary",
        "fragment.texcoord",
        "fragment.texcoord[5]",
        "fragment.fogcoord",
        "program.env[255]",
        "program.local[9]",
        "state.fog.params",
        "state.material.back.shininess",
        "state.lightprod[1].front.diffuse",
        "state.texenv[2].color",
        "state.matrix.texture[1].invtrans.row[2]",
        "state.matrix.modelview.row[0]",
        "state.lightmodel.scenecolor",
        "state.depth.range",
    ];
    match choices.below(8) {
        0 => {
            let count = 1 + choices.below(4);
            let numbers: Vec<String> = (0..count).map(|_| choices.number()).collect();
            (format!("{{{}}}", numbers.join(", ")), true)
        }
        1 => {
            let number = choices.number();
            (number.trim_start_matches('-').to_owned(), !frame.has_nv())
        }
        2 if frame.has_nv() && rule != Rule::WideSource => {
            (choices.of(&["c", "SHORT", "LONG"]).to_owned(), true)
        }
        3 if frame.language == Language::ArbFp1Nv2 => {
            let indexed = frame.open.contains(&Opcode::Loop);
            let offset = choices.of(&["", "+0", "+3", "+9"]);
            let base = if indexed {
                format!("fragment.texcoord[A0.x{offset}]")
            } else {
                "fragment.facing".to_owned()
            };
            (base, true)
        }
        _ => (choices.of(&bases).to_owned(), true),
    }
}

fn operand(choices: &mut Choices, kind: OperandKind, frame: &Frame, rule: Rule) -> String {
    let (base, has_suffix) = source(choices, frame, rule);
    // A space, because `2.x` would be one token.
    let space = if base.starts_with(|c: char| c.is_ascii_digit() || c == '.') { " " } else { "" };
    let suffix = match kind {
        _ if !has_suffix => String::new(),
        OperandKind::Scalar => format!("{space}.{}", choices.of(&COMPONENTS)),
        _ => format!("{space}{}", swizzle(choices)),
    };
    let inner = choices.of(&["", "-", "+"]);
    if frame.has_nv() && choices.below(3) == 0 {
        return format!("{}|{inner}{base}{suffix}|", choices.of(&["", "-", "+"]));
    }
    format!("{inner}{base}{suffix}")
}

fn extended(choices: &mut Choices, frame: &Frame) -> String {
    let (mut text, _) = source(choices, frame, Rule::Free);
    let letters = choices.of(&[["x", "y", "z", "w"], ["r", "g", "b", "a"]]);
    for _ in 0..4 {
        let selector = choices.of(&["0", "1", letters[0], letters[1], letters[2], letters[3]]);
        let _ = write!(text, ", {}{selector}", choices.of(&["", "-", "+"]));
    }
    text
}

fn destination(choices: &mut Choices, rule: Rule, frame: &Frame) -> String {
    let register = match choices.below(6) {
        0 | 1 if frame.has_nv() && rule != Rule::WideDestination => choices.of(&["c", "SHORT", "deep"]),
        0 => "LONG",
        1 => "shade",
        2 => "result.color",
        3 => "other",
        _ => "a",
    };
    let register = if register == "LONG" && !frame.has_nv() { "result.depth" } else { register };
    let bits = 1 + choices.below(if rule == Rule::NoW { 7 } else { 15 });
    let mask = match mask(choices, bits) {
        none if none.is_empty() && rule == Rule::NoW => ".xyz".to_owned(),
        mask => mask,
    };
    let masked = frame.has_nv() && choices.below(3) == 0;
    let condition = if masked { format!(" ({})", test(choices)) } else { String::new() };
    format!("{register}{mask}{condition}")
}

/// Returns the operands of `info`, destination first.
fn operands(choices: &mut Choices, info: &Info, frame: &Frame) -> String {
    let mut parts = Vec::new();
    if info.result != ResultKind::None {
        parts.push(destination(choices, info.rule, frame));
    }
    for kind in info.operands_in(frame.language) {
        parts.push(match kind {
            OperandKind::Vector | OperandKind::Scalar => operand(choices, *kind, frame, info.rule),
            OperandKind::VectorOrCondition if choices.below(2) == 0 => test(choices),
            OperandKind::VectorOrCondition => operand(choices, OperandKind::Vector, frame, info.rule),
            OperandKind::ExtendedSwizzle => extended(choices, frame),
            OperandKind::TextureImage => {
                // A unit may have one target only, so the unit selects the target.
                let unit = choices.below(16);
                let target =
                    ["1D", "2D", "3D", "CUBE", "RECT", "SHADOW1D", "SHADOW2D", "SHADOWRECT"][unit % 8];
                let unit = if unit == 0 { String::new() } else { format!("[{unit}]") };
                format!("texture{unit}, {target}")
            }
            OperandKind::OptionalVector
            | OperandKind::Address
            | OperandKind::Label
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::SubroutineVariable
            | OperandKind::Condition
            | OperandKind::BranchCondition => {
                unreachable!("flow is made elsewhere")
            }
        });
    }
    parts.join(", ")
}

/// Writes a statement that begins, divides, ends or leaves a block, or a call.
fn flow(choices: &mut Choices, frame: &mut Frame, text: &mut String) {
    let condition = |choices: &mut Choices| match choices.below(2) {
        0 => String::new(),
        _ => format!(" ({})", test(choices)),
    };
    match choices.below(8) {
        0 if frame.depth(false) < 48 => {
            let _ = writeln!(text, "IF {};", test(choices));
            frame.open.push(Opcode::If);
        }
        1 | 2 if frame.depth(true) < 4 => {
            let op = choices.of(&[Opcode::Loop, Opcode::Rep]);
            let count = choices.of(&["one", "many[3]", "{3, 1, -1}", "-|2|", "program.local[0].wzyx"]);
            let _ = writeln!(text, "{} {count};", op.info().mnemonic);
            frame.open.push(op);
        }
        3 if frame.depth(true) > 0 => {
            let _ = writeln!(text, "BRK{};", condition(choices));
        }
        4 if frame.open.is_empty() => {
            // A declaration after a label is valid for the whole program.
            let _ = writeln!(text, "l{}: TEMP late{0};", frame.labels);
            frame.labels += 1;
        }
        5 => {
            let _ = writeln!(text, "CAL l0{};", condition(choices));
        }
        6 => {
            let _ = writeln!(text, "RET{};", condition(choices));
        }
        _ => end_block(choices, frame, text),
    }
}

fn end_block(choices: &mut Choices, frame: &mut Frame, text: &mut String) {
    let end = match frame.open.pop() {
        Some(Opcode::Loop) => "ENDLOOP",
        Some(Opcode::Rep) => "ENDREP",
        Some(_) => "ENDIF",
        None => return,
    };
    if end == "ENDIF" && choices.below(2) == 0 {
        text.push_str("ELSE;\n");
    }
    let _ = writeln!(text, "{end};");
}

/// Returns a program that loads.
pub fn random_program(list: Vec<u32>) -> String {
    let mut choices = Choices::new(list);
    let language = choices.of(&[Language::ArbFp1, Language::ArbFp1Nv1, Language::ArbFp1Nv2]);
    let mut frame = Frame { language, open: Vec::new(), labels: 1 };
    let mut text = "!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\n".to_owned();
    for option in ["ARB_fog_exp2", "ARB_draw_buffers", "ARB_fragment_coord_origin_upper_left"] {
        if choices.below(4) == 0 {
            let _ = writeln!(text, "OPTION {option};");
        }
    }
    text.extend(language.option().map(|option| format!("OPTION {option};\n")));
    text.push_str(DECLARATIONS);
    if frame.has_nv() {
        text.push_str(SIZED);
    }
    let rows: Vec<&Info> = instructions(language).filter(|info| is_straight(info)).collect();
    // Forty statements keep temporaries, parameters and instructions within their limits.
    for _ in 0..40 {
        if choices.are_spent() {
            break;
        }
        if language == Language::ArbFp1Nv2 && choices.below(3) == 0 {
            flow(&mut choices, &mut frame, &mut text);
            continue;
        }
        let info = rows[choices.below(rows.len())];
        let forms = info.forms(language).expect("an instruction of the language").combinations();
        let suffixes = forms[choices.below(forms.len())].text();
        let operands = operands(&mut choices, info, &frame);
        let _ = writeln!(text, "{}{suffixes} {operands};", info.mnemonic);
    }
    while !frame.open.is_empty() {
        end_block(&mut choices, &mut frame, &mut text);
    }
    if language == Language::ArbFp1Nv2 {
        text.push_str("l0:\n");
    }
    text + "END\n"
}

/// Returns true for instructions that write a result, and for KIL. All others are control flow.
fn is_straight(info: &Info) -> bool {
    info.result != ResultKind::None || info.opcode == Opcode::Kil
}

/// Tokens for random texts that need not load.
pub const PIECES: &[&str] = &[
    "MOV",
    "MADRC_SAT",
    "TEX",
    "KIL",
    "SWZ",
    "a",
    "A0",
    "fragment",
    "fragment.texcoord[A0.x+1]",
    "program.env[0]",
    "state.matrix.mvp",
    "result.color",
    "texture[0]",
    "2D",
    "SHADOW2D",
    ",",
    ";",
    ".",
    "..",
    "x",
    "xyzw",
    "rgb",
    "|",
    "-",
    "+",
    ":",
    "=",
    "(",
    ")",
    "EQ",
    "1",
    ".5",
    "IF",
    "ELSE",
    "ENDIF",
    "LOOP",
    "ENDLOOP",
    "REP",
    "ENDREP",
    "BRK",
    "CAL",
    "RET",
    "l0",
    "TEMP",
    "SHORT",
    "PARAM",
    "ATTRIB",
    "OUTPUT",
    "ALIAS",
    "END",
    "\n",
    "#",
    "OPTION",
    "NV_fragment_program2",
    "ARB_fog_exp",
    "[",
    "]",
    "{",
    "}",
    "\0",
    "\u{e9}",
    " ",
];

/// Every instruction of every table with every suffix that it takes, each in a program of its own.
#[test]
fn every_form_of_every_row_prints_and_loads_again() {
    let mut tried = 0;
    for language in [Language::ArbFp1, Language::ArbFp1Nv1, Language::ArbFp1Nv2] {
        let option = language.option().map_or(String::new(), |option| format!("OPTION {option};\n"));
        let nv = if option.is_empty() { "" } else { SIZED };
        for info in instructions(language) {
            for suffixes in info.forms(language).unwrap().combinations() {
                // Fixed choices that differ from form to form.
                for round in 0..4_u32 {
                    let list = (0..64_u32)
                        .map(|n| (n * 7 + tried).wrapping_mul(2_654_435_761) >> (3 + round))
                        .collect();
                    let mut choices = Choices::new(list);
                    let frame = Frame { language, open: Vec::new(), labels: 1 };
                    let name = format!("{}{}", info.mnemonic, suffixes.text());
                    let statement = match info.opcode {
                        _ if is_straight(info) => format!("{name} {};", operands(&mut choices, info, &frame)),
                        Opcode::If => format!("{name} {}; ENDIF;", test(&mut choices)),
                        Opcode::Else => format!("IF GT; {name}; ENDIF;"),
                        Opcode::Endif => format!("IF LE.w; {name};"),
                        Opcode::Loop => format!("{name} one.yxzw; ENDLOOP;"),
                        Opcode::Endloop => format!("LOOP -|many[5]|; {name};"),
                        Opcode::Rep => format!("{name} 3; ENDREP;"),
                        Opcode::Endrep => format!("REP state.fog.params; {name};"),
                        Opcode::Brk => format!("REP 3; {name} ({}); {name}; ENDREP;", test(&mut choices)),
                        Opcode::Cal => format!("l: {name} l ({}); {name} l;", test(&mut choices)),
                        _ => format!("{name} ({}); {name};", test(&mut choices)),
                    };
                    let text = format!(
                        "!!ARBfp1.0\n{option}OPTION ARB_fragment_program_shadow;\n{DECLARATIONS}{nv}{statement}\nEND\n"
                    );
                    let loaded = load(text.as_bytes());
                    let program =
                        loaded.program.unwrap_or_else(|| panic!("{text}\n{:#?}", loaded.diagnostics));
                    assert_eq!(program.language, language);
                    assert_prints_and_reloads(program);
                    tried += 1;
                }
            }
        }
    }
    // The number of forms in the tables: without option, with NV_fragment_program, with NV_fragment_program2.
    assert_eq!(tried, 4 * (65 + 553 + 975));
}

#[test]
fn canonical_text_is_what_one_would_write() {
    let source = "!!ARBfp1.0 OPTION ARB_fog_exp2;OPTION NV_fragment_program2;TEMP a;SHORT TEMP h;TEMP b;\
        PARAM p[]={program.env[7],1,state.matrix.mvp.inverse.row[1..2]};OUTPUT o=result.color;SHORT OUTPUT d=result.depth;\
        ALIAS c=b;f:MADHC_SSAT a.xy(GT.x),+p[2],-|p[ 1 ].yzxw|,2;MOV c,{1}.x;LOOP{3,0,1};IF LT.xxxx;\
        MOV h,fragment.texcoord[A0.x+02].wwww;ELSE;BRK(NE.xyzw);ENDIF;ENDLOOP;MOVR h,a;TEX o.rgba,h,texture,CUBE;\
        MOV d.z,fragment.color.primary;SWZ a,b,r,-1,0,-a;KIL EQ.rrrr;KIL -b;CAL f(TR);RET;END";
    let expected = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nOPTION ARB_fog_exp2;\nTEMP a;\nSHORT TEMP h;\nTEMP b;\n\
        PARAM p[3] = { {1, 1, 1, 1}, {1, 1, 1, 1}, state.matrix.mvp.inverse.row[1] };\n\
        SHORT OUTPUT short_result1 = result.depth;\n\
        f:\nMADHC_SSAT a.xy (GT.x), p[2], -|p[1].yzxw|, {2, 2, 2, 2}.x;\nMOV b, {1, 0, 0, 1}.x;\nLOOP {3, 0, 1, 1};\n  IF LT.x;\n    \
        MOV h, fragment.texcoord[A0.x+2].w;\n  ELSE;\n    BRK (NE);\n  ENDIF;\nENDLOOP;\nMOVR h, a;\n\
        TEX result.color, h, texture[0], CUBE;\nMOV short_result1.z, fragment.color;\nSWZ a, b, x, -1, 0, -w;\nKIL EQ.x;\nKIL -b;\n\
        CAL f (TR);\nRET;\nEND\n";
    let program = load(source.as_bytes()).program.unwrap();
    assert_eq!(disassemble(&program), expected);
    assert_prints_and_reloads(program);
}
