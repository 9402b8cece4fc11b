//! Buffers and images of scenes on the command line.

use crate::common::{Json, TempFolder, shadestep};
use shadestep_engine::texture::ImageFormat;

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
fn a_scene_without_buffers_has_none_to_print() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    let run = shadestep(&["render", &program, "--buffer", "count"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.err, "shadestep: the scene has no buffer \"count\"; there are none\n");
    let toml = "[program]\nfragment = \"a.fp\"\n[parameters]\n\"fragment.local[0]\" = 'address_of(\"x\")'\n";
    let run = shadestep(&["check", &folder.file("scene.toml", toml)]);
    assert!(run.out.ends_with("there is no buffer \"x\"; there are none\n"), "{}", run.out);
}

/// Formats (EXT_shader_image_load_store, Table X.2): the format, the bits of a word, the words of a texel,
/// and the numbers of the texel.
const TEXELS: [(&str, u32, &[u64], &str); 39] = [
    ("RGBA32F", 32, &[0x3F00_0000, 0xC000_0000, 0x4040_0000, 0x3F80_0000], "0.5 -2 3 1"),
    ("RGBA16F", 16, &[0x3800, 0xC000, 0x4200, 0x3C00], "0.5 -2 3 1"),
    ("RG32F", 32, &[0x3F00_0000, 0x7F80_0000], "0.5 inf"),
    ("RG16F", 16, &[0x3800, 0xFC00], "0.5 -inf"),
    // Exponents 15, 14 and 16 with a bias of 15, above mantissas of 6, 6 and 5 bits.
    ("R11F_G11F_B10F", 32, &[15 << 6 | (14 << 6) << 11 | (16 << 5) << 22], "1 0.5 2"),
    ("R32F", 32, &[0xC000_0000], "-2"),
    ("R16F", 16, &[0x4200], "3"),
    ("RGBA32UI", 32, &[1, 0xFFFF_FFFF, 0, 7], "1 4294967295 0 7"),
    ("RGBA16UI", 16, &[1, 0xFFFF, 0, 7], "1 65535 0 7"),
    ("RGB10_A2UI", 32, &[1 | 1023 << 10 | 5 << 20 | 3 << 30], "1 1023 5 3"),
    ("RGBA8UI", 8, &[1, 255, 0, 7], "1 255 0 7"),
    ("RG32UI", 32, &[0xFFFF_FFFF, 2], "4294967295 2"),
    ("RG16UI", 16, &[0xFFFF, 2], "65535 2"),
    ("RG8UI", 8, &[255, 2], "255 2"),
    ("R32UI", 32, &[0x8000_0000], "2147483648"),
    ("R16UI", 16, &[0x8000], "32768"),
    ("R8UI", 8, &[0x80], "128"),
    ("RGBA32I", 32, &[1, 0xFFFF_FFFF, 0, 0x8000_0000], "1 -1 0 -2147483648"),
    ("RGBA16I", 16, &[1, 0xFFFF, 0, 0x8000], "1 -1 0 -32768"),
    ("RGBA8I", 8, &[1, 255, 0, 0x80], "1 -1 0 -128"),
    ("RG32I", 32, &[0xFFFF_FFFE, 2], "-2 2"),
    ("RG16I", 16, &[0xFFFE, 2], "-2 2"),
    ("RG8I", 8, &[0xFE, 2], "-2 2"),
    ("R32I", 32, &[0x8000_0000], "-2147483648"),
    ("R16I", 16, &[0x8000], "-32768"),
    ("R8I", 8, &[0x80], "-128"),
    // 13107 / 65535 is 1/5, 341 / 1023 is 1/3, and 51 / 255 is 1/5.
    ("RGBA16", 16, &[0, 0xFFFF, 13107, 0], "0 1 0.2 0"),
    ("RGB10_A2", 32, &[1023 | 341 << 10 | 2 << 30], "1 0.33333334 0 0.6666667"),
    ("RGBA8", 8, &[51, 255, 0, 102], "0.2 1 0 0.4"),
    ("RG16", 16, &[0xFFFF, 13107], "1 0.2"),
    ("RG8", 8, &[255, 51], "1 0.2"),
    ("R16", 16, &[13107], "0.2"),
    ("R8", 8, &[51], "0.2"),
    // The least two's complement number also is -1 (glspec40 equation 2.4).
    ("RGBA16_SNORM", 16, &[0x7FFF, 0x8001, 0x8000, 0], "1 -1 -1 0"),
    ("RGBA8_SNORM", 8, &[0x7F, 0x81, 0x80, 0], "1 -1 -1 0"),
    ("RG16_SNORM", 16, &[0x7FFF, 0x8001], "1 -1"),
    ("RG8_SNORM", 8, &[0x7F, 0x81], "1 -1"),
    ("R16_SNORM", 16, &[0x8000], "-1"),
    ("R8_SNORM", 8, &[0x7F], "1"),
];

#[test]
fn images_of_every_format_are_printed_as_numbers() {
    for format in ImageFormat::ALL {
        assert!(TEXELS.iter().any(|(name, ..)| *name == format.name()), "{}", format.name());
    }
    let folder = TempFolder::new();
    folder.file("main.fp", "!!NVfp5.0\nMOV result.color, 1;\nEND\n");
    // A scene has eight image units, so each scene tests eight formats.
    for formats in TEXELS.chunks(8) {
        let mut toml = "size = [1, 1]\n[program]\nfragment = \"main.fp\"\n".to_owned();
        let (mut expected, mut arguments) = (String::new(), Vec::new());
        for (unit, (name, bits, words, numbers)) in formats.iter().enumerate() {
            let texel = words.iter().flat_map(|word| word.to_le_bytes()[..*bits as usize / 8].to_vec());
            let texel: Vec<u8> = texel.collect();
            folder.file(&format!("{unit}.bin"), [texel.clone(), texel].concat());
            toml += &format!("[[image]]\nname = \"{name}\"\nformat = \"{name}\"\nsize = [2, 1]\n");
            toml += &format!("file = \"{unit}.bin\"\nunit = {unit}\n");
            expected += &format!("{name}: {numbers} {numbers}\n");
            arguments.extend(["--buffer", name]);
        }
        let scene = folder.file("scene.toml", toml);
        let run = shadestep(&[&["render", &scene], &arguments[..]].concat());
        assert_eq!((run.code, run.out, run.err.as_str()), (0, expected, ""));
    }
}

/// Returns the peak memory of a process in bytes.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process that runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the most memory");
    let kibibytes: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kibibytes << 10
}

/// Measures the peak memory in bytes of `render` with a buffer of `elements`, while the test reads the
/// output.
#[cfg(target_os = "linux")]
fn memory_to_print(elements: usize) -> usize {
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    let folder = TempFolder::new();
    folder.file("main.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    let toml = format!(
        "size = [1, 1]\n[program]\nfragment = \"main.fp\"\n[[buffer]]\nname = \"b\"\ntype = \"ubyte\"\n\
         size = {elements}\n"
    );
    let scene = folder.file("scene.toml", toml);
    let mut child = Command::new(env!("CARGO_BIN_EXE_shadestep"))
        .args(["render", &scene, "--buffer", "b", "--threads", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut out = child.stdout.take().expect("a pipe");
    // Leaves the end of the output unread. The pipe holds 64 KiB, so the process still runs when it is
    // measured.
    let (mut left, mut part) = (2 + 2 * elements + 1 - 300_000, [0; 1 << 16]);
    while left > 0 {
        let length = part.len().min(left);
        let read = out.read(&mut part[..length]).expect("it is read");
        assert_ne!(read, 0, "the output is too short");
        left -= read;
    }
    let most = most_memory(child.id());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("the rest");
    assert_eq!((rest.len(), rest.ends_with(" 0 0\n")), (300_000, true));
    assert!(child.wait().expect("it ends").success());
    most
}

/// Regression: printing a buffer took 60 bytes per element.
#[cfg(target_os = "linux")]
#[test]
fn printing_a_buffer_takes_constant_memory() {
    let (small, large) = (memory_to_print(1 << 18), memory_to_print(1 << 23));
    // The buffer has 8 MiB. The system backs its zeros and the zeros of its copies with one shared page.
    let bound = small + (16 << 20);
    assert!(large < bound, "{large} bytes, and {small} for a small buffer");
}

#[test]
fn traces_tell_what_steps_do_to_memory() {
    let folder = TempFolder::new();
    let scene = scene(&folder);
    let run = shadestep(&["trace", &scene, "--pixel", "0,0"]);
    for words in [
        "        memory U32 at count+0: 5 -> 6\n",
        "        memory U16 at count+3: not aligned to the size of the access\n",
        "bit for bit",
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
    assert!(memory(4)[0].get("fault").text().contains("aligned"));
}
