//! What instructions give for operands at the edges of their type: zeros, infinities, NaN, denorms, what overflows.

use super::super::explain::explain_instruction;
use super::{Example, step};
use crate::debug::Step;
use crate::exec::plan::Plan;
use crate::front;
use crate::ir::{Instruction, ParamId, Program, Source, Target, Type};
use crate::isa::Opcode;
use std::sync::Arc;

/// A result for operands at the edge of their type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialCase {
    /// The value that all components of each operand have.
    pub operands: Vec<String>,
    /// The components of the result, one if they are equal.
    pub result: String,
    /// Why, if there is more to say.
    pub why: Option<String>,
}

/// A value at an edge of `ty`.
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

/// Operands at the edges, of instructions that take `count` of type `ty`.
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

/// `value` as bits of `ty`.
fn bits(value: f64, ty: Type) -> u64 {
    match ty {
        _ if ty.is_unsigned_integer() => (value as u32).into(),
        _ if ty.is_integer() => ((value as i64) as u32).into(),
        _ => (value as f32).to_bits().into(),
    }
}

/// What the instruction of `example` gives for operands at the edges of their type, as the traced executor computes it;
/// nothing for instructions that do not compute their result from the values of their operands alone.
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
        let operands = given.map(|(value, ty)| crate::ir::decimal(bits(*value, *ty), *ty)).collect();
        found.extend(special_case(example, &program, &step, operands));
    }
    found
}

/// The parameter that the register which is operand `index` of instruction `pc` was loaded from.
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
    let mask = instruction.dest()?.mask.0 & step.computed;
    let (plan, packs) = (Plan::of(instruction), instruction.op.info().rule.packs());
    let ty = plan.result_type(instruction.ty);
    let shown = |bits| if packs { crate::ir::pattern(bits, ty) } else { crate::ir::decimal(bits, ty) };
    let mut components: Vec<String> =
        (0..4).filter(|c| mask >> c & 1 != 0).map(|c| shown(step.result[c])).collect();
    if components.iter().all(|component| Some(component) == components.first()) {
        components.truncate(1);
    }
    let result =
        if components.len() == 1 { components.concat() } else { format!("({})", components.join(", ")) };
    let explanation = explain_instruction(example.text.as_bytes(), program, example.pc, Some(step));
    let flushed = step.operands.iter().zip(&operands).position(|(operand, given)| {
        let is_zero = operand.converted.iter().all(|bits| f32::from_bits(*bits as u32) == 0.0);
        is_zero && given.contains("e-")
    });
    let why = match flushed {
        Some(index) => Some(format!("{} is a denorm and counts as 0", NAMES[index.min(2)])),
        // That something comes of itself is no news.
        None => explanation.notes.iter().find(|note| !note.contains(", because ")).map(|note| {
            let note = match note.split_once(": ") {
                Some((components, rest)) if components.chars().all(|c| "xyzw".contains(c)) => rest,
                _ => note,
            };
            let note = note.split_once(": ").map_or(note, |(_, reason)| reason).trim_end_matches('.');
            in_letters(program, instruction, note)
        }),
    };
    Some(SpecialCase { operands, result, why })
}

/// What operands are called in formulas.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// `words` with the letters of operands, all of whose components are equal, in place of their registers.
fn in_letters(program: &Program, instruction: &Instruction, words: &str) -> String {
    let mut words = words.to_owned();
    for (operand, letter) in instruction.operands.iter().zip(NAMES) {
        let name = crate::ir::source_text(program, operand.source);
        for component in ["x", "y", "z", "w"] {
            words = words.replace(&format!("{name}.{component}"), letter);
        }
    }
    words
}
