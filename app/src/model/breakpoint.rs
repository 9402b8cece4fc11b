//! [`Breakpoint`]: where and when a run stops, as a person has asked for it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The breakpoints of a text by their lines, from 0.
pub type Breakpoints = BTreeMap<usize, Breakpoint>;

/// Which of the times that a breakpoint's condition holds stop a run. They are counted from the start of the run, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Times {
    /// All.
    #[default]
    Every,
    /// The nth alone.
    Nth(u32),
    /// The nth, the 2nth, and so on.
    EveryNth(u32),
}

impl Times {
    /// Whether time number `time`, from 1, stops the run.
    pub fn stops_at(self, time: usize) -> bool {
        match self {
            Self::Every => true,
            Self::Nth(n) => time == n as usize,
            Self::EveryNth(n) => n > 0 && time.is_multiple_of(n as usize),
        }
    }

    /// In words; nothing where every time counts.
    pub fn words(self) -> String {
        match self {
            Self::Every | Self::EveryNth(1) => String::new(),
            Self::Nth(n) => format!("the {} hit", ordinal(n)),
            Self::EveryNth(n) => format!("every {} hit", ordinal(n)),
        }
    }
}

/// `1st`, `2nd`, `13th`.
fn ordinal(n: u32) -> String {
    let end = match (n % 10, n % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

/// A breakpoint, without its line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakpoint {
    /// An expression over the registers before the line's instruction, which has to hold; empty where the line alone
    /// counts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub condition: String,
    /// Which of the times that it holds stop a run.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub times: Times,
    /// Whether it stops runs at all.
    #[serde(default = "enabled", skip_serializing_if = "is_enabled")]
    pub enabled: bool,
}

impl Default for Breakpoint {
    fn default() -> Self {
        Self { condition: String::new(), times: Times::Every, enabled: true }
    }
}

impl Breakpoint {
    /// Whether it stops at other times than whenever its line comes.
    pub fn is_conditional(&self) -> bool {
        !self.condition.trim().is_empty() || !self.times.words().is_empty()
    }
}

fn is_usual(times: &Times) -> bool {
    *times == Times::Every
}

const fn enabled() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
const fn is_enabled(enabled: &bool) -> bool {
    *enabled
}

/// A breakpoint in a draft: its line alone, as earlier versions kept it, where there is nothing else to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DraftBreakpoint {
    /// One that stops whenever its line comes.
    Line(usize),
    /// Any other.
    Whole {
        /// Its line, from 0.
        line: usize,
        /// What there is to say of it.
        #[serde(flatten)]
        breakpoint: Breakpoint,
    },
}

impl DraftBreakpoint {
    /// The breakpoint on `line`.
    pub fn new(line: usize, breakpoint: &Breakpoint) -> Self {
        if *breakpoint == Breakpoint::default() {
            Self::Line(line)
        } else {
            Self::Whole { line, breakpoint: breakpoint.clone() }
        }
    }

    /// Its line, and what it is.
    pub fn get(&self) -> (usize, Breakpoint) {
        match self {
            Self::Line(line) => (*line, Breakpoint::default()),
            Self::Whole { line, breakpoint } => (*line, breakpoint.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_choose_among_the_times() {
        let stops = |times: Times| (1..=7).filter(|&time| times.stops_at(time)).collect::<Vec<_>>();
        assert_eq!(stops(Times::Every), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(stops(Times::Nth(3)), [3]);
        assert_eq!(stops(Times::EveryNth(3)), [3, 6]);
        assert!(stops(Times::EveryNth(0)).is_empty() && stops(Times::Nth(0)).is_empty());
        assert_eq!(Times::Nth(11).words(), "the 11th hit");
        assert_eq!(Times::EveryNth(22).words(), "every 22nd hit");
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Kept {
        breakpoints: Vec<DraftBreakpoint>,
    }

    #[test]
    fn drafts_of_earlier_versions_have_lines_alone() {
        let kept: Kept = toml::from_str("breakpoints = [3, 5]").unwrap();
        let read: Vec<_> = kept.breakpoints.iter().map(DraftBreakpoint::get).collect();
        assert_eq!(read, [(3, Breakpoint::default()), (5, Breakpoint::default())]);
        let whole =
            Breakpoint { condition: "R0.x > 1".to_owned(), times: Times::EveryNth(10), enabled: false };
        let kept = Kept {
            breakpoints: vec![
                DraftBreakpoint::new(2, &Breakpoint::default()),
                DraftBreakpoint::new(7, &whole),
            ],
        };
        let text = toml::to_string_pretty(&kept).unwrap();
        let back: Kept = toml::from_str(&text).unwrap();
        assert_eq!(back, kept, "{text}");
        assert_eq!(back.breakpoints[1].get(), (7, whole));
    }
}
