//! What an editor asks of `!!ARBfp1.0` and `!!ARBvp1.0` programs.
//!
//! What bindings and names stand for comes from [`crate::front::arb::symbols`], the parser's own view of a text.

pub(super) mod hover;
