//! Runs, pauses and sets the time that programs see.

use crate::mailbox::Urgency;
use crate::model::Playback;
use crate::state::{Clock, Running, State};

pub(super) fn play_or_pause(state: &mut State) {
    match state.clock.running {
        Running::Yes => state.stop_time(),
        Running::No | Running::Held => state.clock.running = Running::Yes,
    }
}

/// Advances time by one frame of 1/60 s.
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

/// Goes to a time. If time was running, it continues from there.
pub(super) fn set(state: &mut State, time_secs: f32) {
    if time_secs.is_finite() && time_secs != state.clock.time_secs {
        state.clock.go_to(time_secs);
        state.want_picture(Urgency::Next);
    }
}

pub(super) fn set_playback(state: &mut State, playback: Playback) {
    state.with_document(|document| document.playback = playback.sound());
}

/// Turns looping of the document's time range on or off.
pub(super) fn toggle_loop(state: &mut State) {
    if let Some(playback) = state.document().map(|document| document.playback) {
        set_playback(state, Playback { loops: playback.loops.other(), ..playback });
    }
}
