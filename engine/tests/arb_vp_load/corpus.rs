//! The type of a test case (text, languages, verdict), and the check of the front end against a case. The
//! other modules hold the cases.

use std::fmt::Write;

use shadestep_engine::diag::Severity;
use shadestep_engine::front::load;
use shadestep_language::ir;

/// Limits of `!!ARBvp1.0` as the engine reports them. Queries name a target, not a program (6.1.12), so one
/// number holds with and without options. Each limit is at least the minimum in Tables X.11 of the texts.
pub mod limits {
    pub const INSTRUCTIONS: usize = 256;
    /// Instructions that a position-invariant program loses from the limit (2.14.4.5.1).
    pub const INVARIANT: usize = 4;
    pub const TEMPORARIES: usize = 16;
    pub const PARAMETERS: usize = 256;
    pub const ATTRIBUTES: usize = 16;
    pub const ADDRESSES: usize = 2;
    pub const ENV: usize = 256;
    pub const LOCAL: usize = 256;
    pub const VERTEX_ATTRIBS: usize = 16;
    /// Texture units (2.14.2), or texture coordinate sets (NV_vertex_program2_option).
    pub const TEXTURES: usize = 8;
    pub const LIGHTS: usize = 8;
    pub const CLIP_PLANES: usize = 8;
    pub const PROGRAM_MATRICES: usize = 8;
    pub const IMAGE_UNITS: usize = 16;
    /// Image units that one vertex program may use (NV_vertex_program3 2.14.3.7).
    pub const VERTEX_IMAGE_UNITS: usize = 4;
}

/// Placeholders in the texts of cases: `<NAME>` becomes the number, `<NAME-1>` the number less one.
const NAMED: &[(&str, usize)] = &[
    ("PARAMETERS", limits::PARAMETERS),
    ("ENV", limits::ENV),
    ("LOCAL", limits::LOCAL),
    ("ATTRIBS", limits::VERTEX_ATTRIBS),
    ("TEXTURES", limits::TEXTURES),
    ("LIGHTS", limits::LIGHTS),
    ("CLIP", limits::CLIP_PLANES),
    ("MATRICES", limits::PROGRAM_MATRICES),
    ("IMAGES", limits::IMAGE_UNITS),
];

/// The languages of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum In {
    /// Without option, and with either NV option.
    All,
    /// Without option.
    Base,
    /// With NV_vertex_program2 alone.
    Nv2,
    /// With NV_vertex_program3.
    Nv3,
    /// Without NV_vertex_program3.
    BeforeNv3,
    /// With either NV option.
    Nv,
}

impl In {
    /// Returns the option lines, one for each language.
    pub const fn preludes(self) -> &'static [&'static str] {
        const ALL: &[&str] = &["", "OPTION NV_vertex_program2;", "OPTION NV_vertex_program3;"];
        match self {
            Self::All => ALL,
            Self::Base => ALL.split_at(1).0,
            Self::BeforeNv3 => ALL.split_at(2).0,
            Self::Nv => ALL.split_at(1).1,
            Self::Nv2 => ALL.split_at(1).1.split_at(1).0,
            Self::Nv3 => ALL.split_at(2).1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Loads,
    /// One error with this code at `@`, which is not a character of the language. A text without `@` has its
    /// error at the program's length, because the error is known only at the end (ruling 13).
    Fails(&'static str),
}

/// One text: a whole program if it has a header, else the body of a program.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub languages: In,
    pub verdict: Verdict,
    /// The reason for the verdict, in a line.
    pub reason: &'static str,
    pub text: &'static str,
}

pub const fn ok(languages: In, reason: &'static str, text: &'static str) -> Case {
    Case { languages, verdict: Verdict::Loads, reason, text }
}

pub const fn bad(languages: In, code: &'static str, reason: &'static str, text: &'static str) -> Case {
    Case { languages, verdict: Verdict::Fails(code), reason, text }
}

#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub clause: &'static str,
    pub cases: &'static [Case],
}

impl Case {
    /// Returns the programs, one for each language, with `@` left in.
    pub fn programs(&self) -> Vec<String> {
        let text = numbered(self.text);
        if text.contains("!!") {
            return vec![text];
        }
        self.languages.preludes().iter().map(|prelude| around(prelude, &text)).collect()
    }
}

/// Returns a program with `options`, the registers R0 to R3 and A0, and `body`.
pub fn around(options: &str, body: &str) -> String {
    format!("!!ARBvp1.0\n{options}\nTEMP R0, R1, R2, R3;\nADDRESS A0;\n{body}\nEND\n")
}

/// Replaces the placeholders in `text` with the limits.
pub fn numbered(text: &str) -> String {
    let mut result = text.to_owned();
    for (name, limit) in NAMED {
        result = result.replace(&format!("<{name}>"), &limit.to_string());
        result = result.replace(&format!("<{name}-1>"), &(limit - 1).to_string());
    }
    result
}

/// Loads `marked` and describes the difference from `verdict`, if there is one.
pub fn fault(marked: &str, verdict: Verdict) -> Option<String> {
    let text = marked.replacen('@', "", 1);
    let loaded = load(text.as_bytes());
    let errors = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let found: Vec<_> = errors.clone().map(|d| (d.code.name(), d.position)).collect();
    match verdict {
        Verdict::Loads => match &loaded.program {
            Some(program) => ir::verify(program).err().map(|e| format!("{e:?}")),
            None => Some(format!("refused: {found:?}")),
        },
        Verdict::Fails(code) => {
            let expected = (code, marked.find('@').unwrap_or(text.len()));
            let cites = |spec: &str| spec.starts_with("ARB_") || spec.starts_with("NV_");
            if found != [expected] {
                return Some(format!("expected {expected:?}, found {found:?}"));
            }
            errors
                .clone()
                .find(|d| d.message.is_empty() || !cites(d.clause()))
                .map(|d| format!("poor: {d:?}"))
        }
    }
}

/// Loads every case of `groups`. Fails with a list of all differences.
#[track_caller]
pub fn check(groups: &[Group]) {
    let mut faults = String::new();
    for group in groups {
        for case in group.cases {
            for marked in case.programs() {
                if let Some(fault) = fault(&marked, case.verdict) {
                    let _ = writeln!(faults, "{}: {}: {fault}\n{marked}", group.clause, case.reason);
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Checks that one program loads.
#[track_caller]
pub fn loads(text: &str) {
    assert_eq!(fault(text, Verdict::Loads), None, "{text}");
}

/// Checks that one program is refused with `code` at its mark.
#[track_caller]
pub fn fails(code: &'static str, marked: &str) {
    assert_eq!(fault(marked, Verdict::Fails(code)), None, "{marked}");
}
