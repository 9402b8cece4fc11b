//! What is drawn: programs (files beside this one, and the bundled ones of `samples/bench`), geometry, textures and
//! state, for both sides alike.

use std::f32::consts::PI;

/// One line of the table.
pub struct Case {
    pub name: &'static str,
    /// `program.local[0]` is (time, width, height, 1).
    pub fragment: &'static str,
    /// The same in GLSL, where no free driver has the program's language: `local` is `program.local[0]`.
    pub twin: Option<&'static str>,
    /// How far the pictures may differ.
    pub alike: Alike,
    /// `!!ARBvp1.0`; `program.local[0]` is the same.
    pub vertex: &'static str,
    pub geometry: Geometry,
    /// By image unit.
    pub textures: &'static [Texture],
    pub depth: Depth,
    pub blend: Blend,
}

/// What two pictures have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Alike {
    /// All bits.
    Bits,
    /// On average components differ by less than 4 levels of 255.
    Nearly,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// No test.
    None,
    /// LESS.
    Less,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    None,
    /// SRC_ALPHA, ONE_MINUS_SRC_ALPHA.
    Over,
}

/// A triangle list with indices.
#[derive(Clone, Copy)]
pub enum Geometry {
    /// Two triangles over the window.
    Window,
    /// So many rectangles over nearly the whole window, each in front of those before it.
    Layers(u32),
    /// A sphere in so many rings of twice as many quads of two triangles.
    Sphere(u32),
}

/// A texture.
#[derive(Clone, Copy)]
pub struct Texture {
    pub target: Target,
    pub filter: Filter,
    pub format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RGBA8.
    Bytes,
    /// R32F.
    Red,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    D2,
    D3,
    Cube,
    Rect,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// NEAREST within and between levels.
    Nearest,
    /// LINEAR within, no mipmaps.
    Bilinear,
    /// LINEAR within and between levels.
    Trilinear,
    /// The same with 8 degrees of anisotropy.
    Anisotropic,
}

const TRILINEAR: Texture = Texture { target: Target::D2, filter: Filter::Trilinear, format: Format::Bytes };

const NEAREST: Texture = Texture { filter: Filter::Nearest, ..TRILINEAR };
const ANISOTROPIC: Texture = Texture { filter: Filter::Anisotropic, ..TRILINEAR };
const VOLUME: Texture = Texture { target: Target::D3, ..TRILINEAR };
const CUBE: Texture = Texture { target: Target::Cube, ..TRILINEAR };
const RECTANGLE: Texture = Texture { target: Target::Rect, filter: Filter::Bilinear, ..TRILINEAR };
const RED: Texture = Texture { filter: Filter::Bilinear, format: Format::Red, ..TRILINEAR };

const PASS: &str = include_str!("pass.arbvp");
/// What twins are drawn with.
pub const TWIN_PASS: &str = include_str!("pass.vert");

const FLAT: Case = Case {
    name: "",
    fragment: "",
    twin: None,
    alike: Alike::Nearly,
    vertex: PASS,
    geometry: Geometry::Window,
    textures: &[],
    depth: Depth::None,
    blend: Blend::None,
};

macro_rules! bundled {
    ($name:literal) => {
        Case {
            name: $name,
            fragment: include_str!(concat!("../../../samples/bench/", $name, ".arbfp")),
            ..FLAT
        }
    };
}

macro_rules! twin {
    ($name:literal, $file:literal, $twin:literal) => {
        Case {
            name: $name,
            fragment: include_str!(concat!("../../../samples/bench/", $file)),
            twin: Some(include_str!($twin)),
            ..FLAT
        }
    };
}

macro_rules! own {
    ($name:literal) => {
        Case { name: $name, fragment: include_str!(concat!($name, ".arbfp")), ..FLAT }
    };
}

const INTERPOLATE: &str = include_str!("interpolate.arbfp");

/// Every case.
pub fn all() -> Vec<Case> {
    vec![
        bundled!("plasma"),
        Case { textures: &[TRILINEAR], ..bundled!("texlit") },
        bundled!("alu384"),
        twin!("mandelbrot", "mandelbrot.arbfp", "mandelbrot.frag"),
        twin!("mandelbrot, F64", "mandelbrot64.nvfp5", "mandelbrot64.frag"),
        Case { alike: Alike::Bits, ..twin!("integer hash", "hash.nvfp5", "hash.frag") },
        Case { textures: &[RED], ..twin!("gather filter", "gather.nvfp5", "gather.frag") },
        own!("interpolate"),
        Case { textures: &[TRILINEAR], ..own!("trilinear8") },
        Case { textures: &[TRILINEAR], ..own!("dependent") },
        Case { textures: &[CUBE], geometry: Geometry::Sphere(48), depth: Depth::Less, ..own!("cube") },
        Case { textures: &[ANISOTROPIC], ..own!("anisotropic") },
        Case { textures: &[NEAREST], ..own!("nearest") },
        Case { textures: &[RECTANGLE], ..own!("rectangle") },
        Case { textures: &[VOLUME], ..own!("volume") },
        own!("kill"),
        own!("compare"),
        Case {
            name: "small triangles",
            fragment: INTERPOLATE,
            geometry: Geometry::Sphere(224),
            depth: Depth::Less,
            ..FLAT
        },
        Case {
            geometry: Geometry::Layers(16),
            depth: Depth::Less,
            textures: &[TRILINEAR],
            name: "layers, nearer last",
            ..bundled!("texlit")
        },
        Case {
            name: "blended layers",
            fragment: INTERPOLATE,
            geometry: Geometry::Layers(24),
            blend: Blend::Over,
            ..FLAT
        },
        Case {
            name: "lit vertices",
            fragment: INTERPOLATE,
            vertex: include_str!("lights.arbvp"),
            geometry: Geometry::Sphere(160),
            depth: Depth::Less,
            ..FLAT
        },
    ]
}

/// Vertices and indices: of each vertex a position, a normal and a texture coordinate.
#[derive(Default)]
pub struct Mesh {
    pub positions: Vec<f32>,
    pub normals: Vec<f32>,
    pub coordinates: Vec<f32>,
    pub indices: Vec<u32>,
}

impl Mesh {
    /// The triangles of `geometry`.
    pub fn new(geometry: Geometry) -> Self {
        let mut mesh = Self::default();
        match geometry {
            Geometry::Window => mesh.rectangle(1.0, 0.0),
            Geometry::Layers(count) => {
                for layer in 0..count {
                    let part = layer as f32 / count as f32;
                    mesh.rectangle(1.0 - 0.1 * part, 0.9 - 1.8 * part);
                }
            }
            Geometry::Sphere(rings) => mesh.sphere(rings),
        }
        mesh
    }

    fn vertex(&mut self, position: [f32; 3], normal: [f32; 3], coordinate: [f32; 2]) {
        self.positions.extend(position);
        self.normals.extend(normal);
        self.coordinates.extend(coordinate);
    }

    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.indices.extend([a, b, c, c, b, d]);
    }

    fn rectangle(&mut self, side: f32, z: f32) {
        let first = self.positions.len() as u32 / 3;
        for [x, y] in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
            let at = |t: f32| (2.0 * t - 1.0) * side;
            self.vertex([at(x), at(y), z], [0.0, 0.0, 1.0], [x, y]);
        }
        self.quad([0, 1, 2, 3].map(|n| first + n));
    }

    fn sphere(&mut self, rings: u32) {
        let columns = 2 * rings;
        for ring in 0..=rings {
            let v = ring as f32 / rings as f32;
            for column in 0..=columns {
                let u = column as f32 / columns as f32;
                let ((sin_v, cos_v), (sin_u, cos_u)) = ((v * PI).sin_cos(), (u * 2.0 * PI).sin_cos());
                let normal = [sin_v * cos_u, -cos_v, -sin_v * sin_u];
                self.vertex(normal.map(|n| n * 0.9), normal, [u * 4.0, v * 2.0]);
            }
        }
        let row = columns + 1;
        for ring in 0..rings {
            for column in 0..columns {
                let a = ring * row + column;
                self.quad([a, a + 1, a + row, a + row + 1]);
            }
        }
    }
}

/// Side of the textures' images.
pub fn side(target: Target) -> usize {
    match target {
        Target::D2 | Target::Rect => 256,
        Target::D3 => 32,
        Target::Cube => 128,
    }
}

/// R, G, B, A bytes of one image: its texel's place, their exclusive or, and 255.
pub fn texels(target: Target, face: usize) -> Vec<u8> {
    let side = side(target);
    let depth = if target == Target::D3 { side } else { 1 };
    let scale = 256 / side;
    let mut bytes = Vec::with_capacity(side * side * depth * 4);
    for z in 0..depth {
        for y in 0..side {
            for x in 0..side {
                let [x, y, z] = [x, y, z + face * 5].map(|n| (n * scale) as u8);
                bytes.extend([x, y, x ^ y ^ z, 255]);
            }
        }
    }
    bytes
}
