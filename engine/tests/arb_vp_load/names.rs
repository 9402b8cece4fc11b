//! Identifiers, keywords, declarations and the kinds of names (ARB_vertex_program 2.14.2, 2.14.3, 2.14.3.6).

use super::corpus::In::{All, Base, BeforeNv3, Nv};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[IDENTIFIERS, DECLARATIONS, UNDECLARED, KINDS, ALIASES];

/// Keywords that every program reserves.
pub const KEYWORDS: &str = "ABS ADD ADDRESS ALIAS ARL ATTRIB DP3 DP4 DPH DST END EX2 EXP FLR FRC LG2 LIT LOG MAD MAX MIN MOV MUL OPTION OUTPUT PARAM POW RCP RSQ SGE SLT SUB SWZ TEMP XPD program result state vertex";
/// Keywords that NV_vertex_program2 and NV_vertex_program3 add.
pub const NV2_KEYWORDS: &str = "ARA ARR BRA CAL COS RCC RET SEQ SFL SGT SIN SLE SNE SSG STR";
/// Keywords that NV_vertex_program3 adds.
pub const NV3_KEYWORDS: &str = "POPA PUSHA TEX TXB TXL TXP";

const IDENTIFIERS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <identifier>",
    cases: &[
        ok(
            All,
            "letters, digits, _ and $",
            "TEMP a, A, _, $, $1, a$b_9, _9; MOV a, A; MOV _, $; MOV $1, a$b_9;",
        ),
        ok(All, "case counts", "TEMP mov, Vertex, STATE, end; MOV mov, Vertex; MOV STATE, end;"),
        ok(
            All,
            "words of the grammar that are not reserved",
            "TEMP position, row, front, texture, attrib, x; MOV position.x, row.x; MOV x.x, x.y; MOV front, texture;",
        ),
        ok(
            All,
            "names that registers have elsewhere",
            "TEMP R9, c, v, o, CC, EQ; MOV R9, c; ADD v, o, CC; MOV EQ, c;",
        ),
        ok(
            All,
            "a keyword may begin a name",
            "TEMP ENDED, MOVE, PARAMS, vertexes; MOV ENDED, MOVE; MOV PARAMS, vertexes;",
        ),
        ok(All, "instructions of other languages", "TEMP CMP, KIL, IF; MOV CMP, KIL; MOV IF, CMP;"),
        ok(
            Base,
            "instructions with suffixes that only options bring",
            "TEMP ADDC, MOV_SAT; MOV ADDC, MOV_SAT;",
        ),
        ok(
            Nv,
            "suffixed instructions are not on the options' lists either",
            "TEMP ADDC; MOVC ADDC, R1; ADD R0, ADDC, R1;",
        ),
        ok(Base, "words of the NV options", "TEMP SIN, BRA, PUSHA, TEX; ADD SIN, BRA, PUSHA; MOV TEX, SIN;"),
        ok(BeforeNv3, "words of NV_vertex_program3", "TEMP POPA, TXL; MOV POPA, TXL;"),
        ok(
            All,
            "long names",
            "TEMP aNameThatGoesOnAndOnForMuchLongerThanAnyoneWouldEverCareToTypeItAndThenSomeMoreOfIt; MOV R0, R1;",
        ),
        bad(All, "arb-unexpected", "a number is no name", "TEMP @1;"),
        bad(All, "arb-reserved-name", "a list goes on behind a good name", "TEMP a, @MOV;"),
        bad(All, "arb-reserved-name", "an attribute's name", "ATTRIB @state = vertex.position;"),
        bad(All, "arb-reserved-name", "a parameter's name", "PARAM @END = 1;"),
        bad(All, "arb-reserved-name", "an array's name", "PARAM @program[1] = { 1 };"),
        bad(All, "arb-reserved-name", "a result's name", "OUTPUT @result = result.color;"),
        bad(All, "arb-reserved-name", "an address register's name", "ADDRESS @vertex;"),
        bad(Nv, "arb-reserved-name", "reserved by the options", "PARAM @SIN = 1;"),
    ],
};

const DECLARATIONS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <namingStatement>, 2.14.3",
    cases: &[
        ok(All, "one or more names", "TEMP a; TEMP b, c, d; MOV a, b; ADD c, d, a;"),
        ok(
            All,
            "each kind",
            "ATTRIB a = vertex.normal; PARAM p = 1; PARAM q[] = { 1, 2 }; TEMP t; OUTPUT o = result.color; MOV o, a; ADD t, p, q[1];",
        ),
        ok(
            All,
            "none of them need be used",
            "ATTRIB a = vertex.normal; PARAM p = 1; PARAM q[] = { 1, 2 }; TEMP t; OUTPUT o = result.color;",
        ),
        bad(All, "arb-redefined-name", "twice in a list", "TEMP a, @a;"),
        bad(All, "arb-redefined-name", "twice of a kind", "TEMP a; TEMP @a;"),
        bad(All, "arb-redefined-name", "a parameter of a temporary's name", "PARAM @R0 = 1;"),
        bad(All, "arb-redefined-name", "a temporary of a parameter's name", "PARAM p = 1; TEMP @p;"),
        bad(
            All,
            "arb-redefined-name",
            "an attribute of an array's name",
            "PARAM p[] = { 1 }; ATTRIB @p = vertex.normal;",
        ),
        bad(
            All,
            "arb-redefined-name",
            "a result of an attribute's name",
            "ATTRIB a = vertex.normal; OUTPUT @a = result.color;",
        ),
        bad(
            All,
            "arb-redefined-name",
            "a result of an address register's name",
            "OUTPUT @A0 = result.color;",
        ),
        bad(
            All,
            "arb-redefined-name",
            "an array of a result's name",
            "OUTPUT o = result.color; PARAM @o[] = { 1 };",
        ),
        bad(
            All,
            "arb-redefined-name",
            "the same binding again is no excuse",
            "ATTRIB a = vertex.normal; ATTRIB @a = vertex.normal;",
        ),
        bad(All, "arb-unexpected", "a list is not empty", "TEMP @;"),
        bad(All, "arb-unexpected", "nor does it end with a comma", "TEMP a, @;"),
        bad(All, "arb-missing-comma", "names have commas between them", "TEMP a @b;"),
        bad(All, "arb-unexpected", "temporaries have no values", "TEMP a @= 1;"),
        bad(All, "arb-unexpected", "temporaries are no arrays", "TEMP a@[2];"),
        bad(All, "arb-unexpected", "a list is not empty", "ADDRESS @;"),
        bad(All, "arb-unexpected", "an attribute has a binding", "ATTRIB a@;"),
        bad(All, "arb-unexpected", "an attribute has a binding", "ATTRIB a = @;"),
        bad(All, "arb-unexpected", "an attribute's binding is an attribute", "ATTRIB a = @state.fog.color;"),
        bad(All, "arb-unexpected", "a temporary is no binding", "ATTRIB a = @R0;"),
        bad(
            All,
            "arb-unexpected",
            "one attribute a statement",
            "ATTRIB a = vertex.normal@, b = vertex.color;",
        ),
        bad(
            All,
            "arb-unexpected",
            "a binding has no selection where it is declared",
            "ATTRIB a = vertex.normal@.x;",
        ),
        bad(All, "arb-unexpected", "a parameter has a value", "PARAM p@;"),
        bad(All, "arb-unexpected", "a parameter has a value", "PARAM p = @;"),
        bad(All, "arb-unexpected", "a value is no other parameter", "PARAM p = 1; PARAM q = @p;"),
        bad(All, "arb-unexpected", "a value is no attribute", "PARAM p = @vertex.color;"),
        bad(All, "arb-unexpected", "a value is no result", "PARAM p = @result.color;"),
        bad(All, "arb-unexpected", "one parameter a statement", "PARAM p = 1@, q = 2;"),
        bad(All, "arb-unexpected", "a result has a binding", "OUTPUT o@;"),
        bad(All, "arb-unexpected", "a result's binding is a result", "OUTPUT o = @vertex.color;"),
        bad(All, "arb-unexpected", "a temporary is no binding", "OUTPUT o = @R0;"),
        bad(
            All,
            "arb-unexpected",
            "a binding has no mask where it is declared",
            "OUTPUT o = result.position@.x;",
        ),
    ],
};

const UNDECLARED: Group = Group {
    clause: "ARB_vertex_program 2.14.3",
    cases: &[
        bad(All, "arb-undefined-name", "never declared", "MOV R0, @foo;"),
        bad(All, "arb-undefined-name", "never declared, with sign and component", "RCP R0, -@foo.x;"),
        bad(All, "arb-undefined-name", "a destination", "MOV @foo, R0;"),
        bad(All, "arb-undefined-name", "a masked destination", "MOV @foo.xy, R0;"),
        bad(All, "arb-undefined-name", "an array", "MOV R0, @foo[1];"),
        bad(All, "arb-undefined-name", "an address register written", "ARL @foo.x, R0.x;"),
        bad(All, "arb-undefined-name", "an address register read", "PARAM p[] = { 1 }; MOV R0, p[@foo.x];"),
        bad(All, "arb-undefined-name", "not yet declared", "MOV R0, @t; TEMP t;"),
        bad(All, "arb-undefined-name", "case counts", "MOV R0, @r1;"),
        bad(All, "arb-undefined-name", "binding names need their prefix", "MOV R0, @position;"),
        bad(All, "arb-undefined-name", "registers of other languages", "MOV R0, @R12;"),
        bad(All, "arb-undefined-name", "SWZ's operand", "SWZ R0, @foo, x, y, z, w;"),
        bad(All, "arb-unexpected", "a keyword is no operand", "MOV R0, @ADD;"),
        bad(All, "arb-unexpected", "a keyword is no destination", "MOV @TEMP, R0;"),
    ],
};

const KINDS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <srcReg>, <dstReg>; 2.14.3.1, 2.14.3.2, 2.14.3.4, 2.14.3.5",
    cases: &[
        bad(All, "arb-write-attribute", "attributes are read-only", "ATTRIB a = vertex.color; MOV @a, R0;"),
        bad(All, "arb-write-attribute", "bound in place too", "MOV @vertex.color, R0;"),
        bad(All, "arb-write-attribute", "with a mask", "MOV @vertex.attrib[6].x, R0;"),
        bad(
            All,
            "arb-write-parameter",
            "parameters cannot be written (issue 56)",
            "PARAM p = program.env[0]; MOV @p, R0;",
        ),
        bad(All, "arb-write-parameter", "bound in place too", "MOV @program.local[0], R0;"),
        bad(All, "arb-write-parameter", "state too", "MOV @state.fog.color.x, R0;"),
        bad(All, "arb-write-parameter", "constants too", "PARAM p = { 1, 2 }; MOV @p.x, R0;"),
        bad(All, "arb-write-parameter", "arrays too", "PARAM p[] = { 1, 2 }; MOV @p[0], R0;"),
        bad(All, "arb-read-result", "results are write-only", "OUTPUT o = result.color; MOV R0, @o;"),
        bad(All, "arb-read-result", "bound in place too", "MOV R0, @result.color;"),
        bad(All, "arb-read-result", "with sign and selection", "ADD R0, R1, -@result.position.x;"),
        bad(All, "arb-read-address", "address registers are no operands", "MOV R0, @A0;"),
        bad(All, "arb-read-address", "nor their component", "RCP R0, @A0.x;"),
        bad(All, "arb-write-address", "only ARL writes them", "MOV @A0.x, R0;"),
        bad(All, "arb-write-address", "only ARL writes them", "FLR @A0, R0;"),
        bad(All, "arb-needs-address", "ARL writes nothing else", "ARL @R0.x, R1.x;"),
        bad(All, "arb-needs-address", "ARL writes nothing else", "ARL @result.color.x, R1.x;"),
        bad(All, "arb-unexpected", "a constant is no destination", "MOV @1, R0;"),
        bad(All, "arb-unexpected", "a constant is no destination", "MOV @{1}, R0;"),
        bad(All, "arb-unexpected", "a destination has no sign", "MOV @-R0, R1;"),
        bad(All, "arb-not-array", "a temporary has no elements", "MOV R0, R1@[0];"),
        bad(All, "arb-not-array", "nor has a single parameter", "PARAM p = 1; MOV R0, p@[0];"),
        bad(All, "arb-not-array", "nor has an attribute", "ATTRIB a = vertex.color; MOV R0, a@[0];"),
        bad(All, "arb-needs-index", "an array is read by element", "PARAM p[] = { 1, 2 }; MOV R0, p@;"),
        bad(All, "arb-needs-index", "an array is read by element", "PARAM p[] = { 1, 2 }; MOV R0, p@.x;"),
    ],
};

const ALIASES: Group = Group {
    clause: "ARB_vertex_program 2.14.3.6",
    cases: &[
        ok(All, "a temporary", "ALIAS a = R0; MOV a, R1; ADD R1, a, R0;"),
        ok(All, "an attribute", "ATTRIB n = vertex.normal; ALIAS a = n; MOV R0, a;"),
        ok(All, "a parameter", "PARAM p = { 1, 2 }; ALIAS a = p; MOV R0, -a.yxyx;"),
        ok(
            All,
            "an array",
            "PARAM p[] = { 1, 2 }; ALIAS a = p; MOV R0, a[1]; ARL A0.x, R0.x; MOV R0, a[A0.x];",
        ),
        ok(All, "a result", "OUTPUT o = result.color; ALIAS a = o; MOV a.xyz, R0;"),
        ok(All, "an address register", "PARAM p[] = { 1, 2 }; ALIAS a = A0; ARL a.x, R0.x; MOV R0, p[a.x];"),
        ok(All, "an alias", "ALIAS a = R0; ALIAS b = a; MOV b, R1;"),
        bad(All, "arb-undefined-name", "the other name must be established", "ALIAS a = @b;"),
        bad(All, "arb-undefined-name", "before", "ALIAS a = @b; TEMP b;"),
        bad(All, "arb-undefined-name", "it is not its own", "ALIAS a = @a;"),
        bad(All, "arb-redefined-name", "the name must be new", "ALIAS @R0 = R1;"),
        bad(All, "arb-redefined-name", "an alias' name is taken", "ALIAS a = R0; TEMP @a;"),
        bad(All, "arb-redefined-name", "by one alias", "ALIAS a = R0; ALIAS @a = R0;"),
        bad(All, "arb-reserved-name", "a keyword", "ALIAS @MOV = R0;"),
        bad(All, "arb-unexpected", "a binding is no name", "ALIAS a = @vertex.position;"),
        bad(All, "arb-unexpected", "a number is no name", "ALIAS a = @1;"),
        bad(All, "arb-unexpected", "no sign", "ALIAS a = @-R0;"),
        bad(All, "arb-unexpected", "no selection", "ALIAS a = R0@.x;"),
        bad(All, "arb-unexpected", "no element", "PARAM p[] = { 1 }; ALIAS a = p@[0];"),
        bad(All, "arb-unexpected", "no equals sign", "ALIAS a @R0;"),
        bad(All, "arb-unexpected", "no names", "ALIAS @;"),
        bad(
            All,
            "arb-write-attribute",
            "an alias is what it stands for",
            "ATTRIB n = vertex.normal; ALIAS a = n; MOV @a, R0;",
        ),
        bad(
            All,
            "arb-read-result",
            "an alias is what it stands for",
            "OUTPUT o = result.color; ALIAS a = o; MOV R0, @a;",
        ),
        bad(
            All,
            "arb-needs-index",
            "an alias is what it stands for",
            "PARAM p[] = { 1 }; ALIAS a = p; MOV R0, a@;",
        ),
    ],
};
