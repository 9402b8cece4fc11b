//! Program parameters: constants, environment and local parameters, arrays (ARB_fragment_program 3.11.3.2).

use super::{ALL, BASE, NV, accepts, refuses};

#[test]
fn environment_and_local_parameters() {
    for array in ["env", "local"] {
        accepts(
            ALL,
            &[
                &format!(
                    "MOV t, program.{array}[0]; MOV t, -program.{array}[255].wzyx; RCP t, program.{array}[007].x;"
                ),
                &format!("PARAM p = program.{array}[255]; MOV t, p; RCP t, p.a; SWZ t, p, 0, 1, x, -w;"),
                &format!("PARAM p[] = {{ program.{array}[0..255] }}; MOV t, p[255];"),
                &format!(
                    "PARAM p[3] = {{ program.{array}[3..3], program.{array}[ 7 .. 8 ] }}; MOV t, p[2].x;"
                ),
                &format!("MAD t, program.{array}[1], program . {array} [ 2 ] . x, -program.{array}[3];"),
            ],
        );
        for place in ["MOV t, ", "PARAM p = ", "PARAM p[] = { "] {
            let close = if place.ends_with("{ ") { " }" } else { "" };
            let case = |code, binding: &str| (code, format!("{place}program.{binding}{close};"));
            refuses(
                ALL,
                &[
                    case("arb-bad-parameter", &format!("{array}[@256]")),
                    case("arb-bad-parameter", &format!("{array}[@99999999999]")),
                    case("arb-bad-parameter", &format!("{array}[@1.0]")),
                    case("arb-bad-parameter", &format!("{array}[@1e1]")),
                    case("arb-bad-parameter", &format!("{array}[@2.]")),
                    case("arb-unexpected", &format!("{array}[@-1]")),
                    case("arb-unexpected", &format!("{array}[@]")),
                    case("arb-unexpected", &format!("{array}[@t]")),
                    case("arb-unexpected", &format!("{array}[1 @.x")),
                    case("arb-unexpected", &format!("{array}[1 @2]")),
                    case("arb-unexpected", &format!("{array}[1@+1]")),
                    case("arb-unexpected", &format!("{array}@.x")),
                    case("arb-unexpected", &format!("{array}@(1)")),
                ],
            );
        }
        refuses(
            ALL,
            &[
                ("arb-bad-range", format!("MOV t, program.{array}[0@..1];")),
                ("arb-bad-range", format!("PARAM p = program.{array}[0@..0];")),
                ("arb-bad-range", format!("PARAM p[] = {{ program.{array}[3..@2] }};")),
                ("arb-bad-parameter", format!("PARAM p[] = {{ program.{array}[0..@256] }};")),
                ("arb-bad-parameter", format!("PARAM p[] = {{ program.{array}[@256..255] }};")),
                ("arb-unexpected", format!("PARAM p[] = {{ program.{array}[0..@] }};")),
                ("arb-unexpected", format!("PARAM p[] = {{ program.{array}[@..1] }};")),
                ("arb-unexpected", format!("PARAM p[] = {{ program.{array}[0..1@..2] }};")),
                ("arb-unexpected", format!("PARAM p[] = {{ program.{array}[0..@-1] }};")),
                ("arb-unexpected", format!("PARAM p[] = {{ program.{array}[0 @.1] }};")),
                ("arb-write-parameter", format!("MOV @program.{array}[0], t;")),
                ("arb-unexpected", format!("PARAM p = program.{array}[0]@.x;")),
                ("arb-unexpected", format!("MOV t, program.{array}[0]@[0];")),
            ],
        );
    }
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV t, program@;"),
            ("arb-unexpected", "MOV t, program@[0];"),
            ("arb-unexpected", "MOV t, program.@;"),
            ("arb-unexpected", "MOV t, program@.0;"),
            ("arb-unexpected", "MOV t, program.env@;"),
            ("arb-bad-parameter", "MOV t, program.@x;"),
            ("arb-bad-parameter", "MOV t, program.@parameter[0];"),
            ("arb-bad-parameter", "MOV t, program.@Env[0];"),
        ],
    );
}

#[test]
fn single_parameters() {
    refuses(
        ALL,
        &[
            ("arb-unexpected", "PARAM @;"),
            ("arb-unexpected", "PARAM @= 1;"),
            ("arb-unexpected", "PARAM @[] = { 1 };"),
            ("arb-unexpected", "PARAM p@;"),
            ("arb-unexpected", "PARAM p @1;"),
            ("arb-unexpected", "PARAM p =@;"),
            ("arb-unexpected", "PARAM p = @t;"),
            ("arb-unexpected", "PARAM q = 1; PARAM p = @q;"),
            ("arb-unexpected", "PARAM p = @fragment.color;"),
            ("arb-unexpected", "PARAM p = @result.color;"),
            ("arb-unexpected", "PARAM p = @texture[0];"),
            ("arb-unexpected", "PARAM p = @(1);"),
            ("arb-unexpected", "PARAM p = -@program.env[0];"),
            ("arb-unexpected", "PARAM p = -@state.fog.color;"),
            ("arb-unexpected", "PARAM p = 1@, q = 2;"),
            ("arb-unexpected", "PARAM p@, q = 2;"),
            ("arb-unexpected", "PARAM p = {1}@.x;"),
            ("arb-unexpected", "PARAM p = {1}@[0];"),
            ("arb-unexpected", "PARAM p = state.fog.color@.x;"),
            ("arb-unexpected", "PARAM p = { @program.env[0] };"),
            ("arb-unexpected", "PARAM p = { @{1} };"),
            ("arb-write-parameter", "PARAM p = 1; MOV @p, t;"),
            ("arb-write-parameter", "PARAM p = program.env[0]; ADD @p.x, t, u;"),
            ("arb-not-array", "PARAM p = 1; MOV t, p@[0];"),
            ("arb-not-array", "PARAM p = 1; RCP t, p@[0].x;"),
            ("arb-not-array", "MOV t, u@[0];"),
            ("arb-not-array", "MOV t@[0], u;"),
        ],
    );
}

#[test]
fn scalar_constants_in_place() {
    accepts(
        BASE,
        &[
            "MOV t, 2; MOV t, -2; MOV t, +2.5; MOV t, 2.0.x; MOV t, -.5.wzyx; RCP t, 2.0.x; POW t, 1e1.y, -2.0.w;",
            "ADD t, 1, 2; MAD t, 1, {2}, -3; KIL -1; SWZ t, 3, 0, 1, x, y;",
        ],
    );
    refuses(
        BASE,
        &[
            ("arb-needs-component", "RCP t, 2.0@;"),
            ("arb-needs-component", "RCP t, 2@;"),
            ("arb-needs-component", "POW t, 2.0.x, 3@;"),
            ("arb-needs-component", "POW t, 2@, 3.0.x;"),
            ("arb-needs-component", "RCP t, {1,2}@;"),
            ("arb-bad-swizzle", "MOV t, 2.0.@xy;"),
        ],
    );
    accepts(
        NV,
        &["MOV t, 2; RCP t, 2.0; POW t, -2, |3|; RCP t, {1,2}.y; MOV t, {1,2}; MOV t, -|{1,2}.yx yx|;"],
    );
    refuses(
        NV,
        &[
            ("arb-scalar-suffix", "RCP t, 2.0@.x;"),
            ("arb-scalar-suffix", "MOV t, -2.0@.x;"),
            ("arb-scalar-suffix", "MOV t, 2.0@.xyzw;"),
            ("arb-scalar-suffix", "MOV t, |2.0@.x|;"),
            ("arb-needs-component", "RCP t, {1,2}@;"),
            ("arb-needs-component", "RCP t, |{1,2}@|;"),
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV t, -@-2;"),
            ("arb-unexpected", "MOV @2, t;"),
            ("arb-unexpected", "MOV @{2}, t;"),
        ],
    );
}

#[test]
fn arrays() {
    accepts(
        ALL,
        &[
            "PARAM p[1] = { 1 }; MOV t, p[0]; PARAM q[01] = { 1 }; MOV t, q[00]; PARAM r [ ] = { 1 } ; MOV t, r [ 0 ] . x;",
            "PARAM p[256] = { program.env[0..255] }; MOV t, p[255];",
            "PARAM p[7] = { program.env[1..2], -1, state.matrix.mvp }; MAD t, p[0], p[3].x, -p[6].wzyx;",
            "PARAM p[2] = { state.matrix.mvp.row[1..2] }; PARAM q[1] = { state.matrix.mvp.row[3] }; ADD t, p[1], q[0];",
            "PARAM p[8] = { state.matrix.mvp, state.matrix.program[0].inverse }; MOV t, p[7];",
            "PARAM p[] = { 1, 1, 1, 1 }; MOV t, p[3];",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-array-size", "PARAM p[@0] = { 1 };"),
            ("arb-array-size", "PARAM p[@257] = { 1 };"),
            ("arb-array-size", "PARAM p[@1.0] = { 1 };"),
            ("arb-array-size", "PARAM p[@99999999999] = { 1 };"),
            ("arb-unexpected", "PARAM p[@-1] = { 1 };"),
            ("arb-unexpected", "PARAM p[@a] = { 1 };"),
            ("arb-unexpected", "PARAM p[@A0.x] = { 1 };"),
            ("arb-unexpected", "PARAM p[1@;"),
            ("arb-unexpected", "PARAM p[1 @= { 1 };"),
            ("arb-unexpected", "PARAM p[]@;"),
            ("arb-unexpected", "PARAM p[] @{ 1 };"),
            ("arb-unexpected", "PARAM p[] =@;"),
            ("arb-unexpected", "PARAM p[1] = @1;"),
            ("arb-unexpected", "PARAM p[4] = @state.matrix.mvp;"),
            ("arb-unexpected", "PARAM p[] = {@};"),
            ("arb-unexpected", "PARAM p[] = { 1,@};"),
            ("arb-unexpected", "PARAM p[] = {@, 1 };"),
            ("arb-unexpected", "PARAM p[] = { 1@;"),
            ("arb-unexpected", "PARAM p[] = { @t };"),
            ("arb-unexpected", "PARAM p[] = { @fragment.color };"),
            ("arb-unexpected", "PARAM p[] = { 1, @|1| };"),
            ("arb-missing-comma", "PARAM p[] = { 1 @2 };"),
            ("arb-missing-comma", "PARAM p[] = { 1 @program.env[0] };"),
            ("arb-missing-comma", "PARAM p[] = { {1} @{2} };"),
            ("arb-unexpected", "PARAM p[] = { program.env[0]@.x };"),
            ("arb-unexpected", "PARAM p[] = { {1}@.x };"),
            ("arb-unexpected", "PARAM p[] = { 1 }@, q[] = { 1 };"),
            ("arb-unexpected", "PARAM p[] = { 1 }@[0];"),
            // Sizes that do not match the list.
            ("arb-array-size", "PARAM p[2] = { 1 @};"),
            ("arb-array-size", "PARAM p[5] = { state.matrix.mvp @};"),
            ("arb-array-size", "PARAM p[3] = { program.env[0..1] @};"),
            ("arb-array-size", "PARAM p[1] = { 1@, 2 };"),
            ("arb-array-size", "PARAM p[1] = { 1@, 2, 3, 4 };"),
            ("arb-array-size", "PARAM p[2] = { 1, 2@, program.env[0..9] };"),
            ("arb-array-size", "PARAM p[2] = { 1, program.env[0..@1] };"),
            ("arb-array-size", "PARAM p[3] = { state.matrix.mvp @};"),
            ("arb-array-size", "PARAM p[3] = { state.matrix.mvp@, 1 };"),
            ("arb-array-size", "PARAM p[1] = { state.matrix.mvp.row[0..@1] };"),
            ("arb-array-size", "PARAM p[2] = { 1 @}; MOV t, p[7];"),
            // An error within the list hides a wrong size.
            ("arb-bad-parameter", "PARAM p[3] = { program.env[@256], 1 };"),
            ("arb-bad-range", "PARAM p[9] = { program.env[2..@1] };"),
            ("arb-bad-state", "PARAM p[9] = { state.matrix.mvp.row[@4] }; MOV t, p[0];"),
            ("arb-bad-constant", "PARAM p[9] = { {1,2,3,4@,5} };"),
            // Reads of elements.
            ("arb-needs-index", "PARAM p[] = { 1 }; MOV t, p@;"),
            ("arb-needs-index", "PARAM p[] = { 1 }; MOV t, p@.x;"),
            ("arb-needs-index", "PARAM p[] = { 1 }; ADD t, p@, u;"),
            ("arb-needs-index", "PARAM p[] = { 1 }; RCP t, p@;"),
            ("arb-bad-index", "PARAM p[] = { 1 }; MOV t, p[@1];"),
            ("arb-bad-index", "PARAM p[] = { state.matrix.mvp }; MOV t, p[@4].x;"),
            ("arb-bad-index", "PARAM p[] = { 1 }; MOV t, p[@0.0];"),
            ("arb-bad-index", "PARAM p[] = { 1 }; RCP t, p[@9];"),
            ("arb-unexpected", "PARAM p[] = { 1 }; MOV t, p[@-1];"),
            ("arb-unexpected", "PARAM p[] = { 1 }; MOV t, p[@];"),
            ("arb-unexpected", "PARAM p[] = { 1 }; MOV t, p[@t];"),
            ("arb-unexpected", "PARAM p[] = { 1 }; MOV t, p[0@..0];"),
            ("arb-unexpected", "PARAM p[] = { 1 }; MOV t, p[0@;"),
            ("arb-unexpected", "PARAM p[] = { 1 }; MOV t, p[0]@[0];"),
            ("arb-write-parameter", "PARAM p[] = { 1 }; MOV @p[0], t;"),
            ("arb-write-parameter", "PARAM p[] = { 1 }; MOV @p, t;"),
        ],
    );
}
