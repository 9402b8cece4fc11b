//! Vertex programs: 64-bit attributes.

use super::*;
use crate::exec::run_vertex_within;

/// Runs a vertex program and returns its first two temporaries, which must be equal in the reference
/// interpreter and in all back ends of the batch executor. Lane n of a block has attribute 1 with n added to
/// the bits of x.
#[track_caller]
fn run_vertex(body: &str, attributes: [[u64; 4]; 3]) -> [[u64; 4]; 2] {
    let program = Arc::new(load(Language::NvVp5, body));
    let bindings = Bindings::initial(&program);
    let limit = InstructionLimit::of(&program);
    let mut lanes = AttributeLanes::default();
    for lane in 0..LANES {
        for (number, mut values) in (0..).zip(attributes) {
            values[0] += if number == 1 { lane as u64 } else { 0 };
            for (c, bits) in values.into_iter().enumerate() {
                let attribute = Attribute::Vertex(number);
                let words = [bits as u32, (bits >> 32) as u32].map(f32::from_bits);
                lanes.all_mut()[AttributeLanes::index(attribute, c)].0[lane] = words[0];
                lanes.all_mut()[AttributeLanes::high_index(attribute, c)].0[lane] = words[1];
            }
        }
    }
    let traced = |lane| run_vertex_within(&program, &bindings, &lanes.vertex(lane), limit).registers;
    for (name, mut wide) in Inspection::all(&program, &bindings, &lanes) {
        wide.finish(u64::MAX, limit);
        for lane in 0..LANES {
            assert_eq!(wide.registers(lane).temporaries, traced(lane).temporaries, "{name}, lane {lane}");
        }
    }
    let temporaries = traced(0).temporaries;
    [temporaries[0], temporaries[1]]
}

const ATTRIBUTES: [[u64; 4]; 3] = [
    [0x3F80_0000; 4],
    // 1 + 2^-52, -1 - 2^-52, 2^-1074, and a NaN.
    [0x3FF0_0000_0000_0001, 0xBFF0_0000_0000_0001, 1, 0x7FF8_0000_0000_0001],
    [0x0123_4567_89AB_CDEF, u64::MAX, 0, 1 << 63],
];

#[test]
fn long_attributes_have_all_their_bits() {
    let text = "LONG ATTRIB d = vertex.attrib[1]; LONG INT ATTRIB i = vertex.attrib[2]; LONG TEMP s; LONG INT TEMP t;\n\
                ADD.F64 s, d, d; ADD.S64 t, i, {1, 1, 1, 1}; MOV result.position, vertex.attrib[0];";
    let [sum, integers] = run_vertex(text, ATTRIBUTES);
    assert_eq!(sum[..2], [0x4000_0000_0000_0001, 0xC000_0000_0000_0001]);
    assert_eq!(integers, [0x0123_4567_89AB_CDF0, 0, 1, (1 << 63) + 1]);
    // Unpacks the two halves.
    let text = "LONG UINT ATTRIB i = vertex.attrib[2]; UINT TEMP low; UINT TEMP high;\n\
                UP64.U low, i.xxxx; UP64.U high, i.wwyy; MOV result.position, vertex.attrib[0];";
    let [x, wy] = run_vertex(text, ATTRIBUTES);
    assert_eq!(x[..2], [0x89AB_CDEF, 0x0123_4567]);
    assert_eq!(wy[..2], [0, 0x8000_0000]);
}

#[test]
fn an_array_of_long_attributes_is_indexed() {
    let text = "LONG ATTRIB d[] = { vertex.attrib[1..2] }; INT TEMP a; LONG INT TEMP t;\n\
                MOV.S a, 1; MOV.S64 t, d[a.x]; MOV result.position, vertex.attrib[0];";
    let program = load(Language::NvVp5, text);
    assert_eq!(program.attributes()[0], Attribute::Vertex(0));
    assert!(program.attributes().contains(&Attribute::LongVertex(2)));
    assert_eq!(run_vertex(text, ATTRIBUTES)[1], ATTRIBUTES[2]);
}

/// A variable without LONG reads 32 bits of the same register.
#[test]
fn the_low_half_is_what_other_variables_read() {
    let text = "UINT ATTRIB low = vertex.attrib[2]; LONG UINT ATTRIB all = vertex.attrib[2];\n\
                UINT TEMP a; LONG UINT TEMP b; MOV.U a, low; MOV.U64 b, all; MOV result.position, vertex.attrib[0];";
    let [low, all] = run_vertex(text, ATTRIBUTES);
    assert_eq!(all, ATTRIBUTES[2]);
    assert_eq!(low, ATTRIBUTES[2].map(|bits| bits & 0xFFFF_FFFF));
}
