//! Checks on lessons in memory, and the bundled course as `lesson --check` has it.
