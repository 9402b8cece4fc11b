//! Compares functions on every back end with the component functions that they compute.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::lower::derivative;
use super::super::segment::{Segment, Then, prune};
use super::{Action, BackEnd, Compiler};
use crate::exec::block::{LANES, LaneRegister};
use crate::exec::lir::{DemandedBits, Features, Node, Recorder, Symbol, Target, legalize};
use crate::exec::machine::{Arguments, Constant};
use crate::exec::reference::derivative_lanes;
use crate::processor::{Cpu, on_each};
use shadestep_language::ir::Type;
use shadestep_language::num::Number;
use shadestep_language::semantics::ops::{Kernel, MAX_INPUTS, difference, evaluate_word};

/// A computation on lane registers.
#[derive(Clone, Copy, Debug)]
enum RegisterKernel {
    Component(Kernel, Type),
    Derivative { ty: Type, vertical: bool },
}

/// The computation of one lane register.
#[derive(Clone, Copy, Debug)]
struct Operation {
    kernel: RegisterKernel,
    dst: u16,
    src: [u16; MAX_INPUTS],
}

/// Lane registers that are never written: constants and uniforms.
#[derive(Clone, Debug, Default)]
struct Kept {
    constants: Range<u16>,
    uniforms: Range<u16>,
}

/// A back end, and the features that nodes are legalised for before they reach it.
#[derive(Clone, Copy, Debug)]
struct Way {
    back_end: BackEnd,
    features: Option<Features>,
}

impl Way {
    /// The back end of `cpu`.
    fn on(cpu: Cpu) -> Self {
        let back_end = BackEnd::of(cpu).unwrap_or_else(|| panic!("{cpu} cannot be used here"));
        Self { back_end, features: None }
    }

    /// The interpreter on nodes that were legalised for a compiler, which works on any processor.
    const fn legalized(features: Features) -> Self {
        Self { back_end: BackEnd::Interpreter, features: Some(features) }
    }
}

#[test]
fn every_kernel_gives_the_same_bits() {
    on_each(|cpu| check_every_kernel(Way::on(cpu)));
}

#[test]
fn long_runs_give_the_same_registers() {
    on_each(|cpu| check_long_runs(Way::on(cpu)));
}

#[test]
fn more_values_than_registers_are_kept_apart() {
    on_each(|cpu| check_many_values(Way::on(cpu)));
}

/// All checks of legalised nodes.
macro_rules! checks_of {
    ($module:ident $way:expr) => {
        mod $module {
            use super::*;

            #[test]
            fn every_kernel_gives_the_same_bits() {
                check_every_kernel($way);
            }

            #[test]
            fn long_runs_give_the_same_registers() {
                check_long_runs($way);
            }

            #[test]
            fn more_values_than_registers_are_kept_apart() {
                check_many_values($way);
            }
        }
    };
}
checks_of! { legal_for_avx2 Way::legalized(Features::Avx2) }
checks_of! { legal_for_avx512 Way::legalized(Features::Avx512) }

const TYPES: [Type; 3] = [Type::F32, Type::F16, Type::Fx12];

/// Every kernel in every type, and the derivatives.
fn register_kernels() -> Vec<RegisterKernel> {
    let components =
        Kernel::ALL.iter().flat_map(|&kernel| TYPES.map(|ty| RegisterKernel::Component(kernel, ty)));
    let derivatives = TYPES
        .iter()
        .flat_map(|&ty| [false, true].map(|vertical| RegisterKernel::Derivative { ty, vertical }));
    components.chain(derivatives).collect()
}

/// A reproducible sequence of pseudo-random numbers.
struct Mixed(u64);

impl Mixed {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn value(&mut self) -> f32 {
        const SPECIAL: [f32; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::MIN_POSITIVE,
            1e-40,
            -1e-40,
            f32::MAX,
            128.0,
        ];
        match self.below(4) {
            0 => SPECIAL[self.below(SPECIAL.len())],
            1 => f32::from_bits(self.next() as u32),
            _ => (self.below(4001) as f32 - 2000.0) / 128.0,
        }
    }

    fn registers(&mut self, count: usize) -> Vec<LaneRegister> {
        (0..count).map(|_| LaneRegister(std::array::from_fn(|_| self.value()))).collect()
    }
}

/// Whether a kernel uses 64-bit arithmetic.
fn is_wide(kernel: RegisterKernel) -> bool {
    let operation = Operation { kernel, dst: 0, src: std::array::from_fn(|at| at as u16) };
    let registers = vec![LaneRegister::ZERO; MAX_INPUTS];
    segment(&[operation], &registers, &Kept::default()).nodes.iter().any(Node::is_wide)
}

/// Converts a value to the type of an operation's operands.
fn converted<N: Number>(ty: Type, value: N) -> N {
    let conversion = match ty {
        Type::F16 => Kernel::ToHalf,
        Type::Fx12 => Kernel::ToFixed,
        _ => return value,
    };
    evaluate_word(conversion, Type::F32, &[value; MAX_INPUTS])
}

/// The result of a kernel on lane registers, lane by lane.
fn evaluated(kernel: RegisterKernel, src: &[LaneRegister; MAX_INPUTS]) -> LaneRegister {
    LaneRegister(std::array::from_fn(|lane| match kernel {
        RegisterKernel::Component(kernel, ty) => {
            evaluate_word(kernel, ty, &src.map(|register| converted(ty, register.0[lane])))
        }
        RegisterKernel::Derivative { ty, vertical } => {
            let (from, to) = derivative_lanes(lane, vertical);
            difference(ty, converted(ty, src[0].0[from]), converted(ty, src[0].0[to]))
        }
    }))
}

/// The lane registers after `operations`, computed one by one.
fn expected(operations: &[Operation], registers: &[LaneRegister]) -> Vec<LaneRegister> {
    let mut registers = registers.to_vec();
    for Operation { kernel, dst, src } in operations {
        registers[usize::from(*dst)] =
            evaluated(*kernel, &src.map(|register| registers[usize::from(register)]));
    }
    registers
}

/// The segment of `operations`.
fn segment(operations: &[Operation], before: &[LaneRegister], kept: &Kept) -> Segment {
    let recorder = Recorder::default();
    let mut registers: BTreeMap<u16, Symbol<'_>> = BTreeMap::new();
    for Operation { kernel, dst, src } in operations {
        let inputs = src.map(|register| {
            registers.get(&register).copied().unwrap_or_else(|| {
                if kept.constants.contains(&register) {
                    return Symbol::Known(before[usize::from(register)].0[0].to_bits());
                }
                let is_uniform = kept.uniforms.contains(&register);
                recorder.symbol(if is_uniform { Node::Uniform(register) } else { Node::Register(register) })
            })
        });
        let value = match *kernel {
            RegisterKernel::Component(kernel, ty) => {
                evaluate_word(kernel, ty, &inputs.map(|input| converted(ty, input)))
            }
            RegisterKernel::Derivative { ty, vertical } => derivative(converted(ty, inputs[0]), ty, vertical),
        };
        registers.insert(*dst, value);
    }
    let stores = registers
        .into_iter()
        .map(|(register, value)| (Target::Register(register), value.node(&recorder)))
        .collect();
    Segment { nodes: recorder.into_nodes(), stores, then: Then::Nothing }
}

/// The lane registers after the back end has run the operations. Only those in `live` are valid.
fn computed(
    way: Way,
    operations: &[Operation],
    registers: &[LaneRegister],
    kept: &Kept,
    live: &BTreeSet<u16>,
) -> Vec<LaneRegister> {
    let mut segments = vec![segment(operations, registers, kept)];
    prune(&mut segments, &mut live.clone());
    if let Some(features) = way.features {
        for Segment { nodes, stores, .. } in &mut segments {
            (*nodes, *stores) = legalize(features, nodes, stores);
        }
    }
    let mut seen = DemandedBits::default();
    seen.all(live.iter().copied());
    let mut compiler = Compiler::new(way.back_end, registers.len() as u16, seen);
    compiler.list(segments, 0);
    let compiled = compiler.finish().expect("memory that can be made executable");
    let constants: Vec<f32> = (compiled.constants.iter())
        .map(|constant| match *constant {
            Constant::Bits(bits) => f32::from_bits(bits),
            Constant::Uniform(register) => registers[usize::from(register)].0[0],
        })
        .collect();
    let mut registers = registers.to_vec();
    registers.resize(usize::from(compiled.registers), LaneRegister([f32::MAX; LANES]));
    for action in &compiled.lists[0] {
        let Action::Function(function) = action else { panic!("all of it is a function") };
        let (constants, inputs, outputs) = (&constants[..], &[][..], &mut [][..]);
        function.call(Arguments { registers: &mut registers, constants, inputs, outputs });
    }
    registers
}

fn check_every_kernel(way: Way) {
    let mut mixed = Mixed(0x9E37_79B9_7F4A_7C15);
    for kernel in register_kernels() {
        for round in 0..24 {
            let registers = mixed.registers(MAX_INPUTS + 1);
            // The result is separate from its inputs or replaces one. Sometimes an input is used twice.
            let dst = if round % 3 == 0 { 0 } else { MAX_INPUTS as u16 };
            let src = std::array::from_fn(|at| if round % 4 == 1 { at as u16 / 2 } else { at as u16 });
            let operations = [Operation { kernel, dst, src }];
            let expected = expected(&operations, &registers);
            let live = (0..9).collect();
            let actual = computed(way, &operations, &registers, &Kept::default(), &live);
            for lane in 0..LANES {
                let (e, a) = (expected[usize::from(dst)].0[lane], actual[usize::from(dst)].0[lane]);
                let inputs = src.map(|register| registers[usize::from(register)].0[lane]);
                assert_eq!(
                    e.to_bits(),
                    a.to_bits(),
                    "{way:?}: {kernel:?} of {inputs:?} in lane {lane}: {e:?} expected, {a:?} computed"
                );
            }
        }
    }
}

fn check_long_runs(way: Way) {
    const REGISTERS: u16 = 48;
    const CONSTANTS: Range<u16> = 40..44;
    const UNIFORMS: Range<u16> = 44..48;
    let mut mixed = Mixed(0xD1B5_4A32_D192_ED03);
    let all = register_kernels();
    let (wide, narrow): (Vec<RegisterKernel>, Vec<RegisterKernel>) =
        all.iter().partition(|kernel| is_wide(**kernel));
    assert!(!wide.is_empty() && !narrow.is_empty());
    for trial in 0..60 {
        // A function with 64-bit arithmetic takes another path.
        let all = if trial / 3 % 2 == 0 { &narrow } else { &all };
        let mut registers = mixed.registers(usize::from(REGISTERS));
        for register in CONSTANTS.start..REGISTERS {
            let value = [0.0, 1.0, -0.5, 3.25][usize::from(register) % 4];
            registers[usize::from(register)] = LaneRegister([value; LANES]);
        }
        let kept = Kept { constants: CONSTANTS, uniforms: UNIFORMS };
        // Short runs move lane registers; long runs have more values than registers.
        let length = [6, 40, 400][trial % 3];
        let operations: Vec<Operation> = (0..length)
            .map(|_| Operation {
                kernel: match mixed.below(4) {
                    0 => RegisterKernel::Component(Kernel::Bits, Type::F32),
                    _ => all[mixed.below(all.len())],
                },
                dst: mixed.below(usize::from(CONSTANTS.start)) as u16,
                src: std::array::from_fn(|_| mixed.below(usize::from(REGISTERS)) as u16),
            })
            .collect();
        let live: BTreeSet<u16> = (0..REGISTERS).filter(|_| mixed.below(3) != 0).collect();
        let expected = expected(&operations, &registers);
        let actual = computed(way, &operations, &registers, &kept, &live);
        for &register in &live {
            for lane in 0..LANES {
                let (e, a) = (expected[usize::from(register)].0[lane], actual[usize::from(register)].0[lane]);
                assert_eq!(
                    e.to_bits(),
                    a.to_bits(),
                    "{way:?}: trial {trial}, register {register}, lane {lane}: {e:?} expected, {a:?} computed"
                );
            }
        }
    }
}

fn check_many_values(way: Way) {
    // Sums and products of values of similar size, so that a value from the wrong place shows.
    const REGISTERS: u16 = 64;
    const KERNELS: [Kernel; 4] = [Kernel::Add, Kernel::Sub, Kernel::Mad, Kernel::Lrp];
    let mut mixed = Mixed(0x2545_F491_4F6C_DD1D);
    for trial in 0..40 {
        let value = |mixed: &mut Mixed| mixed.below(65) as f32 / 64.0;
        let registers: Vec<LaneRegister> =
            (0..REGISTERS).map(|_| LaneRegister(std::array::from_fn(|_| value(&mut mixed)))).collect();
        let operations: Vec<Operation> = (0..400)
            .flat_map(|_| {
                let kernel = RegisterKernel::Component(KERNELS[mixed.below(KERNELS.len())], Type::F32);
                let src = std::array::from_fn(|_| mixed.below(usize::from(REGISTERS)) as u16);
                // Saturation keeps all values between 0 and 1.
                let dst = mixed.below(usize::from(REGISTERS)) as u16;
                let saturate = RegisterKernel::Component(Kernel::Saturate, Type::F32);
                [Operation { kernel, dst, src }, Operation { kernel: saturate, dst, src: [dst; MAX_INPUTS] }]
            })
            .collect();
        let live = (0..REGISTERS).collect();
        let expected = expected(&operations, &registers);
        let actual = computed(way, &operations, &registers, &Kept::default(), &live);
        for register in 0..usize::from(REGISTERS) {
            let bits = |registers: &[LaneRegister]| registers[register].0.map(f32::to_bits);
            assert_eq!(bits(&expected), bits(&actual), "{way:?}: trial {trial}, register {register}");
        }
    }
}
