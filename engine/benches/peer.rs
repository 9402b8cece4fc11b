//! Compares the speed of Shadestep and the machine's OpenGL driver on the same programs. One process draws
//! with both, frame by frame in turn: `cargo bench -p shadestep-engine --bench peer [-- NAME...]`. Where no
//! free driver has a program's language, the driver draws with a GLSL reference.
//!
//! Both sides clear colour and depth, draw 1024x1024 pixels with two threads, and finish before the time is
//! taken. For Mesa's llvmpipe the bench sets `LP_NUM_THREADS=2` before it loads the driver. Each side draws
//! to RGBA8 and to RGBA32F, with a 32-bit float depth buffer. The table compares equal formats, and also
//! Shadestep's RGBA32F, which the app uses, with the driver's RGBA8, its best case. The conversion of RGBA32F
//! to bytes has a line of its own. Ratios are the driver's best time over Shadestep's: above 1, Shadestep is
//! faster.

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

use cases::{Alike, Case};
use gl::{Gl, token};
use shadestep_engine::processor::Cpu;
use theirs::Target;

/// Pixels in a row, and the number of rows.
const SIZE: u32 = 1024;
const THREADS: usize = 2;
/// Frames before the measurement. The driver compiles programs in the first one.
const WARM_UP: usize = 3;
/// The fewest and the most frames of a measurement, and the time after which the measurement ends.
const FEWEST: usize = 5;
const MOST: usize = 40;
const ENOUGH: Duration = Duration::from_millis(1500);

/// Frame times of one side at one format, in milliseconds.
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
        "{:<22} {:>17} {:>17} {:>17} {:>17} {:>6} {:>8} {:>9}",
        "case", "driver RGBA8", "ours RGBA8", "driver RGBA32F", "ours RGBA32F", "8/8", "32F/32F", "8/32F"
    )
    .map_err(failed)?;
    let mut ratios: Vec<([f64; 3], &str)> = Vec::new();
    for case in cases::all() {
        if !filters.is_empty() && !filters.iter().any(|filter| case.name.contains(filter.as_str())) {
            continue;
        }
        let [mut their_bytes, mut their_floats, mut our_bytes, mut our_floats] = measure(&gl, &case)?;
        let show = |times: &mut Times| format!("{:.2} ({:.2})", times.best(), times.median());
        let of = |theirs: &Times, ours: &Times| theirs.best() / ours.best();
        let found =
            [of(&their_bytes, &our_bytes), of(&their_floats, &our_floats), of(&their_bytes, &our_floats)];
        let [like_bytes, like_floats, unlike] = found;
        writeln!(
            out,
            "{:<22} {:>17} {:>17} {:>17} {:>17} {like_bytes:>6.2} {like_floats:>8.2} {unlike:>9.2}",
            case.name,
            show(&mut their_bytes),
            show(&mut our_bytes),
            show(&mut their_floats),
            show(&mut our_floats)
        )
        .map_err(failed)?;
        ratios.push((found, case.name));
    }
    summary(&ratios, out).map_err(failed)
}

/// Prints the geometric means, the worst ratios and the time of the conversion to bytes.
fn summary(ratios: &[([f64; 3], &str)], out: &mut impl Write) -> io::Result<()> {
    writeln!(out)?;
    let what = ["our RGBA8 to its RGBA8", "our RGBA32F to its RGBA32F", "our RGBA32F to its RGBA8"];
    for (n, what) in what.into_iter().enumerate() {
        let Some(least) = ratios.iter().min_by(|a, b| a.0[n].total_cmp(&b.0[n])) else { continue };
        let mean = (ratios.iter().map(|ratio| ratio.0[n].ln()).sum::<f64>() / ratios.len() as f64).exp();
        writeln!(
            out,
            "{what}: geometric mean {mean:.2}, worst {:.2} ({}), {} cases",
            least.0[n],
            least.1,
            ratios.len()
        )?;
    }
    writeln!(out, "our RGBA32F to bytes, one thread: {:.2} ms", ours::bytes_time())
}

/// Draws frames in turn. Returns the driver's times at RGBA8 and RGBA32F, then Shadestep's at RGBA8 and
/// RGBA32F.
fn measure(gl: &Gl, case: &Case) -> Result<[Times; 4], String> {
    let fault = |e: String| format!("{}: {e}", case.name);
    let mut theirs = theirs::Scene::new(gl, case).map_err(fault)?;
    let mut ours = ours::Scene::new(case).map_err(fault)?;
    let mut times: [Times; 4] = Default::default();
    let start = Instant::now();
    for frame in 0..WARM_UP + MOST {
        if frame >= WARM_UP + FEWEST && start.elapsed() > ENOUGH {
            break;
        }
        let [their_bytes, their_floats, our_bytes, our_floats] = &mut times;
        let seconds = frame as f32 * 0.05;
        their_bytes.time(frame, || theirs.draw(Target::Bytes, seconds)).map_err(fault)?;
        their_floats.time(frame, || theirs.draw(Target::Floats, seconds)).map_err(fault)?;
        our_bytes.time(frame, || ours.draw(Target::Bytes, seconds)).map_err(fault)?;
        our_floats.time(frame, || ours.draw(Target::Floats, seconds)).map_err(fault)?;
    }
    let expected = theirs.pixels();
    agree(&expected, &ours.pixels(Target::Floats), case.alike).map_err(fault)?;
    // RGBA8 rounds to 8 bits, so the comparison is looser.
    agree(&expected, &ours.pixels(Target::Bytes), Alike::Nearly).map_err(fault)?;
    Ok(times)
}

/// Checks that the pictures are alike, so that both sides did the same work. The test `peer` compares more
/// strictly.
fn agree(theirs: &[[f32; 4]], ours: &[[f32; 4]], alike: Alike) -> Result<(), String> {
    if alike == Alike::Bits {
        let mut pairs = theirs.iter().zip(ours).enumerate();
        let differing = pairs.find(|(_, (a, b))| a.map(f32::to_bits) != b.map(f32::to_bits));
        return differing.map_or(Ok(()), |(n, (theirs, ours))| {
            Err(format!("pixel {n} is {theirs:?} of theirs and {ours:?} of ours"))
        });
    }
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
