!!FP1.0
# A filter that no texture unit has: bicubic, 16 texels for each pixel.
#
# The texture itself is set to NEAREST, so each TEX returns one stored texel. The program
# finds the 4x4 texels around the point and weights them itself. Bare texels on the left of the
# split, the filter on the right: x of "filter" goes from a soft B-spline (0) to a sharp Catmull-Rom (1).

DECLARE clock = {0};
DECLARE filter = {0.6, 0.42, 0.62};  # x: sharpness, y: the split, z: visible part of the picture

DEFINE size = 32;
DEFINE texel = 0.03125;              # 1 / size

# A window onto the picture that sways a little.
MOVR R0.z, clock.x;
SINR R0.x, R0.z;
COSR R0.y, R0.z;
MULR R0.xy, R0, 0.04;
ADDR R1.xy, f[TEX0], -0.5;
MULR R1.xy, R1, filter.z;
ADDR R0.xy, R0, R1;
ADDR R0.xy, R0, 0.52;

# The plain lookup for the left side.
TEX R10, R0, TEX0, 2D;

# In texels, with whole numbers at texel centres. R1 = position between two centres, 0 to 1;
# R0 = the centre to the lower left, back in 0..1.
MADR R0.xy, R0, size, -0.5;
FRCR R1.xy, R0;
FLRR R0.xy, R0;
ADDR R0.xy, R0, 0.5;
MULR R0.xy, R0, texel;

# The weights of four texels in a row are cubic in that distance f: polynomials in (1, f, f^2, f^3),
# and a polynomial is a dot product. R2 holds the powers.

# Weights along x: B-spline in R3, Catmull-Rom in R5, then the blend of both in R3.
MOVR R2.x, 1.0;
MOVR R2.y, R1.x;
MULR R2.z, R1.x, R1.x;
MULR R2.w, R2.z, R1.x;
DP4R R3.x, R2, {1, -3, 3, -1};
DP4R R3.y, R2, {4, 0, -6, 3};
DP4R R3.z, R2, {1, 3, 3, -3};
MOVR R3.w, R2.w;
MULR R3, R3, 0.16666667;
DP4R R5.x, R2, {0, -0.5, 1, -0.5};
DP4R R5.y, R2, {1, 0, -2.5, 1.5};
DP4R R5.z, R2, {0, 0.5, 2, -1.5};
DP4R R5.w, R2, {0, 0, -0.5, 0.5};
LRPR R3, filter.x, R5, R3;

# Weights along y: B-spline in R4, Catmull-Rom in R5, then the blend of both in R4.
MOVR R2.x, 1.0;
MOVR R2.y, R1.y;
MULR R2.z, R1.y, R1.y;
MULR R2.w, R2.z, R1.y;
DP4R R4.x, R2, {1, -3, 3, -1};
DP4R R4.y, R2, {4, 0, -6, 3};
DP4R R4.z, R2, {1, 3, 3, -3};
MOVR R4.w, R2.w;
MULR R4, R4, 0.16666667;
DP4R R5.x, R2, {0, -0.5, 1, -0.5};
DP4R R5.y, R2, {1, 0, -2.5, 1.5};
DP4R R5.z, R2, {0, 0.5, 2, -1.5};
DP4R R5.w, R2, {0, 0, -0.5, 0.5};
LRPR R4, filter.x, R5, R4;

# Four rows of four. R8 sums a row, R9 the rows.
ADDR R6.xy, R0, {-0.03125, -0.03125};
TEX R7, R6, TEX0, 2D;
MULR R8.xyz, R7, R3.x;
ADDR R6.xy, R0, {0, -0.03125};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.y, R8;
ADDR R6.xy, R0, {0.03125, -0.03125};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.z, R8;
ADDR R6.xy, R0, {0.0625, -0.03125};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.w, R8;
MULR R9.xyz, R8, R4.x;

ADDR R6.xy, R0, {-0.03125, 0};
TEX R7, R6, TEX0, 2D;
MULR R8.xyz, R7, R3.x;
ADDR R6.xy, R0, {0, 0};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.y, R8;
ADDR R6.xy, R0, {0.03125, 0};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.z, R8;
ADDR R6.xy, R0, {0.0625, 0};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.w, R8;
MADR R9.xyz, R8, R4.y, R9;

ADDR R6.xy, R0, {-0.03125, 0.03125};
TEX R7, R6, TEX0, 2D;
MULR R8.xyz, R7, R3.x;
ADDR R6.xy, R0, {0, 0.03125};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.y, R8;
ADDR R6.xy, R0, {0.03125, 0.03125};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.z, R8;
ADDR R6.xy, R0, {0.0625, 0.03125};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.w, R8;
MADR R9.xyz, R8, R4.z, R9;

ADDR R6.xy, R0, {-0.03125, 0.0625};
TEX R7, R6, TEX0, 2D;
MULR R8.xyz, R7, R3.x;
ADDR R6.xy, R0, {0, 0.0625};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.y, R8;
ADDR R6.xy, R0, {0.03125, 0.0625};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.z, R8;
ADDR R6.xy, R0, {0.0625, 0.0625};
TEX R7, R6, TEX0, 2D;
MADR R8.xyz, R7, R3.w, R8;
MADR R9.xyz, R8, R4.w, R9;

# The split.
MOVR R11.x, filter.y;
SUBRC R11.x, f[TEX0].x, R11.x;
MOVR R9.xyz (LT.x), R10;
SUBRC R11.y, |R11.x|, 0.0015;
MOVR R9.xyz (LT.y), 1.0;
MOVR_SAT o[COLR].xyz, R9;
MOVR o[COLR].w, 1.0;
END
