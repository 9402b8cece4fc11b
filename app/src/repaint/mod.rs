//! Painting of a window only what is not as it was, where OpenGL is emulated by the processor.
//!
//! egui describes every frame as a whole, and its painters paint it as a whole. While a picture moves, little else
//! in the window does, and the processor that paints it has the next picture to draw. [`Repaint`] stands between:
//! it compares the shapes of a frame with those of the last one ([`Shown`]) and has only those painted that
//! touch what has changed, over the frame before.

mod canvas;
mod shown;

pub use canvas::is_emulated;
pub use shown::{Area, Change, Screen, Shown};

use crate::theme;
use canvas::{Canvas, Frame};
use eframe::egui_glow::{CallbackFn, Painter};
use egui::epaint::ClippedShape;
use egui::{FullOutput, PaintCallback, PaintCallbackInfo, Rect, Shape, ViewportId, ViewportInfo};
use std::sync::Arc;

/// The plugin that does it, for windows painted by glow.
#[derive(Default)]
pub struct Repaint {
    shown: Shown,
    canvas: Arc<Canvas>,
    /// The window as the system had it in the last frame.
    window: ViewportInfo,
    /// Frames so far.
    number: u64,
}

impl Repaint {
    /// Whether the system has done something to the window: moved, hidden or sized it.
    fn is_other_window(&mut self, ctx: &egui::Context) -> bool {
        let mut window = ctx.input(|input| input.viewport().clone());
        window.events.clear();
        std::mem::replace(&mut self.window, window) != self.window
    }
}

impl egui::Plugin for Repaint {
    fn debug_name(&self) -> &'static str {
        "repaint"
    }

    fn output_hook(&mut self, ctx: &egui::Context, output: &mut FullOutput) {
        if ctx.viewport_id() != ViewportId::ROOT || self.canvas.keeps_nothing() {
            return;
        }
        let window = ctx.viewport_rect();
        let screen = Screen { size: window.size(), pixels_per_point: output.pixels_per_point };
        let shapes = std::mem::take(&mut output.shapes);
        let mut change = self.shown.replace(screen, shapes, &output.textures_delta);
        // Not every frame is painted: a hidden window's is not, nor one that is laid out again at once.
        if self.is_other_window(ctx) || !self.canvas.has(self.number) {
            change = Change::Everything;
        }
        self.number += 1;
        output.shapes.extend(self.shown.within(&change));
        let ground = theme::Palette::of(&ctx.global_style().visuals).ground.to_normalized_gamma_f32();
        let frame = Arc::new(Frame { number: self.number, change, size: screen.pixels(), ground });
        output.shapes.insert(0, self.call(window, &frame, Canvas::begin));
        output.shapes.push(self.call(window, &frame, Canvas::end));
    }
}

impl Repaint {
    /// Something to be done when painting has come to it.
    fn call(
        &self,
        window: Rect,
        frame: &Arc<Frame>,
        function: fn(&Canvas, &eframe::glow::Context, [u32; 2], &Frame),
    ) -> ClippedShape {
        let (canvas, frame) = (Arc::clone(&self.canvas), Arc::clone(frame));
        let callback = CallbackFn::new(move |info: PaintCallbackInfo, painter: &Painter| {
            function(&canvas, painter.gl(), info.screen_size_px, &frame);
        });
        ClippedShape {
            clip_rect: window,
            shape: Shape::Callback(PaintCallback { rect: window, callback: Arc::new(callback) }),
            transform_after_tessellation: egui::emath::TSTransform::IDENTITY,
        }
    }
}
