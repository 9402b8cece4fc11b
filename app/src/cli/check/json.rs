//! `--format json`: one object with every file and every finding.

use super::super::json::Json;
use super::Checked;
use super::finding::{Finding, Region};
use std::path::Path;

/// The object that is printed.
pub(super) fn object(all: &[Checked]) -> Json {
    let total = |count: fn(&Checked) -> usize| Json::count(all.iter().map(count).sum::<usize>());
    let findings = all.iter().flat_map(|checked| &checked.findings);
    Json::object([
        ("files", Json::array(all, file)),
        ("findings", Json::array(findings, finding)),
        ("errors", total(Checked::errors)),
        ("warnings", total(Checked::warnings)),
    ])
}

fn name(path: &Path) -> Json {
    Json::text(path.to_string_lossy())
}

fn file(checked: &Checked) -> Json {
    Json::object([
        ("file", name(&checked.file)),
        ("language", Json::option(checked.language, Json::text)),
        ("ok", Json::Bool(checked.is_ok())),
    ])
}

/// The fields of a region.
fn region(region: Region) -> [(&'static str, Json); 4] {
    [
        ("line", Json::count(region.start.line)),
        ("column", Json::count(region.start.column)),
        ("end_line", Json::count(region.end.line)),
        ("end_column", Json::count(region.end.column)),
    ]
}

fn with_region<const N: usize>(place: Region, fields: [(&str, Json); N]) -> Json {
    let all = region(place).into_iter().chain(fields);
    Json::Object(all.map(|(name, value)| (name.to_owned(), value)).collect())
}

fn finding(finding: &Finding) -> Json {
    with_region(
        finding.region,
        [
            ("file", name(&finding.file)),
            ("severity", Json::text(finding.level())),
            ("code", Json::text(finding.code)),
            ("message", Json::text(&finding.message)),
            ("position", Json::option(finding.position, Json::count)),
            ("clause", Json::option(finding.clause, Json::text)),
            ("notes", Json::array(&finding.notes, Json::text)),
            (
                "related",
                Json::array(&finding.related, |(place, text)| {
                    with_region(*place, [("message", Json::text(text))])
                }),
            ),
            (
                "fix",
                Json::option(finding.fix.as_ref(), |fix| {
                    let fields =
                        [("title", Json::text(&fix.title)), ("replacement", Json::text(&fix.replacement))];
                    with_region(fix.region, fields)
                }),
            ),
        ],
    )
}
