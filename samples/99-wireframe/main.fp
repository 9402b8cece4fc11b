!!NVfp4.0
# The smallest of three distances is the distance to the nearest edge, in pixels: far lines are as wide as near ones.

NOPERSPECTIVE ATTRIB edges = fragment.attrib[0];
PARAM look = program.local[0];              # x: half the width of a line, y: how much of the surface shows
PARAM ink = program.local[1];
PARAM paper = program.local[2];
TEMP d, light, color;

MIN d.x, edges.x, edges.y;
MIN d.x, d.x, edges.z;
SUB d.x, d.x, look.x;
ADD_SAT d.x, d.x, 0.5;                      # 0 on the line, 1 within a pixel beside it

# A light, from either side.
NRM light.xyz, fragment.texcoord[1];
DP3 light.x, light, { 0.48, 0.64, 0.60 };
MUL light.x, light.x, fragment.facing.x;
MAD light.y, light.x, 0.45, 0.55;
MUL light.z, light.y, light.y;

MUL color.xyz, paper, light.z;
MUL color.xyz, color, look.y;
MAD light.w, light.x, 0.35, 0.65;
MUL d.yzw, ink.wxyz, light.w;
LRP result.color.xyz, d.x, color, d.yzww;
MOV result.color.w, 1.0;
END
