//! Finds the difference between two answers to one question. `README.md` gives the reason for each tolerance.

use std::fmt;

use shadestep_engine::front;
use shadestep_engine::ir::Program;
use shadestep_engine::isa::{Group, Opcode};
use shadestep_language::num::fp32;

use super::defined;
use super::question::{Answer, Question, Value};
use super::random_programs::is_exact;
use super::references::Reads;

/// One difference between a driver's answer ("theirs") and Shadestep's ("ours").
#[derive(Clone, Debug)]
pub struct Difference {
    pub kind: Kind,
    /// The question's name.
    pub name: String,
    /// Both answers, for a message.
    pub what: String,
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The driver loads a program that Shadestep refuses.
    Accepts,
    /// The driver refuses a program that Shadestep loads.
    Refuses,
    /// Both refuse the program, at different positions.
    Position,
    /// The values differ.
    Value,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Accepts, Self::Refuses, Self::Position, Self::Value];

    /// The name in the list of differences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepts => "accepts",
            Self::Refuses => "refuses",
            Self::Position => "position",
            Self::Value => "value",
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} | {}", self.kind.name(), self.name, self.what)
    }
}

/// How a driver counts PROGRAM_ERROR_POSITION.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Positions {
    /// As the text defines it: bytes from the start of the text to the first byte at fault.
    #[default]
    Bytes,
    /// Bytes to the end of the token at fault, without the header; each line end counts twice.
    EndsBehindHeader,
}

/// Bytes of `!!ARBfp1.0`, less one: these positions start at 1.
const HEADER: usize = 9;

impl Positions {
    /// The rule as the list of differences names it.
    pub fn parse(name: &str) -> Option<Self> {
        (name == "ends-behind-header").then_some(Self::EndsBehindHeader)
    }

    /// Whether `theirs` and `ours` are the same place; `ours` is in bytes. Where the driver counts to the
    /// ends of tokens, any place from the start of our token to the end of the next token agrees. The driver
    /// may split tokens otherwise: `.x` is one token or two.
    fn agree(self, text: &[u8], theirs: i64, ours: i64) -> bool {
        if self == Self::Bytes || theirs == ours {
            return theirs == ours;
        }
        let start = usize::try_from(ours).unwrap_or(0).min(text.len());
        let end = token_end(text, token_end(text, start));
        let counted =
            |at: usize| (at + text[..at].iter().filter(|b| **b == b'\n').count()) as i64 - HEADER as i64;
        (start..=end).any(|at| counted(at) == theirs)
    }
}

/// The end of the first token at or after `at`, with blanks skipped.
fn token_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let token = &rest[blanks..];
    let is_number = token.first().is_some_and(u8::is_ascii_digit);
    let within = |n: &usize| match token[*n] {
        b'.' => is_number && token.get(n + 1).is_some_and(u8::is_ascii_digit),
        byte => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'),
    };
    let length = (0..token.len()).take_while(within).count();
    (at + blanks + length.max(1)).min(text.len())
}

/// How near two values have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// The same bits.
    Exact,
    /// The same number. Zeros may differ in sign: llvmpipe loses the sign in programs of its own languages.
    Equal,
    /// Sums of three or four products in any order, each fused or not.
    Sums,
    /// "About 1 part in 10^5" (glspec15 2.1.1).
    Approximate,
    /// Weights of 8 bits along both axes, between texels from 0 to 1.
    Texture,
}

impl Nearness {
    /// The nearness that the instructions of `program` allow.
    pub fn of(program: &Program) -> Self {
        let of = |op: Opcode| match op {
            _ if is_exact(op) => Self::Equal,
            Opcode::Dp2
            | Opcode::Dp2a
            | Opcode::Dp3
            | Opcode::Dp4
            | Opcode::Dph
            | Opcode::Lrp
            | Opcode::Xpd => Self::Sums,
            _ if op.info().group == Group::Texture => Self::Texture,
            _ => Self::Approximate,
        };
        let fog = if program.options.fog.is_some() { Self::Approximate } else { Self::Equal };
        program.instructions.iter().map(|i| of(i.op)).max().unwrap_or(Self::Equal).max(fog)
    }

    /// The allowed difference as a fraction of the greater magnitude, or of 1 if both are smaller.
    const fn part(self) -> f64 {
        match self {
            Self::Exact | Self::Equal => 0.0,
            // Four roundings on each side.
            Self::Sums => 8.0 / (1 << 24) as f64,
            Self::Approximate => 1e-5,
            Self::Texture => 4.0 / 255.0,
        }
    }

    /// Whether two numbers are as near as `self` requires. A NaN is near only to another NaN.
    fn are_near(self, theirs: f64, ours: f64) -> bool {
        if theirs.to_bits() == ours.to_bits() || theirs.is_nan() && ours.is_nan() {
            return true;
        }
        // The sign of a zero sum depends on the order.
        if self != Self::Exact && theirs == ours {
            return true;
        }
        self != Self::Exact && (theirs - ours).abs() <= self.part() * theirs.abs().max(ours.abs()).max(1.0)
    }
}

impl Reads {
    /// The first of `components` in which two vectors differ.
    fn differ(self, theirs: [u32; 4], ours: [u32; 4], components: u8) -> Option<usize> {
        let double = |bits: [u32; 4], c: usize| {
            f64::from_bits(u64::from(bits[c & 2]) | u64::from(bits[c & 2 | 1]) << 32)
        };
        (0..4).filter(|c| components >> c & 1 != 0).find(|&c| match self {
            Self::Bits => theirs[c] != ours[c],
            Self::Floats(nearness) => {
                let [a, b] = [theirs, ours].map(|bits| fp32::flush(f32::from_bits(bits[c])));
                !nearness.are_near(a.into(), b.into())
            }
            Self::Doubles(nearness) => !nearness.are_near(double(theirs, c), double(ours, c)),
        })
    }
}

/// Returns the first difference between two answers, if there is one.
pub fn difference(
    question: &Question,
    theirs: &Answer,
    ours: &Answer,
    positions: Positions,
) -> Option<Difference> {
    let (kind, what) = match (theirs, ours) {
        (Answer::Refused(theirs), Answer::Refused(ours))
            if positions.agree(&question.text, *theirs, *ours) =>
        {
            return None;
        }
        (Answer::Refused(theirs), Answer::Refused(ours)) => {
            (Kind::Position, format!("theirs {theirs}, ours {ours}"))
        }
        (Answer::Refused(position), Answer::Loaded(_)) => (Kind::Refuses, format!("at {position}")),
        (Answer::Loaded(_), Answer::Refused(position)) => {
            (Kind::Accepts, format!("ours refuses at {position}"))
        }
        (Answer::Loaded(theirs), Answer::Loaded(ours)) => {
            let program = front::load(&question.text).program?;
            let reads = match &question.reference {
                Some(reference) => reference.reads,
                None => Reads::Floats(Nearness::of(&program)),
            };
            if !question.triangles.is_empty() {
                let what = picture(theirs, ours, reads)?;
                return Some(Difference { kind: Kind::Value, name: question.name.clone(), what });
            }
            let components =
                if question.reference.is_some() { 0xF } else { defined::components(question, &program) };
            (Kind::Value, first(theirs, ours, reads, components)?)
        }
    };
    Some(Difference { kind, name: question.name.clone(), what })
}

/// Describes two pictures if more than 1 pixel in 25 differs.
fn picture(theirs: &[Value], ours: &[Value], reads: Reads) -> Option<String> {
    let bound = match reads {
        Reads::Bits | Reads::Doubles(_) => 0.0,
        Reads::Floats(Nearness::Texture) => 1.0 / 16.0,
        Reads::Floats(_) => 1.0 / 64.0,
    };
    let are_near = |theirs: u32, ours: u32| {
        theirs == ours || (f32::from_bits(theirs) - f32::from_bits(ours)).abs() <= bound
    };
    let differs = |(theirs, ours): &(&Value, &Value)| match (theirs, ours) {
        (Value::Killed, Value::Killed) => false,
        (Value::Color(theirs), Value::Color(ours)) => !theirs.iter().zip(ours).all(|(a, b)| are_near(*a, *b)),
        _ => true,
    };
    let count = theirs.iter().zip(ours).filter(differs).count();
    let first = theirs.iter().zip(ours).position(|pair| differs(&pair));
    (theirs.len() != ours.len() || count * 25 > ours.len()).then(|| {
        let first = first.unwrap_or(0);
        format!("{count} pixels, the first {first}: {}", pair(theirs.get(first), ours.get(first)))
    })
}

/// Describes a pixel of both pictures.
fn pair(theirs: Option<&Value>, ours: Option<&Value>) -> String {
    let show = |value: Option<&Value>| match value {
        Some(Value::Color(bits)) => format!("{:?}", bits.map(f32::from_bits)),
        Some(Value::Killed) => "killed".to_owned(),
        None => "nothing".to_owned(),
    };
    format!("theirs {}, ours {}", show(theirs), show(ours))
}

/// Describes the first value that differs.
fn first(theirs: &[Value], ours: &[Value], reads: Reads, components: u8) -> Option<String> {
    theirs.iter().zip(ours).enumerate().find_map(|(run, pair)| {
        let (theirs, ours) = match pair {
            (Value::Killed, Value::Killed) => return None,
            (Value::Killed, Value::Color(_)) => return Some(format!("run {run}: theirs is killed")),
            (Value::Color(_), Value::Killed) => return Some(format!("run {run}: ours is killed")),
            (Value::Color(theirs), Value::Color(ours)) => (theirs, ours),
        };
        let c = reads.differ(*theirs, *ours, components)?;
        let letter = ["x", "y", "z", "w"][c];
        let show = |bits: u32| format!("{bits:08x} ({:e})", f32::from_bits(bits));
        Some(match reads {
            Reads::Floats(nearness) => {
                format!(
                    "run {run} {letter}: theirs {}, ours {}, {nearness:?}",
                    show(theirs[c]),
                    show(ours[c])
                )
            }
            Reads::Bits | Reads::Doubles(_) => {
                format!("run {run} {letter}: theirs {theirs:08x?}, ours {ours:08x?}, {reads:?}")
            }
        })
    })
}
