//! Texture image units, targets and offsets of texture instructions (ARB_fragment_program 3.11.6,
//! NV_gpu_program4 and NV_gpu_program5 2.X.4.4).

use std::collections::HashMap;

use super::check::{ParsedInstruction, ParsedOperand};
use super::parser::{Arb, Parser};
use super::units::{UnitKind, Units};
use crate::diag::{Diagnostic, codes};
use crate::front::Sink;
use crate::front::parser::Parse;
use crate::ir::{Swizzle, TargetOption, TexelOffset, TextureAccess, TextureTarget};
use crate::isa::{Info, OperandKind, Profile, Rule};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

/// A texture image unit, target and offset as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParsedTexture {
    /// `None` after a reported error.
    pub units: Option<Units>,
    /// The component that TXG and TXGO gather.
    pub component: u8,
    pub target: TextureTarget,
    pub offset: TexelOffset,
    /// Number of operands before the texture.
    pub operands: usize,
    pub unit_span: Span,
    pub target_span: Span,
}

/// The target that each unit is used with, and the place of the first use.
pub(super) type UnitTargets = HashMap<u8, (TextureTarget, Span)>;

impl<'t> Parser<'t> {
    /// Reads `texture [n] , target` as operand `index` of `info`, and an offset if one follows. A computed
    /// offset is an operand.
    pub(super) fn texture_image(
        &mut self,
        info: &Info,
        index: usize,
    ) -> Parse<(ParsedTexture, Option<ParsedOperand>)> {
        let token = self.token;
        let units = self.unit(UnitKind::Texture)?;
        let unit_span = token.span.to(self.previous);
        let component = self.gathered_component(info, unit_span)?;
        self.comma(info, index)?;
        let target_token = self.token;
        let target = self.texture_target(target_token)?;
        self.advance();
        let (mut offset, mut operand) = (TexelOffset::NONE, None);
        if self.own.is_typed() && self.eat(TokenKind::Comma).is_some() {
            (offset, operand) = self.texel_offset(target, info)?;
        }
        let operands = index - 1;
        let target_span = target_token.span;
        Ok((ParsedTexture { units, component, target, offset, operands, unit_span, target_span }, operand))
    }

    /// Reads a component such as `.x` after a texture image unit, which TXG and TXGO gather.
    fn gathered_component(&mut self, info: &Info, unit: Span) -> Parse<u8> {
        if !self.own.is_typed() || self.token.kind != TokenKind::Dot {
            return Ok(0);
        }
        if matches!(info.rule, Rule::Gathers | Rule::GathersApart) {
            let Swizzle([component, ..]) = self.suffix(OperandKind::Scalar, unit)?;
            return Ok(component);
        }
        let fault = Diagnostic::new(
            codes::GPU_COMPONENT_SELECTION,
            self.token.span,
            format!("{} does not take a texture component", info.mnemonic),
        )
        .with_note("Only TXG and TXGO do: they gather one component of four texels.");
        self.fail(fault)
    }

    fn texture_target(&mut self, token: Token) -> Parse<TextureTarget> {
        let spelling = token.span.slice(self.text);
        let profile = self.own.language.profile();
        let all = || profile.targets.iter().copied();
        let named = |target: &TextureTarget| target.name().as_bytes() == spelling;
        let has = |later: &Profile| later.targets.iter().any(named);
        if let (None, Some(newer)) = (all().find(named), self.own.newer_language(has)) {
            let what = format!("the target {}", self.excerpt(token.span));
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, &what, newer, token.span);
            return self.fail(fault);
        }
        if let Some(target) = all().find(named) {
            let option = TargetOption::of(target, profile);
            if let Some(option) = option.filter(|&option| !self.own.options.targets.has(option)) {
                let what = format!("the target {}", target.name());
                let fault = self.own.later(&what, option.name(), token.span);
                self.sink.push(fault);
            }
            return Ok(target);
        }
        let names: Vec<&str> = self.own.options.targets.targets(profile).map(TextureTarget::name).collect();
        let mut fault = Diagnostic::new(
            codes::ARB_BAD_TEXTURE_TARGET.of(self.own.language),
            token.span,
            format!("expected a texture target, found {}", self.found()),
        )
        .with_note(format!("The targets are {}.", names.join(", ")));
        let shown = self.excerpt(token.span);
        if let Some(meant) = names.into_iter().find(|name| name.eq_ignore_ascii_case(&shown)) {
            fault = fault.with_fix(format!("replace with {meant}"), token.span, meant);
        }
        self.fail(fault)
    }

    /// Reads `<texOffset>` after its comma.
    fn texel_offset(
        &mut self,
        target: TextureTarget,
        info: &Info,
    ) -> Parse<(TexelOffset, Option<ParsedOperand>)> {
        let start = self.token.span;
        if self.word() == "offset" {
            if let Some(newer) = self.own.newer_language(|profile| profile.texture_variables) {
                let fault = self.own.newer(codes::GPU_LATER_FEATURE, "a computed offset", newer, start);
                return self.fail(fault);
            }
            self.advance();
            self.expect(TokenKind::LeftParen, "`(`")?;
            let operand = self.operand(OperandKind::Vector)?;
            self.expect(TokenKind::RightParen, "`)`")?;
            self.check_computed_offset(target, info, start);
            return Ok((TexelOffset::Operand, Some(operand)));
        }
        self.expect(TokenKind::LeftParen, "`(` or `offset` after the target")?;
        let mut values = [(0, start); 3];
        for (place, value) in values.iter_mut().enumerate() {
            *value = self.offset_component()?;
            if place == 2 || self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`)`")?;
        self.check_constant_offset(target, info, &values);
        Ok((TexelOffset::Constant(values.map(|(value, _)| value)), None))
    }

    /// Reads `<optSign> <int>`. Returns 0 after a reported error.
    fn offset_component(&mut self) -> Parse<(i8, Span)> {
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
        let (least, most) = TexelOffset::RANGE;
        let value = value.and_then(|value| i8::try_from(value).ok());
        let value = value.filter(|&value| (least..=most).contains(&value.into()));
        if value.is_none() {
            let shown = self.excerpt(span);
            self.sink.push(
                Diagnostic::new(
                    codes::GPU_TEXEL_OFFSET,
                    span,
                    format!("`{shown}` is not a valid texel offset"),
                )
                .with_note(format!("Offsets are whole numbers from {least} to {most}.")),
            );
        }
        Ok((value.unwrap_or(0), span))
    }

    /// Checks that offsets are zero for components without a coordinate. TXGO has operands for its offsets,
    /// so all its constants must be zero.
    fn check_constant_offset(&mut self, target: TextureTarget, info: &Info, values: &[(i8, Span); 3]) {
        let apart = info.rule == Rule::GathersApart;
        let axes = if apart { 0 } else { target.offset_axes() };
        let excess = values.iter().enumerate().find(|(place, (value, _))| *place >= axes && *value != 0);
        if let Some((_, (_, span))) = excess {
            let message = match axes {
                0 if apart => format!("{} takes its offsets from operands", info.mnemonic),
                0 => format!("{} takes no offset", target.name()),
                1 => format!("{} takes an offset along s only", target.name()),
                _ => format!("{} takes offsets along s and t only", target.name()),
            };
            self.sink.push(
                Diagnostic::new(codes::GPU_TEXEL_OFFSET, *span, message)
                    .with_note("All other offsets must be 0."),
            );
        }
    }

    fn check_computed_offset(&mut self, target: TextureTarget, info: &Info, span: Span) {
        let message = if !info.takes_computed_offset() {
            format!("{} takes no computed offset", info.mnemonic)
        } else if target.offset_axes() == 0 {
            format!("{} takes no offset", target.name())
        } else {
            return;
        };
        self.sink.push(Diagnostic::new(codes::GPU_COMPUTED_OFFSET, span, message));
    }
}

impl<'t> Arb<'t> {
    /// Converts to the IR. Returns `None` if the units are faulty.
    pub(super) fn texture_access(&mut self, texture: &ParsedTexture) -> Option<TextureAccess> {
        let &ParsedTexture { units, component, target, offset, .. } = texture;
        let units = units?;
        let (index, Units { first, count, .. }) = (self.unit_index(units)?, units);
        Some(TextureAccess { first, count, index, component, target, offset })
    }

    /// Checks that the instruction takes the target and that each unit is used with one target only.
    pub(super) fn check_texture(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        let Some(texture) = parsed.extra.texture else { return };
        // For a target that the instruction takes, the error about the target has named the missing option.
        let options = [TargetOption::Multisample, TargetOption::Renderbuffer];
        let lacks_option = !options.into_iter().any(|option| self.options.targets.has(option));
        if parsed.info.rule == Rule::FetchesSamples && lacks_option && !texture.target.has_samples() {
            sink.push(self.later(parsed.info.mnemonic, options[0].name(), parsed.mnemonic_span));
        }
        if !texture.target.is_taken_by(parsed.info.rule) {
            sink.push(self.not_taken(parsed.info, &texture));
        }
        // TXQ does not sample, so its target may differ.
        let Some(units) = texture.units.filter(|_| parsed.info.rule != Rule::Queries) else { return };
        for unit in units.all() {
            let entry = self.check.units.entry(unit).or_insert((texture.target, texture.target_span));
            let (target, place) = *entry;
            if target == texture.target {
                continue;
            }
            let mut fault = Diagnostic::new(
                codes::ARB_TWO_TARGETS.of(self.language),
                texture.target_span,
                format!(
                    "texture[{unit}] is used as {} here but as {} earlier",
                    texture.target.name(),
                    target.name()
                ),
            )
            .with_label(place, "first used here")
            .with_note("A program can use only one target for each texture image unit.");
            if units.count > 1 {
                fault = fault.with_note("An array uses all its units, whichever element a lookup selects.");
            }
            sink.push(fault);
            return;
        }
    }

    /// The error for a target that the instruction does not take.
    fn not_taken(&self, info: &Info, texture: &ParsedTexture) -> Diagnostic {
        let (mnemonic, target) = (info.mnemonic, texture.target.name());
        let note = match info.rule {
            _ if texture.target == TextureTarget::Buffer => {
                "Use TXF to read a buffer texture and TXQ to get its size."
            }
            _ if texture.target.is_shadow() && texture.target.reference().is_none() => {
                "The direction and the layer leave no component for the reference depth. TXQ and LOD take this target."
            }
            Rule::TakesW => "The coordinates of this target leave no w component free.",
            _ if texture.target.has_samples() => "Use TXFMS to read a sample and TXQ to get the size.",
            Rule::FetchesSamples => "This instruction takes only 2DMS, ARRAY2DMS and RENDERBUFFER.",
            Rule::Fetches => "This instruction cannot read shadow targets or cube maps.",
            Rule::GathersApart => "This instruction takes only 2D, RECT, ARRAY2D and their shadow targets.",
            _ => "This instruction takes only 2D, RECT, CUBE, ARRAY2D, ARRAYCUBE and their shadow targets.",
        };
        let code = codes::GPU_TEXTURE_TARGET;
        let code = match info.rule {
            Rule::TakesW | Rule::Gathers | Rule::GathersApart | Rule::FetchesSamples => {
                self.citing_form(code, info)
            }
            _ => code.citing("NV_gpu_program4 2.X.4.4"),
        };
        Diagnostic::new(code, texture.target_span, format!("{mnemonic} does not take {target}"))
            .with_note(note)
    }
}
