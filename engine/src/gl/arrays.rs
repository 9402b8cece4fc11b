//! Vertex arrays: where the attributes of elements are, and which are enabled (NV_vertex_program2 2.14.4,
//! glspec15 2.8, NV_primitive_restart).

use std::sync::Arc;

use super::Context;
use super::attributes::{alias, attribute_range, texture_set};
use super::enums::{ArrayType, ClientState, VERTEX_ATTRIBS};
use super::error::{Error, Result, named};
use super::generic::converted;
use crate::pipeline::{ArrayData, AttributeArray, AttributeSource};

const ARRAYS: &str = "NV_vertex_program2 2.14.4";
const CONVENTIONAL: &str = "glspec15 2.8";
const QUERY: &str = "NV_vertex_program 6.1.13";

/// Where an array's first value is: C's `pointer`, and its `type`, which the numbers tell.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayPointer {
    /// The numbers.
    pub data: ArrayData,
    /// Index of the first value of the first element.
    pub offset: usize,
}

impl From<ArrayData> for ArrayPointer {
    fn from(data: ArrayData) -> Self {
        Self { data, offset: 0 }
    }
}

impl From<&ArrayData> for ArrayType {
    fn from(data: &ArrayData) -> Self {
        match data {
            ArrayData::Byte(_) => Self::Byte,
            ArrayData::UnsignedByte(_) => Self::UnsignedByte,
            ArrayData::Short(_) => Self::Short,
            ArrayData::UnsignedShort(_) => Self::UnsignedShort,
            ArrayData::Int(_) => Self::Int,
            ArrayData::UnsignedInt(_) => Self::UnsignedInt,
            ArrayData::Float(_) => Self::Float,
            ArrayData::Double(_) => Self::Double,
        }
    }
}

impl ArrayType {
    /// Bytes of one value.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Byte | Self::UnsignedByte => 1,
            Self::Short | Self::UnsignedShort => 2,
            Self::Int | Self::UnsignedInt | Self::Float => 4,
            Self::Double => 8,
        }
    }
}

/// The state of one array.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexArray {
    /// Whether it is enabled (for `VERTEX_ATTRIB_ARRAYi_NV` the NV switch, which vertex programs look at).
    pub enabled: bool,
    /// Of attribute arrays, the switch of `EnableVertexAttribArrayARB`, which conventional vertex processing
    /// looks at (`VERTEX_ATTRIB_ARRAY_ENABLED_ARB`).
    pub enabled_arb: bool,
    /// Values an element (`ATTRIB_ARRAY_SIZE_NV`).
    pub size: u8,
    /// Bytes from one element to the next; 0 if they lie close (`ATTRIB_ARRAY_STRIDE_NV`).
    pub stride: u32,
    /// Type of the values (`ATTRIB_ARRAY_TYPE_NV`).
    pub ty: ArrayType,
    /// Whether whole numbers are fractions (`VERTEX_ATTRIB_ARRAY_NORMALIZED_ARB`).
    pub normalized: Normalization,
    /// The values, once given (`ATTRIB_ARRAY_POINTER_NV`).
    pub pointer: Option<ArrayPointer>,
    /// The values as fp32 where the pipeline does not convert them as `normalized` says.
    pub(super) converted: Option<Arc<[f32]>>,
}

/// What becomes of whole numbers: C's `normalized`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// FALSE: 3 is 3.0.
    Plain,
    /// TRUE: unsigned numbers cover 0 to 1, signed ones -1 to 1 (glspec15 table 2.9).
    Normalized,
}

impl VertexArray {
    const INITIAL: Self = Self {
        enabled: false,
        enabled_arb: false,
        size: 4,
        stride: 0,
        ty: ArrayType::Float,
        normalized: Normalization::Plain,
        pointer: None,
        converted: None,
    };

    /// The same, enabled as `other` is.
    pub(super) fn enabled_as(self, other: &Self) -> Self {
        Self { enabled: other.enabled, enabled_arb: other.enabled_arb, ..self }
    }

    /// The same with whole numbers as they are, or as fractions.
    pub(super) fn normalized_as(self, normalized: Normalization) -> Self {
        let converted = self.pointer.as_ref().and_then(|pointer| converted(&pointer.data, normalized));
        Self { normalized, converted, ..self }
    }

    /// The same as `VertexAttribPointerNV` has it: bytes as fractions, of which there must be four, and of the
    /// other whole numbers only shorts.
    ///
    /// # Errors
    /// `INVALID_OPERATION`, `INVALID_ENUM`
    fn of_nv(self) -> Result<Self> {
        match (self.ty, self.size) {
            (ArrayType::UnsignedByte, 4) => Ok(self.normalized_as(Normalization::Normalized)),
            (ArrayType::UnsignedByte, _) => Err(Error::invalid_operation(ARRAYS, "bytes come in fours")),
            (ArrayType::Short | ArrayType::Float | ArrayType::Double, _) => Ok(self),
            (ArrayType::Byte | ArrayType::UnsignedShort | ArrayType::Int | ArrayType::UnsignedInt, _) => {
                Err(Error::invalid_enum(ARRAYS, "this array does not take numbers of that type"))
            }
        }
    }

    /// The array as the pipeline takes it, if it has data.
    fn source(&self) -> Option<AttributeArray> {
        let ArrayPointer { data, offset } = self.pointer.clone()?;
        let data = self.converted.clone().map_or(data, ArrayData::Float);
        let values = self.stride as usize / self.ty.bytes();
        let stride = if self.stride == 0 { usize::from(self.size) } else { values };
        Some(AttributeArray { data, size: self.size, stride, offset })
    }
}

/// All arrays and what goes with them.
#[derive(Clone, Debug)]
pub(super) struct Arrays {
    attributes: [VertexArray; VERTEX_ATTRIBS as usize],
    /// Conventional arrays, at the attribute that they alias to.
    conventional: [VertexArray; VERTEX_ATTRIBS as usize],
    client_active_texture: usize,
    restart: bool,
    restart_index: u32,
}

impl Default for Arrays {
    fn default() -> Self {
        let none = [const { VertexArray::INITIAL }; VERTEX_ATTRIBS as usize];
        Self {
            attributes: none.clone(),
            conventional: none,
            client_active_texture: 0,
            restart: false,
            restart_index: 0,
        }
    }
}

impl Arrays {
    /// The index that restarts primitives, if any does.
    pub const fn restart(&self) -> Option<u32> {
        if self.restart { Some(self.restart_index) } else { None }
    }

    /// The enabled array of each attribute: the attribute array before the conventional one that it aliases
    /// to. Vertex programs look at the NV switch of attribute arrays, the conventional transformation at the
    /// ARB one (2.14.4; ARB_vertex_program's interactions with NV_vertex_program).
    fn enabled(&self, programs: VertexMode) -> impl Iterator<Item = Option<&VertexArray>> {
        self.attributes.iter().zip(&self.conventional).map(move |(attribute, conventional)| {
            let generic = match programs {
                VertexMode::Program => attribute.enabled,
                VertexMode::Conventional => attribute.enabled_arb,
            };
            if generic { Some(attribute) } else { Some(conventional).filter(|array| array.enabled) }
        })
    }

    /// The array of attribute `place`, for the ARB commands.
    pub(super) const fn attribute_mut(&mut self, place: usize) -> &mut VertexArray {
        &mut self.attributes[place]
    }

    /// Where attributes come from: enabled arrays, else the `current` values. `None` if nothing provides
    /// attribute 0, so that no element gives a vertex.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if an enabled array was never given data.
    pub fn sources(
        &self,
        programs: VertexMode,
        current: &[[f32; 4]; VERTEX_ATTRIBS as usize],
    ) -> Result<Option<[AttributeSource; VERTEX_ATTRIBS as usize]>> {
        let mut sources = current.map(AttributeSource::Current);
        for (number, (source, array)) in sources.iter_mut().zip(self.enabled(programs)).enumerate() {
            let Some(array) = array else { continue };
            let array = array.source().ok_or_else(|| {
                Error::invalid_operation(ARRAYS, format!("the array of attribute {number} has no data"))
            })?;
            *source = AttributeSource::Array(array);
        }
        let provoked = matches!(sources[alias::POSITION], AttributeSource::Array(_));
        Ok(provoked.then_some(sources))
    }

    fn state(&mut self, array: ClientState) -> Result<&mut bool> {
        let conventional = match array {
            ClientState::VertexAttribArray(number) => {
                let place = attribute_range(u32::from(number), 1, ARRAYS);
                let place = place.map_err(|error| Error::invalid_enum(ARRAYS, error.reason))?.start;
                return Ok(&mut self.attributes[place].enabled);
            }
            ClientState::PrimitiveRestart => return Ok(&mut self.restart),
            ClientState::VertexArray => alias::POSITION,
            ClientState::NormalArray => alias::NORMAL,
            ClientState::ColorArray => alias::COLOR,
            ClientState::SecondaryColorArray => alias::SECONDARY_COLOR,
            ClientState::FogCoordArray => alias::FOG_COORD,
            ClientState::TextureCoordArray => alias::TEXTURE_COORD + self.client_active_texture,
        };
        Ok(&mut self.conventional[conventional].enabled)
    }
}

/// What transforms vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexMode {
    /// The program bound (`VERTEX_PROGRAM_NV` is enabled).
    Program,
    /// The conventional transformation.
    Conventional,
}

/// The arrays that a conventional pointer command sets, and what it takes.
struct Layout {
    attribute: usize,
    sizes: std::ops::RangeInclusive<i32>,
    types: &'static [ArrayType],
    normalized: Normalization,
}

impl Arrays {
    fn set(&mut self, layout: &Layout, size: i32, stride: i32, pointer: ArrayPointer) -> Result<()> {
        let ty = ArrayType::from(&pointer.data);
        if !layout.types.contains(&ty) {
            return Err(Error::invalid_enum(CONVENTIONAL, "this array does not take numbers of that type"));
        }
        let array = described(layout.sizes.clone(), size, stride, pointer, CONVENTIONAL)?;
        let array = array.normalized_as(layout.normalized);
        let place = &mut self.conventional[layout.attribute];
        *place = array.enabled_as(place);
        Ok(())
    }
}

/// Checks what pointer commands have in common.
pub(super) fn described(
    sizes: std::ops::RangeInclusive<i32>,
    size: i32,
    stride: i32,
    pointer: ArrayPointer,
    clause: &'static str,
) -> Result<VertexArray> {
    let values = u8::try_from(size).ok().filter(|_| sizes.contains(&size));
    let values =
        values.ok_or_else(|| Error::invalid_value(clause, format!("{size} values an element cannot be")))?;
    let stride = u32::try_from(stride)
        .map_err(|_| Error::invalid_value(clause, format!("the stride {stride} is negative")))?;
    let ty = ArrayType::from(&pointer.data);
    if !(stride as usize).is_multiple_of(ty.bytes()) {
        let reason = format!("the stride {stride} is not a multiple of {}, a value's bytes", ty.bytes());
        return Err(Error::invalid_value(clause, reason));
    }
    Ok(VertexArray { size: values, stride, ty, pointer: Some(pointer), ..VertexArray::INITIAL })
}

// Table 2.4.
const COORDINATES: &[ArrayType] = &[ArrayType::Short, ArrayType::Int, ArrayType::Float, ArrayType::Double];
const NORMALS: &[ArrayType] =
    &[ArrayType::Byte, ArrayType::Short, ArrayType::Int, ArrayType::Float, ArrayType::Double];
const COLORS: &[ArrayType] = &[
    ArrayType::Byte,
    ArrayType::UnsignedByte,
    ArrayType::Short,
    ArrayType::UnsignedShort,
    ArrayType::Int,
    ArrayType::UnsignedInt,
    ArrayType::Float,
    ArrayType::Double,
];
const REALS: &[ArrayType] = &[ArrayType::Float, ArrayType::Double];

/// Vertex arrays.
impl Context {
    /// `VertexAttribPointerNV`: where the values of attribute `index` are. `size` values make an element;
    /// elements begin `stride` bytes apart, or lie close for 0. C's `type` is told by the numbers.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, the size is not 1, 2, 3 or 4, or the stride is
    /// negative or (a limit of this implementation) no multiple of a value's size; `INVALID_OPERATION` for
    /// unsigned bytes unless the size is 4; `INVALID_ENUM` for other numbers than those, shorts, floats and
    /// doubles.
    pub fn vertex_attrib_pointer(
        &mut self,
        index: u32,
        size: i32,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        self.command("VertexAttribPointerNV", |context| {
            let place = attribute_range(index, 1, ARRAYS)?.start;
            let array = described(1..=4, size, stride, pointer.into(), ARRAYS)?.of_nv()?;
            let place = &mut context.arrays.attributes[place];
            *place = array.enabled_as(place);
            Ok(())
        })
    }

    /// `GetVertexAttrib{d,f,i}vNV` of the array's size, stride and type, and
    /// `GetVertexAttribPointervNV`.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn get_vertex_attrib_array(&self, index: u32) -> Result<&VertexArray> {
        self.query("GetVertexAttribNV", || {
            attribute_range(index, 1, QUERY).map(|range| &self.arrays.attributes[range.start])
        })
    }

    /// `GetVertexAttribPointervNV`: the array's data; `None` is C's null.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn get_vertex_attrib_pointer(&self, index: u32) -> Result<Option<&ArrayPointer>> {
        self.get_vertex_attrib_array(index).map(|array| array.pointer.as_ref())
    }

    /// `EnableClientState`
    ///
    /// # Errors
    /// `INVALID_ENUM` for something that is not [`ClientState`].
    pub fn enable_client_state(&mut self, array: impl TryInto<ClientState>) -> Result<()> {
        self.command("EnableClientState", |context| {
            *context.arrays.state(named(array, CONVENTIONAL, "array")?)? = true;
            Ok(())
        })
    }

    /// `DisableClientState`
    ///
    /// # Errors
    /// `INVALID_ENUM` for something that is not [`ClientState`].
    pub fn disable_client_state(&mut self, array: impl TryInto<ClientState>) -> Result<()> {
        self.command("DisableClientState", |context| {
            *context.arrays.state(named(array, CONVENTIONAL, "array")?)? = false;
            Ok(())
        })
    }

    /// `PrimitiveRestartIndexNV`: the index that begins a primitive anew while `PRIMITIVE_RESTART_NV` is
    /// enabled; 0 at first.
    ///
    /// # Errors
    /// None but `INVALID_OPERATION` between begin and end.
    pub fn primitive_restart_index(&mut self, index: u32) -> Result<()> {
        self.command("PrimitiveRestartIndexNV", |context| {
            context.arrays.restart_index = index;
            Ok(())
        })
    }

    /// `ClientActiveTexture`, with the number of the set: which texture coordinate array
    /// [`Self::tex_coord_pointer`] and the client state mean.
    ///
    /// # Errors
    /// `INVALID_ENUM` if there is no such set.
    pub fn client_active_texture(&mut self, set: u32) -> Result<()> {
        self.command("ClientActiveTexture", |context| {
            context.arrays.client_active_texture = texture_set(set)?;
            Ok(())
        })
    }

    /// `VertexPointer`: 2 to 4 shorts, ints or floating-point numbers.
    ///
    /// # Errors
    /// `INVALID_VALUE` for another size, and a stride that is negative or no multiple of a value's size;
    /// `INVALID_ENUM` for another type of number.
    pub fn vertex_pointer(&mut self, size: i32, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout {
            attribute: alias::POSITION,
            sizes: 2..=4,
            types: COORDINATES,
            normalized: Normalization::Plain,
        };
        self.command("VertexPointer", |context| context.arrays.set(&layout, size, stride, pointer.into()))
    }

    /// `NormalPointer`: three floating-point or signed numbers, these as fractions.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn normal_pointer(&mut self, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout {
            attribute: alias::NORMAL,
            sizes: 3..=3,
            types: NORMALS,
            normalized: Normalization::Normalized,
        };
        self.command("NormalPointer", |context| context.arrays.set(&layout, 3, stride, pointer.into()))
    }

    /// `ColorPointer`: 3 or 4 numbers of any type, whole ones as fractions.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn color_pointer(&mut self, size: i32, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout {
            attribute: alias::COLOR,
            sizes: 3..=4,
            types: COLORS,
            normalized: Normalization::Normalized,
        };
        self.command("ColorPointer", |context| context.arrays.set(&layout, size, stride, pointer.into()))
    }

    /// `SecondaryColorPointer`: three numbers of any type, whole ones as fractions.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn secondary_color_pointer(&mut self, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout {
            attribute: alias::SECONDARY_COLOR,
            sizes: 3..=3,
            types: COLORS,
            normalized: Normalization::Normalized,
        };
        self.command("SecondaryColorPointer", |context| {
            context.arrays.set(&layout, 3, stride, pointer.into())
        })
    }

    /// `FogCoordPointer`: one floating-point number.
    ///
    /// # Errors
    /// As [`Self::vertex_pointer`].
    pub fn fog_coord_pointer(&mut self, stride: i32, pointer: impl Into<ArrayPointer>) -> Result<()> {
        let layout = Layout {
            attribute: alias::FOG_COORD,
            sizes: 1..=1,
            types: REALS,
            normalized: Normalization::Plain,
        };
        self.command("FogCoordPointer", |context| context.arrays.set(&layout, 1, stride, pointer.into()))
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
        self.command("TexCoordPointer", |context| {
            let attribute = alias::TEXTURE_COORD + context.arrays.client_active_texture;
            let (sizes, types, normalized) = (1..=4, COORDINATES, Normalization::Plain);
            let layout = Layout { attribute, sizes, types, normalized };
            context.arrays.set(&layout, size, stride, pointer.into())
        })
    }
}
