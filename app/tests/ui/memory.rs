//! The memory panel, and what the other panels show of memory.

use crate::support::Window;
use crate::{open_scene, problems, window};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::shell::Pane;
use shadestep_engine::debug::Subject;
use std::path::PathBuf;

/// Every fragment counts itself in `count`, which is kept, and adds its number to a bin; one access is wrong.
const PROGRAM: &str = "!!NVfp5.0\nLONG UINT TEMP a;\nUINT TEMP n;\nPK64.U a, program.local[1];\n\
    ATOM.ADD.U32 n.x, 1, a.x;\nATOM.ADD.U32 n.y, n.x, a.y;\nADD.U64 a.z, a.y, 3;\nLOAD.U16 n.z, a.z;\n\
    MOV.U result.color, n.x;\nEND\n";

fn open(name: &str) -> (Window, PathBuf) {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = "title = \"Both\"\nsize = [4, 4]\n[program]\nfragment = \"main.fp\"\n\
        [[buffer]]\nname = \"count\"\ntype = \"uint\"\nvalues = [100]\neach_frame = \"keep\"\n\
        [[buffer]]\nname = \"bins\"\ntype = \"uint\"\nvalues = [7, 8]\naccess = \"READ_WRITE\"\nbind = \"fragment.buffer[2]\"\n\
        [parameters]\n\"fragment.local[1]\" = ['address_of(\"count\")', 'address_of(\"bins\")']\n";
    for (file, text) in [("scene.toml", scene), ("main.fp", PROGRAM)] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let mut window = window();
    open_scene(&mut window, &folder);
    window.run(Command::ShowMemory);
    window.settle();
    (window, folder)
}

#[test]
fn buffers_are_shown_before_after_and_at_a_step() {
    let (mut window, folder) = open("memory");
    window.harness.get_by_label("Elements from 0: 116");
    window.harness.get_by_label("Before").click();
    window.settle();
    window.harness.get_by_label("Elements from 0: 100");
    // The next frame begins with what this one left; so it does each time it is drawn.
    window.run(Command::StepTime);
    window.settle();
    window.harness.get_by_label("Elements from 0: 116");
    window.harness.get_by_label("After").click();
    window.settle();
    window.harness.get_by_label("Elements from 0: 132");
    // The first fragment of the frame: before its ATOM and behind it.
    window.act(Action::PickPixel([0, 0]));
    window.until("it is recorded", |state| {
        state.debug.as_ref().is_some_and(|session| session.subject() == Subject::Pixel([0, 0]))
    });
    window.act(Action::Show(Pane::Memory));
    window.settle();
    window.harness.get_by_label("Step").click();
    window.run(Command::ToStart);
    window.settle();
    window.harness.get_by_label("Elements from 0: 116");
    window.run(Command::StepForward);
    window.run(Command::StepForward);
    window.settle();
    // The four pixels of the quad have taken the step together.
    window.harness.get_by_label("Elements from 0: 120");
    window.run(Command::StepBack);
    window.settle();
    window.harness.get_by_label("Elements from 0: 116");
    window.act(Action::Show(Pane::Debugger));
    window.settle();
    window.harness.get_by_label("U32 at count+0: 116 -> 117");
    window.run(Command::StopDebugging);
    window.run(Command::ShowMemory);
    window.settle();
    window.harness.get_by_label("Elements from 0: 132");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn another_buffer_and_another_type_are_chosen() {
    let (mut window, folder) = open("memory-choices");
    window.harness.get_by_label("Buffer").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("bins").click();
    window.settle();
    // 7 and the sum of 100 to 115; what follows the 8 bytes is another buffer.
    window.harness.get_by_label("Elements from 0: 1727 8");
    window.harness.get_by_label_contains("8 bytes at 0x1");
    window.harness.get_by_label_contains("READ_WRITE, fragment.buffer[2]");
    window.harness.get_by_label("Shown as").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("ubyte").click();
    window.settle();
    // 1727 is 0x06BF.
    window.harness.get_by_label_contains("Elements from 0: 191 6 0 0");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn wrong_accesses_are_problems_of_their_line() {
    let (window, folder) = open("memory-faults");
    let told = problems(&window);
    assert!(told.len() == 1 && told[0].contains("LOAD of 2 bytes at bins+3: not a multiple"), "{told:?}");
    window.harness.get_by_label("An access was wrong: see Problems");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_scene_without_buffers_says_so() {
    let mut window = window();
    window.run(Command::ShowMemory);
    window.settle();
    window.harness.get_by_label("This scene has no buffers");
}
