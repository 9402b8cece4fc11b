//! Modifiers of interpolation, and that all variables of one attribute agree on them (NV_fragment_program4 2.X.3.1); what
//! IPAC and the like interpolate (NV_gpu_program5 2.X.8.Z).

use std::collections::HashMap;

use super::bindings::AttributeBinding;
use super::check::{Base, ParsedInstruction};
use super::parser::Arb;
use super::words::Interpolated;
use crate::diag::{Diagnostic, codes};
use crate::front::Sink;
use crate::ir::{Attribute, Interpolation, Place, Variation};
use crate::isa::{Opcode, Rule};
use crate::source::Span;

/// A set of modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifiers(u8);

impl Modifiers {
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn has(self, modifier: Interpolated) -> bool {
        self.0 >> modifier as u8 & 1 != 0
    }

    /// The same with `modifier`.
    #[must_use]
    pub const fn with(self, modifier: Interpolated) -> Self {
        Self(self.0 | 1 << modifier as u8)
    }

    /// Whether FLAT stands beside CENTROID, NOPERSPECTIVE or SAMPLE.
    pub const fn conflict(self) -> bool {
        self.has(Interpolated::Flat) && self.0 != Self(0).with(Interpolated::Flat).0
    }

    /// SAMPLE may stand beside CENTROID: what is evaluated at a sample is within the primitive.
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
    /// The modifiers of each attribute that a variable is declared for, and where.
    declared: HashMap<Attribute, (Modifiers, Span)>,
    /// Where instructions name primary and secondary colour in place first.
    used: [Option<Span>; 2],
}

impl Interpolations {
    /// Those that are not the default, in order of the attributes.
    pub fn list(&self) -> Vec<(Attribute, Interpolation)> {
        let interpolated = self.declared.iter().filter(|(attribute, _)| is_interpolated(**attribute));
        let all = interpolated.map(|(attribute, (modifiers, _))| (*attribute, modifiers.interpolation()));
        let mut list: Vec<_> = all.filter(|(_, how)| *how != Interpolation::DEFAULT).collect();
        list.sort_by_key(|(attribute, _)| attribute.index());
        list
    }

    /// Notes that an instruction names `attribute` in place at `span`, which declares a variable of it.
    pub fn note_use(&mut self, attribute: Attribute, span: Span) {
        if let Some(place) = COLORS.iter().position(|color| *color == attribute) {
            self.used[place].get_or_insert(span);
        }
    }

    /// Colours that instructions name in place and no declaration has, so that nothing gives them modifiers: where, and
    /// where the other colour is declared with some.
    fn unlike(&self) -> impl Iterator<Item = (Span, Span)> {
        [(0, 1), (1, 0)].into_iter().filter_map(|(color, other)| {
            let used = self.used[color].filter(|_| !self.declared.contains_key(&COLORS[color]))?;
            let (modifiers, declared) = self.declared.get(&COLORS[other])?;
            (!modifiers.is_empty()).then_some((used, *declared))
        })
    }
}

/// Primary and secondary colour of fragments.
const COLORS: [Attribute; 2] = [Attribute::Col0, Attribute::Col1];

/// Whether interpolation makes it, so that modifiers can say how.
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

/// Whether its variables may have modifiers: point coordinates are not among what 2.X.3.1 excludes, and points are all that
/// has them, for which modifiers have no effect.
pub(super) const fn takes_modifiers(attribute: Attribute) -> bool {
    is_interpolated(attribute) || matches!(attribute, Attribute::PointCoord)
}

/// Whether it is an integer of the fragment itself.
pub(super) const fn is_of_fragment(attribute: Attribute) -> bool {
    matches!(attribute, Attribute::PrimitiveId | Attribute::SampleId | Attribute::SampleMask)
}

impl Arb<'_> {
    /// Notes that a variable with `modifiers` is declared for `attribute` at `span`.
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
        // What is never interpolated may be told to be FLAT, as integers have to.
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

    /// Reports colours that instructions name in place, where the other one is declared with modifiers. A binding in place is a
    /// variable, too (NV_gpu_program4 2.X.3).
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
            // A range alone has been reported, and no program of primitives interpolates.
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
        let clause = match parsed.info.opcode {
            Opcode::Ipao => "NV_gpu_program5 2.X.8.Z IPAO",
            Opcode::Ipas => "NV_gpu_program5 2.X.8.Z IPAS",
            _ => "NV_gpu_program5 2.X.8.Z IPAC",
        };
        sink.push(
            Diagnostic::new(codes::GPU_NOT_EVALUATED.citing(clause), operand.base_span, message)
                .with_note("Write the attribute itself or a variable declared with ATTRIB."),
        );
    }
}

/// The colour at `span` has other modifiers than the other colour, which `declared` declares.
fn unlike_colors(span: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(
        codes::GPU_COLOR_INTERPOLATION,
        span,
        "the other colour has different interpolation modifiers",
    )
    .with_label(declared, "declared here")
    .with_note("The primary and the secondary colour must be interpolated in the same way.")
}
