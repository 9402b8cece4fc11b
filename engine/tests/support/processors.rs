//! Repeats a test program's trials with each instruction set that the engine supports.

use std::env;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use shadestep_engine::processor::{Cpu, VARIABLE};

/// One trial for each instruction set except the processor's best, which the test program itself uses. The
/// trial runs the whole test program again with its instruction set. If the processor lacks the set, the
/// trial is marked as ignored.
///
/// Returns no trials if the environment already selects a set.
pub fn trials() -> Vec<Trial> {
    if env::var_os(VARIABLE).is_some() {
        return Vec::new();
    }
    let others = Cpu::ALL.into_iter().filter(|cpu| *cpu != Cpu::of_machine());
    let trial = |cpu: Cpu| {
        let trial = Trial::test(format!("processor::{cpu}"), move || again(cpu));
        trial.with_ignored_flag(cpu > Cpu::of_machine())
    };
    others.map(trial).collect()
}

fn again(cpu: Cpu) -> Result<(), Failed> {
    let output = Command::new(env::current_exe()?).env(VARIABLE, cpu.name()).output()?;
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    if output.status.success() { Ok(()) } else { Err(said.concat().into()) }
}
