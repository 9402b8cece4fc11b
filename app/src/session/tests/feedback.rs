//! Transform feedback of scenes: the vertices that frames record, the next frame's draw of them, and the
//! invocation behind each byte.

use super::formats::scene_of;
use super::*;
use shadestep_engine::debug::Subject;

/// Points that move to the right by a quarter and keep their number.
const MOVING: &str = "!!NVvp5.0\nADD result.position, vertex.attrib[0], {0.25, 0, 0, 0};\nMOV.U result.id.x, vertex.id.x;\nEND\n";

const LOOP: &str = "[geometry]\nprimitive = \"POINTS\"\ncount = 2\ndraw_transform_feedback = \"points\"\n\
    [[attribute]]\nindex = 0\nsize = 2\nbuffer = \"points\"\nstride = 12\n\
    [[buffer]]\nname = \"points\"\nvalues = [-0.875, -0.5, 0, -0.875, 0.5, 0]\nsize = 48\neach_frame = \"keep\"\n\
    [[feedback]]\nbuffer = \"points\"\nresults = [\"position.xy\", \"id\"]\n";

const WHITE: &str = "!!NVfp5.0\nMOV result.color, 1;\nEND\n";

fn words(frame: &Frame) -> Vec<u32> {
    let bytes = frame.memory.after[0].bytes();
    bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

#[test]
fn what_a_frame_records_the_next_one_draws() {
    let (compiled, mut job) = job(scene_of(LOOP, WHITE, MOVING), [8, 8]);
    let mut persistent = PersistentBuffers::default();
    for (frame, x) in [(0, -0.625f32), (1, -0.375), (2, -0.125), (1, -0.625), (7, -0.375)] {
        job.frame = frame;
        persistent.begin(&mut job);
        let drawn = check_agreement(&compiled, &job, 1);
        persistent.end(&drawn.memory);
        assert_eq!(drawn.memory.captured, [2], "frame {frame}");
        let half = [0.5f32, -0.5].map(f32::to_bits);
        let expected = [x.to_bits(), half[1], 0, x.to_bits(), half[0], 1];
        assert_eq!(words(&drawn)[..6], expected, "frame {frame}");
        let column = ((x + 1.0) * 4.0) as u32;
        assert!([[column, 2], [column, 6]].map(|pixel| drawn.pixel(pixel).unwrap().color) == [[1.0; 4]; 2]);
        assert_eq!((drawn.stats.recorded[0], drawn.stats.vertices), (2, 2));
        // Each word has the vertex that wrote it. A byte that was not recorded has no writer.
        for (offset, vertex) in [(0, 0), (8, 0), (12, 1), (23, 1)] {
            assert_eq!(drawn.memory.writer(0, offset), Some(Subject::Vertex(vertex)), "at {offset}");
        }
        assert_eq!(drawn.memory.writer(0, 24), None);
    }
}

#[test]
fn skipped_words_stay_and_nobody_has_written_them() {
    let toml = LOOP.replace("\"id\"", "\"skip(1)\"").replace("-0.5, 0, ", "-0.5, 9, ");
    let (compiled, job) = job(scene_of(&toml, WHITE, MOVING), [8, 8]);
    let frame = draw(&compiled, &job);
    assert_eq!(words(&frame)[2], 9f32.to_bits());
    assert_eq!(frame.memory.writer(0, 8), None);
    assert_eq!(frame.memory.writer(0, 4), Some(Subject::Vertex(0)));
}

#[test]
fn discarded_primitives_are_recorded_and_not_drawn() {
    let toml = format!("{LOOP}[state]\nrasterizer_discard = true\n");
    let (compiled, job) = job(scene_of(&toml, WHITE, MOVING), [8, 8]);
    let frame = check_agreement(&compiled, &job, 1);
    assert_eq!((frame.stats.recorded[0], frame.stats.fragments), (2, 0));
}

#[test]
fn primitives_that_cannot_be_recorded_are_refused() {
    let toml = LOOP.replace("POINTS", "LINES_ADJACENCY").replace("count = 2", "count = 4");
    let (compiled, job) = job(scene_of(&toml, WHITE, MOVING), [8, 8]);
    let error = render(&compiled, &job, &Threads::new(1).unwrap(), &CANCEL).unwrap_err().to_string();
    assert!(error.contains("transform feedback cannot record LINES_ADJACENCY"), "{error}");
}

/// Two invocations of a control program that write different colours of the patch in line 5.
const DIFFERING: &str = "!!NVtcp5.0
VERTICES_OUT 2;
TEMP n;
I2F n, primitive.invocation.x;
MOV result.patch.attrib[0], n.x;
MOV result.position, vertex[0].position;
END";

/// Control programs of two invocations with an unordered conflict. Each row: program, reported line, message,
/// the note at another line, and the action at the note.
const CONFLICTS: [(&str, usize, &str, Option<&str>, &str); 4] = [
    (
        DIFFERING,
        5,
        "MOV: invocations 0 and 1 of patch 0 write different values to the same result in the same instruction",
        None,
        "In Shadestep the last invocation wins. Elsewhere any of them may win.",
    ),
    (
        "!!NVtcp5.0\nVERTICES_OUT 2;\nADD result.patch.attrib[0].x, primitive.out.patch.attrib[0].x, 1;\nMOV result.position, 0;\nEND",
        3,
        "ADD: invocation 0 of patch 0 writes a value that invocation 1 reads in the same instruction, 2 times in total",
        None,
        "In Shadestep all invocations read before any of them writes. Elsewhere this may differ.",
    ),
    (
        "!!NVtcp5.0\nVERTICES_OUT 2;\nINT TEMP c;\nMOV.S.CC c.x, primitive.invocation.x;\nIF EQ.x;\nMOV result.patch.attrib[0].x, 1;\nELSE;\n\
         MOV result.patch.attrib[0].x, 2;\nENDIF;\nMOV result.position, 0;\nEND",
        6,
        "MOV: invocations 0 and 1 of patch 0 write different values to the same result on the two sides of an IF",
        Some("invocation 1 writes it here"),
        "In Shadestep the side before the ELSE runs first. Elsewhere they may run in any order.",
    ),
    (
        "!!NVtcp5.0\nVERTICES_OUT 2;\nTEMP n;\nINT TEMP c;\nMOV.S.CC c.x, primitive.invocation.x;\nIF EQ.x;\n\
         MOV n, primitive.out.patch.attrib[0].x;\nELSE;\nMOV result.patch.attrib[0].x, 2;\nENDIF;\nMOV result.position, n;\nEND",
        9,
        "MOV: invocation 1 of patch 0 writes a value that invocation 0 reads on the two sides of an IF",
        Some("invocation 0 reads it here"),
        "In Shadestep the side before the ELSE runs first. Elsewhere they may run in any order.",
    ),
];

#[test]
fn conflicts_among_invocations_of_a_patch_are_told() {
    let toml = "[program]\nvertex = \"main.vp\"\ntess_control = \"main.tcp\"\ntess_eval = \"main.tep\"\nfragment = \"main.fp\"\n\
        [geometry]\nprimitive = \"PATCHES\"\npatch_vertices = 1\n[[attribute]]\nindex = 0\nsize = 2\nvalues = [0, 0]\n";
    let evaluation = "!!NVtep5.0\nTESS_MODE QUADS;\nMOV result.position, vertex.tesscoord;\nEND";
    let vertex = "!!NVvp5.0\nMOV result.position, vertex.attrib[0];\nEND";
    for (control, line, words, other, note) in CONFLICTS {
        let texts = [
            ("scene.toml", toml),
            ("main.vp", vertex),
            ("main.tcp", control),
            ("main.tep", evaluation),
            ("main.fp", WHITE),
        ];
        let files = texts.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let scene = crate::scene::load_in(Folder::Memory(Arc::new(files.into()))).unwrap();
        let (compiled, job) = job(scene, [8, 8]);
        let frame = draw(&compiled, &job);
        let [fault] = frame.memory.faults.as_slice() else { panic!("{words}: {:?}", frame.memory.faults) };
        assert_eq!((fault.slot, fault.line), (Slot::TessControl, line), "{words}");
        let invocation = u8::from(words.starts_with("MOV: invocation 1"));
        assert_eq!(fault.subject, Some(Subject::Patch { number: 0, invocation }), "{words}");
        assert_eq!(fault.diagnostic.message, words);
        assert_eq!(fault.diagnostic.labels.get(1).map(|label| label.text.as_str()), other, "{words}");
        assert_eq!(fault.diagnostic.notes, [note], "{words}");
    }
}
