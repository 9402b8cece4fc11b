//! Texture instructions of the reference interpreter: the lookups themselves, and their details for a step
//! that a debugger shows. `lookup` chooses the texture.

use super::lookup::{Found, Question};
use super::reference::{
    Evaluation, LaneEvaluation, Machine, QUAD, derivative_lanes, lanes_of, masked, number,
};
use super::texel::{refusal, texel};
use crate::exec::report::{Difference, Looked, LookupStep, QuadStep, Refusal, TextureStep};
use crate::texture::{self, Texture};
use shadestep_language::ir::{
    Components, Instruction, Kind, TexelOffset, TextureAccess, TextureRef, single_bits,
};
use shadestep_language::isa::Stage;
use shadestep_language::semantics::ops::{self, Single};
use shadestep_language::semantics::plan::{Lookup, Plan, Texel};

/// The inputs of a lookup by a quad.
struct QuadLookup {
    question: Question,
    access: TextureAccess,
    /// Whether derivatives are differences between lanes.
    has_neighbours: bool,
    /// Coordinates after projection, by component and lane.
    position: [[f32; QUAD]; 4],
    /// The divisor of TXP.
    divisor: Option<[f32; QUAD]>,
    w: [f32; QUAD],
    second: [[f32; QUAD]; 4],
    third: [[f32; QUAD]; 4],
}

impl QuadLookup {
    /// Builds the lookup from the operands in `lanes`, which has at most four lanes.
    fn new(
        (question, access): (Question, TextureAccess),
        has_neighbours: bool,
        lanes: &[LaneEvaluation],
    ) -> Self {
        // Components that the lookup does not read are 0, whatever the operand holds.
        let components = |operand: usize| -> [[f32; QUAD]; 4] {
            std::array::from_fn(|c| {
                std::array::from_fn(|lane| {
                    match lanes.get(lane).and_then(|lane| lane.operands.get(operand)) {
                        Some(loaded) if loaded.used >> c & 1 != 0 => number(loaded.converted[c]),
                        _ => 0.0,
                    }
                })
            })
        };
        let mut position = components(0);
        let w = position[3];
        let target = access.target;
        let divides = question.lookup == Lookup::Projective && question.divides(target);
        if divides {
            for axis in (0..3).filter(|c| target.coordinates() >> c & 1 != 0) {
                position[axis] =
                    std::array::from_fn(|lane| ops::div::<Single, f32>(position[axis][lane], w[lane]));
            }
        }
        let (second, third) = (components(1), components(2));
        let divisor = divides.then_some(w);
        Self { question, access, has_neighbours, position, divisor, w, second, third }
    }

    /// Calls `ask` with the lookup.
    fn with<R>(&self, ask: impl FnOnce(&texture::Lookup<'_, QUAD>) -> R) -> R {
        let Self { question: Question { lookup, .. }, access, position, w, second, third, .. } = self;
        let first_three = |[x, y, z, _]: &'_ [[f32; QUAD]; 4]| -> [[f32; QUAD]; 3] { [*x, *y, *z] };
        let (dx, dy) = (first_three(second), first_three(third));
        let apart = [second.each_ref(), third.each_ref()];
        let target = access.target;
        ask(&texture::Lookup {
            coords: [&position[0], &position[1], &position[2]],
            gradients: match lookup {
                Lookup::Gradient => texture::Gradients::Explicit { dx: dx.each_ref(), dy: dy.each_ref() },
                Lookup::Level => texture::Gradients::Level(w),
                _ if self.has_neighbours => texture::Gradients::Quad,
                // Vertices have no derivatives: their level of detail is zero (NV_vertex_program3 2.14.5.45).
                _ => texture::Gradients::Level(&[0.0; QUAD]),
            },
            bias: (*lookup == Lookup::Bias).then_some(w),
            reference: self.question.reference(target).map(|component| &position[component]),
            layer: &position[target.layer().unwrap_or(0)],
            offsets: match access.offset {
                TexelOffset::NONE => texture::Offsets::None,
                TexelOffset::Constant(offsets) => texture::Offsets::Same(offsets),
                TexelOffset::Operand => texture::Offsets::Lanes(dx.each_ref()),
            },
            wanted: match lookup {
                Lookup::Gather => texture::Wanted::Gathered(access.component),
                Lookup::GatherApart => texture::Wanted::GatheredApart(access.component, &apart),
                Lookup::LevelQuery => texture::Wanted::Levels,
                _ => texture::Wanted::Filtered,
            },
        })
    }
}

impl Machine<'_> {
    /// The values that the instruction at `pc` reads of the quad for `lane`. `lanes` execute the instruction
    /// together; `looked_up` is its lookup. `None` if the instruction reads only its own lane.
    pub fn neighbours(
        &self,
        (pc, lanes): (usize, u32),
        lane: usize,
        looked_up: Option<&LookupStep>,
    ) -> Option<QuadStep> {
        let instruction = &self.program.instructions[pc];
        let plan = Plan::of(instruction);
        let write = instruction.write().filter(|_| plan.reads_neighbours(self.program.stage()))?;
        let done = self.evaluate(pc, write, lanes);
        let difference = |is_vertical: bool, value: Components| {
            let (from, to) = derivative_lanes(lane, is_vertical);
            Difference { is_vertical, to, from, value }
        };
        let operand = |lane: &LaneEvaluation| lane.operands.first().copied().unwrap_or_default();
        let values: Vec<Components> = done.lanes.iter().map(|lane| operand(lane).converted).collect();
        let result = done.lanes[lane].result;
        match (plan, instruction.texture()) {
            (Plan::Texture(lookup), Some(access)) => {
                let asked = self.quad_lookup(instruction, &access, lookup, &done.lanes);
                let position = |lane: usize| single_bits(asked.position.map(|register| register[lane]));
                let detail = looked_up.and_then(|step| step.looked.trace()?.found.detail()).copied();
                let sides = detail.and_then(|detail| detail.derivatives).into_iter().flat_map(|[dx, dy]| {
                    let components = |[x, y, z]: [f32; 3]| single_bits([x, y, z, 0.0]);
                    [difference(false, components(dx)), difference(true, components(dy))]
                });
                let used = ((1_u32 << access.target.position()) - 1) as u8;
                let values = (0..done.lanes.len().min(QUAD)).map(position).collect();
                Some(QuadStep { values, used, differences: sides.collect() })
            }
            (Plan::DerivativeX | Plan::DerivativeY, _) => {
                let is_vertical = matches!(plan, Plan::DerivativeY);
                let differences = vec![difference(is_vertical, result)];
                Some(QuadStep { values, used: operand(&done.lanes[lane]).used, differences })
            }
            _ => None,
        }
    }
}

/// The integer operands of TXF and TXQ, and the offset.
fn integers(lane: &LaneEvaluation, access: &TextureAccess) -> ([i32; 4], [i32; 3]) {
    let integers = |operand: usize| {
        let loaded = lane.operands.get(operand);
        loaded.map_or([0; 4], |operand| operand.converted.map(|bits| bits as u32 as i32))
    };
    let offset = match access.offset {
        TexelOffset::Constant(offsets) => offsets.map(i32::from),
        TexelOffset::Operand => {
            let [x, y, z, _] = integers(1);
            [x, y, z]
        }
    };
    (integers(0), offset)
}

impl Machine<'_> {
    /// The unit that a texture instruction reads in `lane`; `None` outside an array of units.
    fn unit(&self, access: &TextureAccess, lane: usize) -> Option<TextureRef> {
        access.element(self.index(access.index, lane))
    }

    fn quad_lookup(
        &self,
        instruction: &Instruction,
        access: &TextureAccess,
        lookup: Lookup,
        lanes: &[LaneEvaluation],
    ) -> QuadLookup {
        let question = Question::of(instruction, lookup);
        QuadLookup::new((question, *access), self.program.stage() == Stage::Fragment, lanes)
    }

    /// Executes TEX and similar lookups for up to four lanes from `first`.
    pub(super) fn sample(
        &self,
        instruction: &Instruction,
        access: &TextureAccess,
        lookup: Lookup,
        (mask, first): (u8, usize),
        evaluation: &mut Evaluation,
    ) {
        let lanes = &mut evaluation.lanes[first..];
        let asked = self.quad_lookup(instruction, access, lookup, lanes);
        let (question, target) = (asked.question, access.target);
        let count = lanes.len().min(QUAD);
        let units: Vec<Option<TextureRef>> = (0..count).map(|lane| self.unit(access, first + lane)).collect();
        let (mut texel, mut lambda) = ([[0.0; QUAD]; 4], [f32::NAN; QUAD]);
        let (mut found, mut undefined) = (Found::Unfit, 0xF);
        for (lane, done) in lanes.iter_mut().take(QUAD).enumerate() {
            // Each lane may read its own texture, with derivatives of the quad.
            if lane == 0 || units[lane] != units[lane - 1] {
                found = question.ask(self.bindings, units[lane]);
                lambda = [f32::NAN; QUAD];
                let values;
                (values, undefined) = question.without_texture(found);
                texel = values.map(|value| [value; QUAD]);
                if let Found::Texture(bound) = found {
                    asked.with(|request| bound.sample(request, &mut texel, Some(&mut lambda)));
                }
            }
            let takes = question.takes_offsets(access.offset, &done.operands);
            done.undefined |= if takes { undefined } else { 0xF };
            let result = std::array::from_fn(|c| if takes { texel[c][lane] } else { 0.0 });
            done.result = masked(single_bits(result), mask);
            done.texture = Some(TextureStep {
                texture: units[lane],
                target,
                coordinates: std::array::from_fn(|c| asked.position[c][lane]),
                lambda: lambda[lane],
                complete: units[lane].is_some() && !matches!(found, Found::Incomplete),
            });
        }
    }

    /// Executes TXF and TXQ.
    pub(super) fn ask(
        &self,
        instruction: &Instruction,
        access: &TextureAccess,
        asked: Texel,
        (lanes, mask): (u32, u8),
        evaluation: &mut Evaluation,
    ) {
        for lane in lanes_of(lanes) {
            let unit = self.unit(access, lane);
            let bound = unit.and_then(|unit| self.bindings.texture(unit));
            let (operand, offset) = integers(&evaluation.lanes[lane], access);
            let (result, undefined) = texel(bound, asked, instruction.ty, (operand, offset));
            evaluation.lanes[lane].result = masked(result.map(u64::from), mask);
            evaluation.lanes[lane].undefined |= undefined;
            let [x, y, z, w] = operand.map(|number| number as f32);
            let (coordinates, lambda) = match asked {
                Texel::Fetch => ([x, y, z, w], if access.target.has_samples() { f32::NAN } else { w }),
                Texel::Size => ([0.0; 4], x),
            };
            let complete = bound.is_some_and(Texture::is_complete);
            let target = access.target;
            let step = TextureStep { texture: unit, target, coordinates, lambda, complete };
            evaluation.lanes[lane].texture = Some(step);
        }
    }

    /// Details of the lookup of `lane` by the instruction at `pc`, which `lanes` execute together; `None` for
    /// other instructions.
    pub fn lookup(&self, pc: usize, lanes: u32, lane: usize) -> Option<LookupStep> {
        let instruction = &self.program.instructions[pc];
        let Kind::Texture(write, access) = &instruction.kind else { return None };
        let done = self.evaluate(pc, write, lanes);
        let texture = done.lanes[lane].texture?;
        let bound = texture.texture.and_then(|unit| self.bindings.texture(unit));
        let (given, looked, divisor) = match Plan::of(instruction) {
            Plan::Texture(lookup) => {
                let first = lane / QUAD * QUAD;
                let asked = self.quad_lookup(instruction, access, lookup, &done.lanes[first..]);
                let operand = done.lanes[lane].operands.first()?;
                let given = std::array::from_fn(|c| number(operand.converted[c]));
                let divisor = asked.divisor.map(|divisor| divisor[lane - first]);
                let takes = asked.question.takes_offsets(access.offset, &done.lanes[lane].operands);
                let looked = match asked.question.ask(self.bindings, texture.texture) {
                    _ if texture.texture.is_none() => Looked::Refused(Refusal::NoUnit),
                    Found::Texture(_) if !takes => {
                        Looked::Refused(Refusal::Offset(asked.question.offset_range()))
                    }
                    Found::Texture(found) => {
                        let trace = asked.with(|request| found.trace(request, lane - first));
                        trace.map_or(Looked::Refused(Refusal::Unfit), |trace| Looked::Up(Box::new(trace)))
                    }
                    Found::Unfit => Looked::Refused(Refusal::Unfit),
                    Found::Incomplete => Looked::Refused(Refusal::Incomplete(bound.and_then(Texture::why))),
                };
                (given, looked, divisor)
            }
            Plan::Texel(asked) => {
                let (operand, offset) = integers(&done.lanes[lane], access);
                let looked = match (asked, bound) {
                    (_, None) if texture.texture.is_none() => Looked::Refused(Refusal::NoUnit),
                    (_, None) => Looked::Refused(Refusal::Incomplete(None)),
                    (Texel::Size, Some(bound)) => match bound.size_above_base(operand[0]) {
                        Some((sides, count)) => Looked::Size(sides.map(|side| side as u32), count),
                        None => Looked::Refused(Refusal::NoLevel),
                    },
                    (Texel::Fetch, Some(bound)) => match refusal(bound, instruction.ty, offset) {
                        Some(refusal) => Looked::Refused(refusal),
                        None => match bound.fetched(operand, offset) {
                            Ok(fetched) => Looked::Fetched(Box::new(fetched), offset),
                            Err(why) => Looked::Refused(Refusal::NoTexel(why)),
                        },
                    },
                };
                (operand.map(|number| number as f32), looked, None)
            }
            _ => return None,
        };
        Some(LookupStep { texture, given, divisor, looked })
    }
}
