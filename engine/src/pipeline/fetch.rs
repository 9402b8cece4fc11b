//! From attribute arrays to the vertex attribute registers (glspec15 2.8, NV_vertex_program 2.14.3).

use super::{ArrayData, AttributeArray, AttributeSource, VertexInput};
use crate::exec::AttributeRows;
use crate::ir::Attribute;

/// What an attribute register holds where an array gives fewer than four values.
const FILL: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// The attribute registers `v[0]` to `v[15]` of element `element`, as the vertex program reads them:
/// numbers are converted (bytes to b/255, doubles to the nearest fp32), missing components are those of
/// (0,0,0,1). An array that has no such element gives (0,0,0,1).
pub fn vertex_attributes(input: &VertexInput, element: u32) -> [[f32; 4]; 16] {
    std::array::from_fn(|attribute| match &input.attributes[attribute] {
        AttributeSource::Current(value) => *value,
        AttributeSource::Array(array) if array.has(element) => {
            std::array::from_fn(|component| value(array, element, component))
        }
        AttributeSource::Array(_) => FILL,
    })
}

impl AttributeArray {
    /// Whether it has the element.
    pub fn has(&self, element: u32) -> bool {
        u64::from(element) < elements_of(self)
    }
}

/// How many elements the arrays have that `used` names; `None` if none of them limits it: then all
/// elements are the same.
pub(super) fn element_count(input: &VertexInput, used: &[u8; Attribute::SLOTS]) -> Option<u64> {
    let arrays = input.attributes.iter().zip(used).filter(|(_, used)| **used != 0);
    let counts = arrays.filter_map(|(source, _)| match source {
        AttributeSource::Current(_) => None,
        AttributeSource::Array(array) => Some(elements_of(array)),
    });
    counts.min().filter(|&count| count != u64::MAX)
}

/// Elements of an array; without end where the stride is 0. A size that is not 1 to 4 gives none.
fn elements_of(array: &AttributeArray) -> u64 {
    let size = usize::from(array.size);
    if !(1..=4).contains(&size) {
        return 0;
    }
    let Some(room) = array.offset.checked_add(size).and_then(|end| array.data.len().checked_sub(end)) else {
        return 0;
    };
    match array.stride {
        0 => u64::MAX,
        stride => (room / stride) as u64 + 1,
    }
}

/// A component of an element that there is.
fn value(array: &AttributeArray, element: u32, component: usize) -> f32 {
    if component >= usize::from(array.size) {
        return FILL[component];
    }
    // Cannot wrap: the element is within the array, or the stride is 0.
    let place = array.offset + element as usize * array.stride + component;
    let number = match &array.data {
        ArrayData::Byte(values) => values.get(place).map(|&x| f32::from(x)),
        ArrayData::UnsignedByte(values) => values.get(place).map(|&x| f32::from(x) / 255.0),
        ArrayData::Short(values) => values.get(place).map(|&x| f32::from(x)),
        ArrayData::UnsignedShort(values) => values.get(place).map(|&x| f32::from(x)),
        ArrayData::Int(values) => values.get(place).map(|&x| x as f32),
        ArrayData::UnsignedInt(values) => values.get(place).map(|&x| x as f32),
        ArrayData::Float(values) => values.get(place).copied(),
        ArrayData::Double(values) => values.get(place).map(|&x| x as f32),
    };
    number.unwrap_or(FILL[component])
}

/// Writes the components that `used` names of these elements, which there must be, to the first lanes.
pub(super) fn fill(
    rows: &mut AttributeRows,
    input: &VertexInput,
    used: &[u8; Attribute::SLOTS],
    elements: &[u32],
) {
    for (attribute, source) in Attribute::VERTEX.into_iter().zip(&input.attributes) {
        for component in (0..4).filter(|c| used[attribute.index()] >> c & 1 != 0) {
            let lanes = &mut rows.row_mut(attribute, component).0;
            match source {
                AttributeSource::Current(current) => lanes.fill(current[component]),
                AttributeSource::Array(array) => column(array, component, elements, lanes),
            }
        }
    }
}

/// [`value`] of each element. The array's type is looked at once.
fn column(array: &AttributeArray, component: usize, elements: &[u32], lanes: &mut [f32]) {
    if component >= usize::from(array.size) {
        return lanes.fill(FILL[component]);
    }
    match &array.data {
        ArrayData::Byte(values) => numbers(array, component, values, elements, lanes, |&x| f32::from(x)),
        ArrayData::UnsignedByte(values) => {
            numbers(array, component, values, elements, lanes, |&x| f32::from(x) / 255.0);
        }
        ArrayData::Short(values) => numbers(array, component, values, elements, lanes, |&x| f32::from(x)),
        ArrayData::UnsignedShort(values) => {
            numbers(array, component, values, elements, lanes, |&x| f32::from(x));
        }
        ArrayData::Int(values) => numbers(array, component, values, elements, lanes, |&x| x as f32),
        ArrayData::UnsignedInt(values) => numbers(array, component, values, elements, lanes, |&x| x as f32),
        ArrayData::Float(values) => numbers(array, component, values, elements, lanes, |&x| x),
        ArrayData::Double(values) => numbers(array, component, values, elements, lanes, |&x| x as f32),
    }
}

#[inline(always)]
fn numbers<T>(
    array: &AttributeArray,
    component: usize,
    values: &[T],
    elements: &[u32],
    lanes: &mut [f32],
    number: impl Fn(&T) -> f32,
) {
    let (first, stride) = (array.offset + component, array.stride);
    for (lane, &element) in lanes.iter_mut().zip(elements) {
        *lane = values.get(first + element as usize * stride).map_or(FILL[component], &number);
    }
}
