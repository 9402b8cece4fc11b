//! Limits of the ARB languages, and the limits of NV_gpu_program4 that the texts leave to an implementation.
//! Test programs write the limits' names in braces (`{MAX_TEMPORARIES-1}`).
//!
//! Tests contain no other copy of these numbers, so a front end with other limits needs changes here alone.
//! Numbers of the context's state come from the engine.

use shadestep_engine::ir::{IMAGE_UNITS, limits};

/// `MAX_PROGRAM_PARAMETERS_ARB`.
pub const PARAMETERS: usize = 256;
/// Instruction limit of `!!ARBvp1.0` programs.
pub const VERTEX_INSTRUCTIONS: usize = 256;
/// The instructions that a position-invariant program loses from its limit (2.14.4.5.1).
pub const INVARIANT_INSTRUCTIONS: usize = 4;
/// Temporary limit of `!!ARBvp1.0` programs.
pub const VERTEX_TEMPORARIES: usize = 16;
/// `MAX_PROGRAM_ADDRESS_REGISTERS_ARB`.
pub const ADDRESSES: usize = 2;
/// The attributes that a `!!ARBvp1.0` program may read, and the number of generic attributes.
pub const VERTEX_ATTRIBUTES: usize = 16;
/// Image units that one vertex program may use (NV_vertex_program3 2.14.3.7).
pub const VERTEX_IMAGE_UNITS: usize = 4;

/// Limits of every ARB language.
const SHARED: &[(&str, usize)] = &[
    ("MAX_PARAMETERS", PARAMETERS),
    ("MAX_ENV_PARAMETERS", limits::ENV_PARAMETERS),
    ("MAX_LOCAL_PARAMETERS", limits::LOCAL_PARAMETERS),
    ("MAX_PROGRAM_MATRICES", limits::PROGRAM_MATRICES as usize),
    ("MAX_TEXTURE_COORDS", limits::TEXTURE_COORDS as usize),
    ("MAX_TEXTURE_UNITS", limits::TEXTURE_UNITS as usize),
    ("MAX_IMAGE_UNITS", IMAGE_UNITS),
    ("MAX_LIGHTS", limits::LIGHTS as usize),
    ("MAX_CLIP_PLANES", limits::CLIP_PLANES as usize),
    ("MAX_CALL_DEPTH", 4),
];

/// Limits of `!!ARBfp1.0` (ARB_fragment_program table X.10, ARB_draw_buffers, NV_fragment_program2 table
/// X.10). A comment beside a number gives the minimum that the texts require.
const FRAGMENT: &[(&str, usize)] = &[
    ("MAX_INSTRUCTIONS", 1024),     // 72
    ("MAX_ALU_INSTRUCTIONS", 1024), // 48
    ("MAX_TEX_INSTRUCTIONS", 1024), // 24
    ("MAX_TEMPORARIES", 64),        // 16
    ("MAX_ATTRIBS", 12),            // 10
    ("MAX_DRAW_BUFFERS", 4),        // 1
    ("MAX_IF_DEPTH", 48),           // 48
    ("MAX_LOOP_DEPTH", 4),          // 4
    ("MAX_LOOP_COUNT", 255),        // 255
];

/// Limits of `!!ARBvp1.0` with and without options, because queries name a target, not a program (6.1.12).
/// Each limit is at least the minimum in tables X.11 of the texts.
const VERTEX: &[(&str, usize)] = &[
    ("MAX_INSTRUCTIONS", VERTEX_INSTRUCTIONS),
    ("MAX_INVARIANT_INSTRUCTIONS", VERTEX_INSTRUCTIONS - INVARIANT_INSTRUCTIONS),
    ("MAX_TEMPORARIES", VERTEX_TEMPORARIES),
    ("MAX_ATTRIBS", VERTEX_ATTRIBUTES),
    ("MAX_ADDRESSES", ADDRESSES),
    ("MAX_VERTEX_IMAGE_UNITS", VERTEX_IMAGE_UNITS),
];

/// Limits of the languages of NV_gpu_program4 and NV_gpu_program5. The texts leave these limits to the GL.
const TYPED: &[(&str, usize)] = &[
    ("MAX_INSTRUCTIONS", 16384),
    ("MAX_INVARIANT_INSTRUCTIONS", 16384 - INVARIANT_INSTRUCTIONS),
    ("MAX_TEMPORARIES", 1024),
    ("MAX_PARAMETERS", 1024),
    ("MAX_RESULT_COMPONENTS", limits::RESULT_COMPONENTS),
    ("MAX_OUTPUT_VERTICES", limits::OUTPUT_VERTICES),
    ("MAX_GEOMETRY_INVOCATIONS", limits::GEOMETRY_INVOCATIONS as usize),
    ("MAX_CLIP_DISTANCES", limits::CLIP_DISTANCES as usize),
    ("MAX_GENERIC_INTERPOLANTS", limits::GENERIC_INTERPOLANTS as usize),
    ("MAX_ATTRIBS", VERTEX_ATTRIBUTES),
    ("MAX_DRAW_BUFFERS", limits::DRAW_BUFFERS as usize),
    ("MAX_IF_DEPTH", 64),
    ("MAX_LOOP_DEPTH", 64),
    ("MAX_CALL_DEPTH", 32),
];

/// Evaluates `NAME`, `NAME-2` or `NAME+1` for a program that begins with `header`.
pub fn value(header: &str, expression: &str) -> Option<usize> {
    let own = match header {
        _ if header.starts_with("!!NV") => TYPED,
        _ if header.starts_with("!!ARBvp") => VERTEX,
        _ => FRAGMENT,
    };
    let limit = |name: &str| own.iter().chain(SHARED).find(|(n, _)| *n == name).map(|&(_, value)| value);
    if let Some((name, less)) = expression.split_once('-') {
        return limit(name)?.checked_sub(less.parse().ok()?);
    }
    if let Some((name, more)) = expression.split_once('+') {
        return limit(name)?.checked_add(more.parse().ok()?);
    }
    limit(expression)
}

/// Replaces every `{MAX_...}` in `text` by its value. Other braces belong to the language.
pub fn expand(header: &str, text: &str) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{MAX_") {
        let (inner, after) = rest[at + 1..].split_once('}').ok_or("`}` missing")?;
        let value = value(header, inner).ok_or_else(|| format!("unknown limit `{inner}`"))?;
        expanded.push_str(&rest[..at]);
        expanded.push_str(&value.to_string());
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}
