//! Memory of scenes: buffers after a frame, persistent buffers, stepped accesses, and reports of faulty
//! accesses.

use super::formats::scene_of;
use super::*;
use crate::scene::Slot;
use shadestep_engine::debug::Subject;
use shadestep_engine::memory::AddressBits;

/// A program that reads the addresses of `bins` and `count` into `a.x` and `a.y`.
fn program(body: &str) -> String {
    format!(
        "!!NVfp5.0\nLONG UINT TEMP a;\nUINT TEMP n;\nPK64.U a, program.local[1];\n{body}MOV.U result.color, n.x;\nEND\n"
    )
}

const COUNTING: &str = "[[buffer]]\nname = \"bins\"\ntype = \"uint\"\nsize = 16\n\
    [[buffer]]\nname = \"count\"\ntype = \"uint\"\nvalues = [5]\neach_frame = \"keep\"\n\
    [parameters]\n\"fragment.local[1]\" = ['address_of(\"bins\")', 'address_of(\"count\")']\n\
    [[attachment]]\nformat = \"RGBA32UI\"\n";

fn held(frame: &Frame, buffer: usize) -> Vec<u32> {
    let bytes = frame.memory.after[buffer].bytes();
    bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

#[test]
fn every_fragment_counts_once_and_steps_see_their_own_count() {
    let scene = scene_of(COUNTING, &program("ATOM.ADD.U32 n.x, 1, a.y;\n"), "");
    let (compiled, job) = job(scene, [20, 10]);
    let frame = check_agreement(&compiled, &job, 3);
    assert_eq!((held(&frame, 0), held(&frame, 1)), (vec![0; 4], vec![205]));
    // Each fragment gets a different count, from 5 on.
    let mut seen: Vec<u32> =
        (0..200).map(|n| frame.pixel([n % 20, n / 20]).unwrap().color[0].to_bits()).collect();
    seen.sort_unstable();
    assert_eq!(seen, (5..205).collect::<Vec<_>>());
    assert!(frame.memory.faults.is_empty());
}

#[test]
fn a_step_says_what_it_did_to_memory() {
    let body = "ATOM.ADD.U32 n.x, 1, a.y;\nSTORE.U32 n, a.x;\n";
    let (compiled, job) = job(scene_of(COUNTING, &program(body), ""), [4, 4]);
    let pixel = [0, 0];
    let recordings = fragments(&compiled, &job, pixel);
    let recording = recordings.get(0).unwrap().recording.as_ref().unwrap();
    let map = MemoryMap::of(&job.scene);
    let steps: Vec<String> = recording
        .all_steps()
        .flat_map(|step| step.transfers().map(|transfer| map.describe(transfer)).collect::<Vec<_>>())
        .collect();
    // The pixel in the lower left corner is the first of the first quad. Nothing has been stored yet.
    assert_eq!(steps, ["U32 at count+0: 5 -> 6", "U32 at bins+0: 0 -> 5"]);
}

#[test]
fn kept_buffers_go_on_from_frame_to_frame() {
    let body = "ATOM.ADD.U32 n.x, 1, a.y;\nATOM.ADD.U32 n.y, 1, a.x;\n";
    let (compiled, mut job) = job(scene_of(COUNTING, &program(body), ""), [4, 4]);
    let mut persistent = PersistentBuffers::default();
    let draw_frame = |frame: u32, persistent: &mut PersistentBuffers, job: &mut Job| {
        job.frame = frame;
        persistent.begin(job);
        let drawn = draw(&compiled, job);
        persistent.end(&drawn.memory);
        (held(&drawn, 0)[0], held(&drawn, 1)[0])
    };
    assert_eq!(draw_frame(0, &mut persistent, &mut job), (16, 21));
    assert_eq!(draw_frame(1, &mut persistent, &mut job), (16, 37));
    // The same frame starts with the same contents each time. An earlier frame starts with the initial
    // contents.
    assert_eq!(draw_frame(1, &mut persistent, &mut job), (16, 37));
    assert_eq!(draw_frame(2, &mut persistent, &mut job), (16, 53));
    assert_eq!(draw_frame(1, &mut persistent, &mut job), (16, 21));
    assert_eq!(draw_frame(5, &mut persistent, &mut job), (16, 37));
    // A cancelled frame changes nothing.
    job.frame = 6;
    persistent.begin(&mut job);
    assert_eq!(draw_frame(7, &mut persistent, &mut job), (16, 53));
    // The first frame of another scene starts with that scene's contents.
    let other = COUNTING.replace("values = [5]", "values = [100]");
    job.scene = Arc::new(scene_of(&other, &program(body), ""));
    assert_eq!(draw_frame(8, &mut persistent, &mut job), (16, 116));
}

#[test]
fn stepping_a_kept_frame_begins_with_what_it_began_with() {
    let (compiled, mut job) = job(scene_of(COUNTING, &program("ATOM.ADD.U32 n.x, 1, a.y;\n"), ""), [4, 4]);
    let mut persistent = PersistentBuffers::default();
    for frame in 0..3 {
        job.frame = frame;
        persistent.begin(&mut job);
        let drawn = check_agreement(&compiled, &job, 1);
        assert_eq!(drawn.pixel([0, 0]).unwrap().color[0].to_bits(), 5 + 16 * frame);
        persistent.end(&drawn.memory);
    }
}

#[test]
fn wrong_accesses_are_told_once_with_their_line() {
    let body = "ADD.U64 a.z, a.x, 2;\nLOAD.U32 n, a.z;\nADD.U64 a.z, a.x, 16;\nSTORE.U32 n, a.z;\nMOV.U64 a.w, 0;\nLOAD.U32 n, a.w;\n";
    let (compiled, job) = job(scene_of(COUNTING, &program(body), ""), [4, 4]);
    let frame = draw(&compiled, &job);
    let told: Vec<(usize, &str)> =
        frame.memory.faults.iter().map(|fault| (fault.line, &*fault.diagnostic.message)).collect();
    let [(6, misaligned), (8, outside), (10, null)] = told.as_slice() else { panic!("{told:?}") };
    for (message, words) in [
        (misaligned, "LOAD of 4 bytes at bins+2: not aligned to the size of the access (4). First at pixel"),
        (outside, "STORE of 4 bytes at bins+16: no resident buffer is at this address"),
        (null, "LOAD of 4 bytes at 0x0: no resident buffer is at this address"),
    ] {
        assert!(message.starts_with(words) && message.ends_with("; 16 times in total"), "{message}");
    }
    assert!(frame.memory.faults.iter().all(|fault| fault.slot == Slot::Fragment));
    assert_eq!(held(&frame, 0), [0; 4]);
}

#[test]
fn samples_of_a_pixel_share_a_count_or_have_their_own() {
    let body = program("ATOM.ADD.U32 n.x, 1, a.y;\n");
    for (state, invocations) in [("samples = 4", 200), ("samples = 4\nsample_shading = 1", 800)] {
        let toml = format!("{COUNTING}[state]\n{state}\n");
        let (compiled, job) = job(scene_of(&toml, &body, ""), [20, 10]);
        let frame = check_agreement(&compiled, &job, 3);
        assert_eq!(held(&frame, 1), [5 + invocations], "{state}");
    }
}

#[test]
fn races_and_bytes_that_nothing_has_written_are_told() {
    let told = |body: &str, finds_races: bool| {
        let (compiled, job) = job(scene_of(COUNTING, &program(body), ""), [4, 2]);
        let frame = draw(&compiled, &Job { finds_races, ..job });
        let faults = frame.memory.faults.iter();
        faults
            .map(|fault| (fault.line, fault.diagnostic.message.to_string(), fault.subject))
            .collect::<Vec<_>>()
    };
    // Count without an atomic. The quad's second pixel loads the address before the first stores there, and
    // stores where the first loaded.
    let body = "LOAD.U32 n, a.y;\nADD.U n.x, n, 1;\nSTORE.U32 n, a.y;\n";
    let found: [_; 2] = told(body, true).try_into().expect("two causes");
    let mut lines: Vec<usize> = found.iter().map(|(line, ..)| *line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [5, 7]);
    let races = "another invocation accesses the same bytes in no defined order";
    for (line, message, subject) in &found {
        let mnemonic = if *line == 5 { "LOAD" } else { "STORE" };
        assert!(
            message.starts_with(&format!("{mnemonic} of 4 bytes at count+0: {races}. First at pixel")),
            "{message}"
        );
        assert!(
            message.contains(" them on line ") && matches!(subject, Some(Subject::Pixel(_))),
            "{message}"
        );
    }
    assert_eq!(told(body, false), []);
    assert_eq!(told("ATOM.ADD.U32 n.x, 1, a.y;\n", true), []);
    // Bytes that were never written.
    let [(5, message, _)] = &told("LOAD.U32 n, a.x;\n", true)[..] else { panic!("one cause") };
    assert!(
        message.starts_with("LOAD of 4 bytes at bins+0: these bytes have not been written. First at pixel"),
        "{message}"
    );
    let filled = COUNTING.replace("size = 16\n", "size = 16\nfill = 7\n");
    let (compiled, job) = job(scene_of(&filled, &program("LOAD.U32 n, a.x;\n"), ""), [4, 2]);
    let frame = draw(&compiled, &job);
    assert!(frame.memory.faults.is_empty());
    assert_eq!(frame.pixel([1, 1]).unwrap().color[0].to_bits(), 7);
}

#[test]
fn parties_of_a_race_are_named_apart() {
    let told = |toml: &str, body: &str, vertex: &str| {
        let toml = format!("{COUNTING}{toml}");
        let (compiled, job) = job(scene_of(&toml, &program(body), vertex), [4, 4]);
        let frame = draw(&compiled, &job);
        let [fault] = &frame.memory.faults[..] else { panic!("{:?}", frame.memory.faults) };
        fault.diagnostic.message.to_string()
    };
    // The samples of one pixel.
    let sample = "MOV.U n.x, fragment.sampleid.x;\nADD.U n.x, n.x, 9;\nSTORE.U32 n, a.y;\n";
    let message = told("[state]\nsamples = 4\nscissor = [0, 0, 1, 1]\n", sample, "");
    assert!(
        message
            .contains("First at pixel 0, 0 at sample 1, after pixel 0, 0 at sample 0 wrote them on line 7"),
        "{message}"
    );
    // Two primitives over the same pixels.
    let corners = "values = [-1, -1, 3, -1, -1, 3, -1, -1, 3, -1, -1, 3]\n";
    let arrays =
        format!("[geometry]\nprimitive = \"TRIANGLES\"\n[[attribute]]\nindex = 0\nsize = 2\n{corners}");
    let id = "MOV.U n.x, primitive.id.x;\nADD.U n.x, n.x, 9;\nSTORE.U32 n, a.y;\n";
    let passing = "!!NVvp5.0\nMOV result.position, vertex.position;\nEND\n";
    let message = told(&format!("[state]\nscissor = [0, 0, 1, 1]\n{arrays}"), id, passing);
    assert!(
        message.contains("pixel 0, 0 in primitive 1, after pixel 0, 0 in primitive 0 wrote them on line 7"),
        "{message}"
    );
    // A vertex, and the fragments of another primitive.
    let storing = "!!NVvp5.0\nLONG UINT TEMP a;\nUINT TEMP n;\nPK64.U a, program.local[1];\nADD.U n.x, vertex.id.x, 9;\n\
        MUL.U n.x, n.x, 1;\nSTORE.U32 {9}, a.y;\nMOV result.position, vertex.position;\nEND\n";
    let parameters =
        "\"vertex.local[1]\" = ['address_of(\"bins\")', 'address_of(\"count\")']\n[[attachment]]";
    let toml = COUNTING.replacen("[[attachment]]", parameters, 1);
    // No fragment of the second triangle fails the depth test.
    let toml = format!("{toml}[depth]\nfunc = \"ALWAYS\"\n{arrays}");
    let scene = scene_of(&toml, &program("LOAD.U32 n, a.y;\n"), storing);
    let (compiled, job) = job(scene, [4, 4]);
    let frame = draw(&compiled, &job);
    let [fault] = &frame.memory.faults[..] else { panic!("{:?}", frame.memory.faults) };
    let message = &fault.diagnostic.message;
    assert!(
        message.ends_with("after vertex 0 wrote them on line 7 of the vertex program; 16 times in total"),
        "{message}"
    );
}

/// An image of the window's size, and a program that writes (100 + x, y) to each texel.
const FIELD: &str = "[[image]]\nname = \"field\"\nformat = \"RG16UI\"\nsize = [4, 2]\nunit = 3\ntexture = 2\n\
    each_frame = \"keep\"\n[[attachment]]\nformat = \"RGBA32UI\"\n";
const WRITING: &str = "!!NVfp5.0\nINT TEMP p;\nUINT TEMP n, old;\nFLR.S p, fragment.position;\n\
    TXF.U.NTC old, {0, 0, 0, 0}, texture[2], 2D;\nMOV.U.NTC n, p;\nADD.U n.x, n, 100;\n\
    STOREIM.U image[3], n, p, 2D;\nMOV.U result.color, old;\nEND\n";

#[test]
fn images_are_written_and_looked_up_in_the_frame_after() {
    let (compiled, mut job) = job(scene_of(FIELD, WRITING, ""), [4, 2]);
    let mut persistent = PersistentBuffers::default();
    for (number, expected) in [(0, [0, 0, 0, 1]), (1, [100, 0, 0, 1])] {
        job.frame = number;
        persistent.begin(&mut job);
        let frame = draw(&compiled, &job);
        assert_eq!(frame.pixel([3, 1]).unwrap().color.map(f32::to_bits), expected, "frame {number}");
        assert!(frame.memory.faults.is_empty(), "{:?}", frame.memory.faults);
        let texels = [100, 0, 101, 0, 102, 0, 103, 0, 100, 1, 101, 1, 102, 1, 103, 1];
        let bytes: Vec<u8> = texels.iter().flat_map(|texel: &u16| texel.to_le_bytes()).collect();
        assert_eq!(frame.memory.after[0].bytes(), bytes);
        persistent.end(&frame.memory);
    }
}

#[test]
fn a_step_names_texels() {
    let texts = |program: &str| {
        let (compiled, job) = job(scene_of(FIELD, program, ""), [4, 2]);
        let recordings = fragments(&compiled, &job, [2, 1]);
        let recording = recordings.get(0).unwrap().recording.as_ref().unwrap();
        let map = MemoryMap::of(&job.scene);
        let steps = recording.all_steps();
        let texts: Vec<String> = steps
            .flat_map(|step| step.transfers().map(|transfer| map.describe(transfer)).collect::<Vec<_>>())
            .collect();
        texts
    };
    assert_eq!(texts(WRITING), ["RG16UI at field(2, 1): 0 0 -> 102 1"]);
    assert_eq!(
        texts(&WRITING.replace("STOREIM.U image[3], n, p, 2D", "ATOMIM.ADD.U32 n.x, n, p, image[3], 2D")),
        ["U32 at field(2, 1): 0 (never written) -> 102"]
    );
    let far = WRITING.replace("STOREIM.U image[3], n, p", "STOREIM.U image[3], n, {4, 0, 0, 0}");
    assert_eq!(texts(&far), ["U32X4 at field(4, 0): outside the image"]);
    let other = WRITING.replace("STOREIM.U image[3]", "STOREIM.U image[1]");
    assert_eq!(texts(&other), ["U32X4 at image unit 1: no image is bound there"]);
}

#[test]
fn programs_with_32_bits_reach_buffers_where_the_scene_puts_them_low() {
    let text = "!!NVfp4.0\nOPTION NV_shader_buffer_load;\nUINT TEMP n;\nMOV.U n, program.local[1];\n\
                LOAD.U32 n.x, n.z;\nMOV.U result.color, n.x;\nEND\n";
    let mut scene = scene_of(COUNTING, text, "");
    let draw = |scene: &Scene| {
        let (compiled, job) = job(scene.clone(), [4, 4]);
        render(&compiled, &job, &Threads::new(1).unwrap(), &CANCEL).unwrap()
    };
    let frame = draw(&scene);
    let [fault] = &frame.memory.faults[..] else { panic!("{:?}", frame.memory.faults) };
    assert!(fault.diagnostic.notes.concat().contains("`addresses = \"32-bit\"`"), "{fault:?}");
    scene.address_bits = AddressBits::Bits32;
    let frame = draw(&scene);
    assert!(frame.memory.faults.is_empty(), "{:?}", frame.memory.faults);
    assert_eq!(frame.pixel([1, 2]).unwrap().color[0].to_bits(), 5);
}

#[test]
fn a_scene_in_any_order_loses_no_atomic() {
    let mut scene = scene_of(COUNTING, &program("ATOM.ADD.U32 n.x, 1, a.y;\n"), "");
    scene.any_order = true;
    let (compiled, job) = job(scene, [128, 64]);
    let frame = render(&compiled, &job, &Threads::new(3).unwrap(), &CANCEL).unwrap();
    assert_eq!(held(&frame, 1), [5 + 128 * 64]);
    let mut seen: Vec<u32> =
        (0..128 * 64).map(|n| frame.pixel([n % 128, n / 128]).unwrap().color[0].to_bits()).collect();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(5..5 + 128 * 64));
}
