//! Results (ARB_fragment_program 3.11.3.4, ARB_draw_buffers 3.11.2 and 3.11.3.4).

use super::{ALL, accepts, refuses};

#[test]
fn bindings() {
    accepts(
        ALL,
        &[
            "MOV result.color, t; MOV result.depth, t; MOV result.color.rgb, t; MOV result.depth.z, t.x;",
            "OUTPUT o = result.color; OUTPUT p = result.color; OUTPUT d = result.depth; MOV o.x, t; MOV p, t; MOV d.b, t;",
            "OUTPUT o = result.color; OUTPUT d = result.depth;",
            "MOV result . color . xyzw, t;",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV result@, t;"),
            ("arb-unexpected", "MOV result@[0], t;"),
            ("arb-unexpected", "MOV result.@, t;"),
            ("arb-unexpected", "MOV result@.1, t;"),
            ("arb-bad-result", "MOV result.@x, t;"),
            ("arb-bad-result", "MOV result.@Color, t;"),
            ("arb-bad-result", "MOV result.@position, t;"),
            ("arb-bad-result", "MOV result.@fogcoord, t;"),
            ("arb-bad-result", "MOV result.@color0, t;"),
            ("arb-bad-component", "MOV result.color.@primary, t;"),
            ("arb-bad-component", "MOV result.color.@back, t;"),
            ("arb-bad-component", "MOV result.depth.@d, t;"),
            ("arb-later-feature", "MOV result.color@[0], t;"),
            ("arb-later-feature", "OUTPUT o = result.color@[1]; MOV o, t;"),
            ("arb-unexpected", "MOV result.depth@[0], t;"),
            ("arb-read-result", "MOV t, @result.color;"),
            ("arb-read-result", "MOV t, -@result.depth.z;"),
            ("arb-read-result", "RCP t, @result.depth.z;"),
            ("arb-read-result", "RCP t, @result.depth;"),
            ("arb-read-result", "KIL @result.color;"),
            ("arb-read-result", "SWZ t, @result.color, x, y, z, w;"),
            ("arb-read-result", "TEX t, @result.color, texture, 2D;"),
            ("arb-read-result", "OUTPUT o = result.color; MAD t, u, v, @o;"),
            ("arb-read-result", "OUTPUT o = result.color; RCP o, @o.x;"),
        ],
    );
}

#[test]
fn declarations() {
    refuses(
        ALL,
        &[
            ("arb-unexpected", "OUTPUT @;"),
            ("arb-unexpected", "OUTPUT @= result.color;"),
            ("arb-unexpected", "OUTPUT o@;"),
            ("arb-unexpected", "OUTPUT o @result.color;"),
            ("arb-unexpected", "OUTPUT o =@;"),
            ("arb-unexpected", "OUTPUT o = @t;"),
            ("arb-unexpected", "OUTPUT o = @fragment.color;"),
            ("arb-unexpected", "OUTPUT o = @program.env[0];"),
            ("arb-unexpected", "OUTPUT o = @{ result.color };"),
            ("arb-unexpected", "OUTPUT o = result@;"),
            ("arb-unexpected", "OUTPUT o = result.@;"),
            ("arb-bad-result", "OUTPUT o = result.@colour; MOV o, t; MOV o.x, t;"),
            ("arb-unexpected", "OUTPUT o = result.color@.x;"),
            ("arb-unexpected", "OUTPUT o = result.depth@.z;"),
            ("arb-unexpected", "OUTPUT o = result.color@, p = result.depth;"),
            ("arb-unexpected", "OUTPUT o@[1] = { result.color };"),
            ("arb-unexpected", "OUTPUT o@, p = result.color;"),
            ("arb-not-array", "OUTPUT o = result.color; MOV o@[0], t;"),
        ],
    );
}

#[test]
fn draw_buffers() {
    let with = |body: &str| format!("!!ARBfp1.0\nOPTION ARB_draw_buffers;\nTEMP t;\n{body}\nEND\n");
    for options in ["", "OPTION NV_fragment_program;", "OPTION NV_fragment_program2;"] {
        let text = with(
            "OUTPUT o = result.color[3]; MOV o, t; MOV result.color[0], t; MOV result.color[ 01 ].xy, t;\
            MOV result.color, t; MOV result.depth.z, t; OUTPUT p = result.color[1]; OUTPUT q = result.color; MOV q, t;",
        );
        super::program(&text.replace("TEMP t;", &format!("{options}\nTEMP t;")));
    }
    super::program("!!ARBfp1.0 OPTION ARB_draw_buffers; END");
    refuses(
        ALL,
        &[
            ("arb-bad-result", with("MOV result.color[@4], t;")),
            ("arb-bad-result", with("MOV result.color[@1.0], t;")),
            ("arb-bad-result", with("OUTPUT o = result.color[@4]; MOV o, t;")),
            ("arb-unexpected", with("MOV result.color[@-1], t;")),
            ("arb-unexpected", with("MOV result.color[@], t;")),
            ("arb-unexpected", with("MOV result.color[1@, t;")),
            ("arb-unexpected", with("MOV result.color[@t], t;")),
            ("arb-unexpected", with("MOV result.color[0@..1], t;")),
            ("arb-unexpected", with("MOV result.color[0]@[1], t;")),
            ("arb-unexpected", with("MOV result.depth@[0], t;")),
            ("arb-read-result", with("MOV t, @result.color[1];")),
            ("arb-unexpected", with("OUTPUT o = result.color[1]@.x;")),
        ],
    );
}
