//! The page about scenes has every key that the reader of `scene.toml` accepts, and no other.

use super::examples::scene_folder;
use super::pages::{Cell, Page};
use shadestep::scene;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "docs/scene.md";
const TOP: &str = "The top of the file";
const OPERATIONS: &str = "Operations";
const PARAMETERS: &str = "Parameters with a control or a type";

/// The bare name in the heading of a table: `texture` of `[[texture]]`.
fn table_name(heading: &str) -> &str {
    heading.trim_matches(['[', ']'])
}

/// The section about a table, which messages name with these words.
fn section_of(words: &str) -> String {
    match words {
        "at the top of the file" => TOP.to_owned(),
        "of an operation" => OPERATIONS.to_owned(),
        "of a parameter" => PARAMETERS.to_owned(),
        "in stencil.front" | "in stencil.back" => "stencil".to_owned(),
        "in [material.front]" | "in [material.back]" => "material".to_owned(),
        words => table_name(words.strip_prefix("in ").unwrap_or(words)).to_owned(),
    }
}

/// The keys in the first cell of a row. `` `texture0` to `texture7` `` are eight.
fn keys_of(cell: &Cell) -> Vec<String> {
    let split = |name: &str| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (stem.to_owned(), name[stem.len()..].parse::<u32>())
    };
    if let ([first, last], true) = (&cell.codes[..], cell.text.contains(" to ")) {
        let ((stem, Ok(from)), (_, Ok(to))) = (split(first), split(last)) else {
            panic!("{first} to {last} is no range");
        };
        return (from..=to).map(|number| format!("{stem}{number}")).collect();
    }
    cell.codes.clone()
}

/// The documented keys of each table, by the section about it.
fn documented(page: &Page) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for section in &page.sections {
        for table in section.tables.iter().filter(|table| table[0][0].text == "key") {
            let keys = table[1..].iter().flat_map(|row| keys_of(&row[0]));
            all.entry(table_name(&section.heading).to_owned()).or_default().extend(keys);
        }
    }
    // Tables in the file are keys of its top.
    let tables = page.sections.iter().filter(|section| section.heading.starts_with('['));
    let tables = tables.map(|section| table_name(&section.heading).to_owned());
    all.entry(TOP.to_owned()).or_default().extend(tables);
    all
}

#[test]
fn every_key_of_a_scene_is_documented_and_every_documented_key_exists() {
    let page = Page::read(PAGE);
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for block in page.blocks.iter().filter(|block| block.info == "toml scene") {
        let (text, folder) = scene_folder(&block.code);
        let tables = scene::table_keys(&text, &folder);
        for table in tables.unwrap_or_else(|error| panic!("{PAGE}: {error}\n{text}")) {
            known.entry(section_of(&table.table)).or_default().extend(table.keys);
        }
    }
    // A table that no example has is missing from `known`.
    assert_eq!(documented(&page), known);
}
