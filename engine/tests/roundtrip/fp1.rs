//! Random `!!FP1.0` programs.

use shadestep_engine::front::load;
use shadestep_engine::ir::disassemble;
use shadestep_language::isa::{Info, Language, Opcode, OperandKind, ResultKind, Rule, instructions};

use super::checks::assert_prints_and_reloads;
use super::choices::{COMPONENTS, Choices, swizzle, test};

/// The operands of one instruction besides temporaries: one attribute and one kind of parameter.
struct Palette {
    attribute: &'static str,
    /// Parameters that one instruction may read together: constants that merge, or one parameter. The flag is
    /// true for a scalar without a suffix.
    parameters: Vec<(String, bool)>,
}

fn palette(choices: &mut Choices) -> Palette {
    let attribute = choices.of(&["f[WPOS]", "f[COL0]", "f[COL1]", "f[FOGC]", "f[TEX0]", "f[TEX7]"]);
    let vector = |c: &mut Choices, n: usize| -> String {
        format!("{{{}}}", (0..n).map(|_| c.number()).collect::<Vec<_>>().join(", "))
    };
    let parameters = match choices.below(6) {
        0 => vec![("p[5]".to_owned(), false)],
        1 => vec![("local".to_owned(), false)],
        2 => vec![("late".to_owned(), false)],
        3 => {
            let n = 1 + choices.below(4);
            vec![(vector(choices, n), false)]
        }
        4 => {
            let scalars = [choices.number(), choices.number(), choices.number()];
            scalars.into_iter().map(|s| (s, true)).collect()
        }
        // Constants with 0, 1, 2 and -1 at most, so that they merge into one vector.
        _ => vec![
            ("2".to_owned(), true),
            ("-1".to_owned(), true),
            ("two".to_owned(), true),
            ("{2}".to_owned(), false),
            ("vec".to_owned(), false),
            ("{-1,-1,2,0}".to_owned(), false),
        ],
    };
    Palette { attribute, parameters }
}

fn operand(choices: &mut Choices, kind: OperandKind, rule: Rule, palette: &Palette) -> String {
    let (base, is_scalar) = match choices.below(4) {
        0 => palette.parameters[choices.below(palette.parameters.len())].clone(),
        1 => (palette.attribute.to_owned(), false),
        2 if rule != Rule::WideSource => (format!("H{}", choices.below(20)), false),
        _ => (format!("R{}", choices.below(8)), false),
    };
    let suffix = match kind {
        _ if is_scalar => String::new(),
        OperandKind::Scalar => format!(".{}", choices.of(&COMPONENTS)),
        _ => swizzle(choices),
    };
    // A number with a sign takes no second sign. A minus before an unsigned number would make another scalar,
    // so only a plus may precede.
    let inner = match base.as_bytes().first() {
        Some(b'-') => "",
        Some(b'0'..=b'9') => choices.of(&["", "+"]),
        _ => choices.of(&["", "-", "+"]),
    };
    match choices.below(3) {
        0 => format!("{}|{inner}{base}{suffix}|", choices.of(&["", "-", "+"])),
        _ => format!("{inner}{base}{suffix}"),
    }
}

fn destination(choices: &mut Choices, rule: Rule, color: &str) -> String {
    let register = match choices.below(5) {
        0 if rule != Rule::WideDestination => format!("H{}", choices.below(20)),
        1 if rule != Rule::WideDestination => choices.of(&["HC", color]).to_owned(),
        2 => choices.of(&["RC", "o[DEPR]"]).to_owned(),
        _ => format!("R{}", choices.below(8)),
    };
    let bits = if rule == Rule::NoW { 1 + choices.below(7) } else { 1 + choices.below(15) };
    let letters: String = (0..4).filter(|i| bits >> i & 1 != 0).map(|i| COMPONENTS[i]).collect();
    let mask = if rule != Rule::NoW && choices.below(2) == 0 { String::new() } else { format!(".{letters}") };
    let condition = if choices.below(3) == 0 { format!(" ({})", test(choices)) } else { String::new() };
    format!("{register}{mask}{condition}")
}

fn statement(choices: &mut Choices, info: &Info, color: &str) -> String {
    let forms =
        info.forms(Language::Fp1).expect("every row is an instruction of the language").combinations();
    let suffixes = forms[choices.below(forms.len())].text();
    let palette = palette(choices);
    let mut parts = Vec::new();
    if info.result != ResultKind::None {
        parts.push(destination(choices, info.rule, color));
    }
    for kind in info.operands {
        parts.push(match kind {
            OperandKind::Address
            | OperandKind::Label
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::SubroutineVariable
            | OperandKind::BranchCondition
            | OperandKind::VectorOrCondition
            | OperandKind::OptionalVector
            | OperandKind::ExtendedSwizzle => unreachable!("not in this language"),
            OperandKind::Condition => test(choices),
            OperandKind::TextureImage => {
                // A unit may have one target only, so the unit selects the target.
                let unit = choices.below(16);
                format!("TEX{unit}, {}", ["1D", "2D", "3D", "CUBE", "RECT"][unit % 5])
            }
            OperandKind::Vector | OperandKind::Scalar => operand(choices, *kind, info.rule, &palette),
        });
    }
    format!("{}{suffixes} {};\n", info.mnemonic, parts.join(", "))
}

/// Returns a program that loads.
pub fn random_program(list: Vec<u32>) -> String {
    let mut choices = Choices::new(list);
    let color = choices.of(&["o[COLR]", "o[COLH]"]);
    let options = [
        "",
        "OPTION ARB_fragment_coord_origin_upper_left;\n",
        "OPTION ARB_fragment_coord_pixel_center_integer;\n",
        "OPTION ARB_fragment_coord_pixel_center_integer; OPTION ARB_fragment_coord_origin_upper_left;\n",
    ];
    let mut text = format!(
        "!!FP1.0\n{}DEFINE two = 2;\nDEFINE vec = {{2, -1}};\nDECLARE local = {{1e-3, -7}};\n",
        choices.of(&options)
    );
    text.push_str(&statement(&mut choices, Opcode::Add.info(), color).replace("late", "local"));
    text.push_str("DECLARE late = -3.5;\n");
    while !choices.are_spent() {
        let rows: Vec<&Info> = instructions(Language::Fp1).collect();
        let info = rows[choices.below(rows.len())];
        text.push_str(&statement(&mut choices, info, color));
    }
    text + &format!("MOV {color}, R0;\nEND\n")
}

/// Tokens for random texts that need not load.
pub const PIECES: &[&str] = &[
    "MOV",
    "R0",
    "R31",
    "H63",
    "o[COLR]",
    "f[TEX0]",
    "p[0]",
    ",",
    ";",
    ".",
    "x",
    "xyzw",
    "|",
    "-",
    "+",
    "{",
    "}",
    "(",
    ")",
    "EQ",
    "1",
    "2.5",
    "1e",
    "DEFINE",
    "DECLARE",
    "a",
    "=",
    "END",
    "\n",
    "#",
    "TEX1",
    "2D",
    "KIL",
    "RFL",
    "OPTION",
    "ARB_fragment_coord_origin_upper_left",
    "[",
    "]",
    "\0",
    "\u{e9}",
    " ",
];

#[test]
fn canonical_text_is_what_one_would_write() {
    let source = "!!FP1.0\nDEFINE half = 0.5; DECLARE tint={1,0.5,0.25}; DECLARE zero;\nMADR_SAT R0.xyz(GT.x),+R1,-|R2.yzxw|,half;\
        MULX H0, R0.xyzw, 2.50; MADH H1, H0, 2, -1; MOV R1, -half; ADD R1, {1,2,3,4}.xxxx, 4; ADDR H2, f[TEX0], tint; \
        TEXC o[COLR], R0, TEX3, CUBE; KIL LT.x; DP3 RC.w, R0, zero; POWH R0.x, p[3].x, R1.w; MOV o[DEPR].z, 1e30; END";
    let program = load(source.as_bytes()).program.unwrap();
    let expected = "!!FP1.0\nDECLARE tint = {1, 0.5, 0.25, 1};\nDECLARE zero;\n\
        MAD_SAT R0.xyz (GT.x), R1, -|R2.yzxw|, 0.5;\nMULX H0, R0, 2.5;\nMAD H1, H0, 2, -1;\n\
        MOV R1, -{0.5, 0, 0, 0}.x;\nADD R1, {1, 2, 3, 4}.x, {1, 2, 3, 4}.w;\nADDR H2, f[TEX0], tint;\n\
        TEXC o[COLR], R0, TEX3, CUBE;\nKIL LT.x;\nDP3 RC.w, R0, zero;\nPOWH R0.x, p[3].x, R1.w;\n\
        MOV o[DEPR].z, 1e30;\nEND\n";
    assert_eq!(disassemble(&program), expected);
    assert_prints_and_reloads(program);
}
