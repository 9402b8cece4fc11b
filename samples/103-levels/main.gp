!!NVgp4.0
# Gets the triangles of the divided patch one by one, and passes each corner on with its distance from the opposite
# edge, in pixels, so that the fragment program can draw the edges.

PRIMITIVE_IN TRIANGLES;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 3;

PARAM picture = program.local[0];           # width and height in pixels
ATTRIB place = vertex.position;
ATTRIB at = vertex.texcoord[0];
TEMP a, b, c, ab, bc, ca, far, t;

# Where the corners are in the picture. It goes from -1 to 1: half its size converts it to pixels.
RCP t.x, place[0].w;
RCP t.y, place[1].w;
RCP t.z, place[2].w;
MUL t.xyz, t, 0.5;
MUL a.xy, place[0], t.x;
MUL b.xy, place[1], t.y;
MUL c.xy, place[2], t.z;
MUL a.xy, a, picture;
MUL b.xy, b, picture;
MUL c.xy, c, picture;

# Twice the area is any edge times the height above it.
SUB ab.xy, b, a;
SUB bc.xy, c, b;
SUB ca.xy, a, c;
MUL t.w, ab.x, bc.y;
MAD t.w, -ab.y, bc.x, t.w;
DP2 far.x, bc, bc;
DP2 far.y, ca, ca;
DP2 far.z, ab, ab;
RSQ far.x, far.x;
RSQ far.y, far.y;
RSQ far.z, far.z;
MUL far.xyz, far, |t.w|;

# After EMIT all results are undefined: each corner writes its own.
MOV result.position, place[0];
MOV result.texcoord[0], at[0];
MUL result.attrib[0].xyz, far, { 1, 0, 0, 0 };
EMIT;
MOV result.position, place[1];
MOV result.texcoord[0], at[1];
MUL result.attrib[0].xyz, far, { 0, 1, 0, 0 };
EMIT;
MOV result.position, place[2];
MOV result.texcoord[0], at[2];
MUL result.attrib[0].xyz, far, { 0, 0, 1, 0 };
EMIT;
END
