//! From program text to a checked [`crate::ir::Program`], one module a language.
