//! Texel fetches and size queries of one lane, for both executors: NV_gpu_program4 2.X.8, TXF and TXQ.

use super::plan::Texel;
use crate::ir::Type;
use crate::texture::Texture;

/// What a lane gets, and which components of it the text leaves undefined (bit 0 = x); those are 0.
///
/// A texel is a float. An instruction that wants integers of it has an undefined result (2.X.4.4).
pub fn texel(texture: Option<&Texture>, texel: Texel, ty: Type, operand: [i32; 4]) -> ([u32; 4], u8) {
    let found = match texel {
        Texel::Fetch if ty.is_integer() => None,
        Texel::Fetch => texture.and_then(|t| t.fetch(operand)).map(|texel| (texel.map(f32::to_bits), 0)),
        Texel::Size => texture.and_then(|t| t.size_above_base(operand[0])).map(|size| {
            let mut result = [0; 4];
            // A side has at most `texture::MAX_SIZE` texels.
            result.iter_mut().zip(size).for_each(|(result, &side)| *result = side as u32);
            (result, 0xF & !((1 << size.len()) - 1))
        }),
    };
    found.unwrap_or(([0; 4], 0xF))
}
