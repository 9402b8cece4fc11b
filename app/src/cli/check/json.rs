//! `--format json`: one object with every file and every finding.

use super::Checked;
use super::finding::{Finding, Region};
use serde_json::{Value, json};

pub(super) fn object(all: &[Checked]) -> Value {
    let total = |count: fn(&Checked) -> usize| all.iter().map(count).sum::<usize>();
    let findings: Vec<Value> = all.iter().flat_map(|checked| &checked.findings).map(finding).collect();
    json!({
        "files": all.iter().map(file).collect::<Vec<_>>(),
        "findings": findings,
        "errors": total(Checked::errors),
        "warnings": total(Checked::warnings),
    })
}

fn file(checked: &Checked) -> Value {
    json!({
        "file": checked.file.to_string_lossy(),
        "language": checked.language,
        "ok": checked.is_ok(),
    })
}

/// Adds the fields of a region to the object `more`.
fn with_region(Region { start, end }: Region, mut more: Value) -> Value {
    let mut object = json!({
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    });
    if let (Value::Object(object), Value::Object(more)) = (&mut object, &mut more) {
        object.append(more);
    }
    object
}

fn finding(finding: &Finding) -> Value {
    let related = |(place, text): &(Region, String)| with_region(*place, json!({ "message": text }));
    let fix = finding
        .fix
        .as_ref()
        .map(|fix| with_region(fix.region, json!({ "title": fix.title, "replacement": fix.replacement })));
    with_region(
        finding.region,
        json!({
            "file": finding.file.to_string_lossy(),
            "severity": finding.severity.name(),
            "code": finding.code.name(),
            "message": finding.message,
            "position": finding.position,
            "clause": finding.clause(),
            "notes": finding.notes,
            "related": finding.related.iter().map(related).collect::<Vec<_>>(),
            "fix": fix,
        }),
    )
}
