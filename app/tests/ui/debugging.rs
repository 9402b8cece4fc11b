//! Fragments stepped through, and breakpoints.

use crate::{STEPS, pixel, with_program};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::session::{Agreement, MAX_FRAGMENTS_KEPT, PixelStatus};
use shadestep::shell::Pane;

#[test]
fn a_clicked_pixel_can_be_stepped_both_ways() {
    let mut window = with_program(STEPS);
    let picture = window.harness.get_by_label("Rendered picture").rect();
    window.harness.get_by_label("Rendered picture").click();
    window.until("the pixel is recorded", |state| state.debug.is_some());
    let state = window.state();
    assert!(state.settings.layout.is_shown(Pane::Debugger));
    let session = state.debug.as_ref().expect("recorded");
    assert!(picture.width() > 50.0);
    let pixel = session.pixel().expect("a pixel");
    assert!(pixel.iter().all(|c| (254..=257).contains(c)), "{pixel:?} is not the middle of the picture");
    assert_eq!((session.position(), session.len()), (0, 4));
    assert_eq!(session.agreement(), Some(Agreement::Same));
    assert_eq!(session.current_line(), Some(2));
    let initial = session.state().expect("a state").clone();
    for key in [Key::F11, Key::F11, Key::F10] {
        window.harness.key_press(key);
        window.harness.step();
    }
    let session = window.state().debug.as_ref().expect("still there");
    assert_eq!((session.position(), session.current_line()), (3, Some(5)));
    // Worked by hand from s = (x + 0.5) / 512, t alike: R1.x = s * 0.25 + t.
    let r1 = session.state().expect("a state").temporaries[1].map(f32::from_bits);
    let [s, t] = pixel.map(|c| (c as f32 + 0.5) / 512.0);
    assert_eq!(r1, [s * 0.25 + t, t * 0.5, 0.0, 1.0]);
    for _ in 0..3 {
        window.harness.key_press_modifiers(Modifiers::SHIFT, Key::F11);
        window.harness.step();
    }
    let session = window.state().debug.as_ref().expect("still there");
    assert_eq!(session.position(), 0);
    assert_eq!(session.state(), Some(&initial), "back at the start, everything is as it was");
}

#[test]
fn the_stepped_result_is_the_stored_pixel() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([17, 401]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::ToEnd);
    let stored = pixel(&mut window, [17, 401]).map(f32::to_bits);
    let session = window.state().debug.as_ref().expect("recorded");
    assert_eq!(session.position(), session.len());
    assert_eq!(session.recording().expect("a fragment").color, stored);
    assert!(window.state().debug.as_ref().is_some_and(|s| s.current_step().is_none()));
}

/// What is pointed at when the mouse is over the verdict is tested beside it; here that it stands there.
#[test]
fn the_verdict_names_what_it_compared() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([17, 401]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.harness.run_steps(3);
    window.harness.get_by_label("o[COLR] is pixel 17, 401 bit for bit");
    window.set_text("!!FP1.0\nSUBRC RC.x, f[TEX0], 0.5;\nKIL LT.x;\nMOVR o[COLR], f[TEX0];\nEND\n");
    window.until("it is recorded anew", |state| state.debug.as_ref().is_some_and(|s| s.len() == 3));
    window.harness.run_steps(3);
    window.harness.get_by_label("not written, nothing to compare");
}

/// ADD runs as often as s * 8 is whole.
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
        window.act(Action::PickPixel([x, 3]));
        window.until("the pixel is recorded", |state| {
            state.pending.record.is_none() && state.debug.as_ref().is_some_and(|s| s.pixel() == Some([x, 3]))
        });
        let session = window.state().debug.as_ref().expect("recorded");
        (session.position(), session.current_line())
    };
    // s * 8 is 7.82 at pixel 500, 6.26 at 400, 1.57 at 100 and 0.16 at 10. Three steps, then four a round.
    assert_eq!(pick(&mut window, 500), (0, Some(3)), "nothing was stepped through before");
    window.act(Action::Seek(3 + 4 * 4 + 2));
    assert_eq!(window.state().debug.as_ref().expect("recorded").current_line(), Some(8));
    assert_eq!(pick(&mut window, 400), (21, Some(8)), "the fifth ADD");
    assert_eq!(pick(&mut window, 100), (5, Some(8)), "there is one only");
    assert_eq!(pick(&mut window, 10), (4, Some(7)), "no ADD: what is run before it");
    window.run(Command::ToEnd);
    assert_eq!(pick(&mut window, 500), (3 + 4 * 7 + 2 + 1, None), "from the end to the end");
}

/// A folder with a scene of so many triangles, one in front of the other: the first is the one that can be seen.
fn scene_of_many(name: &str, triangles: usize, fragment: &str) -> std::path::PathBuf {
    let folder = crate::scene_folder(name, "!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND\n");
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

/// Runs to the limit. Of the picture one fragment is run, as the others are not nearer; of a recording all of them.
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
    let mut window = crate::window();
    crate::open_scene(&mut window, &folder);
    window.act(Action::PickPixel([3, 3]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::StepForward);
    for (wanted, outcome) in [
        (0, PixelStatus::Written),
        (count - 1, PixelStatus::DepthFailed),
        (count / 2, PixelStatus::DepthFailed),
        (0, PixelStatus::Written),
    ] {
        window.act(Action::SelectFragment(wanted));
        window.until("it is looked at", |state| {
            state.pending.record.is_none() && state.debug.as_ref().is_some_and(|s| s.selected() == wanted)
        });
        let session = window.state().debug.as_ref().expect("recorded");
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
    // Minutes of work.
    let folder = scene_of_many("heavy", 5000, ENDLESS);
    let mut window = crate::window();
    crate::open_scene(&mut window, &folder);
    window.act(Action::PickPixel([3, 3]));
    window.until("it is said", |state| state.records_long());
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Still recording…").is_some());
    window.harness.get_by_label("Stop").click();
    window.until("it has stopped", |state| !state.services.recorder.is_busy());
    window.harness.run_steps(3);
    let state = window.state();
    assert!(state.debug.is_none() && state.pending.record.is_none(), "nothing is shown of it");
    assert!(window.harness.query_by_label("Still recording…").is_none());
    // What is asked for next does not wait for it either.
    window.act(Action::PickPixel([3, 3]));
    window.until("it is under way", |state| {
        state.services.recorder.busy_for().is_some() && !state.services.recorder.has_waiting()
    });
    window.act(Action::PickVertex(1));
    window.until("the vertex is there", |s| s.debug.as_ref().is_some_and(|d| d.vertex().is_some()));
    assert!(window.state().notices.iter().all(|notice| notice.kind != shadestep::app::NoticeKind::Error));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn runs_stop_at_breakpoints_in_both_directions() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([3, 3]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    // F9 at the caret, and a click into the gutter beside line 5.
    let offset = STEPS.find("MULR").expect("there is one");
    window.act(Action::Jump(shadestep_engine::source::Span::at(offset)));
    window.harness.run_steps(2);
    window.harness.key_press(Key::F9);
    window.harness.run_steps(2);
    let id = window.state().document().expect("a program").text_id();
    window.act(Action::ToggleBreakpoint(id, 5));
    assert_eq!(window.state().document().expect("a program").active().breakpoints, [3, 5].into());
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
        lines.push(window.state().debug.as_ref().expect("recorded").current_line());
    }
    assert_eq!(lines, [Some(3), Some(5), None, Some(5), Some(3), Some(2)]);
    window.run(Command::ToggleBreakpoint);
    assert_eq!(window.state().document().expect("a program").active().breakpoints, [5].into());
    window.run(Command::ToCursor);
    assert_eq!(window.state().debug.as_ref().expect("recorded").current_line(), Some(3));
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
        assert_eq!(breakpoints.iter().copied().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_pixel_is_recorded_anew_when_the_program_changes() {
    let mut window = with_program(STEPS);
    window.act(Action::PickPixel([3, 3]));
    window.until("the pixel is recorded", |state| state.debug.is_some());
    window.run(Command::StepForward);
    window.set_text(&STEPS.replace("MULR R1, R0, tint;", "MULR R1, R0, tint;\nMOVR R2, R1;"));
    window.until("there is a step more", |state| state.debug.as_ref().is_some_and(|s| s.len() == 5));
    assert_eq!(window.state().debug.as_ref().expect("recorded").position(), 1);
}
