!!ARBfp1.0
# Water, sand, grass, rock and snow, by height and slope.

ATTRIB level = fragment.texcoord[0];        # x: above the water, y, w: place on the sheet
ATTRIB away = fragment.texcoord[1];
ATTRIB spot = fragment.texcoord[2];
PARAM deep = program.local[0];
PARAM sun = state.light[0].position;
PARAM rows[3] = { state.matrix.modelview.invtrans.row[0..2] };
TEMP n, v, l, h, c, sea, t;

DP3 n.w, away, away;
RSQ n.w, n.w;
MUL n.xyz, away, n.w;
DP3 v.w, spot, spot;
RSQ v.w, v.w;
MUL v.xyz, spot, -v.w;
DP3 l.w, sun, sun;
RSQ l.w, l.w;
MUL l.xyz, sun, l.w;

# n.w: how much the ground faces up. Up is the second column of the matrix, in eye space.
MOV h.x, rows[0].y;
MOV h.y, rows[1].y;
MOV h.z, rows[2].y;
DP3 n.w, n, h;

# A bit of noise keeps the borders from running along contour lines.
MUL t, level.ywyw, { 5.0, 5.0, 1.0, 1.0 };
TEX t, t, texture[1], 2D;
MAD t.x, t.x, 0.06, -0.03;
ADD t.x, level.x, t.x;

# From the bottom up, each with a soft border.
MAD_SAT t.y, t.x, 28.0, -0.5;
LRP c.rgb, t.y, { 0.27, 0.40, 0.13 }, { 0.78, 0.70, 0.50 };
MAD_SAT t.y, t.x, 9.0, -1.3;
LRP c.rgb, t.y, { 0.16, 0.27, 0.10 }, c;
MAD_SAT t.y, n.w, -9.0, 7.0;
LRP c.rgb, t.y, { 0.42, 0.38, 0.34 }, c;
MAD_SAT t.y, t.x, 14.0, -4.6;
MAD_SAT t.w, n.w, 5.0, -3.0;
MUL t.y, t.y, t.w;
LRP c.rgb, t.y, { 0.95, 0.97, 1.0 }, c;

# The sea: turquoise over the sand, then deep.
MAD_SAT t.y, level.x, 11.0, 1.0;
MUL t.y, t.y, t.y;
LRP sea.rgb, t.y, { 0.25, 0.66, 0.62 }, deep;
MAD_SAT t.w, level.x, 90.0, 1.0;
MUL t.w, t.w, t.w;
MAD sea.rgb, t.w, 0.30, sea;
CMP c.rgb, level.x, sea, c;

DP3_SAT t.y, n, l;
MAD t.w, n.w, 0.20, 0.24;
MUL t.xyz, t.y, state.light[0].diffuse;
MAD t.xyz, t.w, { 0.80, 0.95, 1.15 }, t;
MUL c.rgb, c, t;

# Glitter and sky on the water only.
ADD h.xyz, l, v;
DP3 h.w, h, h;
RSQ h.w, h.w;
MUL h.xyz, h, h.w;
DP3_SAT h.w, n, h;
POW h.w, h.w, { 90.0 }.x;
DP3_SAT t.w, n, v;
SUB t.w, 1.0, t.w;
MUL t.w, t.w, t.w;
MUL t.w, t.w, t.w;
MUL t.xyz, t.w, { 0.55, 0.70, 0.85 };
MAD t.xyz, h.w, 0.6, t;
CMP t.xyz, level.x, t, 0.0;
ADD_SAT c.rgb, c, t;

# Haze where the sheet ends.
MUL t.x, level.y, level.y;
MAD t.x, level.w, level.w, t.x;
MAD_SAT t.x, t.x, 3.2, -2.1;
LRP result.color.rgb, t.x, { 0.62, 0.74, 0.84 }, c;
MOV result.color.a, 1.0;
END
