//! Draws with ARB program texts: the context state that programs read, and the effect of their options on
//! fragments. Expected values are computed by hand.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::{Context, DrawBuffer, DrawCall, FragmentStage, MatrixMode, enums};
use super::state_vectors;
use Stage::{Fragment, Vertex};
use shadestep_core::compare::CompareFunc;
use shadestep_core::pipeline::{Clear, Framebuffer, Primitive, Threads};
use shadestep_core::texture::{Format, Image, Level, MagFilter, MinFilter, Sampler, Texture, Wrap};
use shadestep_language::ir::{Attribute, StateVector, TextureTarget};
use shadestep_language::isa::{Language, Stage};

/// Three corners of a triangle that covers the window.
const COVERING: [[f32; 2]; 3] = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];

/// Width and height of the window.
pub(super) const SIZE: [u32; 2] = [4, 6];

/// Loads the program of a target from a text, and enables it.
fn use_text(context: &mut Context, target: Stage, text: &str) {
    let (id, mode) = match target {
        Vertex => (11, enums::VERTEX_PROGRAM_ARB),
        _ => (12, enums::FRAGMENT_PROGRAM_ARB),
    };
    context.bind_program_arb(target, id).expect("bound");
    let loaded = context.program_string(target, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    assert!(loaded.is_ok(), "{}\n{text}", context.program_error_string());
    context.enable(mode).expect("enabled");
}

fn fragment_text(context: &mut Context, body: &str) {
    use_text(context, Fragment, &format!("!!ARBfp1.0\n{body}\nEND"));
}

fn vertex_text(context: &mut Context, body: &str) {
    use_text(context, Vertex, &format!("!!ARBvp1.0\n{body}\nEND"));
}

/// Draws [`COVERING`] with the current state.
pub(super) fn covering(context: &mut Context) -> DrawCall {
    context.begin(Primitive::Triangles).expect("begun");
    for corner in COVERING {
        context.vertex(corner).expect("a vertex");
    }
    context.end().expect("ended")
}

/// Draws into four colour buffers cleared to `clear`. Asserts that the result does not depend on the number
/// of threads.
pub(super) fn drawn_over(call: &DrawCall, clear: [f32; 4]) -> Framebuffer {
    let call = call.clone().after_clear(Clear { color: clear, ..Clear::DEFAULT });
    let draw = |count| {
        let mut target = Framebuffer::with_color_buffers(SIZE[0], SIZE[1], 4).expect("small");
        let threads = Threads::new(Some(count));
        call.render(&mut target, &threads, &AtomicBool::new(false)).expect("not cancelled");
        target
    };
    let one = draw(1);
    assert!(one == draw(3));
    one
}

fn drawn(call: &DrawCall) -> Framebuffer {
    drawn_over(call, [0.0; 4])
}

/// The colour of pixel (1, 1).
fn pixel(call: &DrawCall) -> [f32; 4] {
    let target = drawn(call);
    target.color.at(target.index(1, 1).expect("inside"))
}

/// A vertex's position and colour pass through.
const PASS: &str = "MOV result.position, vertex.position; MOV result.color, vertex.color;";

#[test]
fn fragment_programs_read_every_binding_of_theirs_by_its_text() {
    let mut context = state_vectors::set();
    for (language, all) in [(Language::ArbFp1, false), (Language::NvFp4, true)] {
        let states: Vec<_> = StateVector::all().into_iter().filter(|state| state.is_in(language)).collect();
        assert!(states.len() > 300 && all == (states == StateVector::all()), "{language:?}");
        for state in states {
            let body = format!("PARAM p = {state}; MOV result.color, p;");
            use_text(&mut context, Fragment, &format!("{}\n{body}\nEND", language.header()));
            let call = context.prepare_viewport_quad().expect("prepared");
            assert_eq!(pixel(&call), state_vectors::expected(state), "{language:?} {state}");
        }
    }
}

#[test]
fn vertex_programs_read_every_binding_of_theirs_by_its_text() {
    let mut context = state_vectors::set();
    fragment_text(&mut context, "MOV result.color, fragment.texcoord[3];");
    for (language, all) in [(Language::ArbVp1, false), (Language::NvVp4, true)] {
        let states: Vec<_> = StateVector::all().into_iter().filter(|state| state.is_in(language)).collect();
        assert!(states.len() > 300 && all == (states == StateVector::all()), "{language:?}");
        for state in states {
            let body = format!("MOV result.position, vertex.position; MOV result.texcoord[3], {state};");
            use_text(&mut context, Vertex, &format!("{}\n{body}\nEND", language.header()));
            let found = pixel(&covering(&mut context));
            assert_eq!(found, state_vectors::expected(state), "{language:?} {state}");
        }
    }
}

#[test]
fn bindings_may_be_written_in_all_the_ways_of_the_grammar() {
    let mut context = state_vectors::set();
    fragment_text(&mut context, "MOV result.color, fragment.texcoord;");
    // Front faces and model-view 0 are the defaults; ranges of rows make arrays.
    for (binding, value) in [
        ("state.material.diffuse", [2.0625, -2.0, 2.0, 1.0]),
        ("state.material.front.diffuse", [2.0625, -2.0, 2.0, 1.0]),
        ("state.material.back.shininess", [40.0, 0.0, 0.0, 1.0]),
        ("state.light[1].position", [3.0, 0.0, 4.0, 1.0]),
        ("state.light[2].spot.direction", [6.0, 4.0, -24.0, 0.5]),
        ("state.light[3].attenuation", [4.0, 4.25, 4.5, 40.0]),
        ("state.lightmodel.scenecolor", [4.59375, -6.0, 0.0, 1.0]),
        // 7.25 * 3.0625, -7 * -3, 5 * 2, and the material's alpha.
        ("state.lightprod[4].specular", [22.203_125, 21.0, 10.0, 1.5]),
        // (6,2,4,5) times the inverse of the model-view matrix.
        ("state.texgen[1].eye.t", [3.0, 0.5, 0.5, -0.5]),
        ("state.texgen[1].object.q", [108.0, 2.0, 4.0, 107.0]),
        ("state.clip[1].plane", [26.0, 0.5, 0.5, 22.5]),
        ("state.fog.params", [0.75, 2.0, 6.0, 0.25]),
        ("state.point.attenuation", [0.5, 0.25, 0.125, 1.0]),
        ("state.matrix.modelview.row[2]", [0.0, 0.0, 8.0, 3.0]),
        ("state.matrix.modelview[0].inverse.row[0]", [0.5, 0.0, 0.0, -0.5]),
        ("state.matrix.projection.transpose.row[0]", [0.0, 4.0, 0.0, 0.0]),
        ("state.matrix.mvp.invtrans.row[2]", [-0.5, -0.5, -0.375, 1.0]),
        ("state.matrix.texture.row[0]", [1.0, 0.0, 0.0, 1.0]),
        ("state.matrix.texture[3].row[0]", [1.0, 0.0, 0.0, 4.0]),
        ("state.matrix.program[2].row[0]", [8.0, 0.0, 0.0, 0.0]),
    ] {
        let body = format!("MOV result.position, vertex.position; MOV result.texcoord, {binding};");
        vertex_text(&mut context, &body);
        assert_eq!(pixel(&covering(&mut context)), value, "{binding}");
    }
    let whole = "PARAM whole[4] = { state.matrix.mvp };
        PARAM part[3] = { state.matrix.modelview.row[1..2], { 5, 6, 7, 8 } };
        TEMP r, ones;
        MOV result.position, vertex.position;
        MOV ones, { 1, 1, 1, 1 };
        DP4 r.x, part[0], ones;
        DP4 r.y, part[1], ones;
        DP4 r.z, part[2], ones;
        DP4 r.w, whole[3], ones;
        MOV result.texcoord, r;";
    vertex_text(&mut context, whole);
    // Rows (0,4,0,2) and (0,0,8,3), the constant, and row (0,0,-8,-3).
    assert_eq!(pixel(&covering(&mut context)), [6.0, 11.0, 26.0, -11.0]);
}

#[test]
fn environment_and_local_parameters_reach_programs_also_by_relative_addresses() {
    let mut context = Context::new();
    for index in 0..8u32 {
        let value = [index as f32, 10.0, 0.5, -1.0];
        context.program_env_parameter4(Vertex, 20 + index, value).expect("set");
        context.program_env_parameter4(Fragment, index, value.map(|x| x * 2.0)).expect("set");
    }
    context.bind_program_arb(Vertex, 11).expect("bound");
    context.program_local_parameter4(Vertex, 9, [100.0f32, 0.0, 0.0, 0.0]).expect("set");
    context.vertex_attrib(5, [2.75f32, 0.0, 0.0, 1.0]).expect("set");
    let body = "PARAM e[6] = { program.env[20..24], program.local[9] };
        ADDRESS a;
        TEMP last;
        ARL a.x, vertex.attrib[5].x;
        MOV last, e[5];
        MOV result.position, vertex.position;
        ADD result.texcoord[0], e[a.x + 1], last;";
    vertex_text(&mut context, body);
    fragment_text(&mut context, "ADD result.color, fragment.texcoord[0], program.env[7];");
    // Element floor(2.75) + 1 of the array, (3,10,0.5,-1), with 100, and (14,20,1,-2).
    assert_eq!(pixel(&covering(&mut context)), [117.0, 30.0, 1.5, -3.0]);
}

#[test]
fn arb_position_invariant_draws_the_fixed_function_positions() {
    let mut context = Context::new();
    context.rotate(33.0, [1.0, 2.0, 3.0]).expect("model-view");
    context.translate([0.1, -0.7, -3.3]).expect("model-view");
    context.matrix_mode(MatrixMode::Projection).expect("a mode");
    context.frustum([-0.057, 0.057, -0.043, 0.043, 0.1, 50.0]).expect("projection");
    let fixed_function = covering(&mut context);
    vertex_text(&mut context, "OPTION ARB_position_invariant; MOV result.color, { 1, 0.5, 0.25, 1 };");
    let invariant = covering(&mut context);
    let [ours, theirs] = [&invariant, &fixed_function].map(|call| call.shaded_vertices(SIZE, 0));
    assert_eq!(ours.len(), 3);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.clip.map(f32::to_bits), theirs.clip.map(f32::to_bits));
    }
    let [ours, theirs] = [drawn(&invariant), drawn(&fixed_function)];
    assert_eq!(ours.status, theirs.status);
    assert_eq!(ours.depth, theirs.depth);
}

/// A context that draws (0.5, 2, -1, 0.75) with a fog option. Linear fog ranges from 0 to 4 with colour (1,
/// 0, 0.5). Vertices have the fog coordinate `c`, if there is one.
fn foggy(option: &str, c: Option<f32>) -> Context {
    let mut context = Context::new();
    context.fog_range(0.0, 4.0).expect("set");
    context.fog_density(0.5).expect("set");
    context.fog_color([1.0, 0.0, 0.5, 0.25]).expect("set");
    let coordinate = c.map_or(String::new(), |c| format!("MOV result.fogcoord, {c:?};"));
    vertex_text(&mut context, &format!("{PASS} {coordinate}"));
    fragment_text(&mut context, &format!("OPTION {option}; MOV result.color, {{ 0.5, 2, -1, 0.75 }};"));
    context
}

#[test]
fn fog_options_blend_the_clamped_colour_with_the_fogs() {
    // f = (4 - 1) / 4: 0.75 (0.5, 1, 0) + 0.25 (1, 0, 0.5); alpha stays.
    let mut context = foggy("ARB_fog_linear", Some(1.0));
    assert_eq!(pixel(&covering(&mut context)), [0.625, 0.75, 0.125, 0.75]);
    // The option selects the mode, and the enable of fog is ignored.
    context.fog_mode(enums::EXP).expect("set");
    context.enable(enums::FOG).expect("enabled");
    assert_eq!(pixel(&covering(&mut context)), [0.625, 0.75, 0.125, 0.75]);
    // The factor is clamped at both ends.
    for (c, color) in [(9.0, [1.0, 0.0, 0.5, 0.75]), (-2.0, [0.5, 1.0, 0.0, 0.75])] {
        assert_eq!(pixel(&covering(&mut foggy("ARB_fog_linear", Some(c)))), color, "{c}");
    }
    for (option, c, exact) in [
        ("ARB_fog_exp", 0.0, 1.0),
        ("ARB_fog_exp2", 0.0, 1.0),
        // exp(-0.5 c), exp(-(0.5 c)^2).
        ("ARB_fog_exp", 3.0, (-1.5f64).exp()),
        ("ARB_fog_exp2", 3.0, (-2.25f64).exp()),
    ] {
        let [r, g, b, a] = pixel(&covering(&mut foggy(option, Some(c))));
        let mixed = [0.5 * exact + (1.0 - exact), exact, 0.5 * (1.0 - exact)];
        for (found, exact) in [r, g, b].into_iter().zip(mixed) {
            assert!((f64::from(found) - exact).abs() < 1e-6, "{option} {c}: {found} {exact}");
        }
        assert_eq!(a, 0.75);
    }
}

#[test]
fn fog_options_clamp_alpha_too() {
    // Fog applies to the final clamped colour (ARB_fragment_program 3.11.4.5.1, 3.11.4.4).
    for (alpha, clamped) in [("-0.25", 0.0), ("1.5", 1.0), ("0.25", 0.25)] {
        let mut context = foggy("ARB_fog_linear", Some(1.0));
        let text = format!("OPTION ARB_fog_linear; MOV result.color, {{ 0, 0, 0, {alpha} }};");
        fragment_text(&mut context, &text);
        assert_eq!(pixel(&covering(&mut context)), [0.25, 0.0, 0.125, clamped], "{alpha}");
    }
}

#[test]
fn fog_without_a_fog_coordinate_only_clamps() {
    // Ruling 8 of the vertex languages: the fog factor is 1.
    for option in ["ARB_fog_linear", "ARB_fog_exp", "ARB_fog_exp2"] {
        assert_eq!(pixel(&covering(&mut foggy(option, None))), [0.5, 1.0, 0.0, 0.75], "{option}");
    }
    // The rectangle that covers the window has t as its fog coordinate: 4 * 1.5 / 6 here.
    let call = foggy("ARB_fog_linear", None).prepare_viewport_quad().expect("prepared");
    let f = (4.0 - 0.25) / 4.0;
    assert_eq!(pixel(&call), [0.5 * f + (1.0 - f), f, 0.5 * (1.0 - f), 0.75]);
}

#[test]
fn a_stepped_fragment_is_fogged_as_the_drawn_one() {
    let mut context = foggy("ARB_fog_exp2", Some(1.25));
    let call = covering(&mut context);
    let FragmentStage::Program(stage) = call.fragment_stage() else { panic!("there is a program") };
    let [fragment] = &call.fragments_at(SIZE, [1, 1])[..] else { panic!("one triangle") };
    let color = stage.final_color(fragment, [0.5, 2.0, -1.0, 0.75]);
    assert_eq!(color.map(f32::to_bits), pixel(&call).map(f32::to_bits));
    let mut context = foggy("ARB_precision_hint_nicest", Some(1.25));
    let call = covering(&mut context);
    assert_eq!(pixel(&call), [0.5, 2.0, -1.0, 0.75], "without an option nothing is done");
}

#[test]
fn window_coordinates_count_as_the_options_say() {
    let [upper, whole] = ["ARB_fragment_coord_origin_upper_left", "ARB_fragment_coord_pixel_center_integer"];
    // Pixel (1, 1) of a window 6 high: its centre is 4.5 below the upper edge.
    for (options, place) in [
        (vec![], [1.5, 1.5]),
        (vec![whole], [1.0, 1.0]),
        (vec![upper], [1.5, 4.5]),
        (vec![upper, whole], [1.0, 4.0]),
    ] {
        let options: String = options.iter().map(|option| format!("OPTION {option};\n")).collect();
        let mut context = Context::new();
        fragment_text(&mut context, &format!("{options}MOV result.color, fragment.position;"));
        let triangle = covering(&mut context);
        for call in [&triangle, &context.prepare_viewport_quad().expect("prepared")] {
            assert_eq!(pixel(call), [place[0], place[1], 0.5, 1.0], "{options}");
            let fragments = call.fragments_at(SIZE, [1, 1]);
            let lanes = fragments[0].quad[Attribute::Wpos.index()];
            assert_eq!(lanes[fragments[0].lane][..2], place, "{options}");
        }
        // The NV language has the same options.
        context.disable(enums::FRAGMENT_PROGRAM_ARB).expect("disabled");
        let text = format!("!!FP1.0\n{options}MOVR o[COLR], f[WPOS];\nEND");
        context.load_program(Fragment, 13, text.as_bytes()).expect("loaded");
        context.bind_program(Fragment, 13).expect("bound");
        context.enable(enums::FRAGMENT_PROGRAM_NV).expect("enabled");
        let nv = covering(&mut context);
        assert_eq!(pixel(&nv), [place[0], place[1], 0.5, 1.0], "{options}");
        // With the upper-left origin, DDY of the position is -1: rows count downwards.
        let lanes = triangle.fragments_at(SIZE, [1, 1])[0].quad[Attribute::Wpos.index()];
        assert_eq!(lanes[2][1] - lanes[0][1], if options.contains(upper) { -1.0 } else { 1.0 });
    }
}

/// Output colour n is (n+1)/8, except for alpha.
const COLORS: &str = "OPTION ARB_draw_buffers;
    MOV result.color[0], { 0.125, 0.125, 0.125, 0.5 };
    MOV result.color[1], { 0.25, 0.25, 0.25, 1 };
    MOV result.color[3], { 0.5, 0.5, 0.5, 0 };
    MOV result.color[2], { 0.375, 0.375, 0.375, 0.25 };";

/// Red and alpha of every buffer at pixel (1, 1), after drawing over (0.75, 0.75, 0.75, 0.75). All pixels are
/// equal.
fn buffers(call: &DrawCall) -> [[f32; 2]; 4] {
    let target = drawn_over(call, [0.75; 4]);
    [0, 1, 2, 3].map(|number| {
        let buffer = target.color_buffer(number).expect("four buffers").floats();
        assert!(buffer.iter().all(|color| *color == buffer[0]), "buffer {number}");
        [buffer[0][0], buffer[0][3]]
    })
}

/// The buffers after drawing a triangle, which must equal the result for the rectangle that covers the
/// window.
fn both_ways(context: &mut Context) -> [[f32; 2]; 4] {
    let triangle = buffers(&covering(context));
    assert_eq!(buffers(&context.prepare_viewport_quad().expect("prepared")), triangle);
    triangle
}

const CLEARED: [f32; 2] = [0.75, 0.75];

#[test]
fn output_colours_go_to_their_draw_buffers() {
    use DrawBuffer::{Aux, FrontLeft, None};
    let mut context = Context::new();
    fragment_text(&mut context, COLORS);
    let outputs = [[0.125, 0.5], [0.25, 1.0], [0.375, 0.25], [0.5, 0.0]];
    let [first, second, third, fourth] = outputs;
    assert_eq!(both_ways(&mut context), [first, CLEARED, CLEARED, CLEARED], "only colour 0 at first");
    for (given, expected) in [
        (vec![FrontLeft, Aux(0), Aux(1), Aux(2)], outputs),
        (vec![Aux(2), FrontLeft], [second, CLEARED, CLEARED, first]),
        (vec![None, Aux(1), None, Aux(0)], [CLEARED, fourth, second, CLEARED]),
        (vec![None, None, FrontLeft], [third, CLEARED, CLEARED, CLEARED]),
        (vec![], [CLEARED; 4]),
    ] {
        context.draw_buffers(&given).expect("set");
        assert_eq!(both_ways(&mut context), expected, "{given:?}");
    }
    context.draw_buffer(Aux(0)).expect("set");
    assert_eq!(both_ways(&mut context), [CLEARED, first, CLEARED, CLEARED]);
}

#[test]
fn without_the_option_all_draw_buffers_take_colour_0() {
    use DrawBuffer::{Aux, FrontLeft, None};
    let mut context = Context::new();
    context.draw_buffers(&[FrontLeft, None, Aux(2)]).expect("set");
    fragment_text(&mut context, "MOV result.color, { 0.125, 0.125, 0.125, 0.5 };");
    let color = [0.125, 0.5];
    assert_eq!(both_ways(&mut context), [color, CLEARED, CLEARED, color]);
    // With the option, a colour that the program does not write is undefined: zeros (ruling 10).
    fragment_text(&mut context, "OPTION ARB_draw_buffers; MOV result.color, { 0.125, 0.125, 0.125, 0.5 };");
    assert_eq!(both_ways(&mut context), [color, CLEARED, CLEARED, [0.0, 0.0]]);
    // The same holds without a program.
    context.disable(enums::FRAGMENT_PROGRAM_ARB).expect("disabled");
    context.color([0.125, 0.125, 0.125, 0.5]).expect("set");
    assert_eq!(buffers(&covering(&mut context)), [color, CLEARED, CLEARED, color]);
}

#[test]
fn each_buffer_is_blended_by_itself_and_colour_0_is_alpha_tested() {
    use DrawBuffer::{Aux, FrontLeft};
    let mut context = Context::new();
    fragment_text(&mut context, COLORS);
    context.draw_buffers(&[Aux(0), FrontLeft, Aux(1), Aux(2)]).expect("set");
    context.enable(enums::BLEND).expect("enabled");
    context.blend_func(enums::SRC_ALPHA, enums::ONE_MINUS_SRC_ALPHA).expect("set");
    // a s + (1 - a) 0.75 for each buffer: its alpha (1, 0.5, 0.25 or 0) weights both colour and alpha.
    let blended = |s: f32, a: f32| [a * s + (1.0 - a) * 0.75, a * a + (1.0 - a) * 0.75];
    let expected = [blended(0.25, 1.0), blended(0.125, 0.5), blended(0.375, 0.25), blended(0.5, 0.0)];
    assert_eq!(both_ways(&mut context), expected);
    context.disable(enums::BLEND).expect("disabled");
    context.enable(enums::ALPHA_TEST).expect("enabled");
    // The alpha test reads colour 0, whose alpha is 0.5, whichever buffer it goes to.
    context.alpha_func(enums::GREATER, 0.5).expect("set");
    assert_eq!(both_ways(&mut context), [CLEARED; 4]);
    context.alpha_func(enums::EQUAL, 0.5).expect("set");
    assert_eq!(both_ways(&mut context), [[0.25, 1.0], [0.125, 0.5], [0.375, 0.25], [0.5, 0.0]]);
}

#[test]
fn every_pixel_of_every_buffer_is_its_own_in_windows_of_many_tiles() {
    use DrawBuffer::{Aux, FrontLeft, None};
    let mut context = Context::new();
    // Pixels left of x = 20 are discarded.
    let body = "OPTION ARB_draw_buffers; TEMP r;
        SUB r, fragment.position, { 20, 0, 0, 0 };
        KIL r.x;
        MOV result.color[0], fragment.position;
        MOV result.color[1], fragment.position.yxxx;
        ADD result.color[2], fragment.position.x, fragment.position.y;";
    fragment_text(&mut context, body);
    context.draw_buffers(&[FrontLeft, None, Aux(0)]).expect("set");
    let (size, clear) = ([150u32, 131u32], [-1.0; 4]);
    for call in [covering(&mut context), context.prepare_viewport_quad().expect("prepared")] {
        let call = call.after_clear(Clear { color: clear, ..Clear::DEFAULT });
        let draw = |count, buffers| {
            let mut target = Framebuffer::with_color_buffers(size[0], size[1], buffers).expect("small");
            let threads = Threads::new(Some(count));
            call.render(&mut target, &threads, &AtomicBool::new(false)).expect("not cancelled");
            target
        };
        let target = draw(1, 3);
        assert!(target == draw(4, 3));
        let [first, second, third] = [0, 1, 2].map(|n| target.color_buffer(n).expect("three buffers"));
        for (x, y) in (0..size[0]).flat_map(|x| (0..size[1]).map(move |y| (x, y))) {
            let index = target.index(x, y).expect("inside");
            let [column, row] = [x, y].map(|place| place as f32 + 0.5);
            let killed = column < 20.0;
            let expected = if killed { clear } else { [column, row, 0.5, 1.0] };
            assert_eq!(first.at(index), expected, "{x} {y}");
            assert_eq!(second.at(index), if killed { clear } else { [column + row; 4] }, "{x} {y}");
            assert_eq!(third.at(index), clear, "{x} {y}");
        }
        // If a framebuffer lacks the buffer, only output to that buffer is lost.
        assert_eq!(draw(2, 1).color, target.color);
    }
}

/// A 16-bit depth texture with 0.25 on the left and 0.75 on the right.
fn depths(compare: Option<CompareFunc>) -> Arc<Texture> {
    let data = [0.25, 0.75].into_iter().flat_map(|depth| [depth, 0.0, 0.0, 0.0]).collect();
    let image = Image::from_f32([2, 1, 1], data).expect("sizes agree");
    let sampler = Sampler {
        compare,
        min_filter: MinFilter::Nearest,
        mag_filter: MagFilter::Nearest,
        ..Sampler::for_target(TextureTarget::D2)
    };
    let texture = Texture::new(TextureTarget::D2, Format::DepthComponent16, vec![image.into()], sampler);
    Arc::new(texture.expect("a legal texture"))
}

#[test]
fn shadow_targets_compare_in_draws_and_so_does_the_fixed_stage() {
    let mut context = Context::new();
    context.bind_texture(0, Some(depths(Some(CompareFunc::Lequal)))).expect("bound");
    let shadow = "OPTION ARB_fragment_program_shadow; TEMP r; MOV r, fragment.texcoord; MOV r.z, 0.5;
        TEX result.color, r, texture[0], SHADOW2D;";
    fragment_text(&mut context, shadow);
    let columns = |context: &mut Context| {
        let target = drawn(&context.prepare_viewport_quad().expect("prepared"));
        [0, 1, 2, 3].map(|x| target.color.at(target.index(x, 2).expect("inside")))
    };
    // 0.5 <= 0.25 is false, 0.5 <= 0.75 is true.
    let (dark, lit) = ([0.0, 0.0, 0.0, 1.0], [1.0; 4]);
    assert_eq!(columns(&mut context), [dark, dark, lit, lit]);
    // Without a comparison the result is undefined: zeros.
    context.bind_texture(0, Some(depths(None))).expect("bound");
    assert_eq!(columns(&mut context), [[0.0; 4]; 4]);
    // The fixed-function stage compares r / q, which is 0 for the rectangle (glspec15 3.8.14).
    context.disable(enums::FRAGMENT_PROGRAM_ARB).expect("disabled");
    for (func, left) in [(CompareFunc::Less, 1.0), (CompareFunc::Greater, 0.0)] {
        context.bind_texture(0, Some(depths(Some(func)))).expect("bound");
        let found = columns(&mut context);
        // Colour 0 is (s, t, 1 - s, 1).
        assert_eq!(found[0], [0.125 * left, 2.5 / 6.0 * left, 0.875 * left, 1.0], "{func:?}");
    }
}

#[test]
fn cube_maps_are_seamless_while_that_is_enabled() {
    let faces =
        (0..6).map(|face| Image::from_rgba8([1, 1, 1], vec![51 * (face % 3), 0, 0, 255]).expect("one texel"));
    let level = Level { faces: faces.collect() };
    let sampler =
        Sampler { min_filter: MinFilter::Linear, wrap: [Wrap::ClampToEdge; 3], ..Sampler::default() };
    let cube = Texture::new(TextureTarget::Cube, Format::Rgba8, vec![level], sampler).expect("legal");
    let mut context = Context::new();
    context.bind_texture(0, Some(Arc::new(cube))).expect("bound");
    fragment_text(&mut context, "PARAM edge = { 0, 1, 1, 0 }; TEX result.color, edge, texture[0], CUBE;");
    let red = |context: &mut Context| {
        let target = drawn(&context.prepare_viewport_quad().expect("prepared"));
        target.color.at(target.index(1, 2).expect("inside"))[0]
    };
    // The edge belongs to face +y, with 102. Face +z, beyond the edge, has 51 * (4 mod 3).
    assert_eq!(red(&mut context), 0.4);
    context.enable(enums::TEXTURE_CUBE_MAP_SEAMLESS).expect("enabled");
    assert_eq!(red(&mut context), 0.3);
    context.disable(enums::TEXTURE_CUBE_MAP_SEAMLESS).expect("disabled");
    assert_eq!(red(&mut context), 0.4);
}
