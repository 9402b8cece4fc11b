//! The comparison with the machine's own driver, and its recording. `recording` has the file format.

use std::fs;

use super::compare::difference;
use super::differences::{Entries, known};
use super::question::{Answer, Question};
use super::theirs::Driver;
use super::{QUESTIONS, folder, ours, recording, told};

/// Asks the driver all questions whose languages it has, and compares the answers. With
/// `SHADESTEP_PEER_RECORD` set, writes the driver's answers to a file.
pub fn compare() -> Result<(), String> {
    let driver = Driver::new()?;
    let name = driver.name();
    let known = known(&name[0])?;
    let only = std::env::var("SHADESTEP_PEER_ONLY").ok();
    let is_asked = |question: &&Question| {
        only.as_ref().is_none_or(|part| question.name.contains(part.as_str())) && driver.offers(question)
    };
    let mut answers: Vec<(&Question, Answer)> = Vec::new();
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for question in QUESTIONS.iter().filter(is_asked) {
        let both = driver.answer(question).and_then(|theirs| Ok((theirs, ours::answer(question)?)));
        match both {
            Ok((Some(theirs), ours)) => {
                found.extend(difference(question, &theirs, &ours, known.positions));
                answers.push((question, theirs));
            }
            Ok((None, _)) => {}
            Err(fault) => faults.push(format!("{}: {fault}", question.name)),
        }
    }
    if let Ok(date) = std::env::var("SHADESTEP_PEER_RECORD") {
        // A question with the same key under another name has the same answer.
        let mut keys = std::collections::HashSet::new();
        answers.retain(|(question, _)| keys.insert(question.key()));
        let driver = name[0].split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let path = folder().join(format!("{driver}-{date}.txt"));
        fs::create_dir_all(folder()).map_err(|e| e.to_string())?;
        fs::write(path, recording::write(&name, &date, &answers)).map_err(|e| e.to_string())?;
    }
    let entries = if only.is_some() { Entries::MayBeIdle } else { Entries::MustMatch };
    faults.extend(known.faults(&found, entries));
    told(&faults)
}
