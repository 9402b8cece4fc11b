//! The window around the panels: command palette, sizes, samples and settings.

use super::window;
use crate::support::Window;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::settings::{Pane, SettingsFile};
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::Subject;
use std::path::PathBuf;

#[test]
fn the_palette_runs_commands() {
    let mut window = window();
    window.harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::P);
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("switch theme".to_owned()));
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
        window.act(Action::Pick(Subject::Pixel([100, 100])));
        window.until("the pixel is recorded", |state| state.stepping.session.is_some());
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

#[test]
fn learn_and_debugger_can_be_seen_at_once() {
    let mut window = Window::open([1440.0, 900.0], ThemeChoice::Dark);
    window.act(Action::Pick(Subject::Pixel([100, 100])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.harness.run_steps(3);
    let shown = |window: &mut Window, pane| window.state().settings.layout.is_shown(pane);
    assert!(shown(&mut window, Pane::Learn) && shown(&mut window, Pane::Debugger));
    for name in ["Timeline", "Open sample"] {
        let rect = window.harness.get_by_label(name).rect();
        let inside = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1440.0, 900.0));
        assert!(rect.width() > 40.0 && inside.contains_rect(rect), "{name}: {rect:?}");
    }
}

#[test]
fn layouts_have_names() {
    let mut window = Window::open([1440.0, 900.0], ThemeChoice::Dark);
    let mut widths = |command: Command, panes: [Pane; 3]| {
        window.run(command);
        window.harness.run_steps(3);
        for pane in panes {
            assert!(window.state().settings.layout.is_shown(pane), "{pane:?} in {command:?}");
        }
        // The list of problems is as wide as the editor above it.
        window.harness.get_by_label("No problems").rect().width()
    };
    let write = widths(Command::LayoutWrite, [Pane::Editor, Pane::Viewport, Pane::Inputs]);
    let debug = widths(Command::LayoutDebug, [Pane::Editor, Pane::Viewport, Pane::Debugger]);
    let learn = widths(Command::LayoutLearn, [Pane::Editor, Pane::Viewport, Pane::Learn]);
    assert!(write > debug && write > learn, "{write} {debug} {learn}");
    for command in [Command::LayoutWrite, Command::LayoutDebug, Command::LayoutLearn] {
        assert_eq!(command.info().menu, shadestep::command::Menu::View);
    }
}

#[test]
fn problems_are_one_line_while_there_are_none() {
    let mut window = window();
    let bar = window.harness.get_by_label("No problems").rect();
    assert!(bar.height() <= 28.0, "{bar:?}");
    assert!(!window.state().settings.layout.is_shown(Pane::Problems));
    let others = |window: &Window| {
        ["Open sample", "Rendered picture"].map(|name| window.harness.get_by_label(name).rect())
    };
    let places = others(&window);
    let text = window.state().document().expect("a program").active().text().to_owned();
    window.set_text("!!FP1.0\nBAD\n");
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("No problems").is_none());
    assert!(window.state().settings.layout.is_shown(Pane::Problems));
    assert!(!super::problems(&window).is_empty());
    assert_eq!(others(&window), places, "nothing but the editor gives way");
    window.set_text(&text);
    window.harness.run_steps(3);
    assert_eq!(window.harness.get_by_label("No problems").rect(), bar);
}

#[test]
fn settings_outlive_the_app() {
    let mut window = window();
    window.run(Command::ToggleTheme);
    window.act(Action::Show(Pane::Vertices));
    window.state().settings.recent.push("somewhere/main.fp".into());
    let course = shadestep::lesson::bundled_course();
    window.state().settings.lessons.solve(&course.lessons[2]);
    window.harness.run_steps(2);
    let folder = std::env::temp_dir().join(format!("shadestep-shell-{}", std::process::id()));
    let path = folder.join("settings.ron");
    let (mut file, ..) = SettingsFile::open(Some(path.clone()));
    assert_eq!(file.keep(&window.state().settings), None);
    file.finish().expect("written");
    let (_, settings, unread) = SettingsFile::open(Some(path));
    std::fs::remove_dir_all(folder).expect("removed");
    assert_eq!(unread, None);
    assert_eq!(settings.theme, ThemeChoice::Light);
    assert!(settings.layout.is_shown(Pane::Vertices) && !settings.layout.is_shown(Pane::Inputs));
    let solved: Vec<bool> = course.lessons.iter().map(|l| settings.lessons.is_solved(l)).collect();
    assert_eq!((solved[2], solved.iter().filter(|solved| **solved).count()), (true, 1));
    assert_eq!(settings.recent, ["somewhere/main.fp"].map(PathBuf::from));
}

#[test]
fn the_list_of_samples_goes_to_the_one_that_is_open() {
    let mut window = window();
    window.run(Command::LayoutLearn);
    let sample = shadestep::scene::bundled().last().expect("samples");
    let row = |window: &Window| {
        // The tab has the same label, but is lower.
        let rows = window.harness.get_all_by_label(sample.title).map(|node| node.rect());
        { rows }.find(|rect| rect.height() > 40.0).expect("in the list")
    };
    window.harness.run_steps(3);
    let height = window.harness.ctx.content_rect().height();
    assert!(row(&window).top() > height, "far below");
    window.act(Action::OpenSample(sample.name));
    window.until("it is open", |state| state.document().is_some_and(|d| d.name() == sample.title));
    window.settle();
    window.harness.run_steps(30);
    assert!(row(&window).bottom() <= height, "{:?}", row(&window));
}

/// Replaces the text of the focused field by typing.
fn type_over(window: &mut Window, text: &str) {
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.run_steps(2);
    window.harness.key_press(Key::Delete);
    window.harness.event(egui::Event::Text(text.to_owned()));
    window.harness.run_steps(4);
}

#[test]
fn the_palette_keeps_its_height_after_a_search_without_hits() {
    let mut window = window();
    window.run(Command::CommandPalette);
    window.harness.run_steps(6);
    let area = |window: &Window| {
        let id = egui::Id::unique("command palette");
        window.harness.ctx.memory(|memory| memory.area_rect(id)).expect("it is open")
    };
    let open = area(&window);
    assert!(open.height() > 300.0, "{open:?}");
    type_over(&mut window, "zzzz");
    assert!(window.harness.query_by_label("No match").is_some());
    type_over(&mut window, "e");
    assert_eq!(area(&window), open);
    assert_eq!(window.state().dialog, None);
}

#[test]
fn the_palette_finds_samples_by_their_folders() {
    let mut window = window();
    let sample = shadestep::scene::bundled().iter().find(|s| s.name == "14-facets").expect("a sample");
    assert!(!sample.title.contains("14-facets"));
    window.run(Command::CommandPalette);
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("14-facets".to_owned()));
    window.harness.run_steps(3);
    window.harness.key_press(Key::Enter);
    window.until("it is open", |state| state.document().is_some_and(|d| d.scene.name == sample.name));
    assert!(window.state().palette.is_none());
}

#[test]
fn samples_are_searched_and_opened_from_the_keyboard() {
    let mut window = Window::open([1440.0, 900.0], ThemeChoice::Dark);
    window.run(Command::LayoutLearn);
    window.harness.run_steps(3);
    let samples = shadestep::scene::bundled();
    let listed = |window: &Window| -> Vec<&str> {
        let is_row = |title: &str| {
            // Tabs have the same labels, but are lower.
            window.harness.query_all_by_label(title).any(|node| node.rect().height() > 40.0)
        };
        samples.iter().map(|sample| sample.title).filter(|title| is_row(title)).collect()
    };
    assert_eq!(listed(&window).len(), samples.len());
    window.harness.get_by_label("Search samples").click();
    window.harness.run_steps(2);
    // Finds a sample by a part of its title, by its folder, and by words of its README.
    type_over(&mut window, "plasma: arith");
    assert_eq!(listed(&window), ["Plasma: arithmetic and time"]);
    type_over(&mut window, "02-pla");
    assert_eq!(listed(&window), ["Plasma: arithmetic and time"]);
    type_over(&mut window, "three cosines as red");
    assert_eq!(listed(&window), ["Plasma: arithmetic and time"]);
    type_over(&mut window, "no zebras at all, ever");
    assert!(listed(&window).is_empty());
    assert!(window.harness.query_by_label("No sample matches “no zebras at all, ever”").is_some());
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(3);
    assert_eq!(listed(&window).len(), samples.len(), "Escape clears it");
    // The field keeps the focus. Arrow keys choose a hit, and Enter opens the hit.
    window.harness.event(egui::Event::Text("tessellation".to_owned()));
    window.harness.run_steps(3);
    let hits = listed(&window);
    assert!(hits.len() > 2 && hits.len() < samples.len(), "{hits:?}");
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp] {
        window.harness.key_press(key);
        window.harness.run_steps(2);
    }
    window.harness.key_press(Key::Enter);
    window.until("it is open", |state| state.document().is_some_and(|d| d.name() == hits[1]));
}
