//! The window around the panels: palette, sizes, settings.

use crate::support::Window;
use crate::window;
use egui::{Key, Modifiers};
use shadestep::command::{Action, Command};
use shadestep::shell::Pane;
use shadestep::theme::ThemeChoice;
use std::path::PathBuf;

#[test]
fn the_palette_runs_commands() {
    let mut window = window();
    window.harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::P);
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("light and dark".to_owned()));
    window.harness.run_steps(2);
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(3);
    assert_eq!(window.state().settings.theme, ThemeChoice::Light);
    assert!(window.state().palette.is_none());
}

#[test]
fn every_panel_draws_at_any_size() {
    for size in [[320.0, 200.0], [720.0, 480.0], [3840.0, 2160.0]] {
        let mut window = Window::open(size, ThemeChoice::Light);
        window.act(Action::PickPixel([100, 100]));
        window.until("the pixel is recorded", |state| state.debug.is_some());
        for pane in Pane::ALL {
            window.act(Action::Show(pane));
            window.harness.run_steps(2);
        }
        window.run(Command::Replace);
        window.run(Command::About);
        window.harness.run_steps(2);
        window.act(Action::CloseDialog);
        window.run(Command::CommandPalette);
        window.harness.run_steps(2);
        window.set_text("!!FP1.0\nBAD\n");
        window.act(Action::Show(Pane::Problems));
        window.harness.run_steps(2);
    }
}

/// Where eframe keeps settings, without the disk.
#[derive(Default)]
struct Memory(std::collections::HashMap<String, String>);

impl eframe::Storage for Memory {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }

    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }

    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }

    fn flush(&mut self) {}
}

#[test]
fn settings_outlive_the_app() {
    let mut window = window();
    window.run(Command::ToggleTheme);
    window.act(Action::Show(Pane::Learn));
    window.state().settings.recent.push("somewhere/main.fp".into());
    window.harness.run_steps(2);
    let mut storage = Memory::default();
    let app = window.harness.state_mut().as_mut().expect("the app");
    eframe::App::save(app, &mut storage);
    let settings = shadestep::app::App::settings(Some(&storage));
    assert_eq!(settings.theme, ThemeChoice::Light);
    assert!(settings.layout.is_shown(Pane::Learn) && !settings.layout.is_shown(Pane::Inputs));
    assert_eq!(settings.recent, ["somewhere/main.fp"].map(PathBuf::from));
}
