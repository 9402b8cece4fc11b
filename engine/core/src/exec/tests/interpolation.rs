//! IPAC, IPAO and IPAS (NV_gpu_program5 2.X.8.Z) on attributes that vary within pixels.

use super::{Arc, Bindings, Interpolants, Program, QUAD, QuadInputs, Seen, load, run, run_within};
use crate::debug::Recording;
use crate::exec::QuadValues;
use shadestep_language::ir::{Attribute, single_bits};
use shadestep_language::isa::Language::NvFp5;
use std::sync::atomic::AtomicBool;

/// Texture coordinates that increase by 1, 2, 4 and 8 per pixel to the right, and by 16 times (set number +
/// 1) per pixel upwards.
#[derive(Debug)]
struct Sloped;

impl Interpolants for Sloped {
    fn at(&self, attribute: Attribute, _: usize, [x, y]: [f64; 2], values: &mut QuadValues) {
        let Attribute::Tex(set) = attribute else { panic!("{attribute:?}") };
        for (c, register) in values.iter_mut().enumerate() {
            let by = x * f64::from(1 << c) + y * 16.0 * (f64::from(set) + 1.0);
            *register = register.map(|value| value + by as f32);
        }
    }

    fn centroid(&self, _: usize, lane: usize) -> [f64; 2] {
        [0.125 * lane as f64, -0.25]
    }

    fn sample(&self, number: u32) -> Option<[f64; 2]> {
        (number < 4).then(|| [0.25, 0.0625 * f64::from(number)])
    }
}

/// In lane n: (n, n + 10, n + 20, n + 30).
fn values(lane: usize) -> [f32; 4] {
    [0, 10, 20, 30].map(|more| (lane + more) as f32)
}

/// The components of [`values`] at an offset, for texture coordinate set `set`.
fn sloped(lane: usize, set: u8, [x, y]: [f32; 2]) -> [f32; 4] {
    let [a, b, c, d] = values(lane);
    let by = y * 16.0 * (f32::from(set) + 1.0);
    [a + x + by, b + 2.0 * x + by, c + 4.0 * x + by, d + 8.0 * x + by]
}

const OFFSETS: [[f32; 4]; QUAD] =
    [[0.25, 0.0, 9.0, 9.0], [-0.5, 0.5, 9.0, 9.0], [0.0, -0.25, 9.0, 9.0], [0.5, 0.5078125, 9.0, 9.0]];

fn sets() -> [[[u32; 4]; QUAD]; 3] {
    let numbers: [[f32; 4]; QUAD] = std::array::from_fn(values);
    [numbers, OFFSETS, numbers].map(|set| set.map(|value| value.map(f32::to_bits)))
}

fn program(body: &str) -> Program {
    load(NvFp5, &format!("TEMP t; INT TEMP i; {body}"))
}

#[track_caller]
fn sees(body: &str) -> [Seen; QUAD] {
    run_within(program(body), &sets(), &[], Some(Arc::new(Sloped)))
}

/// Checks that `body` returns these numbers, all defined.
#[track_caller]
fn gives(body: &str, expected: impl Fn(usize) -> [f32; 4]) {
    for (lane, (bits, defined)) in sees(body).into_iter().enumerate() {
        assert_eq!((bits.map(f32::from_bits), defined), (expected(lane), 0xF), "{body} in lane {lane}");
    }
}

#[test]
fn centroid_and_samples_are_where_the_primitive_says() {
    let centroid = |lane: usize, set: u8| sloped(lane, set, [0.125 * lane as f32, -0.25]);
    gives("IPAC t, fragment.texcoord[0];", |lane| centroid(lane, 0));
    gives("CENTROID ATTRIB a = fragment.texcoord[2]; IPAC t, a;", |lane| centroid(lane, 2));
    gives("SAMPLE ATTRIB a = fragment.texcoord[2]; IPAC t, a;", |lane| centroid(lane, 2));
    gives("FLAT ATTRIB a = fragment.texcoord[0]; IPAC t, a;", values);
    for sample in [0u8, 3] {
        let place = [0.25, 0.0625 * f32::from(sample)];
        let of = format!("IPAS t, fragment.texcoord[0], {sample};");
        gives(&of, |lane| sloped(lane, 0, place));
    }
    gives("MOV.U t.x, 3; IPAS t, fragment.texcoord[0], t.x;", |lane| sloped(lane, 0, [0.25, 0.1875]));
    // A sample that does not exist.
    assert_eq!(sees("IPAS t, fragment.texcoord[0], 4;"), [([0; 4], 0); QUAD]);
    gives("IPAC t, -fragment.texcoord[0].yzwx;", |lane| {
        let [x, y, z, w] = centroid(lane, 0);
        [-y, -z, -w, -x]
    });
}

#[test]
fn without_a_primitive_centroid_and_samples_are_the_centre() {
    for body in ["IPAC t, fragment.texcoord[0];", "IPAS t, fragment.texcoord[0], 9;"] {
        for (lane, (bits, defined)) in run(program(body), &sets(), &[]).into_iter().enumerate() {
            assert_eq!((bits.map(f32::from_bits), defined), (values(lane), 0xF), "{body} in lane {lane}");
        }
    }
}

#[test]
fn offsets_are_from_the_centre() {
    for (x, y) in [(0.0, 0.0), (0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5), (0.125, -0.375)] {
        let body = format!("IPAO t, fragment.texcoord[0], {{{x}, {y}, 7, 7}};");
        gives(&body, |lane| sloped(lane, 0, [x, y]));
        // CENTROID and SAMPLE have no effect. The pipeline handles NOPERSPECTIVE.
        for modifiers in ["CENTROID", "SAMPLE", "NOPERSPECTIVE CENTROID"] {
            let body = format!("{modifiers} ATTRIB a = fragment.texcoord[2]; IPAO t, a, {{{x}, {y}, 7, 7}};");
            gives(&body, |lane| sloped(lane, 2, [x, y]));
        }
        // Constant over the primitive.
        let body = format!("FLAT ATTRIB a = fragment.texcoord[0]; IPAO t, a, {{{x}, {y}, 7, 7}};");
        gives(&body, values);
    }
    // The offset is an ordinary operand.
    gives("MOV t.zw, {0, 0, 0.5, -0.25}; IPAO t, fragment.texcoord[0], -t.zwzw;", |lane| {
        sloped(lane, 0, [-0.5, 0.25])
    });
}

#[test]
fn swizzle_and_signs_come_after_interpolation() {
    gives("IPAO t, -|fragment.texcoord[0].wzyx|, {0.5, -0.5};", |lane| {
        let [x, y, z, w] = sloped(lane, 0, [0.5, -0.5]);
        [-w.abs(), -z.abs(), -y.abs(), -x.abs()]
    });
    // In lane 0, x is negative: 0 - 7.5.
    gives("MOV t, 2; IPAO.SAT.CC t.x, fragment.texcoord[0], {0.5, -0.5}; MOV t.y (LE.x), 3;", |lane| {
        let [x, ..] = sloped(lane, 0, [0.5, -0.5]);
        let x = x.clamp(0.0, 1.0);
        [x, if x <= 0.0 { 3.0 } else { 2.0 }, 2.0, 2.0]
    });
}

#[test]
fn each_lane_has_its_own_offset_and_those_beyond_the_limits_are_undefined() {
    for body in [
        "IPAO t, fragment.texcoord[0], fragment.texcoord[1];",
        "ATTRIB a[] = { fragment.texcoord[0..1] }; MOV.S i.x, 0; IPAO t, a[i.x], a[i.x+1];",
    ] {
        for (lane, (bits, defined)) in sees(body).into_iter().enumerate() {
            let [x, y, ..] = OFFSETS[lane];
            // y of lane 3 is 0.5 + 1/128.
            let expected = if lane == 3 { ([0.0; 4], 0) } else { (sloped(lane, 0, [x, y]), 0xF) };
            assert_eq!((bits.map(f32::from_bits), defined), expected, "{body} in lane {lane}");
        }
    }
    // Also without a primitive: attributes are then constant over a pixel.
    let found = run(program("IPAO t, fragment.texcoord[0], fragment.texcoord[1];"), &sets(), &[]);
    for (lane, (bits, defined)) in found.into_iter().enumerate() {
        let expected = if lane == 3 { ([0.0; 4], 0) } else { (values(lane), 0xF) };
        assert_eq!((bits.map(f32::from_bits), defined), expected, "lane {lane}");
    }
    // A flat attribute does not depend on the spot, so its value is defined.
    gives("FLAT ATTRIB a = fragment.texcoord[0]; IPAO t, a, {2, -3};", values);
    let nan = "RCP t.x, 0; MUL t.x, t.x, 0; IPAO t, fragment.texcoord[0], t.xxxx;";
    assert_eq!(sees(nan), [([0; 4], 0); QUAD]);
}

#[test]
fn the_offset_may_be_the_attribute_itself() {
    for body in [
        "IPAO t, fragment.texcoord[1], fragment.texcoord[1];",
        "ATTRIB a[] = { fragment.texcoord[0..1] }; MOV.S i.x, 1; IPAO t, a[i.x], a[i.x];",
    ] {
        let found = sees(body);
        for lane in 0..3 {
            let [x, y, z, w] = OFFSETS[lane];
            let by = y * 32.0;
            let expected = [x + x + by, y + 2.0 * x + by, z + 4.0 * x + by, w + 8.0 * x + by];
            assert_eq!(found[lane].0.map(f32::from_bits), expected, "{body} in lane {lane}");
        }
    }
}

#[test]
fn elements_are_chosen_at_run_time() {
    // Lanes 0 to 3 read sets 2, 1, 0 and no set.
    let body = "ATTRIB a[] = { fragment.texcoord[0..2] };
        TRUNC.S i.x, -fragment.texcoord[0].x; IPAO t, a[i.x+1], {0.25, 0.125};
        ADD.S i.x, i.x, 1; IPAO t, a[i.x+1], {0.25, 0.125};";
    let found = sees(body);
    let [x, y, z, w] = OFFSETS[1];
    let expected = [
        sloped(0, 2, [0.25, 0.125]),
        [x + 4.25, y + 4.5, z + 5.0, w + 6.0],
        sloped(2, 0, [0.25, 0.125]),
        [0.0; 4],
    ];
    for (lane, expected) in expected.into_iter().enumerate() {
        assert_eq!(found[lane].0.map(f32::from_bits), expected, "lane {lane}");
    }
}

#[test]
fn lanes_interpolate_where_they_stand() {
    let body =
        "MOV t, 5; MOV.CC t.x, fragment.texcoord[0].x; IF GT.x; IPAO t, fragment.texcoord[0], {0.25, 0};
        ELSE; IPAO t, fragment.texcoord[2], {0, 0.25}; ENDIF;";
    gives(body, |lane| if lane > 0 { sloped(lane, 0, [0.25, 0.0]) } else { sloped(lane, 2, [0.0, 0.25]) });
}

#[test]
fn a_recording_shows_the_attribute_as_it_is_read() {
    let program = Arc::new(program("IPAO t, -fragment.texcoord[0].yxzw, {0.25, -0.5};"));
    let mut inputs = QuadInputs { interpolants: Some(Arc::new(Sloped)), ..QuadInputs::default() };
    inputs.attributes[Attribute::Tex(0).index()] = std::array::from_fn(values);
    let bindings = Arc::new(Bindings::initial(&program));
    let recording =
        Recording::of_fragment(&program, &bindings, inputs, (2, [0, 0]), &AtomicBool::new(false)).unwrap();
    let steps: Vec<_> = recording.steps(0..1).collect();
    let [x, y, z, w] = sloped(2, 0, [0.25, -0.5]);
    let [read, offset] = &steps[0].operands[..] else { panic!("two operands") };
    assert_eq!(read.register, single_bits([x, y, z, w]));
    assert_eq!(read.swizzled, single_bits([y, x, z, w]));
    assert_eq!((read.converted, read.used), (single_bits([-y, -x, -z, -w]), 0xF));
    assert_eq!((offset.register, offset.used), (single_bits([0.25, -0.5, 0.0, 1.0]), 0b0011));
}
