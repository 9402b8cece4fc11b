//! `shadestep explain`: the rule, the clauses and an example for the code of an error or a warning.

use super::{CliError, Format};
use crate::codes;
use crate::suggest;
use serde_json::{Value, json};
use shadestep_engine::diag::{self, Code};
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Code, such as arb-not-array [default: list all]
    #[arg(value_name = "CODE")]
    code: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print all codes as one Markdown document
    #[arg(long, conflicts_with_all = ["code", "format"])]
    markdown: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    if arguments.markdown {
        write!(out, "{}", codes::markdown())?;
        return Ok(());
    }
    let all: Vec<Code> = codes::topics().into_iter().flat_map(|topic| topic.codes).collect();
    let shown = match &arguments.code {
        Some(name) => vec![find(&all, name)?],
        None => all,
    };
    match (arguments.format, shown.as_slice()) {
        (Format::Json, _) => {
            let objects: Vec<Value> = shown.into_iter().map(object).collect();
            writeln!(out, "{}", json!({ "codes": objects }))?;
        }
        (Format::Text, [code]) => write!(out, "{}", codes::explanation(*code))?,
        (Format::Text, _) => {
            for code in shown {
                writeln!(out, "{:<34} {}", code.name(), diag::plain(code.row().rule))?;
            }
        }
    }
    Ok(())
}

/// Finds the code called `name`, ignoring case.
fn find(all: &[Code], name: &str) -> Result<Code, CliError> {
    let lower = name.to_ascii_lowercase();
    let found = all.iter().copied().find(|code| code.name() == lower);
    found.ok_or_else(|| {
        let hint = suggest::did_you_mean(&lower, all.iter().map(|code| code.name()));
        CliError::Failed(format!("there is no code \"{name}\"{hint}"))
    })
}

fn object(code: Code) -> Value {
    let row = code.row();
    json!({
        "code": row.name,
        "severity": row.severity.name(),
        "clauses": row.clauses,
        "rule": diag::plain(row.rule),
        "wrong": code.wrong(),
        "right": code.right(),
    })
}
