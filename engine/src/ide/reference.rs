//! Reference pages, made from the instruction table.

use std::fmt::Write as _;

use crate::isa::{Forms, Info, Language, Opcode, OperandKind, ResultKind, Rule};

/// Columns of a reference page.
const WIDTH: usize = 80;

/// How Shadestep reads the text where it contradicts itself or leaves a choice, by instruction.
const READINGS: &[(&[Opcode], &str)] = &[
    (
        &[Opcode::Sne],
        "Special-case rule 4 calls -0.0 != +0.0 true; that is a slip. Zeros compare equal, so SNE gives 0.0.",
    ),
    (
        &[Opcode::Pow],
        "The result is EX2(b * LG2(a)) exactly. Where a listed special case disagrees (infinity to a negative power) the definition wins.",
    ),
    (&[Opcode::Dp3, Opcode::Dp4], "Sums run from left to right; each product and each sum is rounded."),
    (&[Opcode::Rsq], "The printed error bound is taken against 1/sqrt(x)."),
    (&[Opcode::Mad], "A multiply, then an add, each rounded: never fused."),
    (
        &[Opcode::Pk2h, Opcode::Pk2us, Opcode::Pk4b, Opcode::Pk4ub],
        "RC counts as a destination with 32-bit components.",
    ),
];

/// The readings that concern `opcode`.
pub(super) fn readings(opcode: Opcode) -> impl Iterator<Item = &'static str> {
    READINGS.iter().filter(move |(opcodes, _)| opcodes.contains(&opcode)).map(|(_, text)| *text)
}

/// How an instruction is written: `MAD[R|H|X][C][_SAT] dst, vector, vector, vector`.
pub(super) fn usage(info: &Info, forms: &Forms) -> String {
    let mut text = info.mnemonic.to_owned();
    if !forms.precisions.is_empty() {
        let letters: Vec<String> = forms.precisions.iter().map(|p| p.letter().to_string()).collect();
        let _ = write!(text, "[{}]", letters.join("|"));
    }
    if forms.cc {
        text.push_str("[C]");
    }
    if forms.sat {
        text.push_str("[_SAT]");
    }
    let mut parts = Vec::new();
    if info.result != ResultKind::None {
        parts.push("dst".to_owned());
    }
    let mut names = ["a", "b", "c"].into_iter();
    for kind in info.operands {
        parts.push(match kind {
            OperandKind::Vector => names.next().unwrap_or("v").to_owned(),
            OperandKind::Scalar => format!("{}.x", names.next().unwrap_or("s")),
            OperandKind::Condition => "condition".to_owned(),
            OperandKind::TextureImage => "unit, target".to_owned(),
            OperandKind::Address => "A0".to_owned(),
            OperandKind::Label => "label".to_owned(),
            OperandKind::BranchCondition => "(condition)".to_owned(),
        });
    }
    let _ = write!(text, " {}", parts.join(", "));
    text
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

/// The reference page of an instruction as plain text, 80 columns wide.
pub fn reference(info: &Info) -> String {
    let mut page = format!("{} - {}\n", info.mnemonic, info.title);
    for language in [Language::Fp1] {
        let Some(forms) = info.forms(language) else { continue };
        let _ = writeln!(page, "{} ({} {})\n", language.header(), language.extension(), forms.section);
        let _ = writeln!(page, "    {}\n", usage(info, &forms));
        let _ = writeln!(page, "Computes\n    {}\n", info.formula.replace("; ", "\n    "));
        page.push_str(&wrapped(info.prose, ""));
        if let Some(rule) = rule_text(info.rule) {
            let _ = write!(page, "\nLoad rule\n{}", wrapped(rule, "    "));
        }
        let readings: Vec<&str> = readings(info.opcode).collect();
        if !readings.is_empty() {
            page.push_str("\nHow the text is read\n");
            for reading in readings {
                page.push_str(&wrapped(reading, "    "));
            }
        }
        let names: Vec<String> = forms
            .combinations()
            .into_iter()
            .map(|suffixes| format!("{}{}", info.mnemonic, suffixes.text()))
            .collect();
        let _ = write!(page, "\nForms\n{}", wrapped(&names.join(" "), "    "));
    }
    page
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
    use crate::isa::instructions;

    #[test]
    fn every_instruction_has_a_page_with_its_forms() {
        for info in instructions(Language::Fp1) {
            let page = reference(info);
            for suffixes in info.fp1.as_ref().unwrap().combinations() {
                let name = format!("{}{}", info.mnemonic, suffixes.text());
                assert!(page.split_whitespace().any(|w| w == name), "{name} is missing");
            }
            assert!(page.contains(info.fp1.unwrap().section) && page.contains(info.title));
            assert!(page.lines().all(|l| l.len() <= WIDTH || !l.contains("  ")), "{page}");
        }
    }

    #[test]
    fn usage_shows_shapes() {
        let line = |opcode: Opcode| usage(opcode.info(), opcode.info().fp1.as_ref().unwrap());
        assert_eq!(line(Opcode::Mad), "MAD[R|H|X][C][_SAT] dst, a, b, c");
        assert_eq!(line(Opcode::Pow), "POW[R|H][C][_SAT] dst, a.x, b.x");
        assert_eq!(line(Opcode::Kil), "KIL condition");
        assert_eq!(line(Opcode::Txd), "TXD[C][_SAT] dst, a, b, c, unit, target");
    }
}
