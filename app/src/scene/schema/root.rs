//! The top level of `scene.toml`: its own keys, and a list of all tables.

use super::{OneOf, Raw, Schema, Shape, TableShape, Text, Whole, Wholes, schema};
use crate::scene::MAX_SIZE;
use crate::scene::read::Table;
use crate::scene::{
    DEFAULT_SIZE, SceneError, SceneLayers, arrays, attachment, buffers, feedback, frame_texture, geometry,
    images, lighting, matrix, parameter_table, parse, program_table, raster, texture_table,
};
use shadestep_engine::gl::Limit;
use shadestep_engine::memory::AddressBits;

/// The keys at the top of the file.
pub(in crate::scene) struct Root {
    pub title: String,
    pub size: [u32; 2],
    pub address_bits: AddressBits,
    pub any_order: bool,
    layers: u32,
}

impl Root {
    /// The defaults of a scene called `name`.
    pub fn new(name: &str) -> Self {
        let (title, size, address_bits) = (name.to_owned(), DEFAULT_SIZE, AddressBits::default());
        Self { title, size, address_bits, any_order: false, layers: SceneLayers::ONE.count }
    }

    /// Returns the layers. `layer` must be below `layers`.
    pub fn layers(&self, table: &Table<'_>) -> Result<SceneLayers, SceneError> {
        let shown = table.get("layer").map_or(Ok(0), |entry| entry.integer(0..=self.layers - 1))?;
        Ok(SceneLayers { count: self.layers, shown })
    }
}

const ADDRESSES: [(AddressBits, &str); 2] =
    [(AddressBits::Bits64, "64-bit"), (AddressBits::Bits32, "32-bit")];
const ORDERS: [(bool, &str); 2] = [(false, "draw"), (true, "any")];

/// The top of the file.
pub(in crate::scene) static ROOT: Schema<Root> = schema! { Root, "at the top of the file";
    "title": Text("text"), [title], "the folder's name", "Name of the scene.";
    "size": Wholes::<2>(1, MAX_SIZE), [size], "`[512, 512]`", "Width and height of the picture.";
    "addresses": OneOf(&ADDRESSES), [address_bits], "`\"64-bit\"`",
        "Addresses of buffers. With `\"32-bit\"` all buffers lie below 4 GB, for programs without 64-bit registers.";
    "order": OneOf(&ORDERS), [any_order], "`\"draw\"`",
        "Order of invocations that write memory. See [Order](#order).";
    "layers": Whole::<u32>::new(1, Limit::ArrayTextureLayers.value() as u32), [layers], "`1`",
        "Layers of the framebuffer. See [Layers](#layers).";
    "layer": LAYER, [-], "`0`", "Layer that you see first.";
    "program": Raw(|| Shape::Table(program_table::PROGRAM.shape())), [-], "", "Files of the programs.";
    "state_program": Raw(|| Shape::Tables(program_table::STATE_PROGRAM.shape())), [-], "",
        "Vertex state programs with their inputs.";
    "geometry": Raw(|| Shape::Table(geometry::GEOMETRY.shape())), [-], "", "The mesh or the vertices.";
    "attribute": Raw(|| Shape::Tables(arrays::ATTRIBUTE.shape())), [-], "", "Values of a vertex attribute.";
    "camera": Raw(|| Shape::Table(parse::CAMERA.shape())), [-], "", "The camera, and the place of the model.";
    "matrices": Raw(|| Shape::Table(matrix::MATRICES.shape())), [-], "", "Texture and tracking matrices.";
    "track": Raw(|| Shape::Tables(matrix::TRACK.shape())), [-], "", "Four registers that follow a matrix.";
    "parameters": Raw(|| Shape::Names(Box::new(parameter_table::shape()))), [-], "",
        "Values of parameters, by name, such as `\"p[0]\"`.";
    "subroutines": SUBROUTINES, [-], "", "Subroutines that `SUBROUTINE` variables call, by `\"STAGE.NAME\"`.";
    "texture": Raw(|| Shape::Tables(texture_table::TEXTURE.shape())), [-], "",
        "A texture of a unit and target.";
    "frame_texture": Raw(|| Shape::Tables(frame_texture::FRAME_TEXTURE.shape())), [-], "",
        "The picture of the last frame as a texture.";
    "buffer": Raw(|| Shape::Tables(buffers::BUFFER.shape())), [-], "", "Memory that programs read and write.";
    "feedback": Raw(|| Shape::Tables(feedback::FEEDBACK.shape())), [-], "", "Records vertices into a buffer.";
    "image": Raw(|| Shape::Tables(images::IMAGE.shape())), [-], "", "A texture that programs read and write.";
    "attachment": Raw(|| Shape::Tables(attachment::ATTACHMENT.shape())), [-], "",
        "The format of a colour buffer.";
    "clear": Raw(|| Shape::Table(parse::CLEAR.shape())), [-], "", "Contents of the buffers before the frame.";
    "depth": Raw(|| Shape::Table(raster::DEPTH.shape())), [-], "", "The depth test.";
    "state": Raw(|| Shape::Table(raster::STATE.shape())), [-], "", "All other fixed-function state.";
    "lighting": Raw(|| Shape::Table(lighting::MODEL.shape())), [-], "", "Ambient light.";
    "material": Raw(|| Shape::Table(lighting::MATERIAL.shape())), [-], "", "Colours of the material.";
    "light": Raw(|| Shape::Tables(lighting::LIGHT.shape())), [-], "", "A light.";
    "texgen": Raw(|| Shape::Tables(lighting::TEXGEN.shape())), [-], "",
        "Texture coordinate planes of a unit.";
    "texenv": Raw(|| Shape::Tables(lighting::TEXENV.shape())), [-], "", "Texture environment of a unit.";
    "clip_plane": Raw(|| Shape::Tables(lighting::CLIP_PLANE.shape())), [-], "", "A clip plane.";
    "point": Raw(|| Shape::Table(lighting::POINT.shape())), [-], "", "Attenuation of point sizes.";
};

const LAYER: Raw =
    Raw(|| Shape::Whole(0, Limit::ArrayTextureLayers.value() - 1).called("integer below `layers`"));

const SUBROUTINES: Raw = Raw(|| Shape::Names(Box::new(Shape::Text("text").or_array(0, usize::MAX))));

/// Describes the whole file.
pub fn root() -> TableShape {
    ROOT.shape()
}
