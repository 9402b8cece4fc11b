//! Results of instructions for operands at the edges of their type: zeros, infinities, NaN, denormals and
//! overflow.

use super::super::explain::by_letter;
use super::{Example, step};
use shadestep_core::debug::Step;
use shadestep_language::front;
use shadestep_language::ir::{LETTERS, ParamId, Program, Source, Target, Type};
use shadestep_language::isa::Opcode;
use shadestep_language::semantics::ops::Kernel;
use shadestep_language::semantics::plan::Plan;
use std::sync::Arc;

/// The result for operands at the edge of their type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialCase {
    /// The values of the operands. All components of an operand are equal.
    pub operands: Vec<String>,
    /// The components of the result; one value if they are equal.
    pub result: String,
    /// An additional reason, if there is one.
    pub why: Option<String>,
}

/// Values at the edges of `ty`.
fn edges(ty: Type) -> &'static [f64] {
    const NUMBERS: &[f64] =
        &[0.0, -0.0, 1.0, -1.0, 2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40, 3e38];
    const SIGNED: &[f64] = &[0.0, 1.0, -1.0, 2_147_483_647.0, -2_147_483_648.0];
    const UNSIGNED: &[f64] = &[0.0, 1.0, 4_294_967_295.0];
    if ty.is_unsigned_integer() {
        UNSIGNED
    } else if ty.is_integer() {
        SIGNED
    } else {
        NUMBERS
    }
}

/// Combinations of edge values for `count` operands of type `ty`.
fn combinations(ty: Type, count: usize) -> Vec<Vec<f64>> {
    let (inf, nan, max) = (f64::INFINITY, f64::NAN, 3e38);
    let pairs: &[[f64; 2]] = if ty.is_integer() {
        &[[7.0, 0.0], [7.0, -2.0], [-7.0, 2.0], [1.0, 31.0], [1.0, 32.0], [2_147_483_647.0, 1.0]]
    } else {
        &[
            [0.0, 0.0],
            [0.0, -0.0],
            [1.0, 0.0],
            [-1.0, 0.0],
            [0.0, inf],
            [inf, inf],
            [inf, -inf],
            [1.0, inf],
            [nan, 1.0],
            [1.0, nan],
            [max, max],
            [-max, max],
        ]
    };
    let triples: &[[f64; 3]] = if ty.is_integer() {
        &[[0.0, 0.0, 0.0], [2_147_483_647.0, 2.0, 1.0], [-1.0, 3.0, 5.0], [4.0, 8.0, -1.0]]
    } else {
        &[
            [0.0, inf, 1.0],
            [1.0, inf, -inf],
            [1.0, 1.0, nan],
            [nan, 1.0, 1.0],
            [0.0, 1.0, 2.0],
            [-1.0, 1.0, 2.0],
            [max, 2.0, -max],
            [inf, 1.0, 1.0],
        ]
    };
    let fits = |value: &f64| !ty.is_unsigned_integer() || *value >= 0.0;
    let all: Vec<Vec<f64>> = match count {
        1 => edges(ty).iter().map(|value| vec![*value]).collect(),
        2 => pairs.iter().map(|pair| pair.to_vec()).collect(),
        3 => triples.iter().map(|triple| triple.to_vec()).collect(),
        _ => Vec::new(),
    };
    all.into_iter().filter(|values| values.iter().all(fits)).collect()
}

/// `value` in the format of `ty`.
fn bits(value: f64, ty: Type) -> u64 {
    match ty {
        _ if ty.is_unsigned_integer() => (value as u32).into(),
        _ if ty.is_integer() => ((value as i64) as u32).into(),
        _ => (value as f32).to_bits().into(),
    }
}

/// Results of the example's instruction for operands at the edges of their type, computed by the reference
/// interpreter. Empty if the result depends on more than the values of the operands.
pub fn special_cases(example: &Example) -> Vec<SpecialCase> {
    let loaded = front::load(example.text.as_bytes()).program;
    let Some(program) = loaded.map(Arc::new) else { return Vec::new() };
    let instruction = &program.instructions[example.pc];
    let plan = Plan::of(instruction);
    let is_computed = matches!(plan, Plan::Vector(_) | Plan::Replicated(_) | Plan::Convert(_));
    let places: Vec<Option<ParamId>> =
        (0..instruction.operands.len()).map(|index| loaded_from(&program, example.pc, index)).collect();
    let places: Option<Vec<ParamId>> = places.into_iter().collect();
    let Some(places) = places.filter(|places| is_computed && !places.is_empty()) else { return Vec::new() };
    let types: Vec<Type> = (0..places.len()).map(|index| plan.operand_type(instruction.ty, index)).collect();
    let mut found: Vec<SpecialCase> = Vec::new();
    for values in combinations(types[0], places.len()) {
        let mut bindings = example.bindings(&program);
        for ((place, value), ty) in places.iter().zip(&values).zip(&types) {
            bindings.parameters[usize::from(place.0)] = [bits(*value, *ty); 4];
        }
        let Some(step) = step(&program, &Arc::new(bindings), example.pc) else { continue };
        let given = values.iter().zip(&types);
        let operands =
            given.map(|(value, ty)| shadestep_language::ir::decimal(bits(*value, *ty), *ty)).collect();
        found.extend(special_case(example, &program, &step, operands));
    }
    found
}

/// The parameter whose value was loaded into the register of operand `index` of instruction `pc`.
fn loaded_from(program: &Program, pc: usize, index: usize) -> Option<ParamId> {
    let Source::Temp(read) = program.instructions[pc].operands.get(index)?.source else { return None };
    let before = program.instructions.get(..pc)?.iter().rev();
    let writer = before.clone().find(|instruction| instruction.target() == Some(Target::Temp(read)))?;
    match writer.operands.first()?.source {
        Source::Param(id) if writer.op == Opcode::Mov => Some(id),
        _ => None,
    }
}

fn special_case(
    example: &Example,
    program: &Program,
    step: &Step,
    operands: Vec<String>,
) -> Option<SpecialCase> {
    let instruction = &program.instructions[example.pc];
    let plan = Plan::of(instruction);
    let is_defined =
        |c: &usize| plan.component(*c).is_none_or(|component| component.kernel != Kernel::Undefined);
    let mask = instruction.dest()?.mask.0 & step.computed;
    let shown: Vec<usize> = (0..4).filter(|c| mask >> c & 1 != 0).filter(is_defined).collect();
    let told = by_letter(example.text.as_bytes(), program, step);
    let mut components: Vec<&str> = shown.iter().map(|&c| told.results[c].as_str()).collect();
    if components.iter().all(|component| Some(component) == components.first()) {
        components.truncate(1);
    }
    let result =
        if components.len() == 1 { components.concat() } else { format!("({})", components.join(", ")) };
    let flushed = step.operands.iter().zip(&operands).position(|(operand, given)| {
        let is_zero = operand.converted.iter().all(|bits| f32::from_bits(*bits as u32) == 0.0);
        is_zero && given.contains("e-")
    });
    let why = match flushed {
        Some(index) => Some(format!("{} is a denorm and is flushed to 0", NAMES[index.min(2)])),
        None => told.notes.iter().find_map(|note| why(note, &shown)),
    };
    Some(SpecialCase { operands, result, why })
}

/// The names of operands in formulas.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// The reason that `note` gives for the components in `shown`. A NaN or infinity of an operand is its own
/// reason.
fn why(note: &str, shown: &[usize]) -> Option<String> {
    let (letters, rest) = note.split_once(": ")?;
    let places: Option<Vec<usize>> =
        letters.chars().map(|letter| LETTERS.iter().position(|other| *other == letter)).collect();
    if !places?.iter().any(|c| shown.contains(c)) {
        return None;
    }
    let rest = rest.trim_end_matches('.');
    let inherited = [" is NaN", " are NaN", " is infinite", " are infinite"];
    let cause = rest.split_once(", because ").map(|(_, cause)| cause);
    if cause.is_some_and(|cause| inherited.iter().any(|end| cause.ends_with(end))) {
        return None;
    }
    let reason = cause.or_else(|| rest.split_once(", although ").map(|(_, reason)| reason));
    // The table shows the value in a separate column.
    let words = rest.split_once("; Shadestep gives").map_or(rest, |(words, _)| words);
    Some(reason.unwrap_or(words).to_owned())
}
