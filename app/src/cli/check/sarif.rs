//! `--format sarif`: the Static Analysis Results Interchange Format, version 2.1.0.

use super::Checked;
use super::finding::{Finding, Fix, Region};
use crate::codes;
use serde_json::{Value, json};
use shadestep_engine::diag::{self, Code};
use std::fmt::Write as _;
use std::path::Path;

const VERSION: &str = "2.1.0";

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Returns the log that `check` prints. It has one run.
pub(super) fn log(all: &[Checked]) -> Value {
    let findings: Vec<&Finding> = all.iter().flat_map(|checked| &checked.findings).collect();
    let mut rules: Vec<Code> = Vec::new();
    for finding in &findings {
        if !rules.contains(&finding.code) {
            rules.push(finding.code);
        }
    }
    let result = |finding: &&Finding| result(finding, rules.iter().position(|rule| *rule == finding.code));
    let driver = json!({
        "name": "shadestep",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.iter().copied().map(rule).collect::<Vec<_>>(),
    });
    json!({
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.name(),
        "shortDescription": { "text": code.name().replace('-', " ") },
        "fullDescription": { "text": diag::plain(code.row().rule) },
        "help": { "text": codes::explanation(code) },
    })
}

fn result(finding: &Finding, rule_index: Option<usize>) -> Value {
    let text = [&finding.message].into_iter().chain(&finding.notes).map(String::as_str);
    let mut result = json!({
        "ruleId": finding.code.name(),
        "ruleIndex": rule_index,
        "level": finding.severity.name(),
        "message": { "text": text.collect::<Vec<_>>().join("\n") },
        "locations": [{ "physicalLocation": location(&finding.file, finding.region) }],
    });
    if !finding.related.is_empty() {
        let related = |(place, text): &(Region, String)| json!({ "physicalLocation": location(&finding.file, *place), "message": { "text": text } });
        result["relatedLocations"] = finding.related.iter().map(related).collect();
    }
    if let Some(of) = &finding.fix {
        result["fixes"] = json!([fix(&finding.file, of)]);
    }
    if let Some(clause) = finding.clause() {
        result["properties"] = json!({ "clause": clause });
    }
    result
}

fn location(file: &Path, place: Region) -> Value {
    json!({ "artifactLocation": { "uri": uri(file) }, "region": region(place) })
}

fn region(Region { start, end }: Region) -> Value {
    json!({
        "startLine": start.line,
        "startColumn": start.character,
        "endLine": end.line,
        "endColumn": end.character,
    })
}

fn fix(file: &Path, fix: &Fix) -> Value {
    let replacement =
        json!({ "deletedRegion": region(fix.region), "insertedContent": { "text": fix.replacement } });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{ "artifactLocation": { "uri": uri(file) }, "replacements": [replacement] }],
    })
}

/// Returns a path as a URI reference (RFC 3986): with `file:` if the path is absolute, otherwise relative.
fn uri(path: &Path) -> String {
    let mut uri = String::new();
    if path.is_absolute() {
        uri.push_str("file://");
        if cfg!(windows) {
            uri.push('/');
        }
    }
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            // Writing to a string does not fail.
            byte => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uri_references() {
        assert_eq!(uri(Path::new("a b/ä%#?:.fp")), "a%20b/%C3%A4%25%23%3F%3A.fp");
        assert_eq!(uri(Path::new("<stdin>")), "%3Cstdin%3E");
        assert_eq!(uri(Path::new("../x~1_-.fp")), "../x~1_-.fp");
        if cfg!(unix) {
            assert_eq!(uri(Path::new("/tmp/a\n.fp")), "file:///tmp/a%0A.fp");
        }
    }
}
