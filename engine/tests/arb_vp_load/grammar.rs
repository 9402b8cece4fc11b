//! Tokens, statements and the shapes of instructions (ARB_vertex_program 2.14.2).

use super::corpus::In::{All, Base, Nv};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] =
    &[HEADER, ENDS, WHITE_SPACE, CHARACTERS, STATEMENTS, MASKS, SWIZZLES, CONSTANTS, INLINE_CONSTANTS];

const HEADER: Group = Group {
    clause: "ARB_vertex_program 2.14.2, header string",
    cases: &[
        ok(All, "parsing begins right behind the header", "!!ARBvp1.0END"),
        ok(All, "an option may follow at once", "!!ARBvp1.0OPTION ARB_position_invariant;END"),
        ok(All, "a comment may follow at once", "!!ARBvp1.0# c\nEND"),
        ok(All, "both sequences of the grammar may be empty", "!!ARBvp1.0\nEND\n"),
        bad(All, "header-not-first", "no white space before it", "@ !!ARBvp1.0 END"),
        bad(All, "header-not-first", "no line before it", "@\n!!ARBvp1.0 END"),
        bad(All, "header-not-first", "no comment before it", "@# c\n!!ARBvp1.0 END"),
        bad(All, "header-unknown", "there is no version 1.1", "@!!ARBvp1.1 END"),
        bad(All, "header-unknown", "nor 2.0", "@!!ARBvp2.0 END"),
        bad(All, "header-unknown", "the version has two numbers", "@!!ARBvp1 END"),
        bad(All, "header-unknown", "case counts", "@!!ARBVP1.0 END"),
        bad(All, "header-unknown", "case counts", "@!!arbvp1.0 END"),
        bad(All, "arb-unexpected", "the header ends where it ends", "!!ARBvp1.0@1 END"),
    ],
};

const ENDS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <program>",
    cases: &[
        ok(All, "white space and comments may follow END", "!!ARBvp1.0 TEMP a; END \r\n\t# the end"),
        ok(All, "a program need not write its position (issue 16)", "MOV result.color, vertex.color;"),
        bad(All, "arb-missing-end", "nothing but a header", "!!ARBvp1.0@"),
        bad(All, "arb-missing-end", "END is missing", "!!ARBvp1.0 TEMP a;\n@"),
        bad(All, "arb-missing-end", "END in a comment is none", "!!ARBvp1.0 TEMP a; # END@"),
        bad(All, "arb-after-end", "a statement after END", "!!ARBvp1.0 END @TEMP a;"),
        bad(All, "arb-after-end", "a second END", "!!ARBvp1.0 END @END"),
        bad(All, "arb-after-end", "END takes no semicolon", "!!ARBvp1.0 END@;"),
        bad(All, "arb-missing-semicolon", "a statement ends before END", "!!ARBvp1.0 TEMP a @END"),
    ],
};

const WHITE_SPACE: Group = Group {
    clause: "ARB_vertex_program 2.14.2, tokens",
    cases: &[
        ok(All, "spaces, tabs, line feeds and carriage returns", "MOV\tR0\r\n,\rR1\n;"),
        ok(All, "none where none is needed", "MOV R0,R1;ADD R0.xy,R1,-R2.x;"),
        ok(
            All,
            "between the tokens of a binding",
            "MOV result . color . front . secondary . x , vertex . color . primary . y ;",
        ),
        ok(All, "within brackets", "MOV R0, program . env [ 3 ] ;"),
        ok(All, "around the dots of a range", "PARAM p[2] = { program.env[0 .. 1] };"),
        ok(All, "a range is no two numbers with a point", "PARAM p[4] = { program.env[0..3] };"),
        ok(
            All,
            "a space on one side of the dots",
            "PARAM p[4] = { program.env[0.. 1], program.env[2 ..3] };",
        ),
        ok(All, "comments between tokens", "MOV # a\nR0, # b\nR1 # c\n;"),
        ok(All, "a comment ends with a carriage return", "# c\rMOV R0, R1;"),
        bad(All, "arb-undefined-name", "what follows that carriage return counts", "# c\rMOV R0, @b;"),
        ok(All, "a comment may hold any character", "# \u{e9} \" ! * \0\nMOV R0, R1;"),
        ok(All, "a selection of components in four tokens", "MOV R0, R1.x y z w;"),
        ok(All, "leading zeros", "MOV R0, program.env[007];"),
    ],
};

const CHARACTERS: Group = Group {
    clause: "ARB_vertex_program 2.14.2, undefined tokens or characters",
    cases: &[
        bad(All, "arb-unknown-character", "no such character", "MOV R0, R1@!;"),
        bad(All, "arb-unknown-character", "no such character", "MOV R0@*, R1;"),
        bad(All, "arb-unknown-character", "no such character", "@\"MOV R0, R1;"),
        bad(All, "arb-unknown-character", "no such character", "@%MOV R0, R1;"),
        bad(All, "arb-unknown-character", "not ASCII", "MOV R0, R1@\u{e9};"),
        bad(All, "arb-unknown-character", "a minus sign that is not ASCII", "MOV R0, @\u{2212}R1;"),
        bad(All, "arb-unknown-character", "a form feed is no white space", "MOV @\u{c}R0, R1;"),
        bad(All, "arb-unknown-character", "nor is a null", "MOV @\0R0, R1;"),
    ],
};

const STATEMENTS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <statement>",
    cases: &[
        bad(All, "arb-empty-statement", "a statement is not empty", "@;"),
        bad(All, "arb-empty-statement", "a statement is not empty", "MOV R0, R1;@;"),
        bad(All, "arb-missing-semicolon", "each statement has its own", "MOV R0, R1 @MOV R1, R0;"),
        bad(All, "arb-missing-semicolon", "declarations too", "TEMP a @TEMP b;"),
        bad(All, "arb-missing-semicolon", "declarations too", "PARAM p = 1 @MOV R0, p;"),
        bad(All, "arb-unexpected", "no operator between operands", "MOV R0, R1 @R2;"),
        bad(All, "arb-missing-comma", "operands have commas between them", "MOV R0 @R1;"),
        bad(All, "arb-missing-comma", "operands have commas between them", "ADD R0, R1 @-R2;"),
        bad(All, "arb-unexpected", "a destination is missing", "MOV @, R1;"),
        bad(All, "arb-unexpected", "an operand is missing", "ADD R0, @, R1;"),
        bad(All, "arb-unknown-instruction", "no such instruction", "@FOO R0, R1;"),
        bad(All, "arb-unknown-instruction", "names of instructions have capitals", "@mov R0, R1;"),
        bad(All, "arb-unknown-instruction", "an instruction of fragment programs", "@CMP R0, R1, R2, R3;"),
        bad(All, "arb-unknown-instruction", "an instruction of fragment programs", "@LRP R0, R1, R2, R3;"),
        bad(All, "arb-unknown-instruction", "an instruction of fragment programs", "@KIL R0;"),
        bad(All, "arb-unknown-instruction", "an instruction of fragment programs", "@SCS R0, R1.x;"),
        bad(All, "arb-unknown-instruction", "a statement of !!FP1.0", "@DEFINE a = 1;"),
        bad(All, "arb-bad-suffix", "a precision of fragment programs", "@MOVR R0, R1;"),
        bad(All, "arb-bad-suffix", "a precision of fragment programs", "@ADDX R0, R1, R2;"),
        bad(All, "arb-bad-suffix", "a modifier of fragment programs", "@MOV_SSAT R0, R1;"),
        bad(All, "arb-unexpected", "a number begins no statement", "@1;"),
        bad(All, "arb-unexpected", "nor does a sign", "@= R0;"),
        bad(All, "arb-unexpected", "nor does a binding", "@vertex.position = R0;"),
        ok(
            All,
            "declarations stand among instructions (issue 81)",
            "MOV R0, R1; TEMP t; MOV t, R0; PARAM p = 1; ADD R0, t, p;",
        ),
    ],
};

const MASKS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <optionalMask>",
    cases: &[
        ok(All, "one component", "MOV R0.x, R1; MOV R0.y, R1; MOV R0.z, R1; MOV R0.w, R1;"),
        ok(
            All,
            "two",
            "MOV R0.xy, R1; MOV R0.xz, R1; MOV R0.xw, R1; MOV R0.yz, R1; MOV R0.yw, R1; MOV R0.zw, R1;",
        ),
        ok(All, "three", "MOV R0.xyz, R1; MOV R0.xyw, R1; MOV R0.xzw, R1; MOV R0.yzw, R1;"),
        ok(All, "four, or none", "MOV R0.xyzw, R1; MOV R0, R1;"),
        bad(All, "arb-bad-mask", "not in the order x, y, z, w", "MOV R0.@yx, R1;"),
        bad(All, "arb-bad-mask", "not in the order x, y, z, w", "MOV R0.@wzyx, R1;"),
        bad(All, "arb-bad-mask", "a component twice", "MOV R0.@xx, R1;"),
        bad(All, "arb-bad-mask", "five components", "MOV R0.@xyzwx, R1;"),
        bad(All, "arb-bad-component", "colour letters are fragment programs'", "MOV R0.@rgba, R1;"),
        bad(All, "arb-bad-component", "case counts", "MOV R0.@X, R1;"),
        bad(All, "arb-unexpected", "a mask has components", "MOV R0.@, R1;"),
        bad(All, "arb-unexpected", "one mask", "MOV R0.x@.y, R1;"),
    ],
};

const SWIZZLES: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <swizzleSuffix>, <scalarSuffix>, <optionalSign>",
    cases: &[
        ok(All, "none, one or four components", "MOV R0, R1; MOV R0, R1.w; MOV R0, R1.wwxy;"),
        ok(All, "signs", "ADD R0, -R1, +R2; MAD R0, -R1.x, +R2.yzwx, -R3.wzyx;"),
        ok(All, "signs of scalars", "RCP R0, -R1.x; POW R0, +R1.y, -R1.z;"),
        bad(All, "arb-bad-swizzle", "two components", "MOV R0, R1.@xy;"),
        bad(All, "arb-bad-swizzle", "three components", "MOV R0, -R1.@xyz;"),
        bad(All, "arb-bad-swizzle", "five components", "MOV R0, R1.@xyzwx;"),
        bad(All, "arb-bad-swizzle", "one selection", "MOV R0, R1.x@.y;"),
        bad(All, "arb-bad-component", "colour letters are fragment programs'", "MOV R0, R1.@rgba;"),
        bad(All, "arb-bad-component", "texture letters never were", "MOV R0, R1.@s;"),
        bad(All, "arb-unexpected", "a selection has components", "MOV R0, R1.@;"),
        bad(All, "arb-unexpected", "one sign", "MOV R0, -@-R1;"),
        bad(All, "arb-unexpected", "one sign", "MOV R0, +@-R1;"),
        bad(All, "arb-needs-component", "a scalar has a component", "RCP R0, R1@;"),
        bad(All, "arb-needs-component", "one, not four", "RSQ R0, R1.@xyzw;"),
        bad(All, "arb-bad-swizzle", "nor two", "EX2 R0, R1.@xy;"),
        bad(All, "arb-needs-component", "both scalars", "POW R0, R1.x, R2@;"),
        bad(All, "arb-needs-component", "the first of them too", "POW R0, R1@, R2.x;"),
        bad(All, "arb-needs-component", "an attribute too", "LG2 R0, vertex.color@;"),
        bad(All, "arb-needs-component", "a state vector too", "LOG R0, state.fog.params@;"),
    ],
};

const CONSTANTS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <paramConstDecl>, <floatConstant>",
    cases: &[
        ok(All, "whole numbers (the example of 2.14.3.7)", "PARAM p = 4;"),
        ok(All, "a fraction", "PARAM p = 4.5;"),
        ok(All, "no fraction part", "PARAM p = 4.;"),
        ok(All, "no integer part", "PARAM p = .5;"),
        ok(All, "an exponent for a point", "PARAM p = 1e3;"),
        ok(All, "a capital E, a signed exponent", "PARAM p = 1E+3; PARAM q = 2E-3;"),
        ok(All, "both", "PARAM p = 1.5e-3; PARAM q = .5e2; PARAM r = 5.e2;"),
        ok(All, "signs", "PARAM p = -2; PARAM q = +2.5;"),
        ok(
            All,
            "one to four components",
            "PARAM p = {1}; PARAM q = {1,2}; PARAM r = {1,2,3}; PARAM s = {1,2,3,4};",
        ),
        ok(All, "signs of components", "PARAM p = {-1, +2, - 3, + 4};"),
        ok(All, "more digits than a number can hold", "PARAM p = 0.333333333333333333333333333333333333;"),
        bad(All, "arb-bad-constant", "five components", "PARAM p = {1,2,3,4@,5};"),
        bad(All, "arb-unexpected", "no components", "PARAM p = {@};"),
        bad(All, "arb-unexpected", "a component is missing", "PARAM p = {1,@};"),
        bad(All, "arb-missing-comma", "components have commas between them", "PARAM p = {1 @2};"),
        bad(All, "arb-unexpected", "the brace is not closed", "PARAM p = {1@;"),
        bad(All, "arb-unexpected", "one sign", "PARAM p = -@-1;"),
        bad(All, "arb-unexpected", "no vectors in vectors", "PARAM p = {@{1}};"),
        bad(All, "arb-unexpected", "constants are numbers", "PARAM p = {1, @R0};"),
        bad(All, "arb-unexpected", "a vector has no sign where it is declared", "PARAM p = -@{1};"),
        bad(All, "arb-bad-number", "an exponent has digits", "PARAM p = @1e;"),
        bad(All, "arb-bad-number", "no letter behind a number", "PARAM p = @1.0f;"),
        bad(All, "arb-unexpected", "a point alone is no number", "PARAM p = @.;"),
    ],
};

const INLINE_CONSTANTS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <paramConstUse>; NV_vertex_program2_option <paramUseV>, <paramUseS>",
    cases: &[
        ok(All, "scalars", "MOV R0, 2; MOV R0, 2.5; ADD R0, 1, 2;"),
        ok(All, "a minus negates the operand", "MOV R0, -2;"),
        ok(All, "vectors, and selections of them", "MOV R0, {1,2,3,4}; MOV R0, -{1,-2}.yxyx;"),
        ok(All, "a vector as a scalar", "RCP R0, {1,2}.y; POW R0, {3}.x, -{1,2}.z;"),
        bad(All, "arb-needs-component", "a vector has to be reduced to one", "RCP R0, {1,2}@;"),
        bad(All, "arb-bad-constant", "five components", "MOV R0, {1,2,3,4@,5};"),
        bad(All, "arb-unexpected", "one sign", "MOV R0, -@-2;"),
        ok(
            Base,
            "scalars take the suffix that scalar operands must have",
            "RCP R0, 2.0.x; POW R0, R1.x, 3.0.y;",
        ),
        ok(Base, "and may have a selection", "MOV R0, 2.0.xyzw; MOV R0, 2.0.x;"),
        bad(Base, "arb-needs-component", "without the NV options' correction", "RCP R0, 2.0@;"),
        ok(Nv, "the options drop the suffix", "RCP R0, 2.0; POW R0, R1.x, 3.0; POW R0, -2.0, R1.x;"),
        bad(Nv, "arb-scalar-suffix", "the options have no rule with a suffix any more", "RCP R0, 2.0@.x;"),
        bad(Nv, "arb-scalar-suffix", "for vector operands neither", "MOV R0, 2.0@.x;"),
    ],
};
