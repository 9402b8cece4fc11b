//! Fills the formula of a row with the names of an instruction's operands, and with the numbers of a step.

use super::{Computed, Explained, Naming};
use shadestep_core::debug::{StackEffect, Step};
use shadestep_language::ir::{
    Components, ConstantVector, Control, LETTERS, ParameterSource, Source, Swizzle, Type, WriteMask,
    constant_type, decimal, mask_text, pattern, source_text, target_text, texture_text,
};
use shadestep_language::isa::formula::{self, Piece};
use shadestep_language::isa::{Group, Rule};
use shadestep_language::semantics::plan::{Plan, ResultTypes, inputs_used};

impl Explained<'_> {
    /// The components that are written or that set the condition code; all components if there is no
    /// destination.
    pub(super) fn mask(&self) -> u8 {
        self.instruction.dest().map_or(0xF, |dest| dest.mask.0)
    }

    /// Whether the formula covers all components together.
    fn is_whole(&self) -> bool {
        matches!(self.info.group, Group::Memory | Group::Texture) || self.pops_address()
    }

    /// Whether the instruction is POPA.
    fn pops_address(&self) -> bool {
        matches!(self.instruction.control(), Some(Control::PopAddress(_)))
    }

    /// The computation of each written component.
    pub(super) fn results(&self) -> Vec<Computed> {
        let formula = self.info.formula_in(self.program.language);
        let Some(dest) = self.instruction.dest().filter(|_| formula::whole(formula).is_some()) else {
            return Vec::new();
        };
        let target = target_text(self.program, dest.target);
        let mask = self.mask();
        match self.plan {
            _ if self.is_whole() => {
                let Some(expression) = formula::whole(formula) else { return Vec::new() };
                vec![self.computed(format!("{target}{}", mask_text(WriteMask(mask))), expression, None, mask)]
            }
            Plan::Replicated(_) => {
                let Some(first) = (0..4).find(|c| mask >> c & 1 != 0) else { return Vec::new() };
                let Some(expression) = formula::component(formula, first) else { return Vec::new() };
                vec![self.computed(
                    format!("{target}{}", mask_text(WriteMask(mask))),
                    expression,
                    Some(0),
                    1 << first,
                )]
            }
            Plan::Vector(_)
            | Plan::DerivativeX
            | Plan::DerivativeY
            | Plan::Interpolate(_)
            | Plan::Convert(_)
            | Plan::Group(_)
            | Plan::Texture(_)
            | Plan::Texel(_)
            | Plan::Memory(..)
            | Plan::Control => (0..4)
                .filter(|c| mask >> c & 1 != 0)
                .filter_map(|c| {
                    let name = format!("{target}.{}", LETTERS[c]);
                    Some(self.computed(name, formula::component(formula, c)?, Some(c), 1 << c))
                })
                .collect(),
        }
    }

    /// Fills in one formula. `component` selects the component of operands without a swizzle; `None` means
    /// all. `results` are the components of the result that the formula covers.
    fn computed(&self, name: String, expression: &str, component: Option<usize>, results: u8) -> Computed {
        let names = self.spelled(expression, |index, written| self.operand(index, written, component));
        let numbers = self.step.and_then(|step| {
            step.operands.len().eq(&self.instruction.operands.len()).then(|| {
                self.spelled(expression, |index, written| {
                    let converted = step.operands[index].converted;
                    if self.is_place(index) || self.is_function(index) {
                        return self.operand(index, written, component);
                    }
                    self.several(index, written, component, |c| self.number(index, converted[c]))
                })
            })
        });
        let result = self.step.and_then(|step| self.result_text(step, results));
        Computed { name, names, numbers, result }
    }

    /// The components in `results` that `step` computed, in parentheses if there are several; `None` if it
    /// computed none of them.
    fn result_text(&self, step: &Step, results: u8) -> Option<String> {
        let shown: Vec<String> = match step.stack {
            StackEffect::PopAddress(value) if self.pops_address() => {
                value.iter().map(|&bits| decimal(bits.into(), Type::Address)).collect()
            }
            _ => (0..4)
                .filter(|c| (results & step.computed) >> c & 1 != 0)
                .map(|c| self.result(step.result, c))
                .collect(),
        };
        match shown.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            _ => Some(format!("({})", shown.join(", "))),
        }
    }

    /// Component `c` of a result before clamps and conversions. Packed results are shown as bits.
    pub(crate) fn result(&self, result: Components, c: usize) -> String {
        let ty = self.result_type();
        if self.info.rule.packs() { pattern(result[c], ty) } else { decimal(result[c], ty) }
    }

    /// The type for showing results. Address registers are shown as integers.
    pub(super) fn result_type(&self) -> Type {
        let types = ResultTypes::of(self.program, self.instruction);
        if types.target == Type::Address { Type::Address } else { types.result }
    }

    /// Component `bits` of operand `index`, after conversion.
    pub(super) fn number(&self, index: usize, bits: u64) -> String {
        let ty = self.operand_type(index);
        if self.plan.reads_raw_bits() || self.info.rule == Rule::LongSource {
            pattern(bits, ty)
        } else {
            decimal(bits, ty)
        }
    }

    /// The type for showing values of operand `index`.
    pub(super) fn operand_type(&self, index: usize) -> Type {
        let is_address = match self.instruction.operands[index].source {
            Source::Temp(id) => self.program.temporaries[usize::from(id.0)].ty == Type::Address,
            _ => false,
        };
        if is_address { Type::Address } else { self.plan.operand_type(self.instruction.ty, index) }
    }

    /// `expression` with operands replaced by the text from `operand`.
    fn spelled(&self, expression: &str, operand: impl Fn(usize, Option<&str>) -> String) -> String {
        let count = self.instruction.operands.len();
        let pieces = formula::pieces(expression, count);
        let mut text = String::new();
        for (place, piece) in pieces.iter().enumerate() {
            match *piece {
                Piece::Text(written) => text.push_str(&self.spaced(written)),
                Piece::Operand(index, written) => {
                    let value = operand(index, written);
                    let opens = matches!(text.trim_end().chars().last(), None | Some('(' | ',' | '|'));
                    let raised =
                        matches!(pieces.get(place + 1), Some(Piece::Text(behind)) if behind.starts_with('^'));
                    let apart = value.starts_with('-') && (!opens || raised);
                    text.push_str(&if apart { format!("({value})") } else { value });
                }
            }
        }
        text
    }

    /// The text of a formula with spaces around products, and with the instruction's texture.
    fn spaced(&self, text: &str) -> String {
        let text = text.replace(" * ", "*").replace('*', " * ");
        match self.instruction.texture() {
            Some(access) => {
                let unit = texture_text(self.program, access, || self.offset_text());
                text.replace("unit", &unit)
            }
            None => text,
        }
    }

    /// The operand with the offset of a lookup: the last one.
    pub(super) fn offset_text(&self) -> String {
        let last = self.instruction.operands.len().saturating_sub(1);
        self.operand(last, None, None)
    }

    /// Whether the instruction evaluates operand `index` at other places than the pixel's centre. Then the
    /// operand's value at the centre does not determine the result.
    fn is_function(&self, index: usize) -> bool {
        index == 0 && matches!(self.plan, Plan::DerivativeX | Plan::DerivativeY | Plan::Interpolate(_))
    }

    /// Whether operand `index` is a memory location rather than a value.
    fn is_place(&self, index: usize) -> bool {
        self.info.group == Group::Memory && self.instruction.operands[index].source.buffer().is_some()
    }

    fn operand(&self, index: usize, written: Option<&str>, component: Option<usize>) -> String {
        let places = self.places(index, written, component);
        let operand = &self.instruction.operands[index];
        if self.is_place(index) {
            return source_text(self.program, operand.source);
        }
        let plain = operand.negate.is_none() && !operand.absolute;
        let is_register = |c: &usize| Swizzle::constant(operand.swizzle.0[*c]).is_none();
        if places.len() > 1 && plain && self.constant(index).is_none() && places.iter().all(is_register) {
            let picked: String = places.iter().map(|&c| LETTERS[usize::from(operand.swizzle.0[c])]).collect();
            return format!("{}.{picked}", source_text(self.program, operand.source));
        }
        self.several(index, written, component, |c| self.operand_component(index, c))
    }

    /// The text from `one` for each used component of operand `index`, in parentheses if there are several.
    fn several(
        &self,
        index: usize,
        written: Option<&str>,
        component: Option<usize>,
        one: impl Fn(usize) -> String,
    ) -> String {
        let each: Vec<String> = self.places(index, written, component).into_iter().map(one).collect();
        match each.as_slice() {
            [alone] => alone.clone(),
            _ => format!("({})", each.join(", ")),
        }
    }

    /// The components, after the swizzle, of an operand that appears in a formula with the component letters
    /// `written`.
    fn places(&self, index: usize, written: Option<&str>, component: Option<usize>) -> Vec<usize> {
        let used = match self.instruction.memory() {
            Some(memory) => memory.operand_used(index),
            None => inputs_used(self.instruction, &self.plan, index, 0xF),
        };
        let place = |letter: char| LETTERS.iter().position(|other| *other == letter);
        match (written, component) {
            (Some(written), _) => {
                let all: Vec<usize> = written.chars().filter_map(place).collect();
                let read: Vec<usize> = all.iter().copied().filter(|c| used >> c & 1 != 0).collect();
                if read.is_empty() { all } else { read }
            }
            (None, Some(c)) => vec![c],
            (None, None) => {
                let read: Vec<usize> = (0..4).filter(|c| used >> c & 1 != 0).collect();
                if read.is_empty() { vec![0] } else { read }
            }
        }
    }

    /// The value of operand `index`, if it is an unnamed constant.
    pub(super) fn constant(&self, index: usize) -> Option<ConstantVector> {
        let Source::Param(id) = self.instruction.operands[index].source else { return None };
        let parameter = self.program.parameters.get(usize::from(id.0))?;
        match (&parameter.source, &parameter.name) {
            (ParameterSource::Constant(constant), None) => Some(*constant),
            _ => None,
        }
    }

    /// The name of operand `index` in the row's formula.
    fn letter(&self, index: usize) -> &'static str {
        ["a", "b", "c"].get(index).copied().unwrap_or("the operand")
    }

    /// The value that `selector` takes from operand `index`, if the operand is an unnamed constant or the
    /// selector is a constant.
    pub(super) fn constant_component(&self, index: usize, selector: u8) -> Option<String> {
        if let Some(value) = Swizzle::constant(selector) {
            return Some(value.to_string());
        }
        let constant = self.constant(index)?;
        let read = constant_type(self.program, self.instruction, index);
        let ty = if constant.ty.is_wide() { constant.ty } else { read.sized_as(Type::F32) };
        Some(decimal(constant.bits[usize::from(selector)], ty))
    }

    /// Component `c`, after the swizzle, of operand `index` by name.
    pub(super) fn operand_component(&self, index: usize, c: usize) -> String {
        if self.naming == Naming::Letters {
            return self.letter(index).to_owned();
        }
        let operand = &self.instruction.operands[index];
        let selector = operand.swizzle.0[c];
        let base = self.constant_component(index, selector).unwrap_or_else(|| {
            format!("{}.{}", source_text(self.program, operand.source), LETTERS[usize::from(selector)])
        });
        let is_integer = self.operand_type(index).is_integer();
        let signed = match (operand.negate.has(c), base.strip_prefix('-')) {
            // Integers have no negative zero.
            (true, None) if is_integer && base == "0" => base,
            (true, Some(positive)) => positive.to_owned(),
            (true, None) => format!("-{base}"),
            (false, _) => base,
        };
        match (operand.absolute, operand.negate_absolute) {
            (false, _) => signed,
            (true, false) => format!("|{signed}|"),
            (true, true) => format!("-|{signed}|"),
        }
    }
}
