//! The strip of versions, which holds pictures of earlier texts, and the comparison with a pinned version.

use super::{pixel, with_program};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::maps::Map;
use shadestep::model::Compare;
use std::time::Duration;

fn program(red: &str) -> String {
    format!("!!FP1.0\nMOV R0, {{{red}, 0.5, 0.25, 1}};\nMOV o[COLR], R0;\nEND\n")
}

fn numbers(window: &mut Window) -> Vec<u32> {
    let id = window.state().document().expect("a program").id;
    let versions = window.state().view.versions.get(id).expect("there are some");
    versions.iter().map(|version| version.number).collect()
}

#[test]
fn edits_make_versions_and_each_can_be_gone_back_to() {
    let mut window = with_program(&program("0.25"));
    window.run(Command::ToggleVersions);
    let first = *numbers(&mut window).last().expect("the first picture");
    // A text becomes a version after it stays unchanged for a while.
    std::thread::sleep(Duration::from_millis(1600));
    window.set_text(&program("0.75"));
    window.settle();
    assert_eq!(numbers(&mut window).last(), Some(&(first + 1)));
    assert_eq!(pixel(&mut window, [5, 5])[0], 0.75);
    // A change of time does not make a version.
    window.run(Command::StepTime);
    window.settle();
    assert_eq!(numbers(&mut window).last(), Some(&(first + 1)));
    window.harness.get_by_label(&format!("Version {first}")).click();
    window.settle();
    window.until("the old picture is back", |state| {
        let shown = state.document().and_then(|document| document.shown.as_ref());
        shown.and_then(|shown| shown.frame.pixel([5, 5])).is_some_and(|pixel| pixel.color[0] == 0.25)
    });
    assert!(window.state().document().expect("a program").active().text().contains("{0.25"));
    window.run(Command::Undo);
    window.settle();
    assert!(window.state().document().expect("a program").active().text().contains("{0.75"));
}

#[test]
fn a_pinned_version_is_compared_with() {
    let mut window = with_program(&program("0.25"));
    assert!(!Command::MapDifference.enabled(window.state()));
    window.run(Command::PinVersion);
    std::thread::sleep(Duration::from_millis(1600));
    window.set_text(&program("0.75"));
    window.settle();
    let id = window.state().document().expect("a program").id;
    window.run(Command::MapDifference);
    window.until("the difference is there", |state| {
        state.maps.shown(id).is_some_and(|shown| shown.query.map == Map::Difference)
    });
    let shown = window.state().maps.shown(id).expect("it is there");
    assert_eq!(shown.field.at([7, 3]), Some(&[0.5][..]));
    assert_eq!(shown.field.statistics().range, Some([0.5, 0.5]));
    window.act(Action::SetCompare(Compare::Slider(0.5)));
    window.settle();
    assert!(window.state().document().expect("a program").map.map.is_none(), "one thing at a time");
    let picture = window.harness.get_by_label("Rendered picture").rect();
    let drawn = window.harness.render().expect("the CPU renderer renders");
    let slider = window.harness.get_by_label("Compare slider").rect();
    let at = |x: f32| drawn.get_pixel(x as u32, picture.center().y as u32 + 40).0[0];
    let x = slider.center().x;
    assert!((60..70).contains(&at(x - 30.0)), "the pinned one left of it: {}", at(x - 30.0));
    assert!((186..196).contains(&at(x + 30.0)), "that of now right of it: {}", at(x + 30.0));
    window.run(Command::UnpinVersion);
    window.settle();
    assert!(window.harness.query_by_label("Compare slider").is_none());
}
