//! Tests of colour buffers in fp16 and integer formats (EXT_texture_integer 3.11.2 and 4.1).

use super::*;
use crate::exec::{AttributeLanes, BlockOutput};
use shadestep_language::ir::{Components, single_bits};

/// Writes these bits to each output colour.
struct Bits([[u32; 4]; 4]);

impl BlockShader for Bits {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        FragmentFacts { colors_written: 0b1111, ..FragmentFacts::default() }
    }

    fn run(&self, (): &mut (), _: &AttributeLanes, _: u64, output: &mut BlockOutput) {
        let [first, others @ ..] =
            self.0.map(|color| color.map(|bits| LaneRegister([f32::from_bits(bits); LANES])));
        output.color = first;
        output.other_colors.clone_from_slice(&others);
    }
}

/// The contents of each buffer after `draw` has written `bits` to buffers of these formats. Checks that the
/// result is the same at each pixel, for any number of threads, for triangles and the viewport quad, and for
/// a history.
fn drawn(
    state: RasterState,
    clear: Option<Clear>,
    bits: [[u32; 4]; 4],
    formats: [ColorFormat; 4],
) -> [[u32; 4]; 4] {
    let state = RasterState { draw_buffers: [Some(0), Some(1), Some(2), Some(3)], ..state };
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| [x, y, 0.0, 1.0]);
    let quad = Draw { state, clear, ..Draw::viewport_quad() };
    let square = Draw { state, clear, ..Draw::vertices(input(Primitive::Quads, &square)) };
    let mut found = Vec::new();
    for (draw, threads) in [(&quad, 1), (&quad, 2), (&square, 1), (&square, 2)] {
        let mut target = Framebuffer::with_formats(67, 5, formats[0], &formats[1..]).unwrap();
        let (threads, never) = (Threads::new(Some(threads)), AtomicBool::new(false));
        render(draw, &Pass(Vec::new()), &Bits(bits), &mut target, &threads, &never).unwrap();
        found.push([0, 1, 2, 3].map(|number| {
            let buffer = target.color_buffer(number).unwrap();
            assert_eq!(buffer.format(), formats[number]);
            let first = buffer.bits(0);
            assert!((0..67 * 5).all(|index| buffer.bits(index) == first), "{number}");
            first
        }));
    }
    assert!(found.iter().all(|colors| *colors == found[0]), "{found:?}");
    let color = |bits: [u32; 4]| bits.map(f32::from_bits);
    let clear = clear.unwrap_or(Clear::DEFAULT);
    let mut history = PixelHistory::new(&state, Merging::of(&Bits(bits).facts()), clear, formats[0]);
    let fragment = HistoryFragment {
        color: color(bits[0]),
        other_colors: [color(bits[1]), color(bits[2]), color(bits[3])],
        second_color: [0.0; 4],
        depth: 0.5,
        killed: false,
        facing: Facing::Front,
        samples: FragmentSamples::whole(0.5),
        sample_mask: u32::MAX,
    };
    history.push(fragment);
    assert_eq!(single_bits(history.state().color), found[0][0]);
    let words = |color: Components| color.map(|bits| u32::try_from(bits).unwrap());
    found[0].map(words)
}

/// -256, 300, 70000 and 5.
const VALUES: [u32; 4] = [0xFFFF_FF00, 300, 70000, 5];
const RGBA: [ColorFormat; 4] =
    [ColorFormat::Rgba8I, ColorFormat::Rgba16I, ColorFormat::Rgba32I, ColorFormat::Rgba32Ui];
const UNSIGNED: [ColorFormat; 4] =
    [ColorFormat::Rgba8Ui, ColorFormat::Rgba16Ui, ColorFormat::Rgba32Ui, ColorFormat::Rgba16F];

#[test]
fn integers_are_stored_as_they_are_or_as_the_nearest_that_there_is() {
    let signed = drawn(RasterState::DEFAULT, None, [VALUES; 4], RGBA);
    assert_eq!(signed[0], [0xFFFF_FF80, 127, 127, 5]);
    assert_eq!(signed[1], [0xFFFF_FF00, 300, 32767, 5]);
    assert_eq!(signed[2], VALUES);
    assert_eq!(signed[3], VALUES);
    // 1/3 in fp16 is 0x3555, which is (1024 + 0x155) * 2^-12.
    let numbers = [1.0_f32 / 3.0, -2.0, 1e6, f32::NAN].map(f32::to_bits);
    let unsigned = drawn(RasterState::DEFAULT, None, [VALUES, VALUES, VALUES, numbers], UNSIGNED);
    assert_eq!(unsigned[0], [255, 255, 255, 5]);
    assert_eq!(unsigned[1], [65535, 300, 65535, 5]);
    assert_eq!(unsigned[2], VALUES);
    let third = 1365.0_f32 / 4096.0;
    assert_eq!(unsigned[3][..3], [third, -2.0, f32::INFINITY].map(f32::to_bits));
    assert!(f32::from_bits(unsigned[3][3]).is_nan());
}

/// Integers whose bits would be denorms, infinities or NaNs.
#[test]
fn bits_of_32_are_untouched() {
    let awkward = [1, 0x807F_FFFF, 0x7F80_0001, 0xFFFF_FFFF];
    let formats = [ColorFormat::Rgba32Ui, ColorFormat::Rgba32I, ColorFormat::Rgba32F, ColorFormat::Rgba32Ui];
    let [first, second, _, fourth] = drawn(RasterState::DEFAULT, None, [awkward; 4], formats);
    assert_eq!([first, second, fourth], [awkward; 3]);
}

#[test]
fn neither_alpha_test_nor_blending_concerns_integers() {
    let factors = [BlendFactor::Zero, BlendFactor::One];
    let state = RasterState {
        alpha_test: Some((CompareFunc::Never, 0.0)),
        blend: Some(Blend { equation: BlendEquation::Add, rgb: factors, alpha: factors, color: [0.0; 4] }),
        ..RasterState::DEFAULT
    };
    // The source factor is 0: a buffer of numbers keeps its colour.
    let formats = [ColorFormat::Rgba16Ui, ColorFormat::Rgba16F, ColorFormat::Rgba32F, ColorFormat::Rgba8I];
    let colors = [[7; 4], [1.0_f32.to_bits(); 4], [1.0_f32.to_bits(); 4], [7; 4]];
    assert_eq!(drawn(state, None, colors, formats), [[7; 4], [0; 4], [0; 4], [7; 4]]);
    // Here buffer 0 has numbers, so the alpha test applies and no fragment passes.
    let formats = [ColorFormat::Rgba16F, ColorFormat::Rgba16Ui, ColorFormat::Rgba32F, ColorFormat::Rgba8I];
    assert_eq!(drawn(state, None, [[7; 4]; 4], formats), [[0; 4]; 4]);
}

#[test]
fn masks_spare_components_of_every_format() {
    let state = RasterState { color_mask: [true, false, true, false], ..RasterState::DEFAULT };
    let clear = Some(Clear::DEFAULT.integers([9, 10, 11, 12]));
    let signed = drawn(state, clear, [VALUES; 4], RGBA);
    assert_eq!(signed[0], [0xFFFF_FF80, 10, 127, 12]);
    assert_eq!(signed[1], [0xFFFF_FF00, 10, 32767, 12]);
    assert_eq!(signed[2], [0xFFFF_FF00, 10, 70000, 12]);
    let unsigned = drawn(state, clear, [VALUES; 4], UNSIGNED);
    assert_eq!(unsigned[0], [255, 10, 255, 12]);
    assert_eq!(unsigned[1], [65535, 10, 65535, 12]);
}

#[test]
fn logical_operations_work_on_the_bits_of_integers() {
    let clear = Some(Clear::DEFAULT.integers([0b1100; 4]));
    let with = |op, formats| {
        let state = RasterState { logic_op: Some(op), ..RasterState::DEFAULT };
        drawn(state, clear, [[0b1010, 0, 1 << 31, 3]; 4], formats)
    };
    let xor = with(LogicOp::Xor, UNSIGNED);
    assert_eq!(xor[0], [0b0110, 0b1100, 0b1111_0011, 0b1111]);
    assert_eq!(xor[1], [0b0110, 0b1100, 0xFFF3, 0b1111]);
    assert_eq!(xor[2], [0b0110, 0b1100, 0x8000_000C, 0b1111]);
    // Inverts the low eight bits, which are all that the format has.
    let inverted = with(LogicOp::Invert, UNSIGNED);
    assert_eq!([inverted[0][0], inverted[1][0], inverted[2][0]], [0xF3, 0xFFF3, 0xFFFF_FFF3]);
    let signed = with(LogicOp::Invert, RGBA);
    assert_eq!(signed[..3], [[(-13_i32).cast_unsigned(); 4]; 3]);
}

#[test]
fn clears_are_integers_where_buffers_are() {
    // Nothing is drawn: every component is masked.
    let state = RasterState { color_mask: [false; 4], ..RasterState::DEFAULT };
    let clear = Clear::DEFAULT.integers([(-3_i32).cast_unsigned(), 200, 40000, u32::MAX]);
    let signed = drawn(state, Some(clear), [[0; 4]; 4], RGBA);
    assert_eq!(signed[0], [0xFFFF_FFFD, 127, 127, 0xFFFF_FFFF]);
    assert_eq!(signed[1], [0xFFFF_FFFD, 200, 32767, 0xFFFF_FFFF]);
    assert_eq!(signed[2], [0xFFFF_FFFD, 200, 40000, 0xFFFF_FFFF]);
    let unsigned = drawn(state, Some(clear), [[0; 4]; 4], UNSIGNED);
    assert_eq!(unsigned[0], [255, 200, 255, 255]);
    assert_eq!(unsigned[1], [65535, 200, 40000, 65535]);
}

#[test]
fn pictures_show_the_range_of_small_integers_and_the_low_bits_of_large_ones() {
    let shown = |format: ColorFormat, bits: [u32; 4]| {
        let mut target = Framebuffer::with_formats(1, 1, ColorFormat::Rgba8, &[format]).unwrap();
        let draw = Draw { clear: Some(Clear::DEFAULT.integers(bits)), ..Draw::viewport_quad() };
        let (threads, never) = (Threads::new(Some(1)), AtomicBool::new(false));
        let draw = Draw { state: RasterState { draw_buffers: [None; 4], ..draw.state }, ..draw };
        render(&draw, &Pass(Vec::new()), &Bits([[0; 4]; 4]), &mut target, &threads, &never).unwrap();
        let shown = target.color_buffer_to_rgba8(1).unwrap();
        assert_eq!(format.shown(bits.map(f32::from_bits))[..], shown);
        shown
    };
    let of = |values: [i32; 4]| values.map(i32::cast_unsigned);
    assert_eq!(shown(ColorFormat::Rgba8Ui, [0, 1, 128, 255]), [0, 1, 128, 255]);
    assert_eq!(shown(ColorFormat::Rgba8I, of([-128, -1, 0, 127])), [0, 127, 128, 255]);
    // n of 65535 is the level n / 257.
    assert_eq!(shown(ColorFormat::Rgba16Ui, [128, 129, 257, 65535]), [0, 1, 1, 255]);
    assert_eq!(shown(ColorFormat::Rgba16I, of([-32768, -32640, -32639, 32767])), [0, 0, 1, 255]);
    assert_eq!(shown(ColorFormat::Rgba32Ui, [0, 255, 256, 0x1234_5678]), [0, 255, 0, 0x78]);
    assert_eq!(shown(ColorFormat::Rgba32I, of([-1, -2, 256, 5])), [255, 254, 0, 5]);
    let numbers = [0.0_f32, 0.5, 1.0, 2.0].map(f32::to_bits);
    assert_eq!(shown(ColorFormat::Rgba16F, numbers), [0, 128, 255, 255]);
}

#[test]
fn names_and_types() {
    for format in ColorFormat::ALL {
        assert_eq!(ColorFormat::from_name(format.name()), Some(format));
        assert_eq!(ColorFormat::from_name(&format!("gl_{}_ext", format.name().to_lowercase())), Some(format));
        // The least and the greatest value are stored unchanged, and values beyond are clamped to them.
        let Some((least, most)) = format.integer_range() else { continue };
        let stored = |value: i64| format.stored(f32::from_bits(value as u32)).to_bits();
        assert_eq!([least, most].map(stored), [least as u32, most as u32], "{}", format.name());
        if most < i64::from(i32::MAX) {
            assert_eq!(stored(most + 1), most as u32, "{}", format.name());
        }
    }
    assert_eq!(ColorFormat::from_name("RGB8"), None);
    let mut target = Framebuffer::with_formats(1, 1, ColorFormat::Rgba8I, &[]).unwrap();
    target.color.fill_with(|_| VALUES.map(f32::from_bits));
    use shadestep_language::ir::Value::Signed;
    assert_eq!(target.color.values(0), [Signed(-128), Signed(127), Signed(127), Signed(5)]);
}
