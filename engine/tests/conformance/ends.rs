//! The values of an invocation at its end, in the same form for both executors. The functions compare them
//! with a run's expectations.

use std::fmt::Write;

use shadestep_engine::debug::{Ended, Recording, State};
use shadestep_engine::exec::Registers;
use shadestep_engine::isa::Stage;
use shadestep_language::ir::{CcRegister, Components, Flags, Output, Program, Type};

use super::format::{Fact, Held, Run};
use super::names::is_output;
use super::program_text::SHARED_RESULT;
use super::values::describe;

/// Registers and other facts at the end of an invocation.
#[derive(Debug)]
pub struct End {
    /// Temporaries and address registers, in the program's order.
    pub temporaries: Vec<Components>,
    /// Outputs, in the program's order.
    pub outputs: Vec<Components>,
    /// Parameters, for vertex state programs only.
    pub parameters: Vec<Components>,
    /// Condition codes, by register and component.
    pub cc: [[Flags; 4]; 2],
    pub killed: bool,
    /// Written components of each output (bit 0 = x), from executors that track them.
    pub outputs_defined: Option<Vec<u8>>,
    /// Number of executed instructions, if known.
    pub executed: Option<u32>,
    /// Reason of the end, if known.
    pub ended: Option<Ended>,
}

impl From<&State> for End {
    fn from(state: &State) -> Self {
        Self {
            temporaries: state.temporaries.clone(),
            outputs: state.outputs.clone(),
            parameters: state.parameters.clone(),
            cc: state.cc,
            killed: state.killed,
            outputs_defined: Some(state.outputs_defined.clone()),
            executed: None,
            ended: None,
        }
    }
}

impl From<&Recording> for End {
    fn from(recording: &Recording) -> Self {
        let executed = u32::try_from(recording.len()).ok();
        Self { executed, ended: Some(recording.ended), ..Self::from(&recording.state_at(recording.len())) }
    }
}

impl From<&Registers> for End {
    fn from(registers: &Registers) -> Self {
        let defined = &registers.outputs_defined;
        Self {
            temporaries: registers.temporaries.clone(),
            outputs: registers.outputs.clone(),
            parameters: registers.parameters.clone(),
            cc: registers.cc,
            killed: registers.killed,
            outputs_defined: (!defined.is_empty()).then(|| defined.clone()),
            executed: None,
            ended: None,
        }
    }
}

/// The name of the condition code for `flags` (NV_fragment_program 3.11.1.4, NV_vertex_program2 2.14.1.6),
/// with `+C` for carry and `+O` for overflow.
fn code_name(flags: Flags) -> String {
    let code = match flags.0 & (Flags::SIGN | Flags::ZERO) {
        0 => "GT",
        Flags::SIGN => "LT",
        Flags::ZERO => "EQ",
        _ => "UN",
    };
    let with = |flag: u8, name: &'static str| if flags.0 & flag == 0 { "" } else { name };
    format!("{code}{}{}", with(Flags::CARRY, "+C"), with(Flags::OVERFLOW, "+O"))
}

/// A register's place in the program.
pub enum RegisterIndex {
    /// Index of a temporary or address register.
    Temporary(usize),
    /// Index of an output.
    Output(usize),
    /// Index of a parameter, in vertex state programs.
    Parameter(usize),
}

/// Finds the register `name` of `program`.
pub fn register_index(program: &Program, name: &str) -> Result<RegisterIndex, String> {
    if let Some(index) = program.temporaries.iter().position(|t| t.name == name) {
        return Ok(RegisterIndex::Temporary(index));
    }
    let is_named = |o: &Output| o.name == name || is_output(name, o.role, program.language);
    if let Some(index) = program.outputs.iter().position(is_named) {
        return Ok(RegisterIndex::Output(index));
    }
    if program.stage() == Stage::VertexState {
        let (result, stand_in) = SHARED_RESULT;
        let name = if name == result { stand_in } else { name };
        let named =
            |p: &shadestep_language::ir::Parameter| p.name_in(program.language).as_deref() == Some(name);
        if let Some(index) = program.parameters.iter().position(named) {
            return Ok(RegisterIndex::Parameter(index));
        }
    }
    Err(format!("  the program has no register `{name}`\n"))
}

/// Compares the known components of a register with the expected values. Adds differences to `faults`, with
/// `line` and with `who`, the executor or place that the value comes from.
pub fn compare_register((line, held): (usize, &Held), who: &str, got: [Option<u64>; 4], faults: &mut String) {
    for (component, expected) in held.values.iter().enumerate() {
        let (Some(expected), Some(bits)) = (expected, got[component]) else { continue };
        if !expected.matches(bits, held.tolerance) {
            let letter = ["x", "y", "z", "w"][component];
            let _ = writeln!(
                faults,
                "  line {line}: {who}: {}.{letter} expected {}, got {}",
                held.name,
                expected.describe(),
                describe(if bits >> 32 == 0 { expected.ty } else { wide(expected.ty) }, bits),
            );
        }
    }
}

/// The type of an expected number in a register with 64-bit components: `ty` with 64 bits.
const fn wide(ty: Type) -> Type {
    ty.sized_as(Type::U64)
}

/// Compares the end of one lane with every expectation of `run` that `end` has a value for.
pub fn compare_end(
    program: &Program,
    run: &Run,
    lane: usize,
    who: &str,
    end: &End,
    faults: &mut String,
) -> Result<(), String> {
    for expectation in run.expectations.iter().filter(|e| e.lanes().contains(&lane)) {
        let mut fault = |what: String| {
            let _ = writeln!(faults, "  line {}: {who}: {what}", expectation.line);
        };
        match &expectation.fact {
            Fact::Register(held) => {
                let got = match register_index(program, &held.name)? {
                    RegisterIndex::Temporary(index) => end.temporaries[index],
                    RegisterIndex::Output(index) => end.outputs[index],
                    RegisterIndex::Parameter(index) => end.parameters[index],
                };
                compare_register((expectation.line, held), who, got.map(Some), faults);
            }
            Fact::Cc(register, codes) => {
                let found = match register {
                    CcRegister::Cc0 => end.cc[0],
                    CcRegister::Cc1 => end.cc[1],
                };
                if codes.iter().zip(found).any(|(code, got)| code.is_some_and(|code| code != got)) {
                    fault(format!("{register:?} is {}", found.map(code_name).join(" ")));
                }
            }
            Fact::Defined { name, mask } => {
                let RegisterIndex::Output(index) = register_index(program, name)? else {
                    return Err(format!("  `{name}` is no output\n"));
                };
                if let Some(defined) = &end.outputs_defined
                    && defined[index] != *mask
                {
                    fault(format!("components {:04b} are written", defined[index]));
                }
            }
            Fact::Executed(count) => {
                if let Some(executed) = end.executed.filter(|e| e != count) {
                    fault(format!("{executed} instructions were executed"));
                }
            }
            Fact::Ended(how) => {
                if let Some(ended) = end.ended.filter(|e| e != how) {
                    fault(format!("it ended by {ended:?}"));
                }
            }
            Fact::Killed | Fact::Memory(..) | Fact::Reported(_) | Fact::Emitted(_) | Fact::Vertex(..) => {}
        }
    }
    if end.killed != expects_kill(run, lane) {
        let _ = writeln!(faults, "  {who}: killed is {}", end.killed);
    }
    Ok(())
}

/// Returns true if `run` expects the fragment of `lane` to be discarded.
pub fn expects_kill(run: &Run, lane: usize) -> bool {
    run.expectations.iter().any(|e| matches!(e.fact, Fact::Killed) && e.lanes().contains(&lane))
}
