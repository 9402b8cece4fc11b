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
//! The folder `examples/` has four short programs: `load`, `render`, `trace` and `debug`.
//!
//! The modules below are the engine's interface. The five crates below the facade have
//! more public items, which serve each other and change without notice.

/// Loads the text of a program: a checked [`ir::Program`], or diagnostics.
///
/// ```
/// use shadestep_engine::front;
///
/// let loaded = front::load(b"!!FP1.0\nMOVR o[COLR], f[TEX9];\nEND");
/// assert!(loaded.program.is_none());
/// assert_eq!(loaded.diagnostics[0].code.name(), "fp1-bad-attribute");
/// ```
pub mod front {
    pub use shadestep_ide::lint::load;
    pub use shadestep_language::front::{LANGUAGES, Loaded, MAX_DIAGNOSTICS, language_with_options, nearest};
}

/// Warnings about one program, and about the programs of a draw together. [`front::load`]
/// has the warnings about one program.
pub mod lint {
    pub use shadestep_ide::lint::{
        DrawState, Interface, RecordedResult, SharedImage, Stages, linked, with_warnings,
    };
}

/// Errors and warnings with their codes, places, notes and fixes.
///
/// ```
/// use shadestep_engine::{diag, front};
///
/// let text = b"!!FP1.0\nMOVR o[COLR], g[TEX0];\nEND";
/// let loaded = front::load(text);
/// let shown = diag::render_all(&loaded.diagnostics, text, "mine.fp");
/// assert!(shown.contains("mine.fp:2:15"));
/// ```
pub mod diag {
    /// The table of all codes: clauses, rule and example of each.
    pub mod codes {
        pub use shadestep_language::diag::codes::{Row, Topic, all, topics};
    }

    pub use shadestep_language::diag::render::render_all;
    pub use shadestep_language::diag::{
        Code, Diagnostic, Fix, Severity, code_spans, error_position, first_error, plain,
    };
}

/// Places in a text: spans of bytes, and lines with columns.
///
/// ```
/// use shadestep_engine::source::LineIndex;
///
/// let lines = LineIndex::new(b"!!FP1.0\nEND");
/// assert_eq!(lines.line_of(9), 1); // counted from 0
/// ```
pub mod source {
    pub use shadestep_language::source::{LineColumn, LineIndex, Span};
}

/// The lexer. Its tokens cover a text without gaps, whatever the text is.
pub mod syntax {
    pub use shadestep_language::syntax::{Lexer, TokenKind, is_word_byte};
}

/// The instruction table and the languages.
///
/// ```
/// use shadestep_engine::isa::{self, Language};
///
/// let (row, _suffixes) = isa::find(Language::Fp1, "MADR_SAT").ok_or("no instruction")?;
/// assert_eq!(row.mnemonic, "MAD");
/// # Ok::<(), &str>(())
/// ```
pub mod isa {
    pub use shadestep_language::isa::{
        ConditionNames, Group, Info, Language, Lookup, Opcode, ResultKind, Stage, TABLE, all, find,
        instructions, lookup,
    };
}

/// The typed program: declarations and instructions, as data.
///
/// ```
/// use shadestep_engine::{front, ir};
///
/// let program = front::load(b"!!FP1.0\nMOVR o[COLR], f[COL0].zyxw;\nEND").program.ok_or("it loads")?;
/// assert_eq!(program.instructions.len(), 1);
/// assert!(ir::disassemble(&program).contains("f[COL0].zyxw"));
/// # Ok::<(), &str>(())
/// ```
pub mod ir {
    /// The limits of programs and of state.
    pub use shadestep_language::ir::limits;
    pub use shadestep_language::ir::{
        Attribute, CcRegister, Components, Condition, Control, Declared, Element, Face, Flags, IMAGE_UNITS,
        ImageAccess, Index, Indirect, Instruction, Kind, LightProperty, MaterialProperty, MatrixName,
        Operand, OutputId, OutputPrimitive, OutputRole, ParamId, Parameter, ParameterSource, ProductProperty,
        Program, Real, Saturation, Source, StateVector, Subroutine, SubroutineVariable, Swizzle, Target,
        TempId, Temporary, TessellationMode, TexGenSpace, TextureTarget, Type, Value, Variable, VertexResult,
        decimal, disassemble, disassemble_instruction, float, pattern, single_bits, singles,
    };
}

/// The meaning of instructions.
pub mod semantics {
    /// The plan of an instruction: its component function and the types of its result.
    pub mod plan {
        pub use shadestep_language::semantics::plan::{Plan, ResultTypes};
    }
}

/// Runs one invocation of a program without a draw.
pub mod exec {
    pub use shadestep_core::exec::{
        Bindings, Cancelled, Finished, Mark, QuadInputs, Registers, Stream, VertexInputs, run_vertex,
    };
}

/// Buffers and images that programs read and write, checks of accesses, and reports.
pub mod memory {
    pub use shadestep_core::memory::{
        AddressBits, Addresses, BoundImage, BufferId, Bytes, Memory, Mode, Origin, Place, Reason, Report,
        Store, Transfer, Writers,
    };
}

/// Textures, samplers and lookups.
///
/// ```
/// use shadestep_engine::ir::TextureTarget;
/// use shadestep_engine::texture::{Format, Image, Sampler, Texture};
///
/// let texels = vec![255, 0, 0, 255, 0, 0, 255, 255];
/// let image = Image::from_rgba8([2, 1, 1], texels)?;
/// let texture = Texture::new(TextureTarget::D2, Format::Rgba8, vec![image.into()], Sampler::default())?;
/// assert_eq!(texture.texel(0, 0, [1, 0, 0]), Some([0.0, 0.0, 1.0, 1.0]));
/// # Ok::<(), shadestep_engine::texture::TextureError>(())
/// ```
pub mod texture {
    pub use shadestep_core::texture::{
        BaseFormat, BorderColor, Component, CubeEdges, DepthMode, DetailTrace, FetchedTexel, Format, Found,
        Image, ImageFormat, ImageShape, ImageSpec, Incomplete, Level, LevelTrace, LookupTrace,
        MAX_BUFFER_TEXELS, MAX_SIZE, MagFilter, MinFilter, NoTexel, Numbers, Probe, ResultComponent, Sampler,
        ShapeError, TexelSource, TexelTrace, Texture, TextureError, Wrap, chain,
    };
}

/// The framebuffer, the state of fragments, and the vertices and primitives of a draw.
pub mod pipeline {
    pub use shadestep_core::pipeline::{
        Apart, ArrayConversion, ArrayData, AttributeArray, AttributeSource, Blend, BlendEquation,
        BlendFactor, Blending, Camera, CameraError, Cancelled, Clear, ColorFormat, CompareFunc, CullFace,
        DepthState, Draw, EdgeFlag, EdgeFlags, Elements, Facing, FragmentTrace, Framebuffer,
        FramebufferError, FrontFace, Geometry, Hazard, HistoryFragment, Layers, LogicOp, Mesh, MeshParts,
        MultisampleState, PatchConflict, PatchDivision, Patches, PixelFragment, PixelHistory, PixelState,
        PixelStatus, PointState, PolygonMode, PolygonOffset, Primitive, RasterState, Recorded, Rect,
        SampleCoverage, SampleState, Samples, ShadeModel, ShadedVertex, Stats, Stencil, StencilFace,
        StencilOp, TessellatedPrimitive, TessellationLevels, Test, Tested, Threads, VertexInput,
        assemble_emitted, each_primitive, each_simple_primitive, shaded_vertices, vertex_attributes,
    };
}

/// The object model of the specifications: commands and state under their own names.
///
/// ```
/// use shadestep_engine::gl::{Context, ErrorCode, enums};
///
/// let mut context = Context::new();
/// let error = context.enable(enums::V2F).expect_err("V2F is a format of arrays");
/// assert_eq!(error.code, ErrorCode::InvalidEnum);
/// ```
pub mod gl {
    /// The named constants.
    pub use shadestep_gl::enums;
    pub use shadestep_gl::{
        ArrayPointer, ArrayType, BufferTarget, BufferUsage, Cap, Checkpoints, ClientState, Context,
        Coordinate, CoverageInversion, DrawBuffer, DrawCall, Error, ErrorCode, FeedbackMode, FogEquation,
        FragmentStage, Indices, Integers, LightColor, LightNumber, Limit, Longs, MOST_BUFFER_BYTES,
        MOST_ELEMENTS, Mask, MaterialColor, Matrix, MatrixMode, MemoryBefore, NEXT_BUFFER_NV, Normalization,
        PatchLevels, PatchNumber, Recorders, Result, TrackedMatrix, Transform, feedback_attrib, strided,
    };
}

/// Recordings of one invocation, cursors over their steps, expressions about registers, and the ancestry of
/// values.
///
/// ```
/// use shadestep_engine::debug::expression::Expression;
/// use shadestep_engine::front;
///
/// let program = front::load(b"!!FP1.0\nMOVR R0, f[COL0];\nMOVR o[COLR], R0;\nEND").program.ok_or("it loads")?;
/// assert!(Expression::parse("R0.x > 0.5", &program).is_ok());
/// assert!(Expression::parse("R0.q > 0.5", &program).is_err());
/// # Ok::<(), &str>(())
/// ```
pub mod debug {
    /// The ancestry of a value: the steps that it depends on.
    pub mod ancestry {
        pub use shadestep_core::debug::ancestry::{Ancestry, AncestryError, Goal, ValueAt, Way};
    }

    /// Expressions about registers, for watches and conditions.
    pub mod expression {
        pub use shadestep_core::debug::expression::{
            Component, Expression, ExpressionError, Number, Outcome, Place, Value, Values, register_names,
        };
    }

    pub use shadestep_core::debug::{
        Change, Cursor, Edit, Ended, Here, Looked, LookupStep, LoopEffect, LoopFrame, MAX_CHECKPOINT_BYTES,
        OperandStep, QuadStep, Recording, Refusal, Register, Relative, StackEffect, State, Step, Subject,
    };
}

/// Frame queries: values and counts of a recording, for all fragments of a draw. See
/// [`DrawCall::query_frame`](crate::gl::DrawCall::query_frame).
pub mod query {
    pub use shadestep_core::query::{
        FrameAnswer, FrameQueryError, ProgramPoint, Question, Run, Tally, Target, types,
    };
}

/// Answers to an editor's questions, as plain data.
///
/// ```
/// use shadestep_engine::ide;
///
/// let text = b"!!FP1.0\nMOVR o[COLR], f[CO";
/// let offered = ide::completions(text, text.len());
/// assert!(offered.iter().any(|completion| completion.label == "COL0"));
/// ```
pub mod ide {
    /// Computed examples of instructions.
    pub mod example {
        pub use shadestep_explain::example::{
            BUFFER, Example, IMAGE_SIDE, SpecialCase, example, examples, image_format,
        };
    }

    pub use shadestep_explain::{
        Block, Computed, Explanation, explain, explain_instruction, instruction_at, markdown, page, reference,
    };
    pub use shadestep_ide::{
        Access, Completion, Hover, Lexicon, Refusal, Symbol, Token, TokenKind, completions, format,
        highlight, highlight_line, hover, outline, rename, renamed, symbol,
    };
}

/// The instruction sets and back ends that the engine has.
pub mod processor {
    pub use shadestep_core::processor::{Cpu, VARIABLE};
}
