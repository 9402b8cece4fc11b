//! [`widest`] compiles and runs a loop ([`Task`]) for the best instruction set of the processor. Tasks have
//! no fused multiply-add, so results are bit-identical on all processors.
#![expect(
    unsafe_code,
    reason = "functions that need a processor feature are called, memory is prefetched, and four numbers loaded or stored as one vector"
)]

use super::PixelStatus;
use super::plane::LINE;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use crate::processor;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use crate::simd::{Avx2, Avx512};
use crate::simd::{Portable, Simd};

/// A loop to compile for several instruction sets. `run` and the functions in its inner loops must be
/// `inline(always)`, or they are compiled for the baseline only.
pub(super) trait Task {
    /// Runs the loop. `S` is the enabled instruction set.
    fn run<S: Simd>(self);
}

/// Runs `task`, compiled for AVX-512 or AVX2 if the processor has it. Fuzzing builds compile only the
/// portable version, because each version takes long to compile.
#[inline]
pub(super) fn widest(task: impl Task) {
    #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(task: impl Task) {
            task.run::<Avx2>();
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
        fn avx512(task: impl Task) {
            task.run::<Avx512>();
        }
        if processor::has_avx512() {
            // SAFETY: `has_avx512` has just returned true, so the processor has all features of `avx512`.
            return unsafe { avx512(task) };
        }
        if processor::has_avx2() {
            // SAFETY: `has_avx2` has just returned true.
            return unsafe { avx2(task) };
        }
    }
    task.run::<Portable>();
}

/// A type without padding.
pub(super) trait Plain: Copy {
    const ZERO: Self;
}

impl Plain for f32 {
    const ZERO: Self = 0.0;
}

impl Plain for [f32; 4] {
    const ZERO: Self = [0.0; 4];
}

impl Plain for [u16; 4] {
    const ZERO: Self = [0; 4];
}

impl Plain for u8 {
    const ZERO: Self = 0;
}

impl Plain for [u8; 4] {
    const ZERO: Self = [0; 4];
}

impl Plain for PixelStatus {
    const ZERO: Self = Self::Empty;
}

/// Prefetches a value. Several prefetches overlap and never stall.
#[inline(always)]
pub(super) fn fetch<T>(values: &[T], place: usize) {
    let Some(value) = values.get(place) else { return };
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Copies values past the caches, for data that is not read again soon. Complete cache lines are overwritten
/// without being read first. Incomplete lines use ordinary stores, which are faster for them. The caller must
/// call [`settle`] before another thread reads the data.
#[inline(always)]
pub(super) fn stream<T: Plain>(place: &mut [T], values: &[T]) {
    let head = place.as_ptr().align_offset(LINE).min(place.len());
    let ((first, place), (head, values)) = (place.split_at_mut(head), values.split_at(head));
    let length = LINE / size_of::<T>();
    let (lines, last) = place.split_at_mut(place.len() / length * length);
    let (values, tail) = values.split_at(lines.len());
    for (line, values) in lines.chunks_exact_mut(length).zip(values.chunks_exact(length)) {
        stream_line(line, values);
    }
    if !head.is_empty() || !tail.is_empty() {
        first.copy_from_slice(head);
        last.copy_from_slice(tail);
    }
}

/// Copies one cache line; `line` is aligned to a cache line.
#[inline(always)]
fn stream_line<T: Plain>(line: &mut [T], values: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        let (line, values) = (line.as_mut_ptr().cast::<__m128i>(), values.as_ptr().cast::<__m128i>());
        for part in 0..LINE / size_of::<__m128i>() {
            // SAFETY: every x86-64 processor has SSE2. Both slices have the length of a cache line and hold
            // only initialised bytes. `line` is aligned to a cache line.
            unsafe { _mm_stream_si128(line.add(part), _mm_loadu_si128(values.add(part))) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    line.copy_from_slice(values);
}

/// Waits until all stores of this thread's [`stream`] are visible to other threads.
#[inline(always)]
pub(super) fn settle() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// The transposed matrix, computed in registers. An array built from single numbers would have to be stored
/// to memory before it could be loaded as a vector.
#[inline(always)]
pub(super) fn transposed(rows: [&[f32; 4]; 4]) -> [[f32; 4]; 4] {
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
    use super::{settle, stream, transposed};

    #[test]
    fn streams_copy_everything_wherever_it_lies() {
        for start in 0..20 {
            for length in 0..50 {
                let values: Vec<f32> = (0..length).map(|n| n as f32 + 1.0).collect();
                let mut place = vec![0.0; 100];
                stream(&mut place[start..start + length], &values);
                settle();
                let expected = (0..100).map(|n| n as f32 - start as f32 + 1.0);
                for (n, (got, value)) in place.iter().zip(expected).enumerate() {
                    let inside = (start..start + length).contains(&n);
                    assert_eq!(*got, if inside { value } else { 0.0 });
                }
            }
        }
    }

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
