//! Loading of `!!ARBvp1.0` programs, without option, with NV_vertex_program2 and with NV_vertex_program3:
//! programs that load, and programs that are refused with the code and the place.
//!
//! The cases come from the texts of ARB_vertex_program (2.14.2 to 2.14.5), NV_vertex_program2_option and
//! NV_vertex_program3. They were written before the front end, so they do not repeat its mistakes. `corpus`
//! has the type of a case and the check.

mod attributes;
mod corpus;
mod edges;
mod generated;
mod grammar;
mod instructions;
mod names;
mod nv2;
mod nv3;
mod parameters;
mod resources;
mod results;
mod states;

use std::collections::BTreeSet;

use corpus::{Group, Verdict, check};

const GROUPS: [&[Group]; 10] = [
    grammar::GROUPS,
    names::GROUPS,
    attributes::GROUPS,
    parameters::GROUPS,
    states::GROUPS,
    results::GROUPS,
    instructions::GROUPS,
    nv2::GROUPS,
    nv3::GROUPS,
    edges::GROUPS,
];

#[test]
fn grammar() {
    check(grammar::GROUPS);
}

#[test]
fn names() {
    check(names::GROUPS);
}

#[test]
fn attributes() {
    check(attributes::GROUPS);
}

#[test]
fn parameters() {
    check(parameters::GROUPS);
}

#[test]
fn states() {
    check(states::GROUPS);
}

#[test]
fn results_addresses_and_options() {
    check(results::GROUPS);
}

#[test]
fn instructions() {
    check(instructions::GROUPS);
}

#[test]
fn option_nv_vertex_program2() {
    check(nv2::GROUPS);
}

#[test]
fn option_nv_vertex_program3() {
    check(nv3::GROUPS);
}

#[test]
fn edges_of_productions() {
    check(edges::GROUPS);
}

fn all_cases() -> impl Iterator<Item = (&'static Group, &'static corpus::Case)> {
    GROUPS.into_iter().flatten().flat_map(|group| group.cases.iter().map(move |case| (group, case)))
}

/// Each case has a text of its own, names its clause and gives a reason.
#[test]
fn the_corpus_is_large_and_no_text_is_twice_in_it() {
    let mut texts = BTreeSet::new();
    for (group, case) in all_cases() {
        assert!(texts.insert((case.text, case.languages.preludes())), "twice: {}", case.text);
        let documents = ["ARB_vertex_program", "NV_vertex_program2_option", "NV_vertex_program3"];
        assert!(documents.iter().any(|document| group.clause.starts_with(document)), "{}", group.clause);
        assert!(!case.reason.trim().is_empty(), "{}", case.text);
    }
    let refused = all_cases().filter(|(_, case)| case.verdict != Verdict::Loads).count();
    assert!(texts.len() >= 500 && refused >= 300, "{} cases, {refused} refused", texts.len());
}

/// A program that loads has no mark. A program that is refused has one mark, unless its error is known only
/// at the end.
#[test]
fn refused_texts_are_marked_once() {
    const AT_END: [&str; 1] = ["arb-unknown-label"];
    for (_, case) in all_cases() {
        for program in case.programs() {
            let marks = program.matches('@').count();
            let expected = match case.verdict {
                Verdict::Loads => 0,
                Verdict::Fails(code) => usize::from(!AT_END.contains(&code)),
            };
            assert_eq!(marks, expected, "{program}");
            assert!(!program.contains(['<', '>']), "a limit has no number: {program}");
        }
    }
}
