//! Buffers of scenes on the command line.

use crate::common::{Json, TempFolder, shadestep};

const PROGRAM: &str = "!!NVfp5.0\nLONG UINT TEMP a;\nUINT TEMP n;\nPK64.U a, program.local[1];\n\
    ATOM.ADD.U32 n.x, 1, a.x;\nMOV.U result.color, n.x;\nADD.U64 a.y, a.x, 3;\nSTORE.U16 n, a.y;\nEND\n";

fn scene(folder: &TempFolder) -> String {
    folder.file("main.fp", PROGRAM);
    let toml = "size = [4, 4]\n[program]\nfragment = \"main.fp\"\n[[buffer]]\nname = \"count\"\ntype = \"uint\"\n\
                values = [5, 7]\neach_frame = \"keep\"\n[parameters]\n\"fragment.local[1]\" = 'address_of(\"count\")'\n";
    folder.file("scene.toml", toml)
}

#[test]
fn buffers_are_printed_after_the_last_frame() {
    let folder = TempFolder::new();
    let scene = scene(&folder);
    let run = shadestep(&["render", &scene, "--buffer", "count"]);
    assert_eq!((run.code, &*run.out), (0, "count: 21 7\n"));
    assert!(run.err.contains("line 8") && run.err.contains("STORE of 2 bytes at count+3"), "{}", run.err);
    let run = shadestep(&["render", &scene, "--frames", "3", "--buffer", "count"]);
    assert_eq!((run.code, &*run.out), (0, "count: 53 7\n"));
    let run = shadestep(&["render", &scene, "--buffer", "cuont"]);
    assert_ne!(run.code, 0);
    assert!(run.err.contains("no buffer \"cuont\"") && run.err.contains("\"count\""), "{}", run.err);
}

#[test]
fn traces_tell_what_steps_do_to_memory() {
    let folder = TempFolder::new();
    let scene = scene(&folder);
    let run = shadestep(&["trace", &scene, "--pixel", "0,0"]);
    for words in [
        "        memory U32 at count+0: 5 -> 6\n",
        "        memory U16 at count+3: not a multiple of the size of the access\n",
        "the same bits",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let run = shadestep(&["trace", &scene, "--pixel", "0,0", "--frames", "3"]);
    assert!(run.out.contains("        memory U32 at count+0: 37 -> 38\n"), "{}", run.out);
    let run = shadestep(&["trace", &scene, "--pixel", "0,0", "--format", "json"]);
    let json = Json::parse(&run.out);
    let steps = json.get("fragments").items()[0].get("steps").items();
    let memory = |step: usize| steps[step].get("memory").items();
    let atomic = &memory(1)[0];
    assert_eq!((atomic.get("buffer").text(), atomic.get("storage").text()), ("count", "U32"));
    assert_eq!(atomic.get("after").items()[0].get("bits").text(), "0x00000006");
    assert!(memory(0).is_empty());
    assert!(memory(4)[0].get("fault").text().contains("multiple"));
}
