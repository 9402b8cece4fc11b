//! Describes the outcomes of a pixel's fragments. The debugger and the command line use the same words.

use crate::format;
use crate::session::{Fragments, PixelRecording, PixelStatus};
use shadestep_engine::pipeline::{BlendEquation, RasterState, Test, Tested};

pub const fn outcome(outcome: PixelStatus) -> &'static str {
    match outcome {
        PixelStatus::Written => "written",
        PixelStatus::Empty => "not drawn",
        PixelStatus::Killed => "discarded",
        PixelStatus::AlphaFailed => "alpha test failed",
        PixelStatus::StencilFailed => "stencil test failed",
        PixelStatus::DepthFailed => "depth test failed",
        PixelStatus::DepthDiscarded => "depth out of range",
        PixelStatus::Uncovered => "no samples left",
    }
}

/// Describes how many fragments there are and their outcomes.
pub fn summary(fragments: &Fragments) -> String {
    let count = fragments.len();
    let fates = fragments.fates().iter();
    let fates = fates.map(|(fate, count)| format!("{} {}", format::count(*count as u64), outcome(*fate)));
    format!("{}: {}", format::grouped(count, "fragment"), fates.collect::<Vec<_>>().join(", "))
}

/// Describes a test and the values that it compared, without its result.
pub fn test(tested: &Tested) -> String {
    let words = comparison(tested);
    if tested.is_early { format!("{words}, before the program") } else { words }
}

/// Describes the compared values of a test.
fn comparison(tested: &Tested) -> String {
    let float = |value: f32| format::float(value);
    match tested.test {
        Test::Kept => "not discarded by the program".to_owned(),
        Test::DepthRange { depth, range: [low, high] } => {
            format!("depth {} within {} to {}", float(depth), float(low), float(high))
        }
        Test::Coverage { covered, left } => {
            format!("{} of {} covered samples left", left.count_ones(), covered.count_ones())
        }
        Test::Alpha { func, alpha, reference } => {
            format!("alpha {} {} {}", float(alpha), func.name(), float(reference))
        }
        Test::Stencil { func, reference, stored, mask: 0xFF, .. } => {
            format!("stencil {reference} {} {stored}", func.name())
        }
        Test::Stencil { func, reference, stored, mask, .. } => {
            format!("stencil {} {} {} (bits {mask:#04x})", reference & mask, func.name(), stored & mask)
        }
        Test::Depth { func, depth, stored, .. } => {
            format!("depth {} {} {}", float(depth), func.name(), float(stored))
        }
    }
}

/// Explains why a fragment was not drawn. `None` if it was drawn.
pub fn why(fragment: &PixelRecording) -> Option<String> {
    let failed = fragment.trace.failed()?;
    let float = |value: f32| format::float(value);
    let because = match failed.test {
        Test::Kept => "the program discarded it".to_owned(),
        Test::DepthRange { depth, range: [low, high] } => {
            format!("the program gave it depth {}, outside {} to {}", float(depth), float(low), float(high))
        }
        Test::Coverage { covered: 0, .. } => "it covers no samples".to_owned(),
        Test::Coverage { .. } => {
            "alpha, the program's sample mask, SAMPLE_COVERAGE or SAMPLE_MASK left it no samples".to_owned()
        }
        Test::Alpha { func, alpha, reference } => {
            format!(
                "the alpha test needs {} {}, but its alpha is {}",
                func.name(),
                float(reference),
                float(alpha)
            )
        }
        Test::Stencil { .. } => {
            format!("the stencil test {} fails", comparison(failed).replacen("stencil ", "", 1))
        }
        Test::Depth { func, depth, stored, .. } => format!(
            "the depth test needs {} {} (the stored depth), but its depth is {}",
            func.name(),
            float(stored),
            float(depth)
        ),
    };
    let early = if failed.is_early { ", rejected before its program ran" } else { "" };
    Some(format!("Not drawn{early}: {because}."))
}

/// Explains why a pixel can have no fragments: the scissor test, or no rasterisation.
pub fn ruled_out(state: &RasterState, [x, y]: [u32; 2]) -> Option<String> {
    if state.discard {
        return Some("RASTERIZER_DISCARD is enabled, so no primitive makes fragments.".to_owned());
    }
    let [left, bottom, width, height] = state.scissor?;
    let within = |at: u32, start: i32, length: i32| {
        (i64::from(start)..i64::from(start) + i64::from(length)).contains(&i64::from(at))
    };
    let inside = within(x, left, width) && within(y, bottom, height);
    (!inside).then(|| {
        format!(
            "The pixel is outside the scissor rectangle ({width} × {height} from {left}, {bottom}), \
             so every fragment here fails the scissor test."
        )
    })
}

/// Returns a blend equation as a formula.
pub const fn equation(equation: BlendEquation) -> &'static str {
    match equation {
        BlendEquation::Add => "source × factor + stored × factor",
        BlendEquation::Subtract => "source × factor - stored × factor",
        BlendEquation::ReverseSubtract => "stored × factor - source × factor",
        BlendEquation::Min => "the smaller of source and stored",
        BlendEquation::Max => "the larger of source and stored",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_engine::pipeline::CompareFunc;

    #[test]
    fn a_test_is_told_with_what_it_compared() {
        let tested = |test, is_early| Tested { test, passed: false, is_early };
        let depth = Test::Depth { func: CompareFunc::Less, depth: 0.75, stored: 0.5, samples: 0 };
        assert_eq!(test(&tested(depth, false)), "depth 0.75 LESS 0.5");
        assert_eq!(test(&tested(depth, true)), "depth 0.75 LESS 0.5, before the program");
        let stencil =
            Test::Stencil { func: CompareFunc::Equal, reference: 0x13, stored: 0x25, mask: 0x0F, samples: 0 };
        assert_eq!(test(&tested(stencil, false)), "stencil 3 EQUAL 5 (bits 0x0f)");
    }

    #[test]
    fn pixels_outside_of_the_scissor_rectangle_are_told() {
        let state = RasterState { scissor: Some([10, 20, 5, 5]), ..RasterState::DEFAULT };
        for inside in [[10, 20], [14, 24]] {
            assert_eq!(ruled_out(&state, inside), None);
        }
        for outside in [[9, 20], [15, 20], [12, 19], [12, 25]] {
            assert!(ruled_out(&state, outside).is_some_and(|words| words.contains("5 × 5 from 10, 20")));
        }
    }
}
