//! Carries out actions and commands, and stores the results of tasks and worker threads in the state. The
//! matches over actions and commands are exhaustive: a new one does not compile until it has an arm.
//!
//! Some commands change what a panel keeps for itself, such as further carets or the page of the reference.
//! So this folder is above the panels, which never use it.

mod drafts;
pub mod dropped;
pub mod events;
mod export;
mod files;
mod inputs;
pub mod lessons;
mod names;
mod preferences;
mod stepping;
mod tabs;
mod text;
mod time;
mod view;

pub use self::files::path_chosen;
use self::files::{ask, save_document};
use self::inputs::{add_program, change_scene};
use self::stepping::{pick, reveal_step, step};
use self::text::{Clipboard, jump, replace_text, show_text};

use crate::command::{Action, Command};
use crate::drafts::Card;
use crate::editor::{Selection, lines};
use crate::mailbox::Urgency;
use crate::maps::Map;
use crate::model::{Cause, NEW_PROGRAMS, Part, ResetSubject};
use crate::settings::{Layout, LayoutPurpose, Pane};
use crate::shell::Panels;
use crate::state::{Dialog, FindMode, State};
use crate::stepping::Direction::{Back, Forward};
use crate::stepping::{DebugSession, Question, RunTarget};
use crate::tasks::Purpose;
use shadestep_engine::debug::ancestry::Goal;

/// Carries out `action`.
pub fn apply(state: &mut State, panels: &mut Panels, ctx: &egui::Context, action: Action) {
    panels.drop_stale(&mut state.stale);
    let editor = &mut panels.editor;
    match action {
        Action::Command(command) if command.enabled(state) => run(state, panels, ctx, command),
        Action::Command(_) => {}
        Action::Open(path) => state.services.tasks.open(path),
        Action::OpenSample(name) => state.services.tasks.open_named(name.into()),
        Action::StartLesson(index) => lessons::start(state, index),
        Action::StartOver(id) => lessons::start_over(state, id),
        Action::ActivateTab(index) => {
            files::activate(state, index);
            state.focus_editor = Some(());
        }
        Action::CloseTab(id) => files::close_tab(state, id),
        Action::Unsaved(answer) => files::answer_unsaved(state, ctx, answer),
        Action::Overwrite(id) => files::overwrite(state, id),
        Action::NewFrom(template) => {
            state.dialog = None;
            files::open_template(state, template);
        }
        Action::TryExample(example) => files::try_example(state, &example),
        Action::PathTyped(text) => files::path_typed(state, text),
        Action::PathEntered => files::path_entered(state, ctx),
        Action::CloseDialog => {
            state.dialog = state.dialog.take().and_then(preferences::behind);
            state.pending.closing = None;
        }
        Action::ClosePalette => state.palette = None,
        Action::GoToLine(line) => text::go_to_line(state, editor, line),
        Action::Dismiss(id) => state.notices.retain(|notice| notice.id != id),
        Action::SetTime(time_secs) => time::set(state, time_secs),
        Action::SetPlayback(playback) => time::set_playback(state, playback),
        Action::SetExport(form) => export::set(state, form),
        Action::Export => export::choose_path(state),
        Action::CancelExport => export::cancel(state),
        Action::ClearRecent => state.settings.recent.clear(),
        Action::ForgetRecent(path) => state.settings.recent.retain(|other| *other != path),

        Action::Scrolled(id, top) => state.find_text(id).into_iter().for_each(|text| text.top = top),
        Action::ShowText(part) => show_text(state, part),
        Action::EditText(id, change) => text::edit(state, id, change, Cause::Typed),
        Action::DropText(id, dropped) => text::drop_text(state, editor, ctx, id, dropped),
        Action::EditTextAtAll(id, changes) => text::edit_all(state, id, changes, &Cause::Other),
        Action::CaretMoved(id, offset) => text::with(state, id, |text| text.caret = offset),
        Action::Revealed(id) => text::with(state, id, |text| text.reveal = None),
        Action::EditorFocused => state.focus_editor = None,
        Action::FindFocused => state.find.focused(),
        Action::Jump(span) => jump(state, editor, span),
        Action::ReplaceText(edits) => replace_text(state, ctx, edits),
        Action::ToggleBreakpoint(id, line) => text::with(state, id, |text| text.toggle_breakpoint(line)),
        Action::SetBreakpoint(id, line, breakpoint) => {
            text::with(state, id, |text| _ = text.breakpoints.insert(line, breakpoint))
        }
        Action::RemoveBreakpoint(id, line) => {
            text::with(state, id, |text| _ = text.breakpoints.remove(&line))
        }
        Action::EditBreakpoint(None) => state.stepping.breakpoint_form = None,
        Action::EditBreakpoint(Some((id, line))) => text::edit_breakpoint(state, id, line),
        Action::SetWatches(watches) => state.with_document(|document| document.watches = watches),
        Action::AddWatch(id, text) => {
            let document = state.find_document(id);
            if let Some(document) = document.filter(|document| !document.watches.contains(&text)) {
                document.watches.push(text);
            }
        }
        Action::TakeDiskText(id) => text::take_disk_text(state, id),
        Action::KeepText(id) => text::with(state, id, |text| text.changed_on_disk = None),
        Action::SetQuery(query) => text::search(state, editor, query),
        Action::SetFindOptions(options) => text::set_find_options(state, editor, options),
        Action::SetReplacement(replacement) => state.find.replacement = replacement,
        Action::ReplaceAll => text::replace_all(state, ctx),
        Action::ReplaceOne => text::replace_one(state, editor, ctx),
        Action::CloseFind => {
            state.find.mode = FindMode::Closed;
            state.focus_editor = Some(());
            ctx.request_repaint();
        }

        Action::Pick(subject) => pick(state, &mut panels.vertices, subject),
        Action::SelectFragment(index) => {
            stepping::select_fragment(state, index);
            reveal_step(state);
        }
        Action::Seek(position) => step(state, |session, _| session.seek(position)),
        Action::RunTo(direction, target) => stepping::run_to(state, direction, target),

        Action::ConditionTyped(text) => state.stepping.condition = text,
        Action::RunToCondition(direction) => stepping::run_to_condition(state, direction),
        Action::CompareAt(row) => stepping::compare_at(state, row),
        Action::Query(question) => stepping::query(state, question),
        Action::RewriteInstruction(pc) => {
            state.stepping.session.iter_mut().for_each(|session| session.rewrite(pc))
        }
        Action::EditValue(edit) => state.stepping.session.iter_mut().for_each(|session| session.edit(edit)),

        Action::SetFormat(format) => state.settings.format = format,
        Action::FoldSection(section, true) => _ = state.settings.folded.insert(section),
        Action::FoldSection(section, false) => _ = state.settings.folded.remove(&section),
        Action::SetRegisterFormat(register, Some(format)) => {
            state.stepping.register_formats.insert(register, format);
        }
        Action::SetRegisterFormat(register, None) => {
            state.stepping.register_formats.remove(&register);
        }
        Action::SetTextLook(look) => preferences::set_text_look(state, ctx, look),
        Action::SetTheme(choice) => preferences::set_theme(state, ctx, choice),
        Action::ChooseFont => preferences::choose_font(state),
        Action::UseBundledFont => preferences::use_bundled_font(state, ctx),
        Action::SetKeys(command, keys) => preferences::set_keys(state, ctx, command, &keys),
        Action::ResetKeys => preferences::reset_keys(state, ctx),
        Action::SetZoom(zoom) => state.view.zoom = zoom,
        Action::Show(pane) => state.settings.layout.show(pane),
        Action::SetLayout(layout) => state.settings.layout = *layout,
        Action::WantVertices(elements) => state.stepping.vertices.want(elements),
        Action::ShowReference(opcode) => {
            panels.learn.show_reference(opcode);
            state.settings.layout.show(Pane::Learn);
        }

        Action::PinVersion(number) => view::pin(state, ctx, Some(number)),
        Action::RestoreVersion(number) => view::restore_version(state, number),
        Action::SetCompare(compare) => view::set_compare(state, compare),
        Action::ChooseMap(choice) => view::choose_map(state, *choice),
        Action::EditScene(edit) => inputs::edit_scene(state, &edit),
        Action::ChooseSubroutine(key, index, label) => {
            change_scene(state, |document| document.choose_subroutine(&key, index, &label));
        }
        Action::Reset(subject) => change_scene(state, |document| document.reset(&subject)),
        Action::ShowOutputColor(number) => inputs::show_output_color(state, number),
        Action::ShowLayer(number) => inputs::show_layer(state, number),
        Action::ShowWireframe(stage) => view::change_overlays(state, |shown| shown.wireframe = stage),
        Action::ShowInstance(number) => stepping::show_instance(state, &mut panels.vertices, number),
        Action::SetMesh(source) => inputs::set_mesh(state, source),
        Action::ChooseMesh => ask(state, Purpose::Mesh),
        Action::SetTexture(spec) => inputs::set_texture(state, spec),
        Action::ChooseTexture(spec) => ask(state, |id| Purpose::Texture(id, Box::new(spec))),
        Action::SetMouse(mouse) => inputs::set_mouse(state, mouse),

        Action::RestoreDraft(file) => drafts::restore(state, |offer| offer.file == file),
        Action::RestoreAllDrafts => drafts::restore(state, |_| true),
        Action::DiscardDraft(file) => drafts::discard(state, |offer| offer.file == file),
        Action::DiscardAllDrafts => drafts::discard(state, |_| true),
        Action::CompareDraft(file) => drafts::compare(state, file),
        Action::PutDraftsAway => state.recovery.card = Card::PutAway,
    }
}

fn run(state: &mut State, panels: &mut Panels, ctx: &egui::Context, command: Command) {
    let editor = &mut panels.editor;
    match command {
        Command::New => files::open_template(state, NEW_PROGRAMS[0]),
        Command::NewVertex => files::open_template(state, NEW_PROGRAMS[1]),
        Command::NewArbFragment => files::open_template(state, NEW_PROGRAMS[2]),
        Command::NewArbVertex => files::open_template(state, NEW_PROGRAMS[3]),
        Command::NewScene => state.dialog = Some(Dialog::NewScene),
        Command::Open => files::ask_what_to_open(state),
        Command::Save => files::with_shown(state, save_document),
        Command::SaveAs => files::save_as(state),
        Command::SaveCopy => files::save_copy(state),
        Command::SaveAll => files::save_all(state),
        Command::CopyPicture => view::copy_picture(state, ctx),
        Command::ExportPicture => export::open(state),
        Command::AddVertexProgram
        | Command::AddStateProgram
        | Command::AddTessControlProgram
        | Command::AddTessEvaluationProgram
        | Command::AddGeometryProgram
        | Command::AddFragmentProgram => {
            if let Some(stage) = command.adds() {
                add_program(state, stage);
            }
        }
        Command::RemoveProgram => change_scene(state, |d| d.remove_program(d.active_slot())),
        Command::RecoverDrafts => state.recovery.card = Card::Shown,
        Command::CloseTab => files::with_shown(state, files::close_tab),
        Command::ToggleRestoreTabs => view::toggle_restore_tabs(state),
        Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),

        Command::Undo => text::undo(state, |document| document.undo()),
        Command::Redo => text::undo(state, |document| document.redo()),
        Command::Cut => text::copy(state, editor, ctx, Clipboard::Cut),
        Command::Copy => text::copy(state, editor, ctx, Clipboard::Copy),
        Command::Paste => text::paste(state, ctx),
        Command::SelectAll => text::select(state, editor, ctx, |text, _| Selection::new([0, text.len()])),
        Command::MoveLineUp => text::edit_lines(state, editor, ctx, lines::move_up),
        Command::MoveLineDown => text::edit_lines(state, editor, ctx, lines::move_down),
        Command::CopyLineUp => {
            text::edit_lines(state, editor, ctx, |text, at| Some(lines::copy(text, at, false)))
        }
        Command::CopyLineDown => {
            text::edit_lines(state, editor, ctx, |text, at| Some(lines::copy(text, at, true)))
        }
        Command::DeleteLine => text::edit_lines(state, editor, ctx, |text, at| Some(lines::delete(text, at))),
        Command::SelectLine => text::select(state, editor, ctx, lines::select),
        Command::IndentLines => {
            let tab = state.settings.text.tab_width();
            text::replace_at(state, editor, ctx, |text, at| lines::indent(text, at, tab));
        }
        Command::UnindentLines => {
            let tab = state.settings.text.tab_width();
            text::replace_at(state, editor, ctx, |text, at| lines::unindent(text, at, tab));
        }
        Command::Complete => text::complete(state, editor),
        Command::AddCaretAbove => text::add_caret(state, editor, ctx, -1),
        Command::AddCaretBelow => text::add_caret(state, editor, ctx, 1),
        Command::GoToLine => view::open_palette(state, panels, ":"),
        Command::QuickFix => text::quick_fix(state, ctx),
        Command::Find => text::open_find(state, editor, ctx, FindMode::Find),
        Command::Replace => text::open_find(state, editor, ctx, FindMode::Replace),
        Command::FindNext => text::find_from_caret(state, editor, Forward),
        Command::FindPrevious => text::find_from_caret(state, editor, Back),
        Command::GoToDefinition => names::go_to_definition(state, editor),
        Command::FindUses => names::find_uses(state, editor),
        Command::NextUse => names::go_to_use(state, editor, Forward),
        Command::PreviousUse => names::go_to_use(state, editor, Back),
        Command::Rename => names::rename(state, editor),
        Command::AddNextOccurrence => names::add_next_occurrence(state, editor, ctx),
        Command::FormatProgram => names::format(state, ctx),
        Command::ToggleComment => text::toggle_comment(state, editor, ctx),
        Command::NextProblem => text::go_to_problem(state, editor, Forward),
        Command::PreviousProblem => text::go_to_problem(state, editor, Back),
        Command::Preferences => state.dialog = Some(Dialog::Preferences),

        Command::CommandPalette => view::toggle_palette(state),
        Command::NextTab => files::next_tab(state, 1),
        Command::PreviousTab => files::next_tab(state, -1),
        Command::EditScene => show_text(state, Part::Scene),
        Command::NextProgram => text::next_text(state, 1),
        Command::PreviousProgram => text::next_text(state, -1),
        Command::ShowProblems => state.settings.layout.show(Pane::Problems),
        Command::ShowInputs => state.settings.layout.show(Pane::Inputs),
        Command::ShowDebugger => state.settings.layout.show(Pane::Debugger),
        Command::ShowWatches => state.settings.layout.show(Pane::Watches),
        Command::ShowVertices => state.settings.layout.show(Pane::Vertices),
        Command::ShowMemory => state.settings.layout.show(Pane::Memory),
        Command::ToggleRaces => {
            state.settings.ignores_races = !state.settings.ignores_races;
            state.want_picture(Urgency::Now);
        }
        Command::ToggleExplain => state.settings.explains = !state.settings.explains,
        Command::ToggleValues => state.settings.hides_values = !state.settings.hides_values,
        Command::LargerText => state.settings.text = state.settings.text.enlarged(1),
        Command::SmallerText => state.settings.text = state.settings.text.enlarged(-1),
        Command::UsualText => state.settings.text = state.settings.text.of_usual_size(),
        Command::ToggleWrap => state.settings.text.comments = state.settings.text.comments.other(),
        Command::ZoomIn => state.view.zoom.zoom_in(),
        Command::ZoomOut => state.view.zoom.zoom_out(),
        Command::ZoomFit => state.view.zoom.fit(),
        Command::ZoomActual => state.view.zoom.actual_size(),
        Command::ToggleWireframe => view::toggle_wireframe(state),
        Command::ToggleNormals => view::change_overlays(state, |shown| shown.normals = !shown.normals),
        Command::FullScreen => view::toggle_full_screen(state, ctx),
        Command::ToggleTimeBar => state.settings.hides_time_bar = !state.settings.hides_time_bar,
        Command::ToggleTheme => preferences::toggle_theme(state, ctx),
        Command::LayoutWrite => lay_out(state, Layout::of(LayoutPurpose::Write)),
        Command::LayoutDebug => lay_out(state, Layout::of(LayoutPurpose::Debug)),
        Command::LayoutLearn => lay_out(state, Layout::of(LayoutPurpose::Learn)),
        Command::ResetLayout => lay_out(state, Layout::default()),

        Command::MapNone => view::show_map(state, None),
        Command::MapValue => view::show_map(state, Some(Map::Value)),
        Command::MapRan => view::show_map(state, Some(Map::Ran)),
        Command::MapWrote => view::show_map(state, Some(Map::Wrote)),
        Command::MapInstructions => view::show_map(state, Some(Map::Instructions)),
        Command::MapShaded => view::show_map(state, Some(Map::Shaded)),
        Command::MapHelpers => view::show_map(state, Some(Map::Helpers)),
        Command::MapKilled => view::show_map(state, Some(Map::Killed)),
        Command::MapNotFinite => view::show_map(state, Some(Map::NotFinite)),
        Command::MapUndefined => view::show_map(state, Some(Map::Undefined)),
        Command::MapHits => view::show_map(state, Some(Map::Hits)),
        Command::MapLevel => view::show_map(state, Some(Map::Level)),
        Command::MapDepth => view::show_map(state, Some(Map::Depth)),
        Command::MapFate => view::show_map(state, Some(Map::Fate)),
        Command::MapPrimitive => view::show_map(state, Some(Map::Primitive)),
        Command::MapFacing => view::show_map(state, Some(Map::Facing)),
        Command::MapDifference => view::show_map(state, Some(Map::Difference)),
        Command::PinVersion => view::pin(state, ctx, None),
        Command::UnpinVersion => view::unpin(state),
        Command::ToggleVersions => state.settings.shows_versions = !state.settings.shows_versions,
        Command::ShowHistogram => state.view.shows_histogram = !state.view.shows_histogram,
        Command::ToggleLineCounts => view::toggle_line_counts(state),
        Command::ExportMap => files::export(state, Purpose::ExportMap, " map.png"),
        Command::ExportValues => files::export(state, Purpose::ExportValues, " map.csv"),

        Command::PlayPause => time::play_or_pause(state),
        Command::StepTime => time::step(state),
        Command::ResetTime => time::reset(state),
        Command::ToggleLoop => time::toggle_loop(state),
        Command::RunHeld => drafts::run_held(state),
        Command::StopRendering => drafts::stop_rendering(state),
        Command::ResetCamera => change_scene(state, |document| document.reset(&ResetSubject::Camera)),
        Command::ResetInputs => change_scene(state, |document| document.reset(&ResetSubject::Scene)),

        Command::PickCentre => stepping::pick_centre(state, &mut panels.vertices),
        Command::PickVertices => state.view.tool = state.view.tool.other(),
        Command::StepStateProgram => stepping::pick_state_program(state, &mut panels.vertices),
        Command::BackToFragment => stepping::back_to_fragment(state),
        Command::TraceResult => stepping::query(state, Question::Origin(Goal::Result)),
        Command::RewriteCurrent => {
            let pc = state.stepping.session.as_ref().and_then(DebugSession::current_step).map(|step| step.pc);
            state.stepping.session.iter_mut().for_each(|session| session.rewrite(pc));
        }
        Command::CloseTrace => state.stepping.session.iter_mut().for_each(DebugSession::close_trace),
        Command::LeaveChanged => step(state, |session, _| session.leave_changed()),
        Command::StopDebugging => stepping::stop(state),
        Command::StepForward => step(state, |session, _| session.step(Forward)),
        Command::StepBack => step(state, |session, _| session.step(Back)),
        Command::StepOver => step(state, |session, _| session.step_over(Forward)),
        Command::StepOverBack => step(state, |session, _| session.step_over(Back)),
        Command::StepOut => step(state, |session, _| session.step_out(Forward)),
        Command::StepOutBack => step(state, |session, _| session.step_out(Back)),
        Command::ToStart => step(state, |session, _| session.to_start()),
        Command::ToEnd => step(state, |session, _| session.to_end()),
        Command::ToCursor => step(state, |session, marks| {
            marks.caret_line.into_iter().for_each(|line| session.to_line(line));
        }),
        Command::NextBreakpoint => step(state, |s, marks| s.to_breakpoint(Forward, marks.breakpoints)),
        Command::PreviousBreakpoint => step(state, |s, marks| s.to_breakpoint(Back, marks.breakpoints)),
        Command::NextNotFinite => stepping::run_to(state, Forward, RunTarget::NotFinite),
        Command::PreviousNotFinite => stepping::run_to(state, Back, RunTarget::NotFinite),
        Command::NextLookup => stepping::run_to(state, Forward, RunTarget::Lookup),
        Command::PreviousLookup => stepping::run_to(state, Back, RunTarget::Lookup),
        Command::RunToCondition => state.dialog = Some(Dialog::RunTo),
        Command::NextCondition => stepping::run_to_condition(state, Forward),
        Command::PreviousCondition => stepping::run_to_condition(state, Back),
        Command::CompareRuns => stepping::keep_run(state),
        Command::StopComparing => state.stepping.comparison = None,
        Command::NextDifference => stepping::to_difference(state, Forward),
        Command::PreviousDifference => stepping::to_difference(state, Back),
        Command::AddWatch => {
            state.settings.layout.show(Pane::Watches);
            panels.watches.add();
        }
        Command::EditBreakpoint => {
            if let Some(document) = state.document() {
                let (id, line) = (document.text_id(), document.active().caret_line());
                text::edit_breakpoint(state, id, line);
            }
        }
        Command::ToggleBreakpoint => {
            text::with_shown(state, |text| text.toggle_breakpoint(text.caret_line()))
        }
        Command::ClearBreakpoints => text::with_shown(state, |text| text.breakpoints.clear()),

        Command::ShowWord => text::show_word(state, &mut panels.learn),
        Command::ShowLearn => state.settings.layout.show(Pane::Learn),
        Command::ShowLessons => lessons::show(state, &mut panels.learn),
        Command::OpenCourse => lessons::ask_for_course(state),
        Command::BundledCourse => lessons::open_bundled(state, &mut panels.learn),
        Command::ShowKeys => state.dialog = Some(Dialog::Keys),
        Command::About => state.dialog = Some(Dialog::About),
    }
}

/// Changes the layout of the panels. This creates a new editor, so the current step is scrolled into view
/// again.
fn lay_out(state: &mut State, layout: Layout) {
    state.settings.layout = layout;
    reveal_step(state);
}
