//! The plan of each opcode: the component function ([`Kernel`]) that computes each result component, and the
//! operand components that it reads. Instructions that are not component functions (lookups, votes, memory)
//! have plans of their own.
//!
//! [`plan_of`] alone gives opcodes their meaning. Its match is exhaustive: a new row of the instruction table
//! does not compile until the opcode has a plan.

use super::ops::{Kernel, MAX_INPUTS, Vote, Words, evaluate, resize};
use crate::ir::{
    Conversion, Element, Instruction, Kind, OutputId, OutputRole, Program, Saturation, Target, TextureTarget,
    Type,
};
use crate::isa::{AddressRange, LitExponent, Moves, Opcode, RsqOperand, Semantics, SetOnNan, Stage};
use crate::num::convert::{Narrowing, single_of_double};
use crate::num::{Number, Word};

/// An operand component: operand index and component (0 = x) after the swizzle.
pub type Input = (u8, u8);

/// The computation of one result component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    pub kernel: Kernel,
    pub inputs: &'static [Input],
}

/// The computation of an opcode's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Computes each component separately.
    Vector([Component; 4]),
    /// Computes one component and copies it to all four.
    Replicated(Component),
    /// The difference between horizontal neighbours in the quad.
    DerivativeX,
    /// The difference between vertical neighbours in the quad.
    DerivativeY,
    /// Evaluates each component of an attribute at another place in the pixel.
    Interpolate(Location),
    Texture(Lookup),
    /// Converts each component to another format.
    Convert(Conversion),
    /// Combines each component across the invocations of the thread group that execute the instruction.
    Group(Vote),
    /// Reads a texel without a filter, or the size of a texture.
    Texel(Texel),
    /// Reads memory. The values are the index and type of the operand with the location.
    Memory(u8, Type),
    /// Computes nothing: the instruction's [`crate::ir::Control`] has the effect.
    Control,
}

impl Plan {
    /// The component function of component `c`, if there is one.
    pub const fn component(&self, c: usize) -> Option<&Component> {
        match self {
            Self::Vector(each) => Some(&each[c]),
            Self::Replicated(component) => Some(component),
            Self::Interpolate(_) => Some(&MOVED[c]),
            Self::DerivativeX
            | Self::DerivativeY
            | Self::Texture(_)
            | Self::Texel(_)
            | Self::Convert(_)
            | Self::Group(_)
            | Self::Memory(..)
            | Self::Control => None,
        }
    }

    /// The type to which an instruction of type `ty` converts operand `operand`.
    pub const fn operand_type(&self, ty: Type, operand: usize) -> Type {
        match (self, self.component(0)) {
            (Self::Interpolate(Location::Sample), _) if operand > 0 => Type::U32,
            (Self::Memory(place, ty), _) if operand == *place as usize => *ty,
            (_, Some(component)) => component.kernel.operand_type(ty, operand),
            (Self::Convert(conversion), None) => conversion.from.ty(),
            (Self::Texel(_), None) => Type::S32,
            // Coordinates and derivatives come first, and offsets follow.
            (Self::Texture(lookup), None) if operand < lookup.positions() => Type::F32,
            (Self::Texture(_), None) => Type::S32,
            (_, None) => ty,
        }
    }

    /// The type of the result of an instruction of type `ty`.
    pub const fn result_type(&self, ty: Type) -> Type {
        match (self, self.component(0)) {
            (_, Some(component)) => component.kernel.result_type(ty),
            (Self::Convert(conversion), None) => conversion.to.ty(),
            (Self::Texel(Texel::Size), None) => Type::S32,
            (_, None) => ty,
        }
    }

    /// Whether loading operand `operand` keeps its bits, denorms included.
    pub const fn keeps_bits(&self, operand: usize) -> bool {
        matches!(self.component(0), Some(component) if component.kernel.keeps_bits(operand))
    }

    /// Whether the operand's bits are not a number (UP, PK64).
    pub const fn reads_raw_bits(&self) -> bool {
        matches!(self.component(0), Some(component) if component.kernel.reads_raw_bits())
    }

    /// Whether the result in a lane depends on operands of its quad neighbours.
    pub const fn reads_neighbours(&self, stage: Stage) -> bool {
        match self {
            Self::DerivativeX | Self::DerivativeY => true,
            // The level of detail comes from the quad. Vertices have none.
            Self::Texture(Lookup::Plain | Lookup::Projective | Lookup::Bias | Lookup::LevelQuery) => {
                matches!(stage, Stage::Fragment)
            }
            Self::Texture(Lookup::Gradient | Lookup::Level | Lookup::Gather | Lookup::GatherApart)
            | Self::Texel(_)
            | Self::Vector(_)
            | Self::Replicated(_)
            | Self::Interpolate(_)
            | Self::Convert(_)
            | Self::Group(_)
            | Self::Memory(..)
            | Self::Control => false,
        }
    }

    /// Whether the result depends on the lanes of the thread group that execute the instruction together, or
    /// on their registers.
    pub const fn depends_on_group(&self, stage: Stage) -> bool {
        self.reads_neighbours(stage) || matches!(self, Self::Group(_)) && stage.has_thread_groups()
    }
}

/// The place in the pixel at which an attribute is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A place that the primitive covers.
    Centroid,
    /// The centre plus the offset in x and y of operand 1.
    Offset,
    /// The sample whose number is in operand 1.
    Sample,
}

/// The kind of a texture lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Uses the coordinates unchanged.
    Plain,
    /// Divides the coordinates by w, except for cube maps.
    Projective,
    /// Takes the derivatives from operands 1 and 2.
    Gradient,
    /// Adds w to the level of detail.
    Bias,
    /// Takes the level of detail from w.
    Level,
    /// Returns one component of the four texels that LINEAR would blend.
    Gather,
    /// As [`Self::Gather`], with an offset for each texel from operands 1 and 2.
    GatherApart,
    /// Returns the level of detail.
    LevelQuery,
}

impl Lookup {
    /// The number of operands with coordinates or derivatives.
    pub const fn positions(self) -> usize {
        match self {
            Self::Gradient => 3,
            Self::Plain
            | Self::Projective
            | Self::Bias
            | Self::Level
            | Self::Gather
            | Self::GatherApart
            | Self::LevelQuery => 1,
        }
    }

    /// The components of operand `operand` that a lookup of `target` reads, bit 0 = x.
    fn used(self, operand: usize, target: TextureTarget) -> u8 {
        let first = |count: usize| (1 << count) - 1;
        match self {
            Self::Projective | Self::Bias | Self::Level if operand == 0 => target.coordinates() | 0b1000,
            Self::LevelQuery if operand == 0 => first(target.position()),
            _ if operand == 0 => target.coordinates(),
            Self::Gradient => first(target.position()),
            Self::GatherApart => 0xF,
            Self::Plain | Self::Projective | Self::Bias | Self::Level | Self::Gather | Self::LevelQuery => {
                first(target.offset_axes())
            }
        }
    }
}

/// A texture access without a filter, with integer coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texel {
    /// The texel at x, y, z. w selects the level or the sample.
    Fetch,
    /// The size of the level in x.
    Size,
}

const EACH_1: [&[Input]; 4] = [&[(0, 0)], &[(0, 1)], &[(0, 2)], &[(0, 3)]];
const EACH_2: [&[Input]; 4] = [&[(0, 0), (1, 0)], &[(0, 1), (1, 1)], &[(0, 2), (1, 2)], &[(0, 3), (1, 3)]];
const EACH_3: [&[Input]; 4] = [
    &[(0, 0), (1, 0), (2, 0)],
    &[(0, 1), (1, 1), (2, 1)],
    &[(0, 2), (1, 2), (2, 2)],
    &[(0, 3), (1, 3), (2, 3)],
];
/// The second operand is one scalar.
const BY_SCALAR: [&[Input]; 4] = [&[(0, 0), (1, 0)], &[(0, 1), (1, 0)], &[(0, 2), (1, 0)], &[(0, 3), (1, 0)]];
/// x and y of the first operand are the size and offset of a bit field.
const FIELD_2: [&[Input]; 4] = [
    &[(0, 0), (0, 1), (1, 0)],
    &[(0, 0), (0, 1), (1, 1)],
    &[(0, 0), (0, 1), (1, 2)],
    &[(0, 0), (0, 1), (1, 3)],
];
const FIELD_3: [&[Input]; 4] = [
    &[(0, 0), (0, 1), (1, 0), (2, 0)],
    &[(0, 0), (0, 1), (1, 1), (2, 1)],
    &[(0, 0), (0, 1), (1, 2), (2, 2)],
    &[(0, 0), (0, 1), (1, 3), (2, 3)],
];
const DOT_4: &[Input] = &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)];
const DOT_3: &[Input] = &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)];
const XYZW: &[Input] = &[(0, 0), (0, 1), (0, 2), (0, 3)];
const XY: &[Input] = &[(0, 0), (0, 1)];
const ZW: &[Input] = &[(0, 2), (0, 3)];
const X: &[Input] = &[(0, 0)];
const X_X: &[Input] = &[(0, 0), (1, 0)];

const fn component(kernel: Kernel, inputs: &'static [Input]) -> Component {
    Component { kernel, inputs }
}

const fn each(kernel: Kernel, inputs: [&'static [Input]; 4]) -> Plan {
    Plan::Vector([
        component(kernel, inputs[0]),
        component(kernel, inputs[1]),
        component(kernel, inputs[2]),
        component(kernel, inputs[3]),
    ])
}

const fn all(kernel: Kernel) -> Plan {
    Plan::Vector([component(kernel, &[]); 4])
}

const fn replicated(kernel: Kernel, inputs: &'static [Input]) -> Plan {
    Plan::Replicated(component(kernel, inputs))
}

const fn of_x(kernels: [Kernel; 4]) -> Plan {
    Plan::Vector([
        component(kernels[0], X),
        component(kernels[1], X),
        component(kernels[2], X),
        component(kernels[3], X),
    ])
}

const MOVED: [Component; 4] = [
    component(Kernel::Bits, EACH_1[0]),
    component(Kernel::Bits, EACH_1[1]),
    component(Kernel::Bits, EACH_1[2]),
    component(Kernel::Bits, EACH_1[3]),
];

const DISTANCE: Plan = Plan::Vector([
    component(Kernel::One, &[]),
    component(Kernel::Mul, &[(0, 1), (1, 1)]),
    component(Kernel::Copy, &[(0, 2)]),
    component(Kernel::Copy, &[(1, 3)]),
]);

const LIGHT: Plan = Plan::Vector([
    component(Kernel::One, &[]),
    component(Kernel::LitDiffuse, &[(0, 0)]),
    component(Kernel::LitSpecular, &[(0, 0), (0, 1), (0, 3)]),
    component(Kernel::One, &[]),
]);

const LIGHT_CLAMPED: Plan = Plan::Vector([
    component(Kernel::One, &[]),
    component(Kernel::LitDiffuse, &[(0, 0)]),
    component(Kernel::LitSpecularClamped, &[(0, 0), (0, 1), (0, 3)]),
    component(Kernel::One, &[]),
]);

const REFLECT: Plan = Plan::Vector([
    component(Kernel::Reflect, &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 0), (1, 0)]),
    component(Kernel::Reflect, &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 1), (1, 1)]),
    component(Kernel::Reflect, &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 2), (1, 2)]),
    // Only masks with w in languages with data types (NV_gpu_program4 2.X.8, RFL).
    component(Kernel::Undefined, &[]),
]);

const TRANSFORM_X: &[Input] = &[(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)];
const TRANSFORM_Y: &[Input] = &[(0, 1), (1, 0), (2, 2), (1, 1), (2, 3)];

/// The plan of a set-on instruction.
const fn set_on(semantics: Semantics, plain: Kernel, or_nan: Kernel) -> Plan {
    match semantics.set_on_nan {
        SetOnNan::Compares => each(plain, EACH_2),
        SetOnNan::Propagates => each(or_nan, EACH_2),
    }
}

/// The component function of instructions that only move their operand.
const fn moved(semantics: Semantics) -> Kernel {
    match semantics.moves {
        Moves::Flush => Kernel::Copy,
        Moves::KeepBits => Kernel::Bits,
    }
}

impl Plan {
    /// The plan of `instruction`.
    pub const fn of(instruction: &Instruction) -> Self {
        match instruction.kind {
            Kind::Convert(_, conversion) => Self::Convert(conversion),
            _ => plan_of(instruction.op, instruction.semantics),
        }
    }
}

/// The plan of `op` under `semantics`. CVT is not included; [`Plan::of`] takes it from the instruction.
pub const fn plan_of(op: Opcode, semantics: Semantics) -> Plan {
    match op {
        Opcode::Abs => each(Kernel::Magnitude, EACH_1),
        Opcode::Ara => each(
            match semantics.address_range {
                AddressRange::Unclamped | AddressRange::Bits10 => Kernel::AddressAdd,
                AddressRange::Bits32 => Kernel::AddressAddSaturated,
            },
            [&[(0, 0), (0, 2)], &[(0, 1), (0, 3)], &[(0, 0), (0, 2)], &[(0, 1), (0, 3)]],
        ),
        Opcode::Arl => match semantics.address_range {
            AddressRange::Unclamped => each(Kernel::AddressFloorFree, EACH_1),
            AddressRange::Bits10 => each(Kernel::AddressFloor, EACH_1),
            AddressRange::Bits32 => each(Kernel::AddressFloorSaturated, EACH_1),
        },
        Opcode::Arr => match semantics.address_range {
            AddressRange::Unclamped | AddressRange::Bits10 => each(Kernel::AddressRound, EACH_1),
            AddressRange::Bits32 => each(Kernel::AddressRoundSaturated, EACH_1),
        },
        Opcode::Bra
        | Opcode::Brk
        | Opcode::Cal
        | Opcode::Cali
        | Opcode::Cont
        // [`Plan::of`] handles CVT.
        | Opcode::Cvt
        | Opcode::Else
        | Opcode::Endif
        | Opcode::Endloop
        | Opcode::Endrep
        | Opcode::If
        | Opcode::Kil
        | Opcode::Loop
        | Opcode::Popa
        | Opcode::Pusha
        | Opcode::Rep
        | Opcode::Ret
        | Opcode::Membar
        | Opcode::Emit
        | Opcode::Emits
        | Opcode::Endprim => Plan::Control,
        Opcode::Load => Plan::Memory(0, Type::U64),
        Opcode::Store | Opcode::Atom => Plan::Memory(1, Type::U64),
        Opcode::Loadim => Plan::Memory(0, Type::S32),
        Opcode::Storeim | Opcode::Atomim => Plan::Memory(1, Type::S32),
        Opcode::Ipac => Plan::Interpolate(Location::Centroid),
        Opcode::Ipao => Plan::Interpolate(Location::Offset),
        Opcode::Ipas => Plan::Interpolate(Location::Sample),
        Opcode::Ldc => each(Kernel::Bits, EACH_1),
        Opcode::And => each(Kernel::And, EACH_2),
        Opcode::Bfe => each(Kernel::Bfe, FIELD_2),
        Opcode::Bfi => each(Kernel::Bfi, FIELD_3),
        Opcode::Bfr => each(Kernel::Bfr, EACH_1),
        Opcode::Btc => each(Kernel::Btc, EACH_1),
        Opcode::Btfl => each(Kernel::Btfl, EACH_1),
        Opcode::Btfm => each(Kernel::Btfm, EACH_1),
        Opcode::Ceil => each(Kernel::Ceil, EACH_1),
        Opcode::Cmp => match semantics.moves {
            Moves::Flush => each(Kernel::Compare, EACH_3),
            Moves::KeepBits => each(Kernel::Choose, EACH_3),
        },
        Opcode::Div => each(Kernel::Div, BY_SCALAR),
        Opcode::I2f => each(Kernel::FloatFrom, EACH_1),
        Opcode::Mod => each(Kernel::Mod, BY_SCALAR),
        Opcode::MulHi => each(Kernel::MulHigh, EACH_2),
        Opcode::Not => each(Kernel::Not, EACH_1),
        Opcode::Or => each(Kernel::Or, EACH_2),
        Opcode::Round => each(Kernel::Round, EACH_1),
        Opcode::Pk64 => Plan::Vector([
            component(Kernel::Pack64, XY),
            component(Kernel::Pack64, ZW),
            component(Kernel::Pack64, XY),
            component(Kernel::Pack64, ZW),
        ]),
        Opcode::Sad => each(Kernel::Sad, EACH_3),
        Opcode::Shl => each(Kernel::ShiftLeft, BY_SCALAR),
        Opcode::Shr => each(Kernel::ShiftRight, BY_SCALAR),
        Opcode::Tgall => Plan::Group(Vote::All),
        Opcode::Tgany => Plan::Group(Vote::Any),
        Opcode::Tgeq => Plan::Group(Vote::Equal),
        Opcode::Trunc => each(Kernel::Trunc, EACH_1),
        Opcode::Up64 => Plan::Vector([
            component(Kernel::Unpack64Low, X),
            component(Kernel::Unpack64High, X),
            component(Kernel::Unpack64Low, &[(0, 1)]),
            component(Kernel::Unpack64High, &[(0, 1)]),
        ]),
        Opcode::Xor => each(Kernel::Xor, EACH_2),
        Opcode::Dp2 => replicated(Kernel::Dp2, &[(0, 0), (1, 0), (0, 1), (1, 1)]),
        Opcode::Dp2a => replicated(Kernel::Dp2a, &[(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)]),
        Opcode::Nrm => Plan::Vector([
            component(Kernel::Normalize, &[(0, 0), (0, 1), (0, 2), (0, 0)]),
            component(Kernel::Normalize, &[(0, 0), (0, 1), (0, 2), (0, 1)]),
            component(Kernel::Normalize, &[(0, 0), (0, 1), (0, 2), (0, 2)]),
            component(Kernel::Undefined, &[]),
        ]),
        Opcode::Scs => Plan::Vector([
            component(Kernel::Cos, X),
            component(Kernel::Sin, X),
            component(Kernel::Undefined, &[]),
            component(Kernel::Undefined, &[]),
        ]),
        // The operand holds the selectors and signs.
        Opcode::Swz => each(moved(semantics), EACH_1),
        Opcode::Txb => Plan::Texture(Lookup::Bias),
        Opcode::Txl => Plan::Texture(Lookup::Level),
        Opcode::Xpd => Plan::Vector([
            component(Kernel::Cross, &[(0, 1), (1, 2), (0, 2), (1, 1)]),
            component(Kernel::Cross, &[(0, 2), (1, 0), (0, 0), (1, 2)]),
            component(Kernel::Cross, &[(0, 0), (1, 1), (0, 1), (1, 0)]),
            component(Kernel::Undefined, &[]),
        ]),
        Opcode::Dph => replicated(Kernel::Dph, &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 3)]),
        Opcode::Exp => Plan::Vector([
            component(Kernel::ExpWhole, X),
            component(Kernel::Fraction, X),
            component(Kernel::Ex2, X),
            component(Kernel::One, &[]),
        ]),
        Opcode::Log => Plan::Vector([
            component(Kernel::LogExponent, X),
            component(Kernel::LogMantissa, X),
            component(Kernel::LogOfMagnitude, X),
            component(Kernel::One, &[]),
        ]),
        Opcode::Rcc => replicated(Kernel::Rcc, X),
        Opcode::Ssg => each(Kernel::SetSign, EACH_1),
        Opcode::Add => each(Kernel::Add, EACH_2),
        Opcode::Cos => replicated(Kernel::Cos, X),
        Opcode::Ddx => Plan::DerivativeX,
        Opcode::Ddy => Plan::DerivativeY,
        Opcode::Dp3 => replicated(Kernel::Dp3, DOT_3),
        Opcode::Dp4 => replicated(Kernel::Dp4, DOT_4),
        Opcode::Dst => DISTANCE,
        Opcode::Ex2 => replicated(Kernel::Ex2, X),
        Opcode::Flr => each(Kernel::Floor, EACH_1),
        Opcode::Frc => each(Kernel::Fraction, EACH_1),
        Opcode::Lg2 => replicated(Kernel::Lg2, X),
        Opcode::Lit => match semantics.lit_exponent {
            LitExponent::Unclamped => LIGHT,
            LitExponent::Clamped => LIGHT_CLAMPED,
        },
        Opcode::Lrp => each(Kernel::Lrp, EACH_3),
        Opcode::Mad => each(Kernel::Mad, EACH_3),
        Opcode::Max => each(Kernel::Max, EACH_2),
        Opcode::Min => each(Kernel::Min, EACH_2),
        Opcode::Mov => each(moved(semantics), EACH_1),
        Opcode::Mul => each(Kernel::Mul, EACH_2),
        Opcode::Pk2h => replicated(Kernel::Pk2h, XY),
        Opcode::Pk2us => replicated(Kernel::Pk2us, XY),
        Opcode::Pk4b => replicated(Kernel::Pk4b, XYZW),
        Opcode::Pk4ub => replicated(Kernel::Pk4ub, XYZW),
        Opcode::Pow => replicated(Kernel::Pow, X_X),
        Opcode::Rcp => replicated(Kernel::Rcp, X),
        Opcode::Rfl => REFLECT,
        Opcode::Rsq => match semantics.rsq_operand {
            RsqOperand::Signed => replicated(Kernel::Rsq, X),
            RsqOperand::Magnitude => replicated(Kernel::RsqOfMagnitude, X),
        },
        Opcode::Seq => set_on(semantics, Kernel::Seq, Kernel::SeqOrNan),
        Opcode::Sfl => all(Kernel::Zero),
        Opcode::Sge => set_on(semantics, Kernel::Sge, Kernel::SgeOrNan),
        Opcode::Sgt => set_on(semantics, Kernel::Sgt, Kernel::SgtOrNan),
        Opcode::Sin => replicated(Kernel::Sin, X),
        Opcode::Sle => set_on(semantics, Kernel::Sle, Kernel::SleOrNan),
        Opcode::Slt => set_on(semantics, Kernel::Slt, Kernel::SltOrNan),
        Opcode::Sne => set_on(semantics, Kernel::Sne, Kernel::SneOrNan),
        Opcode::Str => all(Kernel::One),
        Opcode::Sub => each(Kernel::Sub, EACH_2),
        Opcode::Tex => Plan::Texture(Lookup::Plain),
        Opcode::Txd => Plan::Texture(Lookup::Gradient),
        Opcode::Txf | Opcode::Txfms => Plan::Texel(Texel::Fetch),
        Opcode::Txp => Plan::Texture(Lookup::Projective),
        Opcode::Txq => Plan::Texel(Texel::Size),
        Opcode::Txg => Plan::Texture(Lookup::Gather),
        Opcode::Txgo => Plan::Texture(Lookup::GatherApart),
        Opcode::Lod => Plan::Texture(Lookup::LevelQuery),
        Opcode::Up2h => of_x([Kernel::Up2hLow, Kernel::Up2hHigh, Kernel::Up2hLow, Kernel::Up2hHigh]),
        Opcode::Up2us => of_x([Kernel::Up2usLow, Kernel::Up2usHigh, Kernel::Up2usLow, Kernel::Up2usHigh]),
        Opcode::Up4b => of_x([Kernel::Up4b0, Kernel::Up4b1, Kernel::Up4b2, Kernel::Up4b3]),
        Opcode::Up4ub => of_x([Kernel::Up4ub0, Kernel::Up4ub1, Kernel::Up4ub2, Kernel::Up4ub3]),
        Opcode::X2d => Plan::Vector([
            component(Kernel::Transform2d, TRANSFORM_X),
            component(Kernel::Transform2d, TRANSFORM_Y),
            component(Kernel::Transform2d, TRANSFORM_X),
            component(Kernel::Transform2d, TRANSFORM_Y),
        ]),
    }
}

/// The types that a result has before and after the conversion to its register.
#[derive(Clone, Copy, Debug)]
pub struct ResultTypes {
    pub result: Type,
    pub target: Type,
}

impl ResultTypes {
    /// The types of `instruction`. An instruction without a destination needs no conversion.
    pub fn of(program: &Program, instruction: &Instruction) -> Self {
        let result = Plan::of(instruction).result_type(instruction.ty);
        let target = instruction.target().map_or(result, |target| program.target_type(target));
        Self { result, target }
    }

    /// The type in which each component of the output with `role` is written; fp32 if the program has no such
    /// output. See [`Self::of_output`].
    pub fn of_role(program: &Program, role: OutputRole) -> [Type; 4] {
        program.output(role).map_or([Type::F32; 4], |id| Self::of_output(program, id))
    }

    /// The type in which each component of output `id` is written, if all instructions that write it agree.
    /// Otherwise the type of the register. A recording stores the types of an actual run.
    pub fn of_output(program: &Program, id: OutputId) -> [Type; 4] {
        let register = program.outputs[usize::from(id.0)].ty;
        let mut found: [Option<Type>; 4] = [None; 4];
        for instruction in &program.instructions {
            let Some(dest) = instruction.dest() else { continue };
            let is_target = match dest.target {
                Target::Output(target) => target == id,
                Target::Indirect(array) => array.elements().any(|element| element == Element::Output(id)),
                Target::Temp(_) | Target::Param(_) | Target::ConditionOnly(_) => false,
            };
            if !is_target {
                continue;
            }
            let written = Self::of(program, instruction).in_register();
            for (c, found) in found.iter_mut().enumerate() {
                if dest.mask.0 >> c & 1 != 0 {
                    *found = Some(
                        found.map_or(written, |other| if other == written { written } else { register }),
                    );
                }
            }
        }
        found.map(|found| found.unwrap_or(register))
    }

    /// Applies `_SAT` or `_SSAT`.
    #[inline(always)]
    pub fn saturate<N: Number>(self, saturation: Saturation, value: Words<N>) -> Words<N> {
        let kernel = match saturation {
            // The conversion clamps integers.
            _ if self.result.is_integer() => return value,
            Saturation::None => return value,
            Saturation::Unsigned => Kernel::Saturate,
            Saturation::Signed => Kernel::SaturateSigned,
        };
        let ty = if self.result.is_wide() { Type::F64 } else { Type::F32 };
        evaluate(kernel, ty, &[value; MAX_INPUTS])
    }

    /// Converts the value to the type of the register.
    #[inline(always)]
    pub fn convert<N: Number>(self, value: Words<N>) -> Words<N> {
        let single = match (self.result, self.target) {
            (Type::F32, Type::F16) => value,
            // Rounded to odd, so that the second rounding gives the result of a single rounding.
            (Type::F64, Type::F16) => {
                let double = N::Bits::double(value.map(Number::bits));
                [single_of_double(Narrowing::Odd, double), N::of(0.0)]
            }
            _ => return resize(value, self.result, self.result, self.target),
        };
        evaluate(Kernel::ToHalf, Type::F32, &[single; MAX_INPUTS])
    }

    /// The type of the written value: the kind of the result with the width of the register.
    pub const fn written(self) -> Type {
        self.result.sized_as(self.target)
    }

    /// The type in which the register is read to get the written value.
    pub const fn in_register(self) -> Type {
        self.result.in_register(self.target)
    }
}

/// The components of operand `operand` that `instruction` needs for the result components in `components`,
/// bit 0 = x, after the swizzle. `plan` is the plan of the instruction.
pub fn inputs_used(instruction: &Instruction, plan: &Plan, operand: usize, components: u8) -> u8 {
    let of = |component: &Component| {
        let inputs = component.inputs.iter().filter(|&&(o, _)| usize::from(o) == operand);
        inputs.fold(0u8, |mask, &(_, c)| mask | 1 << c)
    };
    match plan {
        Plan::Vector(each) => {
            (0..4).filter(|&c| components >> c & 1 != 0).fold(0, |mask, c| mask | of(&each[c]))
        }
        Plan::Replicated(component) if components != 0 => of(component),
        // The storage modifier determines what memory instructions use.
        Plan::Replicated(_) | Plan::Memory(..) | Plan::Control => 0,
        Plan::DerivativeX | Plan::DerivativeY | Plan::Convert(_) | Plan::Group(_) => components,
        Plan::Interpolate(_) if operand == 0 => components,
        Plan::Interpolate(Location::Offset) => 0b0011,
        Plan::Interpolate(Location::Centroid | Location::Sample) => 0b0001,
        Plan::Texture(_) | Plan::Texel(_) if components == 0 => 0,
        Plan::Texel(Texel::Fetch) => instruction.texture().map_or(0, |access| match operand {
            0 => access.target.texel_coordinates(),
            _ => (1 << access.target.offset_axes()) - 1,
        }),
        Plan::Texel(Texel::Size) => 0b0001,
        Plan::Texture(lookup) => {
            instruction.texture().map_or(0, |access| lookup.used(operand, access.target))
        }
    }
}

/// The result components that the specification leaves undefined, bit 0 = x. Their value is 0.
pub fn undefined_components(plan: &Plan) -> u8 {
    match plan {
        Plan::Vector(each) => {
            let undefined = |&c: &usize| each[c].kernel == Kernel::Undefined;
            (0..4).filter(undefined).fold(0, |mask, c| mask | 1 << c)
        }
        _ => 0,
    }
}
