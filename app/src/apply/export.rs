//! Exports of pictures and sequences: opens the dialog, starts and cancels an export.

use super::files::{ask_named, stem, succeeded};
use crate::export::{Content, Exporting, Snapshot, Spec};
use crate::model::{DocumentId, ExportForm};
use crate::state::{Dialog, State};
use crate::tasks::{Purpose, export_path};
use std::path::PathBuf;
use std::sync::Arc;

/// Opens the dialog with its last fields for this document.
pub(super) fn open(state: &mut State) {
    let Some(document) = state.document() else { return };
    let Some(shown) = &document.shown else { return };
    let form = match &document.export {
        Some(form) => ExportForm::clone(form),
        None => ExportForm::new(document.id, shown.frame.size(), document.playback),
    };
    state.dialog = Some(Dialog::Export(Box::new(form)));
}

/// Stores the fields of the dialog.
pub(super) fn set(state: &mut State, form: Box<ExportForm>) {
    if let Some(document) = state.find_document(form.document) {
        document.export = Some(form.clone());
    }
    if let Some(Dialog::Export(shown)) = &mut state.dialog {
        *shown = form;
    }
}

/// Asks for the path of the export.
pub(super) fn choose_path(state: &mut State) {
    let Some(Dialog::Export(form)) = &state.dialog else { return };
    let Ok(spec) = form.spec() else { return };
    let id = form.document;
    state.dialog = None;
    let Some(document) = state.document_of(id) else { return };
    let name = stem(document);
    let name = match (&spec.content, spec.extensions().first()) {
        (Content::Files(_), _) | (_, None) => format!("{name} frames"),
        (_, Some(extension)) => format!("{name}.{extension}"),
    };
    ask_named(state, document, Purpose::Export(id, Box::new(spec)), name);
}

/// Starts an export of a document to `path`. The prompt for the path closes, unless the export cannot begin.
pub(super) fn begin(state: &mut State, id: DocumentId, spec: Spec, path: PathBuf) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    let can_begin = match (&state.exporting, folder) {
        (Some(_), _) => Err("Another export is running. Cancel it or wait for it to finish.".to_owned()),
        (None, Some(folder)) => Err(format!("The folder {} does not exist.", folder.display())),
        (None, None) => Ok(()),
    };
    if succeeded(state, |purpose| matches!(purpose, Purpose::Export(..)), can_begin).is_none() {
        return;
    }
    let document = state.document_of(id);
    let Some(shown) = document.and_then(|document| document.shown.as_ref()) else { return };
    let snapshot = Snapshot {
        programs: shown.programs.clone(),
        job: shown.job.clone(),
        frame: Arc::clone(&shown.frame),
        kept: Arc::clone(&shown.kept),
    };
    let path = export_path(path, &spec);
    let exporting = Exporting::begun(path.clone(), spec.count());
    let guard = state.services.drafts.guard("export");
    let progress = Arc::clone(&exporting.progress);
    state.services.tasks.export_picture(path, (spec, snapshot), (guard, progress));
    state.exporting = Some(exporting);
}

/// Cancels the running export.
pub(super) fn cancel(state: &State) {
    if let Some(exporting) = &state.exporting {
        exporting.progress.cancel();
    }
}
