//! Chooses the texture that a texture instruction reads, and its undefined results. Both executors use these
//! functions. `texture` does the sampling.

use super::Bindings;
use crate::exec::report::OperandStep;
use crate::texture::{Numbers, Texture, Wrap};
use shadestep_language::ir::{Instruction, TexelOffset, TextureRef, TextureTarget, Type};
use shadestep_language::isa::{IncompleteTexture, Projection, Semantics};
use shadestep_language::semantics::plan::Lookup;

/// The texture on the unit of a lookup.
#[derive(Clone, Copy, Debug)]
pub enum Found<'t> {
    /// A texture that fits the instruction.
    Texture(&'t Texture),
    /// No texture, or an incomplete one.
    Incomplete,
    /// A texture that does not fit the instruction: the results are undefined; Shadestep returns zeros.
    Unfit,
}

/// The properties of a lookup that decide which textures fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub lookup: Lookup,
    /// The instruction's type.
    pub ty: Type,
    /// The results without a complete texture.
    pub incomplete: IncompleteTexture,
    pub projection: Projection,
}

impl Question {
    pub const fn of(instruction: &Instruction, lookup: Lookup) -> Self {
        let Semantics { incomplete_texture: incomplete, projection, .. } = instruction.semantics;
        Self { lookup, ty: instruction.ty, incomplete, projection }
    }

    /// The texture on the unit of `texture`, which is `None` for an index outside an array of units.
    pub fn ask<'t>(&self, bindings: &'t Bindings, texture: Option<TextureRef>) -> Found<'t> {
        // An index outside an array of units selects no texture.
        let Some(reference) = texture else { return Found::Unfit };
        match bindings.texture(reference).filter(|texture| texture.is_complete()) {
            Some(texture) if self.fits(texture, reference.target) => Found::Texture(texture),
            Some(_) => Found::Unfit,
            None => Found::Incomplete,
        }
    }

    /// Whether comparison and types fit (NV_gpu_program4 2.X.4.4). In ARB_fragment_program_shadow 3.11.6,
    /// targets without a comparison read the depths of a texture with a comparison.
    fn fits(&self, texture: &Texture, target: TextureTarget) -> bool {
        if self.lookup == Lookup::LevelQuery {
            return true;
        }
        let strict = self.incomplete == IncompleteTexture::Undefined;
        let compares = texture.compares();
        let comparison = if target.is_shadow() { compares } else { !(strict && compares) };
        // NV_gpu_program5 2.X.8 leaves TXGO undefined with CLAMP.
        let clamps = self.lookup == Lookup::GatherApart && texture.sampler().wrap[..2].contains(&Wrap::Clamp);
        comparison && !clamps && reads(self.ty, texture)
    }

    /// Whether TXP divides the coordinates of `target` by the fourth component.
    pub fn divides(&self, target: TextureTarget) -> bool {
        !target.is_cube() || self.projection == Projection::Everything
    }

    /// The coordinate component that depths are compared with.
    pub fn reference(&self, target: TextureTarget) -> Option<usize> {
        target.reference().filter(|_| self.lookup != Lookup::LevelQuery)
    }

    /// The smallest and the largest computed offset along an axis.
    pub const fn offset_range(&self) -> (i32, i32) {
        match self.lookup {
            Lookup::GatherApart => TexelOffset::GATHER_RANGE,
            _ => TexelOffset::RANGE,
        }
    }

    /// Whether the computed offsets of a lane are within their limits. Outside, the results are undefined
    /// (NV_gpu_program5 2.X.4.4).
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

    /// The results without a texture, and their undefined components (bit 0 = x). LOD has only two defined
    /// components.
    pub const fn without_texture(&self, found: Found<'_>) -> ([f32; 4], u8) {
        match (found, self.incomplete) {
            (Found::Texture(_), _) => {
                ([0.0; 4], if matches!(self.lookup, Lookup::LevelQuery) { 0b1100 } else { 0 })
            }
            (Found::Unfit, _) | (Found::Incomplete, IncompleteTexture::Undefined) => ([0.0; 4], 0xF),
            (Found::Incomplete, _) => (self.incomplete.texel(), 0),
        }
    }
}

/// Whether an instruction of type `ty` can read the texture's number type.
pub fn reads(ty: Type, texture: &Texture) -> bool {
    let wanted = match ty {
        Type::S32 => Numbers::Signed,
        Type::U32 => Numbers::Unsigned,
        _ => Numbers::Floats,
    };
    texture.numbers() == wanted
}
