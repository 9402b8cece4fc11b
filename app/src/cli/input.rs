//! Programs and scenes that commands read: files, bundled samples, or `-` for standard input.

use super::CliError;
use crate::scene::{self, MAX_TEXT_BYTES, Scene, SceneError};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Read as _};

/// The argument for standard input.
const STANDARD: &str = "-";

/// The name of a program on standard input.
const STANDARD_NAME: &str = "<stdin>";

/// The name of `target` in output and messages.
pub(super) fn name(target: &OsStr) -> Cow<'_, str> {
    if target == STANDARD { STANDARD_NAME.into() } else { target.to_string_lossy() }
}

/// Opens a program file, a scene, a bundled sample, or the program on standard input (see [`scene::open`]).
pub(super) fn open(target: &OsStr) -> Result<Scene, SceneError> {
    if target != STANDARD {
        return scene::open(target);
    }
    let mut text = Vec::new();
    let read = io::stdin().lock().take(MAX_TEXT_BYTES + 1).read_to_end(&mut text);
    read.map_err(|error| SceneError::new(STANDARD_NAME, format!("cannot read standard input: {error}")))?;
    if text.len() as u64 > MAX_TEXT_BYTES {
        let words = format!("the program is larger than {} MiB", MAX_TEXT_BYTES >> 20);
        return Err(SceneError::new(STANDARD_NAME, words));
    }
    Ok(Scene::for_program(STANDARD_NAME, None, text))
}

/// Refuses a second `-`: standard input can be read once.
pub(super) fn check_targets(targets: &[impl AsRef<OsStr>]) -> Result<(), CliError> {
    match targets.iter().filter(|target| target.as_ref() == STANDARD).count() {
        0 | 1 => Ok(()),
        _ => Err(CliError::Usage("standard input can be read only once; give - only once".to_owned())),
    }
}
