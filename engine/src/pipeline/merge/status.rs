//! Keeping account: what became of pixels, and how many fragments shared each fate.

use crate::pipeline::{PixelStatus, Stats};

/// Counts `fragments` that ended so.
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
    };
    *counter += u64::from(fragments);
}

/// Notes why a pixel's fragment was refused, if nothing has been written there.
#[inline(always)]
pub(super) fn refuse(status: &mut PixelStatus, reason: PixelStatus) {
    if *status != PixelStatus::Written {
        *status = reason;
    }
}

/// Takes the `refused` lanes of a quad from those that are `alive`, and counts and notes why.
#[inline(always)]
pub(super) fn refuse_lanes(
    alive: &mut u8,
    refused: u8,
    reason: PixelStatus,
    status: &mut [PixelStatus; 4],
    stats: &mut Stats,
) {
    if refused == 0 {
        return;
    }
    *alive &= !refused;
    count(stats, reason, refused.count_ones());
    for (lane, status) in status.iter_mut().enumerate() {
        if refused >> lane & 1 != 0 {
            refuse(status, reason);
        }
    }
}

/// Notes that fragments failed the depth test before they were shaded. What became of shaded ones
/// stands, so that the order does not matter: earlier ones may still wait for that.
#[inline(always)]
pub(in crate::pipeline) fn refuse_unshaded(status: &mut [PixelStatus; 4], lanes: u8) {
    for (lane, status) in status.iter_mut().enumerate() {
        if lanes >> lane & 1 != 0 && *status == PixelStatus::Empty {
            *status = PixelStatus::DepthFailed;
        }
    }
}
