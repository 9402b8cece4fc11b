//! Tests of coverage: fill rule, seams, clipping, extreme coordinates.

use super::*;
use crate::pipeline::clip::DepthPlanes;
use crate::pipeline::clipped::ClippedPrimitive;
use crate::pipeline::raster;
use crate::pipeline::setup::{Bounds, Triangle};
use crate::pipeline::shaded::UnshadedDraw;
use crate::simd::Portable;
use glam::DVec4;

/// A window point (in pixels) as clip coordinates with this w, at depth 0.
fn clip_point(size: [u32; 2], [x, y]: [f64; 2], w: f64) -> DVec4 {
    let ndc = [2.0 * x / f64::from(size[0]) - 1.0, 2.0 * y / f64::from(size[1]) - 1.0];
    DVec4::new(ndc[0] * w, ndc[1] * w, 0.0, w)
}

/// For each pixel, the number of triangles (in clip coordinates) that cover it.
fn cover(size: [u32; 2], planes: DepthPlanes, triangles: &[[DVec4; 3]]) -> (Vec<u32>, Stats) {
    let mut counts = vec![0; (size[0] * size[1]) as usize];
    let mut stats = Stats::default();
    let window = Bounds { low: [0; 2], high: size.map(|side| side - 1) };
    let positions: Vec<[f32; 4]> = triangles.iter().flatten().map(|p| p.as_vec4().to_array()).collect();
    let input = input(Primitive::Triangles, &positions);
    let state = RasterState::DEFAULT;
    let depth = if planes == DepthPlanes::Clip { DepthSource::Window } else { DepthSource::Program };
    let (threads, never) = (Threads::new(Some(1)), AtomicBool::new(false));
    let reads = FragmentReads { depth, ..FragmentReads::NOTHING };
    let pass = Pass(Vec::new());
    let draw = UnshadedDraw::new((&input, &pass), &state, &reads, size);
    let stage = draw.stages(&threads, &never).next().unwrap();
    for number in 0..stage.primitives.count() {
        stage.primitive(number, &mut stats, &mut |_, clipped| {
            let (corners, bounds) = match *clipped {
                ClippedPrimitive::Whole(order, corners, bounds) => (order.of(corners), bounds),
                ClippedPrimitive::Cut(shape) => (shape.corners, shape.bounds),
                ClippedPrimitive::Line(_) | ClippedPrimitive::Point(_) => {
                    panic!("a triangle is drawn as such")
                }
            };
            raster::quads::<Portable, _>(
                &Triangle::new(corners, bounds),
                window,
                |x, y, [covered]: [u8; 1]| {
                    assert!(x % 2 == 0 && y % 2 == 0 && covered != 0);
                    for lane in (0..4).filter(|lane| covered >> lane & 1 != 0) {
                        counts[((y + lane / 2) * size[0] + x + lane % 2) as usize] += 1;
                    }
                },
            );
        });
    }
    (counts, stats)
}

fn pixels(size: [u32; 2], corners: [[f64; 2]; 3]) -> Vec<[u32; 2]> {
    let (counts, _) = cover(size, DepthPlanes::Clip, &[corners.map(|p| clip_point(size, p, 1.0))]);
    let pixel = |i: usize| [i as u32 % size[0], i as u32 / size[0]];
    (0..counts.len()).filter(|&i| counts[i] != 0).map(pixel).collect()
}

#[test]
fn points_on_edges_belong_to_left_and_top_edges() {
    // All corners are pixel centres of an 8x8 window. For the lower left half of a square, the left edge owns
    // its points; the bottom edge and the diagonal (a right edge) do not.
    let (a, b, c, d) = ([0.5, 0.5], [4.5, 0.5], [4.5, 4.5], [0.5, 4.5]);
    let lower = [[0, 1], [1, 1], [2, 1], [0, 2], [1, 2], [0, 3]];
    // For the upper right half, the diagonal is a left edge and the top edge is a top edge, so both own their
    // points.
    let upper = [[3, 1], [2, 2], [3, 2], [1, 3], [2, 3], [3, 3], [0, 4], [1, 4], [2, 4], [3, 4]];
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        assert_eq!(pixels([8, 8], order.map(|i| [a, b, d][i])), lower, "{order:?}");
        assert_eq!(pixels([8, 8], order.map(|i| [b, c, d][i])), upper, "{order:?}");
    }
    // The other diagonal is the right edge of the upper left half and the left edge of the lower right half.
    assert_eq!(
        pixels([8, 8], [a, c, d]),
        [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3], [0, 4], [1, 4], [2, 4], [3, 4]]
    );
    assert_eq!(pixels([8, 8], [a, b, c]), [[1, 1], [2, 1], [3, 1], [2, 2], [3, 2], [3, 3]]);
}

#[test]
fn a_triangle_about_one_centre_covers_one_pixel_and_beside_it_none() {
    let around = |x: f64, y: f64| [[x - 0.25, y - 0.25], [x + 0.25, y - 0.25], [x, y + 0.375]];
    assert_eq!(pixels([5, 3], around(2.5, 1.5)), [[2, 1]]);
    assert_eq!(pixels([5, 3], around(2.0, 1.0)), [[0; 2]; 0]);
    assert_eq!(pixels([5, 3], around(4.5, 2.5)), [[4, 2]]);
    assert_eq!(pixels([5, 3], around(5.5, 2.5)), [[0; 2]; 0]);
}

/// Whether the sample of pixel (x, y) is in a triangle of snapped corners. The sample is moved right by an
/// infinitesimal, and down by a smaller infinitesimal. This is an equivalent formulation of the rule of left
/// and top edges.
fn oracle(corners: [[i128; 2]; 3], x: u32, y: u32) -> bool {
    const SMALL: i128 = 1 << 30;
    let p = [i128::from(x) * 1024 + 512, i128::from(y) * 1024 + 512];
    let side = |a: [i128; 2], b: [i128; 2]| {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let exact = dx * (p[1] - a[1]) - dy * (p[0] - a[0]);
        (exact * SMALL * SMALL - dy * SMALL - dx).signum()
    };
    let [a, b, c] = corners;
    let sides = [side(a, b), side(b, c), side(c, a)];
    // An edge without length gives 0, so nothing is inside.
    sides == [1; 3] || sides == [-1; 3]
}

#[test]
fn slivers_and_all_other_triangles_cover_what_exact_arithmetic_says() {
    let size = [64, 64];
    let mut random = Random(1);
    let mut covered = 0;
    for round in 0..3000 {
        let far = if round % 4 == 0 { 900.0 } else { 10.0 };
        let mut corners = [0; 3].map(|_| [0, 1].map(|_| random.between(-far, 64.0 + far)));
        if round % 3 == 0 {
            // A sliver: two corners a few subpixels apart, half the time at pixel centres.
            corners[0] = [0, 1].map(|_| random.between(0.0, 64.0).floor() + 0.5);
            corners[1] = [0, 1].map(|i| corners[0][i] + random.between(-3.0, 3.0).round() / 1024.0);
            if round % 2 == 0 {
                corners[2] = [0, 1].map(|_| random.between(0.0, 64.0).floor() + 0.5);
            }
        }
        let snapped = corners.map(|corner| corner.map(|x| (f64::from(x) * 1024.0).round_ties_even()));
        // On the grid, so that the conversion to clip coordinates and back is exact.
        let clip = snapped.map(|corner| clip_point(size, corner.map(|x| x / 1024.0), 1.0));
        let (counts, _) = cover(size, DepthPlanes::Clip, &[clip]);
        for y in 0..64 {
            for x in 0..64 {
                let expected = oracle(snapped.map(|corner| corner.map(|x| x as i128)), x, y);
                assert_eq!(counts[(y * 64 + x) as usize], u32::from(expected), "{corners:?} {x} {y}");
                covered += u32::from(expected);
            }
        }
    }
    assert!(covered > 100_000);
}

#[test]
fn grids_and_fans_cover_every_pixel_once() {
    let mut random = Random(2);
    for round in 0..60 {
        let size = [random.between(1.0, 200.0) as u32, random.between(1.0, 200.0) as u32];
        // A jittered grid with its border outside of the window. Corners snap to whole pixels, to halves, or
        // not at all. Different w must make no difference.
        let coarse = [0.5, 1.0, 1e-9][round % 3];
        // Cells are large enough that rounding to `coarse` and jitter cannot flip a triangle.
        let most = if coarse < 0.1 { 60.0 } else { (size[0].min(size[1]) + 20) as f32 / 6.0 };
        let steps = random.between(1.0, most) as usize;
        let mut points = Vec::new();
        for row in 0..=steps {
            for column in 0..=steps {
                let place = [column, row].map(|i| i as f32 / steps as f32);
                let point = [0, 1].map(|axis| {
                    let inner = place[axis] > 0.0 && place[axis] < 1.0;
                    let jitter = if inner { random.between(-0.15, 0.15) / steps as f32 } else { 0.0 };
                    let side = size[axis] as f32;
                    f64::from((place[axis] + jitter) * (side + 20.0) - 10.0)
                });
                let point = point.map(|x| (x / coarse).round() * coarse);
                points.push(clip_point(size, point, f64::from(random.between(0.5, 3.0))));
            }
        }
        let mut triangles = Vec::new();
        for row in 0..steps {
            for column in 0..steps {
                let a = row * (steps + 1) + column;
                let (b, c, d) = (a + 1, a + steps + 1, a + steps + 2);
                triangles.extend(if random.next() < 0.5 {
                    [[a, b, c], [b, d, c]]
                } else {
                    [[a, b, d], [a, d, c]]
                });
            }
        }
        let triangles: Vec<_> = triangles.iter().map(|t| t.map(|i| points[i])).collect();
        let (counts, _) = cover(size, DepthPlanes::Clip, &triangles);
        assert!(counts.iter().all(|&count| count == 1), "grid, round {round}");
        // A fan around a point of the window, with a rim far outside, often beyond the guard band.
        let centre = [0, 1].map(|axis| f64::from(random.next() * size[axis] as f32));
        let spokes = 3 + (random.next() * 40.0) as usize;
        let reach = if round % 2 == 0 { 1e3 } else { 1e7 };
        let rim: Vec<_> = (0..spokes)
            .map(|spoke| {
                let angle = spoke as f64 / spokes as f64 * std::f64::consts::TAU + 0.1;
                let point = [centre[0] + reach * angle.cos(), centre[1] + reach * angle.sin()];
                clip_point(size, point, 1.0)
            })
            .collect();
        let hub = clip_point(size, centre, 2.0);
        let triangles: Vec<_> = (0..spokes).map(|i| [hub, rim[i], rim[(i + 1) % spokes]]).collect();
        let (counts, _) = cover(size, DepthPlanes::Clip, &triangles);
        assert!(counts.iter().all(|&count| count == 1), "fan, round {round}");
    }
}

/// A closed surface around the origin: a sphere with a bumpy radius.
fn hull(random: &mut Random, low: f32, high: f32) -> Mesh {
    let sphere = Mesh::sphere(20, 12);
    // Vertices at the same position (the seam, the poles) must move together.
    let mut radii = std::collections::HashMap::new();
    let key = |p: [f32; 3]| p.map(|x| (x * 1000.0).round() as i32);
    let position = |p: &[f32; 3]| {
        let radius = *radii.entry(key(*p)).or_insert_with(|| (random.between(low.ln(), high.ln())).exp());
        key(*p).map(|x| x as f32 / 1000.0 * radius)
    };
    let positions = sphere.positions().iter().map(position).collect();
    Mesh::from_parts(MeshParts { positions, triangles: sphere.triangles().to_vec(), ..Default::default() })
        .unwrap()
}

#[test]
fn a_hull_around_the_eye_covers_every_pixel_once() {
    // Triangles behind the eye, across the eye's plane, and across near and guard planes leave no seams.
    let mut random = Random(3);
    for round in 0..40 {
        let (low, high) = [(1.0, 1.0), (0.3, 3.0), (0.01, 90.0), (1e6, 1e9)][round % 4];
        let mesh = Arc::new(hull(&mut random, low, high));
        let target = [0; 3].map(|_| random.between(-1.0, 1.0));
        let fov_y_degrees = random.between(5.0, 150.0);
        let camera =
            Camera { eye: [0.0; 3], target, fov_y_degrees, near: 0.001, far: 100.0, ..Camera::default() };
        let clamp = low > 100.0 || round % 8 >= 4;
        let depth = DepthState { clamp, ..DepthState::OFF };
        let draw = Shot { camera, depth, ..Shot::mesh(mesh) };
        let size = [random.between(1.0, 150.0) as u32, random.between(1.0, 150.0) as u32];
        let (framebuffer, stats) = draw_with(&draw, &shader(|_| Shaded::default()), size, 1);
        assert!(framebuffer.status.iter().all(|&s| s == PixelStatus::Written), "round {round}");
        assert_eq!(stats.written, u64::from(size[0] * size[1]), "round {round}");
    }
}

#[test]
fn a_cap_at_the_near_plane_closes_what_clipping_opened() {
    // A hull that the near plane cuts, drawn with clipping, and its part in front of the near plane, drawn
    // with replaced depth. Window z determines which fragments clipping must leave.
    let mut random = Random(4);
    for _ in 0..8 {
        let mesh = Arc::new(hull(&mut random, 0.3, 3.0));
        let target = [0; 3].map(|_| random.between(-1.0, 1.0));
        let draw = Shot {
            camera: Camera { eye: [0.0; 3], target, near: 0.7, far: 1.7, ..camera() },
            ..Shot::mesh(mesh)
        };
        let size = [61, 47];
        let (mut kept, mut cut) = (0, 0);
        for y in 0..size[1] {
            for x in 0..size[0] {
                let all = fragments_of(&draw, &ALL, DepthSource::Program, size, [x, y]);
                assert_eq!(all.len(), 1);
                let z = all[0].quad[0][all[0].lane][2];
                let left = fragments_of(&draw, &ALL, DepthSource::Window, size, [x, y]).len();
                // Window z changes by less than a thousandth within a subpixel here. Within this distance of
                // the planes, both results are allowed.
                if z > 0.002 && z < 0.998 {
                    assert_eq!(left, 1, "{z}");
                    kept += 1;
                } else if !(-0.002..=1.002).contains(&z) {
                    assert_eq!(left, 0, "{z}");
                    cut += 1;
                }
            }
        }
        assert!(kept > 50 && cut > 50, "{kept} {cut}");
    }
}

#[test]
fn replaced_depth_and_depth_clamp_turn_off_near_and_far() {
    // Squares before the near plane (0.5), between the planes, and beyond the far plane (10), and one behind
    // the eye.
    for (z, seen) in [(0.75, false), (0.0, true), (-99.0, false)] {
        let side = 2.0 * (1.0 - z);
        let positions = vec![[-side, -side, z], [side, -side, z], [side, side, z], [-side, side, z]];
        let draw = counting(mesh_draw(positions, vec![[0, 1, 2], [0, 2, 3]]));
        let plain = shader(|_| Shaded { depth: 0.5, ..Shaded::default() });
        let written = |draw: &Shot, depth: DepthSource| {
            draw_with(draw, &LaneShader { depth, ..shader(plain.run) }, [9, 9], 1).1.written
        };
        assert_eq!(written(&draw, DepthSource::Window), if seen { 81 } else { 0 });
        assert_eq!(written(&draw, DepthSource::Program), 81);
        let state = DepthState { clamp: true, test: Some(CompareFunc::Always), ..DepthState::OFF };
        let draw = Shot { depth: state, ..draw };
        let (framebuffer, stats) = draw_with(&draw, &plain, [9, 9], 1);
        assert_eq!(stats.written, 81);
        // Window z at distance d: (1/n - 1/d) / (1/n - 1/f), clamped.
        let exact = (2.0 - 1.0 / f64::from(1.0 - z)) / (2.0 - 0.1);
        assert!((f64::from(framebuffer.depth[40]) - exact.clamp(0.0, 1.0)).abs() < 1e-7);
    }
    let behind = vec![[-9.0, -9.0, 2.0], [9.0, -9.0, 2.0], [0.0, 9.0, 2.0]];
    let draw =
        Shot { depth: DepthState { clamp: true, ..DepthState::OFF }, ..mesh_draw(behind, vec![[0, 1, 2]]) };
    let (_, stats) = draw_with(&draw, &shader(|_| Shaded::default()), [9, 9], 1);
    assert_eq!((stats.written, stats.primitives_culled), (0, 1));
}

#[test]
fn hostile_vertices_are_counted_and_skipped() {
    let size = [40, 40];
    let good = [[0.0, 0.0], [40.0, 0.0], [0.0, 40.0]].map(|p| clip_point(size, p, 1.0));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for component in 0..4 {
            let mut triangle = good;
            triangle[1][component] = bad;
            let (counts, stats) = cover(size, DepthPlanes::Clip, &[triangle, good]);
            assert_eq!((stats.primitives, stats.primitives_invalid, stats.primitives_culled), (2, 1, 0));
            assert!(counts.iter().all(|&count| count <= 1) && counts.contains(&1));
        }
    }
    // No area: a point, a line, corners that snap together. Outside of each side. w = 0, w < 0.
    let tiny = good.map(|p| DVec4::new(p.x * 1e-6, p.y * 1e-6, p.z, p.w));
    let far = |dx: f64, dy: f64| good.map(|p| p + DVec4::new(dx * p.w, dy * p.w, 0.0, 0.0));
    let turned = |w: f64| good.map(|p| DVec4::new(p.x, p.y, p.z, w));
    let culled = [
        [good[0]; 3],
        [good[0], good[1], good[1]],
        [good[0], good[1], (good[0] + good[1]) * 0.5],
        tiny,
        far(3.0, 0.0),
        far(-3.0, 0.0),
        far(0.0, 3.0),
        far(0.0, -3.0),
        turned(0.0),
        turned(-1.0),
        [DVec4::ZERO; 3],
    ];
    for triangle in culled {
        for planes in [DepthPlanes::Clip, DepthPlanes::Ignore] {
            let (counts, stats) = cover(size, planes, &[triangle]);
            assert_eq!((stats.primitives_culled, stats.primitives_invalid), (1, 0), "{triangle:?}");
            assert!(counts.iter().all(|&count| count == 0));
        }
    }
}

#[test]
fn random_clip_coordinates_never_panic_nor_cover_twice() {
    let mut random = Random(5);
    let wild = |random: &mut Random| {
        let exponent = random.between(-1.0, 1.0) * [1.0, 8.0, 38.0, 300.0][(random.next() * 4.0) as usize];
        let sign = if random.next() < 0.5 { -1.0 } else { 1.0 };
        sign * 10f64.powf(f64::from(exponent))
    };
    for _ in 0..20_000 {
        let triangle = [0; 3].map(|_| DVec4::from_array([0; 4].map(|_| wild(&mut random))));
        for planes in [DepthPlanes::Clip, DepthPlanes::Ignore] {
            let (counts, _) = cover([13, 7], planes, &[triangle]);
            assert!(counts.iter().all(|&count| count <= 1), "{triangle:?}");
        }
    }
}

#[test]
fn meshes_with_huge_coordinates_are_drawn_without_panic() {
    let mut random = Random(6);
    for scale in [1e-38, 1e-20, 1e10, 1e20, 3e38] {
        let positions = (0..60).map(|_| [0; 3].map(|_| random.between(-1.0, 1.0) * scale)).collect();
        let triangles = (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let draw = counting(mesh_draw(positions, triangles));
        for clamp in [true, false] {
            let draw = Shot { depth: DepthState { clamp, ..DepthState::LESS }, ..draw.clone() };
            let (_, stats) =
                draw_with(&draw, &shader(|i| Shaded { color: i[6], ..Shaded::default() }), [33, 17], 2);
            assert_eq!(stats.primitives, 20);
        }
    }
    // Cameras with invalid parameters still give a picture.
    let good = Camera::default();
    let cameras = [
        Camera { eye: [f32::NAN; 3], ..good },
        Camera { eye: [f32::MAX; 3], ..good },
        Camera { target: good.eye, ..good },
        Camera { up: [0.0, 0.0, 1.0], ..good },
        Camera { up: [f32::INFINITY; 3], ..good },
        Camera { fov_y_degrees: f32::NAN, ..good },
        Camera { fov_y_degrees: 180.0, ..good },
        Camera { near: 0.0, ..good },
        Camera { near: 5.0, far: 1.0, ..good },
        Camera { far: f32::INFINITY, ..good },
    ];
    assert_eq!(good.check(), Ok(()));
    for (number, camera) in cameras.into_iter().enumerate() {
        assert!(number == 1 || camera.check().is_err(), "{camera:?}");
        let draw = Shot { camera, ..Shot::mesh(Arc::new(Mesh::cube())) };
        draw_with(&draw, &shader(|_| Shaded::default()), [20, 20], 1);
    }
}
