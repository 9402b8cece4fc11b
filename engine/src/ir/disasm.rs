//! Programs back to text: one canonical spelling, which loads again to the same program.
//!
//! Names of constants are gone (constants are printed where they are used), precision suffixes appear
//! only where they say something the destination does not, and spans of the reloaded program differ.
//! A branch to a place with several labels names the first of them.

use std::fmt::Write as _;

use super::constants::{Constant, merge};
use super::{
    Attribute, CcTest, Control, Destination, Instruction, Operand, ParamId, ParameterSource, Program, Source,
    Swizzle, Target, Type, WriteMask,
};
use crate::isa::{Language, OperandKind, Precision, Stage, Suffixes};

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The program as text of its language, header to `END`, one statement a line.
pub fn disassemble(program: &Program) -> String {
    let mut text = format!("{}\n", program.language.header());
    if program.position_invariant {
        text.push_str("OPTION NV_position_invariant;\n");
    }
    for parameter in &program.parameters {
        if let ParameterSource::Named { name, initial } = &parameter.source {
            if initial.map(f32::to_bits) == [0; 4] {
                let _ = writeln!(text, "DECLARE {name};");
            } else {
                let _ = writeln!(text, "DECLARE {name} = {};", vector(initial));
            }
        }
    }
    let mut labels = program.labels.iter().peekable();
    let mut print_labels = |text: &mut String, at: usize| {
        while let Some(label) = labels.next_if(|label| label.at <= at) {
            let _ = writeln!(text, "{}:", label.name);
        }
    };
    for (index, instruction) in program.instructions.iter().enumerate() {
        print_labels(&mut text, index);
        let _ = writeln!(text, "{};", disassemble_instruction(program, instruction));
    }
    print_labels(&mut text, program.instructions.len());
    text.push_str("END\n");
    text
}

/// One instruction as text, without the semicolon.
pub fn disassemble_instruction(program: &Program, instruction: &Instruction) -> String {
    let info = instruction.op.info();
    let mut text = format!("{}{}", info.mnemonic, suffixes(program, instruction).text());
    let mut parts = Vec::new();
    if let Some(destination) = &instruction.dest {
        parts.push(destination_text(program, destination));
    }
    let scalars = constants_are_scalars(program, instruction);
    let mut operands = instruction.operands.iter();
    for kind in info.operands_in(program.language) {
        match kind {
            OperandKind::Vector | OperandKind::Scalar | OperandKind::Address => {
                parts.extend(operands.next().map(|o| operand_text(program, o, scalars)));
            }
            OperandKind::Label => parts.extend(instruction.control.and_then(|c| label_name(program, c))),
            // No comma stands before it.
            OperandKind::BranchCondition => {
                let test = instruction.control.and_then(|c| c.test());
                let test = test.map(|test| format!("({})", test_text(test)));
                match (parts.last_mut(), test) {
                    (Some(label), Some(test)) => *label = format!("{label} {test}"),
                    (None, Some(test)) => parts.push(test),
                    (_, None) => {}
                }
            }
            OperandKind::Condition => parts.extend(instruction.control.and_then(|c| c.test()).map(test_text)),
            OperandKind::TextureImage => parts.extend(
                instruction.texture.map(|texture| format!("TEX{}, {}", texture.unit, texture.target.name())),
            ),
        }
    }
    if !parts.is_empty() {
        let _ = write!(text, " {}", parts.join(", "));
    }
    text
}

/// Name of the label that a branch or call goes to.
fn label_name(program: &Program, control: Control) -> Option<String> {
    let (Control::Branch { to, .. } | Control::Call { to, .. }) = control else { return None };
    program.labels.iter().find(|label| label.at == to).map(|label| label.name.clone())
}

/// An attribute register as the language writes it: state programs know no names.
fn attribute_text(program: &Program, attribute: Attribute) -> String {
    match attribute {
        Attribute::Vertex(number) if program.language == Language::Vsp1 => format!("v[{number}]"),
        _ => attribute.register(),
    }
}

fn suffixes(program: &Program, instruction: &Instruction) -> Suffixes {
    let takes_precision =
        instruction.op.info().forms(program.language).is_some_and(|f| !f.precisions.is_empty());
    let implied = instruction.dest.map(|d| program.target_type(d.target));
    let precision = (takes_precision && implied != Some(instruction.ty)).then_some(match instruction.ty {
        Type::F32 => Precision::R,
        Type::F16 => Precision::H,
        Type::Fx12 | Type::Address => Precision::X,
    });
    Suffixes { precision, cc: instruction.update_cc, sat: instruction.saturate }
}

/// A number that reads back to the same bits.
fn number(value: f32) -> String {
    if value.is_infinite() {
        // No spelling of infinity exists; what overflows becomes one.
        return if value > 0.0 { "1e39".to_owned() } else { "-1e39".to_owned() };
    }
    let size = value.abs();
    if size == 0.0 || (1e-4..1e7).contains(&size) { format!("{value}") } else { format!("{value:e}") }
}

fn vector(values: &[f32; 4]) -> String {
    let values = values.map(number);
    format!("{{{}}}", values.join(", "))
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

fn test_text(test: CcTest) -> String {
    format!("{}{}", test.condition.name(), suffix(test.swizzle))
}

fn destination_text(program: &Program, destination: &Destination) -> String {
    let mut text = match destination.target {
        Target::Temp(id) => program.temporaries[usize::from(id.0)].name.clone(),
        Target::Output(id) => program.outputs[usize::from(id.0)].name.clone(),
        Target::Param(id) => parameter_name(program, id),
        Target::ConditionOnly(_) if program.language.stage() != Stage::Fragment => "CC".to_owned(),
        Target::ConditionOnly(Type::F16) => "HC".to_owned(),
        Target::ConditionOnly(_) => "RC".to_owned(),
    };
    if destination.mask != WriteMask::ALL {
        text.push('.');
        text.extend(LETTERS.iter().enumerate().filter(|(i, _)| destination.mask.has(*i)).map(|(_, l)| l));
    }
    if let Some(test) = destination.test {
        let _ = write!(text, " ({})", test_text(test));
    }
    text
}

fn constant(program: &Program, operand: &Operand) -> Option<[f32; 4]> {
    let Source::Param(id) = operand.source else { return None };
    match &program.parameters.get(usize::from(id.0))?.source {
        ParameterSource::Constant(value) => Some(*value),
        ParameterSource::Named { .. } | ParameterSource::Numbered(_) | ParameterSource::Register(_) => None,
    }
}

/// The scalar an operand reads, if it reads one and its sign would not be taken for the constant's.
fn scalar(program: &Program, operand: &Operand) -> Option<f32> {
    let value = constant(program, operand)?;
    let [x, y, z, w] = operand.swizzle.0;
    (x == y && y == z && z == w && !operand.negate).then(|| value[usize::from(x)])
}

/// Whether all constants of the instruction can be printed as scalars and merge to what they are now.
fn constants_are_scalars(program: &Program, instruction: &Instruction) -> bool {
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
        (Ok(merged), Some(value)) => {
            merged.value.map(f32::to_bits) == value.map(f32::to_bits) && merged.maps == swizzles
        }
        _ => false,
    }
}

fn parameter_name(program: &Program, id: ParamId) -> String {
    match &program.parameters[usize::from(id.0)].source {
        ParameterSource::Constant(value) => vector(value),
        named => named.name().unwrap_or_default(),
    }
}

fn operand_text(program: &Program, operand: &Operand, scalars: bool) -> String {
    let base = match (operand.source, constant(program, operand)) {
        (_, Some(value)) if scalars => number(value[usize::from(operand.swizzle.0[0])]),
        (_, Some(value)) => format!("{}{}", vector(&value), suffix(operand.swizzle)),
        (Source::Temp(id), _) => {
            format!("{}{}", program.temporaries[usize::from(id.0)].name, suffix(operand.swizzle))
        }
        (Source::Attribute(attribute), _) => {
            format!("{}{}", attribute_text(program, attribute), suffix(operand.swizzle))
        }
        (Source::Indexed(indexed), _) => {
            let name = &program.temporaries[usize::from(indexed.address.0)].name;
            let component = LETTERS[usize::from(indexed.component) % 4];
            let offset = if indexed.offset == 0 { String::new() } else { format!("{:+}", indexed.offset) };
            format!("c[{name}.{component}{offset}]{}", suffix(operand.swizzle))
        }
        (Source::Param(id), _) => {
            format!("{}{}", parameter_name(program, id), suffix(operand.swizzle))
        }
    };
    let inner = if operand.negate { format!("-{base}") } else { base };
    match (operand.absolute, operand.negate_absolute) {
        (false, _) => inner,
        (true, false) => format!("|{inner}|"),
        (true, true) => format!("-|{inner}|"),
    }
}
