//! Parts of programs, built as IR.

use shadestep_engine::isa::{Language, Opcode};
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    Instruction, Kind, Origin, Output, OutputRole, Parameter, ParameterSource, Program, ProgramOptions,
    Semantics, Temporary, Type, VertexResult,
};

/// Number of temporaries (R0 and so on) in [`vertex_program`].
pub const TEMPORARIES: u16 = 4;

/// An fp32 instruction `op` without operands.
pub fn instruction(op: Opcode, semantics: Semantics, kind: impl Into<Kind>) -> Instruction {
    Instruction {
        op,
        semantics,
        ty: Type::F32,
        operands: Vec::new(),
        kind: kind.into(),
        span: Span::default(),
        mnemonic_span: Span::default(),
        origin: Origin::Text,
    }
}

/// A program of a vertex language without instructions. The program lists its temporaries, then its address
/// registers. It has `parameters` parameter registers and the `results`.
pub fn vertex_program(
    language: Language,
    addresses: &[&str],
    parameters: u16,
    results: &[VertexResult],
) -> Program {
    let mut temporaries: Vec<_> =
        (0..TEMPORARIES).map(|n| Temporary { name: format!("R{n}"), ty: Type::F32 }).collect();
    temporaries.extend(addresses.iter().map(|&name| Temporary { name: name.into(), ty: Type::Address }));
    let output = |&result: &VertexResult| Output {
        name: format!("o[{}]", result.name()),
        role: OutputRole::Vertex(result),
        ty: Type::F32,
    };
    Program {
        language,
        instructions: Vec::new(),
        temporaries,
        parameters: (0..parameters).map(|n| Parameter::from(ParameterSource::Env(n))).collect(),
        outputs: results.iter().map(output).collect(),
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
