!!NVgp4.0
# Runs once per triangle and reads its three corners. Emits the triangle moved along its normal.
PRIMITIVE_IN TRIANGLES;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 3;

PARAM mvp[4] = { state.matrix.mvp };
PARAM normals[4] = { state.matrix.modelview.invtrans };
PARAM clock = program.local[0];             # x: seconds
PARAM look = program.local[1];              # x: how far triangles move, y: how much of each is left
TEMP middle, n, light, p, t;

main:
# The centre, and the normal from the cross product of two edges.
ADD middle.xyz, vertex[0].position, vertex[1].position;
ADD middle.xyz, middle, vertex[2].position;
MUL middle.xyz, middle, 0.333333;
ADD p.xyz, vertex[1].position, -vertex[0].position;
ADD t.xyz, vertex[2].position, -vertex[0].position;
XPD n.xyz, p, t;
NRM n.xyz, n;
DP3 light.x, normals[0], n;
DP3 light.y, normals[1], n;
DP3 light.z, normals[2], n;
DP3.SAT light.w, light, { 0.48, 0.64, 0.6 };

# In and out, with a delay from left to right.
MAD t.w, middle.x, 2.0, clock.x;
SIN t.w, t.w;
MAD t.w, t.w, 0.5, 0.5;
MUL t.w, t.w, look.x;

# EMIT leaves the results undefined, so each corner writes all of them.
MOV p, vertex[0].position;
CAL corner;
EMIT;
MOV p, vertex[1].position;
CAL corner;
EMIT;
MOV p, vertex[2].position;
CAL corner;
EMIT;
RET;

# Pulls p towards the centre and moves it along the normal.
corner:
ADD p.xyz, p, -middle;
MAD p.xyz, p, look.y, middle;
MAD p.xyz, n, t.w, p;
DP4 result.position.x, mvp[0], p;
DP4 result.position.y, mvp[1], p;
DP4 result.position.z, mvp[2], p;
DP4 result.position.w, mvp[3], p;
ADD result.attrib[0].x, light.w, 0.15;
RET;
END
