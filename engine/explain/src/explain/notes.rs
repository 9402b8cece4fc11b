//! Effects of a step that formulas do not show: clamps, masks, values that are not numbers with their
//! reasons, intermediate rounding, accesses outside arrays, undefined values, and the next instruction.

use super::Explained;
use shadestep_core::debug::{LoopEffect, OperandStep, StackEffect, Step};
use shadestep_core::memory::Place;
use shadestep_ide::words::joined;
use shadestep_language::ir::{
    CcRegister, Control, Flags, LETTERS, Type, Value, decimal, letters, target_text, test_text,
};
use shadestep_language::isa::formula::{self, Piece};
use shadestep_language::semantics::plan::ResultTypes;

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Nan,
    Infinite,
    Zero,
    Denormal,
    Negative,
    Other,
}

fn class(bits: u64, ty: Type) -> Class {
    let of = |value: f64, is_denormal: bool| match value {
        _ if value.is_nan() => Class::Nan,
        _ if value.is_infinite() => Class::Infinite,
        _ if value == 0.0 => Class::Zero,
        _ if is_denormal => Class::Denormal,
        _ if value < 0.0 => Class::Negative,
        _ => Class::Other,
    };
    match ty.value(bits) {
        Value::Single(value) => of(value.into(), value.is_subnormal()),
        Value::Double(value) => of(value, value.is_subnormal()),
        Value::Signed(value) if value < 0 => Class::Negative,
        Value::Signed(0) | Value::Unsigned(0) => Class::Zero,
        Value::Signed(_) | Value::Unsigned(_) => Class::Other,
    }
}

/// `name`, followed by the value of `bits` unless the name is that value.
fn with_value(name: &str, bits: u64, ty: Type) -> String {
    let value = decimal(bits, ty);
    if name == value { value } else { format!("{name}, {value},") }
}

/// The place of an access, in words.
fn place_words(place: &Place) -> String {
    match place {
        Place::Address(address) => format!("at address {address:#x}"),
        Place::Buffer { offset, .. } => format!("at byte {offset} of the buffer"),
        Place::Image { coordinates: [x, y, z, w], .. } => {
            format!("at texel ({x}, {y}, {z}, {w}) of the image")
        }
    }
}

impl Explained<'_> {
    pub(super) fn notes(&self) -> Vec<String> {
        let Some(step) = self.step else { return Vec::new() };
        let mut found = Vec::new();
        for (index, operand) in step.operands.iter().enumerate() {
            self.operand_notes(index, operand, &mut found);
        }
        self.lookup_notes(step, &mut found);
        if self.instruction.dest().is_some() {
            self.result_notes(step, &mut found);
        }
        self.flow_notes(step, &mut found);
        found
    }

    fn operand_notes(&self, index: usize, operand: &OperandStep, found: &mut Vec<String>) {
        if let Some(relative) = &operand.relative {
            let name = relative.element.and_then(|element| self.program.element_name(element));
            found.push(match name {
                Some(name) => format!("The index is {}, so this reads {name}.", relative.index),
                None => {
                    format!("The index is {}, outside the array, so this reads (0, 0, 0, 0).", relative.index)
                }
            });
        }
        if let Some(fault) = operand.memory.as_ref().and_then(|transfer| transfer.fault) {
            found.push(format!("Values that cannot be read are 0: {fault}."));
        }
        let ty = self.plan.operand_type(self.instruction.ty, index);
        if ty.is_integer() || self.plan.reads_raw_bits() {
            return;
        }
        let mut told: Vec<String> = Vec::new();
        for c in (0..4).filter(|c| operand.used >> c & 1 != 0) {
            let name = self.operand_component(index, c);
            let (modified, converted) = (operand.modified[c], operand.converted[c]);
            if told.contains(&name) || modified == converted {
                continue;
            }
            match (class(modified, ty), class(converted, ty)) {
                (Class::Nan, Class::Nan) => continue,
                (Class::Denormal, Class::Zero) => {
                    let named = with_value(&name, modified, ty);
                    found.push(format!("{named} is a denorm and is flushed to 0."));
                }
                _ => found.push(format!(
                    "{} is rounded to {}, the nearest value that the instruction can use.",
                    with_value(&name, modified, ty),
                    decimal(converted, ty)
                )),
            }
            told.push(name);
        }
    }

    fn lookup_notes(&self, step: &Step, found: &mut Vec<String>) {
        if let Some(texture) = &step.texture {
            if texture.texture.is_none() {
                found.push("The index of the texture unit is outside the array.".to_owned());
            } else if !texture.complete {
                found.push("No complete texture with this target is bound to the unit.".to_owned());
            } else {
                let places: Vec<String> =
                    texture.shown().iter().map(|&at| shadestep_language::ir::float(at)).collect();
                let level = texture
                    .level()
                    .map(|level| format!(", level of detail {}", shadestep_language::ir::float(level)));
                found.push(format!("Looked up at ({}){}.", places.join(", "), level.unwrap_or_default()));
            }
        }
        if let Some(transfer) = &step.memory {
            if let Some(fault) = transfer.fault {
                found.push(format!("The access fails: {fault}."));
            }
            if self.instruction.writes_memory() && transfer.after.is_some() {
                found.push(format!("Changes memory {}.", place_words(&transfer.place)));
            }
            if transfer.is_unwritten {
                found.push("This reads some bytes that were never written.".to_owned());
            }
        } else if self.instruction.writes_memory() {
            found.push(
                "Memory stays unchanged, because this is a helper invocation or a discarded fragment."
                    .to_owned(),
            );
        }
    }

    fn result_notes(&self, step: &Step, found: &mut Vec<String>) {
        let types = ResultTypes::of(self.program, self.instruction);
        let (result_type, stored_type) = (types.result, types.in_register());
        let mut said: Vec<(String, u8)> = Vec::new();
        let mut say = |words: String, c: usize| match said.iter_mut().find(|(other, _)| *other == words) {
            Some((_, components)) => *components |= 1 << c,
            None => said.push((words, 1 << c)),
        };
        for c in (0..4).filter(|c| step.computed >> c & 1 != 0) {
            if step.undefined >> c & 1 != 0 {
                let here = self.result(step.result, c);
                say(format!("the specification leaves this undefined; Shadestep gives {here}"), c);
                continue;
            }
            if let Some(words) = self.special(step, c, result_type) {
                say(words, c);
            }
            let is_number = class(step.result[c], result_type) != Class::Nan;
            if step.saturated[c] != step.result[c] {
                let end = decimal(step.saturated[c], result_type);
                say(format!("{} is clamped to {end}", decimal(step.result[c], result_type)), c);
            }
            if step.converted[c] != step.saturated[c] && is_number && !result_type.is_integer() {
                let (exact, stored) =
                    (decimal(step.saturated[c], result_type), decimal(step.converted[c], stored_type));
                if exact != stored {
                    say(
                        format!("{exact} is stored as {stored}, the nearest value that fits the register"),
                        c,
                    );
                }
            }
        }
        found
            .extend(said.into_iter().map(|(words, components)| format!("{}: {words}.", letters(components))));
        self.mask_notes(step, found);
    }

    /// The reason why component `c` of the result is not a finite number; `None` if it is one.
    fn special(&self, step: &Step, c: usize, ty: Type) -> Option<String> {
        let kind = class(step.result[c], ty);
        if !matches!(kind, Class::Nan | Class::Infinite) || ty.is_integer() || self.info.rule.packs() {
            return None;
        }
        let inputs = self.inputs(step, c);
        let shown = decimal(step.result[c], ty);
        let named = |wanted: Class| {
            let mut names: Vec<&str> = Vec::new();
            for (name, ..) in inputs.iter().filter(|(_, class, _)| *class == wanted) {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
            names
        };
        let verb = |names: &[&str]| if names.len() == 1 { "is" } else { "are" };
        let alike = named(kind);
        if !alike.is_empty() {
            let word = if kind == Class::Nan { "NaN" } else { "infinite" };
            return Some(format!("{shown}, because {} {} {word}", joined(&alike), verb(&alike)));
        }
        let reason = self.reason(step, c, kind);
        let infinite = named(Class::Infinite);
        Some(match (reason, inputs.as_slice(), infinite.as_slice()) {
            (Some(reason), ..) => format!("{shown}, because {reason}"),
            (None, [(name, _, value)], _) if kind == Class::Nan && name != value => {
                format!("{shown}, because {name} is {value}, where the operation has no numeric result")
            }
            (None, _, [_, _, ..]) if kind == Class::Nan => {
                format!("{shown}, because {} are infinite, and combining them gives NaN", joined(&infinite))
            }
            (None, ..) if kind == Class::Nan => {
                format!("{shown}, because the operation has no numeric result for these operands")
            }
            (None, ..) => format!("{shown}, although no operand is infinite"),
        })
    }

    /// The operation or operand that made component `c` of the result NaN or infinite, if it is certain.
    fn reason(&self, step: &Step, c: usize, kind: Class) -> Option<String> {
        let expression = formula::component(self.info.formula_in(self.program.language), c)?;
        let pieces = formula::pieces(expression, self.instruction.operands.len());
        let operand = |piece: Option<&Piece<'_>>| {
            let Some(Piece::Operand(index, written)) = piece else { return None };
            let place = match written {
                None => c,
                Some(letter) => LETTERS.iter().position(|other| *letter == other.to_string())?,
            };
            let ty = self.plan.operand_type(self.instruction.ty, *index);
            let class = class(step.operands.get(*index)?.converted[place], ty);
            Some((self.operand_component(*index, place), class))
        };
        let text = |piece: Option<&Piece<'_>>| match piece {
            Some(Piece::Text(text)) => text.trim().to_owned(),
            _ => String::new(),
        };
        for (at, piece) in pieces.iter().enumerate() {
            let Some((name, class)) = operand(Some(piece)) else { continue };
            let before = at.checked_sub(1).map_or_else(String::new, |at| text(pieces.get(at)));
            let behind = text(pieces.get(at + 1));
            let stands_alone = matches!(behind.chars().next(), None | Some(')' | '|'));
            let divides =
                stands_alone && ["/", "/ sqrt(", "/ sqrt(|"].iter().any(|end| before.ends_with(end));
            let is_within = |function: &str| stands_alone && before.trim_end_matches('|').ends_with(function);
            let next = operand(pieces.get(at + 2));
            match (kind, class, next) {
                (Class::Nan, Class::Infinite, Some((other, Class::Zero))) if behind == "*" => {
                    return Some(format!(
                        "{name} is infinite and {other} is 0, and infinity times 0 gives NaN"
                    ));
                }
                (Class::Nan, Class::Zero, Some((other, Class::Infinite))) if behind == "*" => {
                    return Some(format!(
                        "{other} is infinite and {name} is 0, and infinity times 0 gives NaN"
                    ));
                }
                (Class::Nan, Class::Zero, Some((other, Class::Zero))) if behind == "/" => {
                    return Some(format!("{name} and {other} are 0, and 0 divided by 0 gives NaN"));
                }
                (Class::Nan, Class::Negative, _) if is_within("sqrt(") || is_within("log2(") => {
                    return Some(format!("{name} is negative, and the operation gives NaN below 0"));
                }
                (Class::Infinite, Class::Zero, _) if divides => {
                    return Some(format!("{name} is 0, and division by zero gives infinity"));
                }
                (Class::Infinite, Class::Zero, _) if is_within("log2(") || before.ends_with("log2|") => {
                    return Some(format!("{name} is 0, and the logarithm of 0 is -infinity"));
                }
                _ => {}
            }
        }
        let finite = |letter: char| "+-*() ".contains(letter) || letter.is_ascii_digit();
        let is_sum = pieces.iter().all(|piece| match piece {
            Piece::Text(text) => text.chars().all(finite) || text.starts_with("2^"),
            Piece::Operand(..) => true,
        });
        (kind == Class::Infinite && is_sum).then(|| "the value is too large for the type".to_owned())
    }

    /// The inputs of component `c` of the result, each with its kind and value.
    fn inputs(&self, step: &Step, c: usize) -> Vec<(String, Class, String)> {
        let each =
            step.operands.iter().enumerate().filter(|(index, _)| *index < self.instruction.operands.len());
        let listed = self.plan.component(c).map(|component| component.inputs);
        each.flat_map(|(index, operand)| {
            let ty = self.plan.operand_type(self.instruction.ty, index);
            let reads = move |place: usize| match listed {
                Some(inputs) => inputs.contains(&(index as u8, place as u8)),
                None => place == c,
            };
            let used = (0..4).filter(move |place| operand.used >> place & 1 != 0 && reads(*place));
            used.map(move |place| {
                let bits = operand.converted[place];
                (self.operand_component(index, place), class(bits, ty), decimal(bits, ty))
            })
        })
        .collect()
    }

    fn mask_notes(&self, step: &Step, found: &mut Vec<String>) {
        let Some(dest) = self.instruction.dest() else { return };
        if let Some(relative) = &step.relative_target {
            found.push(match relative.element.and_then(|element| self.program.element_name(element)) {
                Some(name) => format!("The index is {}, so this writes {name}.", relative.index),
                None => format!("The index is {}, outside the array, so nothing is written.", relative.index),
            });
        }
        let language = self.program.language;
        if let Some(test) = dest.test {
            let kept = dest.mask.0 & !step.enabled;
            if kept != 0 {
                let codes: Vec<String> = (0..4)
                    .filter(|c| kept >> c & 1 != 0)
                    .map(|c| {
                        let picked = usize::from(test.swizzle.0[c]) % 4;
                        let code = step.cc_before[test.register.index()][picked].name_in(language);
                        let register = test.register.name_in(language);
                        format!("{register}.{} is {code}", LETTERS[picked])
                    })
                    .collect();
                let mut each = codes;
                each.dedup();
                found.push(format!(
                    "Does not write {}.{}, because the test ({}) fails: {}.",
                    target_text(self.program, dest.target),
                    letters(kept),
                    test_text(test),
                    each.join(", ")
                ));
            }
        }
        for register in CcRegister::ALL {
            let (before, after) = (step.cc_before[register.index()], step.cc_after[register.index()]);
            if before != after || self.instruction.update_cc() == Some(register) {
                let names = |codes: [Flags; 4]| codes.map(|code| code.name_in(language)).join(", ");
                found.push(format!("{} becomes ({}).", register.name_in(language), names(after)));
            }
        }
    }

    fn flow_notes(&self, step: &Step, found: &mut Vec<String>) {
        if self.instruction.is_kill() {
            found.push(match step.kills {
                true => "The fragment is discarded here.".to_owned(),
                false => "The fragment is not discarded.".to_owned(),
            });
        }
        if let (Some(control), Some(taken)) = (self.instruction.control(), step.taken) {
            let holds = match (control.test(), taken) {
                (Some(_), true) => "the test holds, so ",
                (Some(_), false) => "the test fails, so ",
                (None, _) => "",
            };
            // If IF or LOOP passes, execution continues with the block.
            let enters = matches!(control, Control::If { .. } | Control::Loop { .. });
            let to = match (step.stack, control.target()) {
                (StackEffect::Pop(back), _) => Some(format!("returns to {}", self.place(back))),
                (_, Some(target)) if taken != enters => Some(format!("continues at {}", self.place(target))),
                (_, Some(_)) => Some(format!("continues at {}", self.place(step.pc + 1))),
                (_, None) if !taken => Some(format!("continues at {}", self.place(step.pc + 1))),
                (_, None) => None,
            };
            found.extend(to.map(|to| super::sentences::sentence(&format!("{holds}execution {to}"))));
        }
        found.extend(match step.stack {
            StackEffect::None | StackEffect::Push(_) | StackEffect::Pop(_) => None,
            StackEffect::PushAddress(_) => Some("Pushes the address onto the stack.".to_owned()),
            StackEffect::PopAddress(_) => Some("Pops the address off the stack.".to_owned()),
            StackEffect::Overflow => Some("The stack is full, so the program ends here.".to_owned()),
            StackEffect::Underflow => Some("The stack is empty, so the program ends here.".to_owned()),
            StackEffect::Mismatch => {
                Some("The top of the stack has the wrong kind of entry, so the program ends here.".to_owned())
            }
        });
        found.extend(match &step.loops {
            LoopEffect::None => None,
            LoopEffect::Enter(frame) => frame.count.map(|count| match count {
                1 => "The loop runs once.".to_owned(),
                _ => format!("The loop runs {count} times."),
            }),
            LoopEffect::Round { after, .. } => after.count.map(|count| format!("Iterations left: {count}.")),
            LoopEffect::Leave(_) => Some("Leaves the loop.".to_owned()),
        });
    }
}
