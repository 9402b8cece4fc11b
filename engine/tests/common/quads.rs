//! Runs fragment programs on quads with integer inputs and checks that both executors agree.

use std::sync::Arc;

use shadestep_core::exec::{
    AttributeLanes, Bindings, Finished, Inspection, InstructionLimit, LANES, QUAD, QuadInputs,
    run_quad_within,
};
use shadestep_engine::ir::{Attribute, Program};

/// The input attribute: (n, n - 2, 10, 1) as integers in lane n of each quad.
pub const LANE: Attribute = Attribute::Tex(0);

fn inputs() -> AttributeLanes {
    let mut inputs = AttributeLanes::default();
    for lane in 0..LANES {
        let n = (lane % QUAD) as i32;
        for (c, value) in [n, n - 2, 10, 1].into_iter().enumerate() {
            inputs.register_mut(LANE, c).0[lane] = f32::from_bits(value.cast_unsigned());
        }
    }
    inputs
}

/// Runs a quad on both executors, asserts equal results and returns the end of each lane.
#[track_caller]
pub fn ends(program: &Arc<Program>, bindings: &Bindings) -> [Finished; QUAD] {
    let inputs = inputs();
    let mut quad = QuadInputs::default();
    for lane in 0..QUAD {
        quad.attributes[LANE.index()][lane] = std::array::from_fn(|c| inputs.register(LANE, c).0[lane]);
    }
    let flows = program.instructions.iter().any(|instruction| instruction.control().is_some());
    let limit = InstructionLimit::of(program);
    let ends = run_quad_within(program, bindings, &quad, limit);
    for (name, mut wide) in Inspection::all(program, bindings, &inputs) {
        wide.finish(u64::MAX, limit);
        for lane in 0..LANES {
            let (found, end) = (wide.registers(lane), &ends[lane % QUAD]);
            assert_eq!(found.temporaries, end.registers.temporaries, "{name}, lane {lane}");
            assert_eq!(
                (found.cc, found.killed),
                (end.registers.cc, end.registers.killed),
                "{name}, lane {lane}"
            );
            // Straight-line programs have no instruction count.
            assert!(!flows || wide.executed(lane) == end.executed, "{name}, lane {lane}");
        }
    }
    ends
}
