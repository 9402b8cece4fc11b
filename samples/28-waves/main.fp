!!FP1.0
# Water: it mirrors the sky at grazing angles and is clear from above.

DECLARE deep = {0.02, 0.16, 0.24};
DECLARE shallow = {0.10, 0.52, 0.50};

DP3R R0.w, f[TEX0], f[TEX0];
RSQR R0.w, R0.w;
MULR R0.xyz, f[TEX0], R0.w;          # normal
DP3R R1.w, f[TEX1], f[TEX1];
RSQR R1.w, R1.w;
MULR R1.xyz, f[TEX1], R1.w;          # to the eye

# How much is mirrored: Fresnel's law, in its usual approximation.
DP3R_SAT R2.x, R0, R1;
SUBR R2.y, 1.0, R2.x;
POWR R2.y, R2.y, 4.0;
MADR R2.y, R2.y, 0.90, 0.06;

RFLR R3.xyz, R0, R1;
MAXR R3.y, R3.y, 0.15;               # no ground below a sea
TEX R4, R3, TEX0, CUBE;

# The body of the water: lighter in the crests and where the surface leans towards the eye.
MADR_SAT R5.x, f[TEX2].x, 5.0, 0.36;
MADR R5.x, R2.x, 0.25, R5.x;
MOVR R6.xyz, deep;
LRPR_SAT R6.xyz, R5.x, shallow, R6;
LRPR R6.xyz, R2.y, R4, R6;

# The sun's glitter.
DP3R_SAT R7.x, R3, {-0.36, 0.48, -0.80};
POWR R7.x, R7.x, 90.0;
MADR_SAT o[COLR].xyz, R7.x, {0.9, 0.75, 0.5}, R6;
MOVR o[COLR].w, 1.0;
END
