//! Names of attributes, outputs and resources in conformance files. ARB programs name attributes and results
//! by their bindings (ARB_fragment_program tables X.1 and X.3, ARB_vertex_program tables X.2 and X.4).

use shadestep_engine::isa::Language;
use shadestep_language::ir::{Attribute, CcRegister, InputPrimitive, OutputRole};

/// The placeholder for `vertex` or `fragment` in programs for languages of both stages.
pub const STAGE: &str = "{stage}";

/// The vertex and the fragment attribute for a name such as `{stage}.attrib[3]`.
pub fn of_either_stage(name: &str) -> Option<[Attribute; 2]> {
    let number = bracketed(name.strip_prefix(STAGE)?, ".attrib[")?;
    (number < 16).then_some([Attribute::Vertex(number), Attribute::Generic(number)])
}

/// Parses `CC`, `CC0` or `CC1`.
pub fn condition_code(name: &str) -> Option<CcRegister> {
    match name {
        "CC" | "CC0" => Some(CcRegister::Cc0),
        "CC1" => Some(CcRegister::Cc1),
        _ => None,
    }
}

/// The number between the prefix `before` and the closing bracket of `name`.
fn bracketed(name: &str, before: &str) -> Option<u8> {
    name.strip_prefix(before)?.strip_suffix(']')?.parse().ok()
}

/// Returns true if `name` has the form of an attribute.
pub fn is_attribute(name: &str) -> bool {
    ["f[", "v[", "fragment.", "vertex.", "vertex[", "primitive.", STAGE]
        .iter()
        .any(|start| name.starts_with(start))
}

/// Parses an attribute, such as `f[TEX0]`, `v[OPOS]`, `v[0]`, `vertex.attrib[0]`, `fragment.texcoord[1]` or
/// `vertex[2].position`.
pub fn attribute(name: &str) -> Option<Attribute> {
    if let Some(number) = bracketed(name, "v[").or_else(|| bracketed(name, "vertex.attrib[")) {
        let attribute = Attribute::VERTEX.get(usize::from(number)).copied();
        return attribute.filter(|attribute| matches!(attribute, Attribute::Vertex(_)));
    }
    let name = match name {
        "fragment.color.primary" => "fragment.color",
        "fragment.texcoord" => "fragment.texcoord[0]",
        _ => name,
    };
    let named = |name: &str| {
        Language::ALL.into_iter().find_map(|language| {
            Attribute::of_language(language).find(|attribute| attribute.register_in(language) == name)
        })
    };
    // The list names only the attributes of vertex 0 of a primitive.
    if let Some((vertex, result)) = name.strip_prefix("vertex[").and_then(|rest| rest.split_once("].")) {
        return match (vertex.parse(), named(&format!("vertex[0].{result}"))) {
            (Ok(vertex @ 0..InputPrimitive::MOST_VERTICES), Some(Attribute::OfVertex { result, .. })) => {
                Some(Attribute::OfVertex { vertex, result })
            }
            _ => None,
        };
    }
    named(name)
}

/// Returns true if a program in `language` may call the output of `role` `name`. A program may also declare a
/// variable for it.
pub fn is_output(name: &str, role: OutputRole, language: Language) -> bool {
    match role {
        // Colour 0 has both names (ARB_draw_buffers table X.3).
        OutputRole::Color(0) => matches!(name, "result.color" | "result.color[0]"),
        OutputRole::Color(buffer) => name == format!("result.color[{buffer}]"),
        OutputRole::SecondaryColor(_) | OutputRole::Depth | OutputRole::SampleMask | OutputRole::Patch(_) => {
            name == role.binding()
        }
        OutputRole::Vertex(result) => name == result.register_in(language),
    }
}

/// The name in `ir::Usage` for a resource of ARB_fragment_program 6.1.12.
pub fn usage(resource: &str) -> &str {
    match resource {
        "alu" => "ALU instructions",
        "tex" => "texture instructions",
        "total" => "instructions",
        "indirections" => "texture indirections",
        "parameters" => "parameter bindings",
        other => other,
    }
}
