//! Stores the replies of tasks and worker threads in the state.

use super::files::{answer_prompt, continue_closing, new_program, path_chosen, succeeded};
use super::stepping::reveal_step;
use super::{lessons, preferences, tabs};
use crate::drafts::{DraftNews, Found, HeldWhy, Placing, Search};
use crate::export::ExportError;
use crate::files::Written;
use crate::format;
use crate::learn::Learn;
use crate::mailbox::Urgency;
use crate::model::{Document, DocumentId, Restored, Save, Shown};
use crate::scene::{self, Scene, SceneError};
use crate::session::RenderError;
use crate::state::{AT_ONCE, Dialog, NoticeKind, Room, Running, State};
use crate::stepping::{BackgroundQueryReply, RecordReply};
use crate::tasks::{self, Event, PathPrompt, Purpose, Restoring};
use crate::worker::{MapAnswer, RenderReply};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn take_event(state: &mut State, learn: &mut Learn, ctx: &egui::Context, event: Event) {
    match event {
        Event::Opened { target, outcome } => take_opened(state, &target, outcome),
        Event::CourseOpened(opened) => lessons::take_course(state, learn, opened),
        Event::TabsRestored(restored) => tabs::take_restored(state, restored),
        Event::LessonOpened(lesson, opened) => lessons::take_lesson(state, &lesson, opened),
        Event::SceneRead { document, text, outcome } => {
            if let Some(document) = state.find_document(document) {
                document.take_read(&text, outcome.map(|scene| *scene));
            }
            state.stale.previews = true;
            state.programs_changed();
        }
        Event::Chosen(purpose, path) => path_chosen(state, ctx, purpose, path),
        Event::DialogCancelled => state.pending.closing = None,
        Event::NoDialog(question) => {
            let prompt = PathPrompt::new(question);
            if let Some(folder) = prompt.wanted() {
                state.services.tasks.list(folder);
            }
            state.dialog = Some(Dialog::Path(Box::new(prompt)));
        }
        Event::Listed(folder, entries) => {
            if let Some(Dialog::Path(prompt)) = &mut state.dialog
                && prompt.wanted().as_ref() == Some(&folder)
            {
                prompt.listed = Some(folder);
                prompt.entries = entries;
            }
        }
        Event::Saved { save, outcome } => take_saved(state, ctx, &save, outcome),
        Event::DiskChanged { path, text } => take_disk_change(state, &path, text),
        Event::MeshLoaded { document, outcome } => {
            let is_its = |purpose: &Purpose| *purpose == Purpose::Mesh(document);
            take_loaded(state, is_its, document, outcome, Document::draw_mesh);
        }
        Event::TextureLoaded { document, outcome } => {
            let is_its = |purpose: &Purpose| matches!(purpose, Purpose::Texture(id, _) if *id == document);
            take_loaded(state, is_its, document, outcome, |document, texture| {
                document.bind_texture(*texture)
            });
            state.stale.previews = true;
        }
        Event::FontRead(path, font) => preferences::take_font(state, ctx, path, font),
        Event::Exported(outcome) => take_exported(state, outcome),
        Event::PictureExported(path, outcome) => take_export(state, ctx, &path, outcome),
        Event::Drafts(DraftNews::Found(found)) => take_found_drafts(state, *found),
        Event::Drafts(DraftNews::Failed(words)) => state.notify(NoticeKind::Error, words),
        Event::Restored { file, restored, why } => take_restored(state, file, restored, why),
        Event::Failed(task) => {
            state.pending.closing = None;
            state.exporting.take_if(|_| task == tasks::EXPORT_PICTURE);
            if task == tasks::RESTORE_TABS {
                state.pending.tabs = None;
                open_something(state);
            }
            let words = format!("Internal error in Shadestep (“{task}”). Please report what you did.");
            state.notify(NoticeKind::Error, words);
        }
    }
}

/// Reports the end of an export.
fn take_export(state: &mut State, ctx: &egui::Context, path: &Path, outcome: Result<Written, ExportError>) {
    state.exporting = None;
    state.dialog.take_if(|dialog| *dialog == Dialog::StillExporting);
    match outcome {
        Ok(written) => report_written(state, path, &written),
        Err(ExportError::Render(RenderError::Cancelled)) => {
            state.notify(NoticeKind::Info, "The export was cancelled. Nothing was written.");
        }
        Err(error) => {
            let words = format!("{} could not be exported: {error}", path.display());
            state.notify(NoticeKind::Error, words);
        }
    }
    ctx.request_repaint();
}

/// Shows an opened scene. Reports an error in the prompt that asked for the path, or in a notice.
fn take_opened(state: &mut State, target: &OsStr, outcome: Result<Box<Scene>, SceneError>) {
    let is_named = state.pending.named.take_if(|named| named.as_os_str() == target).is_some();
    let is_told = answer_prompt(state, |purpose| *purpose == Purpose::Open, &outcome);
    match outcome {
        Ok(scene) => state.open_scene(*scene, if is_named { Room::Own } else { Room::Untouched }),
        Err(_) if is_told => {}
        Err(error) => {
            let recent = state.settings.recent.iter().find(|path| path.as_os_str() == target).cloned();
            state.notify_of(NoticeKind::Error, error.to_string(), recent);
        }
    }
    open_something(state);
}

/// Opens the first sample if nothing is open and nothing is being opened.
pub fn open_something(state: &mut State) {
    if state.documents.is_empty() && !state.pending.is_opening() {
        open_first_sample(state);
    }
}

fn open_first_sample(state: &mut State) {
    match scene::bundled().first().map(scene::Bundled::load) {
        Some(Ok(scene)) => state.open_scene(scene, Room::Untouched),
        Some(Err(error)) => state.notify(NoticeKind::Error, error.to_string()),
        None => new_program(state),
    }
}

/// Reports that a file was written, or the error.
fn take_exported(state: &mut State, outcome: Result<(PathBuf, Written), String>) {
    let outcome = outcome.map_err(|error| format!("The file could not be written: {error}"));
    let writes = |purpose: &Purpose| {
        use Purpose::{ExportMap, ExportValues, SaveCopy};
        matches!(purpose, ExportMap(_) | ExportValues(_) | SaveCopy(_))
    };
    if let Some((path, written)) = succeeded(state, writes, outcome) {
        report_written(state, &path, &written);
    }
}

fn report_written(state: &mut State, path: &Path, written: &Written) {
    match written.warning() {
        None => state.notify(NoticeKind::Info, format!("Wrote {}", path.display())),
        Some(warning) => warn_of_file(state, path, &warning),
    }
}

/// Takes the files of earlier processes. From here on programs run, except the programs that were running
/// when a process died.
fn take_found_drafts(state: &mut State, found: Found) {
    let recovery = &mut state.recovery;
    recovery.search = Search::Done;
    recovery.held.extend(found.held.into_iter().map(|program| (program, HeldWhy::ClosedUnexpectedly)));
    recovery.offers = found.offers;
    state.classroom.take_answers(found.answers);
    state.begin();
    for offer in &found.interrupted {
        state.services.tasks.restore(offer, Restoring::Interrupted);
    }
    let list = |files: &[PathBuf]| {
        files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
    };
    if !found.damaged.is_empty() {
        let words =
            "Some unsaved changes of an earlier session are damaged and cannot be opened. Their files are";
        state.notify(NoticeKind::Error, format!("{words} {}.", list(&found.damaged)));
    }
    if !found.newer.is_empty() {
        let words = "A newer version of Shadestep left unsaved changes that this version cannot open. Their files are";
        state.notify(NoticeKind::Info, format!("{words} {}.", list(&found.newer)));
    }
}

/// Opens a draft as a tab with changes. The draft file is removed once the tab's own draft is on disk.
fn take_restored(state: &mut State, file: PathBuf, restored: Restored, why: Restoring) {
    let offers = &mut state.recovery.offers;
    let offered = offers.len();
    offers.retain(|offer| offer.file != file);
    if why == Restoring::Asked && offers.len() == offered {
        // The user asked twice.
        return;
    }
    for note in &restored.notes {
        state.notify(NoticeKind::Error, note.clone());
    }
    let document = Document::restored(DocumentId(state.fresh_id()), restored);
    let texts =
        |document: &Document| document.texts().map(|(_, text)| text.text().to_owned()).collect::<Vec<_>>();
    let mut open = state.same_as(&document);
    // A tab with other unsaved changes keeps them; the draft then gets a tab of its own.
    open = open.filter(|&open| {
        let open = &state.documents[open];
        !open.is_modified() || texts(open) == texts(&document)
    });
    match (open, why, state.recovery.interrupted) {
        (Some(index), ..) => {
            state.replace_document(index, document);
        }
        (None, Restoring::Interrupted, Placing::Behind) => state.documents.push(document),
        (None, ..) => state.place_in_front(document, Room::Untouched),
    }
    state.recovery.resolved.push(file);
    state.document_switched();
}

/// Puts what a task loaded into its document with `change`, and requests a picture. Reports an error in the
/// prompt that asked for the path, or in a notice.
fn take_loaded<T>(
    state: &mut State,
    is_its: impl FnOnce(&Purpose) -> bool,
    document: DocumentId,
    outcome: Result<T, SceneError>,
    change: impl FnOnce(&mut Document, T) -> Result<(), String>,
) {
    if answer_prompt(state, is_its, &outcome) {
        return;
    }
    let outcome = outcome.map_err(|error| error.to_string());
    let changed = state.find_document(document).map(|document| change(document, outcome?));
    if let Some(Err(words)) = changed {
        state.notify(NoticeKind::Error, words);
    }
    state.want_picture(Urgency::Now);
}

/// Shows a warning that stays until the user closes it.
fn warn_of_file(state: &mut State, path: &Path, warning: &str) {
    state.notify(NoticeKind::Error, format!("Warning: {}: {warning}.", path.display()));
}

fn take_saved(
    state: &mut State,
    ctx: &egui::Context,
    save: &Save,
    outcome: Result<Option<(PathBuf, String)>, (PathBuf, String)>,
) {
    let saves = |purpose: &Purpose| matches!(purpose, Purpose::SaveProgram(id) | Purpose::SaveScene(id) if *id == save.document);
    let outcome = outcome.map_err(|(path, error)| format!("{} could not be saved: {error}", path.display()));
    if answer_prompt(state, saves, &outcome) {
        return;
    }
    match outcome {
        Ok(warned) => {
            if let Some((path, warning)) = warned {
                warn_of_file(state, &path, &warning);
            }
            let Some(document) = state.find_document(save.document) else { return };
            document.saved(save);
            if let Some(main) = document.main_file().map(Path::to_path_buf) {
                state.remember(&main);
            }
            if let Some(folder) = &save.new_folder {
                state.notify(NoticeKind::Info, format!("Saved in {}", folder.display()));
            }
            state.watch_files();
            continue_closing(state, ctx);
        }
        Err(words) => {
            state.pending.closing = None;
            state.notify(NoticeKind::Error, words);
        }
    }
}

fn take_disk_change(state: &mut State, path: &Path, text: Option<String>) {
    let mut readings = Vec::new();
    for document in &mut state.documents {
        if document.has_file(path) {
            if let Some(text) = &text {
                document.disk_changed(path, text);
            }
        } else if document.scene.watched.iter().any(|watched| watched == path) {
            readings.push((document.id, document.take_whole_reading()));
        }
    }
    for (document, reading) in readings {
        state.services.tasks.read_scene(document, reading);
    }
    state.want_picture(Urgency::Now);
}

/// Stores loaded programs with their findings. Returns true if there were any.
pub fn take_all_loaded(state: &mut State) -> bool {
    let mut any = false;
    while let Some(reply) = state.services.loader.poll() {
        if let Some(document) = state.find_document(reply.document) {
            document.loaded(reply.revision, &reply.programs);
            any = true;
        }
    }
    any
}

pub fn take_picture(state: &mut State, ctx: &egui::Context, reply: RenderReply) {
    let is_active = state.document().is_some_and(|d| d.id == reply.document);
    if let Ok(picture) = &reply.outcome {
        state.slow = state.slow.after(picture.frame.render_time);
    }
    let render_time = reply.outcome.as_ref().ok().map(|picture| picture.frame.render_time);
    if is_active {
        let load_time = reply.programs.iter().map(|(_, compiled)| compiled.load_time).sum();
        state.readouts.arrived(load_time, render_time);
    }
    let drawn = state.documents.iter().find(|document| document.id == reply.document);
    if let (Some(document), Ok(picture)) = (drawn, &reply.outcome) {
        state.view.versions.take(ctx, document, reply.revision, (&picture.frame, &picture.image));
    }
    let Some(document) = state.find_document(reply.document) else { return };
    document.loaded(reply.revision, &reply.programs);
    document.render_error = None;
    match reply.outcome {
        Ok(picture) => {
            document.shown = Some(Shown {
                generation: reply.generation,
                frame: picture.frame,
                job: reply.job,
                kept: reply.kept,
                programs: reply.programs,
                revision: reply.revision,
                inputs: picture.inputs,
            });
            state.view.pictures.take(ctx, reply.document, picture.image, picture.overlay);
            if is_active {
                follow_subject(state);
            }
        }
        Err(RenderError::Cancelled) => {}
        Err(error) => {
            let without_picture = document.shown.is_none();
            // Errors in a text are marked in the text.
            if !matches!(error, RenderError::NoProgram | RenderError::BadScene(_)) {
                document.render_error = Some(error);
            }
            if is_active && without_picture {
                // Without a picture there is nothing to record.
                state.pending.record = None;
                state.resume_time();
            }
        }
    }
    let failed = state.document().is_some_and(Document::has_faulty_program);
    if failed || state.clock.running != Running::Yes || !state.is_animated() {
        // Without a following picture, egui needs a second frame, in which the layout settles.
        ctx.request_repaint_after(AT_ONCE);
    }
}

/// Records the stepped or requested subject again after its picture has changed.
fn follow_subject(state: &mut State) {
    let stepped = state.stepping.session.as_ref().map(|session| (session.subject(), session.place()));
    let wanted = state.pending.record.map(|(_, subject, place)| (subject, place));
    if let Some((subject, place)) = wanted.or(stepped) {
        state.record(subject, place);
    }
}

/// Stores a map, or the reason why there is none.
pub fn take_map(state: &mut State, ctx: &egui::Context, answer: MapAnswer) {
    let document = state.documents.iter().find(|document| document.id == answer.asked.document);
    if let Some(document) = document {
        state.maps.take(ctx, &document.map, answer);
    }
}

/// Stores the answer to a background query, unless the run has changed since.
pub fn take_answer(state: &mut State, reply: BackgroundQueryReply) {
    if state.pending.background_query != Some(reply.generation) {
        return;
    }
    state.pending.background_query = None;
    let Some(session) = &mut state.stepping.session else { return };
    if session.run().is_none_or(|run| !Arc::ptr_eq(run, &reply.run)) {
        return;
    }
    match reply.outcome {
        Ok(answer) => {
            session.take(answer);
            reveal_step(state);
        }
        Err(RenderError::Cancelled) => {}
        Err(error) => {
            let words = format::capitalized(&error.to_string());
            if !session.refuse(&reply.question, &words) {
                state.notify(NoticeKind::Error, words);
            }
        }
    }
}

pub fn take_recording(state: &mut State, reply: RecordReply) {
    let Some((generation, subject, _)) = state.pending.record else { return };
    if generation != reply.generation {
        return;
    }
    state.pending.record = None;
    match reply.outcome {
        Ok(session) => {
            let follows = state.stepping.session.as_ref().is_some_and(|session| session.subject() == subject);
            state.stepping.session = Some(*session);
            // A changed picture does not move the editor while the user works.
            if !follows {
                reveal_step(state);
            }
        }
        Err(RenderError::Cancelled) => {}
        Err(error) => {
            // A recording of a picture that no longer exists would mislead.
            state.stepping.session = None;
            state.resume_time();
            state.notify(NoticeKind::Error, format!("{subject} could not be recorded: {error}"));
        }
    }
}
