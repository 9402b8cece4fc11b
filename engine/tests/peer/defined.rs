//! Finds the components of a shown value that are defined, so that only these are compared. In ARB programs,
//! a register that was never written is undefined, and so is every value computed from it
//! (ARB_fragment_program 3.11.3.3, 3.11.3.4). SCS leaves z and w undefined, and XPD leaves w. Programs with
//! branches count as defined throughout: the ones in the conformance files are.

use shadestep_language::ir::{
    Destination, Instruction, Operand, OutputRole, Program, Source, Target, TextureTarget, VertexResult,
};
use shadestep_language::isa::{Group, Opcode, OperandKind};

use super::question::Question;

/// The defined components of the value that `question` shows, as a mask: bit 0 is x.
pub fn components(question: &Question, program: &Program) -> u8 {
    if program.has_flow() {
        return 0xF;
    }
    let shown = |role| match (&question.shows, role) {
        (None, OutputRole::Color(0)) => true,
        (Some(attribute), OutputRole::Vertex(result)) => attribute_of(result).as_deref() == Some(attribute),
        _ => false,
    };
    let Some(output) = program.outputs.iter().position(|output| shown(output.role)) else { return 0 };
    let mut registers = Registers {
        temporaries: vec![program.temporaries_defined(); program.temporaries.len()],
        outputs: vec![0; program.outputs.len()],
    };
    program.instructions.iter().for_each(|instruction| registers.execute(instruction));
    // A fog coordinate has one component; the others are constants.
    let constants = if question.shows.as_deref() == Some("fragment.fogcoord") { 0xE } else { 0 };
    registers.outputs[output] | constants
}

/// The fragment attribute that a vertex result becomes.
pub fn attribute_of(result: VertexResult) -> Option<String> {
    Some(match result {
        VertexResult::Col0 => "fragment.color".to_owned(),
        VertexResult::Col1 => "fragment.color.secondary".to_owned(),
        VertexResult::Fogc => "fragment.fogcoord".to_owned(),
        VertexResult::Tex(set) => format!("fragment.texcoord[{set}]"),
        _ => return None,
    })
}

/// Defined components of each register.
struct Registers {
    temporaries: Vec<u8>,
    outputs: Vec<u8>,
}

impl Registers {
    fn execute(&mut self, instruction: &Instruction) {
        let Some(Destination { target, mask, .. }) = instruction.dest() else { return };
        let mut defined = 0;
        for c in (0..4).filter(|c| mask.0 >> c & 1 != 0) {
            defined |= u8::from(self.gives(instruction, c)) << c;
        }
        let register = match target {
            Target::Temp(id) => &mut self.temporaries[usize::from(id.0)],
            Target::Output(id) => &mut self.outputs[usize::from(id.0)],
            _ => return,
        };
        *register = *register & !mask.0 | defined;
    }

    /// Whether component `c` of the result of `instruction` is defined.
    fn gives(&self, instruction: &Instruction, c: usize) -> bool {
        let op = instruction.op;
        if op == Opcode::Scs && c > 1 || op == Opcode::Xpd && c == 3 {
            return false;
        }
        instruction.operands.iter().zip(op.info().operands.iter()).enumerate().all(
            |(number, (operand, kind))| {
                let used: &[usize] = match op {
                    _ if *kind == OperandKind::Scalar => &[0],
                    _ if op.info().group == Group::Texture => match instruction.texture().map(|t| t.target) {
                        Some(TextureTarget::D1) if op == Opcode::Tex => &[0],
                        Some(TextureTarget::D2 | TextureTarget::Rect) if op == Opcode::Tex => &[0, 1],
                        _ if op == Opcode::Tex => &[0, 1, 2],
                        _ => &[0, 1, 2, 3],
                    },
                    Opcode::Dp3 => &[0, 1, 2],
                    Opcode::Dp4 => &[0, 1, 2, 3],
                    Opcode::Dph if number == 0 => &[0, 1, 2],
                    Opcode::Dph => &[0, 1, 2, 3],
                    Opcode::Xpd => [&[1, 2][..], &[0, 2], &[0, 1], &[]][c],
                    Opcode::Lit => [&[][..], &[0], &[0, 1, 3], &[]][c],
                    Opcode::Dst => match (c, number) {
                        (1, _) => &[1],
                        (2, 0) => &[2],
                        (3, 1) => &[3],
                        _ => &[],
                    },
                    _ => &[0, 1, 2, 3][c..=c],
                };
                used.iter().all(|&component| self.has(operand, component))
            },
        )
    }

    fn has(&self, operand: &Operand, component: usize) -> bool {
        let selected = operand.swizzle.0[component];
        match operand.source {
            // SWZ may select 0 and 1.
            _ if selected > 3 => true,
            Source::Temp(id) => self.temporaries[usize::from(id.0)] >> selected & 1 != 0,
            _ => true,
        }
    }
}
