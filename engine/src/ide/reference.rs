//! Reference pages, made from the instruction table.

use std::fmt::Write as _;

use super::words::listed;
use crate::front::LANGUAGES;
use crate::isa::{Info, Language, Opcode, OperandKind, ResultKind, Rule, Stage};

/// Columns of a reference page.
const WIDTH: usize = 80;

const FRAGMENT: &[Language] = &[Language::Fp1];
const VERTEX: &[Language] = &[Language::Vp1, Language::Vp1_1, Language::Vp2, Language::Vsp1];
const VERTEX_1: &[Language] = &[Language::Vp1, Language::Vp1_1, Language::Vsp1];
const VERTEX_2: &[Language] = &[Language::Vp2];

/// How Shadestep reads a text where it contradicts itself or leaves a choice.
struct Reading {
    opcodes: &'static [Opcode],
    languages: &'static [Language],
    text: &'static str,
}

const fn reading(opcodes: &'static [Opcode], languages: &'static [Language], text: &'static str) -> Reading {
    Reading { opcodes, languages, text }
}

const READINGS: &[Reading] = &[
    reading(
        &[Opcode::Sne],
        &LANGUAGES,
        "Special-case rule 4 calls -0.0 != +0.0 true; that is a slip. Zeros compare equal, so SNE gives 0.0.",
    ),
    reading(
        &[Opcode::Pow],
        FRAGMENT,
        "The result is EX2(b * LG2(a)) exactly. Where a listed special case disagrees (infinity to a negative power) the definition wins.",
    ),
    reading(
        &[Opcode::Dp3, Opcode::Dp4, Opcode::Dph],
        &LANGUAGES,
        "Sums run from left to right; each product and each sum is rounded.",
    ),
    reading(&[Opcode::Rsq], &LANGUAGES, "The printed error bound is taken against 1/sqrt(x)."),
    reading(&[Opcode::Mad], &LANGUAGES, "A multiply, then an add, each rounded: never fused."),
    reading(
        &[Opcode::Pk2h, Opcode::Pk2us, Opcode::Pk4b, Opcode::Pk4ub],
        FRAGMENT,
        "RC counts as a destination with 32-bit components.",
    ),
    reading(
        &[Opcode::Seq, Opcode::Sge, Opcode::Sgt, Opcode::Sle, Opcode::Slt, Opcode::Sne],
        VERTEX,
        "The special-case rules call a comparison with NaN true or false, the pseudo-code makes its result NaN. The pseudo-code holds.",
    ),
    reading(&[Opcode::Max, Opcode::Min], VERTEX, "A NaN in either operand gives NaN, whichever comes first."),
    reading(
        &[Opcode::Cal],
        VERTEX_2,
        "With four return addresses on the stack CAL ends the program and does not go on at the label, though the pseudo-code reads so.",
    ),
    reading(
        &[Opcode::Cal, Opcode::Ret],
        VERTEX_2,
        "However a program ends, its vertex comes out with what the results then hold.",
    ),
    reading(
        &[Opcode::Bra, Opcode::Cal, Opcode::Ret],
        VERTEX_2,
        "The 65536th instruction executed ends the program in the same way.",
    ),
    reading(
        &[Opcode::Rcc],
        VERTEX,
        "Special-case rule 7 is meant for operands below -2^64 (-2^-64 is printed).",
    ),
    reading(
        &[Opcode::Ara, Opcode::Arl, Opcode::Arr],
        VERTEX,
        "c[A0.x+n] outside the parameter file reads (0,0,0,0).",
    ),
    reading(
        &[Opcode::Exp, Opcode::Log],
        VERTEX,
        "x and y are exact, z has full precision: much better than the 11 bits asked for.",
    ),
    reading(
        &[Opcode::Lit],
        VERTEX,
        "The exponent clamps to the largest fp32 number below 128 and to its negative.",
    ),
    reading(&[Opcode::Arl, Opcode::Arr], VERTEX_2, "NaN gives 0, -INF gives -512 and +INF gives 511."),
    reading(&[Opcode::Arl], VERTEX_1, "NaN gives 0. The address is not clamped."),
    reading(
        &[Opcode::Ara, Opcode::Arl, Opcode::Arr],
        VERTEX_2,
        "With C the condition code is set from the clamped whole numbers.",
    ),
];

/// The readings that concern `opcode` in `language`.
pub(super) fn readings(opcode: Opcode, language: Language) -> impl Iterator<Item = &'static str> {
    READINGS
        .iter()
        .filter(move |reading| reading.opcodes.contains(&opcode) && reading.languages.contains(&language))
        .map(|reading| reading.text)
}

/// How an instruction is written in `language`, e.g. `MAD[R|H|X][C][_SAT] dst, a, b, c`; `None` where it
/// is not there.
pub(super) fn usage(info: &Info, language: Language) -> Option<String> {
    let forms = info.forms(language)?;
    let mut text = info.mnemonic.to_owned();
    if !forms.precisions.is_empty() {
        let letters: Vec<String> = forms.precisions.iter().map(|p| p.letter().to_string()).collect();
        let _ = write!(text, "[{}]", letters.join("|"));
    }
    if !forms.cc.is_empty() {
        text.push_str("[C]");
    }
    if !forms.sat.is_empty() {
        text.push_str("[_SAT]");
    }
    let mut parts = Vec::new();
    match info.result {
        ResultKind::None => {}
        ResultKind::Address if info.operands_in(language) == [OperandKind::Scalar] => {
            parts.push("A0.x".to_owned())
        }
        ResultKind::Address => parts.push("A0".to_owned()),
        ResultKind::Vector | ResultKind::Replicated => parts.push("dst".to_owned()),
    }
    let mut names = ["a", "b", "c"].into_iter();
    let mut branch_condition = "";
    for kind in info.operands_in(language) {
        parts.push(match kind {
            OperandKind::Vector => names.next().unwrap_or("v").to_owned(),
            OperandKind::Scalar => format!("{}.x", names.next().unwrap_or("s")),
            OperandKind::Condition => "condition".to_owned(),
            OperandKind::VectorOrCondition => format!("{} or condition", names.next().unwrap_or("v")),
            OperandKind::ExtendedSwizzle => format!("{}, x, y, z, w", names.next().unwrap_or("v")),
            OperandKind::TextureImage => "unit, target".to_owned(),
            OperandKind::Address => "A1".to_owned(),
            OperandKind::Label => "label".to_owned(),
            OperandKind::BranchCondition => {
                branch_condition = " [(condition)]";
                continue;
            }
        });
    }
    if !parts.is_empty() {
        let _ = write!(text, " {}", parts.join(", "));
    }
    text.push_str(branch_condition);
    Some(text)
}

/// A load rule in words, where an instruction has one.
pub(super) const fn rule_text(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::Free => None,
        Rule::WideDestination => {
            Some("The destination must have 32-bit components: an R register, RC, o[COLR] or o[DEPR].")
        }
        Rule::WideSource => Some(
            "The operand must come from 32-bit components: an R register, an attribute, a constant or a parameter.",
        ),
        Rule::NoW => Some("The write mask must leave w out; without a mask the program does not load."),
    }
}

/// The reference page of an instruction as plain text, 80 columns wide: how each language that has it
/// writes it and where that is defined, then what it does, said once for the languages that agree.
/// `first`, if it has the instruction, comes before the others.
pub fn reference(info: &Info, first: Option<Language>) -> String {
    let mut languages: Vec<Language> =
        LANGUAGES.into_iter().filter(|language| info.forms(*language).is_some()).collect();
    languages.sort_by_key(|language| Some(*language) != first);
    let mut page = format!("{} - {}\n", info.mnemonic, info.title);
    for (written, languages) in grouped(&languages, |language| (usage(info, language), info.clause(language)))
    {
        let (Some(usage), Some(clause)) = written else { continue };
        let _ = writeln!(page, "{} ({clause})\n\n    {usage}\n", listed(&languages));
    }
    let meanings = grouped(&languages, |language| meaning(info, language));
    let alone = meanings.len() == 1;
    for (meaning, group) in &meanings {
        if !alone {
            let _ = writeln!(page, "{}\n", group_title(group, &languages));
        }
        page.push_str(meaning);
        page.push('\n');
    }
    page.push_str("Forms\n");
    let forms = |language| info.forms(language).map(|forms| forms.combinations()).unwrap_or_default();
    for (suffixes, languages) in grouped(&languages, forms) {
        let names: Vec<String> =
            suffixes.into_iter().map(|suffixes| format!("{}{}", info.mnemonic, suffixes.text())).collect();
        let line = format!("{}: {}", listed(&languages), names.join(" "));
        page.push_str(&wrapped(&line, "    "));
    }
    page
}

/// `languages` by what `key` says of them, in order of first appearance.
fn grouped<K: PartialEq>(languages: &[Language], key: impl Fn(Language) -> K) -> Vec<(K, Vec<Language>)> {
    let mut groups: Vec<(K, Vec<Language>)> = Vec::new();
    for &language in languages {
        let key = key(language);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(language),
            None => groups.push((key, vec![language])),
        }
    }
    groups
}

/// A heading for some of the languages that have an instruction, short where they are a whole kind.
fn group_title(group: &[Language], all: &[Language]) -> String {
    let is_fragment = |language: &Language| language.stage() == Stage::Fragment;
    let of_kind = all.iter().filter(|language| is_fragment(language) == group.iter().all(is_fragment));
    if group.len() > 1 && of_kind.count() == group.len() {
        return "In the vertex languages".to_owned();
    }
    format!("In {}", listed(group))
}

/// What an instruction does in `language`: formula, prose, load rule and readings.
fn meaning(info: &Info, language: Language) -> String {
    let steps = info.formula_in(language).split("; ").map(|step| wrapped(step, "    "));
    let mut text = format!("Computes\n{}\n", steps.collect::<String>());
    text.push_str(&wrapped(info.prose_in(language), ""));
    if let Some(rule) = rule_text(info.rule) {
        let _ = write!(text, "\nLoad rule\n{}", wrapped(rule, "    "));
    }
    for (index, reading) in readings(info.opcode, language).enumerate() {
        if index == 0 {
            text.push_str("\nHow the text is read\n");
        }
        text.push_str(&wrapped(reading, "    "));
    }
    text
}

/// `text` in lines of at most 80 columns, each behind `indent`.
fn wrapped(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(out, "{indent}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{indent}{line}");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::TABLE;

    #[test]
    fn every_instruction_has_a_page_with_the_forms_and_section_of_each_language() {
        for info in TABLE {
            let page = reference(info, None);
            assert!(page.starts_with(&format!("{} - {}\n", info.mnemonic, info.title)));
            for language in LANGUAGES {
                let Some(forms) = info.forms(language) else {
                    assert!(
                        !page.contains(language.header()) || info.prose.contains(language.header()),
                        "{page}"
                    );
                    continue;
                };
                let (_, written) = page.rsplit_once("Forms\n").unwrap();
                for suffixes in forms.combinations() {
                    let name = format!("{}{}", info.mnemonic, suffixes.text());
                    assert!(written.split_whitespace().any(|w| w == name), "{name} is missing");
                }
                for part in [language.header(), forms.section, &usage(info, language).unwrap()] {
                    assert!(page.contains(part), "{part} is missing:\n{page}");
                }
            }
            assert!(page.lines().all(|l| l.len() <= WIDTH), "{page}");
        }
    }

    #[test]
    fn usage_shows_shapes() {
        let line = |opcode: Opcode, language| usage(opcode.info(), language).unwrap_or_default();
        assert_eq!(line(Opcode::Mad, Language::Fp1), "MAD[R|H|X][C][_SAT] dst, a, b, c");
        assert_eq!(line(Opcode::Pow, Language::Fp1), "POW[R|H][C][_SAT] dst, a.x, b.x");
        assert_eq!(line(Opcode::Kil, Language::Fp1), "KIL condition");
        assert_eq!(line(Opcode::Txd, Language::Fp1), "TXD[C][_SAT] dst, a, b, c, unit, target");
        assert_eq!(line(Opcode::Mad, Language::Vp1), "MAD dst, a, b, c");
        assert_eq!(line(Opcode::Mad, Language::Vp2), "MAD[C] dst, a, b, c");
        assert_eq!(line(Opcode::Arl, Language::Vp1_1), "ARL A0.x, a.x");
        assert_eq!(line(Opcode::Arl, Language::Vp2), "ARL[C] A0, a");
        assert_eq!(line(Opcode::Ara, Language::Vp2), "ARA[C] A0, A1");
        assert_eq!(line(Opcode::Bra, Language::Vp2), "BRA label [(condition)]");
        assert_eq!(line(Opcode::Ret, Language::Vp2), "RET [(condition)]");
        assert_eq!(line(Opcode::Bra, Language::Vp1), "");
    }

    #[test]
    fn pages_say_what_differs_and_say_the_rest_once() {
        let count = |page: &str, part: &str| page.matches(part).count();
        let mad = reference(Opcode::Mad.info(), None);
        assert_eq!(count(&mad, "Computes"), 1);
        assert!(mad.contains("!!VP1.0, !!VP1.1 and !!VSP1.0 (NV_vertex_program2 2.14.3.20)"), "{mad}");
        let sge = reference(Opcode::Sge.info(), None);
        assert_eq!(count(&sge, "Computes"), 2);
        assert!(sge.contains("In !!FP1.0\n") && sge.contains("In the vertex languages\n"), "{sge}");
        let arl = reference(Opcode::Arl.info(), None);
        assert!(arl.contains("In !!VP1.0, !!VP1.1 and !!VSP1.0\n") && arl.contains("In !!VP2.0\n"), "{arl}");
        assert!(arl.contains("    result.x = floor(a)\n"), "{arl}");
        let first = reference(Opcode::Sge.info(), Some(Language::Vp2));
        assert!(first.find("!!VP2.0") < first.find("!!FP1.0"), "{first}");
        assert_eq!(reference(Opcode::Pow.info(), Some(Language::Vp2)), reference(Opcode::Pow.info(), None));
    }

    /// The readings of the vertex languages that concern an instruction, each where it belongs.
    #[test]
    fn readings_keep_to_their_languages() {
        let found = |opcode, language| readings(opcode, language).collect::<Vec<_>>().join(" ");
        assert!(found(Opcode::Sge, Language::Vp1).contains("NaN"));
        assert_eq!(found(Opcode::Sge, Language::Fp1), "");
        assert!(found(Opcode::Arl, Language::Vp1_1).contains("not clamped"));
        assert!(!found(Opcode::Arl, Language::Vp2).contains("not clamped"));
        assert!(found(Opcode::Arl, Language::Vp2).contains("-512"));
        assert!(
            found(Opcode::Lit, Language::Vsp1).contains("128")
                && found(Opcode::Lit, Language::Fp1).is_empty()
        );
        for reading in READINGS {
            for opcode in reading.opcodes {
                assert!(
                    reading.languages.iter().any(|l| opcode.info().forms(*l).is_some()),
                    "{}",
                    reading.text
                );
            }
        }
    }
}
