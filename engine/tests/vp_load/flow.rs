//! Labels, branches and options, and their legal places.

use shadestep_engine::diag::first_error;
use shadestep_engine::ir::{Control, Instruction, Program};
use shadestep_engine::isa::Language::{Vp1, Vp1_1, Vp2};

use super::{OLDER, accepts, accepts_whole, around, load_checked, refuses, refuses_whole};

/// Returns the target of each branch and call.
fn targets(program: &Program) -> Vec<usize> {
    let to = |control: Option<Control>| match control {
        Some(Control::Branch { to, .. } | Control::Call { to, .. }) => Some(to),
        _ => None,
    };
    program.instructions.iter().filter_map(|i| to(i.control())).collect()
}

#[test]
fn branches_find_labels_before_and_behind_them() {
    let program = accepts_whole(
        "!!VP2.0 first: MOV o[HPOS], v[0]; BRA last; second: third: CAL first (GT.x); BRA third (EQ); RET; last: END",
    );
    assert_eq!(targets(&program), [5, 0, 2]);
    let labels: Vec<_> = program.labels.iter().map(|l| (l.name.as_str(), l.at)).collect();
    assert_eq!(labels, [("first", 0), ("second", 2), ("third", 2), ("last", 5)]);
    assert_eq!(program.entry, 0);
    let controls: Vec<_> = program.instructions.iter().map(Instruction::control).collect();
    assert!(controls[0].is_none());
    assert!(matches!(controls[1], Some(Control::Branch { test: None, .. })));
    assert!(matches!(controls[2], Some(Control::Call { test: Some(_), .. })));
    assert!(matches!(controls[3], Some(Control::Branch { test: Some(_), .. })));
    assert!(matches!(controls[4], Some(Control::Return { test: None })));
    assert!(matches!(
        accepts(Vp2, "RET (LT.x);").instructions[0].control(),
        Some(Control::Return { test: Some(_) })
    ));
}

#[test]
fn execution_begins_at_main() {
    let entry = |text: &str| accepts_whole(text).entry;
    assert_eq!(entry("!!VP2.0 MOV R0, v[0]; main: MOV o[HPOS], R0; END"), 1);
    assert_eq!(entry("!!VP2.0 MOV o[HPOS], v[0]; main: END"), 1);
    assert_eq!(entry("!!VP2.0 MOV R0, v[0]; Main: MOV o[HPOS], R0; END"), 0);
    assert_eq!(entry("!!VP2.0 MOV o[HPOS], v[0]; END"), 0);
}

#[test]
fn labels_may_be_any_identifier() {
    for name in [
        "MOV",
        "MOVC",
        "BRA",
        "CAL",
        "RET",
        "ARLC",
        "OPTION",
        "STR",
        "END",
        "a",
        "_",
        "_1",
        "x",
        "xyzw",
        "R0",
        "R99",
        "A0",
        "CC",
        "v",
        "c",
        "o",
        "EQ",
        "HPOS",
        "OPOS",
        "end",
        "mov",
        "MOVX",
        "TEX",
        "KIL",
        "DDX",
        "NV_position_invariant",
        "main",
        "loop_9_",
        "aVeryLongNameWithMoreThanFortyLettersInItAndSomeMore",
    ] {
        let program = accepts(Vp2, &format!("MOV R0, v[0]; {name}: BRA {name}; CAL {name} (NE.x);"));
        assert_eq!(targets(&program), [1, 1], "{name}");
        assert_eq!(program.labels[0].name, name);
    }
    // If the label of a branch is missing, the name of the next statement is read as the label.
    refuses(Vp2, "vp-unexpected", "MOV: BRA MOV @R0, v[0];");
    for name in ["$a", "a$", "_$_"] {
        refuses(Vp2, "vp-bad-label", &format!("@{name}: MOV R0, v[0];"));
        refuses(Vp2, "vp-bad-label", &format!("BRA @{name};"));
    }
    for name in ["1", "1a", "2D"] {
        refuses(Vp2, "vp-bad-label", &format!("@{name}: MOV R0, v[0];"));
        refuses(Vp2, "vp-bad-label", &format!("CAL @{name} (EQ);"));
    }
}

#[test]
fn a_label_is_made_once_and_must_be_there() {
    refuses(Vp2, "vp-duplicate-label", "a: MOV R0, v[0]; @a: BRA a;");
    refuses(Vp2, "vp-duplicate-label", "a: @a: BRA a;");
    refuses_whole("vp-unknown-label", "!!VP2.0 MOV o[HPOS], v[0]; BRA nowhere; BRA nowhere; END # end@");
    refuses_whole("vp-unknown-label", "!!VP2.0 a: MOV o[HPOS], v[0]; CAL A (GT.x); END@");
    // Each missing name is reported once, at the program's length.
    let text = "!!VP2.0 MOV o[HPOS], v[0]; BRA one; CAL two; BRA one; END";
    let found: Vec<_> = load_checked(text).diagnostics.iter().map(|d| (d.code.name(), d.position)).collect();
    assert_eq!(found, [("vp-unknown-label", text.len()); 2]);
    let fault = &load_checked("!!VP2.0 done: MOV o[HPOS], v[0]; BRA dnoe; END").diagnostics[0];
    assert_eq!(fault.fix.as_ref().map(|f| f.replacement.as_str()), Some("done"));
}

#[test]
fn what_a_branch_takes() {
    refuses(Vp2, "vp-unexpected", "BRA@;");
    refuses(Vp2, "vp-unexpected", "BRA @(EQ);");
    refuses(Vp2, "vp-unexpected", "l: BRA l @EQ;");
    refuses(Vp2, "vp-unexpected", "RET @EQ.x;");
    refuses(Vp2, "vp-unexpected", "l: BRA l (EQ@;");
    refuses(Vp2, "vp-bad-condition", "l: BRA l (@);");
    refuses(Vp2, "vp-bad-condition", "l: CAL l (@eq);");
    refuses(Vp2, "vp-bad-swizzle", "RET (EQ.@xy);");
    refuses(Vp2, "vp-operand-count", "l: BRA l@, l;");
    refuses(Vp2, "vp-operand-count", "RET@, R0;");
    refuses(Vp2, "vp-unexpected", "l: RET @l;");
    refuses(Vp2, "vp-bad-suffix", "l: @BRAC l;");
    refuses(Vp2, "vp-bad-suffix", "@RETC;");
    refuses(Vp2, "vp-missing-semicolon", "l: BRA l\n@MOV R0, v[0];");
    refuses(Vp2, "vp-missing-semicolon", "BRA l @l: MOV R0, v[0];");
}

#[test]
fn a_fault_before_a_label_leaves_the_label() {
    for text in
        ["MOV R0, @(\nhere: BRA here;", "@FOO R0;here: BRA here;", "MOV R0, @R99.x\n;here:\nBRA here;"]
    {
        let marked = around(Vp2, text);
        let position = marked.find('@').unwrap();
        let loaded = load_checked(&marked.replacen('@', "", 1));
        let found: Vec<_> = loaded.diagnostics.iter().map(|d| d.position).collect();
        assert_eq!(found, [position], "{text}: {:?}", loaded.diagnostics);
    }
    // A label that could not be read may be the one that a branch names, so there is no second error.
    let loaded = load_checked(&around(Vp2, "$here: BRA here;"));
    assert_eq!(loaded.diagnostics.len(), 1);
}

#[test]
fn older_languages_have_no_flow() {
    for language in OLDER {
        refuses(language, "vp-later-feature", "@label: MOV R0, v[0];");
        for (mnemonic, rest) in [("BRA", " l"), ("CAL", " l (EQ)"), ("RET", "")] {
            refuses(language, "vp-later-instruction", &format!("@{mnemonic}{rest};"));
        }
    }
}

#[test]
fn position_invariance_is_an_option_of_two_languages() {
    for language in [Vp1_1, Vp2] {
        let header = language.header();
        for text in [
            format!("{header} OPTION NV_position_invariant; MOV o[COL0], v[3]; END"),
            format!("{header} OPTION NV_position_invariant; OPTION NV_position_invariant; MOV R0, v[0]; END"),
            format!("{header} OPTION NV_position_invariant; END"),
        ] {
            assert!(accepts_whole(&text).options.position_invariant, "{text}");
        }
        assert!(!accepts(language, "").options.position_invariant);
        refuses_whole(
            "vp-invariant-position",
            &format!("{header} OPTION NV_position_invariant; MOV o[@HPOS].x, v[0]; END"),
        );
        refuses_whole(
            "vp-late-option",
            &format!("{header} MOV R0, v[0]; @OPTION NV_position_invariant; END"),
        );
        for name in ["NV_position_invariants", "nv_position_invariant", "ARB_position_invariant", "x"] {
            refuses_whole("vp-unknown-option", &format!("{header} OPTION @{name}; END"));
        }
        refuses_whole("vp-unexpected", &format!("{header} OPTION @; MOV o[HPOS], v[0]; END"));
        refuses_whole("vp-missing-semicolon", &format!("{header} OPTION NV_position_invariant @END"));
    }
    refuses_whole("vp-late-option", "!!VP2.0 l: @OPTION NV_position_invariant; MOV o[HPOS], v[0]; END");
    for language in [Vp1, super::Language::Vsp1] {
        refuses(language, "vp-later-feature", "@OPTION NV_position_invariant;");
    }
}

#[test]
fn position_invariant_programs_of_version_1_1_address_absolutely() {
    let text = |header: &str, reference: &str| {
        format!("{header} OPTION NV_position_invariant; ARL A0.x, v[1].x; MOV o[COL0], {reference}; END")
    };
    accepts_whole(&text("!!VP1.1", "c[4]"));
    for reference in ["c[@A0.x]", "c[@A0.x+4]", "-c[@A0.x-1].x"] {
        refuses_whole("vp-invariant-relative", &text("!!VP1.1", reference));
        accepts_whole(&text("!!VP2.0", &reference.replacen('@', "", 1)));
    }
}

#[test]
fn nothing_is_lost_of_a_program_with_flow_that_ends_early() {
    let loaded = load_checked("!!VP2.0 a: MOV o[HPOS], v[0]; BRA b; FOO; b: END ;");
    let codes: Vec<_> = loaded.diagnostics.iter().map(|d| d.code.name()).collect();
    assert_eq!(codes, ["vp-unknown-instruction", "vp-after-end"]);
    assert_eq!(first_error(&loaded.diagnostics).unwrap().code, "vp-unknown-instruction");
}
