//! [`ExportForm`]: the fields of the export dialog.

use super::{DocumentId, Loops, Playback};
use crate::scene::MAX_SIZE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// The picture shown.
    Picture,
    /// An animated PNG.
    Apng,
    Gif,
    /// A PNG file for each frame.
    Files,
}

impl ExportKind {
    /// Every kind with a label and a tooltip.
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Picture, "Picture", "The current picture as a PNG file"),
        (Self::Apng, "Animated PNG", "An animation in one PNG file, with exact colours"),
        (Self::Gif, "GIF", "An animation in one GIF file: 256 colours per frame, opaque"),
        (Self::Files, "PNG files", "An animation as numbered PNG files in a new folder"),
    ];
}

#[derive(Clone, Debug, PartialEq)]
pub struct ExportForm {
    pub document: DocumentId,
    pub kind: ExportKind,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// A size whose aspect ratio is kept. `None` to set both sides freely.
    pub aspect: Option<[u32; 2]>,
    /// Start of the sequence, in seconds.
    pub from: f32,
    /// End of the sequence, in seconds.
    pub to: f32,
    /// Frames per second.
    pub rate: f32,
}

impl ExportForm {
    /// Returns a form for a picture of `size`, or a sequence of the range of `playback`.
    pub fn new(document: DocumentId, size: [u32; 2], playback: Playback) -> Self {
        let range = match playback.loops {
            Loops::Yes => playback.range,
            Loops::No => Playback::default().range,
        };
        let kind = ExportKind::Picture;
        Self { document, kind, size, aspect: Some(size), from: range.start, to: range.end, rate: 30.0 }
    }

    /// Sets a side of the picture, 0 for the width. Adjusts the other side if the aspect ratio is kept.
    pub fn set_side(&mut self, side: usize, pixels: u32) {
        self.size[side] = pixels.clamp(1, MAX_SIZE);
        if let Some(aspect) = self.aspect {
            let ratio = f64::from(aspect[1 - side]) / f64::from(aspect[side]);
            let other = (f64::from(self.size[side]) * ratio).round() as u32;
            self.size[1 - side] = other.clamp(1, MAX_SIZE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> ExportForm {
        ExportForm::new(DocumentId(1), [640, 360], Playback::default())
    }

    #[test]
    fn the_other_side_follows_while_the_aspect_ratio_is_kept() {
        let mut form = form();
        form.set_side(0, 1920);
        assert_eq!(form.size, [1920, 1080]);
        form.set_side(1, 90);
        assert_eq!(form.size, [160, 90]);
        form.set_side(1, 1);
        assert_eq!(form.size, [2, 1]);
        form.set_side(0, u32::MAX);
        assert_eq!(form.size, [MAX_SIZE, 4608]);
        form.aspect = None;
        form.set_side(0, 5);
        assert_eq!(form.size, [5, 4608]);
    }
}
