//! `[[feedback]]`, arrays in buffers and `draw_transform_feedback`: results, and every error with its place.

use super::*;
use shadestep_engine::gl::ArrayType;
use shadestep_engine::ir::VertexResult;
use shadestep_engine::pipeline::Recorded;

fn load_text(toml: &str) -> Result<Scene, SceneError> {
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", b"!!NVfp5.0\nMOV result.color, 1;\nEND\n"),
        ("bytes.bin", &[1, 2, 3, 4]),
    ]);
    load(&folder.0)
}

fn scene(toml: &str) -> Scene {
    load_text(&format!("{HEAD}{toml}")).unwrap_or_else(|error| panic!("{toml}: {error}"))
}

const BUFFERS: &str =
    "[[buffer]]\nname = \"a\"\nsize = 64\neach_frame = \"keep\"\n[[buffer]]\nname = \"b\"\nsize = 64\n";

#[test]
fn results_are_recorded_by_their_names() {
    let scene = scene(&format!(
        "{BUFFERS}[[feedback]]\nbuffer = \"b\"\nresults = [\"position\", \"result.position.xy\", \"skip(3)\", \"fogcoord\", \"clip[7].x\"]\n\
         [[feedback]]\nbuffer = \"a\"\nstream = 3\nresults = [\"attrib[31].xyz\", \"id\", \"layer\", \"color.primary\", \"color.back.secondary.x\"]\n"
    ));
    let [b, a] = scene.feedback.as_slice() else { panic!("{:?}", scene.feedback) };
    use Recorded::{Result, Skipped};
    let first = [
        Result(VertexResult::Hpos, 4),
        Result(VertexResult::Hpos, 2),
        Skipped(3),
        Result(VertexResult::Fogc, 1),
        Result(VertexResult::Clp(7), 1),
    ];
    assert_eq!((b.buffer, b.stream, &b.record[..]), (1, 0, &first[..]));
    let second = [
        Result(VertexResult::Generic(31), 3),
        Result(VertexResult::Id, 1),
        Result(VertexResult::Layer, 1),
        Result(VertexResult::Col0, 4),
        Result(VertexResult::Bfc1, 1),
    ];
    assert_eq!((a.buffer, a.stream, &a.record[..]), (0, 3, &second[..]));
    assert_eq!(scene.drawn_again, None);
}

#[test]
fn arrays_are_in_buffers_and_are_drawn_again() {
    let scene = scene(
        "[geometry]\nprimitive = \"POINTS\"\ncount = 2\ndraw_transform_feedback = \"a\"\n\
         [[attribute]]\nindex = 0\nsize = 2\nbuffer = \"a\"\noffset = 4\nstride = 12\n\
         [[attribute]]\nindex = 3\ntype = \"uint\"\nsize = 3\nbuffer = \"a\"\n\
         [[buffer]]\nname = \"a\"\nvalues = [0, 1, 2, 3, 4, 5]\nsize = 36\neach_frame = \"keep\"\n\
         [[feedback]]\nbuffer = \"a\"\nresults = [\"position.xyz\"]\n",
    );
    let place = |attribute, ty, place| ArrayInBuffer { attribute, buffer: 0, ty, place };
    assert_eq!(
        scene.arrays_in_buffers,
        [place(0, ArrayType::Float, [4, 12]), place(3, ArrayType::UnsignedInt, [0, 12])]
    );
    assert_eq!(scene.drawn_again, Some(0));
    let arrays = scene.vertex_arrays().unwrap();
    assert_eq!((arrays.vertex_count(), arrays.element_count()), (3, 2));
    let AttributeSource::Array(first) = &arrays.attributes[0].1 else { panic!("no array") };
    assert_eq!(first.value(1).map(|bits| f32::from_bits(bits as u32))[..2], [4.0, 5.0]);
    // The space after the values is undefined.
    let store = &scene.buffers[0].store;
    assert_eq!((store.len(), store.is_unwritten(0, 24), store.is_unwritten(24, 4)), (36, false, true));
}

/// As [`super::FAULTS`].
const FAULTS: &[(&str, (usize, usize), &[&str])] = &[
    ("[feedback]\nbuffer = \"a\"", (3, 2), &["[[feedback]]"]),
    ("[[feedback]]\nresults = [\"id\"]", (3, 1), &["needs buffer"]),
    ("[[buffer]]\nname = \"a\"\nsize = 4\n[[feedback]]\nbuffer = \"a\"", (6, 1), &["needs results"]),
    ("[[feedback]]\nbuffer = \"a\"\nresults = [\"id\"]", (4, 1), &["no buffer \"a\""]),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[feedback]]\nbuffer = \"a\"\nresults = [\"positon\"]",
        (8, 1),
        &["\"positon\"", "\"position\""],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[feedback]]\nbuffer = \"a\"\nresults = [\"fogcoord.xy\"]",
        (8, 1),
        &["one component"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[feedback]]\nbuffer = \"a\"\nresults = [\"skip(5)\"]",
        (8, 1),
        &["1 to 4"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[feedback]]\nbuffer = \"a\"\nresults = []",
        (8, 1),
        &["0 elements"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[feedback]]\nbuffer = \"a\"\nstream = 4\nresults = [\"id\"]",
        (8, 1),
        &["0 to 3"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[feedback]]\nbuffer = \"a\"\nresults = [\"id\"]\n[[feedback]]\nbuffer = \"a\"\nresults = [\"id\"]",
        (10, 1),
        &["already records into \"a\""],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[geometry]\nprimitive = \"POINTS\"\ndraw_transform_feedback = \"a\"\n\
         [[attribute]]\nindex = 0\nsize = 1\nbuffer = \"a\"",
        (8, 1),
        &["no [[feedback]] records into \"a\""],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[geometry]\nprimitive = \"POINTS\"\ndraw_transform_feedback = \"a\"\n\
         [[attribute]]\nindex = 0\nsize = 1\nbuffer = \"a\"\n[[feedback]]\nbuffer = \"a\"\nresults = [\"id\"]",
        (8, 1),
        &["each_frame = \"keep\""],
    ),
    (
        "[geometry]\nmesh = \"cube\"\ndraw_transform_feedback = \"a\"",
        (5, 1),
        &["works only with \"primitive\""],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[attribute]]\nindex = 1\nsize = 2\nbuffer = \"a\"",
        (9, 1),
        &["the buffer has 4 bytes, but one element needs 8"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[attribute]]\nindex = 1\nsize = 1\nbuffer = \"a\"\nvalues = [1]",
        (10, 1),
        &["one of values"],
    ),
    (
        "[[attribute]]\nindex = 1\nsize = 1\nvalues = [1]\nstride = 4",
        (7, 1),
        &["\"stride\" works only with buffer"],
    ),
    ("[[buffer]]\nname = \"a\"\nfile = \"bytes.bin\"\nsize = 3", (6, 1), &["less than the 4 bytes"]),
];

#[test]
fn every_complaint_names_its_place() {
    check_faults(FAULTS, load_text);
}
