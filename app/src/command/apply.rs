//! Carrying actions out.

use super::{Action, Command, Menu, UnsavedAnswer, direction, drafts};
use crate::app::{Clock, Closing, Dialog, NoticeKind, Running, State};
use crate::debugger::{Anchor, Place, Selected};
use crate::drafts::Card;
use crate::editor::{self, FindMode};
use crate::inputs;
use crate::model::{
    Cause, Document, DocumentId, Focus, NEW_PROGRAMS, Part, ResetSubject, Reveal, SaveWay, Template, TextId,
};
use crate::scene::{Folder, ImageSource, MeshSource, Mipmaps, Scene, SceneEdit, Slot, TextureSpec};
use crate::shell::{CommandPalette, Layout, LayoutPurpose, Pane};
use crate::tasks::{Purpose, Question, Tasks};
use crate::viewport::Tool;
use crate::worker::{Subject, Urgency};
use shadestep_engine::front::language_with_options;
use shadestep_engine::isa::{self, Stage};
use shadestep_engine::source::Span;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Carries `action` out.
pub fn apply(state: &mut State, ctx: &egui::Context, action: Action) {
    match action {
        Action::Run(command) => run(state, ctx, command),
        Action::Open(path) => state.services.tasks.open(path),
        Action::OpenSample(name) => state.services.tasks.open_named(name.into()),
        Action::ActivateTab(index) => {
            activate(state, index);
            state.focus_editor = Some(());
        }
        Action::CloseTab(id) => close_tab(state, id),
        Action::Unsaved(answer) => answer_unsaved(state, ctx, answer),
        Action::PickPixel(pixel) => pick(state, Subject::Pixel(pixel)),
        Action::PickVertex(element) => pick(state, Subject::Vertex(element)),
        Action::StepStateProgram(n) => pick(state, Subject::StateProgram(n)),
        Action::SelectFragment(index) => {
            select_fragment(state, index);
            reveal_step(state);
        }
        Action::Seek(position) => {
            if let Some(session) = &mut state.debug {
                session.seek(position);
            }
            reveal_step(state);
        }
        Action::SetFormat(format) => state.settings.format = format,
        Action::SetView(view) => state.view = view,
        Action::Show(pane) => state.settings.layout.show(pane),
        Action::ShowReference(opcode) => {
            state.learn.show_reference(opcode);
            state.settings.layout.show(Pane::Learn);
        }
        Action::ClosePalette => state.palette = None,
        Action::CloseDialog => {
            state.dialog = None;
            state.pending.closing = None;
        }
        Action::NewFrom(template) => {
            state.dialog = None;
            open_template(state, template);
        }
        Action::PathTyped(text) => {
            if let Some(Dialog::Path(prompt)) = &mut state.dialog {
                prompt.text = text;
            }
            list_wanted(state);
        }
        Action::PathEntered => {
            if let Some(Dialog::Path(prompt)) = state.dialog.take() {
                let path = prompt.path();
                path_chosen(state, ctx, prompt.question.purpose, path);
            }
        }
        Action::Overwrite(id) => {
            state.dialog = None;
            if let Some(document) = state.find_document(id) {
                document.keep_texts();
            }
            save_document(state, id);
        }
        Action::Dismiss(id) => state.notices.retain(|notice| notice.id != id),
        Action::ForgetRecent(path) => state.settings.recent.retain(|other| *other != path),
        Action::RestoreDraft(_)
        | Action::RestoreAllDrafts
        | Action::DiscardDraft(_)
        | Action::DiscardAllDrafts
        | Action::CompareDraft(_)
        | Action::PutDraftsAway => drafts::apply(state, action),
        Action::EditScene(_)
        | Action::Reset(_)
        | Action::ShowOutputColor(_)
        | Action::SetMesh(_)
        | Action::ChooseMesh
        | Action::SetTexture(_)
        | Action::ChooseTexture(_)
        | Action::SetMouse(_) => apply_input(state, action),
        _ => apply_text(state, ctx, action),
    }
}

fn apply_text(state: &mut State, ctx: &egui::Context, action: Action) {
    match action {
        Action::ShowText(part) => show_text(state, part),
        Action::Edited(id, before) => edited(state, id, &before, Cause::Typed),
        Action::CaretMoved(id, offset) => {
            if let Some(text) = state.find_text(id) {
                text.caret = offset;
            }
        }
        Action::Jump(span) => jump(state, span),
        Action::ReplaceText(edits) => replace_text(state, ctx, edits),
        Action::ToggleBreakpoint(id, line) => {
            if let Some(text) = state.find_text(id) {
                text.toggle_breakpoint(line);
            }
        }
        Action::TakeDiskText(id) => {
            if let Some(document) = state.find_document(id.document) {
                document.take_disk_text(id.part);
            }
            state.want_picture(Urgency::Now);
        }
        Action::KeepText(id) => {
            if let Some(text) = state.find_text(id) {
                text.changed_on_disk = None;
            }
        }
        Action::SetQuery(query) => {
            state.find.query = query;
            let first = state.document().and_then(|document| state.find.first(&document.active().text));
            if let Some(span) = first {
                show_match(state, span);
            }
        }
        Action::SetReplacement(replacement) => state.find.replacement = replacement,
        Action::ReplaceAll => replace_all(state, ctx),
        Action::ReplaceOne => replace_one(state, ctx),
        Action::CloseFind => {
            state.find.mode = FindMode::Closed;
            state.focus_editor = Some(());
            ctx.request_repaint();
        }
        _ => {}
    }
}

/// Takes a change that was made in a text.
fn edited(state: &mut State, id: TextId, before: &str, cause: Cause) {
    if let Some(document) = state.find_document(id.document) {
        let scene = Arc::clone(&document.scene);
        document.edited(id.part, before, cause);
        if !Arc::ptr_eq(&scene, &document.scene) {
            scene_changed(state);
            return;
        }
    }
    state.want_picture(Urgency::Now);
}

/// Shows what follows from another scene.
fn scene_changed(state: &mut State) {
    let lost = |state: &State, session: &crate::debugger::DebugSession| {
        let document = state.documents.iter().find(|document| document.id == session.document());
        let text =
            session.text_id().map(|id| document.is_some_and(|document| document.text(id.part).is_some()));
        text == Some(false)
    };
    // What is recorded may be a run of a program that is gone.
    state.debug = state.debug.take().filter(|session| !lost(state, session));
    if state.debug.is_none() && state.pending.record.is_none() {
        state.resume_time();
    }
    state.previews.clear();
    state.programs_changed();
}

/// Makes a change of the scene shown, or says why that cannot be.
fn change_scene(state: &mut State, change: impl FnOnce(&mut Document) -> Result<(), String>) {
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

fn apply_input(state: &mut State, action: Action) {
    let Some(document) = state.documents.get_mut(state.active) else { return };
    match action {
        Action::EditScene(edit) => {
            let refused = match &edit {
                SceneEdit::Parameter(key, _) => inputs::refuse_parameter(document, key),
                SceneEdit::Track(track) => {
                    match document.scene.tracks.iter().any(|t| t.register == track.register) {
                        true => None,
                        false => inputs::refuse_track(document, track.register),
                    }
                }
                _ => None,
            };
            match refused {
                Some(words) => state.notify(NoticeKind::Error, words),
                None => change_scene(state, |document| document.edit_scene(&edit)),
            }
        }
        Action::Reset(subject) => change_scene(state, |document| document.reset(&subject)),
        Action::ShowOutputColor(number) => {
            document.chosen_color = number;
            state.want_picture(Urgency::Now);
        }
        Action::SetMesh(source) => state.services.tasks.load_mesh(document.id, document.folder(), source),
        Action::ChooseMesh => ask(state, Purpose::Mesh),
        Action::SetTexture(spec) => load_texture(&state.services.tasks, document, spec),
        Action::ChooseTexture(spec) => ask(state, |id| Purpose::Texture(id, Box::new(spec))),
        Action::SetMouse(mouse) => {
            use crate::scene::AutoSource::{MouseDown, MouseX, MouseY};
            let changed = mouse != state.mouse;
            state.mouse = mouse;
            if changed && document.depends_on(|s| matches!(s, MouseX | MouseY | MouseDown)) {
                state.want_picture(Urgency::Next);
            }
        }
        _ => {}
    }
}

/// Makes the texture of `spec`, to be bound.
fn load_texture(tasks: &Tasks, document: &Document, spec: TextureSpec) {
    tasks.load_texture(document.id, document.scene.textures.clone(), document.folder(), spec);
}

/// Asks for a path for the document shown.
fn ask(state: &State, purpose: impl FnOnce(DocumentId) -> Purpose) {
    if let Some(document) = state.document() {
        ask_named(state, document, purpose(document.id), String::new());
    }
}

fn ask_named(state: &State, document: &Document, purpose: Purpose, name: String) {
    let folder = document.files().next().as_deref().and_then(Path::parent).map(Path::to_path_buf);
    // A folder is saved beside the one that the scene has.
    let beside = matches!(purpose, Purpose::SaveScene(_)) && document.scene_text().path().is_some();
    let folder = match folder {
        Some(folder) if beside => folder.parent().map(Path::to_path_buf),
        folder => folder,
    };
    let name = if beside { format!("{name}-copy") } else { name };
    state.services.tasks.ask(Question { purpose, folder, name });
}

/// Has the folder listed that the prompt for a path is in.
fn list_wanted(state: &State) {
    if let Some(Dialog::Path(prompt)) = &state.dialog
        && let Some(folder) = prompt.wanted()
    {
        state.services.tasks.list(folder);
    }
}

/// Does with `path` what it was asked for.
pub fn path_chosen(state: &mut State, ctx: &egui::Context, purpose: Purpose, path: PathBuf) {
    let tasks = &state.services.tasks;
    match purpose {
        Purpose::Open => tasks.open(path),
        Purpose::SaveProgram(id) => {
            if let Some(document) = state.documents.iter().find(|document| document.id == id)
                && let Some((slot, _)) = document.alone()
            {
                tasks.save(document.save_program(slot, path));
            }
        }
        Purpose::SaveScene(id) => {
            if let Some(document) = state.documents.iter().find(|document| document.id == id) {
                tasks.save(document.save_in_folder(&path));
            }
        }
        Purpose::SaveCopy(id) => {
            if let Some(document) = state.documents.iter().find(|document| document.id == id) {
                tasks.save_copy(path, document.active().text.clone());
            }
        }
        Purpose::Export(id) => {
            let document = state.documents.iter().find(|document| document.id == id);
            if let Some(shown) = document.and_then(|document| document.shown.as_ref()) {
                let frame = Arc::clone(&shown.frame);
                tasks.export_png(path, frame.size(), move || frame.to_rgba8());
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
                spec.images = vec![ImageSource::File(document.choose_file(&path))];
                if let Mipmaps::Given(_) = spec.mipmaps {
                    spec.mipmaps = Mipmaps::Generate;
                }
                load_texture(tasks, document, *spec);
            }
        }
    }
    ctx.request_repaint();
}

fn run(state: &mut State, ctx: &egui::Context, command: Command) {
    if !command.enabled(state) {
        return;
    }
    match command.info().menu {
        Menu::File => run_file(state, ctx, command),
        Menu::Edit => run_edit(state, ctx, command),
        Menu::View | Menu::Help => run_view(state, ctx, command),
        Menu::Run => run_time(state, command),
        Menu::Debug => run_debug(state, command),
    }
}

fn run_file(state: &mut State, ctx: &egui::Context, command: Command) {
    match command {
        Command::New => open_template(state, NEW_PROGRAMS[0]),
        Command::NewVertex => open_template(state, NEW_PROGRAMS[1]),
        Command::NewArbFragment => open_template(state, NEW_PROGRAMS[2]),
        Command::NewArbVertex => open_template(state, NEW_PROGRAMS[3]),
        Command::NewScene => state.dialog = Some(Dialog::NewScene),
        Command::Open => {
            let file = state.document().and_then(|d| d.files().next());
            let folder = file.as_deref().and_then(Path::parent).map(Path::to_path_buf);
            state.services.tasks.ask(Question { purpose: Purpose::Open, folder, name: String::new() });
        }
        Command::Save => {
            if let Some(id) = state.document().map(|document| document.id) {
                save_document(state, id);
            }
        }
        Command::SaveAs => {
            if let Some(document) = state.document() {
                carry_out(state, document, document.save_as_way());
            }
        }
        Command::SaveCopy => {
            if let Some(document) = state.document() {
                let name = match document.active_part() {
                    Part::Program(slot) => document.active().file_name(slot),
                    Part::Scene => document.active().name().to_owned(),
                };
                ask_named(state, document, Purpose::SaveCopy(document.id), name);
            }
        }
        Command::SaveAll => {
            let changed = state.documents.iter().filter(|document| document.is_modified());
            for id in changed.map(|document| document.id).collect::<Vec<_>>() {
                save_document(state, id);
            }
        }
        Command::AddVertexProgram => add_program(state, Stage::Vertex),
        Command::AddStateProgram => add_program(state, Stage::VertexState),
        Command::AddFragmentProgram => add_program(state, Stage::Fragment),
        Command::RemoveProgram => {
            change_scene(state, |document| document.remove_program(document.active_slot()));
        }
        Command::ExportPicture => {
            if let Some(document) = state.document() {
                let stem = document.scene.name.trim_end_matches(".fp").trim_end_matches(".vp");
                ask_named(state, document, Purpose::Export(document.id), format!("{stem}.png"));
            }
        }
        Command::RecoverDrafts => state.recovery.card = Card::Shown,
        Command::CloseTab => {
            if let Some(id) = state.document().map(|d| d.id) {
                close_tab(state, id);
            }
        }
        Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        _ => {}
    }
}

/// Saves what has changed in a document, where it has its place; asks where to, or whether to write over what another
/// program has saved.
fn save_document(state: &mut State, id: DocumentId) {
    let Some(document) = state.documents.iter().find(|document| document.id == id) else { return };
    let way = document.save_way();
    match &way {
        SaveWay::Write(save) if !document.overwritten_by(save).is_empty() => {
            state.dialog = Some(Dialog::Overwrite(id));
        }
        _ => carry_out(state, document, way),
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

fn open_template(state: &mut State, template: Template) {
    let scenes = (1..).map(|number| template.scene(number));
    let taken = |scene: &Scene| state.documents.iter().any(|d| d.name() == scene.title);
    let free = { scenes }.find(|scene| !scene.as_ref().is_ok_and(taken));
    match free {
        Some(Ok(scene)) => {
            let id = DocumentId(state.fresh_id());
            state.documents.push(Document::begun(id, scene));
            state.active = state.documents.len() - 1;
            state.document_switched();
        }
        Some(Err(error)) => state.notify(NoticeKind::Error, error.to_string()),
        None => {}
    }
}

fn add_program(state: &mut State, stage: Stage) {
    change_scene(state, |document| document.add_program(stage));
}

fn show_text(state: &mut State, part: Part) {
    if state.document_mut().is_some_and(|document| document.activate(part)) {
        state.highlighter.clear();
        state.focus_editor = Some(());
    }
}

/// Goes `steps` texts on in the scene shown.
fn next_text(state: &mut State, steps: isize) {
    let Some(document) = state.document() else { return };
    let parts: Vec<Part> = document.texts().map(|(part, _)| part).collect();
    let Some(index) = parts.iter().position(|part| *part == document.active_part()) else { return };
    let next = (index as isize + steps).rem_euclid(parts.len() as isize) as usize;
    show_text(state, parts[next]);
}

fn activate(state: &mut State, index: usize) {
    if index != state.active && index < state.documents.len() {
        state.active = index;
        state.document_switched();
    }
}

fn close_tab(state: &mut State, id: DocumentId) {
    match state.documents.iter().position(|d| d.id == id) {
        Some(index) if state.documents[index].is_modified() => {
            activate(state, index);
            state.dialog = Some(Dialog::Unsaved(Closing::Tab(id)));
        }
        Some(index) => remove_tab(state, index),
        None => {}
    }
}

fn remove_tab(state: &mut State, index: usize) {
    let closed = state.documents.remove(index).id;
    state.pictures.keep(|id| id != closed);
    if state.active > index || state.active >= state.documents.len() {
        state.active = state.active.saturating_sub(1);
    }
    state.document_switched();
}

fn answer_unsaved(state: &mut State, ctx: &egui::Context, answer: UnsavedAnswer) {
    let Some(Dialog::Unsaved(closing)) = state.dialog.take() else { return };
    match answer {
        UnsavedAnswer::Cancel => state.pending.closing = None,
        UnsavedAnswer::Discard => finish_closing(state, ctx, closing),
        UnsavedAnswer::Save => {
            state.pending.closing = Some(closing);
            let waiting = state.documents.iter().filter(|d| closing.waits_for(d));
            for id in waiting.map(|document| document.id).collect::<Vec<_>>() {
                save_document(state, id);
            }
        }
    }
}

/// Goes on with closing once what was to be saved is saved.
pub fn continue_closing(state: &mut State, ctx: &egui::Context) {
    let Some(closing) = state.pending.closing else { return };
    if !state.documents.iter().any(|document| closing.waits_for(document)) {
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
            if let Some(index) = state.documents.iter().position(|d| d.id == id) {
                remove_tab(state, index);
            }
        }
    }
}

fn run_edit(state: &mut State, ctx: &egui::Context, command: Command) {
    match command {
        Command::Undo | Command::Redo => {
            let done = state.document_mut().is_some_and(|document| match command {
                Command::Undo => document.undo(),
                _ => document.redo(),
            });
            if done {
                scene_changed(state);
                state.want_picture(Urgency::Now);
            }
        }
        Command::Find | Command::Replace => {
            let mode = if command == Command::Find { FindMode::Find } else { FindMode::Replace };
            let caret = state.document().map_or(0, |document| document.active().caret);
            state.find.open(mode, caret);
        }
        Command::FindNext | Command::FindPrevious => find_from_caret(state, command),
        Command::ToggleComment => {
            if let Some(document) = state.document() {
                let selection = editor::selection(ctx, document);
                let edits = editor::toggle_comment(&document.active().text, selection);
                replace_text(state, ctx, edits);
            }
        }
        Command::NextProblem | Command::PreviousProblem => next_problem(state, command),
        _ => {}
    }
}

fn find_from_caret(state: &mut State, command: Command) {
    let Some(document) = state.document() else { return };
    let matches = editor::matches(&document.active().text, &state.find.query);
    let caret = document.active().caret;
    let next = match command {
        Command::FindNext => matches.iter().find(|m| m.start >= caret).or(matches.first()),
        _ => matches.iter().rev().find(|m| m.end < caret).or(matches.last()),
    };
    if let Some(&span) = next {
        show_match(state, span);
    }
}

fn show_match(state: &mut State, span: Span) {
    if let Some(document) = state.document_mut() {
        let text = document.active_mut();
        text.caret = span.end;
        text.reveal = Some(Reveal { span, focus: Focus::Keep });
    }
}

fn next_problem(state: &mut State, command: Command) {
    let Some(document) = state.document() else { return };
    let mut places: Vec<(Part, Span)> = document.findings().map(|(part, d)| (part, d.span())).collect();
    places.sort_unstable();
    let here = (document.active_part(), document.active().caret);
    let next = match command {
        Command::NextProblem => places.iter().find(|(part, s)| (*part, s.start) > here).or(places.first()),
        _ => places.iter().rev().find(|(part, s)| (*part, s.start) < here).or(places.last()),
    };
    if let Some(&(part, span)) = next {
        show_text(state, part);
        jump(state, span);
    }
}

fn jump(state: &mut State, span: Span) {
    if let Some(document) = state.document_mut() {
        let text = document.active_mut();
        text.caret = span.start;
        text.reveal = Some(Reveal { span, focus: Focus::Take });
    }
    state.settings.layout.show(Pane::Editor);
}

fn replace_all(state: &mut State, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let replacement = &state.find.replacement;
    let matches = editor::matches(&document.active().text, &state.find.query);
    let edits = matches.into_iter().map(|span| (span, replacement.clone())).collect();
    replace_text(state, ctx, edits);
}

fn replace_one(state: &mut State, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let matches = editor::matches(&document.active().text, &state.find.query);
    let caret = document.active().caret;
    let at = matches.iter().find(|m| m.end >= caret).or(matches.first()).copied();
    if let Some(span) = at {
        let replacement = state.find.replacement.clone();
        let end = span.start + replacement.len();
        replace_text(state, ctx, vec![(span, replacement)]);
        if let Some(document) = state.document_mut() {
            document.active_mut().caret = end;
        }
        find_from_caret(state, Command::FindNext);
    }
}

/// Replaces bytes of the text shown; the selection stays on what it is on.
fn replace_text(state: &mut State, ctx: &egui::Context, edits: editor::Edits) {
    let Some(document) = state.document_mut() else { return };
    let id = document.text_id();
    if let Some(before) = editor::make(ctx, document, edits) {
        edited(state, id, &before, Cause::Other);
    }
}

fn run_view(state: &mut State, ctx: &egui::Context, command: Command) {
    match command {
        Command::CommandPalette => {
            state.palette = match state.palette {
                None => Some(CommandPalette::default()),
                Some(_) => None,
            };
        }
        Command::NextTab => activate(state, (state.active + 1) % state.documents.len().max(1)),
        Command::PreviousTab => {
            let count = state.documents.len().max(1);
            activate(state, (state.active + count - 1) % count);
        }
        Command::EditScene => show_text(state, Part::Scene),
        Command::NextProgram => next_text(state, 1),
        Command::PreviousProgram => next_text(state, -1),
        Command::ShowProblems => state.settings.layout.show(Pane::Problems),
        Command::ShowInputs => state.settings.layout.show(Pane::Inputs),
        Command::ShowDebugger => state.settings.layout.show(Pane::Debugger),
        Command::ShowVertices => state.settings.layout.show(Pane::Vertices),
        Command::ShowLearn => state.settings.layout.show(Pane::Learn),
        Command::ShowWord => show_word(state),
        Command::ZoomIn => state.view.zoom_in(),
        Command::ZoomOut => state.view.zoom_out(),
        Command::ZoomFit => state.view.fit(),
        Command::ZoomActual => state.view.actual_size(),
        Command::ToggleWireframe | Command::ToggleNormals => {
            if let Some(document) = state.document_mut() {
                let shown = match command {
                    Command::ToggleWireframe => &mut document.overlays.wireframe,
                    _ => &mut document.overlays.normals,
                };
                *shown = !*shown;
            }
            state.want_picture(Urgency::Next);
        }
        Command::ToggleTheme => {
            state.settings.theme = state.settings.theme.other();
            crate::theme::select(ctx, state.settings.theme);
        }
        Command::LayoutWrite => state.settings.layout = Layout::of(LayoutPurpose::Write),
        Command::LayoutDebug => state.settings.layout = Layout::of(LayoutPurpose::Debug),
        Command::LayoutLearn => state.settings.layout = Layout::of(LayoutPurpose::Learn),
        Command::ResetLayout => state.settings.layout = Layout::default(),
        Command::About => state.dialog = Some(Dialog::About),
        _ => {}
    }
}

/// Shows the reference page of the instruction at the caret; where there is none, what there is to read.
fn show_word(state: &mut State) {
    let word = state.document().and_then(|document| {
        let text = &document.active().text;
        let language = language_with_options(text.as_bytes())?;
        let (info, _) = isa::find(language, editor::word_at(text, document.active().caret))?;
        Some(info.opcode)
    });
    if let Some(opcode) = word {
        state.learn.show_reference(opcode);
    }
    state.settings.layout.show(Pane::Learn);
}

fn run_time(state: &mut State, command: Command) {
    match command {
        Command::PlayPause => {
            match state.clock.running {
                Running::Yes => state.stop_time(),
                Running::No | Running::Held => state.clock.running = Running::Yes,
            }
            return;
        }
        Command::StepTime => {
            state.stop_time();
            let clock = &mut state.clock;
            clock.time_secs += 1.0 / 60.0;
            clock.frame += 1;
        }
        Command::RunHeld => return drafts::run_held(state),
        Command::StopRendering => return drafts::stop_rendering(state),
        Command::ResetTime => state.clock = Clock { running: state.clock.running, ..Clock::default() },
        Command::ResetCamera => change_scene(state, |document| document.reset(&ResetSubject::Camera)),
        Command::ResetInputs => change_scene(state, |document| document.reset(&ResetSubject::Scene)),
        _ => return,
    }
    state.want_picture(Urgency::Next);
}

/// Records `subject`. Time stands still until that is left, so that the picture stays the one recorded. From a
/// fragment to one of its vertices, and on to the others, the way back is kept.
fn pick(state: &mut State, subject: Subject) {
    state.hold_time();
    let origin = match subject {
        Subject::Vertex(element) => {
            state.vertices.scroll_to(element);
            way_back(state, element)
        }
        Subject::Pixel(_) | Subject::StateProgram(_) => None,
    };
    let like = like_the_one_stepped(state, subject);
    state.record(subject, Place { origin, like, ..Place::default() });
    state.settings.layout.show(Pane::Debugger);
}

/// Looks at fragment `index` of the pixel stepped through. Of a pixel with very many, not all are at hand.
fn select_fragment(state: &mut State, index: usize) {
    let Some(session) = &mut state.debug else { return };
    if session.select(index) == Selected::NotKept {
        let (subject, like) = (session.subject(), session.anchor());
        state.record(subject, Place { fragment: Some(index), like, ..Place::default() });
    }
}

/// Where what is stepped through stands, if `subject` runs the same program: another pixel is looked at to compare.
fn like_the_one_stepped(state: &mut State, subject: Subject) -> Option<Anchor> {
    let document = state.document()?.id;
    let session = state.debug.as_mut().filter(|session| session.document() == document)?;
    let same_program = matches!(
        (session.subject(), subject),
        (Subject::Pixel(_), Subject::Pixel(_)) | (Subject::Vertex(_), Subject::Vertex(_))
    );
    if same_program { session.anchor() } else { None }
}

fn way_back(state: &State, element: u32) -> Option<crate::debugger::Origin> {
    let session = state.debug.as_ref()?;
    let fragment = session.fragment().filter(|fragment| fragment.elements.contains(&element));
    if fragment.is_some() { session.as_origin() } else { session.origin }
}

fn run_debug(state: &mut State, command: Command) {
    match command {
        Command::PickCentre => {
            let size = state.document().and_then(|d| d.shown.as_ref()).map(|shown| shown.frame.size());
            if let Some([width, height]) = size {
                pick(state, Subject::Pixel([width / 2, height / 2]));
            }
        }
        Command::PickVertices => {
            state.tool = match state.tool {
                Tool::Pixel => Tool::Vertex,
                Tool::Vertex => Tool::Pixel,
            }
        }
        Command::StepStateProgram => {
            if let Some(Slot::State(n)) = state.document().map(Document::active_slot) {
                pick(state, Subject::StateProgram(n));
            }
        }
        Command::BackToFragment => {
            if let Some(origin) = state.debug.as_ref().and_then(|session| session.origin) {
                let (position, fragment) = (origin.position, Some(origin.fragment));
                let place = Place { position, fragment, ..Place::default() };
                state.record(Subject::Pixel(origin.pixel), place);
            }
        }
        Command::StopDebugging => {
            state.debug = None;
            state.stop_recording();
            state.resume_time();
        }
        Command::ToggleBreakpoint => {
            if let Some(document) = state.document_mut() {
                let line = document.lines().line_of(document.active().caret);
                document.active_mut().toggle_breakpoint(line);
            }
        }
        Command::ClearBreakpoints => {
            if let Some(document) = state.document_mut() {
                document.active_mut().breakpoints.clear();
            }
        }
        _ => step(state, command),
    }
}

fn step(state: &mut State, command: Command) {
    let Some(document) = state.documents.get(state.active) else { return };
    let Some(session) = &mut state.debug else { return };
    let text = session.text_id().and_then(|id| document.text(id.part));
    match (command, direction(command)) {
        (Command::StepForward | Command::StepBack, Some(direction)) => session.step(direction),
        (Command::StepOver | Command::StepOverBack, Some(direction)) => session.step_over(direction),
        (Command::NextBreakpoint | Command::PreviousBreakpoint, Some(direction)) => {
            let none = std::collections::BTreeSet::new();
            session.to_breakpoint(direction, text.map_or(&none, |text| &text.breakpoints));
        }
        (Command::ToStart, _) => session.to_start(),
        (Command::ToEnd, _) => session.to_end(),
        (Command::StepOut | Command::StepOutBack, Some(direction)) => session.step_out(direction),
        (Command::ToCursor, _) => {
            if let Some(text) = text {
                session.to_line(text.lines().line_of(text.caret));
            }
        }
        _ => {}
    }
    reveal_step(state);
}

/// Scrolls the editor to the current step, in the tab of its program.
pub(crate) fn reveal_step(state: &mut State) {
    let Some(session) = &state.debug else { return };
    let (Some(id), Some(program)) = (session.text_id(), session.program()) else { return };
    let span = session.current_step().map(|step| Span::at(program.instructions[step.pc].span.start));
    let Some(document) = state.documents.iter_mut().find(|d| d.id == id.document) else { return };
    let before = document.active_part();
    if document.activate(id.part)
        && let Some(span) = span
    {
        document.active_mut().reveal = Some(Reveal { span, focus: Focus::Keep });
    }
    if document.active_part() != before {
        state.highlighter.clear();
    }
}

/// Whether a scene is one of the samples in the binary.
pub fn is_bundled(scene: &Scene) -> bool {
    matches!(scene.folder, Folder::Bundled(_))
}
