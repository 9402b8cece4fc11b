//! Enables, ranges and initial values.

use super::super::enums::Constant;
use super::super::{Cap, Context, ErrorCode, FogEquation, Mask, enums};
use super::refuses;
use ErrorCode::{InvalidEnum, InvalidValue};
use shadestep_core::pipeline::{
    BlendEquation, BlendFactor, Clear, CompareFunc, CullFace, Fog, FogMode, FrontFace, LogicOp, PolygonMode,
    RasterState, ShadeModel, StencilFace, StencilOp,
};

const CAPS: [u32; 34] = [
    enums::VERTEX_PROGRAM_NV,
    enums::VERTEX_PROGRAM_POINT_SIZE_NV,
    enums::VERTEX_PROGRAM_TWO_SIDE_NV,
    enums::FRAGMENT_PROGRAM_NV,
    enums::CLIP_PLANE0,
    enums::CLIP_PLANE0 + 1,
    enums::CLIP_PLANE0 + 2,
    enums::CLIP_PLANE0 + 3,
    enums::CLIP_PLANE0 + 4,
    enums::CLIP_PLANE0 + 5,
    enums::CLIP_PLANE0 + 6,
    enums::CLIP_PLANE0 + 7,
    enums::DEPTH_TEST,
    enums::DEPTH_CLAMP_NV,
    enums::STENCIL_TEST,
    enums::ALPHA_TEST,
    enums::BLEND,
    enums::COLOR_LOGIC_OP,
    enums::CULL_FACE,
    enums::SCISSOR_TEST,
    enums::POLYGON_OFFSET_FILL,
    enums::POLYGON_OFFSET_LINE,
    enums::POLYGON_OFFSET_POINT,
    enums::POINT_SMOOTH,
    enums::POINT_SPRITE,
    enums::FOG,
    enums::COLOR_SUM,
    enums::COLOR_MATERIAL,
    enums::TEXTURE_CUBE_MAP_SEAMLESS,
    enums::SAMPLE_ALPHA_TO_COVERAGE,
    enums::SAMPLE_ALPHA_TO_ONE,
    enums::SAMPLE_COVERAGE,
    enums::SAMPLE_MASK,
    enums::SAMPLE_SHADING,
];

#[test]
fn everything_is_disabled_at_first_and_enabled_by_itself() {
    let mut context = Context::new();
    assert_eq!(context.raster_state(), RasterState::DEFAULT);
    for cap in CAPS {
        assert_eq!(context.is_enabled(cap), Ok(false), "{cap:#x}");
        context.enable(cap).expect("enabled");
        for other in CAPS {
            assert_eq!(context.is_enabled(other), Ok(other == cap), "{other:#x} after {cap:#x}");
        }
        context.disable(cap).expect("disabled");
    }
    refuses(&mut context, InvalidEnum, |c| c.enable(enums::CLIP_PLANE0 + 8));
    refuses(&mut context, InvalidEnum, |c| c.enable(Cap::ClipPlane(8)));
    refuses(&mut context, InvalidEnum, |c| c.disable(enums::MODELVIEW));
    refuses(&mut context, InvalidEnum, |c| c.is_enabled(0u32));
}

#[test]
fn values_count_while_what_reads_them_is_enabled() {
    let mut context = Context::new();
    context.depth_func(enums::GEQUAL).expect("set");
    context.alpha_func(CompareFunc::Less, 7.0).expect("set");
    context.cull_face(CullFace::FrontAndBack).expect("set");
    context.scissor([1, 2, 3, 4]).expect("set");
    context.logic_op(LogicOp::Xor).expect("set");
    context.blend_func(BlendFactor::SrcAlphaSaturate, BlendFactor::ConstantAlpha).expect("set");
    context.blend_equation(BlendEquation::Max).expect("set");
    context.blend_color([-1.0, 0.5, 2.0, f32::NAN]).expect("set");
    assert_eq!(context.raster_state(), RasterState::DEFAULT);
    for cap in CAPS {
        context.enable(cap).expect("enabled");
    }
    let state = context.raster_state();
    assert_eq!(state.depth.test, Some(CompareFunc::Gequal));
    assert!(state.depth.clamp);
    assert_eq!(state.alpha_test, Some((CompareFunc::Less, 1.0)), "the reference is clamped");
    assert_eq!(state.cull, Some(CullFace::FrontAndBack));
    assert_eq!(state.scissor, Some([1, 2, 3, 4]));
    assert_eq!(state.logic_op, Some(LogicOp::Xor));
    let blend = state.blend.expect("enabled");
    let factors = [BlendFactor::SrcAlphaSaturate, BlendFactor::ConstantAlpha];
    assert_eq!((blend.equation, blend.rgb, blend.alpha), (BlendEquation::Max, factors, factors));
    assert_eq!(blend.color, [0.0, 0.5, 1.0, 0.0], "the colour is clamped");
    assert_eq!(state.clip_distances, 0b1111_1111);
    assert!(state.two_side && state.point.from_program && state.point.smooth && state.point.sprite);
    assert!(state.offset.fill && state.offset.line && state.offset.point);
    assert!(state.stencil.is_some());
}

#[test]
fn rasterisation_state_is_set_by_its_commands() {
    let mut context = Context::new();
    context.viewport([1, 2, 3, 4]).expect("set");
    context.depth_range(2.0, -1.0).expect("set");
    context.front_face(FrontFace::Cw).expect("set");
    context.polygon_mode(enums::BACK, enums::LINE).expect("set");
    context.polygon_offset(1.5, 2.5).expect("set");
    context.shade_model(ShadeModel::Flat).expect("set");
    context.line_width(3.0).expect("set");
    context.point_size(4.0).expect("set");
    context.coord_replace(0b101).expect("set");
    context.depth_mask(Mask::Keep).expect("set");
    context.color_mask([Mask::Keep, Mask::Write, Mask::Keep, Mask::Write]).expect("set");
    let state = context.raster_state();
    assert_eq!(state.viewport, Some([1, 2, 3, 4]));
    assert_eq!(state.depth.range, [1.0, 0.0], "clamped");
    assert_eq!(state.front_face, FrontFace::Cw);
    assert_eq!(state.polygon_mode, [PolygonMode::Fill, PolygonMode::Line]);
    assert_eq!((state.offset.factor, state.offset.units), (1.5, 2.5));
    assert_eq!(state.shade_model, ShadeModel::Flat);
    assert_eq!((state.line_width, state.point.size, state.point.replace), (3.0, 4.0, 0b101));
    assert!(!state.depth.write);
    assert_eq!(state.color_mask, [false, true, false, true]);
    refuses(&mut context, InvalidValue, |c| c.viewport([0, 0, -1, 1]));
    refuses(&mut context, InvalidValue, |c| c.scissor([0, 0, 1, -1]));
    for size in [0.0, -1.0, f32::NAN] {
        refuses(&mut context, InvalidValue, |c| c.line_width(size));
        refuses(&mut context, InvalidValue, |c| c.point_size(size));
    }
    refuses(&mut context, InvalidEnum, |c| c.front_face(enums::FRONT));
    refuses(&mut context, InvalidEnum, |c| c.cull_face(enums::CW));
    refuses(&mut context, InvalidEnum, |c| c.polygon_mode(enums::BACK, enums::SMOOTH));
    refuses(&mut context, InvalidEnum, |c| c.polygon_mode(enums::CW, enums::FILL));
    refuses(&mut context, InvalidEnum, |c| c.shade_model(enums::FILL));
}

#[test]
fn stencil_state_is_set_for_one_face_or_both() {
    let mut context = Context::new();
    context.enable(enums::STENCIL_TEST).expect("enabled");
    assert_eq!(context.raster_state().stencil.map(|s| [s.front, s.back]), Some([StencilFace::DEFAULT; 2]));
    context.stencil_func(CompareFunc::Equal, 300, 0x1F0).expect("set");
    context
        .stencil_op_separate(CullFace::Back, StencilOp::Zero, StencilOp::IncrWrap, enums::INVERT)
        .expect("set");
    context.stencil_mask_separate(CullFace::Front, 0x10F).expect("set");
    let stencil = context.raster_state().stencil.expect("enabled");
    let both =
        StencilFace { func: CompareFunc::Equal, reference: 255, read_mask: 0xF0, ..StencilFace::DEFAULT };
    assert_eq!(stencil.front, StencilFace { write_mask: 0x0F, ..both });
    let ops = (StencilOp::Zero, StencilOp::IncrWrap, StencilOp::Invert);
    assert_eq!((stencil.back.fail, stencil.back.depth_fail, stencil.back.pass), ops);
    assert_eq!((stencil.back.func, stencil.back.write_mask), (CompareFunc::Equal, 0xFF));
    context.stencil_func_separate(CullFace::Front, CompareFunc::Never, -5, 1).expect("set");
    let stencil = context.raster_state().stencil.expect("enabled");
    assert_eq!((stencil.front.func, stencil.front.reference), (CompareFunc::Never, 0));
    assert_eq!(stencil.back.func, CompareFunc::Equal);
    refuses(&mut context, InvalidEnum, |c| c.stencil_func(enums::KEEP, 0, 0));
    refuses(&mut context, InvalidEnum, |c| c.stencil_op(enums::KEEP, enums::KEEP, enums::NEVER));
    refuses(&mut context, InvalidEnum, |c| c.stencil_mask_separate(0u32, 0));
}

/// The blend factors with their constants (table 4.2 and New Tokens of ARB_blend_func_extended).
const FACTORS: [(u32, BlendFactor); 19] = [
    (0, BlendFactor::Zero),
    (1, BlendFactor::One),
    (0x0300, BlendFactor::SrcColor),
    (0x0301, BlendFactor::OneMinusSrcColor),
    (0x0302, BlendFactor::SrcAlpha),
    (0x0303, BlendFactor::OneMinusSrcAlpha),
    (0x0304, BlendFactor::DstAlpha),
    (0x0305, BlendFactor::OneMinusDstAlpha),
    (0x0306, BlendFactor::DstColor),
    (0x0307, BlendFactor::OneMinusDstColor),
    (0x0308, BlendFactor::SrcAlphaSaturate),
    (0x8001, BlendFactor::ConstantColor),
    (0x8002, BlendFactor::OneMinusConstantColor),
    (0x8003, BlendFactor::ConstantAlpha),
    (0x8004, BlendFactor::OneMinusConstantAlpha),
    (0x88F9, BlendFactor::Src1Color),
    (0x88FA, BlendFactor::OneMinusSrc1Color),
    // SOURCE1_ALPHA of ARB_texture_env_combine.
    (0x8589, BlendFactor::Src1Alpha),
    (0x88FB, BlendFactor::OneMinusSrc1Alpha),
];

#[test]
fn every_factor_may_stand_in_every_place_and_is_told() {
    let mut context = Context::new();
    let told = |context: &Context| {
        let queries =
            [enums::BLEND_SRC_RGB, enums::BLEND_DST_RGB, enums::BLEND_SRC_ALPHA, enums::BLEND_DST_ALPHA];
        queries.map(|query| context.get_blend_factor(query).expect("a factor"))
    };
    let (one, zero) = (BlendFactor::One, BlendFactor::Zero);
    assert_eq!(told(&context), [one, zero, one, zero]);
    for (number, factor) in FACTORS {
        assert_eq!(factor.constant(), number);
        context.blend_func(number, enums::ONE).expect("set");
        assert_eq!(told(&context), [factor, one, factor, one]);
        context.blend_func(enums::ONE, number).expect("set");
        assert_eq!(told(&context), [one, factor, one, factor]);
        for place in 0..4 {
            let mut factors = [0; 4];
            factors[place] = number;
            let [source, destination, source_alpha, destination_alpha] = factors;
            context.blend_func_separate(source, destination, source_alpha, destination_alpha).expect("set");
            let mut expected = [zero; 4];
            expected[place] = factor;
            assert_eq!(told(&context), expected);
        }
    }
}

#[test]
fn blend_factors_that_cannot_be_are_refused() {
    let mut context = Context::new();
    for other in [enums::NEVER, enums::BLEND_SRC_RGB, 0x88F8, enums::MAX_DUAL_SOURCE_DRAW_BUFFERS] {
        refuses(&mut context, InvalidEnum, |c| c.blend_func(other, enums::ONE));
        refuses(&mut context, InvalidEnum, |c| c.blend_func(enums::ONE, other));
        let one = enums::ONE;
        refuses(&mut context, InvalidEnum, |c| c.blend_func_separate(one, one, other, one));
        refuses(&mut context, InvalidEnum, |c| c.blend_func_separate(one, one, one, other));
    }
    refuses(&mut context, InvalidEnum, |c| c.get_blend_factor(enums::SRC1_COLOR));
    refuses(&mut context, InvalidEnum, |c| c.blend_equation(enums::ONE));
    refuses(&mut context, InvalidEnum, |c| c.logic_op(enums::FUNC_ADD));
    refuses(&mut context, InvalidEnum, |c| c.alpha_func(enums::ONE, 0.0));
    refuses(&mut context, InvalidEnum, |c| c.depth_func(enums::ONE));
    context.enable(enums::BLEND).expect("enabled");
    context.blend_func_separate(enums::ZERO, enums::ONE, enums::DST_ALPHA, enums::SRC_COLOR).expect("set");
    let blend = context.raster_state().blend.expect("enabled");
    assert_eq!(blend.rgb, [BlendFactor::Zero, BlendFactor::One]);
    assert_eq!(blend.alpha, [BlendFactor::DstAlpha, BlendFactor::SrcColor]);
}

#[test]
fn fog_and_clear_values_start_and_are_limited_as_the_text_says() {
    let mut context = Context::new();
    assert_eq!(context.fog_state(), None);
    context.enable(enums::FOG).expect("enabled");
    let fog = Fog { mode: FogMode::Exp { density: 1.0 }, color: [0.0; 4] };
    assert_eq!(context.fog_state(), Some(fog));
    context.fog_mode(FogEquation::Linear).expect("set");
    context.fog_color([2.0, -1.0, 0.5, 1.0]).expect("set");
    let fog = Fog { mode: FogMode::Linear { start: 0.0, end: 1.0 }, color: [1.0, 0.0, 0.5, 1.0] };
    assert_eq!(context.fog_state(), Some(fog));
    context.fog_range(2.0, 5.0).expect("set");
    assert_eq!(context.fog_state().map(|fog| fog.mode), Some(FogMode::Linear { start: 2.0, end: 5.0 }));
    context.fog_mode(enums::EXP2).expect("set");
    context.fog_density(0.25).expect("set");
    assert_eq!(context.fog_state().map(|fog| fog.mode), Some(FogMode::Exp2 { density: 0.25 }));
    refuses(&mut context, InvalidValue, |c| c.fog_density(-0.5));
    refuses(&mut context, InvalidEnum, |c| c.fog_mode(enums::FOG));
    assert_eq!(context.clear_state(), Clear { color: [0.0; 4], depth: 1.0, stencil: 0 });
    context.clear_color([2.0, 0.5, -1.0, 1.0]).expect("set");
    context.clear_depth(-3.0).expect("set");
    context.clear_stencil(0x1FE).expect("set");
    let clear = Clear { color: [1.0, 0.5, 0.0, 1.0], depth: 0.0, stencil: 0xFE };
    assert_eq!(context.clear_state(), clear);
}
