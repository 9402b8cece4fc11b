//! [`Breakpoint`]: a line, an optional condition and an optional hit count that stop a run.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The breakpoints of a text by line, from 0.
pub type Breakpoints = BTreeMap<usize, Breakpoint>;

/// Selects the hits that stop a run. A hit is a time that the breakpoint's condition holds. Hits count from 1
/// at the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Times {
    /// Every hit.
    #[default]
    Every,
    /// Only hit n.
    Nth(u32),
    /// Hits n, 2n, 3n and so on.
    EveryNth(u32),
}

impl Times {
    /// Returns true if hit `time`, from 1, stops the run.
    pub fn stops_at(self, time: usize) -> bool {
        match self {
            Self::Every => true,
            Self::Nth(n) => time == n as usize,
            Self::EveryNth(n) => n > 0 && time.is_multiple_of(n as usize),
        }
    }

    /// Describes the hits in words. Empty for `Every`.
    pub fn words(self) -> String {
        match self {
            Self::Every | Self::EveryNth(1) => String::new(),
            Self::Nth(n) => format!("the {} hit", ordinal(n)),
            Self::EveryNth(n) => format!("every {} hit", ordinal(n)),
        }
    }
}

fn ordinal(n: u32) -> String {
    let end = match (n % 10, n % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

/// A breakpoint without its line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakpoint {
    /// An expression over the registers before the line's instruction. The breakpoint hits only if it holds.
    /// Empty for no condition.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub condition: String,
    /// The hits that stop a run.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub times: Times,
    /// False to keep the breakpoint without stopping runs.
    #[serde(default = "enabled", skip_serializing_if = "is_enabled")]
    pub enabled: bool,
}

impl Default for Breakpoint {
    fn default() -> Self {
        Self { condition: String::new(), times: Times::Every, enabled: true }
    }
}

impl Breakpoint {
    /// Returns true if the breakpoint has a condition or a hit count.
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

/// A breakpoint in a draft. A plain breakpoint is stored as its line number, the format of earlier versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DraftBreakpoint {
    /// A breakpoint without condition or hit count.
    Line(usize),
    /// Any other breakpoint.
    Whole {
        /// From 0.
        line: usize,
        #[serde(flatten)]
        breakpoint: Breakpoint,
    },
}

impl DraftBreakpoint {
    pub fn new(line: usize, breakpoint: &Breakpoint) -> Self {
        if *breakpoint == Breakpoint::default() {
            Self::Line(line)
        } else {
            Self::Whole { line, breakpoint: breakpoint.clone() }
        }
    }

    /// Returns the line and the breakpoint.
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
