//! temporary
use crate::support::Window;
use shadestep::command::{Action, Command};
use shadestep::model::{Breakpoint, Times};
use shadestep::shell::Pane;
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::Subject;

const COUNTS: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP n, c;
MOV c, fragment.texcoord[0];
MOV n, 0;
LOOP {12, 0, 1};
  ADD n.x, n.x, 1;
  MULC c.xyz, c.yzxw, {1.1, 0.9, 1.3, 1};
  IF GT.x;
    ADD c.z, c.z, 0.05;
  ELSE;
    MUL n.y, n.x, c.x;
  ENDIF;
ENDLOOP;
MOV result.color, c;
END
";

fn shot(window: &mut Window, name: &str) {
    window.harness.run_steps(10);
    window.harness.render().expect("renders").save(format!("/tmp/h-watch-shots/{name}.png")).expect("saved");
}

#[test]
fn shots() {
    std::fs::create_dir_all("/tmp/h-watch-shots").expect("folder");
    for (choice, theme) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut window = Window::open([1280.0, 800.0], choice);
        window.run(Command::New);
        window.settle();
        window.set_text(COUNTS);
        window.act(Action::Pick(Subject::Pixel([400, 300])));
        window.until("recorded", |state| state.debug.is_some());
        let id = window.state().document().expect("d").text_id();
        let when = |c: &str, times| Breakpoint { condition: c.to_owned(), times, enabled: true };
        window.act(Action::SetBreakpoint(id, 6, when("n.x > 3", Times::EveryNth(2))));
        window.act(Action::SetBreakpoint(id, 9, when("", Times::Every)));
        window.act(Action::SetBreakpoint(id, 11, when("zz > 1", Times::Every)));
        window.act(Action::SetBreakpoint(id, 14, Breakpoint { enabled: false, ..Breakpoint::default() }));
        let w = ["n.x", "c", "c.xyz * 2", "n.x > 5 and c.x < 0.5", "length(c.xyz)", "oops + 1"];
        window.act(Action::SetWatches(w.map(str::to_owned).to_vec()));
        window.act(Action::Seek(30));
        window.act(Action::Show(Pane::Debugger));
        shot(&mut window, &format!("{theme}-debugger"));
        window.act(Action::Show(Pane::Watches));
        window.until("h", |state| state.watched.history(0).is_some());
        shot(&mut window, &format!("{theme}-watches"));
        window.act(Action::EditBreakpoint(Some((id, 6))));
        shot(&mut window, &format!("{theme}-form"));
        let mut b = when("n.x > 3 and c.q", Times::EveryNth(2));
        window.act(Action::SetBreakpoint(id, 6, b.clone()));
        shot(&mut window, &format!("{theme}-form-fault"));
        b.condition = "n.x > 3".to_owned();
        window.act(Action::SetBreakpoint(id, 6, b));
        window.act(Action::EditBreakpoint(None));
        window.run(Command::RunToCondition);
        window.act(Action::ConditionTyped("n.x > 3".to_owned()));
        shot(&mut window, &format!("{theme}-runto"));
        window.act(Action::CloseDialog);
        window.run(Command::LayoutDebug);
        window.act(Action::Show(Pane::Watches));
        shot(&mut window, &format!("{theme}-debug-layout"));
        window.run(Command::CompareRuns);
        shot(&mut window, &format!("{theme}-kept"));
        window.act(Action::Pick(Subject::Pixel([100, 300])));
        window.until("lines", |state| state.comparison.as_ref().is_some_and(|c| !c.lines().is_empty()));
        shot(&mut window, &format!("{theme}-compare-debug"));
        window.run(Command::ResetLayout);
        window.act(Action::Show(Pane::Compare));
        window.run(Command::PreviousDifference);
        shot(&mut window, &format!("{theme}-compare"));
    }
}
