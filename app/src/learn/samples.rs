//! The samples: a list, and the README and `scene.toml` of a sample.

use super::{File, Learn, Row, list_heading, list_row, no_hits, picture_in, search_field};
use crate::command::Action;
use crate::markdown::{Markdown, MarkdownError};
use crate::scene::{Bundled, Folder, bundled};
use crate::state::State;
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, FontFamily, FontId, Layout, TextStyle, Ui};
use egui_commonmark::CommonMarkCache;

/// The README shown last, with the name of its sample.
pub type ShownReadme = (&'static str, Result<Markdown, MarkdownError>);

/// Side of a sample's thumbnail, in points.
const THUMBNAIL: f32 = 40.0;

/// Reads a text file of `sample`. A missing file gives an empty text.
fn file(sample: &Bundled, name: &str) -> String {
    let bytes = Folder::Bundled(sample.name).read(name);
    bytes.map_or_else(|_| String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Shows the list by chapters. A double click opens a sample.
pub fn list(ui: &mut Ui, state: &State, choice: &mut Learn, actions: &mut Vec<Action>) {
    let open = state.document().map(|document| document.scene.folder.clone());
    if open != choice.followed {
        let index = bundled().iter().position(|sample| open == Some(Folder::Bundled(sample.name)));
        choice.sample = index.unwrap_or(choice.sample);
        choice.reveal_sample = index.map(|_| ());
        choice.followed.clone_from(&open);
    }
    let margin = egui::Margin { left: 10, right: 10, top: 0, bottom: 4 };
    let searched = choice.sample_query.clone();
    let keys = egui::Frame::new()
        .inner_margin(margin)
        .show(ui, |ui| search_field(ui, &mut choice.sample_query, ("sample query", "Search samples")));
    let keys = keys.inner;
    if choice.sample_words.is_empty() {
        choice.sample_words = bundled().iter().map(words).collect();
    }
    let hits = search(&choice.sample_words, &choice.sample_query);
    let at = hits.iter().position(|&index| index == choice.sample);
    let is_new = searched != choice.sample_query;
    if keys.steps != 0 || keys.entered || is_new {
        choice.sample = keys.moved(at, hits.len()).map_or(choice.sample, |hit| hits[hit]);
        choice.reveal_sample = Some(());
        if let Some(sample) = bundled().get(choice.sample).filter(|_| keys.entered && !hits.is_empty()) {
            actions.push(Action::OpenSample(sample.name));
        }
    }
    widgets::jumping(egui::ScrollArea::vertical()).id_salt("samples").auto_shrink(false).show(ui, |ui| {
        let mut chapter = "";
        for (index, sample) in bundled().iter().enumerate().filter(|(index, _)| hits.contains(index)) {
            if sample.chapter != chapter {
                chapter = sample.chapter;
                list_heading(ui, chapter);
            }
            let is_open = open == Some(Folder::Bundled(sample.name));
            let aside = if is_open { "open" } else { "" };
            let row = Row { aside, picture: THUMBNAIL, ..Row::default() };
            let response = list_row(ui, index == choice.sample, sample.title, &row);
            if index == choice.sample && choice.reveal_sample.take().is_some() {
                // `None` scrolls only if the item is not visible.
                response.scroll_to_me(None);
            }
            if ui.is_rect_visible(response.rect) {
                choice.thumbnails.paint(ui, sample, picture_in(response.rect, THUMBNAIL));
            }
            if response.clicked() {
                choice.sample = index;
            }
            if response.double_clicked() {
                actions.push(Action::OpenSample(sample.name));
            }
        }
        if hits.is_empty() && !bundled().is_empty() {
            no_hits(ui, "sample", &choice.sample_query);
        }
        ui.add_space(6.0);
    });
}

/// The searchable text of `sample` in lower case: title, folder, chapter and README.
fn words(sample: &Bundled) -> String {
    let readme = file(sample, "README.md");
    format!("{} {} {} {readme}", sample.title, sample.name, sample.chapter).to_lowercase()
}

/// Indices of the `samples` whose text contains every word of `query`.
fn search(samples: &[String], query: &str) -> Vec<usize> {
    let query = query.to_lowercase();
    let has_all = |words: &String| query.split_whitespace().all(|word| words.contains(word));
    samples.iter().enumerate().filter(|(_, words)| has_all(words)).map(|(index, _)| index).collect()
}

/// Shows the page of the chosen sample.
pub fn page(ui: &mut Ui, choice: &mut Learn, actions: &mut Vec<Action>) {
    let Some(sample) = bundled().get(choice.sample) else {
        let words = "This build contains no samples.";
        widgets::empty_state(ui, crate::icons::Icon::Book, "No samples", words);
        return;
    };
    egui::Frame::new().inner_margin(egui::Margin { left: 16, right: 12, top: 8, bottom: 6 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            let files = [(File::Readme, "README", ""), (File::Scene, "scene.toml", "")];
            if let Some(file) = widgets::segmented(ui, choice.file, &files) {
                choice.file = file;
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                widgets::primary_button(ui, "Open sample").on_click(Action::OpenSample(sample.name), actions);
            });
        });
    });
    let salt = (sample.name, choice.file == File::Readme);
    egui::ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| {
        let margin = egui::Margin { left: 16, right: 16, top: 2, bottom: 12 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| match choice.file {
            File::Readme => {
                ui.set_max_width(ui.available_width().min(640.0));
                let kept = choice.readme.take().filter(|(name, _)| *name == sample.name);
                let shown = kept.map_or_else(|| Markdown::new(file(sample, "README.md")), |(_, text)| text);
                match &shown {
                    Ok(text) => readme(ui, &mut choice.markdown, text),
                    Err(error) => drop(widgets::prose_label(ui, &error.to_string())),
                }
                choice.readme = Some((sample.name, shown));
            }
            File::Scene => {
                let text = file(sample, "scene.toml");
                let job = toml(ui, &text);
                ui.add(egui::Label::new(job).extend().selectable(true));
            }
        });
    });
}

/// Shows Markdown with equal distances between all lines.
pub fn readme(ui: &mut Ui, cache: &mut CommonMarkCache, text: &Markdown) {
    let height = ui.text_style_height(&TextStyle::Body);
    // Inline code and controls must not make a line higher.
    ui.style_mut().text_styles.insert(TextStyle::Monospace, FontId::new(11.5, FontFamily::Monospace));
    let spacing = ui.spacing_mut();
    spacing.item_spacing.y = 0.0;
    spacing.interact_size.y = height;
    egui_commonmark::CommonMarkViewer::new().show(ui, cache, text.as_str());
}

/// Colours `scene.toml`. The highlighter does not support TOML. Java properties are the closest format: keys,
/// values and comments.
fn toml(ui: &Ui, text: &str) -> egui::text::LayoutJob {
    let style = egui_extras::syntax_highlighting::CodeTheme::from_style(ui.style());
    let mut job =
        egui_extras::syntax_highlighting::highlight(ui.ctx(), ui.style(), &style, text, "properties");
    for section in &mut job.sections {
        section.format.font_id = theme::value_font();
        section.format.line_height = Some(18.0);
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::text::PlacedRow;

    #[test]
    fn every_bundled_readme_is_within_the_limits() {
        for sample in bundled() {
            let text = Markdown::new(file(sample, "README.md"));
            assert!(text.as_ref().is_ok_and(|text| !text.as_str().is_empty()), "{}: {text:?}", sample.name);
        }
    }

    /// Collects the vertical centres of the text lines in `shape`.
    fn lines(shape: &egui::Shape, found: &mut Vec<f32>) {
        match shape {
            egui::Shape::Text(text) => {
                let written = |row: &&PlacedRow| row.glyphs.iter().any(|glyph| !glyph.chr.is_whitespace());
                let rows = text.galley.rows.iter().filter(written);
                found.extend(rows.map(|row| text.pos.y + row.rect().center().y));
            }
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| lines(shape, found)),
            _ => {}
        }
    }

    #[test]
    fn lines_of_a_lesson_are_evenly_apart() {
        let ctx = egui::Context::default();
        theme::install(&ctx, theme::ThemeChoice::Dark);
        let words = "Words with `code` in them, so many that they go on in the next line, then in another. ";
        let text = format!("* {0}{0}{0}\n* {0}{0}\n* Few words\n* `code` first. {0}{0}\n", words);
        let text = Markdown::new(text).unwrap();
        let mut cache = CommonMarkCache::default();
        let mut found = Vec::new();
        for _ in 0..3 {
            let input = egui::RawInput {
                screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(420.0, 900.0))),
                ..egui::RawInput::default()
            };
            let mut output = ctx.run_ui(input, |ui| readme(ui, &mut cache, &text));
            output.textures_delta.clear();
            found.clear();
            output.shapes.iter().for_each(|shape| lines(&shape.shape, &mut found));
        }
        found.sort_by(f32::total_cmp);
        // Parts of a line have the same centre, except for rounding.
        found.dedup_by(|b, a| (*b - *a).abs() < 3.0);
        let steps: Vec<f32> = found.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.len() > 8, "{found:?}");
        let (least, most) = steps.iter().fold((f32::MAX, 0.0_f32), |(a, b), &s| (a.min(s), b.max(s)));
        assert!(most - least <= 2.0, "{steps:?}");
    }
}
