//! Makes an IR instruction from a parsed statement. The load rules are in `rules`, `types`, `texture`,
//! `memory` and `interpolation`.
//!
//! While the text is being read, a [`ParamId`] is an index into the list of [`Slot`]s, an [`OutputId`] is the
//! provisional number of a result, and branches have no target. `build` resolves them.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::HashMap;

use super::bindings::{AttributeBinding, ResultBinding};
use super::buffers::BufferUse;
use super::flow::OpenBlock;
use super::indices::{AddressRegister, Relative};
use super::memory::ParsedImage;
use super::names::{Declared, Elements, Variable};
use super::parameters::Value;
use super::parser::{Arb, dialect};
use super::subroutines::Called;
use super::texture::{ParsedTexture, UnitTargets};
use super::words::{Data, Size};
use crate::diag::{Code, Diagnostic, codes};
use crate::front::label::Labels;
use crate::front::{Sink, dialect as shared};
use crate::ir::{
    CcRegister, CcTest, Condition, ConstantVector, Control, Destination, Element, Index, Indirect,
    Instruction, Kill, Kind as IrKind, Operand, Origin, OutputId, OutputRole, ParamId, Source, Target,
    TempId, Temporary, Type, VertexIndex, VertexResult, Write, limits,
};
use crate::isa::{Action, Flow, Language, Precision, Rule};
use crate::source::Span;

/// A parameter in an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reference {
    /// Bound in place.
    Unnamed(Value),
    /// The single parameter with this number.
    Single(u32),
    Element {
        array: u32,
        index: u16,
    },
    Relative {
        array: u32,
        relative: Relative,
    },
}

/// The register or variable that an operand reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    Temp(u16),
    /// An element that is chosen at run time.
    TempElement(Elements<u16>, Relative),
    Attribute(AttributeBinding, Declared),
    Parameter(Reference),
    /// The constant with this index in `Arb::literals`.
    Literal(u32),
    /// An element of a parameter buffer.
    Buffer(BufferUse),
    /// A whole address register (ARA, PUSHA).
    Address(u16),
    /// A reported error.
    Broken,
}

/// The register or variable that a destination names.
#[derive(Clone, Copy, Debug)]
pub(super) enum ParsedTarget {
    Temp(u16),
    /// An address register; `None` for A0 of a LOOP.
    Address(Option<u16>),
    /// An element that is chosen at run time.
    TempElement(Elements<u16>, Relative),
    Result(ResultBinding, Declared),
    ResultElement(Elements<OutputRole>, Relative),
    /// A reported error.
    Broken,
}

/// The parts of an instruction other than its destination and operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra<'t> {
    /// The label of BRA and CAL. An empty name has been reported.
    pub label: Option<(&'t str, Span)>,
    /// The variable of CALI.
    pub called: Option<Called>,
    pub test: Option<CcTest>,
    pub texture: Option<ParsedTexture>,
    pub image: Option<ParsedImage>,
}

pub(super) type ParsedOperand = shared::ParsedOperand<Base>;
pub(super) type ParsedDestination = shared::ParsedDestination<ParsedTarget>;
pub(super) type ParsedInstruction<'t> = shared::ParsedInstruction<Base, ParsedTarget, Extra<'t>>;

/// A parameter that instructions read. Equal parameters share a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    Constant(ConstantVector),
    Env(u16),
    Local(u16),
    State(crate::ir::StateVector),
    Single(u32),
    Element {
        array: u32,
        index: u16,
    },
    /// A whole array.
    Array(u32),
}

impl From<Value> for Slot {
    fn from(value: Value) -> Self {
        match value {
            Value::Constant(constant) => Self::Constant(constant),
            Value::Env(number) => Self::Env(number),
            Value::Local(number) => Self::Local(number),
            Value::State(state) => Self::State(state),
        }
    }
}

/// A result that instructions write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub role: OutputRole,
    /// The declared size.
    pub size: Option<Size>,
    /// Whether an instruction writes a packed value, which needs all bits of a LONG result.
    packed: bool,
}

/// Builds the instructions and keeps the state that the load rules need.
pub(super) struct Checker<'t> {
    language: Language,
    pub instructions: Vec<Instruction>,
    pub temporaries: Vec<Temporary>,
    pub temporary_ids: Vec<TempId>,
    /// The modifiers of each temporary.
    declared: Vec<Declared>,
    address_ids: Vec<TempId>,
    /// The A0s of nested LOOPs, outermost first.
    loop_ids: Vec<TempId>,
    pub slots: Vec<Slot>,
    slot_ids: HashMap<Slot, u16>,
    /// Results in order of first write.
    pub results: Vec<Written>,
    /// Arrays of results that are indexed at run time: the first result and the count.
    pub indexed_results: Vec<(OutputRole, u16)>,
    pub labels: Labels<'t>,
    pub units: UnitTargets,
}

/// The number that stands for a result while the text is being read.
pub(super) fn provisional(role: OutputRole) -> OutputId {
    OutputId(match role {
        OutputRole::Color(number) => u16::from(number),
        OutputRole::Depth => 0x100,
        OutputRole::SampleMask => 0x101,
        OutputRole::SecondaryColor(number) => 0x200 + u16::from(number),
        OutputRole::Vertex(result) => u16::try_from(result.index()).unwrap_or(u16::MAX),
        OutputRole::Patch(result) => 0x300 + u16::try_from(result.index()).unwrap_or(0),
    })
}

impl<'t> Checker<'t> {
    pub fn new(language: Language) -> Self {
        Self {
            language,
            instructions: Vec::new(),
            temporaries: Vec::new(),
            temporary_ids: Vec::new(),
            declared: Vec::new(),
            address_ids: Vec::new(),
            loop_ids: Vec::new(),
            slots: Vec::new(),
            slot_ids: HashMap::new(),
            results: Vec::new(),
            indexed_results: Vec::new(),
            labels: Labels::new(dialect(language)),
            units: HashMap::new(),
        }
    }

    pub const fn extend_to(&mut self, language: Language) {
        self.language = language;
    }

    /// Index of the next instruction.
    pub const fn next(&self) -> usize {
        self.instructions.len()
    }

    fn add_temporary(&mut self, name: &str, ty: Type) -> TempId {
        // Limits on declarations keep the number small.
        let id = TempId(u16::try_from(self.temporaries.len()).unwrap_or(u16::MAX));
        self.temporaries.push(Temporary { name: name.to_owned(), ty });
        id
    }

    /// A0 of a LOOP that is inside `outer` other LOOPs.
    fn loop_index(&mut self, outer: usize) -> TempId {
        while self.loop_ids.len() <= outer {
            let id = self.add_temporary("A0", Type::Address);
            self.loop_ids.push(id);
        }
        self.loop_ids[outer]
    }

    pub fn slot(&mut self, slot: Slot) -> ParamId {
        let next = self.slots.len();
        let id = *self.slot_ids.entry(slot).or_insert_with(|| {
            self.slots.push(slot);
            // At most 1024 instructions read three parameters each.
            u16::try_from(next).unwrap_or(u16::MAX)
        });
        ParamId(id)
    }

    /// Notes that an instruction writes a result, packed or not. Returns the code and message of an error.
    fn write_result(
        &mut self,
        role: OutputRole,
        size: Option<Size>,
        packed: bool,
    ) -> Option<(Code, &'static str)> {
        let Some(written) = self.results.iter_mut().find(|written| written.role == role) else {
            self.results.push(Written { role, size, packed });
            return None;
        };
        if self.language.profile().typed {
            // Each variable has its own size. If the sizes differ, the result has none, as it must hold the
            // largest of them.
            written.size = written.size.filter(|_| written.size == size);
            return None;
        }
        let before = *written;
        written.size = before.size.or(size);
        written.packed |= packed;
        if before.size.is_some() && size.is_some() && before.size != size {
            return Some((codes::ARB_RESULT_SIZES, "this result is written both as SHORT and as LONG"));
        }
        let lost = |written: Written| written.packed && written.size == Some(Size::Short);
        // A SHORT variable that an instruction packs into has its own error.
        let said = packed && size == Some(Size::Short);
        (lost(*written) && !lost(before) && !said).then_some((
            codes::ARB_PACK_DESTINATION.citing("NV_fragment_program_option 3.11.3.4"),
            "this result receives 32 bits but is also written through a SHORT variable",
        ))
    }
}

impl<'t> Arb<'t> {
    /// Adds a temporary that TEMP declares at `span`.
    pub(super) fn new_temporary(
        &mut self,
        name: &'t str,
        declared: Declared,
        span: Span,
        sink: &mut Sink,
    ) -> Variable {
        Variable::Temporary(self.add_temporary(name, declared, span, sink))
    }

    /// Adds an array of `count` temporaries that TEMP declares at `span`.
    pub(super) fn new_temporaries(
        &mut self,
        name: &'t str,
        count: u16,
        declared: Declared,
        span: Span,
        sink: &mut Sink,
    ) -> Variable {
        let first = last_index(self.check.temporary_ids.len() + 1);
        for number in 0..count {
            self.add_temporary(&format!("{name}[{number}]"), declared, span, sink);
        }
        Variable::Temporaries(Elements { first, count, declared, at: span.start })
    }

    fn add_temporary(&mut self, name: &str, declared: Declared, span: Span, sink: &mut Sink) -> u16 {
        self.counts.add_temporary(span, sink);
        let id = self.check.add_temporary(name, self.register_type(declared));
        self.check.temporary_ids.push(id);
        self.check.declared.push(declared);
        last_index(self.check.temporary_ids.len())
    }

    /// The type of the register for a variable. SHORT integers get 32 bits, which is more than they need.
    fn register_type(&self, declared: Declared) -> Type {
        let long = declared.size == Some(Size::Long) && self.language.profile().long_variables;
        match (declared.data, long) {
            (None | Some(Data::Float), true) => Type::F64,
            (None | Some(Data::Float), false) if declared.size == Some(Size::Short) => Type::F16,
            (None | Some(Data::Float), false) => Type::F32,
            (Some(Data::Int), true) => Type::S64,
            (Some(Data::Int), false) => Type::S32,
            (Some(Data::Uint), true) => Type::U64,
            (Some(Data::Uint), false) => Type::U32,
        }
    }

    /// The modifiers of temporary `number`.
    pub(super) fn declared_of(&self, number: u16) -> Declared {
        self.check.declared.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Adds an address register that ADDRESS declares at `span`.
    pub(super) fn new_address(&mut self, name: &'t str, span: Span, sink: &mut Sink) -> Variable {
        self.counts.add_address(span, sink);
        let id = self.check.add_temporary(name, Type::Address);
        self.check.address_ids.push(id);
        Variable::Address(last_index(self.check.address_ids.len()))
    }

    /// Checks the known parts of an instruction that could not be read to its end. Its first offending token
    /// may be before the one at which reading stopped.
    pub(super) fn broken_instruction(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        self.count_instruction(parsed, sink);
        self.check_rules(parsed, sink);
        if let Some(dest) = &parsed.dest {
            self.destination(dest, parsed.info.rule, sink);
        }
        // The effect on the open blocks is known even so.
        let at = self.check.next();
        self.step(parsed, at, sink);
        if let Some((name, span)) = parsed.extra.label {
            self.check.labels.use_name(name, span);
        }
    }

    /// Checks an instruction and adds it to the program.
    pub(super) fn instruction(&mut self, parsed: ParsedInstruction<'t>, sink: &mut Sink) {
        self.count_instruction(&parsed, sink);
        self.check_rules(&parsed, sink);
        let operands: Option<Vec<Operand>> =
            (0..parsed.operands.len()).map(|index| self.operand(&parsed, index, sink)).collect();
        let dest = parsed.dest.as_ref().and_then(|dest| self.destination(dest, parsed.info.rule, sink));
        let at = self.check.next();
        let closed = self.step(&parsed, at, sink);
        if let Some((name, span)) = parsed.extra.label {
            self.check.labels.use_name(name, span);
        }
        if self.counts.has_too_many() {
            return;
        }
        if let Some((name, _)) = parsed.extra.label {
            self.check.labels.branch(at, name);
        }
        if let Some(called) = parsed.extra.called {
            self.subroutines.note_call(at, called);
        }
        let kind = self.kind(&parsed, dest, closed);
        self.check.instructions.push(Instruction {
            op: parsed.info.opcode,
            semantics: self.language.profile().semantics,
            ty: self.operation_type(&parsed),
            // An instruction with errors is never run, but the rest of the text is still worth checking.
            operands: operands.unwrap_or_default(),
            kind,
            span: parsed.span,
            mnemonic_span: parsed.mnemonic_span,
            origin: Origin::Text,
        });
    }

    /// The precision of an instruction (NV_fragment_program_option 3.11.4.X).
    pub(super) fn operation_type(&self, parsed: &ParsedInstruction<'t>) -> Type {
        let forms = parsed.info.forms(self.language);
        if let Some(conversion) = self.conversion(parsed) {
            return conversion.to.ty();
        }
        if let Some(storage) = self.storage(parsed) {
            return storage.ty();
        }
        // The index of CALI is an integer.
        if parsed.info.action == Action::Flow(Flow::CallIndirect) {
            return Type::S32;
        }
        if let Some(data) = forms.and_then(|forms| forms.operation(parsed.suffixes)) {
            let ty = Type::of(data);
            // The modifier of PK64 and UP64 gives the kind of value. The size is 64 bits.
            return if parsed.info.rule.is_of_long() { ty.sized_as(Type::F64) } else { ty };
        }
        if forms.is_none_or(|forms| !forms.has_precisions()) {
            return Type::F32;
        }
        match parsed.suffixes.precision {
            Some(Precision::R) => Type::F32,
            Some(Precision::H) => Type::F16,
            Some(Precision::X) => Type::Fx12,
            None => parsed.dest.map_or(Type::F32, |dest| self.target_type(dest.target)),
        }
    }

    pub(super) fn temporary_type(&self, number: u16) -> Type {
        let id = self.check.temporary_ids.get(usize::from(number));
        id.map_or(Type::F32, |id| self.check.temporaries[usize::from(id.0)].ty)
    }

    fn target_type(&self, target: ParsedTarget) -> Type {
        match target {
            ParsedTarget::Temp(number) => self.temporary_type(number),
            ParsedTarget::TempElement(array, _) => self.temporary_type(array.first),
            ParsedTarget::Result(_, declared) if declared.size == Some(Size::Short) => Type::F16,
            ParsedTarget::Result(..)
            | ParsedTarget::ResultElement(..)
            | ParsedTarget::Address(_)
            | ParsedTarget::Broken => Type::F32,
        }
    }

    pub(super) fn address(&mut self, register: AddressRegister) -> Option<TempId> {
        match register {
            AddressRegister::Declared(number) => self.check.address_ids.get(usize::from(number)).copied(),
            AddressRegister::Loop => {
                let outer = self.blocks.loops_with_index().checked_sub(1)?;
                Some(self.check.loop_index(outer))
            }
            AddressRegister::Temporary(number) => self.check.temporary_ids.get(usize::from(number)).copied(),
        }
    }

    /// The relative reference to one of the `count` elements from `first` on.
    fn indirect(&mut self, first: Element, count: u16, relative: Relative) -> Option<Indirect> {
        Some(Indirect { first, count, index: self.index(relative)?, vertex: None })
    }

    fn index(&mut self, relative: Relative) -> Option<Index> {
        let Relative { register, component, offset } = relative;
        Some(Index { register: Some((self.address(register)?, component)), offset })
    }

    /// Converts operand `index` to the IR. Returns `None` after a reported error.
    fn operand(&mut self, parsed: &ParsedInstruction<'t>, index: usize, sink: &mut Sink) -> Option<Operand> {
        if self.counts.has_too_many() {
            return None;
        }
        let operand = &parsed.operands[index];
        let source = match operand.base {
            Base::Temp(number) => {
                let id = *self.check.temporary_ids.get(usize::from(number))?;
                Source::Temp(id)
            }
            Base::TempElement(array, relative) => {
                let first = *self.check.temporary_ids.get(usize::from(array.first))?;
                Source::Indirect(self.indirect(Element::Temp(first), array.count, relative)?)
            }
            Base::Address(number) => Source::Temp(self.address(AddressRegister::Declared(number))?),
            Base::Attribute(AttributeBinding::One(attribute), _) => Source::Attribute(attribute),
            Base::Attribute(AttributeBinding::Indexed { first, count, relative }, _) => {
                let first = Element::Attribute(first);
                Source::Indirect(self.indirect(first, count.into(), relative)?)
            }
            Base::Attribute(AttributeBinding::OfVertices { first, count, vertex, element }, _) => {
                let first = Element::Attribute(first);
                let index = element.map_or(Some(Index::default()), |element| self.index(element))?;
                // The number of vertices is known only at the end of the text. `build` sets it.
                let vertex = Some(VertexIndex { count: 0, index: self.index(vertex)? });
                Source::Indirect(Indirect { first, count: count.into(), index, vertex })
            }
            Base::Literal(number) => Source::Param(self.literal(parsed, index, number, sink)?),
            Base::Parameter(Reference::Unnamed(value)) => Source::Param(self.check.slot(value.into())),
            Base::Parameter(Reference::Single(number)) => {
                Source::Param(self.check.slot(Slot::Single(number)))
            }
            Base::Parameter(Reference::Element { array, index }) => {
                Source::Param(self.check.slot(Slot::Element { array, index }))
            }
            Base::Parameter(Reference::Relative { array, relative }) => {
                let count = self.names.array(array)?.count;
                let first = Element::Param(self.check.slot(Slot::Array(array)));
                Source::Indirect(self.indirect(first, count, relative)?)
            }
            Base::Buffer(used) => {
                let swizzle = self.buffer_swizzle(used, operand.swizzle);
                let loaded = self.storage(parsed).filter(|_| parsed.info.action == Action::LoadsConstants);
                let buffer = self.buffer_ref(used, loaded)?;
                return Some(operand.reading(Source::Buffer(buffer), swizzle));
            }
            // Ranges are allowed only in declarations.
            Base::Attribute(AttributeBinding::Range { .. }, _) | Base::Broken => return None,
        };
        Some(operand.reading(source, operand.swizzle))
    }

    fn destination(&mut self, dest: &ParsedDestination, rule: Rule, sink: &mut Sink) -> Option<Destination> {
        let target = match dest.target {
            ParsedTarget::Temp(number) => {
                let id = *self.check.temporary_ids.get(usize::from(number))?;
                Target::Temp(id)
            }
            ParsedTarget::Address(number) => {
                let id = *self.check.address_ids.get(usize::from(number?))?;
                Target::Temp(id)
            }
            ParsedTarget::TempElement(array, relative) => {
                let first = *self.check.temporary_ids.get(usize::from(array.first))?;
                let indirect = self.indirect(Element::Temp(first), array.count, relative);
                Target::Indirect(indirect?)
            }
            ParsedTarget::ResultElement(array, relative) => {
                self.check.write_result(array.first, array.declared.size, false);
                self.check.indexed_results.push((array.first, array.count));
                let first = Element::Output(provisional(array.first));
                Target::Indirect(self.indirect(first, array.count, relative)?)
            }
            ParsedTarget::Result(ResultBinding::One(role), Declared { size, .. }) => {
                let fault = self.check.write_result(role, size, rule == Rule::WideDestination);
                if let Some((code, message)) = fault {
                    sink.push(
                        Diagnostic::new(code, dest.register_span, message)
                            .with_note("All variables for a result must have the same size."),
                    );
                }
                Target::Output(provisional(role))
            }
            ParsedTarget::Result(ResultBinding::TexCoord(relative), _) => {
                let role = OutputRole::Vertex(VertexResult::Tex(0));
                let count = limits::TEXTURE_COORDS.into();
                self.check.indexed_results.push((role, count));
                self.check.write_result(role, None, false);
                let first = Element::Output(provisional(role));
                Target::Indirect(self.indirect(first, count, relative)?)
            }
            ParsedTarget::Result(ResultBinding::Range { .. }, _) => return None,
            ParsedTarget::Broken => return None,
        };
        Some(dest.writing(target))
    }

    /// The parts specific to the kind of instruction. A faulty destination is replaced by one that writes
    /// nothing.
    fn kind(
        &mut self,
        parsed: &ParsedInstruction<'t>,
        dest: Option<Destination>,
        closed: Option<OpenBlock>,
    ) -> IrKind {
        let dest = dest.unwrap_or_else(|| Destination::whole(Target::ConditionOnly(Type::F32)));
        let write = Write {
            dest,
            saturate: parsed.suffixes.saturate,
            update_cc: parsed.suffixes.cc.map(CcRegister::from),
        };
        let kind = match parsed.info.action {
            Action::Computes | Action::LoadsConstants => Some(IrKind::Alu(write)),
            Action::Converts => self.conversion(parsed).map(|conversion| IrKind::Convert(write, conversion)),
            Action::LooksUp => {
                let texture = parsed.extra.texture.as_ref();
                let access = texture.and_then(|texture| self.texture_access(texture));
                access.map(|access| IrKind::Texture(write, access))
            }
            Action::Discards => Some(IrKind::Kill(parsed.extra.test.map_or(Kill::Negative, Kill::Test))),
            Action::Flow(flow) => self.control(parsed, flow, dest, closed).map(IrKind::Flow),
            Action::Accesses(access, _) => Some(self.memory_kind(parsed, access, write)),
            Action::Emits(emit) => Some(IrKind::Emit(emit)),
            Action::Orders => Some(IrKind::Barrier),
        };
        // An instruction with errors is never run.
        kind.unwrap_or(IrKind::Alu(write))
    }

    /// The control flow of an instruction. Targets are filled in later. `None` if the instruction closes no
    /// block but should.
    fn control(
        &mut self,
        parsed: &ParsedInstruction<'t>,
        flow: Flow,
        dest: Destination,
        closed: Option<OpenBlock>,
    ) -> Option<Control> {
        let test = parsed.extra.test;
        Some(match flow {
            Flow::CallIndirect => self.indirect_call(parsed),
            Flow::If => {
                let always = CcTest {
                    condition: Condition::Tr,
                    swizzle: crate::ir::Swizzle::IDENTITY,
                    register: CcRegister::Cc0,
                };
                Control::If { test: test.unwrap_or(always), otherwise: 0 }
            }
            Flow::Loop => {
                let outer = self.blocks.loops_with_index().saturating_sub(1);
                Control::Loop { end: 0, index: Some(self.check.loop_index(outer)) }
            }
            Flow::EndIf | Flow::EndLoop | Flow::EndRep => {
                let at = self.check.next();
                self.end_block(&closed?, at)
            }
            Flow::PopAddress => Control::PopAddress(dest),
            Flow::Branch
            | Flow::Call
            | Flow::Return
            | Flow::Else
            | Flow::Rep
            | Flow::Break
            | Flow::Continue
            | Flow::PushAddress => return Control::without_target(flow, test),
        })
    }

    /// Sets the targets of the branches in `block`, which ends at the instruction with index `at`.
    fn end_block(&mut self, block: &OpenBlock, at: usize) -> Control {
        let instructions = &mut self.check.instructions;
        let mut patch = |index: usize, change: &dyn Fn(&mut Control)| {
            if let Some(control) = instructions.get_mut(index).and_then(Instruction::control_mut) {
                change(control);
            }
        };
        if !block.kind.is_loop() {
            let behind = block.otherwise.map_or(at, |otherwise| otherwise) + 1;
            patch(block.begin, &|control| {
                if let Control::If { otherwise, .. } = control {
                    *otherwise = behind;
                }
            });
            if let Some(index) = block.otherwise {
                patch(index, &|control| *control = Control::Else { end: at });
            }
            return Control::EndIf;
        }
        patch(block.begin, &|control| {
            if let Control::Loop { end, .. } = control {
                *end = at + 1;
            }
        });
        for &index in &block.breaks {
            patch(index, &|control| {
                if let Control::Break { to, .. } = control {
                    *to = at + 1;
                }
            });
        }
        for &index in &block.continues {
            patch(index, &|control| {
                if let Control::Continue { to, .. } = control {
                    *to = at;
                }
            });
        }
        Control::EndLoop { start: block.begin + 1 }
    }
}

/// The last index of a list of `length` elements.
fn last_index(length: usize) -> u16 {
    u16::try_from(length.saturating_sub(1)).unwrap_or(u16::MAX)
}
