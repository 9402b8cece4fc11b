//! Random and hostile texts of every language. A program that loads prints and loads again to the same
//! program, no text causes a panic, and the work grows in proportion to the length of the text.

mod arb_fp;
mod arb_vp;
pub mod checks;
mod choices;
mod fp1;
mod typed;
mod vp;

use crate::measure::work::{TIMES, assert_in_proportion, work_of};
use checks::{assert_prints_and_reloads, assert_sane};
use proptest::prelude::*;
use shadestep_engine::front::{LANGUAGES, MAX_DIAGNOSTICS, load};
use shadestep_language::isa::{Family, Language};

/// Returns a program in `language` that loads.
fn random_program(language: Language, list: Vec<u32>) -> String {
    match language.family() {
        Family::Fp => fp1::random_program(list),
        Family::ArbFp => arb_fp::random_program(list),
        Family::ArbVp => arb_vp::random_program(list),
        Family::Vp => vp::random_program(language, list),
        Family::NvVp | Family::NvTcp | Family::NvTep | Family::NvGp | Family::NvFp => {
            typed::random_program(language, list)
        }
    }
}

fn pieces(language: Language) -> &'static [&'static str] {
    match language.family() {
        Family::Fp => fp1::PIECES,
        Family::ArbFp => arb_fp::PIECES,
        Family::ArbVp => arb_vp::PIECES,
        Family::Vp => vp::PIECES,
        Family::NvVp | Family::NvTcp | Family::NvTep | Family::NvGp | Family::NvFp => typed::PIECES,
    }
}

fn languages() -> impl Strategy<Value = Language> {
    prop::sample::select(LANGUAGES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_loads_prints_and_loads_again(
        language in languages(),
        list in proptest::collection::vec(any::<u32>(), 0..600),
    ) {
        let text = random_program(language, list);
        let loaded = load(text.as_bytes());
        let program = loaded.program.unwrap_or_else(|| {
            panic!("{text}\n{}", shadestep_engine::diag::render_all(&loaded.diagnostics, text.as_bytes(), "random"))
        });
        assert_eq!(program.language.base(), language);
        assert_prints_and_reloads(program);
    }

    #[test]
    fn bytes_never_panic(
        language in languages(),
        text in proptest::collection::vec(any::<u8>(), 0..200),
        offset in 0..220_usize,
    ) {
        assert_sane(&text, offset);
        let mut program = language.header().as_bytes().to_vec();
        program.push(b' ');
        program.extend(text);
        assert_sane(&program, offset);
    }

    #[test]
    fn token_salad_never_panics(
        language in languages(),
        salad in proptest::collection::vec(any::<prop::sample::Index>(), 0..60),
        offset in 0..200_usize,
    ) {
        let pieces = pieces(language);
        let text: String = salad.iter().flat_map(|i| [pieces[i.index(pieces.len())], " "]).collect();
        assert_sane(format!("{}\n{text}", language.header()).as_bytes(), offset);
        assert_sane(format!("{}\n{}", language.header(), text.replace(' ', "")).as_bytes(), offset);
    }

    #[test]
    fn mutated_programs_never_panic(
        language in languages(),
        list in proptest::collection::vec(any::<u32>(), 0..150),
        changes in proptest::collection::vec(
            (any::<prop::sample::Index>(), 0..3_u8, any::<prop::sample::Index>()),
            1..6,
        ),
        offset in any::<prop::sample::Index>(),
    ) {
        let mut text = random_program(language, list).into_bytes();
        let pieces = pieces(language);
        for (place, what, piece) in changes {
            let at = place.index(text.len());
            let piece = pieces[piece.index(pieces.len())];
            match what {
                0 => { text.remove(at); }
                1 => { text.splice(at..at, piece.bytes()); }
                _ => { text.splice(at..at + 1, piece.bytes()); }
            }
        }
        let offset = offset.index(text.len());
        assert_sane(&text, offset);
    }
}

/// Bytes of the longest texts, and the number of their declarations.
const SIZE: usize = 10_000_000;
const COUNT: usize = 400_000;

/// Loads each text of `texts(size, count)` at full length and at 1 / [`TIMES`] of the length. The work must
/// grow in proportion.
#[track_caller]
fn assert_work_in_proportion(texts: impl Fn(usize, usize) -> Vec<(&'static str, String)>) {
    let part = texts(SIZE / TIMES, COUNT / TIMES);
    for ((what, small), (_, large)) in part.into_iter().zip(texts(SIZE, COUNT)) {
        let mut loaded = None;
        assert_in_proportion(what, || {
            let (small_work, _) = work_of(|| load(small.as_bytes()));
            let (large_work, of_large) = work_of(|| load(large.as_bytes()));
            loaded = Some(of_large);
            (small_work, large_work)
        });
        let loaded = loaded.expect("it is measured at least once");
        assert!(loaded.diagnostics.len() <= 2 * MAX_DIAGNOSTICS, "{what}");
        for diagnostic in loaded.diagnostics.iter().take(3) {
            let length = shadestep_engine::diag::render_all(
                std::slice::from_ref(diagnostic),
                large.as_bytes(),
                "big.fp",
            )
            .len();
            assert!(length < 4000, "{what}: {length} bytes for one diagnostic");
        }
    }
}

#[test]
fn ten_megabytes_of_a_fragment_program_take_work_in_proportion() {
    assert_work_in_proportion(|size, count| {
        let repeat = |piece: &str| format!("!!FP1.0 {}", piece.repeat(size / piece.len()));
        let names: String = (0..count).map(|n| format!("DEFINE name{n} = {n};\n")).collect();
        let locals: String = (0..count).map(|n| format!("DECLARE name{n} = {{{n}}};\n")).collect();
        let constants: String = (0..count).map(|n| format!("MOV R0, {{{n},1,2,3}};\n")).collect();
        vec![
            ("instructions", repeat("MAD_SAT R0.xyz (GT.x), f[TEX0].xyzw, -|R1|, {1,2,3,4};\n")),
            ("wrong instructions", repeat("FOO R0;\n")),
            ("wrong operands", repeat("MOV R0, R99;")),
            ("no semicolons", repeat("MOV ")),
            ("one number", repeat("1")),
            ("one fraction", format!("!!FP1.0 MOV R0, 0.{};", "1234567890".repeat(size / 10))),
            ("one word", repeat("a")),
            ("one swizzle", format!("!!FP1.0 MOV R0.{}", "x".repeat(size))),
            ("spaced swizzle", format!("!!FP1.0 MOV R0.{}", "x ".repeat(size / 2))),
            ("brackets", repeat("({[|")),
            ("one comment", format!("!!FP1.0 #{}", "x".repeat(size))),
            ("line ends", repeat("\r\n")),
            ("zeros", repeat("\0")),
            ("unknown words", repeat("\u{e9} ")),
            ("constants", format!("!!FP1.0 {names} MOV o[COLR], name7; END")),
            ("locals", format!("!!FP1.0 {locals} END")),
            ("many constants", format!("!!FP1.0 {constants} END")),
            ("unfinished", format!("!!FP1.0 {} DEFINE", "END ".repeat(size / 4))),
            ("no header", "MOV ".repeat(size / 4)),
            ("only space", " ".repeat(size)),
        ]
    });
}

#[test]
fn ten_megabytes_of_a_vertex_program_take_work_in_proportion() {
    for header in ["!!VP1.0", "!!VP2.0"] {
        assert_work_in_proportion(|size, count| {
            let repeat = |piece: &str| format!("{header} {}", piece.repeat(size / piece.len()));
            let labels: String = (0..count).map(|n| format!("l{n}:\n")).collect();
            let branches: String = (0..count).map(|n| format!("BRA l{n};\n")).collect();
            vec![
                ("instructions", repeat("MAD R0.xyz, v[TEX0].xyzw, -R1, c[A0.x+4];\n")),
                ("no semicolons", repeat("MOV ")),
                ("lines without semicolons", repeat("a\n")),
                ("labels", repeat("a: ")),
                ("brackets", format!("{header} MOV c[{}", "1 ".repeat(size / 2))),
                ("one number", format!("{header} MOV R0, c[{}];", "1".repeat(size))),
                ("many labels", format!("{header} {labels} MOV o[HPOS], R0; END")),
                ("unknown labels", format!("{header} {branches} MOV o[HPOS], R0; END")),
                ("known labels", format!("{header} {labels} {branches} MOV o[HPOS], R0; END")),
                ("far colons", format!("{header} MOV R0, R1 {} a {}:", "b ".repeat(9), "\n".repeat(size))),
                ("zeros", repeat("\0")),
                ("options", repeat("OPTION NV_position_invariant;")),
            ]
        });
    }
}

#[test]
fn ten_megabytes_of_an_arb_program_take_work_in_proportion() {
    for header in ["!!ARBfp1.0 OPTION NV_fragment_program2;", "!!ARBvp1.0 OPTION NV_vertex_program3;"] {
        assert_work_in_proportion(|size, count| {
            let repeat = |piece: &str| format!("{header} {}", piece.repeat(size / piece.len()));
            let each = |piece: &dyn Fn(usize) -> String| (0..count).map(piece).collect::<String>();
            let list = |piece: &dyn Fn(usize) -> String| {
                let entries: Vec<String> = (0..count).map(piece).collect();
                format!("{header} PARAM p[] = {{ {} }}; END", entries.join(", "))
            };
            vec![
                ("instructions", repeat("TEMP a; MAD_SAT a.xyz (GT.x), a, -|program.env[1]|, {1,2,3,4};\n")),
                ("wrong instructions", repeat("FOO a;\n")),
                ("undefined names", format!("{header} {}", each(&|n| format!("MOV a{n}, b{n};\n")))),
                ("declarations", format!("{header} {} END", each(&|n| format!("TEMP a{n};\n")))),
                ("one list", format!("{header} TEMP a{} ; END", each(&|n| format!(", a{n}")))),
                ("aliases", format!("{header} TEMP a; {} END", each(&|n| format!("ALIAS a{n} = a;\n")))),
                ("one name again", repeat("TEMP a;")),
                ("parameters", format!("{header} {} END", each(&|n| format!("PARAM a{n} = {n};\n")))),
                ("equal elements", list(&|_| "1".to_owned())),
                ("different elements", list(&|n| n.to_string())),
                ("ranges", list(&|_| "program.env[0..255]".to_owned())),
                ("matrices", list(&|_| "state.matrix.mvp".to_owned())),
                ("arrays", repeat("PARAM p[] = { program.env[0..255] };")),
                ("attributes", repeat("MOV a, vertex.attrib[0]; MOV a, fragment.texcoord[1];")),
                ("blocks", repeat("IF GT; ")),
                ("loops", repeat("LOOP 1; REP 2; ")),
                ("ends", repeat("ENDIF; ELSE; ENDLOOP; ")),
                ("breaks", format!("{header} LOOP 1; {} ENDLOOP; END", "BRK;".repeat(size / 4))),
                ("labels", format!("{header} {} END", each(&|n| format!("l{n}: ")))),
                ("calls", format!("{header} {} END", each(&|n| format!("CAL l{n};\n")))),
                ("no semicolons", repeat("MOV ")),
                ("brackets", repeat("({[|")),
                ("signs", repeat("MOV a, -")),
                ("one swizzle", format!("{header} TEMP a; MOV a, a.{}", "x ".repeat(size / 2))),
                ("one number", format!("{header} MOV a, {}", "1".repeat(size))),
                ("one word", format!("{header} {}", "a".repeat(size))),
                ("options", format!("{header} {}", "OPTION ARB_fog_exp;".repeat(size / 20))),
                ("unknown options", repeat("OPTION FOO;")),
                ("zeros", repeat("\0")),
            ]
        });
    }
}
