!!NVfp4.0
# FLAT INT: an integer from the vertex program. It is not interpolated: kinds 2 and 5 have no mean.

FLAT INT ATTRIB kind = fragment.attrib[0];  # x: kind of ground, y: 16 random bits
ATTRIB height = fragment.attrib[1];
ATTRIB place = fragment.attrib[2];
PARAM clock = program.local[0];
PARAM ground[8] = { { 0.10, 0.36, 0.52 }, { 0.93, 0.84, 0.60 }, { 0.62, 0.76, 0.36 }, { 0.34, 0.60, 0.32 },
                    { 0.17, 0.42, 0.30 }, { 0.46, 0.40, 0.36 }, { 0.62, 0.58, 0.56 }, { 0.97, 0.98, 1.0 } };
TEMP a, b, n, color, t;
INT TEMP die;

# The index of an array must be a temporary, so the integer goes to one first.
MOV.S die.z, kind.x;
MOV color, ground[die.z];

# The true plane of the triangle, from derivatives, and light on it.
DDX a.xyz, place;
DDY b.xyz, place;
XPD n.xyz, a, b;
DP3 n.w, n, n;
MAX n.w, n.w, 0.000000000000001;
RSQ n.w, n.w;
MUL n.xyz, n, n.w;
DP3 t.x, n, { -0.55, 0.62, 0.56 };
MAD t.x, |t.x|, 0.85, 0.25;

# Water glitters: some of its triangles, now and then.
AND.S die.x, kind.y, 255;
I2F t.y, die.x;
MAD t.y, clock.x, 1.6, t.y;
SIN t.y, t.y;
POW t.z, |t.y|, 16.0;
MUL t.z, t.z, 0.35;
SEQ.S.CC0 die.y, kind.x, 0;
ADD t.x (NE0.y), t.x, t.z;
MUL color.xyz, color, t.x;

# Haze far away.
MAD_SAT t.w, height.y, -0.85, 0.05;
LRP result.color.xyz, t.w, { 0.80, 0.76, 0.80 }, color;
MOV result.color.w, 1.0;
END
