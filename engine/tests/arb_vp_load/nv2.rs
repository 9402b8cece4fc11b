//! Additions of OPTION NV_vertex_program2 (NV_vertex_program2_option).

use super::corpus::In::{Nv, Nv2};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] =
    &[BARS, CONDITIONS, SUFFIXES, ADDRESSES, CLIP_DISTANCES, LABELS, BRANCHES, UNKNOWN_LABELS];

const BARS: Group = Group {
    clause: "NV_vertex_program2_option <instOperandAbsV>, <instOperandAbsS>, 2.14.4.1",
    cases: &[
        ok(
            Nv,
            "around vectors",
            "MOV R0, |R1|; ADD R0, -|R1.yzwx|, +|vertex.color|; MAD R0, |program.env[0]|, |{1,-2}|, |2|;",
        ),
        ok(Nv, "with a sign of its own", "MOV R0, |-R1|; MOV R0, -|-R1.x|; MOV R0, |+R1|;"),
        ok(Nv, "around scalars", "RCP R0, |R1.x|; POW R0, -|R1.y|, |-vertex.color.w|; RSQ R0, |2.0|;"),
        ok(Nv, "around elements", "PARAM p[] = { 1, 2 }; MOV R0, |p[1].x|; MOV R0, -|p[A0.y-3]|;"),
        ok(Nv, "ARL's operand", "ARL A0, |R1|; ARR A0.x, -|R1.wzyx|;"),
        bad(Nv, "arb-bad-swizzle", "the selection stands within", "MOV R0, |R1|@.x;"),
        bad(Nv, "arb-needs-component", "a scalar's component stands within", "RCP R0, |R1@|;"),
        bad(Nv, "arb-unclosed-bars", "two bars", "MOV R0, |R1@;"),
        bad(Nv, "arb-unclosed-bars", "two bars around each", "ADD R0, |R1@, R2|;"),
        bad(Nv, "arb-unexpected", "one pair", "MOV R0, |@|R1||;"),
        bad(Nv, "arb-unexpected", "an operand within", "MOV R0, |@|;"),
        bad(Nv, "arb-unexpected", "none around SWZ's operand", "SWZ R0, @|R1|, x, y, z, w;"),
        bad(Nv, "arb-unexpected", "none around a destination", "MOV @|R0|, R1;"),
        bad(Nv, "arb-unexpected", "none where a parameter is declared", "PARAM p = @|program.env[0]|;"),
    ],
};

const CONDITIONS: Group = Group {
    clause: "NV_vertex_program2_option <ccMask>, 2.14.4.3",
    cases: &[
        ok(
            Nv,
            "all rules",
            "MOV R0 (EQ), R1; MOV R0 (GE), R1; MOV R0 (GT), R1; MOV R0 (LE), R1; MOV R0 (LT), R1; MOV R0 (NE), R1; MOV R0 (TR), R1; MOV R0 (FL), R1;",
        ),
        ok(Nv, "selections", "MOV R0 (EQ.x), R1; MOV R0.xz(NE.wzyx), R1; MOV R0.y ( GT . w ), R1;"),
        ok(
            Nv,
            "results and address registers",
            "MOV result.color.front (LT), R1; ARL A0 (GT), R1; ARA A0.xy (EQ.x), A0;",
        ),
        bad(Nv, "arb-bad-condition", "no such rule", "MOV R0 (@XX), R1;"),
        bad(Nv, "arb-bad-condition", "case counts", "MOV R0 (@eq), R1;"),
        bad(Nv, "arb-bad-condition", "a rule is missing", "MOV R0 (@), R1;"),
        bad(Nv, "arb-bad-condition", "no numbers", "MOV R0 (@1), R1;"),
        bad(
            Nv2,
            "arb-later-feature",
            "a second register comes with NV_vertex_program3",
            "MOV R0 (@EQ1), R1;",
        ),
        bad(Nv2, "arb-later-feature", "and so does the first one's number", "MOV R0 (@GT0.x), R1;"),
        bad(Nv, "arb-bad-swizzle", "one or four components", "MOV R0 (EQ.@xy), R1;"),
        bad(Nv, "arb-unexpected", "the mask is not closed", "MOV R0 (EQ@, R1;"),
        bad(Nv, "arb-unexpected", "the condition comes last", "MOV R0 (EQ)@.x, R1;"),
        bad(Nv, "arb-unexpected", "one condition", "MOV R0 (EQ)@(GT), R1;"),
        bad(Nv, "arb-unexpected", "no parentheses", "MOV R0 @EQ, R1;"),
        bad(Nv, "arb-undefined-name", "the grammar has no condition register to write to", "MOVC @CC, R1;"),
        ok(Nv, "so that CC is a name like others", "TEMP CC; MOVC CC, R1;"),
    ],
};

const SUFFIXES: Group = Group {
    clause: "NV_vertex_program2_option, Table X.5",
    cases: &[
        ok(
            Nv,
            "C on what computes",
            "MOVC R0, R1; SWZC R0.xy (EQ), R1, x, 0, 1, -y; XPDC R0, R1, R2; POWC R0, R1.x, R2.y; RCCC R0.x, R1.x;",
        ),
        ok(Nv, "C on what loads address registers", "ARLC A0, R1; ARRC A0.x (LT), R1; ARAC A0, A0;"),
        bad(Nv, "arb-bad-suffix", "BRA computes nothing", "l: @BRAC l;"),
        bad(Nv, "arb-bad-suffix", "nor does CAL", "l: @CALC l;"),
        bad(Nv, "arb-bad-suffix", "nor RET", "@RETC;"),
        bad(Nv, "arb-bad-suffix", "one C", "@MOVCC R0, R1;"),
        bad(Nv, "arb-bad-suffix", "a precision of fragment programs", "@MOVRC R0, R1;"),
        bad(Nv, "arb-unknown-instruction", "an instruction of NV_vertex_program3's sister", "@NRM R0, R1;"),
        bad(Nv, "arb-unknown-instruction", "an instruction of fragment programs", "@DDX R0, R1;"),
    ],
};

const ADDRESSES: Group = Group {
    clause: "NV_vertex_program2_option <ARLop_src>, <ARAop_instruction>, <optAddrWriteMask>, 2.14.3.5",
    cases: &[
        ok(Nv, "vectors", "ARL A0, R1; ARL A0.yw, -R1.wzyx; ARR A0.xyz, vertex.color; ARL A0, 2.5;"),
        ok(Nv, "what loads without the option", "ARL A0.x, R1.x;"),
        ok(Nv, "ARA", "ADDRESS A1; ARA A0, A0; ARA A0.xw, A1;"),
        bad(Nv, "arb-bad-swizzle", "ARA's operand has no selection (2.14.5.28)", "ARA A0, A0@.x;"),
        bad(Nv, "arb-unexpected", "nor a sign", "ARA A0, @-A0;"),
        bad(Nv, "arb-unexpected", "nor bars", "ARA A0, @|A0|;"),
        bad(Nv, "arb-needs-address", "it is an address register", "ARA A0, @R1;"),
        bad(Nv, "arb-needs-address", "and so is the destination", "ARA @R0, A0;"),
        bad(Nv, "arb-needs-address", "ARR's too", "ARR @R0, R1;"),
        bad(Nv, "arb-unexpected", "a binding is no address register", "ARA A0, @vertex.color;"),
        bad(Nv, "arb-read-address", "ARL reads none", "ARL A0, @A0;"),
    ],
};

const CLIP_DISTANCES: Group = Group {
    clause: "NV_vertex_program2_option <resultVtxBasic>, 2.14.3.4",
    cases: &[
        ok(
            Nv,
            "each plane",
            "DP4 result.clip[0].x, R0, R1; DP4 result.clip[<CLIP-1>].x, R0, R1; MOV result.clip[1], R0;",
        ),
        ok(Nv, "declared", "OUTPUT d = result.clip[2]; MOV d.x, R0;"),
        bad(Nv, "arb-bad-result", "past the last clip plane", "MOV result.clip[@<CLIP>].x, R0;"),
        bad(Nv, "arb-bad-result", "no integer", "OUTPUT d = result.clip[@0.5];"),
        bad(Nv, "arb-unexpected", "a clip distance has a number", "MOV result.clip@, R0;"),
        bad(
            Nv,
            "arb-unexpected",
            "computed indices are for texture coordinates",
            "MOV result.clip[@A0.x], R0;",
        ),
        bad(Nv, "arb-read-result", "results are write-only", "MOV R0, @result.clip[0];"),
    ],
};

const LABELS: Group = Group {
    clause: "NV_vertex_program2_option <branchLabel>, 2.14.4.X",
    cases: &[
        ok(
            Nv,
            "before a statement, alone on a line, at the end",
            "a: MOV R0, R1;\nb:\nMOV R1, R0; BRA a; BRA b; BRA c; c:",
        ),
        ok(Nv, "one before another", "a: b: MOV R0, R1; BRA a; BRA b;"),
        ok(Nv, "before a declaration", "a: TEMP t; MOV t, R0; BRA a;"),
        ok(Nv, "main, also behind the last instruction", "MOV R0, R1; main: MOV R1, R0;"),
        ok(Nv, "never gone to", "a: MOV R0, R1;"),
        ok(Nv, "names with $ and _", "$a_1: MOV R0, R1; BRA $a_1;"),
        ok(
            Nv,
            "words of the grammar that are not reserved",
            "EQ: MOV R0, R1; position: MOV R1, R0; BRA EQ; BRA position;",
        ),
        bad(Nv, "arb-duplicate-label", "a label stands for one place", "a: MOV R0, R1; @a: BRA a;"),
        bad(Nv, "arb-duplicate-label", "even if both are the same place", "a: @a: BRA a;"),
        bad(Nv, "arb-reserved-label", "a keyword", "@MOV: MOV R0, R1;"),
        bad(Nv, "arb-reserved-label", "a keyword of the option", "@BRA: MOV R0, R1;"),
        bad(Nv, "arb-reserved-label", "a binding's prefix", "@result: MOV R0, R1;"),
        bad(Nv, "arb-bad-label", "a number", "@1: MOV R0, R1;"),
        bad(Nv, "arb-unexpected", "no name", "@: MOV R0, R1;"),
        bad(
            Nv,
            "arb-late-option",
            "a label is a statement",
            "!!ARBvp1.0 OPTION NV_vertex_program2; l: @OPTION ARB_position_invariant; END",
        ),
    ],
};

const BRANCHES: Group = Group {
    clause: "NV_vertex_program2_option <BRAop_instruction>, <FLOWCCop_instruction>, 2.14.4.X",
    cases: &[
        ok(Nv, "forward and backward", "a: BRA b; BRA a; b: MOV R0, R1;"),
        ok(Nv, "to itself", "a: BRA a;"),
        ok(Nv, "with conditions", "a: BRA a (LT.x); CAL a (NE.wzyx); RET (TR); RET (FL);"),
        ok(Nv, "calls and returns", "BRA over; sub: ADD R0, R0, R1; RET; over: CAL sub; CAL sub (GT.y);"),
        bad(Nv, "arb-unexpected", "a branch goes somewhere", "BRA@;"),
        bad(Nv, "arb-unexpected", "a condition is no label", "BRA @(EQ);"),
        bad(Nv, "arb-unexpected", "a keyword is no label", "BRA @MOV;"),
        bad(Nv, "arb-unexpected", "a condition has parentheses", "l: BRA l @EQ;"),
        bad(Nv, "arb-unexpected", "RET goes nowhere", "l: RET @l;"),
        bad(Nv, "arb-unexpected", "the condition is not closed", "l: BRA l (EQ@;"),
        bad(Nv, "arb-bad-condition", "no such rule", "l: CAL l (@eq);"),
        bad(Nv, "arb-bad-swizzle", "one or four components", "RET (EQ.@xy);"),
        bad(Nv, "arb-operand-count", "one label", "l: BRA l@, l;"),
        bad(Nv, "arb-operand-count", "no operands", "RET@, R0;"),
        bad(Nv, "arb-missing-semicolon", "a statement ends", "l: BRA l\n@MOV R0, R1;"),
    ],
};

/// A label may be defined anywhere, so a missing label is known only at the end.
const UNKNOWN_LABELS: Group = Group {
    clause: "NV_vertex_program2_option 2.14.4.X",
    cases: &[
        bad(Nv, "arb-unknown-label", "defined nowhere", "BRA nowhere;"),
        bad(Nv, "arb-unknown-label", "gone to twice, missed once", "BRA nowhere; CAL nowhere (GT.x);"),
        bad(Nv, "arb-unknown-label", "case counts", "Main: MOV R0, R1; BRA main;"),
        bad(Nv, "arb-unknown-label", "a variable is no place", "CAL R0;"),
    ],
};
