//! The IR: the typed program that every front end produces and both executors run.
//!
//! A register holds bits, and the type of an instruction determines how to read them. `instruction`,
//! `operand` and `control` define instructions. `attribute` and `output` define the inputs and outputs,
//! `parameter` and `state` the values bound to parameters. [`verify()`] checks a program, and [`disassemble`]
//! prints it. [`Program::language`] determines display names, the stage and the flow limits, and never what
//! an instruction computes.

mod attribute;
pub mod constants;
mod control;
mod conversion;
mod decimal;
mod disasm;
mod geometry;
mod image;
mod instruction;
pub mod limits;
mod literal;
mod memory;
mod operand;
mod output;
mod parameter;
mod state;
mod subroutine;
mod tessellation;
mod texture;
mod unnamed;
mod variable;
mod verify;

pub use attribute::{Attribute, Interpolation, Interpolations, Place, Variation};
pub use control::Control;
pub use conversion::Conversion;
pub use decimal::{Real, decimal, float, pattern};
pub use disasm::{LETTERS, letters, mask_text, source_text, target_text, test_text, texture_text};
pub use disasm::{disassemble, disassemble_instruction};
pub use geometry::{GeometryLayout, InputPrimitive, OutputPrimitive};
pub use image::ImageAccess;
pub use instruction::{Destination, Instruction, Kill, Kind, Origin, Target, Write, WriteMask};
pub use literal::{constant_type, converted_type, literal_type};
pub use memory::{Access, BufferRef, BufferUnit, BufferVariable, Index, Memory};
pub use operand::{
    CcRegister, CcTest, Condition, Element, Flags, Indirect, Negation, Operand, Source, Swizzle, VertexIndex,
};
pub use output::{Output, OutputRole, PatchResult, VertexResult};
pub use parameter::{ConstantVector, Parameter, ParameterSource};
pub use state::{
    Face, LightProperty, MaterialProperty, MatrixName, MatrixTransform, ProductProperty, StateVector,
    TexGenPlane, TexGenSpace,
};
pub use subroutine::{Subroutine, SubroutineType, SubroutineVariable, Subroutines};
pub use tessellation::{
    TessellationLayout, TessellationMode, TessellationOrder, TessellationPoints, TessellationSpacing,
};
pub use texture::{IMAGE_UNITS, TexelOffset, TextureAccess, TextureRef};
pub use variable::{Declared, Variable};
pub use verify::{VerifyError, verify};

pub use crate::isa::{
    Atomic, Caching, Emit, Format, MAX_ACCESS, Saturation, Semantics, Storage, TargetOption, TextureTarget,
    Type, Value,
};
use crate::isa::{FlowLimits, Language, Rule, Stage};
pub use crate::num::Rounding;
use crate::source::Span;

/// The bits of a register's four components, 64 each. A 32-bit component is in the low half.
pub type Components = [u64; 4];

/// The bits of fp32 values.
#[inline]
pub const fn single_bits([x, y, z, w]: [f32; 4]) -> Components {
    [x.to_bits() as u64, y.to_bits() as u64, z.to_bits() as u64, w.to_bits() as u64]
}

/// Bits as fp32 values.
#[inline]
pub fn singles(bits: Components) -> [f32; 4] {
    bits.map(|bits| f32::from_bits(bits as u32))
}

/// Index into [`Program::temporaries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TempId(pub u16);

/// Index into [`Program::parameters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u16);

/// Index into [`Program::outputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutputId(pub u16);

/// A temporary register the program uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Temporary {
    /// Name in the program text, e.g. `R0`, `H12`.
    pub name: String,
    /// Component type.
    pub ty: Type,
}

/// A label in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    /// Index of the instruction after the label; the number of instructions at the end.
    pub at: usize,
    /// The span of the name at its definition.
    pub span: Span,
}

/// A resource that counts against a limit, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The resource in the plural, e.g. `instructions`.
    pub what: &'static str,
    /// How the resource is counted.
    pub about: &'static str,
    pub used: usize,
    pub limit: usize,
}

/// The fog that `OPTION ARB_fog_*` applies to the colour (ARB_fragment_program 3.11.4.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FogMode {
    /// `ARB_fog_exp`
    Exp,
    /// `ARB_fog_exp2`
    Exp2,
    /// `ARB_fog_linear`
    Linear,
}

/// Options that change the processing before or after the program, instead of its instruction set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProgramOptions {
    /// `NV_position_invariant`, `ARB_position_invariant`: fixed-function transformation computes the
    /// position.
    pub position_invariant: bool,
    /// Fog that is applied to the colour.
    pub fog: Option<FogMode>,
    /// `ARB_fragment_coord_origin_upper_left`: y of window coordinates increases downwards.
    pub origin_upper_left: bool,
    /// `ARB_fragment_coord_pixel_center_integer`: pixel centres have integer coordinates.
    pub pixel_center_integer: bool,
    /// `ARB_draw_buffers`: each output colour goes to its own draw buffer. Without the option, colour 0 goes
    /// to all.
    pub draw_buffers: bool,
    /// `ARB_blend_func_extended`: each output colour has a second colour for blending.
    pub dual_source: bool,
    /// `NV_early_fragment_tests`: stencil and depth tests precede the program (NV_gpu_program5 2.X.6.Y).
    pub early_fragment_tests: bool,
}

/// A checked program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The language of the text. It determines display names, the stage and the flow limits.
    pub language: Language,
    pub instructions: Vec<Instruction>,
    /// Temporaries used, in order of first use.
    pub temporaries: Vec<Temporary>,
    /// Parameters and constants: every `DECLARE`d parameter and all that instructions read.
    pub parameters: Vec<Parameter>,
    /// Outputs written, in order of first write.
    pub outputs: Vec<Output>,
    /// Fragment attributes whose interpolation the program declares.
    pub interpolations: Vec<(Attribute, Interpolation)>,
    /// The declared primitives of a geometry program.
    pub geometry: Option<GeometryLayout>,
    /// The number of vertices of a control program's output patch (`VERTICES_OUT`).
    pub patch_vertices: Option<u8>,
    /// The settings of the primitive generator in a tessellation evaluation program.
    pub tessellation: Option<TessellationLayout>,
    /// Counted resources, the number of instructions first.
    pub usage: Vec<Usage>,
    /// Declared names of attributes and results.
    pub variables: Vec<Variable>,
    /// Labels, in order of definition.
    pub labels: Vec<Label>,
    /// The subroutines and variables of CALI.
    pub subroutines: Subroutines,
    /// The parameter buffer variables, in order of declaration.
    pub buffers: Vec<BufferVariable>,
    /// Index of the first instruction to execute: the one after `main`, else 0.
    pub entry: usize,
    pub options: ProgramOptions,
}

impl Program {
    /// The target that lookups use on each image unit. For units without lookups, the target of the first
    /// TXQ.
    pub fn textures(&self) -> [Option<TextureTarget>; IMAGE_UNITS] {
        let mut units = [None; IMAGE_UNITS];
        let sizes = |instruction: &&Instruction| instruction.op.info().rule == Rule::Queries;
        let (queries, lookups): (Vec<_>, Vec<_>) = self.instructions.iter().partition(sizes);
        let accesses = lookups.into_iter().chain(queries).filter_map(Instruction::texture);
        for texture in accesses.flat_map(|access| access.units()) {
            if let Some(unit) = units.get_mut(usize::from(texture.unit)) {
                unit.get_or_insert(texture.target);
            }
        }
        units
    }

    /// The buffer variable that `reference` refers to.
    #[inline]
    pub fn buffer(&self, reference: &BufferRef) -> &BufferVariable {
        &self.buffers[usize::from(reference.variable)]
    }

    /// The attributes that the program may read, without duplicates.
    pub fn attributes(&self) -> Vec<Attribute> {
        let operands = self.instructions.iter().flat_map(|instruction| &instruction.operands);
        let mut read: Vec<Attribute> = operands.flat_map(|operand| operand.source.attributes()).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The attributes that a recording stores: [`Self::attributes`] and those of the language's other
    /// attributes that need no further results of earlier stages. Attributes that read back a patch's outputs
    /// are excluded.
    pub fn attributes_recorded(&self) -> Vec<Attribute> {
        let read = self.attributes();
        let mut all: Vec<Attribute> = match self.stage() {
            Stage::Fragment | Stage::Vertex | Stage::VertexState => {
                // A register is read with 32 or with 64 bits, never both.
                let is_long = |attribute: Attribute| read.contains(&attribute.long());
                Attribute::of_language(self.language)
                    .filter(|&attribute| !matches!(attribute, Attribute::Vertex(_)) || !is_long(attribute))
                    .collect()
            }
            Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => {
                let vertices = self.geometry.map_or(limits::PATCH_VERTICES, |layout| layout.input.vertices());
                let of_vertices = read.iter().filter(|attribute| attribute.of_vertex().is_some());
                let of_vertices =
                    of_vertices.flat_map(|attribute| (0..vertices).map(|vertex| attribute.at_vertex(vertex)));
                let numbers = Attribute::NUMBERS.into_iter().filter(|number| number.is_in(self.language));
                of_vertices.chain(numbers).collect()
            }
        };
        all.extend(read);
        all.retain(|attribute| attribute.output().is_none());
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The interpolation of each fragment attribute.
    pub fn interpolation(&self) -> Interpolations {
        let mut all = [Interpolation::DEFAULT; Attribute::SLOTS];
        for &(attribute, interpolation) in &self.interpolations {
            all[attribute.index()] = interpolation;
        }
        all
    }

    /// Whether the program selects places of evaluation itself, with IPAC, IPAO or IPAS.
    pub fn evaluates(&self) -> bool {
        self.instructions.iter().any(|instruction| instruction.op.info().rule == Rule::Evaluates)
    }

    /// Whether the program runs once per sample with multisampling: it reads its sample number or declares an
    /// attribute SAMPLE (ARB_sample_shading 3.11, glspec40 3.3.1).
    pub fn shades_samples(&self) -> bool {
        let declares = self.interpolations.iter().any(|(_, how)| how.place == Place::Sample);
        self.stage() == Stage::Fragment && (declares || self.attributes().contains(&Attribute::SampleId))
    }

    /// Whether the value of a fragment attribute depends on the place in the pixel at which it is evaluated.
    pub fn depends_on_place(&self, attribute: Attribute) -> bool {
        let is_flat = |&(declared, how): &(Attribute, Interpolation)| {
            declared == attribute && how.variation == Variation::Flat
        };
        attribute.is_evaluable() && !attribute.ty().is_integer() && !self.interpolations.iter().any(is_flat)
    }

    /// Index of the output with `role`, if the program writes it.
    pub fn output(&self, role: OutputRole) -> Option<OutputId> {
        let index = self.outputs.iter().position(|o| o.role == role)?;
        u16::try_from(index).ok().map(OutputId)
    }

    /// The components of temporaries that are defined before the first instruction, bit 0 = x. Temporaries
    /// are 0 in any case, but only NVIDIA's own languages define this (NV_fragment_program 3.11.1.2;
    /// ARB_fragment_program 3.11.3.3).
    pub fn temporaries_defined(&self) -> u8 {
        if self.language.profile().clears_temporaries { 0xF } else { 0 }
    }

    /// The stage that the program runs in.
    #[inline]
    pub const fn stage(&self) -> Stage {
        self.language.stage()
    }

    /// The limits on the depth of calls and blocks and on the length of an execution.
    #[inline]
    pub fn flow_limits(&self) -> &'static FlowLimits {
        &self.language.profile().flow
    }

    /// Whether the program has flow instructions.
    pub fn has_flow(&self) -> bool {
        self.instructions.iter().any(|i| i.control().is_some())
    }

    /// Whether the IF with target `otherwise` has an ELSE. If so, `otherwise` is the instruction after the
    /// ELSE.
    pub fn has_else(&self, otherwise: usize) -> bool {
        let before = otherwise.checked_sub(1).and_then(|before| self.instructions.get(before));
        before.is_some_and(|instruction| matches!(instruction.control(), Some(Control::Else { .. })))
    }

    /// Index of the first instruction of subroutine `index` of [`Subroutines::list`].
    pub fn subroutine_place(&self, index: usize) -> Option<usize> {
        let subroutine = self.subroutines.list.get(index)?;
        self.labels.get(subroutine.label).map(|label| label.at)
    }

    /// The possible targets of an indirect call through `variable`.
    pub fn called_through(&self, variable: usize) -> impl Iterator<Item = usize> {
        let ty = self.subroutines.variables.get(variable).and_then(|v| self.subroutines.types.get(v.ty));
        let members = ty.map_or(&[][..], |ty| &ty.members);
        members.iter().filter_map(|&member| self.subroutine_place(member))
    }

    /// Whether the program may discard its fragment.
    pub fn can_kill(&self) -> bool {
        self.instructions.iter().any(Instruction::is_kill)
    }

    /// Whether the program reads or writes memory.
    pub fn accesses_memory(&self) -> bool {
        self.instructions.iter().any(Instruction::accesses_memory)
    }

    /// Whether the program accesses images.
    pub fn accesses_images(&self) -> bool {
        self.instructions.iter().any(|instruction| instruction.image().is_some())
    }

    /// Whether the program can change memory.
    pub fn writes_memory(&self) -> bool {
        self.instructions.iter().any(Instruction::writes_memory)
    }

    pub fn writes_depth(&self) -> bool {
        self.output(OutputRole::Depth).is_some()
    }

    /// Whether an instruction accesses data that the invocations of a patch share: vertices of other
    /// invocations or per-patch values.
    pub fn meets_others(&self, instruction: &Instruction) -> bool {
        let mut read = instruction.operands.iter().flat_map(|operand| operand.source.attributes());
        read.any(|attribute| matches!(attribute, Attribute::OutVertex { .. }))
            || instruction.dest().is_some_and(|dest| self.writes_patch(dest.target))
    }

    /// Whether `target` is a per-patch output, which all invocations of a patch share.
    pub fn writes_patch(&self, target: Target) -> bool {
        let output = match target {
            Target::Output(id) => id,
            Target::Indirect(Indirect { first: Element::Output(id), .. }) => id,
            _ => return false,
        };
        matches!(self.outputs.get(usize::from(output.0)), Some(Output { role: OutputRole::Patch(_), .. }))
    }

    /// The number of vertices of the input primitive that instructions can name; 0 for stages without
    /// primitives.
    pub fn input_vertices(&self) -> u8 {
        match self.stage() {
            Stage::Geometry => self.geometry.map_or(0, |layout| layout.input.vertices()),
            Stage::TessControl | Stage::TessEvaluation => limits::PATCH_VERTICES,
            Stage::Vertex | Stage::VertexState | Stage::Fragment => 0,
        }
    }

    /// The number of vertices that an index of `attribute` can select.
    pub fn vertices_of(&self, attribute: Attribute) -> u8 {
        match attribute {
            Attribute::OutVertex { .. } => self.patch_vertices.unwrap_or(0),
            _ => self.input_vertices(),
        }
    }

    /// The outputs that an instruction with this target writes or may write.
    pub fn outputs_of(&self, target: Target) -> impl Iterator<Item = &Output> {
        let (only, array) = match target {
            Target::Output(id) => (Some(id), None),
            Target::Indirect(indirect) => (None, Some(indirect)),
            Target::Temp(_) | Target::Param(_) | Target::ConditionOnly(_) => (None, None),
        };
        let elements = array.into_iter().flat_map(|indirect| indirect.elements());
        let chosen = elements.filter_map(|element| match element {
            Element::Output(id) => Some(id),
            Element::Temp(_) | Element::Param(_) | Element::Attribute(_) => None,
        });
        only.into_iter().chain(chosen).filter_map(|id| self.outputs.get(usize::from(id.0)))
    }

    /// Component type of `target`.
    #[inline]
    pub fn target_type(&self, target: Target) -> Type {
        match target {
            Target::Temp(id) => self.temporaries[usize::from(id.0)].ty,
            Target::Output(id) => self.outputs[usize::from(id.0)].ty,
            Target::Indirect(indirect) => self.element_type(indirect.first),
            Target::ConditionOnly(ty) => ty,
            Target::Param(_) => Type::F32,
        }
    }

    /// Component type of `element`.
    fn element_type(&self, element: Element) -> Type {
        match element {
            Element::Temp(id) => self.temporaries[usize::from(id.0)].ty,
            Element::Output(id) => self.outputs[usize::from(id.0)].ty,
            Element::Attribute(attribute) => attribute.storage(),
            Element::Param(_) => Type::F32,
        }
    }

    /// The name of an array element: the declared name or the register.
    pub fn element_name(&self, element: Element) -> Option<String> {
        match element {
            Element::Temp(id) => Some(self.temporaries[usize::from(id.0)].name.clone()),
            Element::Param(id) => self.parameters[usize::from(id.0)].name_in(self.language),
            Element::Attribute(attribute) => Some(attribute.register_in(self.language)),
            Element::Output(id) => Some(self.outputs[usize::from(id.0)].name.clone()),
        }
    }

    /// Component type of `source`.
    #[inline]
    pub fn source_type(&self, source: Source) -> Type {
        match source {
            Source::Temp(id) => self.temporaries[usize::from(id.0)].ty,
            Source::Indirect(indirect) => self.element_type(indirect.first),
            Source::Attribute(attribute) => attribute.storage(),
            Source::Param(id) => {
                let ty = self.parameters[usize::from(id.0)].ty;
                if ty.is_wide() { ty } else { Type::F32 }
            }
            Source::Buffer(buffer) => buffer.storage.ty(),
        }
    }
}
