//! Fragments stepped through, and breakpoints.

use crate::{STEPS, pixel, with_program};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::session::Agreement;
use shadestep::shell::Pane;

#[test]
fn a_clicked_pixel_can_be_stepped_both_ways() {
    let mut window = with_program(STEPS);
    let picture = window.harness.get_by_label("Rendered picture").rect();
    window.harness.get_by_label("Rendered picture").click();
    window.until("the pixel is recorded", |state| state.debug.is_some());
    let state = window.state();
    assert!(state.settings.layout.is_shown(Pane::Debugger));
    let session = state.debug.as_ref().expect("recorded");
    assert!(picture.width() > 50.0);
    let pixel = session.pixel().expect("a pixel");
    assert!(pixel.iter().all(|c| (254..=257).contains(c)), "{pixel:?} is not the middle of the picture");
    assert_eq!((session.position(), session.len()), (0, 4));
    assert_eq!(session.agreement(), Some(Agreement::Same));
    assert_eq!(session.current_line(), Some(2));
    let initial = session.state().expect("a state").clone();
    for key in [Key::F11, Key::F11, Key::F10] {
        window.harness.key_press(key);
        window.harness.step();
    }
    let session = window.state().debug.as_ref().expect("still there");
    assert_eq!((session.position(), session.current_line()), (3, Some(5)));
    // Worked by hand from s = (x + 0.5) / 512, t alike: R1.x = s * 0.25 + t.
    let r1 = session.state().expect("a state").temporaries[1].map(f32::from_bits);
    let [s, t] = pixel.map(|c| (c as f32 + 0.5) / 512.0);
    assert_eq!(r1, [s * 0.25 + t, t * 0.5, 0.0, 1.0]);
    for _ in 0..3 {
        window.harness.key_press_modifiers(Modifiers::SHIFT, Key::F11);
        window.harness.step();
    }
    let session = window.state().debug.as_ref().expect("still there");
    assert_eq!(session.position(), 0);
    assert_eq!(session.state(), Some(&initial), "back at the start, everything is as it was");
}

#[test]
fn the_stepped_result_is_the_stored_pixel() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([17, 401]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::ToEnd);
    let stored = pixel(&mut window, [17, 401]).map(f32::to_bits);
    let session = window.state().debug.as_ref().expect("recorded");
    assert_eq!(session.position(), session.len());
    assert_eq!(session.recording().expect("a fragment").color, stored);
    assert!(window.state().debug.as_ref().is_some_and(|s| s.current_step().is_none()));
}

#[test]
fn runs_stop_at_breakpoints_in_both_directions() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([3, 3]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    // F9 at the caret, and a click into the gutter beside line 5.
    let offset = STEPS.find("MULR").expect("there is one");
    window.act(Action::Jump(shadestep_engine::source::Span::at(offset)));
    window.harness.run_steps(2);
    window.harness.key_press(Key::F9);
    window.harness.run_steps(2);
    let id = window.state().document().expect("a program").text_id();
    window.act(Action::ToggleBreakpoint(id, 5));
    assert_eq!(window.state().document().expect("a program").active().breakpoints, [3, 5].into());
    let mut lines = Vec::new();
    for command in [
        Command::NextBreakpoint,
        Command::NextBreakpoint,
        Command::NextBreakpoint,
        Command::PreviousBreakpoint,
        Command::PreviousBreakpoint,
        Command::PreviousBreakpoint,
    ] {
        window.run(command);
        lines.push(window.state().debug.as_ref().expect("recorded").current_line());
    }
    assert_eq!(lines, [Some(3), Some(5), None, Some(5), Some(3), Some(2)]);
    window.run(Command::ToggleBreakpoint);
    assert_eq!(window.state().document().expect("a program").active().breakpoints, [5].into());
    window.run(Command::ToCursor);
    assert_eq!(window.state().debug.as_ref().expect("recorded").current_line(), Some(3));
}

#[test]
fn the_gutter_sets_breakpoints() {
    let mut window = with_program(STEPS);
    let gutter = window.harness.get_by_label("Breakpoint gutter").rect();
    let line = egui::pos2(gutter.left() + 12.0, gutter.top() + 6.0 + 20.0 * 3.5);
    for expected in [vec![3], vec![]] {
        window.harness.hover_at(line);
        window.harness.step();
        window.harness.drag_at(line);
        window.harness.drop_at(line);
        window.harness.run_steps(2);
        let breakpoints = &window.state().document().expect("a program").active().breakpoints;
        assert_eq!(breakpoints.iter().copied().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_pixel_is_recorded_anew_when_the_program_changes() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([3, 3]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::StepForward);
    window.set_text(&STEPS.replace("MULR R1, R0, tint;", "MULR R1, R0, tint;\nMOVR R2, R1;"));
    window.until("there is a step more", |state| state.debug.as_ref().is_some_and(|s| s.len() == 5));
    assert_eq!(window.state().debug.as_ref().expect("recorded").position(), 1);
}
