//! Instrumentation: adds instructions to a program, to collect for every fragment the data that a recording
//! gives for one.
//!
//! Added instructions use their own registers and results, so the program's behaviour does not change. They
//! do not count towards the limit of executed instructions ([`Origin`]). Executors run the program like any
//! other. No program text can express it, and [`shadestep_language::ir::verify`] would reject it.

use shadestep_language::ir::{
    Components, ConstantVector, Control, Destination, Element, Instruction, Kind, Negation, Operand, Origin,
    Output, OutputId, OutputRole, ParamId, ParameterSource, Program, Saturation, Source, Swizzle, Target,
    TempId, Temporary, Type, Write, WriteMask,
};
use shadestep_language::isa::Opcode;
use shadestep_language::source::Span;
use std::collections::BTreeMap;

/// A program under instrumentation. Instructions are identified by their index in the original.
pub(super) struct Rewrite {
    program: Program,
    before: BTreeMap<usize, Vec<Instruction>>,
    after: BTreeMap<usize, Vec<Instruction>>,
    first: Vec<Instruction>,
    constants: BTreeMap<[u32; 4], ParamId>,
    shadows: BTreeMap<OutputId, TempId>,
}

/// The place of an added instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Before the first instruction of a run.
    First,
    /// Before an instruction, each time a run reaches it.
    Before(usize),
    /// After an instruction that computes a value, each time it has been executed.
    After(usize),
}

/// An operand without modifiers.
pub(super) fn operand(source: Source, swizzle: Swizzle) -> Operand {
    let (negate, absolute, negate_absolute) = (Negation::NONE, false, false);
    Operand { source, swizzle, negate, absolute, negate_absolute, span: Span::default() }
}

/// An instrumented program.
pub(super) struct Rewritten {
    pub program: Program,
    /// Values of the program's parameters.
    pub parameters: Vec<Components>,
    /// Index of each original instruction.
    pub places: Vec<usize>,
}

/// A temporary as an operand, without swizzle.
pub(super) fn whole(temp: TempId) -> Operand {
    operand(Source::Temp(temp), Swizzle::IDENTITY)
}

/// `target` with a write mask.
pub(super) fn masked(target: Target, mask: u8) -> Destination {
    Destination { mask: WriteMask(mask), ..Destination::whole(target) }
}

impl Rewrite {
    pub fn new(program: &Program) -> Self {
        Self {
            program: program.clone(),
            before: BTreeMap::new(),
            after: BTreeMap::new(),
            first: Vec::new(),
            constants: BTreeMap::new(),
            shadows: BTreeMap::new(),
        }
    }

    pub const fn program(&self) -> &Program {
        &self.program
    }

    /// A new temporary; 0 at the start.
    pub fn temporary(&mut self, ty: Type) -> TempId {
        self.program.temporaries.push(Temporary { name: String::new(), ty });
        TempId((self.program.temporaries.len() - 1) as u16)
    }

    /// A new result with output colour `number`. A result of the program with that number moves to an unused
    /// number.
    pub fn color(&mut self, number: u8) -> OutputId {
        let unused = (0..=u8::MAX).rev().map(OutputRole::Color);
        let taken = |role: &OutputRole| self.program.outputs.iter().any(|output| output.role == *role);
        let free = unused.into_iter().find(|role| !taken(role));
        let role = OutputRole::Color(number);
        for output in self.program.outputs.iter_mut().filter(|output| output.role == role) {
            output.role = free.unwrap_or(role);
        }
        self.program.outputs.push(Output { name: String::new(), role, ty: Type::F32 });
        OutputId((self.program.outputs.len() - 1) as u16)
    }

    /// A constant with these bits.
    pub fn constant(&mut self, bits: [u32; 4]) -> Operand {
        let parameters = &mut self.program.parameters;
        let id = *self.constants.entry(bits).or_insert_with(|| {
            let constant = ConstantVector { bits: bits.map(u64::from), ty: Type::U32 };
            parameters.push(ParameterSource::Constant(constant).into());
            ParamId((parameters.len() - 1) as u16)
        });
        operand(Source::Param(id), Swizzle::IDENTITY)
    }

    /// Adds an instruction that computes in type `ty`.
    pub fn add(&mut self, place: Place, op: Opcode, ty: Type, dest: Destination, operands: Vec<Operand>) {
        let semantics = self.program.language.profile().semantics;
        let write = Write { dest, saturate: Saturation::None, update_cc: None };
        let (kind, span) = (Kind::Alu(write), Span::default());
        let origin = Origin::Added;
        self.put(place, Instruction { op, semantics, ty, operands, kind, span, mnemonic_span: span, origin });
    }

    /// Adds a copy of the bits of an operand.
    pub fn copy(&mut self, place: Place, dest: Destination, from: Operand) {
        let ty = self.copied_as(from.source);
        self.add(place, Opcode::Mov, ty, dest, vec![from]);
    }

    /// The type that copies a register without changing bits.
    fn copied_as(&self, source: Source) -> Type {
        match self.program.source_type(source) {
            Type::Address | Type::F16 => Type::F32,
            // Integers, because copies keep all bit patterns.
            _ => Type::U32,
        }
    }

    /// Adds an instruction that does not count towards the limit.
    pub fn put(&mut self, place: Place, added: Instruction) {
        let (all, origin) = match place {
            Place::First => (&mut self.first, Origin::Added),
            Place::Before(pc) => (self.before.entry(pc).or_default(), Origin::Added),
            Place::After(pc) => (self.after.entry(pc).or_default(), Origin::AddedAfter),
        };
        all.push(Instruction { origin, ..added });
    }

    /// A temporary that always has the same value as output `id`.
    pub fn shadow(&mut self, id: OutputId) -> TempId {
        if let Some(&shadow) = self.shadows.get(&id) {
            return shadow;
        }
        let Output { role, ty, .. } = self.program.outputs[usize::from(id.0)];
        let shadow = self.temporary(ty);
        self.shadows.insert(id, shadow);
        let initial = self.constant(role.initial().map(f32::to_bits));
        self.copy(Place::First, Destination::whole(Target::Temp(shadow)), initial);
        for pc in 0..self.program.instructions.len() {
            let dest = self.program.instructions[pc].dest().copied();
            let Some(dest) = dest.filter(|dest| dest.target == Target::Output(id)) else { continue };
            if let Some(dest) = self.program.instructions[pc].dest_mut() {
                dest.target = Target::Temp(shadow);
            }
            self.copy(Place::After(pc), masked(Target::Output(id), dest.mask.0), whole(shadow));
        }
        shadow
    }

    /// The instrumented program. `values` are the values of the original's parameters.
    pub fn finish(self, values: &[Components]) -> Rewritten {
        let Self { mut program, mut before, mut after, first, constants, .. } = self;
        let mut values = values.to_vec();
        values.resize(program.parameters.len(), [0; 4]);
        for (bits, id) in constants {
            values[usize::from(id.0)] = bits.map(u64::from);
        }
        let (old, entry) = (std::mem::take(&mut program.instructions), program.entry);
        let count = old.len();
        let (mut starts, mut own) = (Vec::with_capacity(count + 1), Vec::with_capacity(count));
        // Only the start of a run or a jump reaches the first instruction, and a jump skips the instructions
        // added here.
        let mut all = if entry == 0 { first.clone() } else { Vec::new() };
        for (pc, instruction) in old.into_iter().enumerate() {
            starts.push(all.len());
            all.extend(before.remove(&pc).unwrap_or_default());
            own.push(all.len());
            all.push(instruction);
            all.extend(after.remove(&pc).unwrap_or_default());
        }
        let flow_begins = all.len();
        program.entry = 0;
        if entry != 0 && first.is_empty() {
            program.entry = starts.get(entry).copied().unwrap_or(flow_begins);
        } else if entry != 0 {
            // Flow that reaches the end from above skips the instructions at the start of a run.
            let end = flow_begins + first.len() + 2;
            let at = starts.get(entry).copied().unwrap_or(end);
            all.push(branch(&program, end));
            program.entry = all.len();
            all.extend(first);
            all.push(branch(&program, at));
        }
        let end = all.len();
        starts.push(end);
        debug_assert_eq!(starts.len(), count + 1);
        let added_at_end = flow_begins..end;
        for (pc, instruction) in all.iter_mut().enumerate() {
            let Some(control) = instruction.control_mut().filter(|_| !added_at_end.contains(&pc)) else {
                continue;
            };
            match (control.target(), &control) {
                // Instructions before the ENDIF belong to the other branch.
                (Some(end), Control::Else { .. }) => *control = control.leading_to(own[end]),
                (Some(target), _) => *control = control.leading_to(starts[target]),
                (None, _) => {}
            }
        }
        for label in &mut program.labels {
            label.at = starts[label.at];
        }
        program.instructions = all;
        Rewritten { program, parameters: values, places: own }
    }
}

/// The instructions that write `element`, with the components that they can write.
pub(super) fn writes(program: &Program, element: Element) -> Vec<(usize, u8)> {
    let is_it = |target: Target| match (target, element) {
        (Target::Temp(a), Element::Temp(b)) => a == b,
        (Target::Output(a), Element::Output(b)) => a == b,
        (Target::Indirect(indirect), element) => indirect.elements().any(|other| other == element),
        _ => false,
    };
    let written = program.instructions.iter().enumerate();
    written
        .filter_map(|(pc, instruction)| Some((pc, instruction.dest()?)))
        .filter(|(_, dest)| is_it(dest.target))
        .map(|(pc, dest)| (pc, dest.mask.0))
        .collect()
}

/// BRA without a condition.
fn branch(program: &Program, to: usize) -> Instruction {
    let (semantics, span) = (program.language.profile().semantics, Span::default());
    let kind = Kind::Flow(Control::Branch { to, test: None });
    let (op, ty, operands, origin) = (Opcode::Bra, Type::F32, Vec::new(), Origin::Added);
    Instruction { op, semantics, ty, operands, kind, span, mnemonic_span: span, origin }
}
