!!NVfp5.0
# Four ways to round a number to an integer: CVT with ROUND, CEIL, FLR and TRUNC, one in each strip.

PARAM clock = program.local[0];
PARAM axis = program.local[1];              # x: numbers across the picture, y: drift
INT TEMP n, edge;
TEMP place, x, y, color, t;

# x from the left, around zero; y within a strip, on the same scale.
SUB x.x, fragment.texcoord[0].x, 0.5;
MUL x.x, x.x, axis.x;
MUL t.x, clock.x, axis.y;
SIN t.x, t.x;
ADD x.x, x.x, t.x;
MUL place.y, fragment.texcoord[0].y, 4.0;
FLR place.z, place.y;
FRC place.y, place.y;
SUB y.x, place.y, 0.5;
MUL y.x, y.x, axis.x;

CVT.S32.F32.ROUND n.x, x.x;
CVT.S32.F32.CEIL n.y, x.x;
CVT.S32.F32.FLR n.z, x.x;
CVT.S32.F32.TRUNC n.w, x.x;

# The result for this strip.
MOV.S edge.x, n.x;
SUB.CC t, place.z, { 0.0, 1.0, 2.0, 3.0 };
MOV.S edge.x (EQ.y), n.y;
MOV.S edge.x (EQ.z), n.z;
MOV.S edge.x (EQ.w), n.w;
I2F t.y, edge.x;

# Below the stairs is filled; the number itself is a thin line.
SUB t.z, y.x, t.y;
SLE t.w, t.z, 0.0;
# Each integer has a hue.
MUL color.w, t.y, 0.55;
ADD color.xyz, color.w, { 4.4, 5.9, 0.9 };
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.40, 0.55;
MAD t.x, place.y, 0.45, 0.30;
MUL t.w, t.w, t.x;
ADD t.w, t.w, 0.10;
MUL color.xyz, color, t.w;
SUB t.z, y.x, x.x;
ABS t.z, t.z;
SLT.CC t.z, t.z, 0.06;
MOV color.xyz (NE.z), { 1.0, 0.92, 0.70, 1.0 };
# Zero.
ABS t.z, x.x;
SLT.CC t.z, t.z, 0.02;
MOV color.xyz (NE.z), { 0.9, 0.35, 0.35, 1.0 };
MOV color.w, 1.0;
MOV result.color, color;
END
