//! The kernels of [`crate::exec::ops`] over whole rows, compiled for each instruction set and chosen
//! at run time.
//!
//! Each is a plain loop over the component function, which the compiler turns into SIMD code; since
//! the component functions are IEEE operations only, every instance gives the same bits.
#![expect(unsafe_code, reason = "functions compiled for a processor feature are called through pointers")]

use std::sync::OnceLock;

use super::native::Encoding;
use crate::exec::block::{LANES, Row};
use crate::exec::ops::{self, Arith, Exact32, Fixed, Guarded32, Half, Kernel, MAX_INPUTS, for_each_kernel};
use crate::exec::scalar::derivative_lanes;
use crate::ir::Type;
#[cfg(target_arch = "x86_64")]
use crate::processor;

/// Rows one component computation reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Row written.
    pub dst: u16,
    /// Rows read, as many as the kernel has inputs.
    pub src: [u16; MAX_INPUTS],
}

/// A kernel over rows. Made only by [`Level`], for features that were detected.
pub type RowFn = unsafe fn(&mut [Row], &[Group]);

/// What a row function computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKernel {
    /// A component function, in a type.
    Component(Kernel, Type),
    /// The difference between neighbours in the quad.
    Derivative {
        /// The type.
        ty: Type,
        /// Whether it is DDY, not DDX.
        vertical: bool,
    },
}

impl RowKernel {
    /// Rows that it reads for each that it writes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Component(kernel, _) => kernel.inputs(),
            Self::Derivative { .. } => 1,
        }
    }
}

/// Which arithmetic an fp32 kernel uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Without flushes; see [`crate::exec::guard`].
    Guarded,
    /// In full.
    Exact,
}

/// Lanes computed at a time: one 512-bit register.
const CHUNK: usize = 16;

/// The rows of a group, found and checked once for all of its chunks.
struct Operands<const INPUTS: usize> {
    dst: *mut [f32; LANES],
    src: [*const [f32; LANES]; INPUTS],
}

impl<const INPUTS: usize> Operands<INPUTS> {
    #[inline(always)]
    fn of(rows: &mut [Row], group: &Group) -> Self {
        let place = |row: u16| {
            let row = usize::from(row);
            assert!(row < rows.len(), "a row that the layout has");
            row
        };
        let (dst, mut src) = (place(group.dst), [0; INPUTS]);
        for (src, &row) in src.iter_mut().zip(&group.src) {
            *src = place(row);
        }
        let first: *mut [f32; LANES] = rows.as_mut_ptr().cast();
        let mut operands = Self { dst: first, src: [first.cast_const(); INPUTS] };
        // SAFETY: all places are within the slice, as was just checked, and a `Row` is one array.
        operands.dst = unsafe { first.add(dst) };
        for (operand, row) in operands.src.iter_mut().zip(src) {
            // SAFETY: as above.
            *operand = unsafe { first.add(row) };
        }
        operands
    }

    /// `CHUNK` lanes of each input.
    #[inline(always)]
    fn load(&self, chunk: usize) -> [[f32; CHUNK]; INPUTS] {
        const { assert!(LANES.is_multiple_of(CHUNK)) };
        assert!(chunk < LANES / CHUNK);
        let mut inputs = [[0.0; CHUNK]; INPUTS];
        for (input, row) in inputs.iter_mut().zip(&self.src) {
            // SAFETY: chunks divide a row, and nothing else refers to the rows while this lives.
            *input = unsafe { row.cast::<[f32; CHUNK]>().add(chunk).read() };
        }
        inputs
    }

    /// Writes `CHUNK` lanes of the result.
    #[inline(always)]
    fn store(&self, chunk: usize, result: [f32; CHUNK]) {
        assert!(chunk < LANES / CHUNK);
        // SAFETY: as for `load`.
        unsafe { self.dst.cast::<[f32; CHUNK]>().add(chunk).write(result) }
    }
}

#[inline(always)]
fn drive<const INPUTS: usize>(rows: &mut [Row], groups: &[Group], f: impl Fn([f32; INPUTS]) -> f32) {
    for group in groups {
        let operands = Operands::<INPUTS>::of(rows, group);
        for chunk in 0..LANES / CHUNK {
            let inputs = operands.load(chunk);
            let mut result = [0.0; CHUNK];
            for (lane, result) in result.iter_mut().enumerate() {
                *result = f(std::array::from_fn(|i| inputs[i][lane]));
            }
            operands.store(chunk, result);
        }
    }
}

#[inline(always)]
fn drive_derivative<A: Arith, const VERTICAL: bool>(rows: &mut [Row], groups: &[Group]) {
    for group in groups {
        let operands = Operands::of(rows, group);
        for chunk in 0..LANES / CHUNK {
            let [input] = operands.load(chunk);
            let mut result = [0.0; CHUNK];
            for (lane, result) in result.iter_mut().enumerate() {
                let (from, to) = derivative_lanes(lane, VERTICAL);
                *result = ops::difference::<A, f32>(input[from], input[to]);
            }
            operands.store(chunk, result);
        }
    }
}

/// The functions of one instruction set.
#[derive(Clone, Copy)]
pub struct Level {
    /// Name, for reports.
    pub name: &'static str,
    kernel: fn(Kernel, Type, Mode) -> RowFn,
    derivative: fn(Type, Mode, bool) -> RowFn,
    /// The encoding in which [`super::native`] writes code for it, if it does.
    pub compiles: Option<Encoding>,
}

impl Level {
    /// The same, for kernels only.
    pub fn interpreted(&self) -> Self {
        Self { compiles: None, ..*self }
    }

    /// The row function of `kernel`.
    pub fn function(&self, kernel: RowKernel, mode: Mode) -> RowFn {
        match kernel {
            RowKernel::Component(kernel, ty) => (self.kernel)(kernel, ty, mode),
            RowKernel::Derivative { ty, vertical } => (self.derivative)(ty, mode, vertical),
        }
    }
}

macro_rules! define_kernels {
    ($($kernel:ident $function:ident($($arg:ident),*);)*) => {
        // An attribute that says nothing: every instance has one.
        define_kernels! { baseline "baseline" None cfg(all()), $($kernel $function($($arg),*);)* }
        #[cfg(target_arch = "x86_64")]
        define_kernels! {
            avx2 "AVX2" (Some(super::Encoding::Vex256)) target_feature(enable = "avx2"), $($kernel $function($($arg),*);)*
        }
        #[cfg(target_arch = "x86_64")]
        define_kernels! {
            avx512 "AVX-512" (Some(super::Encoding::Evex512)) target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw"),
            $($kernel $function($($arg),*);)*
        }
    };
    ($module:ident $name:literal $compiles:tt $attribute:meta, $($kernel:ident $function:ident($($arg:ident),*);)*) => {
        mod $module {
            use super::{drive, drive_derivative, Arith, Exact32, Fixed, Group, Guarded32, Half, Kernel, Level, Mode, Row, RowFn, Type, ops};

            $(
                #[$attribute]
                fn $function<A: Arith>(rows: &mut [Row], groups: &[Group]) {
                    drive(rows, groups, |[$($arg),*]| ops::$function::<A, f32>($($arg),*));
                }
            )*

            #[$attribute]
            fn derivative<A: Arith, const VERTICAL: bool>(rows: &mut [Row], groups: &[Group]) {
                drive_derivative::<A, VERTICAL>(rows, groups);
            }

            fn kernel_as<A: Arith>(kernel: Kernel) -> RowFn {
                match kernel {
                    $(Kernel::$kernel => $function::<A> as RowFn,)*
                }
            }

            fn kernel(kernel: Kernel, ty: Type, mode: Mode) -> RowFn {
                match (ty, mode) {
                    (Type::F32 | Type::Address, Mode::Guarded) => kernel_as::<Guarded32>(kernel),
                    (Type::F32 | Type::Address, Mode::Exact) => kernel_as::<Exact32>(kernel),
                    (Type::F16, _) => kernel_as::<Half>(kernel),
                    (Type::Fx12, _) => kernel_as::<Fixed>(kernel),
                }
            }

            fn derivative_as<A: Arith>(vertical: bool) -> RowFn {
                if vertical { derivative::<A, true> as RowFn } else { derivative::<A, false> as RowFn }
            }

            fn derivative_of(ty: Type, mode: Mode, vertical: bool) -> RowFn {
                match (ty, mode) {
                    (Type::F32 | Type::Address, Mode::Guarded) => derivative_as::<Guarded32>(vertical),
                    (Type::F32 | Type::Address, Mode::Exact) => derivative_as::<Exact32>(vertical),
                    (Type::F16, _) => derivative_as::<Half>(vertical),
                    (Type::Fx12, _) => derivative_as::<Fixed>(vertical),
                }
            }

            pub const LEVEL: Level = Level { name: $name, kernel, derivative: derivative_of, compiles: $compiles };
        }
    };
}
for_each_kernel!(define_kernels);

/// Every level that this processor runs, the best last.
pub fn levels() -> &'static [Level] {
    static LEVELS: OnceLock<Vec<Level>> = OnceLock::new();
    LEVELS.get_or_init(|| {
        let mut levels = vec![baseline::LEVEL];
        #[cfg(target_arch = "x86_64")]
        {
            if processor::has_avx2() {
                levels.push(avx2::LEVEL);
            }
            if processor::has_avx512() {
                levels.push(avx512::LEVEL);
            }
        }
        levels
    })
}

/// Calls `function`.
pub fn call(function: RowFn, rows: &mut [Row], groups: &[Group]) {
    // SAFETY: a `RowFn` comes from a `Level`, and `levels` lists only those whose features the
    // processor has.
    unsafe { function(rows, groups) }
}
