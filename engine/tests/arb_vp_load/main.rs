//! What programs in `!!ARBvp1.0` load and what they are refused for, with the place: without option and with
//! NV_vertex_program2 and NV_vertex_program3.
//!
//! Written from the texts of ARB_vertex_program (2.14.2 to 2.14.5), NV_vertex_program2_option and NV_vertex_program3
//! before there was a front end for them.

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

/// All groups, by module.
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

/// What the codes of the corpus mean.
const CODES: &[(&str, &str)] = &[
    ("arb-address-mask", "an address register's mask is not `.x`, without NV option"),
    ("arb-after-end", "something follows END"),
    ("arb-array-size", "an array's size is out of range or not that of its list"),
    ("arb-attribute-conflict", "a conventional attribute and its generic one"),
    ("arb-bad-attribute", "no such vertex attribute, or number"),
    ("arb-bad-component", "a letter that names no component"),
    ("arb-bad-condition", "no such condition"),
    ("arb-bad-constant", "a constant with more than four components"),
    ("arb-bad-index", "an array's index is out of range or no integer"),
    ("arb-bad-label", "a label that is no identifier"),
    ("arb-bad-mask", "a write mask out of order"),
    ("arb-bad-number", "not the form of a number"),
    ("arb-bad-offset", "an offset is out of range or no integer"),
    ("arb-bad-parameter", "no such program parameter, or number"),
    ("arb-bad-range", "a range that goes down, or stands where one vector must"),
    ("arb-bad-result", "no such result, or number"),
    ("arb-bad-selector", "SWZ's selector is none"),
    ("arb-bad-state", "no such state, or number"),
    ("arb-bad-suffix", "a suffix that the instruction has in no language here"),
    ("arb-bad-swizzle", "a selection of the wrong length, or where none may be"),
    ("arb-bad-texture-target", "no such texture target"),
    ("arb-bad-texture-unit", "no such image unit"),
    ("arb-bound-twice", "a state vector twice in arrays read through address registers"),
    ("arb-duplicate-label", "a second label of one name"),
    ("arb-empty-statement", "a semicolon without statement"),
    ("arb-invariant-position", "a position-invariant program names result.position"),
    ("arb-late-option", "an option behind a statement"),
    ("arb-later-feature", "grammar that an option would bring"),
    ("arb-later-instruction", "an instruction or suffix that an option would bring"),
    ("arb-missing-comma", "a comma is missing"),
    ("arb-missing-end", "END is missing"),
    ("arb-missing-semicolon", "a semicolon is missing"),
    ("arb-needs-address", "not an address register"),
    ("arb-needs-component", "a scalar without its component"),
    ("arb-needs-index", "an array without index"),
    ("arb-needs-row", "a whole matrix where one vector must stand"),
    ("arb-not-array", "an index behind what is no array"),
    ("arb-operand-count", "too few or too many operands"),
    ("arb-popa-mask", "POPA with a mask or condition"),
    ("arb-read-address", "an address register as an operand"),
    ("arb-read-result", "a result as an operand"),
    ("arb-redefined-name", "a name that is taken"),
    ("arb-reserved-label", "a keyword as a label"),
    ("arb-reserved-name", "a keyword as a name"),
    ("arb-scalar-suffix", "a selection behind a scalar constant, with NV option"),
    ("arb-too-many-addresses", "limit of address registers"),
    ("arb-too-many-instructions", "limit of instructions"),
    ("arb-too-many-parameters", "limit of parameter bindings"),
    ("arb-too-many-temporaries", "limit of temporaries"),
    ("arb-too-many-textures", "limit of image units in a vertex program"),
    ("arb-unclosed-bars", "one bar without the other"),
    ("arb-undefined-name", "a name not declared before"),
    ("arb-unexpected", "a token that the grammar does not have there"),
    ("arb-unknown-character", "no character of the language"),
    ("arb-unknown-instruction", "no such instruction"),
    ("arb-unknown-label", "a branch to a label that is nowhere"),
    ("arb-unknown-option", "no such option of vertex programs"),
    ("arb-write-address", "an address register as a destination"),
    ("arb-write-attribute", "an attribute as a destination"),
    ("arb-write-parameter", "a parameter as a destination"),
    ("header-not-first", "something before the header"),
    ("header-unknown", "no such header"),
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

/// Each case is a program of its own, and says what it shows of which clause.
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

/// A program that loads has no mark; one that is refused has one, unless its fault is known only at the end.
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

/// The table of codes has those that are used, in order, and no others.
#[test]
fn codes_are_explained() {
    assert!(CODES.is_sorted_by_key(|(code, _)| code));
    let sources = [include_str!("generated.rs"), include_str!("resources.rs")];
    for (code, meaning) in CODES {
        let in_cases = all_cases().any(|(_, case)| case.verdict == Verdict::Fails(code));
        let quoted = format!("\"{code}\"");
        assert!(in_cases || sources.iter().any(|source| source.contains(&quoted)), "{code} is not used");
        assert!(!meaning.is_empty());
    }
    for (_, case) in all_cases() {
        if let Verdict::Fails(code) = case.verdict {
            assert!(CODES.iter().any(|(known, _)| *known == code), "{code} is not explained");
        }
    }
}
