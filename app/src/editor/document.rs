//! An open scene: the text of each of its programs, what was changed by hand, what rendering it gave.

use super::program_text::Freshness;
use super::{OpenPrograms, ProgramText};
use crate::drafts::{Draft, Restored, RestoredText};
use crate::inputs::SceneOverrides;
use crate::scene::{
    AutoSource, Camera, Component, ImageSource, LightingSetting, MatrixName, MatrixSource, MeshSource,
    ParameterKey, Programs, Scene, SceneTexture, Slot, TextureSpec, Track,
};
use crate::session::{Frame, FrameInputs, Job, Loaded, OUTPUT_COLORS, RenderError};
use crate::viewport::{Overlay, Overlays};
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::ir::{Parameter, ParameterSource, Program, StateVector, TextureTarget};
use shadestep_engine::isa::Stage;
use shadestep_engine::source::{LineIndex, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names a document for as long as the app runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u64);

/// Names the text of one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId {
    /// The document.
    pub document: DocumentId,
    /// The program's place in it.
    pub slot: Slot,
}

/// A picture on the screen with the values behind it.
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
    /// Its form on the screen.
    pub texture: egui::TextureHandle,
    /// What its vertex programs found.
    pub inputs: FrameInputs,
    /// Lines over it.
    pub overlay: Overlay,
}

/// Where to move the caret and scroll to, asked for by another panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reveal {
    /// Bytes to select.
    pub span: Span,
    /// What gets the keyboard.
    pub focus: Focus,
}

/// Whether the editor takes the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// It stays where it is.
    Keep,
    /// The editor takes it.
    Take,
}

/// One tab of the editor.
pub struct Document {
    /// Its name.
    pub id: DocumentId,
    /// Grows with every change of a text.
    pub revision: u64,
    /// The revision that was loaded last.
    analysed: Option<u64>,
    /// The scene. Its program texts are those on disk, not the ones here.
    pub scene: Arc<Scene>,
    programs: OpenPrograms,
    /// Parameters set by hand.
    pub overrides: BTreeMap<ParameterKey, [Component; 4]>,
    /// What else of the scene is set by hand.
    pub scene_overrides: SceneOverrides,
    /// What is shown over the picture.
    pub overlays: Overlays,
    /// Camera moved by hand.
    pub camera: Option<Camera>,
    /// Width and height rendered.
    pub size: [u32; 2],
    /// The output colour chosen to be shown; see [`Self::output_color`].
    pub chosen_color: u8,
    /// The last good picture.
    pub shown: Option<Shown>,
    /// Why there is no newer picture, other than faults in a program.
    pub render_error: Option<RenderError>,
}

impl Document {
    /// Opens the programs of `scene`, the one that matters most in front.
    pub fn new(id: DocumentId, scene: Scene) -> Self {
        let programs = scene.programs.map(|_, file| ProgramText::new(file));
        Self {
            id,
            revision: 1,
            analysed: None,
            programs: OpenPrograms::new(programs, || ProgramText::unsaved(scene.name.clone(), "")),
            size: scene.size,
            chosen_color: 0,
            scene: Arc::new(scene),
            overrides: BTreeMap::new(),
            scene_overrides: SceneOverrides::default(),
            overlays: Overlays::default(),
            camera: None,
            shown: None,
            render_error: None,
        }
    }

    /// Opens what was kept of a document, its texts as they were.
    pub fn restored(id: DocumentId, kept: Restored) -> Self {
        let mut document = Self::new(id, *kept.scene);
        for RestoredText { slot, text, caret, on_disk } in kept.texts {
            if let Some(program) = document.programs.get_mut(slot) {
                program.caret = text.floor_char_boundary(caret);
                program.reveal = Some(Reveal { span: Span::at(program.caret), focus: Focus::Keep });
                program.text = text;
                program.changed_on_disk = on_disk;
            }
        }
        document.activate(kept.front);
        document
    }

    /// The place of the program in front.
    pub fn active_slot(&self) -> Slot {
        self.programs.front_slot()
    }

    /// The program in front.
    pub fn active(&self) -> &ProgramText {
        self.programs.front()
    }

    /// The same, to change.
    pub fn active_mut(&mut self) -> &mut ProgramText {
        self.programs.front_mut()
    }

    /// Name of the text in front.
    pub fn text_id(&self) -> TextId {
        TextId { document: self.id, slot: self.active_slot() }
    }

    /// All programs.
    pub fn programs(&self) -> &OpenPrograms {
        &self.programs
    }

    /// The program at `slot`.
    pub fn program_text(&self, slot: Slot) -> Option<&ProgramText> {
        self.programs.get(slot)
    }

    /// The same, to change.
    pub fn program_text_mut(&mut self, slot: Slot) -> Option<&mut ProgramText> {
        self.programs.get_mut(slot)
    }

    /// Brings the program at `slot` to the front; says whether there is one.
    pub fn activate(&mut self, slot: Slot) -> bool {
        self.programs.bring_to_front(slot)
    }

    /// Adds a program for `stage` and brings it to the front; says whether there was room for one.
    pub fn add_program(&mut self, stage: Stage) -> bool {
        let Some(slot) = self.programs.free(stage) else { return false };
        let name = format!("untitled.{}", slot.extension());
        self.programs.insert(slot, ProgramText::unsaved(name, template(slot, self.has_mesh())));
        self.programs.bring_to_front(slot);
        self.revision += 1;
        if stage != Stage::Fragment {
            Arc::make_mut(&mut self.scene).prepare_for_vertices();
        }
        true
    }

    /// Takes the program at `slot` out. The last one stays.
    pub fn remove_program(&mut self, slot: Slot) {
        if !self.programs.remove(slot) {
            return;
        }
        if let Slot::State(n) = slot {
            self.scene_overrides.state_program_removed(n);
            let inputs = &mut Arc::make_mut(&mut self.scene).state_inputs;
            if usize::from(n) < inputs.len() {
                inputs.remove(usize::from(n));
            }
        }
        self.revision += 1;
    }

    /// The texts as they stand.
    pub fn texts(&self) -> Programs<Arc<[u8]>> {
        self.programs.map(|program| program.text.as_bytes().into())
    }

    /// Whether a program is saved at `path`.
    pub fn has_file(&self, path: &Path) -> bool {
        self.programs.iter().any(|(_, program)| program.path() == Some(path))
    }

    /// Every file of the document on disk.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let programs = self.programs.iter().filter_map(|(_, program)| program.path().map(Path::to_path_buf));
        self.scene.watched.iter().cloned().chain(programs)
    }

    /// The texture that the scene has for lookups of `target` on `unit`.
    pub fn texture(&self, unit: u8, target: TextureTarget) -> Option<&SceneTexture> {
        self.scene.textures.iter().find(|t| t.spec().unit == unit && t.spec().target == target.image())
    }

    /// What that texture is made from; where there is none, the default texture.
    pub fn texture_spec(&self, unit: u8, target: TextureTarget) -> TextureSpec {
        let default = || TextureSpec::new(unit, target, ImageSource::Builtin("xor".to_owned()));
        self.texture(unit, target).map_or_else(default, |texture| texture.spec().clone())
    }

    /// Short name for the tab.
    pub fn name(&self) -> String {
        // A bare program's title is its file name; many scenes call theirs `main.fp`.
        self.scene.title.clone()
    }

    /// Whether there are changes that a closed window would lose.
    pub fn is_modified(&self) -> bool {
        self.programs.iter().any(|(_, program)| program.is_modified())
    }

    /// Takes `text` as what `path` holds of the program at `slot`.
    pub fn mark_saved(&mut self, slot: Slot, text: String, path: PathBuf) {
        let alone = self.programs.count() == 1;
        let Some(program) = self.programs.get_mut(slot) else { return };
        if program.path() != Some(&path) && alone {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            Arc::make_mut(&mut self.scene).title = name;
        }
        program.mark_saved(text, path);
    }

    /// Whether the program at `slot` is one that `scene.toml`, or the bare file, stands for: others are
    /// gone when the scene is opened again.
    pub fn is_in_scene(&self, slot: Slot) -> bool {
        self.scene.programs.get(slot).is_some_and(|file| {
            file.path.is_some() && file.path.as_deref() == self.program_text(slot).and_then(ProgramText::path)
        })
    }

    /// Takes what another program wrote to `path`.
    pub fn disk_changed(&mut self, path: &Path, text: &str) {
        for program in self.programs.iter_mut().filter(|program| program.path() == Some(path)) {
            if let Some(before) = program.disk_changed(text.to_owned()) {
                program.edited(&before);
                self.revision += 1;
            }
        }
    }

    /// Takes the file's text in place of the changes at `slot`.
    pub fn take_disk_text(&mut self, slot: Slot) {
        if let Some(program) = self.programs.get_mut(slot)
            && let Some(text) = program.changed_on_disk.take()
        {
            let before = program.replace_with_disk(text);
            self.edited(slot, &before);
        }
    }

    /// Takes the scene as it was loaded again from disk. Programs that it no longer has go, unless there
    /// are changes in them or no file ever held them.
    pub fn reloaded(&mut self, scene: Scene) {
        for (slot, file) in scene.programs.iter() {
            match self.programs.get_mut(slot) {
                Some(program) => {
                    if let Some(before) =
                        program.disk_changed(String::from_utf8_lossy(&file.text).into_owned())
                    {
                        program.edited(&before);
                    }
                }
                None => {
                    self.programs.insert(slot, ProgramText::new(file));
                }
            }
        }
        let gone: Vec<Slot> = self
            .programs
            .iter()
            .filter(|(slot, p)| scene.programs.get(*slot).is_none() && p.path().is_some() && !p.is_modified())
            .map(|(slot, _)| slot)
            .collect();
        self.scene = Arc::new(scene);
        // From the last on, as state programs move up.
        for slot in gone.into_iter().rev() {
            self.remove_program(slot);
        }
        self.revision += 1;
    }

    /// To be called after every change of a text, with the text before.
    pub fn edited(&mut self, slot: Slot, before: &str) {
        self.revision += 1;
        if let Some(program) = self.programs.get_mut(slot) {
            program.edited(before);
        }
    }

    /// Takes what loading `revision` of the texts gave.
    pub fn loaded(&mut self, revision: u64, loaded: &Loaded) {
        let now = if revision == self.revision { Freshness::Current } else { Freshness::Old };
        for (slot, compiled) in loaded.iter() {
            if let Some(program) = self.programs.get_mut(slot) {
                program.loaded(Arc::clone(compiled), now);
            }
        }
        self.analysed = Some(revision);
    }

    /// Findings about every program, as of the last time it was loaded, at their places in the texts as
    /// they stand.
    pub fn findings(&self) -> impl Iterator<Item = (Slot, &Diagnostic)> {
        self.programs.iter().flat_map(|(slot, program)| program.diagnostics().iter().map(move |d| (slot, d)))
    }

    /// Number of findings of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, d)| d.severity == severity).count()
    }

    /// Number of errors in all programs.
    pub fn error_count(&self) -> usize {
        self.count(Severity::Error)
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

    /// Lines of the text in front.
    pub fn lines(&self) -> LineIndex {
        self.active().lines()
    }

    /// The scene with everything that is set by hand beside parameters and camera, which a job has of its own.
    pub fn scene_in_force(&self) -> Arc<Scene> {
        if self.scene_overrides.is_empty() {
            Arc::clone(&self.scene)
        } else {
            Arc::new(self.scene_overrides.over(&self.scene))
        }
    }

    /// Whether a program reads the parameter file `c[n]`, as vertex and state programs of NVIDIA's own languages do,
    /// or will once it loads.
    pub fn has_parameter_file(&self) -> bool {
        let own = |slot| self.program(slot).is_none_or(|program| !program.language.is_arb());
        self.programs.slots().any(|slot| slot != Slot::Fragment && own(slot))
    }

    /// The matrices that ARB programs bind.
    pub fn matrices_bound(&self) -> BTreeSet<MatrixName> {
        let programs = self.programs.slots().filter_map(|slot| self.program(slot));
        let parameters = programs.flat_map(|program| &program.parameters);
        parameters
            .filter_map(|parameter| match parameter.source {
                ParameterSource::State(StateVector::Matrix { name, .. }) => Some(name.into()),
                _ => None,
            })
            .collect()
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

    /// The tracks in force.
    pub fn tracks(&self) -> &[Track] {
        self.scene_overrides.tracks(&self.scene)
    }

    /// The camera in force.
    pub fn camera(&self) -> Camera {
        self.camera.unwrap_or(self.scene.camera)
    }

    /// Whether there is geometry that can be orbited.
    pub fn has_mesh(&self) -> bool {
        *self.scene.mesh.source() != MeshSource::Viewport
    }

    /// Whether there are vertices: a mesh, or anything else that a vertex program draws.
    pub fn has_vertices(&self) -> bool {
        self.has_mesh() || self.programs.get(Slot::Vertex).is_some()
    }

    /// The parameters of all programs that can be set, each once, with their values until then: those of
    /// the fragment program first.
    pub fn parameters(&self) -> Vec<(ParameterKey, [f32; 4])> {
        let mut found: Vec<(ParameterKey, [f32; 4])> = Vec::new();
        let slots: Vec<Slot> = self.programs.slots().rev().collect();
        for program in slots.into_iter().filter_map(|slot| self.program(slot)) {
            // A program that addresses registers relatively has its whole file: only what is set is of use.
            let relative = program.parameters.len() >= shadestep_engine::ir::limits::VP1_PARAMETERS;
            for (key, initial) in
                program.parameters.iter().filter_map(|p| parameter_key(&p.source, program.language.stage()))
            {
                let follows = match key {
                    ParameterKey::Register(n) => self.tracks().iter().any(|track| track.covers(n)),
                    _ => false,
                };
                let set = self.overrides.contains_key(&key)
                    || self.scene.parameters.iter().any(|setting| setting.key == key);
                let hidden = relative && matches!(key, ParameterKey::Register(_)) && !set;
                if !follows && !hidden && !found.iter().any(|(other, _)| *other == key) {
                    found.push((key, initial));
                }
            }
        }
        found
    }

    /// What programs call a parameter, and beside the variable that an ARB program declares for it its binding.
    pub fn parameter_title(&self, key: &ParameterKey) -> (String, Option<String>) {
        for program in self.programs.slots().rev().filter_map(|slot| self.program(slot)) {
            let (stage, language) = (program.language.stage(), program.language);
            let is_it =
                |p: &&Parameter| parameter_key(&p.source, stage).is_some_and(|(other, _)| other == *key);
            if let Some(parameter) = program.parameters.iter().find(is_it)
                && let Some(binding) = parameter.source.name_in(language)
            {
                let of_vertices = if stage == Stage::Fragment { "" } else { " of vertices" };
                return match &parameter.name {
                    Some(name) => (name.clone(), Some(format!("{binding}{of_vertices}"))),
                    None if language.is_arb() => (binding, Some(of_vertices.trim().to_owned())),
                    None => (binding, None),
                };
            }
        }
        (key.to_string(), None)
    }

    /// The components of a parameter in force: set by hand, by the scene, or by default.
    pub fn parameter(&self, key: &ParameterKey, initial: [f32; 4]) -> [Component; 4] {
        if let Some(value) = self.overrides.get(key) {
            return *value;
        }
        if let Some(setting) = self.scene.parameters.iter().find(|s| s.key == *key) {
            return setting.value;
        }
        default_parameter(key, initial)
    }

    /// Whether the picture depends on any of `sources`.
    pub fn depends_on(&self, wanted: impl Fn(AutoSource) -> bool) -> bool {
        let wants = |component: &Component| matches!(component, Component::Auto(source) if wanted(*source));
        if self.parameters().iter().any(|(key, initial)| self.parameter(key, *initial).iter().any(wants)) {
            return true;
        }
        let states = self.programs.slots().filter_map(|slot| match slot {
            Slot::State(n) => Some(self.scene_overrides.state_input(&self.scene, n)),
            _ => None,
        });
        // Without a vertex program the matrices that a scene sets are not looked at.
        let matrices = self.scene.matrices.iter().flat_map(|(_, source)| source.components());
        let model = MatrixSource::Operations(self.scene.model.clone());
        let lighting = self.scene_overrides.lighting(&self.scene);
        let lighting = lighting.iter().flat_map(LightingSetting::components).collect::<Vec<_>>();
        let matrices = matrices.chain(model.components());
        states.flatten().chain(matrices).chain(lighting).any(|component| wants(&component))
    }
}

/// What an added program begins as.
fn template(slot: Slot, has_mesh: bool) -> &'static str {
    match slot {
        Slot::Vertex if has_mesh => include_str!("templates/mesh.vp"),
        Slot::Vertex => include_str!("templates/viewport.vp"),
        Slot::State(_) => include_str!("templates/state.vsp"),
        Slot::Fragment => include_str!("templates/fragment.fp"),
    }
}

/// The key of a parameter that can be set, with its value until then; `None` for constants.
pub fn parameter_key(source: &ParameterSource, stage: Stage) -> Option<(ParameterKey, [f32; 4])> {
    let of_fragments = stage == Stage::Fragment;
    match source {
        ParameterSource::Constant(_) | ParameterSource::State(_) => None,
        ParameterSource::Named { name, initial } => Some((ParameterKey::Named(name.clone()), *initial)),
        ParameterSource::Local(n) if of_fragments => Some((ParameterKey::Numbered(*n), [0.0; 4])),
        ParameterSource::Local(n) => Some((ParameterKey::VertexLocal(*n), [0.0; 4])),
        ParameterSource::Env(n) if of_fragments => Some((ParameterKey::FragmentEnv(*n), [0.0; 4])),
        ParameterSource::Env(n) => Some((ParameterKey::Register(*n), [0.0; 4])),
    }
}

/// What the default scene gives a parameter.
pub fn default_parameter(key: &ParameterKey, initial: [f32; 4]) -> [Component; 4] {
    use crate::scene::AutoSource::{Height, Time, Width};
    match key {
        ParameterKey::Numbered(0) => {
            [Component::Auto(Time), Component::Auto(Width), Component::Auto(Height), Component::Constant(1.0)]
        }
        _ => initial.map(Component::Constant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::new(DocumentId(1), Scene::for_program("test.fp", None, text.as_bytes()))
    }

    #[test]
    fn p0_is_time_and_size_unless_set() {
        let mut d = document("");
        let key = ParameterKey::Numbered(0);
        assert_eq!(d.parameter(&key, [0.0; 4])[3], Component::Constant(1.0));
        d.overrides.insert(key.clone(), [Component::Constant(2.0); 4]);
        assert_eq!(d.parameter(&key, [0.0; 4])[3], Component::Constant(2.0));
    }

    #[test]
    fn programs_are_added_and_taken_out_each_with_a_text_of_its_own() {
        let mut d = document("!!FP1.0\nEND\n");
        assert!(d.add_program(Stage::Vertex) && d.add_program(Stage::VertexState));
        assert!(!d.add_program(Stage::Vertex), "there is one already");
        assert_eq!(d.programs().slots().collect::<Vec<_>>(), [Slot::Vertex, Slot::State(0), Slot::Fragment]);
        assert_eq!(d.active_slot(), Slot::State(0));
        assert!(d.active().text.starts_with("!!VSP1.0"));
        assert_eq!(d.scene.tracks, crate::scene::DEFAULT_TRACKS);
        d.active_mut().caret = 3;
        assert!(d.activate(Slot::Fragment));
        assert_eq!((d.active().caret, d.active().text.as_str()), (0, "!!FP1.0\nEND\n"));
        assert!(d.is_modified() && !d.active().is_modified());
        d.remove_program(Slot::Vertex);
        d.remove_program(Slot::Fragment);
        d.remove_program(Slot::State(0));
        assert_eq!(d.programs().slots().collect::<Vec<_>>(), [Slot::State(0)], "the last one stays");
        assert_eq!(d.active_slot(), Slot::State(0));
    }

    #[test]
    fn a_scene_loaded_again_brings_and_takes_programs() {
        let with_path =
            |text: &str, path: &str| Scene::for_program(path, Some(Path::new(path)), text.as_bytes());
        let mut scene = with_path("!!FP1.0\nEND\n", "a.fp");
        let vertex = with_path("!!VP1.1\nEND\n", "a.vp").programs.get(Slot::Vertex).cloned().unwrap();
        let alone = scene.clone();
        scene.programs.insert(Slot::Vertex, vertex);
        let mut d = Document::new(DocumentId(1), alone.clone());
        d.reloaded(scene.clone());
        assert_eq!(d.programs().count(), 2);
        assert!(d.has_file(Path::new("a.vp")) && d.is_in_scene(Slot::Vertex));
        d.reloaded(alone.clone());
        assert_eq!(d.programs().count(), 1);
        d.reloaded(scene);
        d.program_text_mut(Slot::Vertex).unwrap().text.push('#');
        d.reloaded(alone);
        assert_eq!(d.programs().count(), 2, "changes are not thrown away");
    }
}
