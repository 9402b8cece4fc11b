//! The commands that describe fixed-function vertex arrays (glspec15 2.8).

use super::enums::EnumArgument;
use std::sync::Arc;

use super::Context;
use super::arrays::{ArrayPointer, FIXED_FUNCTION, Layout, VertexArray, bytes_apart};
use super::enums::{ArrayType, BufferTarget, ClientState, gl_enums};
use super::error::{Result, named};
use shadestep_core::pipeline::{ArrayConversion, ArrayData};

// Table 2.4.
const COORDINATES: &[ArrayType] = &[ArrayType::Short, ArrayType::Int, ArrayType::Float, ArrayType::Double];
const NORMALS: &[ArrayType] =
    &[ArrayType::Byte, ArrayType::Short, ArrayType::Int, ArrayType::Float, ArrayType::Double];
const COLORS: &[ArrayType] = ArrayType::SHORT_NUMBERS;
const REALS: &[ArrayType] = &[ArrayType::Float, ArrayType::Double];

/// Fixed-function arrays.
impl Context {
    /// `VertexPointer`: 2 to 4 shorts, ints or floating-point numbers per element.
    ///
    /// # Errors
    /// `INVALID_VALUE` for another size or a negative stride, `INVALID_ENUM` for another type of number.
    pub fn vertex_pointer(&mut self, size: i32, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout::fixed_function(2..=4, COORDINATES, ArrayConversion::Float);
        self.describe("VertexPointer", ClientState::VertexArray, &layout, size, stride, pointer.into())
    }

    /// `NormalPointer`: three floating-point or normalised signed numbers.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn normal_pointer(&mut self, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout::fixed_function(3..=3, NORMALS, ArrayConversion::Normalized);
        self.describe("NormalPointer", ClientState::NormalArray, &layout, 3, stride, pointer.into())
    }

    /// `ColorPointer`: 3 or 4 numbers of any type; integers are normalised.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn color_pointer(&mut self, size: i32, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout::fixed_function(3..=4, COLORS, ArrayConversion::Normalized);
        self.describe("ColorPointer", ClientState::ColorArray, &layout, size, stride, pointer.into())
    }

    /// `SecondaryColorPointer`: three numbers of any type; integers are normalised.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn secondary_color_pointer(&mut self, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout::fixed_function(3..=3, COLORS, ArrayConversion::Normalized);
        self.describe(
            "SecondaryColorPointer",
            ClientState::SecondaryColorArray,
            &layout,
            3,
            stride,
            pointer.into(),
        )
    }

    /// `FogCoordPointer`: one floating-point number.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn fog_coord_pointer(&mut self, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout::fixed_function(1..=1, REALS, ArrayConversion::Float);
        self.describe("FogCoordPointer", ClientState::FogCoordArray, &layout, 1, stride, pointer.into())
    }

    /// `TexCoordPointer`: 1 to 4 shorts, ints or floating-point numbers, for the client's active set.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn tex_coord_pointer(
        &mut self,
        size: i32,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        let layout = Layout::fixed_function(1..=4, COORDINATES, ArrayConversion::Float);
        self.describe(
            "TexCoordPointer",
            ClientState::TextureCoordArray,
            &layout,
            size,
            stride,
            pointer.into(),
        )
    }
    /// `EdgeFlagPointer`: one byte per element; 0 is FALSE.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn edge_flag_pointer(&mut self, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout::fixed_function(1..=1, &[ArrayType::UnsignedByte], ArrayConversion::Normalized);
        self.describe("EdgeFlagPointer", ClientState::EdgeFlagArray, &layout, 1, stride, pointer.into())
    }

    fn describe(
        &mut self,
        name: &'static str,
        array: ClientState,
        layout: &Layout,
        size: i32,
        stride: i32,
        pointer: ArrayPointer,
    ) -> Result<()> {
        self.command(name, |context| {
            let buffer = context.buffers.bound(BufferTarget::Array);
            let described = layout.described(size, stride, pointer, buffer)?;
            context.arrays.describe(array, described)
        })
    }

    /// `InterleavedArrays`: enables the fixed-function arrays in `format` and disables all others. Their data
    /// is in `bytes`. Elements begin `stride` bytes apart; 0 means tightly packed. Texture coordinates are
    /// those of the client's active set.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown format, `INVALID_VALUE` for a negative stride.
    pub fn interleaved_arrays(
        &mut self,
        format: impl EnumArgument<InterleavedFormat>,
        stride: i32,
        bytes: impl Into<Arc<[u8]>>,
    ) -> Result<()> {
        self.command("InterleavedArrays", |context| {
            let parts = named(format, FIXED_FUNCTION, "format")?.parts();
            let stride = bytes_apart(stride, FIXED_FUNCTION)?;
            let stride = if stride == 0 { parts.bytes() } else { stride };
            let bytes = bytes.into();
            let arrays = &mut context.arrays;
            for array in
                [ClientState::EdgeFlagArray, ClientState::SecondaryColorArray, ClientState::FogCoordArray]
            {
                *arrays.switch(array)? = false;
            }
            let mut offset = 0;
            for (array, part) in parts.in_order() {
                *arrays.switch(array)? = part.is_some();
                let Some(Part { values, ty }) = part else { continue };
                let data = ArrayData::UnsignedByte(bytes.clone());
                let described = VertexArray::new(values, ty, stride, (data, offset));
                arrays.describe(array, described.converted(ArrayConversion::Normalized))?;
                offset += usize::from(values) * ty.bytes();
            }
            Ok(())
        })
    }
}

gl_enums! {
    /// A layout of [`Context::interleaved_arrays`] (glspec15 table 2.5).
    pub enum InterleavedFormat {
        V2f = V2F,
        V3f = V3F,
        C4ubV2f = C4UB_V2F,
        C4ubV3f = C4UB_V3F,
        C3fV3f = C3F_V3F,
        N3fV3f = N3F_V3F,
        C4fN3fV3f = C4F_N3F_V3F,
        T2fV3f = T2F_V3F,
        T4fV4f = T4F_V4F,
        T2fC4ubV3f = T2F_C4UB_V3F,
        T2fC3fV3f = T2F_C3F_V3F,
        T2fN3fV3f = T2F_N3F_V3F,
        T2fC4fN3fV3f = T2F_C4F_N3F_V3F,
        T4fC4fN3fV4f = T4F_C4F_N3F_V4F,
    }
}

/// The values of one array in an interleaved element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    values: u8,
    ty: ArrayType,
}

/// The parts of an interleaved element, in this order and without gaps: four bytes of a colour take as much
/// space as a float.
#[derive(Clone, Copy, Debug)]
struct Parts {
    texture: Option<Part>,
    color: Option<Part>,
    normal: Option<Part>,
    vertex: Part,
}

impl Parts {
    const fn in_order(self) -> [(ClientState, Option<Part>); 4] {
        [
            (ClientState::TextureCoordArray, self.texture),
            (ClientState::ColorArray, self.color),
            (ClientState::NormalArray, self.normal),
            (ClientState::VertexArray, Some(self.vertex)),
        ]
    }

    /// Size of an element in bytes.
    fn bytes(self) -> u32 {
        let parts = self.in_order().into_iter().filter_map(|(_, part)| part);
        parts.map(|Part { values, ty }| u32::from(values) * ty.bytes() as u32).sum()
    }
}

impl InterleavedFormat {
    /// Table 2.5.
    const fn parts(self) -> Parts {
        const fn floats(values: u8) -> Part {
            Part { values, ty: ArrayType::Float }
        }
        const BYTES: Part = Part { values: 4, ty: ArrayType::UnsignedByte };
        const NORMAL: Option<Part> = Some(floats(3));
        let (texture, color, normal, vertex) = match self {
            Self::V2f => (None, None, None, 2),
            Self::V3f => (None, None, None, 3),
            Self::C4ubV2f => (None, Some(BYTES), None, 2),
            Self::C4ubV3f => (None, Some(BYTES), None, 3),
            Self::C3fV3f => (None, Some(floats(3)), None, 3),
            Self::N3fV3f => (None, None, NORMAL, 3),
            Self::C4fN3fV3f => (None, Some(floats(4)), NORMAL, 3),
            Self::T2fV3f => (Some(floats(2)), None, None, 3),
            Self::T4fV4f => (Some(floats(4)), None, None, 4),
            Self::T2fC4ubV3f => (Some(floats(2)), Some(BYTES), None, 3),
            Self::T2fC3fV3f => (Some(floats(2)), Some(floats(3)), None, 3),
            Self::T2fN3fV3f => (Some(floats(2)), None, NORMAL, 3),
            Self::T2fC4fN3fV3f => (Some(floats(2)), Some(floats(4)), NORMAL, 3),
            Self::T4fC4fN3fV4f => (Some(floats(4)), Some(floats(4)), NORMAL, 4),
        };
        Parts { texture, color, normal, vertex: floats(vertex) }
    }
}
