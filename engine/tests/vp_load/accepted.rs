//! Programs that load, and the IR that they become.

use shadestep_engine::diag::Severity;
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    Attribute, CcRegister, CcTest, Condition, Element, Index, Indirect, Negation, ParamId, Parameter,
    ParameterSource, Program, Saturation, Semantics, Source, Swizzle, Target, TempId, Type, VertexResult,
    WriteMask,
};
use shadestep_language::isa::Language::{self, Vp1, Vp1_1, Vp2, Vsp1};
use shadestep_language::isa::{Info, OperandKind, ResultKind, Suffixes, instructions};

use super::{ALL, OLDER, accepts, accepts_whole, duty, load_checked};

/// Returns the instruction `name` of the table with operands that fit. Its label is `here`.
fn instance(language: Language, info: &Info, name: &str) -> String {
    let mut parts = Vec::new();
    match info.result {
        ResultKind::None => {}
        ResultKind::Address => parts.push("A0.x"),
        ResultKind::Vector | ResultKind::Replicated => parts.push("R0.xz"),
    }
    let mut condition = "";
    for kind in info.operands_in(language) {
        parts.push(match kind {
            OperandKind::Vector => "-R1.yzwx",
            OperandKind::Scalar => "R1.w",
            OperandKind::Address => "A1",
            OperandKind::Label => "here",
            OperandKind::BranchCondition => {
                condition = " (NE.w)";
                continue;
            }
            OperandKind::OptionalVector
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::SubroutineVariable
            | OperandKind::Condition
            | OperandKind::TextureImage
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle => unreachable!("not in these languages"),
        });
    }
    format!("{name} {}{condition};", parts.join(", "))
}

#[test]
fn every_instruction_loads_with_every_suffix_it_takes() {
    // Table X.4: 17 names, and 21 with those marked (*). Table X.5: 39 names, and all except BRA, CAL and RET
    // take C.
    for (language, count) in [(Vp1, 17), (Vp1_1, 21), (Vp2, 39 + 36), (Vsp1, 17)] {
        let mut tried = 0;
        for info in instructions(language) {
            for suffixes in info.forms(language).unwrap().combinations() {
                let name = format!("{}{}", info.mnemonic, suffixes.text());
                let label = if language == Vp2 { "here: " } else { "" };
                let program = accepts(language, &format!("{label}{}", instance(language, info, &name)));
                let found = &program.instructions[0];
                assert_eq!(
                    (found.op, found.update_cc(), found.saturate()),
                    (info.opcode, suffixes.cc.map(CcRegister::from), Saturation::None)
                );
                assert_eq!(found.ty, Type::F32);
                assert_eq!(
                    found.semantics,
                    if language == Vp2 { Semantics::NV_VERTEX_2 } else { Semantics::NV_VERTEX_1 }
                );
                assert_eq!(program.language, language);
                tried += 1;
            }
        }
        assert_eq!(tried, count, "{language:?}");
    }
}

/// The names of Tables X.4 and X.5 as printed, against the engine's instruction table.
#[test]
fn each_language_has_the_instructions_of_its_table() {
    const VP1: &str = "ADD ARL DP3 DP4 DST EXP LIT LOG MAD MAX MIN MOV MUL RCP RSQ SGE SLT";
    const VP1_1: &str = "ABS ADD ARL DP3 DP4 DPH DST EXP LIT LOG MAD MAX MIN MOV MUL RCC RCP RSQ SGE SLT SUB";
    const VP2: &str = "ABS ADD ARA ARL ARR BRA CAL COS DP3 DP4 DPH DST EX2 EXP FLR FRC LG2 LIT LOG MAD MAX MIN MOV MUL RCC RCP RET RSQ SEQ SFL SGE SGT SIN SLE SLT SNE SSG STR SUB";
    for (language, expected) in [(Vp1, VP1), (Vp1_1, VP1_1), (Vp2, VP2), (Vsp1, VP1)] {
        let names: Vec<&str> = instructions(language).map(|info| info.mnemonic).collect();
        assert_eq!(names.join(" "), expected, "{language:?}");
        for info in instructions(language) {
            let forms: Vec<String> =
                info.forms(language).unwrap().combinations().into_iter().map(Suffixes::text).collect();
            let cc = language == Vp2 && !["BRA", "CAL", "RET"].contains(&info.mnemonic);
            assert_eq!(forms, if cc { vec!["", "C"] } else { vec![""] }, "{}", info.mnemonic);
        }
    }
}

fn source(program: &Program) -> Source {
    program.instructions[0].operands[0].source
}

#[test]
fn attributes_have_numbers_and_the_names_of_table_x3() {
    const NAMES: [(&str, u8); 14] = [
        ("OPOS", 0),
        ("WGHT", 1),
        ("NRML", 2),
        ("COL0", 3),
        ("COL1", 4),
        ("FOGC", 5),
        ("TEX0", 8),
        ("TEX1", 9),
        ("TEX2", 10),
        ("TEX3", 11),
        ("TEX4", 12),
        ("TEX5", 13),
        ("TEX6", 14),
        ("TEX7", 15),
    ];
    for language in [Vp1, Vp1_1, Vp2] {
        for (name, number) in NAMES {
            let program = accepts(language, &format!("MOV R0, v[{name}];"));
            assert_eq!(source(&program), Source::Attribute(Attribute::Vertex(number)), "{name}");
            // A name and its number denote one register.
            accepts(language, &format!("ADD R0, v[{name}], -v[{number}].x;"));
        }
        for number in 0..16 {
            let program = accepts(language, &format!("MOV R0, v[{number}];"));
            assert_eq!(source(&program), Source::Attribute(Attribute::Vertex(number)));
        }
        accepts(language, "MOV R0, v [ 015 ] . x;");
    }
    assert_eq!(source(&accepts(Vsp1, "MOV R0, v[0];")), Source::Attribute(Attribute::Vertex(0)));
}

#[test]
fn results_are_those_of_table_x1() {
    const NAMES: [&str; 15] = [
        "HPOS", "COL0", "COL1", "BFC0", "BFC1", "FOGC", "PSIZ", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4",
        "TEX5", "TEX6", "TEX7",
    ];
    const CLIP: [&str; 6] = ["CLP0", "CLP1", "CLP2", "CLP3", "CLP4", "CLP5"];
    for language in [Vp1, Vp1_1, Vp2] {
        let clip: &[&str] = if language == Vp2 { &CLIP } else { &[] };
        for (index, name) in NAMES.iter().chain(clip).enumerate() {
            let program = accepts(language, &format!("MOV o[{name}].xw, v[0];"));
            assert_eq!(program.outputs[0].name, format!("o[{name}]"));
            let role = shadestep_language::ir::OutputRole::Vertex(VertexResult::ALL[index]);
            assert_eq!(program.outputs[0].role, role);
        }
        // A write to one component of HPOS is enough, even if a condition masks the write at run time.
        accepts_whole(&format!("{} MOV o[HPOS].z, v[0]; END", language.header()));
    }
    accepts_whole("!!VP2.0 MOV o[HPOS].z (FL), v[0]; END");
}

#[test]
fn every_register_of_a_language_loads() {
    for language in ALL {
        let (temporaries, parameters) = if language == Vp2 { (16, 256) } else { (12, 96) };
        for number in 0..temporaries {
            let program = accepts(language, &format!("MOV R{number}, v[0];"));
            assert_eq!(program.temporaries[0].name, format!("R{number}"));
            assert_eq!(program.temporaries[0].ty, Type::F32);
        }
        for number in 0..parameters {
            let program = accepts(language, &format!("MOV R0, c[{number}];"));
            assert_eq!(source(&program), Source::Param(ParamId(0)));
            assert_eq!(program.parameters[0].source, ParameterSource::Env(number));
        }
        accepts(language, "MOV R0, c[007];");
    }
}

fn registers(program: &Program) -> Vec<u16> {
    let number = |parameter: &Parameter| match parameter.source {
        ParameterSource::Env(number) => number,
        _ => panic!("no register"),
    };
    program.parameters.iter().map(number).collect()
}

#[test]
fn parameters_are_listed_by_first_use_or_all_of_them() {
    for language in ALL {
        let program = accepts(language, "MOV R0, c[9]; ADD R0, c[2], c[2].x; MOV R1, c[9];");
        let expected: &[u16] = if language == Vsp1 { &[9, 2, 95] } else { &[9, 2] };
        assert_eq!(registers(&program), expected);
        let read: Vec<_> = program.instructions[..3].iter().map(|i| i.operands[0].source).collect();
        assert_eq!(read, [0, 1, 0].map(|id| Source::Param(ParamId(id))));

        let size = if language == Vp2 { 256 } else { 96 };
        let program = accepts(language, "MOV R0, c[9]; ARL A0.x, R0.x; MOV R1, c[A0.x+5];");
        assert_eq!(registers(&program), (0..size).collect::<Vec<_>>());
        assert_eq!(source(&program), Source::Param(ParamId(9)));
        assert_eq!(program.usage[2].used, usize::from(size));
        let indexed = program.instructions[2].operands[0].source;
        let address = program.temporaries.iter().position(|t| t.name == "A0").unwrap();
        assert_eq!(program.temporaries[address].ty, Type::Address);
        let address = TempId(address as u16);
        let expected = Indirect {
            first: Element::Param(ParamId(0)),
            count: size,
            index: Index { register: Some((address, 0)), offset: 5 },
            vertex: None,
        };
        assert_eq!(indexed, Source::Indirect(expected));
    }
    // Parameters that a state program writes are in the same list.
    let program = accepts_whole("!!VSP1.0 MOV c[7], c[3]; MOV c[3].x, v[0]; END");
    assert_eq!(registers(&program), [3, 7]);
    let targets: Vec<_> = program.instructions.iter().map(|i| i.target().unwrap()).collect();
    assert_eq!(targets, [Target::Param(ParamId(1)), Target::Param(ParamId(0))]);
    let program = accepts_whole("!!VSP1.0 MOV c[7], c[A0.x]; END");
    assert_eq!(program.instructions[0].dest().unwrap().target, Target::Param(ParamId(7)));
}

#[test]
fn relative_references_have_their_offsets_and_components() {
    let offset =
        |language, reference: &str| match source(&accepts(language, &format!("MOV R0, {reference};"))) {
            Source::Indirect(Indirect {
                index: Index { register: Some((_, component)), offset }, ..
            }) => (component, offset),
            other => panic!("{other:?}"),
        };
    for language in ALL {
        for (reference, expected) in [
            ("c[A0.x]", 0),
            ("c[A0.x+0]", 0),
            ("c[A0.x-0]", 0),
            ("c[A0.x+63]", 63),
            ("c[A0.x-64]", -64),
            ("c [ A0 . x - 01 ]", -1),
        ] {
            assert_eq!(offset(language, reference), (0, expected), "{language:?} {reference}");
        }
    }
    for (reference, expected) in [
        ("c[A0.x+255]", (0, 255)),
        ("c[A1.y-256]", (1, -256)),
        ("c[A0.z+64]", (2, 64)),
        ("c[A1.w-65].wzyx", (3, -65)),
    ] {
        assert_eq!(offset(Vp2, reference), expected, "{reference}");
    }
    // Operands with the same relative address are one register, however the offset is spelt.
    accepts(Vp1, "MAD R0, c[A0.x+2], -c[A0.x+2].x, c[A0.x+02];");
    accepts(Vp2, "ADD R0, c[A1.w], |c[A1.w-0]|;");
}

#[test]
fn address_registers_are_loaded() {
    for language in OLDER {
        let program = accepts(language, "ARL A0.x, -v[0].w;");
        let load = &program.instructions[0];
        assert_eq!(load.dest().unwrap().mask, WriteMask(1));
        assert_eq!(
            (load.operands[0].swizzle, load.operands[0].negate),
            (Swizzle::replicate(3), Negation::ALL)
        );
    }
    for (text, mask) in [("A0", 15), ("A1", 15), ("A1.x", 1), ("A0.yw", 10), ("A0 . x y z w", 15)] {
        for mnemonic in ["ARL", "ARLC", "ARR", "ARRC"] {
            let program = accepts(Vp2, &format!("{mnemonic} {text}, -|c[4].wzyx|;"));
            assert_eq!(program.instructions[0].dest().unwrap().mask, WriteMask(mask));
            assert_eq!(program.instructions[0].operands[0].swizzle, Swizzle([3, 2, 1, 0]));
        }
        let program = accepts(Vp2, &format!("ARAC {text}, A1;"));
        let operand = program.instructions[0].operands[0];
        let Source::Temp(id) = operand.source else { panic!("{operand:?}") };
        assert_eq!(program.temporaries[usize::from(id.0)].name, "A1");
        assert_eq!(operand.swizzle, Swizzle::IDENTITY);
    }
    // 2.14.2.2 names <maskedAddrReg> among the rules with a condition mask.
    let program = accepts(Vp2, "ARL A0.xy (GT.w), c[0]; ARA A1 (EQ), A0;");
    let wanted =
        CcTest { condition: Condition::Gt, swizzle: Swizzle::replicate(3), register: CcRegister::Cc0 };
    assert_eq!(program.instructions[0].dest().unwrap().test, Some(wanted));
}

#[test]
fn masks_swizzles_and_conditions() {
    for language in ALL {
        for mask in 1..16_u8 {
            let letters: String =
                (0..4).filter(|i| mask >> i & 1 != 0).map(|i| "xyzw".as_bytes()[i] as char).collect();
            let program = accepts(language, &format!("MOV R1.{letters}, v[0];"));
            assert_eq!(program.instructions[0].dest().unwrap().mask, WriteMask(mask));
        }
        for (suffix, swizzle) in
            [("", [0, 1, 2, 3]), (".y", [1; 4]), (".wzyx", [3, 2, 1, 0]), (" . x y x y", [0, 1, 0, 1])]
        {
            let program = accepts(language, &format!("MOV R1, -c[3]{suffix};"));
            assert_eq!(program.instructions[0].operands[0].swizzle, Swizzle(swizzle));
        }
    }
    for &condition in Condition::OF_NUMBERS {
        for (suffix, swizzle) in [("", [0, 1, 2, 3]), (".x", [0; 4]), (".wzyx", [3, 2, 1, 0])] {
            let wanted = CcTest { condition, swizzle: Swizzle(swizzle), register: CcRegister::Cc0 };
            let name = condition.name();
            let program = accepts(
                Vp2,
                &format!(
                    "MOV R1.xy({name}{suffix}), c[0]; ADDC CC ({name}{suffix}), R1, R1; l: BRA l ({name}{suffix});"
                ),
            );
            assert_eq!(program.instructions[0].dest().unwrap().test, Some(wanted));
            let dest = program.instructions[1].dest().unwrap();
            assert_eq!((dest.target, dest.test), (Target::ConditionOnly(Type::F32), Some(wanted)));
            assert_eq!(program.instructions[2].test(), Some(wanted));
        }
    }
}

#[test]
fn operand_signs_are_kept_apart() {
    for (operand, flags) in [
        ("R1", [false, false, false]),
        ("+R1", [false, false, false]),
        ("-R1", [true, false, false]),
        ("|R1|", [false, true, false]),
        ("|-R1.x|", [true, true, false]),
        ("-|c[A0.y-3]|", [false, true, true]),
        ("-|-v[3]|", [true, true, true]),
        ("+|+R1|", [false, true, false]),
    ] {
        let program = accepts(Vp2, &format!("MOV R0, {operand};"));
        let found = program.instructions[0].operands[0];
        assert_eq!([!found.negate.is_none(), found.absolute, found.negate_absolute], flags, "{operand}");
    }
    for language in OLDER {
        assert_eq!(accepts(language, "MOV R0, -R1;").instructions[0].operands[0].negate, Negation::ALL);
    }
}

#[test]
fn limits_of_instructions() {
    let many = |language: Language, option: &str, count: usize| {
        let body = "MOV R0, v[0];".repeat(count - 1);
        let duty = if option.is_empty() { duty(language) } else { "MOV o[COL0], R0;" };
        (format!("{} {option} {body}", language.header()), format!("{duty} END"))
    };
    const OPTION: &str = "OPTION NV_position_invariant;";
    for (language, option, limit) in [
        (Vp1, "", 128),
        (Vp1_1, "", 128),
        (Vp1_1, OPTION, 124),
        (Vp2, "", 256),
        (Vp2, OPTION, 252),
        (Vsp1, "", 128),
    ] {
        let (body, duty) = many(language, option, limit);
        let program = accepts_whole(&format!("{body}{duty}"));
        assert_eq!(program.instructions.len(), limit);
        assert_eq!((program.usage[0].used, program.usage[0].limit), (limit, limit));
        let (body, duty) = many(language, option, limit + 1);
        super::refuses_whole("vp-too-many-instructions", &format!("{body}@{duty}"));
    }
}

#[test]
fn resources_are_counted() {
    let program = accepts(Vp2, "ARL A0, c[3]; MOV R5, R7; MOV R5, c[9]; ADD R1, c[3], R0;");
    let usage: Vec<_> = program.usage.iter().map(|u| (u.what, u.used, u.limit)).collect();
    assert_eq!(usage, [("instructions", 5, 256), ("temporaries", 4, 16), ("parameters", 2, 256)]);
    let program = accepts(Vp1, "ARL A0.x, v[0].x;");
    let usage: Vec<_> = program.usage.iter().map(|u| (u.what, u.used, u.limit)).collect();
    assert_eq!(usage, [("instructions", 2, 128), ("temporaries", 1, 12), ("parameters", 0, 96)]);
}

#[test]
fn whitespace_comments_and_ends() {
    for text in [
        "!!VP1.0 MOV o[HPOS],v[0];END",
        "!!VP1.1MOV o[HPOS],v[0];END",
        "!!VP2.0\r\nMOV\to[HPOS]\r,\nv[0]\r\n;\r\nEND\r\n",
        "!!VP2.0# header\nmain # label\n: MOV # dest\no[HPOS], v[0] #value\r;#end\nEND # done \u{e9}\0",
        "!!VSP1.0\nMOV c[0], v[0];\nEND#",
        "!!VP1.1 OPTION# name\nNV_position_invariant\n;MOV o[COL0], v[3]; END",
    ] {
        accepts_whole(text);
    }
}

#[test]
fn spans_cover_what_they_name() {
    let text =
        "!!VP2.0\nloop :\nMADC  o[HPOS].xy (GT.x) , -|R1.x| , c[ A0.x + 4 ].yyyy,v[OPOS];BRA loop (LT);END";
    let program = accepts_whole(text);
    let instruction = &program.instructions[0];
    let slice = |span: Span| &text[span.start..span.end];
    assert_eq!(slice(instruction.span), "MADC  o[HPOS].xy (GT.x) , -|R1.x| , c[ A0.x + 4 ].yyyy,v[OPOS]");
    assert_eq!(slice(instruction.mnemonic_span), "MADC");
    assert_eq!(slice(instruction.dest().unwrap().span), "o[HPOS].xy (GT.x)");
    let operands: Vec<&str> = instruction.operands.iter().map(|o| slice(o.span)).collect();
    assert_eq!(operands, ["-|R1.x|", "c[ A0.x + 4 ].yyyy", "v[OPOS]"]);
    assert_eq!(slice(program.instructions[1].span), "BRA loop (LT)");
    assert_eq!(slice(program.labels[0].span), "loop");
}

#[test]
fn registers_read_before_they_are_written_are_pointed_out() {
    let warnings = |text: &str| -> Vec<(&'static str, usize)> {
        let loaded = load_checked(text);
        assert!(loaded.program.is_some(), "{text}: {:?}", loaded.diagnostics);
        assert!(loaded.diagnostics.iter().all(|d| d.severity == Severity::Warning));
        loaded.diagnostics.iter().map(|d| (d.code.name(), d.position)).collect()
    };
    let code = "vp-unwritten-temporary";
    assert_eq!(warnings("!!VP1.0 MOV o[HPOS], R3; MOV R3, R3; END"), [(code, 21), ("vp-dead-write", 29)]);
    assert_eq!(warnings("!!VP1.0 MOV R3, v[0]; MOV o[HPOS], R3; END"), []);
    assert_eq!(warnings("!!VP1.0 MOV o[HPOS], c[A0.x]; END"), [(code, 21)]);
    assert_eq!(warnings("!!VP1.0 ARL A0.x, v[0].x; MOV o[HPOS], c[A0.x]; END"), []);
    // With branches the order of the text proves nothing. A register without any write still gives a warning.
    let text = "!!VP2.0 use: MOV o[HPOS], R3; RET; main: MOV R3, v[0]; CAL use; END";
    assert_eq!(warnings(text), []);
    let text = "!!VP2.0 l: BRA l (GT); MOV o[HPOS], R3; END";
    let unset = ("vp-unset-condition", text.find("BRA").unwrap());
    assert_eq!(warnings(text), [unset, (code, text.rfind("R3").unwrap())]);
}

#[test]
fn the_examples_of_the_text_load() {
    for example in [
        // Examples from the issues of NV_vertex_program2, with the semicolons and third operands that the
        // text omits.
        "DP3C R1.x, R2, R3; ADD  R0, R0, c[0]; BRA  pointsAway (LT.x); MOV  R1.w, c[2].w;
         DP3  R1.y, R2, R4; LIT  R1, R1; MAD  R4, c[1], R1.y, R0; MAD  R4, c[2], R1.z, R4; pointsAway:",
        "MOV R0, c[0].z; MOV R1, c[0].y; FLRC R2.x, c[0].x; BRA done (LE.x);
         top: CAL accumulate; ADDC R2.x, R2.x, -c[0].w; BRA top (GT.x); done: RET;
         accumulate: ADD R0, R0, R1; RET;",
        "DP4 o[CLP0].x, R0, c[0];",
        "SUB R1.xyz, R0, c[0]; DP3 R1.w, R1, R1; SUB o[CLP0].x, c[0].w, R1.w;",
        "MOVC R15.x, c[0].x; startLoop: CAL  function (GT.x); SUBC R15.x, R15.x, c[1].x;
         BRA  startLoop (GT.x); endLoop: function: RET;",
        "ARLC A1, c[0]; startLoop: CAL  function (GT.x); ARAC A1.xy, A1; BRA  startLoop (GT.x); endLoop: function:",
        "ARLC A0, v[14]; DP4 R1.x, c[A0.x+0], v[0]; DP4 R1.w, c[A0.x+3], v[0]; MUL R0, R1, v[12].x; BRA end (LT.y); end:",
        // 2.14.2.2 and 2.14.2.3
        "MOVC R0, R1; MOVC R0.xyz, R1.yzwx; MOVC R0 (NE), R1.zywx;",
        "MOVC CC, c[0]; BRA label1 (LT.xyzw); MOV R0,R1; label1: BRA label2 (LT.wyzw); MOV R0,R2; label2:",
    ] {
        accepts(Vp2, example);
    }
    // The idioms of Table X.4 work in every version.
    for language in ALL {
        accepts(language, "MAX R0, R1, -R1; ADD R0, R1, -c[4];");
    }
}
