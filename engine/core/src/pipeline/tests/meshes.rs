//! Tests of meshes: checks, computed attributes, and the built-in shapes.

use super::*;
use glam::Vec3;

fn triangle() -> MeshParts {
    MeshParts {
        positions: vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
        texcoords: vec![[0.0, 0.0], [0.0, 1.0], [-1.0, 0.0]],
        triangles: vec![[0, 1, 2]],
        ..MeshParts::default()
    }
}

#[test]
fn missing_normals_tangents_texcoords_and_colors_are_filled_in() {
    let mesh = Mesh::from_parts(triangle()).unwrap();
    assert_eq!(mesh.normals(), [[0.0, 0.0, 1.0]; 3]);
    // s falls along y and t grows along x. The tangent is -y; normal x tangent = x is the direction of
    // growing t.
    assert_eq!(mesh.tangents(), [[0.0, -1.0, 0.0, 1.0]; 3]);
    assert_eq!(mesh.bitangent(1), [1.0, 0.0, 0.0]);
    assert_eq!(mesh.color(2), [1.0; 4]);
    // Mirrored texture coordinates: t grows in the opposite direction, and the handedness changes.
    let mut parts = triangle();
    parts.texcoords.iter_mut().for_each(|[_, t]| *t = -*t);
    let mesh = Mesh::from_parts(parts).unwrap();
    assert_eq!(mesh.tangents(), [[0.0, -1.0, 0.0, -1.0]; 3]);
    assert_eq!(mesh.bitangent(1), [-1.0, 0.0, 0.0]);
    let bare = MeshParts { texcoords: Vec::new(), ..triangle() };
    let mesh = Mesh::from_parts(bare).unwrap();
    assert_eq!(mesh.texcoords(), [[0.0; 2]; 3]);
    let [x, y, z, w] = mesh.tangents()[0];
    assert_eq!((x * x + y * y, z, w), (1.0, 0.0, 1.0));
    // Degenerate cases: a triangle without area, vertices without a triangle, no vertices.
    let flat = MeshParts { positions: vec![[1.0; 3]; 4], triangles: vec![[0, 0, 1]], ..MeshParts::default() };
    let mesh = Mesh::from_parts(flat).unwrap();
    assert_eq!(mesh.normals(), [[0.0, 0.0, 1.0]; 4]);
    assert_eq!(mesh.bounds(), [[1.0; 3]; 2]);
    assert_eq!(Mesh::from_parts(MeshParts::default()).unwrap().bounds(), [[0.0; 3]; 2]);
}

#[test]
fn bad_parts_are_refused_in_plain_words() {
    let refused = |change: fn(&mut MeshParts)| {
        let mut parts = triangle();
        change(&mut parts);
        Mesh::from_parts(parts).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|parts| parts.triangles.push([0, 3, 1])),
        "triangle 1 uses vertex 3, but the mesh has 3 vertices"
    );
    assert_eq!(refused(|parts| parts.normals.push([0.0; 3])), "the mesh has 3 positions but 1 normals");
    assert_eq!(
        refused(|parts| parts.positions[2][1] = f32::NAN),
        "the positions of vertex 2 contain a number that is not finite"
    );
    assert_eq!(
        refused(|parts| parts.colors = vec![[f32::INFINITY; 4]; 3]),
        "the colours of vertex 0 contain a number that is not finite"
    );
    assert!(refused(|parts| parts.positions.clear()).starts_with("the mesh has 0 positions but 3 texture"));
}

#[test]
fn shapes_have_unit_frames_and_face_outwards() {
    for (name, make) in Mesh::BUILTIN {
        let mesh = make();
        assert!(!mesh.triangles().is_empty(), "{name}");
        let [low, high] = mesh.bounds();
        assert!(low.iter().chain(&high).all(|x| x.abs() <= 1.1), "{name} {low:?} {high:?}");
        for i in 0..mesh.positions().len() {
            let normal = Vec3::from_array(mesh.normals()[i]);
            let [x, y, z, w] = mesh.tangents()[i];
            let tangent = Vec3::new(x, y, z);
            let bitangent = Vec3::from_array(mesh.bitangent(i));
            for v in [normal, tangent, bitangent] {
                assert!((v.length() - 1.0).abs() < 1e-5, "{name} {i} {v}");
            }
            assert!(normal.dot(tangent).abs() < 1e-5, "{name} {i}");
            assert!(w == 1.0, "{name}: textures are not mirrored");
        }
        // The computed frames agree with the given ones: normals face as the triangles turn, tangents follow
        // s, bitangents follow t.
        for triangle in mesh.triangles() {
            let [a, b, c] = triangle.map(|i| Vec3::from_array(mesh.positions()[i as usize]));
            let [ta, tb, tc] = triangle.map(|i| glam::Vec2::from_array(mesh.texcoords()[i as usize]));
            let face = (b - a).cross(c - a);
            assert!(face.dot(Vec3::from_array(mesh.normals()[triangle[0] as usize])) > 0.0, "{name}");
            let (e, f, u, v) = (b - a, c - a, tb - ta, tc - ta);
            let along_s = e * v.y - f * u.y;
            let along_t = f * u.x - e * v.x;
            assert!(u.perp_dot(v) > 0.0, "{name}: the texture is not mirrored");
            let [x, y, z, _] = mesh.tangents()[triangle[0] as usize];
            assert!(along_s.dot(Vec3::new(x, y, z)) > 0.0, "{name}");
            assert!(along_t.dot(Vec3::from_array(mesh.bitangent(triangle[0] as usize))) > 0.0, "{name}");
        }
    }
    assert_eq!(Mesh::builtin("teapot"), None);
}

#[test]
fn round_shapes_are_closed() {
    // Each directed edge between positions has its opposite: no holes, and one orientation.
    for mesh in [Mesh::cube(), Mesh::sphere(16, 8), Mesh::torus(16, 8), Mesh::knot(48, 8)] {
        let place = |i: u32| mesh.positions()[i as usize].map(|x| (x * 4096.0).round() as i32);
        let mut edges = std::collections::HashMap::new();
        for triangle in mesh.triangles() {
            let [a, b, c] = triangle.map(place);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((from, to)).or_insert(0) += 1;
                *edges.entry((to, from)).or_insert(0) -= 1;
            }
        }
        assert!(edges.values().all(|&balance| balance == 0));
    }
    // Numbers of steps are clamped.
    assert!(!Mesh::sphere(0, u32::MAX).triangles().is_empty());
}

#[test]
fn shapes_look_their_size() {
    // The sphere from distance 3 with a field of view of 45 degrees. Its outline is a circle of radius
    // 1/sqrt(8) over the half height tan(22.5), which gives the covered fraction of the window.
    let size = [200, 200];
    let draw = Shot::mesh(Arc::new(Mesh::sphere(256, 128)));
    let (framebuffer, _) = draw_with(&draw, &shader(|_| Shaded::default()), size, 2);
    let written = framebuffer.status.iter().filter(|&&s| s == PixelStatus::Written).count() as f64;
    let radius = 1.0 / 8f64.sqrt() / 22.5f64.to_radians().tan() * 100.0;
    let expected = std::f64::consts::PI * radius * radius;
    assert!((written / expected - 1.0).abs() < 0.005, "{written} {expected}");
    // The middle of the texture faces the viewer.
    let middle = &fragments_of(&draw, &ALL, DepthSource::Window, size, [100, 100]);
    assert_eq!(middle.len(), 2);
    let front = middle.iter().min_by(|a, b| a.quad[0][0][2].total_cmp(&b.quad[0][0][2])).unwrap();
    let [s, t, ..] = front.quad[Attribute::Tex(0).index()][front.lane];
    assert!((s - 0.5).abs() < 0.01 && (t - 0.5).abs() < 0.01, "{s} {t}");
}

#[test]
fn camera_matrices_are_rows() {
    // From (0,0,1) towards the origin, 90 degrees, near 0.5, far 10, in a window twice as wide as high.
    let CameraMatrices { modelview, projection, eye } = camera().matrices([200, 100]);
    assert_eq!(eye, [0.0, 0.0, 1.0]);
    let moved = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0], [0.0, 0.0, 0.0, 1.0]];
    assert_eq!(modelview, moved);
    // (f + n) / (n - f) and 2 f n / (n - f) (2.11.2).
    let (z, w) = ((10.5 / -9.5f64) as f32, (10.0 / -9.5f64) as f32);
    let perspective = [[0.5, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, z, w], [0.0, 0.0, -1.0, 0.0]];
    assert_eq!(projection, perspective);
}
