//! Built-in meshes: about two units across, centred at the origin, with exact normals and tangents.

use super::mesh::{Mesh, MeshParts};
use glam::{DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// Minimum and maximum number of steps that a shape is divided into in each direction.
const STEPS: std::ops::RangeInclusive<u32> = 3..=4096;

/// A point of a parametrised surface.
struct SurfacePoint {
    position: DVec3,
    normal: DVec3,
    /// Direction of growing s.
    tangent: DVec3,
    /// Direction of growing t.
    bitangent: DVec3,
}

fn to_f32(v: DVec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// A grid over s and t in `[0,1]`. The normal points to the front. In `closed` directions, the points at 1
/// are bit-identical to the points at 0.
fn surface(
    (columns, rows): (u32, u32),
    closed: [bool; 2],
    point: impl Fn(DVec2) -> SurfacePoint,
) -> MeshParts {
    let columns = columns.clamp(*STEPS.start(), *STEPS.end());
    let rows = rows.clamp(*STEPS.start(), *STEPS.end());
    let mut parts = MeshParts::default();
    for row in 0..=rows {
        for column in 0..=columns {
            let st = DVec2::new(f64::from(column) / f64::from(columns), f64::from(row) / f64::from(rows));
            let around = |at: f64, closed: bool| if closed { at.fract() } else { at };
            let at = DVec2::new(around(st.x, closed[0]), around(st.y, closed[1]));
            let SurfacePoint { position, normal, tangent, bitangent } = point(at);
            parts.positions.push(to_f32(position));
            parts.normals.push(to_f32(normal));
            parts.texcoords.push([st.x as f32, st.y as f32]);
            let handedness = if normal.cross(tangent).dot(bitangent) < 0.0 { -1.0 } else { 1.0 };
            let [x, y, z] = to_f32(tangent);
            parts.tangents.push([x, y, z, handedness]);
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let (b, c) = (a + 1, a + columns + 1);
            let d = c + 1;
            for triangle in [[a, b, d], [a, d, c]] {
                let [p, q, r] = triangle.map(|i| parts.positions[i as usize]);
                // Rows that shrink to a point (the poles) leave one triangle of two.
                if p != q && q != r && r != p {
                    parts.triangles.push(triangle);
                }
            }
        }
    }
    parts
}

fn mesh(parts: MeshParts) -> Mesh {
    // Shapes are valid by construction, which is tested. The fallback avoids a panic.
    Mesh::from_parts(parts).unwrap_or_else(|_| Mesh::empty())
}

/// A name and a constructor.
pub type BuiltInMesh = (&'static str, fn() -> Mesh);

impl Mesh {
    /// The built-in meshes by name, with enough triangles to look smooth.
    pub const BUILTIN: [BuiltInMesh; 5] = [
        ("plane", Self::plane),
        ("cube", Self::cube),
        ("sphere", || Self::sphere(96, 48)),
        ("torus", || Self::torus(112, 40)),
        ("knot", || Self::knot(256, 24)),
    ];

    /// The built-in mesh with this name.
    pub fn builtin(name: &str) -> Option<Self> {
        Self::BUILTIN.into_iter().find(|(known, _)| *known == name).map(|(_, make)| make())
    }

    /// The square from (-1,-1,0) to (1,1,0), facing +z, with s along x and t along y.
    pub fn plane() -> Self {
        let mut parts = MeshParts::default();
        face(&mut parts, DVec3::ZERO, DVec3::X, DVec3::Y);
        mesh(parts)
    }

    /// A cube of side 1.5. Each face shows the whole texture, upright when seen from outside.
    pub fn cube() -> Self {
        let mut parts = MeshParts::default();
        let faces = [
            (DVec3::X, DVec3::NEG_Z, DVec3::Y),
            (DVec3::NEG_X, DVec3::Z, DVec3::Y),
            (DVec3::Y, DVec3::X, DVec3::NEG_Z),
            (DVec3::NEG_Y, DVec3::X, DVec3::Z),
            (DVec3::Z, DVec3::X, DVec3::Y),
            (DVec3::NEG_Z, DVec3::NEG_X, DVec3::Y),
        ];
        for (normal, right, up) in faces {
            face(&mut parts, normal * 0.75, right * 0.75, up * 0.75);
        }
        mesh(parts)
    }

    /// A sphere of radius 1 with its poles on the y axis. s runs eastwards from -z, so that the middle of the
    /// texture faces +z. t runs from the south pole to the north pole.
    pub fn sphere(slices: u32, stacks: u32) -> Self {
        mesh(surface((slices, stacks), [true, false], |st| {
            let (longitude, latitude) = (st.x * TAU - PI, st.y * PI - 0.5 * PI);
            let (sin, cos) = longitude.sin_cos();
            let (height, radius) = match st.y {
                0.0 => (-1.0, 0.0),
                1.0 => (1.0, 0.0),
                _ => latitude.sin_cos(),
            };
            let normal = DVec3::new(sin * radius, height, cos * radius);
            let bitangent = DVec3::new(-sin * height, radius, -cos * height);
            SurfacePoint { position: normal, normal, tangent: DVec3::new(cos, 0.0, -sin), bitangent }
        }))
    }

    /// A torus around the z axis with an outer radius of 1. s runs around the axis in `rings` steps. t runs
    /// around the tube in `sides` steps, from the outside over the front.
    pub fn torus(rings: u32, sides: u32) -> Self {
        let (ring, tube) = (0.7, 0.3);
        mesh(surface((rings, sides), [true; 2], |st| {
            let (sin, cos) = (st.x * TAU).sin_cos();
            let (front, out) = (st.y * TAU).sin_cos();
            let outward = DVec3::new(cos, sin, 0.0);
            let normal = outward * out + DVec3::Z * front;
            let tangent = DVec3::new(-sin, cos, 0.0);
            let bitangent = outward * -front + DVec3::Z * out;
            SurfacePoint { position: outward * ring + normal * tube, normal, tangent, bitangent }
        }))
    }

    /// A trefoil knot. s runs along the knot in `rings` steps, t around the tube in `sides` steps.
    pub fn knot(rings: u32, sides: u32) -> Self {
        let tube = 0.17;
        mesh(surface((rings, sides), [true; 2], |st| {
            let angle = st.x * TAU;
            let centre = trefoil(angle);
            // A symmetric difference gives a smooth derivative that is the same at both ends.
            let step = 1e-4;
            let tangent = (trefoil(angle + step) - trefoil(angle - step)).normalize_or(DVec3::X);
            // The knot lies on a torus. The frame uses the direction away from the torus's centre circle, so
            // the frame is the same after one turn.
            let (sin, cos) = (2.0 * angle).sin_cos();
            let away = centre - DVec3::new(cos, sin, 0.0) * KNOT_RING;
            let away = (away - tangent * tangent.dot(away)).normalize_or(DVec3::Z);
            let side = away.cross(tangent);
            let (sin, cos) = (st.y * TAU).sin_cos();
            let normal = away * cos + side * sin;
            let bitangent = side * cos - away * sin;
            SurfacePoint { position: centre + normal * tube, normal, tangent, bitangent }
        }))
    }

    fn empty() -> Self {
        Self { parts: MeshParts::default() }
    }
}

/// Radius of the circle that the trefoil winds around.
const KNOT_RING: f64 = 0.6;

/// A (2,3) torus knot.
fn trefoil(angle: f64) -> DVec3 {
    let (sin, cos) = (2.0 * angle).sin_cos();
    let (rise, reach) = (3.0 * angle).sin_cos();
    let radius = KNOT_RING + 0.25 * reach;
    DVec3::new(cos * radius, sin * radius, 0.25 * rise)
}

/// Adds a square with this centre and these half sides. Its front faces right x up.
fn face(parts: &mut MeshParts, centre: DVec3, right: DVec3, up: DVec3) {
    let first = parts.positions.len() as u32;
    let normal = right.cross(up).normalize_or(DVec3::Z);
    let [x, y, z] = to_f32(right.normalize_or(DVec3::X));
    for (s, t) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        let position = centre + right * (2.0 * s - 1.0) + up * (2.0 * t - 1.0);
        parts.positions.push(to_f32(position));
        parts.normals.push(to_f32(normal));
        parts.tangents.push([x, y, z, 1.0]);
        parts.texcoords.push([s as f32, t as f32]);
    }
    parts.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|triangle: [u32; 3]| triangle.map(|i| first + i)));
}
