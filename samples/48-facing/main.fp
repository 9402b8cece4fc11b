!!ARBfp1.0
OPTION NV_fragment_program2;
# A lantern of glazed clay with a flame in it. Through its holes you see the far wall, from inside.
#
# fragment.facing.x is 1 where you see the front of a triangle and -1 where you see the back. So one
# program paints both sides, each with its own light.

ATTRIB st = fragment.texcoord[0];
ATTRIB away = fragment.texcoord[1];
ATTRIB spot = fragment.texcoord[2];
ATTRIB view = fragment.texcoord[5];
ATTRIB side = fragment.facing;
PARAM clock = program.local[0];
PARAM holes = program.local[1];             # x, y: how many around and from pole to pole, z: their size
PARAM flame = program.local[2];
PARAM glaze = program.local[3];
PARAM moon = { -0.48, 0.64, 0.60 };
TEMP n, v, q, t, c, h;

# Holes in rows, every other row shifted by half. Towards the poles rows have less room, so fewer and
# fewer holes: their number is halved where the circle is half as long.
MUL q.xy, st, holes;
MOV t.y, q.y;
FLR t.y, t.y;
MUL t.x, t.y, 0.5;
FRC t.x, t.x;
ADD q.x, q.x, t.x;
FRC q.xy, q;
SUB q.xy, q, 0.5;
MAD t.z, spot.y, -spot.y, 1.0;
MAX t.z, t.z, 0.02;
RSQ t.w, t.z;
MUL t.w, t.w, t.z;                          # how long the circle is here, from 0 to 1
MUL q.x, q.x, t.w;
MUL q.x, q.x, 1.3;

# Petals: the radius of a hole grows and shrinks on its way round: cos(4a) from products alone.
DP2 t.x, q, q;
MUL t.y, q.x, q.y;
MUL t.y, t.y, t.y;
MAX t.z, t.x, 0.00001;
MUL t.z, t.z, t.z;
DIV t.y, t.y, t.z;
MAD t.y, t.y, -1.6, 1.2;
MUL t.y, t.y, holes.z;
RSQ t.z, t.x;
MUL t.x, t.x, t.z;
SUB q.z, t.x, t.y;                          # below 0 in the hole
SUB t.w, t.w, 0.62;
MUL t.w, t.w, 4.0;
MIN t.w, t.w, 0.0;
SUBC q.w, q.z, t.w;                         # none where it gets too narrow: there the lid and the foot are
KIL LT.w;

# The flame flickers.
MUL t.xyz, clock.x, { 7.3, 11.9, 3.1 };
SIN t.x, t.x;
SIN t.y, t.y;
SIN t.z, t.z;
DP3 h.w, t, { 0.05, 0.04, 0.07 };
ADD h.w, h.w, 1.0;

# Whichever side is visible, make the normal point to the eye.
MUL n.xyz, away, side.x;
NRM n.xyz, n;
NRM v.xyz, view;
MOVC t.w, side.x;
IF LT.w;
    # Inside: lit by the flame, which is a little below the middle, and by nothing else.
    SUB t.xyz, { 0.0, -0.2, 0.0 }, spot;
    DP3 t.w, t, t;
    NRM t.xyz, t;
    DP3_SAT c.x, n, t;
    DIV c.x, c.x, t.w;
    MUL c.x, c.x, h.w;
    MAD c.xyz, c.x, flame, { 0.03, 0.01, 0.0 };
    MAD_SAT t.w, q.w, -9.0, 1.0;            # the hole's rim is bright, for the light gets into the clay
    MAD c.xyz, t.w, { 0.30, 0.14, 0.03 }, c;
ELSE;
    # Outside: glaze under the moon, and the rims glow.
    DP3_SAT t.x, n, moon;
    ADD h.xyz, v, moon;
    NRM h.xyz, h;
    DP3_SAT t.y, n, h;
    POW t.y, t.y, 70.0;
    DP3_SAT t.z, n, v;
    SUB t.z, 1.0, t.z;
    MUL t.z, t.z, t.z;
    MUL t.z, t.z, t.z;
    MAD t.x, t.x, 0.75, 0.14;
    MUL c.xyz, glaze, t.x;
    MAD c.xyz, t.y, { 0.65, 0.70, 0.80 }, c;
    MAD c.xyz, t.z, { 0.10, 0.16, 0.28 }, c;
    MAD_SAT t.w, q.w, -13.0, 1.0;
    MUL t.w, t.w, t.w;
    MUL t.w, t.w, h.w;
    MAD c.xyz, t.w, flame, c;
ENDIF;
MOV_SAT result.color.rgb, c;
MOV result.color.a, 1.0;
END
