//! Program, statements and tokens (ARB_fragment_program 3.11.2).

use super::{ALL, BASE, NV, NV2, accepts, program, refuses};

#[test]
fn whole_programs() {
    for text in [
        "!!ARBfp1.0END",
        "!!ARBfp1.0 END",
        "!!ARBfp1.0#comment\nEND",
        "!!ARBfp1.0\tEND\t",
        "!!ARBfp1.0\rEND#",
        "!!ARBfp1.0TEMP a;END",
        "!!ARBfp1.0MOV result.color,fragment.color;END",
        "!!ARBfp1.0KIL fragment.color;END # END",
        "!!ARBfp1.0OPTION ARB_fog_exp;END",
        "!!ARBfp1.0\nOPTION\nARB_fog_exp2\n;\nEND",
        "!!ARBfp1.0 OPTION ARB_fog_linear;TEMP a;PARAM b=1;ATTRIB c=fragment.color;OUTPUT d=result.color;\
            ALIAS e=a;MOV e,b;MOV d,c;END",
        "!!ARBfp1.0 MOV result.color, fragment.color; TEMP late; MOV late, 1; END",
        "!!ARBfp1.0 # a comment that ends with a carriage return\rTEMP a;\r\nEND\r\n\r\n",
        "!!ARBfp1.0 TEMP END_, ENDING, eND, _END, E; END",
    ] {
        program(text);
    }
    refuses(
        BASE,
        &[
            ("arb-missing-end", "!!ARBfp1.0@"),
            ("arb-missing-end", "!!ARBfp1.0 @"),
            ("arb-missing-end", "!!ARBfp1.0 TEMP a;\n@"),
            ("arb-missing-end", "!!ARBfp1.0#END@"),
            ("arb-missing-end", "!!ARBfp1.0 OPTION ARB_fog_exp; # END\n@"),
            ("arb-after-end", "!!ARBfp1.0 END@;"),
            ("arb-after-end", "!!ARBfp1.0 END @END"),
            ("arb-after-end", "!!ARBfp1.0 END @1"),
            ("arb-after-end", "!!ARBfp1.0 END @OPTION ARB_fog_exp;"),
            ("arb-after-end", "!!ARBfp1.0 END\n# fine\n@MOV result.color, 1;"),
            ("arb-unknown-character", "!!ARBfp1.0 END @\0"),
            ("arb-unknown-character", "!!ARBfp1.0 END @\u{1a}"),
            ("arb-unexpected", "!!ARBfp1.0@0 END"),
            ("arb-unexpected", "!!ARBfp1.0@.1 END"),
            ("arb-unknown-instruction", "!!ARBfp1.0@a END"),
            ("arb-unexpected", "!!ARBfp1.0@: END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 TEMP a @END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 TEMP a\n@END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 OPTION ARB_fog_exp @END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 MOV result.color, fragment.color @END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 KIL fragment.color @END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 PARAM a = 1\n@PARAM b = 2; END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 PARAM a[] = { 1 }\n@PARAM b = 2; END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 ATTRIB a = fragment.position\n@TEMP b; END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 OUTPUT a = result.depth\n@TEMP b; END"),
            ("arb-missing-semicolon", "!!ARBfp1.0 TEMP a; ALIAS b = a\n@TEMP c; END"),
        ],
    );
}

#[test]
fn statements_and_their_punctuation() {
    refuses(
        ALL,
        &[
            ("arb-empty-statement", "@;"),
            ("arb-empty-statement", "MOV t, u;@;"),
            ("arb-unexpected", "@, MOV t, u;"),
            ("arb-unexpected", "@1;"),
            ("arb-unexpected", "@{ MOV t, u;"),
            ("arb-unexpected", "@-t;"),
            ("arb-unexpected", "@fragment.color;"),
            ("arb-unexpected", "@result.color, 1;"),
            ("arb-unexpected", "@texture[0], 2D;"),
            ("arb-unknown-instruction", "@t, u;"),
            ("arb-unknown-instruction", "@t = u;"),
            ("arb-unknown-instruction", "@Mov t, u;"),
            ("arb-unknown-instruction", "@ADDRESS a;"),
            ("arb-unknown-instruction", "@DECLARE a;"),
            ("arb-unknown-instruction", "@Temp a;"),
            ("arb-unexpected", "MOV@;"),
            ("arb-unexpected", "MOV@, u;"),
            ("arb-operand-count", "MOV t@;"),
            ("arb-unexpected", "MOV t,@;"),
            ("arb-missing-comma", "MOV t @u;"),
            ("arb-missing-comma", "MOV t @-u;"),
            ("arb-missing-comma", "MOV t @1;"),
            ("arb-missing-comma", "MOV t @{1};"),
            ("arb-missing-comma", "ADD t, u @v;"),
            ("arb-unexpected", "MOV t,@, u;"),
            ("arb-unexpected", "MOV @, t, u;"),
            ("arb-operand-count", "MOV t, u@, v;"),
            ("arb-operand-count", "ADD t, u@;"),
            ("arb-operand-count", "ADD t, u, v@, t;"),
            ("arb-operand-count", "MAD t, u, v@;"),
            ("arb-operand-count", "MAD t@;"),
            ("arb-operand-count", "POW t, u.x@;"),
            ("arb-operand-count", "RCP t, u.x@, v.x;"),
            ("arb-operand-count", "SCS t, u.x@, v.x;"),
            ("arb-operand-count", "KIL@;"),
            ("arb-operand-count", "KIL t@, u;"),
            ("arb-unexpected", "KIL t @u;"),
            ("arb-unexpected", "MOV t, u @v;"),
            ("arb-unexpected", "MOV t, u @1;"),
            ("arb-unexpected", "MOV t, u @= v;"),
            ("arb-unexpected", "MOV @(t), u;"),
            ("arb-missing-semicolon", "MOV t, u @MOV t, v;"),
            ("arb-missing-semicolon", "MOV t, u\n@MOV t, v;"),
            ("arb-missing-semicolon", "TEMP a\n@MOV t, v;"),
            ("arb-unexpected", "TEMP a @= b;"),
        ],
    );
}

#[test]
fn numbers() {
    accepts(
        ALL,
        &[
            "PARAM p = 0; PARAM q = 00; PARAM r = 1.; PARAM s = .5; PARAM a = 0.5; PARAM b = 1e3; MOV t, p;",
            "PARAM p = 1E3; PARAM q = 1e+3; PARAM r = 1e-3; PARAM s = 1.e3; PARAM a = .5E-3; MOV t, p;",
            "PARAM p = {1., .5, 1e0, 1.5e-10}; MOV t, p;",
            "PARAM p = - 1; PARAM q = +\n2; PARAM r = {- 1, + 2}; MOV t, q;",
            // Numbers beyond the range of fp32 become infinity or zero.
            "PARAM p = 1e99; PARAM q = -1e99; PARAM r = 1e-99; PARAM s = 123456789012345678901234567890; MOV t, p;",
            "MOV t, {0.00000000000000000000000000000000000000000000000000001, 3}.x;",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-bad-number", "PARAM p = @1e;"),
            ("arb-bad-number", "PARAM p = @1e+;"),
            ("arb-bad-number", "PARAM p = @1.5e-;"),
            ("arb-bad-number", "PARAM p = @1f;"),
            ("arb-bad-number", "PARAM p = -@1.0f;"),
            ("arb-bad-number", "PARAM p = @0x10;"),
            ("arb-bad-number", "PARAM p = {1, @2D};"),
            ("arb-bad-number", "MOV t, @1_000.0;"),
            ("arb-unexpected", "PARAM p = @.;"),
            ("arb-unexpected", "PARAM p = @e5;"),
            ("arb-unexpected", "PARAM p = 1.5@.5;"),
            ("arb-unexpected", "PARAM p = -@-1;"),
            ("arb-unexpected", "PARAM p = +@-1;"),
            ("arb-unexpected", "PARAM p = -@{1};"),
            ("arb-unexpected", "PARAM p = 1@..2;"),
            ("arb-unexpected", "PARAM p = 1 @e3;"),
            ("arb-unexpected", "PARAM p = 1 @2;"),
        ],
    );
}

#[test]
fn vectors() {
    accepts(
        ALL,
        &[
            "MOV t, {1}; MOV t, {1,2}; MOV t, {1,2,3}; MOV t, {1,2,3,4}; MOV t, -{-1,+2,-3,+4}.wzyx;",
            "PARAM p[] = { {1}, {1,2}, {1,2,3}, {1,2,3,4}, -1, +1, 1 }; MOV t, p[6];",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV t, {@};"),
            ("arb-unexpected", "MOV t, {1,@};"),
            ("arb-unexpected", "MOV t, {@,1};"),
            ("arb-bad-constant", "MOV t, {1,2,3,4@,5};"),
            ("arb-bad-constant", "MOV t, {1,2,3,4@,};"),
            ("arb-missing-comma", "MOV t, {1 @2};"),
            ("arb-missing-comma", "MOV t, {1 @-2};"),
            ("arb-unexpected", "MOV t, {1@;"),
            ("arb-unexpected", "MOV t, {@t};"),
            ("arb-unexpected", "MOV t, {@{1}};"),
            ("arb-unexpected", "MOV t, {@program.env[0]};"),
            ("arb-unexpected", "MOV t, {1, @|2|};"),
        ],
    );
}

#[test]
fn characters() {
    accepts(ALL, &["MOV t, u; # \u{e9} \"'`@~^&*!?\\/<>%\0\x0b", "MOV\tt\n,\r\n-\ru\t.\nx\r;"]);
    for character in
        ["\"", "'", "!", "%", "&", "*", "/", "<", ">", "?", "\\", "^", "`", "~", "\0", "\x0b", "\x0c"]
    {
        refuses(ALL, &[("arb-unknown-character", format!("MOV t, u@{character};"))]);
        refuses(ALL, &[("arb-unknown-character", format!("@{character}MOV t, u;"))]);
    }
    refuses(BASE, &[("arb-unknown-character", "TEMP @\u{e9}a;")]);
    refuses(BASE, &[("arb-unknown-character", "MOV t, u;@\u{2212}\nMOV t, u;")]);
    // Only the NV options bring colons, parentheses and bars into the grammar.
    refuses(BASE, &[("arb-unexpected", "MOV t, @(u);"), ("arb-unexpected", "TEMP a@: b;")]);
    refuses(NV, &[("arb-unexpected", "MOV t, @(u);"), ("arb-unexpected", "TEMP a@|;")]);
    refuses(NV2, &[("arb-unexpected", "MOV t, u@:;")]);
}
