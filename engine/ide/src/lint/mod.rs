//! Warnings about programs that load. They mark instructions that are never run, values that are never read,
//! and registers that are read before they are written. Geometry programs get warnings about the vertices
//! that they emit. [`linked`] warns about results on which the stages of a draw disagree.
//!
//! `flow` has the reads, the writes and the successors of each instruction. `analysis` follows values along
//! that graph. `emitted` counts the vertices of geometry programs. An [`Interface`] lists the results and
//! reads of a program, and [`linked`] compares the interfaces of a draw. The front ends warn about unused
//! names.
//!
//! Each warning holds on every path of the graph. One case is left out: a limit can end the program within an
//! iteration of a loop. The end may come between an output's "dead" write and the next write, or before the
//! vertices that `emitted` counts.

mod analysis;
mod emitted;
mod flow;
mod interface;
mod linked;
mod replacement;

use analysis::{Finding, findings};
use shadestep_language::diag::Diagnostic;
use shadestep_language::diag::codes::{self, Shared};
use shadestep_language::front::{self, Loaded, Sink};
use shadestep_language::ir::{
    Condition, Destination, Instruction, Output, OutputRole, Program, WriteMask, limits, mask_text,
    target_text,
};
use shadestep_language::source::Span;

pub use interface::Interface;
pub use linked::{DrawState, RecordedResult, SharedImage, Stages, linked};

/// Loads a program text in the language that its header names, and returns its errors and all warnings.
///
/// ```
/// use shadestep_ide::lint::load;
///
/// let loaded = load(b"!!ARBfp1.0\nTEMP a; MOV a, 1; MOV result.color, 0; END");
/// assert!(loaded.program.is_some());
/// assert_eq!(loaded.diagnostics[0].code, "arb-dead-write");
/// ```
pub fn load(text: &[u8]) -> Loaded {
    let Loaded { program, diagnostics } = front::load(text);
    let diagnostics = with_warnings(diagnostics, program.as_ref(), text);
    Loaded { program, diagnostics }
}

/// Adds the warnings about `program` to `diagnostics`, the diagnostics of loading it from `text`. A text with
/// errors has no program, and gets no more warnings.
pub fn with_warnings(
    diagnostics: Vec<Diagnostic>,
    program: Option<&Program>,
    text: &[u8],
) -> Vec<Diagnostic> {
    let Some(program) = program else { return diagnostics };
    let shared = front::shared_codes(program.language);
    let mut sink = Sink::from(diagnostics);
    for finding in findings(program) {
        sink.push(diagnostic((program, text), shared, finding));
    }
    sink.finish()
}

/// The place of the header, which warnings about a program as a whole mark.
fn header(program: &Program) -> Span {
    Span::new(0, program.language.header().len())
}

fn diagnostic((program, text): (&Program, &[u8]), shared: &Shared, finding: Finding) -> Diagnostic {
    if let Finding::NoLevels = finding {
        return no_levels(program);
    }
    let instruction = &program.instructions[finding.at()];
    match finding {
        Finding::Unreachable { count, .. } => {
            let message = "this instruction is never run".to_owned();
            let found = Diagnostic::new(shared.unreachable, instruction.span, message);
            match count {
                1 => found.with_note("No path through the program reaches it."),
                2 => found.with_note("No path through the program reaches it or the instruction after it."),
                _ => found.with_note(format!(
                    "No path through the program reaches it or the {} instructions after it.",
                    count - 1
                )),
            }
        }
        Finding::DeadWrite { .. } => {
            let span = instruction.dest().map_or(instruction.span, |dest| dest.span);
            let target =
                |dest: &Destination| format!("{}{}", target_text(program, dest.target), mask_text(dest.mask));
            let written = instruction.dest().map_or_else(|| "it".to_owned(), target);
            let message = format!("the value written to {written} is never used");
            let note = match instruction.update_cc() {
                Some(_) => {
                    "On every path from here, it is overwritten before it is read, or never read. The same is true of the condition code."
                }
                None => "On every path from here, it is overwritten before it is read, or never read.",
            };
            Diagnostic::new(shared.dead_write, span, message).with_note(note)
        }
        Finding::Unwritten { operand, temporary, components, .. } => {
            let span = operand.map_or(instruction.span, |number| instruction.operands[number].span);
            let temporary = &program.temporaries[temporary];
            let name = format!("{}{}", temporary.name, mask_text(WriteMask(components)));
            let begins = match program.temporaries_defined() {
                0 => "Its value is undefined then. In Shadestep it is (0,0,0,0).",
                _ => "Registers start as (0,0,0,0).",
            };
            let message = format!("{name} is read before it is written");
            Diagnostic::new(shared.unwritten_temporary, span, message).with_note(begins)
        }
        Finding::UnsetCondition { at } => {
            let result = instruction.dest().and_then(|dest| Some((dest.test?, dest.span)));
            let test = instruction.test().map(|test| (test, instruction.span)).or(result);
            let (name, span) = test.map_or(("the condition code", instruction.span), |(test, span)| {
                (test.register.name_in(program.language), span)
            });
            debug_assert!(test.is_some_and(|(test, _)| test.condition != Condition::Tr), "{at}");
            let message = format!("{name} is tested before it is set");
            Diagnostic::new(shared.unset_condition, span, message)
                .with_note("Condition codes start as if zero had been written to all components.")
        }
        Finding::IdleComponents { output, .. } => {
            idle_components((program, text), shared, (instruction, output))
        }
        Finding::UnwrittenPosition { output, components, .. } => {
            let name = format!("{}{}", program.outputs[output].name, mask_text(WriteMask(components)));
            let message = format!("this vertex is emitted before {name} is written");
            Diagnostic::new(codes::GPU_UNWRITTEN_POSITION, instruction.span, message).with_note(format!(
                "All results are undefined after an EMIT. Write {name} again before this one."
            ))
        }
        Finding::NoStream { stream, .. } => {
            let message = format!("there is no vertex stream {stream}, so no vertex is emitted");
            Diagnostic::new(codes::GPU_NO_STREAM, instruction.span, message).with_note(format!(
                "Streams are numbered from 0 to {}. All results are undefined afterwards, as after any EMITS.",
                limits::VERTEX_STREAMS - 1
            ))
        }
        Finding::TooManyVertices { least, most, .. } => {
            too_many_vertices((program, text), instruction, (least, most))
        }
        Finding::NoLevels => no_levels(program),
    }
}

fn no_levels(program: &Program) -> Diagnostic {
    let message = "this control program writes no tessellation levels";
    Diagnostic::new(codes::GPU_NO_LEVELS, header(program), message).with_note(
        "The levels of its patches are undefined. In Shadestep they are 0, so no patch is drawn. Write \
         result.patch.tessouter and result.patch.tessinner, or draw with the default levels and no control program.",
    )
}

fn idle_components(
    (program, text): (&Program, &[u8]),
    shared: &Shared,
    (instruction, output): (&Instruction, usize),
) -> Diagnostic {
    let Output { name, role, .. } = &program.outputs[output];
    let (dest, used) = (instruction.dest(), mask_text(WriteMask(role.components())));
    let (span, mask) = dest.map_or((instruction.span, WriteMask::ALL), |dest| (dest.span, dest.mask));
    let message = format!("writing {name}{} has no effect", mask_text(mask));
    let is_written = |other: &Instruction| {
        let dest = other.dest().filter(|dest| dest.mask.0 & role.components() != 0);
        dest.is_some_and(|dest| program.outputs_of(dest.target).any(|written| written.role == *role))
    };
    let is_written = program.instructions.iter().any(is_written);
    let note = match role {
        OutputRole::Depth if !is_written => {
            "The depth is the z component. The program replaces the depth but never writes z, so the depth is undefined. In Shadestep it is 0."
                .to_owned()
        }
        _ => format!("Only {name}{used} is used."),
    };
    let found = Diagnostic::new(shared.idle_components, span, message).with_note(note);
    match replacement::mask(instruction, text) {
        Some(letter) if !is_written => found.with_fix(format!("write to {name}{used}"), letter, &used[1..]),
        _ => found,
    }
}

fn too_many_vertices(
    (program, text): (&Program, &[u8]),
    instruction: &Instruction,
    (least, most): (u64, Option<u64>),
) -> Diagnostic {
    let declared = program.geometry.map_or(0, |layout| layout.vertices_out);
    let at_least = if most == Some(least) { "" } else { "at least " };
    let message = format!("{at_least}{least} vertices are emitted, but VERTICES_OUT declares {declared}");
    let found = Diagnostic::new(codes::GPU_TOO_MANY_VERTICES, instruction.span, message)
        .with_note(
            "Vertices beyond the declared number may have no effect, and the program may end abnormally. In Shadestep \
             they are not emitted. Declare more, or emit fewer.",
        );
    let (Some(most), Some(number)) = (most, replacement::vertices_out(text)) else { return found };
    let components: u64 = program
        .usage
        .iter()
        .filter(|usage| usage.what == "result components")
        .map(|usage| usage.used as u64)
        .sum();
    let fits = most <= limits::OUTPUT_VERTICES as u64
        && most.saturating_mul(components) <= limits::OUTPUT_COMPONENTS as u64;
    let found = found.with_label(number, "declared here");
    if fits {
        found.with_fix(format!("change VERTICES_OUT to {most}"), number, most.to_string())
    } else {
        found
    }
}

#[cfg(test)]
mod tests;
