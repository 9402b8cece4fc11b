//! A question to an implementation: a program to load and, if it loads, inputs to run it on. A driver
//! (`theirs`) and Shadestep (`ours`) get the same question, and `compare` compares the two answers.

use std::sync::Arc;

use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::{BlendFactor, Primitive, Recorded};
use shadestep_engine::texture::{ImageFormat, ImageShape, Texture};
use shadestep_gl::FeedbackPrimitive;

use super::references::Reference;

/// A program and the inputs for its runs.
#[derive(Clone, Debug)]
pub struct Question {
    /// The origin of the program, for messages and for the list of differences.
    pub name: String,
    pub text: Vec<u8>,
    /// For vertex programs: the fragment attribute that shows the compared result, as ARB programs name it.
    pub shows: Option<String>,
    /// The inputs of each fragment or vertex. A picture has one set of inputs for all.
    pub runs: Vec<Inputs>,
    /// The vertices of a picture: positions in clip coordinates, and texture coordinates 0. They are
    /// triangles unless `between` has another primitive. Empty for points.
    pub triangles: Vec<([f32; 4], [f32; 4])>,
    /// The tessellation and geometry programs of a picture, if there are any.
    pub between: Option<Between>,
    /// The GLSL shaders for drivers that lack the program's language.
    pub reference: Option<Reference>,
    /// The blend function, if colours are blended.
    pub blend: Option<Blend>,
    /// Samples of a pixel of a picture: 1, or [`SAMPLES`]. All samples are compared, side by side.
    pub samples: usize,
    /// The outputs of a picture that transform feedback records. The recorded words are compared instead of
    /// the pixels.
    pub capture: Option<Capture>,
}

/// The outputs that transform feedback records. All recorded words are fp32 numbers.
#[derive(Clone, Debug)]
pub struct Capture {
    pub primitive: FeedbackPrimitive,
    /// For each binding point: the vertex stream, and the recorded outputs of its vertices.
    pub points: Vec<(u8, Vec<Recorded>)>,
    /// The same outputs by their names in the GLSL shaders.
    pub varyings: Vec<&'static str>,
    /// Words of each buffer, all of which are [`UNRECORDED`] at first. They are compared four at a time.
    pub words: usize,
    pub order: Order,
}

/// The value of a word that transform feedback did not write.
pub const UNRECORDED: f32 = -7.0;

/// The part of the recorded order that must agree. Each vertex records four words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The order of all vertices.
    Recorded,
    /// Only the order of the two ends of each line.
    Lines,
    /// No order. Each distinct vertex appears once, and then the number of vertices with repetitions.
    Vertices,
}

impl Capture {
    /// Returns the values to compare, from the words of all buffers.
    pub fn values(&self, words: &[u32]) -> Vec<Value> {
        // Vertices that differ by rounding alone get the same key.
        let key = |[x, y, z, w]: [u32; 4]| {
            [x, y, z, w].map(|bits| (f64::from(f32::from_bits(bits)) * 4096.0).round() as i64)
        };
        let is_recorded = |vertex: &&[u32; 4]| **vertex != [UNRECORDED.to_bits(); 4];
        let all = words.as_chunks::<4>().0;
        let recorded: Vec<[u32; 4]> = all.iter().filter(is_recorded).copied().collect();
        let chosen: Vec<[u32; 4]> = match self.order {
            Order::Recorded => all.to_vec(),
            Order::Lines => {
                let mut lines = recorded.as_chunks::<2>().0.to_vec();
                lines.sort_by_key(|[a, b]| (key(*a), key(*b)));
                lines.into_flattened()
            }
            Order::Vertices => {
                let mut each = recorded.clone();
                each.sort_by_key(|vertex| key(*vertex));
                each.dedup_by_key(|vertex| key(*vertex));
                each.push([(recorded.len() as f32).to_bits(); 4]);
                each
            }
        };
        chosen.into_iter().map(Value::Color).collect()
    }
}

/// Programs between the vertex and the fragment program, and the primitive that they get.
#[derive(Clone, Debug)]
pub struct Between {
    pub programs: Vec<(Stage, String)>,
    pub primitive: Primitive,
    /// Vertices of a patch, if the primitive is patches.
    pub patch_vertices: i32,
}

/// Samples of a pixel in multisample pictures.
pub const SAMPLES: usize = 4;

/// A blend function, and the destination colour before the draw.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    /// Factors of source and destination.
    pub factors: [BlendFactor; 2],
    pub destination: [f32; 4],
}

/// Pixels in a row of a picture, and the number of rows.
pub const SIDE: usize = 16;

/// The inputs of one fragment or vertex.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Generic vertex attributes 1 to 15. Missing ones are (0,0,0,1). For fragment programs, attribute 3
    /// becomes the primary colour, 4 the secondary colour, 5 the fog coordinate, and 8 to 15 the texture
    /// coordinates.
    pub attributes: Vec<(u8, Given)>,
    /// Parameters. Missing ones are (0,0,0,0).
    pub parameters: Vec<(Slot, [f32; 4])>,
    /// Textures by image unit.
    pub textures: Vec<(u8, Arc<Texture>)>,
    /// Words of memory that programs read and write, or none. Programs get the address in local parameter
    /// [`ADDRESS`]; references use storage block 0.
    pub memory: Vec<u32>,
    /// An image that programs read and write.
    pub image: Option<Arc<GivenImage>>,
}

/// The local parameter that holds the address of [`Inputs::memory`].
pub const ADDRESS: u16 = 7;

/// An image on image unit 0.
#[derive(Clone, Debug)]
pub struct GivenImage {
    pub shape: ImageShape,
    /// Texels of an R32UI image; empty in other formats, where all texels are 0.
    pub words: Vec<u32>,
    /// The format of a second view of the image, on image unit 1.
    pub view: Option<ImageFormat>,
}

/// The value of a vertex attribute, by the command that sets it.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    Floats([f32; 4]),
    /// `VertexAttribI4i`
    Signed([i32; 4]),
    /// `VertexAttribI4ui`
    Unsigned([u32; 4]),
    /// `VertexAttribL4d`
    Doubles([f64; 4]),
}

/// The place of a program parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// `program.env[n]`, `c[n]`
    Env(u16),
    /// `program.local[n]`, `p[n]`
    Local(u16),
    /// By name, in `!!FP1.0`.
    Named(String),
}

/// The answer of an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The program does not load: PROGRAM_ERROR_POSITION.
    Refused(i64),
    /// The program loads. Holds the value of each run, or of each pixel.
    Loaded(Vec<Value>),
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The fragment was discarded.
    Killed,
    /// The bits of the colour.
    Color([u32; 4]),
}

/// The width of the framebuffer in pixels: the number of runs that share it.
pub const PLACES: usize = 64;

/// The vertex program for questions about fragment programs: passes attributes on. The attributes are
/// generic, because fixed-function attributes are separate in some drivers (ARB_vertex_program 2.14.3.1).
pub const FEED: &str = "!!ARBvp1.0
MOV result.position, vertex.attrib[0];
MOV result.color, vertex.attrib[3];
MOV result.color.secondary, vertex.attrib[4];
MOV result.fogcoord.x, vertex.attrib[5].x;
MOV result.texcoord[0], vertex.attrib[8];
MOV result.texcoord[1], vertex.attrib[9];
MOV result.texcoord[2], vertex.attrib[10];
MOV result.texcoord[3], vertex.attrib[11];
MOV result.texcoord[4], vertex.attrib[12];
MOV result.texcoord[5], vertex.attrib[13];
MOV result.texcoord[6], vertex.attrib[14];
MOV result.texcoord[7], vertex.attrib[15];
END
";

/// The generic attributes that [`FEED`] reads, apart from attribute 0.
pub const FED: [u8; 11] = [3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15];

impl Question {
    /// A question that asks only whether a program loads.
    pub fn loading(name: impl Into<String>, text: &[u8]) -> Self {
        let (runs, triangles) = (Vec::new(), Vec::new());
        let (name, text) = (name.into(), text.to_vec());
        let (shows, between, reference, blend, capture) = (None, None, None, None, None);
        Self { name, text, shows, runs, triangles, between, reference, blend, samples: 1, capture }
    }

    /// The primitive that the vertices of a picture form.
    pub fn primitive(&self) -> Primitive {
        self.between.as_ref().map_or(Primitive::Triangles, |between| between.primitive)
    }

    /// The fragment program that shows a vertex program's result.
    pub fn show(&self) -> Option<String> {
        let attribute = self.shows.as_ref()?;
        Some(match self.reference {
            // A reference may show bits of any type.
            Some(_) => {
                format!("!!NVfp5.0\nFLAT ATTRIB shown = {attribute};\nMOV.U result.color, shown;\nEND\n")
            }
            None => format!("!!ARBfp1.0\nMOV result.color, {attribute};\nEND\n"),
        })
    }

    /// The point of run `index` in clip coordinates: the centre of its pixel in a row of [`PLACES`].
    pub fn place(index: usize) -> [f32; 4] {
        let middle = (2.0 * (index % PLACES) as f32 + 1.0) / PLACES as f32;
        [middle - 1.0, 0.0, 0.0, 1.0]
    }

    /// A hash of the whole question except its name (FNV-1a). It finds the question's answer in a recording.
    pub fn key(&self) -> u64 {
        let mut hash = Hash(0xCBF2_9CE4_8422_2325);
        hash.bytes(&self.text);
        hash.bytes(self.shows.as_deref().unwrap_or_default().as_bytes());
        for text in self.reference.iter().flat_map(Reference::texts) {
            hash.bytes(text.as_bytes());
        }
        if let Some(between) = &self.between {
            hash.bytes(format!("{between:?}").as_bytes());
        }
        for run in &self.runs {
            for (number, value) in &run.attributes {
                match value {
                    Given::Floats(value) => {
                        hash.bytes(&[1, *number]);
                        hash.floats(value);
                    }
                    typed => hash.bytes(format!("{number} {typed:?}").as_bytes()),
                }
            }
            for (slot, value) in &run.parameters {
                hash.bytes(format!("{slot:?}").as_bytes());
                hash.floats(value);
            }
            for (unit, texture) in &run.textures {
                hash.bytes(&[2, *unit]);
                hash.texture(texture);
            }
            run.memory.iter().for_each(|word| hash.bytes(&word.to_le_bytes()));
            if let Some(image) = &run.image {
                hash.bytes(format!("{image:?}").as_bytes());
            }
        }
        hash.bytes(&[if self.triangles.is_empty() { 0 } else { SIDE as u8 }]);
        for (position, coordinates) in &self.triangles {
            hash.floats(position);
            hash.floats(coordinates);
        }
        if let Some(blend) = &self.blend {
            hash.bytes(format!("{blend:?}").as_bytes());
        }
        if self.samples > 1 {
            hash.bytes(&[self.samples as u8]);
        }
        if let Some(capture) = &self.capture {
            hash.bytes(format!("{capture:?}").as_bytes());
        }
        hash.0
    }
}

struct Hash(u64);

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xFF]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.bytes(&value.to_bits().to_le_bytes()));
    }

    fn texture(&mut self, texture: &Texture) {
        self.bytes(
            format!("{} {} {:?}", texture.target().name(), texture.format().name(), texture.sampler())
                .as_bytes(),
        );
        for image in 0..images(texture, 0) {
            texels(texture, 0, image).iter().for_each(|texel| self.floats(texel));
        }
    }
}

/// How many images a level of `texture` has: its layers and faces.
pub fn images(texture: &Texture, level: usize) -> usize {
    (0..).take_while(|&image| texture.texel(level, image, [0; 3]).is_some()).count()
}

/// The texels of one image, as the format stores them.
pub fn texels(texture: &Texture, level: usize, face: usize) -> Vec<[f32; 4]> {
    let [w, h, d] = texture.level_size(level).unwrap_or_default();
    let places = (0..d).flat_map(|k| (0..h).flat_map(move |j| (0..w).map(move |i| [i, j, k])));
    places.map(|place| texture.texel(level, face, place).unwrap_or_default()).collect()
}
