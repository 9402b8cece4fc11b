//! An open program: its text, the scene it runs in, breakpoints, what loading and rendering it gave.

use crate::scene::{
    Camera, Component, ImageSource, MeshSource, ParameterKey, Scene, SceneTexture, TextureSpec,
};
use crate::session::{Compiled, Frame, Job, RenderError};
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::ir::{ParameterSource, Program, TextureTarget};
use shadestep_engine::source::{LineIndex, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Names a document for as long as the app runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u64);

/// A picture on the screen with the values behind it.
pub struct Shown {
    /// Exact values.
    pub frame: Arc<Frame>,
    /// What it was rendered from.
    pub job: Job,
    /// The program that drew it.
    pub compiled: Arc<Compiled>,
    /// Revision of the text that drew it.
    pub revision: u64,
    /// Its form on the screen.
    pub texture: egui::TextureHandle,
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
    /// The text as it stands.
    pub text: String,
    /// Grows with every change of the text.
    pub revision: u64,
    saved: String,
    /// The scene it runs in. Its program text is the one on disk, not [`Self::text`].
    pub scene: Arc<Scene>,
    /// Parameters set by hand.
    pub overrides: BTreeMap<ParameterKey, [Component; 4]>,
    /// Camera moved by hand.
    pub camera: Option<Camera>,
    /// Width and height rendered.
    pub size: [u32; 2],
    /// Lines, from 0, that a run stops at.
    pub breakpoints: BTreeSet<usize>,
    /// What loading the text gave, with the revision it is of.
    pub compiled: Option<(u64, Arc<Compiled>)>,
    /// Findings, moved along with the text until it is loaded again.
    marks: Vec<Diagnostic>,
    /// The last good picture.
    pub shown: Option<Shown>,
    /// Why there is no newer picture, other than faults in the program.
    pub render_error: Option<RenderError>,
    /// Where to move to in the next frame.
    pub reveal: Option<Reveal>,
    /// Byte offset of the caret.
    pub caret: usize,
    /// Text of the file after another program changed it while there were unsaved changes here.
    pub changed_on_disk: Option<String>,
}

impl Document {
    /// Opens the program of `scene`.
    pub fn new(id: DocumentId, scene: Scene) -> Self {
        let text = String::from_utf8_lossy(&scene.program.text).into_owned();
        Self {
            id,
            saved: text.clone(),
            text,
            revision: 1,
            size: scene.size,
            scene: Arc::new(scene),
            overrides: BTreeMap::new(),
            camera: None,
            breakpoints: BTreeSet::new(),
            compiled: None,
            marks: Vec::new(),
            shown: None,
            render_error: None,
            reveal: None,
            caret: 0,
            changed_on_disk: None,
        }
    }

    /// Where the program is on disk, if anywhere.
    pub fn path(&self) -> Option<&Path> {
        self.scene.program.path.as_deref()
    }

    /// The texture that the scene has for `target` on `unit`.
    pub fn texture(&self, unit: u8, target: TextureTarget) -> Option<&SceneTexture> {
        self.scene.textures.iter().find(|t| t.spec().unit == unit && t.spec().target == target)
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
        self.text != self.saved
    }

    /// Takes `text` as what the disk holds.
    pub fn mark_saved(&mut self, text: String, path: PathBuf) {
        self.saved = text;
        self.changed_on_disk = None;
        if self.scene.program.path.as_deref() != Some(&path) {
            let scene = Arc::make_mut(&mut self.scene);
            scene.program.name =
                path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            scene.title.clone_from(&scene.program.name);
            scene.watched.push(path.clone());
            scene.program.path = Some(path);
        }
    }

    /// Takes what another program wrote to the file: as the text, where nothing here would be lost.
    pub fn disk_changed(&mut self, text: String) {
        if text == self.saved || text == self.text {
            self.saved = text;
            self.changed_on_disk = None;
        } else if self.is_modified() {
            self.changed_on_disk = Some(text);
        } else {
            self.replace_with_disk(text);
        }
    }

    /// Takes `text`, the file's, in place of what is here.
    pub fn replace_with_disk(&mut self, text: String) {
        let before = std::mem::replace(&mut self.text, text.clone());
        self.saved = text;
        self.changed_on_disk = None;
        self.edited(&before);
    }

    /// To be called after every change of the text, with the text before.
    pub fn edited(&mut self, before: &str) {
        self.revision += 1;
        self.shift_breakpoints(before);
        let edit = Edit::between(before.as_bytes(), self.text.as_bytes());
        for diagnostic in &mut self.marks {
            for label in &mut diagnostic.labels {
                label.span = edit.moved(label.span);
            }
            if let Some(fix) = &mut diagnostic.fix {
                fix.span = edit.moved(fix.span);
            }
        }
    }

    /// Takes what loading `revision` of the text gave.
    pub fn loaded(&mut self, revision: u64, compiled: Arc<Compiled>) {
        if revision == self.revision {
            self.marks.clone_from(&compiled.diagnostics);
        }
        self.compiled = Some((revision, compiled));
    }

    /// Keeps breakpoints at their instructions when lines come and go above them.
    fn shift_breakpoints(&mut self, before: &str) {
        if self.breakpoints.is_empty() {
            return;
        }
        let lines = |text: &str| text.bytes().filter(|&b| b == b'\n').count();
        let (old_lines, new_lines) = (lines(before), lines(&self.text));
        if old_lines == new_lines {
            return;
        }
        let same = before.bytes().zip(self.text.bytes()).take_while(|(a, b)| a == b).count();
        // A break inserted at the very start of a line moves that line down.
        let first = before.as_bytes()[..same].iter().filter(|&&b| b == b'\n').count();
        let at_line_start = same == 0 || before.as_bytes()[same - 1] == b'\n';
        let first_moved = if at_line_start { first } else { first + 1 };
        let moved = std::mem::take(&mut self.breakpoints).into_iter().filter_map(|line| {
            if line < first_moved {
                Some(line)
            } else if new_lines > old_lines {
                Some(line + (new_lines - old_lines))
            } else {
                line.checked_sub(old_lines - new_lines).filter(|&line| line >= first)
            }
        });
        self.breakpoints = moved.collect();
    }

    /// Findings about the text, as of the last time it was loaded, at their places in the text as it
    /// stands: marks neither vanish nor jump while a person types.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.marks
    }

    /// Number of errors among them.
    pub fn error_count(&self) -> usize {
        self.diagnostics().iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Whether [`Self::diagnostics`] are of the text as it stands.
    pub fn is_analysed(&self) -> bool {
        self.compiled.as_ref().is_some_and(|(revision, _)| *revision == self.revision)
    }

    /// The program as last loaded without errors for the text as it stands, or else the last good one.
    pub fn program(&self) -> Option<&Arc<Program>> {
        let current = self.compiled.as_ref().and_then(|(_, compiled)| compiled.program.as_ref());
        current.or_else(|| self.shown.as_ref().and_then(|shown| shown.compiled.program.as_ref()))
    }

    /// Lines of the text.
    pub fn lines(&self) -> LineIndex {
        LineIndex::new(self.text.as_bytes())
    }

    /// The camera in force.
    pub fn camera(&self) -> Camera {
        self.camera.unwrap_or(self.scene.camera)
    }

    /// Whether there is a mesh that can be orbited.
    pub fn has_mesh(&self) -> bool {
        *self.scene.mesh.source() != MeshSource::Viewport
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
    pub fn depends_on(&self, wanted: impl Fn(crate::scene::AutoSource) -> bool) -> bool {
        let Some(program) = self.program() else { return false };
        program.parameters.iter().filter_map(|p| parameter_key(&p.source)).any(|(key, initial)| {
            self.parameter(&key, initial)
                .iter()
                .any(|c| matches!(c, Component::Auto(source) if wanted(*source)))
        })
    }
}

/// One change of a text: the bytes between a common start and a common end.
struct Edit {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Edit {
    fn between(old: &[u8], new: &[u8]) -> Self {
        let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - start;
        let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        Self { start, old_end: old.len() - tail, new_end: new.len() - tail }
    }

    /// Where `span` of the old text lies in the new one.
    fn moved(&self, span: Span) -> Span {
        let at = |offset: usize| {
            if offset <= self.start {
                offset
            } else if offset >= self.old_end {
                offset - self.old_end + self.new_end
            } else {
                self.start
            }
        };
        let start = at(span.start);
        Span::new(start, at(span.end).max(start))
    }
}

/// The key of a parameter that can be set, with its value until then; `None` for constants.
pub fn parameter_key(source: &ParameterSource) -> Option<(ParameterKey, [f32; 4])> {
    match source {
        ParameterSource::Constant(_) => None,
        ParameterSource::Named { name, initial } => Some((ParameterKey::Named(name.clone()), *initial)),
        ParameterSource::Numbered(n) => Some((ParameterKey::Numbered(*n), [0.0; 4])),
        ParameterSource::Register(n) => Some((ParameterKey::Register(*n), [0.0; 4])),
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

    fn edit(document: &mut Document, text: &str) {
        let before = std::mem::replace(&mut document.text, text.to_owned());
        document.edited(&before);
    }

    #[test]
    fn breakpoints_stay_with_their_lines() {
        let mut d = document("a\nb\nc\nd\n");
        d.breakpoints = [1, 3].into();
        edit(&mut d, "new\na\nb\nc\nd\n");
        assert_eq!(d.breakpoints, [2, 4].into());
        edit(&mut d, "new\na\nb\nextra\nc\nd\n");
        assert_eq!(d.breakpoints, [2, 5].into());
        edit(&mut d, "new\na\nb changed\nextra\nc\nd\n");
        assert_eq!(d.breakpoints, [2, 5].into());
        edit(&mut d, "a\nb changed\nextra\nc\nd\n");
        assert_eq!(d.breakpoints, [1, 4].into());
    }

    #[test]
    fn marks_move_with_the_text() {
        let moved = |old: &str, new: &str, span| Edit::between(old.as_bytes(), new.as_bytes()).moved(span);
        let word = Span::new(4, 7);
        assert_eq!(moved("MOV FOO;", "# MOV FOO;", word), Span::new(6, 9));
        assert_eq!(moved("MOV FOO;", "MOV FOO; # x", word), word);
        assert_eq!(moved("MOV FOO;", "MOV FOXO;", word), Span::new(4, 8));
        assert_eq!(moved("MOV FOO;", "MOV ;", word), Span::new(4, 4));
        assert_eq!(moved("MOV FOO;", "", word), Span::at(0));
    }

    #[test]
    fn disk_changes_never_overwrite_unsaved_ones() {
        let mut d = document("a\n");
        d.disk_changed("b\n".to_owned());
        assert_eq!((d.text.as_str(), d.is_modified()), ("b\n", false));
        edit(&mut d, "mine\n");
        d.disk_changed("theirs\n".to_owned());
        assert_eq!(d.text, "mine\n");
        assert_eq!(d.changed_on_disk.as_deref(), Some("theirs\n"));
        d.replace_with_disk("theirs\n".to_owned());
        assert_eq!((d.text.as_str(), d.is_modified()), ("theirs\n", false));
    }

    #[test]
    fn p0_is_time_and_size_unless_set() {
        let mut d = document("");
        let key = ParameterKey::Numbered(0);
        assert_eq!(d.parameter(&key, [0.0; 4])[3], Component::Constant(1.0));
        d.overrides.insert(key.clone(), [Component::Constant(2.0); 4]);
        assert_eq!(d.parameter(&key, [0.0; 4])[3], Component::Constant(2.0));
    }
}
