//! `[[buffer]]` and `address_of`: results, and every error with its place.

use super::*;
use shadestep_engine::isa::Stage;
use shadestep_engine::memory::Mode;

fn load_text(toml: &str) -> Result<Scene, SceneError> {
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", b"!!NVfp5.0\nMOV result.color, 1;\nEND\n"),
        ("bytes.bin", &[1, 2, 3, 4, 5]),
        ("empty.bin", b""),
    ]);
    load(&folder.0)
}

fn scene(toml: &str) -> Scene {
    load_text(&format!("{HEAD}{toml}")).unwrap_or_else(|error| panic!("{toml}: {error}"))
}

fn bytes(buffer: &SceneBuffer) -> Vec<u8> {
    buffer.store.bytes().to_vec()
}

#[test]
fn buffers_hold_what_the_scene_says() {
    let scene = scene(
        "[[buffer]]\nname = \"bins\"\ntype = \"uint\"\nvalues = [1, 0xFFFFFFFF]\nbind = [\"fragment.buffer[0]\", \"vertex.buffer[13]\"]\n\
         each_frame = \"keep\"\n[[buffer]]\nname = \"raw\"\nfile = \"bytes.bin\"\naccess = \"READ_ONLY\"\n\
         [[buffer]]\nname = \"room\"\nsize = 7\naccess = \"WRITE_ONLY\"\n",
    );
    let [bins, raw, room] = scene.buffers.as_slice() else { panic!("{:?}", scene.buffers) };
    assert_eq!(bytes(bins), [1, 0, 0, 0, 255, 255, 255, 255]);
    assert_eq!(bins.element, ElementType::UnsignedInt);
    assert_eq!(bins.bound, [(Stage::Fragment, 0), (Stage::Vertex, 13)]);
    assert_eq!((bins.access, bins.each_frame), (Mode::ReadWrite, EachFrame::Keep));
    assert_eq!((bytes(raw), raw.access), (vec![1, 2, 3, 4, 5], Mode::ReadOnly));
    assert_eq!((raw.element, raw.each_frame), (ElementType::Float, EachFrame::Reset));
    assert!(raw.file().is_some_and(|file| file.ends_with("bytes.bin")));
    assert_eq!((bytes(room), room.access), (vec![0; 7], Mode::WriteOnly));
}

#[test]
fn numbers_of_every_type_are_little_endian() {
    for (element, values, (expected, first)) in [
        ("float", "[1.5]", (&[0, 0, 0xC0, 0x3F][..], "1.5")),
        ("short", "[-2]", (&[0xFE, 0xFF], "-2")),
        ("ubyte", "[7, 255, 0, 1]", (&[7, 255, 0, 1], "7")),
        ("int", "[-1]", (&[255; 4], "-1")),
        ("uint", "[0x01020304]", (&[4, 3, 2, 1], "16909060")),
        ("int64", "[-1]", (&[255; 8], "-1")),
        ("uint64", "[0x0102030405060708]", (&[8, 7, 6, 5, 4, 3, 2, 1], "72623859790382856")),
        ("float64", "[-2.0]", (&[0, 0, 0, 0, 0, 0, 0, 0xC0], "-2")),
    ] {
        let scene = scene(&format!("[[buffer]]\nname = \"a\"\ntype = \"{element}\"\nvalues = {values}\n"));
        assert_eq!(bytes(&scene.buffers[0]), expected, "{element}");
        let ty = scene.buffers[0].element;
        assert_eq!(crate::format::decimal(ty.bits(&expected[..ty.bytes()]), ty.ty()), first, "{element}");
    }
}

#[test]
fn addresses_are_two_words_each() {
    let buffers = "[[buffer]]\nname = \"a\"\nsize = 4\n[[buffer]]\nname = \"b\"\nsize = 4\n[parameters]\n";
    let components = |parameter: &str| -> [Component; 4] {
        let scene = scene(&format!("{buffers}{parameter}\n"));
        assert_eq!(scene.parameters[0].key, ParameterKey::Numbered(0));
        scene.parameters[0].value
    };
    let zero = Component::Uint(0);
    let [low, high] = [Half::Low, Half::High];
    assert_eq!(
        components("\"p[0]\" = 'address_of(\"b\")'"),
        [Component::Address(1, low), Component::Address(1, high), zero, zero]
    );
    assert_eq!(
        components("\"p[0]\" = ['address_of(\"b\")', 'address_of(\"a\")']"),
        [
            Component::Address(1, low),
            Component::Address(1, high),
            Component::Address(0, low),
            Component::Address(0, high)
        ]
    );
}

/// As [`super::FAULTS`].
const FAULTS: &[(&str, (usize, usize), &[&str])] = &[
    ("[buffer]\nname = \"a\"", (3, 2), &["[[buffer]]"]),
    ("[[buffer]]\nsize = 4", (3, 1), &["needs name"]),
    ("[[buffer]]\nname = \"a\"", (3, 1), &["one of values", "file", "size"]),
    ("[[buffer]]\nname = \"a\"\nvalues = [1]\nfile = \"bytes.bin\"", (6, 1), &["one of values"]),
    ("[[buffer]]\nname = \"a b\"\nsize = 4", (4, 1), &["letters, digits"]),
    ("[[buffer]]\nname = \"\"\nsize = 4", (4, 1), &["1 to 64"]),
    ("[[buffer]]\nname = \"a\"\nsiz = 4", (5, 1), &["unknown key \"siz\"", "\"size\""]),
    ("[[buffer]]\nname = \"a\"\nsize = 0", (5, 1), &["from 1 to 134217728"]),
    ("[[buffer]]\nname = \"a\"\nsize = 134217729", (5, 1), &["from 1 to 134217728"]),
    (
        "[[buffer]]\nname = \"a\"\ntype = \"unit\"\nsize = 4",
        (5, 1),
        &["\"type\" cannot be \"unit\"", "\"uint\""],
    ),
    ("[[buffer]]\nname = \"a\"\ntype = \"uint\"\nvalues = [1, -1]", (6, 1), &["-1"]),
    ("[[buffer]]\nname = \"a\"\nvalues = []", (5, 1), &["0 elements"]),
    ("[[buffer]]\nname = \"a\"\nfile = \"none.bin\"", (5, 1), &["no such file"]),
    ("[[buffer]]\nname = \"a\"\nfile = \"empty.bin\"", (5, 1), &["0 bytes"]),
    ("[[buffer]]\nname = \"a\"\nfile = \"../a.bin\"", (5, 1), &["leaves the scene's folder"]),
    ("[[buffer]]\nname = \"a\"\nsize = 4\naccess = \"READ\"", (6, 1), &["\"READ_ONLY\""]),
    ("[[buffer]]\nname = \"a\"\nsize = 4\neach_frame = \"new\"", (6, 1), &["\"reset\"", "\"keep\""]),
    ("[[buffer]]\nname = \"a\"\nsize = 4\nbind = \"fragment.buffer[14]\"", (6, 1), &["[13]"]),
    ("[[buffer]]\nname = \"a\"\nsize = 4\nbind = [\"buffer[0]\"]", (6, 1), &["\"fragment.buffer[0]\""]),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\nbind = [\"vertex.buffer[1]\", \"vertex.buffer[1]\"]",
        (6, 1),
        &["twice"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[[buffer]]\nname = \"a\"\nsize = 4",
        (7, 1),
        &["already a buffer \"a\""],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\nbind = \"vertex.buffer[1]\"\n[[buffer]]\nname = \"b\"\nsize = 4\nbind = \"vertex.buffer[1]\"",
        (10, 1),
        &["vertex.buffer[1] is already \"a\""],
    ),
    ("[parameters]\n\"p[0]\" = 'address_of(\"a\")'", (4, 1), &["no buffer \"a\""]),
    (
        "[[buffer]]\nname = \"bins\"\nsize = 4\n[parameters]\n\"p[0]\" = 'address_of(\"bin\")'",
        (7, 1),
        &["no buffer \"bin\"", "\"bins\""],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[parameters]\n\"p[0]\" = ['address_of(\"a\")', 'address_of(\"a\")', 'address_of(\"a\")']",
        (7, 1),
        &["one or two"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[parameters]\n\"p[0]\" = ['address_of(\"a\")', 3]",
        (7, 1),
        &["one or two", "the number 3"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 4\n[parameters]\n\"p[0]\" = 'address_of(\"a\"'",
        (7, 1),
        &["one or two"],
    ),
];

#[test]
fn every_complaint_names_its_place() {
    check_faults(FAULTS, load_text);
}

#[test]
fn buffers_are_as_many_and_as_large_as_the_limits_say() {
    let many = |count: usize, size: usize| {
        let buffers: Vec<String> =
            (0..count).map(|n| format!("[[buffer]]\nname = \"b{n}\"\nsize = {size}\n")).collect();
        load_text(&format!("{HEAD}{}", buffers.concat()))
    };
    assert_eq!(many(64, 1).unwrap().buffers.len(), 64);
    assert!(many(65, 1).unwrap_err().message.contains("at most 64 buffers and images"));
    assert!(many(3, 1 << 27).unwrap_err().message.contains("256 MiB together"));
}
