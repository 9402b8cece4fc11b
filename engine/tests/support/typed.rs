//! Random programs with all types. The functions here change random programs of the float languages:
//! operations get other types, and the programs get the further features of NV_gpu_program4 and
//! NV_gpu_program5.

use std::sync::Arc;

use shadestep_core::exec::{AttributeLanes, Bindings, Interpolants, LANES, QuadValues};
use shadestep_language::ir::{
    Attribute, Condition, Control, Conversion, Element, Format, IMAGE_UNITS, Index, Indirect, Interpolation,
    Kill, Kind, Negation, Program, Rounding, Saturation, Semantics, Source, Target, TempId, Temporary,
    TexelOffset, TextureAccess, TextureTarget, Type,
};
use shadestep_language::isa::{Opcode, Rule};
use shadestep_language::num::fp32;

use super::random::Random;
use super::textures;

const NUMBERS: &[Type] = &[Type::F32, Type::F64];
const INTEGERS: &[Type] = &[Type::S32, Type::U32, Type::S64, Type::U64];
const WORDS: &[Type] = &[Type::S32, Type::U32];
const PACKED: &[Type] = &[Type::F32, Type::S32, Type::U32];
const LONG: &[Type] = &[Type::F64, Type::S64, Type::U64];
const ROUNDINGS: [Rounding; 4] = [Rounding::Round, Rounding::Ceil, Rounding::Floor, Rounding::Trunc];
const ALL: &[Type] = &[Type::F32, Type::F64, Type::S32, Type::U32, Type::S64, Type::U64];
const PRODUCTS: &[Type] = &[Type::F64, Type::S32, Type::U32, Type::S24, Type::U24, Type::S64, Type::U64];

/// Operations of NV_gpu_program4 and NV_gpu_program5 that have other types than fp32: opcode, number of
/// operands, types (Table X.13).
const TYPED: &[(Opcode, usize, &[Type])] = &[
    (Opcode::Abs, 1, ALL),
    (Opcode::Add, 2, ALL),
    (Opcode::And, 2, INTEGERS),
    (Opcode::Bfe, 2, WORDS),
    (Opcode::Bfi, 3, WORDS),
    (Opcode::Bfr, 1, WORDS),
    (Opcode::Btc, 1, WORDS),
    (Opcode::Btfl, 1, WORDS),
    (Opcode::Btfm, 1, WORDS),
    (Opcode::Ceil, 1, ALL),
    (Opcode::Cmp, 3, ALL),
    (Opcode::Cvt, 1, PACKED),
    // Repeated, so that one in six operations with one operand is CVT.
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Cvt, 1, PACKED),
    (Opcode::Div, 2, ALL),
    (Opcode::Flr, 1, ALL),
    (Opcode::Frc, 1, NUMBERS),
    (Opcode::I2f, 1, INTEGERS),
    (Opcode::Mad, 3, ALL),
    (Opcode::Max, 2, ALL),
    (Opcode::Min, 2, ALL),
    (Opcode::Mod, 2, INTEGERS),
    (Opcode::Mov, 1, ALL),
    (Opcode::Mul, 2, PRODUCTS),
    (Opcode::MulHi, 2, WORDS),
    (Opcode::Not, 1, INTEGERS),
    (Opcode::Or, 2, INTEGERS),
    (Opcode::Pk2h, 1, PACKED),
    (Opcode::Pk2us, 1, PACKED),
    (Opcode::Pk4b, 1, PACKED),
    (Opcode::Pk4ub, 1, PACKED),
    (Opcode::Pk64, 1, LONG),
    (Opcode::Rcp, 1, NUMBERS),
    (Opcode::Round, 1, ALL),
    (Opcode::Rsq, 1, NUMBERS),
    (Opcode::Sad, 3, INTEGERS),
    (Opcode::Seq, 2, ALL),
    (Opcode::Sfl, 2, ALL),
    (Opcode::Sge, 2, ALL),
    (Opcode::Sgt, 2, ALL),
    (Opcode::Shl, 2, INTEGERS),
    (Opcode::Shr, 2, INTEGERS),
    (Opcode::Sle, 2, ALL),
    (Opcode::Slt, 2, ALL),
    (Opcode::Sne, 2, ALL),
    (Opcode::Ssg, 1, NUMBERS),
    (Opcode::Str, 2, ALL),
    (Opcode::Sub, 2, ALL),
    (Opcode::Swz, 1, &[Type::F32]),
    (Opcode::Tgall, 1, PACKED),
    (Opcode::Tgany, 1, PACKED),
    (Opcode::Tgeq, 1, PACKED),
    (Opcode::Trunc, 1, ALL),
    (Opcode::Up2h, 1, PACKED),
    (Opcode::Up2us, 1, PACKED),
    (Opcode::Up4b, 1, PACKED),
    (Opcode::Up4ub, 1, PACKED),
    (Opcode::Up64, 1, LONG),
    (Opcode::Xor, 2, INTEGERS),
];

/// Replaces half of the operations by operations of any type with as many operands. Some registers become
/// 64-bit registers, also in relative references. Some tests read carry and overflow, which float operations
/// do not set.
pub fn make_typed(random: &mut Random, program: &mut Program) {
    const WIDE: u16 = 3;
    let first = program.temporaries.len() as u16;
    let wide = (0..WIDE).map(|n| Temporary { name: format!("D{n}"), ty: Type::U64 });
    program.temporaries.extend(wide);
    for at in 0..program.instructions.len() {
        let instruction = &program.instructions[at];
        let is_number = instruction.ty == Type::F32
            && instruction.target().is_none_or(|target| program.target_type(target) == Type::F32)
            && instruction.operands.iter().all(|o| program.source_type(o.source) == Type::F32);
        let of_arity = |(_, arity, _): &&(_, usize, _)| *arity == instruction.operands.len();
        let all: Vec<_> = TYPED.iter().filter(of_arity).collect();
        if !is_number || !matches!(instruction.kind, Kind::Alu(_)) || all.is_empty() || !random.chance(2) {
            continue;
        }
        let (op, _, types) = **random.pick(&all);
        let instruction = &mut program.instructions[at];
        (instruction.op, instruction.ty) = (op, *random.pick(types));
        instruction.semantics = Semantics::NV_GPU4;
        if let Some(write) = instruction.write_mut() {
            let clamps = [Saturation::None, Saturation::None, Saturation::Unsigned, Saturation::Signed];
            write.saturate = *random.pick(&clamps);
        }
        if op == Opcode::Cvt
            && let Some(write) = instruction.write()
        {
            let conversion = Conversion {
                from: *random.pick(&Format::ALL),
                to: *random.pick(&Format::ALL),
                rounding: *random.pick(&ROUNDINGS),
            };
            instruction.kind = Kind::Convert(*write, conversion);
            instruction.ty = conversion.to.ty();
            for operand in &mut instruction.operands {
                (operand.negate, operand.absolute) = (Negation::NONE, false);
                operand.negate_absolute = false;
            }
        }
        let array = |random: &mut Random| {
            let register = TempId(random.below(usize::from(first)) as u16);
            let component = random.below(4) as u8;
            let index = Index::computed(register, component, random.below(4) as i64 - 1);
            Indirect::new(Element::Temp(TempId(first)), WIDE, index)
        };
        let register = |random: &mut Random| TempId(first + random.below(usize::from(WIDE)) as u16);
        for operand in &mut instruction.operands {
            match random.below(6) {
                0 | 1 => operand.source = Source::Temp(register(random)),
                2 => operand.source = Source::Indirect(array(random)),
                _ => {}
            }
        }
        let Some(dest) = instruction.dest_mut() else { continue };
        if let Some(test) = &mut dest.test {
            test.condition = *random.pick(&Condition::ALL);
        }
        if matches!(dest.target, Target::Temp(_)) {
            match random.below(4) {
                0 | 1 => dest.target = Target::Temp(register(random)),
                2 => dest.target = Target::Indirect(array(random)),
                _ => {}
            }
        }
    }
}

/// Gives loops a computed count of any type, or no count. Some BRK become CONT. KIL gets an operand of any
/// type.
pub fn make_free(random: &mut Random, program: &mut Program) {
    let temporaries = program.temporaries.len();
    for instruction in &mut program.instructions {
        match &mut instruction.kind {
            Kind::Flow(Control::Loop { index: None, .. }) => match random.below(4) {
                0 => {}
                1 => instruction.operands.clear(),
                _ => {
                    instruction.ty = *random.pick(ALL);
                    let operand = &mut instruction.operands[0];
                    operand.source = Source::Temp(TempId(random.below(temporaries) as u16));
                }
            },
            Kind::Flow(control) => {
                if let Control::Break { to, test } = *control
                    && random.chance(2)
                {
                    instruction.op = Opcode::Cont;
                    *control = Control::Continue { to: to - 1, test };
                }
            }
            Kind::Kill(Kill::Negative) => instruction.ty = *random.pick(ALL),
            _ => {}
        }
    }
}

/// Turns some operations that read an attribute first into evaluations of the attribute within the pixel.
/// Some attributes become flat.
pub fn make_evaluating(random: &mut Random, program: &mut Program) {
    for instruction in &mut program.instructions {
        let evaluates = (instruction.operands.first()).is_some_and(|operand| operand.source.is_evaluable());
        let is_number = instruction.ty == Type::F32 && matches!(instruction.kind, Kind::Alu(_));
        if !evaluates || !is_number || random.chance(4) {
            continue;
        }
        let by_number_of_operands = [Opcode::Ipac, Opcode::Ipao];
        let Some(op) = by_number_of_operands.get(instruction.operands.len() - 1) else { continue };
        instruction.op = if random.chance(5) && *op == Opcode::Ipao { Opcode::Ipas } else { *op };
        instruction.semantics = Semantics::NV_GPU4;
        if let [_, offset] = &mut instruction.operands[..]
            && random.chance(2)
        {
            offset.source = Source::Attribute(OFFSETS);
        }
    }
    if random.chance(3) {
        let flat = program.attributes().into_iter().filter(|_| random.chance(2));
        program.interpolations = flat.map(|attribute| (attribute, Interpolation::FLAT)).collect();
    }
}

/// Texture instructions: opcode, number of operands besides a texel offset, types of the result (Table X.13).
const LOOKUPS: &[(Opcode, usize, &[Type])] = &[
    (Opcode::Tex, 1, PACKED),
    (Opcode::Txb, 1, PACKED),
    (Opcode::Txd, 3, PACKED),
    (Opcode::Txf, 1, PACKED),
    (Opcode::Txf, 1, PACKED),
    (Opcode::Txfms, 1, PACKED),
    (Opcode::Txg, 1, PACKED),
    (Opcode::Txgo, 3, PACKED),
    (Opcode::Txl, 1, PACKED),
    (Opcode::Txp, 1, PACKED),
    (Opcode::Txq, 1, &[Type::S32]),
    (Opcode::Lod, 1, &[Type::F32]),
];

/// Replaces some operations by texture instructions of any target, with offsets. Each lane may select its own
/// texture unit.
pub fn make_textured(random: &mut Random, program: &mut Program) {
    let mut targets = program.textures();
    for at in 0..program.instructions.len() {
        let instruction = &program.instructions[at];
        let is_operation = matches!(instruction.kind, Kind::Alu(_));
        let narrow = |source| !program.source_type(source).is_wide();
        if !is_operation || !instruction.operands.iter().all(|o| narrow(o.source)) || random.chance(3) {
            continue;
        }
        // With two operands, the second operand is a computed offset.
        let arity = instruction.operands.len();
        let computed = arity == 2;
        let fits = |lookup: &&(Opcode, usize, &[Type])| lookup.1 == if computed { 1 } else { arity };
        let all: Vec<_> = LOOKUPS.iter().filter(fits).collect();
        if all.is_empty() {
            continue;
        }
        let (op, _, types) = **random.pick(&all);
        let Some(access) = access(random, op, computed, &mut targets) else { continue };
        let temporaries = program.temporaries.len();
        let instruction = &mut program.instructions[at];
        let Some(write) = instruction.write().copied() else { continue };
        (instruction.op, instruction.ty) = (op, *random.pick(types));
        instruction.semantics = Semantics::NV_GPU4;
        let access = match access.count {
            1 => access,
            _ => {
                let index = TempId(random.below(temporaries) as u16);
                let register = random.chance(2).then(|| (index, random.below(4) as u8));
                let offset = random.below(usize::from(access.count)) as i64;
                TextureAccess { index: Index { register, offset }, ..access }
            }
        };
        instruction.kind = Kind::Texture(write, access);
        let places = matches!(op, Opcode::Txf | Opcode::Txfms | Opcode::Txq);
        for (number, operand) in instruction.operands.iter_mut().enumerate() {
            let takes_integers = if number == 0 { places } else { op != Opcode::Txd };
            if takes_integers && !random.chance(3) {
                operand.source = Source::Attribute(PLACES);
                (operand.absolute, operand.negate_absolute) = (false, false);
            }
        }
    }
}

/// Replaces some textures without comparison by integer textures.
pub fn bind_integers(random: &mut Random, program: &Program, bindings: &mut Bindings) {
    for (unit, target) in program.textures().into_iter().enumerate() {
        if let Some(target) = target.filter(|target| !target.is_shadow())
            && random.chance(3)
        {
            bindings.textures[unit] = Some(Arc::new(textures::of_integers(random, target)));
        }
    }
}

/// A texture unit and target for `op`. The target does not contradict the program's other accesses.
fn access(
    random: &mut Random,
    op: Opcode,
    computed: bool,
    targets: &mut [Option<TextureTarget>; IMAGE_UNITS],
) -> Option<TextureAccess> {
    let rule = op.info().rule;
    let takes = |target: TextureTarget| target.is_taken_by(rule) && !(computed && target.offset_axes() == 0);
    let first = 3 + random.below(6);
    let count = if random.chance(3) { 2 } else { 1 };
    let wanted = targets[first].or_else(|| {
        let all: Vec<_> = TextureTarget::ALL.into_iter().filter(|&target| takes(target)).collect();
        Some(*random.pick(&all))
    });
    let target = wanted.filter(|&target| takes(target))?;
    let units = &mut targets[first..first + count];
    if units.iter().any(|unit| unit.is_some_and(|other| other != target)) {
        return None;
    }
    units.fill(Some(target));
    let gathers = matches!(rule, Rule::Gathers | Rule::GathersApart);
    let component = if gathers { random.below(4) as u8 } else { 0 };
    let mut offsets = [0; 3];
    if rule != Rule::GathersApart && random.chance(2) {
        for offset in &mut offsets[..target.offset_axes()] {
            *offset = random.below(16) as i8 - 8;
        }
    }
    let offset = if computed { TexelOffset::Operand } else { TexelOffset::Constant(offsets) };
    let known = TextureAccess::new(first as u8, target);
    Some(TextureAccess { count: count as u8, component, offset, ..known })
}

/// Attributes that vary with the quad, the lane and the offset more than any primitive's attributes. Some do
/// not vary.
#[derive(Debug)]
struct Uneven(f32);

impl Interpolants for Uneven {
    fn at(&self, attribute: Attribute, quad: usize, [x, y]: [f64; 2], values: &mut QuadValues) {
        for (c, register) in values.iter_mut().enumerate().filter(|(c, _)| !(quad + c).is_multiple_of(5)) {
            for (lane, value) in register.iter_mut().enumerate() {
                let factor = (attribute.index() + 3 * c + 5 * lane + 7 * quad) as f64;
                let moved = f64::from(*value) + factor * x + f64::from(self.0) * y;
                *value = fp32::flush(fp32::canonical(moved as f32));
            }
        }
    }

    fn centroid(&self, quad: usize, lane: usize) -> [f64; 2] {
        [quad as f64 / 32.0 - 0.25, 0.125 * lane as f64]
    }

    fn sample(&self, number: u32) -> Option<[f64; 2]> {
        (number < 8).then(|| [f64::from(number) / 16.0, -0.25])
    }
}

/// The attribute that [`vary`] fills with offsets.
const OFFSETS: Attribute = Attribute::Tex(1);

/// The attribute that [`vary`] fills with small integers.
const PLACES: Attribute = Attribute::Tex(2);

/// Makes attributes vary within pixels in half of the trials. [`OFFSETS`] gets offsets within the limits.
/// [`PLACES`] gets integers that are mostly valid as texel coordinates, levels and texel offsets.
pub fn vary(random: &mut Random, attributes: &mut AttributeLanes) {
    let step = 1 + random.below(8);
    for c in 0..4 {
        for lane in (0..LANES).step_by(step) {
            let offset = random.below(1025) as f32 / 1024.0 - 0.5;
            attributes.register_mut(OFFSETS, c).0[lane..LANES.min(lane + step)].fill(offset);
        }
        for value in &mut attributes.register_mut(PLACES, c).0 {
            *value = f32::from_bits((random.below(12) as u32).wrapping_sub(3));
        }
    }
    if random.chance(2) {
        attributes.set_interpolants(Arc::new(Uneven(random.tame_value())));
    }
}
