//! Collects the inputs of a program in a draw: parameter values (constants, local, environment and
//! fixed-function state), the textures of its image units, and the choices of its subroutine parameters.

use super::Context;
use super::draw_memory::DrawMemory;
use super::programs::ProgramObject;
use shadestep_core::exec::Bindings;
use shadestep_language::ir::{Components, IMAGE_UNITS, ParameterSource, single_bits};

impl Context {
    /// Parameter values and textures of the program in `object`, with the memory of its draw.
    pub(super) fn bindings(&self, object: &ProgramObject, memory: &DrawMemory) -> Bindings {
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
        let targets = object.program().map_or([None; IMAGE_UNITS], |program| program.textures());
        let textures = std::array::from_fn(|unit| self.texture_on_unit(unit, targets[unit]?));
        let subroutines = self.programs.subroutines(object.target()).to_vec();
        let buffers = self.parameter_buffers(memory, object.target());
        let memory = memory.shared().clone();
        let vertex_limit = object.vertex_limit().unwrap_or(0);
        Bindings { parameters, textures, subroutines, buffers, memory, vertex_limit }
    }
}
