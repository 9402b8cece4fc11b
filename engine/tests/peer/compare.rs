//! Where two answers to one question differ. `README.md` says why each tolerance is what it is.

use std::fmt;

use shadestep_engine::front;
use shadestep_engine::ir::Program;
use shadestep_engine::isa::{Group, Opcode};
use shadestep_engine::num::fp32;

use crate::defined;
use crate::made::is_exact;
use crate::question::{Answer, Question, Value};

/// One difference.
#[derive(Clone, Debug)]
pub struct Difference {
    pub kind: Kind,
    /// The question's.
    pub name: String,
    /// Both sides, in words.
    pub what: String,
}

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They load what we refuse.
    Accepts,
    /// They refuse what we load.
    Refuses,
    /// Both refuse, at different places.
    Position,
    /// Another value.
    Value,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Accepts, Self::Refuses, Self::Position, Self::Value];

    /// As the list of differences has it.
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

/// How near values have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// The same bits.
    Exact,
    /// Sums of three or four products, in whatever order, each fused or not.
    Sums,
    /// "About 1 part in 10^5" (glspec15 2.1.1).
    Approximate,
    /// One level of an 8 bit texture.
    Texture,
}

impl Nearness {
    /// What the instructions of `program` allow.
    pub fn of(program: &Program) -> Self {
        let of = |op: Opcode| match op {
            _ if is_exact(op) => Self::Exact,
            Opcode::Dp2 | Opcode::Dp2a | Opcode::Dp3 | Opcode::Dp4 | Opcode::Dph | Opcode::Lrp | Opcode::Xpd => {
                Self::Sums
            }
            _ if op.info().group == Group::Texture => Self::Texture,
            _ => Self::Approximate,
        };
        program.instructions.iter().map(|i| of(i.op)).max().unwrap_or(Self::Exact)
    }

    /// The part of the greatest of the numbers in play, at least 1, that a difference may be.
    const fn part(self) -> f64 {
        match self {
            Self::Exact => 0.0,
            // Four roundings of each side.
            Self::Sums => 8.0 / (1 << 24) as f64,
            Self::Approximate => 1e-5,
            Self::Texture => 1.0 / 255.0,
        }
    }

    fn are_near(self, theirs: u32, ours: u32) -> bool {
        let [a, b] = [theirs, ours].map(|bits| fp32::flush(f32::from_bits(bits)));
        if a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan() {
            return true;
        }
        // The sign of a zero that a sum gives follows from the order.
        if self != Self::Exact && a == b {
            return true;
        }
        let (a, b) = (f64::from(a), f64::from(b));
        (a - b).abs() <= self.part() * a.abs().max(b.abs()).max(1.0)
    }
}

/// The difference, if there is one: the first.
pub fn difference(question: &Question, theirs: &Answer, ours: &Answer) -> Option<Difference> {
    let (kind, what) = match (theirs, ours) {
        (Answer::Refused(theirs), Answer::Refused(ours)) if theirs == ours => return None,
        (Answer::Refused(theirs), Answer::Refused(ours)) => {
            (Kind::Position, format!("theirs {theirs}, ours {ours}"))
        }
        (Answer::Refused(position), Answer::Loaded(_)) => (Kind::Refuses, format!("at {position}")),
        (Answer::Loaded(_), Answer::Refused(position)) => (Kind::Accepts, format!("ours refuses at {position}")),
        (Answer::Loaded(theirs), Answer::Loaded(ours)) => {
            let program = front::load(&question.text).program?;
            let nearness = Nearness::of(&program);
            let components = defined::components(question, &program);
            (Kind::Value, first(theirs, ours, nearness, components)?)
        }
    };
    Some(Difference { kind, name: question.name.clone(), what })
}

/// The first value that differs, in words.
fn first(theirs: &[Value], ours: &[Value], nearness: Nearness, components: u8) -> Option<String> {
    theirs.iter().zip(ours).enumerate().find_map(|(run, pair)| {
        let (theirs, ours) = match pair {
            (Value::Killed, Value::Killed) => return None,
            (Value::Killed, Value::Color(_)) => return Some(format!("run {run}: theirs is killed")),
            (Value::Color(_), Value::Killed) => return Some(format!("run {run}: ours is killed")),
            (Value::Color(theirs), Value::Color(ours)) => (theirs, ours),
        };
        let c = (0..4).find(|&c| components >> c & 1 != 0 && !nearness.are_near(theirs[c], ours[c]))?;
        let show = |bits: u32| format!("{bits:08x} ({:e})", f32::from_bits(bits));
        let letter = ["x", "y", "z", "w"][c];
        Some(format!("run {run} {letter}: theirs {}, ours {}, {nearness:?}", show(theirs[c]), show(ours[c])))
    })
}
