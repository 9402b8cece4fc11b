//! The colours in every language.

use super::TokenKind::*;
use super::*;
use proptest::prelude::*;
use shadestep_language::front::LANGUAGES;

fn coloured(line: &str) -> Vec<(&str, TokenKind)> {
    coloured_in(Language::Fp1, line)
}

fn coloured_in(language: Language, line: &str) -> Vec<(&str, TokenKind)> {
    highlight_line(line.as_bytes(), 1, &Lexicon::of_language(language))
        .into_iter()
        .filter(|t| !matches!(t.kind, Whitespace | Punctuation))
        .map(|t| (&line[t.span.start..t.span.end], t.kind))
        .collect()
}

#[test]
fn an_instruction_in_all_its_parts() {
    assert_eq!(
        coloured("MADRC_SAT R0.xyz (GT.x), f[TEX0].yzzx, p[3], -|tint|; # why"),
        [
            ("MAD", Mnemonic),
            ("RC_SAT", Suffix),
            ("R0", Register),
            ("xyz", Swizzle),
            ("GT", Condition),
            ("x", Swizzle),
            ("f", Attribute),
            ("TEX0", Attribute),
            ("yzzx", Swizzle),
            ("p", Parameter),
            ("3", Parameter),
            ("tint", Name),
            ("# why", Comment),
        ]
    );
    assert_eq!(
        coloured("TXP o[COLH], f[FOGC], TEX15, CUBE;TEX R0,x,TEX1,2D;"),
        [
            ("TXP", Mnemonic),
            ("o", Output),
            ("COLH", Output),
            ("f", Attribute),
            ("FOGC", Attribute),
            ("TEX15", TextureUnit),
            ("CUBE", TextureTarget),
            ("TEX", Mnemonic),
            ("R0", Register),
            ("x", Name),
            ("TEX1", TextureUnit),
            ("2D", TextureTarget),
        ]
    );
    assert_eq!(
        coloured("DEFINE pi = 3.14; KIL EQ; END"),
        [
            ("DEFINE", Keyword),
            ("pi", Name),
            ("3.14", Number),
            ("KIL", Mnemonic),
            ("EQ", Condition),
            ("END", Keyword),
        ]
    );
}

#[test]
fn faults_stand_out() {
    assert_eq!(
        coloured("COSX HC.rgb, f[TEX9], 2.0e;"),
        [
            ("COS", Mnemonic),
            ("X", Error),
            ("HC", Register),
            ("rgb", Error),
            ("f", Attribute),
            ("TEX9", Error),
            ("2.0e", Error),
        ]
    );
    assert_eq!(highlight(b"!!FP1.0\n!!FP1.0")[0].kind, Header);
    assert_eq!(highlight(b"!!FP1.0\n!!FP1.0")[2].kind, Error);
    assert_eq!(highlight(b"!!ARBfp1.0")[0].kind, Header);
    assert_eq!(highlight(b"!!ARBfp1.1")[0].kind, Error);
}

#[test]
fn vertex_programs_in_all_their_parts() {
    let loop_line = "again : MADC R15.xyz(GT.wzyx), v[NRML], -|c[A1.w - 256]|, R1; BRA again (NE); END";
    assert_eq!(
        coloured_in(Language::Vp2, loop_line),
        [
            ("again", Label),
            ("MAD", Mnemonic),
            ("C", Suffix),
            ("R15", Register),
            ("xyz", Swizzle),
            ("GT", Condition),
            ("wzyx", Swizzle),
            ("v", Attribute),
            ("NRML", Attribute),
            ("c", Parameter),
            ("A1", Register),
            ("w", Swizzle),
            ("256", Parameter),
            ("R1", Register),
            ("BRA", Mnemonic),
            ("again", Label),
            ("NE", Condition),
            ("END", Keyword),
        ]
    );
    assert_eq!(
        coloured_in(Language::Vp1_1, "OPTION NV_position_invariant; MOV o[TEX7].x, v[15]; MOV R0, c[95];"),
        [
            ("OPTION", Keyword),
            ("NV_position_invariant", Option),
            ("MOV", Mnemonic),
            ("o", Output),
            ("TEX7", Output),
            ("x", Swizzle),
            ("v", Attribute),
            ("15", Attribute),
            ("MOV", Mnemonic),
            ("R0", Register),
            ("c", Parameter),
            ("95", Parameter),
        ]
    );
    assert_eq!(
        coloured_in(Language::Vsp1, "MOV c[3], v[0];")[1..],
        [("c", Parameter), ("3", Parameter), ("v", Attribute), ("0", Attribute)]
    );
}

#[test]
fn what_only_another_language_has_stands_out() {
    let errors = |language, line: &'static str| -> Vec<&str> {
        coloured_in(language, line).into_iter().filter(|(_, k)| *k == Error).map(|(w, _)| w).collect()
    };
    assert_eq!(errors(Language::Vp1, "SUB R12, c[96], c[A0.x+64];"), ["SUB", "R12", "96", "64"]);
    assert_eq!(errors(Language::Vp1_1, "SUB R11, c[95], c[A0.x+63]; SEQ R0, R1, R2;"), ["SEQ"]);
    assert_eq!(errors(Language::Vp1, "MOVC CC, R0 (GT);"), ["C", "CC", "(", "GT", ")"]);
    assert_eq!(errors(Language::Vp1, "OPTION NV_position_invariant;"), ["OPTION", "NV_position_invariant"]);
    assert_eq!(errors(Language::Vp2, "MOV R16, c[256]; MOV o[CLP5], c[A1.y-256];"), ["R16", "256"]);
    assert_eq!(errors(Language::Vp1, "MOV o[CLP0], c[A1.x];"), ["CLP0", "A1"]);
    assert_eq!(errors(Language::Vsp1, "MOV o[HPOS], v[OPOS];"), ["o", "HPOS", "OPOS"]);
    assert_eq!(errors(Language::Vp2, "LRP R0, 1.0, f[TEX0], H0;"), ["LRP", "1.0", "f", "TEX0", "H0"]);
    assert_eq!(errors(Language::Vp1, "here: MOV R0, R1;"), [":"]);
    assert_eq!(coloured_in(Language::Vp2, "MOV: BRA END;")[0], ("MOV", Label));
    assert_eq!(coloured_in(Language::Vp2, "MOV: BRA END;")[2], ("END", Label));
    assert_eq!(coloured_in(Language::Vp2, "MOV R0, R1; END")[0], ("MOV", Mnemonic));
    assert_eq!(errors(Language::Vp2, "he$re: BRA $x;"), ["he$re", "$x"]);
    // A constant of a fragment program can be called ABS, but there are no labels.
    assert_eq!(errors(Language::Fp1, "ABS R0, p[64]; A:"), ["64", ":"]);
}

#[test]
fn a_text_follows_its_header() {
    let kinds = |header: &str| -> Vec<TokenKind> {
        let text = format!("{header}\nMOV R12, H0;");
        highlight(text.as_bytes())
            .into_iter()
            .map(|t| t.kind)
            .filter(|k| !matches!(k, Whitespace | Punctuation))
            .collect()
    };
    assert_eq!(kinds("!!FP1.0"), [Header, Mnemonic, Register, Register]);
    assert_eq!(kinds("!!VP1.0"), [Header, Mnemonic, Error, Error]);
    assert_eq!(kinds("!!VP2.0"), [Header, Mnemonic, Register, Error]);
    // Without a language, only the header is an error.
    assert_eq!(kinds("!!VP9.0"), [Error, Mnemonic, Register, Register]);
}

fn assert_covered(text: &[u8]) -> Result<(), TestCaseError> {
    let mut end = 0;
    for token in highlight(text) {
        prop_assert_eq!(token.span.start, end);
        prop_assert!(!token.span.is_empty());
        end = token.span.end;
    }
    prop_assert_eq!(end, text.len());
    Ok(())
}

proptest! {
    #[test]
    fn tokens_cover_every_byte_in_order(text in proptest::collection::vec(any::<u8>(), 0..300)) {
        assert_covered(&text)?;
        for language in LANGUAGES {
            assert_covered(&[language.header().as_bytes(), &text].concat())?;
        }
    }

    #[test]
    fn tokens_cover_program_like_text(text in "[RAMOVBCxyzwvoc0-9\\[\\]+\\-|(){}.,;:#$ \n]{0,200}") {
        for language in LANGUAGES {
            assert_covered(format!("{}{text}", language.header()).as_bytes())?;
        }
    }
}

/// The coloured tokens of the last line of `text`, without spaces and punctuation.
fn last_line(text: &str) -> Vec<(&str, TokenKind)> {
    let start = text.rfind('\n').map_or(0, |place| place + 1);
    highlight(text.as_bytes())
        .into_iter()
        .filter(|token| token.span.start >= start && !matches!(token.kind, Whitespace | Punctuation))
        .map(|token| (&text[token.span.start..token.span.end], token.kind))
        .collect()
}

fn errors(text: &str) -> Vec<&str> {
    last_line(text).into_iter().filter(|(_, kind)| *kind == Error).map(|(word, _)| word).collect()
}

const NAMES: &str = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP reg;\nPARAM rows[2] = { program.env[0..1] };\n\
    PARAM k = 2;\nATTRIB tint = fragment.color;\nOUTPUT out = result.color;\nALIAS too = k;\n";

#[test]
fn declarations_in_all_their_parts() {
    assert_eq!(
        last_line(
            "!!ARBfp1.0\nOPTION ARB_fog_exp; TEMP a, b; PARAM m[4] = { state.matrix.mvp.inverse }; # why"
        ),
        [
            ("OPTION", Keyword),
            ("ARB_fog_exp", Option),
            ("TEMP", Keyword),
            ("a", Register),
            ("b", Register),
            ("PARAM", Keyword),
            ("m", Parameter),
            ("4", Number),
            ("state", Parameter),
            ("matrix", Parameter),
            ("mvp", Parameter),
            ("inverse", Parameter),
            ("# why", Comment),
        ]
    );
    assert_eq!(
        last_line(
            "!!ARBvp1.0\nATTRIB n = vertex.attrib[3]; ADDRESS A; OUTPUT o = result.texcoord[1]; ALIAS p = n;"
        ),
        [
            ("ATTRIB", Keyword),
            ("n", Attribute),
            ("vertex", Attribute),
            ("attrib", Attribute),
            ("3", Attribute),
            ("ADDRESS", Keyword),
            ("A", Register),
            ("OUTPUT", Keyword),
            ("o", Output),
            ("result", Output),
            ("texcoord", Output),
            ("1", Output),
            ("ALIAS", Keyword),
            ("p", Attribute),
            ("n", Attribute),
        ]
    );
    let short = "!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT TEMP h; LONG OUTPUT o = result.depth;";
    assert_eq!(last_line(short)[..3], [("SHORT", Keyword), ("TEMP", Keyword), ("h", Register)]);
    assert_eq!(last_line(short)[3..5], [("LONG", Keyword), ("OUTPUT", Keyword)]);
}

#[test]
fn arb_instructions_in_all_their_parts() {
    assert_eq!(
        last_line(&format!(
            "{NAMES}MADRC_SSAT reg.xyz (GT.x), -|tint.bgra|, rows[1], {{1, 2}}; MOV out, too;"
        )),
        [
            ("MAD", Mnemonic),
            ("RC_SSAT", Suffix),
            ("reg", Register),
            ("xyz", Swizzle),
            ("GT", Condition),
            ("x", Swizzle),
            ("tint", Attribute),
            ("bgra", Swizzle),
            ("rows", Parameter),
            ("1", Parameter),
            ("1", Number),
            ("2", Number),
            ("MOV", Mnemonic),
            ("out", Output),
            ("too", Parameter),
        ]
    );
    assert_eq!(
        last_line(&format!(
            "{NAMES}TEX reg, fragment.texcoord[2].xyxy, texture[3], CUBE; TEX reg, k, texture, 2D;"
        )),
        [
            ("TEX", Mnemonic),
            ("reg", Register),
            ("fragment", Attribute),
            ("texcoord", Attribute),
            ("2", Attribute),
            ("xyxy", Swizzle),
            ("texture", TextureUnit),
            ("3", TextureUnit),
            ("CUBE", TextureTarget),
            ("TEX", Mnemonic),
            ("reg", Register),
            ("k", Parameter),
            ("texture", TextureUnit),
            ("2D", TextureTarget),
        ]
    );
    assert_eq!(
        last_line(&format!("{NAMES}sub: IF NE.x; CAL sub (LT); ELSE; SWZ reg, k, -x, 0, y, 1; ENDIF; END")),
        [
            ("sub", Label),
            ("IF", Mnemonic),
            ("NE", Condition),
            ("x", Swizzle),
            ("CAL", Mnemonic),
            ("sub", Label),
            ("LT", Condition),
            ("ELSE", Mnemonic),
            ("SWZ", Mnemonic),
            ("reg", Register),
            ("k", Parameter),
            ("x", Swizzle),
            ("0", Number),
            ("y", Swizzle),
            ("1", Number),
            ("ENDIF", Mnemonic),
            ("END", Keyword),
        ]
    );
    let vertex = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS A;\nMOVC1 result.texcoord[A.x+1].x (EQ1), vertex.attrib[A.y];";
    assert_eq!(
        last_line(vertex),
        [
            ("MOV", Mnemonic),
            ("C1", Suffix),
            ("result", Output),
            ("texcoord", Output),
            ("A", Register),
            ("x", Swizzle),
            ("1", Output),
            ("x", Swizzle),
            ("EQ1", Condition),
            ("vertex", Attribute),
            ("attrib", Attribute),
            ("A", Register),
            ("y", Swizzle),
        ]
    );
}

#[test]
fn words_of_the_grammar_are_told_from_variables_by_their_place() {
    let line = last_line(
        "!!NVfp5.0\nINT TEMP CUBE, offset; TEX CUBE, 0, texture[0], CUBE, offset(offset.x); IF GT.x; ENDIF;",
    );
    let of = |word: &str| -> Vec<TokenKind> {
        line.iter().filter(|(other, _)| *other == word).map(|(_, kind)| *kind).collect()
    };
    assert_eq!(of("CUBE"), [Register, Register, TextureTarget]);
    assert_eq!(of("offset"), [Register, Keyword, Register]);
    let line = last_line("!!ARBfp1.0\nTEMP x; SWZ x, x, -x, x, 0, x; MOV x . x, fragment # why");
    let of_x: Vec<TokenKind> = line.iter().filter(|(word, _)| *word == "x").map(|(_, kind)| *kind).collect();
    assert_eq!(of_x, [Register, Register, Register, Swizzle, Swizzle, Swizzle, Register, Swizzle]);
}

#[test]
fn a_statement_may_go_on_over_lines() {
    let list = "!!ARBvp1.0\nPARAM m[] = {\n  state.matrix.mvp, program.local[0..2] };";
    assert_eq!(errors(list), Vec::<&str>::new());
    assert_eq!(
        errors(&format!("{NAMES}MAD reg,\n  tint, k, fragment.color.secondary.x;")),
        Vec::<&str>::new()
    );
}

#[test]
fn faults_of_arb_programs_stand_out() {
    let plain = |line: &str| format!("!!ARBfp1.0\nTEMP a;\n{line}");
    assert_eq!(errors(&plain("MOV a, nothing;")), ["nothing"]);
    assert_eq!(errors(&plain("MOV a, state.fog.colour;")), ["colour"]);
    assert_eq!(errors(&plain("MOV a, state.light[9].half;")), ["9"]);
    assert_eq!(errors(&plain("MOV a, fragment.facing;")), ["facing"]);
    assert_eq!(errors(&plain("MOVC a, |a|;")), ["C", "|", "|"]);
    assert_eq!(errors(&plain("MOV a (GT), a;")), ["(", "GT", ")"]);
    assert_eq!(errors(&plain("DDX a, a;")), ["DDX"]);
    assert_eq!(errors(&plain("OPTION ARB_position_invariant;")), ["ARB_position_invariant"]);
    assert_eq!(errors(&plain("TEX a, a, texture[16], SHADOW2D;")), ["16", "SHADOW2D"]);
    assert_eq!(errors(&plain("TEMP ADD, b; MOV a.xg, a;")), ["ADD", "xg"]);
    assert_eq!(errors(&plain("here: MOV a, vertex.color;")), ["here", ":", "vertex", "color"]);
    assert_eq!(errors(&format!("{NAMES}MOV reg, rows[2]; MOV reg, FAIL;")), ["2", "FAIL"]);
    // Letters of a swizzle can be separated by spaces. A branch has one label.
    assert_eq!(errors(&format!("{NAMES}MOV reg, tint.x y z w; CAL sub late;")), ["late"]);
    assert_eq!(errors("!!ARBvp1.0\nADDRESS A;\nMOV result.color.rgb, vertex.weight;"), ["rgb", "weight"]);
    // An incomplete word is not an error.
    assert_eq!(last_line(&plain("MO")), [("MO", Name)]);
}

#[test]
fn options_decide_what_is_legal() {
    let line = |option: &str, line: &str| format!("!!ARBfp1.0\n{option}TEMP a;\n{line}");
    let shadow = "TEX a, a, texture[0], SHADOW2D;";
    assert_eq!(errors(&line("OPTION ARB_fragment_program_shadow;\n", shadow)), Vec::<&str>::new());
    let colour = "MOV result.color[1], a;";
    assert_eq!(errors(&line("OPTION ARB_draw_buffers;\n", colour)), Vec::<&str>::new());
    assert!(!errors(&line("", colour)).is_empty());
    let nv = "DDXH a, fragment.position;";
    assert_eq!(errors(&line("OPTION NV_fragment_program;\n", nv)), Vec::<&str>::new());
    // Without IF, its condition is an undeclared name.
    assert_eq!(errors(&line("OPTION NV_fragment_program;\n", "IF GT;")), ["IF", "GT"]);
}

#[test]
fn modifiers_behind_points_are_suffixes() {
    let line = coloured_in(Language::NvFp5, "ADD.S.CC1 result.color.x (GT.x), 1, 2;");
    assert_eq!(line[..5], [("ADD", Mnemonic), (".", Suffix), ("S", Suffix), (".", Suffix), ("CC1", Suffix)]);
    assert_eq!(line[5].1, Output);
    assert!(line.iter().all(|(_, kind)| *kind != Error), "{line:?}");
    assert_eq!(line[line.len() - 4..], [("GT", Condition), ("x", Swizzle), ("1", Number), ("2", Number)]);
    // S64 came with version 5.0. No instruction has two types, or one twice.
    for (language, line) in [
        (Language::NvFp4, "ADD.S64 a, 1, 2;"),
        (Language::NvFp5, "ADD.S.U a, 1, 2;"),
        (Language::NvFp5, "AND.F a, 1, 2;"),
        (Language::NvFp5, "ADD.xyz a, 1, 2;"),
    ] {
        assert!(coloured_in(language, line).iter().any(|(_, kind)| *kind == Error), "{line}");
    }
    assert_eq!(coloured_in(Language::ArbFp1Nv2, "MOVC a.xy, b;")[1], ("C", Suffix));
}
