//! Fragment attributes (ARB_fragment_program 3.11.3.1, NV_fragment_program2 3.11.3.1 and 3.11.3.Y).

use super::{ALL, BEFORE_NV2, NV2, accepts, refuses};

#[test]
fn every_binding_of_table_x1() {
    let mut bindings: Vec<String> =
        ["color", "color.primary", "color.secondary", "texcoord", "fogcoord", "position"]
            .map(|item| format!("fragment.{item}"))
            .to_vec();
    bindings.extend((0..8).map(|set| format!("fragment.texcoord[{set}]")));
    bindings.push("fragment . texcoord [ 07 ]".to_owned());
    for binding in bindings {
        accepts(
            ALL,
            &[
                &format!(
                    "ATTRIB a = {binding}; MOV t, a; MOV t, -a.wzyx; RCP t, a.y; KIL a; SWZ t, a, x, 0, 1, -w;"
                ),
                &format!(
                    "MOV t, {binding}; MOV t, -{binding}.xxyy; RCP t, {binding}.r; KIL +{binding}.abgr;"
                ),
                &format!(
                    "TEX t, {binding}, texture, 2D; SWZ t, {binding}, 0, 0, 0, 0; MAD t, {binding}, {binding}, u;"
                ),
            ],
        );
    }
}

#[test]
fn no_other_binding() {
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV t, fragment@;"),
            ("arb-unexpected", "MOV t, fragment@[0];"),
            ("arb-unexpected", "MOV t, fragment.@;"),
            ("arb-unexpected", "MOV t, fragment@.1;"),
            ("arb-unexpected", "MOV t, fragment@..x;"),
            ("arb-bad-attribute", "MOV t, fragment.@x;"),
            ("arb-bad-attribute", "MOV t, fragment.@Color;"),
            ("arb-bad-attribute", "MOV t, fragment.@normal;"),
            ("arb-bad-attribute", "MOV t, fragment.@attrib[0];"),
            ("arb-bad-attribute", "MOV t, fragment.@texcoord0;"),
            ("arb-bad-attribute", "MOV t, fragment.@depth;"),
            ("arb-bad-attribute", "MOV t, fragment.@clip[0];"),
            ("arb-bad-attribute", "MOV t, fragment.texcoord[@8];"),
            ("arb-bad-attribute", "MOV t, fragment.texcoord[@4294967296];"),
            ("arb-bad-attribute", "MOV t, fragment.texcoord[@1.0];"),
            ("arb-bad-attribute", "MOV t, fragment.texcoord[@1e0];"),
            ("arb-unexpected", "MOV t, fragment.texcoord[@-1];"),
            ("arb-unexpected", "MOV t, fragment.texcoord[@+1];"),
            ("arb-unexpected", "MOV t, fragment.texcoord[@];"),
            ("arb-unexpected", "MOV t, fragment.texcoord[0@;"),
            ("arb-unexpected", "MOV t, fragment.texcoord[0 @1];"),
            ("arb-unexpected", "MOV t, fragment.texcoord[0@..1];"),
            ("arb-unexpected", "MOV t, fragment.texcoord[0]@[1];"),
            ("arb-unexpected", "MOV t, fragment.color@[0];"),
            ("arb-unexpected", "MOV t, fragment.color.primary@[0];"),
            ("arb-unexpected", "MOV t, fragment.position@[0];"),
            ("arb-unexpected", "MOV t, fragment.fogcoord@[0];"),
            ("arb-unexpected", "ADD t, fragment.fogcoord@[0], u;"),
            ("arb-bad-component", "MOV t, fragment.color.@front;"),
            ("arb-bad-component", "MOV t, fragment.color.@Primary;"),
            ("arb-bad-component", "MOV t, fragment.color.primary.@secondary;"),
            ("arb-bad-component", "MOV t, fragment.position.@primary;"),
            ("arb-bad-component", "MOV t, fragment.texcoord.@s;"),
            ("arb-unexpected", "MOV t, fragment.color.@;"),
            ("arb-bad-swizzle", "MOV t, fragment.color.primary.x@.x;"),
            ("arb-needs-component", "RCP t, fragment.color@;"),
            ("arb-needs-component", "RCP t, fragment.color.primary@;"),
            ("arb-needs-component", "RCP t, fragment.texcoord[1].@xyzw;"),
        ],
    );
}

#[test]
fn declarations() {
    refuses(
        ALL,
        &[
            ("arb-unexpected", "ATTRIB @;"),
            ("arb-unexpected", "ATTRIB @= fragment.color;"),
            ("arb-unexpected", "ATTRIB @1 = fragment.color;"),
            ("arb-unexpected", "ATTRIB a@;"),
            ("arb-unexpected", "ATTRIB a @fragment.color;"),
            ("arb-unexpected", "ATTRIB a =@;"),
            ("arb-unexpected", "ATTRIB a = @1;"),
            ("arb-unexpected", "ATTRIB a = @t;"),
            ("arb-unexpected", "ATTRIB a = @-fragment.color;"),
            ("arb-unexpected", "ATTRIB a = @vertex.color;"),
            ("arb-unexpected", "ATTRIB a = @result.color;"),
            ("arb-unexpected", "ATTRIB a = @program.env[0];"),
            ("arb-unexpected", "ATTRIB a = @state.fog.color;"),
            ("arb-unexpected", "ATTRIB a = @{ fragment.color };"),
            ("arb-unexpected", "ATTRIB a@[1] = { fragment.color };"),
            ("arb-unexpected", "ATTRIB a@, b = fragment.color;"),
            ("arb-unexpected", "ATTRIB a = fragment.color@, b = fragment.color;"),
            ("arb-unexpected", "ATTRIB a = fragment@;"),
            ("arb-unexpected", "ATTRIB a = fragment.@;"),
            ("arb-bad-attribute", "ATTRIB a = fragment.@colour;"),
            ("arb-bad-attribute", "ATTRIB a = fragment.texcoord[@8];"),
            // A binding takes no suffix. After a colour the word selects the primary or secondary one.
            ("arb-unexpected", "ATTRIB a = fragment.texcoord@.x;"),
            ("arb-unexpected", "ATTRIB a = fragment.texcoord[1]@.xyzw;"),
            ("arb-unexpected", "ATTRIB a = fragment.position@.z;"),
            ("arb-unexpected", "ATTRIB a = fragment.color.primary@.x;"),
            ("arb-bad-attribute", "ATTRIB a = fragment.color.@x;"),
            ("arb-unexpected", "ATTRIB a = fragment.color.@;"),
            ("arb-write-attribute", "ATTRIB a = fragment.color; MOV @a, t;"),
            ("arb-write-attribute", "ATTRIB a = fragment.color; MOV @a.x, t;"),
            ("arb-write-attribute", "MOV @fragment.color, t;"),
            ("arb-write-attribute", "MOV @fragment.texcoord[1].xy, t;"),
            ("arb-not-array", "ATTRIB a = fragment.texcoord; MOV t, a@[0];"),
            // A faulty declaration still declares its name, so later uses give no second error.
            ("arb-bad-attribute", "ATTRIB a = fragment.@colour; MOV t, a; ADD t, a.x, -a.xyzw;"),
            ("arb-bad-attribute", "ATTRIB a = fragment.texcoord[@8]; RCP t, a.x; RCP t, a;"),
        ],
    );
}

#[test]
fn facing() {
    accepts(
        NV2,
        &[
            "MOV t, fragment.facing; RCP t, fragment.facing.x; ATTRIB f = fragment.facing; MOV t, f; KIL |f.x|;",
        ],
    );
    refuses(
        NV2,
        &[
            ("arb-unexpected", "MOV t, fragment.facing@[0];"),
            ("arb-write-attribute", "MOV @fragment.facing, t;"),
            ("arb-unexpected", "ATTRIB f = fragment.facing@.x;"),
        ],
    );
    refuses(
        BEFORE_NV2,
        &[
            ("arb-later-feature", "MOV t, fragment.@facing;"),
            ("arb-later-feature", "ATTRIB f = fragment.@facing; MOV t, f;"),
            ("arb-later-feature", "MOV t, fragment.texcoord[@A0.x];"),
        ],
    );
}

#[test]
fn indexed_texture_coordinates() {
    accepts(
        NV2,
        &[
            "LOOP 3; MOV t, fragment.texcoord[A0.x]; MOV t, fragment.texcoord[A0.x+0]; ENDLOOP;",
            "LOOP {3,1,1}; RCP t, -|fragment.texcoord[A0.x+9].w|; TXL t, fragment.texcoord[A0 . x + 4], texture, 2D; ENDLOOP;",
            "LOOP 3; SWZ t, fragment.texcoord[A0.x], x, y, 0, -1; KIL fragment.texcoord[A0.x+1]; ENDLOOP;",
            "LOOP 3; REP 2; IF GT; MOV t, fragment.texcoord[A0.x]; ELSE; MOV t, fragment.texcoord[A0.x+1]; ENDIF; ENDREP; ENDLOOP;",
            "LOOP 3; LOOP 2; MOV t, fragment.texcoord[A0.x]; ENDLOOP; MOV t, fragment.texcoord[A0.x]; ENDLOOP;",
            "LOOP 1; ENDLOOP; LOOP 1; MOV t, fragment.texcoord[A0.x]; ENDLOOP;",
        ],
    );
    refuses(
        NV2,
        &[
            ("arb-address-outside-loop", "MOV t, fragment.texcoord[@A0.x];"),
            ("arb-address-outside-loop", "MOV t, fragment.texcoord[@A0.x+3];"),
            ("arb-address-outside-loop", "REP 1; MOV t, fragment.texcoord[@A0.x]; ENDREP;"),
            ("arb-address-outside-loop", "IF GT; MOV t, fragment.texcoord[@A0.x]; ENDIF;"),
            ("arb-address-outside-loop", "LOOP 1; ENDLOOP; MOV t, fragment.texcoord[@A0.x];"),
            (
                "arb-address-outside-loop",
                "LOOP 1; CAL f; ENDLOOP; RET; f: MOV t, fragment.texcoord[@A0.x]; RET;",
            ),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[A0.x@-1]; ENDLOOP;"),
            ("arb-bad-offset", "LOOP 1; MOV t, fragment.texcoord[A0.x+@10]; ENDLOOP;"),
            ("arb-bad-offset", "LOOP 1; MOV t, fragment.texcoord[A0.x+@1.0]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[A0.x+@]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[A0.x+@+1]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[A0.x @1]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[A0.x+1@; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[1@+A0.x]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[@-A0.x]; ENDLOOP;"),
            ("arb-needs-component", "LOOP 1; MOV t, fragment.texcoord[A0@]; ENDLOOP;"),
            ("arb-needs-component", "LOOP 1; MOV t, fragment.texcoord[A0@+1]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord[A0.@]; ENDLOOP;"),
            ("arb-bad-component", "LOOP 1; MOV t, fragment.texcoord[A0.@y]; ENDLOOP;"),
            ("arb-bad-component", "LOOP 1; MOV t, fragment.texcoord[A0.@r]; ENDLOOP;"),
            ("arb-bad-swizzle", "LOOP 1; MOV t, fragment.texcoord[A0.@xx]; ENDLOOP;"),
            ("arb-needs-address", "LOOP 1; MOV t, fragment.texcoord[@t.x]; ENDLOOP;"),
            ("arb-undefined-name", "LOOP 1; MOV t, fragment.texcoord[@A1.x]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.color@[A0.x]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, fragment.texcoord@(A0.x); ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, program.env[@A0.x]; ENDLOOP;"),
            ("arb-unexpected", "PARAM p[] = { 1, 2 }; LOOP 1; MOV t, p[@A0.x]; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; MOV t, state.light[@A0.x].ambient; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; TEX t, u, texture[@A0.x], 2D; ENDLOOP;"),
            ("arb-write-attribute", "LOOP 1; MOV @fragment.texcoord[A0.x], t; ENDLOOP;"),
        ],
    );
}
