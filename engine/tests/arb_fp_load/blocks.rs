//! Blocks, labels and subroutines (NV_fragment_program2 3.11.2, 3.11.4.X and 3.11.X).

use super::{NV2, accepts, around, program, refuses};

const IF_DEPTH: usize = 48;
const LOOP_DEPTH: usize = 4;

#[test]
fn well_formed() {
    accepts(
        NV2,
        &[
            "IF GT.x; ENDIF; IF EQ; MOV t, u; ELSE; MOV t, v; ENDIF; IF TR.wzyx; ELSE; ENDIF;",
            "LOOP 3; ENDLOOP; LOOP {5,0,1}; MOV t, u; ENDLOOP; REP 2; MOV t, u; ENDREP;",
            "PARAM p = program.local[0]; PARAM q[] = { 1, 2 }; LOOP p; ENDLOOP; REP q[1]; ENDREP; LOOP q[0].yxzw; ENDLOOP;",
            "LOOP program.env[1]; ENDLOOP; REP -state.fog.params.x; ENDREP; REP |{-3}|; ENDREP; LOOP -|{-3,1,1}|; ENDLOOP;",
            "LOOP 1; IF GT; REP 1; BRK; ENDREP; BRK (EQ.x); ELSE; LOOP 2; BRK (NE); ENDLOOP; ENDIF; ENDLOOP;",
            "IF GT; IF GT; IF GT; ELSE; ENDIF; ELSE; IF LT; ENDIF; ENDIF; ELSE; ENDIF;",
            "CAL f; CAL f (GT); CAL g (EQ.xyzw); RET; RET (LT.x); f: RET; g: MOV t, u; RET (NE);",
            "a: b: MOV t, u; c: d:",
            "main: MOV t, u; CAL main (FL);",
            "f: CAL f; IF GT; CAL f; RET; ENDIF; LOOP 1; RET; ENDLOOP;",
            "t: MOV t, u; CAL t; u: TEMP w; x: PARAM p = 1; y:",
            "EQ: GT: CUBE: SHORT: vertex: $: _1: A0: xyzw: CAL A0; CAL $; CAL EQ;",
            "TEMP w; f: TEMP z; CAL f;",
        ],
    );
}

#[test]
fn ends_belong_to_the_innermost_block() {
    refuses(
        NV2,
        &[
            ("arb-unmatched-block", "@ELSE;"),
            ("arb-unmatched-block", "@ENDIF;"),
            ("arb-unmatched-block", "@ENDLOOP;"),
            ("arb-unmatched-block", "@ENDREP;"),
            ("arb-unmatched-block", "IF GT; ENDIF; @ENDIF;"),
            ("arb-unmatched-block", "IF GT; ELSE; @ELSE; ENDIF;"),
            ("arb-unmatched-block", "IF GT; ENDIF; @ELSE;"),
            ("arb-unmatched-block", "LOOP 1; @ENDREP; ENDLOOP;"),
            ("arb-unmatched-block", "REP 1; @ENDLOOP; ENDREP;"),
            ("arb-unmatched-block", "LOOP 1; @ENDIF; ENDLOOP;"),
            ("arb-unmatched-block", "LOOP 1; @ELSE; ENDLOOP;"),
            ("arb-unmatched-block", "IF GT; LOOP 1; @ELSE; ENDLOOP; ENDIF;"),
            ("arb-unmatched-block", "IF GT; LOOP 1; @ENDIF;"),
            ("arb-unmatched-block", "LOOP 1; IF GT; @ENDLOOP;"),
            ("arb-unmatched-block", "REP 1; IF GT; ELSE; @ENDREP;"),
            ("arb-unmatched-block", "LOOP 1; REP 1; @ENDLOOP;"),
        ],
    );
    for (open, name) in
        [("IF GT;", "ENDIF"), ("IF GT; ELSE;", "ENDIF"), ("LOOP 1;", "ENDLOOP"), ("REP 1;", "ENDREP")]
    {
        let text = format!("!!ARBfp1.0\n{}\nTEMP t;\n{open} MOV t, 1;\n@END\n", NV2[0]);
        refuses(NV2, &[("arb-unclosed-block", text.clone())]);
        program(&text.replace('@', &format!("{name};\n")));
        let nested = format!("!!ARBfp1.0\n{}\nIF TR; {open}\n@END\n", NV2[0]);
        refuses(NV2, &[("arb-unclosed-block", nested)]);
    }
}

#[test]
fn grammar_of_flow() {
    refuses(
        NV2,
        &[
            ("arb-bad-condition", "IF @; ENDIF;"),
            ("arb-unexpected", "IF @(GT); ENDIF;"),
            ("arb-bad-condition", "IF @t; ENDIF;"),
            ("arb-bad-condition", "IF @GT0; ENDIF;"),
            ("arb-bad-condition", "IF @1; ENDIF;"),
            ("arb-bad-swizzle", "IF GT.@xy; ENDIF;"),
            ("arb-unexpected", "IF GT @LT; ENDIF;"),
            ("arb-operand-count", "IF GT@, LT; ENDIF;"),
            ("arb-missing-semicolon", "IF GT @MOV t, u; ENDIF;"),
            ("arb-missing-semicolon", "IF GT\n@MOV t, u; ENDIF;"),
            ("arb-unexpected", "IF TR; ELSE @GT; ENDIF;"),
            ("arb-missing-semicolon", "IF TR; ELSE @IF GT; ENDIF; ENDIF;"),
            ("arb-unexpected", "IF TR; ENDIF @t;"),
            ("arb-unexpected", "LOOP 1; ENDLOOP @(GT);"),
            ("arb-operand-count", "LOOP@; ENDLOOP;"),
            ("arb-operand-count", "REP@; ENDREP;"),
            ("arb-operand-count", "LOOP 1@, 2; ENDLOOP;"),
            ("arb-unexpected", "LOOP @(1); ENDLOOP;"),
            ("arb-loop-operand", "LOOP @t; ENDLOOP;"),
            ("arb-loop-operand", "REP @t.x; ENDREP;"),
            ("arb-loop-operand", "REP -@fragment.color; ENDREP;"),
            ("arb-loop-operand", "REP |@fragment.texcoord[1].x|; ENDREP;"),
            ("arb-loop-operand", "LOOP 1; REP @fragment.texcoord[A0.x]; ENDREP; ENDLOOP;"),
            ("arb-loop-operand", "ATTRIB a = fragment.facing; LOOP @a; ENDLOOP;"),
            ("arb-read-result", "LOOP @result.color; ENDLOOP;"),
            ("arb-undefined-name", "LOOP @n; BRK; ENDLOOP;"),
            ("arb-read-address", "LOOP 1; REP @A0.x; ENDREP; ENDLOOP;"),
            ("arb-scalar-suffix", "LOOP 1.0@.x; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; BRK @GT; ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; BRK @t; ENDLOOP;"),
            ("arb-bad-condition", "LOOP 1; BRK (@); ENDLOOP;"),
            ("arb-bad-condition", "LOOP 1; BRK (@t); ENDLOOP;"),
            ("arb-unexpected", "LOOP 1; BRK (GT@; ENDLOOP;"),
            ("arb-operand-count", "LOOP 1; BRK (GT)@, t; ENDLOOP;"),
            ("arb-break-outside-loop", "@BRK;"),
            ("arb-break-outside-loop", "@BRK (GT.x);"),
            ("arb-break-outside-loop", "IF GT; @BRK; ENDIF;"),
            ("arb-break-outside-loop", "REP 1; ENDREP; @BRK;"),
            ("arb-break-outside-loop", "LOOP 1; CAL f; ENDLOOP; RET; f: @BRK; RET;"),
            ("arb-unexpected", "f: CAL @;"),
            ("arb-unexpected", "f: CAL @(GT);"),
            ("arb-unexpected", "f: CAL @-f;"),
            ("arb-bad-label", "CAL @1;"),
            ("arb-bad-label", "CAL @1f;"),
            ("arb-bad-label", "@1: MOV t, u;"),
            ("arb-bad-label", "@2f: MOV t, u;"),
            ("arb-reserved-label", "CAL @fragment;"),
            ("arb-reserved-label", "CAL @texture;"),
            ("arb-unexpected", "CAL @MOV;"),
            ("arb-unexpected", "f: CAL f @GT;"),
            ("arb-unexpected", "f: CAL f @g;"),
            ("arb-unexpected", "f: CAL f@.x;"),
            ("arb-unexpected", "f: CAL f@:"),
            ("arb-operand-count", "f: CAL f@, (GT);"),
            ("arb-unexpected", "f: CAL f (GT) @(LT);"),
            ("arb-unexpected", "RET @f;"),
            ("arb-unexpected", "RET @GT;"),
            ("arb-unexpected", "@: MOV t, u;"),
            ("arb-unexpected", "f: @: MOV t, u;"),
            ("arb-empty-statement", "f: @;"),
        ],
    );
}

#[test]
fn labels() {
    refuses(
        NV2,
        &[
            ("arb-duplicate-label", "f: MOV t, u; @f: MOV t, u;"),
            ("arb-duplicate-label", "f: @f: CAL f;"),
            ("arb-duplicate-label", "main: CAL main; @main: RET;"),
            ("arb-label-in-block", "IF GT; @f: MOV t, u; ENDIF; CAL f;"),
            ("arb-label-in-block", "IF GT; ELSE; @f: ENDIF;"),
            ("arb-label-in-block", "LOOP 1; @f: ENDLOOP;"),
            ("arb-label-in-block", "REP 1; @main: ENDREP;"),
            ("arb-label-in-block", "IF GT; LOOP 1; ENDLOOP; @f: ENDIF;"),
            ("arb-missing-semicolon", "MOV t, u @f: MOV t, u;"),
            ("arb-missing-semicolon", "MOV t, u\n@f: MOV t, u;"),
        ],
    );
    // A missing label is known only at the end, so the error is at the program's length.
    for body in [
        "CAL f;",
        "CAL t;",
        "F: CAL f;",
        "IF GT; CAL f; ENDIF;",
        "CAL f; CAL f (GT);",
        "LOOP 1; CAL mian; ENDLOOP; main:",
    ] {
        refuses(NV2, &[("arb-unknown-label", body)]);
    }
}

/// 3.11.4.X: blocks nest up to the limits. The open blocks of a caller do not count in a subroutine.
#[test]
fn depths() {
    let ifs =
        |count: usize, inner: &str| format!("{}{inner}{}", "IF GT; ".repeat(count), "ENDIF; ".repeat(count));
    accepts(NV2, &[&ifs(IF_DEPTH, "MOV t, u;"), &(ifs(IF_DEPTH, "") + &ifs(IF_DEPTH, ""))]);
    let within_else = format!("{}{}", "IF GT; ELSE; ".repeat(IF_DEPTH), "ENDIF; ".repeat(IF_DEPTH));
    accepts(NV2, &[&within_else]);
    refuses(NV2, &[("arb-too-deep", ifs(IF_DEPTH, "@IF EQ; MOV t, u; ENDIF; "))]);
    refuses(NV2, &[("arb-too-deep", ifs(IF_DEPTH, "@IF EQ; ELSE; ENDIF; LOOP 1; ENDLOOP;"))]);
    let kinds = ["LOOP 1;", "REP 2;"];
    for choice in 0..1 << LOOP_DEPTH {
        let (mut open, mut close) = (String::new(), String::new());
        for place in 0..LOOP_DEPTH {
            let kind = choice >> place & 1;
            open += kinds[kind];
            close = ["ENDLOOP;", "ENDREP;"][kind].to_owned() + &close;
        }
        accepts(
            NV2,
            &[&format!("{open} MOV t, u; {close}"), &format!("{open} {} {close}", ifs(IF_DEPTH, ""))],
        );
        refuses(
            NV2,
            &[
                ("arb-too-deep", format!("{open} @LOOP 1; MOV t, u; ENDLOOP; {close}")),
                ("arb-too-deep", format!("{open} IF GT; @REP 1; BRK; ENDREP; ENDIF; {close}")),
            ],
        );
    }
    // A subroutine has the full depth for its own blocks.
    let body = format!("{} RET; f: {}", ifs(IF_DEPTH, "CAL f;"), ifs(IF_DEPTH, ""));
    program(&around(NV2[0], &body));
}

/// A block with a faulty first line is still open, so its body and its end give no second error.
#[test]
fn blocks_that_begin_badly_still_end() {
    refuses(
        NV2,
        &[
            ("arb-bad-condition", "IF @XX; MOV t, u; ELSE; MOV t, v; ENDIF;"),
            ("arb-unexpected", "LOOP @= 1; BRK; MOV t, fragment.texcoord[A0.x]; ENDLOOP;"),
            ("arb-undefined-name", "REP @n.x; BRK (GT); ENDREP;"),
            ("arb-bad-suffix", "@IFC GT; MOV t, u; ELSE; MOV t, v; ENDIF;"),
            ("arb-bad-suffix", "@LOOPR 1; BRK; MOV t, fragment.texcoord[A0.x]; ENDLOOP;"),
            ("arb-bad-suffix", "REP 1; BRK; @ENDREP_SAT;"),
            ("arb-unknown-instruction", "@if GT; MOV t, u; ENDIF;"),
            ("arb-unknown-instruction", "@LOPO 1; BRK; MOV t, fragment.texcoord[A0.x]; ENDLOOP;"),
            ("arb-unknown-instruction", "IF GT; MOV t, u; @ENDFI;"),
        ],
    );
}
