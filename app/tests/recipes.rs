//! Tests of ARCHITECTURE.md: every path in the text exists, and each kind of addition has a recipe.

use std::path::Path;

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

#[test]
fn every_path_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let missing: Vec<&str> = paths(ARCHITECTURE).filter(|path| !root.join(path).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names files that do not exist: {missing:#?}");
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
