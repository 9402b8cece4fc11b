//! Maps, which show a value for each pixel in place of the colour, and execution counts beside lines.

use super::{window, with_program};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::maps::{Map, MapChoice, When, csv};
use shadestep::model::{Breakpoint, DocumentId};
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::Subject;
use shadestep_engine::debug::expression::Expression;
use shadestep_engine::source::Span;

/// A program that runs the block in the left half, and divides by zero where x is below an eighth.
const PROGRAM: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP place, value;
MOV place, fragment.texcoord[0];
MOV value, 0.25;
SLTC value.x, place.x, 0.5;
IF NE.x;
    ADD value.y, place.y, place.y;
    RCP value.z, value.w;
    SUB value.w, place.x, 0.125;
    KIL value.w;
ENDIF;
MOV result.color, value;
END
";

fn id(window: &mut Window) -> DocumentId {
    window.state().document().expect("a program").id
}

fn choose(window: &mut Window, change: impl FnOnce(&mut MapChoice)) {
    let mut choice = window.state().document().expect("a program").map.clone();
    change(&mut choice);
    window.act(Action::ChooseMap(Box::new(choice)));
}

/// Waits for a map of `expression` and returns the value at a pixel.
fn value_at(window: &mut Window, expression: &str, pixel: [u32; 2]) -> Option<Vec<f64>> {
    let id = id(window);
    window.until("the map is there", |state| {
        let shown = state.maps.shown(id);
        let is_it = |text: &str| text == expression;
        shown.is_some_and(|map| map.query.expression.as_ref().is_some_and(|e| is_it(e.text())))
    });
    let shown = window.state().maps.shown(id).expect("it is there");
    shown.field.at(pixel).map(<[f64]>::to_vec)
}

#[test]
fn an_expression_is_shown_at_every_pixel() {
    let mut window = with_program(PROGRAM);
    assert!(!Command::MapNone.enabled(window.state()));
    window.run(Command::MapValue);
    let size = window.state().document().expect("a program").scene.size;
    let pixel = [size[0] / 4, size[1] / 2];
    // The default expression is the colour.
    let color = value_at(&mut window, "result.color", pixel).expect("it is drawn");
    assert_eq!(color[0], 1.0, "the comparison holds");
    choose(&mut window, |choice| choice.expression = "place.x * 100 > 70".to_owned());
    let right = [size[0] - 4, 5];
    assert_eq!(value_at(&mut window, "place.x * 100 > 70", pixel), Some(vec![0.0]));
    assert_eq!(value_at(&mut window, "place.x * 100 > 70", right), Some(vec![1.0]));
    window.settle();
    window.harness.get_by_label("Map expression");
    // After the line at the caret, only pixels that ran the line have a value.
    let at = PROGRAM.find("SUB value.w").expect("it is there");
    window.act(Action::Jump(Span::at(at)));
    choose(&mut window, |choice| {
        (choice.expression, choice.when) = ("value.y".to_owned(), When::Line);
    });
    let doubled = value_at(&mut window, "value.y", pixel).expect("the block ran");
    assert!((doubled[0] - 1.0).abs() < 0.02, "{doubled:?}");
    assert_eq!(value_at(&mut window, "value.y", right), None, "the block did not run");
    // An invalid expression shows an error and removes the map.
    choose(&mut window, |choice| choice.expression = "value.q".to_owned());
    window.settle();
    let id = id(&mut window);
    assert!(window.state().maps.error(id).is_some_and(|words| words.contains("x, y, z, w")));
    // The map returns when the expression is valid again.
    choose(&mut window, |choice| choice.expression = "value.y".to_owned());
    assert_eq!(value_at(&mut window, "value.y", pixel), Some(doubled));
    assert_eq!(window.state().maps.error(id), None);
    window.run(Command::MapNone);
    window.settle();
    assert!(window.state().maps.shown(id).is_none());
}

#[test]
fn maps_agree_with_what_is_stepped_through() {
    let mut window = with_program(PROGRAM);
    window.run(Command::MapValue);
    choose(&mut window, |choice| choice.expression = "value.zyx".to_owned());
    let pixel = [100, 77];
    let shown = value_at(&mut window, "value.zyx", pixel).expect("it is drawn");
    window.act(Action::Pick(Subject::Pixel(pixel)));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let recording = session.recording().expect("it ran").clone();
    let mut cursor = shadestep_engine::debug::Cursor::new(&recording);
    cursor.seek(&recording, recording.len());
    let expression = Expression::parse("value.zyx", recording.program()).expect("it is right");
    let stepped = expression.evaluate(&cursor.here(&recording)).value.numbers();
    assert_eq!(stepped.iter().map(|number| number.as_float()).collect::<Vec<_>>(), shown);
}

#[test]
fn what_happened_is_shown_with_its_line() {
    let mut window = with_program(PROGRAM);
    let id = id(&mut window);
    let size = window.state().document().expect("a program").scene.size;
    let quarter = [size[0] / 4, 9];
    for (command, map, inside, outside) in [
        (Command::MapNotFinite, Map::NotFinite, 0.0, 0.0),
        (Command::MapInstructions, Map::Instructions, 10.0, 5.0),
        (Command::MapShaded, Map::Shaded, 1.0, 1.0),
        (Command::MapHelpers, Map::Helpers, 0.0, 0.0),
        (Command::MapKilled, Map::Killed, 0.0, 0.0),
        (Command::MapFate, Map::Fate, 1.0, 1.0),
    ] {
        window.run(command);
        window.until("the map is there", |state| {
            state.maps.shown(id).is_some_and(|shown| shown.query.map == map)
        });
        let shown = window.state().maps.shown(id).expect("it is there");
        assert_eq!(shown.field.at(quarter), Some(&[inside][..]), "{map:?}");
        assert_eq!(shown.field.at([size[0] - 9, 9]), Some(&[outside][..]), "{map:?}");
        if map == Map::Killed {
            assert_eq!(shown.field.at([3, 9]), Some(&[1.0][..]));
        }
    }
    let text = csv(&window.state().maps.shown(id).expect("a map").field);
    assert_eq!(text.lines().count() as u32, size[0] * size[1] + 1);
}

#[test]
fn lines_have_their_counts() {
    let mut window = with_program(PROGRAM);
    let id = id(&mut window);
    window.run(Command::ToggleLineCounts);
    window.until("the counts are there", |state| state.maps.counts(id).is_some());
    let size = window.state().document().expect("a program").scene.size;
    let counts = window.state().maps.counts(id).expect("they are there");
    let pixels = u64::from(size[0]) * u64::from(size[1]);
    let line = |words: &str| PROGRAM.lines().position(|line| line.contains(words)).expect("a line");
    assert_eq!(counts.fragments, pixels);
    assert_eq!(counts.lines[&line("IF NE.x")], [pixels; 2]);
    assert_eq!(counts.lines[&line("KIL")], [pixels / 2; 2]);
    assert_eq!(counts.lines[&line("MOV result")], [pixels; 2]);
    // All pixels run 4 instructions up to IF and 1 after the block. Half of the pixels run the 5 in the
    // block.
    assert_eq!(counts.total, 4 * pixels + 5 * pixels / 2 + pixels);
    window.settle();
    window.run(Command::ToggleLineCounts);
    window.settle();
    assert!(window.state().maps.counts(id).is_none());
}

#[test]
fn breakpoints_are_counted() {
    let mut window = with_program(PROGRAM);
    let id = id(&mut window);
    window.run(Command::MapHits);
    window.settle();
    assert!(window.state().maps.error(id).is_some_and(|words| words.contains("no enabled breakpoint")));
    let text = window.state().document().expect("a program").text_id();
    let line = PROGRAM.lines().position(|line| line.contains("ADD value.y")).expect("a line");
    window.act(Action::ToggleBreakpoint(text, line));
    window.until("the map is there", |state| state.maps.shown(id).is_some());
    let size = window.state().document().expect("a program").scene.size;
    let shown = window.state().maps.shown(id).expect("it is there");
    assert_eq!(shown.field.at([size[0] / 4, 9]), Some(&[1.0][..]));
    assert_eq!(shown.field.at([size[0] - 9, 9]), Some(&[0.0][..]));
}

#[test]
fn a_breakpoint_is_before_every_instruction_of_its_line() {
    let mut window = with_program("!!FP1.0\nMOV R0, 1; MOV R1, 1;\nMOV o[COLR], R0;\nEND\n");
    let id = id(&mut window);
    window.run(Command::MapHits);
    let text = window.state().document().expect("a program").text_id();
    window.act(Action::ToggleBreakpoint(text, 1));
    window.until("the map is there", |state| state.maps.shown(id).is_some());
    let shown = window.state().maps.shown(id).expect("it is there");
    assert_eq!(shown.field.at([9, 9]), Some(&[2.0][..]));
    window.act(Action::SetBreakpoint(text, 1, Breakpoint { enabled: false, ..Breakpoint::default() }));
    window.settle();
    let error = window.state().maps.error(id);
    assert_eq!(error, Some("the program has no enabled breakpoint: set one"));
}

#[test]
fn a_map_follows_time_and_text() {
    let mut window = window();
    let id = id(&mut window);
    window.run(Command::MapInstructions);
    window.until("the map is there", |state| state.maps.shown(id).is_some());
    window.run(Command::StepTime);
    window.settle();
    window.set_text("!!FP1.0\nMOV R0, 1;\nMOV R1, 1;\nMOV o[COLR], R0;\nEND\n");
    window.until("the map is of the new text", |state| {
        state.maps.shown(id).is_some_and(|shown| shown.field.at([1, 1]) == Some(&[3.0][..]))
    });
}

#[test]
fn the_histogram_counts_the_picture_or_the_map() {
    let mut window = with_program(PROGRAM);
    window.run(Command::ShowHistogram);
    window.settle();
    window.harness.get_by_label("Histogram");
    assert!(window.harness.query_by_label("Histogram of the picture").is_some());
    let id = id(&mut window);
    window.run(Command::MapInstructions);
    window.until("the map is there", |state| state.maps.shown(id).is_some());
    window.settle();
    assert!(window.harness.query_by_label("Histogram: Instructions").is_some());
    window.run(Command::ShowHistogram);
    window.settle();
    assert!(window.harness.query_by_label("Histogram").is_none());
}

#[test]
fn a_map_that_takes_its_time_says_how_far_it_is_and_can_be_given_up() {
    let mut window = with_program(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM many = { 255, 255, 255, 255 };\nTEMP sum;\nMOV sum, 0;\nREP many.x;\n\
         MAD sum, sum, sum, 1;\nENDREP;\nMOV result.color, sum;\nEND\n",
    );
    let id = id(&mut window);
    window.run(Command::MapUndefined);
    window.until("it has taken its time", |state| state.maps.progress().is_some_and(|done| done > 0.0));
    window.harness.run_steps(2);
    window.harness.get_by_label_contains("Computing: ");
    let before = window.state().maps.progress().expect("it is told");
    window.until("it goes on", |state| state.maps.progress().is_none_or(|done| done > before));
    window.harness.run_steps(2);
    window.harness.get_by_label("Cancel").click();
    window.until("it is given up", |state| !state.services.query.is_busy());
    window.harness.run_steps(2);
    let state = window.state();
    assert_eq!(state.document().expect("a program").map.map, None);
    assert!(state.maps.shown(id).is_none() && state.maps.progress().is_none());
    assert!(window.harness.query_by_label_contains("Computing").is_none());
}

#[test]
fn the_field_of_an_expression_has_the_width_of_its_row() {
    let width = |size: [f32; 2]| {
        let mut window = Window::open(size, ThemeChoice::Dark);
        window.run(Command::MapValue);
        let id = id(&mut window);
        window.until("the map is there", |state| state.maps.shown(id).is_some());
        window.settle();
        let picture = window.harness.get_by_label("Rendered picture").rect();
        let field = window.harness.get_by_label("Map expression").rect();
        let end = window.harness.get_by_label("At cursor").rect();
        assert!(field.right() < end.left() && end.right() <= picture.right(), "{field:?} {end:?}");
        (field.width(), picture.width())
    };
    let [(narrow, room), (wide, more_room)] = [[1280.0, 800.0], [2400.0, 900.0]].map(width);
    assert!(narrow >= 90.0 && more_room > room + 200.0, "{narrow} in {room}, {wide} in {more_room}");
    assert!(wide - narrow > 0.8 * (more_room - room), "all that is added is the field's");
}

/// Drags from `from` to `to` in several steps.
fn drag(window: &mut Window, from: egui::Pos2, to: egui::Pos2) {
    window.harness.hover_at(from);
    window.harness.step();
    window.harness.drag_at(from);
    window.harness.step();
    for part in [0.3, 0.7, 1.0] {
        window.harness.hover_at(from + (to - from) * part);
        window.harness.step();
    }
    window.harness.drop_at(to);
    window.harness.run_steps(2);
}

#[test]
fn the_legend_is_dragged_and_stays_within_the_picture() {
    let mut window = window();
    window.run(Map::Instructions.command());
    let id = id(&mut window);
    window.until("the map is there", |state| state.maps.shown(id).is_some());
    window.settle();
    let legend = |window: &Window| window.harness.get_by_label("Map legend").rect();
    let area = window.harness.get_by_label("Rendered picture").rect();
    let home = legend(&window);
    assert!(area.contains_rect(home));
    let by = egui::vec2(-60.0, -90.0);
    drag(&mut window, home.center(), home.center() + by);
    assert!((legend(&window).min - home.min - by).length() < 2.0, "{:?}", legend(&window));
    assert!(
        window.state().stepping.session.is_none() && window.state().pending.record.is_none(),
        "no pixel is picked"
    );
    // The legend stops at the edge.
    let at = legend(&window).center();
    drag(&mut window, at, egui::pos2(5.0, 5.0));
    let corner = legend(&window);
    assert!(area.contains_rect(corner) && (corner.min - area.min).length() < 2.0, "{corner:?} in {area:?}");
    // The legend of the next map has the same place.
    window.run(Map::Depth.command());
    window.until("the map is there", |state| {
        state.maps.shown(id).is_some_and(|shown| shown.query.map == Map::Depth)
    });
    window.harness.run_steps(2);
    assert_eq!(legend(&window).min, corner.min);
    for _ in 0..2 {
        window.harness.drag_at(corner.center());
        window.harness.drop_at(corner.center());
    }
    window.harness.run_steps(3);
    assert!((legend(&window).right() - home.right()).abs() < 1.0, "a double click puts it back");
}

#[test]
fn messages_have_room_beside_the_picture() {
    let mut window = with_program(PROGRAM);
    let area = window.harness.get_by_label("Rendered picture").rect();
    let size = window.state().document().expect("a program").scene.size;
    let picture = window.state().view.zoom.picture_rect(area, size);
    window.set_text("!!FP1.0\nBAD\n");
    window.harness.run_steps(2);
    let band = window.harness.get_by_label("Messages about the picture").rect();
    assert!(window.harness.query_by_label("Go to error").is_some());
    assert!(area.contains_rect(band) && band.bottom() <= picture.top(), "{band:?} above {picture:?}");
    assert_eq!(window.harness.get_by_label("Rendered picture").rect(), area, "nothing moves");
    // The enlarged picture begins below the message, so hovering over the message selects no pixel.
    window.run(Command::ZoomActual);
    window.run(Command::ZoomIn);
    window.harness.run_steps(2);
    let reads = |window: &Window| window.harness.query_by_label_contains("Hover over the picture").is_none();
    window.harness.hover_at(egui::pos2(band.left() + 4.0, band.center().y));
    window.harness.run_steps(2);
    assert!(!reads(&window));
    window.harness.hover_at(area.center());
    window.harness.run_steps(2);
    assert!(reads(&window));
}
