//! Draws the cases with Shadestep, through its object model. `theirs` draws them with the driver.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use shadestep_engine::ir::TextureTarget;
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::{
    ArrayData, BlendFactor, Clear, ColorFormat, CompareFunc, Framebuffer, Primitive, Threads,
};
use shadestep_engine::texture::{self, Image, Level, MagFilter, MinFilter, Sampler, Texture, Wrap};
use shadestep_gl::{self as gl, Cap, Context, Normalization, PatchNumber, ProgramFormat};

use super::cases::{self, Blend, Case, Depth, Filter, Format, Mesh, Target};
use super::{SIZE, THREADS, theirs};

/// A case with all state that stays the same from frame to frame.
pub struct Scene {
    context: Context,
    stages: Vec<Stage>,
    primitive: Primitive,
    indices: Arc<[u32]>,
    framebuffers: [Framebuffer; 2],
    threads: Threads,
}

fn words(error: gl::Error) -> String {
    format!("{} ({})", error.reason, error.clause)
}

impl Scene {
    pub fn new(case: &Case) -> Result<Self, String> {
        let mesh = Mesh::new(case.geometry);
        let context = set_up(case, &mesh).map_err(words)?;
        let framebuffer =
            |format| Framebuffer::with_formats(SIZE, SIZE, format, &[]).map_err(|e| e.to_string());
        let framebuffers = [framebuffer(ColorFormat::Rgba8)?, framebuffer(ColorFormat::Rgba32F)?];
        let mut scene = Self {
            context,
            stages: case.programs().map(|(stage, _)| stage).collect(),
            primitive: mesh.primitive,
            indices: mesh.indices.into(),
            framebuffers,
            threads: Threads::new(Some(THREADS)),
        };
        for (unit, texture) in (0..).zip(case.textures) {
            let texture = self::texture(*texture).map_err(|e| e.to_string())?;
            scene.context.bind_texture(unit, Some(Arc::new(texture))).map_err(words)?;
        }
        Ok(scene)
    }

    /// Draws one frame at time `seconds`.
    pub fn draw(&mut self, target: theirs::Target, seconds: f32) -> Result<(), String> {
        let side = SIZE as f32;
        for &stage in &self.stages {
            self.context.program_local_parameter4(stage, 0, [seconds, side, side, 1.0]).map_err(words)?;
        }
        let call = self.context.prepare_elements(self.primitive, Arc::clone(&self.indices)).map_err(words)?;
        let clear = Clear { color: [0.0; 4], depth: 1.0, stencil: 0 };
        let never = AtomicBool::new(false);
        let framebuffer = &mut self.framebuffers[target as usize];
        let drawn = call.after_clear(clear).render(framebuffer, &self.threads, &never);
        drawn.map(|_| ()).map_err(|_| "cancelled".to_owned())
    }

    /// The picture, from the bottom row up.
    pub fn pixels(&self, target: theirs::Target) -> Vec<[f32; 4]> {
        self.framebuffers[target as usize].color.floats().into_owned()
    }
}

fn set_up(case: &Case, mesh: &Mesh) -> gl::Result<Context> {
    let mut context = Context::new();
    for (stage, text) in case.programs() {
        context.bind_program_arb(stage, 1 + stage as u32)?;
        context.program_string(stage, ProgramFormat::Ascii, text.as_bytes())?;
        Cap::of_programs(stage).map_or(Ok(()), |cap| context.enable(cap))?;
    }
    context.patch_parameter_i(PatchNumber::Vertices, 4)?;
    context.viewport([0, 0, SIZE as i32, SIZE as i32])?;
    for (index, size, data) in [(0, 3, &mesh.positions), (2, 3, &mesh.normals), (8, 2, &mesh.coordinates)] {
        let data = ArrayData::Float(data.as_slice().into());
        context.vertex_attrib_pointer_arb(index, size, Normalization::Plain, 0, data)?;
        context.enable_vertex_attrib_array(index)?;
    }
    if case.depth == Depth::Less {
        context.depth_func(CompareFunc::Less)?;
        context.enable(Cap::DepthTest)?;
    }
    if case.blend == Blend::Over {
        context.blend_func(BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha)?;
        context.enable(Cap::Blend)?;
    }
    Ok(context)
}

fn texture(wanted: cases::Texture) -> Result<Texture, Box<dyn std::error::Error>> {
    let target = match wanted.target {
        Target::D2 => TextureTarget::D2,
        Target::D3 => TextureTarget::D3,
        Target::Cube => TextureTarget::Cube,
        Target::Rect => TextureTarget::Rect,
    };
    let side = cases::side(wanted.target);
    let depth = if wanted.target == Target::D3 { side } else { 1 };
    let faces = if wanted.target == Target::Cube { 6 } else { 1 };
    let faces = (0..faces)
        .map(|face| Image::from_rgba8([side, side, depth], cases::texels(wanted.target, face)))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| format!("{e}"))?;
    let wrap = match wanted.target {
        Target::D2 | Target::D3 => Wrap::Repeat,
        Target::Cube | Target::Rect => Wrap::ClampToEdge,
    };
    let (min_filter, mag_filter, max_anisotropy) = match wanted.filter {
        Filter::Nearest => (MinFilter::NearestMipmapNearest, MagFilter::Nearest, 1.0),
        Filter::Bilinear => (MinFilter::Linear, MagFilter::Linear, 1.0),
        Filter::Trilinear => (MinFilter::LinearMipmapLinear, MagFilter::Linear, 1.0),
        Filter::Anisotropic => (MinFilter::LinearMipmapLinear, MagFilter::Linear, 8.0),
    };
    let sampler =
        Sampler { wrap: [wrap; 3], min_filter, mag_filter, max_anisotropy, ..Sampler::for_target(target) };
    let format = match wanted.format {
        Format::Bytes => texture::Format::Rgba8,
        Format::Red => texture::Format::R32F,
    };
    let mut texture =
        Texture::new(target, format, vec![Level { faces }], sampler).map_err(|e| format!("{e}"))?;
    if min_filter.is_mipmapped() {
        texture.generate_mipmaps().map_err(|e| format!("{e}"))?;
    }
    Ok(texture)
}

/// Milliseconds to convert a framebuffer to bytes: the best of several runs.
pub fn bytes_time() -> f64 {
    let Ok(mut framebuffer) = Framebuffer::new(SIZE, SIZE) else { return f64::NAN };
    framebuffer.color.fill_with(|n| [n as f32 / (SIZE * SIZE) as f32; 4]);
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        std::hint::black_box(framebuffer.to_rgba8());
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    best
}
