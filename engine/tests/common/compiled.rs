//! A program that tests run many times.

use std::cell::OnceCell;
use std::sync::Arc;

use shadestep_core::exec::{AttributeLanes, Bindings, Compared, Executable, Inspection, Shader};
use shadestep_engine::ir::Program;

/// A program, compiled once for all its runs.
pub struct Compiled {
    pub program: Arc<Program>,
    executable: OnceCell<Arc<Executable>>,
    compared: OnceCell<Compared>,
}

impl Compiled {
    pub fn new(program: Program) -> Self {
        Self { program: Arc::new(program), executable: OnceCell::new(), compared: OnceCell::new() }
    }

    /// The program with these bindings, for the back end in use.
    pub fn shader(&self, bindings: Bindings) -> Shader {
        let executable = self.executable.get_or_init(|| Arc::new(Executable::new(self.program.clone())));
        Shader::new(executable.clone(), bindings)
    }

    /// The program on each back end that tests compare, with the back end's name.
    pub fn inspections(
        &self,
        bindings: &Bindings,
        inputs: &AttributeLanes,
    ) -> Vec<(&'static str, Inspection)> {
        self.compared.get_or_init(|| Compared::new(&self.program)).inspections(bindings, inputs)
    }
}
