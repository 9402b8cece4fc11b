//! Renames a symbol at all its places, or gives the reason why that is impossible.

use super::format::{Edit, edited};
use super::highlight::Asked;
use super::uses::{Access, Key, Reading, Symbol, symbol};
use super::words::{MAIN, Word, classify};
use shadestep_language::front::arb::words::is_reserved;
use shadestep_language::front::load;
use shadestep_language::ir::{Program, Type};
use shadestep_language::isa::Language;
use shadestep_language::source::Span;
use shadestep_language::syntax::{Lexer, TokenKind};

/// The reason why a symbol cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One sentence in plain words, without a full stop.
    pub message: String,
    /// The place of the conflict, if it is in the text.
    pub place: Option<Span>,
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self { message, place: None }
    }
}

/// The symbol at byte `offset`, if it can be renamed.
///
/// # Errors
/// The reason why it cannot.
pub fn renamed(text: &[u8], offset: usize) -> Result<Symbol, Refusal> {
    let found = symbol(text, offset).ok_or_else(|| Refusal::from("there is no name here".to_owned()))?;
    let name = &found.name;
    let language = Language::of_header(text).unwrap_or(Language::Fp1);
    let fixed = || Err(format!("`{name}` is part of the language and cannot be renamed").into());
    let declared = found.uses.iter().any(|use_| use_.access == Access::Declaration && use_.through.is_none());
    match &found.key {
        Key::Binding => fixed(),
        Key::Register(register) => match classify(language, register) {
            Word::Temporary(_) | Word::Address => Ok(found),
            _ => fixed(),
        },
        Key::Label(label) if label == MAIN => {
            Err(format!("`{MAIN}` cannot be renamed, because execution starts at that label").into())
        }
        Key::Name(_) | Key::Label(_) if declared => Ok(found),
        Key::Label(_) => Err(format!("the label `{name}` is not defined").into()),
        Key::Name(_) => match Reading::of(text, language).symbols.names.contains_key(name) {
            true => fixed(),
            false => Err(format!("`{name}` is not declared").into()),
        },
    }
}

/// The places where `to` replaces the name of the symbol at byte `offset` of `text`, in text order. Empty if
/// `to` is its name already.
///
/// # Errors
/// The reason why renaming is impossible: the name is taken or invalid, or the symbol cannot be renamed.
pub fn rename(text: &[u8], offset: usize, to: &str) -> Result<Vec<Span>, Refusal> {
    let found = renamed(text, offset)?;
    if found.name == to {
        return Ok(Vec::new());
    }
    let language = Language::of_header(text).unwrap_or(Language::Fp1);
    let reading = Reading::of(text, language);
    check_word(to)?;
    match &found.key {
        Key::Register(from) => check_register(reading.language(), from, to)?,
        key => check_name(reading.language(), key, to)?,
    }
    if let Some(place) = reading.places(Asked::Nothing, Some(to)).found.first() {
        return Err(Refusal { message: format!("`{to}` is already in use"), place: Some(place.span) });
    }
    let own = found.uses.iter().filter(|use_| use_.through.is_none());
    let spans: Vec<Span> = own.map(|use_| use_.span).collect();
    check_result(text, &spans, to)?;
    Ok(spans)
}

/// Checks that a text that loads still loads as the same program with `to` at `spans`. This finds every other
/// conflict that a language has with the name.
fn check_result(text: &[u8], spans: &[Span], to: &str) -> Result<(), Refusal> {
    let Some(before) = load(text).program else { return Ok(()) };
    let edits: Vec<Edit> = spans.iter().map(|&span| Edit { span, text: to.to_owned() }).collect();
    let after = load(&edited(text, &edits));
    match after.program.map(Program::unnamed) {
        Some(after) if after == before.unnamed() => Ok(()),
        Some(_) => Err("the program would give different results".to_owned().into()),
        None => {
            let fault = shadestep_language::diag::first_error(&after.diagnostics);
            let why = fault.map(|fault| format!(": {}", fault.message)).unwrap_or_default();
            Err(format!("the program would not load{why}").into())
        }
    }
}

/// Checks that `to` is one word.
fn check_word(to: &str) -> Result<(), Refusal> {
    let mut tokens = Lexer::continuation(to.as_bytes());
    match (tokens.next(), tokens.next()) {
        (Some(token), None) if token.kind == TokenKind::Word => Ok(()),
        _ => Err("a name consists of letters, digits, `_` and `$`, and cannot start with a digit"
            .to_owned()
            .into()),
    }
}

/// Checks that a variable, constant or label can be called `to`.
fn check_name(language: Language, key: &Key, to: &str) -> Result<(), Refusal> {
    let profile = language.profile();
    let is_label = matches!(key, Key::Label(_));
    if is_label && to == MAIN {
        return Err(format!("execution would start at a label called `{MAIN}`").into());
    }
    let is_word = !matches!(classify(language, to), Word::Name | Word::ElementName) || to == "END";
    let reserved = profile.declares_variables() && is_reserved(language, to);
    if is_word || reserved {
        return Err(format!("`{to}` is a reserved word").into());
    }
    if is_label && !profile.declares_variables() && to.contains('$') {
        return Err("a label cannot contain `$` here".to_owned().into());
    }
    Ok(())
}

/// Checks that the register `to` can replace `from`.
fn check_register(language: Language, from: &str, to: &str) -> Result<(), Refusal> {
    let kind = |ty: Type| if ty == Type::F16 { "16" } else { "32" };
    match (classify(language, from), classify(language, to)) {
        (Word::Temporary(own), Word::Temporary(other)) if own == other => Ok(()),
        (Word::Address, Word::Address) => Ok(()),
        (Word::Temporary(own), Word::Temporary(other)) => Err(format!(
            "{to} has {}-bit components and {from} has {}-bit ones, so the program would give different results",
            kind(other),
            kind(own)
        )
        .into()),
        (Word::Temporary(_), _) => {
            let last = language.profile().limits.temporaries - 1;
            let halves = if language.profile().half_variables && from.starts_with('H') { "H" } else { "R" };
            let last = if halves == "H" {
                usize::from(shadestep_language::front::fp1::words::Register::NARROW) - 1
            } else {
                last
            };
            Err(format!(
                "`{to}` is not a register of {}, which has {halves}0 to {halves}{last}",
                language.header()
            )
            .into())
        }
        _ => {
            let names = language.profile().addresses.registers.join(" and ");
            Err(format!("`{to}` is not an address register of {}, which has {names}", language.header()).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, Sample};

    /// Renames the symbol at `@` in `marked` to `to`. Returns the new text, or the reason of the refusal with
    /// the conflicting text.
    fn renamed_to(marked: &str, to: &str) -> Result<String, (String, Option<String>)> {
        let at = marked.find('@').unwrap();
        let text = marked.replacen('@', "", 1);
        let spans = rename(text.as_bytes(), at, to).map_err(|refusal| {
            (refusal.message, refusal.place.map(|place| text[place.start..].chars().take(6).collect()))
        })?;
        let mut now = text;
        spans.iter().rev().for_each(|span| now.replace_range(span.start..span.end, to));
        Ok(now)
    }

    #[test]
    fn a_name_is_replaced_wherever_it_stands() {
        let text =
            "!!ARBfp1.0 TEMP a, aa; MOV @a.x, fragment.color; MOV aa, a; MOV result.color, aa; # a\nEND";
        let expected =
            "!!ARBfp1.0 TEMP hue, aa; MOV hue.x, fragment.color; MOV aa, hue; MOV result.color, aa; # a\nEND";
        assert_eq!(renamed_to(text, "hue").as_deref(), Ok(expected));
        let text = "!!VP2.0 MOV o[HPOS], v[0]; BRA @end (GT.x); end: END";
        assert_eq!(
            renamed_to(text, "done").as_deref(),
            Ok("!!VP2.0 MOV o[HPOS], v[0]; BRA done (GT.x); done: END")
        );
        let text = "!!FP1.0 DEFINE @k = 2; MOV o[COLR], k; END";
        assert_eq!(renamed_to(text, "two").as_deref(), Ok("!!FP1.0 DEFINE two = 2; MOV o[COLR], two; END"));
        // An alias of the same variable keeps its name.
        let text = "!!ARBfp1.0 TEMP @a; ALIAS q = a; MOV q, 1; MOV result.color, a; END";
        let expected = "!!ARBfp1.0 TEMP b; ALIAS q = b; MOV q, 1; MOV result.color, b; END";
        assert_eq!(renamed_to(text, "b").as_deref(), Ok(expected));
    }

    /// Words of the grammar are not uses of a variable with the same spelling.
    #[test]
    fn words_of_the_grammar_stay() {
        let header = "!!NVgp4.0 PRIMITIVE_OUT POINTS; VERTICES_OUT 1;";
        for (text, to, expected) in [
            (
                "!!ARBfp1.0 TEMP @x; MOV x, fragment.color; SWZ result.color, x, x, y, -z, 1; END",
                "z",
                "!!ARBfp1.0 TEMP z; MOV z, fragment.color; SWZ result.color, z, x, y, -z, 1; END",
            ),
            (
                "!!ARBfp1.0 TEMP @color; MOV color, fragment . color; MOV result # why\n.color, color; END",
                "texcoord",
                "!!ARBfp1.0 TEMP texcoord; MOV texcoord, fragment . color; MOV result # why\n.color, texcoord; END",
            ),
            (
                "!!ARBfp1.0 TEMP x, @w; MOV x, 1; MOV w, x; MOV result.color, x . w; ADD result.depth, w, x; END",
                "b",
                "!!ARBfp1.0 TEMP x, b; MOV x, 1; MOV b, x; MOV result.color, x . w; ADD result.depth, b, x; END",
            ),
            (
                "!!NVfp4.0 TEMP @GT; MOV.CC GT, fragment.color; IF GT.x; MOV GT (GT.y), 1; ENDIF; \
                    MOV result.color, GT; END",
                "a",
                "!!NVfp4.0 TEMP a; MOV.CC a, fragment.color; IF GT.x; MOV a (GT.y), 1; ENDIF; \
                    MOV result.color, a; END",
            ),
            (
                "!!ARBvp1.0 OPTION NV_vertex_program3; TEMP @texture; MOV texture, 1; \
                    TEX texture, texture, texture[0], 2D; MOV result.position, texture; END",
                "a",
                "!!ARBvp1.0 OPTION NV_vertex_program3; TEMP a; MOV a, 1; \
                    TEX a, a, texture[0], 2D; MOV result.position, a; END",
            ),
            (
                "!!NVfp5.0 TEMP @SUBROUTINENUM; MOV SUBROUTINENUM, 1; MOV result.color, SUBROUTINENUM; END",
                "a",
                "!!NVfp5.0 TEMP a; MOV a, 1; MOV result.color, a; END",
            ),
            // KIL takes a vector too.
            (
                "!!NVfp4.0 TEMP @GT; MOV GT, fragment.color; KIL GT; MOV result.color, GT; END",
                "a",
                "!!NVfp4.0 TEMP a; MOV a, fragment.color; KIL a; MOV result.color, a; END",
            ),
            (
                "!!NVfp4.0 TEMP @CUBE; MOV CUBE, 1; TEX CUBE, CUBE, texture[0], CUBE; MOV result.color, CUBE; END",
                "a",
                "!!NVfp4.0 TEMP a; MOV a, 1; TEX a, a, texture[0], CUBE; MOV result.color, a; END",
            ),
            (
                "!!NVfp5.0 TEXTURE @RECT = texture[0]; TXF.F result.color, 1, RECT, RECT, (1, 2); END",
                "t",
                "!!NVfp5.0 TEXTURE t = texture[0]; TXF.F result.color, 1, t, RECT, (1, 2); END",
            ),
            (
                "!!NVfp5.0 INT TEMP @offset; MOV.S offset, 1; \
                    TXL result.color, 0, texture[0], 2D, offset(offset); END",
                "GTX",
                "!!NVfp5.0 INT TEMP GTX; MOV.S GTX, 1; \
                    TXL result.color, 0, texture[0], 2D, offset(GTX); END",
            ),
            (
                "!!NVfp5.0 INT TEMP @GT; MOV.S GT, 1; TXL result.color, 0, texture[0], 2D, offset(GT); END",
                "a",
                "!!NVfp5.0 INT TEMP a; MOV.S a, 1; TXL result.color, 0, texture[0], 2D, offset(a); END",
            ),
            (
                &format!(
                    "{header} PRIMITIVE_IN POINTS; TEMP @POINTS; MOV POINTS, 1; MOV result.position, POINTS; END"
                ),
                "a",
                &format!("{header} PRIMITIVE_IN POINTS; TEMP a; MOV a, 1; MOV result.position, a; END"),
            ),
        ] {
            let plain = text.replacen('@', "", 1);
            assert!(
                load(plain.as_bytes()).program.is_some(),
                "{plain}\n{:#?}",
                load(plain.as_bytes()).diagnostics
            );
            assert_eq!(renamed_to(text, to).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn a_text_that_is_another_program_then_is_refused() {
        let text = b"!!ARBfp1.0 TEMP a, b; MOV a, 1; MOV b, 2; ADD result.color, a, b; END";
        let second = |name: u8| {
            let at = text.iter().rposition(|byte| *byte == name).unwrap();
            Span::new(at, at + 1)
        };
        let refused = check_result(text, &[second(b'b')], "a").unwrap_err();
        assert!(refused.message.contains("give different results"), "{refused:?}");
        assert!(check_result(text, &[second(b'b')], "c").unwrap_err().message.contains("not load"));
        assert_eq!(check_result(text, &[second(b'b')], "b"), Ok(()));
    }

    #[test]
    fn registers_are_renamed_to_free_ones_of_their_kind() {
        let text = "!!FP1.0 MOV @R0, f[COL0]; MUL R0.x, R0, R1; MOV o[COLR], R0; END";
        let expected = "!!FP1.0 MOV R5, f[COL0]; MUL R5.x, R5, R1; MOV o[COLR], R5; END";
        assert_eq!(renamed_to(text, "R5").as_deref(), Ok(expected));
        assert_eq!(
            renamed_to(text, "R1"),
            Err(("`R1` is already in use".to_owned(), Some("R1; MO".to_owned())))
        );
        let refused = |text: &str, to: &str| renamed_to(text, to).unwrap_err().0;
        assert!(refused(text, "H3").contains("16-bit components"));
        assert!(refused("!!VP1.0 MOV @R0, v[0]; END", "R12").contains("R0 to R11"));
        assert!(refused("!!VP1.0 ARL @A0.x, v[0].x; END", "A1").contains("which has A0"));
        assert!(refused("!!FP1.0 MOV @o[COLR], f[COL0]; END", "o").contains("part of the language"));
        assert!(refused("!!ARBfp1.0 MOV @result.color, 1; END", "r").contains("part of the language"));
    }

    #[test]
    fn names_that_are_taken_or_none_are_refused() {
        let text = "!!ARBfp1.0 TEMP @a, b; MOV a, b; MOV result.color, a; END";
        assert_eq!(
            renamed_to(text, "b"),
            Err(("`b` is already in use".to_owned(), Some("b; MOV".to_owned())))
        );
        for (to, words) in [
            ("2a", "start with a digit"),
            ("a b", "start with a digit"),
            ("", "start with a digit"),
            ("MOV", "reserved word"),
            ("fragment", "reserved word"),
            ("TEMP", "reserved word"),
        ] {
            let (message, place) = renamed_to(text, to).unwrap_err();
            assert!(message.contains(words) && place.is_none(), "{to}: {message}");
        }
        assert_eq!(renamed_to(text, "a"), Ok(text.replacen('@', "", 1)));
        let main = "!!VP2.0 @main: MOV o[HPOS], v[0]; END";
        assert!(renamed_to(main, "start").unwrap_err().0.contains("execution starts"));
        let label = "!!VP2.0 MOV o[HPOS], v[0]; @end: END";
        assert!(renamed_to(label, "main").unwrap_err().0.contains("execution would start"));
        assert!(renamed_to(label, "a$").unwrap_err().0.contains('$'));
        assert!(renamed_to("!!ARBfp1.0 MOV result.color, @nothing", "x").is_err());
    }

    /// Every named symbol of every bundled sample can be renamed, and the program is the same except for
    /// names.
    #[test]
    fn samples_stay_what_they_are() {
        let mut count = 0;
        for Sample { path, text, language } in samples::programs() {
            if text.len() >= 2500 {
                continue;
            }
            let reading = Reading::of(&text, language);
            let mut done = std::collections::BTreeSet::new();
            for place in reading.places(Asked::Nothing, None).found {
                let (Key::Name(name) | Key::Label(name)) = &place.key else { continue };
                if name == MAIN || !done.insert(name.clone()) {
                    continue;
                }
                let spans = rename(&text, place.span.start, "new_name_1")
                    .unwrap_or_else(|refusal| panic!("{name} of {}: {refusal:?}", path.display()));
                let mut now = text.clone();
                spans.iter().rev().for_each(|s| drop(now.splice(s.start..s.end, *b"new_name_1")));
                let [before, after] = [&text, &now].map(|text| {
                    let instructions = load(text).program.unwrap().instructions.into_iter();
                    instructions.map(|i| (i.op, i.ty, i.operands.len(), i.target())).collect::<Vec<_>>()
                });
                assert_eq!(before, after, "{name} of {}", path.display());
                count += 1;
            }
        }
        assert!(count > 300, "{count}");
    }
}
