//! Vertex arrays: the sources of vertex attributes, and which arrays are enabled (NV_vertex_program2 2.14.4,
//! glspec15 2.8, NV_primitive_restart). The commands that describe fixed-function arrays are in
//! `fixed_function_arrays`.

use super::Context;
use super::attributes::{Attributes, alias, attribute_range, texture_set};
use super::buffers::{BufferId, Buffers};
use super::enums::{ArrayType, BufferTarget, ClientState, EnumArgument, VERTEX_ATTRIBS};
use super::error::{Error, Result, named};
use super::strided::{bytes_of, strided};
use shadestep_core::pipeline::{
    ArrayConversion, ArrayData, AttributeArray, AttributeSource, EdgeFlag, EdgeFlags,
};

const ARRAYS: &str = "NV_vertex_program2 2.14.4";
pub(super) const FIXED_FUNCTION: &str = "glspec15 2.8";
const QUERY: &str = "NV_vertex_program 6.1.13";

/// The types that `VertexAttribPointerNV` accepts.
const NV_TYPES: &[ArrayType] =
    &[ArrayType::UnsignedByte, ArrayType::Short, ArrayType::Float, ArrayType::Double];

/// The place of an array's first value: C's `pointer` and `type`.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayPointer {
    /// In the client's memory.
    Client {
        /// The numbers, whose type is the array's; for interleaved arrays, the bytes of all arrays.
        data: ArrayData,
        /// Index of the first value of the first element.
        offset: usize,
    },
    /// In the data store of the buffer object bound to ARRAY_BUFFER (glspec15 2.9). Draws read the store's
    /// contents at the time of the draw.
    Buffer {
        /// Type of the values.
        ty: ArrayType,
        /// The first byte of the first element.
        offset: usize,
    },
}

impl ArrayPointer {
    /// Type of the values.
    pub fn ty(&self) -> ArrayType {
        match self {
            Self::Client { data, .. } => data.into(),
            Self::Buffer { ty, .. } => *ty,
        }
    }
}

impl From<ArrayData> for ArrayPointer {
    fn from(data: ArrayData) -> Self {
        Self::Client { data, offset: 0 }
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
            ArrayData::Int64(_) => Self::Int64,
            ArrayData::UnsignedInt64(_) => Self::UnsignedInt64,
            ArrayData::Float(_) => Self::Float,
            ArrayData::Double(_) => Self::Double,
        }
    }
}

impl ArrayType {
    /// The integers of up to 32 bits (table 2.4 of EXT_gpu_shader4).
    pub(super) const SHORT_INTEGERS: &[Self] = Self::ALL.split_at(6).0;

    /// The types that arrays of ARB_vertex_program and of colours can have: all except 64-bit integers.
    pub(super) const SHORT_NUMBERS: &[Self] = Self::ALL.split_at(8).0;

    /// Size of one value in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Byte | Self::UnsignedByte => 1,
            Self::Short | Self::UnsignedShort => 2,
            Self::Int | Self::UnsignedInt | Self::Float => 4,
            Self::Int64 | Self::UnsignedInt64 | Self::Double => 8,
        }
    }
}

/// The state of one array.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexArray {
    /// Whether the array is enabled. For `VERTEX_ATTRIB_ARRAYi_NV`, this is the NV switch, which vertex
    /// programs use.
    pub enabled: bool,
    /// For attribute arrays, the switch of `EnableVertexAttribArrayARB`, which fixed-function vertex
    /// processing uses (`VERTEX_ATTRIB_ARRAY_ENABLED_ARB`).
    pub enabled_arb: bool,
    /// Values per element (`ATTRIB_ARRAY_SIZE_NV`).
    pub size: u8,
    /// Bytes from one element to the next; 0 means tightly packed (`ATTRIB_ARRAY_STRIDE_NV`).
    pub stride: u32,
    /// Type of the values (`ATTRIB_ARRAY_TYPE_NV`).
    pub ty: ArrayType,
    /// Conversion of the numbers (`VERTEX_ATTRIB_ARRAY_NORMALIZED_ARB`, `VERTEX_ATTRIB_ARRAY_INTEGER_EXT`).
    pub conversion: ArrayConversion,
    /// For attribute arrays, the number of consecutive instances that use one element
    /// (`VERTEX_ATTRIB_ARRAY_DIVISOR`); 0 means one element per vertex.
    pub divisor: u32,
    /// The values; `None` until a pointer is set (`ATTRIB_ARRAY_POINTER_NV`).
    pub pointer: Option<ArrayPointer>,
    /// The place of the values; `None` until a pointer is set.
    source: Option<Source>,
}

/// The place of an array's values.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// In the pipeline's form.
    Client(AttributeArray),
    /// In a buffer object, from this byte offset on.
    Buffer(BufferId, usize),
}

/// Conversion of integers to floating point: C's `normalized`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// FALSE: 3 becomes 3.0.
    Plain,
    /// TRUE: unsigned integers map to 0 to 1, signed ones to -1 to 1 (glspec15 table 2.9).
    Normalized,
}

impl From<Normalization> for ArrayConversion {
    fn from(normalization: Normalization) -> Self {
        match normalization {
            Normalization::Plain => Self::Float,
            Normalization::Normalized => Self::Normalized,
        }
    }
}

impl VertexArray {
    const INITIAL: Self = Self {
        enabled: false,
        enabled_arb: false,
        size: 4,
        stride: 0,
        ty: ArrayType::Float,
        conversion: ArrayConversion::Float,
        divisor: 0,
        pointer: None,
        source: None,
    };

    /// An array with `size` values of type `ty` per element, starting at `pointer`. Elements begin `stride`
    /// bytes apart; 0 means tightly packed.
    pub(super) fn new(size: u8, ty: ArrayType, stride: u32, (data, offset): (ArrayData, usize)) -> Self {
        let (bytes, apart) = (ty.bytes(), bytes_apart_of(size, ty, stride));
        let own = ArrayType::from(&data);
        let source = if own == ty && apart.is_multiple_of(bytes) {
            AttributeArray { stride: apart / bytes, offset, ..AttributeArray::packed(data.clone(), size) }
        } else {
            let first = offset.saturating_mul(own.bytes());
            AttributeArray::packed(strided((&bytes_of(&data), first), ty, size.into(), apart), size)
        };
        let pointer = Some(ArrayPointer::Client { data, offset });
        Self { size, stride, ty, pointer, source: Some(Source::Client(source)), ..Self::INITIAL }
    }

    /// The same in a buffer object, from byte `offset` on.
    fn in_buffer(size: u8, ty: ArrayType, stride: u32, (buffer, offset): (BufferId, usize)) -> Self {
        let pointer = Some(ArrayPointer::Buffer { ty, offset });
        Self { size, stride, ty, pointer, source: Some(Source::Buffer(buffer, offset)), ..Self::INITIAL }
    }

    /// The array in the pipeline's form, with the current contents of buffer objects; `None` if it has no
    /// values.
    fn values(&self, buffers: &Buffers) -> Option<AttributeArray> {
        let array = match self.source.as_ref()? {
            Source::Client(array) => array.clone(),
            Source::Buffer(buffer, offset) => {
                // A deleted object is detached from arrays (glspec40 D.1.1), even if it lives on elsewhere.
                let bytes = buffers.object(*buffer).filter(|_| buffers.is_named(*buffer))?.store().bytes();
                let apart = bytes_apart_of(self.size, self.ty, self.stride);
                AttributeArray::packed(
                    strided((&bytes, *offset), self.ty, self.size.into(), apart),
                    self.size,
                )
            }
        };
        Some(AttributeArray { conversion: self.conversion, divisor: self.divisor, ..array })
    }

    /// The buffer object that holds the values.
    const fn buffer(&self) -> Option<BufferId> {
        match &self.source {
            Some(Source::Buffer(buffer, _)) => Some(*buffer),
            Some(Source::Client(_)) | None => None,
        }
    }

    /// The same array with the switches and the divisor of `other`.
    pub(super) fn enabled_as(self, other: &Self) -> Self {
        Self { enabled: other.enabled, enabled_arb: other.enabled_arb, divisor: other.divisor, ..self }
    }

    /// The same array with another conversion.
    pub(super) fn converted(self, conversion: ArrayConversion) -> Self {
        Self { conversion, ..self }
    }

    /// The same array as `VertexAttribPointerNV` describes it: bytes are normalised and need size 4.
    ///
    /// # Errors
    /// `INVALID_OPERATION`
    fn of_nv(self) -> Result<Self> {
        match (self.ty, self.size) {
            (ArrayType::UnsignedByte, 4) => Ok(self.converted(ArrayConversion::Normalized)),
            (ArrayType::UnsignedByte, _) => {
                Err(Error::invalid_operation(ARRAYS, "an array of bytes must have 4 values per element"))
            }
            _ => Ok(self),
        }
    }
}

/// All vertex arrays, with their selectors.
#[derive(Clone, Debug)]
pub(super) struct Arrays {
    attributes: [VertexArray; VERTEX_ATTRIBS as usize],
    /// Fixed-function arrays, indexed by the attribute that they alias.
    fixed_function: [VertexArray; VERTEX_ATTRIBS as usize],
    edge_flags: VertexArray,
    client_active_texture: usize,
    restart: bool,
    restart_index: u32,
}

impl Default for Arrays {
    fn default() -> Self {
        let none = [const { VertexArray::INITIAL }; VERTEX_ATTRIBS as usize];
        let mut fixed_function = none.clone();
        // Table 6.6.
        fixed_function[alias::SECONDARY_COLOR].size = 3;
        Self {
            attributes: none,
            fixed_function,
            edge_flags: VertexArray { size: 1, ty: ArrayType::UnsignedByte, ..VertexArray::INITIAL },
            client_active_texture: 0,
            restart: false,
            restart_index: 0,
        }
    }
}

impl Arrays {
    /// The index that restarts primitives, if restart is enabled.
    pub const fn restart(&self) -> Option<u32> {
        if self.restart { Some(self.restart_index) } else { None }
    }

    /// The enabled array of each attribute. The attribute array takes precedence over the fixed-function
    /// array that aliases it. Vertex programs use the NV switch of attribute arrays, fixed-function
    /// processing the ARB switch (2.14.4; ARB_vertex_program's interactions with NV_vertex_program).
    fn enabled(&self, programs: VertexMode) -> impl Iterator<Item = Option<&VertexArray>> {
        self.attributes.iter().zip(&self.fixed_function).map(move |(attribute, fixed_function)| {
            let generic = match programs {
                VertexMode::Program => attribute.enabled,
                VertexMode::FixedFunction => attribute.enabled_arb,
            };
            if generic { Some(attribute) } else { Some(fixed_function).filter(|array| array.enabled) }
        })
    }

    /// The array of attribute `place`, for the ARB commands.
    pub(super) const fn attribute_mut(&mut self, place: usize) -> &mut VertexArray {
        &mut self.attributes[place]
    }

    /// The source of each attribute: the enabled array, or else the value in `current`. Unless attribute 0
    /// comes from an array, no element makes a vertex.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if an enabled array has no data.
    pub fn sources(
        &self,
        programs: VertexMode,
        current: &Attributes,
        buffers: &Buffers,
    ) -> Result<[AttributeSource; VERTEX_ATTRIBS as usize]> {
        let mut sources = current.map(AttributeSource::Current);
        for (number, (source, array)) in sources.iter_mut().zip(self.enabled(programs)).enumerate() {
            let Some(array) = array else { continue };
            let missing = || format!("the array for attribute {number} has no data");
            let values = array.values(buffers).ok_or_else(|| Error::invalid_operation(ARRAYS, missing()))?;
            *source = AttributeSource::Array(values);
        }
        Ok(sources)
    }

    /// The source of edge flags: the array if it is enabled, or else `current`.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the array is enabled and has no data.
    pub fn edge_flags(&self, current: EdgeFlag, buffers: &Buffers) -> Result<EdgeFlags> {
        if !self.edge_flags.enabled {
            return Ok(EdgeFlags::Current(current));
        }
        match self.edge_flags.values(buffers) {
            Some(AttributeArray { data: ArrayData::UnsignedByte(flags), stride, offset, .. }) => {
                Ok(EdgeFlags::Array { flags, stride, offset })
            }
            _ => Err(Error::invalid_operation(FIXED_FUNCTION, "the array for edge flags has no data")),
        }
    }

    /// The array that a constant names; `None` for primitive restart, which is not an array.
    fn place(&self, array: ClientState) -> Result<Option<ArraySlot>> {
        Ok(Some(ArraySlot::FixedFunction(match array {
            ClientState::VertexAttribArray(number) => {
                let place = attribute_range(u32::from(number), 1, ARRAYS);
                let place = place.map_err(|error| Error::invalid_enum(ARRAYS, error.reason))?.start;
                return Ok(Some(ArraySlot::Attribute(place)));
            }
            ClientState::EdgeFlagArray => return Ok(Some(ArraySlot::EdgeFlags)),
            ClientState::PrimitiveRestart => return Ok(None),
            ClientState::VertexArray => alias::POSITION,
            ClientState::NormalArray => alias::NORMAL,
            ClientState::ColorArray => alias::COLOR,
            ClientState::SecondaryColorArray => alias::SECONDARY_COLOR,
            ClientState::FogCoordArray => alias::FOG_COORD,
            ClientState::TextureCoordArray => alias::TEXTURE_COORD + self.client_active_texture,
        })))
    }

    fn at(&self, place: ArraySlot) -> &VertexArray {
        match place {
            ArraySlot::Attribute(number) => &self.attributes[number],
            ArraySlot::FixedFunction(number) => &self.fixed_function[number],
            ArraySlot::EdgeFlags => &self.edge_flags,
        }
    }

    fn at_mut(&mut self, place: ArraySlot) -> &mut VertexArray {
        match place {
            ArraySlot::Attribute(number) => &mut self.attributes[number],
            ArraySlot::FixedFunction(number) => &mut self.fixed_function[number],
            ArraySlot::EdgeFlags => &mut self.edge_flags,
        }
    }

    /// Sets the array of attribute `index`. The array stays enabled or disabled.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the attribute does not exist; otherwise the error in `described`.
    pub(super) fn describe_attribute(
        &mut self,
        index: u32,
        clause: &'static str,
        described: Result<VertexArray>,
    ) -> Result<()> {
        let place = attribute_range(index, 1, clause)?.start;
        let place = &mut self.attributes[place];
        *place = described?.enabled_as(place);
        Ok(())
    }

    /// Sets an array, which must exist. The array stays enabled or disabled.
    pub(super) fn describe(&mut self, array: ClientState, described: VertexArray) -> Result<()> {
        if let Some(place) = self.place(array)? {
            let place = self.at_mut(place);
            *place = described.enabled_as(place);
        }
        Ok(())
    }

    /// The switch of an array or of primitive restart.
    pub(super) fn switch(&mut self, array: ClientState) -> Result<&mut bool> {
        Ok(match self.place(array)? {
            Some(place) => &mut self.at_mut(place).enabled,
            None => &mut self.restart,
        })
    }

    /// Whether an array, or primitive restart, is enabled.
    pub fn is_enabled(&self, array: ClientState) -> Result<bool> {
        Ok(self.place(array)?.map_or(self.restart, |place| self.at(place).enabled))
    }
}

/// Identifies an array.
#[derive(Clone, Copy, Debug)]
enum ArraySlot {
    /// An attribute array.
    Attribute(usize),
    /// The fixed-function array that aliases this attribute.
    FixedFunction(usize),
    EdgeFlags,
}

/// The kind of vertex processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexMode {
    /// The bound program (`VERTEX_PROGRAM_NV` is enabled).
    Program,
    /// Fixed-function vertex processing.
    FixedFunction,
}

/// Checks a stride.
///
/// # Errors
/// `INVALID_VALUE` if it is negative.
pub(super) fn bytes_apart(stride: i32, clause: &'static str) -> Result<u32> {
    u32::try_from(stride)
        .map_err(|_| Error::invalid_value(clause, format!("the stride {stride} is negative")))
}

/// Distance in bytes between elements of `size` values.
const fn bytes_apart_of(size: u8, ty: ArrayType, stride: u32) -> usize {
    if stride == 0 { size as usize * ty.bytes() } else { stride as usize }
}

/// The formats that a pointer command accepts, and the conversion of its numbers.
pub(super) struct Layout {
    pub sizes: std::ops::RangeInclusive<i32>,
    pub types: &'static [ArrayType],
    pub conversion: ArrayConversion,
    pub clause: &'static str,
}

impl Layout {
    /// The formats of a fixed-function array.
    pub const fn fixed_function(
        sizes: std::ops::RangeInclusive<i32>,
        types: &'static [ArrayType],
        conversion: ArrayConversion,
    ) -> Self {
        Self { sizes, types, conversion, clause: FIXED_FUNCTION }
    }

    /// The array that the command describes. `buffer` is the object bound to ARRAY_BUFFER.
    ///
    /// # Errors
    /// `INVALID_VALUE` for another size or a negative stride, `INVALID_ENUM` for numbers of another type,
    /// `INVALID_OPERATION` for a place in a buffer object if none is bound.
    pub fn described(
        &self,
        size: i32,
        stride: i32,
        pointer: ArrayPointer,
        buffer: Option<BufferId>,
    ) -> Result<VertexArray> {
        let values = u8::try_from(size).ok().filter(|_| self.sizes.contains(&size));
        let values = values.ok_or_else(|| {
            Error::invalid_value(self.clause, format!("an element cannot have {size} values"))
        })?;
        let stride = bytes_apart(stride, self.clause)?;
        let ty = pointer.ty();
        if !self.types.contains(&ty) {
            return Err(Error::invalid_enum(self.clause, "this array does not accept this type"));
        }
        let array = match (pointer, buffer) {
            (ArrayPointer::Client { data, offset }, _) => {
                VertexArray::new(values, ty, stride, (data, offset))
            }
            (ArrayPointer::Buffer { offset, .. }, Some(buffer)) => {
                VertexArray::in_buffer(values, ty, stride, (buffer, offset))
            }
            (ArrayPointer::Buffer { .. }, None) => {
                return Err(Error::invalid_operation(
                    "glspec15 2.9",
                    "no buffer object is bound to ARRAY_BUFFER",
                ));
            }
        };
        Ok(array.converted(self.conversion))
    }
}

/// Vertex arrays.
impl Context {
    /// `VertexAttribPointerNV`: sets the values of attribute `index`. An element has `size` values. Elements
    /// begin `stride` bytes apart; 0 means tightly packed. C's `type` is the type of the numbers.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, the size is not 1, 2, 3 or 4, or the stride is
    /// negative; `INVALID_OPERATION` for unsigned bytes unless the size is 4; `INVALID_ENUM` for types other
    /// than unsigned bytes, shorts, floats and doubles.
    pub fn vertex_attrib_pointer(
        &mut self,
        index: u32,
        size: i32,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        self.command("VertexAttribPointerNV", |context| {
            let conversion = ArrayConversion::Float;
            let layout = Layout { sizes: 1..=4, types: NV_TYPES, conversion, clause: ARRAYS };
            let array =
                layout.described(size, stride, pointer.into(), context.buffers.bound(BufferTarget::Array));
            let array = array.and_then(VertexArray::of_nv);
            context.arrays.describe_attribute(index, ARRAYS, array)
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

    /// `GetVertexAttribPointervNV`: the data of the array; `None` is C's null.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn get_vertex_attrib_pointer(&self, index: u32) -> Result<Option<&ArrayPointer>> {
        self.get_vertex_attrib_array(index).map(|array| array.pointer.as_ref())
    }

    /// `GetVertexAttribivARB` of `VERTEX_ATTRIB_ARRAY_BUFFER_BINDING`: the name of the buffer object that
    /// holds the array; 0 if none does.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn get_vertex_attrib_buffer(&self, index: u32) -> Result<u32> {
        let buffer = self.get_vertex_attrib_array(index)?.buffer();
        Ok(buffer.map_or(0, |buffer| self.buffers.name(buffer)))
    }

    /// `GetIntegerv` and `GetPointerv` of the state of an array, such as `VERTEX_ARRAY_SIZE`. The array is
    /// named by the constant that enables it. `TEXTURE_COORD_ARRAY` is the array of the client's active set.
    ///
    /// # Errors
    /// `INVALID_ENUM` if the constant is not an array.
    pub fn get_array(&self, array: impl EnumArgument<ClientState>) -> Result<&VertexArray> {
        self.query("GetPointerv", || {
            let place = self.arrays.place(named(array, FIXED_FUNCTION, "array")?)?;
            let none = || Error::invalid_enum(FIXED_FUNCTION, "PRIMITIVE_RESTART_NV is not an array");
            place.map(|place| self.arrays.at(place)).ok_or_else(none)
        })
    }

    /// `EnableClientState`
    ///
    /// # Errors
    /// `INVALID_ENUM` if `array` is not a [`ClientState`].
    pub fn enable_client_state(&mut self, array: impl EnumArgument<ClientState>) -> Result<()> {
        self.command("EnableClientState", |context| {
            *context.arrays.switch(named(array, FIXED_FUNCTION, "array")?)? = true;
            Ok(())
        })
    }

    /// `DisableClientState`
    ///
    /// # Errors
    /// `INVALID_ENUM` if `array` is not a [`ClientState`].
    pub fn disable_client_state(&mut self, array: impl EnumArgument<ClientState>) -> Result<()> {
        self.command("DisableClientState", |context| {
            *context.arrays.switch(named(array, FIXED_FUNCTION, "array")?)? = false;
            Ok(())
        })
    }

    /// `PrimitiveRestartIndexNV`: the index that restarts the primitive while `PRIMITIVE_RESTART_NV` is
    /// enabled; initially 0.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn primitive_restart_index(&mut self, index: u32) -> Result<()> {
        self.command("PrimitiveRestartIndexNV", |context| {
            context.arrays.restart_index = index;
            Ok(())
        })
    }

    /// `GetIntegerv` of `PRIMITIVE_RESTART_INDEX_NV`.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_primitive_restart_index(&self) -> Result<u32> {
        self.query("GetIntegerv", || Ok(self.arrays.restart_index))
    }

    /// `GetIntegerv` of `CLIENT_ACTIVE_TEXTURE`: the number of the texture coordinate set.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_client_active_texture(&self) -> Result<usize> {
        self.query("GetIntegerv", || Ok(self.arrays.client_active_texture))
    }

    /// `ClientActiveTexture`: selects the texture coordinate array for [`Self::tex_coord_pointer`] and the
    /// client state.
    ///
    /// # Errors
    /// `INVALID_ENUM` if there is no such set.
    pub fn client_active_texture(&mut self, set: u32) -> Result<()> {
        self.command("ClientActiveTexture", |context| {
            context.arrays.client_active_texture = texture_set(set)?;
            Ok(())
        })
    }
}
