//! Hover texts of words in every language.

use super::super::help::{keyword, option};
use super::super::reference::{readings, usages};
use super::*;
use proptest::prelude::*;
use shadestep_language::front::load;

const TEXT: &str = "!!FP1.0\nDEFINE pi = 3.14;\nDECLARE tint = 2;\nMADHC_SAT R0.xyz (GT.x), f [ TEX0 ], p[3], H1;\nRFL HC.x, R0, tint;\nTEX R1, R0, TEX2, CUBE;\nMUL o[COLR], R1, pi;\nEND";

fn at(needle: &str, inside: usize) -> Option<Hover> {
    let program = load(TEXT.as_bytes()).program;
    assert!(program.is_some());
    hover(TEXT.as_bytes(), TEXT.find(needle).unwrap() + inside, program.as_ref())
}

#[track_caller]
fn title(needle: &str, inside: usize) -> String {
    at(needle, inside).unwrap().title
}

#[test]
fn words_are_explained() {
    let mad = at("MADHC", 4).unwrap();
    assert_eq!(mad.title, "MADHC_SAT: Multiply and add");
    assert_eq!(mad.span.len(), 9);
    assert_eq!(mad.code, ["MAD[R|H|X][C][_SAT] dst, a, b, c", "result = a*b + c"]);
    for part in ["H: ", "C: ", "_SAT: ", "NV_fragment_program 3.11.5.15"] {
        assert!(mad.body.contains(part), "{part}");
    }
    assert_eq!(title("R0", 0), "R0: fp32 temporary register");
    assert_eq!(title("H1", 1), "H1: fp16 temporary register");
    assert_eq!(title("HC.x", 0), "HC: condition code only");
    assert_eq!(title("GT", 0), "GT: greater than zero");
    assert_eq!(title("tint;", 0), "tint: local parameter");
    assert!(at("tint;", 0).unwrap().body.contains("(2, 2, 2, 2)"));
    assert_eq!(title("pi;", 1), "pi = 3.14");
    assert_eq!(title("TEX2", 0), "TEX2: texture image unit");
    assert_eq!(title("CUBE", 3), "CUBE: texture target");
    assert_eq!(title("3.14", 0), "3.14 = 3.14");
    assert_eq!(title("DECLARE", 0), "DECLARE: declare a local parameter");
    assert_eq!(title("!!FP", 0), "!!FP1.0: fragment program");
    assert_eq!(title(".xyz", 1), ".xyz");
}

#[test]
fn array_elements_are_one_thing() {
    for inside in [0, 4] {
        let hover = at("f [ TEX0 ]", inside).unwrap();
        assert_eq!(hover.title, "f[TEX0]: texture coordinates");
        assert_eq!(hover.span.len(), "f [ TEX0 ]".len());
    }
    assert_eq!(title("p[3]", 2), "p[3]: numbered local parameter");
    assert_eq!(title("o[COLR]", 0), "o[COLR]: colour");
    assert!(at("f [", 1).is_none());
    assert!(hover(b"", 0, None).is_none());
    assert!(hover(b"!!FP1.0 f", 8, None).is_some());
    assert!(hover(b"!!FP1.0 MOV", 99, None).is_none());
    // A text without a language has no help, because no page would be right.
    assert!(hover(b"f", 0, None).is_none());
    assert!(hover(b"!!VP9.0 MOV", 9, None).is_none());
}

/// Title and body at the first `needle` in a text of `language`.
#[track_caller]
fn help(language: Language, line: &str, needle: &str) -> (String, String) {
    let text = format!("{}\n{line}", language.header());
    let start = language.header().len();
    let found = hover(text.as_bytes(), start + text[start..].find(needle).unwrap(), None).unwrap();
    (found.title, found.body)
}

#[test]
fn instructions_follow_the_language() {
    let at = |language: Language, word: &str| {
        let text = format!("{} {word}", language.header());
        hover(text.as_bytes(), text.len() - 1, None).unwrap()
    };
    let at = |language: Language, word: &str| match language.option() {
        Some(option) => {
            let text = format!("{} OPTION {option}; {word}", language.header());
            hover(text.as_bytes(), text.len() - 1, None).unwrap()
        }
        None => at(language, word),
    };
    for language in Language::ALL {
        for info in isa::instructions(language) {
            let found = at(language, info.mnemonic);
            assert_eq!(found.title, format!("{}: {}", info.mnemonic, info.title));
            assert!(found.code.starts_with(&usages(info, language)));
            assert!(found.body.ends_with(&info.clause(language).unwrap()), "{}", found.body);
            for reading in readings(info, language) {
                assert!(found.body.contains(&reading), "{}: {reading}", info.mnemonic);
            }
        }
    }
    assert_eq!(at(Language::Vp1, "ARL").code, ["ARL A0.x, a.x", "result.x = floor(a); where NaN gives 0"]);
    assert!(at(Language::Vp2, "ARL").code[1].contains("-512"));
    assert!(at(Language::Vp2, "SGEC").body.contains("NaN. The pseudo-code wins.\n\nC: "));
    assert!(!at(Language::Fp1, "SGE").body.contains("pseudo-code"));
    for (word, part) in [
        ("CAL", "four return addresses"),
        ("RET", "ends the program"),
        ("BRA", "executes at most 65536 instructions"),
        ("RCC", "-2^64"),
        ("ARR", "+INF gives 511"),
        ("ARA", "condition code is set from the clamped"),
        ("ARL", "(0,0,0,0)"),
        ("EXP", "x and y are exact"),
        ("LIT", "below 128"),
        ("MIN", "NaN in either operand"),
    ] {
        assert!(at(Language::Vp2, word).body.contains(part), "{word}: {part}");
    }
}

#[test]
fn what_only_another_language_has_is_said_to_be_there() {
    let (title, body) = help(Language::Vp1_1, "SEQ R0, R1, R2;", "SEQ");
    assert_eq!(title, "SEQ: not in !!VP1.1");
    // Of the ARB languages, only those with the NV options have it. The first one for each header is named.
    let arb = "!!ARBfp1.0 + NV_fragment_program, !!ARBvp1.0 + NV_vertex_program2";
    let typed = "!!NVvp4.0, !!NVfp4.0, !!NVvp5.0, !!NVfp5.0, !!NVgp4.0, !!NVgp5.0, !!NVtcp5.0 and !!NVtep5.0";
    assert_eq!(body, format!("`SEQ` exists in !!FP1.0, !!VP2.0, {arb}, {typed}, but not in !!VP1.1."));
    let (title, body) = help(Language::Vp1, "MOVC R0, R1;", "OVC");
    assert_eq!(title, "MOV: Move");
    assert!(
        body.starts_with(&format!(
            "`MOVC` exists in !!FP1.0, !!VP2.0, {arb}, {typed}, but not in !!VP1.0.\n\n"
        )),
        "{body}"
    );
    let (_, body) = help(Language::Vp2, "MOVH R0, R1;", "H");
    assert!(
        body.starts_with(&format!(
            "`MOVH` exists in !!FP1.0, !!ARBfp1.0 + NV_fragment_program, {typed}, but not"
        )),
        "{body}"
    );
    assert!(help(Language::Vp2, "BRAC x;", "C").1.starts_with("There is no BRAC."));
    assert_eq!(help(Language::Vp1, "MOV o[CLP0], R0;", "CLP").0, "o[CLP0]: not in !!VP1.0");
    assert_eq!(help(Language::Vp1, "MOV R12, c[96];", "96").0, "c[96]: not in !!VP1.0");
    assert_eq!(
        help(Language::Vp1, "MOV R12, c[96];", "R12").1,
        "`R12` exists in !!FP1.0 and !!VP2.0, but not in !!VP1.0."
    );
    assert_eq!(help(Language::Vp1, "MOV R0, c[A1.x];", "c[").0, "c[A1.x]: not in !!VP1.0");
    assert_eq!(help(Language::Vsp1, "MOV c[0], v[OPOS];", "OPOS").0, "v[OPOS]: not in !!VSP1.0");
    assert_eq!(help(Language::Vsp1, "MOV o[HPOS], v[0];", "o").0, "o: not in !!VSP1.0");
    assert_eq!(help(Language::Fp1, "ABS R0, R1;", "ABS").0, "ABS: not in !!FP1.0");
    // A constant of a fragment program can be called ABS.
    assert_eq!(help(Language::Fp1, "DEFINE ABS = 2; MOV R0, -ABS;", "ABS;").0, "ABS = 2");
}

#[test]
fn registers_of_the_vertex_languages() {
    let (title, body) = help(Language::Vp1, "MOV R0, v[ NRML ];", "NRML");
    assert_eq!(title, "v[NRML]: normal");
    assert!(body.contains("(x, y, z, 1)"), "{body}");
    assert!(
        help(Language::Vp2, "MOV R0, v[1];", "1")
            .1
            .contains("v[WGHT]. The conventional attribute arrives as (w, 0, 0, 1)")
    );
    assert!(help(Language::Vp2, "MOV R0, v[13];", "v").1.contains("of set 5 arrive as (s, t, r, q)"));
    assert_eq!(help(Language::Vsp1, "MOV R0, v[0];", "0]").0, "v[0]: the state program's input");
    assert_eq!(help(Language::Vp2, "MOV o[CLP3].x, R0;", "CLP3").0, "o[CLP3]: clip distance");
    assert!(help(Language::Vp1, "MOV o[FOGC], R0;", "FOGC").1.contains("the fog factor is 1"));
    assert!(help(Language::Vp1, "MOV o[HPOS], R0;", "HPOS").1.contains("(0,0,0,1) until written"));
    assert!(help(Language::Vp1, "MOV R0, c[4];", "4").1.contains("c[0] to c[95]"));
    assert!(help(Language::Vp2, "MOV R0, c[4];", "4").1.contains("c[0] to c[255]"));
    let (title, body) = help(Language::Vp2, "MOV R0, c[ A1.w - 256 ];", "256");
    assert_eq!(title, "c[A1.w-256]: relative program parameter");
    assert!(body.contains("from -256 to +255") && body.contains("(0,0,0,0)"), "{body}");
    assert!(help(Language::Vp1, "MOV R0, c[A0.x];", "c").1.contains("from -64 to +63"));
    assert!(help(Language::Vp2, "MOV R0, c[A0.x];", "A0").1.contains("-512 to 511"));
    assert!(help(Language::Vp1_1, "MOV R0, c[A0.x];", "A0").1.contains("unclamped"));
    assert_eq!(help(Language::Vp2, "MOVC CC, R0;", "CC,").0, "CC: condition code only");
    assert!(help(Language::Vp1_1, "MOV R11, R0;", "R11").1.contains("R0 to R11"));
    assert!(help(Language::Vp2, "MOV R11, R0;", "R11").1.contains("R0 to R15"));
}

#[test]
fn labels_options_and_headers() {
    let (title, body) = help(Language::Vp2, "BRA on (GT);\nmain:\non: CAL on;", "on");
    assert_eq!(title, "on: label");
    assert!(body.contains("Defined on line 4; used 2 times."), "{body}");
    assert!(help(Language::Vp2, "main: RET;", "main").1.contains("Execution starts"));
    assert!(help(Language::Vp2, "BRA off;", "off").1.contains("not defined"));
    let option = "OPTION NV_position_invariant;";
    assert!(help(Language::Vp1_1, option, "NV_").1.contains("must not read c[A0.x+n]"));
    assert!(!help(Language::Vp2, option, "NV_").1.contains("must not read"));
    assert_eq!(help(Language::Vp2, option, "OPTION").0, "OPTION: enable an option");
    let option = "OPTION ARB_fragment_coord_origin_upper_left;";
    assert!(
        help(Language::Fp1, option, "ARB_").1.starts_with("f[WPOS].y grows downwards from the upper edge")
    );
    let option = "OPTION ARB_fragment_coord_pixel_center_integer;";
    assert!(help(Language::Fp1, option, "ARB_").1.contains("whole numbers"));
    let title = |language: Language| hover(language.header().as_bytes(), 3, None).unwrap().title;
    assert_eq!(title(Language::Vp2), "!!VP2.0: vertex program");
    assert_eq!(title(Language::Vsp1), "!!VSP1.0: vertex state program");
    // Table X.4: twenty-one instructions, minus four that only !!VP1.1 has. Table X.5: thirty-nine.
    for (language, count) in [(Language::Vp1, 17), (Language::Vp1_1, 21), (Language::Vp2, 39)] {
        let found = hover(language.header().as_bytes(), 3, None).unwrap();
        assert!(found.body.contains(&format!("{count} instructions")), "{}", found.body);
    }
}

#[test]
fn uses_are_counted_in_the_loaded_program() {
    let body = |needle, inside| at(needle, inside).unwrap().body;
    assert!(body("R0.xyz", 0).ends_with("Read by 2 instructions and written by 1 instruction."));
    assert!(body("tint;", 0).ends_with("Read by 1 instruction."));
    assert!(body("o[COLR]", 2).ends_with("Written by 1 instruction."));
    assert!(body("p[3]", 0).contains("Read by 1 instruction."));
}

#[test]
fn uses_are_counted_in_a_vertex_program() {
    let text = "!!VP2.0\nARL A1.x, v[6];\nADD R15, c[A1.x + 2], v[6];\nMOVC CC, R15;\nDP4 o[HPOS].x, c[9], v[OPOS];\nMOV o[HPOS].y, c[9];\nEND";
    let program = load(text.as_bytes()).program;
    assert!(program.is_some());
    let body = |needle: &str, inside: usize| {
        hover(text.as_bytes(), text.find(needle).unwrap() + inside, program.as_ref()).unwrap().body
    };
    assert!(body("A1.x", 0).ends_with("Read by 1 instruction and written by 1 instruction."));
    assert!(body("v[6]", 0).ends_with("Read by 2 instructions."));
    assert!(body("R15", 0).ends_with("Read by 1 instruction and written by 1 instruction."));
    assert!(body("c[9]", 2).contains("Read by 2 instructions."));
    assert!(body("HPOS", 0).ends_with("Written by 2 instructions."));
}

const FRAGMENT: &str = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nSHORT TEMP soft;\nTEMP reg;\nATTRIB tint = fragment.color;\n\
    PARAM k = {1, 2};\nPARAM rows[] = { state.matrix.mvp };\nOUTPUT out = result.color;\n\
    TEX reg, fragment . texcoord[1], texture[2], CUBE;\nMADHC_SSAT soft (GT.x), reg, state.light[0].diffuse, rows[2];\n\
    ADD out, soft, k;\nMUL result.depth.z, tint, k;\nEND";

#[track_caller]
fn arb(text: &str, needle: &str, inside: usize) -> (String, String) {
    let program = load(text.as_bytes()).program;
    let found = hover(text.as_bytes(), text.find(needle).unwrap() + inside, program.as_ref()).unwrap();
    (found.title, found.body)
}

#[test]
fn bindings_are_one_thing() {
    for inside in [0, 5, 12, 20] {
        let (title, body) = arb(FRAGMENT, "fragment . texcoord[1]", inside);
        assert_eq!(title, "fragment.texcoord[1]: texture coordinates");
        assert!(body.contains("of set 1") && body.ends_with("ARB_fragment_program 3.11.3.1"), "{body}");
    }
    assert_eq!(arb(FRAGMENT, "texture[2]", 8).0, "texture[2]: texture image unit");
    let (title, body) = arb(FRAGMENT, "state.light[0].diffuse", 8);
    assert_eq!(title, "state.light[0].diffuse: diffuse colour of a light");
    // Only light 0 is initially white (glspec15, table of lighting state).
    assert!(body.contains("The default is (1, 1, 1, 1), unless the scene sets it."), "{body}");
    assert!(body.contains("Read by 1 instruction."), "{body}");
    assert_eq!(arb(FRAGMENT, "result.depth", 9).0, "result.depth: depth");
    assert_eq!(arb(FRAGMENT, ".z, tint", 1).0, ".z");
    assert_eq!(arb(FRAGMENT, "state.matrix.mvp", 14).0, "state.matrix.mvp: 4 parameters");
}

#[test]
fn names_say_what_they_stand_for() {
    let (title, body) = arb(FRAGMENT, "tint, k", 0);
    assert_eq!(title, "tint: primary colour");
    assert!(body.starts_with("Bound to fragment.color. "), "{body}");
    assert!(body.contains("Declared on line 5. Read by 1 instruction."), "{body}");
    let (title, body) = arb(FRAGMENT, "soft (", 1);
    assert_eq!(title, "soft: fp16 temporary");
    assert!(body.ends_with("Read by 1 instruction and written by 1 instruction."), "{body}");
    assert_eq!(arb(FRAGMENT, "k;\nMUL", 0).0, "k: constant");
    assert!(arb(FRAGMENT, "k;\nMUL", 0).1.contains("(1, 2, 0, 1)"));
    assert!(arb(FRAGMENT, "k;\nMUL", 0).1.contains("Read by 2 instructions."));
    assert_eq!(arb(FRAGMENT, "rows[2]", 0).0, "rows: 4 parameters");
    let (title, body) = arb(FRAGMENT, "rows[2]", 5);
    assert_eq!(title, "rows[2]: row of the modelview-projection matrix");
    assert!(body.starts_with("Bound to state.matrix.mvp.row[2]. Row 2"), "{body}");
    assert!(arb(FRAGMENT, "out, soft", 0).1.contains("Written by 1 instruction"));
}

#[test]
fn instructions_keywords_and_options() {
    let (title, body) = arb(FRAGMENT, "MADHC", 2);
    assert_eq!(title, "MADHC_SSAT: Multiply and add");
    for part in ["H: computed in fp16.", "C: sets the condition code", "_SSAT: clamps the result to [-1,1]"] {
        assert!(body.contains(part), "{body}");
    }
    assert!(!body.contains("FOGC"), "{body}");
    assert_eq!(arb(FRAGMENT, "GT", 0).0, "GT: greater than zero");
    assert_eq!(arb(FRAGMENT, "SHORT", 0).0, "SHORT: 16-bit floats");
    let (title, body) = arb(FRAGMENT, "!!ARB", 0);
    assert_eq!(title, "!!ARBfp1.0 + NV_fragment_program2: fragment program");
    // "There are sixty-seven" instructions (NV_fragment_program2 3.11.5).
    assert!(body.contains("67 instructions"), "{body}");
    let (_, body) = arb(FRAGMENT, "NV_fragment_program2", 3);
    assert!(body.contains("ENDLOOP") && body.contains("fragment.facing"), "{body}");
    let (title, body) =
        arb("!!ARBvp1.0\nOPTION NV_vertex_program3;\nMOVC1 result.color (LE1), vertex.color;\nEND", "LE1", 0);
    assert!(
        title.starts_with("LE1: less than or equal to zero") && body.contains("of the second register"),
        "{title} {body}"
    );
}

#[test]
fn what_an_option_brings_is_said_to_come_with_it() {
    let text = "!!ARBfp1.0\nTEMP a;\nDDX a, a;\nTEX a, a, texture[0], SHADOW2D;\nMOVH a, a;\nADDRESS b;\nMOV a, later;";
    let (title, body) = arb(text, "DDX", 1);
    assert_eq!(title, "DDX: not in !!ARBfp1.0");
    assert!(body.contains("`OPTION NV_fragment_program;`"), "{body}");
    assert!(arb(text, "SHADOW2D", 0).1.contains("ARB_fragment_program_shadow"));
    let (title, body) = arb(text, "MOVH", 3);
    assert_eq!(title, "MOV: Move");
    assert!(body.starts_with("`MOVH` needs `OPTION NV_fragment_program;`"), "{body}");
    assert!(arb(text, "ADDRESS", 0).1.starts_with("`ADDRESS` exists in !!ARBvp1.0"));
    assert!(hover(text.as_bytes(), text.find("later").unwrap(), None).is_none());
}

/// Every option and every keyword has a help text.
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

proptest! {
    #[test]
    fn whatever_is_pointed_at_is_answered_within_the_text(
        language in proptest::sample::select(Language::ALL.to_vec()),
        text in "[RAMOVBCxyzwvocfp0-9\\[\\]+\\-|(){}.,;:#$ \n\u{e9}]{0,80}",
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let option = language.option().map_or_else(String::new, |name| format!("OPTION {name};TEMP R;"));
        for rest in [text.as_bytes(), &bytes] {
            let text = [language.header().as_bytes(), option.as_bytes(), rest].concat();
            for offset in 0..=text.len() + 1 {
                if let Some(found) = hover(&text, offset, None) {
                    prop_assert!(found.span.contains(offset) && found.span.end <= text.len());
                    prop_assert!(!found.title.is_empty() && !found.body.is_empty());
                }
                for completion in super::super::completions(&text, offset) {
                    prop_assert!(completion.replace.end <= text.len());
                }
            }
        }
    }
}

#[test]
fn modifiers_behind_points_are_explained() {
    let in_fp5 = |text: &str, offset| Hoverable::of(text.as_bytes(), Language::NvFp5).hover(offset, None);
    let text = "!!NVfp5.0\nTEMP a;\nADD.S64.CC0.SAT a, a, a;\nADD.Q a, a, a;\nEND";
    for inside in [0, 2, 3, 5, 9, 13] {
        let place = text.find("ADD").unwrap() + inside;
        let hover = in_fp5(text, place).unwrap();
        assert_eq!(hover.span.slice(text.as_bytes()), b"ADD.S64.CC0.SAT", "{inside}");
    }
    let sat = "!!NVfp5.0\nTEMP a;\nADD.F32.CC0.SAT a, a, a;\nEND";
    let hover = in_fp5(sat, sat.find("CC0").unwrap()).unwrap();
    assert_eq!(hover.title, "ADD.F32.CC0.SAT: Add");
    for part in ["F32: 32-bit floats.", "CC0: sets the first", "SAT: clamps the result to [0,1]"] {
        assert!(hover.body.contains(part), "{part}: {}", hover.body);
    }
    let wrong = in_fp5(text, text.find("ADD.Q").unwrap() + 4).unwrap();
    assert!(wrong.body.starts_with("There is no ADD.Q."), "{}", wrong.body);
}

#[test]
fn a_text_read_once_says_the_same_of_each_word() {
    for text in [
        TEXT,
        "!!VP2.0 BRA end; MOV o[HPOS], v[0]; end: END",
        "!!ARBfp1.0\nTEMP a;\nMOV result.color, a;\nEND",
    ] {
        let bytes = text.as_bytes();
        let read = Hoverable::of(bytes, Language::of_header(bytes).unwrap());
        for offset in 0..=text.len() {
            assert_eq!(read.hover(offset, None), hover(bytes, offset, None), "{offset}");
        }
    }
}
