//! Helpers for the command-line tests: running the binary, temporary folders, and a strict JSON reader.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test's own helpers should stop the test")]

pub mod tokens;
pub mod tree;

use shadestep_engine::processor::VARIABLE;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A temporary folder. Dropping the value deletes the folder.
pub struct TempFolder(pub PathBuf);

impl TempFolder {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("shadestep-cli-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The exit code and the output of a run of the binary.
pub struct Finished {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Finished {
    pub fn lines(&self) -> Vec<&str> {
        self.out.lines().collect()
    }
}

pub fn shadestep(arguments: &[&str]) -> Finished {
    shadestep_on(None, arguments)
}

/// Runs `shadestep` with `input` on standard input. Returns the exit code, the bytes of standard output, and
/// standard error.
pub fn shadestep_bytes(arguments: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    use std::io::Write as _;
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadestep"));
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.args(arguments).spawn().unwrap();
    // A command that reads nothing closes the pipe.
    let _closed = child.stdin.take().unwrap().write_all(input);
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code().unwrap(), stdout, String::from_utf8(stderr).unwrap())
}

/// Runs `shadestep` with the instructions of the processor `cpu`. `None` selects the instructions of this
/// machine.
pub fn shadestep_on(cpu: Option<&str>, arguments: &[&str]) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadestep"));
    command.envs(cpu.map(|cpu| (VARIABLE, cpu)));
    // Hides any display, because no test may open a window.
    command.args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
    let run = Finished {
        code: status.code().unwrap(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    };
    assert!(!run.err.contains("panicked"), "{}", run.err);
    run
}

/// A JSON value. Numbers keep their text.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Reads a whole text. Panics unless the text is JSON (RFC 8259).
    pub fn parse(text: &str) -> Self {
        let mut reader = Reader { rest: text.trim_end() };
        let value = reader.value();
        assert_eq!(reader.rest, "", "text after the value");
        value
    }

    pub fn get(&self, key: &str) -> &Self {
        match self {
            Self::Object(fields) => fields.get(key).unwrap_or_else(|| panic!("no {key} in {fields:?}")),
            other => panic!("{other:?} is no object"),
        }
    }

    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            other => panic!("{other:?} is no array"),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            other => panic!("{other:?} is no text"),
        }
    }

    pub fn keys(&self) -> Vec<&str> {
        match self {
            Self::Object(fields) => fields.keys().map(String::as_str).collect(),
            other => panic!("{other:?} is no object"),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let taken = self.rest.strip_prefix(token);
        self.rest = taken.unwrap_or(self.rest);
        taken.is_some()
    }

    fn value(&mut self) -> Json {
        if self.take("null") {
            Json::Null
        } else if self.take("true") {
            Json::Bool(true)
        } else if self.take("false") {
            Json::Bool(false)
        } else if self.take("[") {
            self.array()
        } else if self.take("{") {
            self.object()
        } else if self.take("\"") {
            Json::Text(self.string())
        } else {
            self.number()
        }
    }

    fn array(&mut self) -> Json {
        let mut items = Vec::new();
        if self.take("]") {
            return Json::Array(items);
        }
        loop {
            items.push(self.value());
            if self.take("]") {
                return Json::Array(items);
            }
            assert!(self.take(","), "comma expected at {:.40}", self.rest);
        }
    }

    fn object(&mut self) -> Json {
        let mut fields = BTreeMap::new();
        if self.take("}") {
            return Json::Object(fields);
        }
        loop {
            assert!(self.take("\""), "key expected at {:.40}", self.rest);
            let key = self.string();
            assert!(self.take(":"), "colon expected at {:.40}", self.rest);
            assert!(fields.insert(key, self.value()).is_none(), "key twice");
            if self.take("}") {
                return Json::Object(fields);
            }
            assert!(self.take(","), "comma expected at {:.40}", self.rest);
        }
    }

    fn string(&mut self) -> String {
        let mut text = String::new();
        loop {
            let c = self.rest.chars().next().expect("text without an end");
            self.rest = &self.rest[c.len_utf8()..];
            match c {
                '"' => return text,
                '\\' => text.push(self.escape()),
                c => {
                    assert!(c >= ' ', "control character in a text");
                    text.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> char {
        for (name, c) in [("\"", '"'), ("\\", '\\'), ("n", '\n'), ("t", '\t')] {
            if self.take(name) {
                return c;
            }
        }
        assert!(self.take("u"), "escape at {:.40}", self.rest);
        let (digits, rest) = self.rest.split_at(4);
        self.rest = rest;
        char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap()
    }

    fn number(&mut self) -> Json {
        let end = self.rest.find([',', ']', '}']).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        let digits = number.strip_prefix('-').unwrap_or(number);
        let whole = digits.split(['.', 'e']).next().unwrap();
        let plain = whole == "0" || (!whole.starts_with('0') && !whole.is_empty());
        assert!(plain && whole.bytes().all(|b| b.is_ascii_digit()), "no JSON number: {number}");
        assert!(number.parse::<f64>().is_ok() && !number.ends_with('.'), "no JSON number: {number}");
        self.rest = rest;
        Json::Number(number.to_owned())
    }
}
