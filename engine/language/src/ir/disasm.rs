//! The disassembler: prints a program in one canonical spelling that loads again to the same program.
//!
//! Some details of the original text are lost. Constants lose their names and are printed at each use. A
//! precision suffix is printed only if it differs from the precision of the destination. Spans of the
//! reloaded program differ. A branch to a place with several labels uses the first label. ARB programs
//! declare their variables; results and parameters without a name or an array are bound in the instructions.

mod declarations;

use std::fmt::Write as _;

use super::constants::{Constant, merge};
use super::{
    Access, Attribute, BufferRef, BufferVariable, CcRegister, CcTest, ConstantVector, Control, Conversion,
    Destination, Element, Format, ImageAccess, Index, Indirect, Instruction, Kind, Operand, ParamId,
    ParameterSource, Program, Real, Rounding, Source, Swizzle, Target, TexelOffset, TextureAccess, Type,
    Value, WriteMask, constant_type, single_bits, singles,
};
use crate::isa::{BlockEdge, Cc, DataType, OperandKind, Precision, Suffixes, Typed, Typing};
use declarations::{array_name, declarations, image_array, long_name, output_name, texture_array};

pub const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The program as text of its language, from the header to `END`, one statement per line.
pub fn disassemble(program: &Program) -> String {
    let mut text = format!("{}\n", program.language.header());
    text.push_str(&declarations(program));
    let mut labels = program.labels.iter().enumerate().peekable();
    let mut print_labels = |text: &mut String, at: usize| {
        while let Some((index, label)) = labels.next_if(|(_, label)| label.at <= at) {
            let number = program.subroutines.list.iter().find(|subroutine| subroutine.label == index);
            let number = number.map_or(String::new(), |s| format!(" SUBROUTINENUM({})", s.number));
            let _ = writeln!(text, "{}{number}:", label.name);
        }
    };
    let mut depth = 0usize;
    for (index, instruction) in program.instructions.iter().enumerate() {
        print_labels(&mut text, index);
        // The label after this instruction implies it.
        if matches!(instruction.control(), Some(Control::ReturnIfCalled)) {
            continue;
        }
        let edge = instruction.op.info().action.edge();
        depth = depth.saturating_sub(usize::from(edge.is_some_and(BlockEdge::ends)));
        let _ = writeln!(
            text,
            "{:indent$}{};",
            "",
            disassemble_instruction(program, instruction),
            indent = 2 * depth
        );
        depth += usize::from(edge.is_some_and(BlockEdge::begins));
    }
    print_labels(&mut text, program.instructions.len());
    text.push_str("END\n");
    text
}

/// One instruction as text, without the semicolon.
pub fn disassemble_instruction(program: &Program, instruction: &Instruction) -> String {
    let info = instruction.op.info();
    let order = program.language.profile().modifier_order;
    let mut text = format!("{}{}", info.mnemonic, suffixes(program, instruction).text_in(order));
    let mut parts = Vec::new();
    if let Some(destination) = instruction.dest() {
        parts.push(destination_text(program, destination));
    }
    let scalars = constants_are_scalars(program, instruction);
    let text_of = |(index, operand)| {
        operand_text(program, operand, scalars, constant_type(program, instruction, index))
    };
    let mut operands = instruction.operands.iter().enumerate();
    for kind in info.operands_in(program.language) {
        match kind {
            OperandKind::Vector
            | OperandKind::OptionalVector
            | OperandKind::Scalar
            | OperandKind::Address => parts.extend(operands.next().map(text_of)),
            OperandKind::ExtendedSwizzle => {
                parts.extend(operands.next().map(|(_, operand)| extended_text(program, operand)));
            }
            OperandKind::VectorOrCondition => {
                let test = instruction.test().map(test_text);
                parts.extend(test.or_else(|| operands.next().map(text_of)));
            }
            OperandKind::Label => parts.extend(instruction.control().and_then(|c| label_name(program, c))),
            OperandKind::SubroutineVariable => {
                parts.extend(instruction.control().and_then(|c| called_text(program, instruction, c)));
                operands.next();
            }
            // No comma precedes the condition.
            OperandKind::BranchCondition => {
                let test = instruction.test();
                let test = test.map(|test| format!("({})", test_text(test)));
                match (parts.last_mut(), test) {
                    (Some(label), Some(test)) => *label = format!("{label} {test}"),
                    (None, Some(test)) => parts.push(test),
                    (_, None) => {}
                }
            }
            OperandKind::Condition => {
                parts.extend(instruction.test().map(test_text));
            }
            OperandKind::ImageUnit => {
                parts.extend(instruction.image().map(|image| image_text(program, image)));
            }
            OperandKind::ImageTarget => {
                parts.extend(instruction.image().map(|image| image.target.name().to_owned()));
            }
            OperandKind::TextureImage => {
                let offset = || operands.next().map(text_of).unwrap_or_default();
                parts.extend(instruction.texture().map(|access| texture_text(program, access, offset)));
            }
        }
    }
    if !parts.is_empty() {
        let _ = write!(text, " {}", parts.join(", "));
    }
    text
}

/// The text between the brackets of an array reference.
fn index_text(program: &Program, index: Index) -> String {
    match index.register {
        None => index.offset.to_string(),
        Some((id, component)) => {
            let name = &program.temporaries[usize::from(id.0)].name;
            let offset = if index.offset == 0 { String::new() } else { format!("{:+}", index.offset) };
            format!("{name}.{}{offset}", LETTERS[usize::from(component) % 4])
        }
    }
}

/// An element of a parameter buffer variable.
fn buffer_text(program: &Program, buffer: &BufferRef) -> String {
    let BufferVariable { name, spans, is_array, .. } = program.buffer(buffer);
    let index = |index, is_there: bool| match is_there {
        true => format!("[{}]", index_text(program, index)),
        false => String::new(),
    };
    format!("{name}{}{}", index(buffer.point, *spans), index(buffer.element, *is_array))
}

/// Name of the label that a branch or call goes to.
fn label_name(program: &Program, control: Control) -> Option<String> {
    let (Control::Branch { to, .. } | Control::Call { to, .. }) = control else { return None };
    program.labels.iter().find(|label| label.at == to).map(|label| label.name.clone())
}

/// The subroutine variable that CALI names, with its index.
fn called_text(program: &Program, instruction: &Instruction, control: Control) -> Option<String> {
    let Control::CallIndirect { variable, offset, .. } = control else { return None };
    let variable = program.subroutines.variables.get(variable)?;
    if !variable.is_array {
        return Some(variable.name.clone());
    }
    let register = instruction.operands.first().and_then(|operand| match operand.source {
        Source::Temp(id) => Some((id, operand.swizzle.0[0])),
        _ => None,
    });
    let index = Index { register, offset: offset.into() };
    Some(format!("{}[{}]", variable.name, index_text(program, index)))
}

/// The modifiers in languages with types. A type that the operation has by default is omitted.
fn typed_suffixes(program: &Program, instruction: &Instruction, typing: &Typing) -> Suffixes {
    let ty = instruction.named_type();
    let cc = instruction.update_cc().map(|register| match register {
        CcRegister::Cc0 => Cc::C,
        CcRegister::Cc1 => Cc::C1,
    });
    let plain = Suffixes { cc, saturate: instruction.saturate(), ..Suffixes::default() };
    if let Some(storage) = instruction.storage() {
        let memory = instruction.memory();
        let atomic = memory.and_then(|memory| match memory.access {
            Access::Atomic(_, atomic) => Some(atomic),
            Access::Load(_) | Access::Store => None,
        });
        let caching = memory.map(|memory| memory.caching).unwrap_or_default();
        let no_type_check = mismatches(program, instruction, typing);
        // A formatted store names the type of its data.
        let formatted = instruction.image().is_some_and(|image| image.formatted);
        let data = match formatted {
            true => DataType::ALL.into_iter().find(|data| Type::of(*data) == ty),
            false => Some(storage.data_type()),
        };
        let by_default = formatted && typing.default.is_some_and(|data| Type::of(data) == ty);
        let data = data.filter(|_| !by_default);
        return Suffixes { data, atomic, caching, no_type_check, ..plain };
    }
    if let Kind::Convert(_, conversion) = instruction.kind {
        // ROUND is the default.
        let rounding = Some(conversion.rounding).filter(|rounding| *rounding != Rounding::Round);
        let no_type_check = conversion_mismatches(program, instruction, conversion);
        let [data, from] = [conversion.to, conversion.from].map(|format| Some(DataType::Sized(format)));
        return Suffixes { data, from, rounding, no_type_check, ..plain };
    }
    let by_default = typing.default.is_some_and(|data| Type::of(data) == ty);
    let with_type = match ty {
        _ if by_default => plain,
        Type::F16 => Suffixes { precision: Some(Precision::H), ..plain },
        // The shortest name of the type.
        _ => Suffixes { data: DataType::ALL.into_iter().find(|data| Type::of(*data) == ty), ..plain },
    };
    Suffixes { no_type_check: mismatches(program, instruction, typing), ..with_type }
}

/// Whether the declared type of an operand or the destination differs from the type that the instruction
/// requires.
fn mismatches(program: &Program, instruction: &Instruction, typing: &Typing) -> bool {
    let base = |ty: Type| (ty.is_integer(), ty.is_unsigned_integer());
    // A register declared without a type holds floats.
    let differs = |declared: Type, typed: Typed| {
        declared.is_integer()
            && base(declared)
                != match typed {
                    Typed::Inherited => base(instruction.ty),
                    Typed::Float => (false, false),
                    Typed::Signed => (true, false),
                    Typed::Unsigned => (true, true),
                }
    };
    let declared = |source: Source| match source {
        Source::Temp(_) | Source::Indirect(Indirect { first: Element::Temp(_), .. }) => {
            program.source_type(source)
        }
        Source::Param(id) | Source::Indirect(Indirect { first: Element::Param(id), .. }) => {
            let parameter = &program.parameters[usize::from(id.0)];
            // A parameter without a name is printed in the instruction.
            parameter.name.as_ref().map_or(Type::F32, |_| parameter.ty)
        }
        Source::Buffer(buffer) => program.buffer(&buffer).ty,
        Source::Attribute(_) | Source::Indirect(_) => Type::F32,
    };
    let operands = instruction.operands.iter().zip(typing.operands);
    let mut read = operands.map(|(operand, typed)| (declared(operand.source), typed));
    let written = instruction.target().map(|target| (program.target_type(target), typing.result));
    read.any(|(ty, typed)| differs(ty, typed)) || written.is_some_and(|(ty, typed)| differs(ty, typed))
}

/// Whether the declared type of the operand or destination of a CVT differs from its formats.
fn conversion_mismatches(program: &Program, instruction: &Instruction, conversion: Conversion) -> bool {
    let differs = |declared: Type, format: Format| {
        let base = (format.is_integer(), format.is_integer() && !format.is_signed());
        declared.is_integer() && (declared.is_integer(), declared.is_unsigned_integer()) != base
    };
    let declared = |source: Source| match source {
        Source::Temp(_) | Source::Indirect(Indirect { first: Element::Temp(_), .. }) => {
            program.source_type(source)
        }
        Source::Buffer(buffer) => program.buffer(&buffer).ty,
        _ => Type::F32,
    };
    let read = instruction.operands.first().is_some_and(|o| differs(declared(o.source), conversion.from));
    let target = instruction.target().map(|target| program.target_type(target));
    read || target.is_some_and(|ty| differs(ty, conversion.to))
}

fn suffixes(program: &Program, instruction: &Instruction) -> Suffixes {
    let forms = instruction.op.info().forms(program.language);
    if let Some(typing) = forms.and_then(|forms| forms.typing) {
        return typed_suffixes(program, instruction, &typing);
    }
    let takes_precision =
        instruction.op.info().forms(program.language).is_some_and(|forms| forms.has_precisions());
    let implied = instruction.target().map(|target| program.target_type(target));
    let precision = match instruction.ty {
        _ if !takes_precision || implied == Some(instruction.ty) => None,
        Type::F32 => Some(Precision::R),
        Type::F16 => Some(Precision::H),
        Type::Fx12 => Some(Precision::X),
        _ => None,
    };
    let cc = instruction.update_cc().map(|register| match register {
        CcRegister::Cc0 => Cc::C,
        CcRegister::Cc1 => Cc::C1,
    });
    Suffixes { precision, cc, saturate: instruction.saturate(), ..Suffixes::default() }
}

/// A number that reads back to the same bits.
fn number(value: impl Real) -> String {
    let size: f64 = value.into();
    if size.is_infinite() {
        // The languages have no spelling of infinity, but a number that overflows becomes infinite.
        let sign = if size > 0.0 { "" } else { "-" };
        return format!("{sign}1e{}", if size_of_val(&value) == 8 { 309 } else { 39 });
    }
    let size = size.abs();
    if size == 0.0 || (1e-4..1e7).contains(&size) { format!("{value}") } else { format!("{value:e}") }
}

fn suffix(swizzle: Swizzle) -> String {
    let [x, y, z, w] = swizzle.0;
    let letter = |c: u8| LETTERS.get(usize::from(c)).copied().unwrap_or('?');
    if swizzle == Swizzle::IDENTITY {
        String::new()
    } else if x == y && y == z && z == w {
        format!(".{}", letter(x))
    } else {
        format!(".{}", swizzle.0.map(letter).iter().collect::<String>())
    }
}

/// The unit, the target and the offset. `computed` returns the text of an offset operand.
pub fn texture_text(program: &Program, access: TextureAccess, computed: impl FnOnce() -> String) -> String {
    let unit = match texture_array(program, access) {
        Some(array) => format!("{array}[{}]", index_text(program, access.index)),
        None => program.language.profile().texture_unit(access.first),
    };
    let component = match access.component {
        0 => String::new(),
        c => suffix(Swizzle::replicate(c)),
    };
    let offset = match access.offset {
        TexelOffset::NONE => String::new(),
        TexelOffset::Constant(offsets) => {
            let axes = access.target.offset_axes().max(1);
            let offsets: Vec<String> = offsets.iter().take(axes).map(i8::to_string).collect();
            format!(", ({})", offsets.join(", "))
        }
        TexelOffset::Operand => format!(", offset({})", computed()),
    };
    format!("{unit}{component}, {}{offset}", access.target.name())
}

fn image_text(program: &Program, image: &ImageAccess) -> String {
    match image_array(program, image) {
        Some(array) => format!("{array}[{}]", index_text(program, image.index)),
        None => format!("image[{}]", image.unit(image.index.offset).unwrap_or(image.first)),
    }
}

/// A test without its parentheses.
pub fn test_text(test: CcTest) -> String {
    let register = match test.register {
        CcRegister::Cc1 => "1",
        CcRegister::Cc0 => "",
    };
    format!("{}{register}{}", test.condition.name(), suffix(test.swizzle))
}

/// An array element with a relative index.
fn indirect_text(program: &Program, indirect: Indirect) -> String {
    let first = match indirect.first {
        Element::Temp(id) => program.temporaries[usize::from(id.0)].name.clone(),
        Element::Param(id) => {
            let declared = program.parameters.get(usize::from(id.0)).and_then(|p| p.name.as_deref());
            declared.unwrap_or("c").to_owned()
        }
        // Generic attributes form an array of their own, although the first one is the position.
        Element::Attribute(Attribute::Vertex(0)) => "vertex.attrib".to_owned(),
        Element::Attribute(first) => first.register_in(program.language),
        Element::Output(id) => output_name(program, usize::from(id.0)),
    };
    let mut text = match array_name(program, indirect) {
        Some(name) => name,
        None => first.split('[').next().unwrap_or(&first).to_owned(),
    };
    let vertex = indirect.vertex.map(|vertex| vertex.index);
    let element = Some(indirect.index).filter(|_| vertex.is_none() || indirect.count > 1);
    for index in vertex.into_iter().chain(element) {
        let _ = write!(text, "[{}]", index_text(program, index));
    }
    text
}

/// The operand of SWZ: the register, then a selector with its sign for each component.
fn extended_text(program: &Program, operand: &Operand) -> String {
    let mut text = source_text(program, operand.source);
    for (c, &selector) in operand.swizzle.0.iter().enumerate() {
        let sign = if operand.negate.has(c) { "-" } else { "" };
        let selector = match selector {
            Swizzle::ZERO => '0',
            Swizzle::ONE => '1',
            component => LETTERS.get(usize::from(component)).copied().unwrap_or('?'),
        };
        let _ = write!(text, ", {sign}{selector}");
    }
    text
}

/// The source without swizzle and sign.
pub fn source_text(program: &Program, source: Source) -> String {
    match source {
        Source::Temp(id) => program.temporaries[usize::from(id.0)].name.clone(),
        Source::Attribute(Attribute::LongVertex(number)) => long_name(program, number),
        // Arrays use the generic names, and a program can bind only one of the two names of a register.
        Source::Attribute(Attribute::Vertex(number)) if program.language.profile().typed => {
            format!("vertex.attrib[{number}]")
        }
        Source::Attribute(attribute) => attribute.register_in(program.language),
        Source::Param(id) => parameter_name(program, id),
        Source::Indirect(indirect) => indirect_text(program, indirect),
        Source::Buffer(buffer) => buffer_text(program, &buffer),
    }
}

/// The target without mask and test.
pub fn target_text(program: &Program, target: Target) -> String {
    match target {
        Target::Temp(id) => program.temporaries[usize::from(id.0)].name.clone(),
        Target::Output(id) => output_name(program, usize::from(id.0)),
        Target::Indirect(indirect) => indirect_text(program, indirect),
        Target::Param(id) => parameter_name(program, id),
        Target::ConditionOnly(ty) => condition_register(program, ty).to_owned(),
    }
}

/// The letters of the components in `mask` (bit 0 = x).
pub fn letters(mask: u8) -> String {
    LETTERS.iter().enumerate().filter(|(c, _)| mask >> c & 1 != 0).map(|(_, letter)| letter).collect()
}

/// A write mask with its point, e.g. `.xy`; empty for all components.
pub fn mask_text(mask: WriteMask) -> String {
    if mask == WriteMask::ALL { String::new() } else { format!(".{}", letters(mask.0)) }
}

fn destination_text(program: &Program, destination: &Destination) -> String {
    let mut text = target_text(program, destination.target);
    text.push_str(&mask_text(destination.mask));
    if let Some(test) = destination.test {
        let _ = write!(text, " ({})", test_text(test));
    }
    text
}

/// The register that stores only the condition code of a result of type `ty`.
fn condition_register(program: &Program, ty: Type) -> &'static str {
    let registers = program.language.profile().condition_registers;
    let narrow = registers.iter().find(|(_, precision)| *precision == Precision::H && ty == Type::F16);
    narrow.or(registers.first()).map_or("CC", |(name, _)| name)
}

fn constant(program: &Program, operand: &Operand) -> Option<ConstantVector> {
    let Source::Param(id) = operand.source else { return None };
    match &program.parameters.get(usize::from(id.0))?.source {
        ParameterSource::Constant(value) => Some(*value),
        _ => None,
    }
}

/// The scalar that an operand reads. `None` if the components differ or a negation would be read as the
/// constant's sign.
fn scalar(program: &Program, operand: &Operand) -> Option<f32> {
    let value = constant(program, operand)?;
    let [x, y, z, w] = operand.swizzle.0;
    (x == y && y == z && z == w && operand.negate.is_none()).then(|| singles(value.bits)[usize::from(x)])
}

/// Whether all constants of the instruction can be printed as scalars that merge into the same vector again.
/// Languages without merging print vectors.
fn constants_are_scalars(program: &Program, instruction: &Instruction) -> bool {
    if !program.language.profile().merges_constants {
        return false;
    }
    let mut scalars = Vec::new();
    let mut now = None;
    let mut swizzles = Vec::new();
    for operand in &instruction.operands {
        let Some(value) = constant(program, operand) else { continue };
        let Some(scalar) = scalar(program, operand) else { return false };
        scalars.push(Constant::Scalar(scalar));
        swizzles.push(operand.swizzle.0);
        now = Some(value);
    }
    match (merge(&scalars), now) {
        (Ok(merged), Some(value)) => single_bits(merged.value) == value.bits && merged.maps == swizzles,
        _ => false,
    }
}

fn parameter_name(program: &Program, id: ParamId) -> String {
    let parameter = &program.parameters[usize::from(id.0)];
    if let Some(name) = &parameter.name {
        return name.clone();
    }
    match &parameter.source {
        ParameterSource::Constant(value) => typed_vector(*value, value.ty),
        named => named.name_in(program.language).unwrap_or_default(),
    }
}

/// The text of a constant that is read as `ty`.
fn typed_vector(constant: ConstantVector, ty: Type) -> String {
    let from = if constant.ty.is_wide() { constant.ty } else { ty.sized_as(Type::F32) };
    let values = constant.bits.map(|bits| match (from.value(bits), ty) {
        (Value::Single(value), Type::F64) => number(f64::from(value)),
        (Value::Single(value), _) => number(value),
        (Value::Double(value), _) => number(value),
        (Value::Signed(value), _) => value.to_string(),
        (Value::Unsigned(value), _) => value.to_string(),
    });
    format!("{{{}}}", values.join(", "))
}

fn operand_text(program: &Program, operand: &Operand, scalars: bool, ty: Type) -> String {
    let base = match (operand.source, constant(program, operand)) {
        (_, Some(value)) if scalars => number(singles(value.bits)[usize::from(operand.swizzle.0[0])]),
        (Source::Param(id), Some(value)) if program.parameters[usize::from(id.0)].name.is_none() => {
            format!("{}{}", typed_vector(value, ty), suffix(operand.swizzle))
        }
        (Source::Param(id), Some(_)) => format!("{}{}", parameter_name(program, id), suffix(operand.swizzle)),
        (_, Some(value)) => format!("{}{}", typed_vector(value, ty), suffix(operand.swizzle)),
        (source, None) => format!("{}{}", source_text(program, source), suffix(operand.swizzle)),
    };
    let inner = if !operand.negate.is_none() { format!("-{base}") } else { base };
    match (operand.absolute, operand.negate_absolute) {
        (false, _) => inner,
        (true, false) => format!("|{inner}|"),
        (true, true) => format!("-|{inner}|"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::disassemble;
    use crate::isa::{Language, Opcode};
    use crate::source::Span;

    fn operand(source: Source, swizzle: [u8; 4]) -> Operand {
        Operand {
            source,
            swizzle: Swizzle(swizzle),
            negate: Negation::NONE,
            absolute: false,
            negate_absolute: false,
            span: Span::default(),
        }
    }

    fn instruction(op: Opcode, kind: impl Into<Kind>, operands: Vec<Operand>) -> Instruction {
        Instruction {
            op,
            semantics: Semantics::ARB,
            ty: Type::F32,
            operands,
            kind: kind.into(),
            span: Span::default(),
            mnemonic_span: Span::default(),
            origin: Origin::Text,
        }
    }

    /// Writes all of `target`.
    fn to(target: Target) -> Write {
        Destination::whole(target).into()
    }

    fn program(language: Language, temporaries: &[(&str, Type)], instructions: Vec<Instruction>) -> Program {
        Program {
            language,
            instructions,
            temporaries: temporaries
                .iter()
                .map(|&(name, ty)| Temporary { name: name.to_owned(), ty })
                .collect(),
            parameters: Vec::new(),
            outputs: Vec::new(),
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

    const XYZW: [u8; 4] = [0, 1, 2, 3];

    #[test]
    fn a_fragment_program_with_blocks() {
        let test =
            CcTest { condition: Condition::Gt, swizzle: Swizzle::replicate(0), register: CcRegister::Cc0 };
        let param = |n| operand(Source::Param(ParamId(n)), XYZW);
        let temp = |n| Target::Temp(TempId(n));
        let cc = Some(CcRegister::Cc0);
        let write = Write { saturate: Saturation::Signed, update_cc: cc, ..to(temp(1)) };
        let updates = instruction(Opcode::Mov, Kind::Alu(write), vec![param(1)]);
        let begin =
            instruction(Opcode::Loop, Control::Loop { end: 9, index: Some(TempId(2)) }, vec![param(0)]);
        let test_if = instruction(Opcode::If, Control::If { test, otherwise: 5 }, Vec::new());
        let to_end = instruction(Opcode::Else, Control::Else { end: 6 }, Vec::new());
        let end_if = instruction(Opcode::Endif, Control::EndIf, Vec::new());
        let leave = instruction(Opcode::Brk, Control::Break { to: 9, test: Some(test) }, Vec::new());
        let end_loop = instruction(Opcode::Endloop, Control::EndLoop { start: 2 }, Vec::new());
        let relative = Source::Indirect(Indirect {
            first: Element::Attribute(Attribute::Tex(0)),
            count: 8,
            index: Index::computed(TempId(2), 0, 3),
            vertex: None,
        });
        let mut swz = operand(Source::Temp(TempId(1)), [Swizzle::ONE, 0, Swizzle::ZERO, 3]);
        swz.negate = Negation(0b1001);
        let texture = TextureAccess::new(2, TextureTarget::Shadow2D);
        let looks_up = Kind::Texture(to(temp(0)), texture);
        let lookup = instruction(Opcode::Txl, looks_up, vec![operand(relative, XYZW)]);
        let instructions = vec![
            updates,
            begin,
            test_if,
            lookup,
            to_end,
            instruction(Opcode::Swz, Kind::Alu(to(Target::Output(OutputId(1)))), vec![swz]),
            end_if,
            leave,
            end_loop,
            instruction(Opcode::Mov, Kind::Alu(to(Target::Output(OutputId(0)))), vec![param(2)]),
        ];
        let names = [("wide", Type::F32), ("narrow", Type::F16), ("A0", Type::Address)];
        let mut program = program(Language::ArbFp1Nv2, &names, instructions);
        let constant = |value| ParameterSource::Constant(ConstantVector::floats(value));
        let named = |source, name: &str| Parameter { name: Some(name.to_owned()), ..Parameter::from(source) };
        program.parameters = vec![
            named(constant([4.0, 0.0, 1.0, 0.0]), "counts"),
            named(ParameterSource::Local(7), "rows[0]"),
            named(ParameterSource::State(StateVector::FogColor), "rows[1]"),
        ];
        let output = |name: &str, role, ty| Output { name: name.to_owned(), role, ty };
        program.outputs = vec![
            output("result.color", OutputRole::Color(0), Type::F32),
            output("half", OutputRole::Color(1), Type::F16),
        ];
        program.options.fog = Some(FogMode::Exp2);
        let expected = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nOPTION ARB_fog_exp2;\n\
            OPTION ARB_draw_buffers;\nOPTION ARB_fragment_program_shadow;\nTEMP wide;\nSHORT TEMP narrow;\n\
            PARAM counts = {4, 0, 1, 0};\nPARAM rows[2] = { program.local[7], state.fog.color };\n\
            SHORT OUTPUT half = result.color[1];\n\
            MOVRC_SSAT narrow, rows[0];\nLOOP counts;\n  IF GT.x;\n    \
            TXL wide, fragment.texcoord[A0.x+3], texture[2], SHADOW2D;\n  ELSE;\n    \
            SWZR half, narrow, -1, x, 0, -w;\n  ENDIF;\n  BRK (GT.x);\nENDLOOP;\n\
            MOV result.color, rows[1];\nEND\n";
        assert_eq!(disassemble(&program), expected);
    }

    #[test]
    fn a_vertex_program_with_two_condition_codes_and_a_stack() {
        let address = operand(Source::Temp(TempId(1)), XYZW);
        let push = instruction(Opcode::Pusha, Control::PushAddress, vec![address]);
        let popped = Destination::whole(Target::Temp(TempId(1)));
        let pop = instruction(Opcode::Popa, Control::PopAddress(popped), Vec::new());
        let relative = Target::Indirect(Indirect {
            first: Element::Output(OutputId(1)),
            count: 2,
            index: Index::computed(TempId(1), 3, -1),
            vertex: None,
        });
        let attribute = Indirect {
            first: Element::Attribute(Attribute::Vertex(0)),
            count: 16,
            index: Index::computed(TempId(1), 1, 0),
            vertex: None,
        };
        let add = instruction(
            Opcode::Add,
            Kind::Alu(Write { update_cc: Some(CcRegister::Cc1), ..to(relative) }),
            vec![
                operand(Source::Indirect(attribute), XYZW),
                operand(Source::Attribute(Attribute::Vertex(2)), [2, 2, 2, 2]),
            ],
        );
        let test =
            CcTest { condition: Condition::Ne, swizzle: Swizzle([3, 2, 1, 0]), register: CcRegister::Cc1 };
        let position = Destination { test: Some(test), ..Destination::whole(Target::Output(OutputId(0))) };
        let to_position = instruction(
            Opcode::Mov,
            Kind::Alu(position.into()),
            vec![operand(Source::Param(ParamId(0)), XYZW)],
        );
        let names = [("t", Type::F32), ("A", Type::Address)];
        let mut program = program(Language::ArbVp1Nv3, &names, vec![push, add, pop, to_position]);
        program.parameters = vec![ParameterSource::Env(5).into()];
        let output = |result| Output { name: String::new(), role: OutputRole::Vertex(result), ty: Type::F32 };
        program.outputs =
            [VertexResult::Hpos, VertexResult::Tex(0), VertexResult::Tex(1)].map(output).to_vec();
        let expected = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nTEMP t;\nADDRESS A;\nPUSHA A;\n\
            ADDC1 result.texcoord[A.w-1], vertex.attrib[A.y], vertex.normal.z;\nPOPA A;\n\
            MOV result.position (NE1.wzyx), program.env[5];\nEND\n";
        assert_eq!(disassemble(&program), expected);
    }

    #[test]
    fn memory_is_written_with_its_modifiers() {
        let names = [("R0", Type::F32), ("A", Type::U64)];
        let mut program = program(Language::NvVp5, &names, Vec::new());
        program.buffers = vec![BufferVariable {
            name: "c".to_owned(),
            unit: BufferUnit::Byte,
            ty: Type::F32,
            first: 2,
            count: 3,
            spans: true,
            element: 0,
            elements: 64,
            is_array: true,
        }];
        let text = |op, ty, kind: Kind, operands| {
            let instruction = Instruction { ty, ..instruction(op, kind, operands) };
            disassemble_instruction(&program, &instruction)
        };
        let [value, address] = [0, 1].map(|n| Source::Temp(TempId(n)));
        let r0 = to(Target::Temp(TempId(0)));
        let memory = |access, name, coherent| {
            let storage = Storage::named(name).expect("a modifier");
            let caching = Caching { coherent, volatile: !coherent };
            (storage.ty(), Kind::Memory(Memory { access, image: None, storage, caching }))
        };
        let (ty, kind) = memory(Access::Load(r0), "U32X2", true);
        assert_eq!(text(Opcode::Load, ty, kind, vec![operand(address, [0; 4])]), "LOAD.U32X2.COH R0, A.x");
        let (ty, kind) = memory(Access::Store, "F32X4", false);
        let operands = || vec![operand(value, XYZW), operand(address, [1; 4])];
        assert_eq!(text(Opcode::Store, ty, kind, operands()), "STORE.F32X4.VOL R0, A.y");
        let (ty, kind) = memory(Access::Atomic(r0, Atomic::IncrementWrap), "U32", true);
        assert_eq!(text(Opcode::Atom, ty, kind, operands()), "ATOM.IWRAP.U32.COH R0, R0, A.y");
        let element = Index::computed(TempId(0), 2, 12);
        let point = Index::constant(1);
        let storage = Storage::named("S16").expect("a modifier");
        let buffer = BufferRef { variable: 0, point, element, storage };
        let read = |buffer| vec![operand(Source::Buffer(buffer), [0; 4])];
        let ldc = text(Opcode::Ldc, Type::S32, Kind::Alu(r0), read(buffer));
        assert_eq!(ldc, "LDC.S16 R0, c[1][R0.z+12].x");
        let declared = disassemble(&program);
        assert!(declared.contains("CBUFFER c[3][64] = { program.buffer[2..4][0..63] };\n"), "{declared}");
        assert_eq!(text(Opcode::Membar, Type::F32, Kind::Barrier, Vec::new()), "MEMBAR");
        let stream = vec![operand(value, [3; 4])];
        assert_eq!(text(Opcode::Emits, Type::S32, Kind::Emit(Emit::ToStream), stream), "EMITS R0.w");
    }
}
