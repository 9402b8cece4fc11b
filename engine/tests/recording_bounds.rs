//! The costs of a recording, with the bounds in docs/limits.md. Memory must not grow with the number of
//! steps. A cancelled recording must stop within a limited number of steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::measure::allocator::{NOW, is_alone_and_counts, most};
use shadestep_engine::debug::{Cursor, MAX_CHECKPOINT_BYTES, Recording};
use shadestep_engine::exec::{Bindings, Cancelled, QuadInputs};
use shadestep_engine::front;
use shadestep_engine::ir::Program;

fn load(text: &str) -> (Arc<Program>, Arc<Bindings>) {
    let program = front::load(text.as_bytes()).program.expect("it loads");
    let bindings = Bindings::initial(&program);
    (Arc::new(program), Arc::new(bindings))
}

/// A program that runs into the limit of 65536 instructions, with the maximum number of registers, all in
/// use.
fn endless() -> (Arc<Program>, Arc<Bindings>) {
    let names: Vec<String> = (0..60).map(|n| format!("t{n}")).collect();
    let body: String =
        (0..60).map(|n| format!("MAD t{n}, t{}, 0.5, fragment.texcoord[0];\n", (n + 7) % 60)).collect();
    let text = format!(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP {};\nREP 255;\nREP 255;\nREP 255;\n{body}ENDREP;\nENDREP;\nENDREP;\n\
         MOV result.color, t0;\nEND\n",
        names.join(", ")
    );
    load(&text)
}

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn a_hundred_recordings_of_the_longest_run_and_a_cursor_stay_within_their_bound() {
    if !is_alone_and_counts(
        "recording_bounds::a_hundred_recordings_of_the_longest_run_and_a_cursor_stay_within_their_bound",
    ) {
        return;
    }
    let (program, bindings) = endless();
    let record = || {
        let inputs = QuadInputs::default();
        Recording::of_fragment(&program, &bindings, inputs, (1, [1, 0]), &NEVER).expect("nobody cancels")
    };
    let (memory, recording) = most(record);
    assert_eq!(recording.len(), 65_536);
    assert!(memory < 64 << 10, "{memory} bytes while one is made");
    let before = NOW.load(Relaxed);
    let hundred = vec![recording.clone(); 100];
    let kept = NOW.load(Relaxed) - before;
    assert!(kept < 256 << 10, "{kept} bytes for a hundred");
    drop(hundred);
    let (memory, cursor) = most(|| {
        let mut cursor = Cursor::new(&recording);
        cursor.seek(&recording, usize::MAX);
        for position in (0..65_536).step_by(4099).chain([1, 65_535, 0]) {
            cursor.seek(&recording, position);
            assert_eq!(cursor.position(), position);
        }
        assert_eq!(cursor.find_before(&recording, usize::MAX, |step| step.pc == 0), Some(0));
        cursor
    });
    assert!(memory as usize <= MAX_CHECKPOINT_BYTES + (64 << 10), "{memory} bytes");
    drop(cursor);
    // Reading the steps one by one takes no more memory than reading one.
    let (memory, count) = most(|| recording.all_steps().count());
    assert_eq!(count, 65_536);
    assert!(memory < 64 << 10, "{memory} bytes");
}

/// Diverged lanes make a quad execute four times as many instructions as a lane, and need more checkpoints
/// than there is room for.
#[test]
fn checkpoints_are_thinned_where_they_would_take_too_much() {
    if !is_alone_and_counts("recording_bounds::checkpoints_are_thinned_where_they_would_take_too_much") {
        return;
    }
    let names: Vec<String> = (0..60).map(|n| format!("t{n}")).collect();
    let body: String = (0..60).map(|n| format!("ADD t{n}, t{n}, 1;\n")).collect();
    // Each lane diverges: the lowest runs alone, then the next.
    let text = format!(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP {};\nTEMP c;\nMOVC c, fragment.texcoord[0];\n\
         IF GT.x;\nREP 255;\nREP 255;\n{body}ENDREP;\nENDREP;\nENDIF;\n\
         IF GT.y;\nREP 255;\nREP 255;\n{body}ENDREP;\nENDREP;\nENDIF;\n\
         IF GT.z;\nREP 255;\nREP 255;\n{body}ENDREP;\nENDREP;\nENDIF;\n\
         REP 255;\nREP 255;\n{body}ENDREP;\nENDREP;\nMOV result.color, t0;\nEND\n",
        names.join(", ")
    );
    let (program, bindings) = load(&text);
    let mut inputs = QuadInputs::default();
    let texcoord = shadestep_engine::ir::Attribute::Tex(0).index();
    for lane in 0..3 {
        inputs.attributes[texcoord][lane][lane] = 1.0;
    }
    let recording =
        Recording::of_fragment(&program, &bindings, inputs, (3, [1, 1]), &NEVER).expect("nobody cancels");
    assert_eq!(recording.len(), 65_536);
    let expected: Vec<_> = recording.steps(60_000..60_010).collect();
    let (memory, ()) = most(|| {
        let mut cursor = Cursor::new(&recording);
        cursor.seek(&recording, usize::MAX);
        for (position, step) in (60_000..60_010).zip(&expected).rev() {
            cursor.seek(&recording, position);
            assert_eq!(cursor.current(), Some(step));
        }
    });
    assert!(memory as usize <= MAX_CHECKPOINT_BYTES + (64 << 10), "{memory} bytes");
}

#[test]
fn a_recording_that_is_cancelled_ends_within_the_stated_number_of_steps() {
    let (program, bindings) = endless();
    let cancelled = AtomicBool::new(true);
    let recording =
        Recording::of_fragment(&program, &bindings, QuadInputs::default(), (0, [0, 0]), &cancelled);
    assert_eq!(recording.map(|_| ()), Err(Cancelled));
    let inputs = Default::default();
    let recording = Recording::of_vertex(&program, &bindings, &inputs, 0, &cancelled);
    assert_eq!(recording.map(|_| ()), Err(Cancelled));
}
