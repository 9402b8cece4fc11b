//! `shadestep lesson`: lists the lessons of a course, and checks that each can be solved.

use super::{CliError, Format, Status, threads};
use crate::format;
use crate::lesson::{Check, Course, Lesson, bundled_course};
use crate::printable;
use crate::scene::{Folder, SceneError};
use crate::session::Threads;
use serde_json::{Value, json};
use shadestep_engine::diag;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Folder of a course or of one lesson [default: the bundled course]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Check that each lesson has a page and hints, that its start fails the checks, and that its solution passes
    #[arg(long)]
    check: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Number of render threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let threads = threads(arguments.threads)?;
    let folder = arguments.folder.clone().map_or_else(|| bundled_course().folder.clone(), Folder::Disk);
    let (title, lessons) = Course::read_each(&folder)?;
    let mut entries = Vec::new();
    for lesson in lessons {
        let entry = Entry::of(lesson, &threads, arguments.check)?;
        if arguments.format == Format::Text {
            entry.print(out, arguments.check)?;
            out.flush()?;
        }
        entries.push(entry);
    }
    let faulty = entries.iter().filter(|entry| !entry.faults.is_empty()).count();
    let count = entries.len();
    if arguments.format == Format::Json {
        let lessons: Vec<Value> = entries.iter().map(|entry| entry.json(arguments.check)).collect();
        writeln!(out, "{}", json!({ "title": title, "lessons": lessons }))?;
    } else if arguments.check {
        let lessons = format::counted(count, "lesson");
        match faulty {
            0 => writeln!(out, "{lessons}: ok")?,
            faulty => writeln!(out, "{lessons}: {faulty} with problems")?,
        }
    }
    if faulty == 0 { Ok(()) } else { Err(CliError::Reported(Status::Problems)) }
}

/// A lesson and its faults.
struct Entry {
    lesson: Option<Lesson>,
    faults: Vec<String>,
}

impl Entry {
    /// Checks `lesson` if `checks` is true. Otherwise its scenes are not read.
    fn of(lesson: Result<Lesson, SceneError>, threads: &Threads, checks: bool) -> Result<Self, CliError> {
        Ok(match lesson {
            // An error in the page counts as an error of the lesson.
            Ok(Lesson { page: Err(error), .. }) | Err(error) => {
                Self { lesson: None, faults: vec![error.to_string()] }
            }
            Ok(lesson) => {
                let never = AtomicBool::new(false);
                let faults = if checks { lesson.faults(threads, &never)? } else { Vec::new() };
                let faults = faults.iter().map(|fault| diag::plain(fault)).collect();
                Self { lesson: Some(lesson), faults }
            }
        })
    }

    fn print(&self, out: &mut impl Write, checks: bool) -> Result<(), CliError> {
        let name = self.lesson.as_ref().map(|lesson| printable::line(&lesson.name));
        let mut faults = self.faults.iter().map(|fault| printable::line(fault));
        match (name, &self.lesson) {
            (Some(name), Some(lesson)) if !checks => writeln!(out, "{name}: {}", lesson.title)?,
            (Some(name), _) if self.faults.is_empty() => writeln!(out, "{name}: ok")?,
            (Some(name), _) => faults.try_for_each(|fault| writeln!(out, "{name}: {fault}"))?,
            (None, _) => faults.try_for_each(|fault| writeln!(out, "{fault}"))?,
        }
        Ok(())
    }

    fn json(&self, checks: bool) -> Value {
        let lesson = self.lesson.as_ref();
        let task = |check: &Check| diag::plain(&check.task.to_string());
        json!({
            "name": lesson.map(|lesson| &lesson.name),
            "title": lesson.map(|lesson| &lesson.title),
            "about": lesson.map(|lesson| &lesson.about),
            "chapter": lesson.map(|lesson| &lesson.chapter),
            "hints": lesson.map(|lesson| lesson.hints.len()),
            "checks": lesson.map(|lesson| lesson.checks.iter().map(task).collect::<Vec<_>>()),
            "ok": (checks || lesson.is_none()).then_some(self.faults.is_empty()),
            "faults": self.faults,
        })
    }
}
