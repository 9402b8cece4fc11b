//! `shadestep bench`: pixels a second.

use super::{CliError, Picture, load, open, parse_size, threads};
use crate::embedded;
use crate::scene::Scene;
use crate::session::{self, Frame, Threads};
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Frames measured at least, and the time after which no more are begun beyond those.
const FRAMES: usize = 20;
const ENOUGH: Duration = Duration::from_secs(2);

/// Frames drawn before measuring.
const WARM_UP: usize = 3;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program files, scenes or bundled samples; the bundled bench programs by default
    #[arg(value_name = "FILE|SCENE")]
    targets: Vec<String>,
    /// Size of the picture
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = parse_size)]
    size: [u32; 2],
    /// Threads that render; one a core by default
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let threads = threads(arguments.threads)?;
    let mut measure = |name: &str, loaded: Picture| -> Result<(), CliError> {
        let (best, median) = measure(loaded, arguments.size, &threads)?;
        writeln!(out, "{name}: {best:.1} Mpixel/s best, {median:.1} Mpixel/s median")?;
        out.flush()?;
        Ok(())
    };
    if arguments.targets.is_empty() {
        for (name, text) in embedded::bench_programs() {
            measure(name, load(Scene::for_program(name, None, text))?)?;
        }
        return Ok(());
    }
    for target in &arguments.targets {
        measure(target, open(target)?)?;
    }
    Ok(())
}

/// Best and median rate in millions of pixels a second.
fn measure(mut loaded: Picture, size: [u32; 2], threads: &Threads) -> Result<(f64, f64), CliError> {
    loaded.job.size = size;
    let cancel = AtomicBool::new(false);
    let mut frame: Option<Frame> = None;
    let mut times = Vec::with_capacity(FRAMES);
    let start = Instant::now();
    for index in 0..WARM_UP + FRAMES {
        let before = Instant::now();
        frame = Some(session::render_reusing(&loaded.programs, &loaded.job, threads, &cancel, frame)?);
        if index >= WARM_UP {
            times.push(before.elapsed().as_secs_f64());
        }
        // Very slow scenes: three measured frames must do.
        if start.elapsed() > 10 * ENOUGH && times.len() >= 3 {
            break;
        }
    }
    while start.elapsed() < ENOUGH && times.len() < 1000 {
        let before = Instant::now();
        frame = Some(session::render_reusing(&loaded.programs, &loaded.job, threads, &cancel, frame)?);
        times.push(before.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let pixels = f64::from(size[0]) * f64::from(size[1]) / 1e6;
    let median = times[times.len() / 2];
    Ok((pixels / times[0], pixels / median))
}
