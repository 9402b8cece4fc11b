//! An open scene: its texts, the scene that they make, what was loaded and drawn of it.

use super::history::{History, Step};
use super::scene_text::Unread;
use super::text::{Focus, Reveal, TextFile};
use super::{Cause, Change, Draft, ExportForm, OpenPrograms, Playback, Restored, RestoredText};
use crate::codes;
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

/// Names a document for as long as the app runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u64);

/// One of the texts of a document. Orders as tabs stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A program.
    Program(Slot),
    /// `scene.toml`.
    Scene,
}

impl std::fmt::Display for Part {
    /// The title of its tab.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(slot) => slot.fmt(f),
            Self::Scene => f.write_str("Scene"),
        }
    }
}

/// Names one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId {
    /// The document.
    pub document: DocumentId,
    /// Which of its texts.
    pub part: Part,
}

/// A picture that was drawn, with the values behind it.
pub struct Shown {
    /// Number of the render request that gave it: pictures differ in it.
    pub generation: u64,
    /// Exact values.
    pub frame: Arc<Frame>,
    /// What it was rendered from.
    pub job: Job,
    /// The programs that drew it.
    pub programs: Loaded,
    /// Their texts, as they are noted while they run.
    pub kept: Arc<Draft>,
    /// Revision of the texts that drew it.
    pub revision: u64,
    /// What its vertex programs found.
    pub inputs: FrameInputs,
}

/// How the picture is compared with the pinned one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Compare {
    /// It is not.
    #[default]
    Off,
    /// The pinned one left of this part of the width, 0 to 1.
    Slider(f32),
    /// One after the other.
    Flicker,
}

/// What is shown over the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Edges of what this stage gives, that of vertices or that of primitives.
    pub wireframe: Option<Stage>,
    /// Normals of the vertices.
    pub normals: bool,
}

/// One tab of the editor.
pub struct Document {
    /// Its name.
    pub id: DocumentId,
    /// Grows with every change of a text.
    pub revision: u64,
    /// The revision that was loaded last.
    analysed: Option<u64>,
    /// The scene in force: that of the last text of `scene.toml` that could be read. Its program texts are those on
    /// disk, not the ones here.
    pub scene: Arc<Scene>,
    /// The scene as it was saved last: what controls go back to.
    pub(super) base: Arc<Scene>,
    /// Where its files are, but for those that a person has chosen elsewhere.
    pub(super) own_folder: Folder,
    /// Files from elsewhere by the names that the scene has for them. Saving copies them.
    pub(super) chosen: Arc<BTreeMap<String, PathBuf>>,
    pub(super) scene_text: TextFile,
    pub(super) programs: OpenPrograms,
    /// Programs that the scene does not name any more. Undoing brings them back.
    pub(super) parked: Vec<TextFile>,
    /// Textures and meshes that are loaded before the scene names them.
    pub(super) loaded_ahead: (Vec<SceneTexture>, Vec<SceneMesh>),
    pub(super) unread: Unread,
    scene_reads: Reads,
    front: Front,
    pub(super) history: History,
    next_text: u32,
    /// Expressions over registers whose values are watched while one of its programs is stepped through.
    pub watches: Vec<String>,
    /// What is shown over the picture.
    pub overlays: Overlays,
    /// What is shown in place of its colours.
    pub map: MapChoice,
    /// How the picture is compared with the pinned version.
    pub compare: Compare,
    /// Speed of time and loop range.
    pub playback: Playback,
    /// The last fields of the export dialog.
    pub export: Option<Box<ExportForm>>,
    /// The output colour chosen to be shown; see [`Self::output_color`].
    pub chosen_color: u8,
    /// The layer chosen to be shown; see [`Self::layer`].
    pub chosen_layer: Option<u32>,
    /// The instance chosen to be looked at; see [`Self::instance`].
    pub chosen_instance: u32,
    /// The last good picture.
    pub shown: Option<Shown>,
    /// Why there is no newer picture, other than faults in a text.
    pub render_error: Option<RenderError>,
}

/// What the editor shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Front {
    /// The program in front.
    Program,
    /// `scene.toml`.
    Scene,
}

/// Whether the text of `scene.toml` could be read when that was tried last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Yes,
    No,
}

/// Whether `title` is that of a template: `Untitled`, or with a number.
fn is_untitled(title: &str) -> bool {
    let rest = title.strip_prefix("Untitled").map(str::trim_start);
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

impl Document {
    /// Opens `scene`, the program that matters most in front.
    pub fn new(id: DocumentId, scene: Scene) -> Self {
        // A scene in memory is a template: no file has it.
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

    /// Begins a document with `scene`, none of whose texts is saved anywhere.
    pub fn begun(id: DocumentId, scene: Scene) -> Self {
        let mut document = Self::new(id, scene);
        for text in document.programs.iter_mut() {
            text.begun_with(String::new());
        }
        document
    }

    /// Opens what was kept of a document, its texts as they were.
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

    /// Where the scene's files are, but for those that a person has chosen elsewhere.
    pub fn own_folder(&self) -> &Folder {
        &self.own_folder
    }

    /// The files from elsewhere, by the names that the scene has for them.
    pub fn chosen_files(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.chosen.iter().map(|(name, path)| (&**name, &**path))
    }

    /// Gives every text a number that has none.
    pub(super) fn number_texts(&mut self) {
        for text in self.programs.iter_mut().filter(|text| text.number == 0) {
            text.number = self.next_text;
            self.next_text += 1;
        }
    }

    /// The place of the program in front, which is the one that was so last where the editor shows `scene.toml`.
    pub fn active_slot(&self) -> Slot {
        self.programs.front_slot()
    }

    /// The text that the editor shows.
    pub fn active_part(&self) -> Part {
        match self.front {
            Front::Program => Part::Program(self.active_slot()),
            Front::Scene => Part::Scene,
        }
    }

    /// The text that the editor shows.
    pub fn active(&self) -> &TextFile {
        match self.front {
            Front::Program => self.programs.front(),
            Front::Scene => &self.scene_text,
        }
    }

    /// The same, to change.
    pub fn active_mut(&mut self) -> &mut TextFile {
        match self.front {
            Front::Program => self.programs.front_mut(),
            Front::Scene => &mut self.scene_text,
        }
    }

    /// Name of the text that the editor shows.
    pub fn text_id(&self) -> TextId {
        TextId { document: self.id, part: self.active_part() }
    }

    /// All programs.
    pub fn programs(&self) -> &OpenPrograms {
        &self.programs
    }

    /// The text of `scene.toml`, which is there also where no file holds it yet.
    pub fn scene_text(&self) -> &TextFile {
        &self.scene_text
    }

    /// All texts, in the order of their tabs.
    pub fn texts(&self) -> impl DoubleEndedIterator<Item = (Part, &TextFile)> {
        let programs = self.programs.iter().map(|(slot, text)| (Part::Program(slot), text));
        programs.chain(std::iter::once((Part::Scene, &self.scene_text)))
    }

    /// One of the texts.
    pub fn text(&self, part: Part) -> Option<&TextFile> {
        match part {
            Part::Program(slot) => self.programs.get(slot),
            Part::Scene => Some(&self.scene_text),
        }
    }

    /// The same, to change.
    pub fn text_mut(&mut self, part: Part) -> Option<&mut TextFile> {
        match part {
            Part::Program(slot) => self.programs.get_mut(slot),
            Part::Scene => Some(&mut self.scene_text),
        }
    }

    /// The program at `slot`.
    pub fn program_text(&self, slot: Slot) -> Option<&TextFile> {
        self.programs.get(slot)
    }

    /// Lets the editor show `part`; says whether there is such a text.
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

    /// The programs' texts as they stand.
    pub fn program_texts(&self) -> Programs<Arc<[u8]>> {
        self.programs.map(TextFile::version)
    }

    /// Whether a text is saved at `path`.
    pub fn has_file(&self, path: &Path) -> bool {
        self.texts().any(|(_, text)| text.path() == Some(path))
    }

    /// Every file of the document on disk.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let texts = self.texts().filter_map(|(_, text)| text.path().map(Path::to_path_buf));
        texts.chain(self.scene.watched.iter().cloned())
    }

    /// The file that stands for the whole: `scene.toml`, or that of a lone program.
    pub fn main_file(&self) -> Option<&Path> {
        self.scene_text.path().or_else(|| self.alone()?.1.path())
    }

    /// Short name for the tab.
    pub fn name(&self) -> String {
        match self.alone().and_then(|(_, program)| program.path()?.file_name()) {
            Some(name) => name.to_string_lossy().into_owned(),
            // What began as a template is called after the folder that it was saved in.
            None if self.scene_text.path().is_some() && is_untitled(&self.scene.title) => {
                self.scene.name.clone()
            }
            None => self.scene.title.clone(),
        }
    }

    /// Puts every text back to what the document was opened with, in steps that can be undone.
    pub fn start_over(&mut self) {
        let texts = self.texts().filter(|(_, text)| text.is_modified());
        let mut changed: Vec<(Part, String)> =
            texts.map(|(part, text)| (part, text.saved().to_owned())).collect();
        // The scene first: it says which programs there are.
        changed.sort_by_key(|(part, _)| *part != Part::Scene);
        self.seal_step();
        for (part, text) in changed {
            self.replace(part, &text, Cause::Other);
        }
        self.seal_step();
    }

    /// Whether there are changes that a closed window would lose.
    pub fn is_modified(&self) -> bool {
        self.texts().any(|(_, text)| text.is_modified())
    }

    /// Takes what another program wrote to `path`.
    pub fn disk_changed(&mut self, path: &Path, text: &str) {
        let parts: Vec<Part> =
            self.texts().filter(|(_, file)| file.path() == Some(path)).map(|(part, _)| part).collect();
        for part in parts {
            if self.text_mut(part).is_some_and(|file| file.disk_changed(text)) {
                self.replace(part, text, Cause::Other);
            }
        }
    }

    /// Stands by the texts here, whatever other programs have saved meanwhile.
    pub fn keep_texts(&mut self) {
        for text in self.programs.iter_mut().chain([&mut self.scene_text]) {
            text.changed_on_disk = None;
        }
    }

    /// Takes the file's text in place of the changes in `part`.
    pub fn take_disk_text(&mut self, part: Part) {
        let Some(file) = self.text_mut(part) else { return };
        if let Some(text) = file.changed_on_disk.take() {
            file.begun_with(text.clone());
            self.replace(part, &text, Cause::Other);
        }
    }

    /// Makes `change` in a text, for `cause`. One that is of another text than this is not made.
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

    /// Makes several changes in a text, each of the text as those before have left it, in one step for `cause`.
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

    /// Makes `text` of one of the texts, for `cause`.
    pub fn replace(&mut self, part: Part, text: &str, cause: Cause) {
        if let Some(change) = self.text(part).map(|file| Change::between(&file.text, text)) {
            self.edit(part, change, cause);
        }
    }

    /// Takes the last step back; says whether there was one.
    pub fn undo(&mut self) -> bool {
        let parts = self.history.undo();
        parts.iter().fold(false, |_, part| self.travel(part, &part.change.reversed(), part.caret))
    }

    /// Makes the step that was taken back last again; says whether there was one.
    pub fn redo(&mut self) -> bool {
        let parts = self.history.redo();
        parts.iter().fold(false, |_, part| self.travel(part, &part.change, part.change.end()))
    }

    /// Whether there is a step to take back.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Whether there is a step to make again.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Ends the step under way: the next change is one of its own.
    pub fn seal_step(&mut self) {
        self.history.seal();
    }

    /// Makes `change`, of the text of `step`, and shows it where the person typed it.
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

    /// Takes what loading `revision` of the texts gave, unless a later one is known already.
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

    /// Findings about every text, as of the last time it was loaded, at their places in the texts as they stand; and what was wrong
    /// with accesses to memory in the picture, while the texts that drew it stand.
    pub fn findings(&self) -> impl Iterator<Item = (Part, &Diagnostic)> {
        let of_texts =
            self.texts().flat_map(|(part, text)| text.diagnostics().iter().map(move |d| (part, d)));
        let shown = self.shown.as_ref().filter(|shown| shown.revision == self.revision);
        let faults = shown.into_iter().flat_map(|shown| &shown.frame.memory.faults);
        of_texts.chain(faults.map(|fault| (Part::Program(fault.slot), &fault.diagnostic)))
    }

    /// Those of the findings that are about memory, with the invocation that came to them first.
    pub fn memory_faults(&self) -> impl Iterator<Item = (&Diagnostic, Subject)> {
        let faults = self.shown.iter().flat_map(|shown| &shown.frame.memory.faults);
        faults.filter_map(|fault| Some((&fault.diagnostic, fault.subject?)))
    }

    /// Number of findings of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, d)| d.severity == severity).count()
    }

    /// Number of errors in all texts.
    pub fn error_count(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Whether a program has errors, so that there is nothing to run.
    pub fn has_faulty_program(&self) -> bool {
        self.programs.iter().any(|(_, text)| text.error_count() > 0)
    }

    /// Whether [`Self::findings`] are of the texts as they stand.
    pub fn is_analysed(&self) -> bool {
        self.analysed == Some(self.revision)
    }

    /// Whether the texts have been loaded at all.
    pub fn is_loaded(&self) -> bool {
        self.analysed.is_some()
    }

    /// The program at `slot`, as last loaded without errors.
    pub fn program(&self, slot: Slot) -> Option<&Arc<Program>> {
        self.programs.get(slot)?.program()
    }

    /// Lines of the text that the editor shows.
    pub fn lines(&self) -> LineIndex {
        self.active().lines()
    }

    /// The lines, from 0, that the instructions of `compiled` begin on in the text at `slot` as it stands.
    pub fn lines_of(&self, slot: Slot, compiled: &Compiled) -> Vec<Option<usize>> {
        let program = compiled.program.iter();
        let spans = program.flat_map(|program| &program.instructions).map(|instruction| instruction.span);
        let placed = match self.program_text(slot) {
            Some(text) => text.placed(&compiled.text, spans),
            None => spans.map(|_| None).collect(),
        };
        placed.into_iter().map(|placed| Some(placed?.line)).collect()
    }

    /// How many output colours the fragment program has.
    pub fn output_colors(&self) -> u8 {
        let several = self.program(Slot::Fragment).is_some_and(|program| program.options.draw_buffers);
        if several { OUTPUT_COLORS as u8 } else { 1 }
    }

    /// The output colour shown.
    pub fn output_color(&self) -> u8 {
        if self.chosen_color < self.output_colors() { self.chosen_color } else { 0 }
    }

    /// The layer shown.
    pub fn layer(&self) -> u32 {
        let layers = self.scene.layers;
        self.chosen_layer.filter(|layer| *layer < layers.count).unwrap_or(layers.shown)
    }

    /// The instance whose vertices are listed and stepped through.
    pub fn instance(&self) -> u32 {
        self.chosen_instance.min(self.scene.instances.saturating_sub(1))
    }

    /// Whether there is geometry that can be orbited.
    pub fn has_mesh(&self) -> bool {
        *self.scene.mesh.source() != MeshSource::Viewport
    }

    /// Whether there is a program for `stage`.
    pub fn has(&self, stage: Stage) -> bool {
        self.programs.get(Slot::first(stage)).is_some()
    }

    /// Whether there are vertices: a mesh, or anything else that a program before fragments draws.
    pub fn has_vertices(&self) -> bool {
        self.has_mesh() || self.programs.slots().any(Slot::has_vertices)
    }

    /// The last stage that gives primitives, which the wireframe shows.
    pub fn last_of_primitives(&self) -> Stage {
        let made = [Stage::Geometry, Stage::TessEvaluation].into_iter().find(|stage| self.has(*stage));
        made.unwrap_or(Stage::Vertex)
    }

    /// Notes that the text of `scene.toml` cannot be read, and why.
    pub(super) fn mark_unreadable(&mut self, fault: SceneError) {
        self.scene_reads = Reads::No;
        self.mark_scene(vec![(Severity::Error, fault)]);
    }

    /// Notes that it could be read, and whether the programs as last loaded have what it asks of them.
    pub(super) fn mark_read(&mut self) {
        self.scene_reads = Reads::Yes;
        self.check_scene();
    }

    /// The fix of the problem at the caret of the text shown, or of the first one in its line that has one.
    pub fn fix_at_caret(&self) -> Option<&Fix> {
        let text = self.active();
        let (caret, line) = (text.caret, text.lines().line_span(text.caret_line()));
        let fixes =
            || text.diagnostics().iter().filter_map(|found| Some((found.span(), found.fix.as_ref()?)));
        let here = fixes().find(|(span, _)| span.start <= caret && caret <= span.end);
        let in_line = || fixes().find(|(span, _)| line.start <= span.start && span.start <= line.end);
        here.or_else(in_line).map(|(_, fix)| fix)
    }

    /// Looks at what the scene asks of its programs, and at the programs together, where its text is the one
    /// that was read.
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

    /// Looks at the programs together, where all of them have been loaded as they stand.
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

    /// What is wrong with `scene.toml`, at its place, and how bad that is.
    fn mark_scene(&mut self, faults: Vec<(Severity, SceneError)>) {
        let end = self.scene_text.text.len();
        let finding = |(severity, fault): (Severity, SceneError)| {
            // A fault of another file has no place in this one.
            let span = fault.span.filter(|_| fault.file == SCENE_FILE).unwrap_or(Span::at(0));
            let span = Span::new(span.start.min(end), span.end.min(end));
            let message = if fault.file == SCENE_FILE { fault.message } else { fault.to_string() };
            let code = fault.rule.map_or(codes::SCENE, |rule| rule.code);
            let error = Diagnostic::new(code, span, message);
            let notes = fault.rule.map(|rule| rule.note.to_owned()).into_iter().collect();
            Diagnostic { severity, notes, fix: fault.fix.map(|fix| *fix), ..error }
        };
        self.scene_text.mark(faults.into_iter().map(finding).collect());
    }
}
