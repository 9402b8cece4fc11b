//! [`Document`]: an open scene with its texts, and the results of loading and drawing it. Neighbouring files
//! of this folder add methods by topic: saving, parameters, subroutines, the scene's text.

use super::history::{History, Step};
use super::scene_text::Unread;
use super::text::{Focus, Reveal, TextFile};
use super::{Cause, Change, Draft, ExportForm, OpenPrograms, Playback, Restored, RestoredText};
use crate::maps::MapChoice;
use crate::scene::{
    Folder, MeshSource, OUTPUT_COLORS, Programs, SCENE_FILE, Scene, SceneError, SceneMesh, SceneTexture, Slot,
};
use crate::session::{self, Compiled, Frame, FrameInputs, Job, Loaded, RenderError};
use shadestep_engine::debug::Subject;
use shadestep_engine::diag::{Diagnostic, Fix, Severity};
use shadestep_engine::ir::Program;
use shadestep_engine::isa::Stage;
use shadestep_engine::source::{LineIndex, Span};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Identifies a document for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u64);

/// Selects a text of a document. The order is the order of the tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Program(Slot),
    Scene,
}

impl std::fmt::Display for Part {
    /// Writes the title of the text's tab.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(slot) => slot.fmt(f),
            Self::Scene => f.write_str("Scene"),
        }
    }
}

/// Identifies one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId {
    pub document: DocumentId,
    pub part: Part,
}

/// A drawn picture with its exact values.
pub struct Shown {
    /// Number of the render request. Every picture has a different one.
    pub generation: u64,
    /// The exact values.
    pub frame: Arc<Frame>,
    /// The input of the render.
    pub job: Job,
    /// The programs that drew the picture.
    pub programs: Loaded,
    /// The texts, kept in case a program never ends.
    pub kept: Arc<Draft>,
    /// Revision of the texts that drew the picture.
    pub revision: u64,
    /// The matrices and parameter registers that the vertex programs read.
    pub inputs: FrameInputs,
}

/// How the picture is compared with the pinned picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Compare {
    /// No comparison.
    #[default]
    Off,
    /// The pinned picture is left of this fraction of the width, 0 to 1.
    Slider(f32),
    /// The two pictures alternate.
    Flicker,
}

/// Overlays of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Draws the edges of this stage's output: the vertex stage or the last stage of primitives.
    pub wireframe: Option<Stage>,
    /// Draws the normals of the vertices.
    pub normals: bool,
}

/// A document, with its texts, its history and the results of its last load and render.
pub struct Document {
    pub id: DocumentId,
    /// Increases with every change of a text.
    pub revision: u64,
    /// The revision that was loaded last.
    analysed: Option<u64>,
    /// The current scene, read from the last valid text of `scene.toml`. Its program texts are the texts on
    /// disk, not the edited ones.
    pub scene: Arc<Scene>,
    /// The scene as last saved. Resetting a control returns to its values.
    pub(super) base: Arc<Scene>,
    /// The folder of the scene's files, except `chosen` files.
    pub(super) own_folder: Folder,
    /// Files from other folders, by their names in the scene. Saving copies them.
    pub(super) chosen: Arc<BTreeMap<String, PathBuf>>,
    pub(super) scene_text: TextFile,
    pub(super) programs: OpenPrograms,
    /// Programs that the scene no longer names. Undo restores them.
    pub(super) parked: Vec<TextFile>,
    /// Textures and meshes that are loaded before the scene names them.
    pub(super) loaded_ahead: (Vec<SceneTexture>, Vec<SceneMesh>),
    pub(super) unread: Unread,
    scene_reads: Reads,
    front: Front,
    pub(super) history: History,
    next_text: u32,
    /// Watched expressions over registers, evaluated while a program is stepped.
    pub watches: Vec<String>,
    /// Overlays of the picture.
    pub overlays: Overlays,
    /// The value map shown instead of the colours.
    pub map: MapChoice,
    /// How the picture is compared with the pinned version.
    pub compare: Compare,
    /// Speed of time and loop range.
    pub playback: Playback,
    /// The fields of the export dialog as last used.
    pub export: Option<Box<ExportForm>>,
    /// The requested output colour. [`Self::output_color`] returns the shown one.
    pub chosen_color: u8,
    /// The requested layer. [`Self::layer`] returns the shown one.
    pub chosen_layer: Option<u32>,
    /// The requested instance. [`Self::instance`] returns the shown one.
    pub chosen_instance: u32,
    /// The last picture that rendered without an error.
    pub shown: Option<Shown>,
    /// The reason why no newer picture exists, other than errors in a text.
    pub render_error: Option<RenderError>,
}

/// The text in the editor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Front {
    /// The program in front.
    Program,
    /// `scene.toml`.
    Scene,
}

/// Whether the text of `scene.toml` was valid when last read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Yes,
    No,
}

/// Returns true if `title` is the title of a template: `Untitled`, alone or with a number.
fn is_untitled(title: &str) -> bool {
    let rest = title.strip_prefix("Untitled").map(str::trim_start);
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

impl Document {
    /// Opens `scene`. The most important program is in front.
    pub fn new(id: DocumentId, scene: Scene) -> Self {
        // A scene in memory is a template, so no file holds it.
        let is_template = matches!(scene.folder, Folder::Memory(_));
        let open = |file: &crate::scene::ProgramFile| match is_template {
            true => TextFile::unsaved(file.name.clone(), &String::from_utf8_lossy(&file.text)),
            false => TextFile::new(file),
        };
        let programs = scene.programs.map(|_, file| open(file));
        let scene_text = match is_template {
            true => TextFile::unsaved(SCENE_FILE.to_owned(), &scene.toml),
            false => TextFile::saved_as(SCENE_FILE.to_owned(), scene.file.clone(), scene.toml.clone()),
        };
        let name = scene.name.clone();
        let own_folder = scene.folder.clone();
        let scene = Arc::new(scene);
        let mut document = Self {
            id,
            revision: 1,
            analysed: None,
            base: Arc::clone(&scene),
            scene,
            own_folder,
            chosen: Arc::default(),
            scene_text,
            programs: OpenPrograms::new(programs, || TextFile::unsaved(name, "")),
            parked: Vec::new(),
            loaded_ahead: (Vec::new(), Vec::new()),
            unread: Unread::Nothing,
            scene_reads: Reads::Yes,
            front: Front::Program,
            history: History::default(),
            next_text: 1,
            watches: Vec::new(),
            overlays: Overlays::default(),
            map: MapChoice::default(),
            compare: Compare::default(),
            playback: Playback::default(),
            export: None,
            chosen_color: 0,
            chosen_layer: None,
            chosen_instance: 0,
            shown: None,
            render_error: None,
        };
        document.number_texts();
        document.check_scene();
        document
    }

    /// Creates a document from `scene`. None of its texts is saved.
    pub fn begun(id: DocumentId, scene: Scene) -> Self {
        let mut document = Self::new(id, scene);
        for text in document.programs.iter_mut() {
            text.begun_with(String::new());
        }
        document
    }

    /// Opens a restored draft with its texts.
    pub fn restored(id: DocumentId, kept: Restored) -> Self {
        let mut document = Self::new(id, *kept.scene);
        if let Some(base) = kept.base {
            document.own_folder = base.folder.clone();
            document.scene_text.begun_with(base.toml.clone());
            document.base = Arc::new(*base);
        }
        document.chosen = Arc::new(kept.chosen);
        for RestoredText { part, text, caret, breakpoints, on_disk } in kept.texts {
            if let Some(file) = document.text_mut(part) {
                file.caret = text.floor_char_boundary(caret);
                file.reveal = Some(Reveal::of(Span::at(file.caret), Focus::Keep));
                file.text = text;
                file.breakpoints = breakpoints;
                file.changed_on_disk = on_disk;
            }
        }
        document.watches = kept.watches;
        document.activate(kept.front);
        document.refresh_scene();
        document
    }

    /// Returns the folder of the scene's files, except files that the user chose in other folders.
    pub fn own_folder(&self) -> &Folder {
        &self.own_folder
    }

    /// Returns the files from other folders, by their names in the scene.
    pub fn chosen_files(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.chosen.iter().map(|(name, path)| (&**name, &**path))
    }

    /// Numbers every text that has no number yet.
    pub(super) fn number_texts(&mut self) {
        for text in self.programs.iter_mut().filter(|text| text.number == 0) {
            text.number = self.next_text;
            self.next_text += 1;
        }
    }

    /// Returns the place of the program in front. While the editor shows `scene.toml`, this is the program
    /// shown before.
    pub fn active_slot(&self) -> Slot {
        self.programs.front_slot()
    }

    /// Returns the part that the editor shows.
    pub fn active_part(&self) -> Part {
        match self.front {
            Front::Program => Part::Program(self.active_slot()),
            Front::Scene => Part::Scene,
        }
    }

    /// Returns the text that the editor shows.
    pub fn active(&self) -> &TextFile {
        match self.front {
            Front::Program => self.programs.front(),
            Front::Scene => &self.scene_text,
        }
    }

    pub fn active_mut(&mut self) -> &mut TextFile {
        match self.front {
            Front::Program => self.programs.front_mut(),
            Front::Scene => &mut self.scene_text,
        }
    }

    /// Returns the identity of the text that the editor shows.
    pub fn text_id(&self) -> TextId {
        TextId { document: self.id, part: self.active_part() }
    }

    pub fn programs(&self) -> &OpenPrograms {
        &self.programs
    }

    /// Returns the text of `scene.toml`, which exists even if no file holds it yet.
    pub fn scene_text(&self) -> &TextFile {
        &self.scene_text
    }

    /// Returns all texts in tab order.
    pub fn texts(&self) -> impl DoubleEndedIterator<Item = (Part, &TextFile)> {
        let programs = self.programs.iter().map(|(slot, text)| (Part::Program(slot), text));
        programs.chain(std::iter::once((Part::Scene, &self.scene_text)))
    }

    pub fn text(&self, part: Part) -> Option<&TextFile> {
        match part {
            Part::Program(slot) => self.programs.get(slot),
            Part::Scene => Some(&self.scene_text),
        }
    }

    pub fn text_mut(&mut self, part: Part) -> Option<&mut TextFile> {
        match part {
            Part::Program(slot) => self.programs.get_mut(slot),
            Part::Scene => Some(&mut self.scene_text),
        }
    }

    pub fn program_text(&self, slot: Slot) -> Option<&TextFile> {
        self.programs.get(slot)
    }

    /// Shows `part` in the editor. Returns false if the document has no such text.
    pub fn activate(&mut self, part: Part) -> bool {
        let there = match part {
            Part::Program(slot) => self.programs.bring_to_front(slot),
            Part::Scene => true,
        };
        if there {
            self.front = if part == Part::Scene { Front::Scene } else { Front::Program };
        }
        there
    }

    /// Returns the current texts of the programs.
    pub fn program_texts(&self) -> Programs<Arc<[u8]>> {
        self.programs.map(TextFile::version)
    }

    /// Returns true if a text of the document is saved at `path`.
    pub fn has_file(&self, path: &Path) -> bool {
        self.texts().any(|(_, text)| text.path() == Some(path))
    }

    /// Returns every file of the document on disk.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let texts = self.texts().filter_map(|(_, text)| text.path().map(Path::to_path_buf));
        texts.chain(self.scene.watched.iter().cloned())
    }

    /// Returns the file that represents the document: `scene.toml`, or the file of a program without a scene.
    pub fn main_file(&self) -> Option<&Path> {
        self.scene_text.path().or_else(|| self.alone()?.1.path())
    }

    /// Returns a short name for the tab.
    pub fn name(&self) -> String {
        match self.alone().and_then(|(_, program)| program.path()?.file_name()) {
            Some(name) => name.to_string_lossy().into_owned(),
            // A document that began as a template takes the name of the folder it was saved in.
            None if self.scene_text.path().is_some() && is_untitled(&self.scene.title) => {
                self.scene.name.clone()
            }
            None => self.scene.title.clone(),
        }
    }

    /// Restores every text to its state when the document was opened. Undo reverts this.
    pub fn start_over(&mut self) {
        let texts = self.texts().filter(|(_, text)| text.is_modified());
        let mut changed: Vec<(Part, String)> =
            texts.map(|(part, text)| (part, text.saved().to_owned())).collect();
        // The scene comes first, because it defines which programs exist.
        changed.sort_by_key(|(part, _)| *part != Part::Scene);
        self.seal_step();
        for (part, text) in changed {
            self.replace(part, &text, Cause::Other);
        }
        self.seal_step();
    }

    /// Returns true if closing the window would lose changes.
    pub fn is_modified(&self) -> bool {
        self.texts().any(|(_, text)| text.is_modified())
    }

    /// Handles a change of the file at `path` by another program.
    pub fn disk_changed(&mut self, path: &Path, text: &str) {
        let parts: Vec<Part> =
            self.texts().filter(|(_, file)| file.path() == Some(path)).map(|(part, _)| part).collect();
        for part in parts {
            if self.text_mut(part).is_some_and(|file| file.disk_changed(text)) {
                self.replace(part, text, Cause::Other);
            }
        }
    }

    /// Keeps the document's texts and ignores newer files on disk.
    pub fn keep_texts(&mut self) {
        for text in self.programs.iter_mut().chain([&mut self.scene_text]) {
            text.changed_on_disk = None;
        }
    }

    /// Replaces the text of `part`, and its changes, with the file's text.
    pub fn take_disk_text(&mut self, part: Part) {
        let Some(file) = self.text_mut(part) else { return };
        if let Some(text) = file.changed_on_disk.take() {
            file.begun_with(text.clone());
            self.replace(part, &text, Cause::Other);
        }
    }

    /// Makes `change` in a text, for `cause`. Ignores a change that does not fit the current text.
    pub fn edit(&mut self, part: Part, change: Change, cause: Cause) {
        let mut history = std::mem::take(&mut self.history);
        if let Some(file) = self.text_mut(part) {
            let caret = file.caret.min(file.text.len());
            if !change.is_empty() && change.make(&mut file.text) {
                file.edited(&change);
                history.push(Step::new(file.number, change, caret, cause), &file.text);
                self.revision += 1;
            }
        }
        self.history = history;
        if part == Part::Scene {
            self.refresh_scene();
        }
    }

    /// Makes several changes in a text as one step for `cause`. Each change applies to the text that the
    /// previous ones made.
    pub fn edit_all(&mut self, part: Part, changes: Vec<Change>, cause: &Cause) {
        let mut history = std::mem::take(&mut self.history);
        history.seal();
        if let Some(file) = self.text_mut(part) {
            let caret = file.caret.min(file.text.len());
            let mut is_first = true;
            for change in changes.into_iter().filter(|change| !change.is_empty()) {
                if change.make(&mut file.text) {
                    file.edited(&change);
                    let step = Step::new(file.number, change, caret, cause.clone());
                    history.push(if is_first { step } else { step.joined() }, &file.text);
                    is_first = false;
                }
            }
            history.seal();
            self.revision += u64::from(!is_first);
        }
        self.history = history;
        if part == Part::Scene {
            self.refresh_scene();
        }
    }

    /// Replaces one of the texts with `text`, for `cause`.
    pub fn replace(&mut self, part: Part, text: &str, cause: Cause) {
        if let Some(change) = self.text(part).map(|file| Change::between(&file.text, text)) {
            self.edit(part, change, cause);
        }
    }

    /// Undoes the last step. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let parts = self.history.undo();
        parts.iter().fold(false, |_, part| self.travel(part, &part.change.reversed(), part.caret))
    }

    /// Redoes the step that was undone last. Returns false if there is none.
    pub fn redo(&mut self) -> bool {
        let parts = self.history.redo();
        parts.iter().fold(false, |_, part| self.travel(part, &part.change, part.change.end()))
    }

    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Ends the current step. The next change begins a new step.
    pub fn seal_step(&mut self) {
        self.history.seal();
    }

    /// Makes `change` in the text of `step`. Moves the editor there, unless the user made the step in a
    /// panel.
    fn travel(&mut self, step: &Step, change: &Change, caret: usize) -> bool {
        let part = self.texts().find(|(_, text)| text.number == step.text).map(|(part, _)| part);
        let file = match part {
            Some(part) => self.text_mut(part),
            None => self.parked.iter_mut().find(|text| text.number == step.text),
        };
        let Some(file) = file else { return false };
        if !change.make(&mut file.text) {
            return false;
        }
        file.edited(change);
        file.caret = file.text.floor_char_boundary(caret);
        self.revision += 1;
        if let Some(part) = part
            && !step.is_setting()
        {
            self.activate(part);
            let caret = self.active().caret;
            self.active_mut().reveal = Some(Reveal::of(Span::at(caret), Focus::Take));
        }
        if part == Some(Part::Scene) {
            self.refresh_scene();
        }
        true
    }

    /// Stores the results of loading `revision` of the texts, unless a later revision is known already.
    pub fn loaded(&mut self, revision: u64, loaded: &Loaded) {
        if self.analysed.is_some_and(|known| known >= revision) {
            return;
        }
        for (slot, compiled) in loaded.iter() {
            if let Some(program) = self.programs.get_mut(slot) {
                program.loaded(compiled);
            }
        }
        self.analysed = Some(revision);
        self.check_scene();
    }

    /// Returns the findings of the last load about every text, moved to their places in the current texts.
    /// Faulty memory accesses of the picture are included while the texts that drew it are unchanged.
    pub fn findings(&self) -> impl Iterator<Item = (Part, &Diagnostic)> {
        let of_texts =
            self.texts().flat_map(|(part, text)| text.diagnostics().iter().map(move |d| (part, d)));
        let shown = self.shown.as_ref().filter(|shown| shown.revision == self.revision);
        let faults = shown.into_iter().flat_map(|shown| &shown.frame.memory.faults);
        of_texts.chain(faults.map(|fault| (Part::Program(fault.slot), &fault.diagnostic)))
    }

    /// Returns the findings about memory, each with the first invocation that caused it.
    pub fn memory_faults(&self) -> impl Iterator<Item = (&Diagnostic, Subject)> {
        let faults = self.shown.iter().flat_map(|shown| &shown.frame.memory.faults);
        faults.filter_map(|fault| Some((&fault.diagnostic, fault.subject?)))
    }

    /// Returns the number of findings of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, d)| d.severity == severity).count()
    }

    /// Returns the number of errors in all texts.
    pub fn error_count(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Returns true if a program has errors and therefore cannot run.
    pub fn has_faulty_program(&self) -> bool {
        self.programs.iter().any(|(_, text)| text.error_count() > 0)
    }

    /// Returns true if [`Self::findings`] are about the current texts.
    pub fn is_analysed(&self) -> bool {
        self.analysed == Some(self.revision)
    }

    /// Returns true if any revision of the texts has been loaded.
    pub fn is_loaded(&self) -> bool {
        self.analysed.is_some()
    }

    /// Returns the program at `slot` as last loaded without errors.
    pub fn program(&self, slot: Slot) -> Option<&Arc<Program>> {
        self.programs.get(slot)?.program()
    }

    /// Returns the line index of the text that the editor shows.
    pub fn lines(&self) -> LineIndex {
        self.active().lines()
    }

    /// Returns the line, from 0, of each instruction of `compiled` in the current text at `slot`.
    pub fn lines_of(&self, slot: Slot, compiled: &Compiled) -> Vec<Option<usize>> {
        let program = compiled.program.iter();
        let spans = program.flat_map(|program| &program.instructions).map(|instruction| instruction.span);
        let placed = match self.program_text(slot) {
            Some(text) => text.placed(&compiled.text, spans),
            None => spans.map(|_| None).collect(),
        };
        placed.into_iter().map(|placed| Some(placed?.line)).collect()
    }

    /// Returns the number of output colours of the fragment program.
    pub fn output_colors(&self) -> u8 {
        let several = self.program(Slot::Fragment).is_some_and(|program| program.options.draw_buffers);
        if several { OUTPUT_COLORS as u8 } else { 1 }
    }

    /// Returns the output colour shown.
    pub fn output_color(&self) -> u8 {
        if self.chosen_color < self.output_colors() { self.chosen_color } else { 0 }
    }

    /// Returns the layer shown.
    pub fn layer(&self) -> u32 {
        let layers = self.scene.layers;
        self.chosen_layer.filter(|layer| *layer < layers.count).unwrap_or(layers.shown)
    }

    /// Returns the instance whose vertices are listed and stepped.
    pub fn instance(&self) -> u32 {
        self.chosen_instance.min(self.scene.instances.saturating_sub(1))
    }

    /// Returns true if the scene has geometry that the camera can orbit.
    pub fn has_mesh(&self) -> bool {
        *self.scene.mesh.source() != MeshSource::Viewport
    }

    /// Returns true if the document has a program for `stage`.
    pub fn has(&self, stage: Stage) -> bool {
        self.programs.get(Slot::first(stage)).is_some()
    }

    /// Returns true if the scene has vertices: a mesh, or anything that a program before the fragment stage
    /// draws.
    pub fn has_vertices(&self) -> bool {
        self.has_mesh() || self.programs.slots().any(Slot::has_vertices)
    }

    /// Returns the last stage that produces primitives. The wireframe shows its output.
    pub fn last_of_primitives(&self) -> Stage {
        let made = [Stage::Geometry, Stage::TessEvaluation].into_iter().find(|stage| self.has(*stage));
        made.unwrap_or(Stage::Vertex)
    }

    /// Records that the text of `scene.toml` is invalid, with the error.
    pub(super) fn mark_unreadable(&mut self, fault: SceneError) {
        self.scene_reads = Reads::No;
        self.mark_scene(vec![(Severity::Error, fault)]);
    }

    /// Records that the text of `scene.toml` is valid, and checks the scene against the programs as last
    /// loaded.
    pub(super) fn mark_read(&mut self) {
        self.scene_reads = Reads::Yes;
        self.check_scene();
    }

    /// Returns the fix of the problem at the caret of the shown text, or else of the first problem in the
    /// caret's line that has a fix.
    pub fn fix_at_caret(&self) -> Option<&Fix> {
        let text = self.active();
        let (caret, line) = (text.caret, text.lines().line_span(text.caret_line()));
        let fixes =
            || text.diagnostics().iter().filter_map(|found| Some((found.span(), found.fix.as_ref()?)));
        let here = fixes().find(|(span, _)| span.start <= caret && caret <= span.end);
        let in_line = || fixes().find(|(span, _)| line.start <= span.start && span.start <= line.end);
        here.or_else(in_line).map(|(_, fix)| fix)
    }

    /// Checks the scene against its programs, and the programs against each other. Does nothing unless the
    /// scene was read from its current text.
    fn check_scene(&mut self) {
        if self.scene_reads == Reads::Yes && self.unread == Unread::Nothing {
            self.check_links();
            let program = |slot| self.program(slot).map(Arc::as_ref);
            let fault = self.scene.check_programs(program).err();
            let fault = fault.map(|fault| (Severity::Error, fault));
            let unknown = match self.has_faulty_program() {
                true => Vec::new(),
                false => self.scene.parameter_warnings(program),
            };
            let warnings = self.scene.warnings.iter().cloned().chain(unknown);
            let warnings = warnings.map(|warning| (Severity::Warning, warning));
            let findings = fault.into_iter().chain(warnings).collect();
            self.mark_scene(findings);
        }
    }

    /// Checks the programs against each other, if all of them are loaded in their current text.
    fn check_links(&mut self) {
        if !self.is_analysed() || self.has_faulty_program() {
            return;
        }
        let interface = |slot| self.programs.get(slot)?.interface();
        let found = session::link_warnings(&self.scene, interface);
        for slot in Slot::SINGLE {
            if let Some(text) = self.programs.get_mut(slot) {
                let own = found.iter().filter(|(of, _)| *of == slot).map(|(_, warning)| warning.clone());
                text.mark_links(own);
            }
        }
    }

    /// Marks errors of `scene.toml` with place and severity.
    fn mark_scene(&mut self, faults: Vec<(Severity, SceneError)>) {
        let end = self.scene_text.text.len();
        let finding = |(severity, fault): (Severity, SceneError)| {
            // An error in another file has no place in `scene.toml`.
            let span = fault.span.filter(|_| fault.file == SCENE_FILE).unwrap_or(Span::at(0));
            let span = Span::new(span.start.min(end), span.end.min(end));
            let code = fault.code();
            let message = if fault.file == SCENE_FILE { fault.message } else { fault.to_string() };
            let error = Diagnostic::new(code, span, message);
            let notes = fault.rule.map(|rule| rule.note.to_owned()).into_iter().collect();
            Diagnostic { severity, notes, fix: fault.fix.map(|fix| *fix), ..error }
        };
        self.scene_text.mark(faults.into_iter().map(finding).collect());
    }
}
