//! State bindings (ARB_vertex_program 2.14.3.2, Tables X.3.2 to X.3.8).

use super::corpus::In::All;
use super::corpus::{Group, bad, ok};

pub const GROUPS: &[Group] = &[MATERIALS, LIGHTS, TEXGEN, FOG_CLIP_POINT, MATRICES, PALETTE];

/// Every single vector, with one number of each kind.
pub const VECTORS: &str = "\
material.ambient material.diffuse material.specular material.emission material.shininess
material.front.ambient material.front.diffuse material.front.specular material.front.emission
material.front.shininess material.back.ambient material.back.diffuse material.back.specular
material.back.emission material.back.shininess
light[0].ambient light[0].diffuse light[1].specular light[2].position light[3].attenuation
light[4].spot.direction light[<LIGHTS-1>].half
lightmodel.ambient lightmodel.scenecolor lightmodel.front.scenecolor lightmodel.back.scenecolor
lightprod[0].ambient lightprod[0].diffuse lightprod[0].specular lightprod[1].front.ambient
lightprod[1].front.diffuse lightprod[1].front.specular lightprod[2].back.ambient
lightprod[2].back.diffuse lightprod[<LIGHTS-1>].back.specular
texgen.eye.s texgen.eye.t texgen.eye.r texgen.eye.q texgen.object.s texgen[0].object.t
texgen[1].object.r texgen[<TEXTURES-1>].object.q
fog.color fog.params clip[0].plane clip[<CLIP-1>].plane point.size point.attenuation";

pub const MATRIX_NAMES: &str = "\
modelview modelview[0] projection mvp texture texture[0] texture[<TEXTURES-1>]
program[0] program[<MATRICES-1>]";

/// Modifiers that may follow a matrix.
pub const MODIFIERS: [&str; 4] = ["", ".inverse", ".transpose", ".invtrans"];

const MATERIALS: Group = Group {
    clause: "ARB_vertex_program 2.14.3.2, Table X.3.2",
    cases: &[
        ok(
            All,
            "selections in place",
            "MAD R0, state.material.ambient, -state.material.back.diffuse.x, state.material.front.emission.wzyx; RCP R0, state.material.shininess.x;",
        ),
        bad(All, "arb-bad-state", "no such property", "MOV R0, state.material.@foo;"),
        bad(All, "arb-bad-state", "no such property of a face", "MOV R0, state.material.front.@foo;"),
        bad(All, "arb-bad-state", "no such face", "MOV R0, state.material.@side.ambient;"),
        bad(All, "arb-bad-state", "one face", "MOV R0, state.material.front.@back.ambient;"),
        bad(All, "arb-bad-state", "the face comes first", "PARAM p = state.material.@attenuation;"),
        bad(All, "arb-unexpected", "a face is no property", "PARAM p = state.material.front@;"),
        bad(All, "arb-unexpected", "a property is missing", "PARAM p = state.material@;"),
        bad(All, "arb-unexpected", "nothing follows a property", "PARAM p = state.material.ambient@.front;"),
        bad(All, "arb-unexpected", "materials have no numbers", "PARAM p = state.material@[0].ambient;"),
        bad(All, "arb-bad-state", "no such state", "MOV R0, state.@foo;"),
        bad(All, "arb-bad-state", "case counts", "MOV R0, state.@Material.ambient;"),
        bad(All, "arb-bad-state", "state of fragment programs", "PARAM p = state.@texenv.color;"),
        bad(All, "arb-bad-state", "state of fragment programs", "PARAM p = state.@depth.range;"),
        bad(All, "arb-unexpected", "state alone is nothing", "MOV R0, state@;"),
    ],
};

const LIGHTS: Group = Group {
    clause: "ARB_vertex_program 2.14.3.2, Table X.3.3",
    cases: &[
        ok(
            All,
            "selections in place",
            "MAD R0, state.light[0].position, state.light[1].spot.direction.w, -state.lightprod[0].back.specular.xyzx; MOV R0, state.lightmodel.front.scenecolor.w;",
        ),
        bad(All, "arb-bad-state", "past the last light", "MOV R0, state.light[@<LIGHTS>].ambient;"),
        bad(All, "arb-bad-state", "no integer", "MOV R0, state.light[@0.5].ambient;"),
        bad(All, "arb-bad-state", "no such property", "MOV R0, state.light[0].@foo;"),
        bad(All, "arb-bad-state", "lights have no emission", "MOV R0, state.light[0].@emission;"),
        bad(All, "arb-bad-state", "lights have no faces", "MOV R0, state.light[0].@front.ambient;"),
        bad(All, "arb-unexpected", "a light has a number", "MOV R0, state.light@.ambient;"),
        bad(All, "arb-unexpected", "a light has a number", "MOV R0, state.light[@].ambient;"),
        bad(All, "arb-unexpected", "a property is missing", "MOV R0, state.light[0]@;"),
        bad(All, "arb-unexpected", "spot is no property", "PARAM p = state.light[0].spot@;"),
        bad(All, "arb-bad-state", "spot has its direction only", "PARAM p = state.light[0].spot.@exponent;"),
        bad(
            All,
            "arb-bad-state",
            "no such property of the light model",
            "PARAM p = state.lightmodel.@diffuse;",
        ),
        bad(
            All,
            "arb-bad-state",
            "its ambient colour has no face",
            "PARAM p = state.lightmodel.front.@ambient;",
        ),
        bad(All, "arb-unexpected", "there is one light model", "PARAM p = state.lightmodel@[0].ambient;"),
        bad(All, "arb-bad-state", "past the last light", "PARAM p = state.lightprod[@<LIGHTS>].ambient;"),
        bad(All, "arb-bad-state", "no product with emission", "PARAM p = state.lightprod[0].@emission;"),
        bad(
            All,
            "arb-bad-state",
            "no product with shininess",
            "PARAM p = state.lightprod[0].back.@shininess;",
        ),
        bad(All, "arb-unexpected", "a product has a number", "PARAM p = state.lightprod@.ambient;"),
        bad(All, "arb-unexpected", "a property is missing", "PARAM p = state.lightprod[0].front@;"),
        bad(All, "arb-unexpected", "no ranges of lights", "PARAM p[] = { state.light[0@..1].ambient };"),
    ],
};

const TEXGEN: Group = Group {
    clause: "ARB_vertex_program 2.14.3.2, Table X.3.4",
    cases: &[
        ok(
            All,
            "selections in place",
            "DP4 R0, vertex.position, state.texgen.object.s; MOV R0, state.texgen[1].eye.q.x;",
        ),
        bad(All, "arb-bad-state", "past the last unit", "PARAM p = state.texgen[@<TEXTURES>].eye.s;"),
        bad(All, "arb-bad-state", "no such planes", "PARAM p = state.texgen[0].@sphere.s;"),
        bad(All, "arb-bad-state", "no such coordinate", "PARAM p = state.texgen[0].eye.@x;"),
        bad(All, "arb-bad-state", "one coordinate", "PARAM p = state.texgen.object.@st;"),
        bad(All, "arb-unexpected", "a coordinate is missing", "PARAM p = state.texgen.object@;"),
        bad(All, "arb-unexpected", "an empty bracket", "PARAM p = state.texgen[@].eye.s;"),
    ],
};

const FOG_CLIP_POINT: Group = Group {
    clause: "ARB_vertex_program 2.14.3.2, Tables X.3.5 to X.3.7",
    cases: &[
        ok(
            All,
            "selections in place",
            "MAD R0, state.fog.params.y, state.clip[0].plane, -state.point.attenuation.wzyx; MOV R0.x, state.point.size.x;",
        ),
        bad(All, "arb-bad-state", "no such property of fog", "PARAM p = state.fog.@density;"),
        bad(All, "arb-unexpected", "a property is missing", "PARAM p = state.fog@;"),
        bad(All, "arb-bad-state", "past the last clip plane", "PARAM p = state.clip[@<CLIP>].plane;"),
        bad(All, "arb-bad-state", "planes are called so", "PARAM p = state.clip[0].@equation;"),
        bad(All, "arb-unexpected", "a clip plane has a number", "PARAM p = state.clip@.plane;"),
        bad(All, "arb-unexpected", "plane is missing", "PARAM p = state.clip[0]@;"),
        bad(All, "arb-bad-state", "no such property of points", "PARAM p = state.point.@fade;"),
        bad(All, "arb-unexpected", "a property is missing", "PARAM p = state.point@;"),
    ],
};

const MATRICES: Group = Group {
    clause: "ARB_vertex_program 2.14.2 <stateMatrixRows>, 2.14.3.2, Table X.3.8",
    cases: &[
        ok(
            All,
            "the text's examples",
            "PARAM m0 = state.matrix.modelview.row[0]; PARAM m1 = state.matrix.projection.transpose.row[3]; PARAM m2[] = { state.matrix.program[0].row[1..2] }; PARAM m3[] = { state.matrix.program[0].transpose }; ADD R0, m2[1], m3[3];",
        ),
        ok(
            All,
            "sizes",
            "PARAM a[4] = { state.matrix.mvp }; PARAM b[2] = { state.matrix.mvp.inverse.row[1..2] }; PARAM c[1] = { state.matrix.mvp.row[2] }; PARAM d[1] = { state.matrix.mvp.row[3..3] };",
        ),
        ok(
            All,
            "rows in place",
            "DP4 R0.x, state.matrix.mvp.row[0], vertex.position; DP4 R0.y, state.matrix.modelview[0].invtrans.row[1].wzyx, -vertex.position;",
        ),
        ok(All, "a row's component", "RCP R0, state.matrix.texture[1].transpose.row[2].w;"),
        bad(All, "arb-bad-state", "no such matrix", "PARAM p[] = { state.matrix.@foo };"),
        bad(All, "arb-bad-state", "case counts", "PARAM p[] = { state.matrix.@MVP };"),
        bad(
            All,
            "arb-bad-state",
            "without vertex blending there is one",
            "PARAM p[] = { state.matrix.modelview[@1] };",
        ),
        bad(
            All,
            "arb-bad-state",
            "past the last texture unit",
            "PARAM p[] = { state.matrix.texture[@<TEXTURES>] };",
        ),
        bad(
            All,
            "arb-bad-state",
            "past the last program matrix",
            "PARAM p[] = { state.matrix.program[@<MATRICES>] };",
        ),
        bad(All, "arb-unexpected", "a program matrix has a number", "PARAM p[] = { state.matrix.program @};"),
        bad(
            All,
            "arb-unexpected",
            "there is one projection matrix",
            "PARAM p[] = { state.matrix.projection@[0] };",
        ),
        bad(All, "arb-unexpected", "and one product", "PARAM p[] = { state.matrix.mvp@[0] };"),
        bad(All, "arb-unexpected", "an empty bracket", "PARAM p[] = { state.matrix.modelview[@] };"),
        bad(All, "arb-bad-state", "no such modifier", "PARAM p[] = { state.matrix.mvp.@transposed };"),
        bad(All, "arb-bad-state", "one modifier", "PARAM p[] = { state.matrix.mvp.inverse.@transpose };"),
        bad(All, "arb-bad-state", "the modifier comes first", "PARAM p[] = { state.matrix.mvp.@column[0] };"),
        bad(
            All,
            "arb-unexpected",
            "nothing follows the rows",
            "PARAM p[] = { state.matrix.mvp.row[0]@.inverse };",
        ),
        bad(All, "arb-bad-state", "there are rows 0 to 3", "PARAM p[] = { state.matrix.mvp.row[@4] };"),
        bad(All, "arb-bad-state", "as the end of a range", "PARAM p[] = { state.matrix.mvp.row[0..@4] };"),
        bad(All, "arb-bad-range", "a range goes up", "PARAM p[] = { state.matrix.mvp.row[2..@1] };"),
        bad(All, "arb-unexpected", "rows have numbers", "PARAM p[] = { state.matrix.mvp.row @};"),
        bad(All, "arb-needs-row", "a whole matrix is for arrays", "PARAM p = state.matrix.mvp@;"),
        bad(All, "arb-needs-row", "with a modifier too", "PARAM p = state.matrix.mvp.inverse@;"),
        bad(All, "arb-bad-range", "and so are several rows", "PARAM p = state.matrix.mvp.row[0@..1];"),
        bad(All, "arb-needs-row", "an operand is one row", "DP4 R0, state.matrix.mvp@, R1;"),
        bad(All, "arb-bad-range", "an operand is one row", "DP4 R0, state.matrix.mvp.row[0@..3], R1;"),
        bad(All, "arb-unexpected", "no selection in an array", "PARAM p[] = { state.matrix.mvp.row[0]@.x };"),
    ],
};

const PALETTE: Group = Group {
    clause: "ARB_vertex_program, Dependencies on ARB_matrix_palette",
    cases: &[
        bad(All, "arb-bad-state", "it is not supported", "PARAM p[] = { state.matrix.@palette[0] };"),
        bad(All, "arb-bad-state", "by row neither", "MOV R0, state.matrix.@palette[1].row[0];"),
    ],
};
