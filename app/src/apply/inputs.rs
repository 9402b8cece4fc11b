//! Carries out changes of the scene that panels request.

use crate::inputs;
use crate::mailbox::Urgency;
use crate::model::Document;
use crate::scene::{AutoSource, MeshSource, SceneEdit, TextureSpec};
use crate::session::Mouse;
use crate::state::{NoticeKind, State};
use crate::tasks::Tasks;
use shadestep_engine::isa::Stage;

/// Updates the state after a change of the scene.
pub(super) fn scene_changed(state: &mut State) {
    let lost = |state: &State, session: &crate::stepping::DebugSession| {
        let document = state.document_of(session.document());
        let text =
            session.text_id().map(|id| document.is_some_and(|document| document.text(id.part).is_some()));
        text == Some(false)
    };
    // The recorded program may be gone.
    state.stepping.session = state.stepping.session.take().filter(|session| !lost(state, session));
    if state.stepping.session.is_none() && state.pending.record.is_none() {
        state.resume_time();
    }
    state.stale.previews = true;
    state.programs_changed();
}

/// Changes the scene shown, or shows a notice with the error.
pub(super) fn change_scene(state: &mut State, change: impl FnOnce(&mut Document) -> Result<(), String>) {
    let Some(document) = state.document_mut() else { return };
    let (size, programs) = (document.scene.size, document.programs().count());
    match change(document) {
        Ok(()) => {
            let same = document.scene.size == size;
            if document.programs().count() == programs {
                state.want_picture(if same { Urgency::Next } else { Urgency::Now });
            } else {
                scene_changed(state);
            }
        }
        Err(words) => state.notify(NoticeKind::Error, words),
    }
}

/// Builds the texture of `spec`, in order to bind it.
pub(super) fn load_texture(tasks: &Tasks, document: &Document, spec: TextureSpec) {
    tasks.load_texture(document.id, document.scene.textures.clone(), document.folder(), spec);
}

pub(super) fn add_program(state: &mut State, stage: Stage) {
    change_scene(state, |document| document.add_program(stage));
}

/// Edits the scene shown, or shows a notice with the error.
pub(super) fn edit_scene(state: &mut State, edit: &SceneEdit) {
    let Some(document) = state.document() else { return };
    let refused = match edit {
        SceneEdit::Parameter(key, _) => inputs::refuse_parameter(document, key),
        SceneEdit::Track(track) => {
            let has = document.scene.tracks.iter().any(|other| other.register == track.register);
            if has { None } else { inputs::refuse_track(document, track.register) }
        }
        SceneEdit::RemoveParameter(_)
        | SceneEdit::Subroutine(..)
        | SceneEdit::RemoveSubroutine(_)
        | SceneEdit::RemoveTrack(_)
        | SceneEdit::Matrix(..)
        | SceneEdit::RemoveMatrix(_)
        | SceneEdit::Lighting(_)
        | SceneEdit::RemoveLighting(_)
        | SceneEdit::State(_)
        | SceneEdit::StateInput(..)
        | SceneEdit::Camera(_)
        | SceneEdit::Size(_)
        | SceneEdit::Mesh(_)
        | SceneEdit::Instances(_)
        | SceneEdit::Attachment(..)
        | SceneEdit::ClearColor(..)
        | SceneEdit::Texture(_)
        | SceneEdit::RemoveTexture(..)
        | SceneEdit::AddBuffer(..)
        | SceneEdit::Buffer(..)
        | SceneEdit::RemoveBuffer(_)
        | SceneEdit::AddImage(..)
        | SceneEdit::Image(..)
        | SceneEdit::RemoveImage(_)
        | SceneEdit::AddProgram(..)
        | SceneEdit::RemoveProgram(_) => None,
    };
    match refused {
        Some(words) => state.notify(NoticeKind::Error, words),
        None => change_scene(state, |document| document.edit_scene(edit)),
    }
}

pub(super) fn show_output_color(state: &mut State, number: u8) {
    state.with_document(|document| document.chosen_color = number);
    state.want_picture(Urgency::Now);
}

pub(super) fn show_layer(state: &mut State, number: u32) {
    state.with_document(|document| document.chosen_layer = Some(number));
    state.want_picture(Urgency::Now);
}

pub(super) fn set_mesh(state: &State, source: MeshSource) {
    if let Some(document) = state.document() {
        state.services.tasks.load_mesh(document.id, document.folder(), source);
    }
}

pub(super) fn set_texture(state: &State, spec: TextureSpec) {
    if let Some(document) = state.document() {
        load_texture(&state.services.tasks, document, spec);
    }
}

pub(super) fn set_mouse(state: &mut State, mouse: Mouse) {
    let changed = mouse != state.view.mouse;
    state.view.mouse = mouse;
    let follows = |source| matches!(source, AutoSource::MouseX | AutoSource::MouseY | AutoSource::MouseDown);
    if changed && state.document().is_some_and(|document| document.depends_on(follows)) {
        state.want_picture(Urgency::Next);
    }
}
