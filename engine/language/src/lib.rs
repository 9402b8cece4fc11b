//! NVIDIA's assembly shader languages: text to a checked program or diagnostics, and what each operation computes.
//!
//! [`isa`] has the instruction table and the profile of each language, [`num`] the number formats bit for bit.
//! [`front`] parses with [`syntax`] and reports [`diag`]nostics; [`ir`] is the typed program that comes out.
//! [`semantics`] says which function computes each component of a result. Nothing here runs a program.

#[macro_use]
mod named;

pub mod diag;
pub mod front;
pub mod ir;
pub mod isa;
pub mod num;
pub mod semantics;
pub mod source;
pub mod syntax;
