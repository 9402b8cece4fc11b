//! Integers from textures to attachments, attachments of every format, and instances, from scene to picture.

use super::*;
use shadestep_engine::pipeline::ColorFormat;
use std::collections::BTreeMap;

/// Returns a scene of `toml` with these programs. `main.vp` exists only if `vertex` is not empty.
pub(super) fn scene_of(toml: &str, fragment: &str, vertex: &str) -> Scene {
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let vertex_key = if vertex.is_empty() { "" } else { "vertex = \"main.vp\"\n" };
    let toml = format!("[program]\nfragment = \"main.fp\"\n{vertex_key}{toml}");
    let files: BTreeMap<String, Vec<u8>> =
        [file("scene.toml", &toml), file("main.fp", fragment), file("main.vp", vertex)].into();
    crate::scene::load_in(Folder::Memory(Arc::new(files))).unwrap_or_else(|error| panic!("{toml}\n{error}"))
}

fn bits(frame: &Frame, pixel: [u32; 2]) -> [u32; 4] {
    frame.pixel(pixel).unwrap().color.map(f32::to_bits)
}

/// Fetches the texel at the pixel's position.
const FETCH: &str = "!!NVfp4.0\nINT TEMP at;\nUINT TEMP cell;\nTRUNC.S at, fragment.position;\nMOV.S at.zw, 0;\n\
                     TXF.U cell, at, texture[0], 2D;\nMOV.U result.color, cell;\nEND\n";

#[test]
fn integers_go_from_a_texture_to_an_attachment_untouched() {
    let toml = "[[texture]]\nunit = 0\nformat = \"RG32UI\"\nsize = [2, 2]\n\
                values = [1, 4294967295, 2147483648, 300, 5, 6, 7, 8]\n[[attachment]]\nformat = ";
    let (compiled, job) = job(scene_of(&format!("{toml}\"RGBA32UI\"\n"), FETCH, ""), [2, 2]);
    let frame = check_agreement(&compiled, &job, 1);
    assert_eq!(frame.note(), None);
    // The components that RG lacks are 0 and 1.
    assert_eq!(bits(&frame, [0, 0]), [1, u32::MAX, 0, 1]);
    assert_eq!(bits(&frame, [1, 0]), [0x8000_0000, 300, 0, 1]);
    assert_eq!(bits(&frame, [1, 1]), [7, 8, 0, 1]);
    // The picture shows the low eight bits, upper row first.
    assert_eq!(frame.to_rgba8(), [[5, 6, 0, 1], [7, 8, 0, 1], [1, 255, 0, 1], [0, 44, 0, 1]].concat());
    let png = image::load_from_memory(&frame.into_png().unwrap()).unwrap().to_rgba8();
    assert_eq!(png.get_pixel(1, 1).0, [0, 44, 0, 1]);
    // A smaller format stores the nearest integer in its range.
    let (compiled, job) = super::job(scene_of(&format!("{toml}\"RGBA8UI\"\n"), FETCH, ""), [2, 2]);
    let frame = check_agreement(&compiled, &job, 1);
    assert_eq!(bits(&frame, [1, 0]), [255, 255, 0, 1]);
}

#[test]
fn attachments_hold_what_their_format_has() {
    let program = "!!NVfp4.0\nOPTION ARB_draw_buffers;\nTEMP t;\nSGE t.x, fragment.position.x, 1.0;\nKIL -t.x;\n\
                   MOV result.color[0], { 0.1, 2.0, -1.0, 0.5 };\nMOV result.color[1], { 3.0, 4.0, 5.0, 6.0 };\nEND\n";
    // The nearest of 256 levels (the even one for 127.5), the nearest fp16 number, and fp32 unchanged.
    let tenth = f32::from_bits(0x3DCC_C000);
    for (format, expected, cleared) in [
        ("RGBA8", [26.0 / 255.0, 1.0, 0.0, 128.0 / 255.0], [51.0 / 255.0, 1.0, 0.0, 1.0]),
        ("RGBA16F", [tenth, 2.0, -1.0, 0.5], [f32::from_bits(0x3E4C_C000), 7.0, -2.0, 1.0]),
        ("RGBA32F", [0.1, 2.0, -1.0, 0.5], [0.2, 7.0, -2.0, 1.0]),
    ] {
        let toml = format!(
            "[clear]\ncolor = [9, 9, 9, 9]\n[[attachment]]\nformat = \"{format}\"\nclear = [0.2, 7, -2, 1]\n"
        );
        let (compiled, mut job) = job(scene_of(&toml, program, ""), [2, 1]);
        let frame = check_agreement(&compiled, &job, 1);
        assert_eq!([0, 1].map(|x| frame.pixel([x, 0]).unwrap().color), [expected, cleared], "{format}");
        assert_eq!(frame.color_format().name(), format);
        // The other output colour has an attachment of the default format.
        job.output_color = 1;
        let frame = check_agreement(&compiled, &job, 1);
        assert_eq!(frame.pixel([0, 0]).unwrap().color, [3.0, 4.0, 5.0, 6.0]);
        assert_eq!(
            (frame.pixel([1, 0]).unwrap().color, frame.color_format()),
            ([9.0; 4], ColorFormat::Rgba32F)
        );
    }
}

#[test]
fn integers_are_neither_blended_nor_tested_by_alpha() {
    let program = "!!NVfp4.0\nMOV.S result.color, { -3, 200, 40000, 0 };\nEND\n";
    let toml = "[state]\nblend = { src = \"ZERO\", dst = \"ONE\" }\nalpha_test = { func = \"NEVER\", ref = 0 }\n\
                [[attachment]]\nformat = \"RGBA16I\"\nclear = [1, 2, 3, 4]\n";
    let (compiled, job) = job(scene_of(toml, program, ""), [2, 2]);
    let frame = check_agreement(&compiled, &job, 1);
    assert_eq!(bits(&frame, [1, 1]).map(u32::cast_signed), [-3, 200, 32_767, 0]);
    assert_eq!(frame.types(), [shadestep_engine::ir::Type::S32; 4]);
    // -32768 is black and 32767 white.
    assert_eq!(frame.to_rgba8()[..4], [127, 128, 255, 128]);
}

#[test]
fn numbers_in_attachments_of_integers_are_told() {
    let program = "!!NVfp4.0\nMOV result.color, { 1.0, 2.0, 3.0, 4.0 };\nEND\n";
    let note = |toml: &str, program: &str| {
        let (compiled, job) = job(scene_of(toml, program, ""), [2, 2]);
        draw(&compiled, &job).note()
    };
    let told = note("[[attachment]]\nformat = \"RGBA32UI\"\n", program).unwrap();
    assert!(told.contains("output colour 0 as F32") && told.contains("needs U32"), "{told}");
    let integers = "!!NVfp4.0\nMOV.U result.color, 7;\nEND\n";
    let told = note("[[attachment]]\nformat = \"RGBA8\"\n", integers).unwrap();
    assert!(told.contains("output colour 0 as U32") && told.contains("needs F32"), "{told}");
    assert_eq!(note("[[attachment]]\nformat = \"RGBA8\"\n", program), None);
    assert_eq!(note("", integers), None, "all bits are kept");
}

#[test]
fn attachments_of_integers_want_a_fragment_program() {
    let drawn = |format: &str| {
        let toml = format!("[program]\nvertex = \"main.vp\"\n[[attachment]]\nformat = \"{format}\"\n");
        let vertex = "!!NVvp4.0\nMOV result.position, vertex.position;\nMOV result.color, 1;\nEND\n";
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let files: BTreeMap<String, Vec<u8>> = [file("scene.toml", &toml), file("main.vp", vertex)].into();
        let scene = crate::scene::load_in(Folder::Memory(Arc::new(files))).unwrap();
        let (compiled, job) = job(scene, [2, 2]);
        render(&compiled, &job, &Threads::new(1).unwrap(), &CANCEL).map(|_| ())
    };
    assert!(drawn("RGBA8").is_ok());
    let refused = drawn("RGBA8UI").unwrap_err().to_string();
    assert!(refused.contains("RGBA8UI") && refused.contains("a fragment program"), "{refused}");
}

#[test]
fn numbers_come_from_a_buffer() {
    let program = "!!NVfp4.0\nINT TEMP at;\nTRUNC.S at, fragment.position;\nMOV.S at.yzw, 0;\n\
                   TXF result.color, at, texture[0], BUFFER;\nEND\n";
    let toml = "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nformat = \"RG32F\"\nvalues = [0.1, -2, 3, 4e9]\n";
    let (compiled, job) = job(scene_of(toml, program, ""), [3, 1]);
    let frame = check_agreement(&compiled, &job, 1);
    assert_eq!(frame.pixel([0, 0]).unwrap().color, [0.1, -2.0, 0.0, 1.0]);
    assert_eq!(frame.pixel([1, 0]).unwrap().color, [3.0, 4e9, 0.0, 1.0]);
}

/// Each instance is a point on its own pixel. The colours are its number and an array element that advances
/// every two instances.
const POINTS: &str = "[geometry]\nprimitive = \"POINTS\"\ninstances = 4\n\
    [[attribute]]\nindex = 0\nsize = 2\nvalues = [0, 0, 0, 0]\n\
    [[attribute]]\nindex = 6\nsize = 1\nvalues = [0.25, 0.75]\ndivisor = 2\n\
    [clear]\ncolor = [0, 0, 0, 0]\n";

const POINTS_VERTEX: &str = "!!NVvp4.0\nTEMP t;\nI2F t.x, vertex.instance.x;\nMAD t.y, t.x, 0.5, -0.75;\n\
    MOV result.position, vertex.position;\nMOV result.position.x, t.y;\nMOV result.color.x, t.x;\n\
    MOV result.color.y, vertex.attrib[6].x;\nMOV result.color.zw, 1.0;\nEND\n";

#[test]
fn instances_have_numbers_and_elements_of_their_own() {
    let fragment = "!!NVfp4.0\nMOV result.color, fragment.color;\nEND\n";
    let (compiled, mut job) = job(scene_of(POINTS, fragment, POINTS_VERTEX), [4, 1]);
    let frame = check_agreement(&compiled, &job, 1);
    // Vertex colours are clamped to 1.
    let row = [0, 1, 2, 3].map(|x| frame.pixel([x, 0]).unwrap().color);
    assert_eq!(row, [[0.0, 0.25], [1.0, 0.25], [1.0, 0.75], [1.0, 0.75]].map(|[r, g]| [r, g, 1.0, 1.0]));
    for (x, instance) in (0..4).zip(0..) {
        let fragments = fragments(&compiled, &job, [x, 0]);
        let of: Vec<(u32, u32)> = fragments.iter().map(|f| (f.instance, f.primitive)).collect();
        assert_eq!(of, [(instance, 0), (instance, 1)], "both points of an instance");
        // The list of vertices and stepping use that instance.
        job.instance = instance;
        let (list, call) = VertexList::new(&compiled, &job).unwrap();
        let window = list.get(1).unwrap().window.unwrap();
        assert_eq!(window[..2], [x as f32 + 0.5, 0.5]);
        let values = vertex_values(&call, 1, instance).unwrap();
        let recorded = record_vertex(&compiled, &job, 1, &CANCEL).unwrap();
        assert_eq!(recorded.vertex.window, Some(window));
        assert_eq!(recorded.recording.outputs, values.outputs);
        let inputs = &values.attributes;
        assert_eq!(inputs[shadestep_engine::ir::Attribute::Instance.index()][0], u64::from(instance));
        assert_eq!(singles(inputs[6])[0], if instance < 2 { 0.25 } else { 0.75 });
    }
}

/// A point whose colour is an integer, an unsigned integer and the words of a double.
const TYPED_VERTEX: &str = "!!NVvp5.0\nINT ATTRIB signed = vertex.attrib[1];\nUINT ATTRIB unsigned = vertex.attrib[2];\n\
    LONG ATTRIB long = vertex.attrib[3];\nUINT TEMP words;\nUP64.U words, long;\nMOV result.position, vertex.position;\n\
    MOV.S result.attrib[0].x, signed.x;\nMOV.U result.attrib[0].y, unsigned.x;\nMOV.U result.attrib[0].zw, words.xyxy;\nEND\n";

#[test]
fn typed_arrays_reach_vertex_programs_untouched() {
    let fragment = "!!NVfp4.0\nFLAT UINT ATTRIB a = fragment.attrib[0];\nMOV.U result.color, a;\nEND\n";
    let geometry = "[geometry]\nprimitive = \"POINTS\"\n[[attachment]]\nformat = \"RGBA32UI\"\n\
        [[attribute]]\nindex = 0\nsize = 2\nvalues = [0, 0]\n";
    let arrays = "[[attribute]]\nindex = 1\ntype = \"int\"\nsize = 1\nvalues = [-2]\n\
        [[attribute]]\nindex = 2\ntype = \"uint\"\nsize = 1\nvalues = [4000000000]\n\
        [[attribute]]\nindex = 3\ntype = \"float64\"\nsize = 1\nvalues = [0.1]\n";
    let current = "[[attribute]]\nindex = 1\ntype = \"int\"\nvalue = [-2]\n\
        [[attribute]]\nindex = 2\ntype = \"uint\"\nvalue = [4000000000]\n\
        [[attribute]]\nindex = 3\ntype = \"uint64\"\nvalue = [0x3FB999999999999A]\n";
    for attributes in [arrays, current] {
        let (compiled, job) =
            job(scene_of(&format!("{geometry}{attributes}"), fragment, TYPED_VERTEX), [1, 1]);
        let frame = check_agreement(&compiled, &job, 1);
        // 0.1 is 0x3FB999999999999A.
        assert_eq!(bits(&frame, [0, 0]), [-2_i32 as u32, 4_000_000_000, 0x9999_999A, 0x3FB9_9999]);
    }
}

#[test]
fn each_of_eight_clip_distances_cuts() {
    let fragment = "!!NVfp4.0\nMOV result.color, 1.0;\nEND\n";
    for plane in 0..8 {
        let vertex = format!(
            "!!NVvp4.0\nMOV result.position, vertex.position;\nMOV result.clip[{plane}].x, vertex.position.x;\nEND\n"
        );
        for (enabled, left) in [(plane, [0.0; 4]), ((plane + 1) % 8, [1.0; 4])] {
            let toml = format!("[state]\nclip_distances = [{enabled}]\n[clear]\ncolor = [0, 0, 0, 0]\n");
            let (compiled, job) = job(scene_of(&toml, fragment, &vertex), [2, 1]);
            let frame = check_agreement(&compiled, &job, 1);
            let colors = [0, 1].map(|x| frame.pixel([x, 0]).unwrap().color);
            assert_eq!(colors, [left, [1.0; 4]], "distance {plane}, CLIP_PLANE{enabled}");
        }
    }
}
