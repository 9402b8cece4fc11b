!!FP1.0
# Moving water on a still picture.
#
# A DSDT texture holds signed offsets for the coordinates of another lookup. X2D is the
# instruction for them: base + offset * matrix in one step. The matrix, 2x2 in one
# register, scales the offsets, and could also rotate them.

DECLARE clock = {0};
DECLARE bend = {0.05, 0, 0, 0.11};   # the matrix: (x y) is its first row, (z w) its second
DECLARE shore = {0.42, 1};           # x: where the water ends, y: strength of the glitter

MOVR R0, f[TEX0];

# Depth below the shore, 0 there and 1 at the lower edge; negative on land.
ADDRC R1.x, -R0.y, shore.x;          # cc.x: GT on the water
MULR R1.y, R1.x, 2.38;

# In perspective ripples get denser towards the shore: look them up by 1 / depth.
MAXR R1.z, R1.x, 0.0;
ADDR R1.z, R1.z, 0.06;
RCPR R1.z, R1.z;
ADDR R2.x, R0.x, -0.5;
MULR R2.x, R2.x, R1.z;
MULR R2.x, R2.x, 0.16;
MULR R2.y, R1.z, 0.32;

# Two layers that drift apart; their sum never repeats.
MOVR R3.w, clock.x;
MULR R3.xyz, R3.w, {0.05, 0.11, -0.07};
ADDR R4.xy, R2, R3.xyzw;
TEX R5, R4, TEX0, 2D;                # (DS, DT, 0, 1)
MADR R4.xy, R2.yxyx, 1.37, R3.zyzw;
TEX R6, R4, TEX0, 2D;
ADDR R5.xy, R5, R6.yxyx;

# Far ripples are small: scale the offset by the depth, then bend the picture.
MADR_SAT R1.w, R1.y, 1.2, 0.08;
MULR R7.xy, R5, R1.w;
X2DR R8.xy, R0, R7, bend;

# Do not fetch land through the water: stay below the shore.
MOVR R9.x, shore.x;
ADDR R9.x, R9.x, -0.004;
MINR R8.y, R8.y, R9.x;
TEX R10, R8, TEX1, 2D;

# Glitter where the ripples lean towards the sun, in a path below it.
ADDR R11.x, R0.x, -0.66;
MULR R11.x, R11.x, R11.x;
MULR R11.x, R11.x, -60.0;
EX2R R11.x, R11.x;
MADR_SAT R11.y, R5.y, 1.8, -0.35;
MULR R11.y, R11.y, R11.y;
MULR R11.x, R11.x, R11.y;
MULR R11.x, R11.x, shore.y;
MADR R10.xyz, R11.x, {1.0, 0.72, 0.42}, R10;

# Land as it is, water over it.
TEX R12, R0, TEX1, 2D;
MOVR R12.xyz (GT.x), R10;
MOVR_SAT o[COLR].xyz, R12;
MOVR o[COLR].w, 1.0;
END
