//! Types of operations and variables, and constants typed by their use (NV_gpu_program4 2.X.3.1, 2.X.3.3,
//! 2.X.4, 2.X.4.1).

use super::bindings::{AttributeBinding, ResultBinding};
use super::check::{Base, ParsedInstruction, ParsedTarget, Reference, Slot};
use super::memory::needs_storage;
use super::names::Declared;
use super::parameters::{Literal, Value, constant_of};
use super::parser::Arb;
use super::words::{Data, Size};
use crate::diag::{Diagnostic, codes};
use crate::front::Sink;
use crate::ir::{
    Attribute, Conversion, Negation, OutputRole, ParamId, Rounding, TexelOffset, Type, converted_type,
    literal_type,
};
use crate::isa::{DataType, Group, Modifier, Rule, Typed};
use crate::source::Span;

/// The kind of value that a data type has.
const fn data_of(data: DataType) -> Data {
    if data.is_float() {
        Data::Float
    } else if data.is_signed() {
        Data::Int
    } else {
        Data::Uint
    }
}

impl<'t> Arb<'t> {
    /// The declared properties of the variable that an operand reads.
    pub(super) fn declared_base(&self, base: Base) -> Declared {
        let place = |number: u32| usize::try_from(number).ok();
        match base {
            Base::Temp(number) => self.declared_of(number),
            Base::TempElement(array, _) => array.declared,
            Base::Attribute(_, declared) => declared,
            Base::Parameter(Reference::Single(number)) => {
                let single = place(number).and_then(|number| self.names.singles.get(number));
                single.map(|single| single.declared).unwrap_or_default()
            }
            Base::Parameter(Reference::Element { array, .. } | Reference::Relative { array, .. }) => {
                self.names.array(array).map(|array| array.declared).unwrap_or_default()
            }
            Base::Buffer(used) => {
                self.buffers.get(used.variable).map(|buffer| buffer.declared).unwrap_or_default()
            }
            Base::Parameter(Reference::Unnamed(_)) | Base::Literal(_) | Base::Address(_) | Base::Broken => {
                Declared::default()
            }
        }
    }

    /// The declared properties of the variable that an instruction writes.
    pub(super) fn declared_target(&self, target: ParsedTarget) -> Declared {
        match target {
            ParsedTarget::Temp(number) => self.declared_of(number),
            ParsedTarget::TempElement(array, _) => array.declared,
            ParsedTarget::Result(_, declared) => declared,
            ParsedTarget::ResultElement(array, _) => array.declared,
            ParsedTarget::Address(_) | ParsedTarget::Broken => Declared::default(),
        }
    }

    /// The kind of value of an operand or result of `parsed` that has type `typed`.
    fn values(&self, parsed: &ParsedInstruction<'t>, typed: Typed) -> Option<Data> {
        let forms = parsed.info.forms(self.language)?;
        Some(match typed {
            Typed::Float => Data::Float,
            Typed::Signed => Data::Int,
            Typed::Unsigned => Data::Uint,
            Typed::Inherited => data_of(forms.operation(parsed.suffixes)?),
        })
    }

    /// The kind of value of operand `index` of `parsed`.
    fn operand_values(&self, parsed: &ParsedInstruction<'t>, index: usize) -> Option<Data> {
        let typing = parsed.info.forms(self.language)?.typing?;
        if typing.types == 2 {
            return parsed.suffixes.from.map(data_of);
        }
        if is_offset(parsed, index) {
            return Some(Data::Int);
        }
        self.values(parsed, *typing.operands.get(index)?)
    }

    /// Checks the data types of an instruction and its variables.
    pub(super) fn check_types(&self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        let Some(forms) = parsed.info.forms(self.language) else { return };
        let Some(typing) = forms.typing else { return };
        let mnemonic = parsed.info.mnemonic;
        let is_missing = typing.types == 2 && parsed.suffixes.from.is_none();
        if is_missing {
            sink.push(
                Diagnostic::new(
                    codes::GPU_NEEDS_TYPE.citing("NV_gpu_program5 2.X.8.Z CVT"),
                    parsed.mnemonic_span,
                    format!("{mnemonic} needs two data types"),
                )
                .with_note("The first is for the result, the second for the operand: `CVT.S32.F32`."),
            );
        } else if parsed.info.group == Group::Memory && forms.operation(parsed.suffixes).is_none() {
            sink.push(needs_storage(parsed));
        } else if forms.operation(parsed.suffixes).is_none() {
            sink.push(
                Diagnostic::new(
                    codes::GPU_NEEDS_TYPE,
                    parsed.mnemonic_span,
                    format!("{mnemonic} needs a data type"),
                )
                .with_note("Add `.S` or `.U` to say how it reads its operands."),
            );
        }
        if !forms.clamps_what_it_may(parsed.suffixes) {
            let is = format!("the result of {mnemonic} is an integer here");
            let (code, message, note) = match typing.types {
                2 => (
                    codes::GPU_CLAMPED_INTEGER.citing("NV_gpu_program5 2.X.8.Z CVT"),
                    format!("{is}, and SSAT cannot clamp integers"),
                    "SAT clamps integers to the range of their type. SSAT clamps floating-point results to [-1,1].",
                ),
                _ => (
                    codes::GPU_CLAMPED_INTEGER,
                    format!("{is}, so it cannot be clamped"),
                    "SAT and SSAT clamp only floating-point results.",
                ),
            };
            sink.push(Diagnostic::new(code, clamp_span(parsed), message).with_note(note));
        }
        self.check_lengths(parsed, sink);
        if parsed.suffixes.no_type_check {
            return;
        }
        if let Some(dest) = &parsed.dest
            && let Some(values) = self.values(parsed, typing.result)
        {
            let declared = self.declared_target(dest.target).data;
            sink_mismatch(declared, values, "writes", mnemonic, dest.register_span, sink);
        }
        for (index, operand) in parsed.operands.iter().enumerate() {
            let Some(values) = self.operand_values(parsed, index) else { continue };
            let declared = self.declared_base(operand.base).data;
            sink_mismatch(declared, values, "reads", mnemonic, operand.base_span, sink);
        }
    }

    /// Checks that PK64 and UP64 have LONG variables and that the operand of CVT has no sign (NV_gpu_program5
    /// 2.X.8).
    fn check_lengths(&self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        let mnemonic = parsed.info.mnemonic;
        let is_long = |declared: Declared| declared.size == Some(Size::Long);
        match (parsed.info.rule, &parsed.dest, parsed.operands.first()) {
            (Rule::LongDestination, Some(dest), _) if !is_long(self.declared_target(dest.target)) => {
                let message = format!("{mnemonic} writes 64 bits, but this variable is not LONG");
                sink.push(Diagnostic::new(codes::GPU_PACK_DESTINATION, dest.register_span, message));
            }
            (Rule::LongSource, _, Some(operand)) if !is_long(self.declared_base(operand.base)) => {
                let message = format!("{mnemonic} reads 64 bits, but this variable is not LONG");
                sink.push(Diagnostic::new(codes::GPU_UNPACK_SOURCE, operand.base_span, message));
            }
            (Rule::NoSigns, _, Some(operand)) if operand.absolute || !operand.negate.is_none() => {
                let message = format!("the operand of {mnemonic} cannot have a sign or an absolute value");
                sink.push(Diagnostic::new(codes::GPU_SIGNED_OPERAND, operand.span, message));
            }
            _ => {}
        }
    }

    /// The conversion of CVT. Returns `None` for other instructions, or if a type is missing.
    pub(super) fn conversion(&self, parsed: &ParsedInstruction<'t>) -> Option<Conversion> {
        let rounding = parsed.suffixes.rounding.unwrap_or(Rounding::Round);
        Some(Conversion {
            from: parsed.suffixes.from?.format()?,
            to: parsed.suffixes.data?.format()?,
            rounding,
        })
    }

    /// The parameter for constant `number`, which is operand `index` of `parsed`.
    pub(super) fn literal(
        &mut self,
        parsed: &ParsedInstruction<'t>,
        index: usize,
        number: u32,
        sink: &mut Sink,
    ) -> Option<ParamId> {
        let Literal(numbers) = *self.literals.get(usize::try_from(number).ok()?)?;
        let ty = self.literal_type(parsed, index);
        let (constant, fault) = constant_of(numbers, ty);
        let operand = &parsed.operands[index];
        if let Some(mut fault) = fault {
            let is_plain = !operand.absolute && operand.negate == Negation::ALL;
            // The `-` of an operand is not part of the number. In braces it is, which allows the least
            // integer.
            let least = numbers.map(|number| number.least_in_braces(ty));
            if let ([Some(least), Some(_), Some(_), Some(_)], true) = (least, is_plain) {
                fault = fault.with_fix(format!("replace with {least}"), operand.span, least);
            }
            sink.push(fault);
            return None;
        }
        self.counts.bind_parameter(Value::Constant(constant), operand.base_span, sink);
        Some(self.check.slot(Slot::Constant(constant)))
    }

    /// The type of a constant that is operand `index` of `parsed`.
    fn literal_type(&self, parsed: &ParsedInstruction<'t>, index: usize) -> Type {
        let Some(typing) = parsed.info.forms(self.language).and_then(|forms| forms.typing) else {
            return Type::F32;
        };
        if is_offset(parsed, index) {
            return Type::S32;
        }
        if typing.types == 2 {
            let format = parsed.suffixes.from.and_then(DataType::format);
            return format.map_or(Type::F32, converted_type);
        }
        let typed = typing.operands.get(index).copied().unwrap_or(Typed::Float);
        literal_type(parsed.info, typed, self.operation_type(parsed))
    }

    /// Counts the components of attributes and results that `parsed` reads and writes.
    pub(super) fn count_components(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        for operand in &parsed.operands {
            let (first, count) = match operand.base {
                Base::Attribute(AttributeBinding::One(attribute), _) => (attribute, 1),
                Base::Attribute(AttributeBinding::Indexed { first, count, .. }, _) => (first, count),
                Base::Attribute(AttributeBinding::OfVertices { first, count, .. }, _) => (first, count),
                _ => continue,
            };
            let mask = operand.swizzle.0.iter().filter(|&&c| c < 4).fold(0, |mask, c| mask | 1 << c);
            for attribute in (0..count).filter_map(|steps| first.after(steps)) {
                // An attribute counts once for all vertices. Bindings cannot name too many patch attributes.
                let attribute = attribute.at_vertex(0).register();
                if attribute.output().is_none() && !matches!(attribute, Attribute::OfPatch(_)) {
                    self.counts.read_components(attribute, mask, operand.base_span, sink);
                }
            }
        }
        let Some(dest) = &parsed.dest else { return };
        let (first, count) = match dest.target {
            ParsedTarget::Result(ResultBinding::One(role), _) => (role, 1),
            ParsedTarget::ResultElement(array, _) => (array.first, array.count),
            _ => return,
        };
        let count = u8::try_from(count).unwrap_or(u8::MAX);
        let before = self.counts.result_components();
        for role in (0..count).filter_map(|steps| first.after(steps)) {
            if !matches!(role, OutputRole::Patch(_)) {
                self.counts.write_components(role, dest.mask.0, dest.register_span, sink);
            }
        }
        self.check_output_components(before, dest.register_span, sink);
    }
}

/// Whether operand `index` is the computed offset of a lookup.
fn is_offset(parsed: &ParsedInstruction<'_>, index: usize) -> bool {
    parsed.extra.texture.is_some_and(|t| t.offset == TexelOffset::Operand && t.operands == index)
}

/// The place of an error about clamped integers: the clamp or the data type of the result, whichever is
/// later.
fn clamp_span(parsed: &ParsedInstruction<'_>) -> Span {
    let is_type = |modifier: &Modifier| matches!(modifier, Modifier::Data(_));
    let is_clamp = |modifier: Modifier| matches!(modifier, Modifier::Saturation(_));
    let clamp = parsed.modifier_span(is_clamp);
    let of_result = parsed.modifiers.iter().find(|(modifier, _)| is_type(modifier));
    of_result.filter(|(_, span)| span.start > clamp.start).map_or(clamp, |(_, span)| *span)
}

fn sink_mismatch(
    declared: Option<Data>,
    values: Data,
    does: &str,
    mnemonic: &str,
    span: Span,
    sink: &mut Sink,
) {
    let Some(declared) = declared.filter(|declared| *declared != values) else { return };
    sink.push(
        Diagnostic::new(
            codes::GPU_TYPE_MISMATCH,
            span,
            format!("this variable is {}, but {mnemonic} {does} {} here", declared.name(), values.values()),
        )
        .with_note("Add NTC to turn the check off and use the bits unchanged."),
    );
}
