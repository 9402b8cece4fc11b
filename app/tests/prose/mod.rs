//! Checks texts against the rules of `docs/internals/style.md`: pages, lessons, labels, messages, the
//! reference, help texts and doc comments. A failure names the place, the rule and the words.

mod comments;
mod markdown;
mod rules;
mod strings;

use crate::common::tree;
use std::fs;

use rules::{Kind, Measure};

/// Correct passages that a rule would reject: the end of the file's path, the words that the rule finds, and
/// the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("samples/39-portal/README.md", "everything is behind it", "space"),
    ("samples/57-hash/README.md", "the one behind it", "space"),
];

/// A passage of a text that users read.
struct Passage {
    path: String,
    line: usize,
    text: String,
}

fn read(path: &str) -> String {
    fs::read_to_string(tree::root().join(path)).expect("a text file")
}

/// Returns the paths of the Markdown pages: the README, the book and the notes for contributors.
fn pages() -> Vec<String> {
    let mut pages = tree::files("docs", "md");
    // The style guide quotes the habits that the rules reject.
    pages.retain(|page| page != "docs/internals/style.md");
    pages.extend(tree::AT_ROOT.map(str::to_owned));
    pages.push("engine/README.md".to_owned());
    pages
}

fn in_markdown(paths: Vec<String>) -> Vec<Passage> {
    let mut passages = Vec::new();
    for path in paths {
        let blocks = markdown::blocks(&read(&path)).into_iter();
        passages.extend(blocks.map(|block| Passage {
            path: path.clone(),
            line: block.line,
            text: block.text,
        }));
    }
    passages
}

/// Returns the texts of every `lesson.toml`.
fn in_lessons() -> Vec<Passage> {
    let mut passages = Vec::new();
    let all = tree::files("samples/lessons", "toml").into_iter();
    for path in all.filter(|path| path.ends_with("/lesson.toml")) {
        let text = read(&path);
        let lines = text.lines().enumerate();
        let words = lines.filter(|(_, line)| !line.trim_start().starts_with('#'));
        passages.extend(words.map(|(number, line)| Passage {
            path: path.clone(),
            line: number + 1,
            text: line.split_once('"').map_or(line, |(_, value)| value).to_owned(),
        }));
    }
    passages
}

/// Returns the string literals of at least two words in the sources of the crates below `folder`.
fn in_sources(folder: &str) -> Vec<Passage> {
    let mut passages = Vec::new();
    for path in tree::files(folder, "rs") {
        if !path.contains("/src/") || path.contains("/tests/") || path.ends_with("tests.rs") {
            continue;
        }
        let literals = strings::literals(&read(&path)).into_iter();
        let words = literals.filter(|(_, text)| text.split_whitespace().count() > 1);
        passages.extend(words.map(|(line, text)| Passage { path: path.clone(), line, text }));
    }
    passages
}

/// Returns true if the window shows code spans of this file's texts in a code font.
fn has_spans(path: &str) -> bool {
    ["engine/", "app/src/lesson/", "app/src/session/memory.rs", "app/src/scene/"]
        .iter()
        .any(|of| path.starts_with(of))
}

/// The paragraphs of doc comments in the sources below `folder`, tests included.
fn in_comments(folder: &str) -> Vec<Passage> {
    let mut passages = Vec::new();
    for path in tree::files(folder, "rs") {
        let paragraphs = comments::paragraphs(&read(&path)).into_iter();
        passages.extend(paragraphs.map(|(line, text)| Passage { path: path.clone(), line, text }));
    }
    passages
}

fn in_help() -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut commands = vec![shadestep::cli::command()];
    while let Some(command) = commands.pop() {
        let mut texts: Vec<String> = command.get_about().into_iter().map(ToString::to_string).collect();
        for argument in command.get_arguments() {
            let help = argument.get_long_help().or_else(|| argument.get_help());
            texts.extend(help.map(ToString::to_string));
        }
        let path = format!("shadestep {} --help", command.get_name());
        passages.extend(texts.into_iter().map(|text| Passage { path: path.clone(), line: 0, text }));
        commands.extend(command.get_subcommands().cloned());
    }
    passages
}

/// Returns the faults of `passages`, one per line. Marks the exceptions that apply in `met`.
fn faults(passages: &[Passage], kind: Kind, met: &mut [bool]) -> Vec<String> {
    let mut found = Vec::new();
    for Passage { path, line, text } in passages {
        for (rule, words) in rules::broken(text, kind) {
            let exception =
                EXCEPTIONS.iter().position(|(of, excepted, _)| path.ends_with(of) && text.contains(excepted));
            match exception {
                Some(exception) => met[exception] = true,
                None => found.push(format!("{path}:{line}: {rule} [{words}]: {text}")),
            }
        }
    }
    found
}

#[test]
fn words_that_users_read_keep_to_the_style() {
    let mut met = vec![false; EXCEPTIONS.len()];
    let mut found = faults(&in_markdown(pages()), Kind::Page, &mut met);
    let mut others = tree::files("samples", "md");
    others.extend(tree::files("engine/tests/conformance", "md"));
    found.extend(faults(&in_markdown(others), Kind::Page, &mut met));
    found.extend(faults(&in_lessons(), Kind::Page, &mut met));
    found.extend(faults(&in_help(), Kind::Message, &mut met));
    for folder in ["app", "engine"] {
        let passages = in_sources(folder);
        assert!(passages.len() > 1000, "{folder} has texts");
        let (spans, messages): (Vec<_>, Vec<_>) =
            passages.into_iter().partition(|passage| has_spans(&passage.path));
        found.extend(faults(&messages, Kind::Message, &mut met));
        found.extend(faults(&spans, Kind::Spans, &mut met));
    }
    for folder in ["app/src", "app/tests", "engine", "fuzz/checks"] {
        let passages = in_comments(folder);
        assert!(passages.len() > 10, "{folder} has comments");
        found.extend(faults(&passages, Kind::Spans, &mut met));
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
    assert!(EXCEPTIONS.len() <= 20, "at most 20 exceptions");
    for (met, exception) in met.iter().zip(EXCEPTIONS) {
        assert!(met, "the exception {exception:?} is not needed");
    }
}

#[test]
fn pages_are_active_and_speak_to_you() {
    let mut faults = Vec::new();
    let (mut front, mut all) = (Measure::default(), Measure::default());
    for name in pages() {
        let mut measure = Measure::default();
        for block in markdown::blocks(&read(&name)).iter().filter(|block| block.is_prose) {
            measure.add(&block.text);
        }
        all += measure;
        if name == "README.md" || name.starts_with("docs/") && !name.starts_with("docs/internals/") {
            front += measure;
        }
        // Rates of a short page are noise.
        let (relative, passive) =
            (measure.per_thousand(measure.relative), measure.per_thousand(measure.passive));
        if measure.words >= 400 && (relative > 8.0 || passive > 16.0) {
            faults.push(format!(
                "{name}: {relative:.0} relative clauses and {passive:.0} passives per 1,000 words"
            ));
        }
    }
    let rates = [all.relative, all.passive].map(|count| all.per_thousand(count));
    assert!(
        rates[0] <= 5.0 && rates[1] <= 12.0,
        "relative clauses and passives per 1,000 words: {rates:?}\n{}",
        faults.join("\n")
    );
    assert!(front.per_thousand(front.you) >= 10.0, "{front:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
