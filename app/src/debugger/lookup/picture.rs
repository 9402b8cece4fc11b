//! A picture of a texture level around the texels that a lookup reads. Frames mark the texels, an outline the
//! pixel's footprint, and dots the lookup points of the quad. Rows go upwards, like t.

use crate::format;
use crate::lookup;
use crate::theme;
use crate::widgets;
use egui::{Align2, Color32, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{
    LevelTrace, LookupTrace, ResultComponent, TexelSource, TexelTrace, Texture, Wrap,
};

/// Largest width of a picture, in points.
const SIDE: f32 = 248.0;
/// Height of a picture of an image with one row, in points.
const ROW: f32 = 26.0;
/// Smallest and largest number of texels from the middle to an edge.
const NEAR: f32 = 2.5;
const FAR: f32 = 16.0;
/// Largest number of texels when samples along a line need more than `FAR`.
const FARTHEST: f32 = 32.0;
/// Smallest side of a texel with a label, in points.
const LEGIBLE: f32 = 30.0;

/// The colour that a lookup returns for stored components.
pub(super) fn color(sources: [ResultComponent; 4], components: [f32; 4]) -> Color32 {
    let [x, y, ..] = components;
    let value = |source: ResultComponent| match source {
        ResultComponent::Component(c) => components[c % 4],
        ResultComponent::Zero => 0.0,
        ResultComponent::One => 1.0,
        ResultComponent::Hemi => (1.0 - (x * x + y * y)).max(0.0).sqrt(),
    };
    let [r, g, b, _] = sources;
    widgets::color_of([value(r), value(g), value(b)])
}

/// The plane of a texture that a picture shows.
pub(super) struct Seen<'a> {
    pub texture: &'a Texture,
    pub level: u32,
    /// Width, height and depth of the level.
    pub size: [u32; 3],
    pub sources: [ResultComponent; 4],
    /// The face and layer.
    pub image: u32,
    /// The slice of a 3D texture, or the sample.
    pub slice: i32,
}

/// The mapping from texels to the picture.
#[derive(Clone, Copy)]
struct View {
    rect: Rect,
    /// The position in the middle of the picture, in texels.
    middle: [f32; 2],
    /// Width and height of a texel, in points.
    cell: [f32; 2],
}

impl View {
    /// The point of a position in texels.
    fn at(&self, [u, v]: [f32; 2]) -> Pos2 {
        let center = self.rect.center();
        pos2(center.x + (u - self.middle[0]) * self.cell[0], center.y - (v - self.middle[1]) * self.cell[1])
    }

    /// The column and row at a point.
    fn texel(&self, point: Pos2) -> [i32; 2] {
        let center = self.rect.center();
        let u = self.middle[0] + (point.x - center.x) / self.cell[0];
        let v = self.middle[1] - (point.y - center.y) / self.cell[1];
        [u.floor() as i32, v.floor() as i32]
    }

    fn cell(&self, [i, j]: [i32; 2]) -> Rect {
        let [u, v] = [i as f32, j as f32];
        Rect::from_two_pos(self.at([u, v]), self.at([u + 1.0, v + 1.0]))
    }
}

impl Seen<'_> {
    /// The texel at column or row `at` of the plane. Outside the image, the wrap mode selects the texel;
    /// `None` if the mode selects none.
    fn wrapped(&self, axis: usize, at: i32) -> Option<i32> {
        let size = self.size[axis] as i32;
        if (0..size).contains(&at) {
            return Some(at);
        }
        if self.texture.target().is_cube() || !self.texture.target().is_filtered() {
            return None;
        }
        match self.texture.sampler().wrap[axis] {
            Wrap::Repeat => Some(at.rem_euclid(size)),
            Wrap::MirroredRepeat => {
                let twice = at.rem_euclid(2 * size);
                Some(twice.min(2 * size - 1 - twice))
            }
            Wrap::ClampToEdge => Some(at.clamp(0, size - 1)),
            Wrap::Clamp | Wrap::ClampToBorder => None,
        }
    }

    /// The shift, in texels, that brings `at` next to `near` along a repeating axis; 0 along other axes.
    fn moved(&self, axis: usize, at: f32, near: f32) -> f32 {
        let target = self.texture.target();
        let repeats = axis < target.axes() && self.texture.sampler().wrap[axis] == Wrap::Repeat;
        if target.is_cube() || !repeats { 0.0 } else { whole_images(at, self.size[axis] as f32, near) }
    }

    fn texel(&self, [i, j]: [i32; 2]) -> Option<[f32; 4]> {
        let place = [i, j, self.slice].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        self.texture.texel(self.level as usize, self.image as usize, place)
    }

    /// Paints the texels, with those outside the image pale, and then calls `over`. `half` is the number of
    /// texels from the middle to an edge.
    fn show(
        &self,
        ui: &mut Ui,
        (middle, half, width): ([f32; 2], f32, f32),
        over: impl FnOnce(&Painter, View),
    ) {
        let flat = self.texture.target().axes() == 1;
        let cell = width / (2.0 * half);
        let size = vec2(width, if flat { ROW } else { width });
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let words = format!("Level {} of the texture with the texels read", self.level);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &words));
        let palette = theme::palette(ui);
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 3.0, palette.well);
        let middle = if flat { [middle[0], 0.5] } else { middle };
        let view = View { rect, middle, cell: [cell, if flat { ROW } else { cell }] };
        let [left, bottom] = view.texel(rect.left_bottom() + vec2(0.5, -0.5));
        let [right, top] = view.texel(rect.right_top() + vec2(-0.5, 0.5));
        for j in bottom..=top {
            for i in left..=right {
                let inside = (0..self.size[0] as i32).contains(&i) && (0..self.size[1] as i32).contains(&j);
                let found = [self.wrapped(0, i), self.wrapped(1, j)];
                let [Some(column), Some(row)] = found else { continue };
                let Some(texel) = self.texel([column, row]) else { continue };
                let color = color(self.sources, self.scaled(texel));
                let color = if inside { color } else { color.lerp_to_gamma(palette.well, 0.65) };
                painter.rect_filled(view.cell([i, j]), 0.0, color);
            }
        }
        // The edge of the image.
        let [w, h] = [self.size[0], self.size[1]].map(|side| side as f32);
        let image = Rect::from_two_pos(view.at([0.0, 0.0]), view.at([w, h]));
        painter.rect_stroke(image, 0.0, Stroke::new(1.0, palette.text_weak), StrokeKind::Outside);
        over(&painter, view);
        painter.rect_stroke(rect, 3.0, Stroke::new(1.0, palette.line_strong), StrokeKind::Inside);
        let Some(pointed) = response.hover_pos() else { return };
        let [i, j] = view.texel(pointed);
        let texel =
            self.wrapped(0, i).zip(self.wrapped(1, j)).and_then(|(i, j)| Some(([i, j], self.texel([i, j])?)));
        response.on_hover_ui_at_pointer(|ui| match texel {
            Some(([i, j], texel)) => {
                let target = self.texture.target();
                ui.label(theme::caption(ui, format!("Texel {}", lookup::place(target, [i, j, self.slice]))));
                let used = self.sources.iter().fold(0_u8, |all, source| all | source.reads());
                let shown = (0..4).filter(|c| used >> c & 1 != 0).map(|c| format::float(texel[c]));
                ui.label(theme::value(ui, shown.collect::<Vec<_>>().join("  ")));
            }
            None => _ = ui.label(theme::caption(ui, "Outside the image: border colour")),
        });
    }

    /// Integers scaled to 0 to 1 by the largest 8-bit value, for a colour. Other numbers are unchanged.
    fn scaled(&self, texel: [f32; 4]) -> [f32; 4] {
        match lookup::component_type(self.texture).is_integer() {
            true => texel.map(|value| value / 255.0),
            false => texel,
        }
    }

    /// Shows a single texel in a frame.
    pub fn show_one(&self, ui: &mut Ui, [i, j, _]: [i32; 3]) {
        let middle = [i as f32 + 0.5, j as f32 + 0.5];
        let palette = theme::palette(ui);
        let width = ui.available_width().min(SIDE);
        self.show(ui, (middle, NEAR + 0.5, width), |painter, view| {
            frame(painter, view.cell([i, j]), palette.accent, palette.panel);
        });
        ui.add_space(4.0);
    }
}

/// A frame that is visible on any colour.
fn frame(painter: &Painter, cell: Rect, color: Color32, around: Color32) {
    painter.rect_stroke(cell, 0.0, Stroke::new(3.5, around), StrokeKind::Middle);
    painter.rect_stroke(cell, 0.0, Stroke::new(1.8, color), StrokeKind::Middle);
}

/// Marks over the texels, all in texels of the visible plane.
struct Over<'a> {
    trace: &'a LookupTrace,
    /// The position of the lookup, or of each of its samples.
    points: Vec<[f32; 2]>,
    /// The texels with their columns and rows in the plane.
    texels: Vec<(&'a TexelTrace, [i32; 2])>,
    /// The label of each texel.
    labels: Vec<String>,
    /// The pixel's sides.
    sides: [[f32; 2]; 2],
    /// The quad's lanes on the same face, by number.
    lanes: Vec<(usize, [f32; 2])>,
}

/// The shift, by whole images of `size` texels, that brings `at` next to `near`.
fn whole_images(at: f32, size: f32, near: f32) -> f32 {
    ((near - at) / size).round() * size
}

/// Pictures of a level: one, or one for each of two slices. `levels` are the samples' accesses to the level.
pub(super) fn level(
    ui: &mut Ui,
    (texture, trace): (&Texture, &LookupTrace),
    levels: Vec<&LevelTrace>,
    of_quad: bool,
) {
    let Some(first) = levels.first() else { return };
    let Some(main) = first.texels.first() else { return };
    let mut slices: Vec<i32> =
        levels.iter().flat_map(|level| &level.texels).map(|texel| texel.place[2]).collect();
    slices.sort_unstable();
    slices.dedup();
    slices.truncate(2);
    let width = (ui.available_width() - 8.0 * (slices.len() as f32 - 1.0)) / slices.len() as f32;
    let width = width.min(SIDE);
    let own_face = u32::from(trace.quad[trace.lane].face);
    let image = match texture.target().is_cube() {
        true => trace.layer.unwrap_or(0) * 6 + own_face,
        false => main.image,
    };
    ui.add_space(4.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        for slice in &slices {
            let seen = Seen {
                texture,
                level: first.level,
                size: first.size,
                sources: trace.sources,
                image,
                slice: *slice,
            };
            ui.vertical(|ui| seen.show_lookup(ui, trace, &levels, (of_quad, width)));
        }
    });
    ui.add_space(4.0);
}

impl Seen<'_> {
    fn show_lookup(
        &self,
        ui: &mut Ui,
        trace: &LookupTrace,
        levels: &[&LevelTrace],
        (of_quad, width): (bool, f32),
    ) {
        let over = self.over(trace, levels, of_quad);
        let (middle, half) = over.extent();
        let palette = theme::palette(ui);
        self.show(ui, (middle, half, width), |painter, view| over.paint(painter, view, palette));
        let mut words = format!("Level {}", self.level);
        words.extend(lookup::image(self.texture.target(), self.image).map(|image| format!(", {image}")));
        if self.texture.target() == TextureTarget::D3 {
            words += &format!(", slice {}", self.slice);
        }
        let elsewhere = levels.iter().flat_map(|level| &level.texels).find(|texel| texel.image != self.image);
        if let Some(image) = elsewhere.and_then(|texel| lookup::image(self.texture.target(), texel.image)) {
            words += &format!("; other texels on {image}");
        }
        let hint = "Boxes mark the texels read, with their weights. The outline is the pixel's footprint. The \
                    dots are the lookup points of the quad's pixels; the filled dot is this pixel.";
        ui.add(egui::Label::new(theme::caption(ui, words)).wrap()).on_hover_text(hint);
    }

    fn over<'a>(&self, trace: &'a LookupTrace, levels: &[&'a LevelTrace], of_quad: bool) -> Over<'a> {
        let shift = trace.offset.unwrap_or_default().map(|offset| offset as f32);
        let point = |level: &LevelTrace| [level.at[0] + shift[0], level.at[1] + shift[1]];
        let mut points: Vec<[f32; 2]> = levels.iter().map(|level| point(level)).collect();
        // Samples on both sides of a seam are shown next to each other.
        let first = points.first().copied().unwrap_or_default();
        for point in &mut points {
            *point = std::array::from_fn(|axis| point[axis] + self.moved(axis, point[axis], first[axis]));
        }
        let (mut texels, mut labels) = (Vec::new(), Vec::new());
        for (level, near) in levels.iter().zip(&points) {
            for (number, texel) in level.texels.iter().enumerate() {
                if texel.image == self.image && texel.place[2] == self.slice {
                    let at = std::array::from_fn(|axis| {
                        let at = texel.place[axis];
                        at + self.moved(axis, at as f32 + 0.5, near[axis]) as i32
                    });
                    texels.push((texel, at));
                    labels.push(super::part(&trace.found, (number, texel), 0));
                }
            }
        }
        let scale = |d: [f32; 3]| -> [f32; 2] {
            let counts_texels = self.texture.target() == TextureTarget::Rect;
            std::array::from_fn(|axis| if counts_texels { d[axis] } else { d[axis] * self.size[axis] as f32 })
        };
        let own = trace.quad[trace.lane];
        let sides = trace.found.detail().map_or([[0.0; 3]; 2], |detail| detail.in_image).map(scale);
        // The middle of the samples, which are spread around the pixel's own point.
        let count = points.len().max(1) as f32;
        let center: [f32; 2] =
            std::array::from_fn(|axis| points.iter().map(|point| point[axis]).sum::<f32>() / count);
        let lanes = trace.quad.iter().enumerate().filter(|(_, lane)| of_quad && lane.face == own.face);
        let lanes = lanes.map(|(number, lane)| {
            let [x, y] = scale(std::array::from_fn(|axis| lane.coordinates[axis] - own.coordinates[axis]));
            (number, [center[0] + x, center[1] + y])
        });
        Over { trace, points, texels, labels, sides, lanes: lanes.collect() }
    }
}

impl Over<'_> {
    /// The position in the middle of the picture, and the number of texels from the middle to an edge.
    fn extent(&self) -> ([f32; 2], f32) {
        let center = |(_, [i, j]): &(&TexelTrace, [i32; 2])| [*i as f32 + 0.5, *j as f32 + 0.5];
        let places: Vec<[f32; 2]> = self.texels.iter().map(center).collect();
        let span = |axis: usize| {
            let all = || places.iter().map(|place| place[axis]);
            (all().fold(f32::INFINITY, f32::min), all().fold(f32::NEG_INFINITY, f32::max))
        };
        if places.is_empty() {
            return (self.points.first().copied().unwrap_or_default(), NEAR);
        }
        let spans = [span(0), span(1)];
        let middle = spans.map(|(low, high)| (low + high) / 2.0);
        let needed = spans.iter().map(|(low, high)| (high - low) / 2.0 + 1.5).fold(0.0, f32::max);
        let [dx, dy] = self.sides;
        let footprint = (0..2).map(|axis| (dx[axis].abs() + dy[axis].abs()) / 2.0 + 1.0);
        let wanted = footprint.filter(|extent| extent.is_finite()).fold(NEAR, f32::max).min(FAR);
        (middle, wanted.max(needed).min(FARTHEST))
    }

    fn paint(&self, painter: &Painter, view: View, palette: &theme::Palette) {
        for ((texel, at), label) in self.texels.iter().zip(&self.labels) {
            let cell = view.cell(*at);
            let color = match texel.source {
                TexelSource::Image => palette.accent,
                TexelSource::Border | TexelSource::Corner => palette.warning,
            };
            if texel.source != TexelSource::Image {
                let value = texel.stored.map(|value| value / self.trace.unit);
                painter.rect_filled(cell, 0.0, self::color(self.trace.sources, value));
            }
            frame(painter, cell, color, palette.panel);
            let side = view.cell[0].min(view.cell[1].max(LEGIBLE));
            if side >= LEGIBLE && self.points.len() == 1 {
                let font = theme::caption_font();
                let galley = painter.layout_no_wrap(label.clone(), font, palette.text_strong);
                let place =
                    Align2::CENTER_BOTTOM.anchor_size(cell.center_bottom() - vec2(0.0, 3.0), galley.size());
                painter.rect_filled(place.expand2(vec2(3.0, 0.0)), 3.0, palette.panel.gamma_multiply(0.85));
                painter.galley(place.min, galley, palette.text_strong);
            }
        }
        let [dx, dy] = self.sides;
        let is_finite = dx.iter().chain(&dy).all(|side| side.is_finite());
        if let Some(middle) = self.lanes.iter().find(|(number, _)| *number == self.trace.lane)
            && is_finite
        {
            let [u, v] = middle.1;
            let corner = |a: f32, b: f32| {
                view.at([u + (a * dx[0] + b * dy[0]) / 2.0, v + (a * dx[1] + b * dy[1]) / 2.0])
            };
            let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            painter.add(Shape::closed_line(corners.clone(), Stroke::new(3.0, palette.panel)));
            painter.add(Shape::closed_line(corners, Stroke::new(1.4, palette.read)));
        }
        for (number, at) in &self.lanes {
            if *number != self.trace.lane {
                painter.circle(view.at(*at), 3.0, palette.panel, Stroke::new(1.5, palette.read));
            }
        }
        let several = self.points.len() > 1;
        for point in &self.points {
            let (radius, color) = if several { (2.5, palette.write) } else { (3.5, palette.read) };
            painter.circle(view.at(*point), radius, color, Stroke::new(1.5, palette.panel));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_go_upwards_and_points_find_their_texels() {
        let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(100.0, 100.0));
        let view = View { rect, middle: [4.0, 8.0], cell: [10.0, 10.0] };
        assert_eq!(view.at([4.0, 8.0]), rect.center());
        assert_eq!(view.at([5.0, 9.0]), rect.center() + vec2(10.0, -10.0));
        assert_eq!(view.texel(rect.center() + vec2(1.0, -1.0)), [4, 8]);
        assert_eq!(view.texel(rect.center() + vec2(-1.0, 1.0)), [3, 7]);
        assert_eq!(view.cell([4, 8]).left_bottom(), rect.center());
    }

    #[test]
    fn samples_on_both_sides_of_a_seam_stand_side_by_side() {
        for (at, near, moved) in [(63.5, 0.5, -64.0), (0.5, 63.5, 64.0), (30.0, 33.0, 0.0)] {
            assert_eq!(whole_images(at, 64.0, near), moved, "{at} next to {near}");
        }
    }
}
