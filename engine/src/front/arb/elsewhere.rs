//! What is told of words that begin statements in other languages only.

use crate::front::dialect::Elsewhere;
use crate::isa::{self, Language, Stage};

/// A word about `word`, which other languages have.
pub(super) fn elsewhere(language: Language, word: &str) -> Option<Elsewhere> {
    if language.profile().typed {
        return of_typed(language, word);
    }
    let note = match word {
        "DEFINE" | "DECLARE" => "This belongs to `!!FP1.0`; here PARAM declares parameters and constants.",
        "ADDRESS" => "Fragment programs have no address registers but A0 of LOOP blocks.",
        "LRP" => "LRP belongs to fragment programs; here: `SUB a, b, c; MAD a, d, a, c;`.",
        "CMP" => "CMP belongs to fragment programs; here SLT or SGE give factors to MUL and MAD with.",
        "BRA" => "BRA belongs to vertex programs; here IF, LOOP and CAL.",
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
    isa::find(other, word).is_some().then(|| format!("{word} belongs to {name}.").into())
}

/// The same in languages with types.
fn of_typed(language: Language, word: &str) -> Option<Elsewhere> {
    let note = match word {
        "DEFINE" | "DECLARE" => "This belongs to `!!FP1.0`; here PARAM declares parameters and constants.",
        "ADDRESS" | "ARL" | "ARR" | "ARA" => "Integers in temporaries choose elements of arrays: `a[i.x+1]`.",
        "BRA" => "Blocks steer here: IF, REP and CAL.",
        "LOOP" | "ENDLOOP" => "Loops are REP blocks here; a temporary can count.",
        "PUSHA" | "POPA" => "There is no stack for addresses; temporaries can be arrays.",
        _ => "",
    };
    if !note.is_empty() {
        return Some(note.into());
    }
    let replaced = match word {
        "LOG" => Some(("LOG belongs to vertex programs before; here LG2 gives the logarithm.", "LG2")),
        "EXP" => Some(("EXP belongs to vertex programs before; here EX2 gives the power of two.", "EX2")),
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
    Some(format!("{word} belongs to {stage} programs.").into())
}

/// Whether `word` is a modifier of interpolation, which fragment programs have (NV_fragment_program4 2.X.3.1).
pub(super) fn is_interpolation(word: &str) -> bool {
    matches!(word, "FLAT" | "CENTROID" | "NOPERSPECTIVE" | "SAMPLE")
}
