//! [`Zoom`]: the size and position of the picture in its panel.

use egui::Vec2;

/// Smallest and largest zoom, in points per pixel.
pub const ZOOM_RANGE: std::ops::RangeInclusive<f32> = 0.0625..=128.0;
/// The size and position of the picture in its panel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Zoom {
    /// Points per pixel. `None` fits the whole picture in.
    pub(crate) factor: Option<f32>,
    /// Centre of the panel, in pixels from the picture's centre.
    pub(crate) center: Vec2,
}

impl Zoom {
    /// Returns the points per pixel. `None` if the picture is fitted in.
    pub fn factor(&self) -> Option<f32> {
        self.factor
    }

    /// Shows the whole picture.
    pub fn fit(&mut self) {
        *self = Self::default();
    }

    /// Shows one pixel as one point.
    pub fn actual_size(&mut self) {
        self.factor = Some(1.0);
    }

    /// Doubles the zoom.
    pub fn zoom_in(&mut self) {
        self.multiply(2.0);
    }

    /// Halves the zoom.
    pub fn zoom_out(&mut self) {
        self.multiply(0.5);
    }

    fn multiply(&mut self, factor: f32) {
        let zoom = self.factor.unwrap_or(1.0) * factor;
        self.factor = Some(zoom.clamp(*ZOOM_RANGE.start(), *ZOOM_RANGE.end()));
    }
}
