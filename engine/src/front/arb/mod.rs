//! The front end of `!!ARBfp1.0` and `!!ARBvp1.0` with their options (ARB_fragment_program 3.11.2 to 3.11.6,
//! ARB_vertex_program 2.14.2 to 2.14.5, and the texts of the options), and of `!!NVvp4.0`, `!!NVfp4.0`, `!!NVvp5.0`
//! and `!!NVfp5.0`, whose grammar has grown out of theirs (NV_gpu_program4 and NV_gpu_program5 2.X.2 to 2.X.7).
//!
//! `parser` reads statements, `options` and `declare` those that are no instructions; `bindings`, `parameters` and
//! `state` what names are bound to; `operand` what instructions read and write; `names` holds the variables,
//! `limits` the counts, `flow` the blocks; `check` makes instructions and `build` the program of them. `types` has
//! what operations and variables have types for, `interpolation` what fragment attributes are declared to be,
//! `texture` what lookups name. `words` knows the words; `symbols` answers what editors ask. What an option brings
//! is read without it, too, where that is possible, so that the finding can name the option.
//!
//! Where the texts leave a choice:
//! * `ARB_vertex_blend` and `ARB_matrix_palette` are not supported. By the sections on dependencies the
//!   grammar then has no `vertex.weight`, `vertex.matrixindex` and palette matrices. The number of the one
//!   modelview matrix may be written: `state.matrix.modelview[0]`.
//! * An option may be given twice, and the larger NV option has all of the smaller, in either order.
//! * A position-invariant program cannot name `result.position` at all, in OUTPUT neither.
//! * A program may write no result, and an empty one is legal (both texts, issues).
//! * Words of the options' grammar that their lists do not reserve are free: condition rules, SHORT, LONG,
//!   texture targets, in vertex programs suffixed instruction names. `KIL EQ;` tests the condition code
//!   unless a variable is called EQ.
//! * Letters of a swizzle are tokens of their own, so space may part them; those of a write mask are one token, as
//!   the grammars print `"xy"`. `..` is one token. Numbers in brackets may have leading zeros.
//! * Without NV options a scalar constant needs a component where a scalar is wanted (`2.0.x`), as the grammar
//!   says; with them it can have none. Vectors in braces keep their suffixes.
//! * A constant counts once by its values, zeros of both signs alike; a `-` before an operand is none of its
//!   constant's.
//! * In fragment programs the first parameter too many is at fault where it is bound. In vertex programs how
//!   many there are is known at the end, since an array that an address register reads counts all its
//!   constants; a vector bound twice in such arrays is known there, too.
//! * A size that the list does not meet shows at the first token that is one too many, or at the closing
//!   brace.
//! * An indexed attribute binds none of the attributes that it may read: it counts for no limit and conflicts
//!   with none.
//! * A conventional and a generic attribute conflict also where both are the same vector, as `vertex.position`
//!   and `vertex.attrib[0]` are.
//! * A declared attribute that is indexed by A0 of LOOP means the A0 of the loop around its use.
//! * A result that is declared without size has the size that other variables of it have. So PK cannot write one that
//!   a SHORT variable is written to, before or behind it.
//! * A precision hint changes nothing.
//! * A vertex program looks up one target on a unit, like a fragment program: Begin could not compare its
//!   target with the other program's otherwise (NV_vertex_program3 2.14.4).
//! * Flow instructions are neither ALU nor texture instructions, and neither end nor join indirections.
//! * POPA may have `.xyzw` and `(TR)`.
//! * A block that is open at `END` is at fault at `END`, the innermost one.

mod bindings;
mod build;
mod check;
mod declare;
mod flow;
mod interpolation;
mod limits;
mod names;
mod operand;
mod options;
mod parameters;
mod parser;
mod state;
pub(crate) mod symbols;
#[cfg(test)]
mod tests;
mod texture;
mod types;
pub(crate) mod words;

pub(crate) use bindings::BindingContext;

use super::Loaded;
use crate::isa::Language;
use parser::{Arb, Parser};

/// Loads `text`, which begins with the header of `language`.
pub(super) fn load(text: &[u8], language: Language) -> Loaded {
    Parser::new(text, Arb::new(language)).run()
}
