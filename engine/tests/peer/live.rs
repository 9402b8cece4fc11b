//! The machine's own driver.

use std::fs;

use crate::compare::difference;
use crate::differences::{Entries, known};
use crate::question::{Answer, Question};
use crate::theirs::Driver;
use crate::{QUESTIONS, folder, ours, recording, told};

/// Asks the driver everything that it offers a language for, and compares.
pub fn compare() -> Result<(), String> {
    let driver = Driver::new()?;
    let name = driver.name();
    let known = known(&name[0])?;
    let mut answers: Vec<(&Question, Answer)> = Vec::new();
    let mut found = Vec::new();
    for question in QUESTIONS.iter().filter(|question| driver.offers(&question.text)) {
        let fault = |e: String| format!("{}: {e}", question.name);
        let Some(theirs) = driver.answer(question).map_err(fault)? else { continue };
        found.extend(difference(question, &theirs, &ours::answer(question).map_err(fault)?, known.positions));
        answers.push((question, theirs));
    }
    if let Ok(date) = std::env::var("SHADESTEP_PEER_RECORD") {
        // The same question under another name has the same answer.
        let mut keys = std::collections::HashSet::new();
        answers.retain(|(question, _)| keys.insert(question.key()));
        let driver = name[0].split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let path = folder().join(format!("{driver}-{date}.txt"));
        fs::create_dir_all(folder()).map_err(|e| e.to_string())?;
        fs::write(path, recording::write(&name, &date, &answers)).map_err(|e| e.to_string())?;
    }
    told(&known.faults(&found, Entries::MustMatch))
}
