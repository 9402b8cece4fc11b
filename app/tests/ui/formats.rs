//! Panels with integer textures, integer attachments, and instances.

use super::{open_scene, problems, window};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::Action;
use shadestep::scene::SceneEdit;
use shadestep::settings::Pane;
use shadestep_engine::debug::Subject;
use shadestep_engine::pipeline::ColorFormat;
use std::path::PathBuf;

/// Opens a scene of three instances of a point, each at its own pixel. Each point shows a texel of integers.
fn open(name: &str, toml: &str) -> (Window, PathBuf) {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = format!(
        "title = \"Both\"\nsize = [4, 4]\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n[geometry]\n\
         primitive = \"POINTS\"\ninstances = 3\n[[attribute]]\nindex = 0\nsize = 2\nvalues = [0, 0.25, 0, 0.75]\n{toml}"
    );
    let vertex = "!!NVvp4.0\nTEMP t;\nI2F t, vertex.instance.x;\nMAD t.x, t.x, 0.5, -0.75;\n\
                  MOV result.position, vertex.position;\nMOV result.position.x, t.x;\nEND\n";
    let fragment = "!!NVfp4.0\nINT TEMP at;\nMOV.S at, 0;\nTXF.U result.color, at, texture[0], 2D;\nEND\n";
    for (file, text) in [("scene.toml", &*scene), ("main.vp", vertex), ("main.fp", fragment)] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let mut window = window();
    open_scene(&mut window, &folder);
    (window, folder)
}

const INTEGERS: &str = "[[texture]]\nunit = 0\nformat = \"R32UI\"\nsize = [1, 1]\nvalues = [4294967295]\n\
                        [[attachment]]\nformat = \"RGBA32UI\"\n";

#[test]
fn integers_are_read_in_full_and_what_is_shown_of_them_is_said() {
    let (mut window, folder) = open("integers", INTEGERS);
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    window.harness.get_by_label("RGBA32UI").hover();
    window.harness.run_steps(40);
    window.harness.get_by_label_contains("the low eight bits of each component are shown");
    window.harness.get_by_label("Texture format");
    window.act(Action::Pick(Subject::Pixel([0, 2])));
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.subject() == Subject::Pixel([0, 2]))
    });
    window.settle();
    window.harness.get_by_label("4294967295");
    assert!(problems(&window).is_empty());
    // Sets another format, as the list in the State section does.
    window.act(Action::EditScene(SceneEdit::Attachment(0, ColorFormat::Rgba8Ui)));
    window.settle();
    let document = window.state().document().expect("a scene");
    let frame = &document.shown.as_ref().expect("a picture").frame;
    let pixel = frame.pixel([0, 2]).expect("within the picture");
    assert_eq!((pixel.format, pixel.color.map(f32::to_bits)), (ColorFormat::Rgba8Ui, [255, 0, 0, 1]));
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_texture_that_is_not_complete_is_a_problem_at_its_place() {
    let (mut window, folder) = open(
        "incomplete",
        &format!("{INTEGERS}[[texture]]\nunit = 1\nimage = \"builtin:xor\"\nmipmaps = \"none\"\n"),
    );
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    let found = problems(&window);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("line 20, column 1 in scene.toml: The texture is incomplete"), "{found:?}");
    window.harness.get_by_label("incomplete");
    let document = window.state().document().expect("a scene");
    assert_eq!(document.error_count(), 0, "it is a warning");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_instance_looked_at_is_chosen() {
    let (mut window, folder) = open("instances", INTEGERS);
    window.act(Action::Show(Pane::Vertices));
    window.settle();
    window.harness.get_by_label("of 3, from 0");
    let place = |window: &mut Window, element: u32| {
        let state = window.state();
        let id = state.document().expect("a scene").id;
        let vertex = state.stepping.vertices.list(id).and_then(|list| list.get(element)).expect("a vertex");
        vertex.window.expect("in view")
    };
    assert_eq!(place(&mut window, 1), [0.5, 3.5, 0.5]);
    window.act(Action::ShowInstance(2));
    window.settle();
    assert_eq!(place(&mut window, 1), [2.5, 3.5, 0.5]);
    window.act(Action::Pick(Subject::Vertex(1)));
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.vertex().is_some())
    });
    window.settle();
    let stepped = |window: &mut Window| {
        let session = window.state().stepping.session.as_ref().expect("something is stepped through");
        session.vertex().expect("a vertex").vertex.window
    };
    assert_eq!(stepped(&mut window), Some([2.5, 3.5, 0.5]));
    window.harness.get_by_label("instance 2");
    // Another instance of the same vertex.
    window.act(Action::ShowInstance(1));
    window.settle();
    assert_eq!(stepped(&mut window), Some([1.5, 3.5, 0.5]));
    // A fragment leads to a vertex of the same instance.
    window.act(Action::Pick(Subject::Pixel([0, 2])));
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.subject() == Subject::Pixel([0, 2]))
    });
    window.settle();
    window.harness.get_by_label("Instance 0, interpolated from");
    window.harness.get_by_label("Vertex 0").click();
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.subject() == Subject::Vertex(0))
    });
    window.settle();
    assert_eq!(stepped(&mut window), Some([0.5, 2.5, 0.5]));
    // With fewer instances, the debugger shows the last remaining instance.
    window.act(Action::ShowInstance(2));
    window.act(Action::EditScene(SceneEdit::Instances(1)));
    window.settle();
    assert_eq!(window.state().document().expect("a scene").instance(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}
