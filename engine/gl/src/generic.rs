//! Generic vertex attributes the ARB way (ARB_vertex_program 2.7, 2.8 and 6.1.12). The attributes and their arrays are
//! those of the NV commands; here are what only the ARB has: whole numbers that are not normalised or that are,
//! and switches of its own; and attributes that are integers or have 64 bits (EXT_gpu_shader4,
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

/// Four whole numbers as they are: `VertexAttrib4{b,s,i,ub,us,ui}vARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<T>(pub [T; 4]);

/// Four whole numbers that cover 0 to 1 or, signed, -1 to 1: `VertexAttrib4N{b,s,i,ub,us,ui}vARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalized<T>(pub [T; 4]);

/// One to four integers as such: `VertexAttribI{1,2,3,4}{i,ui}[v]` (EXT_gpu_shader4), four also of bytes and shorts
/// (`VertexAttribI4{b,s,ub,us}v`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integers<T, const N: usize>(pub [T; N]);

/// An integer of 32 bits: `i` and `ui` in commands' names.
pub trait Integer: Copy {
    /// Its bits.
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

/// One to four components of 64 bits: `VertexAttribL{1,2,3,4}{d,i64,ui64}[v]` (ARB_vertex_attrib_64bit,
/// NV_vertex_attrib_integer_64bit). Those beyond are undefined in the specifications, here 0.
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

/// What `VertexAttribIPointer` takes (table 2.4 of EXT_gpu_shader4).
const INTEGERS: &[ArrayType] = &[
    ArrayType::Byte,
    ArrayType::UnsignedByte,
    ArrayType::Short,
    ArrayType::UnsignedShort,
    ArrayType::Int,
    ArrayType::UnsignedInt,
];

/// What `VertexAttribPointerARB` takes.
const CONVERTED: &[ArrayType] = &[
    ArrayType::Byte,
    ArrayType::UnsignedByte,
    ArrayType::Short,
    ArrayType::UnsignedShort,
    ArrayType::Int,
    ArrayType::UnsignedInt,
    ArrayType::Float,
    ArrayType::Double,
];

/// What `VertexAttribLPointer` takes (NV_vertex_attrib_integer_64bit 2.8).
const LONGS: &[ArrayType] = &[ArrayType::Double, ArrayType::Int64, ArrayType::UnsignedInt64];

/// Generic vertex attributes.
impl Context {
    /// `VertexAttribPointerARB`.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, the size is not 1, 2, 3 or 4, or the stride is negative;
    /// `INVALID_ENUM` for integers of 64 bits.
    pub fn vertex_attrib_pointer_arb(
        &mut self,
        index: u32,
        size: i32,
        normalized: Normalization,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        let layout = Layout { sizes: 1..=4, types: CONVERTED, conversion: normalized.into(), clause: ARRAYS };
        self.describe_generic("VertexAttribPointerARB", index, &layout, size, stride, pointer.into())
    }

    /// `VertexAttribIPointerEXT`: integers that stay integers.
    ///
    /// # Errors
    /// Those of [`Self::vertex_attrib_pointer_arb`]; `INVALID_ENUM` for other types than integers of 8, 16 and 32 bits.
    pub fn vertex_attrib_i_pointer(
        &mut self,
        index: u32,
        size: i32,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        let layout = Layout {
            sizes: 1..=4,
            types: INTEGERS,
            conversion: ArrayConversion::Integer,
            clause: INTEGER_ARRAYS,
        };
        self.describe_generic("VertexAttribIPointer", index, &layout, size, stride, pointer.into())
    }

    /// `VertexAttribLPointer`: components of 64 bits.
    ///
    /// # Errors
    /// Those of [`Self::vertex_attrib_pointer_arb`]; `INVALID_ENUM` for other types than doubles and integers of 64 bits.
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

    /// `EnableVertexAttribArrayARB`: for vertex programs and for the conventional transformation; both the
    /// ARB's switch and NV's.
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

    /// `DisableVertexAttribArrayARB`: both switches.
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

    /// `GetVertexAttrib{d,f,i}vARB` of `CURRENT_VERTEX_ATTRIB_ARB`. What it says of arrays is
    /// [`Self::get_vertex_attrib_array`].
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, `INVALID_OPERATION` for attribute 0, which has no
    /// current value (the NV command's error is another one).
    pub fn get_vertex_attrib_arb(&self, index: u32) -> Result<[f32; 4]> {
        self.query("GetVertexAttribARB", || self.current_attribute(index).map(singles))
    }

    /// `GetVertexAttribI{i,ui}v` of `CURRENT_VERTEX_ATTRIB`: the attribute as integers, which it is if such were given.
    ///
    /// # Errors
    /// Those of [`Self::get_vertex_attrib_arb`].
    pub fn get_vertex_attrib_i(&self, index: u32) -> Result<[u32; 4]> {
        self.query("GetVertexAttribI", || {
            self.current_attribute(index).map(|bits| bits.map(|bits| bits as u32))
        })
    }

    /// `GetVertexAttribL{d,i64,ui64}v` of `CURRENT_VERTEX_ATTRIB`: the bits of components of 64 bits, which it has if such
    /// were given.
    ///
    /// # Errors
    /// Those of [`Self::get_vertex_attrib_arb`].
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
