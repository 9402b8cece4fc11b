//! Loads a program and prints its errors and warnings, or its listing.
//!
//! ```sh
//! cargo run -p shadestep-engine --example load                # a program with a mistake in it
//! cargo run -p shadestep-engine --example load -- my.fp       # a file
//! ```

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;

use shadestep_engine::diag::render_all;
use shadestep_engine::{front, ir};

/// `tinted` is a typing error.
const TEXT: &str = "\
!!FP1.0
DECLARE tint = { 1, 0.5, 0, 1 };
MULR o[COLR], f[COL0], tinted;
END
";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = std::env::args().nth(1);
    let (name, text) = match &path {
        Some(path) => (path.as_str(), std::fs::read(path)?),
        None => ("example.fp", TEXT.as_bytes().to_vec()),
    };

    // The header, such as `!!FP1.0` or `!!NVfp5.0`, chooses the language.
    let loaded = front::load(&text);

    // Each diagnostic is plain data: code, clause, spans, notes, and often a fix. This prints them with the
    // lines that they mark.
    let mut out = io::stdout().lock();
    out.write_all(render_all(&loaded.diagnostics, &text, name).as_bytes())?;

    // `program` is None exactly if there is an error.
    match loaded.program {
        Some(program) => {
            out.write_all(ir::disassemble(&program).as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        None => Ok(ExitCode::FAILURE),
    }
}
