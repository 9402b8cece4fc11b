//! Completion and hover in the text of `scene.toml`, as the editor shows them for programs.

use super::caret::{Place, Role, name, place};
use super::shape::plain;
use super::{Key, Shape, root};
use shadestep_engine::ide::{Completion, Hover};
use std::sync::LazyLock;

static SCENE: LazyLock<Shape> = LazyLock::new(|| Shape::Table(root()));

/// Returns the keys, tables or values that are valid at byte `caret`.
pub(crate) fn completions(text: &str, caret: usize) -> Vec<Completion> {
    let Some(Place { path, role, word }) = place(text, caret) else { return Vec::new() };
    let item = |label: String, detail: String| Completion { label, detail, replace: word };
    let keys = |is_offered: fn(&Shape) -> bool| {
        let keys = shape_at(&path).and_then(Shape::table).map_or(&[][..], |table| &table.keys);
        let offered = keys.iter().filter(|key| is_offered(&key.shape));
        offered.map(|key| item(key.name.to_owned(), plain(key.doc))).collect()
    };
    match role {
        Role::Table => keys(|shape| matches!(shape, Shape::Table(_) | Shape::Names(_))),
        Role::Tables => keys(|shape| matches!(shape, Shape::Tables(_))),
        Role::Key => keys(|_| true),
        Role::Value => {
            let values = shape_at(&path).map(Shape::values).unwrap_or_default();
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
        path.push(name(text.get(word.start..word.end)?).to_owned());
    }
    let (name, parents) = path.split_last()?;
    let key = shape_at(parents)?.table()?.key(name)?;
    Some(Hover { span: word, title: key.name.to_owned(), code: Vec::new(), body: body(key) })
}

fn body(key: &Key) -> String {
    let default = match key.default {
        "" => String::new(),
        _ if key.is_required => "; required".to_owned(),
        default => format!("; default {default}"),
    };
    format!("{}\n\nType: {}{default}.", plain(&key.meaning()), key.shape.words())
}

/// Returns the values at a path of keys.
fn shape_at(path: &[String]) -> Option<&'static Shape> {
    path.iter().try_fold(&*SCENE, |shape, name| match shape {
        Shape::Names(of) => Some(&**of),
        shape => Some(&shape.table()?.key(name)?.shape),
    })
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
        assert!(labels("[state]\nblend.ds").contains(&"dst".to_owned()));
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
