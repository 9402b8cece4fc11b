//! From the IR to row operations: every operand component becomes a row index, every result component
//! a kernel over rows; what no output depends on is left out.

use std::collections::HashMap;

use super::flow::{Block, Graph};
use super::kernels::{Group, Level, Mode, RowFn};
use super::live::Liveness;
use crate::exec::ops::Kernel;
use crate::exec::plan::{Component, Lookup, Plan, inputs_used, plan};
use crate::exec::scalar::reads_raw_bits;
use crate::ir::{
    Attribute, CcTest, Condition, Control, Destination, Indexed, Instruction, Operand, Program, Saturation,
    Source, Target, TextureRef, TextureTarget, Type,
};

/// How registers map to rows: each entry is the first of four rows.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Attribute registers the program reads.
    pub attributes: Vec<(Attribute, u16)>,
    /// Temporaries, in the program's order.
    pub temporaries: Vec<u16>,
    /// Outputs, in the program's order.
    pub outputs: Vec<u16>,
    /// Condition code.
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

/// One dispatch of the wide executor.
#[derive(Clone, Debug)]
pub enum Micro {
    /// Component arithmetic: the function without flushes and the one in full.
    Rows {
        /// By [`Mode`].
        functions: [RowFn; 2],
        /// Components.
        groups: Vec<Group>,
    },
    /// Discards the lanes in which any of the rows passes.
    Kill {
        /// The test.
        condition: Condition,
        /// Condition code rows.
        rows: Vec<u16>,
    },
    /// Texture lookup.
    Texture(Sample),
    /// Relative parameter read.
    Gather(Gather),
}

/// A relative parameter read over rows. Values are the parameters' own; signs are the reader's affair.
#[derive(Clone, Debug)]
pub struct Gather {
    /// Row of the address component.
    pub address: u16,
    /// Added to it.
    pub offset: i16,
    /// First parameter of the array.
    pub first: u16,
    /// Number of parameters in the array.
    pub count: u16,
    /// Components read and their rows.
    pub results: Vec<(u8, u16)>,
}

/// A texture lookup over rows.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Unit and target.
    pub texture: TextureRef,
    /// Rows of s, t, r.
    pub coordinates: [u16; 3],
    /// Rows of the derivatives along x and y, for TXD.
    pub gradients: Option<[[u16; 3]; 2]>,
    /// Row that receives each texel component, if needed.
    pub results: [Option<u16>; 4],
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
    /// For each block, the condition code rows that its exit tests.
    pub tests: Vec<Vec<u16>>,
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
    /// Rows to fill before a block, each with one value.
    pub initial: Vec<(u16, f32)>,
    /// Components of each attribute read.
    pub attributes_used: [u8; Attribute::SLOTS],
    /// Whether blocks may run without flushes first.
    pub guardable: bool,
}

/// Lowers `program` for `level`, leaving out what `live` says nothing depends on.
pub fn lower(program: &Program, live: &Liveness, level: &Level) -> Code {
    let mut lowering = Lowering::new(program, level);
    let plain = lowering.micros(live, Stores::Plain);
    let flow = program.has_flow().then(|| {
        let graph = Graph::of(program);
        let rows = |block: &Block| block.exit.test().map_or(Vec::new(), |test| lowering.cc_rows(&test, 0xF));
        let tests = graph.blocks.iter().map(rows).collect();
        FlowCode { tests, graph, masked: lowering.micros(live, Stores::Masked) }
    });
    lowering.finish(live, plain, flow)
}

/// Which lanes an operation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stores {
    /// All.
    Plain,
    /// Those in the mask row.
    Masked,
}

struct Lowering<'a> {
    program: &'a Program,
    level: &'a Level,
    layout: Layout,
    uniforms: HashMap<Uniform, u16>,
    /// Operand rows already prepared for the instruction at hand.
    operands: HashMap<(u16, Modifier, Conversion), u16>,
    /// Rows that relative references of the instruction at hand were read to, by component.
    gathered: HashMap<(Indexed, u8), u16>,
    /// Result components that are needed of the instruction at hand.
    needed: u8,
    stores: Stores,
    micros: Vec<Micro>,
    attributes_used: [u8; Attribute::SLOTS],
    zero_row: Option<u16>,
    first_scratch: u16,
    next_scratch: u16,
    scratch_end: u16,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program, level: &'a Level) -> Self {
        let mut next = 0u16;
        let mut four = || {
            next += 4;
            next - 4
        };
        let mut layout = Layout { cc: four(), ..Layout::default() };
        // The second register's rows follow the first's.
        four();
        for &attribute in Attribute::of(program.language.stage()) {
            let reads = |i: &Instruction| i.operands.iter().any(|o| o.source == Source::Attribute(attribute));
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
                for (c, component) in operand.swizzle.0.into_iter().enumerate() {
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
            level,
            layout,
            uniforms,
            operands: HashMap::new(),
            gathered: HashMap::new(),
            needed: 0,
            stores: Stores::Plain,
            micros: Vec::new(),
            attributes_used: [0; Attribute::SLOTS],
            zero_row: None,
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
        if let Some(row) = self.zero_row {
            // Past the scratch rows of every instruction.
            initial.push((row, 0.0));
            self.layout.rows = self.layout.rows.max(row + 1);
        }
        // Packed values are bits that look like denorms and NaNs, and UP would show the payload of a
        // NaN that only the full arithmetic makes canonical.
        let packs = |i: &Instruction| i.op.info().group == crate::isa::Group::Pack;
        Code {
            guardable: !self.program.instructions.iter().any(packs),
            plain,
            flow,
            layout: self.layout,
            initial,
            attributes_used: self.attributes_used,
        }
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
        let functions = [Mode::Guarded, Mode::Exact].map(|mode| self.level.kernel(kernel, ty, mode));
        self.micros.push(Micro::Rows { functions, groups });
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
        if let Some(Control::Kill(test)) = &instruction.control {
            let rows = self.cc_rows(test, 0xF);
            self.micros.push(Micro::Kill { condition: test.condition, rows });
            return;
        }
        let Some(dest) = &instruction.dest else { return };
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
        self.store(dest, &values, targets, result, if instruction.update_cc.is_some() { cc } else { 0 });
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

    fn cc_rows(&self, test: &CcTest, components: u8) -> Vec<u16> {
        let mut rows: Vec<u16> = (0..4)
            .filter(|&c| components >> c & 1 != 0)
            .map(|c| self.layout.cc + u16::from(test.swizzle.0[c]))
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
                let functions = [Mode::Guarded, Mode::Exact]
                    .map(|mode| self.level.derivative(instruction.ty, mode, vertical));
                self.micros.push(Micro::Rows { functions, groups });
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
        let count = texture.target.coordinates().count_ones() as usize;
        let zero = self.zero_row();
        let vector = |lowering: &mut Self, operand: usize| -> [u16; 3] {
            std::array::from_fn(|c| if c < count { lowering.operand(instruction, operand, c) } else { zero })
        };
        let mut coordinates = vector(self, 0);
        if lookup == Lookup::Projective && texture.target != TextureTarget::Cube {
            let w = self.operand(instruction, 0, 3);
            let mut groups = Vec::new();
            for row in &mut coordinates[..count] {
                let quotient = self.scratch();
                groups.push(group(quotient, &[*row, w]));
                *row = quotient;
            }
            self.rows(Kernel::Div, Type::F32, groups);
        }
        let gradients = (lookup == Lookup::Gradient).then(|| [vector(self, 1), vector(self, 2)]);
        // The lookup reads all its rows before it writes any.
        let values = targets.unwrap_or_else(|| std::array::from_fn(|_| self.scratch()));
        let results = std::array::from_fn(|c| (needed >> c & 1 != 0).then_some(values[c]));
        self.micros.push(Micro::Texture(Sample { texture, coordinates, gradients, results }));
        values
    }

    /// A row of zeros; numbered above any scratch row, of which no instruction uses more than 64.
    fn zero_row(&mut self) -> u16 {
        let row = self.first_scratch + 64;
        *self.zero_row.get_or_insert(row)
    }

    /// The kernel of `component` with its operands' signs folded in where that is exact, and its rows.
    fn inputs(&mut self, instruction: &Instruction, component: &Component) -> (Kernel, Vec<u16>) {
        if let Some(folded) = self.fold_signs(instruction, component) {
            return folded;
        }
        let rows = component
            .inputs
            .iter()
            .map(|&(operand, c)| self.operand(instruction, usize::from(operand), usize::from(c)))
            .collect();
        (component.kernel, rows)
    }

    /// Sums and products take a negated register by choosing another kernel. Not in fx12: there
    /// -(-2) is not representable, and negation comes before the conversion.
    fn fold_signs(&mut self, instruction: &Instruction, component: &Component) -> Option<(Kernel, Vec<u16>)> {
        if instruction.ty == Type::Fx12 {
            return None;
        }
        let negated: Vec<bool> = component
            .inputs
            .iter()
            .map(|&(operand, c)| {
                let operand = &instruction.operands[usize::from(operand)];
                !matches!(operand.source, Source::Param(_))
                    && Modifier::of(operand, usize::from(c)) == Modifier::Negate
            })
            .collect();
        if !negated.contains(&true) {
            return None;
        }
        let (kernel, order): (Kernel, &[usize]) = match (component.kernel, negated.as_slice()) {
            (Kernel::Add, [false, true]) => (Kernel::Sub, &[0, 1]),
            (Kernel::Add, [true, false]) => (Kernel::Sub, &[1, 0]),
            (Kernel::Sub, [false, true]) => (Kernel::Add, &[0, 1]),
            (Kernel::Mul, [true, true]) => (Kernel::Mul, &[0, 1]),
            (Kernel::Mul, _) => (Kernel::NegMul, &[0, 1]),
            (Kernel::Mad, [a, b, false]) if a != b => (Kernel::NegMad, &[0, 1, 2]),
            (Kernel::Mad, [a, b, true]) if a != b => (Kernel::NegMulSub, &[0, 1, 2]),
            (Kernel::Mad, [_, _, true]) => (Kernel::MulSub, &[0, 1, 2]),
            (Kernel::Mad, [_, _, false]) => (Kernel::Mad, &[0, 1, 2]),
            _ => return None,
        };
        let rows = order
            .iter()
            .map(|&index| {
                let (operand, c) = component.inputs[index];
                let modifier = if negated[index] {
                    Modifier::None
                } else {
                    Modifier::of(&instruction.operands[usize::from(operand)], usize::from(c))
                };
                self.operand_as(instruction, usize::from(operand), usize::from(c), modifier)
            })
            .collect();
        Some((kernel, rows))
    }

    /// The row that holds component `c` of operand `index`, loaded and converted.
    fn operand(&mut self, instruction: &Instruction, index: usize, c: usize) -> u16 {
        let modifier = Modifier::of(&instruction.operands[index], c);
        self.operand_as(instruction, index, c, modifier)
    }

    fn operand_as(&mut self, instruction: &Instruction, index: usize, c: usize, modifier: Modifier) -> u16 {
        let operand = &instruction.operands[index];
        let component = operand.swizzle.0[c];
        let conversion = if reads_raw_bits(&plan(instruction.op, instruction.rules)) {
            Conversion::None
        } else {
            Conversion::of(self.program.source_type(operand.source), instruction.ty)
        };
        let row = match operand.source {
            Source::Param(id) => {
                return self.uniforms[&Uniform { parameter: id.0, component, modifier, conversion }];
            }
            Source::IndexedAttribute(_) => 0,
            Source::Indexed(indexed) => self.gather(instruction, index, &indexed, component),
            Source::Temp(id) => self.layout.temporaries[usize::from(id.0)] + u16::from(component),
            Source::Attribute(attribute) => {
                self.attributes_used[attribute.index()] |= 1 << component;
                let found = self.layout.attributes.iter().find(|(a, _)| *a == attribute);
                found.map_or(0, |&(_, base)| base) + u16::from(component)
            }
        };
        if modifier == Modifier::None && conversion == Conversion::None {
            return row;
        }
        if let Some(&prepared) = self.operands.get(&(row, modifier, conversion)) {
            return prepared;
        }
        let prepared = self.scratch();
        let mut from = row;
        if modifier != Modifier::None {
            self.unary(modifier.kernel(), &[(prepared, from)]);
            from = prepared;
        }
        if conversion != Conversion::None {
            self.unary(conversion.kernel(), &[(prepared, from)]);
        }
        self.operands.insert((row, modifier, conversion), prepared);
        prepared
    }

    /// The row that component `component` of a relative reference was read to. All that the instruction
    /// needs of operand `index` is read at once.
    fn gather(&mut self, instruction: &Instruction, index: usize, indexed: &Indexed, component: u8) -> u16 {
        if let Some(&row) = self.gathered.get(&(*indexed, component)) {
            return row;
        }
        let wanted = source_components(instruction, index, self.needed) | 1 << component;
        let mut results = Vec::new();
        for c in components_of(wanted) {
            let c = c as u8;
            if !self.gathered.contains_key(&(*indexed, c)) {
                let row = self.scratch();
                self.gathered.insert((*indexed, c), row);
                results.push((c, row));
            }
        }
        let address = self.layout.temporaries[usize::from(indexed.address.0)] + u16::from(indexed.component);
        self.micros.push(Micro::Gather(Gather {
            address,
            offset: indexed.offset,
            first: indexed.first.0,
            count: indexed.count,
            results,
        }));
        self.gathered[&(*indexed, component)]
    }

    /// `_SAT` and the conversion to the destination's type, in place.
    fn finish_values(
        &mut self,
        instruction: &Instruction,
        dest: &Destination,
        needed: u8,
        values: &[u16; 4],
    ) {
        let mut rows: Vec<(u16, u16)> = components_of(needed).map(|c| (values[c], values[c])).collect();
        rows.dedup();
        if instruction.saturate == Saturation::Unsigned {
            self.unary(Kernel::Saturate, &rows);
        }
        if instruction.ty == Type::F32 && self.program.target_type(dest.target) == Type::F16 {
            self.unary(Kernel::ToHalf, &rows);
        }
    }

    /// Moves values to the destination and the condition code, under the test if there is one.
    fn store(&mut self, dest: &Destination, values: &[u16; 4], targets: [u16; 4], result: u8, cc: u8) {
        if self.stores == Stores::Masked {
            self.store_masked(dest, values, targets, result, cc);
            return;
        }
        let base = self.layout.cc;
        let select = match dest.test {
            Some(test) if test.condition == Condition::Fl => return,
            Some(test) => Kernel::select(test.condition).map(|kernel| (kernel, test.swizzle.0)),
            None => None,
        };
        let Some((kernel, swizzle)) = select else {
            let moves: Vec<_> = components_of(result).map(|c| (targets[c], values[c])).collect();
            self.unary(Kernel::Bits, &moves);
            let moves: Vec<_> = components_of(cc).map(|c| (base + c as u16, values[c])).collect();
            self.unary(Kernel::Bits, &moves);
            return;
        };
        let mut tested = swizzle.map(|c| base + u16::from(c));
        let mut groups: Vec<Group> =
            components_of(result).map(|c| group(targets[c], &[tested[c], values[c], targets[c]])).collect();
        if cc != 0 {
            // Every component tests the condition code as it was: keep it until all have.
            let old: Vec<(u16, u16)> = (0..4).map(|c| (self.scratch(), base + c)).collect();
            self.unary(Kernel::Bits, &old);
            tested = swizzle.map(|c| old[usize::from(c)].0);
            groups.extend(components_of(cc).map(|c| {
                let code = base + c as u16;
                group(code, &[tested[c], values[c], code])
            }));
        }
        self.rows(kernel, Type::F32, groups);
    }
}

impl Lowering<'_> {
    /// The same for the lanes in the mask row only.
    fn store_masked(&mut self, dest: &Destination, values: &[u16; 4], targets: [u16; 4], result: u8, cc: u8) {
        let select = match dest.test {
            Some(test) if test.condition == Condition::Fl => return,
            Some(test) => Kernel::select(test.condition).map(|kernel| (kernel, test.swizzle.0)),
            None => None,
        };
        // What goes where, and under which condition code component.
        let base = self.layout.cc;
        let stores = components_of(result).map(|c| (targets[c], c));
        let stores: Vec<(u16, usize)> =
            stores.chain(components_of(cc).map(|c| (base + c as u16, c))).collect();
        let mut merged: Vec<u16> = stores.iter().map(|&(_, c)| values[c]).collect();
        if let Some((kernel, swizzle)) = select {
            let mut groups = Vec::new();
            for (row, &(target, c)) in merged.iter_mut().zip(&stores) {
                let new = self.scratch();
                groups.push(group(new, &[base + u16::from(swizzle[c]), *row, target]));
                *row = new;
            }
            self.rows(kernel, Type::F32, groups);
        }
        let mask = self.layout.mask;
        let groups =
            stores.iter().zip(&merged).map(|(&(target, _), &row)| group(target, &[mask, row, target]));
        let groups = groups.collect();
        self.rows(Kernel::SelectNe, Type::F32, groups);
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

/// Components of operand `index` that the needed result components read, before the swizzle.
pub fn source_components(instruction: &Instruction, index: usize, needed: u8) -> u8 {
    let coordinates = instruction.texture.map_or(0, |t| t.target.coordinates());
    let used = inputs_used(&plan(instruction.op, instruction.rules), index, needed, coordinates);
    let swizzle = instruction.operands[index].swizzle;
    components_of(used).fold(0, |mask, c| mask | 1 << swizzle.0[c])
}
