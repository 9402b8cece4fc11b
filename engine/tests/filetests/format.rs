//! Reads test files. `README.md` describes the format.

use std::ops::Range;

use super::values::{Expected, Place, expected_list, given_list};
use shadestep_core::exec::lir::text::{Parsed, parse, parse_blocks};
use shadestep_core::exec::lir::{Block, Function};

/// A test file.
pub struct TestFile {
    pub commands: Vec<Command>,
    pub functions: Vec<TestFunction>,
}

/// A line `test NAME WORD ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub name: String,
    pub words: Vec<String>,
}

impl Command {
    /// The command without `test`.
    pub fn text(&self) -> String {
        [&self.name].into_iter().chain(&self.words).map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// A function or a block, and its directives.
pub struct TestFunction {
    pub parsed: Parsed<Function>,
    /// The block, if this is one. Then the function is empty.
    pub block: Option<Block>,
    pub runs: Vec<Run>,
    /// The faults that the verifier must find.
    pub faults: Vec<String>,
    /// Lane registers of which readers demand all bits.
    pub demanded: Vec<u16>,
    /// Lane registers of low words.
    pub low_words: Vec<u16>,
    /// Lane registers that are live after the block.
    pub live: Vec<u16>,
    /// The expected text after a pass, by the command of the pass.
    pub after: Vec<(String, Vec<String>)>,
    /// The lines of `after`, counted from 0.
    pub after_lines: Range<usize>,
}

/// One execution of a function.
#[derive(Default)]
pub struct Run {
    pub given: Vec<(Place, Vec<u32>)>,
    pub expected: Vec<(Place, Vec<Expected>)>,
}

/// The word that begins each directive.
const DIRECTIVES: [&str; 7] = ["given", "expect", "fault", "demand", "low_words", "live", "after"];

/// Reads the text of a file.
///
/// # Errors
/// The first mistake, with its line.
pub fn read(text: &str) -> Result<TestFile, String> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &&str| line.starts_with("function") || line.starts_with("block");
    let first = lines.iter().position(begins).unwrap_or(lines.len());
    let commands: Vec<Command> = lines[..first].iter().filter_map(|line| command(line)).collect();
    if commands.is_empty() {
        return Err("the file has no test command".to_owned());
    }
    // The parser reads everything else. Blank lines keep the numbers of lines.
    let functions: String = (lines.iter().enumerate())
        .map(
            |(at, line)| {
                if at < first && command(line).is_some() { "\n".to_owned() } else { format!("{line}\n") }
            },
        )
        .collect();
    let functions: Vec<(Parsed<Function>, Option<Block>)> = match lines.get(first) {
        None => return Err("the file has no function".to_owned()),
        Some(line) if line.starts_with("block") => {
            let blocks = parse_blocks(&functions).map_err(|error| error.to_string())?;
            blocks.into_iter().map(|Parsed { name, code, end }| (empty(name, end), Some(code))).collect()
        }
        Some(_) => {
            let functions = parse(&functions).map_err(|error| error.to_string())?;
            functions.into_iter().map(|parsed| (parsed, None)).collect()
        }
    };
    let functions = functions.into_iter().map(|(parsed, block)| with_directives(parsed, block, &lines));
    Ok(TestFile { commands, functions: functions.collect::<Result<_, String>>()? })
}

/// A function without instructions.
fn empty(name: String, end: usize) -> Parsed<Function> {
    Parsed { name, code: Function::default(), end }
}

fn command(line: &str) -> Option<Command> {
    let mut words = line.strip_prefix("test ")?.split_whitespace().map(str::to_owned);
    Some(Command { name: words.next()?, words: words.collect() })
}

/// Reads the comments after a function, up to the next blank line.
fn with_directives(
    parsed: Parsed<Function>,
    block: Option<Block>,
    lines: &[&str],
) -> Result<TestFunction, String> {
    let end = parsed.end;
    let mut function = TestFunction {
        parsed,
        block,
        runs: Vec::new(),
        faults: Vec::new(),
        demanded: Vec::new(),
        low_words: Vec::new(),
        live: Vec::new(),
        after: Vec::new(),
        after_lines: end..end,
    };
    for (at, line) in lines.iter().enumerate().skip(end).take_while(|(_, line)| line.starts_with(';')) {
        let fail = |message: String| format!("{}: {message}", at + 1);
        let content = line[1..].strip_prefix(' ').unwrap_or_default();
        if let Some(text) = content.strip_prefix("    ") {
            let (_, after) =
                function.after.last_mut().ok_or_else(|| fail("a text without after".to_owned()))?;
            after.push(text.to_owned());
        } else {
            directive(&mut function, content).map_err(fail)?;
        }
        if !function.after.is_empty() {
            let start = if function.after_lines.is_empty() { at } else { function.after_lines.start };
            function.after_lines = start..at + 1;
        } else {
            function.after_lines = at + 1..at + 1;
        }
    }
    Ok(function)
}

fn directive(function: &mut TestFunction, content: &str) -> Result<(), String> {
    let (name, rest) = content.split_once(' ').unwrap_or((content, ""));
    if !function.after.is_empty() && name != "after" {
        return Err(format!("write {name} before the first after"));
    }
    match name {
        "given" => {
            if function.runs.last().is_none_or(|run| !run.expected.is_empty()) {
                function.runs.push(Run::default());
            }
            let (place, list) = assignment(rest)?;
            let run = function.runs.last_mut().ok_or("no run")?;
            run.given.push((place, given_list(list)?));
        }
        "expect" => {
            if function.runs.is_empty() {
                function.runs.push(Run::default());
            }
            let (place, list) = assignment(rest)?;
            let run = function.runs.last_mut().ok_or("no run")?;
            run.expected.push((place, expected_list(list)?));
        }
        "fault" => function.faults.push(rest.to_owned()),
        "demand" => function.demanded.extend(registers(rest)?),
        "low_words" => function.low_words.extend(registers(rest)?),
        "live" => function.live.extend(registers(rest)?),
        "after" => {
            let command = rest.strip_suffix(':').ok_or("after COMMAND: ends with a colon")?;
            function.after.push((command.to_owned(), Vec::new()));
        }
        _ => return Err(format!("{name} is not a directive: {}", DIRECTIVES.join(", "))),
    }
    Ok(())
}

/// `PLACE = LIST`.
fn assignment(text: &str) -> Result<(Place, &str), String> {
    let (place, list) = text.split_once(" = ").ok_or("a value is written as PLACE = LIST")?;
    Ok((Place::read(place)?, list))
}

fn registers(list: &str) -> Result<Vec<u16>, String> {
    list.split(", ").map(|number| number.parse().map_err(|_| format!("{number} is not a number"))).collect()
}

/// The directives for the texts after passes.
pub fn after_text(after: &[(String, Vec<String>)]) -> Vec<String> {
    let lines = after.iter().flat_map(|(command, text)| {
        let lines = text.iter().map(|line| format!(";     {line}"));
        [format!("; after {command}:")].into_iter().chain(lines)
    });
    lines.collect()
}

/// The text of the file with new texts after passes. `after` has them for each function.
pub fn with_after(text: &str, file: &TestFile, after: &[Vec<(String, Vec<String>)>]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (function, after) in file.functions.iter().zip(after).rev() {
        lines.splice(function.after_lines.clone(), after_text(after));
    }
    lines.join("\n") + "\n"
}
