//! Lookups and KIL (ARB_fragment_program 3.11.6, ARB_fragment_program_shadow 3.11.2,
//! NV_fragment_program_option 3.11.6).

use super::{ALL, NV, NV2, accepts, program, refuses};

#[test]
fn units_and_targets() {
    for instruction in ["TEX", "TXP", "TXB", "TEX_SAT", "TXP_SAT", "TXB_SAT"] {
        for target in ["1D", "2D", "3D", "CUBE", "RECT"] {
            accepts(
                ALL,
                &[
                    &format!(
                        "{instruction} t, u, texture[0], {target}; {instruction} t.xy, -u.xxyy, texture[15], {target};"
                    ),
                    &format!("{instruction} result.color, fragment.texcoord, texture, {target};"),
                    &format!(
                        "{instruction} t, program.env[0], texture [ 07 ] , {target} ; {instruction} t, {{1,2}}.y, texture[7], {target};"
                    ),
                ],
            );
        }
    }
    accepts(
        NV,
        &[
            "TXD t, u, v, t, texture[3], 2D; TXDC_SAT t.x (EQ), -|u|, v.x, 1, texture[3], 2D; TEXC t, u, texture, CUBE;",
        ],
    );
    accepts(NV2, &["TXL t, u, texture[3], 3D; TXLC_SSAT t (NE.x), |u|, texture, RECT;"]);
    refuses(
        ALL,
        &[
            ("arb-operand-count", "TEX t, u@;"),
            ("arb-operand-count", "TEX t, u, texture[0]@;"),
            ("arb-operand-count", "TEX t, u, texture@;"),
            ("arb-operand-count", "TEX t, u, texture[0], 2D@, u;"),
            ("arb-bad-texture-unit", "TEX t, u, @;"),
            ("arb-bad-texture-unit", "TEX t, u, @2D;"),
            ("arb-bad-texture-unit", "TEX t, u, @0, 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, @u, 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, @Texture[0], 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, @texture0, 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, @TEX0, 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, @fragment.texcoord[0], 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, @-texture[0], 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, texture[@16], 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, texture[@1.0], 2D;"),
            ("arb-bad-texture-unit", "TEX t, u, texture[@99999999999], 2D;"),
            ("arb-unexpected", "TEX t, u, texture[@-1], 2D;"),
            ("arb-unexpected", "TEX t, u, texture[@], 2D;"),
            ("arb-unexpected", "TEX t, u, texture[@u], 2D;"),
            ("arb-unexpected", "TEX t, u, texture[0@, 2D;"),
            ("arb-unexpected", "TEX t, u, texture[0@..1], 2D;"),
            ("arb-unexpected", "TEX t, u, texture[0]@.x, 2D;"),
            ("arb-unexpected", "TEX t, u, texture[0]@[0], 2D;"),
            ("arb-unexpected", "TEX t, u, texture@.x, 2D;"),
            ("arb-missing-comma", "TEX t, u, texture[0] @2D;"),
            ("arb-missing-comma", "TEX t, u @texture[0], 2D;"),
            ("arb-missing-comma", "TEX t @u, texture[0], 2D;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @2d;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @4D;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @2;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @2 D;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @cube;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @CUBEMAP;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @TEXTURE_2D;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @ARRAY2D;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @SHADOWCUBE;"),
            ("arb-bad-texture-target", "TEX t, u, texture[0], @-2D;"),
            ("arb-unexpected", "TEX t, u, texture[0], 2D@.x;"),
            ("arb-unexpected", "TEX t, u, texture[0], 2D @3D;"),
            ("arb-unexpected", "MOV t, @texture[0];"),
            ("arb-unexpected", "TEX t, @texture[0], texture[0], 2D;"),
            ("arb-unexpected", "TEX t,@, texture[0], 2D;"),
        ],
    );
    refuses(
        NV,
        &[
            ("arb-unexpected", "TXD t, u, @texture[0], 2D;"),
            ("arb-unexpected", "TXD t, u, v, @texture[0], 2D;"),
            ("arb-bad-texture-unit", "TXD t, u, v, t, @u, texture[0], 2D;"),
            ("arb-operand-count", "TXD t, u, v, t@;"),
        ],
    );
}

#[test]
fn one_target_a_unit() {
    accepts(
        ALL,
        &[
            "TEX t, u, texture[0], 2D; TXP t, u, texture[0], 2D; TXB t, u, texture, 2D; TEX t, u, texture[1], 3D;",
            "TEX t, u, texture[00], RECT; TEX t, u, texture, RECT; TEX t, u, texture[2], CUBE; TEX t, u, texture[3], 1D;",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-two-targets", "TEX t, u, texture[0], 2D; TEX t, u, texture[0], @3D;"),
            ("arb-two-targets", "TEX t, u, texture, 2D; TXP t, u, texture[0], @CUBE;"),
            (
                "arb-two-targets",
                "TEX t, u, texture[15], 1D; TXB t, u, texture[14], 2D; TEX t, u, texture[15], @RECT;",
            ),
            (
                "arb-two-targets",
                "TEX t, u, texture[0], 2D; TEX t, u, texture[0], 2D; TEX t, u, texture[0], @1D;",
            ),
        ],
    );
    refuses(NV, &[("arb-two-targets", "TXD t, u, u, u, texture[0], 2D; TEX t, u, texture[0], @3D;")]);
    refuses(
        NV2,
        &[("arb-two-targets", "TXL t, u, texture[0], 2D; IF TR; TEX t, u, texture[0], @3D; ENDIF;")],
    );
}

#[test]
fn shadow_targets() {
    let with =
        |body: &str| format!("!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\nTEMP t, u;\n{body}\nEND\n");
    for target in ["SHADOW1D", "SHADOW2D", "SHADOWRECT"] {
        for instruction in ["TEX", "TXP", "TXB"] {
            let lookup = format!("{instruction} t, u, texture[1], {target};");
            program(&with(&lookup));
            program(&with(&format!("TEX t, u, texture, 2D; {lookup} {lookup}")));
            refuses(ALL, &[("arb-later-feature", format!("{instruction} t, u, texture[1], @{target};"))]);
        }
        let other = if target == "SHADOW1D" { "SHADOW2D" } else { "SHADOW1D" };
        refuses(
            ALL,
            &[
                (
                    "arb-two-targets",
                    with(&format!("TEX t, u, texture, {target}; TEX t, u, texture, @{other};")),
                ),
                ("arb-two-targets", with(&format!("TEX t, u, texture, 2D; TEX t, u, texture, @{target};"))),
                ("arb-two-targets", with(&format!("TEX t, u, texture, {target}; TEX t, u, texture, @RECT;"))),
            ],
        );
        // The target's name stays free for variables.
        program(&with(&format!("TEMP {target}; MOV {target}, t; TEX {target}, u, texture, {target};")));
    }
    refuses(
        ALL,
        &[
            ("arb-bad-texture-target", with("TEX t, u, texture, @SHADOW3D;")),
            ("arb-bad-texture-target", with("TEX t, u, texture, @SHADOWCUBE;")),
            ("arb-bad-texture-target", with("TEX t, u, texture, @Shadow2D;")),
        ],
    );
}
