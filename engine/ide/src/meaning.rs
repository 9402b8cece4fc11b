//! The meaning of registers, bindings and names of programs, in words: the tables of NV_fragment_program
//! 3.11.1, NV_vertex_program2 2.14.1, ARB_fragment_program 3.11.3 and ARB_vertex_program 2.14.3.

use std::fmt::Write as _;

use super::words::{self, Array, offset_limits};
use shadestep_language::front::arb::symbols::Meaning;
use shadestep_language::front::arb::words::Size;
use shadestep_language::front::fp1::words::OutputName;
use shadestep_language::front::vp::words::results;
use shadestep_language::ir::{
    Attribute, BufferUnit, BufferVariable, Face, IMAGE_UNITS, LightProperty, MaterialProperty, MatrixName,
    MatrixTransform, OutputRole, ParameterSource, PatchResult, ProductProperty, StateVector, TexGenSpace,
    Type, VertexResult, limits,
};
use shadestep_language::isa::{Language, Stage};

/// A title and a body.
pub type Text = (String, String);

/// The meaning of an element of `array` in `language`. `content` is the name or number in the brackets.
pub fn element(language: Language, array: Array, content: &str) -> Option<Meaning> {
    let fragment = language.stage() == Stage::Fragment;
    match array {
        Array::Attributes => words::attribute(language, content).map(Meaning::Attribute),
        Array::Outputs if fragment => {
            let output = OutputName::from_name(content)?;
            Some(Meaning::Result(output.role(), (output.ty() == Type::F16).then_some(Size::Short)))
        }
        Array::Outputs => {
            let result = results(language).find(|result| result.name() == content)?;
            Some(Meaning::Result(OutputRole::Vertex(result), None))
        }
        Array::Parameters => {
            let number: u16 = content.parse().ok().filter(|_| content.bytes().all(|b| b.is_ascii_digit()))?;
            let source = if fragment { ParameterSource::Local(number) } else { ParameterSource::Env(number) };
            (usize::from(number) < language.profile().limits.parameters).then_some(Meaning::Parameter(source))
        }
    }
}

/// Title and body for a meaning.
pub fn describe(language: Language, meaning: &Meaning) -> Text {
    let (what, body) = match meaning {
        Meaning::Temporary(ty) => temporary(language, *ty),
        Meaning::Address => ("address register", address(language).to_owned()),
        Meaning::LoopIndex => (
            "index of the LOOP block",
            "The index of the innermost LOOP block. It starts at y of the operand and grows by z each iteration. You can read it only as fragment.texcoord[A0.x+n], with n from 0 to 9, and a negative index is read as 0. Only LOOP and ENDLOOP write it.".to_owned(),
        ),
        Meaning::Attribute(attribute) => attribute_text(language, *attribute),
        Meaning::IndexedAttribute(first) => {
            let (what, body) = attribute_text(language, *first);
            (what, format!("An address register selects the element at run time. An index outside the range reads (0,0,0,0). For the first element: {body}"))
        }
        Meaning::Parameter(source) => parameter(language, source),
        Meaning::Parameters(elements) => return parameters(language, elements),
        Meaning::Result(role, size) => result(language, *role, *size),
        Meaning::IndexedResult => {
            let (what, body) = result(language, OutputRole::Vertex(VertexResult::Tex(0)), None);
            (what, format!("An address register selects the set at run time. An index outside the range writes nothing. For the first set: {body}"))
        }
        Meaning::TextureUnit(unit) => ("texture image unit", texture_unit(language, *unit)),
        Meaning::ImageUnit(unit) => (
            "image unit",
            format!("Image unit {unit} (0 to {}). The application binds a level of a texture, or one layer of it, with a format, and sets whether programs may read or write it. LOADIM, STOREIM and ATOMIM access its texels.", limits::IMAGE_UNITS - 1),
        ),
        Meaning::Buffer(variable) => buffer(variable),
        Meaning::BufferBinding(number) => (
            "parameter buffer",
            format!("Binding point {number} (0 to {}). The application binds a buffer to it, and a program can read its first {} bytes.", limits::PARAMETER_BUFFERS - 1, limits::PARAMETER_BUFFER_BYTES),
        ),
        Meaning::SubroutineType(labels) => (
            "subroutine type",
            format!("A variable of this type selects one of: {}. The application chooses which.", labels.join(", ")),
        ),
        Meaning::Subroutine { ty, parameters, is_array } => {
            let numbers: Vec<String> = parameters.iter().map(u16::to_string).collect();
            let what = if *is_array { "array of subroutine variables" } else { "subroutine variable" };
            let bound = format!("Program subroutine parameter {}", numbers.join(", "));
            (what, format!("Selects a subroutine of type {ty} for CALI. {bound} chooses it; until that is set, it is the first subroutine of the type."))
        }
        Meaning::SubroutineParameter(number) => (
            "subroutine parameter",
            format!("Number {number} (0 to {}). The application sets it to the SUBROUTINENUM of a subroutine, and CALI calls that subroutine through a variable bound to it.", limits::SUBROUTINE_PARAMETERS - 1),
        ),
        Meaning::Unknown => ("declared with an error", "Its meaning is unknown, because its declaration has an error.".to_owned()),
    };
    (what.to_owned(), body)
}

fn buffer(variable: &BufferVariable) -> (&'static str, String) {
    let &BufferVariable { unit, first, count, spans, element, elements, is_array, .. } = variable;
    let (what, values) = match unit {
        BufferUnit::Word => (
            "words of a parameter buffer",
            "The values are single words, each copied to all four components, of",
        ),
        BufferUnit::Vector => ("vectors of a parameter buffer", "The values are vectors of four words of"),
        BufferUnit::Byte => ("bytes of a parameter buffer", "LDC reads values, from any byte on, of"),
    };
    let last = element.saturating_add(elements) - 1;
    let indices = match (spans, is_array) {
        (true, true) => "The first index selects the buffer, the second the element.",
        (true, false) => "The index selects the buffer.",
        (false, true) => "The index selects the element.",
        (false, false) => "There is no index.",
    };
    let points = if count == 1 { format!("{first}") } else { format!("{first} to {}", first + count - 1) };
    let body = format!(
        "{values} the buffer bound to {points}; elements {element} to {last}. {indices} Values outside the buffer are 0."
    );
    (what, body)
}

/// One of two texts, depending on whether the language numbers its registers or declares variables.
const fn either<'t>(language: Language, numbered: &'t str, declared: &'t str) -> &'t str {
    if language.profile().declares_variables() { declared } else { numbered }
}

fn temporary(language: Language, ty: Type) -> (&'static str, String) {
    let profile = language.profile();
    let (floats, halves) = if ty == Type::F16 { ("16-bit floats", "one") } else { ("32-bit floats", "two") };
    let start = "(0,0,0,0) when the program starts";
    let undefined =
        "The specification leaves them undefined when the program starts; Shadestep sets them to 0.";
    let typed = match ty {
        Type::S32 => Some(("temporary of signed integers", "32-bit signed integers")),
        Type::U32 => Some(("temporary of unsigned integers", "32-bit unsigned integers")),
        Type::S64 => Some(("temporary of long signed integers", "64-bit signed integers")),
        Type::U64 => Some(("temporary of long unsigned integers", "64-bit unsigned integers")),
        Type::F64 => Some(("temporary of doubles", "64-bit floats")),
        Type::F32 | Type::F16 | Type::Fx12 | Type::Address | Type::S24 | Type::U24 => None,
    };
    if let Some((what, components)) = typed {
        return (what, format!("Four {components}. {undefined}"));
    }
    let declared = format!("Four {floats}. {undefined}");
    match (profile.declares_variables(), profile.half_variables, ty) {
        (false, false, _) => {
            let last = profile.limits.temporaries - 1;
            let body = format!("Four {floats}, {start}. {} has R0 to R{last}.", language.header());
            ("temporary register", body)
        }
        (false, true, ty) => (
            if ty == Type::F16 { "fp16 temporary register" } else { "fp32 temporary register" },
            format!(
                "Four {floats}, {start}. It takes {halves} of the {} register halves that a program may use.",
                limits::REGISTER_HALVES
            ),
        ),
        (true, _, Type::F16) => ("fp16 temporary", format!("{declared} It is declared SHORT.")),
        (true, true, _) => {
            ("fp32 temporary", format!("{declared} SHORT TEMP declares a variable of 16-bit floats."))
        }
        (true, false, _) => ("temporary", declared),
    }
}

const fn address(language: Language) -> &'static str {
    let addresses = &language.profile().addresses;
    match (language.profile().declares_variables(), addresses.components.len()) {
        (false, 1) => {
            "One whole number, 0 when the program starts. Only its x component exists: ARL A0.x loads it, unclamped, and c[A0.x+n] reads parameter number A0.x + n."
        }
        (false, _) => {
            "Four 10-bit whole numbers, -512 to 511, (0,0,0,0) when the program starts. ARL, ARR and ARA write it. ARA reads it, and so does c[A0.x+n], with any component of A0 or A1."
        }
        (true, 1) => {
            "One whole number, x. OPTION NV_vertex_program2 adds y, z and w. ARL loads it, and array[name.x+n] reads element name.x + n, with n from -64 to 63. It is (0,0,0,0) when the program starts."
        }
        (true, _) if addresses.chooses.attributes => {
            "Four 32-bit whole numbers. ARL, ARR, ARA and POPA write it; ARA and PUSHA read all of it. Any component can index a parameter array, vertex.attrib, vertex.texcoord and result.texcoord, as in array[name.x+n] with any whole n. It is (0,0,0,0) when the program starts."
        }
        (true, _) => {
            "Four 32-bit whole numbers. ARL, ARR and ARA write it; ARA reads all of it. Any component can index an array: array[name.x+n] reads element name.x + n, with any whole n. It is (0,0,0,0) when the program starts."
        }
    }
}

fn texture_unit(language: Language, unit: u8) -> String {
    let one_target = "A program can use each unit with only one target.";
    if !language.profile().declares_variables() {
        return format!(
            "The unit with the texture of a lookup. It is unrelated to the coordinate set of the same name, which is written f[TEXn]. {one_target}"
        );
    }
    let vertex = match language.stage() {
        Stage::Fragment => String::new(),
        _ => format!(" A vertex program can use {} units.", limits::VERTEX_IMAGE_UNITS),
    };
    format!(
        "Unit {unit} (0 to {}).{vertex} texture without a number is unit 0. The unit is unrelated to the coordinate set of the same number. {one_target}",
        IMAGE_UNITS - 1
    )
}

/// The coordinates of a texture coordinate set, as an attribute or a result.
fn coordinates(language: Language, set: u8) -> String {
    let last = limits::TEXTURE_COORDS - 1;
    let of = if language.profile().declares_variables() { format!(" (0 to {last})") } else { String::new() };
    format!("(s, t, r, q) of set {set}{of}, interpolated.")
}

/// Table X.1 of NV_fragment_program and of ARB_fragment_program.
fn attribute_text(language: Language, attribute: Attribute) -> (&'static str, String) {
    let color = either(language, "(r, g, b, a), interpolated.", "(r, g, b, a), interpolated, each in [0,1].");
    let wide = either(language, " An instruction that reads it runs in fp32, whatever its suffix.", "");
    match attribute {
        Attribute::Wpos => {
            let origin = either(
                language,
                " in pixels from the lower left corner",
                " in pixels from the lower left corner (OPTION ARB_fragment_coord_origin_upper_left and ARB_fragment_coord_pixel_center_integer change this)",
            );
            (
                "window position",
                format!(
                    "(x, y, z, 1/w): x and y of the fragment's centre{origin}; z, the depth in [0,1]; and the reciprocal of clip w."
                ),
            )
        }
        Attribute::Col0 => ("primary colour", color.to_owned()),
        Attribute::Col1 => ("secondary colour", color.to_owned()),
        Attribute::Fogc => ("fog coordinate", format!("(z, 0, 0, 0): eye distance or fog coordinate.{wide}")),
        Attribute::FogCoord => {
            ("fog coordinate", "(f, 0, 0, 1): eye distance or fog coordinate, interpolated.".to_owned())
        }
        Attribute::Facing => (
            "facing",
            "(f, 0, 0, 1): f is +1 for the front of a primitive and -1 for the back."
                .to_owned(),
        ),
        Attribute::Tex(set) => ("texture coordinates", format!("{}{wide}", coordinates(language, set))),
        Attribute::ClipDistance(number) => {
            ("clip distance", format!("x is the distance to clip plane {number}, interpolated."))
        }
        Attribute::Generic(number) => {
            ("generic interpolant", format!("(x, y, z, w) of interpolant {number}, interpolated as declared."))
        }
        Attribute::PrimitiveId => (
            "primitive number",
            "x is an integer: the number of the point, line or polygon in its draw, from 0.".to_owned(),
        ),
        Attribute::PointCoord => (
            "point sprite coordinates",
            "(s, t) over a point sprite, from 0 to 1; undefined for other primitives.".to_owned(),
        ),
        Attribute::SampleId => ("sample number", "x is an integer: the number of the sample being shaded.".to_owned()),
        Attribute::SampleMask => {
            ("sample mask", "x is an integer with one bit for each sample that the fragment covers.".to_owned())
        }
        Attribute::VertexId => {
            ("vertex number", "x is an integer: the number of the vertex in its arrays.".to_owned())
        }
        Attribute::Instance => {
            ("instance number", "x is an integer: the number of the instance, from 0.".to_owned())
        }
        Attribute::Vertex(_) if language.stage() == Stage::VertexState => {
            ("the state program's input", "Four numbers, given when the program runs.".to_owned())
        }
        Attribute::Vertex(number) | Attribute::LongVertex(number) => vertex_attribute(language, number),
        Attribute::OfVertex { vertex, result } => {
            let (what, _) = vertex_result(language, result);
            (what, format!("The value that the previous stage gave vertex {vertex} of the primitive, counted from 0."))
        }
        Attribute::OutVertex { vertex, result } => {
            let (what, _) = vertex_result(language, result);
            (what, format!("The value that invocation {vertex} has written so far for its vertex of the output patch."))
        }
        Attribute::OfPatch(result) => {
            let (what, components) = patch_result(result);
            (what, format!("{components}, as the control program wrote it for the patch."))
        }
        Attribute::OutPatch(result) => {
            let (what, components) = patch_result(result);
            (what, format!("{components}, as written so far by any invocation."))
        }
        Attribute::TessCoord => (
            "position in the patch",
            "For triangles, (u, v, w), which are not negative and add up to 1. For quads and isolines, (u, v), each from 0 to 1."
                .to_owned(),
        ),
        Attribute::Invocation if language.stage() == Stage::TessControl => (
            "invocation number",
            "x is an integer: the number of the output vertex of this invocation, from 0.".to_owned(),
        ),
        Attribute::Invocation => (
            "invocation number",
            "x is an integer: the number of this invocation for its primitive, from 0.".to_owned(),
        ),
        Attribute::VertexCount => {
            ("number of vertices", "x is an integer: the number of vertices in the primitive.".to_owned())
        }
    }
}

/// Tables X.2 and X.3 of NV_vertex_program2, X.2 of ARB_vertex_program.
fn vertex_attribute(language: Language, number: u8) -> (&'static str, String) {
    let (what, components) = match number {
        0 => ("object position", "(x, y, z, w)"),
        1 => (
            either(language, "vertex weight", "generic vertex attribute"),
            either(language, "(w, 0, 0, 1)", "(x, y, z, w)"),
        ),
        2 => ("normal", "(x, y, z, 1)"),
        3 => ("primary colour", "(r, g, b, a)"),
        4 => ("secondary colour", either(language, "(r, g, b, 1)", "(r, g, b, a)")),
        5 => ("fog coordinate", either(language, "(fc, 0, 0, 1)", "(f, 0, 0, 1)")),
        6 | 7 => (either(language, "vertex attribute", "generic vertex attribute"), "(x, y, z, w)"),
        8.. => ("texture coordinates", "(s, t, r, q)"),
    };
    let register = Attribute::Vertex(number).register_in(language);
    let body = if language.profile().declares_variables() {
        let set = if number >= 8 { format!(" of set {}", number - 8) } else { String::new() };
        let rest = if register.starts_with("vertex.attrib") {
            format!("Generic attribute {number} (0 to 15). Missing components are 0, and a missing w is 1.")
        } else {
            format!(
                "The values are those of vertex.attrib[{number}], so a program can bind {register} or that, but not both."
            )
        };
        format!("{components}{set} of the vertex. {rest}")
    } else {
        let mapping = match number {
            6 | 7 => ". No conventional attribute shares it, so it has no other name.".to_owned(),
            8.. => format!(
                ", also {register}. The conventional texture coordinates of set {} arrive as {components}.",
                number - 8
            ),
            _ => format!(", also {register}. The conventional attribute arrives as {components}."),
        };
        let makes = if number == 0 { " Setting it emits a vertex." } else { "" };
        format!("Attribute {number}{mapping}{makes} Missing components are 0, and a missing w is 1.")
    };
    (what, body)
}

fn parameter(language: Language, source: &ParameterSource) -> (&'static str, String) {
    let declares = language.profile().declares_variables();
    match source {
        ParameterSource::Constant(constant) => {
            ("constant", format!("({}), fixed in the program.", constant.decimals()))
        }
        ParameterSource::Env(_) if !declares => ("program parameter", parameter_file(language)),
        ParameterSource::Local(_) if !declares => (
            "numbered local parameter",
            "A vector set from outside the program. It needs no declaration. An instruction can read only one program parameter.".to_owned(),
        ),
        ParameterSource::Env(number) => (
            "environment parameter",
            format!(
                "Number {number} (0 to {}), shared by all {} programs; (0,0,0,0) until set from outside.",
                limits::ENV_PARAMETERS - 1,
                language.stage().name()
            ),
        ),
        ParameterSource::Local(number) => (
            "local parameter",
            format!(
                "Number {number} (0 to {}), for this program only; (0,0,0,0) until set from outside.",
                limits::LOCAL_PARAMETERS - 1
            ),
        ),
        ParameterSource::Named { .. } => ("parameter", "Set from outside the program.".to_owned()),
        ParameterSource::State(vector) => {
            let (what, body) = state(*vector);
            let [x, y, z, w] = vector.initial();
            (what, format!("{body}\n\nThe default is ({x}, {y}, {z}, {w}), unless the scene sets it."))
        }
    }
}

fn parameter_file(language: Language) -> String {
    let last = language.profile().limits.parameters - 1;
    let mut body = format!(
        "c[0] to c[{last}] are vectors, (0,0,0,0) until set from outside or by a state program. All vertex programs share them. An instruction can read only one of them."
    );
    if language.stage() == Stage::VertexState {
        body.push_str(" A state program can also write them, and must write at least one.");
    }
    body
}

/// Describes an array, or several parameters in its list, by the first and the last one.
fn parameters(language: Language, elements: &[ParameterSource]) -> Text {
    let name = |source: &ParameterSource| {
        source.name_in(language).unwrap_or_else(|| match source {
            ParameterSource::Constant(constant) => format!("{{{}}}", constant.decimals()),
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
            ("ambient light of the scene", "(r, g, b, a) of the scene's ambient light, which applies even with all lights off.".to_owned())
        }
        StateVector::SceneColor { face } => (
            "scene colour",
            format!("The colour that lighting starts with: (r, g, b) is the scene's ambient light times the {} material's ambient colour, plus the material's emission; a is its diffuse alpha.", side(face)),
        ),
        StateVector::LightProduct { light, face, property } => {
            let name = property.name();
            let what = match property {
                ProductProperty::Ambient => "ambient light product",
                ProductProperty::Diffuse => "diffuse light product",
                ProductProperty::Specular => "specular light product",
            };
            (what, format!("(r, g, b): the {name} colour of light {light} times the {name} colour of the {} material; a is the material's alpha.", side(face)))
        }
        StateVector::TexGen { unit, plane } => {
            let coordinate = ["s", "t", "r", "q"].get(usize::from(plane.coordinate)).copied().unwrap_or("?");
            let space = match plane.space {
                TexGenSpace::Eye => "eye coordinates",
                TexGenSpace::Object => "object coordinates",
            };
            ("texture generation plane", format!("(a, b, c, d): its dot product with the position in {space} makes {coordinate} of texture coordinate set {unit}."))
        }
        StateVector::TexEnvColor { unit } => {
            ("texture environment colour", format!("(r, g, b, a) of texture unit {unit}."))
        }
        StateVector::FogColor => ("fog colour", "(r, g, b, a).".to_owned()),
        StateVector::FogParams => (
            "fog parameters",
            "(density, start, end, 1/(end - start)): the density of exponential fog, and the distances where linear fog starts and ends.".to_owned(),
        ),
        StateVector::ClipPlane(plane) => (
            "clip plane",
            format!("(a, b, c, d) of user clip plane {plane}, in eye coordinates. Anything with a negative dot product with the plane is clipped away."),
        ),
        StateVector::PointSize => ("point size", "(size, minimum, maximum, fade threshold), in pixels.".to_owned()),
        StateVector::PointAttenuation => (
            "point attenuation",
            "(a, b, c, 1): at eye distance d the point size is divided by the square root of a + b*d + c*d*d.".to_owned(),
        ),
        StateVector::DepthRange => ("depth range", "(near, far, far - near, 1): the depths at the two ends of clip space.".to_owned()),
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
        MaterialProperty::Shininess => ("shininess", "(s, 0, 0, 1): s, the specular exponent from 0 to 128,"),
    };
    (what, format!("{components} of the {} material. Without a face it means the front.", side(face)))
}

fn light(light: u8, property: LightProperty) -> (&'static str, String) {
    let last = limits::LIGHTS - 1;
    let (what, body) = match property {
        LightProperty::Ambient => ("ambient colour of a light", "(r, g, b, a)"),
        LightProperty::Diffuse => ("diffuse colour of a light", "(r, g, b, a)"),
        LightProperty::Specular => ("specular colour of a light", "(r, g, b, a)"),
        LightProperty::Position => (
            "position of a light",
            "(x, y, z, w) in eye coordinates; if w is 0, the light is infinitely far away in the direction (x, y, z)",
        ),
        LightProperty::Attenuation => (
            "attenuation of a light",
            "(constant, linear, quadratic, spot exponent): at distance d the light is divided by constant + linear*d + quadratic*d*d",
        ),
        LightProperty::SpotDirection => {
            ("spot light direction", "(x, y, z) in eye coordinates; w is the cosine of the cutoff angle")
        }
        LightProperty::Half => (
            "half-angle vector of a light",
            "(x, y, z), halfway between the directions to the light and to an infinitely distant viewer, normalized; w is 1. It is correct for lights that are infinitely far away",
        ),
    };
    (what, format!("{body}. Light {light} (0 to {last})."))
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
            "Row {row} of {taken}{matrix}. A DP4 with this row gives one component of the transformed vector. PARAM m[4] = {{ ... }} holds a whole matrix."
        ),
    )
}

/// Table X.3 of NV_fragment_program and of ARB_fragment_program. Vertex results are in [`vertex_result`].
fn result(language: Language, role: OutputRole, size: Option<Size>) -> (&'static str, String) {
    let declares = language.profile().declares_variables();
    let undefined = "Undefined until written ((0,0,0,0) in Shadestep).";
    let (what, mut body) = match role {
        OutputRole::Color(number) if declares => (
            "colour",
            format!(
                "The fragment's colour (r, g, b, a) for draw buffer {number}. {undefined} OPTION ARB_draw_buffers adds result.color[n]."
            ),
        ),
        OutputRole::Color(_) => {
            let (what, ty) = if size.is_some() { ("colour, fp16", "fp16") } else { ("colour", "fp32") };
            return (what, format!(
                "The fragment's colour (r, g, b, a) in {ty}. A program can write o[COLR] or o[COLH], but not both. {undefined}"
            ));
        }
        OutputRole::Depth if declares => (
            "depth",
            "z replaces the fragment's depth; the other components have no effect. If a program does not write it, the depth stays unchanged.".to_owned(),
        ),
        OutputRole::Depth => (
            "depth",
            format!(
                "z replaces the fragment's depth, but only if the program writes it. {undefined}"
            ),
        ),
        OutputRole::SecondaryColor(number) => (
            "second colour",
            format!("(r, g, b, a) for blending with SRC1 factors, for draw buffer {number}. {undefined}"),
        ),
        OutputRole::SampleMask => (
            "sample mask",
            "x is an integer with one bit for each sample to write. With one sample it has no effect."
                .to_owned(),
        ),
        OutputRole::Vertex(result) => vertex_result(language, result),
        OutputRole::Patch(result) => {
            let (what, components) = patch_result(result);
            (what, format!("{components}. All invocations of a patch share it: a value that one invocation writes is visible to the others from the next instruction on. Undefined until written ((0,0,0,1) in Shadestep)."))
        }
    };
    match size {
        Some(Size::Short) => body.push_str(" It is declared SHORT, so its components are 16-bit floats."),
        Some(Size::Long) => body.push_str(" It is declared LONG, so its components are 32-bit floats."),
        None => {}
    }
    (what, body)
}

/// Table X.1 of NV_vertex_program2 with the descriptions of its section 2.14.1.5, and table X.4 of
/// ARB_vertex_program.
fn vertex_result(language: Language, result: VertexResult) -> (&'static str, String) {
    let color = "(r, g, b, a), clamped to [0,1] and interpolated.";
    let back = "Used for the back of polygons when two-sided colour is on.";
    let points = "only used for points while program point size is on.";
    let (what, body) = match result {
        VertexResult::Hpos => {
            let rule = either(
                language,
                "Every program must write at least part of it, except position-invariant programs, which must not write it.",
                "Programs with OPTION ARB_position_invariant cannot name it.",
            );
            ("clip space position", format!("(x, y, z, w) in homogeneous clip space. {rule}"))
        }
        VertexResult::Col0 => ("primary colour, front", color.to_owned()),
        VertexResult::Col1 => ("secondary colour, front", color.to_owned()),
        VertexResult::Bfc0 => ("primary colour, back", format!("{color} {back}")),
        VertexResult::Bfc1 => ("secondary colour, back", format!("{color} {back}")),
        VertexResult::Fogc => {
            let rule = either(language, " If a program does not write it, the fog factor is 1.", "");
            ("fog coordinate", format!("Only x is used: the distance for fog.{rule}"))
        }
        VertexResult::Psiz => {
            let unit = either(language, "", " in pixels,");
            let rule =
                either(language, " If a program does not write it, the size set from outside is used.", "");
            ("point size", format!("Only x is used,{unit} and {points}{rule}"))
        }
        VertexResult::Tex(set) => ("texture coordinates", coordinates(language, set)),
        VertexResult::Clp(plane) => (
            "clip distance",
            format!(
                "Only x is used. If plane {plane} is enabled, anything with a distance below 0 is clipped away."
            ),
        ),
        VertexResult::Generic(number) => (
            "generic interpolant",
            format!("(x, y, z, w) of interpolant {number}, interpolated as the fragment program declares."),
        ),
        VertexResult::Id => ("vertex number", "x is an integer, read by geometry programs.".to_owned()),
        VertexResult::PrimitiveId => {
            ("primitive number", "x is an integer, read by fragment programs as primitive.id.".to_owned())
        }
        VertexResult::Layer => (
            "layer",
            "x is an integer: the framebuffer layer that the primitive is drawn to, if there are several."
                .to_owned(),
        ),
    };
    // Undefined in the texts of the options too, except for clip distances (NV_vertex_program2_option
    // 2.14.3.4).
    let declared = match result {
        VertexResult::Clp(_) => "0 until written.",
        _ => "Undefined until written ((0,0,0,1) in Shadestep).",
    };
    (what, format!("{body}\n\n{}", either(language, "(0,0,0,1) until written.", declared)))
}

/// Tables X.4 and X.6 of NV_tessellation_program5: description and components.
pub fn patch_result(result: PatchResult) -> (&'static str, String) {
    match result {
        PatchResult::Outer(number) => (
            "outer tessellation level",
            format!("x is the number of segments that edge {number} is divided into"),
        ),
        PatchResult::Inner(number) => (
            "inner tessellation level",
            format!("x sets how finely the inside is divided in direction {number}"),
        ),
        PatchResult::Generic(number) => {
            ("patch attribute", format!("(x, y, z, w) of generic attribute {number} of the patch"))
        }
    }
}

/// A register that only sets the condition code.
pub fn condition_only(language: Language, word: &str, ty: Type) -> Text {
    let like = match ty {
        _ if language.profile().condition_registers.len() == 1 => "a temporary",
        Type::F16 => "an fp16 register",
        _ => "an fp32 register",
    };
    (
        format!("{word}: condition code only"),
        format!(
            "A destination that stores nothing. An instruction with C sets the condition code as if it had written {like}."
        ),
    )
}

/// Describes the array itself, for hovering over its name.
pub fn array(language: Language, array: Array) -> Text {
    let (title, body) = match (array, language.stage()) {
        (Array::Attributes, Stage::Fragment) => (
            "f: fragment attributes",
            "f[WPOS], f[COL0], f[COL1], f[FOGC] and f[TEX0] to f[TEX7] are read-only. An instruction can read only one of them.".to_owned(),
        ),
        // Programs of primitives do not have numbered registers.
        (Array::Attributes, Stage::Vertex | Stage::TessControl | Stage::TessEvaluation | Stage::Geometry) => (
            "v: vertex attributes",
            "v[0] to v[15], or the names of the conventional attributes that share them: v[OPOS], v[WGHT], v[NRML], v[COL0], v[COL1], v[FOGC], v[TEX0] to v[TEX7]. They are read-only, and an instruction can read only one of them.".to_owned(),
        ),
        (Array::Attributes, Stage::VertexState) => (
            "v: the state program's input",
            "Only v[0] exists: four numbers, given when the program runs.".to_owned(),
        ),
        (Array::Outputs, Stage::Fragment) => (
            "o: outputs",
            "o[COLR], o[COLH] and o[DEPR] are write-only. A program must write at least one of them.".to_owned(),
        ),
        (Array::Outputs, _) => (
            "o: vertex results",
            format!(
                "o[{}] are write-only, and each is (0,0,0,1) until written. A program must write o[HPOS], unless it is position-invariant.",
                words::output_names(language).join("], o[")
            ),
        ),
        (Array::Parameters, Stage::Fragment) => (
            "p: numbered local parameters",
            "p[0] to p[63] are vectors that can be set from outside between draws.".to_owned(),
        ),
        (Array::Parameters, _) => ("c: program parameters", parameter_file(language)),
    };
    (title.to_owned(), body)
}

/// Describes a relative parameter reference such as `c[A0.x+4]`, as written.
pub fn relative(language: Language, written: &str) -> Option<Text> {
    let (back, on) = offset_limits(language)?;
    let profile = language.profile();
    let four = profile.addresses.components.len() == 4;
    let component = if four { "A component of A0 or A1" } else { "A0.x" };
    let mut body = format!(
        "{component} plus the offset selects the parameter at run time; offsets go from -{back} to +{on}. Outside c[0] to c[{}] it reads (0,0,0,0). The instruction can read no other parameter.",
        profile.limits.parameters - 1
    );
    if profile.has_options() {
        let can = if profile.relative_when_invariant { "can use it too" } else { "cannot use it" };
        let _ = write!(body, " Position-invariant programs {can}.");
    }
    Some((format!("{written}: relative program parameter"), body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_language::front::arb::BindingContext;
    use shadestep_language::front::arb::symbols::{Setting, read_binding};
    use shadestep_language::ir::ConstantVector;

    fn body(language: Language, text: &str) -> (String, String) {
        let reading = read_binding(Setting::of(language), |_| false, text, BindingContext::Element);
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
        let constant =
            Meaning::Parameter(ParameterSource::Constant(ConstantVector::floats([1.0, 2.5, 0.0, 1.0])));
        assert_eq!(describe(Language::ArbVp1, &constant).1, "(1, 2.5, 0, 1), fixed in the program.");
    }

    /// The initial values of table 6.10 and its neighbours in the GL.
    #[test]
    fn defaults_are_those_of_the_gl() {
        let default =
            |text| body(Language::ArbVp1, text).1.split("\n\n").nth(1).unwrap_or_default().to_owned();
        assert_eq!(
            default("state.light[0].position"),
            "The default is (0, 0, 1, 0), unless the scene sets it."
        );
        assert_eq!(
            default("state.light[1].diffuse"),
            "The default is (0, 0, 0, 1), unless the scene sets it."
        );
        assert_eq!(
            default("state.matrix.mvp.row[1]"),
            "The default is (0, 1, 0, 0), unless the scene sets it."
        );
        assert_eq!(default("state.fog.params"), "The default is (1, 0, 1, 1), unless the scene sets it.");
    }
}
