//! Chooses the instruction set of vector code and the back end of programs.
//!
//! [`Cpu`] is the table of possible choices. `SHADESTEP_CPU` in the environment names one of them, for tests
//! and measurements. Without the variable, the best choice for this processor is in use. The choice is
//! cached, because short loops query it often.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

/// The environment variable that names a [`Cpu`].
pub const VARIABLE: &str = "SHADESTEP_CPU";

/// Instruction sets that vector code is written for. A function with the `target_feature`s of a set may be
/// called if [`Self::is_available`] returns true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstructionSet {
    /// Instructions of every processor that Rust compiles for.
    Portable,
    /// `avx2,fma`: vectors of 8 lanes.
    Avx2,
    /// `avx512f,avx512vl,avx512dq,avx512bw`: vectors of 16 lanes.
    Avx512,
}

impl InstructionSet {
    /// The instruction set that vector code uses.
    #[inline]
    pub fn in_use() -> Self {
        Cpu::in_use().instructions()
    }

    /// Whether this processor has the instructions.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let (has_avx2, has_avx512) = (
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw"),
        );
        #[cfg(not(target_arch = "x86_64"))]
        let (has_avx2, has_avx512) = (false, false);
        match self {
            Self::Portable => true,
            Self::Avx2 => has_avx2,
            Self::Avx512 => has_avx2 && has_avx512,
        }
    }
}

/// Names a back end of programs. `exec::back_ends` has the back ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackEndName {
    /// The interpreter.
    Interpreter,
    /// The compiler to 128-bit code, for processors other than x86-64.
    Cranelift,
    /// The compiler to AVX2 code.
    Avx2,
    /// The compiler to AVX-512 code.
    Avx512,
}

impl BackEndName {
    /// Whether the back end works on processors like this one.
    fn is_available(self) -> bool {
        match self {
            Self::Interpreter => true,
            Self::Cranelift => {
                cfg!(any(feature = "cranelift", target_arch = "aarch64", target_arch = "riscv64"))
            }
            Self::Avx2 => InstructionSet::Avx2.is_available(),
            Self::Avx512 => InstructionSet::Avx512.is_available(),
        }
    }
}

shadestep_language::named_enum! {
    /// The values of [`VARIABLE`]. The last one that is available is the best. All give the same bits.
    pub enum Cpu (
        /// The instruction set of vector code.
        pub(crate) instructions: InstructionSet,
        /// The back end of programs.
        pub(crate) back_end: BackEndName,
    ) {
        /// Works on every processor.
        Portable = "portable" => (InstructionSet::Portable, BackEndName::Interpreter),
        /// AArch64, and RISC-V with vectors. Tests use it on x86-64, too.
        Cranelift = "cranelift" => (InstructionSet::Portable, BackEndName::Cranelift),
        /// x86-64 with AVX2 and FMA.
        Avx2 = "avx2" => (InstructionSet::Avx2, BackEndName::Avx2),
        /// x86-64 with AVX-512 F, VL, DQ and BW.
        Avx512 = "avx512" => (InstructionSet::Avx512, BackEndName::Avx512),
    }
}

impl Cpu {
    /// Whether vector code and back end work on this processor.
    pub fn is_available(self) -> bool {
        self.instructions().is_available() && self.back_end().is_available()
    }

    /// The values that are available.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|cpu| cpu.is_available())
    }

    /// The best value for this processor.
    pub fn of_machine() -> Self {
        Self::available().last().unwrap_or(Self::Portable)
    }

    /// The value in use: the one in [`VARIABLE`], or the best for this processor.
    #[inline]
    pub fn in_use() -> Self {
        // Relaxed, because all threads compute the same value.
        let place = usize::from(IN_USE.load(Ordering::Relaxed)).wrapping_sub(1);
        Self::ALL.get(place).copied().unwrap_or_else(find_out)
    }

    /// The values that tests compare: all that are available, or only the one in [`VARIABLE`].
    pub(crate) fn compared() -> impl Iterator<Item = Self> {
        let only = Self::asked_for().ok().flatten();
        Self::available().filter(move |&cpu| only.is_none_or(|only| cpu == only))
    }

    /// The value in [`VARIABLE`]; `None` if the variable is not set.
    ///
    /// # Errors
    /// The variable has an unknown value, or one that is not available. [`Self::in_use`] then ignores the
    /// variable.
    pub fn asked_for() -> Result<Option<Self>, CpuError> {
        let Some(value) = std::env::var_os(VARIABLE) else { return Ok(None) };
        let asked = value.to_str().and_then(Self::from_name);
        let asked = asked.ok_or_else(|| CpuError::Unknown(value.to_string_lossy().into_owned()))?;
        if asked.is_available() { Ok(Some(asked)) } else { Err(CpuError::Unavailable(asked)) }
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why [`VARIABLE`] is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CpuError {
    /// No [`Cpu`] has this name.
    Unknown(String),
    /// The value does not work on this processor.
    Unavailable(Cpu),
}

impl fmt::Display for CpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(value) => {
                write!(f, "{VARIABLE} is `{value}`; it can be {}", Alternatives(&Cpu::ALL))
            }
            Self::Unavailable(cpu) => {
                let available: Vec<Cpu> = Cpu::available().collect();
                let available = Alternatives(&available);
                write!(f, "{VARIABLE} is `{cpu}`, which this processor does not have; it can be {available}")
            }
        }
    }
}

impl std::error::Error for CpuError {}

/// Prints values as "`a`, `b` or `c`".
struct Alternatives<'a>(&'a [Cpu]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, cpu) in self.0.iter().enumerate() {
            let separator = match place {
                0 => "",
                _ if place + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}`{cpu}`")?;
        }
        Ok(())
    }
}

/// The index of a [`Cpu`] plus 1, or 0 before the first query.
static IN_USE: AtomicU8 = AtomicU8::new(0);

#[cold]
fn find_out() -> Cpu {
    let cpu = Cpu::asked_for().ok().flatten().unwrap_or_else(Cpu::of_machine);
    IN_USE.store(cpu as u8 + 1, Ordering::Relaxed);
    cpu
}

/// Calls `check` for each instruction set of [`Cpu::compared`]. A failing test prints the last one.
#[cfg(test)]
#[expect(clippy::print_stdout, reason = "tests print where they fail only")]
pub(crate) fn on_each(check: impl Fn(InstructionSet)) {
    let mut sets: Vec<InstructionSet> = Cpu::compared().map(Cpu::instructions).collect();
    sets.dedup();
    for set in sets {
        println!("with {set:?} instructions");
        check(set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_list_the_values_of_the_table() {
        assert_eq!(
            CpuError::Unknown("pentium".to_owned()).to_string(),
            "SHADESTEP_CPU is `pentium`; it can be `portable`, `cranelift`, `avx2` or `avx512`"
        );
        let error = CpuError::Unavailable(Cpu::Avx512).to_string();
        for cpu in Cpu::available() {
            assert!(error.contains(&format!("`{cpu}`")), "{error}");
        }
    }

    #[test]
    fn the_value_in_use_is_available() {
        assert!(Cpu::Portable.is_available());
        assert!(Cpu::in_use().is_available());
        assert!(Cpu::compared().any(|cpu| cpu == Cpu::in_use()));
    }
}
