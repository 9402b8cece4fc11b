!!FP1.0
# A mosaic of one picture, and the hairlines that TEX puts between the tiles.
#
# TEX measures how far its coordinates move from pixel to pixel, and picks a smaller copy of the
# texture when they move fast. At the edge of a tile they jump from 1 back to 0: TEX takes that for
# a huge speed and shows the average of everything. TXD gets the true speed as operands.
# TEX is on the left of the split, TXD on the right.

DECLARE tiles = {5};                 # how many across
DECLARE split = {0.5};

# A slow rotation and zoom of the whole wall: R1 = (cos, -sin, sin, cos) * scale.
MOVR R2.x, p[0].x;
MULR R2.x, R2.x, 0.15;
SINR R2.y, R2.x;
COSR R2.z, R2.x;
MADR R2.w, R2.y, 0.35, 1.0;
MULR R1, R2.zyyz, {1, -1, 1, 1};
MULR R1, R1, R2.w;
MULR R1, R1, tiles.x;
ADDR R0.xy, f[TEX0], -0.5;
X2DR R0.xy, {0, 0}, R0, R1;          # R0 = matrix * position: smooth everywhere

# Within each tile FRC starts again from 0. Every second tile is a mirror image.
FRCR R3.xy, R0;
FLRR R4.xy, R0;
ADDR R4.x, R4.x, R4.y;
MULR R4.x, R4.x, 0.5;
FRCR R4.x, R4.x;                     # 0 on even tiles, 0.5 on odd ones
ADDRC R4.x, R4.x, -0.25;
SUBR R4.y, 1.0, R3.x;
MOVR R3.x (GT.x), R4.y;

# The true speed: the derivatives of the smooth coordinates. A mirror image runs the other way, but
# only its size matters here.
DDXR R5.xy, R0;
DDYR R6.xy, R0;

TEX R7, R3, TEX0, 2D;
TXD R8, R3, R5, R6, TEX0, 2D;

# Left or right?
MOVR R9.x, split.x;
SUBRC R9.y, f[TEX0].x, R9.x;
MOVR R8.xyz (LT.y), R7;

# Odd tiles a little warmer, so that the mosaic is easy to see; a line at the split.
MULR R10.xyz, R8, {1.12, 0.98, 0.80};
MOVR R8.xyz (GT.x), R10;
ADDRC R9.y, |R9.y|, -0.0015;
MOVR R8.xyz (LT.y), 1.0;
MOVR_SAT o[COLR].xyz, R8;
MOVR o[COLR].w, 1.0;
END
