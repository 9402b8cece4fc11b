//! Transposition of 4x4 matrices.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "four numbers are loaded or stored as one vector")
)]

/// The transposed matrix, computed in registers. An array built from single numbers would have to be stored
/// to memory before it could be loaded as a vector.
#[inline(always)]
pub fn transposed(rows: [&[f32; 4]; 4]) -> [[f32; 4]; 4] {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            _mm_loadu_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_ps, _mm_unpackhi_ps, _mm_unpacklo_ps,
        };
        let mut columns = [[0.0; 4]; 4];
        let [to_x, to_y, to_z, to_w] = &mut columns;
        // SAFETY: every x86-64 processor has SSE, and all pointers are to arrays of four.
        unsafe {
            let [a, b, c, d] = [
                _mm_loadu_ps(rows[0].as_ptr()),
                _mm_loadu_ps(rows[1].as_ptr()),
                _mm_loadu_ps(rows[2].as_ptr()),
                _mm_loadu_ps(rows[3].as_ptr()),
            ];
            let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            _mm_storeu_ps(to_x.as_mut_ptr(), _mm_movelh_ps(ab, cd));
            _mm_storeu_ps(to_y.as_mut_ptr(), _mm_movehl_ps(cd, ab));
            let (ab, cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            _mm_storeu_ps(to_z.as_mut_ptr(), _mm_movelh_ps(ab, cd));
            _mm_storeu_ps(to_w.as_mut_ptr(), _mm_movehl_ps(cd, ab));
        }
        columns
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]))
}

#[cfg(test)]
mod tests {
    use super::transposed;

    #[test]
    fn rows_become_columns() {
        let rows: [[f32; 4]; 4] =
            std::array::from_fn(|row| std::array::from_fn(|column| (4 * row + column) as f32));
        let columns = transposed(rows.each_ref());
        for (row, values) in rows.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                assert_eq!(columns[column][row], *value);
            }
        }
    }
}
