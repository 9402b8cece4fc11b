!!NVfp5.0
# Each cell of a grid over the body has a hair; the further out a shell is, the thinner the hair.

PARAM grid = program.local[0];              # x, y: hairs around and from pole to pole, z: thickness at the root
TEMP cell, p, t, light, color;
TEMP n;

MUL cell.xy, fragment.texcoord[0], grid;
FRC p.xy, cell;
FLR cell.xy, cell;

# A hash of the cell: the place of the hair in it, its length and brightness.
CVT.S32.F32 n.xy, cell;
MAD.S n.z, n.y, 977, n.x;
MUL.U n.z, n.z, 0x9E3779B1;
SHR.U n.w, n.z, 8;
AND.U n.w, n.w, 255;
I2F t.x, n.w;
SHR.U n.w, n.z, 16;
AND.U n.w, n.w, 255;
I2F t.y, n.w;
SHR.U n.w, n.z, 24;
I2F t.z, n.w;
MUL t.xyz, t, 0.00392157;

# The distance from the middle of the hair, relative to its thickness at this height.
MAD p.zw, t.xxxy, 0.4, 0.3;
SUB p.xy, p, p.zwzw;
DP2 p.x, p, p;
RSQ p.y, p.x;
MUL p.x, p.y, p.x;
MAD p.z, t.z, 0.5, 0.5;                     # its length
RCP p.w, p.z;
MAD p.w, -fragment.attrib[0].w, p.w, 1;
MUL p.w, p.w, grid.z;
MUL p.w, p.w, 0.5;
SUB p.x, p.w, p.x;
SEQ t.w, fragment.attrib[0].w, 0;           # the skin itself is whole
ADD p.x, p.x, t.w;
KIL p.x;

# Light from above; roots are in the shadow of the others.
NRM light.xyz, fragment.attrib[0];
DP3 light.x, light, { 0.40, 0.80, 0.45 };
MAD_SAT light.x, light.x, 0.5, 0.5;
MAD light.y, fragment.attrib[0].w, 0.75, 0.25;
MUL light.x, light.x, light.y;
MAD light.z, t.y, 0.3, 0.85;
MUL light.x, light.x, light.z;
LRP color.xyz, t.z, { 0.98, 0.66, 0.30 }, { 0.80, 0.38, 0.16 };
MUL result.color.xyz, color, light.x;
MOV result.color.w, 1;
END
