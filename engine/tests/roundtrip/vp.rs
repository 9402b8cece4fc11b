//! Random programs of the four vertex languages.

use shadestep_engine::front::load;
use shadestep_engine::ir::{VertexResult, disassemble};
use shadestep_language::isa::{Info, Language, OperandKind, Profile, ResultKind, instructions};

use super::checks::assert_prints_and_reloads;
use super::choices::{COMPONENTS, Choices, mask, swizzle, test};

/// Names of the labels that branches go to.
const LABELS: [&str; 5] = ["main", "l0", "R0", "_x", "a_longer_label"];

/// The context of a random statement.
struct Frame {
    language: Language,
    profile: &'static Profile,
    newest: bool,
    invariant: bool,
}

/// The operands of one instruction besides temporaries: one attribute and one parameter.
struct Palette {
    attribute: String,
    parameter: String,
}

fn palette(choices: &mut Choices, frame: &Frame) -> Palette {
    let attribute = match frame.language {
        Language::Vsp1 => "v[0]".to_owned(),
        _ if choices.below(2) == 0 => format!("v[{}]", choices.below(16)),
        _ => format!("v[{}]", choices.of(&["OPOS", "WGHT", "NRML", "COL0", "COL1", "FOGC", "TEX0", "TEX7"])),
    };
    let relative = choices.below(3) == 0 && !(frame.invariant && frame.language == Language::Vp1_1);
    let parameter = if relative {
        let address = choices.below(frame.profile.limits.addresses);
        let component = COMPONENTS[choices.below(frame.profile.addresses.components.len())];
        let (low, high) = frame.profile.addresses.offsets;
        let offset = low + choices.below((high - low + 1) as usize) as i64;
        let offset = if offset == 0 && choices.below(2) == 0 { String::new() } else { format!("{offset:+}") };
        format!("c[A{address}.{component}{offset}]")
    } else {
        format!("c[{}]", choices.below(frame.profile.limits.parameters))
    };
    Palette { attribute, parameter }
}

fn operand(choices: &mut Choices, kind: OperandKind, frame: &Frame, palette: &Palette) -> String {
    let base = match choices.below(3) {
        0 => palette.parameter.clone(),
        1 => palette.attribute.clone(),
        _ => format!("R{}", choices.below(frame.profile.limits.temporaries)),
    };
    let suffix = match kind {
        OperandKind::Scalar => format!(".{}", choices.of(&COMPONENTS)),
        _ => swizzle(choices),
    };
    let signs: &[&str] = if frame.newest { &["", "-", "+"] } else { &["", "-"] };
    let inner = choices.of(signs);
    if frame.newest && choices.below(3) == 0 {
        return format!("{}|{inner}{base}{suffix}|", choices.of(signs));
    }
    format!("{inner}{base}{suffix}")
}

fn destination(choices: &mut Choices, info: &Info, frame: &Frame) -> String {
    let bits = 1 + choices.below(15);
    if info.result == ResultKind::Address && !frame.newest {
        return "A0.x".to_owned();
    }
    let register = match choices.below(4) {
        _ if info.result == ResultKind::Address => format!("A{}", choices.below(2)),
        0 if frame.newest => "CC".to_owned(),
        1 | 2 if frame.language == Language::Vsp1 => format!("c[{}]", choices.below(96)),
        1 | 2 => {
            let results = VertexResult::ALL.into_iter().filter(|result| result.is_in(frame.language));
            let results: Vec<VertexResult> = results.skip(usize::from(frame.invariant)).collect();
            format!("o[{}]", choices.of(&results).name())
        }
        _ => format!("R{}", choices.below(frame.profile.limits.temporaries)),
    };
    let mask = mask(choices, bits);
    let masked = frame.newest && choices.below(3) == 0;
    let condition = if masked { format!(" ({})", test(choices)) } else { String::new() };
    format!("{register}{mask}{condition}")
}

fn statement(choices: &mut Choices, info: &Info, frame: &Frame) -> String {
    let forms = info.forms(frame.language).expect("an instruction of the language").combinations();
    let suffixes = forms[choices.below(forms.len())].text();
    let palette = palette(choices, frame);
    let mut parts = Vec::new();
    let mut condition = String::new();
    if info.result != ResultKind::None {
        parts.push(destination(choices, info, frame));
    }
    for kind in info.operands_in(frame.language) {
        match kind {
            OperandKind::Vector | OperandKind::Scalar => {
                parts.push(operand(choices, *kind, frame, &palette));
            }
            OperandKind::Address => parts.push(format!("A{}", choices.below(2))),
            OperandKind::Label => parts.push(choices.of(&LABELS).to_owned()),
            OperandKind::BranchCondition if choices.below(2) == 0 => {
                condition = format!(" ({})", test(choices));
            }
            OperandKind::BranchCondition => {}
            OperandKind::OptionalVector
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::SubroutineVariable
            | OperandKind::Condition
            | OperandKind::TextureImage
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle => unreachable!("not in these languages"),
        }
    }
    format!("{}{suffixes} {}{condition};\n", info.mnemonic, parts.join(", "))
}

/// Returns a program of `language` that loads.
pub fn random_program(language: Language, list: Vec<u32>) -> String {
    let mut choices = Choices::new(list);
    let profile = language.profile();
    let frame = Frame {
        language,
        profile,
        newest: profile.labels,
        invariant: profile.has_options() && choices.below(3) == 0,
    };
    let mut text = format!("{}\n", language.header());
    if frame.invariant {
        text.push_str("OPTION NV_position_invariant;\n");
    }
    let rows: Vec<&Info> = instructions(language).collect();
    let mut labels = LABELS.iter();
    let mut count = 0;
    // Leaves room for one more instruction, and for the four that a position-invariant program loses.
    while !choices.are_spent() && count < profile.limits.instructions - 5 {
        if frame.newest && choices.below(4) == 0 {
            text.extend(labels.next().map(|label| format!("{label}:\n")));
        }
        let info = rows[choices.below(rows.len())];
        text.push_str(&statement(&mut choices, info, &frame));
        count += 1;
    }
    text.push_str(match language {
        Language::Vsp1 => "MOV c[0].y, v[0];\n",
        _ if frame.invariant => "MOV o[COL0], v[COL0];\n",
        _ => "MOV o[HPOS], v[OPOS];\n",
    });
    if frame.newest {
        text.extend(labels.map(|label| format!("{label}:\n")));
    }
    text + "END\n"
}

/// Tokens for random texts that need not load.
pub const PIECES: &[&str] = &[
    "MOV",
    "R0",
    "R12",
    "CC",
    "A0",
    "A1.w",
    "o[HPOS]",
    "v[OPOS]",
    "c[0]",
    "c[A0.x+3]",
    ",",
    ";",
    ".",
    "x",
    "xyzw",
    "|",
    "-",
    "+",
    ":",
    "loop",
    "(",
    ")",
    "EQ",
    "1",
    "BRA",
    "RET",
    "ARL",
    "ARA",
    "MADC",
    "END",
    "\n",
    "#",
    "OPTION",
    "NV_position_invariant",
    "[",
    "]",
    "{",
    "\0",
    "\u{e9}",
    " ",
];

#[test]
fn canonical_text_is_what_one_would_write() {
    let source = "!!VP2.0 OPTION NV_position_invariant; loop :again: MADC R0.xyz(GT.x),+R1,-|v[ 2 ].yzxw|,c[ A1.y - 0 ];\
        BRA done(LT.xxxx); CAL again; MOVC CC.w,c[007].xyzw; ARL A0 . x y, -v[6].wwww; ARAC A1,A0; RET (NE.xyzw);\
        MUL o[CLP3].x,c[A0.z+07],R0; BRA loop; RET; done: END";
    let expected = "!!VP2.0\nOPTION NV_position_invariant;\nloop:\nagain:\nMADC R0.xyz (GT.x), R1, -|v[NRML].yzxw|, c[A1.y];\n\
        BRA done (LT.x);\nCAL loop;\nMOVC CC.w, c[7];\nARL A0.xy, -v[6].w;\nARAC A1, A0;\nRET (NE);\n\
        MUL o[CLP3].x, c[A0.z+7], R0;\nBRA loop;\nRET;\ndone:\nEND\n";
    let program = load(source.as_bytes()).program.unwrap();
    assert_eq!(disassemble(&program), expected);
    assert_prints_and_reloads(program);

    let source = "!!VSP1.0 ARL A0.x,v[0].x; DP4 c[5].x,c[A0.x-64],v[0].xyzw; RSQ c[6],-c[5].x; END";
    let expected = "!!VSP1.0\nARL A0.x, v[0].x;\nDP4 c[5].x, c[A0.x-64], v[0];\nRSQ c[6], -c[5].x;\nEND\n";
    let program = load(source.as_bytes()).program.unwrap();
    assert_eq!(disassemble(&program), expected);
    assert_prints_and_reloads(program);
}
