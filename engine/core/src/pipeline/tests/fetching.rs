//! Tests of attribute arrays and the vertex cache.

use super::*;
use crate::pipeline::elements::{Cache, Item};
use crate::pipeline::fetch;

fn source(data: ArrayData, size: u8, stride: usize, offset: usize) -> AttributeSource {
    AttributeSource::Array(AttributeArray { stride, offset, ..AttributeArray::packed(data, size) })
}

fn converted(conversion: ArrayConversion, source: AttributeSource) -> AttributeSource {
    match source {
        AttributeSource::Array(array) => AttributeSource::Array(AttributeArray { conversion, ..array }),
        current => current,
    }
}

#[test]
fn arrays_of_every_type_and_size_fill_the_registers() {
    let mut input = input(Primitive::Points, &[[1.0, 2.0, 3.0, 4.0]; 2]);
    input.attributes[1] = AttributeSource::Current(single_bits([5.0, 6.0, 7.0, 8.0]));
    // Shorts are not scaled. Missing y, z and w are 0, 0 and 1.
    input.attributes[2] = source(ArrayData::Short(Arc::from([-3i16, 7, 32767, -32768])), 1, 2, 1);
    let bytes = source(ArrayData::UnsignedByte(Arc::from([0u8, 51, 255, 128, 255, 0, 0, 1])), 4, 4, 0);
    input.attributes[3] = converted(ArrayConversion::Normalized, bytes);
    // The double nearest to 0.1 rounds to the fp32 nearest to 0.1. Stride 3 skips one value.
    input.attributes[4] = source(ArrayData::Double(Arc::from([0.1, 1e300, 9.0, -2.5, 0.5])), 2, 3, 0);
    input.attributes[5] = source(ArrayData::Float(Arc::from([1.5f32, 2.5, 3.5, 4.5])), 3, 1, 0);
    let first = vertex_attributes(&input, 0, 0).map(singles);
    assert_eq!(first[..2], [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]);
    assert_eq!(first[2], [7.0, 0.0, 0.0, 1.0]);
    assert_eq!(first[3], [0.0, 0.2, 1.0, 128.0 / 255.0]);
    assert_eq!(first[4], [0.1, f32::INFINITY, 0.0, 1.0]);
    assert_eq!(first[5], [1.5, 2.5, 3.5, 1.0]);
    let second = vertex_attributes(&input, 1, 0);
    // Element numbers are integers, and there is one instance.
    assert_eq!(second[Attribute::VertexId.index()], [1, 0, 0, 0]);
    assert_eq!(second[Attribute::Instance.index()], [0; 4]);
    let second = second.map(singles);
    assert_eq!(second[2], [-32768.0, 0.0, 0.0, 1.0]);
    assert_eq!(second[3], [1.0, 0.0, 0.0, 1.0 / 255.0]);
    assert_eq!(second[4], [-2.5, 0.5, 0.0, 1.0]);
    assert_eq!(second[5], [2.5, 3.5, 4.5, 1.0]);
    // Beyond the end of the arrays.
    assert_eq!(vertex_attributes(&input, 2, 0).map(singles)[0], [0.0, 0.0, 0.0, 1.0]);
    // Fetching for blocks gives the same values.
    fetched_for_blocks(&input);
}

/// Compares fetching for a block of elements 1 and 0 with [`vertex_attributes`] of each.
fn fetched_for_blocks(input: &VertexInput) {
    let mut inputs = AttributeLanes::default();
    fetch::fill(&mut inputs, (input, 0), &ALL, &[1, 0]);
    for (lane, element) in [1, 0].into_iter().enumerate() {
        assert_eq!(inputs.vertex(lane), vertex_attributes(input, element, 0), "{element}");
    }
}

/// Integers stay integers, and 64-bit components keep all bits (EXT_gpu_shader4 and
/// NV_vertex_attrib_integer_64bit 2.8).
#[test]
fn integers_and_doubles_pass_as_bits() {
    use ArrayConversion::{Float, Integer, Long, Normalized};
    let mut input = input(Primitive::Points, &[[1.0, 2.0, 3.0, 4.0]; 2]);
    let all_ones = u64::from(u32::MAX);
    let cases: [(ArrayData, ArrayConversion, [u64; 2]); 14] = [
        (ArrayData::Byte([-128, 127].into()), Integer, [all_ones - 127, 127]),
        (ArrayData::UnsignedByte([255, 1].into()), Integer, [255, 1]),
        (ArrayData::Short([-2, 300].into()), Integer, [all_ones - 1, 300]),
        (ArrayData::UnsignedShort([65535, 300].into()), Integer, [65535, 300]),
        // fp32 cannot represent these integers.
        (ArrayData::Int([16_777_217, -16_777_217].into()), Integer, [16_777_217, all_ones - 16_777_216]),
        (ArrayData::UnsignedInt([u32::MAX, 0x7F80_0001].into()), Integer, [all_ones, 0x7F80_0001]),
        (ArrayData::Int64([-1, i64::MAX].into()), Long, [u64::MAX, 0x7FFF_FFFF_FFFF_FFFF]),
        (ArrayData::UnsignedInt64([u64::MAX, 1 << 32].into()), Long, [u64::MAX, 1 << 32]),
        // 1 + 2^-52, and a NaN that keeps its bits.
        (
            ArrayData::Double([1.0 + f64::EPSILON, f64::from_bits(0x7FF0_0000_0000_0001)].into()),
            Long,
            [0x3FF0_0000_0000_0001, 0x7FF0_0000_0000_0001],
        ),
        (ArrayData::Int([2, -3].into()), Float, [0x4000_0000, 0xC040_0000]),
        (ArrayData::UnsignedByte([2, 255].into()), Float, [0x4000_0000, 0x437F_0000]),
        (ArrayData::UnsignedShort([65535, 0].into()), Normalized, [0x3F80_0000, 0]),
        (ArrayData::Short([-32768, 32767].into()), Normalized, [0xBF80_0000, 0x3F80_0000]),
        (ArrayData::Double([2.0, -3.0].into()), Normalized, [0x4000_0000, 0xC040_0000]),
    ];
    for (place, (data, conversion, expected)) in cases.into_iter().enumerate() {
        let name = format!("{data:?} {conversion:?}");
        input.attributes[1 + place] = converted(conversion, source(data, 1, 1, 0));
        // The fill values: (0,0,0,1) as integers or fp32.
        let fill = match conversion {
            Float | Normalized => [0, 0, 0x3F80_0000],
            Integer => [0, 0, 1],
            Long => [0; 3],
        };
        for (element, x) in (0..).zip(expected) {
            let [y, z, w] = fill;
            assert_eq!(vertex_attributes(&input, element, 0)[1 + place], [x, y, z, w], "{name} {element}");
        }
    }
    fetched_for_blocks(&input);
}

#[test]
fn arrays_say_how_many_elements_they_have() {
    let floats = |count: usize| ArrayData::Float(vec![0.0; count].into());
    let count = |source: AttributeSource| {
        let mut input = input(Primitive::Points, &[]);
        input.attributes[0] = source;
        let mut used = ALL;
        used[Attribute::VertexId.index()] = 0;
        fetch::element_count(&input, &used)
    };
    // Element i is at offset + i * stride and has `size` values.
    assert_eq!(count(source(floats(10), 3, 4, 0)), Some(2));
    assert_eq!(count(source(floats(11), 3, 4, 0)), Some(3));
    assert_eq!(count(source(floats(11), 3, 4, 1)), Some(2));
    assert_eq!(count(source(floats(2), 3, 4, 0)), Some(0));
    assert_eq!(count(source(floats(2), 1, 1, usize::MAX)), Some(0));
    assert_eq!(count(source(floats(9), 0, 1, 0)), Some(0));
    assert_eq!(count(source(floats(9), 5, 1, 0)), Some(0));
    assert_eq!(count(source(floats(4), 4, 0, 0)), None);
    assert_eq!(count(AttributeSource::Current(single_bits([0.0; 4]))), None);
    // Elements are not all the same if the program reads their numbers.
    let input = input(Primitive::Points, &[]);
    let mut used = [0; Attribute::SLOTS];
    used[Attribute::VertexId.index()] = 1;
    assert_eq!(fetch::element_count(&input, &used), Some(1 << 27));
}

#[test]
fn each_element_that_is_used_has_one_slot() {
    let with = |elements: Elements| VertexInput { elements, ..input(Primitive::Points, &[[0.0; 4]; 300]) };
    let indices = |indices: &[u32], restart| Elements::Indices { indices: Arc::from(indices), restart };
    let some = with(indices(&[250, 3, 7, 3, 299, 300, u32::MAX, 100], Some(100)));
    let cache = Cache::new(&some, Some(300));
    let elements: Vec<u32> = cache.elements(0..cache.count()).collect();
    assert_eq!(elements, [3, 7, 250, 299]);
    for (slot, element) in elements.iter().enumerate() {
        assert_eq!(cache.slot(Item::Element(*element)), Some(slot as u32));
    }
    for absent in [0, 2, 4, 100, 300, u32::MAX] {
        assert_eq!(cache.slot(Item::Element(absent)), None, "{absent}");
    }
    let dense = Cache::new(&with(indices(&[12, 10, 11, 12], None)), Some(300));
    assert_eq!(dense.elements(0..dense.count()).collect::<Vec<_>>(), [10, 11, 12]);
    let range = Cache::new(&with(Elements::Range { first: 298, count: u32::MAX }), Some(300));
    assert_eq!(range.elements(0..range.count()).collect::<Vec<_>>(), [298, 299]);
    assert_eq!(range.slot(Item::Element(300)), None);
    assert_eq!(range.slot(Item::Beyond), None);
    // Without arrays all elements are the same.
    assert_eq!(Cache::new(&with(Elements::Range { first: 5, count: u32::MAX }), None).count(), 1);
    assert_eq!(Cache::new(&with(indices(&[9, 9], Some(9))), None).count(), 0);
}

#[test]
fn primitives_with_elements_out_of_range_are_counted_and_dropped() {
    let size = [8, 8];
    let corners = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0], [8.0, 8.0]].map(|p| at(size, p));
    let mut input = input(Primitive::Triangles, &corners);
    let indices: [u32; 12] = [0, 1, 2, 0, 1, 4, 1, u32::MAX, 2, 1, 3, 2];
    input.elements = Elements::Indices { indices: Arc::from(indices), restart: None };
    let white = shader(|_| Shaded { color: [1.0; 4], ..Shaded::default() });
    let draw = Draw { state: RasterState::DEFAULT, ..Draw::vertices(input.clone()) };
    let (framebuffer, stats) = draw_vertices(&draw, &Pass(Vec::new()), &white, size, 1);
    assert_eq!((stats.primitives, stats.primitives_out_of_range, stats.vertices), (4, 2, 4));
    assert!(framebuffer.color.floats().iter().all(|color| *color == [1.0; 4]));
    assert_eq!(stats.written, 64);
    // A short array limits the elements.
    input.attributes[8] = array(&[[0.0; 4]; 3]);
    let draw = Draw { geometry: Geometry::Vertices(input.clone()), ..draw };
    let (_, stats) = draw_vertices(&draw, &Pass(Vec::new()), &white, size, 1);
    assert_eq!((stats.primitives, stats.primitives_out_of_range, stats.vertices), (4, 3, 3));
    // A range beyond the arrays is limited too.
    input.elements = Elements::Range { first: 1, count: 300 };
    let draw = Draw { geometry: Geometry::Vertices(input), ..draw };
    let (_, stats) = draw_vertices(&draw, &Pass(Vec::new()), &white, size, 1);
    assert_eq!((stats.primitives, stats.primitives_out_of_range), (100, 100));
}

#[test]
fn vertices_are_told_where_they_are() {
    let size = [64, 32];
    let mut input =
        input(Primitive::Points, &[at(size, [16.0, 8.0]), [0.0; 4], [4.0, 0.0, 0.0, 1.0], [f32::NAN; 4]]);
    input.elements = Elements::Indices { indices: Arc::from([2, 0, 1, 3, 0, 77]), restart: None };
    let draw = Draw::vertices(input);
    let shaded = shaded_vertices(&draw, &Pass(Vec::new()), size, 0);
    assert_eq!(shaded.iter().map(|vertex| vertex.element).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(shaded[0].clip, at(size, [16.0, 8.0]));
    assert_eq!(shaded[0].window, Some([16.0, 8.0, 0.5]));
    assert!(shaded[1..].iter().all(|vertex| vertex.window.is_none()));
    for element in [0, 1, 2, 3, 4, 77] {
        let among = shaded.iter().find(|vertex| vertex.element == element);
        // Compared as debug text, because NaN is not equal to itself.
        let alone = shaded_vertex(&draw, &Pass(Vec::new()), size, (element, 0));
        assert_eq!(format!("{alone:?}"), format!("{:?}", among.copied()), "{element}");
    }
    assert!(shaded_vertices(&Draw::viewport_quad(), &Pass(Vec::new()), size, 0).is_empty());
}
