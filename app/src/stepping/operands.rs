//! Values of the registers that a program's text names: at a byte of the text, and for the operands of the
//! current step.
//!
//! The text may have been edited after the recording. Only instructions with unchanged text have values.

use super::DebugSession;
use super::run_target::place_name;
use crate::format::ValueFormat;
use crate::model::{Document, DocumentId, Part, PerDocument};
use crate::word_at::word_at;
use shadestep_engine::debug::expression::{Component, Expression, Place, Values};
use shadestep_engine::debug::{Here, OperandStep};
use shadestep_engine::ir::{
    Attribute, Condition, Declared, Element, Flags, Index, Indirect, Instruction, Operand, ParameterSource,
    Program, Source, Swizzle, Target, TempId, Type, Value, Variable,
};
use shadestep_engine::isa::{ConditionNames, Language};
use shadestep_engine::source::Span;
use std::collections::BTreeMap;

/// A register or constant named in the text, with its value before the current step.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValue {
    /// The name as written, without sign, bars and components.
    pub name: String,
    /// The register; `None` for an element of a parameter buffer, and outside an array.
    pub place: Option<Place>,
    /// The selected components, 0 = x. Empty if the operand selects all in order.
    pub picked: Vec<u8>,
    pub held: Held,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// Components of a numeric register.
    Numbers([Component; 4]),
    /// Codes of a condition code register, in words.
    Flags([String; 4]),
    /// A relative reference is out of range.
    Outside,
}

/// The key of a register's settings while the app runs: document, program and the register's name there.
pub type RegisterName = (DocumentId, Option<Part>, String);

impl PerDocument for BTreeMap<RegisterName, ValueFormat> {
    fn forget(&mut self, closed: DocumentId) {
        self.retain(|(document, ..), _| *document != closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.keys().map(|(document, ..)| *document).collect()
    }
}

/// A condition code as text, such as `LT`. Languages with flags add them, such as `LT SC` or `GT -`.
pub fn flags_in_words(flags: Flags, language: Language) -> String {
    match language.profile().condition_names {
        ConditionNames::Codes => flags.code().to_owned(),
        ConditionNames::Flags => format!("{} {}", flags.code(), flags.name_in(language)),
    }
}

/// The name of a register as a key of its format.
pub fn register_key(program: &Program, place: Place) -> String {
    place_name(place, program).unwrap_or_else(|| match place {
        Place::Param(id) => format!("constant {}", id.0),
        _ => String::new(),
    })
}

impl DebugSession {
    /// The span of instruction `pc` in the text of `document` and in the text that ran, if both have the same
    /// text there.
    pub fn as_written(&self, document: &Document, pc: usize) -> Option<[Span; 2]> {
        let code = self.code()?;
        let (now, ran) = (self.place_of(pc)?.span, code.program.instructions.get(pc)?.span);
        let same = document.active().text().as_bytes().get(now.start..now.end) == Some(ran.slice(&code.text));
        same.then_some([now, ran])
    }

    /// The value named at byte `offset` of the text of `document`, which must show the program stepped
    /// through.
    pub fn value_at(&self, document: &Document, offset: usize) -> Option<NamedValue> {
        let code = self.code()?;
        let count = code.program.instructions.len();
        let pc = (0..count).find(|&pc| self.place_of(pc).is_some_and(|at| at.span.contains(offset)));
        let Some(pc) = pc else {
            // Outside instructions only the text that ran has known places, so declarations need an unedited
            // text.
            let is_as_it_ran = document.active().text().as_bytes() == &*code.text;
            return is_as_it_ran.then(|| self.declared_at(offset)).flatten();
        };
        let [now, ran] = self.as_written(document, pc)?;
        self.value_in(pc, offset - now.start + ran.start)
    }

    /// The registers that the current step reads, each once with the components read, and the condition code
    /// that it tests. Constants written as numbers are left out. Empty if the instruction's text was edited.
    pub fn values_read(&self, document: &Document) -> Vec<NamedValue> {
        let mut values: Vec<NamedValue> = Vec::new();
        let (Some(step), Some(program)) = (self.current_step(), self.program()) else { return values };
        if self.as_written(document, step.pc).is_none() {
            return values;
        }
        let instruction = &program.instructions[step.pc];
        for (index, (operand, loaded)) in instruction.operands.iter().zip(&step.operands).enumerate() {
            if is_number(operand, program, self.text()) {
                continue;
            }
            let Some(mut value) = self.operand(step.pc, index) else { continue };
            value.picked = components_read(operand, loaded);
            let known =
                values.iter_mut().find(|known| (&known.name, known.place) == (&value.name, value.place));
            match known {
                Some(known) => {
                    known.picked.extend(value.picked);
                    known.picked.sort_unstable();
                    known.picked.dedup();
                }
                None if value.picked.is_empty() => {}
                None => values.push(value),
            }
        }
        let test = instruction.test().or_else(|| instruction.write()?.dest.test);
        let test = test.filter(|test| !matches!(test.condition, Condition::Tr | Condition::Fl));
        values.extend(test.map(|test| {
            let codes =
                step.cc_before[test.register.index()].map(|flags| flags_in_words(flags, program.language));
            let mut picked = test.swizzle.0.to_vec();
            picked.sort_unstable();
            picked.dedup();
            let name = test.register.name_in(program.language).to_owned();
            NamedValue { name, place: Some(Place::Flags(test.register)), picked, held: Held::Flags(codes) }
        }));
        values
    }

    /// The register declared at `offset` of the text that ran.
    fn declared_at(&self, offset: usize) -> Option<NamedValue> {
        let text = std::str::from_utf8(self.text()).ok()?;
        let line = &text[..offset.min(text.len())];
        if line.rsplit('\n').next().is_some_and(|before| before.contains('#')) {
            return None;
        }
        let word = word_at(text, offset);
        let (place, _) = Expression::parse(word, self.program()?).ok()?.register()?;
        self.value_of(word.to_owned(), place)
    }

    /// The value named at byte `at`, inside instruction `pc`, of the text that ran.
    fn value_in(&self, pc: usize, at: usize) -> Option<NamedValue> {
        let (program, text) = (self.program()?, self.text());
        let instruction = program.instructions.get(pc)?;
        let operand = instruction.operands.iter().position(|operand| operand.span.contains(at));
        let target = instruction.dest().filter(|dest| dest.span.contains(at));
        let span = operand.map(|index| instruction.operands[index].span).or(target.map(|dest| dest.span))?;
        if let Some(index) = self.index_at(span, at) {
            return Some(index);
        }
        if let Some(index) = operand {
            return self.operand(pc, index);
        }
        let place = match target?.target {
            Target::Temp(id) => Place::Temp(id),
            Target::Output(id) => Place::Output(id),
            Target::Param(id) => Place::Param(id),
            Target::Indirect(indirect) => {
                let name = written_name(span, Swizzle::IDENTITY, text);
                return self.element_value(name, self.element(indirect));
            }
            Target::ConditionOnly(_) => return None,
        };
        self.value_of(register_key(program, place), place)
    }

    /// The address register in the brackets of the operand at `span`, if `at` is on its name.
    fn index_at(&self, span: Span, at: usize) -> Option<NamedValue> {
        let text = std::str::from_utf8(self.text()).ok()?;
        let before = text.get(span.start..at)?;
        if before.matches('[').count() <= before.matches(']').count() {
            return None;
        }
        let word = word_at(text, at);
        let index = self.program()?.temporaries.iter().position(|temporary| temporary.name == word)?;
        self.value_of(word.to_owned(), Place::Temp(TempId(index as u16)))
    }

    /// Operand `index` of instruction `pc`.
    fn operand(&self, pc: usize, index: usize) -> Option<NamedValue> {
        let program = self.program()?;
        let operand = program.instructions.get(pc)?.operands.get(index)?;
        let name = written_name(operand.span, operand.swizzle, self.text());
        let step = self.current_step().filter(|step| step.pc == pc);
        let loaded = step.and_then(|step| step.operands.get(index));
        let value = match operand.source {
            Source::Temp(id) => self.value_of(name, Place::Temp(id)),
            Source::Attribute(attribute) => self.value_of(name, Place::Attribute(attribute)),
            Source::Param(id) => self.value_of(name, Place::Param(id)),
            Source::Indirect(indirect) => {
                let led = loaded.and_then(|loaded| loaded.relative);
                self.element_value(name, led.map_or_else(|| self.element(indirect), |led| led.element))
            }
            // Only the step that reads memory records its content.
            Source::Buffer(_) => loaded.map(|loaded| {
                let ty = program.source_type(operand.source);
                let held = loaded.register.map(|bits| Component { bits, ty, defined: true });
                NamedValue { name, place: None, picked: Vec::new(), held: Held::Numbers(held) }
            }),
        };
        let picked = match operand.swizzle {
            Swizzle::IDENTITY => Vec::new(),
            Swizzle([x, y, z, w]) if x == y && y == z && z == w => vec![x],
            Swizzle(all) => all.to_vec(),
        };
        let picked = picked.into_iter().filter(|&component| component < 4).collect();
        Some(NamedValue { picked, ..value? })
    }

    fn element_value(&self, name: String, element: Option<Element>) -> Option<NamedValue> {
        let Some(element) = element else {
            return Some(NamedValue { name, place: None, picked: Vec::new(), held: Held::Outside });
        };
        let place = match element {
            Element::Temp(id) => Place::Temp(id),
            Element::Param(id) => Place::Param(id),
            Element::Attribute(attribute) => Place::Attribute(attribute),
            Element::Output(id) => Place::Output(id),
        };
        let found = shown_name(self.program()?, self.text(), place);
        let name = if found == name { name } else { format!("{name} is {found}") };
        self.value_of(name, place)
    }

    fn value_of(&self, name: String, place: Place) -> Option<NamedValue> {
        let here = self.here()?;
        let held = match place {
            Place::Flags(register) => {
                let language = self.program()?.language;
                Held::Flags(std::array::from_fn(|c| flags_in_words(here.flags(register, c), language)))
            }
            _ => Held::Numbers(std::array::from_fn(|c| here.component(place, c))),
        };
        Some(NamedValue { name, place: Some(place), picked: Vec::new(), held })
    }

    /// The element that a relative reference would select before the current step.
    fn element(&self, indirect: Indirect) -> Option<Element> {
        let here = self.here()?;
        let vertex = indirect.vertex.map_or(0, |vertex| number(vertex.index, &here));
        indirect.element(vertex, number(indirect.index, &here))
    }
}

/// The value of an index: register plus offset.
fn number(index: Index, here: &Here<'_>) -> i64 {
    let Some((register, component)) = index.register else { return index.offset };
    let Component { bits, ty, .. } = here.component(Place::Temp(register), component.into());
    let register = match ty.value(bits) {
        // Address registers hold integers as fp32.
        Value::Single(value) if ty == Type::Address => value as i32,
        _ => (bits as u32).cast_signed(),
    };
    i64::from(register).saturating_add(index.offset)
}

/// The components of the register that an operand reads, in order.
fn components_read(operand: &Operand, loaded: &OperandStep) -> Vec<u8> {
    let used = (0..4).filter(|c| loaded.used >> c & 1 != 0).map(|c: usize| operand.swizzle.0[c]);
    let mut read: Vec<u8> = used.filter(|&component| component < 4).collect();
    read.sort_unstable();
    read.dedup();
    read
}

/// Whether an operand is a constant written as a number in the instruction.
fn is_number(operand: &Operand, program: &Program, text: &[u8]) -> bool {
    let Source::Param(id) = operand.source else { return false };
    let is_constant = matches!(program.parameters[usize::from(id.0)].source, ParameterSource::Constant(_));
    let name = written_name(operand.span, operand.swizzle, text);
    is_constant && !name.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$')
}

/// The text at `span` without sign, bars and components.
fn written_name(span: Span, swizzle: Swizzle, text: &[u8]) -> String {
    let written = String::from_utf8_lossy(span.slice(text));
    let vector = written.find('{').zip(written.rfind('}'));
    if let Some(vector) = vector.and_then(|(open, close)| written.get(open..=close)) {
        return on_one_line(vector);
    }
    // SWZ has its selectors after the register.
    let whole = written.split(',').next().unwrap_or_default();
    let bare = whole.trim_matches(|c: char| c.is_whitespace() || matches!(c, '|' | '-' | '+'));
    let picks = |letters: &str| {
        let is_letter = |c: char| "xyzwrgba".contains(c);
        (1..=4).contains(&letters.len()) && letters.chars().all(is_letter)
    };
    on_one_line(match bare.rsplit_once('.') {
        // A name can end in a letter that looks like a component: `state.texgen[0].eye.s`.
        Some((name, letters)) if picks(letters) && (swizzle != Swizzle::IDENTITY || letters.len() == 4) => {
            name
        }
        _ => bare,
    })
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All distinct texts of a constant in the instructions that read it.
fn constant_text(program: &Program, text: &[u8], place: Place) -> Option<String> {
    let Place::Param(id) = place else { return None };
    let ParameterSource::Constant(constant) = &program.parameters.get(usize::from(id.0))?.source else {
        return None;
    };
    let operands = program.instructions.iter().flat_map(|instruction: &Instruction| &instruction.operands);
    let mut texts: Vec<String> = Vec::new();
    for operand in operands.filter(|operand| operand.source == Source::Param(id)) {
        let name = constant_name(operand, text);
        if !name.is_empty() && !texts.contains(&name) {
            texts.push(name);
        }
    }
    if texts.is_empty() {
        // Only relative references read the constant.
        return Some(format!("{{{}}}", constant.decimals()));
    }
    Some(texts.join("; "))
}

/// The text of a constant operand, with the sign if it is part of the number.
fn constant_name(operand: &Operand, text: &[u8]) -> String {
    let name = written_name(operand.span, operand.swizzle, text);
    let written = String::from_utf8_lossy(operand.span.slice(text));
    let is_negative =
        written.trim_start().starts_with('-') && operand.negate.is_none() && !operand.negate_absolute;
    if is_negative { format!("-{name}") } else { name }
}

/// The variable, or array element, that a program declares for an attribute.
fn declared_name(program: &Program, attribute: Attribute) -> Option<String> {
    program.variables.iter().find_map(|Variable { name, first, count }| {
        let (name, first) = match *first {
            Declared::Attribute(first) => (name.clone(), first),
            Declared::OfVertices(first) => {
                let (vertex, _) = attribute.of_vertex()?;
                (format!("{name}[{vertex}]"), first.at_vertex(vertex))
            }
            Declared::Result(_) => return None,
        };
        match count {
            None => (first == attribute).then_some(name),
            Some(count) => {
                let mut elements = 0..u8::try_from(*count).unwrap_or(u8::MAX);
                let element = elements.find(|&element| first.after(element) == Some(attribute))?;
                Some(format!("{name}[{element}]"))
            }
        }
    })
}

/// The displayed name of a register. An attribute shows its declared variable, a constant its text.
pub fn shown_name(program: &Program, text: &[u8], place: Place) -> String {
    let declared = match place {
        Place::Attribute(attribute) => declared_name(program, attribute),
        _ => None,
    };
    let named = declared.or_else(|| place_name(place, program));
    named.or_else(|| constant_text(program, text, place)).unwrap_or_default()
}
