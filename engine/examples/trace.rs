//! Prints every step of one pixel of a picture: the instruction, and each component that it wrote.
//!
//! ```sh
//! cargo run -p shadestep-engine --example trace
//! ```

use std::error::Error;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_engine::debug::{Recording, Register};
use shadestep_engine::gl::{Context, FragmentStage, enums};
use shadestep_engine::ir::disassemble_instruction;
use shadestep_engine::isa::Stage;

/// Halves the squares of a grid along their diagonals.
const TEXT: &str = "\
!!ARBfp1.0
TEMP p;
MUL p, fragment.texcoord[0], 2.0;
FRC p, p;
SGE result.color, p.x, p.y;
END
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut context = Context::new();
    context.program_string(Stage::Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, TEXT.as_bytes())?;
    context.enable(enums::FRAGMENT_PROGRAM_ARB)?;
    let call = context.prepare_viewport_quad()?;
    let FragmentStage::Program(stage) = call.fragment_stage() else {
        return Err("no fragment program is enabled".into());
    };
    let program = stage.program();

    // All fragments that cover the pixel, with the attributes that the program uses. The window's rectangle
    // has only one.
    let (size, pixel) = ([64, 64], [20, 12]);
    for fragment in call.fragments_at(size, pixel) {
        let bindings = Arc::new(stage.bindings().clone());
        let place = (fragment.lane, pixel);
        let never = AtomicBool::new(false);
        let recording = Recording::of_fragment(program, &bindings, fragment.inputs(), place, &never)?;

        let mut out = io::stdout().lock();
        for (number, step) in recording.all_steps().enumerate() {
            let instruction = &program.instructions[step.pc];
            writeln!(out, "{number:3} {}", disassemble_instruction(program, instruction))?;
            for change in &step.changes {
                let letter = ["x", "y", "z", "w"][usize::from(change.component)];
                let name = match change.place {
                    Register::Temp(_) => "temporary",
                    Register::Output(_) => "result",
                    _ => "register",
                };
                // All values are raw bits. This program has only fp32 values.
                let [before, after] = [change.before, change.after].map(|bits| f32::from_bits(bits as u32));
                writeln!(out, "      {name}.{letter}: {before} -> {after}")?;
            }
        }
        writeln!(out, "colour {:?}", recording.color.map(|bits| f32::from_bits(bits as u32)))?;
    }
    Ok(())
}
