//! Decides which commands are enabled.

use super::Command;
use crate::lesson::bundled_course;
use crate::model::{Document, Part, ResetSubject};
use crate::scene::Slot;
use crate::state::State;
use crate::stepping::Direction;
use std::sync::Arc;

impl Command {
    /// Returns true if the command can be carried out now.
    pub fn enabled(self, state: &State) -> bool {
        let document = state.document();
        let session = state.stepping.session.as_ref();
        match self {
            Self::Save | Self::SaveAs | Self::SaveCopy | Self::CloseTab | Self::ToggleComment => {
                document.is_some()
            }
            Self::Undo => document.is_some_and(Document::can_undo),
            Self::Redo => document.is_some_and(Document::can_redo),
            Self::Find | Self::Replace | Self::EditScene => document.is_some(),
            Self::ToggleBreakpoint | Self::EditBreakpoint => {
                document.is_some_and(|d| d.active_part() != Part::Scene)
            }
            Self::GoToDefinition
            | Self::FindUses
            | Self::NextUse
            | Self::PreviousUse
            | Self::Rename
            | Self::FormatProgram => document.is_some_and(|d| self.is_of(d)),
            Self::AddNextOccurrence
            | Self::Complete
            | Self::Cut
            | Self::Paste
            | Self::MoveLineUp
            | Self::MoveLineDown
            | Self::CopyLineUp
            | Self::CopyLineDown
            | Self::DeleteLine
            | Self::IndentLines
            | Self::UnindentLines
            | Self::AddCaretAbove
            | Self::AddCaretBelow => document.is_some_and(|d| !d.active().is_large()),
            Self::Copy | Self::SelectAll | Self::SelectLine | Self::GoToLine => document.is_some(),
            Self::QuickFix => document.is_some_and(|d| d.fix_at_caret().is_some()),
            Self::FindNext | Self::FindPrevious => document.is_some() && !state.find.query.is_empty(),
            Self::NextProblem | Self::PreviousProblem => {
                document.is_some_and(|d| d.findings().next().is_some())
            }
            Self::NextTab | Self::PreviousTab => state.documents.len() > 1,
            Self::SaveAll => state.documents.iter().any(Document::is_modified),
            Self::AddVertexProgram
            | Self::AddStateProgram
            | Self::AddTessControlProgram
            | Self::AddTessEvaluationProgram
            | Self::AddGeometryProgram
            | Self::AddFragmentProgram => {
                let stage = self.adds();
                document.is_some_and(|d| stage.is_some_and(|stage| d.programs().free(stage).is_some()))
            }
            Self::RemoveProgram | Self::NextProgram | Self::PreviousProgram => {
                document.is_some_and(|d| d.programs().count() > 1)
            }
            Self::CopyPicture | Self::PickCentre | Self::ShowHistogram => {
                document.is_some_and(|d| d.shown.is_some())
            }
            // Only one export runs at a time.
            Self::ExportPicture => document.is_some_and(|d| d.shown.is_some()) && state.exporting.is_none(),
            Self::FullScreen => {
                state.view.full_screen.is_some() || document.is_some_and(|d| d.shown.is_some())
            }
            Self::ToggleLoop => state.is_animated(),
            Self::MapNone => document.is_some_and(|d| d.map.map.is_some()),
            Self::MapDepth | Self::MapFate => document.is_some_and(|d| d.shown.is_some()),
            Self::MapValue
            | Self::MapRan
            | Self::MapWrote
            | Self::MapInstructions
            | Self::MapShaded
            | Self::MapHelpers
            | Self::MapKilled
            | Self::MapNotFinite
            | Self::MapUndefined
            | Self::MapHits
            | Self::MapLevel
            | Self::MapPrimitive
            | Self::MapFacing
            | Self::ToggleLineCounts => document.is_some_and(|d| d.program(Slot::Fragment).is_some()),
            Self::PinVersion => document.is_some_and(|d| state.view.versions.get(d.id).is_some()),
            Self::UnpinVersion | Self::MapDifference => document.is_some_and(|d| {
                state.view.versions.get(d.id).is_some_and(|versions| versions.pinned().is_some())
            }),
            Self::ExportMap | Self::ExportValues => {
                document.is_some_and(|d| state.maps.shown(d.id).is_some())
            }
            Self::ResetCamera => document.is_some_and(|d| d.differs(&ResetSubject::Camera)),
            Self::ResetInputs => document.is_some_and(|d| d.differs(&ResetSubject::Scene)),
            Self::ToggleWireframe | Self::ToggleNormals => document.is_some_and(Document::has_vertices),
            Self::ClearBreakpoints => document.is_some_and(|d| !d.active().breakpoints.is_empty()),
            Self::StopDebugging => state.stepping.session.is_some() || state.pending.record.is_some(),
            Self::BundledCourse => !Arc::ptr_eq(state.classroom.course(), &bundled_course()),
            Self::RecoverDrafts => !state.recovery.offers.is_empty(),
            Self::RunHeld => document.is_some_and(|d| state.held_why(d).is_some()),
            Self::StopRendering => state.services.renderer.is_busy(),
            Self::StepStateProgram => document.is_some_and(|d| {
                matches!(d.active_part(), Part::Program(Slot::State(_)))
                    && d.shown.as_ref().is_some_and(|shown| shown.programs.get(d.active_slot()).is_some())
            }),
            Self::BackToFragment => session.is_some_and(|s| s.origin.is_some()),
            Self::StepOut | Self::StepOutBack => session.is_some_and(|s| s.nesting() > 0),
            Self::StepForward
            | Self::StepOver
            | Self::ToEnd
            | Self::NextBreakpoint
            | Self::NextNotFinite
            | Self::NextLookup => session.is_some_and(|s| s.position() < s.len()),
            Self::StepBack
            | Self::StepOverBack
            | Self::ToStart
            | Self::PreviousBreakpoint
            | Self::PreviousNotFinite
            | Self::PreviousLookup => session.is_some_and(|s| s.position() > 0),
            Self::NextCondition => {
                !state.stepping.condition.trim().is_empty() && session.is_some_and(|s| s.position() < s.len())
            }
            Self::PreviousCondition => {
                !state.stepping.condition.trim().is_empty() && session.is_some_and(|s| s.position() > 0)
            }
            Self::RunToCondition | Self::CompareRuns => session.is_some_and(|s| s.recording().is_some()),
            Self::StopComparing => state.stepping.comparison.is_some(),
            Self::NextDifference => state.difference(Direction::Forward).is_some(),
            Self::PreviousDifference => state.difference(Direction::Back).is_some(),
            Self::TraceResult => session.is_some_and(|s| s.recording().is_some()),
            Self::RewriteCurrent => {
                let session = session.filter(|session| session.text_id().is_some());
                session.is_some_and(|session| session.current_step().is_some())
            }
            Self::CloseTrace => session.is_some_and(|s| s.traced().is_some()),
            Self::LeaveChanged => session.is_some_and(|s| s.changed().is_some()),
            Self::ToCursor => session.is_some_and(|s| !s.is_empty()),
            Self::New
            | Self::NewVertex
            | Self::NewArbFragment
            | Self::NewArbVertex
            | Self::NewScene
            | Self::Open
            | Self::Quit
            | Self::ToggleRestoreTabs
            | Self::CommandPalette
            | Self::ShowProblems
            | Self::ShowInputs
            | Self::ShowDebugger
            | Self::ShowWatches
            | Self::AddWatch
            | Self::ShowVertices
            | Self::ShowMemory
            | Self::ToggleRaces
            | Self::ToggleVersions
            | Self::ToggleExplain
            | Self::ToggleValues
            | Self::LargerText
            | Self::SmallerText
            | Self::UsualText
            | Self::ToggleWrap
            | Self::ToggleTimeBar
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::ZoomFit
            | Self::ZoomActual
            | Self::ToggleTheme
            | Self::LayoutWrite
            | Self::LayoutDebug
            | Self::LayoutLearn
            | Self::ResetLayout
            | Self::PlayPause
            | Self::StepTime
            | Self::ResetTime
            | Self::PickVertices
            | Self::ShowWord
            | Self::ShowLearn
            | Self::ShowLessons
            | Self::OpenCourse
            | Self::Preferences
            | Self::ShowKeys
            | Self::About => true,
        }
    }

    /// Returns true if the command applies to the text in front of `document`.
    pub fn is_of(self, document: &Document) -> bool {
        let changes = matches!(self, Self::Rename | Self::FormatProgram);
        document.active_part() != Part::Scene && !(changes && document.active().is_large())
    }
}
