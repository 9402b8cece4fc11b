//! Alignment of two runs: which steps correspond, and where the runs differ. A worker thread computes it.
//!
//! Instructions of one program are matched by index, those of different programs by their disassembled text.
//! Steps match if both runs execute matched instructions. Where the steps do not match, the search advances
//! in both runs until one reaches an instruction that the other has passed since the last match. The time is
//! therefore linear in the lengths of the runs.

use super::code::Code;
use crate::mailbox::Worker;
use shadestep_engine::debug::{Change, Cursor, Recording, Step};
use shadestep_engine::ir::disassemble_instruction;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The worker thread that aligns runs.
pub type RunDiffWorker = Worker<CompareRequest, CompareReply>;

/// Largest number of steps of a run that are compared.
pub const MOST_STEPS: usize = 1 << 20;

/// A run and its program.
#[derive(Clone, Debug)]
pub struct Ran {
    pub run: Arc<Recording>,
    pub code: Arc<Code>,
}

/// A request to compare two runs.
#[derive(Clone, Debug)]
pub struct CompareRequest {
    /// Number of the request; increases.
    pub generation: u64,
    /// The kept run and the other run.
    pub runs: [Ran; 2],
}

/// The answer to a [`CompareRequest`].
pub struct CompareReply {
    /// Number of the request.
    pub generation: u64,
    /// The result, or `None` if the request was cancelled.
    pub alignment: Option<Alignment>,
}

/// Corresponding steps of both runs. A step that only one run takes has a row of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The step of the first run.
    pub a: Option<usize>,
    /// The step of the second run.
    pub b: Option<usize>,
}

/// The runs that take the steps of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Both,
    OnlyA,
    OnlyB,
}

/// A range of rows of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    /// Rows before the segment.
    row: usize,
    /// Steps of each run before the segment.
    a: usize,
    b: usize,
    length: usize,
    takes: Takes,
}

impl Segment {
    /// Steps of the second run before the next segment.
    const fn end_of_b(self) -> usize {
        match self.takes {
            Takes::OnlyA => self.b,
            Takes::Both | Takes::OnlyB => self.b + self.length,
        }
    }

    const fn row(self, offset: usize) -> Row {
        let (a, b) = (self.a + offset, self.b + offset);
        match self.takes {
            Takes::Both => Row { a: Some(a), b: Some(b) },
            Takes::OnlyA => Row { a: Some(a), b: None },
            Takes::OnlyB => Row { a: None, b: Some(b) },
        }
    }
}

/// The first row in which the runs write different values.
#[derive(Clone, Debug)]
pub struct ValuesPart {
    pub row: usize,
    /// The step of each run.
    pub steps: [Box<Step>; 2],
}

/// The alignment of two runs.
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    segments: Vec<Segment>,
    /// Rows in which the runs differ: steps with different effects, and the first row of each range that only
    /// one run takes.
    pub differences: Vec<usize>,
    /// The first row with a step that only one run takes.
    pub flow_parts: Option<usize>,
    /// The first row with different values.
    pub values_part: Option<ValuesPart>,
    /// Whether a run continues after the compared steps.
    pub is_cut: bool,
}

impl Alignment {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.segments.last().map_or(0, |segment| segment.row + segment.length)
    }

    /// Row `index`. After the last row, both runs are at their ends.
    pub fn row(&self, index: usize) -> Row {
        let after = self.segments.partition_point(|segment| segment.row <= index);
        let segment = after.checked_sub(1).map(|at| self.segments[at]);
        match segment.filter(|segment| index < segment.row + segment.length) {
            Some(segment) => segment.row(index - segment.row),
            None => Row { a: None, b: None },
        }
    }

    /// The row of step `step` of the second run. After the run's last step, the number of rows.
    pub fn row_of_b(&self, step: usize) -> usize {
        // Segments are in the order of both runs' steps.
        let at = self.segments.partition_point(|segment| segment.end_of_b() <= step);
        self.segments.get(at).map_or(self.len(), |segment| segment.row + step - segment.b)
    }

    /// The step of the first run in row `index`, or its next step after that row.
    pub fn a_at(&self, index: usize) -> Option<usize> {
        let rest = self.next_but(Takes::OnlyB, index)?;
        Some(rest.a + index.saturating_sub(rest.row))
    }

    /// The same for the second run.
    pub fn b_at(&self, index: usize) -> Option<usize> {
        let rest = self.next_but(Takes::OnlyA, index)?;
        Some(rest.b + index.saturating_sub(rest.row))
    }

    /// The segment of row `index`, or the next one, that is not of kind `takes`.
    fn next_but(&self, takes: Takes, index: usize) -> Option<&Segment> {
        let from = self.segments.partition_point(|segment| segment.row + segment.length <= index);
        self.segments.get(from..)?.iter().find(|segment| segment.takes != takes)
    }

    /// The nearest difference after row `index`.
    pub fn next_difference(&self, index: usize) -> Option<usize> {
        self.differences.get(self.differences.partition_point(|row| *row <= index)).copied()
    }

    pub fn previous_difference(&self, index: usize) -> Option<usize> {
        let before = self.differences.partition_point(|row| *row < index);
        self.differences[..before].last().copied()
    }

    pub fn differs(&self, index: usize) -> bool {
        self.differences.binary_search(&index).is_ok()
    }
}

/// Aligns two sequences of keys.
fn align(a: &[u32], b: &[u32]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let (mut i, mut j, mut row) = (0, 0, 0);
    let mut push = |(i, j): (usize, usize), length: usize, takes: Takes, row: &mut usize| {
        if length > 0 {
            segments.push(Segment { row: *row, a: i, b: j, length, takes });
            *row += length;
        }
    };
    while i < a.len() || j < b.len() {
        let same = a[i..].iter().zip(&b[j..]).take_while(|(x, y)| x == y).count();
        push((i, j), same, Takes::Both, &mut row);
        (i, j) = (i + same, j + same);
        let (di, dj) = meeting(&a[i..], &b[j..]);
        push((i, j), di, Takes::OnlyA, &mut row);
        push((i + di, j), dj, Takes::OnlyB, &mut row);
        (i, j) = (i + di, j + dj);
    }
    segments
}

/// The distances in both sequences to the nearest common key; to their ends if there is none.
fn meeting(a: &[u32], b: &[u32]) -> (usize, usize) {
    let (mut seen_a, mut seen_b) = (HashMap::new(), HashMap::new());
    for distance in 0..a.len().max(b.len()) {
        if let Some(key) = a.get(distance) {
            seen_a.entry(*key).or_insert(distance);
        }
        if let Some(key) = b.get(distance) {
            seen_b.entry(*key).or_insert(distance);
        }
        if let Some(other) = a.get(distance).and_then(|key| seen_b.get(key)) {
            return (distance, *other);
        }
        if let Some(other) = b.get(distance).and_then(|key| seen_a.get(key)) {
            return (*other, distance);
        }
    }
    (a.len(), b.len())
}

/// A key for each instruction of both programs. Matched instructions have equal keys.
fn keys([a, b]: [&Code; 2]) -> [Vec<u32>; 2] {
    let (count_a, count_b) = (a.program.instructions.len(), b.program.instructions.len());
    let own = |from: usize, count: usize| (from..from + count).map(|key| key as u32).collect::<Vec<_>>();
    let of_a = own(0, count_a);
    if Arc::ptr_eq(&a.program, &b.program) || a.text == b.text {
        return [of_a.clone(), of_a];
    }
    let mut numbers = HashMap::new();
    let mut texts = |code: &Code| -> Vec<u32> {
        let text = |instruction| disassemble_instruction(&code.program, instruction);
        let lines = code.program.instructions.iter().map(text);
        lines
            .map(|line| {
                let next = numbers.len() as u32;
                *numbers.entry(line).or_insert(next)
            })
            .collect()
    };
    let (texts_a, texts_b) = (texts(a), texts(b));
    let mut of_b = own(count_a, count_b);
    for pair in align(&texts_a, &texts_b).into_iter().filter(|segment| segment.takes == Takes::Both) {
        for offset in 0..pair.length {
            of_b[pair.b + offset] = of_a[pair.a + offset];
        }
    }
    [of_a, of_b]
}

/// The keys of a run's steps. `None` once `cancel` is true.
fn steps_of(ran: &Ran, keys: &[u32], cancel: &AtomicBool) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    let end = ran.run.len().min(MOST_STEPS);
    let mut wanted = true;
    Cursor::new(&ran.run).each_moment(&ran.run, (0, end), |moment| {
        if found.len() < end {
            found.extend(moment.pc().map(|pc| keys[pc]));
        }
        wanted = !cancel.load(Ordering::Relaxed);
        wanted
    });
    wanted.then_some(found)
}

/// Whether two steps of matched instructions differ in their writes, condition codes, outcome or memory
/// access.
pub fn differ(a: &Step, b: &Step, code: &Code) -> bool {
    let written = |change: &Change| (change.component, change.after, change.type_after, change.is_undefined);
    let codes = code.program.instructions[a.pc].update_cc().map(|register| register.index());
    a.changes.len() != b.changes.len()
        || a.changes.iter().zip(&b.changes).any(|(a, b)| written(a) != written(b))
        || codes.is_some_and(|index| a.cc_after[index] != b.cc_after[index])
        || (a.taken, a.kills, a.enabled) != (b.taken, b.kills, b.enabled)
        || a.emitted != b.emitted
        || a.memory.as_ref().map(|t| &t.after) != b.memory.as_ref().map(|t| &t.after)
}

/// Aligns two runs. `None` once `cancel` is true.
pub fn compare([a, b]: &[Ran; 2], cancel: &AtomicBool) -> Option<Alignment> {
    let keys = keys([&a.code, &b.code]);
    let steps = [steps_of(a, &keys[0], cancel)?, steps_of(b, &keys[1], cancel)?];
    let segments = align(&steps[0], &steps[1]);
    let mut found =
        Alignment { is_cut: [a, b].iter().any(|ran| ran.run.len() > MOST_STEPS), ..Alignment::default() };
    let (mut all_a, mut all_b) = (a.run.all_steps(), b.run.all_steps());
    let mut before = Takes::Both;
    for segment in &segments {
        if segment.takes != Takes::Both {
            found.flow_parts = found.flow_parts.or(Some(segment.row));
            if before == Takes::Both {
                found.differences.push(segment.row);
            }
        }
        before = segment.takes;
        for offset in 0..segment.length {
            if offset % 1024 == 0 && cancel.load(Ordering::Relaxed) {
                return None;
            }
            let row = segment.row(offset);
            let step_a = row.a.and_then(|_| all_a.next());
            let step_b = row.b.and_then(|_| all_b.next());
            if let (Some(step_a), Some(step_b)) = (step_a, step_b)
                && differ(&step_a, &step_b, &a.code)
            {
                let row = segment.row + offset;
                found.differences.push(row);
                found
                    .values_part
                    .get_or_insert_with(|| ValuesPart { row, steps: [step_a, step_b].map(Box::new) });
            }
        }
    }
    found.segments = segments;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sequences, with `-` where only the other continues.
    fn side_by_side(a: &str, b: &str) -> [String; 2] {
        let keys = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
        let alignment = Alignment { segments: align(&keys(a), &keys(b)), ..Alignment::default() };
        let letter = |text: &str, at: Option<usize>| at.map_or('-', |at| char::from(text.as_bytes()[at]));
        let rows = || (0..alignment.len()).map(|row| alignment.row(row));
        for (index, row) in rows().enumerate() {
            if let Some(step) = row.b {
                assert_eq!(alignment.row_of_b(step), index, "{a} {b} {step}");
                assert_eq!(alignment.b_at(index), Some(step));
            }
            if let Some(step) = row.a {
                assert_eq!(alignment.a_at(index), Some(step));
            }
        }
        assert_eq!(alignment.row_of_b(b.len()), alignment.len());
        [rows().map(|row| letter(a, row.a)).collect(), rows().map(|row| letter(b, row.b)).collect()]
    }

    #[test]
    fn runs_meet_again_where_they_can() {
        assert_eq!(side_by_side("abc", "abc"), ["abc", "abc"]);
        assert_eq!(side_by_side("axyzw", "auvw"), ["axyz--w", "a---uvw"]);
        // Three iterations of a loop, and two.
        assert_eq!(side_by_side("sLLLe", "sLLe"), ["sLLLe", "sLL-e"]);
        assert_eq!(side_by_side("ab", ""), ["ab", "--"]);
        assert_eq!(side_by_side("ab", "xy"), ["ab--", "--xy"]);
        assert_eq!(side_by_side("", "x"), ["-", "x"]);
        // An inserted instruction, and a changed one.
        assert_eq!(side_by_side("mnop", "mnxop"), ["mn-op", "mnxop"]);
        assert_eq!(side_by_side("mnop", "mnxp"), ["mno-p", "mn-xp"]);
    }
}
