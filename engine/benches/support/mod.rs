//! Shared parts of the benchmarks: measurement times, programs from texts, textures, and a pattern of values.

#![expect(dead_code, reason = "each benchmark is a crate of its own and needs its part of this")]

use std::sync::Arc;
use std::time::Duration;

use criterion::Criterion;
use shadestep_core::exec::{Bindings, Executable, Shader};
use shadestep_engine::front::load;
use shadestep_engine::gl::{Context, enums};
use shadestep_engine::ir::{Program, TextureTarget};
use shadestep_engine::isa::Stage;
use shadestep_engine::texture::{Format, Image, Level, MagFilter, MinFilter, Sampler, Texture};

/// Default times, short enough to run the whole suite often. `--measurement-time` and `--sample-size`
/// override them.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20)
        .configure_from_args()
}

/// Loads the program of `text`.
///
/// # Panics
/// If the text does not load.
pub fn program(text: &str) -> Program {
    let loaded = load(text.as_bytes());
    loaded.program.unwrap_or_else(|| panic!("{text}\ndoes not load: {:#?}", loaded.diagnostics))
}

/// Loads a program with `parameter` as the value of every parameter, and with `texture` on every image unit
/// that the program looks up.
pub fn shader(text: &str, parameter: [f32; 4], texture: Option<&Arc<Texture>>) -> Shader {
    let program = Arc::new(program(text));
    let bindings = bindings(&program, parameter, texture);
    Shader::new(Arc::new(Executable::new(program)), bindings)
}

/// Bindings for `program`, with the values that [`shader`] describes.
pub fn bindings(program: &Program, parameter: [f32; 4], texture: Option<&Arc<Texture>>) -> Bindings {
    let mut bindings = Bindings::initial(program);
    for (value, source) in bindings.parameters.iter_mut().zip(&program.parameters) {
        if !matches!(source.source, shadestep_engine::ir::ParameterSource::Constant(_)) {
            *value = shadestep_engine::ir::single_bits(parameter);
        }
    }
    for (slot, target) in bindings.textures.iter_mut().zip(program.textures()) {
        *slot = target.and_then(|_| texture.cloned());
    }
    bindings
}

/// Loads `text` into a target's program and enables the target.
pub fn use_program(context: &mut Context, target: Stage, text: &str) {
    // Programs of NV_gpu_program4 and 5 are ARB programs.
    let is_arb = ["!!ARB", "!!NV"].iter().any(|start| text.starts_with(start));
    let (id, mode) = match target {
        Stage::Vertex => (1, enums::VERTEX_PROGRAM_ARB),
        _ if is_arb => (2, enums::FRAGMENT_PROGRAM_ARB),
        _ => (2, enums::FRAGMENT_PROGRAM_NV),
    };
    if is_arb {
        context.bind_program_arb(target, id).expect("a name for ARB programs");
        context
            .program_string(target, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes())
            .expect("the text loads");
    } else {
        context.load_program(target, id, text.as_bytes()).expect("the text loads");
        context.bind_program(target, id).expect("a name for NV programs");
    }
    context.enable(mode).expect("a mode");
}

/// A pseudo-random value in [0, 1) that depends only on `seed`.
pub fn noise(seed: usize) -> f32 {
    let mixed =
        (seed as u32).wrapping_mul(0x9E37_79B9) ^ (seed as u32).wrapping_mul(0x85EB_CA6B).rotate_left(13);
    (mixed >> 8) as f32 / (1 << 24) as f32
}

/// A mipmapped RGBA8 texture of noise, `edge` texels along each axis.
pub fn texture(
    target: TextureTarget,
    edge: usize,
    min: MinFilter,
    mag: MagFilter,
    anisotropy: f32,
) -> Texture {
    let size = match target.axes() {
        1 => [edge, 1, 1],
        2 => [edge, edge, 1],
        _ => [edge; 3],
    };
    let faces = if target == TextureTarget::Cube { 6 } else { 1 };
    let image = |face: usize| {
        let texels = size.iter().product::<usize>() * 4;
        let data = (0..texels).map(|i| (noise(i + face * texels) * 256.0) as u8).collect();
        Image::from_rgba8(size, data).expect("a size of a texture")
    };
    let faces = (0..faces).map(image).collect();
    let mut sampler = Sampler::for_target(target);
    sampler.min_filter = min;
    sampler.mag_filter = mag;
    sampler.max_anisotropy = anisotropy;
    let mut texture = Texture::new(target, Format::Rgba8, vec![Level { faces }], sampler).expect("a texture");
    if min.is_mipmapped() {
        texture.generate_mipmaps().expect("mipmaps");
    }
    texture
}

/// The texture for the programs of whole frames.
pub fn trilinear() -> Arc<Texture> {
    let filters = (MinFilter::LinearMipmapLinear, MagFilter::Linear);
    Arc::new(texture(TextureTarget::D2, 256, filters.0, filters.1, 1.0))
}
