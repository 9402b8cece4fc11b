!!ARBfp1.0
OPTION NV_fragment_program2;
# Mountains in a box. The GL draws a cube of twelve triangles; the landscape is inside.
#
# Each pixel follows its line of sight from the face of the cube inwards, step by step, until it is below
# the ground, which a texture describes. Then bisection refines the place. The same walk towards the sun
# finds the shadow.

ATTRIB enter = fragment.texcoord[2];        # where the line of sight meets the box
ATTRIB view = fragment.texcoord[5];         # from there to the eye
PARAM clock = program.local[0];
PARAM box = program.local[1];               # half its width, half its height, 1 / width, the water's height
PARAM steps = program.local[2];             # x: maximum number of steps, y: steps for each unit of length
PARAM rays = program.local[3];              # x: maximum number of steps towards the sun
PARAM halves = { 6.0 };
PARAM size = { 1.0, 0.3, 1.0 };
TEMP p, d, g, t, uv, n, sun, c;

main:
# The sun goes round, not too low.
MUL t.x, clock.x, 0.25;
SIN sun.x, t.x;
COS sun.z, t.x;
MOV sun.y, 0.62;
NRM sun.xyz, sun;

MOV p.xyz, enter;
NRM d.xyz, -view;
CAL ground;
IF LT.y;
    # Below the ground at once: a side of the block. Layers of earth, and the light of the side.
    MAD t.x, p.y, 46.0, g.x;
    SIN t.x, t.x;
    MAD t.y, p.y, 1.4, 0.72;
    MAD t.y, t.x, 0.06, t.y;
    MUL c.xyz, { 0.46, 0.33, 0.24 }, t.y;
    SUBC t.z, box.w, g.z;
    MUL t.z, p.y, 2.2;
    MAD c.xyz (GT.z), { 0.05, 0.20, 0.30 }, t.z, { 0.06, 0.22, 0.30 };      # the lake, cut open
    SUB t.x, |enter.x|, |enter.z|;
    CMP t.w, t.x, 1.0, 0.72;
    MUL c.xyz, c, t.w;
ELSE;
    # How far is it through the box? Each pair of faces gives one answer, the nearest counts. In as many equal
    # parts as that takes, so that the last step ends on the face.
    RCP n.x, d.x;
    RCP n.y, d.y;
    RCP n.z, d.z;
    SUB t.xyz, size, p;
    MUL t.xyz, t, n;
    SUB uv.xyz, -size, p;
    MUL uv.xyz, uv, n;
    MAX t.xyz, t, uv;
    MIN t.x, t.x, t.y;
    MIN t.x, t.x, t.z;
    MUL n.w, t.x, steps.y;
    FLR n.w, n.w;
    ADD n.w, n.w, 1.0;
    DIV t.x, t.x, n.w;
    MUL d.xyz, d, t.x;
    REP steps;
        ADD p.xyz, p, d;
        CAL ground;
        BRK (LT.y);                         # below the ground
        SUBC n.w, n.w, 1.0;                 # cc.y stays as it is
        BRK (EQ.w);                         # at the far face
    ENDREP;
    KIL GE.y;                               # through the box and out again: the background shows

    # Between the last two points, by bisection.
    REP halves;
        MUL d.xyz, d, 0.5;
        CAL ground;
        ADD p.xyz (GE.y), p, d;
        SUB p.xyz (LT.y), p, d;
    ENDREP;
    CAL paint;
ENDIF;
MOV result.color.rgb, c;
MOV result.color.a, 1.0;
RET;

# g.x: the ground's height below p, or the water's; g.y: how far p is above it, also in the condition
# code. g.z: the height without water. TXL has an explicit level of detail: derivatives would make no
# sense here, because the neighbours are elsewhere or do no lookup.
ground:
MAD uv.xy, p.xzzz, box.z, 0.5;
MOV uv.zw, 0.0;
TXL g.z, uv, texture[0], 2D;
MUL g.w, g.z, g.z;
MAD g.z, g.w, 0.62, -box.y;
MAX g.x, g.z, box.w;
SUBC g.y, p.y, g.x;
RET;

# The colour at p, into c.
paint:
# Slopes from four texels around.
ADD uv.x, uv.x, -0.006;
TXL n.x, uv, texture[0], 2D;
ADD uv.x, uv.x, 0.012;
TXL n.y, uv, texture[0], 2D;
ADD uv.xy, uv, -0.006;
TXL n.z, uv, texture[0], 2D;
ADD uv.y, uv.y, 0.012;
TXL t, uv, texture[0], 2D;                   # the texture's own w is 1: the height comes by x
MOV n.w, t.x;
MUL n, n, n;
SUB t.x, n.x, n.y;
SUB t.z, n.z, n.w;
MUL n.xz, t, 0.62;
MOV n.y, 0.024;
NRM n.xyz, n;

# Grass low down, rock where it is steep, snow high up, sand at the shore.
ADD t.x, g.z, box.y;
MAD_SAT t.y, n.y, 5.0, -2.7;
LRP c.xyz, t.y, { 0.26, 0.37, 0.13 }, { 0.37, 0.33, 0.29 };
MAD_SAT t.z, t.x, 14.0, -4.0;
MUL t.z, t.z, t.y;
LRP c.xyz, t.z, { 0.93, 0.95, 1.0 }, c;
SUB t.w, g.z, box.w;
MAD_SAT t.z, t.w, 90.0, -0.5;
LRP c.xyz, t.z, c, { 0.70, 0.62, 0.42 };
MOV c.w, 0.0;
MOVC t.w, t.w;
IF LT.w;
    # Water: the deeper the bluer, and flat but for ripples.
    MUL_SAT t.w, t.w, -14.0;
    LRP c.xyz, t.w, { 0.03, 0.16, 0.28 }, { 0.16, 0.46, 0.46 };
    MAD n.x, p.x, 90.0, clock.x;
    MAD n.z, p.z, 120.0, clock.x;
    SIN n.x, n.x;
    SIN n.z, n.z;
    MUL n.xz, n, 0.035;
    MOV n.y, 1.0;
    MOV c.w, 0.8;
ENDIF;

# Towards the sun. The narrowest gap, seen from this point, makes the edge of the shadow soft.
DP3C_SAT n.w, n, sun;
MOV t.w, 1.0;
IF GT.w;
    MOV d.w, 0.010;
    MUL d.xyz, sun, 0.030;
    ADD p.y, p.y, 0.008;
    REP rays;
        ADD p.xyz, p, d;
        SUBC t.xyz, |p|, size;
        BRK (GT.xyzz);
        CAL ground;
        ADD d.w, d.w, 0.030;
        DIV t.y, g.y, d.w;
        MIN t.w, t.w, t.y;
        BRK (LT.y);                         # dark: no need to look further
    ENDREP;
    MUL_SAT t.w, t.w, 7.0;
ENDIF;
MUL n.w, n.w, t.w;

# Sun and sky.
MUL t.xyz, n.w, { 1.25, 1.12, 0.92 };
MAD d.w, n.y, 0.18, 0.22;
MAD t.xyz, d.w, { 0.80, 0.95, 1.25 }, t;
MUL c.xyz, c, t;

# The sun in the water.
NRM d.xyz, view;
ADD d.xyz, d, sun;
NRM d.xyz, d;
DP3_SAT d.w, n, d;
POW d.w, d.w, 220.0;
MUL d.w, d.w, c.w;
MAD c.xyz, d.w, t.w, c;
RET;
END
