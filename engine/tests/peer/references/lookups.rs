//! Texture lookups with GLSL references: fetches, sizes, gathers, and lookups at a level or with derivatives.
//! The targets include arrays, cube maps, integer formats and depth comparisons.
//!
//! Images have 8 texels along each axis, 8 layers and 4 levels, all with different texels. Coordinates stay a
//! quarter of a texel away from the border between texels. Results therefore have the same bits unless a
//! filter blends.

use std::sync::Arc;

use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::CompareFunc;
use shadestep_engine::texture::{
    DepthMode, Format, Image as Texels, Level, MagFilter, MinFilter, Numbers, Sampler, Texture,
};

use super::operands::Operand;
use super::{Kind, Row, Stage, row, seeded};
use crate::peer::compare::Nearness;
use crate::peer::question::{Inputs, Question};
use crate::support::random::Random;
use Kind::{Float, Int, Uint};
use TextureTarget::{Array1D, Array2D, ArrayCube, Cube, D1, D2, D3, Rect};

const RUNS: usize = 16;
/// Texels along each axis, and layers.
const SIDE: usize = 8;
/// Cube maps of a cube map array.
const CUBES: usize = 2;
const LEVELS: usize = 4;

/// The filter and comparison of an image's sampler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// The nearest texel of the nearest level.
    Nearest,
    /// Linear within a level.
    Linear,
    /// Linear within and between levels.
    Trilinear,
    /// The nearest depth, compared with LEQUAL.
    Compared,
}

/// A texture to look up.
#[derive(Clone, Copy)]
pub struct Image {
    target: TextureTarget,
    format: Format,
    sampling: Sampling,
}

impl Image {
    pub const fn new(target: TextureTarget, format: Format, sampling: Sampling) -> Self {
        Self { target, format, sampling }
    }

    pub fn texture(self) -> Texture {
        let Self { target, format, sampling } = self;
        let levels = if target == Rect { 1 } else { LEVELS };
        let levels = (0..levels)
            .map(|level| Level { faces: (0..self.images()).map(|image| self.image(level, image)).collect() });
        let (min_filter, mag_filter) = match sampling {
            _ if target == Rect && sampling != Sampling::Linear => (MinFilter::Nearest, MagFilter::Nearest),
            Sampling::Nearest | Sampling::Compared => (MinFilter::NearestMipmapNearest, MagFilter::Nearest),
            Sampling::Linear => (MinFilter::Linear, MagFilter::Linear),
            Sampling::Trilinear => (MinFilter::LinearMipmapLinear, MagFilter::Linear),
        };
        let sampler = Sampler {
            min_filter,
            mag_filter,
            compare: (sampling == Sampling::Compared).then_some(CompareFunc::Lequal),
            depth_mode: DepthMode::Intensity,
            ..Sampler::for_target(target)
        };
        Texture::new(target, format, levels.collect(), sampler).expect("a legal texture")
    }

    /// How near texels have to be. A byte is converted to its 255th part (glspec15 table 2.9), and a driver
    /// may multiply by the reciprocal.
    fn nearness(self) -> Nearness {
        if matches!(self.format, Format::Rgba8 | Format::Rg8) {
            Nearness::Approximate
        } else {
            Nearness::Exact
        }
    }

    /// The number of images in a level: layers and faces.
    const fn images(self) -> usize {
        match self.target {
            Array1D | Array2D => SIDE,
            Cube => 6,
            ArrayCube => 6 * CUBES,
            _ => 1,
        }
    }

    /// An image whose texels depend on the level, the image and the place.
    fn image(self, level: usize, image: usize) -> Texels {
        let side = SIDE >> level;
        let size = match self.target.axes() {
            1 => [side, 1, 1],
            2 => [side, side, 1],
            _ => [side; 3],
        };
        let [width, height, _] = size;
        let values = (0..size.iter().product::<usize>()).flat_map(|n| {
            let [i, j, k] = [n % width, n / width % height, n / (width * height)];
            [37, 91, 150, 211].map(|c: usize| (c * (1 + level) + i * 13 + j * 29 + k * 57 + image * 19) % 251)
        });
        match self.format.numbers() {
            Numbers::Floats => Texels::from_f32(size, values.map(|v| v as f32 / 255.0).collect()),
            Numbers::Signed => Texels::from_i32(size, values.map(|v| v as i32 - 125).collect()),
            Numbers::Unsigned => Texels::from_u32(size, values.map(|v| v as u32).collect()),
        }
        .expect("sizes agree")
    }
}

/// The coordinates of a texel, with its level in w.
fn texels(random: &mut Random) -> [u32; 4] {
    let level = random.below(LEVELS);
    let [i, j, k] = std::array::from_fn(|_| random.below(SIDE >> level) as u32);
    [i, j, k, level as u32]
}

/// The coordinates of a texel in a rectangle texture, which has one level.
fn base_texels(random: &mut Random) -> [u32; 4] {
    [random.below(SIDE) as u32, random.below(SIDE) as u32, 0, 0]
}

/// The coordinates of a texel of the base level that is not at its edge.
fn inner_texels(random: &mut Random) -> [u32; 4] {
    let [i, j, k] = std::array::from_fn(|_| 1 + random.below(SIDE - 2) as u32);
    [i, j, k, 0]
}

fn levels(random: &mut Random) -> [u32; 4] {
    [random.below(LEVELS) as u32, 0, 0, 0]
}

/// A texel coordinate, a quarter of a texel from the centre of a random texel.
fn in_texels(random: &mut Random) -> f32 {
    random.below(SIDE) as f32 + [0.25, 0.75][random.below(2)]
}

/// Coordinates inside and one image outside the image on each side. The third is also a layer, and w is a
/// level.
fn coordinates(random: &mut Random) -> [u32; 4] {
    let [s, t] = std::array::from_fn(|_| in_texels(random) / SIDE as f32 + random.below(3) as f32 - 1.0);
    [s, t, random.below(SIDE) as f32 + 0.25, random.below(LEVELS) as f32].map(f32::to_bits)
}

/// Coordinates in a 1D array: t is the layer, and w is a level.
fn rows(random: &mut Random) -> [u32; 4] {
    let s = in_texels(random) / SIDE as f32;
    [s, random.below(SIDE) as f32 + 0.25, 0.0, random.below(LEVELS) as f32].map(f32::to_bits)
}

/// Coordinates inside a 3D image; w is a level.
fn volume(random: &mut Random) -> [u32; 4] {
    let [s, t, r] = std::array::from_fn(|_| in_texels(random) / SIDE as f32);
    [s, t, r, random.below(LEVELS) as f32].map(f32::to_bits)
}

/// Unnormalised coordinates of a rectangle texture, with a depth reference in r.
fn unscaled(random: &mut Random) -> [u32; 4] {
    [in_texels(random), in_texels(random), random.below(100) as f32 / 99.0, 1.0].map(f32::to_bits)
}

/// Coordinates of a depth comparison. The reference is r here, and q in [`referred_layers`], where r is the
/// layer.
fn referred(random: &mut Random) -> [u32; 4] {
    let [s, t] = std::array::from_fn(|_| in_texels(random) / SIDE as f32);
    [s, t, random.below(100) as f32 / 99.0, 1.0].map(f32::to_bits)
}

fn referred_layers(random: &mut Random) -> [u32; 4] {
    let [s, t, _, _] = referred(random);
    [s, t, (random.below(SIDE) as f32).to_bits(), (random.below(100) as f32 / 99.0).to_bits()]
}

/// A direction to a texel that is not at an edge of its face; w is a layer.
fn directions(random: &mut Random) -> [u32; 4] {
    let mut direction = [0.0; 3];
    direction.fill_with(|| (1.0 + random.below(SIDE - 2) as f32 + [0.25, 0.75][random.below(2)]) / 4.0 - 1.0);
    direction[random.below(3)] = [1.0, -1.0][random.below(2)];
    let [x, y, z] = direction;
    [x, y, z, random.below(CUBES) as f32].map(f32::to_bits)
}

/// A direction as from [`directions`], with a depth reference in w.
fn referred_directions(random: &mut Random) -> [u32; 4] {
    let [x, y, z, _] = directions(random);
    [x, y, z, (random.below(100) as f32 / 99.0).to_bits()]
}

/// Texel offsets from -8 to 7, the range that GLSL guarantees.
fn offsets(random: &mut Random) -> [u32; 4] {
    std::array::from_fn(|_| (random.below(16) as i32 - 8).cast_unsigned())
}

/// A derivative of 1, 2, 4 or 8 texels a pixel, so that rounding cannot change the nearest level.
fn gradient(random: &mut Random) -> [u32; 4] {
    [(1 << random.below(LEVELS)) as f32 / SIDE as f32, 0.0, 0.0, 0.0].map(f32::to_bits)
}

const TEXEL: Operand = (Int, texels);
const BASE: Operand = (Int, base_texels);
const INNER: Operand = (Int, inner_texels);
const LEVEL: Operand = (Int, levels);
const ST: Operand = (Float, coordinates);
const ROWS: Operand = (Float, rows);
const STR: Operand = (Float, volume);
const UNSCALED: Operand = (Float, unscaled);
const REFERRED: Operand = (Float, referred);
const REFERRED_LAYERS: Operand = (Float, referred_layers);
const REFERRED_CUBE: Operand = (Float, referred_directions);
const TOWARDS: Operand = (Float, directions);
const OFFSETS: Operand = (Int, offsets);
const GRADIENT: Operand = (Float, gradient);

/// A row, its texture, and the sampler's type in GLSL.
type Lookup = (Row, Image, &'static str);

const fn nearest(target: TextureTarget, format: Format) -> Image {
    Image::new(target, format, Sampling::Nearest)
}

const fn linear(target: TextureTarget, format: Format) -> Image {
    Image::new(target, format, Sampling::Linear)
}

const fn compared(target: TextureTarget) -> Image {
    Image::new(target, Format::DepthComponent32F, Sampling::Compared)
}

const fn blend(ours: &'static str, operands: &'static [Operand], theirs: &'static str) -> Row {
    row(ours, operands, Float, theirs).near(Nearness::Texture)
}

const FETCHES: &[Lookup] = &[
    (
        row("TXF.F r, a, texture[0], 1D;", &[TEXEL], Float, "texelFetch(image, a.x, a.w)"),
        nearest(D1, Format::Rgba8),
        "sampler1D",
    ),
    (
        row("TXF.F r, a, texture[0], 2D;", &[TEXEL], Float, "texelFetch(image, a.xy, a.w)"),
        nearest(D2, Format::Rgba32F),
        "sampler2D",
    ),
    (
        row("TXF.F r, a, texture[0], 3D;", &[TEXEL], Float, "texelFetch(image, a.xyz, a.w)"),
        nearest(D3, Format::Rgba8),
        "sampler3D",
    ),
    (
        row("TXF.F r, a, texture[0], RECT;", &[BASE], Float, "texelFetch(image, a.xy)"),
        nearest(Rect, Format::Rgba8),
        "sampler2DRect",
    ),
    (
        row("TXF.F r, a, texture[0], ARRAY1D;", &[TEXEL], Float, "texelFetch(image, a.xy, a.w)"),
        nearest(Array1D, Format::Rgba8),
        "sampler1DArray",
    ),
    (
        row("TXF.F r, a, texture[0], ARRAY2D;", &[TEXEL], Float, "texelFetch(image, a.xyz, a.w)"),
        nearest(Array2D, Format::Rgba8),
        "sampler2DArray",
    ),
    (
        row(
            "TXF.F r, a, texture[0], 2D, (1,-1);",
            &[INNER],
            Float,
            "texelFetchOffset(image, a.xy, a.w, ivec2(1, -1))",
        ),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXF.S r, a, texture[0], 2D;", &[TEXEL], Int, "texelFetch(image, a.xy, a.w)"),
        nearest(D2, Format::Rgba8I),
        "isampler2D",
    ),
    (
        row("TXF.S r, a, texture[0], ARRAY2D;", &[TEXEL], Int, "texelFetch(image, a.xyz, a.w)"),
        nearest(Array2D, Format::Rgba32I),
        "isampler2DArray",
    ),
    (
        row("TXF.U r, a, texture[0], 2D;", &[TEXEL], Uint, "texelFetch(image, a.xy, a.w)"),
        nearest(D2, Format::Rgba16Ui),
        "usampler2D",
    ),
    (
        row("TXF.U r, a, texture[0], 3D;", &[TEXEL], Uint, "texelFetch(image, a.xyz, a.w)"),
        nearest(D3, Format::R32Ui),
        "usampler3D",
    ),
    (
        row("TXF.F r, a, texture[0], 2D; MOV r, r;", &[TEXEL], Float, "texelFetch(image, a.xy, a.w)"),
        nearest(D2, Format::Rg8),
        "sampler2D",
    ),
];

const SIZES: &[Lookup] = &[
    (
        row(
            "TXQ r, a, texture[0], 1D; MOV.S r.yzw, 0;",
            &[LEVEL],
            Int,
            "ivec4(textureSize(image, a.x), 0, 0, 0)",
        ),
        nearest(D1, Format::Rgba8),
        "sampler1D",
    ),
    (
        row(
            "TXQ r, a, texture[0], 2D; MOV.S r.zw, 0;",
            &[LEVEL],
            Int,
            "ivec4(textureSize(image, a.x), 0, 0)",
        ),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXQ r, a, texture[0], 3D; MOV.S r.w, 0;", &[LEVEL], Int, "ivec4(textureSize(image, a.x), 0)"),
        nearest(D3, Format::Rgba8),
        "sampler3D",
    ),
    (
        row(
            "TXQ r, a, texture[0], CUBE; MOV.S r.zw, 0;",
            &[LEVEL],
            Int,
            "ivec4(textureSize(image, a.x), 0, 0)",
        ),
        nearest(Cube, Format::Rgba8),
        "samplerCube",
    ),
    (
        row("TXQ r, 0, texture[0], RECT; MOV.S r.zw, 0;", &[], Int, "ivec4(textureSize(image), 0, 0)"),
        nearest(Rect, Format::Rgba8),
        "sampler2DRect",
    ),
    (
        row(
            "TXQ r, a, texture[0], ARRAY1D; MOV.S r.zw, 0;",
            &[LEVEL],
            Int,
            "ivec4(textureSize(image, a.x), 0, 0)",
        ),
        nearest(Array1D, Format::Rgba8),
        "sampler1DArray",
    ),
    (
        row(
            "TXQ r, a, texture[0], ARRAY2D; MOV.S r.w, 0;",
            &[LEVEL],
            Int,
            "ivec4(textureSize(image, a.x), 0)",
        ),
        nearest(Array2D, Format::Rgba8),
        "sampler2DArray",
    ),
    (
        row(
            "TXQ r, a, texture[0], ARRAYCUBE; MOV.S r.w, 0;",
            &[LEVEL],
            Int,
            "ivec4(textureSize(image, a.x), 0)",
        ),
        nearest(ArrayCube, Format::Rgba8),
        "samplerCubeArray",
    ),
    (
        row(
            "TXQ r, a, texture[0], 2D; MOV.S r.zw, 0;",
            &[LEVEL],
            Int,
            "ivec4(textureSize(image, a.x), 0, 0)",
        ),
        nearest(D2, Format::Rgba32I),
        "isampler2D",
    ),
];

/// Gathers. The references of TXGO use one `textureGatherOffset` for each offset, because
/// `textureGatherOffsets` crashes Mesa 22.3.6.
const GATHERS: &[Lookup] = &[
    (
        row("TXG.F r, a, texture[0], 2D;", &[ST], Float, "textureGather(image, a.xy)"),
        nearest(D2, Format::Rgba32F),
        "sampler2D",
    ),
    (
        row("TXG.F r, a, texture[0].y, 2D;", &[ST], Float, "textureGather(image, a.xy, 1)"),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXG.F r, a, texture[0].w, 2D;", &[ST], Float, "textureGather(image, a.xy, 3)"),
        linear(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXG.F r, a, texture[0].z, ARRAY2D;", &[ST], Float, "textureGather(image, a.xyz, 2)"),
        nearest(Array2D, Format::Rgba8),
        "sampler2DArray",
    ),
    (
        row("TXG.F r, a, texture[0].x, CUBE;", &[TOWARDS], Float, "textureGather(image, a.xyz)"),
        nearest(Cube, Format::Rgba8),
        "samplerCube",
    ),
    (
        row("TXG.F r, a, texture[0].y, ARRAYCUBE;", &[TOWARDS], Float, "textureGather(image, a, 1)"),
        nearest(ArrayCube, Format::Rgba8),
        "samplerCubeArray",
    ),
    (
        row("TXG.F r, a, texture[0].y, RECT;", &[UNSCALED], Float, "textureGather(image, a.xy, 1)"),
        nearest(Rect, Format::Rgba8),
        "sampler2DRect",
    ),
    (
        row("TXG.S r, a, texture[0].z, 2D;", &[ST], Int, "textureGather(image, a.xy, 2)"),
        nearest(D2, Format::Rgba8I),
        "isampler2D",
    ),
    (
        row("TXG.U r, a, texture[0], 2D;", &[ST], Uint, "textureGather(image, a.xy)"),
        nearest(D2, Format::R32Ui),
        "usampler2D",
    ),
    (
        row(
            "TXG.F r, a, texture[0], 2D, (2,-3);",
            &[ST],
            Float,
            "textureGatherOffset(image, a.xy, ivec2(2, -3))",
        ),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row(
            "TXG.F r, a, texture[0].w, 2D, offset(b);",
            &[ST, OFFSETS],
            Float,
            "textureGatherOffset(image, a.xy, b.xy, 3)",
        ),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXG.F r, a, texture[0], SHADOW2D;", &[REFERRED], Float, "textureGather(image, a.xy, a.z)"),
        compared(D2),
        "sampler2DShadow",
    ),
    (
        row(
            "TXG.F r, a, texture[0], SHADOWARRAY2D;",
            &[REFERRED_LAYERS],
            Float,
            "textureGather(image, a.xyz, a.w)",
        ),
        compared(Array2D),
        "sampler2DArrayShadow",
    ),
    (
        row(
            "TXGO.F r, a, b, c, texture[0].y, 2D;",
            &[ST, OFFSETS, OFFSETS],
            Float,
            "r = vec4(textureGatherOffset(image, a.xy, ivec2(b.x, c.x), 1).w, textureGatherOffset(image, a.xy, ivec2(b.y, c.y), 1).w, \
          textureGatherOffset(image, a.xy, ivec2(b.z, c.z), 1).w, textureGatherOffset(image, a.xy, ivec2(b.w, c.w), 1).w);",
        ),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row(
            "TXGO.F r, a, {-8,7,0,3}, {1,-2,7,-8}, texture[0].z, ARRAY2D;",
            &[ST],
            Float,
            "r = vec4(textureGatherOffset(image, a.xyz, ivec2(-8, 1), 2).w, textureGatherOffset(image, a.xyz, ivec2(7, -2), 2).w, \
             textureGatherOffset(image, a.xyz, ivec2(0, 7), 2).w, textureGatherOffset(image, a.xyz, ivec2(3, -8), 2).w);",
        ),
        nearest(Array2D, Format::Rgba8),
        "sampler2DArray",
    ),
    (
        row(
            "TXGO.U r, a, {0,1,1,0}, {0,0,-1,-1}, texture[0], 2D;",
            &[ST],
            Uint,
            "r = uvec4(textureGatherOffset(image, a.xy, ivec2(0, 0)).w, textureGatherOffset(image, a.xy, ivec2(1, 0)).w, \
             textureGatherOffset(image, a.xy, ivec2(1, -1)).w, textureGatherOffset(image, a.xy, ivec2(0, -1)).w);",
        ),
        nearest(D2, Format::Rgba16Ui),
        "usampler2D",
    ),
    (
        row(
            "TXGO.F r, a, {1,-1,2,-2}, {0,3,0,-3}, texture[0], SHADOW2D;",
            &[REFERRED],
            Float,
            "r = vec4(textureGatherOffset(image, a.xy, a.z, ivec2(1, 0)).w, textureGatherOffset(image, a.xy, a.z, ivec2(-1, 3)).w, \
             textureGatherOffset(image, a.xy, a.z, ivec2(2, 0)).w, textureGatherOffset(image, a.xy, a.z, ivec2(-2, -3)).w);",
        ),
        compared(D2),
        "sampler2DShadow",
    ),
];

const FILTERED: &[Lookup] = &[
    (
        row("TEX.F r, a, texture[0], ARRAY1D;", &[ROWS], Float, "texture(image, a.xy)"),
        nearest(Array1D, Format::Rgba8),
        "sampler1DArray",
    ),
    (
        row("TEX.F r, a, texture[0], ARRAY2D;", &[ST], Float, "texture(image, a.xyz)"),
        nearest(Array2D, Format::Rgba8),
        "sampler2DArray",
    ),
    (
        row("TEX.F r, a, texture[0], CUBE;", &[TOWARDS], Float, "texture(image, a.xyz)"),
        nearest(Cube, Format::Rgba8),
        "samplerCube",
    ),
    (
        row("TEX.F r, a, texture[0], ARRAYCUBE;", &[TOWARDS], Float, "texture(image, a)"),
        nearest(ArrayCube, Format::Rgba8),
        "samplerCubeArray",
    ),
    (
        row("TEX.S r, a, texture[0], 2D;", &[ST], Int, "texture(image, a.xy)"),
        nearest(D2, Format::Rgba8I),
        "isampler2D",
    ),
    (
        row("TEX.U r, a, texture[0], 3D;", &[STR], Uint, "texture(image, a.xyz)"),
        nearest(D3, Format::Rgba16Ui),
        "usampler3D",
    ),
    (
        row("TEX.U r, a, texture[0], CUBE;", &[TOWARDS], Uint, "texture(image, a.xyz)"),
        nearest(Cube, Format::Rgba16Ui),
        "usamplerCube",
    ),
    (
        row("TEX.F r, a, texture[0], 2D, (3,-2);", &[ST], Float, "textureOffset(image, a.xy, ivec2(3, -2))"),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row(
            "TEX.F r, a, texture[0], 3D, (3,-2,1);",
            &[STR],
            Float,
            "textureOffset(image, a.xyz, ivec3(3, -2, 1))",
        ),
        nearest(D3, Format::Rgba8),
        "sampler3D",
    ),
    (
        row("TEX.F r, a, texture[0], SHADOW2D;", &[REFERRED], Float, "vec4(texture(image, a.xyz))"),
        compared(D2),
        "sampler2DShadow",
    ),
    (
        row("TEX.F r, a, texture[0], SHADOWRECT;", &[UNSCALED], Float, "vec4(texture(image, a.xyz))"),
        compared(Rect),
        "sampler2DRectShadow",
    ),
    (
        row("TEX.F r, a, texture[0], SHADOWCUBE;", &[REFERRED_CUBE], Float, "vec4(texture(image, a))"),
        compared(Cube),
        "samplerCubeShadow",
    ),
    (
        row("TEX.F r, a, texture[0], SHADOWARRAY2D;", &[REFERRED_LAYERS], Float, "vec4(texture(image, a))"),
        compared(Array2D),
        "sampler2DArrayShadow",
    ),
    (
        blend("TEX.F r, a, texture[0], ARRAY2D;", &[ST], "texture(image, a.xyz)"),
        linear(Array2D, Format::Rgba32F),
        "sampler2DArray",
    ),
    (
        blend("TEX.F r, a, texture[0], ARRAYCUBE;", &[TOWARDS], "texture(image, a)"),
        linear(ArrayCube, Format::Rgba16F),
        "samplerCubeArray",
    ),
    (
        blend("TEX.F r, a, texture[0], 3D;", &[STR], "texture(image, a.xyz)"),
        linear(D3, Format::Rgba16F),
        "sampler3D",
    ),
    (
        row("TXP.F r, a, texture[0], 2D;", &[UNSCALED], Float, "textureProj(image, a)"),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXL.F r, a, texture[0], 2D;", &[ST], Float, "textureLod(image, a.xy, a.w)"),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXL.F r, a, texture[0], ARRAY2D;", &[ST], Float, "textureLod(image, a.xyz, a.w)"),
        nearest(Array2D, Format::Rgba8),
        "sampler2DArray",
    ),
    (
        row(
            "TXL.F r, a, texture[0], 2D, (-5,4);",
            &[ST],
            Float,
            "textureLodOffset(image, a.xy, a.w, ivec2(-5, 4))",
        ),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row("TXL.U r, a, texture[0], 2D;", &[ST], Uint, "textureLod(image, a.xy, a.w)"),
        nearest(D2, Format::R32Ui),
        "usampler2D",
    ),
    (
        row(
            "TXD.F r, a, b, c, texture[0], 2D;",
            &[ST, GRADIENT, GRADIENT],
            Float,
            "textureGrad(image, a.xy, b.xy, c.xy)",
        ),
        nearest(D2, Format::Rgba8),
        "sampler2D",
    ),
    (
        row(
            "TXD.F r, a, b, c, texture[0], ARRAY2D;",
            &[ST, GRADIENT, GRADIENT],
            Float,
            "textureGrad(image, a.xyz, b.xy, c.xy)",
        ),
        nearest(Array2D, Format::Rgba8),
        "sampler2DArray",
    ),
    (
        row(
            "TXD.S r, a, b, c, texture[0], 3D;",
            &[STR, GRADIENT, GRADIENT],
            Int,
            "textureGrad(image, a.xyz, b.xyz, c.xyz)",
        ),
        nearest(D3, Format::Rgba8I),
        "isampler3D",
    ),
];

/// One question for each row.
pub fn all() -> Vec<Question> {
    let rows = [FETCHES, SIZES, GATHERS, FILTERED].into_iter().flatten();
    let questions = rows.map(|(row, image, sampler)| {
        let mut random = seeded(row.ours);
        let textures = vec![(0, Arc::new(image.texture()))];
        let runs = (0..RUNS).map(|_| Inputs { textures: textures.clone(), ..row.operands(&mut random) });
        let declarations = ["", &format!("uniform {sampler} image;")];
        let row = Row { nearness: row.nearness.max(image.nearness()), ..*row };
        let question = row.question(Stage::Fragment, declarations, runs.collect());
        Question { name: format!("{} {}", question.name, image.format.name()), ..question }
    });
    questions.collect()
}
