//! Tests of single programs in both executors, against results that the specifications state.

mod frame_queries;
mod interpolation;
mod primitives;
mod textures;
mod vertices;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{
    AttributeLanes, Bindings, Inspection, InstructionLimit, Interpolants, LANES, QUAD, QuadInputs,
    run_quad_within,
};
use crate::debug::Recording;
use crate::exec::report::Looked;
use crate::texture::Texture;
use shadestep_language::front;
use shadestep_language::ir::{Attribute, Program};
use shadestep_language::isa::Language;

/// A register of a lane, and which of its components are defined (bit 0 = x).
type Seen = ([u32; 4], u8);

/// Texture coordinate sets 0, 1, ... of a quad, by lane.
type Sets<'a> = &'a [[[u32; 4]; QUAD]];

#[track_caller]
fn load(language: Language, body: &str) -> Program {
    let text = format!("{}\n{body}\nEND", language.header());
    let loaded = front::load(text.as_bytes());
    loaded.program.unwrap_or_else(|| panic!("{body}\n{:#?}", loaded.diagnostics))
}

/// Runs a program on a quad. Returns the first temporary of each lane, which must be bit-identical in the
/// reference interpreter and in all back ends of the batch executor.
#[track_caller]
fn run(program: Program, sets: Sets<'_>, textures: &[(usize, Texture)]) -> [Seen; QUAD] {
    run_within(program, sets, textures, None)
}

/// Runs a program with attributes that vary within pixels.
#[track_caller]
fn run_within(
    program: Program,
    sets: Sets<'_>,
    textures: &[(usize, Texture)],
    interpolants: Option<Arc<dyn Interpolants>>,
) -> [Seen; QUAD] {
    let program = Arc::new(program);
    let mut bindings = Bindings::initial(&program);
    for (unit, texture) in textures {
        bindings.textures[*unit] = Some(Arc::new(texture.clone()));
    }
    let (mut quad, mut lanes) = (QuadInputs::default(), AttributeLanes::default());
    for (set, values) in (0..).zip(sets) {
        let attribute = Attribute::Tex(set);
        quad.attributes[attribute.index()] = values.map(|value| value.map(f32::from_bits));
        for lane in 0..LANES {
            for (c, bits) in values[lane % QUAD].into_iter().enumerate() {
                lanes.register_mut(attribute, c).0[lane] = f32::from_bits(bits);
            }
        }
    }
    if let Some(interpolants) = &interpolants {
        lanes.set_interpolants(Arc::clone(interpolants));
    }
    quad.interpolants = interpolants;
    let limit = InstructionLimit::of(&program);
    let ends = run_quad_within(&program, &bindings, &quad, limit);
    lookups_are_told(&program, &bindings, &quad);
    for (name, mut wide) in Inspection::all(&program, &bindings, &lanes) {
        wide.finish(u64::MAX, limit);
        for lane in 0..LANES {
            let (wide, traced) = (wide.registers(lane), &ends[lane % QUAD].registers);
            assert_eq!(wide.temporaries, traced.temporaries, "{name}, lane {lane}");
        }
    }
    ends.map(|end| {
        (end.registers.temporaries[0].map(|bits| bits as u32), end.registers.temporaries_defined[0])
    })
}

/// Checks that the traces of all lookups have the results of their steps, in every lane.
#[track_caller]
fn lookups_are_told(program: &Arc<Program>, bindings: &Bindings, quad: &QuadInputs) {
    let bindings = Arc::new(bindings.clone());
    for lane in 0..QUAD {
        let (quad, never) = (quad.clone(), AtomicBool::new(false));
        let recording = Recording::of_fragment(program, &bindings, quad, (lane, [0, 0]), &never).unwrap();
        let mut steps = recording.all_steps();
        loop {
            let lookup = steps.lookup();
            let Some(step) = steps.next() else { break };
            assert_eq!(lookup.is_some(), step.texture.is_some(), "{step:?}");
            let Some(lookup) = lookup else { continue };
            let bits = |coordinates: [f32; 4]| coordinates.map(f32::to_bits);
            let told = step.texture.map(|texture| bits(texture.coordinates));
            assert_eq!(Some(bits(lookup.texture.coordinates)), told);
            let result = match &lookup.looked {
                Looked::Up(trace) => trace.result.map(f32::to_bits),
                Looked::Fetched(fetched, _) => fetched.result,
                Looked::Size(sides, _) => [sides[0], sides[1], sides[2], 0],
                Looked::Refused(_) => [0; 4],
            };
            let defined = step.computed & !step.undefined;
            for c in (0..4).filter(|c| defined >> c & 1 != 0) {
                // Without a texture, some languages return 1 in w.
                if !matches!(lookup.looked, Looked::Refused(_)) {
                    assert_eq!(step.result[c], u64::from(result[c]), "lane {lane}, {lookup:?}");
                }
            }
            let refused = matches!(lookup.looked, Looked::Refused(_));
            assert!(!refused || step.undefined != 0 || !lookup.texture.complete, "{lookup:?}");
        }
    }
}
