//! State that acts without a program, or beside one: the colour sum.

use std::sync::atomic::AtomicBool;

use super::super::{Context, DrawCall, ProgramTarget, enums};
use crate::pipeline::{Framebuffer, Primitive, Threads};

/// Draws a triangle that covers a window of 4x4 with attributes 3 and 4 as its colours.
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
    target.color[5]
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
    // Conventional vertices: as the enable says.
    let mut context = colored();
    assert_eq!(context.is_enabled(enums::COLOR_SUM), Ok(false));
    assert_eq!(pixel(&covering(&mut context)), primary);
    context.enable(enums::COLOR_SUM).expect("enabled");
    assert_eq!(pixel(&covering(&mut context)), sum);
    // Where no vertices are drawn there is no secondary colour.
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
            context.bind_program_arb(ProgramTarget::Vertex, 1).expect("bound");
            context
                .program_string(ProgramTarget::Vertex, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes())
                .expect("loaded");
            context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
            let expected = if enabled || !arb { sum } else { primary };
            assert_eq!(pixel(&covering(&mut context)), expected, "{text} {enabled}");
            // A fragment program has the sum's place.
            context.load_program(ProgramTarget::Fragment, 2, b"!!FP1.0 MOV o[COLR], f[COL0]; END").expect("loaded");
            context.bind_program(ProgramTarget::Fragment, 2).expect("bound");
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
        // The back is seen, and its primary colour is not written.
        ("MOV o[BFC1], v[COL1];", true, [0.5, 0.25, 0.125, 1.0]),
        ("MOV o[COL1], v[COL1];", true, [0.0, 0.0, 0.0, 1.0]),
    ] {
        let mut context = Context::new();
        context.color([0.25, 0.25, 0.25, 1.0]).expect("set");
        context.vertex_attrib(4, [0.5f32, 0.25, 0.125, 0.5]).expect("set");
        let text = format!("!!VP2.0 MOV o[HPOS], v[OPOS]; MOV o[COL0], v[COL0]; {results} END");
        context.load_program(ProgramTarget::Vertex, 1, text.as_bytes()).expect("loaded");
        context.bind_program(ProgramTarget::Vertex, 1).expect("bound");
        context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
        if two_side {
            context.enable(enums::VERTEX_PROGRAM_TWO_SIDE_NV).expect("enabled");
        }
        context.front_face(enums::CW).expect("set");
        assert_eq!(pixel(&covering(&mut context)), expected, "{results} {two_side}");
    }
}
