//! Texture image units, targets and offsets of instructions (ARB_fragment_program 3.11.6, NV_gpu_program4 and
//! NV_gpu_program5 2.X.4.4).

use std::collections::HashMap;

use super::bindings::Subject;
use super::check::ParsedInstruction;
use super::names::Variable;
use super::operand::ArrayIndex;
use super::parser::{Arb, Parser};
use crate::diag::Diagnostic;
use crate::front::Sink;
use crate::front::parser::Parse;
use crate::ir::{IMAGE_UNITS, TextureTarget};
use crate::isa::{Info, Opcode, OperandKind};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

/// The least and the greatest constant offset in texels, `MIN_PROGRAM_TEXEL_OFFSET_EXT` and `MAX_...`
/// (NV_gpu_program5, issue 2).
const OFFSETS: (i64, i64) = (-8, 7);

/// A texture image unit and target as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParsedTexture {
    /// Nothing where it is at fault. Of an array that is indexed, the first one.
    pub unit: Option<u8>,
    /// How many units it may be.
    pub count: u8,
    pub target: TextureTarget,
    pub unit_span: Span,
    pub target_span: Span,
}

/// The target that each unit is looked up with, and where.
pub(super) type Units = HashMap<u8, (TextureTarget, Span)>;

impl<'t> Parser<'t> {
    fn units(&self) -> Subject {
        let clause = self.own.clause("ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.2");
        Subject { code: "arb-bad-texture-unit", clause, what: "texture image unit" }
    }

    /// `texture [n] , target`, as operand `index` of `info`, and an offset behind it.
    pub(super) fn texture_image(&mut self, info: &Info, index: usize) -> Parse<ParsedTexture> {
        let token = self.token;
        let (unit, count) = self.texture_unit()?;
        let unit_span = token.span.to(self.previous);
        if self.own.is_typed() && self.token.kind == TokenKind::Dot {
            let fault = Diagnostic::error(
                "gpu-component-selection",
                "NV_gpu_program5 2.X.4.4",
                self.token.span,
                format!("{} takes no component of a texture", info.mnemonic),
            )
            .with_note("TXG and TXGO gather one component of four texels.");
            return self.fail(fault);
        }
        self.comma(info, index)?;
        let target_token = self.token;
        let target = self.texture_target(target_token)?;
        self.advance();
        if self.own.is_typed() && self.eat(TokenKind::Comma).is_some() {
            self.texel_offset(target, info)?;
        }
        Ok(ParsedTexture { unit, count, target, unit_span, target_span: target_token.span })
    }

    /// `texture [n]`, or a texture variable; the first unit that it may be, and how many.
    fn texture_unit(&mut self) -> Parse<(Option<u8>, u8)> {
        let token = self.token;
        let word = self.word();
        match self.own.names.get(word) {
            Some(Variable::Texture(unit, None)) => {
                self.advance();
                return Ok((Some(unit), 1));
            }
            Some(Variable::Texture(first, Some(count))) => {
                self.advance();
                return Ok(match self.array_index(count.into(), token.span)? {
                    // All units of the array count as looked up.
                    Some(ArrayIndex::Number(_) | ArrayIndex::Relative(_)) => (Some(first), count),
                    None => (None, count),
                });
            }
            Some(Variable::Broken) => {
                self.advance();
                self.skip_reference();
                return Ok((None, 1));
            }
            _ => {}
        }
        if word != "texture" {
            let found = self.found();
            let subject = self.units();
            let fault = Diagnostic::error(
                subject.code,
                subject.clause,
                token.span,
                format!("expected a texture image unit, found {found}"),
            )
            .with_note(format!("The units are texture[0] to texture[{}].", IMAGE_UNITS - 1));
            return self.fail(fault);
        }
        self.advance();
        let number = self.optional_number(IMAGE_UNITS, self.units())?;
        Ok((number.and_then(|n| u8::try_from(n).ok()), 1))
    }

    fn texture_target(&mut self, token: Token) -> Parse<TextureTarget> {
        let spelling = token.span.slice(self.text);
        let shadow = self.own.options.shadow || self.own.is_typed();
        let all = || TextureTarget::ALL.into_iter().chain(TextureTarget::SHADOW);
        let found = all().find(|target| target.name().as_bytes() == spelling);
        if let Some(target) = found {
            if target.is_shadow() && !shadow {
                let what = format!("the target {}", target.name());
                let fault = self.own.later(&what, "ARB_fragment_program_shadow", token.span);
                self.sink.push(fault);
            }
            return Ok(target);
        }
        let clause = self.units().clause;
        let names: Vec<&str> =
            all().filter(|target| shadow || !target.is_shadow()).map(TextureTarget::name).collect();
        let mut fault = Diagnostic::error(
            "arb-bad-texture-target",
            clause,
            token.span,
            format!("expected a texture target, found {}", self.found()),
        )
        .with_note(format!("The targets are {}.", names.join(", ")));
        let shown = self.excerpt(token.span);
        if let Some(meant) = names.into_iter().find(|name| name.eq_ignore_ascii_case(&shown)) {
            fault = fault.with_fix(format!("write `{meant}`"), token.span, meant);
        }
        self.fail(fault)
    }

    /// `<texOffset>` behind its comma.
    fn texel_offset(&mut self, target: TextureTarget, info: &Info) -> Parse<()> {
        let start = self.token.span;
        if self.word() == "offset" {
            if let Some(newer) = self.own.newer_language(|profile| profile.texture_variables) {
                let fault = self.own.newer("gpu-later-feature", "a computed offset", newer, start);
                return self.fail(fault);
            }
            self.advance();
            self.expect(TokenKind::LeftParen, "`(`")?;
            self.operand(OperandKind::Vector)?;
            self.expect(TokenKind::RightParen, "`)`")?;
            if !self.check_computed_offset(target, info, start) {
                self.no_offsets(start);
            }
            return Ok(());
        }
        self.expect(TokenKind::LeftParen, "`(` or `offset` behind the target")?;
        let mut values = [(0, start); 3];
        for (place, value) in values.iter_mut().enumerate() {
            *value = self.offset_component()?;
            if place == 2 || self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`)`")?;
        let faults = self.check_constant_offset(target, &values);
        if !faults && values.iter().any(|(value, _)| *value != 0) {
            self.no_offsets(start);
        }
        Ok(())
    }

    /// Lookups here have no offsets.
    fn no_offsets(&mut self, span: Span) {
        self.sink.push(Diagnostic::error(
            "gpu-no-offsets",
            "NV_gpu_program4 2.X.4.4",
            span,
            "offsets in texels are not supported yet",
        ));
    }

    /// `<optSign> <int>`; 0 where it is at fault.
    fn offset_component(&mut self) -> Parse<(i64, Span)> {
        let start = self.token.span;
        let negative = self.eat(TokenKind::Minus).is_some();
        if !negative {
            self.eat(TokenKind::Plus);
        }
        let token = self.token;
        if !token.kind.is_numeric() {
            return Err(self.unexpected("a whole number"));
        }
        self.advance();
        let span = start.to(token.span);
        let value =
            self.whole_number(token).map(|size| if negative { -i64::from(size) } else { i64::from(size) });
        let (least, most) = OFFSETS;
        let value = value.filter(|value| (least..=most).contains(value));
        if value.is_none() {
            let shown = self.excerpt(span);
            self.sink.push(
                Diagnostic::error(
                    "gpu-texel-offset",
                    "NV_gpu_program4 2.X.4.4",
                    span,
                    format!("`{shown}` is no offset in texels"),
                )
                .with_note(format!("Offsets are whole numbers from {least} to {most}.")),
            );
        }
        Ok((value.unwrap_or(0), span))
    }

    /// The components that the target has no coordinate for are zero.
    /// Gives whether something is wrong.
    fn check_constant_offset(&mut self, target: TextureTarget, values: &[(i64, Span); 3]) -> bool {
        let dimensions = offset_dimensions(target);
        let excess =
            values.iter().enumerate().find(|(place, (value, _))| *place >= dimensions && *value != 0);
        if let Some((_, (_, span))) = excess {
            let message = match dimensions {
                0 => format!("{} takes no offset", target.name()),
                1 => format!("{} takes an offset along s only", target.name()),
                _ => format!("{} takes offsets along s and t only", target.name()),
            };
            self.sink.push(
                Diagnostic::error("gpu-texel-offset", "NV_gpu_program4 2.X.4.4", *span, message)
                    .with_note("What stands for the other coordinates is 0."),
            );
        }
        excess.is_some()
    }

    /// Gives whether something is wrong.
    fn check_computed_offset(&mut self, target: TextureTarget, info: &Info, span: Span) -> bool {
        let message = if info.opcode == Opcode::Txd {
            format!("{} takes constant offsets only", info.mnemonic)
        } else if offset_dimensions(target) == 0 {
            format!("{} takes no offset", target.name())
        } else {
            return false;
        };
        self.sink.push(Diagnostic::error("gpu-computed-offset", "NV_gpu_program5 2.X.4.4", span, message));
        true
    }
}

/// How many coordinates of a target an offset can be added to.
const fn offset_dimensions(target: TextureTarget) -> usize {
    match target {
        TextureTarget::D1 | TextureTarget::Shadow1D => 1,
        TextureTarget::D2 | TextureTarget::Rect | TextureTarget::Shadow2D | TextureTarget::ShadowRect => 2,
        TextureTarget::D3 => 3,
        TextureTarget::Cube => 0,
    }
}

impl<'t> Arb<'t> {
    /// A unit is looked up with one target.
    pub(super) fn check_texture(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        let Some(texture) = parsed.extra.texture else { return };
        let Some(first) = texture.unit else { return };
        let clause = self.clause("ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.4");
        for unit in first..first.saturating_add(texture.count) {
            let entry = self.check.units.entry(unit).or_insert((texture.target, texture.target_span));
            let (target, place) = *entry;
            if target == texture.target {
                continue;
            }
            let mut fault = Diagnostic::error(
                "arb-two-targets",
                clause,
                texture.target_span,
                format!("unit {unit} is looked up as {} and as {}", target.name(), texture.target.name()),
            )
            .with_label(place, format!("as {} here", target.name()))
            .with_note("A program looks up one target on a unit.");
            if texture.count > 1 {
                fault =
                    fault.with_note("An array counts with all its units, whichever element is looked up.");
            }
            sink.push(fault);
            return;
        }
    }
}
