//! Whole frames with each processor's instructions equal the frames of the portable code. The tests compare
//! the pictures of all samples byte for byte, and the exact values of some pixels. A trial is reported as
//! ignored if this processor lacks the instructions.

use libtest_mimic::{Arguments, Failed, Trial};
use shadestep::scene;
use shadestep_engine::processor::{Cpu, VARIABLE};
use std::process::{Command, ExitCode};
use std::{env, fs, process};

fn main() -> ExitCode {
    let faster = Cpu::ALL.into_iter().filter(|cpu| *cpu != Cpu::Portable);
    let trials = faster.flat_map(|cpu| {
        scene::bundled().iter().map(move |sample| {
            let trial = Trial::test(format!("{cpu}::{}", sample.name), move || agrees(cpu, sample.name));
            trial.with_ignored_flag(cpu > Cpu::of_machine())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Renders a frame of a sample. Returns the picture's file, and the printed values of some pixels.
fn frame(cpu: Cpu, sample: &str) -> Result<(Vec<u8>, Vec<u8>), Failed> {
    let name = format!("shadestep-frame-{}-{cpu}-{sample}.png", process::id());
    let file = env::temp_dir().join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadestep"));
    command.env(VARIABLE, cpu.name()).args(["render", sample, "--size", "96x64", "--time", "1.25", "-o"]);
    command.arg(&file).arg("--probe");
    command.args(["0,0", "95,63", "48,32", "47,31", "13,50", "70,9", "33,33", "64,40"]);
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{cpu}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let picture = fs::read(&file)?;
    fs::remove_file(&file)?;
    Ok((picture, output.stdout))
}

fn agrees(cpu: Cpu, sample: &str) -> Result<(), Failed> {
    let (portable, faster) = (frame(Cpu::Portable, sample)?, frame(cpu, sample)?);
    if portable.1 != faster.1 {
        let [portable, faster] =
            [portable.1, faster.1].map(|said| String::from_utf8_lossy(&said).into_owned());
        return Err(format!("portable:\n{portable}\n{cpu}:\n{faster}").into());
    }
    if portable.0 == faster.0 { Ok(()) } else { Err("the pictures differ".into()) }
}
