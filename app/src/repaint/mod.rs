//! Painting of a window only what is not as it was, where OpenGL is emulated by the processor.
//!
//! egui describes every frame as a whole, and its painters paint it as a whole. While a picture moves, little else
//! in the window does, and the processor that paints it has the next picture to draw. [`Repaint`] stands between:
//! it compares the shapes of a frame with those of the last one ([`Shown`]), has only those painted that
//! touch what has changed, on the frame before, which is kept ([`canvas`]), and the result shown.

mod canvas;
mod shown;

pub use canvas::is_emulated;
pub use shown::{Area, Change, Screen, Shown};

use crate::theme;
use canvas::Canvas;
use eframe::egui_glow::CallbackFn;
use egui::epaint::ClippedShape;
use egui::{FullOutput, PaintCallback, PaintCallbackInfo, Rect, Shape, ViewportId};
use std::sync::Arc;

/// The plugin that does it, for windows painted by glow.
#[derive(Default)]
pub struct Repaint {
    shown: Shown,
    canvas: Arc<Canvas>,
    /// Frames so far.
    number: u64,
}

impl egui::Plugin for Repaint {
    fn debug_name(&self) -> &'static str {
        "repaint"
    }

    fn output_hook(&mut self, ctx: &egui::Context, output: &mut FullOutput) {
        if ctx.viewport_id() != ViewportId::ROOT {
            return;
        }
        let window = ctx.viewport_rect();
        let screen = Screen { size: window.size(), pixels_per_point: output.pixels_per_point };
        let shapes = std::mem::take(&mut output.shapes);
        let mut change = self.shown.replace(screen, shapes, &output.textures_delta);
        // Not every frame is painted: a hidden window's is not, nor one that is laid out again at once.
        if self.canvas.whole() != self.number {
            change = Change::Everything;
        }
        self.number += 1;
        let shapes = self.shown.within(&change);
        let ground = theme::Palette::of(&ctx.global_style().visuals).ground.to_normalized_gamma_f32();
        let (number, change) = (self.number, Arc::new(change));
        let begin = {
            let (canvas, change) = (self.canvas.clone(), change.clone());
            CallbackFn::new(move |info: PaintCallbackInfo, painter| {
                canvas.begin(painter.gl(), info.screen_size_px, &change, ground);
            })
        };
        let end = {
            let canvas = self.canvas.clone();
            CallbackFn::new(move |info: PaintCallbackInfo, painter| {
                canvas.end(painter.gl(), info.screen_size_px, &change, number);
            })
        };
        output.shapes.push(callback(window, begin));
        output.shapes.extend(shapes);
        output.shapes.push(callback(window, end));
    }
}

fn callback(window: Rect, function: CallbackFn) -> ClippedShape {
    ClippedShape {
        clip_rect: window,
        shape: Shape::Callback(PaintCallback { rect: window, callback: Arc::new(function) }),
        transform_after_tessellation: egui::emath::TSTransform::IDENTITY,
    }
}
