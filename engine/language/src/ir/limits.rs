//! Implementation limits of a context and limits that several languages share. Limits of a single language
//! are in its [`crate::isa::Profile`].

use crate::isa::{Language, Limits};

const FP1: Limits = Language::Fp1.profile().limits;

/// The number of instructions by which `OPTION NV_position_invariant` lowers the limit (NV_vertex_program2
/// 2.14.6.1).
pub const INVARIANT_INSTRUCTIONS: usize = 4;

/// Executable instructions of `!!FP1.0` (ruling 11).
pub const INSTRUCTIONS: usize = FP1.instructions;
/// Temporary and output register halves of `!!FP1.0`.
pub const REGISTER_HALVES: usize = 2 * FP1.temporaries;
/// Numbered local parameters of `!!FP1.0`.
pub const NUMBERED_PARAMETERS: usize = FP1.local_parameters;
/// Program parameter registers of the vertex languages before `!!VP2.0`.
pub const VP1_PARAMETERS: usize = Language::Vp1.profile().limits.parameters;
/// Program parameter registers of `!!VP2.0`, and of a context.
pub const VP2_PARAMETERS: usize = Language::Vp2.profile().limits.parameters;
/// Lights, `MAX_LIGHTS`.
pub const LIGHTS: u8 = 8;
/// User clip planes, `MAX_CLIP_PLANES`.
pub const CLIP_PLANES: u8 = 8;
/// Texture coordinate sets, `MAX_TEXTURE_COORDS_ARB`, each with a matrix and generation planes.
pub const TEXTURE_COORDS: u8 = 8;
/// Texture units with an environment, `MAX_TEXTURE_UNITS`.
pub const TEXTURE_UNITS: u8 = 8;
/// Program matrices, `MAX_PROGRAM_MATRICES_ARB`.
pub const PROGRAM_MATRICES: u8 = 8;
/// Draw buffers, `MAX_DRAW_BUFFERS_ARB`.
pub const DRAW_BUFFERS: u8 = 4;
/// Draw buffers while blending uses a second source colour, `MAX_DUAL_SOURCE_DRAW_BUFFERS`.
pub const DUAL_SOURCE_DRAW_BUFFERS: u8 = 1;
/// Environment parameters of each ARB program target, `MAX_PROGRAM_ENV_PARAMETERS_ARB`.
pub const ENV_PARAMETERS: usize = VP2_PARAMETERS;
/// Local parameters of an ARB program, `MAX_PROGRAM_LOCAL_PARAMETERS_ARB`.
pub const LOCAL_PARAMETERS: usize = Language::ArbVp1.profile().limits.local_parameters;
/// Texture image units that one vertex program may use, `MAX_VERTEX_TEXTURE_IMAGE_UNITS_ARB`.
pub const VERTEX_IMAGE_UNITS: usize = 4;
/// Binding points for parameter buffers of a program target, `MAX_PROGRAM_PARAMETER_BUFFER_BINDINGS_NV`.
pub const PARAMETER_BUFFERS: usize = 14;
/// Size in bytes of a parameter buffer, four times `MAX_PROGRAM_PARAMETER_BUFFER_SIZE_NV`.
pub const PARAMETER_BUFFER_BYTES: u32 = 4 * 16384;
/// Program subroutine parameters of a program target, `MAX_PROGRAM_SUBROUTINE_PARAMETERS_NV`.
pub const SUBROUTINE_PARAMETERS: usize = 1024;
/// Image units of a context, `MAX_IMAGE_UNITS_EXT`.
pub const IMAGE_UNITS: usize = 8;
/// Samples of a texel of an image, `MAX_IMAGE_SAMPLES_EXT`.
pub const IMAGE_SAMPLES: u8 = 16;
/// SUBROUTINENUMs are less than this, `MAX_PROGRAM_SUBROUTINE_NUM_NV`.
pub const SUBROUTINE_NUMBERS: usize = 256;
/// Maximum number of vertices that a geometry program invocation emits, `MAX_PROGRAM_OUTPUT_VERTICES_NV`.
pub const OUTPUT_VERTICES: usize = 1024;
/// Maximum number of components that a geometry program invocation emits,
/// `MAX_PROGRAM_TOTAL_OUTPUT_COMPONENTS_NV`.
pub const OUTPUT_COMPONENTS: usize = 1024;
/// Maximum number of vertices of a patch, `MAX_PATCH_VERTICES`.
pub const PATCH_VERTICES: u8 = 32;
/// Generic attributes of a patch, `MAX_PROGRAM_PATCH_ATTRIBS_NV`.
pub const PATCH_ATTRIBUTES: u8 = 30;
/// Maximum number of geometry program invocations per primitive, `MAX_GEOMETRY_PROGRAM_INVOCATIONS_NV`.
pub const GEOMETRY_INVOCATIONS: u32 = 32;
/// The greatest tessellation level, `MAX_TESS_GEN_LEVEL`.
pub const TESSELLATION_LEVEL: u32 = 64;
/// Vertex streams, `MAX_VERTEX_STREAMS`.
pub const VERTEX_STREAMS: u8 = 4;
/// Clip distances that fragment programs can read and vertex programs of NV_gpu_program4 can write.
pub const CLIP_DISTANCES: u8 = 8;
/// Generic interpolants (NV_vertex_program4, NV_fragment_program4).
pub const GENERIC_INTERPOLANTS: u8 = 32;
/// Components of results that a program of NV_gpu_program4 can write, `MAX_PROGRAM_RESULT_COMPONENTS_NV`.
pub const RESULT_COMPONENTS: usize = 128;
/// The greatest offset of IPAO in pixels, `MAX_FRAGMENT_INTERPOLATION_OFFSET_NV`; `MIN_...` is its negative.
pub const INTERPOLATION_OFFSET: f32 = 0.5;
/// Fraction bits of an IPAO offset, `FRAGMENT_PROGRAM_INTERPOLATION_OFFSET_BITS_NV`.
pub const INTERPOLATION_OFFSET_BITS: usize = 10;
/// The greatest size of a point, `POINT_SIZE_MAX`.
pub const POINT_SIZE: f32 = 256.0;
