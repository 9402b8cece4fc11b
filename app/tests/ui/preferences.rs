//! Preferences: keys, font, tab width and theme. Also the list of all keys.

use super::{SIZE, window, with_program};
use crate::support::Window;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::keys::{self, FIXED};
use shadestep::settings::{Settings, SettingsFile};
use shadestep::state::Dialog;
use shadestep::tasks::{PathPrompt, Purpose, Question};
use shadestep::theme::{self, ThemeChoice};
use shadestep_engine::source::Span;
use std::path::PathBuf;

const BOTH: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.harness.key_press_modifiers(modifiers, key);
    window.harness.run_steps(3);
}

fn click(window: &mut Window, label: &str) {
    window.harness.get_by_label(label).click();
    window.harness.run_steps(3);
}

/// Opens the table of keys, filtered by `query`.
fn key_table(window: &mut Window, query: &str) {
    press(window, Modifiers::COMMAND, Key::Comma);
    click(window, "Keys");
    window.harness.get_by_label("Search commands and keys").click();
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text(query.to_owned()));
    window.harness.run_steps(3);
}

fn has_label(window: &Window, words: &str) -> bool {
    let has = |text: Option<String>| text.is_some_and(|text| text.contains(words));
    window.harness.query_all_by(|node| has(node.label()) || has(node.value())).next().is_some()
}

/// Returns the keys in effect, in the format of the settings file.
fn keys_of(window: &Window, command: Command) -> Vec<String> {
    keys::of(&window.harness.ctx).of(command).iter().copied().map(keys::write).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("shadestep-preferences-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn a_changed_key_works_and_shows_everywhere_and_the_old_one_does_not() {
    let mut window = window();
    let theme = |window: &mut Window| window.state().settings.theme;
    key_table(&mut window, "switch theme");
    click(&mut window, "Switch theme: Ctrl+Shift+L");
    press(&mut window, Modifiers::COMMAND, Key::J);
    assert!(window.harness.query_by_label("Switch theme: Ctrl+J").is_some());
    assert_eq!(theme(&mut window), ThemeChoice::Dark, "keys in the window run no command");
    click(&mut window, "Close");
    assert_eq!(window.state().dialog, None);
    press(&mut window, BOTH, Key::L);
    assert_eq!(theme(&mut window), ThemeChoice::Dark);
    press(&mut window, Modifiers::COMMAND, Key::J);
    assert_eq!(theme(&mut window), ThemeChoice::Light);
    assert!(Command::ToggleTheme.tooltip(&window.harness.ctx).ends_with("(Ctrl+J)"));
    click(&mut window, "View");
    assert!(has_label(&window, "Switch theme Ctrl+J"), "in the menu");
    press(&mut window, Modifiers::NONE, Key::Escape);
    // The reset gives the command its default key again.
    key_table(&mut window, "switch theme");
    click(&mut window, "Reset the keys for Switch theme");
    assert_eq!(keys_of(&window, Command::ToggleTheme), ["Ctrl+Shift+L"]);
    assert!(window.state().settings.keys.is_empty());
}

#[test]
fn a_key_that_another_command_has_is_offered() {
    let mut window = window();
    key_table(&mut window, "find");
    click(&mut window, "Find: Ctrl+F");
    press(&mut window, Modifiers::COMMAND, Key::O);
    assert!(has_label(&window, "Ctrl+O already runs “Open”."));
    assert_eq!(keys_of(&window, Command::Find), ["Ctrl+F"], "not before it is agreed to");
    click(&mut window, "Press another key");
    press(&mut window, BOTH, Key::R);
    assert_eq!(keys_of(&window, Command::Find), ["Ctrl+Shift+R"]);
    click(&mut window, "Add a key for Find");
    press(&mut window, Modifiers::COMMAND, Key::O);
    click(&mut window, "Reassign to Find");
    assert_eq!(keys_of(&window, Command::Find), ["Ctrl+Shift+R", "Ctrl+O"]);
    assert_eq!(keys_of(&window, Command::Open), [""; 0]);
    // Resetting Open asks to take its key from the other command too.
    window.act(Action::CloseDialog);
    window.harness.run_steps(2);
    key_table(&mut window, "open");
    click(&mut window, "Reset the keys for Open");
    assert!(has_label(&window, "Ctrl+O already runs “Find”."));
    click(&mut window, "Reassign to Open");
    assert_eq!(keys_of(&window, Command::Open), ["Ctrl+O"]);
    assert_eq!(keys_of(&window, Command::Find), ["Ctrl+Shift+R"]);
    click(&mut window, "Reset all keys");
    assert_eq!(keys_of(&window, Command::Find), ["Ctrl+F"]);
}

#[test]
fn keys_of_text_are_refused_with_a_reason_and_keys_can_be_removed() {
    let mut window = window();
    key_table(&mut window, "save");
    click(&mut window, "Save: Ctrl+S");
    press(&mut window, Modifiers::NONE, Key::K);
    assert!(has_label(&window, "K types text. Add Ctrl or Alt."));
    window.harness.event(egui::Event::Copy);
    window.harness.run_steps(2);
    assert!(has_label(&window, "Ctrl+C always runs “Copy” in text fields."));
    press(&mut window, Modifiers::ALT, Key::F);
    assert!(has_label(
        &window,
        "Alt+F is a fixed key. In dialogs and menus: Open a menu by its first letter."
    ));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.state().dialog, Some(Dialog::Preferences), "the change alone is given up");
    assert_eq!(keys_of(&window, Command::Save), ["Ctrl+S"]);
    click(&mut window, "Change Ctrl+S for Save");
    click(&mut window, "Remove Ctrl+S");
    assert_eq!(keys_of(&window, Command::Save), [""; 0]);
    assert!(window.harness.query_by_label("Save: no key").is_some());
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.state().dialog, None);
}

#[test]
fn preferences_outlive_the_app() {
    let folder = folder("kept");
    let font = folder.join("some font.otf");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/fonts/Inter-Regular.otf"), &font)
        .expect("a font");
    let path = folder.join("settings.ron");
    let mut before = window();
    before.act(Action::SetKeys(Command::Save, vec![keys::parse("Ctrl+J").expect("a key")]));
    before.act(Action::SetTheme(ThemeChoice::System));
    let look = before.state().settings.text.with_tab_width(7);
    before.act(Action::SetTextLook(look));
    before.state().services.tasks.read_font(font.clone());
    before.until("the font is there", |state| state.font.file.is_some());
    let (mut file, ..) = SettingsFile::open(Some(path.clone()));
    assert_eq!(file.keep(&before.state().settings), None);
    file.finish().expect("written");
    let (_, settings, unread) = SettingsFile::open(Some(path.clone()));
    assert_eq!(unread, None);
    let mut after = Window::build(None, SIZE, settings, None, |_| {});
    after.settle();
    assert_eq!(keys_of(&after, Command::Save), ["Ctrl+J"]);
    assert_eq!(after.state().settings.theme, ThemeChoice::System);
    assert_eq!(after.state().settings.text.tab_width(), 7);
    assert_eq!(after.state().font.file.as_ref().expect("read again").path, font);
    // Invalid entries and entries of other versions do not affect the rest.
    let text = std::fs::read_to_string(&path).expect("written");
    let odd = text
        .replace("\"Save\": [\n            \"Ctrl+J\",\n        ]", "\"Save\": 5, \"Later\": [\"Ctrl+J\"]")
        .replace("tab_width: Some(7)", "tab_width: \"wide\"");
    assert!(odd.contains("Later") && odd.contains("wide"), "{text}");
    std::fs::write(&path, odd).expect("written");
    let (_, settings, unread) = SettingsFile::open(Some(path));
    assert_eq!(unread, None);
    assert_eq!((settings.theme, settings.text.tab_width()), (ThemeChoice::System, theme::TAB_WIDTH));
    assert_eq!(settings.font, Some(font));
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_tab_width_changes_what_tab_types_and_enter_indents_by() {
    let mut window = with_program("!!FP1.0\nIF EQ.x;\nENDIF;\nEND\n");
    let text = |window: &mut Window| window.state().document().expect("a program").active().text().to_owned();
    window.run(Command::Preferences);
    window.harness.run_steps(3);
    click(&mut window, "2");
    click(&mut window, "Close");
    window.act(Action::Jump(Span::at(8)));
    window.harness.run_steps(3);
    press(&mut window, Modifiers::NONE, Key::Tab);
    assert!(text(&mut window).starts_with("!!FP1.0\n  IF EQ.x;\n"), "{:?}", text(&mut window));
    press(&mut window, Modifiers::NONE, Key::End);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(text(&mut window).starts_with("!!FP1.0\n  IF EQ.x;\n    \n"), "{:?}", text(&mut window));
    press(&mut window, Modifiers::COMMAND, Key::OpenBracket);
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    press(&mut window, Modifiers::COMMAND, Key::OpenBracket);
    assert!(text(&mut window).starts_with("!!FP1.0\nIF EQ.x;\n"), "{:?}", text(&mut window));
    press(&mut window, Modifiers::COMMAND, Key::CloseBracket);
    assert!(text(&mut window).starts_with("!!FP1.0\n  IF EQ.x;\n"), "{:?}", text(&mut window));
}

#[test]
fn a_file_that_is_no_font_is_told_and_the_font_in_use_stays() {
    let folder = folder("fonts");
    let (good, bad) = (folder.join("good.otf"), folder.join("bad.ttf"));
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/fonts/Inter-Regular.otf"), &good)
        .expect("a font");
    std::fs::write(&bad, "no font").expect("a file");
    let mut window = window();
    let width =
        |window: &Window| window.harness.ctx.fonts_mut(|fonts| fonts.glyph_width(&theme::code_font(), 'i'));
    let bundled = width(&window);
    // Uses the app's own prompt, which replaces the system's file dialog.
    let choose = |window: &mut Window, path: &PathBuf| {
        let question = Question { purpose: Purpose::Font, folder: None, name: String::new() };
        window.state().dialog = Some(Dialog::Path(Box::new(PathPrompt::new(question))));
        window.act(Action::PathTyped(path.to_string_lossy().into_owned()));
        window.act(Action::PathEntered);
        window.until("the font is read", |state| !state.services.tasks.is_busy());
        window.harness.run_steps(3);
    };
    choose(&mut window, &bad);
    assert!(has_label(&window, "bad.ttf is not a font. Choose a .ttf or .otf file."));
    let Some(Dialog::Path(prompt)) = &window.state().dialog else { panic!("the prompt has closed") };
    assert!(prompt.text.ends_with("bad.ttf"), "{}", prompt.text);
    assert_eq!((width(&window), window.state().settings.font.clone()), (bundled, None));
    choose(&mut window, &good);
    assert_eq!(window.state().dialog, Some(Dialog::Preferences));
    let chosen = width(&window);
    assert!(chosen < bundled * 0.8, "{chosen} {bundled}: program text is set in it");
    assert!(!has_label(&window, "is not a font"));
    choose(&mut window, &bad);
    assert!(has_label(&window, "is not a font"));
    assert_eq!((width(&window), window.state().settings.font.clone()), (chosen, Some(good)));
    // Closing the prompt shows Preferences again.
    window.act(Action::CloseDialog);
    window.harness.run_steps(3);
    click(&mut window, "Use bundled font");
    assert_eq!((width(&window), window.state().settings.font.clone()), (bundled, None));
    // If the file is missing when the app starts, the app shows a notice and uses the bundled font.
    let settings = Settings { font: Some(bad), ..Settings::default() };
    let mut window = Window::build(None, SIZE, settings, None, |_| {});
    window.settle();
    assert!(window.state().notices.iter().any(|notice| notice.text.contains("is not a font")));
    assert_eq!(width(&window), bundled);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_size_of_the_text_is_set_by_steps() {
    let mut window = window();
    let size = |window: &mut Window| window.state().settings.text.font().size;
    let usual = size(&mut window);
    window.run(Command::Preferences);
    window.harness.run_steps(3);
    click(&mut window, "Increase font size");
    click(&mut window, "Increase font size");
    assert_eq!(size(&mut window), usual + 2.0);
    click(&mut window, "Decrease font size");
    click(&mut window, "Default size");
    assert_eq!(size(&mut window), usual);
    click(&mut window, "Light");
    assert_eq!(window.state().settings.theme, ThemeChoice::Light);
    assert_eq!(window.harness.ctx.theme(), egui::Theme::Light);
    click(&mut window, "System");
    assert_eq!(window.harness.ctx.options(|options| options.theme_preference), egui::ThemePreference::System);
}

#[test]
fn the_sheet_lists_every_key_in_effect() {
    let mut window = window();
    window.act(Action::SetKeys(Command::Save, vec![keys::parse("Ctrl+J").expect("a key")]));
    press(&mut window, Modifiers::COMMAND, Key::K);
    assert_eq!(window.state().dialog, Some(Dialog::Keys));
    let ctx = window.harness.ctx.clone();
    let keymap = keys::of(&ctx);
    let mut listed = 0;
    for &command in Command::ALL {
        let own: Vec<String> = keymap.of(command).iter().map(|key| keys::label(&ctx, *key)).collect();
        let label = format!("{}: {}", command.info().label.trim_end_matches('…'), own.join(", "));
        if !own.is_empty() {
            assert!(window.harness.query_by_label(&label).is_some(), "{label}");
            listed += 1;
        }
    }
    assert!(listed > 80, "{listed}");
    for fixed in FIXED {
        assert!(has_label(&window, fixed.what), "{}", fixed.what);
    }
    window.harness.event(egui::Event::Text("ctrl+j".to_owned()));
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("Save: Ctrl+J").is_some());
    assert!(window.harness.query_by_label("Find: Ctrl+F").is_none());
    click(&mut window, "Change keys…");
    assert!(window.harness.query_by_label("Search commands and keys").is_some());
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.state().dialog, None);
}

/// `SHADESTEP_PICTURES=FOLDER` writes pictures for a person to look at.
#[test]
fn both_windows_fit_any_window_and_scale() {
    let folder = std::env::var_os("SHADESTEP_PICTURES");
    for (choice, theme) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        for scale in [1.0, 2.0] {
            let mut window = Window::open(SIZE, choice);
            window.harness.set_pixels_per_point(scale);
            let keep = |window: &mut Window, name: &str| {
                window.harness.run_steps(4);
                let inside = window.harness.ctx.content_rect();
                let close = window.harness.get_by_label("Close").rect();
                assert!(inside.contains_rect(close), "{name}: {close:?}");
                let picture = window.harness.render().expect("the CPU renderer renders");
                if let Some(folder) = &folder {
                    let name = format!("{name}-{theme}-{scale}.png");
                    picture.save(std::path::Path::new(folder).join(name)).expect("it can be written");
                }
            };
            window.run(Command::Preferences);
            keep(&mut window, "look");
            click(&mut window, "Keys");
            keep(&mut window, "keys");
            click(&mut window, "New program: Ctrl+N");
            keep(&mut window, "keys-asked");
            press(&mut window, Modifiers::COMMAND, Key::S);
            keep(&mut window, "keys-taken");
            window.act(Action::CloseDialog);
            window.run(Command::ShowKeys);
            keep(&mut window, "sheet");
        }
    }
}
