//! Limits of the languages.

use crate::isa::{Language, Stage, VertexVersion};

/// What a version of the vertex languages has of registers and instructions (NV_vertex_program2
/// 2.14.1.2 to 2.14.1.4 and 2.14.1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// Temporary registers, `R0` on.
    pub temporaries: u8,
    /// Address registers, `A0` on.
    pub addresses: u8,
    /// Components that an address register has.
    pub address_components: u8,
    /// Program parameter registers, `c[0]` on.
    pub parameters: u16,
    /// The least and the greatest offset of a relative reference.
    pub offsets: (i64, i64),
    /// Instructions of a program that is not position-invariant.
    pub instructions: usize,
}

/// By how many instructions `OPTION NV_position_invariant` lowers the limit (NV_vertex_program2
/// 2.14.6.1).
pub const INVARIANT_INSTRUCTIONS: usize = 4;

/// The limits of a version.
pub const fn vertex(version: VertexVersion) -> Vertex {
    match version {
        VertexVersion::Vp1 | VertexVersion::Vp1_1 => Vertex {
            temporaries: 12,
            addresses: 1,
            address_components: 1,
            parameters: VP1_PARAMETERS as u16,
            offsets: (-64, 63),
            instructions: 128,
        },
        VertexVersion::Vp2 => Vertex {
            temporaries: 16,
            addresses: 2,
            address_components: 4,
            parameters: VP2_PARAMETERS as u16,
            offsets: (-256, 255),
            instructions: 256,
        },
    }
}

/// The least and the greatest offset of a relative reference of ARB programs: `<addrRegRelOffset>` of
/// ARB_vertex_program 2.14.2, any integer with NVIDIA's options (`<arrayMemRelOffset>` of NV_vertex_program2_option
/// 2.14.2, ruling 8), and `<addrRegPosOffset>` of NV_fragment_program2 3.11.2.
pub const fn arb_offsets(language: Language) -> (i64, i64) {
    match language {
        Language::ArbVp1Nv2 | Language::ArbVp1Nv3 => (i64::MIN, i64::MAX),
        Language::ArbVp1 => (-64, 63),
        _ => (0, 9),
    }
}

/// Executable instructions of `!!FP1.0` (ruling 11).
pub const INSTRUCTIONS: usize = 1024;
/// Temporary and output register halves of `!!FP1.0`.
pub const REGISTER_HALVES: usize = 64;
/// Numbered local parameters of `!!FP1.0`.
pub const NUMBERED_PARAMETERS: usize = 64;
/// Program parameter registers of the vertex languages before `!!VP2.0`.
pub const VP1_PARAMETERS: usize = 96;
/// Program parameter registers of `!!VP2.0`, and of a context.
pub const VP2_PARAMETERS: usize = 256;
/// Return addresses on the call stack.
pub const CALL_DEPTH: usize = 4;
/// Instructions that one invocation executes at most.
pub const EXECUTED: usize = 65536;
/// IF blocks that are active at a time, callers' included (NV_fragment_program2).
pub const IF_DEPTH: usize = 48;
/// LOOP and REP blocks that are active at a time, callers' included.
pub const LOOP_DEPTH: usize = 4;
/// The greatest loop count; more counts as so many (ruling 1 of NV_fragment_program2).
pub const LOOP_COUNT: u32 = 255;
/// Lights, `MAX_LIGHTS`.
pub const LIGHTS: u8 = 8;
/// User clip planes, `MAX_CLIP_PLANES`.
pub const CLIP_PLANES: u8 = 6;
/// Texture coordinate sets, `MAX_TEXTURE_COORDS_ARB`, each with a matrix and generation planes.
pub const TEXTURE_COORDS: u8 = 8;
/// Texture units with an environment, `MAX_TEXTURE_UNITS`.
pub const TEXTURE_UNITS: u8 = 8;
/// Program matrices, `MAX_PROGRAM_MATRICES_ARB`.
pub const PROGRAM_MATRICES: u8 = 8;
/// Draw buffers, `MAX_DRAW_BUFFERS_ARB`.
pub const DRAW_BUFFERS: u8 = 4;
/// Environment parameters of each ARB program target, `MAX_PROGRAM_ENV_PARAMETERS_ARB`.
pub const ENV_PARAMETERS: usize = VP2_PARAMETERS;
/// Local parameters of an ARB program, `MAX_PROGRAM_LOCAL_PARAMETERS_ARB`.
pub const LOCAL_PARAMETERS: usize = 256;
/// Texture image units that one vertex program may use, `MAX_VERTEX_TEXTURE_IMAGE_UNITS_ARB`.
pub const VERTEX_IMAGE_UNITS: usize = 4;

/// What programs of an ARB target may have of everything that they count (6.1.12 of both texts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arb {
    /// `MAX_PROGRAM_INSTRUCTIONS_ARB`
    pub instructions: usize,
    /// `MAX_PROGRAM_ALU_INSTRUCTIONS_ARB`
    pub alu_instructions: usize,
    /// `MAX_PROGRAM_TEX_INSTRUCTIONS_ARB`
    pub tex_instructions: usize,
    /// `MAX_PROGRAM_TEX_INDIRECTIONS_ARB`: as many as texture instructions, which means no limit.
    pub tex_indirections: usize,
    /// `MAX_PROGRAM_TEMPORARIES_ARB`
    pub temporaries: usize,
    /// `MAX_PROGRAM_PARAMETERS_ARB`
    pub parameters: usize,
    /// `MAX_PROGRAM_ATTRIBS_ARB`
    pub attributes: usize,
    /// `MAX_PROGRAM_ADDRESS_REGISTERS_ARB`
    pub addresses: usize,
}

/// The limits of a language's target. Queries name a target, so options change nothing of them.
pub const fn arb(language: Language) -> Arb {
    match language.stage() {
        Stage::Fragment => Arb {
            instructions: 1024,
            alu_instructions: 1024,
            tex_instructions: 1024,
            tex_indirections: 1024,
            temporaries: 64,
            parameters: 256,
            attributes: 12,
            addresses: 0,
        },
        Stage::Vertex | Stage::VertexState => Arb {
            instructions: 256,
            alu_instructions: 256,
            tex_instructions: 256,
            tex_indirections: 256,
            temporaries: 16,
            parameters: 256,
            attributes: 16,
            addresses: 2,
        },
    }
}
