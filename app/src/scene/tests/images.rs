//! `[[image]]`: results, and every error with its place.

use super::*;
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::memory::Mode;
use shadestep_engine::texture::ImageFormat;

fn load_text(toml: &str) -> Result<Scene, SceneError> {
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", b"!!NVfp5.0\nMOV result.color, 1;\nEND\n"),
        ("texels.bin", &[1, 2, 3, 4, 5, 6, 7, 8]),
    ]);
    load(&folder.0)
}

fn scene(toml: &str) -> Scene {
    load_text(&format!("{HEAD}{toml}")).unwrap_or_else(|error| panic!("{toml}: {error}"))
}

#[test]
fn images_are_what_the_scene_says() {
    let scene = scene(
        "[[buffer]]\nname = \"bins\"\nvalues = [1, 2, 3]\n\
         [[image]]\nname = \"plain\"\nsize = [2, 1]\nunit = 0\n\
         [[image]]\nname = \"layers\"\ntarget = \"ARRAY2D\"\nformat = \"R8UI\"\nsize = [2, 2]\nlayers = 2\nfile = \"texels.bin\"\n\
         unit = 1\naccess = \"READ_ONLY\"\ntexture = 4\n\
         [[image]]\nimage = \"layers\"\nunit = 2\nlayer = 1\nview = \"R8I\"\n\
         [[image]]\nbuffer = \"bins\"\nformat = \"R32F\"\nunit = 3\n\
         [[image]]\nname = \"filled\"\ntarget = \"1D\"\nformat = \"RG16\"\nsize = 2\nfill = 1\ntexture = 5\nfilter = \"LINEAR\"\ntexture_copy = true\n\
         [[image]]\nname = \"given\"\nformat = \"RG8I\"\nsize = [2, 1]\nvalues = [-1, 2, 3, -4]\nunit = 7\n",
    );
    let names: Vec<&str> = scene.buffers.iter().map(|buffer| buffer.name.as_str()).collect();
    assert_eq!(names, ["bins", "plain", "layers", "filled", "given"]);
    let [plain, layers, view, bins, filled, given] = scene.images.as_slice() else { panic!("six images") };
    assert_eq!((plain.shape.target(), plain.shape.format()), (TextureTarget::D2, ImageFormat::Rgba8));
    assert!(scene.buffers[1].store.is_unwritten(0, 8) && !scene.buffers[1].resident);
    assert_eq!(scene.buffers[2].store.bytes(), [1, 2, 3, 4, 5, 6, 7, 8]);
    let unit = layers.unit.unwrap();
    assert_eq!(
        (unit.unit, unit.access, unit.layer, unit.format),
        (1, Mode::ReadOnly, None, ImageFormat::R8Ui)
    );
    assert_eq!(layers.lookup.map(|lookup| (lookup.unit, lookup.is_copy)), Some((4, false)));
    let unit = view.unit.unwrap();
    assert_eq!((view.buffer, &view.shape), (layers.buffer, &layers.shape));
    assert_eq!((unit.unit, unit.layer, unit.format), (2, Some(1), ImageFormat::R8I));
    assert_eq!((bins.buffer, bins.shape.levels()), (0, &[[3, 1, 1]][..]));
    assert_eq!(scene.buffers[filled.buffer].store.bytes(), [0xFF; 8]);
    assert_eq!(filled.unit, None);
    assert!(filled.lookup.unwrap().is_copy);
    assert_eq!(scene.buffers[given.buffer].store.bytes(), [0xFF, 2, 3, 0xFC]);
}

/// As [`super::FAULTS`].
const FAULTS: &[(&str, (usize, usize), &[&str])] = &[
    ("[[image]]\nsize = [1, 1]\nunit = 0", (3, 1), &["needs name"]),
    ("[[image]]\nname = \"a\"\nunit = 0", (3, 1), &["needs size"]),
    ("[[image]]\nname = \"a\"\nsize = [1, 1]", (3, 1), &["not used", "unit", "texture"]),
    ("[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 8", (6, 1), &["from 0 to 7"]),
    ("[[image]]\nname = \"a\"\nsize = [1]\nunit = 0", (5, 1), &["[WIDTH, HEIGHT]"]),
    ("[[image]]\nname = \"a\"\nsize = [1, 0]\nunit = 0", (5, 1), &["from 1"]),
    ("[[image]]\nname = \"a\"\nsize = [20000, 1]\nunit = 0", (5, 1), &["2D", "this size"]),
    ("[[image]]\nname = \"a\"\ntarget = \"CUBE\"\nsize = [2, 1]\nunit = 0", (6, 1), &["CUBE", "this size"]),
    ("[[image]]\nname = \"a\"\ntarget = \"SHADOW2D\"\nsize = [2, 1]\nunit = 0", (5, 1), &["SHADOW2D"]),
    (
        "[[image]]\nname = \"a\"\nformat = \"RGB8\"\nsize = [2, 1]\nunit = 0",
        (5, 1),
        &["no image format", "RGBA8"],
    ),
    ("[[image]]\nname = \"a\"\nsize = [2, 1]\nlayers = 2\nunit = 0", (6, 1), &["2D", "layers"]),
    ("[[image]]\nname = \"a\"\nsize = [2, 1]\nsamples = 4\nunit = 0", (6, 1), &["2D", "samples"]),
    ("[[image]]\nname = \"a\"\nsize = [2, 1]\nlevels = 3\nunit = 0", (6, 1), &["2D", "levels"]),
    (
        "[[image]]\nname = \"a\"\nsize = [2, 1]\nvalues = [1]\nunit = 0",
        (6, 1),
        &["1 number;", "2 texels of 4"],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [2, 1]\nfile = \"texels.bin\"\nfill = 0\nunit = 0",
        (7, 1),
        &["one of values"],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [3, 1]\nfile = \"texels.bin\"\nunit = 0",
        (6, 1),
        &["8 bytes", "needs 12"],
    ),
    ("[[image]]\nname = \"a\"\nsize = [1, 1]\nlevel = 1\nunit = 0", (6, 1), &["from 0 to 0"]),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\ntexture = 1\naccess = \"READ_ONLY\"",
        (7, 1),
        &["only with unit"],
    ),
    ("[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 1\nfilter = \"LINEAR\"", (7, 1), &["only with texture"]),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 1\ntexture_copy = true",
        (7, 1),
        &["\"texture_copy\"", "only with texture"],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 1\nview = \"R8\"",
        (7, 1),
        &["R8 take 1 byte", "RGBA8 take 4"],
    ),
    (
        "[[image]]\nname = \"a\"\nformat = \"R32UI\"\nsize = [1, 1]\ntexture = 1\nfilter = \"LINEAR\"",
        (8, 1),
        &["lookups would return 0"],
    ),
    (
        "[[image]]\nname = \"a\"\nformat = \"RGBA8_SNORM\"\nsize = [1, 1]\ntexture = 1",
        (7, 1),
        &["lookups cannot read", "RGBA8_SNORM"],
    ),
    ("[[image]]\nimage = \"a\"\nunit = 0", (4, 1), &["no image \"a\""]),
    ("[[image]]\nbuffer = \"a\"\nunit = 0", (4, 1), &["no buffer \"a\""]),
    (
        "[[buffer]]\nname = \"a\"\nsize = 3\n[[image]]\nbuffer = \"a\"\nformat = \"R32F\"\nunit = 0",
        (7, 1),
        &["too small for one texel"],
    ),
    (
        "[[buffer]]\nname = \"a\"\nsize = 3\n[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 0",
        (7, 1),
        &["already"],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 0\n[[image]]\nimage = \"a\"\nunit = 0",
        (9, 1),
        &["unit 0 already has \"a\""],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\ntexture = 3\n[[image]]\nname = \"b\"\nsize = [1, 1]\ntexture = 3",
        (10, 1),
        &["unit 3 already has the 2D image \"a\""],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\ntexture = 3\n[[texture]]\nunit = 3\nimage = \"builtin:xor\"",
        (8, 1),
        &["unit 3 already has the 2D image \"a\""],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 0\n[[image]]\nimage = \"a\"\nsize = [1, 1]\nunit = 1",
        (9, 1),
        &["\"size\" cannot be combined with \"image\""],
    ),
    (
        "[[image]]\nname = \"a\"\nsize = [1, 1]\nunit = 0\n[parameters]\n\"p[0]\" = 'address_of(\"a\")'",
        (8, 1),
        &["no buffer \"a\""],
    ),
];

#[test]
fn every_complaint_names_its_place() {
    check_faults(FAULTS, load_text);
}

#[test]
fn orders_and_addresses_that_there_are_not_are_refused() {
    for (key, words) in [("order", ["draw", "any"]), ("addresses", ["64-bit", "32-bit"])] {
        let error = load_text(&format!("{key} = \"none\"\n{HEAD}")).expect_err("a complaint");
        assert_eq!(error.place.map(|place| (place.line, place.column)), Some((1, 1)));
        for word in [key, "none"].into_iter().chain(words) {
            assert!(error.message.contains(word), "{error}");
        }
    }
}
