//! [`ViewState`]: picture, zoom and tool of the viewport.

use super::pictures::Pictures;
use super::zoom::Zoom;
use crate::session::Mouse;
use crate::versions::AllVersions;

/// Picture, zoom and tool of the viewport.
#[derive(Default)]
pub struct ViewState {
    /// Zoom and place of the picture.
    pub zoom: Zoom,
    /// Tool for clicks on the picture.
    pub tool: Tool,
    /// Mouse state that programs read.
    pub mouse: Mouse,
    /// Set while the picture fills the screen.
    pub full_screen: Option<FullScreen>,
    /// Textures of pictures.
    pub pictures: Pictures,
    /// Pictures of earlier texts.
    pub versions: AllVersions,
    /// True while the histogram is open.
    pub shows_histogram: bool,
}

/// The full-screen picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FullScreen {
    /// Start, in seconds of the window's own time.
    pub since: f64,
}

/// Tool for clicks on the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Picks the pixel under the pointer.
    #[default]
    Pixel,
    /// Picks the vertex nearest to the pointer.
    Vertex,
}

impl Tool {
    pub const fn other(self) -> Self {
        match self {
            Self::Pixel => Self::Vertex,
            Self::Vertex => Self::Pixel,
        }
    }
}
