//! Random programs of the ARB languages, with every instruction of the table and every kind of control flow.

use shadestep_core::exec::{AttributeLanes, Bindings};
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    Attribute, CcRegister, CcTest, Condition, ConstantVector, Control, Destination, Element, Index, Indirect,
    Kill, Kind, Label, Negation, Operand, Output, OutputId, OutputRole, ParamId, Parameter, ParameterSource,
    Program, ProgramOptions, Semantics, Source, Swizzle, Target, TempId, Temporary, TextureAccess,
    TextureTarget, Type, VertexResult, Write, WriteMask, single_bits,
};
use shadestep_language::isa::{
    Family, Group, Info, Language, Opcode, OperandKind, Precision, ResultKind, Rule, Suffixes, instructions,
};

use super::{parts, random::Random};

/// Number of temporaries that hold floating-point numbers.
const NUMBERS: usize = 5;
/// Number of parameters with any value. The parameters after them are loop counts.
const VALUES: usize = 6;
const TEXTURE_COORDINATES: [VertexResult; 8] = {
    let mut all = [VertexResult::Tex(0); 8];
    let mut set = 0;
    while set < 8 {
        all[set] = VertexResult::Tex(set as u8);
        set += 1;
    }
    all
};

/// A program under construction.
struct Builder<'r> {
    random: &'r mut Random,
    program: Program,
    rows: Vec<&'static Info>,
    units: [Option<TextureTarget>; 16],
    /// Calls and branches without a target yet: the index of the instruction and the number of its label.
    jumps: Vec<(usize, usize)>,
    /// The address register (A0) of each enclosing loop, innermost last. REP has none.
    loops: Vec<Option<TempId>>,
}

const fn is_fragment(language: Language) -> bool {
    matches!(language.family(), Family::ArbFp)
}

fn empty(random: &mut Random, language: Language) -> Program {
    let fragment = is_fragment(language);
    let halves = fragment && language != Language::ArbFp1;
    let mut temporaries: Vec<Temporary> = (0..NUMBERS)
        .map(|n| Temporary {
            name: format!("r{n}"),
            ty: if halves && n >= 3 { Type::F16 } else { Type::F32 },
        })
        .collect();
    let mut outputs = Vec::new();
    let mut output = |name: &str, role, ty| outputs.push(Output { name: name.to_owned(), role, ty });
    if fragment {
        let ty = if halves && random.chance(2) { Type::F16 } else { Type::F32 };
        output("result.color", OutputRole::Color(0), ty);
        output("result.color[1]", OutputRole::Color(1), Type::F32);
        if random.chance(2) {
            output("result.depth", OutputRole::Depth, Type::F32);
        }
    } else {
        temporaries.push(Temporary { name: "A0".to_owned(), ty: Type::Address });
        temporaries.push(Temporary { name: "A1".to_owned(), ty: Type::Address });
        for result in [VertexResult::Hpos, VertexResult::Col0].into_iter().chain(TEXTURE_COORDINATES) {
            output(&result.register_in(language), OutputRole::Vertex(result), Type::F32);
        }
    }
    let mut parameters: Vec<Parameter> = (0..VALUES)
        .map(|_| {
            ParameterSource::Constant(ConstantVector::floats(std::array::from_fn(|_| tidy(random.value()))))
                .into()
        })
        .collect();
    for count in [0.0, 1.0, 2.0, 3.7, 5.0, -1.0, f32::INFINITY] {
        let index = random.below(7) as f32 - 3.0;
        let increment = random.below(5) as f32 - 2.0;
        parameters
            .push(ParameterSource::Constant(ConstantVector::floats([count, index, increment, 0.0])).into());
    }
    Program {
        language,
        instructions: Vec::new(),
        temporaries,
        parameters,
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
    }
}

/// Replaces NaN, which a constant cannot hold.
fn tidy(value: f32) -> f32 {
    if value.is_nan() { 0.5 } else { value }
}

/// A straight-line program of `length` instructions.
pub fn straight(random: &mut Random, language: Language, length: usize) -> Program {
    straight_of(random, language, length, |_| true)
}

/// Like [`straight`], with only the instructions that `keep` accepts.
pub fn straight_of(
    random: &mut Random,
    language: Language,
    length: usize,
    keep: impl Fn(&Info) -> bool,
) -> Program {
    let mut builder = Builder::new(random, language);
    builder.rows.retain(|info| keep(info));
    for _ in 0..length {
        builder.computation();
    }
    builder.program
}

/// A program of about `length` instructions with control flow. Fragment programs get blocks, loops and
/// subroutines. Vertex programs get branches, subroutines and a stack.
pub fn flowing(random: &mut Random, language: Language, length: usize) -> Program {
    let mut builder = Builder::new(random, language);
    if builder.random.chance(3) {
        // Without instructions that read neighbouring lanes, an executor may change the order of lanes.
        builder.rows.retain(|info| !matches!(info.group, Group::Texture | Group::Derivative));
    }
    let subroutines = 1 + builder.random.below(2);
    let mut labels = Vec::new();
    builder.body(length, subroutines, 0);
    builder.leave();
    for number in 0..subroutines {
        labels.push(builder.program.instructions.len());
        if builder.random.chance(2) {
            (0..=length / 3).for_each(|_| builder.computation());
            if is_fragment(language) && builder.random.chance(2) {
                builder.if_block(subroutines, 0);
            }
        } else {
            builder.body(1 + length / 3, subroutines, 0);
        }
        // Some subroutines fall through into the next one.
        if !builder.random.chance(4) {
            builder.leave();
        }
        builder.program.labels.push(Label {
            name: format!("sub{number}"),
            at: labels[number],
            span: Span::default(),
        });
    }
    for (at, label) in std::mem::take(&mut builder.jumps) {
        let target = labels[label];
        if let Some(Control::Branch { to, .. } | Control::Call { to, .. }) =
            builder.program.instructions[at].control_mut()
        {
            *to = target;
        }
    }
    builder.program
}

impl<'r> Builder<'r> {
    fn new(random: &'r mut Random, language: Language) -> Self {
        let program = empty(random, language);
        let computes = |info: &&Info| info.group != Group::Flow;
        let rows = instructions(language).filter(computes).collect();
        Self { random, program, rows, units: [None; 16], jumps: Vec::new(), loops: Vec::new() }
    }

    fn push(&mut self, op: Opcode, control: Control) -> usize {
        self.program.instructions.push(parts::instruction(op, Semantics::ARB, control));
        self.program.instructions.len() - 1
    }

    fn test(&mut self) -> CcTest {
        let random = &mut *self.random;
        let swizzle = if random.chance(2) {
            Swizzle::replicate(random.below(4) as u8)
        } else {
            Swizzle(std::array::from_fn(|_| random.below(4) as u8))
        };
        let second = self.program.language == Language::ArbVp1Nv3 && random.chance(2);
        CcTest {
            condition: *random.pick(Condition::OF_NUMBERS),
            swizzle,
            register: if second { CcRegister::Cc1 } else { CcRegister::Cc0 },
        }
    }

    fn optional_test(&mut self) -> Option<CcTest> {
        (!self.random.chance(4)).then(|| self.test())
    }

    fn leave(&mut self) {
        let test = (self.random.chance(8)).then(|| self.test());
        self.push(Opcode::Ret, Control::Return { test });
    }

    /// Adds `length` statements at nesting depth `depth`.
    fn body(&mut self, length: usize, subroutines: usize, depth: usize) {
        for _ in 0..length {
            match self.random.below(14) {
                0 => self.jump(Opcode::Cal, subroutines),
                1 => {
                    let test = Some(self.test());
                    self.push(Opcode::Ret, Control::Return { test });
                }
                2..=4 if is_fragment(self.program.language) && depth < 5 => {
                    self.if_block(subroutines, depth);
                }
                5 | 6 if is_fragment(self.program.language) && self.loops.len() < 4 && depth < 5 => {
                    self.loop_block(subroutines, depth);
                }
                7 if !self.loops.is_empty() => {
                    let test = self.optional_test();
                    // The target is set when the loop ends.
                    self.push(Opcode::Brk, Control::Break { to: usize::MAX, test });
                }
                2 | 3 if !is_fragment(self.program.language) => self.jump(Opcode::Bra, subroutines),
                4 | 5 if self.program.language == Language::ArbVp1Nv3 => self.address_stack(),
                _ => self.computation(),
            }
        }
    }

    fn jump(&mut self, op: Opcode, subroutines: usize) {
        let test = self.optional_test();
        let control = match op {
            Opcode::Bra => Control::Branch { to: 0, test },
            _ => Control::Call { to: 0, test },
        };
        let at = self.push(op, control);
        self.jumps.push((at, self.random.below(subroutines)));
    }

    fn if_block(&mut self, subroutines: usize, depth: usize) {
        let test = self.test();
        let begin = self.push(Opcode::If, Control::If { test, otherwise: 0 });
        let length = self.random.below(4);
        self.body(length, subroutines, depth + 1);
        let middle = self.random.chance(2).then(|| self.push(Opcode::Else, Control::Else { end: 0 }));
        if middle.is_some() {
            let length = self.random.below(4);
            self.body(length, subroutines, depth + 1);
        }
        let end = self.push(Opcode::Endif, Control::EndIf);
        let otherwise = middle.unwrap_or(end) + 1;
        self.program.instructions[begin].kind = Control::If { test, otherwise }.into();
        if let Some(middle) = middle {
            self.program.instructions[middle].kind = Control::Else { end }.into();
        }
    }

    fn loop_block(&mut self, subroutines: usize, depth: usize) {
        let index = self.random.chance(2).then(|| {
            self.program.temporaries.push(Temporary { name: "A0".to_owned(), ty: Type::Address });
            TempId(self.program.temporaries.len() as u16 - 1)
        });
        let (op, end_op) =
            if index.is_some() { (Opcode::Loop, Opcode::Endloop) } else { (Opcode::Rep, Opcode::Endrep) };
        let begin = self.push(op, Control::Loop { end: 0, index });
        let counters = self.program.parameters.len() - VALUES;
        let count = ParamId((VALUES + self.random.below(counters)) as u16);
        let mut operand = operand(Source::Param(count));
        operand.negate = if self.random.chance(8) { Negation::ALL } else { Negation::NONE };
        self.program.instructions[begin].operands.push(operand);
        self.loops.push(index);
        let length = 1 + self.random.below(4);
        self.body(length, subroutines, depth + 1);
        self.loops.pop();
        let end = self.push(end_op, Control::EndLoop { start: begin + 1 }) + 1;
        self.program.instructions[begin].kind = Control::Loop { end, index }.into();
        for instruction in &mut self.program.instructions[begin..end] {
            if let Some(Control::Break { to, .. }) = instruction.control_mut()
                && *to == usize::MAX
            {
                *to = end;
            }
        }
    }

    fn address_stack(&mut self) {
        let address = self.vertex_address();
        if self.random.chance(2) {
            let at = self.push(Opcode::Pusha, Control::PushAddress);
            self.program.instructions[at].operands.push(operand(Source::Temp(address)));
        } else {
            let popped = Destination::whole(Target::Temp(address));
            self.push(Opcode::Popa, Control::PopAddress(popped));
        }
    }

    fn vertex_address(&mut self) -> TempId {
        TempId((NUMBERS + self.random.below(2)) as u16)
    }

    /// Adds an instruction that computes a value.
    fn computation(&mut self) {
        let language = self.program.language;
        let loads: Vec<&'static Info> =
            self.rows.iter().copied().filter(|info| info.result == ResultKind::Address).collect();
        let info = if !loads.is_empty() && self.random.chance(5) {
            *self.random.pick(&loads)
        } else {
            *self.random.pick(&self.rows)
        };
        let forms = info.forms(language).expect("chosen among those of the language").combinations();
        let suffixes = *self.random.pick(&forms);
        let has_codes = language != language.base();
        if info.group == Group::Kill {
            let mut operands = Vec::new();
            let kill = if has_codes && self.random.chance(2) {
                Kill::Test(self.test())
            } else {
                let source = self.source(info);
                operands.push(self.operand(OperandKind::Vector, source));
                Kill::Negative
            };
            let mut result = parts::instruction(info.opcode, Semantics::ARB, Kind::Kill(kill));
            result.operands = operands;
            // KIL is rare, because a program that discards all of its fragments tests little.
            if self.random.chance(4) {
                self.program.instructions.push(result);
            }
            return;
        }
        let target = self.target(info);
        let mask = match info.rule {
            Rule::NoW => 1 + self.random.below(7),
            _ if info.loads_one_address(language) => 1,
            _ => 1 + self.random.below(15),
        };
        let test = (has_codes && self.random.chance(3)).then(|| self.test());
        let dest = Destination { target, mask: WriteMask(mask as u8), test, span: Span::default() };
        let update_cc = suffixes.cc.map(CcRegister::from);
        let write = Write { dest, saturate: suffixes.saturate, update_cc };
        let mut result = parts::instruction(info.opcode, Semantics::ARB, Kind::Alu(write));
        for &kind in info.operands_in(language) {
            match kind {
                OperandKind::TextureImage => {
                    let unit = self.random.below(3);
                    let targets = if self.random.chance(3) {
                        &TextureTarget::BASIC_SHADOW[..]
                    } else {
                        &TextureTarget::BASIC
                    };
                    let target = *self.units[unit].get_or_insert(*self.random.pick(targets));
                    result.kind = Kind::Texture(write, TextureAccess::new(unit as u8, target));
                }
                OperandKind::Address => result.operands.push(operand(Source::Temp(self.vertex_address()))),
                OperandKind::Vector | OperandKind::Scalar | OperandKind::ExtendedSwizzle => {
                    let source = self.source(info);
                    let operand = self.operand(kind, source);
                    result.operands.push(operand);
                }
                OperandKind::OptionalVector
                | OperandKind::Condition
                | OperandKind::VectorOrCondition
                | OperandKind::Label
                | OperandKind::ImageUnit
                | OperandKind::ImageTarget
                | OperandKind::SubroutineVariable
                | OperandKind::BranchCondition => unreachable!("flow is made elsewhere"),
            }
        }
        result.ty = self.operation_type(suffixes, info, target);
        self.program.instructions.push(result);
    }

    fn operation_type(&self, suffixes: Suffixes, info: &Info, target: Target) -> Type {
        let takes = info.forms(self.program.language).is_some_and(|forms| forms.has_precisions());
        match suffixes.precision {
            Some(Precision::R) => Type::F32,
            Some(Precision::H) => Type::F16,
            Some(Precision::X) => Type::Fx12,
            None if takes => self.program.target_type(target),
            None => Type::F32,
        }
    }

    fn target(&mut self, info: &Info) -> Target {
        if info.result == ResultKind::Address {
            return Target::Temp(self.vertex_address());
        }
        loop {
            let outputs = self.program.outputs.len();
            let target = match self.random.below(8) {
                0 | 1 if self.program.language == Language::ArbVp1Nv3 => {
                    let (register, component) = (self.vertex_address(), self.random.below(4) as u8);
                    let index = Index::computed(register, component, self.random.below(9) as i64 - 3);
                    Target::Indirect(Indirect::new(Element::Output(OutputId(2)), 8, index))
                }
                0 | 1 => Target::Output(OutputId(self.random.below(outputs) as u16)),
                _ => Target::Temp(TempId(self.random.below(NUMBERS) as u16)),
            };
            if info.rule != Rule::WideDestination || self.program.target_type(target) == Type::F32 {
                return target;
            }
        }
    }

    fn source(&mut self, info: &Info) -> Source {
        let fragment = is_fragment(self.program.language);
        loop {
            let source = match self.random.below(9) {
                0 => Source::Param(ParamId(self.random.below(VALUES) as u16)),
                1 if fragment => Source::Attribute(self.fragment_attribute()),
                1 => {
                    let attribute = Attribute::Vertex(self.random.below(16) as u8);
                    let is_long = self.program.language.profile().long_variables && self.random.chance(2);
                    Source::Attribute(if is_long { attribute.long() } else { attribute })
                }
                2 => self.relative(),
                _ => Source::Temp(TempId(self.random.below(NUMBERS) as u16)),
            };
            if info.rule != Rule::WideSource || self.program.source_type(source) == Type::F32 {
                return source;
            }
        }
    }

    fn fragment_attribute(&mut self) -> Attribute {
        let all: Vec<Attribute> = Attribute::of_language(self.program.language).collect();
        *self.random.pick(&all)
    }

    /// A relative reference, if the language has one for this operand.
    fn relative(&mut self) -> Source {
        let language = self.program.language;
        let offset = self.random.below(9) as i64;
        if is_fragment(language) {
            // Uses the A0 of the innermost loop that has one.
            let index = self.loops.iter().rev().find_map(|index| *index);
            return index.map_or(Source::Attribute(Attribute::Col1), |address| {
                let first = Element::Attribute(Attribute::Tex(0));
                Source::Indirect(Indirect::new(first, 8, Index::computed(address, 0, offset)))
            });
        }
        let address = self.vertex_address();
        let components = if language == Language::ArbVp1 { 1 } else { 4 };
        let component = self.random.below(components) as u8;
        let offset = offset - 3;
        if language == Language::ArbVp1Nv3 && self.random.chance(2) {
            let (first, count) = *self.random.pick(&[(8, 8), (0, 16)]);
            let first = Element::Attribute(Attribute::Vertex(first));
            return Source::Indirect(Indirect::new(
                first,
                count,
                Index::computed(address, component, offset),
            ));
        }
        let (first, count) = (Element::Param(ParamId(1)), VALUES as u16 - 1);
        Source::Indirect(Indirect::new(first, count, Index::computed(address, component, offset)))
    }

    fn operand(&mut self, kind: OperandKind, source: Source) -> Operand {
        let random = &mut *self.random;
        let has_bars = self.program.language != self.program.language.base();
        if kind == OperandKind::ExtendedSwizzle {
            let swizzle = Swizzle(std::array::from_fn(|_| random.below(6) as u8));
            return Operand { swizzle, negate: Negation(random.below(16) as u8), ..operand(source) };
        }
        let swizzle = match kind {
            OperandKind::Scalar => Swizzle::replicate(random.below(4) as u8),
            _ if random.chance(2) => Swizzle::IDENTITY,
            _ => Swizzle(std::array::from_fn(|_| random.below(4) as u8)),
        };
        let absolute = has_bars && random.chance(5);
        Operand {
            swizzle,
            negate: if random.chance(3) { Negation::ALL } else { Negation::NONE },
            absolute,
            negate_absolute: absolute && random.chance(3),
            ..operand(source)
        }
    }
}

fn operand(source: Source) -> Operand {
    Operand {
        source,
        swizzle: Swizzle::IDENTITY,
        negate: Negation::NONE,
        absolute: false,
        negate_absolute: false,
        span: Span::default(),
    }
}

/// Draws parameters from `value`, except for loop counts, and binds a texture to most units.
pub fn bindings(
    random: &mut Random,
    program: &Program,
    mut value: impl FnMut(&mut Random) -> f32,
) -> Bindings {
    let mut bindings = Bindings::initial(program);
    for parameter in &mut bindings.parameters[..VALUES] {
        *parameter = single_bits(std::array::from_fn(|_| value(random)));
    }
    for (unit, target) in program.textures().into_iter().enumerate() {
        if let Some(target) = target.filter(|_| !random.chance(8)) {
            bindings.textures[unit] = Some(std::sync::Arc::new(super::textures::small(random, target)));
        }
    }
    bindings
}

/// Draws the attributes of a block from `value`.
pub fn attributes(random: &mut Random, mut value: impl FnMut(&mut Random) -> f32) -> AttributeLanes {
    let mut attributes = AttributeLanes::default();
    // Vertex attributes include their high words.
    let last = AttributeLanes::high_index(Attribute::Vertex(15), 3);
    for register in &mut attributes.all_mut()[..=last] {
        register.0 = std::array::from_fn(|_| value(random));
    }
    attributes
}
