//! Shadestep and the machine's OpenGL driver on the same programs, in one process, frame by frame in turn:
//! `cargo bench -p shadestep-engine --features peer --bench peer [-- NAME...]`.
//!
//! Both draw 1024x1024 pixels with two threads (`LP_NUM_THREADS=2`, for Mesa's llvmpipe, is set before the driver
//! is loaded), clear colour and depth first, and are waited for. The driver draws twice: to RGBA8, its best case, and
//! to RGBA32F, which is what our framebuffer always is. Both have a 32 bit float depth buffer. Our bytes are made from
//! the framebuffer when they are wanted; what that takes is a line of its own. Ratios are the driver's best time over
//! ours: above 1 we are faster.

#[path = "peer/cases.rs"]
mod cases;
#[path = "../tests/peer/gl.rs"]
mod gl;
#[path = "peer/ours.rs"]
mod ours;
#[path = "peer/theirs.rs"]
mod theirs;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cases::Case;
use gl::{Gl, token};
use shadestep_engine::processor::Cpu;

/// Pixels in a row, and rows.
const SIZE: u32 = 1024;
const THREADS: usize = 2;
/// Frames before measuring: the driver compiles in the first.
const WARM_UP: usize = 3;
/// Frames measured at least and at most, and how long a case is given.
const FEWEST: usize = 5;
const MOST: usize = 40;
const ENOUGH: Duration = Duration::from_millis(1500);

/// What was measured of one of the three, in milliseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn best(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn median(&mut self) -> f64 {
        self.0.sort_by(f64::total_cmp);
        self.0.get(self.0.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn time(&mut self, frame: usize, draw: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let start = Instant::now();
        draw()?;
        if frame >= WARM_UP {
            self.0.push(start.elapsed().as_secs_f64() * 1e3);
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let filters: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    match run(&filters, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            let _ = writeln!(io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(filters: &[String], out: &mut impl Write) -> Result<(), String> {
    let gl = Gl::with_environment(&[("LP_NUM_THREADS", &THREADS.to_string())])?;
    let failed = |e: io::Error| e.to_string();
    writeln!(out, "{} | {}", gl.get_string(token::RENDERER), gl.get_string(token::VERSION))
        .map_err(failed)?;
    let cpu = Cpu::asked_for().map_err(|e| e.to_string())?.unwrap_or_else(Cpu::of_machine);
    writeln!(out, "{SIZE}x{SIZE}, {THREADS} threads, ours on {cpu}; milliseconds, best (median)\n")
        .map_err(failed)?;
    writeln!(
        out,
        "{:<22} {:>17} {:>17} {:>17} {:>7} {:>8}",
        "case", "driver RGBA8", "driver RGBA32F", "ours RGBA32F", "/RGBA8", "/RGBA32F"
    )
    .map_err(failed)?;
    let mut ratios: Vec<(f64, f64, &str)> = Vec::new();
    for case in cases::all() {
        if !filters.is_empty() && !filters.iter().any(|filter| case.name.contains(filter.as_str())) {
            continue;
        }
        let [mut bytes, mut floats, mut ours] = measure(&gl, &case)?;
        let show = |times: &mut Times| {
            if times.0.is_empty() {
                return "not offered".to_owned();
            }
            format!("{:.2} ({:.2})", times.best(), times.median())
        };
        let of = |times: &Times| times.best() / ours.best();
        let (narrow, wide) = (of(&bytes), of(&floats));
        let (narrow_text, wide_text) = if narrow.is_finite() {
            (format!("{narrow:.2}"), format!("{wide:.2}"))
        } else {
            Default::default()
        };
        writeln!(
            out,
            "{:<22} {:>17} {:>17} {:>17} {narrow_text:>7} {wide_text:>8}",
            case.name,
            show(&mut bytes),
            show(&mut floats),
            show(&mut ours)
        )
        .map_err(failed)?;
        if narrow.is_finite() {
            ratios.push((narrow, wide, case.name));
        }
    }
    summary(&ratios, out).map_err(failed)
}

/// Geometric means, the worst, and what making bytes takes.
fn summary(ratios: &[(f64, f64, &str)], out: &mut impl Write) -> io::Result<()> {
    let mean = |of: fn(&(f64, f64, &str)) -> f64| {
        (ratios.iter().map(|ratio| of(ratio).ln()).sum::<f64>() / ratios.len() as f64).exp()
    };
    let worst = |of: fn(&(f64, f64, &str)) -> f64| ratios.iter().min_by(|a, b| of(a).total_cmp(&of(b)));
    writeln!(out)?;
    for (what, of) in [("RGBA8", (|r| r.0) as fn(&(f64, f64, &str)) -> f64), ("RGBA32F", |r| r.1)] {
        if let Some(least) = worst(of) {
            let (mean, least_ratio) = (mean(of), of(least));
            writeln!(
                out,
                "against {what}: geometric mean {mean:.2}, worst {least_ratio:.2} ({}), {} cases",
                least.2,
                ratios.len()
            )?;
        }
    }
    writeln!(out, "our framebuffer to bytes, one thread: {:.2} ms", ours::bytes_time())
}

/// Times of the driver at RGBA8 and RGBA32F and of ours, frame by frame in turn.
fn measure(gl: &Gl, case: &Case) -> Result<[Times; 3], String> {
    let fault = |e: String| format!("{}: {e}", case.name);
    let mut theirs = theirs::Scene::new(gl, case).map_err(fault)?;
    let mut ours = ours::Scene::new(case).map_err(fault)?;
    let mut times: [Times; 3] = Default::default();
    let start = Instant::now();
    for frame in 0..WARM_UP + MOST {
        if frame >= WARM_UP + FEWEST && start.elapsed() > ENOUGH {
            break;
        }
        let [bytes, floats, own] = &mut times;
        let seconds = frame as f32 * 0.05;
        if let Some(theirs) = &mut theirs {
            bytes.time(frame, || theirs.draw(theirs::Target::Bytes, seconds)).map_err(fault)?;
            floats.time(frame, || theirs.draw(theirs::Target::Floats, seconds)).map_err(fault)?;
        }
        own.time(frame, || ours.draw(seconds)).map_err(fault)?;
    }
    if let Some(theirs) = &theirs {
        agree(&theirs.pixels(), &ours.pixels()).map_err(fault)?;
    }
    Ok(times)
}

/// The pictures are alike, so that both did the same work: on average components differ by less than 4 levels of 255.
/// (What may differ at all, and by how much, the test `peer` says.)
fn agree(theirs: &[[f32; 4]], ours: &[[f32; 4]]) -> Result<(), String> {
    let level = |value: f32| f64::from(value.clamp(0.0, 1.0)) * 255.0;
    let pairs = theirs.as_flattened().iter().zip(ours.as_flattened());
    let sum: f64 = pairs.map(|(a, b)| (level(*a) - level(*b)).abs()).sum();
    let mean = sum / (4 * ours.len()) as f64;
    if mean < 4.0 {
        Ok(())
    } else {
        Err(format!("the pictures differ by {mean:.2} levels of 255 on average"))
    }
}
