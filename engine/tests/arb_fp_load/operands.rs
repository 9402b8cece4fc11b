//! Operands, destinations, masks and conditions (ARB_fragment_program 3.11.2, 3.11.4.1, 3.11.4.3, 3.11.5.28),
//! with the changes of NV_fragment_program_option.

use super::{ALL, BASE, NV, accepts, refuses};

const LETTERS: [char; 8] = ['x', 'y', 'z', 'w', 'r', 'g', 'b', 'a'];

/// Words of one to three letters from xyzw and rgba, mixed sets included, and some longer words.
fn words() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut words = Vec::new();
    for _ in 0..3 {
        all = all.iter().flat_map(|word| LETTERS.map(|letter| format!("{word}{letter}"))).collect();
        words.extend(all.clone());
    }
    for [a, b] in ["xy", "rg", "wz", "ab", "xr", "gy"].map(|pair| [&pair[..1], &pair[1..]]) {
        words.extend([format!("{a}{a}{b}{b}"), format!("{a}{b}{a}{b}"), format!("{a}{a}{a}{b}")]);
        words.push(format!("{a}{b}{a}{b}{a}"));
    }
    words.extend(["xyzw", "rgba", "wzyx", "abgr", "xyzwx", "rgbar"].map(str::to_owned));
    words
}

fn is_mixed(word: &str) -> bool {
    word.contains(['x', 'y', 'z', 'w']) && word.contains(['r', 'g', 'b', 'a'])
}

#[test]
fn swizzles_are_one_letter_or_four_of_one_set() {
    for word in words() {
        let legal = matches!(word.len(), 1 | 4);
        let (vector, scalar) = match (is_mixed(&word), word.len()) {
            (true, _) => (Some("arb-mixed-components"), Some("arb-mixed-components")),
            (false, 1) => (None, None),
            (false, 4) => (None, Some("arb-needs-component")),
            (false, _) => (Some("arb-bad-swizzle"), Some("arb-bad-swizzle")),
        };
        assert_eq!(vector.is_none(), legal && !is_mixed(&word));
        match vector {
            None => accepts(BASE, &[&format!("MOV t, u.{word}; MOV t, -fragment.color.{word};")]),
            Some(code) => refuses(BASE, &[(code, format!("MOV t, u.@{word};"))]),
        }
        match scalar {
            None => accepts(BASE, &[&format!("RCP t, u.{word}; RCP t, -fragment.color.{word};")]),
            Some(code) => refuses(BASE, &[(code, format!("RCP t, u.@{word};"))]),
        }
    }
    // Each letter of a swizzle may be a token of its own.
    accepts(ALL, &["MOV t, u.x y z w; MOV t, u . x x\ny y; MOV t, u.xy zw; MOV t, u.r\t;"]);
    refuses(
        ALL,
        &[
            ("arb-bad-component", "MOV t, u.@q;"),
            ("arb-bad-component", "MOV t, u.@X;"),
            ("arb-bad-component", "MOV t, u.@stpq;"),
            ("arb-bad-component", "MOV t, u.@xyzq;"),
            ("arb-bad-component", "MOV t, u.@x0;"),
            ("arb-unexpected", "MOV t, u.@;"),
            ("arb-unexpected", "MOV t, u@.0;"),
            ("arb-unexpected", "MOV t, u@..x;"),
            ("arb-unexpected", "MOV t, u.@-x;"),
            ("arb-bad-swizzle", "MOV t, u.x@.x;"),
            ("arb-bad-swizzle", "MOV t, u.xyzw@.x;"),
            ("arb-needs-component", "RCP t, u@;"),
            ("arb-needs-component", "POW t, u@, v.x;"),
            ("arb-needs-component", "POW t, u.x, v@;"),
            ("arb-needs-component", "RCP t, -u@;"),
        ],
    );
}

#[test]
fn masks_are_letters_of_one_set_in_order() {
    for word in words() {
        let order = |letters: &str| word.chars().map(|c| letters.find(c)).collect::<Option<Vec<_>>>();
        let places = order("xyzw").or_else(|| order("rgba"));
        let legal = places.is_some_and(|places| places.is_sorted_by(|a, b| a < b));
        if legal {
            accepts(BASE, &[&format!("MOV t.{word}, u; MOV result.color.{word}, u;")]);
        } else {
            let code = if is_mixed(&word) { "arb-mixed-components" } else { "arb-bad-mask" };
            refuses(
                BASE,
                &[(code, format!("MOV t.@{word}, u;")), (code, format!("MOV result.depth.@{word}, u;"))],
            );
        }
    }
    refuses(
        ALL,
        &[
            ("arb-bad-component", "MOV t.@q, u;"),
            ("arb-bad-component", "MOV t.@X, u;"),
            ("arb-unexpected", "MOV t.@, u;"),
            ("arb-unexpected", "MOV t.x@.y, u;"),
            // A mask is one token.
            ("arb-missing-comma", "MOV t.x @y, u;"),
            ("arb-missing-comma", "MOV result.color.rgb @a, u;"),
            ("arb-unexpected", "MOV @-t, u;"),
            ("arb-unexpected", "MOV @+t, u;"),
            ("arb-unexpected", "MOV @{1}, u;"),
            ("arb-unexpected", "MOV @MOV, u;"),
            ("arb-unexpected", "MOV @TEMP, u;"),
            ("arb-unexpected", "MOV @texture[0], u;"),
            ("arb-write-parameter", "MOV @state.fog.color, u;"),
            ("arb-write-attribute", "MOV @fragment.position, u;"),
        ],
    );
}

#[test]
fn signs() {
    accepts(
        ALL,
        &["MOV t, -u; MOV t, +u; MOV t, - u.x; ADD t, -u, + v; KIL -u.x; RCP t, -u.x; POW t, +u.x, -v.w;"],
    );
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV t, -@-u;"),
            ("arb-unexpected", "MOV t, +@-u;"),
            ("arb-unexpected", "MOV t, -@+u;"),
            ("arb-unexpected", "MOV t, -@;"),
            ("arb-unexpected", "MOV t, u @- v;"),
            ("arb-unexpected", "SWZ t, @-u, x, y, z, w;"),
            ("arb-unexpected", "MOV t, -@MOV;"),
            ("arb-unexpected", "MOV t, -@texture[0];"),
        ],
    );
}

#[test]
fn bars_come_with_the_nv_options() {
    accepts(
        NV,
        &[
            "MOV t, |u|; MOV t, -|u.x|; MOV t, +|-u.wzyx|; MOV t, -|-u|; MOV t, | + u . x |; RCP t, |u.x|; RCP t, -|-u.w|;",
            "ADD t, |fragment.color|, -|program.env[0].x|; PARAM p[] = { 1, 2 }; MAD t, |p[1]|, |state.fog.color|, |{1,-2}.yyyx|;",
            "KIL |u|; TEX t, -|u|, texture, 2D; TXD t, |u|, -|u.x|, |v|, texture[1], 2D; POW t, |u.x|, -|2|;",
        ],
    );
    refuses(
        NV,
        &[
            ("arb-unclosed-bars", "MOV t, |u@;"),
            ("arb-unclosed-bars", "ADD t, |u@, v|;"),
            ("arb-unclosed-bars", "MOV t, |u.x @- v|;"),
            ("arb-unexpected", "MOV t, |@|;"),
            ("arb-unexpected", "MOV t, |@|u||;"),
            ("arb-unexpected", "MOV t, |-@-u|;"),
            ("arb-unexpected", "MOV t, -@-|u|;"),
            ("arb-unexpected", "MOV t, u@|;"),
            ("arb-unexpected", "MOV t, |u|@|;"),
            ("arb-bad-swizzle", "MOV t, |u|@.x;"),
            ("arb-bad-swizzle", "RCP t, |u.x|@.x;"),
            ("arb-needs-component", "RCP t, |u@|;"),
            ("arb-unexpected", "MOV @|t|, u;"),
            ("arb-unexpected", "SWZ t, @|u|, x, y, z, w;"),
            ("arb-unexpected", "PARAM p = @|1|;"),
        ],
    );
    refuses(
        BASE,
        &[
            ("arb-later-feature", "MOV t, @|u|;"),
            ("arb-later-feature", "MOV t, -@|u.x|;"),
            ("arb-later-feature", "MOV t, @|-u|;"),
            ("arb-later-feature", "RCP t, @|u.x|;"),
            ("arb-later-feature", "RCP t, @|2|;"),
            ("arb-later-feature", "KIL @|u|;"),
            ("arb-later-feature", "ADD t, u, -@|v|;"),
        ],
    );
}

#[test]
fn conditions_come_with_the_nv_options() {
    for rule in ["EQ", "GE", "GT", "LE", "LT", "NE", "TR", "FL"] {
        accepts(
            NV,
            &[&format!(
                "MOVC t, u; MOV t ({rule}), u; MOV t.xy({rule}.x), u; MOV result.color ( {rule} . wzyx ), u;\
                    TEX t ({rule}.rgba), u, texture, 2D; KIL {rule}; KIL {rule}.x; KIL {rule}.abgr;"
            )],
        );
        refuses(
            BASE,
            &[
                ("arb-later-feature", format!("MOV t @({rule}), u;")),
                ("arb-later-feature", format!("MOV t.xy @({rule}.x), u;")),
                ("arb-later-feature", format!("TEX result.color @({rule}.xyzw), u, texture, 2D;")),
                // Without the NV options KIL reads the rule as a name, and no variable has that name.
                ("arb-undefined-name", format!("KIL @{rule};")),
                ("arb-undefined-name", format!("KIL @{rule}.xyzw;")),
            ],
        );
    }
    refuses(
        BASE,
        &[
            // The content of the parentheses is not checked.
            ("arb-later-feature", "MOV t @(XX), u;"),
            ("arb-later-feature", "MOV t @(EQ0), u;"),
            ("arb-later-feature", "MOV t @(EQ.xy), u;"),
            ("arb-later-feature", "MOV t @(), u;"),
            ("arb-later-instruction", "@MOVC t, u;"),
            ("arb-later-instruction", "@MOVC t (EQ), u;"),
        ],
    );
    refuses(
        NV,
        &[
            ("arb-bad-condition", "MOV t (@), u;"),
            ("arb-bad-condition", "MOV t (@eq), u;"),
            ("arb-bad-condition", "MOV t (@EQ0), u;"),
            ("arb-bad-condition", "MOV t (@UN), u;"),
            ("arb-bad-condition", "MOV t (@t), u;"),
            ("arb-bad-condition", "MOV t (@-EQ), u;"),
            ("arb-bad-condition", "MOV t (@.x), u;"),
            ("arb-bad-condition", "MOV t (@1), u;"),
            ("arb-bad-condition", "MOV t (@(EQ)), u;"),
            ("arb-bad-swizzle", "MOV t (EQ.@xy), u;"),
            ("arb-bad-swizzle", "MOV t (EQ.@xyz), u;"),
            ("arb-unexpected", "MOV t (EQ.x@.y), u;"),
            ("arb-mixed-components", "MOV t (EQ.@xyba), u;"),
            ("arb-bad-component", "MOV t (EQ.@q), u;"),
            ("arb-unexpected", "MOV t (EQ.@), u;"),
            ("arb-unexpected", "MOV t (EQ@, u;"),
            ("arb-unexpected", "MOV t (EQ @NE), u;"),
            ("arb-unexpected", "MOV t (EQ)@.x, u;"),
            ("arb-unexpected", "MOV t (EQ) @(NE), u;"),
            ("arb-unexpected", "MOV t @EQ, u;"),
            ("arb-unexpected", "MOV t, u @(EQ);"),
            ("arb-unexpected", "KIL @(EQ);"),
            ("arb-operand-count", "KIL EQ@, u;"),
            ("arb-unexpected", "KIL EQ @(NE);"),
            ("arb-bad-swizzle", "KIL EQ.@xy;"),
            ("arb-undefined-name", "KIL -@EQ;"),
            ("arb-undefined-name", "KIL |@EQ|;"),
            ("arb-undefined-name", "MOV t, @EQ;"),
        ],
    );
}

#[test]
fn extended_swizzles() {
    accepts(
        ALL,
        &[
            "SWZ t, u, x, y, z, w; SWZ t.xy, u, 0, 1, -0, -1; SWZ t, u, -x, + y, 0, 1; SWZ_SAT t, u, r, g, b, a;",
            "SWZ t, u, 1, a, 0, -r; SWZ t, program.env[1], x, x, x, x; SWZ t, {1,2}, w, 0, 0, 0; SWZ t, 2, x, 0, 1, y;",
            "SWZ result.color, fragment.texcoord[1], x, y, 0, 1; PARAM p[] = { 1, 2 }; SWZ t, p[1], x, y, 0, 1;",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-operand-count", "SWZ t, u@;"),
            ("arb-operand-count", "SWZ t, u, x, y, z@;"),
            ("arb-operand-count", "SWZ t, u, x, y, z, w@, x;"),
            ("arb-operand-count", "SWZ t@;"),
            ("arb-bad-selector", "SWZ t, u, @xyzw;"),
            ("arb-bad-selector", "SWZ t, u, x, y, z, @2;"),
            ("arb-bad-selector", "SWZ t, u, @0.0, y, z, w;"),
            ("arb-bad-selector", "SWZ t, u, @1., y, z, w;"),
            ("arb-bad-selector", "SWZ t, u, @00, y, z, w;"),
            ("arb-bad-selector", "SWZ t, u, @u, y, z, w;"),
            ("arb-bad-selector", "SWZ t, u, -@q, y, z, w;"),
            ("arb-unexpected", "SWZ t, u, -@-x, y, z, w;"),
            ("arb-unexpected", "SWZ t, u, @, y, z, w;"),
            ("arb-unexpected", "SWZ t, u, x, y, z, @;"),
            ("arb-mixed-components", "SWZ t, u, x, y, z, @a;"),
            ("arb-mixed-components", "SWZ t, u, 0, r, 1, @w;"),
            ("arb-mixed-components", "SWZ t, u, r, -@x, b, a;"),
            ("arb-missing-comma", "SWZ t, u, x @y, z, w;"),
            ("arb-unexpected", "SWZ t, u, x@.y, z, w;"),
            ("arb-bad-swizzle", "SWZ t, u@.x, x, y, z, w;"),
            ("arb-bad-swizzle", "SWZ t, fragment.fogcoord@.xyzw, x, y, z, w;"),
            // After a colour a word may select the primary or secondary one.
            ("arb-bad-attribute", "SWZ t, fragment.color.@xyzw, x, y, z, w;"),
            ("arb-bad-swizzle", "SWZ t, fragment.color.primary@.x, x, y, z, w;"),
            ("arb-unexpected", "SWZ t, u@(x), y, z, w;"),
        ],
    );
}

#[test]
fn rfl_has_no_w() {
    accepts(NV, &["RFL t.xyz, u, v; RFLRC_SAT result.color.b, u, v; RFL t.rg (NE), u, v;"]);
    refuses(
        NV,
        &[
            ("arb-rfl-w", "RFL @t, u, v;"),
            ("arb-rfl-w", "RFL @result.color, u, v;"),
            ("arb-rfl-w", "RFL @t (EQ), u, v;"),
            ("arb-rfl-w", "RFL t.@w, u, v;"),
            ("arb-rfl-w", "RFL t.@xyzw, u, v;"),
            ("arb-rfl-w", "RFL t.@ra, u, v;"),
        ],
    );
}
