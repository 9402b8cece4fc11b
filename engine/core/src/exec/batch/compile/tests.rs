//! Compares functions on every back end with the component functions that they compute.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;

use super::super::lower::derivative;
use super::{Action, UncompiledLists};
use crate::exec::back_end::{Arguments, BackEnd, Compiled, Constant};
use crate::exec::back_ends;
use crate::exec::block::{LANES, LaneRegister};
use crate::exec::interpreter::Interpreter;
use crate::exec::lir::{
    Block, DemandedBits, Denorms, Homes, Instruction, Masks, Module, Needs, Node, OptionalOperation,
    Recorder, Symbol, Target, cut,
};
use crate::exec::reference::derivative_lanes;
use shadestep_language::ir::Type;
use shadestep_language::num::Number;
use shadestep_language::semantics::ops::{Kernel, MAX_INPUTS, Words, difference, evaluate};

/// A computation on lane registers.
#[derive(Clone, Copy, Debug)]
enum RegisterKernel {
    Component(Kernel, Type),
    Derivative { ty: Type, vertical: bool },
}

impl RegisterKernel {
    /// The number of words in the result.
    fn words(self) -> usize {
        match self {
            Self::Component(_, ty) if ty.is_wide() => 2,
            Self::Component(..) | Self::Derivative { .. } => 1,
        }
    }
}

/// A computation of one or two words. Each value has a lane register for the low and one for the high word.
#[derive(Clone, Copy, Debug)]
struct Operation {
    kernel: RegisterKernel,
    dst: [u16; 2],
    src: [[u16; 2]; MAX_INPUTS],
}

/// Lane registers that are never written: constants and uniforms.
#[derive(Clone, Debug, Default)]
struct Kept {
    constants: Range<u16>,
    uniforms: Range<u16>,
}

#[test]
fn every_kernel_gives_the_same_bits() {
    back_ends::compared().for_each(check_every_kernel);
}

#[test]
fn long_runs_give_the_same_registers() {
    back_ends::compared().for_each(check_long_runs);
}

#[test]
fn more_values_than_registers_are_kept_apart() {
    back_ends::compared().for_each(check_many_values);
}

/// All checks of functions in another form, which the interpreter executes on any processor.
macro_rules! checks_of {
    ($module:ident $masks:expr, $legal:expr) => {
        mod $module {
            use super::*;

            const BACK_END: Interpreter =
                Interpreter::new(Needs { denorms: Some(Denorms::Kept), masks: $masks, legal: $legal });

            #[test]
            fn every_kernel_gives_the_same_bits() {
                check_every_kernel(&BACK_END);
            }

            #[test]
            fn long_runs_give_the_same_registers() {
                check_long_runs(&BACK_END);
            }

            #[test]
            fn more_values_than_registers_are_kept_apart() {
                check_many_values(&BACK_END);
            }
        }
    };
}
checks_of! { all_operations_and_masks_in_vectors Masks::Vectors, &OptionalOperation::ALL }
checks_of! { no_optional_operations_and_masks_in_vectors Masks::Vectors, &[] }
checks_of! { no_optional_operations Masks::Own, &[] }

/// A back end on a system that permits no executable memory.
#[derive(Debug)]
struct Refused;

impl BackEnd for Refused {
    fn name(&self) -> &'static str {
        "refused"
    }

    fn mask_lanes(&self) -> u8 {
        16
    }

    fn compile(&self, _: &Module) -> io::Result<Compiled> {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

#[test]
fn the_fallback_executes_functions_that_the_system_refuses() {
    let registers = Mixed(0x5DEE_CE66_D1CE_4E5B).registers(2 * MAX_INPUTS + 2);
    let kernel = RegisterKernel::Component(Kernel::Add, Type::F32);
    let operations = [Operation { kernel, dst: pair(MAX_INPUTS), src: std::array::from_fn(pair) }];
    let live = (0..registers.len() as u16).collect();
    let actual = computed(&Refused, &operations, &registers, &Kept::default(), &live);
    let bits = |registers: &[LaneRegister]| -> Vec<_> {
        registers.iter().map(|register| register.0.map(f32::to_bits)).collect()
    };
    assert_eq!(bits(&actual[..registers.len()]), bits(&expected(&operations, &registers)));
    let lists = UncompiledLists::new(Vec::new(), 0, DemandedBits::default()).compiled(&Refused, 0);
    assert_eq!(lists.map(|lists| lists.mask_lanes), Some(back_ends::fallback().mask_lanes()));
}

/// All types of operations.
const TYPES: [Type; 10] = [
    Type::F32,
    Type::F16,
    Type::Fx12,
    Type::S32,
    Type::U32,
    Type::S24,
    Type::U24,
    Type::F64,
    Type::S64,
    Type::U64,
];

/// Every kernel in every type, and the derivatives.
fn register_kernels() -> Vec<RegisterKernel> {
    let components =
        Kernel::ALL.iter().flat_map(|&kernel| TYPES.map(|ty| RegisterKernel::Component(kernel, ty)));
    let derivatives = [Type::F32, Type::F16, Type::Fx12]
        .into_iter()
        .flat_map(|ty| [false, true].map(|vertical| RegisterKernel::Derivative { ty, vertical }));
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
        // The high words of the fp64 numbers 1, -2, infinity, -infinity and NaN.
        const HIGH: [u32; 5] = [0x3FF0_0000, 0xC000_0000, 0x7FF0_0000, 0xFFF0_0000, 0x7FF8_0000];
        match self.below(6) {
            0 => SPECIAL[self.below(SPECIAL.len())],
            1 => f32::from_bits(self.next() as u32),
            2 => f32::from_bits(HIGH[self.below(HIGH.len())]),
            // Small integers, some of them negative.
            3 => f32::from_bits((self.below(72) as u32).wrapping_sub(8)),
            _ => (self.below(4001) as f32 - 2000.0) / 128.0,
        }
    }

    fn registers(&mut self, count: usize) -> Vec<LaneRegister> {
        (0..count).map(|_| LaneRegister(std::array::from_fn(|_| self.value()))).collect()
    }
}

/// The lane registers of value `at`.
fn pair(at: usize) -> [u16; 2] {
    [2 * at as u16, 2 * at as u16 + 1]
}

/// Whether a kernel uses 64-bit arithmetic.
fn is_wide(kernel: RegisterKernel) -> bool {
    let operation = Operation { kernel, dst: pair(0), src: std::array::from_fn(pair) };
    let registers = vec![LaneRegister::ZERO; 2 * MAX_INPUTS];
    block(&[operation], &registers, &Kept::default()).nodes.iter().any(Node::is_wide)
}

/// Converts a value to the type of an operation's operands.
fn converted<N: Number>(ty: Type, value: Words<N>) -> Words<N> {
    let conversion = match ty {
        Type::F16 => Kernel::ToHalf,
        Type::Fx12 => Kernel::ToFixed,
        _ => return value,
    };
    evaluate(conversion, Type::F32, &[value; MAX_INPUTS])
}

/// The result of a kernel in one lane.
fn evaluated(kernel: RegisterKernel, src: &[[LaneRegister; 2]; MAX_INPUTS], lane: usize) -> Words<f32> {
    let input = |at: usize, lane: usize| src[at].map(|register| register.0[lane]);
    match kernel {
        RegisterKernel::Component(kernel, ty) => {
            evaluate(kernel, ty, &std::array::from_fn(|at| converted(ty, input(at, lane))))
        }
        RegisterKernel::Derivative { ty, vertical } => {
            let (from, to) = derivative_lanes(lane, vertical);
            let [from, to] = [from, to].map(|lane| converted(ty, input(0, lane))[0]);
            [difference(ty, from, to), 0.0]
        }
    }
}

/// The lane registers after `operations`, computed one by one.
fn expected(operations: &[Operation], registers: &[LaneRegister]) -> Vec<LaneRegister> {
    let mut registers = registers.to_vec();
    for Operation { kernel, dst, src } in operations {
        let src = src.map(|words| words.map(|register| registers[usize::from(register)]));
        let results: [Words<f32>; LANES] = std::array::from_fn(|lane| evaluated(*kernel, &src, lane));
        for (word, &register) in dst.iter().enumerate().take(kernel.words()) {
            registers[usize::from(register)] = LaneRegister(results.map(|words| words[word]));
        }
    }
    registers
}

/// The block of `operations`.
fn block(operations: &[Operation], before: &[LaneRegister], kept: &Kept) -> Block {
    let recorder = Recorder::default();
    let mut registers: BTreeMap<u16, Symbol<'_>> = BTreeMap::new();
    for Operation { kernel, dst, src } in operations {
        let read = |register: u16| {
            registers.get(&register).copied().unwrap_or_else(|| {
                if kept.constants.contains(&register) {
                    return Symbol::Known(before[usize::from(register)].0[0].to_bits());
                }
                let is_uniform = kept.uniforms.contains(&register);
                recorder.symbol(if is_uniform { Node::Uniform(register) } else { Node::Register(register) })
            })
        };
        let inputs = src.map(|words| words.map(read));
        let value = match *kernel {
            RegisterKernel::Component(kernel, ty) => {
                evaluate(kernel, ty, &inputs.map(|input| converted(ty, input)))
            }
            RegisterKernel::Derivative { ty, vertical } => {
                [derivative(converted(ty, inputs[0])[0], ty, vertical), Symbol::Known(0)]
            }
        };
        registers.extend(dst.iter().copied().zip(value).take(kernel.words()));
    }
    let stores = registers
        .into_iter()
        .map(|(register, value)| Instruction::Store(Target::Register(register), value.node(&recorder)));
    let stores: Vec<Instruction> = stores.collect();
    let instructions = (0..recorder.count()).map(Instruction::Compute).chain(stores).collect();
    Block { nodes: recorder.into_nodes(), instructions, ..Block::default() }
}

/// The lane registers after the back end has run the operations. Only those in `live` are valid.
fn computed(
    back_end: &dyn BackEnd,
    operations: &[Operation],
    registers: &[LaneRegister],
    kept: &Kept,
    live: &BTreeSet<u16>,
) -> Vec<LaneRegister> {
    let mut block = block(operations, registers, kept);
    block.eliminate_dead_code(&mut live.clone());
    let first_free = registers.len() as u16;
    let homes = Homes { zero: 0, inputs: &BTreeMap::new(), kill: 0, exit: 0, first_free };
    let (segments, _) = cut(&block, &homes);
    let mut seen = DemandedBits::default();
    seen.all(live.iter().copied());
    let source = UncompiledLists::new(vec![segments], first_free, seen);
    let compiled = source.compiled(back_end, 0).expect("memory for the code");
    let constants: Vec<f32> = (compiled.constants.iter())
        .map(|constant| match *constant {
            Constant::Bits(bits) => f32::from_bits(bits),
            Constant::Uniform(register) => registers[usize::from(register)].0[0],
        })
        .collect();
    let mut registers = registers.to_vec();
    registers.resize(usize::from(compiled.registers), LaneRegister([f32::MAX; LANES]));
    for action in &compiled.actions[0] {
        let Action::Function(function) = action else { panic!("all of it is a function") };
        let (constants, inputs, outputs) = (&constants[..], &[][..], &mut [][..]);
        function.call(Arguments { registers: &mut registers, constants, inputs, outputs });
    }
    registers
}

fn check_every_kernel(back_end: &dyn BackEnd) {
    let mut mixed = Mixed(0x9E37_79B9_7F4A_7C15);
    for kernel in register_kernels() {
        for round in 0..24 {
            let registers = mixed.registers(2 * MAX_INPUTS + 2);
            // The result is separate from its inputs or replaces one. Sometimes an input is used twice.
            let dst = pair(if round % 3 == 0 { 0 } else { MAX_INPUTS });
            let src = std::array::from_fn(|at| pair(if round % 4 == 1 { at / 2 } else { at }));
            let operations = [Operation { kernel, dst, src }];
            let expected = expected(&operations, &registers);
            let live = (0..registers.len() as u16).collect();
            let actual = computed(back_end, &operations, &registers, &Kept::default(), &live);
            for lane in 0..LANES {
                let bits = |registers: &[LaneRegister], words: [u16; 2]| {
                    words.map(|register| registers[usize::from(register)].0[lane].to_bits())
                };
                let (e, a) = (bits(&expected, dst), bits(&actual, dst));
                let inputs = src.map(|words| bits(&registers, words));
                assert_eq!(
                    e, a,
                    "{back_end:?}: {kernel:?} of {inputs:x?} in lane {lane}: {e:x?} expected, {a:x?} computed"
                );
            }
        }
    }
}

fn check_long_runs(back_end: &dyn BackEnd) {
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
                dst: std::array::from_fn(|_| mixed.below(usize::from(CONSTANTS.start)) as u16),
                src: std::array::from_fn(|_| {
                    std::array::from_fn(|_| mixed.below(usize::from(REGISTERS)) as u16)
                }),
            })
            .collect();
        let live: BTreeSet<u16> = (0..REGISTERS).filter(|_| mixed.below(3) != 0).collect();
        let expected = expected(&operations, &registers);
        let actual = computed(back_end, &operations, &registers, &kept, &live);
        for &register in &live {
            for lane in 0..LANES {
                let (e, a) = (expected[usize::from(register)].0[lane], actual[usize::from(register)].0[lane]);
                assert_eq!(
                    e.to_bits(),
                    a.to_bits(),
                    "{back_end:?}: trial {trial}, register {register}, lane {lane}: {e:?} expected, {a:?} computed"
                );
            }
        }
    }
}

fn check_many_values(back_end: &dyn BackEnd) {
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
                let src = std::array::from_fn(|_| [mixed.below(usize::from(REGISTERS)) as u16; 2]);
                // Saturation keeps all values between 0 and 1.
                let dst = [mixed.below(usize::from(REGISTERS)) as u16; 2];
                let saturate = RegisterKernel::Component(Kernel::Saturate, Type::F32);
                [Operation { kernel, dst, src }, Operation { kernel: saturate, dst, src: [dst; MAX_INPUTS] }]
            })
            .collect();
        let live = (0..REGISTERS).collect();
        let expected = expected(&operations, &registers);
        let actual = computed(back_end, &operations, &registers, &Kept::default(), &live);
        for register in 0..usize::from(REGISTERS) {
            let bits = |registers: &[LaneRegister]| registers[register].0.map(f32::to_bits);
            assert_eq!(bits(&expected), bits(&actual), "{back_end:?}: trial {trial}, register {register}");
        }
    }
}
