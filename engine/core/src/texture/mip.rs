//! Automatic mipmap generation (glspec15 3.8.8) by repeated reduction with a box filter.
//!
//! Each level is made from the stored previous level. Along an axis of even size, a texel is the mean of the
//! two texels that it covers. Along an axis of odd size 2m+1, a texel covers 2 + 1/m texels and is their mean
//! weighted by area, so all texels contribute. An axis of size 1 stays. Results are rounded to the format,
//! halves upwards. HILO normals are averaged like other components.

use super::component::Component;
use super::format::Format;
use super::store::{Plane, Texels, half};

/// The texels, with weights, that a texel of the next level averages along one axis.
type Cover = Vec<(usize, f64)>;

/// The [`Cover`] of every texel of the next level, along an axis of `n` texels.
fn covers(n: usize) -> Vec<Cover> {
    if n == 1 {
        return vec![vec![(0, 1.0)]];
    }
    let m = n / 2;
    (0..m)
        .map(|i| {
            if n.is_multiple_of(2) {
                vec![(2 * i, 0.5), (2 * i + 1, 0.5)]
            } else {
                let part = |texels: usize| texels as f64 / n as f64;
                vec![(2 * i, part(m - i)), (2 * i + 1, part(m)), (2 * i + 2, part(i + 1))]
            }
        })
        .collect()
}

/// The next smaller level.
pub(super) fn reduce(plane: &Plane, format: Format) -> Plane {
    let size = half(plane.size);
    let components = format.components();
    let halves = plane.size[0].is_multiple_of(2) && plane.size[1].is_multiple_of(2) && plane.size[2] == 1;
    if let Texels::Packed(texels) = &plane.texels
        && halves
        && components.iter().all(|&component| component == Component::Unorm(8))
    {
        return Plane { size, texels: Texels::Packed(reduce_bytes(texels, plane.size[0], size)) };
    }
    let count = components.len();
    let stored = |texel: usize, c: usize| match &plane.texels {
        Texels::Packed(all) => f64::from(all[texel].to_le_bytes()[c]) / 255.0,
        Texels::Float(all) => f64::from(all[texel * count + c]),
        // Mipmaps are not generated for integers.
        Texels::Integers(_) => 0.0,
    };
    let [across, up, deep] = plane.size.map(covers);
    let mut packed = Vec::new();
    let mut float = Vec::new();
    for z in &deep {
        for y in &up {
            for x in &across {
                let mut sums = [0.0; 4];
                for &(k, wz) in z {
                    for &(j, wy) in y {
                        for &(i, wx) in x {
                            let texel = (k * plane.size[1] + j) * plane.size[0] + i;
                            for (c, sum) in sums.iter_mut().enumerate().take(count) {
                                *sum += wx * wy * wz * stored(texel, c);
                            }
                        }
                    }
                }
                match plane.texels {
                    Texels::Packed(_) => {
                        let mut bytes = [0; 4];
                        for ((byte, component), sum) in bytes.iter_mut().zip(components).zip(sums) {
                            *byte = component.byte(sum);
                        }
                        packed.push(u32::from_le_bytes(bytes));
                    }
                    Texels::Float(_) | Texels::Integers(_) => {
                        float.extend_from_slice(&format.quantise(sums)[..count]);
                    }
                }
            }
        }
    }
    let texels = match plane.texels {
        Texels::Packed(_) => Texels::Packed(packed),
        Texels::Float(_) | Texels::Integers(_) => Texels::Float(float),
    };
    Plane { size, texels }
}

/// [`reduce`] for bytes and even sizes, in integers: (a + b + c + d + 2) / 4.
fn reduce_bytes(texels: &[u32], width: usize, [w, h, _]: [usize; 3]) -> Vec<u32> {
    let mut out = Vec::with_capacity(w * h);
    for rows in texels.chunks_exact(2 * width) {
        let (lower, upper) = rows.split_at(width);
        for (a, b) in lower.chunks_exact(2).zip(upper.chunks_exact(2)) {
            let four = [a[0], a[1], b[0], b[1]];
            // Two bytes at a time, each in 16 bits.
            let even: u32 = four.iter().map(|t| t & 0x00FF_00FF).sum::<u32>() + 0x0002_0002;
            let odd: u32 = four.iter().map(|t| (t >> 8) & 0x00FF_00FF).sum::<u32>() + 0x0002_0002;
            out.push(((even >> 2) & 0x00FF_00FF) | (((odd >> 2) & 0x00FF_00FF) << 8));
        }
    }
    out
}
