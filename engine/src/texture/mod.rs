//! Textures: formats, mip chains, level of detail, filtering, targets.
