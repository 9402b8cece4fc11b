//! The names in `[parameters]`. A name that no program has gives a warning at its place, with a suggestion.

use super::{TempFolder, load};
use crate::session;

const PROGRAM: &str = "!!FP1.0\nDECLARE tint = {1, 1, 1, 1};\nDECLARE scale;\nDECLARE $far = 2;\nMOV R0, $far;\n\
                       MUL R0, R0, scale;\nMUL o[COLR], R0, tint;\nEND\n";
const ARB: &str = "!!ARBfp1.0\nPARAM tint = program.local[3];\nPARAM rows[2] = { program.env[1..2] };\n\
                   ADD result.color, tint, rows[1];\nEND\n";
const VERTEX: &str = "!!VP1.1\nADD o[HPOS], c[A0.x + 3], v[OPOS];\nEND\n";

/// The warnings about `entries` in `[parameters]` with these `programs`: line, column, message, and the text
/// after the fix.
fn warnings(programs: &str, entries: &str) -> Vec<(usize, usize, String, Option<String>)> {
    let toml = format!("[program]\n{programs}\n[parameters]\n{entries}\n");
    let broken = VERTEX.replace("c[", "q[");
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", PROGRAM.as_bytes()),
        ("arb.fp", ARB.as_bytes()),
        ("main.vp", VERTEX.replace("ADD", "ARL A0.x, v[0].x;\nADD").as_bytes()),
        ("broken.vp", broken.as_bytes()),
    ]);
    let scene = load(&folder.0).unwrap_or_else(|error| panic!("{error}\n{toml}"));
    let loaded = session::compile_scene(&scene);
    let found = scene.parameter_warnings(|slot| loaded.get(slot)?.program.as_deref());
    let row = |warning: crate::scene::SceneError| {
        let place = warning.place.unwrap();
        let fixed = warning.fix.map(|fix| {
            let (start, end) = (fix.span.start, fix.span.end);
            let text = format!("{}{}{}", &toml[..start], fix.replacement, &toml[end..]);
            std::fs::write(folder.0.join("scene.toml"), &text).unwrap();
            let fixed = load(&folder.0).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let left = fixed.parameter_warnings(|slot| loaded.get(slot)?.program.as_deref());
            assert_eq!(left, [], "{text}");
            text.lines().nth(place.line - 1).unwrap_or_default().to_owned()
        });
        (place.line, place.column, warning.message, fixed)
    };
    found.into_iter().map(row).collect()
}

const FRAGMENT: &str = "fragment = \"main.fp\"";

#[test]
fn names_that_no_program_has_are_warned_of_with_what_was_meant() {
    let has_not =
        |name: &str, near: &str| format!("the program has no parameter \"{name}\"; did you mean \"{near}\"?");
    for (entry, name, near, fixed) in [
        ("tnit = [1]", "tnit", "tint", "tint = [1]"),
        ("\"tnit\" = [1]", "tnit", "tint", "tint = [1]"),
        ("scales = { value = [1], max = 2 }", "scales", "scale", "scale = { value = [1], max = 2 }"),
        ("\"$fat\" = 1", "$fat", "$far", "\"$far\" = 1"),
    ] {
        let expected = (4, 1, has_not(name, near), Some(fixed.to_owned()));
        assert_eq!(warnings(FRAGMENT, entry), [expected], "{entry}");
    }
    // A name on several lines; a name without a similar one; a name whose similar one is already set.
    let dotted = warnings(FRAGMENT, "tnit.value = [1]\ntnit.max = 2");
    assert_eq!(dotted, [(4, 1, has_not("tnit", "tint"), None)]);
    let far = warnings(FRAGMENT, "ambient = 1");
    assert_eq!(far, [(4, 1, "the program has no parameter \"ambient\"".to_owned(), None)]);
    let taken = warnings(FRAGMENT, "tint = 1\ntnit = 1");
    assert_eq!(taken, [(5, 1, "the program has no parameter \"tnit\"".to_owned(), None)]);
}

#[test]
fn variables_of_arb_programs_are_set_by_their_bindings() {
    let arb = "fragment = \"arb.fp\"";
    let words = |name: &str, key: &str| {
        format!("in scene.toml, write the fragment program's variable \"{name}\" as \"{key}\"")
    };
    let tint = (4, 1, words("tint", "p[3]"), Some("\"p[3]\" = [1]".to_owned()));
    assert_eq!(warnings(arb, "tint = [1]"), [tint]);
    let taken = warnings(arb, "\"p[3]\" = 1\ntint = 1");
    assert_eq!(taken, [(5, 1, words("tint", "p[3]"), None)]);
}

#[test]
fn numbered_parameters_need_a_program_of_their_stage_alone() {
    let both = "fragment = \"main.fp\"\nvertex = \"main.vp\"";
    // Programs can read c[n] relatively, but p[n] cannot be read so.
    let all = "\"c[90]\" = 1\n\"p[60]\" = 1\n\"vertex.local[2]\" = 1\n\"fragment.env[1]\" = 1\ntint = 1";
    assert_eq!(warnings(both, all), []);
    let without = "the scene has none".to_owned();
    let fragment = warnings(FRAGMENT, "\"c[90]\" = 1\n\"vertex.local[2]\" = 1\n  \"geometry.env[0]\" = 1");
    assert_eq!(
        fragment,
        [
            (5, 1, format!("\"vertex.local[2]\" belongs to a vertex program, but {without}"), None),
            (6, 3, format!("\"geometry.env[0]\" belongs to a geometry program, but {without}"), None),
        ]
    );
    let vertex = warnings("vertex = \"main.vp\"", "\"p[0]\" = 1");
    assert_eq!(vertex, [(4, 1, format!("\"p[0]\" belongs to a fragment program, but {without}"), None)]);
}

#[test]
fn nothing_is_said_of_names_until_all_programs_load() {
    let broken = "fragment = \"main.fp\"\nvertex = \"broken.vp\"";
    assert_eq!(warnings(broken, "nothing = 1\n\"geometry.env[0]\" = 1"), []);
}
