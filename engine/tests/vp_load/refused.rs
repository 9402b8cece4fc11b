//! Programs that are refused, with the code and the place of the error.

use shadestep_engine::diag::{Severity, first_error};
use shadestep_engine::front::MAX_DIAGNOSTICS;
use shadestep_language::isa::Language::{Vp1, Vp1_1, Vp2, Vsp1};
use shadestep_language::isa::{self, Language, Suffixes, instructions};

use super::{ALL, OLDER, accepts, accepts_whole, around, load_checked, refuses, refuses_whole};

#[test]
fn every_other_suffix_is_refused() {
    let mut tried = 0;
    for language in ALL {
        for info in instructions(language) {
            let legal: Vec<String> =
                info.forms(language).unwrap().combinations().into_iter().map(Suffixes::text).collect();
            for suffix in ["C", "R", "H", "X", "RC", "HC", "XC", "CC", "_SAT", "C_SAT", "R_SAT", "_SSAT"] {
                let name = format!("{}{suffix}", info.mnemonic);
                if legal.iter().any(|l| l == suffix) {
                    continue;
                }
                tried += 1;
                let text = around(language, &format!("{name} R0;"));
                let loaded = load_checked(&text);
                let fault = first_error(&loaded.diagnostics).unwrap();
                // The suffix C exists in `!!VP2.0`, so the error names that language.
                let later = language != Vp2 && suffix == "C";
                let code = if later { "vp-later-instruction" } else { "vp-bad-suffix" };
                let start = language.header().len() + 1;
                assert_eq!((fault.code.name(), fault.position), (code, start), "{language:?} {name}");
                assert!(later == fault.message.contains("!!VP2.0"), "{}", fault.message);
            }
        }
    }
    assert_eq!(tried, 12 * (17 + 21 + 17) + 11 * 36 + 12 * 3);
}

#[test]
fn instructions_say_which_version_brought_them() {
    for language in OLDER {
        for info in instructions(Vp2) {
            for suffixes in info.forms(Vp2).unwrap().combinations() {
                let name = format!("{}{}", info.mnemonic, suffixes.text());
                if isa::find(language, &name).is_some() {
                    continue;
                }
                let text = around(language, &format!("{name} R0, R1, R2;"));
                let fault = load_checked(&text).diagnostics[0].clone();
                assert_eq!(fault.code.name(), "vp-later-instruction", "{name}");
                // NV_vertex_program1_1 added four instructions. NV_vertex_program2 added all others.
                let early = ["ABS", "DPH", "RCC", "SUB"].contains(&name.as_str());
                let brought = if early { "!!VP1.1" } else { "!!VP2.0" };
                assert!(fault.message.starts_with(&format!("{name} needs `{brought}`")));
                assert_eq!(fault.position, language.header().len() + 1);
                assert_eq!(fault.fix.is_some(), language != Vsp1);
            }
        }
    }
    refuses(Vp1, "vp-later-instruction", "@ABS R0, R1;");
    refuses(Vp1_1, "vp-later-instruction", "@MOVC R0, R1;");
    refuses(Vsp1, "vp-later-instruction", "@DPH R0, R1, R2;");
}

#[test]
fn instructions_that_do_not_exist() {
    for language in ALL {
        for word in ["mov", "FOO", "MOVE", "MUUL", "POW", "LRP", "TEX", "KIL", "PARAM", "DEFINE", "IF", "x"] {
            refuses(language, "vp-unknown-instruction", &format!("@{word} R0, R1;"));
        }
        for word in ["R0", "A0", "CC", "v", "c", "o", "EQ"] {
            refuses(language, "vp-unexpected", &format!("@{word} R0, R1;"));
        }
    }
    let fix = |language, body: &str| {
        let loaded = load_checked(&around(language, body));
        first_error(&loaded.diagnostics).and_then(|d| d.fix.clone()).map(|f| f.replacement)
    };
    assert_eq!(fix(Vp1, "mul R0, R1, R2;").as_deref(), Some("MUL"));
    assert_eq!(fix(Vp2, "mulc R0, R1, R2;").as_deref(), Some("MULC"));
    assert_eq!(fix(Vp1_1, "OPTOIN NV_position_invariant;").as_deref(), Some("OPTION"));
    assert_eq!(fix(Vp1, "SUB R0, R1, R2;").as_deref(), Some("!!VP1.1"));
}

#[test]
fn one_attribute_and_one_parameter_an_instruction() {
    for language in ALL {
        accepts(language, "MAD R0, v[0], -v[0].x, c[3]; MAD R0, c[3], c[3].x, -c[3];");
        refuses(language, "vp-two-parameters", "ADD R0, c[0], @c[1];");
        refuses(language, "vp-two-parameters", "MAD R0, c[0], R1, -@c[1].x;");
        refuses(language, "vp-two-parameters", "ADD R0, c[0], @c[A0.x];");
        refuses(language, "vp-two-parameters", "ADD R0, c[A0.x], @c[0];");
        refuses(language, "vp-two-parameters", "ADD R0, c[A0.x], @c[A0.x+1];");
        refuses(language, "vp-two-parameters", "MAD R0, c[A0.x-1], v[0], @c[A0.x+1];");
    }
    refuses(Vp2, "vp-two-parameters", "ADD R0, c[A0.x], @c[A1.x];");
    refuses(Vp2, "vp-two-parameters", "ADD R0, c[A0.x], |@c[A0.y]|;");
    for language in [Vp1, Vp1_1, Vp2] {
        refuses(language, "vp-two-attributes", "ADD R0, v[0], @v[1];");
        refuses(language, "vp-two-attributes", "MAD R0, v[OPOS], c[3], -@v[TEX0].x;");
        refuses(language, "vp-two-attributes", "ADD R0, v[8], @v[TEX1];");
    }
}

#[test]
fn what_must_be_written() {
    for header in ["!!VP1.0", "!!VP1.1", "!!VP2.0"] {
        refuses_whole("vp-no-position", &format!("{header} MOV o[COL0], v[0]; END @"));
        refuses_whole("vp-no-position", &format!("{header} END\n# comment@"));
    }
    refuses_whole("vp-no-position", "!!VP2.0 l: END@");
    refuses_whole("vp-no-parameter", "!!VSP1.0 MOV R0, c[0]; END @");
    refuses_whole("vp-no-parameter", "!!VSP1.0 END@");
    accepts_whole("!!VSP1.0 MOV c[0].x, v[0]; END");
}

#[test]
fn registers_that_do_not_exist() {
    for language in ALL {
        for register in ["R16", "R99", "R4294967296", "R01", "A2", "foo", "r0", "RC", "H0"] {
            refuses(language, "vp-bad-register", &format!("MOV @{register}, v[0];"));
            refuses(language, "vp-bad-register", &format!("MOV R0, -@{register}.x;"));
            refuses(language, "vp-bad-register", &format!("RCP R0, @{register};"));
        }
        refuses(language, "vp-read-address", "MOV R0, @A0;");
        refuses(language, "vp-read-address", "RCP R0, @A0.x;");
        refuses(language, "vp-read-condition-register", "MOV R0, @CC;");
        refuses(language, "vp-read-result", "MOV R0, @o[HPOS];");
        refuses(language, "vp-read-result", "MOV R0, -@o[COL0].x;");
        refuses(language, "vp-write-attribute", "MOV @v[0], R1;");
        refuses(language, "vp-bad-parameter", "MOV R0, c[@256];");
        refuses(language, "vp-bad-parameter", "MOV R0, c[@99999999999999999999];");
        refuses(language, "vp-bad-parameter", "MOV R0, c[@1.5];");
        refuses(language, "vp-bad-parameter", "MOV R0, c[@1e1];");
        refuses(language, "vp-bad-parameter", "MOV R0, c[@R0];");
        refuses(language, "vp-bad-parameter", "MOV R0, c[@a0.x];");
        refuses(language, "vp-unexpected", "MOV R0, c[@-1];");
        refuses(language, "vp-unexpected", "MOV R0, c@;");
        refuses(language, "vp-unexpected", "MOV R0, c[1@;");
        refuses(language, "vp-unexpected", "MOV R0, v[@];");
        for constant in ["1", "-@2.5", "{1}", "1.x"] {
            let marked = if constant.contains('@') { constant.to_owned() } else { format!("@{constant}") };
            refuses(language, "vp-unexpected", &format!("MOV R0, {marked};"));
        }
        for place in ["1", "{1}", "-R0", "(EQ)", "EQ"] {
            refuses(language, "vp-unexpected", &format!("MOV @{place}, v[0];"));
        }
    }
    for language in OLDER {
        for register in ["R12", "R13", "R14", "R15"] {
            refuses(language, "vp-later-feature", &format!("MOV @{register}, v[0];"));
            refuses(language, "vp-later-feature", &format!("RCP R0, @{register}.x;"));
        }
        refuses(language, "vp-bad-parameter", "MOV R0, c[@96];");
        refuses(language, "vp-bad-parameter", "MOV R0, c[@255];");
        refuses(language, "vp-later-feature", "MOV @CC, v[0];");
    }
    for language in [Vp1, Vp1_1, Vp2] {
        for name in ["16", "TEX8", "HPOS", "opos", "1.5", "6x", "COLR"] {
            refuses(language, "vp-bad-attribute", &format!("MOV R0, v[@{name}];"));
        }
        for name in ["OPOS", "TEX8", "hpos", "CLP6", "COLR", "0"] {
            refuses(language, "vp-bad-result", &format!("MOV o[@{name}], v[0];"));
        }
        refuses(language, "vp-write-parameter", "MOV @c[0], v[0];");
        refuses(language, "vp-write-parameter", "MOV @c[A0.x+1].x, v[0];");
        refuses(language, "vp-bad-register", "MOV @HPOS, v[0];");
        refuses(language, "vp-bad-register", "MOV R0, @OPOS;");
    }
    for language in [Vp1, Vp1_1] {
        for name in ["CLP0", "CLP5"] {
            refuses(language, "vp-later-feature", &format!("MOV o[@{name}].x, v[0];"));
        }
    }
}

#[test]
fn state_programs_write_parameters_and_read_one_attribute() {
    for name in ["1", "15", "OPOS", "NRML", "00", "16"] {
        refuses(Vsp1, "vp-bad-attribute", &format!("MOV R0, v[@{name}];"));
    }
    refuses(Vsp1, "vp-bad-result", "MOV @o[HPOS], R0;");
    refuses(Vsp1, "vp-bad-result", "MOV @o[CLP0].x, R0;");
    refuses(Vsp1, "vp-bad-parameter", "MOV c[@96], R0;");
    refuses(Vsp1, "vp-relative-write", "MOV c[@A0.x], R0;");
    refuses(Vsp1, "vp-relative-write", "MOV c[@A0.x+4].x, R0;");
    accepts(Vsp1, "MOV c[0], c[1]; ADD c[95].x, c[A0.x+2], v[0]; ARL A0.x, c[3].w; MOV R11, v[0];");
}

#[test]
fn address_registers_and_relative_references() {
    for language in OLDER {
        refuses(language, "vp-needs-component", "ARL A0@, R0.x;");
        for mask in ["y", "xy", "xyzw", "w"] {
            refuses(language, "vp-address-mask", &format!("ARL A0.@{mask}, R0.x;"));
        }
        refuses(language, "vp-needs-component", "ARL A0.x, R0@;");
        refuses(language, "vp-needs-component", "ARL A0.x, R0.@xyzw;");
        refuses(language, "vp-later-feature", "ARL @A1.x, R0.x;");
        refuses(language, "vp-later-feature", "MOV R0, c[@A1.x];");
        for component in ["y", "z", "w"] {
            refuses(language, "vp-later-feature", &format!("MOV R0, c[A0.@{component}+1];"));
        }
        for offset in ["+@64", "-@65", "+@255", "-@256", "+@1.5", "-@99999999999999999999", "+@1x"] {
            refuses(language, "vp-bad-offset", &format!("MOV R0, c[A0.x{offset}];"));
        }
    }
    for offset in ["+@256", "-@257", "+@.5"] {
        refuses(Vp2, "vp-bad-offset", &format!("MOV R0, c[A1.w{offset}];"));
    }
    for language in ALL {
        refuses(language, "vp-needs-component", "MOV R0, c[A0@];");
        refuses(language, "vp-needs-component", "MOV R0, c[A0@+4];");
        refuses(language, "vp-bad-swizzle", "MOV R0, c[A0.@xy];");
        refuses(language, "vp-bad-component", "MOV R0, c[A0.@r];");
        refuses(language, "vp-unexpected", "MOV R0, c[A0.x+@];");
        refuses(language, "vp-unexpected", "MOV R0, c[A0.x+@-1];");
        refuses(language, "vp-unexpected", "MOV R0, c[A0.x @1];");
        refuses(language, "vp-unexpected", "MOV R0, c[A0.x+@R0];");
        refuses(language, "vp-needs-address", "ARL @R0.x, R0.x;");
        refuses(language, "vp-write-address", "MOV @A0.x, R0;");
        refuses(language, "vp-write-address", "RCP @A0.x, R0.x;");
    }
    refuses(Vp2, "vp-needs-address", "ARLC @CC, R0;");
    refuses(Vp2, "vp-needs-address", "ARA @o[COL0], A0;");
    for operand in ["R0", "c[0]", "-A0", "|A0|", "A2", "CC"] {
        refuses(Vp2, "vp-unexpected", &format!("ARA A0, @{operand};"));
    }
    refuses(Vp2, "vp-bad-swizzle", "ARA A0, A1@.x;");
    refuses(Vp2, "vp-bad-mask", "ARL A0.@yx, R0;");
}

#[test]
fn older_languages_lack_signs_bars_and_masks() {
    for language in OLDER {
        if language != Vp1_1 {
            refuses(language, "vp-later-feature", "MOV R0, @+R1;");
            refuses(language, "vp-later-feature", "MAD R0, R1, R1, @+c[3].x;");
        }
        refuses(language, "vp-later-feature", "MOV R0, @|R1|;");
        refuses(language, "vp-later-feature", "RCP R0, -@|v[0].x|;");
        refuses(language, "vp-later-feature", "MOV R0 @(EQ), R1;");
        refuses(language, "vp-later-feature", "MOV R0.x @(GT.x), R1;");
        accepts(language, "MAD R0, -R1, -c[3].x, -v[0];");
    }
    accepts(Vp2, "MAD R0 (EQ), +R1, |c[3].x|, -|v[0]|;");
    accepts(Vp1_1, "MAD R0, +R1, + c[3].x, +v[0];");
}

#[test]
fn masks_swizzles_and_components() {
    for language in ALL {
        for mask in ["yx", "xx", "xyzwx", "wzyx"] {
            refuses(language, "vp-bad-mask", &format!("MOV R0.@{mask}, R1;"));
        }
        for letters in ["rgba", "r", "stpq", "X"] {
            refuses(language, "vp-bad-component", &format!("MOV R0.@{letters}, R1;"));
            refuses(language, "vp-bad-component", &format!("MOV R0, R1.@{letters};"));
        }
        for swizzle in ["xy", "xyz", "xyzwx"] {
            refuses(language, "vp-bad-swizzle", &format!("MOV R0, R1.@{swizzle};"));
            refuses(language, "vp-bad-swizzle", &format!("RCP R0, R1.@{swizzle};"));
        }
        for mnemonic in ["RCP", "RSQ", "EXP", "LOG"] {
            refuses(language, "vp-needs-component", &format!("{mnemonic} R0, c[3]@;"));
            refuses(language, "vp-needs-component", &format!("{mnemonic} R0, -v[0].@xyzw;"));
        }
        refuses(language, "vp-unexpected", "MOV R0.@, R1;");
        refuses(language, "vp-bad-swizzle", "MOV R0, R1.x@.y;");
        refuses(language, "vp-unexpected", "MOV R0, -@-R1;");
    }
    refuses(Vp2, "vp-bad-swizzle", "MOV R0, |R1|@.x;");
    refuses(Vp2, "vp-unclosed-bars", "MOV R0, |R1@;");
    refuses(Vp2, "vp-unexpected", "MOV R0, |@|R1||;");
    refuses(Vp2, "vp-bad-condition", "MOV R0 (@XX), R1;");
    refuses(Vp2, "vp-bad-swizzle", "MOV R0 (EQ.@xy), R1;");
    refuses(Vp2, "vp-unexpected", "MOV R0 @EQ, R1;");
}

#[test]
fn operand_counts_and_separators() {
    for language in ALL {
        refuses(language, "vp-operand-count", "MOV R0@;");
        refuses(language, "vp-operand-count", "MAD R0, R1, R2@;");
        refuses(language, "vp-operand-count", "ADD R0, R1, R2@, R3;");
        refuses(language, "vp-operand-count", "ARL A0.x, R0.x@, R1;");
        refuses(language, "vp-missing-comma", "MOV R0 @R1;");
        refuses(language, "vp-missing-comma", "ADD R0, R1 @-R2;");
        refuses(language, "vp-missing-semicolon", "MOV R0, R1\n@MOV R1, R2;");
        refuses(language, "vp-missing-semicolon", "MOV R0, R1 @MOV R1, R2;");
        refuses(language, "vp-unexpected", "MOV R0, R1 @R2;");
        refuses(language, "vp-unexpected", "MOV @, R1;");
        refuses(language, "vp-empty-statement", "@;");
        refuses(language, "vp-unexpected", "@1;");
        refuses(language, "vp-unexpected", "@= R0;");
        refuses(language, "vp-unexpected", "@: MOV R0, R1;");
        refuses(language, "vp-unknown-character", "MOV R0, R1@\u{e9};");
        refuses(language, "vp-unknown-character", "MOV @\0R0, R1;");
        refuses(language, "vp-unknown-character", "MOV R0, @\u{2212}R1;");
        accepts(language, "# \u{e9}\u{1F600} \0 are fine in comments");
    }
}

#[test]
fn headers_and_ends() {
    for language in ALL {
        let header = language.header();
        let duty = super::duty(language);
        refuses_whole("header-not-first", &format!("@ {header} {duty} END"));
        refuses_whole("header-not-first", &format!("@# comment\n{header} {duty} END"));
        refuses_whole("header-not-first", &format!("@\u{feff}{header} {duty} END"));
        refuses_whole("header-unknown", &format!("@{} {duty} END", header.to_lowercase()));
        refuses_whole("vp-unexpected", &format!("{header}@1 {duty} END"));
        refuses_whole("vp-missing-end", &format!("{header} {duty}@"));
        refuses_whole("vp-missing-end", &format!("{header} {duty}\n# END\n@"));
        refuses_whole("vp-missing-end", &format!("{header}@"));
        refuses_whole("vp-after-end", &format!("{header} {duty} END @MOV R0, R1;"));
        refuses_whole("vp-after-end", &format!("{header} {duty} END@;"));
        // In `!!VP2.0` the word with a colon is a label.
        let code = if language == Vp2 { "vp-missing-end" } else { "vp-after-end" };
        let end = if language == Vp2 { "END:@" } else { "END@:" };
        refuses_whole(code, &format!("{header} {duty} {end}"));
        refuses_whole("vp-missing-semicolon", &format!("{header} {} @END", duty.trim_end_matches(';')));
    }
    for header in ["!!VP1.2", "!!VP2", "!!VSP1.1", "!!VSP", "!!VP3.0"] {
        refuses_whole("header-unknown", &format!("@{header} MOV o[HPOS], v[0]; END"));
    }
    // The fix for a missing header inserts the header of the likely kind of program.
    let fix = |text: &str| load_checked(text).diagnostics[0].fix.clone().unwrap().replacement;
    assert_eq!(fix("MOV o[HPOS], v[0]; END"), "!!VP2.0\n");
    assert_eq!(fix("MOV o[COLR], f[COL0]; END"), "!!FP1.0\n");
}

/// Ruling 13: the error is at the first offending token, even if a later token stops the parser.
#[test]
fn a_fault_that_stops_reading_hides_none_before_it() {
    for (language, code, marked) in [
        (Vp2, "vp-bad-attribute", "MOV R0, v[@CUBE R1;"),
        (Vp1, "vp-bad-result", "MOV o[@COLD, R1;"),
        (Vp1, "vp-bad-parameter", "MOV R0, c[@96, R1;"),
        (Vp2, "vp-read-result", "ADD R0, @o, R2;"),
        (Vp2, "vp-read-result", "ADD R0, @o[COL0, R2;"),
        (Vp1, "vp-write-attribute", "MOV @v, R1;"),
        (Vp2, "vp-write-parameter", "MOV @c[0, R1;"),
        (Vsp1, "vp-bad-result", "MOV @o, R1;"),
        (Vp1, "vp-two-attributes", "MAD R0, v[0], @v[1];"),
        (Vp1, "vp-two-parameters", "MAD R0, c[0], @c[A0.x] R2;"),
        (Vp1, "vp-address-mask", "ARL A0.@y, ;"),
        (Vp1, "vp-later-feature", "MOV R0, c[@A1, R1;"),
        (Vp1_1, "vp-unexpected", "MOV R0, +@, R1;"),
        (Vp1, "vp-later-feature", "MOV R0, @+, R1;"),
    ] {
        let marked = around(language, marked);
        let position = marked.find('@').expect("the place is marked");
        let loaded = load_checked(&marked.replacen('@', "", 1));
        let fault = first_error(&loaded.diagnostics).expect("the program is refused");
        assert_eq!((fault.code.name(), fault.position), (code, position), "{marked}");
    }
}

#[test]
fn all_faults_are_reported_in_order() {
    let text = "!!VP1.0\nFOO R0, R1;\nMOV R0 R1;\nSUB R1, R0, R2;\nADD R0, R1, R2, R3;\nMOV R99, foo;\n\
        ADD R0, v[0], v[1]\nMOV R0, o[XX];\nloop: MOV R0, |R1|;\nMOV R12, R1;\nADD R0, c[0], c[96];\nMOV o[COL0], R0;\nEND\n;";
    let loaded = load_checked(text);
    let codes: Vec<_> =
        loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code.name()).collect();
    assert_eq!(
        codes,
        [
            "vp-unknown-instruction",
            "vp-missing-comma",
            "vp-later-instruction",
            "vp-operand-count",
            "vp-bad-register",
            "vp-bad-register",
            "vp-two-attributes",
            "vp-missing-semicolon",
            "vp-read-result",
            "vp-later-feature",
            "vp-later-feature",
            "vp-later-feature",
            "vp-bad-parameter",
            "vp-after-end",
        ]
    );
    assert!(loaded.diagnostics.is_sorted_by_key(|d| d.position));
}

#[test]
fn a_flood_of_errors_is_cut_off() {
    for language in ALL {
        let text = format!("{} {} END", language.header(), "FOO;".repeat(5000));
        assert_eq!(load_checked(&text).diagnostics.len(), MAX_DIAGNOSTICS);
    }
    let branches: String = (0..5000).map(|n| format!("BRA l{n};")).collect();
    let loaded = load_checked(&format!("!!VP2.0 {branches} END"));
    assert_eq!(loaded.diagnostics.len(), MAX_DIAGNOSTICS);
}

#[test]
fn slips_get_a_fix() {
    let fix = |language: Language, body: &str| {
        let loaded = load_checked(&around(language, body));
        first_error(&loaded.diagnostics).and_then(|d| d.fix.clone()).map(|f| f.replacement)
    };
    for (language, body, replacement) in [
        (Vp1, "MOV r0, R1;", "R0"),
        (Vp2, "MOVC cc, R1;", "CC"),
        (Vp1, "MOV R0, v[OPSO];", "OPOS"),
        (Vp1, "MOV o[HPSO], R0;", "HPOS"),
        (Vp1, "MOV COL0, R0;", "o[COL0]"),
        (Vp1, "MOV R0, NRML;", "v[NRML]"),
        (Vp2, "MOV R0, c[a1.x];", "A1"),
        (Vp1, "ARL A0, R0.x;", ".x"),
        (Vp1, "ARL A0.y, R0.x;", "x"),
        (Vp2, "MOV R0, c[A0];", ".x"),
        (Vp1, "RCP R0, R1;", ".x"),
        (Vp1, "MOV R0, +R1;", ""),
        (Vsp1, "MOV R0, v[OPOS];", "0"),
        (Vp1_1, "MOV R12, R1;", "!!VP2.0"),
    ] {
        assert_eq!(fix(language, body).as_deref(), Some(replacement), "{body}");
    }
}
