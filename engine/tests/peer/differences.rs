//! The list of known differences, `differences.txt`: where each driver's answers differ from Shadestep's, and
//! why. A difference that is not listed fails the test, and so does an entry that matches no difference.
//!
//! ```text
//! driver llvmpipe*
//! positions ends-behind-header
//!
//! freedom | accepts | arbfp1/load_temporaries.test/* | *
//!     It has more temporaries; table X.10 gives the least number (ARB_fragment_program 6.2).
//! ```
//!
//! `driver` begins a driver's section and gives a pattern for its GL_RENDERER. `positions` names the driver's
//! way of counting PROGRAM_ERROR_POSITION, if it is not bytes from the start of the text.
//!
//! An entry has a class, a kind of difference, a question's name and an answer. In the last two, `*` matches
//! any text. The indented reason cites the clause. The classes are:
//!
//! * `freedom`: the text leaves the answer open.
//! * `theirs`: the driver's answer violates the text.
//! * `unsteady`: as `theirs`, but only sometimes, so the entry may match nothing.

use super::compare::{Difference, Kind, Positions};

/// The known differences of one driver.
#[derive(Debug, Default)]
pub struct Known {
    pub positions: Positions,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    line: usize,
    is_unsteady: bool,
    kind: Kind,
    name: String,
    what: String,
    reason: String,
}

const LIST: &str = include_str!("differences.txt");

/// Returns the known differences of the driver with this renderer.
///
/// # Errors
/// The line of the list that is wrong, and why.
pub fn known(renderer: &str) -> Result<Known, String> {
    parse(LIST, renderer)
}

fn parse(list: &str, renderer: &str) -> Result<Known, String> {
    let mut known = Known::default();
    let mut applies = false;
    for (index, line) in list.lines().enumerate() {
        let fault = |what: &str| format!("differences.txt:{}: {what}", index + 1);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(more) = line.strip_prefix("    ") {
            if applies {
                let entry = known.entries.last_mut().ok_or_else(|| fault("a reason of nothing"))?;
                entry.reason.push_str(more);
            }
            continue;
        }
        if let Some(glob) = line.strip_prefix("driver ") {
            applies = matches(glob.trim(), renderer);
            continue;
        }
        if let Some(rule) = line.strip_prefix("positions ") {
            let rule = Positions::parse(rule.trim()).ok_or_else(|| fault("unknown rule"))?;
            if applies {
                known.positions = rule;
            }
            continue;
        }
        let fields: Vec<&str> = line.splitn(4, '|').map(str::trim).collect();
        let [class, kind, name, what] = fields[..] else { return Err(fault("class | kind | name | what")) };
        if !matches!(class, "freedom" | "theirs" | "unsteady") {
            return Err(fault("the class is `freedom`, `theirs` or `unsteady`"));
        }
        let kind = Kind::ALL.into_iter().find(|k| k.name() == kind).ok_or_else(|| fault("unknown kind"))?;
        if applies {
            let [name, what] = [name, what].map(str::to_owned);
            known.entries.push(Entry {
                line: index + 1,
                is_unsteady: class == "unsteady",
                kind,
                name,
                what,
                reason: String::new(),
            });
        }
    }
    match known.entries.iter().find(|entry| !entry.reason.contains('(')) {
        Some(entry) => Err(format!("differences.txt:{}: the reason cites no clause", entry.line)),
        None => Ok(known),
    }
}

/// Whether an entry without a match is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// The test asked all questions, so an entry without a match is obsolete.
    MustMatch,
    /// Some of the answered questions have changed, so an entry may match nothing.
    MayBeIdle,
}

impl Known {
    /// Reports differences in `found` that are not listed, and entries of the list that match none of them.
    pub fn faults(&self, found: &[Difference], entries: Entries) -> Vec<String> {
        let fits = |entry: &Entry, difference: &Difference| {
            entry.kind == difference.kind
                && matches(&entry.name, &difference.name)
                && matches(&entry.what, &difference.what)
        };
        let unlisted = found.iter().filter(|d| !self.entries.iter().any(|entry| fits(entry, d)));
        let mut faults: Vec<String> = unlisted.map(|d| format!("not listed: {d}")).collect();
        if entries == Entries::MustMatch {
            let steady = self.entries.iter().filter(|entry| !entry.is_unsteady);
            let idle = steady.filter(|entry| !found.iter().any(|d| fits(entry, d)));
            faults.extend(idle.map(|e| format!("differences.txt:{}: occurs no longer: {}", e.line, e.name)));
        }
        faults
    }
}

/// Whether `text` matches `glob`, in which `*` matches any text.
fn matches(glob: &str, text: &str) -> bool {
    let Some((start, rest)) = glob.split_once('*') else { return glob == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    loop {
        if matches(rest, text) {
            return true;
        }
        let mut chars = text.chars();
        if chars.next().is_none() {
            return false;
        }
        text = chars.as_str();
    }
}

/// Checks globs, matching and the rules of the list.
///
/// # Errors
/// The rule that does not hold.
pub fn check_rules() -> Result<(), String> {
    let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    check(matches("a*c*", "abcd") && matches("*", "") && !matches("a*c", "abcd"), "globs")?;
    let list = "driver soft*\nfreedom | value | a/* | run 0*\n    why (clause 1)\n";
    let known = parse(list, "softpipe")?;
    let difference = |name: &str| Difference {
        kind: Kind::Value,
        name: name.to_owned(),
        what: "run 0 x: theirs 1, ours 2".to_owned(),
    };
    check(known.faults(&[difference("a/1")], Entries::MustMatch).is_empty(), "a listed difference")?;
    check(known.faults(&[difference("b/1")], Entries::MayBeIdle).len() == 1, "one that is not listed")?;
    check(known.faults(&[], Entries::MustMatch).len() == 1, "an entry that occurs no longer")?;
    check(parse(list, "hard")?.faults(&[], Entries::MustMatch).is_empty(), "another driver's entry")?;
    check(parse("driver a\nfreedom | value | a | *\n    why\n", "a").is_err(), "a reason without a clause")
}
