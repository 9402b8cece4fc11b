//! The codes of errors and warnings as text: the engine's, and the app's own about scenes and their memory.

use crate::format;
use crate::suggest;
use shadestep_engine::diag::codes::{self, Row, Topic};
use shadestep_engine::diag::{self, Code, Severity};

pub(crate) const FILE: Code = Code::new(&Row::new(
    "file",
    Severity::Error,
    &["docs/scene.md"],
    "A program, a scene or a file that a scene names can be read.",
));

pub(crate) const SCENE: Code = Code::new(&Row::new(
    "scene",
    Severity::Error,
    &["docs/scene.md"],
    "scene.toml has the keys and values of the scene format, and its programs have what it asks for.",
));

pub(crate) const SCENE_UNKNOWN_PARAMETER: Code = Code::new(&Row::new(
    "scene-unknown-parameter",
    Severity::Warning,
    &["docs/scene.md"],
    "Each entry of [parameters] is a parameter of a program of the scene.",
));

pub(crate) const SCENE_NO_VERTICES: Code = Code::new(&Row::new(
    "scene-no-vertices",
    Severity::Warning,
    &["glspec15 2.8"],
    "Attribute 0 of [geometry] has an array. Each element of the array makes a vertex.",
));

pub(crate) const MEMORY: Code = Code::new(&Row::new(
    "memory",
    Severity::Warning,
    &["NV_gpu_program5 2.X.4.5", "EXT_shader_image_load_store 3.9.X", "NV_tessellation_program5 2.X.5"],
    "Accesses to memory are aligned and inside a resident buffer or an image, and invocations do not race.",
));

/// Returns all codes by topic: the engine's, then the app's.
pub(crate) fn topics() -> Vec<Topic> {
    let own = vec![FILE, SCENE, SCENE_UNKNOWN_PARAMETER, SCENE_NO_VERTICES, MEMORY];
    let mut topics = codes::topics();
    topics.push(Topic { title: "Scenes", codes: own });
    topics
}

/// Explains `code` in plain text: the rule, its clauses, an example and the correction.
pub(crate) fn explanation(code: Code) -> String {
    let row = code.row();
    let mut text = format!("{}: {}\n\n{}\n", row.name, row.severity.name(), diag::plain(row.rule));
    for (number, clause) in row.clauses.iter().enumerate() {
        let before = if number == 0 { "\nSee " } else { ",\n    " };
        text.extend([before, clause]);
    }
    text.push_str(".\n");
    for (title, program) in [("Wrong", code.wrong()), ("Right", code.right().map(Into::into))] {
        let Some(program) = program else { continue };
        text.extend(["\n", title, ":\n\n"]);
        program.lines().for_each(|line| text.extend(["    ", line, "\n"]));
    }
    text
}

/// Returns all codes as one Markdown document, `docs/errors.md`.
pub(crate) fn markdown() -> String {
    let mut page = "# Errors and warnings\n\nEvery error and warning has a code, which never changes. This page lists the \
        codes with their rules. The\n[command line](command-line/explain.md) prints one of them.\n"
        .to_owned();
    for topic in topics() {
        page.extend(["\n## ", topic.title, "\n"]);
        // Families of languages share rules.
        for codes in topic.codes.chunk_by(|a, b| a.row().rule == b.row().rule) {
            let row = codes[0].row();
            let names = codes.iter().map(|code| format!("`{}`", code.name()));
            page.extend(["\n### ", &names.collect::<Vec<_>>().join(", "), "\n\n"]);
            let mut clauses: Vec<&str> = codes.iter().flat_map(|code| code.row().clauses).copied().collect();
            clauses.sort_unstable();
            clauses.dedup();
            let clauses: Vec<String> = clauses.into_iter().map(str::to_owned).collect();
            let rule = wrapped(&format!("{} {}.", row.rule, format::capitalized(row.severity.name())));
            let see = wrapped(&format!("See {}.", suggest::joined(&clauses, "and")));
            page.extend([&rule, "\n", &see]);
            for (title, program) in
                [("Wrong:", codes[0].wrong()), ("Right:", codes[0].right().map(Into::into))]
            {
                let Some(program) = program else { continue };
                page.extend(["\n", title, "\n\n```nv\n", program.trim_end(), "\n```\n"]);
            }
        }
    }
    page
}

/// Wraps `text` at 110 characters.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        if length > 0 && length + 1 + word.len() > 110 {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += word.len();
    }
    lines + "\n"
}
