//! Everything a draw call fixes between vertices and pixels: plain data, named as the GL names it.
//!
//! Clause numbers are those of glspec15 unless another text is named.

use super::{CompareFunc, DepthState, MultisampleState};
use shadestep_language::ir::limits;

/// What happens to a stencil value (4.1.5). `IncrWrap` and `DecrWrap` are OpenGL 1.4's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StencilOp {
    /// Nothing.
    Keep,
    /// Becomes 0.
    Zero,
    /// Becomes the reference.
    Replace,
    /// One more, at most 255.
    Incr,
    /// One less, at least 0.
    Decr,
    /// Its bits turned.
    Invert,
    /// One more, 255 becoming 0.
    IncrWrap,
    /// One less, 0 becoming 255.
    DecrWrap,
}

/// Stencil test and operations of one face. The stencil buffer has 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StencilFace {
    /// Compares `reference & read_mask` with `stored & read_mask`.
    pub func: CompareFunc,
    /// Reference value.
    pub reference: u8,
    /// Bits compared.
    pub read_mask: u8,
    /// Bits written.
    pub write_mask: u8,
    /// Where the stencil test fails.
    pub fail: StencilOp,
    /// Where it passes and the depth test fails.
    pub depth_fail: StencilOp,
    /// Where both pass.
    pub pass: StencilOp,
}

impl StencilFace {
    /// The initial state: always passes, keeps.
    pub const DEFAULT: Self = Self {
        func: CompareFunc::Always,
        reference: 0,
        read_mask: 0xFF,
        write_mask: 0xFF,
        fail: StencilOp::Keep,
        depth_fail: StencilOp::Keep,
        pass: StencilOp::Keep,
    };
}

/// Stencil test; points and lines use `front`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stencil {
    /// For front-facing polygons, points and lines.
    pub front: StencilFace,
    /// For back-facing polygons.
    pub back: StencilFace,
}

/// A factor of blending (4.1.7, table 4.2), of the source or the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlendFactor {
    /// 0.
    Zero,
    /// 1.
    One,
    /// Source colour.
    SrcColor,
    /// 1 - source colour.
    OneMinusSrcColor,
    /// Destination colour.
    DstColor,
    /// 1 - destination colour.
    OneMinusDstColor,
    /// Source alpha.
    SrcAlpha,
    /// 1 - source alpha.
    OneMinusSrcAlpha,
    /// Destination alpha.
    DstAlpha,
    /// 1 - destination alpha.
    OneMinusDstAlpha,
    /// The constant colour.
    ConstantColor,
    /// 1 - the constant colour.
    OneMinusConstantColor,
    /// The constant alpha.
    ConstantAlpha,
    /// 1 - the constant alpha.
    OneMinusConstantAlpha,
    /// min(source alpha, 1 - destination alpha) for r, g, b; 1 for a.
    SrcAlphaSaturate,
    /// Second source colour, as what follows (ARB_blend_func_extended 4.1.8).
    Src1Color,
    /// 1 - second source colour.
    OneMinusSrc1Color,
    /// Alpha of the second source colour.
    Src1Alpha,
    /// 1 - alpha of the second source colour.
    OneMinusSrc1Alpha,
}

impl BlendFactor {
    /// Whether it is made of the second source colour.
    pub const fn takes_second_color(self) -> bool {
        matches!(self, Self::Src1Color | Self::OneMinusSrc1Color | Self::Src1Alpha | Self::OneMinusSrc1Alpha)
    }
}

/// How source and destination are combined (4.1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlendEquation {
    /// source * factor + destination * factor.
    Add,
    /// source * factor - destination * factor.
    Subtract,
    /// destination * factor - source * factor.
    ReverseSubtract,
    /// The smaller; factors play no part.
    Min,
    /// The larger; factors play no part.
    Max,
}

/// Blending (4.1.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// The equation.
    pub equation: BlendEquation,
    /// Source and destination factor of r, g, b.
    pub rgb: [BlendFactor; 2],
    /// Source and destination factor of a.
    pub alpha: [BlendFactor; 2],
    /// The constant colour.
    pub color: [f32; 4],
}

impl Blend {
    /// Whether a factor is made of the second source colour: dual-source blending (ARB_blend_func_extended 4.1.8).
    pub fn is_dual_source(&self) -> bool {
        self.rgb.iter().chain(&self.alpha).any(|factor| factor.takes_second_color())
    }
}

/// Logical operation on colours as 8-bit numbers (4.1.9, table 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogicOp {
    /// 0
    Clear,
    /// s and d
    And,
    /// s and not d
    AndReverse,
    /// s
    Copy,
    /// not s and d
    AndInverted,
    /// d
    Noop,
    /// s xor d
    Xor,
    /// s or d
    Or,
    /// not (s or d)
    Nor,
    /// not (s xor d)
    Equiv,
    /// not d
    Invert,
    /// s or not d
    OrReverse,
    /// not s
    CopyInverted,
    /// not s or d
    OrInverted,
    /// not (s and d)
    Nand,
    /// all ones
    Set,
}

/// A rectangle of pixels: x, y of the lower left corner, width, height.
pub type Rect = [i32; 4];

/// Which way round is the front (2.13.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrontFace {
    /// Clockwise in the window.
    Cw,
    /// Counter-clockwise in the window.
    Ccw,
}

/// Which faces are dropped (3.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CullFace {
    /// Front faces.
    Front,
    /// Back faces.
    Back,
    /// All polygons.
    FrontAndBack,
}

/// How a polygon is drawn (3.5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolygonMode {
    /// Its vertices as points.
    Point,
    /// Its edges as lines.
    Line,
    /// Its inside.
    Fill,
}

/// Which colours a primitive's fragments have (2.13.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShadeModel {
    /// Those of the provoking vertex.
    Flat,
    /// Interpolated.
    Smooth,
}

/// Offset of polygon depths (3.5.5), with the modes it is enabled for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolygonOffset {
    /// Factor of the largest depth slope.
    pub factor: f32,
    /// Factor of the smallest resolvable difference (2^-24 here).
    pub units: f32,
    /// `POLYGON_OFFSET_FILL`.
    pub fill: bool,
    /// `POLYGON_OFFSET_LINE`.
    pub line: bool,
    /// `POLYGON_OFFSET_POINT`.
    pub point: bool,
}

impl PolygonOffset {
    /// Whether it is enabled for any mode.
    pub const fn is_enabled(&self) -> bool {
        self.fill || self.line || self.point
    }
}

/// Points (3.3) and point sprites (ARB_point_sprite).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointState {
    /// `POINT_SIZE` in pixels.
    pub size: f32,
    /// `VERTEX_PROGRAM_POINT_SIZE`: PSIZ gives the size, if the program writes it.
    pub from_program: bool,
    /// `POINT_SMOOTH`: only which fragments there are; coverage does not scale alpha.
    pub smooth: bool,
    /// Whether points are sprites, square whatever `smooth` says.
    pub sprite: bool,
    /// `COORD_REPLACE` of each texture coordinate set (bit 0 = set 0), for sprites.
    pub replace: u8,
}

impl PointState {
    /// Largest size of a point (`ALIASED_POINT_SIZE_RANGE`).
    pub const MAX_SIZE: f32 = limits::POINT_SIZE;
}

/// Where fog factors come from and what they do, for draws without a fragment program (3.10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FogMode {
    /// (end - c) / (end - start).
    Linear {
        /// Factor 1.
        start: f32,
        /// Factor 0.
        end: f32,
    },
    /// exp(-density c).
    Exp {
        /// Density.
        density: f32,
    },
    /// exp(-(density c)^2).
    Exp2 {
        /// Density.
        density: f32,
    },
}

/// Fog (3.10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// The factor.
    pub mode: FogMode,
    /// What shows where the factor is 0.
    pub color: [f32; 4],
}

/// Where window y counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowOrigin {
    /// The lower edge, upwards.
    LowerLeft,
    /// The upper edge, downwards.
    UpperLeft,
}

/// Which coordinates pixels' centres have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelCenters {
    /// 0.5, 1.5, ...
    Halves,
    /// 0, 1, ...
    Whole,
}

/// How window x and y reach the fragment program (ARB_fragment_coord_conventions 3.9.2). Nothing else counts so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FragmentCoordinates {
    /// Where y counts from.
    pub origin: WindowOrigin,
    /// What centres are at.
    pub centers: PixelCenters,
}

impl FragmentCoordinates {
    /// The GL's own.
    pub const DEFAULT: Self = Self { origin: WindowOrigin::LowerLeft, centers: PixelCenters::Halves };
}

/// The state of one draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterState {
    /// `VIEWPORT`; `None`: the whole framebuffer.
    pub viewport: Option<Rect>,
    /// Scissor test (4.1.2).
    pub scissor: Option<Rect>,
    /// Depth range, clamp, test and mask.
    pub depth: DepthState,
    /// Clip distances that are enabled (bit 0 = CLP0), NV_vertex_program2 2.11.
    pub clip_distances: u8,
    /// `VERTEX_PROGRAM_TWO_SIDE`.
    pub two_side: bool,
    /// Which way round is the front.
    pub front_face: FrontFace,
    /// Culling.
    pub cull: Option<CullFace>,
    /// Polygon modes of front and back faces.
    pub polygon_mode: [PolygonMode; 2],
    /// Polygon offset.
    pub offset: PolygonOffset,
    /// Flat or smooth colours.
    pub shade_model: ShadeModel,
    /// Line width in pixels, at least 1 after rounding (3.4.2).
    pub line_width: f32,
    /// Points.
    pub point: PointState,
    /// Alpha test (4.1.4).
    pub alpha_test: Option<(CompareFunc, f32)>,
    /// Stencil test (4.1.5).
    pub stencil: Option<Stencil>,
    /// Blending (4.1.7); not applied while a logical operation is.
    pub blend: Option<Blend>,
    /// Logical operation (4.1.9).
    pub logic_op: Option<LogicOp>,
    /// Colour components that are written.
    pub color_mask: [bool; 4],
    /// For each colour buffer, the output colour that is written to it (ARB_draw_buffers 4.2.1). Buffers that
    /// the framebuffer does not have play no part.
    pub draw_buffers: [Option<u8>; limits::DRAW_BUFFERS as usize],
    /// How the fragment program counts window coordinates.
    pub coordinates: FragmentCoordinates,
    /// Multisampling (glspec40 3.3.1, 4.1.3).
    pub multisample: MultisampleState,
    /// What is known of the layers of the framebuffer, if it is layered.
    pub layers: Option<Layers>,
    /// `RASTERIZER_DISCARD`: whether primitives are given up before they are rasterised (NV_transform_feedback 3.X).
    pub discard: bool,
}

impl RasterState {
    /// The GL's initial state.
    pub const DEFAULT: Self = Self {
        viewport: None,
        scissor: None,
        depth: DepthState::OFF,
        clip_distances: 0,
        two_side: false,
        front_face: FrontFace::Ccw,
        cull: None,
        polygon_mode: [PolygonMode::Fill; 2],
        offset: PolygonOffset { factor: 0.0, units: 0.0, fill: false, line: false, point: false },
        shade_model: ShadeModel::Smooth,
        line_width: 1.0,
        point: PointState { size: 1.0, from_program: false, smooth: false, sprite: false, replace: 0 },
        alpha_test: None,
        stencil: None,
        blend: None,
        logic_op: None,
        color_mask: [true; 4],
        draw_buffers: [Some(0), None, None, None],
        coordinates: FragmentCoordinates::DEFAULT,
        multisample: MultisampleState::DEFAULT,
        layers: None,
        discard: false,
    };
}

/// The layers of a layered framebuffer (NV_geometry_program4 4.4.7), for looking at what is drawn. Drawing itself takes as many as the
/// framebuffer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// How many there are.
    pub count: u32,
    /// The one that is looked at: fragments of others are not found.
    pub seen: u32,
}

/// What a frame begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clear {
    /// Colour, not clamped. Colour buffers of integers take its bits: see [`Self::integers`].
    pub color: [f32; 4],
    /// Depth, clamped to `[0,1]`.
    pub depth: f32,
    /// Stencil.
    pub stencil: u8,
}
