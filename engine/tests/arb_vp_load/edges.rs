//! Edges of productions, where one production ends and another could continue. The error is at the first
//! token after which no program of the grammar begins like the text (ruling 13).

use super::corpus::In::{All, Base, Nv, Nv2, Nv3};
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[LETTERS, DECLARED, LISTS, PLACES, ALLOWED, SIZES, NV2, NV3];

const LETTERS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <optionalMask>, <swizzleSuffix>",
    cases: &[
        bad(All, "arb-missing-comma", "the letters of a mask are one token", "MOV R0.x @y, R1;"),
        bad(All, "arb-missing-comma", "in any number", "MOV result.color.xy @z, R1;"),
        ok(All, "the point is another token", "MOV R0 . xy, R1; MOV R0. xyz, R1 . wzyx;"),
        ok(All, "those of a selection are four", "MOV R0, R1.x yz w; ADD R0, R1.w w w w, R2. x;"),
        bad(All, "arb-bad-swizzle", "but not two", "MOV R0, R1.x @y;"),
    ],
};

const DECLARED: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <vtxAttribItem>, <resultColBinding>, <stateMatrixRow>",
    cases: &[
        bad(All, "arb-bad-attribute", "a colour could be primary", "ATTRIB a = vertex.color.@x;"),
        bad(All, "arb-bad-attribute", "also where SWZ reads it", "SWZ R0, vertex.color.@x, x, x, y, z;"),
        bad(
            All,
            "arb-bad-swizzle",
            "what is primary has no more words",
            "SWZ R0, vertex.color.primary@.x, x, x, y, z;",
        ),
        bad(All, "arb-bad-result", "a result's colour could have a face", "OUTPUT o = result.color.@x;"),
        bad(All, "arb-unexpected", "but not behind its kind", "OUTPUT o = result.color.primary@.x;"),
        bad(
            All,
            "arb-bad-component",
            "in place the point could begin a mask",
            "MOV result.color.primary.@front, R0;",
        ),
        bad(All, "arb-bad-component", "or a selection", "MOV R0, vertex.color.primary.@secondary;"),
        bad(All, "arb-bad-state", "a matrix could have a row", "MOV R0, state.matrix.mvp.@x;"),
        bad(All, "arb-bad-state", "or a modified one", "MOV R0, state.matrix.mvp.transpose.@x;"),
        bad(All, "arb-bad-state", "a face is no property", "MOV R0, state.material.front.@x;"),
        bad(All, "arb-bad-state", "spot has its direction", "MOV R0, state.light[0].spot.@x;"),
        bad(All, "arb-bad-state", "a plane is called so", "MOV R0, state.clip[0].@x;"),
        bad(All, "arb-unexpected", "a constant has no selection where it is declared", "PARAM p = {1,2}@.x;"),
        bad(All, "arb-unexpected", "nor has a scalar", "PARAM p = 2.0@.x;"),
        bad(All, "arb-unexpected", "nor a property", "PARAM p = state.material.ambient@.x;"),
        bad(All, "arb-unexpected", "arrays have one size", "PARAM a[2]@[2] = { 1, 2 };"),
        bad(All, "arb-unexpected", "and are not read where they are declared", "PARAM a[2] = { 1, 2 }@[0];"),
    ],
};

const LISTS: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <varNameList>, <paramMultInitList>, <paramConstVector>",
    cases: &[
        bad(All, "arb-unexpected", "a name is missing", "TEMP a,@,b;"),
        bad(All, "arb-unexpected", "one alias a statement", "ALIAS a = R0@, b = R1;"),
        bad(All, "arb-unexpected", "a keyword is no variable", "ALIAS a = @TEMP;"),
        bad(All, "arb-unexpected", "nor is a constant", "ALIAS a = @{1};"),
        bad(All, "arb-unexpected", "a first element is missing", "PARAM p[] = { @, 2 };"),
        bad(All, "arb-unexpected", "one in the middle is missing", "PARAM p[] = { 1, @, 2 };"),
        bad(All, "arb-unexpected", "a matrix has no sign", "PARAM p[] = { -@state.matrix.mvp };"),
        bad(All, "arb-unexpected", "nor has a vector", "PARAM p[] = { -@{1} };"),
        bad(All, "arb-unexpected", "an equals sign is missing", "PARAM p[] @{ 1 };"),
        bad(All, "arb-unexpected", "for one parameter too", "PARAM p @{ 1 };"),
        bad(
            All,
            "arb-bad-constant",
            "a fifth component could only be too many",
            "PARAM p = { 1, 2, 3, 4@, };",
        ),
        bad(All, "arb-bad-constant", "in a list too", "PARAM p[] = {{1,2,3,4@,5}};"),
        bad(All, "arb-unexpected", "a component is a number", "PARAM p = {1,2,3,@x};"),
        bad(All, "arb-unexpected", "with one sign", "PARAM p = {+@-1};"),
        bad(All, "arb-unexpected", "a range has two ends", "PARAM p[] = { program.env[0..1@..2] };"),
        bad(All, "arb-unexpected", "neither of which is computed", "PARAM p[] = { program.env[0..@A0.x] };"),
    ],
};

const PLACES: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <srcReg>, <dstReg>, <progParamArrayMem>",
    cases: &[
        bad(All, "arb-unexpected", "an element has no elements", "PARAM p[] = { 1 }; MOV R0, p[0]@[0];"),
        bad(All, "arb-unexpected", "nor has a computed one", "PARAM p[] = { 1 }; MOV R0, p[A0.x]@[0];"),
        bad(All, "arb-unexpected", "nor a parameter in place", "MOV R0, program.env[0]@[1];"),
        bad(All, "arb-read-result", "a third operand", "MAD R0, R0, R1, @result.color;"),
        bad(All, "arb-write-parameter", "a computed element", "PARAM p[] = {1,2}; ADD @p[A0.x], R0, R1;"),
        bad(All, "arb-bad-swizzle", "three components of an element", "PARAM p[] = {1}; MOV R0, -p[0].@xyz;"),
        bad(All, "arb-bad-selector", "a selector is one digit", "SWZ R0, R1, -@00, y, z, w;"),
        bad(All, "arb-bad-selector", "and no fraction", "SWZ R0, R1, +@0.0, y, z, w;"),
        bad(All, "arb-unexpected", "a constant has no sign there", "SWZ R0, @-{1,2,3,4}, x, y, z, w;"),
        bad(All, "arb-missing-comma", "selectors have commas between them", "SWZ R0, R1, x @y, z, w;"),
        bad(
            All,
            "arb-attribute-conflict",
            "unit 3 is generic 11, by an alias too",
            "ATTRIB b = vertex.attrib[11]; ALIAS c = b; MOV R0, c; MOV R0, @vertex.texcoord[3];",
        ),
        bad(
            Base,
            "arb-needs-component",
            "an address register's component is no selection",
            "ARL A0@, -R0.x;",
        ),
        bad(Base, "arb-later-feature", "a condition behind the component", "ARL A0.x @(GT), R0.x;"),
        bad(Base, "arb-needs-component", "numbers are scalars with a component", "ARL A0.x, 1@;"),
        bad(All, "arb-too-many-addresses", "limits count names in lists", "ADDRESS A1, @A2;"),
    ],
};

const ALLOWED: Group = Group {
    clause: "ARB_vertex_program 2.14.2, 2.14.3.2, 2.14.4.5",
    cases: &[
        ok(
            All,
            "an option twice",
            "!!ARBvp1.0 OPTION ARB_position_invariant; OPTION ARB_position_invariant; END",
        ),
        ok(
            All,
            "one fog, one clip plane, one size",
            "ADD R0, state.fog.params.w, state.clip[5].plane; MOV R0, state.point.size.yzwx;",
        ),
        ok(
            All,
            "a row by a range of one",
            "PARAM m[1] = { state.matrix.modelview.row[0..0] }; MOV R0, m[0];",
        ),
        ok(All, "space wherever tokens meet", "MOV R0, state . material . front . ambient . x;"),
        ok(All, "constants of every form in SWZ", "SWZ R0, {1,2,3,4}, x, y, z, w; SWZ R0, 3, x, 0, 1, -x;"),
        ok(All, "leading zeros of an offset", "PARAM p[] = {1}; MOV R0, p[A0.x + 063];"),
        ok(
            All,
            "zeros of either sign are one constant, which may be bound twice",
            "PARAM p[2] = {-0, 0}; MOV R0, p[A0.x];",
        ),
        ok(
            All,
            "a vector in two arrays, one of them indexed",
            "PARAM p[4] = {state.matrix.mvp}; PARAM q[4] = {state.matrix.mvp}; ADD R0, p[0], q[A0.x];",
        ),
        ok(
            All,
            "a matrix and its inverse, both indexed",
            "PARAM p[4] = {state.matrix.mvp}; PARAM q[4] = {state.matrix.mvp.inverse}; ADD R0, p[A0.x], q[A0.x];",
        ),
    ],
};

const SIZES: Group = Group {
    clause: "ARB_vertex_program 2.14.3.2, Program Parameter Arrays",
    cases: &[
        ok(
            All,
            "rows and ranges count each",
            "PARAM p[6] = { state.matrix.mvp.row[0..2], program.env[4..5], 1 };",
        ),
        bad(All, "arb-array-size", "a row too many", "PARAM p[3] = { state.matrix.mvp.row[0..@3] };"),
        bad(All, "arb-array-size", "a matrix that is too few", "PARAM p[5] = { state.matrix.mvp @};"),
        bad(
            All,
            "arb-array-size",
            "one that is too many when nothing modifies it",
            "PARAM p[5] = { 1, 2, state.matrix.mvp.inverse@, 3 };",
        ),
        bad(All, "arb-array-size", "vectors", "PARAM p[1] = { {1,2,3,4}@, {1,2,3,4} };"),
        bad(All, "arb-array-size", "numbers with signs", "PARAM p[1] = { -1@, -2 };"),
    ],
};

const NV2: Group = Group {
    clause: "NV_vertex_program2_option 2.14.2",
    cases: &[
        ok(Nv, "signs within bars and before them", "MOV R0, -|+R1|; MOV R0, +|-R1|; RCP R0, -|-{1,2}.y|;"),
        bad(Nv, "arb-unexpected", "one sign before the bars", "MOV R0, -@+|R1|;"),
        bad(Nv, "arb-unexpected", "and one within", "MOV R0, |-@-R1|;"),
        bad(Nv, "arb-scalar-suffix", "a number has no suffix within bars either", "MOV R0, |2.0@.x|;"),
        bad(Nv, "arb-needs-component", "a vector in bars is no scalar", "RCP R0, |{1,2}@|;"),
        bad(Nv, "arb-unexpected", "ARA's operand has not even a plus", "ARA A0, @+A0;"),
        bad(Nv, "arb-unexpected", "nor is it a number", "ARA A0, @1;"),
        bad(Nv, "arb-operand-count", "ARA has one", "ARA A0, A0@, A0;"),
        bad(Nv, "arb-bad-component", "a condition selects by x, y, z, w", "ARL A0 (EQ.@q), R1;"),
        bad(Nv, "arb-bad-swizzle", "ARR takes a vector's selection", "ARR A0, R1.@xy;"),
        bad(Nv, "arb-operand-count", "SFL takes two operands all the same", "SFL R0, R1@;"),
        bad(Nv, "arb-operand-count", "SSG takes one", "SSG R0, R1@, R2;"),
        ok(Nv, "a label may have a variable's name", "TEMP x; x: MOV x, R1; BRA x;"),
        ok(Nv, "and stand before declarations", "x: ATTRIB a = vertex.color; BRA x;"),
        bad(Nv, "arb-empty-statement", "its statement is complete", "x:@; BRA x;"),
        bad(Nv, "arb-unexpected", "one condition", "x: BRA x (EQ.x)@(EQ.x);"),
        bad(Nv, "arb-bad-condition", "parentheses hold one", "RET (@);"),
        bad(Nv2, "arb-later-feature", "its register has no number", "RET (@TR0);"),
        ok(Nv, "the selection of a condition is four tokens, too", "MOV R0 (EQ.x y z w), R1;"),
        bad(
            Nv,
            "arb-bad-component",
            "an index selects by x, y, z, w",
            "PARAM p[] = {1,2}; MOV R0, p[A0.@s];",
        ),
        ok(
            Nv,
            "offsets are any integer",
            "PARAM p[] = {1,2}; ADD R0, p[A0.w-65], p[A0.z+99999999999999999999];",
        ),
        bad(Nv, "arb-bad-offset", "no fraction", "PARAM p[] = {1,2}; MOV R0, p[A0.w-@6.5];"),
        ok(
            Nv,
            "what computes the position may write clip distances, and what does not, too",
            "!!ARBvp1.0 OPTION ARB_position_invariant; OPTION NV_vertex_program2; MOV result.clip[5].x, vertex.color; END",
        ),
    ],
};

const NV3: Group = Group {
    clause: "NV_vertex_program3 2.14.2",
    cases: &[
        ok(Nv3, "`texture` is no reserved word", "TEMP texture; TEX texture, texture, texture, 2D;"),
        ok(
            Nv3,
            "so that it may be an array beside the units",
            "PARAM texture[2] = {1,2}; TEX R0, texture[1], texture[1], 2D;",
        ),
        bad(Nv3, "arb-bad-texture-unit", "which no array is", "PARAM p[2] = {1,2}; TEX R0, R1, @p[0], 2D;"),
        bad(Nv3, "arb-bad-texture-target", "a target is a word of its own", "TEX R0, R1, texture[15], @D2;"),
        bad(Nv3, "arb-bad-texture-target", "with its number", "TEX R0, R1, texture[15], @2 D;"),
        ok(
            Nv3,
            "any vector will do as coordinates",
            "TEX R0, 2.0, texture, 2D; TEX R0, {1,2}, texture[1], RECT; TXP R0, |R1.x|, texture, 2D;",
        ),
        bad(Nv3, "arb-later-feature", "shadow targets", "TEX R0, R1, texture, @SHADOWRECT;"),
        bad(Nv3, "arb-unexpected", "PUSHA tests nothing", "PUSHA A0 @(TR);"),
        ok(Nv3, "the test that is always true has a selection", "POPA A0 (TR.x); POPA A0.xyzw (TR.wzyx);"),
        bad(Nv3, "arb-popa-mask", "the other register's tests", "POPA A0 @(GT1);"),
        bad(Nv3, "arb-bad-suffix", "POPA does not clamp", "@POPA_SAT A0;"),
        bad(Nv3, "arb-bad-condition", "there is no tenth register", "MOV R0 (@LT10), R1;"),
        bad(
            Nv3,
            "arb-not-array",
            "a declared attribute that is indexed has no elements",
            "ATTRIB a = vertex.attrib[A0.x]; MOV R0, a@[0];",
        ),
        bad(Nv3, "arb-unexpected", "nor has one in place", "MOV R0, vertex.attrib[A0.x+1]@[0];"),
        bad(Nv3, "arb-unexpected", "the normal is one vector", "MOV R0, vertex.normal@[A0.x];"),
        bad(Nv3, "arb-unexpected", "so is the position", "MOV result.position@[A0.x], R0;"),
        bad(Nv3, "arb-needs-component", "a scalar", "RCP R0, vertex.texcoord[A0.x]@;"),
        bad(Nv3, "arb-bad-swizzle", "one component of the register", "MOV R0, vertex.texcoord[A0.@xx];"),
        bad(Nv3, "arb-unexpected", "an offset is missing", "MOV R0, vertex.texcoord[A0.x + @];"),
        bad(Nv3, "arb-unexpected", "one offset", "MOV R0, vertex.texcoord[A0.x + 1 @+ 1];"),
        bad(Nv3, "arb-unexpected", "the offset comes last", "MOV R0, vertex.texcoord[1@+A0.x];"),
        bad(Nv3, "arb-bad-mask", "masks are in order", "MOV result.texcoord[A0.x+1].@yx, R0;"),
        ok(Nv3, "SWZ of a computed attribute", "SWZ R0, vertex.texcoord[A0.x], 0, 1, x, -y;"),
        ok(Nv3, "an index by what the index gives", "ARL A0.x, vertex.attrib[A0.x].x;"),
        ok(
            Nv3,
            "a computed result and one of its sets",
            "OUTPUT o = result.texcoord[A0.x+7]; MOV o.x, R0; MOV result.texcoord, R0;",
        ),
    ],
};
