//! The plan of each opcode: the component function ([`Kernel`]) that computes each result component, and the
//! operand components that it reads. Instructions that are not component functions (lookups, votes, memory)
//! have plans of their own.
//!
//! Each row of the instruction table has its plan, written with the functions and constants of this module.
//! [`plan_of`] reads the rows, so that [`crate::isa`] does not depend on the component functions.

#![deny(clippy::wildcard_enum_match_arm)]

use super::ops::{Kernel, MAX_INPUTS, Vote, Words, evaluate, resize};
use crate::ir::{
    Conversion, Element, Instruction, Kind, OutputId, OutputRole, Program, Saturation, Target, TextureTarget,
    Type,
};
use crate::isa::table::rows;
use crate::isa::{
    AccessKind, AccessPlace, AddressRange, LitExponent, Moves, Opcode, RsqOperand, Semantics, SetOnNan, Stage,
};
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
        match self {
            Self::Interpolate(Location::Sample) if operand > 0 => Type::U32,
            Self::Vector([component, ..]) | Self::Replicated(component) => {
                component.kernel.operand_type(ty, operand)
            }
            Self::Interpolate(_) => MOVED[0].kernel.operand_type(ty, operand),
            Self::Memory(place, location) if operand == *place as usize => *location,
            Self::Convert(conversion) => conversion.from.ty(),
            Self::Texel(_) => Type::S32,
            // Coordinates and derivatives come first, and offsets follow.
            Self::Texture(lookup) if operand < lookup.positions() => Type::F32,
            Self::Texture(_) => Type::S32,
            Self::DerivativeX | Self::DerivativeY | Self::Group(_) | Self::Memory(..) | Self::Control => ty,
        }
    }

    /// The type of the result of an instruction of type `ty`.
    pub const fn result_type(&self, ty: Type) -> Type {
        match self {
            Self::Vector([component, ..]) | Self::Replicated(component) => component.kernel.result_type(ty),
            Self::Interpolate(_) => MOVED[0].kernel.result_type(ty),
            Self::Convert(conversion) => conversion.to.ty(),
            Self::Texel(Texel::Size) => Type::S32,
            Self::Texel(Texel::Fetch)
            | Self::Texture(_)
            | Self::DerivativeX
            | Self::DerivativeY
            | Self::Group(_)
            | Self::Memory(..)
            | Self::Control => ty,
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

crate::named_enum! {
    /// The place in the pixel at which an attribute is evaluated.
    pub enum Location {
        /// A place that the primitive covers.
        Centroid = "centroid",
        /// The centre plus the offset in x and y of operand 1.
        Offset = "offset",
        /// The sample whose number is in operand 1.
        Sample = "sample",
    }

    /// The kind of a texture lookup.
    pub enum Lookup {
        /// Uses the coordinates unchanged.
        Plain = "plain",
        /// Divides the coordinates by w, except for cube maps.
        Projective = "projective",
        /// Takes the derivatives from operands 1 and 2.
        Gradient = "gradient",
        /// Adds w to the level of detail.
        Bias = "bias",
        /// Takes the level of detail from w.
        Level = "level",
        /// Returns one component of the four texels that LINEAR would blend.
        Gather = "gather",
        /// As [`Self::Gather`], with an offset for each texel from operands 1 and 2.
        GatherApart = "gather_apart",
        /// Returns the level of detail.
        LevelQuery = "level_query",
    }

    /// A texture access without a filter, with integer coordinates.
    pub enum Texel {
        /// The texel at x, y, z. w selects the level or the sample.
        Fetch = "fetch",
        /// The size of the level in x.
        Size = "size",
    }
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
/// The two halves of an address register: x and z, y and w.
const HALVES: [&[Input]; 4] = [&[(0, 0), (0, 2)], &[(0, 1), (0, 3)], &[(0, 0), (0, 2)], &[(0, 1), (0, 3)]];

/// Components whose results have their own functions and inputs.
const fn components(kernels: [Kernel; 4], inputs: [&'static [Input]; 4]) -> [Component; 4] {
    let [a, b, c, d] = kernels;
    let [x, y, z, w] = inputs;
    [
        Component { kernel: a, inputs: x },
        Component { kernel: b, inputs: y },
        Component { kernel: c, inputs: z },
        Component { kernel: d, inputs: w },
    ]
}

const fn four(kernels: [Kernel; 4], inputs: [&'static [Input]; 4]) -> Plan {
    Plan::Vector(components(kernels, inputs))
}

/// The same function for each component.
const fn each(kernel: Kernel, inputs: [&'static [Input]; 4]) -> Plan {
    four([kernel; 4], inputs)
}

const fn all(kernel: Kernel) -> Plan {
    each(kernel, [&[]; 4])
}

const fn replicated(kernel: Kernel, inputs: &'static [Input]) -> Plan {
    Plan::Replicated(Component { kernel, inputs })
}

const fn of_x(kernels: [Kernel; 4]) -> Plan {
    four(kernels, [X; 4])
}

const MOVED: [Component; 4] = components([Kernel::Bits; 4], EACH_1);

const DISTANCE: Plan = four(
    [Kernel::One, Kernel::Mul, Kernel::Copy, Kernel::Copy],
    [&[], &[(0, 1), (1, 1)], &[(0, 2)], &[(1, 3)]],
);

const REFLECT: Plan = four(
    // Only masks with w in languages with data types (NV_gpu_program4 2.X.8, RFL).
    [Kernel::Reflect, Kernel::Reflect, Kernel::Reflect, Kernel::Undefined],
    [
        &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 0), (1, 0)],
        &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 1), (1, 1)],
        &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 2), (1, 2)],
        &[],
    ],
);

const NORMALIZE: Plan = four(
    [Kernel::Normalize, Kernel::Normalize, Kernel::Normalize, Kernel::Undefined],
    [
        &[(0, 0), (0, 1), (0, 2), (0, 0)],
        &[(0, 0), (0, 1), (0, 2), (0, 1)],
        &[(0, 0), (0, 1), (0, 2), (0, 2)],
        &[],
    ],
);

const CROSS: Plan = four(
    [Kernel::Cross, Kernel::Cross, Kernel::Cross, Kernel::Undefined],
    [
        &[(0, 1), (1, 2), (0, 2), (1, 1)],
        &[(0, 2), (1, 0), (0, 0), (1, 2)],
        &[(0, 0), (1, 1), (0, 1), (1, 0)],
        &[],
    ],
);

const TRANSFORM: Plan = {
    const X: &[Input] = &[(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)];
    const Y: &[Input] = &[(0, 1), (1, 0), (2, 2), (1, 1), (2, 3)];
    each(Kernel::Transform2d, [X, Y, X, Y])
};

const UNPACK_64: Plan = four(
    [Kernel::Unpack64Low, Kernel::Unpack64High, Kernel::Unpack64Low, Kernel::Unpack64High],
    [X, X, &[(0, 1)], &[(0, 1)]],
);

/// LIT.
const fn light(semantics: Semantics) -> Plan {
    let specular = match semantics.lit_exponent {
        LitExponent::Unclamped => Kernel::LitSpecular,
        LitExponent::Clamped => Kernel::LitSpecularClamped,
    };
    four([Kernel::One, Kernel::LitDiffuse, specular, Kernel::One], [&[], X, &[(0, 0), (0, 1), (0, 3)], &[]])
}

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

/// CMP.
const fn selected(semantics: Semantics) -> Kernel {
    match semantics.moves {
        Moves::Flush => Kernel::Compare,
        Moves::KeepBits => Kernel::Choose,
    }
}

/// RSQ.
const fn inverse_root(semantics: Semantics) -> Kernel {
    match semantics.rsq_operand {
        RsqOperand::Signed => Kernel::Rsq,
        RsqOperand::Magnitude => Kernel::RsqOfMagnitude,
    }
}

/// ARA.
const fn address_sum(semantics: Semantics) -> Kernel {
    match semantics.address_range {
        AddressRange::Unclamped | AddressRange::Bits10 => Kernel::AddressAdd,
        AddressRange::Bits32 => Kernel::AddressAddSaturated,
    }
}

/// ARL.
const fn address_floor(semantics: Semantics) -> Kernel {
    match semantics.address_range {
        AddressRange::Unclamped => Kernel::AddressFloorFree,
        AddressRange::Bits10 => Kernel::AddressFloor,
        AddressRange::Bits32 => Kernel::AddressFloorSaturated,
    }
}

/// ARR.
const fn address_round(semantics: Semantics) -> Kernel {
    match semantics.address_range {
        AddressRange::Unclamped | AddressRange::Bits10 => Kernel::AddressRound,
        AddressRange::Bits32 => Kernel::AddressRoundSaturated,
    }
}

/// Makes [`plan_of`] from the rows of the table. A plan that depends on the semantics is a closure.
macro_rules! plan_of {
    ($($name:ident $mnemonic:literal $title:literal $operands:tt -> $result:ident, $rule:ident, $group:ident,
        $action:ident $(($($detail:tt)*))?, $forms:tt, $formula:literal, $prose:literal $(=> $example:literal)?
        $(readings $readings:tt)?;)*) => {
        /// The plan of `op` under `semantics`. CVT gives `Control`; [`Plan::of`] takes its types from the
        /// instruction.
        pub const fn plan_of(op: Opcode, semantics: Semantics) -> Plan {
            match op {
                $(Opcode::$name => plan_of!(@plan semantics $action $(($($detail)*))?),)*
            }
        }
    };
    (@plan $semantics:ident Computes(|$given:ident| $plan:expr)) => {{ let $given = $semantics; $plan }};
    (@plan $semantics:ident Computes($plan:expr)) => { $plan };
    (@plan $semantics:ident LoadsConstants($plan:expr)) => { $plan };
    (@plan $semantics:ident LooksUp($plan:expr)) => { $plan };
    (@plan $semantics:ident Accesses($access:ident, $place:ident)) => {
        Plan::Memory(AccessKind::$access.location_operand(), AccessPlace::$place.location_type())
    };
    (@plan $semantics:ident Flow($flow:ident)) => { Plan::Control };
    (@plan $semantics:ident Emits($emit:ident)) => { Plan::Control };
    (@plan $semantics:ident Discards) => { Plan::Control };
    (@plan $semantics:ident Orders) => { Plan::Control };
    (@plan $semantics:ident Converts) => { Plan::Control };
    // A missing plan: no such variant exists, so the error is at the row.
    (@plan $semantics:ident $action:ident) => { Plan::$action };
}

rows! { plan_of }

impl Plan {
    /// The plan of `instruction`.
    pub const fn of(instruction: &Instruction) -> Self {
        if let Kind::Convert(_, conversion) = instruction.kind {
            return Self::Convert(conversion);
        }
        plan_of(instruction.op, instruction.semantics)
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
    let is_undefined = |&c: &usize| plan.component(c).is_some_and(|found| found.kernel == Kernel::Undefined);
    (0..4).filter(is_undefined).fold(0, |mask, c| mask | 1 << c)
}
