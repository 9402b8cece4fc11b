//! Buffer objects as memory: residency and addresses (NV_shader_buffer_load, NV_shader_buffer_store),
//! parameter buffers (NV_parameter_buffer_object), and the contents after draws.

use std::sync::atomic::AtomicBool;

use super::super::{BufferTarget, BufferUsage, Canvas, Context, ErrorCode, Integers, enums};
use super::arb_draws::{SIZE, covering, drawn_over};
use super::{raises, refused_between, refuses};
use BufferTarget::{FragmentProgramParameter, Texture as Target, VertexProgramParameter};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::memory::{AddressBits, Mode};
use shadestep_core::pipeline::{ArrayData, Framebuffer, Primitive, Threads};
use shadestep_language::isa::Stage::{self, Fragment, Vertex};

/// A context with these words in buffer object 3, which is bound to the target.
pub(super) fn with_words(words: &[u32]) -> Context {
    let mut context = Context::new();
    context.bind_buffer(Target, 3).expect("bound");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    context.buffer_data(Target, &bytes, BufferUsage::DynamicCopy).expect("a store");
    context
}

fn words(context: &Context) -> Vec<u32> {
    let size = context.get_buffer_parameters(Target).expect("bound").0 as i64;
    let bytes = context.get_buffer_sub_data(Target, 0, size).expect("read");
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

pub(super) fn use_text(context: &mut Context, target: Stage, text: &str) {
    let mode = if target == Vertex { enums::VERTEX_PROGRAM_ARB } else { enums::FRAGMENT_PROGRAM_ARB };
    let loaded = context.program_string(target, enums::PROGRAM_FORMAT_ASCII_ARB, text.as_bytes());
    assert!(loaded.is_ok(), "{}\n{text}", context.program_error_string());
    context.enable(mode).expect("enabled");
}

/// Passes the address of the buffer bound to the target to programs of the stage, in program.local[0].
pub(super) fn tell_address(context: &mut Context, target: Stage) {
    let address = context.get_buffer_gpu_address(Target).expect("an address");
    let halves = [address as u32, (address >> 32) as u32].map(u32::cast_signed);
    context.program_local_parameter4(target, 0, Integers([halves[0], halves[1], 0, 0])).expect("set");
}

/// Each fragment adds 1 to word 1 at the address, and draws the previous value as its colour.
const COUNT: &str = "!!NVfp5.0\nLONG UINT TEMP a; UINT TEMP n; TEMP c;\n\
    PK64.U a, program.local[0];\nADD.U64 a.x, a.x, 4;\nATOM.ADD.U32 n.x, {1}, a.x;\nI2F.U c, n;\n\
    MOV result.color, c.x;\nEND";

fn counting(mode: Mode) -> Context {
    let mut context = with_words(&[7, 100, 9]);
    context.make_buffer_resident(Target, mode).expect("resident");
    use_text(&mut context, Fragment, COUNT);
    tell_address(&mut context, Fragment);
    context
}

#[test]
fn each_store_has_an_address_of_its_own_while_it_is_there() {
    let mut context = with_words(&[1, 2]);
    let first = context.get_buffer_gpu_address(Target).expect("an address");
    assert!(first != 0 && first.is_multiple_of(4096));
    assert_eq!(context.get_named_buffer_gpu_address(3), Ok(first));
    context.buffer_sub_data(Target, 0, &[9u8]).expect("written");
    assert_eq!(context.get_buffer_gpu_address(Target), Ok(first), "the store is the same");
    context.bind_buffer(Target, 4).expect("bound");
    context.buffer_data(Target, &[0u8; 5000], BufferUsage::StaticDraw).expect("a store");
    let second = context.get_buffer_gpu_address(Target).expect("an address");
    assert!(second >= first + 8 || second + 5000 <= first, "apart");
    context.buffer_data(Target, &[0u8; 5000], BufferUsage::StaticDraw).expect("a store");
    assert_ne!(context.get_buffer_gpu_address(Target), Ok(second), "a new store");
    let most = context.get_max_shader_buffer_address().expect("a limit");
    assert!(second + 5000 <= most && most >= 0xFFFF_FFFF);
}

#[test]
fn stores_are_below_4_gb_where_that_is_chosen() {
    let mut context = Context::new();
    context.choose_address_bits(AddressBits::Bits32).expect("chosen");
    assert_eq!(context.get_max_shader_buffer_address(), Ok(0xFFFF_FFFF));
    context.bind_buffer(Target, 3).expect("bound");
    context.buffer_data(Target, &[1u8], BufferUsage::StaticDraw).expect("a store");
    let low = context.get_buffer_gpu_address(Target).expect("an address");
    assert!((1..1 << 32).contains(&low), "{low:#x}");
    context.choose_address_bits(AddressBits::Bits64).expect("chosen");
    assert_eq!(context.get_buffer_gpu_address(Target), Ok(low), "the store stays");
    context.buffer_data(Target, &[1u8], BufferUsage::StaticDraw).expect("a new store");
    assert!(context.get_buffer_gpu_address(Target).is_ok_and(|high| high >= 1 << 32));
}

#[test]
fn residency_is_made_and_ended() {
    let mut context = with_words(&[1, 2]);
    assert_eq!(context.is_buffer_resident(Target), Ok(false));
    for access in [enums::READ_ONLY, enums::WRITE_ONLY, enums::READ_WRITE] {
        context.make_buffer_resident(enums::TEXTURE_BUFFER_EXT, access).expect("resident");
        assert_eq!(context.is_named_buffer_resident(3), Ok(true));
        refuses(&mut context, InvalidOperation, |c| c.make_buffer_resident(Target, access));
        refuses(&mut context, InvalidOperation, |c| c.make_named_buffer_resident(3, access));
        context.make_named_buffer_non_resident(3).expect("no longer");
        assert_eq!(context.is_buffer_resident(Target), Ok(false));
        refuses(&mut context, InvalidOperation, |c| c.make_buffer_non_resident(Target));
        refuses(&mut context, InvalidOperation, |c| c.make_named_buffer_non_resident(3));
    }
    // BufferData and deletion end residency.
    context.make_named_buffer_resident(3, Mode::ReadOnly).expect("resident");
    context.buffer_sub_data(Target, 0, &[9u8]).expect("written");
    assert_eq!(context.is_buffer_resident(Target), Ok(true), "the store is the same");
    context.buffer_data(Target, &[1u8], BufferUsage::StaticDraw).expect("a store");
    assert_eq!(context.is_buffer_resident(Target), Ok(false));
    context.make_buffer_resident(Target, Mode::ReadOnly).expect("resident");
    context.tex_buffer(Target, shadestep_core::texture::Format::R8, 3).expect("attached, so that it stays");
    context.delete_buffers(&[3][..]).expect("deleted");
    assert_eq!(context.is_named_buffer_resident(3), Ok(false), "a new one");
}

#[test]
fn errors_of_residency() {
    let mut context = Context::new();
    refuses(&mut context, InvalidOperation, |c| c.make_buffer_resident(Target, Mode::ReadOnly));
    refuses(&mut context, InvalidOperation, |c| c.make_buffer_non_resident(Target));
    refuses(&mut context, InvalidOperation, |c| c.is_buffer_resident(Target));
    refuses(&mut context, InvalidOperation, |c| c.get_buffer_gpu_address(Target));
    refuses(&mut context, InvalidOperation, |c| c.make_named_buffer_resident(0, Mode::ReadOnly));
    refuses(&mut context, InvalidOperation, |c| c.make_named_buffer_non_resident(0));
    refuses(&mut context, InvalidOperation, |c| c.is_named_buffer_resident(0));
    refuses(&mut context, InvalidOperation, |c| c.get_named_buffer_gpu_address(0));
    // Commands with names create the objects, without a data store.
    raises(&mut context, InvalidOperation, |c| c.make_named_buffer_resident(5, Mode::ReadOnly));
    assert!(context.is_buffer(5));
    raises(&mut context, InvalidOperation, |c| c.get_named_buffer_gpu_address(6));
    assert_eq!(context.is_named_buffer_resident(7), Ok(false));
    assert!(context.is_buffer(6) && context.is_buffer(7));
    context.bind_buffer(Target, 5).expect("bound");
    refuses(&mut context, InvalidOperation, |c| c.make_buffer_resident(Target, Mode::ReadOnly));
    refuses(&mut context, InvalidOperation, |c| c.get_buffer_gpu_address(Target));
    let wrong = enums::TEXTURE;
    refuses(&mut context, InvalidEnum, |c| c.make_buffer_resident(wrong, Mode::ReadOnly));
    refuses(&mut context, InvalidEnum, |c| c.make_buffer_resident(Target, wrong));
    refuses(&mut context, InvalidEnum, |c| c.make_named_buffer_resident(5, wrong));
    refuses(&mut context, InvalidEnum, |c| c.make_buffer_non_resident(wrong));
    refuses(&mut context, InvalidEnum, |c| c.is_buffer_resident(wrong));
    refuses(&mut context, InvalidEnum, |c| c.get_buffer_gpu_address(wrong));
}

#[test]
fn barriers_are_those_that_there_are() {
    let mut context = Context::new();
    context.memory_barrier(enums::SHADER_GLOBAL_ACCESS_BARRIER_BIT_NV).expect("done");
    context.memory_barrier(enums::SHADER_IMAGE_ACCESS_BARRIER_BIT_EXT | 1).expect("done");
    context.memory_barrier(enums::ALL_BARRIER_BITS_EXT).expect("done");
    context.memory_barrier(0).expect("done");
    refuses(&mut context, InvalidValue, |c| c.memory_barrier(0x8000_0000));
    refuses(&mut context, InvalidValue, |c| c.memory_barrier(0x2000));
}

#[test]
fn programs_change_buffer_objects_in_the_order_of_the_draw() {
    let mut context = counting(Mode::ReadWrite);
    let call = covering(&mut context);
    // The result does not depend on the number of threads or earlier renderings: memory starts as it was when
    // the draw was prepared.
    let picture = drawn_over(&call, [0.0; 4]);
    let pixels = (SIZE[0] * SIZE[1]) as usize;
    let mut found: Vec<f32> = (0..pixels).map(|at| picture.color.at(at)[0]).collect();
    found.sort_by(f32::total_cmp);
    assert_eq!(found, (0..pixels).map(|n| 100.0 + n as f32).collect::<Vec<_>>());
    assert!(call.memory_reports().is_empty());
    assert_eq!(words(&context), [7, 100, 9], "not kept yet");
    context.keep(&call);
    assert_eq!(words(&context), [7, 100 + pixels as u32, 9]);
}

#[test]
fn draws_at_once_go_on_from_what_the_ones_before_left() {
    let mut context = counting(Mode::ReadWrite);
    context
        .vertex_attrib_pointer(0, 2, 0, ArrayData::Float([-0.9, -0.9, 0.9, 0.9].into()))
        .expect("described");
    context.enable_vertex_attrib_array(0).expect("enabled");
    let mut target = Framebuffer::new(SIZE[0], SIZE[1]).expect("small");
    let (threads, cancel) = (Threads::new(Some(2)), AtomicBool::new(false));
    let mut canvas = Canvas { target: &mut target, threads: &threads, cancel: &cancel };
    let ranges = [[0, 1], [1, 1], [0, 2]];
    let drawn = context.draw_multi_arrays(Primitive::Points, &ranges, &mut canvas);
    assert_eq!(drawn.expect("drawn").expect("not cancelled").written, 4);
    assert_eq!(words(&context), [7, 104, 9]);
    context.draw_arrays(Primitive::Points, 0, 2, &mut canvas).expect("drawn").expect("not cancelled");
    assert_eq!(words(&context), [7, 106, 9]);
}

#[test]
fn access_modes_are_kept() {
    for (mode, reasons) in [(Mode::ReadOnly, "read-only"), (Mode::WriteOnly, "write-only")] {
        let mut context = counting(mode);
        let call = covering(&mut context);
        let picture = drawn_over(&call, [0.5; 4]);
        assert_eq!(picture.color.at(0), [0.0; 4], "reads 0");
        let [report] = call.memory_reports().try_into().expect("one cause");
        assert!(report.first.reason.to_string().contains(reasons), "{report:?}");
        assert_eq!(report.count, u64::from(SIZE[0] * SIZE[1]));
        context.keep(&call);
        assert_eq!(words(&context), [7, 100, 9]);
    }
}

#[test]
fn both_stages_work_on_one_memory() {
    // Each vertex adds to word 0. Fragments see the final sum.
    let mut context = with_words(&[0, 0]);
    context.make_buffer_resident(Target, Mode::ReadWrite).expect("resident");
    use_text(
        &mut context,
        Vertex,
        "!!NVvp5.0\nLONG UINT TEMP a; UINT TEMP n;\nPK64.U a, program.local[0];\n\
         ATOM.ADD.U32 n.x, {5}, a.x;\nMOV result.position, vertex.position;\nEND",
    );
    use_text(
        &mut context,
        Fragment,
        "!!NVfp5.0\nLONG UINT TEMP a; UINT TEMP n; TEMP c;\nPK64.U a, program.local[0];\n\
         LOAD.U32 n, a.x;\nI2F.U c, n;\nMOV result.color, c.x;\nEND",
    );
    tell_address(&mut context, Vertex);
    tell_address(&mut context, Fragment);
    let call = covering(&mut context);
    assert_eq!(drawn_over(&call, [0.0; 4]).color.at(3), [15.0; 4]);
    context.keep(&call);
    assert_eq!(words(&context), [15, 0]);
}

#[test]
fn parameter_buffers_are_those_of_their_stage() {
    let mut context = with_words(&[1.0f32, 2.0, 3.0].map(f32::to_bits));
    context.bind_buffer_base(FragmentProgramParameter, 2, 3).expect("bound");
    assert_eq!(context.get_buffer_binding(FragmentProgramParameter), Ok(3), "bound to the target, too");
    assert_eq!(context.get_parameter_buffer(FragmentProgramParameter, 2), Ok(3));
    assert_eq!(context.get_parameter_buffer(VertexProgramParameter, 2), Ok(0));
    let text = "!!NVfp4.0\nBUFFER b[] = { program.buffer[2] };\nMOV result.color.x, b[0]; MOV result.color.y, b[2];\n\
        MOV result.color.z, b[3]; MOV result.color.w, b[1]; END";
    use_text(&mut context, Fragment, text);
    let picture = drawn_over(&covering(&mut context), [0.5; 4]);
    assert_eq!(picture.color.at(0), [1.0, 3.0, 0.0, 2.0]);
    // A range of the buffer, in words.
    context.bind_buffer_range(FragmentProgramParameter, 2, 3, 0, 8).expect("bound");
    let picture = drawn_over(&covering(&mut context), [0.5; 4]);
    assert_eq!(picture.color.at(0), [1.0, 0.0, 0.0, 2.0]);
    // Writes go to the bound buffer.
    context.program_buffer_parameters_f(FragmentProgramParameter, [2, 1], &[7.0f32]).expect("set");
    context.program_buffer_parameters_i(FragmentProgramParameter, [2, 2], &[-1]).expect("set");
    assert_eq!(words(&context), [1.0f32.to_bits(), 7.0f32.to_bits(), u32::MAX]);
    context
        .program_buffer_parameters_ui(enums::FRAGMENT_PROGRAM_PARAMETER_BUFFER_NV, [2, 0], &[5u32])
        .expect("set");
    assert_eq!(words(&context)[0], 5);
    // An empty binding point reads as 0. Deleted objects are unbound.
    context.bind_buffer_offset(FragmentProgramParameter, 2, 0, 0).expect("unbound");
    let call = covering(&mut context);
    assert_eq!(drawn_over(&call, [0.5; 4]).color.at(0), [0.0; 4]);
    assert_eq!(call.memory_reports().len(), 4, "one for each instruction");
    context.bind_buffer_base(FragmentProgramParameter, 2, 3).expect("bound");
    context.delete_buffers(&[3][..]).expect("deleted");
    assert_eq!(context.get_parameter_buffer(FragmentProgramParameter, 2), Ok(0));
    assert_eq!(context.get_buffer_binding(FragmentProgramParameter), Ok(0));
}

#[test]
fn programs_read_65536_bytes_of_a_parameter_buffer() {
    let mut context = with_words(&[9; 16400]);
    context.bind_buffer_base(FragmentProgramParameter, 0, 3).expect("bound");
    let text = "!!NVfp5.0\nCBUFFER c[] = { program.buffer[0] };\nBUFFER last = program.buffer[0][16383];\n\
        BUFFER beyond = program.buffer[0][16384];\nUINT TEMP u; TEMP t;\nLDC.U32 u, c[65532];\nI2F.U t.x, u.x;\n\
        I2F.U t.y, last;\nI2F.U t.z, beyond;\nMOV t.w, 0;\nMOV result.color, t;\nEND";
    use_text(&mut context, Fragment, text);
    assert_eq!(drawn_over(&covering(&mut context), [0.5; 4]).color.at(0), [9.0, 9.0, 0.0, 0.0]);
    assert_eq!(context.get_program_iv(Fragment, enums::MAX_PROGRAM_PARAMETER_BUFFER_SIZE_NV), Ok(16384));
    let points = context.get_program_iv(Fragment, enums::MAX_PROGRAM_PARAMETER_BUFFER_BINDINGS_NV);
    assert!(points.is_ok_and(|points| points >= 8), "the least that there may be");
}

#[test]
fn errors_of_parameter_buffers() {
    let mut context = with_words(&[1, 2, 3]);
    let target = VertexProgramParameter;
    for index in [14, u32::MAX] {
        refuses(&mut context, InvalidValue, |c| c.bind_buffer_base(target, index, 3));
        refuses(&mut context, InvalidValue, |c| c.bind_buffer_offset(target, index, 3, 0));
        refuses(&mut context, InvalidValue, |c| c.bind_buffer_range(target, index, 3, 0, 4));
        refuses(&mut context, InvalidValue, |c| c.get_parameter_buffer(target, index));
        refuses(&mut context, InvalidValue, |c| c.program_buffer_parameters_i(target, [index, 0], &[1]));
    }
    for size in [0, -4, 2, 5] {
        refuses(&mut context, InvalidValue, |c| c.bind_buffer_range(target, 0, 3, 0, size));
    }
    for offset in [4, 2, -4] {
        refuses(&mut context, InvalidValue, |c| c.bind_buffer_range(target, 0, 3, offset, 4));
        refuses(&mut context, InvalidValue, |c| c.bind_buffer_offset(target, 0, 3, offset));
    }
    for wrong in [enums::TEXTURE_BUFFER_EXT, enums::TEXTURE] {
        refuses(&mut context, InvalidEnum, |c| c.bind_buffer_base(wrong, 0, 3));
        refuses(&mut context, InvalidEnum, |c| c.bind_buffer_offset(wrong, 0, 3, 0));
        refuses(&mut context, InvalidEnum, |c| c.bind_buffer_range(wrong, 0, 3, 0, 4));
        refuses(&mut context, InvalidEnum, |c| c.get_parameter_buffer(wrong, 0));
        refuses(&mut context, InvalidEnum, |c| c.program_buffer_parameters_f(wrong, [0, 0], &[1.0f32]));
    }
    refuses(&mut context, InvalidOperation, |c| c.program_buffer_parameters_ui(target, [0, 0], &[1u32]));
    context.bind_buffer_base(target, 0, 3).expect("bound");
    context.program_buffer_parameters_ui(target, [0, 3], &[][..]).expect("nothing");
    refuses(&mut context, InvalidValue, |c| c.program_buffer_parameters_ui(target, [0, 2], &[1, 2]));
    refuses(&mut context, InvalidValue, |c| {
        c.program_buffer_parameters_ui(target, [0, 0], (-1, &[1u32][..]))
    });
    context.buffer_data(Target, &[0u8; 4 * 16400], BufferUsage::StaticDraw).expect("a store");
    refuses(&mut context, InvalidValue, |c| c.program_buffer_parameters_ui(target, [0, 16384], &[1]));
    context.program_buffer_parameters_ui(target, [0, 16383], &[1]).expect("the last one");
}

#[test]
fn memory_between_begin_and_end() {
    let mut context = with_words(&[1, 2, 3]);
    refused_between(&mut context, |c| c.make_buffer_resident(Target, Mode::ReadOnly));
    refused_between(&mut context, |c| c.make_buffer_non_resident(Target));
    refused_between(&mut context, |c| c.is_buffer_resident(Target));
    refused_between(&mut context, |c| c.make_named_buffer_resident(3, Mode::ReadOnly));
    refused_between(&mut context, |c| c.make_named_buffer_non_resident(3));
    refused_between(&mut context, |c| c.is_named_buffer_resident(3));
    refused_between(&mut context, |c| c.get_buffer_gpu_address(Target));
    refused_between(&mut context, |c| c.get_named_buffer_gpu_address(3));
    refused_between(&mut context, |c| c.get_max_shader_buffer_address());
    refused_between(&mut context, |c| c.memory_barrier(1));
    refused_between(&mut context, |c| c.choose_address_bits(AddressBits::Bits32));
    refused_between(&mut context, |c| c.bind_buffer_base(VertexProgramParameter, 0, 3));
    refused_between(&mut context, |c| c.bind_buffer_offset(VertexProgramParameter, 0, 3, 0));
    refused_between(&mut context, |c| c.bind_buffer_range(VertexProgramParameter, 0, 3, 0, 4));
    refused_between(&mut context, |c| c.get_parameter_buffer(VertexProgramParameter, 0));
    refused_between(&mut context, |c| {
        c.program_buffer_parameters_f(VertexProgramParameter, [0, 0], &[1.0f32])
    });
    refused_between(&mut context, |c| c.program_buffer_parameters_i(VertexProgramParameter, [0, 0], &[1]));
    refused_between(&mut context, |c| c.program_buffer_parameters_ui(VertexProgramParameter, [0, 0], &[1]));
}

#[test]
fn a_million_invocations_in_any_order_lose_no_count() {
    let mut context = counting(Mode::ReadWrite);
    let call = covering(&mut context);
    call.in_any_order(true);
    for threads in [1, 4] {
        let mut target = Framebuffer::new(1024, 1024).expect("memory");
        call.render(&mut target, &Threads::new(Some(threads)), &AtomicBool::new(false))
            .expect("not cancelled");
        let mut found: Vec<u32> = (0..1 << 20).map(|at| target.color.at(at)[0] as u32).collect();
        found.sort_unstable();
        assert!(found.iter().copied().eq(100..100 + (1 << 20)), "each has another number");
        let mut kept = context.clone();
        kept.keep(&call);
        assert_eq!(words(&kept), [7, 100 + (1 << 20), 9]);
    }
}
