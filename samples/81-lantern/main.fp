!!NVfp4.0
# fragment.clip[0]: the interpolated clip distance at this pixel. Near 0 is the edge of the cut, and the edge glows.

PARAM clock = program.local[0];
PARAM glow = program.local[1];              # x: how wide, y: how bright
ATTRIB cut = fragment.clip[0];
ATTRIB normal = fragment.texcoord[0];
ATTRIB st = fragment.texcoord[1];
TEMP n, color, t;

# Glazed outside, bare inside.
NRM n.xyz, normal;
MUL n.xyz, n, fragment.facing.x;
MUL t.zw, st.xxxy, { 0.0, 0.0, 3.0, 2.0 };
TEX color, t.zwzw, texture[0], 2D;
MUL color.xyz, color, { 0.42, 0.72, 0.86 };
SUB.CC0 t.x, fragment.facing.x, 0.0;
MOV color.xyz (LT0.x), { 0.34, 0.20, 0.16 };
DP3 n.w, n, { -0.46, 0.60, 0.65 };
MAD_SAT t.x, n.w, 0.75, 0.20;
MUL color.xyz, color, t.x;
MAX t.y, n.w, 0.0;
POW t.y, t.y, 40.0;
MUL t.y, t.y, 0.6;
ADD color.xyz (GE0.x), color, t.y;

# Embers at the edge: white, then gold, then red, and they flicker.
MUL t.x, st.x, 40.0;
MAD t.x, clock.x, 5.0, t.x;
SIN t.x, t.x;
MAD t.x, t.x, 0.18, 1.0;
RCP t.y, glow.x;
MUL t.y, t.y, t.x;
MUL t.y, t.y, cut.x;
MUL t.xyz, t.y, { -1.0, -2.3, -6.0 };
EX2 t.x, t.x;
EX2 t.y, t.y;
EX2 t.z, t.z;
MUL t.xyz, t, { 1.2, 0.75, 0.45 };
MAD result.color.xyz, t, glow.y, color;
MOV result.color.w, 1.0;
END
