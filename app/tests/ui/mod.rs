//! Tests of the app in a headless window: user actions and their effects. Each subject has a module. This
//! file has the shared helpers.

mod blending;
mod buffers;
mod comparing;
mod debugging;
mod documents;
mod dragging;
mod edited;
mod editing;
mod explain;
mod exporting;
mod files;
mod flow;
mod formats;
mod inputs;
mod lessons;
mod lines;
mod loading;
mod lookups;
mod maps;
mod memory;
mod names;
mod picture;
mod preferences;
mod primitives;
mod programs;
mod recovery;
mod scene_text;
mod shell;
mod time;
mod traced;
mod typing;
mod values;
mod versions;
mod vertices;
mod watching;

use crate::support::Window;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::scene::Slot;
use shadestep::settings::Pane;
use shadestep::theme::ThemeChoice;
use std::path::{Path, PathBuf};

const SIZE: [f32; 2] = [1280.0, 800.0];

const STEPS: &str = "!!FP1.0\nDECLARE tint = {0.25, 0.5, 0.75, 1};\nMOVR R0, f[TEX0];\nMULR R1, R0, tint;\nADDR R1.x, R1.x, R0.y;\nMOVR o[COLR], R1;\nEND\n";

/// A vertex program that shows c[20]. If CLIP_PLANE0 is enabled, the program clips the left half.
const CLIPPED: &str = "!!VP2.0\nDP4 o[HPOS].x, c[0], v[OPOS];\nDP4 o[HPOS].y, c[1], v[OPOS];\nDP4 o[HPOS].z, c[2], v[OPOS];\nDP4 o[HPOS].w, c[3], v[OPOS];\nMOV o[CLP0].x, v[OPOS].x;\nMOV o[COL0], c[20];\nEND\n";

fn window() -> Window {
    Window::open(SIZE, ThemeChoice::Dark)
}

fn with_program(text: &str) -> Window {
    let mut window = window();
    window.run(Command::New);
    window.settle();
    window.set_text(text);
    window
}

fn with_vertex_program(text: &str) -> Window {
    let mut window = window();
    window.run(Command::NewVertex);
    window.settle();
    window.set_text(text);
    window.act(Action::Show(Pane::Inputs));
    window.harness.run_steps(3);
    window
}

/// Writes a scene with a vertex program and a fragment program. Returns the folder.
fn scene_folder(name: &str, vertex: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = "title = \"Both\"\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n";
    for (file, text) in [("scene.toml", scene), ("main.vp", vertex), ("main.fp", STEPS)] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn open_scene(window: &mut Window, folder: &Path) {
    window.act(Action::Open(folder.join("scene.toml")));
    window.until("it is open", |state| state.document().is_some_and(|d| d.scene.title == "Both"));
    window.settle();
}

/// Returns the slot of the active program.
fn front(window: &mut Window) -> Slot {
    window.state().document().expect("a program").active_slot()
}

fn problems(window: &Window) -> Vec<String> {
    let nodes = window
        .harness
        .query_all_by(|node| node.label().is_some_and(|label| label.starts_with("Problem at ")));
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

/// Returns the exact colour of a pixel in the shown picture.
fn pixel(window: &mut Window, at: [u32; 2]) -> [f32; 4] {
    let document = window.state().document().expect("a program");
    document.shown.as_ref().expect("a picture").frame.pixel(at).expect("within the picture").color
}
