//! Cube map face selection, glspec15 3.8.6, table 3.20.
//!
//! Where two components have the same magnitude, x comes before y and y before z. Filters and wrap
//! modes stay within the selected face, as GL 1.5 has it: with CLAMP_TO_EDGE a linear filter at a face's
//! edge repeats that edge. The zero vector and vectors with NaN select +z or another face, with NaN
//! coordinates, which wrap as the other targets' do.

/// The face a direction meets: 0 to 5 for +x, -x, +y, -y, +z, -z.
pub(super) fn face(r: [f32; 3]) -> usize {
    let [x, y, z] = r.map(f32::abs);
    let axis = if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    };
    2 * axis + usize::from(r[axis] < 0.0)
}

/// sc, tc and |ma| of table 3.20 for `face`: linear in `r`, so it serves for derivatives too.
pub(super) fn project(face: usize, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match face {
        0 => [-z, -y, x],
        1 => [z, -y, -x],
        2 => [x, z, y],
        3 => [x, -z, -y],
        4 => [x, -y, z],
        _ => [-x, -y, -z],
    }
}

/// (s, t) on the face from sc, tc, |ma|.
pub(super) fn coordinates([sc, tc, ma]: [f32; 3]) -> [f32; 2] {
    [0.5 * (sc / ma + 1.0), 0.5 * (tc / ma + 1.0)]
}

/// Derivatives of (s, t) where the direction's, projected on the same face, are `d`: quotient rule.
pub(super) fn derivatives([sc, tc, ma]: [f32; 3], d: [f32; 3]) -> [f32; 2] {
    [0.5 * ((d[0] - sc / ma * d[2]) / ma), 0.5 * ((d[1] - tc / ma * d[2]) / ma)]
}
