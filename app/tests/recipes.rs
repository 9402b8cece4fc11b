//! Tests of the notes for contributors. Every path and every test that the notes name exists. In
//! ARCHITECTURE.md, each kind of addition has a recipe.

use crate::common::tree;
use std::fs;

const ARCHITECTURE: &str = include_str!("../../ARCHITECTURE.md");
const RECIPES: [&str; 10] = [
    "An instruction",
    "A language option",
    "A load error",
    "A texture format",
    "A panel",
    "A command",
    "A scene key",
    "A back end",
    "A sample",
    "A lesson",
];

/// Returns the words in backticks that are paths from the workspace's root.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| word.contains('/') && !word.contains(' '))
}

/// Returns the outer modules of tests that a text names: `docs` in `--test all docs::`.
fn tests(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("--test all ").skip(1);
    let named = after.flat_map(|rest| rest.split(['`', '\n']).next().unwrap_or_default().split(' '));
    named.filter_map(|word| Some(word.split_once("::")?.0))
}

/// Returns true if a crate of the workspace has this module of integration tests.
fn is_test(name: &str) -> bool {
    ["app", "engine", "fuzz/checks"].iter().any(|folder| {
        let tests = tree::root().join(folder).join("tests");
        tests.join(format!("{name}.rs")).exists() || tests.join(name).join("mod.rs").exists()
    })
}

/// Returns the notes for contributors, each with its path.
fn notes() -> Vec<(String, String)> {
    let mut paths = tree::files("docs/internals", "md");
    // The style guide quotes names that no longer exist.
    paths.retain(|path| path != "docs/internals/style.md");
    paths.extend(["CONTRIBUTING.md", "ARCHITECTURE.md"].map(str::to_owned));
    let read = |path: String| {
        let text = fs::read_to_string(tree::root().join(&path)).expect("a page in UTF-8");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_path_exists() {
    // `TARGET` stands for any fuzz target.
    let exists = |path: &str| path == "fuzz/finds/TARGET/" || tree::root().join(path).exists();
    for (note, text) in notes() {
        let missing: Vec<&str> = paths(&text).filter(|path| !exists(path)).collect();
        assert!(missing.is_empty(), "{note} names files that do not exist: {missing:#?}");
    }
}

#[test]
fn every_test_exists() {
    for (note, text) in notes() {
        let missing: Vec<&str> = tests(&text).filter(|name| !is_test(name)).collect();
        assert!(missing.is_empty(), "{note} names tests that do not exist: {missing:#?}");
    }
}

#[test]
fn each_addition_has_a_recipe() {
    let (_, recipes) = ARCHITECTURE.split_once("\n## How to add\n").expect("the section on additions");
    let (recipes, _) = recipes.split_once("\n## ").expect("a section after it");
    let parts: Vec<(&str, &str)> =
        recipes.split("\n### ").skip(1).filter_map(|part| part.split_once('\n')).collect();
    let titles: Vec<&str> = parts.iter().map(|(title, _)| *title).collect();
    assert_eq!(titles, RECIPES);
    for (title, text) in parts {
        assert!(text.contains("Fails first: "), "{title}: names no test");
        let steps: Vec<&str> =
            text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
        assert!(steps.len() > 1, "{title}: has no steps");
        for (index, step) in steps.into_iter().enumerate() {
            let named = step.strip_prefix(&format!("{}. `", index + 1));
            assert!(named.is_some_and(|rest| paths(&format!("`{rest}")).next().is_some()), "{title}: {step}");
        }
    }
}
