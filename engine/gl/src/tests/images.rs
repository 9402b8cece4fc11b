//! Image units (EXT_shader_image_load_store): bindings, and the results of draws in textures.

use super::super::enums::Named;
use super::super::{BufferTarget::Texture as Target, BufferUsage, Context, ErrorCode, ImageBinding, enums};
use super::arb_draws::{SIZE, covering, drawn_over};
use super::{refused_between, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::memory::{Mode, Reason};
use shadestep_core::texture::{ImageFormat, ImageShape, ImageSpec, Sampler};
use shadestep_language::ir::TextureTarget;
use shadestep_language::isa::Stage::Fragment;

fn array(format: ImageFormat) -> ImageShape {
    let (target, size) = (TextureTarget::Array2D, [SIZE[0], SIZE[1], 1]);
    ImageShape::new(ImageSpec { target, format, size, layers: 2, samples: 1, levels: 1 }).expect("a shape")
}

/// A context with texture object 5 in buffer object 3: two layers of the window's size.
fn with_image(format: ImageFormat) -> Context {
    let mut context = Context::new();
    context.bind_buffer(Target, 3).expect("bound");
    let shape = array(format);
    let bytes = vec![0u8; shape.bytes() as usize];
    context.buffer_data(Target, &bytes, BufferUsage::DynamicCopy).expect("a store");
    context.tex_image_in_buffer(5, shape, 3).expect("made");
    context
}

fn draws(context: &mut Context, body: &str) {
    let text = format!(
        "!!NVfp5.0\nINT TEMP p;\nCVT.S32.F32.FLR p, fragment.position;\n{body}\nMOV result.color, 1;\nEND"
    );
    let loaded = context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    assert!(loaded.is_ok(), "{}\n{text}", context.program_error_string());
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
}

fn words(context: &Context) -> Vec<u32> {
    let size = context.get_buffer_parameters(Target).expect("bound").0 as i64;
    let bytes = context.get_buffer_sub_data(Target, 0, size).expect("read");
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

#[test]
fn fragments_write_texels_that_later_draws_look_up() {
    let mut context = with_image(ImageFormat::R32Ui);
    context.bind_image_texture(1, 5, (0, true, 0), Mode::ReadWrite, ImageFormat::R32Ui).expect("bound");
    // Draws 100 + x + 10y to texel (x, y) of layer 1.
    draws(
        &mut context,
        "MOV.S p.z, 1;\nMAD.S p.w, p.y, 10, p.x;\nADD.S p.w, p.w, 100;\n\
         STOREIM.S32 image[1], p.w, p, ARRAY2D;",
    );
    let call = covering(&mut context);
    drawn_over(&call, [0.0; 4]);
    assert!(call.memory_reports().is_empty(), "{:?}", call.memory_reports());
    context.keep(&call);
    let (width, height) = (SIZE[0], SIZE[1]);
    let layer = (0..height).flat_map(|y| (0..width).map(move |x| 100 + x + 10 * y));
    let expected: Vec<u32> = std::iter::repeat_n(0, (width * height) as usize).chain(layer).collect();
    assert_eq!(words(&context), expected);
    // The lookup texture has the same texels.
    let sampler = Sampler::for_target(TextureTarget::Array2D);
    let texture = context.image_texture(5, sampler).expect("there").expect("made");
    assert_eq!(texture.texel(0, 1, [2, 3, 0]), Some([132.0, 0.0, 0.0, 0.0]));
    assert!(context.image_texture(6, sampler).is_none());
}

#[test]
fn one_layer_is_an_image_of_its_own() {
    let mut context = with_image(ImageFormat::Rgba8);
    context.bind_image_texture(0, 5, (0, false, 1), Mode::WriteOnly, 0x8058u32).expect("bound: RGBA8");
    draws(&mut context, "STOREIM image[0], {1, 0, 0, 1}, p, 2D;");
    let call = covering(&mut context);
    drawn_over(&call, [0.0; 4]);
    context.keep(&call);
    let half = (SIZE[0] * SIZE[1]) as usize;
    let expected: Vec<u32> =
        std::iter::repeat_n(0, half).chain(std::iter::repeat_n(0xFF00_00FF, half)).collect();
    assert_eq!(words(&context), expected);
}

#[test]
fn what_cannot_be_accessed_is_told_when_a_program_does() {
    let reported = |bind: &dyn Fn(&mut Context)| {
        let mut context = with_image(ImageFormat::R32Ui);
        bind(&mut context);
        draws(&mut context, "ATOMIM.ADD.S32 p.x, 1, {0, 0}, image[0], 2D;");
        let call = covering(&mut context);
        drawn_over(&call, [0.0; 4]);
        context.keep(&call);
        let reports: Vec<Reason> = call.memory_reports().iter().map(|report| report.first.reason).collect();
        (reports, words(&context)[0])
    };
    let bound = |level, layered, layer, access, format| {
        reported(&move |context| {
            context.bind_image_texture(0, 5, (level, layered, layer), access, format).expect("bound");
        })
    };
    let pixels = SIZE[0] * SIZE[1];
    let own = ImageFormat::R32Ui;
    assert_eq!(bound(0, true, 0, Mode::ReadWrite, own), (vec![], pixels));
    // A texel can be accessed in any format of the same size.
    assert_eq!(bound(0, false, 0, Mode::ReadWrite, ImageFormat::Rgba8), (vec![], pixels));
    assert_eq!(bound(1, true, 0, Mode::ReadWrite, own), (vec![Reason::NoLevel], 0));
    assert_eq!(bound(0, false, 2, Mode::ReadWrite, own), (vec![Reason::NoLevel], 0));
    assert_eq!(bound(0, true, 0, Mode::ReadWrite, ImageFormat::R16F), (vec![Reason::OtherFormat], 0));
    assert_eq!(bound(0, true, 0, Mode::ReadOnly, own), (vec![Reason::NotWritable], 0));
    assert_eq!(bound(0, true, 0, Mode::WriteOnly, own), (vec![Reason::NotReadable], 0));
    assert_eq!(reported(&|_| {}), (vec![Reason::NoImage], 0));
}

#[test]
fn bindings_are_told() {
    let mut context = with_image(ImageFormat::R32Ui);
    assert_eq!(context.image_binding(7), None);
    context.bind_image_texture(7, 5, (0, false, 1), enums::READ_ONLY, ImageFormat::R32F).expect("bound");
    let (access, format) = (Mode::ReadOnly, ImageFormat::R32F);
    let expected = ImageBinding { texture: 5, level: 0, layered: false, layer: 1, access, format };
    assert_eq!(context.image_binding(7), Some(expected));
    context.bind_image_texture(7, 0, (9, false, 9), Mode::ReadOnly, format).expect("unbound");
    assert_eq!([7, 8].map(|unit| context.image_binding(unit)), [None, None]);
    // A texture keeps its buffer object alive.
    context.bind_image_texture(0, 5, (0, true, 0), Mode::ReadWrite, format).expect("bound");
    context.delete_buffers(&[3][..]).expect("deleted");
    draws(&mut context, "STOREIM.F32 image[0], 1, p, 2D;");
    let call = covering(&mut context);
    drawn_over(&call, [0.0; 4]);
    assert!(call.memory_reports().is_empty());
}

#[test]
fn formats_have_their_constants() {
    let named = [
        (0x8814, "RGBA32F"),
        (0x8C3A, "R11F_G11F_B10F"),
        (0x906F, "RGB10_A2UI"),
        (0x8D8E, "RGBA8I"),
        (0x8236, "R32UI"),
        (0x8059, "RGB10_A2"),
        (0x8F97, "RGBA8_SNORM"),
        (0x8F94, "R8_SNORM"),
    ];
    for (constant, name) in named {
        assert_eq!(ImageFormat::of_constant(constant).map(ImageFormat::name), Some(name));
    }
    for format in ImageFormat::ALL {
        let found = format.format().constant().and_then(ImageFormat::of_constant);
        assert_eq!(found, Some(format), "{}", format.name());
    }
    // Formats that buffer textures have and images do not.
    assert!(ImageFormat::of_constant(0x8815).is_none(), "RGB32F");
}

#[test]
fn errors_of_image_units() {
    let mut context = with_image(ImageFormat::R32Ui);
    let all = (0, true, 0);
    let format = ImageFormat::R32Ui;
    refuses(&mut context, InvalidValue, |c| c.bind_image_texture(8, 5, all, Mode::ReadOnly, format));
    refuses(&mut context, InvalidValue, |c| c.bind_image_texture(0, 6, all, Mode::ReadOnly, format));
    refuses(&mut context, InvalidEnum, |c| c.bind_image_texture(0, 5, all, enums::TEXTURE, format));
    refuses(&mut context, InvalidEnum, |c| c.bind_image_texture(0, 5, all, Mode::ReadOnly, 0x8815u32));
    refuses(&mut context, InvalidValue, |c| c.tex_image_in_buffer(0, array(format), 3));
    refuses(&mut context, InvalidOperation, |c| c.tex_image_in_buffer(6, array(format), 4));
    refuses(&mut context, InvalidValue, |c| c.tex_image_in_buffer(6, array(ImageFormat::Rg32F), 3));
    refused_between(&mut context, |c| c.bind_image_texture(0, 5, all, Mode::ReadOnly, format));
    refused_between(&mut context, |c| c.tex_image_in_buffer(6, array(format), 3));
}
