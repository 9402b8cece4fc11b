//! What the viewport shows, and how.

use super::pictures::Pictures;
use super::zoom::Zoom;
use crate::session::Mouse;
use crate::versions::AllVersions;

/// What the viewport shows, and how.
#[derive(Default)]
pub struct ViewState {
    /// Zoom and place of the picture.
    pub zoom: Zoom,
    /// What a click on the picture picks.
    pub tool: Tool,
    /// The mouse over the picture.
    pub mouse: Mouse,
    /// Set while the picture fills the screen.
    pub full_screen: Option<FullScreen>,
    /// Pictures as they are on the screen.
    pub pictures: Pictures,
    /// What pictures were before, as their texts were edited.
    pub versions: AllVersions,
    /// Whether the histogram is open.
    pub shows_histogram: bool,
}

/// The full-screen picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FullScreen {
    /// Start, in seconds of the window's own time.
    pub since: f64,
}

/// What a click on the picture picks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// The pixel under the pointer.
    #[default]
    Pixel,
    /// The vertex nearest to the pointer.
    Vertex,
}

impl Tool {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Pixel => Self::Vertex,
            Self::Vertex => Self::Pixel,
        }
    }
}
