//! `[subroutines]`: every error with its place, from the text alone or from the programs, and the pictures of
//! selections.

use super::{TempFolder, load};
use crate::scene::{Scene, SceneError};
use crate::session::{self, Job, Loaded, RenderError, Threads};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Column n of four is drawn by element n of `tiles`, all of it brightened by `shade`.
const FRAGMENT: &str = "!!NVfp5.0
SUBROUTINETYPE Pattern { red, green, blue };
SUBROUTINETYPE Shade { plain, half };
SUBROUTINE Pattern tiles[4] = { program.subroutine[1..4] };
SUBROUTINE Pattern first = program.subroutine[1];
SUBROUTINE Shade shade = program.subroutine[0];
TEMP color; INT TEMP n;
main: MUL color.x, fragment.texcoord[0].x, 4.0;
TRUNC.S n.x, color.x;
CALI tiles[n.x];
CALI shade;
MOV result.color, color;
RET;
red SUBROUTINENUM(3): MOV color, { 1, 0, 0, 1 }; RET;
green SUBROUTINENUM(7): MOV color, { 0, 1, 0, 1 }; RET;
blue SUBROUTINENUM(5): MOV color, { 0, 0, 1, 1 }; RET;
plain SUBROUTINENUM(0): RET;
half SUBROUTINENUM(1): MUL color, color, 0.5; RET;
END
";

const VERTEX: &str = "!!NVvp5.0
SUBROUTINETYPE Place { near, far };
SUBROUTINE Place place = program.subroutine[0];
main: CALI place; RET;
near SUBROUTINENUM(0): MOV result.position, vertex.position; MOV result.color, { 1, 0, 0, 1 }; RET;
far SUBROUTINENUM(1): MOV result.position, vertex.position; MOV result.color, { 0, 1, 0, 1 }; RET;
END
";

/// The scene of `programs`, with `choices` in `[subroutines]` from line 4 on, and its folder.
fn scene_of(programs: &str, choices: &str) -> (TempFolder, Result<Scene, SceneError>) {
    let toml = format!("[program]\n{programs}\n[subroutines]\n{choices}\n");
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", FRAGMENT.as_bytes()),
        ("old.fp", b"!!NVfp4.0\nMOV result.color, 1;\nEND\n"),
        ("none.fp", b"!!NVfp5.0\nMOV result.color, 1;\nEND\n"),
        ("main.vp", VERTEX.as_bytes()),
    ]);
    let scene = load(&folder.0);
    (folder, scene)
}

fn compiled(scene: &Scene) -> Loaded {
    let programs = session::compile_scene(scene);
    for (_, compiled) in programs.iter() {
        assert!(compiled.program.is_some(), "{:#?}", compiled.diagnostics);
    }
    programs
}

/// The place and the message of the scene's error.
fn fault(programs: &str, choices: &str) -> ((usize, usize), String) {
    let (_folder, scene) = scene_of(programs, choices);
    let error = match scene {
        Err(error) => error,
        Ok(scene) => {
            let loaded = compiled(&scene);
            let program = |slot| loaded.get(slot)?.program.as_deref();
            let error = scene.check_programs(program).expect_err(choices);
            let job = Job { size: [4, 1], ..Job::new(Arc::new(scene.clone())) };
            let threads = Threads::new(1).unwrap();
            let drawn = session::render(&loaded, &job, &threads, &AtomicBool::new(false));
            assert_eq!(drawn.err(), Some(RenderError::BadScene(error.clone())), "{choices}");
            scene.fault_of_file(error)
        }
    };
    assert!(error.file.ends_with("scene.toml") && error.file.len() > "scene.toml".len(), "{error}");
    let place = error.place.unwrap_or_else(|| panic!("{error} has no place"));
    assert!(error.span.is_some_and(|span| span.end > span.start), "{error}");
    ((place.line, place.column), error.message)
}

#[test]
fn every_complaint_names_its_place() {
    let fragment = "fragment = \"main.fp\"";
    for (programs, choices, place, words) in [
        (
            fragment,
            "shade = \"half\"",
            (4, 1),
            &["\"shade\" is not a subroutine variable", "fragment.NAME"][..],
        ),
        (fragment, "\"fragmet.shade\" = \"half\"", (4, 1), &["\"fragmet\"", "did you mean \"fragment\""]),
        (fragment, "\"pixel.shade\" = \"half\"", (4, 1), &["\"pixel\" is not a stage", "\"geometry\" and"]),
        (fragment, "\"geometry.shade\" = \"half\"", (4, 1), &["belongs to a geometry program", "has none"]),
        (fragment, "fragment.shade = \"half\"", (4, 1), &["in quotes", "\"fragment.NAME\""]),
        (fragment, "\"vertex.shade\" = \"half\"", (4, 1), &["to a vertex program", "the scene has none"]),
        (fragment, "\"fragment.shade\" = 1", (4, 1), &["label", "not the number 1"]),
        (fragment, "\"fragment.tiles\" = [\"red\", 2]", (4, 1), &["label", "not the number 2"]),
        (
            fragment,
            "\n\"fragment.shad\" = \"half\"",
            (5, 1),
            &["no subroutine variable \"shad\"", "mean \"shade\""],
        ),
        (fragment, "\"fragment.x\" = \"half\"", (4, 1), &["it has \"tiles\", \"first\" and \"shade\""]),
        ("fragment = \"none.fp\"", "\"fragment.x\" = \"half\"", (4, 1), &["it declares none"]),
        ("fragment = \"old.fp\"", "\"fragment.x\" = \"a\"", (4, 1), &["!!NVfp4.0 has no", "!!NVfp5.0 has"]),
        (
            fragment,
            "\"fragment.shade\" = \"hal\"",
            (4, 20),
            &["no subroutine \"hal\"", "did you mean \"half\""],
        ),
        (fragment, "\"fragment.shade\" = \"other\"", (4, 20), &["of type Shade are \"plain\" and \"half\""]),
        (
            fragment,
            "\"fragment.shade\" = \"red\"",
            (4, 20),
            &["\"red\" is not of type Shade, the type of \"shade\"", "\"plain\" and \"half\""],
        ),
        (fragment, "\"fragment.shade\" = \"main\"", (4, 20), &["\"main\" is not of type Shade"]),
        (
            fragment,
            "\"fragment.shade\" = [\"half\"]",
            (4, 1),
            &["not an array", "one label, without brackets"],
        ),
        (fragment, "\"fragment.tiles\" = \"red\"", (4, 20), &["is an array: it takes 4 labels in brackets"]),
        (
            fragment,
            "\"fragment.tiles\" = [\"red\", \"red\"]",
            (4, 1),
            &["takes 4 labels, one per element; found 2"],
        ),
        (fragment, "\"fragment.tiles\" = []", (4, 1), &["takes 4 labels", "found 0"]),
        (
            fragment,
            "\"fragment.tiles\" = [\"red\", \"blue\",\n  \"gren\", \"red\"]",
            (5, 3),
            &["no subroutine \"gren\"; did you mean \"green\"?"],
        ),
        (
            fragment,
            "\"fragment.tiles\" = [\"red\", \"red\", \"red\", \"red\"]\n\"fragment.first\" = \"blue\"",
            (5, 20),
            &[
                "\"fragment.tiles\" chooses a different subroutine for program.subroutine[1], which \"fragment.first\" is bound to",
            ],
        ),
        ("vertex = \"main.vp\"", "\"vertex.place\" = \"fra\"", (4, 18), &["the vertex program", "\"far\""]),
        ("vertex = \"main.vp\"", "\"fragment.place\" = \"far\"", (4, 1), &["fragment program", "has none"]),
    ] {
        let (found, message) = fault(programs, choices);
        assert_eq!(found, place, "{choices}\n{message}");
        for word in words {
            assert!(message.contains(word), "{choices}\n{message}\nlacks {word}");
        }
    }
}

#[test]
fn choices_make_the_picture() {
    const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
    const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
    const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
    let half = |color: [f32; 4]| color.map(|x| x * 0.5);
    let tiles = "\"fragment.tiles\" = [\"blue\", \"red\", \"green\", \"blue\"]";
    let shade = "\"fragment.shade\" = \"half\"";
    let fragment = "fragment = \"main.fp\"";
    let vertex = "vertex = \"main.vp\"";
    for (programs, choices, expected) in [
        // The default is the first subroutine of the type.
        (fragment, String::new(), [RED; 4]),
        (fragment, tiles.to_owned(), [BLUE, RED, GREEN, BLUE]),
        (fragment, shade.to_owned(), [half(RED); 4]),
        (fragment, format!("{shade}\n{tiles}"), [BLUE, RED, GREEN, BLUE].map(half)),
        // Two variables bound to one parameter.
        (fragment, "\"fragment.first\" = \"green\"".to_owned(), [GREEN, RED, RED, RED]),
        (fragment, format!("{tiles}\n\"fragment.first\" = \"blue\""), [BLUE, RED, GREEN, BLUE]),
        (vertex, String::new(), [RED; 4]),
        (vertex, "\"vertex.place\" = \"far\"".to_owned(), [GREEN; 4]),
    ] {
        // Without a fragment program, the result is colour 0 modulated by texture 0.
        let choices = format!("{choices}\n[[texture]]\nunit = 0\nimage = \"builtin:white\"");
        let (_folder, scene) = scene_of(programs, &choices);
        let scene = scene.unwrap_or_else(|error| panic!("{error}"));
        let loaded = compiled(&scene);
        let job = Job { size: [4, 1], ..Job::new(Arc::new(scene)) };
        let never = AtomicBool::new(false);
        let frame = session::render(&loaded, &job, &Threads::new(1).unwrap(), &never).unwrap();
        let drawn = [0, 1, 2, 3].map(|x| frame.pixel([x, 0]).unwrap().color);
        assert_eq!(drawn, expected, "{programs} {choices}");
        for x in 0..4 {
            let recorded = session::record(&loaded, (&job, None), [x, 0], None, &never).unwrap();
            let agreement = session::verify_pixel(&frame, &job, [x, 0], recorded.end());
            assert_eq!(agreement, session::Agreement::Same, "{choices} at {x}");
        }
    }
}
