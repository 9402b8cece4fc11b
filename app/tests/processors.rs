//! Whole frames with each value of `SHADESTEP_CPU` equal the frames of the portable code. The test compares
//! the pictures of all samples byte for byte, and the exact values of some pixels. Values that are not
//! available here are not tried.

use shadestep::scene;
use shadestep_engine::processor::{Cpu, VARIABLE};
use std::process::Command;
use std::{env, fs, process, thread};

#[test]
fn frames_are_the_same_with_every_instruction_set() {
    let samples: Vec<&str> = scene::bundled().iter().map(|sample| sample.name).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let parts = samples.chunks(samples.len().div_ceil(threads));
    let check = |part: &[&str]| part.iter().filter_map(|sample| check(sample).err()).collect();
    let failed: Vec<Vec<String>> = thread::scope(|scope| {
        let running: Vec<_> = parts.map(|part| scope.spawn(move || check(part))).collect();
        running.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let failed = failed.concat();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Renders a frame of a sample. Returns the picture's file, and the printed values of some pixels.
fn frame(cpu: Cpu, sample: &str) -> Result<(Vec<u8>, String), String> {
    let name = format!("shadestep-frame-{}-{cpu}-{sample}.png", process::id());
    let file = env::temp_dir().join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadestep"));
    command.env(VARIABLE, cpu.name()).args(["render", sample, "--size", "96x64", "--time", "1.25", "-o"]);
    command.arg(&file).arg("--probe");
    command.args(["0,0", "95,63", "48,32", "47,31", "13,50", "70,9", "33,33", "64,40"]);
    let output = command.output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("{sample}, {cpu}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let picture = fs::read(&file).map_err(|e| e.to_string())?;
    fs::remove_file(&file).map_err(|e| e.to_string())?;
    Ok((picture, String::from_utf8_lossy(&output.stdout).into_owned()))
}

fn check(sample: &str) -> Result<(), String> {
    let portable = frame(Cpu::Portable, sample)?;
    for cpu in Cpu::available().filter(|cpu| *cpu != Cpu::Portable) {
        let faster = frame(cpu, sample)?;
        if portable.1 != faster.1 {
            return Err(format!("{sample}, portable:\n{}\n{cpu}:\n{}", portable.1, faster.1));
        }
        if portable.0 != faster.0 {
            return Err(format!("{sample}: the pictures of {cpu} and of portable code differ"));
        }
    }
    Ok(())
}
