//! The names in `[parameters]`, each of which must be a parameter of a program. The names are checked after
//! the programs are loaded, so they keep their places in the text.

use super::error::SceneRule;
use super::read::{Table, TomlFile};
use super::{ParameterKey, SCENE_FILE, Scene, SceneError, Slot, parameter_key};
use crate::codes;
use crate::suggest;
use shadestep_engine::diag::Fix;
use shadestep_engine::ir::{ParameterSource, Program};
use shadestep_engine::isa::Stage;
use shadestep_engine::source::{LineColumn, Span};
use std::collections::BTreeSet;

/// The name of an entry of `[parameters]`.
#[derive(Clone, Debug)]
pub(super) struct ParameterName {
    key: ParameterKey,
    /// The name as the text has it, without quotes.
    written: String,
    /// Its bytes in the text, with quotes.
    span: Span,
    place: LineColumn,
}

/// The names in `[parameters]`, in the order of the text.
pub(super) fn read(table: &Table<'_>) -> Vec<ParameterName> {
    let name = |entry: super::Entry<'_>| {
        let (span, place) = entry.file.place(&entry.span);
        Some(ParameterName {
            key: ParameterKey::parse(entry.name)?,
            written: entry.name.to_owned(),
            span,
            place,
        })
    };
    table.entries().into_iter().filter_map(name).collect()
}

/// The names in `[parameters]` of a `scene.toml` that can be read.
pub(super) fn of_text(text: &str) -> Vec<ParameterName> {
    let file = TomlFile::new(SCENE_FILE.to_owned(), text);
    let Ok(parsed) = file.parse(text) else { return Vec::new() };
    let root = Table::new(&file, parsed.get_ref(), 0..0, "at the top of the file");
    let table = root.get("parameters").and_then(|entry| entry.table("in [parameters]").ok());
    table.as_ref().map(read).unwrap_or_default()
}

static UNKNOWN: SceneRule = SceneRule {
    code: codes::SCENE_UNKNOWN_PARAMETER,
    note: "The value is ignored. Declare the parameter in a program, correct the name, or remove the entry.",
};

impl Scene {
    /// Warnings about the entries of `[parameters]` that no program has, each at its name. Returns none
    /// unless all programs of the scene are loaded. A numbered parameter is warned of only where the scene
    /// has no program of its stage, as programs can read numbered parameters relatively.
    pub fn parameter_warnings<'p>(&self, program: impl Fn(Slot) -> Option<&'p Program>) -> Vec<SceneError> {
        let loaded: Option<Vec<&Program>> = self.programs.iter().map(|(slot, _)| program(slot)).collect();
        let Some(programs) = loaded else { return Vec::new() };
        self.parameter_names.iter().filter_map(|name| self.warning(name, &programs)).collect()
    }

    fn warning(&self, name: &ParameterName, programs: &[&Program]) -> Option<SceneError> {
        let warn = |words: String| SceneError::new(SCENE_FILE, words).at(name.span, name.place).by(&UNKNOWN);
        let written = &name.written;
        if let Some(stage) = stage_of(&name.key) {
            let missing = programs.iter().all(|program| program.stage() != stage);
            let kind = Slot::first(stage).kind();
            return missing.then(|| warn(format!("\"{written}\" belongs to {kind}, but the scene has none")));
        }
        let ParameterKey::Named(_) = name.key else { return None };
        let known: BTreeSet<&str> = programs.iter().flat_map(|program| names(program)).collect();
        if known.contains(written.as_str()) {
            return None;
        }
        if let Some((program, key)) = programs.iter().find_map(|program| variable(program, written)) {
            let stage = program.stage().name();
            let words =
                format!("in scene.toml, write the {stage} program's variable \"{written}\" as \"{key}\"");
            return Some(warn(words).with_fix(self.rename(name, &key.to_string())));
        }
        // Another entry may have the name already.
        let is_set = |known: &&str| self.parameter_names.iter().any(|other| other.written == **known);
        let free = || known.iter().copied().filter(|known| !is_set(known));
        let hint = suggest::did_you_mean(written, free());
        let fix = suggest::nearest(written, free()).and_then(|near| self.rename(name, near));
        let stages: BTreeSet<&str> = programs.iter().map(|program| program.stage().name()).collect();
        let whose = match stages.len() {
            1 => "the program has",
            _ => "the programs have",
        };
        Some(warn(format!("{whose} no parameter \"{written}\"{hint}")).with_fix(fix))
    }

    /// A fix that gives an entry another name. There is none where several lines have the name, or where the
    /// text has the entry `key` already.
    fn rename(&self, name: &ParameterName, key: &str) -> Option<Fix> {
        let rest = self.toml.get(name.span.end..)?;
        let is_dotted = rest.trim_start().starts_with('.');
        let is_taken =
            self.parameter_names.iter().any(|other| ParameterKey::parse(key).as_ref() == Some(&other.key));
        let is_bare = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let replacement = if is_bare { key.to_owned() } else { format!("\"{key}\"") };
        (!is_dotted && !is_taken).then(|| Fix {
            title: format!("replace with {replacement}"),
            span: name.span,
            replacement,
        })
    }
}

/// The only stage that reads a numbered parameter. `c[n]` has none, as scenes prepared for vertex programs
/// set registers before such a program exists.
const fn stage_of(key: &ParameterKey) -> Option<Stage> {
    match key {
        ParameterKey::Numbered(_) | ParameterKey::FragmentEnv(_) => Some(Stage::Fragment),
        ParameterKey::Env(stage, _) | ParameterKey::Local(stage, _) => Some(*stage),
        ParameterKey::VertexLocal(_) => Some(Stage::Vertex),
        ParameterKey::Register(_) | ParameterKey::Named(_) => None,
    }
}

/// The names of the parameters that a scene can set in `program`.
fn names(program: &Program) -> impl Iterator<Item = &str> {
    program.parameters.iter().filter_map(|parameter| match &parameter.source {
        ParameterSource::Named { name, .. } => Some(name.as_str()),
        _ => None,
    })
}

/// The numbered parameter that the variable `name` of `program` is bound to.
fn variable<'p>(program: &'p Program, name: &str) -> Option<(&'p Program, ParameterKey)> {
    let mut parameters = program.parameters.iter();
    let found = parameters.find(|parameter| parameter.name.as_deref() == Some(name))?;
    Some((program, parameter_key(&found.source, program.stage())?.0))
}
