//! `[program]` and `[[state_program]]` of `scene.toml`. `programs` has the types.

use super::loader::Loader;
use super::parameter_table::Vector;
use super::parse::about_file;
use super::read::{Entry, Table};
use super::schema::{Kind, Schema, Shape, Text, schema};
use super::{Component, DEFAULT_STATE_INPUT, ProgramFile, Programs, SceneError, Slot};

type StateInput = [Component; 4];

/// The program files with their slots.
#[derive(Default)]
pub(super) struct Files(Vec<(Slot, String)>);

impl Files {
    fn get(&self, slot: Slot) -> Option<String> {
        self.0.iter().find(|(other, _)| *other == slot).map(|(_, name)| name.clone())
    }

    fn insert(&mut self, slot: Slot, name: String) {
        self.0.push((slot, name));
    }
}

/// `[program]`.
pub(super) static PROGRAM: Schema<Files> = schema! { Files, "in [program]";
    "vertex": Text("file"), [at t => Slot::Vertex], "built-in transform", "Vertex program.";
    "tess_control": Text("file"), [at t => Slot::TessControl], "none", "Tessellation control program.";
    "tess_eval": Text("file"), [at t => Slot::TessEvaluation], "none", "Tessellation evaluation program.";
    "geometry": Text("file"), [at t => Slot::Geometry], "none", "Geometry program.";
    "fragment": Text("file"), [at t => Slot::Fragment], "colour 0 modulated by texture 0",
        "Fragment program.";
    "state": StateFiles, [
        |_| None,
        |t, names| (0..).zip(names).for_each(|(n, name)| t.insert(Slot::State(n), name))
    ], "none", "Vertex state programs. They run in this order before each frame.";
};

/// One file name, or several in brackets.
struct StateFiles;

impl Kind for StateFiles {
    type Value = Vec<String>;

    fn read(&self, entry: &Entry<'_>) -> Result<Vec<String>, SceneError> {
        const WANTED: &str = "one file name, or 1 to 16 file names in brackets";
        let names = match entry.value.as_str() {
            Some(name) => vec![name],
            None => entry.strings(1..=Slot::MAX_STATE_PROGRAMS, WANTED)?,
        };
        Ok(names.into_iter().map(str::to_owned).collect())
    }

    fn shape(&self) -> Shape {
        Shape::Text("file").or_array(1, Slot::MAX_STATE_PROGRAMS)
    }
}

/// A state program as the text has it.
pub(super) struct StateProgram {
    file: String,
    pub input: StateInput,
}

/// `[[state_program]]`.
pub(super) static STATE_PROGRAM: Schema<StateProgram> = schema! { StateProgram, "in [[state_program]]";
    "file": Text("file"), [file], needs "the state program needs file = \"FILE\"", "The program.";
    "input": Vector, [input], "`[0, 0, 0, 1]`", "Value of `v[0]`.";
};

/// The programs, and `v[0]` of each state program.
pub(super) fn programs(
    loader: &Loader<'_>,
    root: &Table<'_>,
) -> Result<(Programs<ProgramFile>, Vec<StateInput>), SceneError> {
    const MISSING: &str = "the scene has no program: [program] needs fragment = \"FILE\" or another stage";
    let mut programs = Programs::default();
    let mut inputs = Vec::new();
    let mut place = None;
    if let Some(entry) = root.get("program") {
        let table = entry.table(PROGRAM.place)?;
        let mut files = Files::default();
        PROGRAM.read(&table, &mut files)?;
        for (slot, name) in files.0 {
            if let Some(entry) = table.get(slot.key()) {
                programs.insert(slot, program(loader, &entry, &name)?);
            }
            if matches!(slot, Slot::State(_)) {
                inputs.push(DEFAULT_STATE_INPUT);
            }
        }
        place = Some(table);
    }
    if let Some(entry) = root.get("state_program") {
        if !inputs.is_empty() {
            return Err(
                entry.error("name state programs either in [program] or in [[state_program]], not in both")
            );
        }
        let tables = entry.tables(STATE_PROGRAM.place)?;
        for (index, table) in tables.iter().enumerate() {
            let mut state = StateProgram { file: String::new(), input: DEFAULT_STATE_INPUT };
            STATE_PROGRAM.read(table, &mut state)?;
            let file = loader.program(&state.file).map_err(|error| match table.get("file") {
                Some(entry) => about_file(&entry, &error),
                None => error,
            })?;
            let slot = u8::try_from(index).ok().filter(|_| index < Slot::MAX_STATE_PROGRAMS);
            let most = Slot::MAX_STATE_PROGRAMS;
            let slot =
                slot.ok_or_else(|| table.error(format!("a scene can have at most {most} state programs")))?;
            programs.insert(Slot::State(slot), file);
            inputs.push(state.input);
        }
    }
    if programs.is_empty() {
        return Err(place.map_or_else(|| root.error(MISSING), |table| table.error(MISSING)));
    }
    Ok((programs, inputs))
}

/// Loads the program file `name`. Errors are at `entry`.
fn program(loader: &Loader<'_>, entry: &Entry<'_>, name: &str) -> Result<ProgramFile, SceneError> {
    loader.program(name).map_err(|error| about_file(entry, &error))
}
