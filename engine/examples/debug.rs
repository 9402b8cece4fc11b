//! Steps through one pixel forwards and backwards, with a breakpoint and a watch.
//!
//! ```sh
//! cargo run -p shadestep-engine --example debug
//! ```

use std::error::Error;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_engine::debug::expression::{Expression, Values as _};
use shadestep_engine::debug::{Cursor, Recording};
use shadestep_engine::gl::{Context, FragmentStage, enums};
use shadestep_engine::ir::disassemble_instruction;
use shadestep_engine::isa::Stage;

/// Doubles `p` until it is greater than 1.
const TEXT: &str = "\
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP p;
MOV p, 0.0625;
REP 8;
ADDC p.x, p, p;
SGTC p.y, p.x, 1.0;
BRK (NE.y);
ENDREP;
MOV result.color, p;
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
    let pixel = [3, 5];
    let fragment = call.fragments_at([16, 16], pixel).pop().ok_or("nothing covers the pixel")?;
    let bindings = Arc::new(stage.bindings().clone());
    let never = AtomicBool::new(false);
    let recording =
        Recording::of_fragment(program, &bindings, fragment.inputs(), (fragment.lane, pixel), &never)?;

    // A recording stores no steps. A cursor runs to any position from the nearest of its checkpoints, so
    // going back is as quick as going forward.
    let mut cursor = Cursor::new(&recording);
    let mut out = io::stdout().lock();
    writeln!(out, "{} steps", recording.len())?;

    // A watch is an expression over the registers, as the program names them.
    let watch = Expression::parse("p.x", program)?;
    let mut show = |cursor: &Cursor, what: &str| {
        let next = cursor.current().map_or_else(String::new, |step| {
            disassemble_instruction(program, &program.instructions[step.pc])
        });
        let value: Vec<f64> =
            watch.evaluate(&cursor.here(&recording)).value.numbers().iter().map(|n| n.as_float()).collect();
        writeln!(out, "{what}: position {}, p.x = {value:?}, next {next}", cursor.position())
    };
    show(&cursor, "start")?;

    // A breakpoint with a condition: the first position at which `p.x > 0.3` holds.
    let condition = Expression::parse("p.x > 0.3", program)?;
    let mut hit = None;
    cursor.each_moment(&recording, (0, recording.len()), |here| {
        hit = condition.holds(here).then(|| here.position());
        hit.is_none()
    });
    cursor.seek(&recording, hit.ok_or("the condition never holds")?);
    show(&cursor, "breakpoint")?;

    // One step forward, two back.
    let position = cursor.position();
    cursor.seek(&recording, position + 1);
    show(&cursor, "next")?;
    cursor.seek(&recording, position - 1);
    show(&cursor, "back")?;

    // Search backwards from the end: the last step whose test passed.
    let end = recording.len();
    let left = cursor.find_before(&recording, end, |step| step.taken == Some(true));
    cursor.seek(&recording, left.ok_or("no branch is taken")?);
    show(&cursor, "last branch")?;
    Ok(())
}
