//! Paints egui's meshes on the CPU, so that pictures are the same on every machine, without a GPU or a
//! driver.
//!
//! Triangles are filled with exact integer edge functions on a grid of 1/256 pixel and the top-left rule, so
//! that neighbours neither overlap nor leave gaps. Blending is premultiplied and in gamma space, as in egui.

use egui::epaint::{ClippedPrimitive, ClippedShape, ImageData, Primitive, Vertex};
use egui::{Color32, Rect, TextureFilter, TextureId, TextureOptions, TextureWrapMode, TexturesDelta};
use egui_kittest::TestRenderer;
use image::RgbaImage;
use std::collections::HashMap;

struct Texture {
    size: [usize; 2],
    pixels: Vec<Color32>,
    options: TextureOptions,
}

#[derive(Default)]
pub struct CpuRenderer {
    textures: HashMap<TextureId, Texture>,
}

impl TestRenderer for CpuRenderer {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        for (id, images) in delta.set.drain() {
            for image in images {
                let ImageData::Color(color) = &image.image;
                let size = color.size;
                match image.pos {
                    None => {
                        let texture = Texture { size, pixels: color.pixels.clone(), options: image.options };
                        self.textures.insert(id, texture);
                    }
                    Some([left, top]) => {
                        let Some(texture) = self.textures.get_mut(&id) else { continue };
                        for row in 0..size[1] {
                            let from = &color.pixels[row * size[0]..(row + 1) * size[0]];
                            let start = (top + row) * texture.size[0] + left;
                            texture.pixels[start..start + size[0]].copy_from_slice(from);
                        }
                    }
                }
            }
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    fn render(&mut self, ctx: &egui::Context, output: &egui::FullOutput) -> Result<RgbaImage, String> {
        let scale = output.pixels_per_point;
        let size = ctx.content_rect().size() * scale;
        let mut canvas = Canvas::new(size.x.round() as usize, size.y.round() as usize);
        self.paint(&mut canvas, ctx, output.shapes.clone(), scale)?;
        Ok(canvas.into_image())
    }
}

impl CpuRenderer {
    /// Paints shapes over the present content of `canvas`.
    pub fn paint(
        &self,
        canvas: &mut Canvas,
        ctx: &egui::Context,
        shapes: Vec<ClippedShape>,
        scale: f32,
    ) -> Result<(), String> {
        for ClippedPrimitive { clip_rect, primitive } in ctx.tessellate(shapes, scale) {
            let Primitive::Mesh(mesh) = primitive else {
                return Err("this renderer has no paint callbacks".to_owned());
            };
            let texture = self.textures.get(&mesh.texture_id).ok_or("a texture that was never set")?;
            let clip = canvas.clip(clip_rect, scale);
            for triangle in mesh.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|i| mesh.vertices[triangle[i] as usize]);
                canvas.fill(corners, scale, &clip, texture);
            }
        }
        Ok(())
    }
}

/// The clip rectangle in pixels, from the first to the last, the last excluded.
struct Clip {
    x: (i64, i64),
    y: (i64, i64),
}

/// A picture of premultiplied pixels, top row first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Canvas {
    /// The pixels of a row.
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[f32; 4]>,
}

impl Canvas {
    /// Returns a transparent canvas.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![[0.0; 4]; width * height] }
    }

    fn clip(&self, rect: Rect, scale: f32) -> Clip {
        let range = |from: f32, to: f32, limit: usize| {
            let clamp = |v: f32| (v * scale).round().clamp(0.0, limit as f32) as i64;
            (clamp(from), clamp(to))
        };
        Clip {
            x: range(rect.left(), rect.right(), self.width),
            y: range(rect.top(), rect.bottom(), self.height),
        }
    }

    fn fill(&mut self, corners: [Vertex; 3], scale: f32, clip: &Clip, texture: &Texture) {
        const GRID: f64 = 256.0;
        let snap = |v: f32| (f64::from(v) * f64::from(scale) * GRID).round() as i64;
        let mut at = corners.map(|v| [snap(v.pos.x), snap(v.pos.y)]);
        let mut corners = corners;
        let cross = |a: [i64; 2], b: [i64; 2], p: [i64; 2]| {
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        };
        let mut area = cross(at[0], at[1], at[2]);
        if area == 0 {
            return;
        }
        if area < 0 {
            at.swap(1, 2);
            corners.swap(1, 2);
            area = -area;
        }
        // A pixel exactly on an edge belongs to the triangle if the edge is a top or left edge.
        let bias = [(1, 2), (2, 0), (0, 1)].map(|(a, b)| {
            let (dx, dy) = (at[b][0] - at[a][0], at[b][1] - at[a][1]);
            i64::from(!(dy < 0 || (dy == 0 && dx > 0)))
        });
        let bounds = |axis: usize, clip: (i64, i64)| {
            let least = at.iter().map(|p| p[axis]).min().unwrap_or(0);
            let most = at.iter().map(|p| p[axis]).max().unwrap_or(0);
            ((least >> 8).max(clip.0), ((most >> 8) + 1).min(clip.1))
        };
        let (x_range, y_range) = (bounds(0, clip.x), bounds(1, clip.y));
        let colors = corners.map(|v| v.color.to_array().map(|c| f32::from(c) / 255.0));
        let flat = colors[0] == colors[1] && colors[1] == colors[2];
        let white = flat && colors[0] == [1.0; 4];
        let one_texel = corners[0].uv == corners[1].uv && corners[1].uv == corners[2].uv;
        let texel = texture.sample(corners[0].uv.x, corners[0].uv.y, TextureFilter::Nearest);
        let filter = texture.filter(&corners, scale);
        for y in y_range.0..y_range.1 {
            for x in x_range.0..x_range.1 {
                let p = [x * 256 + 128, y * 256 + 128];
                let edge = [cross(at[1], at[2], p), cross(at[2], at[0], p), cross(at[0], at[1], p)];
                if (0..3).any(|i| edge[i] < bias[i]) {
                    continue;
                }
                let weight = edge.map(|e| e as f32 / area as f32);
                let mix =
                    |values: [f32; 3]| values[0] * weight[0] + values[1] * weight[1] + values[2] * weight[2];
                let texel = if one_texel {
                    texel
                } else {
                    let u = mix([corners[0].uv.x, corners[1].uv.x, corners[2].uv.x]);
                    let v = mix([corners[0].uv.y, corners[1].uv.y, corners[2].uv.y]);
                    texture.sample(u, v, filter)
                };
                let color = if flat {
                    colors[0]
                } else {
                    [0, 1, 2, 3].map(|c| mix([colors[0][c], colors[1][c], colors[2][c]]))
                };
                let source = if white { texel } else { [0, 1, 2, 3].map(|c| color[c] * texel[c]) };
                let pixel = &mut self.pixels[y as usize * self.width + x as usize];
                let keep = 1.0 - source[3];
                for channel in 0..4 {
                    pixel[channel] = source[channel] + pixel[channel] * keep;
                }
            }
        }
    }

    fn into_image(self) -> RgbaImage {
        let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0).round() as u8;
        let bytes = self.pixels.iter().flat_map(|p| [byte(p[0]), byte(p[1]), byte(p[2]), 255]).collect();
        RgbaImage::from_raw(self.width as u32, self.height as u32, bytes).expect("as many bytes as pixels")
    }
}

impl Texture {
    /// Returns the filter for a triangle. Texels smaller than pixels are minified.
    fn filter(&self, corners: &[Vertex; 3], scale: f32) -> TextureFilter {
        let extent = |values: [f32; 3]| {
            values.iter().fold(f32::MIN, |a, b| a.max(*b)) - values.iter().fold(f32::MAX, |a, b| a.min(*b))
        };
        let texels = extent(corners.map(|v| v.uv.x)) * self.size[0] as f32;
        let pixels = extent(corners.map(|v| v.pos.x)) * scale;
        if texels > pixels { self.options.minification } else { self.options.magnification }
    }

    fn texel(&self, x: i64, y: i64) -> [f32; 4] {
        let wrap = |v: i64, size: usize| match self.options.wrap_mode {
            TextureWrapMode::ClampToEdge => v.clamp(0, size as i64 - 1) as usize,
            TextureWrapMode::Repeat | TextureWrapMode::MirroredRepeat => v.rem_euclid(size as i64) as usize,
        };
        let index = wrap(y, self.size[1]) * self.size[0] + wrap(x, self.size[0]);
        self.pixels[index].to_array().map(|c| f32::from(c) / 255.0)
    }

    fn sample(&self, u: f32, v: f32, filter: TextureFilter) -> [f32; 4] {
        let (x, y) = (u * self.size[0] as f32, v * self.size[1] as f32);
        match filter {
            TextureFilter::Nearest => self.texel(x.floor() as i64, y.floor() as i64),
            TextureFilter::Linear => {
                let (x, y) = (x - 0.5, y - 0.5);
                let (left, top) = (x.floor(), y.floor());
                let (fx, fy) = (x - left, y - top);
                let (left, top) = (left as i64, top as i64);
                let corners =
                    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| self.texel(left + dx, top + dy));
                [0, 1, 2, 3].map(|c| {
                    let upper = corners[0][c] * (1.0 - fx) + corners[1][c] * fx;
                    let lower = corners[2][c] * (1.0 - fx) + corners[3][c] * fx;
                    upper * (1.0 - fy) + lower * fy
                })
            }
        }
    }
}
