//! Textures made by code: `builtin:NAME`, for every target.
//!
//! Every builtin is a function of the texel's place, so that the result of a lookup can be worked out by
//! hand. Rows count from t = 0, so y points up where t does. Sizes in texels:
//! - 1D and BUFFER: 256.
//! - 2D, RECT and cube faces: 256 x 256.
//! - 3D: 32 x 32 x 32.
//! - Arrays: eight layers. The layer is a further axis, with 32 steps from one layer to the next.
//! - Multisample textures: 128 x 128 texels of four samples. Sample n of texel (x, y) has the value of texel
//!   (2x + n mod 2, 2y + n / 2) of the 256 x 256 texture.

use shadestep_engine::ir::TextureTarget;

/// Side of 1D, 2D and RECT textures and of cube faces, in texels.
pub(crate) const SIDE: u32 = 256;

/// Side of 3D textures, in texels.
pub(crate) const SIDE_3D: u32 = 32;

/// Samples along each axis of a texel of multisample textures.
const SAMPLES: u32 = 2;

/// Layers of arrays.
pub(crate) const LAYERS: u32 = 8;

/// A texel, by its place in the texture.
#[derive(Clone, Copy, Debug)]
struct Texel {
    target: TextureTarget,
    /// Cube face: +x -x +y -y +z -z.
    face: u32,
    /// x, y and z on a scale of 0 to 255. A 3D texel's coordinates are multiplied by 8. Arrays have 32 times
    /// the layer on the axis after their images' axes. Axes that the target does not have are 0.
    at: [u32; 3],
    /// Distance of neighbouring texels on the same scale.
    step: u32,
}

/// A builtin texture.
pub(crate) struct Builtin {
    /// Name after `builtin:`.
    pub name: &'static str,
    /// Describes the texels, for lists.
    pub description: &'static str,
    texels: Texels,
}

/// How the texels of a builtin are made.
enum Texels {
    /// A function computes each texel from its place.
    Each(fn(Texel) -> [u8; 4]),
    /// [`noise`] computes all texels of a face together.
    Noise,
}

/// All builtin textures. Units without a texture use the first one.
pub(crate) static BUILTINS: [Builtin; 6] = [
    Builtin {
        name: "xor",
        description: "texel (x, y) is (x, y, x xor y, 255); 1D (x, 0, x, 255); 3D 8 times (x, y, x xor y xor z), 255; arrays have 32 times the layer as one more axis",
        texels: Texels::Each(xor),
    },
    Builtin {
        name: "checker",
        description: "8 checks along each axis, light (230, 230, 230, 255) and dark (40, 40, 48, 255), light at the origin",
        texels: Texels::Each(checker),
    },
    Builtin {
        name: "gradient",
        description: "2D (x, y, 255 - x, 255); 1D (x, x, x, 255); 3D (x, y, z, 255) scaled to 0..255; cube faces as 2D; arrays (x, y, z, 255) with 32 times the layer as their last axis",
        texels: Texels::Each(gradient),
    },
    Builtin {
        name: "noise",
        description: "smooth noise that tiles, in four octaves, different in each of R, G, B and A",
        texels: Texels::Noise,
    },
    Builtin {
        name: "normals",
        description: "a normal map, (n - 128) / 128 per component: 4 x 4 domes on a plane; 3D and CUBE: the direction from the centre",
        texels: Texels::Each(normals),
    },
    Builtin {
        name: "white",
        description: "(255, 255, 255, 255) everywhere",
        texels: Texels::Each(|_| [255; 4]),
    },
];

pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

impl Builtin {
    /// Width, height, and depth or number of samples, of one image of `target`.
    pub fn size(target: TextureTarget) -> [u32; 3] {
        match target.axes() {
            _ if target.has_samples() => [SIDE / SAMPLES, SIDE / SAMPLES, SAMPLES * SAMPLES],
            1 => [SIDE, 1, 1],
            2 => [SIDE, SIDE, 1],
            _ => [SIDE_3D; 3],
        }
    }

    /// Number of images for `target`: one for each layer and face.
    pub fn images(target: TextureTarget) -> u32 {
        let layers = if target.layer().is_some() { LAYERS } else { 1 };
        layers * target.faces() as u32
    }

    /// RGBA bytes of image `face` (0 to [`Self::images`] - 1), x fastest, rows from t = 0. The faces of each
    /// layer are consecutive.
    pub fn texels(&self, target: TextureTarget, face: u32) -> Vec<u8> {
        if target.has_samples() {
            let is_array = target.layer().is_some();
            return by_samples(
                &self.texels(if is_array { TextureTarget::Array2D } else { TextureTarget::D2 }, face),
            );
        }
        let [width, height, depth] = Self::size(target);
        let step = SIDE / width;
        let Texels::Each(texel) = self.texels else { return noise([width, height, depth], step, face) };
        let (layer, face) = (face / target.faces() as u32, face % target.faces() as u32);
        let layer_axis = target.layer().map(|_| target.axes());
        // Plain loops: tests run this without optimisation.
        let mut texels = Vec::with_capacity(4 * (width * height * depth) as usize);
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    let mut at = [x * step, y * step, z * step];
                    if let Some(behind) = layer_axis.and_then(|axis| at.get_mut(axis)) {
                        *behind = layer * (SIDE / LAYERS);
                    }
                    texels.extend_from_slice(&texel(Texel { target, face, at, step }));
                }
            }
        }
        texels
    }
}

/// Reorders the texels of a 2D texture as samples: sample 0 of all texels, then sample 1 and so on.
fn by_samples(texels: &[u8]) -> Vec<u8> {
    let row = 4 * SIDE as usize;
    let each = SAMPLES as usize;
    let samples = (0..each).flat_map(|y| (0..each).map(move |x| [x, y]));
    let rows =
        samples.flat_map(|[x, y]| texels.chunks_exact(row).skip(y).step_by(each).map(move |row| (x, row)));
    rows.flat_map(|(x, row)| row.chunks_exact(4).skip(x).step_by(each)).flatten().copied().collect()
}

/// The low eight bits. Places are at most 255, so none are lost.
fn byte(value: u32) -> u8 {
    (value & 0xFF) as u8
}

fn xor(place: Texel) -> [u8; 4] {
    let [x, y, z] = place.at;
    [byte(x), byte(y), byte(x ^ y ^ z), 255]
}

fn checker(place: Texel) -> [u8; 4] {
    let cells: u32 = place.at.iter().map(|c| c / 32).sum();
    if cells.is_multiple_of(2) { [230, 230, 230, 255] } else { [40, 40, 48, 255] }
}

fn gradient(place: Texel) -> [u8; 4] {
    let [x, y, z] = place.at;
    match place.target.axes() {
        _ if place.target.layer().is_some() => [byte(x), byte(y), byte(z), 255],
        1 => [byte(x), byte(x), byte(x), 255],
        2 => [byte(x), byte(y), byte(255 - x), 255],
        _ => {
            let full = |c: u32| byte(c * 255 / (SIDE - place.step));
            [full(x), full(y), full(z), 255]
        }
    }
}

/// A pseudo-random number in [0, 1] for a lattice point and a seed.
fn lattice(point: [u32; 3], seed: u32) -> f64 {
    let mut h = seed.wrapping_mul(0x9E37_79B9);
    for c in point {
        h = (h ^ c).wrapping_mul(0x85EB_CA6B);
        h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
        h ^= h >> 16;
    }
    f64::from(h) / f64::from(u32::MAX)
}

/// The cells along a side for each octave of noise, and the octave's weight.
const OCTAVES: [(u32, f64); 4] = [(4, 8.0), (8, 4.0), (16, 2.0), (32, 1.0)];

/// The seed of a lattice, distinct for each octave, channel and face.
fn seed(face: u32, octave: usize, channel: usize) -> u32 {
    face * 64 + octave as u32 + 1 + 8 * channel as u32
}

/// The position of a texel between lattice points along one axis: the two points around it and their weights.
struct Between {
    points: [u32; 2],
    weights: [f64; 2],
}

impl Between {
    /// Position `c` of 256 among `cells` points that repeat.
    fn new(c: u32, cells: u32) -> Self {
        let scaled = f64::from(c) * f64::from(cells) / f64::from(SIDE);
        let cell = scaled.floor();
        let f = scaled - cell;
        let blend = f * f * (3.0 - 2.0 * f);
        Self { points: [cell as u32, (cell as u32 + 1) % cells], weights: [1.0 - blend, blend] }
    }
}

/// Adds `weight` times `values` to `sums`. Written out: tests run this without optimisation.
fn add(sums: &mut [f64; 4], weight: f64, values: &[f64; 4]) {
    sums[0] += weight * values[0];
    sums[1] += weight * values[1];
    sums[2] += weight * values[2];
    sums[3] += weight * values[3];
}

/// Value noise that repeats: the sum of [`OCTAVES`], each interpolated smoothly between random values at
/// lattice points. Positions along an axis and lattice values are computed once for all texels.
fn noise([width, height, depth]: [u32; 3], step: u32, face: u32) -> Vec<u8> {
    let mut sums = vec![[0.0; 4]; (width * height * depth) as usize];
    for (octave, (cells, octave_weight)) in OCTAVES.into_iter().enumerate() {
        let axis = |side: u32| -> Vec<Between> { (0..side).map(|c| Between::new(c * step, cells)).collect() };
        let [across, up, deep] = &[width, height, depth].map(axis);
        // Along an axis of one texel only the first point has weight.
        let [.., rows, slices] = [width, height, depth].map(|side| if side > 1 { cells } else { 1 });
        let points =
            (0..slices).flat_map(|z| (0..rows).flat_map(move |y| (0..cells).map(move |x| [x, y, z])));
        let values: Vec<[f64; 4]> = points
            .map(|point| std::array::from_fn(|channel| lattice(point, seed(face, octave, channel))))
            .collect();
        let places =
            deep.iter().flat_map(|z| up.iter().flat_map(move |y| across.iter().map(move |x| [x, y, z])));
        for (sum, place) in sums.iter_mut().zip(places) {
            let mut here = [0.0; 4];
            for corner in 0..8_usize {
                let [x, y, z] = [corner & 1, corner >> 1 & 1, corner >> 2];
                let weight = place[0].weights[x] * place[1].weights[y] * place[2].weights[z];
                if weight > 0.0 {
                    let [x, y, z] = [place[0].points[x], place[1].points[y], place[2].points[z]];
                    let value = &values[((z * rows + y) * cells + x) as usize];
                    add(&mut here, weight, value);
                }
            }
            add(sum, octave_weight, &here);
        }
    }
    sums.iter().flat_map(|sum| sum.map(|sum| (sum / 15.0 * 255.0).round() as u8)).collect()
}

/// A unit vector as bytes: 128 is 0.
fn encode(vector: [f64; 3]) -> [u8; 4] {
    let length = vector.iter().map(|c| c * c).sum::<f64>().sqrt();
    let [x, y, z] = vector.map(|c| {
        let unit = if length > 0.0 { c / length } else { 0.0 };
        (unit * 128.0 + 128.0).round().clamp(0.0, 255.0) as u8
    });
    [x, y, z, 255]
}

fn normals(place: Texel) -> [u8; 4] {
    let half = f64::from(place.step) / 2.0;
    // -1 to 1 across the whole texture, at texel centres.
    let [s, t, r] = place.at.map(|c| (f64::from(c) + half) / 128.0 - 1.0);
    match place.target.axes() {
        _ if place.target.is_cube() => encode(face_direction(place.face, s, t)),
        3 => encode([s, t, r]),
        _ => {
            // Domes of radius 0.9 in cells of half-width 1.
            let cell = |c: u32| (f64::from(c % 64) + 0.5) / 32.0 - 1.0;
            let x = cell(place.at[0]);
            let y = if place.target.axes() == 1 { 0.0 } else { cell(place.at[1]) };
            let height = 0.81 - x * x - y * y;
            if height > 0.0 { encode([x, y, height.sqrt()]) } else { encode([0.0, 0.0, 1.0]) }
        }
    }
}

/// The direction of point (s, t), each -1 to 1, on a cube face (glspec15 table 3.21).
fn face_direction(face: u32, s: f64, t: f64) -> [f64; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texel(name: &str, target: TextureTarget, face: u32, [x, y, z]: [u32; 3]) -> [u8; 4] {
        let texels = find(name).unwrap().texels(target, face);
        let [width, height, _] = Builtin::size(target);
        let index = ((z * height + y) * width + x) as usize * 4;
        texels[index..index + 4].try_into().unwrap()
    }

    #[test]
    fn every_builtin_fills_every_target() {
        for builtin in &BUILTINS {
            assert!(!builtin.description.trim().is_empty(), "{}", builtin.name);
            for target in TextureTarget::TEXTURES {
                for face in [0, Builtin::images(target) - 1] {
                    let size = Builtin::size(target).iter().product::<u32>() as usize;
                    assert_eq!(builtin.texels(target, face).len(), 4 * size, "{}", builtin.name);
                }
            }
        }
    }

    #[test]
    fn xor_is_exactly_as_documented() {
        for target in [TextureTarget::D2, TextureTarget::Rect, TextureTarget::Cube] {
            let texels = find("xor").unwrap().texels(target, 0);
            for (index, texel) in texels.chunks_exact(4).enumerate() {
                let (x, y) = ((index % 256) as u8, (index / 256) as u8);
                assert_eq!(texel, [x, y, x ^ y, 255]);
            }
        }
        assert_eq!(texel("xor", TextureTarget::D1, 0, [77, 0, 0]), [77, 0, 77, 255]);
        assert_eq!(texel("xor", TextureTarget::D3, 0, [3, 5, 16]), [24, 40, 8 * (3 ^ 5 ^ 16), 255]);
    }

    #[test]
    fn the_layer_of_an_array_is_one_axis_more() {
        use TextureTarget::{Array1D, Array2D, ArrayCube};
        assert_eq!([Array1D, Array2D, ArrayCube].map(Builtin::images), [8, 8, 48]);
        assert_eq!(texel("xor", Array1D, 3, [77, 0, 0]), [77, 96, 77 ^ 96, 255]);
        assert_eq!(texel("xor", Array2D, 5, [3, 4, 0]), [3, 4, 3 ^ 4 ^ 160, 255]);
        // Image 14 is the third face of layer 2.
        assert_eq!(texel("xor", ArrayCube, 14, [3, 4, 0]), [3, 4, 3 ^ 4 ^ 64, 255]);
        assert_eq!(texel("gradient", Array2D, 7, [10, 20, 0]), [10, 20, 224, 255]);
        assert_eq!(texel("checker", Array2D, 1, [0, 0, 0]), [40, 40, 48, 255]);
        assert_ne!(texel("noise", Array2D, 1, [9, 9, 0]), texel("noise", Array2D, 2, [9, 9, 0]));
    }

    #[test]
    fn samples_are_the_quarters_of_a_texel() {
        use TextureTarget::{Multisample2D, MultisampleArray2D, Renderbuffer};
        assert_eq!([Multisample2D, MultisampleArray2D, Renderbuffer].map(Builtin::images), [1, 8, 1]);
        assert_eq!(Builtin::size(Renderbuffer), [128, 128, 4]);
        for (sample, [x, y]) in [[6, 20], [7, 20], [6, 21], [7, 21]].into_iter().enumerate() {
            let at = [3, 10, sample as u32];
            assert_eq!(texel("xor", Multisample2D, 0, at), [x, y, x ^ y, 255]);
            assert_eq!(texel("xor", MultisampleArray2D, 5, at), [x, y, x ^ y ^ 160, 255]);
        }
    }

    #[test]
    fn checker_gradient_and_white_are_as_documented() {
        let (light, dark) = ([230, 230, 230, 255], [40, 40, 48, 255]);
        assert_eq!(texel("checker", TextureTarget::D2, 0, [31, 31, 0]), light);
        assert_eq!(texel("checker", TextureTarget::D2, 0, [32, 31, 0]), dark);
        assert_eq!(texel("checker", TextureTarget::D2, 0, [32, 32, 0]), light);
        assert_eq!(texel("checker", TextureTarget::D3, 0, [4, 0, 0]), dark);
        assert_eq!(texel("gradient", TextureTarget::D2, 0, [10, 20, 0]), [10, 20, 245, 255]);
        assert_eq!(texel("gradient", TextureTarget::D1, 0, [10, 0, 0]), [10, 10, 10, 255]);
        assert_eq!(texel("gradient", TextureTarget::D3, 0, [31, 0, 31]), [255, 0, 255, 255]);
        assert_eq!(texel("white", TextureTarget::Cube, 3, [9, 9, 0]), [255; 4]);
    }

    #[test]
    fn normals_are_unit_vectors_within_rounding() {
        for target in TextureTarget::TEXTURES {
            for texel in find("normals").unwrap().texels(target, 2).chunks_exact(4) {
                let n: [f64; 3] = std::array::from_fn(|i| (f64::from(texel[i]) - 128.0) / 128.0);
                let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 0.02, "{target:?} {texel:?}");
            }
        }
        // The normal is +z between domes, and nearly +z at the top of a dome.
        assert_eq!(texel("normals", TextureTarget::D2, 0, [0, 0, 0]), [128, 128, 255, 255]);
        assert_eq!(texel("normals", TextureTarget::Cube, 0, [128, 128, 0])[0], 255);
        assert_eq!(texel("normals", TextureTarget::Cube, 1, [128, 128, 0])[0], 0);
    }

    /// Value noise of `cells` cells a side at `at` (0 to 256), repeating, computed from the definition for
    /// one texel.
    fn value_noise(at: [f64; 3], cells: u32, seed: u32) -> f64 {
        let scaled = at.map(|c| c * f64::from(cells) / f64::from(SIDE));
        let cell = scaled.map(|c| c.floor() as u32);
        let blend: [f64; 3] = std::array::from_fn(|i| {
            let f = scaled[i] - f64::from(cell[i]);
            f * f * (3.0 - 2.0 * f)
        });
        let mut sum = 0.0;
        for corner in 0..8_u32 {
            let mut weight = 1.0;
            let point = std::array::from_fn(|i| {
                let far = corner >> i & 1;
                weight *= if far == 1 { blend[i] } else { 1.0 - blend[i] };
                (cell[i] + far) % cells
            });
            sum += weight * lattice(point, seed);
        }
        sum
    }

    #[test]
    fn noise_is_as_defined() {
        for target in TextureTarget::BASIC {
            let [width, height, depth] = Builtin::size(target);
            let step = SIDE / width;
            for face in 0..if target == TextureTarget::Cube { 6 } else { 1 } {
                let texels = find("noise").unwrap().texels(target, face);
                // Checks every 37th texel, for speed.
                for index in (0..(width * height * depth) as usize).step_by(37) {
                    let i = index as u32;
                    let at = [i % width, i / width % height, i / width / height];
                    let at = at.map(|c| f64::from(c * step));
                    let expected: [u8; 4] = std::array::from_fn(|channel| {
                        let octave = |(octave, (cells, weight)): (usize, (u32, f64))| {
                            weight
                                * value_noise(at, cells, face * 64 + octave as u32 + 1 + 8 * channel as u32)
                        };
                        let sum: f64 = OCTAVES.into_iter().enumerate().map(octave).sum();
                        (sum / 15.0 * 255.0).round() as u8
                    });
                    assert_eq!(texels[4 * index..][..4], expected, "{target:?} {face} {at:?}");
                }
            }
        }
    }

    #[test]
    fn noise_varies_and_repeats_without_a_seam() {
        let texels = find("noise").unwrap().texels(TextureTarget::D2, 0);
        for channel in 0..4 {
            let values: Vec<u8> = texels.chunks_exact(4).map(|t| t[channel]).collect();
            let (low, high) = (values.iter().min().unwrap(), values.iter().max().unwrap());
            assert!(high - low > 100, "channel {channel}: {low} to {high}");
            // A step of one texel changes each octave by at most 1.5 times its weight over its cell: 13 in
            // all.
            for row in values.chunks_exact(256) {
                assert!(row[0].abs_diff(row[255]) < 15);
            }
        }
    }
}
