//! Reads attribute arrays into the vertex attribute registers (glspec15 2.8, NV_vertex_program 2.14.3).

use super::input::{ArrayNumber, with_numbers};
use super::{ArrayConversion, ArrayData, AttributeArray, AttributeSource, VertexInput};
use crate::exec::{AttributeLanes, VertexInputs};
use shadestep_language::ir::{Attribute, Components};

/// The attribute registers of element `element` of instance `instance`, in the order of
/// [`Attribute::VERTEX`], as the vertex program reads them.
/// Numbers are converted as the array specifies. Missing components are filled from (0,0,0,1), converted
/// alike; missing 64-bit components are 0. An element beyond the end of its array consists of missing
/// components.
pub fn vertex_attributes(input: &VertexInput, element: u32, instance: u32) -> VertexInputs {
    Attribute::VERTEX.map(|attribute| match (attribute, input.attributes.get(attribute.index())) {
        (Attribute::VertexId, _) => [element.into(), 0, 0, 0],
        (_, Some(AttributeSource::Current(value))) => *value,
        (Attribute::Instance, _) => [instance.into(), 0, 0, 0],
        (_, Some(AttributeSource::Array(array))) => array.value(array.element(element, instance)),
        (_, None) => [0; 4],
    })
}

impl AttributeArray {
    /// Whether the array has the value that element `element` of the first instance reads.
    pub fn has(&self, element: u32) -> bool {
        self.holds(self.element(element, 0))
    }

    /// Whether array element `place` exists.
    fn holds(&self, place: u32) -> bool {
        u64::from(place) < elements_of(self)
    }

    /// The attribute register's bits for array element `place`; the fill values if there is no such element.
    pub fn value(&self, place: u32) -> Components {
        let fill = self.conversion.fill();
        if !self.holds(place) {
            return fill;
        }
        // Cannot wrap: the element is within the array, or the stride is 0.
        let first = self.offset + place as usize * self.stride;
        std::array::from_fn(|component| {
            if component >= usize::from(self.size) {
                return fill[component];
            }
            with_numbers!(&self.data, numbers => {
                let number = numbers.get(first + component);
                number.map_or(fill[component], |&number| self.conversion.component(number))
            })
        })
    }
}

/// Limit on the elements of a program that reads vertex numbers and no array. Elements beyond the limit have
/// no vertices, which bounds the memory per draw.
const MOST_WITHOUT_ARRAYS: u64 = 1 << 27;

/// Number of elements in the arrays that `used` names. `None` if no array limits the number and the program
/// does not read vertex numbers: then all elements are the same.
pub(super) fn element_count(input: &VertexInput, used: &[u8; Attribute::SLOTS]) -> Option<u64> {
    let (low, high) = (used, &used[Attribute::VERTEX.len()..]);
    let read = |place: usize| low[place] | high[place] != 0;
    let arrays = input.attributes.iter().enumerate().filter(|&(place, _)| read(place));
    let counts = arrays.filter_map(|(_, source)| match source {
        AttributeSource::Current(_) => None,
        // All elements of an instance are the same.
        AttributeSource::Array(array) => (array.divisor == 0).then(|| elements_of(array)),
    });
    let by_number = (used[Attribute::VertexId.index()] != 0).then_some(MOST_WITHOUT_ARRAYS);
    let limit = counts.min().filter(|&count| count != u64::MAX);
    limit.or(by_number)
}

/// Number of elements of an array; unlimited if the stride is 0. None if the size is not 1 to 4.
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

/// Low or high 32 bits of a component.
#[derive(Clone, Copy)]
enum Half {
    Low,
    High,
}

impl Half {
    /// The 32 bits, in the form that lane registers hold.
    #[inline(always)]
    const fn of(self, bits: u64) -> f32 {
        f32::from_bits(match self {
            Self::Low => bits as u32,
            Self::High => (bits >> 32) as u32,
        })
    }
}

/// Writes the components that `used` names (see `Shader::attributes_used`) of these elements of an instance
/// to the first lanes. The elements must exist.
pub(super) fn fill(
    inputs: &mut AttributeLanes,
    (input, instance): (&VertexInput, u32),
    used: &[u8; Attribute::SLOTS],
    elements: &[u32],
) {
    let registers = inputs.all_mut();
    let behind = Attribute::VERTEX.len();
    for (place, source) in input.attributes.iter().enumerate() {
        for (slot, half) in [(place, Half::Low), (behind + place, Half::High)] {
            for component in (0..4).filter(|c| used[slot] >> c & 1 != 0) {
                let lanes = &mut registers[4 * slot + component].0;
                match source {
                    AttributeSource::Current(current) => lanes.fill(half.of(current[component])),
                    AttributeSource::Array(array) if array.divisor != 0 => {
                        let value = array.value(array.element(0, instance));
                        lanes.fill(half.of(value[component]));
                    }
                    AttributeSource::Array(array) => column(array, (component, half), elements, lanes),
                }
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

/// Half a component of [`value`](AttributeArray::value) for each element. The array's type and conversion are
/// matched once, not per element.
fn column(array: &AttributeArray, (component, half): (usize, Half), elements: &[u32], lanes: &mut [f32]) {
    let fill = half.of(array.conversion.fill()[component]);
    if component >= usize::from(array.size) {
        return lanes.fill(fill);
    }
    let places = Places { first: array.offset + component, stride: array.stride, elements, fill };
    with_numbers!(&array.data, numbers => match array.conversion {
        ArrayConversion::Float => places.read(numbers, half, ArrayConversion::Float, lanes),
        ArrayConversion::Normalized => places.read(numbers, half, ArrayConversion::Normalized, lanes),
        ArrayConversion::Integer => places.read(numbers, half, ArrayConversion::Integer, lanes),
        ArrayConversion::Long => places.read(numbers, half, ArrayConversion::Long, lanes),
    });
}

/// The positions of a component in an array, for several elements.
struct Places<'a> {
    first: usize,
    stride: usize,
    elements: &'a [u32],
    fill: f32,
}

impl Places<'_> {
    /// Inlined, so that each pair of type and conversion has its own loop.
    #[inline(always)]
    fn read<T: ArrayNumber>(
        &self,
        numbers: &[T],
        half: Half,
        conversion: ArrayConversion,
        lanes: &mut [f32],
    ) {
        for (lane, &element) in lanes.iter_mut().zip(self.elements) {
            let number = numbers.get(self.first + element as usize * self.stride);
            *lane = number.map_or(self.fill, |&number| half.of(conversion.component(number)));
        }
    }
}
