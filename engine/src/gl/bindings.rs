//! Collects what a program reads in a draw: the values of its parameters (constants, local, environment,
//! conventional state) and the textures of its image units, what its subroutine
//! parameters choose.

use std::sync::Arc;

use super::programs::ProgramObject;
use super::{Cap, Context};
use crate::exec::Bindings;
use crate::ir::{Components, ParameterSource, TextureTarget, single_bits};
use crate::texture::{CubeEdges, Texture};

impl Context {
    /// Values of the parameters of the program that `object` contains, and the textures bound.
    pub(super) fn bindings(&self, object: &ProgramObject) -> Bindings {
        let environment = self.environment(object.target());
        let listed = object.program().map_or(&[][..], |program| &program.parameters);
        let mut parameters = object.values().to_vec();
        for (value, parameter) in parameters.iter_mut().zip(listed) {
            let numbered =
                |list: &[Components], number: u16| list.get(usize::from(number)).copied().unwrap_or_default();
            match &parameter.source {
                ParameterSource::Constant(_) | ParameterSource::Named { .. } => {}
                ParameterSource::Local(number) => *value = numbered(&object.locals, *number),
                ParameterSource::Env(number) => *value = numbered(environment, *number),
                ParameterSource::State(state) => *value = single_bits(self.state_vector(*state)),
            }
        }
        let textures = std::array::from_fn(|unit| self.texture_on_unit(unit));
        let subroutines = self.programs.subroutines(object.target()).to_vec();
        Bindings { parameters, textures, subroutines, ..Bindings::default() }
    }

    /// The texture that an image unit looks up, with the bias of the unit, seamless if all cube maps are.
    pub(super) fn texture_on_unit(&self, unit: usize) -> Option<Arc<Texture>> {
        let texture = self.textures.get(unit)?.as_ref()?;
        let bias = self.conventional.lod_bias(unit);
        let edges = match texture.target() {
            TextureTarget::Cube if self.state.is(Cap::TextureCubeMapSeamless) => CubeEdges::Seamless,
            _ => texture.sampler().cube_edges,
        };
        let is_so = bias == 0.0 && edges == texture.sampler().cube_edges;
        Some(if is_so { texture.clone() } else { Arc::new(texture.on_unit(bias, edges)) })
    }
}
