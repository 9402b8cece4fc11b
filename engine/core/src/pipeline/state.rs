//! The state of a draw call between vertices and pixels: plain data, with the GL's names.
//!
//! Clause numbers are from glspec15 unless another specification is named.

use super::{CompareFunc, DepthState, MultisampleState};
use shadestep_language::ir::limits;

shadestep_language::named_enum! {
    /// An update of a stencil value (4.1.5). `IncrWrap` and `DecrWrap` come from OpenGL 1.4.
    pub enum StencilOp {
        /// Keeps the value.
        Keep = "KEEP",
        /// Sets the value to 0.
        Zero = "ZERO",
        /// Sets the value to the reference.
        Replace = "REPLACE",
        /// Adds 1, up to 255.
        Incr = "INCR",
        /// Subtracts 1, down to 0.
        Decr = "DECR",
        /// Inverts the bits.
        Invert = "INVERT",
        /// Adds 1; 255 becomes 0.
        IncrWrap = "INCR_WRAP",
        /// Subtracts 1; 0 becomes 255.
        DecrWrap = "DECR_WRAP",
    }
}

/// Stencil test and operations of one face. The stencil buffer has 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StencilFace {
    /// Compares `reference & read_mask` with `stored & read_mask`.
    pub func: CompareFunc,
    pub reference: u8,
    /// Bits that are compared.
    pub read_mask: u8,
    /// Bits that are written.
    pub write_mask: u8,
    /// The update when the stencil test fails.
    pub fail: StencilOp,
    /// The update when the stencil test passes and the depth test fails.
    pub depth_fail: StencilOp,
    /// The update when both tests pass.
    pub pass: StencilOp,
}

impl StencilFace {
    /// The initial state: the test always passes and keeps the stencil value.
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

/// The stencil test of both faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stencil {
    /// For front-facing polygons, points and lines.
    pub front: StencilFace,
    /// For back-facing polygons.
    pub back: StencilFace,
}

shadestep_language::named_enum! {
    /// A blend factor of the source or the destination (4.1.7, table 4.2).
    pub enum BlendFactor {
        /// 0.
        Zero = "ZERO",
        /// 1.
        One = "ONE",
        /// Source colour.
        SrcColor = "SRC_COLOR",
        /// 1 - source colour.
        OneMinusSrcColor = "ONE_MINUS_SRC_COLOR",
        /// Destination colour.
        DstColor = "DST_COLOR",
        /// 1 - destination colour.
        OneMinusDstColor = "ONE_MINUS_DST_COLOR",
        /// Source alpha.
        SrcAlpha = "SRC_ALPHA",
        /// 1 - source alpha.
        OneMinusSrcAlpha = "ONE_MINUS_SRC_ALPHA",
        /// Destination alpha.
        DstAlpha = "DST_ALPHA",
        /// 1 - destination alpha.
        OneMinusDstAlpha = "ONE_MINUS_DST_ALPHA",
        /// The constant colour.
        ConstantColor = "CONSTANT_COLOR",
        /// 1 - the constant colour.
        OneMinusConstantColor = "ONE_MINUS_CONSTANT_COLOR",
        /// The constant alpha.
        ConstantAlpha = "CONSTANT_ALPHA",
        /// 1 - the constant alpha.
        OneMinusConstantAlpha = "ONE_MINUS_CONSTANT_ALPHA",
        /// min(source alpha, 1 - destination alpha) for r, g, b; 1 for a.
        SrcAlphaSaturate = "SRC_ALPHA_SATURATE",
        /// Second source colour, as in the three variants below (ARB_blend_func_extended 4.1.8).
        Src1Color = "SRC1_COLOR",
        /// 1 - second source colour.
        OneMinusSrc1Color = "ONE_MINUS_SRC1_COLOR",
        /// Alpha of the second source colour.
        Src1Alpha = "SRC1_ALPHA",
        /// 1 - alpha of the second source colour.
        OneMinusSrc1Alpha = "ONE_MINUS_SRC1_ALPHA",
    }
}

impl BlendFactor {
    /// Whether the factor uses the second source colour.
    pub const fn takes_second_color(self) -> bool {
        matches!(self, Self::Src1Color | Self::OneMinusSrc1Color | Self::Src1Alpha | Self::OneMinusSrc1Alpha)
    }
}

shadestep_language::named_enum! {
    /// The equation that combines source and destination (4.1.7).
    pub enum BlendEquation {
        /// source * factor + destination * factor.
        Add = "FUNC_ADD",
        /// source * factor - destination * factor.
        Subtract = "FUNC_SUBTRACT",
        /// destination * factor - source * factor.
        ReverseSubtract = "FUNC_REVERSE_SUBTRACT",
        /// The smaller of source and destination; factors are ignored.
        Min = "MIN",
        /// The larger of source and destination; factors are ignored.
        Max = "MAX",
    }
}

/// Blending (4.1.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    pub equation: BlendEquation,
    /// Source and destination factors of r, g, b.
    pub rgb: [BlendFactor; 2],
    /// Source and destination factors of a.
    pub alpha: [BlendFactor; 2],
    /// The constant colour.
    pub color: [f32; 4],
}

impl Blend {
    /// Whether a factor uses the second source colour: dual-source blending (ARB_blend_func_extended 4.1.8).
    pub fn is_dual_source(&self) -> bool {
        self.rgb.iter().chain(&self.alpha).any(|factor| factor.takes_second_color())
    }
}

shadestep_language::named_enum! {
    /// Logical operation on colours as 8-bit numbers (4.1.9, table 4.3).
    pub enum LogicOp {
        /// 0.
        Clear = "CLEAR",
        /// s and d.
        And = "AND",
        /// s and not d.
        AndReverse = "AND_REVERSE",
        /// s.
        Copy = "COPY",
        /// not s and d.
        AndInverted = "AND_INVERTED",
        /// d.
        Noop = "NOOP",
        /// s xor d.
        Xor = "XOR",
        /// s or d.
        Or = "OR",
        /// not (s or d).
        Nor = "NOR",
        /// not (s xor d).
        Equiv = "EQUIV",
        /// not d.
        Invert = "INVERT",
        /// s or not d.
        OrReverse = "OR_REVERSE",
        /// not s.
        CopyInverted = "COPY_INVERTED",
        /// not s or d.
        OrInverted = "OR_INVERTED",
        /// not (s and d).
        Nand = "NAND",
        /// all ones.
        Set = "SET",
    }
}

/// A rectangle of pixels: x, y of the lower left corner, width, height.
pub type Rect = [i32; 4];

shadestep_language::named_enum! {
    /// The winding of front faces (2.13.1).
    pub enum FrontFace {
        /// Clockwise in the window.
        Cw = "CW",
        /// Counter-clockwise in the window.
        Ccw = "CCW",
    }

    /// The faces that are culled (3.5.1).
    pub enum CullFace {
        /// Front faces.
        Front = "FRONT",
        /// Back faces.
        Back = "BACK",
        /// All polygons.
        FrontAndBack = "FRONT_AND_BACK",
    }

    /// The way a polygon is drawn (3.5.4).
    pub enum PolygonMode {
        /// The vertices are drawn as points.
        Point = "POINT",
        /// The edges are drawn as lines.
        Line = "LINE",
        /// The inside is filled.
        Fill = "FILL",
    }

    /// The colours of a primitive's fragments (2.13.7).
    pub enum ShadeModel {
        /// The colours of the provoking vertex.
        Flat = "FLAT",
        /// Interpolated colours.
        Smooth = "SMOOTH",
    }
}

/// The offset of polygon depths (3.5.5), and the polygon modes with an enabled offset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolygonOffset {
    /// Factor of the maximum depth slope.
    pub factor: f32,
    /// Factor of the smallest resolvable depth difference (2^-24 here).
    pub units: f32,
    /// `POLYGON_OFFSET_FILL`.
    pub fill: bool,
    /// `POLYGON_OFFSET_LINE`.
    pub line: bool,
    /// `POLYGON_OFFSET_POINT`.
    pub point: bool,
}

impl PolygonOffset {
    /// Whether the offset is enabled for any mode.
    pub const fn is_enabled(&self) -> bool {
        self.fill || self.line || self.point
    }
}

/// Points (3.3) and point sprites (ARB_point_sprite).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointState {
    /// `POINT_SIZE` in pixels.
    pub size: f32,
    /// `VERTEX_PROGRAM_POINT_SIZE`: PSIZ sets the size, if the program writes PSIZ.
    pub from_program: bool,
    /// `POINT_SMOOTH`: selects which pixels have fragments. Coverage does not scale alpha.
    pub smooth: bool,
    /// Whether points are sprites, which are square even if `smooth` is set.
    pub sprite: bool,
    /// `COORD_REPLACE` of each texture coordinate set (bit 0 = set 0), for sprites.
    pub replace: u8,
}

impl PointState {
    /// Largest size of a point (`ALIASED_POINT_SIZE_RANGE`).
    pub const MAX_SIZE: f32 = limits::POINT_SIZE;
}

/// The fog factor as a function of the fog coordinate c, for draws without a fragment program (3.10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FogMode {
    /// (end - c) / (end - start).
    Linear {
        /// The coordinate with factor 1.
        start: f32,
        /// The coordinate with factor 0.
        end: f32,
    },
    /// exp(-density c).
    Exp {
        /// Density per unit of c.
        density: f32,
    },
    /// exp(-(density c)^2).
    Exp2 {
        /// Density per unit of c.
        density: f32,
    },
}

/// Fog (3.10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    pub mode: FogMode,
    /// The colour of full fog (factor 0).
    pub color: [f32; 4],
}

/// The origin of window y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowOrigin {
    /// The lower edge; y grows upwards.
    LowerLeft,
    /// The upper edge; y grows downwards.
    UpperLeft,
}

/// The coordinates of pixel centres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelCenters {
    /// 0.5, 1.5, ...
    Halves,
    /// 0, 1, ...
    Whole,
}

/// The window x and y that the fragment program reads (ARB_fragment_coord_conventions 3.9.2). All other
/// window coordinates keep the GL's convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FragmentCoordinates {
    pub origin: WindowOrigin,
    pub centers: PixelCenters,
}

impl FragmentCoordinates {
    /// The GL's own convention.
    pub const DEFAULT: Self = Self { origin: WindowOrigin::LowerLeft, centers: PixelCenters::Halves };
}

/// The state of one draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterState {
    /// `VIEWPORT`; `None` stands for the whole framebuffer.
    pub viewport: Option<Rect>,
    /// Scissor test (4.1.2).
    pub scissor: Option<Rect>,
    /// Depth range, clamp, test and mask.
    pub depth: DepthState,
    /// Enabled clip distances (bit 0 = CLP0), NV_vertex_program2 2.11.
    pub clip_distances: u8,
    /// `VERTEX_PROGRAM_TWO_SIDE`.
    pub two_side: bool,
    pub front_face: FrontFace,
    pub cull: Option<CullFace>,
    /// Polygon modes of front and back faces.
    pub polygon_mode: [PolygonMode; 2],
    pub offset: PolygonOffset,
    pub shade_model: ShadeModel,
    /// Line width in pixels, at least 1 after rounding (3.4.2).
    pub line_width: f32,
    pub point: PointState,
    /// Alpha test (4.1.4).
    pub alpha_test: Option<(CompareFunc, f32)>,
    /// Stencil test (4.1.5).
    pub stencil: Option<Stencil>,
    /// Blending (4.1.7). A logical operation disables blending.
    pub blend: Option<Blend>,
    /// Logical operation (4.1.9).
    pub logic_op: Option<LogicOp>,
    /// The colour components that are written.
    pub color_mask: [bool; 4],
    /// For each colour buffer, the output colour that is written to the buffer (ARB_draw_buffers 4.2.1).
    /// Entries beyond the framebuffer's colour buffers are ignored.
    pub draw_buffers: [Option<u8>; limits::DRAW_BUFFERS as usize],
    /// The window coordinates that the fragment program reads.
    pub coordinates: FragmentCoordinates,
    /// Multisampling (glspec40 3.3.1, 4.1.3).
    pub multisample: MultisampleState,
    /// The layers of a layered framebuffer; `None` if the framebuffer is not layered.
    pub layers: Option<Layers>,
    /// `RASTERIZER_DISCARD`: whether primitives are dropped before rasterisation (NV_transform_feedback 3.X).
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

/// The layers of a layered framebuffer (NV_geometry_program4 4.4.7), for inspection of a draw. Drawing itself
/// uses all layers of the framebuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Number of layers.
    pub count: u32,
    /// The inspected layer: fragments of other layers are not found.
    pub seen: u32,
}

/// The values that clear a framebuffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clear {
    /// Colour, not clamped. Integer colour buffers take the bits of the colour: see [`Self::integers`].
    pub color: [f32; 4],
    /// Depth, clamped to `[0,1]`.
    pub depth: f32,
    /// Stencil.
    pub stencil: u8,
}
