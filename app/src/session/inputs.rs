//! What the vertex programs of a frame find: its matrices and the parameter file after its state programs.
//! For display; the draw itself does not come through here.

use super::{Job, Loaded, RenderError, context};
use crate::scene::{Matrix, MatrixName, Slot};
use shadestep_engine::ir::{ParamId, ParameterSource, Program, Source, Target, limits};

/// Number of registers of the parameter file.
pub const REGISTERS: usize = limits::VP2_PARAMETERS;

/// Matrices and parameter file of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameInputs {
    /// Every matrix that can be tracked.
    pub matrices: Vec<(MatrixName, Matrix)>,
    /// `c[0]` to `c[255]` as the vertex program finds them.
    pub registers: Box<[[f32; 4]; REGISTERS]>,
    /// The last state program that writes each register.
    pub written_by: Box<[Option<u8>; REGISTERS]>,
    /// Which registers an instruction of a vertex or state program names as a source.
    pub read: Box<[bool; REGISTERS]>,
    /// Whether a program also reads registers that it chooses at run time.
    pub relative: bool,
}

/// The inputs of the frame that `job` draws.
///
/// # Errors
/// As [`super::draw_call`].
pub fn frame_inputs(programs: &Loaded, job: &Job) -> Result<FrameInputs, RenderError> {
    if programs.iter().any(|(_, compiled)| compiled.program.is_none()) {
        return Err(RenderError::NoProgram);
    }
    let kept = programs.programs.map(|_, _| ());
    let states = kept.slots().filter(|slot| matches!(slot, Slot::State(_))).count();
    let states = u8::try_from(states).unwrap_or(u8::MAX);
    let gl = context::before_state_program(&programs.context, &kept, states, job)?;
    let mut inputs = FrameInputs {
        matrices: MatrixName::all()
            .filter_map(|name| Some((name, gl.matrix(context::tracked(name))?.rows)))
            .collect(),
        registers: Box::new(*gl.program_parameters()),
        written_by: Box::new([None; REGISTERS]),
        read: Box::new([false; REGISTERS]),
        relative: false,
    };
    for (slot, program) in programs.iter().filter_map(|(slot, c)| Some((slot, c.program.as_ref()?))) {
        if slot != Slot::Fragment {
            inputs.look_at(slot, program);
        }
    }
    Ok(inputs)
}

impl FrameInputs {
    fn look_at(&mut self, slot: Slot, program: &Program) {
        let register = |id: ParamId| match program.parameters.get(usize::from(id.0))?.source {
            ParameterSource::Register(n) => Some(usize::from(n)),
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
                    Source::Indexed(_) => self.relative = true,
                    _ => {}
                }
            }
            let target = instruction.dest.map(|dest| dest.target);
            if let (Slot::State(n), Some(Target::Param(id))) = (slot, target)
                && let Some(written) = register(id).and_then(|n| self.written_by.get_mut(n))
            {
                *written = Some(n);
            }
        }
    }
}
