//! From the IR to row operations: every operand component becomes a row index, every result component
//! a kernel over rows; what no output depends on is left out.

use std::collections::HashMap;

mod operands;
mod stores;

use super::compile::Outcome;
use super::flow::{Block, ExitRows, Graph};
use super::live::Liveness;
use super::micro::{Detail, Effect, Gather, GatherRows, Group, Micro, RowKernel, Sample, Scatter};
use crate::exec::ops::{Exact32, Kernel, MAX_INPUTS};
use crate::exec::plan::{Component, Lookup, Plan, inputs_used, plan};
use crate::exec::scalar::incomplete_texel;
use crate::ir::{
    Attribute, CcRegister, CcTest, Control, Destination, Instruction, Operand, OutputRole, ParameterSource,
    Program, Source, Swizzle, Target, TempId, TextureTarget, Type,
};
use crate::isa::Stage;

/// How registers map to rows: each entry is the first of four rows.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Attribute registers the program reads.
    pub attributes: Vec<(Attribute, u16)>,
    /// Temporaries, in the program's order.
    pub temporaries: Vec<u16>,
    /// Outputs, in the program's order.
    pub outputs: Vec<u16>,
    /// The first condition code; the second's rows follow.
    pub cc: u16,
    /// 1 in the lanes whose registers masked operations change, 0 in the others; for programs with flow.
    pub mask: u16,
    /// Rows of uniform values.
    pub uniforms: Vec<(u16, Uniform)>,
    /// Number of rows in all.
    pub rows: u16,
}

/// A parameter component as an operand sees it: one value for every fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uniform {
    /// Index of the parameter.
    pub parameter: u16,
    /// Component, 0 = x.
    pub component: u8,
    /// Sign handling.
    pub modifier: Modifier,
    /// Conversion after it.
    pub conversion: Conversion,
}

impl Uniform {
    /// What an operand sees of the parameter's `value`.
    pub fn of(&self, value: [f32; 4]) -> f32 {
        uniform_value(value[usize::from(self.component)], self.modifier, self.conversion)
    }
}

/// Negation and absolute value of an operand, folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// As it is.
    None,
    /// Sign turned.
    Negate,
    /// Sign cleared.
    Absolute,
    /// Sign set.
    NegateAbsolute,
}

impl Modifier {
    fn of(operand: &Operand, c: usize) -> Self {
        match (operand.absolute, operand.negate.has(c) ^ operand.negate_absolute, operand.negate_absolute) {
            (false, false, _) => Self::None,
            (false, true, _) => Self::Negate,
            (true, _, false) => Self::Absolute,
            (true, _, true) => Self::NegateAbsolute,
        }
    }

    /// The kernel that applies it.
    pub const fn kernel(self) -> Kernel {
        match self {
            Self::None => Kernel::Bits,
            Self::Negate => Kernel::Negate,
            Self::Absolute => Kernel::Absolute,
            Self::NegateAbsolute => Kernel::NegateAbsolute,
        }
    }
}

/// Conversion of an operand to the instruction's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Not needed.
    None,
    /// fp32 to fp16.
    ToHalf,
    /// To fx12.
    ToFixed,
}

impl Conversion {
    const fn of(from: Type, to: Type) -> Self {
        match (from, to) {
            (Type::F32, Type::F16) => Self::ToHalf,
            (Type::F32 | Type::F16, Type::Fx12) => Self::ToFixed,
            _ => Self::None,
        }
    }

    /// The kernel that applies it.
    pub const fn kernel(self) -> Kernel {
        match self {
            Self::None => Kernel::Bits,
            Self::ToHalf => Kernel::ToHalf,
            Self::ToFixed => Kernel::ToFixed,
        }
    }
}

/// Operations in the order of their instructions.
#[derive(Clone, Debug, Default)]
pub struct Micros {
    list: Vec<Micro>,
    /// For each instruction, the number of operations up to its end.
    ends: Vec<usize>,
}

impl Micros {
    /// The operations of instructions `start` to `end` (exclusive).
    pub fn of(&self, start: usize, end: usize) -> &[Micro] {
        let before = |instruction: usize| if instruction == 0 { 0 } else { self.ends[instruction - 1] };
        &self.list[before(start)..before(end)]
    }

    /// How many instructions there are.
    pub fn instructions(&self) -> usize {
        self.ends.len()
    }

    /// All of them.
    pub fn all(&self) -> &[Micro] {
        &self.list
    }
}

/// What running a program with flow takes besides.
#[derive(Clone, Debug)]
pub struct FlowCode {
    /// The blocks.
    pub graph: Graph,
    /// For each block, the rows of its exit.
    pub exits: Vec<ExitRows>,
    /// Operations that change the registers of the lanes in the mask row only.
    pub masked: Micros,
}

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Code {
    /// Operations that change the registers of all lanes.
    pub plain: Micros,
    /// For programs with flow.
    pub flow: Option<FlowCode>,
    /// Where registers live.
    pub layout: Layout,
    /// Rows that hold one value always.
    pub constants: Vec<(u16, f32)>,
    /// Rows to fill before a block, each with one value.
    pub initial: Vec<(u16, f32)>,
    /// Components of each attribute read.
    pub attributes_used: [u8; Attribute::SLOTS],
    /// Whether blocks may run without flushes first.
    pub guardable: bool,
    /// Every row that is somebody's result.
    pub outcomes: Vec<Outcome>,
    /// Rows below this one are registers, uniforms and the mask; above are values of single instructions.
    pub first_scratch: u16,
    /// Rows of literals that can be computed with beforehand, with their bits.
    pub literals: Vec<(u16, u32)>,
}

/// Lowers `program`, leaving out what `live` says nothing depends on.
pub fn lower(program: &Program, live: &Liveness) -> Code {
    let mut lowering = Lowering::new(program);
    let plain = lowering.micros(live, Stores::Plain);
    let flow = program.has_flow().then(|| {
        let graph = Graph::of(program);
        let exits = graph.blocks.iter().map(|block| lowering.exit_rows(block)).collect();
        FlowCode { exits, graph, masked: lowering.micros(live, Stores::Masked) }
    });
    lowering.finish(live, plain, flow)
}

/// Which lanes an operation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// All.
    Plain,
    /// Those in the mask row.
    Masked,
}

struct Lowering<'a> {
    program: &'a Program,
    layout: Layout,
    uniforms: HashMap<Uniform, u16>,
    /// Operand rows already prepared for the instruction at hand.
    operands: HashMap<(u16, Modifier, Conversion), u16>,
    /// Rows that relative references of the instruction at hand were read to, by component.
    gathered: HashMap<(Source, u8), u16>,
    /// Result components that are needed of the instruction at hand.
    needed: u8,
    stores: Stores,
    micros: Vec<Micro>,
    attributes_used: [u8; Attribute::SLOTS],
    /// Rows of constants, by their bits; numbered above any scratch row.
    constants: Vec<(u32, u16)>,
    first_scratch: u16,
    next_scratch: u16,
    scratch_end: u16,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program) -> Self {
        let mut next = 0u16;
        let mut four = || {
            next += 4;
            next - 4
        };
        let mut layout = Layout { cc: four(), ..Layout::default() };
        // The second register's rows follow the first's.
        four();
        for &attribute in Attribute::of(program.language.stage()) {
            let named = |o: &Operand| o.source.attributes().any(|read| read == attribute);
            let reads = |i: &Instruction| i.operands.iter().any(named);
            if program.instructions.iter().any(reads) {
                layout.attributes.push((attribute, four()));
            }
        }
        layout.temporaries = program.temporaries.iter().map(|_| four()).collect();
        layout.outputs = program.outputs.iter().map(|_| four()).collect();
        if program.has_flow() {
            layout.mask = next;
            next += 1;
        }
        let mut uniforms = HashMap::new();
        // Uniform rows are numbered before the scratch rows, whose number is known only in the end.
        for instruction in &program.instructions {
            for operand in &instruction.operands {
                let Source::Param(id) = operand.source else { continue };
                let components = operand.swizzle.0.into_iter().enumerate();
                for (c, component) in components.filter(|&(_, s)| Swizzle::constant(s).is_none()) {
                    let uniform = Uniform {
                        parameter: id.0,
                        component,
                        modifier: Modifier::of(operand, c),
                        conversion: Conversion::of(Type::F32, instruction.ty),
                    };
                    for modifier in [uniform.modifier, Modifier::None] {
                        uniforms.entry(Uniform { modifier, ..uniform }).or_insert_with(|| {
                            next += 1;
                            next - 1
                        });
                    }
                }
            }
        }
        layout.uniforms = uniforms.iter().map(|(&uniform, &row)| (row, uniform)).collect();
        layout.uniforms.sort_unstable_by_key(|&(row, _)| row);
        Self {
            program,
            layout,
            uniforms,
            operands: HashMap::new(),
            gathered: HashMap::new(),
            needed: 0,
            stores: Stores::Plain,
            micros: Vec::new(),
            attributes_used: [0; Attribute::SLOTS],
            constants: Vec::new(),
            first_scratch: next,
            next_scratch: next,
            scratch_end: next,
        }
    }

    /// The operations of the whole program.
    fn micros(&mut self, live: &Liveness, stores: Stores) -> Micros {
        self.stores = stores;
        let mut ends = Vec::with_capacity(self.program.instructions.len());
        // Without flow, nothing reaches what stands before the entry.
        let first = if self.program.has_flow() { 0 } else { self.program.entry };
        for (pc, (instruction, needed)) in self.program.instructions.iter().zip(&live.needed).enumerate() {
            if pc >= first {
                self.next_scratch = self.first_scratch;
                self.operands.clear();
                self.gathered.clear();
                self.instruction(instruction, needed.result, needed.cc);
            }
            ends.push(self.micros.len());
        }
        Micros { list: std::mem::take(&mut self.micros), ends }
    }

    fn finish(mut self, live: &Liveness, plain: Micros, flow: Option<FlowCode>) -> Code {
        let mut initial = Vec::new();
        for (&base, &mask) in self.layout.temporaries.iter().zip(&live.temporaries_at_entry) {
            initial.extend(components_of(mask).map(|c| (base + c as u16, 0.0)));
        }
        let outputs = self.program.outputs.iter().zip(&self.layout.outputs);
        for ((output, &base), &mask) in outputs.zip(&live.outputs_at_entry) {
            let value = output.role.initial();
            initial.extend(components_of(mask).map(|c| (base + c as u16, value[c])));
        }
        initial.extend(
            (0..8).filter(|c| live.cc_at_entry >> c & 1 != 0).map(|c| (self.layout.cc + c as u16, 0.0)),
        );
        self.layout.rows = self.scratch_end;
        let constants: Vec<(u16, f32)> =
            self.constants.iter().map(|&(bits, row)| (row, f32::from_bits(bits))).collect();
        // Past the scratch rows of every instruction.
        self.layout.rows = constants.iter().fold(self.layout.rows, |rows, &(row, _)| rows.max(row + 1));
        // Packed values are bits that look like denorms and NaNs, and UP would show the payload of a
        // NaN that only the full arithmetic makes canonical.
        let packs = |i: &Instruction| i.op.info().group == crate::isa::Group::Pack;
        let guardable = !self.program.instructions.iter().any(packs);
        let literals = self.layout.uniforms.iter().filter_map(|(row, uniform)| {
            let parameter = self.program.parameters.get(usize::from(uniform.parameter))?;
            let ParameterSource::Constant(value) = parameter.source else { return None };
            // A denorm is not computed with beforehand: the guard has to see it.
            Some(uniform.of(value)).filter(|value| !value.is_subnormal()).map(|value| (*row, value.to_bits()))
        });
        Code {
            literals: literals.collect(),
            outcomes: self.outcomes(),
            first_scratch: self.first_scratch,
            guardable,
            plain,
            flow,
            layout: self.layout,
            constants,
            initial,
            attributes_used: self.attributes_used,
        }
    }

    /// Every row that is somebody's result, with the row of `BlockOutput::color` or `VertexRows` that it goes to.
    fn outcomes(&self) -> Vec<Outcome> {
        let outputs = self.program.outputs.iter().zip(&self.layout.outputs);
        let outcomes = outputs.flat_map(|(output, &base)| {
            let (components, first) = match output.role {
                OutputRole::Color(0) => (0..4, Some(0)),
                OutputRole::Color(_) => (0..4, None),
                OutputRole::Vertex(result) => (0..4, Some(4 * result.index() as u16)),
                OutputRole::Depth => (2..3, None),
            };
            components.map(move |c| Outcome { row: base + c, output: first.map(|first| first + c) })
        });
        outcomes.collect()
    }

    fn scratch(&mut self) -> u16 {
        self.next_scratch += 1;
        self.scratch_end = self.scratch_end.max(self.next_scratch);
        self.next_scratch - 1
    }

    fn rows(&mut self, kernel: Kernel, ty: Type, groups: Vec<Group>) {
        if groups.is_empty() {
            return;
        }
        self.row_kernel(RowKernel::Component(kernel, ty), groups);
    }

    fn row_kernel(&mut self, kernel: RowKernel, groups: Vec<Group>) {
        self.micros.push(Micro::Rows { kernel, groups });
    }

    fn unary(&mut self, kernel: Kernel, pairs: &[(u16, u16)]) {
        let groups = pairs
            .iter()
            .filter(|(dst, src)| kernel != Kernel::Bits || dst != src)
            .map(|&(dst, src)| group(dst, &[src]))
            .collect();
        self.rows(kernel, Type::F32, groups);
    }

    fn instruction(&mut self, instruction: &Instruction, result: u8, cc: u8) {
        match &instruction.control {
            Some(Control::Kill(test)) => {
                let rows = self.cc_rows(test, 0xF);
                self.micros.push(Micro::Kill { condition: test.condition, rows });
            }
            Some(Control::KillNegative) => {
                self.needed = 0xF;
                let rows = (0..4).map(|c| self.operand(instruction, 0, c)).collect();
                self.micros.push(Micro::KillNegative(rows));
            }
            _ => {}
        }
        // What steers is an exit's affair, see `exit_rows`.
        let Some(dest) = instruction.dest.as_ref().filter(|_| instruction.control.is_none()) else { return };
        let needed = result | cc;
        if needed == 0 {
            return;
        }
        let (targets, stored) = self.targets(dest, result);
        self.needed = needed;
        let everywhere = dest.test.is_none() && self.stores == Stores::Plain;
        let direct = stored && everywhere && cc & !result == 0;
        let values = self.compute(instruction, needed, if direct { Some(targets) } else { None });
        self.finish_values(instruction, dest, needed, &values);
        let cc = instruction.update_cc.map(|register| (register, cc));
        self.store(dest, &values, targets, result, cc);
    }

    /// The rows that the exit of `block` reads or writes.
    fn exit_rows(&self, block: &Block) -> ExitRows {
        let tested = block.exit.test().map_or(Vec::new(), |test| self.cc_rows(&test, 0xF));
        let x_of = |id: TempId| self.layout.temporaries[usize::from(id.0)];
        let mut rows = ExitRows { tested, ..ExitRows::default() };
        let Some(last) = block.instructions().next_back() else { return rows };
        let instruction = &self.program.instructions[last];
        match instruction.control {
            Some(Control::Loop { index, .. }) => {
                rows.index = index.map(x_of);
                // A verified program has a parameter there.
                if let Some(operand) = instruction.operands.first()
                    && let Source::Param(id) = operand.source
                {
                    rows.operand = std::array::from_fn(|c| {
                        self.uniforms[&Uniform {
                            parameter: id.0,
                            component: operand.swizzle.0[c],
                            modifier: Modifier::of(operand, c),
                            conversion: Conversion::None,
                        }]
                    });
                }
            }
            Some(Control::EndLoop { start }) => {
                let begin = start.checked_sub(1).and_then(|begin| self.program.instructions.get(begin));
                if let Some(Control::Loop { index, .. }) = begin.and_then(|begin| begin.control) {
                    rows.index = index.map(x_of);
                }
            }
            Some(Control::PushAddress) => {
                if let Some(Source::Temp(id)) = instruction.operands.first().map(|operand| operand.source) {
                    rows.operand = std::array::from_fn(|c| x_of(id) + c as u16);
                }
            }
            Some(Control::PopAddress) => {
                if let Some(Target::Temp(id)) = instruction.dest.map(|dest| dest.target) {
                    rows.operand = std::array::from_fn(|c| x_of(id) + c as u16);
                }
            }
            _ => {}
        }
        rows
    }

    /// Rows of the destination, and whether there are any (RC and HC have none).
    fn targets(&self, dest: &Destination, result: u8) -> ([u16; 4], bool) {
        let base = match dest.target {
            Target::Temp(id) => Some(self.layout.temporaries[usize::from(id.0)]),
            Target::Output(id) => Some(self.layout.outputs[usize::from(id.0)]),
            Target::ConditionOnly(_) | Target::Param(_) | Target::IndexedOutput(_) => None,
        };
        (std::array::from_fn(|c| base.unwrap_or(0) + c as u16), base.is_some() && result != 0)
    }

    /// The first row of a condition code.
    fn cc(&self, register: CcRegister) -> u16 {
        self.layout.cc + 4 * register.index() as u16
    }

    fn cc_rows(&self, test: &CcTest, components: u8) -> Vec<u16> {
        let base = self.cc(test.register);
        let mut rows: Vec<u16> = (0..4)
            .filter(|&c| components >> c & 1 != 0)
            .map(|c| base + u16::from(test.swizzle.0[c]))
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Emits the computation; gives the row of each needed component's value. With `targets` the
    /// values may land there at once, as long as no source is overwritten before it is read.
    fn compute(&mut self, instruction: &Instruction, needed: u8, targets: Option<[u16; 4]>) -> [u16; 4] {
        let plan = plan(instruction.op, instruction.rules);
        match plan {
            Plan::Vector(components) => self.compute_vector(instruction, &components, needed, targets),
            Plan::Replicated(component) => {
                let first = needed.trailing_zeros() as usize;
                let row = targets.map_or_else(|| self.scratch(), |t| t[first]);
                let (kernel, src) = self.inputs(instruction, &component);
                self.rows(kernel, instruction.ty, vec![group(row, &src)]);
                [row; 4]
            }
            Plan::DerivativeX | Plan::DerivativeY => {
                let mut values = [0; 4];
                let mut groups = Vec::new();
                for c in components_of(needed) {
                    let src = self.operand(instruction, 0, c);
                    values[c] = self.scratch();
                    groups.push(group(values[c], &[src]));
                }
                let vertical = plan == Plan::DerivativeY;
                self.row_kernel(RowKernel::Derivative { ty: instruction.ty, vertical }, groups);
                values
            }
            Plan::Texture(lookup) => self.compute_texture(instruction, lookup, needed, targets),
            Plan::Control => [0; 4],
        }
    }

    fn compute_vector(
        &mut self,
        instruction: &Instruction,
        components: &[Component; 4],
        needed: u8,
        targets: Option<[u16; 4]>,
    ) -> [u16; 4] {
        let mut pending: Vec<(usize, Kernel, Vec<u16>)> = components_of(needed)
            .map(|c| {
                let (kernel, src) = self.inputs(instruction, &components[c]);
                (c, kernel, src)
            })
            .collect();
        let mut values = [0; 4];
        let order = targets.and_then(|targets| safe_order(&pending, &targets));
        match (targets, order) {
            (Some(targets), Some(order)) => {
                values = targets;
                pending = order;
            }
            _ => {
                for (c, ..) in &pending {
                    values[*c] = self.scratch();
                }
            }
        }
        let mut run: Option<(Kernel, Vec<Group>)> = None;
        for (c, kernel, src) in pending {
            match &mut run {
                Some((current, groups)) if *current == kernel => groups.push(group(values[c], &src)),
                _ => {
                    if let Some((kernel, groups)) = run.take() {
                        self.rows(kernel, instruction.ty, groups);
                    }
                    run = Some((kernel, vec![group(values[c], &src)]));
                }
            }
        }
        if let Some((kernel, groups)) = run {
            self.rows(kernel, instruction.ty, groups);
        }
        values
    }

    fn compute_texture(
        &mut self,
        instruction: &Instruction,
        lookup: Lookup,
        needed: u8,
        targets: Option<[u16; 4]>,
    ) -> [u16; 4] {
        let Some(texture) = instruction.texture else { return [0; 4] };
        let used = texture.target.coordinates();
        let zero = self.constant(0.0);
        let vector = |lowering: &mut Self, operand: usize| -> [u16; 3] {
            let row = |c| if used >> c & 1 != 0 { lowering.operand(instruction, operand, c) } else { zero };
            std::array::from_fn(row)
        };
        let mut coordinates = vector(self, 0);
        if lookup == Lookup::Projective && texture.target != TextureTarget::Cube {
            let w = self.operand(instruction, 0, 3);
            let mut groups = Vec::new();
            for c in components_of(used) {
                let quotient = self.scratch();
                groups.push(group(quotient, &[coordinates[c], w]));
                coordinates[c] = quotient;
            }
            self.rows(Kernel::Div, Type::F32, groups);
        }
        let detail = match lookup {
            Lookup::Gradient => Detail::Sides([vector(self, 1), vector(self, 2)]),
            Lookup::Level => Detail::Level(self.operand(instruction, 0, 3)),
            _ if self.program.language.stage() == Stage::Fragment => Detail::Quad,
            // Vertices have no neighbours (NV_vertex_program3 2.14.5.45).
            _ => Detail::Level(zero),
        };
        let bias = (lookup == Lookup::Bias).then(|| self.operand(instruction, 0, 3));
        // The lookup reads all its rows before it writes any.
        let values = targets.unwrap_or_else(|| std::array::from_fn(|_| self.scratch()));
        let results = std::array::from_fn(|c| (needed >> c & 1 != 0).then_some(values[c]));
        let incomplete = incomplete_texel(instruction.rules);
        let overlaps = false;
        let sample = Sample { texture, coordinates, detail, bias, incomplete, results, overlaps };
        self.micros.push(Micro::Effect(Effect::Texture(Sample::new(sample))));
        values
    }

    /// A row of `value`; numbered above any scratch row, of which no instruction uses more than 64.
    fn constant(&mut self, value: f32) -> u16 {
        if let Some(&(_, row)) = self.constants.iter().find(|(bits, _)| *bits == value.to_bits()) {
            return row;
        }
        let row = self.first_scratch + 64 + self.constants.len() as u16;
        self.constants.push((value.to_bits(), row));
        row
    }
}

/// The bits of the condition code components that `components` test: those of the second register above the
/// first's.
pub fn cc_bits(test: &CcTest, components: u8) -> u8 {
    let tested = components_of(components).fold(0u8, |mask, c| mask | 1 << test.swizzle.0[c]);
    tested << (4 * test.register.index())
}

fn components_of(mask: u8) -> impl Iterator<Item = usize> + Clone {
    (0..4).filter(move |c| mask >> c & 1 != 0)
}

fn group(dst: u16, src: &[u16]) -> Group {
    let mut group = Group { dst, ..Group::default() };
    group.src[..src.len()].copy_from_slice(src);
    group
}

/// An order in which no component overwrites a row that a later one reads, if there is one.
fn safe_order(
    pending: &[(usize, Kernel, Vec<u16>)],
    targets: &[u16; 4],
) -> Option<Vec<(usize, Kernel, Vec<u16>)>> {
    let mut left = pending.to_vec();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let next = left.iter().position(|(c, ..)| {
            left.iter().all(|(other, _, src)| other == c || !src.contains(&targets[*c]))
        })?;
        order.push(left.remove(next));
    }
    Some(order)
}

/// `value` as an operand has it.
fn uniform_value(value: f32, modifier: Modifier, conversion: Conversion) -> f32 {
    let mut inputs = [0.0; MAX_INPUTS];
    inputs[0] = value;
    inputs[0] = modifier.kernel().eval::<Exact32, f32>(&inputs);
    conversion.kernel().eval::<Exact32, f32>(&inputs)
}

/// Components of operand `index` that the needed result components read, before the swizzle.
pub fn source_components(instruction: &Instruction, index: usize, needed: u8) -> u8 {
    let coordinates = instruction.texture.map_or(0, |t| t.target.coordinates());
    let used = inputs_used(&plan(instruction.op, instruction.rules), index, needed, coordinates);
    let swizzle = instruction.operands[index].swizzle;
    let selectors = components_of(used).map(|c| swizzle.0[c]);
    selectors.filter(|&s| Swizzle::constant(s).is_none()).fold(0, |mask, s| mask | 1 << s)
}
