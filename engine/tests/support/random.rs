//! Random numbers, and random verified programs with inputs, for comparisons of executors.

use std::sync::Arc;

use shadestep_core::exec::{AttributeLanes, Bindings, LANES};
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    Attribute, CcRegister, CcTest, Condition, ConstantVector, Destination, Instruction, Kill, Kind, Negation,
    Operand, Output, OutputId, OutputRole, ParamId, ParameterSource, Program, ProgramOptions, Semantics,
    Source, Swizzle, Target, TempId, Temporary, TextureAccess, TextureTarget, Type, Write, WriteMask,
};
use shadestep_language::isa::{Info, Language, OperandKind, Precision, Rule, instructions};

use super::parts;

/// A small, fast generator (xorshift64*). A seed makes failures reproducible.
///
/// A generator made from bytes returns these bytes first. So when a fuzzer changes the bytes a little, the
/// generated program changes a little.
pub struct Random {
    state: u64,
    bytes: std::vec::IntoIter<u8>,
}

impl From<&[u8]> for Random {
    fn from(bytes: &[u8]) -> Self {
        Self { bytes: Vec::from(bytes).into_iter(), ..Self::new(0) }
    }
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, bytes: Vec::new().into_iter() }
    }

    /// Returns 48 random bits.
    pub fn next(&mut self) -> u64 {
        self.bits(6)
    }

    /// Returns `8 * count` random low bits. Higher bits may be set too.
    fn bits(&mut self, count: usize) -> u64 {
        if self.bytes.len() > 0 {
            return self.bytes.by_ref().take(count).fold(0, |bits, byte| bits << 8 | u64::from(byte));
        }
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub fn below(&mut self, limit: usize) -> usize {
        let count = if limit <= 256 { 1 } else { 3 };
        (self.bits(count) % limit as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Returns a value for tests: mostly ordinary, but also every kind of special value.
    pub fn value(&mut self) -> f32 {
        const SPECIAL: [u32; 20] = [
            0x0000_0000,
            0x8000_0000,
            0x3F80_0000,
            0xBF80_0000,
            0x7F80_0000,
            0xFF80_0000,
            0x7FC0_0000,
            0x0000_0001,
            0x8000_0001,
            0x007F_FFFF,
            0x0080_0000,
            0x8080_0000,
            0x7F7F_FFFF,
            0x477F_F000,
            0x3380_0000,
            0x3300_0000,
            0x4000_0000,
            0xC000_0000,
            0x3A80_0000,
            0x1F80_0000,
        ];
        match self.below(10) {
            0 => f32::from_bits(*self.pick(&SPECIAL)),
            1 => f32::from_bits(self.next() as u32),
            2 => (self.below(17) as f32 - 8.0) * 0.5,
            3 => (self.below(1 << 20) as f32 / 1024.0 - 512.0) * 1e-19,
            _ => self.below(1 << 24) as f32 / (1 << 21) as f32 - 4.0,
        }
    }

    /// Returns an ordinary value, as fragment programs usually receive.
    pub fn tame_value(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 21) as f32 - 4.0
    }
}

const TEMPORARIES: [(&str, Type); 6] = [
    ("R0", Type::F32),
    ("R1", Type::F32),
    ("R2", Type::F32),
    ("H0", Type::F16),
    ("H1", Type::F16),
    ("H2", Type::F16),
];
const PARAMETERS: usize = 4;

/// A random straight-line program of `length` instructions from every row of the table.
pub fn program(random: &mut Random, length: usize) -> Program {
    let color_type = if random.chance(2) { Type::F32 } else { Type::F16 };
    let mut outputs = vec![Output { name: "o[COLR]".into(), role: OutputRole::Color(0), ty: color_type }];
    if random.chance(3) {
        outputs.push(Output { name: "o[DEPR]".into(), role: OutputRole::Depth, ty: Type::F32 });
    }
    let mut program = Program {
        language: Language::Fp1,
        instructions: Vec::new(),
        temporaries: TEMPORARIES.iter().map(|&(name, ty)| Temporary { name: name.into(), ty }).collect(),
        parameters: (0..PARAMETERS)
            .map(|_| {
                ParameterSource::Constant(ConstantVector::floats(std::array::from_fn(|_| random.value())))
                    .into()
            })
            .collect(),
        outputs,
        interpolations: Vec::new(),
        geometry: None,
        patch_vertices: None,
        tessellation: None,
        usage: Vec::new(),
        variables: Vec::new(),
        labels: Vec::new(),
        subroutines: Default::default(),
        buffers: Vec::new(),
        entry: 0,
        options: ProgramOptions::default(),
    };
    let rows: Vec<&Info> = instructions(Language::Fp1).collect();
    let mut targets = [None; 16];
    while program.instructions.len() < length {
        let info = *random.pick(&rows);
        let instruction = instruction(random, &program, info, &mut targets);
        program.instructions.push(instruction);
    }
    program
}

fn instruction(
    random: &mut Random,
    program: &Program,
    info: &'static Info,
    targets: &mut [Option<TextureTarget>; 16],
) -> Instruction {
    let forms = info.forms(Language::Fp1).expect("chosen among those of the language");
    let suffixes = *random.pick(&forms.combinations());
    let test = random.chance(3).then(|| CcTest {
        condition: *random.pick(Condition::OF_NUMBERS),
        swizzle: Swizzle(std::array::from_fn(|_| random.below(4) as u8)),
        register: CcRegister::Cc0,
    });
    if info.operands.contains(&OperandKind::Condition) {
        let test = test.unwrap_or(CcTest {
            condition: Condition::Lt,
            swizzle: Swizzle::replicate(0),
            register: CcRegister::Cc0,
        });
        return parts::instruction(info.opcode, Semantics::NV_FRAGMENT, Kind::Kill(Kill::Test(test)));
    }
    let target = loop {
        let target = match random.below(8) {
            0 => Target::Output(OutputId(random.below(program.outputs.len()) as u16)),
            1 => Target::ConditionOnly(if random.chance(2) { Type::F32 } else { Type::F16 }),
            _ => Target::Temp(TempId(random.below(TEMPORARIES.len()) as u16)),
        };
        if info.rule != Rule::WideDestination || program.target_type(target) == Type::F32 {
            break target;
        }
    };
    let mask = match info.rule {
        Rule::NoW => 1 + random.below(7),
        _ => 1 + random.below(15),
    };
    let dest = Destination { target, mask: WriteMask(mask as u8), test, span: Span::default() };
    let update_cc = suffixes.cc.map(CcRegister::from);
    let write = Write { dest, saturate: suffixes.saturate, update_cc };
    let mut result = parts::instruction(info.opcode, Semantics::NV_FRAGMENT, Kind::Alu(write));
    for kind in info.operands {
        match kind {
            OperandKind::TextureImage => {
                let unit = random.below(3);
                let target = *targets[unit].get_or_insert(*random.pick(&TextureTarget::BASIC));
                result.kind = Kind::Texture(write, TextureAccess::new(unit as u8, target));
            }
            OperandKind::Vector | OperandKind::Scalar => {
                result.operands.push(operand(random, program, *kind, info.rule == Rule::WideSource));
            }
            OperandKind::OptionalVector
            | OperandKind::Condition
            | OperandKind::VectorOrCondition
            | OperandKind::ExtendedSwizzle
            | OperandKind::Address
            | OperandKind::Label
            | OperandKind::ImageUnit
            | OperandKind::ImageTarget
            | OperandKind::SubroutineVariable
            | OperandKind::BranchCondition => {}
        }
    }
    let full = |o: &Operand| matches!(o.source, Source::Attribute(Attribute::Fogc | Attribute::Tex(_)));
    result.ty = match suffixes.precision {
        _ if result.operands.iter().any(full) => Type::F32,
        Some(Precision::R) => Type::F32,
        Some(Precision::H) => Type::F16,
        Some(Precision::X) => Type::Fx12,
        None if !forms.has_precisions() => Type::F32,
        None => program.target_type(target),
    };
    result
}

fn operand(random: &mut Random, program: &Program, kind: OperandKind, wide: bool) -> Operand {
    let source = loop {
        let source = match random.below(8) {
            0 => Source::Param(ParamId(random.below(PARAMETERS) as u16)),
            1 => Source::Attribute(*random.pick(&[Attribute::Wpos, Attribute::Col0])),
            2 => Source::Attribute(*random.pick(&[Attribute::Tex(0), Attribute::Tex(5), Attribute::Fogc])),
            _ => Source::Temp(TempId(random.below(TEMPORARIES.len()) as u16)),
        };
        if !wide || program.source_type(source) == Type::F32 {
            break source;
        }
    };
    let swizzle = match kind {
        OperandKind::Scalar => Swizzle::replicate(random.below(4) as u8),
        _ if random.chance(2) => Swizzle::IDENTITY,
        _ => Swizzle(std::array::from_fn(|_| random.below(4) as u8)),
    };
    let absolute = random.chance(5);
    Operand {
        source,
        swizzle,
        negate: if random.chance(3) { Negation::ALL } else { Negation::NONE },
        absolute,
        negate_absolute: absolute && random.chance(3),
        span: Span::default(),
    }
}

/// Draws the attributes of a block from `value`.
pub fn attributes(random: &mut Random, mut value: impl FnMut(&mut Random) -> f32) -> AttributeLanes {
    let mut attributes = AttributeLanes::default();
    for attribute in Attribute::FRAGMENT {
        for component in 0..4 {
            for lane in 0..LANES {
                attributes.register_mut(attribute, component).0[lane] = value(random);
            }
        }
    }
    attributes
}

/// Random parameters for `program`, with a texture on most units that the program reads.
pub fn bindings(random: &mut Random, program: &Arc<Program>) -> Bindings {
    let mut bindings = Bindings::initial(program);
    for (unit, target) in program.textures().into_iter().enumerate() {
        if let Some(target) = target.filter(|_| !random.chance(8)) {
            bindings.textures[unit] = Some(Arc::new(super::textures::small(random, target)));
        }
    }
    bindings
}
