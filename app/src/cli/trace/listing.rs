//! A traced program with its text: names of registers, source lines, and the parameters to show.

use super::watched::Watched;
use crate::scene::Scene;
use crate::session::MemoryMap;
use shadestep_engine::debug::{Recording, Register};
use shadestep_engine::ir::{
    Attribute, Element, Flags, Indirect, Instruction, OutputId, ParamId, ParameterSource, Program, Source,
    Target, TempId, Type,
};
use shadestep_engine::semantics::plan::{Plan, ResultTypes};
use shadestep_engine::source::{LineColumn, LineIndex, Span};
use shadestep_engine::syntax::{Lexer, TokenKind};

/// A program and its text.
pub(super) struct Listing<'a> {
    pub program: &'a Program,
    text: &'a [u8],
    lines: LineIndex,
    /// The address map of memory.
    pub memory: MemoryMap<'a>,
    /// The expressions to print between the steps.
    pub watched: Watched,
}

impl<'a> Listing<'a> {
    pub fn new(program: &'a Program, text: &'a [u8], scene: &'a Scene) -> Self {
        Self {
            program,
            text,
            lines: LineIndex::new(text),
            memory: MemoryMap::of(scene),
            watched: Watched::default(),
        }
    }

    /// The source text of `span` on one line. Comments are removed, as the rest of the line would look like a
    /// part of the comment.
    pub fn source(&self, span: Span) -> String {
        let bytes = span.slice(self.text);
        let words = Lexer::continuation(bytes).map(|token| match token.kind {
            TokenKind::Whitespace | TokenKind::Comment => " ".into(),
            _ => String::from_utf8_lossy(token.span.slice(bytes)),
        });
        words.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The position at which `span` begins.
    pub fn line_column(&self, span: Span) -> LineColumn {
        self.lines.line_column(span.start)
    }

    /// A register by its name in the program.
    pub fn place(&self, place: Register) -> String {
        match place {
            Register::Temp(TempId(id)) => self.program.temporaries[usize::from(id)].name.clone(),
            Register::Output(OutputId(id)) => self.program.outputs[usize::from(id)].name.clone(),
            Register::Param(ParamId(id)) => self.parameter(usize::from(id)),
        }
    }

    /// The types of operand `index`: of its register as the operation reads it, and of the value that it
    /// loads.
    pub fn operand_types(&self, instruction: &Instruction, index: usize) -> (Type, Type) {
        let loaded = Plan::of(instruction).operand_type(instruction.ty, index);
        let register =
            instruction.operands.get(index).map(|operand| self.program.source_type(operand.source));
        (register.map_or(loaded, |register| loaded.in_register(register)), loaded)
    }

    /// The types of an instruction's result: as computed, and as written to the target.
    pub fn result_types(&self, instruction: &Instruction) -> (Type, Type) {
        let ResultTypes { result, target } = ResultTypes::of(self.program, instruction);
        (result, result.in_register(target))
    }

    /// The names of the components of a condition code.
    pub fn codes(&self, cc: [Flags; 4]) -> [String; 4] {
        cc.map(|flags| flags.name_in(self.program.language))
    }

    /// Name of parameter `index` of the program. Constants have no name and return `constant`.
    pub fn parameter(&self, index: usize) -> String {
        self.program.parameters[index].name_in(self.program.language).unwrap_or_else(|| "constant".to_owned())
    }

    /// The attributes that instructions name, each with its register in the language's notation.
    pub fn attributes(&self) -> Vec<(Attribute, String)> {
        let language = self.program.language;
        self.program.attributes().into_iter().map(|a| (a, a.register_in(language))).collect()
    }

    /// The parameters to show before the steps. Register-file parameters are shown only if an instruction
    /// names them or a relative operand of this run reads them. All others are shown.
    pub fn parameters_shown(&self, recording: &Recording) -> Vec<usize> {
        let mut shown: Vec<bool> = self.program.parameters.iter().map(|p| !is_register(&p.source)).collect();
        let mut show = |id: ParamId| {
            if let Some(shown) = shown.get_mut(usize::from(id.0)) {
                *shown = true;
            }
        };
        for instruction in &self.program.instructions {
            for operand in &instruction.operands {
                if let Source::Param(id) = operand.source {
                    show(id);
                }
            }
            if let Some(Target::Param(id)) = instruction.target() {
                show(id);
            }
        }
        let operands = || self.program.instructions.iter().flat_map(|instruction| &instruction.operands);
        if operands().any(|operand| {
            matches!(operand.source.indirect(), Some(Indirect { first: Element::Param(_), .. }))
        }) {
            for step in recording.all_steps() {
                step.operands.iter().filter_map(|operand| operand.relative?.parameter()).for_each(&mut show);
            }
        }
        (0..shown.len()).filter(|index| shown[*index]).collect()
    }

    /// The parameters that this run wrote, with the written components.
    pub fn parameters_written(&self, recording: &Recording) -> Vec<(usize, u8)> {
        let mut written = vec![0_u8; self.program.parameters.len()];
        for change in recording.all_steps().flat_map(|step| step.changes) {
            if let Register::Param(id) = change.place {
                written[usize::from(id.0)] |= 1 << change.component;
            }
        }
        written.into_iter().enumerate().filter(|(_, mask)| *mask != 0).collect()
    }
}

fn is_register(source: &ParameterSource) -> bool {
    matches!(source, ParameterSource::Env(_))
}
