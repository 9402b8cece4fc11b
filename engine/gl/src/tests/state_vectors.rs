//! The values of all state that ARB programs can bind. Expected values are computed by hand from the tables
//! (ARB_vertex_program X.3.2 to X.3.8, ARB_fragment_program X.2.2 to X.2.7) and from glspec15.

use super::super::{
    Context, Coordinate, ErrorCode, FogEquation, LightColor, LightNumber, MaterialColor, MatrixMode,
    PointParameter, enums,
};
use super::{raises, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{CullFace, Primitive};
use shadestep_language::ir::{
    Face, LightProperty, MaterialProperty, MatrixName, MatrixTransform, ProductProperty, StateVector,
    TexGenPlane, TexGenSpace,
};

type Rows = [[f32; 4]; 4];

/// Scaling by 2, 4, 8, then translation by 1, 2, 3.
const MODELVIEW: Rows =
    [[2.0, 0.0, 0.0, 1.0], [0.0, 4.0, 0.0, 2.0], [0.0, 0.0, 8.0, 3.0], [0.0, 0.0, 0.0, 1.0]];
const MODELVIEW_INVERSE: Rows =
    [[0.5, 0.0, 0.0, -0.5], [0.0, 0.25, 0.0, -0.5], [0.0, 0.0, 0.125, -0.375], [0.0, 0.0, 0.0, 1.0]];
/// Maps to (2y, 4x, w, -z).
const PROJECTION: Rows =
    [[0.0, 2.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -1.0, 0.0]];
const PROJECTION_INVERSE: Rows =
    [[0.0, 0.25, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 1.0, 0.0]];
/// Projection times model-view.
const MVP: Rows = [[0.0, 8.0, 0.0, 4.0], [8.0, 0.0, 0.0, 4.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -8.0, -3.0]];
const MVP_INVERSE: Rows =
    [[0.0, 0.125, -0.5, 0.0], [0.125, 0.0, -0.5, 0.0], [0.0, 0.0, -0.375, -0.125], [0.0, 0.0, 1.0, 0.0]];

/// For each light: its position as given, its position in eye coordinates, and the half-angle vector.
const POSITIONS: [([f32; 4], [f32; 4], [f32; 3]); 8] = [
    // A direction is scaled, not translated.
    ([0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 8.0, 0.0], [0.0, 0.0, 1.0]),
    // The direction to (3,0,4) is (0.6,0,0.8). The sum with (0,0,1) is (0.6,0,1.8), of length sqrt(3.6).
    ([1.0, -0.5, 0.125, 1.0], [3.0, 0.0, 4.0, 1.0], [0.316_227_76, 0.0, 0.948_683_3]),
    // w is 2: the light is at (0,4,0).
    ([-1.0, 1.0, -0.75, 2.0], [0.0, 8.0, 0.0, 2.0], [0.0, 0.707_106_77, 0.707_106_77]),
    // Behind the scene: the two directions cancel out.
    ([0.0, 0.0, -1.0, 0.0], [0.0, 0.0, -8.0, 0.0], [0.0, 0.0, 0.0]),
    // A negative w: the light is at (1,2,3), sqrt(14) away; (1,2,3+sqrt(14)) at length 1.
    ([0.0, 0.0, 0.0, -1.0], [-1.0, -2.0, -3.0, -1.0], [0.140_789_3, 0.281_578_6, 0.949_153_24]),
    // At the eye: no direction.
    ([-0.5, -0.5, -0.375, 1.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
    ([1.5, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0], [0.707_106_77, 0.0, 0.707_106_77]),
    ([0.0, -1.0, 0.0, 0.0], [0.0, -4.0, 0.0, 0.0], [0.0, -0.707_106_77, 0.707_106_77]),
];

/// For each light: the cutoff angle and its cosine.
const CUTOFFS: [(f32, f32); 8] = [
    (180.0, -1.0),
    (90.0, 0.0),
    (60.0, 0.5),
    (0.0, 1.0),
    (45.0, 0.707_106_77),
    (30.0, 0.866_025_4),
    (180.0, -1.0),
    (90.0, 0.0),
];

/// A different colour for each `what` and number.
fn color(what: u8, number: u8) -> [f32; 4] {
    let [what, number] = [what, number].map(f32::from);
    [what + number / 16.0, -what, 1.0 + number, what * 0.5]
}

/// A context in which all bindable state differs from its initial values, except state with setters that
/// tests call on their own.
pub(super) fn set() -> Context {
    let mut c = Context::new();
    set_matrices(&mut c).expect("matrices");
    set_lighting(&mut c).expect("lighting");
    set_others(&mut c).expect("the rest");
    c
}

fn columns(rows: &Rows) -> [f32; 16] {
    std::array::from_fn(|place| rows[place % 4][place / 4])
}

fn set_matrices(c: &mut Context) -> super::super::Result<()> {
    c.load_matrix(&columns(&MODELVIEW))?;
    c.matrix_mode(MatrixMode::Projection)?;
    c.load_matrix(&columns(&PROJECTION))?;
    for number in 0..8u8 {
        c.matrix_mode(MatrixMode::Texture)?;
        c.active_texture(number.into())?;
        c.translate([f32::from(number) + 1.0, 0.0, 0.0])?;
        c.matrix_mode(enums::MATRIX0_ARB + u32::from(number))?;
        c.scale([f32::from(2u16 << number), 1.0, 1.0])?;
    }
    c.matrix_mode(MatrixMode::Modelview)
}

fn set_lighting(c: &mut Context) -> super::super::Result<()> {
    for (face, number) in [(CullFace::Front, 1), (CullFace::Back, 2)] {
        c.material(face, MaterialColor::Ambient, color(1, number))?;
        c.material(face, MaterialColor::Diffuse, color(2, number))?;
        c.material(face, MaterialColor::Specular, color(3, number))?;
        c.material(face, MaterialColor::Emission, color(4, number))?;
        c.material_shininess(face, f32::from(number) * 20.0)?;
    }
    c.light_model_ambient([0.5, 2.0, -1.0, 0.25])?;
    for (light, number) in (0..8u8).map(|light| (u32::from(light), light)) {
        c.light(light, LightColor::Ambient, color(5, number))?;
        c.light(light, LightColor::Diffuse, color(6, number))?;
        c.light(light, LightColor::Specular, color(7, number))?;
        c.light_position(light, POSITIONS[usize::from(number)].0)?;
        let n = f32::from(number) + 1.0;
        c.light_spot_direction(light, [n, 1.0, -n])?;
        c.light_number(light, LightNumber::SpotCutoff, CUTOFFS[usize::from(number)].0)?;
        c.light_number(light, LightNumber::SpotExponent, 10.0 * n)?;
        c.light_number(light, LightNumber::ConstantAttenuation, n)?;
        c.light_number(light, LightNumber::LinearAttenuation, n + 0.25)?;
        c.light_number(light, LightNumber::QuadraticAttenuation, n + 0.5)?;
    }
    Ok(())
}

/// An input plane for a number.
fn plane(number: f32) -> [f32; 4] {
    [1.0 + number, 2.0, 4.0, number]
}

/// [`plane`] times the inverse of [`MODELVIEW`]: a/2, b/4, c/8, d - a/2 - b/2 - 3c/8.
fn moved_plane(number: f32) -> [f32; 4] {
    [0.5 + number / 2.0, 0.5, 0.5, number - (0.5 + number / 2.0) - 1.0 - 1.5]
}

/// A different number for each coordinate of each set.
fn plane_number(unit: u8, coordinate: u8) -> f32 {
    f32::from(unit * 4 + coordinate)
}

fn set_others(c: &mut Context) -> super::super::Result<()> {
    let coordinates = [Coordinate::S, Coordinate::T, Coordinate::R, Coordinate::Q];
    for unit in 0..8u8 {
        c.active_texture(unit.into())?;
        c.tex_env_color([f32::from(unit) / 8.0, 0.5, 2.0, -1.0])?;
        for (coordinate, number) in coordinates.into_iter().zip(0..) {
            c.tex_gen_plane(coordinate, TexGenSpace::Eye, plane(plane_number(unit, number)))?;
            c.tex_gen_plane(coordinate, TexGenSpace::Object, plane(plane_number(unit, number) + 100.0))?;
        }
    }
    for number in 0..8u8 {
        c.clip_plane(number.into(), plane(f32::from(number) + 50.0).map(f64::from))?;
    }
    c.fog_mode(FogEquation::Linear)?;
    c.fog_density(0.75)?;
    c.fog_range(2.0, 6.0)?;
    c.fog_color([0.25, 0.5, 0.75, 1.0])?;
    c.point_size(3.0)?;
    c.point_parameter(PointParameter::SizeMin, 2.0)?;
    c.point_parameter(PointParameter::SizeMax, 64.0)?;
    c.point_parameter(PointParameter::FadeThreshold, 1.5)?;
    c.point_distance_attenuation([0.5, 0.25, 0.125])?;
    c.depth_range(0.75, 0.25)
}

fn number_of(face: Face) -> u8 {
    match face {
        Face::Front => 1,
        Face::Back => 2,
    }
}

/// Rows and inverse of a matrix that [`set`] has set.
fn matrix(name: MatrixName) -> [Rows; 2] {
    let with_x = |x: [f32; 4]| [x, [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    match name {
        MatrixName::ModelView => [MODELVIEW, MODELVIEW_INVERSE],
        MatrixName::Projection => [PROJECTION, PROJECTION_INVERSE],
        MatrixName::Mvp => [MVP, MVP_INVERSE],
        MatrixName::Texture(n) => [1.0, -1.0].map(|s| with_x([1.0, 0.0, 0.0, s * (f32::from(n) + 1.0)])),
        MatrixName::Program(n) => {
            let x = f32::from(2u16 << n);
            [with_x([x, 0.0, 0.0, 0.0]), with_x([1.0 / x, 0.0, 0.0, 0.0])]
        }
    }
}

/// The expected value of each binding in [`set`].
pub(super) fn expected(state: StateVector) -> [f32; 4] {
    match state {
        StateVector::Material { face, property } => match property {
            MaterialProperty::Ambient => color(1, number_of(face)),
            MaterialProperty::Diffuse => color(2, number_of(face)),
            MaterialProperty::Specular => color(3, number_of(face)),
            MaterialProperty::Emission => color(4, number_of(face)),
            MaterialProperty::Shininess => [if face == Face::Front { 20.0 } else { 40.0 }, 0.0, 0.0, 1.0],
        },
        StateVector::Light { light, property } => {
            let (n, (_, eye, [x, y, z])) = (f32::from(light) + 1.0, POSITIONS[usize::from(light)]);
            match property {
                LightProperty::Ambient => color(5, light),
                LightProperty::Diffuse => color(6, light),
                LightProperty::Specular => color(7, light),
                LightProperty::Position => eye,
                LightProperty::Attenuation => [n, n + 0.25, n + 0.5, 10.0 * n],
                LightProperty::SpotDirection => [2.0 * n, 4.0, -8.0 * n, CUTOFFS[usize::from(light)].1],
                LightProperty::Half => [x, y, z, 1.0],
            }
        }
        StateVector::LightModelAmbient => [0.5, 2.0, -1.0, 0.25],
        // 0.5 a + e, 2 a + e, e - a of ambient and emission; the alpha of diffuse.
        StateVector::SceneColor { face: Face::Front } => [0.531_25 + 4.0625, -2.0 - 4.0, -2.0 + 2.0, 1.0],
        StateVector::SceneColor { face: Face::Back } => [0.5625 + 4.125, -2.0 - 4.0, -3.0 + 3.0, 1.0],
        StateVector::LightProduct { light, face, property } => {
            let (ours, theirs) = match property {
                ProductProperty::Ambient => (1, 5),
                ProductProperty::Diffuse => (2, 6),
                ProductProperty::Specular => (3, 7),
            };
            let (material, light) = (color(ours, number_of(face)), color(theirs, light));
            [material[0] * light[0], material[1] * light[1], material[2] * light[2], material[3]]
        }
        StateVector::TexGen { unit, plane: TexGenPlane { space, coordinate } } => match space {
            TexGenSpace::Eye => moved_plane(plane_number(unit, coordinate)),
            TexGenSpace::Object => plane(plane_number(unit, coordinate) + 100.0),
        },
        StateVector::TexEnvColor { unit } => [f32::from(unit) / 8.0, 0.5, 1.0, 0.0],
        StateVector::FogColor => [0.25, 0.5, 0.75, 1.0],
        StateVector::FogParams => [0.75, 2.0, 6.0, 0.25],
        StateVector::ClipPlane(number) => moved_plane(f32::from(number) + 50.0),
        StateVector::PointSize => [3.0, 2.0, 64.0, 1.5],
        StateVector::PointAttenuation => [0.5, 0.25, 0.125, 1.0],
        StateVector::DepthRange => [0.75, 0.25, -0.5, 1.0],
        StateVector::Matrix { name, transform, row } => {
            let [matrix, inverse] = matrix(name);
            let row = usize::from(row);
            let column = |rows: Rows| rows.map(|entries| entries[row]);
            match transform {
                MatrixTransform::Identity => matrix[row],
                MatrixTransform::Inverse => inverse[row],
                MatrixTransform::Transpose => column(matrix),
                MatrixTransform::InverseTranspose => column(inverse),
            }
        }
    }
}

#[test]
fn every_binding_has_the_value_that_the_tables_say() {
    let context = set();
    for state in StateVector::all() {
        assert_eq!(context.state_vector(state), expected(state), "{state}");
    }
}

#[test]
fn lighting_starts_as_in_table_2_10() {
    let context = Context::new();
    let dark = [0.0, 0.0, 0.0, 1.0];
    for face in Face::ALL {
        let material = |property| context.state_vector(StateVector::Material { face, property });
        assert_eq!(material(MaterialProperty::Ambient), [0.2, 0.2, 0.2, 1.0]);
        assert_eq!(material(MaterialProperty::Diffuse), [0.8, 0.8, 0.8, 1.0]);
        assert_eq!(material(MaterialProperty::Specular), dark);
        assert_eq!(material(MaterialProperty::Emission), dark);
        assert_eq!(material(MaterialProperty::Shininess), dark);
    }
    for light in 0..8 {
        let of = |property| context.state_vector(StateVector::Light { light, property });
        let white = if light == 0 { [1.0; 4] } else { dark };
        assert_eq!(of(LightProperty::Ambient), dark);
        assert_eq!([of(LightProperty::Diffuse), of(LightProperty::Specular)], [white; 2]);
        assert_eq!(of(LightProperty::Position), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(of(LightProperty::Attenuation), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(of(LightProperty::SpotDirection), [0.0, 0.0, -1.0, -1.0]);
    }
    assert_eq!(context.state_vector(StateVector::LightModelAmbient), [0.2, 0.2, 0.2, 1.0]);
}

#[test]
fn everything_else_starts_as_its_clause_says() {
    let context = Context::new();
    let of = |state| context.state_vector(state);
    for unit in 0..8 {
        for space in [TexGenSpace::Eye, TexGenSpace::Object] {
            let planes = [0, 1, 2, 3]
                .map(|coordinate| of(StateVector::TexGen { unit, plane: TexGenPlane { space, coordinate } }));
            assert_eq!(planes, [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0; 4], [0.0; 4]]);
        }
        assert_eq!(of(StateVector::TexEnvColor { unit }), [0.0; 4]);
    }
    assert_eq!(of(StateVector::ClipPlane(3)), [0.0; 4]);
    assert_eq!(of(StateVector::FogColor), [0.0; 4]);
    assert_eq!(of(StateVector::FogParams), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(of(StateVector::PointSize), [1.0, 0.0, 256.0, 1.0]);
    assert_eq!(of(StateVector::PointAttenuation), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(of(StateVector::DepthRange), [0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn what_was_transformed_stays_when_the_matrix_changes() {
    let mut context = set();
    context.load_identity().expect("the model-view matrix");
    let position = StateVector::Light { light: 1, property: LightProperty::Position };
    let plane = TexGenPlane { space: TexGenSpace::Eye, coordinate: 1 };
    for state in [position, StateVector::TexGen { unit: 2, plane }, StateVector::ClipPlane(4)] {
        assert_eq!(context.state_vector(state), expected(state), "{state}");
    }
    let name = MatrixName::ModelView;
    let row = StateVector::Matrix { name, transform: MatrixTransform::Identity, row: 0 };
    assert_eq!(context.state_vector(row), [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn both_faces_and_both_colors_can_be_set_at_once() {
    let mut context = Context::new();
    context.begin(Primitive::Points).expect("begun");
    // 2.6.3: Material is allowed here.
    context.material(enums::FRONT_AND_BACK, enums::AMBIENT_AND_DIFFUSE, [0.1, 0.2, 0.3, 0.4]).expect("set");
    context.material_shininess(enums::BACK, 128.0).expect("set");
    context.end().expect("ended");
    for face in Face::ALL {
        for property in [MaterialProperty::Ambient, MaterialProperty::Diffuse] {
            assert_eq!(context.state_vector(StateVector::Material { face, property }), [0.1, 0.2, 0.3, 0.4]);
        }
    }
    let shininess =
        |face| context.state_vector(StateVector::Material { face, property: MaterialProperty::Shininess })[0];
    assert_eq!([shininess(Face::Front), shininess(Face::Back)], [0.0, 128.0]);
}

#[test]
fn lighting_parameters_out_of_range_or_unknown() {
    let mut context = Context::new();
    refuses(&mut context, InvalidEnum, |c| c.material(enums::LEQUAL, enums::AMBIENT, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.material(enums::FRONT, enums::POSITION, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.material(enums::FRONT, enums::SHININESS, [0.0; 4]));
    for shininess in [-0.5, 128.5, f32::NAN] {
        refuses(&mut context, InvalidValue, |c| c.material_shininess(enums::FRONT, shininess));
    }
    refuses(&mut context, InvalidEnum, |c| c.light(8, enums::AMBIENT, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.light_position(8, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.light_spot_direction(8, [0.0; 3]));
    refuses(&mut context, InvalidEnum, |c| c.light(0, enums::EMISSION, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.light_number(0, enums::POSITION, 1.0));
    for (number, wrong) in [
        (enums::SPOT_EXPONENT, [-1.0, 129.0]),
        (enums::SPOT_CUTOFF, [-1.0, 90.5]),
        (enums::SPOT_CUTOFF, [179.5, 181.0]),
        (enums::CONSTANT_ATTENUATION, [-0.5, f32::NAN]),
        (enums::LINEAR_ATTENUATION, [-0.5, f32::NAN]),
        (enums::QUADRATIC_ATTENUATION, [-0.5, f32::NAN]),
    ] {
        for value in wrong {
            refuses(&mut context, InvalidValue, |c| c.light_number(0, number, value));
        }
    }
}

#[test]
fn planes_points_and_environments_out_of_range_or_unknown() {
    let mut context = Context::new();
    refuses(&mut context, InvalidEnum, |c| c.clip_plane(8, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.tex_gen_plane(enums::ONE, enums::EYE_PLANE, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.tex_gen_plane(enums::S, enums::ONE, [0.0; 4]));
    refuses(&mut context, InvalidEnum, |c| c.point_parameter(enums::POINT_SMOOTH, 1.0));
    for parameter in [enums::POINT_SIZE_MIN, enums::POINT_SIZE_MAX, enums::POINT_FADE_THRESHOLD_SIZE] {
        refuses(&mut context, InvalidValue, |c| c.point_parameter(parameter, -0.5));
    }
    context.active_texture(8).expect("an image unit without coordinates");
    refuses(&mut context, InvalidOperation, |c| c.tex_gen_plane(enums::S, enums::EYE_PLANE, [0.0; 4]));
}

#[test]
fn lighting_commands_other_than_material_may_not_stand_between_begin_and_end() {
    let mut context = Context::new();
    context.begin(Primitive::Points).expect("begun");
    let commands: [fn(&mut Context) -> super::super::Result<()>; 10] = [
        |c| c.light(0, LightColor::Ambient, [0.0; 4]),
        |c| c.light_position(0, [0.0; 4]),
        |c| c.light_spot_direction(0, [0.0; 3]),
        |c| c.light_number(0, LightNumber::SpotCutoff, 0.0),
        |c| c.light_model_ambient([0.0; 4]),
        |c| c.tex_gen_plane(Coordinate::S, TexGenSpace::Eye, [0.0; 4]),
        |c| c.tex_env_color([0.0; 4]),
        |c| c.clip_plane(0, [0.0; 4]),
        |c| c.point_parameter(PointParameter::SizeMin, 1.0),
        |c| c.point_distance_attenuation([0.0; 3]),
    ];
    for command in commands {
        assert_eq!(command(&mut context).map_err(|error| error.code), Err(InvalidOperation));
    }
    context.end().expect("ended");
    let first = context.get_error().map(|error| error.code);
    assert_eq!(first, Some(InvalidOperation));
    raises(&mut context, InvalidEnum, |c| c.light_position(9, [0.0; 4]));
}

#[test]
fn initial_values_are_those_that_hover_text_shows() {
    let context = Context::new();
    for vector in StateVector::all() {
        assert_eq!(context.state_vector(vector), vector.initial(), "{vector:?}");
    }
}
