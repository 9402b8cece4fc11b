//! Explanations of lines, with numbers worked by hand.

use super::*;
use crate::debug::Recording;
use crate::exec::{Bindings, QuadInputs};
use crate::front;
use crate::isa::{Language, TABLE, formula};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The explanations of all steps of a fragment program.
fn stepped(text: &str) -> Vec<Explanation> {
    let loaded = front::load(text.as_bytes());
    let program = Arc::new(loaded.program.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
    let bindings = Arc::new(Bindings::initial(&program));
    let cancel = AtomicBool::new(false);
    let recording =
        Recording::of_fragment(&program, &bindings, QuadInputs::default(), (0, [0, 0]), &cancel).unwrap();
    let steps: Vec<_> = recording.all_steps().collect();
    steps.iter().map(|step| explain_instruction(text.as_bytes(), &program, step.pc, Some(step))).collect()
}

fn lines(explanation: &Explanation) -> Vec<String> {
    explanation.results.iter().map(Computed::line).collect()
}

#[test]
fn a_multiply_and_add_is_told_by_component_with_numbers() {
    let all = stepped(
        "!!FP1.0\nMOVR R1, {0.25, -2, 1, 4};\nMOVR R2, {2, 3, -1, 0};\nMADR_SAT R0.xy, R1, -R2.yxzw, 0.5;\nMOVR o[COLR], R0;\nEND\n",
    );
    let mad = &all[2];
    assert_eq!(mad.title, "MADR_SAT: Multiply and add");
    assert_eq!(
        lines(mad),
        [
            "R0.x = R1.x * (-R2.y) + 0.5 = 0.25 * (-3) + 0.5 = -0.25",
            "R0.y = R1.y * (-R2.x) + 0.5 = -2 * (-2) + 0.5 = 4.5"
        ]
    );
    assert_eq!(mad.notes, ["x: -0.25 is clamped to 0.", "y: 4.5 is clamped to 1."]);
    let told = mad.sentences.join(" ");
    for part in
        ["Writes x and y of R0", "z and w stay as they are", "clamps the result to 0 to 1", "(y, x, z, w)"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn what_is_no_number_has_a_reason() {
    let all = stepped(
        "!!FP1.0\nMOVR R1, {0, -1, 0, 2};\nRCPR R2.x, R1.x;\nMULR R2.y, R2.x, R1.x;\nLG2R R2.z, R1.y;\nADDR R2.w, R2.y, R1.w;\nMULH H0.x, R1.w, 60000;\nMOVR o[COLR], R2;\nEND\n",
    );
    let notes = |step: usize| all[step].notes.join(" ");
    assert_eq!(notes(1), "x: inf: R1.x is 0, and division by zero gives infinity.");
    assert_eq!(notes(2), "y: NaN: R2.x is infinite and R1.x is 0, and infinity times 0 has no value.");
    assert_eq!(notes(3), "z: NaN: R1.y is below 0, for which there is no value.");
    assert_eq!(notes(4), "w: NaN, because R2.y is NaN.");
    assert!(notes(5).contains("inf: the value is too large for the type"), "{}", notes(5));
}

/// A reason is told only where it is certain: here the products are infinite, and the zero has no part in it.
#[test]
fn a_reason_that_is_not_certain_is_not_told() {
    let all = stepped(
        "!!FP1.0\nMOVR R1, {1, -1, 0, 0};\nRCPR R2.x, R1.z;\nMOVR R2.y, R2.x;\nDP3R R0, R1, R2.xyzw;\nRFLR R3.xyz, R1.z, R1;\nMOVR o[COLR], R0;\nEND\n",
    );
    assert_eq!(all[3].notes, ["xyzw: NaN: R2.x and R2.y are infinite, and what they come to has no value."]);
    // (0, 0, 0) has no direction: 0 divided by 0 within the formula, which names no operand.
    assert_eq!(all[4].notes, ["xyz: NaN: the operation has no value for these operands."]);
}

#[test]
fn components_that_a_test_leaves_out_are_told_with_their_codes() {
    let all = stepped(
        "!!FP1.0\nMOVRC R1, {1, -1, 0, 2};\nMOVR R0.xy (GT), {5, 6, 7, 8};\nKIL LT.y;\nMOVR o[COLR], R0;\nEND\n",
    );
    assert_eq!(all[0].notes, ["CC becomes (GT, LT, EQ, GT)."]);
    assert_eq!(all[1].notes, ["Not written: y of R0, as the test (GT) is false there: CC.y is LT."]);
    assert_eq!(all[2].notes, ["This fragment is discarded here."]);
    assert!(
        all[2].sentences.iter().any(|words| words.contains("CC.y says less than zero")),
        "{:?}",
        all[2].sentences
    );
}

#[test]
fn flow_tells_where_it_goes_on() {
    let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP r;\nMOVRC r, {1, 2, 3, 4};\nIF LT.x;\nMOV r, 0.5;\nELSE;\nMOV r.x, r.y;\nENDIF;\nMOV result.color, r;\nEND\n";
    let all = stepped(text);
    assert_eq!(all[1].notes, ["The test fails: it goes on at line 8."]);
    assert!(
        all[1].sentences.contains(&"Where the test fails it goes on at line 8.".to_owned()),
        "{:?}",
        all[1]
    );
}

#[test]
fn declarations_options_labels_and_comments_are_told() {
    let text = b"!!ARBfp1.0\n# a note\nOPTION NV_fragment_program2;\nPARAM half = {0.5, 0.25, 1, 2};\nTEMP r;\nMOV r, half;\nMOV result.color, r;\nEND\n";
    let program = front::load(text).program.unwrap();
    let at = |part: &str| {
        let offset = String::from_utf8_lossy(text).find(part).unwrap();
        explain(text, offset, Some(&program), None).unwrap()
    };
    assert_eq!(at("# a note").title, "Comment");
    assert!(at("OPTION").sentences.iter().any(|words| words.contains("NV_fragment_program2")));
    let param = at("PARAM");
    assert!(
        param.sentences.iter().any(|words| words.contains("Its value is (0.5, 0.25, 1, 2).")),
        "{param:?}"
    );
    assert!(at("TEMP r").sentences.iter().any(|words| words.contains("temporary")));
    assert!(at("!!ARBfp1.0").title.contains("ARBfp1.0"));
    let mov = at("MOV r, half");
    assert_eq!(lines(&mov)[1], "r.y = half.y");
    assert!(
        mov.sentences.contains(&"half: the constant (0.5, 0.25, 1, 2).".to_owned()),
        "{:?}",
        mov.sentences
    );
}

/// The components of operands that the formula of each row has in each component of the result are those that the executors
/// compute it from.
#[test]
fn formulas_read_what_the_plan_reads() {
    use crate::exec::plan::plan_of;
    use crate::isa::OperandKind;
    let mut compared = 0;
    for info in TABLE {
        for language in Language::ALL.into_iter().filter(|language| info.forms(*language).is_some()) {
            let plan = plan_of(info.opcode, language.profile().semantics);
            let operands = info.operands_in(language);
            let taken: Vec<OperandKind> = operands
                .iter()
                .copied()
                .filter(|kind| {
                    kind.takes_value() || matches!(kind, OperandKind::ExtendedSwizzle | OperandKind::Address)
                })
                .collect();
            let formula = info.formula_in(language);
            for c in 0..4 {
                let Some(component) = plan.component(c) else { continue };
                let expression = formula::component(formula, c);
                if component.kernel == crate::exec::ops::Kernel::Undefined {
                    assert_eq!(expression, None, "{} {}", info.mnemonic, language.name());
                    continue;
                }
                if info.loads_one_address(language) && c > 0 {
                    continue;
                }
                let expression =
                    expression.unwrap_or_else(|| panic!("{} has no component {c}", info.mnemonic));
                let mut read = BTreeSet::new();
                for piece in formula::pieces(expression, taken.len()) {
                    let formula::Piece::Operand(index, written) = piece else { continue };
                    let components = match written {
                        Some(written) => written.chars().map(|l| "xyzw".find(l).unwrap()).collect(),
                        None if taken[index] == OperandKind::Scalar => vec![0],
                        None => vec![c],
                    };
                    read.extend(components.into_iter().map(|place| (index as u8, place as u8)));
                }
                if matches!(plan, Plan::Interpolate(_)) {
                    read.retain(|(index, _)| *index == 0);
                }
                let planned: BTreeSet<(u8, u8)> = component.inputs.iter().copied().collect();
                assert_eq!(
                    read,
                    planned,
                    "{} in {}, component {c}: {expression}",
                    info.mnemonic,
                    language.name()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn the_instruction_of_a_place_is_one_that_is_written() {
    fn found(text: &str, offset: usize) -> Option<&str> {
        let loaded = front::load(text.as_bytes());
        let program = loaded.program.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let pc = instruction_at(text.as_bytes(), &program, offset)?;
        Some(&text[program.instructions[pc].span.start..program.instructions[pc].span.end])
    }
    // Both subroutines end without RET: before `b` and behind the last instruction.
    let text =
        "!!NVfp4.0\nCAL a; CAL b; RET;\na:\n  MOV result.color, 1;\nb:\n  ADD result.color, 1, 2\n;\nEND";
    let at = |word: &str| text.find(word).unwrap();
    for (offset, expected) in [
        (at("CAL b"), Some("CAL b")),
        (at("a:"), None),
        (at("  MOV"), Some("MOV result.color, 1")),
        (at("b:\n"), None),
        (at("  ADD"), Some("ADD result.color, 1, 2")),
        (at("\n;"), Some("ADD result.color, 1, 2")),
        (at("END"), None),
    ] {
        assert_eq!(found(text, offset), expected, "{:?}", &text[offset..]);
    }
    // Lines end at a lone CR, and at CR LF together.
    for ending in ["\r", "\r\n"] {
        let text = text.replace('\n', ending);
        assert_eq!(found(&text, text.find("a:").unwrap()), None, "{ending:?}");
        assert_eq!(found(&text, text.find("  MOV").unwrap()), Some("MOV result.color, 1"), "{ending:?}");
        assert_eq!(found(&text, text.find("END").unwrap()), None, "{ending:?}");
    }
}
