//! Blending and texture formats, set in the Inputs panel.

use super::{pixel, with_program};
use crate::support::Window;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::scene::{RasterState, SceneEdit, StateKey, StateSetting};
use shadestep::settings::Pane;
use shadestep_engine::pipeline::{Blend, BlendEquation, BlendFactor};
use shadestep_engine::texture::Format;

/// Opens the drop-down list `list` and chooses `label`.
fn choose(window: &mut Window, list: &str, label: &str) {
    window.harness.get_by_label(list).scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label(list).click();
    window.harness.run_steps(3);
    window.harness.query_all_by_label(label).last().expect("it is listed").scroll_to_me();
    window.harness.run_steps(20);
    window.harness.query_all_by_label(label).last().expect("it is listed").click();
    window.harness.run_steps(3);
    window.settle();
}

fn text(window: &mut Window) -> String {
    window.state().document().expect("a program").scene_text().text().to_owned()
}

/// Opens a program, and expands the section `part` of the Inputs panel.
fn with_part(program: &str, part: &str) -> Window {
    let mut window = with_program(program);
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    window.harness.get_by_label(part).scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label(part).click();
    window.harness.run_steps(3);
    window
}

#[test]
fn factors_equation_and_constant_of_blending_are_set() {
    let mut window = with_part("!!FP1.0\nMOV o[COLR], {0.5, 0.25, 1, 0.5};\nEND\n", "State");
    let at = [20, 20];
    assert_eq!(pixel(&mut window, at), [0.5, 0.25, 1.0, 0.5]);
    assert!(window.harness.query_by_label("Blend equation").is_none(), "there is no blending");
    choose(&mut window, "Blend", "ONE, ONE");
    let clear = window.state().document().expect("a program").scene.clear.color;
    let close = |found: [f32; 4], expected: [f32; 4]| {
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near, "{found:?}, and not {expected:?}");
    };
    let sums = [0.5 + clear[0], 0.25 + clear[1], 1.0 + clear[2], 0.5 + clear[3]];
    close(pixel(&mut window, at), sums.map(|sum| sum.min(1.0)));
    // Alpha uses the RGB factors until it has factors of its own.
    choose(&mut window, "Dest. RGB factor", "ZERO");
    close(pixel(&mut window, at), [0.5, 0.25, 1.0, 0.5]);
    choose(&mut window, "Source alpha factor", "ZERO");
    close(pixel(&mut window, at), [0.5, 0.25, 1.0, 0.0]);
    choose(&mut window, "Source RGB factor", "CONSTANT_COLOR");
    close(pixel(&mut window, at), [0.0, 0.0, 0.0, 0.0]);
    window.harness.get_by_label("Blend constant red").focus();
    window.harness.step();
    for _ in 0..10 {
        window.harness.key_press(egui::Key::ArrowUp);
        window.harness.step();
    }
    window.settle();
    assert!(pixel(&mut window, at)[0] > 0.0, "{}", text(&mut window));
    // A change of another setting ends the undo step, like a pause.
    window.act(Action::EditScene(SceneEdit::ClearColor(0, [0.1, 0.1, 0.1, 1.0])));
    window.settle();
    let written = text(&mut window);
    assert!(written.contains("src = \"CONSTANT_COLOR\", dst = \"ZERO\", src_alpha = \"ZERO\""), "{written}");
    choose(&mut window, "Blend equation", "MAX");
    close(pixel(&mut window, at), [0.5, 0.25, 1.0, 1.0]);
    window.run(Command::Undo);
    window.settle();
    assert_eq!(text(&mut window), written);
    window.harness.get_by_label("Reset Blend").click();
    window.settle();
    assert_eq!(pixel(&mut window, at), [0.5, 0.25, 1.0, 0.5]);
}

#[test]
fn the_format_of_a_texture_is_chosen_from_those_that_it_can_have() {
    let mut window = with_program("!!FP1.0\nTEX o[COLR], {0.3, 0.6}, TEX0, 2D;\nEND\n");
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    let before = pixel(&mut window, [9, 9]);
    assert_eq!(before[3], 1.0);
    choose(&mut window, "Texture format", "LUMINANCE8");
    window.until("it is bound", |state| {
        state
            .document()
            .is_some_and(|d| d.scene.textures.iter().any(|t| t.spec().format == Format::Luminance8))
    });
    window.settle();
    let grey = pixel(&mut window, [9, 9]);
    assert!(grey[0] == grey[1] && grey[1] == grey[2] && grey != before, "{grey:?}");
    assert!(text(&mut window).contains("format = \"LUMINANCE8\""));
    // Only the target RECT has float buffers.
    window.harness.get_by_label("Texture format").click();
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("FLOAT_RGBA32").is_none());
    window.harness.get_by_label("Floating point");
    window.harness.key_press(egui::Key::Escape);
    window.harness.run_steps(3);
    window.run(Command::Undo);
    window.settle();
    assert_eq!(pixel(&mut window, [9, 9]), before);
}

/// The panel contains all of its controls completely, at its usual width and at a small width.
#[test]
fn no_control_of_the_inputs_is_cut_off() {
    use egui::Role;
    // Controls that are scrolled out of view have positions in this range.
    const TOP_BAR: std::ops::Range<f32> = 0.0..50.0;
    for (width, layout) in
        [(1280.0, Command::LayoutWrite), (1280.0, Command::LayoutLearn), (900.0, Command::LayoutLearn)]
    {
        let mut window = Window::open([width, 800.0], shadestep::theme::ThemeChoice::Dark);
        window.run(Command::NewArbVertex);
        window.run(layout);
        window.settle();
        window.act(Action::EditScene(SceneEdit::State(blended())));
        window.act(Action::EditScene(SceneEdit::AddBuffer("memory".to_owned(), Vec::new())));
        window.act(Action::EditScene(SceneEdit::AddImage("image".to_owned(), Some(0), None)));
        window.act(Action::Show(Pane::Inputs));
        window.settle();
        window.harness.get_by_label("State").scroll_to_me();
        window.harness.run_steps(20);
        window.harness.get_by_label("State").click();
        window.harness.run_steps(3);
        // The panel is at the right edge of the window, so any node right of this x is in the panel.
        let left = window.harness.get_by_label("Mesh").rect().left() - 100.0;
        let controls =
            [Role::ComboBox, Role::SpinButton, Role::TextInput, Role::CheckBox, Role::Slider, Role::Button];
        let is_control = |role: Role| controls.contains(&role);
        let nodes = window.harness.query_all_by(|node| is_control(node.role()));
        let inside: Vec<_> = nodes
            .filter(|node| node.rect().left() >= left && !TOP_BAR.contains(&node.rect().top()))
            .collect();
        for name in
            ["Size preset", "Clear alpha", "Blend constant alpha", "Size of memory", "Format of image"]
        {
            assert!(
                inside.iter().any(|node| node.accesskit_node().label().as_deref() == Some(name)),
                "{name}"
            );
        }
        for node in inside {
            let (name, right) = (node.accesskit_node().label(), node.rect().right());
            // Tabs of panels may exceed the width, because the row of tabs scrolls.
            let is_tab =
                name.as_deref().is_some_and(|name| ["Watches", "Vertices", "Memory"].contains(&name));
            assert!(is_tab || right <= width - 4.0, "{width}: {name:?} ends at {right}");
        }
    }
}

/// Returns the scene's setting for [`blend`].
fn blended() -> StateSetting {
    StateKey::state("blend").of(&RasterState { blend: blend(), ..RasterState::DEFAULT })
}

fn blend() -> Option<Blend> {
    let factors = [BlendFactor::ConstantColor, BlendFactor::One];
    Some(Blend { equation: BlendEquation::Add, rgb: factors, alpha: factors, color: [-0.0001; 4] })
}
