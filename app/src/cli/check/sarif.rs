//! `--format sarif`: the Static Analysis Results Interchange Format, version 2.1.0.

use super::super::json::Json;
use super::Checked;
use super::finding::{FILE, Finding, Fix, Region, SCENE};
use std::fmt::Write as _;
use std::path::Path;

const VERSION: &str = "2.1.0";

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log that is printed, with one run.
pub(super) fn log(all: &[Checked]) -> Json {
    let findings: Vec<&Finding> = all.iter().flat_map(|checked| &checked.findings).collect();
    let mut rules: Vec<&Finding> = Vec::new();
    for finding in &findings {
        if !rules.iter().any(|rule| rule.code == finding.code) {
            rules.push(finding);
        }
    }
    let result = |finding: &Finding| {
        let index = rules.iter().position(|rule| rule.code == finding.code);
        result(finding, Json::option(index, Json::count))
    };
    let results = Json::array(findings.iter().copied(), result);
    let driver = Json::object([
        ("name", Json::text("shadestep")),
        ("version", Json::text(env!("CARGO_PKG_VERSION"))),
        ("rules", Json::array(rules.iter().copied(), rule)),
    ]);
    let run = Json::object([
        ("tool", Json::object([("driver", driver)])),
        ("columnKind", Json::text("unicodeCodePoints")),
        ("results", results),
    ]);
    Json::object([
        ("$schema", Json::text(SCHEMA)),
        ("version", Json::text(VERSION)),
        ("runs", Json::Array(vec![run])),
    ])
}

fn message(text: impl Into<String>) -> Json {
    Json::object([("text", Json::text(text))])
}

/// The rule of the kind of fault that `finding` is.
fn rule(finding: &Finding) -> Json {
    let (short, full) = match (finding.code, finding.clause) {
        (SCENE, _) => {
            ("Error in a scene".to_owned(), "scene.toml or a file that it names has an error.".to_owned())
        }
        (FILE, _) => ("Unreadable file".to_owned(), "The file cannot be read.".to_owned()),
        (code, Some(clause)) => (code.replace('-', " "), format!("See {clause}.")),
        (code, None) => (code.replace('-', " "), code.replace('-', " ")),
    };
    Json::object([
        ("id", Json::text(finding.code)),
        ("shortDescription", message(short)),
        ("fullDescription", message(full.clone())),
        ("help", message(full)),
    ])
}

fn result(finding: &Finding, rule_index: Json) -> Json {
    let text = [&finding.message].into_iter().chain(&finding.notes).map(String::as_str);
    let mut fields = vec![
        ("ruleId", Json::text(finding.code)),
        ("ruleIndex", rule_index),
        ("level", Json::text(finding.level())),
        ("message", message(text.collect::<Vec<_>>().join("\n"))),
        ("locations", Json::Array(vec![location(&finding.file, finding.region, [])])),
    ];
    if !finding.related.is_empty() {
        let related =
            |(place, text): &(Region, String)| location(&finding.file, *place, [("message", message(text))]);
        fields.push(("relatedLocations", Json::array(&finding.related, related)));
    }
    if let Some(of) = &finding.fix {
        fields.push(("fixes", Json::Array(vec![fix(&finding.file, of)])));
    }
    if let Some(clause) = finding.clause {
        fields.push(("properties", Json::object([("clause", Json::text(clause))])));
    }
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn location<const N: usize>(file: &Path, place: Region, more: [(&str, Json); N]) -> Json {
    let physical = Json::object([("artifactLocation", artifact(file)), ("region", region(place))]);
    let fields = [("physicalLocation", physical)].into_iter().chain(more);
    Json::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect())
}

fn artifact(file: &Path) -> Json {
    Json::object([("uri", Json::text(uri(file)))])
}

fn region(region: Region) -> Json {
    Json::object([
        ("startLine", Json::count(region.start.line)),
        ("startColumn", Json::count(region.start.character)),
        ("endLine", Json::count(region.end.line)),
        ("endColumn", Json::count(region.end.character)),
    ])
}

fn fix(file: &Path, fix: &Fix) -> Json {
    let replacement = Json::object([
        ("deletedRegion", region(fix.region)),
        ("insertedContent", message(&*fix.replacement)),
    ]);
    let change = Json::object([
        ("artifactLocation", artifact(file)),
        ("replacements", Json::Array(vec![replacement])),
    ]);
    Json::object([("description", message(&*fix.title)), ("artifactChanges", Json::Array(vec![change]))])
}

/// A path as a URI reference (RFC 3986): `file:` where the path is absolute, else relative.
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
            // Writing to a text does not fail.
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
