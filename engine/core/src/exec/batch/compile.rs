//! Turns the functions and effects of blocks into a module, which a back end compiles, and lists of actions.

use crate::exec::back_end::{BackEnd, Compiled, Constant, Function, MaskRegister};
use crate::exec::back_ends;
use crate::exec::lir::{DemandedBits, Effect, Live, Module, Segment, Then};

#[cfg(test)]
mod tests;

/// One step of a list.
#[derive(Clone, Debug)]
pub enum Action {
    /// Component arithmetic.
    Function(Function),
    /// Discards the lanes in a mask.
    Kill(MaskRegister),
    /// An effect.
    Effect(Effect<u16>),
}

/// Compiled lists of actions.
#[derive(Clone, Debug)]
pub struct Lists {
    /// The lists, in order.
    pub actions: Vec<Vec<Action>>,
    /// Total number of lane registers.
    pub registers: u16,
    /// Constants that functions take as arguments.
    pub constants: Vec<Constant>,
    /// Number of lanes in a vector of a [`MaskRegister`].
    pub mask_lanes: u8,
}

/// Lists of functions and effects, before the functions are compiled.
#[derive(Debug)]
pub struct UncompiledLists {
    pub module: Module,
    /// Whether the next function of the module comes first, and the action after it.
    lists: Vec<Vec<(bool, Then)>>,
}

impl UncompiledLists {
    /// Takes the functions out of `lists`. Their temporary lane registers start at `first_own`. `seen` has
    /// the demands of readers other than functions and effects.
    pub fn new(lists: Vec<Vec<Segment>>, first_own: u16, seen: DemandedBits) -> Self {
        let mut functions = Vec::new();
        let mut take = |Segment { function, then }: Segment| {
            let has_function = !function.stores.is_empty();
            functions.extend(has_function.then_some(function));
            (has_function, then)
        };
        let lists = lists.into_iter().map(|list| list.into_iter().map(&mut take).collect()).collect();
        let mut lists = Self { module: Module { functions, first_own, seen }, lists };
        lists.module.seen.all(lists.registers_of_effects());
        lists
    }

    /// The lane registers that effects read.
    pub fn registers_of_effects(&self) -> Live {
        let effects = self.lists.iter().flatten().filter_map(|(_, then)| match then {
            Then::Effect(effect) => Some(effect),
            Then::Nothing | Then::Kill => None,
        });
        effects
            .flat_map(|effect| effect.registers_read().into_iter().chain(effect.operands.clone()))
            .collect()
    }

    /// Compiles the lists for `back_end`. If the system refuses the back end's code, as systems without
    /// executable memory do, the fallback executes the functions. Discards read their mask from lane register
    /// `bits`. `None` if the system has no memory for the code.
    pub fn compiled(self, back_end: &dyn BackEnd, bits: u16) -> Option<Lists> {
        let (compiled, mask_lanes) = match back_end.compile(&self.module) {
            Ok(compiled) => (compiled, back_end.mask_lanes()),
            Err(_) => {
                let fallback = back_ends::fallback();
                (fallback.compile(&self.module).ok()?, fallback.mask_lanes())
            }
        };
        let Compiled { functions, own_registers, constants } = compiled;
        let mut functions = functions.into_iter();
        let mut actions = |list: Vec<(bool, Then)>| {
            let mut actions = Vec::new();
            for (has_function, then) in list {
                if has_function {
                    actions.push(Action::Function(functions.next()?));
                }
                match then {
                    Then::Nothing => {}
                    Then::Kill => {
                        actions.push(Action::Kill(MaskRegister { register: bits, lanes: mask_lanes }))
                    }
                    Then::Effect(effect) => actions.push(Action::Effect(effect)),
                }
            }
            Some(actions)
        };
        let actions = self.lists.into_iter().map(&mut actions).collect::<Option<_>>()?;
        Some(Lists { actions, registers: self.module.first_own + own_registers, constants, mask_lanes })
    }
}
