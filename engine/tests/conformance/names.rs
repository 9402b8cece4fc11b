//! Names of fragment attributes as ARB programs write them (ARB_fragment_program table X.1,
//! NV_fragment_program2 3.11.3.1).

use shadestep_engine::ir::Attribute;

/// What a binding beginning with `fragment.` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// An attribute of the engine.
    Known(Attribute),
    /// One that the engine does not have yet.
    Awaited,
    /// None.
    Unknown,
}

/// The attribute that `name` binds, if it is a binding of a fragment attribute at all.
pub fn fragment_attribute(name: &str) -> Option<Named> {
    let item = name.strip_prefix("fragment.")?;
    let set = |text: &str| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().filter(|&n: &u8| n < 8);
    Some(match item {
        "color" | "color.primary" => Named::Known(Attribute::Col0),
        "color.secondary" => Named::Known(Attribute::Col1),
        "position" => Named::Known(Attribute::Wpos),
        "texcoord" => Named::Known(Attribute::Tex(0)),
        // (f,0,0,1) and (+-1,0,0,1): the run says so itself.
        "fogcoord" | "facing" => Named::Awaited,
        _ => match item.strip_prefix("texcoord").and_then(set) {
            Some(number) => Named::Known(Attribute::Tex(number)),
            None => Named::Unknown,
        },
    })
}
