//! The values that a program's parameters have in a draw.

use super::Context;
use super::programs::ProgramObject;
use crate::exec::Bindings;
use crate::ir::ParameterSource;

impl Context {
    /// Values of the parameters of the program that `object` contains, and the textures bound.
    pub(super) fn bindings(&self, object: &ProgramObject) -> Bindings {
        let environment = self.environment(object.target());
        let listed = object.program().map_or(&[][..], |program| &program.parameters);
        let mut parameters = object.values().to_vec();
        for (value, parameter) in parameters.iter_mut().zip(listed) {
            let numbered =
                |list: &[[f32; 4]], number: u16| list.get(usize::from(number)).copied().unwrap_or_default();
            match &parameter.source {
                ParameterSource::Constant(_) | ParameterSource::Named { .. } => {}
                ParameterSource::Local(number) => *value = numbered(&object.locals, *number),
                ParameterSource::Env(number) => *value = numbered(environment, *number),
                ParameterSource::State(state) => *value = self.state_vector(*state),
            }
        }
        Bindings { parameters, textures: self.textures.clone() }
    }
}
