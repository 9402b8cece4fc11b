//! Matrix commands with the formulas of glspec15 2.11.2, matrix stacks, and tracking (NV_vertex_program2
//! 2.14.7).

use super::super::{Context, ErrorCode, Matrix, MatrixMode, STACK_DEPTH, TrackedMatrix, Transform, enums};
use super::{raises, refuses};
use shadestep_language::isa::Stage::Vertex;

type Rows = [[f32; 4]; 4];

/// A matrix whose inverse is exact, in column-major order.
const M: [f32; 16] = [2.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 4.0, 8.0, 2.0, 1.0];
const ROWS: Rows = [[2.0, 0.0, 0.0, 4.0], [0.0, 4.0, 0.0, 8.0], [0.0, 0.0, 1.0, 2.0], [0.0, 0.0, 0.0, 1.0]];
const INVERSE: Rows =
    [[0.5, 0.0, 0.0, -2.0], [0.0, 0.25, 0.0, -2.0], [0.0, 0.0, 1.0, -2.0], [0.0, 0.0, 0.0, 1.0]];
const IDENTITY: Rows = Matrix::IDENTITY.rows;

fn transposed(rows: Rows) -> Rows {
    std::array::from_fn(|i| std::array::from_fn(|j| rows[j][i]))
}

/// The four registers from `address` on.
fn tracked(context: &Context, address: usize) -> Rows {
    std::array::from_fn(|i| context.program_parameters()[address + i])
}

fn current(context: &Context) -> Rows {
    context.current_matrix().expect("outside begin and end").rows
}

#[test]
fn every_transform_of_a_tracked_matrix_is_tracked_by_rows() {
    let mut context = Context::new();
    let expected = [ROWS, INVERSE, transposed(ROWS), transposed(INVERSE)];
    for (set, transform) in Transform::ALL.into_iter().enumerate() {
        let address = 4 * set as u32 + 100;
        context.track_matrix(Vertex, address, TrackedMatrix::Modelview, transform).expect("tracked");
    }
    for set in 0..4 {
        assert_eq!(tracked(&context, 100 + 4 * set), IDENTITY, "at once");
    }
    context.load_matrix(&M).expect("loaded");
    for (set, expected) in expected.into_iter().enumerate() {
        assert_eq!(tracked(&context, 100 + 4 * set), expected, "{:?}", Transform::ALL[set]);
    }
}

#[test]
fn every_matrix_can_be_tracked_and_is_followed() {
    let stacks = [
        (MatrixMode::Modelview, TrackedMatrix::Modelview),
        (MatrixMode::Projection, TrackedMatrix::Projection),
        (MatrixMode::Color, TrackedMatrix::Color),
        (MatrixMode::Texture, TrackedMatrix::TextureUnit(0)),
        (MatrixMode::Matrix(0), TrackedMatrix::Matrix(0)),
        (MatrixMode::Matrix(7), TrackedMatrix::Matrix(7)),
    ];
    for (mode, matrix) in stacks {
        let mut context = Context::new();
        for (set, (_, other)) in stacks.into_iter().enumerate() {
            context.track_matrix(Vertex, 4 * set as u32, other, Transform::Identity).expect("tracked");
        }
        context.matrix_mode(mode).expect("a mode");
        context.load_matrix(&M).expect("loaded");
        for (set, (_, other)) in stacks.into_iter().enumerate() {
            let expected = if other == matrix { ROWS } else { IDENTITY };
            assert_eq!(tracked(&context, 4 * set), expected, "{other:?} after {mode:?} changed");
        }
    }
}

#[test]
fn modelview_projection_is_projection_times_modelview() {
    let mut context = Context::new();
    let matrix = TrackedMatrix::ModelviewProjection;
    context.track_matrix(Vertex, 0, matrix, Transform::Identity).expect("tracked");
    context.translate([1.0, 2.0, 3.0]).expect("model-view");
    context.matrix_mode(MatrixMode::Projection).expect("a mode");
    context.scale([2.0, 3.0, 4.0]).expect("projection");
    let product = [[2.0, 0.0, 0.0, 2.0], [0.0, 3.0, 0.0, 6.0], [0.0, 0.0, 4.0, 12.0], [0.0, 0.0, 0.0, 1.0]];
    assert_eq!(tracked(&context, 0), product);
}

#[test]
fn texture_means_the_unit_that_is_active_when_tracking_begins() {
    let mut context = Context::new();
    context.active_texture(3).expect("a unit");
    context.track_matrix(Vertex, 0, enums::TEXTURE, enums::IDENTITY_NV).expect("tracked");
    let answer = context.get_track_matrix(Vertex, 0);
    assert_eq!(answer, Ok((TrackedMatrix::TextureUnit(3), Transform::Identity)));
    context.matrix_mode(MatrixMode::Texture).expect("a mode");
    context.active_texture(0).expect("a unit");
    context.load_matrix(&M).expect("texture matrix 0");
    assert_eq!(tracked(&context, 0), IDENTITY);
    context.active_texture(3).expect("a unit");
    context.load_matrix(&M).expect("texture matrix 3");
    assert_eq!(tracked(&context, 0), ROWS);
}

#[test]
fn untracked_registers_keep_what_they_tracked_last_and_can_be_set_again() {
    let mut context = Context::new();
    context.track_matrix(Vertex, 4, TrackedMatrix::Modelview, Transform::Identity).expect("tracked");
    context.load_matrix(&M).expect("loaded");
    context.track_matrix(Vertex, 4, TrackedMatrix::None, Transform::Identity).expect("untracked");
    context.load_identity().expect("changed");
    assert_eq!(tracked(&context, 4), ROWS);
    context.program_parameter4(Vertex, 4, [9.0f32; 4]).expect("free again");
    assert_eq!(context.get_program_parameter(Vertex, 4), Ok([9.0; 4]));
}

#[test]
fn a_matrix_without_an_inverse_tracks_as_zeros() {
    let mut context = Context::new();
    context.track_matrix(Vertex, 0, TrackedMatrix::Modelview, Transform::Inverse).expect("tracked");
    let matrix = TrackedMatrix::Modelview;
    context.track_matrix(Vertex, 4, matrix, Transform::InverseTranspose).expect("tracked");
    context.scale([1.0, 0.0, 1.0]).expect("singular");
    assert_eq!(tracked(&context, 0), [[0.0; 4]; 4]);
    assert_eq!(tracked(&context, 4), [[0.0; 4]; 4]);
    context.load_matrix(&[f32::NAN; 16]).expect("loaded");
    assert_eq!(tracked(&context, 0), [[0.0; 4]; 4]);
}

#[test]
fn inverses_are_inverses() {
    // An integer matrix with determinant 1, the product of two triangular ones. Its inverse has integers too.
    let mut context = Context::new();
    let upper = [1.0f32, 0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, -3.0, 1.0, 1.0, 0.0, 4.0, 5.0, -2.0, 1.0];
    let lower = [1.0f32, 3.0, -1.0, 2.0, 0.0, 1.0, 4.0, -2.0, 0.0, 0.0, 1.0, 5.0, 0.0, 0.0, 0.0, 1.0];
    context.load_matrix(&upper).expect("loaded");
    context.mult_matrix(&lower).expect("multiplied");
    let matrix = context.current_matrix().expect("current");
    assert_eq!(matrix.times(&matrix.inverse()).rows, IDENTITY);
    assert_eq!(matrix.inverse().times(&matrix).rows, IDENTITY);
}

#[test]
fn commands_multiply_from_the_right() {
    let mut context = Context::new();
    context.load_matrix(&M).expect("loaded");
    assert_eq!(current(&context), ROWS);
    assert_eq!(context.current_matrix().expect("current").to_columns(), M);
    context.translate([1.0, 1.0, 1.0]).expect("translated");
    let moved = [[2.0, 0.0, 0.0, 6.0], [0.0, 4.0, 0.0, 12.0], [0.0, 0.0, 1.0, 3.0], [0.0, 0.0, 0.0, 1.0]];
    assert_eq!(current(&context), moved);
    context.load_matrix(&M.map(f64::from)).expect("doubles");
    assert_eq!(current(&context), ROWS);
}

#[test]
fn rotations_turn_counter_clockwise_about_their_axis() {
    let mut context = Context::new();
    context.rotate(90.0, [0.0, 0.0, 5.0]).expect("rotated");
    // x goes to y, y to -x.
    let quarter = [[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    assert_eq!(current(&context), quarter);
    context.rotate(-450.0, [0.0, 0.0, 1.0]).expect("back again");
    assert_eq!(current(&context), IDENTITY);
    context.rotate(30.0, [0.0; 3]).expect("no direction");
    assert_eq!(current(&context), IDENTITY);
    context.rotate(30.0, [1.0, 0.0, 0.0]).expect("rotated");
    let [sin, cos] = [current(&context)[2][1], current(&context)[1][1]];
    assert!((sin - 0.5).abs() < 1e-7 && (cos - 0.75f32.sqrt()).abs() < 1e-7, "{sin} {cos}");
}

#[test]
fn frustum_and_ortho_are_the_matrices_of_the_text() {
    let mut context = Context::new();
    context.frustum([-1.0, 3.0, -2.0, 2.0, 1.0, 3.0]).expect("a frustum");
    let frustum = [[0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, -2.0, -3.0], [0.0, 0.0, -1.0, 0.0]];
    assert_eq!(current(&context), frustum);
    context.load_identity().expect("identity");
    context.ortho([-1.0, 3.0, -2.0, 2.0, 1.0, 3.0]).expect("a box");
    let ortho = [[0.5, 0.0, 0.0, -0.5], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, -1.0, -2.0], [0.0, 0.0, 0.0, 1.0]];
    assert_eq!(current(&context), ortho);
    for planes in
        [[1.0, 1.0, -1.0, 1.0, 1.0, 2.0], [-1.0, 1.0, 2.0, 2.0, 1.0, 2.0], [-1.0, 1.0, -1.0, 1.0, 2.0, 2.0]]
    {
        refuses(&mut context, ErrorCode::InvalidValue, |c| c.frustum(planes));
        refuses(&mut context, ErrorCode::InvalidValue, |c| c.ortho(planes));
    }
    for (near, far) in [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0)] {
        refuses(&mut context, ErrorCode::InvalidValue, |c| c.frustum([-1.0, 1.0, -1.0, 1.0, near, far]));
    }
}

#[test]
fn stacks_overflow_and_underflow_and_popping_is_tracked() {
    let mut context = Context::new();
    context.track_matrix(Vertex, 0, TrackedMatrix::Matrix(5), Transform::Identity).expect("tracked");
    context.matrix_mode(enums::MATRIX0_NV + 5).expect("a mode");
    refuses(&mut context, ErrorCode::StackUnderflow, Context::pop_matrix);
    context.push_matrix().expect("pushed");
    assert_eq!(context.current_matrix_stack_depth(), Ok(2));
    context.load_matrix(&M).expect("loaded");
    assert_eq!(tracked(&context, 0), ROWS);
    context.pop_matrix().expect("popped");
    assert_eq!(tracked(&context, 0), IDENTITY);
    for _ in 1..STACK_DEPTH {
        context.push_matrix().expect("room");
    }
    refuses(&mut context, ErrorCode::StackOverflow, Context::push_matrix);
    context.matrix_mode(MatrixMode::Color).expect("another stack");
    assert_eq!(context.current_matrix_stack_depth(), Ok(1));
}

#[test]
fn a_refused_command_leaves_the_mode_alone() {
    let mut context = Context::new();
    raises(&mut context, ErrorCode::InvalidEnum, |c| c.matrix_mode(enums::VERTEX_PROGRAM_NV));
    context.load_matrix(&M).expect("loaded");
    assert_eq!(context.matrix(TrackedMatrix::Modelview).map(|matrix| matrix.rows), Some(ROWS));
    assert_eq!(context.matrix(TrackedMatrix::None), None);
}
