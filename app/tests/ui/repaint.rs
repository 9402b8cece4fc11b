//! Painting only what has changed gives the same pixels as painting everything.

use super::support::Window;
use super::support::cpu_renderer::{Canvas, CpuRenderer};
use egui::{Key, Modifiers};
use egui_kittest::TestRenderer as _;
use shadestep::app::Running;
use shadestep::command::{Action, Command};
use shadestep::repaint::{Area, Change, Screen, Shown};
use shadestep::shell::Pane;
use shadestep::theme::ThemeChoice;
use std::sync::{Arc, Mutex};

const SIZE: [f32; 2] = [720.0, 480.0];

/// How much of a frame was painted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Painted {
    /// Of all pixels.
    share: f64,
    /// Shapes painted, of how many.
    shapes: [usize; 2],
}

/// Paints every frame on the one before, and as a whole.
struct Both {
    shown: Shown,
    renderer: CpuRenderer,
    kept: Canvas,
    frames: Arc<Mutex<Vec<Painted>>>,
}

impl egui::Plugin for Both {
    fn debug_name(&self) -> &'static str {
        "both"
    }

    fn output_hook(&mut self, ctx: &egui::Context, output: &mut egui::FullOutput) {
        let scale = output.pixels_per_point;
        let size = ctx.viewport_rect().size();
        let [width, height] = [size.x, size.y].map(|side| (side * scale).round() as usize);
        self.renderer.handle_delta(&mut output.textures_delta.clone());
        let screen = Screen { size, pixels_per_point: scale };
        let change = self.shown.replace(screen, output.shapes.clone(), &output.textures_delta);

        let some = self.shown.within(&change);
        let areas = match &change {
            Change::Everything => {
                self.kept = Canvas::new(width, height);
                vec![Area { x: 0..width as i32, y: 0..height as i32 }]
            }
            Change::Areas(areas) => areas.clone(),
        };
        let mut pixels = 0;
        for Area { x, y } in areas {
            let [x, y] = [x, y].map(|range| range.start as usize..range.end as usize);
            pixels += x.len() * y.len();
            for row in y {
                self.kept.pixels[row * width..][x.clone()].fill([0.0; 4]);
            }
        }
        let shapes = [some.len(), output.shapes.len()];
        self.renderer.paint(&mut self.kept, ctx, some, scale).expect("it can be painted");
        let mut frames = self.frames.lock().expect("nobody panicked");
        // What is wrong stays so for some frames: not each of them has to be looked at.
        if frames.len() % 3 == 2 {
            let mut whole = Canvas::new(width, height);
            let all = self.shown.within(&Change::Everything);
            self.renderer.paint(&mut whole, ctx, all, scale).expect("it can be painted");
            if let Some(at) = self.kept.pixels.iter().zip(&whole.pixels).position(|(a, b)| a != b) {
                let (x, y) = (at % width, at / width);
                panic!("frame {}: pixel {x}, {y} after {change:?}", frames.len());
            }
        }
        frames.push(Painted { share: pixels as f64 / (width * height) as f64, shapes });
    }
}

/// The app in a window that is painted both ways, and how much of its frames was.
fn window() -> (Window, Arc<Mutex<Vec<Painted>>>) {
    let frames = Arc::default();
    let (shown, renderer, kept) = (Shown::default(), CpuRenderer::default(), Canvas::default());
    let both = Both { shown, renderer, kept, frames: Arc::clone(&frames) };
    let mut window = Window::build(None, SIZE, ThemeChoice::Dark, None, |ctx| ctx.add_plugin(both));
    window.settle();
    (window, frames)
}

/// What was painted of the frames that `act` makes.
fn painted(window: &mut Window, frames: &Mutex<Vec<Painted>>, act: impl FnOnce(&mut Window)) -> Vec<Painted> {
    let before = frames.lock().expect("nobody panicked").len();
    act(window);
    frames.lock().expect("nobody panicked")[before..].to_vec()
}

/// Things a person does all over the window.
fn use_it(window: &mut Window) {
    for at in [[30.0, 20.0], [80.0, 20.0], [100.0, 200.0], [500.0, 150.0], [600.0, 400.0], [360.0, 470.0]] {
        window.harness.hover_at(at.into());
        window.harness.run_steps(2);
    }
    for at in [[60.0, 20.0], [100.0, 20.0], [300.0, 120.0]] {
        window.harness.drag_at(at.into());
        window.harness.drop_at(at.into());
        window.harness.run_steps(3);
    }
    window.harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::P);
    window.harness.run_steps(3);
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(3);
    window.set_text("!!FP1.0\nMOVR R0, f[TEX0];\nMOVR o[COLR] R0;\nEND\n");
    window.harness.run_steps(2);
    window.set_text("!!FP1.0\nMOVR R0, f[TEX0];\nMOVR o[COLR], R0;\nEND\n");
    // A selection is painted with the text, beyond its glyphs, too.
    window.set_text("!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n\n\n\n\n");
    window.harness.drag_at([150.0, 120.0].into());
    window.harness.drop_at([150.0, 120.0].into());
    window.harness.run_steps(3);
    for (modifiers, key) in [
        (Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::End),
        (Modifiers::NONE, Key::ArrowLeft),
        (Modifiers::COMMAND, Key::A),
        (Modifiers::NONE, Key::ArrowRight),
    ] {
        window.harness.key_press_modifiers(modifiers, key);
        window.harness.run_steps(3);
    }
    window.act(Action::PickPixel([8, 8]));
    window.settle();
    for command in [Command::StepForward, Command::StepForward, Command::StepBack] {
        window.run(command);
        window.harness.run_steps(2);
    }
    window.act(Action::Show(Pane::Problems));
    window.harness.run_steps(3);
}

#[test]
fn every_frame_has_the_pixels_that_it_has_when_painted_as_a_whole() {
    let (mut window, frames) = window();
    let all = painted(&mut window, &frames, use_it);
    let few = all.iter().filter(|painted| painted.share < 0.5).count();
    assert!(few > all.len() / 2, "most frames need little: {all:?}");
}

#[test]
fn so_have_frames_after_another_size_and_theme() {
    let (mut window, frames) = window();
    window.harness.set_size([800.0, 500.0].into());
    let resized = painted(&mut window, &frames, |window| window.harness.run_steps(3));
    assert_eq!(resized[0].share, 1.0);
    window.harness.set_pixels_per_point(1.5);
    let scaled = painted(&mut window, &frames, |window| window.harness.run_steps(3));
    assert_eq!(scaled[0].share, 1.0);
    // What stays in its place in points has moved in pixels.
    for at in [[30.0, 20.0], [500.0, 150.0], [600.0, 400.0]] {
        window.harness.hover_at(at.into());
        window.harness.run_steps(3);
    }
    window.run(Command::ToggleTheme);
    window.harness.run_steps(3);
    window.harness.hover_at([100.0, 200.0].into());
    window.harness.run_steps(3);
}

#[test]
fn a_picture_that_moves_is_all_that_is_painted() {
    let (mut window, frames) = window();
    window.state().clock.running = Running::Yes;
    window.harness.run_steps(3);
    let moving = painted(&mut window, &frames, |window| {
        let mut pictures = 0;
        let mut last = 0;
        window.until("there are ten pictures", |state| {
            let shown = state.document().and_then(|document| document.shown.as_ref());
            let generation = shown.map_or(0, |shown| shown.generation);
            pictures += u32::from(generation != last);
            last = generation;
            pictures > 10
        });
    });
    let [most, shapes] = moving.iter().fold([0.0, 0.0], |[share, shapes]: [f64; 2], painted| {
        let [some, all] = painted.shapes.map(|count| count as f64);
        [share.max(painted.share), shapes.max(some / all)]
    });
    assert!(most < 0.3 && shapes < 0.1, "{most} of the pixels, {shapes} of the shapes");
}
