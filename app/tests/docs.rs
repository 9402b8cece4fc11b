//! Tests that the book matches the program: commands, scene keys, shortcuts, links, schemas and examples.

#[path = "docs/command_line.rs"]
mod command_line;
#[expect(dead_code, reason = "only the tests of the command line read JSON with it")]
mod common;
#[path = "docs/errors.rs"]
mod errors;
#[path = "docs/examples.rs"]
mod examples;
#[path = "docs/links.rs"]
mod links;
#[path = "docs/pages.rs"]
mod pages;
#[path = "docs/scene_keys.rs"]
mod scene_keys;
#[path = "docs/schemas.rs"]
mod schemas;
#[path = "docs/shortcuts.rs"]
mod shortcuts;
#[path = "docs/snapshot.rs"]
mod snapshot;
#[path = "common/tree.rs"]
mod tree;
