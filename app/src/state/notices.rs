//! [`Notice`]: messages to the user.

use super::State;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a notice stays unless it is an error.
const NOTICE_LIFE: Duration = Duration::from_secs(6);
/// Largest number of notices.
const MOST: usize = 5;

/// Severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Information.
    Info,
    /// A failure. Stays until the user closes it.
    Error,
}

/// A message to the user.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Unique number.
    pub id: u64,
    pub kind: NoticeKind,
    pub text: String,
    /// The recent file that the notice is about. The user can remove the file from the list.
    pub recent: Option<PathBuf>,
    born: Instant,
}

impl State {
    /// Shows a notice.
    pub fn notify(&mut self, kind: NoticeKind, text: impl Into<String>) {
        self.notify_of(kind, text, None);
    }

    /// Shows a notice about a recent file.
    pub fn notify_of(&mut self, kind: NoticeKind, text: impl Into<String>, recent: Option<PathBuf>) {
        let notice = Notice { id: self.fresh_id(), kind, text: text.into(), recent, born: Instant::now() };
        self.notices.push(notice);
        if self.notices.len() > MOST {
            self.notices.remove(0);
        }
    }

    /// Drops notices that have been shown long enough. Returns true if notices remain that will expire.
    pub fn expire_notices(&mut self) -> bool {
        self.notices.retain(|notice| notice.kind == NoticeKind::Error || notice.born.elapsed() < NOTICE_LIFE);
        self.notices.iter().any(|notice| notice.kind == NoticeKind::Info)
    }
}
