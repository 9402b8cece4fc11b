//! A segment: a function up to the next effect. `prune` removes dead code: values that no later
//! segment, effect or output depends on.

use std::collections::BTreeSet;

use super::effect::Effect;
use crate::exec::lir::{Function, Node, Target};

/// A function, which may have no stores, followed by at most one effect.
#[derive(Clone, Debug)]
pub struct Segment {
    pub function: Function,
    /// The action after the function.
    pub then: Then,
}

/// The action after a segment's function.
#[derive(Clone, Debug)]
pub enum Then {
    Nothing,
    /// Discards the lanes in the stored mask.
    Kill,
    /// An effect.
    Effect(Effect),
}

impl Then {
    /// The lane registers that the action reads.
    pub fn read(&self) -> Vec<u16> {
        match self {
            Self::Nothing | Self::Kill => Vec::new(),
            Self::Effect(effect) => effect.read(),
        }
    }
}

/// Live lane registers.
pub type Live = BTreeSet<u16>;

/// Removes dead code from `segments`. On entry, `live` holds the lane registers that are live after the
/// segments. On return, the set holds the registers that are live before the segments.
pub fn prune(segments: &mut Vec<Segment>, live: &mut Live) {
    for segment in segments.iter_mut().rev() {
        if let Then::Effect(effect) = &mut segment.then {
            if effect.keep(|register| live.contains(&register)) {
                effect.written().iter().for_each(|register| {
                    live.remove(register);
                });
                live.extend(effect.read());
            } else {
                segment.then = Then::Nothing;
            }
        }
        let function = &mut segment.function;
        function.stores.retain(|(target, _)| match target {
            Target::Register(register) => live.contains(register),
            Target::Output(_) | Target::Bits(_) | Target::Again => true,
        });
        for (target, _) in &function.stores {
            if let Target::Register(register) = target {
                live.remove(register);
            }
        }
        live.extend(function.needed().filter_map(|node| match node {
            Node::Register(register) => Some(register),
            _ => None,
        }));
    }
    segments.retain(|segment| !segment.function.stores.is_empty() || !matches!(segment.then, Then::Nothing));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::AddressForm;
    use crate::exec::batch::effect::{
        ActionRegisters, Address, Choice, EmitRegisters, Gather, MemoryRegisters, Number, PlaceRegisters,
        ResultRegister,
    };
    use crate::exec::lir::Binary;
    use shadestep_language::ir::{Atomic, Emit, Storage, Type};

    /// Lane register 2 becomes the sum of 0 and 1, lane register 4 the sum of 2 and 3.
    fn sums() -> Segment {
        let nodes = vec![
            Node::Register(0),
            Node::Register(1),
            Node::Binary(Binary::Add, 0, 1),
            Node::Register(3),
            Node::Binary(Binary::Add, 2, 3),
        ];
        let stores = vec![(Target::Register(2), 2), (Target::Register(4), 4)];
        Segment { function: Function { nodes, stores }, then: Then::Nothing }
    }

    fn gather(address: u16, results: &[u16]) -> Segment {
        let results = results.iter().map(|&register| (0, register)).collect();
        let address = Address { register: address, form: AddressForm::Number, offset: 0 };
        let choice = Choice { numbers: [Number::Fixed(0), Number::Register(address)], counts: [1; 2] };
        let effect = Effect::Gather(Gather { choice, first: 0, results });
        Segment { function: Function::default(), then: Then::Effect(effect) }
    }

    fn pruned(mut segments: Vec<Segment>, live: &[u16]) -> (Vec<Segment>, Vec<u16>) {
        let mut live = live.iter().copied().collect();
        prune(&mut segments, &mut live);
        (segments, live.into_iter().collect())
    }

    #[test]
    fn stores_that_nothing_reads_go_and_what_they_read_with_them() {
        let (segments, live) = pruned(vec![sums()], &[4]);
        assert_eq!(segments[0].function.stores, [(Target::Register(4), 4)]);
        assert_eq!(live, [0, 1, 3]);
        let (segments, live) = pruned(vec![sums()], &[2, 9]);
        assert_eq!(segments[0].function.stores, [(Target::Register(2), 2)]);
        assert_eq!(live, [0, 1, 9]);
        let (segments, live) = pruned(vec![sums()], &[9]);
        assert!(segments.is_empty());
        assert_eq!(live, [9]);
    }

    #[test]
    fn effects_keep_what_is_read_of_them() {
        // The address is the sum in lane register 2. One of two results is read.
        let (segments, live) = pruned(vec![sums(), gather(2, &[5, 6])], &[6]);
        let Then::Effect(effect) = &segments[1].then else { panic!("the effect stays") };
        assert_eq!(effect.written(), [6]);
        assert_eq!(segments[0].function.stores, [(Target::Register(2), 2)]);
        assert_eq!(live, [0, 1]);
        // Without any read, nothing is left at all.
        assert!(pruned(vec![sums(), gather(2, &[5, 6])], &[]).0.is_empty());
    }

    fn effect(effect: Effect) -> Segment {
        Segment { function: Function::default(), then: Then::Effect(effect) }
    }

    fn memory(action: ActionRegisters, address: u16, results: &[u16]) -> Segment {
        let results = results.iter().zip(0..).map(|(&register, component)| ResultRegister {
            component,
            word: 0,
            register,
        });
        let place = PlaceRegisters::Address([address, 99]);
        let results = results.collect();
        effect(Effect::Memory(MemoryRegisters { pc: 0, storage: Storage::U32, action, place, results }))
    }

    #[test]
    fn accesses_to_memory_stay_with_what_they_read() {
        // Stores lane register 4, which the sums write, to the address in lane register 7.
        let store = ActionRegisters::Store([[4, 99], [99; 2], [99; 2], [99; 2]]);
        let (segments, live) = pruned(vec![sums(), memory(store, 7, &[])], &[]);
        assert_eq!(segments.len(), 2);
        assert_eq!(segments[0].function.stores, [(Target::Register(4), 4)]);
        assert_eq!(live, [0, 1, 3, 7, 99]);
        // An atomic and a load take place even if their results are unused.
        for action in [ActionRegisters::Atomic(Atomic::Add, [[3, 99]; 4]), ActionRegisters::Load] {
            let (segments, live) = pruned(vec![memory(action, 7, &[5, 6])], &[6]);
            let Then::Effect(effect) = &segments[0].then else { panic!("the effect stays") };
            assert_eq!(effect.written(), [6]);
            assert!(live.contains(&7) && !live.contains(&6));
            assert_eq!(pruned(vec![memory(action, 7, &[5, 6])], &[]).0.len(), 1);
        }
    }

    #[test]
    fn emitted_vertices_keep_the_results_of_all_that_came_before() {
        // Lane registers 4 to 7 are a result, which is undefined after the vertex. The vertex keeps its value
        // alive, later code does not.
        let emit =
            EmitRegisters { emit: Emit::Vertex, stream: Some(9), results: vec![(4, Type::F32, [0.0; 4])] };
        let (segments, live) = pruned(vec![sums(), effect(Effect::Emit(emit))], &[]);
        assert_eq!(segments[0].function.stores, [(Target::Register(4), 4)]);
        assert_eq!(live, [0, 1, 3, 5, 6, 7, 9]);
    }

    #[test]
    fn discards_stay() {
        let mut segment = sums();
        segment.function.stores.push((Target::Bits(8), 4));
        segment.then = Then::Kill;
        let (segments, live) = pruned(vec![segment], &[]);
        assert_eq!(segments[0].function.stores, [(Target::Bits(8), 4)]);
        assert_eq!(live, [0, 1, 3]);
    }
}
