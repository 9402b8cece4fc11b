//! Enabled capabilities, and the state of rasterisation and per-fragment operations (glspec15 2.10 to 2.13, 3
//! and 4). The commands have the GL's names, ranges and initial values.

use super::Context;
use super::enums::{self, CLIP_PLANES, Cap, EnumArgument, FogEquation, GLenum, Switch};
use super::error::{Error, Result, named};
use super::generic::{Integer, Integers};
use super::multisample::Multisampling;
use shadestep_core::pipeline::{
    Blend, BlendEquation, BlendFactor, Clear, CompareFunc, CullFace, Fog, FogMode, FrontFace, LogicOp,
    MultisampleState, PolygonMode, RasterState, Rect, ShadeModel, Stencil, StencilFace, StencilOp,
};

/// Values of all state, whether the feature that reads them is enabled or not. `raster` holds the values that
/// [`RasterState`] does not make optional.
#[derive(Clone, Debug)]
pub(super) struct State {
    enabled: u64,
    raster: RasterState,
    scissor: Option<Rect>,
    depth_func: CompareFunc,
    cull: CullFace,
    alpha: (CompareFunc, f32),
    stencil: Stencil,
    blend: Blend,
    logic_op: LogicOp,
    fog_equation: FogEquation,
    fog_density: f32,
    fog_start: f32,
    fog_end: f32,
    fog_color: [f32; 4],
    clear: Clear,
    pub multisampling: Multisampling,
}

impl State {
    /// The stencil bits that clears write: the mask of front faces (`STENCIL_WRITEMASK`).
    pub const fn stencil_write_mask(&self) -> u8 {
        self.stencil.front.write_mask
    }

    /// Whether a blend factor reads the second colour, whether blending is enabled or not.
    pub fn is_dual_source(&self) -> bool {
        self.blend.is_dual_source()
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            // Only MULTISAMPLE (glspec40 table 6.21).
            enabled: Cap::Multisample.bit(),
            raster: RasterState::DEFAULT,
            scissor: None,
            depth_func: CompareFunc::Less,
            cull: CullFace::Back,
            alpha: (CompareFunc::Always, 0.0),
            stencil: Stencil { front: StencilFace::DEFAULT, back: StencilFace::DEFAULT },
            blend: Blend {
                equation: BlendEquation::Add,
                rgb: [BlendFactor::One, BlendFactor::Zero],
                alpha: [BlendFactor::One, BlendFactor::Zero],
                color: [0.0; 4],
            },
            logic_op: LogicOp::Copy,
            fog_equation: FogEquation::Exp,
            fog_density: 1.0,
            fog_start: 0.0,
            fog_end: 1.0,
            fog_color: [0.0; 4],
            clear: Clear { color: [0.0; 4], depth: 1.0, stencil: 0 },
            multisampling: Multisampling::default(),
        }
    }
}

impl State {
    /// Whether `cap` is enabled.
    pub fn is(&self, cap: Cap) -> bool {
        self.enabled & cap.bit() != 0
    }

    fn stencil_faces(&mut self, face: CullFace) -> impl Iterator<Item = &mut StencilFace> {
        let Stencil { front, back } = &mut self.stencil;
        let front = (face != CullFace::Back).then_some(front);
        let back = (face != CullFace::Front).then_some(back);
        front.into_iter().chain(back)
    }

    /// The state of a draw before its programs are considered: all enabled clip planes, two-sided colour and
    /// point sizes as enabled.
    pub fn raster(&self) -> RasterState {
        let on = |cap| self.is(cap);
        let mut state = self.raster;
        state.scissor = if on(Cap::ScissorTest) { self.scissor } else { None };
        state.depth.test = on(Cap::DepthTest).then_some(self.depth_func);
        state.depth.clamp = on(Cap::DepthClamp);
        state.clip_distances =
            (0..CLIP_PLANES).filter(|&i| on(Cap::ClipPlane(i))).fold(0, |all, i| all | 1 << i);
        state.two_side = on(Cap::VertexProgramTwoSide);
        state.cull = on(Cap::CullFace).then_some(self.cull);
        state.offset.fill = on(Cap::PolygonOffsetFill);
        state.offset.line = on(Cap::PolygonOffsetLine);
        state.offset.point = on(Cap::PolygonOffsetPoint);
        state.point.from_program = on(Cap::VertexProgramPointSize);
        state.point.smooth = on(Cap::PointSmooth);
        state.point.sprite = on(Cap::PointSprite);
        state.alpha_test = on(Cap::AlphaTest).then_some(self.alpha);
        state.stencil = on(Cap::StencilTest).then_some(self.stencil);
        state.blend = on(Cap::Blend).then_some(self.blend);
        state.logic_op = on(Cap::ColorLogicOp).then_some(self.logic_op);
        state.discard = on(Cap::RasterizerDiscard);
        state.multisample = MultisampleState {
            samples: self.multisampling.samples,
            enabled: on(Cap::Multisample),
            alpha_to_coverage: on(Cap::SampleAlphaToCoverage),
            alpha_to_one: on(Cap::SampleAlphaToOne),
            coverage: on(Cap::SampleCoverage).then_some(self.multisampling.coverage),
            mask: on(Cap::SampleMask).then_some(self.multisampling.mask),
            shading: on(Cap::SampleShading).then_some(self.multisampling.min_shading),
        };
        state
    }

    /// Fog, if it is enabled.
    pub fn fog(&self) -> Option<Fog> {
        self.is(Cap::Fog).then(|| self.fog_of(self.fog_equation))
    }

    /// Fog with this equation, whether fog is enabled or not.
    pub const fn fog_of(&self, equation: FogEquation) -> Fog {
        let mode = match equation {
            FogEquation::Linear => FogMode::Linear { start: self.fog_start, end: self.fog_end },
            FogEquation::Exp => FogMode::Exp { density: self.fog_density },
            FogEquation::Exp2 => FogMode::Exp2 { density: self.fog_density },
        };
        Fog { mode, color: self.fog_color }
    }

    /// The fog colour, whether fog is enabled or not.
    pub const fn fog_color(&self) -> [f32; 4] {
        self.fog_color
    }

    /// Density, start, end and 1/(end-start) of fog, whether it is enabled or not.
    pub fn fog_params(&self) -> [f32; 4] {
        let Self { fog_density, fog_start, fog_end, .. } = *self;
        [fog_density, fog_start, fog_end, 1.0 / (fog_end - fog_start)]
    }

    /// `POINT_SIZE`
    pub const fn point_size(&self) -> f32 {
        self.raster.point.size
    }

    /// `DEPTH_RANGE`: near and far.
    pub const fn depth_range(&self) -> [f32; 2] {
        self.raster.depth.range
    }

    /// The values that a clear writes.
    pub const fn clear(&self) -> Clear {
        self.clear
    }
}

/// The attribute groups that contain a capability. Most are in `ENABLE_BIT` and the group of their tables
/// (tables of glspec15 6.2, NV_depth_clamp, ARB_point_sprite, EXT_secondary_color). Seamless cube maps and
/// the sample mask are in none (glspec40 tables 6.58 and 6.22).
const fn groups(cap: Cap) -> GLenum {
    let own = match cap {
        Cap::TextureCubeMapSeamless | Cap::SampleMask => return 0,
        Cap::VertexProgram
        | Cap::VertexProgramPointSize
        | Cap::VertexProgramTwoSide
        | Cap::TessControlProgram
        | Cap::TessEvaluationProgram
        | Cap::GeometryProgram
        | Cap::FragmentProgram
        | Cap::RasterizerDiscard => 0,
        Cap::ClipPlane(_) | Cap::DepthClamp => enums::TRANSFORM_BIT,
        Cap::DepthTest => enums::DEPTH_BUFFER_BIT,
        Cap::StencilTest => enums::STENCIL_BUFFER_BIT,
        Cap::AlphaTest | Cap::Blend | Cap::ColorLogicOp => enums::COLOR_BUFFER_BIT,
        Cap::CullFace | Cap::PolygonOffsetFill | Cap::PolygonOffsetLine | Cap::PolygonOffsetPoint => {
            enums::POLYGON_BIT
        }
        Cap::ScissorTest => enums::SCISSOR_BIT,
        Cap::PointSmooth | Cap::PointSprite => enums::POINT_BIT,
        Cap::Fog | Cap::ColorSum => enums::FOG_BIT,
        Cap::ColorMaterial => enums::LIGHTING_BIT,
        Cap::Multisample
        | Cap::SampleAlphaToCoverage
        | Cap::SampleAlphaToOne
        | Cap::SampleCoverage
        | Cap::SampleShading => enums::MULTISAMPLE_BIT,
    };
    enums::ENABLE_BIT | own
}

impl State {
    /// Restores the groups in `mask` from `saved` (glspec15 6.1.14).
    pub fn restore(&mut self, mask: GLenum, saved: &Self) {
        let has = |bit| mask & bit != 0;
        let (raster, old) = (&mut self.raster, &saved.raster);
        if has(enums::POINT_BIT) {
            (raster.point.size, raster.point.replace) = (old.point.size, old.point.replace);
        }
        if has(enums::LINE_BIT) {
            raster.line_width = old.line_width;
        }
        if has(enums::POLYGON_BIT) {
            self.cull = saved.cull;
            (raster.front_face, raster.polygon_mode) = (old.front_face, old.polygon_mode);
            raster.offset = old.offset;
        }
        if has(enums::LIGHTING_BIT) {
            raster.shade_model = old.shade_model;
        }
        if has(enums::FOG_BIT) {
            self.fog_equation = saved.fog_equation;
            self.fog_density = saved.fog_density;
            (self.fog_start, self.fog_end) = (saved.fog_start, saved.fog_end);
            self.fog_color = saved.fog_color;
        }
        if has(enums::DEPTH_BUFFER_BIT) {
            self.depth_func = saved.depth_func;
            raster.depth.write = old.depth.write;
            self.clear.depth = saved.clear.depth;
        }
        if has(enums::STENCIL_BUFFER_BIT) {
            self.stencil = saved.stencil;
            self.clear.stencil = saved.clear.stencil;
        }
        if has(enums::VIEWPORT_BIT) {
            raster.viewport = old.viewport;
            raster.depth.range = old.depth.range;
        }
        if has(enums::COLOR_BUFFER_BIT) {
            (self.alpha, self.blend, self.logic_op) = (saved.alpha, saved.blend, saved.logic_op);
            raster.color_mask = old.color_mask;
            self.clear.color = saved.clear.color;
        }
        if has(enums::SCISSOR_BIT) {
            self.scissor = saved.scissor;
        }
        if has(enums::MULTISAMPLE_BIT) {
            let Multisampling { coverage, min_shading, .. } = saved.multisampling;
            self.multisampling = Multisampling { coverage, min_shading, ..self.multisampling };
        }
        let kept = Cap::all().filter(|&cap| has(groups(cap)));
        let bits = kept.fold(0, |bits, cap| bits | cap.bit());
        self.enabled = self.enabled & !bits | saved.enabled & bits;
    }
}

/// The number clamped to `[0,1]`; NaN becomes 0.
pub(super) fn clamped(x: f32) -> f32 {
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

fn rectangle(rect: Rect, clause: &'static str) -> Result<Rect> {
    if rect[2] < 0 || rect[3] < 0 {
        let reason = format!("the size {} x {} is negative", rect[2], rect[3]);
        return Err(Error::invalid_value(clause, reason));
    }
    Ok(rect)
}

fn positive_size(size: f32, clause: &'static str) -> Result<f32> {
    if size > 0.0 { Ok(size) } else { Err(Error::invalid_value(clause, format!("{size} is not positive"))) }
}

fn capability(cap: impl EnumArgument<Cap>) -> Result<Cap> {
    const ENABLE: &str = "glspec15 6.1.1";
    match named(cap, ENABLE, "capability")? {
        Cap::ClipPlane(plane) if plane >= CLIP_PLANES => {
            Err(Error::invalid_enum(ENABLE, format!("there is no CLIP_PLANE{plane}")))
        }
        cap => Ok(cap),
    }
}

/// Enabling and disabling capabilities.
impl Context {
    /// `Enable`
    ///
    /// # Errors
    /// `INVALID_ENUM` if `cap` is not a [`Cap`].
    pub fn enable(&mut self, cap: impl EnumArgument<Cap>) -> Result<()> {
        self.command("Enable", |context| {
            context.state.enabled |= capability(cap)?.bit();
            context.track_color();
            Ok(())
        })
    }

    /// `Disable`
    ///
    /// # Errors
    /// `INVALID_ENUM` if `cap` is not a [`Cap`].
    pub fn disable(&mut self, cap: impl EnumArgument<Cap>) -> Result<()> {
        self.command("Disable", |context| {
            context.state.enabled &= !capability(cap)?.bit();
            Ok(())
        })
    }

    /// `IsEnabled`, for arrays and primitive restart as well. `TEXTURE_COORD_ARRAY` is the array of the
    /// client's active set, `VERTEX_ATTRIB_ARRAYi_NV` the NV switch.
    ///
    /// # Errors
    /// `INVALID_ENUM` if `switch` is neither a [`Cap`] nor a [`super::ClientState`].
    pub fn is_enabled(&self, switch: impl EnumArgument<Switch>) -> Result<bool> {
        self.query("IsEnabled", || match named(switch, "glspec15 6.1.1", "capability")? {
            Switch::Server(cap) => capability(cap).map(|cap| self.state.is(cap)),
            Switch::Client(array) => self.arrays.is_enabled(array),
        })
    }

    /// `COLOR_CLEAR_VALUE`, `DEPTH_CLEAR_VALUE` and `STENCIL_CLEAR_VALUE` (glspec15 table 6.19), for
    /// [`super::DrawCall::after_clear`].
    pub const fn clear_state(&self) -> Clear {
        self.state.clear()
    }

    /// Checks `value`, then sets state from it.
    pub(super) fn set<T>(
        &mut self,
        name: &'static str,
        value: impl FnOnce() -> Result<T>,
        set: impl FnOnce(&mut State, T),
    ) -> Result<()> {
        self.command(name, |context| value().map(|value| set(&mut context.state, value)))
    }
}

/// Geometry and rasterisation. All of these are errors (`INVALID_OPERATION`) between begin and end.
impl Context {
    /// `Viewport`: x, y, width, height. Until the first call the viewport is the whole framebuffer.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative size.
    pub fn viewport(&mut self, rect: Rect) -> Result<()> {
        self.set("Viewport", || rectangle(rect, "glspec15 2.11.1"), |s, v| s.raster.viewport = Some(v))
    }

    /// `DepthRange`: window depths of the near and of the far plane, clamped to `[0,1]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn depth_range(&mut self, near: f32, far: f32) -> Result<()> {
        self.set("DepthRange", || Ok([near, far].map(clamped)), |s, v| s.raster.depth.range = v)
    }

    /// `FrontFace`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown direction.
    pub fn front_face(&mut self, direction: impl EnumArgument<FrontFace>) -> Result<()> {
        let direction = || named(direction, "glspec15 2.14.1", "direction");
        self.set("FrontFace", direction, |s, v| s.raster.front_face = v)
    }

    /// `CullFace`: the faces that are culled while CULL_FACE is enabled; initially the back.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face.
    pub fn cull_face(&mut self, face: impl EnumArgument<CullFace>) -> Result<()> {
        self.set("CullFace", || named(face, "glspec15 3.5.1", "face"), |s, v| s.cull = v)
    }

    /// `PolygonMode`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face or mode.
    pub fn polygon_mode(
        &mut self,
        face: impl EnumArgument<CullFace>,
        mode: impl EnumArgument<PolygonMode>,
    ) -> Result<()> {
        const CLAUSE: &str = "glspec15 3.5.4";
        let both = || Ok((named(face, CLAUSE, "face")?, named(mode, CLAUSE, "mode")?));
        self.set("PolygonMode", both, |s, (face, mode)| {
            if face != CullFace::Back {
                s.raster.polygon_mode[0] = mode;
            }
            if face != CullFace::Front {
                s.raster.polygon_mode[1] = mode;
            }
        })
    }

    /// `PolygonOffset`
    ///
    /// # Errors
    /// None of its own.
    pub fn polygon_offset(&mut self, factor: f32, units: f32) -> Result<()> {
        self.set(
            "PolygonOffset",
            || Ok(()),
            |s, ()| {
                s.raster.offset.factor = factor;
                s.raster.offset.units = units;
            },
        )
    }

    /// `ShadeModel`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown model.
    pub fn shade_model(&mut self, model: impl EnumArgument<ShadeModel>) -> Result<()> {
        let model = || named(model, "glspec15 2.14.7", "shade model");
        self.set("ShadeModel", model, |s, v| s.raster.shade_model = v)
    }

    /// `LineWidth`
    ///
    /// # Errors
    /// `INVALID_VALUE` if the width is not positive.
    pub fn line_width(&mut self, width: f32) -> Result<()> {
        self.set("LineWidth", || positive_size(width, "glspec15 3.4"), |s, v| s.raster.line_width = v)
    }

    /// `PointSize`
    ///
    /// # Errors
    /// `INVALID_VALUE` if the size is not positive.
    pub fn point_size(&mut self, size: f32) -> Result<()> {
        self.set("PointSize", || positive_size(size, "glspec15 3.3"), |s, v| s.raster.point.size = v)
    }

    /// `TexEnv` of `COORD_REPLACE` for all texture coordinate sets. Bit n means that point sprites replace
    /// set n (ARB_point_sprite).
    ///
    /// # Errors
    /// None of its own.
    pub fn coord_replace(&mut self, sets: u8) -> Result<()> {
        self.set("TexEnv", || Ok(sets), |s, v| s.raster.point.replace = v)
    }
}

const FOG: &str = "glspec15 3.10";

/// Fog, for draws without a fragment program and for programs with an ARB_fog option.
impl Context {
    /// `Fog` of `FOG_MODE`; initially EXP.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown equation.
    pub fn fog_mode(&mut self, equation: impl EnumArgument<FogEquation>) -> Result<()> {
        self.set("Fog", || named(equation, FOG, "fog mode"), |s, v| s.fog_equation = v)
    }

    /// `Fog` of `FOG_DENSITY`; initially 1.
    ///
    /// # Errors
    /// `INVALID_VALUE` if it is negative.
    pub fn fog_density(&mut self, density: f32) -> Result<()> {
        let checked = || {
            let fault = || Error::invalid_value(FOG, format!("the density {density} is negative"));
            if density < 0.0 { Err(fault()) } else { Ok(density) }
        };
        self.set("Fog", checked, |s, v| s.fog_density = v)
    }

    /// `Fog` of `FOG_START` and `FOG_END`; initially 0 and 1.
    ///
    /// # Errors
    /// None of its own.
    pub fn fog_range(&mut self, start: f32, end: f32) -> Result<()> {
        self.set("Fog", || Ok(()), |s, ()| (s.fog_start, s.fog_end) = (start, end))
    }

    /// `Fog` of `FOG_COLOR`, clamped to `[0,1]`; initially (0,0,0,0).
    ///
    /// # Errors
    /// None of its own.
    pub fn fog_color(&mut self, color: [f32; 4]) -> Result<()> {
        self.set("Fog", || Ok(color.map(clamped)), |s, v| s.fog_color = v)
    }
}

const BLENDING: &str = "ARB_blend_func_extended 4.1.8";
const STENCIL: &str = "glspec15 4.1.5";

/// Checks a source and a destination factor. Every factor is valid in both roles (table 4.2).
fn blend_factors(
    source: impl EnumArgument<BlendFactor>,
    destination: impl EnumArgument<BlendFactor>,
) -> Result<[BlendFactor; 2]> {
    Ok([named(source, BLENDING, "source factor")?, named(destination, BLENDING, "destination factor")?])
}

enums::gl_enums! {
    /// A blend factor to query: `pname` of `GetIntegerv`.
    pub enum BlendQuery {
        SrcRgb = BLEND_SRC_RGB,
        DstRgb = BLEND_DST_RGB,
        SrcAlpha = BLEND_SRC_ALPHA,
        DstAlpha = BLEND_DST_ALPHA,
    }
}

/// Per-fragment operations. All of these are errors (`INVALID_OPERATION`) between begin and end.
impl Context {
    /// `Scissor`: x, y, width, height. Until the first call, no pixel is outside.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative size.
    pub fn scissor(&mut self, rect: Rect) -> Result<()> {
        self.set("Scissor", || rectangle(rect, "glspec15 4.1.2"), |s, v| s.scissor = Some(v))
    }

    /// `AlphaFunc`; the reference is clamped to `[0,1]`.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown function.
    pub fn alpha_func(&mut self, func: impl EnumArgument<CompareFunc>, reference: f32) -> Result<()> {
        let func = || named(func, "glspec15 4.1.4", "function");
        self.set("AlphaFunc", func, |s, v| s.alpha = (v, clamped(reference)))
    }

    /// `DepthFunc`; initially LESS.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown function.
    pub fn depth_func(&mut self, func: impl EnumArgument<CompareFunc>) -> Result<()> {
        self.set("DepthFunc", || named(func, "glspec15 4.1.6", "function"), |s, v| s.depth_func = v)
    }

    /// `DepthMask`
    ///
    /// # Errors
    /// None of its own.
    pub fn depth_mask(&mut self, mask: Mask) -> Result<()> {
        self.set("DepthMask", || Ok(mask == Mask::Write), |s, v| s.raster.depth.write = v)
    }

    /// `ColorMask`: r, g, b, a.
    ///
    /// # Errors
    /// None of its own.
    pub fn color_mask(&mut self, mask: [Mask; 4]) -> Result<()> {
        let mask = mask.map(|mask| mask == Mask::Write);
        self.set("ColorMask", || Ok(mask), |s, v| s.raster.color_mask = v)
    }

    /// `StencilFunc`, for both faces.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown function.
    pub fn stencil_func(
        &mut self,
        func: impl EnumArgument<CompareFunc>,
        reference: i32,
        mask: u32,
    ) -> Result<()> {
        self.stencil_func_separate(CullFace::FrontAndBack, func, reference, mask)
    }

    /// `StencilFuncSeparate`: the reference is clamped to `[0,255]`; of the mask, only the low eight bits are
    /// used.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face or function.
    pub fn stencil_func_separate(
        &mut self,
        face: impl EnumArgument<CullFace>,
        func: impl EnumArgument<CompareFunc>,
        reference: i32,
        mask: u32,
    ) -> Result<()> {
        let both = || Ok((named(face, STENCIL, "face")?, named(func, STENCIL, "function")?));
        self.set("StencilFunc", both, |s, (face, func)| {
            for stencil in s.stencil_faces(face) {
                stencil.func = func;
                stencil.reference = reference.clamp(0, 255) as u8;
                stencil.read_mask = mask as u8;
            }
        })
    }

    /// `StencilOp`, for both faces: the operations for a failed stencil test, for a failed depth test, and
    /// for two passed tests.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown operation.
    pub fn stencil_op(
        &mut self,
        fail: impl EnumArgument<StencilOp>,
        depth_fail: impl EnumArgument<StencilOp>,
        pass: impl EnumArgument<StencilOp>,
    ) -> Result<()> {
        self.stencil_op_separate(CullFace::FrontAndBack, fail, depth_fail, pass)
    }

    /// `StencilOpSeparate`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face or operation.
    pub fn stencil_op_separate(
        &mut self,
        face: impl EnumArgument<CullFace>,
        fail: impl EnumArgument<StencilOp>,
        depth_fail: impl EnumArgument<StencilOp>,
        pass: impl EnumArgument<StencilOp>,
    ) -> Result<()> {
        let all = || {
            let face = named(face, STENCIL, "face")?;
            let fail = named(fail, STENCIL, "operation")?;
            let depth_fail = named(depth_fail, STENCIL, "operation")?;
            Ok((face, fail, depth_fail, named(pass, STENCIL, "operation")?))
        };
        self.set("StencilOp", all, |s, (face, fail, depth_fail, pass)| {
            for stencil in s.stencil_faces(face) {
                (stencil.fail, stencil.depth_fail, stencil.pass) = (fail, depth_fail, pass);
            }
        })
    }

    /// `StencilMask`, for both faces: the bits that are written.
    ///
    /// # Errors
    /// None of its own.
    pub fn stencil_mask(&mut self, mask: u32) -> Result<()> {
        self.stencil_mask_separate(CullFace::FrontAndBack, mask)
    }

    /// `StencilMaskSeparate`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face.
    pub fn stencil_mask_separate(&mut self, face: impl EnumArgument<CullFace>, mask: u32) -> Result<()> {
        self.set(
            "StencilMask",
            || named(face, STENCIL, "face"),
            |s, face| {
                for stencil in s.stencil_faces(face) {
                    stencil.write_mask = mask as u8;
                }
            },
        )
    }

    /// `BlendFunc`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown factor.
    pub fn blend_func(
        &mut self,
        source: impl EnumArgument<BlendFactor>,
        destination: impl EnumArgument<BlendFactor>,
    ) -> Result<()> {
        self.set(
            "BlendFunc",
            || blend_factors(source, destination),
            |s, v| {
                (s.blend.rgb, s.blend.alpha) = (v, v);
            },
        )
    }

    /// `BlendFuncSeparate`: factors of r, g, b, then factors of a.
    ///
    /// # Errors
    /// As [`Self::blend_func`].
    pub fn blend_func_separate(
        &mut self,
        source: impl EnumArgument<BlendFactor>,
        destination: impl EnumArgument<BlendFactor>,
        source_alpha: impl EnumArgument<BlendFactor>,
        destination_alpha: impl EnumArgument<BlendFactor>,
    ) -> Result<()> {
        let all = || {
            let rgb = blend_factors(source, destination)?;
            Ok((rgb, blend_factors(source_alpha, destination_alpha)?))
        };
        self.set("BlendFuncSeparate", all, |s, v| (s.blend.rgb, s.blend.alpha) = v)
    }

    /// `GetIntegerv` of a blend factor. Source factors are initially ONE, destination factors ZERO.
    ///
    /// # Errors
    /// `INVALID_ENUM` if `query` is not a [`BlendQuery`].
    pub fn get_blend_factor(&self, query: impl EnumArgument<BlendQuery>) -> Result<BlendFactor> {
        self.query("GetIntegerv", || {
            let Blend { rgb, alpha, .. } = self.state.blend;
            Ok(match named(query, "glspec15 6.1.1", "value")? {
                BlendQuery::SrcRgb => rgb[0],
                BlendQuery::DstRgb => rgb[1],
                BlendQuery::SrcAlpha => alpha[0],
                BlendQuery::DstAlpha => alpha[1],
            })
        })
    }

    /// `BlendEquation`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown equation.
    pub fn blend_equation(&mut self, equation: impl EnumArgument<BlendEquation>) -> Result<()> {
        self.set("BlendEquation", || named(equation, BLENDING, "equation"), |s, v| s.blend.equation = v)
    }

    /// `BlendColor`, clamped to `[0,1]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn blend_color(&mut self, color: [f32; 4]) -> Result<()> {
        self.set("BlendColor", || Ok(color.map(clamped)), |s, v| s.blend.color = v)
    }

    /// `LogicOp`; initially COPY.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown operation.
    pub fn logic_op(&mut self, op: impl EnumArgument<LogicOp>) -> Result<()> {
        self.set("LogicOp", || named(op, "glspec15 4.1.10", "operation"), |s, v| s.logic_op = v)
    }

    /// `ClearColor`, clamped to `[0,1]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn clear_color(&mut self, color: [f32; 4]) -> Result<()> {
        self.set("ClearColor", || Ok(color.map(clamped)), |s, v| s.clear.color = v)
    }

    /// `ClearColorIi`, `ClearColorIui`: the same state, for integer colour buffers (EXT_texture_integer
    /// 4.2.3).
    ///
    /// # Errors
    /// None of its own.
    pub fn clear_color_i<T: Integer>(&mut self, Integers(color): Integers<T, 4>) -> Result<()> {
        let bits = color.map(Integer::bits);
        self.set("ClearColorI", || Ok(bits), |s, v| s.clear = s.clear.integers(v))
    }

    /// `ClearDepth`, clamped to `[0,1]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn clear_depth(&mut self, depth: f32) -> Result<()> {
        self.set("ClearDepth", || Ok(clamped(depth)), |s, v| s.clear.depth = v)
    }

    /// `ClearStencil`: only the low eight bits of the value are used.
    ///
    /// # Errors
    /// None of its own.
    pub fn clear_stencil(&mut self, value: i32) -> Result<()> {
        self.set("ClearStencil", || Ok(value as u8), |s, v| s.clear.stencil = v)
    }
}

/// A write mask: C's FALSE and TRUE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    /// FALSE
    Keep,
    /// TRUE
    Write,
}

/// Access for tests.
#[cfg(test)]
impl Context {
    /// The state of a draw now, before its programs are considered.
    pub(super) fn raster_state(&self) -> RasterState {
        self.state.raster()
    }

    /// The fog of a draw without a fragment program now.
    pub(super) fn fog_state(&self) -> Option<Fog> {
        self.state.fog()
    }
}
