//! Attribute values: eq. 3.6 compared with f64, the mesh attributes, and the attributes of a probe.

use super::*;
use glam::DVec3;
use shadestep_language::ir::Interpolation;
use shadestep_language::num::fp32;

/// Number of fp32 values between two numbers.
fn steps_apart(a: f32, b: f32) -> u32 {
    let ordered = |x: f32| {
        let bits = x.to_bits() as i32;
        if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits }
    };
    ordered(a).abs_diff(ordered(b))
}

/// Twice the area of a triangle (A of glspec15 3.5.1, up to a factor).
fn area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// The three vertices' values of each component.
fn by_component(colors: &[[f32; 4]]) -> [[f64; 3]; 4] {
    std::array::from_fn(|component| std::array::from_fn(|vertex| f64::from(colors[vertex][component])))
}

#[test]
fn attributes_follow_equation_3_6_to_one_step_of_fp32() {
    let size = [64, 64];
    let mut random = Random(7);
    let mut most = 0;
    let mut fragments = 0;
    for round in 0..400 {
        // Corners on the subpixel grid, so that snapping changes nothing.
        let corners = [0; 3]
            .map(|_| [0, 1].map(|_| (f64::from(random.between(-100.0, 164.0)) * 1024.0).round() / 1024.0));
        let w = [0; 3].map(|_| random.between(-3.0, 3.0).exp());
        let clip: [[f32; 4]; 3] = std::array::from_fn(|i| {
            let ndc = corners[i].map(|x| (x / 32.0 - 1.0) as f32);
            [ndc[0] * w[i], ndc[1] * w[i], random.between(-1.0, 1.0) * w[i], w[i]]
        });
        let w = w.map(f64::from);
        let z: [f64; 3] = std::array::from_fn(|i| f64::from(clip[i][2]) / w[i]);
        // Values of one sign in most iterations, so that relative accuracy is well defined.
        let low = if round % 4 == 0 { -1.0 } else { 0.01 };
        let values: Vec<[f32; 4]> = (0..3).map(|_| [0; 4].map(|_| random.between(low, 1.0))).collect();
        let mut input = input(Primitive::Triangles, &clip);
        input.attributes[8] = array(&values);
        let recorder = Recorder::default();
        let draw = counting(Shot { geometry: Geometry::Vertices(input), ..Shot::viewport_quad() }).draw();
        draw_vertices(&draw, &Pass(vec![VertexResult::Tex(0)]), &recorder, size, 1);
        for ([x, y], quad) in recorder.seen.into_inner().unwrap() {
            fragments += 1;
            let lane = (x % 2 + y % 2 * 2) as usize;
            let p = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let whole = area(corners);
            let [a, b, c] = [
                area([p, corners[1], corners[2]]) / whole,
                area([corners[0], p, corners[2]]) / whole,
                area([corners[0], corners[1], p]) / whole,
            ];
            let value = |attribute: Attribute, component: usize| quad[attribute.index()][lane][component];
            let denominator = a / w[0] + b / w[1] + c / w[2];
            for (component, f) in by_component(&values).into_iter().enumerate() {
                let exact = (a * f[0] / w[0] + b * f[1] / w[1] + c * f[2] / w[2]) / denominator;
                let got = value(Attribute::Tex(0), component);
                if low > 0.0 {
                    most = most.max(steps_apart(got, exact as f32));
                }
                assert!((f64::from(got) - exact).abs() <= exact.abs() * 6e-8 + 1e-12, "{got} {exact}");
            }
            most = most.max(steps_apart(value(Attribute::Wpos, 3), denominator as f32));
            // Window z is linear in the window, after 2.10.1: z/2 + 1/2.
            let exact = (a * z[0] + b * z[1] + c * z[2]) * 0.5 + 0.5;
            assert!((f64::from(value(Attribute::Wpos, 2)) - exact).abs() <= exact * 6e-8 + 1e-12);
            assert_eq!([value(Attribute::Wpos, 0), value(Attribute::Wpos, 1)], p.map(|x| x as f32));
        }
    }
    assert!(fragments > 100_000);
    assert!(most <= 1, "{most} steps");
}

#[test]
fn mesh_attributes_are_those_of_the_point_that_is_seen() {
    // A tilted square. For each pixel, f64 arithmetic gives the point where the pixel's ray meets the
    // square's plane.
    let camera =
        Camera { eye: [0.5, 0.75, 2.0], target: [0.1, 0.0, 0.0], fov_y_degrees: 50.0, ..Camera::default() };
    let (right, up) = (DVec3::new(4.0, 0.0, -1.0), DVec3::new(0.0, 4.0, 1.0));
    let corner = |s: f64, t: f64| (right * (2.0 * s - 1.0) + up * (2.0 * t - 1.0)).as_vec3().to_array();
    let st = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0f32]];
    let mesh = Mesh::from_parts(MeshParts {
        positions: st.map(|[s, t]| corner(s.into(), t.into())).to_vec(),
        texcoords: st.to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..MeshParts::default()
    })
    .unwrap();
    let draw = Shot { camera, ..Shot::mesh(Arc::new(mesh)) };
    let size = [90, 60];
    let eye = DVec3::new(0.5, 0.75, 2.0);
    let forward = (DVec3::new(f64::from(0.1f32), 0.0, 0.0) - eye).normalize();
    let side = forward.cross(DVec3::Y).normalize();
    let above = side.cross(forward);
    let normal = right.cross(up).normalize();
    for (x, y) in [(0, 0), (89, 59), (45, 30), (3, 50), (77, 8)] {
        let scale = 25f64.to_radians().tan() / 30.0;
        let (dx, dy) = ((f64::from(x) + 0.5 - 45.0) * scale, (f64::from(y) + 0.5 - 30.0) * scale);
        let ray = forward + side * dx + above * dy;
        // `ray` has length 1 along the line of sight, so the factor is the distance to the eye's plane.
        let distance = -eye.dot(normal) / ray.dot(normal);
        let point = eye + ray * distance;
        let fragments = fragments_of(&draw, &ALL, DepthSource::Window, size, [x, y]);
        assert_eq!(fragments.len(), 1);
        let got = |attribute: usize| fragments[0].quad[attribute][fragments[0].lane].map(f64::from);
        // The tolerance allows for snapping, which moves corners by up to 1/2048 pixel.
        let near = |attribute: usize, exact: [f64; 4]| {
            for (got, exact) in got(attribute).into_iter().zip(exact) {
                assert!((got - exact).abs() < 2e-5 * distance, "{attribute}: {got} {exact}");
            }
        };
        let (s, t) = (point.dot(right), point.dot(up));
        // Solve point = right * u + up * v by the 2x2 normal equations.
        let (rr, uu, ru) = (right.dot(right), up.dot(up), right.dot(up));
        let determinant = rr * uu - ru * ru;
        let (u, v) = ((s * uu - t * ru) / determinant, (t * rr - s * ru) / determinant);
        near(4, [u * 0.5 + 0.5, v * 0.5 + 0.5, 0.0, 1.0]);
        near(5, normal.extend(0.0).to_array());
        near(6, point.extend(1.0).to_array());
        let tangent = right.normalize();
        near(7, tangent.extend(0.0).to_array());
        near(8, normal.cross(tangent).extend(0.0).to_array());
        near(9, (eye - point).extend(0.0).to_array());
        let seen = point - eye;
        near(10, [seen.dot(side), seen.dot(above), -seen.dot(forward), 1.0]);
        near(11, point.extend(1.0).to_array());
        near(1, [1.0; 4]);
        near(2, [0.0, 0.0, 0.0, 1.0]);
        near(3, [distance, 0.0, 0.0, 0.0]);
        let (n, f) = (f64::from(0.1f32), 100.0);
        let z = (1.0 / n - 1.0 / distance) / (1.0 / n - 1.0 / f);
        near(0, [f64::from(x) + 0.5, f64::from(y) + 0.5, z, 1.0 / distance]);
    }
}

#[test]
fn a_probe_gets_what_the_renderer_fed_bit_for_bit() {
    let mut cut = Shot::mesh(Arc::new(Mesh::cube()));
    cut.camera = Camera { eye: [0.1, 0.3, 0.9], near: 0.4, fov_y_degrees: 100.0, ..Camera::default() };
    let knot = Shot::mesh(Arc::new(Mesh::knot(60, 9)));
    for draw in [counting(cut), counting(knot), Shot::viewport_quad()] {
        for size in [[71, 66], [11, 3]] {
            let recorder = Recorder::default();
            draw_with(&draw, &recorder, size, 1);
            let seen = recorder.seen.into_inner().unwrap();
            let bits = |quad: &QuadAttributes| quad.map(|a| a.map(|lane| lane.map(f32::to_bits)));
            let mut total = 0;
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let fed: Vec<_> =
                        seen.iter().filter(|(p, _)| *p == [x, y]).map(|(_, q)| bits(q)).collect();
                    let fragments = fragments_of(&draw, &ALL, DepthSource::Window, size, [x, y]);
                    let probed: Vec<_> = fragments.iter().map(|f| bits(&f.quad)).collect();
                    assert!(fed == probed, "{x} {y}");
                    assert!(
                        fragments.iter().all(|f| f.covered[f.lane] && f.lane as u32 == x % 2 + y % 2 * 2)
                    );
                    assert!(fragments.is_sorted_by_key(|f| f.primitive));
                    total += fed.len();
                }
            }
            assert_eq!(total, seen.len());
            assert!(total > 4);
        }
    }
    assert!(fragments_of(&Shot::viewport_quad(), &ALL, DepthSource::Window, [4, 4], [4, 0]).is_empty());
}

#[test]
fn computed_attributes_have_no_denorms_and_one_nan() {
    // Values that underflow during interpolation, and values that overflow.
    for scale in [1e-39f32, 3e38] {
        let corners = [[2.5, 2.5], [13.5, 3.5], [4.5, 12.5]].map(|p| at([16, 16], p));
        let mut input = input(Primitive::Triangles, &corners);
        input.attributes[8] =
            array(&[1.0, -0.7, 0.3].map(|f: f32| [f * scale, -f * scale, f * f * scale, f]));
        input.attributes[9] = array(&[f32::INFINITY, -f32::INFINITY, 1.0].map(|x| [x, 1.0 / x, x, -x]));
        let draw = Draw::vertices(input);
        let recorder = Recorder::default();
        draw_vertices(&draw, &Pass(vec![VertexResult::Tex(0), VertexResult::Tex(1)]), &recorder, [16, 16], 1);
        let seen = recorder.seen.into_inner().unwrap();
        assert!(seen.len() > 40);
        // Integer attributes are bits, not numbers.
        let numbers = |quad: &QuadAttributes| {
            let attributes = Attribute::FRAGMENT.into_iter().zip(*quad);
            let numbers = attributes.filter(|(attribute, _)| !attribute.ty().is_integer());
            numbers.flat_map(|(_, lanes)| lanes.into_iter().flatten()).collect::<Vec<f32>>()
        };
        for value in seen.iter().flat_map(|(_, quad)| numbers(quad)) {
            assert!(!value.is_subnormal());
            assert!(!value.is_nan() || value.to_bits() == fp32::NAN_BITS);
        }
    }
}

/// Points, lines and triangles in a window of 16 x 16: with equal w, with different w, and cut by the near
/// plane.
fn shapes() -> Vec<(Primitive, Vec<[f32; 4]>)> {
    let (a, b, c) = ([-0.75, -0.625, 0.0, 1.0], [0.875, -0.5, 0.25, 1.0], [-0.25, 0.75, 0.5, 1.0]);
    let (near, far) = ([1.0, -0.75, -2.5, 1.5], [1.25, 1.0, 0.5, 3.0]);
    let mut shapes = Vec::new();
    for corners in [[a, b, c], [a, far, c], [a, near, c], [near, far, c]] {
        shapes.push((Primitive::Points, corners.to_vec()));
        shapes.push((Primitive::LineLoop, corners.to_vec()));
        shapes.push((Primitive::Triangles, corners.to_vec()));
        shapes.push((Primitive::Polygon, [corners.as_slice(), &[[-0.875, 0.25, 0.0, 1.0]]].concat()));
    }
    shapes
}

#[test]
fn attributes_that_are_constant_over_a_primitive_keep_their_bits() {
    let size = [16, 16];
    // NaNs of both kinds and signs, and a denorm. Colours are clamped, fog is not.
    let data = [0x8000_0000, 0xFFC1_2345, 0x7F81_2345, 0x8000_0001].map(f32::from_bits);
    let other = [f32::from_bits(0xFF80_0001), -f32::INFINITY, f32::from_bits(0x0000_0001), -0.0];
    let color = [-0.0, 0.5, f32::from_bits(1), 1.0];
    let results = [VertexResult::Tex(0), VertexResult::Tex(7), VertexResult::Col0, VertexResult::Fogc];
    let mut fragments = 0;
    for (primitive, corners) in shapes() {
        for mode in [PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point] {
            let mut input = input(primitive, &corners);
            for (attribute, value) in [(8, data), (15, other), (3, color), (5, data)] {
                input.attributes[attribute] = array(&vec![value; corners.len()]);
            }
            let state = RasterState { polygon_mode: [mode; 2], ..RasterState::DEFAULT };
            let draw = Draw { state, ..Draw::vertices(input) };
            let recorder = Recorder::default();
            draw_vertices(&draw, &Pass(results.to_vec()), &recorder, size, 1);
            for (pixel, quad) in recorder.seen.into_inner().unwrap() {
                let probed =
                    fragments_at(&draw, &Pass(results.to_vec()), &ALL, DepthSource::Window, size, pixel);
                assert!(!probed.is_empty());
                for quad in probed.iter().map(|fragment| &fragment.quad).chain([&quad]) {
                    let same = |attribute: Attribute, expected: [f32; 4]| {
                        for lane in &quad[attribute.index()] {
                            assert_eq!(
                                lane.map(f32::to_bits),
                                expected.map(f32::to_bits),
                                "{primitive:?} {mode:?}"
                            );
                        }
                    };
                    same(Attribute::Tex(0), data);
                    same(Attribute::Tex(7), other);
                    same(Attribute::Col0, color);
                    same(Attribute::FogCoord, [data[0], 0.0, 0.0, 1.0]);
                }
                fragments += 1;
            }
        }
    }
    assert!(fragments > 1000, "{fragments}");
}

#[test]
fn flat_colors_and_points_keep_the_bits_of_their_vertex() {
    let size = [16, 16];
    for (primitive, corners) in shapes() {
        let mut input = input(primitive, &corners);
        let colors = [[-0.0, 0.25, f32::from_bits(7), 1.0]; 4].map(|color| color.map(|x: f32| x));
        let own: Vec<[f32; 4]> = (0..corners.len())
            .map(|i| [-0.0, f32::from_bits(0x7FA0_0000 + i as u32), i as f32, 1.0])
            .collect();
        input.attributes[3] = array(&colors[..corners.len()]);
        input.attributes[8] = array(&own);
        let state = RasterState { shade_model: ShadeModel::Flat, ..RasterState::DEFAULT };
        let draw = Draw { state, ..Draw::vertices(input) };
        let recorder = Recorder::default();
        draw_vertices(&draw, &Pass(vec![VertexResult::Tex(0), VertexResult::Col0]), &recorder, size, 1);
        let seen = recorder.seen.into_inner().unwrap();
        for (_, quad) in &seen {
            let lanes = quad[Attribute::Col0.index()].iter().zip(&quad[Attribute::Tex(0).index()]);
            for (color, texcoord) in lanes {
                assert_eq!(color.map(f32::to_bits), colors[0].map(f32::to_bits));
                let texcoord = texcoord.map(f32::to_bits);
                assert_eq!([texcoord[0], texcoord[3]], [0x8000_0000, 1.0f32.to_bits()]);
                if primitive == Primitive::Points {
                    let vertex = f32::from_bits(texcoord[2]) as usize;
                    assert_eq!(texcoord, own[vertex].map(f32::to_bits));
                }
            }
        }
    }
}

#[test]
fn only_used_components_are_filled() {
    let mut used = [0; Attribute::SLOTS];
    used[Attribute::Tex(0).index()] = 0b10;
    let seen = Mutex::new(0);
    let probe = LaneShader {
        used,
        ..shader(|inputs| {
            *seen.lock().unwrap() += 1;
            for (attribute, values) in inputs.iter().enumerate() {
                for (component, value) in values.iter().enumerate() {
                    let is_used = attribute == Attribute::Tex(0).index() && component == 1;
                    assert!(is_used == (*value != 0.0));
                }
            }
            Shaded::default()
        })
    };
    let knot = Shot::mesh(Arc::new(Mesh::knot(60, 9)));
    for draw in [knot, Shot::viewport_quad()] {
        draw_with(&draw, &probe, [20, 20], 1);
    }
    assert!(*seen.lock().unwrap() > 400);
    assert_eq!(AttributeLanes::default().register(Attribute::Wpos, 0), &LaneRegister::ZERO);
}

/// The fragments of a draw whose generic interpolants are all declared as `interpolation`. The vertices have
/// the `values`.
fn generic(
    input: VertexInput,
    interpolation: Interpolation,
    size: [u32; 2],
) -> Vec<([u32; 2], [[f32; 4]; 32])> {
    let results: Vec<VertexResult> = (0..32).map(VertexResult::Generic).collect();
    let mut declared = FragmentReads::NOTHING.interpolation;
    (0..32).for_each(|n| declared[Attribute::Generic(n).index()] = interpolation);
    let seen = Mutex::new(Vec::new());
    let probe = LaneShader {
        interpolation: declared,
        ..shader(|inputs| {
            let place = [0, 1].map(|axis| inputs[Attribute::Wpos.index()][axis] as u32);
            let values = std::array::from_fn(|n| inputs[Attribute::Generic(n as u8).index()]);
            seen.lock().unwrap().push((place, values));
            Shaded::default()
        })
    };
    draw_vertices(&Draw::vertices(input), &Pass(results), &probe, size, 1);
    seen.into_inner().unwrap()
}

#[test]
fn every_generic_interpolant_reaches_the_fragment_and_flat_ones_bit_for_bit() {
    let size = [16, 16];
    // Integers that would be denorms, NaNs and negative zeros as numbers.
    let word = |n: u32, vertex: u32| {
        f32::from_bits([1, 0x7FA0_0000, 0x8000_0000, 0xFFFF_FFFF][n as usize % 4] ^ vertex << 4)
    };
    for (primitive, corners) in shapes() {
        let mut input = input(primitive, &corners);
        for n in 0..8 {
            let own: Vec<[f32; 4]> =
                (0..corners.len() as u32).map(|v| std::array::from_fn(|c| word(n + c as u32, v))).collect();
            input.attributes[8 + n as usize] = array(&own);
        }
        let seen = generic(input, Interpolation::FLAT, size);
        assert!(!seen.is_empty(), "{primitive:?}");
        for (_, values) in seen {
            let vertices = 0..corners.len() as u32;
            let is_vertex = |v: u32| {
                (0..32).all(|n: usize| {
                    let expected: [f32; 4] = std::array::from_fn(|c| word((n % 8 + c) as u32, v));
                    values[n].map(f32::to_bits) == expected.map(f32::to_bits)
                })
            };
            assert!(vertices.into_iter().any(is_vertex), "{primitive:?}: all of one vertex");
        }
    }
}

#[test]
fn without_perspective_values_are_linear_in_the_window_also_where_primitives_are_clipped() {
    let size = [32, 32];
    // The second triangle is cut at the near plane, z = -w, the third at a side far outside.
    for corners in [
        [[-0.9, -0.9, 0.0, 1.0], [2.7, -2.4, 0.0, 3.0], [-1.0, 6.0, 0.0, 8.0]],
        [[-0.9, -0.9, -1.5, 1.0], [2.7, -2.4, 0.0, 3.0], [-1.0, 6.0, 0.0, 8.0]],
        [[-0.9, -0.9, 0.0, 1.0], [900.0, -2.4, 0.0, 3.0], [-1.0, 6.0, 0.0, 8.0]],
    ] {
        let colors = [[0.0, 1.0, 5.0, 2.0], [1.0, -3.0, 5.0, 0.5], [10.0, 0.25, 5.0, -8.0]];
        let mut input = input(Primitive::Triangles, &corners);
        input.attributes[8] = array(&colors);
        let seen = generic(input, Interpolation::NO_PERSPECTIVE, size);
        assert!(seen.len() > 100);
        let window =
            corners.map(|[x, y, _, w]: [f32; 4]| [x / w, y / w].map(|ndc| (f64::from(ndc) + 1.0) * 16.0));
        for (at, values) in seen {
            let point = at.map(|x| f64::from(x) + 0.5);
            // The fragment's own barycentric coordinates, also for fragments outside of the triangle.
            let [a, b, c] = window;
            let shares = [area([point, b, c]), area([a, point, c]), area([a, b, point])]
                .map(|part| part / area(window));
            for component in 0..4 {
                let terms = [0, 1, 2].map(|v| shares[v] * f64::from(colors[v][component]));
                let expected = terms.iter().sum::<f64>();
                // Corners are snapped to a 256th of a pixel.
                let error = (f64::from(values[0][component]) - expected).abs();
                assert!(error < 0.02, "{at:?} {component}: {} for {expected}", values[0][component]);
            }
        }
    }
}
