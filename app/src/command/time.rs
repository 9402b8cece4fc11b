//! Letting time run, or not.

use crate::app::{Clock, Running, State};
use crate::worker::Urgency;

pub(super) fn play_or_pause(state: &mut State) {
    match state.clock.running {
        Running::Yes => state.stop_time(),
        Running::No | Running::Held => state.clock.running = Running::Yes,
    }
}

/// One frame of 1/60 s on.
pub(super) fn step(state: &mut State) {
    state.stop_time();
    state.clock.time_secs += 1.0 / 60.0;
    state.clock.frame += 1;
    state.want_picture(Urgency::Next);
}

pub(super) fn reset(state: &mut State) {
    state.clock = Clock { running: state.clock.running, ..Clock::default() };
    state.want_picture(Urgency::Next);
}
