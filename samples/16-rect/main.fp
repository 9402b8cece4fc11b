!!FP1.0
# RECT coordinates count texels instead of going from 0 to 1: (0.5, 0.5) is the middle of the first
# texel, (1.5, 0.5) its right neighbour. "The texel next door" is simply + 1, which makes filters
# over neighbourhoods easy. This one is Sobel's: it measures how much the brightness changes.

DECLARE clock = {0};
DECLARE pencil = {3.2};              # strength of the lines
DECLARE ignore = {0.06};             # edges weaker than this are left out
DECLARE curtain = {1.0};             # 0: the photograph only, 2: the drawing only
DECLARE lead = {0.14, 0.12, 0.18};
DECLARE paper = {0.96, 0.94, 0.88};

DEFINE luma = {0.299, 0.587, 0.114};

MULR R0.xy, f[TEX0], {480, 360};

# Eight neighbours, each turned into a brightness. R1: the row above (x, y, z = left, middle,
# right), R2: left and right, R3: the row below.
ADDR R4.xy, R0, {-1, 1};
TEX R5, R4, TEX0, RECT;
DP3R R1.x, R5, luma;
ADDR R4.xy, R0, {0, 1};
TEX R5, R4, TEX0, RECT;
DP3R R1.y, R5, luma;
ADDR R4.xy, R0, {1, 1};
TEX R5, R4, TEX0, RECT;
DP3R R1.z, R5, luma;
ADDR R4.xy, R0, {-1, 0};
TEX R5, R4, TEX0, RECT;
DP3R R2.x, R5, luma;
ADDR R4.xy, R0, {1, 0};
TEX R5, R4, TEX0, RECT;
DP3R R2.z, R5, luma;
ADDR R4.xy, R0, {-1, -1};
TEX R5, R4, TEX0, RECT;
DP3R R3.x, R5, luma;
ADDR R4.xy, R0, {0, -1};
TEX R5, R4, TEX0, RECT;
DP3R R3.y, R5, luma;
ADDR R4.xy, R0, {1, -1};
TEX R5, R4, TEX0, RECT;
DP3R R3.z, R5, luma;

# Horizontally: right column minus left column, the middle row counted twice.
SUBR R6.x, R1.z, R1.x;
SUBR R6.y, R3.z, R3.x;
ADDR R6.x, R6.x, R6.y;
SUBR R6.y, R2.z, R2.x;
MADR R6.x, R6.y, 2.0, R6.x;

# Vertically: (1, 2, 1) . (row above - row below).
SUBR R7.xyz, R1, R3;
DP3R R6.y, R7, {1, 2, 1};

# The length of that gradient is the edge.
MULR R7.xy, R6, R6;
ADDR R7.x, R7.x, R7.y;
MAXR R7.x, R7.x, 0.000001;
RSQR R7.y, R7.x;
MULR R7.x, R7.x, R7.y;
ADDR_SAT R7.x, R7.x, -ignore.x;
MULR_SAT R7.x, R7.x, pencil.x;

# Hatching for the dark parts: slanted strokes in texel coordinates, denser where it is darker.
TEX R8, R0, TEX0, RECT;
DP3R R9.x, R8, luma;
ADDR R9.y, R0.x, R0.y;
MULR R9.y, R9.y, 0.22;
FRCR R9.y, R9.y;
SUBR R9.z, R9.y, R9.x;
MADR_SAT R9.z, R9.z, 2.0, -0.35;
MADR_SAT R7.x, R9.z, 0.55, R7.x;

MOVR R10.xyz, paper;
LRPR R10.xyz, R7.x, lead, R10;

# A curtain between drawing and photograph moves with time.
MOVR R11.x, clock.x;
MULR R11.x, R11.x, 0.6;
SINR R11.x, R11.x;
MADR R11.x, R11.x, 0.35, 0.5;
MOVR R11.z, curtain.x;
ADDR R11.x, R11.x, R11.z;
ADDR R11.x, R11.x, -1.0;
SUBRC R11.y, f[TEX0].x, R11.x;
MOVR R10.xyz (GT.y), R8;
MOVR_SAT o[COLR].xyz, R10;
MOVR o[COLR].w, 1.0;
END
