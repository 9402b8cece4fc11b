//! Stepping through fragments, the debugger panel, and breakpoints.

use super::{STEPS, pixel, with_program};
use egui::{Key, Modifiers};
use egui_kittest::kittest::NodeT as _;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::session::{Agreement, MAX_FRAGMENTS_KEPT, PixelStatus};
use shadestep::settings::Pane;
use shadestep::state::Running;
use shadestep_engine::debug::Subject;
use shadestep_engine::ir::{single_bits, singles};

#[test]
fn a_clicked_pixel_can_be_stepped_both_ways() {
    let mut window = with_program(STEPS);
    let picture = window.harness.get_by_label("Rendered picture").rect();
    window.harness.get_by_label("Rendered picture").click();
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let state = window.state();
    assert!(state.settings.layout.is_shown(Pane::Debugger));
    let session = state.stepping.session.as_ref().expect("recorded");
    assert!(picture.width() > 50.0);
    let pixel = session.pixel().expect("a pixel");
    // Messages take space above the picture, so the middle of the panel is up to half that space lower.
    let [x, y] = pixel;
    assert!((254..=257).contains(&x) && (254..=290).contains(&y), "{pixel:?} is not the middle of the panel");
    assert_eq!((session.position(), session.len()), (0, 4));
    assert_eq!(session.agreement(), Some(Agreement::Same));
    assert_eq!(session.current_line(), Some(2));
    let initial = session.state().expect("a state").clone();
    for key in [Key::F11, Key::F11, Key::F10] {
        window.harness.key_press(key);
        window.harness.step();
    }
    let session = window.state().stepping.session.as_ref().expect("still there");
    assert_eq!((session.position(), session.current_line()), (3, Some(5)));
    // By hand: s = (x + 0.5) / 512, t = (y + 0.5) / 512, and R1.x = s * 0.25 + t.
    let r1 = session.state().expect("a state").temporaries[1];
    let [s, t] = pixel.map(|c| (c as f32 + 0.5) / 512.0);
    assert_eq!(singles(r1), [s * 0.25 + t, t * 0.5, 0.0, 1.0]);
    for _ in 0..3 {
        window.harness.key_press_modifiers(Modifiers::SHIFT, Key::F11);
        window.harness.step();
    }
    let session = window.state().stepping.session.as_ref().expect("still there");
    assert_eq!(session.position(), 0);
    assert_eq!(session.state(), Some(&initial), "back at the start, everything is as it was");
}

#[test]
fn the_stepped_result_is_the_stored_pixel() {
    let mut window = with_program(STEPS);
    window.act(Action::Pick(Subject::Pixel([17, 401])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.run(Command::ToEnd);
    let stored = single_bits(pixel(&mut window, [17, 401]));
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert_eq!(session.position(), session.len());
    assert_eq!(session.recording().expect("a fragment").color, stored);
    assert!(window.state().stepping.session.as_ref().is_some_and(|s| s.current_step().is_none()));
}

/// Returns the text and the rectangle of the row of register `name`.
fn row(window: &crate::support::Window, name: &str) -> (String, egui::Rect) {
    let start = format!("{name}: ");
    let found = window.harness.query_all_by_label_contains(start.as_str()).next();
    let node = found.unwrap_or_else(|| panic!("no row {name}"));
    let words = node.accesskit_node().label().or_else(|| node.accesskit_node().value());
    (words.unwrap_or_default(), node.rect())
}

/// Returns a program with 16 registers, more than fit in the panel with the stages. The last instruction
/// before the output writes the last register.
fn many_registers() -> String {
    let moves: String = (0..16).map(|n| format!("MOVR R{n}, f[TEX0];\n")).collect();
    format!("!!FP1.0\n{moves}MULRC R15, R15, 0.3;\nMOVR o[COLR], R15;\nEND\n")
}

const SMALL_SIZES: [[f32; 2]; 3] = [[1024.0, 700.0], [720.0, 450.0], [512.0, 350.0]];

fn stepping_at(size: [f32; 2], text: &str) -> crate::support::Window {
    let mut window = crate::support::Window::open(size, shadestep::theme::ThemeChoice::Dark);
    window.run(Command::New);
    window.settle();
    window.set_text(text);
    window.act(Action::Pick(Subject::Pixel([17, 401])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.harness.run_steps(3);
    window
}

#[test]
fn the_register_that_a_step_touches_comes_into_view() {
    let mut window = stepping_at([1024.0, 700.0], &many_registers());
    let codes = row(&window, "Condition code").1;
    let hidden = row(&window, "R15").1;
    let foot = 700.0 - shadestep::theme::STATUS_BAR_HEIGHT;
    assert!(hidden.top() >= foot, "{hidden:?}: the registers fit, this tests nothing");
    window.act(Action::Seek(16));
    window.harness.run_steps(30);
    let shown = row(&window, "R15").1;
    assert!(shown.bottom() <= foot && shown.top() >= codes.bottom(), "{shown:?} below {codes:?}");
    assert_eq!(row(&window, "Condition code").1, codes, "condition codes stay where they are");
    // The value after the step is above the stages of its computation.
    let (after, computed) = (row(&window, "after"), row(&window, "result"));
    assert!(after.1.bottom() <= computed.1.top() && after.1.bottom() <= foot);
    window.act(Action::Seek(0));
    window.harness.run_steps(30);
    assert!(row(&window, "R0").1.top() >= codes.bottom() && row(&window, "R0").1.bottom() <= foot);
}

#[test]
fn the_format_can_be_switched_in_any_window() {
    for size in SMALL_SIZES {
        let mut window = stepping_at(size, STEPS);
        for layout in [Command::ResetLayout, Command::LayoutDebug, Command::LayoutWrite, Command::LayoutLearn]
        {
            window.run(layout);
            window.act(Action::Show(Pane::Debugger));
            window.harness.run_steps(3);
            for scale in [1.0, 2.0] {
                window.harness.set_pixels_per_point(scale);
                window.harness.run_steps(3);
                let whole = window.harness.query_by_label("Hex").map(|node| node.rect());
                let switch = whole
                    .or_else(|| window.harness.query_by_label("Value format").map(|node| node.rect()))
                    .expect("a switch");
                let inside = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
                assert!(inside.contains_rect(switch), "{switch:?} at {size:?}, {layout:?}");
                if whole.is_some() {
                    let last = window.harness.get_by_label("Colour").rect();
                    assert!(inside.contains_rect(last), "{last:?} at {size:?}, {layout:?}");
                }
            }
        }
    }
}

#[test]
fn a_value_that_is_clicked_is_copied_in_full() {
    let mut window = stepping_at([1024.0, 700.0], STEPS);
    window.act(Action::Seek(1));
    window.harness.run_steps(30);
    let (words, rect) = row(&window, "R0");
    // f[TEX0].x at pixel 17 of 512, exact in fp32.
    assert!(words.starts_with("R0: 0.034179688  "), "{words}");
    // The first of four equal cells after the name and the tag.
    let x = egui::pos2(rect.left() + 100.0 + (rect.width() - 100.0) / 8.0, rect.center().y);
    window.harness.hover_at(x);
    window.harness.step();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        window.harness.event(egui::Event::PointerButton { pos: x, button, pressed, modifiers });
        window.harness.step();
    }
    let copied = window.harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(copied.as_deref(), Some("0.034179688"));
}

/// A program with an integer sum that wraps, and with a 64-bit register.
const TYPED: &str = "!!NVfp5.0
INT TEMP wrapped;
LONG TEMP precise;
MOV.S wrapped, { 2147483647, -1, 3, 0 };
ADD.S.CC0 wrapped.x, wrapped.x, 1;
CVT.F64.F32 precise, { 1.5, -2.0, 0.0, 0.25 };
MOV.S result.color, wrapped;
END
";

#[test]
fn registers_are_shown_as_what_they_were_written_or_as_what_is_chosen() {
    let mut window = stepping_at([1440.0, 900.0], TYPED);
    window.run(Command::ToEnd);
    window.harness.run_steps(3);
    assert_eq!(row(&window, "wrapped").0, "wrapped: -2147483648  -1  3  0");
    assert_eq!(row(&window, "precise").0, "precise: 1.5  -2  0  0.25");
    // Signed overflow sets O. No instruction wrote the other codes, so they have their initial value EQ.
    assert_eq!(row(&window, "CC0").0, "CC0: LT SO EQ Z EQ Z EQ Z");
    // 64-bit values take two lines.
    let (a, d) = (row(&window, "wrapped").1, row(&window, "precise").1);
    assert_eq!(d.height(), 2.0 * a.height());
    for (choice, values) in [
        ("Unsigned", "wrapped: 2147483648  4294967295  3  0"),
        ("Hex", "wrapped: 0x80000000  0xffffffff  0x00000003  0x00000000"),
        ("Float", "wrapped: -0  NaN  4e-45  0"),
        ("By type", "wrapped: -2147483648  -1  3  0"),
    ] {
        let tag = window.harness.get_by_label("Show wrapped as").rect().center();
        window.harness.hover_at(tag);
        window.harness.step();
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
            window.harness.event(egui::Event::PointerButton { pos: tag, button, pressed, modifiers });
            window.harness.step();
        }
        window.harness.run_steps(3);
        // The format switch for all registers has some of the same labels. It is farther to the right.
        let items = window.harness.query_all_by_label(choice).map(|node| node.rect());
        let item =
            items.min_by(|a, b| a.left().total_cmp(&b.left())).unwrap_or_else(|| panic!("no {choice}"));
        window.harness.hover_at(item.center());
        window.harness.step();
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
            let pos = item.center();
            window.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
            window.harness.step();
        }
        window.harness.run_steps(3);
        assert_eq!(row(&window, "wrapped").0, values, "{choice}");
        assert_eq!(row(&window, "precise").0, "precise: 1.5  -2  0  0.25", "the others stay as they are");
    }
}

#[test]
fn picking_another_pixel_keeps_the_view() {
    let mut window = with_program(STEPS);
    window.harness.run_steps(3);
    let mut view = window.state().view.zoom;
    view.zoom_in();
    view.zoom_in();
    view.pan(
        egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(400.0, 300.0)),
        [512, 512],
        egui::vec2(30.0, 20.0),
    );
    window.act(Action::SetZoom(view));
    for pixel in [[17, 401], [300, 20]] {
        window.act(Action::Pick(Subject::Pixel(pixel)));
        window.until("the pixel is recorded", |state| {
            state.pending.record.is_none()
                && state.stepping.session.as_ref().is_some_and(|s| s.pixel() == Some(pixel))
        });
        window.harness.run_steps(3);
        assert_eq!(window.state().view.zoom, view);
    }
}

/// Time and mouse change the run, but the debugger stays at the same pixel and step.
#[test]
fn what_is_looked_at_does_not_move_while_time_runs() {
    let mut window = super::window();
    window.act(Action::Pick(Subject::Pixel([40, 50])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.act(Action::Seek(7));
    let line = window.state().stepping.session.as_ref().and_then(|session| session.current_line());
    window.state().clock.running = Running::Yes;
    let mut pictures = std::collections::BTreeSet::new();
    window.until("five recordings have come", |state| {
        let session = state.stepping.session.as_ref().expect("recorded");
        assert_eq!((session.pixel(), session.position(), session.current_line()), (Some([40, 50]), 7, line));
        pictures.insert(session.request.generation);
        pictures.len() > 5
    });
}

#[test]
fn time_goes_on_after_the_debugger_and_in_the_next_sample() {
    let mut window = super::window();
    let open = |window: &mut crate::support::Window, name: &'static str| {
        window.act(Action::OpenSample(name));
        window.until("the sample is open", |state| state.document().is_some_and(|d| d.scene.name == name));
        window.settle();
    };
    let names: Vec<&str> = shadestep::scene::bundled().iter().map(|sample| sample.name).collect();
    let pick = |window: &mut crate::support::Window| {
        window.act(Action::Pick(Subject::Pixel([40, 50])));
        window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    };
    // A clock that the user stopped does not start again.
    pick(&mut window);
    window.run(Command::StopDebugging);
    assert_eq!(window.state().clock.running, Running::No);
    window.state().clock.running = Running::Yes;
    pick(&mut window);
    assert_eq!(window.state().clock.running, Running::Held, "the picture stays the one recorded");
    window.run(Command::StopDebugging);
    assert_eq!(window.state().clock.running, Running::Yes);
    pick(&mut window);
    window.act(Action::OpenSample(names[1]));
    window.until("the sample is open", |state| state.document().is_some_and(|d| d.scene.name == names[1]));
    assert_eq!(window.state().clock.running, Running::Yes, "another sample");
    window.act(Action::OpenSample(names[2]));
    window.until("the sample is open", |state| state.document().is_some_and(|d| d.scene.name == names[2]));
    assert_eq!(window.state().clock.running, Running::Yes, "as it was");
    pick(&mut window);
    window.run(Command::StepTime);
    window.run(Command::StopDebugging);
    assert_eq!(window.state().clock.running, Running::No, "stepping time stops it");
    open(&mut window, names[1]);
    assert_eq!(window.state().clock.running, Running::No);
}

/// Covers only the label of the verdict. Unit tests beside the code cover its tooltip.
#[test]
fn the_verdict_names_what_it_compared() {
    let mut window = with_program(STEPS);
    window.act(Action::Pick(Subject::Pixel([17, 401])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.harness.run_steps(3);
    window.harness.get_by_label("Matches the picture exactly");
    window.set_text("!!FP1.0\nSUBRC RC.x, f[TEX0], 0.5;\nKIL LT.x;\nMOVR o[COLR], f[TEX0];\nEND\n");
    window
        .until("it is recorded anew", |state| state.stepping.session.as_ref().is_some_and(|s| s.len() == 3));
    window.harness.run_steps(3);
    window.harness.get_by_label("Not written: nothing to compare");
}

/// A program that runs ADD floor(s * 8) times.
const ROUNDS: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP n, t;
MUL n.x, fragment.texcoord[0].x, 8;
MOV t, 0;
REP 255;
  SUBC n.x, n.x, 1;
  BRK (LT.x);
  ADD t, t, 0.125;
ENDREP;
MOV result.color, t;
END
";

#[test]
fn another_pixel_is_looked_at_from_the_same_instruction() {
    let mut window = with_program(ROUNDS);
    let pick = |window: &mut crate::support::Window, x: u32| {
        window.act(Action::Pick(Subject::Pixel([x, 3])));
        window.until("the pixel is recorded", |state| {
            state.pending.record.is_none()
                && state.stepping.session.as_ref().is_some_and(|s| s.pixel() == Some([x, 3]))
        });
        let session = window.state().stepping.session.as_ref().expect("recorded");
        (session.position(), session.current_line())
    };
    // s * 8 is 7.82 at pixel 500, 6.26 at 400, 1.57 at 100 and 0.16 at 10. The loop begins after 3 steps, and
    // an iteration has 4 steps.
    assert_eq!(pick(&mut window, 500), (0, Some(3)), "nothing was stepped through before");
    window.act(Action::Seek(3 + 4 * 4 + 2));
    assert_eq!(window.state().stepping.session.as_ref().expect("recorded").current_line(), Some(8));
    assert_eq!(pick(&mut window, 400), (21, Some(8)), "the fifth ADD");
    assert_eq!(pick(&mut window, 100), (5, Some(8)), "there is one only");
    assert_eq!(pick(&mut window, 10), (4, Some(7)), "no ADD: what is run before it");
    window.run(Command::ToEnd);
    assert_eq!(pick(&mut window, 500), (3 + 4 * 7 + 2 + 1, None), "from the end to the end");
}

/// Writes a scene of `triangles` equal triangles. Only the first passes the depth test.
fn scene_of_many(name: &str, triangles: usize, fragment: &str) -> std::path::PathBuf {
    let folder = super::scene_folder(name, "!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND\n");
    let scene = format!(
        "title = \"Both\"\nsize = [16, 16]\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n\
         [geometry]\nprimitive = \"TRIANGLES\"\nindices = [{}]\n[depth]\nfunc = \"LESS\"\n\
         [[attribute]]\nindex = 0\nsize = 3\nvalues = [-1, -1, 0,  3, -1, 0,  -1, 3, 0]\n",
        "0, 1, 2, ".repeat(triangles)
    );
    std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    std::fs::write(folder.join("main.fp"), fragment).expect("a file");
    folder
}

/// A program that runs to the step limit. The picture runs one fragment per pixel, because the depth test
/// rejects the others early. A recording runs all fragments of the pixel.
const ENDLESS: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP a;
MOV result.color, fragment.position;
REP 255;
REP 255;
ADD a, a, 1;
ENDREP;
ENDREP;
END
";

#[test]
fn every_fragment_of_a_pixel_with_more_than_are_kept_can_be_looked_at() {
    let count = MAX_FRAGMENTS_KEPT + 1000;
    let folder = scene_of_many("fragments", count, STEPS);
    let mut window = super::window();
    super::open_scene(&mut window, &folder);
    window.act(Action::Pick(Subject::Pixel([3, 3])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.run(Command::StepForward);
    for (wanted, outcome) in [
        (0, PixelStatus::Written),
        (count - 1, PixelStatus::DepthFailed),
        (count / 2, PixelStatus::DepthFailed),
        (0, PixelStatus::Written),
    ] {
        window.act(Action::SelectFragment(wanted));
        window.until("it is looked at", |state| {
            state.pending.record.is_none()
                && state.stepping.session.as_ref().is_some_and(|s| s.selected() == wanted)
        });
        let session = window.state().stepping.session.as_ref().expect("recorded");
        assert_eq!(session.fragments().map(|fragments| fragments.len()), Some(count));
        let fragment = session.fragment().expect("it is kept");
        assert_eq!((fragment.primitive as usize, fragment.outcome), (wanted, outcome));
        assert_eq!((session.position(), session.len()), (1, 4), "at the same instruction");
        assert_eq!(session.agreement(), Some(Agreement::Same));
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_recording_that_takes_long_is_stopped_or_gives_way_to_the_next() {
    // The recording takes minutes.
    let folder = scene_of_many("heavy", 5000, ENDLESS);
    let mut window = super::window();
    super::open_scene(&mut window, &folder);
    window.act(Action::Pick(Subject::Pixel([3, 3])));
    window.until("it is said", |state| state.records_long());
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Still recording…").is_some());
    window.harness.get_by_label("Stop").click();
    window.until("it has stopped", |state| !state.services.recorder.is_busy());
    window.harness.run_steps(3);
    let state = window.state();
    assert!(state.stepping.session.is_none() && state.pending.record.is_none(), "nothing is shown of it");
    assert!(window.harness.query_by_label("Still recording…").is_none());
    // The next request does not wait for the slow recording.
    window.act(Action::Pick(Subject::Pixel([3, 3])));
    window.until("it is under way", |state| {
        state.services.recorder.busy_for().is_some() && !state.services.recorder.has_waiting()
    });
    window.act(Action::Pick(Subject::Vertex(1)));
    window
        .until("the vertex is there", |s| s.stepping.session.as_ref().is_some_and(|d| d.vertex().is_some()));
    assert!(window.state().notices.iter().all(|notice| notice.kind != shadestep::state::NoticeKind::Error));
    let _ = std::fs::remove_dir_all(folder);
}

fn breakpoint_lines(window: &mut crate::support::Window) -> Vec<usize> {
    let document = window.state().document().expect("a program");
    document.active().breakpoints.keys().copied().collect()
}

#[test]
fn runs_stop_at_breakpoints_in_both_directions() {
    let mut window = with_program(STEPS);
    window.act(Action::Pick(Subject::Pixel([3, 3])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    // Presses F9 at the caret, and clicks the gutter at line 5.
    let offset = STEPS.find("MULR").expect("there is one");
    window.act(Action::Jump(shadestep_engine::source::Span::at(offset)));
    window.harness.run_steps(2);
    window.harness.key_press(Key::F9);
    window.harness.run_steps(2);
    let id = window.state().document().expect("a program").text_id();
    window.act(Action::ToggleBreakpoint(id, 5));
    assert_eq!(breakpoint_lines(&mut window), [3, 5]);
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
        lines.push(window.state().stepping.session.as_ref().expect("recorded").current_line());
    }
    assert_eq!(lines, [Some(3), Some(5), None, Some(5), Some(3), Some(2)]);
    window.run(Command::ToggleBreakpoint);
    assert_eq!(breakpoint_lines(&mut window), [5]);
    window.run(Command::ToCursor);
    assert_eq!(window.state().stepping.session.as_ref().expect("recorded").current_line(), Some(3));
}

#[test]
fn runs_stop_at_what_is_sought_in_both_directions() {
    let mut window = with_program(
        "!!FP1.0\nMOV R0, f[TEX0];\nRCP R1.x, {0}.x;\nTEX R2, f[TEX0], TEX0, 2D;\nMUL R1.y, R1.x, {0};\nMOV R0.x, {1};\nMOV o[COLR], R0;\nEND\n",
    );
    window.act(Action::Pick(Subject::Pixel([3, 3])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let mut at = Vec::new();
    for command in [
        Command::NextNotFinite,
        Command::NextNotFinite,
        Command::PreviousLookup,
        Command::PreviousNotFinite,
        Command::NextLookup,
    ] {
        window.run(command);
        at.push(window.state().stepping.session.as_ref().expect("recorded").position());
    }
    assert_eq!(at, [1, 3, 2, 1, 2]);
    assert_eq!(window.state().notices.len(), 0);
    // Uses the context menu of a register.
    for (label, position) in
        [("Next write to R0.x", 4), ("Previous write to R0.x", 0), ("Next write to R1.y", 3)]
    {
        window.harness.get_by_label("Show R0 as").click();
        window.harness.run_steps(3);
        if label.contains("R1") {
            window.harness.key_press(Key::Escape);
            window.harness.run_steps(3);
            window.harness.get_by_label("Show R1 as").click();
            window.harness.run_steps(3);
        }
        window.harness.get_by_label(label).click();
        window.harness.run_steps(3);
        assert_eq!(
            window.state().stepping.session.as_ref().expect("recorded").position(),
            position,
            "{label}"
        );
    }
    // No lookup follows, so the debugger stays at the step and shows a notice.
    window.run(Command::NextLookup);
    assert_eq!(window.state().stepping.session.as_ref().expect("recorded").position(), 3);
    let told = window.state().notices.last().map(|notice| notice.text.clone());
    assert_eq!(told.as_deref(), Some("No texture lookup after this step"));
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
        assert_eq!(breakpoints.keys().copied().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_pixel_is_recorded_anew_when_the_program_changes() {
    let mut window = with_program(STEPS);
    window.act(Action::Pick(Subject::Pixel([3, 3])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.run(Command::StepForward);
    window.set_text(&STEPS.replace("MULR R1, R0, tint;", "MULR R1, R0, tint;\nMOVR R2, R1;"));
    window
        .until("there is a step more", |state| state.stepping.session.as_ref().is_some_and(|s| s.len() == 5));
    assert_eq!(window.state().stepping.session.as_ref().expect("recorded").position(), 1);
}

/// Opens a scene of 4x4 pixels with four samples each, and steps through pixel (2, 1). A triangle covers the
/// part left of x = 2.5.
fn with_samples(name: &str, state: &str) -> (crate::support::Window, std::path::PathBuf) {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = format!(
        "title = \"Both\"\nsize = [4, 4]\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n\
         [geometry]\nprimitive = \"TRIANGLES\"\n[[attribute]]\nindex = \"OPOS\"\nsize = 2\n\
         values = [0.25, -50, 0.25, 50, -100, 0]\n[state]\nsamples = 4\n{state}\n"
    );
    for (file, text) in [
        ("scene.toml", scene.as_str()),
        ("main.vp", "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n"),
        ("main.fp", "!!ARBfp1.0\nMOV result.color, 1;\nEND\n"),
    ] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let mut window = super::window();
    super::open_scene(&mut window, &folder);
    window.act(Action::Pick(Subject::Pixel([2, 1])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.settle();
    (window, folder)
}

#[test]
fn the_samples_of_a_pixel_are_side_by_side() {
    let (mut window, folder) = with_samples("samples", "");
    // Samples 0 and 2 are at 3/8 and 1/8 of the pixel's width. Samples 1 and 3 are right of the middle.
    window.harness.get_by_label_contains("2 of 4 samples covered");
    for number in 0..4 {
        window.harness.get_by_label(&format!("Sample {number}"));
    }
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert_eq!(session.agreement(), Some(Agreement::Same));
    let samples = session.fragment().and_then(|fragment| fragment.samples.as_ref()).expect("several");
    let reds = |states: &[shadestep_engine::pipeline::SampleState]| -> Vec<f32> {
        states.iter().map(|sample| sample.color[0]).collect()
    };
    let clear = samples.before[0].color[0];
    assert_eq!((samples.coverage, reds(&samples.before)), (0b0101, vec![clear; 4]));
    assert_eq!(reds(&samples.after), [1.0, clear, 1.0, clear]);
    let _gone = std::fs::remove_dir_all(folder);
}

#[test]
fn a_sample_with_an_invocation_of_its_own_leads_to_it() {
    let (mut window, folder) = with_samples("sample-shading", "sample_shading = 1");
    window.harness.get_by_label_contains("Sample 2 of 4");
    window.harness.get_by_label("Sample 0").click();
    window.settle();
    window.harness.get_by_label_contains("Sample 0 of 4");
    let _gone = std::fs::remove_dir_all(folder);
}

/// Returns the labels that begin with `start`.
fn labels(window: &crate::support::Window, start: &str) -> Vec<String> {
    let nodes = window.harness.query_all_by_label_contains(start);
    let said = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        node.label().or_else(|| node.value())
    };
    nodes.filter_map(said).filter(|label| label.starts_with(start)).collect()
}

fn shows(window: &crate::support::Window, label: &str) -> bool {
    window.harness.query_all_by_label(label).next().is_some()
}

#[test]
fn attributes_of_vertices_and_constants_have_names_of_their_own() {
    let mut window = super::window();
    window.act(Action::OpenSample("101-silhouette"));
    window.until("it is open", |state| state.document().is_some_and(|d| d.scene.name == "101-silhouette"));
    window.settle();
    window.act(Action::Pick(Subject::Primitive { number: 0, invocation: 0 }));
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|s| s.primitive().is_some())
    });
    window.harness.run_steps(3);
    for corner in 0..6 {
        assert_eq!(labels(&window, &format!("corner[{corner}]: ")).len(), 1);
    }
    assert!(labels(&window, "constant").is_empty());
    let text = "!!FP1.0\nDEFINE third = 0.33;\nMOVR R0, {1, 0, 0, 1};\nMADR R0, R0, 0.5, third;\nADDR R0, R0, -2;\nMOVR o[COLR], R0;\nEND\n";
    let window = stepping_at([1440.0, 900.0], text);
    for (name, value) in
        [("{1, 0, 0, 1}", "1  0  0  1"), ("-2", "-2  0  0  0"), ("0.5; third", "0.5  0.33  0  0")]
    {
        assert_eq!(labels(&window, &format!("{name}: ")), [format!("{name}: {value}")]);
    }
    assert!(labels(&window, "constant").is_empty());
}

#[test]
fn sections_fold_away_and_stay_so() {
    let mut window = stepping_at([1440.0, 900.0], STEPS);
    window.run(Command::LayoutDebug);
    window.harness.run_steps(4);
    let hidden_with = [("Temporaries", "R0: "), ("Outputs", "o[COLR]: "), ("Operands", "swizzled: ")];
    for (section, row) in hidden_with {
        assert!(!labels(&window, row).is_empty(), "{row}");
        window.harness.get_by_label(section).click();
        window.harness.run_steps(4);
        assert!(labels(&window, row).is_empty(), "{row}");
    }
    // A collapsed section stays collapsed at another step and in another program.
    window.run(Command::StepForward);
    window.set_text(&many_registers());
    window
        .until("it is recorded anew", |state| state.stepping.session.as_ref().is_some_and(|s| s.len() == 18));
    window.harness.run_steps(4);
    assert!(labels(&window, "R3: ").is_empty());
    assert_eq!(window.state().settings.folded.len(), 3);
    window.harness.get_by_label("Temporaries").click();
    window.harness.run_steps(4);
    assert!(!labels(&window, "R3: ").is_empty());
}

/// Returns a program with many registers, then a call within a call.
fn calls() -> String {
    let moves: String = (0..20).map(|n| format!("MOV r{n}, fragment.texcoord[0];\n")).collect();
    let names: Vec<String> = (0..20).map(|n| format!("r{n}")).collect();
    let names = names.join(", ");
    format!(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP {names};\ninner:\nADD r0, r0, r1;\nRET;\nouter:\nCAL inner;\nRET;\n\
         main:\n{moves}REP 2;\nCAL outer;\nENDREP;\nMOV result.color, r0;\nEND\n"
    )
}

#[test]
fn calls_loops_and_the_quad_stay_in_sight() {
    let mut window = stepping_at([1280.0, 800.0], &calls());
    window.run(Command::LayoutDebug);
    // After the moves: REP, CAL outer, CAL inner, ADD.
    window.act(Action::Seek(23));
    window.harness.run_steps(30);
    let foot = 800.0 - shadestep::theme::STATUS_BAR_HEIGHT;
    let inner = labels(&window, "2  inner, returns to line ");
    let outer = labels(&window, "1  outer, returns to line ");
    assert_eq!((inner.len(), outer.len()), (1, 1));
    assert!(shows(&window, "4 of 4 run this step"));
    let rect = |window: &crate::support::Window, label: &str| window.harness.get_by_label(label).rect();
    let pinned = [inner[0].as_str(), outer[0].as_str(), "4 of 4 run this step"];
    let before = pinned.map(|label| rect(&window, label));
    let codes = row(&window, "Condition code").1;
    for place in before {
        assert!(codes.bottom() <= place.top() && place.bottom() < foot, "{place:?} below {codes:?}");
    }
    // The innermost call is first.
    assert!(before[0].bottom() <= before[1].top() && !labels(&window, "1  REP, line ").is_empty());
    // The pinned rows stay in place while the registers scroll.
    let over = row(&window, "r0").1.center();
    window.harness.hover_at(over);
    for _ in 0..10 {
        window.harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -60.0),
            modifiers: Modifiers::NONE,
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
        });
        window.harness.run_steps(2);
    }
    window.harness.run_steps(20);
    assert!(row(&window, "r0").1.top() < over.y - 40.0, "the registers scrolled");
    assert_eq!(pinned.map(|label| rect(&window, label)), before);
}

#[test]
fn numbers_are_whole_in_the_debug_layout() {
    // Values such as 1/3 need all digits of fp32.
    let text = "!!FP1.0\nMOVR R1, {3, -7, 0, 0};\nRCPR R0.x, R1.x;\nRCPR R0.y, R1.y;\nMULR R0.zw, R0.xxxy, 1e-30;\nMOVR o[COLR], R0;\nEND\n";
    for size in [[1920.0, 1080.0], [1440.0, 900.0]] {
        let mut window = stepping_at(size, text);
        window.run(Command::LayoutDebug);
        window.run(Command::ToEnd);
        window.harness.run_steps(6);
        let (words, rect) = row(&window, "R0");
        let longest = words.split_whitespace().map(str::len).max().unwrap_or(0);
        assert!(longest >= 11, "{words}: this tests nothing");
        // The table has 100 points for names, then four equal cells.
        let cell = (rect.width() - 100.0) / 4.0;
        let room = (cell - 8.0) / 6.35;
        if size[0] >= 1920.0 {
            assert!(room >= 14.0, "{room} characters at {size:?}");
            // The stages are as wide as the registers.
            let stage = row(&window, "o[COLR]").1;
            assert!(stage.width() >= rect.width() - 1.0);
        } else {
            assert!(room >= 10.0, "{room} characters at {size:?}");
        }
    }
}

#[test]
fn a_what_if_says_that_the_verdict_is_of_the_recorded_run() {
    let mut window = stepping_at([1440.0, 900.0], STEPS);
    window.harness.get_by_label("Matches the picture exactly");
    let text = std::sync::Arc::from("MULR R1, R0, R0");
    window.act(Action::Query(shadestep::stepping::Question::Rewrite { pc: 1, text }));
    window.until("the changed run is there", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.changed().is_some())
    });
    window.harness.run_steps(3);
    window.harness.get_by_label("Recorded run: matches the picture exactly");
    window.run(Command::LeaveChanged);
    window.harness.run_steps(3);
    window.harness.get_by_label("Matches the picture exactly");
}

#[test]
fn a_register_is_added_to_the_watches_from_its_menu() {
    let mut window = stepping_at([1440.0, 900.0], STEPS);
    let menu = |window: &mut crate::support::Window, name: &str| {
        let at = row(window, name).1.left_center() + egui::vec2(8.0, 0.0);
        window.harness.hover_at(at);
        window.harness.step();
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Secondary, Modifiers::NONE);
            window.harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
            window.harness.step();
        }
        window.harness.run_steps(3);
    };
    menu(&mut window, "R1");
    window.harness.get_by_label("Add to watches").click();
    window.harness.run_steps(3);
    let watches =
        |window: &mut crate::support::Window| window.state().document().expect("a program").watches.clone();
    assert_eq!(watches(&mut window), ["R1"]);
    assert!(!shows(&window, "Add to watches"), "the menu closes");
    // Adding the same watch twice has no effect.
    menu(&mut window, "R1");
    window.harness.get_by_label("Add to watches").click();
    window.harness.run_steps(3);
    assert_eq!(watches(&mut window), ["R1"]);
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(3);
    menu(&mut window, "f[TEX0]");
    window.harness.get_by_label("Add to watches").click();
    window.harness.run_steps(3);
    assert_eq!(watches(&mut window), ["R1", "f[TEX0]"]);
    let faults =
        window.state().stepping.watched.watches().iter().filter(|watch| watch.expression.is_err()).count();
    assert_eq!(faults, 0);
}
