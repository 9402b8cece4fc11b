//! The inputs of a frame's vertex programs: the matrices, and the parameter file after the state programs.
//! For display only; the draw does not use this module.

use super::{Loaded, context};
use crate::scene::{MatrixName, Slot};
use shadestep_engine::gl::{Context, Matrix};
use shadestep_engine::ir::{Element, Indirect, ParamId, ParameterSource, Program, Source, Target, limits};

/// Number of registers of the parameter file.
pub const REGISTERS: usize = limits::VP2_PARAMETERS;

/// Matrices and parameter file of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameInputs {
    /// Every matrix that can be tracked.
    pub matrices: Vec<(MatrixName, Matrix)>,
    /// `c[0]` to `c[255]` as the vertex program reads them.
    pub registers: Box<[[f32; 4]; REGISTERS]>,
    /// The last state program that writes each register.
    pub written_by: Box<[Option<u8>; REGISTERS]>,
    /// True for each register that an instruction of a vertex or state program names as a source.
    pub read: Box<[bool; REGISTERS]>,
    /// True if a program also reads registers with relative addressing.
    pub relative: bool,
}

impl FrameInputs {
    /// Reads the inputs of `programs` from `context`, which is set up for a frame.
    pub(super) fn new(context: &Context, programs: &Loaded) -> Self {
        let mut inputs = Self {
            matrices: MatrixName::all()
                .filter_map(|name| Some((name, context.matrix(context::tracked(name))?)))
                .collect(),
            registers: Box::new(context.program_parameters()),
            written_by: Box::new([None; REGISTERS]),
            read: Box::new([false; REGISTERS]),
            relative: false,
        };
        for (slot, program) in programs.iter().filter_map(|(slot, c)| Some((slot, c.program.as_ref()?))) {
            if matches!(slot, Slot::Vertex | Slot::State(_)) {
                inputs.look_at(slot, program);
            }
        }
        inputs
    }

    fn look_at(&mut self, slot: Slot, program: &Program) {
        let register = |id: ParamId| match program.parameters.get(usize::from(id.0))?.source {
            ParameterSource::Env(n) => Some(usize::from(n)),
            _ => None,
        };
        for instruction in &program.instructions {
            for operand in &instruction.operands {
                match operand.source {
                    Source::Param(id) => {
                        if let Some(read) = register(id).and_then(|n| self.read.get_mut(n)) {
                            *read = true;
                        }
                    }
                    Source::Indirect(Indirect { first: Element::Param(_), .. }) => self.relative = true,
                    Source::Indirect(_) | Source::Temp(_) | Source::Attribute(_) | Source::Buffer(_) => {}
                }
            }
            let target = instruction.target();
            if let (Slot::State(n), Some(Target::Param(id))) = (slot, target)
                && let Some(written) = register(id).and_then(|n| self.written_by.get_mut(n))
            {
                *written = Some(n);
            }
        }
    }
}
