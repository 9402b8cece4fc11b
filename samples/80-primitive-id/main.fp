!!NVfp4.0
# primitive.id: the number of triangles before this one. A knot grows, triangle by triangle.

PARAM clock = program.local[0];
PARAM build = program.local[1];             # x: triangles in the mesh, y: seconds to build it
TEMP n, color, light, t;
INT TEMP id;

# The front runs through all the triangles and back again.
MOV.S id.x, primitive.id.x;
I2F n.x, id.x;
RCP t.y, build.y;
MAD t.x, clock.x, t.y, 0.35;
MUL t.x, t.x, 0.5;
FRC t.x, t.x;
MAD t.x, t.x, 2.0, -1.0;
SUB t.x, 1.0, |t.x|;
MAD t.x, t.x, 1.16, -0.08;
MUL t.x, t.x, build.x;
SUB n.y, t.x, n.x;                          # how many triangles ago it was built

# Not yet: nothing to see. The last few hundred are still coming, some sooner and some later.
MUL.S id.y, id.x, 0x2C1B3C6D;
SHR.S id.y, id.y, 8;
AND.S id.y, id.y, 255;
I2F n.z, id.y;
MUL n.w, build.x, 0.0004;
MAD t.y, n.z, -n.w, n.y;
KIL t.y;

# Hues follow the number: 360 triangles around.
MUL t.z, n.x, 0.00245;
ADD color.xyz, t.z, { 0.3, 2.2, 4.2 };
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.40, 0.56;

# Each triangle a little different.
MAD n.z, n.z, 0.0009, 0.86;
MUL color.xyz, color, n.z;

# Light from both sides, because the inside is visible too; new triangles glow.
NRM light.xyz, fragment.texcoord[1];
DP3 light.w, light, { 0.42, 0.67, 0.61 };
MUL light.w, light.w, fragment.facing.x;
MAD_SAT light.w, light.w, 0.62, 0.40;
MUL color.xyz, color, light.w;
RCP t.w, n.w;
MUL t.y, t.y, t.w;
MAD_SAT t.y, t.y, -0.010, 1.0;
MUL t.y, t.y, t.y;
MUL t.y, t.y, t.y;
MAD result.color.xyz, t.y, { 1.0, 0.85, 0.55 }, color;
MOV result.color.w, 1.0;
END
