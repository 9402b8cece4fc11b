//! The SUBROUTINE variables of a document's programs, and the subroutines that the user chose for them.

use super::Document;
use crate::scene::{SceneEdit, Slot, SubroutineKey, SubroutineLabels, subroutine_labels};
use shadestep_engine::ir::{Program, SubroutineVariable};

/// A SUBROUTINE variable with the current choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    pub key: SubroutineKey,
    /// The name of its SUBROUTINETYPE.
    pub ty: String,
    /// The labels of the subroutines of this type. At least one.
    pub labels: Vec<String>,
    /// The program subroutine parameter of each element.
    pub parameters: Vec<u16>,
    /// The label that each element calls.
    pub chosen: SubroutineLabels,
}

impl Callable {
    fn new(slot: Slot, program: &Program, variable: &SubroutineVariable, numbers: &[u32]) -> Self {
        let members = subroutine_labels(program, variable);
        let label = |parameter: &u16| {
            let number = numbers.get(usize::from(*parameter)).copied();
            let called = members.iter().find(|(_, member)| Some(u32::from(*member)) == number);
            called.or(members.first()).map_or("", |(label, _)| label).to_owned()
        };
        let labels = variable.parameters.iter().map(label).collect();
        Self {
            key: SubroutineKey { slot, name: variable.name.clone() },
            ty: program.subroutines.types.get(variable.ty).map_or_else(String::new, |ty| ty.name.clone()),
            labels: members.iter().map(|(label, _)| (*label).to_owned()).collect(),
            parameters: variable.parameters.clone(),
            chosen: SubroutineLabels::Each(labels).of_array(variable.is_array),
        }
    }

    /// Returns the labels with `label` for element `index`.
    fn with(&self, index: usize, label: &str) -> SubroutineLabels {
        let mut labels = self.chosen.all().to_vec();
        if let Some(old) = labels.get_mut(index) {
            label.clone_into(old);
        }
        SubroutineLabels::Each(labels).of_array(matches!(self.chosen, SubroutineLabels::Each(_)))
    }
}

impl SubroutineLabels {
    /// Converts the labels to the form of an array variable, or of a single one.
    fn of_array(self, is_array: bool) -> Self {
        match self {
            Self::Each(mut labels) if !is_array && labels.len() == 1 => Self::One(labels.remove(0)),
            labels => labels,
        }
    }
}

impl Document {
    /// Returns the SUBROUTINE variables of all programs as last loaded, those of the last program first. The
    /// choice comes from the scene, or is the default if the scene's choice is invalid.
    pub fn callables(&self) -> Vec<Callable> {
        let programs = Slot::SINGLE.into_iter().rev();
        let programs = programs.filter_map(|slot| Some((slot, self.program(slot)?)));
        let all = programs.flat_map(|(slot, program)| {
            let chosen = self.scene.chosen_subroutines(slot, program).unwrap_or_default();
            let variables = program.subroutines.variables.iter();
            variables.map(move |variable| Callable::new(slot, program, variable, &chosen))
        });
        all.collect()
    }

    /// Makes element `index` of a variable, or a variable that is not an array, call the subroutine `label`.
    ///
    /// # Errors
    /// As [`Document::edit_scene`].
    pub fn choose_subroutine(
        &mut self,
        key: &SubroutineKey,
        index: usize,
        label: &str,
    ) -> Result<(), String> {
        let all = self.callables();
        let Some(about) = all.iter().find(|callable| callable.key == *key) else { return Ok(()) };
        let Some(parameter) = about.parameters.get(index) else { return Ok(()) };
        // Keep the scene's choices for other variables of the same parameter.
        let others = all.iter().filter(|other| {
            other.key.slot == key.slot
                && other.key != *key
                && self.scene.subroutine_choice(&other.key).is_some()
        });
        let mut edits: Vec<SceneEdit> = others
            .filter_map(|other| Some((other, other.parameters.iter().position(|p| p == parameter)?)))
            .map(|(other, index)| SceneEdit::Subroutine(other.key.clone(), other.with(index, label)))
            .collect();
        edits.push(SceneEdit::Subroutine(key.clone(), about.with(index, label)));
        self.edit_scene_all(&edits)
    }
}
