//! [`Action`]: the messages that panels send.

use super::Command;
use crate::format::ValueFormat;
use crate::maps::MapChoice;
use crate::model::{
    Breakpoint, Change, Compare, DocumentId, ExportForm, Part, Playback, ResetSubject, Template, TextId,
};
use crate::scene::{MeshSource, SceneEdit, SubroutineKey, TextureSpec};
use crate::session::Mouse;
use crate::settings::{Layout, Pane, Section, TextLook};
use crate::state::{Options, Zoom};
use crate::stepping::{Direction, Question, RegisterName, RunTarget};
use crate::theme::ThemeChoice;
use egui::KeyboardShortcut;
use shadestep_engine::debug::{Edit, Subject};
use shadestep_engine::ide::example::Example;
use shadestep_engine::isa::{Opcode, Stage};
use shadestep_engine::source::Span;
use std::path::PathBuf;

/// Text that was dragged to another place of the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DroppedText {
    /// The dragged bytes.
    pub from: Span,
    /// The byte before which the text was dropped.
    pub to: usize,
    /// True to copy the text instead of moving it.
    pub copies: bool,
}

/// An answer to the question about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsavedAnswer {
    /// Save the changes, then continue.
    Save,
    /// Discard the changes and continue.
    Discard,
}

/// A change that a panel requests.
#[derive(Clone, Debug)]
pub enum Action {
    /// Run a command.
    Command(Command),
    /// Open a program or scene.
    Open(PathBuf),
    /// Open the sample of this name.
    OpenSample(&'static str),
    /// Open lesson n of the course, from 0, or go to its tab.
    StartLesson(usize),
    /// Reset the texts of a lesson to its start.
    StartOver(DocumentId),
    /// Show tab number n.
    ActivateTab(usize),
    /// Close a tab, asking about unsaved changes.
    CloseTab(DocumentId),
    /// Show this text of the scene.
    ShowText(Part),
    /// Make a typed change in the text.
    EditText(TextId, Change),
    /// Make changes that were typed at several carets. Each applies to the text that the previous ones made.
    EditTextAtAll(TextId, Vec<Change>),
    /// Move or copy dragged text to the place where it was dropped.
    DropText(TextId, DroppedText),
    /// The caret moved to this byte.
    CaretMoved(TextId, usize),
    /// The editor has moved to the requested place.
    Revealed(TextId),
    /// The editor was scrolled: this line, with a fraction, is at the top.
    Scrolled(TextId, f32),
    /// The editor has the keyboard focus, or another panel must have it.
    EditorFocused,
    /// The search bar has the keyboard focus.
    FindFocused,
    /// Show and select bytes of the active program.
    Jump(Span),
    /// Replace bytes of the active program.
    ReplaceText(Vec<(Span, String)>),
    /// Set or remove a breakpoint on a line, from 0.
    ToggleBreakpoint(TextId, usize),
    /// Set or change the breakpoint on a line, from 0.
    SetBreakpoint(TextId, usize, Breakpoint),
    /// Remove the breakpoint on a line, from 0.
    RemoveBreakpoint(TextId, usize),
    /// Open the form for the breakpoint on a line, from 0. `None` closes the form.
    EditBreakpoint(Option<(TextId, usize)>),
    /// Watch these expressions.
    SetWatches(Vec<String>),
    /// Add this expression to the watches of the document.
    AddWatch(DocumentId, String),
    /// Fold or unfold a section of the debugger.
    FoldSection(Section, bool),
    /// Replace the changes with the file's text.
    TakeDiskText(TextId),
    /// Keep the changes, and ignore the file's text.
    KeepText(TextId),
    /// Search for this.
    SetQuery(String),
    /// Set the search options.
    SetFindOptions(Options),
    /// Set the replacement.
    SetReplacement(String),
    /// Replace every match.
    ReplaceAll,
    /// Replace the match at the caret and go to the next.
    ReplaceOne,
    /// Close the search bar.
    CloseFind,
    /// Record the run of this subject.
    Pick(Subject),
    /// Show fragment n of the pixel.
    SelectFragment(usize),
    /// Go to a position of the recording.
    Seek(usize),
    /// Run to the nearest step in this direction that matches the target.
    RunTo(Direction, RunTarget),
    /// Set the condition to run to.
    ConditionTyped(String),
    /// Run to the nearest step in this direction where the condition becomes true.
    RunToCondition(Direction),
    /// Go to a row of the two compared runs.
    CompareAt(usize),
    /// Send a background query about the stepped run.
    Query(Question),
    /// Open the field for a new value of this component. `None` closes the field.
    EditValue(Option<Edit>),
    /// Open the field for a replacement of the instruction with this index. `None` closes the field.
    RewriteInstruction(Option<usize>),
    /// Show values in this format.
    SetFormat(ValueFormat),
    /// Show this register in this format. `None` uses the format of the other registers.
    SetRegisterFormat(RegisterName, Option<ValueFormat>),
    /// Set the look of program text.
    SetTextLook(TextLook),
    /// Use this theme.
    SetTheme(ThemeChoice),
    /// Ask for a font file for program text.
    ChooseFont,
    /// Use the bundled font for program text.
    UseBundledFont,
    /// Give a command these keys, and take them from the commands that have them.
    SetKeys(Command, Vec<KeyboardShortcut>),
    /// Give every command its default keys.
    ResetKeys,
    /// Show this map, or none.
    ChooseMap(Box<MapChoice>),
    /// Compare with the version with this number.
    PinVersion(u32),
    /// Restore the texts of the version with this number.
    RestoreVersion(u32),
    /// Compare with the pinned version in this way.
    SetCompare(Compare),
    /// Change the scene.
    EditScene(SceneEdit),
    /// Make element n of a subroutine variable, or a variable that is not an array, call the subroutine with
    /// this label.
    ChooseSubroutine(SubroutineKey, usize, String),
    /// Reset a setting of the scene to its saved value.
    Reset(ResetSubject),
    /// Show this output colour of the fragment program.
    ShowOutputColor(u8),
    /// Show this layer of the framebuffer.
    ShowLayer(u32),
    /// Show the wireframe of this stage's output, or none.
    ShowWireframe(Option<Stage>),
    /// Show the vertices of this instance.
    ShowInstance(u32),
    /// Draw this mesh.
    SetMesh(MeshSource),
    /// Ask for an OBJ file and draw it.
    ChooseMesh,
    /// Bind this texture.
    SetTexture(TextureSpec),
    /// Ask for an image for this texture.
    ChooseTexture(TextureSpec),
    /// The mouse moved over the picture.
    SetMouse(Mouse),
    /// Zoom by a factor around a point of the view, or move.
    SetZoom(Zoom),
    /// Show a panel.
    Show(Pane),
    /// The panels were moved.
    SetLayout(Box<Layout>),
    /// The values of these vertices are visible.
    WantVertices(Vec<u32>),
    /// Show the reference page of an instruction.
    ShowReference(Opcode),
    /// Close the palette.
    ClosePalette,
    /// Go to a line of the text shown, from 0. A line after the end goes to the last line.
    GoToLine(usize),
    /// Close the window in front.
    CloseDialog,
    /// Open an example of the reference in a new tab, and step to its instruction.
    TryExample(Box<Example>),
    /// Open a new document from this template.
    NewFrom(Template),
    /// Set the text of the prompt for a path.
    PathTyped(String),
    /// Use the path in the prompt.
    PathEntered,
    /// Save over the file that another program has changed.
    Overwrite(DocumentId),
    /// Answer the question about unsaved changes.
    Unsaved(UnsavedAnswer),
    /// Open a draft of an earlier session, by its file.
    RestoreDraft(PathBuf),
    /// Open all drafts of earlier sessions.
    RestoreAllDrafts,
    /// Discard a draft.
    DiscardDraft(PathBuf),
    /// Discard all drafts.
    DiscardAllDrafts,
    /// Show or hide the difference between a draft and its file.
    CompareDraft(PathBuf),
    /// Close the card with the drafts, and decide later.
    PutDraftsAway,
    /// Close a notice.
    Dismiss(u64),
    /// Remove a file from the recent files.
    ForgetRecent(PathBuf),
    /// Go to this time, in seconds.
    SetTime(f32),
    /// Set the speed of time and the loop range.
    SetPlayback(Playback),
    /// Set the fields of the export dialog.
    SetExport(Box<ExportForm>),
    /// Ask for the path of the export.
    Export,
    /// Cancel the running export.
    CancelExport,
    /// Remove all recent files.
    ClearRecent,
}

impl Action {
    /// Returns the actions that step `subject` in the debugger panel. `None` for state programs, which run
    /// with the vertices.
    pub fn step_to(subject: Subject) -> Option<[Self; 2]> {
        let runs_before = matches!(subject, Subject::StateProgram(_));
        (!runs_before).then_some([Self::Pick(subject), Command::ShowDebugger.into()])
    }
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}
