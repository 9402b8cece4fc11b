//! `[subroutines]`: the subroutines that a scene selects for SUBROUTINE variables, by label, such as
//! `"fragment.shade" = "glossy"` (ARB_shader_subroutine, "Dependencies on NV_gpu_program5"). Variables and
//! labels are checked after the programs are loaded, so selections keep their places in the text.

use super::read::{Entry, Table};
use super::{ProgramFile, Programs, SCENE_FILE, Scene, SceneError, Slot};
use crate::format;
use crate::suggest;
use shadestep_engine::ir::{Program, Subroutine, SubroutineVariable};
use shadestep_engine::isa::Language;
use shadestep_engine::source::{LineColumn, Span};
use std::fmt;

/// A SUBROUTINE variable of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubroutineKey {
    /// The program's slot, never a state program's.
    pub slot: Slot,
    pub name: String,
}

impl SubroutineKey {
    /// Reads `fragment.shade`. Returns `None` unless it begins with a stage that can have subroutines.
    pub fn parse(text: &str) -> Option<Self> {
        let (stage, name) = text.split_once('.')?;
        let slot = Slot::SINGLE.into_iter().find(|slot| slot.key() == stage)?;
        Some(Self { slot, name: name.to_owned() })
    }
}

impl fmt::Display for SubroutineKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.slot.key(), self.name)
    }
}

/// The labels of the subroutines that a variable calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubroutineLabels {
    /// The label for a variable that is not an array.
    One(String),
    /// A label for each element of an array.
    Each(Vec<String>),
}

impl SubroutineLabels {
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(label) => std::slice::from_ref(label),
            Self::Each(labels) => labels,
        }
    }
}

type Place = (Span, LineColumn);

/// The selection for one variable.
#[derive(Clone, Debug)]
pub struct SubroutineChoice {
    pub key: SubroutineKey,
    /// The labels of the subroutines to call.
    pub labels: SubroutineLabels,
    place: Place,
    label_places: Vec<Place>,
}

impl SubroutineChoice {
    fn fault(&self, message: impl Into<String>) -> SceneError {
        SceneError::new(SCENE_FILE, message).at(self.place.0, self.place.1)
    }

    /// An error at label `index`.
    fn label_fault(&self, index: usize, message: impl Into<String>) -> SceneError {
        let (span, place) = self.label_places.get(index).copied().unwrap_or(self.place);
        SceneError::new(SCENE_FILE, message).at(span, place)
    }
}

/// Reads `[subroutines]` of a scene with these programs.
pub(super) fn read(
    table: &Table<'_>,
    programs: &Programs<ProgramFile>,
) -> Result<Vec<SubroutineChoice>, SceneError> {
    table.entries().iter().map(|entry| choice(entry, programs)).collect()
}

fn choice(entry: &Entry<'_>, programs: &Programs<ProgramFile>) -> Result<SubroutineChoice, SceneError> {
    const WANTED: &str = "a subroutine label in quotes, or for an array a list of labels in brackets";
    let key = key(entry)?;
    if programs.get(key.slot).is_none() {
        let kind = key.slot.kind();
        return Err(entry.error(format!("\"{key}\" belongs to {kind}, but the scene has none")));
    }
    let (labels, spans) = if let Some(label) = entry.value.as_str() {
        (SubroutineLabels::One(label.to_owned()), vec![entry.value_span.clone()])
    } else {
        let array = entry.value.as_array().ok_or_else(|| entry.wrong(WANTED, entry.value))?;
        let labels = entry.strings(0..=usize::MAX, WANTED)?.into_iter().map(str::to_owned).collect();
        (SubroutineLabels::Each(labels), array.iter().map(toml::Spanned::span).collect())
    };
    let label_places = spans.iter().map(|span| entry.file.place(span)).collect();
    Ok(SubroutineChoice { key, labels, place: entry.file.place(&entry.span), label_places })
}

fn key(entry: &Entry<'_>) -> Result<SubroutineKey, SceneError> {
    let words = Slot::SINGLE.map(Slot::key);
    if entry.value.is_table() && words.contains(&entry.name) {
        let stage = entry.name;
        return Err(
            entry.error(format!("put the subroutine variable in quotes: \"{stage}.NAME\" = \"LABEL\""))
        );
    }
    let Some((stage, _)) = entry.name.split_once('.') else {
        let words = "is not a subroutine variable: use \"fragment.NAME\" or another stage";
        return Err(entry.error(format!("\"{}\" {words}", entry.name)));
    };
    SubroutineKey::parse(entry.name).ok_or_else(|| {
        let hint = suggest::hint(stage, words, "use one of");
        entry.error(format!("\"{stage}\" is not a stage with subroutines{hint}"))
    })
}

impl Scene {
    /// The labels that the scene selects for a variable, if any.
    pub fn subroutine_choice(&self, key: &SubroutineKey) -> Option<&SubroutineLabels> {
        self.subroutines.iter().find(|choice| choice.key == *key).map(|choice| &choice.labels)
    }

    /// Checks the selections against the programs that are loaded.
    ///
    /// # Errors
    /// A program lacks a variable or a subroutine that the scene selects. The error is at the selection.
    pub fn check_programs<'p>(
        &self,
        program: impl Fn(Slot) -> Option<&'p Program>,
    ) -> Result<(), SceneError> {
        for slot in Slot::SINGLE {
            if let Some(program) = program(slot) {
                self.chosen_subroutines(slot, program)?;
            }
        }
        Ok(())
    }

    /// The SUBROUTINENUM for each subroutine parameter of `program` in `slot`. The default is the first
    /// subroutine of the parameter's type. The list is empty if the scene selects nothing for the program.
    ///
    /// # Errors
    /// As [`Self::check_programs`].
    pub fn chosen_subroutines(&self, slot: Slot, program: &Program) -> Result<Vec<u32>, SceneError> {
        let choices = || self.subroutines.iter().filter(move |choice| choice.key.slot == slot);
        if choices().next().is_none() {
            return Ok(Vec::new());
        }
        let mut chosen = program.subroutines.defaults();
        // The variable that set each parameter: several variables can be bound to one parameter.
        let mut chosen_by: Vec<Option<&SubroutineKey>> = vec![None; chosen.len()];
        for choice in choices() {
            let variable = variable(choice, program)?;
            for (index, (label, &parameter)) in
                choice.labels.all().iter().zip(&variable.parameters).enumerate()
            {
                let number = number(choice, (index, label), variable, program)?;
                let place = usize::from(parameter);
                let (Some(value), Some(by)) = (chosen.get_mut(place), chosen_by.get_mut(place)) else {
                    continue;
                };
                if let Some(other) = by
                    && *value != number
                {
                    let words = format!(
                        "\"{}\" chooses a different subroutine for program.subroutine[{parameter}]",
                        other
                    );
                    return Err(
                        choice.label_fault(index, format!("{words}, which \"{}\" is bound to", choice.key))
                    );
                }
                (*value, *by) = (number, Some(&choice.key));
            }
        }
        Ok(chosen)
    }
}

/// Finds the variable of `choice` and checks the number of labels.
fn variable<'p>(
    choice: &SubroutineChoice,
    program: &'p Program,
) -> Result<&'p SubroutineVariable, SceneError> {
    let SubroutineKey { slot, name } = &choice.key;
    if !has_subroutines(program.language) {
        let header = program.language.name();
        let have = Language::ALL.into_iter().filter(|language| has_subroutines(*language));
        let have: Vec<&str> = have.filter(|l| l.stage() == slot.stage()).map(Language::name).collect();
        let words = format!("{header} has no subroutine variables; {} has", have.join(", "));
        return Err(choice.fault(words));
    }
    let stage = slot.stage().name();
    let variables = &program.subroutines.variables;
    let found = variables.iter().find(|variable| variable.name == *name).ok_or_else(|| {
        let names = variables.iter().map(|variable| variable.name.as_str());
        let hint = match variables.is_empty() {
            true => "; it declares none".to_owned(),
            false => suggest::hint(name, names, "it has"),
        };
        choice.fault(format!("the {stage} program has no subroutine variable \"{name}\"{hint}"))
    })?;
    let elements = found.parameters.len();
    match &choice.labels {
        SubroutineLabels::One(_) if found.is_array => Err(choice
            .label_fault(0, format!("\"{name}\" is an array: it takes {} in brackets", labels(elements)))),
        SubroutineLabels::Each(_) if !found.is_array => {
            Err(choice.fault(format!("\"{name}\" is not an array: it takes one label, without brackets")))
        }
        SubroutineLabels::Each(given) if given.len() != elements => {
            let (wanted, given) = (labels(elements), given.len());
            Err(choice.fault(format!("\"{name}\" takes {wanted}, one per element; found {given}")))
        }
        SubroutineLabels::One(_) | SubroutineLabels::Each(_) => Ok(found),
    }
}

fn labels(count: usize) -> String {
    format::counted(count, "label")
}

/// The SUBROUTINENUM of the subroutine with the label. It must be of the variable's type.
fn number(
    choice: &SubroutineChoice,
    (index, label): (usize, &str),
    variable: &SubroutineVariable,
    program: &Program,
) -> Result<u32, SceneError> {
    let members = subroutine_labels(program, variable);
    if let Some((_, number)) = members.iter().find(|(name, _)| *name == label) {
        return Ok((*number).into());
    }
    let names = members.iter().map(|(name, _)| *name);
    let ty = program.subroutines.types.get(variable.ty).map_or("", |ty| &ty.name);
    let stage = choice.key.slot.stage().name();
    let words = if program.labels.iter().any(|other| other.name == label) {
        let of_type = suggest::list(names);
        format!(
            "\"{label}\" is not of type {ty}, the type of \"{}\"; subroutines of that type: {of_type}",
            variable.name
        )
    } else {
        let hint = suggest::known(label, names, &format!("subroutines of type {ty}"));
        format!("the {stage} program has no subroutine \"{label}\"{hint}")
    };
    Err(choice.label_fault(index, words))
}

/// The subroutines that `variable` of `program` can call: labels and SUBROUTINENUMs. The first is the
/// default.
pub fn subroutine_labels<'p>(program: &'p Program, variable: &SubroutineVariable) -> Vec<(&'p str, u16)> {
    let subroutines = &program.subroutines;
    let members = subroutines.types.get(variable.ty).map_or(&[][..], |ty| &ty.members);
    let listed = members.iter().filter_map(|&member| subroutines.list.get(member));
    let named = |s: &Subroutine| Some((program.labels.get(s.label)?.name.as_str(), s.number));
    listed.filter_map(named).collect()
}

/// Whether programs of `language` declare SUBROUTINE variables.
fn has_subroutines(language: Language) -> bool {
    language.profile().keywords.contains(&"SUBROUTINE")
}
