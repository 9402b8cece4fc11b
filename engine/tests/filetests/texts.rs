//! The printer, the parser and the verifier of the low-level IR.

use std::collections::BTreeSet;

use super::random;
use crate::support::random::Random;
use proptest::prelude::*;
use rstest::rstest;
use shadestep_core::exec::lir::text::{parse, parse_blocks, print};
use shadestep_core::exec::lir::{Function, Masks, Node, names, verify};

/// Asserts that `function` prints to a text that parses to the same function.
pub fn assert_prints_and_parses(function: &Function) {
    let text = print("sample", function);
    let parsed = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let [parsed] = parsed.as_slice() else { panic!("one function\n{text}") };
    assert_eq!((parsed.name.as_str(), &parsed.code), ("sample", function), "{text}");
}

#[test]
fn operations_have_different_names() {
    let names = names();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
}

/// The random functions of the tests below have every operation.
#[test]
fn random_functions_have_every_operation() {
    let mut random = Random::new(1);
    let found: BTreeSet<String> = random::operations(&mut random)
        .into_iter()
        .map(|node| {
            let before = vec![Node::Constant(0); 3];
            let nodes = before.into_iter().chain([node.with_operands(|at| at)]).collect();
            let text = print("f", &Function { nodes, stores: Vec::new() });
            let line = text.lines().nth(4).expect("the line of the operation");
            line.split_whitespace().nth(2).expect("its name").to_owned()
        })
        .collect();
    // Results are in blocks only.
    let names = names().into_iter().filter(|&name| name != "result").map(str::to_owned);
    assert_eq!(found, names.collect());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn functions_print_and_parse(seed in any::<u64>(), length in 3..80_usize) {
        let function = random::function(&mut Random::new(seed), length);
        assert_eq!(verify(&function, Masks::Own), Vec::<String>::new(), "{}", print("random", &function));
        assert_prints_and_parses(&function);
    }

    #[test]
    fn incorrect_functions_are_found_and_printed(seed in any::<u64>(), operand in any::<u32>()) {
        let mut random = Random::new(seed);
        let mut function = random::function(&mut random, 20);
        let at = random.below(function.nodes.len());
        function.nodes[at] = function.nodes[at].with_operands(|_| operand.max(at as u32));
        let is_broken = function.nodes[at].operands().next().is_some();
        assert_eq!(verify(&function, Masks::Own).is_empty(), !is_broken);
        let _ = print("incorrect", &function);
    }

    #[test]
    fn texts_never_panic(
        seed in any::<u64>(),
        place in any::<prop::sample::Index>(),
        inserted in "[ -~\n]{0,4}|\\PC",
        removed in 0..4_usize,
    ) {
        let text = print("random", &random::function(&mut Random::new(seed), 12));
        let place = place.index(text.len());
        let end = (place + removed).min(text.len());
        let edited = format!("{}{inserted}{}", &text[..place], &text[end..]);
        if let Ok(parsed) = parse(&edited) {
            for parsed in parsed {
                let _ = verify(&parsed.code, Masks::Own);
                assert_prints_and_parses(&parsed.code);
            }
        }
    }
}

#[rstest]
#[case("v0 = register 0", "1:1: expected function, found v0")]
#[case("function {\n}", "1:10: expected a name such as %sum, found {")]
#[case("function %f\n{\n}", "1:12: expected {, found the end of the line")]
#[case("function %f {", "1:1: the function %f has no closing brace")]
#[case("function %f {\n} v0", "2:3: expected the end of the line, found v0")]
#[case("function %f {\n    v0 = regster 0\n}", "2:10: regster is not an operation; did you mean register?")]
#[case("function %f {\n    v0 = v0\n}", "2:10: v0 is not an operation")]
#[case("function %f {\n    v0 =\n}", "2:9: expected an operation, found the end of the line")]
#[case("function %f {\n    v0 register 0\n}", "2:8: expected =, found register")]
#[case("function %f {\n    sqrt v0\n}", "2:5: expected a value such as v0, a store or }, found sqrt")]
#[case("function %f {\n    v01 = register 0\n}", "2:5: expected a value such as v0, a store or }, found v01")]
#[case("function %f {\n    v0 = register 65536\n}", "2:19: expected a number from 0 to 65535, found 65536")]
#[case(
    "function %f {\n    v0 = constant 1e9\n}",
    "2:19: expected 32 bits, such as 0x3f800000, 1.0 or -1, found 1e9"
)]
#[case(
    "function %f {\n    v0 = register 0\n    v0 = register 1\n}",
    "3:5: line 2 already defines this value"
)]
#[case("function %f {\n    v0 = register 0\n    v1 = sqrt v2\n}", "3:15: v2 is not defined before this line")]
#[case("function %f {\n    v0 = register 0\n    v1 = sqrt m0\n}", "3:15: m0 is not defined before this line")]
#[case(
    "function %f {\n    v0 = register 0\n    v1 = lt v0, v0\n}",
    "3:5: the result of lt is a mask: write m1"
)]
#[case(
    "function %f {\n    v0 = register 0\n    w1 = add v0, v0\n}",
    "3:5: the result of add is a value: write v1"
)]
#[case(
    "function %f {\n    v0 = register 0\n    v1 = add v0 v0\n}",
    "3:17: expected a comma and another argument, found v0"
)]
#[case(
    "function %f {\n    v0 = register 0\n    v1 = sqrt v0, v0\n}",
    "3:17: expected the end of the line, found ,"
)]
#[case("function %f {\n    v0 = register 0\n    w1 = zip v0, v0\n}", "3:14: expected low or high, found v0")]
#[case(
    "function %f {\n    v0 = register 0\n    v1 = quad v0, 0124\n}",
    "3:19: expected four digits from 0 to 3, such as 1032, found 0124"
)]
#[case(
    "function %f {\n    v0 = register 0\n    store regster 0, v0\n}",
    "3:11: expected register or output or bits or again, found regster"
)]
#[case("function %f {\n    v0 = sqrt (v1)\n}", "2:15: unexpected character '('")]
fn errors_have_places(#[case] text: &str, #[case] error: &str) {
    assert_eq!(parse(text).expect_err("an error").to_string(), error);
}

#[rstest]
#[case("function %f {\n}", "1:1: expected block, found function")]
#[case("block %b {\n    kill v0\n}", "2:10: v0 is not defined before this line")]
#[case(
    "block %b {\n    v0 = register 0\n    v1, v2 = sqrt v0\n}",
    "3:14: expected an effect such as texture, found sqrt"
)]
#[case("block %b {\n    v0 = vote question any ty U32\n}", "2:34: expected group, found the end of the line")]
#[case("block %b {\n    v0 = vote question some ty U32\n}", "2:24: expected all or any or equal, found some")]
#[case(
    "block %b {\n    v0 = vote question any ty U32 group x\n}",
    "2:41: expected a number from 0 to 255, found x"
)]
#[case(
    "block %b {\n    v0 = vote question any ty U32 group 4\n}",
    "2:42: expected a value such as v0, found the end of the line"
)]
#[case(
    "block %b {\n    v0 = register 0\n    m1 = vote question any ty U32 group 4 v0\n}",
    "3:5: a result of an effect is a value: write v1"
)]
#[case(
    "block %b {\n    v0 = register 0\n    v1, v1 = vote question any ty U32 group 4 v0\n}",
    "3:9: this line already defines this value"
)]
#[case("block %b {\n    end_if\n    synchronise\n}", "3:5: expected } after the exit, found synchronise")]
#[case("block %b {\n    branch 3 v0\n}", "2:14: v0 is not defined before this line")]
#[case(
    "block %b {\n    emit emit EMIT outputs [ 4..8 9 ]\n}",
    "2:35: expected lane registers such as 4..8, found 9"
)]
fn errors_in_blocks_have_places(#[case] text: &str, #[case] error: &str) {
    assert_eq!(parse_blocks(text).expect_err("an error").to_string(), error);
}

#[test]
fn constants_have_three_forms() {
    let text = "function %f {\n  v5 = constant 1.0\n  v6 = constant -1 ; all bits\n  v9 = constant 0x0\n}\n";
    let parsed = parse(text).expect("a function");
    assert_eq!(
        parsed[0].code.nodes,
        [Node::Constant(0x3F80_0000), Node::Constant(u32::MAX), Node::Constant(0)]
    );
    let printed = "function %f {\n    v0 = constant 0x3f800000 ; 1.0\n    v1 = constant 0xffffffff\n    \
        v2 = constant 0x00000000\n}\n";
    assert_eq!(print("f", &parsed[0].code), printed);
}
