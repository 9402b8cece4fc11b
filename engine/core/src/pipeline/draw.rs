//! [`Draw`]: the description of a draw, as plain data, and [`Stats`], the statistics that a draw reports.
//! `input` has the vertices, `state` the rest of the GL's state.

use super::feedback::STREAMS;
use super::{Clear, CompareFunc, RasterState, VertexInput};

/// The source of a draw's fragments.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one a draw, and the arrays are behind pointers")]
pub enum Geometry {
    /// A rectangle that covers the window exactly, one fragment a pixel.
    /// With s = (x+0.5)/width and t = (y+0.5)/height, each the correctly rounded fp32 quotient: `f[TEXn]` =
    /// (s,t,0,1), `f[COL0]` = (s,t,1-s,1), `f[COL1]` = (0,0,0,1), `f[FOGC]` = (t,0,0,0), `f[WPOS]` = (x+0.5,
    /// y+0.5, the middle of the depth range, 1).
    /// Flat attributes have the value at the upper left corner, which is the provoking vertex: s = 0, t = 1.
    ViewportQuad,
    /// Primitives whose vertices a vertex program transforms.
    /// `f[WPOS]` = (x+0.5, y+0.5, window z, 1/w), `f[COL0]` and `f[COL1]` = the colours of the visible side,
    /// clamped to `[0,1]`, `f[FOGC]` = (`o[FOGC]`.x,0,0,0), `f[TEXn]` = `o[TEXn]`, all interpolated.
    /// Results that the program does not write are (0,0,0,1).
    Vertices(VertexInput),
}

/// Depth test, depth range and depth clamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthState {
    /// The comparison. `None` turns the test off, and then depth is not written either (4.1.6).
    pub test: Option<CompareFunc>,
    /// Whether passing fragments store their depth.
    pub write: bool,
    /// Window z of the near plane (n) and of the far plane (f). Each is clamped to `[0,1]` (glspec15 2.10.1).
    pub range: [f32; 2],
    /// `DEPTH_CLAMP_NV`: near and far do not clip; depths are clamped to the range instead.
    pub clamp: bool,
}

impl DepthState {
    /// Neither tests nor writes depth.
    pub const OFF: Self = Self { test: None, write: true, range: [0.0, 1.0], clamp: false };
    /// LESS, with depth writes.
    pub const LESS: Self =
        Self { test: Some(CompareFunc::Less), write: true, range: [0.0, 1.0], clamp: false };

    /// The clamped n and f. A NaN becomes the default value, 0 for n and 1 for f.
    pub(super) fn clamped_range(&self) -> [f32; 2] {
        let clamp = |value: f32, default: f32| if value.is_nan() { default } else { value.clamp(0.0, 1.0) };
        [clamp(self.range[0], 0.0), clamp(self.range[1], 1.0)]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    pub geometry: Geometry,
    pub state: RasterState,
    /// The values that the framebuffer is cleared to before the draw. With `None` the draw keeps the existing
    /// pixels.
    pub clear: Option<Clear>,
}

impl Draw {
    /// The rectangle that covers the window, in the GL's initial state (no depth test).
    pub fn viewport_quad() -> Self {
        Self { geometry: Geometry::ViewportQuad, state: RasterState::DEFAULT, clear: Some(Clear::DEFAULT) }
    }

    /// Vertices in the GL's initial state, except for the depth test, which is LESS.
    pub fn vertices(input: VertexInput) -> Self {
        let state = RasterState { depth: DepthState::LESS, ..RasterState::DEFAULT };
        Self { geometry: Geometry::Vertices(input), state, ..Self::viewport_quad() }
    }
}

impl Clear {
    /// The GL's initial clear values.
    pub const DEFAULT: Self = Self { color: [0.0; 4], depth: 1.0, stencil: 0 };

    /// The same clear with a colour for integer colour buffers, which take these bits (ClearColorIi,
    /// ClearColorIui).
    /// For buffers of numbers the result is undefined in the GL. Here such buffers take the numbers with
    /// these bits.
    #[must_use]
    pub const fn integers(self, [r, g, b, a]: [u32; 4]) -> Self {
        let color = [f32::from_bits(r), f32::from_bits(g), f32::from_bits(b), f32::from_bits(a)];
        Self { color, ..self }
    }

    /// The depth clamped to `[0,1]`, with NaN as 1.
    pub(super) fn clamped_depth(&self) -> f32 {
        if self.depth.is_nan() { 1.0 } else { self.depth.clamp(0.0, 1.0) }
    }
}

/// Counts of one draw. The counts do not depend on the number of threads.
/// Where a program runs for each sample, one invocation counts as one fragment.
/// A fragment with several samples counts as written if at least one sample is written. Otherwise the outcome
/// of the sample that got furthest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Elements that the vertex program ran for; 0 for the viewport quad.
    pub vertices: u64,
    /// Invocations of the tessellation control program: one for each vertex of each output patch.
    pub controlled: u64,
    /// Patches that reached the primitive generator.
    pub patches: u64,
    /// Patches that were discarded because of an outer level.
    pub patches_discarded: u64,
    /// Invocations of the tessellation evaluation program: one for each vertex of the divided patches.
    pub evaluated: u64,
    /// Invocations of the geometry program.
    pub invocations: u64,
    /// Vertices that the geometry program emitted to stream 0.
    pub emitted: u64,
    /// Primitives of each vertex stream, as transform feedback counts them: quads and polygons count as
    /// triangles while feedback is active.
    pub generated: [u64; STREAMS],
    /// Primitives of each vertex stream that transform feedback recorded.
    pub recorded: [u64; STREAMS],
    /// Primitives: points, lines, polygons. With a geometry program, the primitives that it emitted; with
    /// tessellation, the primitives that patches were divided into. 0 for the viewport quad.
    pub primitives: u64,
    /// Primitives that were cut by a clipping plane.
    pub primitives_clipped: u64,
    /// Primitives that are outside the clip volume, are culled by their facing, have no area or length, or
    /// cover no pixel.
    pub primitives_culled: u64,
    /// Primitives with a vertex that is not a finite point in clip space. Such primitives are skipped.
    pub primitives_invalid: u64,
    /// Primitives with an element beyond the end of the arrays. Such primitives are skipped.
    pub primitives_out_of_range: u64,
    /// Blocks of 64 lanes passed to the shader.
    pub blocks: u64,
    /// Fragments shaded, without helper lanes.
    pub fragments: u64,
    /// Shaded fragments that the program discarded.
    pub killed: u64,
    /// Fragments discarded because the program's depth is outside the depth range.
    pub depth_discarded: u64,
    /// Fragments left without samples by the multisample fragment operations (glspec40 4.1.3).
    pub uncovered: u64,
    /// Fragments that failed the alpha test.
    pub alpha_failed: u64,
    /// Fragments that failed the stencil test.
    pub stencil_failed: u64,
    /// Fragments that failed the depth test, before or after shading. A fragment that failed before shading
    /// might have been discarded by the program, or refused by the alpha or stencil test.
    pub depth_failed: u64,
    /// Fragments written to the framebuffer.
    pub written: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.vertices += other.vertices;
        self.controlled += other.controlled;
        self.patches += other.patches;
        self.patches_discarded += other.patches_discarded;
        self.evaluated += other.evaluated;
        self.invocations += other.invocations;
        self.emitted += other.emitted;
        let sum = |one: [u64; STREAMS], other: [u64; STREAMS]| {
            std::array::from_fn(|stream| one[stream] + other[stream])
        };
        self.generated = sum(self.generated, other.generated);
        self.recorded = sum(self.recorded, other.recorded);
        self.primitives += other.primitives;
        self.primitives_clipped += other.primitives_clipped;
        self.primitives_culled += other.primitives_culled;
        self.primitives_invalid += other.primitives_invalid;
        self.primitives_out_of_range += other.primitives_out_of_range;
        self.blocks += other.blocks;
        self.fragments += other.fragments;
        self.killed += other.killed;
        self.depth_discarded += other.depth_discarded;
        self.uncovered += other.uncovered;
        self.alpha_failed += other.alpha_failed;
        self.stencil_failed += other.stencil_failed;
        self.depth_failed += other.depth_failed;
        self.written += other.written;
    }
}
