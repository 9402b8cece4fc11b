//! Programs that are refused, with the code and the place of the error.

use shadestep_engine::diag::{Severity, first_error};
use shadestep_engine::front::MAX_DIAGNOSTICS;
use shadestep_engine::source::Span;
use shadestep_language::isa::{Language, Suffixes, instructions};

use super::{accepts, accepts_whole, around, load_checked, refuses, refuses_whole};

#[test]
fn every_other_suffix_is_refused_and_the_legal_forms_are_named() {
    let mut tried = 0;
    for info in instructions(Language::Fp1) {
        let legal: Vec<String> =
            info.forms(Language::Fp1).unwrap().combinations().into_iter().map(Suffixes::text).collect();
        for precision in ["", "R", "H", "X", "RH", "CR", "CC"] {
            for cc in ["", "C"] {
                for sat in ["", "_SAT", "_SSAT"] {
                    let suffix = format!("{precision}{cc}{sat}");
                    let name = format!("{}{suffix}", info.mnemonic);
                    // Some strings spell another legal form: FRC with the suffix C is FRCC, for example.
                    if legal.contains(&suffix) {
                        continue;
                    }
                    tried += 1;
                    let text = around(&format!("{name} R0;"));
                    let loaded = load_checked(&text);
                    let fault = first_error(&loaded.diagnostics).unwrap();
                    assert_eq!((fault.code.name(), fault.position), ("fp1-bad-suffix", 8), "{name}");
                    for part in ["R", "H", "X", "C", "_SAT"] {
                        let taken = fault.message.split("it takes ").nth(1).unwrap();
                        let named = taken.contains(&format!("`{part}`"));
                        assert_eq!(named, legal.iter().any(|form| form == part), "{name}: {}", fault.message);
                    }
                    assert_eq!(fault.message.ends_with("it takes none"), legal.len() == 1, "{name}");
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
    for constant in ["1", "{1}", "-R0", "|R0|", "(EQ)"] {
        refuses("fp1-unexpected", &format!("MOV @{constant}, 1;"));
    }
}

/// Ruling 13: the error is at the first offending token, even if a later token stops the parser.
#[test]
fn a_fault_that_stops_reading_hides_none_before_it() {
    for (code, marked) in [
        ("fp1-bad-attribute", "MOV R0, f[@CUBE R1;"),
        ("fp1-bad-output", "MOV o[@COLD, R1;"),
        ("fp1-bad-parameter-number", "MOV R0, p[@64, R1;"),
        ("fp1-bad-parameter-number", "MOV R0, p[@a, R1;"),
        ("fp1-read-output", "ADD R0, @o, R2;"),
        ("fp1-read-output", "ADD R0, @o[COLR, R2;"),
        ("fp1-write-attribute", "MOV @f, R1;"),
        ("fp1-write-parameter", "MOV @p[0, R1;"),
        ("fp1-pack-destination", "PK2H @H0, ;"),
        ("fp1-unpack-source", "UP2H R0, @H0.x, R1;"),
        ("fp1-rfl-w", "RFL @R0, R1;"),
        ("fp1-two-attributes", "MAD R0, f[TEX0], @f[TEX1];"),
        ("fp1-two-parameters", "MAD R0, p[0], @p[1] R2;"),
        ("fp1-too-many-scalars", "MAD R0, {1,2,3,4}, @5, ;"),
        ("fp1-two-targets", "TEX R0, R1, TEX0, 2D; TEX R0, R1, TEX0, @1D R2;"),
    ] {
        let marked = around(marked);
        let position = marked.find('@').expect("the place is marked");
        let loaded = load_checked(&marked.replacen('@', "", 1));
        let fault = first_error(&loaded.diagnostics).expect("the program is refused");
        assert_eq!((fault.code.name(), fault.position), (code, position), "{marked}");
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
    refuses("fp1-unexpected", "TEX R0, R1, TEX0 @2D;");
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
    for header in ["!!FP2.0", "!!FCP1.0"] {
        refuses_whole("header-unsupported", &format!("@{header}\nMOV result.color, 1;\nEND"));
    }
    for header in ["!!fp1.0", "!!FP1", "!!FP", "!!", "!!FP1,0", "!!ARBfp2.0", "!!XYZ9.9"] {
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
        loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code.name()).collect();
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
    let found: Vec<_> = loaded.diagnostics.iter().map(|d| (d.severity, d.code.name())).collect();
    assert_eq!(
        found,
        [
            (Severity::Warning, "fp1-unused-name"),
            (Severity::Warning, "fp1-unused-name"),
            (Severity::Warning, "fp1-unwritten-temporary"),
            (Severity::Warning, "fp1-dead-write"),
        ]
    );
    assert_eq!(load_checked("!!FP1.0 MOV R3, 1; MOV o[COLR], R3; END").diagnostics, []);
}

#[test]
fn a_flood_of_errors_is_cut_off() {
    let loaded = load_checked(&format!("!!FP1.0 {} END", "FOO;".repeat(5000)));
    assert_eq!(loaded.diagnostics.len(), MAX_DIAGNOSTICS);
}

#[test]
fn slips_get_a_fix_and_late_definitions_a_pointer() {
    let fix = |body: &str| {
        let loaded = load_checked(&around(body));
        first_error(&loaded.diagnostics).and_then(|d| d.fix.clone()).map(|f| f.replacement)
    };
    for (body, replacement) in [
        ("MOV r0, R1;", "R0"),
        ("MOV R0, r1.x;", "R1"),
        ("MOVC rc, R1;", "RC"),
        ("DECLARE tint; MOV R0, tnit;", "tint"),
        ("DECLAER tint;", "DECLARE"),
        ("MOV R0, f[COLO];", "COL0"),
        ("MOV R0.rgb, R1;", "xyz"),
        ("MOV R0.zx, R1;", "xz"),
        ("TEX R0, R1, TEX0, cube;", "CUBE"),
        ("MOV R0 (eq), R1;", "EQ"),
        ("RCP R0, R1;", ".x"),
        ("MOV R0, TEX3;", "f[TEX3]"),
        ("MOV R0, 1.5f;", "1.5"),
        ("MOV R0, \u{2212}1;", "-"),
    ] {
        assert_eq!(fix(body).as_deref(), Some(replacement), "{body}");
    }
    let text = around("MOV R0, late; DEFINE late = 1;");
    let loaded = load_checked(&text);
    let label = &loaded.diagnostics[0].labels[1];
    assert_eq!(&text[label.span.start..label.span.end], "late");
    assert!(label.span.start > loaded.diagnostics[0].position);
}

#[test]
fn end_ends_the_program_wherever_it_stands() {
    refuses_whole("fp1-unknown-instruction", "!!FP1.0 @FOO R0 END");
    refuses_whole("fp1-unexpected", "!!FP1.0 MOV o[COLR], @(1 END");
    // A statement that cannot be read may write the register or use the name, so warnings are left out.
    let loaded = load_checked("!!FP1.0 DEFINE a = 1; FOO R1, a; MOV o[COLR], R1; END");
    assert_eq!(loaded.diagnostics.len(), 1);
}
