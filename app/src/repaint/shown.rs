//! What a window shows, and where the next frame differs from it.

use egui::epaint::{ClippedShape, TextShape};
use egui::{Rect, Shape, TextureId, TexturesDelta};
use std::ops::Range;
use std::sync::Arc;

/// Areas painted one by one; where there are more, some become one.
const MOST_AREAS: usize = 8;
/// Pixels beside its bounds that a shape may reach: edges are smoothed over one, and rounded to whole ones.
const MARGIN: f32 = 2.0;

/// A window's pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Screen {
    /// Width and height in points.
    pub size: egui::Vec2,
    /// Pixels in a point.
    pub pixels_per_point: f32,
}

impl Screen {
    /// Width and height in pixels.
    pub fn pixels(&self) -> [u32; 2] {
        [self.size.x, self.size.y].map(|side| (side * self.pixels_per_point).round() as u32)
    }

    /// All of it.
    fn area(&self) -> Area {
        let [width, height] = self.pixels().map(|side| side as i32);
        Area { x: 0..width, y: 0..height }
    }

    /// The pixels that a clip rectangle of painters leaves.
    fn clip(&self, rect: Rect) -> Area {
        let range = |from: f32, to: f32| {
            let [from, to] = [from, to].map(|at| (at * self.pixels_per_point).round() as i32);
            from..to
        };
        Area { x: range(rect.left(), rect.right()), y: range(rect.top(), rect.bottom()) }
    }

    /// The pixels that something with these bounds may touch; what has no end may touch all.
    fn touched(&self, bounds: Rect) -> Area {
        if !bounds.is_finite() {
            return self.area();
        }
        let range = |from: f32, to: f32| {
            let from = (from * self.pixels_per_point - MARGIN).floor();
            let to = (to * self.pixels_per_point + MARGIN).ceil();
            from as i32..to as i32
        };
        Area { x: range(bounds.left(), bounds.right()), y: range(bounds.top(), bounds.bottom()) }
    }

    /// The clip rectangle of painters that leaves `area`.
    fn rect(&self, area: &Area) -> Rect {
        let place = |x: i32, y: i32| egui::pos2(x as f32, y as f32) / self.pixels_per_point;
        Rect::from_min_max(place(area.x.start, area.y.start), place(area.x.end, area.y.end))
    }
}

/// Pixels, counted from the window's left and top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Columns.
    pub x: Range<i32>,
    /// Rows.
    pub y: Range<i32>,
}

impl Area {
    const EMPTY: Self = Self { x: 0..0, y: 0..0 };

    fn is_empty(&self) -> bool {
        self.x.is_empty() || self.y.is_empty()
    }

    /// Pixels in both.
    fn common(&self, other: &Self) -> Self {
        let common = |a: &Range<i32>, b: &Range<i32>| a.start.max(b.start)..a.end.min(b.end);
        Self { x: common(&self.x, &other.x), y: common(&self.y, &other.y) }
    }

    /// The least area with both in it.
    fn around(&self, other: &Self) -> Self {
        let around = |a: &Range<i32>, b: &Range<i32>| a.start.min(b.start)..a.end.max(b.end);
        Self { x: around(&self.x, &other.x), y: around(&self.y, &other.y) }
    }

    fn pixels(&self) -> i64 {
        if self.is_empty() {
            0
        } else {
            i64::from(self.x.end - self.x.start) * i64::from(self.y.end - self.y.start)
        }
    }
}

/// Where a frame differs from the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Anywhere.
    Everything,
    /// In these areas at most, none of which overlap.
    Areas(Vec<Area>),
}

/// A shape of the frame, with the pixels that it may touch.
#[derive(Debug)]
struct Seen {
    shape: ClippedShape,
    area: Area,
}

/// The shapes of a frame.
#[derive(Debug, Default)]
pub struct Shown {
    screen: Screen,
    shapes: Vec<Seen>,
}

impl Shown {
    /// Has `shapes` shown in place of what was, and gives where that makes a difference. `textures` are the
    /// changes of textures that come with them.
    pub fn replace(&mut self, screen: Screen, shapes: Vec<ClippedShape>, textures: &TexturesDelta) -> Change {
        let whole = screen.area();
        let mut old = std::mem::take(&mut self.shapes);
        let other_screen = std::mem::replace(&mut self.screen, screen) != screen;
        if other_screen {
            // Areas count pixels of the screen that was.
            old.clear();
        }
        // What is added to the atlas of glyphs leaves those that are in use as they are; a new one does not.
        let mut atlas = textures.set.get(&TextureId::default()).into_iter().flatten();
        let mut everything = other_screen || atlas.any(|image| image.is_whole());

        // Shapes come and go at few places; before and behind them all is in the order that it was in.
        let fewer = old.len().min(shapes.len());
        let same = |(old, new): &(&Seen, &ClippedShape)| is_same(&old.shape, new);
        let (before, behind) = if old.len() == shapes.len() {
            (old.len(), 0)
        } else {
            let before = old.iter().zip(&shapes).take_while(same).count();
            let behind = old.iter().rev().zip(shapes.iter().rev()).take_while(same).count();
            (before, behind.min(fewer - before))
        };
        let gone = before..old.len() - behind;
        let come = before..shapes.len() - behind;

        let mut areas = Areas::default();
        for seen in &old[gone.clone()] {
            areas.add(seen.area.clone());
        }
        let mut old = old.into_iter();
        for (index, shape) in shapes.into_iter().enumerate() {
            if index == come.start {
                old.by_ref().take(gone.len()).for_each(drop);
            }
            let was = if come.contains(&index) { None } else { old.next() };
            let kept = was.as_ref().is_some_and(|was| is_same(&was.shape, &shape));
            let area = match was {
                Some(was) if kept => was.area,
                was => {
                    let area = extent(&screen, &shape).common(&whole);
                    areas.add(area.clone());
                    was.into_iter().for_each(|was| areas.add(was.area));
                    area
                }
            };
            if kept && uses_changed_texture(&shape.shape, textures) {
                areas.add(area.clone());
            }
            self.shapes.push(Seen { shape, area });
        }
        everything |= 2 * areas.pixels() > whole.pixels();
        if everything { Change::Everything } else { Change::Areas(areas.0) }
    }

    /// What has to be painted for a change, in this order, if areas are empty before.
    pub fn within(&self, change: &Change) -> Vec<ClippedShape> {
        let Change::Areas(areas) = change else {
            return self.shapes.iter().map(|seen| seen.shape.clone()).collect();
        };
        let mut shapes = Vec::new();
        for area in areas {
            let rect = self.screen.rect(area);
            for seen in self.shapes.iter().filter(|seen| !seen.area.common(area).is_empty()) {
                let clip_rect = seen.shape.clip_rect.intersect(rect);
                shapes.push(ClippedShape { clip_rect, ..seen.shape.clone() });
            }
        }
        shapes
    }
}

/// Areas that do not overlap.
#[derive(Debug, Default)]
struct Areas(Vec<Area>);

impl Areas {
    fn add(&mut self, mut area: Area) {
        if area.is_empty() {
            return;
        }
        loop {
            while let Some(other) = self.0.iter().position(|other| !other.common(&area).is_empty()) {
                area = area.around(&self.0.swap_remove(other));
            }
            if self.0.len() < MOST_AREAS {
                break;
            }
            let growth = |other: &Area| other.around(&area).pixels() - other.pixels();
            let nearest = (0..self.0.len()).min_by_key(|&other| growth(&self.0[other]));
            let Some(nearest) = nearest else { break };
            area = area.around(&self.0.swap_remove(nearest));
        }
        self.0.push(area);
    }

    fn pixels(&self) -> i64 {
        self.0.iter().map(Area::pixels).sum()
    }
}

/// The pixels that a shape may touch.
fn extent(screen: &Screen, shape: &ClippedShape) -> Area {
    let ClippedShape { clip_rect, shape, transform_after_tessellation } = shape;
    let Some(bounds) = bounds(shape) else { return Area::EMPTY };
    screen.touched(*transform_after_tessellation * bounds).common(&screen.clip(*clip_rect))
}

/// What a shape is within; none if there is nothing of it.
fn bounds(shape: &Shape) -> Option<Rect> {
    let bounds = match shape {
        Shape::Vec(shapes) => return shapes.iter().filter_map(bounds).reduce(Rect::union),
        Shape::Text(text) => return text_bounds(text),
        shape => shape.visual_bounding_rect(),
    };
    (!bounds.is_negative()).then_some(bounds)
}

/// The same of a text. A selection is painted with its rows, and reaches beyond the glyphs that the text's own
/// bounds are around.
fn text_bounds(text: &TextShape) -> Option<Rect> {
    let rows = text.galley.rows.iter().map(|row| row.visuals.mesh_bounds.translate(row.pos.to_vec2()));
    // Turning what is empty would make NaNs of its bounds.
    let bounds = rows.filter(|bounds| !bounds.is_negative()).reduce(Rect::union)?;
    let turned = bounds.expand(text.underline.width).rotate_bb(egui::emath::Rot2::from_angle(text.angle));
    Some(turned.translate(text.pos.to_vec2()))
}

/// Whether two shapes are painted alike, as far as that is quickly said: a text that was laid out anew counts as
/// another one.
fn is_same(a: &ClippedShape, b: &ClippedShape) -> bool {
    let ClippedShape { clip_rect, shape, transform_after_tessellation } = a;
    *clip_rect == b.clip_rect
        && *transform_after_tessellation == b.transform_after_tessellation
        && is_same_shape(shape, &b.shape)
}

fn is_same_shape(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Text(a), Shape::Text(b)) => is_same_text(a, b),
        (Shape::Vec(a), Shape::Vec(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_shape(a, b))
        }
        (Shape::Mesh(a), Shape::Mesh(b)) => Arc::ptr_eq(a, b) || a == b,
        (a, b) => a == b,
    }
}

fn is_same_text(a: &TextShape, b: &TextShape) -> bool {
    let TextShape { pos, galley, underline, fallback_color, override_text_color, opacity_factor, angle } = a;
    Arc::ptr_eq(galley, &b.galley)
        && *pos == b.pos
        && *underline == b.underline
        && *fallback_color == b.fallback_color
        && *override_text_color == b.override_text_color
        && *opacity_factor == b.opacity_factor
        && *angle == b.angle
}

/// Whether a shape has a texture that is not what it was. The atlas is seen to elsewhere.
fn uses_changed_texture(shape: &Shape, textures: &TexturesDelta) -> bool {
    if let Shape::Vec(shapes) = shape {
        return shapes.iter().any(|shape| uses_changed_texture(shape, textures));
    }
    let id = shape.texture_id();
    id != TextureId::default() && textures.set.contains_key(&id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(x: Range<i32>, y: Range<i32>) -> Area {
        Area { x, y }
    }

    #[test]
    fn areas_that_overlap_become_one() {
        let mut areas = Areas::default();
        areas.add(area(0..10, 0..10));
        areas.add(area(20..30, 0..10));
        assert_eq!(areas.0.len(), 2);
        // Touches the first, and with it the second.
        areas.add(area(5..25, 8..9));
        assert_eq!(areas.0, [area(0..30, 0..10)]);
    }

    #[test]
    fn there_are_few_areas() {
        let mut areas = Areas::default();
        for place in 0..40 {
            areas.add(area(place * 10..place * 10 + 5, 0..5));
            assert!(areas.0.len() <= MOST_AREAS);
        }
        let covered = |x: i32| areas.0.iter().any(|area| area.x.contains(&x));
        assert!((0..40).all(|place| covered(place * 10) && covered(place * 10 + 4)));
    }
}
