//! Records the outcomes of pixels, and counts the outcomes of fragments.
#![expect(unsafe_code, reason = "the statuses of a quad are made of a number that was made of them")]

use crate::pipeline::{PixelStatus, Stats};

/// Counts `fragments` fragments with this outcome.
#[inline(always)]
pub(super) fn count(stats: &mut Stats, fate: PixelStatus, fragments: u32) {
    let counter = match fate {
        PixelStatus::Empty => return,
        PixelStatus::Written => &mut stats.written,
        PixelStatus::Killed => &mut stats.killed,
        PixelStatus::AlphaFailed => &mut stats.alpha_failed,
        PixelStatus::StencilFailed => &mut stats.stencil_failed,
        PixelStatus::DepthFailed => &mut stats.depth_failed,
        PixelStatus::DepthDiscarded => &mut stats.depth_discarded,
        PixelStatus::Uncovered => &mut stats.uncovered,
    };
    *counter += u64::from(fragments);
}

/// Records why a pixel's fragment was refused, unless the pixel has been written.
#[inline(always)]
pub(super) fn refuse(status: &mut PixelStatus, reason: PixelStatus) {
    if *status != PixelStatus::Written {
        *status = reason;
    }
}

/// The lanes of a block that were refused, by reason, in pipeline order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::pipeline) struct Outcomes {
    pub killed: u64,
    pub depth_discarded: u64,
    pub uncovered: u64,
    pub alpha_failed: u64,
    /// Lanes with a sample that failed the stencil test.
    pub stencil_failed: u64,
    /// Lanes with a sample that failed the depth test.
    pub depth_failed: u64,
}

impl Outcomes {
    /// Removes the lanes in `passed`: a fragment with a passing sample was not refused. If different tests
    /// refused a fragment's samples, only the latest test counts.
    #[inline(always)]
    pub fn settle(&mut self, passed: u64) {
        self.depth_failed &= !passed;
        self.stencil_failed &= !(passed | self.depth_failed);
    }

    /// Each mask with its reason.
    #[inline(always)]
    const fn all(&self) -> [(u64, PixelStatus); 6] {
        [
            (self.killed, PixelStatus::Killed),
            (self.depth_discarded, PixelStatus::DepthDiscarded),
            (self.uncovered, PixelStatus::Uncovered),
            (self.alpha_failed, PixelStatus::AlphaFailed),
            (self.stencil_failed, PixelStatus::StencilFailed),
            (self.depth_failed, PixelStatus::DepthFailed),
        ]
    }

    /// Whether any lane was refused.
    #[inline(always)]
    pub const fn any(&self) -> bool {
        let late = self.alpha_failed | self.stencil_failed | self.depth_failed;
        self.killed | self.depth_discarded | self.uncovered | late != 0
    }

    /// Counts the refused lanes, and records them in the statuses at `places`. Quads may share pixels.
    #[inline(always)]
    pub fn note(
        &self,
        places: impl Iterator<Item = usize>,
        status: &mut [[PixelStatus; 4]],
        stats: &mut Stats,
    ) {
        for (lanes, reason) in self.all() {
            count(stats, reason, lanes.count_ones());
        }
        for (number, place) in places.enumerate() {
            for (lanes, reason) in self.all() {
                let refused = (lanes >> (4 * number)) as u8 & 15;
                if refused != 0 {
                    let status = &mut status[place];
                    let bytes = bytes_of(refused) & !bytes_where(status, PixelStatus::Written);
                    set(status, bytes, reason);
                }
            }
        }
    }
}

/// Records that the `lanes` of a quad have been written.
#[inline(always)]
pub(super) fn note_written(status: &mut [PixelStatus; 4], lanes: u8) {
    set(status, bytes_of(lanes), PixelStatus::Written);
}

/// Records that fragments failed the depth test before they were shaded. Unless `in_order`, the outcomes of
/// shaded fragments are kept, because earlier fragments may still wait for theirs. The order of calls then
/// does not matter.
#[inline(always)]
pub(in crate::pipeline) fn refuse_unshaded(quads: &mut [[PixelStatus; 4]], mut lanes: u16, in_order: bool) {
    for status in quads {
        let replaced = if in_order {
            !bytes_where(status, PixelStatus::Written)
        } else {
            bytes_where(status, PixelStatus::Empty)
        };
        set(status, bytes_of(lanes as u8) & replaced, PixelStatus::DepthFailed);
        lanes >>= 4;
    }
}

// Treats the statuses of a quad as one number, a byte each. Choices between statuses would compile to
// unpredictable branches.

/// 0xFF in the bytes of the lanes that a mask of four bits names.
#[inline(always)]
const fn bytes_of(lanes: u8) -> u32 {
    // The product moves each bit to the lowest bit of its byte: bit 1 to 8, 2 to 16, 3 to 24.
    (((lanes as u32 & 15) * 0x0020_4081) & EACH) * 0xFF
}

/// A one in each byte.
const EACH: u32 = 0x0101_0101;

/// 0xFF in the bytes that equal `value`.
#[inline(always)]
fn bytes_where(status: &[PixelStatus; 4], value: PixelStatus) -> u32 {
    let others = u32::from_le_bytes(status.map(|status| status as u8 ^ value as u8));
    // Statuses are less than 128, so the sum leaves the highest bit of a byte 0 exactly where the byte is
    // equal.
    ((!(others + 0x7F * EACH)) >> 7 & EACH) * 0xFF
}

/// Stores `value` in the bytes that are 0xFF in `bytes`.
#[inline(always)]
fn set(status: &mut [PixelStatus; 4], bytes: u32, value: PixelStatus) {
    let old = u32::from_le_bytes(status.map(|status| status as u8));
    let values = u32::from(value as u8) * EACH;
    let new = old & !bytes | values & bytes;
    // SAFETY: each byte of `bytes` is 0 or 255. So each byte of `new` is a valid status: the old one, or
    // `value`.
    *status = unsafe { std::mem::transmute::<[u8; 4], [PixelStatus; 4]>(new.to_le_bytes()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_noted_alone() {
        for mix in 0..8usize.pow(4) {
            let before: [PixelStatus; 4] =
                std::array::from_fn(|lane| PixelStatus::ALL[mix / 8usize.pow(lane as u32) % 8]);
            for lanes in 0..16 {
                let expected = |change: &dyn Fn(PixelStatus) -> PixelStatus| -> [PixelStatus; 4] {
                    std::array::from_fn(|lane| {
                        if lanes >> lane & 1 != 0 { change(before[lane]) } else { before[lane] }
                    })
                };
                let mut status = before;
                note_written(&mut status, lanes);
                assert_eq!(status, expected(&|_| PixelStatus::Written));
                let (mut status, mut stats) = ([before], Stats::default());
                let outcomes = Outcomes { killed: lanes.into(), ..Outcomes::default() };
                outcomes.note([0].into_iter(), &mut status, &mut stats);
                let kept = |old| if old == PixelStatus::Written { old } else { PixelStatus::Killed };
                assert_eq!(status, [expected(&kept)]);
                assert_eq!(stats.killed, u64::from(lanes.count_ones()));
                let mut quads = [[PixelStatus::Written; 4], before];
                refuse_unshaded(&mut quads, u16::from(lanes) << 4 | 15, false);
                let failed = |old| if old == PixelStatus::Empty { PixelStatus::DepthFailed } else { old };
                assert_eq!(quads, [[PixelStatus::Written; 4], expected(&failed)]);
                let mut quads = [[PixelStatus::Written; 4], before];
                refuse_unshaded(&mut quads, u16::from(lanes) << 4 | 15, true);
                let failed = |old| if old == PixelStatus::Written { old } else { PixelStatus::DepthFailed };
                assert_eq!(quads, [[PixelStatus::Written; 4], expected(&failed)]);
            }
        }
    }
}
