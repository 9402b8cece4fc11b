use super::*;
use crate::scene::{MeshSource, Scene, SceneMesh};
use crate::session::{self, Job, SetUp, Threads};
use shadestep_engine::debug::Subject;
use shadestep_engine::pipeline::{CompareFunc, EdgeFlag, EdgeFlags, Patches};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SIZE: [u32; 2] = [100, 50];

fn corners(primitive: Primitive, count: u32) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    each_primitive((primitive, 3), &Elements::Range { first: 0, count }, |corners| {
        found.push(corners.to_vec())
    });
    found
}

#[test]
fn primitives_have_the_corners_that_the_gl_gives_them() {
    use Primitive as P;
    assert_eq!(corners(P::Lines, 5), [[0, 1], [2, 3]]);
    assert_eq!(corners(P::LineStrip, 3), [[0, 1], [1, 2]]);
    assert_eq!(corners(P::LineLoop, 3), [[0, 1], [1, 2], [2, 0]]);
    assert_eq!(corners(P::Triangles, 7), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(corners(P::TriangleStrip, 4), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(corners(P::TriangleFan, 4), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(corners(P::Quads, 9), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    assert_eq!(corners(P::QuadStrip, 6), [[0, 1, 3, 2], [2, 3, 5, 4]]);
    assert_eq!(corners(P::Polygon, 5), [[0, 1, 2, 3, 4]]);
    assert_eq!(corners(P::LinesAdjacency, 8), [[1, 2], [5, 6]]);
    assert_eq!(corners(P::TriangleStripAdjacency, 8), [[0, 2, 4], [4, 2, 6]]);
    assert!(corners(P::Polygon, 2).is_empty() && corners(P::LineLoop, 1).is_empty());
}

#[test]
fn facing_holds_behind_the_eye() {
    let triangle = [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]];
    assert_eq!(facing(&triangle, FrontFace::Ccw), Some(Side::Front));
    assert_eq!(facing(&triangle, FrontFace::Cw), Some(Side::Back));
    assert_eq!(facing(&[triangle[0], triangle[2], triangle[1]], FrontFace::Ccw), Some(Side::Back));
    assert_eq!(facing(&[triangle[0], triangle[1], triangle[1]], FrontFace::Ccw), None);
}

#[test]
fn a_vertex_moves_along_its_unit_normal() {
    assert_eq!(moved([1.0, 2.0, 3.0, 1.0], [0.0, 0.0, 4.0, 1.0], 0.5), [1.0, 2.0, 3.5, 1.0]);
    // With w = 2 the point is (0.5, 1, 1.5). Half a unit more of y is 1 in homogeneous coordinates.
    assert_eq!(moved([1.0, 2.0, 3.0, 2.0], [0.0, -1.0, 0.0, 0.0], 0.5), [1.0, 1.0, 3.0, 2.0]);
    assert_eq!(moved([1.0, 2.0, 3.0, 1.0], [0.0; 4], 0.5), [1.0, 2.0, 3.0, 1.0]);
}

/// Returns the overlay of `scene` and the number of vertices that the scene draws.
fn overlay(scene: Scene, wanted: Overlays) -> (Overlay, usize) {
    let loaded = session::compile_scene(&scene);
    let job = Job { size: SIZE, ..Job::new(Arc::new(scene)) };
    let set_up = SetUp::new(&loaded, &job).unwrap();
    let frame = set_up.render(&Threads::new(1).unwrap(), &AtomicBool::new(false), None).unwrap();
    (compute(set_up.call(), &frame, wanted, 0), set_up.call().shaded_vertices(SIZE, 0).len())
}

/// Returns the overlay of the default sphere with `program`.
fn sphere(program: &str, wanted: Overlays) -> (Overlay, usize) {
    overlay(Scene::for_program("t.vp", None, program.as_bytes()), wanted)
}

#[test]
fn what_the_picture_hides_of_a_line_is_fainter() {
    let wanted = Overlays { wireframe: Some(Stage::Vertex), ..Overlays::default() };
    let torus = |test: Option<CompareFunc>| {
        let mut scene = Scene::for_program("t.vp", None, TRANSFORM.as_bytes());
        scene.mesh = SceneMesh::load(&scene.folder, MeshSource::Torus).unwrap();
        // The view is along the plane of the torus, so the near side hides the inner faces of the far side.
        scene.camera.eye = [3.0, 0.0, 0.0];
        scene.raster.depth.test = test;
        overlay(scene, wanted).0
    };
    let length = |lines: &[Line]| lines.iter().map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1])).sum::<f32>();
    let (with, without) = (torus(Some(CompareFunc::Less)), torus(None));
    // All have the same lines. Without a depth test, only lines of back faces are faint.
    let all = |o: &Overlay| length(&o.edges) + length(&o.back_edges);
    assert!((all(&with) - all(&without)).abs() < 1.0, "{} {}", all(&with), all(&without));
    assert!(length(&with.edges) < 0.9 * length(&without.edges), "the near side hides the far one");
    assert!(length(&with.edges) > 0.3 * length(&without.edges), "but not itself");
}

const TRANSFORM: &str = "!!VP1.1\nDP4 o[HPOS].x, c[0], v[OPOS];\nDP4 o[HPOS].y, c[1], v[OPOS];\nDP4 o[HPOS].z, c[2], v[OPOS];\nDP4 o[HPOS].w, c[3], v[OPOS];\nEND\n";

#[test]
fn normals_of_a_sphere_point_away_from_its_middle() {
    let (overlay, vertices) = sphere(TRANSFORM, Overlays { normals: true, ..Overlays::default() });
    assert!(overlay.edges.is_empty() && overlay.notes.is_empty());
    let all = overlay.normals.len() + overlay.back_normals.len();
    assert!(all > vertices / 2 && all <= vertices, "{all} of {vertices}");
    let from_middle = |[x, y]: [f32; 2]| (x - 50.0).hypot(y - 25.0);
    // Seen from the front, lines grow outwards in the window.
    assert!(overlay.normals.iter().all(|[a, b]| from_middle(*b) >= from_middle(*a) - 1e-3));
}

#[test]
fn deformed_positions_carry_the_wireframe_along() {
    let wanted = Overlays { wireframe: Some(Stage::Vertex), ..Overlays::default() };
    let (plain, _) = sphere(TRANSFORM, wanted);
    let scaled = TRANSFORM
        .replace("DP4 o[HPOS].x, c[0], v[OPOS];", "DP4 R0.x, c[0], v[OPOS];\nMUL o[HPOS].x, R0.x, c[12].w;");
    let (same, _) = sphere(&scaled, wanted);
    let (flat, _) = sphere(&scaled.replace("c[12].w", "c[12].x"), wanted);
    let width = |overlay: &Overlay| {
        let xs = || overlay.edges.iter().chain(&overlay.back_edges).flatten().map(|p| p[0]);
        xs().fold(f32::NEG_INFINITY, f32::max) - xs().fold(f32::INFINITY, f32::min)
    };
    assert!(width(&plain) > 10.0, "{}", width(&plain));
    // c[12] is (time, width, height, 1).
    assert_eq!(width(&same), width(&plain));
    // At time 0, c[12].x is 0. All vertices are on the line x = 0, so no face is visible.
    assert!(flat.edges.is_empty() && flat.back_edges.is_empty());
    assert!(!plain.back_edges.is_empty(), "the far side is there, fainter");
}

#[test]
fn huge_meshes_are_cut_short_and_say_so() {
    let clip = |n: u32| [(n % 200) as f32 / 200.0, (n / 200) as f32 / 200.0, 0.0, 1.0];
    let shaded: Vec<ShadedVertex> =
        (0..40_000).map(|element| ShadedVertex { element, clip: clip(element), window: None }).collect();
    // Triangles that share no edges.
    let indices: Vec<u32> = (0..39_600).filter(|n| n % 200 < 199).flat_map(|n| [n, n + 1, n + 200]).collect();
    let count = indices.len() / 3;
    let input = VertexInput {
        attributes: std::array::from_fn(|_| AttributeSource::Current(single_bits([0.0; 4]))),
        edge_flags: EdgeFlags::Current(EdgeFlag::Boundary),
        primitive: Primitive::Triangles,
        patches: Patches::DEFAULT,
        elements: Elements::Indices { indices: indices.into(), restart: None },
        instances: 1,
    };
    let faces = Faces::gather(&input, &shaded, &RasterState::DEFAULT);
    assert!(faces.edges.len() <= MAX_EDGES && faces.edges.len() > MAX_EDGES - 3);
    let note = faces.note().expect("it says so");
    assert!(note.contains(&count.to_string()), "{note}");
}

#[test]
fn what_a_geometry_program_emits_has_a_wireframe_and_outlines() {
    let scene = crate::scene::open("100-meadow").unwrap();
    let loaded = session::compile_scene(&scene);
    let job = Job { size: SIZE, ..Job::new(Arc::new(scene.clone())) };
    let wanted = Overlays { wireframe: Some(Stage::Geometry), normals: true };
    let (overlay, points) = overlay(scene, wanted);
    assert_eq!(points, 600);
    assert!(overlay.normals.is_empty() && overlay.notes.len() == 1, "{:?}", overlay.notes);
    let record = |number| {
        let subject = Subject::Primitive { number, invocation: 0 };
        session::record_primitive(&loaded, &job, subject, &AtomicBool::new(false)).unwrap().outline
    };
    let distinct = |lines: &[Line]| {
        let mut ends: Vec<_> = lines.iter().map(|line| line.map(|at| at.map(f32::to_bits))).collect();
        ends.iter_mut().for_each(|ends| ends.sort_unstable());
        ends.sort_unstable();
        ends.dedup();
        ends.len()
    };
    // A square of two triangles, which share the diagonal, in front of the eye in the middle of the window.
    let outlines: Vec<_> = (0..40).map(record).filter(|outline| outline.len() == 6).collect();
    assert!(outlines.len() > 10, "{}", outlines.len());
    for outline in &outlines {
        assert_eq!(distinct(outline), 5);
        // Each line of the outline is in the wireframe, in parts that begin where it begins.
        let begins = |[a, b]: &Line| {
            let parts = overlay.edges.iter().chain(&overlay.back_edges);
            parts.map(|part| part[0]).any(|start| start == *a || start == *b)
        };
        assert!(outline.iter().all(begins), "{outline:?}");
    }
}
