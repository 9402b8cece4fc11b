!!FP1.0
DECLARE surface = {0.9, 0.5, 0.2, 1};
DECLARE light = {2, 2, 1, 0};

# R0: the unit normal.
DP3 R0.w, f[TEX1], f[TEX1];
RSQ R0.w, R0.w;
MUL R0.xyz, f[TEX1], R0.w;

# How much the surface faces the light.
DP3_SAT R2.x, R0, light;
MUL o[COLR], surface, R2.x;
END
