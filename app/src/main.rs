//! The `shadestep` binary. The library has all of its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    shadestep::cli::run(std::env::args_os())
}
