//! Formats of attachments, instances, and incomplete textures, on the command line.

use crate::common::{Json, TempFolder, shadestep};

/// Writes a scene with this fragment program. `toml` is the end of `scene.toml`.
fn scene(folder: &TempFolder, fragment: &str, toml: &str) -> String {
    folder.file("main.fp", fragment);
    folder.file("scene.toml", format!("size = [4, 4]\n[program]\nfragment = \"main.fp\"\n{toml}"))
}

const INTEGERS: &str = "!!NVfp4.0\nOPTION ARB_draw_buffers;\nMOV.U result.color[0], { 300, 7, 4294967295, 1 };\nMOV result.color[1], 0.1;\nEND\n";

#[test]
fn probes_tell_the_register_and_what_the_attachment_holds() {
    let folder = TempFolder::new();
    let scene = scene(
        &folder,
        INTEGERS,
        "[[attachment]]\nformat = \"RGBA8UI\"\n[[attachment]]\nformat = \"RGBA16F\"\n",
    );
    let picture = folder.0.join("o.png");
    let run = shadestep(&["render", &scene, "--probe", "1,2", "-o", &picture.display().to_string()]);
    let expected =
        "1,2: 300 7 4294967295 1 0x0000012c 0x00000007 0xffffffff 0x00000001, RGBA8UI 255 7 255 1\n";
    assert_eq!((run.code, &*run.out, &*run.err), (0, expected, ""));
    assert_eq!(image::open(&picture).expect("a picture").to_rgba8().get_pixel(1, 1).0, [255, 7, 255, 1]);
    // The fp16 number nearest to 0.1 is 0x2E66.
    let run = shadestep(&["render", &scene, "--probe", "0,0", "--color", "1"]);
    assert!(run.out.ends_with(", RGBA16F 0.099975586 0.099975586 0.099975586 0.099975586\n"), "{}", run.out);
    let run = shadestep(&["trace", &scene, "--pixel", "1,2"]);
    for words in [
        "  colour = 300 7 4294967295 1 0x0000012c 0x00000007 0xffffffff 0x00000001\n",
        "  pixel after this fragment: 255 7 255 1 0x000000ff 0x00000007 0x000000ff 0x00000001\n",
        "the picture holds the same value, bit for bit: 255 7 255 1 0x000000ff 0x00000007 0x000000ff 0x00000001",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let run = shadestep(&["trace", &scene, "--pixel", "1,2", "--format", "json"]);
    let json = Json::parse(&run.out);
    let rendered = json.get("rendered");
    assert_eq!(rendered.get("type").text(), "U32");
    assert_eq!(json.get("fragments").items().len(), 1);
}

#[test]
fn what_is_undefined_or_not_complete_is_noted() {
    let folder = TempFolder::new();
    let program = "!!NVfp4.0\nINT TEMP t;\nMOV.S t, 0;\nTXF.U result.color, t, texture[0], 2D;\nEND\n";
    let toml =
        "[[texture]]\nunit = 0\nformat = \"R8UI\"\nsize = [1, 1]\nvalues = [9]\nmag_filter = \"LINEAR\"\n";
    let path = scene(&folder, program, toml);
    let run = shadestep(&["render", &path, "--probe", "0,0"]);
    assert!(run.err.starts_with("shadestep: note: scene.toml:9:1: the texture is incomplete"), "{}", run.err);
    assert_eq!(run.code, 0);
    let run = shadestep(&["check", &path]);
    assert!(run.out.starts_with(&format!("{path}:9:1: warning: the texture is incomplete")), "{}", run.out);
    assert_eq!((run.code, run.lines().len(), &*run.err), (0, 2, ""));
    assert_eq!(shadestep(&["check", "--deny", "warnings", &path]).code, 1);
    let path =
        scene(&folder, "!!NVfp4.0\nMOV result.color, 1;\nEND\n", "[[attachment]]\nformat = \"RGBA32I\"\n");
    let run = shadestep(&["render", &path, "--probe", "0,0"]);
    assert!(
        run.err.contains("writes output colour 0 as F32") && run.err.contains("undefined"),
        "{}",
        run.err
    );
}

#[test]
fn traces_tell_the_instance() {
    let folder = TempFolder::new();
    folder.file(
        "main.vp",
        "!!NVvp4.0\nTEMP t;\nI2F t, vertex.instance.x;\nMAD t.x, t.x, 0.5, -0.75;\nMOV result.position, vertex.position;\n\
         MOV result.position.x, t.x;\nMOV result.color, t;\nEND\n",
    );
    let scene = scene(
        &folder,
        "!!NVfp4.0\nMOV result.color, fragment.color;\nEND\n",
        "vertex = \"main.vp\"\n[geometry]\nprimitive = \"POINTS\"\ninstances = 3\n\
         [[attribute]]\nindex = 0\nsize = 2\nvalues = [0, 0.25, 0, 0.75]\n",
    );
    let run = shadestep(&["trace", &scene, "--vertex", "1", "--instance", "2"]);
    assert!(run.out.contains("vertex 1 of 2, instance 2 of 3, at 0 s"), "{}", run.out);
    // (0.25 + 1) * 2 and (0.75 + 1) * 2.
    assert!(run.out.contains("  window = 2.5 3.5 0.5\n") && run.out.contains("bit for bit"), "{}", run.out);
    let run = shadestep(&["trace", &scene, "--vertex", "1", "--instance", "2", "--format", "json"]);
    assert!(run.out.contains("\"instance\":2,"), "{}", run.out);
    let run = shadestep(&["trace", &scene, "--pixel", "1,2"]);
    assert!(run.out.contains("fragment 1 of 1, instance 1, primitive 0, vertices 0"), "{}", run.out);
    let run = shadestep(&["trace", &scene, "--vertex", "1", "--instance", "3"]);
    assert!(run.code == 2 && run.err.contains("there is no instance 3: choose 0 to 2"), "{}", run.err);
    let run = shadestep(&["trace", &scene, "--pixel", "1,2", "--instance", "1"]);
    assert!(run.code == 2 && run.err.contains("such as --vertex N"), "{}", run.err);
}
