!!NVfp4.0
# The place in the square, as a colour; edges of triangles as lines.

NOPERSPECTIVE ATTRIB edges = fragment.attrib[0];
PARAM look = program.local[0];              # x: half the width of a line
TEMP d, color;

MIN d.x, edges.x, edges.y;
MIN d.x, d.x, edges.z;
SUB d.x, d.x, look.x;
ADD_SAT d.x, d.x, 0.5;

MOV color, fragment.texcoord[0];
MAD color.xyz, color, { 0.55, 0.35, 0.0 }, { 0.15, 0.25, 0.55 };
LRP result.color.xyz, d.x, color, { 0.96, 0.94, 0.88 };
MOV result.color.w, 1.0;
END
