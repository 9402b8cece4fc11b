//! Checks a lesson itself: the start must run and fail the checks, and the solution must pass them.

use super::{Answer, Lesson, Reference, Task, check};
use crate::session::{RenderError, Threads};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl Lesson {
    /// The faults of the lesson, one sentence each: the start passes, the solution fails, or a scene cannot
    /// be read.
    ///
    /// # Errors
    /// [`RenderError::Cancelled`].
    pub fn faults(&self, threads: &Threads, cancel: &AtomicBool) -> Result<Vec<String>, RenderError> {
        let reference = match Reference::of(self, threads, cancel) {
            Ok(reference) => reference,
            Err(RenderError::Cancelled) => return Err(RenderError::Cancelled),
            Err(error) => return Ok(vec![format!("the start or the solution cannot be drawn: {error}")]),
        };
        let mut faults = Vec::new();
        let start = Answer::from(Arc::clone(reference.start()));
        let report = check(self, (&reference, &start), threads, cancel)?;
        if report.is_solved() {
            faults.push("the start already passes every check".to_owned());
        }
        if let Some(fault) =
            report.fault.filter(|_| !self.checks.iter().any(|check| check.task == Task::Loads))
        {
            faults.push(format!("the start does not run, and no check is \"loads\": {}", fault.facts));
        }
        let solution = Answer::from(Arc::clone(reference.solution()));
        let report = check(self, (&reference, &solution), threads, cancel)?;
        faults.extend(report.faults().map(|(_, fault)| format!("the solution fails: {}", fault.facts)));
        Ok(faults)
    }
}
