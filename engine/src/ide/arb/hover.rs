//! What the words of an ARB program mean, for a pointer that rests on them.

use std::fmt::Write as _;

use crate::front::arb::symbols::{Declared, Meaning, Symbols};
use crate::front::arb::words::{numbered_condition, role};
use crate::front::words::Role;
use crate::ide::highlight::Coloured;
use crate::ide::hover::{Hover, uses};
use crate::ide::lexicon::Lexicon;
use crate::ide::meaning::describe;
use crate::ide::registers::Text;
use crate::ide::words::{self, joined};
use crate::ir::{Condition, Element, Program, Source, Target, limits};
use crate::isa::{self, Language, Stage};
use crate::source::LineIndex;

/// An ARB program with the line that is pointed at.
pub(in crate::ide) struct Pointed<'p> {
    pub symbols: &'p Symbols,
    pub index: &'p LineIndex,
    pub program: Option<&'p Program>,
}

impl Pointed<'_> {
    const fn language(&self) -> Language {
        self.symbols.setting.language
    }

    /// The binding or texture image unit of which `offset` is a part; spans count from the line's start.
    pub fn binding(&self, line: &[u8], number: usize, offset: usize) -> Option<Hover> {
        let lexicon = Lexicon::of_symbols(self.symbols);
        let Coloured { binding, .. } = Coloured::of(line, number, &lexicon, Some(offset));
        let (span, meaning) = binding?;
        let meaning = meaning?;
        let written: String = String::from_utf8_lossy(span.slice(line)).split_whitespace().collect();
        let (what, mut body) = describe(self.language(), &meaning);
        if let Some(uses) = self.uses(&meaning, None) {
            let _ = write!(body, "\n\n{uses}");
        }
        let _ = write!(body, "\n\n{}", self.clause(&meaning));
        Some(Hover { span, title: format!("{written}: {what}"), code: Vec::new(), body })
    }

    /// What a declared name stands for.
    pub fn name(&self, word: &str) -> Option<Text> {
        let Declared { meaning, place } = self.symbols.names.get(word)?;
        let (what, mut body) = describe(self.language(), meaning);
        if let Some(binding) = self.spelling(meaning) {
            body = format!("Stands for {binding}. {body}");
        }
        if let Some(place) = place {
            let _ = write!(body, "\n\nDeclared in line {}.", self.index.line_of(place.start) + 1);
        }
        if let Some(uses) = self.uses(meaning, Some(word)) {
            let separator = if place.is_some() { " " } else { "\n\n" };
            let _ = write!(body, "{separator}{uses}");
        }
        Some((format!("{word}: {what}"), body))
    }

    /// How a binding is spelt, if it is one.
    fn spelling(&self, meaning: &Meaning) -> Option<String> {
        let language = self.language();
        match meaning {
            Meaning::Attribute(attribute) => Some(attribute.register_in(language)),
            Meaning::Parameter(source) => source.name_in(language),
            Meaning::Result(role, _) => Some(role.binding()),
            _ => None,
        }
    }

    /// The clause that defines what kind of thing it is.
    fn clause(&self, meaning: &Meaning) -> &'static str {
        let vertex = self.language().stage() == Stage::Vertex;
        match meaning {
            Meaning::Attribute(_) | Meaning::IndexedAttribute(_) if vertex => "ARB_vertex_program 2.14.3.1",
            Meaning::Attribute(_) | Meaning::IndexedAttribute(_) => "ARB_fragment_program 3.11.3.1",
            Meaning::Result(..) | Meaning::IndexedResult if vertex => "ARB_vertex_program 2.14.3.4",
            Meaning::Result(..) | Meaning::IndexedResult => "ARB_fragment_program 3.11.3.4",
            Meaning::TextureUnit(_) if vertex => "NV_vertex_program3 2.14.4",
            Meaning::TextureUnit(_) => "ARB_fragment_program 3.11.6",
            _ if vertex => "ARB_vertex_program 2.14.3.2",
            _ => "ARB_fragment_program 3.11.3.2",
        }
    }

    /// How often the loaded program uses what `meaning` says, or the variable called `name`.
    fn uses(&self, meaning: &Meaning, name: Option<&str>) -> Option<String> {
        let program = self.program?;
        let temporary =
            |id: u16| program.temporaries.get(usize::from(id)).is_some_and(|t| Some(t.name.as_str()) == name);
        let element = |called: &str| {
            name.is_some_and(|name| called.strip_prefix(name).is_some_and(|rest| rest.starts_with('[')))
        };
        let parameter = |id: u16| {
            program.parameters.get(usize::from(id)).is_some_and(|parameter| {
                match (&parameter.name, meaning, name) {
                    (Some(called), Meaning::Parameters(_), Some(_)) => element(called),
                    (_, Meaning::Parameter(source), _) => parameter.source == *source,
                    _ => false,
                }
            })
        };
        let read = |source: Source| match source {
            Source::Temp(id) => temporary(id.0),
            Source::Param(id) => parameter(id.0),
            Source::Attribute(attribute) => *meaning == Meaning::Attribute(attribute),
            Source::Indirect(indirect) => {
                let array = match indirect.first {
                    Element::Param(first) => parameter(first.0),
                    Element::Attribute(first) => *meaning == Meaning::IndexedAttribute(first),
                    Element::Output(_) => *meaning == Meaning::IndexedResult,
                };
                array || temporary(indirect.address.0)
            }
        };
        let written = |target: Target| match target {
            Target::Temp(id) => temporary(id.0),
            Target::Output(id) => program
                .outputs
                .get(usize::from(id.0))
                .is_some_and(|output| matches!(meaning, Meaning::Result(role, _) if *role == output.role)),
            Target::Indirect(_) => *meaning == Meaning::IndexedResult,
            Target::Param(_) | Target::ConditionOnly(_) => false,
        };
        uses(program, read, written)
    }
}

/// A word that nothing declares and the language does not have: the option that brings it, if one does.
pub(in crate::ide) fn missing(language: Language, word: &str) -> Option<Text> {
    let later = isa::later_language(language, word).or_else(|| {
        language.profile().later.iter().copied().find(|later| {
            matches!(role(*later, word), Role::Condition(..))
                && numbered_condition(word).is_some()
                && later.profile().condition_codes > 0
        })
    });
    if let Some(option) = later.and_then(Language::option) {
        let body = format!("`{word}` comes with `OPTION {option};`, which this program does not have.");
        return Some((format!("{word}: not in {}", language.name()), body));
    }
    if words::target(word).is_some_and(|target| target.is_shadow()) {
        let body = format!(
            "`{word}` comes with `OPTION ARB_fragment_program_shadow;`, which this program does not have."
        );
        return Some((format!("{word}: not in {}", language.name()), body));
    }
    None
}

/// The header, with what its language has.
pub(in crate::ide) fn header(language: Language) -> Text {
    let limits = &language.profile().limits;
    let mut body = format!(
        "The program is written in the language of {}. The header must be the first bytes of the text; options come right behind it.\n\n{} instructions.",
        language.extension(),
        isa::instructions(language).count(),
    );
    let _ = write!(
        body,
        " A program can have {} of them, {} temporaries, {} parameters with its constants, {} attributes",
        limits.instructions, limits.temporaries, limits.parameters, limits.attributes
    );
    if limits.addresses > 0 {
        let _ = write!(body, " and {} address registers", limits.addresses);
    }
    body.push('.');
    let _ = write!(body, "\n\nOptions are {}.", joined(language.profile().options));
    let kind = if language.stage() == Stage::Fragment { "fragment" } else { "vertex" };
    (format!("{}: {kind} program", language.name()), body)
}

/// What an option does.
pub(in crate::ide) fn option(language: Language, word: &str) -> Option<Text> {
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
        "ARB_fragment_coord_origin_upper_left" => (
            "fragment.position.y counts from the upper edge of the window downwards.".to_owned(),
            "ARB_fragment_coord_conventions 3.11.4.5.3",
        ),
        "ARB_fragment_coord_pixel_center_integer" => (
            "fragment.position.x and y are whole numbers at the centres of pixels, rather than halves.".to_owned(),
            "ARB_fragment_coord_conventions 3.11.4.5.3",
        ),
        "ARB_position_invariant" => (
            "The position is left to the conventional transformation, so that it comes out exactly as without a program. The program cannot name result.position.".to_owned(),
            "ARB_vertex_program 2.14.4.5.1",
        ),
        _ => {
            let all = Language::ALL.into_iter().filter(|other| other.base() == language.base());
            let brought = all.filter(|other| other.option() == Some(word)).max()?;
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
pub(in crate::ide) fn keyword(language: Language, word: &str) -> Option<Text> {
    let vertex = language.stage() == Stage::Vertex;
    let limits = &language.profile().limits;
    let (what, body) = match word {
        "OPTION" => (
            "change the language or what is around the program",
            format!("OPTION name; before all other statements. There are {}.", joined(language.profile().options)),
        ),
        "TEMP" => ("declare temporaries", format!("TEMP a, b; Variables to compute with, {} at most.", limits.temporaries)),
        "ADDRESS" => ("declare address registers", format!("ADDRESS a; Registers that choose elements of arrays, {} at most.", limits.addresses)),
        "PARAM" => (
            "declare a parameter or constant",
            "PARAM a = value; or PARAM a[n] = { value, ... }; A value is a number, {one to four of them} (missing y and z are 0, w is 1), program.env[n], program.local[n] or state. In arrays env[0..3], local[0..3] and whole matrices stand for several; the size may be left out.".to_owned(),
        ),
        "ATTRIB" => (
            "name an attribute",
            format!("ATTRIB a = {}; Read-only. The binding can also be written where it is used.", if vertex { "vertex.normal" } else { "fragment.color" }),
        ),
        "OUTPUT" => ("name a result", "OUTPUT a = result.color; Write-only. The binding can also be written where it is used.".to_owned()),
        "ALIAS" => ("give a variable another name", "ALIAS b = a; Both names mean the same variable.".to_owned()),
        "SHORT" => ("16-bit floats", "SHORT TEMP a; or SHORT OUTPUT a = result.color; The variable's components are 16-bit floats.".to_owned()),
        "LONG" => ("32-bit floats", "LONG TEMP a; or LONG OUTPUT a = result.color; The variable's components are 32-bit floats, as they are without a size.".to_owned()),
        "END" => ("end of the program", "Only whitespace and comments may follow.".to_owned()),
        _ => return None,
    };
    Some((format!("{word}: {what}"), body))
}

/// A condition rule, which may name the register that it tests.
pub(in crate::ide) fn condition(word: &str) -> Option<(Condition, &'static str)> {
    let (condition, _) = numbered_condition(word)?;
    let register = match word.as_bytes().last() {
        Some(b'0') => " of the first register",
        Some(b'1') => " of the second register",
        _ => "",
    };
    Some((condition, register))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::load;
    use crate::ide::hover;

    const FRAGMENT: &str = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nSHORT TEMP soft;\nTEMP reg;\nATTRIB tint = fragment.color;\n\
        PARAM k = {1, 2};\nPARAM rows[] = { state.matrix.mvp };\nOUTPUT out = result.color;\n\
        TEX reg, fragment . texcoord[1], texture[2], CUBE;\nMADHC_SSAT soft (GT.x), reg, state.light[0].diffuse, rows[2];\n\
        ADD out, soft, k;\nMUL result.depth.z, tint, k;\nEND";

    #[track_caller]
    fn at(text: &str, needle: &str, inside: usize) -> (String, String) {
        let program = load(text.as_bytes()).program;
        let found = hover(text.as_bytes(), text.find(needle).unwrap() + inside, program.as_ref()).unwrap();
        (found.title, found.body)
    }

    #[test]
    fn bindings_are_one_thing() {
        for inside in [0, 5, 12, 20] {
            let (title, body) = at(FRAGMENT, "fragment . texcoord[1]", inside);
            assert_eq!(title, "fragment.texcoord[1]: texture coordinates");
            assert!(body.contains("of set 1") && body.ends_with("ARB_fragment_program 3.11.3.1"), "{body}");
        }
        assert_eq!(at(FRAGMENT, "texture[2]", 8).0, "texture[2]: texture image unit");
        let (title, body) = at(FRAGMENT, "state.light[0].diffuse", 8);
        assert_eq!(title, "state.light[0].diffuse: diffuse colour of a light");
        // Light 0 alone is white at first (glspec15, table of lighting state).
        assert!(body.contains("(1, 1, 1, 1) where the scene sets nothing."), "{body}");
        assert!(body.contains("Here read by 1 instruction."), "{body}");
        assert_eq!(at(FRAGMENT, "result.depth", 9).0, "result.depth: depth");
        assert_eq!(at(FRAGMENT, ".z, tint", 1).0, ".z");
        assert_eq!(at(FRAGMENT, "state.matrix.mvp", 14).0, "state.matrix.mvp: 4 parameters");
    }

    #[test]
    fn names_say_what_they_stand_for() {
        let (title, body) = at(FRAGMENT, "tint, k", 0);
        assert_eq!(title, "tint: primary colour");
        assert!(body.starts_with("Stands for fragment.color. "), "{body}");
        assert!(body.contains("Declared in line 5. Here read by 1 instruction."), "{body}");
        let (title, body) = at(FRAGMENT, "soft (", 1);
        assert_eq!(title, "soft: fp16 temporary");
        assert!(body.ends_with("Here read by 1 instruction, written by 1 instruction."), "{body}");
        assert_eq!(at(FRAGMENT, "k;\nMUL", 0).0, "k: constant");
        assert!(at(FRAGMENT, "k;\nMUL", 0).1.contains("(1, 2, 0, 1)"));
        assert!(at(FRAGMENT, "k;\nMUL", 0).1.contains("Here read by 2 instructions."));
        assert_eq!(at(FRAGMENT, "rows[2]", 0).0, "rows: 4 parameters");
        let (title, body) = at(FRAGMENT, "rows[2]", 5);
        assert_eq!(title, "rows[2]: row of the modelview-projection matrix");
        assert!(body.starts_with("Stands for state.matrix.mvp.row[2]. Row 2"), "{body}");
        assert!(at(FRAGMENT, "out, soft", 0).1.contains("written by 1 instruction"));
    }

    #[test]
    fn instructions_keywords_and_options() {
        let (title, body) = at(FRAGMENT, "MADHC", 2);
        assert_eq!(title, "MADHC_SSAT: Multiply and add");
        for part in
            ["H: computed in fp16.", "C: sets the condition code", "_SSAT: clamps the result to [-1,1]"]
        {
            assert!(body.contains(part), "{body}");
        }
        assert!(!body.contains("FOGC"), "{body}");
        assert_eq!(at(FRAGMENT, "GT", 0).0, "GT: greater than zero");
        assert_eq!(at(FRAGMENT, "SHORT", 0).0, "SHORT: 16-bit floats");
        let (title, body) = at(FRAGMENT, "!!ARB", 0);
        assert_eq!(title, "!!ARBfp1.0 + NV_fragment_program2: fragment program");
        // "There are sixty-seven" of them (NV_fragment_program2 3.11.5).
        assert!(body.contains("67 instructions"), "{body}");
        let (_, body) = at(FRAGMENT, "NV_fragment_program2", 3);
        assert!(body.contains("ENDLOOP") && body.contains("fragment.facing"), "{body}");
        let (title, body) = at(
            "!!ARBvp1.0\nOPTION NV_vertex_program3;\nMOVC1 result.color (LE1), vertex.color;\nEND",
            "LE1",
            0,
        );
        assert!(
            title.starts_with("LE1: less than or equal to zero") && body.contains("of the second register"),
            "{title} {body}"
        );
    }

    #[test]
    fn what_an_option_brings_is_said_to_come_with_it() {
        let text = "!!ARBfp1.0\nTEMP a;\nDDX a, a;\nTEX a, a, texture[0], SHADOW2D;\nMOVH a, a;\nADDRESS b;\nMOV a, later;";
        let (title, body) = at(text, "DDX", 1);
        assert_eq!(title, "DDX: not in !!ARBfp1.0");
        assert!(body.contains("`OPTION NV_fragment_program;`"), "{body}");
        assert!(at(text, "SHADOW2D", 0).1.contains("ARB_fragment_program_shadow"));
        let (title, body) = at(text, "MOVH", 3);
        assert_eq!(title, "MOV: Move");
        assert!(body.starts_with("`MOVH` comes with `OPTION NV_fragment_program;`"), "{body}");
        assert!(at(text, "ADDRESS", 0).1.starts_with("!!ARBvp1.0 has `ADDRESS`"));
        assert!(hover(text.as_bytes(), text.find("later").unwrap(), None).is_none());
    }

    /// Every option and every keyword is explained.
    #[test]
    fn no_option_and_no_keyword_is_without_words() {
        for language in Language::ALL.into_iter().filter(|language| language.profile().declares_variables()) {
            for name in language.profile().options {
                let Some((title, body)) = option(language, name) else { panic!("{name}") };
                assert!(
                    title.starts_with(name) && body.contains('.') && !body.contains(&title),
                    "{name}: {body}"
                );
            }
            for name in language.profile().keywords {
                assert!(keyword(language, name).is_some(), "{name}");
            }
        }
        assert!(option(Language::ArbFp1, "ARB_position_invariant").is_none());
    }
}
