//! The explanation of a line below the text, and the examples of the reference.

use super::{STEPS, with_program};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::settings::Pane;
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::Subject;
use shadestep_engine::ide::example::{example, examples};
use shadestep_engine::isa::{Language, Opcode, Stage};

use crate::support::Window;

/// Moves the caret to the line that contains `part`.
fn caret_at(window: &mut Window, part: &str) {
    let document = window.state().document().expect("a program");
    let (id, at) = (document.text_id(), document.active().text().find(part).expect("it is there"));
    window.act(Action::CaretMoved(id, at));
    // Moves the cursor of the text field too, as a click does.
    window.act(Action::Jump(shadestep_engine::source::Span::at(at)));
    window.harness.run_steps(4);
}

fn says(window: &Window, words: &str) -> bool {
    let said = |text: Option<String>| text.is_some_and(|text| text.contains(words));
    let found = window.harness.query_all_by(|node| said(node.label()) || said(node.value())).next();
    found.is_some()
}

#[test]
fn the_strip_tells_the_line_at_the_caret() {
    let mut window = with_program(STEPS);
    assert!(!says(&window, "Multiplies two vectors component by component."));
    window.run(Command::ToggleExplain);
    caret_at(&mut window, "MULR");
    assert!(says(&window, "R1.x = R0.x * tint.x"), "the formula with names");
    assert!(says(&window, "Multiplies two vectors component by component."));
    let line = window.harness.get_by_label("Line 4").rect();
    caret_at(&mut window, "DECLARE");
    assert!(says(&window, "Its value is") || says(&window, "0.25"), "what it declares");
    let declared = window.harness.get_by_label("Line 2").rect();
    assert_eq!(line.min, declared.min, "nothing moves");
    window.run(Command::ToggleExplain);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Line 2").is_none());
}

#[test]
fn stepping_gives_the_strip_numbers() {
    let mut window = with_program(STEPS);
    window.run(Command::ToggleExplain);
    window.act(Action::Pick(Subject::Pixel([17, 401])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.act(Action::Seek(1));
    window.harness.run_steps(4);
    // By hand: s = 17.5 / 512 = 0.034179688, and s / 4 = 0.008544922.
    assert!(says(&window, "R1.x = R0.x * tint.x = 0.034179688 * 0.25 = 0.008544922"));
    assert!(says(&window, "step 1 of 4"));
    window.act(Action::Seek(2));
    window.harness.run_steps(4);
    assert!(says(&window, "R1.x = R1.x + R0.y"));
    // The caret moves to another line, which has its own step.
    caret_at(&mut window, "MOVR R0");
    assert!(says(&window, "step 0 of 4"));
    assert!(says(&window, "R0.x = f[TEX0].x = 0.034179688"));
}

#[test]
fn what_is_typed_is_told_once_it_loads() {
    let mut window = with_program(STEPS);
    window.run(Command::ToggleExplain);
    caret_at(&mut window, "MULR");
    let text = STEPS.replace("MULR R1, R0, tint", "RCPR R1, R0.x");
    window.set_text(&text);
    window.harness.run_steps(4);
    assert!(says(&window, "R1 = 1 / R0.x"));
}

#[test]
fn an_example_opens_and_steps_to_its_instruction() {
    let mut window = super::window();
    window.act(Action::ShowReference(Opcode::Rcp));
    window.harness.run_steps(4);
    window.harness.get_by_label("Try it").scroll_to_me();
    window.harness.run_steps(10);
    window.harness.get_by_label("Try it").click();
    window.until("the pixel is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.current_step().is_some())
    });
    let state = window.state();
    let document = state.document().expect("the example");
    assert!(document.active().text().contains("RCP R0, R1.x;"), "{}", document.active().text());
    assert!(state.settings.layout.is_shown(Pane::Debugger));
    let session = state.stepping.session.as_ref().expect("recorded");
    let program = session.program().expect("a program");
    let step = session.current_step().expect("a step");
    assert_eq!(program.instructions[step.pc].op, Opcode::Rcp);
}

/// Covers one example of each stage, and the examples that need textures or memory. Each example opens in the
/// debugger at its instruction.
#[test]
fn examples_of_all_stages_step() {
    let chosen = [
        (Opcode::Mad, Language::Vp1),
        (Opcode::Arl, Language::Vsp1),
        (Opcode::Kil, Language::ArbFp1Nv2),
        (Opcode::Tex, Language::ArbFp1),
        (Opcode::Ret, Language::NvVp4),
        (Opcode::Endprim, Language::NvGp4),
        (Opcode::Xor, Language::NvTcp5),
        (Opcode::Frc, Language::NvTep5),
        (Opcode::Atom, Language::NvFp5),
        (Opcode::Ldc, Language::NvFp5),
        (Opcode::Atomim, Language::NvFp5),
    ];
    let mut window = super::window();
    for (opcode, language) in chosen {
        let example = example(opcode.info(), language).expect("an example");
        window.act(Action::TryExample(Box::new(example)));
        window.until("it is recorded and stepped", |state| {
            let document = state.document().map(|document| document.id);
            let session =
                state.stepping.session.as_ref().filter(|session| Some(session.document()) == document);
            session.is_some_and(|session| session.current_step().is_some())
        });
        window.settle();
        let state = window.state();
        assert!(state.document().expect("open").render_error.is_none(), "{opcode:?}");
        let session = state.stepping.session.as_ref().expect("recorded");
        let step = session.current_step().expect("a step");
        assert_eq!(session.program().expect("a program").instructions[step.pc].op, opcode);
        assert!(step.transfers().all(|transfer| transfer.fault.is_none()), "{opcode:?}: memory is there");
        assert!(step.texture.is_none_or(|texture| texture.complete), "{opcode:?}: the texture is there");
    }
    assert!(Language::ALL.iter().filter(|language| language.stage() == Stage::Geometry).count() > 1);
    assert!(examples(Language::Fp1).all(|(_, example)| example.is_some()));
}

/// `SHADESTEP_PICTURES=FOLDER` writes pictures for a person to look at.
#[test]
fn the_strip_and_a_page_fit_their_places() {
    for (choice, name) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut window = Window::open([1280.0, 800.0], choice);
        window.run(Command::New);
        window.settle();
        window.set_text(
            "!!FP1.0\n# A falloff.\nDECLARE tint = {0.25, 0.5, 0.75, 1};\nMOVRC R0, f[TEX0];\nMADR_SAT R1.xyz (GT), R0, -R0.yxxw, 1.5;\nRCPR R1.w, tint.w;\nMOVR o[COLR], R1;\nEND\n",
        );
        window.run(Command::ToggleExplain);
        window.act(Action::Pick(Subject::Pixel([17, 401])));
        window.until("the pixel is recorded", |state| state.stepping.session.is_some());
        window.act(Action::Seek(1));
        window.harness.run_steps(8);
        keep(&mut window, &format!("explain-{name}"));
        window.run(Command::LayoutLearn);
        window.act(Action::ShowReference(Opcode::Rsq));
        window.harness.run_steps(8);
        keep(&mut window, &format!("reference-{name}"));
        window.harness.get_by_label("Try it").scroll_to_me();
        window.harness.run_steps(20);
        keep(&mut window, &format!("reference-example-{name}"));
        let shown = window.harness.get_by_label("Try it").rect();
        assert!(shown.height() > 12.0 && shown.bottom() < 800.0);
    }
}

fn keep(window: &mut Window, name: &str) {
    let picture = window.harness.render().expect("the CPU renderer renders");
    if let Some(folder) = std::env::var_os("SHADESTEP_PICTURES") {
        picture.save(std::path::Path::new(&folder).join(format!("{name}.png"))).expect("it can be written");
    }
}

#[test]
fn the_strip_is_one_line_high_where_nothing_stands_and_rests_while_one_types() {
    let mut window = with_program(&STEPS.replace("ADDR", "\nADDR"));
    window.run(Command::ToggleExplain);
    caret_at(&mut window, "MULR");
    let bottom = window.harness.get_by_label("No problems").rect().top();
    let height = |window: &Window| bottom - window.harness.get_by_label("Hide the explanation").rect().top();
    let wait_for = |window: &mut Window, what: &str, done: &dyn Fn(f32) -> bool| {
        for _ in 0..400 {
            if done(height(window)) {
                return;
            }
            window.harness.step();
        }
        panic!("{what}: {} points", height(window));
    };
    let full = height(&window);
    caret_at(&mut window, "\nADDR");
    assert_eq!(height(&window), full, "not before a rest");
    wait_for(&mut window, "it becomes low", &|height| height < 40.0);
    assert!(says(&window, "There is nothing to explain on this line."));
    let low = height(&window);
    // The strip keeps its height while the user types into the empty line. Each prefix of the text is free of
    // errors, because the list of problems would change the layout.
    let at =
        window.state().document().expect("a program").active().text().find("\nADDR").expect("it is there");
    let mut place = at;
    for piece in ["MULR R1, R1, tint;", " ", " ", "#", " a", "b"] {
        let document = window.state().document().expect("a program");
        let id = document.text_id();
        let mut text = document.active().text().to_owned();
        text.insert_str(place, piece);
        place += piece.len();
        let change = shadestep::model::Change::between(document.active().text(), &text);
        window.act(Action::EditText(id, change));
        window.act(Action::CaretMoved(id, place));
        window.act(Action::Jump(shadestep_engine::source::Span::at(place)));
        window.settle();
        window.harness.run_steps(3);
        assert_eq!(height(&window), low, "after {piece:?}");
    }
    wait_for(&mut window, "it grows after a rest", &|height| height == full);
    assert!(says(&window, "R1.x = R1.x * tint.x"));
    // Without typing, the strip grows at once.
    caret_at(&mut window, "!!FP1.0");
    let empty = window.state().document().expect("a program").active().text().len();
    let id = window.state().document().expect("a program").text_id();
    window.act(Action::CaretMoved(id, empty));
    window.act(Action::Jump(shadestep_engine::source::Span::at(empty)));
    wait_for(&mut window, "it becomes low", &|height| height == low);
    caret_at(&mut window, "MULR");
    assert_eq!(height(&window), full);
}
