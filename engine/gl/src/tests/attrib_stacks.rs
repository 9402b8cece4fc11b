//! PushAttrib, PushClientAttrib and their pops: each variable is restored with its own groups and no others.

use super::super::{
    BufferTarget, Cap, Context, CoverageInversion, ErrorCode, LightColor, Limit, Mask, MatrixMode, enums,
};
use super::{refused_between, refuses};
use enums::{
    ACCUM_BUFFER_BIT, ALL_ATTRIB_BITS, CLIENT_ALL_ATTRIB_BITS, CLIENT_PIXEL_STORE_BIT,
    CLIENT_VERTEX_ARRAY_BIT, COLOR_BUFFER_BIT, CURRENT_BIT, DEPTH_BUFFER_BIT, ENABLE_BIT, EVAL_BIT, FOG_BIT,
    HINT_BIT, LIGHTING_BIT, LINE_BIT, LIST_BIT, MULTISAMPLE_BIT, PIXEL_MODE_BIT, POINT_BIT, POLYGON_BIT,
    POLYGON_STIPPLE_BIT, SCISSOR_BIT, STENCIL_BUFFER_BIT, TEXTURE_BIT, TRANSFORM_BIT, VIEWPORT_BIT,
};
use shadestep_core::pipeline::{
    ArrayData, BlendFactor, CompareFunc, CullFace, EdgeFlag, FrontFace, LogicOp, PolygonMode, ShadeModel,
    StencilOp,
};
use shadestep_core::texture::Format;
use shadestep_language::ir::{
    Face, LightProperty, MaterialProperty, StateVector, TexGenPlane, TexGenSpace, TextureTarget,
};

/// Every attribute group.
const GROUPS: [u32; 21] = [
    CURRENT_BIT,
    POINT_BIT,
    LINE_BIT,
    POLYGON_BIT,
    POLYGON_STIPPLE_BIT,
    PIXEL_MODE_BIT,
    LIGHTING_BIT,
    FOG_BIT,
    DEPTH_BUFFER_BIT,
    ACCUM_BUFFER_BIT,
    STENCIL_BUFFER_BIT,
    VIEWPORT_BIT,
    TRANSFORM_BIT,
    ENABLE_BIT,
    COLOR_BUFFER_BIT,
    HINT_BIT,
    EVAL_BIT,
    LIST_BIT,
    TEXTURE_BIT,
    SCISSOR_BIT,
    MULTISAMPLE_BIT,
];

/// A variable: how to change it, its value, and its groups according to the tables of glspec15 6.2.
struct Variable {
    name: &'static str,
    groups: u32,
    change: fn(&mut Context),
    /// As text, to have one type for all variables.
    value: fn(&Context) -> String,
}

macro_rules! variables {
    ($($name:literal [$($group:ident)|*] $context:ident: $change:expr => $value:expr;)*) => {
        [$(Variable {
            name: $name,
            groups: $($group)|*,
            change: |$context| { $change.expect("changed"); },
            value: |$context| format!("{:?}", $value),
        }),*]
    };
}

const VARIABLES: [Variable; 52] = variables! {
    "current colour" [CURRENT_BIT] c: c.color([0.1, 0.2, 0.3, 0.4]) => c.get_vertex_attrib(3);
    "current attribute" [CURRENT_BIT] c: c.vertex_attrib(11, [5.0f32]) => c.get_vertex_attrib(11);
    "edge flag" [CURRENT_BIT] c: c.edge_flag(EdgeFlag::NonBoundary) => c.get_edge_flag();
    "raster position" [CURRENT_BIT] c: c.window_pos([3.0f32, 4.0]) => c.get_raster_position([8, 8]);
    "point size" [POINT_BIT] c: c.point_size(3.0) => c.raster_state().point.size;
    "coordinate replacement" [POINT_BIT] c: c.coord_replace(5) => c.raster_state().point.replace;
    "point attenuation" [POINT_BIT] c: c.point_distance_attenuation([1.0, 2.0, 3.0])
        => c.state_vector(StateVector::PointAttenuation);
    "point size bounds" [POINT_BIT] c: c.point_parameter(enums::POINT_SIZE_MIN, 2.0)
        => c.state_vector(StateVector::PointSize);
    "line width" [LINE_BIT] c: c.line_width(4.0) => c.raster_state().line_width;
    "cull face" [POLYGON_BIT] c: c.cull_face(CullFace::Front) => culled(c);
    "front face" [POLYGON_BIT] c: c.front_face(FrontFace::Cw) => c.raster_state().front_face;
    "polygon mode" [POLYGON_BIT] c: c.polygon_mode(CullFace::Back, PolygonMode::Line)
        => c.raster_state().polygon_mode;
    "polygon offset" [POLYGON_BIT] c: c.polygon_offset(2.0, 3.0) => c.raster_state().offset.factor;
    "shade model" [LIGHTING_BIT] c: c.shade_model(ShadeModel::Flat) => c.raster_state().shade_model;
    "material" [LIGHTING_BIT] c: c.material(CullFace::Front, enums::SPECULAR, [0.5; 4])
        => c.state_vector(StateVector::Material { face: Face::Front, property: MaterialProperty::Specular });
    "light" [LIGHTING_BIT] c: c.light(3, LightColor::Diffuse, [0.5; 4])
        => c.state_vector(StateVector::Light { light: 3, property: LightProperty::Diffuse });
    "light model" [LIGHTING_BIT] c: c.light_model_ambient([0.5; 4])
        => c.state_vector(StateVector::LightModelAmbient);
    "colour material" [LIGHTING_BIT] c: c.color_material(CullFace::Front, enums::EMISSION)
        => c.get_color_material();
    "fog mode" [FOG_BIT] c: c.fog_mode(enums::LINEAR) => fog(c);
    "fog density" [FOG_BIT] c: c.fog_density(0.5) => c.state_vector(StateVector::FogParams);
    "fog range" [FOG_BIT] c: c.fog_range(2.0, 3.0) => c.state_vector(StateVector::FogParams);
    "fog colour" [FOG_BIT] c: c.fog_color([0.5; 4]) => c.state_vector(StateVector::FogColor);
    "depth function" [DEPTH_BUFFER_BIT] c: c.depth_func(CompareFunc::Never)
        => with(c, Cap::DepthTest).raster_state().depth.test;
    "depth mask" [DEPTH_BUFFER_BIT] c: c.depth_mask(Mask::Keep) => c.raster_state().depth.write;
    "depth clear value" [DEPTH_BUFFER_BIT] c: c.clear_depth(0.5) => c.clear_state().depth;
    "stencil function" [STENCIL_BUFFER_BIT] c: c.stencil_func(CompareFunc::Never, 1, 2) => stencil(c);
    "stencil operation" [STENCIL_BUFFER_BIT] c: c.stencil_op(StencilOp::Zero, StencilOp::Zero, StencilOp::Zero)
        => stencil(c);
    "stencil mask" [STENCIL_BUFFER_BIT] c: c.stencil_mask(3) => stencil(c);
    "stencil clear value" [STENCIL_BUFFER_BIT] c: c.clear_stencil(3) => c.clear_state().stencil;
    "viewport" [VIEWPORT_BIT] c: c.viewport([1, 2, 3, 4]) => c.raster_state().viewport;
    "depth range" [VIEWPORT_BIT] c: c.depth_range(0.25, 0.5) => c.raster_state().depth.range;
    "matrix mode" [TRANSFORM_BIT] c: c.matrix_mode(MatrixMode::Projection) => c.get_matrix_mode();
    "clip plane" [TRANSFORM_BIT] c: c.clip_plane(2, [1.0, 2.0, 3.0, 4.0])
        => c.state_vector(StateVector::ClipPlane(2));
    "alpha test" [COLOR_BUFFER_BIT] c: c.alpha_func(CompareFunc::Less, 0.5)
        => with(c, Cap::AlphaTest).raster_state().alpha_test;
    "blend function" [COLOR_BUFFER_BIT] c: c.blend_func(BlendFactor::One, BlendFactor::One)
        => with(c, Cap::Blend).raster_state().blend;
    "blend equation" [COLOR_BUFFER_BIT] c: c.blend_equation(enums::MIN)
        => with(c, Cap::Blend).raster_state().blend;
    "blend colour" [COLOR_BUFFER_BIT] c: c.blend_color([0.5; 4]) => with(c, Cap::Blend).raster_state().blend;
    "logical operation" [COLOR_BUFFER_BIT] c: c.logic_op(LogicOp::Xor)
        => with(c, Cap::ColorLogicOp).raster_state().logic_op;
    "colour mask" [COLOR_BUFFER_BIT] c: c.color_mask([Mask::Keep; 4]) => c.raster_state().color_mask;
    "colour clear value" [COLOR_BUFFER_BIT] c: c.clear_color([0.5; 4]) => c.clear_state().color;
    "draw buffer" [COLOR_BUFFER_BIT] c: c.draw_buffer(enums::AUX0)
        => c.get_draw_buffer(enums::DRAW_BUFFER);
    "scissor box" [SCISSOR_BIT] c: c.scissor([1, 2, 3, 4])
        => with(c, Cap::ScissorTest).raster_state().scissor;
    "sample coverage" [MULTISAMPLE_BIT] c: c.sample_coverage(0.5, CoverageInversion::Inverted)
        => c.get_sample_coverage();
    "sample shading" [MULTISAMPLE_BIT] c: c.min_sample_shading(0.5) => c.get_min_sample_shading_value();
    "active texture" [TEXTURE_BIT] c: c.active_texture(3) => c.get_active_texture();
    "environment colour" [TEXTURE_BIT] c: c.tex_env_color([0.5; 4]) => c.get_tex_env_color();
    "unit's LOD bias" [TEXTURE_BIT] c: c.tex_env_lod_bias(2.0) => c.get_tex_env_lod_bias();
    "eye plane" [TEXTURE_BIT] c: c.tex_gen_plane(enums::S, enums::EYE_PLANE, [0.5; 4])
        => plane(c, TexGenSpace::Eye);
    "object plane" [TEXTURE_BIT] c: c.tex_gen_plane(enums::S, enums::OBJECT_PLANE, [0.5; 4])
        => plane(c, TexGenSpace::Object);
    "texture binding" [TEXTURE_BIT] c: c.bind_texture(2, Some(texture())) => c.texture(2, TextureTarget::D2).is_some();
    "buffer texture" [TEXTURE_BIT] c: c.tex_buffer(BufferTarget::Texture, Format::R32F, 0)
        => c.get_texture_buffer();
    "buffer binding" [TEXTURE_BIT] c: c.bind_buffer(BufferTarget::Texture, 7)
        => c.get_buffer_binding(BufferTarget::Texture);
};

fn texture() -> std::sync::Arc<shadestep_core::texture::Texture> {
    use shadestep_core::texture::{Image, Sampler, Texture};
    let image = Image::from_rgba8([1, 1, 1], vec![0; 4]).expect("one texel");
    let texture = Texture::new(TextureTarget::D2, Format::Rgba8, vec![image.into()], Sampler::default());
    texture.expect("a texture").into()
}

/// A copy of the context with `cap` enabled, so that the capability's state becomes visible.
fn with(context: &Context, cap: Cap) -> Context {
    let mut context = context.clone();
    context.enable(cap).expect("enabled");
    context
}

fn culled(context: &Context) -> Option<CullFace> {
    with(context, Cap::CullFace).raster_state().cull
}

fn fog(context: &Context) -> Option<shadestep_core::pipeline::FogMode> {
    with(context, Cap::Fog).fog_state().map(|fog| fog.mode)
}

fn stencil(context: &Context) -> Option<shadestep_core::pipeline::Stencil> {
    with(context, Cap::StencilTest).raster_state().stencil
}

fn plane(context: &Context, space: TexGenSpace) -> [f32; 4] {
    context.state_vector(StateVector::TexGen { unit: 0, plane: TexGenPlane { space, coordinate: 0 } })
}

#[test]
fn each_variable_comes_back_with_its_groups_alone() {
    for Variable { name, groups, change, value } in VARIABLES {
        let initial = value(&Context::new());
        for group in GROUPS {
            let mut context = Context::new();
            context.push_attrib(group).expect("pushed");
            change(&mut context);
            let changed = value(&context);
            assert_ne!(changed, initial, "{name}");
            context.pop_attrib().expect("popped");
            let expected = if groups & group != 0 { &initial } else { &changed };
            assert_eq!(&value(&context), expected, "{name}, group {group:#x}");
        }
        let mut context = Context::new();
        context.push_attrib(ALL_ATTRIB_BITS).expect("pushed");
        change(&mut context);
        context.pop_attrib().expect("popped");
        assert_eq!(value(&context), initial, "{name}");
    }
}

#[test]
fn each_capability_comes_back_with_its_group_and_with_that_of_all() {
    for cap in Cap::all() {
        // The tables of glspec15 6.2 and of the extensions.
        let own = match cap {
            Cap::ClipPlane(_) | Cap::DepthClamp => TRANSFORM_BIT,
            Cap::VertexProgram
            | Cap::VertexProgramPointSize
            | Cap::VertexProgramTwoSide
            | Cap::TessControlProgram
            | Cap::TessEvaluationProgram
            | Cap::GeometryProgram
            | Cap::FragmentProgram
            | Cap::RasterizerDiscard => 0,
            Cap::DepthTest => DEPTH_BUFFER_BIT,
            Cap::StencilTest => STENCIL_BUFFER_BIT,
            Cap::AlphaTest | Cap::Blend | Cap::ColorLogicOp => COLOR_BUFFER_BIT,
            Cap::CullFace | Cap::PolygonOffsetFill | Cap::PolygonOffsetLine | Cap::PolygonOffsetPoint => {
                POLYGON_BIT
            }
            Cap::ScissorTest => SCISSOR_BIT,
            Cap::PointSmooth | Cap::PointSprite => POINT_BIT,
            Cap::Fog | Cap::ColorSum => FOG_BIT,
            Cap::ColorMaterial => LIGHTING_BIT,
            Cap::Multisample
            | Cap::SampleAlphaToCoverage
            | Cap::SampleAlphaToOne
            | Cap::SampleCoverage
            | Cap::SampleShading => MULTISAMPLE_BIT,
            Cap::TextureCubeMapSeamless | Cap::SampleMask => 0,
        };
        let is_in_none = matches!(cap, Cap::TextureCubeMapSeamless | Cap::SampleMask);
        let own = if is_in_none { 0 } else { own | ENABLE_BIT };
        for group in GROUPS {
            for before in [false, true] {
                let mut context = Context::new();
                if before { context.enable(cap) } else { context.disable(cap) }.expect("changed");
                context.push_attrib(group).expect("pushed");
                if before { context.disable(cap) } else { context.enable(cap) }.expect("changed");
                context.pop_attrib().expect("popped");
                let kept = group & own != 0;
                assert_eq!(context.is_enabled(cap), Ok(before == kept), "{cap:?}, group {group:#x}");
            }
        }
    }
}

#[test]
fn matrices_and_programs_are_in_no_group() {
    let mut context = Context::new();
    context.push_attrib(ALL_ATTRIB_BITS).expect("pushed");
    context.translate([1.0, 2.0, 3.0]).expect("multiplied");
    context.bind_program(enums::VERTEX_PROGRAM_NV, 9).expect("bound");
    context.program_parameter4(enums::VERTEX_PROGRAM_NV, 3, [1.0f32; 4]).expect("set");
    let kept = |c: &Context| {
        (c.current_matrix(), c.get_program_iv(enums::VERTEX_PROGRAM_ARB, enums::PROGRAM_BINDING_ARB))
    };
    let before = kept(&context);
    assert_eq!(before.1, Ok(9));
    context.pop_attrib().expect("popped");
    assert_eq!(kept(&context), before);
    assert_eq!(context.get_program_parameter(enums::VERTEX_PROGRAM_NV, 3), Ok([1.0; 4]));
}

#[test]
fn stacks_hold_sixteen_entries_which_come_back_in_turn() {
    let mut context = Context::new();
    assert_eq!(context.get_limit(Limit::AttribStackDepth), Ok(16));
    assert_eq!(context.get_limit(enums::MAX_CLIENT_ATTRIB_STACK_DEPTH), Ok(16));
    refuses(&mut context, ErrorCode::StackUnderflow, Context::pop_attrib);
    refuses(&mut context, ErrorCode::StackUnderflow, Context::pop_client_attrib);
    for n in 0..16u8 {
        assert_eq!(context.get_attrib_stack_depth(), Ok(usize::from(n)));
        context.point_size(f32::from(n) + 1.0).expect("set");
        // Bits that are not groups are ignored.
        context.push_attrib(POINT_BIT | 0x4000_0000).expect("pushed");
        context.primitive_restart_index(n.into()).expect("set");
        context.push_client_attrib(CLIENT_ALL_ATTRIB_BITS).expect("pushed");
        assert_eq!(context.get_client_attrib_stack_depth(), Ok(usize::from(n) + 1));
    }
    refuses(&mut context, ErrorCode::StackOverflow, |c| c.push_attrib(0));
    refuses(&mut context, ErrorCode::StackOverflow, |c| c.push_client_attrib(0));
    for n in (0..16u8).rev() {
        context.pop_attrib().expect("popped");
        assert_eq!(context.raster_state().point.size, f32::from(n) + 1.0);
        context.pop_client_attrib().expect("popped");
        assert_eq!(context.get_primitive_restart_index(), Ok(n.into()));
    }
    for command in [
        Context::pop_attrib,
        Context::pop_client_attrib,
        |c: &mut Context| c.push_attrib(0),
        |c: &mut Context| c.push_client_attrib(0),
    ] {
        refused_between(&mut context, command);
    }
}

#[test]
fn vertex_arrays_are_client_state() {
    let changed = |mask: u32| {
        let mut context = Context::new();
        context.push_client_attrib(mask).expect("pushed");
        context.push_attrib(ALL_ATTRIB_BITS).expect("pushed");
        let data = ArrayData::Float(vec![0.0; 8].into());
        context.vertex_attrib_pointer(6, 2, 8, data.clone()).expect("described");
        context.client_active_texture(3).expect("set");
        context.tex_coord_pointer(2, 0, data).expect("described");
        for array in [enums::VERTEX_ATTRIB_ARRAY0_NV + 6, enums::EDGE_FLAG_ARRAY, enums::PRIMITIVE_RESTART_NV]
        {
            context.enable_client_state(array).expect("enabled");
        }
        context.primitive_restart_index(7).expect("set");
        context.pop_attrib().expect("popped");
        context.pop_client_attrib().expect("popped");
        context
    };
    for mask in [CLIENT_PIXEL_STORE_BIT, 0, CLIENT_VERTEX_ARRAY_BIT, CLIENT_ALL_ATTRIB_BITS] {
        let (context, restored) = (changed(mask), mask & CLIENT_VERTEX_ARRAY_BIT != 0);
        for array in [enums::VERTEX_ATTRIB_ARRAY0_NV + 6, enums::EDGE_FLAG_ARRAY, enums::PRIMITIVE_RESTART_NV]
        {
            assert_eq!(context.is_enabled(array), Ok(!restored));
        }
        assert_eq!(context.get_vertex_attrib_array(6).expect("array 6").pointer.is_none(), restored);
        assert_eq!(context.get_client_active_texture(), Ok(if restored { 0 } else { 3 }));
        assert_eq!(context.get_primitive_restart_index(), Ok(if restored { 0 } else { 7 }));
    }
}
