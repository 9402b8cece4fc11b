!!FP1.0
DECLARE surface = {0.8, 0.3, 0.15, 1};
DECLARE light = {0.48, 0.64, 0.6, 0};

# R0: the unit normal: the normal divided by the root of its dot product with itself.
DP3 R0.w, f[TEX1], f[TEX1];
RSQ R0.w, R0.w;
MUL R0.xyz, f[TEX1], R0.w;

# R1: direction to the eye, R2: half way between that and the light.
DP3 R1.w, f[TEX5], f[TEX5];
RSQ R1.w, R1.w;
MUL R1.xyz, f[TEX5], R1.w;
ADD R2.xyz, R1, light;
DP3 R2.w, R2, R2;
RSQ R2.w, R2.w;
MUL R2.xyz, R2, R2.w;

DP3 R3.x, R0, light;
DP3 R3.y, R0, R2;
MOV R3.w, 24.0;
LIT R4, R3;
MAD o[COLR], surface, R4.y, R4.z;
END
