!!FP1.0
# The fragment part: a direction from the map, and three lines of lighting.
#
# f[TEX1] points to the lamp and f[TEX2] to the eye, both in the coordinates of the map.

DECLARE relief = {0.9};
DECLARE lamp = {1.0, 0.86, 0.62};
DECLARE night = {0.16, 0.20, 0.34};

TEX R0, f[TEX0], TEX0, 2D;           # colour
TEX R1, f[TEX0], TEX1, 2D;           # direction, in 0..1
MADR R1.xyz, R1, 2.0, -1.0;
MULR R1.xy, R1, relief.x;
DP3R R1.w, R1, R1;
RSQR R1.w, R1.w;
MULR R1.xyz, R1, R1.w;

# To the lamp: a unit vector, and the distance squared for the falloff.
DP3R R2.w, f[TEX1], f[TEX1];
RSQR R3.w, R2.w;
MULR R2.xyz, f[TEX1], R3.w;
MADR R2.w, R2.w, 0.42, 0.35;
RCPR R2.w, R2.w;

# Half-way to the eye.
DP3R R3.w, f[TEX2], f[TEX2];
RSQR R3.w, R3.w;
MADR R3.xyz, f[TEX2], R3.w, R2;
DP3R R3.w, R3, R3;
RSQR R3.w, R3.w;
MULR R3.xyz, R3, R3.w;

DP3R R4.x, R1, R2;
DP3R R4.y, R1, R3;
MOVR R4.w, 30.0;
LITR R5, R4;

# A surface that faces away has no light, whatever its map says; soften the border.
MULR_SAT R5.w, R2.z, 4.0;
MULR R5.w, R5.w, R2.w;
MADR R6.x, R1.z, 0.4, 0.6;
MULR R6.xyz, night, R6.x;
MULR R7.xyz, lamp, R5.w;
MADR R6.xyz, R5.y, R7, R6;
MULR R6.xyz, R6, R0;
MULR R5.z, R5.z, 0.25;
MADR_SAT o[COLR].xyz, R5.z, R7, R6;
MOVR o[COLR].w, 1.0;
END
