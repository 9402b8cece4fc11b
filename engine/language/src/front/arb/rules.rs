//! Load rules of single instructions, independent of their surroundings: write masks, and the widths of
//! packed variables. `check` calls them; `types`, `texture` and `memory` have further rules.

#![deny(clippy::wildcard_enum_match_arm)]

use super::check::{Base, ParsedDestination, ParsedInstruction, ParsedOperand, ParsedTarget};
use super::parser::Arb;
use super::words::Size;
use crate::diag::{Code, Diagnostic, codes};
use crate::front::Sink;
use crate::ir::{Condition, WriteMask};
use crate::isa::{Action, Flow, Info, ResultKind, Rule};
use crate::source::Span;

impl<'t> Arb<'t> {
    /// Checks the rules of one instruction.
    pub(super) fn check_rules(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        if let Some(dest) = &parsed.dest {
            self.check_destination(parsed, dest, sink);
        }
        for operand in &parsed.operands {
            self.check_operand(parsed, operand, sink);
        }
        self.check_texture(parsed, sink);
        self.check_evaluated(parsed, sink);
        if self.is_typed() {
            self.check_memory(parsed, sink);
            self.check_types(parsed, sink);
            self.check_emit(parsed, sink);
        }
    }

    /// `code`, citing the clause that defines the instruction in this language.
    pub(super) fn citing_form(&self, code: Code, info: &Info) -> Code {
        info.clause(self.language).map_or(code, |clause| code.citing(clause))
    }

    /// `code` for an instruction that packs or unpacks, citing the clause of the instruction.
    fn packing(&self, code: Code, parsed: &ParsedInstruction<'t>) -> Code {
        if self.is_typed() { self.citing_form(code, parsed.info) } else { code }
    }

    /// A note about the declaration of a variable with 32 bits.
    const fn wider(&self) -> &'static str {
        // In languages with types, only temporaries can be LONG, and they may have 64 bits.
        if self.is_typed() { "Declare it without SHORT." } else { "Declare it with LONG, or without a size." }
    }

    fn check_destination(&self, parsed: &ParsedInstruction<'t>, dest: &ParsedDestination, sink: &mut Sink) {
        let masked = dest.mask_span != dest.register_span;
        let mnemonic = parsed.info.mnemonic;
        if parsed.info.action == Action::Flow(Flow::PopAddress) {
            let fault = |span| {
                Diagnostic::new(codes::ARB_POPA_MASK, span, "POPA always writes the whole register")
                    .with_note("The only mask allowed is .xyzw, and the only condition is TR.")
            };
            if masked && dest.mask != WriteMask::ALL {
                sink.push(fault(dest.mask_span));
            } else if dest.test.is_some_and(|test| test.condition != Condition::Tr) {
                sink.push(fault(dest.test_span));
            }
        }
        if matches!(dest.target, ParsedTarget::Address(_))
            && parsed.info.result == ResultKind::Address
            && self.language.profile().addresses.components.len() == 1
            && masked
            && dest.mask.0 != 1
        {
            sink.push(
                Diagnostic::new(
                    codes::ARB_ADDRESS_MASK,
                    dest.mask_span,
                    "address registers have only an x component here",
                )
                .with_note("`OPTION NV_vertex_program2;` adds the others.")
                .with_fix("replace with x", dest.mask_span, "x"),
            );
        }
        if parsed.info.rule_in(self.language) == Rule::NoW && dest.mask.has(3) {
            let mut fault = Diagnostic::new(
                codes::ARB_RFL_W,
                dest.mask_tokens[3],
                format!("{mnemonic} has no w result: leave w out of the write mask"),
            );
            if !masked {
                fault = fault.with_fix("add .xyz", Span::at(dest.register_span.end), ".xyz");
            }
            sink.push(fault);
        }
        let short = self.declared_target(dest.target).size == Some(Size::Short);
        if parsed.info.rule == Rule::WideDestination && short {
            sink.push(
                Diagnostic::new(
                    self.packing(codes::ARB_PACK_DESTINATION, parsed),
                    dest.register_span,
                    format!("{mnemonic} writes 32 bits, but this variable is SHORT"),
                )
                .with_note(self.wider()),
            );
        }
    }

    fn check_operand(&self, parsed: &ParsedInstruction<'t>, operand: &ParsedOperand, sink: &mut Sink) {
        let mnemonic = parsed.info.mnemonic;
        if parsed.info.rule == Rule::WideSource && self.declared_base(operand.base).size == Some(Size::Short)
        {
            sink.push(
                Diagnostic::new(
                    self.packing(codes::ARB_UNPACK_SOURCE, parsed),
                    operand.base_span,
                    format!("{mnemonic} reads 32 bits, but this variable is SHORT"),
                )
                .with_note(self.wider()),
            );
        }
        let counts = matches!(parsed.info.action, Action::Flow(Flow::Loop | Flow::Rep)) && !self.is_typed();
        if counts && !matches!(operand.base, Base::Parameter(_) | Base::Broken) {
            sink.push(
                Diagnostic::new(
                    codes::ARB_LOOP_OPERAND,
                    operand.base_span,
                    format!("the count of {mnemonic} must be a parameter or a constant"),
                )
                .with_note("The number of iterations cannot be computed. Use BRK to leave the loop early."),
            );
        }
    }
}
