//! Memory accesses that say how the caches should treat them.
#![expect(
    unsafe_code,
    reason = "memory is prefetched, and values without padding are copied as vectors past the caches"
)]

/// Bytes per cache line.
pub const LINE: usize = 64;

/// A type that [`stream`] can copy.
///
/// # Safety
/// The type has no padding.
pub unsafe trait Plain: Copy {
    const ZERO: Self;
}

/// Implements [`Plain`] for numbers and arrays of numbers.
macro_rules! plain {
    ($($type:ty = $zero:expr;)+) => {
        $(
            // SAFETY: numbers and arrays of numbers have no padding.
            unsafe impl Plain for $type {
                const ZERO: Self = $zero;
            }
        )+
    };
}

plain! {
    f32 = 0.0;
    [f32; 4] = [0.0; 4];
    [u16; 4] = [0; 4];
    u8 = 0;
    [u8; 4] = [0; 4];
}

/// Prefetches a value. Several prefetches overlap and never stall.
#[inline(always)]
pub fn prefetch<T>(values: &[T], place: usize) {
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
pub fn stream<T: Plain>(place: &mut [T], values: &[T]) {
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
pub fn settle() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::{settle, stream};

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
}
