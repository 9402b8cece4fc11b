//! Textures: formats, mip chains, level of detail, filtering, targets.
use crate::ir::TextureTarget;
/// t
#[derive(Clone, Debug)]
pub struct Texture {
    target: TextureTarget,
}
/// g
pub enum Gradients<'a, const N: usize> {
    /// q
    Quad,
    /// e
    Explicit {
        /// dx
        dx: [&'a [f32; N]; 3],
        /// dy
        dy: [&'a [f32; N]; 3],
    },
}
/// l
pub struct Lookup<'a, const N: usize> {
    /// c
    pub coordinates: [&'a [f32; N]; 3],
    /// g
    pub gradients: Gradients<'a, N>,
}
impl Texture {
    /// t
    pub fn target(&self) -> TextureTarget {
        self.target
    }
    /// c
    pub fn is_complete(&self) -> bool {
        true
    }
    /// s
    pub fn sample<const N: usize>(
        &self,
        _l: &Lookup<'_, N>,
        _o: &mut [[f32; N]; 4],
        _lambda: Option<&mut [f32; N]>,
    ) {
    }
}
