!!FP1.0
# Drawn, not lit: a few flat tones and an ink line.
#
# FLR turns a smooth shade into steps. The rest paints in layers under a condition code, in
# the order of a painter: glaze, pattern, highlight, outline last.

DECLARE light = {0.6, 0.7, 0.5};
DECLARE tones = {3};                 # number of steps in the shade
DECLARE edges = {0.30, 0.93};        # x: width of the ink line, y: where the highlight begins
DECLARE glaze = {0.13, 0.55, 0.62};
DECLARE band = {0.95, 0.72, 0.28};
DECLARE ink = {0.07, 0.05, 0.12};

DP3R R0.w, f[TEX1], f[TEX1];
RSQR R0.w, R0.w;
MULR R0.xyz, f[TEX1], R0.w;          # normal
DP3R R1.w, f[TEX5], f[TEX5];
RSQR R1.w, R1.w;
MULR R1.xyz, f[TEX5], R1.w;          # to the eye
MOVR R2.xyz, light;
DP3R R2.w, R2, R2;
RSQR R2.w, R2.w;
MULR R2.xyz, R2, R2.w;               # to the light

# The glaze, and a pattern: rings at some heights, a zigzag between two of them.
MOVR R3.xyz, glaze;
MOVR R4, f[TEX7];                    # position on the vase, y from -1 to 1
MULR R5.x, f[TEX0].x, 8.0;           # a sawtooth around the belly ...
FRCR R5.x, R5.x;
ADDR R5.x, R5.x, -0.5;
MADR R5.y, |R5.x|, 0.40, R4.y;       # ... bends a ring into a zigzag
ADDR R5.y, R5.y, 0.12;
SUBRC R6.x, |R5.y|, 0.06;
MOVR R3.xyz (LT.x), band;
ADDR R5.z, R4.y, 0.33;
ADDR R5.w, R4.y, -0.28;
SUBRC R6.xy, |R5.zwzw|, 0.025;
MOVR R3.xyz (LT.x), band;
MOVR R3.xyz (LT.y), band;

# Tones: floor(diffuse * n + 0.5) / n, none quite black.
DP3R R7.x, R0, R2;
MADR R7.x, R7.x, 0.5, 0.5;
MOVR R8.x, tones.x;
MADR R7.y, R7.x, R8.x, 0.5;
FLRR R7.y, R7.y;
RCPR R8.y, R8.x;
MULR R7.y, R7.y, R8.y;
MADR R7.y, R7.y, 0.75, 0.30;
MULR R3.xyz, R3, R7.y;

# A hard-edged highlight where the half-way vector meets the normal.
ADDR R9.xyz, R1, R2;
DP3R R9.w, R9, R9;
RSQR R9.w, R9.w;
MULR R9.xyz, R9, R9.w;
DP3R R9.x, R0, R9;
SUBRC R9.y, R9.x, edges.y;
MOVR R3.xyz (GT.y), {1.0, 0.98, 0.92};

# Ink where the surface turns away. The inside of the neck faces away altogether: a dark tone.
DP3R R10.x, R0, R1;
ADDRC R10.y, R10.x, -edges.x;
MOVR R3.xyz (LT.y), ink;
ADDRC R10.z, R10.x, 0.02;
MULR R11.x, R4.y, 0.10;
ADDR R11.xyz, R11.x, ink;
MOVR R3.xyz (LT.z), R11;

MOVR_SAT o[COLR].xyz, R3;
MOVR o[COLR].w, 1.0;
END
