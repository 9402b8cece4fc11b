//! Decodes bytes as calls on a [`Context`], and checks what must hold after any call. `targets::gl` runs
//! this.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_engine::gl::{
    ArrayPointer, ArrayType, Context, DrawCall, ErrorCode, Indices, Mask, Normalization, enums,
};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::{ArrayData, Clear, EdgeFlag, Framebuffer, Rect, Threads};
use shadestep_engine::texture::Texture;

use crate::support::random::Random;
use crate::support::textures;

/// Programs that calls load by index: one of each kind, with and without control flow, and one that does not
/// load.
const PROGRAMS: [&str; 12] = [
    "!!VP1.0 MOV o[HPOS], v[0]; MOV o[COL0], c[3]; END",
    "!!VP1.1 OPTION NV_position_invariant; MOV o[COL0], v[3]; END",
    "!!VP2.0 ARLC A0, v[0].x; BRA x (LT.x); MOV o[COL0], c[A0.x + 2]; x: MOV o[HPOS], v[0]; MOV o[PSIZ].x, c[4].x; END",
    "!!VP2.0 MOV o[HPOS], v[0]; MOV o[CLP0].x, v[0].y; MOV o[BFC0], v[1]; x: BRA x; END",
    "!!VSP1.0 MOV c[5], v[0]; MUL c[6], c[5], c[4]; END",
    "!!FP1.0 DECLARE tint; TEX R0, f[TEX0], TEX0, 2D; KIL LT.x; MUL o[COLR], R0, tint; MOV o[DEPR].z, f[WPOS].z; END",
    "!!ARBfp1.0 PARAM p = program.env[1]; TEMP a; TXP a, fragment.texcoord[1], texture[2], CUBE; MAD result.color, a, p, program.local[2]; END",
    "!!ARBfp1.0 OPTION ARB_draw_buffers; OPTION ARB_fog_linear; MOV result.color[1], fragment.color; MOV result.color, state.fog.color; END",
    "!!ARBfp1.0 OPTION NV_fragment_program2; TEMP a; MOV a, fragment.position; REP 255; REP 255; MAD a, a, a, 1; ENDREP; ENDREP; DDX a, a; MOV result.color, a; END",
    "!!ARBvp1.0 PARAM m[4] = { state.matrix.mvp }; DP4 result.position.x, m[0], vertex.position; MOV result.position.yzw, vertex.attrib[9]; MOV result.color, state.lightprod[0].diffuse; END",
    "!!ARBvp1.0 OPTION NV_vertex_program3; TEMP a; TXL a, vertex.texcoord[0], texture[0], 2D; MOV result.position, vertex.position; MOV result.texcoord[0], a; MOV result.pointsize.x, a.x; END",
    "!!FP1.0 MOV R0 END",
];

/// Constants that commands accept.
const CONSTANTS: [u32; 102] = {
    use enums::*;
    [
        VERTEX_PROGRAM_NV,
        VERTEX_STATE_PROGRAM_NV,
        FRAGMENT_PROGRAM_NV,
        FRAGMENT_PROGRAM_ARB,
        VERTEX_PROGRAM_POINT_SIZE_NV,
        VERTEX_PROGRAM_TWO_SIDE_NV,
        PROGRAM_FORMAT_ASCII_ARB,
        PROGRAM_STRING_ARB,
        PROGRAM_LENGTH_ARB,
        PROGRAM_BINDING_ARB,
        MAX_PROGRAM_INSTRUCTIONS_ARB,
        PROGRAM_TEMPORARIES_ARB,
        NONE,
        MODELVIEW,
        MODELVIEW + 1,
        MODELVIEW + 2,
        0x8629,
        0x862A,
        0x862B,
        0x862C,
        0x862D,
        0x8630,
        0x8631,
        0x88C0,
        FRONT_LEFT,
        AUX0,
        AUX3,
        0x8824,
        0x8825,
        // Primitives, faces, modes and comparisons.
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        0x0404,
        0x0405,
        0x0408,
        0x0900,
        0x0901,
        0x1B00,
        0x1B01,
        0x1B02,
        0x1D00,
        0x1D01,
        0x0200,
        0x0201,
        0x0202,
        0x0203,
        0x0204,
        0x0205,
        0x0206,
        0x0207,
        // Capabilities.
        0x0B71,
        0x0B90,
        0x0BC0,
        0x0BE2,
        0x0C11,
        0x0B44,
        0x8037,
        0x2A01,
        0x2A02,
        0x8642,
        0x8643,
        0x3000,
        0x3005,
        0x0B60,
        0x0BF2,
        0x8861,
        // Blending, stencil and logic.
        0x0302,
        0x0303,
        0x0306,
        0x8001,
        0x8006,
        0x8007,
        0x800A,
        0x800B,
        0x1E00,
        0x1E01,
        0x1E02,
        0x150A,
        0x8507,
        0x1500,
        0x1506,
        0x150F,
        // Arrays and lighting.
        0x8074,
        0x8075,
        0x8078,
        0x8558,
        0x1200,
        0x1600,
        0x0800,
        0x2601,
        0x4000,
        0x8650,
        0x8653,
        0x8660,
        RASTERIZER_DISCARD,
    ]
};

/// Width and height of the framebuffer in pixels.
const SIDE: u32 = 24;

/// A draw with more elements than this is prepared but not rendered.
const MOST_ELEMENTS: i32 = 400;

/// The most draws of one input that are rendered.
const MOST_DRAWS: usize = 12;

/// The unread bytes, from which calls take their arguments.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// Mostly a small number, sometimes any number.
    fn int(&mut self) -> i32 {
        match self.byte() {
            255 => i32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
            254 => i32::MIN,
            253 => i32::MAX,
            252 => -1,
            small => i32::from(small),
        }
    }

    fn unsigned(&mut self) -> u32 {
        self.int() as u32
    }

    fn constant(&mut self) -> u32 {
        let byte = usize::from(self.byte());
        CONSTANTS.get(byte).copied().unwrap_or_else(|| self.unsigned())
    }

    fn float(&mut self) -> f32 {
        const SPECIAL: [f32; 8] =
            [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE];
        match self.byte() {
            255 => f32::from_bits(self.unsigned()),
            special @ 247..=254 => SPECIAL[usize::from(special) - 247],
            small => (f32::from(small) - 123.0) / 32.0,
        }
    }

    fn floats<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.float())
    }

    fn doubles<const N: usize>(&mut self) -> [f64; N] {
        self.floats().map(f64::from)
    }

    fn data(&mut self) -> ArrayData {
        let count = self.below(40);
        match self.below(10) {
            8 => ArrayData::Int64((0..count).map(|_| i64::from(self.int()) << 20).collect()),
            9 => ArrayData::UnsignedInt64((0..count).map(|_| u64::from(self.unsigned()) << 20).collect()),
            0 => ArrayData::Byte((0..count).map(|_| self.byte() as i8).collect()),
            1 => ArrayData::UnsignedByte((0..count).map(|_| self.byte()).collect()),
            2 => ArrayData::Short((0..count).map(|_| self.int() as i16).collect()),
            3 => ArrayData::UnsignedShort((0..count).map(|_| self.int() as u16).collect()),
            4 => ArrayData::Int((0..count).map(|_| self.int()).collect()),
            5 => ArrayData::UnsignedInt((0..count).map(|_| self.unsigned()).collect()),
            6 => ArrayData::Double((0..count).map(|_| f64::from(self.float())).collect()),
            _ => ArrayData::Float((0..count).map(|_| self.float()).collect()),
        }
    }

    fn pointer(&mut self) -> ArrayPointer {
        ArrayPointer::Client { data: self.data(), offset: self.below(50) }
    }

    fn mask(&mut self) -> Mask {
        if self.below(2) == 0 { Mask::Keep } else { Mask::Write }
    }

    fn rect(&mut self) -> Rect {
        std::array::from_fn(|_| self.int())
    }
}

/// A texture with random texels and state. The bytes are the random source.
pub fn small_texture(bytes: &[u8], target: TextureTarget) -> Texture {
    textures::small(&mut Random::from(bytes), target)
}

/// Runs the calls that the bytes encode.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut context = Context::new();
    let mut target = Framebuffer::with_color_buffers(SIDE, SIDE, 4).expect("small");
    let mut draws = 0;
    while !bytes.0.is_empty() {
        let result = match bytes.byte() % 6 {
            5 => feedback(&mut context, &mut bytes),
            0 => programs(&mut context, &mut bytes),
            1 => state(&mut context, &mut bytes),
            2 => vertices(&mut context, &mut bytes),
            3 => elements_and_stacks(&mut context, &mut bytes),
            _ => {
                let (call, elements) = draw(&mut context, &mut bytes);
                if let Ok(call) = &call
                    && elements <= MOST_ELEMENTS
                    && draws < MOST_DRAWS
                {
                    draws += 1;
                    render(call, &mut target);
                    context.keep(call);
                }
                call.map(drop)
            }
        };
        check_errors(&mut context, result.err().map(|error| error.code), bytes.below(3) == 0);
    }
}

/// If `ask`, checks that the context reports an error since the last query, and reports one error only once
/// (glspec15 2.5).
fn check_errors(context: &mut Context, code: Option<ErrorCode>, ask: bool) {
    if ask && context.current_matrix().is_ok() {
        let told = context.get_error().map(|error| error.code);
        assert!(code.is_none() || told.is_some(), "an error is told");
        assert!(context.get_error().is_none(), "an error is told once");
    }
}

type Outcome = shadestep_engine::gl::Result<()>;

fn programs(gl: &mut Context, b: &mut Bytes<'_>) -> Outcome {
    match b.below(16) {
        0 | 1 => {
            let text = PROGRAMS[b.below(PROGRAMS.len())];
            gl.load_program(b.constant(), b.unsigned(), text.as_bytes())
        }
        2 | 3 => {
            let text = PROGRAMS[b.below(PROGRAMS.len())];
            gl.program_string(b.constant(), b.constant(), text.as_bytes())
        }
        4 => {
            let text = b.0[..b.0.len().min(60)].to_vec();
            gl.program_string(b.constant(), enums::PROGRAM_FORMAT_ASCII_ARB, (b.int(), &text[..]))
        }
        5 => gl.bind_program(b.constant(), b.unsigned()),
        6 => gl.bind_program_arb(b.constant(), b.unsigned()),
        7 => gl.delete_programs(&[b.unsigned(), b.unsigned()]),
        8 => gl.gen_programs(b.int() % 100).map(drop),
        9 => gl.execute_program(b.constant(), b.unsigned(), b.floats()),
        10 => gl.program_parameter4(b.constant(), b.unsigned(), b.floats()),
        11 => gl.program_env_parameter4(b.constant(), b.unsigned(), b.floats()),
        12 => gl.program_local_parameter4(b.constant(), b.unsigned(), b.floats()),
        13 => gl.program_named_parameter4(b.unsigned(), b"tint", b.floats()),
        14 => gl.get_program_iv(b.constant(), b.constant()).map(drop),
        _ => {
            gl.are_programs_resident((b.int(), &[1, 2][..]))?;
            gl.get_program_env_parameter(b.constant(), b.unsigned()).map(drop)
        }
    }
}

fn state(gl: &mut Context, b: &mut Bytes<'_>) -> Outcome {
    match b.below(48) {
        0..=4 => gl.enable(b.constant()),
        5 | 6 => gl.disable(b.constant()),
        7 => gl.viewport(b.rect()),
        8 => gl.scissor(b.rect()),
        9 => gl.depth_range(b.float(), b.float()),
        10 => gl.front_face(b.constant()),
        11 => gl.cull_face(b.constant()),
        12 => gl.polygon_mode(b.constant(), b.constant()),
        13 => gl.polygon_offset(b.float(), b.float()),
        14 => gl.shade_model(b.constant()),
        15 => gl.line_width(b.float()),
        16 => gl.point_size(b.float()),
        17 => gl.coord_replace(b.byte()),
        18 => gl.fog_mode(b.constant()),
        19 => gl.fog_density(b.float()),
        20 => gl.fog_range(b.float(), b.float()),
        21 => gl.alpha_func(b.constant(), b.float()),
        22 => gl.depth_func(b.constant()),
        23 => gl.depth_mask(b.mask()),
        24 => gl.color_mask(std::array::from_fn(|_| b.mask())),
        25 => gl.stencil_func_separate(b.constant(), b.constant(), b.int(), b.unsigned()),
        26 => gl.stencil_op_separate(b.constant(), b.constant(), b.constant(), b.constant()),
        27 => gl.stencil_mask_separate(b.constant(), b.unsigned()),
        28 => gl.blend_func_separate(b.constant(), b.constant(), b.constant(), b.constant()),
        29 => gl.blend_equation(b.constant()),
        30 => gl.blend_color(b.floats()),
        31 => gl.logic_op(b.constant()),
        32 => gl.matrix_mode(b.constant()),
        33 => gl.active_texture(b.unsigned()),
        34 => gl.load_matrix(&b.floats()),
        35 => gl.mult_matrix(&b.doubles()),
        36 => gl.rotate(b.float(), b.floats()),
        37 => gl.frustum(b.doubles()),
        38 => gl.ortho(b.doubles()),
        39 => gl.push_matrix(),
        40 => gl.pop_matrix(),
        41 => gl.track_matrix(b.constant(), b.unsigned(), b.constant(), b.constant()),
        42 => gl.light(b.unsigned(), b.constant(), b.floats()),
        43 => gl.light_position(b.unsigned(), b.floats()),
        44 => gl.clip_plane(b.unsigned(), b.doubles()),
        45 => gl.draw_buffers((b.int(), &[b.constant(), b.constant()][..])),
        46 => gl.material(b.constant(), b.constant(), b.floats()),
        _ => {
            let kinds: Vec<_> = TextureTarget::BASIC.into_iter().chain(TextureTarget::BASIC_SHADOW).collect();
            let random = &b.0[..b.0.len().min(8)];
            let texture = small_texture(random, kinds[b.below(kinds.len())]);
            gl.bind_texture(b.unsigned(), Some(Arc::new(texture)))
        }
    }
}

fn vertices(gl: &mut Context, b: &mut Bytes<'_>) -> Outcome {
    match b.below(16) {
        0 => gl.vertex_attrib_pointer(b.unsigned(), b.int(), b.int(), b.pointer()),
        1 => gl.vertex_attrib_i_pointer(b.unsigned(), b.int(), b.int(), b.pointer()),
        2 => gl.vertex_attrib_l_pointer(b.unsigned(), b.int(), b.int(), b.pointer()),
        3 => {
            let normalized = if b.below(2) == 0 { Normalization::Plain } else { Normalization::Normalized };
            gl.vertex_attrib_pointer_arb(b.unsigned(), b.int(), normalized, b.int(), b.pointer())
        }
        4 | 5 => gl.enable_client_state(b.constant()),
        6 => gl.disable_client_state(b.constant()),
        7 => gl.enable_vertex_attrib_array(b.unsigned()),
        8 => gl.primitive_restart_index(b.unsigned()),
        9 => gl.vertex_pointer(b.int(), b.int(), b.pointer()),
        10 => gl.tex_coord_pointer(b.int(), b.int(), b.pointer()),
        11 => gl.begin(b.constant()),
        12 => gl.vertex_attrib(b.unsigned(), b.floats::<4>()),
        13 => gl.vertex_attribs(b.unsigned(), &[b.floats::<3>(), b.floats()]),
        14 => gl.primitive_restart(),
        _ => {
            for _ in 0..b.below(8) {
                gl.vertex(b.floats::<3>())?;
            }
            Ok(())
        }
    }
}

/// Calls for array elements, interleaved arrays, edge flags, attribute stacks and the raster position.
fn elements_and_stacks(gl: &mut Context, b: &mut Bytes<'_>) -> Outcome {
    match b.below(16) {
        0 | 1 => gl.array_element(b.int()),
        2 => gl.interleaved_arrays(
            enums::V2F + u32::from(b.byte() % 16),
            b.int(),
            b.0[..b.0.len().min(90)].to_vec(),
        ),
        3 => gl.edge_flag_pointer(b.int(), b.pointer()),
        4 => gl.edge_flag(EdgeFlag::from(b.byte() % 2)),
        5 => gl.enable_client_state(enums::EDGE_FLAG_ARRAY),
        6 => gl.push_attrib(b.unsigned()),
        7 => gl.pop_attrib(),
        8 => gl.push_client_attrib(b.unsigned()),
        9 => gl.pop_client_attrib(),
        10 => gl.raster_pos(b.floats::<4>()),
        11 => gl.window_pos(b.floats::<3>()),
        12 => gl.color_material(b.constant(), b.constant()),
        13 => gl.tex_env_lod_bias(b.float()),
        14 => {
            let lists = [Indices::from(&[b.unsigned(), b.unsigned()][..]), Indices::from(&[b.byte()][..])];
            gl.prepare_multi_elements(b.constant(), &lists)?;
            gl.prepare_multi_arrays(b.constant(), &[[b.int(), b.int() % 100]]).map(drop)
        }
        _ => {
            let range = [b.unsigned(), b.unsigned()];
            gl.prepare_range_elements(b.constant(), range, &[b.byte(), b.byte()][..])?;
            gl.get_raster_position([SIDE, SIDE])?;
            gl.is_enabled(b.constant()).map(drop)
        }
    }
}

/// Calls for buffer objects, transform feedback and queries.
fn feedback(gl: &mut Context, b: &mut Bytes<'_>) -> Outcome {
    const ATTRIBS: [u32; 8] = [
        enums::POSITION,
        enums::PRIMARY_COLOR,
        enums::TEXTURE_COORD_NV,
        enums::CLIP_DISTANCE_NV,
        enums::VERTEX_ID_NV,
        enums::GENERIC_ATTRIB_NV,
        enums::LAYER_NV,
        enums::POINT_SIZE,
    ];
    const TARGETS: [u32; 3] =
        [enums::TRANSFORM_FEEDBACK_BUFFER, enums::ARRAY_BUFFER, enums::VERTEX_PROGRAM_PARAMETER_BUFFER_NV];
    let buffer = |b: &mut Bytes<'_>| TARGETS[b.below(TARGETS.len())];
    let mode = |b: &mut Bytes<'_>| [enums::INTERLEAVED_ATTRIBS, enums::SEPARATE_ATTRIBS][b.below(2)];
    let entries = |b: &mut Bytes<'_>| -> Vec<[i32; 3]> {
        let entry = |b: &mut Bytes<'_>| match b.below(12) {
            special @ 0..=5 => [-(special as i32) - 1, b.int(), b.int()],
            _ => [ATTRIBS[b.below(ATTRIBS.len())].cast_signed(), b.below(6) as i32, b.below(9) as i32],
        };
        (0..b.below(6)).map(|_| entry(b)).collect()
    };
    match b.below(20) {
        0 | 1 => {
            let target = buffer(b);
            gl.bind_buffer(target, b.unsigned())?;
            let bytes = vec![b.byte(); b.below(200)];
            gl.buffer_data(target, &bytes, enums::DYNAMIC_COPY)
        }
        2 => gl.bind_buffer_base(buffer(b), b.below(5) as u32, b.unsigned()),
        3 => gl.bind_buffer_range(buffer(b), b.below(5) as u32, b.unsigned(), b.int().into(), b.int().into()),
        4 => gl.bind_buffer_offset(buffer(b), b.below(5) as u32, b.unsigned(), b.int().into()),
        5 | 6 => gl.transform_feedback_attribs(&entries(b), mode(b)),
        7 => gl.transform_feedback_stream_attribs(&entries(b), &[b.int(), b.int()][..b.below(3)], mode(b)),
        8 | 9 => gl.begin_transform_feedback(b.constant()),
        10 => gl.end_transform_feedback(),
        11 => gl.pause_transform_feedback(),
        12 => gl.resume_transform_feedback(),
        13 => gl.gen_transform_feedbacks(b.int() % 4).map(drop),
        14 => gl.bind_transform_feedback(enums::TRANSFORM_FEEDBACK, b.unsigned()),
        15 => gl.delete_transform_feedbacks(&[b.unsigned(), b.unsigned()]),
        16 => gl.delete_buffers(&[b.unsigned(), b.unsigned()]),
        17 => gl.begin_query_indexed(enums::PRIMITIVES_GENERATED, b.below(5) as u32, b.unsigned()),
        18 => {
            gl.end_query_indexed(enums::PRIMITIVES_GENERATED, b.below(5) as u32)?;
            gl.get_query_object(b.unsigned()).map(drop)
        }
        _ => {
            let pointer = ArrayPointer::Buffer { ty: ArrayType::Float, offset: b.below(50) };
            gl.vertex_attrib_pointer(b.unsigned(), b.int(), b.int(), pointer)?;
            let count = gl.prepare_transform_feedback_stream(b.constant(), b.unsigned(), b.below(5) as u32);
            count.map(drop)
        }
    }
}

/// Prepares a draw. Returns the draw and its number of elements.
fn draw(gl: &mut Context, b: &mut Bytes<'_>) -> (shadestep_engine::gl::Result<DrawCall>, i32) {
    match b.below(5) {
        0 => (gl.end(), 0),
        1 => (gl.prepare_viewport_quad(), 0),
        2 | 3 => {
            let (mode, first, count) = (b.constant(), b.int(), b.int());
            (gl.prepare_arrays(mode, first, count), count)
        }
        _ => {
            let mode = b.constant();
            let indices: Vec<u32> = (0..b.below(64)).map(|_| b.unsigned()).collect();
            (gl.prepare_elements(mode, &indices[..]), 0)
        }
    }
}

/// Renders a draw, then records a pixel and a vertex as the debugger does.
fn render(call: &DrawCall, target: &mut Framebuffer) {
    let call = call.clone().after_clear(Clear::DEFAULT);
    let size = [SIDE, SIDE];
    let never = AtomicBool::new(false);
    call.render(target, &Threads::new(Some(1)), &never).expect("nothing cancels it");
    for fragment in call.fragments_at(size, [SIDE / 2, SIDE / 2]) {
        assert!(fragment.lane < 4);
    }
    let _one = call.shaded_vertex(size, 0, 0);
    let _none = call.shaded_vertex(size, u32::MAX, 0);
}
