//! Which instructions this processor has, of those that the engine has code for.
//!
//! `SHADESTEP_CPU=portable|avx2|avx512` in the environment takes less than there is, to test and to measure what other
//! processors run. Whatever is declared with the `target_feature`s below may be called where the answer is yes. It is
//! found out once: short loops ask often.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

/// The variable of the environment that takes less than the processor has.
pub const VARIABLE: &str = "SHADESTEP_CPU";

/// Instructions that the engine has code for; each of them includes those before it. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cpu {
    /// What every processor has that Rust compiles for.
    Portable = 1,
    /// `avx2,fma`: vectors of eight lanes, compiled programs.
    Avx2,
    /// `avx512f,avx512vl,avx512dq,avx512bw`: vectors of 16 lanes, compiled programs.
    Avx512,
}

impl Cpu {
    /// All of them, the plainest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// As [`VARIABLE`] has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The best that this processor has.
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

    /// What code runs on: the best of this processor, or what [`VARIABLE`] asks for.
    #[inline]
    pub fn in_use() -> Self {
        // All threads that ask find the same.
        match IN_USE.load(Ordering::Relaxed) {
            1 => Self::Portable,
            2 => Self::Avx2,
            3 => Self::Avx512,
            _ => find_out(),
        }
    }

    /// What [`VARIABLE`] asks for; nothing if it is not set.
    ///
    /// # Errors
    /// It asks for something that there is not, or that this processor does not have. [`Self::in_use`] then goes by the
    /// processor.
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

/// Why [`VARIABLE`] cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CpuError {
    /// Nothing has that name.
    Unknown(String),
    /// This processor does not have it.
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

/// A [`Cpu`], or 0 as long as nobody has asked.
static IN_USE: AtomicU8 = AtomicU8::new(0);

#[cold]
fn find_out() -> Cpu {
    let cpu = Cpu::asked_for().ok().flatten().unwrap_or_else(Cpu::of_machine);
    IN_USE.store(cpu as u8, Ordering::Relaxed);
    cpu
}

/// Has `check` go over each [`Cpu`] that may be used here. What a test prints when it fails says which it was.
#[cfg(test)]
#[expect(clippy::print_stdout, reason = "tests print where they fail only")]
pub(crate) fn on_each(check: impl Fn(Cpu)) {
    for cpu in Cpu::ALL.into_iter().filter(|&cpu| cpu <= Cpu::in_use()) {
        println!("on {cpu}");
        check(cpu);
    }
}

/// Whether `avx2` is to be used.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_avx2() -> bool {
    Cpu::in_use() >= Cpu::Avx2
}

/// Whether `avx512f,avx512vl,avx512dq,avx512bw` are to be used.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_avx512() -> bool {
    Cpu::in_use() >= Cpu::Avx512
}
