//! Shadestep's application: scenes, the session that runs them on the engine, the command line and the
//! desktop app.
//!
//! The binary only calls this library, so tests can use the same parts.

pub mod app;
pub mod apply;
pub mod buffer_text;
pub mod cli;
mod codes;
pub mod command;
pub mod debugger;
pub mod drafts;
pub mod editor;
mod embedded;
pub mod export;
pub mod false_colours;
pub mod files;
pub mod format;
mod history;
pub mod icons;
pub mod inputs;
pub mod keys;
pub mod launch;
pub mod learn;
pub mod lesson;
mod lookup;
pub mod mailbox;
pub mod maps;
pub mod markdown;
pub mod memory;
pub mod model;
pub mod overlay;
mod places;
mod printable;
pub mod problems;
pub mod scene;
pub mod session;
pub mod settings;
pub mod shell;
pub mod state;
pub mod stepping;
mod suggest;
pub mod tasks;
pub mod theme;
pub mod versions;
pub mod viewport;
pub mod watch;
pub mod widgets;
mod word_at;
pub mod worker;
