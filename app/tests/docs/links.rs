//! The targets of links exist, both files and headings, and the book's summary lists every page.

use super::pages::{Page, all, book_paths};
use crate::common::tree::root;
use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

/// Resolves each `..` in `path`.
fn normalized(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            other => parts.push(other),
        }
    }
    parts
}

/// Returns true if the target of `link` is outside the repository.
fn is_external(link: &str) -> bool {
    ["https:", "http:", "mailto:"].iter().any(|scheme| link.starts_with(scheme))
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = all();
    let mut anchors: HashMap<PathBuf, BTreeSet<String>> = HashMap::new();
    let of_page = |page: &Page| page.sections.iter().map(|section| section.anchor.clone()).collect();
    for page in &pages {
        anchors.insert(PathBuf::from(&page.path), of_page(page));
    }
    let mut faults = Vec::new();
    for page in &pages {
        for link in page.links.iter().filter(|link| !is_external(link)) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(&page.path).parent().unwrap_or(Path::new(""));
            let target = match path {
                "" => PathBuf::from(&page.path),
                path => normalized(&folder.join(path)),
            };
            if !root().join(&target).exists() {
                faults.push(format!("{}: {link}: there is no such file", page.path));
            } else if !heading.is_empty() && target.extension().is_some_and(|extension| extension == "md") {
                let name = target.to_string_lossy().into_owned();
                let known = anchors.entry(target).or_insert_with(|| of_page(&Page::read(&name)));
                if !known.contains(heading) {
                    faults.push(format!("{}: {link}: there is no such heading", page.path));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_summary_lists_every_page() {
    let summary = Page::read("docs/SUMMARY.md");
    let listed: BTreeSet<String> = summary.links.iter().map(|link| format!("docs/{link}")).collect();
    let pages = book_paths().into_iter().filter(|path| path != "docs/SUMMARY.md");
    assert_eq!(listed, pages.collect());
}
