//! What a driver answered, as text: `recordings/DRIVER-DATE.txt`.
//!
//! Lines that begin with `#` say who answered and when. Every other line is an answer: the question's key and name, then
//! `R` and PROGRAM_ERROR_POSITION, or `L` and what the runs gave: `K` for a discarded fragment, else the bits of the
//! four components, `=` for the same as the run before.

use std::collections::HashMap;
#[cfg(feature = "peer")]
use std::fmt::Write as _;

#[cfg(feature = "peer")]
use crate::question::Question;
use crate::question::{Answer, Value};

/// Answers by the keys of their questions.
#[derive(Debug, Default)]
pub struct Recording {
    /// GL_RENDERER
    pub renderer: String,
    pub answers: HashMap<u64, Answer>,
}

/// The text of a recording.
#[cfg(feature = "peer")]
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
/// The line that is not understood.
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
