//! Whole frames with the instructions of each processor: every sample's picture, to the byte, and pixels of it, to the
//! bit, are those of the portable code. A trial is ignored, and says so, where this processor lacks the instructions.

mod common;

use common::{Run, TempFolder, shadestep_on};
use libtest_mimic::{Arguments, Failed, Trial};
use shadestep::scene;
use shadestep_engine::processor::Cpu;
use std::fs;
use std::process::ExitCode;

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

/// A frame of a sample: its file, and what was said of some of its pixels.
fn frame(cpu: Cpu, sample: &str) -> (Vec<u8>, String) {
    let folder = TempFolder::new();
    let file = folder.0.join("frame.png").display().to_string();
    let mut arguments = vec!["render", sample, "-o", &file, "--size", "96x64", "--time", "1.25", "--probe"];
    arguments.extend(["0,0", "95,63", "48,32", "47,31", "13,50", "70,9", "33,33", "64,40"]);
    let Run { code, out, err } = shadestep_on(Some(cpu.name()), &arguments);
    assert_eq!(code, 0, "{cpu}, {sample}: {err}");
    (fs::read(&file).unwrap_or_default(), out)
}

fn agrees(cpu: Cpu, sample: &str) -> Result<(), Failed> {
    let (portable, faster) = (frame(Cpu::Portable, sample), frame(cpu, sample));
    if portable.0.is_empty() || portable.1.is_empty() {
        return Err("no picture".into());
    }
    if portable.1 != faster.1 {
        return Err(format!("portable:\n{}\n{cpu}:\n{}", portable.1, faster.1).into());
    }
    if portable.0 == faster.0 { Ok(()) } else { Err("the pictures differ".into()) }
}
