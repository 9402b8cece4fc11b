//! Adding and changing buffers and images in the Inputs panel.

use super::{pixel, with_program};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::model::Part;
use shadestep::scene::Scene;
use shadestep::settings::Pane;

fn scene(window: &mut Window) -> std::sync::Arc<Scene> {
    std::sync::Arc::clone(&window.state().document().expect("a program").scene)
}

fn click(window: &mut Window, label: &str) {
    window.harness.get_by_label(label).scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label(label).click();
    window.harness.run_steps(3);
    window.settle();
}

fn choose(window: &mut Window, list: &str, label: &str) {
    click(window, list);
    let nodes: Vec<_> = window.harness.query_all_by_label(label).collect();
    nodes.last().expect("it is listed").click();
    window.harness.run_steps(3);
    window.settle();
}

/// Replaces the text of the field `label` by typing.
fn type_over(window: &mut Window, label: &str, text: &str) {
    window.harness.get_by_label(label).scroll_to_me();
    window.harness.run_steps(20);
    window.harness.get_by_label(label).click();
    window.harness.run_steps(2);
    window.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.harness.step();
    window.harness.event(egui::Event::Text(text.to_owned()));
    window.harness.step();
}

const PROGRAM: &str =
    "!!NVfp5.0\nBUFFER4 table[] = { program.buffer[0] };\nMOV result.color, table[1];\nEND\n";

#[test]
fn a_buffer_is_added_filled_and_read() {
    let mut window = with_program(PROGRAM);
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    click(&mut window, "Add buffer");
    let now = scene(&mut window);
    assert_eq!((now.buffers.len(), now.buffers[0].bound.len()), (1, 1), "the program's first one");
    assert_eq!(pixel(&mut window, [5, 5]), [0.0; 4]);
    // A new buffer is expanded.
    type_over(&mut window, "Number of buffer", "0.5");
    window.harness.key_press(egui::Key::Enter);
    window.harness.run_steps(2);
    window.settle();
    assert_eq!(pixel(&mut window, [5, 5]), [0.5; 4]);
    choose(&mut window, "Type of buffer", "int");
    assert!(window.state().notices.iter().any(|n| n.text.contains("fill")), "0.5 is no integer");
    window.state().notices.clear();
    type_over(&mut window, "Size of buffer", "32");
    window.harness.key_press(egui::Key::Enter);
    window.harness.run_steps(2);
    window.settle();
    assert_eq!(scene(&mut window).buffers[0].store.len(), 32);
    choose(&mut window, "Contents of buffer", "Listed values");
    let text = window.state().document().expect("a program").scene_text().text().to_owned();
    assert!(text.contains("values = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]"), "{text}");
    assert_eq!(pixel(&mut window, [5, 5]), [0.5; 4]);
    // The second buffer has its own name and binding. The field keeps an invalid name until the user corrects
    // it.
    click(&mut window, "Add buffer");
    let names: Vec<String> = scene(&mut window).buffers.iter().map(|buffer| buffer.name.clone()).collect();
    assert_eq!(names, ["buffer", "buffer-2"]);
    assert_ne!(scene(&mut window).buffers[0].bound, scene(&mut window).buffers[1].bound);
    type_over(&mut window, "Name of buffer-2", "buffer");
    window.harness.key_press(egui::Key::Enter);
    window.harness.run_steps(2);
    assert_eq!(scene(&mut window).buffers[1].name, "buffer-2");
    type_over(&mut window, "Name of buffer-2", "journal");
    window.harness.key_press(egui::Key::Enter);
    window.harness.run_steps(2);
    window.settle();
    assert_eq!(scene(&mut window).buffers[1].name, "journal");
    click(&mut window, "Remove buffer journal");
    assert_eq!(scene(&mut window).buffers.len(), 1);
    window.run(Command::Undo);
    window.settle();
    assert_eq!(scene(&mut window).buffers.len(), 2);
}

#[test]
fn an_image_is_added_and_changed() {
    let mut window = with_program(
        "!!NVfp5.0\nIMAGE canvas = image[0];\n\
                                   INT TEMP at; TEMP c;\nMOV.S at, 0;\nLOADIM.F32 c, at, canvas, 2D;\n\
                                   MOV result.color, c;\nEND\n",
    );
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    click(&mut window, "Add image");
    let now = scene(&mut window);
    assert_eq!(now.images[0].unit.map(|unit| unit.unit), Some(0));
    assert_eq!(now.images[0].shape.levels()[0], [256, 256, 1]);
    choose(&mut window, "Format of image", "R32F");
    type_over(&mut window, "Number of image", "0.75");
    window.harness.key_press(egui::Key::Enter);
    window.harness.run_steps(2);
    window.settle();
    assert_eq!(pixel(&mut window, [5, 5])[0], 0.75);
    choose(&mut window, "Texture unit of image", "3");
    assert_eq!(scene(&mut window).images[0].lookup.map(|lookup| lookup.unit), Some(3));
    choose(&mut window, "Image unit of image", "None");
    assert!(scene(&mut window).images[0].unit.is_none());
    // An image needs a texture unit or an image unit.
    choose(&mut window, "Texture unit of image", "None");
    assert!(window.state().notices.iter().any(|n| n.text.contains("This change is not possible")));
    window.state().notices.clear();
    assert_eq!(scene(&mut window).images[0].lookup.map(|lookup| lookup.unit), Some(3));
    click(&mut window, "Remove image image");
    assert!(scene(&mut window).images.is_empty());
    window.run(Command::Undo);
    window.settle();
    assert_eq!(scene(&mut window).images.len(), 1);
}

#[test]
fn a_nan_stays_until_another_number_is_typed() {
    let mut window = with_program(
        "!!NVfp5.0\nPARAM tint = program.local[0];\nBUFFER4 table[] = { program.buffer[0] };\n\
         ADD result.color, table[0], tint;\nEND\n",
    );
    window.act(Action::Show(Pane::Inputs));
    window.act(Action::ShowText(Part::Scene));
    let text =
        |window: &mut Window| window.state().document().expect("a program").scene_text().text().to_owned();
    let more = "[parameters]\n\"p[0]\" = [nan, 0, 0, 1]\n\n[[buffer]]\nname = \"log\"\nsize = 64\nfill = nan\n\
                bind = \"fragment.buffer[0]\"\n";
    let written = format!("{}\n{more}", text(&mut window));
    window.set_text(&written);
    window.harness.run_steps(5);
    window.settle();
    // The buffer is new, so its controls are visible. They keep the text as it is.
    assert_eq!(text(&mut window), written);
    for (label, number) in
        [("Number of log", "0"), ("Number of log", "-0"), ("p[0].x", "0"), ("p[0].x", "-0")]
    {
        type_over(&mut window, label, number);
        window.harness.key_press(egui::Key::Enter);
        window.harness.run_steps(2);
        window.settle();
    }
    let text = text(&mut window);
    assert!(text.contains("fill = -0.0\n") && text.contains("[-0.0, 0, 0, 1]"), "{text}");
}
