//! Reads `scene.toml`: every default, every error with its place, and every bundled sample.

use super::*;
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::CubeEdges;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

mod buffers;
mod feedback;
mod formats;
mod images;
mod layers;
mod lighting;
mod outside;
mod parameter_names;
mod subroutines;
mod vertices;

/// A folder that is deleted when the value is dropped.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("shadestep-scene-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        for (name, bytes) in files {
            fs::write(path.join(name), bytes).unwrap();
        }
        Self(path)
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PROGRAM: &[u8] = b"!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n";
const HEAD: &str = "[program]\nfragment = \"main.fp\"\n";

/// Loads a scene with the text `toml` and a program.
fn load_text(toml: &str) -> Result<Scene, SceneError> {
    let folder = TempFolder::new(&[("scene.toml", toml.as_bytes()), ("main.fp", PROGRAM), ("bad.png", b"x")]);
    load(&folder.0)
}

/// Loads a scene with a program table followed by `toml`.
fn scene(toml: &str) -> Scene {
    load_text(&format!("{HEAD}{toml}")).unwrap_or_else(|error| panic!("{toml}: {error}"))
}

#[test]
fn a_scene_with_only_a_program_has_the_defaults() {
    let scene = scene("");
    assert_eq!(scene.size, [512, 512]);
    assert_eq!(scene.title, scene.name);
    assert_eq!(*scene.mesh.source(), MeshSource::Viewport);
    assert_eq!(scene.camera, Camera::default());
    assert!(scene.parameters.is_empty() && scene.textures.is_empty() && scene.readme.is_none());
    assert_eq!(scene.clear, Clear { color: [0.1, 0.1, 0.12, 1.0], depth: 1.0, stencil: 0 });
    assert_eq!(scene.raster.depth, Depth::OFF);
    assert_eq!(&*scene.main_program().unwrap().text, PROGRAM);
    let names: Vec<_> = scene.watched.iter().map(|p| p.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["scene.toml", "main.fp"]);
}

#[test]
fn every_key_is_read() {
    let scene = load_text(
        r#"title = "All"
size = [320, 200]
program.fragment = "./main.fp"
geometry.mesh = "torus"
[camera]
eye = [1, 2.5, 3]
target = [0, 1, 0]
up = [0, 0, 1]
fov = 60
near = 0.5
far = 20
[parameters]
light = [0.5, -0.7]
gloss = 3.5
"p[2]" = ["time", "mouse_x", 1e2]
tint = { value = [1, 0.5, 0.25, 1], widget = "color" }
span = { value = [2], min = -1, max = 4 }
[[texture]]
unit = 3
target = "CUBE"
image = "builtin:normals"
format = "RGB8"
min_filter = "NEAREST_MIPMAP_LINEAR"
mag_filter = "NEAREST"
wrap = ["CLAMP", "CLAMP_TO_EDGE"]
cube_edges = "SEAMLESS"
border = [1, 0, 0.5, 1]
anisotropy = 4
lod_bias = -0.5
min_lod = 1
max_lod = 5
base_level = 1
max_level = 6
mipmaps = "generate"
compare = "LEQUAL"
[[texture]]
unit = 3
image = "builtin:xor"
mipmaps = "none"
min_filter = "LINEAR"
wrap = "MIRRORED_REPEAT"
[clear]
color = [0, 0, 1, 0.5]
depth = 0.75
[depth]
func = "GEQUAL"
write = false
clamp = true
range = [0.25, 0.5]
"#,
    )
    .unwrap();
    assert_eq!((scene.title.as_str(), scene.size), ("All", [320, 200]));
    assert_eq!(*scene.mesh.source(), MeshSource::Torus);
    let camera = Camera {
        eye: [1.0, 2.5, 3.0],
        target: [0.0, 1.0, 0.0],
        up: [0.0, 0.0, 1.0],
        fov_y_degrees: 60.0,
        near: 0.5,
        far: 20.0,
    };
    assert_eq!(scene.camera, camera);
    let number = Component::Constant;
    let named = |name: &str| ParameterKey::Named(name.to_owned());
    let setting = |key, value, components, widget, [min, max]: [f32; 2]| ParameterSetting {
        key,
        value,
        components,
        widget,
        min,
        max,
    };
    let fill = [number(0.5), number(-0.7), number(0.0), number(1.0)];
    let auto =
        [Component::Auto(AutoSource::Time), Component::Auto(AutoSource::MouseX), number(100.0), number(1.0)];
    let tint = [1.0, 0.5, 0.25, 1.0].map(number);
    let expected = [
        setting(named("light"), fill, 2, None, [0.0, 1.0]),
        setting(named("gloss"), [number(3.5); 4], 1, None, [0.0, 1.0]),
        setting(ParameterKey::Numbered(2), auto, 3, None, [0.0, 1.0]),
        setting(named("tint"), tint, 4, Some(Widget::Color), [0.0, 1.0]),
        setting(named("span"), [2.0, 0.0, 0.0, 1.0].map(number), 1, None, [-1.0, 4.0]),
    ];
    assert_eq!(scene.parameters, expected);
    let [cube, flat] = scene.textures.as_slice() else { panic!("two textures") };
    assert_eq!((cube.spec().unit, cube.spec().target), (3, TextureTarget::Cube));
    let (cube_texture, flat_texture) = (cube.texture().unwrap(), flat.texture().unwrap());
    let sampler = cube_texture.sampler();
    assert_eq!(sampler.wrap.map(|w| w.name()), ["CLAMP", "CLAMP_TO_EDGE", "REPEAT"]);
    assert_eq!(sampler.cube_edges, CubeEdges::Seamless);
    assert_eq!((sampler.border, sampler.max_anisotropy), ([1.0, 0.0, 0.5, 1.0].into(), 4.0));
    assert_eq!((sampler.lod_bias, sampler.min_lod, sampler.max_lod), (-0.5, 1.0, 5.0));
    assert_eq!((sampler.base_level, sampler.max_level), (1, 6));
    assert_eq!((sampler.compare, flat_texture.sampler().compare), (Some(CompareFunc::Lequal), None));
    assert_eq!((flat.spec().target, flat_texture.level_count()), (TextureTarget::D2, 1));
    assert_eq!(flat_texture.sampler().wrap.map(|w| w.name()), ["MIRRORED_REPEAT"; 3]);
    assert_eq!(scene.clear, Clear { color: [0.0, 0.0, 1.0, 0.5], depth: 0.75, stencil: 0 });
    let depth = Depth { test: Some(CompareFunc::Gequal), write: false, range: [0.25, 0.5], clamp: true };
    assert_eq!(scene.raster.depth, depth);
}

#[test]
fn meshes_have_a_depth_test_unless_it_is_turned_off() {
    assert_eq!(scene("[geometry]\nmesh = \"cube\"\n").raster.depth, Depth::LESS);
    assert_eq!(scene("[geometry]\nmesh = \"cube\"\n[depth]\nfunc = \"OFF\"\n").raster.depth, Depth::OFF);
    assert_eq!(scene("[depth]\nfunc = \"LESS\"\n").raster.depth, Depth::LESS);
    assert!(!scene("[geometry]\nmesh = \"cube\"\n").mesh.is_viewport());
}

#[test]
fn parameters_can_be_integers() {
    let text = "[parameters]\n\"p[1]\" = { value = [-2147483648, 2147483647], type = \"int\" }\n\
                \"p[2]\" = { value = [0xFFFF_FFFF, 0x80000000, 0o17, 0b101], type = \"int\" }\n\
                \"p[3]\" = { value = [4294967295, 0xDEADBEEF, 16777217], type = \"uint\" }\n\
                \"p[4]\" = { value = 7, type = \"uint\" }\n\"p[5]\" = { value = [7], type = \"float\" }\n";
    let values: Vec<_> = scene(text).parameters.iter().map(|setting| setting.value).collect();
    let expected = [
        [i32::MIN, i32::MAX, 0, 1].map(Component::Int),
        [-1, i32::MIN, 15, 5].map(Component::Int),
        [u32::MAX, 0xDEAD_BEEF, 16_777_217, 1].map(Component::Uint),
        [7; 4].map(Component::Uint),
        [7.0, 0.0, 0.0, 1.0].map(Component::Constant),
    ];
    assert_eq!(values, expected);
}

#[test]
fn every_named_choice_is_taken() {
    for (source, name) in AutoSource::NAMED {
        let parameters = scene(&format!("[parameters]\na = [\"{name}\"]\n")).parameters;
        assert_eq!(parameters[0].value[0], Component::Auto(source), "{name}");
        assert_eq!(source.name(), name);
    }
    for func in CompareFunc::ALL {
        let depth = scene(&format!("[depth]\nfunc = \"{}\"\n", func.name())).raster.depth;
        assert_eq!(depth.test, Some(func));
    }
    for (source, name) in MeshSource::BUILT_IN {
        assert_eq!(*scene(&format!("[geometry]\nmesh = \"{name}\"\n")).mesh.source(), source);
    }
}

/// A PNG of one column of grey pixels, top first.
fn column(greys: &[u8]) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let height = greys.len() as u32;
    let (format, color) = (::image::ImageFormat::Png, ::image::ExtendedColorType::L8);
    ::image::write_buffer_with_format(&mut png, greys, 1, height, color, format).unwrap();
    png.into_inner()
}

#[test]
fn image_files_become_levels_faces_and_slices() {
    let toml = format!(
        "{HEAD}[[texture]]\nunit = 0\ntarget = \"RECT\"\nimage = \"two.png\"\n\
         [[texture]]\nunit = 1\nlevels = [\"two.png\", \"one.png\"]\n\
         [[texture]]\nunit = 2\ntarget = \"3D\"\nimages = [\"two.png\", \"two.png\", \"tow.png\"]\n\
         [[texture]]\nunit = 3\ntarget = \"CUBE\"\nmipmaps = \"none\"\nmin_filter = \"LINEAR\"\n\
         images = [\"one.png\", \"eno.png\", \"one.png\", \"one.png\", \"one.png\", \"one.png\"]\n"
    );
    let (two, tow, one, eno) = (column(&[10, 20]), column(&[30, 40]), column(&[50]), column(&[60]));
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", PROGRAM),
        ("two.png", &two),
        ("tow.png", &tow),
        ("one.png", &one),
        ("eno.png", &eno),
    ]);
    let scene = load(&folder.0).unwrap();
    let grey = |unit: usize, level, face, at| {
        scene.textures[unit]
            .texture()
            .unwrap()
            .texel(level, face, at)
            .map(|[r, ..]| (r * 255.0).round() as u8)
    };
    // The bottom row of the picture is t = 0.
    assert_eq!((grey(0, 0, 0, [0, 0, 0]), grey(0, 0, 0, [0, 1, 0])), (Some(20), Some(10)));
    assert_eq!((grey(1, 0, 0, [0, 1, 0]), grey(1, 1, 0, [0, 0, 0])), (Some(10), Some(50)));
    assert_eq!(scene.textures[1].texture().unwrap().level_count(), 2);
    assert_eq!((grey(2, 0, 0, [0, 0, 0]), grey(2, 0, 0, [0, 0, 2])), (Some(20), Some(40)));
    assert_eq!((grey(3, 0, 0, [0, 0, 0]), grey(3, 0, 1, [0, 0, 0])), (Some(50), Some(60)));
    assert!(scene.textures.iter().all(|texture| texture.texture().unwrap().is_complete()));
    // The program, scene.toml and every image file are watched.
    let mut names: Vec<_> = scene.watched.iter().filter_map(|p| p.file_name()?.to_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names, ["eno.png", "main.fp", "one.png", "scene.toml", "tow.png", "two.png"]);
}

#[test]
fn cube_faces_count_rows_from_the_top() {
    let face = |first: u8| {
        let mut png = std::io::Cursor::new(Vec::new());
        let greys = [first, first, 9, 9];
        let (format, color) = (::image::ImageFormat::Png, ::image::ExtendedColorType::L8);
        ::image::write_buffer_with_format(&mut png, &greys, 2, 2, color, format).unwrap();
        png.into_inner()
    };
    let toml = format!(
        "{HEAD}[[texture]]\nunit = 0\ntarget = \"CUBE\"\nimages = [{}]\n",
        ["\"f.png\""; 6].join(", ")
    );
    let (f, files) = (face(77), toml.as_bytes());
    let folder = TempFolder::new(&[("scene.toml", files), ("main.fp", PROGRAM), ("f.png", &f)]);
    let scene = load(&folder.0).unwrap();
    let texel = scene.textures[0].texture().unwrap().texel(0, 0, [0, 0, 0]).unwrap();
    assert_eq!(texel[0], 77.0 / 255.0);
}

/// TOML after [`HEAD`] (two lines), the line and column of the error, words of its message.
const FAULTS: &[(&str, (usize, usize), &[&str])] = &[
    ("titel = 1", (3, 1), &["unknown key \"titel\"", "[program]"]),
    ("[geometri]\nmesh = \"cube\"", (3, 2), &["unknown key \"geometri\"", "did you mean \"geometry\""]),
    ("[wholly]\n", (3, 2), &["unknown key \"wholly\"", "\"camera\""]),
    ("[geometry]\nmesh = \"tours\"", (4, 1), &["no mesh \"tours\"", "did you mean \"torus\""]),
    ("[geometry]\nmesh = \"teapot\"", (4, 1), &["\"viewport\"", ".obj"]),
    ("[geometry]\nmesh = 3", (4, 1), &["\"mesh\" must be text", "the number 3"]),
    ("[geometry]\nmesh = \"a.obj\"", (4, 1), &["a.obj: there is no such file"]),
    ("[geometry]\nmesh = \"../a.obj\"", (4, 1), &["leaves the scene's folder"]),
    ("[geometry]\nmesh = \"main.fp.obj\"", (4, 1), &["no such file"]),
    ("[camera]\neye = [0, 0]", (4, 1), &["\"eye\" must be 3 numbers", "2 elements"]),
    ("[camera]\nup = [0, \"a\", 0]", (4, 1), &["\"up\" must be 3 numbers", "the text \"a\""]),
    ("[camera]\neye = [0, 0, 0]", (4, 1), &["same point"]),
    ("[camera]\nup = [0, 0, 1]", (4, 1), &["up vector"]),
    ("[camera]\nfov = 180", (4, 1), &["field of view"]),
    ("[camera]\nfar = 50\nnear = 60", (5, 1), &["near < far"]),
    ("[camera]\neye = [nan, 0, 0]", (4, 1), &["finite"]),
    ("[camera]\nFov = 3", (4, 1), &["unknown key \"Fov\" in [camera]", "\"fov\""]),
    ("[parameters]\n\"p[64]\" = [1]", (4, 1), &["not a parameter", "p[63]"]),
    ("[parameters]\na = []", (4, 1), &["1 to 4 numbers", "0 elements"]),
    ("[parameters]\na = [1, 2, 3, 4, 5]", (4, 1), &["5 elements"]),
    ("[parameters]\na = true", (4, 1), &["1 to 4 numbers"]),
    ("[parameters]\na = [\"tiem\"]", (4, 1), &["did you mean \"time\""]),
    ("[parameters]\na = [1e39]", (4, 1), &["larger than the largest fp32"]),
    ("[parameters]\na = { widget = \"color\" }", (4, 1), &["needs value"]),
    ("[parameters]\na = { value = [1], widget = \"dial\" }", (4, 20), &["\"slider\""]),
    ("[parameters]\na = { value = [1], min = 2 }", (4, 20), &["\"min\" must be less than \"max\""]),
    ("[parameters]\na = { value = [1], mim = 2 }", (4, 20), &["did you mean \"min\""]),
    (
        "[parameters]\n\"p[1]\" = { value = [1], type = \"integer\" }",
        (4, 25),
        &["\"type\" cannot be \"integer\"", "\"float\", \"int\" and \"uint\""],
    ),
    ("[parameters]\na = { value = [1], type = \"int\" }", (4, 20), &["\"a\" is declared with DECLARE"]),
    (
        "[parameters]\n\"p[1]\" = { value = [1, 2.5], type = \"int\" }",
        (4, 12),
        &["1 to 4 whole numbers", "the type is int", "not the number 2.5"],
    ),
    (
        "[parameters]\n\"p[1]\" = { value = [\"frame\"], type = \"uint\" }",
        (4, 12),
        &["whole numbers", "not the text \"frame\""],
    ),
    ("[parameters]\n\"p[1]\" = { value = [], type = \"uint\" }", (4, 12), &["1 to 4", "0 elements"]),
    (
        "[parameters]\n\"p[1]\" = { value = [1, -1], type = \"uint\" }",
        (4, 12),
        &["-1, out of range for uint: 0 to 4294967295"],
    ),
    ("[parameters]\n\"p[1]\" = { value = 4294967296, type = \"uint\" }", (4, 12), &["out of range for uint"]),
    (
        "[parameters]\n\"p[1]\" = { value = [2147483648], type = \"int\" }",
        (4, 12),
        &["2147483648, out of range for int: -2147483648 to 2147483647"],
    ),
    (
        "[parameters]\n\"p[1]\" = { value = [0x1_0000_0000], type = \"int\" }",
        (4, 12),
        &["out of range for int"],
    ),
    (
        "[parameters]\n\"p[1]\" = { value = [1], type = \"int\", max = 3 }",
        (4, 39),
        &["\"max\" works only for numbers", "has type int"],
    ),
    ("[[texture]]\nimage = \"builtin:xor\"", (3, 1), &["needs unit"]),
    ("[[texture]]\nunit = 0", (3, 1), &["needs image"]),
    ("[[texture]]\nunit = 16\nimage = \"builtin:xor\"", (4, 1), &["from 0 to 15", "16"]),
    ("[[texture]]\nunit = -1\nimage = \"builtin:xor\"", (4, 1), &["from 0 to 15"]),
    ("[[texture]]\nunit = 0.5\nimage = \"builtin:xor\"", (4, 1), &["whole number"]),
    (
        "[[texture]]\nunit = 0\ntarget = \"4D\"\nimage = \"builtin:xor\"",
        (5, 1),
        &["\"target\" cannot be \"4D\""],
    ),
    ("[[texture]]\nunit = 0\nimage = \"builtin:xro\"", (5, 1), &["did you mean \"xor\""]),
    ("[[texture]]\nunit = 0\nimage = \"none.png\"", (5, 1), &["none.png: there is no such file"]),
    ("[[texture]]\nunit = 0\nimage = \"bad.png\"", (5, 1), &["bad.png", "not a supported image"]),
    ("[[texture]]\nunit = 0\nimage = \"/etc/passwd\"", (5, 1), &["leaves the scene's folder"]),
    (
        "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nformat = \"RGBBA8\"",
        (6, 1),
        &["did you mean \"RGBA8\""],
    ),
    ("[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nmin_filter = \"LINAER\"", (6, 1), &["\"LINEAR\""]),
    (
        "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nwrap = [\"REPEAT\", \"CLAMPED\"]",
        (6, 1),
        &["\"CLAMP\""],
    ),
    ("[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nanisotropy = 0", (6, 1), &["anisotropy"]),
    (
        "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nmipmap = \"none\"",
        (6, 1),
        &["did you mean \"mipmaps\""],
    ),
    ("[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nmipmaps = \"given\"", (6, 1), &["needs levels"]),
    ("[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nlevels = [\"a\"]", (5, 1), &["not both"]),
    ("[[texture]]\nunit = 0\nimages = [\"a\"]\nimage = \"builtin:xor\"", (5, 1), &["not both"]),
    (
        "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\n[[texture]]\nunit = 0\nimage = \"builtin:xor\"",
        (7, 1),
        &["unit 0 already has a 2D texture"],
    ),
    ("[texture]\nunit = 0", (3, 2), &["[[texture]]"]),
    ("[clear]\ndepth = 2", (4, 1), &["from 0 to 1"]),
    ("[clear]\ncolor = [1, 1, 1]", (4, 1), &["4 numbers"]),
    ("[depth]\nfunc = \"less\"", (4, 1), &["did you mean \"LESS\""]),
    ("[depth]\nwrite = 1", (4, 1), &["true or false"]),
    ("[depth]\nrange = [0, 1.5]", (4, 1), &["from 0 to 1"]),
    ("[depth", (3, 7), &["invalid TOML"]),
    ("[camera]\nfov = 3\nfov = 4", (5, 1), &["invalid TOML"]),
];

/// Checks that `load` refuses each of `faults` at its line and column, with its words in the message.
fn check_faults(
    faults: &[(&str, (usize, usize), &[&str])],
    load: impl Fn(&str) -> Result<Scene, SceneError>,
) {
    for (toml, (line, column), words) in faults {
        let error = load(&format!("{HEAD}{toml}\n")).err();
        let error = error.unwrap_or_else(|| panic!("{toml}: loads"));
        let place = error.place.map(|place| (place.line, place.column));
        assert_eq!(place, Some((*line, *column)), "{toml}\n{error}");
        assert!(error.file.ends_with("scene.toml"), "{error}");
        for word in *words {
            assert!(error.message.contains(word), "{toml}\n{error}\nlacks {word}");
        }
    }
}

#[test]
fn every_complaint_names_its_place() {
    check_faults(FAULTS, load_text);
}

#[test]
fn the_head_of_a_scene_is_checked_too() {
    for (toml, (line, column), word) in [
        ("", (1, 1), "[program]"),
        ("title = 3\n", (1, 1), "\"title\" must be text"),
        ("size = [0, 4]\n", (1, 1), "whole number"),
        ("size = [4]\n", (1, 1), "2 whole numbers"),
        ("size = [4, 99999]\n", (1, 1), "8192"),
        ("[program]\n", (1, 2), "fragment"),
        ("[program]\nfragment = \"none.fp\"\n", (2, 1), "none.fp: there is no such file"),
        ("[program]\nfragment = \".\"\n", (2, 1), "not a file name"),
        ("[program]\npixel = \"main.fp\"\n", (2, 1), "unknown key \"pixel\""),
        ("[program]\nvertex = \"none.vp\"\n", (2, 1), "none.vp: there is no such file"),
        ("[program]\nstate = [\"main.fp\", \"none.vsp\"]\n", (2, 1), "none.vsp: there is no such file"),
        ("[program]\nstate = []\n", (2, 1), "1 to 16 file names"),
        ("[program]\nstate = 3\n", (2, 1), "file names"),
        ("[[state_program]]\n", (1, 1), "needs file"),
        ("[[state_program]]\nfile = \"main.fp\"\ninputs = [1]\n", (3, 1), "did you mean \"input\""),
        ("[[state_program]]\nfile = \"main.fp\"\ninput = [1, \"tiem\"]\n", (3, 1), "\"time\""),
        ("[program]\nstate = \"main.fp\"\n[[state_program]]\nfile = \"main.fp\"\n", (3, 3), "not in both"),
        ("program = 3\n", (1, 1), "a table"),
    ] {
        let error = load_text(toml).unwrap_err();
        let place = error.place.map(|place| (place.line, place.column));
        assert_eq!(place, Some((line, column)), "{toml}\n{error}");
        assert!(error.message.contains(word), "{toml}\n{error}");
    }
}

#[test]
fn hostile_files_are_errors() {
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let load_bytes = |bytes: &[u8]| load(&TempFolder::new(&[("scene.toml", bytes)]).0);
    for bytes in [b"\xFF\xFE".as_slice(), b"\0", deep.as_bytes(), b"= = =", b"\xEF\xBB\xBF"] {
        assert!(load_bytes(bytes).unwrap_err().place.is_some());
    }
    assert!(load(Path::new("/nonexistent/scene.toml")).is_err());
    assert!(load(&TempFolder::new(&[]).0).unwrap_err().message.contains("no such file"));
}

#[test]
fn damaged_scenes_never_panic() {
    let whole = format!(
        "title = \"a\"\nsize = [4, 4]\n{HEAD}[camera]\neye = [0, 1, 2.5]\n[parameters]\n\"p[1]\" = [\"time\", 1]\n\
         a = {{ value = [1], min = -1, max = 2 }}\n[[texture]]\nunit = 1\ntarget = \"1D\"\nimage = \"builtin:white\"\n\
         wrap = \"CLAMP\"\n[clear]\ncolor = [0, 0, 0, 1]\n[depth]\nfunc = \"LESS\"\nrange = [0, 0.5]\n"
    );
    let folder = TempFolder::new(&[("main.fp", PROGRAM)]);
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let letter = |letters: &[u8], index: usize| letters[index % letters.len()];
    let mut loaded = 0;
    for _ in 0..1500 {
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..1 + random(3) {
            let at = random(bytes.len());
            match random(3) {
                0 => bytes[at] = letter(b"0123456789-[]{}.,=\"'# \nabe\xC3", random(64)),
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, letter(b"9876543210-[]{}.,=\"'# \nnif", random(64))),
            }
        }
        fs::write(folder.0.join("scene.toml"), &bytes).unwrap();
        match load(&folder.0) {
            Ok(_) => loaded += 1,
            Err(error) => assert!(error.place.is_some(), "{error}"),
        }
    }
    assert!((30..1470).contains(&loaded), "{loaded}");
}

#[test]
fn what_people_name_is_found() {
    let folder = TempFolder::new(&[("scene.toml", HEAD.as_bytes()), ("main.fp", PROGRAM)]);
    let path = |name: &str| folder.0.join(name).display().to_string();
    for named in [folder.0.display().to_string(), path("scene.toml")] {
        assert_eq!(open(named).unwrap().main_program().unwrap().name, "main.fp");
    }
    let bare = open(path("main.fp")).unwrap();
    let file = bare.main_program().unwrap();
    assert_eq!((bare.name.as_str(), &file.path), ("main.fp", &Some(folder.0.join("main.fp"))));
    assert!(bare.textures.is_empty() && bare.parameters.is_empty());
    let sample = bundled()[1];
    let short = sample.name.split_once('-').unwrap().1;
    assert_eq!(open(sample.name).unwrap().name, sample.name);
    assert_eq!(open(short).unwrap().name, sample.name);
    let error = open(format!("{}x", sample.name)).unwrap_err();
    assert!(error.message.contains("did you mean"), "{error}");
    assert!(open("").is_err());
}

#[test]
fn every_bundled_sample_loads_in_order() {
    let names: Vec<&str> = bundled().iter().map(|sample| sample.name).collect();
    assert!(names.len() >= 14, "{names:?}");
    let number = |name: &&str| name.split('-').next().and_then(|digits| digits.parse::<u32>().ok());
    assert!(names.is_sorted_by_key(number) && names.iter().all(|name| number(name).is_some()), "{names:?}");
    for sample in bundled() {
        let scene = sample.load().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scene.folder, Folder::Bundled(sample.name));
        assert!(scene.readme.is_some(), "{} has no README.md", sample.name);
        assert!(scene.watched.is_empty());
    }
}
