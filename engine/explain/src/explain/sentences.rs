//! Describes an instruction in sentences: registers, modifiers, textures, flow and memory.

use super::Explained;
use shadestep_ide::help;
use shadestep_ide::meaning::describe;
use shadestep_ide::words::joined;
use shadestep_language::front::arb::symbols::Meaning;
use shadestep_language::ir::{
    CcTest, Condition, Control, Destination, Element, Index, Indirect, Kill, Kind, LETTERS, Memory,
    OutputRole, ParameterSource, Source, Swizzle, Target, TexelOffset, Type, VertexResult, letters,
    source_text, target_text, test_text, texture_text,
};
use shadestep_language::isa::{DataType, Modifier, Saturation, formula};

/// A type in a few words.
const fn type_words(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "32-bit floats (fp32)",
        Type::F16 => "16-bit floats (fp16)",
        Type::Fx12 => "fixed-point numbers (fx12) from -2 to just below 2 in steps of 1/1024",
        Type::Address => "whole numbers",
        Type::S32 => "32-bit signed integers",
        Type::U32 => "32-bit unsigned integers",
        Type::S24 => "24-bit signed integers",
        Type::U24 => "24-bit unsigned integers",
        Type::F64 => "64-bit floats (fp64)",
        Type::S64 => "64-bit signed integers",
        Type::U64 => "64-bit unsigned integers",
    }
}

/// Whether `condition` tests a flag rather than comparing with zero.
const fn reads_flag(condition: Condition) -> bool {
    use Condition::{Cf, Ncf, Nof, Nsf, Of, Sf};
    matches!(condition, Cf | Ncf | Of | Nof | Sf | Nsf)
}

/// `words` with a capital letter and a full stop.
pub(super) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let text: String = first.chain(letters).collect();
    if text.ends_with('.') { text } else { format!("{text}.") }
}

/// The first sentence of `prose`.
fn first_sentence(prose: &str) -> String {
    let end = prose.find(". ").map_or(prose.len(), |at| at + 1);
    prose[..end].replace('`', "")
}

/// The components of `mask`, in words.
fn components(mask: u8) -> String {
    let each: Vec<String> = letters(mask).chars().map(String::from).collect();
    joined(&each.iter().map(String::as_str).collect::<Vec<_>>())
}

impl Explained<'_> {
    pub(super) fn sentences(&self) -> Vec<String> {
        let language = self.program.language;
        let mut found = vec![first_sentence(self.info.prose_in(language))];
        let formula = self.info.formula_in(language);
        found.extend(formula::explanations(formula).map(|words| format!("In the formula, {words}.")));
        self.type_sentence(&mut found);
        if let Some(dest) = self.instruction.dest() {
            self.destination(dest, &mut found);
        }
        self.of_kind(&mut found);
        for index in 0..self.instruction.operands.len() {
            found.extend(self.operand_sentence(index));
        }
        found
    }

    /// The type of the computation, if the language offers several.
    fn type_sentence(&self, found: &mut Vec<String>) {
        let profile = self.program.language.profile();
        let forms = self.info.forms(self.program.language);
        let chooses = forms.is_some_and(|forms| forms.has_precisions() || forms.typing.is_some());
        if let Kind::Convert(_, conversion) = self.instruction.kind {
            let [from, to] = [conversion.from, conversion.to].map(|format| DataType::Sized(format).title());
            let rounding = Modifier::Rounding(conversion.rounding).title();
            found.push(format!("Converts {from} to {to} and {rounding}."));
        } else if chooses && self.instruction.storage().is_none() && self.instruction.texture().is_none() {
            let ty = self.instruction.named_type();
            if ty != Type::F32 || !profile.typed {
                found.push(format!("Computes with {}.", type_words(ty)));
            }
        }
    }

    /// The destination, its masks and tests, and the conversions before the write.
    fn destination(&self, dest: &Destination, found: &mut Vec<String>) {
        let program = self.program;
        let name = target_text(program, dest.target);
        let what = match dest.target {
            Target::Temp(id) => {
                let ty = program.temporaries[usize::from(id.0)].ty;
                let meaning = if ty == Type::Address { Meaning::Address } else { Meaning::Temporary(ty) };
                describe(program.language, &meaning).0
            }
            Target::Output(id) => {
                let role = program.outputs[usize::from(id.0)].role;
                describe(program.language, &Meaning::Result(role, None)).0
            }
            Target::Indirect(Indirect { first: Element::Output(_), index, .. }) => {
                let of_vertex = OutputRole::Vertex(VertexResult::Tex(0));
                let what = describe(program.language, &Meaning::Result(of_vertex, None)).0;
                format!("{what}, selected by {}", self.index(index))
            }
            Target::Indirect(Indirect { index, .. }) => {
                format!("the element selected by {}", self.index(index))
            }
            Target::Param(_) => "a program parameter that later draws read".to_owned(),
            Target::ConditionOnly(_) => {
                found.push(format!("{name} stores nothing; only the condition code can change."));
                String::new()
            }
        };
        if !what.is_empty() {
            let rest = !dest.mask.0 & 0xF;
            found.push(match dest.mask.0 {
                0xF => format!("Writes all of {name} ({what})."),
                0 => format!("Writes nothing of {name} ({what})."),
                mask => {
                    let stay = if rest.count_ones() == 1 { "stays unchanged" } else { "stay unchanged" };
                    format!("Writes {} of {name} ({what}); {} {stay}.", components(mask), components(rest))
                }
            });
        }
        if let Some(test) = dest.test {
            found.push(format!(
                "Writes a component only if the test ({}) holds: {}.",
                test_text(test),
                self.test_words(test, "that component")
            ));
        }
        match self.instruction.saturate() {
            Saturation::None => {}
            saturation => found.push(sentence(Modifier::Saturation(saturation).title())),
        }
        if let Some(register) = self.instruction.update_cc() {
            found.push(format!(
                "Sets the condition code {} from the components written: less than, equal to or greater than zero, or NaN.",
                register.name_in(self.program.language)
            ));
        }
    }

    /// The test of `which` (e.g. `any component`) of the condition code, in words.
    fn test_words(&self, test: CcTest, which: &str) -> String {
        let register = test.register.name_in(self.program.language);
        let code = match test.swizzle {
            Swizzle::IDENTITY => format!("{which} of {register}"),
            Swizzle([x, y, z, w]) if x == y && y == z && z == w => {
                format!("{}.{}", register, LETTERS[usize::from(x) % 4])
            }
            Swizzle(picked) => {
                let picked: String = picked.iter().map(|&c| LETTERS[usize::from(c) % 4]).collect();
                format!("{which} of {register}.{picked}")
            }
        };
        match test.condition {
            Condition::Tr | Condition::Fl => help::condition_words(test.condition).to_owned(),
            condition => {
                let verb = if reads_flag(condition) { "has" } else { "is" };
                format!("{code} {verb} {}", help::condition_words(condition))
            }
        }
    }

    fn index(&self, index: Index) -> String {
        match index.register {
            None => index.offset.to_string(),
            Some((id, component)) => {
                let name = &self.program.temporaries[usize::from(id.0)].name;
                let offset = if index.offset == 0 { String::new() } else { format!(" {:+}", index.offset) };
                format!("{name}.{}{offset}", LETTERS[usize::from(component) % 4])
            }
        }
    }

    /// Facts that only one kind of instruction has.
    fn of_kind(&self, found: &mut Vec<String>) {
        match &self.instruction.kind {
            Kind::Alu(_) | Kind::Convert(..) | Kind::Emit(_) | Kind::Barrier => {}
            Kind::Texture(_, access) => {
                let unit = texture_text(self.program, *access, || self.offset_text());
                let target = help::target(access.target.name()).map_or_else(String::new, |(_, body)| body);
                found.push(format!("The texture is {unit}. {target}"));
                if access.known().is_none() {
                    found.push(format!(
                        "{} selects one of {} units.",
                        self.index(access.index),
                        access.count
                    ));
                }
                match access.offset {
                    TexelOffset::NONE => {}
                    TexelOffset::Constant(_) | TexelOffset::Operand => {
                        found.push("The offset, in texels, is added to the coordinates.".to_owned());
                    }
                }
            }
            Kind::Kill(Kill::Test(test)) => found.push(self.tested(*test)),
            Kind::Kill(Kill::Negative) => {}
            Kind::Flow(control) => self.control(control, found),
            Kind::Memory(memory) => self.memory(memory, found),
        }
    }

    fn tested(&self, test: CcTest) -> String {
        format!("The test is ({}): {}.", test_text(test), self.test_words(test, "any component"))
    }

    fn control(&self, control: &Control, found: &mut Vec<String>) {
        if let Some(test) = control.test() {
            found.push(self.tested(test));
        }
        let label = |to: usize| {
            let label = self.program.labels.iter().find(|label| label.at == to);
            label.map_or_else(|| self.place(to), |label| format!("{}, {}", label.name, self.place(to)))
        };
        found.push(match *control {
            Control::Branch { to, .. } => format!("The label is {}.", label(to)),
            Control::Call { to, .. } => format!("The subroutine is {}.", label(to)),
            Control::CallIndirect { variable, .. } => {
                let variable = &self.program.subroutines.variables[variable];
                let ty = &self.program.subroutines.types[variable.ty];
                let names = ty.members.iter().filter_map(|&member| {
                    let subroutine = self.program.subroutines.list.get(member)?;
                    Some(self.program.labels.get(subroutine.label)?.name.as_str())
                });
                format!("{} selects one of {}.", variable.name, joined(&names.collect::<Vec<_>>()))
            }
            Control::If { otherwise, .. } => {
                format!("If the test fails, execution continues at {}.", self.place(otherwise))
            }
            Control::Else { end } => format!("The block ends at {}.", self.place(end)),
            Control::Loop { end, .. } => {
                format!("After the loop, execution continues at {}.", self.place(end))
            }
            Control::EndLoop { start } => format!("The block begins at {}.", self.place(start)),
            Control::Break { to, .. } => format!("Execution then continues at {}.", self.place(to)),
            Control::Continue { to, .. } => format!("The iteration ends at {}.", self.place(to)),
            Control::ReturnIfCalled
            | Control::Return { .. }
            | Control::EndIf
            | Control::PushAddress
            | Control::PopAddress(_) => return,
        });
    }

    fn memory(&self, memory: &Memory, found: &mut Vec<String>) {
        let storage = memory.storage;
        let format = DataType::Sized(storage.format()).title();
        let count = storage.count();
        let many = if count == 1 { "one value".to_owned() } else { format!("{count} values") };
        let alignment = match memory.image {
            Some(_) => "",
            None => " The address must be a multiple of that.",
        };
        found.push(format!("Accesses {many} ({format}), {} bytes in total.{alignment}", storage.size()));
        if let Some(image) = &memory.image {
            let unit = match image.index.register {
                None => format!("image unit {}", image.unit(image.index.offset).unwrap_or(image.first)),
                Some(_) => format!("the image unit selected by {}", self.index(image.index)),
            };
            let format = if image.formatted { "; the values are converted to the unit's format" } else { "" };
            found.push(format!("The image is bound to {unit}, target {}{format}.", image.target.name()));
        }
        if let shadestep_language::ir::Access::Atomic(_, atomic) = memory.access {
            found.push(format!("{} {}.", atomic.name(), atomic.title()));
        }
        let caching = [
            memory.caching.coherent.then_some(Modifier::Coherent),
            memory.caching.volatile.then_some(Modifier::Volatile),
        ];
        found.extend(caching.into_iter().flatten().map(|m| sentence(m.title())));
    }

    /// The meaning of an operand, if its name and the formula do not show all.
    fn operand_sentence(&self, index: usize) -> Option<String> {
        let language = self.program.language;
        let operand = &self.instruction.operands[index];
        let [first, rest @ ..] = operand.swizzle.0;
        let scalar = rest.iter().all(|other| *other == first).then(|| self.constant_component(index, first));
        let name = scalar.flatten().unwrap_or_else(|| source_text(self.program, operand.source));
        let what = match operand.source {
            Source::Temp(_) => None,
            Source::Attribute(attribute) => Some(describe(language, &Meaning::Attribute(attribute)).0),
            Source::Param(id) => {
                let parameter = &self.program.parameters[usize::from(id.0)];
                match (&parameter.source, &parameter.name) {
                    (ParameterSource::Constant(_), None) => None,
                    (ParameterSource::Constant(constant), Some(_)) => {
                        Some(format!("the constant ({})", constant.decimals()))
                    }
                    (source, _) => {
                        let what = describe(language, &Meaning::Parameter(source.clone())).0;
                        let bound = source.name_in(language).filter(|bound| *bound != name);
                        Some(bound.map_or_else(|| what.clone(), |bound| format!("{bound}, {what}")))
                    }
                }
            }
            Source::Indirect(indirect) => {
                let vertex = indirect.vertex.map(|vertex| format!("vertex {}, ", self.index(vertex.index)));
                Some(format!(
                    "{}element {} of {}; an index outside the array reads (0,0,0,0)",
                    vertex.unwrap_or_default(),
                    self.index(indirect.index),
                    indirect.count
                ))
            }
            Source::Buffer(buffer) => {
                let variable = self.program.buffer(&buffer).clone();
                Some(describe(language, &Meaning::Buffer(variable)).0)
            }
        };
        let mut changes = Vec::new();
        let picked = operand.swizzle.0;
        if operand.swizzle != Swizzle::IDENTITY && picked.iter().any(|c| *c != picked[0]) {
            let letter = |c: u8| match c {
                Swizzle::ZERO => '0',
                Swizzle::ONE => '1',
                c => LETTERS[usize::from(c) % 4],
            };
            let shown: Vec<String> = picked.iter().map(|&c| letter(c).to_string()).collect();
            changes.push(format!("with the swizzle ({})", shown.join(", ")));
        }
        match operand.negate.0 {
            0 => {}
            0xF => changes.push("negated".to_owned()),
            some => changes.push(format!("with {} negated", components(some))),
        }
        if operand.absolute {
            changes.push("as an absolute value".to_owned());
        }
        if operand.negate_absolute {
            changes.push("then negated".to_owned());
        }
        match (what, changes.is_empty()) {
            (None, true) => None,
            (None, false) => Some(format!("{name} is read {}.", changes.join(", "))),
            (Some(what), true) => Some(format!("{name}: {what}.")),
            (Some(what), false) => Some(format!("{name}: {what}, read {}.", changes.join(", "))),
        }
    }
}
