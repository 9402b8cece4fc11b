//! From geometry to pixels: transform, clip, rasterise, run fragments, merge.
