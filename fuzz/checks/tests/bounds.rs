//! Tests that memory and work are bounded, whatever the input: memory by a constant for each byte, and work
//! in proportion to the length. docs/limits.md states the bounds.

use std::time::Duration;

use crate::measure::allocator::{is_alone_and_counts, most};
use crate::measure::work::{TIMES, assert_in_proportion, work_of};

use shadestep_checks::front::{ARBFP_STARTS, ARBVP_STARTS};
use shadestep_engine::front::{MAX_DIAGNOSTICS, load};
use shadestep_engine::gl::{Context, ErrorCode, MOST_ELEMENTS, enums};
use shadestep_engine::ide;

/// Runs `task`. Returns the greatest growth of memory in bytes meanwhile, and the work.
fn measured<T>(task: impl FnOnce() -> T) -> (usize, Duration) {
    let (most, (work, _result)) = most(|| work_of(task));
    (usize::try_from(most).unwrap_or(0), work)
}

/// Bytes of a test's text.
const SIZE: usize = 1 << 20;

/// Memory for loading: bytes for each byte of the text.
const LOAD_BYTES_PER_BYTE: usize = 64;

/// Memory for one of an editor's features: bytes for each byte of the text.
const IDE_BYTES_PER_BYTE: usize = 256;

/// Bytes of memory that do not depend on the text, for diagnostics and tables.
const CONSTANT: usize = 4 << 20;

/// Repeated strings that could make a parser backtrack, recurse, or allocate much for little text.
const SHAPES: [&str; 28] = [
    "(",
    "[",
    "{",
    "|",
    "-|",
    "{1,",
    "p[",
    "IF GT; ",
    "LOOP 1; ",
    "REP 1; ",
    "ELSE; ",
    "ENDIF; ",
    "a: ",
    "CAL a; ",
    "TEMP a; ",
    "TEMP a, b, ",
    "PARAM p[] = { ",
    "PARAM p = 1; ",
    "program.env[0..255], ",
    "ALIAS a = a; ",
    "x.",
    "MOV R0, R0;\n",
    "MOV a, b;\n",
    "DEFINE x = 1;\n",
    "DECLARE x = {1,2,3,4};\n",
    "OPTION x;",
    "\u{e9} ",
    "1e9",
];

/// The start of a program for each grammar.
const STARTS: [&str; 8] = [
    "",
    "!!FP1.0",
    "!!VP2.0",
    "!!VSP1.0",
    ARBFP_STARTS[0],
    ARBFP_STARTS[2],
    ARBVP_STARTS[0],
    ARBVP_STARTS[3],
];

/// Runs `task` on a text of `size` bytes and on a shorter one. Checks the memory, and that work grows in
/// proportion.
#[track_caller]
fn check(what: &str, size: usize, text: impl Fn(usize) -> Vec<u8>, per_byte: usize, task: impl Fn(&[u8])) {
    let (small, large) = (text(size / TIMES), text(size));
    let bound = large.len() * per_byte + CONSTANT;
    let what = format!("{what} of {:?}...", String::from_utf8_lossy(&large[..large.len().min(60)]));
    assert_in_proportion(&what, || {
        let (_, small_work) = measured(|| task(&small));
        let (memory, large_work) = measured(|| task(&large));
        assert!(memory <= bound, "{what}: {memory} bytes, more than {bound}");
        (small_work, large_work)
    });
}

#[test]
fn texts_take_bounded_memory_and_work() {
    if !is_alone_and_counts("bounds::texts_take_bounded_memory_and_work") {
        return;
    }
    for (start, shape) in STARTS.into_iter().flat_map(|start| SHAPES.map(|shape| (start, shape))) {
        let text = |size: usize| format!("{start}\n{}", shape.repeat(size / shape.len())).into_bytes();
        check("loading", SIZE, text, LOAD_BYTES_PER_BYTE, |text| {
            assert!(load(text).diagnostics.len() <= 2 * MAX_DIAGNOSTICS);
        });
        // All features read the whole text, so a quarter of the shapes is enough.
        if shape.len() % 4 == 1 {
            // The app edits texts of up to 0.6 MB.
            let check =
                |what: &str, task: &dyn Fn(&[u8])| check(what, SIZE / 4, text, IDE_BYTES_PER_BYTE, task);
            check("highlighting", &|text| drop(ide::highlight(text)));
            check("the outline", &|text| drop(ide::outline(text)));
            check("hover", &|text| drop(ide::hover(text, text.len() / 2, None)));
            check("completion", &|text| drop(ide::completions(text, text.len() / 2)));
        }
    }
}

/// With primitive restart, a range is expanded to a list of indices.
#[test]
fn draws_have_a_bounded_number_of_elements() {
    if !is_alone_and_counts("bounds::draws_have_a_bounded_number_of_elements") {
        return;
    }
    let mut context = Context::new();
    context.enable_client_state(enums::PRIMITIVE_RESTART_NV).expect("a client state");
    context.primitive_restart_index(7).expect("an index");
    let (memory, _) = measured(|| {
        let refused = context.prepare_arrays(enums::TRIANGLES, 0, i32::MAX).expect_err("too many");
        assert_eq!(refused.code, ErrorCode::OutOfMemory);
        let most = i32::try_from(MOST_ELEMENTS).expect("small") + 1;
        assert!(context.prepare_arrays(enums::TRIANGLES, 0, most).is_err());
    });
    assert!(memory < CONSTANT, "{memory}");
}

#[cfg(feature = "app")]
mod buffers {
    use shadestep::buffer_text::{Content, write_numbers};
    use shadestep::scene::ElementType;
    use shadestep_engine::memory::Store;
    use shadestep_engine::texture::ImageFormat;

    use super::{is_alone_and_counts, measured};

    /// Memory for printing a buffer of any size, in bytes.
    const PRINT_BYTES: usize = 256 << 10;

    #[test]
    fn printing_a_buffer_takes_constant_memory() {
        if !is_alone_and_counts("bounds::buffers::printing_a_buffer_takes_constant_memory") {
            return;
        }
        let elements = ElementType::ALL.map(Content::Elements);
        let texels = ImageFormat::ALL.iter().map(|format| Content::Texels(*format));
        for content in elements.into_iter().chain(texels) {
            // Many times a chunk, and not a multiple of one.
            let store = Store::new(&vec![0xA5; (1 << 18) + 48]);
            let mut out = std::io::sink();
            let (memory, _) = measured(|| write_numbers(&mut out, content, &store));
            assert!(memory <= PRINT_BYTES, "{content:?}: {memory} bytes");
        }
    }
}

#[cfg(feature = "app")]
mod recordings {
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use shadestep::model::{Breakpoint, Document, DocumentId, Draft};
    use shadestep::scene::{Folder, load_in};
    use shadestep::session::{Job, Threads, compile_scene, render};
    use shadestep::stepping::{Direction, RecordRequest, StepPosition, record};
    use shadestep_engine::debug::MAX_CHECKPOINT_BYTES;
    use shadestep_engine::debug::Subject;

    use super::{is_alone_and_counts, measured};

    /// Memory for any trace, in bytes.
    const RECORDING_BYTES: usize = MAX_CHECKPOINT_BYTES + (8 << 20);

    /// A hundred triangles over every pixel. Each of their fragments runs to the instruction limit.
    fn scene() -> Folder {
        let scene = format!(
            "size = [16, 16]\n[program]\nvertex = 'main.vp'\nfragment = 'main.fp'\n[geometry]\nprimitive = 'TRIANGLES'\n\
             indices = [{}]\n[[attribute]]\nindex = 0\nsize = 3\nvalues = [-1, -1, 0,  3, -1, 0,  -1, 3, 0]\n\
             [depth]\nfunc = 'LESS'\n",
            "0, 1, 2, ".repeat(100)
        );
        let names: Vec<String> = (0..60).map(|n| format!("t{n}")).collect();
        let body: String = names.iter().map(|name| format!("ADD {name}, {name}, 0.5;\n")).collect();
        let fragment = format!(
            "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP {};\nMOV result.color, fragment.position;\n\
             REP 255;\nREP 255;\nREP 255;\n{body}ENDREP;\nENDREP;\nENDREP;\nEND\n",
            names.join(", ")
        );
        let vertex = "!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND\n";
        let files = [("scene.toml", &scene[..]), ("main.fp", &fragment), ("main.vp", vertex)];
        let files: BTreeMap<_, _> =
            files.into_iter().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect();
        Folder::Memory(Arc::new(files))
    }

    #[test]
    fn a_click_takes_bounded_memory_whatever_covers_the_pixel_and_however_long_it_runs() {
        if !is_alone_and_counts(
            "bounds::recordings::a_click_takes_bounded_memory_whatever_covers_the_pixel_and_however_long_it_runs",
        ) {
            return;
        }
        let never = AtomicBool::new(false);
        let scene = load_in(scene()).expect("a scene");
        let programs = compile_scene(&scene);
        let kept = Arc::new(Draft::of(&Document::new(DocumentId(1), scene.clone())));
        let job = Job::new(Arc::new(scene));
        let threads = Threads::new(1).expect("a thread");
        let frame = Arc::new(render(&programs, &job, &threads, &never).expect("a picture"));
        let place = StepPosition { fragment: Some(50), ..StepPosition::default() };
        let (document, subject) = (DocumentId(1), Subject::Pixel([3, 5]));
        let request = RecordRequest { generation: 1, document, programs, job, frame, subject, place, kept };
        let (memory, _) = measured(|| {
            let mut session = record(request, &never).expect("nobody cancels");
            assert_eq!(session.fragments().map(|fragments| fragments.len()), Some(100));
            assert_eq!((session.selected(), session.len()), (50, 65_536));
            session.to_end();
            for position in [60_001, 3, 40_000, 39_999, 65_535] {
                session.seek(position);
                assert_eq!(session.position(), position);
            }
            // Steps back over the whole trace, and selects other fragments.
            session.to_breakpoint(Direction::Back, &[(4, Breakpoint::default())].into());
            for fragment in [0, 99, 17] {
                session.select(fragment);
                assert_eq!((session.selected(), session.len()), (fragment, 65_536));
            }
            session
        });
        assert!(memory <= RECORDING_BYTES, "{memory} bytes");
    }
}

#[cfg(feature = "app")]
mod files {
    use shadestep_checks::files;

    use super::{CONSTANT, SIZE, check, is_alone_and_counts, measured};

    /// Memory for reading an OBJ file: bytes for each byte of the file.
    const OBJ_BYTES_PER_BYTE: usize = 128;

    /// Memory for reading `scene.toml` without its files: bytes for each byte of the text.
    const SCENE_BYTES_PER_BYTE: usize = 256;

    #[test]
    fn meshes_take_bounded_memory_and_work() {
        if !is_alone_and_counts("bounds::files::meshes_take_bounded_memory_and_work") {
            return;
        }
        let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
        let check = |text: &dyn Fn(usize) -> String| {
            check("reading", SIZE, |size| text(size).into_bytes(), OBJ_BYTES_PER_BYTE, files::obj);
        };
        for shape in
            ["v 0 0 0\n", "vt 0\n", "vn 0 0 1\n", "f 1 2 3\n", "f 1/1/1 2/1 3//1\n", "\n", "#", "f", "v"]
        {
            check(&|size| format!("{triangle}{}\nf 1 2 3", shape.repeat(size / shape.len())));
        }
        check(&|size| format!("{triangle}f 1 2 {}", "3 ".repeat(size / 2)));
        check(&|size| {
            let texcoords: String = (0..size / 8).map(|n| format!("vt {n}\n")).collect();
            let corners: String = (1..size / 30).map(|n| format!("f 1/{n} 2/{n} 3/{n}\n")).collect();
            format!("{triangle}{texcoords}{corners}")
        });
    }

    #[test]
    fn scenes_take_bounded_memory_and_work() {
        if !is_alone_and_counts("bounds::files::scenes_take_bounded_memory_and_work") {
            return;
        }
        let head = "[program]\nfragment = 'main.fp'\n";
        let check = |size: usize, text: &dyn Fn(usize) -> String| {
            check("reading", size, |size| text(size).into_bytes(), SCENE_BYTES_PER_BYTE, files::scene);
        };
        let texels = "[[texture]]\nunit = 0\ntarget = 'BUFFER'\nformat = 'R8UI'\nvalues = [";
        let values = "[[attribute]]\nindex = 0\nsize = 1\nvalues = [";
        for (front, shape, back) in [
            ("a = ", "[", ""),
            ("a = ", "{a=", ""),
            ("a = [", "0,", "]"),
            (values, "0,", "]\n[geometry]\nprimitive = 'TRIANGLES'"),
            (texels, "0,", "]"),
            ("", "[[texture]]\n", ""),
            ("", "[[track]]\n", ""),
            ("title = '", "x", "'"),
            ("", "#\n", ""),
        ] {
            check(SIZE / 2, &|size| format!("{head}{front}{}{back}", shape.repeat(size / shape.len())));
        }
        check(SIZE, &|size| {
            let keys: String = (0..size / 20).map(|n| format!("key{n} = 1\n")).collect();
            format!("{head}[parameters]\n{keys}")
        });
    }

    #[test]
    fn images_that_claim_to_be_large_take_no_memory() {
        if !is_alone_and_counts("bounds::files::images_that_claim_to_be_large_take_no_memory") {
            return;
        }
        for claimed in [include_bytes!("../../corpus/image/huge"), include_bytes!("../../corpus/image/wide")]
        {
            let (memory, _) = measured(|| files::image(claimed));
            assert!(memory < CONSTANT, "{memory}");
        }
    }
}
