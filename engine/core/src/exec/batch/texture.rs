//! Executes texture lookups, texel fetches and size queries over lane registers. `exec::lookup` and
//! `exec::texel` have the rules that both executors share; `texture` does the sampling.

use super::borrow::{Rest, Results, apart};
use super::operands::Operands;
use super::{LANES, LaneRegister, Worker};
use crate::exec::Bindings;
use crate::exec::lir::effect::{Detail, Sample, Texels};
use crate::exec::lookup::Found;
use crate::exec::texel::texel;
use crate::texture::{self, Offsets, Texture, Wanted};
use shadestep_language::ir::{TexelOffset, TextureRef};
use shadestep_language::semantics::plan::Lookup;

impl Worker {
    /// Executes TXF and TXQ.
    pub(super) fn ask(
        &mut self,
        (texels, mut operands, results): (&Texels, Operands<'_>, &[(u8, u16)]),
        bindings: &Bindings,
    ) {
        let coordinates: [u16; 4] = operands.take();
        let offsets: Option<[u16; 3]> =
            (texels.access.offset == TexelOffset::Operand).then(|| operands.take());
        let unit = operands.index(&texels.unit);
        for lane in 0..LANES {
            let value = |register: u16| self.registers[usize::from(register)].0[lane];
            let integer = |register: u16| value(register).to_bits().cast_signed();
            let offset = match (texels.access.offset, offsets) {
                (TexelOffset::Constant(offsets), _) => offsets.map(i32::from),
                (TexelOffset::Operand, offsets) => offsets.map_or([0; 3], |offsets| offsets.map(integer)),
            };
            let unit = texels.access.element(unit.value(value));
            let texture = unit.and_then(|unit| bindings.texture(unit));
            let (result, _) = texel(texture, texels.asked, texels.ty, (coordinates.map(integer), offset));
            for &(component, register) in results {
                self.registers[usize::from(register)].0[lane] =
                    f32::from_bits(result[usize::from(component)]);
            }
        }
    }

    pub(super) fn sample(
        &mut self,
        (sample, mut operands, written): (&Sample, Operands<'_>, &[(u8, u16)]),
        bindings: &Bindings,
        lanes: u64,
    ) {
        let mut results = [const { None }; 4];
        // The lane registers of results hold no other values.
        let rest = apart(&mut self.registers, written, &mut results);
        let lookup = LaneLookup::new(sample, &mut operands, &rest);
        let unit = operands.index(&sample.unit);
        match unit.register().map(|register| read(&rest, register)) {
            None => {
                let unit = sample.access.element(unit.value(|_| 0.0));
                look_up(&lookup, bindings, unit, &mut results, lanes);
            }
            Some(address) => {
                let index = |lane: usize| sample.access.element(unit.value(|_| address[lane]));
                let mut left = lanes;
                // Lanes that select the same texture are looked up together.
                while left != 0 {
                    let unit = index(left.trailing_zeros() as usize);
                    let same = (0..LANES).fold(0, |same, lane| same | u64::from(index(lane) == unit) << lane);
                    let mut found = [[0.0; LANES]; 4];
                    look_up(&lookup, bindings, unit, &mut found.each_mut().map(Some), left & same);
                    for (result, found) in results.iter_mut().zip(&found) {
                        let Some(result) = result else { continue };
                        for lane in (0..LANES).filter(|lane| same >> lane & 1 != 0) {
                            result[lane] = found[lane];
                        }
                    }
                    left &= !same;
                }
            }
        }
        lookup.clear_out_of_range(&mut results);
    }
}

fn read<'r>(rest: &Rest<'r>, register: u16) -> &'r [f32; LANES] {
    rest.get(register).unwrap_or(&LaneRegister::ZERO.0)
}

/// A lookup with its operands, each with the values of all lanes.
struct LaneLookup<'a> {
    sample: &'a Sample,
    coordinates: [&'a [f32; LANES]; 4],
    gradients: texture::Gradients<'a, LANES>,
    /// Along s, t and r.
    offsets: Option<[&'a [f32; LANES]; 3]>,
    /// For TXGO: along s, then along t, for each component.
    apart: Option<[[&'a [f32; LANES]; 4]; 2]>,
}

impl<'a> LaneLookup<'a> {
    fn new(sample: &'a Sample, operands: &mut Operands<'_>, rest: &Rest<'a>) -> Self {
        let read = |register: u16| read(rest, register);
        let coordinates = operands.take().map(read);
        let gradients = match sample.detail {
            Detail::Quad => texture::Gradients::Quad,
            Detail::Sides => {
                texture::Gradients::Explicit { dx: operands.take().map(read), dy: operands.take().map(read) }
            }
            Detail::Level => {
                let [level] = operands.take().map(read);
                texture::Gradients::Level(level)
            }
        };
        let is_apart = sample.question.lookup == Lookup::GatherApart;
        let apart = is_apart.then(|| [operands.take().map(read), operands.take().map(read)]);
        let is_operand = !is_apart && sample.access.offset == TexelOffset::Operand;
        let offsets = is_operand.then(|| operands.take().map(read));
        Self { sample, coordinates, gradients, offsets, apart }
    }

    fn look_up_in(&self, texture: &Texture, results: &mut Results<'_>, lanes: u64) {
        let Self { sample, coordinates, gradients, offsets, apart } = self;
        let &[s, t, r, q] = coordinates;
        let (access, question) = (&sample.access, &sample.question);
        let offsets = match (offsets, access.offset) {
            (Some(offsets), _) => Offsets::Lanes(*offsets),
            (None, TexelOffset::Constant(offsets)) if offsets != [0; 3] && apart.is_none() => {
                Offsets::Same(offsets)
            }
            (None, _) => Offsets::None,
        };
        let wanted = match (question.lookup, apart) {
            (_, Some(apart)) => Wanted::GatheredApart(access.component, apart),
            (Lookup::Gather, _) => Wanted::Gathered(access.component),
            (Lookup::LevelQuery, _) => Wanted::Levels,
            _ => Wanted::Filtered,
        };
        let target = access.target;
        let lookup = texture::Lookup {
            coords: [s, t, r],
            gradients: *gradients,
            bias: (question.lookup == Lookup::Bias).then_some(q),
            reference: question.reference(target).map(|component| coordinates[component]),
            layer: coordinates[target.layer().unwrap_or(0)],
            offsets,
            wanted,
        };
        texture.sample_lanes(&lookup, results, lanes);
    }

    /// Clears results in lanes whose offset is outside the limits.
    fn clear_out_of_range(&self, results: &mut Results<'_>) {
        let (least, most) = self.sample.question.offset_range();
        let apart = self.apart.iter().flatten().flatten();
        for register in self.offsets.iter().flatten().chain(apart) {
            for (lane, offset) in register.iter().enumerate() {
                if (least..=most).contains(&offset.to_bits().cast_signed()) {
                    continue;
                }
                for result in results.iter_mut().flatten() {
                    result[lane] = 0.0;
                }
            }
        }
    }
}

/// Looks up one texture.
fn look_up(
    lookup: &LaneLookup<'_>,
    bindings: &Bindings,
    unit: Option<TextureRef>,
    results: &mut Results<'_>,
    lanes: u64,
) {
    let question = &lookup.sample.question;
    let found = question.ask(bindings, unit);
    let Found::Texture(texture) = found else {
        let (values, _) = question.without_texture(found);
        for (register, value) in results.iter_mut().zip(values) {
            if let Some(register) = register {
                **register = [value; LANES];
            }
        }
        return;
    };
    lookup.look_up_in(texture, results, lanes);
}
