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
use crate::stepping::{Direction, Question, RegisterName, Sought};
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
    /// Its bytes.
    pub from: Span,
    /// The byte before which it was dropped.
    pub to: usize,
    /// Whether it stays where it was as well.
    pub copies: bool,
}

/// An answer to the question about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsavedAnswer {
    /// Save them, then go on.
    Save,
    /// Throw them away and go on.
    Discard,
    /// Do not go on.
    Cancel,
}

/// A change that a panel asks for.
#[derive(Clone, Debug)]
pub enum Action {
    /// A command.
    Command(Command),
    /// Open a program or scene.
    Open(PathBuf),
    /// Open the sample of this name.
    OpenSample(&'static str),
    /// Open lesson n of the course, from 0, or go to its tab.
    StartLesson(usize),
    /// Put the texts of a lesson back to what it begins with.
    StartOver(DocumentId),
    /// Show tab number n.
    ActivateTab(usize),
    /// Close a tab, asking about unsaved changes.
    CloseTab(DocumentId),
    /// Show this text of the scene.
    ShowText(Part),
    /// This was typed into the text.
    EditText(TextId, Change),
    /// This was typed into the text at several carets: changes of what those before have left.
    EditTextAtAll(TextId, Vec<Change>),
    /// Put text that was dragged where it was dropped.
    DropText(TextId, DroppedText),
    /// The caret moved to this byte.
    CaretMoved(TextId, usize),
    /// The editor has gone where the text is to be shown.
    Revealed(TextId),
    /// This line, with a fraction, is at the upper edge of the editor.
    Scrolled(TextId, f32),
    /// The editor has the keyboard, or something else is to have it.
    EditorFocused,
    /// The search bar has the keyboard.
    FindFocused,
    /// Show and select bytes of the active program.
    Jump(Span),
    /// Replace bytes of the active program.
    ReplaceText(Vec<(Span, String)>),
    /// Set or remove a breakpoint on a line, from 0.
    ToggleBreakpoint(TextId, usize),
    /// Make this of the breakpoint on a line, from 0, or set it there.
    SetBreakpoint(TextId, usize, Breakpoint),
    /// Remove the breakpoint on a line, from 0.
    RemoveBreakpoint(TextId, usize),
    /// Ask for the condition of the breakpoint on a line, from 0, or of none any more.
    EditBreakpoint(Option<(TextId, usize)>),
    /// Watch these expressions.
    SetWatches(Vec<String>),
    /// Watch this expression of the document as well.
    AddWatch(DocumentId, String),
    /// Fold a section of the debugger away, or open it.
    FoldSection(Section, bool),
    /// Take the file's text in place of the changes here.
    TakeDiskText(TextId),
    /// Keep the changes here.
    KeepText(TextId),
    /// Search for this.
    SetQuery(String),
    /// Set the search options.
    SetFindOptions(Options),
    /// Replace by this.
    SetReplacement(String),
    /// Replace every match.
    ReplaceAll,
    /// Replace the match at the caret and go on.
    ReplaceOne,
    /// Close the search bar.
    CloseFind,
    /// Record what a program did for this.
    Pick(Subject),
    /// Look at fragment n of the pixel.
    SelectFragment(usize),
    /// Go to a position of the recording.
    Seek(usize),
    /// Go to the nearest step that way that is this.
    RunTo(Direction, Sought),
    /// This is the condition to run to.
    ConditionTyped(String),
    /// Run to where it begins to hold.
    RunToCondition(Direction),
    /// Go to a row of the two runs side by side.
    CompareAt(usize),
    /// Find out about what is stepped through.
    Inquire(Question),
    /// Have a value be typed for this component, or no more.
    EditValue(Option<Edit>),
    /// Have another instruction be typed for the one with this index, or no more.
    RewriteInstruction(Option<usize>),
    /// Show values so.
    SetFormat(ValueFormat),
    /// Show the register of this name so, or like the others.
    SetRegisterFormat(RegisterName, Option<ValueFormat>),
    /// Set program text so.
    SetTextLook(TextLook),
    /// Use this theme.
    SetTheme(ThemeChoice),
    /// Ask for a font file for program text.
    ChooseFont,
    /// Set program text in the bundled font.
    UseBundledFont,
    /// Give a command these keys, and take them from the commands that have them.
    SetKeys(Command, Vec<KeyboardShortcut>),
    /// Give every command its default keys.
    ResetKeys,
    /// Show this map, or none.
    ChooseMap(Box<MapChoice>),
    /// Compare with the version of this number.
    PinVersion(u32),
    /// Go back to the texts of the version of this number.
    RestoreVersion(u32),
    /// Compare with the pinned version in this way.
    SetCompare(Compare),
    /// Change the scene.
    EditScene(SceneEdit),
    /// Have element n of a subroutine variable, or the variable itself, call the subroutine of this label.
    ChooseSubroutine(SubroutineKey, usize, String),
    /// Give something of the scene the value again that was saved.
    Reset(ResetSubject),
    /// Show this output colour of the fragment program.
    ShowOutputColor(u8),
    /// Show this layer of the framebuffer.
    ShowLayer(u32),
    /// Shows the wireframe of what this stage gives, or none.
    ShowWireframe(Option<Stage>),
    /// Looks at the vertices of this instance.
    ShowInstance(u32),
    /// Draw this.
    SetMesh(MeshSource),
    /// Ask for an OBJ file and draw that.
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
    /// Values of these vertices are in sight.
    WantVertices(Vec<u32>),
    /// Show the reference page of an instruction.
    ShowReference(Opcode),
    /// Close the palette.
    ClosePalette,
    /// Go to a line of the text shown, from 0, or to the last one.
    GoToLine(usize),
    /// Close the window in front, whatever it asks.
    CloseDialog,
    /// Open an example of the reference in a tab of its own, and step through it to its instruction.
    TryExample(Box<Example>),
    /// Begin with this.
    NewFrom(Template),
    /// The person typed this into the prompt for a path.
    PathTyped(String),
    /// Use the path in the prompt.
    PathEntered,
    /// Save, although another program has saved the file meanwhile.
    Overwrite(DocumentId),
    /// Answer to the question about unsaved changes.
    Unsaved(UnsavedAnswer),
    /// Open a draft of an earlier session, by its file.
    RestoreDraft(PathBuf),
    /// Open all of them.
    RestoreAllDrafts,
    /// Throw one away.
    DiscardDraft(PathBuf),
    /// Throw all away.
    DiscardAllDrafts,
    /// Show what a draft has that its file has not, or hide it again.
    CompareDraft(PathBuf),
    /// Decide about drafts another time.
    PutDraftsAway,
    /// Put a notice away.
    Dismiss(u64),
    /// Forget a recent file.
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
    /// Forget all recent files.
    ClearRecent,
}

impl Action {
    /// Step through `subject` in the debugger panel; nothing of state programs, which run with the vertices.
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
