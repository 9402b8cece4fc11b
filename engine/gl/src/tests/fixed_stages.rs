//! Fixed-function state that acts without a program or beside one: the colour sum, texture environments and
//! materials that follow the current colour. Also matrices by rows, and implementation limits.

use shadestep_language::isa::Stage;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::{Context, DrawCall, ErrorCode, MatrixMode, STACK_DEPTH, enums};
use super::{refused_between, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation};
use shadestep_core::pipeline::{CullFace, Framebuffer, Primitive, Threads};
use shadestep_core::texture::{Format, Image, Level, MagFilter, MinFilter, Sampler, Texture};
use shadestep_language::ir::{Face, MaterialProperty, StateVector, TextureTarget};

/// Draws a triangle that covers a 4x4 window, with attributes 3 and 4 as its colours.
fn covering(context: &mut Context) -> DrawCall {
    context.begin(Primitive::Triangles).expect("begun");
    for corner in [[-1.0f32, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        context.vertex(corner).expect("a vertex");
    }
    context.end().expect("ended")
}

/// The colour of pixel (1, 1).
fn pixel(call: &DrawCall) -> [f32; 4] {
    let mut target = Framebuffer::new(4, 4).expect("small");
    call.render(&mut target, &Threads::new(Some(1)), &AtomicBool::new(false)).expect("not cancelled");
    target.color.at(5)
}

#[test]
fn the_secondary_colour_is_added_as_the_kind_of_vertex_program_has_it() {
    const BOTH: [&str; 4] = [
        "!!VP1.0 MOV o[HPOS], v[OPOS]; MOV o[COL0], v[COL0]; MOV o[COL1], v[COL1]; END",
        "!!VP1.1 OPTION NV_position_invariant; MOV o[COL0], v[COL0]; MOV o[COL1], v[COL1]; END",
        "!!VP2.0 MOV o[HPOS], v[OPOS]; MOV o[COL0], v[COL0]; MOV o[COL1], v[COL1]; END",
        "!!ARBvp1.0 MOV result.position, vertex.position; MOV result.color, vertex.color; \
         MOV result.color.secondary, vertex.color.secondary; END",
    ];
    let (primary, sum) = ([0.25, 0.5, 0.75, 0.5], [0.5, 0.75, 1.0, 0.5]);
    let colored = || {
        let mut context = Context::new();
        context.color(primary).expect("set");
        context.vertex_attrib(4, [0.25f32, 0.25, 0.5, 1.0]).expect("set");
        context
    };
    // Fixed-function vertices: the enable decides.
    let mut context = colored();
    assert_eq!(context.is_enabled(enums::COLOR_SUM), Ok(false));
    assert_eq!(pixel(&covering(&mut context)), primary);
    context.enable(enums::COLOR_SUM).expect("enabled");
    assert_eq!(pixel(&covering(&mut context)), sum);
    // Without vertices, there is no secondary colour.
    let quad = context.prepare_viewport_quad().expect("prepared");
    assert_eq!(pixel(&quad)[3], 1.0);
    assert_eq!(pixel(&quad)[..3], [1.5 / 4.0, 1.5 / 4.0, 2.5 / 4.0]);
    for text in BOTH {
        let arb = text.starts_with("!!ARB");
        for enabled in [false, true] {
            let mut context = colored();
            if enabled {
                context.enable(enums::COLOR_SUM).expect("enabled");
            }
            context.bind_program_arb(Stage::Vertex, 1).expect("bound");
            context
                .program_string(Stage::Vertex, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes())
                .expect("loaded");
            context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
            let expected = if enabled || !arb { sum } else { primary };
            assert_eq!(pixel(&covering(&mut context)), expected, "{text} {enabled}");
            // A fragment program replaces the sum.
            context.load_program(Stage::Fragment, 2, b"!!FP1.0 MOV o[COLR], f[COL0]; END").expect("loaded");
            context.bind_program(Stage::Fragment, 2).expect("bound");
            context.enable(enums::FRAGMENT_PROGRAM_NV).expect("enabled");
            assert_eq!(pixel(&covering(&mut context)), primary, "{text} {enabled}");
        }
    }
}

#[test]
fn a_program_avoids_the_sum_by_not_writing_the_secondary_colour() {
    for (results, two_side, expected) in [
        ("", false, [0.25, 0.25, 0.25, 1.0]),
        ("MOV o[BFC1], v[COL1];", false, [0.25, 0.25, 0.25, 1.0]),
        // The back face is visible, and its primary colour is not written.
        ("MOV o[BFC1], v[COL1];", true, [0.5, 0.25, 0.125, 1.0]),
        ("MOV o[COL1], v[COL1];", true, [0.0, 0.0, 0.0, 1.0]),
    ] {
        let mut context = Context::new();
        context.color([0.25, 0.25, 0.25, 1.0]).expect("set");
        context.vertex_attrib(4, [0.5f32, 0.25, 0.125, 0.5]).expect("set");
        let text = format!("!!VP2.0 MOV o[HPOS], v[OPOS]; MOV o[COL0], v[COL0]; {results} END");
        context.load_program(Stage::Vertex, 1, text.as_bytes()).expect("loaded");
        context.bind_program(Stage::Vertex, 1).expect("bound");
        context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
        if two_side {
            context.enable(enums::VERTEX_PROGRAM_TWO_SIDE_NV).expect("enabled");
        }
        context.front_face(enums::CW).expect("set");
        assert_eq!(pixel(&covering(&mut context)), expected, "{results} {two_side}");
    }
}

#[test]
fn each_image_unit_has_an_environment() {
    let mut context = Context::new();
    for unit in 0..16u8 {
        context.active_texture(unit.into()).expect("a unit");
        assert_eq!(context.get_active_texture(), Ok(unit));
        assert_eq!(context.get_tex_env_color(), Ok([0.0; 4]));
        context.tex_env_color([f32::from(unit) / 16.0, 2.0, -1.0, 0.5]).expect("set");
        assert_eq!(context.get_tex_env_lod_bias(), Ok(0.0));
        context.tex_env_lod_bias(f32::from(unit) - 20.0).expect("set");
    }
    for unit in 0..16u8 {
        context.active_texture(unit.into()).expect("a unit");
        assert_eq!(context.get_tex_env_color(), Ok([f32::from(unit) / 16.0, 1.0, 0.0, 0.5]));
        assert_eq!(context.get_tex_env_lod_bias(), Ok(f32::from(unit) - 20.0), "not clamped by itself");
    }
    context.tex_env_lod_bias(f32::NAN).expect("set");
    assert_eq!(context.get_tex_env_lod_bias(), Ok(0.0));
    refuses(&mut context, InvalidEnum, |c| c.active_texture(16));
    refused_between(&mut context, |c| c.tex_env_color([0.0; 4]));
    refused_between(&mut context, |c| c.tex_env_lod_bias(1.0));
    refused_between(&mut context, |c| c.get_tex_env_color());
    refused_between(&mut context, |c| c.get_tex_env_lod_bias());
}

/// A texture of 4x4 texels. Level l has red l/4 everywhere.
fn levels(lod_bias: f32) -> Arc<Texture> {
    let level = |l: u8| {
        let side = 4usize >> l;
        let image = Image::from_f32([side, side, 1], [f32::from(l) / 4.0, 0.0, 0.0, 1.0].repeat(side * side));
        Level::from(image.expect("a level"))
    };
    let sampler = Sampler {
        min_filter: MinFilter::NearestMipmapNearest,
        mag_filter: MagFilter::Nearest,
        lod_bias,
        ..Sampler::default()
    };
    let all = (0..3).map(level).collect();
    Arc::new(Texture::new(TextureTarget::D2, Format::Rgba16, all, sampler).expect("a texture"))
}

#[test]
fn the_bias_of_a_unit_is_added_to_that_of_its_texture_and_the_sum_clamped() {
    let red = |level: f32| (level / 4.0 * 65_535.0 + 0.5).floor() / 65_535.0;
    // One texel per pixel: lambda is 0, and the level is the bias rounded to the nearest integer.
    for (texture, unit, level) in [
        (0.0, 0.0, 0.0),
        (0.0, 1.0, 1.0),
        (1.0, 0.0, 1.0),
        (1.0, 1.0, 2.0),
        (2.0, -1.0, 1.0),
        (-500.0, 501.0, 1.0),
        (f32::MAX, 1.0, 2.0),
        (f32::INFINITY, f32::NEG_INFINITY, 0.0),
    ] {
        for image_unit in [0u32, 11] {
            let mut context = Context::new();
            context.bind_texture(image_unit, Some(levels(texture))).expect("bound");
            context.active_texture(image_unit).expect("a unit");
            context.tex_env_lod_bias(unit).expect("set");
            // Other units have their own biases.
            context.active_texture(5).expect("a unit");
            context.tex_env_lod_bias(9.0).expect("set");
            let text = format!("!!FP1.0 TEX o[COLR], f[TEX0], TEX{image_unit}, 2D; END");
            context.load_program(Stage::Fragment, 2, text.as_bytes()).expect("loaded");
            context.bind_program(Stage::Fragment, 2).expect("bound");
            context.enable(enums::FRAGMENT_PROGRAM_NV).expect("enabled");
            let quad = context.prepare_viewport_quad().expect("prepared");
            assert_eq!(pixel(&quad)[0], red(level), "{texture} {unit} on {image_unit}");
            if image_unit == 0 {
                // The fixed-function stage looks the texture up too: the quad's colour is 3/8 at that point.
                context.disable(enums::FRAGMENT_PROGRAM_NV).expect("disabled");
                let quad = context.prepare_viewport_quad().expect("prepared");
                assert_eq!(pixel(&quad)[0], 0.375 * red(level), "{texture} {unit}");
            }
        }
    }
    // The bound texture is unchanged, and its texels are not copied.
    let bound = levels(0.5);
    let mut context = Context::new();
    context.bind_texture(0, Some(bound.clone())).expect("bound");
    context.tex_env_lod_bias(1.0).expect("set");
    assert!(context.texture(0, TextureTarget::D2).is_some_and(|texture| Arc::ptr_eq(&texture, &bound)));
}

fn material(context: &Context, face: Face, property: MaterialProperty) -> [f32; 4] {
    context.state_vector(StateVector::Material { face, property })
}

#[test]
fn materials_follow_the_current_colour_while_that_is_enabled() {
    use MaterialProperty::{Ambient, Diffuse, Emission, Specular};
    let mut context = Context::new();
    assert_eq!(
        context.get_color_material(),
        Ok((CullFace::FrontAndBack, super::super::MaterialColor::AmbientAndDiffuse))
    );
    let [red, green, blue, grey] =
        [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.5], [0.0, 0.0, 1.0, 0.25], [0.5; 4]];
    context.color(red).expect("set");
    assert_eq!(material(&context, Face::Front, Ambient), [0.2, 0.2, 0.2, 1.0]);
    context.enable(enums::COLOR_MATERIAL).expect("enabled");
    for face in [Face::Front, Face::Back] {
        assert_eq!([Ambient, Diffuse].map(|p| material(&context, face, p)), [red; 2]);
        assert_eq!(material(&context, face, Specular), [0.0, 0.0, 0.0, 1.0]);
    }
    // Every command that sets the colour counts, between begin and end too.
    context.vertex_attrib(3, green).expect("set");
    assert_eq!(material(&context, Face::Back, Diffuse), green);
    context.begin(Primitive::Points).expect("begun");
    context.color(blue).expect("set");
    context.end().expect("ended");
    assert_eq!(material(&context, Face::Back, Diffuse), blue);
    // A material colour keeps its value when another one follows. Material does not set a colour that
    // follows.
    context.color_material(CullFace::Front, enums::SPECULAR).expect("set");
    context.color(red).expect("set");
    assert_eq!(material(&context, Face::Front, Specular), red);
    assert_eq!(material(&context, Face::Back, Specular), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(material(&context, Face::Front, Diffuse), blue);
    context.material(CullFace::FrontAndBack, enums::SPECULAR, grey).expect("set");
    assert_eq!(material(&context, Face::Front, Specular), red);
    assert_eq!(material(&context, Face::Back, Specular), grey);
    context.color_material(enums::BACK, enums::EMISSION).expect("set");
    assert_eq!(material(&context, Face::Back, Emission), red);
    context.disable(enums::COLOR_MATERIAL).expect("disabled");
    context.color(green).expect("set");
    assert_eq!(material(&context, Face::Back, Emission), red);
    context.material(CullFace::Front, enums::SPECULAR, grey).expect("set");
    assert_eq!(material(&context, Face::Front, Specular), grey);
    refuses(&mut context, InvalidEnum, |c| c.color_material(enums::CW, enums::DIFFUSE));
    refuses(&mut context, InvalidEnum, |c| c.color_material(enums::FRONT, enums::SHININESS));
    refused_between(&mut context, |c| c.color_material(enums::FRONT, enums::DIFFUSE));
}

#[test]
fn matrices_by_rows_are_the_transposes_of_those_by_columns() {
    let rows: [f64; 16] = std::array::from_fn(|n| n as f64 + 1.0);
    let columns: [f64; 16] = std::array::from_fn(|n| rows[n % 4 * 4 + n / 4]);
    let pair = |by_rows: fn(&mut Context, &[f64; 16]), by_columns: fn(&mut Context, &[f64; 16])| {
        let [mut a, mut b] = [Context::new(), Context::new()];
        for (context, change, numbers) in [(&mut a, by_rows, &rows), (&mut b, by_columns, &columns)] {
            context.translate([1.0, 2.0, 3.0]).expect("multiplied");
            change(context, numbers);
        }
        assert_eq!(a.current_matrix(), b.current_matrix());
        a.current_matrix().expect("a matrix").rows
    };
    let loaded = pair(
        |context, m| context.load_transpose_matrix(m).expect("loaded"),
        |context, m| context.load_matrix(m).expect("loaded"),
    );
    assert_eq!(loaded[0], [1.0, 2.0, 3.0, 4.0]);
    let multiplied = pair(
        |context, m| context.mult_transpose_matrix(m).expect("multiplied"),
        |context, m| context.mult_matrix(m).expect("multiplied"),
    );
    // The first row of the translation, (1, 0, 0, 1), times the matrix.
    assert_eq!(multiplied[0], [14.0, 16.0, 18.0, 20.0]);
    let mut context = Context::new();
    context.matrix_mode(MatrixMode::Texture).expect("a mode");
    context.active_texture(12).expect("a unit");
    refuses(&mut context, InvalidOperation, |c| c.load_transpose_matrix(&rows));
    refuses(&mut context, InvalidOperation, |c| c.mult_transpose_matrix(&[0.0f32; 16]));
}

#[test]
fn constants_of_the_implementation_are_known_by_their_names() {
    let context = Context::new();
    for (constant, value) in [
        // Ruling 11, and NV_vertex_program3's issue about the units of one program.
        (enums::MAX_FRAGMENT_PROGRAM_LOCAL_PARAMETERS_NV, 64),
        (enums::MAX_VERTEX_TEXTURE_IMAGE_UNITS_ARB, 4),
        (enums::MAX_DUAL_SOURCE_DRAW_BUFFERS, 1),
        (enums::MAX_MODELVIEW_STACK_DEPTH, STACK_DEPTH),
        (enums::MAX_PROJECTION_STACK_DEPTH, STACK_DEPTH),
        (enums::MAX_TEXTURE_STACK_DEPTH, STACK_DEPTH),
        (enums::MAX_COLOR_MATRIX_STACK_DEPTH, STACK_DEPTH),
        (enums::MAX_TEXTURE_SIZE, 16_384),
        (enums::MAX_3D_TEXTURE_SIZE, 16_384),
        (enums::MAX_CUBE_MAP_TEXTURE_SIZE, 16_384),
        (enums::MAX_RECTANGLE_TEXTURE_SIZE_NV, 16_384),
        (enums::MAX_ELEMENTS_VERTICES, 1 << 27),
        (enums::MAX_ELEMENTS_INDICES, 1 << 27),
        (enums::SUBPIXEL_BITS, 10),
    ] {
        assert_eq!(context.get_limit(constant), Ok(value as i64), "{constant:#x}");
    }
    // A program with the maximum number of units loads, and one with more does not.
    let program = |units: u8| {
        let lookups: String =
            (0..units).map(|unit| format!("TEX t, vertex.texcoord[0], texture[{unit}], 2D; ")).collect();
        format!("!!ARBvp1.0 OPTION NV_vertex_program3; TEMP t; {lookups} MOV result.position, t; END")
    };
    for (units, loads) in [(4, true), (5, false)] {
        let mut context = Context::new();
        let loaded = context.load_program(Stage::Vertex, 1, program(units).as_bytes());
        assert_eq!(loaded.is_ok(), loads, "{units} units");
    }
}
