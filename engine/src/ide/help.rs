//! Help texts for words that mean the same in every program: instructions, keywords, options, condition rules,
//! headers.

use std::fmt::Write as _;

use super::hover::Hover;
use super::meaning::Text;
use super::reference::{option_text, readings, rule_text, usages};
use super::words::{self, Word, classify, joined, listed};
use crate::front::arb::symbols::Meaning;
use crate::front::arb::words::numbered_condition;
use crate::ir::{Attribute, Condition, TargetOption, TextureTarget, limits};
use crate::isa::{self, Addresses, Cc, Info, Language, Modifier, Precision, Saturation, Stage, Suffixes};
use crate::num::fp32;
use crate::source::Span;

/// An instruction in `language`, with the suffixes that it has at `span`.
pub(super) fn instruction(info: &Info, suffixes: Suffixes, language: Language, span: Span) -> Option<Hover> {
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
        .chain(readings(info.opcode, language))
    {
        let _ = write!(body, "\n\n{rule}");
    }
    let profile = language.profile();
    match suffixes.precision {
        Some(Precision::R) => body.push_str("\n\nR: computed in fp32."),
        Some(Precision::H) if !profile.wide_coordinates => body.push_str("\n\nH: computed in fp16."),
        Some(Precision::X) if !profile.wide_coordinates => body.push_str(
            "\n\nX: operands are converted to fx12, [-2, 2) in steps of 1/1024; the result is exact, then rounded to fx12 once.",
        ),
        Some(Precision::H) => body.push_str(
            "\n\nH: computed in fp16, unless an operand is f[FOGC] or f[TEXn]: those instructions run in fp32.",
        ),
        Some(Precision::X) => body.push_str(
            "\n\nX: operands are converted to fx12, [-2, 2) in steps of 1/1024; the result is exact, then rounded to fx12 once. With f[FOGC] or f[TEXn] as an operand the instruction runs in fp32.",
        ),
        None if forms.has_precisions() => {
            body.push_str("\n\nWithout a precision suffix it runs at the destination's precision.");
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
            Stage::Fragment => ", after conversion to the destination's precision",
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
            Stage::Fragment => " before it is converted to the destination's precision",
            _ => "",
        };
        let name = Modifier::Saturation(suffixes.saturate).text(order);
        let name = name.trim_start_matches('.');
        let _ = write!(body, "\n\n{name}: clamps the result to {range}{converted}.");
    }
    let _ = write!(body, "\n\n{}", info.clause(language)?);
    Some(Hover { span, title, code, body })
}

/// The header, with what its language has.
pub(super) fn header(language: Language) -> Text {
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
    let behind = if declares { "; options come right behind it." } else { "." };
    let mut body = format!(
        "The program is written in the language of {}. The header must be the first bytes of the text{behind}",
        language.extension()
    );
    let count = isa::instructions(language).count();
    if declares {
        let _ = write!(
            body,
            "\n\n{count} instructions. A program can have {} of them, {} temporaries, {} parameters with its constants, {} attributes",
            limits.instructions, limits.temporaries, limits.parameters, limits.attributes
        );
        if limits.addresses > 0 {
            let _ = write!(body, " and {} address registers", limits.addresses);
        }
        let _ = write!(body, ".\n\nOptions are {}.", joined(profile.options));
    } else if profile.stage != Stage::Fragment {
        let Addresses { registers: addresses, components, .. } = profile.addresses;
        let address = if components == "x" { "A0.x".to_owned() } else { addresses.join(" and ") };
        let (last, parameters) = (limits.temporaries - 1, limits.parameters);
        let _ = write!(body, "\n\n{count} instructions, R0 to R{last}, {parameters} parameters, {address}.");
    }
    (format!("{}: {kind}", language.name()), body)
}

/// What an option does.
pub(super) fn option(language: Language, word: &str) -> Option<Text> {
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
                format!("Behind the program its colour goes through {how}, with the fragment's fog coordinate and the scene's fog colour and parameters, whatever fog is set outside. The colour is clamped before. A program has one such option."),
                "ARB_fragment_program 3.11.4.5.1",
            )
        }
        "ARB_precision_hint_fastest" | "ARB_precision_hint_nicest" => (
            "Says whether speed or precision matters more. It changes nothing here. A program has one of the two.".to_owned(),
            "ARB_fragment_program 3.11.4.5.2",
        ),
        "ARB_fragment_program_shadow" => (
            "Brings the texture targets SHADOW1D, SHADOW2D and SHADOWRECT, whose lookups compare the third coordinate with the depth found. Without it depth textures are looked up as they are.".to_owned(),
            "ARB_fragment_program_shadow 3.11.4.5.3",
        ),
        "ARB_draw_buffers" | "ATI_draw_buffers" => (
            format!("Brings result.color[n], n from 0 to {}: a colour for each draw buffer.", limits::DRAW_BUFFERS - 1),
            "ARB_draw_buffers 3.11.4.5.3",
        ),
        "ARB_blend_func_extended" => (
            "Brings result.color[n].primary, which is result.color[n], and result.color[n].secondary: a second colour, which blending multiplies with where its factors are SRC1_COLOR, SRC1_ALPHA or one minus these.".to_owned(),
            "NV_gpu_program5 3.11.4.5.3",
        ),
        "NV_early_fragment_tests" => (
            "Stencil and depth tests come before the program, so that what fails them is not shaded. A depth that the program writes is ignored.".to_owned(),
            "NV_gpu_program5 2.X.6.Y",
        ),
        "NV_shader_buffer_load" => (
            "Brings LOAD, which reads memory at an address. `!!NVvp5.0` and `!!NVfp5.0` have it without the option.".to_owned(),
            "NV_shader_buffer_load 2.X.6",
        ),
        "NV_parameter_buffer_object2" => (
            "Brings CBUFFER and LDC, which reads bytes of a parameter buffer. `!!NVvp5.0` and `!!NVfp5.0` have them without the option.".to_owned(),
            "NV_parameter_buffer_object2 2.X.6",
        ),
        "NV_texture_multisample" => (
            "Brings TXFMS, which reads single samples, and the texture targets 2DMS and ARRAY2DMS, whose texels have several.".to_owned(),
            "NV_texture_multisample 2.X.2",
        ),
        "NV_explicit_multisample" => (
            "Brings TXFMS, which reads single samples, and the texture target RENDERBUFFER, whose texels are those of a renderbuffer.".to_owned(),
            "NV_explicit_multisample 2.X.2",
        ),
        "NV_gpu_program5_mem_extended" => (
            "Brings the storage modifiers of 16-bit floats, and of two and four values of 8 and 16 bits: F16, F16X2, S8X4, U16X2 and so on.".to_owned(),
            "NV_gpu_program5_mem_extended 2.X.6",
        ),
        "ARB_fragment_coord_origin_upper_left" => {
            (format!("{position}.y counts from the upper edge of the window downwards."), conventions)
        }
        "ARB_fragment_coord_pixel_center_integer" => (
            format!("{position}.x and y are whole numbers at the centres of pixels, rather than halves."),
            conventions,
        ),
        "NV_position_invariant" => {
            let profile = language.profile();
            let restricted = profile.addresses.chooses.parameters && !profile.relative_when_invariant;
            let restriction = if restricted { " It must not read c[A0.x+n]." } else { "" };
            (
                format!("The position is left to the conventional transformation, so that it comes out exactly as without a program. The program must not write o[HPOS] and may have four instructions fewer.{restriction}"),
                "NV_vertex_program2 2.14.6.1",
            )
        }
        "ARB_position_invariant" => (
            "The position is left to the conventional transformation, so that it comes out exactly as without a program. The program cannot name result.position.".to_owned(),
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

/// What the option of `language` brings besides instructions.
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

/// What a statement's keyword does.
pub(super) fn keyword(language: Language, word: &str) -> Option<Text> {
    let (limits, typed) = (&language.profile().limits, language.profile().typed);
    let (what, body) = match word {
        "OPTION" if !language.profile().declares_variables() => (
            "change the program's surroundings",
            "OPTION name; Options stand before all other statements. Vertex programs have one, NV_position_invariant; fragment programs have ARB_fragment_coord_origin_upper_left and ARB_fragment_coord_pixel_center_integer, which say how f[WPOS] counts.".to_owned(),
        ),
        "DEFINE" => (
            "name a constant",
            "DEFINE name = constant; The constant is a number, another constant's name, or {one to four of them}; missing y and z are 0, a missing w is 1.".to_owned(),
        ),
        "DECLARE" => (
            "make a local parameter",
            "DECLARE name; or DECLARE name = constant; Makes a vector that can be set from outside the program. It is (0,0,0,0) until then if no constant is given; a scalar fills all four components.".to_owned(),
        ),
        "OPTION" => (
            "change the language or what is around the program",
            format!("OPTION name; before all other statements. There are {}.", joined(language.profile().options)),
        ),
        "TEMP" if typed => (
            "declare temporaries",
            format!("TEMP a, b[4]; Variables to compute with, and arrays of them; {} at most, each element counted. INT, UINT, FLOAT, SHORT or LONG before TEMP say what their components are.", limits.temporaries),
        ),
        "TEMP" => ("declare temporaries", format!("TEMP a, b; Variables to compute with, {} at most.", limits.temporaries)),
        "ADDRESS" => ("declare address registers", format!("ADDRESS a; Registers that choose elements of arrays, {} at most.", limits.addresses)),
        "PARAM" => (
            "declare a parameter or constant",
            "PARAM a = value; or PARAM a[n] = { value, ... }; A value is a number, {one to four of them} (missing y and z are 0, w is 1), program.env[n], program.local[n] or state. In arrays env[0..3], local[0..3] and whole matrices stand for several; the size may be left out.".to_owned(),
        ),
        "ATTRIB" => (
            "name an attribute",
            format!("ATTRIB a = {}; Read-only. The binding can also be written where it is used.", match language.stage() { Stage::Fragment => "fragment.color", Stage::Vertex | Stage::VertexState => "vertex.normal", _ => "vertex.position" }),
        ),
        "OUTPUT" => ("name a result", "OUTPUT a = result.color; Write-only. The binding can also be written where it is used.".to_owned()),
        "ALIAS" => ("give a variable another name", "ALIAS b = a; Both names mean the same variable.".to_owned()),
        "INT" | "UINT" | "FLOAT" => {
            let kind = match word {
                "INT" => "signed integers",
                "UINT" => "unsigned integers",
                _ => "floats",
            };
            (kind, format!("{word} TEMP a; The variable's components are {kind}. A program that reads or writes it as something else does not load. A variable without a type can be used as any."))
        }
        "FLAT" => ("not interpolated", "FLAT ATTRIB a = fragment.attrib[0]; Every fragment of a primitive has what its provoking vertex gave. Variables that are INT or UINT must be FLAT.".to_owned()),
        "CENTROID" => ("interpolated within the primitive", "CENTROID ATTRIB a = fragment.attrib[0]; The attribute is taken at a place that pixel and primitive share, where the centre of the pixel lies outside. Without multisampling that is the centre.".to_owned()),
        "NOPERSPECTIVE" => ("interpolated in the window", "NOPERSPECTIVE ATTRIB a = fragment.attrib[0]; The attribute varies linearly over the window, without division by w.".to_owned()),
        "SAMPLE" => ("interpolated at each sample", "SAMPLE ATTRIB a = fragment.attrib[0]; The program runs for each sample, and the attribute is taken there. Without multisampling that is the pixel's centre.".to_owned()),
        "TEXTURE" => ("name texture image units", "TEXTURE t = texture[0]; or TEXTURE t[4] = { texture[0..3] }; Lookups name t, t[2], or t[i.x] with an integer that a program computes.".to_owned()),
        "IMAGE" => ("name image units", "IMAGE i = image[0]; or IMAGE i[4] = { image[0..3] }; LOADIM, STOREIM and ATOMIM name i, i[2], or i[n.x] with an integer that a program computes.".to_owned()),
        "BUFFER" | "BUFFER4" => {
            let (what, unit) = match word {
                "BUFFER" => ("name words of a parameter buffer", "a word, the same in all components"),
                _ => ("name vectors of a parameter buffer", "four words"),
            };
            let body = format!("{word} b = program.buffer[a][n]; or {word} b[] = {{ program.buffer[a] }}; Read-only values of a buffer object: b[i] is {unit}. A binding point has variables of BUFFER or of BUFFER4, not of both.{}", if language.profile().texture_variables { " Of several buffers: b[][] = { program.buffer[0..3] }, whose first index says which." } else { "" });
            (what, body)
        }
        "CBUFFER" => ("name bytes of a parameter buffer", "CBUFFER c[] = { program.buffer[0] }; LDC reads what is at byte n of it as c[n], of the type and number that its storage modifier says. In `!!NVvp4.0` and `!!NVfp4.0` OPTION NV_parameter_buffer_object2 brings it.".to_owned()),
        "LONG" if language.profile().long_variables => (
            "64-bit components",
            "LONG TEMP a; The variable's components have 64 bits, for instructions of the types F64, S64 and U64. ATTRIB of vertex programs can be LONG, too.".to_owned(),
        ),
        "PRIMITIVE_IN" => (
            "say which primitives are read",
            format!("PRIMITIVE_IN TRIANGLES; The program runs for each primitive of a draw that is of this kind: {}. With adjacency a line has four vertices and a triangle six; the line goes from vertex 1 to 2, the triangle has vertices 0, 2 and 4.", joined(&words::of_primitives(language, word).0)),
        ),
        "PRIMITIVE_OUT" => (
            "say which primitives are made",
            format!("PRIMITIVE_OUT TRIANGLE_STRIP; What the emitted vertices are put together to: {}. ENDPRIM ends a strip and begins another.", joined(&words::of_primitives(language, word).0)),
        ),
        "VERTICES_OUT" if language.stage() == Stage::TessControl => (
            "say how many vertices the output patch has",
            format!("VERTICES_OUT 4; From 1 to {}. The program runs once for each of them, and primitive.invocation says for which, from 0. All invocations of a patch go on together, one instruction after the other.", limits::PATCH_VERTICES),
        ),
        "TESS_MODE" => (
            "say what a patch is divided as",
            format!("TESS_MODE QUADS; One of {}. A triangle has three outer levels and one inner, a square four and two; isolines are lines across a square, as many as outer level 0 says, of as many segments as outer level 1 says.", joined(&words::of_primitives(language, word).0)),
        ),
        "TESS_SPACING" => (
            "say how edges are divided",
            format!("TESS_SPACING FRACTIONAL_ODD; One of {}. EQUAL, which holds where nothing is declared, rounds levels up to whole ones and makes segments of one length. The others round up to odd or even ones, and two segments grow with the level, so that no vertex jumps.", joined(&words::of_primitives(language, word).0)),
        ),
        "TESS_VERTEX_ORDER" => (
            "say which way triangles go round",
            "TESS_VERTEX_ORDER CW; CW or CCW, as seen in (u, v) with u to the right and v upwards. CCW holds where nothing is declared.".to_owned(),
        ),
        "TESS_POINT_MODE" => (
            "make points",
            "TESS_POINT_MODE; Each vertex that the patch is divided at becomes a point, once.".to_owned(),
        ),
        "VERTICES_OUT" => (
            "say how many vertices are emitted at most",
            format!("VERTICES_OUT 4; From 1 to {}. All of them together may have {} components of the results that the program writes. What is emitted beyond the number is left out.", limits::OUTPUT_VERTICES, limits::OUTPUT_COMPONENTS),
        ),
        "INVOCATIONS" => (
            "say how often each primitive is worked on",
            format!("INVOCATIONS 6; The program runs so many times for each primitive, up to {}, and primitive.invocation says which time it is, from 0. What one invocation emits comes before what the next does.", limits::GEOMETRY_INVOCATIONS),
        ),
        "SUBROUTINETYPE" => (
            "say which subroutines are of a type",
            "SUBROUTINETYPE name { label, ... }; Adds the labels, each of which has a SUBROUTINENUM, to the type, and makes the type if there is none of the name.".to_owned(),
        ),
        "SUBROUTINE" => (
            "declare a subroutine variable",
            "SUBROUTINE type v = program.subroutine[n]; or SUBROUTINE type v[2] = { program.subroutine[0..1] }; CALI v; or CALI v[i.x]; calls the subroutine of the type that the application has chosen. A parameter has variables of one type only.".to_owned(),
        ),
        "SUBROUTINENUM" => (
            "number a subroutine",
            format!("label SUBROUTINENUM(n): gives the subroutine the number, from 0 to {}, by which the application chooses it. No other label has the same.", limits::SUBROUTINE_NUMBERS - 1),
        ),
        "SHORT" => ("16-bit floats", "SHORT TEMP a; or SHORT OUTPUT a = result.color; The variable's components are 16-bit floats.".to_owned()),
        "LONG" => ("32-bit floats", "LONG TEMP a; or LONG OUTPUT a = result.color; The variable's components are 32-bit floats, as they are without a size.".to_owned()),
        "END" => ("end of the program", "Only whitespace and comments may follow.".to_owned()),
        _ => return None,
    };
    Some((format!("{word}: {what}"), body))
}

/// What holds of a result where the test passes.
pub(super) const fn condition_words(condition: Condition) -> &'static str {
    match condition {
        Condition::Eq => "equal to zero",
        Condition::Ge => "greater than or equal to zero; false for NaN",
        Condition::Gt => "greater than zero",
        Condition::Le => "less than or equal to zero; false for NaN",
        Condition::Lt => "less than zero",
        Condition::Ne => "not equal to zero; true for NaN",
        Condition::Tr => "always true",
        Condition::Fl => "never true",
        Condition::Nan => "NaN",
        Condition::Leg => "anything but NaN",
        Condition::Cf => "carry",
        Condition::Ncf => "no carry",
        Condition::Of => "overflow",
        Condition::Nof => "no overflow",
        Condition::Ab => "above, of unsigned integers",
        Condition::Ble => "below or equal, of unsigned integers",
        Condition::Sf => "sign",
        Condition::Nsf => "no sign",
    }
}

/// A condition rule, which may name the register that it tests.
pub(super) fn condition(language: Language, word: &str) -> Option<Text> {
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
            "Tests each component of the condition code{register}, which instructions with the C suffix set; the code starts as EQ. A suffix such as .x or .wzyx picks the components to test."
        ),
    ))
}

pub(super) fn target(word: &str) -> Option<Text> {
    let target = words::target(word)?;
    let body = match target {
        TextureTarget::D1 => "Looked up with s = x.",
        TextureTarget::D2 => "Looked up with (s, t) = (x, y), in [0,1] across the image.",
        TextureTarget::D3 => "Looked up with (s, t, r) = (x, y, z).",
        TextureTarget::Cube => {
            "Looked up with the direction (x, y, z); its largest component picks the face."
        }
        TextureTarget::Rect => "Looked up with (s, t) = (x, y) in texels; no mipmaps.",
        TextureTarget::Shadow1D => "A 1D texture looked up with s = x and compared with z.",
        TextureTarget::Shadow2D => "A 2D texture looked up with (s, t) = (x, y) and compared with z.",
        TextureTarget::ShadowRect => {
            "A RECT texture looked up with (s, t) = (x, y) in texels and compared with z."
        }
        TextureTarget::Array1D => {
            "Layers of 1D images, looked up with s = x in layer y, rounded to the nearest."
        }
        TextureTarget::Array2D => {
            "Layers of 2D images, looked up with (s, t) = (x, y) in layer z, rounded to the nearest."
        }
        TextureTarget::ShadowCube => "A cube map looked up with the direction (x, y, z) and compared with w.",
        TextureTarget::ShadowArray1D => {
            "An ARRAY1D texture looked up with s = x in layer y and compared with z."
        }
        TextureTarget::ShadowArray2D => {
            "An ARRAY2D texture looked up with (s, t) = (x, y) in layer z and compared with w."
        }
        TextureTarget::Buffer => "The texels of a buffer object, which TXF reads by number and TXQ counts.",
        TextureTarget::ArrayCube => {
            "Layers of cube maps, looked up with the direction (x, y, z) in layer w, rounded to the nearest."
        }
        TextureTarget::Multisample2D => {
            "Several samples a texel: TXFMS reads, and images are accessed at, texel (x, y), sample w."
        }
        TextureTarget::MultisampleArray2D => {
            "Layers of images with several samples a texel: texel (x, y) of layer z, sample w."
        }
        TextureTarget::Renderbuffer => "The samples of a renderbuffer: TXFMS reads texel (x, y), sample w.",
        TextureTarget::ShadowArrayCube => {
            "An ARRAYCUBE texture compared with a number for which no instruction has a place: TXQ and LOD alone take it."
        }
    };
    Some((format!("{word}: texture target"), body.to_owned()))
}

pub(super) fn components(word: &str) -> Text {
    let body = match word.len() {
        1 => format!("One component: {word} alone. As a vector operand it fills all four places."),
        4 => {
            let parts: Vec<String> =
                "xyzw".chars().zip(word.chars()).map(|(to, from)| format!("{to} from {from}")).collect();
            format!("On an operand: {}. On a destination: all four components are written.", parts.join(", "))
        }
        _ => format!(
            "Write mask: only {} change.",
            word.chars().map(String::from).collect::<Vec<_>>().join(", ")
        ),
    };
    (format!(".{word}"), body)
}

pub(super) fn number(word: &str) -> Option<Text> {
    let value = fp32::flush::<f32>(word.parse().ok()?);
    Some((format!("{word} = {value}"), format!("fp32 bits {:#010x}.", value.to_bits())))
}

/// A word that nothing declares and the language does not have: the option that brings it, if one does.
pub(super) fn missing(language: Language, word: &str) -> Option<Text> {
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
    let body = format!("`{word}` comes with `OPTION {option};`, which this program does not have.");
    Some((format!("{word}: not in {}", language.name()), body))
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

/// The clause that defines bindings of this kind.
pub(super) const fn binding_clause(language: Language, meaning: &Meaning) -> &'static str {
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
