//! Readings of the specifications: the type, and the readings that several rows of the table share. All other
//! readings are in their rows.

use super::{Language, Languages};

/// Shadestep's interpretation where a specification contradicts itself or leaves a choice.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub languages: Languages,
    /// `{executed}` stands for the limit of executed instructions in the program's language.
    pub text: &'static str,
}

impl Reading {
    pub(super) const fn new(languages: Languages, text: &'static str) -> Self {
        Self { languages, text }
    }
}

/// All languages.
pub(super) const EVERYWHERE: Languages = Languages::of(&Language::ALL);

pub(super) const LEFT_TO_RIGHT: Reading =
    Reading::new(EVERYWHERE, "Sums run from left to right. Each product and each sum is rounded.");
pub(super) const RC_IS_WIDE: Reading =
    Reading::new(Languages::FP1, "RC counts as a destination with 32-bit components.");
pub(super) const NAN_PROPAGATES: Reading = Reading::new(
    Languages::VP1,
    "The special-case rules say that a comparison with NaN is true or false, but the pseudo-code makes its result NaN. The pseudo-code wins.",
);
pub(super) const NAN_EITHER: Reading =
    Reading::new(Languages::VP1, "A NaN in either operand gives NaN, whichever comes first.");
pub(super) const RESULTS_STAY: Reading =
    Reading::new(Languages::VP2, "However a program ends, its vertex keeps the results written so far.");
pub(super) const EXECUTED: Reading = Reading::new(
    Languages::VP2.or(Languages::ARB_VP_NV2).or(Languages::ARB_FP_NV2).or(Languages::GPU),
    "A program executes at most {executed} instructions. The last one takes effect and then ends the program, with the results written so far.",
);
pub(super) const OUTSIDE_PARAMETERS: Reading =
    Reading::new(Languages::VP1, "c[A0.x+n] outside the parameter file reads (0,0,0,0).");
pub(super) const EXACT_PARTS: Reading = Reading::new(
    Languages::VP1,
    "x and y are exact and z has full precision, much better than the required 11 bits.",
);
pub(super) const ADDRESS_RANGE: Reading =
    Reading::new(Languages::VP2, "NaN gives 0, -INF gives -512 and +INF gives 511.");
pub(super) const ADDRESS_CONDITION: Reading =
    Reading::new(Languages::VP2, "With C, the condition code is set from the clamped whole numbers.");
pub(super) const ADDRESS_SATURATES: Reading = Reading::new(
    Languages::ARB_VP,
    "NaN gives 0, and the loaded value saturates at 32 bits. An element outside its array reads (0,0,0,0).",
);
pub(super) const NAN_COMPARES: Reading = Reading::new(
    Languages::ARB_VP,
    "A comparison with NaN gives 1.0 or 0.0, as in the pseudo-code, and the NV options do not change that.",
);
pub(super) const ONE_STACK: Reading = Reading::new(
    Languages::ARB_VP_NV3,
    "Return addresses and the entries of PUSHA share one stack. The program ends if RET finds an address register on top, or if POPA finds a return address.",
);
pub(super) const NAN_LEVEL: Reading = Reading::new(Languages::ARB_VP_NV3, "A NaN level or bias counts as 0.");
