//! Tests of `trace`, which prints the run of a pixel, a vertex, a primitive, a patch or state programs as
//! text or JSON.

use super::{TYPED, triangle};
use crate::common::{Json, TempFolder, shadestep};

#[test]
fn traces_show_types_carry_and_overflow() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TYPED);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let sum = "   1  line 4: ADD.S.CC0 a.x, a.x, 1;\n        \
               a.x: 2147483647 -1 3 0, swizzled 2147483647 2147483647 2147483647 2147483647 (uses x)\n        \
               1: 1 1 1 1 (uses x)\n        \
               result x=-2147483648 (0x80000000)\n        \
               a.x: 2147483647 -> -2147483648 (0x80000000)\n        \
               CC0: Z Z Z Z -> SO Z Z Z\n";
    assert!(run.out.contains(sum), "{}", run.out);
    assert!(run.out.contains("a.w: 0 -> 2 (0x40000000)"), "{}", run.out);
    // 0xFFFFFFFF + 1 overflows as an unsigned addition. As a signed addition it is -1 + 1.
    let text =
        "!!NVfp4.0\nUINT TEMP a;\nMOV.U a, 0xFFFFFFFF;\nADD.U.CC1 a.x, a.x, 1;\nMOV result.color, 0;\nEND\n";
    let program = folder.file("a.fp", text);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    for words in ["a.x: 4294967295 -> 0 (0x00000000)", "CC1: Z Z Z Z -> ZC Z Z Z"] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1", "--format", "json"]);
    let trace = Json::parse(&run.out);
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    let step = &fragment.get("steps").items()[1];
    let codes = |name: &str| step.get(name).items().iter().map(|c| c.text().to_owned()).collect::<Vec<_>>();
    assert_eq!(codes("cc1_before"), ["Z", "Z", "Z", "Z"]);
    assert_eq!(codes("cc1_after"), ["ZC", "Z", "Z", "Z"]);
    let before = step.get("changes").items()[0].get("before");
    let number = |text: &str| Json::Number(text.to_owned());
    assert_eq!(before.get("value"), &number("4294967295"));
    assert_eq!((before.get("bits").text(), before.get("type").text()), ("0xffffffff", "U32"));
    assert_eq!(step.get("result").get("type").text(), "U32");
    assert_eq!(fragment.get("color").get("type").text(), "F32");
}

#[test]
fn traces_show_double_precision() {
    let folder = TempFolder::new();
    let text = "!!NVfp5.0\nLONG TEMP d;\nCVT.F64.F32 d, { 1.5, -2.0, 0.0, 0.0 };\nMUL.F64 d.x, d.x, d.y;\n\
                CVT.F32.F64 result.color, d;\nEND\n";
    let program = folder.file("a.fp", text);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    // -3 in fp64 is 0xC008000000000000.
    for words in ["d.x: 1.5 -> -3 (0xc008000000000000)", "colour = -3 -2 0 0 0xc0400000 0xc0000000"] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
}

#[test]
fn trace_text_tells_the_story() {
    let folder = TempFolder::new();
    let program = folder.file(
        "a.fp",
        "!!FP1.0\nMOVR R0, f[TEX0];\nMULRC R1.xy, R0.yxzw, -2;\nMOVR R1.zw (LT.x), R0;\nMOVR o[COLR], R1;\nEND\n",
    );
    let run = shadestep(&["trace", &program, "--pixel", "1,2", "--size", "4x4"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "f[TEX0] = 0.375 0.625 0 1",
        "line 3: MULRC R1.xy, R0.yxzw, -2;",
        "swizzled 0.625 0.375 0 1",
        "R1.x: 0 -> -1.25 (0xbfa00000)",
        "R1.y: 0 -> -0.75 (0xbf400000)",
        "CC: EQ EQ EQ EQ -> LT LT EQ EQ",
        "enables zw",
        "o[COLR].x: undefined -> -1.25",
        "colour = -1.25 -0.75 0 1 0xbfa00000 0xbf400000 0x00000000 0x3f800000",
        "bit for bit",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
}

#[test]
fn trace_shows_instructions_without_their_comments() {
    let folder = TempFolder::new();
    let program =
        folder.file("a.fp", "!!FP1.0\nMOV o[COLR], # \"why\" \u{1}\r  - # so\n  f[TEX0] . x;\nEND\n");
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("line 2: MOV o[COLR], - f[TEX0] . x;"), "{}", run.out);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1", "--format", "json"]);
    let trace = Json::parse(&run.out);
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    let [step] = fragment.get("steps").items() else { panic!("one step") };
    assert_eq!(step.get("text").text(), "MOV o[COLR], - f[TEX0] . x");
}

#[test]
fn trace_json_is_valid_and_complete() {
    let folder = TempFolder::new();
    let program = folder.file(
        "a.fp",
        "!!FP1.0\nDECLARE k = {3, 0, 0, 0};\nMULRC R0, f[TEX0], k.x;\nTEX H1, f[TEX0], TEX2, 2D;\n\
         RCPR R2.x, R0.z;\nKIL EQ.y;\nMOVR_SAT o[COLR].xyz (GT.x), R0;\nMOVR o[COLR].w, R2.x;\nEND\n",
    );
    let run = shadestep(&["trace", &program, "--pixel", "1,2", "--size", "4x4", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let trace = Json::parse(&run.out);
    let number = |text: &str| Json::Number(text.to_owned());
    assert_eq!(trace.get("pixel").items(), [number("1"), number("2")]);
    assert_eq!(trace.get("size").items(), [number("4"), number("4")]);
    assert_eq!(trace.get("agrees"), &Json::Bool(true));
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    assert_eq!(fragment.get("outcome").text(), "written");
    let attributes = fragment.get("initial").get("attributes");
    assert_eq!(attributes.keys(), ["f[TEX0]"]);
    let values = ["0.375", "0.625", "0", "1"].map(number);
    assert_eq!(attributes.get("f[TEX0]").get("value").items(), values);
    let steps = fragment.get("steps").items();
    assert_eq!(steps.len(), 6);
    for (index, step) in steps.iter().enumerate() {
        assert_eq!(step.get("pc"), &number(&index.to_string()));
        for key in ["line", "column", "text", "operands", "texture", "destination", "computed", "result"] {
            step.get(key);
        }
        for key in ["saturated", "converted", "enabled", "changes", "cc_before", "cc_after", "kills"] {
            step.get(key);
        }
        for operand in step.get("operands").items() {
            assert_eq!(
                operand.keys(),
                ["converted", "modified", "register", "relative", "source", "swizzled", "used"]
            );
        }
    }
    // 3 * (0.375, 0.625, 0, 1) has the codes GT GT EQ GT.
    let multiply = &steps[0];
    assert_eq!(multiply.get("text").text(), "MULRC R0, f[TEX0], k.x");
    assert_eq!(multiply.get("result").get("value").items(), ["1.125", "1.875", "0", "3"].map(number));
    let codes = |codes: &Json| codes.items().iter().map(|c| c.text().to_owned()).collect::<Vec<_>>();
    assert_eq!(codes(multiply.get("cc_after")), ["GT", "GT", "EQ", "GT"]);
    assert_eq!(multiply.get("changes").items().len(), 4);
    let change = &multiply.get("changes").items()[1];
    assert_eq!((change.get("register").text(), change.get("component").text()), ("R0", "y"));
    assert_eq!(change.get("after").get("bits").text(), "0x3ff00000");
    assert_eq!(steps[1].get("texture").get("target").text(), "2D");
    assert_eq!(steps[1].get("texture").get("unit"), &number("2"));
    // RCP of +0 is +INF. JSON has no such number, so the value is a string.
    let reciprocal = steps[2].get("changes").items()[0].get("after");
    assert_eq!((reciprocal.get("value").text(), reciprocal.get("bits").text()), ("inf", "0x7f800000"));
    assert_eq!(steps[3].get("destination"), &Json::Null);
    assert_eq!(steps[3].get("kills"), &Json::Bool(false));
    assert_eq!(steps[4].get("saturated").get("value").items()[1], number("1"));
    assert_eq!(steps[4].get("enabled").text(), "xyz");
    let patterns = |bits: &Json| bits.items().iter().map(|b| b.text().to_owned()).collect::<Vec<_>>();
    let color = ["0x3f800000", "0x3f800000", "0x00000000", "0x7f800000"];
    assert_eq!(patterns(fragment.get("color").get("bits")), color);
    assert_eq!(patterns(trace.get("rendered").get("bits")), color);
}

#[test]
fn trace_of_every_fragment_of_a_mesh_and_of_none() {
    let folder = TempFolder::new();
    folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], f[TEX1];\nEND\n");
    let scene = folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\n[geometry]\nmesh = \"sphere\"\n");
    let trace = |pixel: &str| {
        let run = shadestep(&["trace", &scene, "--pixel", pixel, "--size", "32x32", "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        Json::parse(&run.out)
    };
    // Two fragments cover the middle pixel: the front and the back of the sphere. The front remains.
    let middle = trace("16,16");
    let mut outcomes: Vec<_> =
        middle.get("fragments").items().iter().map(|f| f.get("outcome").text().to_owned()).collect();
    assert_eq!(outcomes.len(), 2);
    outcomes.sort();
    assert!(outcomes.contains(&"written".to_owned()), "{outcomes:?}");
    let corner = trace("0,0");
    assert_eq!((corner.get("fragments").items().len(), corner.get("rendered")), (0, &Json::Null));
}

#[test]
fn trace_of_a_patch_and_of_its_vertices() {
    let trace = |arguments: &[&str]| shadestep(&[&["trace", "103-levels"], arguments].concat());
    let control = trace(&["--patch", "0", "--invocation", "2"]);
    assert_eq!(control.code, 0, "{}", control.err);
    for words in
        ["patch 0, invocation 2 at 0 s, vertices 0, 1, 2, 3", "outer levels = 5 2 9 3", "inner levels = 6 4"]
    {
        assert!(control.out.contains(words), "{}", control.out);
    }
    let vertex = trace(&["--patch", "0", "--vertex", "3", "--format", "json"]);
    assert_eq!(vertex.code, 0, "{}", vertex.err);
    let vertex = Json::parse(&vertex.out);
    assert_eq!(vertex.get("language").text(), "!!NVtep5.0");
    assert_eq!(vertex.get("vertices").items().len(), 4);
    assert_eq!(vertex.get("outer").items().len(), 4);
    // The input primitives of the geometry program have numbers too.
    assert_eq!(trace(&["--primitive", "5"]).code, 0);
    assert_eq!(trace(&["--primitive", "5", "--stage", "geometry"]).code, 0);
    assert_eq!(trace(&["--vertex", "2", "--stage", "geometry"]).code, 2);
}

#[test]
fn trace_wants_one_thing_to_trace() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    for (arguments, word) in [
        (&[][..], "--pixel"),
        (&["--pixel", "1,1", "--vertex", "2"], "--vertex"),
        (&["--vertex", "-1"], "-1"),
        (&["--stage", "fragment"], "--pixel X,Y"),
        (&["--stage", "vertex"], "--vertex N"),
        (&["--stage", "vertex", "--pixel", "1,1"], "--vertex N"),
        (&["--stage", "fragment", "--vertex", "1"], "--pixel X,Y"),
        (&["--stage", "state", "--pixel", "1,1"], "run once"),
        (&["--stage", "geometry"], "geometry"),
        (&["--stage", "tess_control"], "--patch N"),
        (&["--stage", "tess_eval"], "--patch N --vertex V"),
        (&["--patch", "1", "--stage", "vertex"], "--patch N --vertex V"),
    ] {
        let run = shadestep(&[&["trace", &program], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(word), "{arguments:?}: {}", run.err);
    }
    for (arguments, words) in [
        (&["--vertex", "0"][..], "no vertex program"),
        (&["--vertex", "0", "--stage", "vertex"], "no vertex program"),
        (&["--stage", "state"], "no state program"),
    ] {
        let run = shadestep(&[&["trace", &program], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    assert_eq!(
        shadestep(&["trace", &program, "--pixel", "1,1", "--stage", "fragment", "--size", "4x4"]).code,
        0
    );
}

/// Relative references in range and out of range, a call, an untaken branch, and results that are written in
/// part.
const FLOW: &str = "!!VP2.0\nARL A0.x, v[1].x;\nMOV R0, c[A0.x+2];\nMOV R1, c[A0.x+255];\nCAL sub;\n\
                    MOVC R2.x, v[1].x;\nBRA over (LT.x);\nMOV o[HPOS], v[OPOS];\nover:\nRET;\n\
                    sub:\nMOV o[COL0].xy, R0;\nRET;\nEND\n";

#[test]
fn vertex_traces_tell_addresses_flow_and_results() {
    let folder = TempFolder::new();
    let scene = triangle(&folder, FLOW, "");
    let run = shadestep(&["trace", &scene, "--vertex", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "vertex 1 of 3 at 0 s",
        "  v[OPOS] = 0.5 -0.5 0 1",
        "  v[WGHT] = 3.7 0 0 1",
        "  c[5] = 1 2 3 4",
        "A0.x: 0 -> 3\n",
        "c[A0.x+2]: c[5] holds 1 2 3 4 (uses",
        "c[A0.x+255]: register 258 is out of range: 0 0 0 0",
        "taken: calls instruction 8, line 12 and pushes the return to instruction 4, line 6",
        "taken: returns to instruction 4, line 6",
        "CC GT EQ EQ EQ: not taken",
        "the call stack is empty: the program ends",
        "ended normally after 10 instructions",
        "  o[COL0] = 1 2 0 1 0x3f800000 0x40000000 0x00000000 0x3f800000, zw not written",
        "  o[HPOS] = 0.5 -0.5 0 1 0x3f000000 0xbf000000 0x00000000 0x3f800000\n",
        "  clip = 0.5 -0.5 0 1\n",
        "  normalized device = 0.5 -0.5 0\n",
        // (0.5 + 1) * 4, (-0.5 + 1) * 4, and the middle of the depth range (glspec15 2.11.1).
        "  window = 6 2 0.5\n",
        "bit for bit",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    assert!(!run.out.contains("c[200]"), "parameters that nothing reads are left out");
    let run = shadestep(&["trace", &scene, "--vertex", "3"]);
    assert!(run.code == 2 && run.err.contains("there is no vertex 3: choose 0 to 2"), "{}", run.err);
}

#[test]
fn vertex_traces_as_json_have_it_all() {
    let folder = TempFolder::new();
    let scene = triangle(&folder, FLOW, "");
    let run = shadestep(&["trace", &scene, "--stage", "vertex", "--vertex", "1", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let trace = Json::parse(&run.out);
    let number = |text: &str| Json::Number(text.to_owned());
    assert_eq!(trace.get("language").text(), "!!VP2.0");
    assert_eq!((trace.get("vertex"), trace.get("agrees")), (&number("1"), &Json::Bool(true)));
    assert_eq!(trace.get("ended").text(), "normal");
    assert_eq!(trace.get("initial").get("attributes").keys(), ["v[OPOS]", "v[WGHT]"]);
    assert_eq!(trace.get("initial").get("parameters").items().len(), 256);
    let steps = trace.get("steps").items();
    let order: Vec<&Json> = steps.iter().map(|step| step.get("pc")).collect();
    let expected = ["0", "1", "2", "3", "8", "9", "4", "5", "6", "7"].map(number);
    assert_eq!(order, expected.iter().collect::<Vec<_>>());
    let address = &steps[0].get("changes").items()[0];
    assert_eq!((address.get("register").text(), address.get("after").keys()), ("A0", vec!["value"]));
    assert_eq!(address.get("after").get("value"), &number("3"));
    let relative = |step: usize| steps[step].get("operands").items()[0].get("relative");
    assert_eq!((relative(1).get("index"), relative(1).get("parameter").text()), (&number("5"), "c[5]"));
    assert_eq!((relative(2).get("index"), relative(2).get("parameter")), (&number("258"), &Json::Null));
    let stack = |step: usize| steps[step].get("stack");
    assert_eq!((steps[3].get("to"), stack(3).get("effect").text()), (&number("8"), "push"));
    assert_eq!((stack(5).get("effect").text(), stack(5).get("at")), ("pop", &number("4")));
    assert_eq!((steps[7].get("taken"), stack(7)), (&Json::Bool(false), &Json::Null));
    assert_eq!(stack(9).get("effect").text(), "underflow");
    let color = trace.get("results").items().iter().find(|r| r.get("name").text() == "o[COL0]").unwrap();
    assert_eq!(color.get("written").text(), "xy");
    assert_eq!(trace.get("window").items(), ["6", "2", "0.5"].map(number));
}

#[test]
fn vertex_traces_say_how_a_run_ended() {
    let folder = TempFolder::new();
    for (body, words) in [
        ("a:\nBRA a;\n", "ended by the instruction limit after 65536 instructions"),
        // The call stack holds four return addresses. The fifth call ends the program.
        ("a:\nCAL a;\n", "ended by CAL with a full call stack after 6 instructions"),
    ] {
        let scene = triangle(&folder, &format!("!!VP2.0\nMOV o[HPOS], v[OPOS];\n{body}END\n"), "");
        let run = shadestep(&["trace", &scene, "--vertex", "0"]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains(words), "{words}");
        assert!(run.out.contains("  clip = -1 -1 0 1\n"), "results count in every case");
    }
}

#[test]
fn state_programs_are_traced_in_their_order() {
    let folder = TempFolder::new();
    let program = folder.file("a.vsp", "!!VSP1.0\nMUL c[20].xy, v[0], v[0];\nEND\n");
    let run = shadestep(&["trace", &program, "--stage", "state", "--time", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "state program 1 of 1 at 2 s",
        "  v[0] = 2 512 512 1",
        "c[20].x: 0 -> 4 (0x40800000)",
        "ended normally after 1 instruction\n",
        "  c[20] = 4 262144 0 0 0x40800000 0x48800000 0x00000000 0x00000000",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    folder.file("b.vsp", "!!VSP1.0\nADD c[20].x, c[20].x, v[0].x;\nEND\n");
    let toml = "[program]\nvertex = \"a.vp\"\n[[state_program]]\nfile = \"a.vsp\"\ninput = [3, 1, 0, 0]\n\
                [[state_program]]\nfile = \"b.vsp\"\ninput = [0.5, 0, 0, 0]\n[geometry]\nmesh = \"cube\"\n";
    folder.file("a.vp", "!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND\n");
    let scene = folder.file("scene.toml", toml);
    let run = shadestep(&["trace", &scene, "--stage", "state", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let trace = Json::parse(&run.out);
    let [_, second] = trace.get("state_programs").items() else { panic!("two programs") };
    let [register] = second.get("results").items() else { panic!("one register") };
    assert_eq!(register.get("name").text(), "c[20]");
    // The first program writes 3 * 3, and the second adds 0.5.
    assert_eq!(register.get("value").get("value").items()[0], Json::Number("9.5".to_owned()));
}

#[test]
fn scenes_without_a_vertex_or_fragment_program_are_traced_through_the_built_in_ones() {
    let folder = TempFolder::new();
    folder.file("a.fp", "!!FP1.0\nMOV o[COLR], f[TEX1];\nEND\n");
    let scene = folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\n[geometry]\nmesh = \"plane\"\n");
    let run = shadestep(&["trace", &scene, "--vertex", "0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    // The first corner of the plane. The camera is at z = 3, so w is 3.
    for words in ["by the built-in vertex program", "v[OPOS] = -1 -1 0 1", "DP4 o[HPOS].x, c[240], v[OPOS];"]
    {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let program = folder.file("b.vp", "!!VP1.1\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], c[12];\nEND\n");
    let run = shadestep(&["trace", &program, "--pixel", "256,256", "--time", "0.25"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in ["no fragment program", "fragment 1 of 2", ", vertices ", "bit for bit"] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
}

/// Two texels with red 0.25 and 0.75. The only pixel of the picture blends them equally. The alpha test
/// fails.
#[test]
fn traces_open_lookups_and_tests() {
    let folder = TempFolder::new();
    let scene = folder.file(
        "scene.toml",
        "size = [1, 1]\n[program]\nfragment = \"main.fp\"\n[[texture]]\nunit = 0\nvalues = [0.25, 0, 0, 1, 0.75, 0, 0, 1]\n\
         format = \"RGBA32F\"\nsize = [2, 1]\nwrap = \"CLAMP_TO_EDGE\"\nmin_filter = \"LINEAR\"\nmag_filter = \"LINEAR\"\n\
         mipmaps = \"none\"\n[state]\nalpha_test = { func = \"LESS\", ref = 0.5 }\n",
    );
    folder.file("main.fp", "!!FP1.0\nTEX o[COLR], f[TEX0], TEX0, 2D;\nEND\n");
    let run = shadestep(&["trace", &scene, "--pixel", "0,0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "RGBA32F, 2 × 1; wrap CLAMP_TO_EDGE, CLAMP_TO_EDGE; min LINEAR, mag LINEAR",
        "level 0, 2 × 1, weight 1, at (1, 0.5):",
        "(0, 0), weight 0.5: 0.25 0 0 1",
        "(1, 0), weight 0.5: 0.75 0 0 1",
        "sum: 0.5 0 0 1",
        "alpha 1 LESS 0.5: fails",
        "Not drawn: the alpha test needs LESS 0.5, but its alpha is 1.",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let run = shadestep(&["trace", &scene, "--pixel", "0,0", "--format", "json"]);
    let trace = Json::parse(&run.out);
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    let filtered = fragment.get("steps").items()[0].get("lookup").get("filtered");
    let [sample] = filtered.get("samples").items() else { panic!("one sample") };
    let [level] = sample.get("levels").items() else { panic!("one level") };
    let weights = level.get("texels").items().iter().map(|texel| texel.get("weight").clone());
    let number = |text: &str| Json::Number(text.to_owned());
    // The image has one row, so both rows of the filter have the same texels after clamping.
    assert_eq!(weights.collect::<Vec<_>>(), ["0.5", "0.5", "0", "0"].map(number));
    assert_eq!(filtered.get("sum").items()[0], number("0.5"));
    let [alpha] = fragment.get("tests").items() else { panic!("one test") };
    assert_eq!((alpha.get("test").text(), alpha.get("compared").text()), ("alpha", "alpha 1 LESS 0.5"));
}

const COUNTS: &str = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP n;\nMOV n, 0;\nLOOP {3, 0, 1};\nADD n.x, n.x, 1;\nENDLOOP;\nMOV result.color, n;\nEND\n";

#[test]
fn traces_watch_expressions_and_end_where_one_holds() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", COUNTS);
    let trace =
        |more: &[&str]| shadestep(&[&["trace", &program, "--pixel", "0,0", "--size", "1x1"], more].concat());
    let run = trace(&["--watch", "n.x", "--watch", "n.x * 2 > 3"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let watched = |name: &str| {
        let start = format!("        watch {name} = ");
        run.out.lines().filter_map(|line| line.strip_prefix(&start)).collect::<Vec<_>>()
    };
    // The values before MOV, after MOV, after LOOP, after three times ADD and ENDLOOP, and after MOV.
    assert_eq!(watched("n.x"), ["undefined", "0", "0", "1", "1", "2", "2", "3", "3", "3"]);
    assert_eq!(watched("n.x * 2 > 3")[4..6], ["false", "true"]);
    let run = trace(&["--until", "n.x == 2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("  n.x == 2 is true before step 5 of 9\n"), "{}", run.out);
    assert_eq!(run.out.matches("ADD n.x").count(), 2, "{}", run.out);
    assert!(!run.out.contains("MOV result.color"), "{}", run.out);
    let run = trace(&["--until", "n.x == 9"]);
    assert!(
        run.out.contains("  n.x == 9 is never true\n") && run.out.contains("MOV result.color"),
        "{}",
        run.out
    );
    let run = trace(&["--watch", "m.x"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    assert!(run.err.contains("\"m.x\", at \"m\": \"m\" is not a register of this program"), "{}", run.err);
}

#[test]
fn json_traces_have_what_is_watched_beside_each_step() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", COUNTS);
    let run = shadestep(&[
        "trace", &program, "--pixel", "0,0", "--size", "1x1", "--format", "json", "--watch", "n.xy",
        "--until", "n.x > 1",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let trace = Json::parse(&run.out);
    let number = |text: &str| Json::Number(text.to_owned());
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    assert_eq!(fragment.get("until"), &number("5"));
    let [before] = fragment.get("watched").items() else { panic!("one watch") };
    assert_eq!(before.get("undefined"), &Json::Bool(true));
    let steps = fragment.get("steps").items();
    assert_eq!(steps.len(), 5);
    let [watched] = steps[4].get("watched").items() else { panic!("one watch") };
    assert_eq!(watched.get("expression").text(), "n.xy");
    assert_eq!(watched.get("value").items(), [number("2"), number("0")]);
    assert_eq!(watched.get("undefined"), &Json::Bool(false));
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let folder = TempFolder::new();
    let scene = triangle(&folder, FLOW, "");
    let patches = "103-levels";
    // The numbers of tessellated vertices and triangles depend on the subdivision, so their messages are cut
    // off.
    let invalid = [
        (&[&scene, "--pixel", "8,7"][..], "there is no pixel 8,7: choose x from 0 to 7 and y from 0 to 7"),
        (&[&scene, "--pixel", "4294967295,0"], "there is no pixel 4294967295,0: choose x from 0 to 7"),
        (&[&scene, "--vertex", "3"], "there is no vertex 3: choose 0 to 2"),
        (&[&scene, "--vertex", "0", "--instance", "1"], "there is no instance 1: the only one is 0"),
        (&[&scene, "--vertex", "0", "--layer", "1"], "there is no layer 1: the only one is 0"),
        (&[&scene, "--vertex", "0", "--color", "4"], "0..=3"),
        (&[patches, "--patch", "99"], "there is no patch 99: the only one is 0"),
        (&[patches, "--patch", "99", "--vertex", "0"], "there is no patch 99: the only one is 0"),
        (&[patches, "--patch", "0", "--invocation", "4"], "there is no invocation 4: choose 0 to 3"),
        (&[patches, "--patch", "0", "--invocation", "300"], "there is no invocation 300: choose 0 to 3"),
        (&[patches, "--patch", "0", "--vertex", "999"], "there is no vertex 999: choose 0 to "),
        (&[patches, "--patch", "0", "--instance", "7"], "there is no instance 7: the only one is 0"),
        (&[patches, "--primitive", "9999"], "there is no primitive 9999: choose 0 to "),
        (
            &[patches, "--primitive", "0", "--invocation", "300"],
            "there is no invocation 300: the only one is 0",
        ),
        (&[patches, "--primitive", "0", "--instance", "7"], "there is no instance 7: the only one is 0"),
    ];
    for (arguments, words) in invalid {
        let run = shadestep(&[&["trace"], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    // The range of a message is inclusive.
    for start in [&["--patch", "0", "--vertex"][..], &["--primitive"]] {
        let run = |number: &str| shadestep(&[&["trace", patches], start, &[number]].concat());
        let refused = run("99999").err;
        let last: u32 = refused.trim_end().rsplit(' ').next().unwrap().parse().unwrap();
        assert_eq!(run(&last.to_string()).code, 0, "{start:?} {last}");
        assert_eq!(run(&(last + 1).to_string()).code, 2, "{start:?} {last}");
    }
}

#[test]
fn traces_print_no_more_steps_than_the_limit() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", COUNTS);
    let trace =
        |more: &[&str]| shadestep(&[&["trace", &program, "--pixel", "0,0", "--size", "1x1"], more].concat());
    // The run has 9 steps.
    let steps = |out: &str| out.lines().filter(|line| line.contains("  line ")).count();
    for (limit, printed, more) in
        [("0", 0, "  9 more steps\n"), ("3", 3, "  6 more steps\n"), ("8", 8, "  1 more step\n")]
    {
        let run = trace(&["--limit", limit]);
        assert_eq!((run.code, steps(&run.out)), (0, printed), "{}", run.out);
        assert!(run.out.contains(more) && run.out.contains("bit for bit"), "{}", run.out);
        let run = trace(&["--limit", limit, "--watch", "n.x"]);
        assert_eq!(
            (steps(&run.out), run.out.matches("watch n.x").count()),
            (printed, printed + 1),
            "{limit}"
        );
        assert!(run.out.contains(more), "{}", run.out);
    }
    for limit in ["9", "10", "1000000"] {
        assert_eq!(trace(&["--limit", limit]).out, trace(&[]).out);
    }
    // `--until` also finds steps after the limit.
    let run = trace(&["--limit", "2", "--until", "n.x == 2"]);
    assert!(steps(&run.out) == 2 && run.out.contains("  3 more steps\n"), "{}", run.out);
    assert!(run.out.contains("  n.x == 2 is true before step 5 of 9\n"), "{}", run.out);
    let json = |more: &[&str]| Json::parse(&trace(&[more, &["--format", "json"]].concat()).out);
    let number = |text: &str| Json::Number(text.to_owned());
    let trace = json(&["--limit", "4", "--watch", "n.x", "--until", "n.x > 1"]);
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    assert_eq!(fragment.get("steps").items().len(), 4);
    assert!(fragment.get("steps").items().iter().all(|step| step.get("watched").items().len() == 1));
    assert_eq!((fragment.get("omitted"), fragment.get("until")), (&number("1"), &number("5")));
    let trace = json(&["--limit", "4"]);
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    assert_eq!((fragment.get("steps").items().len(), fragment.get("omitted")), (4, &number("5")));
}

#[test]
fn divisions_use_the_levels_and_vertices_that_control_programs_leave() {
    let results = |text: &str, start: &str| -> Vec<(String, String)> {
        let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix(start)?.split_once(" = "));
        let decimals = |values: &str| values.split(' ').take(4).collect::<Vec<_>>().join(" ");
        lines.map(|(name, values)| (name.to_owned(), decimals(values))).collect()
    };
    let mut levels = 0;
    for sample in ["103-levels", "104-terrain", "105-rounding", "107-strands", "109-pebble", "110-cracks"] {
        let trace = |of: [&str; 2]| {
            let run = shadestep(&["trace", sample, "--patch", "0", of[0], of[1]]);
            assert_eq!(run.code, 0, "{sample}: {}", run.err);
            run.out
        };
        let invocation = trace(["--invocation", "0"]);
        let outer = results(&invocation, "outer levels").remove(0).1;
        for (number, level) in outer.split(' ').enumerate() {
            let name = format!("patch.tessouter[{number}]");
            for (_, written) in results(&invocation, "result.").iter().filter(|(of, _)| *of == name) {
                assert_eq!(written.split(' ').next(), Some(level), "{sample}: {name}");
                levels += 1;
            }
        }
        let read = trace(["--vertex", "0"]);
        for (name, value) in results(&read, "vertex[0].") {
            let left = results(&invocation, "result.");
            let (_, left) = left.iter().find(|(of, _)| *of == name).expect("a result of that name");
            assert_eq!(value, *left, "{sample}: vertex[0].{name}");
        }
    }
    assert!(levels >= 12, "{levels}");
}
