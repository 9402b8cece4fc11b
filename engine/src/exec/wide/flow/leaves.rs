//! Subroutines whose bodies may stand where they are called.
//!
//! A call and a return are two of the ways between blocks, each of which costs about as much as ten instructions.
//! A body in which nothing steers can be part of the block that calls it. Each instruction, CAL and RET with them, is
//! then carried out and counted as ever.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::exec::plan::plan;
use crate::ir::{Control, Program, limits};

/// Instructions of the longest body.
const LONGEST: usize = 64;
/// Instructions of all bodies where they are called.
const MOST: usize = 1024;

/// For each instruction, the body that it calls, RET included, if that is to stand there.
pub fn bodies(program: &Program) -> Vec<Option<Range<usize>>> {
    let mut bodies = vec![None; program.instructions.len()];
    // A neighbour's register has another value if it stands elsewhere: order counts there.
    let stage = program.language.stage();
    if program.instructions.iter().any(|i| plan(i.op, i.rules).reads_neighbours(stage))
        || may_overflow(program)
    {
        return bodies;
    }
    let mut room = MOST;
    for (instruction, place) in program.instructions.iter().zip(&mut bodies) {
        let Some(Control::Call { to, test: None }) = instruction.control else { continue };
        *place = body(program, to).filter(|body| body.len() <= room);
        room -= place.as_ref().map_or(0, Range::len);
    }
    bodies
}

/// The body of the subroutine at `start`, if nothing steers in it but the RET that ends it.
fn body(program: &Program, start: usize) -> Option<Range<usize>> {
    let instructions = program.instructions.get(start..)?;
    let steers = |control: &Control| !control.is_kill();
    let end = instructions.iter().take(LONGEST).position(|i| i.control.as_ref().is_some_and(steers))?;
    let returns = matches!(instructions[end].control, Some(Control::Return { test: None }));
    returns.then_some(start..start + end + 1)
}

/// Whether a call may find the stack full, which ends the program.
fn may_overflow(program: &Program) -> bool {
    let pushes = |control: &Control| matches!(control, Control::PushAddress);
    if program.instructions.iter().any(|i| i.control.as_ref().is_some_and(pushes)) {
        return true;
    }
    // Where execution can be with so many entries on the stack.
    let mut begun = BTreeSet::from([program.entry]);
    for _ in 0..=limits::CALL_DEPTH {
        begun = called(program, &begun);
    }
    !begun.is_empty()
}

/// Where calls lead that can be reached from `starts` without one.
fn called(program: &Program, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut called = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut left: Vec<usize> = starts.iter().copied().collect();
    while let Some(pc) = left.pop() {
        let Some(instruction) = program.instructions.get(pc).filter(|_| seen.insert(pc)) else { continue };
        let target = instruction.control.as_ref().and_then(Control::target);
        match instruction.control {
            Some(Control::Call { to, .. }) => {
                called.insert(to);
            }
            // What has a condition may go on all the same.
            _ => left.extend(target),
        }
        if !matches!(instruction.control, Some(Control::Return { test: None })) {
            left.push(pc + 1);
        }
    }
    called
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each CAL of a fragment program, whether its subroutine stands there.
    fn stands(text: &str) -> Vec<bool> {
        let program =
            crate::front::load(format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\n{text}END\n").as_bytes())
                .program
                .expect("a program");
        let calls = |control: &Control| matches!(control, Control::Call { .. });
        let bodies = bodies(&program).into_iter().zip(&program.instructions);
        bodies
            .filter(|(_, i)| i.control.as_ref().is_some_and(calls))
            .map(|(body, _)| body.is_some())
            .collect()
    }

    #[test]
    fn a_straight_body_stands_where_it_is_called() {
        assert_eq!(stands("CAL one;\nRET;\none:\nMOV result.color, 1;\nKIL 1;\nRET;\n"), [true]);
        // From a loop, from a subroutine, and before it is defined.
        let text = "one:\nMOV result.color, 1;\nRET;\nmain:\nREP 3;\nCAL one;\nENDREP;\nCAL two;\nRET;\n\
                    two:\nIF GT.x;\nCAL one;\nENDIF;\nRET;\n";
        assert_eq!(stands(text), [true, false, true]);
    }

    #[test]
    fn what_steers_stays_a_subroutine() {
        // Not certain to be called, or to return; blocks; no end.
        assert_eq!(stands("CAL one (GT.x);\nRET;\none:\nMOV result.color, 1;\nRET;\n"), [false]);
        assert_eq!(stands("CAL one;\nRET;\none:\nMOV result.color, 1;\nRET (GT.x);\n"), [false]);
        assert_eq!(stands("CAL one;\nRET;\none:\nIF GT.x;\nMOV result.color, 1;\nENDIF;\nRET;\n"), [false]);
        assert_eq!(stands("CAL one;\nRET;\none:\nMOV result.color, 1;\n"), [false]);
    }

    #[test]
    fn order_stays_where_neighbours_are_looked_at() {
        let program = |lookup: &str| {
            format!(
                "TEMP a;\nCAL one;\nRET;\none:\n{lookup} a, fragment.texcoord, texture[0], 2D;\nMOV result.color, a;\nRET;\n"
            )
        };
        assert_eq!(stands(&program("TXL")), [true]);
        assert_eq!(stands(&program("TEX")), [false]);
        assert_eq!(stands("CAL one;\nRET;\none:\nDDX result.color, fragment.color;\nRET;\n"), [false]);
    }

    #[test]
    fn the_stack_of_those_that_stand_there_is_never_full() {
        let chain = |length: usize| {
            let link = |n| format!("sub{n}:\nCAL sub{};\nCAL last;\nRET;\n", n + 1);
            let links: String = (1..length).map(link).collect();
            format!(
                "CAL sub1;\nRET;\n{links}sub{length}:\nMOV result.color.x, 1;\nCAL last;\nRET;\nlast:\nMOV result.color, 1;\nRET;\n"
            )
        };
        // `last` is called from the deepest, too.
        let deepest = limits::CALL_DEPTH - 1;
        assert!(stands(&chain(deepest)).into_iter().any(|stands| stands));
        assert!(!stands(&chain(deepest + 1)).into_iter().any(|stands| stands));
        // And with recursion it may always be.
        let text =
            "CAL one;\nRET;\none:\nCAL two;\nCAL one (GT.x);\nRET;\ntwo:\nMOV result.color, 1;\nRET;\n";
        assert_eq!(stands(text), [false; 3]);
    }

    #[test]
    fn programs_do_not_grow_without_bound() {
        let long = "MOV result.color, 1;\n".repeat(LONGEST);
        assert_eq!(stands(&format!("CAL one;\nRET;\none:\n{long}RET;\n")), [false]);
        let body = "MOV result.color, 1;\n".repeat(LONGEST - 1);
        let calls = "CAL one;\n".repeat(40);
        let stands = stands(&format!("{calls}RET;\none:\n{body}RET;\n"));
        assert_eq!(stands.into_iter().filter(|stands| *stands).count(), MOST / LONGEST);
    }
}
