//! Program texts changed so that what they compute can be seen: a variable is copied to the colour at the end, a
//! vertex program's position becomes a texture coordinate, and its attribute 0, which places the point that is drawn,
//! another attribute. The same changed text goes to both sides, so it asks both the same.

use shadestep_engine::ir::{OutputRole, Program, Type, VertexResult};
use shadestep_engine::isa::{Family, Language, Stage};

use crate::defined::attribute_of;

/// A text, what shows it, and which attributes stand for others.
pub struct Shown {
    /// What is shown, for the question's name.
    pub what: String,
    pub text: String,
    /// The fragment attribute that shows it, for vertex programs.
    pub attribute: Option<String>,
    /// Generic attributes by whose values others are to be given: of the first, the second. A vertex program's 0 places
    /// the point, and a fragment's colours are clamped before they come to it.
    pub moved: Vec<(u8, u8)>,
}

/// Most temporaries of one program that are looked at.
const MOST_TEMPORARIES: usize = 8;

/// Everything of `program` that can be shown, with the text that does so. Nothing of languages whose variables have types, which a
/// plain MOV may not read: of their instructions `references` asks.
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

/// Colours read from texture coordinates that the text does not name. Only where operands do not choose the precision.
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

/// How a language calls what is replaced.
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

/// Conventional attributes as the generic ones of their numbers (ARB_vertex_program table X.2.1): drivers need not have
/// them in one place.
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
