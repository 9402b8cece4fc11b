//! Tests that the book matches the program: commands, scene keys, shortcuts, links, schemas and examples.

mod command_line;
mod errors;
mod examples;
mod links;
mod pages;
mod scene_keys;
mod schemas;
mod shortcuts;
mod snapshot;
