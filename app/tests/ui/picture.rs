//! The picture: the first sample, changes over time, overlays, and output colours.

use super::{CLIPPED, pixel, window, with_program, with_vertex_program};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::session::Agreement;
use shadestep_engine::debug::Subject;

#[test]
fn it_starts_with_a_lively_sample() {
    let mut window = window();
    let state = window.state();
    assert!(state.is_animated(), "the first sample moves");
    let document = state.document().expect("a program is open");
    assert_eq!(document.error_count(), 0);
    let shown = document.shown.as_ref().expect("its picture is there");
    let rgba = shown.frame.to_rgba8();
    let first = &rgba[..4];
    assert!(rgba.chunks_exact(4).any(|pixel| pixel != first), "the picture is not blank");
}

#[test]
fn time_moves_the_picture() {
    let mut window = window();
    let before = pixel(&mut window, [100, 100]);
    window.state().clock.time_secs = 1.0;
    window.run(Command::StepTime);
    window.settle();
    assert_ne!(pixel(&mut window, [100, 100]), before);
    window.run(Command::ResetTime);
    window.settle();
    assert_eq!(pixel(&mut window, [100, 100]), before, "time 0 looks as it did");
}

#[test]
fn overlays_leave_the_pixels_alone() {
    let mut window = with_vertex_program(CLIPPED);
    let rgba = |window: &mut Window| {
        let document = window.state().document().expect("a program");
        document.shown.as_ref().expect("a picture").frame.to_rgba8()
    };
    let before = rgba(&mut window);
    let plain = window.harness.render().expect("the CPU renderer renders");
    for command in [Command::ToggleWireframe, Command::ToggleNormals] {
        assert!(command.enabled(window.state()));
        window.run(command);
    }
    window.settle();
    let id = window.state().document().expect("a program").id;
    let (_, overlay) = window.state().view.pictures.get(id).expect("a picture");
    assert!(!overlay.edges.is_empty() && !overlay.normals.is_empty());
    assert!(rgba(&mut window) == before, "the picture itself is as it was");
    let drawn = window.harness.render().expect("the CPU renderer renders");
    let picture = window.harness.get_by_label("Rendered picture").rect();
    let changed = |(x, y, pixel): (u32, u32, &image::Rgba<u8>)| {
        picture.contains(egui::pos2(x as f32, y as f32)) && plain.get_pixel(x, y) != pixel
    };
    assert!(drawn.enumerate_pixels().filter(|&at| changed(at)).count() > 1000, "lines are over it");
    window.run(Command::ToggleWireframe);
    window.run(Command::ToggleNormals);
    window.settle();
    let id = window.state().document().expect("a program").id;
    let (_, overlay) = window.state().view.pictures.get(id).expect("a picture");
    assert!(overlay.edges.is_empty() && overlay.normals.is_empty());
    window.run(Command::New);
    window.settle();
    assert!(!Command::ToggleWireframe.enabled(window.state()), "a viewport quad has no vertices");
}

#[test]
fn any_output_colour_can_be_shown_and_stepped() {
    let text = "!!ARBfp1.0\nOPTION ARB_draw_buffers;\nMOV result.color[0], {1, 0, 0, 1};\n\
                MOV result.color[2], {0.25, 0.5, 0.75, 1};\nEND\n";
    let mut window = with_program(text);
    assert_eq!(pixel(&mut window, [9, 9]), [1.0, 0.0, 0.0, 1.0]);
    window.harness.get_by_label("Output colour").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("result.color[2]").click();
    window.settle();
    assert_eq!(pixel(&mut window, [9, 9]), [0.25, 0.5, 0.75, 1.0]);
    window.act(Action::Pick(Subject::Pixel([9, 9])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert_eq!(session.agreement(), Some(Agreement::Same));
    assert_eq!(session.fragment_color(), Some([0.25, 0.5, 0.75, 1.0]));
    // Without the option, the program has only one colour.
    window.set_text("!!ARBfp1.0\nMOV result.color, {0, 1, 0, 1};\nEND\n");
    assert_eq!(pixel(&mut window, [9, 9]), [0.0, 1.0, 0.0, 1.0]);
    assert!(window.harness.query_by_label("Output colour").is_none());
}
