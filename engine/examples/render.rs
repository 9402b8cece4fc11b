//! Draws a fragment program over the whole window and writes the picture as a PPM file.
//!
//! ```sh
//! cargo run --release -p shadestep-engine --example render -- rings.ppm
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::sync::atomic::AtomicBool;

use shadestep_engine::gl::{Context, enums};
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::{Clear, Framebuffer, Threads};

/// Rings around the centre. `fragment.texcoord` goes from 0 to 1 across the window.
const TEXT: &str = "\
!!ARBfp1.0
PARAM time = program.local[0];
TEMP p;
SUB p.xy, fragment.texcoord[0], 0.5;
MUL p.xy, p, p;
ADD p.x, p.x, p.y;
MAD p.x, p.x, 120.0, -time.x;
SIN p.x, p.x;
MAD result.color, p.x, { 0.5, 0.3, 0.1, 0.0 }, { 0.5, 0.4, 0.3, 1.0 };
END
";

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name the file to write, such as rings.ppm")?;

    // A context has the commands of OpenGL under their own names. Load a program, enable its stage, set a
    // parameter.
    let mut context = Context::new();
    context.program_string(Stage::Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, TEXT.as_bytes())?;
    context.enable(enums::FRAGMENT_PROGRAM_ARB)?;
    context.program_local_parameter4(Stage::Fragment, 0, [1.5, 0.0, 0.0, 0.0])?;

    // A draw call owns all that it reads. Draw it as often as you like, at any size.
    let call = context.prepare_viewport_quad()?.after_clear(Clear::DEFAULT);
    let mut picture = Framebuffer::new(320, 240)?;

    // `None` uses all cores. The picture has the same bits with any number of threads. Set `cancel` from
    // another thread to stop early.
    let cancel = AtomicBool::new(false);
    call.render(&mut picture, &Threads::new(None), &cancel)?;

    // Colours are fp32 until you ask for bytes.
    let mut file = BufWriter::new(File::create(path)?);
    write!(file, "P6\n{} {}\n255\n", picture.width(), picture.height())?;
    for pixel in picture.to_rgba8().chunks_exact(4) {
        file.write_all(&pixel[..3])?;
    }
    file.flush()?;
    Ok(())
}
