//! Tests of draws whose programs write memory. Each effect happens once, in a defined order; early tests
//! decide which fragments have effects.

use super::*;
use crate::exec::{Bindings, Executable, FragmentTests, Shader};
use crate::memory::{self, BufferId, Mode, Place, Reason};
use crate::subject::Subject;
use shadestep_language::ir::{
    Access, Atomic, Caching, ConstantVector, Destination, Instruction, Kind, Memory, Negation, Operand,
    Origin, ParamId, Parameter, ParameterSource, Program, Source, Storage, Swizzle, Target, TempId,
    Temporary, Type,
};
use shadestep_language::isa::Opcode;
use shadestep_language::source::Span;

/// Address of the counter; the list follows it.
const BASE: u32 = 0x1_0000;
const SIZE: [u32; 2] = [150, 140];

fn operand(source: Source, component: u8) -> Operand {
    let (swizzle, negate) = (Swizzle::replicate(component), Negation::NONE);
    Operand { source, swizzle, negate, absolute: false, negate_absolute: false, span: Span::default() }
}

/// A program with two more temporaries, and a parameter with the integers 1, 4 and the start of memory.
struct Extended {
    program: Program,
    temporary: u16,
    integers: Source,
}

impl Extended {
    fn new(text: &str) -> Self {
        let mut program = shadestep_language::front::load(text.as_bytes()).program.unwrap();
        let temporary = program.temporaries.len() as u16;
        let new = |n| Temporary { name: format!("T{n}"), ty: Type::F32 };
        program.temporaries.extend([new(0), new(1)]);
        let integers = Source::Param(ParamId(program.parameters.len() as u16));
        let values = [1, 4, BASE, BASE + 16].map(f32::from_bits);
        program.parameters.push(Parameter::from(ParameterSource::Constant(ConstantVector::floats(values))));
        Self { program, temporary, integers }
    }

    fn push(&mut self, op: Opcode, ty: Type, kind: Kind, operands: Vec<Operand>) {
        let semantics = self.program.language.profile().semantics;
        let (span, mnemonic_span) = (Span::default(), Span::default());
        self.program.instructions.push(Instruction {
            op,
            semantics,
            ty,
            operands,
            kind,
            span,
            mnemonic_span,
            origin: Origin::Text,
        });
    }

    fn to(&self, n: u16) -> Destination {
        Destination::whole(Target::Temp(TempId(self.temporary + n)))
    }

    /// Increments the counter, and leaves the old value in the first temporary.
    fn count(&mut self) {
        let access = Access::Atomic(self.to(0).into(), Atomic::Add);
        let memory = Memory { access, image: None, storage: Storage::U32, caching: Caching::default() };
        let operands = vec![operand(self.integers, 0), operand(self.integers, 2)];
        self.push(Opcode::Atom, Type::U32, Kind::Memory(memory), operands);
    }

    /// Appends x of `source` to the list.
    fn append(&mut self, source: Source) {
        self.count();
        let to = Kind::Alu(self.to(1).into());
        let (number, place) =
            (Source::Temp(TempId(self.temporary)), Source::Temp(TempId(self.temporary + 1)));
        self.push(Opcode::Mul, Type::U32, to, vec![operand(number, 0), operand(self.integers, 1)]);
        self.push(Opcode::Add, Type::U32, to, vec![operand(place, 0), operand(self.integers, 3)]);
        let memory =
            Memory { access: Access::Store, image: None, storage: Storage::F32, caching: Caching::default() };
        self.push(
            Opcode::Store,
            Type::F32,
            Kind::Memory(memory),
            vec![operand(source, 0), operand(place, 0)],
        );
    }

    fn shader(&self) -> Shader {
        let mut memory = memory::Memory::default();
        let buffer = memory.add(&vec![0; 16 + 4 * 60_000]);
        memory.make_resident(buffer, BASE.into(), Mode::ReadWrite).unwrap();
        let bindings = Bindings::initial(&self.program);
        let bindings = Bindings { memory: memory.into(), ..bindings };
        Shader::new(Arc::new(Executable::new(Arc::new(self.program.clone()))), bindings)
    }
}

/// The counter and the list.
fn outcome(shader: &Shader) -> (u32, Vec<f32>) {
    let bytes = shader.memory().snapshot().bytes(BufferId(0));
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let count = word(0);
    (count, (0..count as usize).map(|n| f32::from_bits(word(16 + 4 * n))).collect())
}

const COLOR: &str = "!!FP1.0 MOV o[COLR], f[COL0]; END";

/// A program that writes its colour and appends the red component to the list.
fn appending(text: &str) -> Extended {
    let mut extended = Extended::new(text);
    extended.append(Source::Attribute(Attribute::Col0));
    extended
}

/// Overlapping triangles over many tiles, at these depths. Each has its number as its red component.
fn layers(depths: &[f32]) -> Draw {
    let (mut positions, mut colors) = (Vec::new(), Vec::new());
    for (number, z) in depths.iter().enumerate() {
        let shift = 3.0 * number as f32;
        for corner in [[2.3 + shift, 1.7], [140.2, 8.4 + shift], [30.6, 133.8 - shift]] {
            let [x, y, _, w] = at(SIZE, corner);
            positions.push([x, y, *z, w]);
            colors.push([number as f32 / 8.0, 0.0, 0.0, 1.0]);
        }
    }
    let mut input = input(Primitive::Triangles, &positions);
    input.attributes[3] = array(&colors);
    Draw::vertices(input)
}

fn same(a: &Framebuffer, b: &Framebuffer) -> bool {
    let bits =
        |buffer: &Framebuffer| buffer.color.floats().iter().map(|c| c.map(f32::to_bits)).collect::<Vec<_>>();
    bits(a) == bits(b) && a.depth.iter().map(|z| z.to_bits()).eq(b.depth.iter().map(|z| z.to_bits()))
}

fn render_with(draw: &Draw, shader: &Shader, threads: usize) -> (Framebuffer, Stats) {
    draw_vertices(draw, &Pass(vec![VertexResult::Col0]), shader, SIZE, threads)
}

#[test]
fn every_fragment_has_its_effects_once_and_helpers_have_none() {
    let mut draw = layers(&[0.5, 0.25, 0.0]);
    draw.state.depth = DepthState::OFF;
    let plain = Extended::new(COLOR).shader();
    let (picture, expected) = render_with(&draw, &plain, 4);
    for threads in [1, 4] {
        let mut extended = Extended::new(COLOR);
        extended.count();
        let shader = extended.shader();
        let (same_picture, stats) = render_with(&draw, &shader, threads);
        assert!(same(&picture, &same_picture));
        assert_eq!(stats.fragments, expected.fragments);
        assert_eq!(u64::from(outcome(&shader).0), expected.fragments);
    }
    // The viewport quad.
    let mut extended = Extended::new(COLOR);
    extended.count();
    let shader = extended.shader();
    let (_, stats) = render_with(&Draw::viewport_quad(), &shader, 4);
    assert_eq!((stats.fragments, outcome(&shader).0), (150 * 140, 150 * 140));
}

#[test]
fn effects_come_in_the_order_of_primitives() {
    let mut draw = layers(&[0.5, 0.25, 0.0, 0.1]);
    draw.state.depth = DepthState::OFF;
    let mut before = None;
    for threads in [1, 4] {
        let shader = appending(COLOR).shader();
        let (picture, stats) = render_with(&draw, &shader, threads);
        let (count, list) = outcome(&shader);
        assert_eq!(u64::from(count), stats.fragments);
        assert!(list.is_sorted(), "a later primitive came first");
        assert_eq!((list.first(), list.last()), (Some(&0.0), Some(&0.375)));
        let outcome = (list, picture);
        if let Some((list, picture)) = &before {
            assert!(*list == outcome.0 && same(picture, &outcome.1));
        }
        before = Some(outcome);
    }
}

#[test]
fn small_primitives_have_their_effects_in_the_order_of_the_draw() {
    // Scattered triangles, small enough for one tile, with many consecutive triangles in the same tile. Every
    // eleventh spans several tiles.
    const COUNT: u32 = 600;
    let (mut positions, mut colors) = (Vec::new(), Vec::new());
    let mut state = 1u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let mut place = [40.0, 40.0];
    for number in 0..COUNT {
        if number % 7 == 0 {
            place = [next(130) as f32, next(120) as f32];
        }
        let side = if number % 11 == 0 { 34.0 } else { 9.0 };
        let [x, y] = place.map(|at| at + next(8) as f32);
        for corner in [[x, y], [x + side, y + 2.0], [x + 1.0, y + side]] {
            let [x, y, z, w] = at(SIZE, corner);
            positions.push([x, y, z, w]);
            colors.push([number as f32 / 1024.0, 0.0, 0.0, 1.0]);
        }
    }
    let mut input = input(Primitive::Triangles, &positions);
    input.attributes[3] = array(&colors);
    let mut draw = Draw::vertices(input);
    draw.state.depth = DepthState::OFF;
    let plain = Extended::new(COLOR).shader();
    let (picture, expected) = render_with(&draw, &plain, 1);
    let shader = appending(COLOR).shader();
    let (same_picture, stats) = render_with(&draw, &shader, 4);
    assert!(same(&picture, &same_picture));
    let (count, list) = outcome(&shader);
    assert_eq!((stats.fragments, u64::from(count)), (expected.fragments, expected.fragments));
    assert!(list.is_sorted(), "a later primitive came first");
    assert_eq!(list.last(), Some(&((COUNT as f32 - 1.0) / 1024.0)));
}

#[test]
fn fragments_that_will_fail_the_depth_test_have_effects_all_the_same() {
    // The nearest triangle first, so that it hides later ones.
    let draw = layers(&[-0.5, 0.5]);
    let plain = Extended::new(COLOR).shader();
    let (picture, stats) = render_with(&draw, &plain, 1);
    assert!(stats.depth_failed > 0 && stats.fragments < stats.written + stats.depth_failed, "{stats:?}");
    let shader = appending(COLOR).shader();
    let (same_picture, all) = render_with(&draw, &shader, 4);
    assert!(same(&picture, &same_picture));
    assert_eq!(all.fragments, stats.written + stats.depth_failed);
    assert_eq!((all.written, all.depth_failed), (stats.written, stats.depth_failed));
    assert_eq!(u64::from(outcome(&shader).0), all.fragments);
}

/// A vertex program that records when it runs, and declares this use of memory.
struct Noting<'a> {
    notes: &'a Mutex<String>,
    memory_use: Use,
}

impl VertexShader for Noting<'_> {
    type Worker = ();

    fn worker(&self) {}

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        ALL
    }

    fn results_written(&self) -> u64 {
        Pass(Vec::new()).results_written()
    }

    fn memory_use(&self) -> Use {
        self.memory_use
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut ResultLanes) {
        self.notes.lock().unwrap().push('v');
        Pass(Vec::new()).run(&mut (), inputs, active, output);
    }
}

#[test]
fn instances_come_one_after_the_other_where_vertices_can_tell() {
    let mut draw = layers(&[0.5]);
    draw.state.depth = DepthState::OFF;
    let Geometry::Vertices(input) = &mut draw.geometry else { panic!("there are vertices") };
    input.instances = 3;
    for (of_vertices, of_fragments, expected) in [
        (Use::None, Use::None, "vvvf"),
        (Use::None, Use::Writes, "vvvf"),
        (Use::Reads, Use::Reads, "vvvf"),
        (Use::Reads, Use::Writes, "vfvfvf"),
        (Use::Writes, Use::None, "vfvfvf"),
        (Use::Writes, Use::Reads, "vfvfvf"),
    ] {
        let notes = Mutex::new(String::new());
        let vertex = Noting { notes: &notes, memory_use: of_vertices };
        let note = |_: &Inputs| {
            let mut notes = notes.lock().unwrap();
            if !notes.ends_with('f') {
                notes.push('f');
            }
            Shaded::default()
        };
        let fragment = LaneShader { memory_use: of_fragments, ..shader(note) };
        draw_vertices(&draw, &vertex, &fragment, SIZE, 1);
        assert_eq!(*notes.lock().unwrap(), expected, "{of_vertices:?}, {of_fragments:?}");
    }
}

/// The same with `NV_early_fragment_tests`.
fn early(mut extended: Extended) -> Extended {
    extended.program.options.early_fragment_tests = true;
    extended
}

#[test]
fn with_early_tests_only_what_passes_is_shaded() {
    let draw = layers(&[-0.5, 0.5, -0.75]);
    let plain = Extended::new(COLOR).shader();
    let (picture, stats) = render_with(&draw, &plain, 1);
    for threads in [1, 4] {
        let shader = early(appending(COLOR)).shader();
        let facts = shader.facts();
        assert_eq!((facts.tests, facts.memory_use), (FragmentTests::Early, Use::Writes));
        let (same_picture, tested) = render_with(&draw, &shader, threads);
        assert!(same(&picture, &same_picture));
        assert_eq!((tested.fragments, tested.written), (stats.written, stats.written));
        assert_eq!(tested.depth_failed, stats.depth_failed);
        assert_eq!(u64::from(outcome(&shader).0), stats.written);
    }
}

#[test]
fn early_tests_write_depth_and_stencil_whatever_the_program_does() {
    // EXT_shader_image_load_store 3.X: the program's depth has no effect, and buffers may change for
    // discarded fragments.
    let mut draw = layers(&[0.5]);
    let face = StencilFace { func: CompareFunc::Always, pass: StencilOp::Incr, ..StencilFace::DEFAULT };
    draw.state.stencil = Some(Stencil { front: face, back: face });
    let text = "!!FP1.0 MOV o[COLR], f[COL0]; MOV o[DEPR].z, {0.125}.x; KIL TR; END";
    let kills_late = Extended::new(text).shader();
    let (untouched, stats) = render_with(&draw, &kills_late, 1);
    assert_eq!((stats.written, stats.killed), (0, stats.fragments));
    assert!(untouched.depth.iter().all(|z| *z == 1.0) && untouched.stencil().iter().all(|s| *s == 0));
    let shader = early(Extended::new(text)).shader();
    let (buffer, stats) = render_with(&draw, &shader, 1);
    assert_eq!((stats.written, stats.killed), (0, stats.fragments));
    let changed = buffer.stencil().iter().filter(|s| **s == 1).count();
    assert_eq!(changed as u64, stats.fragments);
    let stencil = buffer.stencil();
    let depths = buffer.depth.iter().zip(&*stencil).map(|(z, s)| (*z, *s));
    assert!(
        depths.clone().all(|(z, s)| z == if s == 1 { 0.75 } else { 1.0 }),
        "{:?}",
        depths.max_by(|a, b| a.0.total_cmp(&b.0))
    );
    // The same for a single pixel, replayed fragment by fragment.
    let merging = Merging::of(&shader.facts());
    let mut history = PixelHistory::new(&draw.state, merging, Clear::DEFAULT, ColorFormat::Rgba32F);
    let fragment = HistoryFragment {
        color: [1.0; 4],
        other_colors: Default::default(),
        second_color: Default::default(),
        depth: 0.75,
        killed: true,
        facing: Facing::Front,
        samples: FragmentSamples::whole(0.75),
        sample_mask: u32::MAX,
    };
    assert_eq!(history.push(fragment), PixelStatus::Killed);
    assert_eq!((history.state().depth, history.state().stencil), (0.75, 1));
    // LESS fails at equal depth.
    assert_eq!(history.push(HistoryFragment { killed: false, ..fragment }), PixelStatus::DepthFailed);
}

#[test]
fn discarded_fragments_have_the_effects_before_the_discard_only() {
    let mut draw = layers(&[0.5]);
    draw.state.depth = DepthState::OFF;
    // Every second column is discarded.
    let text = "!!FP1.0 MUL R0, f[WPOS].x, {0.5}; FRC R0, R0; ADDC R0, R0, {-0.5}; KIL LT.x; MOV o[COLR], f[COL0]; END";
    let mut extended = Extended::new(text);
    extended.count();
    let shader = extended.shader();
    let (_, stats) = render_with(&draw, &shader, 4);
    assert!(stats.killed > 0 && stats.written > 0);
    assert_eq!(u64::from(outcome(&shader).0), stats.written);
}

#[test]
fn vertices_have_their_effects_once_however_often_they_are_used() {
    let positions: Vec<[f32; 4]> =
        (0..200).map(|n| at(SIZE, [(n % 20) as f32 * 7.0, (n / 20) as f32 * 13.0])).collect();
    let mut vertices = input(Primitive::Triangles, &positions);
    let colors: Vec<[f32; 4]> = (0..200).map(|n| [n as f32, 0.0, 0.0, 1.0]).collect();
    vertices.attributes[3] = array(&colors);
    // All elements but three are used many times.
    let indices: Vec<u32> = (0..1200).map(|n| (n * 7 + n / 200) % 197).collect();
    vertices.elements = Elements::Indices { indices: indices.into(), restart: None };
    let mut draw = Draw::vertices(vertices);
    draw.state.depth = DepthState::OFF;
    for threads in [1, 4] {
        let mut extended = Extended::new("!!VP2.0 MOV o[HPOS], v[0]; MOV o[COL0], v[3]; END");
        extended.append(Source::Attribute(Attribute::Vertex(3)));
        let shader = extended.shader();
        assert_eq!(VertexShader::memory_use(&shader), Use::Writes);
        let fragment =
            super::shader(|inputs| Shaded { color: inputs[Attribute::Col0.index()], ..Shaded::default() });
        let (_, stats) = draw_vertices(&draw, &shader, &fragment, SIZE, threads);
        let (count, list) = outcome(&shader);
        assert_eq!((stats.vertices, count), (197, 197));
        // One after the other, in array order.
        assert!(list.iter().enumerate().all(|(n, value)| *value == n as f32), "{list:?}");
    }
}

#[test]
fn what_is_wrong_with_an_access_is_told_of_who_made_it() {
    let mut draw = layers(&[0.5]);
    draw.state.depth = DepthState::OFF;
    let mut extended = Extended::new(COLOR);
    // A load from an address without a buffer.
    let memory = Memory {
        access: Access::Load(extended.to(0).into()),
        image: None,
        storage: Storage::U32,
        caching: Caching::default(),
    };
    extended.push(Opcode::Load, Type::U32, Kind::Memory(memory), vec![operand(extended.integers, 1)]);
    let (pc, shader) = (extended.program.instructions.len() - 1, extended.shader());
    assert_eq!(shader.facts().memory_use, Use::Reads);
    let (_, stats) = render_with(&draw, &shader, 1);
    let reports = shader.memory().reports();
    let [report] = reports.as_slice() else { panic!("one cause: {reports:?}") };
    assert_eq!((report.count, report.first.who.pc), (stats.fragments, pc));
    assert_eq!((report.first.place, report.first.reason), (Place::Address(4), Reason::NotResident));
    // The first pixel of the triangle in the lower left tile. The triangle's lowest corner is at (2.3, 1.7).
    assert_eq!(report.first.who.subject, Some(Subject::Pixel([2, 2])));

    let mut vertex = Extended::new("!!VP2.0 MOV o[HPOS], v[0]; MOV o[COL0], v[3]; END");
    let memory = Memory {
        access: Access::Load(vertex.to(0).into()),
        image: None,
        storage: Storage::U32,
        caching: Caching::default(),
    };
    vertex.push(Opcode::Load, Type::U32, Kind::Memory(memory), vec![operand(vertex.integers, 1)]);
    let shader = vertex.shader();
    let fragment =
        super::shader(|inputs| Shaded { color: inputs[Attribute::Col0.index()], ..Shaded::default() });
    let (_, stats) = draw_vertices(&draw, &shader, &fragment, SIZE, 1);
    let report = shader.memory().reports()[0];
    assert_eq!((report.count, report.first.who.subject), (stats.vertices, Some(Subject::Vertex(0))));
}
