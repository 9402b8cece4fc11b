//! Vector clocks: the accesses of a draw that come before a point of an invocation.

/// Maximum number of runs of a clock. A longer clock is replaced by a single run that covers all of them.
const MOST_RUNS: usize = 1024;

/// The accesses of consecutive invocations up to an epoch of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub first: u32,
    pub last: u32,
    /// The epoch. An invocation starts a new epoch when it lets others synchronise with its earlier accesses.
    pub epoch: u32,
}

/// The accesses that come before a point: runs in ascending order, without overlap.
///
/// A clock that would need too many runs covers more accesses than it should. So races may be missed then,
/// but no false race is reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock(Vec<Run>);

impl Clock {
    /// The accesses of one invocation.
    pub fn of(invocation: u32, epoch: u32) -> Self {
        Self(vec![Run { first: invocation, last: invocation, epoch }])
    }

    /// All accesses.
    pub fn everything() -> Self {
        Self(vec![Run { first: 0, last: u32::MAX, epoch: u32::MAX }])
    }

    /// A clock with these runs, which come from another clock.
    pub fn of_runs(runs: &[Run]) -> Self {
        Self(runs.to_vec())
    }

    pub fn runs(&self) -> &[Run] {
        &self.0
    }

    /// Returns an invocation of `first..=last`, other than `except`, whose accesses in `epoch` the clock does
    /// not cover.
    pub fn uncovered(&self, (first, last): (u32, u32), epoch: u32, except: u32) -> Option<u32> {
        let mut next = first;
        while next <= last {
            let place = self.0.partition_point(|run| run.last < next);
            let run = self.0.get(place).filter(|run| run.first <= next && run.epoch >= epoch);
            next = match run {
                Some(run) => run.last.checked_add(1)?,
                None if next == except => next.checked_add(1)?,
                None => return Some(next),
            };
        }
        None
    }

    /// Adds the accesses that `other` covers.
    pub fn join(&mut self, other: &Self) {
        let (Some(own), Some(first)) = (self.0.last(), other.0.first()) else {
            if self.0.is_empty() {
                self.clone_from(other);
            }
            return;
        };
        if own.last < first.first {
            other.0.iter().for_each(|run| push(&mut self.0, *run));
        } else {
            let mut joined = Vec::with_capacity(self.0.len() + other.0.len());
            merge(&self.0, &other.0, &mut joined);
            self.0 = joined;
        }
        if self.0.len() > MOST_RUNS {
            self.widen();
        }
    }

    /// Replaces all runs by one run that covers them.
    pub fn widen(&mut self) {
        if let (Some(low), Some(high)) = (self.0.first(), self.0.last()) {
            let epoch = self.0.iter().map(|run| run.epoch).max().unwrap_or_default();
            self.0 = vec![Run { first: low.first, last: high.last, epoch }];
        }
    }
}

/// Appends a run, which must follow all others.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.epoch == run.epoch && last.last.checked_add(1) == Some(run.first) => {
            last.last = run.last;
        }
        _ => runs.push(run),
    }
}

/// Merges the runs of both lists in order. Where they overlap, the later epoch wins.
fn merge(one: &[Run], other: &[Run], joined: &mut Vec<Run>) {
    let (mut one, mut other) = (one.iter().copied(), other.iter().copied());
    let (mut a, mut b) = (one.next(), other.next());
    while let (Some(left), Some(right)) = (a, b) {
        // The part before the other run begins, or up to the earlier end.
        let (start, end, epoch) = if left.first < right.first {
            (left.first, left.last.min(right.first - 1), left.epoch)
        } else if right.first < left.first {
            (right.first, right.last.min(left.first - 1), right.epoch)
        } else {
            (left.first, left.last.min(right.last), left.epoch.max(right.epoch))
        };
        push(joined, Run { first: start, last: end, epoch });
        let rest = |run: Run| {
            if run.first > end {
                Some(run)
            } else {
                let first = end.checked_add(1).filter(|first| *first <= run.last)?;
                Some(Run { first, ..run })
            }
        };
        a = rest(left).or_else(|| one.next());
        b = rest(right).or_else(|| other.next());
    }
    a.into_iter().chain(one).chain(b).chain(other).for_each(|run| push(joined, run));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_covers_what_either_clock_covers() {
        let mut random = 1u32;
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % below
        };
        for _ in 0..2000 {
            let mut plain = [[None; 12]; 2];
            let mut clocks = [Clock::default(), Clock::default()];
            for (plain, clock) in plain.iter_mut().zip(&mut clocks) {
                for _ in 0..next(8) {
                    let (invocation, epoch) = (next(12), next(3));
                    let held = &mut plain[invocation as usize];
                    *held = (*held).max(Some(epoch));
                    clock.join(&Clock::of(invocation, epoch));
                }
            }
            let [mut joined, other] = clocks;
            joined.join(&other);
            assert!(joined.runs().is_sorted_by(|a, b| a.last < b.first), "{joined:?}");
            for invocation in 0..12 {
                let best = plain[0][invocation as usize].max(plain[1][invocation as usize]);
                for epoch in 0..3 {
                    let uncovered = joined.uncovered((invocation, invocation), epoch, 99);
                    assert_eq!(uncovered.is_none(), best >= Some(epoch), "{joined:?}");
                }
            }
            let whole =
                (0..12).find(|i| *i != 5 && plain[0][*i as usize].max(plain[1][*i as usize]).is_none());
            assert_eq!(joined.uncovered((0, 11), 0, 5), whole);
        }
    }

    #[test]
    fn a_long_clock_covers_more_instead() {
        let mut clock = Clock::default();
        for invocation in 0..2 * MOST_RUNS as u32 + 2 {
            clock.join(&Clock::of(2 * invocation, 7));
        }
        assert!(clock.runs().len() <= MOST_RUNS);
        assert_eq!(clock.uncovered((0, 2000), 7, u32::MAX), None);
        assert_eq!(Clock::everything().uncovered((0, u32::MAX), u32::MAX, 0), None);
    }
}
