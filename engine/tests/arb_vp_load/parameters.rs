//! Program parameters: environment, local, arrays and their addressing (ARB_vertex_program 2.14.3.2,
//! 2.14.4.2).

use super::corpus::In::{All, Base, Nv};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[SINGLE, ARRAYS, ABSOLUTE, RELATIVE, BOUND_TWICE];

const SINGLE: Group = Group {
    clause: "ARB_vertex_program 2.14.3.2, Table X.3.1",
    cases: &[
        ok(All, "declared", "PARAM p = program.env[0]; PARAM q = program.local[<LOCAL-1>]; ADD R0, p, q;"),
        ok(
            All,
            "in place",
            "ADD R0, program.env[<ENV-1>], -program.local[0].wzyx; RCP R0, program.env[3].x;",
        ),
        ok(
            All,
            "any number of them in an instruction (issue 14)",
            "MAD R0, program.env[0], program.env[1], program.local[2];",
        ),
        ok(
            All,
            "one vector by two names",
            "PARAM p = program.env[0]; PARAM q = program.env[0]; ADD R0, p, q;",
        ),
        bad(All, "arb-bad-parameter", "past the last environment parameter", "MOV R0, program.env[@<ENV>];"),
        bad(All, "arb-bad-parameter", "past the last local parameter", "PARAM p = program.local[@<LOCAL>];"),
        bad(All, "arb-bad-parameter", "far past it", "MOV R0, program.env[@99999999999999999999];"),
        bad(All, "arb-bad-parameter", "no integer", "MOV R0, program.env[@1.5];"),
        bad(All, "arb-bad-parameter", "no integer", "MOV R0, program.local[@1e1];"),
        bad(All, "arb-bad-parameter", "no such parameters", "MOV R0, program.@foo[0];"),
        bad(All, "arb-bad-parameter", "case counts", "MOV R0, program.@Env[0];"),
        bad(All, "arb-bad-parameter", "program matrices are state", "PARAM p = program.@matrix[0];"),
        bad(All, "arb-unexpected", "a parameter has a number", "MOV R0, program.env@;"),
        bad(All, "arb-unexpected", "a parameter has a number", "MOV R0, program.local[@];"),
        bad(All, "arb-unexpected", "no sign", "MOV R0, program.env[@-1];"),
        bad(All, "arb-unexpected", "the bracket is not closed", "MOV R0, program.env[1@;"),
        bad(All, "arb-unexpected", "program alone is no operand", "MOV R0, program@;"),
        bad(
            All,
            "arb-unexpected",
            "only arrays are addressed by registers (2.14.4.2)",
            "MOV R0, program.env[@A0.x];",
        ),
        bad(All, "arb-bad-range", "a range is for arrays", "PARAM p = program.env[0@..1];"),
        bad(All, "arb-bad-range", "even one of one vector", "PARAM p = program.local[1@..1];"),
        bad(All, "arb-bad-range", "nor can one be read", "MOV R0, program.env[0@..3];"),
        bad(All, "arb-unexpected", "no selection where it is declared", "PARAM p = program.env[0]@.x;"),
        bad(All, "arb-unexpected", "no sign where it is declared", "PARAM p = -@program.env[0];"),
    ],
};

const ARRAYS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <PARAM_multipleStmt>, 2.14.3.2 Program Parameter Arrays",
    cases: &[
        ok(All, "no size", "PARAM p[] = { program.env[0], program.env[1] }; MOV R0, p[1];"),
        ok(All, "the right size", "PARAM p[2] = { program.env[0], program.env[1] }; MOV R0, p[1];"),
        ok(All, "one element", "PARAM p[1] = { program.local[0] }; MOV R0, p[0];"),
        ok(
            All,
            "ranges count all they hold",
            "PARAM p[8] = { program.env[3..6], program.local[0..3] }; MOV R0, p[7];",
        ),
        ok(All, "a range of one", "PARAM p[1] = { program.env[3..3] }; MOV R0, p[0];"),
        ok(
            All,
            "constants of either form, with signs",
            "PARAM p[4] = { 1, -2.5, { 3 }, { -1, 2, 3, 4 } }; MOV R0, p[3];",
        ),
        ok(
            All,
            "all sorts together",
            "PARAM p[9] = { state.matrix.mvp, state.fog.color, program.env[0..1], { 1, 2 }, -3 }; MOV R0, p[8];",
        ),
        ok(
            All,
            "everything that can be had",
            "PARAM p[<ENV>] = { program.env[0..<ENV-1>] }; MOV R0, p[<ENV-1>];",
        ),
        bad(All, "arb-array-size", "too small a size", "PARAM p[1] = { program.env[0]@, program.env[1] };"),
        bad(All, "arb-array-size", "too large a size", "PARAM p[3] = { program.env[0], program.env[1] @};"),
        bad(All, "arb-array-size", "a matrix has four rows", "PARAM p[1] = { state.matrix.mvp @};"),
        bad(All, "arb-array-size", "a range holds both its ends", "PARAM p[2] = { program.env[0..@2] };"),
        bad(All, "arb-array-size", "sizes begin at 1", "PARAM p[@0] = { program.env[0] };"),
        bad(
            All,
            "arb-array-size",
            "sizes end at the limit of bindings",
            "PARAM p[@999999] = { program.env[0] };",
        ),
        bad(All, "arb-array-size", "no integer", "PARAM p[@1.0] = { program.env[0] };"),
        bad(All, "arb-unexpected", "no sign", "PARAM p[@-1] = { program.env[0] };"),
        bad(All, "arb-unexpected", "no name", "PARAM p[@R0] = { program.env[0] };"),
        bad(All, "arb-unexpected", "nothing to bind", "PARAM p[] = {@};"),
        bad(All, "arb-unexpected", "an element is missing", "PARAM p[] = { 1, @};"),
        bad(All, "arb-missing-comma", "elements have commas between them", "PARAM p[] = { 1 @2 };"),
        bad(All, "arb-unexpected", "the brace is not closed", "PARAM p[] = { 1, 2@;"),
        bad(All, "arb-unexpected", "an array has its elements in braces", "PARAM p[1] = @program.env[0];"),
        bad(All, "arb-unexpected", "an array has elements", "PARAM p[2]@;"),
        bad(
            All,
            "arb-unexpected",
            "one parameter has no braces but a constant's",
            "PARAM p = { @program.env[0] };",
        ),
        bad(All, "arb-unexpected", "nor has a matrix", "PARAM p = { @state.matrix.mvp };"),
        bad(All, "arb-unexpected", "elements are no variables", "PARAM p[] = { @R0 };"),
        bad(All, "arb-unexpected", "elements are no attributes", "PARAM p[] = { 1, @vertex.color };"),
        bad(All, "arb-unexpected", "arrays do not hold arrays", "PARAM p[] = { { @{ 1 } } };"),
        bad(All, "arb-bad-range", "a range goes up", "PARAM p[] = { program.env[3..@2] };"),
        bad(All, "arb-bad-range", "for local parameters too", "PARAM p[] = { program.local[9..@0] };"),
        bad(
            All,
            "arb-bad-parameter",
            "the end of a range has its limit",
            "PARAM p[] = { program.env[0..@<ENV>] };",
        ),
        bad(All, "arb-unexpected", "a range has an end", "PARAM p[] = { program.env[0..@] };"),
    ],
};

const ABSOLUTE: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <progParamArrayAbs>, 2.14.3.2, 2.14.4.2",
    cases: &[
        ok(All, "first and last", "PARAM p[] = { 1, 2, 3 }; ADD R0, p[0], -p[2].x; RCP R0, p[1].y;"),
        ok(All, "a leading zero", "PARAM p[] = { 1, 2 }; MOV R0, p[01];"),
        ok(All, "any element in any operand", "PARAM p[] = { 1, 2, 3 }; MAD R0, p[0], p[1], p[2];"),
        bad(All, "arb-bad-index", "the size is out of range", "PARAM p[] = { 1, 2, 3 }; MOV R0, p[@3];"),
        bad(All, "arb-bad-index", "far out of range", "PARAM p[] = { 1 }; MOV R0, p[@99999999999999999999];"),
        bad(All, "arb-bad-index", "no integer", "PARAM p[] = { 1, 2 }; MOV R0, p[@1.0];"),
        bad(
            All,
            "arb-bad-index",
            "an alias has the array's size",
            "PARAM p[] = { 1 }; ALIAS a = p; MOV R0, a[@1];",
        ),
        bad(All, "arb-unexpected", "no sign", "PARAM p[] = { 1, 2 }; MOV R0, p[@-1];"),
        bad(All, "arb-unexpected", "no ranges", "PARAM p[] = { 1, 2 }; MOV R0, p[0@..1];"),
        bad(All, "arb-unexpected", "an index is missing", "PARAM p[] = { 1, 2 }; MOV R0, p[@];"),
        bad(All, "arb-unexpected", "the bracket is not closed", "PARAM p[] = { 1, 2 }; MOV R0, p[0@;"),
        bad(All, "arb-needs-component", "a scalar", "PARAM p[] = { 1, 2 }; RCP R0, p[0]@;"),
    ],
};

const RELATIVE: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <progParamArrayRel>, 2.14.3.5, 2.14.4.2; NV_vertex_program2_option <addrComponent>",
    cases: &[
        ok(All, "no offset", "PARAM p[] = { 1, 2 }; ARL A0.x, R0.x; MOV R0, p[A0.x];"),
        ok(All, "the register need not be loaded", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x];"),
        ok(
            All,
            "offsets, also beyond the array",
            "PARAM p[] = { 1, 2 }; ADD R0, p[A0.x+63], p[A0.x-64]; MOV R0, p[A0.x+0]; MOV R0, p[A0.x-0];",
        ),
        ok(
            All,
            "with sign and selection",
            "PARAM p[] = { 1, 2 }; MOV R0, -p[A0.x+1].wzyx; RCP R0, p[A0.x-1].w;",
        ),
        ok(All, "space between the tokens", "PARAM p[] = { 1, 2 }; MOV R0, p [ A0 . x + 1 ] . y;"),
        ok(
            All,
            "several in an instruction",
            "PARAM p[] = { 1, 2 }; PARAM q[] = { 3, 4 }; MAD R0, p[A0.x], q[A0.x+1], p[0];",
        ),
        ok(All, "SWZ too", "PARAM p[] = { 1, 2 }; SWZ R0, p[A0.x+1], x, 0, 1, -w;"),
        bad(Base, "arb-bad-offset", "63 at most", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x+@64];"),
        bad(Base, "arb-bad-offset", "64 at most", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x-@65];"),
        bad(
            Base,
            "arb-bad-offset",
            "far too much",
            "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x+@99999999999999999999];",
        ),
        bad(All, "arb-bad-offset", "no integer", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x+@1.5];"),
        bad(All, "arb-unexpected", "one sign", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x+@-1];"),
        bad(All, "arb-unexpected", "an offset is missing", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x+@];"),
        bad(All, "arb-unexpected", "a sign is missing", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x @1];"),
        bad(All, "arb-unexpected", "an offset is a number", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x+@R0];"),
        bad(All, "arb-unexpected", "the offset comes last", "PARAM p[] = { 1, 2 }; MOV R0, p[1@+A0.x];"),
        bad(All, "arb-unexpected", "no sign before the register", "PARAM p[] = { 1, 2 }; MOV R0, p[@-A0.x];"),
        bad(All, "arb-unexpected", "one term", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.x+1@+1];"),
        bad(All, "arb-needs-component", "a component", "PARAM p[] = { 1, 2 }; MOV R0, p[A0@];"),
        bad(
            All,
            "arb-needs-component",
            "a component before the offset",
            "PARAM p[] = { 1, 2 }; MOV R0, p[A0@+1];",
        ),
        bad(All, "arb-bad-swizzle", "one component", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.@xx];"),
        bad(All, "arb-bad-component", "a component of a vector", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.@r];"),
        bad(Base, "arb-later-feature", "only x without an option", "PARAM p[] = { 1, 2 }; MOV R0, p[A0.@y];"),
        bad(
            Base,
            "arb-later-feature",
            "only x without an option",
            "PARAM p[] = { 1, 2 }; MOV R0, p[A0.@w+1];",
        ),
        ok(Nv, "all four with one", "PARAM p[] = { 1, 2 }; ADD R0, p[A0.y], p[A0.z-3]; MOV R0, p[A0.w+63];"),
        bad(
            All,
            "arb-needs-address",
            "a temporary is no address register",
            "PARAM p[] = { 1, 2 }; MOV R0, p[@R1.x];",
        ),
        bad(
            All,
            "arb-needs-address",
            "nor is a parameter",
            "PARAM p[] = { 1, 2 }; PARAM q = 1; MOV R0, p[@q.x];",
        ),
        bad(
            All,
            "arb-unexpected",
            "nor is an attribute",
            "PARAM p[] = { 1, 2 }; MOV R0, p[@vertex.color.x];",
        ),
    ],
};

const BOUND_TWICE: Group = Group {
    clause: "ARB_vertex_program 2.14.3.2, last paragraph; issue 13",
    cases: &[
        ok(
            All,
            "twice in an array read by number only",
            "PARAM p[] = { program.env[0], program.env[0] }; MOV R0, p[1];",
        ),
        ok(
            All,
            "in two arrays, one of them read by number",
            "PARAM p[] = { program.env[0] }; PARAM q[] = { program.env[0] }; ADD R0, p[A0.x], q[0];",
        ),
        ok(
            All,
            "in an array and a single parameter",
            "PARAM p[] = { program.env[0] }; PARAM q = program.env[0]; ADD R0, p[A0.x], q;",
        ),
        ok(
            All,
            "in an array and in place",
            "PARAM p[] = { program.env[0] }; ADD R0, p[A0.x], program.env[0];",
        ),
        ok(
            All,
            "constants are no state",
            "PARAM p[] = { 1, 1, { 1, 1, 1, 1 } }; PARAM q[] = { 1 }; ADD R0, p[A0.x], q[A0.x];",
        ),
        ok(
            All,
            "environment and local parameters are two things",
            "PARAM p[] = { program.env[0..3], program.local[0..3] }; MOV R0, p[A0.x];",
        ),
        ok(
            All,
            "a matrix and its transpose have different rows",
            "PARAM p[] = { state.matrix.mvp, state.matrix.mvp.transpose }; MOV R0, p[A0.x];",
        ),
        ok(
            All,
            "so have two matrices",
            "PARAM p[] = { state.matrix.program[0], state.matrix.program[1] }; MOV R0, p[A0.x];",
        ),
        ok(
            All,
            "two arrays of different vectors",
            "PARAM p[] = { program.env[0..3] }; PARAM q[] = { program.env[4..7] }; ADD R0, p[A0.x], q[A0.x];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "twice in one array",
            "PARAM p[] = { program.env[0], program.env[0] }; MOV R0, p[@A0.x];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "by ranges that overlap",
            "PARAM p[] = { program.env[0..3], program.env[3..5] }; MOV R0, p[@A0.x+1];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "once in each of two",
            "PARAM p[] = { program.local[0..3] }; PARAM q[] = { program.local[3] }; ADD R0, p[A0.x], q[@A0.x];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "a matrix and a row of it",
            "PARAM p[] = { state.matrix.mvp, state.matrix.mvp.row[2] }; MOV R0, p[@A0.x];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "one state by two names: a face",
            "PARAM p[] = { state.material.ambient, state.material.front.ambient }; MOV R0, p[@A0.x];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "one state by two names: a number",
            "PARAM p[] = { state.matrix.modelview, state.matrix.modelview[0] }; MOV R0, p[@A0.x];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "one state by two names: a unit",
            "PARAM p[] = { state.texgen.eye.s, state.texgen[0].eye.s }; MOV R0, p[@A0.x];",
        ),
        bad(
            All,
            "arb-bound-twice",
            "through an alias",
            "PARAM p[] = { state.fog.color, state.fog.color }; ALIAS a = p; MOV R0, a[@A0.x];",
        ),
    ],
};
