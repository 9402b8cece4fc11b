//! Checks libFuzzer's dictionaries against the words of each language, from the instruction table and the
//! tables of bindings. `BLESS=1` rewrites the dictionaries.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use shadestep_engine::front::LANGUAGES;
use shadestep_engine::ir::{Attribute, Condition, StateVector};
use shadestep_engine::isa::{Language, Stage, instructions};

/// The dictionaries by target, with their languages.
const DICTIONARIES: [(&str, &[Language]); 7] = [
    ("fp1", &[Language::Fp1]),
    ("vp", &[Language::Vp1, Language::Vp1_1, Language::Vp2, Language::Vsp1]),
    ("arbfp", &[Language::ArbFp1, Language::ArbFp1Nv1, Language::ArbFp1Nv2]),
    ("arbvp", &[Language::ArbVp1, Language::ArbVp1Nv2, Language::ArbVp1Nv3]),
    ("gpu", &GPU),
    ("text", &ALL),
    ("ide", &ALL),
];

/// Languages with typed variables.
const GPU: [Language; 6] =
    [Language::NvFp4, Language::NvVp4, Language::NvFp5, Language::NvVp5, Language::NvGp4, Language::NvGp5];

const ALL: [Language; 17] = [
    Language::Fp1,
    Language::Vp1,
    Language::Vp1_1,
    Language::Vp2,
    Language::Vsp1,
    Language::ArbFp1,
    Language::ArbFp1Nv1,
    Language::ArbFp1Nv2,
    Language::ArbVp1,
    Language::ArbVp1Nv2,
    Language::ArbVp1Nv3,
    Language::NvFp4,
    Language::NvVp4,
    Language::NvFp5,
    Language::NvVp5,
    Language::NvGp4,
    Language::NvGp5,
];

/// Further words of languages with typed variables.
const TYPED: [&str; 16] = [
    "FLAT ",
    "CENTROID ",
    "NOPERSPECTIVE ",
    "INT ",
    "UINT ",
    "LONG ",
    "SHORT ",
    ".S",
    ".U",
    ".F64",
    ".U64",
    "TEXTURE t[] = { texture[0..3] };",
    "texture[1].y",
    "offset(R0)",
    "BUFFER b[] = { program.buffer[0] };",
    "BUFFER4 ",
];

/// Further words of geometry programs.
const GEOMETRY: [&str; 5] = [
    "PRIMITIVE_IN TRIANGLES_ADJACENCY;",
    "PRIMITIVE_OUT TRIANGLE_STRIP;",
    "VERTICES_OUT 4;",
    "ATTRIB p = vertex.position;",
    "p[1]",
];

/// Words of the grammars other than instructions.
const NV: [&str; 10] =
    ["DECLARE", "DEFINE", "END", "o[COLR]", "o[HPOS]", "c[A0.x+4]", "R0", "H0", "RC", "OPTION"];
const ARB: [&str; 18] = [
    "PARAM",
    "TEMP",
    "ATTRIB",
    "OUTPUT",
    "ALIAS",
    "ADDRESS",
    "OPTION",
    "END",
    "result.color",
    "result.position",
    "result.texcoord[A0.x+1]",
    "program.env[0..3]",
    "program.local[1]",
    "texture[0]",
    "state.matrix.mvp.row[0..3]",
    "[A0.x+1]",
    "{ 1, 2, 3, 4 }",
    "ADDRESS A0;",
];

fn words(language: Language) -> BTreeSet<String> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    if LANGUAGES.contains(&language) {
        words.insert(language.header().to_owned());
    }
    words.extend(language.option().map(|option| format!("OPTION {option};")));
    for info in instructions(language) {
        let forms = info.forms(language).expect("chosen among those of the language");
        words.insert(info.mnemonic.to_owned());
        words.extend(
            forms.combinations().last().map(|suffixes| format!("{}{} ", info.mnemonic, suffixes.text())),
        );
    }
    words.extend(Attribute::of_language(language).map(|attribute| attribute.register_in(language)));
    words.extend(Condition::OF_NUMBERS.iter().map(|condition| format!("({}.x)", condition.name())));
    words.extend(language.profile().targets.iter().map(|target| target.name().to_owned()));
    if language.profile().typed {
        words.extend(TYPED.map(str::to_owned));
    }
    if language.stage() == Stage::Geometry {
        words.extend(GEOMETRY.map(str::to_owned));
    }
    if language.profile().declares_variables() {
        words.extend(ARB.map(str::to_owned));
        let states = StateVector::all().into_iter().filter(|state| state.is_in(language));
        // Every seventh state vector: many differ only in the number of a light or unit.
        words.extend(states.step_by(7).map(|state| state.to_string()));
    } else {
        words.extend(NV.map(str::to_owned));
    }
    words
}

#[test]
fn dictionaries_are_what_the_tables_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dictionaries");
    for (name, languages) in DICTIONARIES {
        let words: BTreeSet<String> = languages.iter().copied().flat_map(words).collect();
        let mut text = format!(
            "# The words of the languages that `{name}` is about; see checks/tests/dictionaries.rs.\n"
        );
        for word in words {
            writeln!(text, "{word:?}").expect("to a string");
        }
        let path = folder.join(format!("{name}.dict"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&path, &text).expect("written");
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "{}: run again with BLESS=1", path.display());
    }
}
