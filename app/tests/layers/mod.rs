//! Each crate of the workspace uses only lower ones, and so does each folder of the crates in [`FOLDERS`].
//! The lists in this file begin with the lowest. `layers/edges.rs` finds the violations.

mod edges;

use crate::common::tree;
use edges::{Layers, Source, faults};

/// The folders of the app, lowest first, each with the folders that it may use. A row can name earlier rows
/// only, so cycles cannot occur. Folders without `egui` and `eframe` can be used and tested without a window.
#[rustfmt::skip]
const APP: &Layers<'_> = &[
    ("eframe", &[]),
    ("egui", &[]),
    ("embedded", &[]),
    ("files", &[]),
    ("format", &[]),
    ("icons", &["egui"]),
    ("markdown", &[]),
    ("places", &[]),
    ("printable", &[]),
    ("suggest", &[]),
    ("word_at", &[]),
    ("codes", &["format", "suggest"]),
    ("lookup", &["format"]),
    ("scene", &["embedded", "format", "suggest", "codes"]),
    ("session", &["format", "codes", "scene"]),
    ("buffer_text", &["format", "scene"]),
    ("history", &["format", "session"]),
    ("theme", &["egui", "scene"]),
    ("maps", &["session"]),
    ("false_colours", &["egui", "theme", "maps"]),
    ("model", &["scene", "session", "maps"]),
    ("mailbox", &["model"]),
    ("overlay", &["session", "model"]),
    ("versions", &["egui", "session", "model"]),
    ("lesson", &["format", "markdown", "printable", "scene", "session", "model"]),
    ("drafts", &["files", "format", "scene", "session", "model"]),
    ("export", &["files", "session", "model", "drafts"]),
    ("stepping", &["format", "word_at", "scene", "session", "model", "mailbox"]),
    ("tasks", &["files", "places", "scene", "theme", "model", "mailbox", "lesson", "drafts", "export"]),
    ("watch", &["scene", "model", "mailbox", "tasks"]),
    ("worker", &["egui", "scene", "session", "maps", "model", "mailbox", "overlay", "lesson", "drafts", "stepping"]),
    ("settings", &["egui", "files", "format", "scene", "theme", "model", "lesson"]),
    ("state", &["egui", "format", "places", "scene", "session", "theme", "maps", "false_colours", "model", "mailbox", "overlay", "versions", "lesson", "drafts", "export", "stepping", "tasks", "watch", "worker", "settings"]),
    ("command", &["egui", "format", "icons", "scene", "session", "theme", "maps", "model", "lesson", "stepping", "settings", "state"]),
    ("keys", &["egui", "settings", "command"]),
    ("widgets", &["egui", "format", "icons", "places", "theme", "model", "stepping", "state", "command", "keys"]),
    ("editor", &["egui", "format", "icons", "word_at", "scene", "theme", "maps", "model", "stepping", "settings", "state", "command", "widgets"]),
    ("viewport", &["egui", "format", "icons", "scene", "session", "history", "theme", "maps", "false_colours", "model", "overlay", "versions", "state", "command", "widgets"]),
    ("debugger", &["egui", "format", "icons", "lookup", "scene", "session", "history", "theme", "model", "stepping", "settings", "state", "command", "widgets"]),
    ("inputs", &["egui", "format", "icons", "scene", "session", "theme", "model", "settings", "state", "command", "widgets"]),
    ("memory", &["egui", "format", "icons", "scene", "session", "theme", "model", "stepping", "state", "command", "widgets"]),
    ("learn", &["egui", "icons", "markdown", "scene", "theme", "model", "lesson", "state", "command", "widgets"]),
    ("problems", &["egui", "format", "icons", "codes", "theme", "model", "state", "command", "widgets"]),
    ("shell", &["egui", "format", "icons", "scene", "theme", "model", "drafts", "export", "stepping", "tasks", "settings", "state", "command", "keys", "widgets", "editor", "viewport", "debugger", "inputs", "memory", "learn", "problems"]),
    ("apply", &["egui", "files", "format", "word_at", "scene", "session", "theme", "maps", "false_colours", "model", "mailbox", "lesson", "drafts", "export", "stepping", "tasks", "worker", "settings", "state", "command", "keys", "editor", "debugger", "inputs", "learn", "shell"]),
    ("app", &["eframe", "egui", "theme", "model", "mailbox", "drafts", "settings", "state", "command", "keys", "editor", "shell", "apply"]),
    ("launch", &["eframe", "egui", "places", "printable", "scene", "drafts", "settings", "state", "app"]),
    ("cli", &["embedded", "files", "format", "printable", "suggest", "codes", "lookup", "scene", "session", "buffer_text", "history", "maps", "false_colours", "lesson", "export", "stepping", "launch"]),
];

/// The crates of the workspace, lowest first, each with the workspace crates that it may use. Text features
/// need no renderer, so `shadestep-ide` does not use `shadestep-core`.
const CRATES: &[(&str, &[&str])] = &[
    ("engine/language", &[]),
    ("engine/core", &["shadestep-language"]),
    ("engine/gl", &["shadestep-core", "shadestep-language"]),
    ("engine/ide", &["shadestep-language"]),
    ("engine/explain", &["shadestep-core", "shadestep-ide", "shadestep-language"]),
    (
        "engine",
        &["shadestep-core", "shadestep-explain", "shadestep-gl", "shadestep-ide", "shadestep-language"],
    ),
    ("app", &["shadestep-engine"]),
    ("fuzz/checks", &["shadestep", "shadestep-core", "shadestep-engine", "shadestep-language"]),
];

/// The folders of `shadestep-language`.
const LANGUAGE: &Layers<'_> = &[
    ("named", &[]),
    ("source", &[]),
    ("num", &[]),
    ("isa", &["num"]),
    ("syntax", &["source", "isa"]),
    ("diag", &["source", "isa"]),
    ("ir", &["source", "num", "isa"]),
    ("semantics", &["num", "isa", "ir"]),
    ("front", &["source", "isa", "syntax", "diag", "ir"]),
];

/// The folders of `shadestep-core`.
const CORE: &Layers<'_> = &[
    ("processor", &[]),
    ("simd", &["processor"]),
    ("subject", &[]),
    ("compare", &["simd"]),
    ("texture", &["simd", "compare"]),
    ("memory", &["subject", "texture"]),
    ("exec", &["processor", "simd", "subject", "texture", "memory"]),
    ("pipeline", &["simd", "subject", "compare", "texture", "memory", "exec"]),
    ("debug", &["simd", "subject", "texture", "memory", "exec"]),
    ("query", &["simd", "subject", "exec", "pipeline", "debug"]),
];

/// Returns the Rust sources below `root`, with paths relative to `root`.
fn sources(root: &str) -> Vec<Source> {
    let read = |path: String| {
        let text = std::fs::read_to_string(tree::root().join(&path)).expect("a source in UTF-8");
        (path[root.len() + 1..].to_owned(), text)
    };
    tree::files(root, "rs").into_iter().map(read).collect()
}

/// The crates with checked folders: the root of each crate, its folders, and the libraries that have rows in
/// the list.
const FOLDERS: &[(&str, &Layers<'_>, &[&str])] = &[
    ("app/src", APP, &["eframe", "egui"]),
    ("engine/core/src", CORE, &[]),
    ("engine/language/src", LANGUAGE, &[]),
];

#[test]
fn folders_use_only_folders_below_them() {
    let found: Vec<String> = FOLDERS
        .iter()
        .flat_map(|(root, layers, libraries)| faults(root, layers, libraries, &sources(root)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn crates_use_only_crates_below_them() {
    let mut below = Vec::new();
    for (folder, allowed) in CRATES {
        let manifest = tree::root().join(folder).join("Cargo.toml");
        let manifest: toml::Table =
            std::fs::read_to_string(&manifest).expect("a manifest").parse().expect("it is TOML");
        let dependencies = manifest["dependencies"].as_table().map(toml::Table::keys);
        let own: Vec<&str> = dependencies
            .into_iter()
            .flatten()
            .map(String::as_str)
            .filter(|name| name.starts_with("shadestep"))
            .collect();
        assert_eq!(own, *allowed, "{folder}/Cargo.toml");
        let upward = allowed.iter().find(|name| !below.iter().any(|lower| lower == *name));
        assert_eq!(upward, None, "{folder} names a crate above it");
        below.push(manifest["package"]["name"].as_str().expect("a name").to_owned());
    }
}

/// Returns the faults of `files`, each a path and a text.
fn of_files(layers: &Layers<'_>, files: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<Source> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    faults("src", layers, &[], &sources)
}

#[test]
fn every_way_to_name_another_folder_is_found() {
    let layers: &Layers<'_> = &[("low", &[]), ("high", &[])];
    let line = |text: &str| of_files(layers, &[("high/mod.rs", text), ("low.rs", "")]);
    let forbidden = ["src/high/mod.rs:2: high may not use low"];
    for text in [
        "\nuse crate::low::A;",
        "\nuse crate::{high, low};",
        "\nuse super::low;",
        "\nuse super::{high::B, low::A};",
        "\nmod inner { use super::super::low; }",
        "\nfn f() -> crate::low::A { todo() }",
        "\nmacro_rules! m { () => { $crate::low::A }; }",
    ] {
        assert_eq!(line(text), forbidden, "{text}");
    }
    for text in [
        "// crate::low",
        "/// [`crate::low`]\nfn f() {}",
        "const A: &str = \"crate::low\";",
        "use crate::high::low;",
        "mod inner { use super::low; }",
        "#[cfg(test)]\nuse crate::low;",
        "#[cfg(test)]\nmod tests { use crate::low; }",
    ] {
        assert!(line(text).is_empty(), "{text}: {:?}", line(text));
    }
}

#[test]
fn files_that_are_for_tests_may_use_everything() {
    let layers: &Layers<'_> = &[("low", &[]), ("high", &["low"])];
    let files = [
        ("low.rs", "#[cfg(test)]\nmod tests;\n#[cfg(test)]\n#[path = \"low_tests.rs\"]\nmod more;"),
        ("low/tests.rs", "use crate::high;"),
        ("low_tests.rs", "use crate::high;"),
        ("high.rs", "use crate::low;"),
    ];
    assert_eq!(of_files(layers, &files), [""; 0]);
}

#[test]
fn libraries_have_rows() {
    let layers: &Layers<'_> = &[("egui", &[]), ("low", &[]), ("high", &["egui"])];
    for text in ["use egui::Ui;", "use egui_tiles::Tree;"] {
        let files = [("low.rs", text), ("high.rs", "fn f(ui: &egui::Ui) {}")];
        let sources = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        assert_eq!(faults("src", layers, &["egui"], &sources), ["src/low.rs:1: low may not use egui"]);
    }
}

#[test]
fn rows_fit_the_files() {
    let files = [("low.rs", ""), ("high.rs", "")];
    let faults = |layers: &Layers<'_>| of_files(layers, &files);
    assert_eq!(faults(&[("low", &[]), ("high", &[])]), [""; 0]);
    assert_eq!(faults(&[("low", &[])]), ["src: high has no row"]);
    assert_eq!(faults(&[("low", &[]), ("high", &[]), ("gone", &[])]), ["src: gone has a row but no file"]);
    let unused = "src: high no longer uses low: remove that from its row";
    assert_eq!(faults(&[("low", &[]), ("high", &["low"])]), [unused]);
    let upward =
        of_files(&[("low", &["high"]), ("high", &[])], &[("low.rs", "use crate::high;"), ("high.rs", "")]);
    assert_eq!(upward, ["src: the row of low names high, which is no earlier row"]);
}
