!!FP1.0
# KIL discards the pixel: nothing is drawn for it, not even depth.
#
# It tests only the condition code. So for "discard if a < b", subtract with the suffix C, then
# KIL LT. If any of the tested components is LT, the pixel goes.
# KIL LT.x tests only x.

DECLARE clock = {0};
DECLARE level = {0.36, 0.14, 0.06}; # x: how much has burnt, y: how far that breathes, z: width of the embers
DECLARE ember = {1.0, 0.35, 0.05};
DECLARE light = {0.4, 0.8, 0.45};

# A noise over the surface, three times round and once across, says when each spot burns.
MULR R0.xy, f[TEX0], {3, 1};
TEX R1, R0, TEX0, 2D;

# The level now: x + y * sin(time).
MOVR R2.x, clock.x;
MULR R2.x, R2.x, 0.8;
SINR R2.x, R2.x;
MULR R2.x, R2.x, level.y;
ADDR R2.x, R2.x, level.x;

# Burnt already? Then discard. The neighbours still need the values of this pixel for their
# derivatives (TEX below uses them to pick its mip level), so the program runs on as a helper.
SUBRC R2.y, R1.x, R2.x;
KIL LT.y;                            # SUBRC set cc.y; the others are still EQ

# Light: half Lambert, soft on the far side.
DP3R R3.w, f[TEX1], f[TEX1];
RSQR R3.w, R3.w;
MULR R3.xyz, f[TEX1], R3.w;
DP3R R4.w, light, light;
RSQR R4.w, R4.w;
MULR R4.xyz, R4.w, light;
DP3R R5.x, R3, R4;

# The inside of the torus shows through the holes. Its normal points away from the eye: flip it.
DP3RC R5.y, R3, f[TEX5];
MOVR R5.x (LT.y), -R5.x;
MADR R5.x, R5.x, 0.45, 0.55;
MULR R5.x, R5.x, R5.x;

MULR R0.xy, f[TEX0], {4, 2};
TEX R6, R0, TEX1, 2D;
MULR R6.xyz, R6, R5.x;
MULR R7.xyz, R6, {0.45, 0.28, 0.20};
MOVR R6.xyz (LT.y), R7;              # the inside is sooty

# Embers: bright at the burning edge, gone one width further on. R2.y is the distance to the edge.
RCPR R8.x, level.z;
MULR R8.x, R8.x, R2.y;
MULR R8.y, R8.x, -3.0;
EX2R R8.y, R8.y;
MULR R8.z, R8.y, 1.5;
MADR R6.xyz, R8.z, ember, R6;
MULR R8.y, R8.y, R8.y;
MULR R8.y, R8.y, R8.y;
ADDR R6.xyz, R6, R8.y;               # white-hot at the very rim

MOVR_SAT o[COLR].xyz, R6;
MOVR o[COLR].w, 1.0;
END
