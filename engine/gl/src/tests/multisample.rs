//! Multisample state: initial values, ranges, errors, and its effect on draws.

use super::super::{Cap, Context, CoverageInversion, ErrorCode, Limit, enums};
use super::{refused_between, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{ColorFormat, Framebuffer, MultisampleState, SampleCoverage, Samples};

#[test]
fn windows_have_the_samples_that_were_chosen() {
    let mut context = Context::new();
    let of_window = |context: &Context| {
        [enums::SAMPLE_BUFFERS, enums::SAMPLES].map(|query| context.get_samples(query).expect("a number"))
    };
    assert_eq!(of_window(&context), [0, 0]);
    refuses(&mut context, InvalidValue, |c| c.get_multisample_f(enums::SAMPLE_POSITION, 0));
    context.choose_samples(Samples::Four).expect("chosen");
    assert_eq!(of_window(&context), [1, 4]);
    assert_eq!(context.get_multisample_f(enums::SAMPLE_POSITION, 3), Ok([0.625, 0.875]));
    assert_eq!(context.get_multisample_f_nv(enums::SAMPLE_POSITION, 0), Ok([0.375, 0.125]));
    refuses(&mut context, InvalidValue, |c| c.get_multisample_f(enums::SAMPLE_POSITION, 4));
    refuses(&mut context, InvalidOperation, |c| c.get_multisample_f_nv(enums::SAMPLE_POSITION, 4));
    refuses(&mut context, InvalidEnum, |c| c.get_multisample_f(enums::SAMPLES, 0));
    refuses(&mut context, InvalidEnum, |c| c.get_samples(enums::SAMPLE_COVERAGE));
    assert_eq!(context.get_limit(Limit::Samples), Ok(16));
    assert_eq!(context.get_limit(enums::MAX_SAMPLE_MASK_WORDS), Ok(1));
    for samples in
        [enums::MAX_COLOR_TEXTURE_SAMPLES, enums::MAX_DEPTH_TEXTURE_SAMPLES, enums::MAX_INTEGER_SAMPLES]
    {
        assert_eq!(context.get_limit(samples), Ok(16));
    }
}

#[test]
fn state_begins_as_the_tables_say_and_is_clamped() {
    let mut context = Context::new();
    assert_eq!(context.is_enabled(Cap::Multisample), Ok(true));
    assert_eq!(context.get_sample_coverage(), Ok(SampleCoverage { value: 1.0, invert: false }));
    assert_eq!(context.get_sample_mask_value(0), Ok(u32::MAX));
    assert_eq!(context.get_min_sample_shading_value(), Ok(0.0));
    for (given, kept) in [(-1.0, 0.0), (0.25, 0.25), (7.0, 1.0)] {
        context.sample_coverage(given, CoverageInversion::Inverted).expect("set");
        context.min_sample_shading(given).expect("set");
        assert_eq!(context.get_sample_coverage(), Ok(SampleCoverage { value: kept, invert: true }));
        assert_eq!(context.get_min_sample_shading_value(), Ok(kept));
    }
    context.sample_mask_i(0, 5).expect("set");
    refuses(&mut context, InvalidValue, |c| c.sample_mask_i(1, 7));
    refuses(&mut context, InvalidOperation, |c| c.sample_mask_indexed_nv(1, 7));
    refuses(&mut context, InvalidValue, |c| c.get_sample_mask_value(1));
    assert_eq!(context.get_sample_mask_value(0), Ok(5));
    context.sample_mask_indexed_nv(0, 6).expect("set");
    // Disabled features have no effect.
    assert_eq!(context.raster_state().multisample, MultisampleState::DEFAULT);
    for cap in [
        Cap::SampleAlphaToCoverage,
        Cap::SampleAlphaToOne,
        Cap::SampleCoverage,
        Cap::SampleMask,
        Cap::SampleShading,
    ] {
        context.enable(cap).expect("enabled");
    }
    context.disable(enums::MULTISAMPLE).expect("disabled");
    context.choose_samples(Samples::Two).expect("chosen");
    let expected = MultisampleState {
        samples: Samples::Two,
        enabled: false,
        alpha_to_coverage: true,
        alpha_to_one: true,
        coverage: Some(SampleCoverage { value: 1.0, invert: true }),
        mask: Some(6),
        shading: Some(1.0),
    };
    assert_eq!(context.raster_state().multisample, expected);
}

#[test]
fn nothing_of_it_stands_between_begin_and_end() {
    let mut context = Context::new();
    refused_between(&mut context, |c| c.sample_coverage(0.5, CoverageInversion::Kept));
    refused_between(&mut context, |c| c.sample_mask_i(0, 1));
    refused_between(&mut context, |c| c.min_sample_shading(0.5));
    refused_between(&mut context, |c| c.choose_samples(Samples::Two));
    refused_between(&mut context, |c| c.get_multisample_f(enums::SAMPLE_POSITION, 0));
    refused_between(&mut context, |c| c.get_samples(enums::SAMPLES));
}

#[test]
fn framebuffers_have_to_have_the_samples_that_were_chosen() {
    let mut context = Context::new();
    context.choose_samples(Samples::Eight).expect("chosen");
    let call = context.prepare_viewport_quad().expect("a draw");
    let of = |samples| Framebuffer::with_samples(2, 2, samples, ColorFormat::Rgba8, &[]).expect("small");
    assert_eq!(call.refuse_target(&of(Samples::Eight)), Ok(()));
    assert_eq!(call.refuse_target(&of(Samples::One)).unwrap_err().code, InvalidOperation);
}
