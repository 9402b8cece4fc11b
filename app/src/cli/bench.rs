//! `shadestep bench`: measures pixels, vertices and primitives per second.

use super::{CliError, Picture, input, load, open, parse_size, threads};
use crate::embedded;
use crate::printable;
use crate::scene::{Scene, SceneMesh};
use crate::session::{Frame, SetUp, Threads};
use shadestep_engine::pipeline::Primitive;
use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Minimum number of frames to measure, and the time after which no further frames begin.
const FRAMES: usize = 20;
const ENOUGH: Duration = Duration::from_secs(2);

/// Frames drawn before measuring.
const WARM_UP: usize = 3;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program files, scenes, bundled samples, or - for standard input [default: the bundled benchmarks]
    #[arg(value_name = "FILE|SCENE|-")]
    targets: Vec<OsString>,
    /// Size of the picture
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = parse_size)]
    size: [u32; 2],
    /// Number of render threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Draw a sphere of about N triangles instead of each scene's geometry. Without a scene, draw it with a
    /// simple light
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=16_000_000))]
    mesh_triangles: Option<u32>,
}

/// The program that `--mesh-triangles` uses without a scene: the template of new vertex programs.
const MESH_PROGRAM: &[u8] = include_bytes!("../model/templates/mesh.vp");

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    input::check_targets(&arguments.targets)?;
    let threads = threads(arguments.threads)?;
    let mesh = arguments.mesh_triangles.map(SceneMesh::sphere_of);
    let mut measure = |name: &str, mut loaded: Picture| -> Result<(), CliError> {
        if let Some(mesh) = &mesh {
            let mut scene = Scene::clone(&loaded.job.scene);
            scene.mesh = mesh.clone();
            loaded.job.scene = Arc::new(scene);
        }
        loaded.job.size = arguments.size;
        let rates = measure(&loaded, &threads)?;
        writeln!(out, "{name}: {rates}")?;
        out.flush()?;
        Ok(())
    };
    if !arguments.targets.is_empty() {
        let mut targets = arguments.targets.iter();
        return targets.try_for_each(|target| measure(&printable::line(&input::name(target)), open(target)?));
    }
    if arguments.mesh_triangles.is_some() {
        return measure("mesh", load(Scene::for_program("mesh", None, MESH_PROGRAM))?);
    }
    for (name, text) in embedded::bench_programs() {
        measure(name, load(Scene::for_program(name, None, text))?)?;
    }
    Ok(())
}

/// Measured rates, in millions per second.
struct Rates {
    /// Pixels, in the fastest frame.
    best: f64,
    /// Pixels, in the median frame.
    median: f64,
    /// Vertices, primitives and the name of the primitives, in the median frame. `None` for scenes that draw
    /// no geometry.
    geometry: Option<(f64, f64, &'static str)>,
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} Mpixel/s best, {:.1} Mpixel/s median", self.best, self.median)?;
        match self.geometry {
            Some((vertices, primitives, what)) => {
                write!(f, "; {vertices:.2} Mvertex/s, {primitives:.2} M{what}/s")
            }
            None => Ok(()),
        }
    }
}

/// Draws frames until the measurement is reliable.
fn measure(loaded: &Picture, threads: &Threads) -> Result<Rates, CliError> {
    let cancel = AtomicBool::new(false);
    let draw = |old| SetUp::new(&loaded.programs, &loaded.job)?.render(threads, &cancel, old);
    let mut frame: Option<Frame> = None;
    let mut times = Vec::with_capacity(FRAMES);
    let start = Instant::now();
    for index in 0..WARM_UP + FRAMES {
        let before = Instant::now();
        frame = Some(draw(frame)?);
        if index >= WARM_UP {
            times.push(before.elapsed().as_secs_f64());
        }
        // For very slow scenes, three frames must be enough.
        if start.elapsed() > 10 * ENOUGH && times.len() >= 3 {
            break;
        }
    }
    while start.elapsed() < ENOUGH && times.len() < 1000 {
        let before = Instant::now();
        frame = Some(draw(frame)?);
        times.push(before.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let [width, height] = loaded.job.size.map(f64::from);
    let pixels = width * height / 1e6;
    let median = times[times.len() / 2];
    let stats = frame.map(|frame| frame.stats).unwrap_or_default();
    let what = match loaded.job.scene.mesh.arrays().primitive {
        Primitive::Triangles
        | Primitive::TriangleStrip
        | Primitive::TriangleFan
        | Primitive::TrianglesAdjacency
        | Primitive::TriangleStripAdjacency => "triangle",
        Primitive::Points
        | Primitive::Lines
        | Primitive::LineStrip
        | Primitive::LineLoop
        | Primitive::Quads
        | Primitive::QuadStrip
        | Primitive::Polygon
        | Primitive::LinesAdjacency
        | Primitive::LineStripAdjacency
        | Primitive::Patches => "primitive",
    };
    let rate = |count: u64| count as f64 / 1e6 / median;
    let geometry = (stats.primitives > 0).then(|| (rate(stats.vertices), rate(stats.primitives), what));
    Ok(Rates { best: pixels / times[0], median: pixels / median, geometry })
}
