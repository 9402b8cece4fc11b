//! What comes back from tasks and worker threads, taken into the state.

use super::{AT_ONCE, NoticeKind, Running, State, open_first_sample};
use crate::command;
use crate::debugger::DebugSession;
use crate::drafts::{Found, HeldWhy, Placing, Restored, Search};
use crate::editor::{Document, DocumentId, Shown, TextId};
use crate::scene::{self, Slot};
use crate::session::RenderError;
use crate::tasks::{Event, Restoring};
use crate::worker::{RecordReply, RenderReply, Urgency};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Pixels stay squares when the picture is enlarged, and are averaged when it is made smaller.
const PICTURE_FILTER: egui::TextureOptions =
    egui::TextureOptions { minification: egui::TextureFilter::Linear, ..egui::TextureOptions::NEAREST };
pub(super) fn take_event(state: &mut State, ctx: &egui::Context, event: Event) {
    match event {
        Event::Opened(Ok(scene)) => state.open_scene(*scene),
        Event::Opened(Err(error)) => {
            state.notify(NoticeKind::Error, error.to_string());
            if state.documents.is_empty() {
                open_first_sample(state);
            }
        }
        Event::Reloaded { document, outcome } => match outcome {
            Ok(scene) => {
                if let Some(document) = state.find_document(document) {
                    document.reloaded(*scene);
                    state.want_picture(Urgency::Now);
                }
                state.previews.clear();
            }
            Err(error) => state.notify(NoticeKind::Error, error.to_string()),
        },
        Event::OpenChosen(path) => state.services.tasks.open(path),
        Event::SaveChosen { text: id, path } => {
            let program = state.find_document(id.document).and_then(|d| d.program_text(id.slot));
            if let Some(text) = program.map(|program| program.text.clone()) {
                state.services.tasks.save(id, path, text);
            }
        }
        Event::DialogCancelled => state.pending.closing = None,
        Event::NoDialog => {
            state.pending.closing = None;
            let words = "No file dialog could be opened: on Linux it needs a desktop portal or zenity. Files can also be dropped on the window or named when Shadestep starts.";
            state.notify(NoticeKind::Error, words);
        }
        Event::Saved { id, path, text, outcome } => take_saved(state, ctx, id, path, text, outcome),
        Event::DiskChanged { path, text } => take_disk_change(state, &path, text),
        Event::MeshLoaded { document, outcome } => match outcome {
            Ok(mesh) => {
                if let Some(document) = state.find_document(document) {
                    Arc::make_mut(&mut document.scene).mesh = mesh;
                    state.want_picture(Urgency::Now);
                }
            }
            Err(error) => state.notify(NoticeKind::Error, error.to_string()),
        },
        Event::TextureLoaded { document, outcome } => match outcome {
            Ok(texture) => {
                if let Some(document) = state.find_document(document) {
                    let textures = &mut Arc::make_mut(&mut document.scene).textures;
                    let place = (texture.spec().unit, texture.spec().target);
                    textures.retain(|t| (t.spec().unit, t.spec().target) != place);
                    textures.push(*texture);
                    state.want_picture(Urgency::Now);
                }
                state.previews.clear();
            }
            Err(error) => state.notify(NoticeKind::Error, error.to_string()),
        },
        Event::Exported(Ok(path)) => {
            state.notify(NoticeKind::Info, format!("Wrote {}", path.display()));
        }
        Event::Exported(Err(error)) => {
            state.notify(NoticeKind::Error, format!("The picture could not be written: {error}"));
        }
        Event::DraftsFound(found) => take_found_drafts(state, *found),
        Event::DraftsFailed(words) => state.notify(NoticeKind::Error, words),
        Event::Restored { file, restored, why } => take_restored(state, file, restored, why),
        Event::Failed(task) => {
            state.pending.closing = None;
            let words = format!("Shadestep itself failed at this (“{task}”); please report what you did.");
            state.notify(NoticeKind::Error, words);
        }
    }
}

/// From here on programs are run, but for those that were being run when a process died.
fn take_found_drafts(state: &mut State, found: Found) {
    let recovery = &mut state.recovery;
    recovery.search = Search::Done;
    recovery.held.extend(found.held.into_iter().map(|program| (program, HeldWhy::ClosedUnexpectedly)));
    recovery.offers = found.offers;
    for offer in &found.interrupted {
        state.services.tasks.restore(offer, Restoring::Interrupted);
    }
    let list = |files: &[PathBuf]| {
        files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
    };
    if !found.damaged.is_empty() {
        let words =
            "Drafts of an earlier session are damaged and cannot be opened. What is left of them is in";
        state.notify(NoticeKind::Error, format!("{words} {}", list(&found.damaged)));
    }
    if !found.newer.is_empty() {
        let words = "A later version of Shadestep has left drafts that this one cannot open; they stay in";
        state.notify(NoticeKind::Info, format!("{words} {}", list(&found.newer)));
    }
}

/// Opens a draft as a tab with changes; its own draft goes once the tab's is on disk.
fn take_restored(state: &mut State, file: PathBuf, restored: Restored, why: Restoring) {
    let offers = &mut state.recovery.offers;
    let offered = offers.len();
    offers.retain(|offer| offer.file != file);
    if why == Restoring::Asked && offers.len() == offered {
        // Asked for twice.
        return;
    }
    for note in &restored.notes {
        state.notify(NoticeKind::Error, note.clone());
    }
    let document = Document::restored(DocumentId(state.fresh_id()), restored);
    let paths = document.programs().map(|program| program.path().map(PathBuf::from));
    let paths: Vec<&Path> = paths.iter().filter_map(|(_, path)| path.as_deref()).collect();
    let is_its = |open: &Document| {
        !paths.is_empty() && !open.is_modified() && paths.iter().all(|path| open.has_file(path))
    };
    let open = state.documents.iter().position(is_its);
    match (open, why, state.recovery.interrupted) {
        (Some(index), ..) => {
            state.documents[index] = document;
            state.active = index;
        }
        (None, Restoring::Interrupted, Placing::Behind) => state.documents.push(document),
        (None, ..) => state.place_in_front(document),
    }
    state.recovery.resolved.push(file);
    state.document_switched();
}

fn take_saved(
    state: &mut State,
    ctx: &egui::Context,
    id: TextId,
    path: PathBuf,
    text: String,
    outcome: Result<(), String>,
) {
    match outcome {
        Ok(()) => {
            state.remember(path.clone());
            if let Some(document) = state.find_document(id.document) {
                let elsewhere = document.program_text(id.slot).is_some_and(|p| p.path() != Some(&path));
                document.mark_saved(id.slot, text, path);
                if elsewhere && document.programs().count() > 1 && !document.is_in_scene(id.slot) {
                    let words = outside_the_scene(id.slot, document);
                    state.notify(NoticeKind::Info, words);
                }
            }
            state.watch_files();
            command::continue_closing(state, ctx);
        }
        Err(error) => {
            state.pending.closing = None;
            state.notify(NoticeKind::Error, format!("{} could not be saved: {error}", path.display()));
        }
    }
}

/// What to do so that a program that was added here is there when the scene is opened again.
fn outside_the_scene(slot: Slot, document: &Document) -> String {
    let file = document.program_text(slot).map(|program| program.file_name(slot)).unwrap_or_default();
    let key = match slot {
        Slot::Vertex => "vertex",
        Slot::State(_) => "state",
        Slot::Fragment => "fragment",
    };
    format!(
        "Saved. To have {file} together with the other programs when they are opened again, name it in a \
         scene.toml beside them: {key} = \"{file}\" under [program]."
    )
}

fn take_disk_change(state: &mut State, path: &Path, text: Option<String>) {
    let mut reload = Vec::new();
    for document in &mut state.documents {
        if document.has_file(path) {
            if let Some(text) = &text {
                document.disk_changed(path, text);
            }
        } else if document.scene.watched.iter().any(|watched| watched == path)
            && let scene::Folder::Disk(folder) = &document.scene.folder
        {
            reload.push((document.id, folder.clone()));
        }
    }
    for (document, folder) in reload {
        state.services.tasks.reload(document, folder);
    }
    state.want_picture(Urgency::Now);
}

pub(super) fn take_picture(state: &mut State, ctx: &egui::Context, reply: RenderReply) {
    let is_active = state.document().is_some_and(|d| d.id == reply.document);
    let render_time = reply.outcome.as_ref().ok().map(|picture| picture.frame.render_time);
    if is_active {
        let load_time = reply.programs.iter().map(|(_, compiled)| compiled.load_time).sum();
        state.readouts.arrived(load_time, render_time);
    }
    let Some(document) = state.find_document(reply.document) else { return };
    document.loaded(reply.revision, &reply.programs);
    document.render_error = None;
    match reply.outcome {
        Ok(picture) => {
            let texture = match document.shown.take() {
                Some(mut shown) => {
                    shown.texture.set(picture.image, PICTURE_FILTER);
                    shown.texture
                }
                None => ctx.load_texture("picture", picture.image, PICTURE_FILTER),
            };
            document.shown = Some(Shown {
                generation: reply.generation,
                frame: picture.frame,
                job: reply.job,
                kept: reply.kept,
                programs: reply.programs,
                revision: reply.revision,
                texture,
                inputs: picture.inputs,
                overlay: picture.overlay,
            });
            if is_active {
                follow_subject(state);
            }
        }
        Err(RenderError::NoProgram | RenderError::Cancelled) => {}
        Err(error) => document.render_error = Some(error),
    }
    let failed = state.document().is_some_and(|document| document.error_count() > 0);
    if failed || state.clock.running == Running::No || !state.is_animated() {
        // No other picture follows with a frame: this one gets a second in which the layout settles, as egui likes.
        ctx.request_repaint_after(AT_ONCE);
    }
}

/// Records what is stepped through, or about to be, anew when its picture changed.
fn follow_subject(state: &mut State) {
    let stepped = state.debug.as_ref().map(|session| (session.subject(), session.place()));
    let wanted = state.pending.record.map(|(_, subject, place)| (subject, place));
    if let Some((subject, place)) = wanted.or(stepped) {
        state.record(subject, place);
    }
}

pub(super) fn take_recording(state: &mut State, reply: RecordReply) {
    let Some((generation, subject, place)) = state.pending.record else { return };
    if generation != reply.request.generation {
        return;
    }
    state.pending.record = None;
    match reply.outcome {
        Ok(recorded) => {
            let follows = state.debug.as_ref().is_some_and(|session| session.subject() == subject);
            state.debug = Some(DebugSession::new(reply.request, recorded, place));
            // A picture that changes under a person's hands does not move the editor.
            if !follows {
                command::reveal_step(state);
            }
        }
        Err(RenderError::Cancelled) => {}
        Err(error) => {
            // A recording of a picture that is gone would only mislead.
            state.debug = None;
            state.notify(NoticeKind::Error, format!("{subject} could not be recorded: {error}"));
        }
    }
}
