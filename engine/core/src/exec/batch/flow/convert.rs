//! If-conversion: all lanes of a block compute the instructions of a small IF block, and each lane keeps the
//! results of the branch that it takes.
//!
//! A divergence of lanes costs as much as a dozen instructions. A converted IF block becomes part of the
//! block around it. Its IF, ELSE and ENDIF no longer end a block, but select the lanes that keep results.
//! Instructions are counted only for lanes that would have executed them.

use super::Counting;
use super::inline::{Step, Steps};
use shadestep_language::ir::{CcTest, Control, Instruction, Kind, Program};
use shadestep_language::isa::Group;
use shadestep_language::semantics::plan::Plan;

/// The role of IF, ELSE and ENDIF in a converted IF block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// IF: from here on, lanes that pass the test keep results.
    If(CcTest),
    /// ELSE: from here on, lanes that fail the test keep results.
    Else,
    /// ENDIF: the same lanes as before the IF keep results.
    EndIf,
}

/// Maximum cost of a converted block; a simple instruction costs 1.
const MOST: usize = 16;
/// Cost of a component that approximates a function.
const APPROXIMATION: usize = 6;

/// Converts the small IF blocks of `steps`. If active blocks are counted, converts none.
pub fn convert(program: &Program, steps: &mut Steps, counting: Counting) {
    if counting == Counting::Needed {
        return;
    }
    let mut at = 0;
    while at < steps.all.len() {
        let end = end_of(program, &steps.all[at..]).map(|length| at + length);
        for step in &mut steps.all[at..end.unwrap_or(at)] {
            step.guard = match step.control.take() {
                Some(Control::If { test, .. }) => Some(Guard::If(test)),
                Some(Control::Else { .. }) => Some(Guard::Else),
                Some(Control::EndIf) => Some(Guard::EndIf),
                // A converted block has no other flow control.
                _ => None,
            };
        }
        at = end.unwrap_or(at + 1);
    }
}

/// Number of steps of the IF block at the start of `steps`, if it can be converted.
fn end_of(program: &Program, steps: &[Step]) -> Option<usize> {
    let (mut depth, mut cost) = (0_usize, 0);
    for (at, step) in steps.iter().enumerate() {
        match step.control {
            Some(Control::If { .. }) => depth += 1,
            Some(Control::Else { .. }) if depth > 0 => {}
            Some(Control::EndIf) => depth = depth.checked_sub(1)?,
            Some(_) => return None,
            None if depth == 0 => return None,
            None => cost += cost_of(program, &program.instructions[step.pc])?,
        }
        if cost > MOST {
            return None;
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The cost of running an instruction in all lanes. `None` if the instruction could affect lanes that do not
/// take the branch.
pub fn cost_of(program: &Program, instruction: &Instruction) -> Option<usize> {
    match &instruction.kind {
        // A CAL or RET of an inlined subroutine.
        Kind::Flow(_) => return Some(0),
        Kind::Alu(_) | Kind::Convert(..) => {}
        Kind::Texture(..) | Kind::Kill(_) | Kind::Memory(_) | Kind::Emit(_) | Kind::Barrier => return None,
    }
    let plan = Plan::of(instruction);
    let has_effect = instruction.indirects().next().is_some()
        || instruction.accesses_memory()
        || program.meets_others(instruction);
    if has_effect || plan.depends_on_group(program.stage()) || matches!(plan, Plan::Interpolate(_)) {
        return None;
    }
    Some(if instruction.op.info().group == Group::Function { APPROXIMATION } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A letter for each instruction of a fragment program: its guard, or `-` for remaining flow control.
    fn guards(text: &str) -> String {
        let text = format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP a;\n{text}END\n");
        let program = shadestep_language::front::load(text.as_bytes()).program.expect("a program");
        let mut steps = Steps::of(&program);
        convert(&program, &mut steps, Counting::Needless);
        let letter = |step: &Step| match (step.guard, step.control) {
            (Some(Guard::If(_)), None) => 'I',
            (Some(Guard::Else), None) => 'E',
            (Some(Guard::EndIf), None) => 'N',
            (None, Some(_)) => '-',
            _ => '.',
        };
        steps.all.iter().map(letter).collect()
    }

    #[test]
    fn small_blocks_of_arithmetic_are_converted() {
        assert_eq!(guards("IF GT.x;\nMOV a, 1;\nENDIF;\nMOV result.color, a;\n"), "I.N.");
        assert_eq!(guards("IF GT.x;\nMOV a, 1;\nELSE;\nADD a, a, 1;\nENDIF;\n"), "I.E.N");
        assert_eq!(guards("IF GT.x;\nIF LT.y;\nMOV a, 1;\nENDIF;\nELSE;\nMOV a, 0;\nENDIF;\n"), "II.NE.N");
        assert_eq!(guards("IF GT.x;\nENDIF;\n"), "IN");
        // In a loop, and with an inlined subroutine.
        assert_eq!(guards("REP 3;\nIF GT.x;\nMOV a, 1;\nENDIF;\nENDREP;\n"), "-I.N-");
        let call = "IF GT.x;\nCAL one;\nENDIF;\nRET;\none:\nMOV a, 1;\nRET;\n";
        assert_eq!(guards(call), "I...N-.-");
    }

    #[test]
    fn what_steers_or_has_effects_stays() {
        for body in [
            "RET;",
            "KIL 1;",
            "TEX a, fragment.texcoord, texture[0], 2D;",
            "DDX a, a;",
            "REP 2;\nMOV a, 1;\nENDREP;",
        ] {
            let all = guards(&format!("IF GT.x;\n{body}\nENDIF;\n"));
            assert!(all.starts_with('-') && all.ends_with('-'), "{body}: {all}");
        }
        // An inner block may be converted even if the outer block is not.
        assert_eq!(guards("IF GT.x;\nKIL 1;\nIF LT.x;\nMOV a, 1;\nENDIF;\nENDIF;\n"), "-.I.N-");
    }

    #[test]
    fn blocks_with_side_effects_stay() {
        let text = b"!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP a;\nIF GT.x;\nMOV a, 1;\nENDIF;\nEND\n";
        let load = || shadestep_language::front::load(text).program.expect("a program");
        let converts = |program: &Program| {
            let mut steps = Steps::of(program);
            convert(program, &mut steps, Counting::Needless);
            steps.all[0].guard.is_some()
        };
        assert!(converts(&load()));
        let caching = shadestep_language::ir::Caching::default();
        let storage = shadestep_language::ir::Storage::F32;
        let memory = shadestep_language::ir::Memory {
            access: shadestep_language::ir::Access::Store,
            image: None,
            storage,
            caching,
        };
        for kind in [Kind::Memory(memory), Kind::Emit(shadestep_language::ir::Emit::Vertex), Kind::Barrier] {
            let mut program = load();
            program.instructions[1].kind = kind;
            assert!(!converts(&program), "{kind:?}");
        }
        // A read of memory stays too, because faults are reported only for lanes that execute the read.
        let mut program = load();
        let index = shadestep_language::ir::Index::constant(0);
        let buffer = shadestep_language::ir::BufferRef { variable: 0, point: index, element: index, storage };
        program.instructions[1].operands[0].source = shadestep_language::ir::Source::Buffer(buffer);
        assert!(!converts(&program));
    }

    #[test]
    fn large_blocks_stay() {
        let of = |count: usize, text: &str| guards(&format!("IF GT.x;\n{}ENDIF;\n", text.repeat(count)));
        assert!(of(MOST, "MOV a, 1;\n").starts_with('I'));
        assert!(of(MOST + 1, "MOV a, 1;\n").starts_with('-'));
        assert!(of(MOST / APPROXIMATION, "SIN a, a.x;\n").starts_with('I'));
        assert!(of(MOST / APPROXIMATION + 1, "SIN a, a.x;\n").starts_with('-'));
    }
}
