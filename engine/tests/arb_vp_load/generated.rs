//! Cases generated from the tables of the texts: every keyword, binding and instruction.

use super::attributes::{ATTRIBUTES, CONFLICTS};
use super::corpus::{In, around, fails, limits, loads, numbered};
use super::instructions::{self, Shape};
use super::names::{KEYWORDS, NV2_KEYWORDS, NV3_KEYWORDS};
use super::results::RESULT_NAMES;
use super::states::{MATRIX_NAMES, MODIFIERS, VECTORS};

/// Splits a list into words and replaces their placeholders with the limits.
fn words(list: &str) -> Vec<String> {
    numbered(list).split_whitespace().map(str::to_owned).collect()
}

/// ARB_vertex_program 2.14.2, and the keyword lists of both options.
#[test]
fn each_language_reserves_its_keywords() {
    for (list, reserved, free) in [
        (KEYWORDS, In::All, None),
        (NV2_KEYWORDS, In::Nv, Some(In::Base)),
        (NV3_KEYWORDS, In::Nv3, Some(In::BeforeNv3)),
    ] {
        for keyword in words(list) {
            for options in reserved.preludes() {
                fails("arb-reserved-name", &around(options, &format!("TEMP @{keyword};")));
            }
            for options in free.map_or(&[][..], In::preludes) {
                loads(&around(options, &format!("TEMP {keyword}; MOV {keyword}, R0;")));
            }
        }
    }
}

/// ARB_vertex_program 2.14.3.1, Table X.2.
#[test]
fn every_attribute_binds_declared_and_in_place() {
    for attribute in ATTRIBUTES {
        let attribute = numbered(attribute);
        for options in In::All.preludes() {
            loads(&around(options, &format!("ATTRIB a = {attribute}; MOV R0, -a.yzwx;")));
            loads(&around(options, &format!("MOV R0, {attribute}; RCP R0.y, -{attribute}.w;")));
        }
    }
}

/// ARB_vertex_program 2.14.3.1, Table X.2.1: each pair conflicts in both orders, and either attribute goes
/// with all others.
#[test]
fn conventional_and_generic_attributes_conflict_by_their_table() {
    for (conventional, number) in CONFLICTS {
        let generic = format!("vertex.attrib[{number}]");
        for (first, second) in [(*conventional, generic.as_str()), (generic.as_str(), *conventional)] {
            let declared = format!("ATTRIB a = {first}; ATTRIB b = @{second}; MOV R0, R1;");
            fails("arb-attribute-conflict", &around("", &declared));
            let in_place = format!("ADD R0, {first}, @{second};");
            fails("arb-attribute-conflict", &around("OPTION NV_vertex_program2;", &in_place));
        }
        let others: String = (0..limits::VERTEX_ATTRIBS)
            .filter(|other| other != number)
            .map(|other| format!("MOV R0, vertex.attrib[{other}];\n"))
            .collect();
        loads(&around("", &format!("MOV R1, {conventional};\n{others}")));
    }
}

/// ARB_vertex_program 2.14.3.2, Tables X.3.2 to X.3.7.
#[test]
fn every_state_vector_binds_declared_in_arrays_and_in_place() {
    for vector in words(VECTORS) {
        for options in In::All.preludes() {
            loads(&around(options, &format!("PARAM p = state.{vector}; MOV R0, p;")));
            loads(&around(options, &format!("PARAM p[2] = {{ state.{vector}, 1 }}; MOV R0, p[A0.x];")));
            loads(&around(options, &format!("ADD R0, -state.{vector}, state.{vector}.w;")));
        }
    }
}

/// ARB_vertex_program 2.14.3.2, Table X.3.8.
#[test]
fn every_matrix_binds_whole_by_rows_and_by_row() {
    for matrix in words(MATRIX_NAMES) {
        for modifier in MODIFIERS {
            let matrix = format!("state.matrix.{matrix}{modifier}");
            loads(&around("", &format!("PARAM p[4] = {{ {matrix} }}; MOV R0, p[3];")));
            loads(&around("", &format!("PARAM p[3] = {{ {matrix}.row[1..3] }}; MOV R0, p[A0.x+2];")));
            loads(&around("", &format!("PARAM p = {matrix}.row[2]; MOV R0, p;")));
            loads(&around("", &format!("DP4 R0.x, {matrix}.row[0], -{matrix}.row[3].wzyx;")));
            fails("arb-bad-state", &around("", &format!("PARAM p = {matrix}.row[@4];")));
            fails("arb-needs-row", &around("", &format!("MOV R0, {matrix}@;")));
        }
    }
}

/// ARB_vertex_program 2.14.3.4, Table X.4, and the results that NV_vertex_program2_option adds.
#[test]
fn every_result_binds_declared_and_in_place() {
    let clip = |options: &str| if options.is_empty() { "" } else { "clip[0] clip[<CLIP-1>]" };
    for options in In::All.preludes() {
        for result in words(&format!("{RESULT_NAMES} {}", clip(options))) {
            loads(&around(options, &format!("OUTPUT o = result.{result}; MOV o.yw, R0;")));
            loads(&around(options, &format!("MOV result.{result}, R0; ADD result.{result}.x, R0, R1;")));
        }
    }
}

fn statement(name: &str, parts: &[&str]) -> String {
    format!("{name} {};", parts.join(", "))
}

/// Table X.5 of each text: each instruction loads with exactly its operands, and not with one fewer or one
/// more.
#[test]
fn every_instruction_takes_its_operands() {
    for (rows, languages) in
        [(instructions::BASE, In::All), (instructions::NV2, In::Nv), (instructions::NV3, In::Nv3)]
    {
        for (name, shape) in rows {
            let parts = shape.parts();
            for options in languages.preludes() {
                loads(&around(options, &statement(name, &parts)));
                let fewer = statement(name, &parts[..parts.len() - 1]).replace(';', "@;");
                fails("arb-operand-count", &around(options, &fewer));
                let more = format!("{name} {}@, R3;", parts.join(", "));
                fails("arb-operand-count", &around(options, &more));
            }
        }
    }
}

/// Table X.5 of each text: the names and suffixes of each language.
#[test]
fn every_instruction_has_the_suffixes_of_its_table() {
    const CODES: [&str; 3] = ["C", "C0", "C1"];
    let all = [instructions::BASE, instructions::NV2, instructions::NV3];
    for (since, rows) in all.into_iter().enumerate() {
        for (name, shape) in rows {
            let address = matches!(shape, Shape::AddressLoad | Shape::AddressAdd);
            let mut suffixes = vec![("", 0)];
            for code in CODES {
                suffixes.push((code, if code == "C" { 1 } else { 2 }));
            }
            let saturated = ["_SAT", "C_SAT", "C0_SAT", "C1_SAT"].map(|suffix| (suffix, 2));
            if !address {
                suffixes.extend(saturated);
            }
            for (suffix, from) in suffixes {
                for (language, options) in In::All.preludes().iter().enumerate() {
                    let text = statement(&format!("{name}{suffix}"), &shape.parts());
                    if language >= since.max(from) {
                        loads(&around(options, &text));
                    } else {
                        fails("arb-later-instruction", &around(options, &format!("@{text}")));
                    }
                }
            }
        }
    }
}
