//! A test program's trials once for each set of instructions that the engine has code for.

use std::env;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use shadestep_engine::processor::{Cpu, VARIABLE};

/// A trial for each set but the best of this processor, with which the program itself runs: it runs the whole program
/// again with that set. A set that the processor lacks is ignored, which the list of trials says. None where the
/// environment chooses a set: then that one is tested.
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
