//! Shadestep's engine: NVIDIA's assembly shader languages from text to pixels, and back to the step that made
//! a pixel.
//!
//! The engine loads programs, draws pictures with them on the CPU, and records any fragment, vertex,
//! primitive or patch so that you can step through it in both directions. It has no UI, reads no files and
//! prints nothing.
//!
//! # Draw a picture
//!
//! A [`gl::Context`] has the commands of the specifications under their own names. A [`gl::DrawCall`] owns
//! all the data that it reads. It draws to a [`pipeline::Framebuffer`] as often as you like.
//!
//! ```
//! use shadestep_engine::gl::{Context, enums};
//! use shadestep_engine::isa::Stage;
//! use shadestep_engine::pipeline::{Framebuffer, Threads};
//! use std::sync::atomic::AtomicBool;
//!
//! let text = b"!!ARBfp1.0\nMUL result.color, fragment.texcoord[0], 0.5;\nEND";
//! let mut context = Context::new();
//! context.program_string(Stage::Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, &text[..])?;
//! context.enable(enums::FRAGMENT_PROGRAM_ARB)?;
//!
//! let call = context.prepare_viewport_quad()?;
//! let mut picture = Framebuffer::new(4, 4)?;
//! call.render(&mut picture, &Threads::new(None), &AtomicBool::new(false))?;
//!
//! // The centre of the pixel at (3, 0), counted from the lower left, is at (3.5 / 4, 0.5 / 4).
//! let place = picture.index(3, 0).ok_or("outside the picture")?;
//! assert_eq!(picture.color.at(place), [0.4375, 0.0625, 0.0, 0.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Step through a pixel
//!
//! A [`debug::Recording`] runs one invocation. A [`debug::Cursor`] goes to any of its steps.
//!
//! ```
//! # use shadestep_engine::gl::{Context, enums};
//! # use shadestep_engine::isa::Stage;
//! use shadestep_engine::debug::{Cursor, Recording};
//! use shadestep_engine::gl::FragmentStage;
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! # let text = b"!!ARBfp1.0\nMUL result.color, fragment.texcoord[0], 0.5;\nEND";
//! # let mut context = Context::new();
//! # context.program_string(Stage::Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, &text[..])?;
//! # context.enable(enums::FRAGMENT_PROGRAM_ARB)?;
//! let call = context.prepare_viewport_quad()?;
//! let FragmentStage::Program(stage) = call.fragment_stage() else { return Err("no program".into()) };
//! let pixel = [3, 0];
//! let fragment = call.fragments_at([4, 4], pixel).pop().ok_or("nothing covers the pixel")?;
//! let bindings = Arc::new(stage.bindings().clone());
//! let place = (fragment.lane, pixel);
//! let recording =
//!     Recording::of_fragment(stage.program(), &bindings, fragment.inputs(), place, &AtomicBool::new(false))?;
//!
//! let mut cursor = Cursor::new(&recording);
//! cursor.seek(&recording, recording.len());
//! let last = cursor.previous().ok_or("no steps")?;
//! assert_eq!(f32::from_bits(last.changes[0].after as u32), 0.4375); // result.color.x, as drawn
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! * [`front`] turns text into an [`ir::Program`] or [`diag::Diagnostic`]s; [`lint`] adds warnings.
//! * [`isa`] has the instruction table and the profile of each language.
//! * [`exec`] runs programs: one invocation at a time for the debugger, or 64 at a time for pictures.
//!   Both give the same bits.
//! * [`texture`] and [`memory`] give programs textures, buffers and images.
//! * [`pipeline`] turns vertices into fragments, and fragments into pixels. [`gl`] is the object model around
//!   the pipeline.
//! * [`debug`] steps through one invocation; [`query`] asks about every pixel of a picture.
//! * [`ide`] answers an editor's questions: highlighting, completion, hover text, renaming.
//! * [`num`] has the number formats, and [`processor`] the instruction sets that the engine has code for.
//!
//! The folder `examples/` has four short programs: `load`, `render`, `trace` and `debug`.

pub use shadestep_core::{debug, exec, memory, pipeline, processor, query, subject, texture};
pub use shadestep_gl as gl;
pub use shadestep_ide::lint;
pub use shadestep_language::{diag, ir, isa, num, semantics, source, syntax};

/// Front ends: program text to a checked program, or diagnostics.
pub mod front {
    pub use shadestep_ide::lint::load;
    pub use shadestep_language::front::{LANGUAGES, Loaded, MAX_DIAGNOSTICS, language_with_options, nearest};
}

/// Answers to an editor's questions, as plain data.
pub mod ide {
    pub use shadestep_explain::*;
    pub use shadestep_ide::*;
}
