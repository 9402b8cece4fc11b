//! The back end for processors other than x86-64: compiles the low-level IR with Cranelift, to vectors of 128
//! bits. Tests run it on x86-64, too.
//!
//! [`emit`] writes functions in Cranelift's IR. Cranelift selects instructions and allocates registers.
#![expect(unsafe_code, reason = "promises what the machine code does")]

mod emit;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;
use std::{fmt, io};

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable, SetError};

use wasmtime_internal_jit_icache_coherence as cache;

use super::back_end::{BackEnd, Compiled, Constants, Function};
use super::lir::{Denorms, Masks, Module, Needs, OptionalOperation, Scheduled, prepared};
use super::machine_code::{MachineCode, Reach};

/// The form of functions that [`emit`] compiles. Cranelift cannot set the processor's mode for denorms, so
/// flushes stay.
const NEEDS: Needs =
    Needs { denorms: Some(Denorms::Kept), masks: Masks::Own, legal: &OptionalOperation::ALL };

/// The back end, if Cranelift has code for this processor's vectors.
pub fn compiler() -> Option<&'static dyn BackEnd> {
    static COMPILER: LazyLock<Option<Compiler>> = LazyLock::new(|| host().map(|isa| Compiler { isa }));
    COMPILER.as_ref().map(|compiler| compiler as _)
}

/// Compiles to code for this processor. Only [`compiler`] returns a value.
struct Compiler {
    isa: OwnedTargetIsa,
}

impl fmt::Debug for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Compiler").field(&self.isa.triple()).finish()
    }
}

/// The instruction set of this processor.
fn host() -> Option<OwnedTargetIsa> {
    let flags = settings::Flags::new(settings().ok()?);
    let isa = cranelift_native::builder().ok()?.finish(flags).ok()?;
    // RISC-V has vectors only with the extension V.
    let has_vectors = |flag: &settings::Value| flag.name != "has_v" || flag.as_bool() == Some(true);
    isa.isa_flags().iter().all(has_vectors).then_some(isa)
}

fn settings() -> Result<settings::Builder, SetError> {
    let mut settings = settings::builder();
    settings.set("opt_level", "none")?;
    // Functions are correct by construction. The tests of this back end check the IR too.
    settings.set("enable_verifier", if cfg!(test) { "true" } else { "false" })?;
    settings.set("unwind_info", "false")?;
    // Windows requires that large frames touch each page.
    settings.set("enable_probestack", "true")?;
    settings.set("probestack_strategy", "inline")?;
    Ok(settings)
}

impl Compiler {
    /// The machine code of a function and its alignment.
    fn machine_code(&self, constants: &mut Constants, function: &Scheduled) -> io::Result<(Vec<u8>, usize)> {
        let call_conv = CallConv::SystemV;
        let mut context = Context::for_function(emit::function(call_conv, constants, function));
        let compiled = context.compile(&*self.isa, &mut ControlPlane::default());
        let compiled = compiled.map_err(|error| io::Error::other(error.inner.to_string()))?;
        if !compiled.buffer.relocs().is_empty() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "a function calls Cranelift's library"));
        }
        Ok((compiled.code_buffer().to_vec(), compiled.buffer.alignment as usize))
    }
}

/// Makes new machine code visible to all processor cores, which may have older contents of this memory in
/// their instruction caches.
fn publish(code: &[u8]) -> io::Result<()> {
    // SAFETY: this memory is mapped.
    unsafe { cache::clear_cache(code.as_ptr().cast(), code.len()) }
        .and_then(|()| cache::pipeline_flush_mt())
        .map_err(|error| io::Error::other(error.to_string()))
}

impl BackEnd for Compiler {
    fn name(&self) -> &'static str {
        "compiled by Cranelift"
    }

    fn mask_lanes(&self) -> u8 {
        emit::LANES as u8
    }

    fn compile(&self, module: &Module) -> io::Result<Compiled> {
        let mut constants = Constants::default();
        let mut code: Vec<u8> = Vec::new();
        let mut entries = Vec::with_capacity(module.functions.len());
        let alignment = self.isa.function_alignment().minimum as usize;
        for function in prepared(module, &NEEDS) {
            let (bytes, own_alignment) = self.machine_code(&mut constants, &function)?;
            code.resize(code.len().next_multiple_of(alignment.max(own_alignment)), 0);
            entries.push(code.len());
            code.extend(bytes);
        }
        let constants = constants.repeated(emit::LANES);
        let reach = Reach::of(module, 0, constants.len());
        // SAFETY: entries are functions that Cranelift compiled for this processor. They access only lane
        // registers of the module, and its constants.
        let machine = unsafe { MachineCode::new(&code, reach, 0) }?;
        publish(machine.bytes())?;
        let functions = entries.into_iter().map(|entry| Function::Machine(machine.function(entry)));
        Ok(Compiled { functions: functions.collect(), own_registers: 0, constants })
    }
}
