//! The table of keys in the book matches the keys of the app, and every key that a page names does something.

use super::pages::all;
use super::snapshot::compare;
use crate::common::tree::root;
use egui::os::OperatingSystem;
use regex::Regex;
use shadestep::command::{Command, Menu};
use shadestep::keys::{self, FIXED, Gesture, Place};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

const PAGE: &str = "docs/editor.md";
const START: &str = "<!-- keys -->";
const END: &str = "<!-- /keys -->";

/// Returns a context in which keys have their Linux and Windows names.
fn context() -> egui::Context {
    let ctx = egui::Context::default();
    ctx.set_os(OperatingSystem::Nix);
    ctx
}

/// Formats keys as code spans for a table.
fn listed(keys: &[String]) -> String {
    keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect::<Vec<_>>().join(", ")
}

fn names_of(ctx: &egui::Context, command: Command) -> Vec<String> {
    keys::defaults(command).into_iter().map(|key| keys::label(ctx, key)).collect()
}

fn names_of_fixed(ctx: &egui::Context, gesture: Gesture) -> Vec<String> {
    match gesture {
        Gesture::Keys(keys) => keys.iter().map(|key| keys::label(ctx, *key)).collect(),
        Gesture::Mouse(words) => vec![words.to_owned()],
    }
}

/// Returns the generated part of the page, between the two marks.
fn generated() -> String {
    let ctx = context();
    let mut text = String::new();
    for menu in Menu::ALL {
        let _ = write!(text, "\n### {} menu\n\n| command | keys |\n|---|---|\n", menu.name());
        for command in Command::of(menu) {
            let names = names_of(&ctx, command);
            if !names.is_empty() {
                let label = command.info().label.trim_end_matches('…');
                let _ = writeln!(text, "| {label} | {} |", listed(&names));
            }
        }
    }
    for place in Place::ALL {
        let _ = write!(text, "\n### {}\n\n| effect | keys |\n|---|---|\n", place.name());
        for fixed in FIXED.iter().filter(|fixed| fixed.place == place) {
            let names = match fixed.gesture {
                Gesture::Keys(_) => listed(&names_of_fixed(&ctx, fixed.gesture)),
                Gesture::Mouse(words) => words.to_owned(),
            };
            if !names.is_empty() {
                let _ = writeln!(text, "| {} | {names} |", fixed.what);
            }
        }
    }
    text
}

/// `UPDATE_SNAPSHOTS=true` writes the table.
#[test]
#[cfg_attr(target_os = "macos", ignore = "the menus have no letters there")]
fn the_book_lists_every_key() {
    let page = fs::read_to_string(root().join(PAGE)).expect("the page about the editor");
    let page = page.replace("\r\n", "\n");
    let (before, rest) = page.split_once(START).expect("a mark before the keys");
    let (_, after) = rest.split_once(END).expect("a mark after the keys");
    compare(PAGE, &format!("{before}{START}\n{}\n{END}{after}", generated()));
}

/// Returns the keys and gestures that have an effect.
fn working() -> BTreeSet<String> {
    let ctx = context();
    let of_commands = Command::ALL.iter().flat_map(|command| names_of(&ctx, *command));
    let of_places = FIXED.iter().flat_map(|fixed| names_of_fixed(&ctx, fixed.gesture));
    of_commands.chain(of_places).collect()
}

#[test]
fn no_page_names_a_key_that_does_nothing() {
    let working = working();
    let pattern =
        Regex::new(r"\b(?:(?:Ctrl|Shift|Alt)\+)+(?:[A-Za-z0-9]+|[^\sA-Za-z0-9`])|\bF(?:[1-9]|1[0-2])\b")
            .expect("a pattern");
    let mut faults = Vec::new();
    for page in all() {
        for section in &page.sections {
            for found in pattern.find_iter(&section.text) {
                let key = found.as_str();
                // Mouse gestures have more words: "Alt+click a line number".
                let is_known =
                    working.contains(key) || working.iter().any(|name| name.starts_with(&format!("{key} ")));
                if !is_known {
                    faults.push(format!("{}, \"{}\": {key}", page.path, section.heading));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
