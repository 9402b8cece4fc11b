//! Counts the resources of a program against their limits: instructions, texture indirections, variables,
//! bindings (ARB_fragment_program 3.11.3.6 and 3.11.6, ARB_vertex_program 2.14.3.7, NV_vertex_program3
//! 2.14.3.7).

use std::collections::{HashMap, HashSet};

use super::bindings::Naming;
use super::check::{Base, ParsedInstruction, ParsedTarget};
use super::names::{Array, Elements};
use super::parameters::Value;
use super::parser::Arb;
use super::units::Units;
use crate::diag::{Code, Diagnostic, codes};
use crate::front::Sink;
use crate::ir::{
    Attribute, Components, ConstantVector, FogMode, IMAGE_UNITS, OutputRole, StateVector, Usage, limits,
};
use crate::isa::{Group, Language, Limits, Stage};
use crate::source::Span;

/// The binding of a parameter that is not a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Env(u16),
    Local(u16),
    State(StateVector),
}

impl Key {
    /// The binding of `value`.
    ///
    /// # Errors
    /// The constant, if `value` is one.
    const fn of(value: Value) -> Result<Self, ConstantVector> {
        match value {
            Value::Constant(constant) => Err(constant),
            Value::Env(number) => Ok(Self::Env(number)),
            Value::Local(number) => Ok(Self::Local(number)),
            Value::State(state) => Ok(Self::State(state)),
        }
    }
}

/// Number of components in the masks of `counts`.
fn components<K>(counts: &HashMap<K, u8>) -> usize {
    counts.values().map(|mask| mask.count_ones() as usize).sum()
}

/// Counts the components in `mask` of `register`. Returns a message when the count exceeds `limit` for the
/// first time.
fn too_many_components<K: std::hash::Hash + Eq>(
    counts: &mut HashMap<K, u8>,
    register: K,
    mask: u8,
    (what, limit): (&str, usize),
) -> Option<String> {
    let before = counts.get(&register).copied().unwrap_or(0);
    if mask & !before == 0 {
        return None;
    }
    let already = components(counts);
    counts.insert(register, before | mask);
    let now = components(counts);
    (already <= limit && now > limit)
        .then(|| format!("too many {what} components: this makes {now}, and the limit is {limit}"))
}

/// The kind of a vector that is in two arrays, both indexed at run time.
#[derive(Clone, Copy, Debug)]
enum Twice {
    Parameter,
    Attribute,
    Result,
}

/// The current texture indirection: a sequence of instructions in which no lookup depends on another.
#[derive(Clone, Debug, Default)]
struct Node {
    /// Temporaries that its instructions write.
    written: HashSet<u16>,
    /// Temporaries that its ALU instructions read or write.
    computed: HashSet<u16>,
}

/// The resources that the program uses so far.
#[derive(Debug)]
pub(super) struct Counts {
    language: Language,
    stage: Stage,
    limits: Limits,
    pub instructions: usize,
    alu: usize,
    tex: usize,
    indirections: usize,
    node: Node,
    temporaries: usize,
    addresses: usize,
    attributes: HashSet<Attribute>,
    /// First binding of each vertex attribute, by number and whether the name is generic.
    namings: HashMap<(u8, bool), Span>,
    states: HashSet<Key>,
    /// Ranges that have been bound, by first vector and length, so that each is counted only once.
    ranges: HashSet<(Key, u16)>,
    /// Constants, with their number of occurrences in arrays that address registers index.
    constants: HashMap<Components, usize>,
    /// Number of constants. Each counts once, or as often as it occurs in such arrays.
    constant_count: usize,
    /// Whether the excess of parameters has been reported.
    parameters_exceeded: bool,
    units: HashSet<u8>,
    /// State vectors in arrays that address registers index.
    relative_states: HashSet<Key>,
    /// Attributes in arrays that are indexed at run time, with the place of the array's declaration.
    indexed_attributes: HashMap<Attribute, usize>,
    /// Results in arrays that are indexed at run time, with the place of the array's declaration.
    indexed_results: HashMap<OutputRole, usize>,
    /// Whether a vector in two such arrays has been reported.
    twice_reported: bool,
    /// Mask of the components of each attribute that instructions read, in languages that limit them.
    read: HashMap<Attribute, u8>,
    /// Mask of the components of each result that instructions write, in languages that limit them.
    written: HashMap<OutputRole, u8>,
}

impl Counts {
    pub fn new(language: Language) -> Self {
        Self {
            language,
            stage: language.stage(),
            limits: language.profile().limits,
            instructions: 0,
            alu: 0,
            tex: 0,
            indirections: 1,
            node: Node::default(),
            temporaries: 0,
            addresses: 0,
            attributes: HashSet::new(),
            namings: HashMap::new(),
            states: HashSet::new(),
            ranges: HashSet::new(),
            constants: HashMap::new(),
            constant_count: 0,
            parameters_exceeded: false,
            units: HashSet::new(),
            relative_states: HashSet::new(),
            indexed_attributes: HashMap::new(),
            indexed_results: HashMap::new(),
            twice_reported: false,
            read: HashMap::new(),
            written: HashMap::new(),
        }
    }

    /// Reduces the limits by the resources of a fog option (3.11.4.5.1).
    pub fn make_room_for_fog(&mut self, mode: Option<FogMode>) {
        let all = self.language.profile().limits;
        let instructions = match mode {
            Some(FogMode::Exp) => 3,
            Some(FogMode::Exp2) => 4,
            Some(FogMode::Linear) => 2,
            None => return,
        };
        self.limits.instructions = all.instructions - instructions;
        self.limits.alu_instructions = all.alu_instructions - instructions;
        self.limits.temporaries = all.temporaries - 1;
        self.limits.attributes = all.attributes - 1;
        self.limits.parameters = all.parameters - 2;
    }

    /// Reduces the limits by the resources of position invariance (2.14.4.5.1).
    pub fn make_room_for_position(&mut self) {
        let all = self.language.profile().limits;
        self.limits.instructions = all.instructions - limits::INVARIANT_INSTRUCTIONS;
    }

    /// The largest size that an array may be declared with.
    pub fn most_parameters(&self) -> usize {
        Language::ArbFp1.profile().limits.parameters.max(self.limits.parameters)
    }

    /// Whether the program has too many instructions.
    pub fn has_too_many(&self) -> bool {
        self.instructions > self.limits.instructions
            || self.alu > self.limits.alu_instructions
            || self.tex > self.limits.tex_instructions
    }

    fn too_many(&self, code: Code, span: Span, what: &str, limit: usize) -> Diagnostic {
        Diagnostic::new(
            code.of(self.language),
            span,
            format!("too many {what}: a program can have at most {limit}"),
        )
    }

    /// Counts the temporary declared at `span`. Reports the first one over the limit.
    pub fn add_temporary(&mut self, span: Span, sink: &mut Sink) {
        self.temporaries += 1;
        let limit = self.limits.temporaries;
        if self.temporaries == limit + 1 {
            sink.push(self.too_many(codes::ARB_TOO_MANY_TEMPORARIES, span, "temporaries", limit));
        }
    }

    /// Counts the address register declared at `span`. Reports the first one over the limit.
    pub fn add_address(&mut self, span: Span, sink: &mut Sink) {
        self.addresses += 1;
        let limit = self.limits.addresses;
        if self.addresses == limit + 1 {
            sink.push(self.too_many(codes::ARB_TOO_MANY_ADDRESSES, span, "address registers", limit));
        }
    }

    /// Counts the binding of `attribute` at `span`, and checks it against Table X.2.1 of ARB_vertex_program.
    pub fn bind_attribute(&mut self, attribute: Attribute, naming: Naming, span: Span, sink: &mut Sink) {
        if let Attribute::Vertex(number) = attribute {
            let generic = naming == Naming::Generic;
            self.namings.entry((number, generic)).or_insert(span);
            if let Some(other) = self.namings.get(&(number, !generic)) {
                let (clause, table) = match self.language.profile().typed {
                    true => ("NV_vertex_program4 2.X.3.2", "Table X.X"),
                    false => ("ARB_vertex_program 2.14.3.1", "Table X.2.1"),
                };
                sink.push(
                    Diagnostic::new(
                        codes::ARB_ATTRIBUTE_CONFLICT.citing(clause),
                        span,
                        "an attribute cannot be bound under both of its names",
                    )
                    .with_label(*other, "bound here under its other name")
                    .with_note(format!(
                        "A generic attribute can be the same register as a fixed-function one ({table})."
                    )),
                );
                return;
            }
        }
        let counts = !self.language.profile().typed;
        if self.attributes.insert(attribute) && counts && self.attributes.len() == self.limits.attributes + 1
        {
            let limit = self.limits.attributes;
            sink.push(self.too_many(codes::ARB_TOO_MANY_ATTRIBUTES, span, "attributes", limit));
        }
    }

    /// Counts the components in `mask` of an attribute that an instruction reads at `span` (NV_gpu_program4
    /// 2.X.3.2).
    pub fn read_components(&mut self, attribute: Attribute, mask: u8, span: Span, sink: &mut Sink) {
        let limit = 4 * self.limits.attributes;
        if let Some(fault) = too_many_components(&mut self.read, attribute, mask, ("attribute", limit)) {
            let fault = Diagnostic::new(codes::GPU_TOO_MANY_ATTRIBUTE_COMPONENTS, span, fault);
            sink.push(fault);
        }
    }

    /// Counts the components in `mask` of a result that an instruction writes at `span` (NV_gpu_program4
    /// 2.X.3.5).
    pub fn write_components(&mut self, role: OutputRole, mask: u8, span: Span, sink: &mut Sink) {
        let limit = limits::RESULT_COMPONENTS;
        if let Some(fault) = too_many_components(&mut self.written, role, mask, ("result", limit)) {
            let fault = Diagnostic::new(codes::GPU_TOO_MANY_RESULT_COMPONENTS, span, fault);
            sink.push(fault);
        }
    }

    /// Number of result components that instructions write.
    pub fn result_components(&self) -> usize {
        components(&self.written)
    }

    fn parameters(&self) -> usize {
        self.states.len() + self.constant_count
    }

    /// Whether the `count` vectors from `first` on have not been bound as a range before.
    pub fn is_new_range(&mut self, first: Value, count: u16) -> bool {
        count < 2 || Key::of(first).map_or(true, |key| self.ranges.insert((key, count)))
    }

    /// Counts the binding of a parameter to `value` at `span`.
    pub fn bind_parameter(&mut self, value: Value, span: Span, sink: &mut Sink) {
        match Key::of(value) {
            Ok(key) => {
                self.states.insert(key);
            }
            Err(constant) => {
                self.constants.entry(constant.with_one_zero()).or_insert_with(|| {
                    self.constant_count += 1;
                    0
                });
            }
        }
        self.check_parameters(span, sink);
    }

    /// Reports the first parameter over the limit, which is bound or indexed at `span`.
    fn check_parameters(&mut self, span: Span, sink: &mut Sink) {
        let limit = self.limits.parameters;
        if self.parameters() <= limit || std::mem::replace(&mut self.parameters_exceeded, true) {
            return;
        }
        let mut fault = self.too_many(codes::ARB_TOO_MANY_PARAMETERS, span, "parameters", limit);
        if self.stage != Stage::Fragment {
            fault = fault
                .with_note("Every constant of an array that is indexed with an address register counts.");
        }
        sink.push(fault);
    }

    /// Counts every constant of `array`, which the register at `span` indexes.
    pub fn make_relative(&mut self, array: &Array<'_>, span: Span, sink: &mut Sink) {
        for value in array.elements() {
            match Key::of(value) {
                Ok(key) => {
                    if !self.relative_states.insert(key) {
                        self.report_twice(Twice::Parameter, span, sink);
                    }
                }
                Err(constant) => {
                    let times = self.constants.entry(constant.with_one_zero()).or_insert(0);
                    *times += 1;
                    self.constant_count += usize::from(*times > 1);
                }
            }
        }
        self.check_parameters(span, sink);
    }

    /// Notes that the register at `span` indexes `array` (NV_gpu_program4 2.X.3.2).
    pub fn index_attributes(&mut self, array: Elements<Attribute>, span: Span, sink: &mut Sink) {
        let Elements { first, count, at, .. } = array;
        for attribute in (0..u8::try_from(count).unwrap_or(u8::MAX)).filter_map(|steps| first.after(steps)) {
            // LONG and other variables of an attribute read the same register.
            if *self.indexed_attributes.entry(attribute.register()).or_insert(at) != at {
                self.report_twice(Twice::Attribute, span, sink);
            }
        }
    }

    /// Notes that the register at `span` indexes `array` (NV_gpu_program4 2.X.3.5).
    pub fn index_results(&mut self, array: Elements<OutputRole>, span: Span, sink: &mut Sink) {
        let Elements { first, count, at, .. } = array;
        for role in (0..u8::try_from(count).unwrap_or(u8::MAX)).filter_map(|steps| first.after(steps)) {
            if *self.indexed_results.entry(role).or_insert(at) != at {
                self.report_twice(Twice::Result, span, sink);
            }
        }
    }

    /// Reports the first array, indexed by the register at `span`, that shares a vector with another such
    /// array.
    fn report_twice(&mut self, what: Twice, span: Span, sink: &mut Sink) {
        if std::mem::replace(&mut self.twice_reported, true) {
            return;
        }
        let typed = self.language.profile().typed;
        let (clause, what) = match what {
            Twice::Parameter if !typed => ("ARB_vertex_program 2.14.3.2", "a vector"),
            Twice::Parameter => ("NV_gpu_program4 2.X.3.3", "a parameter"),
            Twice::Attribute => ("NV_gpu_program4 2.X.3.2", "an attribute"),
            Twice::Result => ("NV_gpu_program4 2.X.3.5", "a result"),
        };
        let how = if typed { "are indexed at run time" } else { "are indexed with address registers" };
        let message = format!("this binds {what} a second time in arrays that {how}");
        sink.push(Diagnostic::new(codes::ARB_BOUND_TWICE.citing(clause), span, message).with_note(
            "Each of the arrays would need its own copy. Elements with constant indices need none.",
        ));
    }

    /// Counts an instruction. Reports the first one over the limit of its kind.
    fn add_instruction(&mut self, parsed: &ParsedInstruction<'_>, sink: &mut Sink) {
        let before = self.has_too_many();
        self.instructions += 1;
        match parsed.info.group {
            Group::Texture | Group::Kill => self.tex += 1,
            Group::Flow => {}
            _ => self.alu += 1,
        }
        if self.has_too_many() && !before {
            let (kind, limit) = if self.instructions > self.limits.instructions {
                ("instructions", self.limits.instructions)
            } else if self.alu > self.limits.alu_instructions {
                ("ALU instructions", self.limits.alu_instructions)
            } else {
                ("texture instructions", self.limits.tex_instructions)
            };
            sink.push(self.too_many(codes::ARB_TOO_MANY_INSTRUCTIONS, parsed.mnemonic_span, kind, limit));
        }
    }

    /// Counts texture indirections.
    fn add_to_node(&mut self, parsed: &ParsedInstruction<'_>) {
        let read = || {
            parsed.operands.iter().filter_map(|operand| match operand.base {
                Base::Temp(number) => Some(number),
                _ => None,
            })
        };
        let written = parsed.dest.and_then(|dest| match dest.target {
            ParsedTarget::Temp(number) => Some(number),
            _ => None,
        });
        match parsed.info.group {
            Group::Texture | Group::Kill => {
                let depends = read().any(|number| self.node.written.contains(&number));
                if depends || written.is_some_and(|number| self.node.computed.contains(&number)) {
                    self.indirections += 1;
                    self.node = Node::default();
                }
            }
            Group::Flow => {}
            _ => self.node.computed.extend(read().chain(written)),
        }
        self.node.written.extend(written);
    }

    /// The use of each resource and its limit, for display and queries.
    pub fn usage(&self) -> Vec<Usage> {
        let limits = &self.limits;
        let instructions = Usage {
            what: "instructions",
            about: "Instructions. Declarations and labels do not count",
            used: self.instructions,
            limit: limits.instructions,
        };
        let mut shared = vec![
            Usage {
                what: "temporaries",
                about: "Declared temporaries",
                used: self.temporaries,
                limit: limits.temporaries,
            },
            Usage {
                what: "parameter bindings",
                about: "Distinct state vectors and constants that are bound, whether or not they are read",
                used: self.parameters(),
                limit: limits.parameters,
            },
        ];
        if self.language.profile().typed {
            shared.push(Usage {
                what: "attribute components",
                about: "Attribute components that instructions read",
                used: components(&self.read),
                limit: 4 * limits.attributes,
            });
            shared.push(Usage {
                what: "result components",
                about: "Result components that instructions write",
                used: components(&self.written),
                limit: limits::RESULT_COMPONENTS,
            });
        } else {
            shared.push(Usage {
                what: "attributes",
                about: "Distinct attributes that are bound, whether or not they are read",
                used: self.attributes.len(),
                limit: limits.attributes,
            });
            if self.stage == Stage::Vertex {
                shared.push(Usage {
                    what: "address registers",
                    about: "Declared address registers",
                    used: self.addresses,
                    limit: limits.addresses,
                });
            }
        }
        let mut usage = vec![instructions];
        if self.stage != Stage::Fragment {
            usage.extend(shared);
            return usage;
        }
        usage.extend([
            Usage {
                what: "ALU instructions",
                about: "Arithmetic instructions",
                used: self.alu,
                limit: limits.alu_instructions,
            },
            Usage {
                what: "texture instructions",
                about: "Texture lookups and KIL",
                used: self.tex,
                limit: limits.tex_instructions,
            },
            Usage {
                what: "texture indirections",
                about: "Groups of texture lookups that depend on results of the group before",
                used: self.indirections,
                limit: limits.tex_indirections,
            },
        ]);
        usage.extend(shared);
        usage
    }
}

impl<'t> Arb<'t> {
    /// Counts `parsed` and the resources that it uses.
    pub(super) fn count_instruction(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        self.counts.add_instruction(parsed, sink);
        self.counts.add_to_node(parsed);
        if self.is_typed() {
            self.count_components(parsed, sink);
        }
        let Some(texture) = parsed.extra.texture else { return };
        // NV_gpu_program4 has no separate limit for vertex programs.
        let limit = if self.is_typed() { IMAGE_UNITS } else { limits::VERTEX_IMAGE_UNITS };
        let before = self.counts.units.len();
        self.counts.units.extend(texture.units.into_iter().flat_map(Units::all));
        if before <= limit && self.is_vertex() && self.counts.units.len() > limit {
            sink.push(
                Diagnostic::new(
                    codes::ARB_TOO_MANY_TEXTURES,
                    texture.unit_span,
                    format!("a vertex program can use at most {limit} texture image units"),
                )
                .with_note("The units can have any numbers. Several lookups with one unit count once."),
            );
        }
    }
}
