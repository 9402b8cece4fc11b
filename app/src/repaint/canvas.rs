//! The window's pixels, which the next frame finds as the last one left them.
#![expect(unsafe_code, reason = "every call of OpenGL is unsafe; the context is the current one")]

use super::shown::{Area, Change};
use eframe::glow::{self, HasContext as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Names of programs that stand in for a graphics processor, as they name themselves.
const EMULATIONS: [&str; 2] = ["llvmpipe", "softpipe"];

/// Whether the processor itself draws, so that every pixel painted counts.
pub fn is_emulated(gl: &glow::Context) -> bool {
    // SAFETY: the context is current while the app is made.
    let name = unsafe { gl.get_parameter_string(glow::RENDERER) };
    // RASTERIZER_DISCARD came with version 3.
    gl.version().major >= 3 && EMULATIONS.iter().any(|emulation| name.contains(emulation))
}

/// What becomes of the window's pixels once they have been shown. OpenGL leaves that open, so it is tried out.
#[derive(Debug, Default)]
enum Keeping {
    /// Not tried yet.
    #[default]
    Unknown,
    /// These have been shown, by a window of this size, and nothing was painted since.
    Tried([u32; 2], Vec<u8>),
    /// They stay as they are. Those that are there are of this frame, if they are of any.
    Kept(Option<u64>),
    /// They do not: every frame has to be painted as a whole.
    Lost,
}

/// Something to paint.
#[derive(Debug)]
pub struct Frame {
    /// Its number.
    pub number: u64,
    /// Where it differs from the one before.
    pub change: Change,
    /// Width and height in pixels that it was laid out for.
    pub size: [u32; 2],
    /// What is behind everything.
    pub ground: [f32; 4],
}

/// A window that frames are painted on.
#[derive(Debug, Default)]
pub struct Canvas {
    keeping: Mutex<Keeping>,
}

impl Canvas {
    fn keeping(&self) -> MutexGuard<'_, Keeping> {
        self.keeping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing of a frame can be used for the next.
    pub fn keeps_nothing(&self) -> bool {
        matches!(*self.keeping(), Keeping::Lost)
    }

    /// Whether the window has all pixels of frame `number`.
    pub fn has(&self, number: u64) -> bool {
        matches!(*self.keeping(), Keeping::Kept(Some(shown)) if shown == number)
    }

    /// Before a frame's shapes are painted: empties what they are painted on. `size` is the window's.
    pub fn begin(&self, gl: &glow::Context, size: [u32; 2], frame: &Frame) {
        let mut keeping = self.keeping();
        if matches!(*keeping, Keeping::Unknown) {
            // It has just been emptied as a whole.
            return;
        }
        if let Keeping::Tried(before, pixels) = &*keeping {
            *keeping = if *before != size {
                Keeping::Unknown
            } else if *pixels == read(gl, size) {
                Keeping::Kept(None)
            } else {
                Keeping::Lost
            };
        }
        let [width, height] = size.map(|side| side as i32);
        let all = [Area { x: 0..width, y: 0..height }];
        let areas = match &frame.change {
            Change::Everything => &all[..],
            Change::Areas(areas) => areas,
        };
        // SAFETY: no pointers.
        unsafe {
            gl.disable(glow::RASTERIZER_DISCARD);
            let [r, g, b, a] = frame.ground;
            gl.clear_color(r, g, b, a);
            for Area { x, y } in areas {
                gl.scissor(x.start, height - y.end, x.end - x.start, y.end - y.start);
                gl.clear(glow::COLOR_BUFFER_BIT);
            }
        }
    }

    /// After a frame's shapes are painted: what is there now is left alone until the next [`Self::begin`], also by
    /// whoever empties the window before every frame.
    pub fn end(&self, gl: &glow::Context, size: [u32; 2], frame: &Frame) {
        let mut keeping = self.keeping();
        *keeping = match *keeping {
            Keeping::Lost => return,
            Keeping::Unknown | Keeping::Tried(..) => Keeping::Tried(size, read(gl, size)),
            // A window that has become another one in between has to be painted as a whole once more.
            Keeping::Kept(_) => Keeping::Kept((size == frame.size).then_some(frame.number)),
        };
        // SAFETY: no pointers.
        unsafe { gl.enable(glow::RASTERIZER_DISCARD) };
    }
}

/// All pixels of the window.
fn read(gl: &glow::Context, [width, height]: [u32; 2]) -> Vec<u8> {
    let mut pixels = vec![0; 4 * width as usize * height as usize];
    let to = glow::PixelPackData::Slice(Some(&mut pixels));
    // SAFETY: as many bytes as pixels of four bytes, which rows of four-byte pixels fill without gaps.
    unsafe { gl.read_pixels(0, 0, width as i32, height as i32, glow::RGBA, glow::UNSIGNED_BYTE, to) };
    pixels
}
