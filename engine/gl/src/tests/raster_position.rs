//! The current raster position.

use super::super::{Context, ErrorCode, MatrixMode, RasterPosition, enums};
use super::{refused_between, refuses};
use shadestep_language::isa::Stage;

const SIZE: [u32; 2] = [8, 4];

fn position(context: &Context) -> RasterPosition {
    context.get_raster_position(SIZE).expect("a position")
}

#[test]
fn it_begins_as_the_text_says() {
    let initial = RasterPosition {
        position: [0.0, 0.0, 0.0, 1.0],
        is_valid: true,
        distance: 0.0,
        color: [1.0; 4],
        secondary_color: [0.0, 0.0, 0.0, 1.0],
        texture_coordinates: [[0.0, 0.0, 0.0, 1.0]; 8],
    };
    assert_eq!(position(&Context::new()), initial);
}

#[test]
fn the_fixed_function_transformation_takes_it_into_the_window() {
    let mut context = Context::new();
    context.matrix_mode(MatrixMode::Projection).expect("a mode");
    // z = -2 z_e - 3 w_e, w = -z_e.
    context.frustum([-1.0, 1.0, -1.0, 1.0, 1.0, 3.0]).expect("projection");
    context.matrix_mode(MatrixMode::Texture).expect("a mode");
    context.active_texture(2).expect("a unit");
    context.scale([2.0, 3.0, 4.0]).expect("texture matrix 2");
    context.color([0.5, 2.0, -1.0, 0.25]).expect("set");
    context.secondary_color([0.25, 0.5, 3.0]).expect("set");
    context.multi_tex_coord(2, [1.0f32, 1.0, 1.0]).expect("set");
    context.depth_range(0.25, 0.75).expect("set");
    context.raster_pos([1.0f32, -0.5, -2.0]).expect("set");
    let expected = |x, y| RasterPosition {
        // x_d = 1/2, y_d = -1/4, z_d = 1/2.
        position: [x, y, 0.5 * 0.25 + 0.5, 2.0],
        is_valid: true,
        distance: 2.0,
        color: [0.5, 1.0, 0.0, 0.25],
        secondary_color: [0.25, 0.5, 1.0, 1.0],
        texture_coordinates: std::array::from_fn(|set| match set {
            2 => [2.0, 3.0, 4.0, 1.0],
            _ => [0.0, 0.0, 0.0, 1.0],
        }),
    };
    assert_eq!(position(&context), expected(6.0, 1.5), "the viewport is the window until one is set");
    context.viewport([10, 20, 4, 8]).expect("set");
    assert_eq!(position(&context), expected(6.0, 1.5), "that of its time");
    context.raster_pos([1.0f32, -0.5, -2.0]).expect("set");
    assert_eq!(position(&context), expected(10.0 + 3.0, 20.0 + 3.0));
}

#[test]
fn it_is_valid_within_the_clip_volume() {
    let mut context = Context::new();
    let valid = |context: &mut Context, at: [f32; 4]| {
        context.raster_pos(at).expect("set");
        position(context).is_valid
    };
    for (at, inside) in [
        ([1.0, 1.0, 1.0, 1.0], true),
        ([-1.0, -1.0, -1.0, 1.0], true),
        ([1.5, 0.0, 0.0, 1.0], false),
        ([0.0, -1.5, 0.0, 1.0], false),
        ([0.0, 0.0, 1.5, 1.0], false),
        ([1.5, 0.0, 0.0, 2.0], true),
        ([0.0, 0.0, 0.0, -1.0], false),
        ([0.0, 0.0, 0.0, 0.0], false),
        ([f32::NAN, 0.0, 0.0, 1.0], false),
    ] {
        assert_eq!(valid(&mut context, at), inside, "{at:?}");
        if !inside {
            // Undefined values are zeros here.
            let zeros = RasterPosition {
                position: [0.0; 4],
                is_valid: false,
                distance: 0.0,
                color: [0.0; 4],
                secondary_color: [0.0; 4],
                texture_coordinates: [[0.0; 4]; 8],
            };
            assert_eq!(position(&context), zeros);
        }
    }
    context.clip_plane(1, [1.0, 0.0, 0.0, -0.5]).expect("set");
    context.enable(enums::CLIP_PLANE0 + 1).expect("enabled");
    assert!(!valid(&mut context, [0.25, 0.0, 0.0, 1.0]));
    assert!(valid(&mut context, [0.75, 0.0, 0.0, 1.0]));
    // Depth clamping disables near and far clipping, and clamps z (NV_depth_clamp 2.12).
    context.enable(enums::DEPTH_CLAMP_NV).expect("enabled");
    context.depth_range(0.75, 0.25).expect("set");
    for (z, expected) in [(5.0, 0.25), (-5.0, 0.75), (0.0, 0.5)] {
        assert!(valid(&mut context, [0.75, 0.0, z, 1.0]));
        assert_eq!(position(&context).position[2], expected);
    }
}

#[test]
fn a_vertex_program_decides_it() {
    let mut context = Context::new();
    let text = b"!!VP2.0\nADD o[HPOS], v[OPOS], c[0];\nMOV o[COL0], v[9];\nMOV o[FOGC].x, c[1].y;\n\
        MOV o[TEX3], v[OPOS];\nMOV o[CLP2].x, c[1].z;\nEND";
    context.load_program(Stage::Vertex, 1, text).expect("loaded");
    context.bind_program(Stage::Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    context.program_parameter4(Stage::Vertex, 0, [0.5f32, 0.0, 0.0, 0.0]).expect("set");
    context.program_parameter4(Stage::Vertex, 1, [0.0f32, 7.0, -1.0, 0.0]).expect("set");
    context.vertex_attrib(9, [0.25f32, 0.5, 0.75, 2.0]).expect("set");
    context.raster_pos([0.0f32, 0.5]).expect("set");
    let found = position(&context);
    // x_d = y_d = 1/2.
    assert_eq!((found.position, found.is_valid, found.distance), ([6.0, 3.0, 0.5, 1.0], true, 7.0));
    assert_eq!((found.color, found.secondary_color), ([0.25, 0.5, 0.75, 1.0], [0.0, 0.0, 0.0, 1.0]));
    assert_eq!(found.texture_coordinates[3], [0.0, 0.5, 0.0, 1.0]);
    // Clip distances of the program clip while the planes are enabled.
    context.enable(enums::CLIP_PLANE0 + 2).expect("enabled");
    context.raster_pos([0.0f32, 0.5]).expect("set");
    assert!(!position(&context).is_valid);
    // The bound program does not exist (NV_vertex_program2 and ARB_vertex_program Errors).
    context.bind_program(Stage::Vertex, 5).expect("bound");
    refuses(&mut context, ErrorCode::InvalidOperation, |c| c.raster_pos([0.0f32, 0.0]));
}

#[test]
fn window_positions_are_taken_as_they_are() {
    let mut context = Context::new();
    context.translate([5.0, 5.0, 5.0]).expect("model-view");
    context.depth_range(0.25, 0.75).expect("set");
    context.color([2.0, 0.5, 0.25, -1.0]).expect("set");
    context.multi_tex_coord(1, [3.0f32, 4.0]).expect("set");
    for (given, z) in [(0.5, 0.5), (-3.0, 0.25), (0.0, 0.25), (1.0, 0.75), (9.0, 0.75)] {
        context.window_pos([100.5f32, -7.0, given]).expect("set");
        assert_eq!(position(&context).position, [100.5, -7.0, z, 1.0]);
    }
    context.window_pos([1i16, 2]).expect("set");
    let found = position(&context);
    assert_eq!((found.position, found.is_valid, found.distance), ([1.0, 2.0, 0.25, 1.0], true, 0.0));
    assert_eq!(found.color, [1.0, 0.5, 0.25, 0.0]);
    assert_eq!(found.texture_coordinates[1], [3.0, 4.0, 0.0, 1.0]);
    refused_between(&mut context, |c| c.window_pos([1.0f32, 2.0]));
    refused_between(&mut context, |c| c.raster_pos([1.0f32, 2.0]));
    refused_between(&mut context, |c| c.get_raster_position(SIZE));
}
