//! Chooses the run to step, and steps.

use crate::debugger::VertexTable;
use crate::mailbox::Urgency;
use crate::model::{Breakpoints, Document, Focus, Reveal, TextFile};
use crate::scene::Slot;
use crate::session::{Fragments, PixelRecording};
use crate::settings::Pane;
use crate::state::{NoticeKind, State};
use crate::stepping::{
    Anchor, BackgroundQueryRequest, Comparison, DebugSession, Direction, Question, RunTarget, Selected,
    StepPosition, WayBack, that_way,
};
use shadestep_engine::debug::Subject;
use shadestep_engine::debug::expression::Expression;
use shadestep_engine::source::Span;

/// Records `subject`. Time is paused until the user leaves the run, so that the picture stays the recorded
/// one. The way back from a fragment to its vertices is kept.
pub(super) fn pick(state: &mut State, table: &mut VertexTable, subject: Subject) {
    state.hold_time();
    if let Subject::Vertex(element) = subject {
        table.scroll_to(element);
    }
    let origin = way_back(state, subject);
    let like = like_the_one_stepped(state, subject);
    state.record(subject, StepPosition { origin, like, ..StepPosition::default() });
    // If a panel of the run is visible, the layout stays.
    let about_runs = [Pane::Debugger, Pane::Watches, Pane::Compare];
    if !about_runs.iter().any(|pane| state.settings.layout.is_shown(*pane)) {
        state.settings.layout.show(Pane::Debugger);
    }
}

/// Shows the vertices of instance `number`. A stepped vertex, patch or primitive of another instance is
/// recorded again for this one.
pub(super) fn show_instance(state: &mut State, table: &mut VertexTable, number: u32) {
    let Some(document) = state.document_mut() else { return };
    document.chosen_instance = number;
    let id = document.id;
    state.want_picture(Urgency::Now);
    let stepped = state.stepping.session.as_ref().filter(|session| session.document() == id);
    if let Some(subject) = stepped.map(DebugSession::subject).filter(|subject| is_part(*subject)) {
        pick(state, table, subject);
    }
}

/// Selects fragment `index` of the stepped pixel. A fragment that was not kept is recorded again.
pub(super) fn select_fragment(state: &mut State, index: usize) {
    let Some(session) = &mut state.stepping.session else { return };
    if session.select(index) == Selected::NotKept {
        let (subject, like) = (session.subject(), session.anchor());
        state.record(subject, StepPosition { fragment: Some(index), like, ..StepPosition::default() });
    }
}

/// Returns the current step if `subject` runs the same program, so that the user can compare another pixel at
/// the same step.
fn like_the_one_stepped(state: &mut State, subject: Subject) -> Option<Anchor> {
    let document = state.document()?.id;
    let session = state.stepping.session.as_mut().filter(|session| session.document() == document)?;
    let is_state_program = matches!(subject, Subject::StateProgram(_));
    let same_program = !is_state_program && session.subject().stage() == subject.stage();
    if same_program { session.anchor() } else { None }
}

/// Returns the stepped fragment if `subject` is a part of it. Otherwise keeps the earlier way back if
/// `subject` is a part of any fragment.
fn way_back(state: &State, subject: Subject) -> Option<WayBack> {
    let session = state.stepping.session.as_ref()?;
    let is_of = |fragment: &&PixelRecording| match subject {
        Subject::Vertex(element) => fragment.elements.contains(&element),
        _ => fragment.made_by == Some(subject),
    };
    if session.fragment().filter(is_of).is_some() {
        session.as_origin()
    } else {
        session.origin.filter(|_| is_part(subject))
    }
}

/// Returns true if `subject` is a vertex, patch or primitive of an instance.
const fn is_part(subject: Subject) -> bool {
    !matches!(subject, Subject::Pixel(_) | Subject::StateProgram(_))
}

/// Scrolls the editor to the current step, in the tab of its program.
pub(super) fn reveal_step(state: &mut State) {
    let Some(session) = &mut state.stepping.session else { return };
    let Some(id) = session.text_id() else { return };
    let Some(document) = state.documents.iter_mut().find(|d| d.id == id.document) else { return };
    session.follow(document);
    let placed = session.current_step().and_then(|step| session.place_of(step.pc));
    let span = placed.map(|placed| Span::at(placed.span.start));
    let before = document.active_part();
    if document.activate(id.part)
        && let Some(span) = span
    {
        document.active_mut().reveal = Some(Reveal::of(span, Focus::Keep));
    }
    if document.active_part() != before {
        state.stale.text = true;
    }
}

pub(super) fn pick_centre(state: &mut State, table: &mut VertexTable) {
    let size = state.document().and_then(|d| d.shown.as_ref()).map(|shown| shown.frame.size());
    if let Some([width, height]) = size {
        pick(state, table, Subject::Pixel([width / 2, height / 2]));
    }
}

pub(super) fn pick_state_program(state: &mut State, table: &mut VertexTable) {
    if let Some(Slot::State(n)) = state.document().map(Document::active_slot) {
        pick(state, table, Subject::StateProgram(n));
    }
}

pub(super) fn back_to_fragment(state: &mut State) {
    if let Some(origin) = state.stepping.session.as_ref().and_then(|session| session.origin) {
        let (position, fragment) = (origin.position, Some(origin.fragment));
        let place = StepPosition { position, fragment, ..StepPosition::default() };
        state.record(Subject::Pixel(origin.pixel), place);
    }
}

/// Ends the debugging session.
pub(super) fn stop(state: &mut State) {
    state.stepping.session = None;
    state.stop_recording();
    state.resume_time();
}

/// The breakpoints of a program without a text.
static NO_BREAKPOINTS: Breakpoints = Breakpoints::new();

/// Caret and breakpoints in the text of the stepped program.
pub(super) struct Marks<'a> {
    pub caret_line: Option<usize>,
    pub breakpoints: &'a Breakpoints,
}

/// Sends a background query about the stepped run. A newer query replaces an older one.
pub(super) fn query(state: &mut State, question: Question) {
    let generation = state.fresh_generation();
    let Some(session) = &state.stepping.session else { return };
    let Some([run, recorded]) = session.runs() else { return };
    let (record, pixel) = (Box::new(session.record_request()), session.fragments().and_then(Fragments::end));
    state.pending.background_query = Some(generation);
    let request = BackgroundQueryRequest { generation, run, recorded, record, pixel, question };
    state.services.background_queries.request(request, Urgency::Now);
}

/// Runs to the nearest step in this direction that matches the target, or shows a notice that there is none.
pub(super) fn run_to(state: &mut State, direction: Direction, target: RunTarget) {
    let mut found = true;
    step(state, |session, _| found = session.run_to(direction, target));
    if !found {
        let program = state.stepping.session.as_ref().and_then(DebugSession::program);
        let words = target.missing(direction, program);
        state.notify(NoticeKind::Info, words);
    }
}

/// Runs to the nearest step in this direction where the condition becomes true, or shows a notice with the
/// reason why there is none.
pub(super) fn run_to_condition(state: &mut State, direction: Direction) {
    let text = state.stepping.condition.trim().to_owned();
    let program = state.stepping.session.as_ref().and_then(DebugSession::program);
    let condition = match program.map(|program| Expression::parse(&text, program)) {
        Some(Ok(condition)) => condition,
        Some(Err(fault)) => {
            state.notify(
                NoticeKind::Info,
                format!(
                    "“{text}” is not a valid condition for this program: {}",
                    crate::format::lowered(&fault.to_string())
                ),
            );
            return;
        }
        None => return,
    };
    let mut found = true;
    step(state, |session, _| found = session.run_to_condition(direction, &condition));
    if !found {
        let holds = state
            .stepping
            .session
            .as_ref()
            .and_then(DebugSession::here)
            .is_some_and(|here| condition.holds(&here));
        let here = if holds { ". It is true at this step" } else { "" };
        let way = that_way(direction);
        state.notify(NoticeKind::Info, format!("“{text}” does not become true {way}{here}."));
    }
}

/// Keeps the stepped run, to compare other runs with it.
pub(super) fn keep_run(state: &mut State) {
    state.stepping.comparison = state.stepping.session.as_ref().and_then(Comparison::begin);
    if state.stepping.comparison.is_some() {
        state.settings.layout.show(Pane::Compare);
    }
}

/// Goes to a row of the two compared runs.
pub(super) fn compare_at(state: &mut State, row: usize) {
    let position = state.stepping.comparison.as_mut().and_then(|comparison| comparison.go_to(row));
    if let Some(position) = position {
        step(state, |session, _| session.seek(position));
    }
}

/// Goes to the nearest difference of the compared runs in this direction.
pub(super) fn to_difference(state: &mut State, direction: Direction) {
    if let Some(row) = state.difference(direction) {
        compare_at(state, row);
    }
}

/// Goes to another step and scrolls the editor there.
pub(super) fn step(state: &mut State, go: impl FnOnce(&mut DebugSession, &Marks<'_>)) {
    let Some(document) = state.documents.get(state.active) else { return };
    let Some(session) = &mut state.stepping.session else { return };
    session.follow(document);
    // The built-in program has no text.
    let text = session.text_id().and_then(|id| document.text(id.part));
    let caret_line = text.map(TextFile::caret_line);
    let breakpoints = text.map_or(&NO_BREAKPOINTS, |text| &text.breakpoints);
    go(session, &Marks { caret_line, breakpoints });
    reveal_step(state);
}
