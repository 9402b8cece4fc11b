//! The text form of a conformance file: header, programs, runs, error cases. `README.md` beside this
//! file describes it for writers; this module only turns the text into data, and refuses what it does
//! not know. It neither loads nor runs a program.

use shadestep_engine::ir::Attribute;

use crate::texture_notation::TextureNotation;
use crate::values::{Number, parse_number, parse_tolerance};

/// One parsed `.test` file.
#[derive(Debug, Default)]
pub struct TestFile {
    /// The clauses it tests, e.g. `NV_fragment_program 3.11.5.13`.
    pub clauses: Vec<String>,
    /// What it tests, one sentence.
    pub about: String,
    /// Why it is known to fail, if it is.
    pub known_failure: Option<String>,
    /// Programs and error cases in order.
    pub cases: Vec<Case>,
}

/// A program with what is expected of it.
#[derive(Debug)]
pub enum Case {
    /// A program that loads, and its runs.
    Program {
        /// Program text as the loader gets it.
        text: Vec<u8>,
        /// Line of the section, from 1.
        line: usize,
        /// Runs in order.
        runs: Vec<Run>,
    },
    /// A program that does not load.
    Error {
        /// What is wrong with it.
        title: String,
        /// Program text as the loader gets it.
        text: Vec<u8>,
        /// Line of the section, from 1.
        line: usize,
        /// Every error it has: position and code, by position.
        errors: Vec<(usize, String)>,
    },
}

/// One execution of a quad.
#[derive(Debug)]
pub struct Run {
    /// What is shown.
    pub title: String,
    /// Line of the section, from 1.
    pub line: usize,
    /// Attribute values by attribute, lane, component.
    pub attributes: [[[f32; 4]; 4]; Attribute::SLOTS],
    /// Values of parameters by the name the program text uses (`p[3]`, `light`).
    pub parameters: Vec<(String, [f32; 4])>,
    /// Textures by image unit.
    pub textures: Vec<(u8, TextureNotation)>,
    /// What must hold at the end.
    pub expectations: Vec<Expectation>,
}

/// One thing that must hold at the end of a run.
#[derive(Debug)]
pub struct Expectation {
    /// Line in the file, from 1.
    pub line: usize,
    /// The lane it is about; all four if `None`.
    pub lane: Option<usize>,
    /// What.
    pub fact: Fact,
}

/// What can be expected.
#[derive(Debug)]
pub enum Fact {
    /// A register (temporary or output, by name) holds these values.
    Register {
        /// Name as in the program text.
        name: String,
        /// Expected components, `None` for "don't care".
        values: [Option<Number>; 4],
        /// Bound that the difference must stay below; bitwise without one.
        tolerance: Option<f64>,
    },
    /// The condition code holds these names (`LT EQ GT UN`, `_` for "don't care").
    Cc([String; 4]),
    /// The fragment was discarded. Without this fact it must not have been.
    Killed,
    /// Exactly these components of an output have been written (bit 0 = x).
    Defined {
        /// Name as in the program text.
        name: String,
        /// Written components.
        mask: u8,
    },
}

/// Parses a conformance file; the error names the line.
pub fn parse(source: &str) -> Result<TestFile, String> {
    let lines: Vec<&str> = source.lines().collect();
    let mut file = TestFile::default();
    let mut at = 0;
    while at < lines.len() && section(lines[at]).is_none() {
        header_line(lines[at], &mut file).map_err(|e| format!("line {}: {e}", at + 1))?;
        at += 1;
    }
    if file.clauses.is_empty() || file.about.is_empty() {
        return Err("the header needs `spec` and `about`".into());
    }
    while at < lines.len() {
        let Some((kind, title)) = section(lines[at]) else {
            return Err(format!("line {}: section expected", at + 1));
        };
        let start = at + 1;
        at = (start..lines.len()).find(|&i| section(lines[i]).is_some()).unwrap_or(lines.len());
        let body = Body { lines: &lines[start..at], first_line: start + 1 };
        match kind {
            "program" => {
                let (text, _) = program_text(&body)?;
                file.cases.push(Case::Program { text, line: start, runs: Vec::new() });
            }
            "run" => {
                let run = parse_run(title, &body)?;
                match file.cases.last_mut() {
                    Some(Case::Program { runs, .. }) => runs.push(run),
                    _ => return Err(format!("line {start}: a [run] must follow a [program]")),
                }
            }
            _ => {
                let (text, errors) = program_text(&body)?;
                if errors.is_empty() {
                    return Err(format!("line {start}: an [error] section needs a marker or a position"));
                }
                file.cases.push(Case::Error { title: title.to_owned(), text, line: start, errors });
            }
        }
    }
    for case in &file.cases {
        if let Case::Program { runs, line, .. } = case
            && runs.is_empty()
        {
            return Err(format!("line {line}: a [program] without a [run] shows nothing"));
        }
    }
    if file.cases.is_empty() {
        return Err("no [program] and no [error] section".into());
    }
    Ok(file)
}

/// The lines of one section, without its heading.
struct Body<'a> {
    lines: &'a [&'a str],
    first_line: usize,
}

/// `[program]`, `[run]`, `[run: title]`, `[error: title]` at the start of a line.
fn section(line: &str) -> Option<(&str, &str)> {
    let inner = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let (kind, title) = inner.split_once(':').unwrap_or((inner, ""));
    matches!(kind, "program" | "run" | "error").then_some((kind, title.trim()))
}

fn header_line(line: &str, file: &mut TestFile) -> Result<(), String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(());
    }
    let (key, value) = line.split_once('=').ok_or("`key = \"value\"` expected")?;
    let value = value
        .trim()
        .strip_prefix('"')
        .and_then(|v| v.strip_suffix('"'))
        .ok_or("the value stands in double quotes")?;
    match key.trim() {
        "spec" => {
            let (document, sections) =
                value.split_once(' ').ok_or("`spec` is a document and its sections")?;
            file.clauses.extend(sections.split(',').map(|s| format!("{document} {}", s.trim())));
        }
        "about" => value.clone_into(&mut file.about),
        "known_failure" => file.known_failure = Some(value.to_owned()),
        other => return Err(format!("unknown key `{other}`")),
    }
    Ok(())
}

/// Errors an `[error]` section names: position and code.
type Errors = Vec<(usize, String)>;

/// Expands directives and collects error markers. Blank lines at the end are not part of the text.
fn program_text(body: &Body<'_>) -> Result<(Vec<u8>, Errors), String> {
    let used = body.lines.iter().rposition(|l| !l.trim().is_empty()).map_or(0, |i| i + 1);
    let mut text = Vec::new();
    let mut errors = Vec::new();
    let mut at_end = Vec::new();
    let mut previous_start = 0;
    for (index, &line) in body.lines[..used].iter().enumerate() {
        let fail = |e: &str| format!("line {}: {e}", body.first_line + index);
        if let Some(position) = line.strip_prefix("position = ") {
            let (position, code) =
                position.split_once(' ').ok_or_else(|| fail("`position = N error[code]`"))?;
            let code = error_code(code).ok_or_else(|| fail("`error[code]` expected"))?;
            match position {
                "end" => at_end.push(code),
                number => errors.push((number.parse().map_err(|_| fail("bad position"))?, code)),
            }
            continue;
        }
        if let Some((column, code)) = marker(line) {
            if errors.last().is_some_and(|&(last, _)| last > previous_start + column) {
                return Err(fail("markers go from left to right"));
            }
            errors.push((previous_start + column, code));
            text.extend_from_slice(line.as_bytes());
            text.push(b'\n');
            continue;
        }
        previous_start = text.len();
        match line.split_once(' ') {
            Some(("@repeat", rest)) => {
                let (count, line) = rest.split_once(' ').ok_or_else(|| fail("`@repeat COUNT TEXT`"))?;
                let count: usize = count.parse().map_err(|_| fail("bad count"))?;
                for i in 0..count {
                    text.extend_from_slice(line.replace("{i}", &i.to_string()).as_bytes());
                    text.push(b'\n');
                }
            }
            Some(("@bytes", rest)) => text.extend(unescape(rest).ok_or_else(|| fail("bad escape"))?),
            _ => {
                text.extend_from_slice(line.as_bytes());
                text.push(b'\n');
            }
        }
    }
    errors.extend(at_end.into_iter().map(|code| (text.len(), code)));
    errors.sort();
    Ok((text, errors))
}

/// A comment line `#   ^^^ error[code]`: the column of the first caret, and the code.
fn marker(line: &str) -> Option<(usize, String)> {
    let after = line.trim_start().strip_prefix('#')?.trim_start();
    if !after.starts_with('^') {
        return None;
    }
    let code = error_code(after.trim_start_matches('^').trim())?;
    line.find('^').map(|column| (column, code))
}

fn error_code(text: &str) -> Option<String> {
    text.trim().strip_prefix("error[")?.strip_suffix(']').map(str::to_owned)
}

/// `\r`, `\n`, `\t`, `\\` and `\xNN`.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut chars = text.bytes();
    while let Some(byte) = chars.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match chars.next()? {
            b'r' => b'\r',
            b'n' => b'\n',
            b't' => b'\t',
            b'\\' => b'\\',
            b'x' => {
                let high = char::from(chars.next()?).to_digit(16)?;
                let low = char::from(chars.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

fn parse_run(title: &str, body: &Body<'_>) -> Result<Run, String> {
    let mut run = Run {
        title: title.to_owned(),
        line: body.first_line - 1,
        attributes: [[[0.0; 4]; 4]; Attribute::SLOTS],
        parameters: Vec::new(),
        textures: Vec::new(),
        expectations: Vec::new(),
    };
    let mut expecting = false;
    let mut lines = body.lines.iter().enumerate();
    while let Some((index, &line)) = lines.next() {
        let number = body.first_line + index;
        let mut statement = line.trim().to_owned();
        if statement.is_empty() || statement.starts_with('#') {
            continue;
        }
        if statement == "=>" {
            expecting = true;
            continue;
        }
        // A texture's texels may run over several lines.
        while statement.matches('{').count() > statement.matches('}').count() {
            let (_, more) = lines.next().ok_or(format!("line {number}: `}}` missing"))?;
            statement.push(' ');
            statement.push_str(more.trim());
        }
        let outcome = if expecting {
            parse_expectation(&statement, number).map(|e| run.expectations.push(e))
        } else {
            parse_input(&statement, &mut run)
        };
        outcome.map_err(|e| format!("line {number}: {e}"))?;
    }
    if run.expectations.is_empty() {
        return Err(format!("line {}: the run expects nothing", run.line));
    }
    Ok(run)
}

fn parse_input(line: &str, run: &mut Run) -> Result<(), String> {
    let (name, value) = line.split_once('=').ok_or("`name = value` expected")?;
    let (name, lane) = split_lane(name.trim())?;
    if let Some(inner) = name.strip_prefix("f[").and_then(|n| n.strip_suffix(']')) {
        let attribute = Attribute::FRAGMENT
            .into_iter()
            .find(|a| a.name() == inner)
            .ok_or_else(|| format!("unknown attribute `{name}`"))?;
        let values = four_floats(value)?;
        for (index, slot) in run.attributes[attribute.index()].iter_mut().enumerate() {
            if lane.is_none_or(|l| l == index) {
                *slot = values;
            }
        }
        return Ok(());
    }
    if lane.is_some() {
        return Err(format!("`{name}` is the same in every lane"));
    }
    if let Some(inner) = name.strip_prefix("texture[").and_then(|n| n.strip_suffix(']')) {
        let unit = inner.parse().map_err(|_| "bad image unit")?;
        run.textures.push((unit, TextureNotation::parse(value.trim())?));
        return Ok(());
    }
    run.parameters.push((name.to_owned(), four_floats(value)?));
    Ok(())
}

fn parse_expectation(line: &str, number: usize) -> Result<Expectation, String> {
    let (left, value) = match line.split_once('=') {
        Some((left, value)) => (left.trim(), value.trim()),
        None => (line, ""),
    };
    let (name, lane) = split_lane(left)?;
    let fact = if let Some(name) = name.strip_prefix("defined ") {
        let mut mask = 0;
        for component in value.chars() {
            mask |= 1 << "xyzw".find(component).ok_or("a mask of x, y, z, w")?;
        }
        Fact::Defined { name: name.trim().to_owned(), mask }
    } else if name == "killed" {
        Fact::Killed
    } else if name == "CC" {
        let names: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
        if let Some(bad) = names.iter().find(|n| !matches!(n.as_str(), "LT" | "EQ" | "GT" | "UN" | "_")) {
            return Err(format!("`{bad}` is no condition code"));
        }
        Fact::Cc(names.try_into().map_err(|_| "four condition codes expected")?)
    } else {
        let (values, tolerance) = match value.split_once('~') {
            Some((values, tolerance)) => (values, Some(parse_tolerance(tolerance)?)),
            None => (value, None),
        };
        let values: Vec<Option<Number>> = values
            .split_whitespace()
            .map(|word| if word == "_" { Ok(None) } else { parse_number(word).map(Some) })
            .collect::<Result<_, _>>()?;
        let values = values.try_into().map_err(|_| "four components expected")?;
        Fact::Register { name: name.to_owned(), values, tolerance }
    };
    Ok(Expectation { line: number, lane, fact })
}

/// `name@2` is about lane 2.
fn split_lane(name: &str) -> Result<(&str, Option<usize>), String> {
    match name.split_once('@') {
        None => Ok((name, None)),
        Some((name, lane)) => match lane.parse() {
            Ok(lane) if lane < 4 => Ok((name, Some(lane))),
            _ => Err(format!("`@{lane}` is no lane of a quad")),
        },
    }
}

fn four_floats(text: &str) -> Result<[f32; 4], String> {
    let values: Vec<f32> =
        text.split_whitespace().map(|w| parse_number(w).map(|n| n.value)).collect::<Result<_, _>>()?;
    values.try_into().map_err(|_| "four components expected".into())
}

/// Tests of this module, run as trials of their own.
pub mod tests {
    use super::*;

    fn check(condition: impl Into<Option<bool>>, what: &str) -> Result<(), String> {
        if condition.into() == Some(true) { Ok(()) } else { Err(what.to_owned()) }
    }

    const HEAD: &str = "spec = \"NV_fragment_program 3.11.1, 3.11.2\"\nabout = \"a\"\n";

    /// Header, program and run come out as written.
    pub fn a_file_is_read() -> Result<(), String> {
        let source = format!(
            "{HEAD}[program]\n!!FP1.0\n@repeat 2 MOV R{{i}}, 1;\nEND\n\n[run: t]\nf[TEX0]@2 = 1 -0 inf 0x3f800000\n\
             k = 1 2 3 4\n=>\no[COLR]@1 = _ 1 NaN 1/3 ~ 2^-22 (3.11.5.2)\nCC = LT EQ GT _\nkilled@3\n"
        );
        let file = parse(&source)?;
        check(file.clauses == ["NV_fragment_program 3.11.1", "NV_fragment_program 3.11.2"], "clauses")?;
        let [Case::Program { text, runs, .. }] = file.cases.as_slice() else {
            return Err("one program".into());
        };
        check(text == b"!!FP1.0\nMOV R0, 1;\nMOV R1, 1;\nEND\n", "text")?;
        let run = &runs[0];
        let tex0 = run.attributes[Attribute::Tex(0).index()];
        check(tex0[0] == [0.0; 4] && tex0[2] == [1.0, 0.0, f32::INFINITY, 1.0], "attribute")?;
        check(tex0[2][1].is_sign_negative(), "minus zero")?;
        check(run.parameters == [("k".to_owned(), [1.0, 2.0, 3.0, 4.0])], "parameter")?;
        check(run.expectations.len() == 3 && run.expectations[0].lane == Some(1), "expectations")
    }

    /// Markers give the byte offset of the bytes above them, markers counted as comments of the text.
    pub fn markers_give_byte_offsets() -> Result<(), String> {
        let source = format!(
            "{HEAD}[error: e]\n!!FP1.0\n  MOV R0, foo, bar;\n#         ^^^ error[a]\n#              ^^^ error[b]\n\
             END\nposition = end error[c]\n"
        );
        let file = parse(&source)?;
        let [Case::Error { text, errors, .. }] = file.cases.as_slice() else {
            return Err("one error".into());
        };
        check(errors.len() == 3, "three errors")?;
        check(text[errors[0].0..].starts_with(b"foo") && errors[0].1 == "a", "first")?;
        check(text[errors[1].0..].starts_with(b"bar") && errors[1].1 == "b", "second")?;
        check(errors[2] == (text.len(), "c".to_owned()), "end")
    }

    /// What is not understood is refused with the line.
    pub fn mistakes_are_refused() -> Result<(), String> {
        for (body, line) in [
            ("[program]\nEND\n", "line 3"),
            ("[run]\n=>\nkilled\n", "line 3"),
            ("[program]\nEND\n[run]\nf[TEX9] = 1 1 1 1\n=>\nkilled\n", "line 6"),
            ("[program]\nEND\n[run]\nf[TEX0] = 1 1 1\n=>\nkilled\n", "line 6"),
            ("[program]\nEND\n[run]\n=>\nR0 = 1 1 1 1 ~ 2^-22\n", "line 7"),
            ("[program]\nEND\n[run]\n=>\nCC = LT LT LT LE\n", "line 7"),
            ("[program]\nEND\n[run]\n=>\nR0@4 = 1 1 1 1\n", "line 7"),
            ("[program]\nEND\n[run]\np[0] = 1 1 1 1\n", "line 5"),
            ("[error]\nEND\n", "line 3"),
        ] {
            match parse(&format!("{HEAD}{body}")) {
                Ok(_) => return Err(format!("accepted: {body}")),
                Err(e) if e.starts_with(line) => {}
                Err(e) => return Err(format!("{body}: {e}")),
            }
        }
        Ok(())
    }
}
