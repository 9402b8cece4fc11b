//! Reference pages of instructions, made from the instruction table and by running examples. A page is
//! available as parts for a panel, as plain text, and as Markdown.

use std::fmt::Write as _;

use super::example::{Example, SpecialCase, example, special_cases};
use shadestep_ide::reference::{option_text, readings, rule_text, usages};
use shadestep_ide::words::{joined, listed};
use shadestep_language::isa::{
    self, AddressRange, DataType, Info, Language, LitExponent, Modifier, ModifierOrder, Moves, Need,
    Projection, RsqOperand, Semantics, SetOnNan, instructions,
};
use shadestep_language::semantics::plan::{Lookup, Plan, plan_of};

/// Width of a plain text page in columns.
pub(super) const WIDTH: usize = 80;

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// The languages that the following parts apply to.
    Languages(String),
    /// A heading.
    Heading(&'static str),
    /// A paragraph.
    Words(String),
    /// A line that stands out, such as a formula or a rule.
    Line(String),
    /// The syntax of an instruction.
    Usage(String),
    /// An example with the explanation of its instruction in a run: formulas with numbers, then notes.
    Example(Example, Vec<String>),
    /// Results for operands at the edges of their type.
    Cases(Vec<SpecialCase>),
}

/// Makes the page of an instruction for the languages in `asked` that have it, in that order. A description
/// appears once for all languages that agree. Then follow the syntax of each language with its clause, an
/// example in the first language, and special cases. For several languages, the page lists the differences.
pub fn page(info: &'static Info, asked: &[Language]) -> Vec<Block> {
    let languages: Vec<Language> =
        asked.iter().copied().filter(|language| info.forms(*language).is_some()).collect();
    let mut blocks = Vec::new();
    each_group(&mut blocks, &languages, |language| meaning(info, language), |meaning| meaning);
    blocks.push(Block::Heading("Syntax"));
    blocks.extend(operands(info, &languages));
    if let Some(example) = languages.first().and_then(|language| example(info, *language)) {
        blocks.push(Block::Heading("Example"));
        blocks.push(shown(example));
    }
    let cases = |language| example(info, language).map(|example| special_cases(&example)).unwrap_or_default();
    let mut groups = grouped(&languages, cases);
    let all = groups.len();
    groups.retain(|(cases, _)| !cases.is_empty());
    if !groups.is_empty() {
        blocks.push(Block::Heading("Special cases"));
    }
    for (cases, group) in groups {
        if all > 1 {
            blocks.push(Block::Languages(group_title(&group, &languages)));
        }
        blocks.push(Block::Cases(cases));
    }
    if asked.len() > 1 {
        blocks.push(Block::Heading("Differences between languages"));
        blocks.extend(differences(info, &languages).into_iter().map(Block::Line));
    }
    blocks.push(Block::Heading("Forms"));
    blocks.extend(forms(info, &languages));
    blocks
}

/// The syntax of the instruction in each language, with its clause.
fn operands(info: &Info, languages: &[Language]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let requires = |language: &Language| {
        let patterns = info.forms(*language).map(|forms| forms.patterns()).unwrap_or_default();
        patterns.iter().flatten().any(|slot| slot.need == Need::Required)
    };
    if languages.iter().any(requires) {
        let legend = "One of the modifiers in { } is required; those in [ ] are optional.";
        blocks.push(Block::Words(legend.to_owned()));
    }
    let written = |language| (usages(info, language), info.clause(language), option_text(info, language));
    for ((usages, clause, option), languages) in grouped(languages, written) {
        let Some(clause) = clause else { continue };
        blocks.push(Block::Words(format!("{} ({clause})", listed(&languages))));
        blocks.extend(usages.into_iter().map(Block::Usage));
        blocks.extend(option.map(Block::Words));
    }
    blocks
}

/// Adds the blocks from `key`, once per group of languages that agree. If languages differ, each group has a
/// title.
fn each_group<K: PartialEq>(
    blocks: &mut Vec<Block>,
    languages: &[Language],
    key: impl Fn(Language) -> K,
    content: impl Fn(K) -> Vec<Block>,
) {
    let groups = grouped(languages, key);
    let alone = groups.len() == 1;
    for (said, group) in groups {
        if !alone {
            blocks.push(Block::Languages(group_title(&group, languages)));
        }
        blocks.extend(content(said));
    }
}

/// An example with its explanation.
fn shown(example: Example) -> Block {
    let told = example.explained().unwrap_or_default();
    let lines = told.results.iter().map(super::Computed::line).chain(told.notes).collect();
    Block::Example(example, lines)
}

/// The mnemonic with every legal combination of modifiers.
fn forms(info: &Info, languages: &[Language]) -> Vec<Block> {
    let forms = |language: Language| {
        let all = info.forms(language).map(|forms| forms.combinations()).unwrap_or_default();
        // Languages with dotted modifiers have thousands of combinations. The brackets of the syntax line
        // show them.
        let any_order = language.profile().modifier_order == ModifierOrder::Dotted && all.len() > 1;
        (!any_order).then_some(all)
    };
    let line = |(suffixes, languages): (Option<Vec<isa::Suffixes>>, Vec<Language>)| {
        Block::Line(match suffixes {
            None => format!(
                "{}: {} as under Syntax, with the modifiers in any order",
                listed(&languages),
                info.mnemonic
            ),
            Some(suffixes) => {
                let names: Vec<String> =
                    suffixes.into_iter().map(|s| format!("{}{}", info.mnemonic, s.text())).collect();
                format!("{}: {}", listed(&languages), names.join(" "))
            }
        })
    };
    grouped(languages, forms).into_iter().map(line).collect()
}

/// The meaning of an instruction in `language`: prose, formula, load rule and readings.
fn meaning(info: &Info, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Words(info.prose_in(language).to_owned()), Block::Heading("Computes")];
    blocks.extend(info.formula_in(language).split("; ").map(|step| Block::Line(step.to_owned())));
    if let Some(rule) = rule_text(info.rule_in(language), language) {
        blocks.extend([Block::Heading("Restriction"), Block::Line(rule.to_owned())]);
    }
    let mut read = readings(info, language).peekable();
    if read.peek().is_some() {
        blocks.push(Block::Heading("Reading of the specification"));
    }
    blocks.extend(read.map(Block::Line));
    blocks
}

/// Differences between languages, one per line: availability, modifiers and meaning.
fn differences(info: &Info, languages: &[Language]) -> Vec<String> {
    let mut lines = Vec::new();
    let lacking: Vec<Language> =
        Language::ALL.into_iter().filter(|language| info.forms(*language).is_none()).collect();
    lines.push(match lacking.as_slice() {
        [] => "Every language has it.".to_owned(),
        some => format!("Not in {}.", some.iter().map(|l| l.name()).collect::<Vec<_>>().join(", ")),
    });
    let modifiers = |language: Language, wanted: fn(&Modifier) -> bool| -> Vec<String> {
        let order = language.profile().modifier_order;
        let forms = info.forms(language);
        forms.iter().flat_map(|forms| forms.modifiers.iter()).filter(wanted).map(|m| m.text(order)).collect()
    };
    type Kind = (&'static str, fn(&Modifier) -> bool);
    let kinds: [Kind; 4] = [
        ("Precision suffixes", |m| matches!(m, Modifier::Precision(_))),
        ("Types", |m| matches!(m, Modifier::Data(DataType::F | DataType::S | DataType::U))),
        ("Condition code updates", |m| matches!(m, Modifier::Cc(_))),
        ("Clamps", |m| matches!(m, Modifier::Saturation(_))),
    ];
    for (title, wanted) in kinds {
        let groups = grouped(languages, |language| modifiers(language, wanted));
        if groups.iter().all(|(names, _)| names.is_empty()) {
            continue;
        }
        let each: Vec<String> = groups
            .iter()
            .map(|(names, group)| {
                let names = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
                format!("{names} {}", lowered(&group_title(group, languages)))
            })
            .collect();
        lines.push(format!("{title}: {}.", each.join("; ")));
    }
    let meanings = grouped(languages, |language| semantics_words(info, language.profile().semantics));
    for (words, group) in meanings {
        if !words.is_empty() {
            lines.push(format!("{}: {}", group_title(&group, languages), words.join(" ")));
        }
    }
    lines
}

fn lowered(title: &str) -> String {
    title.strip_prefix("In ").map_or_else(|| title.to_owned(), |rest| format!("in {rest}"))
}

/// The language semantics that affect an instruction, in words.
fn semantics_words(info: &Info, semantics: Semantics) -> Vec<&'static str> {
    let plan = |semantics| plan_of(info.opcode, semantics);
    let depends = |other: Semantics| plan(other) != plan(semantics);
    let mut words = Vec::new();
    let on_nan = |set_on_nan| Semantics { set_on_nan, ..semantics };
    if depends(on_nan(SetOnNan::Compares)) || depends(on_nan(SetOnNan::Propagates)) {
        words.push(match semantics.set_on_nan {
            SetOnNan::Compares => "A comparison with NaN is true or false.",
            SetOnNan::Propagates => "A comparison with NaN gives NaN.",
        });
    }
    let range = |address_range| Semantics { address_range, ..semantics };
    if [AddressRange::Unclamped, AddressRange::Bits10, AddressRange::Bits32]
        .into_iter()
        .any(|r| depends(range(r)))
    {
        words.push(match semantics.address_range {
            AddressRange::Unclamped => "The address is not clamped.",
            AddressRange::Bits10 => "The address is clamped to -512 to 511.",
            AddressRange::Bits32 => "The address saturates at 32 bits.",
        });
    }
    let exponent = |lit_exponent| Semantics { lit_exponent, ..semantics };
    if depends(exponent(LitExponent::Clamped)) || depends(exponent(LitExponent::Unclamped)) {
        words.push(match semantics.lit_exponent {
            LitExponent::Unclamped => "The exponent is not clamped.",
            LitExponent::Clamped => "The exponent is clamped to just inside -128 to 128.",
        });
    }
    let root = |rsq_operand| Semantics { rsq_operand, ..semantics };
    if depends(root(RsqOperand::Signed)) || depends(root(RsqOperand::Magnitude)) {
        words.push(match semantics.rsq_operand {
            RsqOperand::Signed => "A negative operand gives NaN.",
            RsqOperand::Magnitude => "The operand's absolute value is used.",
        });
    }
    let moves = |moves| Semantics { moves, ..semantics };
    if depends(moves(Moves::Flush)) || depends(moves(Moves::KeepBits)) {
        words.push(match semantics.moves {
            Moves::Flush => "Denorms become zeros.",
            Moves::KeepBits => "Bits stay unchanged, including those of denorms and integers.",
        });
    }
    if let Plan::Texture(lookup) = plan(semantics) {
        words.push(match semantics.incomplete_texture {
            isa::IncompleteTexture::Zero => "An incomplete texture gives (0,0,0,0).",
            isa::IncompleteTexture::OpaqueBlack => "An incomplete texture gives (0,0,0,1).",
            isa::IncompleteTexture::Undefined => "An incomplete texture gives an undefined result.",
        });
        if lookup == Lookup::Projective {
            words.push(match semantics.projection {
                Projection::Positions => "Cube map coordinates are not divided.",
                Projection::Everything => "x, y and z are divided for every target.",
            });
        }
    }
    words
}

/// Groups `languages` by `key`, in order of first appearance.
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

/// A heading for some of the languages that have an instruction. Whole families have a short name.
fn group_title(group: &[Language], all: &[Language]) -> String {
    // A family appears at the place of its first language.
    let mut families: Vec<&str> = Vec::new();
    for language in Language::ALL {
        if !families.contains(&language.profile().family_name) {
            families.push(language.profile().family_name);
        }
    }
    let mut parts = Vec::new();
    for name in families {
        let of = |languages: &[Language]| -> Vec<Language> {
            languages.iter().copied().filter(|language| language.profile().family_name == name).collect()
        };
        let (mine, whole) = (of(group), of(all));
        match mine.as_slice() {
            [] => {}
            [_, _, ..] if mine.len() == whole.len() => parts.push(name),
            some => parts.extend(some.iter().map(|language| language.name())),
        }
    }
    format!("In {}", joined(&parts))
}

/// The page as plain text, 80 columns wide; see [`page`].
pub fn reference(info: &'static Info, asked: &[Language]) -> String {
    let mut text = format!("{} - {}\n", info.mnemonic, info.title);
    let mut before: Option<&Block> = None;
    let blocks = page(info, asked);
    for block in &blocks {
        match block {
            Block::Languages(title) => {
                let blank = if before.is_none() { "" } else { "\n" };
                let _ = writeln!(text, "{blank}{}", wrapped(title, ""));
            }
            Block::Heading(title) => {
                let is_first = matches!(before, None | Some(Block::Languages(_)));
                let blank = if is_first { "" } else { "\n" };
                // A blank line separates the headings of single languages from this heading.
                let apart = if *title == "Syntax" { "\n" } else { "" };
                let _ = writeln!(text, "{blank}{title}{apart}");
            }
            Block::Words(words) => {
                let is_apart = matches!(before, Some(Block::Languages(_) | Block::Line(_) | Block::Usage(_)));
                let blank = if is_apart { "\n" } else { "" };
                let _ = write!(text, "{blank}{}", wrapped(words, ""));
            }
            Block::Line(line) => text.push_str(&wrapped(line, "    ")),
            Block::Usage(usage) => {
                let blank = if matches!(before, Some(Block::Usage(_))) { "" } else { "\n" };
                let _ = write!(text, "{blank}{}", wrapped_usage(usage));
            }
            Block::Example(example, results) => {
                for line in example.text.lines() {
                    let _ = writeln!(text, "    {line}");
                }
                for (number, value) in &example.parameters {
                    let [x, y, z, w] = value;
                    let _ = writeln!(text, "    # c[{number}] is {x}, {y}, {z}, {w}");
                }
                text.push('\n');
                text.extend(results.iter().map(|line| wrapped(line, "    ")));
            }
            Block::Cases(cases) => text.push_str(&cases_text(cases)),
        }
        before = Some(block);
    }
    text
}

/// Special cases as a table: operands, result, reason.
fn cases_text(cases: &[SpecialCase]) -> String {
    let mut text = String::new();
    for case in cases {
        let operands: String = case.operands.iter().map(|operand| format!("{operand:<12} ")).collect();
        let line = format!("    {operands}{:<14} {}", case.result, case.why.as_deref().unwrap_or_default());
        if line.len() <= WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
        } else {
            let _ = writeln!(text, "    {operands}{}", case.result);
            text.push_str(&wrapped(case.why.as_deref().unwrap_or_default(), "            "));
        }
    }
    let operands = cases.first().map_or(0, |case| case.operands.len());
    let names: String = ["a", "b", "c"].iter().take(operands).map(|name| format!("{name:<12} ")).collect();
    format!("    {names}result\n{text}")
}

/// The whole reference as one Markdown document: contents, a table of languages, and a page per instruction.
pub fn markdown() -> String {
    let mut text = String::from("# Instructions\n\n## Languages\n\n");
    for language in Language::ALL {
        let names: Vec<String> = instructions(language).map(link).collect();
        let _ = writeln!(
            text,
            "* `{}` ({}, {} programs): {}",
            language.name(),
            language.extension(),
            language.stage().name(),
            names.join(" ")
        );
    }
    text.push_str("\n## All instructions\n\n");
    for info in isa::all() {
        let _ = writeln!(text, "* {}: {}", link(info), info.title);
    }
    for info in isa::all() {
        // An explicit anchor, so that links do not depend on the Markdown renderer.
        let _ = write!(text, "\n<a id=\"{}\"></a>\n\n## {}: {}\n", anchor(info), info.mnemonic, info.title);
        text.push_str(&markdown_page(info));
    }
    text
}

fn anchor(info: &Info) -> String {
    info.mnemonic.to_lowercase().replace('.', "-")
}

fn link(info: &Info) -> String {
    format!("[{}](#{})", info.mnemonic, anchor(info))
}

/// `words` with Markdown's special characters escaped, except between backticks.
fn escaped(words: &str) -> String {
    let parts = words.split('`').enumerate().map(|(place, part)| match place % 2 {
        0 => part
            .chars()
            .flat_map(|c| if "*_<>|[]\\#".contains(c) { vec!['\\', c] } else { vec![c] })
            .collect(),
        _ => format!("`{part}`"),
    });
    parts.collect::<String>()
}

fn markdown_page(info: &'static Info) -> String {
    let mut text = String::new();
    let mut lines: Vec<String> = Vec::new();
    let flush = |text: &mut String, lines: &mut Vec<String>| {
        if !lines.is_empty() {
            let _ = writeln!(text, "\n```\n{}\n```", lines.join("\n"));
            lines.clear();
        }
    };
    for block in page(info, &Language::ALL) {
        if let Block::Line(line) | Block::Usage(line) = &block {
            lines.push(line.clone());
            continue;
        }
        flush(&mut text, &mut lines);
        match block {
            Block::Languages(title) => {
                let _ = writeln!(text, "\n**{}**", escaped(&title));
            }
            Block::Heading(title) => {
                let _ = writeln!(text, "\n### {title}");
            }
            Block::Words(words) => {
                let _ = writeln!(text, "\n{}", escaped(&words));
            }
            Block::Example(example, results) => {
                let _ = writeln!(text, "\n```\n{}```", example.text);
                for (number, [x, y, z, w]) in example.parameters {
                    let _ = writeln!(text, "\n`c[{number}]` is ({x}, {y}, {z}, {w}).");
                }
                lines = results;
                flush(&mut text, &mut lines);
            }
            Block::Cases(cases) => {
                let count = cases.first().map_or(0, |case| case.operands.len());
                let names = ["a", "b", "c"].into_iter().take(count).collect::<Vec<_>>().join(" | ");
                let rule = "---|".repeat(count + 2);
                let _ = writeln!(text, "\n| {names} | result | why |\n|{rule}");
                for SpecialCase { operands, result, why } in cases {
                    let why = escaped(&why.unwrap_or_default());
                    let _ = writeln!(text, "| {} | {result} | {why} |", operands.join(" | "));
                }
            }
            Block::Line(_) | Block::Usage(_) => {}
        }
    }
    flush(&mut text, &mut lines);
    text
}

/// A syntax line, broken into lines of at most 80 columns. Breaks come after brackets and spaces, and within
/// brackets that are too long for a line.
fn wrapped_usage(usage: &str) -> String {
    let mut out = String::new();
    let mut line = "    ".to_owned();
    let parts = usage.split_inclusive([']', '}', ' ']).flat_map(|part| {
        let breaks = if part.len() > WIDTH / 2 { &['|'][..] } else { &[] };
        part.split_inclusive(breaks)
    });
    for part in parts {
        if line.len() + part.trim_end().len() > WIDTH {
            let _ = writeln!(out, "{}", line.trim_end());
            line = "        ".to_owned();
        }
        line.push_str(part);
    }
    let _ = writeln!(out, "{line}");
    out
}

/// `text`, broken into lines of at most 80 columns that begin with `indent`.
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
mod tests;
