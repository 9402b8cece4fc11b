//! Comparing two runs side by side.

use super::with_program;
use crate::support::Window;
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::stepping::Same;
use shadestep_engine::debug::Subject;

/// A program that runs the ELSE block in the left half.
const BRANCHES: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP c;
MOV c, fragment.texcoord[0];
SUBC c.x, c.x, 0.5;
IF GT.x;
  MOV c.y, 1;
ELSE;
  MOV c.y, 0.25;
  MOV c.z, 0.5;
ENDIF;
MOV result.color, c;
END
";

fn pick(window: &mut Window, pixel: [u32; 2]) {
    window.act(Action::Pick(Subject::Pixel(pixel)));
    let subject = Subject::Pixel(pixel);
    window.until("the pixel is recorded", |state| {
        state.pending.record.is_none()
            && state.stepping.session.as_ref().is_some_and(|s| s.subject() == subject)
    });
}

fn compared(window: &mut Window) {
    window.until("the runs are side by side", |state| {
        state.stepping.comparison.as_ref().is_some_and(|comparison| !comparison.lines().is_empty())
    });
    window.harness.run_steps(3);
}

fn row(window: &mut Window) -> Option<usize> {
    window.state().stepping.comparison.as_ref().and_then(|comparison| comparison.row())
}

/// Returns the rows of both runs as text. `-` marks a row that the run does not have.
fn texts(window: &mut Window) -> Vec<[String; 2]> {
    let comparison = window.state().stepping.comparison.as_ref().expect("compared");
    let text = |side: &Option<_>| match side {
        Some(shadestep::stepping::Listed { text, .. }) => text.trim_end_matches(';').to_owned(),
        None => "-".to_owned(),
    };
    comparison.lines().iter().map(|line| [text(&line.sides[0]), text(&line.sides[1])]).collect()
}

#[test]
fn two_pixels_part_where_they_branch() {
    let mut window = with_program(BRANCHES);
    pick(&mut window, [400, 100]);
    window.run(Command::CompareRuns);
    window.harness.run_steps(3);
    window.harness.get_by_label("Run A is kept");
    assert!(!Command::NextDifference.enabled(window.state()));
    pick(&mut window, [100, 100]);
    compared(&mut window);
    let both = |text: &str| [text.to_owned(), text.to_owned()];
    let only = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    let rows = texts(&mut window);
    let expected = [
        both("MOV c, fragment.texcoord[0]"),
        both("SUBC c.x, c.x, 0.5"),
        both("IF GT.x"),
        only("MOV c.y, 1", "-"),
        only("ELSE", "-"),
        only("-", "MOV c.y, 0.25"),
        only("-", "MOV c.z, 0.5"),
        both("ENDIF"),
        both("MOV result.color, c"),
    ];
    // ENDIF is excluded, because ELSE may continue at ENDIF or after it.
    let without_endif: Vec<_> = rows.iter().filter(|[a, b]| a != "ENDIF" && b != "ENDIF").cloned().collect();
    let expected: Vec<_> = expected.into_iter().filter(|row| row[0] != "ENDIF").collect();
    assert_eq!(without_endif, expected);
    let comparison = window.state().stepping.comparison.as_ref().expect("compared");
    let alignment = comparison.alignment().expect("there");
    assert_eq!(alignment.flow_parts, Some(3));
    assert_eq!(alignment.values_part.as_ref().map(|part| part.row), Some(0));
    let last = alignment.len() - 1;
    assert_eq!(alignment.differences, [0, 1, 2, 3, last]);
    // 400.5 / 512 and 100.5 / 512, exact in fp32.
    let first = &comparison.lines()[0];
    let values = |side: usize| first.sides[side].as_ref().expect("a step").values.clone();
    assert_eq!(values(0)[0], ("c.x 0.78222656".to_owned(), Same::No));
    assert_eq!(values(1)[0], ("c.x 0.19628906".to_owned(), Same::No));
    assert_eq!(values(0)[1].1, Same::Yes, "both are of one row of pixels");
    window.harness.get_by_label("First different value: c.x 0.78222656 in A, c.x 0.19628906 in B");
    window.harness.get_by_label_contains("First different instruction: step 3, only in A");
    window.harness.get_by_label_contains("Final colour of A: 0.28222656 1 0 1");
    window.harness.get_by_label_contains("Final colour of B: -0.30371094 0.25 0.5 1");
}

#[test]
fn differences_are_gone_through_both_ways() {
    let mut window = with_program(BRANCHES);
    pick(&mut window, [400, 100]);
    window.run(Command::CompareRuns);
    pick(&mut window, [100, 100]);
    compared(&mut window);
    window.run(Command::ToStart);
    window.harness.run_steps(2);
    let last =
        window.state().stepping.comparison.as_ref().and_then(|c| c.alignment()).expect("there").len() - 1;
    let mut rows = Vec::new();
    for _ in 0..4 {
        window.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::F8);
        window.harness.run_steps(2);
        rows.push(row(&mut window));
    }
    assert_eq!(rows, [1, 2, 3, last].map(Some));
    let length = window.state().stepping.session.as_ref().expect("recorded").len();
    assert_eq!(window.state().stepping.session.as_ref().expect("recorded").position(), length - 1);
    assert!(!Command::NextDifference.enabled(window.state()));
    window.run(Command::PreviousDifference);
    window.harness.run_steps(2);
    assert_eq!(row(&mut window), Some(3));
    // At a row that only the other run has, this run is before its next step.
    assert_eq!(window.state().stepping.session.as_ref().expect("recorded").position(), 3);
    window.run(Command::StepForward);
    window.harness.run_steps(2);
    assert_ne!(row(&mut window), Some(3), "the row follows the step");
    window.run(Command::StopComparing);
    window.harness.run_steps(2);
    assert!(
        window.state().stepping.comparison.is_none() && window.harness.query_by_label("Compare").is_none()
    );
}

#[test]
fn an_edited_program_is_compared_with_what_it_was() {
    let mut window = with_program(BRANCHES);
    pick(&mut window, [400, 100]);
    window.run(Command::CompareRuns);
    window.harness.run_steps(2);
    window.set_text(
        &BRANCHES.replace("IF GT.x;", "MUL c.z, c.z, 2;\nIF GT.x;").replace("MOV c.y, 1;", "MOV c.y, 0.75;"),
    );
    compared(&mut window);
    let rows = texts(&mut window);
    let alone: Vec<_> = rows.iter().filter(|[a, b]| a == "-" || b == "-").cloned().collect();
    let only = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    // The inserted and the rewritten instructions.
    assert_eq!(alone, [only("-", "MUL c.z, c.z, 2"), only("MOV c.y, 1", "-"), only("-", "MOV c.y, 0.75")]);
    let alignment = window.state().stepping.comparison.as_ref().and_then(|c| c.alignment()).expect("there");
    assert_eq!(alignment.flow_parts, Some(2));
    // All other values are equal up to the colour.
    assert_eq!(alignment.values_part.as_ref().map(|part| part.row), Some(alignment.len() - 1));
}

#[test]
fn a_run_is_compared_with_that_of_another_time() {
    let mut window = with_program(BRANCHES);
    pick(&mut window, [400, 100]);
    window.run(Command::CompareRuns);
    window.run(Command::StepTime);
    window.settle();
    compared(&mut window);
    let alignment = window.state().stepping.comparison.as_ref().and_then(|c| c.alignment()).expect("there");
    assert!(alignment.differences.is_empty(), "nothing depends on time here");
    window.harness.get_by_label("No differences");
    // The comparison closes when another document becomes active.
    window.run(Command::New);
    window.settle();
    assert!(window.state().stepping.comparison.is_none());
}
