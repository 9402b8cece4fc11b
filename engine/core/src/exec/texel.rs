//! Texel fetches and size queries of one lane, for both executors: NV_gpu_program4 2.X.8, TXF and TXQ.
//! `lookup` has the rules of filtered lookups.

use super::lookup::reads;
use crate::exec::report::Refusal;
use crate::texture::Texture;
use shadestep_language::ir::{TexelOffset, Type};
use shadestep_language::semantics::plan::Texel;

/// The result of a lane for an operand and an offset, and the components that the text leaves undefined (bit
/// 0 = x). Undefined components are 0.
pub fn texel(
    texture: Option<&Texture>,
    texel: Texel,
    ty: Type,
    (operand, offset): ([i32; 4], [i32; 3]),
) -> ([u32; 4], u8) {
    let found = match texel {
        Texel::Fetch => texture
            .filter(|texture| refusal(texture, ty, offset).is_none())
            .and_then(|texture| texture.fetch(operand, offset))
            .map(|texel| (texel, 0)),
        Texel::Size => texture.and_then(|t| t.size_above_base(operand[0])).map(|(sides, count)| {
            let mut result = [0; 4];
            // A side has at most `texture::MAX_BUFFER_TEXELS` texels.
            result.iter_mut().zip(sides).take(count).for_each(|(result, side)| *result = side as u32);
            (result, 0xF & !((1 << count) - 1))
        }),
    };
    found.unwrap_or(([0; 4], 0xF))
}

/// Why the result of a fetch is undefined at every coordinate: the instruction's type differs from the
/// texture's number type, or an offset along an axis of the target is out of range (2.X.4.4). Other
/// components of an offset operand are ignored.
pub fn refusal(texture: &Texture, ty: Type, offset: [i32; 3]) -> Option<Refusal> {
    let (least, most) = TexelOffset::RANGE;
    let along = &offset[..texture.target().offset_axes()];
    if !reads(ty, texture) {
        Some(Refusal::Unfit)
    } else if !along.iter().all(|o| (least..=most).contains(o)) {
        Some(Refusal::Offset(TexelOffset::RANGE))
    } else {
        None
    }
}
