//! The conditions under which commands are enabled. Each row of [`Command`] has one.

use super::Command;
use crate::lesson::bundled_course;
use crate::model::{Document, Part, ResetSubject};
use crate::scene::Slot;
use crate::state::State;
use crate::stepping::{DebugSession, Direction};
use std::sync::Arc;

/// Writes [`When`]. A row is the name of a condition, its description and an expression of the command, the
/// state, the current document and the debugging session.
macro_rules! conditions {
    ($command:ident, $state:ident, $document:ident, $session:ident; $($name:ident $doc:literal $holds:expr;)*) => {
        /// A condition under which commands are enabled.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum When {
            $(#[doc = $doc] $name,)*
        }

        impl Command {
            /// Returns true if the command can be carried out now.
            pub fn enabled(self, $state: &State) -> bool {
                let ($command, $document) = (self, $state.document());
                let $session = $state.stepping.session.as_ref();
                match self.info().when {
                    $(When::$name => $holds,)*
                }
            }
        }
    };
}

conditions! {
    command, state, document, session;
    Always "At any time." true;
    Document "A document is open." document.is_some();
    Undo "A change can be undone." document.is_some_and(Document::can_undo);
    Redo "A change can be redone." document.is_some_and(Document::can_redo);
    Program "The text in front is a program." document.is_some_and(is_program);
    SmallProgram "The text in front is a program that can be edited."
        document.is_some_and(|d| is_program(d) && !d.active().is_large());
    SmallText "The text in front can be edited." document.is_some_and(|d| !d.active().is_large());
    Fix "A fix is at the text cursor." document.is_some_and(|d| d.fix_at_caret().is_some());
    Query "Text to find is given." document.is_some() && !state.find.query.is_empty();
    Problems "The document has problems." document.is_some_and(|d| d.findings().next().is_some());
    Tabs "Several tabs are open." state.documents.len() > 1;
    Unsaved "A document has unsaved changes." state.documents.iter().any(Document::is_modified);
    FreeProgram "The scene has room for the program that the command adds."
        document.is_some_and(|d| command.adds().is_some_and(|stage| d.programs().free(stage).is_some()));
    Programs "The scene has several programs." document.is_some_and(|d| d.programs().count() > 1);
    Picture "A picture is shown." document.is_some_and(|d| d.shown.is_some());
    Export "A picture is shown, and no export runs."
        document.is_some_and(|d| d.shown.is_some()) && state.exporting.is_none();
    FullScreen "A picture is shown, or the picture fills the screen."
        state.view.full_screen.is_some() || document.is_some_and(|d| d.shown.is_some());
    Animated "The picture depends on time." state.is_animated();
    Mapped "A map is chosen." document.is_some_and(|d| d.map.map.is_some());
    Fragments "The scene has a fragment program." document.is_some_and(|d| d.program(Slot::Fragment).is_some());
    Versions "The document has versions." document.is_some_and(|d| state.view.versions.get(d.id).is_some());
    Pinned "A version is pinned."
        document.is_some_and(|d| state.view.versions.get(d.id).is_some_and(|versions| versions.pinned().is_some()));
    MapShown "A map is shown." document.is_some_and(|d| state.maps.shown(d.id).is_some());
    Camera "The camera differs from the saved one." document.is_some_and(|d| d.differs(&ResetSubject::Camera));
    Inputs "The scene differs from the saved one." document.is_some_and(|d| d.differs(&ResetSubject::Scene));
    Vertices "The scene draws vertices." document.is_some_and(Document::has_vertices);
    Breakpoints "The program has breakpoints." document.is_some_and(|d| !d.active().breakpoints.is_empty());
    Debugging "A session is open or starts." session.is_some() || state.pending.record.is_some();
    OtherCourse "The course is not the bundled one." !Arc::ptr_eq(state.classroom.course(), &bundled_course());
    Drafts "Unsaved changes of earlier sessions exist." !state.recovery.offers.is_empty();
    Held "The program was stopped, or was running when Shadestep closed unexpectedly." document.is_some_and(|d| state.held_why(d).is_some());
    Rendering "A picture is being rendered." state.services.renderer.is_busy();
    StateProgram "The text in front is a state program that ran before the picture." document.is_some_and(|d| {
        matches!(d.active_part(), Part::Program(Slot::State(_)))
            && d.shown.as_ref().is_some_and(|shown| shown.programs.get(d.active_slot()).is_some())
    });
    Origin "The session came from a fragment." session.is_some_and(|s| s.origin.is_some());
    Nested "The step is in a subroutine or a block." session.is_some_and(|s| s.nesting() > 0);
    Ahead "The run has steps after the current one." session.is_some_and(is_before_end);
    Behind "The run has steps before the current one." session.is_some_and(is_after_start);
    ConditionAhead "A condition is set, and steps follow." has_condition(state) && session.is_some_and(is_before_end);
    ConditionBehind "A condition is set, and steps precede." has_condition(state) && session.is_some_and(is_after_start);
    Recorded "The session has a recorded run." session.is_some_and(|s| s.recording().is_some());
    Comparing "A run is kept to compare." state.stepping.comparison.is_some();
    DifferenceAhead "A difference follows." state.difference(Direction::Forward).is_some();
    DifferenceBehind "A difference precedes." state.difference(Direction::Back).is_some();
    Instruction "The session is at an instruction of a text."
        session.is_some_and(|s| s.text_id().is_some() && s.current_step().is_some());
    Traced "A value is traced." session.is_some_and(|s| s.traced().is_some());
    Changed "The run is a changed one." session.is_some_and(|s| s.changed().is_some());
    Steps "The run has steps." session.is_some_and(|s| !s.is_empty());
}

/// Returns true if the text in front of `document` is a program.
fn is_program(document: &Document) -> bool {
    document.active_part() != Part::Scene
}

fn is_before_end(session: &DebugSession) -> bool {
    session.position() < session.len()
}

fn is_after_start(session: &DebugSession) -> bool {
    session.position() > 0
}

fn has_condition(state: &State) -> bool {
    !state.stepping.condition.trim().is_empty()
}
