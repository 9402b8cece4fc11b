//! Programs that load, and the IR that they become.

use shadestep_engine::diag::first_error;
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    CcRegister, CcTest, Condition, ConstantVector, Kill, Kind, ParamId, ParameterSource, Source, Swizzle,
    TextureAccess, TextureTarget, Type, WriteMask, singles,
};
use shadestep_language::isa::{Info, Language, OperandKind, Precision, ResultKind, instructions};

use super::{accepts, accepts_whole, around, load_checked, refuses, refuses_whole};

/// Returns the instruction `name` of the table with operands that fit.
fn instance(info: &Info, name: &str) -> String {
    let mut parts = Vec::new();
    if info.result != ResultKind::None {
        // RFL must not write w.
        parts.push("R0.xyz");
    }
    for kind in info.operands {
        parts.push(match kind {
            OperandKind::Vector => "R1",
            OperandKind::Scalar => "R1.x",
            OperandKind::Condition => "NE.w",
            OperandKind::TextureImage => "TEX3, 2D",
            OperandKind::OptionalVector
            | OperandKind::Address
            | OperandKind::Label
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::SubroutineVariable
            | OperandKind::BranchCondition
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle => unreachable!("not in this language"),
        });
    }
    format!("{name} {};", parts.join(", "))
}

#[test]
fn every_instruction_loads_with_every_suffix_it_takes() {
    for info in instructions(Language::Fp1) {
        for suffixes in info.forms(Language::Fp1).unwrap().combinations() {
            let name = format!("{}{}", info.mnemonic, suffixes.text());
            let program = accepts(&instance(info, &name));
            let found = &program.instructions[0];
            assert_eq!(found.op, info.opcode);
            assert_eq!(
                (found.update_cc(), found.saturate()),
                (suffixes.cc.map(CcRegister::from), suffixes.saturate),
                "{name}"
            );
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
        // An operand of one component, or a scalar by itself, fits a scalar operand too.
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
        assert_eq!(program.instructions[0].dest().unwrap().mask, WriteMask(mask));
    }
    for &condition in Condition::OF_NUMBERS {
        for (suffix, swizzle) in [
            ("", [0, 1, 2, 3]),
            (".x", [0; 4]),
            (".w", [3; 4]),
            (".wzyx", [3, 2, 1, 0]),
            (" . x y x y", [0, 1, 0, 1]),
        ] {
            let wanted = CcTest { condition, swizzle: Swizzle(swizzle), register: CcRegister::Cc0 };
            let name = condition.name();
            let program = accepts(&format!("MOV R1.xy({name}{suffix}), 1; KIL {name}{suffix};"));
            assert_eq!(program.instructions[0].dest().unwrap().test, Some(wanted));
            assert_eq!(program.instructions[1].kind, Kind::Kill(Kill::Test(wanted)));
        }
    }
    for (target, wanted) in ["1D", "2D", "3D", "CUBE", "RECT"].into_iter().zip(TextureTarget::BASIC) {
        for unit in 0..16 {
            let program = accepts(&format!("TEX R0, f[TEX0], TEX{unit}, {target};"));
            assert_eq!(program.instructions[0].texture(), Some(TextureAccess::new(unit, wanted)));
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
            ParameterSource::Constant(ConstantVector::floats([7.0, 0.0, 0.0, 0.0]))
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
    for info in instructions(Language::Fp1) {
        for suffixes in info.forms(Language::Fp1).unwrap().combinations() {
            let name = format!("{}{}", info.mnemonic, suffixes.text());
            refuses("fp1-reserved-name", &format!("DECLARE @{name};"));
        }
    }
}

/// Returns the one constant that the first instruction reads, with the swizzles of its operands.
fn merged(body: &str) -> ([f32; 4], Vec<[u8; 4]>) {
    let program = accepts(body);
    let operands = &program.instructions[0].operands;
    let mut value = None;
    let mut swizzles = Vec::new();
    for operand in operands {
        let Source::Param(id) = operand.source else { continue };
        let ParameterSource::Constant(found) = program.parameters[usize::from(id.0)].source else { continue };
        let found = singles(found.bits);
        assert!(value.is_none_or(|v| v == found), "{body}: more than one constant");
        value = Some(found);
        swizzles.push(operand.swizzle.0);
    }
    (value.expect("a constant is read"), swizzles)
}

#[test]
fn constants_are_filled_merged_and_remapped() {
    // 3.11.2: {2} is {2,0,0,1}, {3,4} is {3,4,0,1}, {5,6,7} is {5,6,7,1}.
    assert_eq!(merged("MOV R0, {2};").0, [2.0, 0.0, 0.0, 1.0]);
    assert_eq!(merged("MOV R0, {3,4};").0, [3.0, 4.0, 0.0, 1.0]);
    assert_eq!(merged("MOV R0, {5,6,7};").0, [5.0, 6.0, 7.0, 1.0]);
    assert_eq!(merged("MOV R0, {5,6,7,-8};").0, [5.0, 6.0, 7.0, -8.0]);
    // The table of equivalent instructions in 3.11.2.
    assert_eq!(merged("MAD R0, R1, 2, -1;"), ([2.0, -1.0, 0.0, 0.0], vec![[0; 4], [1; 4]]));
    assert_eq!(merged("ADD R0, {1,2,3,4}, 4;"), ([1.0, 2.0, 3.0, 4.0], vec![[0, 1, 2, 3], [3; 4]]));
    // A swizzled constant reads the same numbers wherever the merge puts its components.
    for (body, expected) in [
        ("ADD R0, {1,2,1,2}.wzyx, {2,2,1,1}.xxyz;", vec![[2.0, 1.0, 2.0, 1.0], [2.0, 2.0, 2.0, 1.0]]),
        ("MAD R0, {4}.x, 4, {0,1}.y;", vec![[4.0; 4], [4.0; 4], [1.0; 4]]),
        ("DEFINE v = {3,1}; DEFINE s = 3; MAD R0, v, s, 1;", vec![[3.0, 1.0, 0.0, 1.0], [3.0; 4], [1.0; 4]]),
        (
            "DEFINE s = 3; DEFINE t = s; DEFINE v = {t, s, -1}; DEFINE w = v; MUL R0, w.zyxw, t;",
            vec![[-1.0, 3.0, 3.0, 1.0], [3.0; 4]],
        ),
        ("POW R0, {8,9}.y, 8;", vec![[9.0; 4], [8.0; 4]]),
        ("ADD R0, 0, -0;", vec![[0.0; 4], [-0.0; 4]]),
    ] {
        let (value, swizzles) = merged(body);
        let read: Vec<[u32; 4]> =
            swizzles.iter().map(|s| s.map(|c| value[usize::from(c)].to_bits())).collect();
        let expected: Vec<[u32; 4]> = expected.iter().map(|v| v.map(f32::to_bits)).collect();
        assert_eq!(read, expected, "{body}");
    }
    // An instruction has four distinct scalars at most. Scalars differ by their bits. Every component counts,
    // and the sign of an embedded scalar is part of the scalar.
    accepts("MAD R0, {1,2,3,4}, {4,3,2,1}, 3;");
    accepts("MAD R0, {1,2,3,4}, -{4,3,2,1}, -|3|;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, @-4;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, |@-4|;");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, -@{-1,-2,-3,-4};");
    refuses("fp1-too-many-scalars", "ADD R0, {1,2,3,4}, @{4,5,6,7}.x;");
    refuses("fp1-too-many-scalars", "ADD R0, {0,1,2,3}, @-0;");
    refuses("fp1-too-many-scalars", "DEFINE a = 9; MAD R0, {1,2,3,4}, 1, -@a;");
    refuses("fp1-too-many-scalars", "MAD R0, {1,2}, 3, @4;");
    accepts("MAD R0, {1,2}, 3, 0;");
    // The sign before a name is not part of the constant.
    accepts("DEFINE a = 4; ADD R0, {1,2,3,4}, -a;");
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
            ParameterSource::Constant(ConstantVector::floats([5.0, 0.0, 0.0, 0.0])),
            ParameterSource::Local(9),
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
        // Halfway between 2^24 and 2^24 + 2, rounded to even.
        ("16777217", 0x4B80_0000),
        ("16777217.0000000001", 0x4B80_0001),
        ("3.4028235e38", 0x7F7F_FFFF),
        // Halfway to 2^128, and beyond.
        ("3.4028236e38", 0x7F80_0000),
        ("-1e39", 0xFF80_0000),
        ("1e999999999999999999999", 0x7F80_0000),
        ("1e-999999999999999999999", 0),
        // The smallest normal number, and denorms. A denorm keeps its bits, as a parameter set by a call
        // would.
        ("1.17549435e-38", 0x0080_0000),
        ("1.1754942e-38", 0x007F_FFFF),
        ("-1e-40", 0x8001_16C2),
    ] {
        let program = accepts(&format!("DECLARE d = {{{text}}}; MOV R0, d;"));
        let ParameterSource::Named { initial, .. } = &program.parameters[0].source else { panic!() };
        assert_eq!(initial[0].to_bits(), bits, "{text}");
    }
    for text in ["2.0e", "1e+", "1x", "0x10", "1.0f", "1_000", "2.0.x"] {
        let text = around(&format!("MOV R0, {text};"));
        let found = first_error(&load_checked(&text).diagnostics).map(|d| (d.code.name(), d.position));
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
        assert_eq!([!found.negate.is_none(), found.absolute, found.negate_absolute], flags, "{operand}");
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
    assert_eq!(slice(instruction.dest().unwrap().span), "o[COLR].xy (GT.x)");
    let operands: Vec<&str> = instruction.operands.iter().map(|o| slice(o.span)).collect();
    assert_eq!(operands, ["-|R1.x|", "{1, 2}.yyyy", "f[COL0]"]);
}

#[test]
fn registers_are_counted_in_halves() {
    let program = accepts("MOV R5, R5; MOV H1, H2; MOV RC, H2; DECLARE x;");
    // R5, H1, H2, R0 (from `around`) and o[COLR]: 2 + 1 + 1 + 2 + 2 halves.
    assert_eq!(program.usage[1].used, 8);
    assert_eq!(program.usage[0].used, 4);
    let names: Vec<_> = program.temporaries.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["R5", "H1", "H2", "R0"]);

    let write = |letter: &str, count: usize| -> String {
        (0..count).map(|n| format!("MOV {letter}{n}, 1;")).collect()
    };
    // 31 R registers and o[COLR] make 64 halves. So do 62 H registers and o[DEPR], and 63 H registers and
    // o[COLH].
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
fn the_examples_of_the_text_load() {
    for example in [
        // From the issues: a condition code, linear filtering in one direction, texture lookups.
        "SUBC R0, R1, R2;      # \"C\" suffix means update condition code
         MOV  R0 (LT), -R0;    # Conditional write mask in parentheses",
        "TEXC R0, f[TEX0], TEX0, 2D;\nKIL EQ.x;",
        "MOVC RC.x, R0.x;\nMOVC RC.x (EQ), R1.x;\nMOVC RC.x (NE), R1.x;",
        "DEFINE halfTexel = { 0.03125, 0 };   # 1/32 (1/2 a texel)
          ADD R2, f[TEX0], -halfTexel;         # coords of left sample
          ADD R1, f[TEX0], +halfTexel;         # coords of right sample
          TEX R0, R2, TEX0, 2D;                # lookup left sample
          TEX R1, R1, TEX0, 2D;                # lookup right sample
          MUL R2.x, R2.x, 16;                  # scale X coords to texels
          FRC R2.x, R2.x;                      # get fraction, filter weight
          LRP R0, R2.x, R1, R0;                # blend samples based on weight",
        "TEX H0, f[TEX2], TEX2, 3D;",
        "MAX R1,R0,-R0; ADD R2,R0,-R1;",
        "MOV R0, p[12];",
        // 3.11.2
        "DEFINE pi = 3.1415926535;\nDEFINE color = {0.2, 0.5, 0.8, 1.0};",
        "DECLARE fog_color1;\nDECLARE fog_color2 = {0.3, 0.6, 0.9, 0.1};",
        "MOV R0, p[31];",
        "MAD R0, R1, 2, -1; MAD R0, R1, {2,-1,0,0}.x, {2,-1,0,0}.y;",
        "ADD R0, {1,2,3,4}, 4; ADD R0, {1,2,3,4}.xyzw, {1,2,3,4}.w;",
        // 3.11.4.4
        "MOVC R0, R1;\nMOVC R0.xyz, R1.yzwx;\nMOVC R0 (NE), R1.zywx;\nMOV R0 (NE.zyxw), R1;",
    ] {
        accepts(example);
    }
}
