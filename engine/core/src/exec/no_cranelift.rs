//! Replaces the back end `cranelift` in builds without it.

use super::back_end::BackEnd;

/// No back end.
pub const fn compiler() -> Option<&'static dyn BackEnd> {
    None
}
