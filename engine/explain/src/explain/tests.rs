//! Explanations of lines, with numbers computed by hand.

use super::*;
use shadestep_core::debug::Recording;
use shadestep_core::exec::{Bindings, QuadInputs};
use shadestep_language::front;
use shadestep_language::isa::{Language, TABLE, formula};
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
        ["Writes x and y of R0", "z and w stay unchanged", "Clamps the result to [0,1]", "(y, x, z, w)"]
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
    assert_eq!(notes(1), "x: inf, because R1.x is 0, and division by zero gives infinity.");
    assert_eq!(notes(2), "y: NaN, because R2.x is infinite and R1.x is 0, and infinity times 0 gives NaN.");
    assert_eq!(notes(3), "z: NaN, because R1.y is negative, and the operation gives NaN below 0.");
    assert_eq!(notes(4), "w: NaN, because R2.y is NaN.");
    assert!(notes(5).contains("inf, because the value is too large for the type"), "{}", notes(5));
}

/// A reason is only given if it is certain. Here the products are infinite, and the zero is not the reason.
#[test]
fn a_reason_that_is_not_certain_is_not_told() {
    let all = stepped(
        "!!FP1.0\nMOVR R1, {1, -1, 0, 0};\nRCPR R2.x, R1.z;\nMOVR R2.y, R2.x;\nDP3R R0, R1, R2.xyzw;\nRFLR R3.xyz, R1.z, R1;\nMOVR o[COLR], R0;\nEND\n",
    );
    assert_eq!(
        all[3].notes,
        ["xyzw: NaN, because R2.x and R2.y are infinite, and combining them gives NaN."]
    );
    // (0, 0, 0) has no direction: the formula divides 0 by 0, and names no operand.
    assert_eq!(all[4].notes, ["xyz: NaN, because the operation has no numeric result for these operands."]);
}

#[test]
fn components_that_a_test_leaves_out_are_told_with_their_codes() {
    let all = stepped(
        "!!FP1.0\nMOVRC R1, {1, -1, 0, 2};\nMOVR R0.xy (GT), {5, 6, 7, 8};\nKIL LT.y;\nMOVR o[COLR], R0;\nEND\n",
    );
    assert_eq!(all[0].notes, ["CC becomes (GT, LT, EQ, GT)."]);
    assert_eq!(all[1].notes, ["Does not write R0.y, because the test (GT) fails: CC.y is LT."]);
    assert_eq!(all[2].notes, ["The fragment is discarded here."]);
    assert!(
        all[2].sentences.iter().any(|words| words.contains("CC.y is less than zero")),
        "{:?}",
        all[2].sentences
    );
}

#[test]
fn flow_tells_where_it_goes_on() {
    let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP r;\nMOVRC r, {1, 2, 3, 4};\nIF LT.x;\nMOV r, 0.5;\nELSE;\nMOV r.x, r.y;\nENDIF;\nMOV result.color, r;\nEND\n";
    let all = stepped(text);
    assert_eq!(all[1].notes, ["The test fails, so execution continues at line 8."]);
    assert!(
        all[1].sentences.contains(&"If the test fails, execution continues at line 8.".to_owned()),
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

/// The operand components in each row's formula are the components that the executors use.
#[test]
fn formulas_read_what_the_plan_reads() {
    use shadestep_language::isa::OperandKind;
    use shadestep_language::semantics::plan::plan_of;
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
                if component.kernel == shadestep_language::semantics::ops::Kernel::Undefined {
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
    // Both subroutines end without RET: before `b` and after the last instruction.
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
    // A lone CR and CR LF end lines too.
    for ending in ["\r", "\r\n"] {
        let text = text.replace('\n', ending);
        assert_eq!(found(&text, text.find("a:").unwrap()), None, "{ending:?}");
        assert_eq!(found(&text, text.find("  MOV").unwrap()), Some("MOV result.color, 1"), "{ending:?}");
        assert_eq!(found(&text, text.find("END").unwrap()), None, "{ending:?}");
    }
}

/// Finds numbers in `text` that are bits of an integer misread as fp32.
fn denormal(text: &str) -> Option<&str> {
    text.match_indices("e-").find_map(|(at, _)| {
        let exponent = text[at + 2..].split(|c: char| !c.is_ascii_digit()).next()?;
        (exponent.parse::<u32>().ok()? > 37).then_some(&text[at.saturating_sub(8)..])
    })
}

/// A fault in the explanation of instruction `pc`, if there is one.
fn fault(program: &Program, pc: usize, told: &Explanation) -> Option<String> {
    let instruction = &program.instructions[pc];
    let plan = Plan::of(instruction);
    let types = (0..instruction.operands.len()).map(|index| plan.operand_type(instruction.ty, index));
    let of_integers =
        types.chain([plan.result_type(instruction.ty)]).all(shadestep_language::ir::Type::is_integer);
    for line in told.notes.iter().chain(&told.sentences).cloned().chain(lines(told)) {
        // Float operands can be denormals.
        if let Some(shown) = denormal(&line).filter(|_| of_integers) {
            return Some(format!("bits as a number, {shown}: {line}"));
        }
        // A value that appears twice: "4, 4, is read as", "-1 is -1".
        let words: Vec<&str> = line.split(' ').collect();
        let is_number = |word: &str| word.trim_matches(['-', '|', ',', ':']).parse::<f64>().is_ok();
        let says_twice = |pair: &[&str]| pair[0] == pair[1] && pair[0].ends_with(',') && is_number(pair[0]);
        let is_in_words = !line.contains(['=', '(', '{']);
        if is_in_words && words.windows(2).any(says_twice) {
            return Some(format!("an operand twice: {line}"));
        }
        if words.windows(3).any(|three| three[1] == "is" && three[0] == three[2].trim_end_matches(',')) {
            return Some(format!("an operand twice: {line}"));
        }
        for names in line.split(" are infinite").take(1).filter(|_| line.contains(" are infinite")) {
            let mut each: Vec<&str> =
                names.split(": ").last()?.split([',', ' ']).filter(|name| *name != "and").collect();
            each.retain(|name| !name.is_empty());
            let count = each.len();
            each.sort_unstable();
            each.dedup();
            if each.len() != count {
                return Some(format!("an operand twice: {line}"));
            }
        }
        // "d 0.75 / d x", "attribute 0.75 at".
        let is_function_of = |three: &[&str]| {
            (three[0] == "d" && three[2] == "/" || three[0] == "attribute" && three[2] == "at")
                && is_number(three[1])
        };
        let is_constant = matches!(
            instruction.operands.first().map(|operand| operand.source),
            Some(shadestep_language::ir::Source::Param(_))
        );
        if !is_constant && words.windows(3).any(is_function_of) {
            return Some(format!("a value in place of a function: {line}"));
        }
        if line.contains("not needed") || line.contains("...") || line.contains("-0 ") && of_integers {
            return Some(format!("a placeholder: {line}"));
        }
    }
    let numbers = told.results.iter().flat_map(|result| [&result.numbers, &result.result]).flatten();
    let is_broken = |text: &&String| {
        text.match_indices('.').any(|(at, _)| text[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
    };
    numbers.filter(|_| of_integers).find(is_broken).map(|text| format!("an integer with a fraction: {text}"))
}

/// Faults in the explanations of `example`: of its instruction in a run, and of all instructions without one.
fn faults_of(example: &crate::example::Example) -> Vec<String> {
    let program = front::load(example.text.as_bytes()).program.unwrap();
    let in_a_run = example.explained().and_then(|told| fault(&program, example.pc, &told));
    let all = 0..program.instructions.len();
    let without = all.filter_map(|pc| {
        fault(&program, pc, &explain_instruction(example.text.as_bytes(), &program, pc, None))
    });
    in_a_run.into_iter().chain(without).map(|fault| format!("{fault}\n{}", example.text)).collect()
}

#[test]
fn examples_of_all_languages_are_told_without_faults() {
    let mut faults = Vec::new();
    for language in Language::ALL {
        for (_, example) in crate::example::examples(language) {
            faults.extend(faults_of(&example.unwrap()));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Forms of `operand`: a number, with signs, and as an absolute value.
fn operand_forms(operand: &str) -> Vec<String> {
    ["4", "-4", "1.7", "|-4|", "-0"]
        .map(str::to_owned)
        .into_iter()
        .chain(["-", "|", "-|"].map(|sign| {
            let end = if sign.ends_with('|') { "|" } else { "" };
            format!("{sign}{operand}{end}")
        }))
        .collect()
}

/// `example` with its instruction replaced by `name`, in variables of matching size, and with each form of
/// its first operand. Only texts that load are returned.
fn variants(
    example: &crate::example::Example,
    name: &str,
    data: Option<shadestep_language::isa::DataType>,
) -> Vec<String> {
    let program = front::load(example.text.as_bytes()).program.unwrap();
    let instruction = &program.instructions[example.pc];
    let size = match data {
        Some(data) if data.is_wide() => "LONG TEMP",
        _ => "TEMP",
    };
    let retyped = |text: &str| {
        let text = text.replace("UINT TEMP", "TEMP").replace("INT TEMP", "TEMP").replace("TEMP", size);
        let typed = data.map_or_else(|| "MOV".to_owned(), |data| format!("MOV.{}", data.name()));
        let untyped = text.replace("MOV.S ", "MOV ").replace("MOV.U ", "MOV ");
        let integer = data.is_some_and(|data| !data.is_float());
        let text = if integer { untyped.replace(".5", "").replace(".25", "") } else { untyped };
        text.lines()
            .map(|line| {
                if line.contains('{') {
                    line.replacen("MOV ", &format!("{typed} "), 1)
                } else {
                    line.to_owned()
                }
            })
            .collect::<Vec<_>>()
            .join("\n")
    };
    let before = retyped(&example.text[..instruction.mnemonic_span.start]);
    let behind = retyped(&example.text[instruction.span.end..]);
    let operands = &example.text[instruction.mnemonic_span.end..instruction.span.end];
    let mut all = vec![operands.to_owned()];
    if let Some(first) = instruction.operands.first() {
        let written = &example.text[first.span.start..first.span.end];
        let (left, right) = (
            &example.text[instruction.mnemonic_span.end..first.span.start],
            &example.text[first.span.end..instruction.span.end],
        );
        all.extend(operand_forms(written).into_iter().map(|form| format!("{left}{form}{right}")));
    }
    let texts = all.into_iter().map(|operands| format!("{before}{name}{operands}{behind}"));
    texts.filter(|text| front::load(text.as_bytes()).program.is_some()).collect()
}

/// Each instruction with each type and each form of an operand, in one language of each family.
#[test]
fn all_types_and_operands_are_told_without_faults() {
    use shadestep_language::isa::{DataType, Need};
    let (mut faults, mut told) = (Vec::new(), 0);
    for language in [Language::Fp1, Language::Vp2, Language::ArbFp1Nv2, Language::ArbVp1Nv3, Language::NvFp5]
    {
        let order = language.profile().modifier_order;
        for (info, example) in crate::example::examples(language) {
            let mut example = example.unwrap();
            for slots in info.forms(language).unwrap().patterns() {
                let least = |skipped: u8| -> String {
                    let slots = slots.iter().filter(|slot| slot.need == Need::Required);
                    let others = slots.map(|slot| slot.choices[0]).filter(|choice| choice.kind() != skipped);
                    others.map(|choice| choice.text(order)).collect()
                };
                let mut names = vec![(format!("{}{}", info.mnemonic, least(u8::MAX)), None)];
                for slot in slots.iter().filter(|slot| slot.choices[0].kind() == 0) {
                    for choice in &slot.choices {
                        let data = match choice {
                            shadestep_language::isa::Modifier::Data(DataType::Several(..)) => continue,
                            shadestep_language::isa::Modifier::Data(data) => Some(*data),
                            _ => None,
                        };
                        names.push((format!("{}{}{}", info.mnemonic, least(0), choice.text(order)), data));
                    }
                }
                for (name, data) in names {
                    for text in variants(&example, &name, data) {
                        example.text = text;
                        faults.extend(faults_of(&example));
                        told += 1;
                    }
                    example = crate::example::example(info, language).unwrap();
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(told > 3000, "{told}");
}

#[test]
fn operands_are_told_once_and_by_their_type() {
    // NV_fragment_program 3.11.4.3: 4 exceeds fx12, whose largest number is 2047/1024.
    let all = stepped(
        "!!FP1.0\nMOVX H0.x, 4;\nMOVX H0.y, -4;\nMOVR R0, {4, 4, 4, 4};\nMULX H0.x, R0.x, 1;\nDDXR R1.x, R0.x;\nMOVR o[COLR], H0;\nEND\n",
    );
    assert_eq!(all[0].notes[0], "4 is rounded to 1.9990234, the nearest value that the instruction can use.");
    assert_eq!(all[1].notes[0], "-4 is rounded to -2, the nearest value that the instruction can use.");
    assert_eq!(
        all[3].notes[0],
        "R0.x, 4, is rounded to 1.9990234, the nearest value that the instruction can use."
    );
    assert_eq!(lines(&all[4]), ["R1.x = d R0.x / d x = 0"]);
    let long = "!!NVfp5.0\nLONG TEMP a;\nTEMP b;\nMOV.S64 a, 4;\nADD.S64 a.x, a, -4;\nMOV.U64 a.x, 5;\nMOV.F64 a.x, 0.5;\nMOV.S b, -7;\nMOV result.color, 0;\nEND\n";
    let all = stepped(long);
    assert_eq!(lines(&all[0])[0], "a.x = 4");
    assert_eq!(lines(&all[1]), ["a.x = a.x + (-4) = 4 + (-4) = 0"]);
    assert_eq!(lines(&all[2]), ["a.x = 5"]);
    assert_eq!(lines(&all[3]), ["a.x = 0.5"]);
    assert_eq!(lines(&all[4])[3], "b.w = -7");
}

#[test]
fn an_address_off_the_stack_is_told() {
    let example = crate::example::example(Opcode::Popa.info(), Language::ArbVp1Nv3).unwrap();
    // PUSHA pushed the result of ARL of (1.5, -0.5, 4, 2).
    assert_eq!(
        lines(&example.explained().unwrap()),
        ["A0 = the address on top of the stack = (1, -1, 4, 2)"]
    );
}
