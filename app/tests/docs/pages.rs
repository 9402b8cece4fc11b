//! Reads the Markdown of the book's pages and of the documents at the root into sections, tables, links and
//! code blocks, for the tests in this folder.

use crate::common::tree::{AT_ROOT, files, root};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::HashMap;
use std::fs;

/// A page of the book, or a document at the root.
pub struct Page {
    /// The path from the root, with slashes.
    pub path: String,
    /// The sections. The first section has no heading.
    pub sections: Vec<Section>,
    /// The targets of links and pictures.
    pub links: Vec<String>,
    /// The code blocks, in order.
    pub blocks: Vec<Block>,
    pub lines: usize,
}

/// The part of a document from a heading to the next heading of any level.
#[derive(Default)]
pub struct Section {
    pub heading: String,
    /// The fragment of links to the heading.
    pub anchor: String,
    /// The tables, row by row. The first row of a table is the header.
    pub tables: Vec<Vec<Vec<Cell>>>,
    /// The text outside code blocks, including code spans.
    pub text: String,
}

#[derive(Clone, Default)]
pub struct Cell {
    /// The text of the cell, including code spans.
    pub text: String,
    /// The code spans.
    pub codes: Vec<String>,
}

pub struct Block {
    /// The info string: the words after the fence.
    pub info: String,
    pub code: String,
}

impl Page {
    /// Reads the document at `path`, relative to the root.
    pub fn read(path: &str) -> Self {
        let file = root().join(path);
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut reader = Reader::new(path, &text);
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        Parser::new_ext(&text, options).for_each(|event| reader.take(event));
        reader.page
    }
}

struct Reader {
    page: Page,
    cell: Option<Cell>,
    in_heading: bool,
    block: Option<Block>,
    anchors: HashMap<String, usize>,
}

impl Reader {
    fn new(path: &str, text: &str) -> Self {
        let page = Page {
            path: path.to_owned(),
            sections: vec![Section::default()],
            links: Vec::new(),
            blocks: Vec::new(),
            lines: text.lines().count(),
        };
        Self { page, cell: None, in_heading: false, block: None, anchors: HashMap::new() }
    }

    fn section(&mut self) -> &mut Section {
        self.page.sections.last_mut().expect("the first section is there from the start")
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                self.page.sections.push(Section::default());
                self.in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => {
                self.in_heading = false;
                let name = anchor(&self.section().heading);
                let count = self.anchors.entry(name.clone()).or_default();
                let unique = if *count == 0 { name } else { format!("{name}-{count}") };
                *count += 1;
                self.section().anchor = unique;
                self.section().text.push('\n');
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                self.page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.block = Some(Block { info, code: String::new() });
            }
            Event::End(TagEnd::CodeBlock) => self.page.blocks.extend(self.block.take()),
            Event::Start(Tag::Table(_)) => self.section().tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                self.section().tables.last_mut().expect("a table has begun").push(Vec::new());
            }
            Event::Start(Tag::TableCell) => self.cell = Some(Cell::default()),
            Event::End(TagEnd::TableCell) => {
                let cell = self.cell.take().unwrap_or_default();
                let row = self.section().tables.last_mut().and_then(|table| table.last_mut());
                row.expect("a row has begun").push(cell);
            }
            Event::Text(text) => self.text(&text),
            Event::Code(code) => {
                if let Some(cell) = &mut self.cell {
                    cell.codes.push(code.to_string());
                }
                self.text(&code);
            }
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::End(TagEnd::Paragraph | TagEnd::Item) => self.text("\n"),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(block) = &mut self.block {
            block.code.push_str(text);
            return;
        }
        if let Some(cell) = &mut self.cell {
            cell.text.push_str(text);
        }
        if self.in_heading {
            self.section().heading.push_str(text);
        }
        let is_cell = self.cell.is_some();
        let section = self.section();
        section.text.push_str(text);
        if is_cell {
            section.text.push(' ');
        }
    }
}

/// Returns the fragment for links to a heading, as forges and mdBook build fragments.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

pub fn book_paths() -> Vec<String> {
    files("docs", "md")
}

/// Reads all pages of the book and the documents at the root.
pub fn all() -> Vec<Page> {
    AT_ROOT.map(str::to_owned).into_iter().chain(book_paths()).map(|path| Page::read(&path)).collect()
}

#[test]
fn headings_get_the_names_that_forges_give_them() {
    assert_eq!(anchor("[[frame_texture]]"), "frame_texture");
    assert_eq!(anchor("What is missing?"), "what-is-missing");
    assert_eq!(anchor("How to build: C & Rust"), "how-to-build-c--rust");
}

#[test]
fn front_pages_stay_short() {
    for (path, most) in [("README.md", 150), ("ARCHITECTURE.md", 200), ("BENCH.md", 120)] {
        let lines = Page::read(path).lines;
        assert!(lines <= most, "{path} has {lines} lines, and may have {most}");
    }
}
