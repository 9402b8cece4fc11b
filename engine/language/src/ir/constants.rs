//! Merges the constants of one instruction into one parameter, as `!!FP1.0` requires (NV_fragment_program
//! 3.11.2). The front end of that language uses this module.

/// A constant operand before swizzle, negation and absolute value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// One number, with its own sign.
    Scalar(f32),
    /// Four numbers. Missing components are already filled in.
    Vector([f32; 4]),
}

impl Constant {
    fn scalars(&self) -> &[f32] {
        match self {
            Self::Scalar(value) => std::slice::from_ref(value),
            Self::Vector(values) => values,
        }
    }
}

/// One vector that contains all constants of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    pub value: [f32; 4],
    /// For each constant, the component of `value` that holds each of its components.
    pub maps: Vec<[u8; 4]>,
}

/// Merges `constants`, in operand order. Scalars are distinct if their bits differ (ruling 12).
///
/// If one vector contains every scalar of the other constants, the result is this vector. So a single
/// constant keeps its shape. Otherwise the result lists the distinct scalars in order of appearance and fills
/// up with zeros, like the table in 3.11.2.
///
/// # Errors
/// The index of the constant with the fifth distinct scalar.
pub fn merge(constants: &[Constant]) -> Result<Merged, usize> {
    let mut distinct: Vec<f32> = Vec::with_capacity(4);
    for (index, constant) in constants.iter().enumerate() {
        for &scalar in constant.scalars() {
            if place(&distinct, scalar).is_none() {
                if distinct.len() == 4 {
                    return Err(index);
                }
                distinct.push(scalar);
            }
        }
    }
    let covers = |values: &[f32; 4]| distinct.iter().all(|&s| place(values, s).is_some());
    let whole = constants.iter().find_map(|constant| match constant {
        Constant::Vector(values) if covers(values) => Some(*values),
        _ => None,
    });
    let value = whole.unwrap_or_else(|| {
        let mut filled = [0.0; 4];
        filled[..distinct.len()].copy_from_slice(&distinct);
        filled
    });
    let maps = constants.iter().map(|constant| map(constant, &value)).collect();
    Ok(Merged { value, maps })
}

fn map(constant: &Constant, value: &[f32; 4]) -> [u8; 4] {
    match constant {
        Constant::Scalar(scalar) => [place(value, *scalar).unwrap_or(0); 4],
        Constant::Vector(values) if values.map(f32::to_bits) == value.map(f32::to_bits) => [0, 1, 2, 3],
        Constant::Vector(values) => values.map(|scalar| place(value, scalar).unwrap_or(0)),
    }
}

fn place(values: &[f32], scalar: f32) -> Option<u8> {
    let index = values.iter().position(|v| v.to_bits() == scalar.to_bits())?;
    u8::try_from(index).ok()
}

#[cfg(test)]
mod tests {
    use super::Constant::{Scalar, Vector};
    use super::*;

    #[test]
    fn the_table_of_3_11_2() {
        let merged = merge(&[Scalar(2.0), Scalar(-1.0)]).unwrap();
        assert_eq!(merged.value, [2.0, -1.0, 0.0, 0.0]);
        assert_eq!(merged.maps, [[0; 4], [1; 4]]);
        let merged = merge(&[Vector([1.0, 2.0, 3.0, 4.0]), Scalar(4.0)]).unwrap();
        assert_eq!(merged.value, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(merged.maps, [[0, 1, 2, 3], [3; 4]]);
    }

    #[test]
    fn the_invalid_instructions_of_3_11_2() {
        let first = Vector([1.0, 2.0, 3.0, 4.0]);
        for second in [Scalar(-4.0), Vector([-1.0, -2.0, -3.0, -4.0]), Vector([4.0, 5.0, 6.0, 7.0])] {
            assert_eq!(merge(&[first, second]), Err(1));
        }
    }

    #[test]
    fn a_lone_vector_keeps_its_shape_and_zeros_differ_by_sign() {
        let merged = merge(&[Vector([0.0, 0.0, 0.0, 1.0]), Scalar(1.0)]).unwrap();
        assert_eq!(merged.value, [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(merged.maps, [[0, 1, 2, 3], [3; 4]]);
        assert_eq!(merge(&[Vector([0.0, 1.0, 2.0, 3.0]), Scalar(-0.0)]), Err(1));
    }

    #[test]
    fn vectors_that_overlap_merge_by_scalars() {
        let merged = merge(&[Vector([1.0, 2.0, 1.0, 2.0]), Vector([3.0, 3.0, 2.0, 2.0])]).unwrap();
        assert_eq!(merged.value, [1.0, 2.0, 3.0, 0.0]);
        assert_eq!(merged.maps, [[0, 1, 0, 1], [2, 2, 1, 1]]);
        let merged = merge(&[Vector([1.0, 2.0, 1.0, 2.0]), Vector([3.0, 3.0, 2.0, 1.0])]).unwrap();
        assert_eq!(merged.value, [3.0, 3.0, 2.0, 1.0]);
        assert_eq!(merged.maps, [[3, 2, 3, 2], [0, 1, 2, 3]]);
    }
}
