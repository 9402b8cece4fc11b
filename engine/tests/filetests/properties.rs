//! Laws of the passes, for random functions.

use super::{random, run};
use crate::support::random::Random;
use shadestep_core::exec::lir::text::print;
use shadestep_core::exec::lir::{
    DemandedBits, Denorms, Function, Masks, OptionalOperation, eliminate_flushes, legalize, schedule, verify,
    verify_schedule,
};

const CASES: u64 = 300;

fn each_function(check: impl Fn(&mut Random, &Function)) {
    for seed in 0..CASES {
        let mut random = Random::new(seed);
        let length = 4 + random.below(60);
        let function = random::function(&mut random, length);
        check(&mut random, &function);
    }
}

fn assert_correct(after: &str, function: &Function, new: &Function, masks: Masks) {
    let faults = verify(new, masks);
    assert!(faults.is_empty(), "{}after {after}\n{}", print("before", function), print("after", new));
}

/// Some of the optional operations.
fn some_operations(random: &mut Random) -> Vec<OptionalOperation> {
    OptionalOperation::ALL.into_iter().filter(|_| random.chance(2)).collect()
}

#[test]
fn passes_keep_functions_correct() {
    each_function(|random, function| {
        for denorms in [Denorms::Kept, Denorms::AreZeros] {
            let mut seen = DemandedBits::nothing([0, 1]);
            seen.all((0..random::REGISTERS).filter(|_| random.chance(2)));
            let eliminated = eliminate_flushes(function, denorms, &seen);
            assert_correct("eliminate_flushes", function, &eliminated, Masks::Own);
        }
        for masks in [Masks::Own, Masks::Vectors] {
            let legal = some_operations(random);
            let legalized = legalize(function, masks, &legal);
            assert_correct("legalize", function, &legalized, masks);
            let missing = legalized.nodes.iter().filter_map(OptionalOperation::of);
            let missing: Vec<OptionalOperation> = missing.filter(|one| !legal.contains(one)).collect();
            assert_eq!(missing, [], "{}", print("legalized", &legalized));
        }
    });
}

#[test]
fn schedules_are_correct() {
    each_function(|_, function| {
        let faults = verify_schedule(function, &schedule(function));
        assert!(faults.is_empty(), "{}\n{}", print("scheduled", function), faults.join("\n"));
    });
}

/// Compares every back end, and the interpreter after each pass.
#[test]
fn results_are_the_same_bits() {
    for seed in 0..CASES {
        let mut random = Random::new(seed);
        let length = 4 + random.below(60);
        let function = random::defined_function(&mut random, length);
        if let Err(error) = run::compare(&function, || random::value(&mut random)) {
            panic!("seed {seed}: {error}\n{}", print("random", &function));
        }
    }
}
