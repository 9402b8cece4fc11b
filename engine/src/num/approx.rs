//! approx
