//! The tables of keys on the page about scenes, and the JSON Schema of scenes, match the keys that the reader
//! of scenes accepts.

use super::snapshot::compare;
use crate::common::tree::root;
use boon::{Compiler, Draft, Schemas};
use regex::{Captures, Regex};
use serde_json::{Map, Value, json};
use shadestep::scene::SCENE_FILE;
use shadestep::scene::schema::{Key, Shape, TableShape, plain, root as scene_root};
use std::fmt::Write as _;
use std::fs;

const PAGE: &str = "docs/scene.md";
const SCHEMA: &str = "docs/scene.schema.json";
const END: &str = "<!-- /keys -->";

/// Tables of one face. The table of both faces lists their keys.
const FACES: [&str; 4] = ["in stencil.front", "in stencil.back", "in [material.front]", "in [material.back]"];

/// Returns every table of the page once.
fn tables() -> Vec<TableShape> {
    fn collect(table: &TableShape, all: &mut Vec<TableShape>) {
        if FACES.contains(&table.place) || all.iter().any(|other| other.place == table.place) {
            return;
        }
        all.push(table.clone());
        for key in &table.keys {
            collect_in(&key.shape, all);
        }
    }
    fn collect_in(shape: &Shape, all: &mut Vec<TableShape>) {
        match shape {
            Shape::Names(of) => collect_in(of, all),
            shape => shape.table().into_iter().for_each(|table| collect(table, all)),
        }
    }
    let mut all = Vec::new();
    collect(&scene_root(), &mut all);
    all
}

/// Returns the first cell of a row. Keys that differ only in their names share a row:
/// `` `texture0` to `texture7` ``.
fn names(keys: &[&Key]) -> String {
    let code = |key: &&Key| format!("`{}`", key.name);
    let is_numbered = |key: &&Key| key.name.ends_with(|c: char| c.is_ascii_digit());
    match keys {
        [first, .., last] if is_numbered(last) => format!("{} to {}", code(first), code(last)),
        keys => keys.iter().map(code).collect::<Vec<_>>().join(", "),
    }
}

/// Returns a table in Markdown.
fn rows(table: &TableShape) -> String {
    let is_table = |key: &&Key| matches!(key.shape, Shape::Table(_) | Shape::Tables(_) | Shape::Names(_));
    let is_top = table.place == scene_root().place;
    let keys: Vec<&Key> = table.keys.iter().filter(|key| !is_top || !is_table(key)).collect();
    let mut text = "| key | type | default | meaning |\n|---|---|---|---|\n".to_owned();
    let same =
        |a: &&Key, b: &&Key| (a.doc, a.default, a.shape.words()) == (b.doc, b.default, b.shape.words());
    for group in keys.chunk_by(same) {
        let key = group[0];
        let below = match &key.shape {
            Shape::Table(inner) if !FACES.contains(&inner.place) => {
                format!(" See [below](#{}).", key.name)
            }
            _ => String::new(),
        };
        let (names, ty, meaning) = (names(group), key.shape.words(), key.meaning());
        let _ = writeln!(text, "| {names} | {ty} | {} | {meaning}{below} |", key.default);
    }
    text
}

/// `UPDATE_SNAPSHOTS=true` writes the tables.
#[test]
fn the_book_lists_every_key_of_scenes() {
    let page = fs::read_to_string(root().join(PAGE)).expect("the page").replace("\r\n", "\n");
    let mut wanted = page.clone();
    let tables = tables();
    for table in &tables {
        let start = format!("<!-- keys {} -->\n", table.place);
        let (before, rest) = wanted.split_once(&start).unwrap_or_else(|| panic!("{PAGE} needs {start}"));
        let (_, after) = rest.split_once(END).expect("a mark after the keys");
        wanted = format!("{before}{start}\n{}\n{END}{after}", rows(table));
    }
    assert_eq!(page.matches(END).count(), tables.len(), "the page has a mark of an unknown table");
    compare(PAGE, &wanted);
}

fn schema_of(shape: &Shape) -> Value {
    match shape {
        Shape::Text(_) => json!({ "type": "string" }),
        Shape::Words(names) => json!({ "enum": names }),
        Shape::Spelled(names) => json!({ "anyOf": [{ "enum": names }, { "type": "string" }] }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Number(least, most) => {
            let mut schema = Map::from_iter([("type".to_owned(), json!("number"))]);
            schema.extend(least.map(|least| ("minimum".to_owned(), json!(least))));
            schema.extend(most.map(|most| ("maximum".to_owned(), json!(most))));
            Value::Object(schema)
        }
        Shape::Positive => json!({ "type": "number", "exclusiveMinimum": 0 }),
        Shape::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Shape::Source => json!({ "$ref": "#/$defs/source" }),
        Shape::Array(of, least, most) => {
            let mut schema = json!({ "type": "array", "items": schema_of(of), "minItems": least });
            if let Ok(most) = u32::try_from(*most) {
                schema["maxItems"] = json!(most);
            }
            schema
        }
        Shape::Either(shapes) => json!({ "anyOf": shapes.iter().map(schema_of).collect::<Vec<_>>() }),
        Shape::Called(_, of) => schema_of(of),
        Shape::Table(table) => object(table),
        Shape::Tables(table) => json!({ "type": "array", "items": object(table) }),
        Shape::Names(of) => json!({ "type": "object", "additionalProperties": schema_of(of) }),
    }
}

fn object(table: &TableShape) -> Value {
    let property = |key: &Key| {
        let mut schema = schema_of(&key.shape);
        schema["description"] = json!(plain(key.doc));
        (key.name.to_owned(), schema)
    };
    let required: Vec<&str> = table.keys.iter().filter(|key| key.is_required).map(|key| key.name).collect();
    json!({
        "type": "object",
        "properties": table.keys.iter().map(property).collect::<Map<_, _>>(),
        "required": required,
        "additionalProperties": false,
    })
}

fn schema() -> Value {
    let mut schema = object(&scene_root());
    let sources = Shape::Source.values();
    let sources: Vec<&str> = sources.iter().map(|name| name.trim_matches('"')).collect();
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A scene of Shadestep: scene.toml");
    schema["$defs"] = json!({ "source": { "anyOf": [{ "type": "number" }, { "enum": sources }, { "type": "string", "pattern": "^address_of\\(" }] } });
    schema
}

/// `UPDATE_SNAPSHOTS=true` writes the schema.
#[test]
fn the_schema_of_scenes_is_that_of_the_reader() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("JSON");
    // Short lists and objects take one line.
    let inner = Regex::new(r"[\[{]\n[^\[\]{}]*\n\s*[\]}]").expect("a pattern");
    let spaces = Regex::new(r"\n\s*").expect("a pattern");
    for _ in 0..2 {
        text = inner
            .replace_all(&text, |found: &Captures<'_>| spaces.replace_all(&found[0], " ").into_owned())
            .into_owned();
    }
    compare(SCHEMA, &(text + "\n"));
}

#[test]
fn every_sample_is_as_the_schema_says() {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.set_default_draft(Draft::V2020_12);
    compiler.add_resource("scene.json", schema()).expect("a resource");
    let index = compiler.compile("scene.json", &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
    let check = |text: &str| {
        let value: Value = toml::from_str(text).expect("TOML");
        schemas.validate(&value, index).map_err(|error| format!("{error:#}"))
    };
    let folders = ["samples", "samples/lessons"].map(|folder| fs::read_dir(root().join(folder)));
    let scenes = folders.into_iter().flat_map(|folder| folder.expect("a folder"));
    let scenes: Vec<_> = scenes.map(|entry| entry.expect("an entry").path().join(SCENE_FILE)).collect();
    let scenes: Vec<_> = scenes.into_iter().filter(|path| path.exists()).collect();
    assert!(scenes.len() > 100, "{}", scenes.len());
    for path in scenes {
        let text = fs::read_to_string(&path).expect("the scene");
        check(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    for wrong in
        ["[state]\ncull = \"NONE\"", "titel = \"a\"", "[[texture]]\nimage = \"a.png\"", "size = [0, 1]"]
    {
        assert!(check(wrong).is_err(), "{wrong}");
    }
}
