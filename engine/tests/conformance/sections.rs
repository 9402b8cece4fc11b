//! The sections of the specifications, from `sections.txt`, and checks of them. Each section must have files
//! or a reason for none. Each special-case rule must have a run. The targets of reasons must exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::format::{Case, TestFile};

/// A section of a specification.
#[derive(Debug)]
pub struct Section {
    /// `2.14.3.29`, or the heading of a section without a number.
    pub number: String,
    /// Heading.
    pub title: String,
    /// Number of numbered special-case rules.
    pub rules: u32,
    /// The reason why no file tests the section.
    pub reason: Option<String>,
}

/// A specification with its sections, in order.
#[derive(Debug)]
pub struct Document {
    /// Name of the specification's file, without its extension.
    pub name: String,
    /// The normative sections.
    pub sections: Vec<Section>,
}

impl Document {
    /// The clause in a file's header that means `section`.
    pub fn clause(&self, section: &Section) -> String {
        format!("{} {}", self.name, section.number)
    }
}

/// Reads `sections.txt`. The head of that file describes its format.
pub fn read(path: &Path) -> Result<Vec<Document>, String> {
    parse(&fs::read_to_string(path).map_err(|e| e.to_string())?)
}

fn parse(text: &str) -> Result<Vec<Document>, String> {
    let mut documents: Vec<Document> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
        let fault = |what: &str| format!("sections.txt, line {}: {what}", index + 1);
        if line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            documents.push(Document { name: name.to_owned(), sections: Vec::new() });
            continue;
        }
        let document = documents.last_mut().ok_or_else(|| fault("a section before any document"))?;
        let mut cells = line.split(" | ");
        let head = cells.next().unwrap_or_default();
        let (number, rules) = match head.split_once(" (") {
            Some((number, rules)) => {
                let rules = rules.strip_suffix(')').and_then(|rules| rules.parse().ok());
                (number, rules.ok_or_else(|| fault("no number of rules"))?)
            }
            None => (head, 0),
        };
        if document.sections.iter().any(|section| section.number == number) {
            return Err(fault("a section twice"));
        }
        let title = cells.next().ok_or_else(|| fault("no title"))?.to_owned();
        let reason = cells.next().map(str::to_owned);
        if cells.next().is_some() {
            return Err(fault("more than a reason"));
        }
        document.sections.push(Section { number: number.to_owned(), title, rules, reason });
    }
    Ok(documents)
}

/// The files that name each clause.
pub fn files_of(files: &[(String, TestFile)]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut by_clause: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, file) in files {
        for clause in &file.clauses {
            by_clause.entry(clause).or_default().insert(name);
        }
    }
    by_clause
}

/// Checks that every section has either files or a reason, and that every clause in a file is a section.
pub fn each_has_files_or_a_reason(
    documents: &[Document],
    files: &[(String, TestFile)],
) -> Result<(), String> {
    let mut named = files_of(files);
    let mut faults = Vec::new();
    for document in documents {
        for section in &document.sections {
            let clause = document.clause(section);
            match (named.remove(clause.as_str()), &section.reason) {
                (None, None) => faults.push(format!("{clause} has neither file nor reason")),
                (Some(files), Some(_)) => {
                    faults.push(format!("{clause} has a reason for no file, and {files:?}"));
                }
                (Some(_), None) | (None, Some(_)) => {}
            }
        }
    }
    faults.extend(named.iter().map(|(clause, files)| format!("{clause} is no section, but in {files:?}")));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Checks that the targets of reasons exist: files, test functions in files, and sections that cover other
/// sections.
pub fn reasons_point_at_what_is_there(documents: &[Document], root: &Path) -> Result<(), String> {
    let has_section = |name: &str, number: &str| {
        let document = documents.iter().find(|document| document.name == name);
        document.map(|document| document.sections.iter().any(|section| section.number == number))
    };
    let mut faults = Vec::new();
    for document in documents {
        for section in &document.sections {
            let Some(reason) = &section.reason else { continue };
            let mut fault = |what: String| faults.push(format!("{}: {what}", document.clause(section)));
            for place in reason.split('`').skip(1).step_by(2).filter(|place| place.contains(".rs")) {
                let (path, function) = place.split_once("::").unwrap_or((place, ""));
                match fs::read_to_string(root.join(path)) {
                    Err(error) => fault(format!("{path}: {error}")),
                    Ok(text) if !function.is_empty() && !has_test(&text, function) => {
                        fault(format!("{path} has no test {function}"));
                    }
                    Ok(text) if !["#[test]", "Trial::test"].iter().any(|mark| text.contains(mark)) => {
                        fault(format!("{path} has no tests"));
                    }
                    Ok(_) => {}
                }
            }
            let words: Vec<&str> = reason.split([' ', ',']).collect();
            for pair in words.windows(2) {
                if has_section(pair[0], pair[1]) == Some(false) {
                    fault(format!("{} {} is no section", pair[0], pair[1]));
                }
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Returns true if `text` has a function of this name with `#[test]` before it.
fn has_test(text: &str, function: &str) -> bool {
    let head = format!("fn {function}(");
    text.split("#[test]").skip(1).any(|after| {
        let lines = after.lines().map(str::trim_start).filter(|line| !line.is_empty());
        lines.take(3).any(|line| line.starts_with(&head))
    })
}

/// Checks that every special-case rule is in the title of a run, in a file on its section.
pub fn each_rule_has_a_run(documents: &[Document], files: &[(String, TestFile)]) -> Result<(), String> {
    let numbered: BTreeMap<String, u32> = documents
        .iter()
        .flat_map(|document| {
            document.sections.iter().map(|section| (document.clause(section), section.rules))
        })
        .filter(|(_, rules)| *rules > 0)
        .collect();
    let mut missing: BTreeMap<&str, BTreeSet<u32>> =
        numbered.iter().map(|(clause, rules)| (clause.as_str(), (1..=*rules).collect())).collect();
    for (_, file) in files {
        // In a file on several sections with rules, a number does not identify its section.
        let mut sections = file.clauses.iter().filter(|clause| numbered.contains_key(*clause));
        let (Some(clause), None) = (sections.next(), sections.next()) else { continue };
        let Some(missing) = missing.get_mut(clause.as_str()) else { continue };
        for case in &file.cases {
            let Case::Program { runs, .. } = case else { continue };
            for run in runs {
                for rule in rules_named(&run.title) {
                    missing.remove(&rule);
                }
            }
        }
    }
    missing.retain(|_, rules| !rules.is_empty());
    if missing.is_empty() { Ok(()) } else { Err(format!("rules without a run: {missing:#?}")) }
}

/// The numbers after the word "rule" or "rules": "rule 3", "rules 1 and 2", "rules 4, 5 and 7", "rules 1 to
/// 4".
fn rules_named(title: &str) -> BTreeSet<u32> {
    let mut rules = BTreeSet::new();
    let words: Vec<&str> =
        title.split_whitespace().map(|word| word.trim_matches([',', ':', '(', ')'])).collect();
    for (index, _) in words.iter().enumerate().filter(|(_, word)| matches!(**word, "rule" | "rules")) {
        let mut last = None;
        let mut rest = words[index + 1..].iter();
        while let Some(word) = rest.next() {
            match (*word, word.parse::<u32>()) {
                (_, Ok(rule)) => {
                    rules.insert(rule);
                    last = Some(rule);
                }
                ("and", _) => {}
                ("to", _) => {
                    let end = rest.next().and_then(|word| word.parse().ok());
                    let (Some(start), Some(end)) = (last, end) else { break };
                    rules.extend(start..=end);
                }
                _ => break,
            }
        }
    }
    rules
}

mod tests {
    use super::*;

    fn check(holds: bool, what: &str) -> Result<(), String> {
        if holds { Ok(()) } else { Err(what.to_owned()) }
    }

    #[test]
    fn a_list_is_read() -> Result<(), String> {
        let text =
            "# all\n\n== A_spec\n2.1 (3) | ADD: Add\nErrors | Errors | none: `x.rs`\n\n== B\n2.1 | Points\n";
        let documents = parse(text)?;
        let [first, second] = &documents[..] else { return Err("two documents".into()) };
        let [add, errors] = &first.sections[..] else { return Err("two sections".into()) };
        check(first.clause(add) == "A_spec 2.1" && add.rules == 3 && add.reason.is_none(), "a section")?;
        check(errors.reason.as_deref() == Some("none: `x.rs`") && errors.rules == 0, "a reason")?;
        check(second.clause(&second.sections[0]) == "B 2.1", "another document")?;
        for wrong in
            ["2.1 | Points", "== A\n2.1", "== A\n2.1 (x) | T", "== A\n2.1 | T | r | s", "== A\n2 | T\n2 | T"]
        {
            check(parse(wrong).is_err(), wrong)?;
        }
        Ok(())
    }

    #[test]
    fn rules_are_found_in_titles() -> Result<(), String> {
        for (title, expected) in [
            ("rule 5: +INF + -INF = NaN", &[5][..]),
            ("rules 1 to 4: as ADD", &[1, 2, 3, 4]),
            ("rules 2 and 3: infinities", &[2, 3]),
            ("signed zeros, by rules 4, 5 and 7 (ruling 1)", &[4, 5, 7]),
            ("rule 1 holds for zeros, rule 10 for NaN", &[1, 10]),
            ("every rule against LT", &[]),
            ("names of registers and rules are identifiers", &[]),
        ] {
            check(rules_named(title).into_iter().eq(expected.iter().copied()), title)?;
        }
        Ok(())
    }

    #[test]
    fn faults_of_a_list_are_told() -> Result<(), String> {
        let documents =
            parse("== A\n1 (1) | One\n2 | Two | see A 1\n3 | Three | see A 4\n4.5 | F | `no/such.rs`\n")?;
        let file = |clause: &str, title: &str| {
            let text = format!(
                "spec = \"{clause}\"\nabout = \"x\"\n[program]\n!!FP1.0\n[run: {title}]\n=>\nkilled\n"
            );
            crate::conformance::format::parse(&text).map(|file| (clause.to_owned(), file))
        };
        let told = |result: Result<(), String>, what: &str| match result {
            Err(fault) => check(fault.contains(what), &format!("`{what}` is not in `{fault}`")),
            Ok(()) => Err(format!("`{what}` is not told")),
        };
        let good = [file("A 1", "rule 1: yes")?];
        check(each_has_files_or_a_reason(&documents, &good).is_ok(), "a good list")?;
        check(each_rule_has_a_run(&documents, &good).is_ok(), "a rule with a run")?;
        told(each_has_files_or_a_reason(&documents, &[]), "A 1 has neither")?;
        let both = [file("A 1", "rule 1")?, file("A 2", "ruler 1")?];
        told(each_has_files_or_a_reason(&documents, &both), "A 2 has a reason")?;
        told(each_has_files_or_a_reason(&documents, &[file("A 9", "x")?]), "A 9 is no section")?;
        told(each_rule_has_a_run(&documents, &[file("A 1", "rule 2")?]), "\"A 1\"")?;
        let pointed = reasons_point_at_what_is_there(&documents, Path::new("."));
        told(pointed.clone(), "A 4 is no section")?;
        told(pointed, "no/such.rs")
    }
}
