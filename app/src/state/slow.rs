//! [`Slow`]: whether the viewport shows "Still rendering".

use super::LONG;
use std::time::Duration;

/// Whether the message is shown. It appears when a picture takes long, and disappears when a picture is quick
/// or no picture follows. So the message does not flicker with each picture while time runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slow {
    /// Pictures come quickly.
    #[default]
    No,
    /// The picture in progress, or the one before, takes long.
    Yes,
}

impl Slow {
    /// Returns the state after a frame of the window. `busy` is the time that the picture in progress, if
    /// any, has taken so far.
    #[must_use]
    pub fn next(self, busy: Option<Duration>, follows: Follows) -> Self {
        match (busy, follows) {
            (Some(busy), _) if busy >= LONG => Self::Yes,
            (None, Follows::No) => Self::No,
            (Some(_), Follows::Yes | Follows::No) | (None, Follows::Yes) => self,
        }
    }

    /// Returns the state after a picture that took `time`.
    #[must_use]
    pub fn after(self, time: Duration) -> Self {
        if time < LONG / 2 { Self::No } else { self }
    }
}

/// Whether another picture follows the picture shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    Yes,
    No,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message stays between pictures that take three seconds each.
    #[test]
    fn that_pictures_are_slow_is_said_from_one_to_the_next() {
        let seconds = Duration::from_secs_f32;
        let mut slow = Slow::default().next(Some(seconds(1.9)), Follows::Yes);
        assert_eq!(slow, Slow::No);
        slow = slow.next(Some(seconds(2.0)), Follows::Yes);
        for _ in 0..3 {
            assert_eq!(slow, Slow::Yes);
            slow = slow.after(seconds(3.0));
            for busy in [None, Some(seconds(0.0)), Some(seconds(1.9)), Some(seconds(2.9))] {
                slow = slow.next(busy, Follows::Yes);
                assert_eq!(slow, Slow::Yes, "{busy:?}");
            }
        }
        assert_eq!(slow.after(seconds(0.3)), Slow::No, "a quick one");
        assert_eq!(slow.next(None, Follows::No), Slow::No, "none follows");
    }
}
