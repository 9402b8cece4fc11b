!!NVfp4.0
# FLAT: one value for the whole triangle, from its provoking vertex. Each triangle mirrors one spot of the sky.

PARAM clock = program.local[0];
PARAM ball = program.local[1];              # x: place of the border, y: how far it sways, z: sparkle
FLAT ATTRIB facet = fragment.attrib[0];
ATTRIB smooth = fragment.attrib[1];
TEMP r, color, t;

# Right of the border the facets, left of it a ball without any.
RCP t.y, clock.y;
MUL t.y, fragment.position.x, t.y;
MUL t.z, clock.x, 0.5;
SIN t.z, t.z;
MAD t.z, t.z, ball.y, ball.x;
SUB.CC0 t.x, t.y, t.z;
MOV r.xyz, smooth;
MOV r.xyz (GT0.x), facet;
TEX color, r, texture[0], CUBE;

# Spots of coloured light go around the ball; a facet has one or has none.
MUL t.w, clock.x, 0.9;
SIN t.z, t.w;
COS t.w, t.w;
MUL t.zw, t, 0.8;
MUL t.y, r.x, t.z;
MAD t.y, r.z, t.w, t.y;
MAD t.y, r.y, 0.6, t.y;
MAX t.y, t.y, 0.0;
POW t.y, t.y, 24.0;
MUL t.y, t.y, ball.z;
MUL t.z, r.x, -0.6;
MAD t.z, r.y, 0.5, t.z;
MAD_SAT t.z, r.z, 0.62, t.z;
POW t.z, t.z, 40.0;
MUL t.z, t.z, ball.z;
MAD color.xyz, t.y, { 1.0, 0.35, 0.75 }, color;
MAD color.xyz, t.z, { 0.35, 0.80, 1.0 }, color;
# The rim is darker than the middle.
MAD_SAT t.w, smooth.w, 0.75, 0.30;
MUL color.xyz, color, t.w;
# The border itself.
SLT.CC1 t.x, |t.x|, 0.003;
MOV color.xyz (NE1.x), { 0.95, 0.95, 1.0 };
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
