//! [`TextLook`]: font size and tab width of program text, and whether comments wrap.

use super::tolerant;
use crate::theme;
use egui::FontId;
use serde::{Deserialize, Serialize};

/// Display of comments that are wider than the panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comments {
    /// Comments wrap.
    #[default]
    Wrapped,
    /// Comments stay on one line.
    InOneLine,
}

impl Comments {
    pub const fn other(self) -> Self {
        match self {
            Self::Wrapped => Self::InOneLine,
            Self::InOneLine => Self::Wrapped,
        }
    }
}

/// Look of program text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TextLook {
    /// Difference from the default font size, in points.
    pub(crate) larger_by: i8,
    pub comments: Comments,
    /// Columns from one tab stop to the next. `None` for the default.
    #[serde(deserialize_with = "tolerant")]
    pub(crate) tab_width: Option<u8>,
}

/// Tab widths that the user can set, in columns.
pub const TAB_WIDTHS: std::ops::RangeInclusive<usize> = 1..=8;

/// Smallest and largest difference from the default size, in points.
const SIZES: std::ops::RangeInclusive<i8> = -5..=18;

impl TextLook {
    /// Returns the look with the font `points` larger (smaller if negative), within the allowed sizes.
    #[must_use]
    pub fn enlarged(self, points: i8) -> Self {
        let larger_by = self.larger_by.saturating_add(points).clamp(*SIZES.start(), *SIZES.end());
        Self { larger_by, ..self }
    }

    /// Returns the look with the default font size.
    #[must_use]
    pub const fn of_usual_size(self) -> Self {
        Self { larger_by: 0, ..self }
    }

    /// Returns the columns from one tab stop to the next.
    pub fn tab_width(self) -> usize {
        let width = self.tab_width.map_or(theme::TAB_WIDTH, usize::from);
        width.clamp(*TAB_WIDTHS.start(), *TAB_WIDTHS.end())
    }

    /// Returns the look with another tab width.
    #[must_use]
    pub fn with_tab_width(self, width: usize) -> Self {
        Self { tab_width: u8::try_from(width).ok().filter(|_| width != theme::TAB_WIDTH), ..self }
    }

    /// Returns true if the font can be `points` larger.
    pub fn can_grow(self, points: i8) -> bool {
        self.enlarged(points) != self
    }

    /// Returns the font of program text.
    pub fn font(self) -> FontId {
        let usual = theme::code_font();
        let larger_by = self.larger_by.clamp(*SIZES.start(), *SIZES.end());
        FontId::new(usual.size + f32::from(larger_by), usual.family)
    }

    /// Returns the font size as a factor of the default size.
    fn factor(self) -> f32 {
        self.font().size / theme::CODE_SIZE
    }

    /// Returns the font of line numbers.
    pub fn number_font(self) -> FontId {
        FontId::monospace(11.5 * self.factor())
    }

    /// Returns the height of a line, in points.
    pub fn line_height(self) -> f32 {
        (theme::CODE_LINE_HEIGHT * self.factor()).round()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_end_at_what_can_be_read() {
        let usual = TextLook::default();
        assert_eq!(usual.font(), theme::code_font());
        assert_eq!(usual.line_height(), theme::CODE_LINE_HEIGHT);
        let sizes = |step: i8| {
            let mut look = usual;
            (0..200).for_each(|_| look = look.enlarged(step));
            look.font().size
        };
        assert!(sizes(1) > 30.0 && sizes(1) < 40.0, "{}", sizes(1));
        assert!(sizes(-1) > 7.0 && sizes(-1) < 10.0, "{}", sizes(-1));
        assert_eq!(usual.enlarged(3).enlarged(-1).of_usual_size(), usual);
        // Hand-written settings may have values out of range.
        let odd = TextLook { larger_by: -128, ..usual };
        assert!(odd.font().size > 7.0);
    }
}
