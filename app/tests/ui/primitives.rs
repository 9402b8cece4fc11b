//! Adding geometry and tessellation programs, stepping through them, and navigating between a fragment, its
//! primitive and the primitive's vertices.

use super::{front, open_scene, problems, window, with_vertex_program};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::scene::Slot;
use shadestep_engine::debug::Subject;

/// A geometry program that expands each point to a square of 2x2 pixels.
const SQUARES: &str = "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT TRIANGLE_STRIP;\nVERTICES_OUT 4;\n\
    ADD result.position, vertex[0].position, {-0.25, -0.25, 0, 0};\nEMIT;\n\
    ADD result.position, vertex[0].position, {0.25, -0.25, 0, 0};\nEMIT;\n\
    ADD result.position, vertex[0].position, {-0.25, 0.25, 0, 0};\nEMIT;\n\
    ADD result.position, vertex[0].position, {0.25, 0.25, 0, 0};\nEMIT;\nEND\n";

fn recorded(window: &mut Window, wanted: Subject) {
    window.until("it is recorded", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.subject() == wanted)
    });
    window.settle();
}

#[test]
fn there_is_a_way_from_a_fragment_to_what_emitted_it_and_back() {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-primitives-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = "title = \"Both\"\nsize = [8, 8]\n[program]\nvertex = \"main.vp\"\ngeometry = \"main.gp\"\nfragment = \"main.fp\"\n\
                 [geometry]\nprimitive = \"POINTS\"\n[[attribute]]\nindex = 0\nsize = 2\nvalues = [-0.5, -0.5, 0.5, 0.5]\n";
    for (file, text) in [
        ("scene.toml", scene),
        ("main.vp", "!!NVvp4.0\nMOV result.position, vertex.position;\nEND\n"),
        ("main.gp", SQUARES),
        ("main.fp", "!!NVfp4.0\nMOV result.color, 1;\nEND\n"),
    ] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let mut window = window();
    open_scene(&mut window, &folder);
    assert!(problems(&window).is_empty(), "{:?}", problems(&window));
    // Counts of the pipeline: 2 points become 2 squares, each of 4 vertices, 2 triangles and 4 pixels.
    for label in ["Vertices 2", "Primitives 4", "Fragments 8", "Written 8"] {
        window.harness.get_by_label(label);
    }
    let edges = |window: &mut Window| {
        let id = window.state().document().expect("a scene").id;
        let (_, overlay) = window.state().view.pictures.get(id).expect("a picture");
        (overlay.edges.len(), overlay.notes.clone())
    };
    window.harness.get_by_label("Geometry 2 → 8").click();
    window.settle();
    assert!(edges(&mut window).0 >= 10, "each square has five edges");
    window.harness.get_by_label("Vertices 2").click();
    window.settle();
    assert_eq!(edges(&mut window), (0, vec!["Points have no edges to show.".to_owned()]));
    window.harness.get_by_label("Vertices 2").click();
    window.settle();
    assert_eq!(edges(&mut window), (0, Vec::new()));
    let pixel = Subject::Pixel([5, 6]);
    window.act(Action::Pick(pixel));
    recorded(&mut window, pixel);
    window.harness.get_by_label("Emitted by");
    window.harness.get_by_label("from");
    window.harness.get_by_label("Primitive 1").click();
    let primitive = Subject::Primitive { number: 1, invocation: 0 };
    recorded(&mut window, primitive);
    assert_eq!(front(&mut window), Slot::Geometry);
    let outline = |window: &mut Window| {
        let session = window.state().stepping.session.as_ref().expect("something is stepped through");
        session.primitive().expect("a primitive").outline.clone()
    };
    // (0.25, 0.25) to (0.75, 0.75) in clip coordinates, in a window of 8 pixels. Two triangles have three
    // edges each.
    let corners = outline(&mut window);
    let reach = |axis: usize| {
        let ends = corners.iter().flatten().map(|end| end[axis]);
        ends.fold([f32::INFINITY, f32::NEG_INFINITY], |[least, most], at| [least.min(at), most.max(at)])
    };
    assert_eq!((corners.len(), reach(0), reach(1)), (6, [5.0, 7.0], [5.0, 7.0]));
    window.harness.get_by_label("Input vertices");
    assert!(window.harness.query_by_label_contains("Emitted vertex 0").is_none(), "it has not begun");
    window.run(Command::ToEnd);
    window.settle();
    window.harness.get_by_label_contains("result.position: 0.25  0.25");
    window.harness.get_by_label_contains("result.position: 0.75  0.75");
    // Goes to the primitive's vertex, then back to the fragment.
    window.harness.get_by_label("Vertex 1").click();
    recorded(&mut window, Subject::Vertex(1));
    window.harness.get_by_label("Return to fragment").click();
    recorded(&mut window, pixel);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_geometry_program_is_added_and_draws_what_was_drawn_before() {
    let mut window =
        with_vertex_program("!!NVvp4.0\nOPTION ARB_position_invariant;\nMOV result.color, 1;\nEND\n");
    let shown = |window: &mut Window| {
        let shown = window.state().document().and_then(|document| document.shown.as_ref());
        shown.expect("a picture").frame.to_rgba8()
    };
    let before = shown(&mut window);
    assert!(Command::AddGeometryProgram.enabled(window.state()));
    window.run(Command::AddGeometryProgram);
    window.settle();
    assert_eq!(front(&mut window), Slot::Geometry);
    assert!(problems(&window).is_empty(), "{:?}", problems(&window));
    let document = window.state().document().expect("a program");
    assert!(document.active().text().starts_with("!!NVgp"), "{}", document.active().text());
    assert_eq!(document.render_error, None);
    assert_eq!(shown(&mut window), before);
    assert!(!Command::AddGeometryProgram.enabled(window.state()), "there is one already");
}

#[test]
fn there_is_a_way_from_a_fragment_into_its_patch_and_back() {
    let folder = std::env::temp_dir().join(format!("shadestep-ui-patches-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = "title = \"Both\"\nsize = [8, 8]\n[program]\nvertex = \"main.vp\"\ntess_control = \"main.tcp\"\n\
                 tess_eval = \"main.tep\"\nfragment = \"main.fp\"\n[geometry]\nprimitive = \"PATCHES\"\npatch_vertices = 4\n\
                 [[attribute]]\nindex = 0\nsize = 2\nvalues = [-1, -1, 1, -1, -1, 1, 1, 1]\n";
    // Only the first two invocations reach the addition.
    let control = "!!NVtcp5.0\nVERTICES_OUT 4;\nATTRIB p = vertex.position;\nINT TEMP me;\nMOV.S me.x, primitive.invocation;\n\
                   MOV result.position, p[me.x];\nMOV result.patch.tessouter[0].x, 2;\nMOV result.patch.tessouter[1].x, 2;\n\
                   MOV result.patch.tessouter[2].x, 2;\nMOV result.patch.tessouter[3].x, 2;\nMOV result.patch.tessinner[0].x, 2;\n\
                   MOV result.patch.tessinner[1].x, 2;\nSUB.S.CC me.y, me.x, 2;\nIF LT.y;\nADD.S me.z, me.x, 7;\nI2F.S result.attrib[0].x, me.z;\nENDIF;\nEND\n";
    let evaluation = "!!NVtep5.0\nTESS_MODE QUADS;\nATTRIB at = vertex.tesscoord;\nTEMP a, b;\n\
                      LRP a, at.x, vertex[1].position, vertex[0].position;\nLRP b, at.x, vertex[3].position, vertex[2].position;\n\
                      LRP result.position, at.y, b, a;\nEND\n";
    for (file, text) in [
        ("scene.toml", scene),
        ("main.vp", "!!NVvp4.0\nMOV result.position, vertex.position;\nEND\n"),
        ("main.tcp", control),
        ("main.tep", evaluation),
        ("main.fp", "!!NVfp4.0\nMOV result.color, 1;\nEND\n"),
    ] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let mut window = window();
    open_scene(&mut window, &folder);
    assert!(problems(&window).is_empty(), "{:?}", problems(&window));
    for label in ["Vertices 4", "Control 4", "Patches 1", "Primitives 8", "Written 64"] {
        window.harness.get_by_label(label);
    }
    window.harness.get_by_label("Evaluation 9").click();
    window.settle();
    let pixel = Subject::Pixel([5, 6]);
    window.act(Action::Pick(pixel));
    recorded(&mut window, pixel);
    window.harness.get_by_label("Provoking vertex");
    window.harness.get_by_label_contains("Patch 0, vertex ").click();
    window.until("a vertex of the patch", |state| {
        let subject = state.stepping.session.as_ref().map(|session| session.subject());
        matches!(subject, Some(Subject::PatchVertex { patch: 0, .. }))
    });
    window.settle();
    assert_eq!(front(&mut window), Slot::TessEvaluation);
    window.harness.get_by_label("QUADS, EQUAL. Outer 2, 2, 2, 2; inner 2, 2");
    window.harness.get_by_label("9 vertices, 8 triangles");
    // The outline has two edges on each side of the square.
    let session = window.state().stepping.session.as_ref().expect("something is stepped through");
    assert_eq!(session.primitive().expect("of a patch").outline.len(), 8);
    window.harness.get_by_label("Patch 0, invocation 0").click();
    let first = Subject::Patch { number: 0, invocation: 0 };
    recorded(&mut window, first);
    assert_eq!(front(&mut window), Slot::TessControl);
    let lanes = |window: &mut Window| {
        let session = window.state().stepping.session.as_ref().expect("something is stepped through");
        session.current_step().map(|step| step.lanes)
    };
    assert_eq!(lanes(&mut window), Some(0b1111));
    let steps = window.state().stepping.session.as_ref().map_or(0, |session| session.len());
    window.act(Action::Seek(steps - 3));
    window.settle();
    assert_eq!(lanes(&mut window), Some(0b0011), "two of the four add");
    for label in ["0: 0  -2  7  0", "1: 1  -1  8  0", "2: 2  0  0  0", "3: 3  1  0  0"] {
        window.harness.get_by_label(label);
    }
    // The other invocation is at the same step.
    window.harness.get_by_label("1").click();
    recorded(&mut window, Subject::Patch { number: 0, invocation: 1 });
    assert_eq!(lanes(&mut window), Some(0b0011));
    window.run(Command::ToEnd);
    window.settle();
    window.harness.get_by_label("9 vertices, 8 triangles");
    window.harness.get_by_label("Return to fragment").click();
    recorded(&mut window, pixel);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn tessellation_programs_are_added_to_a_mesh() {
    let mut window =
        with_vertex_program("!!NVvp4.0\nOPTION ARB_position_invariant;\nMOV result.color, 1;\nEND\n");
    for (command, slot) in [
        (Command::AddTessEvaluationProgram, Slot::TessEvaluation),
        (Command::AddTessControlProgram, Slot::TessControl),
    ] {
        assert!(command.enabled(window.state()));
        window.run(command);
        window.settle();
        assert_eq!(front(&mut window), slot);
        assert!(problems(&window).is_empty(), "{:?}", problems(&window));
        let document = window.state().document().expect("a program");
        assert_eq!(document.render_error, None);
        assert!(document.shown.as_ref().is_some_and(|shown| shown.frame.stats.patches > 0), "{slot}");
        assert!(!command.enabled(window.state()), "there is one already");
    }
}
