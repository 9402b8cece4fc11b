//! Examples in the book work: scenes and programs load, and commands print the output on the page.

use super::pages::{Page, all};
use crate::common::tree::root;
use regex::Regex;
use shadestep::scene::{self, Folder, Known, Reach, Slot};
use shadestep::session;
use std::path::Path;
use std::process::{Command, Stdio};

/// Completes an example with a program if the example has none. Returns the text, and the folder with the
/// files that examples name.
pub fn scene_folder(example: &str) -> (String, Folder) {
    let has_program = ["[program]", "[[state_program]]"].iter().any(|table| example.contains(table));
    let program = if has_program { "" } else { "\n[program]\nfragment = \"main.fp\"\n" };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/docs/files");
    (format!("{example}{program}"), Folder::Disk(folder))
}

/// Returns the code of all blocks with the info string `info`, each with the path of its page.
fn blocks(info: &str) -> Vec<(String, String)> {
    let of_page = |page: Page| {
        let path = page.path;
        let own = page.blocks.into_iter().filter(|block| block.info == info);
        own.map(|block| (path.clone(), block.code)).collect::<Vec<_>>()
    };
    let found: Vec<_> = all().into_iter().flat_map(of_page).collect();
    assert!(!found.is_empty(), "no page has a block \"{info}\"");
    found
}

#[test]
fn scenes_load() {
    for (page, code) in blocks("toml scene") {
        let (text, folder) = scene_folder(&code);
        let scene = scene::read(&text, ("example", None), &folder, Known::default(), Reach::Files);
        let scene = scene.unwrap_or_else(|error| panic!("{page}: {error:?}\n{text}"));
        assert!(scene.warnings.is_empty(), "{page}: {:?}\n{text}", scene.warnings);
        let programs = session::compile_scene(&scene);
        for (slot, compiled) in programs.iter() {
            assert!(compiled.program.is_some(), "{page}: {slot}: {:#?}\n{text}", compiled.diagnostics);
        }
        let program = |slot| programs.get(slot)?.program.as_deref();
        let checked = scene.check_programs(program);
        checked.unwrap_or_else(|error| panic!("{page}: {error}\n{text}"));
        let unknown = scene.parameter_warnings(program);
        assert!(unknown.is_empty(), "{page}: {unknown:?}\n{text}");
    }
}

#[test]
fn programs_load() {
    for (page, code) in blocks("nv program") {
        let compiled = session::compile_for(Slot::of_text(code.as_bytes()), code.as_bytes().into());
        assert!(compiled.program.is_some(), "{page}: {:#?}\n{code}", compiled.diagnostics);
        assert!(compiled.diagnostics.is_empty(), "{page}: {:#?}\n{code}", compiled.diagnostics);
    }
}

/// A command and its expected output.
struct Example {
    arguments: Vec<String>,
    output: Vec<String>,
}

/// Returns the commands of a block. A backslash at the end of a line continues the command on the next line.
fn commands(code: &str) -> Vec<Example> {
    let code = code.replace("\\\n", " ");
    let mut examples: Vec<Example> = Vec::new();
    for line in code.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example { arguments: words(command), output: Vec::new() });
        } else {
            let example = examples.last_mut().unwrap_or_else(|| panic!("no command before \"{line}\""));
            example.output.push(line.to_owned());
        }
    }
    examples
}

/// Splits a command into words, and removes quotes.
fn words(command: &str) -> Vec<String> {
    let word = Regex::new(r#""([^"]*)"|'([^']*)'|(\S+)"#).expect("a pattern");
    let found = word.captures_iter(command);
    found.map(|found| found.iter().skip(1).flatten().map(|part| part.as_str()).collect()).collect()
}

/// Returns a pattern for the output on a page. `...` matches any text, and on a line alone any lines.
fn pattern(lines: &[String]) -> Regex {
    let of_line = |line: &String| match line.trim() {
        "..." => "(?:.*\n)*".to_owned(),
        _ => format!("{}\n", regex::escape(line).replace(r"\.\.\.", ".*")),
    };
    Regex::new(&format!("^{}$", lines.iter().map(of_line).collect::<String>())).expect("a pattern")
}

#[test]
fn commands_print_what_the_pages_show() {
    for (page, code) in blocks("console") {
        for Example { arguments, output } in commands(&code) {
            let command = arguments.join(" ");
            assert_eq!(arguments[0], "shadestep", "{page}: {command}: another program");
            assert!(
                !command.contains(" | ") && !command.contains(" > "),
                "{page}: {command}: a shell is needed"
            );
            let mut run = Command::new(env!("CARGO_BIN_EXE_shadestep"));
            run.args(&arguments[1..]).current_dir(root()).stdin(Stdio::null());
            // No example may open a window.
            run.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
            let finished = run.output().unwrap_or_else(|error| panic!("{command}: {error}"));
            let [out, err] = [&finished.stdout, &finished.stderr].map(|text| String::from_utf8_lossy(text));
            assert_eq!(finished.status.code(), Some(0), "{page}: {command}: {err}");
            if !output.is_empty() {
                let shown = output.join("\n");
                assert!(
                    pattern(&output).is_match(&out),
                    "{page}: {command}: shown:\n{shown}\nprinted:\n{out}"
                );
            }
        }
    }
}

#[test]
fn dots_stand_for_any_text() {
    let matches = |shown: &[&str], printed: &str| {
        let shown: Vec<String> = shown.iter().map(|&line| line.to_owned()).collect();
        pattern(&shown).is_match(printed)
    };
    assert!(matches(&["a", "...", "c"], "a\nb\nb\nc\n") && matches(&["a", "...", "c"], "a\nc\n"));
    assert!(matches(&["x: 1 ... 3"], "x: 1 2 3\n") && !matches(&["x: 1 ... 3"], "x: 1 2 4\n"));
    assert!(!matches(&["a"], "a\nb\n") && !matches(&["a.c"], "abc\n"));
}
