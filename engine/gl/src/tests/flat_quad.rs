//! Flat attributes of the rectangle that covers the window. All fragments have the value at its upper left
//! corner. That corner is the fourth vertex of the quad, which is the provoking one (glspec15 table 2.12,
//! NV_fragment_program4 2.X.3.1).

use super::super::{Context, DrawCall, enums};
use shadestep_core::pipeline::{ColorFormat, Framebuffer, Samples, ShadeModel, Threads};
use shadestep_language::ir::Attribute;
use shadestep_language::isa::Stage;
use std::sync::atomic::AtomicBool;

const SIZE: [u32; 2] = [5, 3];

/// At this corner, s is 0 and t is 1.
const CORNER: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const CORNER_COLOR: [f32; 4] = [0.0, 1.0, 1.0, 1.0];

/// s and t at the centre of a pixel.
fn place([x, y]: [u32; 2]) -> [f32; 2] {
    [(x as f32 + 0.5) / SIZE[0] as f32, (y as f32 + 0.5) / SIZE[1] as f32]
}

/// A context with a fragment program and this many samples per pixel.
fn with(text: &str, samples: Samples) -> Context {
    let mut context = Context::new();
    context.choose_samples(samples).expect("chosen");
    let loaded = context.program_string(Stage::Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    loaded.unwrap_or_else(|error| panic!("{error}: {:?}\n{text}", context.program_diagnostics()));
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    context
}

/// Renders the rectangle and compares each pixel with `expected`.
fn check(call: &DrawCall, samples: Samples, what: &str, expected: impl Fn([u32; 2]) -> [f32; 4]) {
    for threads in [1, 3] {
        let target = Framebuffer::with_samples(SIZE[0], SIZE[1], samples, ColorFormat::Rgba32F, &[]);
        let mut target = target.expect("small");
        call.render(&mut target, &Threads::new(Some(threads)), &AtomicBool::new(false))
            .expect("not cancelled");
        for pixel in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y])) {
            let found = target.color.at(target.index(pixel[0], pixel[1]).expect("inside"));
            assert_eq!(found, expected(pixel), "{what} {samples:?} {pixel:?}");
        }
    }
}

#[test]
fn flat_attributes_have_the_value_at_the_upper_left_corner() {
    // The output is 1 if the integers are the bits of the corner's numbers.
    let integers = [("INT", "S"), ("UINT", "U")].map(|(ty, suffix)| {
        ["attrib[4]", "texcoord[2]"].map(|name| {
            format!(
                "!!NVfp4.0 FLAT {ty} ATTRIB a = fragment.{name}; {ty} TEMP i; SEQ.{suffix} i, a, {{ 0, 0x3F800000, 0, 0x3F800000 }};
                 AND.{suffix} i, i, 1; I2F.{suffix} result.color, i; END"
            )
        })
    });
    let programs = [
        ("!!NVfp4.0 FLAT ATTRIB a = fragment.texcoord[3]; MOV result.color, a; END", CORNER),
        ("!!NVfp4.0 FLAT ATTRIB a = fragment.attrib[31]; MOV result.color, a; END", CORNER),
        ("!!NVfp4.0 FLAT ATTRIB a[2] = { fragment.attrib[3..4] }; MOV result.color, a[1]; END", CORNER),
        // An inline binding has the modifiers of the variable.
        ("!!NVfp4.0 FLAT ATTRIB a = fragment.texcoord; MOV result.color, fragment.texcoord; END", CORNER),
        ("!!NVfp4.0 FLAT ATTRIB a = fragment.color; MOV result.color, a; END", CORNER_COLOR),
        (
            "!!NVfp4.0 FLAT ATTRIB a = fragment.color.secondary; MOV result.color, a; END",
            [0.0, 0.0, 0.0, 1.0],
        ),
        // Evaluation at another place in the pixel gives the same value.
        (
            "!!NVfp5.0 FLAT ATTRIB a = fragment.attrib[1]; IPAO result.color, a, { 0.25, -0.5, 0, 0 }; END",
            CORNER,
        ),
        ("!!NVfp5.0 FLAT ATTRIB a = fragment.texcoord; IPAC result.color, a; END", CORNER),
        ("!!NVfp5.0 FLAT ATTRIB a = fragment.color; IPAS result.color, a, 0; END", CORNER_COLOR),
        // The program runs once per sample.
        (
            "!!NVfp5.0 FLAT ATTRIB a = fragment.attrib[2]; INT TEMP i; MOV.S i, fragment.sampleid.x; MOV result.color, a; END",
            CORNER,
        ),
    ];
    let all = programs.into_iter().chain(integers.iter().flatten().map(|text| (&**text, [1.0; 4])));
    for (text, expected) in all {
        for samples in [Samples::One, Samples::Four] {
            let call = with(text, samples).prepare_viewport_quad().expect("prepared");
            check(&call, samples, text, |_| expected);
        }
    }
}

/// The fragments that the debugger runs have the same values as the picture's.
#[test]
fn fragments_run_by_themselves_have_the_same_value() {
    let text = "!!NVfp4.0 FLAT ATTRIB a = fragment.texcoord[3]; ATTRIB b = fragment.attrib[0]; ADD result.color, a, b; END";
    let call = with(text, Samples::One).prepare_viewport_quad().expect("prepared");
    for pixel in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y])) {
        let fragments = call.fragments_at(SIZE, pixel);
        let [fragment] = &fragments[..] else { panic!("{} fragments", fragments.len()) };
        let lanes = |attribute: Attribute| fragment.quad[attribute.index()];
        assert_eq!(lanes(Attribute::Tex(3)), [CORNER; 4]);
        let [s, t] = place(pixel);
        assert_eq!(lanes(Attribute::Generic(0))[fragment.lane], [s, t, 0.0, 1.0]);
    }
}

#[test]
fn other_attributes_of_the_program_stay_interpolated() {
    let text =
        "!!NVfp4.0 FLAT ATTRIB a = fragment.texcoord[0]; NOPERSPECTIVE ATTRIB b = fragment.texcoord[1];
        MOV result.color.xy, a; MOV result.color.z, b.x; MOV result.color.w, fragment.attrib[0].y; END";
    let call = with(text, Samples::One).prepare_viewport_quad().expect("prepared");
    check(&call, Samples::One, text, |pixel| [0.0, 1.0, place(pixel)[0], place(pixel)[1]]);
}

#[test]
fn flat_shading_makes_colours_flat_with_a_program_and_without() {
    let texts = [
        ("!!ARBfp1.0 MOV result.color, fragment.color; END", true),
        ("!!NVfp4.0 NOPERSPECTIVE ATTRIB a = fragment.color; MOV result.color, a; END", true),
        ("!!ARBfp1.0 MOV result.color, fragment.texcoord; END", false),
    ];
    for (text, is_color) in texts {
        let mut context = with(text, Samples::One);
        context.shade_model(ShadeModel::Flat).expect("set");
        let call = context.prepare_viewport_quad().expect("prepared");
        let smooth = |[s, t]: [f32; 2]| [s, t, 0.0, 1.0];
        let expected = |pixel| if is_color { CORNER_COLOR } else { smooth(place(pixel)) };
        check(&call, Samples::One, text, expected);
    }
    let mut context = Context::new();
    context.shade_model(ShadeModel::Flat).expect("set");
    let call = context.prepare_viewport_quad().expect("prepared");
    check(&call, Samples::One, "no program", |_| CORNER_COLOR);
}
