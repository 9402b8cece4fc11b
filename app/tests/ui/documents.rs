//! Which documents are open, where they come from and where they go: recent files, tabs that come back, prompts for paths,
//! lessons, and what follows the document in front.

use crate::STEPS;
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::theme::ThemeChoice;

#[test]
fn the_reference_follows_the_language_of_the_program_in_front() {
    let mut window = Window::open([1440.0, 1400.0], ThemeChoice::Dark);
    window.run(Command::New);
    window.settle();
    window.run(Command::LayoutLearn);
    window.act(Action::ShowReference(shadestep_engine::isa::Opcode::Mul));
    window.harness.run_steps(4);
    // Vertices are emitted by geometry programs alone, and killed fragments are those of fragment programs.
    let lists = |window: &Window, row: &str| window.harness.query_by_label(row).is_some();
    let [emit, kill] = [Row::of("EMIT"), Row::of("KIL")];
    assert!(!lists(&window, &emit) && lists(&window, &kill));
    window.harness.get_by_label("Language of the reference").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("All languages").click();
    window.harness.run_steps(3);
    assert!(lists(&window, &emit) && lists(&window, &kill), "the person chose them all");
    // The text is another, the program's language is not: what the person chose stays.
    window.set_text(STEPS);
    window.run(Command::EditScene);
    window.harness.run_steps(2);
    window.run(Command::NextProgram);
    window.harness.run_steps(2);
    assert!(lists(&window, &emit));
    // Another program of the same language.
    window.run(Command::New);
    window.settle();
    assert!(!lists(&window, &emit) && lists(&window, &kill));
    // Another language of the same program.
    window.set_text("!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nEMIT;\nEND\n");
    assert!(!lists(&window, &kill));
    assert!(lists(&window, &emit));
    window.run(Command::PreviousTab);
    window.settle();
    assert!(!lists(&window, &emit) && lists(&window, &kill));
}

/// Lines of the list of instructions.
struct Row;

impl Row {
    /// The label of the line of a mnemonic.
    fn of(mnemonic: &str) -> String {
        let info =
            shadestep_engine::isa::all().find(|info| info.mnemonic == mnemonic).expect("an instruction");
        format!("{}  {}", info.mnemonic, info.title)
    }
}
