//! The pages of every instruction in every language.

mod forms;
mod formulas;

use super::*;
use shadestep_language::isa::{Opcode, TABLE};

#[test]
fn pages_have_an_example_special_cases_and_differences() {
    let page = reference(Opcode::Rsq.info(), &Language::ALL);
    for part in ["Example\n", "RSQ R0, R1.x;", "R0 = 1 / sqrt(R1.x) = 1 / sqrt(1.5)", "Special cases\n"] {
        assert!(page.contains(part), "{part}:\n{page}");
    }
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    // NV_fragment_program 3.11.5.25 and ARB_fragment_program 3.11.5.22.
    assert!(flat.contains("The operand's absolute value is used."), "{page}");
    assert!(flat.contains("A negative operand gives NaN."), "{page}");
    assert!(flat.contains("Precision suffixes: R H in !!FP1.0"), "{page}");
    let sge = reference(Opcode::Sge.info(), &Language::ALL).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(sge.contains("In the NV vertex languages: A comparison with NaN gives NaN."), "{sge}");
}

#[test]
fn every_page_has_an_example_and_says_what_differs() {
    for info in TABLE {
        let blocks = page(info, &Language::ALL);
        let examples = blocks.iter().filter(|block| matches!(block, Block::Example(..))).count();
        assert_eq!(examples, 1, "{}", info.mnemonic);
        let has = |wanted: fn(&Block) -> bool| blocks.iter().any(wanted);
        assert!(has(|block| *block == Block::Heading("Differences between languages")), "{}", info.mnemonic);
    }
}

#[test]
fn the_document_has_every_instruction_and_every_language() {
    let text = markdown();
    for language in Language::ALL {
        assert!(text.contains(&format!("* `{}` (", language.name())));
    }
    for info in TABLE {
        let heading = format!("## {}: {}\n", info.mnemonic, info.title);
        assert_eq!(text.matches(&heading).count(), 1, "{heading}");
        assert_eq!(text.matches(&format!("<a id=\"{}\">", anchor(info))).count(), 1);
    }
    // Table rows have as many cells as the head, and code blocks are closed.
    assert_eq!(text.matches("\n```").count() % 2, 0);
    assert!(text.contains("| a | b | result | why |\n|---|---|---|---|"));
}

/// The sentences and lines of a page of one language, without the text of its example.
fn sayings(info: &'static Info, language: Language) -> Vec<String> {
    let mut found = Vec::new();
    for block in page(info, &[language]) {
        match block {
            // The clause of the instruction.
            Block::Words(words) if words.starts_with(language.name()) => {}
            Block::Words(words) => found.extend(words.split(". ").map(str::to_owned)),
            Block::Line(line) | Block::Usage(line) => found.extend(line.split(". ").map(str::to_owned)),
            Block::Cases(cases) => found.extend(cases.into_iter().filter_map(|case| case.why)),
            Block::Example(_, results) => found.extend(results),
            Block::Languages(_) | Block::Heading(_) => {}
        }
    }
    found
}

/// The option in a sentence that begins with an option.
fn named_option(sentence: &str) -> Option<&str> {
    sentence.strip_prefix("With OPTION ")?.split(' ').next()
}

/// The reason why `word` must not be on the page of `info` in `language`; `None` if it may.
fn fault_of_word(info: &Info, language: Language, word: &str) -> Option<&'static str> {
    let profile = language.profile();
    let forms = info.forms(language)?;
    let elsewhere = |has: &dyn Fn(Language) -> bool| Language::ALL.into_iter().any(has);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let names = |modifier: &Modifier| {
        let suffix = modifier.suffix().map(|suffix| suffix.trim_start_matches('_'));
        suffix == Some(word.trim_start_matches('_')) || modifier.dotted() == Some(word)
    };
    let is_condition_register = profile.condition_registers.iter().any(|(name, _)| *name == word);
    if elsewhere(&|other| isa::find(other, word).is_some()) {
        return isa::find(language, word).is_none().then_some("an instruction");
    }
    if word == forms.extension {
        return None;
    }
    let has_modifier = || forms.modifiers.iter().any(|modifier| names(&modifier));
    if Modifier::ALL.iter().any(names) {
        let is_register = word == "R" && profile.files.is_some();
        return (!has_modifier() && !is_register && !is_condition_register).then_some("a modifier");
    }
    if elsewhere(&|other| other.profile().keywords.contains(&word)) {
        return (!profile.keywords.contains(&word)).then_some("a keyword");
    }
    if elsewhere(&|other| other.profile().options.contains(&word)) {
        return (!profile.options.contains(&word)).then_some("an option");
    }
    if elsewhere(&|other| other.profile().targets.iter().any(|target| target.name() == word)) {
        return (!profile.targets.iter().any(|target| target.name() == word)).then_some("a target");
    }
    let numbered = |letter: char| word.strip_prefix(letter).is_some_and(digits);
    if numbered('R') || numbered('H') {
        let has = profile.files.is_some() && (numbered('R') || profile.half_variables);
        return (!has).then_some("a register");
    }
    ["RC", "HC"].contains(&word).then_some(())?;
    (!is_condition_register).then_some("a condition code register")
}

/// The reason why `sentence` must not be on the page of `info` in `language`.
fn fault_of_sentence(info: &Info, language: Language, sentence: &str) -> Option<String> {
    let profile = language.profile();
    if let Some(option) = named_option(sentence) {
        let has = profile.options.contains(&option) && language.option() != Some(option);
        return (!has).then(|| format!("option {option}"));
    }
    for (at, _) in sentence.match_indices("!!") {
        if !sentence[at..].starts_with(language.header()) {
            return Some("another header".to_owned());
        }
    }
    for file in ["o[", "f[", "v[", "c[", "p["] {
        let is_register = sentence.match_indices(file).any(|(at, _)| {
            !sentence[..at].ends_with(|before: char| before.is_ascii_alphanumeric() || before == '.')
        });
        let letters = profile
            .files
            .as_ref()
            .map(|files| [Some(files.attributes), files.outputs, Some(files.parameters)]);
        if is_register && !letters.is_some_and(|letters| letters.contains(&Some(&file[..1]))) {
            return Some(format!("registers {file}"));
        }
    }
    let words = sentence.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    for word in words.clone() {
        if let Some(kind) = fault_of_word(info, language, word) {
            return Some(format!("{kind}: {word}"));
        }
    }
    if profile.condition_codes == 0 && sentence.contains("condition code") {
        return Some("condition codes".to_owned());
    }
    if sentence.contains("languages") {
        return Some("other languages".to_owned());
    }
    let says = |stems: &[&str]| words.clone().any(|word| stems.contains(&word.trim_end_matches('s')));
    let is_fragment = language.stage() == isa::Stage::Fragment;
    if !is_fragment
        && says(&["fragment", "pixel", "quad", "helper", "neighbour"])
        && !["fragment programs", "no neighbours"].iter().any(|words| sentence.contains(words))
    {
        return Some("fragments".to_owned());
    }
    (is_fragment && says(&["vertex", "vertice"])).then(|| "vertices".to_owned())
}

#[test]
fn a_page_names_nothing_that_its_language_lacks() {
    let mut faults = Vec::new();
    for language in Language::ALL {
        for info in instructions(language) {
            for sentence in sayings(info, language) {
                if let Some(fault) = fault_of_sentence(info, language, &sentence) {
                    faults.push(format!("{} in {}: {fault}: {sentence}", info.mnemonic, language.name()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_page_of_one_language_says_nothing_of_others() {
    for language in Language::ALL {
        for info in instructions(language) {
            let blocks = page(info, &[language]);
            let has = |wanted: fn(&Block) -> bool| blocks.iter().any(wanted);
            assert!(!has(|block| matches!(block, Block::Languages(_))), "{}", info.mnemonic);
            assert!(
                !has(|block| *block == Block::Heading("Differences between languages")),
                "{}",
                info.mnemonic
            );
        }
    }
}

#[test]
fn lines_of_examples_have_values_for_what_they_compute() {
    for language in Language::ALL {
        for info in instructions(language) {
            for block in page(info, &[language]) {
                let Block::Example(_, lines) = block else { continue };
                for line in lines {
                    let name = format!("{} in {}: {line}", info.mnemonic, language.name());
                    assert!(
                        !["not needed", "...", "{", "}"].iter().any(|part| line.contains(part)),
                        "{name}"
                    );
                    let computes = line.contains(" = ");
                    assert!(
                        !computes
                            || line.rsplit(" = ").next().unwrap().contains(|c: char| c.is_ascii_digit()),
                        "{name}"
                    );
                }
            }
        }
    }
}

/// The text of an example before and after the name of its instruction. Variables accept any type, and the
/// option with all storage modifiers is declared.
fn around_name(info: &'static Info, language: Language) -> (String, String) {
    let example = example(info, language).unwrap();
    let program = shadestep_language::front::load(example.text.as_bytes()).program.unwrap();
    let span = program.instructions[example.pc].mnemonic_span;
    let untyped = |text: &str| text.replace("UINT TEMP", "TEMP").replace("INT TEMP", "TEMP");
    let option = "NV_gpu_program5_mem_extended";
    let has_option = language.profile().options.contains(&option);
    let header = format!(
        "{}\n{}",
        language.header(),
        if has_option { format!("OPTION {option};\n") } else { String::new() }
    );
    let before =
        untyped(&example.text[..span.start]).replacen(&format!("{}\n", language.header()), &header, 1);
    (before, untyped(&example.text[span.end..]))
}

/// The brackets of a syntax line agree with the parser: required modifiers are required, optional ones are
/// optional, and each combines with all others of its line.
#[test]
fn modifiers_in_braces_are_required_and_those_in_brackets_optional() {
    let mut faults = Vec::new();
    for language in Language::ALL {
        for info in instructions(language) {
            let order = language.profile().modifier_order;
            let (before, behind) = around_name(info, language);
            let loads = |modifiers: &[Modifier]| {
                let suffixes: String = modifiers.iter().map(|modifier| modifier.text(order)).collect();
                let text = format!("{before}{}{suffixes}{behind}", info.mnemonic);
                (shadestep_language::front::load(text.as_bytes()).program.is_some(), suffixes)
            };
            let mut expect = |modifiers: &[Modifier], wanted: bool| {
                let (loaded, suffixes) = loads(modifiers);
                if loaded != wanted {
                    let does = if loaded { "loads" } else { "does not load" };
                    faults.push(format!("{}{suffixes} in {} {does}", info.mnemonic, language.name()));
                }
            };
            let patterns = info.forms(language).unwrap().patterns();
            let required = |slot: &isa::Slot| slot.need == Need::Required;
            // Another row may accept a name that lacks a modifier required here.
            let is_named = |modifiers: &[Modifier]| {
                patterns.iter().any(|slots| {
                    let chosen = |slot: &isa::Slot| modifiers.iter().any(|own| slot.choices.contains(own));
                    modifiers.iter().all(|own| slots.iter().any(|slot| slot.choices.contains(own)))
                        && slots.iter().filter(|slot| required(slot)).all(chosen)
                        && slots.iter().filter(|slot| required(slot)).count() <= modifiers.len()
                })
            };
            for slots in &patterns {
                let least = |changed: Option<(usize, Option<Modifier>)>| -> Vec<Modifier> {
                    let each = slots.iter().enumerate().filter_map(|(place, slot)| match changed {
                        Some((at, modifier)) if at == place => modifier,
                        _ => required(slot).then_some(slot.choices[0]),
                    });
                    each.collect()
                };
                expect(&least(None), true);
                for (place, slot) in slots.iter().enumerate() {
                    if required(slot) {
                        let without = least(Some((place, None)));
                        expect(&without, is_named(&without));
                    }
                    for choice in &slot.choices {
                        expect(&least(Some((place, Some(*choice)))), true);
                    }
                }
                let all: Vec<Modifier> = slots.iter().map(|slot| *slot.choices.last().unwrap()).collect();
                expect(&all, true);
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// All rows of slots together accept the suffixes that the parser accepts, and no others.
#[test]
fn rows_of_slots_have_every_combination() {
    use std::collections::BTreeSet;
    for info in TABLE {
        let mut before = None;
        for language in Language::ALL {
            let Some(forms) = info.forms(language) else { continue };
            if before.replace(forms.modifiers) == Some(forms.modifiers) {
                continue;
            }
            let order = language.profile().modifier_order;
            let mut written = BTreeSet::new();
            for slots in forms.patterns() {
                let mut names = vec![String::new()];
                for slot in slots {
                    let skipped = (slot.need == Need::Optional).then(String::new);
                    let texts: Vec<String> = skipped
                        .into_iter()
                        .chain(slot.choices.iter().map(|choice| choice.text(order)))
                        .collect();
                    names = names
                        .iter()
                        .flat_map(|name| texts.iter().map(move |text| format!("{name}{text}")))
                        .collect();
                }
                written.extend(names);
            }
            let taken: BTreeSet<String> =
                forms.combinations().into_iter().map(|suffixes| suffixes.text_in(order)).collect();
            assert!(written == taken, "{} in {}", info.mnemonic, language.name());
        }
    }
}

#[test]
fn atomic_operations_are_written_with_the_types_that_they_take() {
    let lines = |opcode: Opcode| usages(opcode.info(), Language::NvFp5);
    // NV_gpu_program5 2.X.8.Z ATOM, Table X.Y, and EXT_shader_image_load_store 2.X.8.Z ATOMIM, Table X.4.
    assert_eq!(
        lines(Opcode::Atom),
        [
            "ATOM{.ADD|.EXCH|.CSWAP}{.U32|.S32|.U64}[.CC|.CC0|.CC1][.NTC] dst, a, b.x",
            "ATOM{.MIN|.MAX|.AND|.OR|.XOR}{.U32|.S32}[.CC|.CC0|.CC1][.NTC] dst, a, b.x",
            "ATOM{.IWRAP|.DWRAP}.U32[.CC|.CC0|.CC1][.NTC] dst, a, b.x",
        ]
    );
    assert_eq!(
        lines(Opcode::Atomim),
        [
            "ATOMIM{.ADD|.MIN|.MAX|.AND|.OR|.XOR|.EXCH|.CSWAP}{.U32|.S32}[.CC|.CC0|.CC1][.NTC] dst, a, b, image[n], target",
            "ATOMIM{.IWRAP|.DWRAP}.U32[.CC|.CC0|.CC1][.NTC] dst, a, b, image[n], target",
        ]
    );
}
