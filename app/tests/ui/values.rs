//! Values in the editor: at the end of the current line, and under the pointer.

use super::edited::put;
use super::{STEPS, open_scene, scene_folder, with_program};
use crate::support::Window;
use egui::Pos2;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::format::ValueFormat;
use shadestep::model::Part;
use shadestep::scene::Slot;
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::Subject;

/// The start of the label at the end of the current line.
const AT_LINE: &str = "Values of the line: ";

fn record(window: &mut Window, subject: Subject) {
    window.act(Action::Pick(subject));
    window.until("it is recorded", |state| {
        state.pending.record.is_none()
            && state.stepping.session.as_ref().is_some_and(|s| s.subject() == subject)
    });
    window.harness.run_steps(3);
}

fn stepping(text: &str, position: usize) -> Window {
    let mut window = with_program(text);
    record(&mut window, Subject::Pixel([17, 401]));
    window.act(Action::Seek(position));
    window.harness.run_steps(3);
    window
}

/// Returns the values at the end of the current line, and their rectangle.
fn at_line(window: &Window) -> Option<(String, egui::Rect)> {
    let node = window.harness.query_by_label_contains(AT_LINE)?;
    let words = node.accesskit_node().label().or_else(|| node.accesskit_node().value())?;
    Some((words.strip_prefix(AT_LINE)?.to_owned(), node.rect()))
}

fn words(window: &Window) -> Option<String> {
    at_line(window).map(|(words, _)| words)
}

/// Returns the screen position of a line and column of the text, from 0.
fn place(window: &Window, line: usize, column: usize) -> Pos2 {
    let field = window.harness.get_by_label("Program text").rect();
    let (letter, height) = window.harness.ctx.fonts_mut(|fonts| {
        (fonts.glyph_width(&shadestep::theme::code_font(), '0'), shadestep::theme::CODE_LINE_HEIGHT)
    });
    field.left_top() + egui::vec2(6.0 + letter * (column as f32 + 0.5), 6.0 + height * (line as f32 + 0.5))
}

/// Hovers over the first occurrence of `part` in the program's text, `skip` letters after its start.
fn point_at(window: &mut Window, part: &str, skip: usize) {
    let text = window.state().document().expect("a program").active().text().to_owned();
    point_in(window, &text, part, skip);
}

/// Hovers over the first occurrence of `part` in the `text` that the editor shows, `skip` letters after its
/// start.
pub fn point_in(window: &mut Window, text: &str, part: &str, skip: usize) {
    let at = text.find(part).unwrap_or_else(|| panic!("no {part}")) + skip;
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    // Moves away first, so that the previous tooltip closes.
    window.harness.hover_at(egui::pos2(2.0, 2.0));
    window.harness.run_steps(5);
    let place = place(window, line, column);
    window.harness.hover_at(place);
    // Waits longer than the delay of a tooltip, at 60 frames per second.
    window.harness.run_steps(60);
}

fn shows(window: &Window, label: &str) -> bool {
    window.harness.query_all_by_label(label).next().is_some()
}

#[test]
fn the_current_line_ends_with_its_operands() {
    let mut window = stepping(STEPS, 1);
    // s = 17.5 / 512 and t = 401.5 / 512, exact in fp32. The program declares tint.
    let r0 = "R0 0.034179688 0.7841797 0 1";
    assert_eq!(words(&window).as_deref(), Some(&*format!("{r0}  tint 0.25 0.5 0.75 1")));
    // The label shows the components that the step reads, for both operands.
    window.act(Action::Seek(2));
    window.harness.run_steps(3);
    assert_eq!(words(&window).as_deref(), Some("R1.x 0.008544922  R0.y 0.7841797"));
    let editor = window.harness.get_by_label("Program text").rect();
    let (_, rect) = at_line(&window).expect("shown");
    let line = place(&window, 4, 0).y;
    assert!(rect.y_range().contains(line) && editor.contains_rect(rect), "{rect:?} in {editor:?}");
    // The label uses the debugger's format of values.
    window.act(Action::SetFormat(ValueFormat::Hex));
    window.harness.run_steps(3);
    assert_eq!(words(&window).as_deref(), Some("R1.x 0x3c0c0000  R0.y 0x3f48c000"));
    window.run(Command::ToggleValues);
    window.harness.run_steps(3);
    assert_eq!(words(&window), None);
    assert!(window.state().settings.hides_values);
    window.run(Command::ToggleValues);
    window.run(Command::ToEnd);
    window.harness.run_steps(3);
    assert_eq!(words(&window), None, "no step is about to run");
}

/// A program with literal constants, a named constant, an undefined register, and a condition.
const OPERANDS: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
PARAM half = { 0.5, 0.5, 0.5, 0.5 };
ATTRIB coord = fragment.texcoord[0];
TEMP t, u;
MAD t, coord.yxzw, 2, {1, 0, 0, 1};
MUL t.x, half.x, -t.y;
ADDC t.y, t.x, u.z;
MOV result.color (LT.y), t;
MOV result.color, t;
END
";

#[test]
fn operands_are_called_what_the_text_calls_them() {
    let mut window = stepping(OPERANDS, 0);
    assert_eq!(words(&window).as_deref(), Some("coord 0.034179688 0.7841797 0 1"));
    let mut at = |position| {
        window.act(Action::Seek(position));
        window.harness.run_steps(3);
        words(&window).unwrap_or_default()
    };
    // By hand: t.y = 2 s and t.x = -s. u.z is undefined.
    assert_eq!(at(1), "half.x 0.5  t.y 0.068359375");
    assert_eq!(at(2), "t.x -0.034179688  u.z undefined");
    assert!(at(3).contains("t -0.034179688 "), "{}", at(3));
    assert!(at(3).contains("CC.y "), "the condition that the write is under: {}", at(3));
}

#[test]
fn values_are_cut_where_the_line_is_long() {
    let long =
        STEPS.replace("MULR R1, R0, tint;", "MULR R1, R0, tint; # and here is a remark of some length");
    let mut width_at = |size: [f32; 2]| {
        let mut window = Window::open(size, ThemeChoice::Dark);
        window.run(Command::New);
        window.settle();
        window.set_text(&long);
        window.run(Command::LayoutWrite);
        window.run(Command::ToggleWrap);
        record(&mut window, Subject::Pixel([17, 401]));
        window.act(Action::Seek(1));
        window.harness.run_steps(4);
        let picture = window.harness.get_by_label("Rendered picture").rect();
        let (words, rect) = at_line(&window).expect("there is room");
        assert!(rect.right() < picture.left(), "{rect:?} before {picture:?}");
        assert!(words.ends_with("tint 0.25 0.5 0.75 1"), "what is said is whole: {words}");
        rect.width()
    };
    let [narrow, wide] = [[1280.0, 800.0], [1920.0, 1080.0]].map(&mut width_at);
    assert!(60.0 < narrow && narrow < 0.8 * wide, "{narrow} {wide}");
}

#[test]
fn what_is_pointed_at_has_its_value_above_its_documentation() {
    let mut window = stepping(STEPS, 1);
    point_at(&mut window, "R0, tint", 0);
    for label in ["before step 1", "0.034179688", "0.7841797"] {
        assert!(shows(&window, label), "{label}");
    }
    let value = window.harness.get_by_label("0.034179688").rect();
    let help = window.harness.query_all_by_label_contains("R0: ").map(|node| node.rect().top());
    assert!(help.min_by(f32::total_cmp).is_some_and(|help| value.bottom() < help), "documentation below");
    // A swizzle on another line shows the register and the selected component.
    point_at(&mut window, "R0.y", 3);
    assert!(shows(&window, "R0.y 0.7841797"));
    point_at(&mut window, "f[TEX0]", 3);
    assert!(shows(&window, "0.034179688"));
    // A declaration and a destination have values too.
    point_at(&mut window, "tint =", 1);
    assert!(shows(&window, "before step 1") && shows(&window, "0.75"));
    point_at(&mut window, "R1, R0", 0);
    assert!(shows(&window, "before step 1") && !shows(&window, "0.75"));
    window.run(Command::ToEnd);
    point_at(&mut window, "R1, R0", 0);
    // By hand: t * 0.5.
    assert!(shows(&window, "at the end") && shows(&window, "0.39208984"));
    // Without the debugger, the tooltip has only documentation.
    window.run(Command::StopDebugging);
    point_at(&mut window, "R1, R0", 0);
    assert!(!shows(&window, "at the end"));
}

/// A program with an array that a register indexes.
const INDEXED: &str = "!!NVfp4.0
PARAM rows[3] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
INT TEMP i;
TEMP t;
MOV.S i, 1;
MOV t, rows[i.x];
MOV.S i, 7;
MOV t, rows[i.x + 1];
MOV result.color, t;
END
";

#[test]
fn an_element_is_the_one_that_is_chosen_now() {
    let mut window = stepping(INDEXED, 1);
    assert_eq!(words(&window).as_deref(), Some("rows[i.x] is rows[1] 5 6 7 8"));
    // On another line, the tooltip shows the element that the present index selects, and the index register.
    point_at(&mut window, "rows[i.x + 1]", 1);
    assert!(shows(&window, "rows[i.x + 1] is rows[2]") && shows(&window, "12"));
    point_at(&mut window, "rows[i.x + 1]", 5);
    assert!(shows(&window, "i") && !shows(&window, "12"));
    window.act(Action::Seek(3));
    window.harness.run_steps(3);
    assert_eq!(words(&window).as_deref(), Some("rows[i.x + 1] outside the array: 0 0 0 0"));
}

#[test]
fn edited_instructions_have_no_values_and_moved_ones_do() {
    let mut window = stepping(STEPS, 1);
    let before = words(&window);
    assert!(before.is_some());
    put(&mut window, "MOVR R0", "# one\nFOO;\nMOVR R0");
    window.harness.run_steps(3);
    assert_eq!(words(&window), before, "it moved");
    let (_, rect) = at_line(&window).expect("shown");
    assert!(rect.y_range().contains(place(&window, 5, 0).y), "{rect:?}");
    point_at(&mut window, "R0, tint", 0);
    assert!(shows(&window, "before step 1") && shows(&window, "0.034179688"));
    // While the text has an error, the value of a declared name is unknown.
    point_at(&mut window, "tint =", 1);
    assert!(!shows(&window, "before step 1"));
    put(&mut window, "R0, tint", "R0, R0");
    window.harness.run_steps(3);
    assert_eq!(words(&window), None, "the instruction that ran is another one");
    point_at(&mut window, "R0, R0", 0);
    assert!(!shows(&window, "before step 1"));
    point_at(&mut window, "R1.x, R1.x", 0);
    assert!(shows(&window, "before step 1"), "this one is as it was");
    window.run(Command::Undo);
    window.settle();
    window.harness.run_steps(3);
    assert_eq!(words(&window), before);
}

/// Opens a sample, and goes to the first step of `subject` that has operands.
fn stepping_sample(window: &mut Window, name: &'static str, subject: Subject, part: Slot) -> String {
    window.act(Action::OpenSample(name));
    window.until("the sample is open", |state| state.document().is_some_and(|d| d.scene.name == name));
    window.settle();
    record(window, subject);
    assert_eq!(window.state().document().map(|d| d.active_part()), Some(Part::Program(part)), "{name}");
    for position in 0..20 {
        window.act(Action::Seek(position));
        window.harness.run_steps(3);
        if let Some(words) = words(window) {
            return words;
        }
    }
    panic!("no values in {name}");
}

#[test]
fn every_stage_has_values_in_its_code() {
    let mut window = super::window();
    let primitive = Subject::Primitive { number: 0, invocation: 0 };
    let patch = Subject::Patch { number: 0, invocation: 0 };
    for (name, subject, part, named) in [
        ("101-silhouette", primitive, Slot::Geometry, "corner[i.x] is corner[0]"),
        ("110-cracks", patch, Slot::TessControl, ""),
        ("106-goblet", Subject::PatchVertex { patch: 0, vertex: 5 }, Slot::TessEvaluation, ""),
        ("28-waves", Subject::Vertex(0), Slot::Vertex, ""),
        ("02-plasma", Subject::Pixel([100, 100]), Slot::Fragment, ""),
    ] {
        let words = stepping_sample(&mut window, name, subject, part);
        assert!(words.contains(named), "{name}: {words}");
        let digits = words.contains(|c: char| c.is_ascii_digit());
        assert!(digits, "{name}: {words}");
    }
    let folder = scene_folder("values", "!!VP2.0\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], c[20];\nEND\n");
    let scene = "title = \"Both\"\n[program]\nvertex = \"main.vp\"\nfragment = \"main.fp\"\n[[state_program]]\nfile = \"prepare.vsp\"\ninput = [2.0, 3.0, 0.0, 1.0]\n";
    std::fs::write(folder.join("scene.toml"), scene).expect("a file");
    std::fs::write(folder.join("prepare.vsp"), "!!VSP1.0\nMOV c[20], v[0];\nEND\n").expect("a file");
    open_scene(&mut window, &folder);
    window.act(Action::ShowText(Part::Program(Slot::State(0))));
    window.settle();
    window.run(Command::StepStateProgram);
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|s| s.subject() == Subject::StateProgram(0))
    });
    window.harness.run_steps(3);
    assert_eq!(words(&window).as_deref(), Some("v[0] 2 3 0 1"));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
