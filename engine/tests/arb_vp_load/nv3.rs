//! Additions of OPTION NV_vertex_program3 (NV_vertex_program3).

use super::corpus::In::{BeforeNv3, Nv2, Nv3};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[SUFFIXES, CONDITIONS, STACK, TEXTURES, SHADOW, ATTRIBUTES, RESULTS];

const SUFFIXES: Group = Group {
    clause: "NV_vertex_program3 2.14.4, Table X.5",
    cases: &[
        ok(
            Nv3,
            "the eight forms of ADD",
            "ADD R0, R1, R2; ADDC R0, R1, R2; ADDC0 R0, R1, R2; ADDC1 R0, R1, R2; ADD_SAT R0, R1, R2; ADDC_SAT R0, R1, R2; ADDC0_SAT R0, R1, R2; ADDC1_SAT R0, R1, R2;",
        ),
        ok(
            Nv3,
            "of SWZ and TEX",
            "SWZC1_SAT R0, R1, x, 0, 1, y; TEXC0_SAT R0, R1, texture[0], 2D; TXL_SAT R0, R1, texture[0], 2D;",
        ),
        ok(
            Nv3,
            "address loads take no saturation but both registers",
            "ARLC0 A0, R1; ARRC1 A0, R1; ARAC1 A0, A0;",
        ),
        bad(Nv3, "arb-bad-suffix", "integers are not clamped", "@ARL_SAT A0, R1;"),
        bad(Nv3, "arb-bad-suffix", "integers are not clamped", "@ARAC_SAT A0, A0;"),
        bad(Nv3, "arb-bad-suffix", "there is no third register", "@MOVC2 R0, R1;"),
        bad(Nv3, "arb-bad-suffix", "the C comes first", "@MOV_SATC R0, R1;"),
        bad(Nv3, "arb-bad-suffix", "signed saturation is fragment programs'", "@MOV_SSAT R0, R1;"),
        bad(Nv3, "arb-bad-suffix", "PUSHA computes nothing", "@PUSHAC A0;"),
        bad(Nv3, "arb-bad-suffix", "POPA takes no C", "@POPAC A0;"),
        bad(Nv3, "arb-bad-suffix", "nor does a branch", "l: @BRAC0 l;"),
        bad(Nv3, "arb-bad-suffix", "nor a return", "@RET_SAT;"),
        bad(
            Nv3,
            "arb-unknown-instruction",
            "a lookup of fragment programs",
            "@TXD R0, R1, R2, R3, texture[0], 2D;",
        ),
    ],
};

const CONDITIONS: Group = Group {
    clause: "NV_vertex_program3 <ccMaskRule>, 2.14.3.X",
    cases: &[
        ok(
            Nv3,
            "the first register's rules",
            "MOV R0 (EQ0), R1; MOV R0 (GE0), R1; MOV R0 (GT0.x), R1; MOV R0 (LE0), R1; MOV R0 (LT0), R1; MOV R0 (NE0.wzyx), R1; MOV R0 (TR0), R1; MOV R0 (FL0), R1;",
        ),
        ok(
            Nv3,
            "the second's",
            "MOV R0 (EQ1), R1; MOV R0 (GE1), R1; MOV R0 (GT1.x), R1; MOV R0 (LE1), R1; MOV R0 (LT1), R1; MOV R0 (NE1.wzyx), R1; MOV R0 (TR1), R1; MOV R0 (FL1), R1;",
        ),
        ok(Nv3, "branches", "l: BRA l (EQ1.x); CAL l (NE0); RET (LT1.y); RET (GT);"),
        ok(Nv3, "one made while the other is tested", "MOVC1 R0.xy (GT0), R1; MOVC0 R0 (LE1.x), R1;"),
        bad(Nv3, "arb-bad-condition", "there is no third register", "MOV R0 (@EQ2), R1;"),
        bad(Nv3, "arb-bad-condition", "a number is no rule", "MOV R0 (@0), R1;"),
    ],
};

const STACK: Group = Group {
    clause: "NV_vertex_program3 <ASTACKop_instruction>, 2.14.5.43, 2.14.5.44",
    cases: &[
        ok(Nv3, "push and pop", "ADDRESS A1; PUSHA A0; POPA A1;"),
        ok(Nv3, "the whole mask", "POPA A0.xyzw;"),
        ok(Nv3, "the condition that is always true", "POPA A0 (TR); POPA A0.xyzw (TR);"),
        bad(Nv3, "arb-popa-mask", "no other mask", "POPA A0.@x;"),
        bad(Nv3, "arb-popa-mask", "no other mask", "POPA A0.@xyz;"),
        bad(Nv3, "arb-popa-mask", "no other condition", "POPA A0 @(EQ);"),
        bad(Nv3, "arb-popa-mask", "not even its opposite", "POPA A0 @(FL);"),
        bad(Nv3, "arb-bad-swizzle", "no selection is pushed", "PUSHA A0@.x;"),
        bad(Nv3, "arb-unexpected", "nor a negative", "PUSHA @-A0;"),
        bad(Nv3, "arb-unexpected", "nor an absolute value", "PUSHA @|A0|;"),
        bad(Nv3, "arb-needs-address", "address registers are", "PUSHA @R0;"),
        bad(Nv3, "arb-needs-address", "and are what is popped", "POPA @R0;"),
        bad(Nv3, "arb-undefined-name", "declared ones", "PUSHA @A1;"),
        bad(Nv3, "arb-operand-count", "one", "PUSHA A0@, A0;"),
        bad(Nv3, "arb-operand-count", "one", "POPA A0@, A0;"),
        bad(Nv3, "arb-unexpected", "not none", "PUSHA @;"),
        bad(Nv3, "arb-unexpected", "not none", "POPA @;"),
    ],
};

const TEXTURES: Group = Group {
    clause: "NV_vertex_program3 <TEXop_instruction>, 2.14.5.45 to 2.14.5.48",
    cases: &[
        ok(
            Nv3,
            "every target",
            "TEX R0, R1, texture[0], 1D; TEX R0, R1, texture[1], 2D; TEX R0, R1, texture[2], 3D; TEX R0, R1, texture[3], CUBE;",
        ),
        ok(Nv3, "rectangles", "TXP R0, R1, texture[0], RECT;"),
        ok(Nv3, "unit 0 without a number", "TEX R0, R1, texture, 2D;"),
        ok(Nv3, "the last unit", "TXL R0, R1, texture[<IMAGES-1>], 2D;"),
        ok(
            Nv3,
            "operands and destinations of every kind",
            "TXB result.color.xyz (GT), -|vertex.texcoord[1].yxzw|, texture[0], 2D; TXL R0.w, program.env[0].xyzx, texture[0], 2D;",
        ),
        bad(Nv3, "arb-bad-texture-unit", "past the last image unit", "TEX R0, R1, texture[@<IMAGES>], 2D;"),
        bad(Nv3, "arb-bad-texture-unit", "no integer", "TEX R0, R1, texture[@0.5], 2D;"),
        bad(Nv3, "arb-bad-texture-unit", "no unit", "TEX R0, R1, @R2, 2D;"),
        bad(Nv3, "arb-bad-texture-unit", "a coordinate is no unit", "TEX R0, R1, @texcoord[0], 2D;"),
        bad(Nv3, "arb-bad-texture-unit", "units of !!FP1.0", "TEX R0, R1, @TEX0, 2D;"),
        bad(Nv3, "arb-unexpected", "an empty bracket", "TEX R0, R1, texture[@], 2D;"),
        bad(Nv3, "arb-unexpected", "units are not computed", "TEX R0, R1, texture[@A0.x], 2D;"),
        bad(Nv3, "arb-bad-texture-target", "no such target", "TEX R0, R1, texture[0], @4D;"),
        bad(Nv3, "arb-bad-texture-target", "case counts", "TEX R0, R1, texture[0], @2d;"),
        bad(Nv3, "arb-bad-texture-target", "case counts", "TEX R0, R1, texture[0], @cube;"),
        bad(Nv3, "arb-bad-texture-target", "a number is no target", "TEX R0, R1, texture[0], @2;"),
        bad(Nv3, "arb-operand-count", "a target is missing", "TEX R0, R1, texture[0]@;"),
        bad(Nv3, "arb-operand-count", "a unit is missing", "TEX R0, R1@;"),
        bad(Nv3, "arb-operand-count", "nothing follows the target", "TEX R0, R1, texture[0], 2D@, R2;"),
        bad(Nv3, "arb-missing-comma", "a comma before the target", "TEX R0, R1, texture[0] @2D;"),
    ],
};

const SHADOW: Group = Group {
    clause: "NV_vertex_program3, Dependencies on ARB_fragment_program_shadow",
    cases: &[
        ok(
            Nv3,
            "the option and its targets",
            "!!ARBvp1.0 OPTION NV_vertex_program3; OPTION ARB_fragment_program_shadow; TEMP t; TEX t, vertex.texcoord, texture[0], SHADOW1D; TXP t, vertex.texcoord, texture[1], SHADOW2D; TXL t, vertex.texcoord, texture[2], SHADOWRECT; END",
        ),
        bad(Nv3, "arb-later-feature", "a target of that option", "TEX R0, R1, texture[0], @SHADOW2D;"),
        bad(
            Nv3,
            "arb-bad-texture-target",
            "cube maps have none",
            "!!ARBvp1.0 OPTION NV_vertex_program3; OPTION ARB_fragment_program_shadow; TEMP t; TEX t, vertex.texcoord, texture[0], @SHADOWCUBE; END",
        ),
    ],
};

const ATTRIBUTES: Group = Group {
    clause: "NV_vertex_program3 <attribVtxBasic>, 2.14.3.1",
    cases: &[
        ok(
            Nv3,
            "generic attributes",
            "MOV R0, vertex.attrib[A0.x]; MOV R0, -vertex.attrib[A0.y+3].wzyx; RCP R0, |vertex.attrib[A0.z-2].x|;",
        ),
        ok(
            Nv3,
            "texture coordinates",
            "MOV R0, vertex.texcoord[A0.x]; ADD R0, vertex.texcoord[A0.w+7], vertex.texcoord[A0.x-1];",
        ),
        ok(
            Nv3,
            "offsets are any integer",
            "MOV R0, vertex.attrib[A0.x+64]; MOV R0, vertex.texcoord[A0.x-99999999999999999999];",
        ),
        ok(
            Nv3,
            "declared, since <attribUseD> is an <attribBasic>",
            "ATTRIB a = vertex.attrib[A0.x+1]; ARL A0.x, R0.x; MOV R0, a;",
        ),
        bad(Nv3, "arb-bad-offset", "no integer", "MOV R0, vertex.attrib[A0.x+@6.5];"),
        bad(Nv3, "arb-needs-component", "a component", "MOV R0, vertex.attrib[A0@];"),
        bad(Nv3, "arb-needs-address", "an address register", "MOV R0, vertex.attrib[@R1.x];"),
        bad(Nv3, "arb-undefined-name", "a declared one", "MOV R0, vertex.texcoord[@A1.x];"),
        bad(Nv3, "arb-write-attribute", "attributes are read-only", "MOV @vertex.attrib[A0.x], R0;"),
        bad(Nv2, "arb-later-feature", "not with NV_vertex_program2", "MOV R0, vertex.attrib[@A0.y];"),
    ],
};

const RESULTS: Group = Group {
    clause: "NV_vertex_program3 <resultVtxBasic>, 2.14.3.4",
    cases: &[
        ok(
            Nv3,
            "texture coordinates",
            "MOV result.texcoord[A0.x], R0; ADD result.texcoord[A0.w+3].xy (GT), R0, R1; MOV result.texcoord[A0.y-1].z, R0;",
        ),
        ok(
            Nv3,
            "declared, since <resultUseD> is a <resultBasic>",
            "OUTPUT o = result.texcoord[A0.x+1]; ARL A0.x, R0.x; MOV o.xy, R0;",
        ),
        ok(
            Nv3,
            "offsets are any integer",
            "MOV result.texcoord[A0.x+64], R0; MOV result.texcoord[A0.x-65], R0;",
        ),
        bad(Nv3, "arb-bad-offset", "no integer", "MOV result.texcoord[A0.x+@6.5], R0;"),
        bad(Nv3, "arb-needs-component", "a component", "MOV result.texcoord[A0@], R0;"),
        bad(Nv3, "arb-needs-address", "an address register", "MOV result.texcoord[@R1.x], R0;"),
        bad(Nv3, "arb-bad-result", "there are no generic results", "MOV result.@attrib[A0.x], R0;"),
        bad(Nv3, "arb-read-result", "results are write-only", "MOV R0, @result.texcoord[A0.x];"),
        bad(BeforeNv3, "arb-later-feature", "not before", "OUTPUT o = result.texcoord[@A0.x+1];"),
    ],
};
