//! The rows of [`Command`]: menu, label, description, default key, listener, condition and icon.

use super::{Group, Info, Listener, Menu, When};
use crate::icons::Icon;
use egui::{Key, KeyboardShortcut, Modifiers};

macro_rules! commands {
    ($($(#[$group:ident $(= $title:literal)?])? $name:ident $menu:ident $label:literal $hint:literal ($($shortcut:tt)*) $listener:ident $when:ident $icon:expr;)*) => {
        /// A command of the app.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $(#[doc = $hint] $name,)*
        }

        impl Command {
            /// All commands, in the order of their menus.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name in the settings.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// Returns the row of this command.
            pub const fn info(self) -> Info {
                match self {
                    $(Self::$name => Info {
                        menu: Menu::$menu,
                        label: $label,
                        hint: $hint,
                        default_keys: commands!(@shortcut $($shortcut)*),
                        listener: Listener::$listener,
                        when: When::$when,
                        icon: $icon,
                        group: commands!(@group $($group $($title)?)?),
                    },)*
                }
            }
        }
    };
    (@shortcut) => { None };
    (@shortcut $key:ident) => { Some(KeyboardShortcut::new(Modifiers::NONE, Key::$key)) };
    (@shortcut Ctrl + Shift + $key:ident) => {
        Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::$key))
    };
    (@shortcut Ctrl + $key:ident) => { Some(KeyboardShortcut::new(Modifiers::COMMAND, Key::$key)) };
    (@shortcut Shift + $key:ident) => { Some(KeyboardShortcut::new(Modifiers::SHIFT, Key::$key)) };
    (@shortcut Alt + $key:ident) => { Some(KeyboardShortcut::new(Modifiers::ALT, Key::$key)) };
    (@shortcut Ctrl + Alt + $key:ident) => {
        Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::ALT), Key::$key))
    };
    (@shortcut Shift + Alt + $key:ident) => {
        Some(KeyboardShortcut::new(Modifiers::SHIFT.plus(Modifiers::ALT), Key::$key))
    };
    (@group) => { None };
    (@group group) => { Some(Group::Line) };
    (@group submenu $title:literal) => { Some(Group::Submenu($title)) };
}

commands! {
    New File "New program" "Create a fragment program in a new tab" (Ctrl + N) App Always Some(Icon::Plus);
    NewVertex File "New vertex program" "Create a vertex program in a new tab" (Ctrl + Shift + N) App Always None;
    NewArbFragment File "New ARB fragment program" "Create an !!ARBfp1.0 program with NVIDIA's options in a new tab" () App Always None;
    NewArbVertex File "New ARB vertex program" "Create an !!ARBvp1.0 program in a new tab" () App Always None;
    NewScene File "New from template…" "Choose a template for a program or a scene in a new tab" () App Always None;
    Open File "Open…" "Open a program or a scene" (Ctrl + O) App Always Some(Icon::Folder);
    #[group] Save File "Save" "Save this program or scene" (Ctrl + S) App Document None;
    SaveAs File "Save as…" "Save this program under another name, or this scene in a new folder" (Ctrl + Shift + S) App Document None;
    SaveCopy File "Save a copy…" "Save the current text to another file" () App Document None;
    SaveAll File "Save all" "Save everything that has changed" () App Unsaved None;
    #[group] ExportPicture File "Export picture…" "Export the picture or an animation at any size" (Ctrl + E) App Export Some(Icon::Export);
    CopyPicture File "Copy picture" "Copy the picture to the clipboard" () App Picture None;
    #[submenu = "Add program"] AddVertexProgram File "Add vertex program" "Add a vertex program to this scene" () App FreeProgram None;
    AddGeometryProgram File "Add geometry program" "Add a geometry program to this scene. It turns each primitive into new ones." () App FreeProgram None;
    AddTessControlProgram File "Add tessellation control program" "Add a tessellation control program to this scene. It sets how finely patches are tessellated." () App FreeProgram None;
    AddTessEvaluationProgram File "Add tessellation evaluation program" "Add a tessellation evaluation program to this scene. It places the vertices of tessellated patches." () App FreeProgram None;
    AddStateProgram File "Add state program" "Add a vertex state program to this scene. It runs once before each frame." () App FreeProgram None;
    AddFragmentProgram File "Add fragment program" "Add a fragment program to this scene" () App FreeProgram None;
    #[group] RemoveProgram File "Remove program from scene" "Remove the current program from this scene, but keep its file" () App Programs None;
    #[group] RecoverDrafts File "Recover unsaved changes" "Show the unsaved changes that earlier sessions left" () App Drafts None;
    #[group] CloseTab File "Close tab" "Close this tab and all its programs" (Ctrl + W) App Document None;
    ToggleRestoreTabs File "Restore tabs at startup" "Reopen the last session's tabs at startup, or open the first sample" () App Always None;
    Quit File "Quit" "Close Shadestep" (Ctrl + Q) App Always None;

    Undo Edit "Undo" "Undo the last change" (Ctrl + Z) Document Undo None;
    Redo Edit "Redo" "Redo the change you undid last" (Ctrl + Shift + Z) Document Redo None;
    #[group] Cut Edit "Cut" "Move the selection or the line to the clipboard" (Ctrl + X) Document SmallText None;
    Copy Edit "Copy" "Copy the selection or the line to the clipboard" (Ctrl + C) Document Document None;
    Paste Edit "Paste" "Insert the text from the clipboard" (Ctrl + V) Document SmallText None;
    SelectAll Edit "Select all" "Select the whole text" (Ctrl + A) Document Document None;
    #[submenu = "Lines"] MoveLineUp Edit "Move line up" "Move the selected lines up by one line" (Alt + ArrowUp) Document SmallText None;
    MoveLineDown Edit "Move line down" "Move the selected lines down by one line" (Alt + ArrowDown) Document SmallText None;
    CopyLineUp Edit "Copy line up" "Duplicate the selected lines above" (Shift + Alt + ArrowUp) Document SmallText None;
    CopyLineDown Edit "Copy line down" "Duplicate the selected lines below" (Shift + Alt + ArrowDown) Document SmallText None;
    DeleteLine Edit "Delete line" "Delete the selected lines" (Ctrl + Shift + K) Document SmallText None;
    SelectLine Edit "Select line" "Select the line. Repeat to add the next one." (Ctrl + L) Document Document None;
    IndentLines Edit "Indent lines" "Indent the selected lines by one tab stop" (Ctrl + CloseBracket) Document SmallText None;
    UnindentLines Edit "Unindent lines" "Unindent the selected lines by one tab stop" (Ctrl + OpenBracket) Document SmallText None;
    ToggleComment Edit "Toggle comment" "Comment out the selected lines, or uncomment them" (Ctrl + Slash) App Document None;
    AddCaretAbove Edit "Add cursor above" "Add a text cursor on the line above" (Ctrl + Alt + ArrowUp) Document SmallText None;
    AddCaretBelow Edit "Add cursor below" "Add a text cursor on the line below" (Ctrl + Alt + ArrowDown) Document SmallText None;
    #[group] Find Edit "Find" "Find text in the program" (Ctrl + F) App Document Some(Icon::Search);
    Replace Edit "Replace" "Find and replace text in the program" (Ctrl + H) App Document None;
    FindNext Edit "Find next" "Go to the next match" (F3) App Query None;
    FindPrevious Edit "Find previous" "Go to the previous match" (Shift + F3) App Query None;
    #[submenu = "Names"] GoToDefinition Edit "Go to definition" "Go to the declaration of the name at the text cursor, or to the register's first write" (F12) App Program None;
    FindUses Edit "Find uses" "Highlight every use of the name at the text cursor" (Shift + F12) App Program None;
    NextUse Edit "Next use" "Go to the next use of the name at the text cursor" (Ctrl + F12) App Program None;
    PreviousUse Edit "Previous use" "Go to the previous use of the name at the text cursor" (Ctrl + Shift + F12) App Program None;
    Rename Edit "Rename…" "Rename all uses of the name at the text cursor" (F2) App SmallProgram None;
    AddNextOccurrence Edit "Add next occurrence" "Select the word at the text cursor, then add its next occurrence to the selection" (Ctrl + D) Document SmallText None;
    Complete Edit "Show completions" "List the completions at the text cursor" (Ctrl + Space) Document SmallText None;
    #[group] GoToLine Edit "Go to line…" "Go to a line by its number" (Ctrl + G) App Document None;
    FormatProgram Edit "Format program" "Tidy the program's indentation, columns and spaces" (Ctrl + Shift + F) App SmallProgram None;
    QuickFix Edit "Quick fix" "Fix the problem at the text cursor or on its line" (Ctrl + Period) Document Fix None;
    NextProblem Edit "Next problem" "Go to the next error or warning" (F8) App Problems None;
    PreviousProblem Edit "Previous problem" "Go to the previous error or warning" (Shift + F8) App Problems None;
    #[group] Preferences Edit "Preferences…" "Change keys, font, tab width and theme" (Ctrl + Comma) App Always None;

    CommandPalette View "Command palette…" "Find and run any command" (Ctrl + Shift + P) App Always Some(Icon::Search);
    #[group] NextTab View "Next tab" "Go to the next open tab" (Ctrl + PageDown) App Tabs None;
    PreviousTab View "Previous tab" "Go to the previous open tab" (Ctrl + PageUp) App Tabs None;
    EditScene View "Edit scene.toml" "Show this scene's text. The Inputs panel writes its changes there." () App Document None;
    NextProgram View "Next program" "Go to the next program of this scene" (Alt + PageDown) App Programs None;
    PreviousProgram View "Previous program" "Go to the previous program of this scene" (Alt + PageUp) App Programs None;
    #[submenu = "Panels"] ShowProblems View "Show problems" "Show the Problems panel" (Ctrl + Shift + M) App Always None;
    ShowInputs View "Show inputs" "Show the Inputs panel" (Ctrl + Shift + I) App Always None;
    ShowDebugger View "Show debugger" "Show the Debugger panel" (Ctrl + Shift + D) App Always None;
    ShowWatches View "Show watches" "Show the watched expressions and the breakpoints" (Ctrl + Shift + X) App Always None;
    ShowVertices View "Show vertices" "Show the table of vertices" (Ctrl + Shift + T) App Always None;
    ShowMemory View "Show memory" "Show the contents of the scene's buffers and images" (Ctrl + Shift + Y) App Always None;
    #[group] ToggleRaces View "Find races" "Report unordered accesses to the same memory, or draw faster without the check" () App Always None;
    ToggleExplain View "Explain line" "Show or hide an explanation of the line at the text cursor or the current step" (Ctrl + Shift + E) App Always None;
    ToggleValues View "Show values in code" "Show or hide the values of the current step's operands at the end of its line" () App Always None;
    #[submenu = "Text size"] LargerText View "Larger text" "Enlarge the program text" (Ctrl + Plus) App Always None;
    SmallerText View "Smaller text" "Shrink the program text" (Ctrl + Minus) App Always None;
    UsualText View "Reset text size" "Show the program text at its default size" (Ctrl + Num0) App Always None;
    #[group] ToggleWrap View "Wrap comments" "Wrap or unwrap comments that are wider than the panel" () App Always None;
    #[submenu = "Picture size"] ZoomIn View "Zoom in" "Enlarge the picture" (Alt + Plus) App Always Some(Icon::Plus);
    ZoomOut View "Zoom out" "Shrink the picture" (Alt + Minus) App Always Some(Icon::Minus);
    ZoomFit View "Fit picture" "Fit the whole picture into the panel" (Alt + Num0) App Always Some(Icon::Fit);
    ZoomActual View "Actual size" "Show the picture at 100%: one screen point per pixel" (Alt + Num1) App Always None;
    #[group] ToggleWireframe View "Show wireframe" "Show or hide the edges of the primitives over the picture" (Ctrl + Shift + W) App Vertices Some(Icon::Wireframe);
    ToggleNormals View "Show normals" "Show or hide the vertices' normals over the picture" (Ctrl + Shift + G) App Vertices Some(Icon::Normals);
    #[group] FullScreen View "Show picture full screen" "Show only the picture, full screen, until you press Escape" (Alt + Enter) App FullScreen Some(Icon::FullScreen);
    ToggleTimeBar View "Show time bar" "Show or hide the time bar below the picture" () App Always None;
    #[group] ToggleTheme View "Switch theme" "Switch between the light and the dark theme" (Ctrl + Shift + L) App Always None;
    #[submenu = "Layout"] LayoutWrite View "Layout: Write" "Give the editor most of the window" () App Always None;
    LayoutDebug View "Layout: Debug" "Give the debugger its own column beside the picture" () App Always None;
    LayoutLearn View "Layout: Learn" "Give samples and reference their own column beside the editor" () App Always None;
    ResetLayout View "Reset layout" "Move every panel back to its default place" () App Always None;

    MapNone Map "No map" "Show the picture without a map" (Ctrl + Shift + Num0) App Mapped None;
    #[group] MapValue Map "Value" "Show the value of a register or an expression at every pixel" (Ctrl + Shift + V) App Fragments None;
    MapRan Map "Line executed" "Show how often each pixel's fragment executed the line at the text cursor" () App Fragments None;
    MapWrote Map "Line writes" "Show how often the instruction at the text cursor passed its condition and wrote" () App Fragments None;
    MapInstructions Map "Instructions" "Show how many instructions ran for each pixel" (Ctrl + Shift + H) App Fragments None;
    #[group] MapShaded Map "Fragments shaded" "Show overdraw: how many fragments were shaded at each pixel" () App Fragments None;
    MapHelpers Map "Helpers" "Show how many helper invocations ran at each pixel" () App Fragments None;
    MapKilled Map "Discarded" "Show how many fragments the program discarded at each pixel" () App Fragments None;
    #[group] MapNotFinite Map "NaN and infinity" "Show where an instruction wrote NaN or infinity" () App Fragments None;
    MapUndefined Map "Undefined values" "Show where the specification leaves an instruction's result undefined" () App Fragments None;
    MapHits Map "Breakpoint hits" "Show how often each pixel hit a breakpoint" () App Fragments None;
    #[group] MapLevel Map "Level of detail" "Show the level of detail of the texture lookup at the text cursor" () App Fragments None;
    MapDepth Map "Depth" "Show the depth buffer" () App Picture None;
    MapFate Map "Tests" "Show the outcome at each pixel: which test its last fragment failed" () App Picture None;
    MapPrimitive Map "Primitives" "Show the visible primitive at each pixel, each in its own colour" () App Fragments None;
    MapFacing Map "Facing" "Show whether each pixel shows the front or the back of a primitive" () App Fragments None;
    #[group] PinVersion Map "Pin this version" "Pin the picture and compare later versions with it" (Ctrl + Shift + B) App Versions None;
    UnpinVersion Map "Unpin version" "Stop comparing with the pinned version" () App Pinned None;
    MapDifference Map "Difference" "Show how much each pixel differs from the pinned version" () App Pinned None;
    ToggleVersions Map "Show versions" "Show or hide a strip of the pictures that your edits produced" (Ctrl + Shift + U) App Always None;
    ShowHistogram Map "Show histogram" "Show or hide how many pixels of the picture or the map have each value" (Ctrl + Shift + J) App Picture None;
    #[group] ToggleLineCounts Map "Show line counts" "Show or hide, beside each line, how many fragments executed it and its share of the cost" (Ctrl + Shift + C) App Fragments None;
    #[group] ExportMap Map "Export map…" "Export the map to a PNG file" () App MapShown None;
    ExportValues Map "Export values…" "Export the map's values to a CSV file" () App MapShown None;

    PlayPause Run "Play or pause time" "Start or stop the time that programs see" (Ctrl + Enter) App Always Some(Icon::Play);
    StepTime Run "Next frame" "Advance time by one frame of 1/60 s" (Alt + Period) App Always Some(Icon::NextFrame);
    ResetTime Run "Reset time" "Set time back to 0" (Ctrl + Shift + Enter) App Always Some(Icon::Restart);
    ToggleLoop Run "Loop time" "Loop a range of time, or let time run on" (Ctrl + Shift + O) App Animated Some(Icon::Loop);
    #[group] RunHeld Run "Run again" "Run the program that was stopped, or that was running when Shadestep closed unexpectedly" () App Held None;
    StopRendering Run "Stop rendering" "Cancel the picture that is being rendered" () App Rendering None;
    #[group] ResetCamera Run "Reset camera" "Move the camera back to its saved place" () App Camera None;
    ResetInputs Run "Reset inputs" "Set everything in Inputs back to its saved value" () App Inputs None;

    PickCentre Debug "Debug centre pixel" "Step through the pixel in the middle of the picture" (F4) App Picture Some(Icon::Target);
    PickVertices Debug "Pick vertices" "Switch clicks on the picture between pixels and vertices" (F6) App Always Some(Icon::Vertex);
    StepStateProgram Debug "Debug state program" "Step through the current state program, as it ran before this picture" (Ctrl + F4) App StateProgram Some(Icon::StepForward);
    BackToFragment Debug "Return to fragment" "Return to the fragment that led you to this vertex" (Shift + F6) App Origin Some(Icon::ChevronLeft);
    StopDebugging Debug "Stop debugging" "Close this debugging session" (Shift + F4) App Debugging Some(Icon::Close);
    #[group] StepForward Debug "Step forward" "Run the current instruction" (F11) App Ahead Some(Icon::StepForward);
    StepBack Debug "Step back" "Undo the last instruction" (Shift + F11) App Behind Some(Icon::StepBack);
    StepOver Debug "Step over" "Run the current instruction and the whole subroutine or block that it starts" (F10) App Ahead Some(Icon::StepOver);
    StepOverBack Debug "Step over backwards" "Undo the last instruction and the whole subroutine or block that it ends" (Shift + F10) App Behind None;
    StepOut Debug "Step out" "Go to the end of this subroutine or block" (Ctrl + F11) App Nested Some(Icon::StepOut);
    StepOutBack Debug "Step out backwards" "Go back to the start of this subroutine or block" (Ctrl + Shift + F11) App Nested None;
    #[group] ToStart Debug "Go to start" "Go to the start of the run" (Alt + Home) App Behind Some(Icon::ToStart);
    ToEnd Debug "Go to end" "Go to the end of the run" (Alt + End) App Ahead Some(Icon::ToEnd);
    ToCursor Debug "Run to cursor" "Go to the instruction at the text cursor" (Ctrl + F10) App Steps Some(Icon::ToCursor);
    #[submenu = "Run to"] NextBreakpoint Debug "Run to next breakpoint" "Run to the next breakpoint or the end" (F5) App Ahead Some(Icon::NextBreakpoint);
    PreviousBreakpoint Debug "Run to previous breakpoint" "Run back to the previous breakpoint or the start" (Shift + F5) App Behind Some(Icon::PreviousBreakpoint);
    NextNotFinite Debug "Run to next NaN or infinity" "Run to the next instruction that writes NaN or infinity" (F7) App Ahead None;
    PreviousNotFinite Debug "Run to previous NaN or infinity" "Run back to the previous instruction that writes NaN or infinity" (Shift + F7) App Behind None;
    RunToCondition Debug "Run to condition…" "Type a condition and run to the step where it becomes true" (Ctrl + F7) App Recorded None;
    NextCondition Debug "Run to condition again" "Run to the next step where the condition that you typed last becomes true" (Ctrl + F5) App ConditionAhead None;
    PreviousCondition Debug "Run back to condition" "Run back to the previous step where the condition that you typed last becomes true" (Ctrl + Shift + F5) App ConditionBehind None;
    NextLookup Debug "Run to next texture lookup" "Run to the next instruction that looks up a texture" () App Ahead None;
    PreviousLookup Debug "Run to previous texture lookup" "Run back to the previous instruction that looks up a texture" () App Behind None;
    #[submenu = "Trace and what if"] TraceResult Debug "Trace result" "Show the steps, attributes and parameters that produced the result" (Ctrl + F9) App Recorded Some(Icon::Trace);
    RewriteCurrent Debug "Try another instruction…" "Replace the current instruction in this run only" (Ctrl + Shift + F9) App Instruction None;
    CloseTrace Debug "Close trace" "Close the trace" () App Traced None;
    LeaveChanged Debug "Return to recorded run" "Leave the changed run and step through the recorded one again" () App Changed None;
    #[submenu = "Compare runs"] CompareRuns Debug "Keep run to compare" "Keep this run and show it beside the next one that you debug" () App Recorded Some(Icon::Compare);
    NextDifference Debug "Next difference" "Go to the next step where the two runs differ" (Ctrl + F8) App DifferenceAhead Some(Icon::ChevronRight);
    PreviousDifference Debug "Previous difference" "Go back to the previous step where the two runs differ" (Ctrl + Shift + F8) App DifferenceBehind Some(Icon::ChevronLeft);
    StopComparing Debug "Stop comparing" "Discard the kept run" () App Comparing Some(Icon::Close);
    #[submenu = "Breakpoints and watches"] ToggleBreakpoint Debug "Toggle breakpoint" "Set or remove a breakpoint at the text cursor" (F9) App Program None;
    EditBreakpoint Debug "Edit breakpoint…" "Set the condition and the hit count of the breakpoint at the text cursor" (Shift + F9) App Program None;
    AddWatch Debug "Add watch…" "Type an expression to see its value at each step" () App Always None;
    ClearBreakpoints Debug "Remove all breakpoints" "Remove every breakpoint of this program" () App Breakpoints None;

    ShowWord Help "Show reference page" "Show the reference page of the instruction at the text cursor" (F1) App Always None;
    ShowLearn Help "Show samples and reference" "Browse the samples and the instruction reference" () App Always Some(Icon::Book);
    #[group] ShowLessons Help "Show lessons" "Learn by doing short tasks that are checked as you type" () App Always None;
    OpenCourse Help "Open course…" "Open a folder of lessons" () App Always None;
    BundledCourse Help "Show bundled lessons" "Go back to the lessons that come with Shadestep" () App OtherCourse None;
    #[group] ShowKeys Help "Show keyboard shortcuts" "List all keys and their commands" (Ctrl + K) App Always None;
    About Help "About Shadestep" "Show the version of Shadestep" () App Always None;
}
