//! Stepping over, into and out of calls, loops and IF blocks.

use super::with_program;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::stepping::Branch;
use shadestep_engine::debug::{LoopFrame, Subject};

/// A program with a call, a loop and an IF block. The expected lines count from 0, like the session's lines.
const BLOCKS: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP t, c;
double:
ADD t, t, t;
RET;
main:
MOV t, 0.25;
CAL double;
LOOP {2, 1, 3};
  MOVC c, fragment.texcoord[A0.x];
  IF GT.x;
    MOV c.y, t.x;
  ENDIF;
ENDLOOP;
MOV result.color, t;
END
";

#[test]
fn blocks_and_calls_are_stepped_into_over_and_out_of_both_ways() {
    let mut window = with_program(BLOCKS);
    window.act(Action::Pick(Subject::Pixel([100, 100])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let mut lines = Vec::new();
    for command in [
        Command::StepForward,  // to CAL
        Command::StepOver,     // over it, to LOOP
        Command::StepBack,     // into it from its end, to RET
        Command::StepOutBack,  // to CAL
        Command::StepOver,     // to LOOP
        Command::StepForward,  // into it
        Command::StepOver,     // to IF
        Command::StepOver,     // over the block, to ENDLOOP
        Command::StepOver,     // next iteration
        Command::StepOut,      // after the loop
        Command::StepBack,     // to the last ENDLOOP
        Command::StepOverBack, // over the block of IF
        Command::StepOutBack,  // to LOOP
        Command::StepOverBack, // over the call
    ] {
        window.run(command);
        lines.push(window.state().stepping.session.as_ref().and_then(|session| session.current_line()));
    }
    let expected = [8, 9, 5, 8, 9, 10, 11, 14, 10, 15, 14, 11, 9, 8];
    assert_eq!(lines, expected.map(Some));
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert_eq!((session.position(), session.len()), (1, 16));
    let branch = |taken, passed_by| Branch { taken, passed_by };
    let branches: Vec<_> = session.branches().iter().map(|(line, branch)| (*line, *branch)).collect();
    assert_eq!(branches, [(9, branch(1, 0)), (11, branch(2, 0)), (14, branch(1, 1))]);
}

#[test]
fn the_loop_under_way_and_the_quad_are_shown() {
    let mut window = with_program(BLOCKS);
    window.act(Action::Pick(Subject::Pixel([100, 100])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.act(Action::Seek(5));
    window.harness.run_steps(3);
    window.harness.get_by_label("1  LOOP, line 10  count 2  index 1  increment 3");
    window.harness.get_by_label("4 of 4 run this step");
    window.harness.get_by_label("not in an IF block");
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let (program, state) = (session.program().expect("a program"), session.state().expect("a state"));
    let frame = state.loops.first().copied().expect("a loop");
    assert_eq!(state.loops, [LoopFrame { at: frame.at, count: Some(2), index: 1, increment: 3 }]);
    // All components of t are written, and no component of c.
    let defined = |name: &str| {
        let index = program.temporaries.iter().position(|t| t.name == name).expect("declared");
        state.temporaries_defined[index]
    };
    assert_eq!((defined("t"), defined("c")), (0xF, 0));
}
