//! Opens, saves and closes documents, and asks for paths and about unsaved changes.

use super::export;
use super::inputs::load_texture;
use crate::command::UnsavedAnswer;
use crate::false_colours;
use crate::maps;
use crate::model::{
    Document, DocumentId, NEW_PROGRAMS, Part, SaveWay, Template, example_scene, example_subject,
};
use crate::scene::{ImageSource, MeshSource, Scene, Slot};
use crate::settings::Pane;
use crate::state::{Closing, Dialog, NoticeKind, State};
use crate::stepping::{Anchor, StepPosition};
use crate::tasks::{PromptProgress, Purpose, Question};
use shadestep_engine::ide::example::Example;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Asks for a path for the document shown.
pub(super) fn ask(state: &State, purpose: impl FnOnce(DocumentId) -> Purpose) {
    if let Some(document) = state.document() {
        ask_named(state, document, purpose(document.id), String::new());
    }
}

/// Asks for a path, and suggests `name`.
pub(super) fn ask_named(state: &State, document: &Document, purpose: Purpose, name: String) {
    let folder = document.files().next().as_deref().and_then(Path::parent).map(Path::to_path_buf);
    // The suggested place for a copy of a scene is beside the scene's folder.
    let beside = matches!(purpose, Purpose::SaveScene(_)) && document.scene_text().path().is_some();
    let folder = match folder {
        Some(folder) if beside => folder.parent().map(Path::to_path_buf),
        folder => folder,
    };
    let name = if beside { format!("{name}-copy") } else { name };
    state.services.tasks.ask(Question { purpose, folder, name });
}

/// Lists the folder of the prompt for a path.
fn list_wanted(state: &State) {
    if let Some(Dialog::Path(prompt)) = &state.dialog
        && let Some(folder) = prompt.wanted()
    {
        state.services.tasks.list(folder);
    }
}

/// Asks for a program or scene to open.
pub(super) fn ask_what_to_open(state: &State) {
    let file = state.document().and_then(|document| document.files().next());
    let folder = file.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    state.services.tasks.ask(Question { purpose: Purpose::Open, folder, name: String::new() });
}

/// Takes the text of the prompt for a path.
pub(super) fn path_typed(state: &mut State, text: String) {
    if let Some(Dialog::Path(prompt)) = &mut state.dialog {
        prompt.type_text(text);
    }
    list_wanted(state);
}

/// Uses the path of the prompt. The prompt stays open until the work is done; see [`answer_prompt`].
pub(super) fn path_entered(state: &mut State, ctx: &egui::Context) {
    if let Some(Dialog::Path(prompt)) = &mut state.dialog {
        prompt.progress = PromptProgress::Waiting;
        let (purpose, path) = (prompt.question.purpose.clone(), prompt.path());
        path_chosen(state, ctx, purpose, path);
    }
}

/// Closes the prompt whose path was used, or shows the error there. `is_its` decides from the purpose whether
/// `outcome` belongs to the prompt. Returns true if the prompt shows the error.
pub fn answer_prompt<T>(
    state: &mut State,
    is_its: impl FnOnce(&Purpose) -> bool,
    outcome: &Result<T, impl ToString>,
) -> bool {
    let Some(Dialog::Path(prompt)) = &mut state.dialog else { return false };
    if prompt.progress != PromptProgress::Waiting || !is_its(&prompt.question.purpose) {
        return false;
    }
    match outcome {
        Ok(_) => state.dialog = None,
        Err(error) => prompt.progress = PromptProgress::Failed(error.to_string()),
    }
    outcome.is_err()
}

/// Closes the prompt whose path was used, and returns the value of `outcome`. Shows an error in the prompt,
/// or in a notice if the prompt is closed.
pub fn succeeded<T>(
    state: &mut State,
    is_its: impl FnOnce(&Purpose) -> bool,
    outcome: Result<T, impl ToString>,
) -> Option<T> {
    let is_told = answer_prompt(state, is_its, &outcome);
    let untold = outcome.as_ref().err().filter(|_| !is_told);
    untold.into_iter().for_each(|error| state.notify(NoticeKind::Error, error.to_string()));
    outcome.ok()
}

/// Uses `path` for `purpose`.
pub fn path_chosen(state: &mut State, ctx: &egui::Context, purpose: Purpose, path: PathBuf) {
    let tasks = &state.services.tasks;
    let shows = |id: DocumentId| {
        let document = state.document_of(id);
        document.is_some_and(|document| document.shown.is_some())
    };
    let nothing = match purpose {
        Purpose::Export(id, _) => !shows(id),
        Purpose::ExportMap(id) | Purpose::ExportValues(id) => state.maps.shown(id).is_none(),
        _ => false,
    };
    if nothing {
        let closed: Result<(), _> = Err("The picture to export is no longer open.");
        succeeded(state, |_| true, closed);
        return;
    }
    match purpose {
        Purpose::Open => tasks.open(path),
        Purpose::Course => tasks.open_course(path),
        Purpose::Font => {
            tasks.read_font(path);
            if !matches!(state.dialog, Some(Dialog::Path(_))) {
                state.dialog = Some(Dialog::Preferences);
            }
        }
        Purpose::SaveProgram(id) => {
            if let Some(document) = state.document_of(id)
                && let Some((slot, _)) = document.alone()
            {
                tasks.save(document.save_program(slot, path));
            }
        }
        Purpose::SaveScene(id) => {
            if let Some(document) = state.document_of(id) {
                tasks.save(document.save_in_folder(&path));
            }
        }
        Purpose::SaveCopy(id) => {
            if let Some(document) = state.document_of(id) {
                let text = document.active().text().to_owned();
                tasks.export_text(path, "", move || text);
            }
        }
        Purpose::Export(id, spec) => export::begin(state, id, *spec, path),
        Purpose::ExportMap(id) => {
            if let Some(shown) = state.maps.shown(id) {
                let (field, map, range) = (Arc::clone(&shown.field), shown.query.map, shown.range);
                let rgba = move || false_colours::image(&field, map, range).as_raw().to_vec();
                tasks.export_png(path, shown.field.size, rgba);
            }
        }
        Purpose::ExportValues(id) => {
            if let Some(shown) = state.maps.shown(id) {
                let field = Arc::clone(&shown.field);
                tasks.export_text(path, "csv", move || maps::csv(&field));
            }
        }
        Purpose::Mesh(id) => {
            let tasks = &state.services.tasks;
            if let Some(document) = state.documents.iter_mut().find(|document| document.id == id) {
                let name = document.choose_file(&path);
                tasks.load_mesh(id, document.folder(), MeshSource::File(name));
            }
        }
        Purpose::Texture(id, mut spec) => {
            let tasks = &state.services.tasks;
            if let Some(document) = state.documents.iter_mut().find(|document| document.id == id) {
                spec.take_image(ImageSource::File(document.choose_file(&path)));
                load_texture(tasks, document, *spec);
            }
        }
    }
    ctx.request_repaint();
}

/// Saves the changes of a document. Asks for a place if the document has none, and for permission before
/// overwriting changes of another program.
pub(super) fn save_document(state: &mut State, id: DocumentId) {
    let Some(document) = state.document_of(id) else { return };
    let way = document.save_way();
    match &way {
        SaveWay::Write(save) if !document.overwritten_by(save).is_empty() => {
            state.dialog = Some(Dialog::Overwrite(id));
        }
        SaveWay::Write(_) | SaveWay::ChooseFile(_) | SaveWay::ChooseFolder(_) => {
            carry_out(state, document, way);
        }
    }
}

fn carry_out(state: &State, document: &Document, way: SaveWay) {
    match way {
        SaveWay::Write(save) => state.services.tasks.save(save),
        SaveWay::ChooseFile(name) => ask_named(state, document, Purpose::SaveProgram(document.id), name),
        SaveWay::ChooseFolder(name) => ask_named(state, document, Purpose::SaveScene(document.id), name),
    }
}

/// Opens a tab with a program to start from.
pub fn new_program(state: &mut State) {
    open_template(state, NEW_PROGRAMS[0]);
}

pub(super) fn open_template(state: &mut State, template: Template) {
    let scenes = (1..).map(|number| template.scene(number));
    let taken = |scene: &Scene| state.documents.iter().any(|d| d.name() == scene.title);
    let free = { scenes }.find(|scene| !scene.as_ref().is_ok_and(taken));
    match free {
        Some(Ok(scene)) => {
            let id = DocumentId(state.fresh_id());
            add_tab(state, Document::begun(id, scene));
        }
        Some(Err(error)) => state.notify(NoticeKind::Error, error.to_string()),
        None => {}
    }
}

/// Opens an example of the reference, and steps to the instruction that the example shows.
pub(super) fn try_example(state: &mut State, example: &Example) {
    let program = shadestep_engine::front::load(example.text.as_bytes()).program;
    let instruction = program.as_ref().and_then(|program| program.instructions.get(example.pc));
    let name = instruction.map_or("program", |instruction| instruction.op.info().mnemonic);
    match example_scene(example, &format!("Example: {name}")) {
        Ok(scene) => {
            let size = scene.size;
            let id = DocumentId(state.fresh_id());
            let mut document = Document::begun(id, scene);
            let stage = example.language.stage();
            document.activate(Part::Program(Slot::first(stage)));
            add_tab(state, document);
            state.hold_time();
            let like = Some(Anchor::Instruction { pc: example.pc, times: 0 });
            state.record(example_subject(stage, size), StepPosition { like, ..StepPosition::default() });
            state.settings.layout.show(Pane::Debugger);
        }
        Err(error) => state.notify(NoticeKind::Error, error.to_string()),
    }
}

/// Adds a tab at the end, and shows it.
fn add_tab(state: &mut State, document: Document) {
    state.documents.push(document);
    state.active = state.documents.len() - 1;
    state.document_switched();
}

pub(super) fn activate(state: &mut State, index: usize) {
    if index != state.active && index < state.documents.len() {
        state.active = index;
        state.document_switched();
    }
}

pub(super) fn close_tab(state: &mut State, id: DocumentId) {
    match state.documents.iter().position(|d| d.id == id) {
        Some(index) if state.waits_for(Closing::Tab(id), &state.documents[index]) => {
            activate(state, index);
            state.dialog = Some(Dialog::Unsaved(Closing::Tab(id)));
        }
        Some(_) => remove_tab(state, id),
        None => {}
    }
}

fn remove_tab(state: &mut State, id: DocumentId) {
    if state.close_document(id).is_some() {
        state.document_switched();
    }
}

pub(super) fn answer_unsaved(state: &mut State, ctx: &egui::Context, answer: UnsavedAnswer) {
    let Some(Dialog::Unsaved(closing)) = state.dialog.take() else { return };
    match answer {
        UnsavedAnswer::Discard => finish_closing(state, ctx, closing),
        UnsavedAnswer::Save => {
            state.pending.closing = Some(closing);
            let waiting = state.documents.iter().filter(|d| state.waits_for(closing, d));
            for id in waiting.map(|document| document.id).collect::<Vec<_>>() {
                save_document(state, id);
            }
        }
    }
}

/// Continues a close when all changes are saved.
pub fn continue_closing(state: &mut State, ctx: &egui::Context) {
    let Some(closing) = state.pending.closing else { return };
    if !state.documents.iter().any(|document| state.waits_for(closing, document)) {
        finish_closing(state, ctx, closing);
    }
}

fn finish_closing(state: &mut State, ctx: &egui::Context, closing: Closing) {
    match closing {
        Closing::App => {
            state.pending.closing = None;
            state.pending.close_agreed = Some(());
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        Closing::Tab(id) => {
            state.pending.closing = None;
            remove_tab(state, id);
        }
    }
}

/// Runs `act` on the document shown.
pub(super) fn with_shown(state: &mut State, act: impl FnOnce(&mut State, DocumentId)) {
    if let Some(id) = state.document().map(|document| document.id) {
        act(state, id);
    }
}

pub(super) fn save_as(state: &State) {
    if let Some(document) = state.document() {
        carry_out(state, document, document.save_as_way());
    }
}

pub(super) fn save_copy(state: &State) {
    if let Some(document) = state.document() {
        let name = match document.active_part() {
            Part::Program(slot) => document.active().file_name(slot),
            Part::Scene => document.active().name().to_owned(),
        };
        ask_named(state, document, Purpose::SaveCopy(document.id), name);
    }
}

pub(super) fn save_all(state: &mut State) {
    let changed =
        state.documents.iter().filter(|document| state.waits_for(Closing::Tab(document.id), document));
    for id in changed.map(|document| document.id).collect::<Vec<_>>() {
        save_document(state, id);
    }
}

/// Saves over changes of another program.
pub(super) fn overwrite(state: &mut State, id: DocumentId) {
    state.dialog = None;
    if let Some(document) = state.find_document(id) {
        document.keep_texts();
    }
    save_document(state, id);
}

/// Asks where to write data of the document shown. The suggested name is the scene's name with `ending`.
pub(super) fn export(state: &State, purpose: fn(DocumentId) -> Purpose, ending: &str) {
    if let Some(document) = state.document() {
        ask_named(state, document, purpose(document.id), format!("{}{ending}", stem(document)));
    }
}

/// Returns the name of a document without the extension of a program.
pub(super) fn stem(document: &Document) -> &str {
    document.scene.name.trim_end_matches(".fp").trim_end_matches(".vp")
}

/// Moves `steps` tabs on.
pub(super) fn next_tab(state: &mut State, steps: isize) {
    let count = state.documents.len().max(1) as isize;
    activate(state, (state.active as isize + steps).rem_euclid(count) as usize);
}
