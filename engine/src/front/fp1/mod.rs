//! The `!!FP1.0` front end (NV_fragment_program 3.11.1 to 3.11.4).
//!
//! `parser` reads statements and recovers, `operand` and `define` the parts of statements, `check` turns
//! a statement into IR and applies the load rules that need more than one token, `words` knows which
//! words the grammar takes.
//!
//! Where the text leaves a choice:
//! * `!!FP1.0` must be the first bytes: a program that begins with whitespace or a comment is refused.
//! * Behind `END` only whitespace and comments may stand, as the grammar ends there.
//! * `END` alone is no program: `<instructionSequence>` is not empty. A lone `;` is no statement.
//! * Numbers may lack point and exponent (`16`, `{2}`), as the text's own examples do.
//! * Component letters are tokens of their own, so `R0.x y` is the mask `xy`.
//! * Reserved words are those of `words`; `x`, `y`, `z`, `w` and `R32` are free to be names.
//! * PK to RC loads: RC's components are 32 bits wide (3.11.1.2).
//! * `OPTION` may be repeated, as `<optionSequence>` of ARB_fragment_coord_conventions says.
//! * Only `<signedScalarConstant>` takes a sign inside `{...}`, `DEFINE` and `DECLARE`.

mod check;
mod define;
mod operand;
mod parser;
pub(crate) mod words;

use super::Loaded;
use parser::{Fp1, Parser};

/// Loads `text`, which begins with `!!FP1.0`.
pub(super) fn load(text: &[u8]) -> Loaded {
    Parser::new(text, Fp1::default()).run()
}
