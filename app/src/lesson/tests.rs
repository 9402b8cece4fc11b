//! Checks of lessons in memory, and of the bundled course, as `lesson --check` runs them.

use super::read::tests::lesson;
use super::{
    Answer, Classroom, Course, Lesson, PAGE_FILE, Progress, Reference, Report, Status, bundled_course, check,
};
use crate::model::{Document, DocumentId};
use crate::scene::{Folder, Scene, Slot};
use crate::session::{RenderError, Threads};
use shadestep_engine::debug::Subject;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static NEVER: AtomicBool = AtomicBool::new(false);
const SCENE: &str = "size = [4, 4]\n[program]\nfragment = \"main.fp\"\n";

fn threads() -> Threads {
    Threads::new(1).unwrap()
}

/// A lesson of 4x4 pixels with these checks and the programs `start` and `solution`.
fn of_checks(checks: &str, start: &str, solution: &str) -> Lesson {
    let toml = format!("title = \"T\"\nabout = \"A\"\nhints = [\"h\"]\n{checks}\n");
    let files = [("scene.toml", SCENE), ("main.fp", start), ("solution/main.fp", solution)];
    lesson(&toml, &files).unwrap_or_else(|error| panic!("{error}"))
}

/// The report of `lesson` on a fragment program.
fn report(lesson: &Lesson, text: &str) -> Report {
    let reference = Reference::of(lesson, &threads(), &NEVER).unwrap();
    let mut scene = Scene::clone(reference.start());
    scene.programs.get_mut(Slot::Fragment).unwrap().text = text.as_bytes().into();
    check(lesson, (&reference, &Answer::from(Arc::new(scene))), &threads(), &NEVER).unwrap()
}

/// All faults, one line each.
fn told(report: &Report) -> Vec<String> {
    report.faults().map(|(_, fault)| fault.to_string()).collect()
}

const RAMP: &str = "!!FP1.0\nMOV o[COLR], f[TEX0];\nEND\n";
/// [`RAMP`] without red.
const NO_RED: &str = "!!FP1.0\nMOV R0, f[TEX0];\nMOV R0.x, 0.0;\nMOV o[COLR], R0;\nEND\n";

#[test]
fn a_picture_is_compared_and_the_worst_pixel_told() {
    let lesson = of_checks("[[check]]\npicture = true\nsays = \"Red.\"", NO_RED, RAMP);
    assert!(report(&lesson, RAMP).is_solved());
    let wrong = report(&lesson, NO_RED);
    // The expected red is (n + 0.5) / 4, so the fourth column differs most, by 0.875. The lowest of its
    // pixels is reported; y is 0.125 there.
    let words = "Red. 16 of 16 pixels differ. The worst is (3, 0): it is (0, 0.125, 0) and should be (0.875, 0.125, 0).";
    assert_eq!(told(&wrong), [words]);
    let Status::Failed(fault) = &wrong.outcomes[0].status else { panic!("{wrong:?}") };
    assert_eq!(fault.subject, Some(Subject::Pixel([3, 0])));
    assert_eq!(fault.colors, Some([[0.0, 0.125, 0.0, 1.0], [0.875, 0.125, 0.0, 1.0]]));
    // Values are clamped to 0...1 as on the screen, and alpha is ignored.
    let beyond = of_checks("[[check]]\npicture = true", NO_RED, "!!FP1.0\nMOV o[COLR], {1, 0, 1, 1};\nEND\n");
    assert!(report(&beyond, "!!FP1.0\nMOV o[COLR], {7, -2, 1.5, 0};\nEND\n").is_solved());
}

#[test]
fn alpha_is_compared_on_request_and_shown_where_it_differs() {
    let opaque = "!!FP1.0\nMOV o[COLR], {1, 0.5, 0, 1};\nEND\n";
    let clear = "!!FP1.0\nMOV o[COLR], {1, 0.5, 0, 0.25};\nEND\n";
    let beyond = "!!FP1.0\nMOV o[COLR], {1, 0.5, 0, 7};\nEND\n";
    let lesson = of_checks("[[check]]\npicture = true\nalpha = true", RAMP, opaque);
    assert!(report(&lesson, beyond).is_solved(), "alpha is clamped");
    let wrong = report(&lesson, clear);
    let words =
        "16 of 16 pixels differ. The worst is (0, 0): it is (1, 0.5, 0, 0.25) and should be (1, 0.5, 0, 1).";
    assert_eq!(told(&wrong), [words]);
    let Status::Failed(fault) = &wrong.outcomes[0].status else { panic!("{wrong:?}") };
    assert_eq!(fault.colors, Some([[1.0, 0.5, 0.0, 0.25], [1.0, 0.5, 0.0, 1.0]]));
    let pixel = of_checks("[[check]]\npixel = [0, 0]\ncolor = [1, 0.5, 0, 1]", RAMP, opaque);
    let wrong = report(&pixel, clear);
    let Status::Failed(fault) = &wrong.outcomes[0].status else { panic!("{wrong:?}") };
    assert_eq!(fault.colors, Some([[1.0, 0.5, 0.0, 0.25], [1.0, 0.5, 0.0, 1.0]]));
}

#[test]
fn pictures_are_compared_with_other_parameters() {
    let follows = "!!FP1.0\nDECLARE tint = {1, 1, 1, 1};\nMOV o[COLR], tint;\nEND\n";
    let fixed = "!!FP1.0\nMOV o[COLR], {1, 1, 1, 1};\nEND\n";
    let checks = "[[check]]\npicture = true\n[[check]]\npicture = true\nparameters = { tint = [0.5, 0.25] }";
    let lesson = of_checks(checks, RAMP, follows);
    assert!(report(&lesson, follows).is_solved());
    let wrong = report(&lesson, fixed);
    // Missing components are 0, 0, 0, 1.
    let words = "With `tint` set to (0.5, 0.25): 16 of 16 pixels differ. The worst is (0, 0): it is (1, 1, 1) and should be (0.5, 0.25, 0).";
    assert_eq!(told(&wrong), [words]);
    let Status::Failed(fault) = &wrong.outcomes[1].status else { panic!("{wrong:?}") };
    assert_eq!(fault.subject, None, "stepping would show the scene's own tint");
    assert_eq!(wrong.outcomes[1].task, "The picture matches the solution with `tint` set to (0.5, 0.25)");
}

#[test]
fn the_scene_is_asked_for_the_value_of_a_parameter() {
    let tinted = format!("{SCENE}[parameters]\ntint = [0.5, 0.25]\n\"p[1]\" = [\"time\"]\n");
    let toml = "title = \"T\"\nabout = \"A\"\nhints = [\"h\"]\n\
                [[check]]\nparameter = \"tint\"\nvalue = [0.5, 0.25, 0, 1]\n\
                [[check]]\nparameter = \"tint\"\nvalue = [0.5, 0.75]\n\
                [[check]]\nparameter = \"p[1]\"\nvalue = [0]\n\
                [[check]]\nparameter = \"p[2]\"\nvalue = [0]\n";
    let text = "!!FP1.0\nDECLARE tint = {1, 1, 1, 1};\nMOV o[COLR], tint;\nEND\n";
    let files = [("scene.toml", &*tinted), ("main.fp", text), ("solution/main.fp", text)];
    assert_eq!(
        told(&report(&lesson(toml, &files).unwrap(), text)),
        [
            "The scene sets `tint` to (0.5, 0.25). It should be (0.5, 0.75).",
            "The scene sets `p[1]` to a computed value. It should be 0.",
            "The scene sets no value for `p[2]`.",
        ]
    );
}

#[test]
fn a_discarded_pixel_can_be_asked_for() {
    let kill = "!!FP1.0\nSUBC R0.x, f[TEX0].x, 0.5;\nKIL LT.x;\nMOV o[COLR], 1.0;\nEND\n";
    let lesson = of_checks("[[check]]\npixel = [0, 0]\ndiscarded = true", RAMP, kill);
    assert!(report(&lesson, kill).is_solved());
    assert_eq!(told(&report(&lesson, RAMP)), ["At pixel (0, 0), the program writes a colour."]);
    let outside = of_checks("[[check]]\npixel = [9, 0]\ndiscarded = true", RAMP, kill);
    assert_eq!(told(&report(&outside, kill)), ["The picture has no pixel (9, 0)."]);
}

#[test]
fn a_branch_has_to_skip_something() {
    let text = |body: &str| {
        format!(
            "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP a;\nSUBC a, fragment.texcoord[0], 0.5;\n{body}\nEND\n"
        )
    };
    let live = text("IF LT.x;\nMOV result.color, 1.0;\nELSE;\nMOV result.color, 0.0;\nENDIF;");
    let dead = text("IF LT.x;\nELSE;\nENDIF;\nMOV result.color, 0.0;\nMOV result.color (LT.x), 1.0;");
    let lesson = of_checks("[[check]]\nbranches = true\npixels = [[0, 0], [3, 0]]", &dead, &live);
    assert!(report(&lesson, &live).is_solved());
    assert_eq!(
        told(&report(&lesson, &dead)),
        ["No branch skips anything: pixel (0, 0) and pixel (3, 0) run the same instructions."]
    );
    let task = &report(&lesson, &dead).outcomes[0].task;
    assert_eq!(task, "The program takes different paths at pixel (0, 0) and pixel (3, 0)");
    // Loops with different numbers of iterations take different paths.
    let looping = text("REP 2.0;\nBRK (LT.x);\nMOV result.color, 1.0;\nENDREP;\nMOV result.color, 0.0;");
    assert!(report(&lesson, &looping).is_solved());
}

#[test]
fn instructions_are_counted_by_name() {
    let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM n = { 3, 0, 0, 0 };\nTEMP a;\nMOV a, 0.0;\n\
                REP n;\n ADD a, a, 0.25;\nENDREP;\nMOV result.color, a;\nEND\n";
    let lesson = of_checks(
        "[[check]]\ninstructions = { named = \"MOV\", most = 1 }\n\
         [[check]]\ninstructions = { named = \"ADD\", least = 2 }\n\
         [[check]]\ninstructions = { named = \"ADD\", most = 2 }\npixel = [0, 0]\n\
         [[check]]\ninstructions = { named = \"ADD\", least = 3, most = 3 }\npixel = [0, 0]\n\
         [[check]]\ninstructions = { named = \"MUL\", least = 1 }",
        text,
        text,
    );
    assert_eq!(
        told(&report(&lesson, text)),
        [
            "The fragment program has 2 `MOV` instructions. At most 1 is allowed.",
            "The fragment program has 1 `ADD` instruction. At least 2 are needed.",
            "At pixel (0, 0), the program executes 3 `ADD` instructions. At most 2 are allowed.",
            "The fragment program has 0 `MUL` instructions. At least 1 is needed.",
        ]
    );
    let tasks: Vec<String> = lesson.checks.iter().map(|check| check.task.to_string()).collect();
    assert_eq!(tasks[0], "At most 1 `MOV` instruction");
    assert_eq!(tasks[3], "Exactly 3 `ADD` instructions executed at pixel (0, 0)");
}

#[test]
fn a_part_of_the_picture_and_a_tolerance_count() {
    let left = of_checks("[[check]]\npicture = true\nrect = [0, 1, 1, 2]", NO_RED, RAMP);
    let words =
        "2 of 2 pixels differ. The worst is (0, 1): it is (0, 0.375, 0) and should be (0.125, 0.375, 0).";
    assert_eq!(told(&report(&left, NO_RED)), [words]);
    let near = of_checks("[[check]]\npicture = true\nrect = [0, 1, 1, 2]\ntolerance = 0.125", NO_RED, RAMP);
    assert!(report(&near, NO_RED).is_solved());
}

#[test]
fn a_pixel_that_is_not_drawn_is_told_so() {
    let kill = "!!FP1.0\nSUBC R0.x, f[TEX0].x, 0.5;\nKIL LT.x;\nMOV o[COLR], 1.0;\nEND\n";
    let lesson = of_checks("[[check]]\npixel = [0, 0]\ncolor = [1, 1, 1]", kill, RAMP);
    // The default clear colour.
    let words = "Pixel (0, 0) is discarded, leaving (0.1, 0.1, 0.12), and should be (1, 1, 1).";
    assert_eq!(told(&report(&lesson, kill)), [words]);
    let picture = of_checks("[[check]]\npicture = true\nrect = [0, 0, 1, 1]", RAMP, kill);
    let words =
        "One pixel differs: (0, 0) is (0.125, 0.125, 0) and should be discarded, leaving (0.1, 0.1, 0.12).";
    assert_eq!(told(&report(&picture, RAMP)), [words]);
}

#[test]
fn registers_are_looked_at_at_the_end_and_at_a_line() {
    let text = "!!FP1.0\nMOV R0, 0.25;\n# here\nADD R0, R0, 0.5;\nMOV o[COLR], R0;\nEND\n";
    let lesson = of_checks(
        "[[check]]\nregister = \"R0.x\"\npixel = [1, 1]\nvalue = [0.75]\n\
         [[check]]\nregister = \"R0.xy\"\npixel = [1, 1]\nvalue = [0.25, 0.5]\nline = \"# here\"\n\
         [[check]]\nregister = \"o[COLR].w\"\npixel = [1, 1]\nvalue = [0.75]\n\
         [[check]]\nregister = \"R5.x\"\npixel = [1, 1]\nvalue = [0]\n\
         [[check]]\nregister = \"R0.x\"\npixel = [1, 1]\nvalue = [0]\nline = \"# gone\"",
        text,
        text,
    );
    assert_eq!(
        told(&report(&lesson, text)),
        [
            "At pixel (1, 1), `R0.xy` at the line `# here` is (0.25, 0.25) and should be (0.25, 0.5).",
            "At pixel (1, 1), the program never uses `R5`.",
            "At pixel (1, 1), the line with `# gone` is missing. Put it back.",
        ]
    );
}

#[test]
fn what_nobody_has_written_is_told() {
    let text = "!!ARBfp1.0\nTEMP a;\nMOV a.x, 1.0;\nMOV result.color, a;\nEND\n";
    let lesson = of_checks("[[check]]\nregister = \"a.xy\"\npixel = [0, 0]\nvalue = [1, 1]", text, text);
    let words = "At pixel (0, 0), `a.xy` is (1, 0) and should be (1, 1). The program has not written its y.";
    assert_eq!(told(&report(&lesson, text)), [words]);
}

#[test]
fn instructions_are_counted_as_executed_and_as_written() {
    let loop_text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM n = { 3, 0, 0, 0 };\nTEMP a;\nMOV a, 0.0;\n\
                     REP n;\n ADD a, a, 0.25;\nENDREP;\nMOV result.color, a;\nEND\n";
    let lesson = of_checks(
        "[[check]]\ninstructions = { most = 4 }\n[[check]]\ninstructions = { least = 6 }\n\
         [[check]]\ninstructions = { most = 8 }\npixel = [0, 0]",
        loop_text,
        loop_text,
    );
    // The text has 5 instructions. Executed are MOV, REP, ADD and ENDREP three times, and MOV.
    assert_eq!(
        told(&report(&lesson, loop_text)),
        [
            "The fragment program has 5 instructions. At most 4 are allowed.",
            "The fragment program has 5 instructions. At least 6 are needed.",
            "At pixel (0, 0), the program executes 9 instructions. At most 8 are allowed.",
        ]
    );
}

#[test]
fn instructions_suffixes_and_registers_are_found() {
    let text = "!!FP1.0\n# MUL in a comment\nMADRC_SAT R0, f[TEX0], 2.0, 1.0;\nMOV o[COLR], R0;\nEND\n";
    let uses = |what: &str| {
        let lesson = of_checks(&format!("[[check]]\nuses = {{ {what} }}"), text, text);
        report(&lesson, text).is_solved()
    };
    for there in [
        "instruction = \"MAD\"",
        "suffix = \"R\"",
        "suffix = \"C\"",
        "suffix = \"SAT\"",
        "register = \"R0\"",
        "register = \"o[COLR]\"",
        "register = \"f[TEX0]\"",
    ] {
        assert!(uses(there), "{there}");
    }
    for missing in [
        "instruction = \"MUL\"",
        "suffix = \"H\"",
        "suffix = \"RC\"",
        "register = \"R1\"",
        "register = \"f[COL0]\"",
    ] {
        assert!(!uses(missing), "{missing}");
    }
    let lesson = of_checks("[[check]]\navoids = { suffix = \"SAT\" }", text, text);
    assert_eq!(told(&report(&lesson, text)), ["The fragment program uses the suffix `SAT` on line 3."]);
}

#[test]
fn the_line_of_a_register_is_told_by_its_whole_name_outside_of_comments() {
    let text = "!!FP1.0\n# R1 and o[COLR]\nMOV R10, 1.0;\nMOV R1, R10;\nMOV o[COLR], R1;\nEND\n";
    for (name, line) in [("R1", 4), ("R10", 3), ("o[COLR]", 5)] {
        let lesson = of_checks(&format!("[[check]]\navoids = {{ register = \"{name}\" }}"), text, text);
        let words = format!("The fragment program uses the register `{name}` on line {line}.");
        assert_eq!(told(&report(&lesson, text)), [words]);
    }
}

#[test]
fn a_program_that_does_not_load_comes_before_all_else() {
    let lesson = of_checks("[[check]]\nloads = true\n[[check]]\npicture = true", NO_RED, RAMP);
    let wrong = report(&lesson, "!!FP1.0\nMOV o[COLR], R99;\nEND\n");
    assert!(!wrong.is_solved());
    let fault = wrong.fault.as_ref().unwrap();
    assert!(fault.facts.starts_with("The fragment program does not load. Line 2: "), "{fault}");
    assert_eq!(wrong.outcomes[1].status, Status::Waits);
    assert!(matches!(wrong.outcomes[0].status, Status::Failed(_)));
}

#[test]
fn a_program_can_be_asked_to_fail() {
    let two = "!!FP1.0\nADD o[COLR], f[TEX0], f[COL0];\nEND\n";
    let lesson = of_checks("[[check]]\nerror = \"fp1-two-attributes\"", RAMP, two);
    assert!(report(&lesson, two).is_solved());
    assert_eq!(told(&report(&lesson, RAMP)), ["All programs load without errors."]);
    let other = told(&report(&lesson, "!!FP1.0\nMOV o[COLR], R99;\nEND\n"));
    assert!(other[0].starts_with("Loading fails with a different error. Line 2: "), "{other:?}");
    let more = told(&report(&lesson, "!!FP1.0\nADD o[COLR], f[TEX0], f[COL0];\nMOV o[COLR], R99;\nEND\n"));
    assert!(more[0].starts_with("There is also another error. Line 3: "), "{more:?}");
    assert_eq!(lesson.faults(&threads(), &NEVER), Ok(Vec::new()));
}

#[test]
fn buffers_are_looked_at_after_the_picture() {
    let count = "!!NVfp5.0\nUINT TEMP n;\nLONG UINT TEMP at;\nPK64.U at.x, program.local[0];\n\
                 ATOM.ADD.U32 n.x, 1, at.x;\nMOV result.color, 1.0;\nEND\n";
    let scene = "size = [4, 4]\n[program]\nfragment = \"main.fp\"\n[parameters]\n\
                 \"fragment.local[0]\" = 'address_of(\"n\")'\n[[buffer]]\nname = \"n\"\ntype = \"uint\"\nvalues = [0, 7]\n";
    let toml = "title = \"T\"\nabout = \"A\"\nhints = [\"h\"]\n[[check]]\nbuffer = \"n\"\nvalue = [16, 8]\n\
                [[check]]\nbuffer = \"n\"\nfirst = 1\nvalue = [7, 0]\n[[check]]\nbuffer = \"m\"\nvalue = [0]\n";
    let files = [("scene.toml", scene), ("main.fp", count), ("solution/main.fp", count)];
    let lesson = lesson(toml, &files).unwrap();
    assert_eq!(
        told(&report(&lesson, count)),
        ["`n[1]` is 7 and should be 8.", "`n` has no element 2.", "The scene has no buffer `m`."]
    );
}

#[test]
fn sliders_count_only_where_the_lesson_is_about_the_scene() {
    let text = "!!FP1.0\nDECLARE tint = {1, 1, 1, 1};\nMOV o[COLR], tint;\nEND\n";
    let toml =
        "title = \"T\"\nabout = \"A\"\nhints = [\"h\"]\n[[check]]\npixel = [0, 0]\ncolor = [0.5, 0.5, 0.5]\n";
    let tinted = format!("{SCENE}[parameters]\ntint = [0.5, 0.5, 0.5, 1]\n");
    let answer = |lesson: &Lesson| {
        let reference = Reference::of(lesson, &threads(), &NEVER).unwrap();
        let answer = Answer::from(Arc::new(lesson.solved().unwrap()));
        check(lesson, (&reference, &answer), &threads(), &NEVER).unwrap().is_solved()
    };
    let about_it = [
        ("scene.toml", SCENE),
        ("main.fp", text),
        ("solution/scene.toml", &*tinted),
        ("solution/main.fp", text),
    ];
    assert!(answer(&lesson(toml, &about_it).unwrap()));
    // The learner has moved a slider, but the check draws the lesson's own scene.
    let plain = of_checks("[[check]]\npixel = [0, 0]\ncolor = [1, 1, 1]", RAMP, text);
    let reference = Reference::of(&plain, &threads(), &NEVER).unwrap();
    let moved = Answer::from(Arc::new(lesson(toml, &about_it).unwrap().solved().unwrap()));
    assert!(check(&plain, (&reference, &moved), &threads(), &NEVER).unwrap().is_solved());
}

#[test]
fn lessons_at_fault_are_told() {
    let faults = |start: &str, solution: &str| {
        of_checks("[[check]]\npicture = true", start, solution).faults(&threads(), &NEVER).unwrap()
    };
    assert_eq!(faults(NO_RED, RAMP), Vec::<String>::new());
    assert_eq!(faults(RAMP, RAMP), ["the start already passes every check"]);
    let broken = faults("!!FP1.0\nNONSENSE\nEND\n", RAMP);
    assert!(broken.len() == 1 && broken[0].contains("no check is \"loads\""), "{broken:?}");
    let unsolved = of_checks("[[check]]\npixel = [0, 0]\ncolor = [1, 1, 1]", RAMP, NO_RED);
    let unsolved = unsolved.faults(&threads(), &NEVER).unwrap();
    assert!(
        unsolved.len() == 1 && unsolved[0].starts_with("the solution fails: Pixel (0, 0) is"),
        "{unsolved:?}"
    );
    let toml = "title = \"T\"\nabout = \"A\"\nhints = [\"h\"]\n[[check]]\npicture = true\n";
    let files =
        [("scene.toml", SCENE), ("main.fp", NO_RED), ("solution/main.fp", RAMP), ("solution/other.fp", RAMP)];
    let unused = lesson(toml, &files).unwrap().faults(&threads(), &NEVER).unwrap();
    assert!(
        unused[0].contains("solution/other.fp") && unused[0].contains("no program with this name"),
        "{unused:?}"
    );
}

#[test]
fn checking_can_be_called_off() {
    let lesson = of_checks("[[check]]\npicture = true", NO_RED, RAMP);
    let reference = Reference::of(&lesson, &threads(), &NEVER).unwrap();
    let answer = Answer::from(Arc::clone(reference.start()));
    let now = AtomicBool::new(true);
    let outcome = check(&lesson, (&reference, &answer), &threads(), &now);
    assert_eq!(outcome.err(), Some(RenderError::Cancelled));
}

#[test]
fn every_bundled_lesson_can_be_solved_and_is_not_from_the_start() {
    let course = bundled_course();
    assert_eq!(course.lessons.len(), 36);
    let mut wrong = Vec::new();
    for lesson in &course.lessons {
        let faults = lesson.faults(&threads(), &NEVER).unwrap();
        wrong.extend(faults.into_iter().map(|fault| format!("{}: {fault}", lesson.name)));
        assert!(lesson.page.is_ok(), "{}: {:?}", lesson.name, lesson.page);
        let page = lesson.folder.read(PAGE_FILE).unwrap();
        let page = String::from_utf8_lossy(&page);
        assert!(page.contains("\n## Task\n"), "{} has no task", lesson.name);
        assert!(page.lines().count() <= 40, "{} is longer than a screen", lesson.name);
        assert!(lesson.hints.len() >= 2, "{} has too few hints", lesson.name);
        let scene = lesson.start().unwrap();
        assert_eq!(scene.title, lesson.title, "the tab is called as the lesson is");
    }
    assert_eq!(wrong, Vec::<String>::new());
    let bugs = course.lessons.iter().filter(|lesson| lesson.name.contains("-bug-")).count();
    assert!(bugs >= 6, "{bugs}");
}

#[test]
fn a_course_on_disk_is_read_in_the_order_of_its_folders() {
    let root = std::env::temp_dir().join(format!("shadestep-course-{}", std::process::id()));
    drop(std::fs::remove_dir_all(&root));
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let empty = Course::open(&root).unwrap_err();
    assert!(empty.message.contains("no lesson"), "{empty}");
    for (name, title) in [("20-b", "B"), ("10-a", "A")] {
        let toml =
            format!("title = \"{title}\"\nabout = \"x\"\nhints = [\"h\"]\n[[check]]\npicture = true\n");
        write(&format!("{name}/lesson.toml"), &toml);
        write(&format!("{name}/lesson.md"), "Words.");
        write(&format!("{name}/scene.toml"), SCENE);
        write(&format!("{name}/main.fp"), NO_RED);
        write(&format!("{name}/solution/main.fp"), RAMP);
    }
    write("notes/other.txt", "no lesson");
    write("README.md", "# My course\n");
    let course = Course::open(&root).unwrap();
    let titles: Vec<&str> = course.lessons.iter().map(|lesson| lesson.title.as_str()).collect();
    assert_eq!((&*course.title, titles), ("My course", vec!["A", "B"]));
    for lesson in &course.lessons {
        assert_eq!(lesson.faults(&threads(), &NEVER), Ok(Vec::new()));
    }
    let one = Course::open(&root.join("20-b")).unwrap();
    assert_eq!((one.lessons.len(), &*one.title), (1, "B"));
    assert_eq!(
        one.lessons[0].key(),
        course.lessons[1].key(),
        "the same lesson, whatever course it is seen in"
    );
    write("20-b/lesson.toml", "title = 5\n");
    let error = Course::open(&root).unwrap_err();
    assert!(
        error.file.ends_with("lesson.toml") && error.place.is_some_and(|place| place.line == 1),
        "{error}"
    );
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_lesson_is_the_same_by_a_relative_path() {
    let course = Course::open(Path::new("../samples/lessons")).unwrap();
    let relative = PathBuf::from("../samples/lessons/01-four-components");
    let whole = std::path::absolute(&relative).unwrap();
    assert_eq!(course.lessons[0].key(), whole.to_string_lossy());
    for folder in [relative, whole] {
        assert_eq!(course.position(&Folder::Disk(folder)), Some(0));
    }
}

#[test]
fn progress_is_kept_by_lesson() {
    let course = bundled_course();
    let (first, second) = (&course.lessons[0], &course.lessons[1]);
    let mut progress = Progress::default();
    assert!(progress.solve(first) && !progress.solve(first), "once");
    assert!(progress.is_solved(first) && !progress.is_solved(second));
    assert_eq!(progress.count(course.lessons.iter().map(Arc::as_ref)), 1);
    let text = ron::to_string(&progress).unwrap();
    assert_eq!(ron::from_str::<Progress>(&text).unwrap(), progress);
    // Settings from versions without lessons.
    assert_eq!(ron::from_str::<Progress>("()").unwrap(), Progress::default());
}

#[test]
fn a_lesson_that_is_saved_elsewhere_stays_one() {
    let lesson = Arc::clone(&bundled_course().lessons[0]);
    let mut classroom = Classroom::default();
    let mut document = Document::new(DocumentId(1), lesson.start().unwrap());
    assert!(classroom.to_check(&document).is_none(), "not loaded yet");
    assert_eq!(classroom.lesson_of(&document).map(|lesson| &*lesson.name), Some(&*lesson.name));
    document.saved(&document.save_in_folder(Path::new("/elsewhere")));
    assert_eq!(document.own_folder(), &Folder::Disk(PathBuf::from("/elsewhere")));
    assert_eq!(classroom.lesson_of(&document).map(|lesson| &*lesson.name), Some(&*lesson.name));
    let other = Document::new(DocumentId(2), crate::scene::bundled()[0].load().unwrap());
    assert!(classroom.lesson_of(&other).is_none());
}
