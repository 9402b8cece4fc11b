//! The front end of `!!VP1.0`, `!!VP1.1`, `!!VP2.0` and `!!VSP1.0` (NV_vertex_program2 2.14.1 to 2.14.6,
//! which restates NV_vertex_program and NV_vertex_program1_1).
//!
//! `parser` reads statements, `operand` their registers, `check` turns a statement into IR and applies
//! the load rules that need more than one token, `words` knows which words the grammar takes. What an
//! older version lacks is read all the same, so that the finding can say which version has it.
//!
//! Where the text leaves a choice:
//! * The header must be the first bytes; behind `END` only whitespace and comments may stand.
//! * `<programText>` may be empty (2.14.1.8), so `OPTION NV_position_invariant; END` is a program; without
//!   the option an empty one fails for HPOS. A lone `;` is no statement.
//! * Labels are `<identifier>`s, and the grammar reserves none (ruling 10 of the vertex languages): a word before `:`
//!   or behind BRA or CAL is a label, were it an instruction's name or `END`.
//! * A label may be made once. Labels behind the last instruction are legal: going there ends the program.
//! * Numbers in brackets are decimal and may have leading zeros (`c[007]`); `!!VSP1.0` has the one token
//!   `0`, so `v[00]` and `v[OPOS]` are refused there.
//! * Component letters are tokens of their own, so `R0.x y` is the mask `xy`.
//! * A condition mask may follow the mask of an address register: 2.14.2.2 names `<maskedAddrReg>` and
//!   2.14.3.4 has ARL apply all masks, although the grammar's `<maskedAddrReg>` leaves it out.
//! * `+` before an operand belongs to `!!VP1.1` too (ruling 9 of the vertex languages): NV_vertex_program1_1 prints
//!   it, though the grammar of 2.14.1.8 that restates it does not.
//! * The rule that NV_vertex_program1_1 prints for position-invariant programs still has `c[A0.x]`; its
//!   words and 2.14.6.1 forbid every relative reference there.
//! * `OPTION` may be repeated, as `<optionSequence>` says.
//! * The first instruction past the limit is at fault where it stands. An unknown label is a fault of the
//!   whole program, at its length.

mod check;
mod operand;
mod parser;
pub(crate) mod words;

use super::Loaded;
use crate::isa::Language;
use parser::{Parser, Vp};

/// Loads `text`, which begins with the header of `language`.
pub(super) fn load(text: &[u8], language: Language) -> Loaded {
    Parser::new(text, Vp::new(language)).run()
}
