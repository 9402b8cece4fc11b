//! Picking vertices and stepping through vertex programs.

use super::{STEPS, front, open_scene, scene_folder, window, with_program};
use crate::support::Window;
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::model::{Change, Part};
use shadestep::scene::{MeshSource, SceneEdit, Slot};
use shadestep::settings::Pane;
use shadestep::stepping::DebugSession;
use shadestep_engine::debug::Subject;
use shadestep_engine::ir::singles;
use shadestep_engine::isa::TABLE;
use std::path::PathBuf;
use std::sync::Arc;

/// A vertex program with a subroutine, a branch and a relative reference.
const CALLS: &str = "!!VP2.0\nMOV o[HPOS], v[OPOS];\nCAL shade;\nARLC A0.x, v[OPOS].x;\nBRA done (LT.x);\nMOV o[COL0].xy, c[A0.x + 4];\ndone:\nMOV o[COL0].z, c[5].x;\nRET;\nshade:\nMOV R0, v[OPOS];\nMOV o[TEX0], R0;\nRET;\nEND\n";

/// Opens a scene with a mesh. [`CALLS`] does not transform the positions.
fn open_calls(name: &str) -> (Window, PathBuf) {
    let folder = scene_folder(name, CALLS);
    let scene = "title = \"Both\"\nsize = [256, 256]\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n[geometry]\nmesh = \"corner.obj\"\n";
    std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    let mesh = "v -0.5 -0.5 0\nv 0.5 -0.5 0\nv 0 0.5 0\nf 1 2 3\n";
    std::fs::write(folder.join("corner.obj"), mesh).expect("a file");
    let mut window = window();
    open_scene(&mut window, &folder);
    (window, folder)
}

fn stepped(window: &mut Window) -> &DebugSession {
    window.state().stepping.session.as_ref().expect("something is stepped through")
}

fn pick_vertex(window: &mut Window, element: u32) {
    window.act(Action::Pick(Subject::Vertex(element)));
    window.until("the vertex is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|s| s.subject() == Subject::Vertex(element))
    });
    window.harness.run_steps(2);
}

fn shows(window: &Window, words: &str) -> bool {
    window
        .harness
        .query_all_by(|node| {
            let has = |text: Option<String>| text.is_some_and(|text| text.contains(words));
            has(node.label()) || has(node.value())
        })
        .next()
        .is_some()
}

#[test]
fn a_vertex_is_stepped_both_ways_with_its_calls_and_branches() {
    let (mut window, folder) = open_calls("calls");
    // The second vertex is (0.5, -0.5). ARL gives 0, so LT is false.
    pick_vertex(&mut window, 1);
    assert_eq!(front(&mut window), Slot::Vertex, "the tab of its program comes to the front");
    assert_eq!(stepped(&mut window).len(), 10);
    let start = stepped(&mut window).state().expect("a state").clone();
    let mut lines = Vec::new();
    for _ in 0..10 {
        let session = stepped(&mut window);
        lines.push((session.current_line().expect("a line") + 1, session.call_depth()));
        window.harness.key_press(Key::F11);
        window.harness.step();
    }
    // The run is MOV, CAL, shade, ARLC, BRA (not taken), MOV, MOV, RET. Each pair is a line and a call depth.
    let expected = [(2, 0), (3, 0), (11, 1), (12, 1), (13, 1), (4, 0), (5, 0), (6, 0), (8, 0), (9, 0)];
    assert_eq!(lines, expected);
    window.run(Command::ToStart);
    assert_eq!(stepped(&mut window).state(), Some(&start));
    // Steps over the call, into the call, and out of the call.
    window.run(Command::StepForward);
    window.run(Command::StepOver);
    assert_eq!(stepped(&mut window).current_line(), Some(3));
    window.run(Command::StepOverBack);
    window.run(Command::StepForward);
    window.harness.run_steps(2);
    assert!(shows(&window, "1  shade, returns to line 4"), "the call stack names the subroutine");
    window.run(Command::StepOut);
    assert_eq!((stepped(&mut window).current_line(), stepped(&mut window).call_depth()), (Some(3), 0));
    window.run(Command::StepForward);
    window.harness.run_steps(2);
    assert!(shows(&window, "Not taken"), "0 is not less than 0");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_branch_that_is_taken_and_results_that_stay_unwritten_are_said() {
    let (mut window, folder) = open_calls("taken");
    // The first vertex is (-0.5, -0.5). ARL gives -1, so LT is true.
    pick_vertex(&mut window, 0);
    while stepped(&mut window).current_line() != Some(4) {
        window.run(Command::StepForward);
    }
    window.harness.run_steps(2);
    assert!(shows(&window, "Taken: goes to done, line 8"));
    window.run(Command::ToEnd);
    window.harness.run_steps(2);
    assert!(shows(&window, "Unwritten: o[COL0].xyw"), "only z was written on that way");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn from_a_fragment_to_its_vertices_and_back() {
    let (mut window, folder) = open_calls("corners");
    window.act(Action::Pick(Subject::Pixel([128, 100])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.run(Command::StepForward);
    window.run(Command::StepForward);
    window.harness.run_steps(2);
    assert_eq!(stepped(&mut window).fragment().expect("the triangle").elements, [0, 1, 2]);
    window.harness.get_by_label("Vertex 2").click();
    window.until("the vertex is recorded", |s| {
        s.stepping.session.as_ref().is_some_and(|d| d.vertex().is_some())
    });
    window.harness.run_steps(2);
    assert_eq!(stepped(&mut window).subject(), Subject::Vertex(2));
    window.harness.get_by_label("Return to fragment").click();
    window
        .until("the fragment is there", |s| s.stepping.session.as_ref().is_some_and(|d| d.pixel().is_some()));
    let session = stepped(&mut window);
    assert_eq!((session.subject(), session.position()), (Subject::Pixel([128, 100]), 2));
    assert_eq!(front(&mut window), Slot::Fragment);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_vertex_is_picked_from_the_picture_and_from_the_table() {
    let (mut window, folder) = open_calls("picking");
    window.run(Command::PickVertices);
    window.act(Action::Show(Pane::Vertices));
    let id = window.state().document().expect("a scene").id;
    window.until("the vertices are there", |state| {
        state.stepping.vertices.list(id).is_some() && state.stepping.vertices.values(2).is_some()
    });
    window.harness.run_steps(2);
    // (0.5, -0.5) is at (192, 64) in a window of 256 pixels.
    let list = Arc::clone(window.state().stepping.vertices.list(id).expect("the list"));
    assert_eq!(list.get(1).and_then(|v| v.window).map(|[x, y, _]| [x, y]), Some([192.0, 64.0]));
    let values = window.state().stepping.vertices.values(2).expect("values").clone();
    assert_eq!(singles(values.attributes[0]), [0.0, 0.5, 0.0, 1.0]);
    window.harness.get_by_label("Row of vertex 2").click();
    window.until("it is recorded", |s| {
        s.stepping.session.as_ref().is_some_and(|d| d.subject() == Subject::Vertex(2))
    });
    let picture = window.harness.get_by_label("Rendered picture").rect();
    let side = picture.width().min(picture.height());
    // A point near the lower right corner of the triangle.
    let place = picture.center() + egui::vec2(0.2, 0.2) * side;
    window.harness.hover_at(place);
    window.harness.step();
    window.harness.drag_at(place);
    window.harness.drop_at(place);
    window.until("it is recorded", |s| {
        s.stepping.session.as_ref().is_some_and(|d| d.subject() == Subject::Vertex(1))
    });
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn without_a_vertex_program_the_built_in_one_is_stepped() {
    let mut window = with_program(STEPS);
    window.act(Action::SetMesh(MeshSource::Cube));
    window.settle();
    pick_vertex(&mut window, 0);
    let session = stepped(&mut window);
    assert_eq!(session.text_id(), None, "no tab has it");
    let program = session.program().expect("a program");
    assert_eq!(session.len(), program.instructions.len());
    // The spans of the instructions match the shown text.
    let text = session.text();
    for instruction in &program.instructions {
        let shown = instruction.mnemonic_span.slice(text);
        assert!(shown.starts_with(TABLE[instruction.op as usize].mnemonic.as_bytes()), "{shown:?}");
    }
}

#[test]
fn a_state_program_is_stepped_through() {
    let folder = scene_folder("state", CALLS);
    let scene = "title = \"Both\"\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n[[state_program]]\nfile = \"prepare.vsp\"\ninput = [2.0, 3.0, 0.0, 1.0]\n[geometry]\nmesh = \"sphere\"\n";
    std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    let program = "!!VSP1.0\nMUL R0, v[0], v[0];\nADD c[20].xy, R0, v[0];\nEND\n";
    std::fs::write(folder.join("prepare.vsp"), program).expect("a file");
    let mut window = window();
    open_scene(&mut window, &folder);
    window.act(Action::ShowText(Part::Program(Slot::State(0))));
    window.settle();
    window.run(Command::StepStateProgram);
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|s| s.subject() == Subject::StateProgram(0))
    });
    assert_eq!((stepped(&mut window).len(), stepped(&mut window).current_line()), (2, Some(1)));
    window.run(Command::ToEnd);
    window.harness.run_steps(2);
    // 2 * 2 + 2 and 3 * 3 + 3. z and w are not written.
    let written = stepped(&mut window).previous_step().expect("a step").changes.clone();
    let values: Vec<f32> = written.iter().map(|change| f32::from_bits(change.after as u32)).collect();
    assert_eq!(values, [6.0, 12.0]);
    assert!(
        shows(&window, "v[0]") && !shows(&window, "Condition code: "),
        "it has one attribute and no codes"
    );
    window.run(Command::StepBack);
    assert_eq!(stepped(&mut window).current_line(), Some(2));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn what_is_picked_before_there_is_a_picture_is_recorded_when_it_comes() {
    let mut window = with_program(STEPS);
    window.act(Action::SetMesh(MeshSource::Cube));
    window.settle();
    window.run(Command::New);
    assert!(window.state().document().expect("a program").shown.is_none());
    window.act(Action::Pick(Subject::Pixel([3, 4])));
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.subject() == Subject::Pixel([3, 4]))
    });
    assert_eq!(window.state().pending.record, None);
}

/// Picks pixels, edits the text, changes inputs and switches tabs in a pseudo-random order, at varying speed.
#[test]
fn no_request_for_a_recording_is_lost() {
    let mut window = with_program(STEPS);
    window.act(Action::SetMesh(MeshSource::Cube));
    window.settle();
    let mut random = 0x2545_F491_u32;
    let mut below = |n: u32| {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random % n
    };
    for round in 0..40 {
        let mut last = Subject::Vertex(0);
        for _ in 0..=below(6) {
            last = match below(2) {
                0 => Subject::Vertex(below(24)),
                _ => Subject::Pixel([below(256), below(256)]),
            };
            match below(4) {
                0 => window.act(Action::EditScene(SceneEdit::Size([256 + below(256); 2]))),
                1 => window.run(Command::StepTime),
                2 => {
                    let document = window.state().document_mut().expect("a program");
                    let id = document.text_id();
                    let text = format!("{STEPS}# {round}\n");
                    let change = Change::between(document.active().text(), &text);
                    window.act(Action::EditText(id, change));
                }
                _ => {}
            }
            window.act(match last {
                Subject::StateProgram(_) => Action::Command(Command::StepStateProgram),
                subject => Action::Pick(subject),
            });
            for _ in 0..below(3) {
                window.harness.step();
            }
        }
        window.until("the last one is recorded", |state| {
            state.pending.record.is_none()
                && state.stepping.session.as_ref().is_some_and(|session| session.subject() == last)
        });
    }
}
