//! Compiles each kind of node for the processors that this back end is for. Cranelift panics at instructions
//! that it cannot select, so such a node would end the app there.

use super::*;
use crate::exec::lir::{
    Binary, Comparison, Function as Lowered, Half, Node, NodeId, Op64, QuadLanes, Shift, Target, Wanted,
    schedule,
};
use shadestep_language::num::Rounding;

/// The compiler for a processor with these extensions.
fn compiler_for(processor: &str, extensions: &[&str]) -> Compiler {
    let mut builder = cranelift_codegen::isa::lookup_by_name(processor).expect("a known processor");
    extensions.iter().for_each(|extension| builder.enable(extension).expect("a known extension"));
    let flags = settings::Flags::new(settings().expect("known settings"));
    Compiler { isa: builder.finish(flags).expect("flags that fit") }
}

/// Every operation on the first nodes, and every choice of it that changes the instructions.
fn all_nodes() -> Vec<Node> {
    let mut nodes = vec![Node::Register(0), Node::Input(1), Node::Uniform(2), Node::Constant(0x1234_5678)];
    nodes.extend(Binary::ALL.map(|binary| Node::Binary(binary, 0, 1)));
    nodes.extend(Half::ALL.into_iter().flat_map(|half| [Node::Zip(half, 0, 1), Node::Unzip(half, 0, 1)]));
    nodes.extend(Op64::ALL.map(|operation| Node::Op64(operation, 0, 1)));
    nodes.extend([Node::Sqrt(0), Node::WideSqrt(0), Node::WideCanonical(0)]);
    nodes.extend([Node::Flush(0), Node::Canonical(0)]);
    nodes.extend(Rounding::ALL.map(|rounding| Node::Round(rounding, 0)));
    nodes.extend([Node::ToFloat(0), Node::ToFloatUnsigned(0), Node::ToInteger(0)]);
    let counts = [0, 1, 31].into_iter();
    nodes.extend(counts.flat_map(|count| Shift::ALL.map(|shift| Node::Shift(shift, count, 0))));
    nodes.extend((0..=u8::MAX).map(|lanes| Node::Quad(QuadLanes(lanes), 0)));
    let mask = nodes.len() as NodeId;
    let tests = Comparison::ALL.into_iter().flat_map(|comparison| {
        [Wanted::Holds, Wanted::Fails].map(|wanted| Node::Compare(comparison, wanted, 0, 1))
    });
    nodes.extend(tests);
    nodes.extend([Node::Both(mask, mask + 1), Node::Either(mask, mask + 1), Node::Others(mask)]);
    nodes.push(Node::Select(mask, 0, 1));
    nodes
}

#[test]
fn every_node_compiles_for_every_processor() {
    for (processor, extensions) in [("aarch64", &[][..]), ("riscv64", &["has_v"])] {
        let compiler = compiler_for(processor, extensions);
        let nodes = all_nodes();
        for (id, node) in nodes.iter().enumerate() {
            let value = [Target::Register(9), Target::Output(9)];
            let mask = [Target::Bits(9), Target::Again].into_iter().filter(|_| node.is_mask());
            for target in value.into_iter().chain(mask) {
                let function = Lowered { nodes: nodes.clone(), stores: vec![(target, id as NodeId)] };
                let steps = schedule(&function);
                let scheduled = Scheduled { nodes: function.nodes, steps, denorms: Denorms::Kept };
                let code = compiler.machine_code(&mut Constants::default(), &scheduled);
                assert!(code.is_ok(), "{processor}: {node:?} to {target:?}: {code:?}");
            }
        }
    }
}
