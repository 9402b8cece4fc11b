//! From attribute arrays to the vertex attribute registers (glspec15 2.8, NV_vertex_program 2.14.3).

use super::{ArrayData, AttributeArray, AttributeSource, VertexInput};
use crate::exec::{AttributeLanes, VertexInputs};
use crate::ir::Attribute;

/// What an attribute register holds where an array gives fewer than four values.
const FILL: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// The attribute registers of element `element`, in the order of [`Attribute::VERTEX`], as the vertex program reads
/// them: numbers are converted (bytes to b/255, doubles to the nearest fp32), missing components are those of
/// (0,0,0,1). An array that has no such element gives (0,0,0,1).
pub fn vertex_attributes(input: &VertexInput, element: u32) -> VertexInputs {
    Attribute::VERTEX.map(|attribute| match (attribute, input.attributes.get(attribute.index())) {
        (Attribute::VertexId, _) => [f32::from_bits(element), 0.0, 0.0, 0.0],
        (_, Some(AttributeSource::Current(value))) => *value,
        (_, Some(AttributeSource::Array(array))) if array.has(element) => {
            std::array::from_fn(|component| value(array, element, component))
        }
        (_, Some(AttributeSource::Array(_))) => FILL,
        // That of the first instance.
        (_, None) => [0.0; 4],
    })
}

impl AttributeArray {
    /// Whether it has the element.
    pub fn has(&self, element: u32) -> bool {
        u64::from(element) < elements_of(self)
    }
}

/// Elements of a program that reads their numbers and no array: those beyond have no vertices, so that what is kept
/// of elements has a bound.
const MOST_WITHOUT_ARRAYS: u64 = 1 << 27;

/// How many elements the arrays have that `used` names; `None` if none of them limits it and their numbers are not
/// read: then all elements are the same.
pub(super) fn element_count(input: &VertexInput, used: &[u8; Attribute::SLOTS]) -> Option<u64> {
    let arrays = input.attributes.iter().zip(used).filter(|(_, used)| **used != 0);
    let counts = arrays.filter_map(|(source, _)| match source {
        AttributeSource::Current(_) => None,
        AttributeSource::Array(array) => Some(elements_of(array)),
    });
    let by_number = (used[Attribute::VertexId.index()] != 0).then_some(MOST_WITHOUT_ARRAYS);
    let limit = counts.min().filter(|&count| count != u64::MAX);
    limit.or(by_number)
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

/// Writes the components that `used` names of these elements of an instance, which there must be, to the first lanes.
pub(super) fn fill(
    inputs: &mut AttributeLanes,
    (input, instance): (&VertexInput, u32),
    used: &[u8; Attribute::SLOTS],
    elements: &[u32],
) {
    for (attribute, source) in Attribute::VERTEX.into_iter().zip(&input.attributes) {
        for component in (0..4).filter(|c| used[attribute.index()] >> c & 1 != 0) {
            let lanes = &mut inputs.register_mut(attribute, component).0;
            match source {
                AttributeSource::Current(current) => lanes.fill(current[component]),
                AttributeSource::Array(array) => column(array, component, elements, lanes),
            }
        }
    }
    for attribute in [Attribute::VertexId, Attribute::Instance] {
        for component in (0..4).filter(|c| used[attribute.index()] >> c & 1 != 0) {
            inputs.register_mut(attribute, component).0.fill(0.0);
        }
    }
    if used[Attribute::Instance.index()] & 1 != 0 {
        inputs.register_mut(Attribute::Instance, 0).0.fill(f32::from_bits(instance));
    }
    if used[Attribute::VertexId.index()] & 1 != 0 {
        let lanes = &mut inputs.register_mut(Attribute::VertexId, 0).0;
        for (lane, &element) in lanes.iter_mut().zip(elements) {
            *lane = f32::from_bits(element);
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
