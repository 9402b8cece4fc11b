//! `OPTION` statements: the options of each language and the effect of each option.

use super::parser::Parser;
use crate::diag::{Diagnostic, codes};
use crate::front::nearest;
use crate::front::parser::{Parse, Section};
use crate::ir::{FogMode, ProgramOptions, TargetOption, TextureTarget};
use crate::isa::{Language, MemoryOption, Profile};
use crate::source::Span;
use crate::syntax::TokenKind;

/// The effect of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Fog(FogMode),
    Precision(PrecisionHint),
    Targets(TargetOption),
    DrawBuffers,
    OriginUpperLeft,
    PixelCenterInteger,
    PositionInvariant,
    DualSource,
    EarlyTests,
    Memory(MemoryOption),
    Extend(Language),
}

/// The options of a program that add texture targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetOptions([bool; TargetOption::ALL.len()]);

impl TargetOptions {
    fn add(&mut self, option: TargetOption) {
        self.0[option as usize] = true;
    }

    /// Whether the program has the option.
    pub fn has(self, option: TargetOption) -> bool {
        self.0[option as usize]
    }

    /// The targets that a program with these options and `profile` can look up.
    pub fn targets(self, profile: &'static Profile) -> impl Iterator<Item = TextureTarget> {
        let all = profile.targets.iter().copied();
        all.filter(move |&target| TargetOption::of(target, profile).is_none_or(|option| self.has(option)))
    }
}

/// A precision hint (ARB_fragment_program 3.11.4.5.2). The hint has no effect here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrecisionHint {
    Fastest,
    Nicest,
}

/// The effect of the option `name`, in the languages that have this option.
fn effect(name: &str) -> Option<Effect> {
    let listed = MemoryOption::from_name(name).map(Effect::Memory);
    let listed = listed.or_else(|| TargetOption::from_name(name).map(Effect::Targets));
    if listed.is_some() {
        return listed;
    }
    Some(match name {
        "ARB_fog_exp" => Effect::Fog(FogMode::Exp),
        "ARB_fog_exp2" => Effect::Fog(FogMode::Exp2),
        "ARB_fog_linear" => Effect::Fog(FogMode::Linear),
        "ARB_precision_hint_fastest" => Effect::Precision(PrecisionHint::Fastest),
        "ARB_precision_hint_nicest" => Effect::Precision(PrecisionHint::Nicest),
        // ATI_draw_buffers is the name from before the ARB adopted the extension (ruling 9 of the ARB
        // languages).
        "ARB_draw_buffers" | "ATI_draw_buffers" => Effect::DrawBuffers,
        "ARB_fragment_coord_origin_upper_left" => Effect::OriginUpperLeft,
        "ARB_fragment_coord_pixel_center_integer" => Effect::PixelCenterInteger,
        "ARB_position_invariant" => Effect::PositionInvariant,
        "ARB_blend_func_extended" => Effect::DualSource,
        "NV_early_fragment_tests" => Effect::EarlyTests,
        _ => Effect::Extend(Language::ALL.into_iter().find(|language| language.option() == Some(name))?),
    })
}

/// The options of a program, without the options that change its language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    pub program: ProgramOptions,
    precision: Option<PrecisionHint>,
    pub targets: TargetOptions,
    memory: [bool; MemoryOption::ALL.len()],
}

impl Options {
    /// Whether the program has the option.
    pub const fn has(&self, option: MemoryOption) -> bool {
        self.memory[option as usize]
    }
}

impl<'t> Parser<'t> {
    /// Reads `OPTION name ;` after the keyword at `keyword`.
    pub(super) fn option(&mut self, keyword: Span) -> Parse<()> {
        let late = self.section != Section::Options;
        if late {
            let fault = Diagnostic::new(
                codes::ARB_LATE_OPTION.of(self.own.language),
                keyword,
                "options must come before all other statements",
            )
            .with_note("An option applies to the whole program.");
            self.sink.push(fault);
        }
        let name = self.word();
        let span = self.token.span;
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("an option name"));
        }
        self.advance();
        let known = self.own.language.profile().options.contains(&name);
        match effect(name).filter(|_| known) {
            Some(effect) if !late => self.apply_option(effect, span),
            Some(_) => {}
            None => self.unknown_option(name, span, late),
        }
        self.semicolon()
    }

    fn unknown_option(&mut self, name: &str, span: Span, late: bool) {
        let language = self.own.language;
        let shown = self.excerpt(span);
        let own = language.profile().options;
        if let Some(newer) = self.own.newer_language(|profile| profile.options.contains(&name)) {
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, &format!("the option {shown}"), newer, span);
            self.sink.push(fault);
            return;
        }
        let mut fault = Diagnostic::new(
            codes::ARB_UNKNOWN_OPTION.of(self.own.language),
            span,
            format!("there is no option `{shown}`"),
        );
        if language.profile().keywords.contains(&name) {
            fault = fault.with_note("Write the name of an option after OPTION.");
        } else if effect(name).is_some() {
            let all = Language::ALL.into_iter().filter(|other| other.profile().options.contains(&name));
            let headers = Language::by_header(all).into_iter().map(|other| format!("`{}`", other.header()));
            fault =
                fault.with_note(format!("The option belongs to {}.", headers.collect::<Vec<_>>().join(", ")));
        }
        fault = fault.with_note(format!("The options are {}.", own.join(", ")));
        if let Some(meant) = nearest(name, own.iter().copied()) {
            fault = fault.with_fix(format!("replace with {meant}"), span, meant);
            // Apply the option that was meant, to avoid errors about its features.
            if let Some(effect) = effect(meant)
                && !late
                && matches!(
                    effect,
                    Effect::Extend(_)
                        | Effect::Targets(_)
                        | Effect::DrawBuffers
                        | Effect::DualSource
                        | Effect::Memory(_)
                )
            {
                self.apply_option(effect, span);
            }
        }
        self.sink.push(fault);
    }

    fn apply_option(&mut self, effect: Effect, span: Span) {
        let options = &mut self.own.options;
        let program = &mut options.program;
        let conflict = match effect {
            Effect::Fog(mode) => {
                let other = program.fog.is_some_and(|before| before != mode);
                program.fog.get_or_insert(mode);
                self.own.counts.make_room_for_fog(program.fog);
                other.then_some(("fog", "ARB_fragment_program 3.11.4.5.1"))
            }
            Effect::Precision(hint) => {
                let other = options.precision.is_some_and(|before| before != hint);
                options.precision.get_or_insert(hint);
                other.then_some(("precision hint", "ARB_fragment_program 3.11.4.5.2"))
            }
            Effect::Targets(option) => {
                options.targets.add(option);
                None
            }
            Effect::DrawBuffers => {
                program.draw_buffers = true;
                None
            }
            Effect::OriginUpperLeft => {
                program.origin_upper_left = true;
                None
            }
            Effect::PixelCenterInteger => {
                program.pixel_center_integer = true;
                None
            }
            Effect::PositionInvariant => {
                program.position_invariant = true;
                self.own.counts.make_room_for_position();
                None
            }
            Effect::DualSource => {
                program.dual_source = true;
                None
            }
            Effect::EarlyTests => {
                program.early_fragment_tests = true;
                None
            }
            Effect::Memory(option) => {
                options.memory[option as usize] = true;
                None
            }
            Effect::Extend(language) => {
                self.own.extend_to(language);
                None
            }
        };
        if let Some((what, clause)) = conflict {
            let clause = if self.own.is_typed() { "NV_fragment_program4 2.X.6.Y" } else { clause };
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_CONFLICTING_OPTIONS.citing(clause),
                    span,
                    format!("a program can have only one {what} option"),
                )
                .with_note("The first one applies."),
            );
        }
    }
}
