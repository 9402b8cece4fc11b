//! Edits program texts so that a question can show more than the colour. The edit copies a variable to the
//! colour at the end of a fragment program. In a vertex program it turns the position into a texture
//! coordinate and replaces attribute 0, which places the drawn point, by another attribute. Both sides load
//! the same edited text.

use shadestep_engine::ir::{OutputRole, Program, Type, VertexResult};
use shadestep_language::isa::{Family, Language, Stage};

use super::defined::attribute_of;

/// An edited text, the attribute that shows its result, and the attributes that replace others.
pub struct Shown {
    /// The output or variable that the text shows, for the question's name.
    pub what: String,
    pub text: String,
    /// For vertex programs: the fragment attribute that carries the value.
    pub attribute: Option<String>,
    /// Pairs of generic attributes: the second takes the value of the first. Attribute 0 of a vertex program
    /// places the point, and the GL clamps colours before they reach a fragment program.
    pub moved: Vec<(u8, u8)>,
}

/// The most temporaries of one program to show.
const MOST_TEMPORARIES: usize = 8;

/// Returns one edited text for each output and temporary of `program` that can be shown. Languages with typed
/// variables give none, because a plain MOV may not read their variables: `references` covers their
/// instructions.
pub fn shown(text: &str, program: &Program) -> Vec<Shown> {
    if program.language.profile().typed {
        return Vec::new();
    }
    let temporaries = program.temporaries.iter().filter(|temporary| temporary.ty != Type::Address);
    let temporaries: Vec<&str> = temporaries.map(|t| t.name.as_str()).take(MOST_TEMPORARIES).collect();
    match program.stage() {
        Stage::Fragment => fragment(text, program, &temporaries),
        Stage::Vertex if !program.options.position_invariant => vertex(text, program, &temporaries),
        Stage::Vertex | Stage::VertexState | Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => {
            Vec::new()
        }
    }
}

fn fragment(text: &str, program: &Program, temporaries: &[&str]) -> Vec<Shown> {
    let color = if program.language.family() == Family::ArbFp { "result.color" } else { "o[COLR]" };
    let (text, moved) = without_colors(text, program.language);
    let Some(end) = text.rfind("END") else { return Vec::new() };
    let mut all = Vec::new();
    if program.outputs.iter().any(|output| output.role == OutputRole::Color(0)) {
        all.push(Shown {
            what: "color".to_owned(),
            text: text.clone(),
            attribute: None,
            moved: moved.clone(),
        });
    }
    for name in temporaries {
        let text = format!("{}MOV {color}, {name};\n{}", &text[..end], &text[end..]);
        all.push(Shown { what: (*name).to_owned(), text, attribute: None, moved: moved.clone() });
    }
    all
}

/// Replaces colour inputs by texture coordinates that the text does not name. Only for `!!ARBfp1.0`, where
/// operands do not choose the precision.
fn without_colors(text: &str, language: Language) -> (String, Vec<(u8, u8)>) {
    let mut text = text.to_owned();
    let mut moved = Vec::new();
    if language != Language::ArbFp1 {
        return (text, moved);
    }
    let mut free: Vec<u8> =
        (0..8).filter(|set| !text.contains(&format!("fragment.texcoord[{set}]"))).collect();
    free.retain(|set| *set != 0 || !text.contains("fragment.texcoord"));
    for (number, names) in
        [(4, &["fragment.color.secondary"][..]), (3, &["fragment.color.primary", "fragment.color"])]
    {
        let Some(set) = free.pop() else { break };
        for name in names {
            text = text.replace(name, &format!("fragment.texcoord[{set}]"));
        }
        moved.push((number, 8 + set));
    }
    (text, moved)
}

fn vertex(text: &str, program: &Program, temporaries: &[&str]) -> Vec<Shown> {
    let arb = program.language.family() == Family::ArbVp;
    let names = if arb { &ARB } else { &NV };
    let has = |result| program.outputs.iter().any(|output| output.role == OutputRole::Vertex(result));
    let Some(free) = (0..8u8).rev().find(|set| !has(VertexResult::Tex(*set))) else { return Vec::new() };
    let generic = attributes_by_number(text, arb);
    let attribute = |n: u8| (names.attribute)(n);
    let Some(zero) = [1, 6, 7].into_iter().find(|n| !generic.contains(&attribute(*n))) else {
        return Vec::new();
    };
    let generic = generic.replace(&attribute(0), &attribute(zero));
    let stand_in = (names.coordinate)(free);
    let generic = generic.replace(names.position, &stand_in);
    let Some(end) = generic.rfind("END") else { return Vec::new() };
    let with = |more: String| {
        format!("{}{more}MOV {}, {};\n{}", &generic[..end], names.position, attribute(0), &generic[end..])
    };
    let texture = |set: u8| format!("fragment.texcoord[{set}]");
    let mut all = Vec::new();
    for output in &program.outputs {
        let OutputRole::Vertex(result) = output.role else { continue };
        let attribute = match result {
            VertexResult::Hpos => texture(free),
            _ => match attribute_of(result) {
                Some(attribute) => attribute,
                None => continue,
            },
        };
        let what = result.register_in(program.language);
        all.push(Shown {
            what,
            text: with(String::new()),
            attribute: Some(attribute),
            moved: vec![(0, zero)],
        });
    }
    for name in temporaries {
        let text = with(format!("MOV {stand_in}, {name};\n"));
        all.push(Shown {
            what: (*name).to_owned(),
            text,
            attribute: Some(texture(free)),
            moved: vec![(0, zero)],
        });
    }
    all
}

/// The names of the edited registers in one language.
struct Names {
    position: &'static str,
    coordinate: fn(u8) -> String,
    attribute: fn(u8) -> String,
}

const ARB: Names = Names {
    position: "result.position",
    coordinate: |set| format!("result.texcoord[{set}]"),
    attribute: |n| format!("vertex.attrib[{n}]"),
};

const NV: Names =
    Names { position: "o[HPOS]", coordinate: |set| format!("o[TEX{set}]"), attribute: |n| format!("v[{n}]") };

/// Replaces fixed-function attributes by the generic attributes with their numbers (ARB_vertex_program table
/// X.2.1), because drivers may store the two kinds separately.
fn attributes_by_number(text: &str, arb: bool) -> String {
    let mut text = text.to_owned();
    if !arb {
        let names = ["OPOS", "WGHT", "NRML", "COL0", "COL1", "FOGC"];
        for (n, name) in names.iter().enumerate() {
            text = text.replace(&format!("v[{name}]"), &format!("v[{n}]"));
        }
        for set in 0..8 {
            text = text.replace(&format!("v[TEX{set}]"), &format!("v[{}]", 8 + set));
        }
        return text;
    }
    for set in 0..8 {
        text = text.replace(&format!("vertex.texcoord[{set}]"), &format!("vertex.attrib[{}]", 8 + set));
    }
    for (name, n) in [
        ("vertex.position", 0),
        ("vertex.normal", 2),
        ("vertex.color.secondary", 4),
        ("vertex.color.primary", 3),
        ("vertex.color", 3),
        ("vertex.fogcoord", 5),
    ] {
        text = text.replace(name, &format!("vertex.attrib[{n}]"));
    }
    text
}
