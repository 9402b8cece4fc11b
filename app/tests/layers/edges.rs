//! Checks the dependencies between the folders of a crate. Reads the `crate::` and `super::` paths of the
//! sources, and compares them with a list of allowed edges. `mod.rs` has the lists.

use crate::common::tokens::test_item;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// The folders of a crate, lowest first, each with the folders that it may use. A file at the root counts as
/// a folder.
pub type Layers<'a> = [(&'a str, &'a [&'a str])];

/// A source file: its path below the crate's root, and its text.
pub type Source = (String, String);

/// A path in the source code that leads from one folder to another.
#[derive(Debug)]
struct Edge {
    path: String,
    line: usize,
    from: String,
    to: String,
}

/// Returns the violations in the sources of the crate at `root`, and the faults of `layers`. Code under
/// `#[cfg(test)]` may use every folder. Each of `libraries` has a row like a folder, and stands for every
/// crate with a name that begins with its own.
pub fn faults(root: &str, layers: &Layers<'_>, libraries: &[&str], sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    let rows: BTreeMap<&str, &[&str]> = layers.iter().copied().collect();
    let mut earlier = BTreeSet::new();
    for (folder, uses) in layers {
        let later = uses.iter().filter(|used| !earlier.contains(*used));
        found.extend(
            later.map(|used| format!("{root}: the row of {folder} names {used}, which is no earlier row")),
        );
        earlier.insert(folder);
    }
    let (folders, edges) = read(libraries, sources);
    let without_row = folders.iter().filter(|folder| !rows.contains_key(folder.as_str()));
    found.extend(without_row.map(|folder| format!("{root}: {folder} has no row")));
    let without_folder = rows.keys().filter(|folder| !folders.contains(**folder));
    found.extend(without_folder.map(|folder| format!("{root}: {folder} has a row but no file")));
    for Edge { path, line, from, to } in &edges {
        if !rows.get(from.as_str()).is_some_and(|uses| uses.contains(&to.as_str())) {
            found.push(format!("{root}/{path}:{line}: {from} may not use {to}"));
        }
    }
    for (folder, uses) in layers {
        let is_used = |used: &&&str| edges.iter().any(|edge| edge.from == *folder && edge.to == **used);
        let unused = uses.iter().filter(|used| !is_used(used));
        found.extend(
            unused.map(|used| format!("{root}: {folder} no longer uses {used}: remove that from its row")),
        );
    }
    found
}

/// Returns the module of a file: `["a", "b"]` for `a/b.rs`, `["a"]` for `a/mod.rs`, and `[]` for the root.
fn module(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    if matches!(stem, "lib" | "main" | "mod") {
        return Vec::new();
    }
    stem.split('/').map(str::to_owned).collect()
}

/// Returns the folders of `sources`, and every path from one folder to another. Ignores files that exist for
/// tests only.
fn read(libraries: &[&str], sources: &[Source]) -> (BTreeSet<String>, Vec<Edge>) {
    let libraries: BTreeSet<String> = libraries.iter().map(|name| (*name).to_owned()).collect();
    let mut reader = Reader { libraries: libraries.clone(), ..Reader::default() };
    for (path, text) in sources {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        reader.file.clone_from(path);
        reader.items(tokens, &module(path));
    }
    let Reader { mut paths, test_modules, .. } = reader;
    let is_test = |path: &str| test_modules.iter().any(|test| module(path).starts_with(test));
    let modules = sources.iter().filter(|(path, _)| !is_test(path)).map(|(path, _)| module(path));
    let folders: BTreeSet<String> =
        modules.filter_map(|module| module.into_iter().next()).chain(libraries).collect();
    paths.retain(|edge| edge.from != edge.to && folders.contains(&edge.to) && !is_test(&edge.path));
    (folders, paths)
}

#[derive(Default)]
struct Reader {
    libraries: BTreeSet<String>,
    file: String,
    paths: Vec<Edge>,
    /// Modules in files of their own that exist for tests only.
    test_modules: Vec<Vec<String>>,
}

impl Reader {
    /// Reads the tokens of `module` or of an item in `module`.
    fn items(&mut self, tokens: TokenStream, module: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if let Some(item) = test_item(&tokens[at..]) {
                self.test_module(item, module);
                at += 2 + item.len();
                continue;
            }
            match token {
                TokenTree::Ident(word) if word == "mod" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                        (tokens.get(at + 1), tokens.get(at + 2))
                    {
                        let inner = [module, &[name.to_string()]].concat();
                        self.items(body.stream(), &inner);
                        at += 3;
                        continue;
                    }
                }
                TokenTree::Ident(word) if word == "crate" || word == "super" => {
                    self.path(&tokens[at..], module)
                }
                TokenTree::Ident(word) => {
                    let name = word.to_string();
                    let library = self.libraries.iter().find(|library| name.starts_with(*library)).cloned();
                    if let Some(library) = library {
                        self.note(&library, word, &[]);
                    }
                }
                TokenTree::Group(group) => self.items(group.stream(), module),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }

    /// Records the module that `item` declares, if its text is in another file.
    fn test_module(&mut self, item: &[TokenTree], module: &[String]) {
        let mut named = None;
        for (at, token) in item.iter().enumerate() {
            match token {
                // `#[path = "x.rs"]` names a file in the same folder.
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    let words = group.stream().to_string();
                    if let Some(file) =
                        words.strip_prefix("path = \"").and_then(|rest| rest.strip_suffix(".rs\""))
                    {
                        let folder = self.file.rsplit_once('/').map_or("", |(folder, _)| folder);
                        named = Some(format!("{folder}/{file}.rs"));
                    }
                }
                TokenTree::Ident(word) if word == "mod" => {
                    if let (Some(TokenTree::Ident(name)), None) = (item.get(at + 1), &named) {
                        self.test_modules.push([module, &[name.to_string()]].concat());
                    }
                }
                _ => {}
            }
        }
        self.test_modules.extend(named.map(|file| self::module(file.trim_start_matches('/'))));
    }

    /// Records the edges of a path. The tokens begin with `crate` or `super`. A group in braces holds several
    /// paths.
    fn path(&mut self, tokens: &[TokenTree], module: &[String]) {
        let [TokenTree::Ident(first), rest @ ..] = tokens else { return };
        let up = if first == "crate" { module.len() } else { 1 };
        let at = &module[..module.len().saturating_sub(up)];
        let [a, b, next, ..] = rest else { return };
        if !is_punct(a, ':') || !is_punct(b, ':') {
            return;
        }
        match next {
            TokenTree::Ident(word) if word == "super" => self.path(&rest[2..], at),
            TokenTree::Ident(word) => self.note(&word.to_string(), word, at),
            TokenTree::Group(group) => {
                let all: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in all.split(|token| is_punct(token, ',')) {
                    match part.first() {
                        Some(TokenTree::Ident(word)) if word == "super" => self.path(part, at),
                        Some(TokenTree::Ident(word)) => self.note(&word.to_string(), word, at),
                        _ => {}
                    }
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }

    /// Records a path from this file, at `word`, to the folder or library `to` in the module `at`.
    fn note(&mut self, to: &str, word: &proc_macro2::Ident, at: &[String]) {
        let own = module(&self.file);
        if let ([], Some(from)) = (at, own.first()) {
            self.paths.push(Edge {
                path: self.file.clone(),
                line: word.span().start().line,
                from: from.clone(),
                to: to.to_owned(),
            });
        }
    }
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}
