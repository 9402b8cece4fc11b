//! Lessons: starting a lesson, reports during editing, and continuing with the next lesson.

use super::window;
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::lesson::{Course, bundled_course};
use shadestep::scene::{Folder, Slot};
use shadestep::theme::ThemeChoice;
use std::sync::Arc;

/// Opens the window with the lessons beside the editor.
fn classroom(size: [f32; 2], choice: ThemeChoice) -> Window {
    let mut window = Window::open(size, choice);
    window.run(Command::LayoutLearn);
    window.run(Command::ShowLessons);
    window.harness.run_steps(3);
    window
}

fn start(window: &mut Window, index: usize) {
    window.act(Action::StartLesson(index));
    let name = bundled_course().lessons[index].title.clone();
    window.until("the lesson is open", |state| state.document().is_some_and(|d| d.scene.title == name));
    window.settle();
}

fn has(window: &Window, label: &str) -> bool {
    window.harness.query_by_label(label).is_some()
}

fn has_part(window: &Window, label: &str) -> bool {
    window.harness.query_all_by_label_contains(label).next().is_some()
}

fn click(window: &mut Window, label: &str) {
    window.harness.get_by_label(label).click();
    window.harness.run_steps(3);
    window.settle();
}

#[test]
fn a_lesson_is_started_got_wrong_solved_and_left_for_the_next() {
    let mut window = classroom([1440.0, 900.0], ThemeChoice::Dark);
    assert!(has_part(&window, "0 of "), "nothing is solved");
    click(&mut window, "Start");
    window.until("the lesson is open", |state| {
        state.document().is_some_and(|d| d.own_folder() == &Folder::Bundled("lessons/01-four-components"))
    });
    window.settle();
    assert!(has(&window, "0 of 2 checks pass"));
    assert!(has_part(&window, "Pixel (64, 64) is (0, 0, 1, 1) and should be (1, 0.5, 0, 1)."));
    // After a wrong edit, the report is about the present text, and shows the author's hint.
    window.set_text("!!FP1.0\nMOV o[COLR], {1, 0, 0, 1};\nEND\n");
    assert!(has_part(&window, "Pixel (64, 64) is (1, 0, 0, 1) and should be (1, 0.5, 0, 1)."));
    assert!(has(&window, "Orange is full red and half green."));
    assert!(has_part(&window, "16,384 of 16,384 pixels differ"), "the second fault is told, too");
    // The colours differ in alpha only, so the swatches show alpha.
    window.set_text("!!FP1.0\nMOV o[COLR], {1, 0.5, 0, 0};\nEND\n");
    assert!(has_part(&window, "Pixel (64, 64) is (1, 0.5, 0, 0) and should be (1, 0.5, 0, 1)."));
    assert!(has(&window, "actual, alpha 0") && has(&window, "expected, alpha 1"));
    // This answer does not load.
    window.set_text("!!FP1.0\nMOV o[COLR], {1, 0.5, 0, 1}\nEND\n");
    assert!(has_part(&window, "The fragment program does not load. Line "));
    // This answer is right.
    window.set_text("!!FP1.0\nMOV o[COLR], {1, 0.5, 0, 1};\nEND\n");
    assert!(has(&window, "Solved"));
    assert!(has(&window, "Four numbers in a register, solved"), "in the list");
    assert!(has_part(&window, "1 of "));
    assert!(window.state().settings.lessons.is_solved(&bundled_course().lessons[0]));
    click(&mut window, "Next lesson");
    window.until("the next lesson is open", |state| {
        state.document().is_some_and(|d| d.own_folder() == &Folder::Bundled("lessons/02-swizzles"))
    });
    window.settle();
    assert!(has_part(&window, "letters after an operand choose"), "its page");
    // The tab of the first lesson still has the answer.
    let tabs = window.state().documents.len();
    window.act(Action::StartLesson(0));
    window.settle();
    assert_eq!(window.state().documents.len(), tabs);
    let text = window.state().document().expect("the first").active().text().to_owned();
    assert!(text.contains("{1, 0.5, 0, 1}"), "{text}");
    assert!(has(&window, "Next lesson"));
}

#[test]
fn hints_come_one_at_a_time_and_the_solution_after_asking() {
    let mut window = classroom([1440.0, 1400.0], ThemeChoice::Dark);
    let lesson = &bundled_course().lessons[0];
    let plain = |hint: &str| hint.replace('`', "");
    assert!(!has(&window, &plain(&lesson.hints[0])));
    click(&mut window, "Show a hint");
    assert!(has(&window, &plain(&lesson.hints[0])) && !has(&window, &plain(&lesson.hints[1])));
    click(&mut window, "Show another hint");
    click(&mut window, "Show the last hint");
    assert!(has(&window, &plain(&lesson.hints[2])));
    assert!(!has_part(&window, "hint"), "there are no more");
    click(&mut window, "Show the solution");
    assert!(!has_part(&window, "One instruction: four numbers"), "asked first");
    click(&mut window, "Not yet");
    click(&mut window, "Show the solution");
    click(&mut window, "Show it");
    assert!(has_part(&window, "MOV o[COLR], {1, 0.5, 0, 1};"));
    click(&mut window, "Hide the solution");
    assert!(has(&window, "Show the solution"));
}

#[test]
fn a_fault_can_be_stepped_through() {
    let mut window = classroom([1440.0, 1400.0], ThemeChoice::Dark);
    start(&mut window, 0);
    click(&mut window, "Step through");
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let subject = window.state().stepping.session.as_ref().map(|session| session.subject());
    assert_eq!(subject, Some(shadestep_engine::debug::Subject::Pixel([64, 64])));
}

#[test]
fn the_program_that_the_lesson_is_about_is_in_front() {
    let mut window = classroom([1440.0, 900.0], ThemeChoice::Dark);
    let index = bundled_course().lessons.iter().position(|lesson| lesson.name.ends_with("-geometry"));
    start(&mut window, index.expect("a lesson on geometry programs"));
    assert_eq!(super::front(&mut window), Slot::Geometry);
}

#[test]
fn a_teachers_course_is_opened_and_left_again() {
    let root = std::env::temp_dir().join(format!("shadestep-ui-course-{}", std::process::id()));
    let lesson = root.join("01-mine");
    std::fs::create_dir_all(lesson.join("solution")).expect("a folder");
    let toml = "title = \"My own\"\nabout = \"x\"\nhints = [\"h\"]\n[[check]]\npicture = true\n";
    let scene = "title = \"My own\"\nsize = [32, 32]\n[program]\nfragment = \"main.fp\"\n";
    for (file, text) in [
        ("lesson.toml", toml),
        ("lesson.md", "A page of my own."),
        ("scene.toml", scene),
        ("main.fp", "!!FP1.0\nMOV o[COLR], 0.0;\nEND\n"),
        ("solution/main.fp", "!!FP1.0\nMOV o[COLR], 1.0;\nEND\n"),
    ] {
        std::fs::write(lesson.join(file), text).expect("a file");
    }
    let mut window = classroom([1440.0, 900.0], ThemeChoice::Dark);
    assert!(!Command::BundledCourse.enabled(window.state()));
    let ctx = window.harness.ctx.clone();
    shadestep::apply::path_chosen(window.state(), &ctx, shadestep::tasks::Purpose::Course, root.clone());
    window.until("the course is open", |state| state.classroom.course().lessons.len() == 1);
    window.settle();
    window.harness.run_steps(3);
    assert!(has_part(&window, "A page of my own."));
    window.act(Action::StartLesson(0));
    window.until("it is open", |state| state.document().is_some_and(|d| d.scene.title == "My own"));
    window.settle();
    assert!(has_part(&window, "1,024 of 1,024 pixels differ"));
    window.set_text("!!FP1.0\nMOV o[COLR], 1.0;\nEND\n");
    assert!(has(&window, "Solved. That was the last lesson."));
    window.run(Command::BundledCourse);
    window.harness.run_steps(3);
    assert!(window.state().classroom.course().lessons.len() > 20);
    // A folder without lessons causes a notice.
    let none = root.join("01-mine/solution");
    shadestep::apply::path_chosen(window.state(), &ctx, shadestep::tasks::Purpose::Course, none);
    window.until("it is told", |state| state.notices.iter().any(|notice| notice.text.contains("no lesson")));
    std::fs::remove_dir_all(&root).expect("the folder goes");
}

#[test]
fn in_a_narrow_panel_nothing_is_cut_off() {
    let mut window = window();
    window.run(Command::ShowLessons);
    start(&mut window, 3);
    window.harness.run_steps(3);
    let area = window.harness.ctx.content_rect();
    for label in ["Show a hint", "Show the solution"] {
        let rect = window.harness.get_by_label(label).rect();
        assert!(rect.left() >= area.left() && rect.right() <= area.right(), "{label}: {rect:?} in {area:?}");
    }
    for label in ["Samples", "Lessons", "Instructions"] {
        let rect = window.harness.get_by_label(label).rect();
        assert!(rect.right() <= area.right(), "{label}: {rect:?}");
    }
}

#[test]
fn what_is_wrong_is_one_click_away_in_a_low_panel() {
    let mut window = window();
    window.run(Command::ShowLessons);
    start(&mut window, 3);
    let heading = |window: &Window| window.harness.get_by_label("Checks").rect();
    let height = window.harness.ctx.content_rect().height();
    assert!(heading(&window).top() > height, "below what is seen");
    window.harness.get_by_label("1 of 3 checks pass").click();
    window.harness.run_steps(60);
    assert!(heading(&window).bottom() < height, "{:?}", heading(&window));
}

#[test]
fn a_lesson_follows_its_tab() {
    let mut window = classroom([1440.0, 900.0], ThemeChoice::Dark);
    start(&mut window, 0);
    window.set_text("!!FP1.0\nMOV o[COLR], {1, 0, 0, 1};\nEND\n");
    start(&mut window, 4);
    assert!(has_part(&window, "The eye sees green"));
    start(&mut window, 0);
    assert!(has_part(&window, "you set the colour of a picture"), "the page of the first lesson");
    assert!(has_part(&window, "Pixel (64, 64) is (1, 0, 0, 1)"), "and what its checks have said");
}

#[test]
fn a_page_over_the_limits_has_its_message_in_its_place() {
    let folder = std::env::temp_dir().join(format!("shadestep-deep-page-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    for name in ["01-a", "02-b"] {
        write(&format!("{name}/scene.toml"), "size = [8, 8]\n[program]\nfragment = \"main.fp\"\n");
        write(&format!("{name}/main.fp"), "!!FP1.0\nMOV o[COLR], 0.0;\nEND\n");
        write(&format!("{name}/solution/main.fp"), "!!FP1.0\nMOV o[COLR], 1.0;\nEND\n");
        let toml =
            format!("title = \"Lesson {name}\"\nabout = \"x\"\nhints = [\"h\"]\n[[check]]\npicture = true\n");
        write(&format!("{name}/lesson.toml"), &toml);
        write(&format!("{name}/lesson.md"), "A page of words.");
    }
    write("01-a/lesson.md", &format!("Too deep.\n\n{}x\n", "> ".repeat(40)));
    let mut window = classroom([1440.0, 900.0], ThemeChoice::Dark);
    let course = Course::open(&folder).expect("a course");
    window.state().classroom.open(Arc::new(course));
    window.harness.run_steps(3);
    assert!(has_part(&window, "The page cannot be shown."));
    assert!(has_part(
        &window,
        "lesson.md:3:1: lists, quotes, emphasis and links are nested more than 32 deep"
    ));
    assert!(!has_part(&window, "Too deep"));
    assert!(has(&window, "Show a hint"), "the rest of the lesson is there");
    click(&mut window, "Lesson 02-b");
    assert!(has_part(&window, "A page of words.") && !has_part(&window, "cannot be shown"));
    std::fs::remove_dir_all(&folder).expect("removed");
}
