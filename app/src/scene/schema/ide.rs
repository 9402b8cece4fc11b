//! Completion and hover in the text of `scene.toml`, as the editor shows them for programs.

use super::caret::{Place, Role, place};
use super::{Key, Shape, TableShape, root};
use shadestep_engine::ide::{Completion, Hover};

/// Returns the keys, tables or values that are valid at byte `caret`.
pub(crate) fn completions(text: &str, caret: usize) -> Vec<Completion> {
    let Some(Place { path, role, word }) = place(text, caret) else { return Vec::new() };
    let item = |label: String, detail: String| Completion { label, detail, replace: word };
    let keys = |is_offered: fn(&Shape) -> bool| {
        let table = shape_at(&path).and_then(|shape| shape.table().cloned());
        let keys = table.map(|table| table.keys).unwrap_or_default();
        let offered = keys.into_iter().filter(move |key| is_offered(&key.shape));
        offered.map(|key| item(key.name.into_owned(), plain(key.doc))).collect()
    };
    match role {
        Role::Table => keys(|shape| matches!(shape, Shape::Table(_) | Shape::Names(_))),
        Role::Tables => keys(|shape| matches!(shape, Shape::Tables(_))),
        Role::Key => keys(|_| true),
        Role::Value => {
            let values = shape_at(&path).map(|shape| shape.values()).unwrap_or_default();
            values.into_iter().map(|value| item(value, String::new())).collect()
        }
    }
}

/// Returns the documentation of the key or table at byte `caret`.
pub(crate) fn hover(text: &str, caret: usize) -> Option<Hover> {
    let Place { mut path, role, word } = place(text, caret)?;
    if word.is_empty() {
        return None;
    }
    if role != Role::Value {
        let name = text.get(word.start..word.end)?.trim_matches(['"', '\'']);
        path.extend(name.split('.').map(str::to_owned));
    }
    let (name, parents) = path.split_last()?;
    let table = shape_at(parents)?;
    let key = table.table()?.key(name)?.clone();
    Some(Hover { span: word, title: key.name.to_string(), code: Vec::new(), body: body(&key) })
}

fn body(key: &Key) -> String {
    let default = match key.default {
        "" => String::new(),
        "required" => "; required".to_owned(),
        default => format!("; default {default}"),
    };
    format!("{}\n\nType: {}{default}.", plain(&key.meaning()), key.shape.words())
}

/// Returns the values at a path of keys.
fn shape_at(path: &[String]) -> Option<Shape> {
    let mut shape = Shape::Table(root());
    for name in path {
        shape = match &shape {
            Shape::Names(of) => (**of).clone(),
            shape => shape.table().and_then(|table: &TableShape| table.key(name))?.shape.clone(),
        };
    }
    Some(shape)
}

/// Replaces links by their words.
fn plain(markdown: &str) -> String {
    let mut plain = String::new();
    let mut rest = markdown;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((words, after)) = link.split_once("](").and_then(|(words, target)| {
            let (_, after) = target.split_once(')')?;
            (!words.contains([' ', '\n']) || !words.contains(']')).then_some((words, after))
        }) else {
            break;
        };
        plain.push_str(before);
        plain.push_str(words);
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        completions(text, text.len()).into_iter().map(|item| item.label).collect()
    }

    #[test]
    fn keys_and_values_are_offered() {
        assert!(labels("[state]\n").contains(&"cull".to_owned()));
        assert_eq!(labels("[state]\ncull = "), ["\"OFF\"", "\"FRONT\"", "\"BACK\"", "\"FRONT_AND_BACK\""]);
        assert_eq!(labels("[state]\ntwo_side = "), ["true", "false"]);
        assert!(labels("[state]\nblend = { src = \"").contains(&"\"SRC_ALPHA\"".to_owned()));
        assert!(labels("[[").contains(&"texture".to_owned()) && !labels("[[").contains(&"state".to_owned()));
        assert!(labels("[").contains(&"parameters".to_owned()));
        assert!(labels("[material.").contains(&"front".to_owned()));
        assert!(labels("[parameters]\ntint = { ").contains(&"widget".to_owned()));
        assert!(labels("[parameters]\ntint = [").contains(&"\"time\"".to_owned()));
        assert!(labels("[camera]\nmodel = [{ ").contains(&"rotate".to_owned()));
        assert_eq!(labels("# [state]\n# cull = "), Vec::<String>::new());
    }

    #[test]
    fn keys_and_tables_have_help() {
        let help = |text: &str, word: &str| hover(text, text.find(word).unwrap() + 1);
        let cull = help("[state]\ncull = \"BACK\"", "cull").unwrap();
        assert_eq!(cull.title, "cull");
        assert!(
            cull.body.contains("`FRONT_AND_BACK`") && cull.body.contains("default `\"OFF\"`"),
            "{}",
            cull.body
        );
        assert_eq!(help("[state]\ncull = \"BACK\"", "BACK").unwrap().title, "cull");
        assert_eq!(help("[[texture]]\nunit = 0", "texture").unwrap().title, "texture");
        assert_eq!(help("[state]\nblend = { src = \"ONE\" }", "src").unwrap().title, "src");
        assert!(help("[state]\ncolour = 1", "colour").is_none());
        let order = help("order = \"any\"", "order").unwrap();
        assert!(order.body.contains("See Order."), "{}", order.body);
    }
}
