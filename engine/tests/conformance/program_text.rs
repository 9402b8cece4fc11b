//! Program texts of conformance files: directives, the languages and variants of a text, its marker lines and
//! the lines after it. `README.md` describes the notation.

use shadestep_engine::isa::{Language, Stage};

use super::names::STAGE;
use crate::common::limits;

/// The result that shows the outcome of a program for several languages, and the parameter that replaces it
/// in vertex state programs, which have no results.
pub const SHARED_RESULT: (&str, &str) = ("o[HPOS]", "c[95]");

/// Names of resources in `uses` lines (ARB_fragment_program 6.1.12, NV_gpu_program4 2.X.3).
const RESOURCES: &[&str] = &[
    "alu",
    "tex",
    "total",
    "indirections",
    "temporaries",
    "parameters",
    "attributes",
    "attribute components",
    "result components",
];

/// Position and code of each error, sorted by position.
pub type Errors = Vec<(usize, String)>;

/// The kinds of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Error,
    Also,
    Warning,
}

impl Mark {
    const ALL: [Self; 3] = [Self::Error, Self::Also, Self::Warning];

    /// The word before the code, and the sign below the marked text.
    const fn notation(self) -> (&'static str, char) {
        match self {
            Self::Error => ("error", '^'),
            Self::Also => ("also", '-'),
            Self::Warning => ("warning", '^'),
        }
    }

    /// Parses `error[code]` for this kind. Returns the code.
    fn code(self, text: &str) -> Option<String> {
        let (word, _) = self.notation();
        text.trim().strip_prefix(word)?.strip_prefix('[')?.strip_suffix(']').map(str::to_owned)
    }

    /// Parses a marker line `#   ^^^ error[code]` of this kind. Returns the column of the first sign, and the
    /// code.
    fn in_line(self, line: &str) -> Option<(usize, String)> {
        let (_, sign) = self.notation();
        let after = line.trim_start().strip_prefix('#')?.trim_start();
        let code = after.starts_with(sign).then(|| self.code(after.trim_start_matches(sign)))??;
        line.find(sign).map(|column| (column, code))
    }
}

/// A program text with the expectations of its section.
#[derive(Debug, Default)]
pub struct Marked {
    /// The text as the loader receives it.
    pub text: Vec<u8>,
    /// Expected errors.
    pub errors: Errors,
    /// Further places that errors name: position and code.
    pub also: Errors,
    /// Expected warnings, if the section marks any.
    pub warnings: Errors,
    /// Expected number of used resources, by name.
    pub uses: Vec<(String, u32)>,
}

impl Marked {
    fn marks(&mut self, mark: Mark) -> &mut Errors {
        match mark {
            Mark::Error => &mut self.errors,
            Mark::Also => &mut self.also,
            Mark::Warning => &mut self.warnings,
        }
    }
}

/// A language for programs with the header `!!*`: a header with or without options.
#[derive(Debug)]
pub struct Dialect {
    /// The text that replaces `!!*`.
    head: String,
    stage: Stage,
}

impl Dialect {
    /// Parses `VP2.0`, or a header with options, such as `ARBfp1.0+NV_fragment_program`. Texts then begin
    /// with the options.
    pub fn parse(name: &str) -> Result<Self, String> {
        let mut parts = name.split('+');
        let header = format!("!!{}", parts.next().unwrap_or_default());
        let language = Language::ALL.into_iter().find(|l| l.header() == header);
        let language = language.ok_or_else(|| format!("unknown language `{name}`"))?;
        let options: String = parts.map(|option| format!(" OPTION {option};")).collect();
        Ok(Self { head: header + &options, stage: language.stage() })
    }
}

/// The lines of one section, without its heading.
pub struct Body<'a> {
    /// Lines without line ends.
    pub lines: &'a [&'a str],
    /// Number of the first line, from 1.
    pub first_line: usize,
}

/// The texts of a section: one for each item of `@each` and, with the header `!!*`, one for each of the
/// `languages`.
pub fn program_texts(body: &Body<'_>, languages: &[Dialect]) -> Result<Vec<Marked>, String> {
    let mut lines: Vec<String> = body.lines.iter().map(|&line| line.to_owned()).collect();
    let is_shared = lines.first().is_some_and(|line| line == "!!*");
    if is_shared && languages.is_empty() {
        return Err(format!("line {}: `!!*` needs `languages` in the header", body.first_line));
    }
    let mut items = Vec::new();
    if let Some(at) = lines.iter().position(|line| line.starts_with("@each ")) {
        // An empty directive replaces the line, so later lines keep their numbers.
        let line = std::mem::take(&mut lines[at]);
        items = line["@each ".len()..].split(" | ").map(|item| item.trim().to_owned()).collect();
        lines[at].push_str("@bytes ");
    }
    let mut variants = vec![lines.clone()];
    if !items.is_empty() {
        let with = |item: &String| lines.iter().map(|line| line.replace("{each}", item)).collect();
        variants = items.iter().map(with).collect();
    }
    if is_shared {
        let in_language = |language: &Dialect| {
            let write = move |lines: &Vec<String>| written_in(lines, language);
            variants.iter().map(write).collect::<Vec<_>>()
        };
        variants = languages.iter().flat_map(in_language).collect();
    }
    variants.iter().map(|lines| program_text(lines, body.first_line)).collect()
}

/// The text in `lines` in one language. The first line is `!!*`.
fn written_in(lines: &[String], language: &Dialect) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.iter_mut().for_each(|line| *line = line.replace(STAGE, language.stage.name()));
    if language.stage == Stage::VertexState {
        // Padding keeps markers in place.
        let (result, parameter) = SHARED_RESULT;
        let stand_in = format!("{parameter:<0$}", result.len());
        lines.iter_mut().for_each(|line| *line = line.replace(result, &stand_in));
    }
    language.head.clone_into(&mut lines[0]);
    lines
}

/// Expands directives and collects markers. Removes blank lines at the end.
fn program_text(lines: &[String], first_line: usize) -> Result<Marked, String> {
    let used = lines.iter().rposition(|l| !l.trim().is_empty()).map_or(0, |i| i + 1);
    let header = lines.first().map_or("", String::as_str);
    let mut marked = Marked::default();
    let mut at_end = Vec::new();
    let mut previous_start = 0;
    for (index, line) in lines[..used].iter().enumerate() {
        let line = line.as_str();
        let fail = |e: &str| format!("line {}: {e}", first_line + index);
        if let Some(position) = line.strip_prefix("position = ") {
            let (position, code) =
                position.split_once(' ').ok_or_else(|| fail("`position = N error[code]`"))?;
            let (mark, code) = [Mark::Error, Mark::Warning]
                .into_iter()
                .find_map(|mark| Some((mark, mark.code(code)?)))
                .ok_or_else(|| fail("`error[code]` or `warning[code]` expected"))?;
            match position {
                "end" => at_end.push((mark, code)),
                number => {
                    let position =
                        limits::expand(header, number).and_then(|n| n.parse().map_err(|_| String::new()));
                    marked.marks(mark).push((position.map_err(|_| fail("bad position"))?, code));
                }
            }
            continue;
        }
        if let Some(resources) = line.strip_prefix("uses = ") {
            marked.uses = parse_uses(resources).map_err(|e| fail(&e))?;
            continue;
        }
        if let Some((mark, (column, code))) =
            Mark::ALL.into_iter().find_map(|mark| Some((mark, mark.in_line(line)?)))
        {
            let position = previous_start + column;
            let byte = marked.text.get(position);
            if byte.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
                return Err(fail("the marker stands under a blank"));
            }
            let marks = marked.marks(mark);
            if mark == Mark::Error && marks.last().is_some_and(|&(last, _)| last > position) {
                return Err(fail("markers go from left to right"));
            }
            marks.push((position, code));
            push_line(&mut marked.text, line);
            continue;
        }
        previous_start = marked.text.len();
        match line.split_once(' ') {
            Some(("@repeat", rest)) => {
                let (count, line) = rest.split_once(' ').ok_or_else(|| fail("`@repeat COUNT TEXT`"))?;
                let count: usize = limits::expand(header, count)
                    .and_then(|count| count.parse().map_err(|_| "bad count".to_owned()))
                    .map_err(|e| fail(&e))?;
                for i in 0..count {
                    push_line(&mut marked.text, &line.replace("{i}", &i.to_string()));
                }
            }
            Some(("@bytes", rest)) => marked.text.extend(unescape(rest).ok_or_else(|| fail("bad escape"))?),
            _ => push_line(&mut marked.text, &limits::expand(header, line).map_err(|e| fail(&e))?),
        }
    }
    let end = marked.text.len();
    at_end.into_iter().for_each(|(mark, code)| marked.marks(mark).push((end, code)));
    marked.errors.sort();
    marked.warnings.sort();
    Ok(marked)
}

fn push_line(text: &mut Vec<u8>, line: &str) {
    text.extend_from_slice(line.as_bytes());
    text.push(b'\n');
}

/// Parses `alu 2, indirections 1`.
fn parse_uses(text: &str) -> Result<Vec<(String, u32)>, String> {
    let one = |word: &str| {
        let (name, count) = word.trim().rsplit_once(' ').ok_or("`uses = RESOURCE COUNT, ...`")?;
        if !RESOURCES.contains(&name) {
            return Err(format!("`{name}` is no resource"));
        }
        Ok((name.to_owned(), count.parse().map_err(|_| "bad count")?))
    };
    text.split(',').map(one).collect()
}

/// Replaces `\r`, `\n`, `\t`, `\\` and `\xNN`.
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
