//! Random programs on the batch executor and the reference interpreter. The tests compare every register of
//! every lane after every instruction. They also compare whole blocks in the compiled shader, including its
//! path without masks.
//!
//! Tests of the batch executor compare all back ends. Textures use the vector code of this processor's best
//! instruction set. All tests run again in a process of its own for each smaller instruction set
//! (`again_with_other_processors`).
//!
//! `SHADESTEP_FUZZ_SECONDS=n` runs new seeds for n seconds. `SHADESTEP_FUZZ_SEED=n` runs only that seed.

use std::fmt::Debug;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::common::processes;
use crate::support::random::Random;
use crate::support::{effects, patches, reordered, replay, slices, trials};
use shadestep_engine::debug::Ended;
use shadestep_engine::exec::Finished;
use shadestep_engine::processor::Cpu;

#[test]
fn again_with_other_processors() {
    // All back ends are compared already, so only other vector code is left. Cranelift has none of its own.
    processes::again_with_other_processors("differential::", |cpu| cpu != Cpu::Cranelift);
}

/// The number in an environment variable, if it is set.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn one_seed() -> Option<u64> {
    number("SHADESTEP_FUZZ_SEED")
}

/// The duration for new seeds.
fn seconds() -> Option<u64> {
    number("SHADESTEP_FUZZ_SECONDS")
}

/// The seeds to run: the single seed, a fixed number, or as many as fit into the duration.
fn seeds() -> Box<dyn Iterator<Item = u64>> {
    match (one_seed(), seconds()) {
        (Some(seed), _) => Box::new(std::iter::once(seed)),
        (None, None) => Box::new(0..400),
        (None, Some(seconds)) => {
            let end = Instant::now() + Duration::from_secs(seconds);
            let start = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
            Box::new((start..).take_while(move |_| Instant::now() < end))
        }
    }
}

/// Checks that each of these cases occurred. The fixed seeds cover all cases, other seeds need not.
#[track_caller]
fn check_happened(counts: &[usize], told: impl Debug) {
    let is_fixed = one_seed().is_none() && seconds().is_none();
    assert!(!is_fixed || counts.iter().all(|&count| count > 0), "{told:?}");
}

/// Runs a trial on every seed. Each test has its own `salt`, so tests run different programs for a seed.
fn every_seed(salt: u64, trial: trials::Trial) {
    for seed in seeds() {
        trial(seed, &mut Random::new(seed ^ salt));
    }
}

#[test]
fn every_register_after_every_instruction() {
    every_seed(0, trials::steps_of_fragments);
}

#[test]
fn every_register_after_every_instruction_of_vertex_programs() {
    every_seed(0x0E57, trials::steps_of_vertices);
}

#[test]
fn every_register_after_every_instruction_of_arb_programs() {
    every_seed(0xA2B, trials::steps_of_arb);
}

#[test]
fn every_register_after_every_instruction_of_all_types() {
    every_seed(0x1217, trials::steps_of_types);
}

#[test]
fn whole_blocks_of_all_types() {
    every_seed(0xB1217, trials::blocks_of_types);
}

#[test]
fn every_register_of_all_types_in_thread_groups() {
    every_seed(0x6A0, trials::groups_of_types);
}

#[test]
fn whole_blocks_of_all_types_in_thread_groups() {
    every_seed(0xB6A0, trials::blocks_of_groups);
}

#[test]
fn whole_blocks_with_liveness() {
    every_seed(0xB10C, trials::blocks_of_fragments);
}

#[test]
fn whole_blocks_of_vertices() {
    every_seed(0x7E57, trials::blocks_of_vertices);
}

#[test]
fn whole_blocks_of_structured_flow_with_liveness() {
    every_seed(0xB10CF, trials::blocks_of_structured);
}

#[test]
fn every_step_had_again_in_any_order_is_the_one_that_the_run_made() {
    // Endless programs run to the limit several times over, so fewer seeds suffice.
    for seed in seeds().step_by(4) {
        replay::trial(seed, &mut Random::new(seed ^ 0x5EE6));
    }
}

#[test]
fn invocations_of_patches_in_lock_step() {
    let diverged = seeds().step_by(2).map(|seed| patches::trial(seed, &mut Random::new(seed ^ 0x7C9))).sum();
    check_happened(&[diverged], ("invocations of a patch go different ways", diverged));
}

#[test]
fn nothing_outside_of_an_ancestry_matters() {
    let mut counts = slices::Counts::default();
    // Each run repeats a dozen times, so fewer seeds suffice.
    let seeds = seeds().step_by(8);
    for (seed, kind) in seeds.flat_map(|seed| (0..slices::KINDS).map(move |kind| (seed, kind))) {
        slices::trial(seed, kind, &mut Random::new(seed ^ 0xA9CE5), &mut counts);
    }
    check_happened(&Vec::from(&counts), &counts);
}

#[test]
fn side_effects_of_vertices() {
    let mut totals = [0, 0];
    for seed in seeds() {
        let counts = effects::vertices(seed, &mut Random::new(seed ^ 0x5EFF));
        totals = [totals[0] + counts[0], totals[1] + counts[1]];
    }
    check_happened(&totals, ("memory changes and vertices are emitted", totals));
}

#[test]
fn side_effects_of_fragments() {
    let mut totals = [0, 0];
    for seed in seeds() {
        let counts = effects::fragments(seed, &mut Random::new(seed ^ 0xF5EFF));
        totals = [totals[0] + counts[0], totals[1] + counts[1]];
    }
    check_happened(&totals, ("memory changes and fragments are discarded", totals));
}

/// Counts of the lanes' ends.
#[derive(Debug, Default)]
struct Ends {
    normal: usize,
    calls: usize,
    blocks: usize,
    stacks: usize,
    limited: usize,
    /// Programs with lanes that executed different numbers of instructions.
    diverged: usize,
}

impl Ends {
    fn count(&mut self, lanes: &[Finished]) {
        for end in lanes {
            match end.ended {
                Ended::Normal => self.normal += 1,
                Ended::CallOverflow => self.calls += 1,
                Ended::BlockOverflow => self.blocks += 1,
                Ended::StackMismatch => self.stacks += 1,
                Ended::InstructionLimit => self.limited += 1,
            }
        }
        self.diverged += usize::from(lanes.iter().any(|end| end.executed != lanes[0].executed));
    }
}

// The comparisons with control flow are only useful if the random programs cover every case.

#[test]
fn branching_programs_end_with_the_same_registers_after_as_many_instructions() {
    let mut ends = Ends::default();
    for seed in seeds() {
        ends.count(&trials::branching(seed, &mut Random::new(seed ^ 0xF10E)));
    }
    assert_eq!((ends.blocks, ends.stacks), (0, 0), "!!VP2.0 has neither");
    check_happened(&[ends.normal, ends.calls, ends.limited, ends.diverged], &ends);
}

#[test]
fn indirect_calls_lead_to_the_same_registers() {
    let mut ends = Ends::default();
    for seed in seeds() {
        ends.count(&trials::indirect(seed, &mut Random::new(seed ^ 0x1D1EC7)));
    }
    check_happened(&[ends.normal, ends.calls, ends.limited, ends.diverged], &ends);
}

#[test]
fn moving_a_subroutine_changes_no_bit() {
    let mut counts = reordered::Counts::default();
    for seed in seeds().step_by(2) {
        reordered::trial(seed, &mut Random::new(seed ^ 0x4E04D), &mut counts);
    }
    check_happened(&Vec::from(&counts), &counts);
}

#[test]
fn structured_flow_has_the_same_registers_after_as_many_instructions() {
    let mut ends = Ends::default();
    for seed in seeds() {
        ends.count(&trials::structured(seed, &mut Random::new(seed ^ 0x57F10)));
    }
    let all = [ends.normal, ends.calls, ends.blocks, ends.stacks, ends.limited, ends.diverged];
    check_happened(&all, &ends);
}
