//! What a texture instruction finds on its unit, and which of its results are undefined: the same for both executors.

use super::Bindings;
use crate::exec::report::OperandStep;
use crate::texture::{Numbers, Texture, Wrap};
use shadestep_language::ir::{TexelOffset, TextureRef, TextureTarget, Type};
use shadestep_language::isa::{IncompleteTexture, Projection, Semantics};
use shadestep_language::semantics::plan::Lookup;

/// What a lookup finds.
#[derive(Clone, Copy, Debug)]
pub enum Found<'t> {
    /// A texture that answers it.
    Texture(&'t Texture),
    /// No complete texture.
    Incomplete,
    /// A texture that does not fit the instruction: the results are zeros, and undefined.
    Unfit,
}

/// A lookup, as far as it decides what a texture is good for.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// What is looked up.
    pub lookup: Lookup,
    /// The instruction's type.
    pub ty: Type,
    /// What its language says of it.
    pub semantics: Semantics,
}

impl Question {
    /// What it finds on the unit of `texture`, if there is one.
    pub fn ask<'t>(&self, bindings: &'t Bindings, texture: Option<TextureRef>) -> Found<'t> {
        // Of an array of units, none outside of it.
        let Some(reference) = texture else { return Found::Unfit };
        match bindings.texture(reference).filter(|texture| texture.is_complete()) {
            Some(texture) if self.fits(texture, reference.target) => Found::Texture(texture),
            Some(_) => Found::Unfit,
            None => Found::Incomplete,
        }
    }

    /// Comparison and types as NV_gpu_program4 2.X.4.4 has them; ARB_fragment_program_shadow 3.11.6 gives the depths of a
    /// texture with a comparison to other targets.
    fn fits(&self, texture: &Texture, target: TextureTarget) -> bool {
        if self.lookup == Lookup::LevelQuery {
            return true;
        }
        let strict = self.semantics.incomplete_texture == IncompleteTexture::Undefined;
        let compares = texture.compares();
        let comparison = if target.is_shadow() { compares } else { !(strict && compares) };
        // TXGO's results are undefined there (NV_gpu_program5 2.X.8).
        let clamps = self.lookup == Lookup::GatherApart && texture.sampler().wrap[..2].contains(&Wrap::Clamp);
        comparison && !clamps && reads(self.ty, texture)
    }

    /// What depths are compared with: the component of the coordinates.
    pub fn reference(&self, target: TextureTarget) -> Option<usize> {
        target.reference().filter(|_| self.lookup != Lookup::LevelQuery)
    }

    /// Whether TXP divides the coordinates of `target` by the fourth.
    pub fn divides(&self, target: TextureTarget) -> bool {
        !target.is_cube() || self.semantics.projection == Projection::Everything
    }

    /// The least and the greatest offset along an axis that is computed.
    pub const fn offset_range(&self) -> (i32, i32) {
        match self.lookup {
            Lookup::GatherApart => TexelOffset::GATHER_RANGE,
            _ => TexelOffset::RANGE,
        }
    }

    /// Whether offsets that a lane computes are within their limits; if not, the results are undefined (NV_gpu_program5
    /// 2.X.4.4).
    pub fn takes_offsets(&self, offset: TexelOffset, operands: &[OperandStep]) -> bool {
        let (least, most) = self.offset_range();
        let computed = match (self.lookup, offset) {
            (Lookup::GatherApart, _) => operands.get(1..3),
            (_, TexelOffset::Operand) => operands.get(1..2),
            (_, TexelOffset::Constant(_)) => None,
        };
        computed.unwrap_or_default().iter().all(|operand| {
            let used = (0..4).filter(|c| operand.used >> c & 1 != 0);
            used.map(|c| operand.converted[c] as u32 as i32).all(|offset| (least..=most).contains(&offset))
        })
    }

    /// The results where no texture answers, and which of them are undefined (bit 0 = x). LOD gives two numbers.
    pub const fn without_texture(&self, found: Found<'_>) -> ([f32; 4], u8) {
        let incomplete = self.semantics.incomplete_texture;
        match (found, incomplete) {
            (Found::Texture(_), _) => {
                ([0.0; 4], if matches!(self.lookup, Lookup::LevelQuery) { 0b1100 } else { 0 })
            }
            (Found::Unfit, _) | (Found::Incomplete, IncompleteTexture::Undefined) => ([0.0; 4], 0xF),
            (Found::Incomplete, _) => (incomplete.texel(), 0),
        }
    }
}

/// Whether an instruction of type `ty` has the texels' numbers as its result.
pub fn reads(ty: Type, texture: &Texture) -> bool {
    let wanted = match ty {
        Type::S32 => Numbers::Signed,
        Type::U32 => Numbers::Unsigned,
        _ => Numbers::Floats,
    };
    texture.numbers() == wanted
}
