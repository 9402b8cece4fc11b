//! Tests of `lesson`, which checks the folder of a lesson or of a course.

use crate::common::{Json, TempFolder, shadestep};
use std::fs;

/// Writes a course with one valid lesson.
fn course() -> TempFolder {
    let folder = TempFolder::new();
    fs::create_dir_all(folder.0.join("01-a/solution")).expect("a folder");
    folder.file("01-a/lesson.md", "Words.");
    folder.file("01-a/scene.toml", "size = [8, 8]\n[program]\nfragment = \"main.fp\"\n");
    folder.file("01-a/main.fp", "!!FP1.0\nMOV o[COLR], 0.0;\nEND\n");
    folder.file("01-a/solution/main.fp", "!!FP1.0\nMOV o[COLR], 1.0;\nEND\n");
    folder.file(
        "01-a/lesson.toml",
        "title = \"A\"\nabout = \"x\"\nhints = [\"h\"]\n[[check]]\npicture = true\n",
    );
    folder
}

#[test]
fn the_bundled_course_is_listed() {
    let run = shadestep(&["lesson"]);
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(run.lines()[0], "01-four-components: Four numbers in a register");
    assert_eq!(run.lines().len(), 36);
}

#[test]
fn a_course_is_checked() {
    let folder = course();
    let path = folder.0.display().to_string();
    let run = shadestep(&["lesson", &path, "--check"]);
    assert_eq!((run.code, &*run.out, &*run.err), (0, "01-a: ok\n1 lesson: ok\n", ""));
    let one = shadestep(&["lesson", &format!("{path}/01-a"), "--check"]);
    assert_eq!((one.code, &*one.out), (0, "01-a: ok\n1 lesson: ok\n"));
    folder.file("01-a/main.fp", "!!FP1.0\nMOV o[COLR], 1.0;\nEND\n");
    let run = shadestep(&["lesson", &path, "--check"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.out, "01-a: the start already passes every check\n1 lesson: 1 with problems\n");
    folder.file("01-a/lesson.toml", "title = \"A\"\nabuot = \"x\"\n");
    let run = shadestep(&["lesson", &path, "--check"]);
    assert_eq!(run.code, 1);
    let place = format!("{path}/01-a/lesson.toml:2:1: unknown key \"abuot\"");
    assert!(run.out.starts_with(&place), "{}", run.out);
}

#[test]
fn a_folder_without_lessons_is_none() {
    let folder = TempFolder::new();
    let run = shadestep(&["lesson", &folder.0.display().to_string()]);
    assert_eq!((run.code, &*run.out), (2, ""));
    assert!(run.err.contains("there is no lesson in this folder"), "{}", run.err);
}

#[test]
fn the_result_can_be_json() {
    let folder = course();
    let path = folder.0.display().to_string();
    let run = shadestep(&["lesson", &path, "--check", "--format", "json"]);
    assert_eq!(run.code, 0);
    let json = Json::parse(&run.out);
    let lesson = &json.get("lessons").items()[0];
    assert_eq!((lesson.get("name").text(), lesson.get("title").text()), ("01-a", "A"));
    assert_eq!((lesson.get("ok"), lesson.get("hints")), (&Json::Bool(true), &Json::Number("1".to_owned())));
    assert_eq!(lesson.get("checks").items()[0].text(), "The picture matches the solution");
    folder.file("01-a/solution/main.fp", "!!FP1.0\nMOV o[COLR], 0.0;\nEND\n");
    let run = shadestep(&["lesson", &path, "--check", "--format", "json"]);
    let json = Json::parse(&run.out);
    let lesson = &json.get("lessons").items()[0];
    assert_eq!((run.code, lesson.get("ok")), (1, &Json::Bool(false)));
    assert!(lesson.get("faults").items()[0].text().contains("passes every check"));
}

#[test]
fn pages_over_the_limits_are_named_at_their_place() {
    let folder = course();
    let path = folder.0.display().to_string();
    for (page, place) in [
        (
            format!("Words.\n\n{}x\n", "> ".repeat(33)),
            ":3:1: lists, quotes, emphasis and links are nested more than 32",
        ),
        ("a".repeat((256 << 10) + 1), ": the file is larger than 256 KiB"),
    ] {
        folder.file("01-a/lesson.md", &page);
        let run = shadestep(&["lesson", &path, "--check"]);
        assert_eq!((run.code, run.lines().len()), (1, 2), "{}", run.out);
        assert!(run.out.starts_with(&format!("{path}/01-a/lesson.md{place}")), "{}", run.out);
    }
}

#[test]
fn control_characters_of_a_lesson_stay_on_their_line() {
    let folder = course();
    let path = folder.0.display().to_string();
    folder.file("README.md", "# My\u{1b}[2Jcourse\n");
    folder.file(
        "01-a/lesson.toml",
        "title = \"A\\u001bB\"\nabout = \"x\\ty\"\nhints = [\"h\"]\n\
         [[check]]\npicture = true\n\
         [[check]]\nuses = { register = \"R\\n01-b: ok\" }\n\
         [[check]]\nregister = \"R\\n1.x\"\npixel = [0, 0]\nvalue = [1]\nline = \"a\\tb\"\n\
         [[check]]\nbuffer = \"b\\nc\"\nvalue = [1]\n",
    );
    let listed = shadestep(&["lesson", &path]);
    assert_eq!((listed.code, &*listed.out), (0, "01-a: A\\u001bB\n"));
    let run = shadestep(&["lesson", &path, "--check"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.lines().len(), 4, "a line for each fault, and the sum: {}", run.out);
    assert!(
        run.lines().iter().take(3).all(|line| line.starts_with("01-a: the solution fails: ")),
        "{}",
        run.out
    );
    assert!(run.out.contains("the register 'R\\u000a01-b: ok'"), "{}", run.out);
    let run = shadestep(&["lesson", &path, "--format", "json"]);
    let json = Json::parse(&run.out);
    assert_eq!(json.get("title").text(), "My\\u001b[2Jcourse");
}
