//! The instructions of each language, with and without the suffixes and operands of their table
//! (ARB_vertex_program 2.14.4, 2.14.5; Table X.5 of each text).

use super::corpus::In::{All, Base, BeforeNv3, Nv2};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[EXAMPLES, SWZ, LATER];

/// The operands of an instruction, by the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Vectors(usize),
    Scalars(usize),
    Swizzle,
    /// ARL: its operand is a scalar without option, and a vector with either NV option.
    AddressLoad,
    AddressAdd,
    Texture,
}

/// Table X.5 of ARB_vertex_program.
pub const BASE: &[(&str, Shape)] = &[
    ("ABS", Shape::Vectors(1)),
    ("ADD", Shape::Vectors(2)),
    ("ARL", Shape::AddressLoad),
    ("DP3", Shape::Vectors(2)),
    ("DP4", Shape::Vectors(2)),
    ("DPH", Shape::Vectors(2)),
    ("DST", Shape::Vectors(2)),
    ("EX2", Shape::Scalars(1)),
    ("EXP", Shape::Scalars(1)),
    ("FLR", Shape::Vectors(1)),
    ("FRC", Shape::Vectors(1)),
    ("LG2", Shape::Scalars(1)),
    ("LIT", Shape::Vectors(1)),
    ("LOG", Shape::Scalars(1)),
    ("MAD", Shape::Vectors(3)),
    ("MAX", Shape::Vectors(2)),
    ("MIN", Shape::Vectors(2)),
    ("MOV", Shape::Vectors(1)),
    ("MUL", Shape::Vectors(2)),
    ("POW", Shape::Scalars(2)),
    ("RCP", Shape::Scalars(1)),
    ("RSQ", Shape::Scalars(1)),
    ("SGE", Shape::Vectors(2)),
    ("SLT", Shape::Vectors(2)),
    ("SUB", Shape::Vectors(2)),
    ("SWZ", Shape::Swizzle),
    ("XPD", Shape::Vectors(2)),
];

/// Additions of Table X.5 in NV_vertex_program2_option, except BRA, CAL and RET.
pub const NV2: &[(&str, Shape)] = &[
    ("ARA", Shape::AddressAdd),
    ("ARR", Shape::AddressLoad),
    ("COS", Shape::Scalars(1)),
    ("RCC", Shape::Scalars(1)),
    ("SEQ", Shape::Vectors(2)),
    ("SFL", Shape::Vectors(2)),
    ("SGT", Shape::Vectors(2)),
    ("SIN", Shape::Scalars(1)),
    ("SLE", Shape::Vectors(2)),
    ("SNE", Shape::Vectors(2)),
    ("SSG", Shape::Vectors(1)),
    ("STR", Shape::Vectors(2)),
];

/// Additions of Table X.5 in NV_vertex_program3, except PUSHA and POPA.
pub const NV3: &[(&str, Shape)] =
    &[("TEX", Shape::Texture), ("TXB", Shape::Texture), ("TXL", Shape::Texture), ("TXP", Shape::Texture)];

impl Shape {
    /// Returns a destination and operands that fit.
    pub fn parts(self) -> Vec<&'static str> {
        const VECTORS: [&str; 3] = ["R1", "-R2.yzwx", "program.env[1].x"];
        const SCALARS: [&str; 2] = ["-R1.w", "R2.x"];
        let mut parts = vec![match self {
            Self::AddressLoad | Self::AddressAdd => "A0.x",
            _ => "R0.xz",
        }];
        match self {
            Self::Vectors(count) => parts.extend(&VECTORS[..count]),
            Self::Scalars(count) => parts.extend(&SCALARS[..count]),
            Self::Swizzle => parts.extend(["R1", "x", "-y", "0", "1"]),
            Self::AddressLoad => parts.push("-R1.w"),
            Self::AddressAdd => parts.push("A0"),
            Self::Texture => parts.extend(["-R1.yzwx", "texture[0]", "2D"]),
        }
        parts
    }
}

const EXAMPLES: Group = Group {
    clause: "ARB_vertex_program, Issues",
    cases: &[
        ok(
            All,
            "issue 50",
            "PARAM mat1[4] = { state.matrix.program[0] }; PARAM mat2[4] = { state.matrix.program[0].transpose }; ADD R0, mat1[3], mat2[3];",
        ),
        ok(All, "issue 67", "DP3 R0.w, R1, R1; RSQ R0.w, R0.w; MUL R0.xyz, R0.w, R1;"),
        ok(All, "issue 69", "MUL R0, R1.zxyw, R2.yzxw; MAD R0, R1.yzxw, R2.zxyw, -R0; DP3 R0, R3, R0;"),
        ok(
            All,
            "issue 70",
            "ATTRIB pos = vertex.position; TEMP temp; PARAM mat[4] = { state.matrix.modelview }; DP4 R0.w, pos, mat[3]; DP4 R0.x, pos, mat[0]; RCP temp.w, R0.w; MUL R0, R0, temp.w;",
        ),
        ok(All, "issue 71", "SUB R0, R1, R2; MAD R0, R3, R0, R2;"),
        ok(
            All,
            "issue 72",
            "PARAM piVec = { 0.159154943, 6.283185307, 0, 0 }; MUL R0, R1, piVec.x; EXP R0, R0.x; MUL R0, R0.y, piVec.y;",
        ),
        ok(
            All,
            "issue 73, shortened",
            "!!ARBvp1.0 ATTRIB iPos = vertex.position; ATTRIB iNormal = vertex.normal; PARAM mvinv[4] = { state.matrix.modelview.invtrans }; PARAM mvp[4] = { state.matrix.mvp }; PARAM lightDir = state.light[0].position; PARAM halfDir = state.light[0].half; PARAM specExp = state.material.shininess; PARAM ambientCol = state.lightprod[0].ambient; TEMP n, temp, dots; OUTPUT oPos = result.position; OUTPUT oColor = result.color; DP4 oPos.x, mvp[0], iPos; DP3 n.x, mvinv[0], iNormal; DP3 dots.x, n, lightDir; DP3 dots.y, n, halfDir; MOV dots.w, specExp.x; LIT dots, dots; MAD oColor.xyz, dots.y, ambientCol, temp; MOV oColor.w, ambientCol.w; END",
        ),
        ok(
            All,
            "issue 75, shortened",
            "!!ARBvp1.0\n#\n# c[0].xyz = light direction\n#\nATTRIB iNormal = vertex.normal; PARAM lightDir = program.env[0]; PARAM diffuseCol = { 1, 1, 0, 1 }; TEMP temp; OUTPUT oColor = result.color; DP3 temp, lightDir, iNormal; MUL oColor.xyz, temp, diffuseCol; MAX temp, temp, 0; # clamp\nMUL temp, temp, 0.125;\nEND",
        ),
    ],
};

const SWZ: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <SWZ_instruction>, 2.14.5.26",
    cases: &[
        ok(
            All,
            "selectors",
            "SWZ R0, R1, x, y, z, w; SWZ R0, R1, 0, 1, 0, 1; SWZ R0.xyz, R1, -x, +y, -0, +1;",
        ),
        ok(
            All,
            "operands of every kind",
            "SWZ R0, vertex.color, w, z, y, x; SWZ R0, program.env[0], 0, 0, x, x; SWZ R0, state.fog.color, x, 1, 1, 1; SWZ R0, { 1, 2 }, y, x, y, x; SWZ R0, 2.0, x, 0, 1, -x;",
        ),
        ok(
            All,
            "declared ones",
            "PARAM p[] = { 1, 2 }; ATTRIB a = vertex.color.secondary; SWZ R0, p[1], x, 0, 0, 0; SWZ result.color, a, x, 0, 0, 0;",
        ),
        bad(All, "arb-unexpected", "the operand has no sign", "SWZ R0, @-R1, x, y, z, w;"),
        bad(All, "arb-unexpected", "not even a plus", "SWZ R0, @+R1, x, y, z, w;"),
        bad(All, "arb-bad-swizzle", "the operand has no selection", "SWZ R0, R1@.x, x, y, z, w;"),
        bad(All, "arb-bad-swizzle", "not even that of itself", "SWZ R0, R1@.xyzw, x, y, z, w;"),
        bad(All, "arb-bad-selector", "0 or 1", "SWZ R0, R1, x, @2, z, w;"),
        bad(
            All,
            "arb-bad-selector",
            "0 or 1 and nothing that is worth so much",
            "SWZ R0, R1, x, @1.0, z, w;",
        ),
        bad(All, "arb-bad-selector", "one component", "SWZ R0, R1, @xy, y, z, w;"),
        bad(All, "arb-bad-selector", "a component", "SWZ R0, R1, @r, y, z, w;"),
        bad(All, "arb-bad-selector", "no variable", "SWZ R0, R1, x, y, z, -@R2;"),
        bad(All, "arb-unexpected", "one sign", "SWZ R0, R1, -@-x, y, z, w;"),
        bad(All, "arb-unexpected", "a selector is missing", "SWZ R0, R1, x, @, z, w;"),
        bad(All, "arb-operand-count", "four selectors", "SWZ R0, R1, x, y, z@;"),
        bad(All, "arb-operand-count", "four selectors", "SWZ R0, R1@;"),
        bad(All, "arb-operand-count", "four selectors", "SWZ R0, R1, x, y, z, w@, 0;"),
    ],
};

const LATER: Group = Group {
    clause: "ARB_vertex_program 2.14.4, Table X.5; the options' Tables X.5",
    cases: &[
        bad(Base, "arb-later-instruction", "a branch", "@BRA l;"),
        bad(Base, "arb-later-instruction", "a call", "@CAL l;"),
        bad(Base, "arb-later-instruction", "a return", "@RET;"),
        bad(Base, "arb-later-instruction", "a suffix of NV_vertex_program2", "@MOVC R0, R1;"),
        bad(Base, "arb-later-instruction", "a suffix of NV_vertex_program2", "@ARLC A0.x, R1.x;"),
        bad(BeforeNv3, "arb-later-instruction", "a suffix of NV_vertex_program3", "@MOVC0 R0, R1;"),
        bad(BeforeNv3, "arb-later-instruction", "a suffix of NV_vertex_program3", "@MOVC1 R0, R1;"),
        bad(BeforeNv3, "arb-later-instruction", "a suffix of NV_vertex_program3", "@MOV_SAT R0, R1;"),
        bad(BeforeNv3, "arb-later-instruction", "suffixes of NV_vertex_program3", "@MOVC_SAT R0, R1;"),
        bad(
            Nv2,
            "arb-later-instruction",
            "a suffix of NV_vertex_program3 on an instruction of 2",
            "@SIN_SAT R0, R1.x;",
        ),
        bad(BeforeNv3, "arb-later-instruction", "an address register's stack", "@PUSHA A0;"),
        bad(BeforeNv3, "arb-later-instruction", "an address register's stack", "@POPA A0;"),
        bad(BeforeNv3, "arb-later-instruction", "a texture lookup", "@TEX R0, R1, texture[0], 2D;"),
        bad(Base, "arb-later-feature", "bars", "MOV R0, @|R1|;"),
        bad(Base, "arb-later-feature", "bars behind a sign", "MOV R0, -@|R1|;"),
        bad(Base, "arb-later-feature", "bars around a scalar", "RCP R0, @|R1.x|;"),
        bad(Base, "arb-later-feature", "a condition mask", "MOV R0 @(EQ), R1;"),
        bad(Base, "arb-later-feature", "a condition mask behind another", "MOV R0.xy @(GT.x), R1;"),
        bad(Base, "arb-later-feature", "a label", "@here: MOV R0, R1;"),
    ],
};
