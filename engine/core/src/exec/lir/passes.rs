//! Runs the passes between lowering and a back end.

use super::{
    Denorms, Function, Masks, Module, Node, OptionalOperation, Step, assert_correct, assert_correct_schedule,
    eliminate_flushes, legalize, schedule,
};

/// The form of functions that a back end can compile.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// How 32-bit arithmetic reads denorms, for the elimination of flushes. `None` keeps all flushes and
    /// canonicalisations.
    pub denorms: Option<Denorms>,
    pub masks: Masks,
    /// The optional operations that the back end has.
    pub legal: &'static [OptionalOperation],
}

impl Needs {
    /// The form that lowering gives.
    pub const NOTHING: Self = Self { denorms: None, masks: Masks::Own, legal: &OptionalOperation::ALL };
}

/// A function in the form that a back end needs.
#[derive(Clone, Debug)]
pub struct Scheduled {
    pub nodes: Vec<Node>,
    pub steps: Vec<Step>,
    /// How 32-bit arithmetic must read denorms while the function runs.
    pub denorms: Denorms,
}

/// The functions of `module` in the form that `needs` describes.
pub fn prepared(module: &Module, needs: &Needs) -> Vec<Scheduled> {
    let seen = needs.denorms.map(|denorms| {
        // The least fixed point over all functions.
        let mut seen = module.seen.clone();
        let mut ask = |function: &Function| seen.ask(function, denorms.within(function));
        while module.functions.iter().fold(false, |grown, function| ask(function) | grown) {}
        seen
    });
    let prepare = |function: &Function| {
        assert_correct("lowering", function, Masks::Own);
        let denorms = needs.denorms.unwrap_or(Denorms::Kept).within(function);
        let eliminated = seen.as_ref().map(|seen| eliminate_flushes(function, denorms, seen));
        let function = eliminated.as_ref().unwrap_or(function);
        assert_correct("eliminate_flushes", function, Masks::Own);
        let function = legalize(function, needs.masks, needs.legal);
        assert_correct("legalize", &function, needs.masks);
        let steps = schedule(&function);
        assert_correct_schedule(&function, &steps);
        Scheduled { nodes: function.nodes, steps, denorms }
    };
    module.functions.iter().map(prepare).collect()
}
