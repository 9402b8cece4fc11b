//! Races of draws: the order of memory accesses by programs (EXT_shader_image_load_store 2.14.X), and the
//! reports of unordered accesses.

use std::sync::atomic::AtomicBool;

use super::super::{BufferTarget, Context, DrawCall, enums};
use super::memory::{tell_address, use_text, with_words};
use BufferTarget::Texture as Target;
use shadestep_core::debug::Subject;
use shadestep_core::memory::{Fault, Mode, Reason};
use shadestep_core::pipeline::{Framebuffer, Primitive, Samples, Threads};
use shadestep_language::isa::Stage::{self, Fragment, Vertex};

const SIDE: u32 = 8;

/// A fragment program that runs `body`, with the address of the buffer in `a.x`.
fn fragment(body: &str) -> String {
    format!(
        "!!NVfp5.0\nLONG UINT TEMP a, b; UINT TEMP n, m; PK64.U a, program.local[0];\n\
         {body}\nMOV result.color, 1;\nEND"
    )
}

/// A vertex program that runs `body` and passes positions through.
fn vertex(body: &str) -> String {
    format!(
        "!!NVvp5.0\nLONG UINT TEMP a, b; UINT TEMP n, m; PK64.U a, program.local[0];\n\
         {body}\nMOV result.position, vertex.position;\nEND"
    )
}

/// A context with these programs and a buffer of 1024 words, all 0.
fn with(programs: &[(Stage, String)]) -> Context {
    let mut context = with_words(&[0; 1024]);
    context.make_buffer_resident(Target, Mode::ReadWrite).expect("resident");
    for (stage, text) in programs {
        use_text(&mut context, *stage, text);
        tell_address(&mut context, *stage);
    }
    context
}

/// A draw of triangles that each cover the window.
fn triangles(context: &mut Context, count: usize) -> DrawCall {
    context.begin(Primitive::Triangles).expect("begun");
    for _ in 0..count {
        for corner in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            context.vertex(corner).expect("a vertex");
        }
    }
    context.end().expect("ended")
}

/// The races of a draw.
fn races(call: &DrawCall, samples: Samples) -> Vec<Fault> {
    call.find_races(true);
    let mut target = Framebuffer::with_samples(SIDE, SIDE, samples, Default::default(), &[]).expect("small");
    for threads in [1, 2] {
        let threads = Threads::new(Some(threads));
        call.render(&mut target, &threads, &AtomicBool::new(false)).expect("not cancelled");
    }
    let reports = call.memory_reports();
    assert!(reports.iter().all(|report| report.first.reason == Reason::Race), "{reports:?}");
    reports.iter().map(|report| report.first).collect()
}

/// The races of a triangle that covers the window and runs `body` for each fragment.
fn of_fragments(body: &str) -> Vec<Fault> {
    let mut context = with(&[(Fragment, fragment(body))]);
    races(&triangles(&mut context, 1), Samples::One)
}

/// Takes a lock, increments the guarded word, and releases the lock. Tests remove the MEMBARs.
const LOCKED: &str = "ATOM.CSWAP.U32 n.x, {0, 1, 0, 0}, a.x; MOV.U.CC n.x, n.x; IF EQ.x;\n\
    MEMBAR; ADD.U64 b.x, a.x, 64; LOAD.U32 n.x, b.x; ADD.U n.x, n.x, 1; STORE.U32 n, b.x; MEMBAR;\n\
    ATOM.EXCH.U32 n.x, {0}, a.x; ENDIF;";

/// The first fragment stores a word, then sets a flag. Others read the word if they find the flag set.
const PUBLISHED: &str = "ATOM.CSWAP.U32 n.x, {0, 1, 0, 0}, a.x; MOV.U.CC n.x, n.x; ADD.U64 b.x, a.x, 8;\n\
    IF EQ.x; ADD.U64 b.y, a.x, 64; STORE.U32 {7}, b.y; MEMBAR; ATOM.EXCH.U32 n.x, {1}, b.x;\n\
    ELSE; ATOM.ADD.U32 n.x, {0}, b.x; MOV.U.CC n.x, n.x; MEMBAR;\n\
    IF NE.x; ADD.U64 b.y, a.x, 64; LOAD.U32 n.x, b.y; ENDIF; ENDIF;";

/// Each fragment stores to its own word. The last fragment reads all of them.
const LAST_ONE_OUT: &str = "ATOM.ADD.U32 n.x, {1}, a.x; MUL.U n.x, n.x, 4; MOV.U n.y, 0; PK64.U b.x, n; ADD.U64 b.x, b.x, a.x;\n\
    ADD.U64 b.x, b.x, 64; STORE.U32 {9}, b.x; MEMBAR; ADD.U64 b.x, a.x, 4; ATOM.ADD.U32 n.x, {1}, b.x;\n\
    SUB.U.CC m.x, n.x, 63; IF EQ.x; MEMBAR; MOV.U64 b.x, a.x;\n\
    REP.U {64}; LOAD.U32 m.x, b.x; ADD.U64 b.x, b.x, 4; ENDREP; ADD.U64 b.x, a.x, 64; LOAD.U32 m.x, b.x; ENDIF;";

#[test]
fn locks_publication_and_the_last_one_out_do_not_race() {
    let last = LAST_ONE_OUT.replace("MOV.U64 b.x, a.x;", "ADD.U64 b.x, a.x, 64;");
    for body in [LOCKED, PUBLISHED, &last] {
        assert_eq!(of_fragments(body), [], "{body}");
        // Both MEMBARs are necessary.
        let places: Vec<usize> = body.match_indices("MEMBAR;").map(|(place, _)| place).collect();
        assert_eq!(places.len(), 2);
        for place in places {
            let without = format!("{}{}", &body[..place], &body[place + "MEMBAR;".len()..]);
            assert_ne!(of_fragments(&without), [], "{without}");
        }
    }
    // A plain read of a counter does not race with atomic accesses.
    assert_eq!(of_fragments(LAST_ONE_OUT), [], "words 0 and 1 are counters");
}

#[test]
fn a_vertex_comes_before_the_fragments_of_its_primitives_alone() {
    // Vertices store to words 0 to 2 of each triangle. Fragments read the word of one vertex.
    let store =
        "MUL.U n.x, vertex.id.x, 4; MOV.U n.y, 0; PK64.U b.x, n; ADD.U64 b.x, b.x, a.x; STORE.U32 {5}, b.x;";
    for reading in ["LOAD.U32 n, a.x;", "LOAD.U32 n, a.x; ADD.U64 b.x, a.x, 400; ATOM.ADD.U32 n.x, {1}, b.x;"]
    {
        let draw = |triangle: u32| {
            let reading = reading.replacen("a.x", "b.x", 1);
            let body = format!("ADD.U64 b.x, a.x, {};{reading}", 12 * triangle + 4);
            let mut context = with(&[(Vertex, vertex(store)), (Fragment, fragment(&body))]);
            [1, 2].map(|count| races(&triangles(&mut context, count), Samples::One))
        };
        let [of_one, of_two] = draw(0);
        assert_eq!(of_one, [], "{reading}");
        let [race] = of_two[..] else { panic!("{of_two:?}") };
        let other = race.other.expect("a race");
        assert_eq!((race.who.origin.primitive, other.subject), (Some(1), Subject::Vertex(1)));
        assert!(other.wrote);
        let [_, of_two] = draw(1);
        let [race] = of_two[..] else { panic!("{of_two:?}") };
        let other = race.other.expect("a race").subject;
        assert_eq!((race.who.origin.primitive, other), (Some(0), Subject::Vertex(4)));
    }
    // Two vertices of one triangle are unordered.
    let mut context = with(&[(Vertex, vertex("ADD.U n.x, vertex.id.x, 1; STORE.U32 n, a.x;"))]);
    let found = races(&triangles(&mut context, 1), Samples::One);
    assert_eq!(found[0].other.map(|other| other.subject), Some(Subject::Vertex(0)));
}

#[test]
fn a_geometry_program_comes_before_fragments_as_far_as_it_has_emitted() {
    let text = |emitted: &str, ended: &str| {
        format!(
            "!!NVgp5.0\nPRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3;\n\
             LONG UINT TEMP a; PK64.U a, program.local[0];\n\
             MOV result.position, vertex[0].position; EMIT; MOV result.position, vertex[1].position; EMIT;\n\
             {emitted} MOV result.position, vertex[2].position; EMIT; {ended} ENDPRIM;\nEND"
        )
    };
    let store = "STORE.U32 {5}, a.x;";
    for (emitted, ended, vertices, expected) in [(store, "", "", 0), ("", store, "", 1), ("", "", store, 0)] {
        let mut context = with(&[(Vertex, vertex(vertices)), (Fragment, fragment("LOAD.U32 n, a.x;"))]);
        let geometry = enums::GEOMETRY_PROGRAM_NV;
        let (format, text) = (enums::PROGRAM_FORMAT_ASCII_ARB, text(emitted, ended));
        let loaded = context.program_string(geometry, format, text.as_bytes());
        assert!(loaded.is_ok(), "{}\n{text}", context.program_error_string());
        context.enable(geometry).expect("enabled");
        tell_address(&mut context, Stage::Geometry);
        let found = races(&triangles(&mut context, 1), Samples::One);
        assert_eq!(found.len(), expected, "{found:?}");
        // Fragments are unordered with vertices of another primitive.
        let found = races(&triangles(&mut context, 2), Samples::One);
        assert!(!found.is_empty());
    }
}

#[test]
fn invocations_that_share_a_pixel_are_named_apart() {
    // Two primitives, which store their numbers to one word.
    let body = "MOV.U n.x, primitive.id.x; ADD.U n.x, n.x, 1; STORE.U32 n, a.x;";
    let mut context = with(&[(Fragment, fragment(body))]);
    let call = triangles(&mut context, 2);
    let [race] = races(&call, Samples::One)[..] else { panic!("one cause") };
    let other = race.other.expect("a race");
    assert_eq!((race.who.origin.primitive, other.origin.primitive), (Some(1), Some(0)));
    // Two instances.
    let texts = [
        (Vertex, vertex("MOV.U n.x, vertex.instance.x; ADD.U n.x, n.x, 1; STORE.U32 n, a.x;")),
        (Fragment, fragment("")),
    ];
    let mut context = with(&texts);
    let call = triangles(&mut context, 1).with_instances(2);
    let found = races(&call, Samples::One);
    let [race] = found[..] else { panic!("{found:?}") };
    let other = race.other.expect("a race");
    assert_eq!((race.who.origin.instance, other.origin.instance), (1, 0));
    // The samples of a pixel.
    let body = "MOV.U n.x, fragment.sampleid.x; ADD.U n.x, n.x, 1; STORE.U32 n, a.x;";
    let mut context = with(&[(Fragment, fragment(body))]);
    context.choose_samples(Samples::Four).expect("chosen");
    let call = triangles(&mut context, 1);
    let [race] = races(&call, Samples::Four)[..] else { panic!("one cause") };
    let other = race.other.expect("a race");
    assert!(race.who.origin.sample.is_some() && other.origin.sample.is_some());
    assert_ne!(race.who.origin.sample, other.origin.sample);
}
