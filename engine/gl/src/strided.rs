//! Arrays whose elements are not aligned to their value size. As with C's pointers, any byte offset and
//! stride is possible. The elements are copied into a packed array.

use std::sync::Arc;

use super::enums::ArrayType;
use shadestep_core::pipeline::ArrayData;

/// Packs the elements that are complete within `bytes`. Each has `size` values of type `ty`; elements begin
/// `stride` bytes apart, the first at `first`.
pub fn strided((bytes, first): (&[u8], usize), ty: ArrayType, size: usize, stride: usize) -> ArrayData {
    let elements = Elements { bytes, first, size, stride };
    match ty {
        ArrayType::Byte => ArrayData::Byte(elements.values(i8::from_ne_bytes)),
        ArrayType::UnsignedByte => ArrayData::UnsignedByte(elements.values(u8::from_ne_bytes)),
        ArrayType::Short => ArrayData::Short(elements.values(i16::from_ne_bytes)),
        ArrayType::UnsignedShort => ArrayData::UnsignedShort(elements.values(u16::from_ne_bytes)),
        ArrayType::Int => ArrayData::Int(elements.values(i32::from_ne_bytes)),
        ArrayType::UnsignedInt => ArrayData::UnsignedInt(elements.values(u32::from_ne_bytes)),
        ArrayType::Int64 => ArrayData::Int64(elements.values(i64::from_ne_bytes)),
        ArrayType::UnsignedInt64 => ArrayData::UnsignedInt64(elements.values(u64::from_ne_bytes)),
        ArrayType::Float => ArrayData::Float(elements.values(f32::from_ne_bytes)),
        ArrayType::Double => ArrayData::Double(elements.values(f64::from_ne_bytes)),
    }
}

/// Returns the numbers in their memory representation.
pub fn bytes_of(data: &ArrayData) -> Arc<[u8]> {
    fn flat<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Arc<[u8]> {
        values.iter().flat_map(|&value| bytes(value)).collect()
    }
    match data {
        ArrayData::Byte(values) => flat(values, i8::to_ne_bytes),
        ArrayData::UnsignedByte(values) => values.clone(),
        ArrayData::Short(values) => flat(values, i16::to_ne_bytes),
        ArrayData::UnsignedShort(values) => flat(values, u16::to_ne_bytes),
        ArrayData::Int(values) => flat(values, i32::to_ne_bytes),
        ArrayData::UnsignedInt(values) => flat(values, u32::to_ne_bytes),
        ArrayData::Int64(values) => flat(values, i64::to_ne_bytes),
        ArrayData::UnsignedInt64(values) => flat(values, u64::to_ne_bytes),
        ArrayData::Float(values) => flat(values, f32::to_ne_bytes),
        ArrayData::Double(values) => flat(values, f64::to_ne_bytes),
    }
}

/// Layout of elements in memory.
struct Elements<'a> {
    bytes: &'a [u8],
    /// Byte offset of the first element.
    first: usize,
    /// Number of values per element.
    size: usize,
    /// Bytes from one element to the next; must not be 0.
    stride: usize,
}

impl Elements<'_> {
    fn values<T, const N: usize>(&self, number: impl Fn([u8; N]) -> T) -> Arc<[T]> {
        let length = self.size * N;
        let starts = (self.first..self.bytes.len()).step_by(self.stride.max(1));
        let elements = starts.map_while(|start| self.bytes.get(start..start + length));
        elements.flat_map(|element| element.as_chunks::<N>().0).map(|bytes| number(*bytes)).collect()
    }
}
