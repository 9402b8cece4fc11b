//! Instructions that access memory: their operands and storage modifiers, and the parameter buffers they may
//! read (NV_gpu_program5 2.X.4.1, 2.X.4.5 and 2.X.8, NV_shader_buffer_load, NV_parameter_buffer_object2,
//! NV_gpu_program5_mem_extended).

#![deny(clippy::wildcard_enum_match_arm)]

use super::check::{Base, ParsedInstruction, ParsedOperand};
use super::parser::{Arb, Parser};
use super::units::{UnitKind, Units};
use crate::diag::{Diagnostic, codes};
use crate::front::Sink;
use crate::front::parser::Parse;
use crate::ir::{Access, Atomic, BufferUnit, ImageAccess, Kind, Memory, Storage, TextureTarget, Write};
use crate::isa::{AccessKind, AccessPlace, Action, Group, MemoryOption, Modifier};

/// The image operand of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParsedImage {
    /// `None` after a reported error.
    units: Option<Units>,
    /// Set later: the target is the last operand.
    pub target: Option<TextureTarget>,
}

const CLAUSE: &str = "NV_gpu_program5 2.X.4.1";

impl Parser<'_> {
    /// `<imageUnit>`
    pub(super) fn image_unit(&mut self) -> Parse<ParsedImage> {
        let units = self.unit(UnitKind::Image)?;
        Ok(ParsedImage { units, target: None })
    }

    /// `<imageTarget>`
    pub(super) fn image_target(&mut self) -> Parse<TextureTarget> {
        let token = self.token;
        let spelling = token.span.slice(self.text);
        let named = |target: &TextureTarget| target.name().as_bytes() == spelling;
        if let Some(target) = ImageAccess::TARGETS.into_iter().find(named) {
            self.advance();
            return Ok(target);
        }
        let names = ImageAccess::TARGETS.map(TextureTarget::name);
        let message = format!("expected an image target, found {}", self.found());
        let mut fault = Diagnostic::new(codes::GPU_IMAGE_TARGET, token.span, message)
            .with_note(format!("The targets are {}.", names.join(", ")));
        let shown = self.excerpt(token.span);
        if let Some(meant) = names.into_iter().find(|name| name.eq_ignore_ascii_case(&shown)) {
            fault = fault.with_fix(format!("replace with {meant}"), token.span, meant);
        }
        self.fail(fault)
    }
}

impl<'t> Arb<'t> {
    /// Converts to the IR. Returns `None` after a reported error.
    fn image_access(&mut self, image: ParsedImage, formatted: bool) -> Option<ImageAccess> {
        let units = image.units?;
        let (index, Units { first, count, .. }) = (self.unit_index(units)?, units);
        Some(ImageAccess { first, count, index, target: image.target?, formatted })
    }

    /// The storage modifier of an instruction. `None` if the instruction does not access memory.
    pub(super) fn storage(&self, parsed: &ParsedInstruction<'t>) -> Option<Storage> {
        let accesses = parsed.info.group == Group::Memory;
        parsed.suffixes.data.filter(|_| accesses).and_then(Storage::of)
    }

    /// Checks the rules of instructions that access memory, and of parameter buffers.
    pub(super) fn check_memory(&self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        let (mnemonic, span) = (parsed.info.mnemonic, parsed.mnemonic_span);
        let needed = parsed.info.forms(self.language).and_then(|forms| forms.needs);
        if let Some(option) = needed.filter(|option| !self.options.has(*option)) {
            sink.push(self.later(mnemonic, option.name(), span));
        }
        let storage = self.storage(parsed);
        if let Some(storage) = storage.filter(|storage| storage.is_extended())
            && !self.options.has(MemoryOption::ExtendedStorage)
            && self.has_gpu5()
        {
            let what = format!("the storage modifier {}", storage.name());
            let span = parsed.modifier_span(|modifier| matches!(modifier, Modifier::Data(_)));
            sink.push(self.later(&what, MemoryOption::ExtendedStorage.name(), span));
        }
        if let Action::Accesses(AccessKind::Atomic, place) = parsed.info.action {
            check_atomic(parsed, place, storage, sink);
        }
        for operand in &parsed.operands {
            self.check_buffer(parsed, operand, sink);
        }
        warn_empty_mask(parsed, storage, sink);
    }

    /// Checks that LDC reads a CBUFFER and that no other instruction does.
    fn check_buffer(&self, parsed: &ParsedInstruction<'t>, operand: &ParsedOperand, sink: &mut Sink) {
        let unit = match operand.base {
            Base::Buffer(used) => self.buffers.get(used.variable).map(|buffer| buffer.variable.unit),
            Base::Broken => return,
            Base::Temp(_)
            | Base::TempElement(..)
            | Base::Attribute(..)
            | Base::Parameter(_)
            | Base::Literal(_)
            | Base::Address(_) => None,
        };
        let is_constant = unit == Some(BufferUnit::Byte);
        let is_ldc = parsed.info.action == Action::LoadsConstants;
        if is_constant == is_ldc {
            return;
        }
        let (clause, message, note) = if is_ldc {
            (
                clause(parsed),
                "LDC reads only CBUFFER variables".to_owned(),
                match unit {
                    Some(_) => "Use BUFFER and BUFFER4 variables as ordinary operands, for example of MOV.",
                    None => {
                        "Declare one with `CBUFFER c[] = { program.buffer[0] };`. Its elements are bytes."
                    }
                },
            )
        } else {
            let message = format!("{} cannot read a CBUFFER variable", parsed.info.mnemonic);
            ("NV_parameter_buffer_object2 2.X.3.6", message, "Use LDC to read it.")
        };
        sink.push(
            Diagnostic::new(codes::GPU_BUFFER_OPERAND.citing(clause), operand.base_span, message)
                .with_note(note),
        );
    }

    /// The IR of an instruction that accesses memory or an image.
    pub(super) fn memory_kind(
        &mut self,
        parsed: &ParsedInstruction<'t>,
        access: AccessKind,
        write: Write,
    ) -> Kind {
        let access = match access {
            AccessKind::Load => Access::Load(write),
            AccessKind::Store => Access::Store,
            // A missing operation has been reported, so no program uses the default.
            AccessKind::Atomic => Access::Atomic(write, parsed.suffixes.atomic.unwrap_or(Atomic::Add)),
        };
        let written = self.storage(parsed);
        let image = parsed.extra.image.and_then(|image| self.image_access(image, written.is_none()));
        // A store to an image without a storage modifier is formatted. In other instructions a missing
        // modifier has been reported.
        let storage = written.unwrap_or_else(|| Storage::vector(self.operation_type(parsed)));
        Kind::Memory(Memory { access, image, storage, caching: parsed.suffixes.caching })
    }
}

/// The clause that defines a memory instruction. The first form of a row is the form in NV_gpu_program5. The
/// extensions that add LDC and LOAD to NV_gpu_program4 have the same rules.
fn clause(parsed: &ParsedInstruction<'_>) -> &'static str {
    parsed.info.clauses().next().unwrap_or(CLAUSE)
}

/// Checks that ATOM and ATOMIM name an operation and a storage type that their tables allow.
fn check_atomic(
    parsed: &ParsedInstruction<'_>,
    place: AccessPlace,
    storage: Option<Storage>,
    sink: &mut Sink,
) {
    let fits = |storage: &&Storage| match place {
        AccessPlace::Address => true,
        AccessPlace::Image => storage.size() == 4,
    };
    let clause = clause(parsed);
    let (span, mnemonic) = (parsed.mnemonic_span, parsed.info.mnemonic);
    let listed = |names: Vec<&str>| names.join(", ");
    let Some(atomic) = parsed.suffixes.atomic else {
        let all = listed(Atomic::ALL.map(Atomic::name).to_vec());
        sink.push(
            Diagnostic::new(
                codes::GPU_NEEDS_ATOMIC.citing(clause),
                span,
                format!("{mnemonic} needs an atomic operation"),
            )
            .with_note(format!("The operations are {all}. For example: `{mnemonic}.ADD.U32`.")),
        );
        return;
    };
    let Some(storage) = storage.filter(|storage| !atomic.storages().contains(storage)) else { return };
    let taken = atomic.storages().iter().filter(fits);
    let taken = listed(taken.map(|storage| storage.name()).collect());
    let span = parsed.modifier_span(|modifier| matches!(modifier, Modifier::Data(_) | Modifier::Atomic(_)));
    sink.push(
        Diagnostic::new(
            codes::GPU_ATOMIC_STORAGE.citing(clause),
            span,
            format!("{mnemonic} does not support {} on {}", atomic.name(), storage.name()),
        )
        .with_note(format!("{} takes {taken}.", atomic.name())),
    );
}

/// Warns if the write mask selects only components that receive no data from memory.
fn warn_empty_mask(parsed: &ParsedInstruction<'_>, storage: Option<Storage>, sink: &mut Sink) {
    let Action::Accesses(access, _) = parsed.info.action else { return };
    let count = match (access, storage) {
        (AccessKind::Load, Some(storage)) => storage.count(),
        (AccessKind::Atomic, _) => 1,
        (AccessKind::Load, None) | (AccessKind::Store, _) => return,
    };
    let Some(dest) = parsed.dest.filter(|dest| dest.mask.0 & ((1 << count) - 1) == 0) else { return };
    let letters = &"xyzw"[..count];
    let mnemonic = parsed.info.mnemonic;
    let (they, listed) = match count {
        1 => ("it", "x"),
        2 => ("them", "x and y"),
        3 => ("them", "x, y and z"),
        _ => ("them", "x, y, z and w"),
    };
    let message = format!("{mnemonic} returns data only in {listed}, but the write mask leaves {they} out");
    let note = format!("Load into {letters} of a temporary, then MOV it. Components are not shifted.");
    let code = codes::GPU_EMPTY_MASK.citing(clause(parsed));
    sink.push(Diagnostic::new(code, dest.mask_span, message).with_note(note));
}

/// The error for an instruction without a storage modifier.
pub(super) fn needs_storage(parsed: &ParsedInstruction<'_>) -> Diagnostic {
    let mnemonic = parsed.info.mnemonic;
    let message = format!("{mnemonic} needs a storage modifier");
    Diagnostic::new(codes::GPU_NEEDS_TYPE.citing(CLAUSE), parsed.mnemonic_span, message)
        .with_note("The modifier gives the format in memory, for example `.F32X4` or `.U8`.")
}
