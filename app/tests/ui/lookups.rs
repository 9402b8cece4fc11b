//! Details of texture lookups, the pixels of a quad side by side, and the history of a pixel.

use crate::support::Window;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::{Looked, Subject};
use shadestep_engine::texture::Found;
use std::path::{Path, PathBuf};

/// A temporary folder with a scene. Dropping the value deletes the folder.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str, scene: &str, program: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("shadestep-ui-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("scene.toml"), scene).expect("a file");
        std::fs::write(folder.join("main.fp"), program).expect("a file");
        Self(folder)
    }

    fn open(&self, size: [f32; 2], choice: ThemeChoice) -> Window {
        let mut window = Window::open(size, choice);
        window.act(Action::Open(self.0.join("scene.toml")));
        window.until("it is open", |state| state.document().is_some_and(|d| d.scene.title == "Looked up"));
        window.settle();
        window
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

fn pick(window: &mut Window, pixel: [u32; 2]) {
    window.act(Action::Pick(Subject::Pixel(pixel)));
    window.until("the pixel is recorded", |state| {
        state.pending.record.is_none()
            && state.stepping.session.as_ref().is_some_and(|s| s.pixel() == Some(pixel))
    });
    window.harness.run_steps(4);
}

/// Returns the labels that begin with `start`.
fn labels(window: &Window, start: &str) -> Vec<String> {
    let found = window.harness.query_all_by_label_contains(start);
    let words = found.filter_map(|node| {
        let node = node.accesskit_node();
        node.label().or_else(|| node.value())
    });
    words.filter(|words| words.starts_with(start)).collect()
}

/// Saves a picture of the window in the folder `SHADESTEP_PICTURES`, if the variable is set.
fn keep_picture(window: &mut Window, name: &str) {
    let Some(folder) = std::env::var_os("SHADESTEP_PICTURES") else { return };
    window.harness.run_steps(3);
    let picture = window.harness.render().expect("the CPU renderer renders");
    picture.save(Path::new(&folder).join(format!("{name}.png"))).expect("the picture can be written");
}

/// A scene with a texture of four texels. Red is 0.2 and 0.4 in the lower row, and 0.6 and 0.8 in the upper
/// row.
const TEXELS: &str = "title = \"Looked up\"
size = [64, 64]
[program]
fragment = \"main.fp\"
[[texture]]
unit = 0
values = [0.2, 0, 0, 1, 0.4, 0, 0, 1, 0.6, 0, 0, 1, 0.8, 0, 0, 1]
format = \"RGBA32F\"
size = [2, 2]
wrap = \"CLAMP_TO_EDGE\"
min_filter = \"LINEAR\"
mag_filter = \"LINEAR\"
mipmaps = \"none\"
";

const LOOK: &str = "!!FP1.0\nTEX R0, f[TEX0], TEX0, 2D;\nDDX R1, R0;\nMOVR o[COLR], R0;\nEND\n";

#[test]
fn a_lookup_is_opened_up() {
    let scene = Scene::new("lookup", TEXELS, LOOK);
    let mut window = scene.open([1440.0, 1500.0], ThemeChoice::Dark);
    window.run(Command::LayoutDebug);
    pick(&mut window, [32, 32]);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let Some(Looked::Up(trace)) = session.lookup().map(|step| step.looked.clone()) else {
        panic!("a lookup")
    };
    let Found::Filtered { probes, .. } = &trace.found else { panic!("filtered") };
    // s = 32.5 / 64 and u = 1.015625, so both fractions are 0.515625.
    assert_eq!(probes[0].levels[0].weights, [0.515_625, 0.515_625, 0.0]);
    // The labels show each texel with its red component, and the four pixels.
    for (texel, red) in [("0, 0", "0.2"), ("1, 0", "0.4"), ("0, 1", "0.6"), ("1, 1", "0.8")] {
        let found = labels(&window, &format!("{texel}: {red}"));
        assert_eq!(found.len(), 1, "{texel}: {found:?}");
    }
    assert_eq!(labels(&window, "λ: "), ["λ: -5"], "2 texels over 64 pixels");
    window.harness.get_by_label("Level 0 of the texture with the texels read");
    for pixel in ["32, 32: ", "33, 32: ", "32, 33: ", "33, 33: "] {
        assert_eq!(labels(&window, pixel).len(), 2, "what each has, and what is read of each: {pixel}");
    }
    assert_eq!(labels(&window, "d/dx: 0.015625  0").len(), 2, "as a fact and as a difference");
    keep_picture(&mut window, "lookup-dark");
    window.run(Command::StepForward);
    window.harness.run_steps(4);
    assert_eq!(labels(&window, "d/dx: ").len(), 1, "the difference that DDX takes");
    assert!(labels(&window, "λ: ").is_empty());
    keep_picture(&mut window, "ddx-dark");
    let mut window = scene.open([1440.0, 1500.0], ThemeChoice::Light);
    window.run(Command::LayoutDebug);
    pick(&mut window, [32, 32]);
    keep_picture(&mut window, "lookup-light");
}

/// The result in a lookup's trace equals the result of the step.
#[test]
fn lookups_of_samples_are_opened_up() {
    // Covers cube maps, explicit derivatives, RECT, layers, depth comparison, and levels.
    for name in ["24-ray-traced", "14-facets", "15-txd", "16-rect", "83-layers", "71-tide"] {
        let mut window = Window::open([1440.0, 1500.0], ThemeChoice::Light);
        window.act(Action::OpenSample(name));
        window.until("the sample is open", |state| state.document().is_some_and(|d| d.scene.name == name));
        window.settle();
        window.run(Command::LayoutDebug);
        pick(&mut window, [250, 250]);
        let session = window.state().stepping.session.as_mut().expect("recorded");
        while session.current_step().is_some_and(|step| step.texture.is_none()) {
            session.step(shadestep::stepping::Direction::Forward);
        }
        let looked = session.lookup().map(|step| step.looked.clone());
        window.harness.run_steps(4);
        keep_picture(&mut window, name);
        let Some(Looked::Up(trace)) = looked else { panic!("{name}: {looked:?}") };
        let step = window
            .state()
            .stepping
            .session
            .as_ref()
            .and_then(|session| session.current_step())
            .expect("a lookup");
        for c in (0..4).filter(|c| step.computed >> c & 1 != 0) {
            assert_eq!(step.result[c], u64::from(trace.result[c].to_bits()), "{name}");
        }
        assert!(!labels(&window, "given: ").is_empty(), "{name}");
    }
}

/// A program that discards the left half.
const KILLS: &str =
    "!!FP1.0\nSUBRC RC.x, f[TEX0], 0.5;\nKIL LT.x;\nTEX R0, f[TEX0], TEX0, 2D;\nMOVR o[COLR], R0;\nEND\n";

#[test]
fn killed_pixels_of_the_quad_are_told() {
    // s is less than 0.5 for pixels 0 to 30 of 63. Pixel 31 is in the middle (31.5 / 63), and is not
    // discarded.
    let scene = Scene::new("killed", &TEXELS.replace("[64, 64]", "[63, 64]"), KILLS);
    let mut window = scene.open([1440.0, 1500.0], ThemeChoice::Dark);
    window.run(Command::LayoutDebug);
    pick(&mut window, [31, 10]);
    window.act(Action::Seek(2));
    window.harness.run_steps(4);
    let explained = "Discarded pixels continue only for derivatives.";
    window.harness.get_by_label(explained);
    keep_picture(&mut window, "killed-dark");
    // No pixel is to the right of the last column.
    pick(&mut window, [62, 10]);
    window.harness.run_steps(4);
    assert!(window.harness.query_by_label(explained).is_none());
    window.harness.get_by_label("Helpers are not covered by the primitive. They run only for derivatives.");
}

/// A scene with three overlapping triangles at the depths 0.5, 0.75 and 0.25.
const LAYERS: &str = "title = \"Looked up\"
size = [32, 32]
[program]
vertex = \"main.vp\"
fragment = \"main.fp\"
[geometry]
primitive = \"TRIANGLES\"
[[attribute]]
index = 0
size = 3
values = [-1, -1, 0, 3, -1, 0, -1, 3, 0, -1, -1, 0.5, 3, -1, 0.5, -1, 3, 0.5, -1, -1, -0.5, 3, -1, -0.5, -1, 3, -0.5]
[[attribute]]
index = 3
size = 4
values = [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0.5, 0, 1, 0, 0.5, 0, 1, 0, 0.5, 0, 0, 1, 0.25, 0, 0, 1, 0.25, 0, 0, 1, 0.25]
[depth]
func = \"LESS\"
[state]
blend = { src = \"SRC_ALPHA\", dst = \"ONE_MINUS_SRC_ALPHA\" }
";

fn history_scene() -> Scene {
    let scene = Scene::new("history", LAYERS, "!!NVfp4.0\nMOV result.color, fragment.color;\nEND\n");
    let vertex = "!!NVvp4.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n";
    std::fs::write(scene.0.join("main.vp"), vertex).expect("a file");
    scene
}

#[test]
fn the_history_of_a_pixel_has_every_fragment_and_why_it_was_not_drawn() {
    let scene = history_scene();
    for (choice, name) in [(ThemeChoice::Dark, "history-dark"), (ThemeChoice::Light, "history-light")] {
        let mut window = scene.open([1440.0, 1500.0], choice);
        window.run(Command::LayoutDebug);
        pick(&mut window, [16, 16]);
        let fragments =
            window.state().stepping.session.as_ref().and_then(|s| s.fragments()).expect("a pixel");
        assert!(fragments.len() >= 2, "{} fragments", fragments.len());
        window.harness.get_by_label("History").click();
        window.harness.run_steps(30);
        window.harness.get_by_label("Clear");
        keep_picture(&mut window, name);
        let rejected = labels(&window, "Fragment 2: ");
        assert_eq!(rejected, ["Fragment 2: depth test failed"]);
        window.harness.get_by_label("Fragment 2: depth test failed").click();
        window.harness.run_steps(30);
        assert_eq!(window.state().stepping.session.as_ref().map(|session| session.selected()), Some(1));
        assert_eq!(labels(&window, "Not drawn: the depth test needs LESS").len(), 1);
        keep_picture(&mut window, &format!("{name}-rejected"));
    }
}
