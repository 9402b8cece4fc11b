//! Reads `lesson.toml` into a [`Lesson`]. Every error has the place of its key.

use super::{Check, Invocation, LESSON_FILE, Lesson, PAGE_FILE, Task, Usage, Variation, Word};
use crate::format;
use crate::markdown;
use crate::printable;
use crate::scene::{self, Entry, Folder, MAX_SIZE, ParameterKey, SceneError, Slot, Table, TomlFile};
use shadestep_engine::isa::TABLE;

/// The default tolerance of a colour: one step of 8 bits, rounded up.
const COLOR_TOLERANCE: f64 = 0.004;

/// The default tolerance of a register or a buffer element.
const VALUE_TOLERANCE: f64 = 0.0001;

/// The keys that select the subject of a check. Each check has one of them, or `pixel` alone.
const KINDS: [&str; 10] = [
    "picture",
    "register",
    "buffer",
    "parameter",
    "instructions",
    "branches",
    "uses",
    "avoids",
    "error",
    "loads",
];

/// The error for a check without a subject.
const WANTED: &str = "the check does not say what to look at: add \"picture\", \"pixel\", \"register\", \"buffer\", \"parameter\", \"instructions\", \"branches\", \"uses\", \"avoids\", \"error\" or \"loads\"";

impl Lesson {
    /// Reads the lesson in `folder`, which is called `name`.
    ///
    /// # Errors
    /// An error in `lesson.toml`, at its place, or in the solution. An error in the page is in
    /// [`Lesson::page`]. Errors name files by the paths that the user knows.
    pub fn read(name: &str, folder: Folder) -> Result<Self, SceneError> {
        let named = |error: SceneError| SceneError { file: folder.display(&error.file), ..error };
        let bytes = folder.read_up_to(LESSON_FILE, markdown::MAX_BYTES).map_err(named)?;
        let mut lesson = parse(&bytes).map_err(named)?;
        lesson.read_texts(&folder).map_err(named)?;
        lesson.page = lesson.page.map_err(named);
        name.clone_into(&mut lesson.name);
        lesson.folder = folder;
        Ok(lesson)
    }
}

/// Reads `bytes`, the contents of a `lesson.toml`.
fn parse(bytes: &[u8]) -> Result<Lesson, SceneError> {
    let text = scene::utf8(LESSON_FILE, bytes)?;
    let source = TomlFile::new(LESSON_FILE.to_owned(), text);
    let parsed = source.parse(text)?;
    let root = Table::new(&source, parsed.get_ref(), 0..0, "at the top of the file");
    root.only(&["title", "about", "chapter", "time", "hints", "check"])?;
    let line = |key: &str| root.needed(key, &format!("the lesson needs {key} = \"...\""), label);
    let time_secs = root.read("time", Entry::finite)?.unwrap_or(0.0);
    let chapter = root.read("chapter", label)?.unwrap_or_default();
    let hints = root.needed("hints", "the lesson needs hints = [\"...\"], the vaguest first", |entry| {
        entry.strings(1..=20, "1 to 20 texts in brackets")
    })?;
    let tables =
        root.needed("check", "the lesson needs a [[check]]", |entry| entry.tables("in [[check]]"))?;
    let checks = tables.iter().map(check).collect::<Result<Vec<_>, _>>()?;
    let is_error = |check: &Check| matches!(check.task, Task::Error { .. });
    let other = tables.iter().zip(&checks).find(|(_, check)| !is_error(check));
    if let Some((table, _)) = other.filter(|_| checks.iter().any(is_error)) {
        return Err(table.error(
            "remove the other checks: \"error\" must be the only one, since a program with errors cannot run",
        ));
    }
    Ok(Lesson {
        name: String::new(),
        title: line("title")?,
        about: line("about")?,
        chapter,
        time_secs,
        hints: hints.into_iter().map(prose).collect(),
        checks,
        page: Err(SceneError::new(PAGE_FILE, "the page has not been read")),
        solution: Vec::new(),
        folder: Folder::Bundled(""),
    })
}

/// Reads text for a label or a line of a terminal: control characters are escaped.
fn label(entry: &Entry<'_>) -> Result<String, SceneError> {
    one_line(entry).map(|text| printable::line(&text).into_owned())
}

/// Text of several lines. Control characters other than line ends and tabs are escaped.
fn prose(text: &str) -> String {
    printable::text(&text.replace("\r\n", "\n")).into_owned()
}

/// Reads a text of one line that is not empty.
fn one_line(entry: &Entry<'_>) -> Result<String, SceneError> {
    let text = entry.string()?.trim();
    if text.is_empty() || text.contains('\n') {
        return Err(entry.error(format!("\"{}\" must be one line of text", entry.name)));
    }
    Ok(text.to_owned())
}

fn check(table: &Table<'_>) -> Result<Check, SceneError> {
    let says = table.read("says", |entry| Ok(prose(entry.string()?.trim())))?.unwrap_or_default();
    let mut kinds = KINDS.into_iter().filter_map(|kind| table.get(kind));
    let task = match (kinds.next(), table.get("pixel")) {
        (Some(kind), _) => {
            if let Some(other) = kinds.next() {
                let words = format!(
                    "a check looks at one thing: use \"{}\" or \"{}\", not both",
                    kind.name, other.name
                );
                return Err(other.error(words));
            }
            task(table, &kind)?
        }
        (None, Some(at)) => pixel(table, &at)?,
        (None, None) => return Err(table.error(WANTED)),
    };
    Ok(Check { says, task })
}

/// Rejects keys of a check except the keys in `known` and the keys that all checks have.
fn only(table: &Table<'_>, known: &[&str]) -> Result<(), SceneError> {
    table.only(&[known, &["says"]].concat())
}

/// Reads a check of one pixel.
fn pixel(table: &Table<'_>, at: &Entry<'_>) -> Result<Task, SceneError> {
    only(table, &["pixel", "color", "discarded", "tolerance"])?;
    let place = at.wholes(0..=MAX_SIZE - 1)?;
    match (table.get("color"), table.get("discarded")) {
        (Some(_), Some(discarded)) => Err(discarded.error("a discarded pixel has no \"color\"")),
        (Some(color), None) => {
            let color = vector(&color)?;
            Ok(Task::Pixel { at: place, color, tolerance: tolerance(table, COLOR_TOLERANCE)? })
        }
        (None, Some(discarded)) => {
            only(table, &["pixel", "discarded"])?;
            entirely(&discarded)?;
            Ok(Task::Discarded { at: place })
        }
        (None, None) => Err(table.error("the pixel needs color = [red, green, blue] or discarded = true")),
    }
}

fn task(table: &Table<'_>, kind: &Entry<'_>) -> Result<Task, SceneError> {
    match kind.name {
        "picture" => {
            only(table, &["picture", "rect", "alpha", "parameters", "tolerance"])?;
            entirely(kind)?;
            let rect = table.read("rect", rect)?;
            let alpha = table.read("alpha", entirely)?.is_some();
            let parameters = table.read("parameters", variation)?.unwrap_or_default();
            let tolerance = tolerance(table, COLOR_TOLERANCE)?;
            Ok(Task::Picture { alpha, parameters, tolerance, rect })
        }
        "register" => register(table, kind),
        "buffer" => {
            only(table, &["buffer", "first", "value", "tolerance"])?;
            let first = table.read("first", |entry| entry.integer(0..=1 << 24))?.unwrap_or(0);
            let words = "the buffer needs value = [...], its elements from \"first\" on";
            let read = |entry: &Entry<'_>| numbers(entry, 1..=4096, "1 to 4096 numbers in brackets");
            let value = table.needed("value", words, read)?;
            let (name, tolerance) = (kind.string()?.to_owned(), tolerance(table, VALUE_TOLERANCE)?);
            Ok(Task::Buffer { name, first, value, tolerance })
        }
        "parameter" => {
            only(table, &["parameter", "value", "tolerance"])?;
            let words = "the parameter needs value = [...], its first components";
            let value = table.needed("value", words, vector)?;
            let (key, tolerance) = (key(kind.string()?, kind)?, tolerance(table, VALUE_TOLERANCE)?);
            Ok(Task::Parameter { key, value, tolerance })
        }
        "instructions" => instructions(table, kind),
        "branches" => {
            only(table, &["branches", "pixels", "vertices"])?;
            entirely(kind)?;
            Ok(Task::Branches { of: two_invocations(table)? })
        }
        "uses" | "avoids" => {
            only(table, &[kind.name, "program"])?;
            let usage = if kind.name == "uses" { Usage::Uses } else { Usage::Avoids };
            Ok(Task::Text { usage, word: word(kind)?, program: program(table)? })
        }
        "error" => {
            only(table, &["error", "program"])?;
            Ok(Task::Error { code: kind.string()?.to_owned(), program: program(table)? })
        }
        _ => {
            only(table, &["loads"])?;
            entirely(kind)?;
            Ok(Task::Loads)
        }
    }
}

/// Reads a check that counts instructions.
fn instructions(table: &Table<'_>, kind: &Entry<'_>) -> Result<Task, SceneError> {
    only(table, &["instructions", "pixel", "vertex", "program"])?;
    let counts = kind.table("in \"instructions\"")?;
    counts.only(&["most", "least", "named"])?;
    let count = |key: &str| counts.read(key, |entry| Ok(entry.integer(0..=1 << 24)? as usize));
    let (most, least) = (count("most")?, count("least")?);
    if most.is_none() && least.is_none() {
        return Err(kind.error("\"instructions\" needs most = N or least = N"));
    }
    let named = counts.read("named", mnemonic)?;
    let (of, program) = (invocation(table)?, program(table)?);
    if of.is_some()
        && let Some(entry) = table.get("program")
    {
        return Err(
            entry.error("remove \"program\" here: \"pixel\" and \"vertex\" already choose the program")
        );
    }
    Ok(Task::Instructions { most, least, named, of, program })
}

/// Reads values of parameters that replace the scene's.
fn variation(entry: &Entry<'_>) -> Result<Variation, SceneError> {
    let table = entry.table("in \"parameters\"")?;
    let entries = table.entries();
    if entries.is_empty() {
        return Err(entry.error("\"parameters\" needs at least one parameter"));
    }
    let value = |entry: &Entry<'_>| Ok((key(entry.name, entry)?, vector(entry)?));
    entries.iter().map(value).collect()
}

/// Parses the name of a parameter, as `[parameters]` of a scene writes it.
fn key(name: &str, entry: &Entry<'_>) -> Result<ParameterKey, SceneError> {
    let words = || entry.error(format!("\"{name}\" is not a parameter of a scene; write tint or \"c[4]\""));
    ParameterKey::parse(name).ok_or_else(words)
}

/// Refuses `key = false`.
fn entirely(entry: &Entry<'_>) -> Result<(), SceneError> {
    if entry.boolean()? { Ok(()) } else { Err(entry.error(format!("\"{}\" can only be true", entry.name))) }
}

fn register(table: &Table<'_>, kind: &Entry<'_>) -> Result<Task, SceneError> {
    only(table, &["register", "pixel", "vertex", "value", "line", "tolerance"])?;
    let written = kind.string()?.trim();
    // The mask follows the last point, as names of results contain points too.
    let masked = written.rsplit_once('.').and_then(|(name, mask)| Some((name, components(mask)?)));
    let (name, components) = masked.unwrap_or((written, 0b1111));
    let Some(of) = invocation(table)? else {
        return Err(table.error("the register needs pixel = [x, y] or vertex = N"));
    };
    let words = "the register needs value = [...], a number for each component";
    let value = table.needed("value", words, vector)?;
    let count = components.count_ones();
    if value.len() != count as usize {
        let needed = format::counted(count as usize, "number");
        let words = format!("\"value\" needs {needed}, one for each component, but has {}", value.len());
        return Err(table.error_at("value", words));
    }
    let line = table.read("line", one_line)?;
    let (name, tolerance) = (name.to_owned(), tolerance(table, VALUE_TOLERANCE)?);
    Ok(Task::Register { name, components, of, value, line, tolerance })
}

/// Parses a mask, whose letters must be in order. Bit 0 is x.
fn components(mask: &str) -> Option<u8> {
    let mut components = 0;
    for letter in mask.chars() {
        let bit = 1 << "xyzw".find(letter).or_else(|| "rgba".find(letter))?;
        if bit <= components {
            return None;
        }
        components |= bit;
    }
    (components != 0).then_some(components)
}

fn invocation(table: &Table<'_>) -> Result<Option<Invocation>, SceneError> {
    match (table.get("pixel"), table.get("vertex")) {
        (Some(_), Some(vertex)) => Err(vertex.error("a check takes \"pixel\" or \"vertex\", not both")),
        (Some(pixel), None) => Ok(Some(Invocation::Pixel(pixel.wholes(0..=MAX_SIZE - 1)?))),
        (None, Some(vertex)) => Ok(Some(Invocation::Vertex(vertex.integer(0..=u32::MAX)?))),
        (None, None) => Ok(None),
    }
}

/// Reads the two pixels or the two vertices of a check.
fn two_invocations(table: &Table<'_>) -> Result<[Invocation; 2], SceneError> {
    match (table.get("pixels"), table.get("vertices")) {
        (Some(_), Some(vertices)) => {
            Err(vertices.error("a check takes \"pixels\" or \"vertices\", not both"))
        }
        (Some(pixels), None) => {
            const WANTED: &str = "two pixels in brackets, for example [[3, 4], [60, 4]]";
            let mut places = [[0; 2]; 2];
            for (place, pixel) in places.iter_mut().zip(pixels.elements(2..=2, WANTED)?) {
                *place = pixel.wholes(0..=MAX_SIZE - 1)?;
            }
            Ok(places.map(Invocation::Pixel))
        }
        (None, Some(vertices)) => {
            let mut elements = [0; 2];
            for (out, value) in elements.iter_mut().zip(vertices.array(2..=2, "two vertices in brackets")?) {
                *out = vertices.integer_of(value, &(0..=u32::MAX))?;
            }
            Ok(elements.map(Invocation::Vertex))
        }
        (None, None) => Err(table.error("the check needs pixels = [[x, y], [x, y]] or vertices = [M, N]")),
    }
}

fn program(table: &Table<'_>) -> Result<Option<Slot>, SceneError> {
    let Some(entry) = table.get("program") else { return Ok(None) };
    let choices = Slot::SINGLE.map(|slot| (slot, slot.key()));
    let all = [&choices[..], &[(Slot::State(0), "state")]].concat();
    entry.choice(&all).map(Some)
}

fn tolerance(table: &Table<'_>, usual: f64) -> Result<f64, SceneError> {
    let Some(entry) = table.get("tolerance") else { return Ok(usual) };
    let tolerance = entry.finite()?;
    if tolerance < 0.0 {
        return Err(entry.error("\"tolerance\" must not be below 0"));
    }
    Ok(tolerance.into())
}

fn rect(entry: &Entry<'_>) -> Result<[u32; 4], SceneError> {
    let wanted = "4 whole numbers in brackets: left, bottom, width, height";
    let values = entry.array(4..=4, wanted)?;
    let mut rect = [0; 4];
    for (index, (out, value)) in rect.iter_mut().zip(values).enumerate() {
        *out = entry.integer_of(value, &(u32::from(index > 1)..=MAX_SIZE))?;
    }
    Ok(rect)
}

fn numbers(
    entry: &Entry<'_>,
    lengths: std::ops::RangeInclusive<usize>,
    wanted: &str,
) -> Result<Vec<f64>, SceneError> {
    let values = entry.array(lengths, wanted)?;
    values.into_iter().map(|value| entry.double_of(value, wanted)).collect()
}

/// Reads 1 to 4 numbers.
fn vector(entry: &Entry<'_>) -> Result<Vec<f64>, SceneError> {
    numbers(entry, 1..=4, "1 to 4 numbers in brackets")
}

fn word(entry: &Entry<'_>) -> Result<Word, SceneError> {
    const WANTED: &str = "needs one of instruction = \"...\", suffix = \"...\" and register = \"...\"";
    let table = entry.table("in the check")?;
    table.only(&["instruction", "suffix", "register"])?;
    let entries = table.entries();
    let [word] = entries.as_slice() else {
        return Err(entry.error(format!("\"{}\" {WANTED}", entry.name)));
    };
    let text = word.string()?.to_owned();
    match word.name {
        "instruction" => mnemonic(word).map(Word::Instruction),
        "suffix" => Ok(Word::Suffix(text)),
        _ => Ok(Word::Register(text)),
    }
}

/// Reads the name of an instruction without suffixes.
fn mnemonic(entry: &Entry<'_>) -> Result<String, SceneError> {
    let text = entry.string()?;
    if TABLE.iter().any(|info| info.mnemonic == text) {
        Ok(text.to_owned())
    } else {
        Err(entry.error(format!("there is no instruction \"{text}\"")))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// Makes a lesson in memory with the `lesson.toml` `toml`.
    pub fn lesson(toml: &str, files: &[(&str, &str)]) -> Result<Lesson, SceneError> {
        let given = [(LESSON_FILE, toml), (PAGE_FILE, "Words."), ("solution/main.fp", "")];
        let all = given.into_iter().chain(files.iter().copied());
        let files: BTreeMap<String, Vec<u8>> =
            all.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect();
        Lesson::read("01-test", Folder::Memory(Arc::new(files)))
    }

    const HEAD: &str = "title = \"T\"\nabout = \"A\"\nhints = [\"h\"]\n";

    fn read_check(text: &str) -> Result<Task, SceneError> {
        let mut lesson = lesson(&format!("{HEAD}[[check]]\n{text}\n"), &[])?;
        Ok(lesson.checks.remove(0).task)
    }

    #[test]
    fn a_whole_lesson_is_read() {
        let lesson = lesson(
            "title = \"T\"\nabout = \"A\"\nchapter = \"C\"\ntime = 1.5\nhints = [\"a\", \"b\"]\n[[check]]\nsays = \"s\"\nloads = true\n",
            &[],
        )
        .unwrap();
        assert_eq!((&*lesson.title, &*lesson.about, &*lesson.chapter), ("T", "A", "C"));
        assert_eq!((lesson.time_secs, lesson.hints.len(), &*lesson.name), (1.5, 2, "01-test"));
        assert_eq!(lesson.checks, [Check { says: "s".to_owned(), task: Task::Loads }]);
    }

    #[test]
    fn every_kind_of_check_is_read() {
        let picture =
            |alpha, parameters, tolerance, rect| Ok(Task::Picture { alpha, parameters, tolerance, rect });
        assert_eq!(read_check("picture = true"), picture(false, Vec::new(), 0.004, None));
        let part = read_check("picture = true\nrect = [0, 1, 2, 3]\ntolerance = 0.5");
        assert_eq!(part, picture(false, Vec::new(), 0.5, Some([0, 1, 2, 3])));
        let varied =
            read_check("picture = true\nalpha = true\nparameters = { tint = [1, 0.5], \"c[4]\" = [2] }");
        let parameters = vec![
            (ParameterKey::Named("tint".to_owned()), vec![1.0, 0.5]),
            (ParameterKey::Register(4), vec![2.0]),
        ];
        assert_eq!(varied, picture(true, parameters, 0.004, None));
        let pixel = read_check("pixel = [3, 4]\ncolor = [0.25, 1]");
        assert_eq!(pixel, Ok(Task::Pixel { at: [3, 4], color: vec![0.25, 1.0], tolerance: 0.004 }));
        assert_eq!(read_check("pixel = [3, 4]\ndiscarded = true"), Ok(Task::Discarded { at: [3, 4] }));
        let branches = |of| Ok(Task::Branches { of });
        let pixels = [[1, 2], [3, 4]].map(Invocation::Pixel);
        assert_eq!(read_check("branches = true\npixels = [[1, 2], [3, 4]]"), branches(pixels));
        let vertices = [7, 0].map(Invocation::Vertex);
        assert_eq!(read_check("branches = true\nvertices = [7, 0]"), branches(vertices));
        let parameter = read_check("parameter = \"tint\"\nvalue = [0.5, 1]");
        let key = ParameterKey::Named("tint".to_owned());
        assert_eq!(parameter, Ok(Task::Parameter { key, value: vec![0.5, 1.0], tolerance: 0.0001 }));
        let register =
            read_check("register = \"result.color.xz\"\nvertex = 7\nvalue = [1, nan]\nline = \"# here\"");
        let Ok(Task::Register { name, components, of, value, line, .. }) = register else {
            panic!("{register:?}");
        };
        assert_eq!((&*name, components, of), ("result.color", 0b0101, Invocation::Vertex(7)));
        assert!(value[0] == 1.0 && value[1].is_nan() && line.as_deref() == Some("# here"));
        let plain = read_check("register = \"R0\"\npixel = [0, 0]\nvalue = [0, 0, 0, 1]");
        assert!(
            matches!(plain, Ok(Task::Register { name, components, .. }) if name == "R0" && components == 0b1111)
        );
        let count = read_check("instructions = { most = 5 }\npixel = [1, 2]");
        let of = Some(Invocation::Pixel([1, 2]));
        let instructions = |most, least, named: Option<&str>, of| {
            let named = named.map(str::to_owned);
            Ok(Task::Instructions { most, least, named, of, program: None })
        };
        assert_eq!(count, instructions(Some(5), None, None, of));
        let named = read_check("instructions = { named = \"CAL\", least = 2 }");
        assert_eq!(named, instructions(None, Some(2), Some("CAL"), None));
        let uses = read_check("uses = { instruction = \"MAD\" }\nprogram = \"vertex\"");
        let word = Word::Instruction("MAD".to_owned());
        assert_eq!(uses, Ok(Task::Text { usage: Usage::Uses, word, program: Some(Slot::Vertex) }));
        let avoids = read_check("avoids = { suffix = \"SAT\" }");
        let word = Word::Suffix("SAT".to_owned());
        assert_eq!(avoids, Ok(Task::Text { usage: Usage::Avoids, word, program: None }));
        let error = read_check("error = \"fp1-two-attributes\"");
        assert_eq!(error, Ok(Task::Error { code: "fp1-two-attributes".to_owned(), program: None }));
        let buffer = read_check("buffer = \"bins\"\nfirst = 2\nvalue = [7]\ntolerance = 0");
        let name = "bins".to_owned();
        assert_eq!(buffer, Ok(Task::Buffer { name, first: 2, value: vec![7.0], tolerance: 0.0 }));
    }

    /// The message of an error with its line and column.
    #[track_caller]
    fn fault(toml: &str) -> (String, usize, usize) {
        let error = lesson(toml, &[]).unwrap_err();
        assert_eq!(error.file, LESSON_FILE);
        let place = error.place.expect("a place");
        (error.message, place.line, place.column)
    }

    #[test]
    fn faults_are_told_at_their_place() {
        let (words, line, column) = fault("title = \"T\"\nabout = \"A\"\nhints = [\"h\"]\ntimes = 1\n");
        assert_eq!((line, column), (4, 1));
        assert!(
            words.contains("unknown key \"times\"") && words.contains("did you mean \"time\"?"),
            "{words}"
        );
        let of_check = |text: &str| fault(&format!("{HEAD}[[check]]\n{text}\n"));
        for (text, said, line) in [
            ("says = \"x\"", "does not say what to look at", 4),
            ("picture = false", "can only be true", 5),
            ("picture = true\nloads = true", "looks at one thing", 6),
            ("picture = true\nrect = [0, 0, 0, 4]", "whole number from 1 to", 6),
            ("pixel = [1, 2]", "needs color", 4),
            ("register = \"R0\"\nvalue = [1]", "needs pixel", 4),
            (
                "register = \"R0.xy\"\npixel = [0, 0]\nvalue = [1]",
                "needs 2 numbers, one for each component, but has 1",
                7,
            ),
            ("register = \"R0.x\"\npixel = [0, 0]\nvertex = 1\nvalue = [1]", "not both", 7),
            ("pixel = [1, 2]\ncolor = [1]\ndiscarded = true", "has no \"color\"", 7),
            ("pixel = [1, 2]\ndiscarded = false", "can only be true", 6),
            ("picture = true\nparameters = {}", "at least one parameter", 6),
            ("picture = true\nparameters = { \"c[999]\" = [1] }", "not a parameter", 6),
            ("picture = true\nalpha = false", "can only be true", 6),
            ("parameter = \"tint\"", "needs value", 4),
            ("parameter = \"c[\"\nvalue = [1]", "not a parameter", 5),
            ("branches = true", "needs pixels", 4),
            ("branches = true\npixels = [[0, 0], [1, 1]]\nvertices = [0, 1]", "not both", 7),
            ("branches = true\nvertices = [0]", "two vertices", 6),
            ("instructions = { named = \"CAL\" }", "needs most = N", 5),
            ("instructions = { named = \"CALL\", most = 1 }", "no instruction \"CALL\"", 5),
            ("instructions = {}", "needs most = N", 5),
            ("uses = { instruction = \"MADD\" }", "no instruction \"MADD\"", 5),
            ("uses = \"MAD\"", "must be a table", 5),
            ("avoids = {}", "needs one of", 5),
            ("loads = true\ntolerance = 1", "unknown key \"tolerance\"", 6),
            ("uses = { register = \"R0\" }\nprogram = \"pixel\"", "cannot be \"pixel\"", 6),
            ("picture = true\ntolerance = -1", "must not be below 0", 6),
            ("error = \"x\"\n[[check]]\npicture = true", "cannot run", 6),
        ] {
            let (words, found, _) = of_check(text);
            assert!(words.contains(said), "{text}: {words}");
            assert_eq!(found, line, "{text}");
        }
        for (text, said) in [
            ("about = \"A\"\nhints = [\"h\"]\n[[check]]\nloads = true\n", "needs title"),
            ("title = \"T\"\nabout = \"\"\nhints = [\"h\"]\n[[check]]\nloads = true\n", "one line"),
            ("title = \"T\"\nabout = \"A\"\n[[check]]\nloads = true\n", "needs hints"),
            ("title = \"T\"\nabout = \"A\"\nhints = []\n[[check]]\nloads = true\n", "1 to 20"),
            (HEAD, "needs a [[check]]"),
            ("title = \n", "invalid TOML"),
        ] {
            let (words, ..) = fault(text);
            assert!(words.contains(said), "{text}: {words}");
        }
    }

    #[test]
    fn a_lesson_without_a_page_is_none() {
        let toml = format!("{HEAD}[[check]]\nloads = true\n");
        assert!(page_error(&toml, " \n").message.contains("page is empty"));
    }

    /// The error of the page `text`. The rest of the lesson must be readable.
    fn page_error(toml: &str, text: &str) -> SceneError {
        let lesson = lesson(toml, &[(PAGE_FILE, text)]).unwrap();
        assert_eq!(lesson.title, "T");
        lesson.page.unwrap_err()
    }

    #[test]
    fn texts_of_a_lesson_have_a_largest_size() {
        let toml = format!("{HEAD}[[check]]\nloads = true\n");
        let most = usize::try_from(markdown::MAX_BYTES).unwrap();
        assert!(lesson(&toml, &[(PAGE_FILE, &"a".repeat(most))]).unwrap().page.is_ok());
        let long = "a".repeat(most + 1);
        let words = "the file is larger than 256 KiB";
        assert_eq!(page_error(&toml, &long).to_string(), format!("{PAGE_FILE}: {words}"));
        for (name, text) in [("solution/main.fp", long.clone()), (LESSON_FILE, format!("{toml}# {long}"))] {
            let error = lesson(&toml, &[(name, &text)]).unwrap_err();
            assert_eq!(error.to_string(), format!("{name}: {words}"));
        }
        let error = page_error(&toml, &format!("Words.\n\n{}x\n", "> ".repeat(40)));
        assert_eq!((&*error.file, error.place.map(|place| place.line)), (PAGE_FILE, Some(3)));
    }

    #[test]
    fn control_characters_of_texts_are_escaped() {
        let lesson = lesson(
            "title = \"T\\u001b[2J\"\nabout = \"A\\rB\"\nchapter = \"C\\u2028D\"\nhints = [\"h\\u0007\\ni\"]\n\
             [[check]]\nuses = { register = \"R\\n0\" }\nsays = \"s\\u009b\"\n\
             [[check]]\navoids = { suffix = \"S\\u001b\" }\n\
             [[check]]\nbuffer = \"b\\n\"\nvalue = [1]\n\
             [[check]]\nregister = \"R\\n1\"\npixel = [0, 0]\nvalue = [0, 0, 0, 0]\nline = \"a\\tb\\u0007\"\n",
            &[],
        )
        .unwrap();
        assert_eq!((&*lesson.title, &*lesson.about), ("T\\u001b[2J", "A\\u000dB"));
        assert_eq!((&*lesson.chapter, &*lesson.hints[0]), ("C\\u2028D", "h\\u0007\ni"));
        assert_eq!(lesson.checks[0].says, "s\\u009b");
        let tasks: Vec<String> = lesson.checks.iter().map(|check| check.task.to_string()).collect();
        assert_eq!(
            tasks,
            [
                "The program uses the register `R\\u000a0`",
                "The program avoids the suffix `S\\u001b`",
                "Buffer `b\\u000a` holds 1",
                "`R\\u000a1` is (0, 0, 0, 0) at pixel (0, 0), at the line `a\\u0009b\\u0007`",
            ]
        );
    }
}
