//! Tests of colour buffers in formats other than fp32.

use super::*;
use crate::exec::{AttributeLanes, BlockOutput};

/// Draws to an RGBA8 buffer, after the draw's clear.
fn bytes(
    draw: &Draw,
    size: [u32; 2],
    threads: usize,
    color: impl Fn(&Inputs) -> [f32; 4] + Sync,
) -> Framebuffer {
    let mut target = Framebuffer::with_formats(size[0], size[1], ColorFormat::Rgba8, &[]).unwrap();
    draw_to(draw, &mut target, threads, color);
    target
}

fn draw_to(
    draw: &Draw,
    target: &mut Framebuffer,
    threads: usize,
    color: impl Fn(&Inputs) -> [f32; 4] + Sync,
) {
    let shader = shader(move |inputs| Shaded { color: color(inputs), ..Shaded::default() });
    let (threads, never) = (Threads::new(Some(threads)), AtomicBool::new(false));
    render(draw, &Pass(vec![VertexResult::Tex(0)]), &shader, target, &threads, &never).unwrap();
}

fn pixels(target: &Framebuffer) -> &[[u8; 4]] {
    target.color.levels().expect("that format")
}

/// A rectangle over the whole window, drawn `times` times.
fn covering(times: usize) -> Draw {
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| [x, y, 0.0, 1.0]);
    let clear = Some(Clear { color: [0.0, 0.5, 2.0, f32::NAN], depth: 1.0, stencil: 0 });
    Draw { clear, ..Draw::vertices(input(Primitive::Quads, &square.repeat(times))) }
}

#[test]
fn colors_are_the_nearest_levels_whichever_way_they_get_there() {
    // Column x of 256 has level x, or slightly more or less.
    let color = |inputs: &Inputs| {
        let x = inputs[0][0] - 0.5;
        [x / 255.0, (x + 0.49) / 255.0, (x - 0.49) / 255.0, 1.5]
    };
    let quad = Draw { clear: covering(1).clear, ..Shot::viewport_quad().draw() };
    for draw in [covering(1), quad] {
        for threads in [1, 2] {
            let target = bytes(&draw, [256, 5], threads, color);
            for (n, pixel) in pixels(&target).iter().enumerate() {
                let x = (n % 256) as u8;
                assert_eq!(*pixel, [x, x, x, 255]);
            }
        }
    }
}

#[test]
fn what_is_cleared_and_not_drawn_is_rounded_too() {
    let mut draw = covering(1);
    draw.state.scissor = Some([0, 0, 1, 1]);
    let target = bytes(&draw, [70, 3], 1, |_| [1.0; 4]);
    assert_eq!(pixels(&target)[0], [255; 4]);
    // 1/2 is halfway between levels 127 and 128 and rounds to the even one. NaN is 0.
    assert!(pixels(&target)[1..].iter().all(|pixel| *pixel == [0, 128, 255, 0]));
}

#[test]
fn each_blended_color_is_rounded_before_the_next() {
    // Three times 0.3 of a level over black: each rounds to nothing. In fp32 the sum would reach a level.
    let blend = Blend {
        equation: BlendEquation::Add,
        rgb: [BlendFactor::One, BlendFactor::One],
        alpha: [BlendFactor::One, BlendFactor::One],
        color: [0.0; 4],
    };
    let mut draw = covering(3);
    draw.clear = Some(Clear { color: [0.0; 4], depth: 1.0, stencil: 0 });
    draw.state.depth = DepthState::OFF;
    draw.state.blend = Some(blend);
    let target = bytes(&draw, [9, 7], 2, |_| [0.3 / 255.0, 0.6 / 255.0, 1.0, 0.0]);
    assert!(pixels(&target).iter().all(|pixel| *pixel == [0, 3, 255, 0]));
    // SRC_ALPHA and ONE_MINUS_SRC_ALPHA with alpha 1/4 over black: 63.75 -> 64, 63.75 + 3/4 64 = 111.75 ->
    // 112, 63.75 + 3/4 112 = 147.75 -> 148. Without intermediate rounding the result would be 147.42.
    draw.state.blend = Some(Blend {
        rgb: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
        alpha: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
        ..blend
    });
    let target = bytes(&draw, [9, 7], 1, |_| [1.0, 1.0, 0.0, 0.25]);
    assert!(pixels(&target).iter().all(|[r, g, b, _]| [*r, *g, *b] == [148, 148, 0]));
}

#[test]
fn the_alpha_test_sees_eight_bits() {
    let mut draw = covering(1);
    draw.clear = Some(Clear { color: [0.0; 4], depth: 1.0, stencil: 0 });
    draw.state.alpha_test = Some((CompareFunc::Equal, 100.2 / 255.0));
    let alpha = |inputs: &Inputs| [1.0, 1.0, 1.0, (inputs[0][0] - 0.5) / 10.0 / 255.0 + 99.0 / 255.0];
    // Column x has 99 + x/10 levels. 99.6 to 100.4 round to level 100, as 100.2 does; as fp32 numbers they
    // differ from 100.2.
    let target = bytes(&draw, [20, 1], 1, alpha);
    // Columns 5 and 15 are halfway and may round either way.
    for x in (0..20).filter(|x| ![5, 15].contains(x)) {
        assert_eq!(pixels(&target)[x] != [0; 4], (6..15).contains(&x), "{x}");
    }
}

#[test]
fn the_picture_is_the_bytes_top_row_first() {
    let mut target = Framebuffer::with_formats(1, 2, ColorFormat::Rgba8, &[ColorFormat::Rgba32F]).unwrap();
    target.color.fill_with(|n| if n == 0 { [0.0, 0.2, 0.4, 0.6] } else { [1.0, 0.8, 0.6, 0.4] });
    let picture = [255, 204, 153, 102, 0, 51, 102, 153];
    assert_eq!(target.to_rgba8(), picture);
    let mut opaque = [0; 8];
    target.write_opaque_rgba8(&mut opaque, &Threads::new(Some(1)));
    assert_eq!(opaque, [255, 204, 153, 255, 0, 51, 102, 255]);
    assert_eq!(target.color_buffer(1).map(ColorBuffer::format), Some(ColorFormat::Rgba32F));
    assert_eq!(target.clone().into_rgba8(), picture);
    assert_eq!(target.color.at(0), [0.0, 51.0 / 255.0, 102.0 / 255.0, 153.0 / 255.0]);
}

/// Writes a value to every buffer.
struct Everywhere;

impl BlockShader for Everywhere {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        FragmentFacts { colors_written: 0b11, ..FragmentFacts::default() }
    }

    fn run(&self, (): &mut (), _: &AttributeLanes, _: u64, output: &mut BlockOutput) {
        output.color = [const { LaneRegister([0.3; LANES]) }; 4];
        output.other_colors[0] = [const { LaneRegister([0.3; LANES]) }; 4];
    }
}

#[test]
fn each_buffer_has_a_format_of_its_own() {
    for formats in [[ColorFormat::Rgba8, ColorFormat::Rgba32F], [ColorFormat::Rgba32F, ColorFormat::Rgba8]] {
        let mut draw = covering(1);
        draw.state.draw_buffers = [Some(0), Some(1), None, None];
        let mut target = Framebuffer::with_formats(3, 3, formats[0], &formats[1..]).unwrap();
        let (threads, never) = (Threads::new(Some(1)), AtomicBool::new(false));
        render(&draw, &Pass(Vec::new()), &Everywhere, &mut target, &threads, &never).unwrap();
        for (number, format) in formats.into_iter().enumerate() {
            // 0.3 of 255 is 76.5, slightly more in fp32.
            let expected = if format == ColorFormat::Rgba8 { 77.0 / 255.0 } else { 0.3 };
            assert_eq!(target.color_buffer(number).unwrap().at(4), [expected; 4]);
        }
    }
}
