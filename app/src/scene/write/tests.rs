//! Reads every change back from the text, and checks that the rest of the text is unchanged.

use super::*;
use crate::scene::{
    AutoSource, Contents, EachFrame, ElementType, Folder, Known, MatrixOperation, MatrixTransform,
    ProgramFile, Reach, SceneTexture, Widget, bundled, read,
};
use shadestep_engine::gl::{Coordinate, LightColor, LightNumber, MaterialColor, Matrix};
use shadestep_engine::ir::TexGenSpace;
use shadestep_engine::memory::Mode;
use shadestep_engine::pipeline::{
    Blend, BlendEquation, BlendFactor, ColorFormat, CompareFunc, CullFace, FrontFace, LogicOp, PolygonMode,
    RasterState, Samples, ShadeModel, Stencil, StencilFace, StencilOp,
};
use shadestep_engine::texture::{DepthMode, Format, ImageFormat, MagFilter, MinFilter, Sampler, Wrap};
use std::sync::Arc;

/// The scene of `text`. Any program name exists.
fn scene(text: &str) -> Scene {
    let program = |name: &str| ProgramFile { name: name.to_owned(), path: None, text: Arc::default() };
    let programs = ["a.vp", "b.fp", "c.vsp", "d.vsp", "new.vp", "new.fp", "new.vsp"].map(program);
    let known = Known { programs: &programs, ..Known::default() };
    let bytes = [("bytes.bin".to_owned(), vec![1, 2, 3, 4])];
    read(text, ("test", None), &Folder::Memory(Arc::new(bytes.into())), known, Reach::Files)
        .unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// A scene with many settings, in unusual spellings.
const FULL: &str = r#"# A comment on top.
title = "Full"   # behind

size = [ 64,
         32 ] # lines

[program]
fragment = 'b.fp'
vertex = "a.vp"
state = ["c.vsp", 'd.vsp']

[geometry]
mesh = "torus"

[camera]
fov = 30.0
eye = [0, 0, 3.50]  # eye

[matrices]
texture0 = [{ translate = ["time", 0, 0] }]

[[track]]
register = 0x0
matrix = "MODELVIEW_PROJECTION"

[[track]]
register = 8
matrix = "MODELVIEW"
transform = "INVERSE"

[parameters]
# the light
light = [0.5, 0.70, 0.5]
gloss = 32
"fragment.local[3]" = [1, 2]
"c[20]" = { value = [0.25, 0.5], min = -1 , widget = "color" }
tint.value = [1]
tint.max = 4

[subroutines]
"fragment.shade" = 'glossy'   # for now
"vertex.bones" = [ "a", "b",
  "c" ]

[state]
cull = "BACK"
stencil = { func = "LESS" }

[[light]]
diffuse = [1, 0, 0]

[[light]]
number = 5
position = [0, 1, 0, 0]
attenuation = [1, 0.5, 0]

[material]
ambient = [0.1, 0.2, 0.3]
back = { shininess = 3 }

[[texture]]
unit = 0
image = "builtin:checker"
wrap = ["REPEAT", "CLAMP"]
"#;

const BARE: &str = "[program]\nfragment = \"b.fp\"\n";

/// The texts that every edit is tried on.
const TEXTS: [&str; 2] = [FULL, BARE];

fn vector(values: [f32; 4]) -> [Component; 4] {
    values.map(Component::Constant)
}

/// Applies `edit` to every text. The scene read back must satisfy `is_so`, and all lines of the old text
/// except those in `lost` must remain.
#[track_caller]
fn check(edit: SceneEdit, lost: usize, is_so: impl Fn(&Scene) -> bool) {
    for text in TEXTS {
        let before = scene(text);
        let after = edited(text, &before, &edit).unwrap();
        let now = scene(&after);
        assert!(is_so(&now), "{edit:?}\n{after}");
        let gone: Vec<&str> = text.lines().filter(|line| !after.lines().any(|new| new == *line)).collect();
        assert!(gone.len() <= lost, "{edit:?} changed {gone:?}\n{after}");
        // The second application changes nothing.
        let adds = matches!(edit, SceneEdit::AddProgram(..) | SceneEdit::RemoveProgram(_));
        assert!(adds || edited(&after, &now, &edit).unwrap() == after, "{edit:?}\n{after}");
    }
}

#[test]
fn parameters_are_written_where_and_as_they_were() {
    let named = |name: &str| ParameterKey::parse(name).unwrap();
    let value = |s: &Scene, key: &ParameterKey| s.parameters.iter().find(|p| p.key == *key).map(|p| p.value);
    for name in ["light", "gloss", "p[3]", "c[20]", "tint", "fresh", "vertex.local[7]", "p[0]"] {
        let key = named(name);
        let new = match name {
            "gloss" => vector([7.5; 4]),
            _ => vector([0.1, -2.0, 1e-7, 1.0]),
        };
        check(SceneEdit::Parameter(key.clone(), new), 1, |s| value(s, &key) == Some(new));
        check(SceneEdit::RemoveParameter(key.clone()), 2, |s| value(s, &key).is_none());
    }
    // Numbers read back bit-identical, and sources keep their names.
    let key = named("odd");
    let odd = [f32::MAX, f32::MIN_POSITIVE, -0.0, 16_777_217.0, 3.4e10, 1e-42, 0.1, f32::INFINITY];
    for number in odd {
        let sources = [Component::Constant(number), Component::Auto(AutoSource::MouseX)];
        let new = [sources[0], sources[1], sources[0], Component::Auto(AutoSource::Time)];
        check(SceneEdit::Parameter(key.clone(), new), 0, |s| {
            let Some([Component::Constant(read), rest @ ..]) = value(s, &key) else { return false };
            read.to_bits() == number.to_bits() && rest[0] == sources[1] && rest[2] == new[3]
        });
    }
    let text =
        edited(FULL, &scene(FULL), &SceneEdit::Parameter(named("light"), vector([0.5, 0.7, 0.25, 1.0])))
            .unwrap();
    assert!(text.contains("light = [0.5, 0.70, 0.25]\n"), "spelling stays where the value does\n{text}");
    let text = edited(FULL, &scene(FULL), &SceneEdit::Parameter(named("gloss"), vector([8.0; 4]))).unwrap();
    assert!(text.contains("gloss = 8\n"));
    let kept =
        scene(&edited(FULL, &scene(FULL), &SceneEdit::Parameter(named("c[20]"), vector([0.0; 4]))).unwrap());
    let setting = kept.parameters.iter().find(|p| p.key == named("c[20]")).unwrap();
    assert_eq!((setting.widget, setting.min), (Some(Widget::Color), -1.0));
}

#[test]
fn integers_are_written_with_their_type() {
    let named = |name: &str| ParameterKey::parse(name).unwrap();
    let value = |s: &Scene, key: &ParameterKey| s.parameters.iter().find(|p| p.key == *key).map(|p| p.value);
    let int = [i32::MIN, -1, 16_777_217, i32::MAX].map(Component::Int);
    let uint = [0, 1, 16_777_217, u32::MAX].map(Component::Uint);
    for name in ["p[3]", "c[20]", "p[9]", "fragment.env[7]"] {
        let key = named(name);
        for new in [int, uint] {
            check(SceneEdit::Parameter(key.clone(), new), 1, |s| value(s, &key) == Some(new));
        }
    }
    let then =
        |text: &str, new| edited(text, &scene(text), &SceneEdit::Parameter(named("p[3]"), new)).unwrap();
    let text = format!("{BARE}[parameters]\n\"fragment.local[3]\" = [ 1,  2 ] # two\n");
    let as_int = then(&text, [5, 2, 0, 1].map(Component::Int));
    assert!(
        as_int.ends_with("\"fragment.local[3]\" = { value = [ 5,  2 ], type = \"int\" } # two\n"),
        "{as_int}"
    );
    let as_uint = then(&as_int, [5, 2, 0, 9].map(Component::Uint));
    assert!(as_uint.contains("{ value = [5, 2, 0, 9], type = \"uint\" } # two\n"), "{as_uint}");
    let as_float = then(&as_uint, vector([0.5, 2.0, 0.0, 9.0]));
    assert!(as_float.contains("{ value = [0.5, 2, 0, 9], type = \"float\" } # two\n"), "{as_float}");
    // A spelling stays if its value does. Keys that only fp32 numbers have are removed.
    let text = format!("{BARE}[parameters]\n\"p[3]\" = {{ value = [0xFF, 0b1], type = \"uint\" }}\n");
    let text = then(&text, [255, 2, 0, 1].map(Component::Uint));
    assert!(text.contains("value = [0xFF, 2], type"), "{text}");
    let text = format!("{BARE}[parameters]\n\"p[3]\" = {{ value = 2, max = 9, widget = \"slider\" }}\n");
    let text = then(&text, [2; 4].map(Component::Int));
    assert!(text.contains("{ value = 2, type = \"int\" }"), "{text}");
    assert_eq!(value(&scene(&text), &named("p[3]")), Some([2; 4].map(Component::Int)));
}

#[test]
fn tracks_matrices_camera_and_size() {
    for (register, transform) in
        [(0, MatrixTransform::Transpose), (8, MatrixTransform::Identity), (40, MatrixTransform::Inverse)]
    {
        let track = Track { register, matrix: MatrixName::Tracking(3), transform };
        check(SceneEdit::Track(track), 2, |s| {
            s.tracks.iter().filter(|t| t.register == register).eq([&track])
        });
        check(SceneEdit::RemoveTrack(register), 4, |s| s.tracks.iter().all(|t| t.register != register));
    }
    let constant = MatrixSource::Constant(Matrix::scaling([2.0, 0.1, -3.0]));
    let operations = MatrixSource::Operations(vec![
        MatrixOperation::Rotate {
            angle: Component::Auto(AutoSource::Time),
            rate: 0.5,
            axis: [0.0, 1.0, 0.5],
        },
        MatrixOperation::Translate([1.0, 2.0, 3.0].map(Component::Constant)),
        MatrixOperation::Scale([1.0, 2.0, 3.0].map(Component::Constant)),
    ]);
    for name in [MatrixName::Texture(0), MatrixName::Tracking(7)] {
        let of = |s: &Scene| s.matrices.iter().find(|(n, _)| *n == name).map(|(_, source)| source.clone());
        for source in [&constant, &operations] {
            check(SceneEdit::Matrix(name, source.clone()), 1, |s| of(s).as_ref() == Some(source));
        }
        check(SceneEdit::RemoveMatrix(name), 2, |s| of(s).is_none());
    }
    let camera = Camera { eye: [1.0, 2.0, 3.5], up: [0.0, 0.6, 0.8], near: 0.25, ..Camera::default() };
    check(SceneEdit::Camera(camera), 2, |s| s.camera == camera);
    check(SceneEdit::Size([640, 32]), 1, |s| s.size == [640, 32]);
}

#[test]
fn every_key_of_the_state() {
    let face = |func| StencilFace { func, reference: 3, pass: StencilOp::IncrWrap, ..StencilFace::DEFAULT };
    let (front, back) = (face(CompareFunc::Less), face(CompareFunc::Greater));
    let blend = Blend {
        equation: BlendEquation::ReverseSubtract,
        rgb: [BlendFactor::SrcAlphaSaturate, BlendFactor::OneMinusSrcAlpha],
        alpha: [BlendFactor::Src1Color, BlendFactor::OneMinusSrc1Alpha],
        color: [0.1, 0.2, 0.3, 0.4],
    };
    let key = StateKey::state;
    type Change<'a> = (StateKey, &'a dyn Fn(&mut RasterState));
    let changes: &[Change<'_>] = &[
        (key("clip_distances"), &|s| s.clip_distances = 0b1010_0101),
        (key("clip_distances"), &|s| s.clip_distances = 0),
        (key("cull"), &|s| s.cull = None),
        (key("cull"), &|s| s.cull = Some(CullFace::Front)),
        (key("front_face"), &|s| s.front_face = FrontFace::Cw),
        (key("polygon_mode"), &|s| s.polygon_mode = [PolygonMode::Line; 2]),
        (key("polygon_mode"), &|s| s.polygon_mode = [PolygonMode::Line, PolygonMode::Point]),
        (key("shade_model"), &|s| s.shade_model = ShadeModel::Flat),
        (key("two_side"), &|s| s.two_side = true),
        (key("point_size"), &|s| s.point.size = 2.5),
        (key("program_point_size"), &|s| s.point.from_program = true),
        (key("point_sprite"), &|s| s.point.sprite = true),
        (key("line_width"), &|s| s.line_width = 3.0),
        (StateKey::depth("func"), &|s| s.depth.test = None),
        (StateKey::depth("func"), &|s| s.depth.test = Some(CompareFunc::Gequal)),
        (StateKey::depth("write"), &|s| s.depth.write = false),
        (StateKey::depth("range"), &|s| s.depth.range = [0.25, 0.5]),
        (key("alpha_test"), &|s| s.alpha_test = Some((CompareFunc::Greater, 0.25))),
        (key("alpha_test"), &|s| s.alpha_test = None),
        (key("stencil"), &|s| s.stencil = Some(Stencil { front, back: front })),
        (key("stencil"), &|s| s.stencil = Some(Stencil { front, back })),
        (key("stencil"), &|s| s.stencil = None),
        (key("blend"), &|s| s.blend = Some(blend)),
        (key("blend"), &|s| s.blend = Some(Blend { alpha: blend.rgb, color: [0.0; 4], ..blend })),
        (key("blend"), &|s| s.blend = None),
        (key("logic_op"), &|s| s.logic_op = Some(LogicOp::Equiv)),
        (key("logic_op"), &|s| s.logic_op = None),
        (key("samples"), &|s| s.multisample.samples = Samples::Eight),
        (key("samples"), &|s| s.multisample.samples = Samples::One),
        (key("alpha_to_coverage"), &|s| s.multisample.alpha_to_coverage = true),
        (key("sample_mask"), &|s| s.multisample.mask = Some(5)),
        (key("scissor"), &|s| s.scissor = Some([1, 2, 3, 4])),
        (key("color_mask"), &|s| s.color_mask = [true, false, true, false]),
    ];
    for (key, change) in changes {
        let mut state = RasterState::DEFAULT;
        change(&mut state);
        check(SceneEdit::State(key.of(&state)), 1, |s| key.same(&s.raster, &state));
    }
}

#[test]
fn lights_materials_and_fog() {
    let mut all = vec![
        LightingState::ModelAmbient,
        LightingState::FogColor,
        LightingState::FogDensity,
        LightingState::FogRange,
        LightingState::PointAttenuation,
        LightingState::TexGen(3, Coordinate::R, TexGenSpace::Object),
        LightingState::TexGen(0, Coordinate::S, TexGenSpace::Eye),
        LightingState::TexEnvColor(7),
        LightingState::ClipPlane(4),
    ];
    for face in [CullFace::Front, CullFace::Back, CullFace::FrontAndBack] {
        all.push(LightingState::Shininess(face));
        let colors = [
            MaterialColor::Ambient,
            MaterialColor::Diffuse,
            MaterialColor::Specular,
            MaterialColor::Emission,
        ];
        all.extend(colors.map(|color| LightingState::Material(face, color)));
    }
    for light in [0, 1, 5] {
        let colors = [LightColor::Ambient, LightColor::Diffuse, LightColor::Specular];
        all.extend(colors.map(|color| LightingState::Light(light, color)));
        all.push(LightingState::LightPosition(light));
        all.push(LightingState::SpotDirection(light));
        let numbers = [
            LightNumber::SpotExponent,
            LightNumber::SpotCutoff,
            LightNumber::ConstantAttenuation,
            LightNumber::LinearAttenuation,
            LightNumber::QuadraticAttenuation,
        ];
        all.extend(numbers.map(|which| LightingState::LightNumber(light, which)));
    }
    for state in all {
        let mut value = vector([0.25, 0.5, 0.75, 0.125]);
        value[state.count()..].fill(Component::Constant(0.0));
        let setting = state.with(value);
        let others = |s: &Scene| -> Vec<LightingSetting> {
            s.lighting.iter().filter(|other| other.state != state).copied().collect()
        };
        check(SceneEdit::Lighting(setting), 1, |s| {
            s.lighting.iter().rev().find(|other| other.state == state) == Some(&setting) && s.fog.is_none()
        });
        let factor = matches!(
            state,
            LightingState::LightNumber(
                _,
                LightNumber::ConstantAttenuation
                    | LightNumber::LinearAttenuation
                    | LightNumber::QuadraticAttenuation,
            )
        );
        for text in TEXTS {
            let before = scene(text);
            let set = edited(text, &before, &SceneEdit::Lighting(setting)).unwrap();
            let now = scene(&set);
            // Three attenuation factors share one key.
            assert!(factor || others(&now) == others(&before), "{setting:?} changes others\n{set}");
            let back = edited(&set, &now, &SceneEdit::RemoveLighting(state)).unwrap();
            let gone = scene(&back);
            assert!(!gone.lighting.iter().any(|other| other.state == state), "{setting:?}\n{back}");
            assert!(factor || others(&gone) == others(&before), "{setting:?}\n{back}");
        }
    }
}

#[test]
fn meshes_and_textures() {
    for (source, _) in MeshSource::BUILT_IN {
        check(SceneEdit::Mesh(source.clone()), 1, |s| *s.mesh.source() == source);
    }
    let arrays = "[program]\nvertex = \"a.vp\"\n[geometry]\nprimitive = \"TRIANGLES\" # three\ncount = 3\n\
        [[attribute]]\nindex = 0\nsize = 2\nvalues = [0, 0, 1, 0, 0, 1]\n[[attribute]]\nindex = 5\nvalue = [1]\n";
    let sphere = scene(&edited(arrays, &scene(arrays), &SceneEdit::Mesh(MeshSource::Sphere)).unwrap());
    assert_eq!((sphere.mesh.source(), sphere.attributes.len()), (&MeshSource::Sphere, 1));
    let builtin = |name: &str| ImageSource::Builtin(name.to_owned());
    let mut specs = vec![
        TextureSpec::new(0, TextureTarget::D2, builtin("noise")),
        TextureSpec::new(3, TextureTarget::Cube, builtin("normals")),
        TextureSpec::new(15, TextureTarget::Rect, builtin("white")),
        TextureSpec::new(2, TextureTarget::Shadow2D, builtin("gradient")),
        TextureSpec { mipmaps: Mipmaps::None, ..TextureSpec::new(1, TextureTarget::D2, builtin("xor")) },
    ];
    specs.push(TextureSpec {
        format: Format::Luminance8Alpha8,
        sampler: Sampler {
            min_filter: MinFilter::Nearest,
            mag_filter: MagFilter::Nearest,
            wrap: [Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat],
            max_anisotropy: 4.0,
            lod_bias: -0.5,
            min_lod: 1.0,
            max_lod: 5.0,
            base_level: 1,
            max_level: 6,
            depth_mode: DepthMode::Alpha,
            compare: Some(CompareFunc::Less),
            ..Sampler::default()
        },
        border: [0.5, 0.25, 0.0, 1.0],
        mipmaps: Mipmaps::Given(["xor", "checker"].map(builtin).to_vec()),
        ..TextureSpec::new(0, TextureTarget::D2, builtin("xor"))
    });
    // Filters and levels have the defaults of integer formats if the text does not set them.
    let integers = TextureSpec::new(0, TextureTarget::D2, builtin("xor")).in_format(Format::R8Ui);
    let filters = [MinFilter::Linear, MinFilter::NearestMipmapNearest];
    let sampled = |sampler: Sampler| TextureSpec { sampler, ..integers.clone() };
    specs.extend(filters.map(|min_filter| sampled(Sampler { min_filter, ..integers.sampler })));
    let linear = sampled(Sampler { mag_filter: MagFilter::Linear, ..integers.sampler });
    specs.push(TextureSpec { unit: 4, ..linear });
    specs.push(TextureSpec { unit: 4, ..integers });
    for keys in [
        "format = \"R32UI\"\nsize = [2, 1]\nvalues = [16777217, 4294967295]",
        "format = \"RG32F\"\nsize = [1, 1]\nvalues = [-0.0, 1e30]\nmipmaps = \"none\"",
        "target = \"CUBE\"\nformat = \"R8I\"\nsize = [1, 1]\nvalues = [-1, 2, 3, 4, 5, 6]",
        "target = \"BUFFER\"\nformat = \"RGB32F\"\nvalues = [0.1, nan, inf]",
        "target = \"BUFFER\"\nformat = \"R16UI\"\nfile = \"bytes.bin\"",
    ] {
        specs.push(scene(&format!("{BARE}[[texture]]\nunit = 0\n{keys}\n")).textures[0].spec().clone());
    }
    // Images of one size are not a valid mip chain, which this test is not about.
    if let Some(spec) = specs.iter_mut().find(|spec| matches!(spec.mipmaps, Mipmaps::Given(_))) {
        spec.mipmaps = Mipmaps::Generate;
    }
    for spec in specs {
        let of = |s: &Scene| {
            let mut all = s.textures.iter().map(SceneTexture::spec);
            all.find(|other| (other.unit, other.target) == (spec.unit, spec.target)).cloned()
        };
        check(SceneEdit::Texture(Box::new(spec.clone())), 3, |s| of(s).as_ref() == Some(&spec));
        check(SceneEdit::RemoveTexture(spec.unit, spec.target), 5, |s| of(s).is_none());
    }
    // Modes in brackets keep their spaces, also when all become equal.
    let modes =
        |modes: &str| format!("{BARE}[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nwrap = {modes}\n");
    let text = modes("[ \"REPEAT\", \"CLAMP\",  \"REPEAT\" ] # s, t, r");
    let mut spec = scene(&text).textures[0].spec().clone();
    spec.sampler.wrap = [Wrap::Clamp; 3];
    let after = edited(&text, &scene(&text), &SceneEdit::Texture(Box::new(spec))).unwrap();
    assert_eq!(after, modes("[ \"CLAMP\", \"CLAMP\",  \"CLAMP\" ] # s, t, r"));
    // Another image replaces the values and the keys that belong to them.
    let text = format!("{BARE}[[texture]]\nunit = 0\nformat = \"R8UI\"\nsize = [2, 1]\nvalues = [1, 2]\n");
    let mut spec = scene(&text).textures[0].spec().clone();
    spec.take_image(builtin("noise"));
    let after = edited(&text, &scene(&text), &SceneEdit::Texture(Box::new(spec.clone()))).unwrap();
    assert_eq!(scene(&after).textures[0].spec(), &spec);
    assert!(!after.contains("values") && !after.contains("size"), "{after}");
}

#[test]
fn instances_and_what_they_have_stay_with_another_mesh() {
    let after = edited(FULL, &scene(FULL), &SceneEdit::Instances(7)).unwrap();
    assert_eq!(scene(&after).instances, 7);
    assert_eq!(after.replace("instances = 7\n", ""), FULL);
    // Without a vertex program, the viewport quad is drawn once.
    let bare = edited(BARE, &scene(BARE), &SceneEdit::Instances(7)).unwrap();
    assert!(bare.contains("instances = 7"), "{bare}");
    let text = format!(
        "{BARE}[geometry]\nmesh = \"cube\"\ninstances = 2\n\
         [[attribute]]\nindex = 6\nsize = 1\nvalues = [1, 2]\ndivisor = 1\n"
    );
    let after = scene(&edited(&text, &scene(&text), &SceneEdit::Mesh(MeshSource::Torus)).unwrap());
    assert_eq!((after.mesh.source(), after.instances, after.attributes.len()), (&MeshSource::Torus, 2, 1));
}

#[test]
fn attachments_change_their_format_and_lose_what_it_does_not_have() {
    for format in ColorFormat::ALL {
        for number in [0, 1, 3] {
            check(SceneEdit::Attachment(number, format), 0, |s| s.attachment(number).format == format);
        }
    }
    let text = format!(
        "{BARE}[[attachment]]\n[[attachment]]\nformat = 'RGBA8I' # small\nclear = [-1, 2, 3, 4]\n\
         [[attachment]]\nnumber = 3\nclear = [0.5, 1, 1, 1]\n"
    );
    let then = |number, format| edited(&text, &scene(&text), &SceneEdit::Attachment(number, format)).unwrap();
    let same = then(1, ColorFormat::Rgba8I);
    assert_eq!(same, text, "nothing changes");
    let unsigned = then(1, ColorFormat::Rgba32Ui);
    assert!(unsigned.contains("format = \"RGBA32UI\" # small\n[[attachment]]"), "{unsigned}");
    let half = scene(&then(3, ColorFormat::Rgba16F)).attachment(3);
    assert_eq!((half.format, half.clear), (ColorFormat::Rgba16F, [0.5, 1.0, 1.0, 1.0]));
    assert_eq!(scene(&then(2, ColorFormat::Rgba8)).attachments.len(), 4);
}

#[test]
fn clear_colors_are_written_where_they_are_said() {
    let bits = |integers: [u32; 4]| integers.map(f32::from_bits);
    for number in [0, 1, 3] {
        let color = [0.25, -1.0, 2.0, 0.0];
        check(SceneEdit::ClearColor(number, color), 0, |s| s.attachment(number).clear == color);
    }
    let text = format!(
        "{BARE}[[attachment]]\nformat = \"RGBA8I\"\n[[attachment]]\nformat = \"RGBA32UI\"\n\
         clear = [1, 2, 3, 4] # four\n[[attachment]]\nnumber = 3\n"
    );
    let then = |number, color| edited(&text, &scene(&text), &SceneEdit::ClearColor(number, color)).unwrap();
    assert!(then(0, bits([u32::MAX, 5, 0, 127])).contains("\"RGBA8I\"\nclear = [-1, 5, 0, 127]\n"));
    assert!(then(1, bits([u32::MAX, 0, 0, 9])).contains("clear = [4294967295, 0, 0, 9] # four"));
    let after = scene(&then(3, [0.5, 0.0, 0.0, 1.0]));
    assert_eq!(
        (after.attachment(3).clear, after.clear.color),
        ([0.5, 0.0, 0.0, 1.0], scene(&text).clear.color)
    );
    // A colour without an attachment table is cleared with all buffers.
    let after = scene(&then(2, [0.5, 0.0, 0.0, 1.0]));
    assert_eq!((after.clear.color, after.attachments.len()), ([0.5, 0.0, 0.0, 1.0], 3));
}

#[test]
fn choices_of_subroutines_are_written_where_they_were() {
    let one = |label: &str| SubroutineLabels::One(label.to_owned());
    let each = |labels: &[&str]| SubroutineLabels::Each(labels.iter().map(|&l| l.to_owned()).collect());
    for (name, labels, lost) in [
        ("fragment.shade", one("matte"), 1),
        ("fragment.fresh", one("a\"b"), 0),
        ("fragment.tiles", each(&["x", "y"]), 0),
    ] {
        let key = SubroutineKey::parse(name).unwrap();
        assert_eq!(key.to_string(), name);
        let chosen = |s: &Scene| s.subroutine_choice(&key).cloned();
        check(SceneEdit::Subroutine(key.clone(), labels.clone()), lost, |s| {
            chosen(s) == Some(labels.clone())
        });
        check(SceneEdit::RemoveSubroutine(key.clone()), lost, |s| chosen(s).is_none());
    }
    let then = |text: &str, edit: SceneEdit| edited(text, &scene(text), &edit).unwrap();
    let bones = SubroutineKey::parse("vertex.bones").unwrap();
    let text = then(FULL, SceneEdit::Subroutine(bones.clone(), each(&["a", "d", "c"])));
    assert!(text.contains("\"vertex.bones\" = [ \"a\", \"d\",\n  \"c\" ]\n"), "{text}");
    // Selections are removed with their program.
    let without = scene(&then(&text, SceneEdit::RemoveProgram(Slot::Vertex)));
    let keys: Vec<String> = without.subroutines.iter().map(|choice| choice.key.to_string()).collect();
    assert_eq!(keys, ["fragment.shade"]);
    let text = then(
        &then(FULL, SceneEdit::RemoveSubroutine(bones.clone())),
        SceneEdit::RemoveProgram(Slot::Fragment),
    );
    assert!(!text.contains("[subroutines]"), "{text}");
}

/// A scene with every kind of memory, and with every kind of reference to it.
const MEMORY: &str = r#"[program]
fragment = "b.fp"

[[buffer]]
name = "table"        # what is looked up
type = "int"
values = [1, -2, 3]
bind = ["fragment.buffer[0]", "vertex.buffer[2]"]

[[buffer]]
name = "log"
size = 64
each_frame = "keep"

[[image]]
name = "paint"
format = "RGBA8"
size = [8, 4]
unit = 0
level = 0
access = "READ_ONLY"
texture = 3
filter = "LINEAR"

[[image]]
buffer = "log"
format = "R32F"
unit = 1

[[image]]
image = "paint"
unit = 2

[parameters]
"p[1]" = ['address_of("log")', 'address_of("table")']
"p[2]" = { value = 'address_of("log")', type = "uint" }
"#;

#[test]
fn buffers_and_images_come_and_go() {
    let new = SceneEdit::AddBuffer("extra".to_owned(), vec![(Stage::Fragment, 3)]);
    for text in [FULL, BARE, MEMORY] {
        let before = scene(text);
        let after = edited(text, &before, &new).unwrap();
        assert!(text.lines().all(|line| after.contains(line)), "{after}");
        let now = scene(&after);
        let (number, buffer) =
            now.buffers.iter().enumerate().find(|(_, buffer)| buffer.name == "extra").unwrap();
        assert_eq!((buffer.store.len(), buffer.bound.as_slice()), (1024, &[(Stage::Fragment, 3)][..]));
        let gone = edited(&after, &now, &SceneEdit::RemoveBuffer(number)).unwrap();
        assert_eq!(gone.trim_end(), text.trim_end());
        for (unit, texture) in [(Some(5), None), (None, Some(7))] {
            let edit = SceneEdit::AddImage("canvas".to_owned(), unit, texture);
            let after = edited(text, &before, &edit).unwrap();
            let now = scene(&after);
            let image = now.images.last().unwrap();
            assert_eq!(image.unit.map(|unit| unit.unit), unit);
            assert_eq!(image.lookup.map(|lookup| lookup.unit), texture);
            assert_eq!(image.shape.levels()[0], [256, 256, 1]);
            let last = SceneEdit::RemoveImage(now.images.len() - 1);
            assert_eq!(edited(&after, &now, &last).unwrap().trim_end(), text.trim_end());
        }
    }
}

/// Applies `edit` to [`MEMORY`], twice, and reads the result.
#[track_caller]
fn in_memory(edit: SceneEdit) -> (String, Scene) {
    let before = scene(MEMORY);
    let text = edited(MEMORY, &before, &edit).unwrap();
    let now = scene(&text);
    assert_eq!(edited(&text, &now, &edit).unwrap(), text, "made twice it changes nothing more");
    (text, now)
}

/// Changes a key of a buffer of `text`.
#[track_caller]
fn buffer(text: &str, number: usize, change: impl FnOnce(&mut BufferKeys)) -> SceneEdit {
    let before = scene(text).buffers[number].keys();
    let mut keys = before.clone();
    change(&mut keys);
    SceneEdit::Buffer(number, keys.since(&before).unwrap())
}

/// Changes a key of the first image of `text`.
#[track_caller]
fn image(text: &str, change: impl FnOnce(&mut ImageKeys)) -> SceneEdit {
    let scene = scene(text);
    let before = scene.images[0].keys(&scene.buffers[scene.images[0].buffer]);
    let mut keys = before.clone();
    change(&mut keys);
    SceneEdit::Image(0, keys.since(&before).unwrap())
}

#[test]
fn buffers_are_changed_where_they_are_written() {
    let bytes = |scene: &Scene, number: usize| scene.buffers[number].store.bytes().to_vec();
    let (text, now) = in_memory(buffer(MEMORY, 0, |keys| keys.contents = Contents::Fill(7.0)));
    assert_eq!(bytes(&now, 0), [7, 0, 0, 0].repeat(3), "{text}");
    let (text, now) = in_memory(buffer(MEMORY, 0, |keys| keys.contents = Contents::Unwritten));
    assert_eq!((now.buffers[0].store.len(), text.contains("values")), (12, false));
    let (_, now) = in_memory(buffer(MEMORY, 1, |keys| keys.contents = Contents::Fill(0.25)));
    assert_eq!(bytes(&now, 1), 0.25_f32.to_le_bytes().repeat(16));
    // The filled contents are listed as values.
    let filled = in_memory(buffer(MEMORY, 1, |keys| keys.contents = Contents::Fill(0.25))).0;
    let before = scene(&filled);
    let values = buffer(&filled, 1, |keys| keys.contents = Contents::Values);
    let listed = edited(&filled, &before, &values).unwrap();
    assert!(listed.contains("values = [0.25, 0.25") && !listed.contains("fill"), "{listed}");
    assert_eq!(bytes(&scene(&listed), 1), bytes(&before, 1));
    let (_, now) = in_memory(buffer(MEMORY, 0, |keys| keys.element = ElementType::Short));
    assert_eq!(bytes(&now, 0), [1, 0, 254, 255, 3, 0]);
    let (_, now) = in_memory(buffer(MEMORY, 1, |keys| keys.size = Some(100)));
    assert_eq!(now.buffers[1].store.len(), 100);
    let (_, now) = in_memory(buffer(MEMORY, 1, |keys| keys.access = Mode::ReadOnly));
    assert_eq!(now.buffers[1].access, Mode::ReadOnly);
    let (_, now) = in_memory(buffer(MEMORY, 1, |keys| keys.each_frame = EachFrame::Reset));
    assert_eq!(now.buffers[1].each_frame, EachFrame::Reset);
    for bound in [vec![], vec![(Stage::Fragment, 1)], vec![(Stage::Fragment, 1), (Stage::Geometry, 13)]] {
        let (_, now) = in_memory(buffer(MEMORY, 0, |keys| keys.bound = bound.clone()));
        assert_eq!(now.buffers[0].bound, bound);
    }
    // All references have the new name.
    let (text, now) = in_memory_once(buffer(MEMORY, 1, |keys| keys.name = "journal".to_owned()));
    assert_eq!(now.buffers[1].name, "journal");
    assert_eq!(text, MEMORY.replace("\"log\"", "\"journal\""));
}

#[test]
fn numbers_differ_by_their_bits() {
    let filled = |number| Contents::Fill(number);
    for (before, now, differ) in [(f64::NAN, f64::NAN, false), (0.0, -0.0, true), (0.0, 0.0, false)] {
        let old = BufferKeys { contents: filled(before), ..scene(MEMORY).buffers[1].keys() };
        let new = BufferKeys { contents: filled(now), ..old.clone() };
        assert_eq!(new.since(&old).is_some(), differ, "{before} {now}");
        let scene = scene(MEMORY);
        let keys = scene.images[0].keys(&scene.buffers[scene.images[0].buffer]);
        let old = ImageKeys { contents: filled(before), ..keys };
        let new = ImageKeys { contents: filled(now), ..old.clone() };
        assert_eq!(new.since(&old).is_some(), differ, "{before} {now}");
        let [before, now] = [before, now].map(|number| Component::Constant(number as f32));
        assert_eq!(before != now, differ);
    }
    let (text, now) = in_memory(buffer(MEMORY, 1, |keys| keys.contents = Contents::Fill(-0.0)));
    assert_eq!(now.buffers[1].store.bytes(), (-0.0_f32).to_le_bytes().repeat(16), "{text}");
}

/// As [`in_memory`], with one application, for edits that rename what they refer to.
#[track_caller]
fn in_memory_once(edit: SceneEdit) -> (String, Scene) {
    let text = edited(MEMORY, &scene(MEMORY), &edit).unwrap();
    let now = scene(&text);
    (text, now)
}

#[test]
fn images_are_changed_where_they_are_written() {
    let shape = |scene: &Scene| {
        let shape = &scene.images[0].shape;
        (shape.target(), shape.levels()[0], shape.layers())
    };
    let (_, now) = in_memory(image(MEMORY, |keys| keys.size = [16, 2, 1]));
    assert_eq!(shape(&now), (TextureTarget::D2, [16, 2, 1], 1));
    let format = ImageFormat::from_name("RGBA32F").unwrap();
    let (_, now) = in_memory(image(MEMORY, |keys| keys.format = format));
    assert_eq!(now.images[0].shape.format(), format);
    for (target, expected) in [
        (TextureTarget::D1, ([8, 1, 1], 1)),
        (TextureTarget::D3, ([8, 4, 1], 1)),
        (TextureTarget::Cube, ([8, 8, 1], 6)),
        (TextureTarget::Array2D, ([8, 4, 1], 1)),
    ] {
        let (text, now) = in_memory(image(MEMORY, |keys| keys.target = target));
        assert_eq!(shape(&now), (target, expected.0, expected.1), "{text}");
    }
    let array = in_memory(image(MEMORY, |keys| keys.target = TextureTarget::Array2D)).0;
    let layered = edited(&array, &scene(&array), &image(&array, |keys| keys.layers = Some(5))).unwrap();
    assert_eq!(shape(&scene(&layered)), (TextureTarget::Array2D, [8, 4, 1], 5));
    let flat =
        edited(&layered, &scene(&layered), &image(&layered, |keys| keys.target = TextureTarget::D2)).unwrap();
    assert_eq!(shape(&scene(&flat)), (TextureTarget::D2, [8, 4, 1], 1));
    let (_, now) = in_memory(image(MEMORY, |keys| keys.contents = Contents::Fill(1.0)));
    assert!(now.buffers[2].store.bytes().iter().all(|byte| *byte == 255));
    let (text, now) = in_memory(image(MEMORY, |keys| keys.unit = None));
    assert!(now.images[0].unit.is_none() && !text.contains("READ_ONLY"), "{text}");
    let (_, now) = in_memory(image(MEMORY, |keys| keys.unit = Some(7)));
    assert_eq!(now.images[0].unit.map(|unit| (unit.unit, unit.access)), Some((7, Mode::ReadOnly)));
    let (_, now) = in_memory(image(MEMORY, |keys| keys.access = Mode::WriteOnly));
    assert_eq!(now.images[0].unit.map(|unit| unit.access), Some(Mode::WriteOnly));
    let (text, now) = in_memory(image(MEMORY, |keys| keys.texture = None));
    assert!(now.images[0].lookup.is_none() && !text.contains("filter"), "{text}");
    let (text, _) = in_memory(image(MEMORY, |keys| keys.filter = MagFilter::Nearest));
    assert!(text.contains("filter = \"NEAREST\""), "{text}");
    let (text, _) = in_memory_once(image(MEMORY, |keys| keys.name = Some("canvas".to_owned())));
    assert_eq!(text, MEMORY.replace("\"paint\"", "\"canvas\""));
}

#[test]
fn programs_come_and_go() {
    let names =
        |s: &Scene| s.programs.iter().map(|(slot, file)| format!("{slot} {}", file.name)).collect::<Vec<_>>();
    let full = scene(FULL);
    assert_eq!(names(&full), ["Vertex a.vp", "State c.vsp", "State 2 d.vsp", "Fragment b.fp"]);
    let then = |text: &str, edit: SceneEdit| edited(text, &scene(text), &edit).unwrap();
    let text = then(FULL, SceneEdit::RemoveProgram(Slot::State(0)));
    assert_eq!(names(&scene(&text)), ["Vertex a.vp", "State d.vsp", "Fragment b.fp"]);
    let text = then(&text, SceneEdit::AddProgram(Slot::State(1), "new.vsp".to_owned()));
    assert_eq!(names(&scene(&text)), ["Vertex a.vp", "State d.vsp", "State 2 new.vsp", "Fragment b.fp"]);
    let value = vector([1.0, 2.0, 3.0, 4.0]);
    let text = then(&text, SceneEdit::StateInput(1, value));
    assert_eq!((scene(&text).state_input(1), scene(&text).state_input(0)), (value, full.state_input(0)));
    let text = then(&text, SceneEdit::RemoveProgram(Slot::Vertex));
    assert_eq!(names(&scene(&text)), ["State d.vsp", "State 2 new.vsp", "Fragment b.fp"]);
    // A scene without vertex programs gets the default inputs of vertex programs.
    let text = then(BARE, SceneEdit::AddProgram(Slot::Vertex, "new.vp".to_owned()));
    let mut prepared = scene(BARE);
    prepared.prepare_for_vertices();
    let now = scene(&text);
    assert_eq!((&now.tracks, &now.parameters), (&prepared.tracks, &prepared.parameters));
    assert_eq!(scene(&then(FULL, SceneEdit::StateInput(0, value))).state_input(0), value);
}

#[test]
fn the_default_scene_is_what_its_text_says() {
    for text in ["!!FP1.0\nEND\n", "!!VP1.1\nEND\n", "!!VSP1.0\nEND\n", "!!ARBvp1.0\nEND\n", "nothing"] {
        let made = Scene::for_program("test.fp", None, text.as_bytes());
        let programs: Vec<ProgramFile> = made.programs.iter().map(|(_, file)| file.clone()).collect();
        let known = Known { programs: &programs, ..Known::default() };
        let folder = made.folder.clone();
        let again = read(&made.toml, ("test.fp", None), &folder, known, Reach::Known).unwrap();
        assert_eq!(format!("{again:?}"), format!("{made:?}"), "{}", made.toml);
    }
}

#[test]
fn every_sample_takes_edits_and_gives_them_back() {
    for sample in bundled() {
        let before = sample.load().unwrap();
        let size = SceneEdit::Size([before.size[0] + 1, before.size[1]]);
        let text = edited(&before.toml, &before, &size).unwrap();
        assert_eq!(
            edited(&text, &before, &SceneEdit::Size(before.size)).unwrap().lines().count(),
            text.lines().count()
        );
        for line in before.toml.lines().filter(|line| !line.starts_with("size")) {
            assert!(text.contains(line), "{}: {line}", sample.name);
        }
        let camera = SceneEdit::Camera(Camera { eye: [9.0, 8.0, 7.0], ..before.camera });
        let text = edited(&before.toml, &before, &camera).unwrap();
        let folder = before.folder.clone();
        let scenes = [Arc::new(before)];
        let known = Known { scenes: &scenes, ..Known::default() };
        let after = read(&text, (sample.name, None), &folder, known, Reach::Files).unwrap();
        assert_eq!(after.camera.eye, [9.0, 8.0, 7.0], "{}", sample.name);
    }
}

#[test]
fn what_is_no_toml_is_not_changed() {
    let whole = scene(BARE);
    for text in ["[program", "size = ", "parameters = 3\n[program]\nfragment = \"b.fp\"\n"] {
        let key = ParameterKey::Numbered(1);
        assert!(edited(text, &whole, &SceneEdit::Parameter(key, vector([1.0; 4]))).is_err(), "{text}");
    }
}
