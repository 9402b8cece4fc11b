//! Detects which instruction set of this processor the engine uses.
//!
//! `SHADESTEP_CPU=portable|avx2|avx512` in the environment selects less than the processor has, for tests and
//! measurements of other processors. The result is cached, because short loops query it often.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

/// The environment variable that limits the instruction set.
pub const VARIABLE: &str = "SHADESTEP_CPU";

shadestep_language::named_enum! {
    /// Instruction sets that the engine has code for, by their names in [`VARIABLE`]. Each includes the ones
    /// before it. All give the same bits.
    pub enum Cpu {
        /// Instructions of every processor that Rust compiles for.
        Portable = "portable",
        /// `avx2,fma`: vectors of 8 lanes, compiled programs.
        Avx2 = "avx2",
        /// `avx512f,avx512vl,avx512dq,avx512bw`: vectors of 16 lanes, compiled programs.
        Avx512 = "avx512",
    }
}

impl Cpu {
    /// The best instruction set of this processor.
    pub fn of_machine() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw");
            return if has_avx512 { Self::Avx512 } else { Self::Avx2 };
        }
        Self::Portable
    }

    /// The instruction set that code uses: the best of this processor, or the one in [`VARIABLE`].
    #[inline]
    pub fn in_use() -> Self {
        // Relaxed, because all threads compute the same value.
        let place = usize::from(IN_USE.load(Ordering::Relaxed)).wrapping_sub(1);
        Self::ALL.get(place).copied().unwrap_or_else(find_out)
    }

    /// The instruction set in [`VARIABLE`]; `None` if the variable is not set.
    ///
    /// # Errors
    /// The variable names an unknown instruction set, or one that this processor does not have.
    /// [`Self::in_use`] then ignores the variable.
    pub fn asked_for() -> Result<Option<Self>, CpuError> {
        let Some(value) = std::env::var_os(VARIABLE) else { return Ok(None) };
        let asked = Self::ALL.into_iter().find(|cpu| value == cpu.name());
        let asked = asked.ok_or_else(|| CpuError::Unknown(value.to_string_lossy().into_owned()))?;
        if asked > Self::of_machine() { Err(CpuError::Missing(asked)) } else { Ok(Some(asked)) }
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
    /// No instruction set has this name.
    Unknown(String),
    /// This processor does not have the instruction set.
    Missing(Cpu),
}

impl fmt::Display for CpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(value) => {
                let [portable, avx2, avx512] = Cpu::ALL;
                write!(f, "{VARIABLE} is `{value}`; it can be `{portable}`, `{avx2}` or `{avx512}`")
            }
            Self::Missing(cpu) => {
                write!(
                    f,
                    "{VARIABLE} is `{cpu}`, which this processor does not have; it has `{}`",
                    Cpu::of_machine()
                )
            }
        }
    }
}

impl std::error::Error for CpuError {}

/// The index of a [`Cpu`] plus 1, or 0 before the first query.
static IN_USE: AtomicU8 = AtomicU8::new(0);

#[cold]
fn find_out() -> Cpu {
    let cpu = Cpu::asked_for().ok().flatten().unwrap_or_else(Cpu::of_machine);
    IN_USE.store(cpu as u8 + 1, Ordering::Relaxed);
    cpu
}

/// Calls `check` for each usable [`Cpu`]. A failing test prints the last one.
#[cfg(test)]
#[expect(clippy::print_stdout, reason = "tests print where they fail only")]
pub(crate) fn on_each(check: impl Fn(Cpu)) {
    for cpu in Cpu::ALL.into_iter().filter(|&cpu| cpu <= Cpu::in_use()) {
        println!("on {cpu}");
        check(cpu);
    }
}
