//! The tests of the checks: over the corpora, over all inputs that ever failed, and over inputs that could
//! take much memory or work.

#[path = "../../../engine/tests/measure/mod.rs"]
mod measure;

mod bounds;
mod dictionaries;
mod endless;
mod replay;
