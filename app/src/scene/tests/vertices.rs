//! Scenes with vertex programs: programs, arrays, matrices, tracks and state, and every error.

use super::*;
use shadestep_engine::gl::{FogEquation, Matrix};
use shadestep_engine::ir::single_bits;
use shadestep_engine::pipeline::{
    ArrayConversion, ArrayData, AttributeArray, Blend, BlendEquation, BlendFactor, CompareFunc, CullFace,
    Elements, FrontFace, LogicOp, PointState, PolygonMode, PolygonOffset, Primitive, ShadeModel, StencilFace,
    StencilOp,
};

const VERTEX: &[u8] = b"!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND\n";
const STATE: &[u8] = b"!!VSP1.0\nMOV c[20], v[0];\nEND\n";

/// Loads a scene of `toml` with programs of all kinds and a file of numbers.
fn load_all(toml: &str) -> Result<Scene, SceneError> {
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", PROGRAM),
        ("main.vp", VERTEX),
        ("a.vsp", STATE),
        ("b.vsp", STATE),
        ("numbers.txt", b"1, 2 3\n4,5,6\n"),
        ("words.txt", b"1 2 three"),
        ("large.txt", b"1 300"),
    ]);
    load(&folder.0)
}

fn scene_of(toml: &str) -> Scene {
    load_all(toml).unwrap_or_else(|error| panic!("{toml}: {error}"))
}

fn floats(values: &[f32], size: u8) -> AttributeSource {
    AttributeSource::Array(AttributeArray::packed(ArrayData::Float(values.into()), size))
}

#[test]
fn a_scene_may_have_any_of_the_three_kinds_of_programs() {
    let number = Component::Constant;
    let scene =
        scene_of("[program]\nvertex = \"main.vp\"\nstate = [\"a.vsp\", \"b.vsp\"]\nfragment = \"main.fp\"\n");
    let names: Vec<(Slot, &str)> = scene.programs.iter().map(|(slot, file)| (slot, &*file.name)).collect();
    let expected = [
        (Slot::Vertex, "main.vp"),
        (Slot::State(0), "a.vsp"),
        (Slot::State(1), "b.vsp"),
        (Slot::Fragment, "main.fp"),
    ];
    assert_eq!(names, expected);
    assert_eq!(scene.state_input(1), [0.0, 0.0, 0.0, 1.0].map(number));
    assert!(scene.tracks.is_empty() && scene.parameters.is_empty(), "only bare programs are given anything");
    for name in ["main.vp", "a.vsp", "b.vsp", "main.fp"] {
        assert!(scene.watched.iter().any(|path| path.ends_with(name)), "{name} is watched");
    }
    let alone = |toml: &str| scene_of(toml).programs.slots().collect::<Vec<_>>();
    assert_eq!(alone("[program]\nvertex = \"main.vp\"\n"), [Slot::Vertex]);
    assert_eq!(alone("[program]\nstate = \"a.vsp\"\n"), [Slot::State(0)]);
    let run = scene_of(
        "[[state_program]]\nfile = \"b.vsp\"\ninput = [\"time\", 2]\n[[state_program]]\nfile = \"a.vsp\"\n",
    );
    assert_eq!(run.programs.get(Slot::State(0)).unwrap().name, "b.vsp");
    let time = Component::Auto(AutoSource::Time);
    assert_eq!(run.state_inputs, [[time, number(2.0), number(0.0), number(1.0)], DEFAULT_STATE_INPUT]);
}

#[test]
fn a_bare_vertex_program_has_a_model_a_camera_and_tracked_matrices() {
    let scene = Scene::for_program("a.vp", None, VERTEX);
    assert_eq!(scene.programs.slots().collect::<Vec<_>>(), [Slot::Vertex]);
    assert_eq!(*scene.mesh.source(), MeshSource::Sphere);
    assert_eq!(scene.raster.depth, Depth::LESS);
    let tracks: Vec<String> =
        scene.tracks.iter().map(|t| format!("{} {} {}", t.register, t.matrix, t.transform.name())).collect();
    let expected =
        ["0 MODELVIEW_PROJECTION IDENTITY_NV", "4 MODELVIEW IDENTITY_NV", "8 MODELVIEW INVERSE_TRANSPOSE_NV"];
    assert_eq!(tracks, expected);
    let keys: Vec<String> = scene.parameters.iter().map(|p| p.key.to_string()).collect();
    assert_eq!(keys, ["c[12]", "c[13]"]);
    assert_eq!(scene.parameters[0].value, DEFAULT_P0);
    let light = scene.parameters[1].value.map(|c| match c {
        Component::Constant(x) => x,
        Component::Auto(_) | Component::Int(_) | Component::Uint(_) | Component::Address(..) => f32::NAN,
    });
    assert!((light.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6, "a direction has length 1");
}

#[test]
fn a_bare_state_program_is_seen_through_a_vertex_program() {
    let scene = Scene::for_program("a.vsp", None, STATE);
    assert_eq!(scene.programs.slots().collect::<Vec<_>>(), [Slot::Vertex, Slot::State(0)]);
    assert_eq!(scene.state_input(0), DEFAULT_P0);
    assert_eq!(scene.tracks, DEFAULT_TRACKS);
    assert_eq!(scene.programs.get(Slot::State(0)).unwrap().text.as_ref(), STATE);
}

#[test]
fn what_a_scene_sets_stays_when_a_vertex_program_is_added() {
    let mut scene = scene("[parameters]\n\"c[5]\" = 2\n\"c[12]\" = [7]\n");
    scene.prepare_for_vertices();
    let registers: Vec<u16> = scene.tracks.iter().map(|track| track.register).collect();
    assert_eq!(registers, [0, 8], "c[5] is taken");
    let keys: Vec<String> = scene.parameters.iter().map(|p| p.key.to_string()).collect();
    assert_eq!(keys, ["c[5]", "c[12]", "c[13]"]);
}

#[test]
fn meshes_become_arrays() {
    let scene = scene("");
    let quad = scene.vertex_arrays().unwrap();
    assert_eq!((quad.primitive, quad.vertex_count(), quad.element_count()), (Primitive::Quads, 4, 4));
    assert_eq!(quad.attributes[0], (0, floats(&[-1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0], 2)));
    let cube = super::scene("[geometry]\nmesh = \"cube\"\n").vertex_arrays().unwrap();
    let numbers: Vec<u8> = cube.attributes.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [0, 2, 3, 8, 9, 10], "OPOS, NRML, COL0, TEX0, TEX1, TEX2");
    // Each face has two triangles and shares no vertex with another face.
    assert_eq!((cube.primitive, cube.vertex_count(), cube.element_count()), (Primitive::Triangles, 24, 36));
}

#[test]
fn arrays_are_read_in_all_types() {
    let scene = scene_of(
        r#"program.vertex = "main.vp"
[geometry]
primitive = "TRIANGLE_STRIP"
indices = [0, 1, 9, 2, 0]
restart = 9
count = 4
[[attribute]]
index = "OPOS"
type = "float"
size = 2
file = "numbers.txt"
[[attribute]]
index = 1
type = "short"
size = 1
values = [-32768, 0, 32767]
[[attribute]]
index = "TEX3"
type = "double"
size = 1
values = [0.1, 1, 2e3]
[[attribute]]
index = "COL0"
type = "ubyte"
values = [255, 0, 128, 1, 2, 3, 4, 5, 6, 7, 8, 9]
[[attribute]]
index = "FOGC"
value = [0.5]
"#,
    );
    assert_eq!(*scene.mesh.source(), MeshSource::Arrays);
    assert!(scene.watched.iter().any(|path| path.ends_with("numbers.txt")));
    let arrays = scene.vertex_arrays().unwrap();
    assert_eq!((arrays.primitive, arrays.vertex_count()), (Primitive::TriangleStrip, 3));
    assert_eq!(arrays.elements, Elements::Indices { indices: [0, 1, 9, 2].into(), restart: Some(9) });
    let packed = |data, size| AttributeSource::Array(AttributeArray::packed(data, size));
    let bytes = ArrayData::UnsignedByte([255, 0, 128, 1, 2, 3, 4, 5, 6, 7, 8, 9].into());
    let conversion = ArrayConversion::Normalized;
    let bytes = AttributeArray { conversion, ..AttributeArray::packed(bytes, 4) };
    let expected = [
        (0, floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2)),
        (1, packed(ArrayData::Short([-32768, 0, 32767].into()), 1)),
        (11, packed(ArrayData::Double([0.1, 1.0, 2000.0].into()), 1)),
        (3, AttributeSource::Array(bytes)),
        (5, AttributeSource::Current(single_bits([0.5, 0.0, 0.0, 1.0]))),
    ];
    assert_eq!(arrays.attributes, expected);
    let all = scene_of(
        "program.vertex = \"main.vp\"\ngeometry.primitive = \"POINTS\"\n[[attribute]]\nindex = 0\nsize = 3\n\
         values = [1, 2, 3, 4, 5, 6]\n",
    );
    assert_eq!(all.vertex_arrays().unwrap().elements, Elements::Range { first: 0, count: 2 });
}

#[test]
fn integers_and_64_bits_stay_what_they_are() {
    let scene = scene_of(
        r#"
program.vertex = "main.vp"
geometry.primitive = "POINTS"
[[attribute]]
index = 0
type = "int"
size = 2
values = [-2147483648, 2147483647, 0x10, -1]
[[attribute]]
index = 1
type = "uint"
size = 1
values = [4294967295, 0]
[[attribute]]
index = 2
type = "int64"
size = 1
values = [-9223372036854775808, 7]
[[attribute]]
index = 3
type = "uint64"
size = 1
values = [18446744073709551615, 9223372036854775808]
[[attribute]]
index = 4
type = "float64"
size = 1
values = [1e300, 0.1]
[[attribute]]
index = 5
type = "int"
value = [-2, 3]
[[attribute]]
index = 6
type = "float64"
value = [0.1]
"#,
    );
    let array = |data, size, conversion| {
        AttributeSource::Array(AttributeArray { conversion, ..AttributeArray::packed(data, size) })
    };
    let (integer, long) = (ArrayConversion::Integer, ArrayConversion::Long);
    let expected = [
        (0, array(ArrayData::Int([i32::MIN, i32::MAX, 16, -1].into()), 2, integer)),
        (1, array(ArrayData::UnsignedInt([u32::MAX, 0].into()), 1, integer)),
        (2, array(ArrayData::Int64([i64::MIN, 7].into()), 1, long)),
        (3, array(ArrayData::UnsignedInt64([u64::MAX, 1 << 63].into()), 1, long)),
        (4, array(ArrayData::Double([1e300, 0.1].into()), 1, long)),
        (5, AttributeSource::Current([0xFFFF_FFFE, 3, 0, 1])),
        (6, AttributeSource::Current([0.1_f64.to_bits(), 0, 0, 0])),
    ];
    assert_eq!(scene.vertex_arrays().unwrap().attributes, expected);
}

#[test]
fn meshes_take_attributes_beside_their_own() {
    let weights = (0..24).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let toml = format!(
        "[geometry]\nmesh = \"cube\"\n[[attribute]]\nindex = \"WGHT\"\nsize = 1\nvalues = [{weights}]\n"
    );
    let mut scene = scene(&toml);
    assert_eq!(scene.vertex_arrays().unwrap().attributes.len(), 7);
    scene.mesh = SceneMesh::sphere();
    let words = scene.vertex_arrays().unwrap_err();
    assert!(words.contains("v[WGHT] has 24 vertices"), "{words}");
}

#[test]
fn cameras_matrices_and_tracks_are_read() {
    let scene = scene(
        r#"[camera]
model = [{ rotate = "time", rate = 40, axis = [0, 0, 1] }, { translate = [1, "mouse_x", 0] }, { scale = 2 }]
[matrices]
texture1 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
matrix7 = [{ scale = [1, 2, 3] }, { rotate = 90 }]
[[track]]
register = 4
matrix = "MATRIX7"
transform = "TRANSPOSE"
[[track]]
register = 252
matrix = "TEXTURE1"
"#,
    );
    let number = Component::Constant;
    let (time, mouse) = (Component::Auto(AutoSource::Time), Component::Auto(AutoSource::MouseX));
    let model = [
        MatrixOperation::Rotate { angle: time, rate: 40.0, axis: [0.0, 0.0, 1.0] },
        MatrixOperation::Translate([number(1.0), mouse, number(0.0)]),
        MatrixOperation::Scale([number(2.0); 3]),
    ];
    assert_eq!(scene.model, model);
    let rows =
        [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]];
    let operations = vec![
        MatrixOperation::Scale([1.0, 2.0, 3.0].map(number)),
        MatrixOperation::Rotate { angle: number(90.0), rate: 1.0, axis: [0.0, 1.0, 0.0] },
    ];
    let matrices = [
        (MatrixName::Texture(1), MatrixSource::Constant(Matrix { rows })),
        (MatrixName::Tracking(7), MatrixSource::Operations(operations)),
    ];
    assert_eq!(scene.matrices, matrices);
    let tracks = [
        Track { register: 4, matrix: MatrixName::Tracking(7), transform: MatrixTransform::Transpose },
        Track { register: 252, matrix: MatrixName::Texture(1), transform: MatrixTransform::Identity },
    ];
    assert_eq!(scene.tracks, tracks);
    for name in MatrixName::all() {
        let toml = format!("[[track]]\nregister = 0\nmatrix = \"{name}\"\n");
        assert_eq!(super::scene(&toml).tracks[0].matrix, name);
    }
}

#[test]
fn every_key_of_state_is_read() {
    let scene = scene(
        r#"[clear]
stencil = 7
[depth]
func = "LEQUAL"
[state]
viewport = [-1, 2, 3, 4]
scissor = [0, 1, 2, 3]
clip_distances = [0, 5]
two_side = true
front_face = "CW"
cull = "FRONT_AND_BACK"
polygon_mode = ["FILL", "LINE"]
polygon_offset = { factor = 1.5, units = -2, line = true }
shade_model = "FLAT"
line_width = 2.5
point_size = 8
program_point_size = true
point_smooth = true
point_sprite = true
coord_replace = [0, 7]
alpha_test = { func = "GREATER", ref = 0.25 }
stencil = { front = { func = "EQUAL", ref = 1, read_mask = 2, write_mask = 3, fail = "ZERO", depth_fail = "INVERT", pass = "INCR_WRAP" } }
blend = { src = "SRC_ALPHA", dst = "ONE_MINUS_SRC_ALPHA", src_alpha = "ONE", equation = "FUNC_SUBTRACT", color = [1, 0, 0, 1] }
logic_op = "XOR"
color_mask = [true, false, true, false]
fog = { mode = "LINEAR", start = 1, end = 4, color = [0, 1, 0, 1] }
"#,
    );
    let front = StencilFace {
        func: CompareFunc::Equal,
        reference: 1,
        read_mask: 2,
        write_mask: 3,
        fail: StencilOp::Zero,
        depth_fail: StencilOp::Invert,
        pass: StencilOp::IncrWrap,
    };
    use BlendFactor::{One, OneMinusSrcAlpha, SrcAlpha};
    let expected = RasterState {
        viewport: Some([-1, 2, 3, 4]),
        scissor: Some([0, 1, 2, 3]),
        depth: Depth { test: Some(CompareFunc::Lequal), ..Depth::OFF },
        clip_distances: 0b10_0001,
        two_side: true,
        front_face: FrontFace::Cw,
        cull: Some(CullFace::FrontAndBack),
        polygon_mode: [PolygonMode::Fill, PolygonMode::Line],
        offset: PolygonOffset { factor: 1.5, units: -2.0, fill: true, line: true, point: false },
        shade_model: ShadeModel::Flat,
        line_width: 2.5,
        point: PointState { size: 8.0, from_program: true, smooth: true, sprite: true, replace: 0b1000_0001 },
        alpha_test: Some((CompareFunc::Greater, 0.25)),
        stencil: Some(shadestep_engine::pipeline::Stencil { front, back: StencilFace::DEFAULT }),
        blend: Some(Blend {
            equation: BlendEquation::Subtract,
            rgb: [SrcAlpha, OneMinusSrcAlpha],
            alpha: [One, OneMinusSrcAlpha],
            color: [1.0, 0.0, 0.0, 1.0],
        }),
        logic_op: Some(LogicOp::Xor),
        color_mask: [true, false, true, false],
        ..RasterState::DEFAULT
    };
    assert_eq!(scene.raster, expected);
    let number = Component::Constant;
    let color = LightingState::FogColor.with([0.0, 1.0, 0.0, 1.0].map(number));
    let range = LightingState::FogRange.with([1.0, 4.0, 0.0, 0.0].map(number));
    assert_eq!((scene.fog, scene.clear.stencil), (Some(FogEquation::Linear), 7));
    assert_eq!(scene.lighting, [color, range]);
    assert_eq!(super::scene("[state]\n").raster, RasterState::DEFAULT);
    let both =
        super::scene("[state]\nstencil = { ref = 4 }\npolygon_mode = \"POINT\"\nfog = { density = 2 }\n");
    let face = StencilFace { reference: 4, ..StencilFace::DEFAULT };
    assert_eq!(both.raster.stencil, Some(shadestep_engine::pipeline::Stencil { front: face, back: face }));
    assert_eq!(both.raster.polygon_mode, [PolygonMode::Point; 2]);
    assert_eq!(both.fog, Some(FogEquation::Exp));
    assert_eq!(both.lighting, [LightingState::FogDensity.with([2.0, 0.0, 0.0, 0.0].map(number))]);
}

/// TOML after [`HEAD`] (two lines), the line and column of the error, words of its message.
const FAULTS: &[(&str, (usize, usize), &[&str])] = &[
    ("[geometry]\nprimitive = \"TRIANGLE\"", (4, 1), &["did you mean \"TRIANGLES\""]),
    ("[geometry]\nprimitive = \"POINTS\"", (4, 1), &["needs an [[attribute]]"]),
    ("[geometry]\nmesh = \"cube\"\nprimitive = \"POINTS\"", (5, 1), &["not both"]),
    ("[geometry]\nmesh = \"cube\"\ncount = 1", (5, 1), &["works only with \"primitive\""]),
    ("[geometry]\nrestart = 1", (4, 1), &["works only with indices"]),
    ("[[attribute]]\nsize = 1", (3, 1), &["needs index"]),
    ("[[attribute]]\nindex = 16", (4, 1), &["from 0 to 15"]),
    ("[[attribute]]\nindex = \"OPSO\"", (4, 1), &["did you mean \"OPOS\""]),
    ("[[attribute]]\nindex = 0", (3, 1), &["one of values"]),
    ("[[attribute]]\nindex = 0\nvalues = [1]\nvalue = [1]", (6, 1), &["one of values"]),
    ("[[attribute]]\nindex = 0\nvalues = [1]", (3, 1), &["needs size"]),
    ("[[attribute]]\nindex = 0\nsize = 5\nvalues = [1]", (5, 1), &["from 1 to 4"]),
    ("[[attribute]]\nindex = 0\nsize = 2\nvalues = [1, 2, 3]", (6, 1), &["3 numbers", "needs 2"]),
    ("[[attribute]]\nindex = 0\nsize = 2\nvalues = []", (6, 1), &["0 elements"]),
    (
        "[[attribute]]\nindex = 0\nsize = 1\nvalues = [\"a\"]",
        (6, 1),
        &["numbers in brackets", "the text \"a\""],
    ),
    (
        "[[attribute]]\nindex = 0\ntype = \"half\"\nsize = 1\nvalues = [1]",
        (5, 1),
        &["\"float\"", "\"uint64\""],
    ),
    ("[[attribute]]\nindex = 0\ntype = \"int\"\nsize = 1\nvalues = [2147483648]", (7, 1), &["to 2147483647"]),
    ("[[attribute]]\nindex = 0\ntype = \"int\"\nsize = 1\nvalues = [1.0]", (7, 1), &["a whole number"]),
    ("[[attribute]]\nindex = 0\ntype = \"uint\"\nsize = 1\nvalues = [-1]", (7, 1), &["from 0 to 4294967295"]),
    (
        "[[attribute]]\nindex = 0\ntype = \"uint64\"\nsize = 1\nvalues = [-1]",
        (7, 1),
        &["18446744073709551615"],
    ),
    (
        "[[attribute]]\nindex = 0\ntype = \"float64\"\nsize = 1\nvalues = [true]",
        (7, 1),
        &["numbers in brackets"],
    ),
    ("[[attribute]]\nindex = 0\ntype = \"short\"\nvalue = [1]", (6, 1), &["float, int, uint"]),
    ("[[attribute]]\nindex = 0\ntype = \"short\"\nsize = 1\nvalues = [32768]", (7, 1), &["-32768 to 32767"]),
    ("[[attribute]]\nindex = 0\ntype = \"ubyte\"\nsize = 3\nvalues = [1]", (6, 1), &["size = 4"]),
    ("[[attribute]]\nindex = 0\ntype = \"ubyte\"\nvalues = [1, 2, 3, 256]", (6, 1), &["from 0 to 255"]),
    ("[[attribute]]\nindex = 0\ntype = \"double\"\nsize = 1\nvalues = [1e39]", (7, 1), &["largest fp32"]),
    ("[[attribute]]\nindex = 0\nvalue = [1, 2, 3, 4, 5]", (5, 1), &["5 elements"]),
    ("[[attribute]]\nindex = 0\nsize = 1\nvalue = [1]", (5, 1), &["works only with values"]),
    ("[[attribute]]\nindex = 1\nsize = 1\nfile = \"none.txt\"", (6, 1), &["none.txt: there is no such file"]),
    ("[[attribute]]\nindex = 1\nsize = 1\nfile = \"../x\"", (6, 1), &["leaves the scene's folder"]),
    ("[[attribute]]\nindex = 1\nsize = 1\nfile = \"words.txt\"", (6, 1), &["number 3 is \"three\""]),
    (
        "[[attribute]]\nindex = 1\ntype = \"ubyte\"\nfile = \"large.txt\"",
        (6, 1),
        &["number 2 is \"300\"", "from 0 to 255"],
    ),
    (
        "[[attribute]]\nindex = 1\nsize = 1\nvalues = [1]",
        (3, 1),
        &["v[WGHT] has 1 vertex; the geometry has 4"],
    ),
    ("[[attribute]]\nindex = 0\nvalue = [1]", (3, 1), &["already provides v[OPOS]"]),
    (
        "[[attribute]]\nindex = 1\nvalue = [1]\n[[attribute]]\nindex = \"WGHT\"\nvalue = [1]",
        (7, 1),
        &["v[WGHT] already has values"],
    ),
    ("[[attribute]]\nindex = 1\nvalues = [1]\nsizes = 1", (6, 1), &["did you mean \"size\""]),
    ("[camera]\nmodel = 3", (4, 1), &["operations in brackets"]),
    ("[camera]\nmodel = [{ turn = 3 }]", (4, 12), &["unknown key \"turn\""]),
    ("[camera]\nmodel = [{ scale = 1, rotate = 3 }]", (4, 10), &["one of translate, rotate and scale"]),
    ("[camera]\nmodel = [{ translate = [1, 2] }]", (4, 12), &["3 numbers", "2 elements"]),
    ("[camera]\nmodel = [{ scale = 1, rate = 3 }]", (4, 23), &["works only with rotate"]),
    ("[camera]\nmodel = [{ rotate = 1, axis = [0, 0, 0] }]", (4, 24), &["must not be zero"]),
    ("[camera]\nmodel = [{ rotate = \"tiem\" }]", (4, 12), &["did you mean \"time\""]),
    ("[matrices]\ntexture8 = []", (4, 1), &["unknown key \"texture8\""]),
    ("[matrices]\nmatrix0 = [1, 2]", (4, 1), &["16 numbers", "2 elements"]),
    ("[matrices]\nmatrix0 = 1", (4, 1), &["16 numbers"]),
    (
        "[matrices]\nmatrix0 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, nan]",
        (4, 1),
        &["must be finite"],
    ),
    ("[[track]]\nmatrix = \"MODELVIEW\"", (3, 1), &["needs register"]),
    ("[[track]]\nregister = 0", (3, 1), &["needs a matrix"]),
    ("[[track]]\nregister = 2\nmatrix = \"MODELVIEW\"", (4, 1), &["multiple of 4"]),
    ("[[track]]\nregister = 256\nmatrix = \"MODELVIEW\"", (4, 1), &["from 0 to 252"]),
    ("[[track]]\nregister = 0\nmatrix = \"MODELVEIW\"", (5, 1), &["did you mean \"MODELVIEW\""]),
    ("[[track]]\nregister = 0\nmatrix = \"COLOR\"", (5, 1), &["cannot be \"COLOR\""]),
    (
        "[[track]]\nregister = 0\nmatrix = \"MATRIX0\"\ntransform = \"INVERT\"",
        (6, 1),
        &["did you mean \"INVERSE\""],
    ),
    (
        "[[track]]\nregister = 0\nmatrix = \"MATRIX0\"\n[[track]]\nregister = 0\nmatrix = \"MATRIX1\"",
        (7, 1),
        &["c[0] already tracks a matrix"],
    ),
    (
        "[parameters]\n\"c[3]\" = 1\n[[track]]\nregister = 0\nmatrix = \"MATRIX0\"",
        (4, 1),
        &["c[3] tracks MATRIX0"],
    ),
    ("[parameters]\n\"c[256]\" = [1]", (4, 1), &["not a parameter", "c[255]"]),
    ("[clear]\nstencil = 256", (4, 1), &["from 0 to 255"]),
    ("[state]\nculling = \"BACK\"", (4, 1), &["unknown key \"culling\" in [state]"]),
    ("[state]\nviewport = [0, 0, -1, 1]", (4, 1), &["from 0 to"]),
    ("[state]\nscissor = [0, 0, 1]", (4, 1), &["x, y, width, height"]),
    ("[state]\nclip_distances = [8]", (4, 1), &["from 0 to 7"]),
    ("[state]\ntwo_side = 1", (4, 1), &["true or false"]),
    ("[state]\nfront_face = \"CWW\"", (4, 1), &["\"CW\""]),
    ("[state]\ncull = \"back\"", (4, 1), &["did you mean \"BACK\""]),
    ("[state]\npolygon_mode = [\"FILL\"]", (4, 1), &["front and back"]),
    ("[state]\npolygon_mode = \"FULL\"", (4, 1), &["did you mean \"FILL\""]),
    ("[state]\npolygon_offset = { units = 1, lines = true }", (4, 31), &["did you mean \"line\""]),
    ("[state]\nshade_model = \"GOURAUD\"", (4, 1), &["\"SMOOTH\""]),
    ("[state]\nline_width = 0", (4, 1), &["greater than 0"]),
    ("[state]\npoint_size = -1", (4, 1), &["greater than 0"]),
    ("[state]\ncoord_replace = [8]", (4, 1), &["from 0 to 7"]),
    ("[state]\nalpha_test = { ref = 2 }", (4, 16), &["from 0 to 1"]),
    ("[state]\nstencil = { front = {}, ref = 1 }", (4, 25), &["unknown key \"ref\""]),
    ("[state]\nstencil = { pass = \"INC\" }", (4, 13), &["did you mean \"INCR\""]),
    ("[state]\nblend = { dst = \"SRC1_COLORS\" }", (4, 11), &["did you mean \"SRC1_COLOR\""]),
    ("[state]\nblend = { equation = \"ADD\" }", (4, 11), &["\"FUNC_ADD\""]),
    ("[state]\nlogic_op = \"NOT\"", (4, 1), &["cannot be \"NOT\""]),
    ("[state]\ncolor_mask = [true, true, 1, true]", (4, 1), &["true or false"]),
    ("[state]\nfog = { mode = \"LINAER\", density = 1 }", (4, 9), &["did you mean \"LINEAR\""]),
    ("[state]\nfog = { density = -1 }", (4, 9), &["must not be negative"]),
];

#[test]
fn every_complaint_about_vertices_and_state_names_its_place() {
    check_faults(FAULTS, load_all);
}

#[test]
fn arrays_of_different_lengths_and_indices_out_of_range_are_refused() {
    let array =
        |index: u8, values: &str| format!("[[attribute]]\nindex = {index}\nsize = 1\nvalues = [{values}]\n");
    for (geometry, (line, column), word) in [
        ("indices = [0, 2]", (5, 1), "names vertex 2, but the arrays have only vertices 0 to 1"),
        ("indices = [0, 9]\nrestart = 8", (5, 1), "names vertex 9"),
        ("indices = [0]\ncount = 2", (6, 1), "from 0 to 1"),
        ("count = 3", (5, 1), "from 0 to 2"),
        ("restart = 3", (5, 1), "works only with indices"),
        ("indices = []", (5, 1), "0 elements"),
        ("indices = [-1]", (5, 1), "whole number"),
    ] {
        let toml = format!("{HEAD}[geometry]\nprimitive = \"POINTS\"\n{geometry}\n{}", array(0, "1, 2"));
        let error = load_all(&toml).unwrap_err();
        assert_eq!(error.place.map(|p| (p.line, p.column)), Some((line, column)), "{error}");
        assert!(error.message.contains(word), "{error}");
    }
    let toml = format!("{HEAD}[geometry]\nprimitive = \"POINTS\"\n{}{}", array(0, "1, 2"), array(7, "1"));
    let error = load_all(&toml).unwrap_err();
    assert!(error.message.contains("v[OPOS] has 2 vertices, but the array for v[7] has 1"), "{error}");
}

#[test]
fn meshes_are_drawn_with_what_is_adjacent() {
    let corners = |name: &str| {
        let scene = scene(&format!("[geometry]\nmesh = \"{name}\"\nadjacency = true\n"));
        let arrays = scene.mesh.arrays().clone();
        assert_eq!(arrays.primitive, Primitive::TrianglesAdjacency);
        let Elements::Indices { indices, .. } = arrays.elements else { panic!("indices") };
        indices.as_chunks::<6>().0.to_vec()
    };
    // Two triangles share the plane's diagonal. Edges at the rim have no neighbour.
    let plane = corners("plane");
    assert_eq!(plane.len(), 2);
    for [a, across_ab, b, across_bc, c, across_ca] in plane {
        let own = [(across_ab, c), (across_bc, a), (across_ca, b)];
        assert_eq!(own.iter().filter(|(across, third)| across == third).count(), 2);
    }
    // Closed meshes have no rim, whatever their seams.
    for name in ["cube", "sphere", "torus", "knot"] {
        let open = corners(name).iter().filter(|[a, ab, b, bc, c, ca]| ab == c || bc == a || ca == b).count();
        assert_eq!(open, 0, "{name}");
    }
    for text in ["", "mesh = \"viewport\"\n"] {
        let toml = format!("[program]\nfragment = \"main.fp\"\n[geometry]\n{text}adjacency = true\n");
        let error = load_text(&toml).unwrap_err();
        assert!(error.message.contains("\"adjacency\" works only with a mesh"), "{error}");
    }
}

#[test]
fn patches_are_of_vertices_or_of_a_mesh() {
    let plain = scene("[geometry]\nmesh = \"cube\"\npatches = true\n");
    assert_eq!((plain.mesh.arrays().primitive, plain.patches), (Primitive::Patches, Patches::DEFAULT));
    assert_eq!(plain.mesh.arrays().element_count(), 36);
    let without = scene("[geometry]\nmesh = \"cube\"\nadjacency = false\npatches = true\n");
    assert_eq!(without.mesh.arrays().primitive, Primitive::Patches);
    let off = scene("[geometry]\nmesh = \"cube\"\npatches = false\n");
    assert_eq!(off.mesh.arrays().primitive, Primitive::Triangles);
    let levels = scene("[geometry]\npatch_vertices = 16\npatch_default_outer_level = [1, 2.5, 3, 4]\npatch_default_inner_level = [5, 6]\n").patches;
    assert_eq!(
        (levels.vertices, levels.levels.outer, levels.levels.inner),
        (16, [1.0, 2.5, 3.0, 4.0], [5.0, 6.0])
    );
    for (text, words) in [
        ("[geometry]\npatch_vertices = 33\n", "from 1 to 32"),
        ("[geometry]\npatch_vertices = 0\n", "from 1 to 32"),
        ("[geometry]\npatch_default_outer_level = [1, 2]\n", "4 numbers"),
        ("[geometry]\npatch_levels = [1, 2]\n", "patch_levels"),
        ("[geometry]\npatches = true\n", "\"patches\" works only with a mesh"),
        ("[geometry]\nmesh = \"cube\"\nadjacency = true\npatches = true\n", "not both"),
    ] {
        let error = load_text(&format!("[program]\nfragment = \"main.fp\"\n{text}")).unwrap_err();
        assert!(error.message.contains(words), "{text}: {error}");
    }
}

#[test]
fn bare_tessellation_programs_are_seen_on_a_model() {
    for (name, text, slots) in [
        ("a.tep", "!!NVtep5.0\nTESS_MODE TRIANGLES;\nEND\n", &[Slot::TessEvaluation][..]),
        ("a.tcp", "!!NVtcp5.0\nVERTICES_OUT 3;\nEND\n", &[Slot::TessControl, Slot::TessEvaluation]),
    ] {
        let scene = Scene::for_program(name, None, text.as_bytes());
        assert_eq!(scene.programs.slots().collect::<Vec<_>>(), slots);
        assert_eq!(scene.mesh.arrays().primitive, Primitive::Patches);
        assert!(
            scene.toml.contains("patches = true") && scene.toml.contains("outer_level = [4"),
            "{}",
            scene.toml
        );
    }
}

/// DrawArrays makes a vertex for each element of the array of attribute 0 (glspec15 2.8).
#[test]
fn a_scene_without_an_array_for_attribute_0_draws_nothing() {
    let head = "[program]\nvertex = \"main.vp\"\n[geometry]\nprimitive = \"POINTS\"\ncount = 1\n";
    let attribute = |index: &str, values: &str| format!("[[attribute]]\nindex = {index}\n{values}\n");
    for (attributes, count) in [
        (attribute("0", "size = 4\nvalues = [1, 2, 3, 4]"), 0),
        (attribute("\"OPOS\"", "size = 4\nvalues = [1, 2, 3, 4]"), 0),
        (attribute("3", "size = 4\nvalues = [1, 2, 3, 4]"), 1),
        (attribute("3", "size = 4\nvalues = [1, 2, 3, 4]") + &attribute("0", "value = [0, 0, 0, 1]"), 1),
    ] {
        let scene = scene_of(&format!("{head}{attributes}"));
        assert_eq!(scene.warnings.len(), count, "{attributes}: {:?}", scene.warnings);
        for warning in &scene.warnings {
            assert_eq!(
                warning.place,
                Some(shadestep_engine::source::LineColumn { line: 4, column: 1 }),
                "{warning}"
            );
            assert_eq!(warning.rule.map(|rule| rule.code.name()), Some("scene-no-vertices"));
        }
    }
    for others in ["", "[geometry]\nmesh = \"sphere\"\n", "[geometry]\ninstances = 2\n"] {
        let scene = scene_of(&format!("[program]\nvertex = \"main.vp\"\n{others}"));
        assert_eq!(scene.warnings, [], "{others}");
    }
}
