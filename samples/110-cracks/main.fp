!!NVfp4.0
# The left patch in one colour, the right in another; edges of triangles as lines. Red is the clear colour.

NOPERSPECTIVE ATTRIB edges = fragment.attrib[0];
PARAM look = program.local[0];              # x: half the width of a line
TEMP d, color;

MIN d.x, edges.x, edges.y;
MIN d.x, d.x, edges.z;
SUB d.x, d.x, look.x;
ADD_SAT d.x, d.x, 0.5;

LRP color.xyz, fragment.texcoord[0].x, { 0.30, 0.46, 0.62 }, { 0.38, 0.56, 0.40 };
MAD color.w, fragment.texcoord[0].y, 0.18, 0.85;
MUL color.xyz, color, color.w;
LRP result.color.xyz, d.x, color, { 0.08, 0.10, 0.12 };
MOV result.color.w, 1.0;
END
