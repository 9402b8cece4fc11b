//! Help texts for words with the same meaning in every program: instructions, keywords, options, condition
//! rules and headers.

use std::fmt::Write as _;

use super::hover::Hover;
use super::meaning::Text;
use super::reference::{option_text, readings, rule_text, usages};
use super::words::{self, Word, classify, joined, listed};
use shadestep_language::front::arb::symbols::Meaning;
use shadestep_language::front::arb::words::numbered_condition;
use shadestep_language::ir::{Attribute, Condition, TargetOption, TextureTarget, limits};
use shadestep_language::isa::{
    self, Addresses, Cc, Info, Language, Modifier, Precision, Saturation, Stage, Suffixes,
};
use shadestep_language::num::fp32;
use shadestep_language::source::Span;

/// Help for an instruction in `language`, with the suffixes that it has at `span`.
pub fn instruction(info: &Info, suffixes: Suffixes, language: Language, span: Span) -> Option<Hover> {
    let forms = info.forms(language)?;
    let order = language.profile().modifier_order;
    let title = format!("{}{}: {}", info.mnemonic, suffixes.text_in(order), info.title);
    let mut code = usages(info, language);
    code.push(info.formula_in(language).to_owned());
    let mut body = info.prose_in(language).to_owned();
    for rule in rule_text(info.rule_in(language), language)
        .map(str::to_owned)
        .into_iter()
        .chain(option_text(info, language))
        .chain(readings(info, language))
    {
        let _ = write!(body, "\n\n{rule}");
    }
    let profile = language.profile();
    match suffixes.precision {
        Some(Precision::R) => body.push_str("\n\nR: computed in fp32."),
        Some(Precision::H) if !profile.wide_coordinates => body.push_str("\n\nH: computed in fp16."),
        Some(Precision::X) if !profile.wide_coordinates => body.push_str(
            "\n\nX: computed in fx12, [-2, 2) in steps of 1/1024. The operands are converted to fx12; the result is exact, then rounded once.",
        ),
        Some(Precision::H) => body.push_str(
            "\n\nH: computed in fp16, or in fp32 if an operand is f[FOGC] or f[TEXn].",
        ),
        Some(Precision::X) => body.push_str(
            "\n\nX: computed in fx12, [-2, 2) in steps of 1/1024. The operands are converted to fx12; the result is exact, then rounded once. If an operand is f[FOGC] or f[TEXn], the instruction runs in fp32.",
        ),
        None if forms.has_precisions() => {
            body.push_str("\n\nWithout a precision suffix: computed in the destination's precision.");
        }
        None => {}
    }
    for modifier in suffixes.modifiers().filter(|modifier| modifier.suffix().is_none()) {
        let _ = write!(body, "\n\n{}: {}.", modifier.dotted().unwrap_or_default(), modifier.title());
    }
    if let Some(cc) = suffixes.cc {
        let name = Modifier::Cc(cc).text(order);
        let name = name.trim_start_matches('.');
        let code = match cc {
            Cc::C if profile.condition_codes > 1 => "the first condition code, like C0,",
            Cc::C => "the condition code",
            Cc::C0 => "the first condition code",
            Cc::C1 => "the second condition code",
        };
        let converted = match language.stage() {
            Stage::Fragment => ", after they are converted to the destination's precision",
            _ => "",
        };
        let _ = write!(body, "\n\n{name}: sets {code} from the components written{converted}.");
    }
    let range = match suffixes.saturate {
        Saturation::None => None,
        Saturation::Unsigned => Some("[0,1]"),
        Saturation::Signed => Some("[-1,1]"),
    };
    if let Some(range) = range {
        let converted = match language.stage() {
            Stage::Fragment => ", before it is converted to the destination's precision",
            _ => "",
        };
        let name = Modifier::Saturation(suffixes.saturate).text(order);
        let name = name.trim_start_matches('.');
        let _ = write!(body, "\n\n{name}: clamps the result to {range}{converted}.");
    }
    let _ = write!(body, "\n\n{}", info.clause(language)?);
    Some(Hover { span, title, code, body })
}

/// Help for the header, with the features of its language.
pub fn header(language: Language) -> Text {
    let profile = language.profile();
    let limits = &profile.limits;
    let kind = match profile.stage {
        Stage::Fragment => "fragment program",
        Stage::Vertex => "vertex program",
        Stage::VertexState => "vertex state program",
        Stage::TessControl => "tessellation control program",
        Stage::TessEvaluation => "tessellation evaluation program",
        Stage::Geometry => "geometry program",
    };
    let declares = profile.declares_variables();
    let behind = if declares { ", and options come right after it." } else { "." };
    let mut body = format!(
        "The language is defined by {}. The header must be at the very start of the text{behind}",
        language.extension()
    );
    let count = isa::instructions(language).count();
    if declares {
        let _ = write!(
            body,
            "\n\nThe language has {count} instructions. A program can have up to {} instructions, {} temporaries, {} parameters (constants included), {} attributes",
            limits.instructions, limits.temporaries, limits.parameters, limits.attributes
        );
        if limits.addresses > 0 {
            let _ = write!(body, " and {} address registers", limits.addresses);
        }
        let _ = write!(body, ".\n\nThe options are {}.", joined(profile.options));
    } else if profile.stage != Stage::Fragment {
        let Addresses { registers: addresses, components, .. } = profile.addresses;
        let address = if components == "x" { "A0.x".to_owned() } else { addresses.join(" and ") };
        let (last, parameters) = (limits.temporaries - 1, limits.parameters);
        let _ = write!(
            body,
            "\n\nThe language has {count} instructions, registers R0 to R{last}, {parameters} parameters, and {address}."
        );
    }
    (format!("{}: {kind}", language.name()), body)
}

/// Help for an option.
pub fn option(language: Language, word: &str) -> Option<Text> {
    let position = Attribute::Wpos.register_in(language);
    let conventions = if language.profile().declares_variables() {
        "ARB_fragment_coord_conventions 3.11.4.5.3"
    } else {
        "ARB_fragment_coord_conventions 3.11.1.1"
    };
    let (body, clause) = match word {
        "ARB_fog_exp" | "ARB_fog_exp2" | "ARB_fog_linear" => {
            let how = match word {
                "ARB_fog_exp" => "exponential fog",
                "ARB_fog_exp2" => "squared exponential fog",
                _ => "linear fog",
            };
            (
                format!("Applies {how} to the colour after the program runs, with the fragment's fog coordinate and the scene's fog colour and parameters. It replaces the fog set outside the program. The colour is clamped first. A program can have one fog option."),
                "ARB_fragment_program 3.11.4.5.1",
            )
        }
        "ARB_precision_hint_fastest" | "ARB_precision_hint_nicest" => (
            "Asks OpenGL to favour speed (fastest) or precision (nicest). Shadestep ignores the hint. A program can have one of the two.".to_owned(),
            "ARB_fragment_program 3.11.4.5.2",
        ),
        "ARB_fragment_program_shadow" => (
            "Adds the texture targets SHADOW1D, SHADOW2D and SHADOWRECT. Their lookups compare the third coordinate with the depth in the texture. Without this option, a lookup in a depth texture returns the depth itself.".to_owned(),
            "ARB_fragment_program_shadow 3.11.4.5.3",
        ),
        "ARB_draw_buffers" | "ATI_draw_buffers" => (
            format!("Adds result.color[n], a colour for each draw buffer, with n from 0 to {}.", limits::DRAW_BUFFERS - 1),
            "ARB_draw_buffers 3.11.4.5.3",
        ),
        "ARB_blend_func_extended" => (
            "Adds result.color[n].primary, the same as result.color[n], and result.color[n].secondary. Blending uses this second colour for the factors SRC1_COLOR, ONE_MINUS_SRC1_COLOR, SRC1_ALPHA and ONE_MINUS_SRC1_ALPHA.".to_owned(),
            "NV_gpu_program5 3.11.4.5.3",
        ),
        "NV_early_fragment_tests" => (
            "Runs the stencil and depth tests before the program, so that fragments that fail are not shaded. A depth that the program writes is ignored.".to_owned(),
            "NV_gpu_program5 2.X.6.Y",
        ),
        "NV_shader_buffer_load" => (
            "Adds LOAD, which reads memory at an address. `!!NVvp5.0` and `!!NVfp5.0` have it without the option.".to_owned(),
            "NV_shader_buffer_load 2.X.6",
        ),
        "NV_parameter_buffer_object2" => (
            "Adds CBUFFER and LDC, which reads bytes of a parameter buffer. `!!NVvp5.0` and `!!NVfp5.0` have them without the option.".to_owned(),
            "NV_parameter_buffer_object2 2.X.6",
        ),
        "NV_texture_multisample" => (
            "Adds TXFMS, which reads single samples, and the texture targets 2DMS and ARRAY2DMS, which have several samples per texel.".to_owned(),
            "NV_texture_multisample 2.X.2",
        ),
        "NV_explicit_multisample" => (
            "Adds TXFMS, which reads single samples, and the texture target RENDERBUFFER, which reads the samples of a renderbuffer.".to_owned(),
            "NV_explicit_multisample 2.X.2",
        ),
        "NV_gpu_program5_mem_extended" => (
            "Adds storage modifiers for 16-bit floats, and for two or four values of 8 or 16 bits: F16, F16X2, S8X4, U16X2 and so on.".to_owned(),
            "NV_gpu_program5_mem_extended 2.X.6",
        ),
        "ARB_fragment_coord_origin_upper_left" => {
            (format!("{position}.y grows downwards from the upper edge of the window."), conventions)
        }
        "ARB_fragment_coord_pixel_center_integer" => (
            format!("At pixel centres, {position}.x and y are whole numbers instead of halves such as 0.5."),
            conventions,
        ),
        "NV_position_invariant" => {
            let profile = language.profile();
            let restricted = profile.addresses.chooses.parameters && !profile.relative_when_invariant;
            let restriction = if restricted { " It must not read c[A0.x+n]." } else { "" };
            (
                format!("Leaves the position to the fixed-function transformation, so that it is exactly the same as without a program. The program must not write o[HPOS], and its limit is four instructions lower.{restriction}"),
                "NV_vertex_program2 2.14.6.1",
            )
        }
        "ARB_position_invariant" => (
            "Leaves the position to the fixed-function transformation, so that it is exactly the same as without a program. The program cannot name result.position.".to_owned(),
            "ARB_vertex_program 2.14.4.5.1",
        ),
        _ => {
            let all = language.base().profile().later;
            let brought = all.iter().copied().find(|other| other.option() == Some(word))?;
            return Some((format!("{word}: program option"), extension(brought)));
        }
    };
    let known = language.profile().options.contains(&word);
    known.then(|| (format!("{word}: program option"), format!("{body}\n\n{clause}")))
}

/// The features that the option of `language` adds besides instructions.
fn extension(language: Language) -> String {
    let before: Vec<Language> =
        Language::ALL.into_iter().filter(|before| before.profile().later.contains(&language)).collect();
    let added = isa::instructions(language)
        .filter(|info| before.iter().all(|language| info.forms(*language).is_none()))
        .map(|info| info.mnemonic);
    let brings = language.profile().brings;
    let added: Vec<&str> = added.collect();
    format!("{brings}\n\nInstructions: {}.\n\n{}", joined(&added), language.extension())
}

/// Help for the keyword of a statement.
pub fn keyword(language: Language, word: &str) -> Option<Text> {
    let (limits, typed) = (&language.profile().limits, language.profile().typed);
    let (what, body) = match word {
        "OPTION" if !language.profile().declares_variables() => (
            "enable an option",
            "OPTION name; Options come before all other statements. Vertex programs have one, NV_position_invariant. Fragment programs have ARB_fragment_coord_origin_upper_left and ARB_fragment_coord_pixel_center_integer, which change the origin and the pixel centres of f[WPOS].".to_owned(),
        ),
        "DEFINE" => (
            "name a constant",
            "DEFINE name = constant; The constant is a number, the name of another constant, or one to four numbers in braces. A missing y or z is 0, and a missing w is 1.".to_owned(),
        ),
        "DECLARE" => (
            "declare a local parameter",
            "DECLARE name; or DECLARE name = constant; Declares a vector that can be set from outside the program. Until then it has the value of the constant, or (0,0,0,0) without one. A scalar fills all four components.".to_owned(),
        ),
        "OPTION" => (
            "enable an option",
            format!("OPTION name; Options come before all other statements. The options are {}.", joined(language.profile().options)),
        ),
        "TEMP" if typed => (
            "declare temporaries",
            format!("TEMP a, b[4]; Declares temporary variables and arrays, at most {}; each element of an array counts. INT, UINT, FLOAT, SHORT or LONG before TEMP sets the type of the components.", limits.temporaries),
        ),
        "TEMP" => ("declare temporaries", format!("TEMP a, b; Declares temporary variables, at most {}.", limits.temporaries)),
        "ADDRESS" => ("declare address registers", format!("ADDRESS a; Declares address registers, at most {}. They index arrays.", limits.addresses)),
        "PARAM" => (
            "declare a parameter or constant",
            "PARAM a = value; or PARAM a[n] = { value, ... }; A value is a number, one to four numbers in braces (a missing y or z is 0, a missing w is 1), program.env[n], program.local[n] or state. In an array, env[0..3], local[0..3] and whole matrices give several values, and the size is optional.".to_owned(),
        ),
        "ATTRIB" => (
            "name an attribute",
            format!("ATTRIB a = {}; The name is read-only. You can also write the binding where you use it.", match language.stage() { Stage::Fragment => "fragment.color", Stage::Vertex | Stage::VertexState => "vertex.normal", _ => "vertex.position" }),
        ),
        "OUTPUT" => ("name a result", "OUTPUT a = result.color; The name is write-only. You can also write the binding where you use it.".to_owned()),
        "ALIAS" => ("give a variable another name", "ALIAS b = a; Both names mean the same variable.".to_owned()),
        "INT" | "UINT" | "FLOAT" => {
            let kind = match word {
                "INT" => "signed integers",
                "UINT" => "unsigned integers",
                _ => "floats",
            };
            (kind, format!("{word} TEMP a; The components of the variable are {kind}. A program that uses them as another type does not load. A variable without a type works with any type."))
        }
        "FLAT" => ("not interpolated", "FLAT ATTRIB a = fragment.attrib[0]; Every fragment of a primitive gets the value of the provoking vertex. INT and UINT variables must be FLAT.".to_owned()),
        "CENTROID" => ("interpolated inside the primitive", "CENTROID ATTRIB a = fragment.attrib[0]; If the pixel centre is outside the primitive, the attribute is taken at a point that is inside both the pixel and the primitive. Without multisampling it is taken at the centre.".to_owned()),
        "NOPERSPECTIVE" => ("interpolated linearly in the window", "NOPERSPECTIVE ATTRIB a = fragment.attrib[0]; The attribute varies linearly over the window, without division by w.".to_owned()),
        "SAMPLE" => ("interpolated at each sample", "SAMPLE ATTRIB a = fragment.attrib[0]; The program runs once per sample, and the attribute is taken at that sample. Without multisampling it is taken at the pixel centre.".to_owned()),
        "TEXTURE" => ("name texture image units", "TEXTURE t = texture[0]; or TEXTURE t[4] = { texture[0..3] }; Lookups can use t, t[2], or t[i.x] with an integer that the program computes.".to_owned()),
        "IMAGE" => ("name image units", "IMAGE i = image[0]; or IMAGE i[4] = { image[0..3] }; LOADIM, STOREIM and ATOMIM can use i, i[2], or i[n.x] with an integer that the program computes.".to_owned()),
        "BUFFER" | "BUFFER4" => {
            let (what, unit) = match word {
                "BUFFER" => ("name words of a parameter buffer", "one word, copied to all components"),
                _ => ("name vectors of a parameter buffer", "four words"),
            };
            let body = format!("{word} b = program.buffer[a][n]; or {word} b[] = {{ program.buffer[a] }}; Declares read-only values of a buffer object: b[i] is {unit}. A binding point can have BUFFER or BUFFER4 variables, but not both.{}", if language.profile().texture_variables { " For several buffers, write b[][] = { program.buffer[0..3] }; the first index selects the buffer." } else { "" });
            (what, body)
        }
        "CBUFFER" => ("name bytes of a parameter buffer", "CBUFFER c[] = { program.buffer[0] }; LDC reads the values at byte n of the buffer as c[n], and its storage modifier gives their type and number. In `!!NVvp4.0` and `!!NVfp4.0` this needs OPTION NV_parameter_buffer_object2.".to_owned()),
        "LONG" if language.profile().long_variables => (
            "64-bit components",
            "LONG TEMP a; The variable has 64-bit components, for instructions of the types F64, S64 and U64. In vertex programs, ATTRIB can be LONG too.".to_owned(),
        ),
        "PRIMITIVE_IN" => (
            "set the input primitive",
            format!("PRIMITIVE_IN TRIANGLES; The program runs once for each primitive of a draw, which must be of this kind: {}. With adjacency, a line has four vertices and goes from vertex 1 to 2; a triangle has six and uses vertices 0, 2 and 4.", joined(&words::of_primitives(language, word).0)),
        ),
        "PRIMITIVE_OUT" => (
            "set the output primitive",
            format!("PRIMITIVE_OUT TRIANGLE_STRIP; The emitted vertices form one of {}. ENDPRIM ends a strip and starts another.", joined(&words::of_primitives(language, word).0)),
        ),
        "VERTICES_OUT" if language.stage() == Stage::TessControl => (
            "set the number of vertices in the output patch",
            format!("VERTICES_OUT 4; From 1 to {}. The program runs once for each vertex, and primitive.invocation is the number of that vertex, from 0. All invocations of a patch run in step, one instruction after the other.", limits::PATCH_VERTICES),
        ),
        "TESS_MODE" => (
            "set the tessellation mode",
            format!("TESS_MODE QUADS; One of {}. A triangle has three outer levels and one inner level, a square four and two. Isolines are lines across a square: outer level 0 is the number of lines, and outer level 1 the number of segments per line.", joined(&words::of_primitives(language, word).0)),
        ),
        "TESS_SPACING" => (
            "set how edges are divided",
            format!("TESS_SPACING FRACTIONAL_ODD; One of {}. EQUAL, the default, rounds levels up to whole numbers and makes all segments equally long. The others round up to odd or even numbers, and two of the segments grow with the level, so that no vertex jumps.", joined(&words::of_primitives(language, word).0)),
        ),
        "TESS_VERTEX_ORDER" => (
            "set the winding of triangles",
            "TESS_VERTEX_ORDER CW; CW or CCW, as seen in (u, v) with u to the right and v upwards. The default is CCW.".to_owned(),
        ),
        "TESS_POINT_MODE" => (
            "generate points",
            "TESS_POINT_MODE; Each vertex of the divided patch becomes one point.".to_owned(),
        ),
        "VERTICES_OUT" => (
            "set the maximum number of vertices",
            format!("VERTICES_OUT 4; From 1 to {}. The emitted vertices can have {} result components in total. Further vertices are not emitted.", limits::OUTPUT_VERTICES, limits::OUTPUT_COMPONENTS),
        ),
        "INVOCATIONS" => (
            "set how often the program runs per primitive",
            format!("INVOCATIONS 6; The program runs this many times for each primitive, up to {}, and primitive.invocation is the number of the run, from 0. The output of one invocation comes before the output of the next.", limits::GEOMETRY_INVOCATIONS),
        ),
        "SUBROUTINETYPE" => (
            "list the subroutines of a type",
            "SUBROUTINETYPE name { label, ... }; Adds the labels to the type, which is created if it does not exist. Each label must have a SUBROUTINENUM.".to_owned(),
        ),
        "SUBROUTINE" => (
            "declare a subroutine variable",
            "SUBROUTINE type v = program.subroutine[n]; or SUBROUTINE type v[2] = { program.subroutine[0..1] }; CALI v; or CALI v[i.x]; calls the subroutine of this type that the application has chosen. All variables of a parameter must have the same type.".to_owned(),
        ),
        "SUBROUTINENUM" => (
            "number a subroutine",
            format!("label SUBROUTINENUM(n): gives the subroutine a number from 0 to {}, by which the application chooses it. Each number can be used once.", limits::SUBROUTINE_NUMBERS - 1),
        ),
        "SHORT" => ("16-bit floats", "SHORT TEMP a; or SHORT OUTPUT a = result.color; The components are 16-bit floats.".to_owned()),
        "LONG" => ("32-bit floats", "LONG TEMP a; or LONG OUTPUT a = result.color; The components are 32-bit floats, the same as without a size.".to_owned()),
        "END" => ("end of the program", "Only whitespace and comments may follow.".to_owned()),
        _ => return None,
    };
    Some((format!("{word}: {what}"), body))
}

/// The property of a result for which the test passes.
pub const fn condition_words(condition: Condition) -> &'static str {
    match condition {
        Condition::Eq => "equal to zero",
        Condition::Ge => "greater than or equal to zero (false for NaN)",
        Condition::Gt => "greater than zero",
        Condition::Le => "less than or equal to zero (false for NaN)",
        Condition::Lt => "less than zero",
        Condition::Ne => "not equal to zero (true for NaN)",
        Condition::Tr => "always true",
        Condition::Fl => "always false",
        Condition::Nan => "NaN",
        Condition::Leg => "anything but NaN",
        Condition::Cf => "carry set",
        Condition::Ncf => "carry clear",
        Condition::Of => "overflow set",
        Condition::Nof => "overflow clear",
        Condition::Ab => "above (unsigned)",
        Condition::Ble => "below or equal (unsigned)",
        Condition::Sf => "sign set",
        Condition::Nsf => "sign clear",
    }
}

/// Help for a condition rule, which may include the number of a condition code.
pub fn condition(language: Language, word: &str) -> Option<Text> {
    let (condition, _) = numbered_condition(language, word)?;
    let register = match word.as_bytes().last() {
        Some(b'0') => " of the first register",
        Some(b'1') => " of the second register",
        _ => "",
    };
    let what = condition_words(condition);
    Some((
        format!("{word}: {what}"),
        format!(
            "Tests each component of the condition code{register}. Instructions with the C suffix set the code, which starts as EQ. A suffix such as .x or .wzyx selects the components to test."
        ),
    ))
}

pub fn target(word: &str) -> Option<Text> {
    let target = words::target(word)?;
    let body = match target {
        TextureTarget::D1 => "The coordinate is s = x.",
        TextureTarget::D2 => "The coordinates are (s, t) = (x, y), from 0 to 1 across the image.",
        TextureTarget::D3 => "The coordinates are (s, t, r) = (x, y, z).",
        TextureTarget::Cube => {
            "The coordinates are a direction (x, y, z); its largest component selects the face."
        }
        TextureTarget::Rect => "The coordinates are (s, t) = (x, y) in texels. There are no mipmaps.",
        TextureTarget::Shadow1D => {
            "A 1D depth texture. The coordinate is s = x, and z is compared with the depth."
        }
        TextureTarget::Shadow2D => {
            "A 2D depth texture. The coordinates are (s, t) = (x, y), and z is compared with the depth."
        }
        TextureTarget::ShadowRect => {
            "A RECT depth texture. The coordinates are (s, t) = (x, y) in texels, and z is compared with the depth."
        }
        TextureTarget::Array1D => {
            "An array of 1D images. The coordinate is s = x, and y is the layer, rounded to the nearest."
        }
        TextureTarget::Array2D => {
            "An array of 2D images. The coordinates are (s, t) = (x, y), and z is the layer, rounded to the nearest."
        }
        TextureTarget::ShadowCube => {
            "A cube map of depths. The coordinates are a direction (x, y, z), and w is compared with the depth."
        }
        TextureTarget::ShadowArray1D => {
            "An ARRAY1D depth texture. The coordinate is s = x, y is the layer, and z is compared with the depth."
        }
        TextureTarget::ShadowArray2D => {
            "An ARRAY2D depth texture. The coordinates are (s, t) = (x, y), z is the layer, and w is compared with the depth."
        }
        TextureTarget::Buffer => {
            "The texels of a buffer object. TXF reads a texel by number, and TXQ returns their count."
        }
        TextureTarget::ArrayCube => {
            "An array of cube maps. The coordinates are a direction (x, y, z), and w is the layer, rounded to the nearest."
        }
        TextureTarget::Multisample2D => {
            "An image with several samples per texel. TXFMS and image instructions access texel (x, y), sample w."
        }
        TextureTarget::MultisampleArray2D => {
            "An array of images with several samples per texel. The coordinates are texel (x, y), layer z and sample w."
        }
        TextureTarget::Renderbuffer => "The samples of a renderbuffer. TXFMS reads texel (x, y), sample w.",
        TextureTarget::ShadowArrayCube => {
            "An ARRAYCUBE depth texture. A lookup has no coordinate left for the value to compare, so only TXQ and LOD accept this target."
        }
    };
    Some((format!("{word}: texture target"), body.to_owned()))
}

pub fn components(word: &str) -> Text {
    let body = match word.len() {
        1 => format!("Component {word} only. As a vector operand it fills all four components."),
        4 => {
            let parts: Vec<String> =
                "xyzw".chars().zip(word.chars()).map(|(to, from)| format!("{to} from {from}")).collect();
            format!("On an operand: {}. On a destination: writes all four components.", parts.join(", "))
        }
        _ => format!(
            "Write mask: only {} change.",
            joined(&word.split("").filter(|letter| !letter.is_empty()).collect::<Vec<_>>())
        ),
    };
    (format!(".{word}"), body)
}

pub fn number(word: &str) -> Option<Text> {
    let value = fp32::flush::<f32>(word.parse().ok()?);
    Some((format!("{word} = {value}"), format!("fp32 bits {:#010x}.", value.to_bits())))
}

/// Help for an undeclared word that `language` lacks: the option that adds it, if there is one.
pub fn missing(language: Language, word: &str) -> Option<Text> {
    let later = isa::later_language(language, word).or_else(|| {
        language
            .profile()
            .later
            .iter()
            .copied()
            .find(|later| matches!(classify(*later, word), Word::Condition))
    });
    let profile = language.profile();
    let target = words::target(word).filter(|target| profile.targets.contains(target));
    let of_target = target.and_then(|target| TargetOption::of(target, profile)).map(TargetOption::name);
    let option = later.and_then(Language::option).or(of_target)?;
    let body = format!("`{word}` needs `OPTION {option};`, which this program does not have.");
    Some((format!("{word}: not in {}", language.name()), body))
}

/// Help for a word that `language` lacks: the languages that have it.
pub fn elsewhere(language: Language, word: &str, others: &[Language]) -> Text {
    (
        format!("{word}: not in {}", language.name()),
        format!("`{word}` exists in {}, but not in {}.", listed(others), language.name()),
    )
}

/// The clause that defines bindings of this kind.
pub const fn binding_clause(language: Language, meaning: &Meaning) -> &'static str {
    let (fragment, vertex) = match meaning {
        Meaning::Attribute(_) | Meaning::IndexedAttribute(_) => {
            ("ARB_fragment_program 3.11.3.1", "ARB_vertex_program 2.14.3.1")
        }
        Meaning::Result(..) | Meaning::IndexedResult => {
            ("ARB_fragment_program 3.11.3.4", "ARB_vertex_program 2.14.3.4")
        }
        Meaning::SubroutineType(_) | Meaning::Subroutine { .. } | Meaning::SubroutineParameter(_) => {
            return "ARB_shader_subroutine 2.X.5";
        }
        Meaning::Buffer(_) | Meaning::BufferBinding(_) => return "NV_gpu_program4 2.X.3.6",
        Meaning::ImageUnit(_) => return "EXT_shader_image_load_store 2.X.3.X",
        Meaning::TextureUnit(_) => ("ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.4"),
        _ => ("ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2"),
    };
    match language.stage() {
        Stage::Fragment => fragment,
        _ => vertex,
    }
}
