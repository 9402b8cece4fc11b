!!FP1.0
# A soap film: its colour depends on the viewing angle.
#
# f[TEX0] and f[TEX1] are o[TEX0] and o[TEX1] of the vertex program, interpolated.

DECLARE film = {1.45, 2.6};          # x: thickness, y: how the edge glows
DECLARE lamp = {0.48, 0.60, 0.64};   # unit vector to a lamp

DP3R R0.w, f[TEX0], f[TEX0];
RSQR R0.w, R0.w;
MULR R0.xyz, f[TEX0], R0.w;          # normal
DP3R R1.w, f[TEX1], f[TEX1];
RSQR R1.w, R1.w;
MULR R1.xyz, f[TEX1], R1.w;          # to the eye

# The path through the film: longer at grazing angles. Each colour has its own wavelength.
DP3R_SAT R2.x, R0, R1;
MADR R2.y, R2.x, -R2.x, 1.0;
MULR R2.y, R2.y, film.x;
MULR R3.xyz, R2.y, {3.4, 4.2, 5.4};
ADDR R3.xyz, R3, {0.9, 2.2, 3.6};
COSR R4.x, R3.x;
COSR R4.y, R3.y;
COSR R4.z, R3.z;
MADR R4.xyz, R4, {0.22, 0.16, 0.22}, 0.56;

# Shade it by the lamp, and add a highlight and a brighter edge.
DP3R R5.x, R0, lamp;
MADR_SAT R5.y, R5.x, 0.50, 0.48;
MULR R4.xyz, R4, R5.y;
ADDR R6.xyz, R1, lamp;
DP3R R6.w, R6, R6;
RSQR R6.w, R6.w;
MULR R6.xyz, R6, R6.w;
DP3R_SAT R6.x, R6, R0;
POWR R6.x, R6.x, 60.0;
SUBR R2.z, 1.0, R2.x;
POWR R2.z, R2.z, film.y;
MADR R4.xyz, R2.z, {0.22, 0.26, 0.34}, R4;
ADDR_SAT o[COLR].xyz, R4, R6.x;
MOVR o[COLR].w, 1.0;
END
