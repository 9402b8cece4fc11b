//! The picture's place in its panel, and the places of its pixels on the screen.

use crate::state::{ZOOM_RANGE, Zoom};
use crate::widgets;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// Space beside and below a fitted picture, in points. Above the picture there is [`BANNER`].
const MARGIN: f32 = 14.0;
/// Space above a fitted picture, in points. One banner fits there, so a banner does not move the picture.
pub const BANNER: f32 = widgets::BAND_HEIGHT;

impl Zoom {
    fn scale(&self, area: Rect, size: [u32; 2]) -> f32 {
        self.factor.unwrap_or_else(|| {
            let room = room(area).size().max(Vec2::splat(8.0));
            (room.x / size[0] as f32).min(room.y / size[1] as f32)
        })
    }

    /// Rectangle of a picture of `size` pixels. It can be larger than `area`.
    pub fn picture_rect(&self, area: Rect, size: [u32; 2]) -> Rect {
        let scale = self.scale(area, size);
        let extent = vec2(size[0] as f32, size[1] as f32) * scale;
        let center = room(area).center() - self.center * scale;
        // Rounds to whole points, so that pixels of the picture align with pixels of the screen.
        Rect::from_min_size((center - extent / 2.0).round(), extent)
    }

    /// Zooms by `factor` around `pointer`.
    pub fn zoom_at(&mut self, area: Rect, size: [u32; 2], pointer: Pos2, factor: f32) {
        let before = self.scale(area, size);
        let after = (before * factor).clamp(*ZOOM_RANGE.start(), *ZOOM_RANGE.end());
        let from_center = pointer - room(area).center();
        self.center += from_center / before - from_center / after;
        self.factor = Some(after);
        self.keep_near(size);
    }

    /// Moves the picture by `delta` points.
    pub fn pan(&mut self, area: Rect, size: [u32; 2], delta: Vec2) {
        let scale = self.scale(area, size);
        self.factor = Some(scale);
        self.center -= delta / scale;
        self.keep_near(size);
    }

    /// Keeps part of the picture in the panel.
    fn keep_near(&mut self, size: [u32; 2]) {
        let half = vec2(size[0] as f32, size[1] as f32) / 2.0;
        self.center = self.center.clamp(-half, half);
    }
}

/// The area for a fitted picture within `area`.
fn room(area: Rect) -> Rect {
    let above = BANNER.min(area.height() / 4.0);
    let below = MARGIN.min(area.height() / 4.0);
    Rect::from_min_max(area.min + vec2(MARGIN, above), area.max - vec2(MARGIN, below))
}

/// The pixel at `pos`, from the lower left. `picture` is the rectangle of a picture of `size` pixels.
pub fn pixel_at(picture: Rect, size: [u32; 2], pos: Pos2) -> Option<[u32; 2]> {
    if !picture.contains(pos) {
        return None;
    }
    let uv = (pos - picture.min) / picture.size();
    let x = ((uv.x * size[0] as f32) as u32).min(size[0] - 1);
    let row = ((uv.y * size[1] as f32) as u32).min(size[1] - 1);
    Some([x, size[1] - 1 - row])
}

/// Converts a place on the screen to window coordinates (pixels from the lower left).
pub fn window_at(picture: Rect, size: [u32; 2], pos: Pos2) -> [f32; 2] {
    let uv = (pos - picture.min) / picture.size();
    [uv.x * size[0] as f32, (1.0 - uv.y) * size[1] as f32]
}

/// Converts window coordinates to a place on the screen.
pub fn window_pos(picture: Rect, size: [u32; 2], [x, y]: [f32; 2]) -> Pos2 {
    let uv = vec2(x / size[0] as f32, 1.0 - y / size[1] as f32);
    picture.min + uv * picture.size()
}

/// The rectangle of `pixel`, counted from the lower left, on the screen.
pub fn pixel_rect(picture: Rect, size: [u32; 2], pixel: [u32; 2]) -> Rect {
    let scale = picture.width() / size[0] as f32;
    let row = size[1].saturating_sub(pixel[1] + 1);
    let min = picture.min + vec2(pixel[0] as f32, row as f32) * scale;
    Rect::from_min_size(pos2(min.x, min.y), Vec2::splat(scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { min: Pos2::new(100.0, 50.0), max: Pos2::new(700.0, 450.0) };

    #[test]
    fn the_whole_picture_fits_in() {
        let rect = Zoom::default().picture_rect(AREA, [512, 512]);
        assert!(AREA.contains_rect(rect));
        assert!((rect.height() - (400.0 - BANNER - MARGIN)).abs() < 1.0);
        assert!(rect.top() >= AREA.top() + BANNER, "there is room for a banner");
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let mut zoom = Zoom::default();
        let pointer = pos2(360.0, 200.0);
        let before = pixel_at(zoom.picture_rect(AREA, [64, 64]), [64, 64], pointer);
        for factor in [1.5, 3.0, 0.4] {
            zoom.zoom_at(AREA, [64, 64], pointer, factor);
            assert_eq!(pixel_at(zoom.picture_rect(AREA, [64, 64]), [64, 64], pointer), before);
        }
    }

    #[test]
    fn pixels_and_places_agree() {
        let picture = Zoom::default().picture_rect(AREA, [7, 5]);
        for x in 0..7 {
            for y in 0..5 {
                let rect = pixel_rect(picture, [7, 5], [x, y]);
                assert_eq!(pixel_at(picture, [7, 5], rect.center()), Some([x, y]));
            }
        }
        assert_eq!(pixel_at(picture, [7, 5], picture.left_bottom() + vec2(1.0, -1.0)), Some([0, 0]));
    }
}
