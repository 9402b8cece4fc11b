//! Reads and writes recordings of a driver's answers: text files named `recordings/DRIVER-DATE.txt`.
//!
//! Lines that begin with `#` give the renderer, the version and the date. Every other line is an answer: the
//! question's key, its name, and a verdict. The verdict is `R` and PROGRAM_ERROR_POSITION if the program does
//! not load. Otherwise it is `L` and the values of the runs: `K` for a discarded fragment, `=` for the value
//! of the previous run, or else the bits of the four components in hexadecimal.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::question::{Answer, Question, Value};

/// Answers by the keys of their questions.
#[derive(Debug, Default)]
pub struct Recording {
    /// GL_RENDERER
    pub renderer: String,
    pub answers: HashMap<u64, Answer>,
}

/// Writes a recording as text. `driver` holds the renderer and the version.
pub fn write(driver: &[String; 2], date: &str, answers: &[(&Question, Answer)]) -> String {
    let [renderer, version] = driver;
    let mut text = format!("# renderer: {renderer}\n# version: {version}\n# date: {date}\n");
    for (question, answer) in answers {
        let _ = write!(text, "{:016x} {} ", question.key(), question.name.replace(' ', "_"));
        match answer {
            Answer::Refused(position) => {
                let _ = write!(text, "R {position}");
            }
            Answer::Loaded(values) => {
                text.push('L');
                let mut before = None;
                for value in values {
                    match value {
                        _ if before == Some(value) => text.push_str(" ="),
                        Value::Killed => text.push_str(" K"),
                        Value::Color(bits) => {
                            let [x, y, z, w] = bits;
                            let _ = write!(text, " {x:x},{y:x},{z:x},{w:x}");
                        }
                    }
                    before = Some(value);
                }
            }
        }
        text.push('\n');
    }
    text
}

/// Reads what [`write`] wrote.
///
/// # Errors
/// The number of the first line that is malformed.
pub fn read(text: &str) -> Result<Recording, String> {
    let mut recording = Recording::default();
    for (index, line) in text.lines().enumerate() {
        let fault = || format!("line {}", index + 1);
        if let Some(comment) = line.strip_prefix('#') {
            if let Some(renderer) = comment.trim().strip_prefix("renderer: ") {
                renderer.clone_into(&mut recording.renderer);
            }
            continue;
        }
        let mut words = line.split(' ');
        let key = words.next().and_then(|key| u64::from_str_radix(key, 16).ok()).ok_or_else(fault)?;
        let verdict = words.nth(1).ok_or_else(fault)?;
        let answer = if verdict == "R" {
            Answer::Refused(words.next().and_then(|word| word.parse().ok()).ok_or_else(fault)?)
        } else {
            let mut values = Vec::new();
            for word in words {
                let value = match word {
                    "=" => *values.last().ok_or_else(fault)?,
                    "K" => Value::Killed,
                    _ => {
                        let bits = word.split(',').map(|hex| u32::from_str_radix(hex, 16));
                        let bits: Vec<u32> = bits.collect::<Result<_, _>>().map_err(|_| fault())?;
                        Value::Color(bits.try_into().map_err(|_| fault())?)
                    }
                };
                values.push(value);
            }
            Answer::Loaded(values)
        };
        recording.answers.insert(key, answer);
    }
    Ok(recording)
}

/// Checks that [`read`] gets back the answers that [`write`] has written.
///
/// # Errors
/// The recording that was read, or the malformed line that [`read`] accepts.
#[test]
fn what_is_written_is_read() -> Result<(), String> {
    let questions = ["refused", "a b", "none"].map(|name| Question::loading(name, name.as_bytes()));
    let values = vec![Value::Color([0, 1, 0x7FC0_0000, u32::MAX]), Value::Killed, Value::Killed];
    let given = [Answer::Refused(-1), Answer::Loaded(values), Answer::Loaded(Vec::new())];
    let answers: Vec<_> = questions.iter().zip(given.clone()).collect();
    let text = write(&["soft".to_owned(), "1.0".to_owned()], "2026-11-22", &answers);
    let recording = read(&text)?;
    let back = questions.iter().map(|question| recording.answers.get(&question.key()));
    if recording.renderer != "soft" || !back.eq(given.iter().map(Some)) {
        return Err(format!("{recording:?}\n{text}"));
    }
    match ["nonsense", "0 name L 1,2", "0 name R x"].iter().find(|text| read(text).is_ok()) {
        Some(text) => Err(format!("`{text}` is read")),
        None => Ok(()),
    }
}
