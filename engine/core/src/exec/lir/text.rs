//! The text of functions and blocks, for tests and debugging.
//!
//! ```text
//! ; 1 / sqrt(x), and the lanes that are not below x
//! function %rsq {
//!     v0 = register 3
//!     v1 = constant 0x3f800000 ; 1.0
//!     v2 = sqrt v0
//!     v3 = div v1, v2
//!     m4 = lt fails v3, v0
//!     store register 4 v3
//!     store bits 9 m4
//! }
//! ```
//!
//! An instruction is a line: the result and `=` if the instruction has a result, words, and arguments
//! between commas. The first word is the name of the operation. `super::node` lists the operations, with
//! their other words and arguments.
//!
//! * A value has a letter for its kind, and a number. `v` is a 32-bit value in each lane, `m` is a mask, `w`
//!   has 64-bit values of half of the lanes. The printer numbers values from 0 in the order of the nodes. In
//!   a text that is parsed, values may have any numbers.
//! * A number is decimal. Bits are hexadecimal integers, decimal integers or fp32 numbers. The lanes of a quad
//!   have a digit each.
//! * A store has the name of its target, see [`super::Target`]. Stores come after the values that they store,
//!   in any order. Each store takes place after all reads of lane registers.
//! * A comment begins with `;` and ends with the line.
//!
//! A block also has discards and effects, and may end with an exit:
//!
//! ```text
//! block %vote {
//!     v0 = register 3
//!     v1 = vote question any ty U32 group 4 v0
//!     v2 = constant 0
//!     m3 = bits_eq v1, v2
//!     kill m3
//!     branch 2
//! }
//! ```
//!
//! * An effect has its results before `=`, with `_` for results that nothing reads. After its name come its
//!   fields, each after its name, and then its operands. [`super::Action`] lists the effects. An effect without
//!   results has no `=`.
//! * A list is between brackets. `4..8` are the lane registers from 4 to 7. `none` stands for no value.
//! * An exit has its fields and, if it has a test, a mask. [`super::Exit`] lists the exits.
//!
//! [`print()`] and [`parse`] convert between text and [`super::Function`], [`print_block`] and [`parse_blocks`]
//! between text and [`super::Block`]. [`steps`] prints a schedule, which has the instructions in the order of
//! their execution.

pub(super) mod fields;
mod parse;
mod print;

pub(super) use parse::Reader;
pub use parse::{ParseError, Parsed, parse, parse_blocks};
pub(super) use print::{Line, name, target};
pub use print::{print, print_block, print_effect, steps};
