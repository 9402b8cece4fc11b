//! Options (ARB_fragment_program 3.11.4.5, and the sections 3.11.4.5.3 of the other texts).

use super::{ALL, BASE, program, refuses};

const OPTIONS: [&str; 12] = [
    "ARB_fog_exp",
    "ARB_fog_exp2",
    "ARB_fog_linear",
    "ARB_precision_hint_fastest",
    "ARB_precision_hint_nicest",
    "ARB_fragment_program_shadow",
    "ARB_draw_buffers",
    "ATI_draw_buffers",
    "ARB_fragment_coord_origin_upper_left",
    "ARB_fragment_coord_pixel_center_integer",
    "NV_fragment_program",
    "NV_fragment_program2",
];

#[test]
fn each_alone_twice_and_with_every_other() {
    let kind = |name: &str| ["fog", "precision"].into_iter().find(|kind| name.contains(kind));
    for first in OPTIONS {
        program(&format!(
            "!!ARBfp1.0 OPTION {first}; TEMP t; MOV t, fragment.color; MOV result.color, t; END"
        ));
        for second in OPTIONS {
            let conflict = first != second && kind(first).is_some() && kind(first) == kind(second);
            if conflict {
                let text = format!("!!ARBfp1.0 OPTION {first}; OPTION @{second}; END");
                refuses(BASE, &[("arb-conflicting-options", text)]);
            } else {
                program(&format!("!!ARBfp1.0 OPTION {first}; OPTION {second}; END"));
            }
        }
    }
    let compatible: String = OPTIONS
        .iter()
        .filter(|name| !matches!(**name, "ARB_fog_exp" | "ARB_fog_exp2" | "ARB_precision_hint_nicest"))
        .map(|name| format!("OPTION {name};\n"))
        .collect();
    program(&format!("!!ARBfp1.0\n{compatible}MOVC result.color[1], |fragment.facing|; END"));
}

#[test]
fn grammar_of_options() {
    refuses(
        BASE,
        &[
            ("arb-unexpected", "!!ARBfp1.0 OPTION @; END"),
            ("arb-unexpected", "!!ARBfp1.0 OPTION @1; END"),
            ("arb-unexpected", "!!ARBfp1.0 OPTION @-ARB_fog_exp; END"),
            ("arb-unexpected", "!!ARBfp1.0 OPTION ARB_fog_exp@, NV_fragment_program; END"),
            ("arb-unexpected", "!!ARBfp1.0 OPTION ARB_fog_exp @= 1; END"),
            ("arb-unexpected", "!!ARBfp1.0 OPTION ARB_fog_exp @NV_fragment_program; END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 OPTION ARB_fog_exp\n@OPTION NV_fragment_program; END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 OPTION ARB_fog_exp\n@TEMP a; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @ARB_fog; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @arb_fog_exp; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @ARB_fog_EXP; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @ARB_position_invariant; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @NV_vertex_program2; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @NV_vertex_program3; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @NV_fragment_program3; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @NV_fragment_program4; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @NV_fragment_program_option; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @ATI_draw_buffer; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @MOV; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @OPTION; END"),
            ("arb-unknown-option", "!!ARBfp1.0 OPTION @x; END"),
            ("arb-unknown-instruction", "!!ARBfp1.0 @option ARB_fog_exp; END"),
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-late-option", "@OPTION ARB_fog_exp;"),
            ("arb-late-option", "MOV t, u; @OPTION ARB_draw_buffers; MOV t, u;"),
            // A refused option brings no features.
            ("arb-late-option", "@OPTION ARB_fragment_program_shadow;"),
        ],
    );
    refuses(
        BASE,
        &[
            ("arb-late-option", "!!ARBfp1.0 PARAM p = 1; @OPTION ARB_fog_exp; END"),
            ("arb-late-option", "!!ARBfp1.0 KIL fragment.color; @OPTION NV_fragment_program2; END"),
            ("arb-late-option", "!!ARBfp1.0 OPTION NV_fragment_program2; main: @OPTION ARB_fog_exp; END"),
        ],
    );
}

/// Without the option its words are ordinary names, and its features are refused with the option's name in
/// the message.
#[test]
fn what_is_not_asked_for_is_not_there() {
    for instruction in [
        "DDX t, u",
        "MOVH t, u",
        "STR t, u, v",
        "PK2H t, u",
        "UP4B t, u.x",
        "X2D t, u, v, t",
        "RFL t.x, u, v",
    ] {
        refuses(BASE, &[("arb-later-instruction", format!("@{instruction};"))]);
    }
    for instruction in [
        "NRM t, u",
        "DIV t, u, v.x",
        "DP2 t, u, v",
        "DP2A t, u, v, t",
        "TXL t, u, texture, 2D",
        "ADD_SSAT t, u, v",
        "SWZH t, u, x, y, z, w",
        "CAL f",
        "RET",
        "BRK",
        "IF GT.x",
        "LOOP {1,2,3}",
        "REP 3",
        "ENDIF",
    ] {
        refuses(super::BEFORE_NV2, &[("arb-later-instruction", format!("@{instruction};"))]);
    }
    refuses(super::BEFORE_NV2, &[("arb-later-feature", "@main:"), ("arb-later-feature", "@f: MOV t, u;")]);
    for instruction in
        ["BRA f", "ARL t, u", "SSG t, u", "EXP t, u.x", "LOG t, u.x", "PUSHA t", "CONT", "MOVI t, u", "NOP"]
    {
        refuses(ALL, &[("arb-unknown-instruction", format!("@{instruction};"))]);
    }
}
