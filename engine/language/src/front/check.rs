//! Diagnostics that several languages report in the same words: two attributes in one instruction, a wrong
//! suffix, a misspelt statement.

use super::dialect::Dialect;
use super::nearest;
use crate::diag::{Code, Diagnostic};
use crate::ir::Attribute;
use crate::isa::{self, Info, Language, ModifierFault, ModifierOrder};
use crate::source::Span;

/// The first of `reads`, and the first read that differs from it. Languages let an instruction read one
/// attribute and one parameter.
pub fn first_conflict<T: PartialEq>(
    mut reads: impl Iterator<Item = (T, Span)>,
) -> Option<((T, Span), (T, Span))> {
    let first = reads.next()?;
    let other = reads.find(|(read, _)| *read != first.0)?;
    Some((first, other))
}

/// The finding that an instruction reads two attributes.
pub fn two_attributes(
    code: Code,
    language: Language,
    (first, first_span): (Attribute, Span),
    (other, other_span): (Attribute, Span),
) -> Diagnostic {
    Diagnostic::new(
        code,
        other_span,
        format!(
            "an instruction can read only one attribute, but this reads {} and {}",
            first.register_in(language),
            other.register_in(language)
        ),
    )
    .with_label(first_span, "first attribute read here")
    .with_note("MOV one of them to a temporary register first.")
}

/// The finding that the instruction at `span` is the first beyond the `limit`.
pub fn too_many_instructions(code: Code, limit: usize, span: Span, note: &str) -> Diagnostic {
    Diagnostic::new(code, span, format!("too many instructions: a program can have at most {limit}"))
        .with_note(note)
}

/// The finding about `word` at `span`: the mnemonic of `info` with modifiers. The modifier at byte `at` is
/// wrong in `language`, by `fault`.
pub fn bad_suffix(
    dialect: &'static Dialect,
    language: Language,
    (info, fault, at): (&Info, ModifierFault, usize),
    word: &str,
    span: Span,
) -> Diagnostic {
    let profile = language.profile();
    let order = profile.modifier_order;
    let mnemonic = info.mnemonic;
    let forms = info.forms(language);
    let taken: Vec<String> = forms
        .map(|forms| forms.modifiers.iter().map(|modifier| format!("`{}`", modifier.text(order))).collect())
        .unwrap_or_default();
    let taken = if taken.is_empty() { "none".to_owned() } else { taken.join(", ") };
    if order == ModifierOrder::Dotted {
        let message = match fault {
            ModifierFault::Unknown => {
                let shown = word[at..].trim_start_matches('.');
                let shown = shown.split('.').next().unwrap_or_default();
                let with_it = format!("{mnemonic}.{shown}");
                match isa::is_of_name(shown) {
                    true if mnemonic.ends_with(shown) => format!("{mnemonic} has `.{shown}` twice"),
                    true if isa::instructions(language).any(|info| info.mnemonic == with_it) => {
                        format!("{with_it} does not take `{}`", &word[mnemonic.len()..at])
                    }
                    true => format!("{mnemonic} does not take `.{shown}`"),
                    false => format!("`{shown}` is not a modifier"),
                }
            }
            ModifierFault::Twice(modifier) => {
                format!("{mnemonic} has more than one {}", modifier.kind_name())
            }
            ModifierFault::NotTaken(modifier) => {
                let shown = modifier.text(order);
                let later =
                    |later: &&Language| info.forms(**later).is_some_and(|f| f.modifiers.contains(modifier));
                match profile.later.iter().find(later) {
                    Some(later) => {
                        format!("{mnemonic} takes `{shown}` only in `{}` and later", later.header())
                    }
                    None => format!("{mnemonic} does not take `{shown}`"),
                }
            }
        };
        let note = if taken == "none" {
            format!("{mnemonic} takes no modifiers.")
        } else {
            format!("{mnemonic} takes {taken}.")
        };
        return Diagnostic::new(dialect.codes.bad_suffix, span, message).with_note(note);
    }
    let names: Vec<String> = forms
        .map(|f| f.combinations().into_iter().map(|s| format!("{mnemonic}{}", s.text())).collect())
        .unwrap_or_default();
    let suffix = &word[mnemonic.len()..];
    let note = if names.len() == 1 {
        format!("{mnemonic} takes no suffix.")
    } else {
        format!("Its forms are {}.", names.join(", "))
    };
    Diagnostic::new(
        dialect.codes.bad_suffix,
        span,
        format!("{mnemonic} does not take the suffix `{suffix}`; it takes {taken}"),
    )
    .with_note(note)
}

/// Adds a fix to `fault` if `word` is a slip for one of `words`, which begin statements. `known` says whether
/// a word with its suffixes begins a statement.
pub fn with_meant_statement<'w>(
    fault: Diagnostic,
    word: &str,
    span: Span,
    known: impl Fn(&str) -> bool,
    words: impl Iterator<Item = &'w str>,
) -> Diagnostic {
    let upper = word.to_ascii_uppercase();
    if known(&upper) {
        return fault
            .with_note("Names are case-sensitive, and instruction names are in upper case.")
            .with_fix(format!("replace with {upper}"), span, upper);
    }
    match nearest(word, words) {
        Some(meant) => fault.with_fix(format!("replace with {meant}"), span, meant),
        None => fault,
    }
}
