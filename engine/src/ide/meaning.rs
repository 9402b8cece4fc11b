//! What bindings and names of ARB programs stand for, in words (the tables of ARB_fragment_program 3.11.3 and
//! ARB_vertex_program 2.14.3).

use std::fmt::Write as _;

use super::registers::Text;
use crate::front::arb::symbols::Meaning;
use crate::front::arb::words::Size;
use crate::gl::Context;

use crate::ir::{
    Attribute, Face, IMAGE_UNITS, LightProperty, MaterialProperty, MatrixName, MatrixTransform, OutputRole,
    ParameterSource, ProductProperty, StateVector, TexGenSpace, Type, VertexResult, limits,
};
use crate::isa::{Language, Stage};

/// What something is, and what is to be known of it.
pub(super) fn describe(language: Language, meaning: &Meaning) -> Text {
    let (what, body) = match meaning {
        Meaning::Temporary(ty) => temporary(language, *ty),
        Meaning::Address => address(language),
        Meaning::LoopIndex => (
            "index of the LOOP",
            "Inside a LOOP block the index of the innermost one: it begins at the operand's y and grows by its z each round. It is read as fragment.texcoord[A0.x+n] alone, with n from 0 to 9, and counts as at least 0 there. LOOP and ENDLOOP alone write it.".to_owned(),
        ),
        Meaning::Attribute(attribute) => attribute_text(*attribute),
        Meaning::IndexedAttribute(first) => {
            let (what, body) = attribute_text(*first);
            (what, format!("One of several, as the address register says at run time; outside of them it reads (0,0,0,0). For the first of them: {body}"))
        }
        Meaning::Parameter(source) => parameter(language, source),
        Meaning::Parameters(elements) => return parameters(language, elements),
        Meaning::Result(role, size) => result(*role, *size),
        Meaning::IndexedResult => {
            let (what, body) = result(OutputRole::Vertex(VertexResult::Tex(0)), None);
            (what, format!("One of the sets, as the address register says at run time; outside of them nothing is written. For the first of them: {body}"))
        }
        Meaning::TextureUnit(unit) => (
            "texture image unit",
            format!(
                "Unit {unit} of 0 to {}{}; texture alone means unit 0. It has nothing to do with the coordinate set of the same number. A program can use one target on each unit.",
                IMAGE_UNITS - 1,
                if language.stage() == Stage::Vertex {
                    format!(", of which a vertex program can look up {}", limits::VERTEX_IMAGE_UNITS)
                } else {
                    String::new()
                },
            ),
        ),
        Meaning::Unknown => ("declared, with a fault", "What it stands for is not known, as the statement that declares it is at fault.".to_owned()),
    };
    (what.to_owned(), body)
}

fn temporary(language: Language, ty: Type) -> (&'static str, String) {
    let start = "four components, (0,0,0,0) when the program starts (the text leaves that undefined).";
    match ty {
        Type::F16 => ("fp16 temporary", format!("16-bit floats, {start} Declared SHORT.")),
        _ if language.profile().half_variables => {
            ("fp32 temporary", format!("32-bit floats, {start} SHORT TEMP declares one of 16-bit floats."))
        }
        _ => ("temporary", format!("32-bit floats, {start}")),
    }
}

fn address(language: Language) -> (&'static str, String) {
    let addresses = &language.profile().addresses;
    let body = match addresses.components.len() {
        1 => {
            "One whole number, x; OPTION NV_vertex_program2 brings y, z and w. ARL loads it, and array[name.x+n] reads the element that many places on, with n from -64 to 63."
        }
        _ if addresses.chooses.attributes => {
            "Four whole numbers of 32 bits. ARL, ARR, ARA and POPA write it, ARA and PUSHA read it whole; any component chooses an element of a parameter array, of vertex.attrib, vertex.texcoord and result.texcoord, as in array[name.x+n] with any whole n."
        }
        _ => {
            "Four whole numbers of 32 bits. ARL, ARR and ARA write it, ARA reads it whole; array[name.x+n], with any component, reads the element that many places on, with any whole n."
        }
    };
    ("address register", format!("{body} (0,0,0,0) when the program starts."))
}

/// Table X.1 of ARB_fragment_program and X.2 of ARB_vertex_program.
fn attribute_text(attribute: Attribute) -> (&'static str, String) {
    let read_only = |text: &str| text.to_owned();
    match attribute {
        Attribute::Wpos => (
            "window position",
            read_only(
                "(x, y, z, 1/w): x and y of the fragment's centre in pixels from the lower left corner, unless OPTION ARB_fragment_coord_origin_upper_left and ARB_fragment_coord_pixel_center_integer move it; z, the depth in [0,1]; and the reciprocal of clip w.",
            ),
        ),
        Attribute::Col0 => ("primary colour", read_only("(r, g, b, a), interpolated, each in [0,1].")),
        Attribute::Col1 => ("secondary colour", read_only("(r, g, b, a), interpolated, each in [0,1].")),
        Attribute::Fogc | Attribute::FogCoord => {
            ("fog coordinate", read_only("(f, 0, 0, 1): eye distance or fog coordinate, interpolated."))
        }
        Attribute::Facing => (
            "facing",
            read_only(
                "(f, 0, 0, 1): f is +1 where the front of the primitive is seen, -1 where its back is.",
            ),
        ),
        Attribute::Tex(set) => (
            "texture coordinates",
            format!("(s, t, r, q) of set {set} (0 to {}), interpolated.", limits::TEXTURE_COORDS - 1),
        ),
        Attribute::Vertex(number) => vertex_attribute(number),
    }
}

fn vertex_attribute(number: u8) -> (&'static str, String) {
    let (what, components) = match number {
        0 => ("object position", "(x, y, z, w)"),
        2 => ("normal", "(x, y, z, 1)"),
        3 => ("primary colour", "(r, g, b, a)"),
        4 => ("secondary colour", "(r, g, b, a)"),
        5 => ("fog coordinate", "(f, 0, 0, 1)"),
        8.. => ("texture coordinates", "(s, t, r, q)"),
        _ => ("generic vertex attribute", "(x, y, z, w)"),
    };
    let set = if number >= 8 { format!(" of set {}", number - 8) } else { String::new() };
    let conventional = Attribute::Vertex(number).register_in(Language::ArbVp1);
    let mut body = format!("{components}{set}, as the vertex has it.");
    if conventional.starts_with("vertex.attrib") {
        let _ = write!(body, " Generic attribute {number} of 0 to 15; components not given are 0, w is 1.");
    } else {
        let _ = write!(
            body,
            " It shares its values with vertex.attrib[{number}]; a program can bind {conventional} or that, not both."
        );
    }
    (what, body)
}

fn parameter(language: Language, source: &ParameterSource) -> (&'static str, String) {
    match source {
        ParameterSource::Constant([x, y, z, w]) => {
            ("constant", format!("({x}, {y}, {z}, {w}), fixed in the program."))
        }
        ParameterSource::Env(number) => (
            "environment parameter",
            format!(
                "Number {number} of 0 to {}, shared by all {} programs; (0,0,0,0) until set from outside.",
                limits::ENV_PARAMETERS - 1,
                language.stage().name()
            ),
        ),
        ParameterSource::Local(number) => (
            "local parameter",
            format!(
                "Number {number} of 0 to {} of this program alone; (0,0,0,0) until set from outside.",
                limits::LOCAL_PARAMETERS - 1
            ),
        ),
        ParameterSource::Named { .. } => ("parameter", "Set from outside the program.".to_owned()),
        ParameterSource::State(vector) => {
            let (what, body) = state(*vector);
            let [x, y, z, w] = Context::new().state_vector(*vector);
            (what, format!("{body}\n\n({x}, {y}, {z}, {w}) where the scene sets nothing."))
        }
    }
}

/// An array, or several parameters in the list of one: the first of them and the last.
fn parameters(language: Language, elements: &[ParameterSource]) -> Text {
    let name = |source: &ParameterSource| {
        source.name_in(language).unwrap_or_else(|| match source {
            ParameterSource::Constant([x, y, z, w]) => format!("{{{x}, {y}, {z}, {w}}}"),
            _ => "a parameter".to_owned(),
        })
    };
    const SHOWN: usize = 8;
    let mut lines: Vec<String> = elements.iter().take(SHOWN).map(name).collect();
    if elements.len() > SHOWN {
        lines.push(format!("and {} more", elements.len() - SHOWN));
    }
    let what = format!("{} parameters", elements.len());
    let mut body = format!("In order: {}.", lines.join(", "));
    if let Some(first) = elements.first() {
        let (what, text) = parameter(language, first);
        let _ = write!(body, "\n\nThe first, {what}: {text}");
    }
    (what, body)
}

/// Tables X.2.2 to X.2.7 of ARB_fragment_program and X.3.2 to X.3.8 of ARB_vertex_program.
fn state(vector: StateVector) -> (&'static str, String) {
    match vector {
        StateVector::Material { face, property } => material(face, property),
        StateVector::Light { light, property } => self::light(light, property),
        StateVector::LightModelAmbient => {
            ("ambient light of the scene", "(r, g, b, a) of the light that is everywhere, with all lights off.".to_owned())
        }
        StateVector::SceneColor { face } => (
            "scene colour",
            format!("What lighting begins with: (r, g, b) is the scene's ambient light times the {} material's ambient colour, plus its emission; a is its diffuse alpha.", side(face)),
        ),
        StateVector::LightProduct { light, face, property } => {
            let name = property.name();
            let what = match property {
                ProductProperty::Ambient => "ambient light product",
                ProductProperty::Diffuse => "diffuse light product",
                ProductProperty::Specular => "specular light product",
            };
            (what, format!("(r, g, b): the {name} colour of light {light} times the {name} colour of the {} material; a is the material's.", side(face)))
        }
        StateVector::TexGen { unit, plane } => {
            let coordinate = ["s", "t", "r", "q"].get(usize::from(plane.coordinate)).copied().unwrap_or("?");
            let space = match plane.space {
                TexGenSpace::Eye => "eye coordinates",
                TexGenSpace::Object => "object coordinates",
            };
            ("texture generation plane", format!("(a, b, c, d): a dot product with the position in {space} makes {coordinate} of texture coordinate set {unit}."))
        }
        StateVector::TexEnvColor { unit } => {
            ("texture environment colour", format!("(r, g, b, a) of texture unit {unit}."))
        }
        StateVector::FogColor => ("fog colour", "(r, g, b, a).".to_owned()),
        StateVector::FogParams => (
            "fog parameters",
            "(density, start, end, 1/(end - start)): the density of exponential fog, and where linear fog begins and is full.".to_owned(),
        ),
        StateVector::ClipPlane(plane) => (
            "clip plane",
            format!("(a, b, c, d) of user clip plane {plane}, in eye coordinates: what has a dot product below 0 with it is clipped away."),
        ),
        StateVector::PointSize => ("point size", "(size, least, greatest, fade threshold), in pixels.".to_owned()),
        StateVector::PointAttenuation => (
            "point attenuation",
            "(a, b, c, 1): the size of points is divided by the square root of a + b*d + c*d*d at eye distance d.".to_owned(),
        ),
        StateVector::DepthRange => ("depth range", "(near, far, far - near, 1): the depths that clip space's ends are mapped to.".to_owned()),
        StateVector::Matrix { name, transform, row } => matrix(name, transform, row),
    }
}

const fn side(face: Face) -> &'static str {
    match face {
        Face::Front => "front",
        Face::Back => "back",
    }
}

fn material(face: Face, property: MaterialProperty) -> (&'static str, String) {
    let (what, components) = match property {
        MaterialProperty::Ambient => ("ambient material colour", "(r, g, b, a)"),
        MaterialProperty::Diffuse => ("diffuse material colour", "(r, g, b, a)"),
        MaterialProperty::Specular => ("specular material colour", "(r, g, b, a)"),
        MaterialProperty::Emission => ("emissive material colour", "(r, g, b, a)"),
        MaterialProperty::Shininess => ("shininess", "(s, 0, 0, 1): s, the specular exponent, 0 to 128,"),
    };
    (what, format!("{components} of the {} material. Without a face the front is meant.", side(face)))
}

fn light(light: u8, property: LightProperty) -> (&'static str, String) {
    let last = limits::LIGHTS - 1;
    let (what, body) = match property {
        LightProperty::Ambient => ("ambient colour of a light", "(r, g, b, a)"),
        LightProperty::Diffuse => ("diffuse colour of a light", "(r, g, b, a)"),
        LightProperty::Specular => ("specular colour of a light", "(r, g, b, a)"),
        LightProperty::Position => (
            "position of a light",
            "(x, y, z, w) in eye coordinates; where w is 0, the light is infinitely far away in the direction (x, y, z)",
        ),
        LightProperty::Attenuation => (
            "attenuation of a light",
            "(constant, linear, quadratic, spot exponent): at distance d the light is divided by constant + linear*d + quadratic*d*d",
        ),
        LightProperty::SpotDirection => {
            ("spot light direction", "(x, y, z) in eye coordinates, and in w the cosine of the cutoff angle")
        }
        LightProperty::Half => (
            "half-angle vector of a light",
            "(x, y, z), halfway between the direction to the light and that to an infinitely distant viewer, normalized; w is 1. Right for lights that are infinitely far away",
        ),
    };
    (what, format!("{body}. Light {light} of 0 to {last}."))
}

fn matrix(name: MatrixName, transform: MatrixTransform, row: u8) -> (&'static str, String) {
    let (what, matrix) = match name {
        MatrixName::ModelView => {
            ("row of the modelview matrix", "the modelview matrix, from object to eye coordinates".to_owned())
        }
        MatrixName::Projection => {
            ("row of the projection matrix", "the projection matrix, from eye to clip coordinates".to_owned())
        }
        MatrixName::Mvp => (
            "row of the modelview-projection matrix",
            "the projection times the modelview matrix, from object to clip coordinates".to_owned(),
        ),
        MatrixName::Texture(set) => ("row of a texture matrix", format!("the texture matrix of set {set}")),
        MatrixName::Program(number) => ("row of a program matrix", format!("program matrix {number}")),
    };
    let taken = match transform {
        MatrixTransform::Identity => "",
        MatrixTransform::Inverse => "the inverse of ",
        MatrixTransform::Transpose => "the transpose of ",
        MatrixTransform::InverseTranspose => "the transpose of the inverse of ",
    };
    (
        what,
        format!(
            "Row {row} of {taken}{matrix}. A DP4 with it gives one component of the transformed vector. PARAM m[4] = {{ ... }} holds a whole matrix."
        ),
    )
}

/// Table X.3 of ARB_fragment_program and X.4 of ARB_vertex_program.
fn result(role: OutputRole, size: Option<Size>) -> (&'static str, String) {
    let (what, mut body) = match role {
        OutputRole::Color(number) => (
            "colour",
            format!(
                "(r, g, b, a) of the fragment for draw buffer {number}. Undefined until written ((0,0,0,0) here). OPTION ARB_draw_buffers brings result.color[n]."
            ),
        ),
        OutputRole::Depth => (
            "depth",
            "z replaces the fragment's depth; the other components have no effect. A program that does not write it leaves the depth as it is.".to_owned(),
        ),
        OutputRole::Vertex(result) => vertex_result(result),
    };
    match size {
        Some(Size::Short) => body.push_str(" Declared SHORT: its components are 16-bit floats."),
        Some(Size::Long) => body.push_str(" Declared LONG: its components are 32-bit floats."),
        None => {}
    }
    (what, body)
}

fn vertex_result(result: VertexResult) -> (&'static str, String) {
    let color = "(r, g, b, a), clamped to [0,1] and interpolated.";
    let back = "Taken for the back of polygons where two-sided colour is on.";
    let (what, body) = match result {
        VertexResult::Hpos => (
            "clip space position",
            "(x, y, z, w) in homogeneous clip space. Programs with OPTION ARB_position_invariant cannot name it.".to_owned(),
        ),
        VertexResult::Col0 => ("primary colour, front", color.to_owned()),
        VertexResult::Col1 => ("secondary colour, front", color.to_owned()),
        VertexResult::Bfc0 => ("primary colour, back", format!("{color} {back}")),
        VertexResult::Bfc1 => ("secondary colour, back", format!("{color} {back}")),
        VertexResult::Fogc => ("fog coordinate", "x alone counts: the distance that fog is computed from.".to_owned()),
        VertexResult::Psiz => (
            "point size",
            "x alone counts, in pixels, and only for points while program point size is on.".to_owned(),
        ),
        VertexResult::Tex(set) => (
            "texture coordinates",
            format!("(s, t, r, q) of set {set} (0 to {}), interpolated.", limits::TEXTURE_COORDS - 1),
        ),
        VertexResult::Clp(plane) => (
            "clip distance",
            format!("x alone counts: where plane {plane} is enabled, what lies below 0 is clipped away."),
        ),
    };
    // Undefined in the texts of the options, too, but for clip distances (NV_vertex_program2_option 2.14.3.4).
    let start = match result {
        VertexResult::Clp(_) => "0 until written.",
        _ => "Undefined until written ((0,0,0,1) here).",
    };
    (what, format!("{body}\n\n{start}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::arb::Place;
    use crate::front::arb::symbols::{Setting, read_binding};

    fn body(language: Language, text: &str) -> (String, String) {
        let reading = read_binding(Setting::of(language), std::iter::empty(), text, Place::Element);
        describe(language, &reading.meaning.unwrap())
    }

    #[test]
    fn bindings_have_the_components_of_the_tables() {
        let fragment = |text| body(Language::ArbFp1Nv2, text).1;
        let vertex = |text| body(Language::ArbVp1, text).1;
        assert!(fragment("fragment.fogcoord").starts_with("(f, 0, 0, 1)"));
        assert!(fragment("fragment.facing").contains("+1"));
        assert!(fragment("state.material.back.shininess").contains("of the back material"));
        assert!(fragment("state.light[2].attenuation").contains("spot exponent"));
        assert!(fragment("state.fog.params").starts_with("(density, start, end, 1/(end - start))"));
        assert!(vertex("state.texgen[3].object.r").contains("makes r of texture coordinate set 3"));
        assert!(vertex("state.matrix.modelview.invtrans.row[2]").contains("transpose of the inverse"));
        assert!(vertex("vertex.normal").contains("vertex.attrib[2]"));
        assert!(vertex("vertex.attrib[6]").contains("Generic attribute 6"));
        assert!(vertex("result.color.back.secondary").contains("two-sided"));
        assert!(vertex("program.env[7]").contains("all vertex programs"));
        let (what, text) = body(Language::ArbVp1, "state.matrix.mvp");
        assert_eq!(what, "4 parameters");
        assert!(text.contains("state.matrix.mvp.row[0], state.matrix.mvp.row[1]"), "{text}");
        let constant = Meaning::Parameter(ParameterSource::Constant([1.0, 2.5, 0.0, 1.0]));
        assert_eq!(describe(Language::ArbVp1, &constant).1, "(1, 2.5, 0, 1), fixed in the program.");
    }

    /// What table 6.10 and its neighbours of the GL say the state is at first.
    #[test]
    fn defaults_are_those_of_the_gl() {
        let default =
            |text| body(Language::ArbVp1, text).1.split("\n\n").nth(1).unwrap_or_default().to_owned();
        assert_eq!(default("state.light[0].position"), "(0, 0, 1, 0) where the scene sets nothing.");
        assert_eq!(default("state.light[1].diffuse"), "(0, 0, 0, 1) where the scene sets nothing.");
        assert_eq!(default("state.matrix.mvp.row[1]"), "(0, 1, 0, 0) where the scene sets nothing.");
        assert_eq!(default("state.fog.params"), "(1, 0, 1, 1) where the scene sets nothing.");
    }
}
