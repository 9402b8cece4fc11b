//! `shadestep map`: a value of every pixel, as numbers, as a picture in false colours or as CSV, and
//! execution counts of each line.

use super::output::{Content, Output, with_text};
use super::{
    CliError, Frames, check_layer, check_pixel, open, parse_pixel, parse_seconds, parse_size, threads,
};
use crate::false_colours;
use crate::format;
use crate::maps::{self, Field, LineCounts, Map, MapChoice, MapQuery, QueryError, Range, Statistics, When};
use crate::scene::Slot;
use crate::session::{Compiled, SetUp, Threads};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use shadestep_engine::ir::Program;
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program file, scene folder, scene.toml, bundled sample, or - for a program on standard input
    #[arg(value_name = "FILE|SCENE|-")]
    target: OsString,
    /// Value to show for every pixel
    #[arg(long, value_parser = kinds(), default_value = "value")]
    kind: Map,
    /// Register or expression to show, such as R0.x, |R1.xyz| or R2.w > 0.5 [default: the output colour]
    #[arg(
        long,
        value_name = "EXPRESSION",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    value: String,
    /// Line number, from 1. Maps of a value show it after this line [default: at the end of the program]. Other
    /// maps of a line need it
    #[arg(long, value_name = "N")]
    line: Option<usize>,
    /// Line number of a breakpoint, from 1, for --kind hits. Can be given several times
    #[arg(long = "break", value_name = "N")]
    breaks: Vec<usize>,
    /// PNG file to write, in false colours, or - for standard output (text then goes to standard error)
    #[arg(short, long, value_name = "OUT.png", value_parser = Content::Png.argument(),
        value_hint = clap::ValueHint::FilePath)]
    output: Option<Output>,
    /// CSV file to write, or - for standard output. A row has x, y (from the lower left) and the value. Pixels
    /// without a value have no row
    #[arg(long, value_name = "OUT.csv", value_parser = Content::Csv.argument(),
        value_hint = clap::ValueHint::FilePath)]
    csv: Option<Output>,
    /// Values for the two ends of the colour scale [default: the least and the greatest value in the picture]
    #[arg(long, value_name = "LOW,HIGH", value_parser = parse_range, allow_hyphen_values = true)]
    range: Option<[f64; 2]>,
    /// Print the values of one or more pixels: x from the left, y from the bottom
    #[arg(long, value_name = "X,Y", value_parser = parse_pixel, allow_hyphen_values = true)]
    probe: Vec<[u32; 2]>,
    /// Print for each line how many fragments executed it, and its share of all executed instructions
    #[arg(long)]
    lines: bool,
    /// Size of the picture [default: the size in the scene]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Time in seconds
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: f32,
    /// Layer of the framebuffer to map [default: the layer in the scene]
    #[arg(long, value_name = "N")]
    layer: Option<u32>,
    /// Number of render threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    frames: Frames,
}

fn kinds() -> impl TypedValueParser<Value = Map> {
    // The command line has no versions to compare.
    let kinds = Map::ALL.into_iter().filter(|map| *map != Map::Difference);
    let values = kinds.map(|map| PossibleValue::new(map.name()).help(map.help()));
    PossibleValuesParser::new(values).try_map(|name| Map::from_name(&name).ok_or("no such map"))
}

fn parse_range(text: &str) -> Result<[f64; 2], String> {
    let wanted = || "a range is LOW,HIGH, two numbers with LOW less than HIGH".to_owned();
    let (low, high) = text.split_once(',').ok_or_else(wanted)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    match (number(low), number(high)) {
        (Some(low), Some(high)) if low < high => Ok([low, high]),
        _ => Err(wanted()),
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), CliError> {
    with_text([arguments.output.as_ref(), arguments.csv.as_ref()], out, |out| work_out(arguments, out))
}

fn work_out(arguments: &Arguments, out: &mut dyn Write) -> Result<(), CliError> {
    let threads = threads(arguments.threads)?;
    let mut loaded = open(&arguments.target)?;
    loaded.job.time_secs = arguments.time;
    loaded.job.layer = check_layer(arguments.layer, &loaded.job.scene)?;
    loaded.job.size = arguments.size.unwrap_or(loaded.job.size);
    for &pixel in &arguments.probe {
        check_pixel(pixel, loaded.job.size)?;
    }
    let old = arguments.frames.draw_all_but_the_last(&mut loaded, &threads)?;
    let compiled = loaded.programs.get(Slot::Fragment).cloned();
    let compiled = compiled.ok_or_else(|| CliError::Usage("the scene has no fragment program".to_owned()))?;
    let program = compiled.program.clone();
    let program = program.ok_or_else(|| CliError::Failed("the fragment program has errors".to_owned()))?;
    let set_up = SetUp::new(&loaded.programs, &loaded.job)?;
    let never = AtomicBool::new(false);
    if arguments.lines {
        let counts = maps::line_counts(&set_up, &compiled.lines, &threads, &never);
        let counts = counts.map_err(|error| CliError::Failed(error.to_string()))?;
        print_lines(&counts, &compiled.text, out)?;
    }
    let query = query(arguments, (&program, &compiled))?;
    let is_of_picture = matches!(query.map, Map::Depth | Map::Fate);
    let frame = if is_of_picture { Some(set_up.render(&threads, &never, old)?) } else { None };
    let pixel = |at| frame.as_ref().and_then(|frame| frame.pixel(at));
    let (field, time) = worked_out(&set_up, &program, &query, (loaded.job.size, pixel), &threads)?;
    let statistics = field.statistics();
    let range = Range::of((&statistics, field.is_condition), query.map, arguments.range);
    summarize((&statistics, field.is_condition), query.map, time, out)?;
    for &[x, y] in &arguments.probe {
        let value = field.at([x, y]).map_or_else(|| "nothing".to_owned(), |value| numbers(value).join(" "));
        let first = field.first_at([x, y]).map(|pc| format!(", first at line {}", compiled.lines[pc] + 1));
        writeln!(out, "{x},{y}: {value}{}", first.unwrap_or_default())?;
    }
    out.flush()?;
    if let Some(output) = &arguments.output {
        output
            .write(Content::Png, &false_colours::png(&field, query.map, range).map_err(CliError::Failed)?)?;
    }
    match &arguments.csv {
        Some(output) => output.write(Content::Csv, maps::csv(&field).as_bytes()),
        None => Ok(()),
    }
}

fn query(
    arguments: &Arguments,
    (program, compiled): (&Arc<Program>, &Compiled),
) -> Result<MapQuery, CliError> {
    let there = |line: usize| -> Result<usize, CliError> {
        let count = compiled.text.iter().filter(|byte| **byte == b'\n').count() + 1;
        if !(1..=count).contains(&line) {
            return Err(CliError::Usage(format!("there is no line {line}: choose 1 to {count}")));
        }
        Ok(line - 1)
    };
    let lines = &compiled.lines;
    if let Some(line) = arguments.breaks.iter().find(|line| !lines.iter().any(|of| of + 1 == **line)) {
        return Err(CliError::Usage(format!("line {line} has no instruction")));
    }
    let breaks = lines.iter().enumerate().filter(|(_, line)| arguments.breaks.contains(&(*line + 1)));
    let breaks = breaks.map(|(pc, _)| (pc, None)).collect();
    let needs_line = matches!(arguments.kind, Map::Ran | Map::Wrote | Map::Level);
    if needs_line && arguments.line.is_none() {
        return Err(CliError::Usage("this map needs a line: add --line N".to_owned()));
    }
    if arguments.kind == Map::Hits && arguments.breaks.is_empty() {
        return Err(CliError::Usage("this map needs a breakpoint: add --break N".to_owned()));
    }
    let choice = MapChoice {
        map: Some(arguments.kind),
        expression: arguments.value.clone(),
        when: if arguments.line.is_some() { When::Line } else { When::End },
        range: arguments.range,
        line_counts: arguments.lines,
    };
    let line = arguments.line.map(there).transpose()?.unwrap_or(0);
    let lines: Vec<Option<usize>> = compiled.lines.iter().copied().map(Some).collect();
    let query = MapQuery::new(&choice, program, (&lines, line), (breaks, None));
    match query {
        Ok(Some(query)) => Ok(query),
        Ok(None) => {
            Err(CliError::Usage("no output requested: add --output, --csv, --probe or --lines".to_owned()))
        }
        Err(QueryError(words)) => Err(CliError::Usage(words)),
    }
}

fn worked_out(
    set_up: &SetUp,
    program: &Program,
    query: &MapQuery,
    pixels: ([u32; 2], impl Fn([u32; 2]) -> Option<crate::session::Pixel>),
    threads: &Threads,
) -> Result<(Field, std::time::Duration), CliError> {
    let start = Instant::now();
    let field = maps::work_out(set_up, program, query, pixels, threads, &AtomicBool::new(false))?;
    Ok((field, start.elapsed()))
}

fn numbers(value: &[f64]) -> Vec<String> {
    value.iter().map(ToString::to_string).collect()
}

fn summarize(
    (statistics, is_condition): (&Statistics, bool),
    map: Map,
    time: std::time::Duration,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let name = map.command().info().label;
    let pixels = format::counted(statistics.pixels, "pixel");
    if is_condition {
        write!(out, "{name}: true at {} of {pixels}", statistics.other_than_zero)?;
    } else {
        write!(out, "{name}: {pixels}")?;
    }
    if !is_condition && let Some([low, high]) = statistics.range {
        write!(out, ", {low} to {high}")?;
        if map.counts() {
            write!(out, ", {} in total", statistics.sum)?;
        }
    }
    if statistics.not_finite > 0 {
        write!(out, ", {} NaN or infinite", statistics.not_finite)?;
    }
    writeln!(out, "; {}", format::milliseconds(time))?;
    Ok(())
}

/// Prints each line of the text after the number of fragments that executed it, its executions and its share
/// of all executed instructions.
fn print_lines(counts: &LineCounts, text: &[u8], out: &mut dyn Write) -> Result<(), CliError> {
    let fragments = format::counted(counts.fragments as usize, "fragment");
    let instructions = format::counted(counts.total as usize, "instruction");
    writeln!(out, "{fragments}, {instructions}")?;
    for (number, line) in String::from_utf8_lossy(text).lines().enumerate() {
        match counts.lines.get(&number) {
            Some([executed, reached]) => {
                let share = counts.share(*executed) * 100.0;
                writeln!(out, "{reached:>10} {executed:>12} {share:>6.2}%  {line}")?;
            }
            None => writeln!(out, "{:>10} {:>12} {:>7}  {line}", "", "", "")?,
        }
    }
    Ok(())
}
