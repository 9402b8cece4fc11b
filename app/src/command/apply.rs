//! Carrying actions out.

use super::{Action, Command, Menu, UnsavedAnswer, direction, drafts};
use crate::app::{Clock, Closing, Dialog, NoticeKind, Running, State};
use crate::debugger::Place;
use crate::drafts::Card;
use crate::editor::{self, Document, DocumentId, FindMode, Focus, Reveal, TextId};
use crate::inputs;
use crate::scene::{Folder, Scene, SceneTexture, Slot};
use crate::shell::{CommandPalette, Pane};
use crate::viewport::Tool;
use crate::worker::{Subject, Urgency};
use shadestep_engine::isa::Stage;
use shadestep_engine::source::Span;
use std::path::Path;
use std::sync::Arc;

/// A program to start from: what a new tab holds.
const NEW_PROGRAM: &str = "!!FP1.0\n# o[COLR] is this pixel's colour; f[TEX0] runs from 0 to 1 across the picture.\nMOV o[COLR], f[TEX0];\nEND\n";

/// The same for a vertex program.
const NEW_VERTEX_PROGRAM: &str = include_str!("../editor/templates/mesh.vp");
const NEW_ARB_FRAGMENT_PROGRAM: &str = include_str!("../editor/templates/arb.fp");
const NEW_ARB_VERTEX_PROGRAM: &str = include_str!("../editor/templates/arb.vp");

/// Carries `action` out.
pub fn apply(state: &mut State, ctx: &egui::Context, action: Action) {
    match action {
        Action::Run(command) => run(state, ctx, command),
        Action::Open(path) => state.services.tasks.open(path),
        Action::OpenSample(name) => state.services.tasks.open_named(name.to_owned()),
        Action::ActivateTab(index) => activate(state, index),
        Action::CloseTab(id) => close_tab(state, id),
        Action::Unsaved(answer) => answer_unsaved(state, ctx, answer),
        Action::PickPixel(pixel) => pick(state, Subject::Pixel(pixel)),
        Action::PickVertex(element) => pick(state, Subject::Vertex(element)),
        Action::StepStateProgram(n) => pick(state, Subject::StateProgram(n)),
        Action::SelectFragment(index) => {
            if let Some(session) = &mut state.debug {
                session.select(index);
            }
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
        Action::CloseAbout => state.dialog = None,
        Action::Dismiss(id) => state.notices.retain(|notice| notice.id != id),
        Action::ForgetRecent(path) => state.settings.recent.retain(|other| *other != path),
        Action::RestoreDraft(_)
        | Action::RestoreAllDrafts
        | Action::DiscardDraft(_)
        | Action::DiscardAllDrafts
        | Action::CompareDraft(_)
        | Action::PutDraftsAway => drafts::apply(state, action),
        Action::SetParameter(..)
        | Action::ResetParameter(_)
        | Action::SetTrack(_)
        | Action::RemoveTrack(_)
        | Action::ResetTracks
        | Action::SetMatrix(..)
        | Action::ResetMatrix(_)
        | Action::SetLighting(_)
        | Action::ResetLighting(_)
        | Action::SetState(_)
        | Action::ResetState(_)
        | Action::SetStateInput(..)
        | Action::ResetStateInput(_)
        | Action::SetCamera(_)
        | Action::SetSize(_)
        | Action::ShowOutputColor(_)
        | Action::SetMesh(_)
        | Action::ChooseMesh
        | Action::SetTexture(_)
        | Action::ChooseTexture(_)
        | Action::SetMouse(_) => apply_input(state, action),
        _ => apply_text(state, action),
    }
}

fn apply_text(state: &mut State, action: Action) {
    match action {
        Action::ShowProgram(slot) => show_program(state, slot),
        Action::Edited(id, before) => {
            if let Some(document) = state.find_document(id.document) {
                document.edited(id.slot, &before);
            }
            state.want_picture(Urgency::Now);
        }
        Action::CaretMoved(id, offset) => {
            if let Some(text) = state.find_text(id) {
                text.caret = offset;
            }
        }
        Action::Jump(span) => jump(state, span),
        Action::ReplaceText(edits) => replace_text(state, &edits),
        Action::ToggleBreakpoint(id, line) => {
            if let Some(text) = state.find_text(id)
                && !text.breakpoints.remove(&line)
            {
                text.breakpoints.insert(line);
            }
        }
        Action::TakeDiskText(id) => {
            if let Some(document) = state.find_document(id.document) {
                document.take_disk_text(id.slot);
            }
            state.want_picture(Urgency::Now);
        }
        Action::KeepText(id) => {
            if let Some(text) = state.find_text(id) {
                text.changed_on_disk = None;
            }
        }
        Action::SetQuery(query) => state.find.query = query,
        Action::SetReplacement(replacement) => state.find.replacement = replacement,
        Action::ReplaceAll => replace_all(state),
        Action::ReplaceOne => replace_one(state),
        Action::CloseFind => state.find.mode = FindMode::Closed,
        _ => {}
    }
}

fn apply_input(state: &mut State, action: Action) {
    let mut urgency = Urgency::Next;
    let Some(document) = state.documents.get_mut(state.active) else { return };
    match action {
        Action::SetParameter(key, value) => {
            if let Some(words) = inputs::refuse_parameter(document, &key) {
                state.notify(NoticeKind::Error, words);
                return;
            }
            document.overrides.insert(key, value);
        }
        Action::ResetParameter(key) => {
            document.overrides.remove(&key);
        }
        Action::SetTrack(track) => {
            if let Some(words) = inputs::refuse_track(document, track.register) {
                state.notify(NoticeKind::Error, words);
                return;
            }
            inputs::set_track(document, track);
        }
        Action::RemoveTrack(register) => inputs::remove_track(document, register),
        Action::ResetTracks => {
            if let Some(words) = inputs::refuse_reset(document) {
                state.notify(NoticeKind::Error, words);
                return;
            }
            document.scene_overrides.tracks = None;
        }
        Action::SetMatrix(name, matrix) => {
            document.scene_overrides.matrices.insert(name, matrix);
        }
        Action::ResetMatrix(name) => {
            document.scene_overrides.matrices.remove(&name);
        }
        Action::SetLighting(setting) => document.scene_overrides.set_lighting(setting),
        Action::ResetLighting(setting) => document.scene_overrides.reset_lighting(&setting),
        Action::SetState(setting) => document.scene_overrides.set_state(setting),
        Action::ResetState(setting) => document.scene_overrides.reset_state(&setting),
        Action::SetStateInput(n, value) => {
            document.scene_overrides.state_inputs.insert(n, value);
        }
        Action::ResetStateInput(n) => {
            document.scene_overrides.state_inputs.remove(&n);
        }
        Action::SetCamera(camera) => document.camera = Some(camera),
        Action::SetSize(size) => {
            document.size = size;
            urgency = Urgency::Now;
        }
        Action::ShowOutputColor(number) => {
            document.chosen_color = number;
            urgency = Urgency::Now;
        }
        Action::SetMesh(source) => {
            state.services.tasks.load_mesh(document.id, document.scene.folder.clone(), source);
        }
        Action::ChooseMesh => state.services.tasks.choose_mesh(document.id),
        Action::SetTexture(spec) => {
            // An image that was chosen from elsewhere stays where it is.
            let same = |t: &&SceneTexture| {
                let bound = t.spec();
                (bound.unit, bound.target, &bound.images) == (spec.unit, spec.target, &spec.images)
            };
            let bound = document.scene.textures.iter().find(same);
            let folder = bound.map_or(&document.scene.folder, SceneTexture::folder).clone();
            state.services.tasks.load_texture(document.id, folder, spec);
        }
        Action::ChooseTexture(spec) => state.services.tasks.choose_texture(document.id, spec),
        Action::SetMouse(mouse) => {
            use crate::scene::AutoSource::{MouseDown, MouseX, MouseY};
            let changed = mouse != state.mouse;
            state.mouse = mouse;
            if !changed || !document.depends_on(|s| matches!(s, MouseX | MouseY | MouseDown)) {
                return;
            }
        }
        _ => return,
    }
    state.want_picture(urgency);
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
    let start = state.document().and_then(|d| d.files().next());
    let start = start.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    match command {
        Command::New => new_program(state),
        Command::NewVertex => open_new(state, NEW_VERTEX_PROGRAM),
        Command::NewArbFragment => open_new(state, NEW_ARB_FRAGMENT_PROGRAM),
        Command::NewArbVertex => open_new(state, NEW_ARB_VERTEX_PROGRAM),
        Command::Open => state.services.tasks.choose_open(start),
        Command::Save => {
            if let Some(document) = state.document() {
                save(state, document, document.active_slot());
            }
        }
        Command::SaveAs => {
            if let Some(document) = state.document() {
                let name = document.active().file_name(document.active_slot());
                state.services.tasks.choose_save(document.text_id(), name, start);
            }
        }
        Command::SaveAll => {
            state.documents.iter().for_each(|document| save_changed(state, document));
        }
        Command::AddVertexProgram => add_program(state, Stage::Vertex),
        Command::AddStateProgram => add_program(state, Stage::VertexState),
        Command::AddFragmentProgram => add_program(state, Stage::Fragment),
        Command::RemoveProgram => remove_program(state),
        Command::ExportPicture => {
            if let Some(document) = state.document()
                && let Some(shown) = &document.shown
            {
                let frame = Arc::clone(&shown.frame);
                let name =
                    format!("{}.png", document.scene.name.trim_end_matches(".fp").trim_end_matches(".vp"));
                state.services.tasks.export_png(name, frame.size(), move || frame.to_rgba8());
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

/// Saves the program at `slot`, to its file or to one that the person names.
fn save(state: &State, document: &Document, slot: Slot) {
    let Some(program) = document.program_text(slot) else { return };
    let id = TextId { document: document.id, slot };
    match program.path() {
        Some(path) => state.services.tasks.save(id, path.to_path_buf(), program.text.clone()),
        None => state.services.tasks.choose_save(id, program.file_name(slot), None),
    }
}

/// Saves every program of `document` that has changes.
fn save_changed(state: &State, document: &Document) {
    for (slot, _) in document.programs().iter().filter(|(_, program)| program.is_modified()) {
        save(state, document, slot);
    }
}

/// Opens a tab with a program to start from.
pub fn new_program(state: &mut State) {
    open_new(state, NEW_PROGRAM);
}

fn open_new(state: &mut State, text: &str) {
    let id = DocumentId(state.fresh_id());
    let scene = Scene::for_program("untitled", None, text.as_bytes());
    state.documents.push(Document::new(id, scene));
    state.active = state.documents.len() - 1;
    state.document_switched();
}

fn add_program(state: &mut State, stage: Stage) {
    if state.document_mut().is_some_and(|document| document.add_program(stage)) {
        state.programs_changed();
    }
}

/// Takes the program in front out of its scene: at once where nothing is lost, else after asking.
fn remove_program(state: &mut State) {
    let Some(document) = state.document() else { return };
    if document.active().is_modified() {
        state.dialog = Some(Dialog::Unsaved(Closing::Program(document.text_id())));
    } else {
        remove_program_at(state, document.text_id());
    }
}

fn remove_program_at(state: &mut State, id: TextId) {
    if let Some(document) = state.find_document(id.document) {
        document.remove_program(id.slot);
    }
    // What is recorded may be a run of it, and places of state programs have moved.
    state.debug = state.debug.take().filter(|session| session.document() != id.document);
    state.programs_changed();
}

fn show_program(state: &mut State, slot: Slot) {
    if state.document_mut().is_some_and(|document| document.activate(slot)) {
        state.highlighter.clear();
    }
}

/// Goes `steps` programs on in the scene shown.
fn next_program(state: &mut State, steps: isize) {
    let Some(document) = state.document() else { return };
    let slots: Vec<Slot> = document.programs().slots().collect();
    let Some(index) = slots.iter().position(|slot| *slot == document.active_slot()) else { return };
    let next = (index as isize + steps).rem_euclid(slots.len() as isize) as usize;
    show_program(state, slots[next]);
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
    state.documents.remove(index);
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
            if let Closing::Program(id) = closing {
                if let Some(document) = state.documents.iter().find(|d| d.id == id.document) {
                    save(state, document, id.slot);
                }
            } else {
                for document in state.documents.iter().filter(|d| closing.waits_for(d)) {
                    save_changed(state, document);
                }
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
        Closing::Program(id) => {
            state.pending.closing = None;
            remove_program_at(state, id);
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
            let edit = state.document_mut().and_then(|document| {
                let before = document.active().text.clone();
                let done = match command {
                    Command::Undo => editor::undo(ctx, document),
                    _ => editor::redo(ctx, document),
                };
                done.map(|()| (document.text_id(), before))
            });
            if let Some((id, before)) = edit {
                apply_text(state, Action::Edited(id, before));
            }
        }
        Command::Find => state.find.open(FindMode::Find),
        Command::Replace => state.find.open(FindMode::Replace),
        Command::FindNext | Command::FindPrevious => find_from_caret(state, command),
        Command::ToggleComment => {
            if let Some(document) = state.document() {
                let selection = editor::selection(ctx, document);
                let edits = editor::toggle_comment(&document.active().text, selection);
                replace_text(state, &edits);
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
    if let (Some(&span), Some(document)) = (next, state.document_mut()) {
        let text = document.active_mut();
        text.caret = span.end;
        text.reveal = Some(Reveal { span, focus: Focus::Keep });
    }
}

fn next_problem(state: &mut State, command: Command) {
    let Some(document) = state.document() else { return };
    let mut places: Vec<(Slot, Span)> = document.findings().map(|(slot, d)| (slot, d.span())).collect();
    places.sort_unstable();
    let here = (document.active_slot(), document.active().caret);
    let next = match command {
        Command::NextProblem => places.iter().find(|(slot, s)| (*slot, s.start) > here).or(places.first()),
        _ => places.iter().rev().find(|(slot, s)| (*slot, s.start) < here).or(places.last()),
    };
    if let Some(&(slot, span)) = next {
        show_program(state, slot);
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

fn replace_all(state: &mut State) {
    let Some(document) = state.document() else { return };
    let replacement = &state.find.replacement;
    let matches = editor::matches(&document.active().text, &state.find.query);
    let edits: Vec<_> = matches.into_iter().map(|span| (span, replacement.clone())).collect();
    replace_text(state, &edits);
}

fn replace_one(state: &mut State) {
    let Some(document) = state.document() else { return };
    let matches = editor::matches(&document.active().text, &state.find.query);
    let caret = document.active().caret;
    let at = matches.iter().find(|m| m.end >= caret).or(matches.first()).copied();
    if let Some(span) = at {
        let replacement = state.find.replacement.clone();
        let end = span.start + replacement.len();
        replace_text(state, &[(span, replacement)]);
        if let Some(document) = state.document_mut() {
            document.active_mut().caret = end;
        }
        find_from_caret(state, Command::FindNext);
    }
}

/// Replaces bytes of the program shown. Later edits come first, so that earlier spans stay true.
fn replace_text(state: &mut State, edits: &[(Span, String)]) {
    let Some(document) = state.document_mut() else { return };
    let id = document.text_id();
    let text = &mut document.active_mut().text;
    let before = text.clone();
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    for (span, replacement) in edits {
        if text.get(span.start..span.end).is_some() {
            text.replace_range(span.start..span.end, replacement);
        }
    }
    if *text != before {
        apply_text(state, Action::Edited(id, before));
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
        Command::NextProgram => next_program(state, 1),
        Command::PreviousProgram => next_program(state, -1),
        Command::ShowProblems => state.settings.layout.show(Pane::Problems),
        Command::ShowInputs => state.settings.layout.show(Pane::Inputs),
        Command::ShowDebugger => state.settings.layout.show(Pane::Debugger),
        Command::ShowVertices => state.settings.layout.show(Pane::Vertices),
        Command::ShowLearn => state.settings.layout.show(Pane::Learn),
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
        Command::ResetLayout => state.settings.layout = crate::shell::Layout::default(),
        Command::About => state.dialog = Some(Dialog::About),
        _ => {}
    }
}

fn run_time(state: &mut State, command: Command) {
    match command {
        Command::PlayPause => {
            match state.clock.running {
                Running::Yes => state.stop_time(),
                Running::No => state.clock.running = Running::Yes,
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
        Command::ResetCamera => {
            if let Some(document) = state.document_mut() {
                document.camera = None;
            }
        }
        Command::ResetInputs => {
            if let Some(document) = state.document_mut() {
                document.overrides.clear();
                document.scene_overrides = inputs::SceneOverrides::default();
            }
        }
        _ => return,
    }
    state.want_picture(Urgency::Next);
}

/// Records `subject`. Time stands still meanwhile, so that the picture stays the one recorded. From a
/// fragment to one of its vertices, and on to the others, the way back is kept.
fn pick(state: &mut State, subject: Subject) {
    state.stop_time();
    let origin = match subject {
        Subject::Vertex(element) => {
            state.vertices.scroll_to(element);
            way_back(state, element)
        }
        Subject::Pixel(_) | Subject::StateProgram(_) => None,
    };
    state.record(subject, Place { origin, ..Place::default() });
    state.settings.layout.show(Pane::Debugger);
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
                let place =
                    Place { position: origin.position, fragment: Some(origin.fragment), origin: None };
                state.record(Subject::Pixel(origin.pixel), place);
            }
        }
        Command::StopDebugging => {
            state.debug = None;
            state.pending.record = None;
        }
        Command::ToggleBreakpoint => {
            if let Some(document) = state.document() {
                let (id, line) = (document.text_id(), document.lines().line_of(document.active().caret));
                apply_text(state, Action::ToggleBreakpoint(id, line));
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
    let text = session.text_id().and_then(|id| document.program_text(id.slot));
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
    let before = document.active_slot();
    if document.activate(id.slot)
        && let Some(span) = span
    {
        document.active_mut().reveal = Some(Reveal { span, focus: Focus::Keep });
    }
    if document.active_slot() != before {
        state.highlighter.clear();
    }
}

/// Whether a scene is one of the samples in the binary.
pub fn is_bundled(scene: &Scene) -> bool {
    matches!(scene.folder, Folder::Bundled(_))
}
