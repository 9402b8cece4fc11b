//! Assigns a lane register to every register component of a program: attributes, temporaries, outputs,
//! condition codes, parameters, and masks. All functions of a program use the same layout.

use std::collections::HashMap;
use std::ops::Range;

use shadestep_language::ir::{
    Attribute, CcRegister, CcTest, Components, Element, Flags, Indirect, Operand, OutputRole, ParamId,
    Program, Source, Swizzle, Target, TempId, Type,
};
use shadestep_language::isa::Stage;
use shadestep_language::num::Number;
use shadestep_language::semantics::ops::{Kernel, MAX_INPUTS, Words, evaluate, resize};
use shadestep_language::semantics::plan::Plan;

/// A lane register with a result of the program at its end, and its destination in the outputs.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub register: u16,
    /// The destination. Without one, the result stays in its lane register.
    pub output: Option<u16>,
}

/// The mapping from registers to lane registers. Each entry is the first of four lane registers, and of four
/// more with the high words if components have 64 bits.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Attributes that the program reads, except attributes that stand for its own results.
    pub attributes: Vec<(Attribute, u16)>,
    /// The program's own results that it reads.
    results: Vec<(OutputRole, u16)>,
    /// Temporaries, in the program's order.
    pub temporaries: Vec<u16>,
    /// Outputs, in the program's order.
    pub outputs: Vec<u16>,
    /// The first condition code; the second's lane registers follow.
    pub cc: u16,
    /// 1 in lanes that masked operations change, 0 in the others; for programs with flow control.
    pub mask: u16,
    /// The count of the loop that begins; for programs with flow control.
    pub loop_count: u16,
    /// Number of instructions that lanes have executed in a loop kernel; for programs with flow control.
    pub loop_length: u16,
    /// Lane registers of uniform values.
    pub uniforms: HashMap<Uniform, u16>,
    /// A lane register of zeros.
    pub zero: u16,
    /// Number of lane registers, without those of masks and of values that cross a cut, which follow.
    pub registers: u16,
    /// Number of lane registers for masks: see [`Self::kill_bits`].
    pub mask_registers: u16,
}

/// A parameter component as an operand reads it: one value for every fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uniform {
    /// Index of the parameter.
    pub parameter: u16,
    /// Component, 0 = x.
    pub component: u8,
    pub modifier: Modifier,
    /// Type of the operation that reads the component.
    pub ty: Type,
    /// 0 for the low word, 1 for the high word.
    pub word: u8,
}

impl Uniform {
    /// The value that an operand of `program` reads, given the parameter's `value`.
    pub fn of(&self, value: Components, program: &Program) -> f32 {
        let bits = value[usize::from(self.component)];
        let value = [bits, bits >> 32].map(|word| f32::from_bits(word as u32));
        let from = program.source_type(Source::Param(ParamId(self.parameter)));
        let words = load(value, self.modifier, from, self.ty, Conversion::of(from, self.ty));
        words[usize::from(self.word)]
    }
}

/// Negation and absolute value of an operand, combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Unchanged.
    None,
    /// Changes the sign.
    Negate,
    /// Clears the sign.
    Absolute,
    /// Sets the sign.
    NegateAbsolute,
}

impl Modifier {
    /// The modifier of component `c` after the swizzle, for `operand` loaded as `ty`.
    pub const fn of(operand: &Operand, ty: Type, c: usize) -> Self {
        // Unsigned integers have no absolute value (NV_gpu_program4 2.X.4.2).
        let absolute = operand.absolute && !ty.is_unsigned_integer();
        match (absolute, operand.negate.has(c) ^ operand.negate_absolute, operand.negate_absolute) {
            (false, false, _) => Self::None,
            (false, true, _) => Self::Negate,
            (true, _, false) => Self::Absolute,
            (true, _, true) => Self::NegateAbsolute,
        }
    }

    /// The kernel that applies the modifier to numbers.
    pub const fn kernel(self) -> Kernel {
        match self {
            Self::None => Kernel::Bits,
            Self::Negate => Kernel::Negate,
            Self::Absolute => Kernel::Absolute,
            Self::NegateAbsolute => Kernel::NegateAbsolute,
        }
    }
}

/// Conversion of an operand to the instruction's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Not needed.
    None,
    /// fp32 to fp16.
    ToHalf,
    /// To fx12.
    ToFixed,
}

impl Conversion {
    /// The conversion from a register's type to an instruction's type.
    pub const fn of(from: Type, to: Type) -> Self {
        match (from, to) {
            (Type::F32, Type::F16) => Self::ToHalf,
            (Type::F32 | Type::F16, Type::Fx12) => Self::ToFixed,
            _ => Self::None,
        }
    }

    /// The kernel that applies the conversion.
    pub const fn kernel(self) -> Kernel {
        match self {
            Self::None => Kernel::Bits,
            Self::ToHalf => Kernel::ToHalf,
            Self::ToFixed => Kernel::ToFixed,
        }
    }
}

/// Number of lane registers of a register with components of type `ty`.
pub const fn registers_of(ty: Type) -> u16 {
    if ty.is_wide() { 8 } else { 4 }
}

impl Layout {
    /// Assigns the lane registers of `program`.
    pub fn new(program: &Program) -> Self {
        let mut next = 0u16;
        let mut register = |ty: Type| {
            next += registers_of(ty);
            next - registers_of(ty)
        };
        let mut four = || register(Type::F32);
        let mut layout = Self { cc: four(), ..Self::default() };
        // The second condition code follows the first.
        four();
        let attributes = program.attributes().into_iter().filter(|attribute| attribute.output().is_none());
        layout.attributes = attributes.map(|attribute| (attribute, register(attribute.storage()))).collect();
        layout.temporaries = program.temporaries.iter().map(|temporary| register(temporary.ty)).collect();
        layout.outputs = program.outputs.iter().map(|output| register(output.ty)).collect();
        if program.stage() == Stage::TessControl {
            let roles = program.outputs.iter().map(|output| output.role);
            layout.results = roles.zip(layout.outputs.iter().copied()).collect();
        }
        if program.has_flow() {
            [layout.mask, layout.loop_count, layout.loop_length] = [next, next + 1, next + 2];
            next += 3;
        }
        let mut uniforms = HashMap::new();
        // Uniforms get lane registers before scratch registers, whose number is known only at the end.
        for instruction in &program.instructions {
            let plan = Plan::of(instruction);
            for (index, operand) in instruction.operands.iter().enumerate() {
                let ty = plan.operand_type(instruction.ty, index);
                let Source::Param(id) = operand.source else { continue };
                let components = operand.swizzle.0.into_iter().enumerate();
                for (c, component) in components.filter(|&(_, s)| Swizzle::constant(s).is_none()) {
                    let modifier = Modifier::of(operand, ty, c);
                    let uniform = Uniform { parameter: id.0, component, modifier, ty, word: 0 };
                    for modifier in [uniform.modifier, Modifier::None] {
                        for word in 0..if ty.is_wide() { 2 } else { 1 } {
                            uniforms.entry(Uniform { modifier, word, ..uniform }).or_insert_with(|| {
                                next += 1;
                                next - 1
                            });
                        }
                    }
                }
            }
        }
        (layout.uniforms, layout.zero, layout.registers) = (uniforms, next, next + 1);
        layout.reserve_bits(0);
        layout
    }

    /// Lane register of the mask of discarded lanes.
    pub const fn kill_bits(&self) -> u16 {
        self.registers
    }

    /// Lane register of the mask of lanes that pass the test of a block's exit.
    pub const fn exit_bits(&self) -> u16 {
        self.registers + 1
    }

    /// Lane register of the mask of lanes that pass the test of a converted IF.
    pub const fn condition_bits(&self, converted: usize) -> u16 {
        self.registers + 2 + converted as u16
    }

    /// Reserves lane registers for the masks of blocks with this number of converted IFs.
    pub const fn reserve_bits(&mut self, converted: usize) {
        self.mask_registers = 2 + converted as u16;
    }

    /// The first lane register after those of masks.
    pub const fn first_scratch(&self) -> u16 {
        self.registers + self.mask_registers
    }

    /// Lane registers whose values outlive an instruction.
    pub const fn registers(&self) -> Range<u16> {
        0..self.registers
    }

    /// The first of the four lane registers of an attribute that the program reads. An attribute that stands
    /// for the program's own result has the result's lane registers.
    pub fn attribute(&self, attribute: Attribute) -> u16 {
        if let Some(role) = attribute.output() {
            return self.results.iter().find(|(other, _)| *other == role).map_or(0, |&(_, base)| base);
        }
        self.attributes.iter().find(|(a, _)| *a == attribute).map_or(0, |&(_, base)| base)
    }

    /// The first of the four lane registers of a temporary.
    pub fn temporary(&self, id: TempId) -> u16 {
        self.temporaries[usize::from(id.0)]
    }

    /// The lane registers of an array with elements of type `ty`; empty for parameters.
    pub fn elements(&self, indirect: Indirect, ty: Type) -> Vec<Range<u16>> {
        let first = indirect.elements().filter_map(|element| self.element(element));
        first.map(|first| first..first + registers_of(ty)).collect()
    }

    fn element(&self, element: Element) -> Option<u16> {
        match element {
            Element::Temp(id) => Some(self.temporary(id)),
            Element::Attribute(attribute) => Some(self.attribute(attribute)),
            Element::Output(id) => Some(self.outputs[usize::from(id.0)]),
            Element::Param(_) => None,
        }
    }

    /// The first of the four lane registers that a destination names; RC and HC have none.
    pub fn target(&self, target: Target) -> Option<u16> {
        match target {
            Target::Temp(id) => Some(self.temporary(id)),
            Target::Output(id) => Some(self.outputs[usize::from(id.0)]),
            Target::ConditionOnly(_) | Target::Param(_) | Target::Indirect(_) => None,
        }
    }

    /// The first lane register of a condition code.
    pub fn cc(&self, register: CcRegister) -> u16 {
        self.cc + 4 * register.index() as u16
    }

    /// The distinct lane registers of a condition code that `test` reads.
    pub fn cc_registers(&self, test: &CcTest) -> Vec<u16> {
        let base = self.cc(test.register);
        let mut registers = test.swizzle.0.map(|c| base + u16::from(c)).to_vec();
        registers.sort_unstable();
        registers.dedup();
        registers
    }

    /// Initial values of registers, by lane register.
    pub fn initial(&self, program: &Program) -> Vec<(u16, f32)> {
        let zeros = program.temporaries.iter().zip(&self.temporaries).flat_map(|(temporary, &base)| {
            (base..base + registers_of(temporary.ty)).step_by(4).map(|four| (four, [0.0; 4]))
        });
        let flags = f32::from_bits(u32::from(Flags::INITIAL.0));
        let codes = [self.cc, self.cc + 4].map(|base| (base, [flags; 4]));
        let outputs = program.outputs.iter().zip(&self.outputs);
        let outputs = outputs.map(|(output, &base)| (base, output.role.initial()));
        zeros
            .chain(codes)
            .chain(outputs)
            .flat_map(|(base, value)| (0..4).map(move |c| (base + c as u16, value[c])))
            .collect()
    }

    /// The lane registers of the low words of 64-bit temporaries.
    pub fn low_words(&self, program: &Program) -> Vec<u16> {
        let temporaries = program.temporaries.iter().zip(&self.temporaries);
        let wide = temporaries.filter(|(temporary, _)| temporary.ty.is_wide());
        wide.flat_map(|(_, &base)| base..base + 4).collect()
    }

    /// Lane registers with results of the program, and their destinations in `BlockOutput::color` or
    /// `ResultLanes`.
    pub fn outcomes(&self, program: &Program) -> Vec<Outcome> {
        // Geometry programs emit their results before the end.
        if program.stage() == Stage::Geometry {
            return Vec::new();
        }
        let outputs = program.outputs.iter().zip(&self.outputs);
        let outcomes = outputs.flat_map(|(output, &base)| {
            let (components, first) = match output.role {
                OutputRole::Color(0) => (0..4, Some(0)),
                OutputRole::Color(_) | OutputRole::SecondaryColor(_) => (0..4, None),
                OutputRole::SampleMask => (0..1, None),
                OutputRole::Vertex(_) | OutputRole::Patch(_) if program.stage() == Stage::TessControl => {
                    (0..4, None)
                }
                OutputRole::Patch(_) => (0..4, None),
                OutputRole::Vertex(result) => (0..4, Some(4 * result.index() as u16)),
                OutputRole::Depth => (2..3, None),
            };
            components.map(move |c| Outcome { register: base + c, output: first.map(|first| first + c) })
        });
        outcomes.collect()
    }
}

/// The value that an operation of type `to` reads from the `value` of a register of type `from`.
pub fn load<N: Number>(
    value: Words<N>,
    modifier: Modifier,
    from: Type,
    to: Type,
    conversion: Conversion,
) -> Words<N> {
    let resized = resize(value, to, from, to);
    let modified = evaluate(modifier.kernel(), to, &[resized; MAX_INPUTS]);
    match conversion {
        Conversion::None => modified,
        _ => evaluate(conversion.kernel(), Type::F32, &[modified; MAX_INPUTS]),
    }
}
