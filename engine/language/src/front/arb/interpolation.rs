//! Interpolation modifiers of attributes, and the rule that all variables of one attribute have the same
//! modifiers (NV_fragment_program4 2.X.3.1). Also checks the operands of IPAC, IPAO and IPAS (NV_gpu_program5
//! 2.X.8.Z).

use std::collections::HashMap;

use super::bindings::AttributeBinding;
use super::check::{Base, ParsedInstruction};
use super::parser::Arb;
use super::words::Interpolated;
use crate::diag::{Diagnostic, codes};
use crate::front::Sink;
use crate::ir::{Attribute, Interpolation, Place, Variation};
use crate::isa::Rule;
use crate::source::Span;

/// A set of interpolation modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifiers(u8);

impl Modifiers {
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn has(self, modifier: Interpolated) -> bool {
        self.0 >> modifier as u8 & 1 != 0
    }

    /// Adds `modifier` to the set.
    #[must_use]
    pub const fn with(self, modifier: Interpolated) -> Self {
        Self(self.0 | 1 << modifier as u8)
    }

    /// Whether FLAT is combined with CENTROID, NOPERSPECTIVE or SAMPLE.
    pub const fn conflict(self) -> bool {
        self.has(Interpolated::Flat) && self.0 != Self(0).with(Interpolated::Flat).0
    }

    /// Converts to the IR. SAMPLE takes precedence over CENTROID, because a covered sample is always within
    /// the primitive.
    const fn interpolation(self) -> Interpolation {
        let variation = if self.has(Interpolated::Flat) {
            Variation::Flat
        } else if self.has(Interpolated::NoPerspective) {
            Variation::NoPerspective
        } else {
            Variation::Smooth
        };
        let place = if self.has(Interpolated::Sample) {
            Place::Sample
        } else if self.has(Interpolated::Centroid) {
            Place::Centroid
        } else {
            Place::Centre
        };
        Interpolation { variation, place }
    }
}

/// How the attributes of a program are interpolated.
#[derive(Debug, Default)]
pub(super) struct Interpolations {
    /// The modifiers of each attribute that a variable is bound to, and the place of the first declaration.
    declared: HashMap<Attribute, (Modifiers, Span)>,
    /// The first places where instructions bind the primary and the secondary colour in place.
    used: [Option<Span>; 2],
}

impl Interpolations {
    /// The attributes with non-default interpolation, in order of the attributes.
    pub fn list(&self) -> Vec<(Attribute, Interpolation)> {
        let interpolated = self.declared.iter().filter(|(attribute, _)| is_interpolated(**attribute));
        let all = interpolated.map(|(attribute, (modifiers, _))| (*attribute, modifiers.interpolation()));
        let mut list: Vec<_> = all.filter(|(_, how)| *how != Interpolation::DEFAULT).collect();
        list.sort_by_key(|(attribute, _)| attribute.index());
        list
    }

    /// Notes that an instruction binds `attribute` in place at `span`. Such a binding declares an unnamed
    /// variable.
    pub fn note_use(&mut self, attribute: Attribute, span: Span) {
        if let Some(place) = COLORS.iter().position(|color| *color == attribute) {
            self.used[place].get_or_insert(span);
        }
    }

    /// Colours that only instructions bind, so without modifiers, while the other colour is declared with
    /// modifiers. Returns the place of the use and the place of the declaration.
    fn unlike(&self) -> impl Iterator<Item = (Span, Span)> {
        [(0, 1), (1, 0)].into_iter().filter_map(|(color, other)| {
            let used = self.used[color].filter(|_| !self.declared.contains_key(&COLORS[color]))?;
            let (modifiers, declared) = self.declared.get(&COLORS[other])?;
            (!modifiers.is_empty()).then_some((used, *declared))
        })
    }
}

const COLORS: [Attribute; 2] = [Attribute::Col0, Attribute::Col1];

/// Whether the value is interpolated, so that modifiers have an effect.
pub(super) const fn is_interpolated(attribute: Attribute) -> bool {
    match attribute {
        Attribute::Col0 | Attribute::Col1 | Attribute::Tex(_) | Attribute::Generic(_) => true,
        Attribute::Wpos
        | Attribute::Fogc
        | Attribute::FogCoord
        | Attribute::Facing
        | Attribute::ClipDistance(_)
        | Attribute::PrimitiveId
        | Attribute::PointCoord
        | Attribute::SampleId
        | Attribute::SampleMask
        | Attribute::VertexId
        | Attribute::Instance
        | Attribute::Vertex(_)
        | Attribute::LongVertex(_)
        | Attribute::OfVertex { .. }
        | Attribute::OutVertex { .. }
        | Attribute::OfPatch(_)
        | Attribute::OutPatch(_)
        | Attribute::TessCoord
        | Attribute::Invocation
        | Attribute::VertexCount => false,
    }
}

/// Whether variables of `attribute` may have modifiers. 2.X.3.1 does not exclude point coordinates. Modifiers
/// have no effect on points, and only points have these coordinates.
pub(super) const fn takes_modifiers(attribute: Attribute) -> bool {
    is_interpolated(attribute) || matches!(attribute, Attribute::PointCoord)
}

/// Whether `attribute` is an integer of the fragment itself.
pub(super) const fn is_of_fragment(attribute: Attribute) -> bool {
    matches!(attribute, Attribute::PrimitiveId | Attribute::SampleId | Attribute::SampleMask)
}

impl Arb<'_> {
    /// Notes that a variable with `modifiers` is bound to `attribute` at `span`.
    pub(super) fn declare_interpolation(
        &mut self,
        attribute: Attribute,
        modifiers: Modifiers,
        span: Span,
        sink: &mut Sink,
    ) {
        if !self.is_fragment() || !self.is_typed() {
            return;
        }
        let fault = |code, message: String| Diagnostic::new(code, span, message);
        // FLAT is allowed on attributes that are never interpolated, because integer variables must have it.
        let flat = Modifiers::default().with(Interpolated::Flat);
        if is_of_fragment(attribute) && modifiers == flat {
            return;
        }
        if !modifiers.is_empty() && !takes_modifiers(attribute) {
            let name = attribute.register_in(self.language);
            sink.push(
                fault(codes::GPU_NOT_INTERPOLATED, format!("{name} takes no interpolation modifiers"))
                    .with_note(
                        "Only colours, texture coordinates, fragment.attrib[n] and fragment.pointcoord do.",
                    ),
            );
            return;
        }
        let (before, first) = *self.interpolations.declared.entry(attribute).or_insert((modifiers, span));
        if before != modifiers {
            sink.push(
                fault(
                    codes::GPU_INTERPOLATION_DIFFERS,
                    format!(
                        "another variable for {} has different interpolation modifiers",
                        attribute.register_in(self.language)
                    ),
                )
                .with_label(first, "declared here")
                .with_note("All variables for an attribute must be interpolated in the same way."),
            );
            return;
        }
        let other = match attribute {
            Attribute::Col0 => Attribute::Col1,
            Attribute::Col1 => Attribute::Col0,
            _ => return,
        };
        let others = self.interpolations.declared.get(&other);
        if let Some((_, first)) = others.filter(|(before, _)| *before != modifiers) {
            sink.push(unlike_colors(span, *first));
        }
    }

    /// Reports colours that instructions bind in place while the other colour is declared with modifiers. A
    /// binding in place is a variable too (NV_gpu_program4 2.X.3).
    pub(super) fn report_colors(&self, sink: &mut Sink) {
        for (used, declared) in self.interpolations.unlike() {
            let fault = unlike_colors(used, declared);
            sink.push(fault.with_note("Declare a variable for this colour with the same modifiers."));
        }
    }

    /// IPAC, IPAO and IPAS evaluate an attribute themselves, so their first operand must be one.
    pub(super) fn check_evaluated(&self, parsed: &ParsedInstruction<'_>, sink: &mut Sink) {
        let (Rule::Evaluates, Some(operand)) = (parsed.info.rule, parsed.operands.first()) else { return };
        let attribute = match operand.base {
            Base::Attribute(AttributeBinding::One(attribute), _) => Some(attribute),
            Base::Attribute(AttributeBinding::Indexed { first, .. }, _) => Some(first),
            // A range alone has been reported already, and programs that name vertices do not interpolate.
            Base::Attribute(AttributeBinding::Range { .. } | AttributeBinding::OfVertices { .. }, _)
            | Base::Broken => return,
            Base::Temp(_)
            | Base::TempElement(..)
            | Base::Parameter(_)
            | Base::Literal(_)
            | Base::Buffer(_)
            | Base::Address(_) => None,
        };
        let mnemonic = parsed.info.mnemonic;
        let message = match attribute {
            Some(attribute) if attribute.is_evaluable() => return,
            Some(attribute) => {
                let name = attribute.register_in(self.language);
                format!("{mnemonic} needs an interpolated attribute, but {name} is not interpolated")
            }
            None => format!("{mnemonic} needs an interpolated attribute as its first operand"),
        };
        let code = self.citing_form(codes::GPU_NOT_EVALUATED, parsed.info);
        sink.push(
            Diagnostic::new(code, operand.base_span, message)
                .with_note("Write the attribute itself or a variable declared with ATTRIB."),
        );
    }
}

/// The error for the colour at `span`, whose modifiers differ from the other colour's, declared at
/// `declared`.
fn unlike_colors(span: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(
        codes::GPU_COLOR_INTERPOLATION,
        span,
        "the other colour has different interpolation modifiers",
    )
    .with_label(declared, "declared here")
    .with_note("The primary and the secondary colour must be interpolated in the same way.")
}
