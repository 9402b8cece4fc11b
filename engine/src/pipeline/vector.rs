//! Running a loop with the widest vector instructions that are sure to give the same bits.
//!
//! A [`Task`] is ordinary code without fused multiply-adds, which are the only thing that could change
//! its results: so all instances compute the same.
#![expect(
    unsafe_code,
    reason = "functions that need a processor feature are called, and four numbers loaded as one vector"
)]

#[cfg(target_arch = "x86_64")]
use crate::processor;

/// Something to run. `run` and what matters in it have to be `inline(always)`, or they are not
/// compiled anew.
pub(super) trait Task {
    /// Runs it.
    fn run(self);
}

/// Runs `task`, compiled for AVX-512 or AVX2 where the processor has it.
#[inline]
pub(super) fn widest(task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(task: impl Task) {
            task.run();
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
        fn avx512(task: impl Task) {
            task.run();
        }
        if processor::has_avx512() {
            // SAFETY: the processor has all of them, as was just found out.
            return unsafe { avx512(task) };
        }
        if processor::has_avx2() {
            // SAFETY: the processor has AVX2, as was just found out.
            return unsafe { avx2(task) };
        }
    }
    task.run();
}

/// Rows and columns exchanged, all in registers: an array put together from single numbers would have to wait in
/// memory for the last of them before it could be read as a whole.
#[inline(always)]
pub(super) fn transposed(rows: [&[f32; 4]; 4]) -> [[f32; 4]; 4] {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            _mm_loadu_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_ps, _mm_unpackhi_ps, _mm_unpacklo_ps,
        };
        let mut columns = [[0.0; 4]; 4];
        let [to_x, to_y, to_z, to_w] = &mut columns;
        // SAFETY: x86-64 has these, and all places are arrays of four.
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
