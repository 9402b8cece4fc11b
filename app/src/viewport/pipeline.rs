//! The pipeline row under the picture: each stage with its numbers of elements. Click a stage to see its
//! output as a wireframe.

use super::bar_content;
use crate::command::Action;
use crate::format;
use crate::model::{Document, Shown};
use crate::theme;
use crate::widgets::OnClick as _;
use egui::{Rect, Ui, vec2};
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::Stats;

/// Height of the row, in points.
pub const HEIGHT: f32 = 26.0;

/// A stage of the pipeline.
struct Item {
    name: &'static str,
    /// Number of inputs, if it differs from the output of the stage before, then number of outputs.
    counts: Vec<u64>,
    hint: String,
    /// The stage whose output a click shows as a wireframe.
    wireframe: Option<Stage>,
}

/// True if the row is visible: if the picture is drawn from vertices.
pub fn is_shown(document: &Document) -> bool {
    document.shown.as_ref().is_some_and(|shown| shown.frame.stats.vertices > 0)
}

/// Shows the row in `rect`.
pub fn show(ui: &mut Ui, document: &Document, shown: &Shown, rect: Rect, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let builder = egui::UiBuilder::new().layout(egui::Layout::left_to_right(egui::Align::Center));
    let mut line = bar_content(ui, (rect, rect.top() + 0.5), vec2(12.0, 0.0), builder);
    let room = line.max_rect().width();
    let records = !shown.job.scene.feedback.is_empty();
    let items = items(&shown.frame.stats, records, |stage| document.has(stage));
    let width = |count: fn(u64) -> String| -> f32 {
        let texts = items.iter().map(|item| text(item, count));
        let galley = |text: String| ui.painter().layout_no_wrap(text, theme::caption_font(), palette.text);
        texts.map(|text| galley(text).size().x + 34.0).sum()
    };
    let fits = |count: fn(u64) -> String| width(count) <= room;
    let count = if fits(format::count) { format::count } else { format::short_count };
    // A row that is too wide scrolls.
    let scroll = egui::ScrollArea::horizontal().id_salt("stages").auto_shrink(false);
    let is_roomy = fits(count);
    scroll.show(&mut line, |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = if is_roomy { 6.0 } else { 8.0 };
            for (number, item) in items.iter().enumerate() {
                if number > 0 && is_roomy {
                    ui.label(theme::caption(ui, "→").color(palette.text_faint));
                }
                entry(ui, (item, text(item, count)), document, actions);
            }
        });
    });
}

fn entry(ui: &mut Ui, (item, text): (&Item, String), document: &Document, actions: &mut Vec<Action>) {
    let words = theme::caption(ui, text);
    let Some(stage) = item.wireframe else {
        ui.label(words).on_hover_text(&item.hint);
        return;
    };
    let on = document.overlays.wireframe == Some(stage);
    let words = if on { words.color(theme::palette(ui).accent) } else { words };
    let response = ui.add(egui::Button::new(words).small().selected(on));
    response.on_hover_text(&item.hint).on_click(Action::ShowWireframe((!on).then_some(stage)), actions);
}

fn text(item: &Item, count: fn(u64) -> String) -> String {
    let counts = item.counts.iter().map(|number| count(*number)).collect::<Vec<_>>();
    format!("{} {}", item.name, counts.join(" → "))
}

fn items(stats: &Stats, records: bool, has: impl Fn(Stage) -> bool) -> Vec<Item> {
    let wireframe = |what: &str| format!("Click to show or hide {what} as a wireframe.");
    let listed = |of: &[(u64, &str)]| {
        let some = of.iter().filter(|(number, _)| *number > 0);
        some.map(|(number, what)| format!("\n{} {what}", format::count(*number))).collect::<String>()
    };
    let mut items = vec![Item {
        name: "Vertices",
        counts: vec![stats.vertices],
        hint: format!(
            "How often the vertex program ran: once for each vertex of the draw call, in each instance.\n{}",
            wireframe("its vertices")
        ),
        wireframe: Some(Stage::Vertex),
    }];
    if has(Stage::TessControl) {
        items.push(Item {
            name: "Control",
            counts: vec![stats.controlled],
            hint:
                "How often the tessellation control program ran: once for each output vertex of each patch."
                    .to_owned(),
            wireframe: None,
        });
    }
    if has(Stage::TessEvaluation) {
        // If a geometry program follows, only its output can be shown as a wireframe.
        let last = !has(Stage::Geometry);
        let click = if last { wireframe("the tessellated patches") } else { String::new() };
        items.push(Item {
            name: "Patches",
            counts: vec![stats.patches],
            hint: format!(
                "Patches to tessellate.{}",
                listed(&[(stats.patches_discarded, "discarded: an outer level is not above 0")])
            ),
            wireframe: None,
        });
        items.push(Item {
            name: "Evaluation",
            counts: vec![stats.evaluated],
            hint: format!(
                "How often the tessellation evaluation program ran: once for each vertex of the tessellated patches.\n{click}"
            ),
            wireframe: last.then_some(Stage::TessEvaluation),
        });
    }
    if has(Stage::Geometry) {
        items.push(Item {
            name: "Geometry",
            counts: vec![stats.invocations, stats.emitted],
            hint: format!(
                "How often the geometry program ran, and how many vertices it emitted to stream 0.\n{}",
                wireframe("the emitted primitives")
            ),
            wireframe: Some(Stage::Geometry),
        });
    }
    if records {
        let stream = |number: usize| {
            let (generated, recorded) = (stats.generated[number], stats.recorded[number]);
            let count = format::count;
            (generated > 0).then(|| format!("\nStream {number}: {} of {}", count(recorded), count(generated)))
        };
        let streams: String = (0..stats.generated.len()).filter_map(stream).collect();
        items.push(Item {
            name: "Recorded",
            counts: vec![stats.recorded.iter().sum()],
            hint: format!("Primitives that transform feedback wrote to buffers.{streams}"),
            wireframe: None,
        });
    }
    items.push(Item {
        name: "Primitives",
        counts: vec![stats.primitives],
        hint: format!(
            "Points, lines and polygons to draw.{}",
            listed(&[
                (stats.primitives_clipped, "cut by a clipping plane"),
                (
                    stats.primitives_culled,
                    "culled: outside the view, facing away, without area or between samples"
                ),
                (stats.primitives_invalid, "skipped: a vertex position is not finite"),
                (stats.primitives_out_of_range, "skipped: a vertex is outside the arrays"),
            ])
        ),
        wireframe: None,
    });
    items.push(Item {
        name: "Fragments",
        counts: vec![stats.fragments],
        hint: "How often the fragment program ran, not counting helpers.".to_owned(),
        wireframe: None,
    });
    items.push(Item {
        name: "Written",
        counts: vec![stats.written],
        hint: format!(
            "Fragments written to the framebuffer.{}",
            listed(&[
                (stats.killed, "discarded by the program"),
                (stats.depth_discarded, "depth out of range"),
                (stats.uncovered, "no samples left"),
                (stats.alpha_failed, "failed the alpha test"),
                (stats.stencil_failed, "failed the stencil test"),
                (stats.depth_failed, "failed the depth test, shaded or not"),
            ])
        ),
        wireframe: None,
    });
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_picture() {
        let stats = Stats {
            vertices: 6,
            invocations: 2,
            emitted: 7,
            primitives: 3,
            primitives_culled: 1,
            fragments: 1234,
            written: 1200,
            killed: 34,
            ..Stats::default()
        };
        let texts = |has_geometry: bool| -> Vec<String> {
            items(&stats, false, |stage| has_geometry && stage == Stage::Geometry)
                .iter()
                .map(|item| text(item, format::count))
                .collect()
        };
        assert_eq!(texts(false), ["Vertices 6", "Primitives 3", "Fragments 1,234", "Written 1,200"]);
        assert_eq!(texts(true)[1], "Geometry 2 → 7");
        let hints: Vec<String> = items(&stats, false, |stage| stage == Stage::Geometry)
            .into_iter()
            .map(|item| item.hint)
            .collect();
        assert!(hints[2].contains("\n1 culled: outside") && !hints[2].contains("finite"), "{}", hints[2]);
        let recording = Stats { generated: [5, 4, 0, 0], recorded: [3, 4, 0, 0], ..stats };
        let items = items(&recording, true, |_| false);
        assert_eq!(text(&items[1], format::count), "Recorded 7");
        assert!(items[1].hint.ends_with("\nStream 0: 3 of 5\nStream 1: 4 of 4"), "{}", items[1].hint);
        assert!(hints[4].contains("\n34 discarded") && !hints[4].contains("alpha"), "{}", hints[4]);
    }
}
