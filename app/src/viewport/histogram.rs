//! The histogram window: the number of pixels per level of red, green and blue, or per value of the map
//! shown.

use crate::command::{Action, Command};
use crate::format;
use crate::maps::{Field, Range, legend_ticks};
use crate::model::Document;
use crate::session::{Frame, PixelStatus};
use crate::state::State;
use crate::theme;
use crate::widgets;
use egui::vec2;
use egui_plot::{AxisHints, GridInput, GridMark, Line, Plot, PlotPoints};

/// Number of bins.
const BINS: usize = 128;

/// The counted data. Equal sources are counted once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The picture with this number.
    Picture(u64),
    /// The map at this place in memory, of the picture with this number.
    Map(usize, u64),
}

/// Counts, one list for each component.
struct Counts {
    source: Source,
    range: [f64; 2],
    components: Vec<[u32; BINS]>,
    not_finite: usize,
    pixels: usize,
}

/// Cached counts of the window.
#[derive(Default)]
pub struct Histogram {
    counts: Option<Counts>,
}

impl Histogram {
    /// Drops the counts. The window counts again when it is visible.
    pub fn clear(&mut self) {
        self.counts = None;
    }
}

/// Counts values. `pixels` yields the components of each pixel.
fn count(
    source: Source,
    components: usize,
    pixels: impl Iterator<Item = [Option<f64>; 4]> + Clone,
) -> Counts {
    let finite = |value: &f64| value.is_finite();
    let (mut low, mut high, mut not_finite, mut number) = (f64::INFINITY, f64::NEG_INFINITY, 0, 0);
    for pixel in pixels.clone() {
        number += 1;
        for value in pixel.into_iter().flatten() {
            if finite(&value) {
                (low, high) = (low.min(value), high.max(value));
            } else {
                not_finite += 1;
            }
        }
    }
    let (low, high) = if low < high { (low, high) } else { (low.min(0.0), low.max(0.0) + 1.0) };
    let (low, high) = if low.is_finite() { (low, high) } else { (0.0, 1.0) };
    let mut all = vec![[0; BINS]; components];
    for pixel in pixels {
        for (bins, value) in all.iter_mut().zip(pixel) {
            let Some(value) = value.filter(finite) else { continue };
            let bin = ((value - low) / (high - low) * BINS as f64) as usize;
            bins[bin.min(BINS - 1)] += 1;
        }
    }
    Counts { source, range: [low, high], components: all, not_finite, pixels: number }
}

fn of_picture(source: Source, frame: &Frame) -> Counts {
    let [width, height] = frame.size();
    let places = (0..height).flat_map(move |y| (0..width).map(move |x| [x, y]));
    let types = frame.types();
    let pixels = places.filter_map(|at| frame.pixel(at)).filter(|pixel| pixel.status == PixelStatus::Written);
    let values = pixels.map(|pixel| {
        std::array::from_fn(|c| {
            let integer = types[c].is_integer();
            let value = pixel.color[c];
            let number = if integer { f64::from(value.to_bits().cast_signed()) } else { f64::from(value) };
            (c < 3).then_some(number)
        })
    });
    count(source, 3, values)
}

fn of_map(source: Source, field: &Field) -> Counts {
    let places = 0..field.present.len();
    let values = places.filter_map(|place| field.value(place));
    let components = field.components;
    count(source, components, values.map(|value| std::array::from_fn(|c| value.get(c).copied())))
}

pub fn show(ui: &egui::Ui, state: &State, own: &mut Histogram, actions: &mut Vec<Action>) {
    if !state.view.shows_histogram {
        own.counts = None;
        return;
    }
    let Some(document) = state.document() else { return };
    update(state, document, own);
    let mut open = true;
    // The lower right corner. In the default layout neither the text nor the picture is there.
    let place = ui.ctx().content_rect().right_bottom() - vec2(460.0, 340.0);
    let title = match state.maps.shown(document.id) {
        Some(map) => format!("Histogram: {}", map.query.map.command().info().label),
        None => "Histogram of the picture".to_owned(),
    };
    egui::Window::new(egui::RichText::new(title).font(theme::strong_font(13.0)))
        .id(egui::Id::unique("histogram"))
        .open(&mut open)
        .default_pos(place)
        .default_size(vec2(420.0, 240.0))
        .min_size(vec2(260.0, 160.0))
        .show(ui.ctx(), |ui| match &own.counts {
            Some(counts) => plot(ui, counts),
            None => {
                ui.label(theme::caption(ui, "No picture yet"));
            }
        });
    if !open {
        actions.push(Command::ShowHistogram.into());
    }
}

/// Counts again if the source has changed.
fn update(state: &State, document: &Document, own: &mut Histogram) {
    let Some(shown) = &document.shown else { return own.counts = None };
    let map = state.maps.shown(document.id);
    let source = match map {
        Some(map) => Source::Map(std::sync::Arc::as_ptr(&map.field).addr(), shown.generation),
        None => Source::Picture(shown.generation),
    };
    if own.counts.as_ref().is_some_and(|counts| counts.source == source) {
        return;
    }
    own.counts = Some(match map {
        Some(map) => of_map(source, &map.field),
        None => of_picture(source, &shown.frame),
    });
}

/// Round numbers for the axis, as many as fit.
fn ticks(input: GridInput, most: usize) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let ticks = legend_ticks(Range { low, high }, most);
    let step_size = ticks.windows(2).next().map_or(high - low, |pair| pair[1] - pair[0]);
    ticks.into_iter().map(|value| GridMark { value, step_size }).collect()
}

fn plot(ui: &mut egui::Ui, counts: &Counts) {
    let palette = theme::palette(ui);
    let [low, high] = counts.range;
    let width = (high - low) / BINS as f64;
    let names: &[&str] = match (counts.source, counts.components.len()) {
        (Source::Picture(_), _) => &["red", "green", "blue"],
        (Source::Map(..), 1) => &["value"],
        (Source::Map(..), _) => &["x", "y", "z", "w"],
    };
    let colors = [palette.error, palette.success, palette.read, palette.warning];
    let height = (ui.available_height() - 24.0).max(80.0);
    let hover = |position: &egui_plot::HoverPosition<'_>| match position {
        egui_plot::HoverPosition::NearDataPoint { plot_name, position, .. } => {
            let pixels = pixel_count(position.y.max(0.0) as u64);
            Some(format!("{plot_name}\n{pixels} at {}", super::map::number(position.x, 9)))
        }
        egui_plot::HoverPosition::Elsewhere { .. } => None,
    };
    let spacing = egui::Rangef::new(16.0, 18.0);
    let values =
        AxisHints::new_x().label_spacing(spacing).formatter(|mark, _| super::map::number(mark.value, 8));
    let pixels = AxisHints::new_y()
        .label_spacing(spacing)
        .formatter(|mark, _| format::short_count(mark.value.max(0.0) as u64));
    let plot = Plot::new("histogram plot")
        .height(height)
        .allow_scroll(false)
        .allow_drag(false)
        .show_background(false)
        .x_grid_spacer(|input| ticks(input, 6))
        .y_grid_spacer(|input| ticks(input, 3))
        .custom_x_axes(vec![values])
        .custom_y_axes(vec![pixels])
        .include_y(0.0)
        .include_x(low)
        .include_x(high)
        .label_formatter(hover);
    let shown = plot.show(ui, |plot| {
        for (number, bins) in counts.components.iter().enumerate() {
            // A step for each bin, because a bin has a single count.
            let points: PlotPoints<'_> = bins
                .iter()
                .enumerate()
                .flat_map(|(bin, count)| {
                    let left = low + width * bin as f64;
                    [[left, f64::from(*count)], [left + width, f64::from(*count)]]
                })
                .collect();
            let single = counts.components.len() == 1;
            let color = if single { palette.accent } else { colors[number.min(colors.len() - 1)] };
            let name = names.get(number).copied().unwrap_or("value");
            plot.line(Line::new(name, points).color(color).fill(0.0).fill_alpha(0.14).width(1.2));
        }
    });
    widgets::named(shown.response, "Histogram");
    let mut words = pixel_count(counts.pixels as u64);
    if counts.not_finite > 0 {
        words = format!("{words}, {} NaN or infinite components", format::count(counts.not_finite as u64));
    }
    ui.label(theme::caption(ui, words));
}

/// Formats a number of pixels.
fn pixel_count(count: u64) -> String {
    format::grouped(count as usize, "pixel")
}
