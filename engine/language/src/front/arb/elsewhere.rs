//! Notes for words that begin statements only in other languages, such as DEFINE of `!!FP1.0`. Errors about
//! unknown statements show them.

use crate::front::dialect::Elsewhere;
use crate::isa::{self, Language, Stage};

/// The note for `word`, if another language has it.
pub(super) fn elsewhere(language: Language, word: &str) -> Option<Elsewhere> {
    if language.profile().typed {
        return of_typed(language, word);
    }
    let note = match word {
        "DEFINE" | "DECLARE" => {
            "This is a statement of `!!FP1.0`. Use PARAM to declare parameters and constants."
        }
        "ADDRESS" => "The only address register of a fragment program is A0, in LOOP blocks.",
        "LRP" => {
            "LRP is available only in fragment programs. Use two instructions instead: `SUB a, b, c; MAD a, d, a, c;`."
        }
        "CMP" => {
            "CMP is available only in fragment programs. Use SLT or SGE to get factors for MUL and MAD instead."
        }
        "BRA" => "BRA is available only in vertex programs. Use IF, LOOP and CAL instead.",
        _ => "",
    };
    if !note.is_empty() {
        return Some(note.into());
    }
    let (other, name) = if language.stage() == Stage::Vertex {
        (Language::ArbFp1Nv2, "fragment programs")
    } else {
        (Language::ArbVp1Nv3, "vertex programs")
    };
    isa::find(other, word).is_some().then(|| format!("{word} is available only in {name}.").into())
}

/// The note for `word` in languages with types.
fn of_typed(language: Language, word: &str) -> Option<Elsewhere> {
    let note = match word {
        "DEFINE" | "DECLARE" => {
            "This is a statement of `!!FP1.0`. Use PARAM to declare parameters and constants."
        }
        "ADDRESS" | "ARL" | "ARR" | "ARA" => "Use an integer temporary to index an array: `a[i.x+1]`.",
        "BRA" => "Use IF, REP and CAL instead.",
        "LOOP" | "ENDLOOP" => "Use a REP block, with a temporary as the counter.",
        "PUSHA" | "POPA" => "This language has no address stack. Use an array of temporaries instead.",
        _ => "",
    };
    if !note.is_empty() {
        return Some(note.into());
    }
    let replaced = match word {
        "LOG" => Some(("LOG is an instruction of older vertex programs. Use LG2 for the logarithm.", "LG2")),
        "EXP" => {
            Some(("EXP is an instruction of older vertex programs. Use EX2 for the power of two.", "EX2"))
        }
        _ => None,
    };
    if let Some((note, instead)) = replaced {
        return Some(Elsewhere { instead: Some(instead), ..note.into() });
    }
    let is_fragment = language.stage() == Stage::Fragment;
    let of_fragments = isa::find(Language::NvFp5, word).is_some() || is_interpolation(word);
    let stage = match word {
        // NV_geometry_program4 2.X.2, NV_gpu_program5 2.X.2.
        "EMIT" | "EMITS" | "ENDPRIM" | "PRIMITIVE_IN" | "PRIMITIVE_OUT" | "INVOCATIONS" => "geometry",
        // NV_tessellation_program5 2.X.2.
        "TESS_MODE" | "TESS_SPACING" | "TESS_VERTEX_ORDER" | "TESS_POINT_MODE" => "tessellation evaluation",
        "VERTICES_OUT" => "geometry and tessellation control",
        _ if !is_fragment && of_fragments => "fragment",
        _ => return None,
    };
    Some(format!("{word} is available only in {stage} programs.").into())
}

/// Whether `word` is an interpolation modifier of fragment programs (NV_fragment_program4 2.X.3.1).
pub(super) fn is_interpolation(word: &str) -> bool {
    matches!(word, "FLAT" | "CENTROID" | "NOPERSPECTIVE" | "SAMPLE")
}
