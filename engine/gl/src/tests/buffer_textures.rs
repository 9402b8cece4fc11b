//! Buffer objects, and buffer textures that have their texels in them (EXT_texture_buffer_object, glspec15
//! 2.9).

use super::super::{BufferTarget, BufferUsage, Context, ErrorCode, Integers, MOST_BUFFER_BYTES, enums};
use super::arb_draws::{covering, drawn_over};
use super::{refused_between, refuses};
use BufferTarget::Texture as Target;
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::texture::{Format, Image, Sampler, Texture};
use shadestep_language::ir::TextureTarget;
use shadestep_language::isa::Stage::{Fragment, Vertex};

/// The contents of buffer object 3, which is bound to the target.
const BYTES: [u8; 8] = [0, 51, 102, 255, 1, 2, 3, 4];

fn with_buffer() -> Context {
    let mut context = Context::new();
    context.bind_buffer(Target, 3).expect("bound");
    context.buffer_data(Target, &BYTES, BufferUsage::StaticDraw).expect("a store");
    context
}

/// A program that looks up texel `program.local[0].x` of the buffer texture of unit 1.
fn look_up(context: &mut Context, ty: &str) {
    let text = format!("!!NVfp4.0\nTXF.{ty} result.color, program.local[0], texture[1], BUFFER;\nEND");
    context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes()).expect("a program");
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
}

/// The result of looking up a texel.
fn texel(context: &mut Context, number: i32) -> [f32; 4] {
    context.program_local_parameter4(Fragment, 0, Integers([number, 0, 0, 0])).expect("set");
    drawn_over(&covering(context), [0.0; 4]).color.at(0)
}

fn attach(context: &mut Context, format: Format, buffer: u32) {
    context.active_texture(1).expect("a unit");
    context.tex_buffer(Target, format, buffer).expect("attached");
}

#[test]
fn the_data_store_is_the_texel_array() {
    let mut context = with_buffer();
    look_up(&mut context, "F");
    attach(&mut context, Format::Rgba8, 3);
    assert_eq!(texel(&mut context, 0), [0.0, 0.2, 0.4, 1.0]);
    attach(&mut context, Format::Luminance8Alpha8, 3);
    assert_eq!(texel(&mut context, 1), [0.4, 0.4, 0.4, 1.0]);
    attach(&mut context, Format::Alpha8, 3);
    assert_eq!(texel(&mut context, 1), [0.0, 0.0, 0.0, 0.2]);
    // 8 bytes are too few for a texel of 16 bytes.
    attach(&mut context, Format::Rgba32F, 3);
    assert_eq!(texel(&mut context, 0), [0.0; 4]);
}

#[test]
fn later_writes_are_seen_by_later_draws() {
    let mut context = with_buffer();
    look_up(&mut context, "F");
    attach(&mut context, Format::R8, 3);
    context.active_texture(0).expect("a unit");
    assert_eq!(texel(&mut context, 3)[0], 1.0);
    let before = covering(&mut context);
    context.buffer_sub_data(Target, 3, &[51u8, 102]).expect("written");
    assert_eq!(texel(&mut context, 3)[0], 0.2);
    assert_eq!(texel(&mut context, 4)[0], 0.4);
    assert_eq!(drawn_over(&before, [0.0; 4]).color.at(0)[0], 1.0, "a draw has what it reads");
    // A new store with another length.
    context.buffer_data(Target, &[255u8; 2], enums::DYNAMIC_DRAW).expect("a store");
    assert_eq!([0, 1, 2].map(|number| texel(&mut context, number)[0]), [1.0, 1.0, 0.0]);
    // Lookups do not depend on the binding of the target. A clone of the context has its own buffer.
    let mut other = context.clone();
    other.buffer_sub_data(Target, 0, &[51u8]).expect("written");
    context.bind_buffer(Target, 0).expect("bound");
    assert_eq!((texel(&mut context, 0)[0], texel(&mut other, 0)[0]), (1.0, 0.2));
    // Two textures may have the same buffer object.
    other.active_texture(2).expect("a unit");
    other.tex_buffer(Target, Format::R8Ui, 3).expect("attached");
    let red = |context: &Context, unit| {
        let texture = context.texture(unit, TextureTarget::Buffer).expect("a texture");
        texture.texel(0, 0, [0; 3]).expect("a texel")[0]
    };
    assert_eq!((red(&other, 1), red(&other, 2)), (0.2, 51.0));
}

#[test]
fn a_buffer_texture_is_beside_the_other_texture_of_its_unit() {
    let mut context = with_buffer();
    let image = Image::from_rgba8([1, 1, 1], vec![255, 0, 0, 255]).expect("one texel");
    let sampler = Sampler::for_target(TextureTarget::D2);
    let plain = Texture::new(TextureTarget::D2, Format::Rgba8, vec![image.into()], sampler).expect("legal");
    context.bind_texture(1, Some(plain.into())).expect("bound");
    attach(&mut context, Format::Rgba8, 3);
    look_up(&mut context, "F");
    assert_eq!(texel(&mut context, 0), [0.0, 0.2, 0.4, 1.0]);
    let text = b"!!NVfp4.0\nTXF result.color, { 0 }.x, texture[1], 2D;\nEND";
    context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
    assert_eq!(texel(&mut context, 0), [1.0, 0.0, 0.0, 1.0]);
    // A texture with its own texels replaces the attachment. Unbinding removes both.
    look_up(&mut context, "F");
    let own = Texture::of_buffer(Format::R8, &[102]).expect("a texture");
    context.bind_texture(1, Some(own.into())).expect("bound");
    assert_eq!(context.get_texture_buffer(), Ok((0, Format::R8)));
    assert_eq!(texel(&mut context, 0), [0.4, 0.0, 0.0, 1.0]);
    context.bind_texture(1, None).expect("bound");
    assert!(context.texture(1, TextureTarget::D2).is_none());
    assert_eq!(texel(&mut context, 0), [0.0; 4]);
}

#[test]
fn a_buffer_texture_keeps_a_deleted_buffer_object() {
    let mut context = with_buffer();
    look_up(&mut context, "F");
    attach(&mut context, Format::R8, 3);
    context.push_attrib(enums::TEXTURE_BIT).expect("kept");
    context.delete_buffers(&[3, 0, 99][..]).expect("deleted");
    assert!(!context.is_buffer(3));
    assert_eq!(context.get_buffer_binding(Target), Ok(0), "what is bound is bound no longer");
    assert_eq!(texel(&mut context, 3)[0], 1.0);
    assert_eq!(context.get_texture_buffer(), Ok((3, Format::R8)));
    refuses(&mut context, InvalidOperation, |c| c.tex_buffer(Target, Format::R8, 3));
    // The name is reused for a new object.
    context.bind_buffer(Target, 3).expect("bound");
    context.buffer_data(Target, &[51u8], BufferUsage::StreamCopy).expect("a store");
    assert_eq!(texel(&mut context, 0)[0], 0.0);
    attach(&mut context, Format::R8, 3);
    assert_eq!(texel(&mut context, 0)[0], 0.2);
    // The attribute stack kept the first object. The target's binding is not restored to another object with
    // that name.
    context.pop_attrib().expect("given back");
    assert_eq!(texel(&mut context, 3)[0], 1.0);
    assert_eq!(context.get_buffer_binding(Target), Ok(0));
    context.active_texture(1).expect("a unit");
    context.tex_buffer(Target, Format::Luminance8, 0).expect("detached");
    assert_eq!(context.get_texture_buffer(), Ok((0, Format::Luminance8)));
    assert_eq!(texel(&mut context, 3), [0.0; 4]);
}

#[test]
fn names_are_given_out_and_become_objects_when_they_are_bound() {
    let mut context = Context::new();
    context.bind_buffer(Target, 2).expect("bound");
    assert_eq!(context.gen_buffers(3), Ok(vec![1, 3, 4]));
    assert_eq!(context.gen_buffers(0), Ok(vec![]));
    assert!(context.is_buffer(2) && !context.is_buffer(1) && !context.is_buffer(0));
    refuses(&mut context, InvalidOperation, |c| c.tex_buffer(Target, Format::R8, 1));
    context.bind_buffer(Target, 1).expect("bound");
    assert!(context.is_buffer(1));
    assert_eq!(context.get_buffer_binding(enums::TEXTURE_BUFFER_EXT), Ok(1));
    assert_eq!(context.get_buffer_parameters(Target), Ok((0, BufferUsage::StaticDraw)), "initial state");
    context.delete_buffers(&[1, 2][..]).expect("deleted");
    assert_eq!(context.gen_buffers(1), Ok(vec![1]));
    refuses(&mut context, InvalidValue, |c| c.gen_buffers(-1));
    refuses(&mut context, ErrorCode::OutOfMemory, |c| c.gen_buffers(1 << 21));
    refuses(&mut context, InvalidValue, |c| c.delete_buffers((-1, &[3u32][..])));
}

#[test]
fn data_stores_are_written_and_read() {
    let mut context = with_buffer();
    context.buffer_sub_data(Target, 8, &[][..]).expect("nothing");
    context.buffer_sub_data(Target, 6, &[9u8, 8]).expect("written");
    assert_eq!(context.get_buffer_sub_data(Target, 4, 4), Ok(vec![1, 2, 9, 8]));
    context.buffer_data(Target, (2, &BYTES[..]), enums::STREAM_READ).expect("a store");
    assert_eq!(context.get_buffer_parameters(Target), Ok((2, BufferUsage::StreamRead)));
    assert_eq!(context.get_buffer_sub_data(Target, 0, 2), Ok(vec![0, 51]));
    for (offset, size) in [(-1, 1), (0, -1), (0, 3), (2, 1), (3, 0), (i64::MAX, i64::MAX)] {
        refuses(&mut context, InvalidValue, |c| c.get_buffer_sub_data(Target, offset, size).map(drop));
    }
    for (offset, size) in [(-1, 1), (0, 3), (2, 1), (3, 0), (i64::MAX, 1)] {
        refuses(&mut context, InvalidValue, |c| c.buffer_sub_data(Target, offset, &BYTES[..size]));
    }
    refuses(&mut context, InvalidValue, |c| c.buffer_sub_data(Target, 0, (-1, &BYTES[..])));
    refuses(&mut context, InvalidValue, |c| c.buffer_data(Target, (-1, &BYTES[..]), enums::STATIC_COPY));
    refuses(&mut context, InvalidEnum, |c| c.buffer_data(Target, &BYTES, enums::QUADS));
    let many = vec![0; MOST_BUFFER_BYTES + 1];
    refuses(&mut context, ErrorCode::OutOfMemory, |c| c.buffer_data(Target, &many, enums::STATIC_COPY));
}

#[test]
fn nothing_can_be_done_to_no_buffer_object_and_to_no_target() {
    let mut context = Context::new();
    refuses(&mut context, InvalidOperation, |c| c.buffer_data(Target, &BYTES, enums::STATIC_DRAW));
    refuses(&mut context, InvalidOperation, |c| c.buffer_sub_data(Target, 0, &[][..]));
    refuses(&mut context, InvalidOperation, |c| c.get_buffer_sub_data(Target, 0, 0).map(drop));
    refuses(&mut context, InvalidOperation, |c| c.get_buffer_parameters(Target));
    assert_eq!(context.get_buffer_binding(Target), Ok(0));
    context.bind_buffer(Target, 1).expect("bound");
    let wrong = enums::TEXTURE;
    refuses(&mut context, InvalidEnum, |c| c.bind_buffer(wrong, 1));
    refuses(&mut context, InvalidEnum, |c| c.buffer_data(wrong, &BYTES, enums::STATIC_DRAW));
    refuses(&mut context, InvalidEnum, |c| c.buffer_sub_data(wrong, 0, &[][..]));
    refuses(&mut context, InvalidEnum, |c| c.get_buffer_sub_data(wrong, 0, 0).map(drop));
    refuses(&mut context, InvalidEnum, |c| c.get_buffer_parameters(wrong));
    refuses(&mut context, InvalidEnum, |c| c.get_buffer_binding(wrong));
    refuses(&mut context, InvalidEnum, |c| c.tex_buffer(wrong, Format::R8, 1));
}

#[test]
fn formats_are_those_of_the_tables() {
    let mut context = with_buffer();
    assert_eq!(context.get_texture_buffer(), Ok((0, Format::Luminance8)), "initial state");
    let mut accepted = 0;
    for &format in Format::ALL {
        if format.is_of_buffers() {
            context.tex_buffer(Target, format, 3).expect("attached");
            assert_eq!(context.get_texture_buffer(), Ok((3, format)));
            accepted += 1;
            context.tex_buffer(Target, format.constant().expect("a constant"), 3).expect("attached");
            assert_eq!(context.get_texture_buffer(), Ok((3, format)));
        } else {
            refuses(&mut context, InvalidEnum, |c| c.tex_buffer(Target, format, 3));
        }
    }
    // 50 formats of table X.1, and 23 more of glspec40's table 3.21.
    assert_eq!(accepted, 73);
    // By constant: the tokens of EXT_texture_integer, ARB_texture_rg, ARB_texture_float and the GL.
    for (constant, format) in [
        (0x8040, Format::Luminance8),
        (0x8058, Format::Rgba8),
        (0x8D70, Format::Rgba32Ui),
        (0x8D8A, Format::Alpha16I),
        (0x8236, Format::R32Ui),
        (0x8814, Format::Rgba32F),
    ] {
        context.tex_buffer(Target, constant, 3).expect("attached");
        assert_eq!(context.get_texture_buffer(), Ok((3, format)));
    }
    // RGBA is an unsized format.
    refuses(&mut context, InvalidEnum, |c| c.tex_buffer(Target, 0x1908, 3));
    refuses(&mut context, InvalidOperation, |c| c.tex_buffer(Target, Format::R8, 4));
}

#[test]
fn vertex_programs_look_them_up_and_the_fixed_stage_does_not() {
    let mut context = with_buffer();
    context.tex_buffer(Target, Format::Rgba8, 3).expect("attached");
    let text = b"!!NVvp4.0\nMOV result.position, vertex.position;
        TXF result.color, { 0 }.x, texture[0], BUFFER;\nEND";
    context.program_string(Vertex, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
    context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
    assert_eq!(drawn_over(&covering(&mut context), [0.0; 4]).color.at(0), [0.0, 0.2, 0.4, 1.0]);
}

#[test]
fn between_begin_and_end() {
    let mut context = with_buffer();
    refused_between(&mut context, |c| c.gen_buffers(1));
    refused_between(&mut context, |c| c.bind_buffer(Target, 1));
    refused_between(&mut context, |c| c.delete_buffers(&[3][..]));
    refused_between(&mut context, |c| c.buffer_data(Target, &BYTES, enums::STATIC_DRAW));
    refused_between(&mut context, |c| c.buffer_sub_data(Target, 0, &BYTES));
    refused_between(&mut context, |c| c.get_buffer_sub_data(Target, 0, 1).map(drop));
    refused_between(&mut context, |c| c.get_buffer_parameters(Target));
    refused_between(&mut context, |c| c.get_buffer_binding(Target));
    refused_between(&mut context, |c| c.tex_buffer(Target, Format::R8, 3));
    refused_between(&mut context, |c| c.get_texture_buffer());
}
