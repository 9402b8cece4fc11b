//! Vertex attribute bindings, and the pairs of them that exclude each other (ARB_vertex_program 2.14.3.1).

use super::corpus::In::{All, BeforeNv3};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[BINDINGS, BLENDING, PAIRS];

/// Table X.2, with numbers within the engine's limits.
pub const ATTRIBUTES: &[&str] = &[
    "vertex.position",
    "vertex.normal",
    "vertex.color",
    "vertex.color.primary",
    "vertex.color.secondary",
    "vertex.fogcoord",
    "vertex.texcoord",
    "vertex.texcoord[0]",
    "vertex.texcoord[1]",
    "vertex.texcoord[<TEXTURES-1>]",
    "vertex.attrib[0]",
    "vertex.attrib[1]",
    "vertex.attrib[6]",
    "vertex.attrib[7]",
    "vertex.attrib[<ATTRIBS-1>]",
];

/// Table X.2.1: a conventional attribute, and the number of the generic attribute that a program must not
/// bind with it.
pub const CONFLICTS: &[(&str, usize)] = &[
    ("vertex.position", 0),
    ("vertex.normal", 2),
    ("vertex.color", 3),
    ("vertex.color.primary", 3),
    ("vertex.color.secondary", 4),
    ("vertex.fogcoord", 5),
    ("vertex.texcoord", 8),
    ("vertex.texcoord[0]", 8),
    ("vertex.texcoord[1]", 9),
    ("vertex.texcoord[2]", 10),
    ("vertex.texcoord[3]", 11),
    ("vertex.texcoord[4]", 12),
    ("vertex.texcoord[5]", 13),
    ("vertex.texcoord[6]", 14),
    ("vertex.texcoord[7]", 15),
];

const BINDINGS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <vtxAttribBinding>, 2.14.3.1",
    cases: &[
        ok(
            All,
            "selections follow the binding",
            "MOV R0, vertex.color.x; MOV R0, vertex.color.secondary.wzyx; RCP R0, -vertex.attrib[6].w;",
        ),
        ok(
            All,
            "several in an instruction (issue 14)",
            "MAD R0, vertex.normal, vertex.color, vertex.texcoord[2];",
        ),
        ok(
            All,
            "one attribute by two names",
            "ATTRIB a = vertex.texcoord; ATTRIB b = vertex.texcoord[0]; ADD R0, a, b;",
        ),
        bad(All, "arb-bad-attribute", "no such attribute", "MOV R0, vertex.@foo;"),
        bad(All, "arb-bad-attribute", "no such attribute", "ATTRIB a = vertex.@pos;"),
        bad(All, "arb-bad-attribute", "an attribute of fragments", "ATTRIB a = vertex.@depth;"),
        bad(All, "arb-bad-attribute", "case counts", "MOV R0, vertex.@Position;"),
        bad(All, "arb-bad-attribute", "a result's name", "MOV R0, vertex.@pointsize;"),
        bad(All, "arb-unexpected", "an attribute is missing", "MOV R0, vertex.@;"),
        bad(All, "arb-unexpected", "a dot is missing", "MOV R0, vertex @position;"),
        bad(All, "arb-unexpected", "vertex alone is no operand", "MOV R0, vertex@;"),
        bad(All, "arb-unexpected", "vertex has no numbers", "MOV R0, vertex@[0];"),
        bad(
            All,
            "arb-bad-attribute",
            "past the last generic attribute",
            "MOV R0, vertex.attrib[@<ATTRIBS>];",
        ),
        bad(All, "arb-bad-attribute", "far past it", "MOV R0, vertex.attrib[@99999999999999999999];"),
        bad(All, "arb-bad-attribute", "no integer", "MOV R0, vertex.attrib[@1.0];"),
        bad(All, "arb-unexpected", "no sign", "MOV R0, vertex.attrib[@-1];"),
        bad(All, "arb-unexpected", "a generic attribute has a number", "MOV R0, vertex.attrib@;"),
        bad(All, "arb-unexpected", "a generic attribute has a number", "MOV R0, vertex.attrib[@];"),
        bad(All, "arb-unexpected", "the bracket is not closed", "MOV R0, vertex.attrib[1@;"),
        bad(All, "arb-bad-attribute", "past the last texture unit", "MOV R0, vertex.texcoord[@<TEXTURES>];"),
        bad(
            All,
            "arb-bad-attribute",
            "the same where it is declared",
            "ATTRIB a = vertex.texcoord[@<TEXTURES>];",
        ),
        bad(All, "arb-unexpected", "an empty bracket", "MOV R0, vertex.texcoord[@];"),
        bad(All, "arb-unexpected", "the position has no number", "MOV R0, vertex.position@[0];"),
        bad(All, "arb-unexpected", "the normal has no number", "ATTRIB a = vertex.normal@[0];"),
        bad(All, "arb-unexpected", "nor has the colour", "ATTRIB a = vertex.color@[0];"),
        bad(All, "arb-bad-attribute", "no such colour", "ATTRIB a = vertex.color.@tertiary;"),
        bad(All, "arb-bad-attribute", "attributes have no faces", "ATTRIB a = vertex.color.@front;"),
        bad(All, "arb-unexpected", "one kind of colour", "ATTRIB a = vertex.color.primary@.secondary;"),
        bad(All, "arb-unexpected", "no ranges", "ATTRIB a = vertex.attrib[0@..1];"),
        bad(
            BeforeNv3,
            "arb-later-feature",
            "indices that are computed come with NV_vertex_program3",
            "MOV R0, vertex.attrib[@A0.x];",
        ),
        bad(
            BeforeNv3,
            "arb-later-feature",
            "for texture coordinates too",
            "MOV R0, vertex.texcoord[@A0.x+1];",
        ),
    ],
};

/// The engine supports neither extension, so the grammar lacks their bindings.
const BLENDING: Group = Group {
    clause: "ARB_vertex_program, Dependencies on ARB_vertex_blend and ARB_matrix_palette",
    cases: &[
        bad(All, "arb-bad-attribute", "no weights", "MOV R0, vertex.@weight;"),
        bad(All, "arb-bad-attribute", "whatever their number", "ATTRIB a = vertex.@weight[0];"),
        bad(All, "arb-bad-attribute", "no matrix indices", "MOV R0, vertex.@matrixindex[0];"),
        bad(All, "arb-bad-attribute", "none that is computed", "MOV R0, vertex.@weight[A0.x];"),
        ok(All, "generic attributes can hold them", "MUL R0, vertex.attrib[1].x, vertex.attrib[7];"),
    ],
};

const PAIRS: Group = Group {
    clause: "ARB_vertex_program 2.14.3.1, Table X.2.1",
    cases: &[
        ok(
            All,
            "generic attributes 6 and 7 have no partner (issue 5)",
            "ADD R0, vertex.attrib[6], vertex.attrib[7]; ADD R0, vertex.position, vertex.normal; ADD R0, vertex.fogcoord, vertex.texcoord[7];",
        ),
        ok(
            All,
            "generic attributes alone",
            "ADD R0, vertex.attrib[0], vertex.attrib[8]; MOV R0, vertex.attrib[3];",
        ),
        ok(All, "generic 3 beside the secondary colour", "ADD R0, vertex.attrib[3], vertex.color.secondary;"),
        bad(
            All,
            "arb-attribute-conflict",
            "declared and not used is bound too",
            "ATTRIB a = vertex.normal; ATTRIB b = @vertex.attrib[2];",
        ),
        bad(All, "arb-attribute-conflict", "in one instruction", "ADD R0, vertex.normal, @vertex.attrib[2];"),
        bad(All, "arb-attribute-conflict", "in two", "MOV R0, vertex.attrib[2]; MOV R1, @vertex.normal;"),
        bad(
            All,
            "arb-attribute-conflict",
            "declared and in place",
            "ATTRIB a = vertex.attrib[3]; MOV R1, -@vertex.color.x;",
        ),
        bad(
            All,
            "arb-attribute-conflict",
            "though both are the same vector (2.14.3.1)",
            "ADD R0, vertex.position, @vertex.attrib[0];",
        ),
        bad(
            All,
            "arb-attribute-conflict",
            "without a number it is unit 0",
            "MOV R0, vertex.texcoord; MOV R1, @vertex.attrib[8];",
        ),
        bad(
            All,
            "arb-attribute-conflict",
            "an alias binds nothing, what it stands for does",
            "ATTRIB a = vertex.fogcoord; ALIAS b = a; MOV R1, @vertex.attrib[5];",
        ),
    ],
};
