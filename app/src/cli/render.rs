//! `shadestep render`: a picture as a PNG file, exact pixel values, and sequences of frames (`sequence`).

use super::output::{Content, Output, has_extension, with_text};
use super::sequence::{self, Destination, SequenceArguments};
use super::{
    CliError, Frames, Picture, check_layer, check_pixel, complain, open, output_color, parse_pixel,
    parse_seconds, parse_size, threads,
};
use crate::buffer_text;
use crate::files;
use crate::format;
use crate::history;
use crate::scene::Scene;
use crate::session::{Frame, PixelStatus, SetUp};
use crate::suggest;
use shadestep_engine::ir::single_bits;
use std::ffi::OsString;
use std::io::Write;
use std::sync::atomic::AtomicBool;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program file, scene folder, scene.toml, bundled sample, or - for a program on standard input
    #[arg(value_name = "FILE|SCENE|-")]
    target: OsString,
    /// PNG file to write, or - for standard output (text then goes to standard error). Optional with --probe,
    /// --buffer or --raw. A sequence is written as an animated PNG (.png, .apng), a GIF (.gif), or one PNG
    /// file per frame: frame-%04d.png
    #[arg(short, long, value_name = "OUT.png", value_parser = Content::Frames.argument(),
        value_hint = clap::ValueHint::FilePath, required_unless_present_any = ["probe", "buffer", "raw"])]
    output: Option<Output>,
    /// Write raw RGBA pixels to standard output: 8 bits per component, top row first, no header. For ffmpeg,
    /// use -f rawvideo -pix_fmt rgba
    #[arg(long, conflicts_with = "output")]
    raw: bool,
    /// Size of the picture [default: the size in the scene]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Time in seconds
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: f32,
    /// Number of render threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Output colour to show: result.color[N] of a program with ARB_draw_buffers
    #[arg(long, value_name = "N", default_value = "0", value_parser = output_color())]
    color: u8,
    /// Layer of the framebuffer to show [default: the layer in the scene]
    #[arg(long, value_name = "N")]
    layer: Option<u32>,
    /// Print one or more pixels: x from the left, y from the bottom. Prints the four components in the type
    /// that the program writes, as decimals and as bits
    // `one_probe_a_flag` has split lists into one flag per pixel.
    #[arg(long, value_name = "X,Y", value_parser = parse_pixel, allow_hyphen_values = true)]
    probe: Vec<[u32; 2]>,
    /// Print the contents of a buffer or an image after the last frame. Can be given several times
    #[arg(long, value_name = "NAME")]
    buffer: Vec<String>,
    /// Skip the check for memory races, so that programs that write memory draw faster
    #[arg(long)]
    no_races: bool,
    #[command(flatten)]
    frames: Frames,
    #[command(flatten)]
    sequence: SequenceArguments,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), CliError> {
    let destination = if arguments.raw { Some(Output::Standard) } else { arguments.output.clone() };
    let destination = destination.as_ref();
    with_text([destination], out, |out| match arguments.sequence.is_asked_for() {
        true => draw_sequence(arguments, destination),
        false => draw(arguments, destination, out),
    })
}

/// Opens the scene and applies the options about the picture.
fn open_picture(arguments: &Arguments) -> Result<Picture, CliError> {
    let mut loaded = open(&arguments.target)?;
    loaded.job.time_secs = arguments.time;
    loaded.job.output_color = arguments.color;
    loaded.job.layer = check_layer(arguments.layer, &loaded.job.scene)?;
    loaded.job.finds_races = !arguments.no_races;
    if let Some(size) = arguments.size {
        loaded.job.size = size;
    }
    Ok(loaded)
}

/// Draws and writes a sequence of frames.
fn draw_sequence(arguments: &Arguments, destination: Option<&Output>) -> Result<(), CliError> {
    let threads = threads(arguments.threads)?;
    let sequence = arguments.sequence.sequence(&arguments.frames)?;
    let destination = Destination::new(destination, arguments.raw, &sequence)?;
    sequence::write(&open_picture(arguments)?, sequence, &threads, &destination)
}

fn draw(arguments: &Arguments, destination: Option<&Output>, out: &mut dyn Write) -> Result<(), CliError> {
    if let Some(Output::File(path)) = destination
        && !has_extension(path, "png")
        && files::is_replaced(path)
    {
        let words =
            "this file format is for a sequence of frames: add --to or --fps, or use .png for one picture";
        return Err(CliError::Usage(format!("{}: {words}", path.display())));
    }
    let threads = threads(arguments.threads)?;
    let mut loaded = open_picture(arguments)?;
    for &pixel in &arguments.probe {
        check_pixel(pixel, loaded.job.size)?;
    }
    let buffers = arguments.buffer.iter().map(|name| buffer(&loaded.job.scene, name));
    let buffers = buffers.collect::<Result<Vec<usize>, CliError>>()?;
    let old = arguments.frames.draw_all_but_the_last(&mut loaded, &threads)?;
    let set_up = SetUp::new(&loaded.programs, &loaded.job)?;
    let frame = set_up.render(&threads, &AtomicBool::new(false), old)?;
    notes(&frame).iter().for_each(|note| complain(&format!("note: {note}")));
    let types = set_up.color_types();
    let attachment = loaded.job.scene.attachments.iter().find(|other| other.number == arguments.color);
    for &[x, y] in &arguments.probe {
        if let Some(pixel) = frame.pixel([x, y]) {
            // The frame holds the colour after fog, blending, logical operation and colour mask, not the
            // register.
            let place = (frame.size(), frame.color_format());
            let bits = || set_up.call().output_color_at(place, [x, y]).unwrap_or(single_bits(pixel.color));
            let color = || format::vector(bits(), types);
            write!(out, "{x},{y}: {}", describe(pixel.status, color))?;
            if let Some(attachment) = attachment {
                let held = format::decimals(single_bits(pixel.color), frame.types());
                write!(out, ", {} {held}", attachment.format.name())?;
            }
            writeln!(out)?;
        }
    }
    for number in buffers {
        let (buffer, held) = (&loaded.job.scene.buffers[number], &frame.memory.after[number]);
        let feedback = loaded.job.scene.feedback.iter().position(|feedback| feedback.buffer == number);
        if let Some(vertices) = feedback.and_then(|feedback| frame.memory.captured.get(feedback)) {
            let vertices = format::counted(*vertices as usize, "vertex");
            writeln!(out, "{}: {vertices} recorded", buffer.name)?;
        }
        write!(out, "{}:", buffer.name)?;
        buffer_text::write_numbers(out, buffer_text::Content::of(&loaded.job.scene, number), held)?;
        writeln!(out)?;
    }
    // The picture may go to the same stream, so the text before it is written first.
    out.flush()?;
    match destination {
        Some(output) if arguments.raw => output.write(Content::Frames, &frame.to_rgba8()),
        Some(output) => output.write(Content::Frames, &frame.into_png()?),
        None => Ok(()),
    }
}

/// Returns the notes of a frame as sentences.
pub(super) fn notes(frame: &Frame) -> Vec<String> {
    let faults = frame.memory.faults.iter().map(|fault| {
        format!("line {} of the {}: {}", fault.line, fault.slot.program(), fault.diagnostic.message)
    });
    faults.chain(frame.note()).collect()
}

/// The number of the buffer called `name`.
fn buffer(scene: &Scene, name: &str) -> Result<usize, CliError> {
    scene.buffers.iter().position(|buffer| buffer.name == name).ok_or_else(|| {
        let names = scene.buffers.iter().map(|buffer| buffer.name.as_str());
        let hint = suggest::known(name, names, "buffers");
        CliError::Usage(format!("the scene has no buffer \"{name}\"{hint}"))
    })
}

/// Describes the colour output register, or the reason that there is none.
fn describe(status: PixelStatus, color: impl FnOnce() -> String) -> String {
    match status {
        PixelStatus::Written => color(),
        other => history::outcome(other).to_owned(),
    }
}
