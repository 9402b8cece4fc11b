//! The instruction table: one row per opcode, with all facts about the instruction. To add an instruction,
//! add a row to the file of its group. Front ends and the verifier read the action of a row.
//!
//! Each file defines a macro with the rows of one group. [`Info`] describes the columns. The plan in an
//! action, such as `Computes(each(Kernel::Add, EACH_2))`, is in the terms of [`crate::semantics::plan`].

pub(crate) mod arithmetic;
pub(crate) mod bits;
pub(crate) mod flow;
pub(crate) mod fragments;
pub(crate) mod functions;
pub(crate) mod memory;

use super::form_constructors::*;
use super::readings::*;
use super::{
    AccessKind, AccessPlace, Action, DataType, Emit, Flow, Group, Info, Languages, MemoryOption, Modifier,
    OperandKind, Reading, ResultKind, Rule,
};

macro_rules! instructions {
    ($($name:ident $mnemonic:literal $title:literal ($($operand:ident),*) -> $result:ident, $rule:ident, $group:ident,
        $action:ident $(($($detail:tt)*))?,
        [$($variant:expr),*], $formula:literal, $prose:literal $(=> $example:literal)?
        $(readings [$($reading:expr),*])?;)*) => {
        /// An operation, independent of suffixes and language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = $title] $name,)*
        }

        /// Every row, in the order of [`Opcode`].
        pub const TABLE: &[Info] = &[
            $(Info {
                opcode: Opcode::$name,
                mnemonic: $mnemonic,
                title: $title,
                operands: &[$(OperandKind::$operand),*],
                result: ResultKind::$result,
                rule: Rule::$rule,
                group: Group::$group,
                action: instructions!(@action $action $(($($detail)*))?),
                variants: &[$($variant),*],
                formula: $formula,
                prose: $prose,
                example: instructions!(@example $($example)?),
                readings: &[$($($reading),*)?],
            },)*
        ];
    };
    // [`crate::semantics::plan`] reads the plans.
    (@action Computes($($plan:tt)*)) => { Action::Computes };
    (@action LoadsConstants($($plan:tt)*)) => { Action::LoadsConstants };
    (@action LooksUp($($plan:tt)*)) => { Action::LooksUp };
    (@action Accesses($access:ident, $place:ident)) => {
        Action::Accesses(AccessKind::$access, AccessPlace::$place)
    };
    (@action Flow($flow:ident)) => { Action::Flow(Flow::$flow) };
    (@action Emits($emit:ident)) => { Action::Emits(Emit::$emit) };
    (@action $action:ident) => { Action::$action };
    (@example) => { None };
    (@example $example:literal) => { Some($example) };
}

impl Opcode {
    pub const fn info(self) -> &'static Info {
        &TABLE[self as usize]
    }
}

/// Calls the macro `callback` with all rows. Each macro in the list appends its rows and passes all of them to
/// the next macro.
macro_rules! rows {
    ($callback:ident) => {
        $crate::isa::table::arithmetic::arithmetic! {
            ($crate::isa::table::functions::functions)
            ($crate::isa::table::bits::bits)
            ($crate::isa::table::fragments::fragments)
            ($crate::isa::table::flow::flow)
            ($crate::isa::table::memory::memory)
            ($callback)
        }
    };
}

pub(crate) use rows;

rows! { instructions }
