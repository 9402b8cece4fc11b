//! Slices that vectors read at an index for each lane.

/// The elements of a slice, with bounds that vectors enforce by clamping indices instead of branching.
#[derive(Clone, Copy)]
pub struct Elements<'a, T> {
    pub(super) all: &'a [T],
    /// The last index.
    pub(super) last: i32,
}

impl<'a> Elements<'a, f32> {
    /// The bits of the numbers.
    #[inline(always)]
    #[expect(unsafe_code, reason = "numbers are read as their bits where they are")]
    pub fn bits(self) -> Elements<'a, u32> {
        let Self { all, last } = self;
        // SAFETY: both types have the same size and alignment, and all bit patterns are valid in both.
        let all = unsafe { std::slice::from_raw_parts(all.as_ptr().cast(), all.len()) };
        Elements { all, last }
    }
}

impl<'a, T: Copy> Elements<'a, T> {
    /// `None` for fewer than two elements and for 2^31 or more elements.
    #[inline(always)]
    pub fn new(all: &'a [T]) -> Option<Self> {
        let last = i32::try_from(all.len()).ok()?.checked_sub(1).filter(|&last| last > 0)?;
        Some(Self { all, last })
    }

    /// The element with this index, clamped to the last index.
    #[inline(always)]
    pub(super) fn at(self, index: i32) -> T {
        self.all[(index as u32).min(self.last as u32) as usize]
    }
}
