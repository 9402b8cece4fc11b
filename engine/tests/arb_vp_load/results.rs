//! Result bindings, address registers and options (ARB_vertex_program 2.14.3.4, 2.14.3.5, 2.14.4.5).

use super::corpus::In::{All, Base, BeforeNv3, Nv};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[RESULTS, ADDRESSES, OPTIONS, INVARIANCE];

/// Table X.4.
pub const RESULT_NAMES: &str = "\
position color color.primary color.secondary color.front color.front.primary color.front.secondary
color.back color.back.primary color.back.secondary fogcoord pointsize texcoord texcoord[0]
texcoord[<TEXTURES-1>]";

const RESULTS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <resultBinding>, 2.14.3.4",
    cases: &[
        ok(
            All,
            "masks follow the binding",
            "MOV result.color.xyz, R0; MOV result.color.back.secondary.w, R0; MOV result.texcoord[1].xy, R0; MOV result.fogcoord.x, R0;",
        ),
        ok(All, "unused components may be written", "MOV result.fogcoord, R0; MOV result.pointsize.yzw, R0;"),
        ok(
            All,
            "one result by several names",
            "OUTPUT a = result.color; OUTPUT b = result.color.front.primary; MOV a.x, R0; MOV b.y, R0; MOV result.color.primary.z, R0;",
        ),
        bad(All, "arb-bad-result", "no such result", "MOV result.@foo, R0;"),
        bad(All, "arb-bad-result", "an attribute's name", "OUTPUT o = result.@normal;"),
        bad(All, "arb-bad-result", "a result of fragment programs", "MOV result.@depth, R0;"),
        bad(All, "arb-bad-result", "case counts", "MOV result.@Position, R0;"),
        bad(All, "arb-bad-result", "past the last texture unit", "MOV result.texcoord[@<TEXTURES>], R0;"),
        bad(
            All,
            "arb-bad-result",
            "the same where it is declared",
            "OUTPUT o = result.texcoord[@<TEXTURES>];",
        ),
        bad(All, "arb-bad-result", "no integer", "MOV result.texcoord[@0.0], R0;"),
        bad(All, "arb-unexpected", "an empty bracket", "OUTPUT o = result.texcoord[@];"),
        bad(All, "arb-unexpected", "results are not written in ranges", "OUTPUT o = result.texcoord[0@..1];"),
        bad(All, "arb-unexpected", "colours have no numbers here", "MOV result.color@[0], R0;"),
        bad(All, "arb-bad-result", "no such face or colour", "OUTPUT o = result.color.@middle;"),
        bad(All, "arb-bad-result", "no such colour of a face", "OUTPUT o = result.color.front.@tertiary;"),
        bad(All, "arb-bad-result", "one face", "OUTPUT o = result.color.front.@back;"),
        bad(All, "arb-unexpected", "the face comes first", "OUTPUT o = result.color.primary@.front;"),
        bad(All, "arb-unexpected", "the position has no number", "MOV result.position@[0], R0;"),
        bad(All, "arb-unexpected", "a result is missing", "OUTPUT o = result.@;"),
        bad(All, "arb-unexpected", "result alone is nothing", "MOV result@, R0;"),
        bad(All, "arb-bad-mask", "masks are in order", "MOV result.color.@yx, R0;"),
        bad(
            Base,
            "arb-later-feature",
            "clip distances come with NV_vertex_program2",
            "MOV result.@clip[0].x, R0;",
        ),
        bad(Base, "arb-later-feature", "declared too", "OUTPUT o = result.@clip[0];"),
        bad(
            BeforeNv3,
            "arb-later-feature",
            "computed indices come with NV_vertex_program3",
            "MOV result.texcoord[@A0.x], R0;",
        ),
    ],
};

const ADDRESSES: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <ARL_instruction>, 2.14.3.5, 2.14.5.3",
    cases: &[
        ok(
            All,
            "ARL of every kind of scalar",
            "ARL A0.x, R0.x; ARL A0.x, -vertex.attrib[7].w; ARL A0.x, program.env[0].y; ARL A0.x, {1,2}.y;",
        ),
        ok(Base, "a number needs its component", "ARL A0.x, 2.0.x;"),
        ok(All, "other names", "ADDRESS index; PARAM p[] = { 1, 2 }; ARL index.x, R0.x; MOV R0, p[index.x];"),
        bad(Base, "arb-needs-component", "the component is written", "ARL A0@, R0.x;"),
        bad(Base, "arb-address-mask", "there is x only", "ARL A0.@y, R0.x;"),
        bad(Base, "arb-address-mask", "there is x only", "ARL A0.@xyzw, R0.x;"),
        bad(Base, "arb-needs-component", "the operand is a scalar", "ARL A0.x, R0@;"),
        bad(Base, "arb-needs-component", "the operand is a scalar", "ARL A0.x, R0.@xyzw;"),
        bad(Nv, "arb-bad-mask", "not in order", "ARL A0.@yx, R0;"),
        bad(All, "arb-unexpected", "a destination is missing", "ARL @, R0.x;"),
        bad(All, "arb-unexpected", "a number is no address register", "ARL @1, R0.x;"),
        bad(All, "arb-read-address", "ARL reads no address register", "ARL A0.x, @A0.x;"),
        bad(All, "arb-operand-count", "one operand", "ARL A0.x, R0.x@, R1.x;"),
    ],
};

const OPTIONS: Group = Group {
    clause: "ARB_vertex_program 2.14.4.5",
    cases: &[
        ok(All, "none", "!!ARBvp1.0 END"),
        ok(All, "one", "!!ARBvp1.0 OPTION ARB_position_invariant; END"),
        ok(All, "NV_vertex_program2", "!!ARBvp1.0 OPTION NV_vertex_program2; END"),
        ok(All, "NV_vertex_program3", "!!ARBvp1.0 OPTION NV_vertex_program3; END"),
        ok(
            All,
            "several, in any order",
            "!!ARBvp1.0 OPTION NV_vertex_program3; OPTION ARB_position_invariant; OPTION NV_vertex_program2; END",
        ),
        ok(
            All,
            "one twice: nothing forbids it",
            "!!ARBvp1.0 OPTION NV_vertex_program2; OPTION NV_vertex_program2; END",
        ),
        ok(
            All,
            "the larger option has all of the smaller, whichever comes last",
            "!!ARBvp1.0 OPTION NV_vertex_program3; OPTION NV_vertex_program2; ADDRESS a; PUSHA a; END",
        ),
        bad(All, "arb-unknown-option", "no such option", "!!ARBvp1.0 OPTION @foo; END"),
        bad(All, "arb-unknown-option", "case counts", "!!ARBvp1.0 OPTION @arb_position_invariant; END"),
        bad(
            All,
            "arb-unknown-option",
            "an option of !!VP1.1 and !!VP2.0",
            "!!ARBvp1.0 OPTION @NV_position_invariant; END",
        ),
        bad(
            All,
            "arb-unknown-option",
            "the extension's name, not the option's",
            "!!ARBvp1.0 OPTION @NV_vertex_program2_option; END",
        ),
        bad(
            All,
            "arb-unknown-option",
            "there was none for version 1.1 (its issues)",
            "!!ARBvp1.0 OPTION @NV_vertex_program1_1; END",
        ),
        bad(
            All,
            "arb-unknown-option",
            "an option of fragment programs",
            "!!ARBvp1.0 OPTION @ARB_fog_linear; END",
        ),
        bad(
            All,
            "arb-unknown-option",
            "an option of fragment programs",
            "!!ARBvp1.0 OPTION @ARB_precision_hint_fastest; END",
        ),
        bad(
            All,
            "arb-unknown-option",
            "an option of fragment programs",
            "!!ARBvp1.0 OPTION @NV_fragment_program; END",
        ),
        bad(
            All,
            "arb-unknown-option",
            "an option of fragment programs",
            "!!ARBvp1.0 OPTION @ARB_draw_buffers; END",
        ),
        bad(
            All,
            "arb-late-option",
            "options come first",
            "!!ARBvp1.0 TEMP a; @OPTION ARB_position_invariant; END",
        ),
        bad(
            All,
            "arb-late-option",
            "also before instructions",
            "!!ARBvp1.0 MOV result.color, vertex.color; @OPTION NV_vertex_program2; END",
        ),
        bad(All, "arb-unexpected", "an option has a name", "!!ARBvp1.0 OPTION @; END"),
        bad(All, "arb-unexpected", "a name, not a number", "!!ARBvp1.0 OPTION @1; END"),
        bad(
            All,
            "arb-unexpected",
            "one name",
            "!!ARBvp1.0 OPTION NV_vertex_program2@, NV_vertex_program3; END",
        ),
        bad(All, "arb-missing-semicolon", "a semicolon", "!!ARBvp1.0 OPTION ARB_position_invariant @END"),
        bad(Nv, "arb-reserved-name", "reserved in every language", "TEMP @OPTION;"),
    ],
};

const INVARIANCE: Group = Group {
    clause: "ARB_vertex_program 2.14.4.5.1",
    cases: &[
        ok(
            All,
            "all other results",
            "!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.color, vertex.color; MOV result.texcoord[1], vertex.texcoord; END",
        ),
        ok(
            All,
            "the position attribute may be read",
            "!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.color, vertex.position; END",
        ),
        ok(
            All,
            "relative references are no matter",
            "!!ARBvp1.0 OPTION ARB_position_invariant; ADDRESS a; PARAM p[] = { 1, 2 }; ARL a.x, vertex.color.x; MOV result.color, p[a.x]; END",
        ),
        ok(
            All,
            "with an NV option",
            "!!ARBvp1.0 OPTION ARB_position_invariant; OPTION NV_vertex_program2; MOV result.color, |vertex.color|; END",
        ),
        bad(
            All,
            "arb-invariant-position",
            "the position is not to be written",
            "!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.@position, vertex.position; END",
        ),
        bad(
            All,
            "arb-invariant-position",
            "not one component of it",
            "!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.@position.z, vertex.position; END",
        ),
        bad(
            All,
            "arb-invariant-position",
            "not bound either",
            "!!ARBvp1.0 OPTION ARB_position_invariant; OUTPUT o = result.@position; END",
        ),
        bad(
            All,
            "arb-invariant-position",
            "nor with an NV option",
            "!!ARBvp1.0 OPTION NV_vertex_program3; OPTION ARB_position_invariant; OUTPUT o = result.@position; END",
        ),
    ],
};
