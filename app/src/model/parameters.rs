//! The inputs of programs that the user can set: parameters, matrices, textures.

use super::Document;
use crate::scene::{
    AutoSource, Component, ImageSource, LightingSetting, MatrixName, MatrixSource, NumberType, ParameterKey,
    ParameterSetting, Scene, SceneTexture, Slot, TextureSpec, Widget, parameter_key,
};
use shadestep_engine::ir::{Parameter, ParameterSource, StateVector, TextureTarget};
use shadestep_engine::isa::Stage;
use std::collections::BTreeSet;

impl Document {
    /// Returns the scene's texture for lookups of `target` on `unit`.
    pub fn texture(&self, unit: u8, target: TextureTarget) -> Option<&SceneTexture> {
        self.scene.textures.iter().find(|t| t.spec().unit == unit && t.spec().target == target.image())
    }

    /// Returns the spec of that texture, or of the default texture if the scene has none.
    pub fn texture_spec(&self, unit: u8, target: TextureTarget) -> TextureSpec {
        let default = || TextureSpec::new(unit, target, ImageSource::Builtin("xor".to_owned()));
        self.texture(unit, target).map_or_else(default, |texture| texture.spec().clone())
    }

    /// Returns true if the scene had a buffer or an image of this name when last saved.
    pub fn had_buffer(&self, name: &str) -> bool {
        self.base.buffers.iter().any(|buffer| buffer.name == name)
    }

    /// Returns true if a program reads the parameter file `c[n]`, as vertex and state programs of NVIDIA's
    /// own languages do. A program that has not loaded yet counts too.
    pub fn has_parameter_file(&self) -> bool {
        let own = |slot| self.program(slot).is_none_or(|program| program.language.profile().files.is_some());
        let reads = |slot| matches!(slot, Slot::Vertex | Slot::State(_));
        self.programs.slots().any(|slot| reads(slot) && own(slot))
    }

    /// Returns the matrices that ARB programs bind.
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

    /// Returns the parameters of all programs that the user can set, each once, with their initial values.
    /// The fragment program's parameters come first.
    pub fn parameters(&self) -> Vec<(ParameterKey, [f32; 4])> {
        let mut found: Vec<(ParameterKey, [f32; 4])> = Vec::new();
        let slots: Vec<Slot> = self.programs.slots().rev().collect();
        for program in slots.into_iter().filter_map(|slot| self.program(slot)) {
            // A program with relative addressing binds its whole parameter file. List only the parameters
            // that are set.
            let relative = program.parameters.len() >= shadestep_engine::ir::limits::VP1_PARAMETERS;
            for (key, initial) in
                program.parameters.iter().filter_map(|p| parameter_key(&p.source, program.stage()))
            {
                let follows = match key {
                    ParameterKey::Register(n) => self.scene.tracks.iter().any(|track| track.covers(n)),
                    _ => false,
                };
                let set = self.scene.parameters.iter().any(|setting| setting.key == key);
                let hidden = relative && matches!(key, ParameterKey::Register(_)) && !set;
                if !follows && !hidden && !found.iter().any(|(other, _)| *other == key) {
                    found.push((key, initial));
                }
            }
        }
        found
    }

    /// Returns the control for a parameter whose default is `initial`. If the scene does not choose one, the
    /// control is a slider when the slider's range covers both the current and the saved value, so the
    /// control does not change while the user sets it. A numbered parameter that the saved scene did not set
    /// can hold any value, so its control is a number field.
    pub fn widget(&self, key: &ParameterKey, initial: [f32; 4]) -> Widget {
        let of = |scene: &Scene| scene.parameters.iter().find(|setting| setting.key == *key).cloned();
        let (now, saved) = (of(&self.scene), of(&self.base));
        if now.as_ref().is_some_and(|setting| setting.value[0].number_type() != NumberType::Float) {
            return Widget::Number;
        }
        if let Some(widget) = now.as_ref().and_then(|setting| setting.widget) {
            return widget;
        }
        let reached = |setting: &ParameterSetting| {
            let constants =
                setting.value[..setting.components].iter().filter_map(|component| match component {
                    Component::Constant(value) => Some(*value),
                    Component::Auto(_) | Component::Int(_) | Component::Uint(_) | Component::Address(..) => {
                        None
                    }
                });
            { constants }.all(|value| (setting.min..=setting.max).contains(&value))
        };
        let numbered = !matches!(key, ParameterKey::Named(_));
        let initial_reached = match &saved {
            Some(saved) => reached(saved),
            None => !numbered && initial.iter().all(|value| (0.0..=1.0).contains(value)),
        };
        if initial_reached && now.as_ref().is_none_or(reached) { Widget::Slider } else { Widget::Number }
    }

    /// Returns true if a parameter can hold integers: a numbered one that a program of a typed language
    /// reads.
    pub fn can_be_integers(&self, key: &ParameterKey) -> bool {
        let typed = |slot| self.program(slot).is_some_and(|program| program.language.profile().typed);
        let is_read = |slot: Slot| match key {
            ParameterKey::Named(_) => false,
            ParameterKey::Numbered(_) | ParameterKey::FragmentEnv(_) => slot == Slot::Fragment,
            ParameterKey::Env(stage, _) | ParameterKey::Local(stage, _) => slot.stage() == *stage,
            ParameterKey::Register(_) | ParameterKey::VertexLocal(_) => {
                matches!(slot, Slot::Vertex | Slot::State(_))
            }
        };
        self.programs.slots().any(|slot| is_read(slot) && typed(slot))
    }

    /// Returns the parameter's name in programs. For a variable that an ARB program declares, the second
    /// string is its binding.
    pub fn parameter_title(&self, key: &ParameterKey) -> (String, Option<String>) {
        for program in self.programs.slots().rev().filter_map(|slot| self.program(slot)) {
            let (stage, language) = (program.stage(), program.language);
            let is_it =
                |p: &&Parameter| parameter_key(&p.source, stage).is_some_and(|(other, _)| other == *key);
            if let Some(parameter) = program.parameters.iter().find(is_it)
                && let Some(binding) = parameter.source.name_in(language)
            {
                let whose = match stage {
                    Stage::Fragment => "",
                    Stage::TessControl => " (tessellation control)",
                    Stage::TessEvaluation => " (tessellation evaluation)",
                    Stage::Geometry => " (geometry)",
                    Stage::Vertex | Stage::VertexState => " (vertex)",
                };
                return match &parameter.name {
                    Some(name) => (name.clone(), Some(format!("{binding}{whose}"))),
                    None if language.profile().declares_variables() => {
                        (binding, Some(whose.trim().to_owned()))
                    }
                    None => (binding, None),
                };
            }
        }
        (key.to_string(), None)
    }

    /// Returns the current components: the scene's setting, or the defaults.
    pub fn parameter(&self, key: &ParameterKey, initial: [f32; 4]) -> [Component; 4] {
        if let Some(setting) = self.scene.parameters.iter().find(|s| s.key == *key) {
            return setting.value;
        }
        default_parameter(key, initial)
    }

    /// Returns true if the picture depends on a source that satisfies `wanted`.
    pub fn depends_on(&self, wanted: impl Fn(AutoSource) -> bool) -> bool {
        let wants = |component: &Component| matches!(component, Component::Auto(source) if wanted(*source));
        if self.parameters().iter().any(|(key, initial)| self.parameter(key, *initial).iter().any(wants)) {
            return true;
        }
        let states = self.programs.slots().filter_map(|slot| match slot {
            Slot::State(n) => Some(self.scene.state_input(n)),
            _ => None,
        });
        // Without a vertex program, the matrices that a scene sets are unused.
        let matrices = self.scene.matrices.iter().flat_map(|(_, source)| source.components());
        let model = MatrixSource::Operations(self.scene.model.clone());
        let lighting = self.scene.lighting.iter().flat_map(LightingSetting::components).copied();
        let matrices = matrices.chain(model.components());
        states.flatten().chain(matrices).chain(lighting).any(|component| wants(&component))
    }
}

/// Returns the default value of a parameter.
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
    use crate::model::DocumentId;
    use crate::scene::{Scene, SceneEdit};

    #[test]
    fn p0_is_time_and_size_unless_set() {
        let mut d = Document::new(DocumentId(1), Scene::for_program("test.fp", None, *b"!!FP1.0\nEND\n"));
        let key = ParameterKey::Numbered(0);
        assert_eq!(d.parameter(&key, [0.0; 4])[3], Component::Constant(1.0));
        d.edit_scene(&SceneEdit::Parameter(key.clone(), [Component::Constant(2.0); 4])).unwrap();
        assert_eq!(d.parameter(&key, [0.0; 4])[3], Component::Constant(2.0));
    }

    #[test]
    fn a_slider_is_for_what_it_reaches() {
        let program = *b"!!FP1.0\nDECLARE small = {0.5, 1, 0, 1};\nDECLARE large = {0.5, 7, 0, 1};\nEND\n";
        let mut d = Document::new(DocumentId(1), Scene::for_program("test.fp", None, program));
        let named = |name: &str| ParameterKey::Named(name.to_owned());
        let (small, large) = ([0.5, 1.0, 0.0, 1.0], [0.5, 7.0, 0.0, 1.0]);
        let set = |d: &mut Document, key: &ParameterKey, value| {
            d.edit_scene(&SceneEdit::Parameter(key.clone(), [Component::Constant(value); 4])).unwrap();
        };
        for (key, initial, before, below, above) in [
            (named("small"), small, Widget::Slider, Widget::Slider, Widget::Number),
            // A parameter that begins with number fields keeps them for every value in between.
            (named("large"), large, Widget::Number, Widget::Number, Widget::Number),
            (ParameterKey::Numbered(3), [0.0; 4], Widget::Number, Widget::Number, Widget::Number),
        ] {
            assert_eq!(d.widget(&key, initial), before, "{key}");
            set(&mut d, &key, 0.25);
            assert_eq!(d.widget(&key, initial), below, "{key}");
            set(&mut d, &key, 2.0);
            assert_eq!(d.widget(&key, initial), above, "{key}");
        }
    }
}
