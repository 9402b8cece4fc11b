!!FP1.0
# Light from one direction, computed at every pixel.
DECLARE light = {0.48, 0.64, 0.6, 0};
DECLARE color = {0.9, 0.5, 0.25, 1};
DP3R R0.w, f[TEX0], f[TEX0];
RSQR R0.w, R0.w;
MULR R0.xyz, f[TEX0], R0.w;
DP3R_SAT R1.x, R0, light;
ADDR R1.x, R1.x, {0.15};
MULR o[COLR], color, R1.x;
END
