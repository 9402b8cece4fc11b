//! What a person changes of a scene beside its parameters and camera: tracks, state and inputs of state
//! programs. Plain data, laid over the scene for every frame and never written to `scene.toml`.

use crate::scene::{CompareFunc, Component, LightingSetting, MatrixName, MatrixSource, Scene, Track};
use shadestep_engine::gl::Matrix;
use shadestep_engine::pipeline::{Blend, CullFace, FrontFace, PolygonMode, RasterState, ShadeModel};
use std::collections::BTreeMap;
use std::mem::discriminant;

/// One thing that a draw fixes, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StateSetting {
    /// Clip distances that are enabled, bit 0 for the first.
    ClipDistances(u8),
    /// Culling.
    Cull(Option<CullFace>),
    /// Which way round is the front.
    FrontFace(FrontFace),
    /// Polygon modes of front and back.
    PolygonMode([PolygonMode; 2]),
    /// Flat or smooth colours.
    ShadeModel(ShadeModel),
    /// Back colours for back faces.
    TwoSide(bool),
    /// Point size in pixels.
    PointSize(f32),
    /// Point sizes come from the program.
    ProgramPointSize(bool),
    /// Points are sprites.
    PointSprite(bool),
    /// Line width in pixels.
    LineWidth(f32),
    /// The depth test.
    DepthTest(Option<CompareFunc>),
    /// Whether depths are written.
    DepthWrite(bool),
    /// Blending.
    Blend(Option<Blend>),
}

impl StateSetting {
    /// Puts the value into `state`.
    pub fn apply(self, state: &mut RasterState) {
        match self {
            Self::ClipDistances(bits) => state.clip_distances = bits,
            Self::Cull(face) => state.cull = face,
            Self::FrontFace(direction) => state.front_face = direction,
            Self::PolygonMode(modes) => state.polygon_mode = modes,
            Self::ShadeModel(model) => state.shade_model = model,
            Self::TwoSide(on) => state.two_side = on,
            Self::PointSize(size) => state.point.size = size,
            Self::ProgramPointSize(on) => state.point.from_program = on,
            Self::PointSprite(on) => state.point.sprite = on,
            Self::LineWidth(width) => state.line_width = width,
            Self::DepthTest(func) => state.depth.test = func,
            Self::DepthWrite(on) => state.depth.write = on,
            Self::Blend(blend) => state.blend = blend,
        }
    }

    /// Whether both are about the same thing.
    pub fn is_about(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other)
    }
}

/// What lies over a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneOverrides {
    /// Tracks in place of the scene's.
    pub tracks: Option<Vec<Track>>,
    /// Texture and tracking matrices.
    pub matrices: BTreeMap<MatrixName, Matrix>,
    /// Lighting, each thing at most once.
    lighting: Vec<LightingSetting>,
    /// `v[0]` of state programs, by their place.
    pub state_inputs: BTreeMap<u8, [Component; 4]>,
    /// State, each thing at most once.
    state: Vec<StateSetting>,
}

impl SceneOverrides {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes `setting` in place of what was set of the same thing.
    pub fn set_state(&mut self, setting: StateSetting) {
        self.reset_state(&setting);
        self.state.push(setting);
    }

    /// Gives the thing that `setting` is about, whatever its value, the scene's value again.
    pub fn reset_state(&mut self, setting: &StateSetting) {
        self.state.retain(|other| !other.is_about(setting));
    }

    /// Whether the thing that `setting` is about is set by hand.
    pub fn has_state(&self, setting: &StateSetting) -> bool {
        self.state.iter().any(|other| other.is_about(setting))
    }

    /// Takes `setting` in place of what was set of the same thing.
    pub fn set_lighting(&mut self, setting: LightingSetting) {
        self.reset_lighting(&setting);
        self.lighting.push(setting);
    }

    /// Gives the thing that `setting` is about the scene's value again.
    pub fn reset_lighting(&mut self, setting: &LightingSetting) {
        self.lighting.retain(|other| !other.is_about(setting));
    }

    /// Whether the thing that `setting` is about is set by hand.
    pub fn has_lighting(&self, setting: &LightingSetting) -> bool {
        self.lighting.iter().any(|other| other.is_about(setting))
    }

    /// The lighting in force: the scene's with what is set by hand in its place, or behind it.
    pub fn lighting(&self, scene: &Scene) -> Vec<LightingSetting> {
        let mut settings = scene.lighting.clone();
        for by_hand in &self.lighting {
            match settings.iter_mut().find(|setting| setting.is_about(by_hand)) {
                Some(setting) => *setting = *by_hand,
                None => settings.push(*by_hand),
            }
        }
        settings
    }

    /// The state in force over that of the scene.
    pub fn raster(&self, scene: &Scene) -> RasterState {
        let mut state = scene.raster;
        for setting in &self.state {
            setting.apply(&mut state);
        }
        state
    }

    /// The tracks in force.
    pub fn tracks<'a>(&'a self, scene: &'a Scene) -> &'a [Track] {
        self.tracks.as_deref().unwrap_or(&scene.tracks)
    }

    /// `v[0]` of state program `n`.
    pub fn state_input(&self, scene: &Scene, n: u8) -> [Component; 4] {
        self.state_inputs.get(&n).copied().unwrap_or_else(|| scene.state_input(n))
    }

    /// Moves what is set of state programs up, as they do when program `n` is taken out.
    pub fn state_program_removed(&mut self, n: u8) {
        let before = std::mem::take(&mut self.state_inputs);
        let kept = before.into_iter().filter(|(place, _)| *place != n);
        self.state_inputs = kept.map(|(place, value)| (place - u8::from(place > n), value)).collect();
    }

    /// `scene` with all of it.
    pub fn over(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        scene.raster = self.raster(&scene);
        scene.lighting = self.lighting(&scene);
        if let Some(tracks) = &self.tracks {
            scene.tracks.clone_from(tracks);
        }
        scene.matrices.retain(|(name, _)| !self.matrices.contains_key(name));
        let matrices = self.matrices.iter().map(|(name, matrix)| (*name, MatrixSource::Constant(*matrix)));
        scene.matrices.extend(matrices);
        for (n, value) in &self.state_inputs {
            let n = usize::from(*n);
            while scene.state_inputs.len() <= n {
                scene.state_inputs.push(crate::scene::DEFAULT_STATE_INPUT);
            }
            scene.state_inputs[n] = *value;
        }
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MatrixName, MatrixTransform};

    fn scene() -> Scene {
        Scene::for_program("t.vp", None, *b"!!VP1.1\nEND\n")
    }

    #[test]
    fn each_thing_is_set_once_and_reset_alone() {
        let scene = scene();
        let mut overrides = SceneOverrides::default();
        overrides.set_state(StateSetting::ClipDistances(1));
        overrides.set_state(StateSetting::Cull(Some(CullFace::Back)));
        overrides.set_state(StateSetting::ClipDistances(5));
        let state = overrides.raster(&scene);
        assert_eq!((state.clip_distances, state.cull), (5, Some(CullFace::Back)));
        assert_eq!(state.depth, scene.raster.depth, "the rest is the scene's");
        overrides.reset_state(&StateSetting::ClipDistances(0));
        assert!(!overrides.has_state(&StateSetting::ClipDistances(5)));
        assert_eq!(overrides.raster(&scene).clip_distances, scene.raster.clip_distances);
        overrides.reset_state(&StateSetting::Cull(None));
        assert!(overrides.is_empty());
    }

    #[test]
    fn the_scene_itself_stays_as_it_is() {
        let scene = scene();
        let track =
            Track { register: 20, matrix: MatrixName::Projection, transform: MatrixTransform::Inverse };
        let mut overrides = SceneOverrides { tracks: Some(vec![track]), ..SceneOverrides::default() };
        overrides.state_inputs.insert(2, [Component::Constant(4.0); 4]);
        let matrix = Matrix::scaling([2.0, 3.0, 4.0]);
        overrides.matrices.insert(MatrixName::Tracking(3), matrix);
        let over = overrides.over(&scene);
        assert_eq!(over.tracks, [track]);
        let by_hand = (MatrixName::Tracking(3), MatrixSource::Constant(matrix));
        assert_eq!(over.matrices, std::slice::from_ref(&by_hand));
        assert_eq!(overrides.over(&over).matrices, [by_hand], "in place of the scene's");
        assert_eq!(over.state_input(2), [Component::Constant(4.0); 4]);
        assert_eq!(over.state_input(1), scene.state_input(1));
        assert_eq!(scene.tracks, crate::scene::DEFAULT_TRACKS);
        overrides.state_program_removed(0);
        assert_eq!(overrides.state_input(&scene, 1), [Component::Constant(4.0); 4]);
        overrides.state_program_removed(1);
        assert!(overrides.state_inputs.is_empty());
    }
}
