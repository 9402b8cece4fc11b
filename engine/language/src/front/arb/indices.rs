//! Indices that are computed at run time: `A0.x+n`, `t.y+n` (ARB_vertex_program 2.14.3.5,
//! NV_fragment_program2 3.11.3.Y, NV_gpu_program4 2.X.4.2). `operand` reads constant indices.

use super::names::Variable;
use super::parser::{Parser, dialect};
use super::words::Data;
use crate::diag::{Code, Diagnostic, codes};
use crate::front::operand::{LetterSet, LetterTokens};
use crate::front::parser::Parse;
use crate::source::Span;
use crate::syntax::TokenKind;

/// The register that holds an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressRegister {
    /// An address register that ADDRESS declares.
    Declared(u16),
    /// A0 of the innermost LOOP.
    Loop,
    /// A temporary that holds an integer (NV_gpu_program4 2.X.4.2).
    Temporary(u16),
}

/// `A0.x+n` in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relative {
    pub register: AddressRegister,
    pub component: u8,
    pub offset: i64,
}

impl<'t> Parser<'t> {
    /// Reads `<addrReg> "." component offset`, an index into an array of `count` elements if that is known.
    /// The next token is the register. Returns `None` after a reported error.
    pub(super) fn relative(&mut self, count: Option<u32>) -> Parse<Option<Relative>> {
        let span = self.token.span;
        let register = self.index_register()?;
        let component = self.index_component(span)?;
        let offset = self.offset(count)?;
        Ok(match (register, component, offset) {
            (Some(register), Some(component), Some(offset)) => Some(Relative { register, component, offset }),
            _ => None,
        })
    }

    fn index_register(&mut self) -> Parse<Option<AddressRegister>> {
        let word = self.word();
        let span = self.token.span;
        let register = match self.own.names.get(word) {
            Some(Variable::Temporary(number)) if self.own.is_typed() => {
                let data = self.own.declared_of(number).data;
                if data == Some(Data::Float) {
                    let shown = self.excerpt(span);
                    self.sink.push(Diagnostic::new(
                        codes::GPU_TYPE_MISMATCH.citing("NV_gpu_program4 2.X.4.2"),
                        span,
                        format!("`{shown}` is declared FLOAT, but an index must be an integer"),
                    ));
                }
                Some(AddressRegister::Temporary(number))
            }
            Some(Variable::Address(number)) => Some(AddressRegister::Declared(number)),
            Some(Variable::LoopIndex) => {
                let inside = self.own.blocks.in_loop_with_index();
                if !inside && self.own.blocks.are_known() {
                    let fault = self.outside_loop(span);
                    self.sink.push(fault);
                }
                inside.then_some(AddressRegister::Loop)
            }
            Some(Variable::Broken) => None,
            Some(_) => {
                let fault = self.needs_address(span);
                self.sink.push(fault);
                None
            }
            None if self.token.kind != TokenKind::Word || !self.own.is_free(word) => {
                return Err(self.unexpected("an address register"));
            }
            None => {
                self.undefined(word, span);
                None
            }
        };
        self.advance();
        Ok(register)
    }

    /// The error for A0 at `span`, outside of LOOP blocks.
    pub(super) fn outside_loop(&self, span: Span) -> Diagnostic {
        Diagnostic::new(codes::ARB_ADDRESS_OUTSIDE_LOOP, span, "A0 exists only inside LOOP blocks")
            .with_note("REP blocks and subroutines called from a LOOP block do not have it.")
    }

    /// The error for the word at `span`, which is not an address register.
    pub(super) fn needs_address(&self, span: Span) -> Diagnostic {
        let shown = self.excerpt(span);
        if self.own.is_typed() {
            return Diagnostic::new(
                codes::GPU_INDEX_REGISTER,
                span,
                format!("`{shown}` cannot be used as an index"),
            )
            .with_note("Use a component of an integer temporary that is not an array.");
        }
        let fault = Diagnostic::new(
            codes::ARB_NEEDS_ADDRESS.of(self.own.language),
            span,
            format!("`{shown}` is not an address register"),
        );
        if self.own.is_vertex() {
            return fault.with_note("Declare address registers with ADDRESS.");
        }
        fault.with_note("The only address register is A0, in LOOP blocks.")
    }

    /// Reads `"." component` after the register at `register`.
    fn index_component(&mut self, register: Span) -> Parse<Option<u8>> {
        let shared = dialect(self.own.language).codes;
        let grammar = shared.grammar();
        if self.eat(TokenKind::Dot).is_none() {
            self.sink.push(
                Diagnostic::new(
                    codes::ARB.needs_component.citing(grammar),
                    register,
                    "select a component of the address register",
                )
                .with_fix("add .x", Span::at(register.end), ".x")
                .at_position(self.token.span.start),
            );
            return Ok(None);
        }
        let letters = self.letters(LetterTokens::Each, shared.mixed_components)?;
        let fault =
            |code: Code, message| Diagnostic::new(code.citing(grammar), letters.fault_beyond_one(), message);
        let &[component] = letters.components.as_slice() else {
            let message = "an index takes one component of the address register";
            self.sink.push(fault(codes::ARB.bad_swizzle, message));
            return Ok(None);
        };
        let is_there = usize::from(component) < self.own.language.profile().addresses.components.len();
        if is_there && (letters.set != LetterSet::Colour || self.own.is_typed()) {
            return Ok(Some(component));
        }
        let later = self.own.option_for(|profile| profile.addresses.components.len() == 4);
        self.sink.push(match later {
            Some(option) => {
                self.own.later("an address register component other than x", option, letters.span)
            }
            None => fault(codes::ARB.bad_component, "A0 has only an x component here").with_fix(
                "replace with x",
                letters.span,
                "x",
            ),
        });
        Ok(None)
    }

    /// Reads the offset from the register, into an array of `count` elements if that is known. Languages with
    /// types limit the offset by the array's size (NV_gpu_program4 2.X.4.2), and allow `-0`.
    fn offset(&mut self, count: Option<u32>) -> Parse<Option<i64>> {
        let within = count.filter(|_| self.own.is_typed());
        let (least, most) = match within {
            Some(count) => (0, i64::from(count) - 1),
            None => self.own.language.profile().addresses.offsets,
        };
        let Some((token, offset)) = self.signed_offset(least < 0 || within.is_some())? else {
            return Ok(Some(0));
        };
        // A number over 32 bits is out of the range of every array.
        let offset = offset.filter(|offset| (least..=most).contains(offset));
        if offset.is_none()
            && let Some(count) = within
        {
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_BAD_OFFSET.citing("NV_gpu_program4 2.X.4.2"),
                    token.span,
                    match count {
                        1 => "the offset into an array of one element must be 0".to_owned(),
                        _ => format!("an offset into an array of {count} elements must be from 0 to {most}"),
                    },
                )
                .with_note("For other offsets, ADD to the temporary first."),
            );
        } else if offset.is_none() {
            let shown = self.excerpt(token.span);
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_BAD_OFFSET.of(self.own.language),
                    token.span,
                    format!("`{shown}` is not a valid offset"),
                )
                .with_note(format!("Offsets are whole numbers from {least} to +{most}.")),
            );
        }
        Ok(offset)
    }
}
