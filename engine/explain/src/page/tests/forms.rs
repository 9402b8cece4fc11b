//! The forms, clauses and meanings that a page lists per language.

use super::super::{WIDTH, reference};
use shadestep_ide::reference::usages;
use shadestep_language::isa::{Language, ModifierOrder, Opcode, TABLE};

/// Languages that share their header with no other language.
const NV_LANGUAGES: [Language; 13] = [
    Language::Fp1,
    Language::Vp1,
    Language::Vp1_1,
    Language::Vp2,
    Language::Vsp1,
    Language::NvVp4,
    Language::NvFp4,
    Language::NvVp5,
    Language::NvFp5,
    Language::NvGp4,
    Language::NvGp5,
    Language::NvTcp5,
    Language::NvTep5,
];

/// A page as one line, without line breaks.
fn joined_lines(page: &str) -> String {
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_instruction_has_a_page_with_the_forms_and_section_of_each_language() {
    for info in TABLE {
        let page = reference(info, &Language::ALL);
        assert!(page.starts_with(&format!("{} - {}\n", info.mnemonic, info.title)));
        let written_once = joined_lines(&page);
        for language in Language::ALL {
            let Some(forms) = info.forms(language) else { continue };
            let (_, written) = page.rsplit_once("Forms\n").unwrap();
            let all = forms.combinations();
            if language.profile().modifier_order == ModifierOrder::Dotted && all.len() > 1 {
                assert!(joined_lines(written).contains("modifiers in any order"), "{page}");
            } else {
                for suffixes in all {
                    let name = format!("{}{}", info.mnemonic, suffixes.text());
                    assert!(written.split_whitespace().any(|w| w == name), "{name} is missing");
                }
            }
            let clause = format!("({})", info.clause(language).unwrap());
            for part in [language.name(), &clause] {
                assert!(written_once.contains(part), "{part} is missing:\n{page}");
            }
            // A syntax line can break where it has no space.
            let solid = |text: &str| text.split_whitespace().collect::<String>();
            for usage in usages(info, language) {
                assert!(solid(&page).contains(&solid(&usage)), "{page}");
            }
        }
        // The headings of forms and meanings name only languages that have the instruction.
        let (_, forms) = page.rsplit_once("Forms\n").unwrap();
        let lacking = NV_LANGUAGES.into_iter().filter(|language| info.forms(*language).is_none());
        for language in lacking {
            assert!(!forms.contains(language.header()), "{page}");
        }
        assert!(page.lines().all(|l| l.len() <= WIDTH), "{page}");
    }
}

#[test]
fn pages_say_what_differs_and_say_the_rest_once() {
    let count = |page: &str, part: &str| page.matches(part).count();
    // Once for floats, and once for languages with integer multiplication.
    let mad = reference(Opcode::Mad.info(), &Language::ALL);
    assert_eq!(count(&mad, "Computes"), 2);
    // The meaning comes first, the forms last.
    let places = ["Computes", "Syntax", "Forms"].map(|part| mad.find(part));
    assert!(places.is_sorted() && places[0].is_some(), "{mad}");
    assert!(mad.contains("!!VP1.0, !!VP1.1 and !!VSP1.0 (NV_vertex_program2 2.14.3.20)"), "{mad}");
    let sge = reference(Opcode::Sge.info(), &Language::ALL);
    // NaN compares in three ways: in the fragment, the NV vertex and the ARB vertex languages. Languages with
    // types also represent truth differently.
    assert_eq!(count(&sge, "Computes"), 4, "{sge}");
    assert!(sge.contains("In the ARB vertex languages\n"), "{sge}");
    assert!(sge.contains("In the NV vertex languages\n"), "{sge}");
    let arl = reference(Opcode::Arl.info(), &Language::ALL);
    assert!(arl.contains("In !!VP1.0, !!VP1.1 and !!VSP1.0\n") && arl.contains("In !!VP2.0\n"), "{arl}");
    assert!(arl.contains("    result.x = floor(a)\n"), "{arl}");
    let first = reference(Opcode::Sge.info(), &[Language::Vp2, Language::Fp1]);
    assert!(first.find("In !!VP2.0") < first.find("In !!FP1.0"), "{first}");
    assert!(first.contains("In !!VP2.0"), "{first}");
}
