//! Runs the programs of a conformance file on both executors and compares with what the file expects;
//! of vertex programs `vertices` runs them. Neither parses files nor knows expected values of its own.

use std::fmt::Write;
use std::sync::Arc;

use shadestep_engine::debug::StateCursor;
use shadestep_engine::diag::Severity;
use shadestep_engine::exec::{
    AttributeRows, Bindings, BlockOutput, BlockShader, Executable, Inspection, LANES, QuadInputs, Shader,
    record,
};
use shadestep_engine::front;
use shadestep_engine::ir::{self, Attribute, OutputRole, Program};
use shadestep_engine::isa::Stage;
use shadestep_engine::source::LineIndex;
use shadestep_engine::texture::{
    DepthMode, Format, Image, Level, MagFilter, MinFilter, Sampler, Texture, Wrap,
};

use crate::ends::{End, Place, compare_end, compare_register, expects_kill, place_of};
use crate::format::{Case, Errors, Expectation, Fact, Run, TestFile};
use crate::texture_notation::TextureNotation;
use crate::vertices;

/// Quads in a block of the wide executor.
pub const QUADS: usize = LANES / 4;

/// Runs everything in `file`; the error lists what disagrees.
pub fn check(file: &TestFile) -> Result<(), String> {
    let mut faults = String::new();
    for case in &file.cases {
        match case {
            Case::Program { texts, line, runs } => {
                for text in texts {
                    check_program(text, *line, runs, &mut faults);
                }
            }
            Case::Error { title, texts, line } => {
                for (text, errors) in texts {
                    if let Err(fault) = check_errors(text, errors) {
                        let _ = writeln!(faults, "line {line}: {title}, {}:\n{fault}", header(text));
                    }
                }
            }
        }
    }
    match (&file.known_failure, faults.is_empty()) {
        (None, true) | (Some(_), false) => Ok(()),
        (None, false) => Err(faults),
        (Some(why), true) => Err(format!("passes now; remove `known_failure = \"{why}\"`")),
    }
}

/// Whether `file` has a program that should load in a language that no front end takes yet. Such files are
/// written from the specifications ahead of it: they are listed as ignored, not as passed.
pub fn awaits_front_end(file: &TestFile) -> bool {
    const CODE: &str = "header-unsupported";
    let unsupported = |text: &Vec<u8>| found_errors(text).iter().any(|(_, code)| code == CODE);
    file.cases.iter().any(|case| match case {
        Case::Program { texts, .. } => texts.iter().any(unsupported),
        Case::Error { .. } => false,
    })
}

/// The header of a program, for messages.
fn header(text: &[u8]) -> String {
    let line = text.split(|b| b.is_ascii_whitespace()).next().unwrap_or_default();
    String::from_utf8_lossy(line).into_owned()
}

fn check_program(text: &[u8], line: usize, runs: &[Run], faults: &mut String) {
    let program = match load(text) {
        Ok(program) => Arc::new(program),
        Err(fault) => {
            let _ = writeln!(faults, "line {line}, {}: the program does not load: {fault}", header(text));
            return;
        }
    };
    for run in runs {
        if let Err(fault) = check_run(&program, run) {
            let _ = writeln!(faults, "line {}, {}: {}:\n{fault}", run.line, header(text), run.title);
        }
    }
}

fn load(text: &[u8]) -> Result<Program, String> {
    let loaded = front::load(text);
    let Some(program) = loaded.program else { return Err(describe(text, &found_errors(text))) };
    ir::verify(&program).map_err(|e| format!("not a legal program: {e:?}"))?;
    Ok(program)
}

/// Position and code of every error in `text`, by position.
fn found_errors(text: &[u8]) -> Errors {
    let diagnostics = front::load(text).diagnostics;
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let mut found: Vec<_> = errors.map(|d| (d.position, d.code.to_owned())).collect();
    found.sort();
    found
}

fn check_errors(text: &[u8], expected: &[(usize, String)]) -> Result<(), String> {
    let found = found_errors(text);
    if found == expected {
        return Ok(());
    }
    Err(format!("  expected {}\n  found    {}", describe(text, expected), describe(text, &found)))
}

fn describe(text: &[u8], errors: &[(usize, String)]) -> String {
    if errors.is_empty() {
        return "no error".into();
    }
    let index = LineIndex::new(text);
    let one = |(position, code): &(usize, String)| {
        let place = index.line_column(*position);
        format!("{code} at {position} ({}:{})", place.line, place.column)
    };
    errors.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn check_run(program: &Arc<Program>, run: &Run) -> Result<(), String> {
    let stage = program.language.stage();
    if let Some(stray) = run.given.iter().find(|a| !Attribute::of(stage).contains(a)) {
        return Err(format!("  {} is no attribute of {} programs\n", stray.register(), stage.name()));
    }
    let bindings = bindings(program, run)?;
    let mut faults = String::new();
    match stage {
        Stage::Fragment => check_fragments(program, run, &bindings, &mut faults)?,
        Stage::Vertex => vertices::check_vertices(program, run, &bindings, &mut faults)?,
        Stage::VertexState => vertices::check_state_program(program, run, &bindings, &mut faults)?,
    }
    if faults.is_empty() { Ok(()) } else { Err(clipped(&faults)) }
}

/// One quad: recorded lane by lane, and in blocks.
fn check_fragments(
    program: &Arc<Program>,
    run: &Run,
    bindings: &Bindings,
    faults: &mut String,
) -> Result<(), String> {
    let inputs = QuadInputs { attributes: run.attributes };
    for lane in 0..4 {
        let recording = record(program, bindings, &inputs, lane, [0, 0]);
        let mut cursor = StateCursor::new(&recording);
        cursor.seek(&recording, recording.steps.len());
        let end = End::from(cursor.state());
        compare_end(program, run, lane, &format!("scalar, lane {lane}"), &end, faults)?;
    }
    for place in 0..QUADS {
        wide_outputs(program, run, bindings, place, faults)?;
    }
    // Registers too, on every instruction set, in the first, some middle and the last place.
    for place in [0, 6, QUADS - 1] {
        wide_registers(program, run, bindings, place, faults)?;
    }
    Ok(())
}

/// The first lines of `faults`: one wrong bit shows in every place of the block.
fn clipped(faults: &str) -> String {
    const SHOWN: usize = 8;
    let mut text: String = faults.lines().take(SHOWN).flat_map(|line| [line, "\n"]).collect();
    if let Some(more) = faults.lines().count().checked_sub(SHOWN + 1) {
        let _ = writeln!(text, "  ... and {} more", more + 1);
    }
    text
}

fn bindings(program: &Program, run: &Run) -> Result<Bindings, String> {
    let mut bindings = Bindings::initial(program);
    for (name, values) in &run.parameters {
        let index = program.parameters.iter().position(|p| p.source.name().as_ref() == Some(name));
        let index = index.ok_or_else(|| format!("  the program reads no parameter `{name}`\n"))?;
        bindings.parameters[index] = *values;
    }
    for (unit, notation) in &run.textures {
        let slot = bindings.textures.get_mut(usize::from(*unit)).ok_or("  no such image unit\n")?;
        *slot = Some(Arc::new(texture(notation)?));
    }
    Ok(bindings)
}

fn texture(notation: &TextureNotation) -> Result<Texture, String> {
    let target = ir::TextureTarget::ALL
        .into_iter()
        .find(|t| t.name() == notation.target)
        .ok_or_else(|| format!("  unknown target `{}`\n", notation.target))?;
    let format = Format::from_name(&notation.format)
        .ok_or_else(|| format!("  unknown format `{}`\n", notation.format))?;
    let mut sampler = Sampler::for_target(target);
    sampler.wrap = [Wrap::ClampToEdge; 3];
    sampler.min_filter = MinFilter::Nearest;
    sampler.mag_filter = MagFilter::Nearest;
    for (key, value) in &notation.settings {
        set(&mut sampler, key, value).ok_or_else(|| format!("  bad sampler setting `{key}={value}`\n"))?;
    }
    let faces = if target == ir::TextureTarget::Cube { 6 } else { 1 };
    let mut levels = Vec::new();
    for (level, images) in notation.images.chunks(faces).enumerate() {
        let size = notation.size.map(|n| (n as usize >> level).max(1));
        let faces = images
            .iter()
            .map(|texels| Image::from_f32(size, texels.concat()).map_err(|e| format!("  {e}\n")))
            .collect::<Result<_, _>>()?;
        levels.push(Level { faces });
    }
    Texture::new(target, format, levels, sampler).map_err(|e| format!("  {e}\n"))
}

fn set(sampler: &mut Sampler, key: &str, value: &str) -> Option<()> {
    match key {
        "min" => sampler.min_filter = MinFilter::ALL.into_iter().find(|f| f.name() == value)?,
        "mag" => sampler.mag_filter = MagFilter::ALL.into_iter().find(|f| f.name() == value)?,
        "wrap" => sampler.wrap = [Wrap::ALL.into_iter().find(|w| w.name() == value)?; 3],
        "depth_mode" => {
            sampler.depth_mode = match value {
                "LUMINANCE" => DepthMode::Luminance,
                "INTENSITY" => DepthMode::Intensity,
                "ALPHA" => DepthMode::Alpha,
                _ => return None,
            }
        }
        "base" => sampler.base_level = value.parse().ok()?,
        "max" => sampler.max_level = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}

/// Attribute rows with the run's four lanes at `place` and, elsewhere, values no lane should be touched by.
pub fn rows(run: &Run, stage: Stage, place: usize) -> AttributeRows {
    const OTHER: [f32; 7] = [f32::NAN, -1.0, f32::INFINITY, 0.375, -0.0, 1e30, 2.0];
    let mut rows = AttributeRows::default();
    for &attribute in Attribute::of(stage) {
        for component in 0..4 {
            let row = &mut rows.row_mut(attribute, component).0;
            for (lane, value) in row.iter_mut().enumerate() {
                *value = if lane / 4 == place {
                    run.attributes[attribute.index()][lane % 4][component]
                } else {
                    OTHER[(lane * 5 + component * 3 + attribute.index()) % OTHER.len()]
                };
            }
        }
    }
    rows
}

/// Colour, depth and discards of the wide executor: the quad alone, among others, lane by lane.
fn wide_outputs(
    program: &Arc<Program>,
    run: &Run,
    bindings: &Bindings,
    place: usize,
    faults: &mut String,
) -> Result<(), String> {
    let shader = Shader::new(Arc::new(Executable::new(Arc::clone(program))), bindings.clone());
    let mut worker = BlockShader::worker(&shader);
    let mut output = BlockOutput::default();
    let inputs = rows(run, Stage::Fragment, place);
    let quad = 0xF << (place * 4);
    let single = (0..4).map(|lane| 1 << (place * 4 + lane));
    for active in [quad, u64::MAX].into_iter().chain(single) {
        BlockShader::run(&shader, &mut worker, &inputs, active, &mut output);
        for lane in (0..4).filter(|lane| active >> (place * 4 + lane) & 1 != 0) {
            let at = place * 4 + lane;
            let killed = output.killed >> at & 1 != 0;
            let who = format!("wide, place {place}, active {active:x}, lane {lane}");
            if killed != expects_kill(run, lane) {
                let _ = writeln!(faults, "  {who}: killed is {killed}");
            }
            if killed {
                // What a discarded fragment's outputs hold is of no consequence.
                continue;
            }
            for expectation in run.expectations.iter().filter(|e| e.lanes().contains(&lane)) {
                let Fact::Register { name, .. } = &expectation.fact else { continue };
                let Place::Output(index) = place_of(program, name)? else { continue };
                match program.outputs[index].role {
                    OutputRole::Color => {
                        let got = std::array::from_fn(|c| output.color[c].0[at].to_bits());
                        compare_register(expectation, &who, got, faults);
                    }
                    OutputRole::Vertex(_) => return Err(format!("  {name} is no fragment output\n")),
                    OutputRole::Depth => {
                        let only_z = depth_only(expectation);
                        let got = [0, 0, output.depth.0[at].to_bits(), 0];
                        compare_register(&only_z, &who, got, faults);
                    }
                }
            }
        }
    }
    Ok(())
}

/// The expectation about z alone: the wide executor gives no more of the depth output.
fn depth_only(expectation: &Expectation) -> Expectation {
    let fact = match &expectation.fact {
        Fact::Register { name, values, tolerance } => Fact::Register {
            name: name.clone(),
            values: [None, None, values[2], None],
            tolerance: *tolerance,
        },
        _ => Fact::Killed,
    };
    Expectation { line: expectation.line, lane: expectation.lane, fact }
}

/// Every register of the wide executor at the end, on every instruction set of this processor.
fn wide_registers(
    program: &Arc<Program>,
    run: &Run,
    bindings: &Bindings,
    place: usize,
    faults: &mut String,
) -> Result<(), String> {
    let inputs = rows(run, Stage::Fragment, place);
    for (set, mut inspection) in Inspection::all(program, bindings, &inputs) {
        for _ in &program.instructions {
            inspection.step();
        }
        for lane in 0..4 {
            let end = End::from(&inspection.registers(place * 4 + lane));
            compare_end(program, run, lane, &format!("{set}, place {place}, lane {lane}"), &end, faults)?;
        }
    }
    Ok(())
}
