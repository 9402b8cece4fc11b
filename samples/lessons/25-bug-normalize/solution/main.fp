!!FP1.0
DECLARE surface = {0.9, 0.5, 0.2, 1};
DECLARE light = {2, 2, 1, 0};

# R0: the unit normal.
DP3 R0.w, f[TEX1], f[TEX1];
RSQ R0.w, R0.w;
MUL R0.xyz, f[TEX1], R0.w;

# R1: the unit vector to the light.
DP3 R1.w, light, light;
RSQ R1.w, R1.w;
MUL R1.xyz, R1.w, light;

# How much the surface faces the light.
DP3_SAT R2.x, R0, R1;
MUL o[COLR], surface, R2.x;
END
