//! Names of attributes, outputs and resources as conformance files write them. ARB programs name attributes and
//! results by their bindings (ARB_fragment_program tables X.1 and X.3, ARB_vertex_program tables X.2 and X.4).

use shadestep_engine::ir::{Attribute, OutputRole};
use shadestep_engine::isa::Language;

/// Whether `name` has the form of an attribute.
pub fn is_attribute(name: &str) -> bool {
    ["f[", "v[", "fragment.", "vertex."].iter().any(|start| name.starts_with(start))
}

/// `f[TEX0]`, `v[OPOS]`, `v[0]`, `fragment.texcoord[1]`.
pub fn attribute(name: &str) -> Option<Attribute> {
    if let Some(number) = name.strip_prefix("v[").and_then(|n| n.strip_suffix(']')?.parse::<usize>().ok()) {
        let attribute = Attribute::VERTEX.get(number).copied();
        return attribute.filter(|attribute| matches!(attribute, Attribute::Vertex(_)));
    }
    let name = match name {
        "fragment.color.primary" => "fragment.color",
        "fragment.texcoord" => "fragment.texcoord[0]",
        _ => name,
    };
    Language::ALL.into_iter().find_map(|language| {
        Attribute::of_language(language).find(|attribute| attribute.register_in(language) == name)
    })
}

/// Whether a program in `language` may call the output of `role` `name`, whatever variable it declares for it.
pub fn is_output(name: &str, role: OutputRole, language: Language) -> bool {
    match role {
        // Color 0 goes by both names (ARB_draw_buffers table X.3).
        OutputRole::Color(0) => matches!(name, "result.color" | "result.color[0]"),
        OutputRole::Color(buffer) => name == format!("result.color[{buffer}]"),
        OutputRole::SecondaryColor(_) | OutputRole::Depth | OutputRole::SampleMask => name == role.binding(),
        OutputRole::Vertex(result) => name == result.register_in(language),
    }
}

/// What `ir::Usage` calls the resources of ARB_fragment_program 6.1.12.
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
