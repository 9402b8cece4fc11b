//! Tests of blending, logical operations and colour masks.

use super::*;

// All products and sums of these are exact.
const SOURCE: [f32; 4] = [0.25, 0.5, 0.75, 0.625];
const STORED: [f32; 4] = [0.5, 0.125, 1.0, 0.75];
const CONSTANT: [f32; 4] = [0.75, 0.25, 0.5, 0.125];

const SECOND: [f32; 4] = [0.375, 0.25, 0.875, 0.5];

/// Table 4.2 of ARB_blend_func_extended for the colours above.
const FACTORS: [(BlendFactor, [f32; 4]); 19] = [
    (BlendFactor::Zero, [0.0; 4]),
    (BlendFactor::One, [1.0; 4]),
    (BlendFactor::SrcColor, [0.25, 0.5, 0.75, 0.625]),
    (BlendFactor::OneMinusSrcColor, [0.75, 0.5, 0.25, 0.375]),
    (BlendFactor::DstColor, [0.5, 0.125, 1.0, 0.75]),
    (BlendFactor::OneMinusDstColor, [0.5, 0.875, 0.0, 0.25]),
    (BlendFactor::SrcAlpha, [0.625; 4]),
    (BlendFactor::OneMinusSrcAlpha, [0.375; 4]),
    (BlendFactor::DstAlpha, [0.75; 4]),
    (BlendFactor::OneMinusDstAlpha, [0.25; 4]),
    (BlendFactor::ConstantColor, [0.75, 0.25, 0.5, 0.125]),
    (BlendFactor::OneMinusConstantColor, [0.25, 0.75, 0.5, 0.875]),
    (BlendFactor::ConstantAlpha, [0.125; 4]),
    (BlendFactor::OneMinusConstantAlpha, [0.875; 4]),
    // min(0.625, 1 - 0.75).
    (BlendFactor::SrcAlphaSaturate, [0.25, 0.25, 0.25, 1.0]),
    (BlendFactor::Src1Color, [0.375, 0.25, 0.875, 0.5]),
    (BlendFactor::OneMinusSrc1Color, [0.625, 0.75, 0.125, 0.5]),
    (BlendFactor::Src1Alpha, [0.5; 4]),
    (BlendFactor::OneMinusSrc1Alpha, [0.5; 4]),
];

fn blending(equation: BlendEquation, rgb: [BlendFactor; 2], alpha: [BlendFactor; 2]) -> RasterState {
    RasterState { blend: Some(Blend { equation, rgb, alpha, color: CONSTANT }), ..RasterState::DEFAULT }
}

/// The colour after one fragment with the colour `source` and the second colour [`SECOND`].
fn dual_after(state: &RasterState, stored: [f32; 4], source: [f32; 4]) -> [f32; 4] {
    let fragment = Fragment { color: source, second_color: SECOND, ..WHITE };
    merged(state, Pixel { color: stored, ..CLEAR }, &[fragment]).0.color
}

#[test]
fn blend_factors_are_those_of_the_table() {
    use BlendFactor::{One, Zero};
    for (factor, values) in FACTORS {
        let product = |color: [f32; 4]| -> [f32; 4] { std::array::from_fn(|c| color[c] * values[c]) };
        let (source, stored) = (product(SOURCE), product(STORED));
        let blended = |rgb, alpha| dual_after(&blending(BlendEquation::Add, rgb, alpha), STORED, SOURCE);
        assert_eq!(blended([factor, Zero], [factor, Zero]), source, "{factor:?}");
        assert_eq!(blended([Zero, factor], [Zero, factor]), stored, "{factor:?}");
        // r, g, b and a have separate factors.
        assert_eq!(blended([factor, Zero], [Zero, One])[..3], source[..3]);
        assert_eq!(blended([factor, Zero], [Zero, One])[3], 0.75);
        assert_eq!(blended([One, Zero], [Zero, factor])[..3], SOURCE[..3]);
        assert_eq!(blended([One, Zero], [Zero, factor])[3], stored[3]);
    }
    // min(0.625, 1 - 0.125).
    let state = blending(BlendEquation::Add, [BlendFactor::SrcAlphaSaturate, Zero], [One, Zero]);
    assert_eq!(color_after(&state, [0.0, 0.0, 0.0, 0.125], SOURCE), [0.15625, 0.3125, 0.46875, 0.625]);
}

/// Colours as multiples of 1 / `one`.
struct Units {
    one: i32,
    source: [i32; 4],
    second: [i32; 4],
    stored: [i32; 4],
    constant: [i32; 4],
}

impl Units {
    /// A row of the table for component `c`, in units.
    fn factor(&self, factor: BlendFactor, c: usize) -> i32 {
        let Self { one, source, second, stored, constant } = self;
        match factor {
            BlendFactor::Zero => 0,
            BlendFactor::One => *one,
            BlendFactor::SrcColor => source[c],
            BlendFactor::OneMinusSrcColor => one - source[c],
            BlendFactor::DstColor => stored[c],
            BlendFactor::OneMinusDstColor => one - stored[c],
            BlendFactor::SrcAlpha => source[3],
            BlendFactor::OneMinusSrcAlpha => one - source[3],
            BlendFactor::DstAlpha => stored[3],
            BlendFactor::OneMinusDstAlpha => one - stored[3],
            BlendFactor::ConstantColor => constant[c],
            BlendFactor::OneMinusConstantColor => one - constant[c],
            BlendFactor::ConstantAlpha => constant[3],
            BlendFactor::OneMinusConstantAlpha => one - constant[3],
            BlendFactor::SrcAlphaSaturate if c == 3 => *one,
            BlendFactor::SrcAlphaSaturate => source[3].min(one - stored[3]),
            BlendFactor::Src1Color => second[c],
            BlendFactor::OneMinusSrc1Color => one - second[c],
            BlendFactor::Src1Alpha => second[3],
            BlendFactor::OneMinusSrc1Alpha => one - second[3],
        }
    }

    /// The blended component `c`, in units of 1 / `one` squared.
    fn blended(&self, equation: BlendEquation, [from, to]: [BlendFactor; 2], c: usize) -> i32 {
        let (source, stored) = (self.source[c] * self.factor(from, c), self.stored[c] * self.factor(to, c));
        let sum = match equation {
            BlendEquation::Add => source + stored,
            BlendEquation::Subtract => source - stored,
            BlendEquation::ReverseSubtract => stored - source,
            BlendEquation::Min | BlendEquation::Max => panic!("factors play no part"),
        };
        sum.clamp(0, self.one * self.one)
    }

    /// Blends with these factors in a buffer of this format.
    fn drawn(
        &self,
        format: ColorFormat,
        equation: BlendEquation,
        rgb: [BlendFactor; 2],
        alpha: [BlendFactor; 2],
    ) -> [f32; 4] {
        let number = |units: [i32; 4]| units.map(|value| value as f32 / self.one as f32);
        let blend = Blend { equation, rgb, alpha, color: number(self.constant) };
        let state = RasterState { blend: Some(blend), ..RasterState::DEFAULT };
        let (color, second_color) = (number(self.source), number(self.second));
        let merge = Merge::new(&state, merging(DepthSource::Window, 1), format);
        let before = Pixel { color: number(self.stored), ..CLEAR };
        merged_in(format, &merge, before, &[Fragment { color, second_color, ..WHITE }]).0.color
    }
}

#[test]
fn every_pair_of_factors_weighs_both_colors_in_both_formats() {
    // Eighths: products and sums are exact in fp32.
    let eighths = Units {
        one: 8,
        source: [2, 4, 6, 5],
        second: [3, 2, 7, 1],
        stored: [4, 1, 8, 6],
        constant: [6, 2, 4, 1],
    };
    // 8-bit levels: the result is the nearest level. 255 is odd, so there are no ties.
    let levels = Units {
        one: 255,
        source: [64, 128, 191, 160],
        second: [97, 3, 254, 45],
        stored: [200, 31, 255, 180],
        constant: [190, 66, 127, 33],
    };
    for equation in [BlendEquation::Add, BlendEquation::Subtract, BlendEquation::ReverseSubtract] {
        for (from, _) in FACTORS {
            for (to, _) in FACTORS {
                // Alpha has the same factors, exchanged.
                let (rgb, alpha) = ([from, to], [to, from]);
                let pair = |c| if c == 3 { alpha } else { rgb };
                let expected = [0, 1, 2, 3].map(|c| eighths.blended(equation, pair(c), c) as f32 / 64.0);
                let drawn = eighths.drawn(ColorFormat::Rgba32F, equation, rgb, alpha);
                assert_eq!(drawn, expected, "{equation:?} {from:?} {to:?}");
                let expected = [0, 1, 2, 3].map(|c| {
                    let level = (2 * levels.blended(equation, pair(c), c) + 255) / 510;
                    level as f32 / 255.0
                });
                let drawn = levels.drawn(ColorFormat::Rgba8, equation, rgb, alpha);
                assert_eq!(drawn, expected, "{equation:?} {from:?} {to:?}");
            }
        }
    }
}

#[test]
fn a_second_color_is_clamped_and_zeros_where_the_program_writes_none() {
    use BlendFactor::{OneMinusSrc1Alpha, OneMinusSrc1Color, Src1Alpha, Src1Color, Zero};
    let after = |state: &RasterState, merging: Merging, second_color: [f32; 4]| {
        let merge = Merge::new(state, merging, ColorFormat::Rgba32F);
        let fragment = Fragment { color: SOURCE, second_color, ..WHITE };
        merged_by(&merge, Pixel { color: STORED, ..CLEAR }, &[fragment]).0.color
    };
    let writes = merging(DepthSource::Window, 1);
    let odd = [7.0, -2.0, f32::NAN, f32::INFINITY];
    let colors = blending(BlendEquation::Add, [Src1Color, Zero], [Src1Color, Zero]);
    assert_eq!(after(&colors, writes, odd), [0.25, 0.0, 0.0, 0.625]);
    let rests = blending(BlendEquation::Add, [Zero, OneMinusSrc1Color], [Zero, OneMinusSrc1Color]);
    assert_eq!(after(&rests, writes, odd), [0.0, 0.125, 1.0, 0.0]);
    // Garbage in place of a second colour that the program does not write.
    let none = Merging { writes_secondary: false, ..writes };
    for (one, rest) in [(Src1Color, OneMinusSrc1Color), (Src1Alpha, OneMinusSrc1Alpha)] {
        let state = blending(BlendEquation::Add, [one, rest], [rest, one]);
        assert_eq!(after(&state, none, [0.5; 4]), [STORED[0], STORED[1], STORED[2], SOURCE[3]]);
    }
    // A program may write only the second colour.
    let alone = Merging { colors_written: 0, ..writes };
    let state = blending(BlendEquation::Add, [Zero, Src1Color], [Zero, Src1Alpha]);
    assert_eq!(after(&state, alone, [0.5, 1.0, 0.25, 0.5]), [0.25, 0.125, 0.25, 0.375]);
    // The mask keeps components unchanged.
    let masked = RasterState { color_mask: [false, true, true, false], ..state };
    assert_eq!(after(&masked, writes, [0.5; 4]), [0.5, 0.0625, 0.5, 0.75]);
    // A logical operation disables blending.
    let noop = RasterState { logic_op: Some(LogicOp::Set), ..state };
    assert_eq!(after(&noop, writes, [0.5; 4]), [1.0; 4]);
}

#[test]
fn blend_equations_combine_weighted_colors_and_clamp() {
    use BlendFactor::{DstAlpha, One, SrcAlpha, Zero};
    for (equation, sums) in [
        (BlendEquation::Add, [0.75, 0.625, 1.0, 1.0]),
        (BlendEquation::Subtract, [0.0, 0.375, 0.0, 0.0]),
        (BlendEquation::ReverseSubtract, [0.25, 0.0, 0.25, 0.125]),
        (BlendEquation::Min, [0.25, 0.125, 0.75, 0.625]),
        (BlendEquation::Max, [0.5, 0.5, 1.0, 0.75]),
    ] {
        assert_eq!(
            color_after(&blending(equation, [One; 2], [One; 2]), STORED, SOURCE),
            sums,
            "{equation:?}"
        );
    }
    // Source times 0.625: (0.15625, 0.3125, 0.46875, 0.390625); stored times 0.75: (0.375, 0.09375, 0.75,
    // 0.5625).
    for (equation, weighted) in [
        (BlendEquation::Add, [0.53125, 0.40625, 1.0, 0.953125]),
        (BlendEquation::Subtract, [0.0, 0.21875, 0.0, 0.0]),
        (BlendEquation::ReverseSubtract, [0.21875, 0.0, 0.28125, 0.171875]),
        (BlendEquation::Min, [0.25, 0.125, 0.75, 0.625]),
        (BlendEquation::Max, [0.5, 0.5, 1.0, 0.75]),
    ] {
        let state = blending(equation, [SrcAlpha, DstAlpha], [SrcAlpha, DstAlpha]);
        assert_eq!(color_after(&state, STORED, SOURCE), weighted, "{equation:?}");
        // MIN and MAX ignore factors.
        if matches!(equation, BlendEquation::Min | BlendEquation::Max) {
            assert_eq!(color_after(&blending(equation, [Zero; 2], [Zero; 2]), STORED, SOURCE), weighted);
        }
    }
}

#[test]
fn transparency_is_drawn_over_what_is_there() {
    use BlendFactor::{OneMinusSrcAlpha, SrcAlpha};
    let over = [SrcAlpha, OneMinusSrcAlpha];
    let state = blending(BlendEquation::Add, over, over);
    // 0.625 of the source and 0.375 of the stored colour.
    assert_eq!(color_after(&state, STORED, SOURCE), [0.34375, 0.359375, 0.84375, 0.671875]);
    // A mask selects another code path with the same result.
    let masked = RasterState { color_mask: [true, true, true, false], ..state };
    assert_eq!(color_after(&masked, STORED, SOURCE), [0.34375, 0.359375, 0.84375, 0.75]);
}

#[test]
fn blending_clamps_its_operands() {
    use BlendFactor::{ConstantColor, One, Zero};
    let sources = [2.0, -1.0, f32::NAN, f32::INFINITY];
    let state = blending(BlendEquation::Add, [One; 2], [One; 2]);
    assert_eq!(color_after(&state, [-3.0, 4.0, 0.5, f32::NAN], sources), [1.0, 1.0, 0.5, 1.0]);
    let state = blending(BlendEquation::Subtract, [One; 2], [One; 2]);
    // 1 - 0.5, not 2 - 0.5; 1 - 0; 0.25 - 0; 1 - 1.
    let stored = [0.5, f32::NEG_INFINITY, f32::NAN, 7.0];
    assert_eq!(color_after(&state, stored, [2.0, 9.0, 0.25, 2.0]), [0.5, 1.0, 0.25, 0.0]);
    for equation in [BlendEquation::Min, BlendEquation::Max] {
        let state = blending(equation, [One; 2], [One; 2]);
        assert_eq!(color_after(&state, [3.0; 4], [2.0; 4]), [1.0; 4]);
        assert_eq!(color_after(&state, [-3.0; 4], [f32::NAN; 4]), [0.0; 4]);
    }
    let blend = Blend {
        equation: BlendEquation::Add,
        rgb: [ConstantColor, Zero],
        alpha: [ConstantColor, Zero],
        color: [4.0, -1.0, f32::NAN, 0.5],
    };
    let state = RasterState { blend: Some(blend), ..RasterState::DEFAULT };
    assert_eq!(color_after(&state, STORED, [0.5; 4]), [0.5, 0.0, 0.0, 0.25]);
}

#[test]
fn without_operations_colors_are_stored_bit_for_bit() {
    let odd = [f32::from_bits(0x7FC1_2345), -0.0, f32::INFINITY, f32::from_bits(1)];
    let stored = color_after(&RasterState::DEFAULT, [0.25; 4], odd);
    assert_eq!(stored.map(f32::to_bits), odd.map(f32::to_bits));
}

/// `s` = 0xCC and `d` = 0xAA have every pair of bits.
const OPERATIONS: [(LogicOp, u8); 16] = [
    (LogicOp::Clear, 0x00),
    (LogicOp::And, 0x88),
    (LogicOp::AndReverse, 0x44),
    (LogicOp::Copy, 0xCC),
    (LogicOp::AndInverted, 0x22),
    (LogicOp::Noop, 0xAA),
    (LogicOp::Xor, 0x66),
    (LogicOp::Or, 0xEE),
    (LogicOp::Nor, 0x11),
    (LogicOp::Equiv, 0x99),
    (LogicOp::Invert, 0x55),
    (LogicOp::OrReverse, 0xDD),
    (LogicOp::CopyInverted, 0x33),
    (LogicOp::OrInverted, 0xBB),
    (LogicOp::Nand, 0x77),
    (LogicOp::Set, 0xFF),
];

#[test]
fn logical_operations_work_on_256_levels_and_turn_blending_off() {
    let level = |k: u8| f32::from(k) / 255.0;
    for (op, expected) in OPERATIONS {
        let blend = Blend {
            equation: BlendEquation::Add,
            rgb: [BlendFactor::Zero; 2],
            alpha: [BlendFactor::Zero; 2],
            color: [0.0; 4],
        };
        for blend in [None, Some(blend)] {
            let state = RasterState { logic_op: Some(op), blend, ..RasterState::DEFAULT };
            let result = color_after(&state, [level(0xAA); 4], [level(0xCC); 4]);
            assert_eq!(result, [level(expected); 4], "{op:?}");
            // A change of less than half a level has no effect.
            let result = color_after(&state, [level(0xAA) - 0.0019; 4], [level(0xCC) + 0.0019; 4]);
            assert_eq!(result, [level(expected); 4], "{op:?}");
        }
    }
    // 127.5 is halfway between 127 and 128 and rounds to the even 128. Values outside of the range are
    // clamped.
    let copy = RasterState { logic_op: Some(LogicOp::Copy), ..RasterState::DEFAULT };
    let result = color_after(&copy, [0.0; 4], [0.5, 2.0, -1.0, f32::NAN]);
    assert_eq!(result, [level(128), 1.0, 0.0, 0.0]);
}

#[test]
fn masked_components_keep_their_bits() {
    let stored = [f32::from_bits(0x7FC1_2345), -0.0, 7.0, -3.5];
    let one = [BlendFactor::One, BlendFactor::Zero];
    for mask in 0..16 {
        let color_mask = [0, 1, 2, 3].map(|c| mask >> c & 1 != 0);
        let store = RasterState { color_mask, ..RasterState::DEFAULT };
        let blend = RasterState { color_mask, ..blending(BlendEquation::Add, one, one) };
        let logic = RasterState { logic_op: Some(LogicOp::Set), ..store };
        for (state, new) in [(store, SOURCE), (blend, SOURCE), (logic, [1.0; 4])] {
            let result = color_after(&state, stored, SOURCE);
            for c in 0..4 {
                let expected = if color_mask[c] { new[c] } else { stored[c] };
                assert_eq!(result[c].to_bits(), expected.to_bits(), "{mask:b} {c}");
            }
        }
    }
}

#[test]
fn a_color_mask_leaves_depth_and_stencil_alone() {
    let face = StencilFace { pass: StencilOp::Incr, ..StencilFace::DEFAULT };
    let state = RasterState {
        color_mask: [false; 4],
        depth: DepthState::LESS,
        stencil: Some(Stencil { front: face, back: face }),
        ..RasterState::DEFAULT
    };
    let (pixel, stats) = merged(&state, CLEAR, &[WHITE]);
    assert_eq!(pixel, Pixel { color: [0.0; 4], depth: 0.5, stencil: 1, status: PixelStatus::Written });
    assert_eq!(stats.written, 1);
}
