//! The Memory panel, and memory accesses in the other panels.

use super::{open_scene, problems, window};
use crate::support::Window;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::settings::Pane;
use shadestep_engine::debug::Subject;
use std::path::PathBuf;

/// Each fragment increments the persistent buffer `count`, and adds its number to a bin. One access is
/// misaligned.
const PROGRAM: &str = "!!NVfp5.0\nLONG UINT TEMP a;\nUINT TEMP n, m;\nPK64.U a, program.local[1];\n\
    ATOM.ADD.U32 n.x, 1, a.x;\nATOM.ADD.U32 m.x, n.x, a.y;\nADD.U64 a.z, a.y, 3;\nLOAD.U16 m.x, a.z;\n\
    MOV.U result.color, n.x;\nEND\n";

fn open(name: &str) -> (Window, PathBuf) {
    let scene = "[[buffer]]\nname = \"count\"\ntype = \"uint\"\nvalues = [100]\neach_frame = \"keep\"\n\
        [[buffer]]\nname = \"bins\"\ntype = \"uint\"\nvalues = [7, 8]\naccess = \"READ_WRITE\"\nbind = \"fragment.buffer[2]\"\n\
        [parameters]\n\"fragment.local[1]\" = ['address_of(\"count\")', 'address_of(\"bins\")']\n";
    open_with(name, scene, PROGRAM)
}

/// Opens the scene with this program, and shows the Memory panel.
fn open_with(name: &str, scene: &str, program: &str) -> (Window, PathBuf) {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let head = "title = \"Both\"\nsize = [4, 4]\nprogram.fragment = \"main.fp\"\n";
    let scene = format!("{head}{scene}");
    for (file, text) in [("scene.toml", scene.as_str()), ("main.fp", program)] {
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
    // The next frame begins with the buffers of this frame, however often the frame is drawn.
    window.run(Command::StepTime);
    window.settle();
    window.harness.get_by_label("Elements from 0: 116");
    window.harness.get_by_label("After").click();
    window.settle();
    window.harness.get_by_label("Elements from 0: 132");
    // The first fragment of the frame, before and after its ATOM.
    window.act(Action::Pick(Subject::Pixel([0, 0])));
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.subject() == Subject::Pixel([0, 0]))
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
    // The four pixels of the quad take the step together.
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
    // 7 and the sum of 100 to 115. Another buffer follows the 8 bytes.
    window.harness.get_by_label("Elements from 0: 1727 8");
    window.harness.get_by_label_contains("8 bytes at 0x1");
    window.harness.get_by_label_contains("READ_WRITE, fragment.buffer[2]");
    window.harness.get_by_label("Show as").click();
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
    // Ignores the warning about a loaded value that the program never reads.
    let told: Vec<String> = problems(&window).into_iter().filter(|told| told.contains(" at bins+")).collect();
    assert!(
        told.len() == 1
            && told[0].contains("LOAD of 2 bytes at bins+3: not aligned to the size of the access (2)"),
        "{told:?}"
    );
    window.harness.get_by_label("1 memory fault: see Problems");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn images_are_shown_as_pictures() {
    let scene =
        "[[image]]\nname = \"field\"\ntarget = \"ARRAY2D\"\nsize = [4, 4]\nlayers = 2\nfill = 0\nunit = 0\n";
    let program = "!!NVfp5.0\nINT TEMP p;\nFLR.S p, fragment.position;\nMOV.S p.z, 0;\n\
        STOREIM image[0], {1, 0.5, 0, 1}, p, ARRAY2D;\nMOV result.color, 1;\nEND\n";
    let (mut window, folder) = open_with("memory-picture", scene, program);
    assert!(window.harness.query_by_label("Picture of field").is_none());
    window.harness.get_by_label("Texels").click();
    window.settle();
    let picture = window.harness.get_by_label("Picture of field").rect();
    assert!(picture.width() >= 4.0 && (picture.width() - picture.height()).abs() < 0.5, "{picture:?}");
    // Clicking a texel opens the fragment that wrote it.
    assert!(window.harness.query_all_by_label("Layer").next().is_some());
    window.harness.get_by_label("Picture of field").click();
    window.until("it is recorded", |state| {
        state
            .stepping
            .session
            .as_ref()
            .is_some_and(|session| matches!(session.subject(), Subject::Pixel([1..3, 1..3])))
    });
    window.act(Action::Show(Pane::Memory));
    window.settle();
    window.harness.get_by_label("Table").click();
    window.settle();
    assert!(window.harness.query_by_label("Picture of field").is_none());
    window.harness.get_by_label_contains("Elements from 0: 255 128 0 255");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn an_image_that_is_looked_up_is_among_the_textures() {
    let scene =
        "[[image]]\nname = \"field\"\nformat = \"RGBA8\"\nsize = [4, 4]\nfill = 0\nunit = 0\ntexture = 0\n";
    let program = "!!NVfp5.0\nSTOREIM image[0], {1, 0.5, 0, 1}, {0, 0, 0, 0}, 2D;\n\
        TEX result.color, fragment.position, texture[0], 2D;\nEND\n";
    let (mut window, folder) = open_with("memory-lookup", scene, program);
    window.act(Action::Show(Pane::Inputs));
    window.settle();
    window.harness.get_by_label("Image field at the start of the frame");
    // The first row is the texture's, the second is the image's.
    let mut buttons = window.harness.query_all_by_label("Show in Memory");
    buttons.next().expect("there is one").click();
    drop(buttons);
    window.settle();
    window.harness.get_by_label("Texels");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_frame_before_is_among_the_textures_and_its_layers_are_shown() {
    let scene = "layers = 6\nlayer = 2\n[[frame_texture]]\nunit = 3\ntarget = \"CUBE\"\n";
    let program = "!!NVfp4.0\nTEX result.color, fragment.position, texture[3], CUBE;\nEND\n";
    let (mut window, folder) = open_with("memory-frame", scene, program);
    window.act(Action::Show(Pane::Inputs));
    window.settle();
    window.harness.get_by_label("Layers 0 to 5 of the previous frame");
    window.harness.get_by_label("Layer").click();
    window.settle();
    window.harness.get_by_label("Layer 5").click();
    window.until("another layer is shown", |state| {
        state.document().is_some_and(|document| document.layer() == 5)
    });
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_race_is_a_problem_that_one_steps_to() {
    let scene = "[[buffer]]\nname = \"count\"\ntype = \"uint\"\nvalues = [100]\n\
        [parameters]\n\"fragment.local[1]\" = 'address_of(\"count\")'\n";
    let program = "!!NVfp5.0\nLONG UINT TEMP a;\nUINT TEMP n;\nPK64.U a, program.local[1];\n\
        LOAD.U32 n, a.x;\nADD.U n.x, n, 1;\nSTORE.U32 n, a.x;\nMOV result.color, 1;\nEND\n";
    let (mut window, folder) = open_with("memory-race", scene, program);
    let told = problems(&window);
    let races = |told: &[String]| told.iter().filter(|text| text.contains("in no defined order")).count();
    assert_eq!((told.len(), races(&told)), (2, 2), "{told:?}");
    let step = window
        .harness
        .query_all_by(|node| node.label().is_some_and(|label| label.starts_with("Debug pixel ")));
    let label = step.filter_map(|node| node.accesskit_node().label()).next().expect("a button");
    let [x, y] =
        label.trim_start_matches("Debug pixel ").split_once(", ").map(|(x, y)| [x, y]).expect("two numbers");
    let pixel = [x, y].map(|word| word.parse::<u32>().expect("a number"));
    window.harness.get_all_by_label(&label).next().expect("the button").click();
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.subject() == Subject::Pixel(pixel))
    });
    // With "Find races" off, no races are reported.
    window.act(Action::Show(Pane::Memory));
    window.settle();
    window.harness.get_by_label("Find races").click();
    window.settle();
    assert_eq!(problems(&window), Vec::<String>::new());
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_scene_without_buffers_says_so() {
    let mut window = window();
    window.run(Command::ShowMemory);
    window.settle();
    window.harness.get_by_label("This scene has no buffers");
}
