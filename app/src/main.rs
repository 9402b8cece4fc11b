//! The `shadestep` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    shadestep::cli::run(std::env::args_os())
}
