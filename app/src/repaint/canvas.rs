//! Where a window's frames are painted to, so that the next one finds them there.
#![expect(unsafe_code, reason = "every call of OpenGL is unsafe; the context is the current one")]

use super::shown::{Area, Change};
use eframe::glow::{self, HasContext as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Names of programs that stand in for a graphics processor, as they name themselves.
const EMULATIONS: [&str; 4] = ["llvmpipe", "softpipe", "swrast", "SwiftShader"];

/// Whether the processor itself draws, and frames can be kept (framebuffer objects and copies between them).
pub fn is_emulated(gl: &glow::Context) -> bool {
    // SAFETY: the context is current while the app is made.
    let name = unsafe { gl.get_parameter_string(glow::RENDERER) };
    gl.version().major >= 3 && EMULATIONS.iter().any(|emulation| name.contains(emulation))
}

/// A frame's pixels, kept by OpenGL.
#[derive(Debug)]
struct Target {
    framebuffer: glow::Framebuffer,
    pixels: glow::Renderbuffer,
    size: [u32; 2],
}

/// What frames are painted to.
#[derive(Debug, Default)]
pub struct Canvas {
    target: Mutex<Option<Target>>,
    /// Number of the last frame that is whole here, and was shown.
    whole: AtomicU64,
}

impl Canvas {
    /// Number of the last frame that is whole here, and was shown.
    pub fn whole(&self) -> u64 {
        self.whole.load(Ordering::Relaxed)
    }

    /// Makes a frame of `size` pixels be painted here, with what `change` says emptied to `ground`.
    pub fn begin(&self, gl: &glow::Context, size: [u32; 2], change: &Change, ground: [f32; 4]) {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        if target.as_ref().is_none_or(|target| target.size != size) {
            if let Some(old) = target.take() {
                // SAFETY: made by this context, and nobody else has them.
                unsafe {
                    gl.delete_framebuffer(old.framebuffer);
                    gl.delete_renderbuffer(old.pixels);
                }
            }
            *target = make(gl, size);
            // Only a frame that is painted as a whole is whole on it.
            self.whole.store(0, Ordering::Relaxed);
        }
        let Some(target) = &*target else { return };
        let [width, height] = size.map(|side| side as i32);
        let all = [Area { x: 0..width, y: 0..height }];
        let areas = match change {
            Change::Everything => &all[..],
            Change::Areas(areas) => areas,
        };
        // SAFETY: no pointers; the framebuffer is this context's.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
            let [r, g, b, a] = ground;
            gl.clear_color(r, g, b, a);
            for Area { x, y } in areas {
                gl.scissor(x.start, height - y.end, x.end - x.start, y.end - y.start);
                gl.clear(glow::COLOR_BUFFER_BIT);
            }
        }
    }

    /// Shows what was painted, frame `number`.
    pub fn end(&self, gl: &glow::Context, size: [u32; 2], change: &Change, number: u64) {
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(target) = &*target else { return };
        let [width, height] = size.map(|side| side as i32);
        // SAFETY: no pointers; the framebuffer is this context's.
        unsafe {
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, None);
            gl.disable(glow::SCISSOR_TEST);
            let (color, nearest) = (glow::COLOR_BUFFER_BIT, glow::NEAREST);
            gl.blit_framebuffer(0, 0, width, height, 0, 0, width, height, color, nearest);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        debug_assert_eq!(target.size, size, "begun with another size");
        if *change == Change::Everything || self.whole() != 0 {
            self.whole.store(number, Ordering::Relaxed);
        }
    }
}

/// A target; none if there is not enough memory for it, so that frames go to the window itself.
fn make(gl: &glow::Context, size: [u32; 2]) -> Option<Target> {
    let [width, height] = size.map(|side| side as i32);
    // SAFETY: no pointers.
    unsafe {
        let framebuffer = gl.create_framebuffer().ok()?;
        let pixels = gl.create_renderbuffer().ok()?;
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(pixels));
        gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, width, height);
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let place = glow::COLOR_ATTACHMENT0;
        gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(pixels));
        let complete = gl.check_framebuffer_status(glow::FRAMEBUFFER) == glow::FRAMEBUFFER_COMPLETE;
        gl.bind_renderbuffer(glow::RENDERBUFFER, None);
        gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        if complete {
            return Some(Target { framebuffer, pixels, size });
        }
        gl.delete_framebuffer(framebuffer);
        gl.delete_renderbuffer(pixels);
        None
    }
}
