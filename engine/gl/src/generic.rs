//! Generic vertex attributes through the ARB commands (ARB_vertex_program 2.7, 2.8 and 6.1.12). They share
//! attributes and arrays with the NV commands. The ARB adds plain and normalised integers and its own
//! switches. Later extensions add integer and 64-bit attributes (EXT_gpu_shader4,
//! NV_vertex_attrib_integer_64bit).

use super::Context;
use super::arrays::{ArrayPointer, Layout, Normalization};
use super::attributes::{AttributeValue, attribute, attribute_range};
use super::enums::{ArrayType, BufferTarget};
use super::error::{Error, Result};
use shadestep_core::pipeline::ArrayConversion;
use shadestep_language::ir::{Components, singles};

const ATTRIBUTES: &str = "ARB_vertex_program 2.7";
const ARRAYS: &str = "ARB_vertex_program 2.8";
const QUERY: &str = "ARB_vertex_program 6.1.12";
const INTEGER_ARRAYS: &str = "EXT_gpu_shader4 2.8";
const LONG_ARRAYS: &str = "NV_vertex_attrib_integer_64bit 2.8";

/// Four integers converted to floating point without scaling: `VertexAttrib4{b,s,i,ub,us,ui}vARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<T>(pub [T; 4]);

/// Four normalised integers, mapped to 0 to 1 or, if signed, -1 to 1: `VertexAttrib4N{b,s,i,ub,us,ui}vARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalized<T>(pub [T; 4]);

/// One to four integers that stay integers: `VertexAttribI{1,2,3,4}{i,ui}[v]` (EXT_gpu_shader4). Four can
/// also be bytes or shorts (`VertexAttribI4{b,s,ub,us}v`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integers<T, const N: usize>(pub [T; N]);

/// A 32-bit integer: `i` and `ui` in the names of commands.
pub trait Integer: Copy {
    /// The bits of the integer.
    fn bits(self) -> u32;
}

impl Integer for i32 {
    fn bits(self) -> u32 {
        self.cast_unsigned()
    }
}

impl Integer for u32 {
    fn bits(self) -> u32 {
        self
    }
}

/// One to four 64-bit components: `VertexAttribL{1,2,3,4}{d,i64,ui64}[v]` (ARB_vertex_attrib_64bit,
/// NV_vertex_attrib_integer_64bit). The specifications leave missing components undefined; here they are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Longs<T, const N: usize>(pub [T; N]);

macro_rules! fours {
    ($($number:ty)*) => {
        $(
            impl AttributeValue for Whole<$number> {
                fn to_attribute(self) -> Components {
                    attribute(self.0, ArrayConversion::Float)
                }
            }

            impl AttributeValue for Normalized<$number> {
                fn to_attribute(self) -> Components {
                    attribute(self.0, ArrayConversion::Normalized)
                }
            }
        )*
    };
}

fours!(i8 i16 i32 u8 u16 u32);

macro_rules! sized {
    ($kind:ident as $conversion:ident: $($number:ty => $($count:literal)*;)*) => {
        $($(
            impl AttributeValue for $kind<$number, $count> {
                fn to_attribute(self) -> Components {
                    attribute(self.0, ArrayConversion::$conversion)
                }
            }
        )*)*
    };
}

sized! { Integers as Integer:
    i32 => 1 2 3 4;
    u32 => 1 2 3 4;
    i8 => 4;
    i16 => 4;
    u8 => 4;
    u16 => 4;
}

sized! { Longs as Long:
    f64 => 1 2 3 4;
    i64 => 1 2 3 4;
    u64 => 1 2 3 4;
}

/// The types that `VertexAttribLPointer` accepts (NV_vertex_attrib_integer_64bit 2.8).
const LONGS: &[ArrayType] = &[ArrayType::Double, ArrayType::Int64, ArrayType::UnsignedInt64];

/// Generic vertex attributes.
impl Context {
    /// `VertexAttribPointerARB`.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, the size is not 1, 2, 3 or 4, or the stride is
    /// negative; `INVALID_ENUM` for 64-bit integers.
    pub fn vertex_attrib_pointer_arb(
        &mut self,
        index: u32,
        size: i32,
        normalized: Normalization,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        let layout = Layout {
            sizes: 1..=4,
            types: ArrayType::SHORT_NUMBERS,
            conversion: normalized.into(),
            clause: ARRAYS,
        };
        self.describe_generic("VertexAttribPointerARB", index, &layout, size, stride, pointer.into())
    }

    /// `VertexAttribIPointerEXT`: integers that stay integers.
    ///
    /// # Errors
    /// As [`Self::vertex_attrib_pointer_arb`]; `INVALID_ENUM` for types other than integers of 8, 16 and 32
    /// bits.
    pub fn vertex_attrib_i_pointer(
        &mut self,
        index: u32,
        size: i32,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        let layout = Layout {
            sizes: 1..=4,
            types: ArrayType::SHORT_INTEGERS,
            conversion: ArrayConversion::Integer,
            clause: INTEGER_ARRAYS,
        };
        self.describe_generic("VertexAttribIPointer", index, &layout, size, stride, pointer.into())
    }

    /// `VertexAttribLPointer`: 64-bit components.
    ///
    /// # Errors
    /// As [`Self::vertex_attrib_pointer_arb`]; `INVALID_ENUM` for types other than doubles and 64-bit
    /// integers.
    pub fn vertex_attrib_l_pointer(
        &mut self,
        index: u32,
        size: i32,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        let layout =
            Layout { sizes: 1..=4, types: LONGS, conversion: ArrayConversion::Long, clause: LONG_ARRAYS };
        self.describe_generic("VertexAttribLPointer", index, &layout, size, stride, pointer.into())
    }

    /// `EnableVertexAttribArrayARB`: enables the array for vertex programs and for fixed-function processing,
    /// so sets both the ARB and the NV switch.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn enable_vertex_attrib_array(&mut self, index: u32) -> Result<()> {
        self.command("EnableVertexAttribArrayARB", |context| {
            let array = context.arrays.attribute_mut(attribute_range(index, 1, ARRAYS)?.start);
            (array.enabled, array.enabled_arb) = (true, true);
            Ok(())
        })
    }

    /// `DisableVertexAttribArrayARB`: clears both switches.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn disable_vertex_attrib_array(&mut self, index: u32) -> Result<()> {
        self.command("DisableVertexAttribArrayARB", |context| {
            let array = context.arrays.attribute_mut(attribute_range(index, 1, ARRAYS)?.start);
            (array.enabled, array.enabled_arb) = (false, false);
            Ok(())
        })
    }

    /// `GetVertexAttrib{d,f,i}vARB` of `CURRENT_VERTEX_ATTRIB_ARB`. [`Self::get_vertex_attrib_array`] returns
    /// the state of the array.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, `INVALID_OPERATION` for attribute 0, which has no
    /// current value (the NV command reports another error).
    pub fn get_vertex_attrib_arb(&self, index: u32) -> Result<[f32; 4]> {
        self.query("GetVertexAttribARB", || self.current_attribute(index).map(singles))
    }

    /// `GetVertexAttribI{i,ui}v` of `CURRENT_VERTEX_ATTRIB`: the low 32 bits of each component, the value if
    /// integers were set.
    ///
    /// # Errors
    /// As [`Self::get_vertex_attrib_arb`].
    pub fn get_vertex_attrib_i(&self, index: u32) -> Result<[u32; 4]> {
        self.query("GetVertexAttribI", || {
            self.current_attribute(index).map(|bits| bits.map(|bits| bits as u32))
        })
    }

    /// `GetVertexAttribL{d,i64,ui64}v` of `CURRENT_VERTEX_ATTRIB`: the bits of each component, the value if
    /// 64-bit components were set.
    ///
    /// # Errors
    /// As [`Self::get_vertex_attrib_arb`].
    pub fn get_vertex_attrib_l(&self, index: u32) -> Result<[u64; 4]> {
        self.query("GetVertexAttribL", || self.current_attribute(index))
    }

    fn describe_generic(
        &mut self,
        name: &'static str,
        index: u32,
        layout: &Layout,
        size: i32,
        stride: i32,
        pointer: ArrayPointer,
    ) -> Result<()> {
        self.command(name, |context| {
            let buffer = context.buffers.bound(BufferTarget::Array);
            let array = layout.described(size, stride, pointer, buffer);
            context.arrays.describe_attribute(index, layout.clause, array)
        })
    }

    fn current_attribute(&self, index: u32) -> Result<Components> {
        match attribute_range(index, 1, ATTRIBUTES)?.start {
            0 => Err(Error::invalid_operation(QUERY, "attribute 0 has no current value")),
            place => Ok(self.attributes[place]),
        }
    }
}
