//! Generic vertex attributes the ARB way (ARB_vertex_program 2.7, 2.8 and 6.1.12). The attributes and their arrays are
//! those of the NV commands; here are what only the ARB has: whole numbers that are not normalised or that are,
//! and switches of its own.

use std::sync::Arc;

use super::Context;
use super::arrays::{ArrayPointer, Normalization, described};
use super::attributes::{AttributeValue, attribute_range};
use super::error::{Error, Result};
use crate::pipeline::ArrayData;

const ATTRIBUTES: &str = "ARB_vertex_program 2.7";
const ARRAYS: &str = "ARB_vertex_program 2.8";
const QUERY: &str = "ARB_vertex_program 6.1.12";

/// Four whole numbers as they are: `VertexAttrib4{b,s,i,ub,us,ui}vARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<T>(pub [T; 4]);

/// Four whole numbers that cover 0 to 1 or, signed, -1 to 1: `VertexAttrib4N{b,s,i,ub,us,ui}vARB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalized<T>(pub [T; 4]);

/// A whole number as a fraction (glspec15 table 2.9).
trait Fraction: Copy {
    fn fraction(self) -> f32;
}

macro_rules! whole_numbers {
    ($($number:ty: $fraction:expr;)*) => {
        $(
            impl Fraction for $number {
                fn fraction(self) -> f32 {
                    let most = f64::from(<$number>::MAX);
                    $fraction(f64::from(self), most) as f32
                }
            }

            impl AttributeValue for Whole<$number> {
                fn to_attribute(self) -> [f32; 4] {
                    self.0.map(|x| f64::from(x) as f32)
                }
            }

            impl AttributeValue for Normalized<$number> {
                fn to_attribute(self) -> [f32; 4] {
                    self.0.map(Fraction::fraction)
                }
            }
        )*
    };
}

/// c / (2^b - 1)
fn unsigned(c: f64, most: f64) -> f64 {
    c / most
}

/// (2c + 1) / (2^b - 1); the greatest number is 2^(b-1) - 1.
fn signed(c: f64, most: f64) -> f64 {
    (2.0 * c + 1.0) / (2.0 * most + 1.0)
}

whole_numbers! {
    i8: signed;
    i16: signed;
    i32: signed;
    u8: unsigned;
    u16: unsigned;
    u32: unsigned;
}

/// The numbers as fp32 where the pipeline would convert them otherwise: it takes unsigned bytes as fractions and
/// all other whole numbers as they are.
pub(super) fn converted(data: &ArrayData, normalized: Normalization) -> Option<Arc<[f32]>> {
    fn fractions<T: Fraction>(values: &[T]) -> Option<Arc<[f32]>> {
        Some(values.iter().map(|value| value.fraction()).collect())
    }
    match (data, normalized) {
        (ArrayData::UnsignedByte(values), Normalization::Plain) => {
            Some(values.iter().map(|&value| f32::from(value)).collect())
        }
        (ArrayData::UnsignedByte(_), Normalization::Normalized) => None,
        (_, Normalization::Plain) => None,
        (ArrayData::Byte(values), Normalization::Normalized) => fractions(values),
        (ArrayData::Short(values), Normalization::Normalized) => fractions(values),
        (ArrayData::UnsignedShort(values), Normalization::Normalized) => fractions(values),
        (ArrayData::Int(values), Normalization::Normalized) => fractions(values),
        (ArrayData::UnsignedInt(values), Normalization::Normalized) => fractions(values),
        (ArrayData::Float(_) | ArrayData::Double(_), Normalization::Normalized) => None,
    }
}

/// Generic vertex attributes.
impl Context {
    /// `VertexAttribPointerARB`: of C's types those that [`ArrayData`] has.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, the size is not 1, 2, 3 or 4, or the stride is negative.
    pub fn vertex_attrib_pointer_arb(
        &mut self,
        index: u32,
        size: i32,
        normalized: Normalization,
        stride: i32,
        pointer: impl Into<ArrayPointer>,
    ) -> Result<()> {
        self.command("VertexAttribPointerARB", |context| {
            let place = attribute_range(index, 1, ARRAYS)?.start;
            let array = described(1..=4, size, stride, pointer.into(), ARRAYS)?.normalized_as(normalized);
            let place = context.arrays.attribute_mut(place);
            *place = array.enabled_as(place);
            Ok(())
        })
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
        self.query("GetVertexAttribARB", || match attribute_range(index, 1, ATTRIBUTES)?.start {
            0 => Err(Error::invalid_operation(QUERY, "attribute 0 has no current value")),
            place => Ok(self.attributes[place]),
        })
    }
}
