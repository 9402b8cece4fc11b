//! What the registers of each language are for, in words.

use super::words::{self, Array, listed, offset_limits};
use std::fmt::Write as _;

use crate::ir::{Attribute, Type, VertexResult, limits};
use crate::isa::{Language, Stage};

/// A title and a body.
pub(super) type Text = (String, String);

/// A temporary register.
pub(super) fn temporary(language: Language, word: &str, ty: Type) -> Text {
    let start = "(0,0,0,0) when the program starts.";
    if language.stage() != Stage::Fragment {
        let last = language.profile().limits.temporaries - 1;
        return (
            format!("{word}: temporary register"),
            format!("Four 32-bit floats, {start} {} has R0 to R{last}.", language.header()),
        );
    }
    let (kind, bits, halves) =
        if ty == Type::F16 { ("fp16", 16, "one half") } else { ("fp32", 32, "two halves") };
    (
        format!("{word}: {kind} temporary register"),
        format!(
            "Four {bits}-bit floats, {start} Counts {halves} of the {} a program's registers may take.",
            limits::REGISTER_HALVES
        ),
    )
}

/// An address register.
pub(super) fn address(language: Language, word: &str) -> Text {
    let body = if language.profile().addresses.components.len() == 4 {
        "Four whole numbers of 10 bits, -512 to 511, (0,0,0,0) when the program starts. Written by ARL, ARR and ARA; read by ARA and in c[A0.x+n], with any component of A0 or A1."
    } else {
        "One whole number, 0 when the program starts. Only its x component can be used: ARL A0.x loads it, unclamped, and c[A0.x+n] reads the parameter that many places on."
    };
    (format!("{word}: address register"), body.to_owned())
}

/// A register that takes the condition code alone.
pub(super) fn condition_only(language: Language, word: &str, ty: Type) -> Text {
    let like = match ty {
        _ if language.profile().condition_registers.len() == 1 => "a temporary",
        Type::F16 => "an fp16 register",
        _ => "an fp32 register",
    };
    (
        format!("{word}: condition code only"),
        format!(
            "A destination that stores nothing: an instruction with C sets the condition code as if it had written {like}."
        ),
    )
}

/// What the array itself is, for a pointer on its name.
pub(super) fn array(language: Language, array: Array) -> Text {
    let (title, body) = match (array, language.stage()) {
        (Array::Attributes, Stage::Fragment) => (
            "f: fragment attributes",
            "f[WPOS], f[COL0], f[COL1], f[FOGC] and f[TEX0] to f[TEX7], read-only. An instruction can read one of them.".to_owned(),
        ),
        (Array::Attributes, Stage::Vertex) => (
            "v: vertex attributes",
            "v[0] to v[15], or by the names of the conventional attributes that share them: v[OPOS], v[WGHT], v[NRML], v[COL0], v[COL1], v[FOGC], v[TEX0] to v[TEX7]. Read-only. An instruction can read one of them.".to_owned(),
        ),
        (Array::Attributes, Stage::VertexState) => (
            "v: the state program's input",
            "v[0] alone: four numbers given when the program is executed.".to_owned(),
        ),
        (Array::Outputs, Stage::Fragment) => (
            "o: outputs",
            "o[COLR], o[COLH] and o[DEPR], write-only. A program must write one at least.".to_owned(),
        ),
        (Array::Outputs, _) => (
            "o: vertex results",
            format!(
                "o[{}], write-only. Each is (0,0,0,1) until written. A program must write o[HPOS], unless it is position-invariant.",
                words::output_names(language).join("], o[")
            ),
        ),
        (Array::Parameters, Stage::Fragment) => (
            "p: numbered local parameters",
            "p[0] to p[63], vectors of four that can be set from outside between draws.".to_owned(),
        ),
        (Array::Parameters, _) => ("c: program parameters", parameters(language)),
    };
    (title.to_owned(), body)
}

fn parameters(language: Language) -> String {
    let last = language.profile().limits.parameters - 1;
    let mut body = format!(
        "c[0] to c[{last}], vectors of four, (0,0,0,0) until set from outside or by a state program; all vertex programs share them. An instruction can read one of them."
    );
    if language.stage() == Stage::VertexState {
        body.push_str(" A state program writes them too, and must write one at least.");
    }
    body
}

/// An attribute by the text in its brackets.
pub(super) fn attribute(language: Language, text: &str) -> Option<Text> {
    let attribute = words::attribute(language, text)?;
    let wide = "An instruction that reads it runs in fp32 whatever its suffix.";
    let (what, body) = match attribute {
        Attribute::Wpos => (
            "window position",
            "(x, y, z, 1/w): x and y of the fragment's centre, counted in pixels from the lower left corner; z, the depth in [0,1]; and the reciprocal of clip w.".to_owned(),
        ),
        Attribute::Col0 => ("primary colour", "(r, g, b, a), interpolated.".to_owned()),
        Attribute::Col1 => ("secondary colour", "(r, g, b, a), interpolated.".to_owned()),
        Attribute::Fogc => ("fog coordinate", format!("(z, 0, 0, 0): eye distance or fog coordinate. {wide}")),
        Attribute::FogCoord => ("fog coordinate", "(f, 0, 0, 1): eye distance or fog coordinate.".to_owned()),
        Attribute::Facing => (
            "facing",
            "(f, 0, 0, 1): f is +1 where the front of the primitive is seen, -1 where its back is.".to_owned(),
        ),
        Attribute::Tex(set) => {
            ("texture coordinates", format!("(s, t, r, q) of set {set}, interpolated. {wide}"))
        }
        Attribute::Vertex(_) if language.stage() == Stage::VertexState => {
            ("the state program's input", "Four numbers given when the program is executed.".to_owned())
        }
        Attribute::Vertex(number) => vertex_attribute(number),
    };
    let letter = Array::Attributes.name(language)?;
    Some((format!("{letter}[{text}]: {what}"), body))
}

/// Tables X.2 and X.3 of NV_vertex_program2.
fn vertex_attribute(number: u8) -> (&'static str, String) {
    let (what, mapping) = match number {
        0 => ("object position", "(x, y, z, w)"),
        1 => ("vertex weight", "(w, 0, 0, 1)"),
        2 => ("normal", "(x, y, z, 1)"),
        3 => ("primary colour", "(r, g, b, a)"),
        4 => ("secondary colour", "(r, g, b, 1)"),
        5 => ("fog coordinate", "(fc, 0, 0, 1)"),
        6 | 7 => ("vertex attribute", ""),
        _ => ("texture coordinates", "(s, t, r, q)"),
    };
    let name = Attribute::Vertex(number).name();
    let body = match number {
        6 | 7 => format!("Attribute {number}. No conventional attribute shares it, so it has no other name."),
        8.. => format!(
            "Attribute {number}, also v[{name}]. The conventional texture coordinates of set {} arrive as {mapping}.",
            number - 8
        ),
        0 => format!(
            "Attribute {number}, also v[{name}]. The conventional one arrives as {mapping}. Giving it is what makes a vertex."
        ),
        _ => format!("Attribute {number}, also v[{name}]. The conventional one arrives as {mapping}."),
    };
    (what, format!("{body} Components not given are 0, w is 1."))
}

/// An output or result register by its name.
pub(super) fn output(language: Language, name: &str) -> Option<Text> {
    if !words::output_names(language).contains(&name) {
        return None;
    }
    let (what, body) = match language.stage() {
        Stage::Fragment => fragment_output(name)?,
        Stage::Vertex | Stage::VertexState => {
            vertex_result(VertexResult::ALL.into_iter().find(|result| result.name() == name)?)
        }
    };
    Some((format!("o[{name}]: {what}"), body))
}

fn fragment_output(name: &str) -> Option<(&'static str, String)> {
    let undefined = "Undefined until written ((0,0,0,0) here).";
    let color = |ty| {
        format!(
            "The fragment's colour (r, g, b, a) as {ty}. A program writes o[COLR] or o[COLH], not both. {undefined}"
        )
    };
    Some(match name {
        "COLR" => ("colour", color("fp32")),
        "COLH" => ("colour, fp16", color("fp16")),
        "DEPR" => (
            "depth",
            format!(
                "Its z replaces the fragment's depth, and only if the program writes it at all. {undefined}"
            ),
        ),
        _ => return None,
    })
}

/// Table X.1 of NV_vertex_program2 and what its section 2.14.1.5 says of each register.
fn vertex_result(result: VertexResult) -> (&'static str, String) {
    let color = "(r, g, b, a), clamped to [0,1] and interpolated.";
    let back = "Taken for the back of polygons where two-sided colour is on.";
    let (what, body) = match result {
        VertexResult::Hpos => (
            "clip space position",
            "(x, y, z, w) in homogeneous clip space. Every program must write it, at least in part; a position-invariant one must not.".to_owned(),
        ),
        VertexResult::Col0 => ("primary colour, front", color.to_owned()),
        VertexResult::Col1 => ("secondary colour, front", color.to_owned()),
        VertexResult::Bfc0 => ("primary colour, back", format!("{color} {back}")),
        VertexResult::Bfc1 => ("secondary colour, back", format!("{color} {back}")),
        VertexResult::Fogc => (
            "fog coordinate",
            "x alone counts: the distance that fog is computed from. Where a program does not write it, the fog factor is 1.".to_owned(),
        ),
        VertexResult::Psiz => (
            "point size",
            "x alone counts, and only for points while program point size is on. Where a program does not write it, the size set from outside holds.".to_owned(),
        ),
        VertexResult::Tex(set) => {
            ("texture coordinates", format!("(s, t, r, q) of set {set}, interpolated."))
        }
        VertexResult::Clp(plane) => (
            "clip distance",
            format!("x alone counts: where plane {plane} is enabled, what lies below 0 is clipped away."),
        ),
    };
    (what, format!("{body}\n\n(0,0,0,1) until written."))
}

/// A numbered parameter, `p[n]` or `c[n]`.
pub(super) fn parameter(language: Language, number: &str) -> Option<Text> {
    let letter = Array::Parameters.name(language)?;
    Some(match language.stage() {
        Stage::Fragment => (
            format!("{letter}[{number}]: numbered local parameter"),
            "A vector of four set from outside the program; it needs no declaration. An instruction can read one program parameter.".to_owned(),
        ),
        Stage::Vertex | Stage::VertexState => {
            (format!("{letter}[{number}]: program parameter"), parameters(language))
        }
    })
}

/// A relative parameter reference such as `c[A0.x+4]`, as written.
pub(super) fn relative(language: Language, written: &str) -> Option<Text> {
    let (back, on) = offset_limits(language)?;
    let profile = language.profile();
    let four = profile.addresses.components.len() == 4;
    let component = if four { "A component of A0 or A1" } else { "A0.x" };
    let mut body = format!(
        "{component} plus the offset tells at run time which parameter is read; offsets go from -{back} to +{on}. Outside c[0] to c[{}] it reads (0,0,0,0). Beside it an instruction can read no other parameter.",
        profile.limits.parameters - 1
    );
    if profile.has_options() {
        let can = if profile.relative_when_invariant { "can use it too" } else { "cannot use it" };
        let _ = write!(body, " Position-invariant programs {can}.");
    }
    Some((format!("{written}: relative program parameter"), body))
}

/// A word that `language` does not have: where it exists.
pub(super) fn elsewhere(language: Language, word: &str, others: &[Language]) -> Text {
    (
        format!("{word}: not in {}", language.name()),
        format!(
            "{} {} `{word}`, {} does not.",
            listed(others),
            if others.len() == 1 { "has" } else { "have" },
            language.name()
        ),
    )
}
