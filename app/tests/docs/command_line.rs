//! The pages about the command line list every command and option, and no others.

use super::pages::{Cell, Page, book_paths};
use clap::{Arg, Command};
use std::collections::BTreeSet;

fn commands() -> Vec<Command> {
    let mut command = shadestep::cli::command();
    command.build();
    command.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect()
}

fn page(command: &Command) -> Page {
    Page::read(&format!("docs/command-line/{}.md", command.get_name()))
}

/// Returns the rows of the table of options, without the header.
fn options(page: &Page) -> Vec<&[Cell]> {
    let section = page.sections.iter().find(|section| section.heading == "Options");
    let tables = section.map_or(&[][..], |section| &section.tables);
    // Tables after the first one list the values of an option.
    tables.iter().take(1).flat_map(|table| &table[1..]).map(Vec::as_slice).collect()
}

/// Returns the option names in the first cell of a row, such as `-o` and `--output`.
fn names(row: &[Cell]) -> BTreeSet<String> {
    row[0].codes.iter().filter_map(|code| code.split(' ').next()).map(str::to_owned).collect()
}

fn names_of(argument: &Arg) -> BTreeSet<String> {
    let short = argument.get_short().map(|letter| format!("-{letter}"));
    short.into_iter().chain(argument.get_long().map(|name| format!("--{name}"))).collect()
}

fn is_help(argument: &Arg) -> bool {
    matches!(argument.get_id().as_str(), "help" | "version")
}

#[test]
fn every_command_has_a_page_and_every_page_a_command() {
    let pages = book_paths().into_iter().filter_map(|path| {
        let name = path.strip_prefix("docs/command-line/")?.strip_suffix(".md")?;
        (name != "README").then(|| name.to_owned())
    });
    let names = commands().iter().map(|command| command.get_name().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(pages.collect::<BTreeSet<_>>(), names);
    let overview = Page::read("docs/command-line/README.md");
    for name in names {
        assert!(overview.links.contains(&format!("{name}.md")), "the overview does not list {name}");
    }
}

#[test]
fn every_option_is_documented_and_every_documented_option_exists() {
    for command in commands() {
        let page = page(&command);
        let arguments = command.get_arguments().filter(|argument| !is_help(argument));
        let known: BTreeSet<_> = arguments.map(names_of).filter(|names| !names.is_empty()).collect();
        let documented: BTreeSet<_> = options(&page).into_iter().map(names).collect();
        assert_eq!(documented, known, "{}", page.path);
    }
}

#[test]
fn values_and_defaults_are_as_documented() {
    for command in commands() {
        let page = page(&command);
        for argument in command.get_arguments().filter(|argument| !is_help(argument)) {
            let own = names_of(argument);
            if own.is_empty() {
                continue;
            }
            let rows = options(&page);
            let row = rows.into_iter().find(|row| names(row) == own);
            let row = row.unwrap_or_else(|| panic!("{}: no {own:?}", page.path));
            let what = format!("{}: {own:?}", page.path);
            let values = argument.get_possible_values();
            let takes_value = argument.get_action().takes_values();
            if takes_value && values.is_empty() {
                let value = argument.get_value_names().expect("an option with a value names it")[0].as_str();
                assert!(row[0].text.contains(&format!(" {value}")), "{what} takes {value}");
            }
            if takes_value && !argument.is_hide_default_value_set() {
                for default in argument.get_default_values() {
                    let default = default.to_string_lossy();
                    assert!(row[1].codes.iter().any(|code| *code == default), "{what}: default {default}");
                }
            }
            let all = page.sections.iter().flat_map(|section| section.tables.iter().flatten().flatten());
            let listed: BTreeSet<&str> =
                all.flat_map(|cell| &cell.codes).flat_map(|code| code.split(['|', ' '])).collect();
            for value in values.iter().filter(|_| takes_value) {
                assert!(listed.contains(value.get_name()), "{what}: value {}", value.get_name());
            }
        }
    }
}

#[test]
fn the_synopsis_names_every_argument() {
    for mut command in commands() {
        let page = page(&command);
        let usage = command.render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").replace("shadestep-", "shadestep ");
        // The page writes `OPTIONS` for all options, so only positional arguments are compared.
        let of_arguments = command.get_positionals().map(ToString::to_string);
        let synopsis = &page.blocks[0].code;
        for argument in of_arguments {
            assert!(synopsis.contains(&argument), "{}: {argument} of {usage}", page.path);
        }
        assert!(synopsis.starts_with(&format!("shadestep {}", command.get_name())), "{}", page.path);
    }
}
