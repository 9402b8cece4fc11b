//! What `!!FP1.0` programs load and what they are refused for, with the place.
//!
//! In refused texts `@` marks where the error must be; it is no character of the language. Cases follow
//! the grammar of NV_fragment_program 3.11.3 and the load rules of 3.11.1, 3.11.2 and 3.11.5.

use shadestep_engine::diag::{Severity, error_position, first_error};
use shadestep_engine::front::{Loaded, MAX_DIAGNOSTICS, load};
use shadestep_engine::ir::{
    self, CcTest, Condition, ParamId, ParameterSource, Source, Swizzle, TextureRef, TextureTarget, Type,
    WriteMask,
};
use shadestep_engine::isa::{Info, Language, OperandKind, Precision, ResultKind, Suffixes, TABLE};
use shadestep_engine::source::Span;

/// Everything loaded passes the verifier; everything refused has an error.
fn load_checked(text: &str) -> Loaded {
    let loaded = load(text.as_bytes());
    match &loaded.program {
        Some(program) => {
            assert_eq!(ir::verify(program), Ok(()), "{text}");
            assert_eq!(error_position(&loaded.diagnostics), -1);
        }
        None => assert!(first_error(&loaded.diagnostics).is_some(), "refused without an error: {text}"),
    }
    loaded
}

fn around(body: &str) -> String {
    format!("!!FP1.0\n{body}\nMOV o[COLR], R0;\nEND\n")
}

#[track_caller]
fn accepts(body: &str) -> ir::Program {
    accepts_whole(&around(body))
}

#[track_caller]
fn accepts_whole(text: &str) -> ir::Program {
    let loaded = load_checked(text);
    loaded.program.unwrap_or_else(|| panic!("{text}\nrefused: {:#?}", loaded.diagnostics))
}

/// `body` must be refused with exactly one error, `code` at `@`.
#[track_caller]
fn refuses(code: &str, body: &str) {
    refuses_whole(code, &around(body));
}

#[track_caller]
fn refuses_whole(code: &str, marked: &str) {
    let position = marked.find('@').expect("the place is marked");
    let text = marked.replacen('@', "", 1);
    let loaded = load_checked(&text);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let found: Vec<_> = errors.iter().map(|d| (d.code, d.position)).collect();
    assert_eq!(found, [(code, position)], "{text}\n{errors:#?}");
    assert!(!errors[0].message.is_empty() && errors[0].spec.starts_with("NV_"));
}

/// An instruction of the table with operands that suit it, under `name`.
fn instance(info: &Info, name: &str) -> String {
    let mut parts = Vec::new();
    if info.result != ResultKind::None {
        // RFL takes no w.
        parts.push("R0.xyz");
    }
    for kind in info.operands {
        parts.push(match kind {
            OperandKind::Vector => "R1",
            OperandKind::Scalar => "R1.x",
            OperandKind::Condition => "NE.w",
            OperandKind::TextureImage => "TEX3, 2D",
        });
    }
    format!("{name} {};", parts.join(", "))
}

#[test]
fn every_instruction_loads_with_every_suffix_it_takes() {
    for info in TABLE {
        for suffixes in info.forms(Language::Fp1).unwrap().combinations() {
            let name = format!("{}{}", info.mnemonic, suffixes.text());
            let program = accepts(&instance(info, &name));
            let found = &program.instructions[0];
            assert_eq!(found.op, info.opcode);
            assert_eq!((found.update_cc, found.saturate), (suffixes.cc, suffixes.sat), "{name}");
            let ty = match suffixes.precision {
                None | Some(Precision::R) => Type::F32,
                Some(Precision::H) => Type::F16,
                Some(Precision::X) => Type::Fx12,
            };
            assert_eq!(found.ty, ty, "{name}");
            assert_eq!(found.mnemonic_span, Span::new(8, 8 + name.len()));
            assert_eq!(found.span.start, 8);
        }
    }
}

#[test]
fn every_other_suffix_is_refused_and_the_legal_forms_are_named() {
    let mut tried = 0;
    for info in TABLE {
        let legal: Vec<String> =
            info.forms(Language::Fp1).unwrap().combinations().into_iter().map(Suffixes::text).collect();
        for precision in ["", "R", "H", "X", "RH", "CR", "CC"] {
            for cc in ["", "C"] {
                for sat in ["", "_SAT", "_SSAT"] {
                    let suffix = format!("{precision}{cc}{sat}");
                    let name = format!("{}{suffix}", info.mnemonic);
                    // FRC with a precision C is FRCC, and so on: some strings are another legal form.
                    if legal.contains(&suffix) {
                        continue;
                    }
                    tried += 1;
                    let text = around(&format!("{name} R0;"));
                    let loaded = load_checked(&text);
                    let fault = first_error(&loaded.diagnostics).unwrap();
                    assert_eq!((fault.code, fault.position), ("fp1-bad-suffix", 8), "{name}");
                    if legal.len() > 1 {
                        let note = &fault.notes[0];
                        for form in &legal {
                            let form = format!("{}{form}", info.mnemonic);
                            assert!(note.split([' ', ',', '.']).any(|w| w == form), "{name}: {form}: {note}");
                        }
                    }
                }
            }
        }
    }
    assert!(tried > 1000);
}

#[test]
fn every_kind_of_operand_loads() {
    for operand in [
        "R0",
        "H63",
        "R31.x",
        "R1.yzwx",
        "-R1",
        "+R1",
        "|R1|",
        "-|R1|",
        "+|R1|",
        "|-R1|",
        "-|-R1.x|",
        "f[WPOS]",
        "f[COL0].w",
        "-|f[FOGC]|",
        "f[TEX7].xyxy",
        "p[0]",
        "p[63].x",
        "-p[12].wzyx",
        "2",
        "-2",
        "+2.5",
        "|-4|",
        "-|4|",
        ".5",
        "1.",
        "1e3",
        "1.5E-3",
        "1E+06",
        "{1}",
        "{1,2}.x",
        "{1,2,3}.zyxw",
        "-{1,2,3,4}",
        "|-{-1,-2}|",
        "a",
        "-a",
        "+a",
        "|a|",
        "v",
        "v.x",
        "-v.wzyx",
        "|v|",
        "d",
        "d.w",
        "-|d|",
        "{a}",
        "{a, -1, a, +2}",
        "R0.x y z w",
        "R0 . xyzw",
        "f [ TEX0 ]",
        "p[ 3 ] .x",
        "-|+R1|",
        "- | - R1 . x |",
        "p[007]",
    ] {
        accepts(&format!("DEFINE a = 1; DEFINE v = {{1,2}}; DECLARE d; MOV R0, {operand};"));
        // What names one component, or is a scalar by itself, suits a scalar operand too.
        let bare = operand.trim_matches(|c| matches!(c, '|' | '-' | '+' | ' '));
        let single = bare.split('.').nth(1).is_some_and(|s| s.trim().len() == 1);
        let number = bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') || bare == "a";
        if single || number {
            accepts(&format!("DEFINE a = 1; DEFINE v = {{1,2}}; DECLARE d; RCP R0, {operand};"));
        } else {
            let text = around(&format!("DEFINE a = 1; DEFINE v = {{1,2}}; DECLARE d; RCP R0, {operand};"));
            let fault = load_checked(&text);
            assert_eq!(first_error(&fault.diagnostics).unwrap().code, "fp1-needs-component", "{operand}");
        }
    }
}

#[test]
fn every_destination_mask_and_condition_loads() {
    for register in ["R0", "R31", "H0", "H63", "RC", "HC", "o[DEPR]", "o[COLR]", "o [ COLR ]"] {
        accepts(&format!("MOV {register}, 1;"));
    }
    for mask in 1..16_u8 {
        let letters: String =
            (0..4).filter(|i| mask >> i & 1 != 0).map(|i| "xyzw".as_bytes()[i] as char).collect();
        let program = accepts(&format!("MOV R1.{letters}, 1;"));
        assert_eq!(program.instructions[0].dest.unwrap().mask, WriteMask(mask));
    }
    for condition in Condition::ALL {
        for (suffix, swizzle) in [
            ("", [0, 1, 2, 3]),
            (".x", [0; 4]),
            (".w", [3; 4]),
            (".wzyx", [3, 2, 1, 0]),
            (" . x y x y", [0, 1, 0, 1]),
        ] {
            let wanted = CcTest { condition, swizzle: Swizzle(swizzle) };
            let name = condition.name();
            let program = accepts(&format!("MOV R1.xy({name}{suffix}), 1; KIL {name}{suffix};"));
            assert_eq!(program.instructions[0].dest.unwrap().test, Some(wanted));
            assert_eq!(program.instructions[1].kill, Some(wanted));
        }
    }
    for (target, wanted) in ["1D", "2D", "3D", "CUBE", "RECT"].into_iter().zip(TextureTarget::ALL) {
        for unit in 0..16 {
            let program = accepts(&format!("TEX R0, f[TEX0], TEX{unit}, {target};"));
            assert_eq!(program.instructions[0].texture, Some(TextureRef { unit, target: wanted }));
            assert_eq!(program.textures()[usize::from(unit)], Some(wanted));
        }
    }
}

#[test]
fn whitespace_comments_and_ends() {
    for text in [
        "!!FP1.0 MOV o[COLR],1;END",
        "!!FP1.0MOV o[COLR],1;END",
        "!!FP1.0\r\nMOV\to[COLR]\r,\n1\r\n;\r\nEND\r\n",
        "!!FP1.0# header\nMOV # dest\no[COLR], 1 #value\r;#end\nEND # done \u{e9}",
        "!!FP1.0\nMOV o[COLR], 1;\nEND#",
        "!!FP1.0 # MOV R0; END\n DEFINE END1 = 1; MOV o[DEPR].z, END1; END",
    ] {
        accepts_whole(text);
    }
}

#[test]
fn names_may_be_anything_that_is_no_word_of_the_grammar() {
    for name in [
        "a",
        "_",
        "$",
        "_1",
        "$x_9",
        "x",
        "y",
        "z",
        "w",
        "xyzw",
        "R32",
        "R01",
        "R",
        "H64",
        "H",
        "TEX16",
        "TEX",
        "add",
        "end",
        "End",
        "ADDER",
        "COSX",
        "PK2HC",
        "TEXR",
        "KILC",
        "define",
        "f0",
        "oo",
        "pp",
        "eq",
        "D1",
        "e5",
        "COL",
        "FOG",
        "LongName_With$igns0123456789",
    ] {
        let program = accepts(&format!("DEFINE {name} = 7; MOV R0, {name};"));
        let Source::Param(id) = program.instructions[0].operands[0].source else { panic!("{name}") };
        assert_eq!(
            program.parameters[usize::from(id.0)].source,
            ParameterSource::Constant([7.0, 0.0, 0.0, 0.0])
        );
        accepts(&format!("DECLARE {name}; MOV R0, {name};"));
    }
    let reserved = [
        "END", "DEFINE", "DECLARE", "R0", "R31", "H0", "H63", "RC", "HC", "TEX0", "TEX15", "f", "o", "p",
        "WPOS", "COL0", "COL1", "FOGC", "COLR", "COLH", "DEPR", "CUBE", "RECT", "EQ", "GE", "GT", "LE", "LT",
        "NE", "TR", "FL", "1D", "2D", "3D", "1x", "0",
    ];
    for name in reserved {
        refuses("fp1-reserved-name", &format!("DEFINE @{name} = 1;"));
        refuses("fp1-reserved-name", &format!("DECLARE @{name};"));
    }
    for info in TABLE {
        for suffixes in info.forms(Language::Fp1).unwrap().combinations() {
            let name = format!("{}{}", info.mnemonic, suffixes.text());
            refuses("fp1-reserved-name", &format!("DECLARE @{name};"));
        }
    }
}

/// The single constant that the first instruction reads, with the swizzles of its operands.
fn merged(body: &str) -> ([f32; 4], Vec<[u8; 4]>) {
    let program = accepts(body);
    let operands = &program.instructions[0].operands;
    let mut value = None;
    let mut swizzles = Vec::new();
    for operand in operands {
        let Source::Param(id) = operand.source else { continue };
        let ParameterSource::Constant(found) = program.parameters[usize::from(id.0)].source else { continue };
        assert!(value.is_none_or(|v| v == found), "{body}: more than one constant");
        value = Some(found);
        swizzles.push(operand.swizzle.0);
    }
    (value.unwrap(), swizzles)
}

#[test]
fn constants_are_filled_merged_and_remapped() {
    // 3.11.2: {2} is {2,0,0,1}, {3,4} is {3,4,0,1}, {5,6,7} is {5,6,7,1}.
    assert_eq!(merged("MOV R0, {2};").0, [2.0, 0.0, 0.0, 1.0]);
    assert_eq!(merged("MOV R0, {3,4};").0, [3.0, 4.0, 0.0, 1.0]);
    assert_eq!(merged("MOV R0, {5,6,7};").0, [5.0, 6.0, 7.0, 1.0]);
    assert_eq!(merged("MOV R0, {5,6,7,-8};").0, [5.0, 6.0, 7.0, -8.0]);
    // Its table of equivalent instructions.
    assert_eq!(merged("MAD R0, R1, 2, -1;"), ([2.0, -1.0, 0.0, 0.0], vec![[0; 4], [1; 4]]));
    assert_eq!(merged("ADD R0, {1,2,3,4}, 4;"), ([1.0, 2.0, 3.0, 4.0], vec![[0, 1, 2, 3], [3; 4]]));
    // By value, a swizzled constant reads the same numbers wherever they end up.
    for (body, expected) in [
        ("ADD R0, {1,2,1,2}.wzyx, {2,2,1,1}.xxyz;", vec![[2.0, 1.0, 2.0, 1.0], [2.0, 2.0, 2.0, 1.0]]),
        ("MAD R0, {4}.x, 4, {0,1}.y;", vec![[4.0; 4], [4.0; 4], [1.0; 4]]),
        ("DEFINE v = {3,1}; DEFINE s = 3; MAD R0, v, s, 1;", vec![[3.0, 1.0, 0.0, 1.0], [3.0; 4], [1.0; 4]]),
        (
            "DEFINE s = 3; DEFINE t = s; DEFINE v = {t, s, -1}; DEFINE w = v; MUL R0, w.zyxw, t;",
            vec![[-1.0, 3.0, 3.0, 1.0], [3.0; 4]],
        ),
        ("POW R0, {8,9}.y, 0.5;", vec![[9.0; 4], [0.5; 4]]),
        ("ADD R0, 0, -0;", vec![[0.0; 4], [-0.0; 4]]),
    ] {
        let (value, swizzles) = merged(body);
        let read: Vec<[u32; 4]> =
            swizzles.iter().map(|s| s.map(|c| value[usize::from(c)].to_bits())).collect();
        let expected: Vec<[u32; 4]> = expected.iter().map(|v| v.map(f32::to_bits)).collect();
        assert_eq!(read, expected, "{body}");
    }
    // Four scalars at most, told apart by bits, every component counted, sign of an embedded scalar included.
    accepts("MAD R0, {1,2,3,4}, {4,3,2,1}, 3;");
    accepts("MAD R0, {1,2,3,4}, -{4,3,2,1}, -|3|;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, @-4;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, |@-4|;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, -@{-1,-2,-3,-4};");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, @{4,5,6,7}.x;");
    refuses("fp1-too-many-scalars", "ADD R0, {0,1,2,3}, @-0;");
    refuses("fp1-too-many-scalars", "DEFINE a = 9; MAD R0, {1,2,3}, 1, -@a;");
    refuses("fp1-too-many-scalars", "MAD R0, {1,2}, 3, @4;");
    accepts("MAD R0, {1,2}, 3, 0;");
    // The sign before a name is no part of the constant.
    accepts("DEFINE a = 4; ADD R0, {1,2,3,4}, -a;");
}

#[test]
fn one_program_parameter_an_instruction() {
    accepts("DECLARE a; MAD R0, a, -|a.x|, a.wzyx;");
    accepts("MAD R0, p[3], p[3].x, -p[3];");
    refuses("fp1-two-parameters", "DECLARE a; DECLARE b; ADD R0, a, @b;");
    refuses("fp1-two-parameters", "DECLARE a; ADD R0, -|a|, -|@p[0].x|;");
    refuses("fp1-two-parameters", "ADD R0, p[0], @p[1];");
    refuses("fp1-two-parameters", "ADD R0, p[0], @1;");
    refuses("fp1-two-parameters", "ADD R0, 1, @p[0];");
    refuses("fp1-two-parameters", "DECLARE a = 1; DEFINE c = 1; MAD R0, R1, a, @c;");
    refuses("fp1-two-parameters", "DECLARE a = {1}; MAD R0, a, R1, @{1};");
    refuses("fp1-two-parameters", "DEFINE c = 1; MAD R0, c, 1, @p[1];");
}

#[test]
fn one_attribute_an_instruction() {
    accepts("MAD R0, f[COL0], -f[COL0].x, |f[COL0].wzyx|;");
    accepts("MAD R0, f[WPOS], R1, p[0];");
    refuses("fp1-two-attributes", "ADD R0, f[COL0], @f[COL1];");
    refuses("fp1-two-attributes", "MAD R0, f[TEX0], R1, -|@f[TEX1].x|;");
    refuses("fp1-two-attributes", "TXD R0, f[TEX0], f[TEX0], @f[TEX1], TEX0, 2D;");
}

#[test]
fn declarations_make_parameters() {
    let program = accepts(
        "DECLARE unused = 3; MOV R0, 5; DECLARE b = {1,2}; DECLARE c; DEFINE k = {7}; DECLARE d = k; DEFINE s = 6; DECLARE e = s; MOV R0, e; MOV R0, p[9]; MOV R0, c;",
    );
    let named = |name: &str, initial| ParameterSource::Named { name: name.to_owned(), initial };
    let sources: Vec<_> = program.parameters.iter().map(|p| p.source.clone()).collect();
    assert_eq!(
        sources,
        [
            named("unused", [3.0; 4]),
            named("b", [1.0, 2.0, 0.0, 1.0]),
            named("c", [0.0; 4]),
            named("d", [7.0, 0.0, 0.0, 1.0]),
            named("e", [6.0; 4]),
            ParameterSource::Constant([5.0, 0.0, 0.0, 0.0]),
            ParameterSource::Numbered(9),
        ]
    );
    let read: Vec<_> = program.instructions.iter().map(|i| i.operands[0].source).collect();
    assert_eq!(read[..4], [5, 4, 6, 2].map(|id| Source::Param(ParamId(id))));
}

#[test]
fn numbers_are_rounded_correctly() {
    for (text, bits) in [
        ("16", 0x4180_0000_u32),
        ("0.1", 0x3DCC_CCCD),
        (".5", 0x3F00_0000),
        ("2.", 0x4000_0000),
        ("1e2", 0x42C8_0000),
        ("1.e2", 0x42C8_0000),
        (".1E+1", 0x3F80_0000),
        ("-0", 0x8000_0000),
        ("+0.0", 0),
        // Halfway between 2^24 and 2^24 + 2: to even.
        ("16777217", 0x4B80_0000),
        ("16777217.0000000001", 0x4B80_0001),
        ("3.4028235e38", 0x7F7F_FFFF),
        // Halfway to 2^128 and beyond.
        ("3.4028236e38", 0x7F80_0000),
        ("-1e39", 0xFF80_0000),
        ("1e999999999999999999999", 0x7F80_0000),
        ("1e-999999999999999999999", 0),
        // The smallest normal number, and the largest denorm, which is flushed with its sign.
        ("1.17549435e-38", 0x0080_0000),
        ("1.1754942e-38", 0),
        ("-1e-40", 0x8000_0000),
    ] {
        let program = accepts(&format!("DECLARE d = {{{text}}}; MOV R0, d;"));
        let ParameterSource::Named { initial, .. } = &program.parameters[0].source else { panic!() };
        assert_eq!(initial[0].to_bits(), bits, "{text}");
    }
    for text in ["2.0e", "1e+", "1x", "0x10", "1.0f", "1_000", "2.0.x"] {
        let text = around(&format!("MOV R0, {text};"));
        let found = first_error(&load_checked(&text).diagnostics).map(|d| (d.code, d.position));
        let code = if text.contains("2.0.x") { "fp1-scalar-suffix" } else { "fp1-bad-number" };
        assert_eq!(found, Some((code, if text.contains("2.0.x") { 19 } else { 16 })), "{text}");
    }
    refuses("fp1-unexpected", "MOV R0, @.;");
    refuses("fp1-bad-number", "MOV R0, @1.x;");
    refuses("fp1-unexpected", "MOV R0, 1.5@.5;");
}

#[test]
fn precision_follows_suffix_destination_and_attributes() {
    for (body, ty) in [
        ("ADD R0, R1, R2;", Type::F32),
        ("ADD H0, R1, R2;", Type::F16),
        ("ADD RC, H1, H2;", Type::F32),
        ("ADD HC, R1, R2;", Type::F16),
        ("ADD o[COLR], H1, H2;", Type::F32),
        ("ADDR H0, H1, H2;", Type::F32),
        ("ADDX R0, R1, R2;", Type::Fx12),
        ("ADDH R0, f[COL0], 1;", Type::F16),
        ("ADDX R0, f[WPOS], 1;", Type::Fx12),
        ("ADDH R0, f[FOGC], 1;", Type::F32),
        ("ADDX H0, 1, -|f[TEX7].x|;", Type::F32),
        ("ADD H0, R1, f[TEX0];", Type::F32),
        ("TEX H0, R1, TEX0, 2D;", Type::F32),
        ("TXP HC, R1, TEX0, 2D;", Type::F32),
        ("TXD H0, R1, R1, R1, TEX0, 2D;", Type::F32),
        ("UP2H H0, R1.x;", Type::F32),
        ("PK4B R0, H1;", Type::F32),
    ] {
        assert_eq!(accepts(body).instructions[0].ty, ty, "{body}");
    }
}

#[test]
fn operand_signs_are_kept_apart() {
    for (operand, flags) in [
        ("R1", [false, false, false]),
        ("+R1", [false, false, false]),
        ("-R1", [true, false, false]),
        ("|R1|", [false, true, false]),
        ("|-R1|", [true, true, false]),
        ("-|R1|", [false, true, true]),
        ("-|-R1|", [true, true, true]),
        ("+|+R1|", [false, true, false]),
        ("-4", [false, false, false]),
        ("|-4|", [false, true, false]),
        ("-|-4|", [false, true, true]),
        ("-{4}", [true, false, false]),
        ("-a", [true, false, false]),
        ("|-a|", [true, true, false]),
    ] {
        let program = accepts(&format!("DEFINE a = -1; MOV R0, {operand};"));
        let found = program.instructions[0].operands[0];
        assert_eq!([found.negate, found.absolute, found.negate_absolute], flags, "{operand}");
    }
    assert_eq!(merged("MOV R0, -4;").0[0], -4.0);
    assert_eq!(merged("MOV R0, -|-4|;").0[0], -4.0);
    assert_eq!(merged("MOV R0, -|4|;").0[0], 4.0);
}

#[test]
fn spans_cover_what_they_name() {
    let text = "!!FP1.0\nMADR_SAT  o[COLR].xy (GT.x) , -|R1.x| , {1, 2}.yyyy,f[COL0];END";
    let program = accepts_whole(text);
    let instruction = &program.instructions[0];
    let slice = |span: Span| &text[span.start..span.end];
    assert_eq!(slice(instruction.span), "MADR_SAT  o[COLR].xy (GT.x) , -|R1.x| , {1, 2}.yyyy,f[COL0]");
    assert_eq!(slice(instruction.mnemonic_span), "MADR_SAT");
    assert_eq!(slice(instruction.dest.unwrap().span), "o[COLR].xy (GT.x)");
    let operands: Vec<&str> = instruction.operands.iter().map(|o| slice(o.span)).collect();
    assert_eq!(operands, ["-|R1.x|", "{1, 2}.yyyy", "f[COL0]"]);
}

#[test]
fn registers_are_counted_in_halves() {
    let program = accepts("MOV R5, R5; MOV H1, H2; MOV RC, H2; DECLARE x;");
    // R5, H1, H2, R0 (in the frame) and o[COLR]: 2 + 1 + 1 + 2 + 2.
    assert_eq!(program.resources.register_halves, 8);
    assert_eq!(program.resources.instructions, 4);
    let names: Vec<_> = program.temporaries.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["R5", "H1", "H2", "R0"]);

    let write = |letter: &str, count: usize| -> String {
        (0..count).map(|n| format!("MOV {letter}{n}, 1;")).collect()
    };
    // 31 R registers and o[COLR] are 64 halves; so are 62 H registers and o[DEPR]; 63 H and o[COLH].
    accepts_whole(&format!("!!FP1.0 {} MOV o[COLR], 1; END", write("R", 31)));
    accepts_whole(&format!("!!FP1.0 {} MOV o[DEPR], 1; END", write("H", 62)));
    accepts_whole(&format!("!!FP1.0 {} MOV o[COLH], 1; END", write("H", 63)));
    accepts_whole(&format!("!!FP1.0 {} MOVC RC, 1; MOVC HC, 1; MOV o[COLH], 1; END", write("H", 63)));
    for text in [
        format!("!!FP1.0 {} MOV o[COLR], 1; END\n", write("R", 32)),
        format!("!!FP1.0 {} MOV o[DEPR], 1; END # end", write("H", 63)),
        format!("!!FP1.0 {} MOV o[COLH], 1; END", write("H", 64)),
        format!("!!FP1.0 {} MOV o[COLR], R31; END", write("R", 31)),
        format!("!!FP1.0 MOV o[COLR], 1; MOV o[DEPR], 1; {} END ", write("R", 31)),
    ] {
        refuses_whole("fp1-too-many-registers", &format!("{text}@"));
    }
}

#[test]
fn instructions_are_counted_without_definitions() {
    let many = |count: usize| "DEFINE a = 1; DECLARE b;".to_owned() + &"MOV R0, 1;".repeat(count);
    accepts_whole(&format!("!!FP1.0 {} MOV o[COLR], R0; END", many(1023)));
    refuses_whole("fp1-too-many-instructions", &format!("!!FP1.0 {} @MOV o[COLR], R0; END", many(1024)));
    refuses_whole(
        "fp1-too-many-instructions",
        &format!("!!FP1.0 {} @KIL EQ; MOV o[COLR], R0; END", many(1024)),
    );
}

#[test]
fn outputs() {
    refuses("fp1-two-colors", "MOV o[COLR], 1; MOV @o[COLH], 1;");
    refuses_whole(
        "fp1-two-colors",
        "!!FP1.0 MOV o[COLH], 1; MOV o[DEPR], 1; MOV @o[COLR], 1; MOV o[COLR], 2; END",
    );
    accepts_whole("!!FP1.0 MOV o[COLH], 1; MOV o[DEPR], 1; MOV o[COLH].x, 2; END");
    accepts_whole("!!FP1.0 MOV o[DEPR].x, 1; END");
    refuses_whole("fp1-no-output", "!!FP1.0 MOV R0, 1; END @");
    refuses_whole("fp1-no-output", "!!FP1.0 MOVC RC, 1; KIL EQ; END\n# comment@");
    refuses_whole("fp1-no-output", "!!FP1.0 DEFINE a = 1; END@");
    refuses("fp1-bad-output", "MOV o[@COLX], 1;");
    refuses("fp1-bad-output", "MOV o[@COL0], 1;");
    refuses("fp1-bad-output", "MOV o[@colr], 1;");
    refuses("fp1-bad-output", "MOV o[@0], 1;");
    refuses("fp1-read-output", "MOV R0, @o[COLR];");
    refuses("fp1-read-output", "RCP R0, -|@o[DEPR].z|;");
    refuses("fp1-unexpected", "MOV @COLR, 1;");
}

#[test]
fn registers_and_their_uses() {
    for register in ["R32", "R99", "R4294967296", "H64", "H100"] {
        refuses("fp1-bad-register", &format!("MOV @{register}, 1;"));
        refuses("fp1-bad-register", &format!("MOV R0, -@{register}.x;"));
    }
    for destination in ["foo", "r0", "h0", "R", "R01", "x"] {
        refuses("fp1-bad-register", &format!("MOV @{destination}, 1;"));
    }
    refuses("fp1-read-condition-register", "MOV R0, @RC;");
    refuses("fp1-read-condition-register", "RCP R0, |@HC.x|;");
    refuses("fp1-write-attribute", "MOV @f[COL0], 1;");
    refuses("fp1-write-attribute", "MOV @f[TEX0].xy, 1;");
    refuses("fp1-write-parameter", "MOV @p[0], 1;");
    refuses("fp1-write-parameter", "DECLARE a; MOV @a, 1;");
    refuses("fp1-write-parameter", "DEFINE a = 1; MOV @a.x, 1;");
    refuses("fp1-bad-attribute", "MOV R0, f[@TEX8];");
    refuses("fp1-bad-attribute", "MOV R0, f[@WPO];");
    refuses("fp1-bad-attribute", "MOV R0, f[@COLR];");
    refuses("fp1-bad-attribute", "MOV R0, f[@0];");
    refuses("fp1-bad-parameter-number", "MOV R0, p[@64];");
    refuses("fp1-bad-parameter-number", "MOV R0, p[@99999999999999999999];");
    refuses("fp1-bad-parameter-number", "MOV R0, p[@1.5];");
    refuses("fp1-bad-parameter-number", "MOV R0, p[@a];");
    refuses("fp1-unexpected", "MOV R0, p[@-1];");
    refuses("fp1-unexpected", "MOV R0, p@;");
    refuses("fp1-unexpected", "MOV R0, f@.x;");
    refuses("fp1-unexpected", "MOV R0, f[TEX0@;");
    refuses("fp1-unexpected", "MOV R0, f[@];");
    for constant in ["1", "{1}", "-R0", "|R0|", "(EQ)", ";"] {
        refuses("fp1-unexpected", &format!("MOV @{constant}, 1;"));
    }
}

#[test]
fn rules_of_single_instructions() {
    for mnemonic in ["PK2H", "PK2US", "PK4B", "PK4UB"] {
        for register in ["H0", "HC"] {
            refuses("fp1-pack-destination", &format!("{mnemonic} @{register}.x, R0;"));
        }
        refuses_whole("fp1-pack-destination", &format!("!!FP1.0 {mnemonic} @o[COLH], R0; END"));
        for register in ["R0", "RC", "o[COLR]", "o[DEPR].z (EQ)"] {
            accepts(&format!("{mnemonic} {register}, H0;"));
        }
    }
    for mnemonic in ["UP2H", "UP2US", "UP4B", "UP4UB"] {
        refuses("fp1-unpack-source", &format!("{mnemonic} R0, -|@H0.x|;"));
        for operand in ["R0.x", "f[COL0].w", "p[0].x", "{1}.x", "2", "-|R0.w|"] {
            accepts(&format!("{mnemonic} H0, {operand};"));
        }
    }
    refuses("fp1-rfl-w", "RFL @R0, R1, R2;");
    refuses("fp1-rfl-w", "RFL @RC (EQ), R1, R2;");
    refuses("fp1-rfl-w", "RFL R0.@xyzw, R1, R2;");
    refuses("fp1-rfl-w", "RFL R0.@w, R1, R2;");
    accepts("RFL R0.xz, R1, R2;");
}

#[test]
fn texture_references() {
    refuses("fp1-two-targets", "TEX R0, R1, TEX0, 2D; TXP R0, R1, TEX0, @3D;");
    refuses(
        "fp1-two-targets",
        "TXD R0, R1, R1, R1, TEX15, CUBE; TEX R0, R1, TEX15, CUBE; TEX R0, R1, TEX15, @RECT;",
    );
    accepts("TEX R0, R1, TEX0, 2D; TEX R0, R1, TEX1, 3D;");
    for unit in ["TEX16", "TEX99", "TEX01", "TEX", "f[TEX0]", "R0", "0", "tex0"] {
        refuses("fp1-bad-texture-unit", &format!("TEX R0, R1, @{unit}, 2D;"));
    }
    for target in ["4D", "2d", "cube", "1", "R0", "TEX0", "1DX", "SHADOW2D"] {
        refuses("fp1-bad-texture-target", &format!("TEX R0, R1, TEX0, @{target};"));
    }
    refuses("fp1-bad-texture-target", "TEX R0, R1, TEX0, @;");
    refuses("fp1-unexpected", "TEX R0, R1, TEX0@ 2D;");
    refuses("fp1-unexpected", "TEX R0, R1, TEX0@;");
    refuses("fp1-unexpected", "MOV R0, @TEX0;");
    refuses("fp1-unexpected", "MOV R0, @WPOS;");
}

#[test]
fn masks_swizzles_and_conditions() {
    for mask in ["yx", "xx", "xyzwx", "wzyx", "xzy", "ww"] {
        refuses("fp1-bad-mask", &format!("MOV R0.@{mask}, R1;"));
    }
    for letters in ["rgba", "r", "q", "stpq", "xyza", "X"] {
        refuses("fp1-bad-component", &format!("MOV R0.@{letters}, R1;"));
        refuses("fp1-bad-component", &format!("MOV R0, R1.@{letters};"));
    }
    for swizzle in ["xy", "xyz", "xyzwx", "ww"] {
        refuses("fp1-bad-swizzle", &format!("MOV R0, R1.@{swizzle};"));
        refuses("fp1-bad-swizzle", &format!("RCP R0, R1.@{swizzle};"));
        refuses("fp1-bad-swizzle", &format!("MOV R0 (EQ.@{swizzle}), R1;"));
        refuses("fp1-bad-swizzle", &format!("KIL EQ.@{swizzle};"));
    }
    refuses("fp1-unexpected", "MOV R0.@, R1;");
    refuses("fp1-unexpected", "MOV R0.x@.y, R1;");
    refuses("fp1-bad-swizzle", "MOV R0, R1.x@.y;");
    refuses("fp1-bad-swizzle", "MOV R0, |R1|@.x;");
    refuses("fp1-unclosed-bars", "MOV R0, |R1@;");
    refuses("fp1-unclosed-bars", "ADD R0, |R1@, R2|;");
    refuses("fp1-unexpected", "MOV R0, |@|R1||;");
    refuses("fp1-unexpected", "MOV R0, -@-R1;");
    refuses("fp1-unexpected", "MOV R0, -@-1;");
    refuses("fp1-unexpected", "MOV R0, +@-{1};");
    refuses("fp1-scalar-suffix", "MOV R0, 1 @.x;");
    refuses("fp1-scalar-suffix", "DEFINE a = 1; MOV R0, a@.x;");
    refuses("fp1-scalar-suffix", "DEFINE a = 1; RCP R0, -|a@.x|;");
    for condition in ["eq", "XX", "R0", "1", "", "GTE"] {
        refuses("fp1-bad-condition", &format!("MOV R0 (@{condition}), R1;"));
        refuses("fp1-bad-condition", &format!("KIL @{condition};"));
    }
    refuses("fp1-unexpected", "MOV R0 (EQ@, R1;");
    refuses("fp1-unexpected", "MOV R0 @EQ, R1;");
    refuses("fp1-unexpected", "MOV R0 (EQ)@.x, R1;");
    refuses("fp1-unexpected", "KIL @(EQ);");
    refuses("fp1-unexpected", "KIL EQ.x@(R0);");
}

#[test]
fn operand_counts_and_separators() {
    refuses("fp1-operand-count", "MOV R0@;");
    refuses("fp1-operand-count", "ADD R0, R1@;");
    refuses("fp1-operand-count", "MAD R0, R1, R2@;");
    refuses("fp1-operand-count", "MOV R0, R1@, R2;");
    refuses("fp1-operand-count", "TEX R0, R1@;");
    refuses("fp1-operand-count", "TEX R0, R1, TEX0, 2D@, R0;");
    refuses("fp1-operand-count", "KIL EQ@, R0;");
    refuses("fp1-missing-comma", "MOV R0 @R1;");
    refuses("fp1-missing-comma", "ADD R0, R1 @-R2;");
    refuses("fp1-missing-comma", "ADD R0, R1 @{1};");
    refuses("fp1-missing-semicolon", "MOV R0, R1\n@MOV R1, R2;");
    refuses("fp1-missing-semicolon", "MOV R0, R1 @MOV R1, R2;");
    refuses("fp1-missing-semicolon", "DEFINE a = 1 @MOV R0, a;");
    refuses("fp1-missing-semicolon", "DECLARE a @DECLARE b;");
    refuses_whole("fp1-missing-semicolon", "!!FP1.0 MOV o[COLR], 1 @END");
    refuses("fp1-unexpected", "MOV R0, R1 @R2;");
    refuses("fp1-unexpected", "MOV R0, R1@);");
    refuses("fp1-unexpected", "MOV @, R0, R1;");
    refuses("fp1-unexpected", "MOV R0, @, R1;");
    refuses("fp1-empty-statement", "@;");
    refuses("fp1-empty-statement", "MOV R0, R1;@;");
    refuses("fp1-unexpected", "@1;");
    refuses("fp1-unexpected", "@R0;");
    refuses("fp1-unexpected", "@, MOV R0, R1;");
}

#[test]
fn instructions_that_do_not_exist() {
    for word in
        ["mov", "Mov", "FOO", "ABS", "CMP", "TXB", "PARAM", "MOVE", "MUUL", "IF", "ADD_SATC", "x", "define"]
    {
        refuses("fp1-unknown-instruction", &format!("@{word} R0, R1;"));
    }
    let loaded = load_checked(&around("mul R0, R1, R2;"));
    let fix = loaded.diagnostics[0].fix.as_ref().unwrap();
    assert_eq!((fix.replacement.as_str(), fix.span), ("MUL", Span::new(8, 11)));
}

#[test]
fn names_and_constants() {
    refuses("fp1-undefined-name", "MOV R0, @foo;");
    refuses("fp1-undefined-name", "MOV R0, -|@foo.x|;");
    refuses("fp1-undefined-name", "MOV R0, @a; DEFINE a = 1;");
    refuses("fp1-undefined-name", "DEFINE a = @b;");
    refuses("fp1-undefined-name", "DEFINE a = {1, @b};");
    refuses("fp1-undefined-name", "DEFINE a = @a;");
    refuses("fp1-redefined-name", "DEFINE a = 1; DEFINE @a = 2; MOV R0, a;");
    refuses("fp1-redefined-name", "DEFINE a = 1; DECLARE @a; MOV R0, a;");
    refuses("fp1-redefined-name", "DECLARE a; DEFINE @a = 1; MOV R0, a;");
    refuses("fp1-redefined-name", "DECLARE a; DECLARE @a;");
    refuses("fp1-bad-constant", "DECLARE a; DEFINE b = @a;");
    refuses("fp1-bad-constant", "DECLARE a; DEFINE b = {@a};");
    refuses("fp1-bad-constant", "DEFINE a = {1}; DEFINE b = {@a};");
    refuses("fp1-bad-constant", "DEFINE a = 1; DEFINE b = -@a;");
    refuses("fp1-bad-constant", "DEFINE a = 1; DEFINE b = {+@a};");
    refuses("fp1-bad-constant", "DEFINE a = 1; MOV R0, {-@a};");
    refuses("fp1-bad-constant", "DEFINE a = {1,2,3,4@,5};");
    refuses("fp1-bad-constant", "MOV R0, {1,2,3,4@,5};");
    refuses("fp1-unexpected", "DEFINE a = {@};");
    refuses("fp1-unexpected", "DEFINE a = {1,@};");
    refuses("fp1-unexpected", "DEFINE a = {1 @2};");
    refuses("fp1-unexpected", "DEFINE a = {1@;");
    refuses("fp1-unexpected", "DEFINE a = -@-1;");
    refuses("fp1-unexpected", "DEFINE a = {@{1}};");
    refuses("fp1-unexpected", "DEFINE a@;");
    refuses("fp1-unexpected", "DEFINE a @1;");
    refuses("fp1-unexpected", "DEFINE a =@;");
    refuses("fp1-unexpected", "DEFINE a = @R0;");
    refuses("fp1-unexpected", "DEFINE a = @p[0];");
    refuses("fp1-unexpected", "DEFINE @= 1;");
    refuses("fp1-unexpected", "DECLARE @;");
    refuses("fp1-unexpected", "DECLARE a = @f[COL0];");
    refuses("fp1-unexpected", "DECLARE a = @|R0|;");
    refuses("fp1-bad-number", "DEFINE a = @1.0f;");
}

#[test]
fn characters_that_do_not_exist() {
    for text in [
        "MOV R0, R1@\u{e9};",
        "@\"MOV R0, R1;",
        "MOV R0, R1; @\u{1F600}",
        "MOV @\0R0, R1;",
        "MOV@\u{a0}R0, R1;",
        "MOV @\u{b}R0, R1;",
        "MOV R0@*, R1;",
        "MOV R0, @!R1;",
        "@&&&&%%%%",
        "MOV R0, @\u{2212}R1;",
        "MOV R0, R1;@/",
    ] {
        refuses("fp1-unknown-character", text);
    }
    refuses_whole("fp1-unknown-character", "!!FP1.0 MOV o[COLR], 1; END@\0");
    accepts("# \u{e9}\u{1F600} \0 \u{7f} are fine in comments");
}

#[test]
fn headers_and_ends() {
    refuses_whole("header-missing", "@");
    refuses_whole("header-missing", " \n# nothing\n@");
    refuses_whole("header-missing", "@MOV o[COLR], 1; END");
    refuses_whole("header-not-first", "@ !!FP1.0 MOV o[COLR], 1; END");
    refuses_whole("header-not-first", "@# comment\n!!FP1.0 MOV o[COLR], 1; END");
    refuses_whole("header-not-first", "@\u{feff}!!FP1.0 MOV o[COLR], 1; END");
    for header in
        ["!!ARBfp1.0", "!!ARBvp1.0", "!!VP1.0", "!!VP1.1", "!!VP2.0", "!!FP2.0", "!!NVfp4.0", "!!NVtcp5.0"]
    {
        refuses_whole("header-unsupported", &format!("@{header}\nMOV result.color, 1;\nEND"));
    }
    for header in ["!!fp1.0", "!!FP1", "!!FP", "!!", "!!FP1,0", "!!XYZ9.9"] {
        refuses_whole("header-unknown", &format!("@{header} MOV o[COLR], 1; END"));
    }
    refuses_whole("fp1-unexpected", "!!FP1.0@1 MOV o[COLR], 1; END");
    refuses_whole("fp1-missing-end", "!!FP1.0 MOV o[COLR], 1;@");
    refuses_whole("fp1-missing-end", "!!FP1.0 MOV o[COLR], 1;\n# END\n@");
    refuses_whole("fp1-missing-end", "!!FP1.0@");
    refuses_whole("fp1-empty", "!!FP1.0 @END");
    refuses_whole("fp1-empty", "!!FP1.0 # nothing\n@END\n");
    refuses_whole("fp1-after-end", "!!FP1.0 MOV o[COLR], 1; END @MOV R0, R1;");
    refuses_whole("fp1-after-end", "!!FP1.0 MOV o[COLR], 1; END@;");
    refuses_whole("fp1-after-end", "!!FP1.0 MOV o[COLR], 1; END @END");
}

#[test]
fn all_faults_are_reported_in_order() {
    let text = "!!FP1.0\nFOO R0, R1;\nMOV R0 R1;\nMOV R1, R0;\nADD R0, R1, R2, R3;\nMOV R99, foo;\nCOSX R0, R1;\n\
        ADD R0, f[COL0], f[COL1]\nMOV R0, o[XX];\nDEFINE RC = 1;\nTEX R0, R1;\nMOV o[COLR], R0;\nEND\n;";
    let loaded = load_checked(text);
    let codes: Vec<_> =
        loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect();
    assert_eq!(
        codes,
        [
            "fp1-unknown-instruction",
            "fp1-missing-comma",
            "fp1-operand-count",
            "fp1-bad-register",
            "fp1-undefined-name",
            "fp1-bad-suffix",
            "fp1-two-attributes",
            "fp1-missing-semicolon",
            "fp1-read-output",
            "fp1-bad-output",
            "fp1-reserved-name",
            "fp1-operand-count",
            "fp1-after-end",
        ]
    );
    assert!(loaded.diagnostics.is_sorted_by_key(|d| d.position));
}

#[test]
fn warnings_do_not_refuse() {
    let loaded = load_checked("!!FP1.0 DEFINE a = 1; DECLARE b; MOV o[COLR], R3; MOV R3, R3; END");
    assert!(loaded.program.is_some());
    let found: Vec<_> = loaded.diagnostics.iter().map(|d| (d.severity, d.code)).collect();
    assert_eq!(
        found,
        [
            (Severity::Warning, "fp1-unused-name"),
            (Severity::Warning, "fp1-unused-name"),
            (Severity::Warning, "fp1-unwritten-temporary"),
        ]
    );
    assert_eq!(load_checked("!!FP1.0 MOV R3, 1; MOV o[COLR], R3; END").diagnostics, []);
}

#[test]
fn a_flood_of_errors_is_cut_off() {
    let loaded = load_checked(&format!("!!FP1.0 {} END", "FOO;".repeat(5000)));
    assert_eq!(loaded.diagnostics.len(), MAX_DIAGNOSTICS);
}
