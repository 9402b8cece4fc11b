//! Parses conformance files: header, programs, runs and error cases. `README.md` in this folder describes the
//! format for writers.
//!
//! This module only turns the text into data and refuses unknown text. `program_text` parses the programs.
//! Neither module loads or runs a program.

use shadestep_engine::debug::Ended;
use shadestep_engine::exec::Mark;
use shadestep_engine::ir::{Attribute, CcRegister, Components, Flags};
use shadestep_engine::memory::Reason;

use super::memory::{Buffer, Place, parse_reasons};
use super::names;
use super::program_text::{Body, Dialect, Marked, program_texts};
use super::texture_notation::TextureNotation;
use super::values::{Number, parse_components, parse_numbers, parse_tolerance};

/// One parsed `.test` file.
#[derive(Debug, Default)]
pub struct TestFile {
    /// The clauses that the file tests, such as `NV_fragment_program 3.11.5.13`.
    pub clauses: Vec<String>,
    /// The subject of the file, in one sentence.
    pub about: String,
    /// Reason for a known failure.
    pub known_failure: Option<String>,
    /// The languages for programs with the header `!!*`.
    pub languages: Vec<Dialect>,
    /// Programs and error cases, in the file's order.
    pub cases: Vec<Case>,
}

/// A program and its expectations.
#[derive(Debug)]
pub enum Case {
    /// A program that loads, with runs.
    Program {
        /// Program text in each language, as the loader receives it.
        texts: Vec<Vec<u8>>,
        /// Line of the section, from 1.
        line: usize,
        /// Runs, in the file's order.
        runs: Vec<Run>,
    },
    /// A program that does not load.
    Error {
        /// The error, in words.
        title: String,
        /// Program text in each of its languages and variants, with its errors.
        texts: Vec<Marked>,
        /// The errors that the section lists: all, or only the first.
        extent: Extent,
        /// Line of the section, from 1.
        line: usize,
    },
    /// A program that loads, without runs.
    Load {
        /// The subject of the case, in words.
        title: String,
        /// Program text in each of its languages and variants.
        texts: Vec<Marked>,
        /// Line of the section, from 1.
        line: usize,
    },
}

/// The extent of a section's error list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// `[error]` lists all errors.
    All,
    /// `[refused]` lists the first error, the one at `PROGRAM_ERROR_POSITION`.
    First,
}

/// One execution of a program. A run covers one quad, four vertices, four primitives, the four invocations
/// for a patch, or one vertex state program.
#[derive(Debug)]
pub struct Run {
    /// The subject of the run, in words.
    pub title: String,
    /// Line of the section, from 1.
    pub line: usize,
    /// Attribute values by attribute and lane, up to the last attribute with a value. See
    /// [`Self::attribute`].
    attributes: Vec<[Components; 4]>,
    /// Attributes with values that only programs of one stage can read.
    pub given: Vec<Attribute>,
    /// Values of parameters, by their names in the program text (`p[3]`, `light`).
    pub parameters: Vec<(String, [f32; 4])>,
    /// Textures by image unit.
    pub textures: Vec<(u8, TextureNotation)>,
    pub buffers: Vec<Buffer>,
    /// Facts that must hold at the end.
    pub expectations: Vec<Expectation>,
}

impl Run {
    /// The values of an attribute in the four lanes. `number` is its [`Attribute::index`].
    pub fn attribute(&self, number: usize) -> [Components; 4] {
        self.attributes.get(number).copied().unwrap_or_default()
    }

    /// Sets the value of `attribute` in `lane`, or in all lanes for `None`.
    fn give(&mut self, attribute: Attribute, lane: Option<usize>, values: Components) {
        let number = attribute.index();
        if self.attributes.len() <= number {
            self.attributes.resize(number + 1, [[0; 4]; 4]);
        }
        for (index, slot) in self.attributes[number].iter_mut().enumerate() {
            if lane.is_none_or(|l| l == index) {
                *slot = values;
            }
        }
    }
}

/// A fact that must hold at the end of a run.
#[derive(Debug)]
pub struct Expectation {
    /// Line in the file, from 1.
    pub line: usize,
    /// The lane (fragment of the quad, vertex, primitive or invocation), or `None` for all four.
    pub lane: Option<usize>,
    pub fact: Fact,
}

impl Expectation {
    /// The lanes that the expectation covers.
    pub fn lanes(&self) -> std::ops::Range<usize> {
        self.lane.map_or(0..4, |lane| lane..lane + 1)
    }
}

/// The expected value of a register.
#[derive(Debug)]
pub struct Held {
    /// Name in the program text.
    pub name: String,
    /// Expected components, `None` for any value.
    pub values: [Option<Number>; 4],
    /// Upper bound of the absolute difference, exclusive. Without a bound the bits must be equal.
    pub tolerance: Option<f64>,
}

impl Held {
    fn parse(name: &str, value: &str) -> Result<Self, String> {
        let (values, tolerance) = match value.split_once('~') {
            Some((values, tolerance)) => (values, Some(parse_tolerance(tolerance)?)),
            None => (value, None),
        };
        let values = parse_numbers(values)?.try_into().map_err(|_| "four components expected")?;
        Ok(Self { name: name.trim().to_owned(), values, tolerance })
    }
}

/// The kinds of expectations.
#[derive(Debug)]
pub enum Fact {
    /// A register has these values: a temporary, an address register, an output or a written parameter.
    Register(Held),
    /// The program emitted these vertices and ended these primitives, in this order.
    Emitted(Vec<Mark>),
    /// A result of an emitted vertex has these values. Vertices count from 0.
    Vertex(usize, Held),
    /// The components of a condition code have these flags, `None` for any flags.
    Cc(CcRegister, [Option<Flags>; 4]),
    /// The fragment was discarded. Without this expectation it must not be discarded.
    Killed,
    /// The program executed this number of instructions.
    Executed(u32),
    /// The program ended this way.
    Ended(Ended),
    /// A buffer has exactly these values, `None` for any word.
    Memory(Place, Vec<Option<Number>>),
    /// Memory accesses reported these errors, in this order.
    Reported(Vec<Reason>),
    /// The program wrote exactly these components of an output.
    Defined {
        /// Name in the program text.
        name: String,
        /// Written components (bit 0 = x).
        mask: u8,
    },
}

/// Parses a conformance file.
///
/// # Errors
///
/// The message names the line.
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
                let texts = program_texts(&body, &file.languages)?;
                let texts = texts.into_iter().map(|marked| marked.text).collect();
                file.cases.push(Case::Program { texts, line: start, runs: Vec::new() });
            }
            "run" => {
                let run = parse_run(title, &body)?;
                match file.cases.last_mut() {
                    Some(Case::Program { runs, .. }) => runs.push(run),
                    _ => return Err(format!("line {start}: a [run] must follow a [program]")),
                }
            }
            "load" => {
                let texts = program_texts(&body, &file.languages)?;
                if texts.iter().any(|marked| !marked.errors.is_empty()) {
                    return Err(format!("line {start}: a [load] section has no errors"));
                }
                file.cases.push(Case::Load { title: title.to_owned(), texts, line: start });
            }
            _ => {
                let extent = if kind == "refused" { Extent::First } else { Extent::All };
                let texts = program_texts(&body, &file.languages)?;
                let count = |marked: &Marked| marked.errors.len();
                if texts.iter().any(|marked| count(marked) == 0) {
                    return Err(format!("line {start}: an [{kind}] section needs a marker or a position"));
                }
                if texts.iter().any(|marked| !marked.warnings.is_empty()) {
                    return Err(format!("line {start}: an [{kind}] section has no warnings"));
                }
                if extent == Extent::First && texts.iter().any(|marked| count(marked) > 1) {
                    return Err(format!("line {start}: a [refused] section marks the first error"));
                }
                file.cases.push(Case::Error { title: title.to_owned(), texts, extent, line: start });
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
        return Err("no section with a program".into());
    }
    Ok(file)
}

/// Parses a section heading at the start of a line: `[program]`, `[run]`, `[run: title]`, `[error: title]`,
/// `[refused: title]` or `[load: title]`. Returns the kind and the title.
fn section(line: &str) -> Option<(&str, &str)> {
    let inner = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let (kind, title) = inner.split_once(':').unwrap_or((inner, ""));
    matches!(kind, "program" | "run" | "error" | "refused" | "load").then_some((kind, title.trim()))
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
        "languages" => {
            for name in value.split(',').map(str::trim) {
                file.languages.push(Dialect::parse(name)?);
            }
        }
        "known_failure" => file.known_failure = Some(value.to_owned()),
        other => return Err(format!("unknown key `{other}`")),
    }
    Ok(())
}

fn parse_run(title: &str, body: &Body<'_>) -> Result<Run, String> {
    let mut run = Run {
        title: title.to_owned(),
        line: body.first_line - 1,
        attributes: Vec::new(),
        given: Vec::new(),
        parameters: Vec::new(),
        textures: Vec::new(),
        buffers: Vec::new(),
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
        // The texels of a texture may continue on further lines.
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
    if let Some(place) = Place::parse(name.trim()) {
        let (place, mode) = place?;
        run.buffers.push(Buffer::parse(place, mode, value)?);
        return Ok(());
    }
    let (name, lane) = split_lane(name.trim())?;
    if let Some(attributes) = names::of_either_stage(name) {
        let values = parse_components(value)?;
        attributes.into_iter().for_each(|attribute| run.give(attribute, lane, values));
        return Ok(());
    }
    if names::is_attribute(name) {
        let attribute = names::attribute(name).ok_or_else(|| format!("unknown attribute `{name}`"))?;
        run.give(attribute, lane, parse_components(value)?);
        run.given.push(attribute);
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
    let words = parse_components(value)?.map(u32::try_from);
    if words.iter().any(Result::is_err) {
        return Err("parameters have 32 bits".into());
    }
    run.parameters.push((name.to_owned(), words.map(|word| f32::from_bits(word.unwrap_or_default()))));
    Ok(())
}

fn parse_expectation(line: &str, number: usize) -> Result<Expectation, String> {
    let (left, value) = match line.split_once('=') {
        Some((left, value)) => (left.trim(), value.trim()),
        None => (line, ""),
    };
    let (name, lane) = split_lane(left)?;
    let fact = if let Some(place) = Place::parse(name) {
        Fact::Memory(place?.0, parse_numbers(value)?)
    } else if name == "reported" {
        Fact::Reported(parse_reasons(value)?)
    } else if let Some(name) = name.strip_prefix("defined ") {
        let mut mask = 0;
        for component in value.chars() {
            mask |= 1 << "xyzw".find(component).ok_or("a mask of x, y, z, w")?;
        }
        Fact::Defined { name: name.trim().to_owned(), mask }
    } else if name == "killed" {
        Fact::Killed
    } else if name == "emitted" {
        Fact::Emitted(parse_marks(value)?)
    } else if name == "executed" {
        Fact::Executed(value.parse().map_err(|_| "a number of instructions expected")?)
    } else if name == "ended" {
        Fact::Ended(match value {
            "normal" => Ended::Normal,
            "call stack overflow" => Ended::CallOverflow,
            "instruction limit" => Ended::InstructionLimit,
            _ => return Err(format!("no program ends by `{value}`")),
        })
    } else if let Some(register) = names::condition_code(name) {
        let codes: Vec<_> = value.split_whitespace().map(condition_code).collect::<Result<_, _>>()?;
        Fact::Cc(register, codes.try_into().map_err(|_| "four condition codes expected")?)
    } else {
        match emitted_vertex(name) {
            Some((vertex, name)) => Fact::Vertex(vertex, Held::parse(name, value)?),
            None => Fact::Register(Held::parse(name, value)?),
        }
    };
    Ok(Expectation { line: number, lane, fact })
}

/// Splits off the lane: `name@2` means lane 2.
fn split_lane(name: &str) -> Result<(&str, Option<usize>), String> {
    match name.split_once('@') {
        None => Ok((name, None)),
        Some((name, lane)) => match lane.parse() {
            Ok(lane) if lane < 4 => Ok((name, Some(lane))),
            _ => Err(format!("`@{lane}` is no lane of a quad")),
        },
    }
}

/// Parses `emitted[2] result.color` into the vertex and the name of its result.
fn emitted_vertex(name: &str) -> Option<(usize, &str)> {
    let (number, result) = name.strip_prefix("emitted[")?.split_once(']')?;
    number.parse().ok().map(|number| (number, result))
}

/// Parses the stream of each emitted vertex, with `end` at the end of a primitive. `nothing` is the empty
/// list.
fn parse_marks(text: &str) -> Result<Vec<Mark>, String> {
    if text == "nothing" {
        return Ok(Vec::new());
    }
    let mark = |word: &str| match (word, word.parse()) {
        ("end", _) => Ok(Mark::EndPrimitive),
        (_, Ok(stream @ 0..4)) => Ok(Mark::Vertex { stream }),
        _ => Err(format!("`{word}` is neither a stream nor `end`")),
    };
    text.split_whitespace().map(mark).collect()
}

/// Parses `LT`, `EQ`, `GT` or `UN`, with `+C` and `+O` for carry and overflow. `_` means any code.
fn condition_code(word: &str) -> Result<Option<Flags>, String> {
    if word == "_" {
        return Ok(None);
    }
    let mut parts = word.split('+');
    let mut flags = match parts.next() {
        Some("LT") => Flags::LT,
        Some("EQ") => Flags::EQ,
        Some("GT") => Flags::GT,
        Some("UN") => Flags::UN,
        _ => return Err(format!("`{word}` is no condition code")),
    };
    for part in parts {
        flags.0 |= match part {
            "C" => Flags::CARRY,
            "O" => Flags::OVERFLOW,
            _ => return Err(format!("`{part}` is no flag")),
        };
    }
    Ok(Some(flags))
}

mod tests {
    use shadestep_engine::ir::single_bits;

    use super::*;

    fn check(condition: impl Into<Option<bool>>, what: &str) -> Result<(), String> {
        if condition.into() == Some(true) { Ok(()) } else { Err(what.to_owned()) }
    }

    const HEAD: &str = "spec = \"NV_fragment_program 3.11.1, 3.11.2\"\nabout = \"a\"\n";

    /// The parser returns the header, program and run as written.
    #[test]
    fn a_file_is_read() -> Result<(), String> {
        let source = format!(
            "{HEAD}[program]\n!!FP1.0\n@repeat 2 MOV R{{i}}, 1;\nEND\n\n[run: t]\nf[TEX0]@2 = 1 -0 inf 0x3f800000\n\
             k = 1 2 3 4\n=>\no[COLR]@1 = _ 1 NaN 1/3 ~ 2^-22 (3.11.5.2)\nCC = LT EQ GT _\nkilled@3\n"
        );
        let file = parse(&source)?;
        check(file.clauses == ["NV_fragment_program 3.11.1", "NV_fragment_program 3.11.2"], "clauses")?;
        let [Case::Program { texts, runs, .. }] = file.cases.as_slice() else {
            return Err("one program".into());
        };
        check(texts == &[b"!!FP1.0\nMOV R0, 1;\nMOV R1, 1;\nEND\n"], "text")?;
        let run = &runs[0];
        let tex0 = run.attribute(Attribute::Tex(0).index());
        check(tex0[0] == [0; 4] && tex0[2] == [0x3F80_0000, 1 << 31, 0x7F80_0000, 0x3F80_0000], "attribute")?;
        check(run.parameters == [("k".to_owned(), [1.0, 2.0, 3.0, 4.0])], "parameter")?;
        check(run.expectations.len() == 3 && run.expectations[0].lane == Some(1), "expectations")
    }

    /// Markers give byte offsets in the text above them. Marker lines become comments of the text.
    #[test]
    fn markers_give_byte_offsets() -> Result<(), String> {
        let source = format!(
            "{HEAD}[error: e]\n!!FP1.0\n  MOV R0, foo, bar;\n#         ^^^ error[a]\n#              ^^^ error[b]\n\
             END\nposition = end error[c]\n"
        );
        let file = parse(&source)?;
        let [Case::Error { texts, .. }] = file.cases.as_slice() else {
            return Err("one error".into());
        };
        let Marked { text, errors, .. } = &texts[0];
        check(errors.len() == 3, "three errors")?;
        check(text[errors[0].0..].starts_with(b"foo") && errors[0].1 == "a", "first")?;
        check(text[errors[1].0..].starts_with(b"bar") && errors[1].1 == "b", "second")?;
        check(errors[2] == (text.len(), "c".to_owned()), "end")
    }

    /// A program for several languages gets each language's header. In a state program, the shared result
    /// becomes a parameter.
    #[test]
    fn a_shared_program_is_written_in_each_language() -> Result<(), String> {
        let source = format!(
            "{HEAD}languages = \"VP2.0, VSP1.0\"\n[error: e]\n!!*\nMOV o[HPOS], foo;\n#            ^ error[a]\nEND\n"
        );
        let file = parse(&source)?;
        let [Case::Error { texts, .. }] = file.cases.as_slice() else {
            return Err("one error".into());
        };
        let [vertex, state] = texts.as_slice() else {
            return Err("two languages".into());
        };
        let (vertex, vertex_errors) = (&vertex.text, &vertex.errors);
        let (state, state_errors) = (&state.text, &state.errors);
        check(vertex.starts_with(b"!!VP2.0\nMOV o[HPOS], foo;\n"), "vertex program")?;
        check(state.starts_with(b"!!VSP1.0\nMOV c[95]  , foo;\n"), "state program")?;
        check(vertex[vertex_errors[0].0..].starts_with(b"foo"), "its marker")?;
        check(state[state_errors[0].0..].starts_with(b"foo"), "the other's marker")
    }

    /// A program for several stages reads the same attributes in each stage. A run sets them once, with
    /// types. Runs can expect both condition codes, with carry and overflow.
    #[test]
    fn a_program_shared_by_stages_is_read() -> Result<(), String> {
        let source = format!(
            "{HEAD}languages = \"NVvp5.0, NVfp5.0\"\n[program]\n!!*\nMOV R, {{stage}}.attrib[1];\nEND\n[run]\n\
             {{stage}}.attrib[1]@2 = S: -1 2 F64: 1\nvertex.attrib[2] = S64: -1 2 3 4\nprimitive.id = S: 7 0 0 0\n\
             program.env[0] = U: 7 F: 1 1 1\n=>\nCC1 = LT+C EQ+C+O UN _\nCC = GT GT GT GT+O\nR = S: -1 _ U: 5 F64: 2\n"
        );
        let file = parse(&source)?;
        let [Case::Program { texts, runs, .. }] = file.cases.as_slice() else {
            return Err("one program".into());
        };
        check(texts[0] == b"!!NVvp5.0\nMOV R, vertex.attrib[1];\nEND\n", "vertex program")?;
        check(texts[1] == b"!!NVfp5.0\nMOV R, fragment.attrib[1];\nEND\n", "fragment program")?;
        let of = |attribute: Attribute, lane: usize| runs[0].attribute(attribute.index())[lane];
        let words = [0xFFFF_FFFF, 2, 0, 0x3FF0_0000];
        check(
            of(Attribute::Vertex(1), 2) == words && of(Attribute::Generic(1), 2) == words,
            "of both stages",
        )?;
        check(of(Attribute::Generic(1), 0) == [0; 4], "one lane")?;
        check(of(Attribute::Vertex(2), 3) == [u64::MAX, 2, 3, 4], "64 bits")?;
        check(of(Attribute::PrimitiveId, 0)[0] == 7, "an integer")?;
        check(runs[0].given == [Attribute::Vertex(2), Attribute::PrimitiveId], "what one stage has alone")?;
        check(
            runs[0].parameters[0].1.map(f32::to_bits) == [7, 0x3F80_0000, 0x3F80_0000, 0x3F80_0000],
            "parameter",
        )?;
        let [cc1, cc0, register] = runs[0].expectations.as_slice() else {
            return Err("three expectations".into());
        };
        let Fact::Cc(CcRegister::Cc1, flags) = cc1.fact else { return Err("CC1".into()) };
        check(
            flags.map(|flags| flags.map(|flags| flags.0)) == [Some(9), Some(14), Some(3), None],
            "its flags",
        )?;
        check(matches!(cc0.fact, Fact::Cc(CcRegister::Cc0, [.., Some(Flags(4))])), "CC0")?;
        let Fact::Register(Held { values: [Some(x), None, Some(z), Some(w)], .. }) = register.fact else {
            return Err("a register".into());
        };
        check((x.bits, z.bits, w.bits) == (0xFFFF_FFFF, 5, 0x4000_0000_0000_0000), "its values")
    }

    /// Vertex attributes have names and numbers. Vertex runs can expect the reason of a program's end.
    #[test]
    fn a_vertex_run_is_read() -> Result<(), String> {
        let source = format!(
            "{HEAD}[program]\nEND\n[run]\nv[NRML]@1 = 1 2 3 4\nv[15] = 5 5 5 5\n=>\nA0 = 1 _ _ _\nexecuted = 7\n\
             ended@2 = call stack overflow\n"
        );
        let file = parse(&source)?;
        let [Case::Program { runs, .. }] = file.cases.as_slice() else {
            return Err("one program".into());
        };
        let normal = single_bits([1.0, 2.0, 3.0, 4.0]);
        check(runs[0].attribute(2) == [[0; 4], normal, [0; 4], [0; 4]], "by name")?;
        check(runs[0].attribute(15) == [single_bits([5.0; 4]); 4], "by number")?;
        check(runs[0].given == [Attribute::Vertex(2), Attribute::Vertex(15)], "given")?;
        check(matches!(runs[0].expectations[1].fact, Fact::Executed(7)), "executed")?;
        let ended = &runs[0].expectations[2];
        check(matches!(ended.fact, Fact::Ended(Ended::CallOverflow)) && ended.lanes() == (2..3), "ended")
    }

    /// `@each` makes one text for every item and language. The parser replaces limits by their numbers.
    #[test]
    fn variants_and_limits_are_expanded() -> Result<(), String> {
        let source = format!(
            "{HEAD}languages = \"ARBfp1.0, ARBfp1.0+NV_fragment_program\"\n[load: l]\n!!*\n@each a | b[{{MAX_LIGHTS-1}}]\n\
             MOV {{each}}, {{1}};\n@repeat MAX_LOOP_DEPTH-3 X{{i}};\nEND\nuses = alu 1, tex 0\n\
             position = end warning[w]\n"
        );
        let file = parse(&source.replace("@repeat MAX_LOOP_DEPTH-3", "@repeat {MAX_LOOP_DEPTH-3}"))?;
        let [Case::Load { texts, .. }] = file.cases.as_slice() else {
            return Err("one program".into());
        };
        let text =
            |index: usize| texts.get(index).map_or("", |m| std::str::from_utf8(&m.text).unwrap_or_default());
        check(texts.len() == 4, "two items in two languages")?;
        check(text(0) == "!!ARBfp1.0\nMOV a, {1};\nX0;\nEND\n", "the first")?;
        check(text(3) == "!!ARBfp1.0 OPTION NV_fragment_program;\nMOV b[7], {1};\nX0;\nEND\n", "the last")?;
        check(texts[2].uses == [("alu".to_owned(), 1), ("tex".to_owned(), 0)], "resources")?;
        check(texts[0].warnings == [(text(0).len(), "w".to_owned())], "the warning at the end")
    }

    /// A refused program marks its first error and the further places that this error names.
    #[test]
    fn a_refused_program_is_read() -> Result<(), String> {
        let source = format!(
            "{HEAD}[refused: r]\n!!ARBfp1.0\n  LOOP p;\n# ---- also[a]\n  ENDIF;\n# ^^^^^ error[a]\nEND\n"
        );
        let file = parse(&source)?;
        let [Case::Error { texts, extent: Extent::First, .. }] = file.cases.as_slice() else {
            return Err("one refused program".into());
        };
        let Marked { text, errors, also, .. } = &texts[0];
        check(errors.len() == 1 && text[errors[0].0..].starts_with(b"ENDIF"), "the error")?;
        check(also.len() == 1 && text[also[0].0..].starts_with(b"LOOP"), "the other place")
    }

    /// ARB programs name attributes by their bindings.
    #[test]
    fn bindings_name_attributes() -> Result<(), String> {
        let source = format!(
            "{HEAD}[program]\nEND\n[run]\nfragment.color.secondary@3 = 1 2 3 4\nfragment.texcoord[7] = 5 5 5 5\n\
             fragment.facing = -1 0 0 1\nprogram.env[3] = 1 1 1 1\n=>\nresult.color = 1 1 1 1\n"
        );
        let file = parse(&source)?;
        let [Case::Program { runs, .. }] = file.cases.as_slice() else {
            return Err("one program".into());
        };
        let run = &runs[0];
        let of = |attribute: Attribute, lane: usize| run.attribute(attribute.index())[lane];
        check(of(Attribute::Col1, 3) == single_bits([1.0, 2.0, 3.0, 4.0]), "colour")?;
        check(of(Attribute::Tex(7), 0) == single_bits([5.0; 4]), "texture coordinates")?;
        check(of(Attribute::Facing, 1) == single_bits([-1.0, 0.0, 0.0, 1.0]), "facing")?;
        check(run.parameters[0].0 == "program.env[3]", "the parameter")
    }

    /// The parser refuses unknown text and names the line.
    #[test]
    fn mistakes_are_refused() -> Result<(), String> {
        for (body, line) in [
            ("[program]\nEND\n", "line 3"),
            ("[run]\n=>\nkilled\n", "line 3"),
            ("[program]\nEND\n[run]\nf[TEX9] = 1 1 1 1\n=>\nkilled\n", "line 6"),
            ("[program]\nEND\n[run]\nf[TEX0] = 1 1 1\n=>\nkilled\n", "line 6"),
            ("[program]\nEND\n[run]\n=>\nR0 = 1 1 1 1 ~ 2^-22\n", "line 7"),
            ("[program]\nEND\n[run]\n=>\nCC = LT LT LT LE\n", "line 7"),
            ("[program]\nEND\n[run]\n=>\nCC1 = LT LT LT GT+S\n", "line 7"),
            ("[program]\nEND\n[run]\nprogram.env[0] = F64: 1 2 3 4\n=>\nkilled\n", "line 6"),
            ("[program]\nEND\n[run]\n{stage}.attrib[16] = 1 2 3 4\n=>\nkilled\n", "line 6"),
            ("[program]\nEND\n[run]\n=>\nR0@4 = 1 1 1 1\n", "line 7"),
            ("[program]\nEND\n[run]\np[0] = 1 1 1 1\n", "line 5"),
            ("[error]\nEND\n", "line 3"),
            ("[program]\n!!*\nEND\n", "line 4"),
            ("[program]\nEND\n[run]\nv[16] = 1 1 1 1\n=>\nkilled\n", "line 6"),
            ("[program]\nEND\n[run]\n=>\nended = badly\n", "line 7"),
            ("[program]\nEND\n[run]\nfragment.texcoord[8] = 1 1 1 1\n=>\nkilled\n", "line 6"),
            ("[refused]\nEND\n", "line 3"),
            ("[refused]\nA B\n# ^ error[a]\n# ^ error[b]\n", "line 3"),
            ("[refused]\nA\n# ^ error[a]\n", "line 5"),
            ("[refused]\nA B\n# ^ error[a]\nposition = end warning[b]\n", "line 3"),
            ("[load]\nA B\n# ^ error[a]\n", "line 3"),
            ("[load]\n{MAX_NOTHING}\n", "line 4"),
            ("[load]\nEND\nuses = gold 1\n", "line 5"),
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
