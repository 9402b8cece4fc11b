//! Changes preferences: theme, font, tab width and keys.

use super::files::answer_prompt;
use crate::command::Command;
use crate::keys;
use crate::settings::{KeyChanges, TextLook};
use crate::state::{Dialog, NoticeKind, State};
use crate::tasks::{Purpose, Question};
use crate::theme::{self, FontFile, ThemeChoice};
use egui::KeyboardShortcut;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) fn set_theme(state: &mut State, ctx: &egui::Context, choice: ThemeChoice) {
    state.settings.theme = choice;
    theme::select(ctx, choice);
}

/// Switches to the other theme.
pub(super) fn toggle_theme(state: &mut State, ctx: &egui::Context) {
    let other = match ctx.theme() {
        egui::Theme::Dark => ThemeChoice::Light,
        egui::Theme::Light => ThemeChoice::Dark,
    };
    set_theme(state, ctx, other);
}

pub(super) fn set_text_look(state: &mut State, ctx: &egui::Context, look: TextLook) {
    let before = std::mem::replace(&mut state.settings.text, look);
    if before.tab_width() != look.tab_width() {
        set_code_font(state, ctx);
    }
}

/// Installs the font of the state for program text. Laid-out lines are laid out again.
fn set_code_font(state: &mut State, ctx: &egui::Context) {
    theme::set_code_font(ctx, state.font.file.as_deref(), state.settings.text.tab_width());
    state.stale.text = true;
}

pub(super) fn choose_font(state: &State) {
    let folder = state.settings.font.as_deref().and_then(|path| path.parent());
    let folder = folder.map(std::path::Path::to_path_buf);
    state.services.tasks.ask(Question { purpose: Purpose::Font, folder, name: String::new() });
}

/// Uses the font file at `path`. Reports an error in the prompt for the path, in Preferences, or in a notice,
/// and keeps the current font.
pub(super) fn take_font(
    state: &mut State,
    ctx: &egui::Context,
    path: PathBuf,
    font: Result<FontFile, String>,
) {
    let is_asked =
        matches!(&state.dialog, Some(Dialog::Path(prompt)) if prompt.question.purpose == Purpose::Font);
    let is_told = answer_prompt(state, |purpose| *purpose == Purpose::Font, &font);
    if is_asked && state.dialog.is_none() {
        state.dialog = Some(Dialog::Preferences);
    }
    match font {
        Ok(font) => {
            state.font = theme::CodeFont { file: Some(Arc::new(font)), fault: None };
            state.settings.font = Some(path);
            set_code_font(state, ctx);
        }
        Err(_) if is_told => {}
        Err(fault) => {
            if state.dialog != Some(Dialog::Preferences) {
                state.notify(NoticeKind::Error, fault.clone());
            }
            state.font.fault = Some(fault);
        }
    }
}

pub(super) fn use_bundled_font(state: &mut State, ctx: &egui::Context) {
    state.font = theme::CodeFont::default();
    state.settings.font = None;
    set_code_font(state, ctx);
}

/// Gives `command` these keys. Commands that have one of the keys lose it and keep their others.
pub(super) fn set_keys(state: &mut State, ctx: &egui::Context, command: Command, given: &[KeyboardShortcut]) {
    let keymap = keys::of(ctx);
    let changes = &mut state.settings.keys;
    for other in Command::ALL.iter().copied().filter(|other| *other != command) {
        let had = keymap.of(other);
        if had.iter().any(|key| given.contains(key)) {
            let left: Vec<KeyboardShortcut> =
                had.iter().copied().filter(|key| !given.contains(key)).collect();
            changes.set(other, &left);
        }
    }
    changes.set(command, given);
    keys::install(ctx, changes);
}

pub(super) fn reset_keys(state: &mut State, ctx: &egui::Context) {
    state.settings.keys = KeyChanges::default();
    keys::install(ctx, &state.settings.keys);
}

/// Returns the window that opens when `dialog` closes: Preferences, if it asked for a font.
pub(super) fn behind(dialog: Dialog) -> Option<Dialog> {
    match dialog {
        Dialog::Path(prompt) if prompt.question.purpose == Purpose::Font => Some(Dialog::Preferences),
        _ => None,
    }
}
