//! Random programs with side effects: they read and write small buffers and emit vertices. The reference
//! interpreter runs one invocation after the other, and every back end of the batch executor runs the same
//! program. The tests compare registers, results, emitted vertices and the final memory bit by bit.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_core::exec::{
    AttributeLanes, Bindings, BlockOutput, BlockShader, Executable, Finished, Inspection, InstructionLimit,
    LANES, QUAD, QuadInputs, ResultLanes, Shader, VertexInputs, VertexShader, run_quad_within,
    run_vertex_within,
};
use shadestep_core::memory::{self, Bound, BoundImage, BufferId, Mode, Reason};
use shadestep_engine::debug::Recording;
use shadestep_engine::isa::{Language, Opcode, Stage};
use shadestep_engine::source::Span;
use shadestep_engine::texture::ImageFormat;
use shadestep_language::ir::{
    Access, Atomic, Attribute, BufferRef, BufferUnit, BufferVariable, Caching, CcRegister, Condition,
    Destination, Emit, ImageAccess, Index, Kind, Memory, Negation, Operand, OutputRole, Program, Source,
    Storage, Swizzle, Target, TempId, Temporary, TextureTarget, Type, Write, WriteMask, disassemble,
    single_bits,
};

use super::against::check_fragments;
use super::random::{self, Random};
use super::{arb, vertex};

/// Address and length in bytes of each buffer.
const BUFFERS: [(u64, usize); 3] = [(0x1_0000, 96), (0x2_0000, 4100), (0x3_0000, 24)];
/// Number of 64-bit registers in each program.
const WIDE: u16 = 2;
const LIMIT: InstructionLimit = InstructionLimit(300);

/// An attribute with addresses in x and y and a small integer in z. All lanes have the same x and y.
fn attribute(language: Language) -> Attribute {
    if language.stage() == Stage::Fragment { Attribute::Tex(1) } else { Attribute::Vertex(3) }
}

/// An address, mostly in a buffer and a multiple of 32. Some are arbitrary.
fn address(random: &mut Random) -> u64 {
    let (base, length) = *random.pick(&BUFFERS);
    match random.below(12) {
        0 => random.next(),
        1 => base + random.below(2 * length) as u64,
        2 | 3 => base + 4 * random.below(length / 4) as u64,
        // Few different addresses, so that lanes access the same words.
        4..8 => BUFFERS[0].0 + 32 * random.below(3) as u64,
        _ => base + 32 * random.below(length / 32 + 1) as u64,
    }
}

fn operand(source: Source, swizzle: Swizzle) -> Operand {
    let negate = Negation::NONE;
    Operand { source, swizzle, negate, absolute: false, negate_absolute: false, span: Span::default() }
}

/// Makes instructions that replace some of a program's own.
struct Injection<'a> {
    random: &'a mut Random,
    language: Language,
    /// The 32-bit registers, and the first 64-bit register.
    narrow: Vec<TempId>,
    wide: u16,
}

impl Injection<'_> {
    fn temporary(&mut self) -> TempId {
        if self.random.chance(3) {
            return TempId(self.wide + self.random.below(usize::from(WIDE)) as u16);
        }
        *self.random.pick(&self.narrow)
    }

    fn source(&mut self) -> Source {
        match self.random.below(5) {
            0 => Source::Attribute(attribute(self.language)),
            _ => Source::Temp(self.temporary()),
        }
    }

    /// An operand that the instruction reads with its own type, with sign modifiers.
    fn value(&mut self) -> Operand {
        let source = self.source();
        let swizzle = if self.random.chance(2) {
            Swizzle::IDENTITY
        } else {
            Swizzle(std::array::from_fn(|_| self.random.below(4) as u8))
        };
        let negate = if self.random.chance(4) { Negation::ALL } else { Negation::NONE };
        let absolute = self.random.chance(5);
        Operand { negate, absolute, ..operand(source, swizzle) }
    }

    /// An address, mostly inside a buffer.
    fn address(&mut self) -> Operand {
        if self.random.chance(6) {
            let source = self.source();
            return operand(source, Swizzle::replicate(self.random.below(4) as u8));
        }
        let component = self.random.below(2) as u8;
        operand(Source::Attribute(attribute(self.language)), Swizzle::replicate(component))
    }

    fn write(&mut self) -> Write {
        let target = match self.random.below(8) {
            0 => Target::ConditionOnly(Type::F32),
            _ => Target::Temp(self.temporary()),
        };
        let conditions = [Condition::Gt, Condition::Ne, Condition::Fl, Condition::Eq];
        let test = self.random.chance(4).then(|| shadestep_language::ir::CcTest {
            condition: *self.random.pick(&conditions),
            swizzle: Swizzle(std::array::from_fn(|_| self.random.below(4) as u8)),
            register: CcRegister::Cc0,
        });
        let mask = WriteMask(1 + self.random.below(15) as u8);
        let dest = Destination { target, mask, test, span: Span::default() };
        Write { update_cc: self.random.chance(3).then_some(CcRegister::Cc0), ..dest.into() }
    }

    fn index(&mut self, most: usize) -> Index {
        let offset = self.random.below(most) as i64;
        let register =
            self.random.chance(3).then(|| (*self.random.pick(&self.narrow), self.random.below(4) as u8));
        Index { register, offset }
    }

    /// Texel coordinates, mostly inside the image: small integers.
    fn texel(&mut self) -> Operand {
        let source =
            if self.random.chance(8) { self.source() } else { Source::Attribute(attribute(self.language)) };
        operand(source, Swizzle::replicate(2))
    }

    /// An image unit, with or without an image. A store may be formatted.
    fn image(&mut self, formatted: bool) -> ImageAccess {
        let target = *self.random.pick(&ImageAccess::TARGETS);
        ImageAccess { first: 0, count: 4, index: self.index(5), target, formatted }
    }

    /// LOADIM, STOREIM or ATOMIM.
    fn image_access(&mut self) -> (Opcode, Type, Kind, Vec<Operand>) {
        const STORAGES: [&str; 6] = ["U32", "S16", "U8", "F32X2", "U8X4", "U32X4"];
        let storage = Storage::named(STORAGES[self.random.below(STORAGES.len())]).expect("a modifier");
        let caching = Caching::default();
        let of =
            |access, image, storage| Kind::Memory(Memory { access, image: Some(image), storage, caching });
        match self.random.below(4) {
            0 => {
                let kind = of(Access::Load(self.write()), self.image(false), storage);
                (Opcode::Loadim, storage.ty(), kind, vec![self.texel()])
            }
            1 => {
                let kind = of(Access::Store, self.image(false), storage);
                (Opcode::Storeim, storage.ty(), kind, vec![self.value(), self.texel()])
            }
            2 => {
                let ty = *self.random.pick(&[Type::F32, Type::S32, Type::U32]);
                let kind = of(Access::Store, self.image(true), Storage::vector(ty));
                (Opcode::Storeim, ty, kind, vec![self.value(), self.texel()])
            }
            _ => {
                let atomic = *self.random.pick(&Atomic::ALL);
                let kind = of(Access::Atomic(self.write(), atomic), self.image(false), Storage::U32);
                (Opcode::Atomim, Type::U32, kind, vec![self.value(), self.texel()])
            }
        }
    }

    /// An element of one of the [`variables`]. The storage modifier decides the size in bytes.
    fn buffer(&mut self, unit: BufferUnit, storage: Storage) -> BufferRef {
        let point =
            if self.random.chance(3) { self.index(2) } else { Index::constant(self.random.below(2) as i64) };
        let element = match unit {
            BufferUnit::Byte => Index { offset: 8 * self.random.below(6) as i64, ..self.index(2) },
            BufferUnit::Word | BufferUnit::Vector => self.index(5),
        };
        let storage = if unit == BufferUnit::Byte { storage } else { unit.storage() };
        BufferRef { variable: unit as u16, point, element, storage }
    }

    /// Replaces `instruction` by one that accesses memory or emits a vertex.
    fn replace(&mut self, instruction: &mut shadestep_language::ir::Instruction) {
        let storage = *self.random.pick(&Storage::ALL);
        let caching = Caching::default();
        let memory = |access, storage| Kind::Memory(Memory { access, image: None, storage, caching });
        let emits = self.language.stage() == Stage::Vertex;
        let (op, ty, kind, operands) = match self.random.below(15) {
            0 | 1 => {
                let access = Access::Load(self.write());
                (Opcode::Load, storage.ty(), memory(access, storage), vec![self.address()])
            }
            2..5 => {
                let operands = vec![self.value(), self.address()];
                (Opcode::Store, storage.ty(), memory(Access::Store, storage), operands)
            }
            5..8 => {
                let atomic = *self.random.pick(&Atomic::ALL);
                let storage = *self.random.pick(atomic.storages());
                let access = Access::Atomic(self.write(), atomic);
                (Opcode::Atom, storage.ty(), memory(access, storage), vec![self.value(), self.address()])
            }
            8 => {
                let buffer = self.buffer(BufferUnit::Byte, storage);
                let operand = Operand { source: Source::Buffer(buffer), ..self.value() };
                (Opcode::Ldc, storage.ty(), Kind::Alu(self.write()), vec![operand])
            }
            9 => {
                let unit = *self.random.pick(&[BufferUnit::Word, BufferUnit::Vector]);
                let buffer = self.buffer(unit, storage);
                let operand = Operand { source: Source::Buffer(buffer), ..self.value() };
                (Opcode::Mov, Type::U32, Kind::Alu(self.write()), vec![operand])
            }
            10 if emits => match self.random.below(3) {
                0 => (Opcode::Emit, Type::S32, Kind::Emit(Emit::Vertex), Vec::new()),
                1 => {
                    let stream = operand(Source::Attribute(attribute(self.language)), Swizzle::replicate(2));
                    (Opcode::Emits, Type::S32, Kind::Emit(Emit::ToStream), vec![stream])
                }
                _ => (Opcode::Endprim, Type::S32, Kind::Emit(Emit::EndPrimitive), Vec::new()),
            },
            10 => (Opcode::Membar, Type::F32, Kind::Barrier, Vec::new()),
            11..14 => self.image_access(),
            // Later instructions index with the value or store it.
            _ => {
                let source = Source::Attribute(attribute(self.language));
                let swizzle = Swizzle(std::array::from_fn(|_| 1 + self.random.below(3) as u8));
                (Opcode::Mov, Type::S32, Kind::Alu(self.write()), vec![operand(source, swizzle)])
            }
        };
        (instruction.op, instruction.ty, instruction.kind, instruction.operands) = (op, ty, kind, operands);
    }
}

/// Parameter buffer variables for both units, in buffers 1 and 2. A few indices are out of bounds.
fn variables() -> Vec<BufferVariable> {
    let of = |(unit, element, elements): (BufferUnit, u32, u32)| BufferVariable {
        name: unit.name().to_lowercase(),
        unit,
        ty: Type::F32,
        first: 1,
        count: 2,
        spans: true,
        element,
        elements,
        is_array: true,
    };
    let all = [(BufferUnit::Word, 2, 6), (BufferUnit::Vector, 0, 5), (BufferUnit::Byte, 8, 50)];
    all.map(of).to_vec()
}

/// Replaces about half of a program's instructions, except control flow, by instructions with side effects.
fn inject(random: &mut Random, program: &mut Program) {
    let wide = program.temporaries.len() as u16;
    let narrow =
        program.temporaries.iter().zip(0..).filter(|(t, _)| t.ty == Type::F32).map(|(_, n)| TempId(n));
    let narrow = narrow.collect();
    program.buffers = variables();
    program.temporaries.extend((0..WIDE).map(|n| Temporary { name: format!("D{n}"), ty: Type::U64 }));
    let mut injection = Injection { language: program.language, random, narrow, wide };
    for instruction in &mut program.instructions {
        let plain = matches!(instruction.kind, Kind::Alu(_) | Kind::Texture(..));
        if plain && injection.random.chance(2) {
            injection.replace(instruction);
        }
    }
}

/// Images of a few texels in the first two buffers, so that lanes access the same texels. One unit has no
/// image.
fn images(random: &mut Random) -> Vec<Result<BoundImage, Reason>> {
    let shapes = [
        (TextureTarget::D1, [6, 1, 1], 1, 1),
        (TextureTarget::D2, [4, 5, 1], 1, 1),
        (TextureTarget::Array1D, [3, 1, 1], 6, 1),
        (TextureTarget::Cube, [2, 2, 1], 6, 1),
        (TextureTarget::Multisample2D, [3, 3, 1], 1, 4),
    ];
    let formats = ["R32UI", "R16I", "R8", "RG32F", "RGBA8_SNORM", "RGBA32F", "R11F_G11F_B10F", "RGB10_A2UI"];
    let image = |random: &mut Random| {
        let (target, size, layers, samples) = *random.pick(&shapes);
        let format = ImageFormat::from_name(formats[random.below(formats.len())]).expect("a format");
        let (buffer, offset) = (BufferId(random.below(2) as u32), 16 * random.below(3) as u64);
        let access = *random.pick(&[Mode::ReadWrite, Mode::ReadWrite, Mode::ReadOnly, Mode::WriteOnly]);
        Ok(BoundImage { buffer, offset, target, size, layers, samples, format, access })
    };
    let mut units: Vec<_> = (0..3).map(|_| image(random)).collect();
    units.push(Err(Reason::NoImage));
    units
}

/// Memory with random bytes. Parts of it are bound as parameter buffers.
fn memory(random: &mut Random, bindings: &mut Bindings) -> memory::Memory {
    let mut memory = memory::Memory::default();
    for (at, &(base, length)) in BUFFERS.iter().enumerate() {
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        let buffer = memory.add(&bytes);
        let modes = [Mode::ReadWrite, Mode::ReadWrite, Mode::ReadOnly, Mode::WriteOnly];
        let mode = if at == 0 { Mode::ReadWrite } else { *random.pick(&modes) };
        memory.make_resident(buffer, base, mode).expect("there is room");
    }
    memory.bind_images(images(random));
    bindings.buffers[1] = Some(Bound { buffer: BufferId(0), offset: 0, size: 96 });
    bindings.buffers[2] = random.chance(2).then_some(Bound { buffer: BufferId(1), offset: 4060, size: 40 });
    bindings.vertex_limit = 1 + random.below(6) as u32;
    memory
}

/// Fills the attribute from which programs read addresses and small integers.
fn fill(random: &mut Random, attributes: &mut AttributeLanes, attribute: Attribute) {
    let shared = [0, 1].map(|_| address(random));
    for lane in 0..LANES {
        let mut values = [shared[0], address(random), random.below(7) as u64, random.next()];
        if random.chance(8) {
            values[2] = u64::from((-(random.below(5) as i32)).cast_unsigned());
        }
        for (component, value) in values.into_iter().enumerate() {
            attributes.register_mut(attribute, component).0[lane] = f32::from_bits(value as u32);
        }
    }
    if random.chance(3) {
        attributes.register_mut(attribute, 1).0 = [f32::from_bits(shared[1] as u32); LANES];
    }
}

fn bytes(memory: &memory::Memory) -> Vec<Vec<u8>> {
    (0..BUFFERS.len() as u32).map(|buffer| memory.bytes(BufferId(buffer))).collect()
}

fn lane_mask(random: &mut Random) -> u64 {
    match random.below(4) {
        0 | 1 => u64::MAX,
        2 => 1 << random.below(LANES),
        _ => random.next() << 16 ^ random.next(),
    }
}

/// Shaders for every back end, each with memory of its own.
fn shaders(program: &Arc<Program>, bindings: &Bindings, memory: &memory::Memory) -> Vec<Shader> {
    let own = |executable| {
        let bindings = Bindings { memory: memory.clone().into(), ..bindings.clone() };
        Shader::new(Arc::new(executable), bindings).with_limit(LIMIT)
    };
    Executable::all(program).into_iter().map(own).collect()
}

/// Compares the final memory of both executors.
#[track_caller]
fn check_memory(seed: u64, program: &Program, wide: &memory::Memory, scalar: &memory::Memory) {
    for (buffer, (wide, scalar)) in bytes(wide).iter().zip(bytes(scalar)).enumerate() {
        let differs = wide.iter().zip(&scalar).position(|(wide, scalar)| wide != scalar);
        if let Some(at) = differs {
            panic!("seed {seed}, buffer {buffer} differs from byte {at} on\n{}", disassemble(program));
        }
    }
}

/// A random vertex program with side effects, and its inputs.
pub fn of_vertices(random: &mut Random) -> (Arc<Program>, Bindings, AttributeLanes) {
    let length = 2 + random.below(24);
    let mut program = match random.below(3) {
        0 => vertex::straight(random, Language::Vp2, length),
        1 => vertex::branching(random, length),
        _ => arb::flowing(random, Language::ArbVp1Nv2, length),
    };
    inject(random, &mut program);
    let program = Arc::new(program);
    let mut bindings = if program.language == Language::Vp2 {
        vertex::bindings(random, &program, Random::value)
    } else {
        arb::bindings(random, &program, Random::value)
    };
    let mut attributes = vertex::attributes(random, Random::value);
    fill(random, &mut attributes, attribute(program.language));
    bindings.memory = memory(random, &mut bindings).into();
    (program, bindings, attributes)
}

/// Runs one trial with vertices. The reference interpreter runs them in lane order.
///
/// Returns the number of changed bytes of memory and the number of emitted vertices.
pub fn vertices(seed: u64, random: &mut Random) -> [usize; 2] {
    let (program, bindings, attributes) = of_vertices(random);
    let before = bindings.memory.snapshot();
    let active = lane_mask(random);
    let lanes = || (0..LANES).filter(|lane| active >> lane & 1 != 0);
    let inputs = |lane: usize| attributes.vertex(lane);
    let recorded = lanes().nth(random.below(4));
    let mut scalar: Vec<Option<Finished>> = vec![None; LANES];
    for lane in lanes() {
        let recording = (recorded == Some(lane)).then(|| record(&program, &bindings, &inputs(lane)));
        let end = run_vertex_within(&program, &bindings, &inputs(lane), LIMIT);
        if let Some(recording) = recording {
            check_recording(seed, &recording, &end, &bindings.memory.snapshot());
        }
        scalar[lane] = Some(end);
    }
    let after = bindings.memory.snapshot();
    for shader in shaders(&program, &bindings, &before) {
        let mut worker = VertexShader::worker(&shader);
        let mut output = ResultLanes::default();
        VertexShader::run(&shader, &mut worker, &attributes, active, &mut output);
        for (lane, end) in lanes().filter_map(|lane| Some((lane, scalar[lane].as_ref()?))) {
            for (declared, scalar) in program.outputs.iter().zip(&end.registers.outputs) {
                let OutputRole::Vertex(result) = declared.role else { panic!("a vertex result") };
                let wide = single_bits(std::array::from_fn(|c| output.register(result, c).0[lane]));
                let name = &declared.name;
                assert!(
                    wide == *scalar,
                    "seed {seed}, lane {lane}, {name}: wide {wide:?}, scalar {scalar:?}\n{}",
                    disassemble(&program)
                );
            }
            let emitted = worker.emissions().stream(lane);
            assert_eq!(
                emitted.marks(),
                end.emitted.marks(),
                "seed {seed}, lane {lane}\n{}",
                disassemble(&program)
            );
            for vertex in 0..emitted.len() {
                assert_eq!(emitted.results(vertex), end.emitted.results(vertex), "seed {seed}, lane {lane}");
            }
        }
        check_memory(seed, &program, &shader.memory().snapshot(), &after);
    }
    // Compares every register, with one lane at a time, so lanes need no serialisation.
    for (name, mut wide) in Inspection::all(&program, &bindings, &attributes) {
        bindings.memory.replace(before.clone());
        for (lane, end) in lanes().filter_map(|lane| Some((lane, scalar[lane].as_ref()?))) {
            wide.finish(1 << lane, LIMIT);
            let registers = wide.registers(lane);
            let same = registers.temporaries == end.registers.temporaries && registers.cc == end.registers.cc;
            assert!(
                same && registers.outputs == end.registers.outputs && wide.emitted(lane) == end.emitted,
                "seed {seed}, {name}, lane {lane}: wide {registers:#?}, scalar {:#?}\n{}",
                end.registers,
                disassemble(&program)
            );
        }
        check_memory(seed, &program, &bindings.memory.snapshot(), &after);
    }
    let changed = bytes(&before).concat().iter().zip(bytes(&after).concat()).filter(|(a, b)| *a != b).count();
    [changed, scalar.iter().flatten().map(|end| end.emitted.len()).sum()]
}

fn record(program: &Arc<Program>, bindings: &Bindings, inputs: &VertexInputs) -> Recording {
    let shared = Arc::new(bindings.clone());
    Recording::of_vertex(program, &shared, inputs, 0, &AtomicBool::new(false)).expect("nobody cancels")
}

/// Checks that a recording from before a run shows the same run, on every replay, and leaves memory
/// unchanged.
fn check_recording(seed: u64, recording: &Recording, end: &Finished, after: &memory::Memory) {
    // A recording stops at the specification's limit.
    if recording.len() != end.executed as usize {
        return;
    }
    assert_eq!(recording.outputs, end.registers.outputs, "seed {seed}");
    assert_eq!(recording.emitted, end.emitted, "seed {seed}");
    let before = bytes(after);
    let (first, second): (Vec<_>, Vec<_>) =
        (recording.all_steps().collect(), recording.all_steps().collect());
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(first.memory, second.memory, "seed {seed}");
    }
    let emitted: Vec<_> = first.iter().filter_map(|step| step.emitted).collect();
    assert_eq!(emitted, end.emitted.marks(), "seed {seed}");
    assert_eq!(bytes(after), before, "seed {seed}");
}

/// A random fragment program with side effects, and its inputs.
pub fn of_fragments(random: &mut Random) -> (Arc<Program>, Bindings, AttributeLanes) {
    let length = 2 + random.below(20);
    let mut program = match random.below(2) {
        0 => random::program(random, length),
        _ => arb::flowing(random, Language::ArbFp1Nv2, length),
    };
    inject(random, &mut program);
    let program = Arc::new(program);
    let mut bindings = if program.language == Language::Fp1 {
        random::bindings(random, &program)
    } else {
        arb::bindings(random, &program, Random::value)
    };
    let mut attributes = random::attributes(random, Random::value);
    fill(random, &mut attributes, attribute(program.language));
    bindings.memory = memory(random, &mut bindings).into();
    (program, bindings, attributes)
}

/// Runs one trial with fragments, quad by quad. Some of the lanes are helpers.
///
/// Returns the number of changed bytes of memory and the number of discarded fragments.
pub fn fragments(seed: u64, random: &mut Random) -> [usize; 2] {
    let (program, bindings, attributes) = of_fragments(random);
    let before = bindings.memory.snapshot();
    let active = lane_mask(random);
    let mut scalar: Vec<Option<Finished>> = vec![None; LANES];
    for quad in 0..LANES / QUAD {
        let covered = (active >> (QUAD * quad) & 0xF) as u8;
        if covered == 0 {
            continue;
        }
        let mut inputs = QuadInputs { covered, ..QuadInputs::default() };
        for attribute in Attribute::VERTEX {
            for lane in 0..QUAD {
                let value = |c| attributes.register(attribute, c).0[quad * QUAD + lane];
                inputs.attributes[attribute.index()][lane] = std::array::from_fn(value);
            }
        }
        for (lane, end) in run_quad_within(&program, &bindings, &inputs, LIMIT).into_iter().enumerate() {
            scalar[quad * QUAD + lane] = (covered >> lane & 1 != 0).then_some(end);
        }
    }
    let after = bindings.memory.snapshot();
    for shader in shaders(&program, &bindings, &before) {
        let mut worker = BlockShader::worker(&shader);
        let mut output = BlockOutput::default();
        BlockShader::run(&shader, &mut worker, &attributes, active, &mut output);
        let ended = scalar.iter().enumerate().filter_map(|(lane, end)| Some((lane, end.as_ref()?)));
        check_fragments(seed, &program, &output, ended);
        check_memory(seed, &program, &shader.memory().snapshot(), &after);
    }
    let changed = bytes(&before).concat().iter().zip(bytes(&after).concat()).filter(|(a, b)| *a != b).count();
    [changed, scalar.iter().flatten().filter(|end| end.registers.killed).count()]
}
