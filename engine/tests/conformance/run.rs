//! Runs the programs of a conformance file on both executors and compares with what the file expects.
//! Neither parses files nor knows expected values of its own.

use std::fmt::Write;
use std::sync::Arc;

use shadestep_engine::debug::{State, StateCursor};
use shadestep_engine::diag::Severity;
use shadestep_engine::exec::{
    AttributeRows, Bindings, BlockOutput, BlockShader, Executable, Inspection, LANES, QuadInputs, Registers,
    Shader, record,
};
use shadestep_engine::front;
use shadestep_engine::ir::{self, Attribute, OutputRole, Program};
use shadestep_engine::source::LineIndex;
use shadestep_engine::texture::{
    DepthMode, Format, Image, Level, MagFilter, MinFilter, Sampler, Texture, Wrap,
};

use crate::format::{Case, Expectation, Fact, Run, TestFile};
use crate::texture_notation::TextureNotation;

/// Quads in a block of the wide executor.
const QUADS: usize = LANES / 4;

/// Runs everything in `file`; the error lists what disagrees.
pub fn check(file: &TestFile) -> Result<(), String> {
    let mut faults = String::new();
    for case in &file.cases {
        match case {
            Case::Program { text, line, runs } => match load(text) {
                Ok(program) => {
                    let program = Arc::new(program);
                    for run in runs {
                        if let Err(fault) = check_run(&program, run) {
                            let _ = writeln!(faults, "line {}: {}:\n{fault}", run.line, run.title);
                        }
                    }
                }
                Err(fault) => {
                    let _ = writeln!(faults, "line {line}: the program does not load: {fault}");
                }
            },
            Case::Error { title, text, line, errors } => {
                if let Err(fault) = check_errors(text, errors) {
                    let _ = writeln!(faults, "line {line}: {title}:\n{fault}");
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

fn load(text: &[u8]) -> Result<Program, String> {
    let loaded = front::load(text);
    let Some(program) = loaded.program else { return Err(describe(text, &found_errors(text))) };
    ir::verify(&program).map_err(|e| format!("not a legal program: {e:?}"))?;
    Ok(program)
}

/// Position and code of every error in `text`, by position.
fn found_errors(text: &[u8]) -> Vec<(usize, String)> {
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

/// Lanes' registers at the end, by lane of the quad.
type Ends = [Registers; 4];

fn check_run(program: &Arc<Program>, run: &Run) -> Result<(), String> {
    let bindings = bindings(program, run)?;
    let inputs = QuadInputs { attributes: run.attributes };
    let mut faults = String::new();
    let scalar: [State; 4] = std::array::from_fn(|lane| {
        let recording = record(program, &bindings, &inputs, lane, [0, 0]);
        let mut cursor = StateCursor::new(&recording);
        cursor.seek(&recording, recording.steps.len());
        cursor.state().clone()
    });
    compare_states(program, run, &scalar, &mut faults)?;
    for place in 0..QUADS {
        wide_outputs(program, run, &bindings, place, &mut faults)?;
    }
    // Registers too, on every instruction set, in the first, some middle and the last place.
    for place in [0, 6, QUADS - 1] {
        wide_registers(program, run, &bindings, place, &mut faults)?;
    }
    if faults.is_empty() { Ok(()) } else { Err(clipped(&faults)) }
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

/// Lanes an expectation is about.
fn lanes(expectation: &Expectation) -> std::ops::Range<usize> {
    expectation.lane.map_or(0..4, |lane| lane..lane + 1)
}

fn expects_kill(run: &Run, lane: usize) -> bool {
    run.expectations.iter().any(|e| matches!(e.fact, Fact::Killed) && lanes(e).contains(&lane))
}

/// A register's place in the program.
enum Place {
    Temporary(usize),
    Output(usize),
}

fn place_of(program: &Program, name: &str) -> Result<Place, String> {
    if let Some(index) = program.temporaries.iter().position(|t| t.name == name) {
        return Ok(Place::Temporary(index));
    }
    if let Some(index) = program.outputs.iter().position(|o| o.name == name) {
        return Ok(Place::Output(index));
    }
    Err(format!("  the program has no register `{name}`\n"))
}

/// Compares one register with an expectation; `who` says where the value comes from.
fn compare_register(expectation: &Expectation, who: &str, got: [u32; 4], faults: &mut String) {
    let Fact::Register { name, values, tolerance } = &expectation.fact else { return };
    for (component, expected) in values.iter().enumerate() {
        let Some(expected) = expected else { continue };
        if !expected.matches(got[component], *tolerance) {
            let letter = ["x", "y", "z", "w"][component];
            let bits = got[component];
            let _ = writeln!(
                faults,
                "  line {}: {who}: {name}.{letter} expected {:?} ({:08x}), got {:?} ({bits:08x})",
                expectation.line,
                expected.value,
                expected.value.to_bits(),
                f32::from_bits(bits),
            );
        }
    }
}

fn compare_states(
    program: &Program,
    run: &Run,
    ends: &[State; 4],
    faults: &mut String,
) -> Result<(), String> {
    for expectation in &run.expectations {
        for lane in lanes(expectation) {
            let (end, who) = (&ends[lane], format!("scalar, lane {lane}"));
            match &expectation.fact {
                Fact::Register { name, .. } => {
                    let got = match place_of(program, name)? {
                        Place::Temporary(index) => end.temporaries[index],
                        Place::Output(index) => end.outputs[index],
                    };
                    compare_register(expectation, &who, got, faults);
                }
                Fact::Cc(names) => {
                    let got = end.cc.map(|c| c.name());
                    if names.iter().zip(got).any(|(name, got)| name != "_" && name != got) {
                        let _ = writeln!(faults, "  line {}: {who}: CC is {got:?}", expectation.line);
                    }
                }
                Fact::Defined { name, mask } => match place_of(program, name)? {
                    Place::Output(index) if end.outputs_defined[index] == *mask => {}
                    _ => {
                        let _ =
                            writeln!(faults, "  line {}: {who}: wrong components written", expectation.line);
                    }
                },
                Fact::Killed => {}
            }
        }
    }
    for (lane, end) in ends.iter().enumerate() {
        if end.killed != expects_kill(run, lane) {
            let _ = writeln!(faults, "  scalar, lane {lane}: killed is {}", end.killed);
        }
    }
    Ok(())
}

/// Attribute rows with the run's quad at `place` and, elsewhere, values no lane should be touched by.
fn rows(run: &Run, place: usize) -> AttributeRows {
    const OTHER: [f32; 7] = [f32::NAN, -1.0, f32::INFINITY, 0.375, -0.0, 1e30, 2.0];
    let mut rows = AttributeRows::default();
    for attribute in Attribute::FRAGMENT {
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
    let mut worker = shader.worker();
    let mut output = BlockOutput::default();
    let inputs = rows(run, place);
    let quad = 0xF << (place * 4);
    let single = (0..4).map(|lane| 1 << (place * 4 + lane));
    for active in [quad, u64::MAX].into_iter().chain(single) {
        shader.run(&mut worker, &inputs, active, &mut output);
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
            for expectation in run.expectations.iter().filter(|e| lanes(e).contains(&lane)) {
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
    for (set, mut inspection) in Inspection::all(program, bindings, &rows(run, place)) {
        for _ in &program.instructions {
            inspection.step();
        }
        let ends: Ends = std::array::from_fn(|lane| inspection.registers(place * 4 + lane));
        for expectation in &run.expectations {
            for lane in lanes(expectation) {
                let (end, who) = (&ends[lane], format!("{set}, place {place}, lane {lane}"));
                match &expectation.fact {
                    Fact::Register { name, .. } => {
                        let got = match place_of(program, name)? {
                            Place::Temporary(index) => end.temporaries[index],
                            Place::Output(index) => end.outputs[index],
                        };
                        compare_register(expectation, &who, got.map(f32::to_bits), faults);
                    }
                    Fact::Cc(names) => {
                        let got = end.cc.map(code_name);
                        if names.iter().zip(got).any(|(name, got)| name != "_" && name != got) {
                            let _ = writeln!(faults, "  line {}: {who}: CC is {got:?}", expectation.line);
                        }
                    }
                    Fact::Killed | Fact::Defined { .. } => {}
                }
            }
        }
        for (lane, end) in ends.iter().enumerate() {
            if end.killed != expects_kill(run, lane) {
                let _ = writeln!(faults, "  {set}, place {place}, lane {lane}: killed is {}", end.killed);
            }
        }
    }
    Ok(())
}

/// The code made from `value` (3.11.1.4).
fn code_name(value: f32) -> &'static str {
    if value.is_nan() {
        "UN"
    } else if value < 0.0 {
        "LT"
    } else if value == 0.0 {
        "EQ"
    } else {
        "GT"
    }
}
