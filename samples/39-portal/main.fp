!!FP1.0
# A lamp moves around the room; marble in three colours.
#
# f[TEX0] place, f[TEX1] normal, f[TEX2] to the eye, f[TEX3] place before the window swung.

DECLARE clock = {0};
DECLARE lamp = {1.0, 0.90, 0.72};

# Marble, laid on by the plane that the face lies in: the sum of two places does for all three.
ADDR R0.xy, f[TEX3], f[TEX3].zzzz;
MULR R0.xy, R0, 0.4;
TEX R0, R0, TEX0, 2D;
MADR R0.xyz, R0, 0.6, 0.4;           # fainter veins

# The lamp, behind the window.
MOVR R1.w, clock.x;
MULR R1.xy, R1.w, {0.9, 1.3};
SINR R1.x, R1.x;
COSR R1.y, R1.y;
MULR R1.xy, R1, 0.9;
MOVR R1.z, -1.3;
SUBR R2.xyz, R1, f[TEX0];
DP3R R2.w, R2, R2;
RSQR R3.w, R2.w;
MULR R2.xyz, R2, R3.w;
DP3R_SAT R3.x, R2, f[TEX1];
MADR R2.w, R2.w, 0.28, 0.45;
RCPR R2.w, R2.w;
MULR R3.x, R3.x, R2.w;

# A little light from where the eye is, so that the frame is not left in the dark.
DP3R R4.w, f[TEX2], f[TEX2];
RSQR R4.w, R4.w;
MULR R4.xyz, f[TEX2], R4.w;
DP3R_SAT R3.y, R4, f[TEX1];
MADR R3.y, R3.y, 0.36, 0.20;

MADR R5.xyz, R3.x, lamp, R3.y;
MULR R5.xyz, R5, R0;
MULR_SAT o[COLR].xyz, R5, f[COL0];
MOVR o[COLR].w, 1.0;
END
