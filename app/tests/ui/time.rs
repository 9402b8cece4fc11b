//! Time controls: the slider, the loop, the speed and the typed time. Also the full-screen picture.

use super::{STEPS, pixel, window, with_program};
use crate::support::Window;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::model::{Loops, Playback, TimeRange};
use shadestep::session::Button;
use shadestep::state::{Dialog, Running};

/// A program whose red component is the time in seconds.
const MOVING: &str = "!!FP1.0\nMOVR o[COLR], p[0].x;\nEND\n";

fn playback(window: &mut Window) -> Playback {
    window.state().document().expect("a program").playback
}

/// Returns the rectangle of the control `name`.
fn place(window: &Window, name: &str) -> egui::Rect {
    window.harness.get_by_label(name).rect()
}

/// Presses the primary button at the first place, moves through the others, and releases the button at the
/// last.
fn drag(window: &mut Window, places: &[Pos2]) {
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for (number, &pos) in places.iter().enumerate() {
        window.harness.event(Event::PointerMoved(pos));
        if number == 0 {
            window.harness.event(button(pos, true));
        }
        window.harness.step();
    }
    if let Some(&last) = places.last() {
        window.harness.event(button(last, false));
        window.harness.run_steps(2);
    }
}

/// Types `text` into the field `name`.
fn type_into(window: &mut Window, name: &str, text: &str) {
    window.harness.get_by_label(name).click();
    window.harness.run_steps(2);
    window.harness.event(Event::Text(text.to_owned()));
    window.harness.run_steps(2);
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(2);
}

#[test]
fn the_slider_moves_time_and_the_picture_follows() {
    let mut window = with_program(MOVING);
    let rail = place(&window, "Time slider");
    assert!(rail.width() > 100.0, "{rail:?}");
    // The slider's range is 0 to 10 s.
    let at = |share: f32| pos2(rail.left() + 10.0 + (rail.width() - 20.0) * share, rail.center().y);
    drag(&mut window, &[at(0.0), at(0.3), at(0.05)]);
    assert!((window.state().clock.time_secs - 0.5).abs() < 0.02, "{}", window.state().clock.time_secs);
    window.settle();
    let time = window.state().clock.time_secs;
    assert_eq!(pixel(&mut window, [9, 9])[0], time);
    // The frame number depends on the time alone.
    assert_eq!(window.state().clock.frame, (time * 60.0).round() as u32);
    // Dragging past an end stops at the end.
    drag(&mut window, &[at(0.5), at(-4.0)]);
    assert_eq!(window.state().clock.time_secs, 0.0);
}

#[test]
fn scales_stay_while_the_slider_is_dragged() {
    let mut window = with_program(MOVING);
    window.act(Action::SetTime(15.0));
    window.settle();
    let rail = place(&window, "Time slider");
    let at = |share: f32| pos2(rail.left() + 10.0 + (rail.width() - 20.0) * share, rail.center().y);
    // After 10 s the slider's range is 20 s, and stays so while the user drags to less than 10 s.
    drag(&mut window, &[at(0.75), at(0.45), at(0.25)]);
    assert!((window.state().clock.time_secs - 5.0).abs() < 0.1, "{}", window.state().clock.time_secs);
    window.harness.run_steps(2);
    drag(&mut window, &[at(0.5)]);
    assert!((window.state().clock.time_secs - 5.0).abs() < 0.1, "half of 10 s");
}

#[test]
fn time_can_be_typed_and_nudged() {
    let mut window = with_program(MOVING);
    type_into(&mut window, "Time", "0.75");
    assert_eq!(window.state().clock.time_secs, 0.75);
    window.settle();
    assert_eq!(pixel(&mut window, [9, 9])[0], 0.75);
    window.harness.get_by_label("Time slider").focus();
    window.harness.run_steps(2);
    window.harness.key_press(Key::ArrowRight);
    window.harness.run_steps(2);
    assert!((window.state().clock.time_secs - 0.75 - 1.0 / 60.0).abs() < 1e-6);
    window.harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
    window.harness.run_steps(2);
    assert_eq!(window.state().clock.time_secs, 0.0);
}

#[test]
fn time_runs_at_its_speed_and_repeats_its_range() {
    let mut window = with_program(MOVING);
    window.act(Action::SetPlayback(Playback { speed: 3.0, ..Playback::default() }));
    window.state().clock.running = Running::Yes;
    // The window's clock advances by 1/60 s per frame.
    window.harness.run_steps(1);
    let before = window.state().clock.time_secs;
    window.harness.run_steps(10);
    let after = window.state().clock.time_secs;
    assert!((after - before - 0.5).abs() < 0.01, "{before} {after}");
    // The loop repeats its range.
    window.run(Command::ToggleLoop);
    let range = TimeRange { start: 0.5, end: 0.75 };
    let looped = Playback { range, ..playback(&mut window) };
    window.act(Action::SetPlayback(looped));
    let mut times = Vec::new();
    for _ in 0..40 {
        window.harness.step();
        times.push(window.state().clock.time_secs);
    }
    assert!(times.iter().skip(1).all(|time| (0.5..0.75).contains(time)), "{times:?}");
    assert!(times.windows(2).filter(|pair| pair[1] < pair[0]).count() >= 3, "{times:?}");
    window.run(Command::ToggleLoop);
    window.until("time has run on", |state| state.clock.time_secs > 1.0);
    window.state().clock.running = Running::No;
    window.settle();
    // Each document has its own playback settings during the session.
    window.run(Command::New);
    window.settle();
    assert_eq!(playback(&mut window), Playback::default());
    window.run(Command::PreviousTab);
    assert_eq!(playback(&mut window).speed, 3.0);
    assert_eq!(playback(&mut window).range, range);
}

#[test]
fn the_range_is_dragged_and_typed() {
    let mut window = with_program(MOVING);
    assert!(window.harness.query_by_label("Start of the loop").is_none());
    window.harness.get_by_label(Command::ToggleLoop.info().hint).click();
    window.harness.run_steps(3);
    assert_eq!(playback(&mut window).loops, Loops::Yes);
    type_into(&mut window, "Start of the loop", "1.5");
    type_into(&mut window, "End of the loop", "2.5");
    assert_eq!(playback(&mut window).range, TimeRange { start: 1.5, end: 2.5 });
    let (rail, handle) = (place(&window, "Time slider"), place(&window, "Loop end handle"));
    let second = (rail.width() - 20.0) / 10.0;
    let from = handle.center();
    drag(&mut window, &[from, from + egui::vec2(second, 0.0), from + egui::vec2(2.0 * second, 0.0)]);
    let range = playback(&mut window).range;
    assert!((range.end - 4.5).abs() < 0.2 && range.start == 1.5, "{range:?}");
    // The start and the end of the loop cannot cross.
    let from = place(&window, "Loop end handle").center();
    drag(&mut window, &[from, pos2(rail.left(), from.y)]);
    let range = playback(&mut window).range;
    assert!(range.start == 1.5 && range.end > 1.5 && range.end < 1.6, "{range:?}");
}

#[test]
fn the_speed_is_chosen_from_a_list() {
    let mut window = with_program(MOVING);
    window.harness.get_by_label("Playback speed").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("0.5×").click();
    window.harness.run_steps(3);
    assert_eq!(playback(&mut window).speed, 0.5);
    window.harness.get_by_label("Playback speed").click();
    window.harness.run_steps(3);
    type_into(&mut window, "Custom playback speed", "1.25");
    assert_eq!(playback(&mut window).speed, 1.25);
    // If the slider is narrow, the ends of the loop are in the menu of speeds.
    window.harness.key_press(Key::Escape);
    window.run(Command::LayoutDebug);
    window.run(Command::ToggleLoop);
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("End of the loop").is_none());
    window.harness.get_by_label("Playback speed").click();
    window.harness.run_steps(3);
    type_into(&mut window, "End of the loop", "3");
    assert_eq!(playback(&mut window).range.end, 3.0);
}

#[test]
fn programs_that_do_not_look_at_time_have_no_use_for_it() {
    let mut window = with_program(STEPS);
    for name in ["Time", "Time slider", "Playback speed", Command::ToggleLoop.info().hint] {
        let node = window.harness.get_by_label(name);
        assert!(node.accesskit_node().is_disabled(), "{name}");
    }
    let rail = place(&window, "Time slider");
    drag(&mut window, &[rail.center()]);
    assert_eq!(window.state().clock.time_secs, 0.0);
    assert!(!Command::ToggleLoop.enabled(window.state()));
    window.run(Command::ToggleTimeBar);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Time slider").is_none());
    window.run(Command::ToggleTimeBar);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Time slider").is_some());
}

#[test]
fn the_picture_fills_the_screen_until_escape() {
    let mut window = with_program(MOVING);
    window.harness.key_press_modifiers(Modifiers::ALT, Key::Enter);
    window.harness.run_steps(2);
    assert!(window.state().view.full_screen.is_some());
    let picture = place(&window, "Full-screen picture");
    assert_eq!(picture.size(), egui::vec2(1280.0, 800.0));
    assert!(window.harness.query_by_label("Rendered picture").is_none(), "the panels are gone");
    // The clock runs.
    window.state().clock.running = Running::Yes;
    window.until("time has run on", |state| state.clock.time_secs > 0.1);
    window.state().clock.running = Running::No;
    window.settle();
    // The program receives the mouse. The picture is square and as high as the screen, from x = 240 to 1040.
    window.harness.event(Event::PointerMoved(pos2(440.0, 600.0)));
    window.harness.run_steps(2);
    assert_eq!(window.state().view.mouse.position, [0.25, 0.25]);
    let button = |pressed| Event::PointerButton {
        pos: pos2(440.0, 600.0),
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    window.harness.event(button(true));
    window.harness.run_steps(2);
    assert_eq!(window.state().view.mouse.button, Button::Down);
    window.harness.event(button(false));
    window.harness.run_steps(2);
    assert_eq!(window.state().view.mouse.button, Button::Up);
    assert!(
        window.state().stepping.session.is_none() && window.state().pending.record.is_none(),
        "a click steps nowhere"
    );
    // Escape closes the dialog first.
    window.run(Command::About);
    window.harness.run_steps(2);
    assert_eq!(window.state().dialog, Some(Dialog::About));
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    assert!(window.state().dialog.is_none() && window.state().view.full_screen.is_some());
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    assert!(window.state().view.full_screen.is_none());
    assert!(window.harness.query_by_label("Rendered picture").is_some());
}

#[test]
fn the_hint_of_the_full_screen_goes_away() {
    let mut window = window();
    window.run(Command::FullScreen);
    window.harness.run_steps(3);
    let early = window.harness.render().expect("the CPU renderer renders");
    // Four seconds of the window's clock.
    window.harness.run_steps(4 * 60 + 5);
    let late = window.harness.render().expect("the CPU renderer renders");
    let differs = |(x, y, pixel): (u32, u32, &image::Rgba<u8>)| late.get_pixel(x, y) != pixel && y > 700;
    assert!(early.enumerate_pixels().any(differs), "the hint was there");
}
