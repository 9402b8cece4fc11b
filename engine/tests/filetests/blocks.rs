//! Passes over blocks.

use std::collections::BTreeMap;

use shadestep_core::exec::lir::{Block, Homes, Live, Segment, Then, cut, text};

/// The lines of the block without dead code, and the lane registers that are live before it.
pub fn without_dead_code(block: &Block, live: &[u16]) -> Vec<String> {
    let (mut block, mut live) = (block.clone(), live.iter().copied().collect::<Live>());
    block.eliminate_dead_code(&mut live);
    let printed = text::print_block("after", &block);
    let lines: Vec<&str> = printed.lines().collect();
    let live: Vec<String> = live.iter().map(ToString::to_string).collect();
    let lines = lines[1..lines.len() - 1].iter().map(|line| line.trim_start().to_owned());
    lines.chain([format!("live {}", live.join(", "))]).collect()
}

/// The functions and effects of a block. `README.md` lists the lane registers.
pub fn segments(block: &Block) -> Vec<Segment> {
    let inputs: BTreeMap<u16, u16> = (0..100).map(|input| (500 + input, input)).collect();
    let homes = Homes { zero: 1000, inputs: &inputs, kill: 1001, exit: 1002, first_free: 2000 };
    cut(block, &homes).0
}

/// The lines of functions and effects, with the numbers of lane registers instead of values in effects.
pub fn lines(segments: &[Segment]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, Segment { function, then }) in segments.iter().enumerate() {
        if !function.stores.is_empty() {
            lines.extend(text::print(&number.to_string(), function).lines().map(str::to_owned));
        }
        match then {
            Then::Nothing => {}
            Then::Kill => lines.push("kill".to_owned()),
            Then::Effect(effect) => lines.push(text::print_effect(effect, |register| register.to_string())),
        }
    }
    lines
}
