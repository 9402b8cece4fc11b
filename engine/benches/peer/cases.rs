//! The cases of the comparison with drivers: programs, geometry, textures and state. Both sides, `ours` and
//! `theirs`, draw the same cases. Programs are in files beside this one and in `samples/bench`.

use std::f32::consts::PI;

use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::Primitive;

/// One line of the table of cases.
pub struct Case {
    pub name: &'static str,
    /// An `!!ARBvp1.0` program. `program.local[0]` of each program is (time, width, height, 1).
    pub vertex: &'static str,
    /// Tessellation and geometry programs.
    pub between: &'static [Shader],
    pub fragment: &'static str,
    /// All stages in GLSL, if no free driver has a program's language. The uniform `local` is
    /// `program.local[0]`.
    pub references: &'static [Shader],
    /// The largest allowed difference between the pictures.
    pub alike: Alike,
    pub geometry: Geometry,
    /// The texture of each image unit.
    pub textures: &'static [Texture],
    pub depth: Depth,
    pub blend: Blend,
}

/// A stage and its text.
pub type Shader = (Stage, &'static str);

impl Case {
    /// The program of each stage.
    pub fn programs(&self) -> impl Iterator<Item = Shader> {
        let ends = [(Stage::Vertex, self.vertex), (Stage::Fragment, self.fragment)];
        ends.into_iter().chain(self.between.iter().copied())
    }
}

/// The similarity that a case requires of its two pictures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Alike {
    /// All bits are the same.
    Bits,
    /// The average difference of a component is less than 4 levels of 255.
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

/// Indexed primitives: triangles, except for points and patches.
#[derive(Clone, Copy)]
pub enum Geometry {
    /// Two triangles that cover the window.
    Window,
    /// A number of rectangles over nearly the whole window, each in front of the ones before it.
    Layers(u32),
    /// A sphere with this number of rings. A ring has twice as many quads of two triangles each.
    Sphere(u32),
    /// A number of points that become squares and cover about half the window. A point's texture coordinates
    /// are an angle and half the diagonal of its square.
    Points(u32),
    /// The window, divided into columns and rows of patches of four vertices.
    Patches([u32; 2]),
}

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
    /// Nearest within and between levels.
    Nearest,
    /// Linear within a level, without mipmaps.
    Bilinear,
    /// Linear within and between levels.
    Trilinear,
    /// Trilinear, with a degree of anisotropy of 8.
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
const INTERPOLATE: &str = include_str!("interpolate.arbfp");

const PLAIN_REFERENCE: Shader = (Stage::Vertex, include_str!("plain.vert"));
const INTERPOLATE_REFERENCE: Shader = (Stage::Fragment, include_str!("interpolate.frag"));

const FLAT: Case = Case {
    name: "",
    vertex: PASS,
    between: &[],
    fragment: "",
    references: &[],
    alike: Alike::Nearly,
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

macro_rules! reference {
    ($name:literal, $file:literal, $reference:literal) => {
        Case {
            name: $name,
            fragment: include_str!(concat!("../../../samples/bench/", $file)),
            references: &[
                (Stage::Vertex, include_str!("pass.vert")),
                (Stage::Fragment, include_str!($reference)),
            ],
            ..FLAT
        }
    };
}

macro_rules! own {
    ($name:literal) => {
        Case { name: $name, fragment: include_str!(concat!($name, ".arbfp")), ..FLAT }
    };
}

/// Points that a geometry program turns into squares.
const SQUARES: Case = Case {
    between: &[(Stage::Geometry, include_str!("squares.nvgp4"))],
    fragment: INTERPOLATE,
    references: &[PLAIN_REFERENCE, (Stage::Geometry, include_str!("squares.geom")), INTERPOLATE_REFERENCE],
    depth: Depth::Less,
    ..FLAT
};

/// Patches that are tessellated into 512 triangles each.
const HILLS: Case = Case {
    between: &[
        (Stage::TessControl, include_str!("hills.nvtcp5")),
        (Stage::TessEvaluation, include_str!("hills.nvtep5")),
    ],
    fragment: INTERPOLATE,
    references: &[
        PLAIN_REFERENCE,
        (Stage::TessControl, include_str!("hills.tesc")),
        (Stage::TessEvaluation, include_str!("hills.tese")),
        INTERPOLATE_REFERENCE,
    ],
    depth: Depth::Less,
    ..FLAT
};

pub fn all() -> Vec<Case> {
    vec![
        bundled!("plasma"),
        Case { textures: &[TRILINEAR], ..bundled!("texlit") },
        bundled!("alu384"),
        reference!("mandelbrot", "mandelbrot.arbfp", "mandelbrot.frag"),
        reference!("mandelbrot, F64", "mandelbrot64.nvfp5", "mandelbrot64.frag"),
        Case { alike: Alike::Bits, ..reference!("integer hash", "hash.nvfp5", "hash.frag") },
        Case { textures: &[RED], ..reference!("gather filter", "gather.nvfp5", "gather.frag") },
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
        Case { name: "10,000 emitted vertices", geometry: Geometry::Points(2_500), ..SQUARES },
        Case { name: "100,000 emitted vertices", geometry: Geometry::Points(25_000), ..SQUARES },
        Case { name: "1,000,000 emitted vertices", geometry: Geometry::Points(250_000), ..SQUARES },
        Case { name: "1,000 triangles of patches", geometry: Geometry::Patches([1, 2]), ..HILLS },
        Case { name: "10,000 triangles of patches", geometry: Geometry::Patches([4, 5]), ..HILLS },
        Case { name: "100,000 triangles of patches", geometry: Geometry::Patches([14, 14]), ..HILLS },
        Case { name: "1,000,000 triangles of patches", geometry: Geometry::Patches([42, 47]), ..HILLS },
    ]
}

/// Vertices and indices. Each vertex has a position, a normal and a texture coordinate.
pub struct Mesh {
    pub primitive: Primitive,
    pub positions: Vec<f32>,
    pub normals: Vec<f32>,
    pub coordinates: Vec<f32>,
    pub indices: Vec<u32>,
}

impl Mesh {
    /// Generates the primitives of `geometry`.
    pub fn new(geometry: Geometry) -> Self {
        let primitive = match geometry {
            Geometry::Points(_) => Primitive::Points,
            Geometry::Patches(_) => Primitive::Patches,
            Geometry::Window | Geometry::Layers(_) | Geometry::Sphere(_) => Primitive::Triangles,
        };
        let [positions, normals, coordinates] = [const { Vec::new() }; 3];
        let mut mesh = Self { primitive, positions, normals, coordinates, indices: Vec::new() };
        match geometry {
            Geometry::Window => mesh.rectangle(1.0, 0.0),
            Geometry::Layers(count) => {
                for layer in 0..count {
                    let part = layer as f32 / count as f32;
                    mesh.rectangle(1.0 - 0.1 * part, 0.9 - 1.8 * part);
                }
            }
            Geometry::Sphere(rings) => mesh.sphere(rings),
            Geometry::Points(count) => mesh.points(count),
            Geometry::Patches(parts) => mesh.patches(parts),
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

    /// Adds points that additive recurrences of the plastic number spread evenly, in no order.
    fn points(&mut self, count: u32) {
        for n in 0..count {
            let [x, y] =
                [0.754_877_7, 0.569_840_3].map(|step| ((f64::from(n) * step).fract() * 1.9 - 0.95) as f32);
            let turn = f64::from(n).mul_add(0.618_034, 0.0).fract() as f32;
            let normal = [x, y, turn];
            self.vertex([x, y, turn * 1.8 - 0.9], normal, [turn * 2.0 * PI, (1.0 / count as f32).sqrt()]);
        }
        self.indices.extend(0..count);
    }

    fn patches(&mut self, [columns, rows]: [u32; 2]) {
        let row = columns + 1;
        for y in 0..=rows {
            for x in 0..=columns {
                let [x, y] = [(x, columns), (y, rows)].map(|(at, of)| 2.0 * at as f32 / of as f32 - 1.0);
                self.vertex([x, y, 0.0], [0.0, 0.0, 1.0], [x, y]);
            }
        }
        for y in 0..rows {
            for x in 0..columns {
                let a = y * row + x;
                self.indices.extend([a, a + 1, a + row, a + row + 1]);
            }
        }
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

/// The side of a texture's images in texels.
pub fn side(target: Target) -> usize {
    match target {
        Target::D2 | Target::Rect => 256,
        Target::D3 => 32,
        Target::Cube => 128,
    }
}

/// The R, G, B, A bytes of one image: two coordinates of the texel, their exclusive or, and 255.
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
