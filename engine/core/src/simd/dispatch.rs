//! Chooses the instance of [`Simd`], and enters the code that is compiled for it.
//!
//! The `target_feature`s of instances are only here. A function with a `target_feature` may run only on a
//! processor that has the feature. Other code cannot name the types of those instances. It gets them as the
//! type parameter of a [`Task`], and [`Level::choose`] passes a type only if [`Level::of`] has found that the
//! processor has the instructions. So every function of an instance runs on a processor that supports it.
#![cfg_attr(
    all(target_arch = "x86_64", not(fuzzing)),
    expect(unsafe_code, reason = "functions that need a processor feature are called")
)]

use super::{Portable, Simd};
use crate::processor::InstructionSet;

/// Code to compile for several instruction sets. No operation is fused, so results are bit-identical on all
/// processors.
pub trait Task {
    /// Runs the task. In [`Simd::compiled`], `run` and the functions in its inner loops must be
    /// `inline(always)`, or they are compiled for the portable instance only.
    fn run<S: Simd>(self);
}

/// Runs `task`, compiled for the best instruction set of the processor.
#[inline]
pub fn widest(task: impl Task) {
    Level::best().choose(Compiled(task));
}

/// An instance of [`Simd`] that the processor supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Instance);

/// Fuzzing builds have only the portable instance, because each one takes long to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instance {
    Portable,
    #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
    Avx512,
}

impl Instance {
    #[inline]
    const fn of(instructions: InstructionSet) -> Self {
        match instructions {
            #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
            InstructionSet::Avx2 => Self::Avx2,
            #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
            InstructionSet::Avx512 => Self::Avx512,
            _ => Self::Portable,
        }
    }
}

impl Level {
    /// The instance for `instructions`; `None` if the processor does not have them.
    #[cfg(test)]
    pub fn of(instructions: InstructionSet) -> Option<Self> {
        instructions.is_available().then_some(Self(Instance::of(instructions)))
    }

    /// The instance in use.
    #[inline]
    pub fn best() -> Self {
        // The instruction set in use is available.
        Self(Instance::of(InstructionSet::in_use()))
    }

    /// Runs `task` with the instance as its type. The task itself is compiled without the instance's
    /// instructions; it uses [`Simd::compiled`] for its inner loops.
    #[inline]
    pub fn choose(self, task: impl Task) {
        match self.0 {
            Instance::Portable => task.run::<Portable>(),
            #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
            Instance::Avx2 => task.run::<super::Pair<super::Avx2>>(),
            #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
            Instance::Avx512 => task.run::<super::Avx512>(),
        }
    }
}

/// Runs the task with [`Simd::compiled`].
struct Compiled<T>(T);

impl<T: Task> Task for Compiled<T> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        S::compiled(self.0);
    }
}

/// Runs `task` with the type `S`, compiled for AVX2. Only the instance of AVX2 calls this.
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
#[inline]
pub(super) fn avx2<S: Simd>(task: impl Task) {
    #[target_feature(enable = "avx2,fma")]
    fn compiled<S: Simd>(task: impl Task) {
        task.run::<S>();
    }
    // SAFETY: the caller is an instance of AVX2, so the processor has AVX2 and FMA (see above).
    unsafe { compiled::<S>(task) }
}

/// Runs `task` with the type `S`, compiled for AVX-512. Only the instance of AVX-512 calls this.
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
#[inline]
pub(super) fn avx512<S: Simd>(task: impl Task) {
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
    fn compiled<S: Simd>(task: impl Task) {
        task.run::<S>();
    }
    // SAFETY: the caller is the instance of AVX-512, so the processor has these features (see above).
    unsafe { compiled::<S>(task) }
}
