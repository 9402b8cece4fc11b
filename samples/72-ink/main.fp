!!NVfp4.0
# One texel further, at any texture size: offsets in the instruction. Eight neighbours make a drawing.

PARAM clock = program.local[0];
PARAM pen = program.local[1];               # x: how black the ink is, y: tones of the wash, z: the level to draw
TEMP p, a, b, c, d, gx, gy, color, t;

# The picture, slowly nearer and farther. w is the level for TXL: an offset counts texels of that level.
MUL t.x, clock.x, 0.4;
SIN t.x, t.x;
MAD t.x, t.x, 0.06, 0.90;
SUB p.xy, fragment.texcoord[0], 0.5;
MAD p.xy, p, t.x, 0.5;
MOV p.w, pen.z;

# To the left and right, in three rows: the difference is the slope across.
TXL a, p, texture[0], 2D, (1, 1);
TXL b, p, texture[0], 2D, (1, -1);
TXL c, p, texture[0], 2D, (-1, 1);
TXL d, p, texture[0], 2D, (-1, -1);
ADD gx, a, b;
SUB gx, gx, c;
SUB gx, gx, d;
ADD gy, a, c;
SUB gy, gy, b;
SUB gy, gy, d;
TXL a, p, texture[0], 2D, (1, 0);
TXL b, p, texture[0], 2D, (-1, 0);
SUB a, a, b;
MAD gx, a, 2.0, gx;
TXL a, p, texture[0], 2D, (0, 1);
TXL b, p, texture[0], 2D, (0, -1);
SUB a, a, b;
MAD gy, a, 2.0, gy;

# Ink where any colour changes. It dries as you watch: a pen goes over the picture and over again.
MUL gx, gx, gx;
MAD gx, gy, gy, gx;
DP3 t.x, gx, 1.0;
MAX t.x, t.x, 0.000001;
RSQ t.y, t.x;
MUL t.x, t.x, t.y;
MUL t.x, t.x, pen.x;
MAD_SAT t.x, t.x, 1.0, -0.15;

# A wash in few tones, on paper.
TXL color, p, texture[0], 2D;
MAD t.y, fragment.texcoord[0].x, 2.5, fragment.texcoord[0].y;
MAD t.y, clock.x, -0.6, t.y;
SIN t.y, t.y;
MAD t.y, t.y, 0.45, 0.55;
MUL color.xyz, color, pen.y;
ADD color.xyz, color, 0.5;
FLR color.xyz, color;
RCP t.z, pen.y;
MUL color.xyz, color, t.z;
MAD color.xyz, color, 0.75, 0.25;
LRP color.xyz, t.y, color, { 0.96, 0.93, 0.84 };
LRP result.color.xyz, t.x, { 0.09, 0.08, 0.13 }, color;
MOV result.color.w, 1.0;
END
