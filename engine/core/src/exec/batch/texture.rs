//! Executes texture lookups, texel fetches and size queries over lane registers. `exec::lookup` and
//! `exec::texel` have the rules that both executors share; `texture` does the sampling.

use super::borrow::{Rest, Results, apart};
use super::effect::{Detail, Number, OffsetRegisters, Sample, Texels};
use super::{LANES, LaneRegister, Worker};
use crate::exec::Bindings;
use crate::exec::lookup::Found;
use crate::exec::texel::texel;
use crate::texture::{self, Offsets, Texture, Wanted};
use shadestep_language::ir::TextureRef;
use shadestep_language::semantics::plan::Lookup;

impl Worker {
    /// Executes TXF and TXQ.
    pub(super) fn ask(&mut self, texels: &Texels, bindings: &Bindings) {
        for lane in 0..LANES {
            let integer =
                |register: u16| self.registers[usize::from(register)].0[lane].to_bits().cast_signed();
            let unit = texels.unit.value(|register| self.registers[usize::from(register)].0[lane]);
            let offset = match texels.offset {
                OffsetRegisters::Same(offsets) => offsets.map(i32::from),
                OffsetRegisters::Lanes(registers) => registers.map(integer),
                // Fetches never have separate offsets.
                OffsetRegisters::Apart(_) => [0; 3],
            };
            let texture = texels.access.element(unit).and_then(|unit| bindings.texture(unit));
            let operand = texels.operand.map(integer);
            let (result, _) = texel(texture, texels.asked, texels.ty, (operand, offset));
            for (register, bits) in texels.results.iter().zip(result) {
                if let Some(register) = register {
                    self.registers[usize::from(*register)].0[lane] = f32::from_bits(bits);
                }
            }
        }
    }

    pub(super) fn sample(&mut self, sample: &Sample, bindings: &Bindings, lanes: u64) {
        // The lane registers of results hold no other values.
        let (mut results, rest) = apart(&mut self.registers, sample.results);
        match sample.unit {
            Number::Fixed(index) => {
                look_up(sample, bindings, sample.access.element(index), &rest, &mut results, lanes);
            }
            Number::Register(address) => {
                let address_values = read(&rest, address.register);
                let index = |lane: usize| sample.access.element(address.index(address_values[lane]));
                let mut left = lanes;
                // Lanes that select the same texture are looked up together.
                while left != 0 {
                    let unit = index(left.trailing_zeros() as usize);
                    let same = (0..LANES).fold(0, |same, lane| same | u64::from(index(lane) == unit) << lane);
                    let mut found = [[0.0; LANES]; 4];
                    look_up(sample, bindings, unit, &rest, &mut found.each_mut().map(Some), left & same);
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
        clear_out_of_range(sample, &rest, &mut results);
    }
}

fn read<'r>(rest: &Rest<'r>, register: u16) -> &'r [f32; LANES] {
    rest.get(register).unwrap_or(&LaneRegister::ZERO.0)
}

/// Looks up one texture.
fn look_up(
    sample: &Sample,
    bindings: &Bindings,
    unit: Option<TextureRef>,
    rest: &Rest<'_>,
    results: &mut Results<'_>,
    lanes: u64,
) {
    let found = sample.question.ask(bindings, unit);
    let Found::Texture(texture) = found else {
        let (values, _) = sample.question.without_texture(found);
        for (register, value) in results.iter_mut().zip(values) {
            if let Some(register) = register {
                **register = [value; LANES];
            }
        }
        return;
    };
    look_up_in(texture, sample, rest, results, lanes);
}

fn look_up_in(texture: &Texture, sample: &Sample, rest: &Rest<'_>, results: &mut Results<'_>, lanes: u64) {
    let read = |register: u16| read(rest, register);
    let three = |[x, y, z]: [u16; 3]| [read(x), read(y), read(z)];
    let [s, t, r, q] = sample.coordinates;
    let coordinates = [read(s), read(t), read(r), read(q)];
    let [s, t, r, _] = coordinates;
    let gradients = match sample.detail {
        Detail::Quad => texture::Gradients::Quad,
        Detail::Sides([dx, dy]) => texture::Gradients::Explicit { dx: three(dx), dy: three(dy) },
        Detail::Level(register) => texture::Gradients::Level(read(register)),
    };
    let target = sample.access.target;
    let component = sample.access.component;
    let offsets = match sample.offset {
        OffsetRegisters::Same([0, 0, 0]) | OffsetRegisters::Apart(_) => Offsets::None,
        OffsetRegisters::Same(offsets) => Offsets::Same(offsets),
        OffsetRegisters::Lanes(registers) => Offsets::Lanes(three(registers)),
    };
    let apart;
    let wanted = match (sample.question.lookup, sample.offset) {
        (Lookup::GatherApart, OffsetRegisters::Apart(registers)) => {
            apart = registers.map(|registers| registers.map(read));
            Wanted::GatheredApart(component, &apart)
        }
        (Lookup::Gather, _) => Wanted::Gathered(component),
        (Lookup::LevelQuery, _) => Wanted::Levels,
        _ => Wanted::Filtered,
    };
    let lookup = texture::Lookup {
        coords: [s, t, r],
        gradients,
        bias: sample.bias.map(read),
        reference: sample.question.reference(target).map(|component| coordinates[component]),
        layer: coordinates[target.layer().unwrap_or(0)],
        offsets,
        wanted,
    };
    texture.sample_lanes(&lookup, results, lanes);
}

/// Clears results in lanes whose offset is outside the limits.
fn clear_out_of_range(sample: &Sample, rest: &Rest<'_>, results: &mut Results<'_>) {
    let (least, most) = sample.question.offset_range();
    for register in sample.offset.registers() {
        for (lane, offset) in read(rest, register).iter().enumerate() {
            if (least..=most).contains(&offset.to_bits().cast_signed()) {
                continue;
            }
            for result in results.iter_mut().flatten() {
                result[lane] = 0.0;
            }
        }
    }
}
