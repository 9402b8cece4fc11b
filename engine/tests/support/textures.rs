//! Small textures for random programs.
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::Texture;
pub fn small(_target: TextureTarget) -> Option<Texture> {
    None
}
